#include "mutate.h"

#include "hunt/exam.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 512, WORD_LEN = 4, MOST_INSERTED = 8, EACH_WRONG = 4, MOST_TRIES = 4 };

/* What is changed, and what it is changed with. */
typedef struct change {
    const fh_format *format;
    uint8_t *data;
    size_t size;
    size_t max;
    const uint8_t *other;
    size_t other_len;
    uint64_t random;
} change;

typedef struct parts {
    fh_unit all[MOST_PARTS];
    size_t num;
} parts;

static parts own;
static parts others;

/* A number below num, which is not 0. */
static size_t below(change *c, size_t num)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 7;
    c->random ^= c->random << 17;
    return (size_t)(c->random >> 16) % num;
}

/* ---- bytes ---- */

static bool put_in(change *c, size_t off, const uint8_t *bytes, size_t len)
{
    if (off > c->size || len > c->max - c->size) {
        return false;
    }
    memmove(c->data + off + len, c->data + off, c->size - off);
    memcpy(c->data + off, bytes, len);
    c->size += len;
    return true;
}

static void take_out(change *c, size_t off, size_t len)
{
    memmove(c->data + off, c->data + off + len, c->size - off - len);
    c->size -= len;
}

static uint32_t number_at(const uint8_t *at, size_t len)
{
    uint32_t value = 0;
    for (size_t i = 0; i < len && i < WORD_LEN; i++) {
        value |= (uint32_t)at[i] << (8 * i);
    }
    return value;
}

static void put_number(uint8_t *at, size_t len, uint32_t value)
{
    for (size_t i = 0; i < len && i < WORD_LEN; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
}

/* ---- parts: those that the format tells, and those of a text ---- */

static void take_part(void *user, const fh_unit *unit)
{
    parts *to = user;
    if (to->num < MOST_PARTS) {
        to->all[to->num++] = *unit;
    }
}

static void add_part(parts *to, unsigned level, size_t off, size_t end)
{
    const fh_unit part = {.level = level, .off = off, .len = end - off};
    take_part(to, &part);
}

static void find_lines(parts *to, const uint8_t *data, size_t size)
{
    for (size_t off = 0; off < size;) {
        const uint8_t *end = memchr(data + off, '\n', size - off);
        const size_t next = end == NULL ? size : (size_t)(end - data) + 1;
        add_part(to, 0, off, next);
        off = next;
    }
}

/* What stands in parentheses, on the line that it begins on as far as only blanks are in front. */
static void find_pairs(parts *to, const uint8_t *data, size_t size)
{
    size_t open[16];
    unsigned depth = 0;
    for (size_t i = 0; i < size; i++) {
        if (data[i] == '(' && depth < sizeof open / sizeof open[0]) {
            open[depth++] = i;
        } else if (data[i] == ')' && depth > 0) {
            depth--;
            add_part(to, depth, open[depth], i + 1);
        }
    }
}

static void find_units(parts *to, const fh_format *format, const uint8_t *data, size_t size)
{
    static uint8_t *block;
    static size_t block_len;
    const size_t len = fh_arena_len(size);
    if (block_len < len) {
        free(block);
        block = malloc(len);
        block_len = block == NULL ? 0 : len;
    }
    if (block == NULL) {
        return;
    }
    fh_arena arena = fh_arena_make(block, block_len);
    fh_budget budget = fh_budget_for(size, 0);
    const fh_sink nobody = {0};
    const fh_env env = {&arena, &budget, &nobody, NULL};
    const fh_unit_sink sink = {to, take_part};
    const fh_status status = format->units(&env, &sink, fh_cursor_make(data, size, 0));
    (void)status; /* the parts in front of what is wrong are as good */
}

static void find_parts(parts *to, const fh_format *format, const uint8_t *data, size_t size)
{
    to->num = 0;
    if (size == 0) {
        return;
    }
    if (format->units != NULL) {
        find_units(to, format, data, size);
    } else if (format->is_text && memchr(data, '(', size) != NULL) {
        find_pairs(to, data, size);
    } else if (format->is_text) {
        find_lines(to, data, size);
    }
}

/* Changes the numbers that count a part, by what it is counted for; now and then one is left. */
static void count(change *c, const fh_unit *unit, bool is_more)
{
    const bool is_wrong = below(c, EACH_WRONG) == 0;
    const size_t left = below(c, FH_UNIT_COUNTS);
    for (size_t i = 0; i < FH_UNIT_COUNTS; i++) {
        uint8_t *at = c->data + unit->counts[i].off;
        const size_t len = unit->counts[i].len;
        if (len > 0 && !(is_wrong && i == left)) {
            const uint32_t old = number_at(at, len);
            const uint32_t less = unit->counts[i].less;
            put_number(at, len,
                       is_more      ? (uint32_t)((uint64_t)old + less)
                       : old < less ? 0
                                    : old - less);
        }
    }
}

static bool remove_part(change *c)
{
    const fh_unit *unit = &own.all[below(c, own.num)];
    count(c, unit, false);
    take_out(c, unit->off, unit->len);
    return true;
}

/* Puts a part in behind one of the same level, where both are counted by the same numbers. */
static bool insert_part(change *c, const uint8_t *bytes, const fh_unit *from)
{
    const fh_unit *place = &own.all[below(c, own.num)];
    if (place->level != from->level || from->len > c->max - c->size) {
        return false;
    }
    uint8_t *copy = malloc(from->len + 1);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, bytes + from->off, from->len);
    fh_unit counted = *place;
    for (size_t i = 0; i < FH_UNIT_COUNTS; i++) {
        counted.counts[i].less = from->counts[i].less;
    }
    count(c, &counted, true);
    const bool is_done = put_in(c, place->off + place->len, copy, from->len);
    free(copy);
    return is_done;
}

static bool repeat_part(change *c)
{
    return insert_part(c, c->data, &own.all[below(c, own.num)]);
}

static bool splice_part(change *c)
{
    find_parts(&others, c->format, c->other, c->other_len);
    return others.num > 0 && insert_part(c, c->other, &others.all[below(c, others.num)]);
}

/* Two neighbouring parts of one level change places. */
static bool exchange_parts(change *c)
{
    const size_t first = below(c, own.num);
    const fh_unit *a = &own.all[first];
    if (first + 1 == own.num || own.all[first + 1].level != a->level ||
        own.all[first + 1].off != a->off + a->len) {
        return false;
    }
    uint8_t *copy = malloc(a->len + 1);
    if (copy == NULL) {
        return false;
    }
    const size_t len = own.all[first + 1].len;
    memcpy(copy, c->data + a->off, a->len);
    memmove(c->data + a->off, c->data + a->off + a->len, len);
    memcpy(c->data + a->off + len, copy, a->len);
    free(copy);
    return true;
}

/* ---- words ---- */

static const uint32_t edges[] = {0,      1,      2,          0xff,       0x100,      0x7fff,
                                 0x8000, 0xffff, 0x00010000, 0x7fffffff, 0x80000000, 0xffffffff};
enum { NUM_EDGES = sizeof edges / sizeof edges[0] };

/* A half word or a word becomes an edge, a neighbour, or what stands elsewhere. */
static bool change_word(change *c)
{
    const size_t len = below(c, 2) == 0 ? 2 : WORD_LEN;
    if (c->size < len) {
        return false;
    }
    uint8_t *at = c->data + below(c, c->size / len) * len;
    const uint32_t old = number_at(at, len);
    const uint32_t choices[] = {edges[below(c, NUM_EDGES)], old == UINT32_MAX ? 0 : old + 1,
                                old == 0 ? UINT32_MAX : old - 1,
                                old ^ (uint32_t)1 << below(c, 8 * len),
                                number_at(c->data + below(c, c->size / len) * len, len)};
    put_number(at, len, choices[below(c, sizeof choices / sizeof choices[0])]);
    return true;
}

/* Words that lead behind a place, counted in words from the start, lead `more` words further. */
static void lead_on(change *c, size_t place, size_t more, bool is_more)
{
    const size_t num_words = c->size / WORD_LEN;
    const size_t left = below(c, EACH_WRONG) == 0 ? below(c, num_words) : num_words;
    for (size_t i = 0; i < num_words; i++) {
        uint8_t *at = c->data + i * WORD_LEN;
        const uint32_t value = number_at(at, WORD_LEN);
        const size_t target = value & 0x7fffffff;
        if (i != left && target >= place && target <= num_words) {
            put_number(at, WORD_LEN, is_more ? value + (uint32_t)more : value - (uint32_t)more);
        }
    }
}

static bool insert_words(change *c)
{
    const bool is_spliced = c->other_len >= WORD_LEN && below(c, 2) == 0;
    const uint8_t *from = is_spliced ? c->other : c->data;
    const size_t num_from = (is_spliced ? c->other_len : c->size) / WORD_LEN;
    const size_t num_words = c->size / WORD_LEN;
    uint8_t words[MOST_INSERTED * WORD_LEN];
    if (num_from == 0 || num_words == 0 || c->max - c->size < sizeof words) {
        return false;
    }
    const size_t at = below(c, num_from);
    size_t num = 1 + below(c, MOST_INSERTED);
    num = num < num_from - at ? num : num_from - at;
    const size_t place = below(c, num_words + 1);
    memcpy(words, from + at * WORD_LEN, num * WORD_LEN);
    lead_on(c, place, num, true);
    return put_in(c, place * WORD_LEN, words, num * WORD_LEN);
}

static bool remove_words(change *c)
{
    const size_t num_words = c->size / WORD_LEN;
    if (num_words < 2) {
        return false;
    }
    const size_t place = below(c, num_words - 1);
    size_t num = 1 + below(c, MOST_INSERTED);
    num = num < num_words - place ? num : num_words - place - 1;
    lead_on(c, place + num, num, false);
    take_out(c, place * WORD_LEN, num * WORD_LEN);
    return true;
}

/* ---- numbers of a text ---- */

static const char *const texts[] = {"0",
                                    "-0",
                                    "1",
                                    "-1",
                                    "2",
                                    "3",
                                    "10",
                                    "11",
                                    "100.000000",
                                    "32767",
                                    "32768",
                                    "65535",
                                    "0.5",
                                    "1e38",
                                    "1e39",
                                    "1e-45",
                                    "-1e308",
                                    "4294967295",
                                    "2147483648",
                                    "nan",
                                    "inf",
                                    "1.",
                                    ".5",
                                    "+1",
                                    "1e",
                                    "0x10",
                                    "00",
                                    "0.000000e+00",
                                    "360.000000",
                                    "1.000000e+00",
                                    "-1.000000e+00",
                                    "179.999999"};
enum { NUM_TEXTS = sizeof texts / sizeof texts[0] };

static bool is_digit(uint8_t byte)
{
    return (byte >= '0' && byte <= '9') || byte == '.' || byte == '-';
}

static bool change_number(change *c)
{
    if (c->size == 0) {
        return false;
    }
    size_t off = below(c, c->size);
    while (off < c->size && !is_digit(c->data[off])) {
        off++;
    }
    size_t end = off;
    while (end < c->size &&
           (is_digit(c->data[end]) || c->data[end] == 'e' || c->data[end] == '+')) {
        end++;
    }
    const char *text = texts[below(c, NUM_TEXTS)];
    const size_t len = strlen(text);
    if (off == end || len > c->max - c->size) {
        return false;
    }
    take_out(c, off, end - off);
    return put_in(c, off, (const uint8_t *)text, len);
}

/* ---- all together ---- */

typedef bool move(change *c);

static bool one_of(change *c, move *const *moves, size_t num)
{
    return moves[below(c, num)](c);
}

static bool change_parts(change *c)
{
    static move *const moves[] = {remove_part, repeat_part, splice_part, exchange_parts};
    find_parts(&own, c->format, c->data, c->size);
    return own.num > 0 && one_of(c, moves, sizeof moves / sizeof moves[0]);
}

size_t fuzz_mutate(const fh_format *format, uint8_t *data, size_t size, size_t max_size,
                   const uint8_t *other, size_t other_len, unsigned seed)
{
    static move *const of_text[] = {change_parts, change_parts, change_number};
    static move *const of_units[] = {change_parts, change_parts, change_word};
    static move *const of_words[] = {insert_words, remove_words, change_word, change_word};
    change c = {.format = format,
                .data = data,
                .size = size,
                .max = max_size,
                .other = other,
                .other_len = other_len,
                .random = ((uint64_t)seed + 1) * UINT64_C(0x9e3779b97f4a7c15)};
    if (size == 0 || size > max_size) {
        return 0;
    }
    bool is_done = false;
    for (unsigned i = 0; i < MOST_TRIES && !is_done; i++) {
        is_done = format->is_text         ? one_of(&c, of_text, 3)
                  : format->units != NULL ? one_of(&c, of_units, 3)
                                          : one_of(&c, of_words, 4);
    }
    return is_done ? c.size : 0;
}
