/* TRA4 texts at the edges of what the reader and the checks tell apart: what is found, where, and
 * what is expected there. */
#include "bench.h"

#include "core/scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ";TRA\n(Head(traVersion 4.0))"
#define TEXT(chunks) HEAD "(Figure" chunks ")\n"
#define REST_BUT_ROLL                                                                              \
    "(translate.x(kf 0 0.0))(translate.y(kf 0 0.0))(translate.z(kf 0 0.0))"                        \
    "(scale.x(kf 0 100.0))(scale.y(kf 0 100.0))(scale.z(kf 0 100.0))"                              \
    "(rotate.x(kf 0 0.0))(rotate.y(kf 0 0.0))(rotate.z(kf 0 1.0))"
#define BONE(name) "(bone" name REST_BUT_ROLL "(roll(kf 0 0.0)))"
#define A BONE("(name \"a\")")
#define SOUND TEXT("(totalFrame 1)" A)
#define DYNAMIC(keys) TEXT("(totalFrame 9)" A "(DynamicPolygons" keys ")")

typedef struct sample {
    const char *text;
    const char *codes; /* of verify */
    const char *found, *expected;
    const char *at; /* the text that the last finding's place leads to */
} sample;

static const fh_verify_options alone = {.stand_alone = true, .aligned = true};

/* What is said of the last finding; notes that come of the keys' ends are left out. */
static void hold_samples(const sample *samples, size_t num, fh_verify_options options)
{
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    for (size_t i = 0; i < num; i++) {
        const sample *of = &samples[i];
        char codes[256] = "";
        const fh_finding *last = NULL;
        bench_verify(&b, of->text, strlen(of->text), options);
        for (size_t k = 0; k < b.verify.num_findings; k++) {
            const fh_finding *one = &b.verify.findings[k];
            if (strcmp(one->rule->code, "TRA0075") != 0) {
                (void)snprintf(codes + strlen(codes), sizeof codes - strlen(codes), "%s%s",
                               codes[0] == '\0' ? "" : " ", one->rule->code + 3);
                last = one;
            }
        }
        HOLD(strcmp(codes, of->codes) == 0, "case %zu: %s, not %s", i, codes, of->codes);
        if (of->found != NULL) {
            HOLD(last != NULL && strcmp(last->found, of->found) == 0, "case %zu: found '%s'", i,
                 last->found);
            HOLD(strcmp(last->expected, of->expected) == 0, "case %zu: expected '%s'", i,
                 last->expected);
        }
        if (of->at != NULL) {
            HOLD(last->offset >= 0 && (size_t)last->offset <= strlen(of->text) &&
                     strncmp(of->text + last->offset, of->at, strlen(of->at)) == 0,
                 "case %zu: at '%.12s'", i, of->text + last->offset);
        }
    }
    bench_close(&b);
}
#define HOLD_SAMPLES(samples) hold_samples(samples, sizeof(samples) / sizeof(samples)[0], alone)

/* ---- chunks and their parameters ---- */

#define VERSION(parameters) ";TRA\n(Head" parameters ")(Figure(totalFrame 1)" A ")\n"

Test(chunks, head)
{
    static const sample samples[] = {
        {SOUND, "", NULL, NULL, NULL},
        {VERSION("(traVersion \"4.0\")"), "0033", "\"4.0\"", "a number", "\"4.0"},
        {VERSION("(traVersion 4.0 4.0)"), "0033", "2 parameters", "a number", "traVersion"},
        {VERSION("(traVersion)"), "0033", "0 parameters", "a number", "traVersion"},
        {VERSION("(traVersion four)"), "0041", "four", "a decimal number, not no number", "four"},
        {VERSION("(traVersion 4.5)"), "0027", "4.5", "4.0", "4.5"},
        {VERSION("(traVersion 3.5)"), "0027", "3.5", "4.0", "3.5"},
        {VERSION("(traVersion 4.00)"), "0028", "4.00", "4.0", "4.00"},
        {VERSION("(traVersion 4.0)(traVersion 4.0)"), "0025", "traVersion",
         "only the one at line 2, column 7", "traVersion 4.0))"},
        {VERSION("(other)(traVersion 4.0)"), "0029", "other", "traVersion", "other"},
        {VERSION(""), "0026", "Head", "( traVersion 4.0 )", "Head"},
    };
    HOLD_SAMPLES(samples);
}

Test(chunks, figure)
{
    static const sample samples[] = {
        {TEXT("(totalFrame 1 2)" A), "0033", "2 parameters", "a number of frames", "totalFrame"},
        {TEXT("(totalFrame \"1\")" A), "0033", "\"1\"", "a number of frames", "\"1\""},
        {TEXT("(totalFrame one)" A), "0040", "one", "a decimal integer", "one"},
        {TEXT("(totalFrame 0)" A), "0046", "0", "1 to 32767", "0)(bone"},
        {TEXT("(totalFrame 32768)" A), "0046", "32768", "1 to 32767", "32768"},
        {TEXT("(name walk)(totalFrame 1)" A), "0033", "walk", "a name in double quotes", "walk"},
        {TEXT("(name \"a\" \"b\")(totalFrame 1)" A), "0033", "2 parameters",
         "a name in double quotes", "name \"a\" \"b\""},
        {TEXT("(totalFrame 1)(totalFrame 1)" A), "0025", "totalFrame",
         "only the one at line 2, column 31", "totalFrame 1)(bone"},
        {TEXT("(\"x\")(totalFrame 1)" A), "0033", "\"x\"", "a keyword", "\"x\""},
        {TEXT("(())(totalFrame 1)" A), "0033", "(", "a keyword", "())"},
        {TEXT("()(totalFrame 1)" A), "0033", ")", "a keyword", ")(total"},
        {TEXT(""), "0037 0038", "Figure", "a bone for each of the model's", "Figure"},
        {TEXT("(totalFrame 1)" A "(x((((y(z)))))(((y))))"), "0029 0032", "x", "at most 4 levels",
         "x("},
        {TEXT(" x(totalFrame 1)" A), "0020", "x", "an opening parenthesis", "x(total"},
    };
    HOLD_SAMPLES(samples);
}

Test(chunks, bones)
{
    static const sample samples[] = {
        {TEXT("(totalFrame 1)" BONE("(name \"a\")(name \"a\")")), "0025", "name",
         "only the one at line 2, column 50", "name \"a\")(translate.x"},
        {TEXT("(totalFrame 1)" BONE("(name)")), "0033", "0 parameters", "a name in double quotes",
         "name"},
        {TEXT("(totalFrame 1)" BONE("(name \"a\" b)")), "0033", "2 parameters",
         "a name in double quotes", "name \"a\" b"},
        {TEXT("(totalFrame 1)" BONE("(name a)") A), "0033 0062",
         "\"a\", as bone 0 at line 2, "
         "column 45",
         "a name of its own", "bone(name \"a\")"},
        {TEXT("(totalFrame 1)" BONE("(name \"\")")), "0061", "\"\"", "at least one character",
         "\""},
        {TEXT("(totalFrame 1)" BONE("")), "0060", "missing", "( name \"...\" )", "bone"},
    };
    HOLD_SAMPLES(samples);
}

Test(chunks, keys_of_the_groups)
{
    static const sample samples[] = {
        {DYNAMIC("(kgf 0 0 true)"), "", NULL, NULL, NULL},
        {DYNAMIC("(kgf 0 0 \"true\")"), "0103", "\"true\"", "true or false", "\"true\""},
        {DYNAMIC("(kgf 0 0 yes)"), "0103", "yes", "true or false", "yes"},
        {DYNAMIC("(kgf 0 0 TRUE)"), "0104", "TRUE", "true", "TRUE"},
        {DYNAMIC("(kgf 0 true)"), "0033", "2 parameters", "a frame, a group, and true or false",
         "kgf 0 true"},
        {DYNAMIC("(kgf 0 0 true x y)"), "0033", "5 parameters",
         "a frame, a group, and true or false", "kgf 0 0"},
        {DYNAMIC("(kgf \"a\" \"b\" true)"), "0033", "\"a\"", "a frame, a group, and true or false",
         "\"a\""},
        {DYNAMIC("(kgf x 0 true)"), "0040", "x", "a decimal integer", "x 0"},
        {DYNAMIC("(kgf 0 x true)"), "0040", "x", "a decimal integer", "x true"},
        {DYNAMIC("(kgf 0 0 true)(kgf 3000000000 0 true)"), "0040", "3000000000",
         "-2147483648 to 2147483647", "3000000000"},
        {DYNAMIC("(kgf -1 0 true)(kgf 0 0 true)"), "0100", "-1", "0 to 8", "kgf -1"},
        {DYNAMIC("(kgf 0 0 true)(kgf 9 0 true)"), "0100", "9", "0 to 8", "kgf 9"},
        /* Without a total no frame is too late. */
        {TEXT(A "(DynamicPolygons(kgf -1 0 true)(kgf 0 0 true)(kgf 40000 0 true))"), "0037 0100",
         "-1", "0 or above", "kgf -1"},
        {DYNAMIC(""), "0109", "without keys", "keys, or no such chunk", "DynamicPolygons"},
        {DYNAMIC("(other)(kgf 0 0 true)"), "0033", "other", "kgf", "other"},
    };
    HOLD_SAMPLES(samples);
}

#define ROLL(keys) TEXT("(totalFrame 9)(bone(name \"a\")" REST_BUT_ROLL "(roll" keys "))")
#define MOVE(keys)                                                                                 \
    TEXT("(totalFrame 9)(bone(name \"a\")(translate.x" keys                                        \
         ")(translate.y(kf 0 0.0))(translate.z(kf 0 0.0))"                                         \
         "(scale.x(kf 0 100.0))(scale.y(kf 0 100.0))(scale.z(kf 0 100.0))"                         \
         "(rotate.x(kf 0 0.0))(rotate.y(kf 0 0.0))(rotate.z(kf 0 1.0))(roll(kf 0 0.0)))")

/* What the compiled form has room for: 16 bits, 4096 to a full turn. */
Test(values, bounds_on_both_sides)
{
    static const sample samples[] = {
        {MOVE("(kf 0 32767.0)"), "", NULL, NULL, NULL},
        {MOVE("(kf 0 -32767.0)"), "", NULL, NULL, NULL},
        {MOVE("(kf 0 32768.0)"), "0091", "32768", "-32767 to 32767", "kf 0 3"},
        {MOVE("(kf 0 -32768.0)"), "0091", "-32768", "-32767 to 32767", "kf 0 -"},
        {ROLL("(kf 0 2880.0)"), "", NULL, NULL, NULL},
        {ROLL("(kf 0 -2880.0)"), "", NULL, NULL, NULL},
        {ROLL("(kf 0 2880.5)"), "0088", "2880.5", "-2880 to 2880", "kf 0 2"},
        {ROLL("(kf 0 -2880.5)"), "0088", "-2880.5", "-2880 to 2880", "kf 0 -"},
    };
    HOLD_SAMPLES(samples);
}

/* What ascends again behind a key that does not is told once; the channel is not played. */
Test(values, keys_that_do_not_ascend)
{
    static const sample samples[] = {
        {ROLL("(kf 0 0.0)(kf 5 0.0)(kf 3 0.0)(kf 7 0.0)"), "0071", "3",
         "above 5, its predecessor's", "kf 3"},
    };
    HOLD_SAMPLES(samples);
}

/* What begins with more blanks than a comment may have characters is no text. */
Test(text, blank_for_long)
{
    static char bytes[4200 + sizeof SOUND];
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    for (size_t num = 4000; num <= 4200; num += 200) {
        memset(bytes, ' ', num);
        memcpy(bytes + num, SOUND, sizeof SOUND - 1);
        bench_verify(&b, bytes, num + sizeof SOUND - 1, alone);
        cr_assert(eq(str, (char *)record_codes(&b.verify), num == 4000 ? "0004" : "0001"));
    }
    bench_close(&b);
}

/* ---- what follows Figure ---- */

Test(behind, strangers)
{
    static const sample samples[] = {
        {SOUND "(Figure)", "0025", "Figure", "only the one at line 2, column 24", "Figure)"},
        {SOUND "(Head)", "0025", "Head", "only the one at line 2, column 2", "Head)"},
        {SOUND "(Other)", "0035", "(", "nothing", "(Other"},
        {SOUND "(\"Head\")", "0035", "(", "nothing", "(\"Head"},
        {SOUND ")", "0022", ")", "nothing", ")"},
        {SOUND "Head", "0035", "Head", "nothing", "Head"},
        {SOUND "Figure", "0035", "Figure", "nothing", "Figure"},
        {SOUND "; c\n\nx", "0035", "x", "nothing", "x"},
    };
    HOLD_SAMPLES(samples);
}

/* A comment has a line end; other blanks are counted. */
Test(behind, blanks)
{
    static const sample samples[] = {
        {SOUND "; c", "", NULL, NULL, NULL},
        {SOUND "; c\n", "", NULL, NULL, NULL},
        {SOUND "; c\r\n", "", NULL, NULL, NULL},
        {SOUND "; c\n; d\n", "", NULL, NULL, NULL},
        {SOUND "; c\n\n", "0036", "2 blank bytes", "nothing", NULL},
        {SOUND "; c\n\n\n", "0036", "3 blank bytes", "nothing", NULL},
        {SOUND "; c\n ; d\n", "", NULL, NULL, NULL},
        {SOUND "; c\n   ; d\n", "0036", "4 blank bytes", "nothing", NULL},
        {SOUND "\n", "0036", "1 blank byte", "nothing", NULL},
        {SOUND " \n\t", "0036", "3 blank bytes", "nothing", NULL},
    };
    HOLD_SAMPLES(samples);
}

/* ---- text ---- */

Test(text, strings_and_what_ends_them)
{
    static const sample samples[] = {
        {TEXT("(name \"ab\n)(totalFrame 1)" A), "0010", "\"ab", "a closing quote", "\"ab"},
        {TEXT("(name \"ab\n\001)(totalFrame 1)" A), "0010", "\"ab", "a closing quote", "\"ab"},
        {TEXT("(name \"ab\001\")(totalFrame 1)" A), "0006", "\\x01", "text", "\001"},
        {HEAD "(Figure(name \"ab", "0010", "\"ab", "a closing quote", "\"ab"},
    };
    HOLD_SAMPLES(samples);
}

/* Another text begins with the identification at the start of a line. */
Test(text, where_another_one_begins)
{
    static const sample samples[] = {
        {TEXT("(totalFrame 1)\n;TRAX\n" A), "", NULL, NULL, NULL},
        {TEXT("(totalFrame 1)\n ;TRA\n" A), "", NULL, NULL, NULL},
        {TEXT("(totalFrame 1)\n;TRA\n" A), "0021", "1 open chunk", "their closing parentheses",
         ";TRA\n(bone"},
        {TEXT("(totalFrame 1)\n;TRA\tx\n" A), "0021", "1 open chunk", "their closing parentheses",
         ";TRA\tx"},
        {TEXT("(totalFrame 1)\n;TRA x\n" A), "0021", "1 open chunk", "their closing parentheses",
         ";TRA x"},
        /* Within a line it does only in front of Head. */
        {TEXT("(totalFrame 1);TRA\n" A), "", NULL, NULL, NULL},
        {TEXT("(totalFrame 1);TRA\nHead" A), "0020", "Head", "an opening parenthesis", "Head(bone"},
        {TEXT("(totalFrame 1);TRA\n; x\n\n( Head)" A), "0021", "1 open chunk",
         "their closing parentheses", ";TRA\n; x"},
        {TEXT("(totalFrame 1); x;TR;TRA4\n( Head)" A), "0021", "1 open chunk",
         "their closing parentheses", ";TRA4\n("},
        {TEXT("(totalFrame 1); x;TRA\n;TRA\n( Head)" A), "0021", "1 open chunk",
         "their closing parentheses", ";TRA\n( Head"},
        {TEXT("(totalFrame 1); x;TRA\n( Header)" A), "0029", "Header",
         "name, totalFrame, bone or DynamicPolygons", "Header"},
        {TEXT("(totalFrame 1); x; TRA\n( Head)" A), "0029", "Head",
         "name, totalFrame, bone or DynamicPolygons", "Head)(bone"},
        /* The comments of one run have one chunk behind them. */
        {TEXT("(totalFrame 1); ;TRA\n; ;TRA\n(name \"a\"); ;TRA\n(Head)" A), "0034 0021",
         "1 open chunk", "their closing parentheses", ";TRA\n(Head"},
    };
    HOLD_SAMPLES(samples);
}

#define BODY "\n(Head(traVersion 4.0))(Figure(totalFrame 1)" A ")\n"

Test(text, first_lines)
{
    static const sample samples[] = {
        {";TRA \t " BODY, "", NULL, NULL, NULL},
        {";TRA\tutf8" BODY, "0002", "utf8", "nothing", "utf8"},
        {";TRA\001" BODY, "0006", "\\x01", "text", "\001"},
        {";TRAX" BODY, "0002", "X", "nothing", "X"},
    };
    HOLD_SAMPLES(samples);
}

/* Only words and strings have a bound. */
Test(text, long_comments)
{
    enum { LEN = FH_SCAN_MOST_UNITS + 1 };
    char comment[LEN + 1];
    char text[8 * LEN];
    memset(comment, 'a', LEN);
    comment[LEN] = '\0';
    (void)snprintf(text, sizeof text,
                   ";TRA %s\n;%s\n(Head(traVersion 4.0))(Figure;%s\n(totalFrame 1)" A ");%s\n",
                   comment, comment, comment, comment);
    const sample samples[] = {{text, "0002", NULL, NULL, "aaaa"}};
    HOLD_SAMPLES(samples);
}

/* Bytes above 127 are told with the encoding that they fit. */
Test(text, encodings)
{
#define NAMED(name) TEXT("(totalFrame 1)" BONE("(name \"" name "\")"))
    static const sample samples[] = {
        {NAMED("\xc3\xa4"), "0008", "\"\\xc3\\xa4\" (fits UTF-8)", "ASCII", NULL},
        {NAMED("\xe6\x97\xa5"), "0008", "\"\\xe6\\x97\\xa5\" (fits UTF-8)", "ASCII", NULL},
        {NAMED("\xf0\x9f\x98\x80"), "0008", "\"\\xf0\\x9f\\x98\\x80\" (fits UTF-8)", "ASCII", NULL},
        {NAMED("\x8d\xb6"), "0008", "\"\\x8d\\xb6\" (fits CP932)", "ASCII", NULL},
        {NAMED("\xb1"), "0008", "\"\\xb1\" (fits CP932)", "ASCII", NULL},
        {NAMED("\xe0\x40"), "0008", "\"\\xe0@\" (fits CP932)", "ASCII", NULL},
        {NAMED("\xc3"), "0008", "\"\\xc3\" (fits CP932)", "ASCII", NULL},
        {NAMED("\x8d"), "0008", "\"\\x8d\" (fits neither UTF-8 nor CP932)", "ASCII", NULL},
        {NAMED("\x80\x41"), "0008", "\"\\x80A\" (fits neither UTF-8 nor CP932)", "ASCII", NULL},
        {NAMED("\xa0\x41"), "0008", "\"\\xa0A\" (fits neither UTF-8 nor CP932)", "ASCII", NULL},
        {NAMED("\xfd\x41"), "0008", "\"\\xfdA\" (fits neither UTF-8 nor CP932)", "ASCII", NULL},
        {NAMED("\x81\xfd"), "0008", "\"\\x81\\xfd\" (fits neither UTF-8 nor CP932)", "ASCII", NULL},
        {NAMED("\x81\x3f"), "0008", "\"\\x81?\" (fits neither UTF-8 nor CP932)", "ASCII", NULL},
        {NAMED("\xf5\xa1\xa1"), "0008", "\"\\xf5\\xa1\\xa1\" (fits CP932)", "ASCII", NULL},
    };
    HOLD_SAMPLES(samples);
#undef NAMED
}

/* ---- fragments ---- */

static const fh_verify_options carved = {.aligned = true};
#define HOLD_PARTS(samples) hold_samples(samples, sizeof(samples) / sizeof(samples)[0], carved)

#define KEYS "( kf 0 0.0 ) ( kf 1 0.0 ) ( kf 2 0.0 ) ( kf 3 0.0 )"
#define WHOLE "a whole text"

/* What is read from the inside of a text: from which chunk is known by its keyword. */
Test(fragment, what_it_begins_with)
{
    static const sample samples[] = {
        {KEYS " ) ( rotate.x", "0130", "without its beginning and its end: 1 bone, 4 keys", WHOLE,
         NULL},
        {"( roll " KEYS " ) ) )", "0130", "without its beginning: 1 bone, 4 keys", WHOLE, NULL},
        {"( name \"a\" ) ( roll " KEYS " ) ) )", "0130", "without its beginning: 1 bone, 4 keys",
         WHOLE, NULL},
        /* The name of Figure: what follows it is no channel. */
        {"( name \"walk\" ) ( totalFrame 4 ) ( bone ( roll " KEYS " ) ) )", "0130",
         "without its beginning: 1 bone, 4 keys", WHOLE, NULL},
        {"( totalFrame 4 ) ( bone ( roll " KEYS " ) ) )", "0130",
         "without its beginning: 1 bone, 4 keys", WHOLE, NULL},
        {"( traVersion 4.0 ) ) ( Figure ( bone ( roll " KEYS " ) ) )", "0130",
         "without its beginning: 1 bone, 4 keys", WHOLE, NULL},
        {"( Head ( traVersion 4.0 ) ) ( Figure ( bone ( roll " KEYS " ) ) )", "0130",
         "without its beginning: 1 bone, 4 keys", WHOLE, NULL},
        {"( Figure ( bone ( roll " KEYS " ) ) )", "0130", "without its beginning: 1 bone, 4 keys",
         WHOLE, NULL},
        /* A whole bone with a name is enough, whatever it has of keys. */
        {"( bone ( name \"a\" ) ( roll ( kf 0 0.0 ) ) )", "0130",
         "without its beginning and its end: 1 bone, 1 key", WHOLE, NULL},
        {"( DynamicPolygons ( kgf -1 0 true ) ( kgf 0 0 true ) ( kgf 1 0 false ) ( kgf 2 0 true ) "
         ") )",
         "0130", "without its beginning: 0 bones, 0 keys, 4 dynamic polygon keys", WHOLE, NULL},
        {"( kgf 0 0 true ) ( kgf 1 0 false ) ( kgf 2 0 true ) ( kgf 3 0 true ) ) )", "0130",
         "without its beginning: 0 bones, 0 keys, 4 dynamic polygon keys", WHOLE, NULL},
    };
    HOLD_PARTS(samples);
}

#define FIGURE_WITH(chunks) "( Figure ( totalFrame 4 ) ( bone ( name \"a\" ) " chunks
#define HEAD_AND(rest) "( Head ( traVersion 4.0 ) ) " rest
#define ODD_KEYS "( roll ( kf 1 0.0 ) ( kf 9 0.0 ) ( kf 8 0.0 ) ( kf 8 0.0 ) ( kf -1 0.0 ) ) "
#define UNEVEN_KEYS "( scale.x ( kf 0 9.0 ) ) ( scale.y ( kf 1 9.0 ) ) ( scale.z ( kf 0 9.0 ) ) "
#define ODD_GROUPS                                                                                 \
    "( DynamicPolygons ( kgf 5 33 true ) ( kgf 1 -1 false ) ( kgf 1 -1 true ) ( kgf 1 -1 true ) "  \
    ") "

/* Without Head only the syntax and the order of the keys are judged. */
Test(fragment, what_is_judged_of_it)
{
    static const sample samples[] = {
        {FIGURE_WITH(ODD_KEYS ") )"), "0130 0071 0072 0071", "-1", "above 8, its predecessor's",
         "kf -1"},
        {HEAD_AND(FIGURE_WITH(ODD_KEYS ") )")), "0130 0070 0074 0071 0074 0072 0074 0071 0073",
         "-1", "0 or above", "kf -1"},
        {FIGURE_WITH(UNEVEN_KEYS ") )"), "0130", "without its beginning: 1 bone, 3 keys", WHOLE,
         NULL},
        {HEAD_AND(FIGURE_WITH(UNEVEN_KEYS ") )")), "0130 0070 0076", "1, the first of them here",
         "the same frames", "scale.y"},
        {FIGURE_WITH(") " ODD_GROUPS ")"), "0130 0105 0106 0107", "true",
         "one key, as at line 1, column 106", NULL},
        {HEAD_AND(FIGURE_WITH(") " ODD_GROUPS ")")),
         "0130 0100 0102 0101 0105 0101 0106 0101 0107 0108 0108", "-1", "a key at frame 0", NULL},
        {FIGURE_WITH("( roll ( kf 0 0.0 ) ) ) ( DynamicPolygons ) )"), "0130",
         "without its beginning: 1 bone, 1 key", WHOLE, NULL},
        {HEAD_AND(FIGURE_WITH("( roll ( kf 0 0.0 ) ) ) ( DynamicPolygons ) )")), "0130 0109",
         "without keys", "keys, or no such chunk", NULL},
    };
    HOLD_PARTS(samples);
}

/* With less, or with what the grammar forbids in front of it, there is none. */
Test(fragment, what_is_none)
{
    static const char *const texts[] = {
        "( kf 0 0.0 ) ( kf 1 0.0 ) ( kf 2 0.0 )",
        "( name x ) ( roll " KEYS " ) ) )",
        "( name \"a\" \"b\" ) ( roll " KEYS " ) ) )",
        "( name \"a\" ) ) ( kf 0 0.0 )",
        "( x " KEYS " )",
        "( \"x\" " KEYS " )",
        "( ( roll " KEYS " )",
        "( bone ( name \"a\" ) )",
        "( Head ( traVersion 4.0 ) )",
        "( Head ( traVersion 4.0",
        "( Head ( traVersion 4.0 ) ) x ( Figure ( bone ( roll " KEYS " ) ) )",
        "( Head ( traVersion 4.0 ) ) ( Body ( bone ( roll " KEYS " ) ) )",
        "( traVersion 4.0 ) ) ) ( Figure ( bone ( roll " KEYS " ) ) )",
        " ( roll " KEYS " )",
        "x ( roll " KEYS " )",
    };
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        bench_verify(&b, texts[i], strlen(texts[i]), carved);
        HOLD(b.status == FH_NOT_THIS_FORMAT, "case %zu: %d", i, (int)b.status);
        HOLD(strcmp(record_codes(&b.verify), "0001") == 0, "case %zu: %s", i,
             record_codes(&b.verify));
        HOLD(b.asset.grade == FH_GRADE_CANDIDATE && b.model == NULL, "case %zu", i);
    }
    bench_close(&b);
}

static fh_probe probe(const char *text, size_t len, fh_end end, uint64_t units)
{
    fh_budget budget = {units};
    fh_probe out;
    fh_format_find("tra")->probe(&out, fh_cursor_make(text, len, 4096), end, NULL, NULL, &budget);
    return out;
}

/* Where more may come, what is at hand does not decide. */
Test(fragment, more_may_come)
{
    static const char text[] = "( name \"a\" ) ( roll " KEYS " x";
    for (size_t len = 4; len < sizeof text - 2; len++) {
        HOLD(probe(text, len, FH_END_NONE, BENCH_BUDGET).verdict == FH_MORE, "%zu bytes", len);
    }
    cr_assert(
        eq(int, probe(text, sizeof text - 1, FH_END_STREAM, BENCH_BUDGET).verdict, FH_ACCEPT));
    static const char over[] = "( roll " KEYS " x ";
    const fh_probe whole = probe(over, sizeof over - 1, FH_END_NONE, BENCH_BUDGET);
    cr_assert(eq(int, whole.verdict, FH_ACCEPT), "the grammar forbids what follows");
    cr_assert(eq(sz, whole.length, sizeof over - 3));
}

/* A text that goes on behind what the grammar forbids may be whole all the same, but not one that
 * is longer than any. */
Test(fragment, no_text_is_endless)
{
    static const char front[] = HEAD "(Figure(totalFrame 9)(bone(roll" KEYS ") x ";
    char *bytes = malloc(FH_MAX_ASSET_LEN + 1);
    memset(bytes, ' ', FH_MAX_ASSET_LEN + 1);
    memcpy(bytes, front, sizeof front - 1);
    const fh_probe open = probe(bytes, FH_MAX_ASSET_LEN - 1, FH_END_NONE, BENCH_BUDGET);
    cr_assert(eq(int, open.verdict, FH_MORE));
    for (size_t more = 0; more < 2; more++) {
        const fh_probe whole = probe(bytes, FH_MAX_ASSET_LEN + more, FH_END_NONE, BENCH_BUDGET);
        cr_assert(eq(int, whole.verdict, FH_ACCEPT));
        cr_assert(eq(sz, whole.length, sizeof front - 3), "up to the x");
    }
    /* Without that it goes on, up to the end of what any text may have. */
    bytes[sizeof front - 3] = ' ';
    cr_assert(eq(int, probe(bytes, FH_MAX_ASSET_LEN, FH_END_NONE, BENCH_BUDGET).verdict, FH_MORE));
    free(bytes);
}

/* ---- limits ---- */

/* Every budget and every arena: what is told is all that there is, or that it was not enough. */
static void hold_limits(const char *text, fh_verify_options options)
{
    bench b;
    record all = {0};
    bench_open(&b);
    b.format = fh_format_find("tra");
    bench_verify(&b, text, strlen(text), options);
    const fh_status wanted = b.status;
    const uint64_t spent = BENCH_BUDGET - b.budget.left;
    const size_t used = b.arena.used;
    all = b.verify;
    b.verify = (record){0};
    for (uint64_t step = 0; step <= spent + used; step++) {
        const bool is_budget = step <= spent;
        record told = {0};
        const fh_sink sink = record_sink(&told);
        fh_arena arena = fh_arena_make(b.block, is_budget ? BENCH_ARENA : (size_t)(step - spent));
        fh_budget budget = {is_budget ? step : BENCH_BUDGET};
        const fh_env env = {&arena, &budget, &sink};
        fh_asset asset;
        const void *model = NULL;
        const fh_status status =
            b.format->verify(&asset, &model, &env, fh_cursor_make(text, strlen(text), 0), &options);
        const fh_status limit = is_budget ? FH_LIMIT : FH_NO_MEMORY;
        HOLD(status == wanted || status == limit, "step %d: %d", (int)step, (int)status);
        HOLD(status != wanted || record_equal(&told, &all), "step %d: %s", (int)step,
             record_codes(&told));
        HOLD(status != limit || model == NULL, "step %d", (int)step);
        HOLD(status != FH_LIMIT || record_count(&told, "TRA0141") == 1, "step %d: %s", (int)step,
             record_codes(&told));
        HOLD(step != spent || status == wanted, "what it takes is enough");
        record_free(&told);
    }
    record_free(&all);
    bench_close(&b);
}

Test(limits, whole_texts)
{
    hold_limits(TEXT("(totalFrame 9)" A BONE("(name \"bc\")") BONE("(name \"bc\")") BONE(
                    "(name \"d\")") "(DynamicPolygons(kgf 0 0 true)(kgf 3 1 true)(kgf 2 1 false)"
                                    "(kgf 2 1 false)(kgf 0 33 true))") "; c\n\n\n",
                alone);
    hold_limits(TEXT("(totalFrame 9)" A) "; c\n(Figure)", alone);
    /* Comments that another text could begin in, within the text and behind it. */
    hold_limits(TEXT("(name \"b\"); x;TRA\n; y\n(totalFrame 1)" A "; x;TRA\n; y\n( Header )"),
                alone);
    hold_limits(HEAD "(Figure(totalFrame 1)" A "); x;TRA\n; y\n\n( Head )", alone);
    hold_limits(HEAD "(Figure(totalFrame 1)" A "); x;TRA\n; y\n", alone);
}

#define TWO_BONES BONE("(name \"b\")") BONE("(name \"b\")")
#define TWO_SHORT "(bone(name \"b\"))(bone(name \"b\"))"

/* One table may fit where another one does not: the first of them is the larger one here. */
Test(limits, tables_of_all_sizes)
{
    hold_limits(TEXT("(totalFrame 1)(bone)(bone)(bone)(bone)(bone)(bone)"), alone);
    hold_limits(TEXT("(totalFrame 1)(bone(roll)(scale.x)(scale.y)(scale.z))"), alone);
    hold_limits(
        TEXT("(totalFrame 9)" TWO_SHORT TWO_SHORT TWO_SHORT "(DynamicPolygons(kgf 3 0 true))"),
        alone);
}

/* A text among other bytes: nothing behind it is read. */
Test(limits, texts_among_others)
{
    hold_limits(TEXT("(totalFrame 9)" TWO_BONES "(DynamicPolygons(kgf 2 1 false)(kgf 2 1 false))"),
                carved);
}

Test(limits, fragments)
{
    hold_limits("( bone ( name \"a\" ) ( roll " KEYS " ) ) ( DynamicPolygons ( kgf 3 1 true ) "
                "( kgf 2 1 false ) ( kgf 2 1 false )",
                carved);
    hold_limits(HEAD "(Figure(totalFrame 9)" A "(bone(name \"b\")(roll" KEYS ") x", carved);
}

/* What is beyond the budget of the bytes is booked on the reserve; both together are enough, or it
 * is told after how many frames they were not. */
Test(limits, replay_within_the_reserve)
{
    static const char text[] =
        TEXT("(totalFrame 3)" A "(DynamicPolygons(kgf 2 0 true)(kgf 0 1 true)(kgf 1 1 true))");
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    bench_verify(&b, text, sizeof text - 1, alone);
    cr_assert(b.model != NULL && b.asset.grade == FH_GRADE_REFERENCES);
    const size_t mark = fh_arena_mark(&b.arena);
    uint64_t cost = 0;
    for (uint64_t units = 0; units < 600; units++) {
        const uint64_t own = units / 2;
        record told = {0};
        const fh_sink sink = record_sink(&told);
        fh_budget budget = {own};
        fh_budget reserve = {units - own};
        const fh_env env = {&b.arena, &budget, &sink, &reserve};
        fh_replay_result result;
        fh_arena_reset(&b.arena, mark);
        cr_assert(b.format->replay(&result, &env, b.model, &(fh_replay_options){0}) == FH_OK);
        HOLD(result.frames == told.num_frames, "%d units: frames", (int)units);
        const uint64_t left = budget.left + reserve.left;
        if (result.state == FH_REPLAY_COMPLETE) {
            cost = cost == 0 ? units : cost;
            HOLD(left == units - cost, "%d units: %d left", (int)units, (int)left);
            HOLD(reserve.left == units - own || budget.left == 0, "its own first");
            HOLD(told.num_findings == 0 && result.frames == 3, "%d units", (int)units);
        } else {
            HOLD(cost == 0 && left == 0 && result.state == FH_REPLAY_STOPPED, "%d units",
                 (int)units);
            HOLD(record_count(&told, "TRA0141") == 1, "%d units: %s", (int)units,
                 record_codes(&told));
        }
        record_free(&told);
    }
    cr_assert(cost > 0);
    bench_close(&b);
}

Test(limits, replay_in_every_arena)
{
    static const char text[] =
        TEXT("(totalFrame 3)" A "(DynamicPolygons(kgf 2 0 true)(kgf 0 1 true)(kgf 1 1 true))");
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    bench_verify(&b, text, sizeof text - 1, alone);
    const size_t mark = fh_arena_mark(&b.arena);
    fh_status last = FH_NO_MEMORY;
    for (size_t size = mark; size < mark + 4096; size += 4) {
        const fh_sink deaf = {0};
        fh_arena arena = fh_arena_make(b.block, size);
        arena.used = mark;
        fh_budget budget = {BENCH_BUDGET};
        const fh_env env = {&arena, &budget, &deaf};
        fh_replay_result result;
        const fh_status status = b.format->replay(&result, &env, b.model, &(fh_replay_options){0});
        HOLD(status == last || last == FH_NO_MEMORY, "%zu bytes", size);
        HOLD(status == FH_OK ? result.frames == 3 : status == FH_NO_MEMORY, "%zu bytes", size);
        last = status;
    }
    cr_assert(eq(int, (int)last, FH_OK));
    bench_close(&b);
}

Test(replay, profiles)
{
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    bench_verify(&b, SOUND, sizeof SOUND - 1, alone);
    bench_replay(&b, &(fh_replay_options){.profile = "4.0"});
    cr_assert(b.replay_status == FH_OK && b.result.state == FH_REPLAY_COMPLETE);
    bench_replay(&b, &(fh_replay_options){.profile = "3.0"});
    cr_assert(b.replay_status == FH_UNSUPPORTED && b.replay.num_frames == 0);
    bench_close(&b);
}

/* What lies beyond the longest asset is not looked at. */
Test(limits, longer_than_any_text)
{
    char *bytes = calloc(1, FH_MAX_ASSET_LEN + 2);
    memcpy(bytes, SOUND, sizeof SOUND - 1);
    bytes[FH_MAX_ASSET_LEN] = 'x';
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    bench_verify(&b, bytes, FH_MAX_ASSET_LEN + 1, alone);
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0036"));
    char found[64];
    (void)snprintf(found, sizeof found, "%zu zero bytes", FH_MAX_ASSET_LEN - (sizeof SOUND - 1));
    cr_assert(eq(str, b.verify.findings[0].found, found));
    bench_verify(&b, bytes, FH_MAX_ASSET_LEN + 1, carved);
    cr_assert(b.status == FH_OK && b.asset.length == sizeof SOUND - 1);
    bench_close(&b);
    free(bytes);
}
