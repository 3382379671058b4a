#include "forge/hmd_asm.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_LEN = 4, MAX_ADD = 1 << 24, FIRST_ROOM = 64 };

void forge_asm_free(forge_asm *as)
{
    free(as->labels);
    free(as->fixups);
    as->labels = NULL;
    as->fixups = NULL;
}

/* ---- ranges ---- */

forge_range forge_range_of(const char *name, int64_t min, int64_t max)
{
    return (forge_range){.name = name, .min = min, .max = max};
}

forge_range forge_word_range(const char *name)
{
    return forge_range_of(name, INT32_MIN, UINT32_MAX);
}

forge_range forge_half_range(const char *name)
{
    return forge_range_of(name, INT16_MIN, UINT16_MAX);
}

forge_range forge_u8_range(const char *name)
{
    return forge_range_of(name, 0, UINT8_MAX);
}

forge_range forge_u16_range(const char *name)
{
    return forge_range_of(name, 0, UINT16_MAX);
}

forge_range forge_s16_range(const char *name)
{
    return forge_range_of(name, INT16_MIN, INT16_MAX);
}

forge_range forge_s32_range(const char *name)
{
    return forge_range_of(name, INT32_MIN, INT32_MAX);
}

/* ---- lists ---- */

static bool out_of_memory(forge_asm *as)
{
    return forge_fail(as->line.err, FORGE_IO, as->line.number, "out of memory");
}

/* Room for one more element; the list is doubled. */
static bool make_room(forge_asm *as, void **list, size_t num, size_t *room, size_t size)
{
    if (num < *room) {
        return true;
    }
    size_t more = *room == 0 ? FIRST_ROOM : *room * 2;
    void *moved = realloc(*list, more * size);
    if (moved == NULL) {
        return out_of_memory(as);
    }
    *list = moved;
    *room = more;
    return true;
}

/* ---- labels ---- */

static bool is_name_char(char c, bool first)
{
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    return letter || (!first && c >= '0' && c <= '9');
}

static size_t name_len(const char *at, size_t len)
{
    size_t n = 0;
    while (n < len && is_name_char(at[n], n == 0)) {
        n++;
    }
    return n;
}

/* The label of that name, a new one if need be. */
static bool intern(forge_asm *as, const char *name, size_t len, size_t *index)
{
    for (*index = 0; *index < as->num_labels; (*index)++) {
        const forge_label *label = &as->labels[*index];
        if (label->len == len && memcmp(label->name, name, len) == 0) {
            return true;
        }
    }
    void *list = as->labels;
    if (!make_room(as, &list, as->num_labels, &as->label_room, sizeof as->labels[0])) {
        return false;
    }
    as->labels = list;
    as->labels[as->num_labels++] = (forge_label){.name = name, .len = len};
    return true;
}

bool forge_asm_place(forge_asm *as, const char *name, size_t len)
{
    const forge_word shown = {.at = name, .len = len};
    size_t index = 0;
    if (len == 0 || name_len(name, len) != len) {
        return forge_line_fail(&as->line,
                               "'%.*s' cannot be a label, expected letters, digits and _, not a "
                               "digit first",
                               forge_word_width(&shown), name);
    }
    if (!intern(as, name, len, &index)) {
        return false;
    }
    forge_label *label = &as->labels[index];
    if (label->placed) {
        return forge_line_fail(&as->line, "label '%.*s' again: it was placed in line %u",
                               forge_word_width(&shown), name, label->line);
    }
    label->placed = true;
    label->off = as->out.len;
    label->line = as->line.number;
    as->last_label = index;
    return true;
}

void forge_asm_point(forge_asm *as)
{
    if (as->num_labels > 0) {
        as->labels[as->last_label].points++;
    }
}

/* ---- operands ---- */

forge_operand forge_operand_number(forge_range range, int64_t number)
{
    return (forge_operand){.range = range,
                           .number = number,
                           .label = FORGE_NO_LABEL,
                           .from = FORGE_NO_LABEL,
                           .divide = 1};
}

static bool no_operand(forge_asm *as, const forge_word *word, forge_range range)
{
    return forge_line_fail(&as->line,
                           "%s: '%.*s' is no value, expected a number, @label+N, !label+N, "
                           "(label+N-label)/N or %%label",
                           range.name, forge_word_width(word), word->at);
}

/* A sign and a number, which must reach up to `len`; nothing at all is 0. */
static bool read_add(forge_asm *as, const char *at, size_t len, int64_t *out)
{
    *out = 0;
    if (len == 0) {
        return true;
    }
    const forge_word word = {.at = at, .len = len};
    return forge_word_number(&as->line, &word,
                             forge_range_of("words behind a label", -MAX_ADD, MAX_ADD), out);
}

/* label, label+N, label-N */
static bool read_place(forge_asm *as, const forge_word *word, const char *at, size_t len,
                       forge_operand *out)
{
    size_t name = name_len(at, len);
    bool has_add = name < len && (at[name] == '+' || at[name] == '-');
    if (name == 0 || (name < len && !has_add)) {
        return no_operand(as, word, out->range);
    }
    return intern(as, at, name, &out->label) && read_add(as, at + name, len - name, &out->number);
}

/* (label+N-label), (label-label)/N */
static bool read_span(forge_asm *as, const forge_word *word, forge_operand *out)
{
    const char *at = word->at + 1;
    const char *close = memchr(word->at, ')', word->len);
    const char *minus = memchr(word->at, '-', word->len);
    if (close == NULL || minus == NULL || minus > close) {
        return no_operand(as, word, out->range);
    }
    size_t from = (size_t)(close - minus) - 1;
    size_t behind = word->len - (size_t)(close - word->at) - 1;
    if (from == 0 || name_len(minus + 1, from) != from || (behind > 0 && close[1] != '/') ||
        behind == 1) {
        return no_operand(as, word, out->range);
    }
    if (!read_place(as, word, at, (size_t)(minus - at), out) ||
        !intern(as, minus + 1, from, &out->from)) {
        return false;
    }
    const forge_word divisor = {.at = close + 2, .len = behind == 0 ? 0 : behind - 1};
    return behind == 0 ||
           forge_word_number(&as->line, &divisor, forge_range_of("divisor", 1, 1024), &out->divide);
}

/* a:b are the halves of a word, a:b:c:d its bytes, the lowest first. */
static bool read_parts(forge_asm *as, const forge_word *word, forge_operand *out)
{
    const char *at = word->at;
    const char *end = word->at + word->len;
    int64_t values[4] = {0};
    size_t colons = 0;
    for (size_t i = 0; i < word->len; i++) {
        colons += word->at[i] == ':' ? 1 : 0;
    }
    if ((colons != 1 && colons != 3) || out->range.max < UINT32_MAX) {
        return no_operand(as, word, out->range);
    }
    const forge_range range = colons == 1 ? forge_half_range(out->range.name)
                                          : forge_range_of(out->range.name, INT8_MIN, UINT8_MAX);
    for (size_t i = 0; i <= colons; i++) {
        const char *colon = memchr(at, ':', (size_t)(end - at));
        const forge_word part = {.at = at, .len = (size_t)((colon == NULL ? end : colon) - at)};
        if (!forge_word_number(&as->line, &part, range, &values[i])) {
            return false;
        }
        at = colon == NULL ? end : colon + 1;
    }
    uint32_t mask = colons == 1 ? UINT16_MAX : UINT8_MAX;
    for (size_t i = 0; i <= colons; i++) {
        uint32_t part = (uint32_t)values[i] & mask;
        out->number |= (int64_t)part << (colons == 1 ? 16 * i : 8 * i);
    }
    return true;
}

static bool read_operand(forge_asm *as, const forge_word *word, forge_range range,
                         forge_operand *out)
{
    *out = forge_operand_number(range, 0);
    switch (word->len > 0 && !word->quoted ? word->at[0] : ' ') {
    case '@':
        return read_place(as, word, word->at + 1, word->len - 1, out);
    case '!':
        out->add = UINT32_C(1) << 31;
        return range.max < UINT32_MAX ? no_operand(as, word, range)
                                      : read_place(as, word, word->at + 1, word->len - 1, out);
    case '(':
        return read_span(as, word, out);
    case '%':
        out->counts = true;
        return name_len(word->at + 1, word->len - 1) + 1 == word->len && word->len > 1
                   ? intern(as, word->at + 1, word->len - 1, &out->label)
                   : no_operand(as, word, range);
    default:
        return memchr(word->at, ':', word->len) != NULL
                   ? read_parts(as, word, out)
                   : forge_word_number(&as->line, word, range, &out->number);
    }
}

bool forge_asm_operand(forge_asm *as, forge_range range, forge_operand *out)
{
    const forge_word *word = forge_line_next(&as->line);
    *out = forge_operand_number(range, 0);
    if (word == NULL) {
        return forge_line_fail(&as->line, "%s is missing, expected a number %lld..%lld or a label",
                               range.name, (long long)range.min, (long long)range.max);
    }
    return read_operand(as, word, range, out);
}

bool forge_asm_option(forge_asm *as, forge_range range, forge_operand *out, bool *found)
{
    forge_word value;
    bool present = forge_line_option(&as->line, range.name, &value);
    if (found != NULL) {
        *found = present;
    }
    return !present || read_operand(as, &value, range, out);
}

/* ---- values ---- */

static bool label_off(forge_asm *as, size_t index, size_t *off)
{
    const forge_label *label = &as->labels[index];
    const forge_word shown = {.at = label->name, .len = label->len};
    *off = label->off;
    return label->placed || forge_line_fail(&as->line, "label '%.*s' is nowhere",
                                            forge_word_width(&shown), label->name);
}

static bool label_value(forge_asm *as, const forge_operand *operand, int64_t *out)
{
    size_t off = 0;
    size_t from = 0;
    if (!label_off(as, operand->label, &off) ||
        (operand->from != FORGE_NO_LABEL && !label_off(as, operand->from, &from))) {
        return false;
    }
    if (operand->counts) {
        *out = as->labels[operand->label].points;
        return true;
    }
    int64_t bytes = (int64_t)off - (int64_t)from + operand->number * WORD_LEN;
    const int64_t unit = WORD_LEN * operand->divide;
    if (bytes % unit != 0) {
        return forge_line_fail(&as->line, "%s: %lld bytes are no multiple of %lld",
                               operand->range.name, (long long)bytes, (long long)unit);
    }
    *out = bytes / unit;
    return true;
}

/* The value with its flags; wraps on purpose to the field's 32 bits. */
static bool value_of(forge_asm *as, const forge_operand *operand, uint32_t *out)
{
    int64_t value = operand->number;
    if (operand->label != FORGE_NO_LABEL) {
        if (!label_value(as, operand, &value)) {
            return false;
        }
        if (value < operand->range.min || value > operand->range.max) {
            return forge_line_fail(&as->line, "%s: %lld is out of range, expected %lld..%lld",
                                   operand->range.name, (long long)value,
                                   (long long)operand->range.min, (long long)operand->range.max);
        }
    }
    *out = (uint32_t)(((uint64_t)value + operand->add) & UINT32_MAX);
    return true;
}

static void store(forge_asm *as, size_t off, unsigned width, uint32_t value)
{
    if (off > as->out.len || as->out.len - off < width) {
        return; /* the buffer was full; its state tells */
    }
    for (unsigned i = 0; i < width; i++) {
        as->out.data[off + i] = (uint8_t)(value >> (8 * i) & 0xffU);
    }
}

static bool note(forge_asm *as, const forge_fixup *fixup)
{
    void *list = as->fixups;
    if (!make_room(as, &list, as->num_fixups, &as->fixup_room, sizeof as->fixups[0])) {
        return false;
    }
    as->fixups = list;
    as->fixups[as->num_fixups++] = *fixup;
    return true;
}

bool forge_asm_put_at(forge_asm *as, const forge_operand *value, size_t off, unsigned width)
{
    if (value->label != FORGE_NO_LABEL) {
        return note(as, &(forge_fixup){
                            .value = *value, .off = off, .width = width, .line = as->line.number});
    }
    uint32_t number = 0;
    bool ok = value_of(as, value, &number);
    store(as, off, width, number);
    return ok;
}

bool forge_asm_put(forge_asm *as, const forge_operand *value, unsigned width)
{
    size_t off = as->out.len;
    forge_buf_fill(&as->out, 0, width);
    return forge_asm_put_at(as, value, off, width);
}

bool forge_asm_put_all(forge_asm *as, forge_range range, unsigned width, uint32_t *num)
{
    uint32_t done = 0;
    for (; forge_line_peek(&as->line) != NULL; done++) {
        forge_operand value;
        if (!forge_asm_operand(as, range, &value) || !forge_asm_put(as, &value, width)) {
            return false;
        }
    }
    if (num != NULL) {
        *num = done;
    }
    return true;
}

bool forge_asm_patch(forge_asm *as, const forge_operand *place, const forge_operand *value)
{
    return note(as, &(forge_fixup){.value = *value,
                                   .place = *place,
                                   .is_patch = true,
                                   .width = WORD_LEN,
                                   .line = as->line.number});
}

/* ---- counters ---- */

static unsigned counter_width(const forge_counter *counter)
{
    return counter->bits > 16 ? WORD_LEN : 2;
}

/* The bits above a counter in its bytes (flags) stay. */
static bool add_to(forge_asm *as, const forge_counter *counter, uint32_t add)
{
    unsigned width = counter_width(counter);
    if (counter->off > as->out.len || as->out.len - counter->off < width) {
        return true; /* the buffer was full; its state tells */
    }
    uint32_t old = 0;
    for (unsigned i = 0; i < width; i++) {
        old |= (uint32_t)as->out.data[counter->off + i] << (8 * i);
    }
    const uint64_t max = (UINT64_C(1) << counter->bits) - 1;
    uint64_t value = (old & max) + add;
    if (value > max) {
        return forge_line_fail(&as->line, "%s grows past %llu; give %s=N", counter->name,
                               (unsigned long long)max, counter->name);
    }
    store(as, counter->off, width, (uint32_t)((old & ~max) | value));
    return true;
}

bool forge_asm_counter(forge_asm *as, forge_counter *counter, const char *name, size_t off,
                       unsigned bits)
{
    int64_t told = 0;
    *counter = (forge_counter){.name = name, .off = off, .bits = bits};
    const forge_range range = forge_range_of(name, 0, (int64_t)((UINT64_C(1) << bits) - 1));
    return forge_line_option_number(&as->line, range, &told, &counter->told) &&
           add_to(as, counter, (uint32_t)told);
}

bool forge_asm_count(forge_asm *as, const forge_counter *counter, uint32_t add)
{
    return counter->told || add_to(as, counter, add);
}

/* ---- the end ---- */

static bool patch_place(forge_asm *as, forge_fixup *fixup)
{
    uint32_t words = 0;
    if (!value_of(as, &fixup->place, &words)) {
        return false;
    }
    if (words >= as->out.len / WORD_LEN) {
        return forge_line_fail(&as->line, "place: word %lu is past the end of the file",
                               (unsigned long)words);
    }
    fixup->off = (size_t)words * WORD_LEN;
    return true;
}

/* Patches come last, whatever stood before: they break what is otherwise right. */
static bool apply(forge_asm *as, bool patches)
{
    for (size_t i = 0; i < as->num_fixups; i++) {
        forge_fixup *fixup = &as->fixups[i];
        uint32_t value = 0;
        if (fixup->is_patch != patches) {
            continue;
        }
        as->line.number = fixup->line;
        if ((patches && !patch_place(as, fixup)) || !value_of(as, &fixup->value, &value)) {
            return false;
        }
        store(as, fixup->off, fixup->width, value);
    }
    return true;
}

bool forge_asm_finish(forge_asm *as)
{
    return apply(as, false) && apply(as, true);
}
