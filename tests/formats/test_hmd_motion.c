/* What is read of an animation record before it is judged: types, the words that are written, what
 * saving takes, and where play leads on paths that meet.
 */
#include "hmd_edges.h"

#include "hmd/hmd_motion.h"
#include "hmd/hmd_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct stage {
    verdict is;
    hmd_model model; /* a copy */
    fh_arena arena;
    fh_budget work;
    hmd_check check;
    hmd_motion motion;
} stage;

/* The first record of a file, which is an animation. */
static void stage_open(stage *s, const char *text)
{
    s->is = judge(text, AS_FILE, NULL);
    cr_assert(s->is.run.model != NULL, "%s", record_codes(&s->is.run.told));
    s->model = *(const hmd_model *)s->is.run.model;
    s->arena = fh_arena_make((uint8_t *)block + BENCH_ARENA / 2, BENCH_ARENA / 2);
    s->work = (fh_budget){BENCH_BUDGET};
    s->check = hmd_check_make(&s->model, NULL, &s->work, &s->arena);
    s->check.record = &s->model.records[0];
    s->check.primitive = &s->model.primitives[0];
}

static void open_motion(stage *s)
{
    cr_assert(hmd_motion_sequences(&s->motion, &s->check) && hmd_motion_open(&s->motion));
}

static void stage_close(stage *s)
{
    judge_end(&s->is);
}

static char *dance_of(const char *sequences, const char *types, const char *control)
{
    static char text[1 << 14];
    (void)snprintf(text, sizeof text,
                   "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                   "motion: header * !table !control !params !coords !lamp\n"
                   "dance: primitive header=@motion\nrecord 0x03800000\n%s"
                   "table: table %s\ncontrol:\n%sparams: zero 400\nlamp: word 1 2\n",
                   sequences, types, control);
    return text;
}

#define ONE_SEQUENCE "sequence coord=0 start=0\n"
#define PAIR "key type=0 tframe=10 param=0\nkey type=0 tframe=10 param=3\njump to=0\n"

/* ---- types ---- */

/* Behind the table's types stands a descriptor that could be one. */
Test(hmd_motion, types_end_with_the_table)
{
    stage s;
    hmd_animation animation;
    hmd_interp_type type;
    stage_open(&s, dance_of("sequence coord=0 start=1\n", "0x03000001 0x03000010",
                            "key type=3 tframe=0 param=1\nkey type=0 tframe=10 param=0\n"
                            "key type=1 tframe=10 param=0\njump to=1\n"));
    cr_assert(hmd_animation_read(&s.check, &animation));
    cr_assert(eq(u32, animation.num_types, 2));
    cr_assert(eq(u32, hmd_word(&s.model, animation.table.off + 3), 0x03000001));
    cr_expect(hmd_animation_type(&s.check, &animation, 0, &type));
    cr_expect(hmd_animation_type(&s.check, &animation, 1, &type));
    cr_expect(hmd_animation_type(&s.check, &animation, 2, &type) == false);
    stage_close(&s);
}

/* What saving the current value writes, from the key's start on: as the functions do it, the
 * plainly wrong ones, too. */
Test(hmd_motion, bytes_that_saving_writes)
{
    static const struct {
        uint32_t type;
        uint32_t len;
    } rows[] = {
        {0x03000001, 12}, {0x03000002, 12}, {0x0300000a, 6},  {0x03000020, 6},
        {0x03000010, 8}, /* with the pad */
        {0x03005010, 8},  {0x03000011, 18}, {0x0300001b, 12}, {0x03000901, 14},
        {0x03000111, 24}, {0x03010110, 4},  {0x03010111, 2},  {0x03010121, 2},
        {0x03010182, 1},  {0x03010171, 2},  {0x03010172, 1}, /* the cell behind the three alone */
        {0x03010371, 6},  {0x03010372, 3},  {0x03010271, 6},  {0x03010272, 3},
        {0x03010212, 1},  {0x03010222, 2},  {0x03010242, 3}, /* from the first cell on */
        {0x03010122, 1},  {0x03010142, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char types[32];
        stage s;
        (void)snprintf(types, sizeof types, "0x%08x", rows[i].type);
        stage_open(&s, dance_of(ONE_SEQUENCE, types, PAIR));
        open_motion(&s);
        cr_expect(eq(u32, s.motion.effects[0].saved_len, rows[i].len), "%08x", rows[i].type);
        stage_close(&s);
    }
}

/* A key of 4 bytes has room for the one half word that is saved of three. */
Test(hmd_motion, a_key_for_the_cell_behind_three)
{
    static const struct {
        const char *types;
        size_t num_told;
    } cases[] = {{"0x03010171 0x03010110", 0},
                 {"0x03010172 0x03010110", 0},
                 {"0x03010271 0x03010110", 1}}; /* which saves all three */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        verdict is = judge(dance_of("sequence section=5 offset=0 srcii=3 start=0\n", cases[i].types,
                                    PAIR "key type=1 tframe=0 param=9\n"),
                           AS_FILE, NULL);
        cr_expect(eq(sz, record_count(&is.run.told, "HMD0270"), cases[i].num_told), "%s: %s",
                  cases[i].types, record_codes(&is.run.told));
        judge_end(&is);
    }
}

/* ---- sequences ---- */

/* An update counts from a section of the header, of which number 0 is none, to the last word. */
Test(hmd_motion, words_that_are_written_first)
{
    static const char *const sequences = "sequence section=0 offset=2 start=0\n"
                                         "sequence section=1 offset=0 start=0\n"
                                         "sequence section=4 offset=1 start=0\n"
                                         "sequence section=5 offset=1 start=0\n"
                                         "sequence section=5 offset=2 start=0\n"
                                         "sequence section=6 offset=0 start=0\n";
    stage s;
    stage_open(&s, dance_of(sequences, "0x03010110", PAIR));
    cr_assert(hmd_motion_sequences(&s.motion, &s.check));
    cr_assert(eq(u32, s.motion.num_sequences, 6));
    const uint32_t last = s.model.num_words - 1;
    const hmd_arg table = hmd_arg_of(&s.model, 0, HMD_ARG_TABLE);
    const uint32_t want[] = {HMD_NONE, table.off, s.model.coordinates + 1,
                             last,     HMD_NONE,  HMD_NONE};
    for (uint32_t i = 0; i < 6; i++) {
        cr_expect(eq(u32, s.motion.sequences[i].update, want[i]), "sequence %u", i);
    }
    put(&s.is.file, s.model.headers[0].off + 1, HMD_MSB | 1); /* its size, as a pointer */
    cr_assert(hmd_motion_sequences(&s.motion, &s.check));
    cr_expect(eq(u32, s.motion.sequences[0].update, HMD_NONE));
    stage_close(&s);
}

/* However many a record counts, there is room for as many as can begin in the words behind it, or
 * for as many as it counts. */
Test(hmd_motion, room_for_sequences)
{
    stage s;
    stage_open(&s, dance_of(ONE_SEQUENCE, "0x03000001", PAIR));
    const uint32_t num_words = s.model.num_words;
    const struct {
        uint32_t off;
        uint16_t count;
        uint32_t num; /* that there is room for */
    } cases[] = {{s.check.record->off, 1, 1},
                 {s.check.record->off, 0x7fff, num_words - s.check.record->off - 2},
                 {num_words - 3, 5, 1},
                 {num_words - 2, 5, 0},
                 {num_words - 1, 5, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hmd_record record = *s.check.record;
        fh_arena whole = s.arena;
        hmd_motion motion;
        record.off = cases[i].off;
        record.count = cases[i].count;
        hmd_check check = s.check;
        check.record = &record;
        check.arena = &whole;
        cr_assert(hmd_motion_sequences(&motion, &check));
        fh_arena least = s.arena;
        void *table = fh_arena_alloc(&least, cases[i].num, sizeof(hmd_played));
        cr_assert(table != NULL);
        cr_expect(eq(sz, whole.used, least.used), "case %zu", i);
    }
    stage_close(&s);
}

/* ---- play ---- */

enum { MOST_STARTS = 4 };

static hmd_opening openings[MOST_STARTS];
static uint32_t num_openings;

static void note_opening(hmd_motion *motion, uint32_t sequence, const hmd_start *start,
                         const hmd_opening *opening)
{
    (void)motion;
    (void)sequence;
    (void)start;
    if (num_openings < MOST_STARTS) {
        openings[num_openings++] = *opening;
    }
}

static void play(stage *s)
{
    num_openings = 0;
    hmd_motion_play(&s->motion, note_opening);
}

/* Keys without a time are counted up to two, over the place where one way joins another. */
Test(hmd_motion, keys_without_a_time_before_a_timed_one)
{
    static const char *const sequences = "sequence coord=0 start=0\n"
                                         "sequence coord=0 start=4\n"
                                         "sequence coord=0 start=1\n"
                                         "sequence coord=0 start=2\n";
    static const uint8_t want[] = {1, 2, 0, 0};
    stage s;
    stage_open(&s, dance_of(sequences, "0x03000001",
                            "key type=0 tframe=0 param=0\nkey type=0 tframe=0 param=0\n"
                            "key type=0 tframe=9 param=0\nend\n"
                            "key type=0 tframe=0 param=0\njump to=0\n"));
    open_motion(&s);
    play(&s);
    cr_assert(eq(u32, num_openings, 4));
    for (uint32_t i = 0; i < 4; i++) {
        cr_expect(eq(u32, openings[i].num_quick, want[i]), "start %u", i);
        cr_expect(openings[i].has_timed == (i < 3), "start %u", i);
    }
    stage_close(&s);
}

/* A key without a time is passed without its function doing anything: nothing is ever saved. */
Test(hmd_motion, keys_without_a_time_save_nothing)
{
    stage s;
    stage_open(&s, dance_of(ONE_SEQUENCE, "0x03000001",
                            "key type=0 tframe=0 param=0\nkey type=0 tframe=0 param=3\nend\n"));
    open_motion(&s);
    play(&s);
    cr_expect(eq(u32, s.motion.sequences[0].effects.saved_len, 0));
    cr_expect(eq(u32, s.motion.sequences[0].effects.parts, 0));
    stage_close(&s);
}

/* A key freezes behind so many controls that lead back to it. Another key, of another layout, comes
 * by there: up to 64 of them are gone over again on its way to the first one. */
Test(hmd_motion, what_lies_between_a_key_and_itself)
{
    for (unsigned num = 62; num < 66; num++) {
        char control[1 << 13] = "key type=0 tframe=8 param=0\nback: ";
        for (unsigned i = 1; i < num; i++) { /* and the jump */
            (void)snprintf(control + strlen(control), sizeof control - strlen(control),
                           "work p2=0\n");
        }
        (void)snprintf(control + strlen(control), sizeof control - strlen(control),
                       "jump to=0\nkey type=1 tframe=8 param=0\njump to=(back-control)\n");
        char sequences[256];
        (void)snprintf(sequences, sizeof sequences,
                       "sequence coord=0 start=0\nsequence coord=0 start=%u\n", num + 1);
        verdict is = judge(dance_of(sequences, "0x03000001 0x03000010", control), AS_FILE, NULL);
        cr_expect(eq(sz, record_count(&is.run.told, "HMD0252"), 1), "%u: %s", num,
                  record_codes(&is.run.told));
        cr_expect(eq(sz, record_count(&is.run.told, "HMD0247"), num <= 64 ? 1 : 0), "%u: %s", num,
                  record_codes(&is.run.told));
        judge_end(&is);
    }
}

static uint64_t work_of_play(const char *sequences, const char *control)
{
    stage s;
    stage_open(&s, dance_of(sequences, "0x03000001", control));
    open_motion(&s);
    const uint64_t before = s.work.left;
    play(&s);
    const uint64_t spent = before - s.work.left;
    stage_close(&s);
    return spent;
}

/* The key itself is gone over once: another start at it costs the same, however far it is from the
 * key to itself. */
Test(hmd_motion, another_start_at_a_key_that_freezes)
{
    static const char *const controls[] = {
        "key type=0 tframe=8 param=0\njump to=0\n",
        "key type=0 tframe=8 param=0\nrepeat 60\nwork p2=0\nendrepeat\njump to=0\n"};
    uint64_t more[2];
    for (size_t i = 0; i < 2; i++) {
        more[i] = work_of_play(ONE_SEQUENCE ONE_SEQUENCE, controls[i]) -
                  work_of_play(ONE_SEQUENCE, controls[i]);
    }
    cr_expect(eq(u64, more[0], more[1]));
}

/* Two units for each path that there may be: a jump that waits has one, and where something is
 * played backwards, one each way. An END that waits for the same has none. */
Test(hmd_motion, paths_of_jumps_that_wait)
{
    static const struct {
        const char *sequence;
        uint64_t num;
    } cases[] = {{ONE_SEQUENCE, 1}, {"sequence coord=0 speed=-16 ci=1 start=0\n", 2}};
    for (size_t i = 0; i < 2; i++) {
        const uint64_t jump = work_of_play(cases[i].sequence, PAIR "jump to=0 cnd=5\n");
        const uint64_t end = work_of_play(cases[i].sequence, PAIR "end p1=5\n");
        cr_expect(eq(u64, jump, end + 2 * cases[i].num), "%s", cases[i].sequence);
    }
}

/* ---- histories ---- */

/* The control section ends the file with the start: its descriptor says where the history is. */
Test(hmd_motion, a_history_of_the_last_descriptor)
{
    stage s;
    hmd_player player;
    stage_open(&s, "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheaders\n"
                   "motion: header * !table !control !params !coords\n"
                   "dance: primitive header=@motion\nrecord 0x03800000\n"
                   "sequence coord=0 start=2\n"
                   "table: table 0x03000003\nparams: zero 240\ncontrol:\n"
                   "key type=0 tframe=0 param=0\nend\nwork p2=20\n");
    cr_assert(hmd_player_open(&player, &s.model, NULL, &s.work, &s.arena) == FH_OK);
    const hmd_playback *playback = &player.reels[0].playback;
    cr_assert(eq(u32, playback->control + 3, player.image.num_words));
    cr_expect(eq(u32, hmd_player_history(&player, 0), playback->parameters + 20));
    const uint32_t start = 4 * player.tracks[0].off + HMD_SEQUENCE_START;
    cr_assert(hmd_image_put16(&player.image, start, 3));
    cr_expect(eq(u32, hmd_player_history(&player, 0), HMD_NONE));
    stage_close(&s);
}
