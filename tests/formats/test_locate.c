/* Where texts begin of which a search has seen some characters, and what parts of camerawork texts
 * tell about each other. */
#include "bench.h"

#include "camerawork/cam_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES(text) text, sizeof(text) - 1

enum { NOWHERE = -1 };

static int64_t located(const char *format, const void *bytes, size_t len, size_t at,
                       uint64_t origin)
{
    size_t start = SIZE_MAX;
    HOLD(at < len, "the place lies in the bytes");
    if (!fh_format_find(format)->locate(&start, fh_cursor_make(bytes, len, origin), at)) {
        return NOWHERE;
    }
    HOLD(start <= at, "it begins in front of the place");
    return (int64_t)start;
}

typedef struct place {
    const char *bytes; /* '|' stands where the search found something, or in front of it */
    size_t len;
    int64_t start;
} place;

/* ---- camerawork: the blank in front of the first flag is the '|' ---- */

/* Both byte orders look alike from inside. Behind a line end its zero byte is known to be its own;
 * the zero byte of another character is taken for that of the text. */
static int64_t little_start(const place *of)
{
    if (of->start <= 0) {
        return of->start;
    }
    const char before = of->bytes[of->start - 1];
    return 2 * of->start - (before == '\n' || before == '\r' ? 0 : 1);
}

static void hold_rows(const place *cases, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        char *bytes = malloc(cases[i].len);
        char *wide = malloc(2 * cases[i].len + 2);
        memcpy(bytes, cases[i].bytes, cases[i].len);
        char *at = memchr(bytes, '|', cases[i].len);
        HOLD(at != NULL, "case %zu has no mark", i);
        *at = ' ';
        const size_t off = (size_t)(at - bytes);
        int64_t got = located("camerawork", bytes, cases[i].len, off, 1000);
        HOLD(got == cases[i].start, "case %zu: %lld", i, (long long)got);
        /* In UTF-16 of either byte order, but for what the data end within. */
        for (size_t k = 0; k <= cases[i].len; k++) {
            wide[2 * k] = '\0';
            wide[2 * k + 1] = k < cases[i].len ? bytes[k] : '\0';
        }
        got = located("camerawork", wide + 1, 2 * cases[i].len, 2 * off, 1000);
        HOLD(got == little_start(&cases[i]), "case %zu, LE: %lld", i, (long long)got);
        got = located("camerawork", wide, 2 * cases[i].len + 1, 2 * off + 1, 1000);
        HOLD(got == (cases[i].start < 0 ? NOWHERE : 2 * cases[i].start), "case %zu, BE: %lld", i,
             (long long)got);
        got = located("camerawork", wide, 2 * cases[i].len, 2 * off + 1, 1000);
        HOLD(got == (cases[i].start < 0 ? NOWHERE : 2 * cases[i].start), "case %zu, BE cut: %lld",
             i, (long long)got);
        free(bytes);
        free(wide);
    }
}

#define NUMBER " 1.000000e+00"

Test(camerawork, a_row_is_known_by_its_flag)
{
    static const place cases[] = {
        {BYTES("7|1" NUMBER), 0},
        {BYTES("7|0 -1.000000e+00"), 0},
        {BYTES("\n7|1" NUMBER), 1},
        {BYTES("\r\n7|1" NUMBER), 2},
        {BYTES("x\r7|1" NUMBER), 2},
        /* How the run-time writes what is no number. */
        {BYTES("7|1 1.#INF00e+000"), 0},
        {BYTES("7|1 -1.#IND00e+000"), 0},
        {BYTES("7|1 1#INF00e+000"), NOWHERE},
        {BYTES("7|1 1.0#0000e+00"), NOWHERE},
        {BYTES("7|1 1.00000e+00"), NOWHERE},
        {BYTES("7|1 .1000000e+00"), NOWHERE},
        {BYTES("7|1 x.000000e+00"), NOWHERE},
        {BYTES("7|1 11.00000e+00"), NOWHERE},
        /* No flag, or more than one. */
        {BYTES("7|2" NUMBER), NOWHERE},
        {BYTES("7|/" NUMBER), NOWHERE},
        {BYTES("7|10" NUMBER), NOWHERE},
        {BYTES("7|1x"), NOWHERE},
        {BYTES("|1" NUMBER), NOWHERE},
        {BYTES("x|1" NUMBER), NOWHERE},
        /* What the data end within may be one. */
        {BYTES("7|1"), 0},
        {BYTES("7|1 "), 0},
        {BYTES("7|1 -"), 0},
        {BYTES("7|1 1"), 0},
        {BYTES("7|1 1.00"), 0},
        {BYTES("7|1 1.x"), NOWHERE},
        /* At most ten digits are the index. */
        {BYTES("\n1234567890|1" NUMBER), 1},
        {BYTES("12345678901|1" NUMBER), 1},
    };
    hold_rows(cases, sizeof cases / sizeof cases[0]);
    cr_assert(eq(i64, located("camerawork", "7 ", 2, 1, 0), 0), "the data end behind the index");
}

/* The flag of column 12 or 16 follows an exponent. */
Test(camerawork, an_exponent_is_no_index)
{
    static const place cases[] = {
        {BYTES("1.000000e+00|1" NUMBER), NOWHERE},
        {BYTES("1.000000e-000|1" NUMBER), NOWHERE},
        {BYTES("xe+00|1" NUMBER), 3},
        {BYTES("1x+00|1" NUMBER), 3},
        {BYTES("1e*00|1" NUMBER), 3},
        {BYTES("e+00|1" NUMBER), 2},
    };
    hold_rows(cases, sizeof cases / sizeof cases[0]);
}

/* Which of the digits are the index, if something else stands in front: the next row tells. */
Test(camerawork, digits_of_something_else)
{
    static const place cases[] = {
        {BYTES("x57|1" NUMBER "\n8 0"), 2},
        {BYTES("x57|1" NUMBER "\r\n8 0"), 2},
        {BYTES("x57|1" NUMBER "\r8 0"), 2},
        {BYTES("x57|1" NUMBER "\n58 0"), 1},
        {BYTES("x107|1" NUMBER "\n8 0"), 3},
        /* The next index may have a digit more, but not more than ten. */
        {BYTES("x59|1" NUMBER "\n10 0"), 2},
        {BYTES("x519|1" NUMBER "\n20 0"), 2},
        {BYTES("x774|1" NUMBER "\n0000000005 0"), 3},
        {BYTES("x774|1" NUMBER "\n00000000005 0"), 1},
        {BYTES("x10|1" NUMBER "\n1 0"), 2},
        {BYTES("x57|1" NUMBER "\n9 0"), 1},
        {BYTES("x57|1" NUMBER), 1},
        {BYTES("x57|1" NUMBER "\n"), 1},
        {BYTES("x57|1" NUMBER "\n8"), 1},
        {BYTES("x57|1" NUMBER "\n8x"), 1},
        {BYTES("x57|1" NUMBER "\nx"), 1},
        {BYTES("x50|1" NUMBER "\n0 0"), 1},
        {BYTES("x57|1" NUMBER "\n12345678901 0"), 1},
        /* Where a line begins all of them are. */
        {BYTES("\n57|1" NUMBER "\n8 0"), 1},
    };
    hold_rows(cases, sizeof cases / sizeof cases[0]);
    static const uint8_t zero[] = "\0"
                                  "57 1" NUMBER "\n8 0";
    cr_assert(eq(i64, located("camerawork", zero, sizeof zero - 1, 3, 0), 1), "or behind a zero");
}

/* A row of the program has about 335 characters; a line end behind 400 is that of something else.
 */
Test(camerawork, the_next_row_is_near)
{
    char text[450];
    for (size_t len = 396; len < 405; len++) {
        const int num = snprintf(text, sizeof text, "x57 1" NUMBER);
        memset(text + num, ' ', sizeof text - (size_t)num);
        memcpy(text + 3 + len, "\n8 ", 3); /* the blank behind the index has number 0 */
        cr_assert(eq(i64, located("camerawork", text, sizeof text, 3, 0), len <= 400 ? 2 : 1));
        text[3 + len] = ' ';
        cr_assert(eq(i64, located("camerawork", text, sizeof text, 3, 0), 1), "no line end");
    }
}

/* In UTF-16 every other byte is zero, or there is no character. */
Test(camerawork, what_is_no_wide_text)
{
    static const char good[] = "7\0 \0001\0 \0001\0.\000";
    static const char bad[] = "7\1 \0001\0 \0001\0.\000";
    cr_assert(eq(i64, located("camerawork", good, sizeof good - 1, 2, 0), 0));
    cr_assert(eq(i64, located("camerawork", bad, sizeof bad - 1, 2, 0), NOWHERE));
}

/* ---- TRA4: the '|' stands in front of the keyword ---- */

static void hold_keys(const place *cases, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        char *bytes = malloc(cases[i].len);
        char *wide = malloc(2 * cases[i].len);
        const char *mark = memchr(cases[i].bytes, '|', cases[i].len);
        HOLD(mark != NULL, "case %zu has no mark", i);
        const size_t at = (size_t)(mark - cases[i].bytes);
        const size_t len = cases[i].len - 1;
        memcpy(bytes, cases[i].bytes, at);
        memcpy(bytes + at, mark + 1, len - at);
        const int64_t got = located("tra", bytes, len, at, 0);
        HOLD(got == cases[i].start, "case %zu: %lld", i, (long long)got);
        for (size_t k = 0; k < len; k++) {
            wide[2 * k] = bytes[k];
            wide[2 * k + 1] = '\0';
        }
        const int64_t far = located("tra", wide, 2 * len, 2 * at, 0);
        HOLD(far == (cases[i].start < 0 ? NOWHERE : 2 * cases[i].start), "case %zu, UTF-16: %lld",
             i, (long long)far);
        free(bytes);
        free(wide);
    }
}

Test(tra, what_is_a_key)
{
    static const place cases[] = {
        {BYTES("(|kf 0 1)"), 0},
        {BYTES("(|kgf 0 1 true)"), 0},
        {BYTES("(\t|kf 0 1)"), 0},
        {BYTES("(\f\r\n |kf 0 1)"), 0},
        {BYTES("(|kf"), 0},
        {BYTES("(|kgf"), 0},
        {BYTES("(|kf\t0"), 0},
        {BYTES("(|kg"), 0},
        {BYTES("(|kfx 0 1)"), NOWHERE},
        {BYTES("(|kgg 0 1)"), NOWHERE},
        {BYTES("(|kx"), NOWHERE},
        {BYTES("(|xf 0"), NOWHERE},
        {BYTES(")|kf 0 1)"), NOWHERE},
        {BYTES("|kf 0 1)"), NOWHERE},
        {BYTES("x\x7f(|kf 0 1)"), 2},
        {BYTES("x\1(|kf 0 1)"), 2},
    };
    hold_keys(cases, sizeof cases / sizeof cases[0]);
}

Test(tra, a_parenthesis_is_near)
{
    char text[400];
    for (size_t num = 250; num < 262; num++) {
        memset(text, ' ', sizeof text);
        text[0] = '(';
        memcpy(text + 1 + num, "kf 0", 4);
        const int64_t got = located("tra", text, sizeof text, 1 + num, 0);
        HOLD(got == (num <= 256 ? 0 : NOWHERE), "%zu blanks: %lld", num, (long long)got);
    }
}

/* From a key back to the first chunk from which all is as it must be. */
Test(tra, the_chunk_that_a_fragment_begins_with)
{
    static const place cases[] = {
        {BYTES("0.5) )\n( roll\n  ( |kf 0 1"), 7},
        {BYTES("( translate.x ) ( roll ( |kf 0 1"), 0},
        {BYTES("( name \"a\" ) ( roll ( |kf 0 1"), 0},
        {BYTES("( other ) ( roll ( |kf 0 1"), 10},
        {BYTES("( other ( |kf 0 1"), 8},
        {BYTES("( ( |kf 0 1"), 2},
        {BYTES("( \"roll\" ( |kf 0 1"), 9},
        {BYTES("( roll x ( |kf 0 1"), 9},
        {BYTES("( bone ( name \"a\" ) ( roll ( |kf 0 1"), 0},
        {BYTES("( DynamicPolygons ( |kgf 0 1 true"), 0},
        /* Another key in front of it, from which it was found. */
        {BYTES("( roll ( kf 0 1 ) ( |kf 1 1"), NOWHERE},
        {BYTES("( kf 0 1 )\n( |kf 1 1"), NOWHERE},
        /* Or was not, for it breaks off. */
        {BYTES("( kf 0 1 x )\n( |kf 1 1"), 13},
        {BYTES("( kf 0 1 ) x\n( roll ( |kf 1 1"), 13},
        {BYTES("( kgf 0 1 true ) ) ( bone ( roll ( |kf 0 1"), NOWHERE},
    };
    hold_keys(cases, sizeof cases / sizeof cases[0]);
}

/* What no key may stand in ends in front of it, and the key begins a fragment of its own. Without
 * the end of its keyword it is none yet. */
Test(tra, where_no_key_may_stand)
{
    static const place cases[] = {
        {BYTES("( Head ( traVersion 4.0 ) )\n( |kf 0 1"), 28},
        {BYTES("( Head ( traVersion 4.0 ) )\n( |kf\t"), 28},
        {BYTES("( Head ( traVersion 4.0 ) )\n( |kf"), 28},
        {BYTES("( Head ( traVersion 4.0 )\n( |kf 0 1"), 26},
        {BYTES("( Head ( traVersion 4.0 ) ) ( |kf 0 1"), 28},
        {BYTES("( Head ( traVersion 4.0 ) ) ( Figure ( |kf 0 1"), 37},
        {BYTES("( Figure ( totalFrame 8 )\n( |kf 0 1"), 26},
        {BYTES("( bone ( name \"a\" )\n( |kf 0 1"), 20},
        {BYTES("( bone ( name \"a\" )\n( |kf"), 0},
        {BYTES("( DynamicPolygons\n( |kf 0 1"), 18},
        {BYTES("( roll\n( |kgf 0 1 true"), 7},
        {BYTES("( roll\n( |kgf "), 7},
        {BYTES("( roll\n( |kgf"), 0},
        {BYTES("( bone ( roll ) ( |kf 0 1"), 16},
        {BYTES("( totalFrame 8 )\n( |kf "), 17},
    };
    hold_keys(cases, sizeof cases / sizeof cases[0]);
}

/* What ends in front of the key is nothing that it begins with; nor is what is not over there. */
Test(tra, what_does_not_reach_the_key)
{
    static const place cases[] = {
        {BYTES("( totalFrame 5 ) )\n( |kf 0 1"), 19},
        {BYTES("( name \"a ( |kf 0 1"), 10},
    };
    hold_keys(cases, sizeof cases / sizeof cases[0]);
    cr_assert(eq(i64, located("tra", "(\0k\0", 4, 2, 0), 0), "where the bytes end");
    /* The zero byte behind one that is no plain character is alone, and so the text's own. */
    cr_assert(eq(i64, located("tra", "\x80\0(\0k\0f\0", 8, 4, 0), 1));
}

/* In comments and strings nothing is a key. */
Test(tra, what_comments_and_strings_hold)
{
    static const place cases[] = {
        {BYTES("( kf 0 1 )\n; ( |kf 1 1"), NOWHERE},
        {BYTES("( kf 0 1 )\n\" ( |kf 1 1"), NOWHERE},
        {BYTES("; ( kf 0 1 )\n( |kf 1 1"), 13},
        {BYTES("( kf 0 1 ) ; ( kf 2 1 )\n( |kf 1 1"), NOWHERE},
        {BYTES("( kgf 0 1 true ) ; ( kf 2 1 )\n( |kgf 1 1 true"), NOWHERE},
        {BYTES("x ( bone ; ( kf 2 1 )\n( roll ( |kf 1 1"), 2},
        /* It is not known how the line begins. */
        {BYTES("; ( |kf 1 1"), 2},
        {BYTES("a\n; ( |kf 1 1"), NOWHERE},
        {BYTES("a\" ( |kf 1 1"), 3},
        {BYTES("x( Figure ; ( \n|kgf 0 1 true"), 12},
        {BYTES("x( Figure;(\n|kf "), 10},
        {BYTES("x(roll;(\n|kf 0 1"), 7},
        {BYTES("( name \"a\" ) ; kf \t( \n|kgf 0 1 true"), 19},
    };
    hold_keys(cases, sizeof cases / sizeof cases[0]);
}

/* With its Head in front a text is found by its first line. */
Test(tra, whole_texts_are_found_otherwise)
{
    static const place cases[] = {
        {BYTES(";TRA\n( Head ( traVersion 4.0 ) )\n( Figure ( bone ( roll ( |kf 0 1"), NOWHERE},
        {BYTES(";TRA utf8\n( Head ( traVersion 4.0 ) )\n( Figure ( bone ( roll ( |kf 0 1"),
         NOWHERE},
        {BYTES(";TRA\tutf8\n;\n( Head ( traVersion 4.0 ) )\n( Figure ( bone ( roll ( |kf 0 1"),
         NOWHERE},
        {BYTES(";TRAX\n( Head ( traVersion 4.0 ) )\n( Figure ( bone ( roll ( |kf 0 1"), NOWHERE},
        {BYTES("; x;TRA\n( Head ( traVersion 4.0 ) )\n( Figure ( bone ( roll ( |kf 0 1"), NOWHERE},
        {BYTES("; TRA\n( Head ( traVersion 4.0 ) )\n( Figure ( bone ( roll ( |kf 0 1"), 6},
        {BYTES("( Head ( traVersion 4.0 ) )\n( Figure ( bone ( roll ( |kf 0 1"), 0},
    };
    hold_keys(cases, sizeof cases / sizeof cases[0]);
}

/* No further back than this. */
Test(tra, looks_back_so_far)
{
    static char text[FH_LOOK_BEHIND + 64];
    static const char key[] = "( kf 0 1";
    for (size_t back = FH_LOOK_BEHIND - 2; back < FH_LOOK_BEHIND + 3; back++) {
        const size_t at = 16 + back;
        memset(text, '\n', sizeof text);
        memcpy(text + 16, "( roll", 6);
        memcpy(text + at - 2, key, sizeof key - 1);
        const int64_t got = located("tra", text, sizeof text, at, 0);
        HOLD(got == (back <= FH_LOOK_BEHIND ? 16 : (int64_t)at - 2), "%zu: %lld", back,
             (long long)got);
    }
}

/* In UTF-16, big endian; '~' is a letter that tells so. Looking back begins `cut` bytes further on.
 */
static int64_t big_start(const char *text, size_t cut)
{
    static char wide[512];
    size_t len = 0;
    size_t at = 0;
    for (; *text != '\0'; text++) {
        if (*text == '|') {
            at = len + 1;
            continue;
        }
        HOLD(len + 2 <= sizeof wide, "no room");
        wide[len++] = *text == '~' ? '\4' : '\0';
        wide[len++] = *text == '~' ? '\1' : *text;
    }
    const int64_t got = located("tra", wide + cut, len - cut, at - cut, 1);
    return got < 0 ? got : got + (int64_t)cut;
}

/* Once it is known that the zero bytes stand in front, nothing is read one byte off. */
Test(tra, big_endian_up_to_the_first_byte)
{
    cr_assert(eq(i64, big_start("( roll ; ~\n( |kf 0 1", 0), 0), "the very first character");
    cr_assert(eq(i64, big_start("(( roll ; ~\n( |kf 0 1", 1), 2), "half of one is none");
    cr_assert(eq(i64, big_start("( Head ) ; ~\n( |kf 0 1", 0), 26), "no key stands in a file");
    cr_assert(eq(i64, big_start("( Head ) ; ~\n( |kf ", 0), 26), "up to the last byte");
    cr_assert(eq(i64, big_start("( Head ) ; ~\n( |kf", 0), 26), "in no file whatever it is");
    cr_assert(eq(i64, big_start("; ~\n( totalFrame 8 ) ( |kf ", 0), 42));
    cr_assert(eq(i64, big_start("; ~\n( totalFrame 8 ) ( |kf", 0), 8), "nobody knows yet");
    cr_assert(eq(i64, big_start("xa\n; ~ ( |kf 1 1", 0), NOWHERE));
    cr_assert(eq(i64, big_start("xa\n; ~ ( |kf 1 1", 1), NOWHERE));
    cr_assert(eq(i64, big_start("( kf 0 1 ) ; ~\n( |kf 1 1", 0), NOWHERE), "found from the first");
    cr_assert(eq(i64, big_start("~( kf 0 1 ) ; a~\n( |kf 1 1", 0), NOWHERE));
}

/* A control character, the last one too, has no zero byte in front that was another's. */
Test(tra, what_is_not_plain_tells_the_byte_order)
{
    cr_assert(eq(i64, located("tra", "\x7f\0(\0k\0f\0", 8, 4, 0), 1));
    cr_assert(eq(i64, located("tra", "\x7e\0(\0k\0f\0", 8, 4, 0), 2));
    cr_assert(eq(i64, located("tra", "(\0k", 3, 2, 0), 0), "cut within a character");
    /* In the midst of plain ones it does not, whatever has come behind. */
    static const char text[] = "x\0x\0x\0x\0\x80\0;\0T\0R\0A";
    for (size_t len = 11; len <= sizeof text; len++) {
        cr_assert(eq(i64, located("tra", text, len, 10, 0), 10), "%zu bytes", len);
    }
}

/* Of a line whose last parenthesis stands in a comment the key in front of that counts: where it
 * breaks off another fragment begins. */
Test(tra, a_line_with_a_key_and_a_comment)
{
    static const place cases[] = {
        {BYTES("x\n( kf 0 1 ) ; ( kf 2 1 )\n( |kf 1 1"), NOWHERE},
        {BYTES("x\n( kf 0 1 x ) ; ( kf 2 1 )\n( |kf 1 1"), 28},
    };
    hold_keys(cases, sizeof cases / sizeof cases[0]);
}

/* ---- TRA4: whether a text has the zero byte in front of its first character ---- */

/* Where the text begins that follows so many characters of one whose zero bytes stand behind, from
 * the end of the front on. */
static int64_t begin_behind(const char *front, size_t len, size_t num, uint64_t origin)
{
    static char bytes[256];
    const size_t at = len + 2 * num;
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, front, len);
    for (size_t i = 0; i < num; i++) {
        bytes[len + 2 * i] = 'x';
    }
    for (size_t i = 0; i < 4; i++) {
        bytes[at + 2 * i] = ";TRA"[i];
    }
    return located("tra", bytes, at + 8, at, origin) - (int64_t)len;
}

Test(tra, a_text_behind_another_one)
{
    /* Four characters are enough to know what text it follows; they lie at even offsets. */
    for (size_t num = 1; num < 8; num++) {
        const int64_t at = 2 * (int64_t)num;
        cr_assert(eq(i64, begin_behind("", 0, num, 0), num < 4 ? at - 1 : at), "%zu", num);
        cr_assert(eq(i64, begin_behind("", 0, num, 1), at - 1), "%zu", num);
    }
    /* In the other byte order the zero byte in front is its own, wherever it lies. */
    for (size_t num = 4; num < 8; num++) {
        const int64_t at = 2 * (int64_t)num;
        cr_assert(eq(i64, begin_behind("\4\1\0", 3, num, 0), at - 1), "%zu", num);
        cr_assert(eq(i64, begin_behind("\4\1\0", 3, num, 1), at - 1), "%zu", num);
    }
    /* Or what stands in front of them tells; up to 64 are looked back. */
    for (size_t num = 60; num < 68; num++) {
        const int64_t at = 2 * (int64_t)num;
        cr_assert(eq(i64, begin_behind("\x80\x80", 2, num, 1), num < 64 ? at : at - 1), "%zu", num);
    }
}

/* ---- parts of camerawork ---- */

#define Z " 0.000000e+00"
#define Z3 Z Z Z
#define BEHIND_INDEX " 1" Z3 Z Z " -1.000000e+00" Z " 1.000000e+00" Z " 0" Z3 " 0" Z3 Z3 Z3
#define ROW(index) index BEHIND_INDEX

static fh_part described(const char *bytes, size_t len, size_t start, size_t part_len,
                         bool is_described)
{
    fh_budget budget = {BENCH_BUDGET};
    fh_part out;
    const bool is_one =
        cam_joining.describe(&out, fh_cursor_make(bytes, len, 0), start, part_len, &budget);
    HOLD(is_one == is_described, "%s", bytes);
    return out;
}

Test(parts, lines_and_what_surrounds_them)
{
    static const char text[] = "?0e+00\r\n" ROW("7") "\r\n" ROW("8") "\r\n9 1 0.0?";
    const size_t row = sizeof ROW("7") - 1 + 2;
    fh_part part = described(BYTES(text), 8, 2 * row, true);
    cr_assert(part.first == 7 && part.last == 8);
    cr_assert(part.head == 1 && part.lines == 8 && part.lines_end == 8 + 2 * row);
    cr_assert(eq(sz, part.tail_end, sizeof text - 2));
    /* The style is that of its line ends, exponents and encoding. */
    const uint32_t style = part.style;
    cr_assert(eq(u32, described(BYTES(ROW("0") "\r\n"), 0, row, true).style, style));
    cr_assert(ne(u32, described(BYTES(ROW("0") "\n"), 0, row - 1, true).style, style));
    cr_assert(described(BYTES(ROW("0")), 0, row - 2, false).last == 0, "a row without a line end");
    (void)described(BYTES("x\n"), 0, 2, false);
    (void)described(BYTES("\n"), 0, 0, false);
}

Test(parts, cut_between_cr_and_lf)
{
    static const char text[] = ROW("7") "\r\n" ROW("8") "\r";
    const size_t row = sizeof ROW("7") - 1 + 2;
    const fh_part part = described(BYTES(text), 0, sizeof text - 1, true);
    cr_assert(part.last == 7 && part.lines_end == row);
    cr_assert(eq(sz, part.tail_end, sizeof text - 1), "the CR is part of the cut line");
    /* Texts in which CR alone ends lines have whole ones. */
    const fh_part alone = described(BYTES(ROW("7") "\r" ROW("8") "\r"), 0, 2 * row - 2, true);
    cr_assert(eq(i64, alone.last, 8));
    /* A CR behind the lines that no tail is in front of is nobody's. */
    const fh_part bare = described(BYTES(ROW("7") "\r\n\r"), 0, row, true);
    cr_assert(eq(sz, bare.tail_end, row));
    const fh_part unix_part = described(BYTES(ROW("7") "\n8 1\r"), 0, row - 1, true);
    cr_assert(eq(sz, unix_part.tail_end, row - 1 + 3));
}

Test(parts, of_a_text_with_a_mark_and_of_utf16)
{
    static const char text[] = "1e+00\n\xef\xbb\xbf" ROW("0") "\n";
    const fh_part part = described(BYTES(text), 6, sizeof text - 7, true);
    cr_assert(part.first == 0 && part.lines == 9 && part.head == 9,
              "in front of a mark is nothing");
    static const char narrow[] = "0\n" ROW("7") "\n8";
    for (int is_big = 0; is_big < 2; is_big++) {
        char wide[2 * sizeof narrow];
        for (size_t i = 0; i < sizeof narrow; i++) {
            wide[2 * i] = is_big ? '\0' : narrow[i];
            wide[2 * i + 1] = is_big ? narrow[i] : '\0';
        }
        const size_t len = 2 * (sizeof narrow - 1);
        const fh_part far = described(wide, len, 4, len - 6, true);
        cr_assert(far.first == 7 && far.head == 0 && far.lines == 4);
        cr_assert(far.lines_end == len - 2 && far.tail_end == len);
        /* Half a character is none. */
        cr_assert(eq(sz, described(wide, len - 1, 4, len - 6, true).tail_end, len - 2));
    }
}

/* What may be the rest of a line, or the beginning of one, is at most 400 characters that rows are
 * made of, and begins at a line end. */
Test(parts, how_far_the_neighbours_reach)
{
    static const char row[] = ROW("7") "\n";
    char text[1024 + sizeof row];
    for (size_t num = 398; num < 403; num++) {
        memset(text, '1', sizeof text);
        text[num] = '\n';
        memcpy(text + num + 1, row, sizeof row - 1);
        const size_t end = num + sizeof row;
        const size_t most = num < 400 ? num : 400;
        fh_part part = described(text, end + num, num + 1, sizeof row - 1, true);
        HOLD(part.lines == num + 1 && part.head == num - most, "%zu: %zu", num, part.head);
        HOLD(part.lines_end == end && part.tail_end == end + most, "%zu: %zu", num, part.tail_end);
    }
    static const char joined[] = "1" ROW("7") "\n";
    cr_assert(eq(sz, described(BYTES(joined), 1, sizeof joined - 2, true).head, 1),
              "no line end in front");
    static const char zeros[] = "\0\n" ROW("7") "\n\0\0";
    const fh_part part = described(BYTES(zeros), 2, sizeof zeros - 5, true);
    cr_assert(part.head == 1 && part.tail_end == sizeof zeros - 3);
}

/* In UTF-16 a character whose low byte is a digit's is none. */
Test(parts, wide_characters_that_are_none_of_a_row)
{
    static const char narrow[] = ROW("7") "\n1";
    char wide[2 * sizeof narrow] = "";
    for (size_t i = 0; i + 1 < sizeof narrow; i++) {
        wide[2 * i] = narrow[i];
    }
    const size_t len = 2 * (sizeof narrow - 1);
    cr_assert(eq(sz, described(wide, len, 0, len - 2, true).tail_end, len));
    wide[len - 1] = 1;
    cr_assert(eq(sz, described(wide, len, 0, len - 2, true).tail_end, len - 2));
}

/* The text of a row that is cut at a place; true if the two sides make it. */
static bool merged(fh_cut *cut, const char *tail, size_t tail_len, uint64_t tail_origin,
                   const char *head, size_t head_len, uint64_t head_origin, int64_t number)
{
    const uint32_t style = described(BYTES(ROW("0") "\n"), 0, sizeof ROW("0"), true).style;
    fh_budget budget = {BENCH_BUDGET};
    return cam_joining.merge(cut, fh_cursor_make(tail, tail_len, tail_origin),
                             fh_cursor_make(head, head_len, head_origin), number, style, &budget);
}

Test(parts, a_row_is_merged_wherever_it_is_cut)
{
    static const char row[] = ROW("77") "\n";
    fh_cut cut;
    for (size_t at = 1; at < sizeof row - 1; at++) {
        const size_t left = sizeof row - 1 - at;
        HOLD(merged(&cut, row, at, 1, row + at, left, 1, 77), "cut at %zu", at);
        HOLD(cut.tail_len == at && cut.head_len == left, "cut at %zu", at);
        HOLD(!merged(&cut, row, at, 1, row + at, left, 1, 78), "of another number");
    }
    cr_assert(not(merged(&cut, row, 0, 1, row, sizeof row - 1, 1, 77)), "there is no tail");
}

/* Chance may put characters beside a cut: up to three, or any beyond the border of a sector. */
Test(parts, what_chance_put_there)
{
    static const char row[] = ROW("77") "\n";
    static const char strays[] = "NNNNN";
    char tail[1024];
    char head[1024];
    fh_cut cut;
    for (size_t num = 0; num <= 5; num++) {
        const size_t tail_len =
            (size_t)snprintf(tail, sizeof tail, "%.100s%.*s", row, (int)num, strays);
        HOLD(merged(&cut, tail, tail_len, 1, row + 100, sizeof row - 101, 1, 77) == (num <= 3),
             "%zu characters behind", num);
        HOLD(merged(&cut, tail, tail_len, 512 - 100, row + 100, sizeof row - 101, 1, 77),
             "%zu characters behind a border", num);
        HOLD(cut.tail_len == 100, "%zu characters", num);
        const size_t head_len =
            (size_t)snprintf(head, sizeof head, "%.*s%s", (int)num, strays, row + 100);
        HOLD(merged(&cut, row, 100, 1, head, head_len, 1, 77) == (num <= 3),
             "%zu characters in front", num);
        HOLD(merged(&cut, row, 100, 1, head, head_len, 1024 - num, 77),
             "%zu characters in front of a border", num);
        HOLD(cut.head_len == sizeof row - 101, "%zu characters", num);
    }
}

/* Where there is a border in a side, chance put characters behind that border only. */
Test(parts, a_border_that_is_not_where_the_cut_is)
{
    static const char row[] = ROW("77") "\n";
    const char *rest = row + 100;
    const size_t rest_len = sizeof row - 101;
    char side[512];
    fh_cut cut;
    const size_t tail_len = (size_t)snprintf(side, sizeof side, "%.100sN", row);
    cr_assert(merged(&cut, side, tail_len, 1, rest, rest_len, 1, 77));
    cr_assert(not(merged(&cut, side, tail_len, 512 - 50, rest, rest_len, 1, 77)));
    cr_assert(not(merged(&cut, side, tail_len, 512 - 101, rest, rest_len, 1, 77)), "at its end");
    const size_t head_len = (size_t)snprintf(side, sizeof side, "N%s", rest);
    cr_assert(merged(&cut, row, 100, 1, side, head_len, 1, 77));
    cr_assert(not(merged(&cut, row, 100, 1, side, head_len, 512 - 50, 77)));
    cr_assert(not(merged(&cut, row, 100, 1, side, head_len, 512, 77)), "at its start");
}

/* A side that is cut at its border to the other has no part in the row. */
Test(parts, a_row_that_lies_on_one_side)
{
    static const char row[] = ROW("77") "\n";
    static const char padded[] = "0" ROW("77") "\n";
    const size_t len = sizeof row - 1;
    fh_cut cut;
    cr_assert(merged(&cut, "77 NNNNN", 8, 512, row, len, 1, 77));
    cr_assert(cut.tail_len == 0 && cut.head_len == len);
    cr_assert(merged(&cut, "77 NNNNN", 8, 512, row, len, 512, 77), "up to a border");
    cr_assert(not(merged(&cut, "77 NNNNN", 8, 512, padded, len + 1, 512, 77)),
              "not as it is written");
    cr_assert(not(merged(&cut, "77 NNNNN", 8, 1, row, len, 1, 77)));
    cr_assert(merged(&cut, row, len, 1, "NNNNN", 5, 512 - 5, 77));
    cr_assert(cut.tail_len == len && cut.head_len == 0);
    cr_assert(not(merged(&cut, row, len, 1, "NNNNN", 5, 1, 77)));
}

/* In UTF-16 a side is cut between characters. */
Test(parts, a_wide_row_that_is_cut_at_a_border)
{
    static const char row[] = ROW("77") "\n";
    char wide[2 * sizeof row] = "";
    const size_t len = 2 * (sizeof row - 1);
    const size_t cut_at = 200;
    for (size_t i = 0; i + 1 < sizeof row; i++) {
        wide[2 * i] = row[i];
    }
    const uint32_t style = described(wide, len, 0, len, true).style;
    char tail[220] = "";
    memset(tail, 'N', sizeof tail);
    memcpy(tail, wide, cut_at);
    fh_budget budget = {BENCH_BUDGET};
    fh_cut cut;
    cr_assert(cam_joining.merge(&cut, fh_cursor_make(tail, sizeof tail, 512 - cut_at),
                                fh_cursor_make(wide + cut_at, len - cut_at, 2), 77, style,
                                &budget));
    cr_assert(cut.tail_len == cut_at && cut.head_len == len - cut_at);
}

/* A tail is looked at up to 800 bytes, a head up to 804. */
Test(parts, sides_that_are_just_short_enough)
{
    static const char row[] = ROW("77") "\n";
    const size_t rest_len = sizeof row - 101;
    char side[1024];
    fh_cut cut;
    memset(side, 'N', sizeof side);
    memcpy(side, row, 100);
    for (size_t len = 799; len < 803; len++) {
        HOLD(merged(&cut, side, len, 512 - 100, row + 100, rest_len, 1, 77) == (len <= 800),
             "a tail of %zu", len);
    }
    memset(side, 'N', sizeof side);
    for (size_t len = 790; len < 808; len++) {
        const size_t strays = len - rest_len;
        memcpy(side + strays, row + 100, rest_len);
        HOLD(merged(&cut, row, 100, 1, side, len, 1024 - strays, 77) == (len <= 804),
             "a head of %zu", len);
        memset(side, 'N', sizeof side);
    }
}

Test(parts, what_is_no_row_of_the_program)
{
    static const char row[] = ROW("77") "\n";
    static const struct {
        const char *tail, *head;
    } cases[] = {
        {"77  1", row + 4},                                        /* two blanks */
        {"77 1 0.000000e+00", (BEHIND_INDEX "\n") + 2},            /* a column too many */
        {"77", BEHIND_INDEX "\r\n"},                               /* another line end */
        {"77", BEHIND_INDEX " \n"},                                /* a margin */
        {"77", BEHIND_INDEX},                                      /* none */
        {"77", BEHIND_INDEX "\n1"},                                /* more than one line */
        {"7", BEHIND_INDEX "\n"},                                  /* another number */
        {"77 1 1.0", (BEHIND_INDEX "\n") + 15},                    /* a number in another form */
        {"77 1 1.000000e+000 0.000000", (BEHIND_INDEX "\n") + 24}, /* or with other exponents */
        {"\xef\xbb\xbf"
         "77",
         BEHIND_INDEX "\n"}, /* a mark */
        {"x7", BEHIND_INDEX "\n"},
    };
    fh_cut cut;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        HOLD(!merged(&cut, cases[i].tail, strlen(cases[i].tail), 1, cases[i].head,
                     strlen(cases[i].head), 1, 77),
             "case %zu", i);
    }
    static char lots[1024];
    memset(lots, '1', sizeof lots);
    memcpy(lots, "77 ", 3);
    cr_assert(not(merged(&cut, lots, 801, 1, row, 10, 1, 77)), "a side that is too long");
    cr_assert(not(merged(&cut, row, 10, 1, lots, 805, 1, 77)));
    fh_budget budget = {100};
    const fh_cursor tail = fh_cursor_make(row, 10, 1);
    const fh_cursor head = fh_cursor_make(row + 10, sizeof row - 11, 1);
    cr_assert(not(cam_joining.merge(&cut, tail, head, 77, 0, &budget)), "it is not paid for");
}

Test(parts, begun_and_ended_rows)
{
    static const struct {
        const char *text;
        bool is_begun, is_ended;
    } cases[] = {
        {"77 ", true, false},     {"77 1 0.0", true, false},  {"77", false, false},
        {"", false, false},       {"7", false, false},        {"78 ", false, false},
        {"1e+00\n", false, true}, {"e-000\r\n", false, true}, {"xe+10", false, true},
        {"e+0\n", false, false},  {"e+0000", false, false},   {"e*00", false, false},
        {"+00", false, false},    {"x+00", false, false},     {"00", false, false},
        {"e+0/", false, false},   {"e+0:", false, false},     {"77 1e+00\n", true, true},
        {"\n", false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fh_cursor side = fh_cursor_make(cases[i].text, strlen(cases[i].text), 1);
        HOLD(cam_joining.is_begun(side, 77, 0) == cases[i].is_begun, "'%s' begins", cases[i].text);
        HOLD(cam_joining.is_ended(side, 0) == cases[i].is_ended, "'%s' ends", cases[i].text);
    }
}

static int64_t difference(const char *a, const char *b)
{
    fh_budget budget = {BENCH_BUDGET};
    int64_t number = NOWHERE;
    const bool do_differ = cam_joining.differ(&number, fh_cursor_make(a, strlen(a), 0),
                                              fh_cursor_make(b, strlen(b), 0), &budget);
    return do_differ ? number : NOWHERE;
}

/* Two states of one file share a row to the byte and have another one in two forms. */
Test(parts, states_of_one_file)
{
#define A(i) ROW(i) "\n"
#define B(i) i " 0" Z3 Z Z " -1.000000e+00" Z " 1.000000e+00" Z " 0" Z3 " 0" Z3 Z3 Z3 "\n"
    cr_assert(eq(i64, difference(A("1") A("2") A("3"), A("1") B("2") B("3")), 2));
    cr_assert(eq(i64, difference(A("1") A("2"), A("1") ROW("2") "\r"), 2), "in its last byte");
    /* A row that is there twice is held against one of the other's once. */
    cr_assert(eq(i64, difference(A("1") B("1"), A("1") A("2")), NOWHERE));
    cr_assert(eq(i64, difference(A("1") A("2"), A("1") B("1")), NOWHERE));
    cr_assert(eq(i64, difference(A("1") A("2") A("3"), B("2") A("3")), 2));
    cr_assert(eq(i64, difference(A("2") B("3"), A("1") A("2") A("3")), 3));
    cr_assert(eq(i64, difference(A("1") A("2"), A("1") A("2")), NOWHERE), "equal");
    cr_assert(eq(i64, difference(A("1") A("2"), B("1") B("2")), NOWHERE), "nothing is shared");
    cr_assert(eq(i64, difference(A("1"), A("2")), NOWHERE), "other rows");
    cr_assert(eq(i64, difference(A("2"), A("1")), NOWHERE));
    cr_assert(eq(i64, difference("", A("1")), NOWHERE));
    cr_assert(eq(i64, difference(A("1"), ""), NOWHERE));
    cr_assert(eq(i64, difference("x\n" A("1") A("2"), A("1") B("2")), NOWHERE), "no row");
    cr_assert(eq(i64, difference(A("1") A("2"), "x\n" A("1")), NOWHERE));
    cr_assert(eq(i64, difference(A("1") ROW("2") " \n", A("1") A("2")), 2), "of another length");
    cr_assert(eq(i64, difference(A("2") A("3"), B("2") A("3") A("4")), 2), "one of them ends");
    cr_assert(eq(i64, difference(B("2") A("3") A("4"), A("2") A("3")), 2));
    cr_assert(eq(i64, difference(A("+3") A("4"), A("03") A("4")), 3), "in its first byte");
    cr_assert(eq(i64, difference(A("1") A("2") A("3"), B("1") B("2") A("3")), 1), "the first");
    cr_assert(eq(i64, difference(A("3") A("4") A("5"), A("1") A("2") A("3") A("4") B("5")), 5));
    cr_assert(eq(i64, difference(A("1") A("2") A("3") A("4") B("5"), A("3") A("4") A("5")), 5));
#undef A
#undef B
}
