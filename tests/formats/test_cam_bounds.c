/* Camerawork at the very bounds of its rules: the value at a bound, and those beside it. */
#include "cam_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Codes alone. */
#define NO_EVIDENCE NULL, NULL, NULL, NULL

/* ---- text ---- */

Test(text, ends_of_lines_are_counted_by_their_kind)
{
    static const sample samples[] = {
        {" eol=crlf\n" KEY "row\nrow key anchored eol=lf\n", "0014", "CAM0014",
         "1 LF, 2 CR LF, 0 CR", "one kind", "line 3"},
        {" eol=crlf\n" KEY "row\nrow key anchored eol=cr\n", "0014 0027", "CAM0014",
         "0 LF, 2 CR LF, 1 CR", "one kind", "line 3"},
        {" eol=cr\n" KEY "row\nrow key anchored eol=lf\n", "0014 0027", "CAM0014",
         "1 LF, 0 CR LF, 2 CR", "one kind", "line 3"},
    };
    HOLD_SAMPLES(samples, alone);
}

/* The row behind one whose index cannot be read is compared with the largest int and one. */
Test(text, behind_the_largest_index)
{
    static const sample samples[] = {
        {"\nrow 2147483647 key anchored\nrow c1=1x\nrow c1=-2147483647 key\n", "0007 0003 0008",
         "CAM0008", "-2147483647", "2147483648", "line 3"},
        {"\nrow 2147483646 key anchored\nrow c1=1x\nrow c1=5 key\n", "0007 0003 0008", "CAM0008",
         "5", "2147483648", "line 3"},
    };
    HOLD_SAMPLES(samples, alone);
}

/* Blank lines behind the last row are margins, be it the only row; without a row in front they are
 * rows that lack their columns. */
Test(text, blank_lines)
{
    static const sample samples[] = {
        {"\ntext \"\"\n", "0009", "CAM0009", "none", "25", "line 1"},
        {"\ntext \"\"\n" SOUND, "0009", "CAM0009", "none", "25", "line 1"},
        {"\n" KEY "text \"\"\n", "0025 0046", "CAM0025", "1, the first here", "none", "line 2"},
        {SOUND "text \"\"\nbyte 32\ntext \"\"\nbyte 9\ntext \"\"\n", "0025", "CAM0025",
         "3, the first here", "none", "line 4"},
        {SOUND "byte 32 9\n", "0025", "CAM0025", "1, the first here", "none", "line 4"},
        {SOUND "byte 32 9 33\n", "0010", "CAM0010", "!", "an index", "line 4, value 1"},
        /* What follows is looked at as it stands: '!' is one more than a blank, LF than a TAB. */
        {SOUND "text \"\"\ntext \"!\"\n", "0009 0010", "CAM0009", "none", "25", "line 4"},
    };
    HOLD_SAMPLES(samples, alone);
}

Test(text, margins_of_a_line_of_one_word)
{
    static const sample samples[] = {
        {"\n" KEY "text \"1 \"\n" KEY, "0001 0008 0025", "CAM0025", "1, the first here", "none",
         "line 2, value 1"},
    };
    HOLD_SAMPLES(samples, alone);
}

Test(text, a_line_of_one_word_in_front_of_zeros)
{
    static const sample samples[] = {
        {"\n" KEY "row\nrow columns=1 eol=none\nzero 5\n", "0017 0002 0046 0041", "CAM0002", "1",
         "25", "line 3"},
    };
    HOLD_SAMPLES(samples, alone);
}

/* One number of its kind is enough for a file of both. */
Test(text, two_kinds_of_exponents)
{
    static const sample samples[] = {
        {"\n" KEY "row c4=1.000000e+000\n" KEY, "0013 0028", "CAM0028",
         "1, the first 1.000000e+000", "one kind", "line 2, value 4"},
        {" form=e3\n" KEY "row c4=1.000000e+00\n" KEY, "0013 0028", "CAM0028",
         "1, the first 1.000000e+00", "one kind", "line 2, value 4"},
        {"\n" KEY "row c4=1.000000e+100\n" KEY, "0021", NO_EVIDENCE},
        /* Numbers in another form are of neither kind. */
        {"\n" KEY "row c4=+1.000000e+010 c5=1.000\n" KEY, "0012", "CAM0012",
         "2, the first +1.000000e+010", "numbers like 1.000000e+00", "line 2, value 4"},
        {"\n" KEY "row c4=1.000000e+005\n" KEY, "0013 0028", "CAM0028",
         "1, the first 1.000000e+005", "one kind", "line 2, value 4"},
        {" form=e3\n" KEY "row c4=1.000000e+05\n" KEY, "0013 0028", "CAM0028",
         "1, the first 1.000000e+05", "one kind", "line 2, value 4"},
        {"\n" KEY "row c4=1.00e+005\n" KEY, "0012", NO_EVIDENCE},
        {"\n" KEY "row c4=1.000000\n" KEY, "0012", NO_EVIDENCE},
    };
    HOLD_SAMPLES(samples, alone);
}

/* The largest float, and the smallest that is normal, are floats. */
Test(text, the_range_of_floats)
{
    static const sample samples[] = {
        {"\n" KEY "row c4=3.4028234663852886e+38 c5=-1.1754943508222875e-38\n" KEY, "0012",
         NO_EVIDENCE},
        {"\n" KEY "row c4=-3.402823466385289e+38\n" KEY, "0021 0012", "CAM0021",
         "-3.402823466385289e+38", "the range of normal floats", "line 2, value 4"},
        {"\n" KEY "row c5=1.1754943508222874e-38\n" KEY, "0021 0012", "CAM0021",
         "1.1754943508222874e-38", "the range of normal floats", "line 2, value 5"},
        {"\n" KEY "row c5=-0.000000e+00\n" KEY, "", NO_EVIDENCE},
        {"\n" KEY "row c4=1.1754943508222875e-38\n" KEY, "0012", NO_EVIDENCE},
        {"\n" KEY "row c4=-3.4028234663852886e38\n" KEY, "0012", NO_EVIDENCE},
        {"\n" KEY "row c4=1.1754943508222874e-38\n" KEY, "0021 0012", NO_EVIDENCE},
        {"\n" KEY "row c4=-3.4028234663852890e38\n" KEY, "0021 0012", NO_EVIDENCE},
    };
    HOLD_SAMPLES(samples, alone);
}

/* The first byte that is no ASCII. */
Test(text, a_byte_of_128)
{
    static const sample samples[] = {
        {"\n" KEY "text \"1 0 0\" eol=none\nbyte 128\ntext \" 1\"\n" KEY, "0019 0008", "CAM0019",
         "0x80", "ASCII", "line 2"},
    };
    HOLD_SAMPLES(samples, alone);
}

static const fh_finding *told(bench *b, const void *bytes, size_t len, const char *code)
{
    bench_verify(b, bytes, len, alone);
    const fh_finding *finding = record_find(&b->verify, code);
    HOLD(finding != NULL, "%s", record_codes(&b->verify));
    return finding;
}

/* Where there is nothing its place is the start, and so it is where a mark is all. */
Test(text, nothing_at_all)
{
    bench b;
    open_cam(&b);
    const fh_finding *finding = told(&b, "\xff\xfe", 2, "CAM0002");
    cr_assert(eq(i64, finding->offset, 0));
    cr_assert(eq(str, (char *)finding->found, "0"));
    cr_assert(eq(str, (char *)finding->expected, "25"));
    /* Of what has no row nothing but the mark is its own. */
    (void)told(&b,
               "\xff\xfe"
               "1",
               3, "CAM0016");
    cr_assert(eq(sz, b.asset.length, 2));
    bench_close(&b);
}

/* ---- what belongs to an asset ---- */

Test(carved, a_tail_of_two_columns)
{
    static const sample samples[] = {
        {"\n" KEY KEY "row columns=2\n", "0001 0047", "CAM0001", "2", "25", "line 3"},
    };
    HOLD_SAMPLES(samples, carved);
}

/* Rows in front of the first one are no missing ones. */
Test(joined, the_most_rows_that_may_be_missing)
{
    static const sample samples[] = {
        {"\nrow 1000 key anchored\nrow 2025\nrow key anchored\n", "0053 0050", "CAM0053",
         "1001 to 2024", "none", "line 2"},
        {"\nrow 1000 key anchored\nrow\nrow 2027\n", "0050 0046 0041", NO_EVIDENCE},
    };
    HOLD_SAMPLES(samples, joined);
}

/* Half a character behind the rows, be it one row, is theirs. */
Test(text, half_a_character)
{
    static const char *const texts[] = {"camerawork encoding=utf16le\n" KEY,
                                        "camerawork encoding=utf16le" SOUND};
    bench b;
    open_cam(&b);
    for (size_t i = 0; i < 2; i++) {
        forge_buf rows = built(texts[i]);
        uint8_t *bytes = malloc(rows.len + 1);
        memcpy(bytes, rows.data, rows.len);
        bytes[rows.len] = '1';
        bench_verify(&b, bytes, rows.len + 1, alone);
        HOLD(b.status == FH_OK && b.asset.length == rows.len + 1, "case %zu: %zu of %zu", i,
             b.asset.length, rows.len + 1);
        HOLD(record_count(&b.verify, "CAM0016") == 1, "case %zu", i);
        free(bytes);
        forge_buf_free(&rows);
    }
    bench_close(&b);
}

/* It is told where no line end is in front of it, too, and then of the line that it stands in. */
Test(text, half_a_character_in_the_last_line)
{
    static const struct {
        const char *text, *codes, *context;
        uint8_t last;
        const char *code;
    } cases[] = {{"row key anchored eol=none\n", "0015 0016 0020", "line 3", '1', "CAM0016"},
                 {"row key anchored eol=none\n", "0015 0017 0020", "line 3", 0, "CAM0017"},
                 {"row key anchored\n", "0016 0020", "line 4", '1', "CAM0016"},
                 {"row key anchored\n", "0017 0020", "line 4", 0, "CAM0017"},
                 {"row key anchored\nbyte 32\n", "0009 0016 0020", "line 4", '1', "CAM0016"},
                 {"row key anchored\nbyte 1\n", "0016 0016 0020", "line 4", '1', NULL}};
    bench b;
    open_cam(&b);
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        const size_t k = i / 2;
        (void)snprintf(text, sizeof text, "camerawork encoding=%s\n" KEY "row\n%s",
                       i % 2 == 0 ? "utf16le" : "utf16be", cases[k].text);
        forge_buf rows = built(text);
        uint8_t *bytes = malloc(rows.len + 1);
        memcpy(bytes, rows.data, rows.len);
        bytes[rows.len] = cases[k].last;
        bench_verify(&b, bytes, rows.len + 1, alone);
        HOLD(strcmp(record_codes(&b.verify), cases[k].codes) == 0, "case %zu: %s", i,
             record_codes(&b.verify));
        const fh_finding *finding =
            cases[k].code == NULL ? &b.verify.findings[1] : record_find(&b.verify, cases[k].code);
        HOLD(finding->offset == (int64_t)rows.len, "case %zu", i);
        HOLD(strcmp(finding->context, cases[k].context) == 0, "case %zu: %s", i, finding->context);
        free(bytes);
        forge_buf_free(&rows);
    }
    bench_close(&b);
}

/* The first line may have ended in front of it, with nothing but its end. */
Test(text, half_a_character_behind_a_line_end_alone)
{
    static const uint8_t bytes[] = {'\n', 0, '0'};
    bench b;
    open_cam(&b);
    bench_verify(&b, bytes, sizeof bytes, alone);
    const fh_finding *finding = record_find(&b.verify, "CAM0016");
    cr_assert(ne(ptr, (void *)finding, NULL));
    cr_assert(eq(int, (int)finding->offset, 2));
    cr_assert(eq(str, (char *)finding->context, "line 2"));
    bench_close(&b);
}

/* Half of the last line end makes no whole file of less worth than one without it: it is no fault
 * of its own. Behind other rows it is. */
Test(text, half_a_line_end)
{
    static const struct {
        const char *text;
        const char *codes;
        const char *found; /* of CAM0015, if it is told */
        uint8_t last;
        fh_grade grade;
    } cases[] = {
        {"utf16le\n" KEY "row\nrow key anchored eol=none\n", "0015 0020", "half of it", '\n',
         FH_GRADE_REFERENCES},
        {"utf16le\n" KEY "row\nrow key anchored eol=none\n", "0015 0020", "half of it", '\r',
         FH_GRADE_REFERENCES},
        {"utf16be\n" KEY "row\nrow key anchored eol=none\n", "0015 0017 0020", "missing", 0,
         FH_GRADE_REFERENCES},
        {"utf16le\n" KEY "row\nrow key anchored eol=none\n", "0015 0016 0020", "missing", ' ',
         FH_GRADE_STRUCTURE},
        {"utf16be\n" KEY "row\nrow key anchored eol=none\n", "0015 0016 0020", "missing", '\n',
         FH_GRADE_STRUCTURE},
        {"utf16le\n" KEY "row\nrow key anchored\n", "0016 0020", NULL, '\n', FH_GRADE_STRUCTURE},
        {"utf16le eol=cr\n" KEY "row\nrow key anchored\n", "0015 0020 0027", "half of it", '\n',
         FH_GRADE_REFERENCES},
        {"utf16le eol=cr\n" KEY "row\nrow key anchored\n", "0016 0020 0027", NULL, '\r',
         FH_GRADE_STRUCTURE},
        {"utf16be eol=cr\n" KEY "row\nrow key anchored\n", "0016 0020 0027", NULL, '\n',
         FH_GRADE_STRUCTURE},
        {"utf16le\n" KEY "row\nrow key anchored dtop 0 0 \"1#\" eol=none\n",
         "0004 0057 0016 0020 0046 0041", NULL, '\n', FH_GRADE_STRUCTURE},
    };
    bench b;
    open_cam(&b);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "camerawork encoding=%s", cases[i].text);
        forge_buf rows = built(text);
        uint8_t *bytes = malloc(rows.len + 1);
        memcpy(bytes, rows.data, rows.len);
        bytes[rows.len] = cases[i].last;
        bench_verify(&b, bytes, rows.len + 1, alone);
        HOLD(strcmp(record_codes(&b.verify), cases[i].codes) == 0, "case %zu: %s", i,
             record_codes(&b.verify));
        HOLD(b.asset.grade == cases[i].grade && b.asset.length == rows.len + 1, "case %zu", i);
        HOLD(cases[i].found == NULL ||
                 strcmp(record_find(&b.verify, "CAM0015")->found, cases[i].found) == 0,
             "case %zu", i);
        free(bytes);
        forge_buf_free(&rows);
    }
    bench_close(&b);
}

/* Leaves something in the memory that is given out next. */
static void soil(const bench *b)
{
    const size_t len = 1 << 16;
    fh_arena arena = fh_arena_make(b->block, len);
    memset(fh_arena_room(&arena, len, 1), 0xff, len);
}

/* Only the rows that there are count: behind them lies whatever was in memory. The last row has no
 * line end, so that the table has no room for another one. */
Test(text, rows_end_where_the_table_does)
{
    static const char still[] = "0 0 0 0 1 0 0 -1 0 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0";
    static const char path[] = "0 1 0 0 9 0 0 1 0 1 0 1 0 0 0 1 9 0 0 0 0 0 0 0 0\n"
                               "1 1 1 0 9 0 0 1 0 1 0 0 0 0 0 1 9 0 0 0 0 0 0 0 0\n"
                               "2 1 2 0 9 0 0 1 0 1 0 0 0 0 0 1 9 0 0 0 0 0 0 0 0\n"
                               "3 1 3 0 9 0 0 1 0 1 0 1 0 0 0 1 9 0 0 0 0 0 0 0 0";
    bench b;
    open_cam(&b);
    soil(&b);
    bench_verify(&b, still, sizeof still - 1, alone);
    cr_assert(b.status == FH_OK && b.asset.frames == 1);
    cr_assert(eq(u32, b.asset.objects, 0), "no key, no object");
    soil(&b);
    bench_verify(&b, path, sizeof path - 1, alone);
    cr_assert(b.status == FH_OK && b.asset.frames == 4);
    cr_assert(eq(sz, record_count(&b.verify, "CAM0048"), 1), "%s", record_codes(&b.verify));
    bench_close(&b);
}

/* ---- values ---- */

/* A pair of keys that differs from a sound one in the first. */
#define FIRST(groups) " form=given\nrow key anchored " groups "\nrow\n" KEY

/* A vector of 1e-12 has a direction, a shorter one has none. */
Test(values, the_shortest_vectors)
{
    static const sample samples[] = {
        {FIRST("target 0 0 -1e-12 top 0 0 1"), "0012 0032 0034", "CAM0034", "0",
         "at least 0.000001", "line 1, value 9"},
        {FIRST("target 0 0 -9.99e-13 top 0 0 1"), "0012 0032", NO_EVIDENCE},
        {FIRST("top 0 1e-12 0"), "0012 0033", "CAM0033", "1.000000e-12", "1", "line 1, value 9"},
        {FIRST("top 0 9.99e-13 0"), "0012 0034", "CAM0034", "0", "at least 0.000001",
         "line 1, value 9"},
    };
    HOLD_SAMPLES(samples, alone);
}

/* 0.99999999999950007 makes a length that is 1 in double precision, and so a sine of 1e-6. */
Test(values, angles_at_their_bounds)
{
    static const sample samples[] = {
        {FIRST("top 1e-6 0 0.99999999999950007"), "0012 0035", "CAM0035", "1, the first here", "0",
         "line 1, value 9"},
        {FIRST("top 1e-6 0 0.99999999999950018"), "0012 0034", "CAM0034", "1.000000e-06",
         "at least 0.000001", "line 1, value 9"},
        {FIRST("top 0 0.99999999995 1e-5"), "0012", NO_EVIDENCE},
        {FIRST("top 0 0.99999999995 1.0001e-5"), "0012 0035", NO_EVIDENCE},
        {FIRST("dtarget 0.999999499999875 0 1e-3"), "0012", NO_EVIDENCE},
        {FIRST("dtarget 0.999999499999875 0 1.0001e-3"), "0012 0036", "CAM0036", "1.000100e-03",
         "0", "line 1, value 20"},
        {FIRST("dtop 0.999999499999875 1e-3 0"), "0012", NO_EVIDENCE},
        {FIRST("dtop 0.999999499999875 1.0001e-3 0"), "0012 0038", "CAM0038", "1.000100e-03", "0",
         "line 1, value 23"},
    };
    HOLD_SAMPLES(samples, alone);
}

#define CIRCLE "6.283185307179586"

/* A full circle in a row interval is not too much yet; of two rates that are, the larger is told,
 * and that of target if neither is. */
Test(values, rates_of_a_full_circle)
{
    static const sample samples[] = {
        {FIRST("dtarget " CIRCLE " 0 0 dtop 0 0 " CIRCLE), "0012", NO_EVIDENCE},
        {FIRST("dtarget 6.2831853071795872 0 0"), "0012 0039", "CAM0039", "6.283185e+00",
         "at most 6.283185", "line 1, value 20"},
        {FIRST("dtop 0 0 6.2831853071795872"), "0012 0039", "CAM0039", "6.283185e+00",
         "at most 6.283185", "line 1, value 23"},
        {FIRST("dtarget 7 0 0 dtop 0 0 7"), "0012 0039", "CAM0039", "7.000000e+00",
         "at most 6.283185", "line 1, value 20"},
        {FIRST("dtarget 7 0 0 dtop 0 0 8"), "0012 0039", "CAM0039", "8.000000e+00",
         "at most 6.283185", "line 1, value 23"},
    };
    HOLD_SAMPLES(samples, alone);
}

/* Camera and anchor are at the same place if all three of their components are the same. */
Test(values, places_of_camera_and_anchor)
{
    static const sample samples[] = {
        {"\nset pos 1 2 3\nrow key anchored anchor 1 2 3\nrow\n" KEY, "0049", "CAM0049", "0",
         "above 0", "line 1, value 13"},
        {"\nset pos 1 2 3\nrow key anchored anchor 1 2 -3\nrow\n" KEY, "", NO_EVIDENCE},
        {"\nset pos 1 2 3\nrow key anchored anchor 1 -2 3\nrow\n" KEY, "", NO_EVIDENCE},
        {"\nset pos 1 2 3\nrow key anchored anchor -1 2 3\nrow\n" KEY, "", NO_EVIDENCE},
        /* At a key of both, and if the anchor has a place. */
        {"\nset pos 1 2 3\nrow key anchor 1 2 3\nrow\n" KEY, "", NO_EVIDENCE},
        {"\nset pos 0 2 3\nrow key anchored anchor inf 2 3\nrow\n" KEY, "0005", NO_EVIDENCE},
        /* Whatever else the row has. */
        {"\nset pos 1 2 3\nrow key anchored stored=0 anchor 1 2 3 vel inf 0 0\nrow\n" KEY,
         "0005 0049 0043", NO_EVIDENCE},
        {"\n" KEY "row\nrow key anchored pos 3 4 5 anchor 3 4 5\n", "0045 0049", NO_EVIDENCE},
        {"\n" KEY "row\nrow key pos 3 4 5 anchor 3 nan 5\n", "0005 0045", NO_EVIDENCE},
        {"\n" KEY "row\nrow key anchored pos 3 4 5 target inf 0 0\n", "0005 0045", "CAM0045",
         "all 0", "a way to the key of row 2", "line 1, value 17"},
    };
    HOLD_SAMPLES(samples, alone);
}

/* What is not a number is left out where it is asked for, and nowhere else. */
Test(values, beside_what_is_no_number)
{
    static const sample samples[] = {
        /* The next key has a place though no direction. */
        {"\n" KEY "row\nrow key anchored pos 5 0 10 target inf 0 -1\n", "0005 0045", "CAM0045",
         "all 0", "a way to the key of row 2", "line 1, value 17"},
        /* A row that is no key has odd vectors though its anchor has no place. */
        {"\n" KEY "row target 0 0 2 anchor inf 0 0\n" KEY, "0005 0037", "CAM0037",
         "1, the first here", "0", "line 2, value 6"},
        /* A velocity that is none is not stored. */
        {"\n" KEY "row key stored=0 vel 0 0 inf\n" KEY, "0005 0047 0043", NO_EVIDENCE},
        {"\n" KEY "row key stored=0 vel 0 1 inf\n" KEY, "0005 0047 0043 0044", NO_EVIDENCE},
    };
    HOLD_SAMPLES(samples, alone);
}

/* Three inner keys whose neighbours are two rows and a way of 2 along x, then y, apart. */
#define ALONG(axis, options, v1, v2, v3)                                                           \
    " form=given\nrow key anchored pos 0 0 10\nrow key " axis(                                     \
        1) " " options " vel " v1                                                                  \
           "\nrow key " axis(2) " " options " vel " v2                                             \
                                "\nrow key " axis(3) " " options " vel " v3                        \
                                                     "\nrow key anchored " axis(4) "\n"
#define X(at) "pos " #at " 0 10"
#define Y(at) "pos 0 " #at " 10"
#define ALL_X(v) ALONG(X, "", v, v, v)
#define ALL_Y(v) ALONG(Y, "", v, v, v)

Test(values, the_factor_of_the_velocities_at_its_bounds)
{
    static const sample samples[] = {
        {ALL_X("0.9 0 0"), "0012 0045 0047", NO_EVIDENCE},
        {ALL_X("0.89 0 0"), "0012 0045 0047 0048", "CAM0048", "8.900000e-01", "1",
         "line 2, value 17"},
        {ALL_X("1.9 0 0"), "0012 0045 0047", NO_EVIDENCE},
        {ALL_X("1.91 0 0"), "0012 0045 0047 0048", "CAM0048", "1.910000e+00", "1",
         "line 2, value 17"},
        /* A thousandth of 1000 more is the same. */
        {ALONG(X, "", "1000 0 0", "1001 0 0", "999 0 0"), "0012 0045 0047 0048", "CAM0048",
         "1.000000e+03", "1", "line 2, value 17"},
        {ALONG(X, "", "1000 0 0", "1001.0001 0 0", "1000 0 0"), "0012 0045 0047", NO_EVIDENCE},
        /* And so is a velocity that is off the way by a thousandth of its length. */
        {ALL_X("1000 1.0000005000003751 0"), "0012 0045 0047 0048", "CAM0048", "1.000000e+03", "1",
         "line 2, value 17"},
        {ALL_X("1000 1.0001 0"), "0012 0045 0047", NO_EVIDENCE},
        {ALL_X("100 50 0"), "0012 0045 0047", NO_EVIDENCE},
        {ALL_X("100 0 50"), "0012 0045 0047", NO_EVIDENCE},
        {ALL_Y("50 100 0"), "0012 0045 0047", NO_EVIDENCE},
        {ALL_Y("0 100 0"), "0012 0045 0047 0048", "CAM0048", "1.000000e+02", "1",
         "line 2, value 17"},
        /* Velocities that are not used say nothing. */
        {ALONG(X, "stored=0", "100 0 0", "100 0 0", "100 0 0"), "0012 0045 0047 0043 0044",
         NO_EVIDENCE},
    };
    HOLD_SAMPLES(samples, alone);
}

/* ---- limits ---- */

static void on_edit(void *user, const fh_edit *edit)
{
    size_t *num = user;
    *num += edit->old_len;
}

/* The work is in proportion to the length, whatever stands in how many lines. */
Test(limits, lines_that_ask_what_is_behind_them)
{
    static const struct {
        const char *line;
        size_t len;
    } cases[] = {{"\0\n", 2},  {"\0\0\0\0\n", 5}, {" \0\n", 3},  {"\1\n", 2},
                 {"x\n\n", 3}, {"x\n\0\0\n", 5},  {"\n\0\n", 3}, {"1 \0x\n", 5}};
    static char text[30000];
    bench b;
    open_cam(&b);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t num = 0;
        size_t edited = 0;
        while (num + cases[i].len <= sizeof text) {
            memcpy(text + num, cases[i].line, cases[i].len);
            num += cases[i].len;
        }
        bench_verify(&b, text, num, alone);
        HOLD(BENCH_BUDGET - b.budget.left < 10 * num, "case %zu: %d units of verify", i,
             (int)(BENCH_BUDGET - b.budget.left));
        b.budget = (fh_budget){BENCH_BUDGET};
        const fh_env env = {&b.arena, &b.budget, NULL};
        const fh_edit_sink out = {&edited, on_edit};
        cr_assert(b.format->repair(&env, &out, fh_cursor_make(text, num, 0), &alone) == FH_OK);
        HOLD(BENCH_BUDGET - b.budget.left < 10 * num, "case %zu: %d units of repair", i,
             (int)(BENCH_BUDGET - b.budget.left));
    }
    bench_close(&b);
}

/* A limit is told of a row, and of none of its columns, wherever it is reached. */
Test(limits, a_limit_is_told_of_a_row)
{
    forge_buf bytes = built("camerawork" SOUND);
    bench b;
    open_cam(&b);
    size_t num_told = 0;
    fh_status status = FH_LIMIT;
    for (uint64_t units = 0; status == FH_LIMIT; units += 7) {
        record all = {0};
        const fh_sink sink = record_sink(&all);
        fh_arena arena = fh_arena_make(b.block, BENCH_ARENA);
        fh_budget budget = {units};
        status = b.format->verify(&b.asset, &b.model, &(fh_env){&arena, &budget, &sink},
                                  fh_cursor_make(bytes.data, bytes.len, 0), &alone);
        const fh_finding *finding =
            record_count(&all, "CAM0063") == 0 ? NULL : record_find(&all, "CAM0063");
        HOLD((finding != NULL) == (status == FH_LIMIT), "%d units", (int)units);
        HOLD(finding == NULL || (strncmp(finding->context, "line ", 5) == 0 &&
                                 strchr(finding->context, ',') == NULL),
             "%d units: %s", (int)units, finding->context);
        num_told += finding != NULL ? 1 : 0;
        record_free(&all);
    }
    cr_assert(status == FH_OK && num_told > 100);
    bench_close(&b);
    forge_buf_free(&bytes);
}

/* Whether a blank line is one of those behind the last row is not known where the work that tells
 * is too much: then it is not called an error. */
Test(limits, a_blank_line_behind_the_last_row)
{
    enum { MOST_UNITS = 4096 };
    forge_buf bytes = built("camerawork" SOUND);
    char text[4096];
    cr_assert(bytes.len + 3 < sizeof text);
    memcpy(text, bytes.data, bytes.len);
    memcpy(text + bytes.len, " \n\n", 3);
    bench b;
    open_cam(&b);
    bench_verify(&b, text, bytes.len + 3, alone);
    HOLD(b.status == FH_OK && record_count(&b.verify, "CAM0009") == 0, "%s",
         record_codes(&b.verify));
    const uint64_t spent = BENCH_BUDGET - b.budget.left;
    for (uint64_t units = spent > MOST_UNITS ? spent - MOST_UNITS : 0; units < spent; units++) {
        record all = {0};
        const fh_sink sink = record_sink(&all);
        fh_arena arena = fh_arena_make(b.block, BENCH_ARENA);
        fh_budget budget = {units};
        const fh_status status =
            b.format->verify(&b.asset, &b.model, &(fh_env){&arena, &budget, &sink},
                             fh_cursor_make(text, bytes.len + 3, 0), &alone);
        HOLD(status == FH_LIMIT && record_count(&all, "CAM0009") == 0, "%d units: %s", (int)units,
             record_codes(&all));
        record_free(&all);
    }
    bench_close(&b);
    forge_buf_free(&bytes);
}
