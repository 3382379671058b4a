/* The model beside a TRA4 text: the reader of BAC6 against every fault that it tells, and the
 * checks of one against the other. */
#include "tra_bench.h"

#include "tra/tra_bac.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the reader ---- */

#define HEAD ";BAC utf8\n( Head ( bacVersion 6.0 ) )\n"
#define POINTS "( translate 0 0 0 ) ( rotate 0 0 1 ) ( handle 0 1 0 )"
#define HIP                                                                                        \
    "( bone ( name \"hip\" ) ( hasChild true ) ( hasBrother false ) " POINTS                       \
    " ( vertexIndices 0 1 2 ) )\n"
#define LEG "( bone ( name \"leg\" ) ( hasChild false ) ( hasBrother false ) " POINTS " )\n"
#define FIGURE(bones) HEAD "( Figure ( Bones\n" bones ") )\n"
#define SOUND FIGURE(HIP LEG)
#define BONE(chunks) FIGURE("( bone " chunks " )\n")
#define WITH(point)                                                                                \
    FIGURE(HIP "( bone ( name \"leg\" ) ( hasChild false ) ( hasBrother false ) " point ")")

typedef struct sample {
    const char *text;
    const char *codes;    /* of verify */
    const char *found;    /* of the first finding */
    const char *expected; /* likewise */
    const char *at;       /* the text that its place leads to; NULL: the end */
} sample;

/* What is said of a place must be its place: the byte that the context names. */
static void hold_place(const sample *of, const fh_finding *finding, int i)
{
    unsigned off = 0;
    unsigned line = 0;
    unsigned column = 0;
    HOLD(sscanf(finding->context, "byte %x of the BAC6 text, line %u, column %u", &off, &line,
                &column) == 3,
         "case %d: %s", i, finding->context);
    HOLD(finding->offset == FH_UNKNOWN, "case %d: an offset in the animation", i);
    HOLD(off <= strlen(of->text), "case %d: byte %u", i, off);
    HOLD(of->at == NULL ? off == strlen(of->text)
                        : strncmp(of->text + off, of->at, strlen(of->at)) == 0,
         "case %d: byte %u is '%.12s'", i, off, of->text + off);
    unsigned lines = 1;
    for (unsigned k = 0; k < off; k++) {
        lines += of->text[k] == '\n' ? 1 : 0;
    }
    HOLD(line == lines, "case %d: line %u", i, line);
}

static void hold_samples(const sample *samples, int num)
{
    for (int i = 0; i < num; i++) {
        pair p;
        pair_open(&p, HIP_AND_LEG, samples[i].text, strlen(samples[i].text));
        HOLD(strcmp(record_codes(&p.b.verify), samples[i].codes) == 0, "case %d: %s", i,
             record_codes(&p.b.verify));
        HOLD(p.b.status == FH_OK && p.b.model != NULL, "case %d: the animation is sound", i);
        if (samples[i].codes[0] != '\0') {
            const fh_finding *first = &p.b.verify.findings[0];
            HOLD(strcmp(first->found, samples[i].found) == 0, "case %d: %s", i, first->found);
            HOLD(strcmp(first->expected, samples[i].expected) == 0, "case %d: %s", i,
                 first->expected);
            hold_place(&samples[i], first, i);
        }
        pair_close(&p);
    }
}

Test(reader, sound_texts)
{
    static const sample samples[] = {
        {SOUND, "", NULL, NULL, NULL},
        /* The first line alone, a comment anywhere, no blanks, CR LF. */
        {";BAC\n;x ( \" \n(Head(bacVersion 6))(Figure(Bones" HIP ";)\r\n" LEG "))", "", NULL, NULL,
         NULL},
        {"\n ; BAC\n" SOUND, "0124", "; BAC", ";BAC", "; BAC"},
        {"\n\t" SOUND, "", NULL, NULL, NULL},
        {"\xef\xbb\xbf" SOUND, "", NULL, NULL, NULL},
        /* What is not known is passed over, whatever is in it. */
        {HEAD "( Figure ( Vertices ( coords ( pnt 1 ( ( ) ) 2 \"(\" ; (\n) ) ) stray \"stray\" "
              "( Bones 2 ( bones ( bone ) ) " HIP LEG ") ( Polygons 1 ( face 0 ( i3 1 2 3 ) ) ) )"
              "behind",
         "", NULL, NULL, NULL},
        {";BAC\n( Head ( by ( \"me\" ) ) ( bacVersion 6.0 ) ( on 1 ) )\n( Figure ( Bones " HIP LEG
         ") )",
         "", NULL, NULL, NULL},
        {HEAD "( Figure ( DynamicPolygons ( groups 9 ) ( group 1 ( x ) ) ) ( Bones " HIP LEG ") )",
         "", NULL, NULL, NULL},
    };
    hold_samples(samples, sizeof samples / sizeof samples[0]);
}

Test(reader, what_is_no_bac6)
{
    static const sample samples[] = {
        {"", "0124", "the end of the data", ";BAC", NULL},
        {";TRA\n", "0124", ";TRA", ";BAC", ";TRA"},
        {";BACK\n" SOUND, "0124", ";BACK", ";BAC", ";BACK"},
        {";bac\n" SOUND, "0124", ";bac", ";BAC", ";bac"},
        {"MB\x05", "0124", "MB", ";BAC", "MB"},
        {"(Head)", "0124", "(", ";BAC", "("},
        {";BAC\n( Head ( bacVersion 5.0 ) )", "0126", "5.0", "6.0", "5.0"},
        {";BAC\n( Head ( bacVersion 6.1 ) )", "0126", "6.1", "6.0", "6.1"},
    };
    hold_samples(samples, sizeof samples / sizeof samples[0]);
}

Test(reader, faults)
{
    static const sample samples[] = {
        {";BAC", "0125", "0 open chunks", "their closing parentheses", NULL},
        {";BAC\nHead", "0125", "Head", "Head", "Head"},
        {";BAC\n( Figure", "0125", "Figure", "Head", "Figure"},
        {";BAC\n( Head )", "0125", "Head", "( bacVersion 6.0 )", "Head"},
        {";BAC\n( Head ( bacVersion six ) )", "0125", "six", "a number", "six"},
        {";BAC\n( Head ( bacVersion ) )", "0125", ")", "a number", ") )"},
        {";BAC\n( Head ( bacVersion 6.0 ) ( bacVersion 6.0 ) )", "0125", "bacVersion",
         "only one of them", "bacVersion 6.0 ) )"},
        {HEAD "( Head", "0125", "Head", "Figure", "Head"},
        {HEAD "( Figure )", "0125", "Figure", "( Bones ( bone ... ) )", "Figure"},
        {HEAD "( Figure ( Bones ) )", "0125", "Figure", "( Bones ( bone ... ) )", "Figure"},
        {HEAD "( Figure ( Bones " HIP LEG ") ( Bones ) )", "0125", "Bones", "only one of them",
         "Bones ) )"},
        {HEAD "( Figure ( DynamicPolygons ) ( DynamicPolygons ) )", "0125", "DynamicPolygons",
         "only one of them", "DynamicPolygons ) )"},
        {HEAD "( Figure ( ( x ) ) )", "0125", "(", "a keyword", "( x"},
        {HEAD "( Figure ( \"Bones\" ) )", "0125", "\"Bones\"", "a keyword", "\"Bones"},
        {HEAD "( Figure ( x ( y", "0125", "3 open chunks", "their closing parentheses", NULL},
        {HEAD "( Figure ( x \"y\n ) )", "0125", "\"y", "its closing quote on the same line", "\"y"},
        {HEAD "( Figure ( x \001 ) )", "0125", "\\x01", "text", "\001"},
        {BONE(""), "0125", "bone", "( name \"...\" )", "bone  )"},
        {BONE("( name leg )"), "0125", "leg", "a name in double quotes", "leg"},
        {BONE("( name \"a\" \"b\" )"), "0125", "\"b\"", "a name in double quotes", "\"b\""},
        {BONE("( name \"a\" ) ( name \"a\" )"), "0125", "name", "only one of them",
         "name \"a\" ) )"},
        {BONE("( name \"a\" ) ( hasChild True )"), "0125", "True", "true or false", "True"},
        {BONE("( name \"a\" ) ( hasBrother )"), "0125", ")", "true or false", ") )"},
        {BONE("( name \"a\" ) ( hasBrother true false )"), "0125", "false", "true or false",
         "false"},
        {BONE("( translate 1 2 )"), "0125", ")", "three numbers", ") )"},
        {BONE("( translate 1 2 3 4 )"), "0125", "4", "three numbers", "4 )"},
        {BONE("( rotate 1 nan 3 )"), "0125", "nan", "a decimal number in the range of a float",
         "nan"},
        {BONE("( handle 1 2 4e38 )"), "0125", "4e38", "a decimal number in the range of a float",
         "4e38"},
        {BONE("( handle 1 2 0x1 )"), "0125", "0x1", "a decimal number in the range of a float",
         "0x1"},
        {BONE("( handle 1 2 -4e38 )"), "0125", "-4e38", "a decimal number in the range of a float",
         "-4e38"},
        /* The first fault is the only one. */
        {BONE("( handle a b c )"), "0125", "a", "a decimal number in the range of a float", "a b"},
    };
    hold_samples(samples, sizeof samples / sizeof samples[0]);
}

Test(reader, bounds)
{
    char text[8192];
    char word[4200];
    pair p;
    memset(word, 'w', sizeof word);
    word[255] = '\0';
    (void)snprintf(text, sizeof text, BONE("( name \"%s\" )"), word);
    pair_open(&p, HIP_AND_LEG, text, strlen(text));
    cr_assert(eq(str, (char *)record_codes(&p.b.verify), "0127 0128 0120 0121"));
    pair_close(&p);
    word[255] = 'w';
    word[256] = '\0';
    (void)snprintf(text, sizeof text, BONE("( name \"%s\" )"), word);
    pair_open(&p, HIP_AND_LEG, text, strlen(text));
    cr_assert(eq(str, (char *)record_codes(&p.b.verify), "0125"));
    cr_assert(eq(str, p.b.verify.findings[0].expected, "at most 255 bytes"));
    pair_close(&p);
    word[256] = 'w';
    for (int len = 4096; len <= 4097; len++) {
        (void)snprintf(text, sizeof text, FIGURE(HIP LEG "%.*s"), len, word);
        pair_open(&p, HIP_AND_LEG, text, strlen(text));
        cr_assert(eq(str, (char *)record_codes(&p.b.verify), len == 4096 ? "" : "0125"));
        pair_close(&p);
    }
}

/* A comment may have any length, and UTF-16 is read as well. */
Test(reader, utf16_and_long_comments)
{
    const char text[] = SOUND;
    uint8_t wide[2 * sizeof text];
    for (size_t i = 0; i + 1 < sizeof text; i++) {
        wide[2 * i] = 0;
        wide[2 * i + 1] = (uint8_t)text[i];
    }
    pair p;
    pair_open(&p, HIP_AND_LEG, wide, 2 * (sizeof text - 1));
    cr_assert(eq(str, (char *)record_codes(&p.b.verify), ""));
    pair_close(&p);
    char *remark = calloc(1, 20000);
    strcpy(remark, ";BAC ");
    memset(remark + 5, 'x', 10000);
    strcat(remark, "\n" SOUND);
    pair_open(&p, HIP_AND_LEG, remark, strlen(remark));
    cr_assert(eq(str, (char *)record_codes(&p.b.verify), ""));
    pair_close(&p);
    free(remark);
}

/* Without hierarchy or rest pose the bones are compared all the same. */
Test(reader, hierarchy_and_rest)
{
    static const sample samples[] = {
        {FIGURE("( bone ( name \"hip\" ) ( hasBrother false ) " POINTS ")" LEG), "0127",
         "without hasChild", "hasChild and hasBrother", "bone"},
        {FIGURE(HIP "( bone ( name \"leg\" ) ( hasChild true ) " POINTS ")"), "0127",
         "without hasBrother", "hasChild and hasBrother", "bone ( name \"leg\""},
        {FIGURE(HIP "( bone ( name \"leg\" ) ( hasChild false ) ( hasBrother true ) " POINTS ")"),
         "0127", "the last one", "a brother that is promised", "bone ( name \"leg\""},
        {FIGURE(HIP "( bone ( name \"leg\" ) ( hasChild true ) ( hasBrother false ) " POINTS ")"),
         "0127", "the last one", "its child behind it", "bone ( name \"leg\""},
        {FIGURE("( bone ( name \"hip\" ) ( hasChild false ) ( hasBrother false ) " POINTS ")" LEG),
         "0127", "one more", "nothing: no bone before it promises it", "bone ( name \"leg\""},
        {WITH("( rotate 0 0 1 ) ( handle 0 1 0 )"), "0128", "missing", "three numbers",
         "bone ( name \"leg\""},
        {WITH("( translate 0 0 0 ) ( handle 0 1 0 )"), "0128", "missing", "three numbers",
         "bone ( name \"leg\""},
        {WITH("( translate 0 0 0 ) ( rotate 0 0 1 )"), "0128", "missing", "three numbers",
         "bone ( name \"leg\""},
        {WITH("( translate 5 5 5 ) ( rotate 5 5 5 ) ( handle 0 1 0 )"), "0128",
         "the point of translate", "another point, on the +Z axis", "bone ( name \"leg\""},
        {WITH("( translate 0 0 0 ) ( rotate 0 0 360 ) ( handle 0 0 0 )"), "0129", "on the Z axis",
         "a point on the +Y axis", "bone ( name \"leg\""},
        {WITH("( translate 0 0 0 ) ( rotate 0 0 1 ) ( handle 0.0000001 0 -5 )"), "0129",
         "on the Z axis", "a point on the +Y axis", "bone ( name \"leg\""},
        {WITH("( translate 0 0 0 ) ( rotate 0 0 1 ) ( handle 0.01 0 -5 )"), "", NULL, NULL, NULL},
        /* The largest float is one. */
        {WITH("( translate 0 0 0 ) ( rotate 0 0 1 ) ( handle 0 3.4028235e38 0 )"), "", NULL, NULL,
         NULL},
        {WITH("( translate 0 0 0 ) ( rotate 0 0 1 ) ( handle 0 -3.4028235e38 0 )"), "", NULL, NULL,
         NULL},
        /* That the last bone has a rest pose does not help the first one. */
        {FIGURE("( bone ( name \"hip\" ) ( hasChild true ) ( hasBrother false ) )" LEG), "0128",
         "missing", "three numbers", "bone ( name \"hip\""},
    };
    hold_samples(samples, sizeof samples / sizeof samples[0]);
}

Test(reader, tells_a_bac6_by_its_beginning)
{
    static const struct {
        const char *text;
        bool is_one;
    } cases[] = {{";BAC", true},
                 {";BAC utf8\n", true},
                 {";BAC;", true},
                 {"\n\n ;BAC", true},
                 {"\xef\xbb\xbf;BAC", true},
                 {";BACK", false},
                 {";BAC6", false},
                 {"; BAC", false},
                 {"", false},
                 {";BA", false},
                 {";bac", false},
                 {";BAC{", true},
                 {";BAC@", true},
                 {";BACZ", false},
                 {";BACA", false},
                 {";BACa", false},
                 {";BACz", false},
                 {";BAC`", true},
                 {";BAC9", false},
                 {";BAC/", true},
                 {";BAC:", true},
                 {"\";BAC\"", false},
                 {"(Head)", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t len = strlen(cases[i].text);
        HOLD(tra_bac_is_one(fh_cursor_make(cases[i].text, len, 0)) == cases[i].is_one, "case %zu",
             i);
    }
}

/* No model is larger than the largest asset. */
Test(reader, looks_at_no_giants)
{
    char *bytes = malloc(FH_MAX_ASSET_LEN + 1);
    memset(bytes, '\n', FH_MAX_ASSET_LEN + 1);
    memcpy(bytes, ";BAC", 4);
    cr_assert(tra_bac_is_one(fh_cursor_make(bytes, FH_MAX_ASSET_LEN, 0)));
    cr_assert(not(tra_bac_is_one(fh_cursor_make(bytes, FH_MAX_ASSET_LEN + 1, 0))));
    free(bytes);
}

/* ---- one against the other ---- */

#define DYNAMIC HIP_AND_LEG "dynamic\nkgf 0 0 true\nkgf 0 2 true\n"

Test(model, bones_and_groups)
{
    static const struct {
        const char *tra, *bac, *codes, *found, *expected;
        int64_t object;
        fh_grade grade;
    } cases[] = {
        {DYNAMIC, BAC "bone hip 0\nbone leg 1\ngroups 3", "", NULL, NULL, 0, FH_GRADE_REFERENCES},
        {DYNAMIC, BAC "bone hip 0\nbone leg 1\nbone toe 2\ngroups 3", "0120", "2",
         "3, as in the model", FH_UNKNOWN, FH_GRADE_STRUCTURE},
        {DYNAMIC, BAC "bone hip 0\ngroups 3", "0120", "2", "1, as in the model", FH_UNKNOWN,
         FH_GRADE_STRUCTURE},
        {DYNAMIC, BAC "bone hip 0\nbone Leg 1\ngroups 3", "0121", "\"leg\"", "\"Leg\"", 1,
         FH_GRADE_STRUCTURE},
        {DYNAMIC, BAC "bone leg 0\nbone hip 1\ngroups 3", "0121 0121", "\"hip\"", "\"leg\"", 0,
         FH_GRADE_STRUCTURE},
        {DYNAMIC, BAC "bone hip 0\nbone leg2 1\ngroups 3", "0121", "\"leg\"", "\"leg2\"", 1,
         FH_GRADE_STRUCTURE},
        {DYNAMIC, BAC "bone hip 0\nbone leg 1\ngroups 2", "0122", "2",
         "below 2, the model's number of groups", FH_UNKNOWN, FH_GRADE_STRUCTURE},
        {DYNAMIC, BAC "bone hip 0\nbone leg 1\ngroups 0", "0123 0122 0122", "there",
         "left out: the model has no groups", FH_UNKNOWN, FH_GRADE_STRUCTURE},
        {HIP_AND_LEG "dynamic\n", BAC "bone hip 0\nbone leg 1\ngroups 0", "0109 0123",
         "without keys", "keys, or no such chunk", FH_UNKNOWN, FH_GRADE_REFERENCES},
        {HIP_AND_LEG, BAC "bone hip 0\nbone leg 1", "", NULL, NULL, 0, FH_GRADE_REFERENCES},
        /* A group that is none, or a key that is not whole, is not looked for in the model. */
        {HIP_AND_LEG "dynamic\nkgf 0 -1 true\n", BAC "bone hip 0\nbone leg 1\ngroups 3", "0101",
         "-1", "0 or above", FH_UNKNOWN, FH_GRADE_STRUCTURE},
        {HIP_AND_LEG "dynamic\nkgf 0 9 yes\n", BAC "bone hip 0\nbone leg 1\ngroups 3", "0103",
         "yes", "true or false", FH_UNKNOWN, FH_GRADE_STRUCTURE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pair p;
        const char *codes = codes_of(&p, cases[i].tra, cases[i].bac);
        HOLD(strcmp(codes, cases[i].codes) == 0, "case %zu: %s", i, codes);
        HOLD(p.b.asset.grade == cases[i].grade, "case %zu: grade %d", i, (int)p.b.asset.grade);
        if (codes[0] != '\0') {
            const fh_finding *finding = &p.b.verify.findings[0];
            HOLD(strcmp(finding->found, cases[i].found) == 0, "case %zu: %s", i, finding->found);
            HOLD(strcmp(finding->expected, cases[i].expected) == 0, "case %zu: %s", i,
                 finding->expected);
            HOLD(finding->object == cases[i].object, "case %zu", i);
        }
        pair_close(&p);
    }
}

/* Only chunks of that name are groups. */
Test(model, what_is_a_group)
{
    static const char bac[] = HEAD "( Figure ( Bones " HIP LEG ") ( DynamicPolygons "
                                   "( groups 3 ) ( group ) ( Group ) ( group ) ( face ) ) )";
    pair p;
    pair_open(&p, DYNAMIC, bac, strlen(bac));
    cr_assert(eq(str, (char *)record_codes(&p.b.verify), "0122"));
    cr_assert(eq(str, p.b.verify.findings[0].expected, "below 2, the model's number of groups"));
    pair_close(&p);
}

/* Names in another encoding are compared by their bytes, and shown so. */
Test(model, names_above_ascii)
{
    pair p;
    const char tra[] = "tra\nmagic\nhead\nfigure 2\nbone \"\\x8d\\xb6\"\n";
    const char same[] = HEAD "( Figure ( Bones ( bone ( name \"\x8d\xb6\" ) ) ) )";
    const char other[] = HEAD "( Figure ( Bones ( bone ( name \"\x8d\xb7\" ) ) ) )";
    pair_open(&p, tra, same, strlen(same));
    cr_assert(eq(u64, record_count(&p.b.verify, "TRA0121"), 0));
    cr_assert(eq(u64, record_count(&p.b.verify, "TRA0125"), 0));
    pair_close(&p);
    pair_open(&p, tra, other, strlen(other));
    const fh_finding *finding = record_find(&p.b.verify, "TRA0121");
    cr_assert(finding != NULL);
    cr_assert(eq(str, (char *)finding->found, "\"\\x8d\\xb6\""));
    cr_assert(eq(str, (char *)finding->expected, "\"\\x8d\\xb7\""));
    pair_close(&p);
}

/* ---- limits ---- */

/* Whatever budget and arena are: the work ends, and what was too small is told. */
Test(limits, every_budget_and_arena)
{
    static const char bac[] =
        ";BAC\n; of a\n( Head ( bacVersion 6.0 ) ) ; walk\n( Figure ( Bones\n" HIP LEG
        ") ( DynamicPolygons ( group ) ( group ) ( group ) ) )\n";
    forge_buf tra = build(DYNAMIC);
    const fh_cursor companion = fh_cursor_make(bac, sizeof bac - 1, 0);
    const fh_verify_options options = {.stand_alone = true, .companion = &companion};
    const fh_format *format = fh_format_find("tra");
    void *block = malloc(BENCH_ARENA);
    bool was_good = false;
    for (uint64_t step = 0; step < 2 * 8192; step++) {
        const bool is_budget = step < 8192;
        record told = {0};
        const fh_sink sink = record_sink(&told);
        fh_arena arena = fh_arena_make(block, is_budget ? BENCH_ARENA : (step - 8192) * 2);
        fh_budget budget = {is_budget ? step : BENCH_BUDGET};
        fh_budget reserve = {0};
        const fh_env env = {&arena, &budget, &sink, &reserve};
        fh_asset asset;
        const void *model = NULL;
        fh_replay_result result;
        const fh_status status =
            format->verify(&asset, &model, &env, fh_cursor_make(tra.data, tra.len, 0), &options);
        was_good = status == FH_OK;
        HOLD(was_good == (model != NULL), "step %d", (int)step);
        HOLD(was_good || status == (is_budget ? FH_LIMIT : FH_NO_MEMORY), "step %d: %d", (int)step,
             (int)status);
        HOLD(!was_good || told.num_findings == 0, "step %d: %s", (int)step, record_codes(&told));
        if (was_good) {
            const fh_status played =
                format->replay(&result, &env, model, &(fh_replay_options){.world = true});
            HOLD(played == FH_OK || (played == FH_NO_MEMORY && !is_budget), "step %d", (int)step);
            HOLD(played != FH_OK || result.state == FH_REPLAY_COMPLETE ||
                     record_count(&told, "TRA0141") == 1,
                 "step %d: told", (int)step);
        }
        record_free(&told);
    }
    cr_assert(was_good);
    free(block);
    forge_buf_free(&tra);
}

/* The arena that the scanner gives suffices where bones are as short as they can be. */
Test(limits, many_short_bones)
{
    enum { NUM = 20000 };
    char *bac = malloc(40 * NUM + 200);
    char *tra = malloc(40 * NUM + 200);
    size_t b = (size_t)sprintf(bac, HEAD "(Figure(Bones");
    size_t t = (size_t)sprintf(tra, ";TRA\n(Head(traVersion 4.0))(Figure(totalFrame 1)");
    for (int i = 0; i < NUM; i++) {
        b += (size_t)sprintf(bac + b, "(bone(name\"\"))");
        t += (size_t)sprintf(tra + t, "(bone)");
    }
    b += (size_t)sprintf(bac + b, "))");
    t += (size_t)sprintf(tra + t, ")");
    const fh_cursor companion = fh_cursor_make(bac, b, 0);
    const size_t len = FH_ARENA_PER_BYTE * (t + b); /* not even the floor */
    void *block = malloc(len);
    record told = {0};
    const fh_sink sink = record_sink(&told);
    fh_arena arena = fh_arena_make(block, len);
    fh_budget budget = {FH_BUDGET_PER_BYTE * (t + b)};
    const fh_env env = {&arena, &budget, &sink};
    fh_asset asset;
    const void *model = NULL;
    const fh_verify_options options = {.stand_alone = true, .companion = &companion};
    cr_assert(eq(int,
                 (int)fh_format_find("tra")->verify(&asset, &model, &env, fh_cursor_make(tra, t, 0),
                                                    &options),
                 (int)FH_OK));
    cr_assert(eq(u64, record_count(&told, "TRA0120"), 0));
    cr_assert(eq(u64, record_count(&told, "TRA0127"), 1));
    cr_assert(eq(u64, record_count(&told, "TRA0128"), FH_MAX_FINDINGS_PER_RULE + 1));
    record_free(&told);
    free(block);
    free(bac);
    free(tra);
}
