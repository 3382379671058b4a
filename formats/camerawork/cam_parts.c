#include "camerawork/cam_parts.h"

#include "camerawork/cam_line.h"

#include <assert.h>
#include <string.h>

enum {
    MOST_SIDE = 400, /* characters of one side of a cut; a row has about 335 at most */
    MOST_BYTES = 2 * MOST_SIDE,
    BORDER = 512,  /* bytes: sectors and pages begin at multiples of it */
    MOST_CUTS = 8, /* places at which one side may be cut */
    MOST_STRAY = 3 /* characters that chance put beside a part */
};

/* ---- the style of a part ---- */

static uint32_t make_style(fh_encoding encoding, const cam_line *line)
{
    uint32_t is_padded = 0;
    for (unsigned i = 0; i < CAM_COLUMNS; i++) {
        is_padded |= line->columns[i].is_padded ? 1u : 0u;
    }
    return (uint32_t)encoding | (uint32_t)line->ends << 2 | is_padded << 4;
}

static fh_encoding encoding_of(uint32_t style)
{
    return (fh_encoding)(style & 3);
}

static cam_line_end ends_of(uint32_t style)
{
    return (cam_line_end)(style >> 2 & 3);
}

/* ---- characters ---- */

typedef struct characters {
    fh_cursor bytes;
    fh_encoding encoding;
    size_t unit_len;
} characters;

static characters characters_of(fh_cursor bytes, fh_encoding encoding)
{
    bytes.pos = 0;
    return (characters){bytes, encoding, fh_scan_unit_len(encoding)};
}

/* The character at an offset; FH_NO_UNIT where none begins. */
static int32_t character_at(const characters *text, size_t off)
{
    return fh_scan_unit_at(text->bytes, text->encoding, off);
}

static int32_t character_before(const characters *text, size_t off)
{
    return off < text->unit_len ? FH_NO_UNIT : character_at(text, off - text->unit_len);
}

/* What rows are made of, with the names of numbers that are none. */
static bool is_of_row(int32_t c)
{
    return c > 0 && c < 0x80 && strchr("0123456789+-.eE \t#INFADQS", c) != NULL;
}

/* ---- describing a part ---- */

/* Goes back from the first row over its neighbour's line end, and over what may be the rest of
 * that line. */
static size_t find_head(const characters *text, size_t lines)
{
    size_t off = lines;
    if (character_before(text, off) == '\n') {
        off -= text->unit_len;
    }
    if (character_before(text, off) == '\r') {
        off -= text->unit_len;
    }
    for (int i = 0; off < lines && i < MOST_SIDE && is_of_row(character_before(text, off)); i++) {
        off -= text->unit_len;
    }
    return off;
}

static size_t find_tail(const characters *text, size_t lines_end, cam_line_end ends)
{
    size_t off = lines_end;
    for (int i = 0; i < MOST_SIDE && is_of_row(character_at(text, off)); i++) {
        off += text->unit_len;
    }
    const bool has_cr = ends == CAM_ENDS_CRLF && off > lines_end && character_at(text, off) == '\r';
    return has_cr ? off + text->unit_len : off;
}

static bool describe(fh_part *out, fh_cursor bytes, size_t start, size_t len, fh_budget *budget)
{
    cam_text text;
    cam_line line;
    fh_cursor own = fh_cursor_sub(&bytes, start, len);
    uint32_t num = 0;
    cam_text_begin(&text, own, budget);
    *out = (fh_part){.lines = start + text.bom_len, .lines_end = start + text.bom_len};
    while (!cam_text_at_end(&text)) {
        cam_text_line(&text, &line);
        if (!line.is_row || !cam_line_has_end(&line) ||
            (num > 0 && ends_of(out->style) == CAM_ENDS_CRLF && line.ends == CAM_ENDS_CR)) {
            break; /* the last: cut between CR and LF */
        }
        if (num++ == 0) {
            out->first = line.row.index;
            out->style = make_style(text.scan.encoding, &line);
        }
        out->last = line.row.index;
        out->lines_end = start + line.end;
    }
    const characters all = characters_of(bytes, text.scan.encoding);
    out->head = text.bom_len > 0 ? out->lines : find_head(&all, out->lines);
    out->tail_end = find_tail(&all, out->lines_end, ends_of(out->style));
    return num > 0;
}

/* ---- the two sides of a cut row ---- */

/* Lengths of a side at which it may be cut, the likeliest first: where sectors or pages meet, then
 * all of it; where none meet, also all but what may have got there by chance. */
typedef struct cuts {
    size_t lens[MOST_CUTS];
    unsigned num;
} cuts;

/* A side has room for two borders, and one cut more; without any there are four. */
static void add_cut(cuts *to, size_t len)
{
    assert(to->num < MOST_CUTS);
    to->lens[to->num++] = len;
}

/* is_tail: the side begins where it lies and is cut at its end; else the other way round. */
static cuts cuts_of(fh_cursor side, bool is_tail, size_t unit_len)
{
    cuts found = {.num = 0};
    for (size_t len = 0; len <= side.size; len += unit_len) {
        const uint64_t at = side.origin + (is_tail ? len : side.size - len);
        if (at % BORDER == 0) {
            add_cut(&found, len);
        }
    }
    const size_t most_stray = found.num > 0 ? 0 : MOST_STRAY;
    for (size_t i = 0; i <= most_stray && i * unit_len <= side.size; i++) {
        add_cut(&found, side.size - i * unit_len);
    }
    return found;
}

static size_t copy(uint8_t *to, fh_cursor from, size_t off, size_t len)
{
    fh_cursor cur = from;
    (void)fh_cursor_seek(&cur, off);
    for (size_t i = 0; i < len; i++) {
        to[i] = fh_cursor_u8(&cur);
    }
    return len;
}

/* Tells whether the bytes are one row with this number, as the program writes it. */
static bool is_row(fh_cursor bytes, int64_t number, uint32_t style, fh_budget *budget)
{
    cam_text text;
    cam_line line;
    cam_text_begin(&text, bytes, budget);
    cam_text_line(&text, &line);
    /* The encoding is part of the style; in front of a number there is no mark. */
    if (!line.is_row || line.end != bytes.size || line.row.index != number ||
        make_style(text.scan.encoding, &line) != style || line.separators.num > 0 ||
        line.margins.num > 0) {
        return false;
    }
    for (unsigned i = 0; i < CAM_COLUMNS; i++) {
        if (!line.columns[i].is_plain) {
            return false;
        }
    }
    return true;
}

/* How much of the number and the blank behind it the tail begins with: all, as far as the tail
 * goes, or nothing. */
typedef enum beginning { BEGINS_NOT = 0, BEGINS_SHORT, BEGINS_WHOLE } beginning;

static beginning beginning_of(fh_cursor tail, int64_t number, uint32_t style)
{
    char buf[24];
    fh_text wanted = fh_text_make(buf, sizeof buf);
    const characters text = characters_of(tail, encoding_of(style));
    fh_text_str(fh_text_s64(&wanted, number), " ");
    for (size_t i = 0; i < wanted.len; i++) {
        const int32_t c = character_at(&text, i * text.unit_len);
        if (c == FH_NO_UNIT) {
            return i > 0 ? BEGINS_SHORT : BEGINS_NOT;
        }
        if (c != wanted.buf[i]) {
            return BEGINS_NOT;
        }
    }
    return BEGINS_WHOLE;
}

static bool merge(fh_cut *out, fh_cursor tail, fh_cursor head, int64_t number, uint32_t style,
                  fh_budget *budget)
{
    uint8_t row[2 * MOST_BYTES + 8];
    const size_t unit_len = fh_scan_unit_len(encoding_of(style));
    if (tail.size > MOST_BYTES || head.size > MOST_BYTES + 4 ||
        beginning_of(tail, number, style) == BEGINS_NOT) {
        return false;
    }
    const cuts tails = cuts_of(tail, true, unit_len);
    const cuts heads = cuts_of(head, false, unit_len);
    for (unsigned i = 0; i < tails.num; i++) {
        for (unsigned k = 0; k < heads.num; k++) {
            size_t len = copy(row, tail, 0, tails.lens[i]);
            len += copy(row + len, head, head.size - heads.lens[k], heads.lens[k]);
            if (!fh_pay(budget, 1 + len)) {
                return false;
            }
            if (is_row(fh_cursor_make(row, len, 1), number, style, budget)) {
                *out = (fh_cut){tails.lens[i], heads.lens[k]};
                return true;
            }
        }
    }
    return false;
}

static bool is_begun(fh_cursor tail, int64_t number, uint32_t style)
{
    return beginning_of(tail, number, style) == BEGINS_WHOLE;
}

/* A row ends with an exponent of two or three digits. */
static bool is_ended(fh_cursor head, uint32_t style)
{
    const characters text = characters_of(head, encoding_of(style));
    size_t off = head.size;
    unsigned num_digits = 0;
    while (fh_is_line_end(character_before(&text, off))) {
        off -= text.unit_len;
    }
    for (; num_digits < 3 && fh_is_digit(character_before(&text, off)); num_digits++) {
        off -= text.unit_len;
    }
    const int32_t sign = character_before(&text, off);
    return num_digits >= 2 && (sign == '+' || sign == '-') && off >= 2 * text.unit_len &&
           character_before(&text, off - text.unit_len) == 'e';
}

/* ---- two states of one file ---- */

static bool next_line(cam_text *text, cam_line *line)
{
    if (cam_text_at_end(text)) {
        return false;
    }
    cam_text_line(text, line);
    return line->is_row;
}

static bool is_same_text(const cam_text *a, const cam_line *of_a, const cam_text *b,
                         const cam_line *of_b)
{
    const size_t len = of_a->end - of_a->off;
    fh_cursor from_a = a->scan.cur;
    fh_cursor from_b = b->scan.cur;
    (void)fh_cursor_seek(&from_a, of_a->off);
    (void)fh_cursor_seek(&from_b, of_b->off);
    bool is_same = len == of_b->end - of_b->off;
    for (size_t i = 0; i < len && is_same; i++) {
        is_same = fh_cursor_u8(&from_a) == fh_cursor_u8(&from_b);
    }
    return is_same;
}

static bool differ(int64_t *number, fh_cursor a, fh_cursor b, fh_budget *budget)
{
    cam_text text_a, text_b;
    cam_line line_a, line_b;
    bool has_equal = false;
    bool has_other = false;
    cam_text_begin(&text_a, a, budget);
    cam_text_begin(&text_b, b, budget);
    bool goes_on = next_line(&text_a, &line_a) && next_line(&text_b, &line_b);
    while (goes_on && (!has_equal || !has_other)) {
        const int32_t index_a = line_a.row.index;
        const int32_t index_b = line_b.row.index;
        if (index_a == index_b) {
            const bool is_same = is_same_text(&text_a, &line_a, &text_b, &line_b);
            *number = !is_same && !has_other ? index_a : *number;
            has_equal = has_equal || is_same;
            has_other = has_other || !is_same;
        }
        goes_on = (index_a > index_b || next_line(&text_a, &line_a)) &&
                  (index_b > index_a || next_line(&text_b, &line_b));
    }
    return has_equal && has_other;
}

const fh_joining cam_joining = {
    .rules = {[FH_JOIN_JOINED] = &cam_rules[CAM0051],
              [FH_JOIN_MERGED] = &cam_rules[CAM0054],
              [FH_JOIN_RIVALS] = &cam_rules[CAM0055],
              [FH_JOIN_COPY] = &cam_rules[CAM0056],
              [FH_JOIN_DIFFERENT] = &cam_rules[CAM0052],
              [FH_JOIN_LIMIT] = &cam_rules[CAM0063]},
    .describe = describe,
    .merge = merge,
    .differ = differ,
    .is_begun = is_begun,
    .is_ended = is_ended,
};
