/* The tables of an HMD and the ranges in it, where a description of a file says too little: every
 * word at its extremes, every length, work and memory that end, chains that meet. */
#include "bench.h"
#include "forge/hmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A lit triangle, in the block of its coordinate: 51 words. */
#define FRONT "hmd\nblocks 0 @model 0\ncoords: coordinates\nunit t 0 0 1000\n"
#define HEADERS "headers\nlit: header !polygons !vertices !normals !coords\n"
#define MODEL "model: primitive header=@lit\nrecord 0x00800008 (front-polygons)\n"
#define PACKET "polygons:\nfront: packet 0x008 rgb 1 2 3 n 0 v 0 1 2\n"
#define VERTICES "vertices:\nvec -9 -9 0\nvec 9 -9 0\nvec -9 9 0\n"
#define NORMALS "normals:\nvec 0 0 -4096\n"
#define TRIANGLE FRONT HEADERS MODEL PACKET VERTICES NORMALS
enum { TRIANGLE_WORDS = 51 };

static forge_buf build(const char *text)
{
    forge_buf out = {0};
    forge_error err = {.kind = FORGE_OK};
    const bool is_built = forge_hmd_text(&out, &err, text, strlen(text), FORGE_HMD_LIMIT);
    HOLD(is_built, "line %u: %s\n%s", err.line, err.text, text);
    return out;
}

static void open_bench(bench *b)
{
    bench_open(b);
    b->format = fh_format_find("hmd");
}

/* Verifies a copy of just the length, with the work that a scan would grant. */
static void verify(bench *b, const void *bytes, size_t len)
{
    void *exact = malloc(len + 1);
    memcpy(exact, bytes, len);
    record_free(&b->verify);
    b->arena = fh_arena_make(b->block, BENCH_ARENA);
    b->budget.left = FH_BUDGET_FLOOR + FH_BUDGET_PER_BYTE * len;
    const fh_sink sink = record_sink(&b->verify);
    const fh_env env = {&b->arena, &b->budget, &sink};
    b->status = b->format->verify(&b->asset, &b->model, &env, fh_cursor_make(exact, len, 0),
                                  &(fh_verify_options){true, true});
    b->model = NULL;
    free(exact);
}

static void verify_text(bench *b, const char *text)
{
    forge_buf file = build(text);
    verify(b, file.data, file.len);
    forge_buf_free(&file);
}

static fh_probe probe(bench *b, const void *bytes, size_t len, bool at_end)
{
    fh_probe out;
    fh_budget budget = {BENCH_BUDGET};
    void *exact = malloc(len + 1);
    memcpy(exact, bytes, len);
    b->arena = fh_arena_make(b->block, BENCH_ARENA);
    b->format->probe(&out, fh_cursor_make(exact, len, 0), at_end, NULL, &b->arena, &budget);
    free(exact);
    return out;
}

/* The probe of a search: hands out the bytes as they are asked for. */
static fh_probe search(bench *b, const uint8_t *bytes, size_t len)
{
    size_t have = 64 < len ? 64 : len;
    for (int i = 0; i < 1000; i++) {
        const fh_probe out = probe(b, bytes, have, have == len);
        if (out.verdict != FH_MORE) {
            return out;
        }
        HOLD(out.length > have && have < len, "it asks for what it has");
        have = out.length < len ? out.length : len;
    }
    cr_fatal("it never has enough");
}

static uint32_t word_at(const forge_buf *file, size_t i)
{
    const uint8_t *at = file->data + 4 * i;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void set_word(forge_buf *file, size_t i, uint32_t value)
{
    for (unsigned k = 0; k < 4; k++) {
        file->data[4 * i + k] = (uint8_t)(value >> (8 * k));
    }
}

static void hold_findings(const bench *b, size_t len)
{
    for (size_t i = 0; i < b->verify.num_findings; i++) {
        const fh_finding *one = &b->verify.findings[i];
        /* What is only counted has no place. */
        HOLD((one->offset >= 0 && (size_t)one->offset <= len) ||
                 (one->offset == FH_UNKNOWN && record_count(&b->verify, one->rule->code) > 20),
             "%s points out of the file", one->rule->code);
        HOLD(one->field != NULL && one->field[0] != '\0', "%s has no field", one->rule->code);
    }
}

Test(hmd_structure, a_triangle_is_sound)
{
    bench b;
    open_bench(&b);
    verify_text(&b, TRIANGLE);
    cr_assert(eq(int, b.status, FH_OK));
    cr_assert(eq(int, b.asset.grade, FH_GRADE_REFERENCES));
    cr_assert(eq(sz, b.asset.length, 4 * TRIANGLE_WORDS));
    cr_assert(eq(str, (char *)record_codes(&b.verify), ""));
    bench_close(&b);
}

Test(hmd_structure, a_shorter_file_is_asked_for_more_and_never_taken)
{
    bench b;
    open_bench(&b);
    forge_buf file = build(TRIANGLE);
    for (size_t len = 0; len < file.len; len++) {
        const fh_probe more = probe(&b, file.data, len, false);
        const fh_probe last = probe(&b, file.data, len, true);
        HOLD(more.verdict == FH_MORE && more.length > len && more.length <= file.len,
             "%zu bytes: verdict %d, length %zu", len, (int)more.verdict, more.length);
        /* Where only the last vectors are missing the structure still holds. */
        HOLD(last.verdict != FH_MORE && (last.verdict == FH_REJECT || len >= 4 * 40),
             "%zu bytes at the end: verdict %d", len, (int)last.verdict);
        verify(&b, file.data, len);
        HOLD(b.asset.grade < FH_GRADE_REFERENCES, "%zu bytes: grade %d", len, (int)b.asset.grade);
        hold_findings(&b, len);
    }
    forge_buf_free(&file);
    bench_close(&b);
}

Test(hmd_structure, every_word_at_its_extremes)
{
    static const uint32_t values[] = {0,          1,          0x0000ffff, 0x7fff0000,
                                      0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe,
                                      0xffffffff, 0x001fffff, 0x80200000, 0x00200000};
    bench b;
    open_bench(&b);
    forge_buf file = build(TRIANGLE);
    for (size_t i = 0; i < TRIANGLE_WORDS; i++) {
        const uint32_t old = word_at(&file, i);
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            set_word(&file, i, values[k]);
            verify(&b, file.data, file.len);
            HOLD(b.status != FH_INTERNAL && b.status != FH_LIMIT && b.status != FH_NO_MEMORY,
                 "word %zu as %08x: status %d", i, values[k], (int)b.status);
            HOLD((b.status == FH_OK) == (b.asset.grade > FH_GRADE_CANDIDATE), "word %zu as %08x", i,
                 values[k]);
            hold_findings(&b, file.len);
            (void)search(&b, file.data, file.len);
        }
        set_word(&file, i, old);
    }
    forge_buf_free(&file);
    bench_close(&b);
}

/* Shared polygons, images and morphing have counts of their own in every record. */
Test(hmd_structure, huge_counts_of_every_kind)
{
    static const char text[] =
        "hmd\nblocks @up @model @skin\ncoords: coordinates\nunit t 0 0 1\nheaders\n"
        "first: header !polygons !vertices !points !normals !shades !coords\n"
        "direct: header !images\n"
        "by: header !weights 1 1:0 !shapes !originals !vertices !normals\n"
        "up: primitive next=@swell header=@direct\nrecord 0x02000000 640:0 4:4 (pixels-images)\n"
        "swell: primitive header=@by\nrecord 0x04010020 (bulge-shapes)\n"
        "model: primitive header=@first\nrecord 0x01800000 4 0 0 4 0 0\n"
        "skin: primitive header=@first\nrecord 0x01000014 (quad-polygons)\n"
        "record 0x0000001c (strip-polygons)\n"
        "weights: word 1\nshapes:\nbulge: shape\ndiff 0 (d-bulge)\nnotify (d-shapes)\n"
        "d: deltas 0\nvec 0 1 0\n"
        "polygons:\nquad: packet 0x014 rgb 1 2 3 n 0 1 2 3 v 0 1 2 3\n"
        "strip: mesh 0x01c rgb 1 2 3 n 0 1 2 v 0 1 2\nstrip rgb 1 2 3 n 1 2 3 v 3\n"
        "vertices: zero 32\npoints: zero 32\nnormals: zero 32\nshades: zero 32\n"
        "originals: zero 8\nimages:\npixels: zero 32\n";
    static const uint32_t values[] = {0x7fff, 0xffff, 0x7fffffff, 0xffffffff, 0xffff0000};
    bench b;
    open_bench(&b);
    forge_buf file = build(text);
    for (size_t i = 29; i < file.len / 4; i++) {
        const uint32_t old = word_at(&file, i);
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            set_word(&file, i, values[k]);
            verify(&b, file.data, file.len);
            HOLD(b.status != FH_INTERNAL && b.status != FH_LIMIT && b.status != FH_NO_MEMORY,
                 "word %zu as %08x: status %d", i, values[k], (int)b.status);
            hold_findings(&b, file.len);
        }
        set_word(&file, i, old);
    }
    forge_buf_free(&file);
    bench_close(&b);
}

/* ---- work and memory --------------------------------------------------------------------------
 */

Test(hmd_structure, work_that_ends_anywhere_is_told)
{
    bench b;
    open_bench(&b);
    forge_buf file = build(TRIANGLE);
    verify(&b, file.data, file.len);
    const uint64_t spent = FH_BUDGET_FLOOR + FH_BUDGET_PER_BYTE * file.len - b.budget.left;
    for (uint64_t budget = 0; budget <= spent; budget++) {
        record_free(&b.verify);
        b.arena = fh_arena_make(b.block, BENCH_ARENA);
        b.budget.left = budget;
        const fh_sink sink = record_sink(&b.verify);
        const fh_env env = {&b.arena, &b.budget, &sink};
        b.status =
            b.format->verify(&b.asset, &b.model, &env, fh_cursor_make(file.data, file.len, 0),
                             &(fh_verify_options){true, true});
        const bool is_enough = budget == spent;
        HOLD(b.status == (is_enough ? FH_OK : FH_LIMIT), "%u units of %u: status %d",
             (unsigned)budget, (unsigned)spent, (int)b.status);
        HOLD(record_count(&b.verify, "HMD0297") == (is_enough ? 0 : 1), "%u units: %s",
             (unsigned)budget, record_codes(&b.verify));
    }
    forge_buf_free(&file);
    bench_close(&b);
}

Test(hmd_structure, memory_that_ends_anywhere_is_told)
{
    bench b;
    open_bench(&b);
    forge_buf file = build(TRIANGLE);
    bool was_enough = false;
    for (size_t size = 0; size <= 8192; size += 16) {
        record_free(&b.verify);
        b.arena = fh_arena_make(b.block, size);
        b.budget.left = BENCH_BUDGET;
        const fh_sink sink = record_sink(&b.verify);
        const fh_env env = {&b.arena, &b.budget, &sink};
        b.status =
            b.format->verify(&b.asset, &b.model, &env, fh_cursor_make(file.data, file.len, 0),
                             &(fh_verify_options){true, true});
        HOLD(b.status == FH_OK || (b.status == FH_NO_MEMORY && !was_enough), "%zu bytes: status %d",
             size, (int)b.status);
        was_enough = b.status == FH_OK;
    }
    cr_assert(was_enough);
    forge_buf_free(&file);
    bench_close(&b);
}

/* What takes most memory for a word: primitive headers without arguments. */
Test(hmd_structure, the_densest_tables_fit)
{
    bench b;
    open_bench(&b);
    forge_buf file = build("hmd\nblocks @up 0\ncoordinates\nheaders count=250001\n"
                           "direct: header !images\nzero 1000000\nup: primitive header=@direct\n"
                           "record 0x02000000 640:0 4:4 (pixels-images)\n"
                           "images:\npixels: zero 32\n");
    b.arena = fh_arena_make(b.block, FH_ARENA_FLOOR + FH_ARENA_PER_BYTE * file.len);
    cr_assert(le(sz, b.arena.size, BENCH_ARENA));
    b.budget.left = FH_BUDGET_FLOOR + FH_BUDGET_PER_BYTE * file.len;
    const fh_sink sink = record_sink(&b.verify);
    const fh_env env = {&b.arena, &b.budget, &sink};
    b.status = b.format->verify(&b.asset, &b.model, &env, fh_cursor_make(file.data, file.len, 0),
                                &(fh_verify_options){true, true});
    cr_assert(eq(int, b.status, FH_OK));
    cr_assert(eq(str, (char *)record_find(&b.verify, "HMD0044")->found, "header 1, used by none"));
    cr_assert(eq(sz, record_count(&b.verify, "HMD0044"), FH_MAX_FINDINGS_PER_RULE + 1));
    forge_buf_free(&file);
    bench_close(&b);
}

/* ---- parents ----------------------------------------------------------------------------------
 */

Test(hmd_structure, parents_may_be_thousands_deep_or_go_round)
{
    bench b;
    open_bench(&b);
    verify_text(&b, "hmd\nblocks 0 @model\nrepeat 5000\nblocks 0\nendrepeat\n"
                    "coords: coordinates\nunit t 0 0 0\nrepeat 4999\nunit parent=$\nendrepeat\n"
                    "unit t 0 0 0 parent=5000\n" HEADERS MODEL PACKET VERTICES NORMALS);
    cr_assert(eq(int, b.status, FH_OK));
    cr_assert(eq(int, b.asset.grade, FH_GRADE_STRUCTURE));
    cr_assert(eq(str, (char *)record_find(&b.verify, "HMD0025")->found, "100"));
    cr_assert(eq(i64, record_find(&b.verify, "HMD0025")->object, 99));
    cr_assert(eq(str, (char *)record_find(&b.verify, "HMD0024")->found, "5000, 5000"));

    verify_text(
        &b, "hmd\nblocks 0 @model 0 0 0\ncoords: coordinates\nunit t 0 0 0 parent=1\n"
            "unit t 0 0 0 parent=2\nunit t 0 0 0 parent=1\n" HEADERS MODEL PACKET VERTICES NORMALS);
    cr_assert(eq(sz, record_count(&b.verify, "HMD0024"), 1));
    cr_assert(eq(str, (char *)record_find(&b.verify, "HMD0024")->found, "1, 2, 1"));
    bench_close(&b);
}

/* ---- chains -----------------------------------------------------------------------------------
 */

#define FOUR "hmd\nblocks %s\ncoords: coordinates\nunit t 0 0 0\nunit t 0 0 0\n" HEADERS
#define FIRST "a: primitive header=@lit next=%s\nrecord 0x00800008 (front-polygons)\n"
#define SECOND "b: primitive header=@lit next=%s\nrecord 0x00000008 (front-polygons)\n"
#define THIRD "c: primitive header=@lit next=%s\nrecord 0x00000008 (front-polygons)\n"
#define REST PACKET VERTICES NORMALS

static void verify_chains(bench *b, const char *blocks, const char *a, const char *second,
                          const char *c)
{
    char text[1024];
    const int len = snprintf(text, sizeof text, FOUR FIRST SECOND THIRD REST, blocks, a, second, c);
    HOLD(len > 0 && (size_t)len < sizeof text, "text is too long");
    verify_text(b, text);
}

/* Primitives at 0xdc, 0xf4 and 0x10c. */
Test(hmd_structure, a_tail_of_two_chains_is_no_cycle)
{
    bench b;
    open_bench(&b);
    verify_chains(&b, "0 @a @b 0", "@c", "@c", "0xffffffff");
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0011"));
    cr_assert(eq(i64, record_find(&b.verify, "HMD0011")->offset, 0x10c));
    cr_assert(eq(str, (char *)record_find(&b.verify, "HMD0011")->found, "run by blocks 1, 2"));

    verify_chains(&b, "0 @a @c 0", "@b", "@c", "0xffffffff");
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0011"));
    cr_assert(eq(i64, record_find(&b.verify, "HMD0011")->offset, 0x10c));
    bench_close(&b);
}

Test(hmd_structure, a_cycle_is_one_from_wherever_it_is_entered)
{
    bench b;
    open_bench(&b);
    verify_chains(&b, "0 @a 0 0", "@b", "@c", "@b");
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0052"));
    cr_assert(eq(str, (char *)record_find(&b.verify, "HMD0052")->found, "0xf4, 0x10c, 0xf4"));
    cr_assert(eq(int, b.status, FH_CORRUPT));

    verify_chains(&b, "0 @a @c 0", "@b", "@c", "@b");
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0052 0011"));
    cr_assert(eq(sz, record_count(&b.verify, "HMD0052"), 1));
    bench_close(&b);
}

Test(hmd_structure, a_chain_is_judged_for_each_block_that_runs_it)
{
    bench b;
    open_bench(&b);
    verify_chains(&b, "0 @a 0 @c", "@b", "@c", "0xffffffff");
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0011 0071"));
    cr_assert(eq(sz, record_count(&b.verify, "HMD0071"), 1));
    const fh_finding *block = record_find(&b.verify, "HMD0071");
    cr_assert(eq(i64, block->offset, 0x118));
    cr_assert(eq(str, (char *)block->found, "3"));
    cr_assert(strncmp(block->context, "block 3, ", 9) == 0);
    bench_close(&b);
}

/* ---- the end ----------------------------------------------------------------------------------
 */

/* Three vertices, three normals that are used, two polygons; then what such an exporter adds. */
#define UNUSED(more)                                                                               \
    FRONT HEADERS "model: primitive header=@lit\nrecord 0x00800008 (front-polygons) count=3\n"     \
                  "polygons:\nfront: packet 0x008 rgb 1 2 3 n 0 v 0 1 2\n"                         \
                  "packet 0x008 rgb 1 2 3 n 1 v 0 1 2\npacket 0x008 rgb 1 2 3 n 2 v 0 1 2\n"       \
                  "vertices:\nvec -9 -9 0\nvec 9 -9 0\nvec -9 9 0\nnormals:\nvec 0 0 -4096\n"      \
                  "vec 0 0 4096\nvec 0 4096 0\n" more
enum { UNUSED_LEN = 4 * TRIANGLE_WORDS + 2 * 12 + 2 * 8 };

static size_t length_of(bench *b, const char *text)
{
    forge_buf file = build(text);
    const fh_probe found = search(b, file.data, file.len);
    verify(b, file.data, file.len);
    cr_assert(eq(int, found.verdict, FH_ACCEPT));
    cr_assert(eq(sz, found.length, b->asset.length));
    forge_buf_free(&file);
    return found.length;
}

Test(hmd_structure, normals_of_polygons_end_the_file)
{
    bench b;
    open_bench(&b);
    cr_assert(eq(sz, length_of(&b, UNUSED("")), UNUSED_LEN));
    /* As many as there are polygons, whatever follows; components that were cut are a bit short. */
    cr_assert(eq(sz, length_of(&b, UNUSED("vec 4096 0 0\nvec 2364 2364 2364\nvec 0 0 0\nzero 64")),
                 UNUSED_LEN + 24));
    cr_assert(eq(sz, length_of(&b, UNUSED("vec 0 0 0\nvec 0 0 0\nvec 4096 0 0\nvec 4096 0 0")),
                 UNUSED_LEN + 24));
    /* Fewer: the last that is one. */
    cr_assert(
        eq(sz, length_of(&b, UNUSED("vec 4096 0 0\nvec 0 0 0\nword 1 2 3 4 5 6")), UNUSED_LEN + 8));
    /* None that is one: zeros, another length, a pad. */
    cr_assert(eq(sz, length_of(&b, UNUSED("zero 64")), UNUSED_LEN));
    cr_assert(eq(sz, length_of(&b, UNUSED("vec 4093 0 0\nzero 64")), UNUSED_LEN));
    cr_assert(eq(sz, length_of(&b, UNUSED("vec 4098 0 0\nzero 64")), UNUSED_LEN));
    cr_assert(eq(sz, length_of(&b, UNUSED("vec 4096 0 0 pad=1\nzero 64")), UNUSED_LEN));
    bench_close(&b);
}

/* Three vertices and a polygon without light calculation: four normals, none of which is used. */
#define UNLIT(more)                                                                                \
    FRONT HEADERS "model: primitive header=@lit\nrecord 0x00840048 (front-polygons)\n"             \
                  "polygons:\nfront: packet 0x048 rgb 1 2 3 v 0 1 2\n" VERTICES "normals:\n" more
enum { UNLIT_LEN = 4 * (TRIANGLE_WORDS - 2) };

Test(hmd_structure, normals_that_nobody_uses_end_the_file)
{
    bench b;
    open_bench(&b);
    cr_assert(eq(sz, length_of(&b, UNLIT("")), UNLIT_LEN));
    cr_assert(eq(sz, length_of(&b, UNLIT("repeat 5\n vec 0 4096 0\nendrepeat\n")), UNLIT_LEN + 32));
    cr_assert(eq(sz, length_of(&b, UNLIT("vec 0 0 0\nvec 4096 0 0\nvec 2364 2364 2364\nzero 64")),
                 UNLIT_LEN + 32));
    cr_assert(eq(sz, length_of(&b, UNLIT("vec 4096 0 0\nword 1 2 3 4 5 6")), UNLIT_LEN + 8));
    cr_assert(eq(sz, length_of(&b, UNLIT("zero 64")), UNLIT_LEN));
    cr_assert(eq(sz, length_of(&b, UNLIT("vec 4098 0 0\nzero 64")), UNLIT_LEN));
    (void)length_of(&b, UNLIT("repeat 4\n vec 0 4096 0\nendrepeat\n"));
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0180"));
    bench_close(&b);
}

Test(hmd_structure, unused_normals_are_told_as_such)
{
    bench b;
    open_bench(&b);
    (void)length_of(&b, UNUSED("vec 4096 0 0\nvec 0 4096 0\nvec 0 0 0"));
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0180"));
    cr_assert(eq(i64, record_find(&b.verify, "HMD0180")->offset, UNUSED_LEN));
    cr_assert(eq(str, (char *)record_find(&b.verify, "HMD0180")->found, "24 bytes in 1 range"));
    bench_close(&b);
}

/* One finding, however many there are. */
Test(hmd_structure, two_gaps_are_told_once)
{
    bench b;
    open_bench(&b);
    verify_text(&b, FRONT HEADERS MODEL PACKET "word 1\n" VERTICES "word 2 3\n" NORMALS);
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0180"));
    cr_assert(eq(str, (char *)record_find(&b.verify, "HMD0180")->found,
                 "12 bytes in 2 ranges, the first here"));
    bench_close(&b);
}

/* ---- what lies behind the end ---- */

/* Of a run that no asset can hold, only the beginning is the asset's; what is read behind it must
 * not be looked up in tables that end there. What the arena held before shows if it is. */
Test(hmd_structure, packets_behind_the_end_are_in_no_table)
{
    static const char text[] = FRONT HEADERS
        "model: primitive header=@lit\nrecord 0x0080001c (mesh-polygons) count=1\n" VERTICES NORMALS
        "polygons:\nmesh: word 0xffffffff\n";
    enum { MORE_WORDS = 4096 };
    forge_buf file = build(text);
    const size_t len = file.len + 4 * MORE_WORDS;
    uint8_t *longer = calloc(1, len);
    HOLD(longer != NULL, "the test is out of memory");
    memcpy(longer, file.data, file.len);
    for (int fill = 0; fill < 2; fill++) {
        bench b;
        open_bench(&b);
        memset(b.block, fill == 0 ? 0 : 0x81, BENCH_ARENA);
        verify(&b, longer, len);
        HOLD(b.status == FH_OK && b.asset.length < len, "length %zu", b.asset.length);
        HOLD(record_count(&b.verify, "HMD0083") == 1, "HMD0083");
        HOLD(record_count(&b.verify, "HMD0087") == 0, "HMD0087 with %d in the arena", fill);
        bench_close(&b);
    }
    free(longer);
    forge_buf_free(&file);
}

/* ---- work ---- */

/* Of the work that a scan grants to an asset its verification takes a part, whatever it says. */
Test(hmd_structure, a_verification_takes_a_part_of_the_work)
{
    bench b;
    open_bench(&b);
    forge_buf file =
        build(FRONT HEADERS
              "model: primitive header=@lit\n"
              "repeat 4000\nrecord 0x00000008 (front-polygons) count=4000\nendrepeat\n"
              "polygons:\nfront: packet 0x008 rgb 1 2 3 n 0 v 0 1 2\n"
              "repeat 3999\npacket 0x008 rgb 1 2 3 n 0 v 0 1 2\nendrepeat\n" VERTICES NORMALS);
    verify(&b, file.data, file.len);
    const uint64_t granted = FH_BUDGET_FLOOR + FH_BUDGET_PER_BYTE * file.len;
    const uint64_t look = FH_LOOK_BUDGET_FLOOR + FH_LOOK_BUDGET_PER_BYTE * file.len;
    HOLD(b.status == FH_LIMIT && record_count(&b.verify, "HMD0297") == 1, "the limit is told");
    HOLD(granted - b.budget.left == look, "%llu units", (unsigned long long)b.budget.left);
    forge_buf_free(&file);
    bench_close(&b);
}
