/* Results as bytes, where their findings stand, and the ways between folders. */
#include "gate/lines.h"
#include "gate/places.h"
#include "gate/result.h"
#include "gate/result_pack.h"
#include "registry/registry.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- results as bytes ---- */

static fh_result make_result(void)
{
    fh_result result;
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    static const uint8_t bytes[64] = {1, 2, 3};
    cr_assert(fh_rule_tables(tables) > 0 && fh_result_begin(&result, "a.tod"));
    result.format = fh_format_find("tod");
    cr_assert(result.format != NULL);
    result.is_replayed = true;
    result.replay.evaluator = result.format->evaluators[0];
    fh_finding finding = fh_finding_make(&tables[0].rules[0], "a field");
    finding.offset = 20;
    fh_result_add(&result, &finding, fh_cursor_make(bytes, sizeof bytes, 0));
    cr_assert(eq(sz, result.findings[0].excerpt_len, sizeof bytes));
    return result;
}

static fh_packed packed_of(const fh_result *result)
{
    fh_packed out = {0};
    fh_result_pack(&out, result);
    cr_assert(not(out.no_memory));
    return out;
}

/* Whether len of the bytes are a packed result. */
static bool unpacks(const fh_packed *packed, size_t len, fh_result *out)
{
    uint8_t *copy = malloc(len + 1);
    cr_assert(copy != NULL && fh_result_begin(out, "b.tod"));
    memcpy(copy, packed->bytes, len);
    const bool is_one = fh_result_unpack(out, copy, len);
    if (!is_one) {
        cr_expect(out->findings == NULL && out->format == NULL);
        free(copy);
    }
    return is_one;
}

Test(results, come_back_as_they_were)
{
    fh_result result = make_result();
    fh_packed packed = packed_of(&result);
    fh_result back;
    cr_assert(unpacks(&packed, packed.len, &back));
    cr_expect_str_eq(back.path, "b.tod");
    cr_expect(eq(ptr, (void *)(uintptr_t)back.format, (void *)(uintptr_t)result.format));
    cr_assert(eq(sz, back.num_findings, 1));
    cr_expect(eq(i64, back.findings[0].finding.offset, 20));
    cr_expect(memcmp(back.findings[0].excerpt, result.findings[0].excerpt, 64) == 0);
    fh_result_free(&back);
    for (size_t len = 0; len < packed.len; len++) {
        cr_expect(not(unpacks(&packed, len, &back)), "%zu of %zu bytes", len, packed.len);
        fh_result_free(&back);
    }
    fh_put_bytes(&packed, "", 1);
    cr_expect(not(unpacks(&packed, packed.len, &back)));
    fh_result_free(&back);
    free(packed.bytes);
    fh_result_free(&result);
}

static void has_no_evaluator(fh_result *result)
{
    result->replay.evaluator = NULL;
}

static void has_another_format(fh_result *result)
{
    static const fh_format other = {.name = "other"};
    result->format = &other;
}

static void has_its_excerpt_behind(fh_result *result)
{
    result->findings[0].excerpt_offset = 21;
}

static void has_its_excerpt_before_all(fh_result *result)
{
    result->findings[0].excerpt_offset = -1;
}

static void has_a_place_of_no_excerpt(fh_result *result)
{
    result->findings[0].finding.offset = FH_UNKNOWN;
    result->findings[0].excerpt_len = 0;
    result->findings[0].excerpt_offset = 1;
}

static void has_too_high_a_state(fh_result *result)
{
    result->replay.state = (fh_replay_state)(FH_REPLAY_BROKEN + 1);
}

Test(results, that_make_no_sense_are_none)
{
    void (*const changes[])(fh_result *) = {has_no_evaluator,          has_another_format,
                                            has_its_excerpt_behind,    has_its_excerpt_before_all,
                                            has_a_place_of_no_excerpt, has_too_high_a_state};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        fh_result result = make_result();
        fh_result back;
        changes[i](&result);
        fh_packed packed = packed_of(&result);
        cr_expect(not(unpacks(&packed, packed.len, &back)), "%zu", i);
        fh_result_free(&back);
        free(packed.bytes);
        fh_result_free(&result);
    }
}

/* A place that does not lie in the bytes has no excerpt. */
Test(results, without_an_excerpt_are_sound)
{
    fh_result result = make_result();
    fh_result back;
    const fh_finding finding = result.findings[0].finding;
    result.findings[0].excerpt_len = 0;
    result.findings[0].excerpt_offset = 0;
    fh_result_add(&result, &finding, fh_cursor_make((const uint8_t *)"short", 5, 0));
    cr_expect(eq(sz, result.findings[1].excerpt_len, 0));
    fh_packed packed = packed_of(&result);
    cr_expect(unpacks(&packed, packed.len, &back));
    cr_expect(eq(sz, back.num_findings, 2));
    fh_result_free(&back);
    free(packed.bytes);
    fh_result_free(&result);
}

/* ---- lines ---- */

static const struct {
    const char *bytes;
    size_t len;
    int64_t offset;
    uint32_t line;
    uint32_t column;
} spots[] = {
    {"ab\ncd", 5, 4, 2, 2},
    {"ab\r\ncd", 6, 5, 2, 2},
    {"ab\rcd", 5, 3, 2, 1},
    {"ab\ncd", 5, 9, 2, 3}, /* behind the end */
    {"\xff\xfe"
     "a\0\n\0b\0",
     8, 6, 2, 1},
    {"\xfe\xff\0a\0\n\0b", 8, 6, 2, 1},
    {"a\0\n\0b\0", 6, 4, 2, 1},
    {"\0a\0\n\0b", 6, 4, 2, 1},
    {"\xfe"
     "a\nb",
     4, 3, 2, 1}, /* one byte each: no mark */
    {"\xff"
     "a\nb",
     4, 3, 2, 1},
    {"\0\0\nb", 4, 3, 2, 1},
    {"a\0\n\0b", 5, 8, 2, 1}, /* half a letter at the end */
    {"", 0, 0, 1, 1},
};

Test(results, lie_in_lines)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    cr_assert(fh_rule_tables(tables) > 0);
    for (size_t i = 0; i < sizeof spots / sizeof spots[0]; i++) {
        fh_result result;
        const fh_cursor bytes = fh_cursor_make((const uint8_t *)spots[i].bytes, spots[i].len, 0);
        fh_finding finding = fh_finding_make(&tables[0].rules[0], "a field");
        cr_assert(fh_result_begin(&result, "a.lua"));
        fh_result_add(&result, &finding, bytes); /* of no place: no line */
        finding.offset = spots[i].offset;
        fh_result_add(&result, &finding, bytes);
        fh_lines_place(&result, bytes);
        cr_expect(eq(u32, result.findings[0].line, 0));
        cr_expect(eq(u32, result.findings[1].line, spots[i].line), "%zu", i);
        cr_expect(eq(u32, result.findings[1].column, spots[i].column), "%zu", i);
        fh_result_free(&result);
    }
}

/* ---- places ---- */

static const struct {
    const char *folder;
    const char *name;
    const char *path;
} joins[] = {
    {"/a/b", "c", "/a/b/c"},
    {"/a/b", "../c", "/a/c"},
    {"/a/b", "../../c", "/c"},
    {"/a/b", "../../../c", "/c"},
    {"/", "c", "/c"},
    {"/", "../c", "/c"},
    {"/a/b", "/elsewhere/c", "/elsewhere/c"},
};

static const struct {
    const char *folder;
    const char *path;
    const char *way;
} ways[] = {
    {"/a/b", "/a/b/c", "c"},    {"/a/b", "/a/c", "../c"}, {"/a/b", "/c", "../../c"},
    {"/", "/c", "c"},           {"/", "/a/c", "a/c"},     {"/a/b", "/a/bc/d", "../bc/d"},
    {"/a", "/a/b\nc", "b\\nc"},
};

Test(results, lie_in_folders)
{
    char way[FH_PLACE_SIZE];
    for (size_t i = 0; i < sizeof joins / sizeof joins[0]; i++) {
        char *path = fh_place_join(joins[i].folder, joins[i].name);
        cr_assert(path != NULL);
        cr_expect_str_eq(path, joins[i].path, "%s and %s: %s", joins[i].folder, joins[i].name,
                         path);
        free(path);
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        cr_expect(fh_place_below(way, ways[i].folder, ways[i].path));
        cr_expect_str_eq(way, ways[i].way, "from %s to %s: %s", ways[i].folder, ways[i].path, way);
    }
}

Test(results, lie_in_real_folders)
{
    char *here = realpath(".", NULL);
    char *found = fh_folder_of("a");
    cr_assert(here != NULL && found != NULL);
    cr_expect_str_eq(found, here);
    free(found);
    found = fh_folder_of("/a");
    cr_assert(found != NULL);
    cr_expect_str_eq(found, "/");
    free(found);
    cr_expect(eq(ptr, fh_folder_of("/there/is/no/such/folder"), NULL));
    free(here);
}
