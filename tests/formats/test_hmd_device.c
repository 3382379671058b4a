/* Cameras and lights: by hand, outside, and what Sony's library left in its registers. */
#include "hmd/hmd_device.h"
#include "hmd/hmd_world.h"
#include "hmd_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the library's arithmetic ---- */

static int32_t reference_root(int32_t value)
{
    int64_t unit = 1;
    int shift = 0;
    int64_t i = value;
    while (i > 255) {
        i /= 4;
        shift++;
    }
    while (i < 64) {
        i *= 4;
        shift--;
    }
    for (int k = 0; k < 3 + shift; k++) {
        unit *= 2;
    }
    return (int32_t)((int64_t)floor(4096 * sqrt((double)i / 64)) * unit / 4096);
}

Test(fx_sqrt, by_the_table_of_the_description)
{
    dice d = {5};
    int32_t root = -7;
    cr_assert(fx_sqrt(&root, 0));
    cr_assert(eq(i32, root, 0));
    root = -7;
    cr_assert(fx_sqrt(&root, -1));
    cr_assert(eq(i32, root, 0));
    root = -7;
    cr_assert(not(fx_sqrt(&root, -2)));
    cr_assert(not(fx_sqrt(&root, INT32_MIN)));
    cr_assert(eq(i32, root, -7));
    for (int i = 0; i < 200000; i++) {
        const int32_t value = i < 70000 ? i + 1 : (int32_t)(dice_next(&d) >> (1 + i % 16)) + 1;
        HOLD(fx_sqrt(&root, value), "%d", value);
        HOLD(root == reference_root(value), "root of %d is %d, not %d", value, root,
             reference_root(value));
    }
    cr_assert(fx_sqrt(&root, INT32_MAX));
    cr_assert(eq(i32, root, reference_root(INT32_MAX)));
}

Test(fx_square, wraps)
{
    cr_assert(eq(i32, fx_square((const int32_t[3]){3, -4, 12}), 169));
    cr_assert(eq(i32, fx_square((const int32_t[3]){46341, 0, 0}), INT32_MIN + 4633));
    cr_assert(eq(i32, fx_square((const int32_t[3]){32768, 32768, 0}), INT32_MIN));
    cr_assert(eq(i32, fx_square((const int32_t[3]){INT32_MIN, INT32_MIN, INT32_MIN}), 0));
    cr_assert(eq(i32, fx_square((const int32_t[3]){INT32_MAX, INT32_MAX, INT32_MAX}), 3));
}

Test(fx_inverse, undoes_a_turn_and_a_move)
{
    const fx_matrix turned = {{{0, -4096, 0}, {4096, 0, 0}, {0, 0, 4096}}, {10, 20, -0x3fffffff}};
    const fx_matrix want = {{{0, 4096, 0}, {-4096, 0, 0}, {0, 0, 4096}}, {-20, 10, 0x3fffffff}};
    fx_matrix got;
    fx_inverse(&got, &turned);
    cr_assert(hmd_bench_equal(&got, &want));
    got = turned;
    fx_inverse(&got, &got);
    cr_assert(hmd_bench_equal(&got, &want), "in place");
}

/* ---- by hand ---- */

enum { PARAMETERS = 2, NUM_WORDS = 20 };

typedef struct stage {
    uint32_t words[NUM_WORDS];
    hmd_image image;
    hmd_device device;
    hmd_devices state;
    unsigned notes;
} stage;

static void stage_open(stage *s, uint32_t type)
{
    memset(s, 0, sizeof *s);
    s->image = (hmd_image){s->words, NUM_WORDS, 0, NULL};
    s->device = (hmd_device){.type = type, .parameters = PARAMETERS};
    s->notes = 99;
    hmd_devices_reset(&s->state);
}

static void put_camera(stage *s, int32_t roll, const int32_t position[3], const int32_t target[3])
{
    s->words[PARAMETERS + 1] = (uint32_t)roll;
    for (int i = 0; i < 3; i++) {
        s->words[PARAMETERS + 2 + i] = (uint32_t)position[i];
        s->words[PARAMETERS + 5 + i] = (uint32_t)target[i];
    }
}

static void put_light(stage *s, uint32_t colour, const int32_t position[3], const int32_t target[3])
{
    s->words[PARAMETERS] = colour;
    for (int i = 0; i < 3; i++) {
        s->words[PARAMETERS + 1 + i] = (uint32_t)position[i];
        s->words[PARAMETERS + 4 + i] = (uint32_t)target[i];
    }
}

static hmd_eval play(stage *s)
{
    return hmd_device_play(&s->state, &s->notes, &s->image, &s->device).eval;
}

static void hold_view(const stage *s, const fx_matrix *want)
{
    for (int i = 0; i < 9; i++) {
        HOLD(s->state.view.m[i / 3][i % 3] == want->m[i / 3][i % 3], "element %d is %d, not %d", i,
             s->state.view.m[i / 3][i % 3], want->m[i / 3][i % 3]);
    }
    for (int i = 0; i < 3; i++) {
        HOLD(s->state.view.t[i] == want->t[i], "t%d is %d, not %d", i, s->state.view.t[i],
             want->t[i]);
    }
}

static const int32_t origin[3] = {0, 0, 0};
static const fx_matrix identity = {{{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}, {0, 0, 0}};

Test(hmd_device, projection_is_a_register_of_16_bits)
{
    stage s;
    stage_open(&s, HMD_DEVICE_PROJECTION);
    s.words[PARAMETERS] = 0x12345;
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    cr_assert(eq(u16, s.state.projection, 0x2345));
    cr_assert(eq(u32, s.notes, 0));
}

Test(hmd_device, a_world_camera_looks_along_an_axis)
{
    stage s;
    stage_open(&s, HMD_DEVICE_CAMERA_WORLD);
    put_camera(&s, 0, (const int32_t[3]){1, 2, -1024}, (const int32_t[3]){1, 2, 0});
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    hold_view(&s, &(fx_matrix){{{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}, {-1, -2, 1024}});
    cr_assert(eq(u32, s.notes, 0));
    /* Along x: what is ahead becomes z, what is at z becomes -x. */
    put_camera(&s, 0, origin, (const int32_t[3]){1024, 0, 0});
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    hold_view(&s, &(fx_matrix){{{0, 0, -4096}, {0, 4096, 0}, {4096, 0, 0}}, {0, 0, 0}});
    /* Down along y: no side to turn to. */
    put_camera(&s, 0, origin, (const int32_t[3]){0, 1024, 0});
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    hold_view(&s, &(fx_matrix){{{4096, 0, 0}, {0, 0, -4096}, {0, 4096, 0}}, {0, 0, 0}});
}

Test(hmd_device, roll_is_4096_a_degree_and_cut)
{
    stage s;
    stage_open(&s, HMD_DEVICE_CAMERA_WORLD);
    put_camera(&s, 90 * 4096 + 359, (const int32_t[3]){5, 0, 0}, (const int32_t[3]){5, 0, 64});
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    hold_view(&s, &(fx_matrix){{{0, 4096, 0}, {-4096, 0, 0}, {0, 0, 4096}}, {0, 5, 0}});
}

/* Far points are brought to 15 bits for the direction; the translation is not. */
Test(hmd_device, far_cameras_keep_their_translation)
{
    stage s;
    stage_open(&s, HMD_DEVICE_CAMERA_WORLD);
    put_camera(&s, 0, (const int32_t[3]){100, 200, -1048576}, (const int32_t[3]){100, 200, 0});
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    hold_view(&s, &(fx_matrix){{{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}, {-100, -200, 1048576}});
    /* 3 behind the shift of 6 bits is nothing: the points coincide. */
    put_camera(&s, 0, (const int32_t[3]){0, 0, 1048576}, (const int32_t[3]){3, 0, 1048576});
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    cr_assert(eq(u32, s.notes, HMD_DEVICE_COINCIDE));
}

/* Whichever coordinate is the largest one, of 21 bits: all six are brought to 15, and the camera
 * turns as one does that stands and looks where they are then. The target's x is in another system,
 * a long way off. */
Test(hmd_device, any_coordinate_may_be_the_far_one)
{
    const fx_matrix other = {{{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}, {-1048576, 0, 0}};
    for (int k = 0; k < 12; k++) {
        int32_t points[6] = {6400, 12800, 19200, 25600, -32000, 38400};
        int32_t near[6];
        stage s;
        points[k % 6] = k < 6 ? 1048576 - 64 : 64 - 1048576;
        for (int i = 0; i < 6; i++) {
            near[i] = points[i] >> 6;
        }
        stage_open(&s, HMD_DEVICE_CAMERA_WORLD);
        put_camera(&s, 0, near, near + 3);
        cr_assert(eq(int, play(&s), HMD_EVAL_OK));
        const hmd_devices want = s.state;
        stage_open(&s, HMD_DEVICE_CAMERA_AIM);
        s.device.own = &identity;
        s.device.other = &other;
        put_camera(&s, 0, points, points + 3);
        s.words[PARAMETERS + 5] += 1048576;
        cr_assert(eq(int, play(&s), HMD_EVAL_OK));
        HOLD(memcmp(s.state.view.m, want.view.m, sizeof want.view.m) == 0, "coordinate %d", k);
    }
}

Test(hmd_device, a_camera_on_its_target_stops_with_its_roll)
{
    stage s;
    const int32_t at[3] = {7, 8, 9};
    stage_open(&s, HMD_DEVICE_CAMERA_WORLD);
    s.state.view.t[0] = 55;
    put_camera(&s, 90 * 4096, at, at);
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    cr_assert(eq(u32, s.notes, HMD_DEVICE_COINCIDE));
    hold_view(&s, &(fx_matrix){{{0, 4096, 0}, {-4096, 0, 0}, {0, 0, 4096}}, {0, 0, 0}});
}

Test(hmd_device, a_fix_camera_moves_with_its_system_and_rolls_by_the_target)
{
    const fx_matrix own = {{{0, 0, 4096}, {0, 4096, 0}, {-4096, 0, 0}}, {1000, 0, 0}};
    stage s;
    stage_open(&s, HMD_DEVICE_CAMERA_FIX);
    s.device.own = &own;
    put_camera(&s, 90 * 4096, (const int32_t[3]){0, 0, -1024}, origin);
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    cr_assert(eq(u32, s.notes, 0));
    /* The system's z is the world's x: seen from (1000 - 1024, 0, 0) along x. */
    hold_view(&s, &(fx_matrix){{{0, 0, -4096}, {0, 4096, 0}, {4096, 0, 0}}, {0, 0, 24}});
    s.device.own = &identity;
    put_camera(&s, 0, (const int32_t[3]){0, 0, -155648}, (const int32_t[3]){0, 0, 368640});
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    cr_assert(eq(u32, s.notes, HMD_DEVICE_ROLL));
    hold_view(&s, &(fx_matrix){{{0, 4096, 0}, {-4096, 0, 0}, {0, 0, 4096}}, {0, 0, 155648}});
}

Test(hmd_device, an_aim_camera_finds_a_target_in_another_system)
{
    const fx_matrix own = {{{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}, {100, 0, 0}};
    const fx_matrix other = {{{0, -4096, 0}, {4096, 0, 0}, {0, 0, 4096}}, {100, -50, 0}};
    stage s;
    stage_open(&s, HMD_DEVICE_CAMERA_AIM);
    s.device.own = &own;
    s.device.other = &other;
    /* (50, 0, 512) there is (100, 0, 512) in the world and (0, 0, 512) here. */
    put_camera(&s, 0, (const int32_t[3]){0, 0, 0}, (const int32_t[3]){50, 0, 512});
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    hold_view(&s, &(fx_matrix){{{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}, {-100, 0, 0}});
    cr_assert(eq(u32, s.notes, 0));
    /* Up to 16 to the side it does not turn aside; the quick root of 17 squared is 16, too. */
    put_camera(&s, 0, origin, (const int32_t[3]){50 + 2048, -16, 0});
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    cr_assert(eq(int, s.state.view.m[0][0], 4096));
    put_camera(&s, 0, origin, (const int32_t[3]){50 + 2048, -16, 6});
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    cr_assert(eq(int, s.state.view.m[0][0], 6 * 4096 / 17), "the root of 292 is 17");
    put_camera(&s, 0, origin, (const int32_t[3]){50 + 2048, -18, 0});
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    cr_assert(eq(int, s.state.view.m[0][0], 0));
}

Test(hmd_device, saturated_views_are_told)
{
    const fx_matrix own = {{{32767, 32767, 32767}, {32767, 32767, 32767}, {32767, 32767, 32767}},
                           {0, 0, 0}};
    stage s;
    stage_open(&s, HMD_DEVICE_CAMERA_FIX);
    s.device.own = &own;
    put_camera(&s, 0, origin, (const int32_t[3]){64, 64, 64});
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    cr_assert(eq(u32, s.notes, HMD_DEVICE_ROLL | HMD_DEVICE_SATURATED));
}

Test(hmd_device, lights_fill_their_row_and_column)
{
    const fx_matrix own = {{{0, -4096, 0}, {4096, 0, 0}, {0, 0, 4096}}, {9, 0, 0}};
    const fx_matrix other = {{{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}, {9, 0, 1024}};
    stage s;
    stage_open(&s, HMD_DEVICE_LIGHT_WORLD);
    put_light(&s, 0xff01ff80, (const int32_t[3]){1024, 5, 5}, (const int32_t[3]){0, 5, 5});
    s.device.item = 2;
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    static const int16_t row[3] = {4096, 0, 0};
    cr_assert(eq(int, memcmp(s.state.light[2], row, sizeof row), 0));
    cr_assert(eq(int, s.state.colour[0][2], 0x800));
    cr_assert(eq(int, s.state.colour[1][2], 0xff0));
    cr_assert(eq(int, s.state.colour[2][2], 0x10));
    cr_assert(eq(u32, s.notes, 0));

    s.device.type = HMD_DEVICE_LIGHT_FIX;
    s.device.own = &own;
    s.device.item = 1 | 3 << 16; /* parameters 3 words on */
    s.words[PARAMETERS + 3] = 0x00ffffff;
    for (int i = 0; i < 6; i++) {
        s.words[PARAMETERS + 4 + i] = i == 0 ? 2048 : 0;
    }
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    static const int16_t turned[3] = {0, 4096, 0};
    cr_assert(eq(int, memcmp(s.state.light[1], turned, sizeof turned), 0));
    cr_assert(eq(int, s.state.colour[2][1], 0xff0));

    s.device.type = HMD_DEVICE_LIGHT_AIM;
    s.device.other = &other;
    s.device.item = 0;
    put_light(&s, 0, origin, origin);
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    static const int16_t back[3] = {0, 0, -4096};
    cr_assert(eq(int, memcmp(s.state.light[0], back, sizeof back), 0));
    cr_assert(eq(int, memcmp(s.state.light[2], row, sizeof row), 0), "other lights stay");
}

Test(hmd_device, a_light_on_its_target_stays_as_it_was)
{
    stage s;
    stage_open(&s, HMD_DEVICE_LIGHT_WORLD);
    s.state.light[0][1] = 77;
    s.state.colour[0][0] = 66;
    put_light(&s, 0xffffff, origin, origin);
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    cr_assert(eq(u32, s.notes, HMD_DEVICE_COINCIDE));
    cr_assert(eq(int, s.state.light[0][1], 77));
    cr_assert(eq(int, s.state.colour[0][0], 66));
}

Test(hmd_device, ambient_sets_the_back_colour)
{
    stage s;
    stage_open(&s, HMD_DEVICE_AMBIENT);
    s.device.item = 7 << 16 | 9;
    s.words[PARAMETERS + 7] = 0xff030201;
    cr_assert(eq(int, play(&s), HMD_EVAL_OK));
    static const uint8_t want[3] = {1, 2, 3};
    cr_assert(eq(int, memcmp(s.state.back, want, 3), 0));
    cr_assert(eq(u32, hmd_device_play(&s.state, &s.notes, &s.image, &s.device).off, 0));
}

/* ---- refused ---- */

/* By member: what lies between them is nobody's. */
static bool same_state(const hmd_devices *a, const hmd_devices *b)
{
    return hmd_bench_equal(&a->view, &b->view) && a->projection == b->projection &&
           memcmp(a->light, b->light, sizeof a->light) == 0 &&
           memcmp(a->colour, b->colour, sizeof a->colour) == 0 &&
           memcmp(a->back, b->back, sizeof a->back) == 0;
}

static void hold_refused(stage *s, hmd_eval eval, uint32_t off, const char *what)
{
    const hmd_devices before = s->state;
    s->notes = 99;
    const hmd_outcome out = hmd_device_play(&s->state, &s->notes, &s->image, &s->device);
    HOLD(out.eval == eval && out.off == off, "%s: %d at %u", what, out.eval, out.off);
    HOLD(same_state(&before, &s->state), "%s: the state stays", what);
    HOLD(s->notes == 99, "%s: the notes stay", what);
}

Test(hmd_device, parameters_outside)
{
    static const struct {
        uint32_t type;
        uint32_t num; /* words that it reads */
    } types[] = {{HMD_DEVICE_PROJECTION, 1}, {HMD_DEVICE_CAMERA_WORLD, 8},
                 {HMD_DEVICE_CAMERA_FIX, 8}, {HMD_DEVICE_CAMERA_AIM, 8},
                 {HMD_DEVICE_AMBIENT, 1},    {HMD_DEVICE_LIGHT_WORLD, 7},
                 {HMD_DEVICE_LIGHT_FIX, 7},  {HMD_DEVICE_LIGHT_AIM, 7}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        stage s;
        stage_open(&s, types[i].type);
        s.device.own = s.device.other = &identity;
        s.device.parameters = NUM_WORDS - types[i].num;
        cr_assert(eq(int, play(&s), HMD_EVAL_OK));
        s.device.parameters++;
        hold_refused(&s, HMD_EVAL_OUTSIDE, 4 * NUM_WORDS, "cut off");
        s.device.parameters = UINT32_MAX;
        hold_refused(&s, HMD_EVAL_OUTSIDE, UINT32_MAX, "far off");
    }
    stage s;
    stage_open(&s, HMD_DEVICE_AMBIENT);
    s.device.item = NUM_WORDS << 16;
    hold_refused(&s, HMD_EVAL_OUTSIDE, 4 * (PARAMETERS + NUM_WORDS), "parameter index");
}

Test(hmd_device, what_is_not_modelled_is_said)
{
    stage s;
    stage_open(&s, 0x07040100);
    hold_refused(&s, HMD_EVAL_UNSUPPORTED, 0, "no such device");
    stage_open(&s, HMD_DEVICE_LIGHT_WORLD);
    put_light(&s, 0, (const int32_t[3]){1, 0, 0}, origin);
    s.device.item = 3;
    hold_refused(&s, HMD_EVAL_UNSUPPORTED, 0, "light 3");
    s.device.item = 0;
    put_light(&s, 0, (const int32_t[3]){46341, 0, 0}, origin);
    hold_refused(&s, HMD_EVAL_UNSUPPORTED, 0, "a square of more than 31 bits");
    stage_open(&s, HMD_DEVICE_CAMERA_WORLD);
    put_camera(&s, 0, (const int32_t[3]){-32767, 0, 0}, (const int32_t[3]){32767, 0, 0});
    hold_refused(&s, HMD_EVAL_UNSUPPORTED, 0, "a line of sight too long");
    static const uint32_t both[] = {HMD_DEVICE_CAMERA_FIX, HMD_DEVICE_CAMERA_AIM,
                                    HMD_DEVICE_LIGHT_FIX, HMD_DEVICE_LIGHT_AIM};
    for (int i = 0; i < 4; i++) {
        stage_open(&s, both[i]);
        s.device.other = &identity;
        hold_refused(&s, HMD_EVAL_UNSUPPORTED, 0, "no coordinate");
        s.device.own = &identity;
        s.device.other = NULL;
        cr_assert(eq(int, play(&s), i % 2 == 1 ? HMD_EVAL_UNSUPPORTED : HMD_EVAL_OK));
    }
}

Test(hmd_device, any_numbers_end_in_an_outcome)
{
    static const uint32_t types[] = {0x07000100, 0x07010100, 0x07020100, 0x07030100,
                                     0x07000200, 0x07010200, 0x07020200, 0x07030200};
    dice d = {13};
    int num[4] = {0};
    for (int n = 0; n < 200000; n++) {
        stage s;
        fx_matrix world[2];
        stage_open(&s, types[dice_below(&d, 8)]);
        const uint32_t shift = dice_below(&d, 24);
        for (int i = 0; i < NUM_WORDS; i++) {
            const uint32_t extreme = 0x7fffffff + dice_below(&d, 3);
            s.words[i] =
                dice_below(&d, 9) == 0 ? extreme : (uint32_t)((int32_t)dice_next(&d) >> shift);
        }
        for (int i = 0; i < 18; i++) {
            world[i / 9].m[i % 9 / 3][i % 3] = fx_w16(dice_next(&d));
            world[i / 9].t[i % 3] = fx_w32(dice_next(&d));
        }
        s.device.own = &world[0];
        s.device.other = &world[1];
        s.device.item = dice_below(&d, 4);
        num[play(&s)]++;
    }
    cr_assert(gt(int, num[HMD_EVAL_OK], 10000));
    cr_assert(gt(int, num[HMD_EVAL_UNSUPPORTED], 10000));
    cr_assert(eq(int, num[HMD_EVAL_OUTSIDE], 0));
}

/* ---- the library's registers ---- */

enum { MAX_UNITS = HMD_BENCH_COORDS };

typedef struct scene {
    hmd_world world;
    uint32_t order[MAX_UNITS];
    fx_matrix matrix[MAX_UNITS];
    bool saturated[MAX_UNITS];
    hmd_devices state;
    bool lit;
} scene;

static const fx_matrix *unit_of(const hmd_bench *b, const scene *s, const hmd_bench_record *r,
                                uint32_t argument)
{
    if (argument >= r->num_arguments) {
        return NULL;
    }
    const uint32_t word = b->image.words[r->header + argument] & 0x7fffffff;
    const uint32_t unit = (word - b->first_unit) / 20;
    HOLD(word >= b->first_unit && unit < b->num_units, "unit at word %u", word);
    return &s->matrix[unit];
}

static void play_record(const hmd_bench *b, scene *s, const hmd_bench_record *r)
{
    const bool light = (r->type & 0xffff) == 0x200;
    for (uint32_t i = 0; i < (light ? r->num_data : 1); i++) {
        const hmd_device device = {.type = r->type,
                                   .parameters = b->image.words[r->header] & 0x7fffffff,
                                   .item = light ? b->image.words[r->data + i] : 0,
                                   .own = unit_of(b, s, r, 1),
                                   .other = unit_of(b, s, r, 2)};
        unsigned notes = 99;
        const hmd_outcome out = hmd_device_play(&s->state, &notes, &b->image, &device);
        HOLD(out.eval == HMD_EVAL_OK && notes == 0, "type %x: %d at %u, notes %u", r->type,
             out.eval, out.off, notes);
        s->lit = s->lit || light;
    }
}

static size_t hold_numbers(hmd_bench *b, const char *name, const int64_t *got, size_t num)
{
    HOLD(hmd_bench_numbers(b, name) == num, "%s", name);
    for (size_t i = 0; i < num; i++) {
        HOLD(got[i] == b->numbers[i], "%s frame %zu %s: value %zu is %d, not %d", b->scenario,
             b->next - 1, name, i, (int)got[i], (int)b->numbers[i]);
    }
    return num;
}

static size_t hold_registers(hmd_bench *b, const scene *s)
{
    int64_t view[12], light[9], colour[9];
    const int64_t projection = s->state.projection;
    for (int i = 0; i < 12; i++) {
        view[i] = i < 9 ? s->state.view.m[i / 3][i % 3] : s->state.view.t[i - 9];
    }
    for (int i = 0; i < 9; i++) {
        light[i] = s->state.light[i / 3][i % 3];
        colour[i] = s->state.colour[i / 3][i % 3];
    }
    size_t num = hold_numbers(b, "eq.ws", view, 12) + hold_numbers(b, "eq.h", &projection, 1);
    if (s->lit) { /* otherwise the lights are the program's */
        num += hold_numbers(b, "eq.lws", light, 9) + hold_numbers(b, "eq.lc", colour, 9);
    }
    return num;
}

/* The devices stand before the animation: they run on the state that the frame before left. */
static void hold_sample(const char *name, size_t num_values)
{
    static hmd_bench b;
    static scene s;
    hmd_bench_record records[HMD_BENCH_RECORDS];
    size_t num = 0;
    hmd_bench_open(&b, name);
    s.world = (hmd_world){b.first_unit, b.num_units, b.parent, s.order, s.matrix, s.saturated, 0};
    cr_assert(hmd_world_sort(&s.world));
    for (size_t i = 0; hmd_bench_start(&b, i); i++) {
        hmd_devices_reset(&s.state);
        while (hmd_bench_next(&b)) {
            fh_budget budget = {1 << 20};
            cr_assert(eq(int, hmd_world_update(&s.world, &b.image, &budget).eval, HMD_EVAL_OK));
            const size_t num_records = hmd_bench_records(&b.image, 7, records);
            for (size_t k = 0; k < num_records; k++) {
                play_record(&b, &s, &records[k]);
            }
            num += hmd_bench_has(&b, "eq") ? hold_registers(&b, &s) : 0;
            hmd_bench_apply(&b, &b.image, "c", "w");
        }
    }
    hmd_bench_close(&b);
    cr_assert(eq(sz, num, num_values));
}

Test(hmd_device_library, equip_pp_pp_aim)
{
    hold_sample("equip_pp_pp_aim", 240 * 13);
}

Test(hmd_device_library, equip_pp_pp_fix)
{
    hold_sample("equip_pp_pp_fix", 120 * 13);
}

Test(hmd_device_library, equip_snowman_snowman)
{
    hold_sample("equip_snowman_snowman", 240 * 31);
}
