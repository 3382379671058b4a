/* Camerawork at the edges of what the reader, the checks and the replay tell apart. */
#include "cam_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text ---- */

Test(text, indices_and_flags)
{
    static const sample samples[] = {
        {SOUND, "", NULL, NULL, NULL, NULL},
        {"\n" KEY "row c1=-inf\n" KEY, "0003", "CAM0003", "-inf", "an integer", "line 2, value 1"},
        {"\n" KEY "row c12=nan\n" KEY, "0003", "CAM0003", "nan", "an integer", "line 2, value 12"},
        /* The row behind an index that cannot be read goes on as if it were right. */
        {"\nrow c1=1x key anchored\nrow\n" KEY, "0003", "CAM0003", "1x", "an integer",
         "line 1, value 1"},
        {"\n" KEY "row c1=1x\nrow 3\n" KEY, "0003 0008", "CAM0008", "3", "2", "line 3"},
        {"\nrow 2147483647 key anchored\nrow c1=1x\nrow c1=1x\n", "0007 0003 0003", "CAM0007",
         "2147483647", "0", "line 1"},
        {"\nrow 2147483647 key anchored\nrow c1=1x\nrow 5\n", "0007 0003 0008", "CAM0008", "5",
         "2147483648", "line 3"},
        {"\n" KEY "row c2=2\n" KEY, "0006", "CAM0006", "2", "0 or 1", "line 2, value 2"},
        {"\n" KEY "row c2=-1\n" KEY, "0006", "CAM0006", "-1", "0 or 1", "line 2, value 2"},
    };
    HOLD_SAMPLES(samples, alone);
}

Test(text, forms_of_numbers)
{
    static const sample samples[] = {
        {"\n" KEY "row c4=+1.000000e+00\n" KEY, "0012", "CAM0012", "1, the first +1.000000e+00",
         "numbers like 1.000000e+00", "line 2, value 4"},
        {"\n" KEY "row c4=1.000000e00\n" KEY, "0012", NULL, NULL, NULL, NULL},
        {"\n" KEY "row c4=1.000000E+00\n" KEY, "0012", NULL, NULL, NULL, NULL},
        {"\n" KEY "row c4=1.000000e+0\n" KEY, "0012", NULL, NULL, NULL, NULL},
        {"\n" KEY "row c4=1.000000e+0000\n" KEY, "0012", NULL, NULL, NULL, NULL},
        {"\n" KEY "row c4=1.00000e+00\n" KEY, "0012", NULL, NULL, NULL, NULL},
        {"\n" KEY "row c4=01.000000e+00\n" KEY, "0012", NULL, NULL, NULL, NULL},
        {"\n" KEY "row c4=1000000e+00\n" KEY, "0012", NULL, NULL, NULL, NULL},
        {"\n" KEY "row c4=-1.000000e+00\n" KEY, "", NULL, NULL, NULL, NULL},
    };
    HOLD_SAMPLES(samples, alone);
}

/* The first line tells which kind of line end a file has. */
Test(text, kinds_of_line_ends)
{
    static const sample samples[] = {
        {"\nrow key anchored eol=crlf\nrow\n" KEY, "0014", "CAM0014", "2 LF, 1 CR LF, 0 CR",
         "one kind", "line 2"},
    };
    HOLD_SAMPLES(samples, alone);
}

/* Blanks at the ends of lines, and lines of nothing but blanks. */
Test(text, margins)
{
    static const sample samples[] = {
        {"\nrow key anchored\ntext \"\"\n", "0025 0046", "CAM0025", "1, the first here", "none",
         "line 2"},
        {SOUND "text \" \" eol=none\n", "0025", "CAM0025", "1, the first here", "none", "line 4"},
        {SOUND "text \"  \"\nbyte 9\ntext \" \"\ntext \"\"\nzero 2\n", "0017 0025", NULL, NULL,
         NULL, NULL},
        {SOUND "text \"3 \"\n", "0001 0025", "CAM0025", "1, the first here", "none",
         "line 4, value 1"},
        {"\ntext \"\"\n", "0009", "CAM0009", "none", "25", "line 1"},
    };
    HOLD_SAMPLES(samples, alone);
}

/* The first byte that is no ASCII character, wherever in a word. */
Test(text, bytes_above_127)
{
    static const sample samples[] = {
        {SOUND "text \"3 1\" eol=none\nbyte 128 255\ntext \"\"\n", "0019", "CAM0019", "0x80",
         "ASCII", "line 4"},
        {SOUND "text \"3 1\" eol=none\nbyte 127\ntext \"\"\n", "0016", "CAM0016", "0x7f",
         "text or the end of the file", "line 4"},
    };
    HOLD_SAMPLES(samples, alone);
}

/* A last line without its end: of a file, and of bytes behind which something else follows. */
Test(text, the_last_line)
{
    static const sample samples[] = {
        {"\n" KEY "row\nrow key anchored eol=none\n", "0015", "CAM0015", "missing", "LF or CR LF",
         "line 3"},
        {"\n" KEY "row\nrow key anchored dtop 0 0 \"1#\" eol=none\n", "0004 0057 0046 0041",
         "CAM0057", "1#", "a whole number and a line end", "line 3, value 25"},
        {"\n" KEY "row\nrow key anchored eol=none\nbyte 1\n", "0057 0016", "CAM0057",
         "0.000000e+00", "a whole number and a line end", "line 3, value 25"},
        {"\n" KEY "row\nrow key anchored columns=26 eol=none\n", "0001 0046 0041", "CAM0001", "26",
         "25", "line 3"},
        {"\n" KEY "row\nrow key anchored columns=24 eol=none\n", "0002 0046 0041", "CAM0002", "24",
         "25", "line 3"},
        {"\n" KEY "row\nrow key anchored eol=none\nzero 5\n", "0057 0017", "CAM0017", "5", "0",
         "line 3"},
        {"\n" KEY "row\nrow key anchored columns=7 eol=none\nzero 5\n", "0017 0002 0046 0041",
         "CAM0002", "7", "25", "line 3"},
        {"\n" KEY "row\nrow key anchored columns=1 eol=none\nzero 5\n", "0017 0002 0046 0041",
         "CAM0002", "1", "25", "line 3"},
        {SOUND "zero 5\n", "0017", "CAM0017", "5", "0", "line 4"},
    };
    HOLD_SAMPLES(samples, alone);
    static const sample ends[] = {
        {"\n" KEY "row\nrow key anchored eol=none\n", "0015", "CAM0015", "missing", "LF or CR LF",
         "line 3"},
    };
    HOLD_SAMPLES(ends, at_file_end);
    static const sample inner[] = {
        {"\n" KEY "row\nrow key anchored eol=none\n", "0057", "CAM0057", "0.000000e+00",
         "a whole number and a line end", "line 3, value 25"},
    };
    HOLD_SAMPLES(inner, carved);
}

static void hold_bytes(const char *bytes, size_t len, const char *codes, fh_status status)
{
    bench b;
    open_cam(&b);
    bench_verify(&b, bytes, len, alone);
    HOLD(strcmp(record_codes(&b.verify), codes) == 0, "%s, not %s", record_codes(&b.verify), codes);
    HOLD(b.status == status && (status == FH_OK) == (b.model != NULL), "status %d", (int)b.status);
    bench_close(&b);
}

Test(text, files_of_nothing)
{
    static const sample nothing[] = {{"\n", "0002", "CAM0002", "0", "25", ""}};
    HOLD_SAMPLES(nothing, alone);
    hold_bytes("", 0, "0002", FH_NOT_THIS_FORMAT);
    hold_bytes("\xef\xbb\xbf", 3, "0002 0026", FH_NOT_THIS_FORMAT);
    hold_bytes("\xff\xfe", 2, "0002 0020 0026", FH_NOT_THIS_FORMAT);
    /* Half a character. */
    hold_bytes("\xff\xfe"
               "1",
               3, "0002 0016 0020 0026", FH_NOT_THIS_FORMAT);
    hold_bytes("\xff\xfe\0", 3, "0002 0017 0020 0026", FH_NOT_THIS_FORMAT);
}

Test(text, nothing_begins_at_the_first_byte)
{
    bench b;
    open_cam(&b);
    bench_verify(&b, "", 0, alone);
    cr_assert(eq(i64, record_find(&b.verify, "CAM0002")->offset, 0));
    bench_close(&b);
}

Test(text, half_a_character_behind_the_rows)
{
    forge_buf rows = built("camerawork encoding=utf16le" SOUND);
    char *bytes = malloc(rows.len + 1);
    memcpy(bytes, rows.data, rows.len);
    bytes[rows.len] = '1';
    hold_bytes(bytes, rows.len + 1, "0016 0020", FH_OK);
    bytes[rows.len] = '\0';
    hold_bytes(bytes, rows.len + 1, "0017 0020", FH_OK);
    hold_bytes(bytes, rows.len, "0020", FH_OK);
    free(bytes);
    forge_buf_free(&rows);
}

/* A control character is shown as it stands in the text, whatever the order of its bytes. */
Test(text, characters_of_utf16)
{
    static const char *const heads[] = {" encoding=utf16le", " encoding=utf16be"};
    for (size_t i = 0; i < 2; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "%s" SOUND "byte 1\ntext \"\"\n", heads[i]);
        const sample one = {text,    "0016 0020", "CAM0016", "0x1", "text or the end of the file",
                            "line 4"};
        hold_samples(&one, 1, alone);
    }
}

/* One word, or a line of many, is longer than any line. */
Test(text, lines_that_are_too_long)
{
    static char text[20000];
    forge_buf rows = built("camerawork" SOUND);
    for (int kind = 0; kind < 3; kind++) {
        size_t len = rows.len;
        memcpy(text, rows.data, len);
        len += (size_t)sprintf(text + len, "%s", kind == 0 ? "" : "3 ");
        for (size_t i = 0; i < 5000; i++) {
            text[len++] = kind == 2 && i % 2 != 0 ? ' ' : '1';
        }
        text[len++] = '\n';
        bench b;
        open_cam(&b);
        bench_verify(&b, text, len, alone);
        HOLD(strcmp(record_codes(&b.verify), "0018") == 0, "kind %d: %s", kind,
             record_codes(&b.verify));
        const fh_finding *finding = record_find(&b.verify, "CAM0018");
        HOLD(finding->offset == (int64_t)rows.len, "kind %d", kind);
        bench_close(&b);
    }
    forge_buf_free(&rows);
}

/* ---- what belongs to an asset ---- */

Test(carved, damaged_lines_behind_rows)
{
    static const sample samples[] = {
        /* With the index that follows it is the asset's. */
        {"\n" KEY KEY "row c5=x\n", "0004 0047", "CAM0004", "x", "a decimal number",
         "line 3, value 5"},
        {"\n" KEY KEY "row columns=4 eol=none\n", "0050 0047", "CAM0050",
         "0 to 1, and 4 columns without a line end", "0 to the last, and whole lines", "line 3"},
        {"\n" KEY KEY "text \"2\" eol=none\n", "0050 0047", "CAM0050",
         "0 to 1, and 1 columns without a line end", "0 to the last, and whole lines", "line 3"},
        {"\n" KEY KEY "text \"2\"\n", "0047", NULL, NULL, NULL, NULL},
        {"\n" KEY KEY "row 5 c5=x\n", "0047", NULL, NULL, NULL, NULL},
        /* What is too little is judged like a file. */
        {"\n" KEY "text \"x\"\n", "0010", "CAM0010", "x", "an index", "line 2, value 1"},
        {"\n" KEY "row columns=5\n", "0001", "CAM0001", "5", "25", "line 2"},
        {"\ntext \"x\"\n", "0010", "CAM0010", "x", "an index", "line 1, value 1"},
    };
    HOLD_SAMPLES(samples, carved);
}

Test(joined, missing_rows)
{
    static const sample samples[] = {
        {"\n" KEY "row 5\n" KEY, "0053", "CAM0053", "1 to 4", "none", "line 2"},
        {"\n" KEY "row 2\n" KEY, "0053", "CAM0053", "1", "none", "line 2"},
        {"\n" KEY "row 1025\n" KEY, "0053", "CAM0053", "1 to 1024", "none", "line 2"},
        /* More than that, or back to what was there, is no row of it. */
        {"\n" KEY "row\nrow 1027\n" KEY, "0046 0041", NULL, NULL, NULL, NULL},
        {"\n" KEY "row 600\nrow 1100\nrow 1024\nrow 1026 key anchored\n", "0053 0053 0053", NULL,
         NULL, NULL, NULL},
        {"\nrow 5 key anchored\nrow\nrow 3\nrow 7 key anchored\n", "0050", NULL, NULL, NULL, NULL},
        {"\n" KEY KEY "row c5=x eol=none\n", "0050 0047", NULL, NULL, NULL, NULL},
    };
    HOLD_SAMPLES(samples, joined);
}

/* ---- values ---- */

Test(values, vectors_of_rows)
{
    static const sample samples[] = {
        /* Rows that are no keys may hold anything; it is counted. */
        {"\n" KEY "row top 0 0 0\nrow top 0 0 1\nrow target 0 0 0\nrow target 0 0 2\n" KEY, "0037",
         "CAM0037", "4, the first here", "0", "line 2, value 6"},
        {"\n" KEY "row top 0 0 inf\n" KEY, "0005", NULL, NULL, NULL, NULL},
        {"\nrow key anchored anchor inf 0 0\nrow\n" KEY, "0005", "CAM0005", "inf",
         "a decimal number", "line 1, value 13"},
        {"\n" KEY "row\nrow key anchored anchor 0 0 10\n", "0049", "CAM0049", "0", "above 0",
         "line 3, value 13"},
        {"\n" KEY "row\nrow key anchored target 0 0 0 dtarget 1 0 0\n", "0032", "CAM0032", "0", "1",
         "line 3, value 6"},
        /* What is no number is told once, and nothing that hangs on other values is left out. */
        {"\n" KEY "row target 0 0 2 anchor inf 0 0\n" KEY, "0005 0037", NULL, NULL, NULL, NULL},
        {"\n" KEY "row\nrow key anchored target 0 0 -2 anchor inf 0 0\n", "0005 0032", NULL, NULL,
         NULL, NULL},
        {"\n" KEY "row\nrow key anchored stored=0 vel inf 0 0\n", "0005 0043", NULL, NULL, NULL,
         NULL},
    };
    HOLD_SAMPLES(samples, alone);
}

/* Sines and cosines of vectors whose length is 1 to the last bit are one of their components. What
 * is as much as a bound is neither too much nor too little. */
Test(values, angles_and_lengths_at_their_bounds)
{
#define GIVEN(key) " form=given\n" KEY "row\nrow key anchored " key "\n"
    static const sample samples[] = {
        {GIVEN("top 0 0 1e-12"), "0012 0034", NULL, NULL, NULL, NULL},
        {GIVEN("top 0 1e-12 0"), "0012 0033", NULL, NULL, NULL, NULL},
        {GIVEN("top 0 9.9e-13 0"), "0012 0034", NULL, NULL, NULL, NULL},
        {GIVEN("target 0 0 1e-12 top 0 0 1"), "0012 0032 0034", NULL, NULL, NULL, NULL},
        {GIVEN("target 0 0 9.9e-13 top 0 0 1"), "0012 0032", NULL, NULL, NULL, NULL},
        {GIVEN("top 1e-6 0 0.9999999999995001"), "0012 0035", NULL, NULL, NULL, NULL},
        {GIVEN("top 0.999999e-6 0 0.9999999999995001"), "0012 0034", NULL, NULL, NULL, NULL},
        {GIVEN("top 0 0.99999999995 1e-5"), "0012", NULL, NULL, NULL, NULL},
        {GIVEN("top 0 0.99999999995 1.00001e-5"), "0012 0035", NULL, NULL, NULL, NULL},
        {GIVEN("dtarget 0.999999499999875 0 1e-3"), "0012", NULL, NULL, NULL, NULL},
        {GIVEN("dtarget 0.999999499999875 0 1.00001e-3"), "0012 0036", NULL, NULL, NULL, NULL},
        {GIVEN("dtop 0.999999499999875 1e-3 0"), "0012", NULL, NULL, NULL, NULL},
        {GIVEN("dtop 0.999999499999875 1.00001e-3 0"), "0012 0038", NULL, NULL, NULL, NULL},
        {GIVEN("dtarget 6.283185307179586 0 0 dtop 6.283185307179586 0 0"), "0012", NULL, NULL,
         NULL, NULL},
        {GIVEN("dtarget 0 6.283185307179587 0"), "0012 0039", "CAM0039", "6.283185e+00",
         "at most 6.283185", "line 3, value 20"},
        {GIVEN("dtarget 7 0 0 dtop 7 0 0"), "0012 0039", "CAM0039", "7.000000e+00",
         "at most 6.283185", "line 3, value 20"},
        {GIVEN("dtarget 7 0 0 dtop 8 0 0"), "0012 0039", "CAM0039", "8.000000e+00",
         "at most 6.283185", "line 3, value 23"},
    };
    HOLD_SAMPLES(samples, alone);
#undef GIVEN
}

/* Stored velocities that are those of the neighbours times the same factor at all inner keys. */
Test(values, the_factor_of_the_velocities)
{
#define PATH(v1, v2, v3)                                                                           \
    "\nrow key anchored pos 0 0 10\nrow key pos 1 0 10 vel " v1 "\nrow key pos 2 0 10 vel " v2     \
    "\nrow key pos 3 0 10 vel " v3 "\nrow key anchored pos 4 0 10\n"
    static const sample samples[] = {
        {PATH("1 0 0", "1 0 0", "1 0 0"), "0045 0047", NULL, NULL, NULL, NULL},
        {PATH("100 0 0", "100 0 0", "100 0 0"), "0045 0047 0048", "CAM0048", "1.000000e+02", "1",
         "line 2, value 17"},
        {PATH("0.01 0 0", "0.01 0 0", "0.01 0 0"), "0045 0047 0048", "CAM0048", "1.000000e-02", "1",
         "line 2, value 17"},
        {PATH("100 0 0", "100 0 0", "99 0 0"), "0045 0047", NULL, NULL, NULL, NULL},
        {PATH("100 0 0", "0 100 0", "100 0 0"), "0045 0047", NULL, NULL, NULL, NULL},
        {PATH("0 0 0", "0 0 0", "0 0 0"), "0045 0045 0045 0045 0047", NULL, NULL, NULL, NULL},
        {PATH("100 0 0", "100 0 inf", "100 0 0"), "0005 0045 0047", NULL, NULL, NULL, NULL},
        {PATH("100 50 0", "100 50 0", "100 50 0"), "0045 0047", NULL, NULL, NULL, NULL},
        {PATH("0 100 0", "0 100 0", "0 100 0"), "0045 0047", NULL, NULL, NULL, NULL},
        /* A thousandth of the first factor, and the bounds of what it may be. */
        {PATH("1000 0 0", "999 0 0", "1001 0 0"), "0045 0047 0048", "CAM0048", "1.000000e+03", "1",
         "line 2, value 17"},
        {PATH("1000 0 0", "998.999 0 0", "1000 0 0"), "0045 0047", NULL, NULL, NULL, NULL},
        {PATH("0.9 0 0", "0.9 0 0", "0.9 0 0"), "0045 0047", NULL, NULL, NULL, NULL},
        {PATH("0.899999 0 0", "0.899999 0 0", "0.899999 0 0"), "0045 0047 0048", NULL, NULL, NULL,
         NULL},
        {PATH("1.9 0 0", "1.9 0 0", "1.9 0 0"), "0045 0047", NULL, NULL, NULL, NULL},
        {PATH("1.900001 0 0", "1.900001 0 0", "1.900001 0 0"), "0045 0047 0048", NULL, NULL, NULL,
         NULL},
        /* Of keys without stored velocities nothing is said. */
        {PATH("100 0 0 stored=0", "100 0 0 stored=0", "100 0 0 stored=0"), "0045 0047 0043 0044",
         NULL, NULL, NULL, NULL},
    };
    HOLD_SAMPLES(samples, alone);
#undef PATH
}

/* Velocities may be off the way by a thousandth of their length, which is 2 here. */
Test(values, velocities_beside_the_way)
{
#define PATH(vel)                                                                                  \
    " form=given\nrow key anchored pos 0 0 10\nrow key pos 1 0 10 vel " vel                        \
    "\nrow key pos 2 0 10 vel " vel "\nrow key anchored pos 3 0 10\n"
    static const sample samples[] = {
        {PATH("1.99999899999975 0.002 0"), "0012 0045 0047 0048", "CAM0048", "1.999999e+00", "1",
         "line 2, value 17"},
        {PATH("1.99999899999975 0 0.00201"), "0012 0045 0047", NULL, NULL, NULL, NULL},
    };
    HOLD_SAMPLES(samples, alone);
#undef PATH
    static const sample upwards[] = {
        {"\nrow key anchored pos 0 0 10\nrow key pos 0 1 10 vel 50 100 0\n"
         "row key pos 0 2 10 vel 50 100 0\nrow key anchored pos 0 3 10\n",
         "0045 0047", NULL, NULL, NULL, NULL},
    };
    HOLD_SAMPLES(upwards, alone);
}

static void ignore(void *user, const char *text, size_t len)
{
    (void)text;
    *(size_t *)user += len;
}

/* Rows of the shortest kind fill the table that is made for them. Whatever lies behind it says
 * nothing of them. */
Test(values, tables_that_are_full)
{
    static const char rows[] = "0 1 0 0 9 0 0 1 0 1 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0\n"
                               "1 1 1 0 9 0 0 1 0 1 0 0 0 0 0 1 9 0 0 0 0 0 0 0 0\n"
                               "2 1 2 0 9 0 0 1 0 1 0 0 0 0 0 1 9 0 0 0 0 0 0 0 0\n"
                               "3 1 3 0 9 0 0 1 0 1 0 0 0 0 0 1 9 0 0 0 0 0 0 0 0\n"
                               "4 1 4 0 9 0 0 1 0 1 0 0 0 0 0 1 0 0 0 0 0 0 0 0 0";
    bench b;
    open_cam(&b);
    memset(b.block, 0xff, 1 << 20);
    bench_verify(&b, rows, sizeof rows - 1, alone);
    HOLD(b.status == FH_OK && b.asset.frames == 5, "%s", record_codes(&b.verify));
    cr_assert(eq(u32, b.asset.objects, 1));
    cr_assert(eq(sz, record_count(&b.verify, "CAM0048"), 1));
    size_t len = 0;
    const fh_sink sink = {0};
    const fh_env env = {&b.arena, &b.budget, &sink};
    const fh_text_sink out = {&len, ignore};
    cr_assert(eq(int, (int)b.format->canonical(&env, &out, b.model), (int)FH_OK));
    cr_assert(gt(sz, len, 0));
    bench_close(&b);
}

/* Nothing is written of rows with a value that is no number, be it the first or the last one. */
Test(values, what_has_no_canonical_form)
{
    static const char *const rows[] = {"pos inf 0 0", "dtop 0 0 nan"};
    for (size_t i = 0; i < 4; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "camerawork\nrow key stored=0 %s\nrow stored=0 %s\n",
                       i < 2 ? rows[i] : "", i < 2 ? "" : rows[i - 2]);
        forge_buf bytes = built(text);
        bench b;
        open_cam(&b);
        bench_verify(&b, bytes.data, bytes.len, alone);
        HOLD(b.model != NULL, "case %zu: %s", i, record_codes(&b.verify));
        size_t len = 0;
        const fh_sink sink = {0};
        const fh_env env = {&b.arena, &b.budget, &sink};
        const fh_text_sink out = {&len, ignore};
        HOLD(b.format->canonical(&env, &out, b.model) == FH_CORRUPT && len == 0, "case %zu", i);
        bench_close(&b);
        forge_buf_free(&bytes);
    }
}

static void on_target(void *user, const fh_finding *finding)
{
    if (strcmp(finding->rule->code, "CAM0032") == 0) {
        *(fh_finding *)user = *finding;
    }
}

/* Findings lead to their column; where all are told so does the last of many. */
Test(values, places_of_many_findings)
{
    static const char target[] = "0.000000e+00 0.000000e+00 5.000000e-01";
    forge_buf bytes = built("camerawork\nrepeat 25\nrow key anchored target 0 0 0.5\nendrepeat\n");
    bench b;
    open_cam(&b);
    for (int tells_all = 0; tells_all < 2; tells_all++) {
        fh_finding last = {0};
        const fh_sink sink = {&last, .finding = on_target, .tells_all = tells_all == 1};
        const fh_env env = {&b.arena, &b.budget, &sink};
        b.arena = fh_arena_make(b.block, BENCH_ARENA);
        b.budget.left = BENCH_BUDGET;
        cr_assert(eq(int,
                     (int)b.format->verify(&b.asset, &b.model, &env,
                                           fh_cursor_make(bytes.data, bytes.len, 0), &alone),
                     (int)FH_OK));
        if (tells_all == 0) {
            cr_assert(eq(str, last.found, "5, not listed"));
        } else {
            cr_assert(eq(i64, last.frame, 24));
            cr_assert(memcmp(bytes.data + last.offset, target, sizeof target - 1) == 0);
        }
    }
    forge_buf_free(&bytes);
    bench_close(&b);
}

/* ---- replay ---- */

static const char *context_of(const bench *b, const char *code)
{
    const fh_finding *finding = record_find(&b->replay, code);
    HOLD(finding != NULL, "no %s in %s", code, record_codes(&b->replay));
    return finding->context;
}

/* The column that keeps a key from being used: of the place and directions first, then of the
 * stored velocities; those that are not used do not count. */
Test(replay, keys_that_are_no_numbers)
{
    static const struct {
        const char *row, *context;
    } cases[] = {{"row key pos 0 nan 0", "line 3, value 4"},
                 {"row key top 0 0 inf", "line 3, value 11"},
                 {"row key vel 0 0 inf", "line 3, value 19"},
                 {"row key dtop 0 0 inf", "line 3, value 25"},
                 {"row key anchor inf 0 0 vel 0 0 inf", "line 3, value 19"},
                 {"row key stored=0 vel 0 0 inf", NULL},
                 {"row anchored anchor 0 inf 0", "line 3, value 14"},
                 {"row key anchored anchor 0 inf 0", "line 3, value 14"}};
    bench b;
    open_cam(&b);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "\nrow key stored=0 anchored\nrow\n%s\nrow\nrow key stored=0 anchored\n",
                       cases[i].row);
        cr_assert(play(&b, text, 1) == FH_OK);
        HOLD(record_count(&b.replay, "CAM0064") == (cases[i].context == NULL ? 0 : 1),
             "case %zu: %s", i, record_codes(&b.replay));
        HOLD(cases[i].context == NULL || strcmp(context_of(&b, "CAM0064"), cases[i].context) == 0,
             "case %zu: %s", i, context_of(&b, "CAM0064"));
        HOLD(b.result.state == FH_REPLAY_COMPLETE && b.result.frames == 5, "case %zu", i);
    }
    bench_close(&b);
}

/* What is told of a key is not told of the way to it again. */
Test(replay, ways_to_keys_without_a_direction)
{
    bench b;
    open_cam(&b);
    cr_assert(play(&b, "\nrow key\nrow\nrow key target 0 0 0\n", 1) == FH_OK);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0060"), 0));
    cr_assert(play(&b, "\nrow key target 0 0 0\nrow\nrow key\n", 1) == FH_OK);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0060"), 0));
    cr_assert(play(&b, "\nrow key\nrow\nrow key target 0 0 1\n", 1) == FH_OK);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0060"), 1), "half way it vanishes");
    bench_close(&b);
}

Test(replay, numbers_beyond_all_doubles)
{
    bench b;
    open_cam(&b);
    cr_assert(play(&b,
                   "\nrow key anchored anchor 1.7e308 0 0\nrow\nrow key anchored anchor -1.7e308 0 "
                   "0\n",
                   1) == FH_OK);
    cr_assert(eq(str, (char *)record_codes(&b.replay), "0065"));
    cr_assert(eq(str, (char *)context_of(&b, "CAM0065"), "line 2, value 13"));
    /* A step so large that the time between two keys is none: nothing of the way is a number. */
    cr_assert(play(&b, "\nrow key stored=0 anchored\nrow\nrow key stored=0 anchored\n", 1e308) ==
              FH_OK);
    cr_assert(eq(sz, record_count(&b.replay, "CAM0065"), 2));
    cr_assert(eq(str, (char *)context_of(&b, "CAM0065"), "line 2, value 3"));
    bench_close(&b);
}

/* What is printed of large numbers says less of where a camera is, on either side of 0. */
Test(replay, boxes_without_a_size)
{
    static const struct {
        const char *pos, *vel;
        size_t num; /* of CAM0066 */
    } cases[] = {{"1234.567 0 0", "0.00085 0 0", 0},  {"1234.567 0 0", "0.085 0 0", 1},
                 {"-1234.567 0 0", "0.00085 0 0", 0}, {"-1234.567 0 0", "0.085 0 0", 1},
                 {"0 0 -1234.567", "0.00085 0 0", 0}, {"0 0 -0.5", "0.00085 0 0", 1}};
    bench b;
    open_cam(&b);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "\nrow key pos %s vel %s\nrepeat 9\nrow\nendrepeat\nrow key pos %s vel %s\n",
                       cases[i].pos, cases[i].vel, cases[i].pos, cases[i].vel);
        cr_assert(play(&b, text, 1) == FH_OK);
        HOLD(record_count(&b.replay, "CAM0066") == cases[i].num, "case %zu: %s", i,
             record_codes(&b.replay));
    }
    bench_close(&b);
}

/* ---- limits ---- */

/* Every budget and every arena, of verify and of replay. */
static void hold_limits(const char *text, fh_verify_options options)
{
    forge_buf bytes = built(text);
    const fh_cursor cur = fh_cursor_make(bytes.data, bytes.len, 0);
    bench b;
    open_cam(&b);
    bench_verify(&b, bytes.data, bytes.len, options);
    const fh_status wanted = b.status;
    record all = b.verify;
    b.verify = (record){0};
    if (b.model != NULL) {
        bench_replay(&b, &(fh_replay_options){.time_step = 1});
    }
    const uint64_t spent = BENCH_BUDGET - b.budget.left;
    const size_t used = b.arena.used;
    record shown_all = b.replay;
    b.replay = (record){0};
    for (uint64_t step = 0; step <= spent + used; step += step < spent ? 1 : 8) {
        const bool is_budget = step <= spent;
        record told = {0};
        record played = {0};
        const fh_sink sink = record_sink(&told);
        const fh_sink poses = record_sink(&played);
        fh_arena arena = fh_arena_make(b.block, is_budget ? BENCH_ARENA : (size_t)(step - spent));
        fh_budget budget = {is_budget ? step : BENCH_BUDGET};
        fh_asset asset;
        const void *model = NULL;
        fh_replay_result result = {0};
        fh_status status =
            b.format->verify(&asset, &model, &(fh_env){&arena, &budget, &sink}, cur, &options);
        const fh_status limit = is_budget ? FH_LIMIT : FH_NO_MEMORY;
        HOLD(status == wanted || (status == limit && model == NULL), "step %d: %d", (int)step,
             (int)status);
        HOLD(status != wanted || record_equal(&told, &all), "step %d: %s", (int)step,
             record_codes(&told));
        HOLD(status != FH_LIMIT || record_count(&told, "CAM0063") == 1, "step %d: %s", (int)step,
             record_codes(&told));
        HOLD(status != FH_LIMIT || strchr(record_find(&told, "CAM0063")->context, ',') == NULL,
             "step %d: a line is told, and no value of it", (int)step);
        if (model != NULL) {
            status = b.format->replay(&result, &(fh_env){&arena, &budget, &poses}, model,
                                      &(fh_replay_options){.time_step = 1});
            HOLD(status == FH_OK || (status == FH_NO_MEMORY && !is_budget), "step %d", (int)step);
            HOLD(status != FH_OK || result.frames == played.num_frames, "step %d", (int)step);
            HOLD(status != FH_OK || result.state == FH_REPLAY_STOPPED ||
                     record_equal(&played, &shown_all),
                 "step %d", (int)step);
            HOLD((result.state == FH_REPLAY_STOPPED) == (record_count(&played, "CAM0063") == 1) ||
                     status != FH_OK,
                 "step %d: %s", (int)step, record_codes(&played));
        }
        record_free(&told);
        record_free(&played);
    }
    record_free(&all);
    record_free(&shown_all);
    bench_close(&b);
    forge_buf_free(&bytes);
}

Test(limits, every_budget_and_arena)
{
    hold_limits("camerawork\nrow key anchored\nrow\nrow key anchored target 0 1 0 top 0 0 1\n",
                alone);
    hold_limits("camerawork\nrow key\nrow columns=3\nrow c5=x\nbyte 1\ntext \"x\"\nzero 9\n",
                alone);
    hold_limits("camerawork\nrow 3 key\nrow\nrow columns=3 eol=none\n", carved);
}
