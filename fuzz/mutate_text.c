#include "mutate_text.h"

#include <stdlib.h>
#include <string.h>

/* ---- rows ---- */

enum { MOST_ROWS = 512, MOST_DIGITS = 9, TEN = 10 };

typedef struct row {
    size_t off, len; /* with its line end */
} row;

typedef struct rows {
    row all[MOST_ROWS];
    size_t num;
} rows;

static rows own;
static rows others;

/* Rows that end. */
static void find_rows(rows *to, const uint8_t *data, size_t size)
{
    to->num = 0;
    for (size_t off = 0; off < size && to->num < MOST_ROWS;) {
        const uint8_t *end = memchr(data + off, '\n', size - off);
        if (end == NULL) {
            break;
        }
        const size_t next = (size_t)(end - data) + 1;
        to->all[to->num++] = (row){off, next - off};
        off = next;
    }
}

/* The digits that a row begins with; 0 if they are none, or too many. */
static size_t digits_of(const change *c, size_t off)
{
    size_t num = 0;
    while (off + num < c->size && c->data[off + num] >= '0' && c->data[off + num] <= '9') {
        num++;
    }
    return num <= MOST_DIGITS ? num : 0;
}

static uint32_t value_of(const uint8_t *digits, size_t num)
{
    uint32_t value = 0;
    for (size_t i = 0; i < num; i++) {
        value = value * TEN + (uint32_t)(digits[i] - '0');
    }
    return value;
}

static size_t write_number(uint8_t *out, uint32_t value)
{
    size_t num = 1;
    for (uint32_t rest = value / TEN; rest > 0; rest /= TEN) {
        num++;
    }
    for (size_t i = num; i > 0; i--, value /= TEN) {
        out[i - 1] = (uint8_t)('0' + value % TEN);
    }
    return num;
}

/* One row becomes the number that it has to have, or keeps the one it has. */
static bool number_row(change *c, size_t off, uint32_t number, bool is_left)
{
    uint8_t text[MOST_DIGITS + 1];
    const size_t old = digits_of(c, off);
    const size_t len = write_number(text, number);
    if (old == 0) {
        c->told.claim = FUZZ_FREE; /* a row without a number: who knows what it counts as */
        return true;
    }
    if (old == len && memcmp(c->data + off, text, len) == 0) {
        return true;
    }
    if (is_left && c->told.claim == FUZZ_KEPT) {
        tell_broken(c, off, old, text, len);
        return true;
    }
    if (len > c->max - c->size + old) {
        return false;
    }
    take_out(c, off, old);
    return put_in(c, off, text, len);
}

/* All rows are numbered on from `first`, but perhaps the one that was put at `place`, or the one
 * that follows what was taken out there. */
static bool number_rows(change *c, uint32_t first, size_t place)
{
    const bool is_wrong = below(c, EACH_WRONG) == 0;
    tell_kept(c);
    size_t i = 0;
    for (size_t off = 0; off < c->size; i++) {
        if (!number_row(c, off, first + (uint32_t)i, is_wrong && i == place)) {
            return false;
        }
        const uint8_t *end = memchr(c->data + off, '\n', c->size - off);
        off = end == NULL ? c->size : (size_t)(end - c->data) + 1;
    }
    return true;
}

typedef bool row_move(change *c, size_t i);

static bool insert_row(change *c, size_t i, const uint8_t *bytes, row from)
{
    uint8_t *copy = malloc(from.len);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, bytes + from.off, from.len);
    const bool is_done = put_in(c, own.all[i].off + own.all[i].len, copy, from.len);
    free(copy);
    return is_done;
}

static bool repeat_row(change *c, size_t i)
{
    return insert_row(c, i, c->data, own.all[below(c, own.num)]);
}

static bool splice_row(change *c, size_t i)
{
    find_rows(&others, c->other, c->other_len);
    return others.num > 0 && insert_row(c, i, c->other, others.all[below(c, others.num)]);
}

static bool remove_row(change *c, size_t i)
{
    if (own.num < 2) {
        return false;
    }
    take_out(c, own.all[i].off, own.all[i].len);
    return true;
}

static bool exchange_rows(change *c, size_t i)
{
    if (i + 1 >= own.num) {
        return false;
    }
    const row a = own.all[i];
    const size_t second = own.all[i + 1].len;
    uint8_t *copy = malloc(a.len);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, c->data + a.off, a.len);
    memmove(c->data + a.off, c->data + a.off + a.len, second);
    memcpy(c->data + a.off + second, copy, a.len);
    free(copy);
    return true;
}

bool mutate_text_rows(change *c)
{
    /* With the row that is numbered wrong, if one is: as far behind the one that was chosen. */
    static const struct {
        row_move *make;
        size_t behind;
    } moves[] = {{repeat_row, 1}, {splice_row, 1}, {remove_row, 0}, {exchange_rows, 0}};
    find_rows(&own, c->data, c->size);
    const size_t num = own.num == 0 ? 0 : digits_of(c, 0);
    if (num == 0) {
        return false;
    }
    const uint32_t first = value_of(c->data, num);
    const size_t chosen = below(c, sizeof moves / sizeof moves[0]);
    const size_t i = below(c, own.num);
    return moves[chosen].make(c, i) && number_rows(c, first, i + moves[chosen].behind);
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

bool mutate_text_number(change *c)
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
