#include "tra/tra_repair.h"

#include "core/never.h"
#include "tra/tra_chunk.h"
#include "tra/tra_text.h"

#include <string.h>

/* All keep every value to the last bit, so that nothing moves otherwise. A keyword in the wrong
 * case is read as the right one by our parser, and refused by others. */
const fh_mend tra_mends[TRA_NUM_MENDS] = {
    {&tra_rules[TRA0003], false}, {&tra_rules[TRA0004], false}, {&tra_rules[TRA0013], false},
    {&tra_rules[TRA0014], false}, {&tra_rules[TRA0028], false}, {&tra_rules[TRA0031], false},
    {&tra_rules[TRA0036], false}, {&tra_rules[TRA0045], false}, {&tra_rules[TRA0104], false},
};

enum { DEEPEST = 4, MOST_WORD = 512, LEAST_DECIMALS = 6 };

typedef enum chunk {
    CHUNK_FILE = 0,
    CHUNK_HEAD,
    CHUNK_VERSION,
    CHUNK_FIGURE,
    CHUNK_NAME,
    CHUNK_TOTAL,
    CHUNK_BONE,
    CHUNK_CHANNEL,
    CHUNK_KEY,
    CHUNK_DYNAMIC,
    CHUNK_GROUP_KEY,
    CHUNK_OTHER /* one that nobody knows, and all in it */
} chunk;

/* The grammar: which keywords stand in which chunk, and what kinds of parameters follow them: i an
 * integer, r a number, b true or false, v the version. */
static const struct {
    chunk inside, is;
    const char *keyword;
    const char *parameters;
} grammar[] = {
    {CHUNK_FILE, CHUNK_HEAD, "Head", ""},
    {CHUNK_FILE, CHUNK_FIGURE, "Figure", ""},
    {CHUNK_HEAD, CHUNK_VERSION, "traVersion", "v"},
    {CHUNK_FIGURE, CHUNK_NAME, "name", ""},
    {CHUNK_FIGURE, CHUNK_TOTAL, "totalFrame", "i"},
    {CHUNK_FIGURE, CHUNK_BONE, "bone", ""},
    {CHUNK_FIGURE, CHUNK_DYNAMIC, "DynamicPolygons", ""},
    {CHUNK_BONE, CHUNK_NAME, "name", ""},
    {CHUNK_BONE, CHUNK_CHANNEL, "translate.x", ""},
    {CHUNK_BONE, CHUNK_CHANNEL, "translate.y", ""},
    {CHUNK_BONE, CHUNK_CHANNEL, "translate.z", ""},
    {CHUNK_BONE, CHUNK_CHANNEL, "scale.x", ""},
    {CHUNK_BONE, CHUNK_CHANNEL, "scale.y", ""},
    {CHUNK_BONE, CHUNK_CHANNEL, "scale.z", ""},
    {CHUNK_BONE, CHUNK_CHANNEL, "rotate.x", ""},
    {CHUNK_BONE, CHUNK_CHANNEL, "rotate.y", ""},
    {CHUNK_BONE, CHUNK_CHANNEL, "rotate.z", ""},
    {CHUNK_BONE, CHUNK_CHANNEL, "roll", ""},
    {CHUNK_CHANNEL, CHUNK_KEY, "kf", "ir"},
    {CHUNK_DYNAMIC, CHUNK_GROUP_KEY, "kgf", "iib"},
};

typedef struct open_chunk {
    chunk is;
    const char *parameters; /* those that are still to come */
    size_t off;             /* of its parenthesis */
} open_chunk;

typedef struct repair {
    const fh_edit_sink *out;
    fh_scan scan;
    fh_budget *budget;
    bool is_spent;
    open_chunk open[DEEPEST + 2]; /* the file, and what is open; deeper ones are only counted */
    uint32_t depth;
    bool wants_keyword;
    bool is_over; /* Figure is closed */
} repair;

static void edit(repair *run, enum tra_rule rule, const char *field, size_t off, size_t old_len,
                 const char *text)
{
    fh_edit_tell(run->out, &tra_rules[rule], field, off, old_len, text, strlen(text));
}

static fh_token next_token(repair *run)
{
    const size_t before = run->scan.cur.pos;
    const fh_token token = fh_scan_next(&run->scan);
    if (!fh_pay(run->budget, 1 + run->scan.cur.pos - before)) {
        run->is_spent = true;
        return (fh_token){.kind = FH_TOKEN_END};
    }
    return token;
}

static open_chunk *innermost(repair *run)
{
    const uint32_t most = DEEPEST + 1;
    return &run->open[run->depth < most ? run->depth : most];
}

/* ---- tokens ---- */

static void mend_word(repair *run, enum tra_rule rule, const char *field, const fh_token *token,
                      const char *text)
{
    if (!fh_scan_is(&run->scan, token, text)) {
        edit(run, rule, field, token->off, token->num_units, text);
    }
}

/* A keyword is one of those that can stand there, whatever its case. */
static void take_keyword(repair *run, const fh_token *token)
{
    open_chunk *own = innermost(run);
    const chunk inside = run->depth <= DEEPEST ? own[-1].is : CHUNK_OTHER;
    own->is = CHUNK_OTHER;
    own->parameters = "";
    for (size_t i = 0; i < sizeof grammar / sizeof grammar[0]; i++) {
        if (grammar[i].inside == inside &&
            fh_scan_is_but_case(&run->scan, token, grammar[i].keyword)) {
            own->is = grammar[i].is;
            own->parameters = grammar[i].parameters;
            mend_word(run, TRA0031, "keyword", token, grammar[i].keyword);
            return;
        }
    }
}

static void mend_integer(repair *run, const fh_token *token)
{
    const fh_integer number = fh_scan_int(&run->scan, token);
    if (number.fault == FH_NUMBER_GOOD && !number.is_outside && number.sign == '+') {
        edit(run, TRA0045, "integer", token->off, 1, "");
    }
}

/* The plain form, with as many decimals as the same single-precision number needs. */
static void mend_real(repair *run, const fh_token *token)
{
    char buf[MOST_WORD];
    fh_text text = fh_text_make(buf, sizeof buf);
    const fh_real number = fh_scan_real(&run->scan, token);
    const float most = 3.4028234663852886e38f;
    if (number.fault != FH_NUMBER_GOOD || !tra_is_odd(&number) || number.single > most ||
        number.single < -most) {
        return;
    }
    fh_number_put_fixed(&text, (double)number.single,
                        fh_number_decimals(number.single, LEAST_DECIMALS));
    const fh_real again = fh_number_real(buf, text.len);
    /* There is room for it, and that many decimals tell the number bit for bit: its sign as well if
     * it is zero. */
    if (ALWAYS(!text.cut && again.fault == FH_NUMBER_GOOD &&
               /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
               memcmp(&again.single, &number.single, sizeof again.single) == 0)) {
        edit(run, TRA0045, "number", token->off, token->num_units, buf);
    }
}

/* 4, 4.00 and +4.0 are 4.0, the one version that there is. */
static void mend_version(repair *run, const fh_token *token)
{
    const fh_real number = fh_scan_real(&run->scan, token);
    if (number.fault == FH_NUMBER_GOOD && number.single >= 4.0f && number.single <= 4.0f) {
        mend_word(run, TRA0028, "traVersion", token, "4.0");
    }
}

static void take_parameter(repair *run, const fh_token *token)
{
    open_chunk *own = innermost(run);
    const char kind = own->parameters[0];
    if (kind == '\0') { /* so too in what is deeper than the grammar */
        return;
    }
    own->parameters++;
    if (kind == 'i') {
        mend_integer(run, token);
    } else if (kind == 'r') {
        mend_real(run, token);
    } else if (kind == 'v') {
        mend_version(run, token);
    } else if (fh_scan_is_but_case(&run->scan, token, "true")) {
        mend_word(run, TRA0104, "shown", token, "true");
    } else if (fh_scan_is_but_case(&run->scan, token, "false")) {
        mend_word(run, TRA0104, "shown", token, "false");
    }
}

/* Takes a parenthesis; true if it closes a chunk, which *closed then is. */
static bool take_mark(repair *run, const fh_token *token, open_chunk *closed)
{
    run->wants_keyword = tra_is_mark(token, '(');
    if (run->wants_keyword) {
        run->depth++;
        *innermost(run) = (open_chunk){CHUNK_OTHER, "", token->at.off};
        return false;
    }
    if (run->depth == 0) {
        run->is_over = true; /* nothing was open: what follows nobody knows */
        return false;
    }
    *closed = *innermost(run);
    run->depth--;
    run->is_over = run->depth == 0 && closed->is == CHUNK_FIGURE;
    return true;
}

/* Reads up to the end of the next chunk that closes; false at the end of Figure, and where the text
 * cannot be read on. */
static bool next_chunk(repair *run, open_chunk *closed)
{
    while (!run->is_over) {
        const fh_token token = next_token(run);
        if (token.kind == FH_TOKEN_MARK) {
            if (take_mark(run, &token, closed)) {
                return true;
            }
        } else if (token.kind == FH_TOKEN_WORD && run->wants_keyword) {
            run->wants_keyword = false;
            take_keyword(run, &token);
        } else if (token.kind == FH_TOKEN_WORD || token.kind == FH_TOKEN_STRING) {
            run->wants_keyword = false;
            take_parameter(run, &token);
        } else if (token.kind != FH_TOKEN_COMMENT) {
            return false;
        }
    }
    return false;
}

/* ---- the text as a whole ---- */

/* What stands in front of the identification, and the blank in it; false if there is none. */
static bool mend_front(repair *run)
{
    const fh_token token = next_token(run);
    fh_token front = token;
    front.num_units = token.num_units < 5 ? token.num_units : 5;
    const bool is_spaced = fh_scan_is(&run->scan, &front, "; TRA");
    front.num_units = token.num_units < 4 ? token.num_units : 4;
    if (token.kind != FH_TOKEN_COMMENT || (!is_spaced && !fh_scan_is(&run->scan, &front, ";TRA"))) {
        return false;
    }
    if (token.off > 0) {
        edit(run, TRA0004, "beginning of the text", 0, token.off, "");
    }
    if (is_spaced) {
        edit(run, TRA0003, "identification", token.off + 1, 1, "");
    }
    return true;
}

/* Where the text ends: behind the comment and the line end that follow Figure on its line. */
static size_t own_end(repair *run)
{
    fh_cursor cur = run->scan.cur;
    uint8_t c = fh_cursor_u8(&cur);
    size_t end = run->scan.cur.pos;
    while (!cur.failed && (c == ' ' || c == '\t' || c == '\f')) {
        c = fh_cursor_u8(&cur);
    }
    if (!cur.failed && c == ';') {
        while (!cur.failed && c != '\n' && c != '\r' && c != 0) {
            end = cur.pos;
            c = fh_cursor_u8(&cur);
        }
    }
    if (!cur.failed && (c == '\n' || c == '\r')) {
        end = cur.pos;
        if (c == '\r' && fh_cursor_left(&cur) > 0 && fh_cursor_u8(&cur) == '\n') {
            end = cur.pos;
        }
    }
    return end;
}

/* Blanks and then zeros up to the end of the file are no part of the text. */
static void mend_behind(repair *run, size_t end)
{
    fh_cursor cur = run->scan.cur;
    (void)fh_cursor_seek(&cur, end);
    const size_t left = fh_cursor_left(&cur);
    if (!fh_pay(run->budget, 2 * (uint64_t)left)) {
        return;
    }
    while (fh_cursor_left(&cur) > 0) {
        const uint8_t c = fh_cursor_u8(&cur);
        if (c == 0 && fh_cursor_all_zero(&cur, fh_cursor_left(&cur))) {
            break;
        }
        if (c == 0 || strchr(" \t\r\n\f", c) == NULL) {
            return;
        }
    }
    if (left > 0) {
        edit(run, TRA0036, "padding", end, left, "");
    }
}

static void begin(repair *run, const fh_edit_sink *out, fh_cursor bytes, fh_budget *budget)
{
    size_t bom_len = 0;
    *run = (repair){.out = out, .budget = budget};
    run->scan = fh_scan_open(bytes, &tra_style, &bom_len);
    run->open[0] = (open_chunk){CHUNK_FILE, "", 0};
}

fh_status tra_repair(const fh_env *env, const fh_edit_sink *out, fh_cursor bytes,
                     const fh_verify_options *options)
{
    repair run;
    open_chunk closed;
    (void)options;
    begin(&run, out, bytes, env->budget);
    if (run.scan.encoding != FH_ENCODING_BYTES) {
        return fh_edit_narrow(out, &tra_rules[TRA0013], &run.scan, env->arena, env->budget);
    }
    if (!mend_front(&run)) {
        return run.is_spent ? FH_LIMIT : FH_OK;
    }
    while (next_chunk(&run, &closed)) {
        /* it mends what it reads */
    }
    const size_t end = run.is_over ? own_end(&run) : bytes.size;
    if (run.is_over) {
        mend_behind(&run, end);
    }
    /* No string holds a line end, and a comment ends with one of any kind: they all mean the same,
     * and become what most of them are. */
    fh_line_ends ends;
    const bool is_paid = fh_edit_line_ends(&ends, out, &tra_rules[TRA0014], &tra_rules[TRA0014],
                                           bytes, 0, end, env->budget);
    return is_paid ? FH_OK : FH_LIMIT; /* a budget that was spent before pays for nothing */
}

/* ---- units ---- */

static void ignore(void *user, const fh_edit *made)
{
    (void)user;
    (void)made;
}

fh_status tra_units(const fh_env *env, const fh_unit_sink *out, fh_cursor bytes)
{
    static const fh_edit_sink nobody = {NULL, ignore};
    repair run;
    open_chunk closed;
    begin(&run, &nobody, bytes, env->budget);
    if (run.scan.encoding != FH_ENCODING_BYTES) {
        return FH_OK;
    }
    while (next_chunk(&run, &closed)) {
        if (run.depth >= 1 && run.depth < DEEPEST) {
            const fh_unit unit = {
                .level = run.depth - 1, .off = closed.off, .len = run.scan.cur.pos - closed.off};
            out->unit(out->user, &unit);
        }
    }
    return run.is_spent ? FH_LIMIT : FH_OK;
}
