#include "forge/hmd.h"
#include "forge/hmd_script.h"

#include <stdlib.h>
#include <string.h>

/* ---- short forms ---- */

bool forge_hmd_put_next(forge_hmd_script *s, forge_range range, unsigned width)
{
    forge_operand value;
    return forge_asm_operand(&s->as, range, &value) && forge_asm_put(&s->as, &value, width);
}

bool forge_hmd_put_option(forge_hmd_script *s, forge_range range, int64_t value, unsigned width)
{
    forge_operand operand = forge_operand_number(range, value);
    return forge_asm_option(&s->as, range, &operand, NULL) &&
           forge_asm_put(&s->as, &operand, width);
}

bool forge_hmd_put_numbers(forge_hmd_script *s, forge_range range, size_t num, unsigned width)
{
    for (size_t i = 0; i < num; i++) {
        if (!forge_hmd_put_next(s, range, width)) {
            return false;
        }
    }
    return true;
}

/* ---- raw data ---- */

static bool put_some(forge_hmd_script *s, forge_range range, unsigned width)
{
    do {
        if (!forge_hmd_put_next(s, range, width)) {
            return false;
        }
    } while (forge_line_peek(&s->as.line) != NULL);
    return forge_line_end(&s->as.line);
}

static bool do_word(forge_hmd_script *s)
{
    return put_some(s, forge_word_range("word"), 4);
}

static bool do_half(forge_hmd_script *s)
{
    return put_some(s, forge_half_range("half"), 2);
}

static bool do_byte(forge_hmd_script *s)
{
    return put_some(s, forge_range_of("byte", INT8_MIN, UINT8_MAX), 1);
}

static bool read_len(forge_hmd_script *s, int64_t *num)
{
    return forge_line_number(&s->as.line, forge_range_of("number of bytes", 0, FORGE_HMD_LIMIT),
                             num) &&
           forge_line_end(&s->as.line);
}

static bool do_zero(forge_hmd_script *s)
{
    int64_t num = 0;
    if (!read_len(s, &num)) {
        return false;
    }
    forge_buf_fill(&s->as.out, 0, (size_t)num);
    return true;
}

static bool do_align(forge_hmd_script *s)
{
    forge_buf_fill(&s->as.out, 0, (4 - s->as.out.len % 4) % 4);
    return forge_line_end(&s->as.line);
}

static bool do_patch(forge_hmd_script *s)
{
    forge_operand place;
    forge_operand value;
    return forge_asm_operand(&s->as, forge_range_of("place", 0, FORGE_HMD_LIMIT / 4), &place) &&
           forge_asm_operand(&s->as, forge_word_range("word"), &value) &&
           forge_line_end(&s->as.line) && forge_asm_patch(&s->as, &place, &value);
}

static bool do_cut(forge_hmd_script *s)
{
    int64_t num = 0;
    s->cut_keeps = forge_line_accept(&s->as.line, "to");
    if (!forge_repeat_outside(&s->repeat, &s->as.line, "cut") || !read_len(s, &num)) {
        return false;
    }
    if ((size_t)num > s->as.out.len) {
        return forge_line_fail(&s->as.line, "the file is shorter than that");
    }
    s->has_cut = true;
    s->cut_len = s->cut_keeps ? (size_t)num : s->as.out.len - (size_t)num;
    return true;
}

static bool do_repeat(forge_hmd_script *s)
{
    return forge_repeat_begin(&s->repeat, &s->as.line, s->pos);
}

static bool do_endrepeat(forge_hmd_script *s)
{
    return forge_repeat_end(&s->repeat, &s->as.line, &s->pos);
}

static const forge_hmd_statement raw[] = {
    {"word", FORGE_ANYWHERE, FORGE_AT_DATA, do_word},
    {"half", FORGE_ANYWHERE, FORGE_AT_DATA, do_half},
    {"byte", FORGE_ANYWHERE, FORGE_AT_DATA, do_byte},
    {"zero", FORGE_ANYWHERE, FORGE_AT_DATA, do_zero},
    {"align", FORGE_ANYWHERE, FORGE_AT_DATA, do_align},
    {"patch", FORGE_ANYWHERE, FORGE_KEEP, do_patch},
    {"cut", FORGE_ANYWHERE, FORGE_AT_CUT, do_cut},
    {"repeat", FORGE_ANYWHERE, FORGE_KEEP, do_repeat},
    {"endrepeat", FORGE_ANYWHERE, FORGE_KEEP, do_endrepeat},
};

static const forge_hmd_statements raw_statements = {raw, sizeof raw / sizeof raw[0]};

/* ---- statements ---- */

static const forge_hmd_statement *find_in(const forge_hmd_statements *table, const forge_word *name)
{
    for (size_t i = 0; i < table->num; i++) {
        if (forge_word_is(name, table->list[i].name)) {
            return &table->list[i];
        }
    }
    return NULL;
}

static const forge_hmd_statement *find_statement(const forge_word *name)
{
    const forge_hmd_statements *tables[] = {&raw_statements, &forge_hmd_frame, &forge_hmd_shapes,
                                            &forge_hmd_motion, &forge_hmd_objects};
    const forge_hmd_statement *found = NULL;
    for (size_t i = 0; found == NULL && i < sizeof tables / sizeof tables[0]; i++) {
        found = find_in(tables[i], name);
    }
    return found;
}

/* The statement that opens a place, for messages. */
typedef struct opener {
    unsigned place;
    const char *name;
} opener;

static const opener openers[] = {
    {FORGE_AT_BLOCKS, "hmd"},      {FORGE_AT_UNITS, "coordinates"},
    {FORGE_AT_HEADERS, "headers"}, {FORGE_AT_PRIMITIVE, "primitive"},
    {FORGE_AT_RECORD, "record"},   {FORGE_AT_SEQUENCE, "sequence"},
    {FORGE_AT_MESH, "mesh"},       {FORGE_AT_JOINT, "joint"},
    {FORGE_AT_SHAPE, "shape"},     {FORGE_AT_RESETS, "resets"},
    {FORGE_AT_GROUND, "ground"},
};

static bool misplaced(forge_hmd_script *s, const forge_hmd_statement *what)
{
    if (s->place == FORGE_AT_BEGIN) {
        return forge_line_fail(&s->as.line, "'%s' before the header, expected 'hmd' first",
                               what->name);
    }
    if (s->place == FORGE_AT_CUT) {
        return forge_line_fail(&s->as.line, "'%s' behind cut, expected the end of the description",
                               what->name);
    }
    for (size_t i = 0; i < sizeof openers / sizeof openers[0]; i++) {
        if ((what->where & openers[i].place) != 0) {
            return forge_line_fail(&s->as.line, "'%s' stands directly behind '%s' and its lines",
                                   what->name, openers[i].name);
        }
    }
    return forge_line_fail(&s->as.line, "'%s' again: a description has one header", what->name);
}

static bool buffer_is_well(forge_hmd_script *s)
{
    if (s->as.out.state == FORGE_BUF_FULL) {
        return forge_line_fail(&s->as.line, "the file grows past the output limit of %zu bytes",
                               s->limit);
    }
    return s->as.out.state == FORGE_BUF_OK ||
           forge_fail(s->as.line.err, FORGE_IO, s->as.line.number, "out of memory");
}

/* `name:` in front of a statement, or alone. */
static bool take_label(forge_hmd_script *s)
{
    const forge_word *word = forge_line_peek(&s->as.line);
    if (word->quoted || word->len == 0 || word->at[word->len - 1] != ':') {
        return true;
    }
    (void)forge_line_next(&s->as.line);
    if (s->place == FORGE_AT_BEGIN || s->place == FORGE_AT_CUT) {
        return forge_line_fail(&s->as.line, "a label stands between 'hmd' and the end");
    }
    return forge_asm_place(&s->as, word->at, word->len - 1);
}

static bool run_statement(forge_hmd_script *s)
{
    const forge_word *name = forge_line_next(&s->as.line);
    if (name == NULL) {
        return forge_line_end(&s->as.line);
    }
    const forge_hmd_statement *what = find_statement(name);
    if (what == NULL) {
        return forge_line_fail(&s->as.line,
                               "'%.*s' is unknown, expected a statement such as hmd, primitive, "
                               "record or word",
                               forge_word_width(name), name->at);
    }
    if ((what->where & s->place) == 0) {
        return misplaced(s, what);
    }
    if (!what->run(s) || !buffer_is_well(s)) {
        return false;
    }
    s->place = what->moves_to == FORGE_KEEP ? s->place : what->moves_to;
    return true;
}

static bool step(forge_hmd_script *s)
{
    if (!forge_repeat_step(&s->repeat, &s->as.line) ||
        !forge_line_read(&s->as.line, s->text, s->len, &s->pos)) {
        return false;
    }
    return s->as.line.num_words == 0 || (take_label(s) && run_statement(s));
}

static bool finish(forge_hmd_script *s)
{
    if (!forge_repeat_closed(&s->repeat, &s->as.line)) {
        return false;
    }
    if (s->place == FORGE_AT_BEGIN) {
        return forge_line_fail(&s->as.line, "nothing is described, expected 'hmd' first");
    }
    if (!forge_asm_finish(&s->as)) {
        return false;
    }
    s->as.out.len = s->has_cut ? s->cut_len : s->as.out.len;
    return true;
}

bool forge_hmd_text(forge_buf *out, forge_error *err, const char *text, size_t len, size_t limit)
{
    *out = forge_buf_make(limit);
    forge_hmd_script *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return forge_fail(err, FORGE_IO, 0, "out of memory");
    }
    s->as.out = *out;
    s->as.line.err = err;
    s->text = text;
    s->len = len;
    s->limit = limit;
    s->place = FORGE_AT_BEGIN;
    bool ok = true;
    while (ok && s->pos < len) {
        ok = step(s);
    }
    ok = ok && finish(s);
    *out = s->as.out;
    forge_asm_free(&s->as);
    free(s);
    return ok;
}
