/* Camerawork: what the probe says of bytes, and how far it looks. */
#include "cam_bench.h"

#include <stdio.h>
#include <string.h>

static fh_probe probe_at(const uint8_t *bytes, size_t len, uint64_t origin, fh_end end,
                         uint64_t budget_left)
{
    fh_budget budget = {budget_left};
    fh_probe out;
    camerawork()->probe(&out, fh_cursor_make(bytes, len, origin), end, NULL, NULL, &budget);
    return out;
}

Test(camerawork, a_probe_asks_for_more_until_the_rows_break_off)
{
    forge_buf bytes = built("camerawork\nrow key\nrow\nrow key\ntext \"the end\"\n");
    const size_t rows = bytes.len - strlen("the end\n");
    for (size_t len = 0; len < bytes.len; len++) {
        const fh_probe open = probe_at(bytes.data, len, 64, FH_END_NONE, 1 << 20);
        HOLD(open.verdict == FH_MORE && open.length > len, "%zu bytes", len);
    }
    const fh_probe open = probe_at(bytes.data, bytes.len, 64, FH_END_NONE, 1 << 20);
    cr_assert(eq(int, open.verdict, FH_ACCEPT));
    cr_assert(eq(sz, open.length, rows));
    const fh_probe closed = probe_at(bytes.data, rows - 1, 64, FH_END_STREAM, 1 << 20);
    cr_assert(eq(int, closed.verdict, FH_ACCEPT), "without a line end");
    forge_buf_free(&bytes);
}

Test(camerawork, inside_a_source_rows_are_no_file_on_their_own)
{
    forge_buf one = built("camerawork\nrow key\n");
    forge_buf odd = built("camerawork form=given\nrow key\nrow\nrow key\n");
    forge_buf rows = built("camerawork\nrow 9 key\nrow\nrow key\nrow\n");
    cr_assert(eq(int, probe_at(one.data, one.len, 0, FH_END_FILE, 1 << 20).verdict, FH_ACCEPT));
    cr_assert(eq(int, probe_at(one.data, one.len, 4, FH_END_FILE, 1 << 20).verdict, FH_REJECT));
    cr_assert(eq(int, probe_at(odd.data, odd.len, 4, FH_END_FILE, 1 << 20).verdict, FH_ACCEPT),
              "defaults are printed whatever the form is");
    /* Row 10, from its second digit on, reads as a row 0. */
    const uint8_t *ten = memchr(rows.data, '\n', rows.len);
    HOLD(ten != NULL && memcmp(ten + 1, "10 ", 3) == 0, "row 10 is there");
    const size_t off = (size_t)(ten + 2 - rows.data);
    const fh_probe inner = probe_at(rows.data + off, rows.len - off, off, FH_END_FILE, 1 << 20);
    cr_assert(eq(int, inner.verdict, FH_REJECT));
    cr_assert(eq(str, (char *)inner.rule->code, "CAM0008"));
    cr_assert(not(inner.near_miss));
    forge_buf_free(&one);
    forge_buf_free(&odd);
    forge_buf_free(&rows);
}

Test(camerawork, a_spent_budget_is_told)
{
    forge_buf bytes = built("camerawork\ncircle 101 10 10 90\n");
    uint64_t least = 0;
    for (uint64_t left = 0; left < 200000; left += 97) {
        const fh_probe probe = probe_at(bytes.data, bytes.len, 0, FH_END_FILE, left);
        if (probe.verdict == FH_ACCEPT) {
            least = left;
            break;
        }
        HOLD(probe.status == FH_LIMIT && strcmp(probe.rule->code, "CAM0063") == 0, "%u",
             (unsigned)left);
    }
    HOLD(least > 0 && least < 2 * bytes.len, "a probe costs less than twice its bytes");
    for (uint64_t left = 0; left < 200000; left += 997) {
        bench b;
        open_cam(&b);
        const fh_sink sink = record_sink(&b.verify);
        fh_budget budget = {left};
        b.arena = fh_arena_make(b.block, BENCH_ARENA);
        const fh_env env = {&b.arena, &budget, &sink};
        const fh_status status = b.format->verify(&b.asset, &b.model, &env,
                                                  fh_cursor_make(bytes.data, bytes.len, 0), &alone);
        HOLD(status == FH_OK || (status == FH_LIMIT && record_count(&b.verify, "CAM0063") == 1),
             "%u", (unsigned)left);
        bench_close(&b);
    }
    forge_buf_free(&bytes);
}

typedef struct finding_of_probe {
    const char *text; /* behind `camerawork` */
    uint64_t origin;
    fh_end end;
    const char *code; /* NULL: accepted */
    size_t off;       /* then the length, 0: of all */
    bool is_near_miss, is_part;
} finding_of_probe;

#define FILE_END 0, FH_END_FILE
#define INSIDE 4096, FH_END_STREAM
enum { ROW_LEN = 282 }; /* of the program with one minus and LF; sheet, size of a line */

static const finding_of_probe cases_of_probe[] = {
    {"\nrow key\n", FILE_END, NULL, 0, false, false},
    {"\nrow key\n", INSIDE, "CAM0012", ROW_LEN, false, true},
    {"\nrow\ntext \"x\"\n", 0, FH_END_NONE, "CAM0010", ROW_LEN, true, false},
    {"\nrow key\nrow columns=3\n", FILE_END, "CAM0001", ROW_LEN, true, false},
    {"\nrow key\nrow columns=3\n", INSIDE, "CAM0001", ROW_LEN, false, true},
    {"\nrow key\nrow columns=3 eol=none\n", INSIDE, "CAM0002", ROW_LEN, false, true},
    {"\nrow key eol=none\n", INSIDE, "CAM0012", ROW_LEN - 1, false, false},
    {"\nrow key\nrow 7\n", INSIDE, "CAM0008", 0, false, true},
    /* The form of the first number; at the start of a source any, if there is nothing else. */
    {" form=given\nrow key pos 1.5 0 0\n", FILE_END, NULL, 0, false, false},
    {" form=given\nrow key pos 1.5 0 0\ntext \"\"\n", FILE_END, NULL, ROW_LEN - 31, false, false},
    {" form=given\nrow key pos 1.5 0 0\nrow\n", INSIDE, "CAM0012", 0, false, false},
    {" form=given\nset pos 0 0 1 target 0 0 -1 top 0 1 0 anchor 0 0 0 vel 0 0 0 dtarget 0 0 0 "
     "dtop 0 0 0\nrow key\nrow\n",
     FILE_END, NULL, 0, false, false},
    {" form=given\nset pos 0 0 1 target 0 0 -1 top 0 1 0 anchor 0 0 0 vel 0 0 0 dtarget 0 0 0 "
     "dtop 0 0 0\nrow key\nrow\nrow 7\n",
     FILE_END, "CAM0012", 0, false, false},
    {" form=given\nset pos 0 0 1 target 0 0 -1 top 0 1 0 anchor 0 0 0 vel 0 0 0 dtarget 0 0 0 "
     "dtop 0 0 0\nrow key\n",
     FILE_END, "CAM0012", 0, false, false},
    /* What is wrong with the first line. */
    {"\nrow c5=x\n", FILE_END, "CAM0004", 30, true, false},
    {"\nrow c1=x\n", FILE_END, "CAM0010", 0, false, false},
    {"\nrow c1=1x\n", FILE_END, "CAM0003", 0, false, false},
    {" form=given\nrow pos 1.5 0 0 c5=x\n", FILE_END, "CAM0004", 10, false, false},
    {"\nrow columns=2\n", FILE_END, "CAM0001", 0, false, false},
    {"\nrow columns=3\n", FILE_END, "CAM0001", 0, true, false},
    {"\nrow columns=3 c3=1.5\n", FILE_END, "CAM0001", 0, false, false},
    {"\nrow c3=nan key\nrow\n", INSIDE, "CAM0005", 0, false, false},
    {"\nrow c2=1 c3=1.5 c5=nan\nrow\n", INSIDE, "CAM0012", 0, false, false},
    {"\nrow columns=2 eol=none\n", FILE_END, "CAM0002", 0, false, false},
    {"\nrow columns=26 eol=none\n", FILE_END, "CAM0001", 0, true, false},
    {"\ntext \"\"\n", FILE_END, "CAM0009", 0, false, false},
    {"\n", FILE_END, "CAM0002", 0, false, false},
    /* A byte that no line can hold. */
    {"\nrow columns=2 eol=none\nbyte 1\n", FILE_END, "CAM0016", 3, false, false},
    {"\nrow columns=2 eol=none\nbyte 233\n", FILE_END, "CAM0019", 3, false, false},
    {"\nrow columns=2 eol=none\nzero 3\n", FILE_END, "CAM0002", 3, false, false},
    {"\nrow columns=2 eol=none\nzero 3\n", INSIDE, "CAM0016", 3, false, false},
    {"\nrow columns=26 eol=none\nzero 3\n", FILE_END, "CAM0001", ROW_LEN + 12, true, false},
    {"\nzero 3\n", FILE_END, "CAM0017", 0, false, false},
    {"\nrow eol=none\nbyte 1\n", FILE_END, "CAM0016", ROW_LEN - 1, true, false},
    {"\nrow eol=none\nbyte 233\n", FILE_END, "CAM0019", ROW_LEN - 1, true, false},
    {"\nrow eol=none\nzero 3\n", FILE_END, NULL, ROW_LEN - 1, false, false},
    {"\nrow\ntext \"\"\nzero 3\n", FILE_END, NULL, ROW_LEN, false, false},
    {"\nrow 2\nrow 2\n", FILE_END, "CAM0008", 0, true, false},
    /* A blank line behind one row: of lines inside of a source it is just that; else what follows
     * it tells. */
    {"\nrow key\ntext \"\"\n", INSIDE, "CAM0009", ROW_LEN, false, true},
    {"\nrow key\ntext \"\"\ntext \"x\"\n", FILE_END, "CAM0009", ROW_LEN, true, false},
    {" form=given\nrow 3 key pos 1.5 0 0\ntext \"\"\n", FILE_END, "CAM0012", ROW_LEN - 31, false,
     false},
    {" form=given\nrow 3 key pos 1.5 0 0\ntext \"\"\nzero 3\n", FILE_END, "CAM0017", ROW_LEN - 31,
     false, false},
    {" form=given\nrow 3 key pos 1.5 0 0\ntext \"\"\nzero 1\n", FILE_END, "CAM0017", ROW_LEN - 31,
     false, false},
    {"\nrow eol=none\nzero 3\n", INSIDE, "CAM0016", ROW_LEN - 1, false, false},
};

Test(probe, what_is_not_one)
{
    const finding_of_probe *cases = cases_of_probe;
    for (size_t i = 0; i < sizeof cases_of_probe / sizeof cases_of_probe[0]; i++) {
        char text[512];
        fh_budget budget = {BENCH_BUDGET};
        fh_probe got;
        (void)snprintf(text, sizeof text, "camerawork%s", cases[i].text);
        forge_buf bytes = built(text);
        fh_format_find("camerawork")
            ->probe(&got, fh_cursor_make(bytes.data, bytes.len, cases[i].origin), cases[i].end,
                    NULL, NULL, &budget);
        if (cases[i].code == NULL) {
            const size_t len = cases[i].off == 0 ? bytes.len : cases[i].off;
            HOLD(got.verdict == FH_ACCEPT && got.length == len, "case %zu", i);
        } else {
            HOLD(got.verdict == FH_REJECT && strcmp(got.rule->code, cases[i].code) == 0,
                 "case %zu: %s", i, got.rule == NULL ? "accepted" : got.rule->code);
            HOLD(got.reject_off == cases[i].off, "case %zu: at %zu", i, got.reject_off);
            HOLD(got.status == (strcmp(cases[i].code, "CAM0002") == 0 ? FH_TRUNCATED : FH_CORRUPT),
                 "case %zu", i);
        }
        HOLD(got.near_miss == cases[i].is_near_miss, "case %zu: near miss", i);
        HOLD(got.is_part == cases[i].is_part, "case %zu: part", i);
        forge_buf_free(&bytes);
    }
}

/* A spent budget is a rejection that says so, and of no use as a part. */
Test(probe, every_budget)
{
    forge_buf bytes = built("camerawork" SOUND);
    for (uint64_t origin = 0; origin < 2; origin++) {
        bool was_accepted = false;
        for (uint64_t units = 0; units < 2 * bytes.len; units++) {
            fh_budget budget = {units};
            fh_probe got;
            fh_format_find("camerawork")
                ->probe(&got, fh_cursor_make(bytes.data, bytes.len, origin), FH_END_FILE, NULL,
                        NULL, &budget);
            HOLD(got.verdict == FH_ACCEPT || !was_accepted, "%d units", (int)units);
            HOLD(got.verdict == FH_ACCEPT ||
                     (got.status == FH_LIMIT && strcmp(got.rule->code, "CAM0063") == 0 &&
                      !got.is_part && !got.near_miss),
                 "%d units: %s", (int)units, got.rule->code);
            was_accepted = got.verdict == FH_ACCEPT;
        }
        cr_assert(was_accepted);
    }
    forge_buf_free(&bytes);
}

/* What is behind a cut line is looked at as far as that is paid for. */
Test(probe, zeros_that_are_not_paid_for)
{
    forge_buf bytes = built("camerawork\nrow columns=2 eol=none\nzero 9\n");
    for (uint64_t units = 0; units < 40; units++) {
        fh_budget budget = {units};
        fh_probe got;
        fh_format_find("camerawork")
            ->probe(&got, fh_cursor_make(bytes.data, bytes.len, 0), FH_END_FILE, NULL, NULL,
                    &budget);
        /* Three tokens of four characters, and nine zeros. */
        const char *wanted = units < 3 + 4 + 9 ? "CAM0063" : "CAM0002";
        HOLD(got.verdict == FH_REJECT && strcmp(got.rule->code, wanted) == 0, "%d units: %s",
             (int)units, got.rule->code);
        HOLD(got.status == (units < 3 + 4 + 9 ? FH_LIMIT : FH_TRUNCATED), "%d units", (int)units);
    }
    forge_buf_free(&bytes);
}

/* Likewise what is behind a blank line: while that is not paid for, nothing is said of it. */
Test(probe, lines_behind_a_blank_one_that_are_not_paid_for)
{
    forge_buf bytes = built("camerawork\nrow key\ntext \"\"\ntext \"x\"\n");
    fh_budget enough = {BENCH_BUDGET};
    fh_probe got;
    camerawork()->probe(&got, fh_cursor_make(bytes.data, bytes.len, 0), FH_END_FILE, NULL, NULL,
                        &enough);
    const uint64_t cost = BENCH_BUDGET - enough.left;
    for (uint64_t units = 0; units < cost + 10; units++) {
        got = probe_at(bytes.data, bytes.len, 0, FH_END_FILE, units);
        const bool is_paid = units >= cost;
        HOLD(got.verdict == FH_REJECT &&
                 strcmp(got.rule->code, is_paid ? "CAM0009" : "CAM0063") == 0,
             "%d units: %s", (int)units, got.rule->code);
        HOLD(got.status == (is_paid ? FH_CORRUPT : FH_LIMIT), "%d units", (int)units);
        HOLD(got.near_miss == is_paid, "%d units: it is not known to be damaged", (int)units);
    }
    forge_buf_free(&bytes);
}

#define WHOLE_NUMBERS                                                                              \
    " target 0 0 -1 top 0 1 0 anchor 0 0 0 vel 0 0 0 dtarget 0 0 0 dtop 0 0 0\nrow key\nrow\nrow " \
    "7\n"

/* A point or an exponent in one number tells two rows at the start of a source from a table of
 * whole numbers. */
Test(probe, points_and_exponents)
{
    static const struct {
        const char *pos;
        bool is_one;
    } cases[] = {{"0 0 1", false}, {"0 0 1.5", true}, {"0 0 1.", true}, {"0 1e5 0", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        (void)snprintf(text, sizeof text, "camerawork form=given\nset pos %s" WHOLE_NUMBERS,
                       cases[i].pos);
        forge_buf bytes = built(text);
        const fh_probe got = probe_at(bytes.data, bytes.len, 0, FH_END_FILE, BENCH_BUDGET);
        HOLD(got.verdict == (cases[i].is_one ? FH_ACCEPT : FH_REJECT), "%s", cases[i].pos);
        forge_buf_free(&bytes);
    }
}

/* What a search looks for: the blank or TAB in front of the flag, the flag, and in UTF-16 the zero
 * bytes between them. A text may begin at any byte. */
Test(search, words_of_the_flag)
{
    static const char before[] = " \t\n0";
    static const char flags[] = "012 ";
    const fh_format *format = camerawork();
    cr_assert(eq(u32, format->alignment, 1));
    for (unsigned i = 0; i < 16; i++) {
        const uint32_t blank = (uint32_t)before[i / 4];
        const uint32_t flag = (uint32_t)flags[i % 4];
        const uint32_t words[2] = {blank | flag << 8 | (uint32_t)' ' << 16 | (uint32_t)'1' << 24,
                                   blank | flag << 16};
        for (unsigned kind = 0; kind < 2; kind++) {
            unsigned num = 0;
            for (size_t k = 0; k < format->num_magics; k++) {
                num += (words[kind] & format->magics[k].mask) == format->magics[k].value ? 1 : 0;
            }
            HOLD(num == (i / 4 < 2 && i % 4 < 2 ? 1 : 0), "%#x: %u", words[kind], num);
        }
    }
}

/* Inside of a source a first row in another form is enough to know: no more bytes are asked for. */
Test(probe, no_more_is_asked_for_a_row_in_another_form)
{
    forge_buf bytes = built("camerawork form=given\nrow key pos 1.5 0 0\nrow columns=3 eol=none\n");
    const fh_probe got = probe_at(bytes.data, bytes.len, 64, FH_END_NONE, 1 << 20);
    cr_assert(eq(int, got.verdict, FH_REJECT));
    cr_assert(eq(str, (char *)got.rule->code, "CAM0012"));
    cr_assert(eq(u32, got.frames, 1));
    cr_assert(eq(int, probe_at(bytes.data, bytes.len, 0, FH_END_NONE, 1 << 20).verdict, FH_MORE));
    forge_buf_free(&bytes);
}

/* Half a character behind a single row is its own: nothing follows the row. */
Test(probe, half_a_character)
{
    forge_buf rows = built("camerawork encoding=utf16le\nrow key\n");
    uint8_t bytes[2 * ROW_LEN + 1];
    cr_assert(eq(sz, rows.len, 2 * ROW_LEN));
    memcpy(bytes, rows.data, rows.len);
    bytes[rows.len] = '1';
    const fh_probe got = probe_at(bytes, sizeof bytes, 0, FH_END_FILE, 1 << 20);
    cr_assert(eq(int, got.verdict, FH_ACCEPT));
    cr_assert(eq(sz, got.length, sizeof bytes));
    forge_buf_free(&rows);
}
