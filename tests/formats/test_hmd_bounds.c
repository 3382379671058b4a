/* Values of devices, environment maps and MIMe at their bounds, and records that are longer or
 * shorter than what they say: what lies behind them is none of theirs.
 */
#include "hmd_edges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct told_of {
    const char *text; /* what is put in; see the test */
    const char *code;
    size_t num;
    const char *said; /* what the first says that was found, NULL: anything */
} told_of;

static void hold(const char *text, const told_of *of, size_t number)
{
    run got;
    forge_buf file = build(text);
    do_run(&got, &file, BENCH_BUDGET, BENCH_ARENA);
    const size_t num = record_count(&got.told, of->code);
    const fh_finding *first = num > 0 ? record_find(&got.told, of->code) : NULL;
    cr_expect(eq(sz, num, of->num), "case %zu: %s, not %s", number, record_codes(&got.told),
              of->code);
    cr_expect(of->said == NULL || (first != NULL && strcmp(first->found, of->said) == 0),
              "case %zu: %s", number, first != NULL ? first->found : "nothing");
    record_free(&got.told);
    forge_buf_free(&file);
}

/* ---- devices ---- */

/* A record, and parameters that end the file. */
static void hold_device(const told_of *of, size_t number)
{
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "hmd\nblocks @it 0 0 0\ncoords: coordinates\n"
                   "unit\nhere: unit t 1 2 3\nthere: unit\nheaders\n"
                   "alone: header !place\nat_one: header !place !here !coords\n"
                   "at_two: header !place !here !there\n%s",
                   of->text);
    hold(text, of, number);
}

#define LONE(record) "it: primitive header=@alone\nrecord " record "\nplace: "
#define FIXED(record) "it: primitive header=@at_one\nrecord " record "\nplace: "
#define AIMED(record) "it: primitive header=@at_two\nrecord " record "\nplace: "

static const told_of devices[] = {
    /* The coordinates that are appended are no target. */
    {FIXED("0x07820200 0:0") "light 1 2 3 0 0 0 0 0 1\n", "HMD0157", 0, NULL},
    {FIXED("0x07820100") "camera 1000 0 0 0 -9 0 0 0\n", "HMD0157", 0, NULL},
    {FIXED("0x07020200 0:0 count=1") "light 1 2 3 0 0 0 0 0 1\n", "HMD0160", 0, NULL},

    /* Three numbers are a point, whatever is behind the target. */
    {LONE("0x07010100") "camera 1000 0 4 5 6 4 5 6\nword 9\n", "HMD0158", 1, "the position itself"},
    {LONE("0x07010200 0:0") "light 1 2 3 4 5 6 4 5 6\nword 9\n", "HMD0158", 1,
     "the position itself"},
    {LONE("0x07010200 0:0") "light 1 2 3 4 5 6 4 5 7\n", "HMD0158", 0, NULL},
    {LONE("0x07010200 0:0") "light 1 2 3 4 5 6 4 4 6\n", "HMD0158", 0, NULL},
    {LONE("0x07010200 0:0") "light 1 2 3 4 5 6 3 5 6\n", "HMD0158", 0, NULL},
    {FIXED("0x07020200 0:0") "light 1 2 3 4 5 6 4 5 6\n", "HMD0158", 1, NULL},
    /* Of two systems of coordinates the same numbers are two points. */
    {AIMED("0x07030200 0:0") "light 1 2 3 4 5 6 4 5 6\n", "HMD0158", 0, NULL},
    {AIMED("0x07030100") "camera 1000 0 4 5 6 4 5 6\n", "HMD0158", 0, NULL},

    /* The upper half of a light is the word of its parameters. */
    {LONE("0x07010200 0:7") "light 1 2 3 4 5 6 7 8 9\nlight 1 2 3 4 5 6 4 5 6\n", "HMD0158", 1,
     NULL},
    {LONE("0x07010200 0:7") "light 1 2 3 4 5 6 4 5 6\nlight 1 2 3 4 5 6 7 8 9\n", "HMD0158", 0,
     NULL},
    {LONE("0x07010200 0:7 1:14") "light 1 2 3\nzero 24\nlight 1 2 3 4 5 6 4 5 6\n"
                                 "light 1 2 3 4 5 6 4 5 6\n",
     "HMD0158", 2, NULL},

    /* Numbers 0 to 2; of a light with one coordinate the first word only. */
    {LONE("0x07010200 2:0") "light 1 2 3 4 5 6 7 8 9\n", "HMD0156", 0, NULL},
    {LONE("0x07010200 3:0") "light 1 2 3 4 5 6 7 8 9\n", "HMD0156", 1, "3"},
    {LONE("0x07010200 0:0 9:0") "light 1 2 3 4 5 6 7 8 9\n", "HMD0156", 1, "9"},
    {LONE("0x07000200 9:0") "light 1 2 3\n", "HMD0156", 0, NULL},
    {FIXED("0x07020200 0:0 9:0") "light 1 2 3 4 5 6 7 8 9\n", "HMD0156", 0, NULL},
    {FIXED("0x07020200 0:0 0:999") "light 1 2 3 4 5 6 7 8 9\n", "HMD0155", 0, NULL},
    {LONE("0x07010200 0:0 count=2\nrecord 0x07000100") "light 1 2 3 4 5 6 7 8 9\n", "HMD0156", 0,
     NULL},
    {LONE("0x07010200 0:0 count=2\nrecord 0x07000100") "light 1 2 3 4 5 6 7 8 9\n", "HMD0155", 0,
     NULL},
    {LONE("0x07010200 0:0 0:0") "light 1 2 3 4 5 6 7 8 9\n", "HMD0160", 0, NULL},
    {FIXED("0x07020200 0:0 0:0") "light 1 2 3 4 5 6 7 8 9\n", "HMD0160", 1, "2"},

    /* Seven words, eight, or one, at the end of the file. */
    {LONE("0x07010200 0:0 1:1") "light 1 2 3 4 5 6 7 8 9\n", "HMD0155", 1, NULL},
    {LONE("0x07010200 0:0") "light 1 2 3 4 5 6 7 8 9\n", "HMD0155", 0, NULL},
    {LONE("0x07010100") "camera 1000 0 4 5 6 7 8 9\n", "HMD0155", 0, NULL},
    {LONE("0x07010100") "light 1 2 3 4 5 6 7 8 9\n", "HMD0155", 1, NULL},
    {LONE("0x07000200 0:0") "light 1 2 3\n", "HMD0155", 0, NULL},
    {LONE("0x07000200 0:1") "light 1 2 3\n", "HMD0155", 1, NULL},
    {LONE("0x07000100") "word 1000\n", "HMD0155", 0, NULL},
    {LONE("0x07000100") "word 0\n", "HMD0161", 1, "0"},
    {LONE("0x07000100") "word 1\n", "HMD0161", 0, NULL},
    {LONE("0x07000100") "word 65535\n", "HMD0161", 0, NULL},
    {LONE("0x07000100") "word 65536\n", "HMD0161", 1, "65536"},
};

Test(hmd_bounds, devices)
{
    block = malloc(BENCH_ARENA);
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        hold_device(&devices[i], i);
    }
    free(block);
}

/* ---- environment maps ---- */

/* A triangle of each kind, and what its header has from the fourth word on; the last word of the
 * file is a position. */
static void hold_map(const told_of *of, size_t number)
{
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "hmd\nblocks 0 @shiny 0\ncoords: coordinates\nunit\nheaders\n"
                   "maps: header !faces !points !normals %s\n"
                   "faces: packet 0x00c rgb 1 2 3 n 0 0 0 v 0 1 2\n"
                   "points:\nvec 0 0 0\nvec 9 0 0\nvec 0 9 0\nnormals: vec 0 0 4096\n"
                   "far: word 1:1 2:2\nlow: word 1023:511\nwide: word 1024:511\n"
                   "high: word 1023:512\nplace: word 0:0 0:0\nword 5:6\n",
                   of->text);
    hold(text, of, number);
}

#define MAP(type) "\nshiny: primitive header=@maps\nrecord " type " (faces-faces)"

/* The pointer stands two words before the position: "far" means "low", and the words behind it. */
static const told_of maps[] = {
    {"!far 0 0 0 0 0:1:2:0 0 0 0" MAP("0x0600100c"), "HMD0152", 0, NULL},
    {"!far+1 0 0 0 0 0:1:2:0 0 0 0" MAP("0x0600100c"), "HMD0152", 1, "0x1ff0400"},
    {"!far+2 0 0 0 0 0:1:2:0 0 0 0" MAP("0x0600100c"), "HMD0152", 1, "0x20003ff"},
    {"!place 0 0 0 0 0:1:2:0 0 0 0" MAP("0x0600100c"), "HMD0152", 0, NULL},
    {"!place+1 0 0 0 0 0:1:2:0 0 0 0" MAP("0x0600100c"), "HMD0152", 1,
     "8 bytes before the end of the data or less"},
    {"77 0 0 0 0 0:1:2:0 0 0 0" MAP("0x0600100c"), "HMD0152", 0, NULL},
    {"77 0 0 0 0 0:1:2:0 0 0 0" MAP("0x0600100c"), "HMD0150", 0, NULL},
    {"0 0 0 0 0 0:1:2:0 0 0 0" MAP("0x0600100c"), "HMD0150", 1, "0"},

    /* Modes 0 to 2, the lowest byte; rates 0 to 3, the one above. */
    {"!far 0 0 0 0 2:9:9:9 0 0 0" MAP("0x0600100c"), "HMD0151", 0, NULL},
    {"!far 0 0 0 0 3:0:0:0 9 9 9" MAP("0x0600100c"), "HMD0151", 1, "3"},
    {"0 !far !far 0 0 9 2:3:9:9 9 9" MAP("0x0600200c"), "HMD0151", 0, NULL},
    {"0 !far !far 0 0 9 3:3:9:9 9 9" MAP("0x0600200c"), "HMD0151", 1, "3"},
    {"0 !far !far 0 0 9 0:4:9:9 9 9" MAP("0x0600200c"), "HMD0151", 1, "4"},
    {"0 0 0 !far !far 9 9 9 2:3:9:9" MAP("0x0600300c"), "HMD0151", 0, NULL},
    {"0 0 0 !far !far 9 9 9 0:4:9:9" MAP("0x0600300c"), "HMD0151", 1, "4"},
    /* 16 bits have no colours. */
    {"0 !far 0 0 0 9 2:3:9:9 9 9" MAP("0x0600200c"), "HMD0150", 0, NULL},
    {"0 !far 0 0 0 9 1:3:9:9 9 9" MAP("0x0600200c"), "HMD0150", 1, "0"},
    /* A shared map has normals there. */
    {"!far+1 !far+1" MAP("0x0600110c"), "HMD0152", 0, NULL},
};

Test(hmd_bounds, maps)
{
    block = malloc(BENCH_ARENA);
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        hold_map(&maps[i], i);
    }
    free(block);
}

/* ---- MIMe ---- */

/* Records, their differences at the end of the file. */
static void hold_mime(const told_of *of, size_t number)
{
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "hmd\nblocks @morph 0 0\ncoords: coordinates\nunit\nheaders\n"
                   "by_axes: header !coords !weights 2 1:9 !joints\n"
                   "by_angles: header !coords !weights 2 2:0 !joints\n"
                   "by_vertex: header !weights 2 3:0 !joints !originals !points !normals\n"
                   "back: header 3:0 !joints !originals !points !normals\n%s",
                   of->text);
    hold(text, of, number);
}

#define MORPH(header, record) "morph: primitive header=@" header "\nrecord " record "\n"
#define SECTIONS                                                                                   \
    "weights: word 0 0\noriginals: zero 32\npoints: vec 0 0 0\nnormals: vec 0 0 4096\njoints:\n"

static const told_of morphs[] = {
    /* One header of two records is judged once. */
    {MORPH("by_axes", "0x04010010 0\nrecord 0x04010010 0") SECTIONS
     "joint 0\ndelta 0 dv 1 0 0\nreset axes\n",
     "HMD0133", 1, "0x90001"},
    /* The word that tells of a change, in the upper half behind the ninth number, or the third. */
    {MORPH("by_axes", "0x04010010 0") SECTIONS "joint 0\ndelta 0 dv 1 0 0\nreset axes changed=7\n",
     "HMD0128", 1, "7"},
    {MORPH("by_angles", "0x04010011 0") SECTIONS "joint 0\ndelta 0 dv 1 0 0\nreset rpy changed=7\n",
     "HMD0128", 1, "7"},
    {MORPH("by_axes", "0x04010010 0") SECTIONS "joint 0\ndelta 0 dv 1 0 0\nreset axes changed=0\n",
     "HMD0128", 0, NULL},
    /* Vectors may be missing behind their count, at the end of the file. */
    {MORPH("by_vertex", "0x04010020 0") SECTIONS
     "shape: shape\ndiff 0 (none-shape)\nnone: deltas 0 count=0 pad=5\n",
     "HMD0133", 1, "0x5"},
    {MORPH("by_vertex", "0x04010020 0") SECTIONS
     "shape: shape\ndiff 0 (none-shape)\nnone: deltas 9 count=1\nvec 0 0 1\n",
     "HMD0125", 1, NULL},
    {MORPH("by_vertex", "0x04010020 0") SECTIONS
     "shape: shape\ndiff 0 (none-shape)\nnone: deltas 9 count=0\n",
     "HMD0125", 0, NULL},
    /* Each change is to be taken back, also the only one. */
    {MORPH("by_vertex", "0x04010020 0") SECTIONS
     "shape: shape\ndiff 0 (one-shape)\none: deltas 0\nvec 0 0 1\n",
     "HMD0132", 1, "0"},
    {MORPH("by_vertex", "0x04010020 0") SECTIONS "shape n=0 flags=0\n", "HMD0132", 0, NULL},
    /* Keys that there are weights for. */
    {MORPH("by_vertex", "0x04010020 0") SECTIONS
     "shape: shape\ndiff 1 (one-shape)\none: deltas 0\nvec 0 0 1\n",
     "HMD0124", 0, NULL},
    {MORPH("by_vertex", "0x04010020 0") SECTIONS
     "shape: shape\ndiff 2 (one-shape)\none: deltas 0\nvec 0 0 1\n",
     "HMD0124", 1, "0x4"},
    /* More offsets than the record has words: what is behind it is none of its blocks. */
    {MORPH("by_vertex", "0x04010020 0 count=2\nrecord 0x00000000 0x7fffff") SECTIONS
     "shape n=0 flags=0\n",
     "HMD0120", 0, NULL},
    {MORPH("by_vertex", "0x04010020 0 count=2\nrecord 0x00000002 0 count=0") SECTIONS
     "shape n=0 flags=0\nword 0x00050000 0\n",
     "HMD0121", 0, NULL},
    {MORPH("by_vertex", "0x04010020 0 count=2\nrecord 0x00000002 0 count=0") SECTIONS
     "shape n=0 flags=0\nword 0x00050000 0\n",
     "HMD0120", 0, NULL},
    {MORPH("by_vertex", "0x04010020 0 2") SECTIONS "shape n=0 flags=0\nword 0x00050000 0\n",
     "HMD0121", 1, "5"},
    {MORPH("by_angles", "0x04010011 0 count=3\nrecord 0x04010011 0") SECTIONS
     "joint 0\ndelta 0 dv 1 0 0\nreset rpy\n",
     "HMD0120", 0, NULL},
};

Test(hmd_bounds, morphs)
{
    block = malloc(BENCH_ARENA);
    for (size_t i = 0; i < sizeof morphs / sizeof morphs[0]; i++) {
        hold_mime(&morphs[i], i);
    }
    free(block);
}

/* ---- ground ---- */

/* A field in a record of a type: its cells and heights are many. */
static void hold_ground(const told_of *of, size_t number)
{
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "hmd\nblocks 0 @land 0\ncoords: coordinates\nunit\nheaders\n"
                   "kinds: header !fields !grids !heights !normals\n"
                   "land: primitive header=@kinds\nrecord %s\n"
                   "grids:\nrepeat 30\ncell flat 1 2 3 0\nendrepeat\nheights: zero 120\n"
                   "normals: vec 0 0 4096\n",
                   of->text);
    hold(text, of, number);
}

#define FIELD "0x05800000 0 0 0\nfields: ground 0 0 9 9 "

static const told_of grounds[] = {
    /* At least two vertices to a line; with one, rows cannot be looked at. */
    {FIELD "0 2\nrow 0 9\n", "HMD0141", 1, "0"},
    {FIELD "1 2\nrow 0 9\n", "HMD0141", 1, "1"},
    {FIELD "2 2\nrow 0 1\n", "HMD0141", 0, NULL},
    {FIELD "2 2\nrow 0 2\n", "HMD0141", 1, "2"},
    {FIELD "2 2\nrow 1 1\n", "HMD0141", 1, "2"},
    {FIELD "4 2\nrow 1 2\n", "HMD0141", 0, NULL},
    {FIELD "4 2\nrow 1 3\n", "HMD0141", 1, "4"},
    {FIELD "4 2\nrow 1 0\n", "HMD0141", 0, NULL},
    /* A row is a line of the heights, if it has a cell. */
    {FIELD "4 2\nrow 3 0\n", "HMD0144", 0, NULL},
    {FIELD "4 2\nrow 4 0\n", "HMD0144", 0, NULL},
    {FIELD "4 2\nrow 4 1\n", "HMD0144", 1, "1"},
    {FIELD "4 3\nrow 0 1\nrow 3 0\n", "HMD0144", 0, NULL},
    {FIELD "4 3\nrow 0 1\nrow 2 1\n", "HMD0144", 1, "0"},
    {FIELD "4 3\nrow 0 1\nrow 8 1\n", "HMD0144", 1, "2"},
    {FIELD "2 2\nrow 2 1\n", "HMD0144", 1, "1"},
    /* One row less than lines. */
    {FIELD "4 2\nrow 0 1\n", "HMD0145", 0, NULL},
    {FIELD "4 1\nrow 0 1\n", "HMD0145", 1, "1"},
    {FIELD "4 3\nrow 0 1\n", "HMD0145", 1, "1"},
    /* There are two types. */
    {"0x05800002 0 0 0\nfields: ground 0 0 9 9 1 9\n", "HMD0141", 0, NULL},
    {"0x05800002 0 0 0\nfields: ground 0 0 9 9 1 9\n", "HMD0145", 0, NULL},
};

Test(hmd_bounds, grounds)
{
    block = malloc(BENCH_ARENA);
    for (size_t i = 0; i < sizeof grounds / sizeof grounds[0]; i++) {
        hold_ground(&grounds[i], i);
    }
    free(block);
}

/* ---- types of polygons ---- */

/* Whether the bits of a type fit together; that there is no driver is another matter. */
static const struct {
    uint32_t type;
    bool is_wrong;
} bits_of_types[] = {
    {0x00000008, false}, {0x00000018, false}, {0x00000000, false}, {0x00000007, true},
    {0x00000020, true},  {0x00000021, true},  {0x00000038, true},  {0x00040048, false},
    {0x00000048, true},  {0x00040008, true},  {0x00000088, true},  {0x00000408, true},
    {0x00008008, true},  {0x00400008, true},  {0x0004005a, false}, {0x0004005b, false},
    {0x0004004a, false}, {0x0004004b, false}, {0x00000209, false}, {0x00000208, true},
    {0x0004025b, true},  {0x00040249, false}, {0x00040148, false}, {0x00000108, true},
    {0x0004015a, true},  {0x00040158, false}, {0x01040148, true},  {0x01040048, false},
    {0x00ff0009, true},  {0x00bb0009, false},
};

Test(hmd_bounds, types)
{
    block = malloc(BENCH_ARENA);
    for (size_t i = 0; i < sizeof bits_of_types / sizeof bits_of_types[0]; i++) {
        char text[512];
        const told_of of = {NULL, "HMD0068", bits_of_types[i].is_wrong ? 1 : 0, NULL};
        (void)snprintf(text, sizeof text,
                       "hmd\nblocks 0 @it 0\ncoords: coordinates\nunit\nheaders\n"
                       "lit: header !faces !faces !faces !coords\nit: primitive header=@lit\n"
                       "record 0x%08x 0 count=0\nfaces: zero 64\n",
                       bits_of_types[i].type);
        hold(text, &of, i);
    }
    free(block);
}

/* ---- in memory ---- */

/* A spline with a history of four words, and one more word behind it. */
static const char spline[] =
    "hmd\nblocks @moves 0 0\ncoords: coordinates\nunit\nheaders\n"
    "motion: header * !table !control !params !coords\nmoves: primitive header=@motion\n"
    "record 0x03800000\nsequence coord=0 start=(%s-control) %s\nsequence coord=0 start=(%s-control)"
    " section=4 %s\ntable: table 0x03000003 0x03000003\ncontrol:\nspline: work "
    "p2=(history-params)\n"
    "first: key type=0 tframe=0 param=3\nkey type=0 tframe=4 param=0\njump to=(first-control)\n"
    "stop: end p1=0 p2=(history-params)\nparams:\nvalue 0x03000003 t 5 6 7\nvalue 0x03000003 t 8 9 "
    "10\nhistory: word %s\n";

static verdict judge_spline(const char *const starts[2], const char *const options[2],
                            const char *history, unsigned stage)
{
    char text[2048];
    (void)snprintf(text, sizeof text, spline, starts[0], options[0], starts[1], options[1],
                   history);
    return judge(text, stage, NULL);
}

typedef struct played {
    const char *start;      /* of both sequences: a label */
    const char *options[2]; /* of each */
    const char *history;
    const char *said[2]; /* found and expected of HMD0295; NULL: it is not told */
    size_t num_entries;  /* of HMD0296 */
} played;

static const played plays[] = {
    {"spline", {"", ""}, "0 0 0 0 0", {NULL, NULL}, 0},
    {"spline", {"ii=1", ""}, "0 0 0 0 0", {"sequence fields", ""}, 0},
    {"spline", {"aframe=1", ""}, "0 0 0 0 0", {"sequence fields", ""}, 0},
    {"spline", {"tframe=1", ""}, "0 0 0 0 0", {"sequence fields", ""}, 0},
    {"spline", {"ci=1", ""}, "0 0 0 0 0", {"sequence fields", ""}, 0},
    {"spline", {"ti=1", ""}, "0 0 0 0 0", {"sequence fields", ""}, 0},
    {"spline", {"traveling=1", ""}, "0 0 0 0 0", {"sequence fields", ""}, 0},
    {"spline", {"", "traveling=1"}, "0 0 0 0 0", {"sequence fields", ""}, 0},
    {"spline", {"ii=1", "ti=1"}, "0 0 0 0 0", {"sequence fields", ""}, 0},
    /* The history is four words, and each alone is one. */
    {"spline", {"", ""}, "0 0 0 0 9", {NULL, NULL}, 0},
    {"spline", {"", ""}, "1 0 0 0 0", {"spline histories", ""}, 2},
    {"spline", {"", ""}, "0 0 0 1 0", {"spline histories", ""}, 2},
    {"spline", {"", ""}, "1 1 1 1 1", {"spline histories", ""}, 8},
    {"spline", {"ii=1", ""}, "0 1 0 0 0", {"sequence fields", "spline histories"}, 2},
    {"spline", {"", "ii=1"}, "0 1 0 0 0", {"spline histories", "sequence fields"}, 2},
    /* A key at the start has values and no history. */
    {"first", {"", ""}, "1 1 1 1 1", {NULL, NULL}, 0},
    {"stop", {"", ""}, "1 1 1 1 1", {NULL, NULL}, 0},
};

Test(hmd_bounds, played_in_memory)
{
    for (size_t i = 0; i < sizeof plays / sizeof plays[0]; i++) {
        const played *of = &plays[i];
        const char *const starts[2] = {of->start, of->start};
        verdict is = judge_spline(starts, of->options, of->history, FORGE_HMD_MAPPED);
        const record *told = &is.run.told;
        const size_t num = record_count(told, "HMD0295");
        cr_expect(eq(sz, num, of->said[0] != NULL ? 1 : 0), "case %zu", i);
        if (num > 0 && of->said[0] != NULL) {
            const fh_finding *first = record_find(told, "HMD0295");
            cr_expect(strcmp(first->found, of->said[0]) == 0, "case %zu: %s", i, first->found);
            const bool is_one = of->said[1][0] == '\0';
            cr_expect(is_one ? strstr(first->expected, "and") == NULL
                             : strstr(first->expected, of->said[1]) != NULL,
                      "case %zu: %s", i, first->expected);
        }
        cr_expect(eq(sz, record_count(told, "HMD0296"), of->num_entries), "case %zu: %s", i,
                  record_codes(told));
        judge_end(&is);
        /* In a file it is not asked whether it was played. */
        is = judge_spline(starts, of->options, of->history, AS_FILE);
        cr_expect(eq(sz, record_count(&is.run.told, "HMD0295"), 0), "case %zu as a file", i);
        judge_end(&is);
    }
}

static bool is_said(const record *told, const char *code, const char *field, int64_t offset,
                    const char *found)
{
    for (size_t i = 0; i < told->num_findings; i++) {
        const fh_finding *at = &told->findings[i];
        if (strcmp(at->rule->code, code) == 0 && strcmp(at->field, field) == 0) {
            return at->offset == offset && strcmp(at->found, found) == 0;
        }
    }
    return false;
}

/* Addresses of interpolation functions: what they do cannot be told. */
Test(hmd_bounds, table_in_memory)
{
    static const char *const starts[2] = {"spline", "spline"};
    static const char *const none[2] = {"", ""};
    verdict as_file = judge_spline(starts, none, "0 0 0 0 0", AS_FILE);
    const int64_t first = 4 * (int64_t)find_word(&as_file.file, 0x03000003);
    judge_end(&as_file);
    verdict is = judge_spline(starts, none, "0 0 0 0 0", FORGE_HMD_COORDINATES);
    cr_expect(is_said(&is.run.told, "HMD0174", "interpolation table", first, "2 addresses"), "%s",
              record_codes(&is.run.told));
    judge_end(&is);
    as_file = judge(dance, AS_FILE, NULL);
    const int64_t second = 4 * (int64_t)find_word(&as_file.file, 0x03000001);
    judge_end(&as_file);
    is = judge(dance, FORGE_HMD_COORDINATES, NULL);
    cr_expect(is_said(&is.run.told, "HMD0174", "interpolation table", second, "1 address"), "%s",
              record_codes(&is.run.told));
    judge_end(&is);
}
