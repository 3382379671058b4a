/* What bytes of an HMD are called where its tables choose between structs or step from one to the
 * next, and what is written over a word that is mended.
 */
#include "hmd_edges.h"

#include "core/describe.h"
#include "hmd/hmd.h"

#include <stdlib.h>
#include <string.h>

/* ---- labels ---- */

typedef struct part {
    const char *name, *type;
    size_t off;
} part;

enum { MOST_PARTS = 256 };

typedef struct parts {
    part all[MOST_PARTS];
    size_t num;
} parts;

static void on_begin(void *user, const fh_field *group)
{
    parts *to = user;
    HOLD(to->num < MOST_PARTS, "more parts than there is room for");
    to->all[to->num++] = (part){group->name, group->type, group->off};
}

static void on_field(void *user, const fh_field *field)
{
    (void)user;
    (void)field;
}

static void on_end(void *user, size_t end)
{
    (void)user;
    (void)end;
}

/* The parts of a file, which is returned. */
static forge_buf label(parts *to, const char *text)
{
    forge_buf file = build(text);
    void *memory = malloc(BENCH_ARENA);
    cr_assert(memory != NULL);
    fh_arena arena = fh_arena_make(memory, BENCH_ARENA);
    fh_budget budget = {BENCH_BUDGET};
    const fh_env env = {.arena = &arena, .budget = &budget};
    const fh_field_sink sink = {to, on_begin, on_field, on_end};
    *to = (parts){.num = 0};
    cr_assert(fh_hmd_format.describe(&env, &sink, fh_cursor_make(file.data, file.len, 0)) == FH_OK);
    free(memory);
    return file;
}

/* So many parts of a name and a struct, the first of which begins at a byte and the others each so
 * many bytes behind. */
static void hold_parts(const parts *of, const char *name, const char *type, size_t num,
                       size_t first, size_t stride)
{
    size_t found = 0;
    for (size_t i = 0; i < of->num; i++) {
        const part *at = &of->all[i];
        if (strcmp(at->name, name) == 0 && strcmp(at->type, type) == 0) {
            HOLD(at->off == first + found * stride, "%s %zu at %zu", name, found, at->off);
            found++;
        }
    }
    cr_expect(eq(sz, found, num), "%s, %s", name, type);
}

/* The byte at which a word with a value begins. */
static size_t place_of(const forge_buf *file, uint32_t value)
{
    return 4 * find_word(file, value);
}

#define GROUND(kind, cell)                                                                         \
    "hmd\nblocks 0 @land 0\ncoords: coordinates\nunit\nheaders\n"                                  \
    "kinds: header !fields !grids !heights !normals !corners\n"                                    \
    "land: primitive header=@kinds\nrecord " kind " 0 0 0\n"                                       \
    "fields: ground 0 0 9 9 2 2\nrow 0 1\ngrids:\n" cell "heights: zero 16\n"                      \
    "normals: vec 0 0 4096\ncorners: zero 16\n"

/* A ground without textures, or with. */
Test(hmd_labels, grids_of_the_ground)
{
    static parts got;
    forge_buf file = label(&got, GROUND("0x05800000", "cell flat 1 2 3 0\n"));
    hold_parts(&got, "ground_grid", "flat_ground_grid", 1, place_of(&file, 9 << 16 | 9) - 4, 0);
    hold_parts(&got, "ground_grid", "textured_ground_grid", 0, 0, 0);
    forge_buf_free(&file);
    file = label(&got, GROUND("0x05800001", "zero 12\n"));
    hold_parts(&got, "ground_grid", "flat_ground_grid", 0, 0, 0);
    hold_parts(&got, "ground_grid", "textured_ground_grid", 1, place_of(&file, 9 << 16 | 9) - 4, 0);
    forge_buf_free(&file);
}

#define MORPH(header, type, blocks)                                                                \
    "hmd\nblocks @morph 0 0\ncoords: coordinates\nunit\nheaders\n"                                 \
    "by_element: header !weights 1 3:0 !shapes !originals !points !normals\n"                      \
    "back: header 3:0 !shapes !originals !points !normals\n"                                       \
    "morph: primitive header=@" header "\nrecord " type " (block-shapes)\n"                        \
    "weights: word 0\nshapes:\nblock: " blocks                                                     \
    "originals: word 0x0badcafe\nzero 60\npoints: word 0x0badf00d\nzero 60\n"                      \
    "normals: word 0x0badbeef\nzero 60\n"

/* Each element is eight bytes: vertices or normals, and what was kept of them. */
Test(hmd_labels, elements_of_morphs)
{
    static const struct {
        const char *text;
        const char *element, *type;
        uint32_t section;
        size_t num_kept;
    } rows[] = {
        {MORPH("by_element", "0x04010020",
               "shape\ndiff 0 (one-block)\none: deltas 2\nvec 1 2 3\nvec 4 5 6\nvec 7 8 9\n"),
         "vertex_data", "vertex", 0x0badf00d, 0},
        {MORPH("by_element", "0x04010021",
               "shape\ndiff 0 (one-block)\none: deltas 2\nvec 1 2 3\nvec 4 5 6\nvec 7 8 9\n"),
         "normal_data", "normal", 0x0badbeef, 0},
        {MORPH("back", "0x04010028", "resets\noriginal 2 3 3\n"), "vertex_data", "vertex",
         0x0badf00d, 3},
        {MORPH("back", "0x04010029", "resets\noriginal 2 3 3\n"), "normal_data", "normal",
         0x0badbeef, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static parts got;
        forge_buf file = label(&got, rows[i].text);
        hold_parts(&got, rows[i].element, rows[i].type, 3, place_of(&file, rows[i].section) + 16,
                   8);
        hold_parts(&got, "original", "original", rows[i].num_kept, place_of(&file, 0x0badcafe) + 24,
                   8);
        forge_buf_free(&file);
    }
}

/* ---- mends ---- */

typedef struct rewriting {
    uint8_t *bytes;
    size_t num;
} rewriting;

static void on_edit(void *user, const fh_edit *edit)
{
    rewriting *to = user;
    if (strcmp(edit->rule->code, "HMD0104") == 0) {
        HOLD(edit->len == edit->old_len, "a part of a word");
        memcpy(to->bytes + edit->off, edit->bytes, edit->len);
        to->num++;
    }
}

/* The count of a pre-calculation goes; bit 31 stays, and so does the size, odd or even. */
Test(hmd_labels, counts_of_precalculations)
{
    for (uint32_t size = 7; size < 9; size++) {
        forge_buf file = build("hmd\nblocks 0 @skin 0\ncoords: coordinates\nunit\nheaders\n"
                               "shared: header !faces !moved !points !shades !normals !coords\n"
                               "skin: primitive header=@shared\n"
                               "record 0x01800000 3 0 0 1 0 0\nrecord 0x00000000 0 0 0\n"
                               "faces:\nmoved: zero 24\npoints: zero 24\nshades: zero 8\n"
                               "normals: vec 0 0 4096\n");
        const size_t word = find_word(&file, 0x01800000) + 1;
        cr_assert(eq(u32, get(&file, word), 0x80000007));
        put(&file, word, 0x80050000 | size);
        rewriting got = {file.data, 0};
        void *memory = malloc(BENCH_ARENA);
        cr_assert(memory != NULL);
        fh_arena arena = fh_arena_make(memory, BENCH_ARENA);
        fh_budget budget = {BENCH_BUDGET};
        const fh_env env = {.arena = &arena, .budget = &budget};
        const fh_edit_sink sink = {&got, on_edit};
        cr_assert(fh_hmd_format.repair(&env, &sink, fh_cursor_make(file.data, file.len, 0),
                                       &(fh_verify_options){.stand_alone = true}) == FH_OK);
        cr_expect(eq(sz, got.num, 1));
        cr_expect(eq(u32, get(&file, word), 0x80000000 | size));
        free(memory);
        forge_buf_free(&file);
    }
}
