/* What is read of the sequences of HMD, what a player makes of it, and when they repeat: preludes
 * and periods by hand, as many states as are remembered, and what all of them together come back
 * to.
 */
#include "forge/hmd.h"
#include "hmd/hmd_animation.h"
#include "hmd/hmd_period.h"

#include "bench.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 65536, MOST_STATES = 16384 };

typedef struct stage {
    bench b;
    forge_buf file;
    hmd_player player;
    hmd_plan plan;
    uint64_t spent;
} stage;

static forge_buf build_motion(const char *sequences, const char *types, const char *control,
                              const char *params)
{
    static char text[16384];
    forge_buf out = {0};
    forge_error err = {.kind = FORGE_OK};
    snprintf(text, sizeof text,
             "hmd\nblocks @dance 0\ncoords: coordinates\nunit t 0 0 1000\nheaders\n"
             "motion: header * !table !control !params !coords\n"
             "dance: primitive header=@motion\nrecord 0x03800000\n%s"
             "table: table %s\ncontrol:\n%sparams:\n%s",
             sequences, types, control, params);
    HOLD(forge_hmd_text(&out, &err, text, strlen(text), 1 << 20), "line %u: %s\n%s", err.line,
         err.text, text);
    return out;
}

static void stage_open(stage *s, const char *sequences, const char *types, const char *control,
                       const char *params)
{
    s->file = build_motion(sequences, types, control, params);
    bench_open(&s->b);
    s->b.format = fh_format_find("hmd");
    bench_verify(&s->b, s->file.data, s->file.len, (fh_verify_options){.stand_alone = true});
    HOLD(s->b.model != NULL, "no model: %s", record_codes(&s->b.verify));
    cr_assert(
        eq(int, hmd_player_open(&s->player, s->b.model, NULL, &s->b.budget, &s->b.arena), FH_OK));
}

static void stage_close(stage *s)
{
    bench_close(&s->b);
    free(s->file.data);
}

static void stage_plan(stage *s, uint64_t units, uint32_t most)
{
    s->b.budget.left = units;
    cr_assert(eq(int, hmd_period_plan(&s->player, &s->plan, most), FH_OK));
    s->spent = units - s->b.budget.left;
}

#define KEYS "word 0 0 1000 100 0 1000\n"

/* Two keys of ten frames, of which each follows the other. */
#define PAIR "key type=0 tframe=10 param=0\nkey type=0 tframe=10 param=3\njump to=0\n"

/* ---- what is read ---- */

Test(hmd_animation, every_field_of_a_sequence)
{
    stage s;
    hmd_sequence q;
    uint32_t left = 2;
    stage_open(
        &s,
        "sequence section=4 offset=0x20304 ii=0x506 aframe=0x708 sid=9 speed=-10 srcii=0xb0c "
        "rframe=-300 tframe=0xd0e ci=0xf10 ti=0x1112 start=0x1314 startsid=0x55 "
        "traveling=0x86\nmanaged 1\n",
        "0x03000001", PAIR, KEYS);
    uint32_t off = s.player.tracks[0].off;
    cr_assert(hmd_animation_next(&s.player.check, &off, &left, &q));
    cr_assert(eq(u32, q.off, s.player.tracks[0].off));
    cr_assert(eq(u32, q.section, 4));
    cr_assert(eq(u32, q.update, 0x20304));
    cr_assert(eq(u32, q.size, 8));
    cr_assert(eq(u32, q.num, 2));
    cr_assert(eq(u32, q.ii, 0x506));
    cr_assert(eq(u32, q.aframe, 0x708));
    cr_assert(eq(u32, q.sid, 9));
    cr_assert(eq(i32, q.speed, -10));
    cr_assert(eq(u32, q.srcii, 0xb0c));
    cr_assert(eq(i32, q.rframe, -300));
    cr_assert(eq(u32, q.tframe, 0xd0e));
    cr_assert(eq(u32, q.ci, 0xf10));
    cr_assert(eq(u32, q.ti, 0x1112));
    cr_assert(eq(u32, q.start, 0x1314));
    cr_assert(eq(u32, q.start_sid, 0x55));
    cr_assert(eq(u32, q.traveling, 0x86));
    cr_assert(eq(u32, off, q.off + 8));
    cr_assert(eq(u32, left, 1));
    stage_close(&s);
}

/* A size of 0 makes a sequence its own next one, and ends the record; one of 1 does not. */
Test(hmd_animation, a_size_of_nothing_ends_a_record)
{
    for (uint32_t size = 0; size < 3; size++) {
        stage s;
        hmd_sequence q;
        uint32_t left = 5;
        stage_open(&s, "sequence coord=0 start=0\n", "0x03000001", PAIR, KEYS);
        uint32_t off = s.player.tracks[0].off;
        s.file.data[4 * off + 4] = (uint8_t)size;
        cr_assert(hmd_animation_next(&s.player.check, &off, &left, &q));
        cr_assert(eq(u32, q.size, size));
        cr_assert(eq(u32, off, q.off + size));
        cr_assert(eq(u32, left, size == 0 ? 0 : 4));
        stage_close(&s);
    }
}

/* Where play can come from a start: over controls that are no end, and over ends that have a
 * condition; not over an end or a jump that have none. */
Test(hmd_animation, what_a_start_reaches)
{
    stage s;
    hmd_animation animation;
    stage_open(&s, "sequence coord=0 start=0\n", "0x03000001",
               "key type=0 tframe=1 param=0\nwork p2=0\nkey type=0 tframe=1 param=0\nend p1=1\n"
               "jump to=7 cnd=1\njump to=8\nkey type=0 tframe=1 param=0\nend\n"
               "key type=0 tframe=1 param=0\nend\nkey type=0 tframe=1 param=0\n",
               KEYS);
    static const uint8_t want[] = {1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0};
    s.player.check.record = s.player.reels[0].record;
    cr_assert(hmd_animation_read(&s.player.check, &animation));
    cr_assert(eq(u32, animation.num_descriptors, sizeof want));
    cr_assert(hmd_animation_reach(&s.player.check, &animation));
    for (size_t i = 0; i < sizeof want; i++) {
        HOLD(animation.reached[i] == want[i], "descriptor %zu: %u", i, animation.reached[i]);
    }
    stage_close(&s);
}

/* A sequence that is being played goes on from both of its keys. Where ci is none, the key is
 * looked for the way that play goes: backward only below a speed of 0. */
Test(hmd_animation, what_is_reached_while_it_plays)
{
    for (int speed = -1; speed <= 1; speed++) {
        stage s;
        hmd_animation animation;
        stage_open(&s, "sequence coord=0 start=6\n", "0x03000001",
                   "end\nend\nwork p2=0\nend\nend\nend\nend\n", KEYS);
        const uint8_t want[7] = {0, speed < 0 ? 1 : 0, 2, speed < 0 ? 0 : 1, 0, 2, 3};
        const hmd_sequence q = {.off = s.player.tracks[0].off,
                                .size = HMD_SEQUENCE_WORDS,
                                .speed = (int8_t)speed,
                                .srcii = HMD_NO_INDEX,
                                .ci = 2,
                                .ti = 5,
                                .start = 6};
        s.player.check.record = s.player.reels[0].record;
        cr_assert(hmd_animation_read(&s.player.check, &animation));
        cr_assert(hmd_animation_reach_playing(&s.player.check, &animation, &q));
        for (size_t i = 0; i < sizeof want; i++) {
            HOLD(animation.reached[i] == want[i], "speed %d, descriptor %zu: %u", speed, i,
                 animation.reached[i]);
        }
        stage_close(&s);
    }
}

/* ---- the player ---- */

Test(hmd_player, has_the_words_of_the_file)
{
    stage s;
    stage_open(&s, "sequence coord=0 start=0\n", "0x03000001", PAIR, KEYS);
    cr_assert(eq(u32, s.player.image.num_words, s.file.len / 4));
    for (uint32_t i = 0; i < s.player.image.num_words; i++) {
        const uint8_t *at = s.file.data + 4 * (size_t)i;
        const uint32_t word =
            at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
        HOLD(s.player.is_sequence[i] || s.player.image.words[i] == word, "word %u", i);
    }
    stage_close(&s);
}

/* An update names one of the header's sections: not its size, which is number 0, and no number. */
Test(hmd_player, sections_of_updates)
{
    stage s;
    stage_open(&s, "sequence coord=0 start=0\n", "0x03000001", PAIR, KEYS);
    const hmd_playback *playback = &s.player.reels[0].playback;
    cr_assert(eq(u32, playback->num_sections, 5));
    cr_assert(eq(u32, playback->sections[0], HMD_NO_SECTION));
    cr_assert(eq(u32, playback->sections[1], playback->types - 1));
    cr_assert(eq(u32, playback->sections[2], playback->control));
    cr_assert(eq(u32, playback->sections[3], playback->parameters));
    cr_assert(eq(u32, playback->sections[4], s.player.world.first_unit - 1));
    stage_close(&s);
}

/* A history has four words, and they lie inside. */
Test(hmd_player, a_history_at_the_end)
{
    for (uint32_t p2 = 55; p2 < 59; p2++) {
        stage s;
        char control[64];
        snprintf(control, sizeof control, "work p2=%u\nkey type=0 tframe=1 param=0\nend\n", p2);
        stage_open(&s, "sequence coord=0 start=0\n", "0x03000003", control,
                   "repeat 60\nword 0\nendrepeat\n");
        const uint32_t parameters = s.player.reels[0].playback.parameters;
        cr_assert(eq(u32, s.player.image.num_words, parameters + 60));
        cr_assert(eq(u32, hmd_player_history(&s.player, 0), p2 <= 56 ? parameters + p2 : HMD_NONE));
        stage_close(&s);
    }
}

/* ---- what is saved, and where is written ---- */

/* The finding of a sequence that plays keys of one type and saves to one of another. */
static const fh_finding *find_saved(stage *s, uint32_t type, uint32_t saved)
{
    char types[64];
    snprintf(types, sizeof types, "0x%08x 0x%08x", type, saved);
    stage_open(s, "sequence coord=0 start=0 srcii=3\n", types,
               "key type=0 tframe=10 param=0\nkey type=0 tframe=10 param=0\njump to=0\n"
               "key type=1 tframe=0 param=30\n",
               "repeat 60\nword 0\nendrepeat\n");
    return record_count(&s->b.verify, "HMD0270") == 0 ? NULL : record_find(&s->b.verify, "HMD0270");
}

/* Only the first point of a curve is saved, and of a rotation three half words, but by the one
 * function that saves the pad, too. */
Test(hmd_motion, what_saving_writes)
{
    enum { BYTE_KEY = 0x03010112, WORD_KEY = 0x03010110 }; /* of four bytes both */
    static const struct {
        uint32_t type, len; /* 0: the key has room */
    } rows[] = {
        {0x03000001, 12}, {0x03000002, 12}, {0x03000009, 6},  {0x0300000a, 6}, {0x03000010, 8},
        {0x03000020, 6},  {0x03000021, 18}, {0x03000029, 12}, {0x03000910, 8}, {0x03000111, 24},
        {0x03000100, 6},  {0x03000909, 8},  {0x03010110, 0},  {0x03010111, 0}, {0x03010112, 0},
        {0x03010121, 0},  {0x03010122, 0},  {0x03010142, 0},  {0x03010182, 0}, {0x03010172, 0},
        {0x03010222, 0},  {0x03010242, 0},  {0x03010210, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint32_t saved = WORD_KEY; saved <= BYTE_KEY; saved += BYTE_KEY - WORD_KEY) {
            stage s;
            char want[32];
            const fh_finding *finding = find_saved(&s, rows[i].type, saved);
            HOLD((finding != NULL) == (rows[i].len > 0), "%08x: told %d", rows[i].type,
                 finding != NULL);
            snprintf(want, sizeof want, "at least %u bytes", rows[i].len);
            HOLD(finding == NULL || strcmp(finding->expected, want) == 0, "%08x: %s", rows[i].type,
                 finding == NULL ? "" : finding->expected);
            stage_close(&s);
        }
    }
}

/* Two sequences that write cells of the same word. */
static bool are_shared(uint32_t first, uint32_t second)
{
    stage s;
    char types[64];
    snprintf(types, sizeof types, "0x%08x 0x%08x", first, second);
    stage_open(&s, "sequence section=3 offset=50 start=0\nsequence section=3 offset=50 start=3\n",
               types,
               "key type=0 tframe=10 param=0\nkey type=0 tframe=10 param=0\njump to=0\n"
               "key type=1 tframe=10 param=0\nkey type=1 tframe=10 param=0\njump to=3\n",
               "repeat 60\nword 0\nendrepeat\n");
    const bool is_told = record_count(&s.b.verify, "HMD0228") > 0;
    stage_close(&s);
    return is_told;
}

Test(hmd_motion, cells_of_a_word)
{
    static const struct {
        uint32_t type;
        unsigned bytes;
    } types[] = {{0x03010112, 1},   {0x03010122, 2},    {0x03010142, 4},
                 {0x03010182, 8},   {0x03010172, 7},    {0x03010111, 3},
                 {0x03010121, 0xc}, {0x03010141, 0x30}, {0x03010110, 0xf}};
    for (size_t i = 0; i < 9; i++) {
        for (size_t k = 0; k < 9; k++) {
            HOLD(are_shared(types[i].type, types[k].type) ==
                     ((types[i].bytes & types[k].bytes) != 0),
                 "%08x and %08x", types[i].type, types[k].type);
        }
    }
}

/* ---- rows ---- */

/* What play clears of a coordinate is its flag, which is no word of its own; a sequence shows all
 * of its fields. */
Test(hmd_poses, a_flag_is_no_word)
{
    stage s;
    stage_open(&s, "sequence coord=0 start=0 ci=1 tframe=160 rframe=48 traveling=0x85\n",
               "0x03000001", PAIR, KEYS);
    const uint32_t unit = s.player.world.first_unit;
    s.file.data[4 * unit] = 1;
    bench_verify(&s.b, s.file.data, s.file.len, (fh_verify_options){.stand_alone = true});
    bench_replay(&s.b, &(fh_replay_options){.world = true});
    cr_assert(eq(int, s.b.result.state, FH_REPLAY_COMPLETE));
    cr_assert(not(record_has_row(&s.b.replay, "word", unit, 0)));
    cr_assert(eq(i64, record_value(&s.b.replay, "sequence", 0, 0, "traveling"), 0x85));
    cr_assert(eq(i64, record_value(&s.b.replay, "sequence", 0, 9, "traveling"), 0));
    cr_assert(eq(i64, record_value(&s.b.replay, "coordinate", 0, 0, "t0"), 30));
    stage_close(&s);
}

/* ---- when sequences repeat ---- */

/* The plan of sequences of linear functions. */
static void plan_linear(stage *s, const char *sequences, const char *control, uint32_t most)
{
    stage_open(s, sequences, "0x03000001", control, KEYS);
    stage_plan(s, BENCH_BUDGET, most);
    stage_close(s);
}

static const struct turn {
    const char *sequence, *control;
    uint32_t prelude, period;
} turns[] = {
    /* From the start, which no later state is like. */
    {"start=0", PAIR, 1, 20},
    /* From within the segment from key 1 to key 0, at one of its ten frames, near and at its end.
     */
    {"start=0 ci=1 tframe=160 rframe=144", PAIR, 0, 20},
    {"start=0 ci=1 tframe=160 rframe=48", PAIR, 0, 20},
    {"start=0 ci=1 tframe=160 rframe=16", PAIR, 0, 20},
    /* Six frames longer than the segment is ever after. */
    {"start=0 ci=1 tframe=160 rframe=240", PAIR, 6, 20},
    /* Its first segment is entered with 48 on the clock. */
    {"start=0 rframe=48", PAIR, 1, 20},
    /* The end of the segment is shared, but not what is left of the time in front of it. */
    {"start=0 speed=15 ci=1 tframe=160 rframe=5", PAIR, 1, 22},
    {"start=0 speed=15 ci=1 tframe=160 rframe=10", PAIR, 0, 22},
    /* Each frame is the end of a segment. */
    {"start=0 speed=17", "key type=0 tframe=1 param=0\nkey type=0 tframe=1 param=3\njump to=0\n", 1,
     2},
    /* A key without a time that follows itself: the clock is turned round in each frame, forward.
     */
    {"start=0 rframe=5", "key type=0 tframe=0 param=0\njump to=0\n", 0, 2},
    {"start=0 speed=-17 rframe=5", "key type=0 tframe=0 param=0\njump to=0\n", 0, 1},
    /* One frame, and nothing more. */
    {"start=0", "key type=0 tframe=0 param=0\nkey type=0 tframe=1 param=3\nend\n", 2, 1},
};

static void hold_plan(const stage *s, const char *what, uint32_t prelude, uint64_t period)
{
    const hmd_plan *plan = &s->plan;
    HOLD(plan->is_known && !plan->is_entangled, "%s: known %d, entangled %d", what, plan->is_known,
         plan->is_entangled);
    HOLD(plan->prelude == prelude && plan->period == period,
         "%s: prelude %u, not %u; period %u, not %u", what, plan->prelude, prelude,
         (unsigned)plan->period, (unsigned)period);
    HOLD(plan->frames == prelude + period, "%s: %u frames", what, (unsigned)plan->frames);
}

Test(hmd_period, by_hand)
{
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        stage s;
        char sequence[128];
        snprintf(sequence, sizeof sequence, "sequence coord=0 %s\n", turns[i].sequence);
        plan_linear(&s, sequence, turns[i].control, MOST);
        hold_plan(&s, turns[i].sequence, turns[i].prelude, turns[i].period);
        cr_assert(eq(u64, s.plan.least, s.plan.frames));
    }
}

/* What was remembered of one sequence is nothing to the next. */
Test(hmd_period, one_after_the_other)
{
    stage s;
    plan_linear(&s,
                "sequence coord=0 start=0 ci=1 tframe=160 rframe=48\n"
                "sequence coord=0 start=0 ci=1 tframe=160 rframe=48\n",
                PAIR, MOST);
    hold_plan(&s, "twice the same", 0, 20);
    plan_linear(&s,
                "sequence coord=0 start=0 ci=1 tframe=160 rframe=240\n"
                "sequence coord=0 start=0 speed=15\n",
                PAIR, MOST);
    hold_plan(&s, "two", 6, 220);
    cr_assert(eq(u64, s.plan.least, 26));
}

/* The state of frame 10 is there again in frame 30. */
Test(hmd_period, as_many_frames_as_are_allowed)
{
    stage s;
    plan_linear(&s, "sequence coord=0 start=0\n", PAIR, 31);
    hold_plan(&s, "31 frames", 1, 20);
    plan_linear(&s, "sequence coord=0 start=0\n", PAIR, 30);
    cr_assert(not(s.plan.is_known));
    cr_assert(not(s.plan.is_entangled));
}

/* It breaks in the frame that looks for a key behind the last one, and changes its fields. */
Test(hmd_period, a_run_off_the_end)
{
    stage s;
    plan_linear(&s, "sequence coord=0 start=0 speed=15\n",
                "key type=0 tframe=10 param=0\nkey type=0 tframe=10 param=3\n", MOST);
    hold_plan(&s, "off the end", 11, 1);
    cr_assert(eq(u64, s.plan.least, 12));
}

/* Between switches nothing is remembered: segments of 4080 frames, five of which are more than
 * there are places. Backward the clock ends in a mark. */
Test(hmd_period, the_time_that_runs_on_is_not_remembered)
{
    stage s;
    plan_linear(&s, "sequence coord=0 start=0 speed=1\n",
                "repeat 5\nkey type=0 tframe=255 param=0\nendrepeat\njump to=0\n", MOST);
    hold_plan(&s, "forward", 1, 5 * 4080);
    plan_linear(&s, "sequence coord=0 start=1 ci=1 speed=-1\n",
                "jump to=5\nrepeat 5\nkey type=0 tframe=255 param=0\nendrepeat\n", MOST);
    hold_plan(&s, "backward", 1, 5 * 4080);
}

/* 9000 segments of two frames: at the first the clock is at 1, or 15; the second is past the end.
 * So there is one state of each to remember, and it is found at once. */
Test(hmd_period, the_frame_that_ends_a_segment_is_not_remembered_twice)
{
    stage s;
    plan_linear(&s, "sequence coord=0 start=0 speed=15\n",
                "repeat 9000\nkey type=0 tframe=1 param=0\nendrepeat\njump to=0\n", MOST);
    hold_plan(&s, "forward", 1, 18000);
    cr_assert(lt(u64, s.spent, 2000000));
    plan_linear(&s, "sequence coord=0 start=1 ci=1 speed=-15\n",
                "jump to=9000\nrepeat 9000\nkey type=0 tframe=1 param=0\nendrepeat\n", MOST);
    hold_plan(&s, "backward", 1, 18000);
}

/* A count of frames makes each of them a state of its own. */
Test(hmd_period, as_many_states_as_are_remembered)
{
    for (uint32_t more = 0; more < 2; more++) {
        stage s;
        stage_open(&s, "sequence coord=0 start=0\n", "0x03000001", PAIR, KEYS);
        cr_assert(hmd_image_put16(&s.player.image, 4 * s.player.tracks[0].off + HMD_SEQUENCE_AFRAME,
                                  MOST_STATES + more));
        stage_plan(&s, BENCH_BUDGET, MOST);
        if (more == 0) {
            hold_plan(&s, "16384 states", MOST_STATES, 1);
        }
        cr_assert(eq(int, s.plan.is_known, more == 0));
        stage_close(&s);
    }
}

/* The other half is for the frames that are shown. */
Test(hmd_period, half_of_the_budget)
{
    stage s;
    stage_open(&s, "sequence coord=0 start=0\n", "0x03000001", PAIR, KEYS);
    stage_plan(&s, BENCH_BUDGET, MOST);
    const uint64_t whole = 2 * s.spent;
    for (uint64_t less = 0; less < 2; less++) {
        cr_assert(eq(int, hmd_player_rewind(&s.player), FH_OK));
        stage_plan(&s, whole - less, MOST);
        cr_assert(eq(int, s.plan.is_known, less == 0));
        cr_assert(eq(u64, s.spent, whole / 2 - less));
        s.b.budget.left = BENCH_BUDGET;
    }
    stage_close(&s);
}

/* ---- histories ---- */

/* The plan of two splines with their histories at these words of the parameters. */
static hmd_plan plan_splines(uint32_t first, uint32_t second)
{
    static const char *const keys = "key type=0 tframe=0 param=0\nkey type=0 tframe=0 param=3\n"
                                    "key type=0 tframe=2 param=6\nkey type=0 tframe=2 param=20\n";
    char control[512];
    stage s;
    snprintf(control, sizeof control, "work p2=%u\n%sjump to=3\nwork p2=%u\n%sjump to=9\n", first,
             keys, second, keys);
    stage_open(&s, "sequence coord=0 start=0\nsequence coord=0 start=6\n", "0x03000003", control,
               "repeat 60\nword 0\nendrepeat\n");
    stage_plan(&s, BENCH_BUDGET, MOST);
    stage_close(&s);
    return s.plan;
}

Test(hmd_period, a_history_is_one_sequences_own)
{
    for (uint32_t first = 26; first <= 38; first++) {
        const hmd_plan plan = plan_splines(first, 32);
        const bool is_shared = first > 28 && first < 36;
        HOLD(plan.is_entangled == is_shared && plan.is_known == !is_shared,
             "histories at 32 and %u: entangled %d", first, plan.is_entangled);
    }
}

/* ---- all together ---- */

enum { NUM_WORDS = 8 };

/* A player that has nothing but words: 0 to 3 are of keys, the others of nothing that decides. */
typedef struct few {
    hmd_player player;
    hmd_recurrence recurrence;
    fh_arena arena;
    fh_budget budget;
    max_align_t block[64];
    uint32_t words[NUM_WORDS], listed[NUM_WORDS], before[NUM_WORDS];
    uint8_t owner[NUM_WORDS];
    bool is_listed[NUM_WORDS], is_history[NUM_WORDS], is_sequence[NUM_WORDS];
    uint32_t frames;
} few;

static void few_open(few *f)
{
    *f = (few){.budget = {1000}};
    f->arena = fh_arena_make(f->block, sizeof f->block);
    for (uint32_t i = 0; i < 4; i++) {
        f->owner[i] = HMD_OWNER_KEY;
    }
    f->player.image.words = f->words;
    f->player.image.num_words = NUM_WORDS;
    f->player.animated = (hmd_journal){f->listed, f->before, f->is_listed, 0};
    f->player.is_history = f->is_history;
    f->player.is_sequence = f->is_sequence;
    f->player.model.owner = f->owner;
    f->player.check.budget = &f->budget;
    f->player.check.arena = &f->arena;
    cr_assert(eq(int, hmd_recurrence_open(&f->recurrence, &f->player), FH_OK));
}

static void few_put(few *f, uint32_t word, uint32_t value)
{
    f->player.image.journal = &f->player.animated;
    cr_assert(hmd_image_put32(&f->player.image, 4 * word, value));
}

static bool few_end_frame(few *f)
{
    const bool is_seen = hmd_recurrence_seen(&f->recurrence, &f->player, ++f->frames);
    hmd_journal_clear(&f->player.animated);
    return is_seen;
}

/* The moment that is remembered is the one after 0, 1, 3, 7 frames. */
Test(hmd_recurrence, the_first_word_alone)
{
    static const uint32_t values[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 3, 7};
    few f;
    few_open(&f);
    for (uint32_t i = 0; i < 11; i++) {
        static const uint32_t moments[] = {1, 1, 3, 3, 3, 3, 7, 7, 7, 7, 7};
        few_put(&f, 0, values[i]);
        cr_assert(eq(int, few_end_frame(&f), i == 10), "frame %u", i);
        cr_assert(eq(u32, f.recurrence.frame, moments[i]), "frame %u", i);
    }
    cr_assert(eq(u32, f.recurrence.num, 1));
}

Test(hmd_recurrence, as_at_the_start)
{
    few f;
    few_open(&f);
    few_put(&f, 1, 5);
    few_put(&f, 1, 0);
    cr_assert(few_end_frame(&f), "what was written is what was there");
    cr_assert(eq(u32, f.recurrence.frame, 0));
    few_put(&f, 7, 5);
    cr_assert(few_end_frame(&f), "it decides about nothing");
    cr_assert(eq(u32, f.recurrence.num, 1));
}

/* What becomes a history is one from then on, and its word counts once it is written to again. */
Test(hmd_recurrence, a_word_that_was_none_before)
{
    few f;
    few_open(&f);
    few_put(&f, 0, 1);
    few_put(&f, 6, 9);
    cr_assert(not(few_end_frame(&f)));
    cr_assert(eq(u32, f.recurrence.num, 1));
    f.is_history[6] = true;
    few_put(&f, 0, 2);
    cr_assert(not(few_end_frame(&f)));
    cr_assert(eq(u32, f.recurrence.num, 1));
    few_put(&f, 0, 1);
    few_put(&f, 6, 8);
    cr_assert(not(few_end_frame(&f)));
    cr_assert(eq(u32, f.recurrence.num, 2));
    few_put(&f, 3, 1);
    cr_assert(not(few_end_frame(&f)));
    cr_assert(eq(u32, f.recurrence.words[2], 3));
}
