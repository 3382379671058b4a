/* What is told of HMD where a value lies right at its bound: files of the corpus and the dance,
 * with one or two places changed.
 */
#include "hmd_edges.h"

#include "core/limits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SWAPS = 4, SOME = 1000 };

/* How many findings of a rule there are that say something. */
typedef struct wanted {
    const char *file; /* in corpus/hmd; NULL: dance */
    const char *swaps[MOST_SWAPS][2];
    const char *tail; /* behind the last line, NULL: none */
    const char *code;
    size_t num; /* SOME: at least one */
    const char *found, *expected,
        *part; /* all of what is; a part of either or of the field; NULL: any */
} wanted;

static bool is_meant(const fh_finding *at, const wanted *of)
{
    return strcmp(at->rule->code, of->code) == 0 &&
           (of->found == NULL || strcmp(at->found, of->found) == 0) &&
           (of->expected == NULL || strcmp(at->expected, of->expected) == 0) &&
           (of->part == NULL || strstr(at->found, of->part) != NULL ||
            strstr(at->expected, of->part) != NULL || strstr(at->field, of->part) != NULL);
}

static size_t count_meant(const record *told, const wanted *of)
{
    size_t num = 0;
    for (size_t i = 0; i < told->num_findings; i++) {
        num += is_meant(&told->findings[i], of) ? 1 : 0;
    }
    return num;
}

static void swap(char *text, size_t size, const char *const change[2])
{
    static char rest[1 << 16];
    char *at = strstr(text, change[0]);
    cr_assert(at != NULL, "there is no '%s'", change[0]);
    (void)snprintf(rest, sizeof rest, "%s", at + strlen(change[0]));
    (void)snprintf(at, size - (size_t)(at - text), "%s%s", change[1], rest);
}

static forge_buf build_wanted(const wanted *of)
{
    static char text[1 << 16];
    (void)snprintf(text, sizeof text, "%s%s", of->file == NULL ? dance : load(of->file),
                   of->tail == NULL ? "" : of->tail);
    for (size_t i = 0; i < MOST_SWAPS && of->swaps[i][0] != NULL; i++) {
        swap(text, sizeof text, of->swaps[i]);
    }
    return build(text);
}

static void hold_file(const forge_buf *file, const wanted *of, size_t number)
{
    run got;
    do_run(&got, file, BENCH_BUDGET, BENCH_ARENA);
    const size_t num = count_meant(&got.told, of);
    const fh_finding *first =
        record_count(&got.told, of->code) > 0 ? record_find(&got.told, of->code) : NULL;
    cr_expect(of->num == SOME ? num > 0 : num == of->num,
              "case %zu: %zu of %s, first %s | %s in %s", number, num, of->code,
              first == NULL ? "" : first->found, first == NULL ? "" : first->expected,
              record_codes(&got.told));
    record_free(&got.told);
}

static void hold_all(const wanted *of, size_t num)
{
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (size_t i = 0; i < num; i++) {
        forge_buf file = build_wanted(&of[i]);
        hold_file(&file, &of[i], i);
        forge_buf_free(&file);
    }
    free(block);
}

#define HOLD_ALL(list) hold_all(list, sizeof(list) / sizeof((list)[0]))

#define LIT "lit: header !polygons !vertices !normals !coords"
#define DRAWN "record 0x00800008 (triangle-polygons)"
#define PACKET "packet 0x008 rgb 255 0 0 n 0 v 0 1 2"
#define MOTION "motion: header * !table !control !params !coords !lamp"
#define SEQUENCE "sequence coord=0 start=(sway-control)\n"

/* ---- primitive headers ---- */

static const wanted headers[] = {
    /* Coordinates may be appended to the header of a model, and nothing else, and once. */
    {.swaps = {{LIT, "lit: header !polygons !vertices !normals !vertices"},
               {"0x00800008", "0x00000008"}},
     .code = "HMD0043",
     .num = 1,
     .found = "4 words",
     .expected = "at most 3"},
    {.swaps = {{"0x00800008", "0x00000008"}}, .code = "HMD0043", .num = 0},
    {.swaps = {{LIT, LIT " !coords"}}, .code = "HMD0043", .num = 1, .expected = "at most 4"},
    {.file = "good-devices.forge",
     .swaps = {{"world_light: header !lamps", "world_light: header !lamps !coords"}},
     .code = "HMD0043",
     .num = 1,
     .expected = "at most 1"},

    /* In the place of normals that nobody reads they are none of those; a number is. */
    {.swaps = {{LIT, "lit: header !polygons !vertices !coords"},
               {"0x00800008", "0x00040048"},
               {PACKET, "packet 0x048 rgb 255 0 0 v 0 1 2"}},
     .code = "HMD0047",
     .num = 0},
    {.swaps = {{LIT, "lit: header !polygons !vertices 5"},
               {"0x00800008", "0x00040048"},
               {PACKET, "packet 0x048 rgb 255 0 0 v 0 1 2"}},
     .code = "HMD0045",
     .num = 1},

    /* Only in memory a program's weights may lie outside. */
    {.file = "good-mime.forge",
     .swaps = {{"by_vertex: header !weights", "by_vertex: header 5"}},
     .code = "HMD0045",
     .num = 1},
    {.file = "good-mime.forge",
     .swaps = {{"by_vertex: header !weights", "by_vertex: header 5"}},
     .code = "HMD0131",
     .num = 0},

    /* Of a word that no shape has nothing is wanted, not even of the 17th. */
    {.swaps = {{LIT,
                "lit: header !polygons !vertices !normals 0 0 0 0 0 0 0 0 0 0 0 0 0 5 !coords"}},
     .code = "HMD0045",
     .num = 0},

    /* What may be a unit lies among the units: neither before them nor right behind. */
    {.file = "good-devices.forge",
     .swaps = {{"!view_fix !body_unit", "!view_fix !target_unit+20"}},
     .code = "HMD0047",
     .num = 1},
    {.file = "good-devices.forge",
     .swaps = {{"!view_fix !body_unit", "!view_fix 0x80000002"}},
     .code = "HMD0047",
     .num = 1},
};

Test(hmd_told, arguments_of_headers)
{
    HOLD_ALL(headers);
}

/* ---- animation ---- */

#define ONE_BYTE_TWICE                                                                             \
    {"table: table 0x03000001", "table: table 0x03010112"},                                        \
        {"sway0: value 0x03000001 t -200 0 1000", "sway0: value 0x03010112 v 1"},                  \
    {                                                                                              \
        "sway1: value 0x03000001 t 200 0 1000", "sway1: value 0x03010112 v 2"                      \
    }

static const wanted animations[] = {
    /* Records are numbered within their primitive. */
    {.swaps = {{"blocks @dance", "blocks @early"},
               {"dance: primitive header=@motion\n",
                "early: primitive header=@lit next=@dance\nrecord 0\nrecord 0\n"
                "dance: primitive header=@motion\nrecord 0\n"}},
     .code = "HMD0202",
     .num = 1,
     .found = "record 1"},
    {.swaps = {{MOTION, "motion: header 1 !table !control !params !coords !lamp"}},
     .code = "HMD0200",
     .num = 1,
     .found = "1 word",
     .expected = "6 words"},

    /* Behind the last word there is no section, but that of the parameters if no key has any: what
     * stands behind the asset changes nothing of it. */
    {.swaps = {{MOTION, "motion: header * !end !control !params !coords !lamp"}},
     .tail = "end:\n",
     .code = "HMD0205",
     .num = 1},
    {.swaps = {{MOTION, "motion: header * !table !end !params !coords !lamp"}},
     .tail = "end:\n",
     .code = "HMD0205",
     .num = 1},
    {.swaps = {{MOTION, "motion: header * !table !control !end !coords !lamp"}},
     .tail = "end:\n",
     .code = "HMD0205",
     .num = 0},
    {.swaps = {{MOTION, "motion: header * !table !control !end !coords !lamp"}},
     .tail = "end:\n",
     .code = "HMD0243",
     .num = 3},
    {.swaps = {{MOTION, "motion: header * !table !control 0x80000400 !coords !lamp"}},
     .code = "HMD0205",
     .num = 1,
     .found = "0x80000400"},

    /* Two sections in one place are not one behind the other. */
    {.swaps = {{MOTION, "motion: header * !control !control !params !coords !lamp"}},
     .code = "HMD0206",
     .num = 1,
     .part = "control section"},

    /* A start of one sequence sets an id, though another one runs with it. */
    {.swaps = {{SEQUENCE, "sequence coord=0 start=(sway-control) startsid=5\n"
                          "sequence coord=0 start=(sway-control) sid=5\n"},
               {"jump to=(sway_on-control)", "jump to=(sway_on-control) cnd=5"}},
     .code = "HMD0249",
     .num = 0},
    {.swaps = {{SEQUENCE, "sequence coord=0 start=(sway-control) sid=5\n"},
               {"jump to=(sway_on-control)", "jump to=(sway_on-control) cnd=5"}},
     .code = "HMD0249",
     .num = 1},

    /* A key of other data may end with the file. */
    {.swaps = {{"key type=0 tframe=30 param=(sway0-params)",
                "key type=0 tframe=30 param=(lamp-params)"}},
     .code = "HMD0244",
     .num = 1},

    /* A first segment without time drops the frame within it. */
    {.swaps = {{SEQUENCE, "sequence coord=0 start=(sway-control) rframe=8\n"},
               {"sway_on: key type=0 tframe=30", "sway_on: key type=0 tframe=0"}},
     .code = "HMD0233",
     .num = 0},
    {.swaps = {{SEQUENCE, "sequence coord=0 start=(sway-control) rframe=17\n"},
               {"sway_on: key type=0 tframe=30", "sway_on: key type=0 tframe=1"}},
     .code = "HMD0233",
     .num = 1},
};

Test(hmd_told, animation)
{
    HOLD_ALL(animations);
}

Test(hmd_told, two_sequences_write_the_first_byte_of_the_file)
{
    static const wanted of = {.code = "HMD0228", .num = 1};
    const wanted text = {.swaps = {{SEQUENCE, "sequence section=5 offset=0 start=(sway-control)\n"
                                              "sequence section=5 offset=0 start=(sway-control)\n"},
                                   ONE_BYTE_TWICE}};
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    forge_buf file = build_wanted(&text);
    const size_t header = find_word(&file, 6); /* its size, and its first word */
    put(&file, header + 5, 0x80000000u);
    put(&file, header + 6, 0x80000000u);
    hold_file(&file, &of, 0);
    forge_buf_free(&file);
    free(block);
}

/* A table has room for 128 types, as an index has 7 bits. */
Test(hmd_told, as_many_types_as_a_table_may_have)
{
    static char types[2048];
    size_t len = (size_t)snprintf(types, sizeof types, "table: table");
    for (unsigned i = 0; i < 128; i++) {
        len += (size_t)snprintf(types + len, sizeof types - len, " 0x03000001");
    }
    const wanted full[] = {
        {.swaps = {{"table: table 0x03000001", types}}, .code = "HMD0210", .num = 0}};
    HOLD_ALL(full);
    (void)snprintf(types + len, sizeof types - len, " 0x03000001");
    const wanted fuller[] = {
        {.swaps = {{"table: table 0x03000001", types}}, .code = "HMD0210", .num = 1}};
    HOLD_ALL(fuller);
}

/* ---- splines ---- */

#define SPLINE "HMD0262.good.forge"
#define GLIDE "sequence coord=0 start=(glide-control)\n"

static const wanted splines[] = {
    /* A start at any other control than WORK has no work area. */
    {.file = SPLINE,
     .swaps = {{"glide: work p2", "glide: control code=3 p2"}},
     .code = "HMD0260",
     .num = 1},
    /* And one behind the last descriptor has nothing to be looked at. */
    {.file = SPLINE,
     .swaps = {{GLIDE, "sequence coord=0 start=(params-control)\nmanaged (glide-control)\n"}},
     .code = "HMD0260",
     .num = 0},

    /* Work areas may lie side by side, whoever comes first. */
    {.file = SPLINE,
     .swaps = {{"unit t 0 0 1000\n", "unit t 0 0 1000\nunit parent=0\nunit parent=0\n"},
               {GLIDE, "sequence coord=0 start=(second-control)\n"
                       "sequence coord=1 start=(first-control)\n"
                       "sequence coord=2 start=(glide-control)\n"},
               {"glide: work p2=(history-params)",
                "first: work p2=(history-params)\njump to=(slow-control)\n"
                "second: work p2=(history+4-params)\njump to=(slow-control)\n"
                "glide: work p2=(history+8-params)\nslow:"},
               {"history: zero 16", "history: zero 48"}},
     .code = "HMD0262",
     .num = 0},

    /* Keys are looked at up to the last word that an index can name. */
    {.file = SPLINE,
     .swaps = {{"history: zero 16", "history: zero 16\nzero 262100"},
               {"tframe=0 param=(glide1-params)", "tframe=0 param=(glide0+1-params)"}},
     .code = "HMD0256",
     .num = SOME},
};

Test(hmd_told, splines)
{
    HOLD_ALL(splines);
}

/* What lies behind the last word of the data is not looked at, whatever its length: a work area
 * that leaves them, and a key that begins where they end. */
Test(hmd_told, what_begins_near_the_end_of_the_parameters)
{
    static const char *const two[2] = {
        "glide: work p2=(history-params)",
        "idle: work p2=(history-params)\nkey type=1 tframe=0 param=(glide0-params)\n"
        "key type=1 tframe=9 param=(glide0-params)\nend\nglide: work p2=(late-params)"};
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (unsigned pad = 0; pad < 16; pad++) {
        char tail[64];
        (void)snprintf(tail, sizeof tail, "zero %u\nlate: zero 8\nend:\n", 4 * pad);
        const wanted all[] = {
            {.file = SPLINE,
             .swaps = {{"p2=(history-params)", "p2=(late-params)"}},
             .tail = tail,
             .code = "HMD0262",
             .num = 0},
            {.file = SPLINE,
             .swaps = {{"tframe=0 param=(glide1-params)", "tframe=0 param=(end-params)"}},
             .tail = tail,
             .code = "HMD0262",
             .num = 0},
            {.file = SPLINE,
             .swaps = {{"unit t 0 0 1000\n", "unit t 0 0 1000\nunit parent=0\n"},
                       {GLIDE, "sequence coord=0 start=(idle-control)\n"
                               "sequence coord=1 start=(glide-control)\n"},
                       {"table: table 0x03000003", "table: table 0x03000003 0x03000001"},
                       {two[0], two[1]}},
             .tail = tail,
             .code = "HMD0266",
             .num = 1},
        };
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
            forge_buf file = build_wanted(&all[i]);
            hold_file(&file, &all[i], 3 * pad + i);
            forge_buf_free(&file);
        }
    }
    free(block);
}

/* A sequence that writes into the last word and would write into the next: that is nobody's. */
Test(hmd_told, what_is_written_behind_the_end)
{
    static const wanted of = {.code = "HMD0227", .num = 0};
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (unsigned pad = 0; pad < 16; pad++) {
        char text[2048];
        (void)snprintf(text, sizeof text,
                       "hmd\nblocks @dance 0\ncoords: coordinates\nunit\nheaders\n"
                       "motion: header * !table !control 0x80000000 !coords !data\n"
                       "dance: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence section=5 offset=(last-data) start=0\n"
                       "table: table 0x03010171\ncontrol: work p2=0\n"
                       "key type=0 tframe=0 param=@key\n"
                       "key type=0 tframe=9 param=@key\nend\n"
                       "key: value 0x03010171 v 1 2 3\n"
                       "data: zero %u\nlast: word 0\n",
                       4 * pad);
        forge_buf file = build(text);
        hold_file(&file, &of, pad);
        forge_buf_free(&file);
    }
    free(block);
}

/* ---- references ---- */

static const wanted references[] = {
    /* Addresses have as many digits as they need. */
    {.swaps = {{LIT, "lit: header 0x80000000 !vertices !normals !coords"},
               {DRAWN, "record 0x00840048 0 count=1"}},
     .code = "HMD0087",
     .num = 1,
     .found = "0, words at 0x0 to 0xc",
     .expected = "no header and block table there, as at 0x0"},
    {.swaps = {{LIT, "lit: header !polygons 0x80000000 0x80000002 !coords"}},
     .code = "HMD0086",
     .num = 1,
     .found = "1, a word at 0x8 of the header and block table"},
    {.swaps = {{LIT, "lit: header !polygons 0x80000000 !normals !coords"}},
     .code = "HMD0181",
     .num = 1,
     .found = "24 bytes of header and block table and vertices"},

    /* Behind the last word there is no packet, whether its layout is known or not; no packets at
     * all may be there. */
    {.swaps = {{DRAWN, "record 0x00800008 (end-polygons) count=1"}},
     .tail = "end:\n",
     .code = "HMD0080",
     .num = 1},
    {.swaps = {{DRAWN, "record 0x00801008 (end-polygons) count=1"}},
     .tail = "end:\n",
     .code = "HMD0080",
     .num = 1},
    {.swaps = {{DRAWN, "record 0x00801008 (end-polygons) count=0"}},
     .tail = "end:\n",
     .code = "HMD0080",
     .num = 0},

    /* A word over other data is enough. */
    {.file = "HMD0129-over.good.forge",
     .swaps = {{"originals: zero 16", "originals: zero 12"}},
     .code = "HMD0129",
     .num = SOME,
     .part = "no polygons there"},
    {.file = "HMD0102.good.forge",
     .swaps = {{"points: zero 32", "points: zero 28"}},
     .code = "HMD0102",
     .num = SOME,
     .part = "no normals there"},

    /* A packet that begins with the last word of another of its kind. */
    {.swaps = {{DRAWN, DRAWN "\nrecord 0x00000008 (triangle+2-polygons) count=1"}},
     .code = "HMD0087",
     .num = 1,
     .part = "no F3 packets there"},

    /* Keys and descriptors have no end of their own. */
    {.swaps = {{MOTION, "motion: header * !table !control !control !coords !lamp"}},
     .code = "HMD0181",
     .num = 0,
     .part = "keys"},

    /* Bits 8 to 11 and 12 to 15 of an environment map tell whether it is shared, and no others. */
    {.file = "good-envmap.forge",
     .swaps = {{"record 0x06001114 (shared4-polygons)",
                "record 0x0600110d (shared4-polygons) count=1"}},
     .code = "HMD0071",
     .num = 0},
    {.file = "good-envmap.forge",
     .swaps = {{"record 0x0600200c (mirror3-polygons)",
                "record 0x0600210c (mirror3-polygons) count=1"}},
     .code = "HMD0072",
     .num = 0},
    {.swaps = {{DRAWN, "record 0x00801108 (triangle-polygons) count=1"}},
     .code = "HMD0072",
     .num = 0},

    /* The numbers that are told are those that lead there. */
    {.file = "good-devices.forge",
     .swaps = {{"record 0x07010200 0:1", "record 0x07010200 0:1 0:999"}},
     .code = "HMD0155",
     .num = 1,
     .part = "999, words"},
    {.file = "good-ground.forge",
     .swaps = {{"record 0x05800000 (lawn-polygons)", "record 0x05800000 999"}},
     .code = "HMD0140",
     .num = 1,
     .part = "999, words"},

    /* Items of images that the record has no whole room for are not looked at. */
    {.swaps = {{"dance: primitive", "pictures: primitive header=@picture next=@dance\n"
                                    "record 0x02000000 1024:0 1:1 0 0 count=2\ndance: primitive"},
               {"headers\n", "headers\npicture: header !lamp\n"},
               {"@dance @body", "@pictures @body"}},
     .code = "HMD0111",
     .num = 1},
};

Test(hmd_told, references)
{
    HOLD_ALL(references);
}

/* Two packets that meet in the second word of one and the first of the other: that is where. */
Test(hmd_told, where_packets_meet)
{
    const wanted text = {.swaps = {{"triangle: packet", "word 0x20000000\ntriangle: packet"},
                                   {DRAWN, DRAWN "\nrecord 0x00040048 0 count=1"}}};
    char expected[64];
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    forge_buf file = build_wanted(&text);
    (void)snprintf(expected, sizeof expected, "no F3 packets there, as at 0x%zx",
                   4 * find_word(&file, 0x200000ff));
    const wanted of = {.code = "HMD0087", .num = 1, .expected = expected};
    hold_file(&file, &of, 0);
    forge_buf_free(&file);
    free(block);
}

/* A mesh that just so ends where the largest asset does goes on in the bytes that there are; one
 * that is longer by a triangle is none, and only its first packet is. */
Test(hmd_told, a_mesh_up_to_the_end_of_the_largest_asset)
{
    enum { MOST_WORDS = FH_MAX_ASSET_LEN / 4 };
    for (unsigned more = 0; more < 2; more++) {
        wanted text = {.swaps = {{DRAWN, "record 0x00800018 (triangle-polygons) count=1"},
                                 {"triangle: " PACKET, "word 0\ntriangle: mesh 0x018 rgb 255 0 0 n "
                                                       "0 v 0 1 2\nword 0x20000000 0xfff00000"}}};
        char found[64];
        block = malloc(BENCH_ARENA);
        cr_assert(block != NULL);
        forge_buf file = build_wanted(&text);
        const size_t first = find_word(&file, 0x200000ff) - 1;
        cr_assert(eq(sz, first % 2, 0));
        put(&file, first, (uint32_t)((MOST_WORDS - first - 4) / 2 + 1 + more));
        (void)snprintf(found, sizeof found, "1, words at 0x%zx to 0x%x",
                       4 * (more == 0 ? first : first + 4), 4 * MOST_WORDS + 8 * more);
        const wanted all[] = {{.code = "HMD0083", .num = 1, .found = found},
                              {.code = "HMD0084", .num = more == 0 ? SOME : 0, .found = "65520"}};
        hold_file(&file, &all[0], more);
        hold_file(&file, &all[1], more);
        forge_buf_free(&file);
        free(block);
    }
}

/* ---- MIMe ---- */

#define OVER "HMD0129-over.good.forge"

static const wanted morphs[] = {
    {.file = "good-mime.forge",
     .swaps = {{"by_axes: header !coords", "by_axes: header !end"}},
     .tail = "end:\n",
     .code = "HMD0135",
     .num = 1},

    /* The head of differences ends the file: their first element is told all the same. */
    {.file = "good-mime.forge",
     .swaps = {{"diff 0 (light0-light)", "diff 0 (end-light)"}},
     .tail = "end: word 9999 0x00010000\n",
     .code = "HMD0125",
     .num = 1,
     .part = "first element"},

    /* Each reset that is notified is wanted later in the frame. */
    {.file = OVER,
     .swaps = {{"notify (first_back+2-shapes)\n",
                "notify (first_back+2-shapes)\nnotify (second_back+2-shapes)\n"},
               {"original 0 1 1\n", ""},
               {"swell: primitive header=@by\n",
                "swell: primitive header=@back next=@swell2\nrecord 0x04010028 (early-shapes)\n"
                "swell2: primitive header=@by\n"}},
     .tail = "early: resets\nsecond_back: original 0 1 1\n",
     .code = "HMD0132",
     .num = 1,
     .part = "reset of the elements"},

    /* A record is told once, also the last one. */
    {.swaps = {{"blocks @dance", "blocks @bend"},
               {"headers\n", "headers\nby: header !coords !lamp 1 1:0 !joints\n"},
               {"unit t 0 0 1000\n", "unit t 0 0 1000\nunit parent=0\n"},
               {"table: table", "bend: primitive header=@by next=@dance\n"
                                "record 0x04010011 (one-joints) (two-joints)\n"
                                "joints:\none: joint 0\ndelta 0 dv 0 0 9\nreset rpy\n"
                                "two: joint 1\ndelta 0 dv 0 0 9\nreset rpy\ntable: table"}},
     .code = "HMD0132",
     .num = 1},
};

Test(hmd_told, morphing)
{
    HOLD_ALL(morphs);
}

/* A block behind the last word is none, and does not come between. */
Test(hmd_told, a_joint_behind_the_last_word)
{
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (unsigned pad = 0; pad < 16; pad++) {
        char tail[64];
        (void)snprintf(tail, sizeof tail, "zero %u\nend:\n", 4 * pad);
        const wanted of = {.file = "good-mime.forge",
                           .swaps = {{"record 0x04010011 (wrist-joints)",
                                      "record 0x04010011 (wrist-joints) (end-joints)"},
                                     {"wrist: joint 2", "wrist: joint 0"}},
                           .tail = tail,
                           .code = "HMD0132",
                           .num = 0};
        forge_buf file = build_wanted(&of);
        hold_file(&file, &of, pad);
        forge_buf_free(&file);
    }
    free(block);
}
