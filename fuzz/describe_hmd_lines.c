/* The lines of all parts of an HMD but packets. */
#include "describe_hmd_parts.h"

#include "hmd/hmd_animation.h"
#include "hmd/hmd_morph.h"

enum { WORDS_A_LINE = 8, NINE = 9 };

static unsigned low_at(const describing *d, uint32_t at)
{
    return hmd_low(word_at(d, at));
}

static unsigned high_at(const describing *d, uint32_t at)
{
    return hmd_high(word_at(d, at));
}

/* Signed half words and words from a place on; half words begin with the lower one. */
static void say_halves(describing *d, const char *name, uint32_t at, unsigned num)
{
    say(d, " %s", name);
    for (unsigned i = 0; i < num; i++) {
        say(d, " %d", (int)hmd_s16(&d->model, at + i / 2, i % 2));
    }
}

static void say_words(describing *d, const char *name, uint32_t at, unsigned num)
{
    say(d, " %s", name);
    for (unsigned i = 0; i < num; i++) {
        say(d, " %d", (int)(int32_t)word_at(d, at + i));
    }
}

static void say_option(describing *d, const char *name, uint32_t value, uint32_t usual)
{
    if (value != usual) {
        say(d, " %s=0x%x", name, (unsigned)value);
    }
}

/* ---- the front ---- */

static void say_front(describing *d)
{
    const hmd_model *model = &d->model;
    say(d, "hmd version=%u flag=%u", (unsigned)word_at(d, 0), (unsigned)word_at(d, 1));
    for (uint32_t i = 0; i < model->num_blocks; i++) {
        say(d, i % WORDS_A_LINE == 0 ? "\nblocks " : " ");
        say_value(d, HMD_FIXED_WORDS + i);
    }
    say(d, "\n");
}

static void say_unit(describing *d, uint32_t at)
{
    const uint32_t parent = d->model.parents[d->of[at]];
    say(d, "unit");
    say_halves(d, "rot", at + HMD_ROT_WORD, 3);
    say_halves(d, "m", at + HMD_MATRIX_WORD, NINE);
    say_words(d, "t", at + HMD_TRANS_WORD, 3);
    say_option(d, "flg", word_at(d, at), 0);
    say_option(d, "pad", high_at(d, at + HMD_MATRIX_WORD + 4), 0);
    say_option(d, "workm", word_at(d, at + HMD_WORKM_WORD), 0);
    say_option(d, "rotpad", high_at(d, at + HMD_ROT_WORD + 1), 0);
    if (parent != HMD_NONE) {
        say(d, " parent=%u", (unsigned)parent);
    } else {
        say_option(d, "super", word_at(d, at + HMD_SUPER_WORD), 0);
    }
    say(d, "\n");
    for (uint32_t i = HMD_WORKM_WORD + 1; i < HMD_ROT_WORD; i++) {
        if (word_at(d, at + i) != 0) {
            say(d, "patch @");
            say_place(d, at + i);
            say(d, " 0x%x\n", (unsigned)word_at(d, at + i));
        }
    }
}

static void say_headers(describing *d, uint32_t at)
{
    say(d, "headers");
    if (d->of[at] == 0) {
        say(d, " count=%u", (unsigned)word_at(d, at));
    }
    say(d, "\n");
}

static void say_header(describing *d, uint32_t at)
{
    say(d, "header");
    for (uint32_t i = at + 1; i < part_end(d, at); i++) {
        say(d, " ");
        say_value(d, i);
    }
    say(d, "\n");
}

/* ---- primitives and records ---- */

static void say_primitive(describing *d, uint32_t at)
{
    const uint32_t word = word_at(d, at + 2);
    say(d, "primitive header=");
    say_value(d, at + 1);
    if (word_at(d, at) != HMD_TERM) {
        say(d, " next=");
        say_value(d, at);
    }
    say_option(d, "map", word >> 31, 1);
    if ((word & ~HMD_MSB) != d->model.primitives[d->of[at]].num_records) {
        say(d, " count=%u", (unsigned)(word & ~HMD_MSB));
    }
    say(d, "\n");
}

/* How many packets and vectors stand from a word to the next label. */
static uint32_t points_from(const describing *d, uint32_t at)
{
    uint32_t num = 0;
    do {
        const uint8_t kind = d->kind[at];
        num += kind == PART_PACKET || kind == PART_MESH || kind == PART_VEC ? 1 : 0;
        num += kind == PART_DELTAS ? high_at(d, at + 1) : 0;
        at = part_end(d, at);
    } while (at < d->num && !d->is_labelled[at]);
    return num;
}

/* Counts that the language knows without being told. */
static bool is_counted(const describing *d, const hmd_record *record, uint32_t num_data,
                       bool has_span)
{
    switch (record->type >> 24) {
    case HMD_IMAGES:
        return record->count == num_data / ((record->type & 0xffff) == 0 ? 3 : 6);
    case HMD_MIME:
        return record->count == num_data;
    default:
        break;
    }
    const uint32_t at = record->off + 2;
    return has_span && d->to[at] < d->num && d->is_labelled[d->to[at]] &&
           points_from(d, d->to[at]) == record->count;
}

/* The first word of polygons holds a division parameter, too. */
static bool say_polygon_index(describing *d, uint32_t at)
{
    const uint32_t word = word_at(d, at);
    if (d->to[at] == HMD_NONE || d->from[at] == HMD_NONE ||
        d->to[at] - d->from[at] != (word & 0xffffff) || !say_span(d, at)) {
        return false;
    }
    say_option(d, "div", word >> 24, 0);
    return true;
}

static void say_data(describing *d, const hmd_record *record, uint32_t end)
{
    const uint8_t category = record->category;
    const bool is_polygon =
        category == HMD_POLYGONS || category == HMD_SHARED || category == HMD_ENVMAP;
    bool has_span = false;
    for (uint32_t at = record->off + 2; at < end; at++) {
        say(d, " ");
        if (at == record->off + 2 && is_polygon && !hmd_is_precalculation(record)) {
            has_span = say_polygon_index(d, at);
        }
        if (at > record->off + 2 || !has_span) {
            say_value(d, at);
        }
    }
    if (!is_counted(d, record, end - record->off - 2, has_span)) {
        say(d, " count=%u", (unsigned)record->count);
    }
}

/* Sequences that fill a record, one behind the other, and nothing else in it. */
static bool has_sequences(const describing *d, const hmd_record *record, uint32_t end)
{
    uint32_t at = record->off + 2;
    if (record->category != HMD_ANIMATION) {
        return false;
    }
    while (at + HMD_SEQUENCE_WORDS <= end) {
        const uint32_t size = low_at(d, at + 1);
        if (size < HMD_SEQUENCE_WORDS) {
            return false;
        }
        at += size;
    }
    return at == end;
}

/* An index of 16 bits in the lower half of a word. */
static void say_index(describing *d, uint32_t at)
{
    const bool leads = d->to[at] != HMD_NONE && d->from[at] != HMD_NONE &&
                       d->to[at] - d->from[at] == low_at(d, at);
    if (!leads || !say_span(d, at)) {
        say(d, "%u", low_at(d, at));
    }
}

static void say_sequence(describing *d, uint32_t at)
{
    const uint32_t size = low_at(d, at + 1);
    const uint32_t word = word_at(d, at + 3);
    const uint32_t last = word_at(d, at + 6);
    say(d, "sequence section=%u offset=%u", (unsigned)(word_at(d, at) >> 24),
        (unsigned)(word_at(d, at) & 0xffffff));
    say_option(d, "num", high_at(d, at + 1), 1 + size - HMD_SEQUENCE_WORDS);
    say_option(d, "ii", low_at(d, at + 2), 0);
    say_option(d, "aframe", high_at(d, at + 2), 0);
    say_option(d, "sid", word & 0xff, 0);
    say(d, " speed=%d", (int)(int8_t)(uint8_t)(word >> 8 & 0xff));
    say_option(d, "srcii", hmd_high(word), 0xffff);
    say_option(d, "rframe", low_at(d, at + 4), 0);
    say_option(d, "tframe", high_at(d, at + 4), 0);
    say_option(d, "ci", low_at(d, at + 5), 0);
    say_option(d, "ti", high_at(d, at + 5), 0);
    say(d, " start=");
    say_index(d, at + 6);
    say_option(d, "startsid", last >> 16 & 0xff, 0);
    say_option(d, "traveling", last >> 24, 0);
    say(d, "\n");
    for (uint32_t i = at + HMD_SEQUENCE_WORDS; i < at + size; i++) {
        say(d, "managed ");
        say_index(d, i);
        say_option(d, "sid", word_at(d, i) >> 16 & 0xff, 0);
        say_option(d, "pad", word_at(d, i) >> 24, 0);
        say(d, "\n");
    }
}

static void say_sequences(describing *d, const hmd_record *record, uint32_t end)
{
    uint32_t num = 0;
    for (uint32_t at = record->off + 2; at < end; at += low_at(d, at + 1)) {
        num++;
    }
    say_option(d, "count", record->count, num);
    say(d, "\n");
    for (uint32_t at = record->off + 2; at < end; at += low_at(d, at + 1)) {
        say_sequence(d, at);
    }
}

static void say_record(describing *d, uint32_t at)
{
    const hmd_record *record = &d->model.records[d->of[at]];
    const uint32_t end = part_end(d, at);
    say(d, "record 0x%08x", (unsigned)word_at(d, at));
    say_option(d, "size", low_at(d, at + 1), end - at - 1);
    say_option(d, "scan", word_at(d, at + 1) >> 31, 1);
    if (has_sequences(d, record, end)) {
        say_sequences(d, record, end);
    } else {
        say_data(d, record, end);
        say(d, "\n");
    }
}

/* ---- animation ---- */

static void say_table(describing *d, uint32_t at)
{
    say(d, "table");
    for (uint32_t i = at + 1; i < part_end(d, at); i++) {
        say(d, " 0x%08x", (unsigned)word_at(d, i));
    }
    say_option(d, "scan", word_at(d, at) >> 31, 1);
    say(d, "\n");
}

static void say_descriptor(describing *d, uint32_t at)
{
    const hmd_descriptor what = hmd_split_descriptor(word_at(d, at));
    switch (what.kind) {
    case HMD_KEY:
        say(d, "key type=%u tframe=%u param=", what.type, what.tframe);
        break;
    case HMD_JUMP:
        say(d, "jump dst=%u cnd=%u to=", what.sid_dst, what.sid_cnd);
        break;
    default:
        if (what.code == HMD_CODE_END || what.code == HMD_CODE_WORK) {
            say(d, "%s", what.code == HMD_CODE_END ? "end" : "work");
        } else {
            say(d, "control code=%u", what.code);
        }
        say(d, " p1=%u p2=", what.p1);
        break;
    }
    say_index(d, at);
    say(d, "\n");
}

static int64_t cell_at(const describing *d, uint32_t byte, unsigned cell_len, bool is_unsigned)
{
    const uint32_t word = word_at(d, byte / HMD_WORD_LEN) >> (8 * (byte % HMD_WORD_LEN));
    switch (cell_len) {
    case 1:
        return is_unsigned ? (int64_t)(word & 0xff) : (int64_t)(int8_t)(uint8_t)(word & 0xff);
    case 2:
        return (int16_t)(uint16_t)hmd_low(word);
    default:
        return (int32_t)word;
    }
}

static void say_key(describing *d, uint32_t at)
{
    static const char *const names[HMD_NUM_PARTS] = {" t", " r", " s", " v"};
    hmd_interp_type type;
    run_insist(hmd_interp_describe(&type, d->of[at]), "a key is of a type that has a function");
    say(d, "value 0x%08x", (unsigned)type.word);
    for (int i = 0; i < HMD_NUM_PARTS; i++) {
        const hmd_interp_part *part = &type.parts[i];
        const uint32_t num = part->num_values * (part->curve == HMD_CURVE_BEZIER ? 3u : 1u);
        if (part->curve == HMD_CURVE_NONE) {
            continue;
        }
        say(d, "%s", names[i]);
        for (uint32_t k = 0; k < num; k++) {
            say(d, " %lld",
                (long long)cell_at(d, at * (uint32_t)HMD_WORD_LEN + part->off + k * part->cell_len,
                                   part->cell_len, true));
        }
    }
    say(d, "\n");
}

/* ---- morphing ---- */

/* Keys that have a difference: as many of the lowest set bits as there are differences. Flags that
 * say something else are told. */
static uint32_t next_key(uint32_t *flags)
{
    uint32_t key = 0;
    while (key < 31 && (*flags >> key & 1) == 0) {
        key++;
    }
    *flags &= ~(UINT32_C(1) << key);
    return key;
}

static bool has_so_many(uint32_t flags, uint32_t num)
{
    for (; flags != 0; flags &= flags - 1) {
        if (num == 0) {
            return false;
        }
        num--;
    }
    return num == 0;
}

static void say_flags(describing *d, uint32_t flags, uint32_t num)
{
    if (!has_so_many(flags, num)) {
        say(d, " flags=0x%x", (unsigned)flags);
    }
}

static void say_joint(describing *d, uint32_t at)
{
    const uint32_t num = high_at(d, at);
    uint32_t flags = word_at(d, at + 1);
    say(d, "joint %u", low_at(d, at));
    say_flags(d, flags, num);
    say(d, "\n");
    for (uint32_t i = 0; i < num; i++) {
        const uint32_t difference = at + 2 + i * HMD_JOINT_DIFF_WORDS;
        say(d, "delta %u", (unsigned)next_key(&flags));
        say_halves(d, "dv", difference, 3);
        say_words(d, "dt", difference + 2, 3);
        say(d, " dtp=%u\n", high_at(d, difference + 1));
    }
}

static void say_shape(describing *d, uint32_t at)
{
    const uint32_t num = high_at(d, at);
    uint32_t flags = word_at(d, at + 1);
    say(d, "shape");
    say_flags(d, flags, num);
    say(d, "\n");
    for (uint32_t i = at + 2; i < part_end(d, at); i++) {
        if (i < at + 2 + num) {
            say(d, "diff %u ", (unsigned)next_key(&flags));
        } else {
            say(d, "notify ");
        }
        say_value(d, i);
        say(d, "\n");
    }
}

static void say_vec(describing *d, uint32_t at)
{
    say_halves(d, "vec", at, 3);
    say_option(d, "pad", high_at(d, at + 1), 0);
    say(d, "\n");
}

/* Vectors that follow would be counted, too. */
static void say_deltas(describing *d, uint32_t at)
{
    const uint32_t end = part_end(d, at);
    say(d, "deltas 0x%x", (unsigned)word_at(d, at));
    say_option(d, "pad", low_at(d, at + 1), 0);
    if (end < d->num && d->kind[end] == PART_VEC) {
        say(d, " count=%u", high_at(d, at + 1));
    }
    say(d, "\n");
    for (uint32_t i = at + 2; i < end; i += 2) {
        say_vec(d, i);
    }
}

static void say_resets(describing *d, uint32_t at)
{
    say(d, "resets");
    say_option(d, "pad", low_at(d, at), 0);
    say(d, "\n");
    for (uint32_t i = at + 1; i < part_end(d, at); i += 3) {
        say(d, "original 0x%x 0x%x %u", (unsigned)word_at(d, i), (unsigned)word_at(d, i + 1),
            high_at(d, i + 2));
        say_option(d, "changed", low_at(d, i + 2), 0);
        say(d, "\n");
    }
}

/* ---- ground and devices ---- */

static void say_ground(describing *d, uint32_t at)
{
    say(d, "ground");
    for (uint32_t i = 0; i < 6; i++) {
        say(d, " %u", i % 2 == 0 ? low_at(d, at + i / 2) : high_at(d, at + i / 2));
    }
    say_option(d, "base", high_at(d, at + 3), 0);
    say(d, "\n");
    for (uint32_t i = at + 4; i < part_end(d, at); i++) {
        say(d, "row %u %u\n", low_at(d, i), high_at(d, i));
    }
}

static void say_bytes(describing *d, uint32_t at, unsigned num)
{
    for (unsigned i = 0; i < num; i++) {
        say(d, " %u", (unsigned)(word_at(d, at) >> (8 * i) & 0xff));
    }
}

static void say_cell(describing *d, uint32_t at)
{
    if (d->kind[at] == PART_TEXTURED_CELL) {
        say(d, "cell textured %u %u\n", low_at(d, at), high_at(d, at));
        return;
    }
    say(d, "cell flat");
    say_bytes(d, at, 3);
    say(d, " %u", low_at(d, at + 1));
    say_option(d, "pad", high_at(d, at + 1), 0);
    say(d, "\n");
}

static void say_corners(describing *d, uint32_t at)
{
    say(d, "corners");
    say_bytes(d, at, 2);
    say_bytes(d, at + 1, 2);
    say_bytes(d, at + 2, 4);
    say(d, " clut=%u page=%u\n", high_at(d, at), high_at(d, at + 1));
}

static void say_light(describing *d, uint32_t at)
{
    const uint32_t num = part_end(d, at) - at;
    say(d, "light");
    say_bytes(d, at, 3);
    if (num > 1) {
        say_words(d, "", at + 1, num - 1);
    }
    say_option(d, "pad", word_at(d, at) >> 24, 0);
    say(d, "\n");
}

/* ---- all parts ---- */

/* Bare words up to the next part or label. */
static uint32_t say_bare(describing *d, uint32_t at)
{
    say(d, "word");
    for (uint32_t i = 0; i < WORDS_A_LINE; i++) {
        say(d, " ");
        say_value(d, at);
        at++;
        if (at >= d->num || d->kind[at] != PART_WORD || d->is_labelled[at]) {
            break;
        }
    }
    say(d, "\n");
    return at;
}

static void say_simple(describing *d, uint32_t at)
{
    switch (d->kind[at]) {
    case PART_COORDINATES:
        say(d, "coordinates\n");
        break;
    case PART_HEIGHTS:
        say(d, "half %u %u\n", low_at(d, at), high_at(d, at));
        break;
    case PART_CAMERA:
        say_words(d, "camera", at, 8);
        say(d, "\n");
        break;
    case PART_LIGHT:
        say_light(d, at);
        break;
    case PART_CORNERS:
        say_corners(d, at);
        break;
    default:
        say_cell(d, at);
        break;
    }
}

uint32_t say_part(describing *d, uint32_t at)
{
    static void (*const by_kind[])(describing *, uint32_t) = {[PART_UNIT] = say_unit,
                                                              [PART_HEADERS] = say_headers,
                                                              [PART_HEADER] = say_header,
                                                              [PART_PRIMITIVE] = say_primitive,
                                                              [PART_RECORD] = say_record,
                                                              [PART_PACKET] = say_packet,
                                                              [PART_MESH] = say_packet,
                                                              [PART_STRIP] = say_packet,
                                                              [PART_VEC] = say_vec,
                                                              [PART_TABLE] = say_table,
                                                              [PART_DESCRIPTOR] = say_descriptor,
                                                              [PART_KEY] = say_key,
                                                              [PART_JOINT] = say_joint,
                                                              [PART_SHAPE] = say_shape,
                                                              [PART_DELTAS] = say_deltas,
                                                              [PART_RESETS] = say_resets,
                                                              [PART_GROUND] = say_ground,
                                                              [PART_LIGHT] = NULL};
    if (at > 0 && d->is_labelled[at]) {
        say(d, "w%u: ", (unsigned)d->names[at]);
    }
    const uint8_t kind = d->kind[at];
    if (kind == PART_WORD || kind == PART_INSIDE) {
        return say_bare(d, at);
    }
    if (kind == PART_FRONT) {
        say_front(d);
    } else if (by_kind[kind] != NULL) {
        by_kind[kind](d, at);
    } else {
        say_simple(d, at);
    }
    return part_end(d, at);
}
