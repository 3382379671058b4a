/* Parts of TRA4 texts: what there must be of a fragment, where one ends and what is judged of it;
 * and texts of which too little is sound for a canonical form, or for more than their labels.
 */
#include "tra_bench.h"

#include "core/describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD ";TRA\n(Head(traVersion 4.0))"
#define MOST_CHANNELS                                                                              \
    "(translate.y(kf 0 0.0))(translate.z(kf 0 0.0))"                                               \
    "(scale.x(kf 0 100.0))(scale.y(kf 0 100.0))(scale.z(kf 0 100.0))"                              \
    "(rotate.x(kf 0 0.0))(rotate.y(kf 0 0.0))(rotate.z(kf 0 1.0))"
#define BONE(first, last) "(bone(name \"a\")" first MOST_CHANNELS last ")"
#define FIRST "(translate.x(kf 0 0.0))"
#define LAST "(roll(kf 0 0.0))"
#define TEXT(chunks) HEAD "(Figure(totalFrame 9)" chunks ")\n"
#define SOUND TEXT(BONE(FIRST, LAST))

static const fh_verify_options carved = {.aligned = true};
#define HOLD_PARTS(cases) hold_cases(cases, sizeof(cases) / sizeof(cases)[0], carved)
#define HOLD_TEXTS(cases) hold_cases(cases, sizeof(cases) / sizeof(cases)[0], alone)

/* ---- fragments ---- */

#define THREE_KEYS "( kf 0 0.0 ) ( kf 1 0.0 ) ( kf 2 0.0 ) "
#define KEYS THREE_KEYS "( kf 3 0.0 )"
#define THREE_GROUP_KEYS "( kgf 0 0 true ) ( kgf 1 0 false ) ( kgf 2 0 true ) "
#define GROUP_KEYS THREE_GROUP_KEYS "( kgf 3 0 true )"
#define WHOLE "a whole text"

/* Four keys, all of whose parameters are what they must be. */
Test(fragment, what_is_enough)
{
    static const tra_case cases[] = {
        {"( roll " KEYS " ) ) )", "0130", "without its beginning: 1 bone, 4 keys", WHOLE,
         FH_UNKNOWN},
        {"( roll " THREE_KEYS "( kf 3 x ) ) ) )", "0001", NULL, NULL, 0},
        {"( roll " THREE_KEYS "( kf x 0.0 ) ) ) )", "0001", NULL, NULL, 0},
        {"( roll " THREE_KEYS ") ) )", "0001", NULL, NULL, 0},
        {GROUP_KEYS " ) )", "0130",
         "without its beginning: 0 bones, 0 keys, 4 dynamic polygon keys", WHOLE, FH_UNKNOWN},
        {THREE_GROUP_KEYS ") )", "0001", NULL, NULL, 0},
        {THREE_GROUP_KEYS "( kgf 3 0 yes ) ) )", "0001", NULL, NULL, 0},
        /* One key of a group is told as well. */
        {"( bone ( name \"a\" ) ( roll ( kf 0 0.0 ) ) ) ( DynamicPolygons ( kgf 0 0 true ) ) )",
         "0130", "without its beginning: 1 bone, 1 key, 1 dynamic polygon key", WHOLE, FH_UNKNOWN},
    };
    HOLD_PARTS(cases);
}

/* A channel without its beginning is judged once, also where it is the only one of its bone. */
Test(fragment, keys_of_a_cut_channel)
{
    static const tra_case cases[] = {
        {"( kf 0 0.0 ) ( kf 1 0.0 ) ( kf 1 0.0 ) ( kf 3 0.0 ) ) ) )", "0130 0072", "1",
         "above 1, its predecessor's", 1},
        {"( kf 0 0.0 ) ( kf 1 0.0 ) ( kf 1 0.0 ) ( kf 3 0.0 ) ) ( roll ( kf 0 0.0 ) ) ) )",
         "0130 0072", "1", "above 1, its predecessor's", 1},
    };
    HOLD_PARTS(cases);
}

/* What is missing of groups of dynamic polygons may hold their keys at frame 0. */
Test(fragment, keys_of_cut_groups)
{
    static const tra_case cases[] = {
        {TEXT(BONE(FIRST, LAST) "(DynamicPolygons(kgf 3 0 true))"), "0108", "0", "a key at frame 0",
         3},
        {HEAD "(Figure(totalFrame 9)" BONE(FIRST, LAST) "(DynamicPolygons(kgf 3 0 true)", "0130",
         NULL, NULL, 0},
        {HEAD "(Figure(totalFrame 9)" BONE(FIRST, LAST) "(DynamicPolygons", "0130", NULL, NULL, 0},
    };
    HOLD_PARTS(cases);
}

/* Chunks are counted from the file on, whatever a fragment begins with: a second one of its kind is
 * skipped, and may hold others up to the fourth level. */
Test(fragment, levels)
{
    static const tra_case cases[] = {
        {"( name \"a\" ) ( name ( x ) ) ( roll " KEYS " ) ) )", "0025 0130", NULL, NULL, 0},
        {"( name \"a\" ) ( name ( x ( y ) ) ) ( roll " KEYS " ) ) )", "0025 0032 0130", NULL, NULL,
         0},
        {KEYS " ) ( name \"a\" ) ( name ( x ) ) ) )", "0025 0130", NULL, NULL, 0},
        {KEYS " ) ( name \"a\" ) ( name ( x ( y ) ) ) ) )", "0025 0032 0130", NULL, NULL, 0},
        {GROUP_KEYS " ) ( totalFrame 4 ) ( totalFrame ( x ( y ) ) ) )", "0025 0130", NULL, NULL, 0},
        {GROUP_KEYS " ) ( totalFrame 4 ) ( totalFrame ( x ( y ( z ) ) ) ) )", "0025 0032 0130",
         NULL, NULL, 0},
        {"( totalFrame 4 ) ( totalFrame ( x ( y ) ) ) ( bone ( roll " KEYS " ) ) )", "0025 0130",
         NULL, NULL, 0},
        {"( totalFrame 4 ) ( totalFrame ( x ( y ( z ) ) ) ) ( bone ( roll " KEYS " ) ) )",
         "0025 0032 0130", NULL, NULL, 0},
        {"( traVersion 4.0 ) ( traVersion ( x ( y ) ) ) ) ( Figure ( bone ( roll " KEYS " ) ) )",
         "0025 0130", NULL, NULL, 0},
        {"( traVersion 4.0 ) ( traVersion ( x ( y ( z ) ) ) ) ) ( Figure ( bone ( roll " KEYS
         " ) ) )",
         "0025 0032 0130", NULL, NULL, 0},
        {"( Figure ( totalFrame 4 ) ( totalFrame ( x ( y ) ) ) ( bone ( roll " KEYS " ) ) )",
         "0025 0130", NULL, NULL, 0},
        {"( Figure ( totalFrame 4 ) ( totalFrame ( x ( y ( z ) ) ) ) ( bone ( roll " KEYS " ) ) )",
         "0025 0032 0130", NULL, NULL, 0},
    };
    HOLD_PARTS(cases);
}

/* A fragment ends in front of what cannot follow; of a key that is broken off in a number, in front
 * of that. */
Test(fragment, where_it_ends)
{
    static const struct {
        const char *text, *end;
    } cases[] = {
        {"( roll " KEYS " ( kf 4 0.5 x y", "x y"},   {"( roll " KEYS " ( kf 4a 0.5 x y", "4a"},
        {"( roll " KEYS " ( kf 4 0.5a x y", "0.5a"}, {"( roll " KEYS " ( kf 4 ( x y", "( x"},
        {GROUP_KEYS " ( kgf 5 0 ( x ) y", "( x"},    {GROUP_KEYS " ( kgf 5 0 true x y", "x y"},
        {GROUP_KEYS " ( kgf 5a 0 true x y", "5a"}};
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench_verify(&b, cases[i].text, strlen(cases[i].text), carved);
        HOLD(b.status == FH_OK && record_count(&b.verify, "TRA0130") == 1, "case %zu: %s", i,
             record_codes(&b.verify));
        HOLD(cases[i].text + b.asset.length == strstr(cases[i].text, cases[i].end),
             "case %zu: %zu bytes", i, b.asset.length);
    }
    bench_close(&b);
}

/* What is said of a text as a whole is said of its first byte. */
static void hold_whole(const bench *b, const char *code, const char *found)
{
    const fh_finding *finding = record_find(&b->verify, code);
    HOLD(finding != NULL, "%s", record_codes(&b->verify));
    HOLD(finding->offset == 0, "%s: byte %d", code, (int)finding->offset);
    HOLD(strcmp(finding->context, "line 1, column 1") == 0, "%s: %s", code, finding->context);
    HOLD(strcmp(finding->found, found) == 0, "%s: %s", code, finding->found);
}

Test(fragment, of_a_text_in_utf16)
{
    static const char text[] = "( roll " KEYS " ) ) )";
    uint8_t wide[2 * sizeof text] = {0};
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    for (size_t i = 0; i + 1 < sizeof text; i++) {
        wide[2 * i] = (uint8_t)text[i];
    }
    bench_verify(&b, wide, 2 * (sizeof text - 1), carved);
    hold_whole(&b, "TRA0013", "UTF-16, little endian");
    hold_whole(&b, "TRA0130", "without its beginning: 1 bone, 4 keys");
    cr_assert(eq(sz, b.asset.length, 2 * (sizeof text - 1)));
    bench_close(&b);
}

Test(limits, are_told_of_the_whole)
{
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    const fh_sink sink = record_sink(&b.verify);
    fh_budget budget = {sizeof SOUND};
    b.arena = fh_arena_make(b.block, BENCH_ARENA);
    const fh_env env = {&b.arena, &budget, &sink};
    const fh_status status = b.format->verify(&b.asset, &b.model, &env,
                                              fh_cursor_make(SOUND, sizeof SOUND - 1, 0), &alone);
    cr_assert(eq(int, (int)status, (int)FH_LIMIT));
    hold_whole(&b, "TRA0141", "spent");
    bench_close(&b);
}

/* ---- whole texts ---- */

#define TENFOLD(case) case case case case case case case case case case

Test(text, keywords_in_another_case)
{
    static const tra_case cases[] = {
        {";TRA\n(HEAD(TRAVERSION 4.0))(Figure(NAME \"w\")(totalFrame 9)" BONE(
             "(TRANSLATE.X(KF 0 0.0))", LAST) "(DynamicPolygons(KGF 0 0 true)))\n",
         "0031 0031 0031 0031 0031 0031", "KGF", "kgf", FH_UNKNOWN},
        {";TRA\n(head(traversion 4.0))(FIGURE(totalframe 9)" BONE(FIRST, "(ROLL(Kf 0 0.0))") ")\n",
         "0031 0031 0031 0031 0031 0031", NULL, NULL, 0},
    };
    HOLD_TEXTS(cases);
}

#define SMALLEST "0.0000000000000000000000000000000000000117549435"
#define BELOW_IT "0.0000000000000000000000000000000000000117549421"

/* The smallest normal number is none of those that a player may take for 0. */
Test(text, smallest_values)
{
    static const tra_case cases[] = {
        {TEXT(BONE("(translate.x(kf 0 " SMALLEST "))", LAST)), "", NULL, NULL, 0},
        {TEXT(BONE("(translate.x(kf 0 -" SMALLEST "))", LAST)), "", NULL, NULL, 0},
        {TEXT(BONE("(translate.x(kf 0 " BELOW_IT "))", LAST)), "0044", NULL, NULL, 0},
        {TEXT(BONE("(translate.x(kf 0 -" BELOW_IT "))", LAST)), "0044", NULL, NULL, 0},
    };
    HOLD_TEXTS(cases);
}

/* All parameters are counted, however many there are. */
Test(text, too_many_parameters)
{
    static const tra_case cases[] = {
        {HEAD "(Figure(totalFrame 9 9 9 9)" BONE(FIRST, LAST) ")\n", "0033", "4 parameters",
         "a number of frames", FH_UNKNOWN},
        {TEXT(BONE("(translate.x(kf 0 0.0 1 2 3))", LAST)), "0033", "5 parameters",
         "a frame and a value", FH_UNKNOWN},
        {TEXT("(name \"a\" \"b\" \"c\" \"d\")" BONE(FIRST, LAST)), "0034 0033", "4 parameters",
         "a name in double quotes", FH_UNKNOWN},
    };
    HOLD_TEXTS(cases);
}

static void count_bytes(void *user, const char *text, size_t len)
{
    (void)text;
    *(size_t *)user += len;
}

/* What is not whole has no canonical form, and nothing is written of it. */
Test(canonical, what_must_be_whole)
{
    static const struct {
        const char *text;
        fh_status status;
    } cases[] = {{SOUND, FH_OK},
                 {TEXT(BONE("", LAST)), FH_CORRUPT},
                 {TEXT(BONE(FIRST, "")), FH_CORRUPT},
                 {TEXT(BONE("(translate.x)", LAST)), FH_CORRUPT},
                 {TEXT(BONE(FIRST, "(roll)")), FH_CORRUPT},
                 {TEXT("(bone(name \"a\"))"), FH_CORRUPT},
                 /* Keys of groups are cheap: these are more than one bone and its keys cost. */
                 {TEXT(BONE(FIRST, LAST) "(DynamicPolygons" TENFOLD(
                      TENFOLD("(kgf 0 0 true)(kgf 1 0 true)(kgf 2 0 true)")) ")"),
                  FH_OK}};
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t num = 0;
        const fh_text_sink sink = {&num, count_bytes};
        bench_verify(&b, cases[i].text, strlen(cases[i].text), alone);
        HOLD(b.model != NULL, "case %zu: %s", i, record_codes(&b.verify));
        const fh_env env = {&b.arena, &b.budget, NULL};
        const fh_status status = b.format->canonical(&env, &sink, b.model);
        HOLD(status == cases[i].status, "case %zu: %s", i, fh_status_name(status));
        HOLD((num > 0) == (status == FH_OK), "case %zu: %zu bytes", i, num);
    }
    bench_close(&b);
}

/* ---- labels ---- */

static void begin_line(void *user, const fh_field *group)
{
    (void)user;
    (void)group;
}

static void put_label(void *user, const fh_field *field)
{
    if (strcmp(field->name, "open") != 0 && strcmp(field->name, "close") != 0) {
        fh_text_str(fh_text_str(fh_text_str(user, " "), field->in), ".");
        fh_text_str(user, field->name);
    }
}

static void end_line(void *user, size_t end)
{
    (void)user;
    (void)end;
}

/* What a value is of, its channel says, and only that of a key of a channel. */
Test(labels, say_what_a_word_is_of)
{
    static const struct {
        const char *text, *labels;
    } cases[] = {
        {"(translate.z (kf 1 2) (kgf 3 4 true))",
         " translate.keyword kf.keyword kf.frame translate.value kgf.keyword kgf.frame kgf.group "
         "kgf.shown"},
        {"(kf 1 2) (DynamicPolygons (kf 3 4) (kgf 5 6 false))",
         " kf.keyword kf.frame kf.value dynamic_polygons.keyword kf.keyword kf.frame kf.value "
         "kgf.keyword kgf.frame kgf.group kgf.shown"},
        {"(TRANSLATE.Z (KF 1 2)) (HEAD) (scale.[ 1)",
         " translate.keyword kf.keyword kf.frame translate.value head.keyword chunk.keyword "
         "chunk.extra"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static uint8_t block[1 << 14] __attribute__((aligned(16)));
        char labels[512] = "";
        fh_text text = fh_text_make(labels, sizeof labels);
        fh_arena arena = fh_arena_make(block, sizeof block);
        fh_budget budget = {BENCH_BUDGET};
        const fh_env env = {.arena = &arena, .budget = &budget};
        const fh_field_sink sink = {&text, begin_line, put_label, end_line};
        const fh_cursor bytes = fh_cursor_make(cases[i].text, strlen(cases[i].text), 0);
        HOLD(fh_format_find("tra")->describe(&env, &sink, bytes) == FH_OK, "case %zu", i);
        HOLD(strcmp(labels, cases[i].labels) == 0, "case %zu:%s", i, labels);
    }
}

/* Text may begin at any byte. */
Test(format, alignment)
{
    cr_assert(eq(uint, fh_format_find("tra")->alignment, 1));
}

/* ---- what may be asked for besides ---- */

static fh_replay_state state_with(const bench *b, uint64_t units)
{
    static const fh_sink silent = {NULL};
    fh_arena arena = fh_arena_make(malloc(BENCH_ARENA), BENCH_ARENA);
    fh_budget budget = {units};
    fh_budget reserve = {1000};
    const fh_env env = {&arena, &budget, &silent, &reserve};
    fh_replay_result result;
    HOLD(b->format->replay(&result, &env, b->model, &(fh_replay_options){0}) == FH_OK, "%s",
         record_codes(&b->verify));
    HOLD(units > 0 || reserve.left < 1000 || result.state == FH_REPLAY_STOPPED, "nothing is free");
    free(arena.base);
    return result.state;
}

/* A sound text may ask for more than its budget; one with errors gets not a unit more. */
Test(reserve, is_for_sound_texts)
{
    static const struct {
        const char *text, *codes;
        fh_replay_state with_less;
    } cases[] = {{SOUND, "0075", FH_REPLAY_COMPLETE},
                 {TEXT(BONE("(translate.x(kf 0 0.0)(kf 2 1.0)(kf 2 2.0))", LAST)), "0072 0075 0076",
                  FH_REPLAY_STOPPED}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench b;
        bench_open(&b);
        b.format = fh_format_find("tra");
        bench_verify(&b, cases[i].text, strlen(cases[i].text), alone);
        HOLD(strcmp(record_codes(&b.verify), cases[i].codes) == 0, "case %zu: %s", i,
             record_codes(&b.verify));
        const uint64_t before = b.budget.left;
        bench_replay(&b, &(fh_replay_options){0});
        const uint64_t spent = before - b.budget.left;
        HOLD(b.result.state == FH_REPLAY_COMPLETE, "case %zu", i);
        HOLD(state_with(&b, spent) == FH_REPLAY_COMPLETE, "case %zu: enough", i);
        HOLD(state_with(&b, spent - 1) == cases[i].with_less, "case %zu: one less", i);
        bench_close(&b);
    }
}
