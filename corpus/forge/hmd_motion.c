/* Animation: interpolation table, descriptors, keys, sequences. */
#include "forge/hmd_script.h"

enum {
    UPDATE_OFFSET_MAX = (1 << 24) - 1,
    FIRST_EXTRA_SECTION = 4, /* argument words: header size, table, control, parameters, this */
    UNIT_WORDS = 20,
    SEQUENCE_WORDS = 7,
    NONE = 0xffff,
    SPEED_ONE = 16
};

/* ---- interpolation table ---- */

static bool do_table(forge_hmd_script *s)
{
    forge_asm *as = &s->as;
    int64_t scan = 1;
    uint32_t num = 0;
    if (!forge_line_option_number(&as->line, forge_range_of("scan", 0, 1), &scan, NULL)) {
        return false;
    }
    const size_t off = as->out.len;
    forge_buf_u32(&as->out, (uint32_t)scan << 31);
    return forge_asm_put_all(as, forge_word_range("type"), 4, &num) &&
           forge_asm_counter(as, &s->count, "count", off, 31) &&
           forge_asm_count(as, &s->count, num) && forge_line_end(&as->line);
}

/* ---- descriptors ---- */

/* A field of a descriptor: key=value, shifted into the word. */
typedef struct bits {
    const char *name;
    unsigned shift;
    int64_t max;
    bool optional;
} bits;

enum { MAX_BITS = 3 };

/* Only the last field, the lowest bits, may be a label. */
static bool put_descriptor(forge_hmd_script *s, uint32_t kind, const bits *shape)
{
    forge_operand word = forge_operand_number(forge_word_range("descriptor"), 0);
    uint32_t upper = kind;
    for (size_t i = 0; i < MAX_BITS && shape[i].name != NULL; i++) {
        const forge_range range = forge_range_of(shape[i].name, 0, shape[i].max);
        forge_operand value = forge_operand_number(range, 0);
        bool found = false;
        if (!forge_asm_option(&s->as, range, &value, &found)) {
            return false;
        }
        if (!found && !shape[i].optional) {
            return forge_line_fail(&s->as.line, "%s is missing, expected %s=0..%lld", range.name,
                                   range.name, (long long)range.max);
        }
        if (shape[i].shift > 0 && value.label != FORGE_NO_LABEL) {
            return forge_line_fail(&s->as.line, "%s takes a number, no label", range.name);
        }
        if (shape[i].shift > 0) {
            upper |= (uint32_t)value.number << shape[i].shift;
        } else {
            word = value;
        }
    }
    word.add = upper;
    return forge_asm_put(&s->as, &word, 4) && forge_line_end(&s->as.line);
}

static bool do_key(forge_hmd_script *s)
{
    static const bits shape[MAX_BITS] = {{"type", 24, 127, false},
                                         {"tframe", 16, UINT8_MAX, false},
                                         {"param", 0, UINT16_MAX, false}};
    return put_descriptor(s, 0, shape);
}

static bool do_jump(forge_hmd_script *s)
{
    static const bits shape[MAX_BITS] = {
        {"dst", 23, 127, true}, {"cnd", 16, 127, true}, {"to", 0, UINT16_MAX, false}};
    return put_descriptor(s, UINT32_C(2) << 30, shape);
}

static bool do_control(forge_hmd_script *s)
{
    static const bits shape[MAX_BITS] = {
        {"code", 23, 127, false}, {"p1", 16, 127, true}, {"p2", 0, UINT16_MAX, true}};
    return put_descriptor(s, UINT32_C(3) << 30, shape);
}

static bool do_end(forge_hmd_script *s)
{
    static const bits shape[MAX_BITS] = {{"p1", 16, 127, true}, {"p2", 0, UINT16_MAX, true}};
    return put_descriptor(s, UINT32_C(3) << 30 | UINT32_C(1) << 23, shape);
}

static bool do_work(forge_hmd_script *s)
{
    static const bits shape[MAX_BITS] = {{"p1", 16, 127, true}, {"p2", 0, UINT16_MAX, false}};
    return put_descriptor(s, UINT32_C(3) << 30 | UINT32_C(2) << 23, shape);
}

/* ---- keys ---- */

/* A part of a key: num values of width bytes. num 0: no such part, width 0: no such type. */
typedef struct part {
    unsigned num;
    unsigned width;
} part;

static part translation_part(unsigned nibble)
{
    switch (nibble) {
    case 0:
        return (part){0, 4};
    case 1:
    case 3:
        return (part){3, 4};
    case 2:
        return (part){9, 4};
    case 9:
    case 0xb:
        return (part){3, 2};
    case 0xa:
        return (part){9, 2};
    default:
        return (part){0, 0};
    }
}

static part rotation_part(unsigned nibble)
{
    const part parts[] = {{0, 2}, {3, 2}, {9, 2}, {3, 2}};
    return nibble < 4 ? parts[nibble] : (part){0, 0};
}

static part scale_part(unsigned nibble)
{
    switch (nibble) {
    case 0:
        return (part){0, 2};
    case 1:
        return (part){3, 2};
    case 9:
        return (part){1, 2};
    default:
        return (part){0, 0};
    }
}

static part general_part(uint32_t type)
{
    const unsigned algorithm = type >> 8 & 15U;
    const unsigned cells = type >> 4 & 15U;
    const unsigned size = type & 15U;
    if (algorithm < 1 || algorithm > 3 || size > 2) {
        return (part){0, 0};
    }
    return (part){(cells == 7 ? 3U : 1U) * (algorithm == 2 ? 3U : 1U), 4U >> size};
}

static bool no_layout(forge_hmd_script *s, uint32_t type)
{
    return forge_line_fail(&s->as.line, "type 0x%08lx has no key layout; write its words",
                           (unsigned long)type);
}

/* Bytes of general keys are unsigned, the others signed; either may be written here. */
static bool put_part(forge_hmd_script *s, const char *name, part what)
{
    const int64_t half = INT64_C(1) << (8 * what.width - 1);
    if (what.num == 0) {
        return true;
    }
    if (!forge_line_accept(&s->as.line, name)) {
        return forge_line_fail(&s->as.line, "%s is missing, expected it and %u numbers", name,
                               what.num);
    }
    return forge_hmd_put_numbers(s, forge_range_of(name, -half, 2 * half - 1), what.num,
                                 what.width);
}

static bool do_value(forge_hmd_script *s)
{
    int64_t number = 0;
    if (!forge_line_number(&s->as.line, forge_word_range("type"), &number)) {
        return false;
    }
    const uint32_t type = (uint32_t)((uint64_t)number & UINT32_MAX);
    const size_t start = s->as.out.len;
    const char *const names[] = {"t", "r", "s"};
    part parts[3] = {translation_part(type & 15U), rotation_part(type >> 4 & 15U),
                     scale_part(type >> 8 & 15U)};
    const bool general = type >> 16 == 0x0301;
    if (general) {
        parts[0] = general_part(type);
        parts[1] = parts[2] = (part){0, 1};
    }
    for (size_t i = 0; i < 3; i++) {
        if (parts[i].width == 0 || (!general && type >> 16 != 0x0300)) {
            return no_layout(s, type);
        }
        if (!put_part(s, general ? "v" : names[i], parts[i])) {
            return false;
        }
    }
    forge_buf_fill(&s->as.out, 0, (4 - (s->as.out.len - start) % 4) % 4);
    return forge_line_end(&s->as.line);
}

/* ---- sequences ---- */

/* coord=N is the N-th unit of the coordinate section; offset=WORDS any other place. */
static bool put_update(forge_hmd_script *s)
{
    forge_asm *as = &s->as;
    int64_t section = FIRST_EXTRA_SECTION;
    int64_t coord = 0;
    bool has_coord = false;
    bool has_offset = false;
    const forge_range range = forge_range_of("offset", 0, UPDATE_OFFSET_MAX);
    forge_operand offset = forge_operand_number(range, 0);
    if (!forge_line_option_number(&as->line, forge_u8_range("section"), &section, NULL) ||
        !forge_line_option_number(&as->line, forge_range_of("coord", 0, 1 << 19), &coord,
                                  &has_coord) ||
        !forge_asm_option(as, range, &offset, &has_offset)) {
        return false;
    }
    if (has_coord == has_offset) {
        return forge_line_fail(&as->line, "the sequence needs coord=N or offset=WORDS, one of "
                                          "them");
    }
    if (has_coord) {
        offset.number = 1 + UNIT_WORDS * coord;
    }
    offset.add = (uint32_t)section << 24;
    return forge_asm_put(as, &offset, 4);
}

/* Everything behind size and num, in the order of the file. */
static bool put_sequence_fields(forge_hmd_script *s)
{
    const forge_range start = forge_u16_range("start");
    forge_operand index;
    bool found = false;
    if (!forge_hmd_put_option(s, forge_u16_range("ii"), 0, 2) ||
        !forge_hmd_put_option(s, forge_u16_range("aframe"), 0, 2) ||
        !forge_hmd_put_option(s, forge_u8_range("sid"), 0, 1) ||
        !forge_hmd_put_option(s, forge_range_of("speed", INT8_MIN, INT8_MAX), SPEED_ONE, 1) ||
        !forge_hmd_put_option(s, forge_u16_range("srcii"), NONE, 2) ||
        !forge_hmd_put_option(s, forge_half_range("rframe"), 0, 2) ||
        !forge_hmd_put_option(s, forge_u16_range("tframe"), 0, 2) ||
        !forge_hmd_put_option(s, forge_u16_range("ci"), 0, 2) ||
        !forge_hmd_put_option(s, forge_u16_range("ti"), 0, 2) ||
        !forge_asm_option(&s->as, start, &index, &found)) {
        return false;
    }
    if (!found) {
        return forge_line_fail(&s->as.line, "start is missing, expected start=INDEX");
    }
    return forge_asm_put(&s->as, &index, 2) &&
           forge_hmd_put_option(s, forge_u8_range("startsid"), 0, 1) &&
           forge_hmd_put_option(s, forge_u8_range("traveling"), 0, 1);
}

static bool do_sequence(forge_hmd_script *s)
{
    forge_asm *as = &s->as;
    if (!put_update(s)) {
        return false;
    }
    const size_t off = as->out.len;
    forge_buf_u32(&as->out, 0);
    return put_sequence_fields(s) && forge_asm_counter(as, &s->sequence_size, "size", off, 16) &&
           forge_asm_count(as, &s->sequence_size, SEQUENCE_WORDS) &&
           forge_asm_counter(as, &s->sequence_num, "num", off + 2, 16) &&
           forge_asm_count(as, &s->sequence_num, 1) && forge_line_end(&as->line) &&
           forge_asm_count(as, &s->record_count, 1) &&
           forge_asm_count(as, &s->record_size, SEQUENCE_WORDS);
}

static bool do_managed(forge_hmd_script *s)
{
    forge_asm *as = &s->as;
    return forge_hmd_put_next(s, forge_u16_range("start"), 2) &&
           forge_hmd_put_option(s, forge_u8_range("sid"), 0, 1) &&
           forge_hmd_put_option(s, forge_u8_range("pad"), 0, 1) && forge_line_end(&as->line) &&
           forge_asm_count(as, &s->sequence_size, 1) && forge_asm_count(as, &s->sequence_num, 1) &&
           forge_asm_count(as, &s->record_size, 1);
}

static const forge_hmd_statement statements[] = {
    {"table", FORGE_ANYWHERE, FORGE_AT_DATA, do_table},
    {"key", FORGE_ANYWHERE, FORGE_AT_DATA, do_key},
    {"jump", FORGE_ANYWHERE, FORGE_AT_DATA, do_jump},
    {"end", FORGE_ANYWHERE, FORGE_AT_DATA, do_end},
    {"work", FORGE_ANYWHERE, FORGE_AT_DATA, do_work},
    {"control", FORGE_ANYWHERE, FORGE_AT_DATA, do_control},
    {"value", FORGE_ANYWHERE, FORGE_AT_DATA, do_value},
    {"sequence", FORGE_AT_RECORD | FORGE_AT_SEQUENCE, FORGE_AT_SEQUENCE, do_sequence},
    {"managed", FORGE_AT_SEQUENCE, FORGE_KEEP, do_managed},
};

const forge_hmd_statements forge_hmd_motion = {statements,
                                               sizeof statements / sizeof statements[0]};
