/* TRA4 texts as characters: what encodings mean, where a text begins and ends, and how numbers and
 * names are told. */
#include "tra_bench.h"

#include "tra/tra_name.h"
#include "tra/tra_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ";TRA\n(Head(traVersion 4.0))"
#define BONE(name)                                                                                 \
    "(bone(name \"" name "\")"                                                                     \
    "(translate.x(kf 0 0.0))(translate.y(kf 0 0.0))(translate.z(kf 0 0.0))"                        \
    "(scale.x(kf 0 100.0))(scale.y(kf 0 100.0))(scale.z(kf 0 100.0))"                              \
    "(rotate.x(kf 0 0.0))(rotate.y(kf 0 0.0))(rotate.z(kf 0 1.0))(roll(kf 0 0.0)))"
#define NAMED(name) HEAD "(Figure(totalFrame 1)" BONE(name) ")"
#define SOUND NAMED("a")

static const fh_verify_options carved = {.aligned = true};

static void hold_codes(const void *text, size_t len, const char *codes)
{
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    bench_verify(&b, text, len, alone);
    HOLD(strcmp(record_codes(&b.verify), codes) == 0, "'%.60s': %s, not %s", (const char *)text,
         record_codes(&b.verify), codes);
    bench_close(&b);
}
#define HOLD_CODES(text, codes) hold_codes(text, sizeof(text) - 1, codes)

/* What is found, of the one finding that there is. */
static void hold_found(const char *text, const char *code, const char *found)
{
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    bench_verify(&b, text, strlen(text), alone);
    HOLD(strcmp(record_codes(&b.verify), code) == 0, "'%.60s': %s, not %s", text,
         record_codes(&b.verify), code);
    HOLD(strcmp(b.verify.findings[0].found, found) == 0, "'%.60s': found '%s', not '%s'", text,
         b.verify.findings[0].found, found);
    bench_close(&b);
}

/* ---- names ---- */

/* Of UTF-16 the characters are known: at the ends of what takes one, two, three and four bytes, and
 * of what is half a pair. */
Test(name, utf16_becomes_utf8)
{
    static const struct {
        uint16_t units[3];
        uint32_t num;
        const char *utf8; /* NULL: no character */
    } cases[] = {
        {{0x7f}, 1, "\x7f"},
        {{0x80}, 1, "\xc2\x80"},
        {{0x7ff}, 1, "\xdf\xbf"},
        {{0x800}, 1, "\xe0\xa0\x80"},
        {{0xd7ff}, 1, "\xed\x9f\xbf"},
        {{0xe000}, 1, "\xee\x80\x80"},
        {{0xffff}, 1, "\xef\xbf\xbf"},
        {{0xd800, 0xdc00}, 2, "\xf0\x90\x80\x80"},
        {{0xd800, 0xdfff}, 2, "\xf0\x90\x8f\xbf"},
        {{0xdbff, 0xdc00}, 2, "\xf4\x8f\xb0\x80"},
        {{0xdbff, 0xdfff, 'a'}, 3, "\xf4\x8f\xbf\xbf\x61"},
        {{'a', 0xd83d, 0xde00}, 3, "\x61\xf0\x9f\x98\x80"},
        {{0xd800}, 1, NULL},
        {{0xdbff}, 1, NULL},
        {{0xd800, 0xdbff}, 2, NULL},
        {{0xdbff, 0xe000}, 2, NULL},
        {{0xdc00, 0xdc00}, 2, NULL},
        {{0xdfff, 0xdc00}, 2, NULL},
        {{0xdc00, 'a'}, 2, NULL},
        {{0xdfff, 'a'}, 2, NULL},
        {{0xdbff, 0xd800, 0xdc00}, 3, NULL},
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const bool is_big = i % 2 != 0;
        uint8_t bytes[6];
        tra_name_text out;
        for (size_t k = 0; k < 6; k++) {
            bytes[k] = (uint8_t)(cases[i / 2].units[k / 2] >> ((k % 2 == 0) == is_big ? 8 : 0));
        }
        const fh_scan scan =
            fh_scan_make(fh_cursor_make(bytes, sizeof bytes, 0),
                         is_big ? FH_ENCODING_UTF16BE : FH_ENCODING_UTF16LE, &tra_style);
        const fh_token token = {.kind = FH_TOKEN_STRING, .num_units = cases[i / 2].num};
        const char *wanted = cases[i / 2].utf8;
        HOLD(tra_name_read(&out, &scan, &token) == (wanted != NULL), "case %zu", i / 2);
        HOLD(wanted == NULL ||
                 (out.len == strlen(wanted) && memcmp(out.bytes, wanted, out.len) == 0),
             "case %zu", i / 2);
    }
}

/* Of bytes they are guessed. UTF-8 is judged by how many bytes its first ones ask for, CP932 by
 * its ranges of lead and trail bytes. */
Test(name, character_sets_that_bytes_fit)
{
#define FITS_UTF8(bytes, shown) hold_found(NAMED(bytes), "0008", "\"" shown "\" (fits UTF-8)")
#define FITS_CP932(bytes, shown) hold_found(NAMED(bytes), "0008", "\"" shown "\" (fits CP932)")
#define FITS_NONE(bytes, shown)                                                                    \
    hold_found(NAMED(bytes), "0008", "\"" shown "\" (fits neither UTF-8 nor CP932)")
    FITS_UTF8("\xc2\x80", "\\xc2\\x80");
    FITS_UTF8("\xdf\x80", "\\xdf\\x80");
    FITS_UTF8("\xe0\xa0\x80", "\\xe0\\xa0\\x80");
    FITS_UTF8("\xef\x80\x80", "\\xef\\x80\\x80");
    FITS_UTF8("\xf0\x90\x80\x80", "\\xf0\\x90\\x80\\x80");
    FITS_UTF8("\xf4\x8f\xbf\xbf", "\\xf4\\x8f\\xbf\\xbf");
    FITS_NONE("\xc1\x80", "\\xc1\\x80");
    FITS_NONE("\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80");
    FITS_CP932("\xa1", "\\xa1");
    FITS_CP932("\xdf", "\\xdf");
    FITS_CP932("\x81\x40", "\\x81@");
    FITS_CP932("\x9f\x7e", "\\x9f~");
    FITS_CP932("\x81\x80", "\\x81\\x80");
    FITS_CP932("\xfc\xfc", "\\xfc\\xfc");
    FITS_NONE("\xe0", "\\xe0");
    FITS_NONE("\x80\x40", "\\x80@");
    FITS_NONE("\xa0\x40", "\\xa0@");
    FITS_NONE("\xfd\x40", "\\xfd@");
#undef FITS_UTF8
#undef FITS_CP932
#undef FITS_NONE
}

/* ---- numbers, for evidence ---- */

static void hold_real(double value, const char *wanted)
{
    char buf[64];
    fh_text text = fh_text_make(buf, sizeof buf);
    tra_put_real(&text, value);
    HOLD(strcmp(buf, wanted) == 0, "%.17g is '%s', not '%s'", value, buf, wanted);
}

Test(number, six_decimals_at_most)
{
    hold_real(0, "0");
    hold_real(-0.5, "-0.5");
    hold_real(1.0000004, "1");
    hold_real(1.0000006, "1.000001");
    hold_real(0.9999996, "1");
    hold_real(100.000001, "100.000001");
    hold_real(123456.789, "123456.789");
    hold_real(549755813888.0, "549755813888");
    hold_real(999999.9999996, "1000000");
    /* As many decimals as it has, however many places stand in front of them. */
    hold_real(549755813888.125, "549755813888.125");
    hold_real(999999999999.5, "999999999999.5");
    hold_real(1e12, "1000000000000");
    hold_real(-1e12, "-1000000000000");
    hold_real(1e12 + 0.0001220703125, "more than 1000000000000");
    hold_real(-1e12 - 0.0001220703125, "less than -1000000000000");
    /* What is not 0 is not told as 0: from half a millionth on it is a millionth. */
    hold_real(5e-7, "0.000001");
    hold_real(-5e-7, "-0.000001");
    hold_real(4.9e-7, "between 0 and 0.000001");
    hold_real(1e-300, "between 0 and 0.000001");
    hold_real(-1e-300, "between -0.000001 and 0");
}

/* ---- the beginning ---- */

Test(beginning, other_formats)
{
#define RELATIVE(bytes, name) hold_found(bytes, "0005", name)
    RELATIVE(";BAC\n", "BAC, text form");
    RELATIVE(";BAC utf8\n", "BAC, text form");
    RELATIVE("{V4\x12", "TRA3");
    RELATIVE("HIJT", "HIJT");
#undef RELATIVE
    hold_found("|V4\x12", "0001", "|V4");
    hold_found("IIJT", "0001", "IIJT");
    HOLD_CODES("MT\2\0", "0005");
    HOLD_CODES("MT\5\0", "0005");
    HOLD_CODES("MT\6\0", "0001");
    HOLD_CODES("NT\5\0", "0001");
    HOLD_CODES("MB\2\0", "0005");
    HOLD_CODES("MB\x09\0", "0005");
    HOLD_CODES("MB\x0a\0", "0001");
    HOLD_CODES("NB\x09\0", "0001");
}

Test(beginning, a_blank_in_the_identification)
{
    static const char rest[] = "\n(Head(traVersion 4.0))(Figure(totalFrame 1)" BONE("a") ")\n";
    static const struct {
        const char *first, *codes;
    } cases[] = {{";TRA", ""},         {"; TRA", "0003"},       {"; TRA utf8", "0003 0002"},
                 {"; TRA \t", "0003"}, {"; TRAX", "0003 0002"}, {"; TR", "0001"},
                 {";  TRA", "0001"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[sizeof rest + 16];
        const int len = snprintf(text, sizeof text, "%s%s", cases[i].first, rest);
        hold_codes(text, (size_t)len, cases[i].codes);
    }
}

/* As many blanks as a word may have characters may be the beginning of a text of which the rest is
 * missing, behind a byte order mark as well; with one more they are none. */
Test(beginning, as_many_blanks_as_a_word_has_characters)
{
    static char bytes[FH_SCAN_MOST_UNITS + 8];
    for (size_t bom_len = 0; bom_len <= 3; bom_len += 3) {
        memset(bytes, ' ', sizeof bytes);
        memcpy(bytes, "\xef\xbb\xbf", bom_len);
        for (size_t num = FH_SCAN_MOST_UNITS - 1; num <= FH_SCAN_MOST_UNITS + 1; num++) {
            bench b;
            bench_open(&b);
            b.format = fh_format_find("tra");
            bench_verify(&b, bytes, bom_len + num, alone);
            HOLD(b.status == (num <= FH_SCAN_MOST_UNITS ? FH_TRUNCATED : FH_NOT_THIS_FORMAT),
                 "%zu and %zu bytes: %d", bom_len, num, (int)b.status);
            bench_close(&b);
        }
    }
}

/* ---- line ends ---- */

/* One that is not as the others is told; which is the rule and which the exception does not
 * matter. */
Test(lines, a_single_other_one)
{
    HOLD_CODES(";TRA\n;\n;\r\n(Head(traVersion 4.0))(Figure(totalFrame 1)" BONE("a") ")\n", "0014");
    HOLD_CODES(";TRA\r\n;\r\n;\n(Head(traVersion 4.0))(Figure(totalFrame 1)" BONE("a") ")\r\n",
               "0014");
    HOLD_CODES(SOUND "\n", "");
    HOLD_CODES(";TRA\r\n;\r\n(Head(traVersion 4.0))(Figure(totalFrame 1)" BONE("a") ")\r\n", "");
    HOLD_CODES(";TRA\r(Head(traVersion 4.0))(Figure(totalFrame 1)" BONE("a") ")", "0014");
}

/* ---- the end ---- */

Test(ending, what_is_too_much)
{
    HOLD_CODES(SOUND "\n\0", "0036");
    HOLD_CODES(SOUND "\n\1", "0035");
    /* A comment has a line end of up to two bytes; all blanks count where there are more. */
    HOLD_CODES(SOUND "\n; c\n ; d\n", "");
    hold_found(SOUND "\n; c\n  ; d\n", "0036", "3 blank bytes");
}

/* Up to the end of a line: with a comment, but for the first line of another text. */
Test(ending, which_comments_are_the_texts_own)
{
    static const struct {
        const char *behind;
        size_t len;
    } cases[] = {{"", 0},       {"\n", 1},     {" ; c\n", 5},    {" ; c\r\nx", 6},
                 {" ;TR\n", 5}, {";TRA\n", 0}, {";TRA utf8", 0}, {" ;TRAX\n", 0}};
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[sizeof SOUND + 16];
        const int len = snprintf(text, sizeof text, "%s%s", SOUND, cases[i].behind);
        bench_verify(&b, text, (size_t)len, carved);
        HOLD(b.asset.length == sizeof SOUND - 1 + cases[i].len, "'%s': %zu more", cases[i].behind,
             (size_t)b.asset.length - (sizeof SOUND - 1));
    }
    bench_close(&b);
}

/* A string is over where it is closed, whatever comes: nothing more needs to be seen. */
Test(ending, a_string_behind_the_text)
{
    static const struct {
        const char *behind;
        fh_verdict verdict;
    } cases[] = {{"\"a b\"", FH_ACCEPT}, {"\"a b", FH_MORE}, {"#a b", FH_ACCEPT}, {"#a", FH_MORE}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[sizeof SOUND + 16];
        const int len = snprintf(text, sizeof text, "%s%s", SOUND, cases[i].behind);
        fh_budget budget = {BENCH_BUDGET};
        fh_probe out;
        fh_format_find("tra")->probe(&out, fh_cursor_make(text, (size_t)len, 0), FH_END_NONE, NULL,
                                     NULL, &budget);
        HOLD(out.verdict == cases[i].verdict, "'%s': %d", cases[i].behind, (int)out.verdict);
    }
}

static void hold_half(const char *bytes, size_t len)
{
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    bench_verify(&b, bytes, len, alone);
    const fh_finding *half = record_find(&b.verify, "TRA0035");
    HOLD(half != NULL && half->offset == (int64_t)len - 1, "not told");
    HOLD(strcmp(half->found, "half a UTF-16 character") == 0, "%s", half->found);
    bench_close(&b);
}

/* Half a character behind a text in UTF-16 is something that does not belong to it. */
Test(ending, half_a_character)
{
    static char wide[2 * sizeof SOUND + 2];
    static const char text[] = SOUND "\n";
    for (size_t i = 0; i < sizeof text; i++) {
        wide[2 * i] = text[i];
    }
    const size_t len = 2 * (sizeof text - 1);
    hold_codes(wide, len, "0013");
    wide[len] = 'x';
    hold_codes(wide, len + 1, "0013 0035");
    hold_half(wide, len + 1);
    wide[len] = '\0';
    hold_codes(wide, len + 1, "0013 0036");
}

/* ---- the budget ---- */

static bool is_told(const record *of, const fh_finding *finding)
{
    for (size_t i = 0; i < of->num_findings; i++) {
        const fh_finding *one = &of->findings[i];
        if (one->rule == finding->rule && one->offset == finding->offset &&
            strcmp(one->found, finding->found) == 0) {
            return true;
        }
    }
    return false;
}

/* Half the work finds nothing that all of it does not find. */
static void hold_told(const char *text, const fh_verify_options *options)
{
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    bench_verify(&b, text, strlen(text), *options);
    const uint64_t spent = BENCH_BUDGET - b.budget.left;
    for (uint64_t units = 0; units < spent; units++) {
        record told = {0};
        const fh_sink sink = record_sink(&told);
        fh_arena arena = fh_arena_make(b.block, BENCH_ARENA);
        fh_budget budget = {units};
        const fh_env env = {&arena, &budget, &sink};
        fh_asset asset;
        const void *model = NULL;
        const fh_status status =
            b.format->verify(&asset, &model, &env, fh_cursor_make(text, strlen(text), 0), options);
        HOLD(status == FH_LIMIT, "%d units are not enough: %d", (int)units, (int)status);
        for (size_t i = 0; i < told.num_findings; i++) {
            HOLD(strcmp(told.findings[i].rule->code, "TRA0141") == 0 ||
                     is_told(&b.verify, &told.findings[i]),
                 "%d units: %s, found %s", (int)units, told.findings[i].rule->code,
                 told.findings[i].found);
        }
        record_free(&told);
    }
    bench_close(&b);
}

static uint64_t work_of(const char *text)
{
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    bench_verify(&b, text, strlen(text), alone);
    HOLD(b.status == FH_OK, "%s", text);
    const uint64_t spent = BENCH_BUDGET - b.budget.left;
    bench_close(&b);
    return spent;
}

/* Whether Head follows a run of comments is looked for once, also of the last of them. */
Test(budget, comments_that_might_begin_a_text)
{
    const uint64_t none = work_of(HEAD "; a ;TRX\n; b ;TRX\n(Figure(totalFrame 9)" BONE("a") ")\n");
    const uint64_t one = work_of(HEAD "; a ;TRA\n; b ;TRX\n(Figure(totalFrame 9)" BONE("a") ")\n");
    const uint64_t two = work_of(HEAD "; a ;TRA\n; b ;TRA\n(Figure(totalFrame 9)" BONE("a") ")\n");
    cr_assert(one > none);
    cr_assert(eq(u64, two, one));
}

Test(budget, too_little_of_it_tells_nothing_else)
{
    hold_told(
        HEAD "(Figure(totalFrame 9)" BONE("a") BONE("b")
            BONE("b") "(DynamicPolygons"
                      "(kgf 0 0 true)(kgf 3 1 true)(kgf 0 1 false)(kgf 5 2 true)(kgf 0 2 true)))\n",
        &alone);
    hold_told(HEAD "(Figure(totalFrame 9)(bone(name \"a\")(rotate.x(kf 0 1.0)(kf 8 -1.0))"
                   "(rotate.y(kf 0 0.0))(rotate.z(kf 0 0.0)(kf 3 0.0)(kf 8 0.0)))) ; c\n",
              &alone);
    /* Of a fragment some things are told where it breaks off. */
    hold_told("( roll ( kf 0 +1.0 )\n( kf 1 +1.0 )\r\n( kf 2 .5 ) ( kf 3 1e1 ) ( kf +4 0.0 ) ) )",
              &carved);
}
