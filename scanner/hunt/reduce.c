#include "hunt/reduce.h"

#include "hunt/exam.h"

#include <stdlib.h>
#include <string.h>

enum { UNIT_LEVELS = 3 };

static bool is_over(const fh_reduce *reduce)
{
    return reduce->is_limited || reduce->is_stopped || reduce->no_memory;
}

/* Asks whether the trial of len bytes will do, and takes it over if so. */
static bool ask(fh_reduce *reduce, size_t len)
{
    if (is_over(reduce)) {
        return false;
    }
    if (reduce->steps == reduce->max_steps) {
        reduce->is_limited = true;
        return false;
    }
    reduce->steps++;
    const fh_oracle_answer answer =
        reduce->oracle(reduce->user, fh_cursor_make(reduce->trial, len, 0));
    reduce->is_stopped = answer == FH_ORACLE_STOP;
    if (answer != FH_ORACLE_YES) {
        return false;
    }
    uint8_t *old = reduce->bytes;
    reduce->bytes = reduce->trial;
    reduce->trial = old;
    reduce->len = len;
    return true;
}

/* ---- units ---- */

static void keep_unit(void *user, const fh_unit *unit)
{
    fh_reduce *reduce = user;
    if (unit->level != reduce->level || reduce->no_memory) {
        return;
    }
    if (reduce->num_units == reduce->max_units) {
        const size_t max = reduce->max_units == 0 ? 64 : 2 * reduce->max_units;
        fh_unit *grown = realloc(reduce->units, max * sizeof *grown);
        if (grown == NULL) {
            reduce->no_memory = true;
            return;
        }
        reduce->units = grown;
        reduce->max_units = max;
    }
    reduce->units[reduce->num_units++] = *unit;
}

/* The parts that the format knows. */
static void find_units(fh_reduce *reduce)
{
    const fh_cursor bytes = fh_cursor_make(reduce->bytes, reduce->len, 0);
    const size_t arena_len = fh_arena_len(reduce->len);
    void *block = calloc(1, arena_len);
    reduce->num_units = 0;
    if (block == NULL) {
        reduce->no_memory = true;
        return;
    }
    fh_arena arena = fh_arena_make(block, arena_len);
    fh_budget budget = fh_budget_for(reduce->len, 0);
    const fh_sink nobody = {0};
    const fh_env env = {&arena, &budget, &nobody, NULL};
    const fh_unit_sink sink = {reduce, keep_unit};
    /* What was told before a limit is true. */
    const fh_status status = reduce->format->units(&env, &sink, bytes);
    (void)status;
    free(block);
}

static void find_lines(fh_reduce *reduce)
{
    size_t start = 0;
    reduce->num_units = 0;
    for (size_t i = 0; i < reduce->len; i++) {
        if (reduce->bytes[i] == '\n' || i + 1 == reduce->len) {
            const fh_unit line = {.level = reduce->level, .off = start, .len = i + 1 - start};
            keep_unit(reduce, &line);
            start = i + 1;
        }
    }
}

/* Makes a number of the trial smaller; one that is too small already stays. */
static void count_less(uint8_t *bytes, size_t off, size_t len, uint32_t less)
{
    uint32_t value = 0;
    for (size_t i = 0; i < len; i++) {
        value |= (uint32_t)bytes[off + i] << (8 * i);
    }
    value -= less < value ? less : value;
    for (size_t i = 0; i < len; i++) {
        bytes[off + i] = (uint8_t)(value >> (8 * i) & 0xff);
    }
}

/* Makes the trial without units [from, to). */
static size_t leave_out_units(fh_reduce *reduce, size_t from, size_t to)
{
    memcpy(reduce->trial, reduce->bytes, reduce->len);
    for (size_t i = from; i < to; i++) {
        for (size_t k = 0; k < FH_UNIT_COUNTS; k++) {
            const fh_unit *unit = &reduce->units[i];
            if (unit->counts[k].len > 0) {
                count_less(reduce->trial, unit->counts[k].off, unit->counts[k].len,
                           unit->counts[k].less);
            }
        }
    }
    size_t len = 0;
    size_t at = 0;
    for (size_t i = from; i <= to; i++) {
        const size_t end = i < to ? reduce->units[i].off : reduce->len;
        memmove(reduce->trial + len, reduce->trial + at, end - at);
        len += end - at;
        at = i < to ? end + reduce->units[i].len : end;
    }
    return len;
}

/* Takes out runs of units, half of them at first, from the end on. */
static void take_out_units(fh_reduce *reduce, void (*find)(fh_reduce *reduce))
{
    find(reduce);
    size_t size = reduce->num_units;
    while (size > 0 && !is_over(reduce)) {
        size_t to = reduce->num_units;
        while (to > 0 && !is_over(reduce)) {
            const size_t from = to > size ? to - size : 0;
            if (ask(reduce, leave_out_units(reduce, from, to))) {
                find(reduce); /* those in front are where they were */
            }
            to = from < reduce->num_units ? from : reduce->num_units;
        }
        size /= 2;
    }
}

/* ---- bytes ---- */

static size_t largest_power(size_t len)
{
    size_t power = 1;
    while (power <= len / 2) {
        power *= 2;
    }
    return power;
}

static void take_out_bytes(fh_reduce *reduce)
{
    for (size_t size = largest_power(reduce->len); size > 0 && !is_over(reduce); size /= 2) {
        size_t to = reduce->len;
        while (to > 0 && !is_over(reduce)) {
            const size_t from = to > size ? to - size : 0;
            memcpy(reduce->trial, reduce->bytes, from);
            memcpy(reduce->trial + from, reduce->bytes + to, reduce->len - to);
            (void)ask(reduce, reduce->len - (to - from));
            to = from;
        }
    }
}

static bool is_zero(const uint8_t *bytes, size_t len)
{
    size_t at = 0;
    while (at < len && bytes[at] == 0) {
        at++;
    }
    return at == len;
}

static bool zero_bytes(fh_reduce *reduce)
{
    bool is_changed = false;
    for (size_t size = largest_power(reduce->len); size > 0 && !is_over(reduce); size /= 2) {
        for (size_t at = 0; at < reduce->len && !is_over(reduce); at += size) {
            const size_t num = reduce->len - at < size ? reduce->len - at : size;
            if (is_zero(reduce->bytes + at, num)) {
                continue;
            }
            memcpy(reduce->trial, reduce->bytes, reduce->len);
            memset(reduce->trial + at, 0, num);
            is_changed = ask(reduce, reduce->len) || is_changed;
        }
    }
    return is_changed;
}

/* ---- all of it ---- */

static void take_out(fh_reduce *reduce)
{
    for (unsigned level = 0; level < UNIT_LEVELS && reduce->format->units != NULL; level++) {
        reduce->level = level;
        take_out_units(reduce, find_units);
    }
    if (reduce->format->is_text) {
        take_out_units(reduce, find_lines);
    }
    take_out_bytes(reduce);
}

bool fh_reduce_run(fh_reduce *reduce)
{
    reduce->steps = 0;
    reduce->is_limited = false;
    reduce->is_stopped = false;
    reduce->no_memory = false;
    reduce->trial = malloc(reduce->len + 1);
    if (reduce->trial == NULL) {
        return false;
    }
    size_t before = 0;
    bool goes_on = true;
    while (goes_on && !is_over(reduce)) { /* each time it is smaller, or has more zeros */
        before = reduce->len;
        take_out(reduce);
        goes_on = reduce->len < before;
        if (!reduce->format->is_text) {
            goes_on = zero_bytes(reduce) || goes_on;
        }
    }
    free(reduce->trial);
    free(reduce->units);
    reduce->trial = NULL;
    reduce->units = NULL;
    reduce->num_units = 0;
    reduce->max_units = 0;
    return !reduce->no_memory;
}
