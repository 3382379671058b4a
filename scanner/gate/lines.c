#include "gate/lines.h"

#include <stdlib.h>

typedef struct place {
    size_t off;
    uint32_t line;
    uint32_t column;
    bool after_cr;
} place;

static int by_offset(const void *a, const void *b)
{
    const fh_told *one = *(const fh_told *const *)a;
    const fh_told *other = *(const fh_told *const *)b;
    return (one->finding.offset > other->finding.offset) -
           (one->finding.offset < other->finding.offset);
}

/* UTF-16 shows by its mark, or by the zero that one of its first two bytes is. */
static size_t unit_of(fh_cursor bytes, bool *is_big)
{
    const uint8_t first = fh_cursor_u8(&bytes);
    const uint8_t second = fh_cursor_u8(&bytes);
    *is_big = (first == 0xfe && second == 0xff) || (first == 0 && second != 0);
    return *is_big || (first == 0xff && second == 0xfe) || (first != 0 && second == 0) ? 2 : 1;
}

static uint32_t read_unit(fh_cursor *bytes, size_t unit, bool is_big)
{
    const uint32_t one = fh_cursor_u8(bytes);
    if (unit == 1) {
        return one;
    }
    const uint32_t two = fh_cursor_u8(bytes);
    return is_big ? one << 8 | two : two << 8 | one;
}

static void step(place *at, uint32_t letter, size_t unit)
{
    at->off += unit;
    if (letter == '\n' && at->after_cr) {
        at->after_cr = false; /* the second half of a line end */
        return;
    }
    at->after_cr = letter == '\r';
    if (letter == '\n' || letter == '\r') {
        at->line++;
        at->column = 1;
    } else {
        at->column++;
    }
}

void fh_lines_place(fh_result *result, fh_cursor bytes)
{
    size_t num = 0;
    fh_told **order = calloc(result->num_findings + 1, sizeof(fh_told *));
    if (order == NULL) {
        result->no_memory = true;
        return;
    }
    for (size_t i = 0; i < result->num_findings; i++) {
        if (result->findings[i].finding.offset >= 0) {
            order[num++] = &result->findings[i];
        }
    }
    qsort(order, num, sizeof(fh_told *), by_offset);
    bool is_big = false;
    const size_t unit = unit_of(bytes, &is_big);
    place at = {0, 1, 1, false};
    for (size_t i = 0; i < num; i++) {
        const size_t target = (size_t)order[i]->finding.offset;
        while (at.off + unit <= target && fh_cursor_left(&bytes) >= unit) {
            step(&at, read_unit(&bytes, unit, is_big), unit);
        }
        order[i]->line = at.line;
        order[i]->column = at.column;
    }
    free(order);
}
