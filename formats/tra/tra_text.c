#include "tra/tra_text.h"

#include <assert.h>

const fh_scan_style tra_style = {.marks = "()",
                                 .comment = ';',
                                 .quote = '"',
                                 .has_form_feed = true,
                                 .most_units = FH_SCAN_MOST_UNITS};

/* The same where the end of the line matters. */
static const fh_scan_style line_style = {.marks = "()",
                                         .comment = ';',
                                         .quote = '"',
                                         .has_line_ends = true,
                                         .has_form_feed = true,
                                         .most_units = FH_SCAN_MOST_UNITS};

void tra_stop(tra_parse *parse, enum tra_rule rule, fh_status status, const char *field,
              const fh_token *token, fh_value expected)
{
    if (parse->is_stopped) {
        return;
    }
    if (!parse->is_fragment) {
        tra_tell_token(&parse->check, rule, field, token, expected);
    }
    parse->is_stopped = true;
    parse->is_faulty = true;
    parse->rule = rule;
    parse->fault_off = token->at.off;
    parse->fault_status = status;
    /* Of a string that the data end within, what is there belongs to the text. */
    const bool is_cut = token->kind == FH_TOKEN_OPEN && token->at_end;
    parse->break_off = is_cut ? parse->scan.cur.pos : token->at.off;
}

/* A word of which the rest may be missing: the data, or the text in them, end where it does. */
static bool is_cut_word(const tra_parse *parse, const fh_token *token)
{
    fh_scan behind = parse->scan;
    if (token->kind != FH_TOKEN_WORD || token->at_end) {
        return token->kind == FH_TOKEN_WORD;
    }
    behind.cur.pos = token->off + token->num_units * fh_scan_unit_len(behind.encoding);
    const size_t end = behind.cur.pos;
    const fh_token next = fh_scan_next(&behind);
    return next.kind == FH_TOKEN_CONTROL && next.at.off == end;
}

void tra_offend(tra_parse *parse, const fh_token *token)
{
    if (parse->has_offence || parse->is_stopped ||
        (is_cut_word(parse, token) && !token->has_high)) {
        return;
    }
    parse->has_offence = true;
    parse->offence_off = token->at.off;
    parse->before_offence = parse->worth;
    if (parse->is_inside) {
        parse->is_stopped = true;
        parse->is_faulty = true;
        parse->break_off = token->at.off;
    }
}

/* Reads one token of any kind and pays for it; a token that could be longer asks for more bytes. */
static fh_token read_token(tra_parse *parse)
{
    const size_t from = parse->scan.cur.pos;
    const fh_token token = fh_scan_next(&parse->scan);
    if (!tra_spend(&parse->check, 1 + (uint64_t)(parse->scan.cur.pos - from))) {
        parse->is_stopped = true;
    } else if (token.at_end && !parse->is_closed) {
        parse->is_stopped = true;
        parse->wants_more = true;
    }
    return token;
}

static const fh_token nothing = {.kind = FH_TOKEN_END};

/* ---- character sets ---- */

static unsigned byte_at(const fh_cursor *from, const fh_token *token, size_t index)
{
    if (index >= token->num_units) {
        return 0;
    }
    return (unsigned)fh_scan_unit_at(*from, FH_ENCODING_BYTES, token->off + index);
}

/* Bytes that a UTF-8 sequence with this first byte has; 0: no sequence begins so. */
static size_t utf8_len(unsigned first)
{
    if (first < 0x80) {
        return 1;
    }
    return first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

static bool is_utf8(const fh_cursor *cur, const fh_token *token)
{
    for (size_t i = 0; i < token->num_units;) {
        const size_t len = utf8_len(byte_at(cur, token, i));
        for (size_t k = 1; k < len; k++) {
            if ((byte_at(cur, token, i + k) & 0xc0) != 0x80) {
                return false;
            }
        }
        if (len == 0) {
            return false;
        }
        i += len;
    }
    return true;
}

static bool is_in(unsigned byte, unsigned first, unsigned last)
{
    return byte >= first && byte <= last;
}

/* Pairs of a lead and a trail byte, and half-width katakana alone. */
static bool is_cp932(const fh_cursor *cur, const fh_token *token)
{
    for (size_t i = 0; i < token->num_units; i++) {
        const unsigned lead = byte_at(cur, token, i);
        if (lead < 0x80 || is_in(lead, 0xa1, 0xdf)) {
            continue;
        }
        const unsigned trail = byte_at(cur, token, ++i);
        const bool is_lead = is_in(lead, 0x81, 0x9f) || is_in(lead, 0xe0, 0xfc);
        const bool is_trail = is_in(trail, 0x40, 0x7e) || is_in(trail, 0x80, 0xfc);
        if (!is_lead || !is_trail) {
            return false;
        }
    }
    return true;
}

static const char *fitting_charset(const fh_scan *scan, const fh_token *token)
{
    if (scan->encoding != FH_ENCODING_BYTES) {
        return " (UTF-16)";
    }
    if (is_utf8(&scan->cur, token)) {
        return " (fits UTF-8)";
    }
    return is_cp932(&scan->cur, token) ? " (fits CP932)" : " (fits neither UTF-8 nor CP932)";
}

static void tell_high(tra_parse *parse, enum tra_rule rule, const char *field,
                      const fh_token *token)
{
    char shown[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(shown, sizeof shown);
    if (parse->check.reporter == NULL) {
        return;
    }
    fh_scan_show(&text, &parse->scan, token);
    fh_text_str(&text, fitting_charset(&parse->scan, token));
    tra_tell(&parse->check, rule, field, token->at, fh_words(shown), fh_words("ASCII"));
}

/* ---- tokens ---- */

/* A comment that begins a line and reads like the identification: another text begins here. */
static bool is_new_text(const fh_scan *scan, const fh_token *token)
{
    if (token->at.column != 1 || !fh_scan_begins(scan, token, ";TRA")) {
        return false;
    }
    const uint32_t next = token->num_units < 5 ? ' ' : fh_scan_unit(scan, token, 4);
    return next == ' ' || next == '\t';
}

static fh_token rest_of(const fh_scan *scan, const fh_token *token, uint32_t first)
{
    fh_token rest = *token;
    rest.off += first * (uint32_t)fh_scan_unit_len(scan->encoding);
    rest.num_units -= first;
    rest.at.off = rest.off;
    rest.at.column += first;
    return rest;
}

/* Whether the next chunk is Head, over comments. The comments of one run have the same one behind
 * them, so it is looked for once: what stands in front of it is known until it is read. */
static bool is_head_next(tra_parse *parse)
{
    const fh_scan before = parse->scan;
    if (before.cur.pos < parse->known_to) {
        return parse->is_head_known;
    }
    fh_token token;
    bool is_own; /* not the first line of a text, which ends this one by itself */
    do {
        token = read_token(parse);
        is_own = token.kind == FH_TOKEN_COMMENT && !is_new_text(&parse->scan, &token);
    } while ((is_own || token.kind == FH_TOKEN_LINE_END) && !parse->is_stopped);
    parse->known_to = token.at.off + 1;
    const bool is_open = tra_is_mark(&token, '(');
    token = is_open ? read_token(parse) : token;
    parse->is_head_known =
        is_open && !parse->is_stopped && fh_scan_is(&parse->scan, &token, "Head");
    parse->scan = before;
    return parse->is_head_known;
}

bool tra_find_text(const fh_scan *scan, fh_token *comment)
{
    for (uint32_t i = 0; i < comment->num_units; i++) {
        if (fh_scan_unit(scan, comment, i) == ';') {
            const fh_token rest = rest_of(scan, comment, i);
            if (fh_scan_begins(scan, &rest, ";TRA")) {
                *comment = rest;
                return true;
            }
        }
    }
    return false;
}

/* Another text begins within a line, perhaps in a comment of the one that is read: at a sector or a
 * page this one is cut off, and what follows is that one. Its Head tells. token is then what is
 * left of the comment from there on. */
static bool begins_in_line(tra_parse *parse, fh_token *token)
{
    fh_token rest = *token;
    if (!tra_find_text(&parse->scan, &rest) || !is_head_next(parse)) {
        return false;
    }
    *token = rest;
    token->at_end = false; /* Head is behind it */
    return true;
}

static bool begins_text(tra_parse *parse, fh_token *token)
{
    return is_new_text(&parse->scan, token) ||
           (parse->is_past_comments && begins_in_line(parse, token));
}

static void judge_comment(tra_parse *parse, const fh_token *token)
{
    if (token->has_high) {
        tell_high(parse, TRA0009, "comment", token);
    }
}

/* A string that a control character ends is not the one that is wrong. */
static bool is_cut_by_control(tra_parse *parse, const fh_token *token)
{
    fh_scan behind = parse->scan;
    const fh_token next = fh_scan_next(&behind);
    if (token->at_end || next.kind != FH_TOKEN_CONTROL || next.at.off != parse->scan.cur.pos) {
        return false;
    }
    tra_stop(parse, TRA0006, FH_CORRUPT, "character", &next, fh_words("text"));
    return true;
}

/* What stops the parse whatever the grammar expects. */
static void judge_end(tra_parse *parse, const fh_token *token)
{
    if (token->kind == FH_TOKEN_CONTROL) {
        tra_stop(parse, TRA0006, FH_CORRUPT, "character", token, fh_words("text"));
    } else if (token->kind == FH_TOKEN_OPEN && is_cut_by_control(parse, token)) {
        return; /* told */
    } else if (token->kind == FH_TOKEN_OPEN) {
        tra_stop(parse, TRA0010, token->at_end ? FH_TRUNCATED : FH_CORRUPT, "string", token,
                 fh_words("a closing quote"));
    } else if (token->kind == FH_TOKEN_LONG) {
        tra_stop(parse, TRA0012, FH_CORRUPT, "word", token, fh_words("at most 4096 characters"));
    }
}

static void judge_string(tra_parse *parse, const fh_token *token)
{
    if (token->num_units > TRA_MOST_NAME) {
        tra_tell(&parse->check, TRA0011, "string", token->at, fh_count(token->num_units, "byte"),
                 fh_words("at most 255"));
    }
    if (token->has_high) {
        tell_high(parse, TRA0008, "name", token);
    }
}

/* What is wrong with a token that the grammar may want. A word that is cut stands for the end of a
 * fragment: what it was to be cannot be told. */
static fh_token judge_token(tra_parse *parse, fh_token token)
{
    if (token.kind == FH_TOKEN_STRING) {
        judge_string(parse, &token);
    } else if (token.kind == FH_TOKEN_WORD && token.has_high) {
        tra_offend(parse, &token);
        tell_high(parse, TRA0007, "word", &token);
    }
    if ((parse->is_inside || parse->is_fragment) && is_cut_word(parse, &token)) {
        const fh_text_place at = fh_scan_place(&parse->scan);
        return (fh_token){.kind = FH_TOKEN_END, .at = at, .off = at.off};
    }
    return parse->is_stopped ? nothing : token;
}

static void note_comment(tra_parse *parse, const fh_token *token)
{
    const size_t len = token->num_units * fh_scan_unit_len(parse->scan.encoding);
    parse->last_comment = parse->is_past_comments ? parse->last_comment : token->off + len - 1;
}

fh_token tra_next(tra_parse *parse)
{
    fh_token token = nothing;
    do {
        token = parse->is_stopped ? nothing : read_token(parse);
        if (token.kind == FH_TOKEN_COMMENT && !parse->is_stopped) {
            if (begins_text(parse, &token)) {
                token.kind = FH_TOKEN_END; /* of this one */
                return token;
            }
            if (parse->is_stopped) {
                return nothing;
            }
            judge_comment(parse, &token);
            note_comment(parse, &token);
        }
    } while (token.kind == FH_TOKEN_COMMENT && !parse->is_stopped);
    parse->is_past_comments = true;
    if (!parse->is_stopped) {
        judge_end(parse, &token);
    }
    if (parse->is_stopped) {
        return nothing;
    }
    return judge_token(parse, token);
}

/* ---- the identification ---- */

typedef struct relative {
    uint32_t first, last;
    const char *name;
    bool has_our_name; /* its files are called as ours are */
} relative;

/* The binary relatives, by their first word: the whole of it, or a version in its upper half. */
static const relative relatives[] = {{0x1234567b, 0x1234567b, "TRA3", true},
                                     {0x544a4948, 0x544a4948, "HIJT", false},
                                     {0x0002544d, 0x0005544d, "MTRA", false},
                                     {0x0002424d, 0x0009424d, "MBAC", false}};
static const relative model_text = {.name = "BAC, text form"};

static const relative *relative_of(fh_cursor bytes)
{
    bytes.pos = 0;
    const uint32_t word = fh_cursor_u32(&bytes);
    for (size_t i = 0; i < sizeof relatives / sizeof relatives[0] && !bytes.failed; i++) {
        if (word >= relatives[i].first && word <= relatives[i].last &&
            (word - relatives[i].first) % 0x10000 == 0) {
            return &relatives[i];
        }
    }
    return NULL;
}

static void stop_at_start(tra_parse *parse, const fh_token *token)
{
    const bool is_model = fh_scan_begins(&parse->scan, token, ";BAC");
    const relative *other = is_model ? &model_text : relative_of(parse->scan.cur);
    const fh_text_place start = {0, 1, 1};
    if (parse->is_stopped) {
        return;
    }
    if (other == NULL) {
        fh_token shown = *token;
        shown.at = start;
        tra_stop(parse, TRA0001, token->at_end ? FH_TRUNCATED : FH_NOT_THIS_FORMAT,
                 "beginning of the text", &shown, fh_words(";TRA"));
        return;
    }
    tra_tell(&parse->check, TRA0005, "first bytes", start, fh_words(other->name),
             fh_words(";TRA of the text form"));
    parse->is_stopped = true;
    parse->is_faulty = true;
    parse->rule = TRA0005;
    parse->fault_status = other->has_our_name ? FH_UNSUPPORTED : FH_NOT_THIS_FORMAT;
}

/* What is left of the identification's line. */
static void judge_first_line(tra_parse *parse, const fh_token *token, uint32_t used)
{
    fh_token rest = *token;
    char shown[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(shown, sizeof shown);
    const uint32_t unit_len = (uint32_t)fh_scan_unit_len(parse->scan.encoding);
    for (; used < token->num_units; used++) {
        const uint32_t unit = fh_scan_unit(&parse->scan, token, used);
        if (unit != ' ' && unit != '\t') {
            break;
        }
    }
    if (used == token->num_units) {
        return;
    }
    rest.off += used * unit_len;
    rest.num_units -= used;
    rest.at.off = rest.off;
    rest.at.column += used;
    fh_scan_show(&text, &parse->scan, &rest);
    tra_tell(&parse->check, TRA0002, "first line", rest.at, fh_words(shown), fh_words("nothing"));
}

static void judge_front(tra_parse *parse, const fh_token *token, size_t bom_len)
{
    const fh_text_place start = {0, 1, 1};
    if (bom_len > 0) {
        tra_tell(&parse->check, TRA0004, "beginning of the text", start,
                 fh_words("a byte order mark"), fh_words(";TRA"));
    } else if (token->at.off > 0) {
        tra_tell(&parse->check, TRA0004, "beginning of the text", start,
                 fh_count(token->at.off, "blank byte"), fh_words(";TRA"));
    }
    if (parse->scan.encoding != FH_ENCODING_BYTES) {
        tra_tell(&parse->check, TRA0013, "text", start,
                 fh_words(fh_encoding_name(parse->scan.encoding)), fh_words("ASCII"));
    }
}

/* Many blanks in front are no text that somebody wrote; nor is it worth the work to find its end.
 */
static bool is_blank_for_long(const tra_parse *parse)
{
    const fh_cursor *cur = &parse->scan.cur;
    const size_t most = FH_SCAN_MOST_UNITS;
    fh_scan front = parse->scan;
    const int32_t first = fh_scan_unit_at(*cur, front.encoding, cur->pos);
    if (cur->size - cur->pos <= most || first == front.style->comment) {
        return false;
    }
    front.cur.size = cur->pos + most;
    return fh_scan_next(&front).kind == FH_TOKEN_END;
}

void tra_begin(tra_parse *parse)
{
    const size_t enough = 4; /* bytes, to know the encoding by */
    if (!parse->is_closed && parse->scan.cur.size < enough) {
        parse->is_stopped = true;
        parse->wants_more = true;
        return;
    }
    fh_encoding encoding = fh_scan_guess(parse->scan.cur);
    const size_t bom_len = fh_scan_bom(parse->scan.cur, &encoding);
    parse->scan.encoding = encoding;
    parse->model->scan.encoding = encoding;
    (void)fh_cursor_seek(&parse->scan.cur, bom_len);
    const fh_token token = is_blank_for_long(parse) ? nothing : read_token(parse);
    const bool is_spaced = fh_scan_begins(&parse->scan, &token, "; TRA");
    const bool is_known = is_spaced || fh_scan_begins(&parse->scan, &token, ";TRA");
    if (token.kind != FH_TOKEN_COMMENT || !is_known) {
        stop_at_start(parse, &token);
        return;
    }
    note_comment(parse, &token);
    parse->worth.evidence += 32; /* ";TRA" */
    if (parse->is_stopped) {
        return;
    }
    judge_front(parse, &token, bom_len);
    if (is_spaced) {
        tra_tell(&parse->check, TRA0003, "identification", token.at, fh_words("; TRA"),
                 fh_words(";TRA"));
    }
    judge_first_line(parse, &token, is_spaced ? 5 : 4);
    judge_comment(parse, &token);
}

/* ---- the end ---- */

/* Reads a comment behind the last parenthesis. It is the text's own, but for what is another one.
 */
static void finish_comment(tra_parse *parse, fh_scan *before, fh_token *token)
{
    const fh_token comment = *token;
    if (begins_in_line(parse, token)) {
        parse->model->end = token->off;
        return;
    }
    *before = parse->scan;
    parse->model->end = parse->scan.cur.pos;
    *token = parse->is_stopped ? nothing : read_token(parse);
    if (!parse->is_stopped) {
        judge_comment(parse, &comment);
    }
}

/* What is read behind the last parenthesis is only its own up to the end of the line, and only if
 * nothing but blanks and a comment stands there. Source: the end of a text is deduced. */
void tra_finish(tra_parse *parse)
{
    fh_scan before = parse->scan;
    parse->model->end = parse->scan.cur.pos;
    parse->scan.style = &line_style;
    fh_token token = read_token(parse);
    if (token.kind == FH_TOKEN_COMMENT && !parse->is_stopped &&
        !fh_scan_begins(&parse->scan, &token, ";TRA")) {
        finish_comment(parse, &before, &token);
    }
    if (!parse->is_stopped && (token.kind == FH_TOKEN_LINE_END || token.kind == FH_TOKEN_END)) {
        before = parse->scan;
        parse->model->end = parse->scan.cur.pos;
    }
    parse->scan = before;
    parse->scan.style = &tra_style;
}
