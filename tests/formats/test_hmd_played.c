/* The player of HMD: what a frame does with chains, sections, morphing, lights and coordinates, and
 * which rows it shows of them.
 */
#include "hmd_edges.h"

#include "hmd/hmd_model.h"
#include "hmd/hmd_player.h"
#include "hmd/hmd_poses.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A player of its own of what was judged. */
typedef struct stage {
    verdict is;
    hmd_player player;
    fh_arena arena;
    fh_budget work;
} stage;

static void stage_open(stage *s, const char *text, unsigned at)
{
    s->is = judge(text, at, NULL);
    cr_assert(s->is.run.model != NULL, "%s", record_codes(&s->is.run.told));
    s->arena = fh_arena_make((uint8_t *)block + BENCH_ARENA / 2, BENCH_ARENA / 2);
    s->work = (fh_budget){BENCH_BUDGET};
    cr_assert(hmd_player_open(&s->player, s->is.run.model, NULL, &s->work, &s->arena) == FH_OK);
}

static void stage_close(stage *s)
{
    judge_end(&s->is);
}

/* ---- sequences ---- */

/* One sequence that moves a word, up and down in 4 frames each way. */
static char *moving(const char *sequence, const char *keys)
{
    static char text[4096];
    (void)snprintf(text, sizeof text,
                   "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit t 0 0 1000\nheaders\n"
                   "motion: header * !table !control !params !coords\n"
                   "dance: primitive header=@motion\nrecord 0x03800000\nsequence %s start=0\n"
                   "table: table 0x03010110\ncontrol:\nkey type=0 tframe=0 param=0\n"
                   "key type=0 tframe=4 param=1\nkey type=0 tframe=4 param=0\njump to=1\n"
                   "params: word %s\n",
                   sequence, keys);
    return text;
}

/* The place of the world is computed anew only where a unit was written to: not for the number in
 * front of the units, nor for the one of the headers behind them. */
Test(hmd_played, words_beside_units_move_nothing)
{
    static const struct {
        const char *sequence;
        bool is_unit;
    } cases[] = {{"section=4 offset=0", false},
                 {"section=4 offset=1", true},
                 {"section=4 offset=20", true},
                 {"section=4 offset=21", false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        stage s;
        hmd_tick tick;
        stage_open(&s, moving(cases[i].sequence, "1 1"), AS_FILE);
        s.player.is_world_old = false;
        cr_assert(eq(i32, (int)hmd_player_tick(&s.player, &tick, 0), HMD_TICK_OK));
        cr_expect(eq(i32, s.player.is_world_old, cases[i].is_unit), "%s", cases[i].sequence);
        stage_close(&s);
    }
}

/* Number 0 of an update's sections is the size of the header, even if it looks like a pointer. */
Test(hmd_played, the_header_is_no_section)
{
    stage s;
    stage_open(&s, moving("coord=0", "1 1"), AS_FILE);
    const hmd_model *model = s.is.run.model;
    const uint32_t size = model->headers[0].off + 1;
    put(&s.is.file, size, HMD_MSB | 1);
    cr_assert(eq(u32, hmd_arg_of(model, 0, 0).off, 1));
    cr_assert(hmd_player_open(&s.player, model, NULL, &s.work, &s.arena) == FH_OK);
    cr_expect(eq(u32, s.player.reels[0].playback.sections[0], HMD_NO_SECTION));
    cr_expect(ne(u32, s.player.reels[0].playback.sections[1], HMD_NO_SECTION));
    stage_close(&s);
}

enum { NUM_CHAIN = 5, LAMP_AT = 100 };

/* Primitives one behind the other, each with a sequence that counts a word of its own up from 0; of
 * the last one but one the word stays as it is. */
static char *chain_of_five(void)
{
    static char text[8192];
    (void)snprintf(text, sizeof text,
                   "hmd\nblocks @p0 0 0\ncoords: coordinates\nunit\nheaders\n"
                   "motion: header * !table !control !params !lamp\n");
    for (unsigned i = 0; i < NUM_CHAIN; i++) {
        (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                       i + 1 < NUM_CHAIN ? "p%u: primitive header=@motion next=@p%u\n"
                                         : "p%u: primitive header=@motion\n",
                       i, i + 1);
        (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                       "record 0x03800000\nsequence section=4 offset=%u start=%u\n", 2 * i,
                       i == NUM_CHAIN - 2 ? 4 : 0);
    }
    (void)snprintf(text + strlen(text), sizeof text - strlen(text),
                   "table: table 0x03010110\ncontrol:\nkey type=0 tframe=0 param=0\n"
                   "key type=0 tframe=4 param=1\nkey type=0 tframe=4 param=0\njump to=1\n"
                   "key type=0 tframe=0 param=0\nkey type=0 tframe=4 param=0\njump to=4\n"
                   "params: word 0 4\nlamp: zero 40\n");
    return text;
}

typedef struct order {
    uint32_t num;
    uint32_t sequences[2 * NUM_CHAIN];
} order;

static void note_tick(void *user, uint32_t sequence, const hmd_tick *tick)
{
    order *all = user;
    (void)tick;
    if (all->num < 2 * NUM_CHAIN) {
        all->sequences[all->num++] = sequence;
    }
}

Test(hmd_played, each_of_five_animations_plays_its_own)
{
    stage s;
    order all = {0};
    stage_open(&s, chain_of_five(), AS_FILE);
    cr_assert(eq(u32, s.player.num_reels, NUM_CHAIN));
    for (uint32_t i = 0; i < NUM_CHAIN; i++) {
        cr_expect(eq(u32, s.player.reels[i].runs, 1), "animation %u", i);
    }
    s.player.watcher = (hmd_watcher){.user = &all, .ticked = note_tick};
    cr_assert(hmd_player_frame(&s.player) == HMD_PLAY_ON);
    cr_assert(eq(u32, all.num, NUM_CHAIN));
    for (uint32_t i = 0; i < NUM_CHAIN; i++) {
        cr_expect(eq(u32, all.sequences[i], i));
    }
    stage_close(&s);
}

/* Of a sequence that changes nothing it is told which one of its record it is. */
Test(hmd_played, a_sequence_that_changes_nothing)
{
    verdict is = judge(chain_of_five(), AS_FILE, NULL);
    cr_assert(eq(sz, record_count(&is.run.told, "HMD0298"), 1), "%s", record_codes(&is.run.told));
    const char *context = record_find(&is.run.told, "HMD0298")->context;
    cr_expect(strstr(context, "sequence 0") != NULL, "%s", context);
    judge_end(&is);
}

/* A word that stays as it is, beside one that another sequence moves: only what a function writes
 * counts as its change, of a coordinate all but the flag in front. */
Test(hmd_played, what_another_sequence_changes)
{
    static const struct {
        unsigned still, moved; /* words of the lamp */
        size_t num_told;
    } cases[] = {{0, 1, 1}, {1, 0, 1}, {0, 2, 1}, {2, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[4096];
        (void)snprintf(
            text, sizeof text,
            "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
            "motion: header * !table !control !params !lamp\n"
            "dance: primitive header=@motion\nrecord 0x03800000\n"
            "sequence section=4 offset=%u start=4\nsequence section=4 offset=%u start=0\n"
            "table: table 0x03010110\ncontrol:\nkey type=0 tframe=0 param=0\n"
            "key type=0 tframe=4 param=1\nkey type=0 tframe=4 param=0\njump to=1\n"
            "key type=0 tframe=0 param=0\nkey type=0 tframe=4 param=0\njump to=4\n"
            "params: word 7 4\nlamp: word 7 7 7 7\n",
            cases[i].still, cases[i].moved);
        verdict is = judge(text, AS_FILE, NULL);
        cr_expect(eq(sz, record_count(&is.run.told, "HMD0298"), cases[i].num_told), "%u and %u: %s",
                  cases[i].still, cases[i].moved, record_codes(&is.run.told));
        judge_end(&is);
    }
}

/* A flag that play clears is no change; nor is what lies in front of the unit or behind it. */
static void raise_flag(forge_buf *file)
{
    put(file, find_word(file, 0x1234) - HMD_ROT_WORD, 1);
}

Test(hmd_played, a_flag_is_no_change)
{
    verdict is = judge("hmd\nblocks @dance 0 0\ncoords: coordinates\n"
                       "unit t 5 6 7 rot 0x1234 0 0\nunit t 1 2 3\nheaders\n"
                       "motion: header * !table !control !params !coords\n"
                       "dance: primitive header=@motion\nrecord 0x03800000\n"
                       "sequence coord=0 start=0\nsequence coord=1 start=3\n"
                       "table: table 0x03000001\ncontrol:\n"
                       "key type=0 tframe=0 param=0\nkey type=0 tframe=4 param=0\njump to=0\n"
                       "key type=0 tframe=0 param=0\nkey type=0 tframe=4 param=0\njump to=3\n"
                       "params: word 5 6 7\n",
                       AS_FILE, raise_flag);
    cr_assert(eq(sz, record_count(&is.run.told, "HMD0298"), 1), "%s", record_codes(&is.run.told));
    cr_expect(strstr(record_find(&is.run.told, "HMD0298")->context, "sequence 0") != NULL);
    judge_end(&is);
}

/* ---- morphing ---- */

/* Two points, each moved by a shape of its own, and put back by two resets of one record. */
static const char *const swelling =
    "hmd\nblocks @swell @back\ncoords: coordinates\n"
    "unit t 0 0 100\nunit t 0 0 200\nheaders\n"
    "v: header !weights 1 3:0 !shapes !originals !points !normals\n"
    "r: header 3:0 !shapes !originals !points !normals\n"
    "swell: primitive header=@v\n"
    "record 0x04010020 (bulge-shapes) (dent-shapes)\n"
    "back: primitive header=@r\n"
    "record 0x04010028 (back0-shapes) (back1-shapes)\n"
    "weights: word 8192\n"
    "shapes:\nbulge: shape\ndiff 0 (b0-bulge)\nnotify (f0+2-shapes)\n"
    "b0: deltas 0\nvec 0 -20 0\n"
    "dent: shape\ndiff 0 (b1-dent)\nnotify (f1+2-shapes)\n"
    "b1: deltas 1\nvec 0 -30 0\n"
    "back0: resets\nf0: original 0 0 1\n"
    "back1: resets\nf1: original 1 1 1\n"
    "originals: zero 16\npoints: vec 1 2 3\nvec 4 5 6\n"
    "normals: vec 0 0 -4096\n";

static void hold_swelling(unsigned at)
{
    stage s;
    stage_open(&s, swelling, at);
    const uint32_t first = (uint32_t)find_word(&s.is.file, 0x00020001);
    const uint32_t second = (uint32_t)find_word(&s.is.file, 0x00050004);
    const record *told = &s.is.run.told;
    cr_expect(eq(i32, (int)s.is.run.result.state, FH_REPLAY_STILL), "%s", record_codes(told));
    cr_assert(record_has_row(told, "morphed_word", first, 0));
    /* Twice: 2 - 40 and 5 - 60 in the upper half of the words. */
    cr_expect(eq(u32, (uint32_t)record_value(told, "morphed_word", first, 0, "value"), 0xffda0001));
    cr_expect(
        eq(u32, (uint32_t)record_value(told, "morphed_word", second, 0, "value"), 0xffc90004));
    s.player.is_world_old = false;
    cr_assert(hmd_player_frame(&s.player) == HMD_PLAY_ON);
    cr_expect(eq(u32, s.player.image.words[first], 0x00020001));
    cr_expect(eq(u32, s.player.image.words[second], 0x00050004));
    cr_expect(s.player.is_world_old == false, "points are no coordinates");
    cr_expect(s.player.unit_moved[0] == false && s.player.unit_moved[1] == false);
    stage_close(&s);
}

/* In memory the weights are those that lie in the asset, as in the file. */
Test(hmd_played, two_shapes_and_their_resets)
{
    hold_swelling(AS_FILE);
    hold_swelling(FORGE_HMD_MAPPED);
}

/* The weights are the program's own, right behind the asset: nothing of them is read. */
Test(hmd_played, weights_right_behind_the_asset)
{
    stage s;
    stage_open(&s, swelling, FORGE_HMD_MAPPED);
    const uint32_t weights = BASE + 4 * (uint32_t)find_word(&s.is.file, 8192);
    const size_t pointer = find_word(&s.is.file, weights);
    for (uint32_t i = 0; i < 2; i++) {
        put(&s.is.file, pointer, BASE + 4 * (s.player.image.num_words + i));
        cr_expect(eq(i32, (int)hmd_player_frame(&s.player), HMD_PLAY_ON), "%u words behind", i);
    }
    stage_close(&s);
}

/* A joint that is moved and not put back, beside one that a sequence moves. */
static const char *const bending = "hmd\nblocks @dance 0\ncoords: coordinates\n"
                                   "unit t 0 0 100\nunit t 0 0 200\nheaders\n"
                                   "motion: header * !table !control !params !coords\n"
                                   "joints_of: header !coords !weights 1 2:0 !joints\n"
                                   "dance: primitive next=@bend header=@motion\n"
                                   "record 0x03800000\nsequence coord=1 start=0\n"
                                   "bend: primitive header=@joints_of\n"
                                   "record 0x04010011 (wrist-joints)\n"
                                   "table: table 0x03000001\ncontrol:\n"
                                   "key type=0 tframe=0 param=0\nkey type=0 tframe=4 param=3\n"
                                   "jump to=0\nparams: word 0 0 200 0 0 400\n"
                                   "weights: word 8192\njoints:\nwrist: joint 0\n"
                                   "delta 0 dt 5 0 0\nreset rpy\n";

/* The first coordinate, too, is where morphing left it in the frame before. */
Test(hmd_played, a_joint_that_is_not_put_back)
{
    verdict is = judge(bending, AS_FILE, NULL);
    const record *told = &is.run.told;
    cr_assert(gt(u32, (uint32_t)is.run.result.frames, 2), "%s", record_codes(told));
    for (uint32_t frame = 0; frame < 3; frame++) {
        cr_expect(eq(i64, record_value(told, "coordinate", 0, frame, "t0"), 10 * (int64_t)frame));
        cr_expect(eq(i64, record_value(told, "morphed_coordinate", 0, frame, "t0"),
                     10 * (int64_t)frame + 10));
    }
    judge_end(&is);
}

/* The number of units in the image is what a sequence made of it; the asset has fewer. */
Test(hmd_played, a_joint_behind_the_last_unit)
{
    stage s;
    bool moved[3] = {false, false, false};
    stage_open(&s, bending, AS_FILE);
    uint32_t *words = s.player.image.words;
    const uint32_t joint = (uint32_t)find_word(&s.is.file, 0x00010000);
    cr_assert(eq(u32, words[s.player.model.coordinates], 2));
    words[s.player.model.coordinates] = 3;
    words[joint] = 0x00010002;
    s.player.unit_moved = moved;
    cr_assert(hmd_player_frame(&s.player) == HMD_PLAY_ON);
    cr_expect(moved[2] == false, "the asset has two");
    stage_close(&s);
}

/* ---- lights ---- */

static const char *lights_of(const char *records)
{
    static char text[2048];
    (void)snprintf(text, sizeof text,
                   "hmd\nblocks @lit 0 0\ncoords: coordinates\nunit\nheaders\n"
                   "lights: header !lamps\nlit: primitive header=@lights\n%s\n"
                   /* As a light, the first colour would be number 2 with its own parameters. */
                   "lamps:\nlight 2 0 0 100 0 0 0 0 0\nlight 20 30 40 0 100 0 0 0 0\n"
                   "light 50 60 70 0 0 100 0 0 0\n",
                   records);
    return text;
}

/* A light of its own is set by each word of a record, as many as it counts and has. */
Test(hmd_played, as_many_lights_as_there_are)
{
    static const struct {
        const char *records;
        unsigned lit; /* a bit each */
    } cases[] = {
        {"record 0x07010200 0:0 1:7 2:14", 7},    {"record 0x07010200 0:0 1:7 2:14 count=2", 3},
        {"record 0x07010200 0:0 1:7 count=3", 3}, {"record 0x07010200 0:0 count=0", 0},
        {"record 0x07010200 3:0 1:7", 2},         {"record 0x07010200 2:14", 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        verdict is = judge(lights_of(cases[i].records), AS_FILE, NULL);
        cr_assert(is.run.model != NULL, "%s: %s", cases[i].records, record_codes(&is.run.told));
        for (unsigned k = 0; k < HMD_NUM_LIGHTS; k++) {
            cr_expect(eq(i32, record_has_row(&is.run.told, "light", k, 0), cases[i].lit >> k & 1),
                      "%s: light %u", cases[i].records, k);
        }
        cr_expect(eq(sz, record_count(&is.run.told, "HMD0300"), 0), "%s", cases[i].records);
        judge_end(&is);
    }
}

/* Ambient light has no number, whatever stands in its place. */
Test(hmd_played, ambient_light_of_any_number)
{
    verdict is = judge(lights_of("record 0x07000200 5:7"), AS_FILE, NULL);
    const record *told = &is.run.told;
    cr_assert(record_has_row(told, "ambient", 0, 0), "%s", record_codes(told));
    cr_expect(eq(i64, record_value(told, "ambient", 0, 0, "red"), 20));
    cr_expect(eq(i64, record_value(told, "ambient", 0, 0, "green"), 30));
    cr_expect(eq(i64, record_value(told, "ambient", 0, 0, "blue"), 40));
    judge_end(&is);
}

/* ---- rows ---- */

static size_t num_rows(const record *of, const char *table)
{
    size_t num = 0;
    for (size_t i = 0; i < of->num_poses; i++) {
        num += strcmp(of->poses[i].table->name, table) == 0 ? 1 : 0;
    }
    return num;
}

/* Nothing was written in this frame: what lies in the journals is of earlier ones. */
Test(hmd_played, only_what_was_written_in_this_frame_is_looked_at)
{
    stage s;
    hmd_poses poses;
    record told = {0};
    const fh_sink sink = record_sink(&told);
    const fh_replay_options options = {.changes_only = true};
    stage_open(&s, bending, AS_FILE);
    const uint32_t word = (uint32_t)find_word(&s.is.file, 8192);
    const uint32_t unit = s.player.world.first_unit;
    cr_assert(hmd_poses_open(&poses, &s.player, &sink, &options) == FH_OK);
    hmd_poses_begin(&poses, 0);
    hmd_poses_posed(&poses);
    cr_assert(eq(sz, num_rows(&told, "coordinate"), 2));
    s.player.image.words[word] = 1;
    s.player.image.words[unit + HMD_TRANS_WORD] = 1;
    s.player.animated.words[0] = unit + HMD_TRANS_WORD;
    hmd_poses_begin(&poses, 1);
    hmd_poses_posed(&poses);
    cr_expect(eq(sz, num_rows(&told, "coordinate"), 2));
    s.player.animated.words[0] = s.player.morphed.words[0] = word;
    hmd_poses_begin(&poses, 2);
    hmd_poses_posed(&poses);
    hmd_poses_morphed(&poses);
    cr_expect(eq(sz, num_rows(&told, "word"), 0));
    cr_expect(eq(sz, num_rows(&told, "morphed_word"), 0));
    s.player.animated.num = s.player.morphed.num = 1;
    hmd_poses_posed(&poses);
    hmd_poses_morphed(&poses);
    cr_expect(eq(sz, num_rows(&told, "word"), 1));
    cr_expect(eq(sz, num_rows(&told, "morphed_word"), 1));
    record_free(&told);
    stage_close(&s);
}

/* An entry of a history is shown as the word of its key; what is none in the image is -1. */
Test(hmd_played, entries_of_histories)
{
    stage s;
    hmd_poses poses;
    record told = {0};
    const fh_sink sink = record_sink(&told);
    const fh_replay_options options = {.changes_only = true};
    stage_open(&s, bending, AS_FILE);
    const uint32_t word = (uint32_t)find_word(&s.is.file, 8192);
    const uint32_t num = s.player.image.num_words;
    const uint32_t base = s.player.image.base;
    const struct {
        uint32_t value;
        int64_t shown;
    } cases[] = {{base + 4 * 7, 7},
                 {base, 0},
                 {base + 4 * (num - 1), num - 1},
                 {base + 4 * num, -1},
                 {base - 4, -1},
                 {1, -1},
                 {0, -1}};
    cr_assert(hmd_poses_open(&poses, &s.player, &sink, &options) == FH_OK);
    s.player.is_history[word] = true;
    s.player.animated.words[0] = word;
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        s.player.animated.num = 1;
        s.player.image.words[word] = cases[i].value;
        hmd_poses_begin(&poses, i);
        hmd_poses_posed(&poses);
        cr_assert(eq(sz, num_rows(&told, "word"), i + 1));
        cr_expect(eq(i64, record_value(&told, "word", word, i, "value"), cases[i].shown), "%x",
                  cases[i].value);
    }
    /* 0 is none, though the image may lie there. */
    s.player.image.base = 0;
    for (uint32_t value = 0; value < 8; value += 4) {
        s.player.animated.num = 1;
        s.player.image.words[word] = value;
        poses.posed[word] = 1;
        hmd_poses_begin(&poses, 100 + value);
        hmd_poses_posed(&poses);
        cr_expect(
            eq(i64, record_value(&told, "word", word, 100 + value, "value"), value == 0 ? -1 : 1));
    }
    record_free(&told);
    stage_close(&s);
}
