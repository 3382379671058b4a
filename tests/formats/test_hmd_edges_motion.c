/* The animation of HMD at its edges: the last descriptors that there can be, the keys between which
 * play is, and what sequence pointers may say.
 */
#include "hmd_edges.h"

#include "hmd/hmd.h"
#include "hmd/hmd_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the last descriptor ---- */

enum { ALL = 0x10000 };

/* A jump to the highest index, in a control section of so many descriptors. What is asked for where
 * more bytes may come; `len` is that of the file. */
static fh_probe probe_jump(size_t *len, unsigned num, const char *behind)
{
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                   "motion: header * !table !control !params !params\n"
                   "dance: primitive header=@motion\nrecord 0x03800000\n"
                   "sequence section=4 offset=0 start=0\n"
                   "table: table 0x03010110\n%scontrol:\n"
                   "key type=0 tframe=4 param=0\njump to=65535\n"
                   "repeat %u\nkey type=0 tframe=4 param=1\nendrepeat\n%s",
                   behind[0] == '\0' ? "params: word 5 6\n" : "", num - 2, behind);
    forge_buf file = build(text);
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    fh_arena arena = fh_arena_make(block, BENCH_ARENA);
    fh_budget work = {BENCH_BUDGET};
    fh_probe out;
    fh_hmd_format.probe(&out, fh_cursor_make(file.data, file.len, 0), FH_END_NONE, NULL, &arena,
                        &work);
    *len = file.len;
    forge_buf_free(&file);
    free(block);
    return out;
}

/* Where the control section ends with the bytes, as many are waited for as it takes to have that
 * descriptor, and no more: with all of them it is asked only whether padding follows. */
Test(hmd_edges_motion, descriptors_are_waited_for_up_to_the_last)
{
    static const unsigned nums[] = {4, ALL - 1, ALL, ALL + 1};
    for (size_t i = 0; i < sizeof nums / sizeof nums[0]; i++) {
        size_t len = 0;
        const fh_probe got = probe_jump(&len, nums[i], "");
        const size_t all = len - 4 * (size_t)nums[i] + 4 * (size_t)ALL;
        cr_expect(eq(i32, (int)got.verdict, nums[i] <= ALL ? FH_MORE : FH_ACCEPT));
        cr_expect(eq(sz, got.length, nums[i] == ALL ? all + 1 : all), "%u descriptors", nums[i]);
    }
}

/* Where something follows the control section there are no others. */
Test(hmd_edges_motion, descriptors_end_where_parameters_begin)
{
    size_t len = 0;
    const fh_probe got = probe_jump(&len, 4, "params: word 5\n");
    cr_expect(eq(i32, (int)got.verdict, FH_MORE));
    cr_expect(eq(sz, got.length, len + 1));
}

/* ---- histories ---- */

static const uint32_t entry_mark = 0x12345678;
static const uint32_t lone_mark = 0x00abcdef;

/* The first entry of the history becomes the address of the key that no start leads to. */
static void remember_lone_key(forge_buf *file)
{
    put(file, find_word(file, entry_mark), BASE + 4 * (uint32_t)find_word(file, lone_mark));
}

static size_t foreign_entries(unsigned ci, unsigned ti)
{
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "hmd\nblocks @moves 0 0\ncoords: coordinates\nunit\nheaders\n"
                   "motion: header * !table !control !params !coords\n"
                   "moves: primitive header=@motion\nrecord 0x03800000\n"
                   "sequence coord=0 start=0 ii=0xffff aframe=0xffff ci=%u ti=%u\n"
                   "table: table 0x03000003\ncontrol:\nwork p2=(history-params)\n"
                   "key type=0 tframe=0 param=(one-params)\n"
                   "key type=0 tframe=8 param=(one-params)\nend\n"
                   "key type=0 tframe=8 param=(lone-params)\n"
                   "params:\none: value 0x03000003 t 0 0 0\nlone: value 0x03000003 t 0xabcdef 0 0\n"
                   "history: word 0x12345678 0 0 0\n",
                   ci, ti);
    verdict is = judge(text, FORGE_HMD_MAPPED, remember_lone_key);
    const hmd_model *model = is.run.model;
    cr_assert(model != NULL, "%s", record_codes(&is.run.told));
    cr_expect(eq(i32, (int)model->stage, HMD_STAGE_PLAYING));
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0295"), 1), "%s", record_codes(&is.run.told));
    const size_t num = record_count(&is.run.told, "HMD0296");
    judge_end(&is);
    return num;
}

/* A program may have sent a sequence to keys that no start leads to: those between which it is are
 * its own. Descriptor 4 is the last; behind it there are none, and 0xffff is what an END leaves. */
Test(hmd_edges_motion, a_history_holds_the_keys_between_which_play_is)
{
    static const struct {
        unsigned ci, ti;
        size_t num_foreign;
    } cases[] = {{1, 2, 1}, {4, 2, 0}, {5, 2, 1},      {0xffff, 2, 1}, {1, 4, 0},
                 {1, 5, 1}, {5, 4, 0}, {1, 0xffff, 1}, {4, 0xffff, 0}, {0xffff, 0xffff, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect(eq(sz, foreign_entries(cases[i].ci, cases[i].ti), cases[i].num_foreign),
                  "between %u and %u", cases[i].ci, cases[i].ti);
    }
}

/* ---- work areas ---- */

/* Two sequences of which the second has its history so many words behind the first's. */
static size_t num_shared_areas(unsigned words)
{
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "hmd\nblocks @moves 0 0\ncoords: coordinates\nunit\nunit parent=0\nheaders\n"
                   "motion: header * !table !control !params !coords\n"
                   "moves: primitive header=@motion\nrecord 0x03800000\n"
                   "sequence coord=0 start=(left-control)\nsequence coord=1 start=(right-control)\n"
                   "table: table 0x03000003\ncontrol:\n"
                   "left: work p2=(history-params)\n"
                   "key type=0 tframe=0 param=(one-params)\n"
                   "key type=0 tframe=8 param=(one-params)\nend\n"
                   "right: work p2=(history+%u-params)\n"
                   "key type=0 tframe=0 param=(one-params)\n"
                   "key type=0 tframe=8 param=(one-params)\nend\n"
                   "params:\none: value 0x03000003 t 0 0 0\nhistory: zero 36\n",
                   words);
    verdict is = judge(text, AS_FILE, NULL);
    cr_assert(is.run.model != NULL, "%s", record_codes(&is.run.told));
    const size_t num = record_count(&is.run.told, "HMD0262");
    judge_end(&is);
    return num;
}

/* A history has four words: the next one may begin behind them. */
Test(hmd_edges_motion, work_areas_lie_side_by_side)
{
    cr_expect(eq(sz, num_shared_areas(3), 1));
    cr_expect(eq(sz, num_shared_areas(4), 0));
    cr_expect(eq(sz, num_shared_areas(5), 0));
}

/* A work area of which two words lie in the file, whatever the length of what is noted of the words
 * up to its end; and one that nobody needs. What is noted of the first is nothing of the second. */
Test(hmd_edges_motion, a_work_area_that_hangs_over_the_end)
{
    for (unsigned more = 0; more < 8; more++) {
        char text[2048];
        (void)snprintf(text, sizeof text,
                       "hmd\nblocks @moves 0 0\ncoords: coordinates\nunit\nunit parent=0\nheaders\n"
                       "motion: header * !table !control !params !coords\n"
                       "moves: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence coord=0 start=(spline-control)\nsequence coord=1 start=0\n"
                       "table: table 0x03000003 0x03000001\ncontrol:\n"
                       "work p2=0\nkey type=1 tframe=0 param=(one-params)\n"
                       "key type=1 tframe=8 param=(one-params)\nend\n"
                       "spline: work p2=(history-params)\n"
                       "key type=0 tframe=0 param=(one-params)\n"
                       "key type=0 tframe=8 param=(one-params)\nend\n"
                       "params: zero %u\none: value 0x03000003 t 0 0 0\nhistory: zero 8\n",
                       4 * more);
        verdict is = judge(text, AS_FILE, NULL);
        cr_assert(is.run.model != NULL, "%s", record_codes(&is.run.told));
        cr_assert(eq(sz, record_count(&is.run.told, "HMD0266"), 1), "%u: %s", more,
                  record_codes(&is.run.told));
        cr_expect(eq(i64, record_find(&is.run.told, "HMD0266")->offset,
                     (int64_t)(is.file.len - 4 * (more + 13))));
        judge_end(&is);
    }
}

/* ---- sequence pointers ---- */

/* Two values of rframe say that a segment was played to its end, and in which direction: they are
 * no time that is longer than the segment. With the backward one play looks on before the first
 * descriptor. */
Test(hmd_edges_motion, marks_of_a_played_segment_are_no_time)
{
    static const edit edits[] = {
        {NULL, "coord=0 start", "coord=0 rframe=0x6fff start", 0, "HMD0233", "28671"},
        {NULL, "coord=0 start", "coord=0 rframe=0x7000 start", 0, "-HMD0233", NULL},
        {NULL, "coord=0 start", "coord=0 rframe=0x7000 start", 0, "-HMD0280", NULL},
        {NULL, "coord=0 start", "coord=0 rframe=0x7001 start", 0, "HMD0233", "28673"},
        {NULL, "coord=0 start", "coord=0 rframe=0x5fff start", 0, "HMD0233", "24575"},
        {NULL, "coord=0 start", "coord=0 rframe=0x6000 start", 0, "-HMD0233", NULL},
        {NULL, "coord=0 start", "coord=0 rframe=0x6000 start", 0, "HMD0280", "65535"},
        {NULL, "coord=0 start", "coord=0 rframe=0x6001 start", 0, "HMD0233", "24577"},
    };
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        hold_edit(&edits[i]);
    }
    free(block);
}

/* A general type that writes to the primitive headers: their number stands at word 28, and one of 6
 * words and one of 4 follow, of which the first begins with a plain number. */
Test(hmd_edges_motion, a_sequence_over_primitive_headers)
{
    static const struct {
        unsigned offset;
        const char *found;
    } places[] = {{0, "the number of primitive headers at word 28"},
                  {1, "the size of a primitive header at word 29"},
                  {2, NULL},
                  {3, "a pointer of a primitive header at word 31"},
                  {7, "a pointer of a primitive header at word 35"},
                  {8, "the size of a primitive header at word 36"},
                  {9, "a pointer of a primitive header at word 37"},
                  {12, "a pointer of a primitive header at word 40"},
                  {13, "a primitive or its records at word 41"}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char text[2048];
        (void)snprintf(text, sizeof text,
                       "hmd\nblocks @dance @body 0\ncoords: coordinates\nunit\n"
                       "heads: headers\n"
                       "motion: header * !table !control !params !coords !heads\n"
                       "lit: header !polygons !vertices !normals !coords\n"
                       "dance: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence section=5 offset=%u start=0\n"
                       "body: primitive header=@lit\nrecord 0x00800008 (face-polygons)\n"
                       "table: table 0x03010110\ncontrol:\n"
                       "key type=0 tframe=0 param=0\nkey type=0 tframe=4 param=1\njump to=0\n"
                       "params: word 5 6\n"
                       "polygons:\nface: packet 0x008 rgb 255 0 0 n 0 v 0 1 2\n"
                       "vertices:\nvec -100 0 0\nvec 100 0 0\nvec 0 -100 0\n"
                       "normals:\nvec 0 0 -4096\n",
                       places[i].offset);
        verdict is = judge(text, AS_FILE, NULL);
        cr_assert(is.run.model != NULL, "%s", record_codes(&is.run.told));
        const size_t num = record_count(&is.run.told, "HMD0227");
        cr_assert(eq(sz, num, places[i].found != NULL ? 1 : 0), "offset %u", places[i].offset);
        if (num > 0) {
            const fh_finding *finding = record_find(&is.run.told, "HMD0227");
            cr_expect(eq(str, (char *)finding->found, (char *)places[i].found));
        }
        judge_end(&is);
    }
}
