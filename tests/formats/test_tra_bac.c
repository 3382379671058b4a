/* The model beside a TRA4 text: the reader of BAC6 against every fault that it tells, the checks of
 * one against the other, and world matrices against a second way to them. */
#include "bench.h"

#include "forge/bac_text.h"
#include "forge/tra_text.h"
#include "tra/tra_bac.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIP_AND_LEG "tra\nmagic\nhead\nfigure 2\nbone \"hip\"\nbone \"leg\"\n"

typedef bool build_text(forge_buf *out, forge_error *err, const char *text, size_t len,
                        size_t limit);

static forge_buf build(build_text *by, const char *text)
{
    forge_buf out;
    forge_error err = {.kind = FORGE_OK};
    HOLD(by(&out, &err, text, strlen(text), FORGE_TRA_LIMIT), "line %u: %s\n%s", err.line, err.text,
         text);
    return out;
}

/* An animation and its model, verified; the bytes stay, for the model of verify leads into them. */
typedef struct pair {
    bench b;
    forge_buf tra;
    uint8_t *bac; /* of just its size */
    fh_cursor companion;
} pair;

static void pair_open(pair *p, const char *tra, const void *bac, size_t len)
{
    bench_open(&p->b);
    p->b.format = fh_format_find("tra");
    p->tra = build(forge_tra_text, tra);
    p->bac = malloc(len > 0 ? len : 1);
    memcpy(p->bac, bac, len);
    p->companion = fh_cursor_make(p->bac, len, 0);
    bench_verify(
        &p->b, p->tra.data, p->tra.len,
        (fh_verify_options){.stand_alone = true, .aligned = true, .companion = &p->companion});
}

static void pair_forge(pair *p, const char *tra, const char *bac)
{
    forge_buf text = build(forge_bac_text, bac);
    pair_open(p, tra, text.data, text.len);
    forge_buf_free(&text);
}

static void pair_close(pair *p)
{
    bench_close(&p->b);
    forge_buf_free(&p->tra);
    free(p->bac);
}

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

static const char *codes_of(pair *p, const char *tra, const char *bac)
{
    pair_forge(p, tra, bac);
    return record_codes(&p->b.verify);
}

#define BAC "bac\nmagic\nhead\nfigure\n"
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

/* ---- world space, another way: quaternions, and a whole inverse ---- */

enum { MOST_BONES = 12, NUM_FRAMES = 4, NUM_VALUES = 10 };

typedef struct matrix {
    long double m[4][4];
} matrix;

typedef struct scene {
    int num;
    int depth[MOST_BONES];
    char points[MOST_BONES][9][24];
    char values[MOST_BONES][NUM_VALUES][2][24]; /* at the first and the last frame */
} scene;

static matrix times(const matrix *a, const matrix *b)
{
    matrix out = {0};
    for (int i = 0; i < 64; i++) {
        out.m[i / 16][i / 4 % 4] += a->m[i / 16][i % 4] * b->m[i % 4][i / 4 % 4];
    }
    return out;
}

/* By elimination, as on paper: nothing is known of what the matrix is. */
static matrix inverse(matrix a)
{
    matrix out = {0};
    for (int i = 0; i < 4; i++) {
        out.m[i][i] = 1;
    }
    for (int col = 0; col < 4; col++) {
        int best = col;
        for (int row = col; row < 4; row++) {
            best = fabsl(a.m[row][col]) > fabsl(a.m[best][col]) ? row : best;
        }
        for (int k = 0; k < 4; k++) {
            const long double x = a.m[col][k], y = out.m[col][k];
            a.m[col][k] = a.m[best][k], out.m[col][k] = out.m[best][k];
            a.m[best][k] = x, out.m[best][k] = y;
        }
        const long double pivot = a.m[col][col];
        for (int k = 0; k < 4; k++) {
            a.m[col][k] /= pivot, out.m[col][k] /= pivot;
        }
        for (int row = 0; row < 4; row++) {
            const long double factor = row == col ? 0 : a.m[row][col];
            for (int k = 0; k < 4; k++) {
                a.m[row][k] -= factor * a.m[col][k];
                out.m[row][k] -= factor * out.m[col][k];
            }
        }
    }
    return out;
}

/* w, x, y, z, of any length. */
static matrix turn(long double w, long double x, long double y, long double z)
{
    const long double n = 2 / (w * w + x * x + y * y + z * z);
    return (matrix){{{1 - n * (y * y + z * z), n * (x * y - w * z), n * (x * z + w * y), 0},
                     {n * (x * y + w * z), 1 - n * (x * x + z * z), n * (y * z - w * x), 0},
                     {n * (x * z - w * y), n * (y * z + w * x), 1 - n * (x * x + y * y), 0},
                     {0, 0, 0, 1}}};
}

static void cross(long double out[3], const long double a[3], const long double b[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static void put_column(matrix *to, int col, const long double v[3])
{
    const long double length = sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        to->m[i][col] = v[i] / length;
    }
}

static matrix rest_of(const scene *s, int bone)
{
    long double at[3], x[3], y[3], z[3];
    matrix out = {.m[3][3] = 1};
    for (int i = 0; i < 3; i++) {
        at[i] = strtof(s->points[bone][i], NULL);
        z[i] = strtof(s->points[bone][3 + i], NULL) - at[i];
        y[i] = strtof(s->points[bone][6 + i], NULL) - at[i];
        out.m[i][3] = at[i];
    }
    cross(x, y, z);
    cross(y, z, x);
    put_column(&out, 0, x);
    put_column(&out, 1, y);
    put_column(&out, 2, z);
    return out;
}

static matrix pose_of(const scene *s, int bone, int frame)
{
    long double v[NUM_VALUES];
    for (int i = 0; i < NUM_VALUES; i++) {
        const long double a = strtof(s->values[bone][i][0], NULL);
        const long double b = strtof(s->values[bone][i][1], NULL);
        v[i] = a + (b - a) * frame / (NUM_FRAMES - 1);
    }
    const long double length = sqrtl(v[6] * v[6] + v[7] * v[7] + v[8] * v[8]);
    const long double half = v[9] * acosl(-1) / 360;
    const matrix rotate = turn(length + v[8], -v[7], v[6], 0);
    const matrix roll = turn(cosl(half), 0, 0, sinl(half));
    const matrix scale = {{{v[3] / 100}, {0, v[4] / 100}, {0, 0, v[5] / 100}, {0, 0, 0, 1}}};
    matrix out = times(&rotate, &roll);
    out = times(&out, &scale);
    for (int i = 0; i < 3; i++) {
        out.m[i][3] = v[i];
    }
    return out;
}

static int parent_of(const scene *s, int bone)
{
    int at = bone - 1;
    while (at >= 0 && s->depth[at] != s->depth[bone] - 1) {
        at--;
    }
    return s->depth[bone] == 0 ? -1 : at;
}

static matrix world_of(const scene *s, int bone, int frame)
{
    const matrix rest = rest_of(s, bone);
    const matrix pose = pose_of(s, bone, frame);
    const int parent = parent_of(s, bone);
    if (parent < 0) {
        return times(&rest, &pose);
    }
    const matrix above = world_of(s, parent, frame);
    const matrix back = inverse(rest_of(s, parent));
    matrix out = times(&above, &back);
    out = times(&out, &rest);
    return times(&out, &pose);
}

static double number(dice *d, double most)
{
    return ((double)dice_next(d) / UINT32_MAX * 2 - 1) * most;
}

/* A direction that is neither short nor near -Z, where the shortest turn is not defined. */
static void put_direction(dice *d, scene *s, int bone)
{
    for (int end = 0; end < 2; end++) {
        (void)snprintf(s->values[bone][6][end], 24, "%.6f", number(d, 1));
        (void)snprintf(s->values[bone][7][end], 24, "%.6f", number(d, 1));
        (void)snprintf(s->values[bone][8][end], 24, "%.6f", 0.3 + fabs(number(d, 1)));
    }
}

static void make_scene(dice *d, scene *s)
{
    s->num = 1 + (int)dice_below(d, MOST_BONES);
    for (int i = 0; i < s->num; i++) {
        s->depth[i] = i == 0 ? 0 : (int)dice_below(d, (uint32_t)s->depth[i - 1] + 2);
        double at[3], z[3] = {0}, y[3] = {0};
        for (int k = 0; k < 3; k++) {
            at[k] = number(d, 50);
        }
        const int axis = (int)dice_below(d, 3);
        z[axis] = dice_below(d, 2) == 0 ? 1 : -1;
        y[(axis + 1) % 3] = dice_below(d, 2) == 0 ? 1 : -1;
        for (int k = 0; k < 3; k++) {
            (void)snprintf(s->points[i][k], 24, "%.6f", at[k]);
            (void)snprintf(s->points[i][3 + k], 24, "%.6f", at[k] + 3 * z[k] + number(d, 0.5));
            (void)snprintf(s->points[i][6 + k], 24, "%.6f", at[k] + 2 * y[k] + number(d, 0.5));
        }
        for (int k = 0; k < NUM_VALUES; k++) {
            const double middle = k >= 3 && k < 6 ? 100 : 0;
            const double most = k < 3 ? 20 : k < 6 ? 50 : 170;
            (void)snprintf(s->values[i][k][0], 24, "%.6f", middle + number(d, most));
            (void)snprintf(s->values[i][k][1], 24, "%.6f", middle + number(d, most));
        }
        put_direction(d, s, i);
    }
}

static void write_scene(const scene *s, char *tra, char *bac, size_t size)
{
    static const char *const names[NUM_VALUES] = {
        "translate.x", "translate.y", "translate.z", "scale.x",  "scale.y",
        "scale.z",     "rotate.x",    "rotate.y",    "rotate.z", "roll"};
    size_t t = (size_t)snprintf(tra, size, "tra\nmagic\nhead\nfigure %d\n", NUM_FRAMES);
    size_t b = (size_t)snprintf(bac, size, BAC);
    for (int i = 0; i < s->num; i++) {
        t += (size_t)snprintf(tra + t, size - t, "bone b%d\n", i);
        b += (size_t)snprintf(bac + b, size - b, "bone b%d %d", i, s->depth[i]);
        for (int k = 0; k < 9; k++) {
            b += (size_t)snprintf(bac + b, size - b, " %s", s->points[i][k]);
        }
        b += (size_t)snprintf(bac + b, size - b, "\n");
        for (int k = 0; k < NUM_VALUES; k++) {
            t += (size_t)snprintf(tra + t, size - t, "%s 0 %s %d %s\n", names[k],
                                  s->values[i][k][0], NUM_FRAMES - 1, s->values[i][k][1]);
        }
    }
}

static double real_at(const bench *b, int64_t bone, uint32_t frame, const char *column)
{
    const int64_t bits = record_value(&b->replay, "world", bone, frame, column);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void hold_world(const pair *p, const matrix *want, int bone, int frame)
{
    static const char *const columns[3][4] = {
        {"m00", "m01", "m02", "t0"}, {"m10", "m11", "m12", "t1"}, {"m20", "m21", "m22", "t2"}};
    for (int i = 0; i < 12; i++) {
        const double got = real_at(&p->b, bone, (uint32_t)frame, columns[i / 4][i % 4]);
        const double expected = (double)want->m[i / 4][i % 4];
        HOLD(fabs(got - expected) <= 1e-11 * (1 + fabs(expected)),
             "bone %d frame %d %s is %.17g, not %.17g", bone, frame, columns[i / 4][i % 4], got,
             expected);
    }
}

Test(world, agrees_with_quaternions)
{
    dice d = {4711};
    enum { SIZE = 1 << 16, NUM_SCENES = 60 };
    char *tra = malloc(SIZE);
    char *bac = malloc(SIZE);
    for (int round = 0; round < NUM_SCENES; round++) {
        scene s;
        pair p;
        make_scene(&d, &s);
        write_scene(&s, tra, bac, SIZE);
        pair_forge(&p, tra, bac);
        HOLD(record_count(&p.b.verify, "TRA0127") + record_count(&p.b.verify, "TRA0128") == 0, "%s",
             record_codes(&p.b.verify));
        bench_replay(&p.b, &(fh_replay_options){.world = true, .changes_only = round % 2 != 0});
        HOLD(p.b.result.state == FH_REPLAY_COMPLETE, "replay");
        for (int i = 0; i < s.num * NUM_FRAMES; i++) {
            const matrix want = world_of(&s, i / NUM_FRAMES, i % NUM_FRAMES);
            hold_world(&p, &want, i / NUM_FRAMES, i % NUM_FRAMES);
        }
        pair_close(&p);
    }
    free(tra);
    free(bac);
}

/* By hand: the hip moves along X, the leg hangs from it, turned by a quarter about Z. */
Test(world, a_parent_moves_its_child)
{
    pair p;
    pair_forge(&p,
               "tra\nmagic\nhead\nfigure 3\nbone hip\ntranslate.x 0 0 1 4 2 4\nbone leg\n"
               "roll 0 90 2 90\ntranslate.y 0 1 2 1\n",
               BAC "bone hip 0\nbone leg 1 0 10 0 0 10 1 1 10 0\n");
    bench_replay(&p.b, &(fh_replay_options){.world = true, .changes_only = true});
    cr_assert(eq(str, (char *)record_codes(&p.b.verify), "0076"));
    /* Y of the leg is X of the world, its X is -Y; a quarter more and they are Y and X again, and a
     * step along its own Y is one along X. */
    static const double want[12] = {1, 0, 0, 1, 0, 1, 0, 10, 0, 0, 1, 0};
    matrix m = {0};
    for (int i = 0; i < 12; i++) {
        m.m[i / 4][i % 4] = want[i];
    }
    hold_world(&p, &m, 1, 0);
    m.m[0][3] = 5;
    hold_world(&p, &m, 1, 1);
    /* The leg has a row where its parent moved, though it did not itself; and none where not. */
    HOLD(record_has_row(&p.b.replay, "world", 1, 1), "a row of the leg");
    HOLD(!record_has_row(&p.b.replay, "bone", 1, 1), "no row of its pose");
    HOLD(!record_has_row(&p.b.replay, "world", 0, 2) && !record_has_row(&p.b.replay, "world", 1, 2),
         "no rows where nothing moves");
    pair_close(&p);
}

/* A model without a skeleton, as the public writer has it, stands unturned. */
Test(world, a_handle_that_does_not_fix_the_turn)
{
    pair p;
    pair_forge(&p, "tra\nmagic\nhead\nfigure 2\nbone hip\n",
               BAC "bone hip 0 0 0 0 0 0 360 0 0 0\n");
    bench_replay(&p.b, &(fh_replay_options){.world = true});
    matrix m = {{{1}, {0, 1}, {0, 0, 1}}};
    cr_assert(eq(str, (char *)record_codes(&p.b.verify), "0129"));
    hold_world(&p, &m, 0, 1);
    pair_close(&p);
}

/* Brothers of a root are roots, and a brother comes behind all that is below the bone. */
Test(world, brothers)
{
    pair p;
    pair_forge(&p,
               "tra\nmagic\nhead\nfigure 2\nbone a\ntranslate.x 0 1 1 1\nbone b\n"
               "translate.x 0 2 1 2\nbone c\ntranslate.x 0 4 1 4\nbone d\ntranslate.x 0 8 1 8\n"
               "bone e\ntranslate.x 0 16 1 16\n",
               BAC "bone a 0\nbone b 1\nbone c 2\nbone d 1\nbone e 0\n");
    bench_replay(&p.b, &(fh_replay_options){.world = true});
    cr_assert(eq(str, (char *)record_codes(&p.b.verify), ""));
    static const double want[] = {1, 3, 7, 9, 16};
    for (int i = 0; i < 5; i++) {
        HOLD(real_at(&p.b, i, 0, "t0") == want[i], "bone %d: %g", i, real_at(&p.b, i, 0, "t0"));
    }
    pair_close(&p);
}

/* Numbers that leave the range of a double are no numbers any more, and nothing worse. */
Test(world, beyond_all_bounds)
{
    char tra[8192] = "tra\nmagic\nhead\nfigure 2\n";
    char bac[8192] = BAC;
    for (int i = 0; i < 12; i++) {
        strcat(tra, "bone b\nscale.x 0 3e38 1 3e38\ntranslate.x 0 3e38 1 3e38\n");
        sprintf(bac + strlen(bac), "bone b %d 0 0 0 3e38 0 0 0 3e38 0\n", i);
    }
    pair p;
    pair_forge(&p, tra, bac);
    bench_replay(&p.b, &(fh_replay_options){.world = true});
    HOLD(p.b.result.state == FH_REPLAY_COMPLETE, "replay");
    HOLD(!isfinite(real_at(&p.b, 11, 1, "t2")), "a number");
    pair_close(&p);
}

/* Without what it takes there is no world space: with a model that does not do, nothing at all. */
Test(world, where_it_is_not_known)
{
    static const struct {
        const char *bac, *codes;
    } cases[] = {{BAC "bone hip 0\n", "0120"},
                 {BAC "bone hip 0\nbone leg 1 hasChild=true\n", "0127"},
                 {BAC "bone hip 0\nbone leg 1 omit=handle\n", "0128"},
                 {BAC "bone hip 0\nbone leg 1 hasChild=maybe\n", "0125"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pair p;
        const char *codes = codes_of(&p, HIP_AND_LEG, cases[i].bac);
        HOLD(strcmp(codes, cases[i].codes) == 0, "case %zu: %s", i, codes);
        bench_replay(&p.b, &(fh_replay_options){.world = true});
        HOLD(p.b.replay_status == FH_OK && p.b.result.state == FH_REPLAY_BROKEN, "case %zu", i);
        HOLD(p.b.replay.num_frames == 0 && p.b.result.frames == 0, "case %zu: frames", i);
        bench_replay(&p.b, &(fh_replay_options){0});
        HOLD(p.b.result.state == FH_REPLAY_COMPLETE, "case %zu: the poses are there", i);
        pair_close(&p);
    }
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    forge_buf tra = build(forge_tra_text, HIP_AND_LEG);
    bench_verify(&b, tra.data, tra.len, (fh_verify_options){.stand_alone = true});
    bench_replay(&b, &(fh_replay_options){.world = true});
    HOLD(b.result.state == FH_REPLAY_COMPLETE, "without a model");
    HOLD(!record_has_row(&b.replay, "world", 0, 0), "no world");
    forge_buf_free(&tra);
    bench_close(&b);
}

/* Nobody need look at the poses. */
Test(world, without_a_sink_for_poses)
{
    pair p;
    const char *codes = codes_of(&p, HIP_AND_LEG, BAC "bone hip 0\nbone leg 1\n");
    const fh_sink deaf = {0};
    const fh_env env = {&p.b.arena, &p.b.budget, &deaf};
    fh_replay_result result;
    cr_assert(eq(str, (char *)codes, ""));
    cr_assert(p.b.format->replay(&result, &env, p.b.model, &(fh_replay_options){.world = true}) ==
              FH_OK);
    cr_assert(result.state == FH_REPLAY_COMPLETE && result.frames == 2);
    pair_close(&p);
}

/* ---- limits ---- */

/* Whatever budget and arena are: the work ends, and what was too small is told. */
Test(limits, every_budget_and_arena)
{
    static const char bac[] =
        ";BAC\n; of a\n( Head ( bacVersion 6.0 ) ) ; walk\n( Figure ( Bones\n" HIP LEG
        ") ( DynamicPolygons ( group ) ( group ) ( group ) ) )\n";
    forge_buf tra = build(forge_tra_text, DYNAMIC);
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
