/* The frame of an HMD: header, blocks, coordinates, primitive headers, primitives, records. */
#include "forge/hmd_script.h"

#include <math.h>
#include <string.h>

enum {
    VERSION = 0x50,
    UNIT_WORDS = 20,
    HEADER_POINTER_OFF = 8,
    FLAG_UNSCANNED = 1 << 15, /* in the upper half of a record's word 1 */
    INI = 0x00800000
};

static const double two_pi = 6.28318530717958647692;

/* ---- header and blocks ---- */

static bool do_hmd(forge_hmd_script *s)
{
    forge_asm *as = &s->as;
    forge_operand headers = forge_operand_number(forge_word_range("headers"), 0);
    if (!forge_hmd_put_option(s, forge_word_range("version"), VERSION, 4) ||
        !forge_hmd_put_option(s, forge_word_range("flag"), 0, 4) ||
        !forge_asm_option(as, headers.range, &headers, &s->header_told) ||
        !forge_asm_put(as, &headers, 4)) {
        return false;
    }
    forge_buf_u32(&as->out, 0);
    return forge_asm_counter(as, &s->count, "count", as->out.len - 4, 32) &&
           forge_line_end(&as->line);
}

static bool do_blocks(forge_hmd_script *s)
{
    uint32_t num = 0;
    return forge_asm_put_all(&s->as, forge_word_range("block"), 4, &num) &&
           forge_line_end(&s->as.line) && forge_asm_count(&s->as, &s->count, num);
}

/* ---- coordinates ---- */

static int64_t sine(int64_t angle)
{
    int64_t part = (angle < 0 ? -angle : angle) & 4095;
    int64_t value = (int64_t)lround(4096.0 * sin(two_pi * (double)part / 4096.0));
    return angle < 0 ? -value : value;
}

static int64_t cosine(int64_t angle)
{
    return sine((angle < 0 ? -angle : angle) + 1024);
}

/* Floor division, which the arithmetic shift of the library is. */
static int64_t shifted(int64_t product)
{
    return product >= 0 ? product / 4096 : -((4095 - product) / 4096);
}

static int64_t times(int64_t a, int64_t b)
{
    return shifted(a * b);
}

static int64_t minus_times(int64_t a, int64_t b)
{
    return shifted(-(a * b));
}

/* Order XYZ: Z acts first. The elements stay within 16 bits, being products of sines. */
void forge_hmd_rotation(int16_t m[9], const int64_t angles[3])
{
    const int64_t sx = sine(angles[0]);
    const int64_t cx = cosine(angles[0]);
    const int64_t sy = sine(angles[1]);
    const int64_t cy = cosine(angles[1]);
    const int64_t sz = sine(angles[2]);
    const int64_t cz = cosine(angles[2]);
    const int64_t a = times(cz, -sy);
    const int64_t b = times(sz, -sy);
    const int64_t rows[9] = {
        times(cz, cy),
        minus_times(sz, cy),
        sy,
        times(sz, cx) - times(a, sx),
        times(cz, cx) + times(b, sx),
        minus_times(cy, sx),
        times(sz, sx) + times(a, cx),
        times(cz, sx) - times(b, cx),
        times(cy, cx),
    };
    for (size_t i = 0; i < 9; i++) {
        m[i] = (int16_t)rows[i];
    }
}

static bool do_coordinates(forge_hmd_script *s)
{
    forge_buf_u32(&s->as.out, 0);
    s->has_units = true;
    s->units_off = s->as.out.len;
    return forge_asm_counter(&s->as, &s->count, "count", s->as.out.len - 4, 32) &&
           forge_line_end(&s->as.line);
}

typedef struct unit_values {
    bool has_rot;
    bool has_m;
    bool has_t;
    int64_t rot[3];
    int64_t m[9];
    int64_t t[3];
} unit_values;

static bool read_unit_part(forge_line *line, unit_values *unit)
{
    if (!unit->has_rot && forge_line_accept(line, "rot")) {
        unit->has_rot = true;
        return forge_line_numbers(line, forge_s16_range("rot"), 3, unit->rot);
    }
    if (!unit->has_m && forge_line_accept(line, "m")) {
        unit->has_m = true;
        return forge_line_numbers(line, forge_s16_range("m"), 9, unit->m);
    }
    if (!unit->has_t && forge_line_accept(line, "t")) {
        unit->has_t = true;
        return forge_line_numbers(line, forge_s32_range("t"), 3, unit->t);
    }
    const forge_word *word = forge_line_next(line);
    return forge_line_fail(line,
                           "'%.*s' is no part of a unit, expected rot X Y Z, t X Y Z or m and "
                           "nine elements, each at most once",
                           forge_word_width(word), word->at);
}

static bool read_unit(forge_line *line, unit_values *unit)
{
    while (forge_line_peek(line) != NULL) {
        if (!read_unit_part(line, unit)) {
            return false;
        }
    }
    int16_t m[9];
    forge_hmd_rotation(m, unit->rot);
    for (size_t i = 0; i < 9 && !unit->has_m; i++) {
        unit->m[i] = m[i];
    }
    return true;
}

static void put_halves(forge_hmd_script *s, const int64_t *values, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        forge_buf_u16(&s->as.out, (uint16_t)((uint64_t)values[i] & UINT16_MAX));
    }
}

/* parent=K is the K-th unit; super=VALUE anything else. */
static bool put_super(forge_hmd_script *s)
{
    const forge_range range = forge_range_of("parent", 0, 1 << 20);
    int64_t parent = 0;
    int64_t super = 0;
    bool found = false;
    if (!forge_line_option_number(&s->as.line, range, &parent, &found)) {
        return false;
    }
    if (found) {
        super = (int64_t)(s->units_off / 4) + parent * UNIT_WORDS;
    }
    return forge_hmd_put_option(s, forge_word_range("super"), super, 4);
}

static bool do_unit(forge_hmd_script *s)
{
    forge_asm *as = &s->as;
    unit_values unit = {0};
    if (!read_unit(&as->line, &unit) || !forge_hmd_put_option(s, forge_word_range("flg"), 0, 4)) {
        return false;
    }
    put_halves(s, unit.m, 9);
    if (!forge_hmd_put_option(s, forge_half_range("pad"), 0, 2)) {
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        forge_buf_u32(&as->out, (uint32_t)((uint64_t)unit.t[i] & UINT32_MAX));
    }
    if (!forge_hmd_put_option(s, forge_word_range("workm"), 0, 4)) {
        return false;
    }
    forge_buf_fill(&as->out, 0, 28);
    put_halves(s, unit.rot, 3);
    return forge_hmd_put_option(s, forge_half_range("rotpad"), 0, 2) && put_super(s) &&
           forge_line_end(&as->line) && forge_asm_count(as, &s->count, 1);
}

/* ---- primitive headers ---- */

static bool do_headers(forge_hmd_script *s)
{
    forge_asm *as = &s->as;
    if (!s->header_told && as->out.len % 4 == 0 && as->out.len >= HEADER_POINTER_OFF + 4) {
        forge_put_u32(as->out.data + HEADER_POINTER_OFF, (uint32_t)(as->out.len / 4));
        s->header_told = true;
    }
    forge_buf_u32(&as->out, 0);
    return forge_asm_counter(as, &s->count, "count", as->out.len - 4, 32) &&
           forge_line_end(&as->line);
}

static uint32_t words_left(const forge_line *line)
{
    uint32_t num = 0;
    for (size_t i = line->next; i < line->num_words; i++) {
        num += line->words[i].option ? 0 : 1;
    }
    return num;
}

static bool do_header(forge_hmd_script *s)
{
    const uint32_t num = words_left(&s->as.line);
    if (!forge_hmd_put_option(s, forge_word_range("size"), num, 4)) {
        return false;
    }
    while (forge_line_peek(&s->as.line) != NULL) {
        if (forge_line_accept(&s->as.line, "*")) {
            forge_buf_u32(&s->as.out, num);
        } else if (!forge_hmd_put_next(s, forge_word_range("header word"), 4)) {
            return false;
        }
    }
    return forge_line_end(&s->as.line) && forge_asm_count(&s->as, &s->count, 1);
}

/* ---- primitives, records ---- */

static bool do_primitive(forge_hmd_script *s)
{
    forge_asm *as = &s->as;
    forge_operand header;
    bool found = false;
    int64_t flag = 1;
    if (!forge_hmd_put_option(s, forge_word_range("next"), UINT32_MAX, 4) ||
        !forge_asm_option(as, forge_word_range("header"), &header, &found)) {
        return false;
    }
    if (!found) {
        return forge_line_fail(&as->line, "the primitive's header is missing, expected "
                                          "header=@LABEL");
    }
    if (!forge_asm_put(as, &header, 4) ||
        !forge_line_option_number(&as->line, forge_range_of("map", 0, 1), &flag, NULL)) {
        return false;
    }
    forge_buf_u32(&as->out, (uint32_t)flag << 31);
    return forge_asm_counter(as, &s->count, "count", as->out.len - 4, 31) &&
           forge_line_end(&as->line);
}

/* How a record counts what it refers to. */
enum { COUNT_NOTHING, COUNT_WORDS, COUNT_TRIPLES, COUNT_SIXES, COUNT_POINTS };

static int image_or_device_rule(uint32_t type)
{
    if ((type & 0x0f000000U) == 0x02000000U) {
        return (type & 0xffffU) == 0 ? COUNT_TRIPLES : COUNT_SIXES;
    }
    return (type & 0xff00U) == 0x0200U ? COUNT_WORDS : COUNT_NOTHING;
}

static int count_rule(uint32_t type)
{
    const uint32_t plain = type & ~(uint32_t)INI;
    if (plain == 0 || plain == 0x01000000U || plain == 0x06000100U || type >> 28 != 0) {
        return COUNT_NOTHING;
    }
    switch (type >> 24) {
    case 0:
    case 1:
    case 6:
        return COUNT_POINTS;
    case 2:
    case 7:
        return image_or_device_rule(type);
    case 4:
        return COUNT_WORDS;
    default:
        return COUNT_NOTHING; /* animation: its sequences count themselves */
    }
}

static bool default_count(forge_hmd_script *s, uint32_t type, uint32_t num,
                          const forge_operand *first, forge_operand *count)
{
    switch (count_rule(type)) {
    case COUNT_POINTS:
        if (num == 0 || first->label == FORGE_NO_LABEL || first->from == FORGE_NO_LABEL) {
            return forge_line_fail(&s->as.line, "count is missing, expected count=N, or a place "
                                                "(packets-section) whose packets are counted");
        }
        count->label = first->label;
        count->counts = true;
        return true;
    case COUNT_WORDS:
        count->number = num;
        return true;
    case COUNT_TRIPLES:
        count->number = num / 3;
        return true;
    case COUNT_SIXES:
        count->number = num / 6;
        return true;
    default:
        return true;
    }
}

/* The first data word may carry the division parameter in its upper byte. */
static bool put_data(forge_hmd_script *s, uint32_t *num, forge_operand *first)
{
    forge_asm *as = &s->as;
    int64_t div = 0;
    *num = 0;
    if (!forge_line_option_number(&as->line, forge_u8_range("div"), &div, NULL)) {
        return false;
    }
    if (forge_line_peek(&as->line) != NULL) {
        *num = 1;
        if (!forge_asm_operand(as, forge_word_range("record word"), first)) {
            return false;
        }
        first->add += (uint32_t)div << 24;
        if (!forge_asm_put(as, first, 4)) {
            return false;
        }
    }
    uint32_t more = 0;
    bool ok = forge_asm_put_all(as, forge_word_range("record word"), 4, &more);
    *num += more;
    return ok;
}

/* Word 1, once the data behind it are known: its value goes back to `off`. */
static bool put_control(forge_hmd_script *s, uint32_t type, size_t off, uint32_t num,
                        const forge_operand *first)
{
    forge_asm *as = &s->as;
    int64_t scan = 1;
    const forge_range range = forge_range_of("count", 0, INT16_MAX);
    forge_operand count = forge_operand_number(range, 0);
    bool told = false;
    if (!forge_line_option_number(&as->line, forge_range_of("scan", 0, 1), &scan, NULL) ||
        !forge_asm_option(as, range, &count, &told) ||
        (!told && !default_count(s, type, num, first, &count))) {
        return false;
    }
    count.add = scan != 0 ? FLAG_UNSCANNED : 0;
    s->record_count = (forge_counter){.name = "count", .off = off + 2, .bits = 15, .told = told};
    return forge_asm_counter(as, &s->record_size, "size", off, 16) &&
           forge_asm_count(as, &s->record_size, 1 + num) &&
           forge_asm_put_at(as, &count, off + 2, 2);
}

static bool do_record(forge_hmd_script *s)
{
    int64_t type = 0;
    uint32_t num = 0;
    forge_operand first = forge_operand_number(forge_word_range("record word"), 0);
    if (!forge_line_number(&s->as.line, forge_word_range("type"), &type)) {
        return false;
    }
    const uint32_t word = (uint32_t)((uint64_t)type & UINT32_MAX);
    forge_buf_u32(&s->as.out, word);
    const size_t off = s->as.out.len;
    forge_buf_u32(&s->as.out, 0);
    return put_data(s, &num, &first) && put_control(s, word, off, num, &first) &&
           forge_line_end(&s->as.line) && forge_asm_count(&s->as, &s->count, 1);
}

enum { AT_ANY_RECORD = FORGE_AT_PRIMITIVE | FORGE_AT_RECORD | FORGE_AT_SEQUENCE };

static const forge_hmd_statement statements[] = {
    {"hmd", FORGE_AT_BEGIN, FORGE_AT_BLOCKS, do_hmd},
    {"blocks", FORGE_AT_BLOCKS, FORGE_KEEP, do_blocks},
    {"coordinates", FORGE_ANYWHERE, FORGE_AT_UNITS, do_coordinates},
    {"unit", FORGE_AT_UNITS, FORGE_KEEP, do_unit},
    {"headers", FORGE_ANYWHERE, FORGE_AT_HEADERS, do_headers},
    {"header", FORGE_AT_HEADERS, FORGE_KEEP, do_header},
    {"primitive", FORGE_ANYWHERE, FORGE_AT_PRIMITIVE, do_primitive},
    {"record", AT_ANY_RECORD, FORGE_AT_RECORD, do_record},
};

const forge_hmd_statements forge_hmd_frame = {statements, sizeof statements / sizeof statements[0]};
