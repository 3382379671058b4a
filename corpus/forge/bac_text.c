#include "forge/bac_text.h"

#include "forge/line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BONES = 4096 };

/* Two passes over the description: the first learns the depths of all bones, which say who has a
 * child or a brother, the second writes. */
typedef struct script {
    forge_buf *out;
    const char *text;
    size_t len;
    bool is_writing;
    bool is_begun;
    bool is_in_figure;
    bool is_in_bones;
    int64_t depths[MAX_BONES];
    size_t num_bones; /* of the first pass */
    size_t bone;      /* the next one of this pass */
    forge_line line;
} script;

/* ---- output ---- */

static void put_len(script *s, const char *text, size_t len)
{
    if (s->is_writing) {
        forge_buf_bytes(s->out, text, len);
    }
}

static void put(script *s, const char *text)
{
    put_len(s, text, strlen(text));
}

/* A word, in its quotes if it has them. */
static void put_word(script *s, const forge_word *word)
{
    put(s, word->quoted ? " \"" : " ");
    put_len(s, word->at, word->len);
    put(s, word->quoted ? "\"" : "");
}

static void end_bones(script *s)
{
    put(s, s->is_in_bones ? "  )\n" : "");
    s->is_in_bones = false;
}

static void end_figure(script *s)
{
    end_bones(s);
    put(s, s->is_in_figure ? ")\n" : "");
    s->is_in_figure = false;
}

/* ---- statements ---- */

static bool do_bac(script *s)
{
    if (s->is_begun) {
        return forge_line_fail(&s->line, "'bac' stands only at the beginning");
    }
    s->is_begun = true;
    return true;
}

static bool do_magic(script *s)
{
    const forge_word *word = forge_line_next(&s->line);
    put(s, ";BAC");
    if (word != NULL) {
        put_len(s, word->at, word->len);
    }
    put(s, "\n");
    return true;
}

static bool do_head(script *s)
{
    const forge_word *word = forge_line_next(&s->line);
    put(s, "( Head\n  ( bacVersion");
    if (word == NULL) {
        put(s, " 6.0");
    } else {
        put_word(s, word);
    }
    put(s, " )\n)\n");
    return true;
}

static bool do_figure(script *s)
{
    end_figure(s);
    put(s, "( Figure\n");
    s->is_in_figure = true;
    return true;
}

/* The first bone behind one that is not below it; the number of bones if there is none. */
static size_t find_next(const script *s, size_t bone)
{
    size_t at = bone + 1;
    while (at < s->num_bones && s->depths[at] > s->depths[bone]) {
        at++;
    }
    return at;
}

static void put_flag(script *s, const char *name, bool value)
{
    forge_word word;
    put(s, " ( ");
    put(s, name);
    if (forge_line_option(&s->line, name, &word)) {
        put_word(s, &word);
    } else {
        put(s, value ? " true" : " false");
    }
    put(s, " )");
}

/* translate, rotate and handle: numbers as they stand, or those of a bone at the origin. */
static bool put_points(script *s, const forge_word *omitted)
{
    static const char *const names[] = {"translate", "rotate", "handle"};
    static const char *const rest[] = {" 0 0 0", " 0 0 1", " 0 1 0"};
    const bool is_given = forge_line_peek(&s->line) != NULL;
    for (size_t i = 0; i < 3; i++) {
        const bool is_left_out = omitted != NULL && forge_word_is(omitted, names[i]);
        const bool was_writing = s->is_writing;
        s->is_writing = was_writing && !is_left_out;
        put(s, " ( ");
        put(s, names[i]);
        put(s, is_given ? "" : rest[i]);
        for (size_t k = 0; k < 3 && is_given; k++) {
            const forge_word *number = forge_line_next(&s->line);
            if (number == NULL) {
                s->is_writing = was_writing;
                return forge_line_fail(&s->line, "a bone has nine numbers, or none");
            }
            put_word(s, number);
        }
        put(s, " )");
        s->is_writing = was_writing;
    }
    return true;
}

static bool do_bone(script *s)
{
    const forge_range range = {.name = "depth", .min = 0, .max = MAX_BONES};
    const forge_word *name = forge_line_next(&s->line);
    forge_word omitted;
    int64_t depth = 0;
    if (name == NULL) {
        return forge_line_fail(&s->line, "a bone has a name and a depth");
    }
    if (!forge_line_number(&s->line, range, &depth)) {
        return false;
    }
    if (s->bone == MAX_BONES) {
        return forge_line_fail(&s->line, "more than %d bones", MAX_BONES);
    }
    const bool is_omitting = forge_line_option(&s->line, "omit", &omitted);
    const size_t index = s->bone++;
    s->depths[index] = depth;
    const size_t after = find_next(s, index);
    put(s, s->is_in_bones ? "" : "  ( Bones\n");
    s->is_in_bones = true;
    put(s, "    ( bone");
    if (!is_omitting || !forge_word_is(&omitted, "name")) {
        put(s, " ( name \"");
        put_len(s, name->at, name->len);
        put(s, "\" )");
    }
    if (!is_omitting || !forge_word_is(&omitted, "hasChild")) {
        put_flag(s, "hasChild", after > index + 1);
    }
    if (!is_omitting || !forge_word_is(&omitted, "hasBrother")) {
        put_flag(s, "hasBrother", after < s->num_bones && s->depths[after] == depth);
    }
    if (!put_points(s, is_omitting ? &omitted : NULL)) {
        return false;
    }
    put(s, " )\n");
    return true;
}

static bool do_groups(script *s)
{
    const forge_range range = {.name = "groups", .min = 0, .max = MAX_BONES};
    int64_t num = 0;
    if (!forge_line_number(&s->line, range, &num)) {
        return false;
    }
    end_bones(s);
    put(s, "  ( DynamicPolygons\n");
    for (int64_t i = 0; i < num; i++) {
        put(s, "    ( group )\n");
    }
    put(s, "  )\n");
    return true;
}

static bool do_words(script *s)
{
    for (const forge_word *word = forge_line_next(&s->line); word != NULL;
         word = forge_line_next(&s->line)) {
        put_word(s, word);
    }
    put(s, "\n");
    return true;
}

static bool do_end(script *s)
{
    end_bones(s);
    return true;
}

static bool do_close(script *s)
{
    end_figure(s);
    return true;
}

static bool do_cut(script *s)
{
    const forge_range range = {.name = "cut", .min = 0, .max = INT32_MAX};
    int64_t num = 0;
    if (!forge_line_number(&s->line, range, &num)) {
        return false;
    }
    s->out->len -= (size_t)num <= s->out->len ? (size_t)num : s->out->len;
    return true;
}

static const struct {
    const char *name;
    bool (*run)(script *s);
} statements[] = {{"bac", do_bac},       {"magic", do_magic}, {"head", do_head},
                  {"figure", do_figure}, {"bone", do_bone},   {"groups", do_groups},
                  {"words", do_words},   {"end", do_end},     {"close", do_close},
                  {"cut", do_cut}};

static bool run_statement(script *s)
{
    const forge_word *name = forge_line_next(&s->line);
    if (name == NULL) {
        return forge_line_end(&s->line);
    }
    if (!s->is_begun && !forge_word_is(name, "bac")) {
        return forge_line_fail(&s->line, "a description begins with 'bac'");
    }
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        if (forge_word_is(name, statements[i].name)) {
            return statements[i].run(s) && (!s->is_writing || forge_line_end(&s->line));
        }
    }
    return forge_line_fail(&s->line,
                           "'%.*s' is unknown, expected a statement such as bone or groups",
                           forge_word_width(name), name->at);
}

static bool run_pass(script *s, bool is_writing)
{
    size_t pos = 0;
    s->is_writing = is_writing;
    s->num_bones = s->bone;
    s->bone = 0;
    s->is_begun = false;
    s->line.number = 0;
    while (pos < s->len) {
        s->line.number++;
        if (!forge_line_read(&s->line, s->text, s->len, &pos) ||
            (s->line.num_words > 0 && !run_statement(s))) {
            return false;
        }
        if (s->out->state == FORGE_BUF_FULL) {
            return forge_line_fail(&s->line, "the output is longer than allowed");
        }
        if (s->out->state != FORGE_BUF_OK) {
            return forge_fail(s->line.err, FORGE_IO, s->line.number, "out of memory");
        }
    }
    if (!s->is_begun) {
        return forge_fail(s->line.err, FORGE_BAD, 0, "the description is empty, expected 'bac'");
    }
    end_figure(s);
    return true;
}

bool forge_bac_text(forge_buf *out, forge_error *err, const char *text, size_t len, size_t limit)
{
    *out = forge_buf_make(limit);
    script *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return forge_fail(err, FORGE_IO, 0, "out of memory");
    }
    s->out = out;
    s->text = text;
    s->len = len;
    s->line.err = err;
    const bool ok = run_pass(s, false) && run_pass(s, true);
    free(s);
    return ok;
}
