#include "core/never.h"
#include "tra/tra_fragment.h"
#include "tra/tra_text.h"

#include <assert.h>

/* Where the text or the fragment begins that has a keyword of a key, or ;TRA, at a place.
 *
 * From a key one looks back, and no further than to the key in front of it in the same text: if
 * everything between the two is as it must be, what the first one begins was tried already, and
 * whether it holds this one was decided. So each byte is looked at once or twice, however many keys
 * there are. */

enum { MOST_BLANKS = 256, TAB = 0x09, FF = 0x0c };

/* Going back over the characters of a text. `at` is the byte of a character that is not 0: in
 * UTF-16 the first of its two in one byte order and the second in the other. As long as every
 * other byte is 0 both are the same text; what comes in front of that tells which it is. */
typedef struct way {
    fh_cursor bytes;
    size_t least; /* no further */
    size_t unit;  /* bytes of a character */
    bool is_big;
    bool is_known; /* the byte order */
} way;

static unsigned byte_at(const way *back, size_t at)
{
    const int32_t byte = fh_scan_unit_at(back->bytes, FH_ENCODING_BYTES, at);
    return byte == FH_NO_UNIT ? 0 : (unsigned)byte;
}

static unsigned char_at(const way *back, size_t at)
{
    const unsigned low = byte_at(back, at);
    if (back->unit == 1) {
        return low;
    }
    return back->is_big ? low | byte_at(back, at - 1) << 8 : low | byte_at(back, at + 1) << 8;
}

static bool is_blank(unsigned c)
{
    return c == ' ' || c == TAB || c == FF || fh_is_line_end(c);
}

/* A character that ends every text. */
static bool is_control(unsigned c)
{
    return (c < ' ' || c == 0x7f) && !is_blank(c);
}

/* In front of a character lies another one that is plain, in both byte orders. */
static bool is_plain_before(const way *back, size_t at)
{
    assert(at >= 2);
    if (byte_at(back, at - 1) != 0) {
        return false;
    }
    const unsigned c = byte_at(back, at - 2);
    return c < 0x80 && !is_control(c);
}

/* What is not plain tells the order, but for a control character in the midst of plain ones. */
static void learn_order(way *back, size_t at)
{
    if (back->unit == 1 || back->is_known || is_plain_before(back, at) ||
        (at >= 4 && byte_at(back, at - 1) == 0 && byte_at(back, at - 2) != 0 &&
         is_plain_before(back, at - 2))) {
        return;
    }
    back->is_big = (at - fh_scan_begin(back->bytes, at, true)) % 2 != 0;
    back->is_known = true;
}

/* Goes back by a character; false where the text begins, or looking ends. */
static bool go_back(way *back, size_t *at)
{
    if (*at < back->least + back->unit) {
        return false;
    }
    learn_order(back, *at);
    if (back->is_big && *at < back->least + back->unit + 1) {
        return false;
    }
    const size_t before = *at - back->unit;
    if (is_control(char_at(back, before))) {
        return false;
    }
    *at = before;
    return true;
}

/* The parenthesis in front of a keyword, over blanks. */
static bool find_open(way *back, size_t *at)
{
    for (unsigned num = 0; num <= MOST_BLANKS && go_back(back, at); num++) {
        const unsigned c = char_at(back, *at);
        if (!is_blank(c)) {
            return c == '(';
        }
    }
    return false;
}

/* What has not come yet may be anything. */
static bool is_behind(const way *back, size_t at)
{
    return at >= back->bytes.size;
}

static bool is_keyword_at(const way *back, size_t at)
{
    const size_t unit = back->unit;
    size_t next = at + unit;
    if (char_at(back, at) != 'k') {
        return false;
    }
    next += char_at(back, next) == 'g' ? unit : 0;
    return (is_behind(back, next) || char_at(back, next) == 'f') &&
           (is_behind(back, next + unit) || is_blank(char_at(back, next + unit)));
}

/* The character behind the keyword of a key. */
static size_t behind_keyword(const way *back, size_t at)
{
    const size_t unit = back->unit;
    return at + (char_at(back, at + unit) == 'g' ? 3 : 2) * unit;
}

/* Goes back to the parenthesis of the key in front; false at the place where looking ended. A line
 * end between is noted. */
static bool find_key_before(way *back, size_t *at, bool *is_other_line)
{
    while (go_back(back, at)) {
        size_t open = *at;
        *is_other_line = *is_other_line || fh_is_line_end(char_at(back, *at));
        if (is_keyword_at(back, *at) && find_open(back, &open)) {
            *at = open;
            return true;
        }
    }
    return false;
}

/* ---- what lies between ---- */

/* The bytes from one character up to and with another, behind which a keyword stands. */
static fh_cursor between(const way *back, size_t from, size_t to)
{
    const size_t front = back->is_big ? 1 : 0;
    return fh_cursor_sub(&back->bytes, from - front, to + back->unit - from);
}

static fh_scan scan_between(const way *back, size_t from, size_t to)
{
    const fh_encoding wide = back->is_big ? FH_ENCODING_UTF16BE : FH_ENCODING_UTF16LE;
    return fh_scan_make(between(back, from, to), back->unit == 1 ? FH_ENCODING_BYTES : wide,
                        &tra_style);
}

/* Where in a reading of `from` and what follows the character at `at` stands. */
static size_t offset_of(size_t from, size_t at)
{
    return at - from;
}

/* The line of a parenthesis, read once up to it. */
typedef struct line_read {
    bool is_genuine; /* the parenthesis is one, and does not stand in a comment or string */
    bool has_key;    /* one in front of it begins a key */
    size_t key;      /* the last of those */
    size_t begin;    /* where the line begins, or looking ends */
} line_read;

static bool is_key_next(fh_scan scan)
{
    const fh_token keyword = fh_scan_next(&scan);
    return fh_scan_is(&scan, &keyword, "kf") || fh_scan_is(&scan, &keyword, "kgf");
}

/* A line never begins within a comment or string. */
static line_read read_line(const way *from, size_t open)
{
    way back = *from;
    size_t at = open;
    while (go_back(&back, &at) && !fh_is_line_end(char_at(&back, at))) {
    }
    line_read line = {.begin = at};
    fh_scan scan = scan_between(&back, at, open);
    fh_token token = fh_scan_next(&scan);
    while (token.kind != FH_TOKEN_END && token.at.off < offset_of(at, open)) {
        if (tra_is_mark(&token, '(') && is_key_next(scan)) {
            line.has_key = true;
            line.key = at + token.at.off;
        }
        token = fh_scan_next(&scan);
    }
    line.is_genuine = tra_is_mark(&token, '('); /* nothing is read behind it */
    return line;
}

typedef struct search {
    way back;
    size_t from;   /* character where looking begins */
    size_t target; /* the parenthesis of the key */
    size_t behind; /* the character behind its keyword */
    size_t next;   /* offset from `from` of what is not looked at yet */
    size_t start;  /* the fragment's first character */
    bool has_head; /* it begins with the Head of a text */
} search;

typedef enum outcome { NOT_FOUND, FOUND, COVERED } outcome;

/* Finds the next parenthesis of a chunk. COVERED: a comment or string holds the key. */
static outcome find_chunk(search *s)
{
    fh_scan scan = scan_between(&s->back, s->from, s->target);
    const size_t end = offset_of(s->from, s->target);
    bool is_text = false;
    (void)fh_cursor_seek(&scan.cur, s->next);
    for (fh_token token = fh_scan_next(&scan); token.kind != FH_TOKEN_END;
         token = fh_scan_next(&scan)) {
        if (tra_is_mark(&token, '(')) {
            const fh_scan behind = scan;
            const fh_token keyword = fh_scan_next(&scan);
            const bool is_head = fh_scan_is(&scan, &keyword, "Head");
            if (token.at.off == end || tra_is_chunk(&scan, &keyword)) {
                s->start = s->from + token.at.off;
                s->next = token.at.off;
                s->has_head = is_text && is_head;
                return FOUND;
            }
            scan = behind;
        }
        /* Wherever an identification stands, it was tried. */
        is_text = token.kind == FH_TOKEN_COMMENT && (is_text || tra_find_text(&scan, &token));
    }
    return COVERED;
}

/* From a chunk up to the key and with its keyword, if that is at hand with what parts it from its
 * parameters. */
static fh_cursor bytes_to_key(const search *s)
{
    const way *back = &s->back;
    const size_t last = back->is_big ? s->behind : s->behind + back->unit - 1;
    return between(back, s->start, is_behind(back, last) ? s->target : s->behind);
}

/* Reads from a chunk to the key. FOUND: all that lies between is as it must be, and a key may stand
 * there. */
static outcome read_to_key(search *s, fh_budget *budget)
{
    tra_model model = {0};
    const fh_cursor bytes = bytes_to_key(s);
    const tra_check check = tra_check_make(&model, NULL, budget, NULL);
    tra_parse parse = tra_parse_make(&model, check, bytes, true);
    tra_parse_inside(&parse);
    if (parse.is_stopped && parse.last_open == offset_of(s->start, s->target)) {
        s->next = offset_of(s->from, s->target);
        return parse.has_offence ? NOT_FOUND : FOUND;
    }
    /* No byte is read more than a few times, and the budget is for sixteen. */
    const size_t end = parse.is_stopped ? parse.break_off : model.end;
    if (NEVER(parse.check.stopped)) {
        return COVERED;
    }
    if (end > offset_of(s->start, s->target)) {
        return COVERED; /* what holds it is none of its chunks */
    }
    s->next = offset_of(s->from, s->start) + end;
    return NOT_FOUND;
}

static outcome find_start(search *s)
{
    fh_budget budget = {16 * FH_LOOK_BEHIND};
    for (;;) {
        const size_t before = s->next;
        if (find_chunk(s) == COVERED) {
            return COVERED;
        }
        if (s->start >= s->target) {
            return FOUND;
        }
        const outcome found = read_to_key(s, &budget);
        if (found != NOT_FOUND) {
            return found;
        }
        /* What is read begins with a parenthesis and its keyword, which are behind. */
        s->next = ALWAYS(s->next > before) ? s->next : before + s->back.unit;
    }
}

/* Goes from the parenthesis of a key, on another line than the target, to the last one in front of
 * it that is none of a comment or string, or to where the text begins. Reads each line once. */
static bool find_genuine(search *s)
{
    bool is_other_line = true;
    bool has_key = true;
    while (has_key) {
        const line_read line = read_line(&s->back, s->from);
        if (line.is_genuine) {
            return true;
        }
        s->from = line.has_key ? line.key : line.begin;
        if (line.has_key) {
            return true;
        }
        has_key = find_key_before(&s->back, &s->from, &is_other_line);
    }
    return false;
}

/* Finds the parenthesis of the key in front that is one, or where the text begins. NOT_FOUND: there
 * is none. COVERED: this one is none. Of the keys of one line only the first is asked, for what
 * holds it holds the others. */
static outcome find_edge(search *s)
{
    bool is_other_line = false;
    s->from = s->target;
    bool has_key = find_key_before(&s->back, &s->from, &is_other_line);
    if (has_key && is_other_line) {
        if (!read_line(&s->back, s->target).is_genuine) {
            return COVERED;
        }
        has_key = find_genuine(s);
    }
    return has_key ? FOUND : NOT_FOUND;
}

static bool has_line_end(const search *s)
{
    fh_scan scan = scan_between(&s->back, s->from, s->target);
    fh_token token;
    do {
        token = fh_scan_next(&scan);
    } while (token.kind != FH_TOKEN_END);
    return scan.line > 1;
}

static bool locate_key(size_t *start, fh_cursor bytes, size_t at, bool is_wide)
{
    const size_t least = at > FH_LOOK_BEHIND ? at - FH_LOOK_BEHIND : 0;
    search s = {.back = {.bytes = bytes, .least = least, .unit = is_wide ? 2 : 1}};
    const size_t behind = behind_keyword(&s.back, at);
    if (!is_keyword_at(&s.back, at) || !find_open(&s.back, &at)) {
        return false;
    }
    s.target = at;
    s.behind = behind;
    const outcome edge = find_edge(&s);
    const outcome found = edge == COVERED ? COVERED : find_start(&s);
    if (found == COVERED && (edge != NOT_FOUND || has_line_end(&s))) {
        return false;
    }
    if (found == COVERED) { /* nobody knows how its line begins */
        s.start = s.target;
    } else if (s.has_head || (edge == FOUND && s.start == s.from)) {
        return false; /* tried already */
    }
    /* Where nothing tells the byte order, characters lie at even offsets. */
    const bool is_odd = is_wide && !s.back.is_known && (bytes.origin + s.start) % 2 != 0;
    *start = s.start - (s.back.is_big || is_odd ? 1 : 0);
    return true;
}

/* Tells whether a text follows another one whose characters have the zero byte in front of it. */
static bool follows_little(fh_cursor bytes, size_t at)
{
    const unsigned enough = 4;
    const unsigned most = 64;
    way back = {.bytes = bytes, .unit = 2};
    unsigned num = 0;
    while (num < most && !back.is_known && go_back(&back, &at)) {
        num++;
    }
    return num >= enough && !back.is_big && (back.is_known || (bytes.origin + at) % 2 == 0);
}

bool tra_locate(size_t *start, fh_cursor bytes, size_t at)
{
    const way here = {.bytes = bytes, .unit = 1};
    const bool is_wide = byte_at(&here, at + 1) == 0;
    if (byte_at(&here, at) != ';') {
        return locate_key(start, bytes, at, is_wide);
    }
    *start = is_wide && follows_little(bytes, at) ? at : fh_scan_begin(bytes, at, is_wide);
    return true;
}
