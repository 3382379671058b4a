/* How long an HMD is replayed, and what is told of it: periods at the end of 64 bits, the frames
 * that are worth their work, states that are told apart, and findings each told once.
 */
#include "hmd_edges.h"

#include "hmd/hmd_period.h"
#include "hmd/hmd_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct stage {
    verdict is;
    hmd_player player;
    fh_arena arena;
    fh_budget work;
    hmd_plan plan;
} stage;

static void stage_open(stage *s, const char *text)
{
    s->is = judge(text, AS_FILE, NULL);
    cr_assert(s->is.run.model != NULL, "%s", record_codes(&s->is.run.told));
    s->arena = fh_arena_make((uint8_t *)block + BENCH_ARENA / 2, BENCH_ARENA / 2);
    s->work = (fh_budget){BENCH_BUDGET};
    cr_assert(hmd_player_open(&s->player, s->is.run.model, NULL, &s->work, &s->arena) == FH_OK);
}

static void stage_plan(stage *s)
{
    cr_assert(hmd_period_plan(&s->player, &s->plan, FH_MAX_REPLAY_FRAMES) == FH_OK);
}

static void stage_close(stage *s)
{
    judge_end(&s->is);
}

/* ---- periods ---- */

/* Sequences of these periods, each of which begins to repeat after one frame. */
static char *rounds_of(const unsigned *periods, size_t num)
{
    static char text[1 << 14];
    char control[1 << 13] = "";
    unsigned at = 0;
    (void)snprintf(text, sizeof text,
                   "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                   "motion: header * !table !control !params !lamp\n"
                   "dance: primitive header=@motion\nrecord 0x03800000\n");
    for (size_t i = 0; i < num; i++) {
        const unsigned start = at;
        unsigned left = periods[i];
        (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                       "sequence section=4 offset=%zu start=%u\n", i, start);
        while (left > 0) {
            const unsigned most = at == start ? left / 2 : left;
            const unsigned tframe = most < 255 ? most : 255;
            (void)snprintf(control + strlen(control), sizeof control - strlen(control),
                           "key type=0 tframe=%u param=%u\n", tframe, (at - start) % 2);
            left -= tframe;
            at++;
        }
        (void)snprintf(control + strlen(control), sizeof control - strlen(control), "jump to=%u\n",
                       start);
        at++;
    }
    (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                   "table: table 0x03010110\ncontrol:\n%sparams: word 0 100\nlamp: zero 48\n",
                   control);
    return text;
}

/* 2^64 - 16 is the product of these, and the last period that fits 64 bits with any of them. */
Test(hmd_plans, a_period_just_below_the_end_of_time)
{
    static const unsigned periods[] = {16, 9, 25, 7, 11, 13, 31, 41, 61, 151, 331, 1321};
    stage s;
    stage_open(&s, rounds_of(periods, sizeof periods / sizeof periods[0]));
    stage_plan(&s);
    cr_expect(s.plan.is_known && s.plan.period == UINT64_MAX - 15);
    cr_expect(eq(u32, s.plan.prelude, 1));
    cr_expect(eq(u64, s.plan.least, 1 + 1321));
    stage_close(&s);
}

/* One frame in front, and 255 times 257: as many frames as there may be. */
Test(hmd_plans, as_many_frames_as_a_replay_has)
{
    static const unsigned periods[] = {255, 257};
    verdict is = judge(rounds_of(periods, 2), AS_FILE, NULL);
    cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_COMPLETE));
    cr_expect(eq(u32, (uint32_t)is.run.result.frames, FH_MAX_REPLAY_FRAMES));
    judge_end(&is);
}

/* ---- what is worth its work ---- */

enum { LEAST_FRAMES = 10, ALL_FRAMES = 37, NUM_TRACKS = 2 };

static run with_work(const forge_buf *file, uint64_t units)
{
    run out;
    do_run(&out, file, units, BENCH_ARENA);
    cr_assert(eq(i32, (int)out.replay_status, FH_OK));
    record_free(&out.told);
    return out;
}

/* Sequences of 4 and 9 frames have shown all they have after 10, and come together again after 37.
 * Those are played where twice the work is left that they take if each takes as much as the dearest
 * one did. */
Test(hmd_plans, frames_that_are_worth_their_work)
{
    static const unsigned periods[] = {4, 9};
    forge_buf file = build(rounds_of(periods, 2));
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    const run whole = with_work(&file, BENCH_BUDGET);
    const uint64_t verifying = whole.spent - whole.spent_on_replay;
    cr_assert(eq(u32, (uint32_t)whole.result.frames, ALL_FRAMES));
    uint64_t low = verifying; /* less than it takes */
    uint64_t high = verifying + 1000000;
    while (low + 1 < high) {
        const uint64_t middle = (low + high) / 2;
        const run got = with_work(&file, middle);
        *(got.result.frames == ALL_FRAMES ? &high : &low) = middle;
    }
    const run short_of = with_work(&file, low);
    cr_assert(eq(i32, (int)short_of.result.state, FH_REPLAY_COMPLETE));
    cr_assert(eq(u32, (uint32_t)short_of.result.frames, LEAST_FRAMES));
    /* At the end a unit is paid for each sequence. */
    const uint64_t left = high - verifying - (short_of.spent_on_replay - NUM_TRACKS);
    const uint64_t more = ALL_FRAMES - LEAST_FRAMES;
    const uint64_t each = (whole.spent_on_replay - short_of.spent_on_replay) / more;
    const uint64_t dearest = left / (2 * more);
    cr_expect(eq(u64, left % (2 * more), 0));
    cr_expect(dearest >= each && dearest < 2 * each, "%u, not about %u", (unsigned)dearest,
              (unsigned)each);
    forge_buf_free(&file);
    free(block);
}

/* What compares all sequences together needs memory for each word; nothing else does. */
Test(hmd_plans, memory_of_what_is_compared_together)
{
    enum { NUM_ZEROS = 5000, PER_WORD = 2 * sizeof(uint32_t) + sizeof(bool) };
    static const char *const places[] = {"section=5 offset=1", "section=2 offset=1"};
    size_t used[2];
    for (size_t i = 0; i < 2; i++) {
        char text[4096];
        (void)snprintf(text, sizeof text,
                       "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit t 0 0 1000\nheaders\n"
                       "motion: header * !table !control !params !coords !lamp\n"
                       "dance: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence coord=0 start=0\nsequence %s start=4\n"
                       "table: table 0x03000001 0x03010121\ncontrol:\n"
                       "key type=0 tframe=0 param=0\nkey type=0 tframe=10 param=3\n"
                       "key type=0 tframe=10 param=0\njump to=1\n"
                       "key type=1 tframe=0 param=6\nkey type=1 tframe=5 param=6\n"
                       "key type=1 tframe=5 param=6\njump to=5\n"
                       "params: word 0 0 1000 100 0 1000\nvalue 0x03010121 v 5\nzero %d\n"
                       "lamp: word 0 0\n",
                       places[i], 4 * NUM_ZEROS);
        verdict is = judge(text, AS_FILE, NULL);
        cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_COMPLETE));
        const char *found = record_find(&is.run.told, "HMD0288")->found;
        cr_assert(eq(i32, strstr(found, "at most") != NULL, i == 1), "%s", found);
        used[i] = is.run.used;
        judge_end(&is);
    }
    cr_expect(used[1] > used[0] + PER_WORD * NUM_ZEROS, "%zu and %zu bytes", used[0], used[1]);
    cr_expect(used[1] < used[0] + 2 * PER_WORD * NUM_ZEROS, "%zu and %zu bytes", used[0], used[1]);
}

/* ---- states ---- */

#define PAIR "key type=0 tframe=10 param=0\nkey type=0 tframe=10 param=1\njump to=0\n"

/* Five words of a sequence pointer are its state; what it moves lies right behind it. It begins as
 * it goes on, but for that word. */
Test(hmd_plans, what_lies_behind_a_sequence_is_no_state)
{
    stage s;
    stage_open(&s, "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                   "motion: header * !table !control !params !lamp\n"
                   "table: table 0x03010110\ncontrol:\n" PAIR "params: word 0 100\n"
                   "dance: primitive header=@motion\nrecord 0x03800000\n"
                   "sequence section=4 offset=0 start=0 ci=1 tframe=160 rframe=144\n"
                   "lamp: word 0x7777\n");
    cr_assert(eq(u32, s.player.image.words[s.player.tracks[0].off + 7], 0x7777));
    stage_plan(&s);
    cr_expect(s.plan.is_known && s.plan.prelude == 0 && s.plan.period == 20);
    stage_close(&s);
}

/* The interpolation table stands right behind the word that is moved. */
Test(hmd_plans, a_word_in_front_of_a_table)
{
    stage s;
    stage_open(&s, "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                   "motion: header * !table !control !params !lamp\n"
                   "dance: primitive header=@motion\nrecord 0x03800000\n"
                   "sequence section=4 offset=0 start=0\nlamp: word 0\n"
                   "table: table 0x03010110\ncontrol:\n" PAIR "params: word 0 100\n");
    stage_plan(&s);
    cr_expect(s.plan.is_known && s.plan.is_entangled == false);
    stage_close(&s);
}

/* A history that shares a word with a key that stands before it is no place for one, whichever of
 * its words it is. */
Test(hmd_plans, a_history_over_the_end_of_a_key)
{
    for (unsigned p2 = 18; p2 < 26; p2++) {
        char text[4096];
        stage s;
        (void)snprintf(text, sizeof text,
                       "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                       "motion: header * !table !control !params !coords\n"
                       "dance: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence coord=0 start=5\ntable: table 0x03000003\ncontrol:\n"
                       "key type=0 tframe=0 param=0\nkey type=0 tframe=0 param=3\n"
                       "key type=0 tframe=2 param=6\nkey type=0 tframe=2 param=20\njump to=2\n"
                       "work p2=%u\njump to=0\n"
                       "params: zero 240\n",
                       p2);
        stage_open(&s, text);
        stage_plan(&s);
        cr_expect(eq(i32, s.plan.is_entangled, p2 < 23), "history at %u", p2);
        stage_close(&s);
    }
}

/* A count of frames makes each of 16384 states one of its own, and they are found apart: a tick
 * costs 16 units and a few, and looking for a state not as many again. */
Test(hmd_plans, states_that_differ_in_a_count)
{
    enum { NUM_STATES = 16384 };
    stage s;
    stage_open(&s, "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                   "motion: header * !table !control !params !lamp\n"
                   "dance: primitive header=@motion\nrecord 0x03800000\n"
                   "sequence section=4 offset=0 start=0\nlamp: word 0\n"
                   "table: table 0x03010110\ncontrol:\n" PAIR "params: word 0 100\n");
    const uint32_t aframe = 4 * s.player.tracks[0].off + HMD_SEQUENCE_AFRAME;
    cr_assert(hmd_image_put16(&s.player.image, aframe, NUM_STATES));
    stage_plan(&s);
    const uint64_t spent = BENCH_BUDGET - s.work.left;
    cr_expect(eq(u32, s.plan.prelude, NUM_STATES));
    cr_expect(spent < 40 * NUM_STATES, "%u units", (unsigned)spent);
    stage_close(&s);
}

/* ---- what is told ---- */

/* Of one sequence: a linear function that wraps, then a cubic one, then a scale. */
Test(hmd_plans, each_kind_of_wrapping_is_told)
{
    verdict is = judge("hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                       "motion: header * !table !control !params !coords\n"
                       "dance: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence coord=0 start=0\n"
                       "table: table 0x03000001 0x03000002 0x03000100\ncontrol:\n"
                       "key type=0 tframe=0 param=(far-params)\n"
                       "key type=0 tframe=4 param=(far-params)\n"
                       "key type=1 tframe=0 param=(curve-params)\n"
                       "key type=1 tframe=4 param=(curve-params)\n"
                       "key type=2 tframe=0 param=(twice-params)\n"
                       "key type=2 tframe=9 param=(twice-params)\nend\n"
                       "params:\nfar: value 0x03000001 t 2000000000 0 0\n"
                       "curve: value 0x03000002 t 0 0 0 90000 0 0 0 0 0\n"
                       "twice: value 0x03000100 s 8192 8192 8192\n",
                       AS_FILE, NULL);
    static const char *const codes[] = {"HMD0283", "HMD0284", "HMD0299"};
    for (size_t i = 0; i < 3; i++) {
        cr_expect(eq(sz, record_count(&is.run.told, codes[i]), 1), "%s in %s", codes[i],
                  record_codes(&is.run.told));
    }
    judge_end(&is);
}

/* To one key from two others: each pair is looked at, also where only the source is another. */
Test(hmd_plans, two_sources_of_one_key)
{
    verdict is = judge("hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                       "motion: header * !table !control !params !coords\n"
                       "dance: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence coord=0 start=0\n"
                       "table: table 0x03000010\ncontrol:\n"
                       "key type=0 tframe=0 param=(still-params)\n"
                       "on: key type=0 tframe=8 param=(still-params)\n"
                       "key type=0 tframe=0 param=(turned-params)\njump to=(on-control)\n"
                       "params:\nstill: value 0x03000010 r 0 0 0\n"
                       "turned: value 0x03000010 r 0 2049 0\n",
                       AS_FILE, NULL);
    cr_assert(eq(sz, record_count(&is.run.told, "HMD0285"), 1), "%s", record_codes(&is.run.told));
    cr_expect(eq(str, (char *)record_find(&is.run.told, "HMD0285")->found, "-2049"));
    judge_end(&is);
}

/* The third entry of the history is the empty one, and has its place. */
Test(hmd_plans, an_empty_entry_of_a_history)
{
    verdict is = judge("hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                       "motion: header * !table !control !params !coords\n"
                       "dance: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence coord=0 start=0 ci=1 rframe=32 tframe=160\n"
                       "table: table 0x03000003\ncontrol:\n"
                       "key type=0 tframe=10 param=0\nkey type=0 tframe=10 param=4\njump to=1\n"
                       "params: word 0x80100004 0x80100008 0 0 1 2 3\n",
                       AS_FILE, NULL);
    cr_assert(eq(sz, record_count(&is.run.told, "HMD0282"), 1), "%s", record_codes(&is.run.told));
    const fh_finding *finding = record_find(&is.run.told, "HMD0282");
    const size_t entry = find_word(&is.file, 0x80100008) + 1;
    cr_expect(eq(i64, finding->offset, 4 * (int64_t)entry));
    cr_expect(strstr(finding->found, "entry 2") != NULL, "%s", finding->found);
    judge_end(&is);
}

/* Where there is no animation, what has no place in it has that of the asset. */
Test(hmd_plans, work_that_ends_without_an_animation)
{
    forge_buf file = build("hmd\nblocks 0 @body 0\ncoords: coordinates\nunit t 1 2 3\nheaders\n"
                           "lit: header !polygons !vertices !normals !coords\n"
                           "body: primitive header=@lit\nrecord 0x00800008 (face-polygons)\n"
                           "polygons:\nface: packet 0x008 rgb 1 0 0 n 0 v 0 0 0\n"
                           "vertices:\nvec 1 0 0\nnormals:\nvec 0 0 -4096\n");
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    const run whole = with_work(&file, BENCH_BUDGET);
    run got;
    do_run(&got, &file, whole.spent - 1, BENCH_ARENA);
    cr_expect(eq(i32, (int)got.result.state, FH_REPLAY_STOPPED));
    cr_assert(eq(sz, record_count(&got.told, "HMD0289"), 1), "%s", record_codes(&got.told));
    cr_expect(eq(i64, record_find(&got.told, "HMD0289")->offset, 0));
    record_free(&got.told);
    forge_buf_free(&file);
    free(block);
}
