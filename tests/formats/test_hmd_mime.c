/* MIMe: blocks made by hand, blocks that point outside, and what Sony's library wrote on its own
 * samples. */
#include "hmd/hmd_mime.h"
#include "hmd_bench.h"

#include <stdlib.h>
#include <string.h>

/* A small image: the coordinate section with two units at word 1, difference section at word 60,
 * originals at 110, vertices at 130, normals at 150, weights at 170. */
enum {
    COORDINATES = 1,
    UNIT_1 = COORDINATES + 1 + 20,
    DIFFERENCES = 60,
    ORIGINALS = 110,
    VERTICES = 130,
    NORMALS = 150,
    WEIGHTS = 170,
    NUM_WORDS = 180
};

typedef struct stage {
    uint32_t words[NUM_WORDS];
    hmd_image image;
    fh_budget budget;
    hmd_mime_args args;
} stage;

static void stage_open(stage *s, uint32_t type)
{
    memset(s, 0, sizeof *s);
    s->image = (hmd_image){s->words, NUM_WORDS, 0x80010000, NULL};
    s->budget.left = 10000;
    s->words[COORDINATES] = 2;
    s->args = (hmd_mime_args){.type = type,
                              .coordinates = COORDINATES,
                              .mimepr = WEIGHTS,
                              .num_keys = 3,
                              .differences = DIFFERENCES,
                              .originals = ORIGINALS,
                              .vertices = VERTICES,
                              .normals = NORMALS};
}

static hmd_outcome play(stage *s, uint32_t difference)
{
    return hmd_mime_play(&s->image, &s->budget, &s->args, difference);
}

static uint32_t halves(int low, int high)
{
    return ((uint32_t)low & 0xffff) | ((uint32_t)high & 0xffff) << 16;
}

static int half(const stage *s, uint32_t word, int which)
{
    int16_t value = 0;
    cr_assert(hmd_image_s16(&s->image, 4 * word + 2 * (uint32_t)which, &value));
    return value;
}

/* Keys 0 and 2 move vertex 1; one changed word is told, at word 33 of the differences. */
static void put_vertex_block(stage *s)
{
    uint32_t *d = &s->words[DIFFERENCES + 4];
    d[0] = halves(1, 2);
    d[1] = 5;
    d[2] = 5;
    d[3] = 9;
    d[4] = 33;
    d[5] = 1;
    d[6] = halves(0, 1);
    d[7] = halves(100, -100);
    d[8] = halves(1, 77);
    d[9] = 1;
    d[10] = halves(0, 1);
    d[11] = halves(-3, 4096);
    d[12] = halves(0, 77);
}

/* The reset block of the above: 12 bytes from its second word on, changed in the third of them. */
static void put_reset_block(stage *s, int changed)
{
    s->words[DIFFERENCES + 30] = halves(0, 1);
    s->words[DIFFERENCES + 31] = 1;
    s->words[DIFFERENCES + 32] = 3;
    s->words[DIFFERENCES + 33] = halves(changed, 1);
}

Test(hmd_mime, vertices_are_moved_key_after_key_and_cut_each_time)
{
    for (int normals = 0; normals < 2; normals++) {
        stage s;
        stage_open(&s, normals ? HMD_MIME_NORMAL : HMD_MIME_VERTEX);
        const uint32_t at = (normals ? NORMALS : VERTICES) + 2;
        const uint32_t other = (normals ? VERTICES : NORMALS) + 2;
        put_vertex_block(&s);
        s.words[at] = halves(1000, 32767);
        s.words[at + 1] = halves(-5, 4711);
        s.words[WEIGHTS] = 2048;
        s.words[WEIGHTS + 1] = 4096; /* not flagged */
        s.words[WEIGHTS + 2] = 1;
        cr_assert(eq(int, play(&s, 4).eval, HMD_EVAL_OK));
        /* 100 / 2, then -3 / 4096 down to -1; -100 / 2, then 4096 / 4096; 1 / 2 down to 0. */
        cr_assert(eq(int, half(&s, at, 0), 1049));
        cr_assert(eq(int, half(&s, at, 1), 32718));
        cr_assert(eq(int, half(&s, at + 1, 0), -5));
        cr_assert(eq(int, half(&s, at + 1, 1), 4711), "the pad stays");
        cr_assert(eq(u32, s.words[other], 0));
        cr_assert(eq(u32, s.words[DIFFERENCES + 33], 1), "the reset is told");
    }
}

Test(hmd_mime, vertices_wrap_and_weights_are_cut_to_16_bits)
{
    stage s;
    stage_open(&s, HMD_MIME_VERTEX);
    put_vertex_block(&s);
    s.words[VERTICES + 2] = halves(32700, -32700);
    s.words[WEIGHTS] = 0x10000 + 4096;
    cr_assert(eq(int, play(&s, 4).eval, HMD_EVAL_OK));
    cr_assert(eq(int, half(&s, VERTICES + 2, 0), 32800 - 65536));
    cr_assert(eq(int, half(&s, VERTICES + 2, 1), -32800 + 65536));
    /* A weight of 65536 is not 0, though it moves nothing: the reset is told. */
    s.words[WEIGHTS] = 0x10000;
    s.words[DIFFERENCES + 33] = 0;
    cr_assert(eq(int, play(&s, 4).eval, HMD_EVAL_OK));
    cr_assert(eq(int, half(&s, VERTICES + 2, 0), 32800 - 65536));
    cr_assert(eq(u32, s.words[DIFFERENCES + 33], 1));
}

Test(hmd_mime, without_weight_nothing_is_moved_or_told)
{
    stage s;
    stage_open(&s, HMD_MIME_VERTEX);
    put_vertex_block(&s);
    uint32_t before[NUM_WORDS];
    memcpy(before, s.words, sizeof before);
    s.words[WEIGHTS + 1] = before[WEIGHTS + 1] = 4096;
    cr_assert(eq(int, play(&s, 4).eval, HMD_EVAL_OK));
    cr_assert(eq(int, memcmp(before, s.words, sizeof before), 0));
    /* Weights that the program does not give are 0. */
    s.words[WEIGHTS] = before[WEIGHTS] = 4096;
    s.args.mimepr = 0;
    cr_assert(eq(int, play(&s, 4).eval, HMD_EVAL_OK));
    cr_assert(eq(int, memcmp(before, s.words, sizeof before), 0));
    /* A key beyond MIMENUM does not count, nor does a difference beyond the block's number. */
    s.args.mimepr = WEIGHTS;
    s.args.num_keys = 0;
    cr_assert(eq(int, play(&s, 4).eval, HMD_EVAL_OK));
    cr_assert(eq(int, memcmp(before, s.words, sizeof before), 0));
    s.args.num_keys = 3;
    s.words[DIFFERENCES + 4] = before[DIFFERENCES + 4] = halves(1, 0);
    cr_assert(eq(int, play(&s, 4).eval, HMD_EVAL_OK));
    cr_assert(eq(int, memcmp(before, s.words, sizeof before), 0));
}

Test(hmd_mime, weights_of_the_program)
{
    const int32_t weights[3] = {-4096, 0, 0};
    stage s;
    stage_open(&s, HMD_MIME_VERTEX);
    put_vertex_block(&s);
    s.args.mimepr = 0;
    s.args.weights = weights;
    cr_assert(eq(int, play(&s, 4).eval, HMD_EVAL_OK));
    cr_assert(eq(int, half(&s, VERTICES + 2, 0), -100));
    cr_assert(eq(int, half(&s, VERTICES + 2, 1), 100));
}

Test(hmd_mime, kept_vertices_are_put_back)
{
    for (int normals = 0; normals < 2; normals++) {
        stage s;
        stage_open(&s, normals ? HMD_MIME_NORMAL_RESET : HMD_MIME_VERTEX_RESET);
        const uint32_t at = (normals ? NORMALS : VERTICES) + 2;
        put_reset_block(&s, 0);
        s.words[at] = 123;
        s.words[at + 1] = 456;
        hmd_outcome out = hmd_mime_keep(&s.image, &s.budget, &s.args, 30);
        cr_assert(eq(int, out.eval, HMD_EVAL_OK));
        cr_assert(eq(u32, s.words[ORIGINALS + 6], 123));
        cr_assert(eq(u32, s.words[ORIGINALS + 7], 456));
        s.words[at] = 9;
        cr_assert(eq(int, play(&s, 30).eval, HMD_EVAL_OK));
        cr_assert(eq(u32, s.words[at], 9), "not told, not put back");
        put_reset_block(&s, 1);
        cr_assert(eq(int, play(&s, 30).eval, HMD_EVAL_OK));
        cr_assert(eq(u32, s.words[at], 123));
        cr_assert(eq(u32, s.words[at + 1], 456));
        cr_assert(eq(u32, s.words[DIFFERENCES + 33], halves(0, 1)));
    }
}

/* Two entries that restore the same vertex: the library goes from the last to the first. */
Test(hmd_mime, the_first_entry_of_a_reset_wins)
{
    stage s;
    stage_open(&s, HMD_MIME_VERTEX_RESET);
    put_reset_block(&s, 1);
    s.words[DIFFERENCES + 30] = halves(0, 2);
    s.words[DIFFERENCES + 34] = 1;
    s.words[DIFFERENCES + 35] = 4;
    s.words[DIFFERENCES + 36] = halves(1, 1);
    s.words[ORIGINALS + 6] = 1;
    s.words[ORIGINALS + 8] = 2;
    cr_assert(eq(int, play(&s, 30).eval, HMD_EVAL_OK));
    cr_assert(eq(u32, s.words[VERTICES + 2], 1));
}

/* ---- joints ---- */

/* Unit 1; keys 0 (rotation), 1 (translation) and 2 (none of both, though its values say so). */
static void put_joint_block(stage *s)
{
    uint32_t *d = &s->words[DIFFERENCES + 2];
    d[0] = halves(1, 3);
    d[1] = 7;
    d[2] = halves(0, 0);
    d[3] = halves(1024, 1);
    d[4] = 1000; /* translation of a difference that has none */
    d[7] = halves(1024, 1024);
    d[8] = halves(1024, 2);
    d[9] = 7;
    d[10] = (uint32_t)-7;
    d[11] = 4096;
    d[12] = halves(5, 5);
    d[13] = halves(5, 4);
    d[14] = 5;
}

enum { JOINT_RESET = DIFFERENCES + 2 + 2 + 15 };

static void put_joint_state(stage *s)
{
    for (uint32_t i = 0; i < 20; i++) {
        s->words[UNIT_1 + i] = 0x11110000 + i;
    }
    s->words[UNIT_1 + 6] = 100;
    s->words[UNIT_1 + 7] = 200;
    s->words[UNIT_1 + 8] = 300;
    s->words[UNIT_1 + 17] = halves(0, 0);
    s->words[UNIT_1 + 18] = halves(-1024, 99);
}

Test(hmd_mime, a_joint_is_turned_and_moved_and_put_back)
{
    stage s;
    stage_open(&s, HMD_MIME_JOINT_RPY);
    put_joint_block(&s);
    put_joint_state(&s);
    s.words[WEIGHTS] = 8192;
    s.words[WEIGHTS + 1] = 2048;
    s.words[WEIGHTS + 2] = 4096;
    cr_assert(eq(int, play(&s, 2).eval, HMD_EVAL_OK));
    cr_assert(eq(u32, s.words[UNIT_1], 0));
    /* z: -1024 + 2 * 1024: a quarter turn about z. */
    static const int want[9] = {0, -4096, 0, 4096, 0, 0, 0, 0, 4096};
    for (int i = 0; i < 9; i++) {
        HOLD(half(&s, UNIT_1 + 1, i) == want[i], "element %d", i);
    }
    cr_assert(eq(int, half(&s, UNIT_1 + 1, 9), 0x1111), "the matrix's pad stays");
    cr_assert(eq(u32, s.words[UNIT_1 + 6], 103), "7 / 2 cut toward 0");
    cr_assert(eq(u32, s.words[UNIT_1 + 7], 197), "-7 / 2 cut toward 0");
    cr_assert(eq(u32, s.words[UNIT_1 + 8], 300 + 2048));
    cr_assert(eq(u32, s.words[UNIT_1 + 18], halves(1024, 99)), "the rotation's pad stays");
    cr_assert(eq(u32, s.words[JOINT_RESET], 0));
    cr_assert(eq(u32, s.words[JOINT_RESET + 1], halves(-1024, 3)), "both parts changed");
    cr_assert(eq(u32, s.words[JOINT_RESET + 2], 100));
    cr_assert(eq(u32, s.words[JOINT_RESET + 4], 300));

    s.args.type = HMD_MIME_JOINT_RPY_RESET;
    s.words[UNIT_1] = 5;
    cr_assert(eq(int, play(&s, 2).eval, HMD_EVAL_OK));
    cr_assert(eq(u32, s.words[UNIT_1], 0));
    cr_assert(eq(u32, s.words[UNIT_1 + 18], halves(-1024, 99)));
    cr_assert(eq(u32, s.words[UNIT_1 + 6], 100));
    cr_assert(eq(u32, s.words[UNIT_1 + 7], 200));
    cr_assert(eq(u32, s.words[UNIT_1 + 8], 300));
    cr_assert(eq(int, half(&s, UNIT_1 + 1, 1), -4096), "the 3x3 is not put back");
    cr_assert(eq(u32, s.words[JOINT_RESET + 1], halves(-1024, 0)));

    s.words[UNIT_1] = 5;
    s.words[UNIT_1 + 6] = 1;
    cr_assert(eq(int, play(&s, 2).eval, HMD_EVAL_OK));
    cr_assert(eq(u32, s.words[UNIT_1], 5), "put back once only");
    cr_assert(eq(u32, s.words[UNIT_1 + 6], 1));
}

Test(hmd_mime, a_joint_that_only_moves_keeps_its_matrix)
{
    stage s;
    stage_open(&s, HMD_MIME_JOINT_RPY);
    put_joint_block(&s);
    put_joint_state(&s);
    s.words[WEIGHTS + 1] = 4096;
    cr_assert(eq(int, play(&s, 2).eval, HMD_EVAL_OK));
    cr_assert(eq(int, half(&s, UNIT_1 + 1, 0), 1));
    cr_assert(eq(u32, s.words[UNIT_1 + 6], 107));
    cr_assert(eq(int, half(&s, JOINT_RESET, 2), -1024), "the rotation is saved all the same");
    cr_assert(eq(int, half(&s, JOINT_RESET, 3), 2));
    /* A difference of no part leaves everything as it is. */
    stage_open(&s, HMD_MIME_JOINT_RPY);
    put_joint_block(&s);
    put_joint_state(&s);
    s.words[WEIGHTS + 2] = 4096;
    cr_assert(eq(int, play(&s, 2).eval, HMD_EVAL_OK));
    cr_assert(eq(u32, s.words[UNIT_1], 0x11110000));
    cr_assert(eq(u32, s.words[JOINT_RESET + 1], 0));
}

Test(hmd_mime, sums_of_joints_wrap_at_32_bits)
{
    stage s;
    stage_open(&s, HMD_MIME_JOINT_RPY);
    put_joint_block(&s);
    put_joint_state(&s);
    s.words[DIFFERENCES + 2 + 9] = 0x40000000;
    s.words[UNIT_1 + 6] = 0x7fffffff;
    s.words[WEIGHTS + 1] = 6; /* 6 * 2^30 = -2^31 at 32 bits; / 4096 = -2^19 */
    cr_assert(eq(int, play(&s, 2).eval, HMD_EVAL_OK));
    cr_assert(eq(u32, s.words[UNIT_1 + 6], 0x7fffffff - (1 << 19)));
}

Test(hmd_mime, the_axes_kind_is_reset_only)
{
    stage s;
    stage_open(&s, HMD_MIME_JOINT_AXES);
    put_joint_block(&s);
    put_joint_state(&s);
    cr_assert(eq(int, play(&s, 2).eval, HMD_EVAL_UNSUPPORTED));
    s.args.type = HMD_MIME_JOINT_AXES_RESET;
    cr_assert(eq(int, play(&s, 2).eval, HMD_EVAL_OK));
    cr_assert(eq(u32, s.words[UNIT_1], 0x11110000), "not changed, not put back");
    for (int i = 0; i < 4; i++) {
        s.words[JOINT_RESET + i] = halves(10 * i, 10 * i + 5);
    }
    s.words[JOINT_RESET + 4] = halves(40, 1);
    s.words[JOINT_RESET + 5] = 7;
    s.words[JOINT_RESET + 7] = 9;
    cr_assert(eq(int, play(&s, 2).eval, HMD_EVAL_OK));
    for (int i = 0; i < 9; i++) {
        HOLD(half(&s, UNIT_1 + 1, i) == 5 * i, "element %d", i);
    }
    cr_assert(eq(int, half(&s, UNIT_1 + 5, 1), 0x1111), "what is behind them stays");
    cr_assert(eq(u32, s.words[UNIT_1 + 6], 7));
    cr_assert(eq(u32, s.words[UNIT_1 + 7], 0));
    cr_assert(eq(u32, s.words[UNIT_1 + 8], 9));
    cr_assert(eq(u32, s.words[UNIT_1], 0));
    cr_assert(eq(int, half(&s, JOINT_RESET + 4, 1), 0));
    cr_assert(eq(u32, s.words[UNIT_1 + 18], halves(-1024, 99)), "the rotation stays");
}

/* ---- outside ---- */

static void hold_outside(stage *s, uint32_t difference, uint32_t off, const char *what)
{
    const hmd_outcome out = play(s, difference);
    HOLD(out.eval == HMD_EVAL_OUTSIDE, "%s: %d", what, out.eval);
    HOLD(out.off == off, "%s: at %u, not %u", what, out.off, off);
}

Test(hmd_mime, vertices_outside)
{
    stage s;
    stage_open(&s, HMD_MIME_VERTEX);
    put_vertex_block(&s);
    s.words[WEIGHTS] = 4096;
    hold_outside(&s, UINT32_MAX, UINT32_MAX, "block");
    hold_outside(&s, NUM_WORDS - DIFFERENCES, 4 * NUM_WORDS, "block behind the end");
    s.args.mimepr = NUM_WORDS;
    hold_outside(&s, 4, 4 * NUM_WORDS, "weights");
    s.args.mimepr = WEIGHTS;
    s.args.vertices = NUM_WORDS - 3;
    hold_outside(&s, 4, 4 * NUM_WORDS, "vertex cut off");
    s.args.vertices = NUM_WORDS - 4;
    s.words[DIFFERENCES + 4 + 4] = NUM_WORDS - DIFFERENCES;
    hold_outside(&s, 4, 4 * NUM_WORDS, "changed word");
    s.words[DIFFERENCES + 4 + 4] = 33;
    cr_assert(eq(int, play(&s, 4).eval, HMD_EVAL_OK));
    s.words[DIFFERENCES + 4] = halves(0xffff, 2);
    hold_outside(&s, 4, 4 * NUM_WORDS, "list of resets");
    s.words[DIFFERENCES + 4] = halves(1, 2);
    s.words[DIFFERENCES + 4 + 6] = halves(0, 0xffff);
    s.args.vertices = VERTICES;
    hold_outside(&s, 4, 4 * NUM_WORDS, "number of vertices");
    cr_assert(eq(u32, s.words[VERTICES + 2], 0), "nothing is moved before the end is known");
    s.words[DIFFERENCES + 4 + 6] = halves(0, 1);
    s.words[DIFFERENCES + 4 + 5] = UINT32_MAX;
    hold_outside(&s, 4, UINT32_MAX, "first vertex");
    s.words[DIFFERENCES + 4 + 2] = UINT32_MAX;
    hold_outside(&s, 4, UINT32_MAX, "difference data");
    s.args.num_keys = HMD_MIME_MAX_KEYS + 1;
    cr_assert(eq(int, play(&s, 4).eval, HMD_EVAL_UNSUPPORTED));
}

Test(hmd_mime, originals_outside)
{
    stage s;
    stage_open(&s, HMD_MIME_VERTEX_RESET);
    put_reset_block(&s, 1);
    s.args.originals = NUM_WORDS - 7;
    hold_outside(&s, 30, 4 * NUM_WORDS, "originals");
    stage_open(&s, HMD_MIME_VERTEX_RESET);
    put_reset_block(&s, 1);
    s.words[DIFFERENCES + 31] = 0x80000000;
    hold_outside(&s, 30, UINT32_MAX, "vertices");
    s.words[DIFFERENCES + 30] = halves(0, 0xffff);
    hold_outside(&s, 30, 4 * (DIFFERENCES + 31) + 12 * 0xfffe, "entries");
    hmd_outcome out = hmd_mime_keep(&s.image, &s.budget, &s.args, 30);
    cr_assert(eq(int, out.eval, HMD_EVAL_OUTSIDE));
    s.args.type = HMD_MIME_JOINT_RPY_RESET;
    out = hmd_mime_keep(&s.image, &s.budget, &s.args, 30);
    cr_assert(eq(int, out.eval, HMD_EVAL_OK), "joints keep their state by themselves");
}

Test(hmd_mime, joints_outside)
{
    stage s;
    static const uint32_t types[] = {HMD_MIME_JOINT_RPY, HMD_MIME_JOINT_RPY_RESET,
                                     HMD_MIME_JOINT_AXES_RESET};
    for (int i = 0; i < 3; i++) {
        stage_open(&s, types[i]);
        put_joint_block(&s);
        s.words[WEIGHTS] = 4096;
        s.words[DIFFERENCES + 2] = halves(2, 3);
        hold_outside(&s, 2, 4 * (COORDINATES + 1 + 40), "number of the unit");
        s.words[DIFFERENCES + 2] = halves(1, 3);
        s.args.coordinates = NUM_WORDS;
        hold_outside(&s, 2, 4 * NUM_WORDS, "count of units");
        s.args.coordinates = UINT32_MAX;
        hold_outside(&s, 2, UINT32_MAX, "coordinates");
    }
    stage_open(&s, HMD_MIME_JOINT_RPY);
    put_joint_block(&s);
    s.words[WEIGHTS] = 4096;
    s.words[DIFFERENCES + 2] = halves(1, 0xffff); /* the reset area lies behind 65,535 entries */
    hold_outside(&s, 2, 4 * (DIFFERENCES + 4) + 20 * 0xffff, "reset area");
}

Test(hmd_mime, work_is_paid_for)
{
    stage s;
    for (uint32_t left = 0; left < 9; left++) {
        stage_open(&s, HMD_MIME_VERTEX);
        put_vertex_block(&s);
        s.words[WEIGHTS] = s.words[WEIGHTS + 2] = 4096;
        s.budget.left = left;
        /* 1 for the block, 3 keys, 2 vectors of 2 words, 1 reset */
        HOLD(play(&s, 4).eval == HMD_EVAL_LIMIT, "%u units", left);
    }
    s.budget.left = 9;
    cr_assert(eq(int, play(&s, 4).eval, HMD_EVAL_OK));
    cr_assert(eq(u64, s.budget.left, 0));
}

Test(hmd_mime, any_bytes_end_in_an_outcome)
{
    static const uint32_t types[] = {0x04010011, 0x04010018, 0x04010019, 0x04010020,
                                     0x04010021, 0x04010028, 0x04010029};
    dice d = {11};
    int num[4] = {0};
    for (int n = 0; n < 100000; n++) {
        stage s;
        stage_open(&s, types[dice_below(&d, 7)]);
        for (uint32_t i = 0; i < NUM_WORDS; i++) {
            const uint32_t word = dice_next(&d);
            s.words[i] = dice_below(&d, 2) != 0 ? word : word & 0x00030007;
        }
        s.budget.left = dice_below(&d, 200);
        num[play(&s, dice_below(&d, 100)).eval]++;
    }
    cr_assert(gt(int, num[HMD_EVAL_OK], 1000));
    cr_assert(gt(int, num[HMD_EVAL_OUTSIDE], 1000));
    cr_assert(gt(int, num[HMD_EVAL_LIMIT], 100));
    cr_assert(eq(int, num[HMD_EVAL_UNSUPPORTED], 0));
}

/* ---- the library's words ---- */

static uint32_t pointer(const hmd_image *image, const hmd_bench_record *r, uint32_t argument)
{
    HOLD(argument < r->num_arguments, "argument %u", argument);
    return image->words[r->header + argument] & 0x7fffffff;
}

static hmd_mime_args arguments(const hmd_image *image, const hmd_bench_record *r,
                               const int32_t *weights)
{
    hmd_mime_args a = {.type = r->type, .weights = weights};
    uint32_t at = 0;
    const bool joint = (r->type & 0x20) == 0;
    if (joint) {
        a.coordinates = pointer(image, r, at++);
    }
    if ((r->type & 8) == 0) {
        a.mimepr = pointer(image, r, at++);
        a.num_keys = image->words[r->header + at++];
    }
    a.differences = pointer(image, r, at + 1);
    if (!joint) {
        a.originals = pointer(image, r, at + 2);
        a.vertices = pointer(image, r, at + 3);
        a.normals = pointer(image, r, at + 4);
    }
    return a;
}

typedef hmd_outcome step(hmd_image *, fh_budget *, const hmd_mime_args *, uint32_t);

static void run_record(hmd_image *image, const hmd_bench_record *r, const int32_t *weights,
                       step *take)
{
    fh_budget budget = {1 << 24};
    const hmd_mime_args args = arguments(image, r, weights);
    for (uint32_t i = 0; i < r->num_data; i++) {
        const uint32_t k = (r->type & 0x28) == 0x28 ? r->num_data - 1 - i : i;
        const hmd_outcome out = take(image, &budget, &args, image->words[r->data + k]);
        HOLD(out.eval == HMD_EVAL_OK || r->type == HMD_MIME_JOINT_AXES, "type %x: %d at %u",
             r->type, out.eval, out.off);
    }
}

/* Runs the MIMe records of an image that reset, or those that do not. */
static void run_all(hmd_image *image, bool resets, const int32_t *weights, step *take)
{
    hmd_bench_record records[HMD_BENCH_RECORDS];
    const size_t num = hmd_bench_records(image, 4, records);
    for (size_t i = 0; i < num; i++) {
        if (((records[i].type & 8) != 0) == resets) {
            run_record(image, &records[i], weights, take);
        }
    }
}

/* Takes what the axes kind writes, which is not modelled, from the recorded state. */
static void take_axes(const hmd_bench *b, hmd_image *to, const hmd_image *from)
{
    hmd_bench_record records[HMD_BENCH_RECORDS];
    const size_t num = hmd_bench_records(from, 4, records);
    for (size_t i = 0; i < num; i++) {
        if (records[i].type != HMD_MIME_JOINT_AXES) {
            continue;
        }
        const hmd_mime_args args = arguments(from, &records[i], NULL);
        for (uint32_t k = 0; k < records[i].num_data; k++) {
            const uint32_t block = args.differences + from->words[records[i].data + k];
            const uint32_t unit = b->first_unit + 20 * (from->words[block] & 0xffff);
            const uint32_t reset = block + 2 + 5 * (from->words[block] >> 16);
            memcpy(&to->words[unit], &from->words[unit], 80);
            memcpy(&to->words[reset], &from->words[reset], 32);
        }
    }
}

static const int32_t *weights_of(hmd_bench *b)
{
    static int32_t weights[HMD_MIME_MAX_KEYS];
    const size_t num = hmd_bench_numbers(b, "mimepr");
    for (size_t i = 0; i < num; i++) {
        weights[i] = (int32_t)b->numbers[i];
    }
    return num == 0 ? NULL : weights;
}

/* The recorded state of a frame is that at its end, and beside it the state before the resets. What
 * goes into MIMe is the end state too: rotations, translations and vertices have been put back, and
 * a 3x3 that was not is overwritten, or kept, by the next MIMe. */
static void hold_frame(hmd_bench *b)
{
    hmd_image before_resets = hmd_bench_copy(&b->image);
    hmd_image got = hmd_bench_copy(&b->image);
    const int32_t *weights = weights_of(b);
    hmd_bench_apply(b, &before_resets, "mc", "mw");
    run_all(&got, false, weights, hmd_mime_play);
    take_axes(b, &got, &before_resets);
    HOLD(hmd_bench_differ(b, &got, &before_resets) == 0, "%s frame %zu: %zu words after MIMe",
         b->scenario, b->next - 1, hmd_bench_differ(b, &got, &before_resets));
    run_all(&before_resets, true, NULL, hmd_mime_play);
    HOLD(hmd_bench_differ(b, &before_resets, &b->image) == 0,
         "%s frame %zu: %zu words after the resets", b->scenario, b->next - 1,
         hmd_bench_differ(b, &before_resets, &b->image));
    free(before_resets.words);
    free(got.words);
}

static void hold_sample(const char *name, size_t num_frames, size_t num_values)
{
    static hmd_bench b;
    size_t num = 0;
    size_t values = 0;
    hmd_bench_open(&b, name);
    for (size_t i = 0; hmd_bench_start(&b, i); i++) {
        run_all(&b.image, true, NULL, hmd_mime_keep);
        while (hmd_bench_next(&b)) {
            hmd_bench_apply(&b, &b.image, "c", "w");
            if (hmd_bench_has(&b, "mw") || hmd_bench_has(&b, "mimepr")) {
                hold_frame(&b);
                num++;
                values += hmd_bench_numbers(&b, "mw") / 2;
                values += hmd_bench_numbers(&b, "mc") / 16;
            }
        }
    }
    hmd_bench_close(&b);
    cr_assert(eq(sz, num, num_frames));
    cr_assert(eq(sz, values, num_values));
}

#define SAMPLE(name, num_frames, num_values)                                                       \
    Test(hmd_mime_library, name)                                                                   \
    {                                                                                              \
        hold_sample(#name, num_frames, num_values);                                                \
    }

SAMPLE(comb_ammonite_ammonite, 10, 16924)
SAMPLE(comb_tofu_tofu, 11, 13225)
SAMPLE(comb_walkrun_switch, 12, 144)
SAMPLE(mime_trirpy, 20, 156)
SAMPLE(mime_twister_axes, 20, 2489)
SAMPLE(tuto_pyramid_jntmime, 20, 31)
SAMPLE(tuto_pyramid_vtxjnt, 20, 292)
SAMPLE(tuto_pyramid_vtxmime, 20, 261)

/* Where nothing is animated, our own states follow each other through all frames. */
static void hold_chain(const char *name)
{
    static hmd_bench b;
    hmd_bench_open(&b, name);
    cr_assert(hmd_bench_start(&b, 0));
    run_all(&b.image, true, NULL, hmd_mime_keep);
    hmd_image own = hmd_bench_copy(&b.image);
    while (hmd_bench_next(&b)) {
        hmd_bench_apply(&b, &b.image, "c", "w");
        hmd_image before_resets = hmd_bench_copy(&b.image);
        hmd_bench_apply(&b, &before_resets, "mc", "mw");
        run_all(&own, false, weights_of(&b), hmd_mime_play);
        HOLD(hmd_bench_differ(&b, &own, &before_resets) == 0, "frame %zu after MIMe", b.next - 1);
        run_all(&own, true, NULL, hmd_mime_play);
        HOLD(hmd_bench_differ(&b, &own, &b.image) == 0, "frame %zu after the resets", b.next - 1);
        free(before_resets.words);
    }
    cr_assert(eq(sz, b.next, 20));
    free(own.words);
    hmd_bench_close(&b);
}

Test(hmd_mime_library, trirpy_in_a_row)
{
    hold_chain("mime_trirpy");
}

Test(hmd_mime_library, vtxmime_in_a_row)
{
    hold_chain("tuto_pyramid_vtxmime");
}
