/* Parts of a camerawork text: the two sides of a cut row, and two states of one file. */
#include "cam_bench.h"

#include <stdio.h>
#include <string.h>

/* Rows of the program with one minus and LF; sheet, size of a line. */
enum { ROW_LEN = 282, CUT = 150 };

/* An offset near which no page or sector begins, and one at which one begins after 100 bytes. */
enum { FAR_FROM_BORDERS = 1, NEAR_A_BORDER = 1024 - 100 };

/* Row 1 of a file of two. */
static void make_row(char out[ROW_LEN])
{
    forge_buf bytes = built("camerawork\nrow key\nrow key\n");
    HOLD(bytes.len == 2 * ROW_LEN, "two rows");
    memcpy(out, (const char *)bytes.data + ROW_LEN, ROW_LEN);
    forge_buf_free(&bytes);
}

static uint32_t style_of_rows(void)
{
    forge_buf bytes = built("camerawork\nrow key\n");
    fh_budget budget = {BENCH_BUDGET};
    fh_part part;
    HOLD(camerawork()->joining->describe(&part, fh_cursor_make(bytes.data, bytes.len, 0), 0,
                                         bytes.len, &budget),
         "a row is a part");
    forge_buf_free(&bytes);
    return part.style;
}

typedef struct side {
    size_t off, len;   /* of row 1 */
    const char *stray; /* what chance put behind a tail, or in front of a head */
    uint64_t origin;
} side;

static fh_cursor side_of(char *buf, const char *row, const side *one, bool is_tail)
{
    const size_t num = strlen(one->stray);
    memcpy(buf + (is_tail ? one->len : 0), one->stray, num);
    memcpy(buf + (is_tail ? 0 : num), row + one->off, one->len);
    return fh_cursor_make(buf, num + one->len, one->origin);
}

typedef struct cut_row {
    side tail, head;
    bool is_one; /* then what is taken of both is what is of the row */
} cut_row;

static const cut_row cut_rows[] = {
    /* All of both sides; be it that a border lies within one of them, at which nothing is cut. */
    {{0, CUT, "", FAR_FROM_BORDERS}, {CUT, ROW_LEN - CUT, "", FAR_FROM_BORDERS}, true},
    {{0, CUT, "", NEAR_A_BORDER}, {CUT, ROW_LEN - CUT, "", FAR_FROM_BORDERS}, true},
    {{0, CUT, "", FAR_FROM_BORDERS}, {CUT, ROW_LEN - CUT, "", NEAR_A_BORDER}, true},
    {{0, CUT, "", NEAR_A_BORDER}, {CUT, ROW_LEN - CUT, "", NEAR_A_BORDER}, true},
    /* Up to a border, however much is behind it. */
    {{0, 100, "xxxxxxxxxx", NEAR_A_BORDER}, {100, ROW_LEN - 100, "", FAR_FROM_BORDERS}, true},
    {{0, CUT, "", FAR_FROM_BORDERS}, {CUT, ROW_LEN - CUT, "xxxxxxxxxx", NEAR_A_BORDER + 90}, true},
    /* Where there is none, but for three characters. */
    {{0, CUT, "xxx", FAR_FROM_BORDERS}, {CUT, ROW_LEN - CUT, "", FAR_FROM_BORDERS}, true},
    {{0, CUT, "", FAR_FROM_BORDERS}, {CUT, ROW_LEN - CUT, "xxx", FAR_FROM_BORDERS}, true},
    {{0, CUT, "xxxx", FAR_FROM_BORDERS}, {CUT, ROW_LEN - CUT, "", FAR_FROM_BORDERS}, false},
    {{0, CUT, "", FAR_FROM_BORDERS}, {CUT, ROW_LEN - CUT, "xxxx", FAR_FROM_BORDERS}, false},
    /* One side may have nothing of the row. */
    {{0, ROW_LEN, "", FAR_FROM_BORDERS}, {0, 0, "", FAR_FROM_BORDERS}, true},
    {{0, 0, "1", FAR_FROM_BORDERS}, {0, ROW_LEN, "", NEAR_A_BORDER}, true},
    /* Another number, and a row that lacks its middle. */
    {{1, CUT - 1, "", FAR_FROM_BORDERS}, {CUT, ROW_LEN - CUT, "", FAR_FROM_BORDERS}, false},
    {{0, CUT, "", FAR_FROM_BORDERS}, {CUT + 20, ROW_LEN - CUT - 20, "", FAR_FROM_BORDERS}, false},
};

Test(cuts, two_sides_of_a_row)
{
    const uint32_t style = style_of_rows();
    char row[ROW_LEN];
    make_row(row);
    for (size_t i = 0; i < sizeof cut_rows / sizeof cut_rows[0]; i++) {
        const cut_row *one = &cut_rows[i];
        char bufs[2][2 * ROW_LEN];
        fh_budget budget = {BENCH_BUDGET};
        fh_cut cut = {0};
        const fh_cursor tail = side_of(bufs[0], row, &one->tail, true);
        const fh_cursor head = side_of(bufs[1], row, &one->head, false);
        HOLD(camerawork()->joining->merge(&cut, tail, head, 1, style, &budget) == one->is_one,
             "case %zu", i);
        HOLD(!one->is_one || (cut.tail_len == one->tail.len && cut.head_len == one->head.len),
             "case %zu: %zu and %zu", i, cut.tail_len, cut.head_len);
    }
}

/* A row that is put together is paid for byte by byte, and one unit more; reading it likewise, and
 * one unit for each of its 25 columns and for its end. */
Test(cuts, a_row_that_is_paid_for)
{
    const uint64_t cost = (1 + ROW_LEN) + (25 + 1 + ROW_LEN);
    const uint32_t style = style_of_rows();
    char row[ROW_LEN];
    make_row(row);
    const fh_cursor tail = fh_cursor_make(row, CUT, FAR_FROM_BORDERS);
    const fh_cursor head = fh_cursor_make(row + CUT, ROW_LEN - CUT, FAR_FROM_BORDERS);
    for (uint64_t units = 0; units < cost + 20; units++) {
        fh_budget budget = {units};
        fh_cut cut;
        const bool is_one = camerawork()->joining->merge(&cut, tail, head, 1, style, &budget);
        HOLD(is_one == (units >= cost), "%d units", (int)units);
    }
}

typedef struct states {
    const char *a, *b; /* behind `camerawork` */
    int64_t number;    /* of the first row that differs; -1: they are not two states of one */
} states;

#define FOUR "\nrow key\nrow\nrow\nrow key\n"
static const states all_states[] = {
    {FOUR, FOUR, -1},
    {FOUR, "\nrow key\nrow pos 1 0 0\nrow\nrow key\n", 1},
    {FOUR, "\nrow key\nrow\nrow\nrow key pos 1 0 0\n", 3},
    {FOUR, "\nrow key pos 1 0 0\nrow\nrow\nrow key\n", 0},
    {FOUR, "\nrow key\nrow\nrow pos 1 0 0\nrow key pos 1 0 0\n", 2},
    /* Nothing is the same, or nothing is of one number. */
    {FOUR, "\nrow\nrow key\nrow key\nrow\n", -1},
    {FOUR, "\nrow 4 key\nrow\n", -1},
    /* One begins later, or ends sooner. */
    {FOUR, "\nrow 2\nrow pos 1 0 0\n", 3},
    {FOUR, "\nrow 3 key\nrow\n", -1},
    {FOUR, "\nrow key\nrow pos 1 0 0\n", 1},
    {FOUR, "\nrow key\nrow\n", -1},
    {"\nrow 3 key\nrow\nrow\n", "\nrow 4\nrow key\nrow key\n", 5},
    /* Numbers go up, but not by 1. */
    {FOUR, "\nrow key\nrow 2 pos 1 0 0\nrow\n", 2},
    {"\nrow key\nrow 5\nrow 9\n", "\nrow key\nrow 3\nrow 9 pos 1 0 0\n", 9},
};

Test(states, rows_that_are_the_same_and_others)
{
    for (size_t i = 0; i < 2 * (sizeof all_states / sizeof all_states[0]); i++) {
        const states *two = &all_states[i / 2];
        char text[2][256];
        (void)snprintf(text[0], sizeof text[0], "camerawork%s", i % 2 == 0 ? two->a : two->b);
        (void)snprintf(text[1], sizeof text[1], "camerawork%s", i % 2 == 0 ? two->b : two->a);
        forge_buf a = built(text[0]);
        forge_buf b = built(text[1]);
        fh_budget budget = {BENCH_BUDGET};
        int64_t number = -1;
        const bool are_two = camerawork()->joining->differ(
            &number, fh_cursor_make(a.data, a.len, 0), fh_cursor_make(b.data, b.len, 0), &budget);
        HOLD(are_two == (two->number >= 0), "case %zu", i);
        HOLD(!are_two || number == two->number, "case %zu: row %d", i, (int)number);
        forge_buf_free(&a);
        forge_buf_free(&b);
    }
}
