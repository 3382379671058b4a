/* What is told of HMD in memory where a value lies right at its bound: the dance, and files of the
 * corpus, as a program has made them, with a word or two changed.
 */
#include "hmd_edges.h"

#include "hmd/hmd_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many findings of a rule there are, and what the first of a field says that was found. */
static void hold(const verdict *is, const char *code, size_t num)
{
    cr_expect(eq(sz, record_count(&is->run.told, code), num), "%s", record_codes(&is->run.told));
}

static const fh_finding *find_field(const verdict *is, const char *code, const char *field)
{
    for (size_t i = 0; i < is->run.told.num_findings; i++) {
        const fh_finding *at = &is->run.told.findings[i];
        if (strcmp(at->rule->code, code) == 0 && strcmp(at->field, field) == 0) {
            return at;
        }
    }
    return NULL;
}

static uint32_t word_of(const verdict *is, size_t off)
{
    return get(&is->file, off);
}

/* The file again, after a change by the test itself. */
static void look_again(verdict *of)
{
    record_free(&of->run.told);
    do_run(&of->run, &of->file, BENCH_BUDGET, BENCH_ARENA);
}

/* The dance with two places changed, and something behind it; in a static buffer. */
static const char *changed(const char *from, const char *to, const char *other, const char *by,
                           const char *tail)
{
    static char text[4096];
    const char *first = strstr(dance, from);
    const char *second = strstr(dance, other);
    cr_assert(first != NULL && second != NULL && first < second);
    const char *between = first + strlen(from);
    (void)snprintf(text, sizeof text, "%.*s%s%.*s%s%s%s", (int)(first - dance), dance, to,
                   (int)(second - between), between, by, second + strlen(other), tail);
    return text;
}

static uint32_t address(size_t word)
{
    return (uint32_t)(BASE + 4 * word);
}

/* ---- how far the program has come ---- */

static void flag_all_counts(forge_buf *file)
{
    const size_t body = find_word(file, 0x00800008) - 3;
    const size_t moves = find_word(file, 0x03800000) - 3;
    put(file, body + 2, get(file, body + 2) | HMD_MSB);
    put(file, moves + 2, get(file, moves + 2) | HMD_MSB);
}

/* The library maps primitives last of all: where it has not come to them, all their flags are still
 * there, and none is done. */
Test(hmd_told_memory, no_type_count_is_mapped)
{
    verdict is = judge(dance, FORGE_HMD_MAPPED, flag_all_counts);
    const fh_finding *at = find_field(&is, "HMD0173", "type counts mapped");
    cr_assert(at != NULL, "%s", record_codes(&is.run.told));
    cr_expect(eq(str, (char *)at->found, "0 done, 2 not"));
    cr_expect(find_field(&is, "HMD0173", "pointers mapped") == NULL);
    judge_end(&is);
}

/* The stage is told as soon as all its marks are known, and never some of them. */
Test(hmd_told_memory, no_mark_is_missing_whatever_the_work)
{
    verdict is = judge(dance, FORGE_HMD_COORDINATES, NULL);
    const uint64_t all = is.run.spent;
    for (uint64_t budget = 0; budget < all; budget += 1 + all / 2000) {
        run got;
        do_run(&got, &is.file, budget, BENCH_ARENA);
        const char *missing = got.asset.in_memory.missing;
        HOLD(missing[0] == 0, "with %llu: %s", (unsigned long long)budget, missing);
        record_free(&got.told);
    }
    judge_end(&is);
}

/* ---- pointers ---- */

static void super_behind_ram(forge_buf *file)
{
    put(file, 4 + 3 + 1 + HMD_SUPER_WORD, 0x80800000);
}

static void super_in_ram(forge_buf *file)
{
    put(file, 4 + 3 + 1 + HMD_SUPER_WORD, 0x807ffffc);
}

Test(hmd_told_memory, a_parent_at_the_end_of_the_ram)
{
    verdict is = judge(dance, FORGE_HMD_COORDINATES, super_behind_ram);
    hold(&is, "HMD0171", 1);
    judge_end(&is);
    is = judge(dance, FORGE_HMD_COORDINATES, super_in_ram);
    hold(&is, "HMD0171", 0);
    judge_end(&is);
}

/* An asset that ends with the RAM, and an empty section at its end: the pointer to it is sound; one
 * that leads farther is not. */
Test(hmd_told_memory, an_empty_section_at_the_end_of_the_ram)
{
    forge_buf file = build("hmd\nblocks 0 @body 0\ncoords: coordinates\nunit\nheaders\n"
                           "plain: header !polygons !vertices !normals !coords\n"
                           "body: primitive header=@plain\nrecord 0x00840048 (one-polygons)\n"
                           "polygons:\none: packet 0x048 rgb 255 0 0 v 0 1 2\n"
                           "vertices:\nvec -100 0 0\nvec 100 0 0\nvec 0 -100 0\nnormals:\n");
    const uint32_t base = 0x80800000 - (uint32_t)file.len;
    const forge_hmd_memory memory = {.base = base, .stage = FORGE_HMD_MAPPED};
    forge_error err = {0};
    cr_assert(forge_hmd_map(file.data, &err, file.len, &memory), "%s", err.text);
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (unsigned farther = 0; farther < 2; farther++) {
        run got;
        put(&file, 4 + 3 + 1 + HMD_UNIT_WORDS + 1 + 3, 0x80800000 + 4 * farther);
        do_run(&got, &file, BENCH_BUDGET, BENCH_ARENA);
        cr_expect(eq(sz, record_count(&got.told, "HMD0171"), farther), "%s",
                  record_codes(&got.told));
        record_free(&got.told);
    }
    forge_buf_free(&file);
    free(block);
}

/* Pointers into an asset outside of the RAM: one speaks for all. */
Test(hmd_told_memory, an_asset_outside_of_the_ram)
{
    forge_buf file = build(dance);
    const forge_hmd_memory memory = {.base = 0x80900000, .stage = FORGE_HMD_MAPPED};
    forge_error err = {0};
    run got;
    cr_assert(forge_hmd_map(file.data, &err, file.len, &memory), "%s", err.text);
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    do_run(&got, &file, BENCH_BUDGET, BENCH_ARENA);
    cr_expect(eq(sz, record_count(&got.told, "HMD0171"), 1), "%s", record_codes(&got.told));
    record_free(&got.told);
    forge_buf_free(&file);
    free(block);
}

static void texture_before_the_asset(forge_buf *file)
{
    const size_t header = find_word(file, 14); /* of the maps: words, then arguments from 0 on */
    put(file, header + 1 + 4, 0x80100000);
}

/* It leads to no position that could be wrong: it leads nowhere. */
Test(hmd_told_memory, a_texture_before_the_asset)
{
    verdict is = judge(load("good-envmap.forge"), FORGE_HMD_MAPPED, texture_before_the_asset);
    hold(&is, "HMD0041", 1);
    hold(&is, "HMD0152", 0);
    judge_end(&is);
}

/* ---- records ---- */

static void packets_behind_the_data(forge_buf *file)
{
    const size_t count = find_word(file, 0x00010002); /* and size */
    put(file, count, 0x03e80002);
    put(file, count + 1, 3);
}

/* Whatever type the driver's address stands for, packets behind the last word are not there. */
Test(hmd_told_memory, polygons_of_any_type_are_cut)
{
    const char *text =
        changed("polygons:\n", "", "triangle: packet 0x008 rgb 255 0 0 n 0 v 0 1 2\n", "",
                "polygons:\ntriangle: packet 0x008 rgb 255 0 0 n 0 v 0 1 2\n");
    verdict is = judge(text, FORGE_HMD_SCANNED, packets_behind_the_data);
    cr_expect(find_field(&is, "HMD0083", "data of any type that fits") != NULL, "%s",
              record_codes(&is.run.told));
    judge_end(&is);
}

/* The running id of a sequence was set by somebody, though no start has it. */
Test(hmd_told_memory, the_running_id_of_a_sequence)
{
    const char *text = changed("start=(sway-control)\n", "start=(sway-control) sid=5\n",
                               "jump to=(sway_on-control)", "jump to=(sway_on-control) cnd=5", "");
    verdict is = judge(text, FORGE_HMD_PLAYING, NULL);
    hold(&is, "HMD0249", 0);
    judge_end(&is);
    is = judge(text, AS_FILE, NULL);
    hold(&is, "HMD0249", 1);
    judge_end(&is);
}

/* ---- weights ---- */

static size_t vertex_header(const forge_buf *file)
{
    size_t id = 0; /* behind the weights and their number, 2 */
    while (get(file, id) != 2 || get(file, id + 1) != 3) {
        id++;
    }
    return id - 1;
}

static void no_weights_at_the_end(forge_buf *file)
{
    put(file, vertex_header(file), address(file->len / 4));
    put(file, vertex_header(file) + 1, 0);
}

static void many_weights_at_the_end(forge_buf *file)
{
    put(file, vertex_header(file), address(file->len / 4));
    put(file, vertex_header(file) + 1, 33);
}

static void weights_elsewhere(forge_buf *file)
{
    put(file, vertex_header(file), address(file->len / 4 + 1));
}

/* Weights in the asset or right behind it are the file's: they may be cut off, but are not the
 * program's. */
Test(hmd_told_memory, whose_weights_they_are)
{
    char *text = load("good-mime.forge");
    verdict is = judge(text, FORGE_HMD_MAPPED, NULL);
    hold(&is, "HMD0131", 0);
    judge_end(&is);
    is = judge(text, FORGE_HMD_MAPPED, no_weights_at_the_end);
    hold(&is, "HMD0131", 0);
    judge_end(&is);
    is = judge(text, FORGE_HMD_MAPPED, many_weights_at_the_end);
    hold(&is, "HMD0131", 0);
    hold(&is, "HMD0130", 1);
    judge_end(&is);
    is = judge(text, FORGE_HMD_MAPPED, weights_elsewhere);
    hold(&is, "HMD0131", 1);
    hold(&is, "HMD0130", 0);
    judge_end(&is);
}

/* ---- histories ---- */

/* A spline whose work area has zeros around it. */
static const char *spline(void)
{
    static char text[1 << 14];
    const char *all = load("HMD0262.good.forge");
    const char *at = strstr(all, "history: zero 16\n");
    cr_assert(at != NULL);
    (void)snprintf(text, sizeof text, "%.*szero 16\nhistory: zero 16\nzero 16\n%s", (int)(at - all),
                   all, at + strlen("history: zero 16\n"));
    return text;
}

/* The word of the first key, behind 12 words that are 0: the one with 0 0 1000. */
static size_t first_key(const verdict *is)
{
    size_t num_zeros = 0;
    size_t word = 0;
    while (num_zeros < 14 || word_of(is, word) != 1000) {
        num_zeros = word_of(is, word) == 0 ? num_zeros + 1 : 0;
        word++;
    }
    return word - 2;
}

Test(hmd_told_memory, what_stands_in_a_history)
{
    static const struct {
        size_t word; /* of the area of 4 */
        uint32_t mask, other;
        size_t num_of_295, num_of_296;
    } rows[] = {
        {0, UINT32_MAX, 0, 1, 0},          {3, UINT32_MAX, 0, 1, 0},
        {3, 0x1fffffff, 0x40000000, 1, 1}, /* no segment of the main memory */
        {2, UINT32_MAX, 1, 1, 1},          /* no word */
        {4, UINT32_MAX, 0, 0, 0},          /* behind it */
    };
    verdict is = judge(spline(), FORGE_HMD_COORDINATES, NULL);
    const size_t key = first_key(&is);
    const uint64_t spent = is.run.spent;
    hold(&is, "HMD0295", 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        put(&is.file, key - 8 + rows[i].word, (address(key) & rows[i].mask) | rows[i].other);
        look_again(&is);
        cr_expect(eq(sz, record_count(&is.run.told, "HMD0295"), rows[i].num_of_295), "row %zu: %s",
                  i, record_codes(&is.run.told));
        cr_expect(eq(sz, record_count(&is.run.told, "HMD0296"), rows[i].num_of_296), "row %zu: %s",
                  i, record_codes(&is.run.told));
        cr_expect(rows[i].num_of_295 > 0 || is.run.spent == spent, "row %zu", i);
        put(&is.file, key - 8 + rows[i].word, 0);
    }
    judge_end(&is);
}

static void start_behind_the_last_descriptor(forge_buf *file)
{
    const size_t sequence = find_word(file, 0x00010007) - 1; /* num and size */
    put(file, sequence + 6, 4);
}

/* A key that looks like a WORK and stands behind the descriptors is no descriptor. */
Test(hmd_told_memory, a_start_behind_the_last_descriptor)
{
    verdict is = judge(dance, FORGE_HMD_PLAYING, start_behind_the_last_descriptor);
    hold(&is, "HMD0229", 1);
    hold(&is, "HMD0295", 0);
    judge_end(&is);
}
