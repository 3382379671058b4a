#include "mutate.h"

#include "mutate_change.h"
#include "mutate_hmd.h"
#include "mutate_text.h"

#include "hunt/exam.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 512, MOST_TRIES = 4 };

typedef struct parts {
    fh_unit all[MOST_PARTS];
    size_t num;
} parts;

static parts own;
static parts others;

/* ---- parts that a format tells ---- */

static void take_part(void *user, const fh_unit *unit)
{
    parts *to = user;
    if (to->num < MOST_PARTS) {
        to->all[to->num++] = *unit;
    }
}

static void find_parts(parts *to, const fh_format *format, const uint8_t *data, size_t size)
{
    to->num = 0;
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

/* Where a place lies when `gone` bytes at `at` have become `come`. */
typedef struct gap {
    size_t at, gone, come;
} gap;

static size_t moved(const void *user, size_t off)
{
    const gap *of = user;
    return off >= of->at + of->gone ? off + of->come - of->gone : off;
}

static bool count(change *c, const fh_unit *unit, const fh_unit *amount, bool is_more,
                  const gap *with)
{
    part_count counts[PART_COUNTS] = {0};
    for (size_t i = 0; i < FH_UNIT_COUNTS; i++) {
        counts[i] = (part_count){unit->counts[i].off, unit->counts[i].len, amount->counts[i].less};
    }
    /* Something has to remain; of what lies deeper nothing need. */
    return count_part(c, counts, is_more, is_more || unit->level > 0 ? 0 : 1, moved, with);
}

/* A text has no numbers that count: parentheses do it. Of a part that was put in now and then one
 * of the two is left out. */
static void open_pair(change *c, size_t off, size_t len)
{
    if (len < 2 || c->data[off] != '(' || c->data[off + len - 1] != ')' ||
        below(c, EACH_WRONG) != 0) {
        return;
    }
    const bool is_first = below(c, 2) == 0;
    const size_t at = is_first ? off : off + len - 1;
    tell_broken(c, at, 0, is_first ? "(" : ")", 1);
    take_out(c, at, 1);
}

/* And of one that was taken out one remains. */
static void leave_half(change *c, size_t off, uint8_t half)
{
    if ((half == '(' || half == ')') && below(c, EACH_WRONG) == 0 && put_in(c, off, &half, 1)) {
        tell_broken(c, off, 1, "", 0);
    }
}

static bool remove_part(change *c)
{
    const fh_unit *unit = &own.all[below(c, own.num)];
    const gap with = {unit->off, unit->len, 0};
    const uint8_t half = c->data[below(c, 2) == 0 ? unit->off : unit->off + unit->len - 1];
    if (!count(c, unit, unit, false, &with)) {
        return false;
    }
    take_out(c, unit->off, unit->len);
    if (c->format->is_text) {
        leave_half(c, unit->off, half);
    }
    return true;
}

/* Puts a part in behind one of the same level, where both are counted by the same numbers. */
static bool insert_part(change *c, const uint8_t *bytes, const fh_unit *from)
{
    const fh_unit *place = &own.all[below(c, own.num)];
    const gap with = {place->off + place->len, 0, from->len};
    if (place->level != from->level || from->len > c->max - c->size) {
        return false;
    }
    uint8_t *copy = malloc(from->len + 1);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, bytes + from->off, from->len);
    const bool is_done = count(c, place, from, true, &with) && put_in(c, with.at, copy, from->len);
    free(copy);
    if (is_done && c->format->is_text) {
        open_pair(c, with.at, from->len);
    }
    return is_done;
}

static bool repeat_part(change *c)
{
    const fh_unit from = own.all[below(c, own.num)];
    return insert_part(c, c->data, &from);
}

static bool splice_part(change *c)
{
    if (c->other_len == 0) {
        return false;
    }
    find_parts(&others, c->format, c->other, c->other_len);
    return others.num > 0 && insert_part(c, c->other, &others.all[below(c, others.num)]);
}

/* The next part of the same level. Between the two there may be blanks in a text, else nothing. */
static const fh_unit *neighbour(const change *c, const fh_unit *of)
{
    const fh_unit *next = NULL;
    for (size_t i = 0; i < own.num; i++) {
        const fh_unit *one = &own.all[i];
        if (one->level == of->level && one->off >= of->off + of->len &&
            (next == NULL || one->off < next->off)) {
            next = one;
        }
    }
    /* The last packet of a frame and the first of another one are counted by different numbers. */
    return next != NULL && next->counts[0].off == of->counts[0].off &&
                   (c->format->is_text || next->off == of->off + of->len)
               ? next
               : NULL;
}

static bool exchange_parts(change *c)
{
    const fh_unit *a = &own.all[below(c, own.num)];
    const fh_unit *b = neighbour(c, a);
    if (b == NULL) {
        return false;
    }
    const size_t between = b->off - (a->off + a->len);
    uint8_t *copy = malloc(a->len + between);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, c->data + a->off, a->len + between);
    memmove(c->data + a->off, c->data + b->off, b->len);
    memcpy(c->data + a->off + b->len, copy + a->len, between);
    memcpy(c->data + a->off + b->len + between, copy, a->len);
    free(copy);
    tell_kept(c);
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

/* ---- all together ---- */

static bool change_parts(change *c)
{
    static move *const moves[] = {remove_part, repeat_part, splice_part, exchange_parts};
    find_parts(&own, c->format, c->data, c->size);
    return own.num > 0 && one_of(c, moves, sizeof moves / sizeof moves[0]);
}

enum { FEW_LEN = 64 }; /* bytes: as long as the inputs are of which an engine makes most */

static bool change_once(change *c)
{
    static move *const of_rows[] = {mutate_text_rows, mutate_text_rows, mutate_text_number};
    static move *const of_text[] = {change_parts, change_parts, mutate_text_number};
    static move *const of_units[] = {change_parts, change_parts, change_word};
    static move *const of_words[] = {mutate_hmd_parts,        mutate_hmd_parts,
                                     mutate_hmd_parts,        mutate_hmd_insert_words,
                                     mutate_hmd_remove_words, change_word};
    /* To know the parts of an HMD it is described, which takes as long as several inputs of few
     * words: these have hardly a part. */
    static move *const of_few_words[] = {mutate_hmd_parts,        mutate_hmd_insert_words,
                                         mutate_hmd_insert_words, mutate_hmd_remove_words,
                                         mutate_hmd_remove_words, change_word};
    const bool has_units = c->format->units != NULL;
    if (c->format->is_text) {
        return one_of(c, has_units ? of_text : of_rows, 3);
    }
    return has_units ? one_of(c, of_units, 3)
                     : one_of(c, c->size > FEW_LEN ? of_words : of_few_words,
                              sizeof of_words / sizeof of_words[0]);
}

size_t fuzz_mutate(const fh_format *format, uint8_t *data, size_t size, size_t max_size,
                   const uint8_t *other, size_t other_len, unsigned seed, fuzz_change *told)
{
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
    uint8_t *before = malloc(size);
    if (before == NULL) {
        return 0;
    }
    memcpy(before, data, size);
    bool is_done = false;
    for (unsigned i = 0; i < MOST_TRIES && !is_done; i++) {
        c.told = (fuzz_change){.claim = FUZZ_FREE};
        is_done = change_once(&c);
        if (!is_done) { /* something may have been changed already */
            memcpy(data, before, size);
            c.size = size;
        }
    }
    free(before);
    if (told != NULL) {
        *told = c.told;
    }
    return is_done ? c.size : 0;
}
