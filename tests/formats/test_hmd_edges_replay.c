/* HMD that is played, at its edges: the longest periods, chains that run more than once, circles.
 */
#include "hmd_edges.h"

#include "hmd/hmd.h"
#include "hmd/hmd_model.h"
#include "hmd/hmd_period.h"
#include "hmd/hmd_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *found_of(const run *of, const char *code)
{
    cr_assert(record_count(&of->told, code) == 1, "%s: codes are %s", code,
              record_codes(&of->told));
    return record_find(&of->told, code)->found;
}

/* Ten sequences whose periods are primes: together they come round after more than 2^64 frames,
 * and each of them has shown all it has after its own period. */
Test(hmd_edges_replay, periods_that_only_meet_at_the_end_of_time)
{
    static const unsigned primes[] = {199, 211, 223, 227, 229, 233, 239, 241, 251, 197};
    char text[8192] = "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                      "motion: header * !table !control !params !lamp\n"
                      "dance: primitive header=@motion\nrecord 0x03800000\n";
    for (unsigned i = 0; i < 10; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                       "sequence section=4 offset=%u start=(s%u-control)\n", i, i);
    }
    (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                   "table: table 0x03010110\ncontrol:\n");
    for (unsigned i = 0; i < 10; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                       "s%u: key type=0 tframe=%u param=0\nkey type=0 tframe=%u param=1\n"
                       "jump to=(s%u-control)\n",
                       i, primes[i] / 2, primes[i] - primes[i] / 2, i);
    }
    (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                   "params: word 0 100\nlamp: zero 40\n");
    verdict is = judge(text, AS_FILE, NULL);
    cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_COMPLETE));
    cr_expect(strncmp(found_of(&is.run, "HMD0288"), "at least 18446744073709551615 frames", 36) ==
                  0,
              "%s", found_of(&is.run, "HMD0288"));
    char played[32];
    (void)snprintf(played, sizeof played, "; %u are played", (unsigned)is.run.result.frames);
    cr_expect(strstr(found_of(&is.run, "HMD0288"), played) != NULL, "%s",
              found_of(&is.run, "HMD0288"));
    cr_expect(is.run.result.frames >= 251 && is.run.result.frames < 2 * 251, "%u frames",
              (unsigned)is.run.result.frames);
    judge_end(&is);
}

/* A chain that two blocks enter runs twice in a frame: the same motion takes half the frames. */
Test(hmd_edges_replay, a_chain_that_runs_twice_in_a_frame)
{
    uint32_t frames[2];
    for (unsigned i = 0; i < 2; i++) {
        const edit once = {NULL, "blocks @dance @body 0", "blocks @dance @body 0", 0, 0, 0};
        const edit twice = {NULL, "blocks @dance @body 0", "blocks @dance @body @dance", 0, 0, 0};
        verdict is = judge(edited(i == 0 ? &once : &twice), AS_FILE, NULL);
        cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_COMPLETE), "%s",
                  record_codes(&is.run.told));
        frames[i] = (uint32_t)is.run.result.frames;
        judge_end(&is);
    }
    cr_expect(frames[0] >= 60 && frames[1] >= 30 && frames[1] < frames[0], "%u and %u frames",
              frames[0], frames[1]);
}

/* Two animations, each with a primitive of its own: each plays its own sequences. */
Test(hmd_edges_replay, two_animations)
{
    const edit two = {NULL,
                      "dance: primitive header=@motion\n",
                      "dance: primitive header=@motion next=@more\n",
                      "more: primitive header=@motion\nrecord 0x03800000\n"
                      "sequence section=5 offset=0 start=(glow-control)\n",
                      0,
                      0};
    char *text = edited(&two);
    static char all[1 << 16];
    const char *at = strstr(text, "params:");
    (void)snprintf(all, sizeof all,
                   "%.*sglow: key type=1 tframe=0 param=0\n"
                   "key type=1 tframe=4 param=1\njump to=(glow-control)\n%s",
                   (int)(at - text), text, at);
    char *table = strstr(all, "table 0x03000001");
    static char done[1 << 16];
    (void)snprintf(done, sizeof done, "%.*stable 0x03000001 0x03010110%s", (int)(table - all), all,
                   table + strlen("table 0x03000001"));
    verdict is = judge(done, AS_FILE, NULL);
    cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_COMPLETE), "%s",
              record_codes(&is.run.told));
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0298"), 0), "%s", record_codes(&is.run.told));
    judge_end(&is);
}

/* Zeros behind the last word in use belong to a file, and to nothing else. */
Test(hmd_edges_replay, padding_belongs_to_files)
{
    forge_buf file = build(dance);
    block = malloc(BENCH_ARENA);
    cr_assert(block != NULL);
    for (unsigned i = 0; i < 2; i++) {
        fh_arena arena = fh_arena_make(block, BENCH_ARENA);
        fh_budget work = {BENCH_BUDGET};
        record told = {0};
        const fh_sink sink = record_sink(&told);
        const fh_env env = {.arena = &arena, .budget = &work, .sink = &sink};
        const fh_verify_options options = {.aligned = true, .ends_file = i == 1};
        fh_asset asset;
        const void *model = NULL;
        cr_assert(fh_hmd_format.verify(&asset, &model, &env, fh_cursor_make(file.data, file.len, 0),
                                       &options) == FH_OK);
        cr_expect(eq(sz, asset.length, i == 1 ? file.len : file.len - 12));
        record_free(&told);
    }
    forge_buf_free(&file);
    free(block);
}

/* Vertices are changed and put back in a model without coordinates; nobody need watch. */
Test(hmd_edges_replay, morphing_without_coordinates)
{
    verdict is = judge("hmd\nblocks @swell @back\ncoords: coordinates\nheaders\n"
                       "v: header !weights 1 3:0 !shapes !originals !points !normals\n"
                       "r: header 3:0 !shapes !originals !points !normals\n"
                       "swell: primitive header=@v\nrecord 0x04010020 (bulge-shapes)\n"
                       "back: primitive header=@r\nrecord 0x04010028 (sback-shapes)\n"
                       "weights: word 4096\n"
                       "shapes:\nbulge: shape\ndiff 0 (b0-bulge)\nnotify (f+2-shapes)\n"
                       "b0: deltas 0\nvec 0 -20 0\nsback: resets\nf: original 0 0 1\n"
                       "originals: zero 8\npoints: vec 1 2 3\nnormals: vec 0 0 -4096\n",
                       AS_FILE, NULL);
    const hmd_model *model = is.run.model;
    cr_assert(model != NULL, "%s", record_codes(&is.run.told));
    cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_STILL));
    const int64_t point = (int64_t)(find_word(&is.file, 0x00020001));
    /* x 1 and y 2 - 20 in one word. */
    const int64_t value = record_value(&is.run.told, "morphed_word", point, 0, "value");
    cr_expect(eq(u32, (uint32_t)value, 0xffee0001));
    fh_arena arena = fh_arena_make((uint8_t *)block + BENCH_ARENA / 2, BENCH_ARENA / 2);
    fh_budget work = {BENCH_BUDGET};
    hmd_player player;
    cr_assert(hmd_player_open(&player, model, NULL, &work, &arena) == FH_OK);
    cr_expect(hmd_player_frame(&player) == HMD_PLAY_ON);
    cr_expect(eq(u32, player.image.words[point], 0x00020001));
    judge_end(&is);
}

/* A circle of parents is told and opened: each coordinate still has one place in the world. */
Test(hmd_edges_replay, a_camera_on_a_circle_of_parents)
{
    verdict is = judge("hmd\nblocks @view 0 0 0\ncoords: coordinates\nunit parent=1\n"
                       "there: unit parent=0\nheaders\nfix: header !place !there\n"
                       "view: primitive header=@fix\nrecord 0x07020100\n"
                       "place: camera 1000 0 0 -500 -2000 0 0 0\n",
                       AS_FILE, NULL);
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0024"), 1), "%s", record_codes(&is.run.told));
    cr_assert(is.run.model != NULL);
    cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_STILL));
    cr_expect(eq(i32, (int)is.run.asset.grade, FH_GRADE_STRUCTURE));
    for (int64_t unit = 0; unit < 2; unit++) {
        cr_expect(record_has_row(&is.run.told, "world", unit, 0));
    }
    judge_end(&is);
}

/* A sequence that counts blocks up: told, and no row shows what is no data. */
Test(hmd_edges_replay, a_sequence_over_the_head)
{
    const edit over = {NULL, "!coords !lamp", "!coords 0x80000000", 0, 0, 0};
    char *text = edited(&over);
    static char all[1 << 16];
    const char *at = strstr(text, "sequence coord=0 start=(sway-control)");
    (void)snprintf(all, sizeof all, "%.*ssequence section=5 offset=3 start=0%s", (int)(at - text),
                   text, at + strlen("sequence coord=0 start=(sway-control)"));
    char *table = strstr(all, "table 0x03000001");
    memcpy(table, "table 0x03010110", strlen("table 0x03010110"));
    verdict is = judge(all, AS_FILE, NULL);
    cr_expect(record_count(&is.run.told, "HMD0227") >= 1, "%s", record_codes(&is.run.told));
    cr_assert(is.run.model != NULL);
    cr_expect(record_has_row(&is.run.told, "word", 3, 0) == false);
    judge_end(&is);
}

/* Index 0xffff is never found: a key there is the end. */
Test(hmd_edges_replay, the_last_descriptor_is_an_end)
{
    verdict is = judge("hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                       "motion: header * !table !control !params !lamp\n"
                       "dance: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence section=4 offset=0 start=65533\n"
                       "table: table 0x03010110\ncontrol:\n"
                       "repeat 65537\nkey type=0 tframe=4 param=0\nendrepeat\n"
                       "params: word 5 6\nlamp: word 0 0\nzero 280000\n",
                       AS_FILE, NULL);
    cr_assert(is.run.model != NULL, "%s", record_codes(&is.run.told));
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0240"), 0), "%s", record_codes(&is.run.told));
    cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_COMPLETE));
    judge_end(&is);
}

/* Shared polygons whose numbers lead from the calculated elements into the others behind them. */
Test(hmd_edges_replay, numbers_beyond_the_calculated_elements)
{
    verdict is = judge("hmd\nblocks 0 @body @skin\ncoords: coordinates\nunit\nheaders\n"
                       "first: header !faces !points !results !normals !shades !coords\n"
                       "body: primitive header=@first\n"
                       "record 0x01800000 3 0 0 3 0 0\n"
                       "skin: primitive header=@first\nrecord 0x0100000c (faces-faces)\n"
                       "faces: packet 0x00c rgb 1 2 3 n 0 1 4 v 0 1 4\n"
                       "results: zero 24\n"
                       "points:\nvec -100 0 0\nvec 100 0 0\nvec 0 -100 0\n"
                       "shades: zero 24\n"
                       "normals:\nvec 0 0 -4096\nvec 0 0 -4096\nvec 0 0 -4096\n",
                       AS_FILE, NULL);
    /* They stay within what lies one behind the other, but nothing calculates them. */
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0086"), 0), "%s", record_codes(&is.run.told));
    cr_expect(record_count(&is.run.told, "HMD0103") >= 1, "%s", record_codes(&is.run.told));
    judge_end(&is);
}

/* A key that receives the current value and has a type that the table lacks, which nothing plays.
 */
Test(hmd_edges_replay, a_saved_key_of_no_type)
{
    const edit saved = {NULL,
                        "jump to=(sway_on-control)\n",
                        "jump to=(sway_on-control)\nkey type=7 tframe=0 param=(sway0-params)\n",
                        0,
                        0,
                        0};
    char *text = edited(&saved);
    char *at = strstr(text, "coord=0 start");
    cr_assert(at != NULL);
    static char all[1 << 16];
    (void)snprintf(all, sizeof all, "%.*scoord=0 srcii=4 start%s", (int)(at - text), text,
                   at + strlen("coord=0 start"));
    verdict is = judge(all, AS_FILE, NULL);
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0242"), 0), "%s", record_codes(&is.run.told));
    cr_expect(eq(sz, record_count(&is.run.told, "HMD0235"), 0), "%s", record_codes(&is.run.told));
    judge_end(&is);
}

/* More keys than a plan remembers: it is played until a limit, which is told. */
Test(hmd_edges_replay, more_keys_than_a_plan_remembers)
{
    verdict is = judge("hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                       "motion: header * !table !control !params !lamp\n"
                       "dance: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence section=4 offset=0 start=0\n"
                       "table: table 0x03010110\ncontrol:\n"
                       "repeat 17000\nkey type=0 tframe=1 param=0\nendrepeat\njump to=0\n"
                       "params: word 0 100\nlamp: zero 40\n",
                       AS_FILE, NULL);
    cr_assert(is.run.model != NULL, "%s", record_codes(&is.run.told));
    cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_STOPPED));
    cr_expect(eq(u32, (uint32_t)is.run.result.frames, 65536));
    judge_end(&is);
}

/* A key that comes back to itself over more descriptors than are given back to other paths. */
Test(hmd_edges_replay, a_long_way_from_a_key_to_itself)
{
    const edit far = {NULL,
                      "key type=0 tframe=30 param=(sway0-params)\njump to=(sway_on-control)\n",
                      "repeat 70\nwork p2=0\nendrepeat\njump to=(sway_on-control)\n",
                      0,
                      0,
                      0};
    verdict is = judge(edited(&far), AS_FILE, NULL);
    cr_assert(is.run.model != NULL, "%s", record_codes(&is.run.told));
    cr_expect(is.run.result.state == FH_REPLAY_COMPLETE || is.run.result.state == FH_REPLAY_STILL);
    judge_end(&is);
}

/* A record without sequences in a chain that two blocks enter: nothing of it runs twice. */
Test(hmd_edges_replay, no_sequences_twice_in_a_frame)
{
    uint32_t frames[2];
    for (unsigned i = 0; i < 2; i++) {
        const edit once = {NULL, "blocks @dance @body 0", "blocks @dance @body 0", 0, 0, 0};
        const edit more = {NULL,
                           "blocks @dance @body 0",
                           "blocks @dance @more @more",
                           "more: primitive header=@motion\nrecord 0x03800000 count=0\n",
                           0,
                           0};
        verdict is = judge(edited(i == 0 ? &once : &more), AS_FILE, NULL);
        cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_COMPLETE), "%s",
                  record_codes(&is.run.told));
        frames[i] = (uint32_t)is.run.result.frames;
        judge_end(&is);
    }
    cr_expect(eq(u32, frames[0], frames[1]));
}

/* From one key to two others in turn, by the stream id: each pair is looked at, also where only the
 * target is another. */
Test(hmd_edges_replay, two_targets_of_one_key)
{
    verdict is = judge("hmd\nblocks @dance 0 0\ncoords: coordinates\nunit t 0 0 1000\nheaders\n"
                       "motion: header * !table !control !params !coords\n"
                       "dance: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence coord=0 start=0\n"
                       "table: table 0x03000011\n"
                       "control:\n"
                       "from: key type=0 tframe=0 param=(still-params)\n"
                       "jump to=(far-control) cnd=1\n"
                       "key type=0 tframe=8 param=(still-params)\n"
                       "jump to=(from-control) dst=1\n"
                       "far: key type=0 tframe=8 param=(turned-params)\n"
                       "jump to=(from-control)\n"
                       "params:\n"
                       "still: value 0x03000011 t 0 0 1000 r 0 0 0\n"
                       "turned: value 0x03000011 t 0 0 1000 r 0 2049 0\n",
                       AS_FILE, NULL);
    cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_COMPLETE), "%s",
              record_codes(&is.run.told));
    cr_expect(eq(str, (char *)found_of(&is.run, "HMD0285"), "2049"));
    judge_end(&is);
}

/* A function that takes the translation's spline for the rotation: how far the keys are turned does
 * not matter. Another one with such keys turns the long way. */
Test(hmd_edges_replay, a_rotation_that_is_lost)
{
    static const struct {
        const char *type, *place;
        size_t num_told;
    } cases[] = {{"0x03000023", "t 0 0 0", 0}, {"0x03000022", "t 0 0 0 0 0 0 0 0 0", 1}};
    for (size_t i = 0; i < 2; i++) {
        const char *const type = cases[i].type;
        const char *const place = cases[i].place;
        char text[4096];
        (void)snprintf(text, sizeof text,
                       "hmd\nblocks @moves 0 0\ncoords: coordinates\nunit t 0 0 1000\nheaders\n"
                       "motion: header * !table !control !params !coords\n"
                       "moves: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence coord=0 start=0\n"
                       "table: table %s\ncontrol:\nwork p2=(history-params)\n"
                       "key type=0 tframe=0 param=(still-params)\n"
                       "key type=0 tframe=0 param=(still-params)\n"
                       "key type=0 tframe=0 param=(still-params)\n"
                       "on: key type=0 tframe=8 param=(turned-params)\n"
                       "key type=0 tframe=8 param=(turned-params)\n"
                       "key type=0 tframe=8 param=(still-params)\njump to=(on-control)\n"
                       "params:\nstill: value %s %s r 0 0 0 0 0 0 0 0 0\n"
                       "turned: value %s %s r 0 2049 0 0 0 0 0 0 0\n"
                       "history: word 0 0 0 0\n",
                       type, type, place, type, place);
        verdict is = judge(text, AS_FILE, NULL);
        cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_COMPLETE), "%s",
                  record_codes(&is.run.told));
        cr_expect(gt(sz, is.run.result.frames, 8), "it is played");
        cr_expect(eq(sz, record_count(&is.run.told, "HMD0285"), cases[i].num_told), "%s",
                  record_codes(&is.run.told));
        judge_end(&is);
    }
}

/* An image that was playing when it was taken: play goes on with keys that are there, to a spline
 * whose history the start names, which is no descriptor. */
Test(hmd_edges_replay, a_history_behind_a_start_that_is_not_there)
{
    const edit running = {
        NULL,
        "sequence coord=0 start=(sway-control)\n",
        "sequence coord=0 start=60000 ii=0xffff aframe=0xffff ti=(sway-control)\n",
        0,
        0,
        0};
    char *text = edited(&running);
    static char all[1 << 16];
    const char *at = strstr(text, "table: table 0x03000001\n");
    const char *behind = strstr(text, "params:\n");
    cr_assert(at != NULL && behind != NULL);
    (void)snprintf(all, sizeof all,
                   "%.*stable: table 0x03000001 0x03000003\ncontrol:\n"
                   "sway: key type=0 tframe=0 param=(sway0-params)\n"
                   "key type=0 tframe=0 param=(sway1-params)\n"
                   "key type=1 tframe=8 param=(sway0-params)\nend\n%s",
                   (int)(at - text), text, behind);
    verdict is = judge(all, FORGE_HMD_MAPPED, NULL);
    const hmd_model *model = is.run.model;
    cr_assert(model != NULL, "%s", record_codes(&is.run.told));
    cr_expect(eq(i32, (int)model->stage, HMD_STAGE_PLAYING));
    cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_BROKEN), "%s",
              record_codes(&is.run.told));
    judge_end(&is);
}

/* ---- sequences that write over what is played ---- */

/* A file with one coordinate whose control section and parameters are given. */
static char *dance_of(const char *sequences, const char *types, const char *control,
                      const char *params)
{
    static char text[4096];
    (void)snprintf(text, sizeof text,
                   "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit t 0 0 1000\nheaders\n"
                   "motion: header * !table !control !params !coords !play-6 !control-6\n"
                   "table: table %s\ncontrol:\n%sparams:\n%s"
                   "dance: primitive header=@motion\nrecord 0x03800000\nplay: %s",
                   types, control, params, sequences);
    return text;
}

static void open_player(hmd_player *player, fh_arena *arena, fh_budget *work, const verdict *of)
{
    cr_assert(of->run.model != NULL, "%s", record_codes(&of->run.told));
    *arena = fh_arena_make((uint8_t *)block + BENCH_ARENA / 2, BENCH_ARENA / 2);
    *work = (fh_budget){BENCH_BUDGET};
    cr_assert(hmd_player_open(player, of->run.model, NULL, work, arena) == FH_OK);
}

/* Two functions are called in a frame, for the target of the first has no time; and the first one
 * writes over the update index of its own sequence. The second writes far below it, over the
 * target, which has a time then. The words that are told hold both. */
Test(hmd_edges_replay, a_frame_whose_second_call_writes_below_the_first)
{
    verdict is =
        judge(dance_of("sequence section=5 offset=0 start=1 rframe=8 tframe=16\n", "0x03000001",
                       "key type=0 tframe=0 param=0\nkey type=0 tframe=0 param=0\nend\n",
                       "value 0x03000001 t 0x06000000 0x20000 -1\n"),
              AS_FILE, NULL);
    hmd_player player;
    fh_arena arena;
    fh_budget work;
    hmd_tick tick;
    open_player(&player, &arena, &work, &is);
    const uint32_t control = player.reels[0].playback.control;
    const uint32_t sequence = player.tracks[0].off;
    cr_assert(eq(i32, (int)hmd_player_tick(&player, &tick, 0), HMD_TICK_OK));
    cr_expect(eq(u32, player.image.words[sequence], 0x06000000));
    cr_expect(eq(u32, player.image.words[control + 1], 0x00020000));
    cr_expect(eq(u32, tick.first_written, control - 6));
    cr_expect(eq(u32, tick.end_written, sequence - 6 + HMD_UNIT_WORDS));
    judge_end(&is);
}

/* The second key of a round of 20 frames has its time written over: with 5 in the place of 10 it is
 * one of 15, and with the 10 of the other sequence that makes 30. */
#define ROUNDS                                                                                     \
    "key type=0 tframe=0 param=0\non: key type=0 tframe=10 param=3\n"                              \
    "key type=0 tframe=10 param=0\njump to=(on-control)\n"                                         \
    "other: key type=1 tframe=0 param=6\nagain: key type=1 tframe=5 param=6\n"                     \
    "key type=1 tframe=5 param=6\njump to=(again-control)\n"

static char *rounds(const char *other)
{
    char sequences[256];
    (void)snprintf(sequences, sizeof sequences, "sequence coord=0 start=0\n%s", other);
    return dance_of(sequences, "0x03000001 0x03010121", ROUNDS,
                    "word 0 0 1000 100 0 1000\nvalue 0x03010121 v 5\n");
}

Test(hmd_edges_replay, a_sequence_over_descriptors)
{
    static const struct {
        const char *other, *found;
        bool is_entangled;
    } cases[] = {{"sequence section=2 offset=(on-control) start=(other-control)\n",
                  "30 frames, after a prelude of at most ", true},
                 {"sequence section=4 offset=2 start=(other-control)\n",
                  "20 frames, after a prelude of 11", false}};
    for (size_t i = 0; i < 2; i++) {
        verdict is = judge(rounds(cases[i].other), AS_FILE, NULL);
        hmd_player player;
        fh_arena arena;
        fh_budget work;
        hmd_plan plan;
        cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_COMPLETE));
        cr_expect(strncmp(found_of(&is.run, "HMD0288"), cases[i].found, strlen(cases[i].found)) ==
                      0,
                  "%s", found_of(&is.run, "HMD0288"));
        open_player(&player, &arena, &work, &is);
        cr_assert(hmd_period_plan(&player, &plan, FH_MAX_REPLAY_FRAMES) == FH_OK);
        cr_expect(eq(i32, plan.is_entangled, cases[i].is_entangled));
        const hmd_playback *playback = &player.reels[0].playback;
        cr_expect(hmd_player_is_guarded(&player, playback->control) &&
                  !hmd_player_is_guarded(&player, player.world.first_unit));
        judge_end(&is);
    }
}

/* ---- the last unit of work ---- */

/* Whether all is as it was is looked at only if that can be paid for. */
Test(hmd_edges_replay, a_repeat_that_cannot_be_paid_for)
{
    verdict is = judge(rounds("sequence section=2 offset=(on-control) start=(other-control)\n"),
                       AS_FILE, NULL);
    for (uint64_t short_of = 0; short_of < 2; short_of++) {
        hmd_player player;
        fh_arena arena;
        fh_budget work;
        hmd_recurrence recurrence;
        bool is_seen = false;
        open_player(&player, &arena, &work, &is);
        cr_assert(hmd_recurrence_open(&recurrence, &player) == FH_OK);
        for (uint32_t frame = 1; frame < is.run.result.frames; frame++) {
            cr_assert(hmd_player_frame(&player) == HMD_PLAY_ON);
            cr_assert(hmd_recurrence_seen(&recurrence, &player, frame) == false);
        }
        cr_assert(hmd_player_frame(&player) == HMD_PLAY_ON);
        work.left = player.animated.num + 2 * (uint64_t)recurrence.num - short_of;
        is_seen = hmd_recurrence_seen(&recurrence, &player, (uint32_t)is.run.result.frames);
        cr_expect(eq(i32, is_seen, short_of == 0));
        cr_expect(eq(i32, player.check.stopped, short_of > 0));
    }
    judge_end(&is);
}

typedef struct ticks {
    uint32_t num;
    hmd_tick_end last;
} ticks;

static void count_tick(void *user, uint32_t sequence, const hmd_tick *tick)
{
    ticks *all = user;
    (void)sequence;
    all->num++;
    all->last = tick->end;
}

/* A sequence that is its own next one is played three times in a frame. Where the work ends behind
 * one of them, so does the frame, and no other is begun. */
Test(hmd_edges_replay, work_that_ends_between_two_runs)
{
    char *text = dance_of("sequence coord=0 start=0 size=0\n", "0x03000001", ROUNDS,
                          "word 0 0 1000 100 0 1000 0\n");
    char *count = strstr(text, "record 0x03800000\n");
    static char all[4096];
    (void)snprintf(all, sizeof all, "%.*srecord 0x03800000 count=3\n%s", (int)(count - text), text,
                   count + strlen("record 0x03800000\n"));
    verdict is = judge(all, AS_FILE, NULL);
    hmd_player player;
    fh_arena arena;
    fh_budget work;
    uint32_t num_between = 0;
    hmd_play end = HMD_PLAY_LIMIT;
    for (uint64_t units = 0; end == HMD_PLAY_LIMIT; units++) {
        ticks told = {0};
        open_player(&player, &arena, &work, &is);
        player.watcher = (hmd_watcher){.user = &told, .ticked = count_tick};
        work.left = units;
        end = hmd_player_frame(&player);
        const bool is_between = told.num > 0 && told.num < 3 && told.last == HMD_TICK_OK;
        cr_expect(end == HMD_PLAY_LIMIT || (end == HMD_PLAY_ON && told.num == 3), "%u units",
                  (unsigned)units);
        num_between += is_between ? 1 : 0;
        cr_assert(lt(u64, units, 10000));
    }
    cr_expect(eq(u32, num_between, 2), "behind the first and the second");
    judge_end(&is);
}

/* ---- what changes ---- */

/* Two sequences of one word each, which lie side by side: what one of them changes is none of the
 * other's, whichever comes first. */
Test(hmd_edges_replay, a_sequence_beside_one_that_changes_nothing)
{
    for (unsigned still = 0; still < 2; still++) {
        char text[1024];
        (void)snprintf(text, sizeof text,
                       "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                       "motion: header * !table !control !params !lamp\n"
                       "dance: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence section=4 offset=%u start=(still-control)\n"
                       "sequence section=4 offset=%u start=(moved-control)\n"
                       "table: table 0x03010110\ncontrol:\n"
                       "still: key type=0 tframe=4 param=0\nkey type=0 tframe=4 param=0\n"
                       "jump to=(still-control)\n"
                       "moved: key type=0 tframe=4 param=0\nkey type=0 tframe=4 param=1\n"
                       "jump to=(moved-control)\nparams: word 0 100\nlamp: zero 8\n",
                       still, 1 - still);
        verdict is = judge(text, AS_FILE, NULL);
        cr_expect(eq(i32, (int)is.run.result.state, FH_REPLAY_COMPLETE), "%s",
                  record_codes(&is.run.told));
        cr_assert(eq(sz, record_count(&is.run.told, "HMD0298"), 1), "at %u: %s", still,
                  record_codes(&is.run.told));
        const char *where = record_find(&is.run.told, "HMD0298")->context;
        cr_expect(strstr(where, "sequence 0") != NULL, "at %u: %s", still, where);
        judge_end(&is);
    }
}

/* ---- the end of the image ---- */

/* The update is the last words of the image, into which a translation fits though a unit does not:
 * what lies behind is not the image's. */
Test(hmd_edges_replay, a_unit_that_hangs_over_the_end)
{
    static const char *const types[] = {"0x03000001", "0x03000009"};
    for (size_t i = 0; i < 2; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text,
                       "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                       "motion: header * !table !control !params !lamp\n"
                       "dance: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence section=3 offset=0 start=0\ntable: table %s\ncontrol:\n"
                       "key type=0 tframe=4 param=6\nkey type=0 tframe=4 param=6\n"
                       "key type=0 tframe=4 param=6\njump to=1\nlamp:\nparams: zero 36\n",
                       types[i]);
        verdict is = judge(text, AS_FILE, NULL);
        cr_expect(eq(int, is.run.replay_status, FH_OK), "%s", types[i]);
        cr_expect(eq(u64, record_count(&is.run.told, "HMD0298"), 1), "%s: %s", types[i],
                  record_codes(&is.run.told));
        judge_end(&is);
    }
}
