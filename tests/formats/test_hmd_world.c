/* World matrices: the order of the units, their products, and what Sony's library computed for the
 * coordinates of its samples. */
#include "hmd/hmd_world.h"
#include "hmd_bench.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_UNITS = 300, FIRST = 3 };

/* Units in an image of their own, behind a few other words. */
typedef struct stage {
    uint32_t words[FIRST + 20 * MAX_UNITS];
    hmd_image image;
    int32_t parent[MAX_UNITS];
    uint32_t order[MAX_UNITS];
    fx_matrix matrix[MAX_UNITS];
    bool saturated[MAX_UNITS];
    hmd_world world;
    fh_budget budget;
} stage;

static void stage_open(stage *s, uint32_t num)
{
    memset(s, 0, sizeof *s);
    s->image = (hmd_image){s->words, FIRST + 20 * num, 0, NULL};
    s->world = (hmd_world){FIRST, num, s->parent, s->order, s->matrix, s->saturated, 0};
    s->budget.left = 1 << 20;
    for (uint32_t i = 0; i < num; i++) {
        s->parent[i] = -1;
    }
}

static void put_local(stage *s, uint32_t unit, const fx_matrix *m)
{
    const uint32_t off = 4 * (FIRST + 20 * unit);
    for (uint32_t i = 0; i < 9; i++) {
        cr_assert(hmd_image_put16(&s->image, off + 4 + 2 * i, (uint32_t)m->m[i / 3][i % 3]));
    }
    for (uint32_t i = 0; i < 3; i++) {
        cr_assert(hmd_image_put32(&s->image, off + 24 + 4 * i, (uint32_t)m->t[i]));
    }
}

static void hold_order(const stage *s)
{
    bool seen[MAX_UNITS] = {false};
    for (uint32_t i = 0; i < s->world.num; i++) {
        const uint32_t unit = s->order[i];
        HOLD(unit < s->world.num && !seen[unit], "place %u", i);
        HOLD(s->parent[unit] < 0 || seen[s->parent[unit]], "unit %u before its parent", unit);
        seen[unit] = true;
    }
}

Test(hmd_world, parents_come_first_in_any_forest)
{
    static stage s;
    dice d = {7};
    for (int n = 0; n < 300; n++) {
        const uint32_t num = 1 + dice_below(&d, MAX_UNITS);
        uint32_t name[MAX_UNITS];
        stage_open(&s, num);
        for (uint32_t i = 0; i < num; i++) {
            name[i] = i;
        }
        for (uint32_t i = num; i-- > 1;) {
            const uint32_t k = dice_below(&d, i + 1);
            const uint32_t swap = name[i];
            name[i] = name[k];
            name[k] = swap;
        }
        for (uint32_t i = 1; i < num; i++) {
            const uint32_t near = dice_below(&d, 4) != 0 ? i - 1 : dice_below(&d, i);
            s.parent[name[i]] = dice_below(&d, 20) == 0 ? -1 : (int32_t)name[near];
        }
        cr_assert(hmd_world_sort(&s.world));
        hold_order(&s);
    }
}

Test(hmd_world, cycles_and_parents_that_are_no_units_are_refused)
{
    static stage s;
    stage_open(&s, 5);
    s.parent[2] = 2;
    cr_assert(not(hmd_world_sort(&s.world)));
    stage_open(&s, 5);
    s.parent[0] = 1;
    s.parent[1] = 4;
    s.parent[4] = 0;
    cr_assert(not(hmd_world_sort(&s.world)));
    stage_open(&s, 5);
    s.parent[4] = 3;
    s.parent[3] = 1;
    s.parent[1] = 3;
    cr_assert(not(hmd_world_sort(&s.world)));
    stage_open(&s, 5);
    s.parent[3] = 5;
    cr_assert(not(hmd_world_sort(&s.world)));
    stage_open(&s, 5);
    s.parent[3] = 5;
    s.saturated[5] = true; /* as if it had its place: it is none of the five */
    cr_assert(not(hmd_world_sort(&s.world)));
    stage_open(&s, 0);
    cr_assert(hmd_world_sort(&s.world));
    cr_assert(eq(int, hmd_world_update(&s.world, &s.image, &s.budget).eval, HMD_EVAL_OK));
}

/* What an update left of any of them is nothing to the order. */
Test(hmd_world, units_are_sorted_again)
{
    static stage s;
    stage_open(&s, 3);
    s.parent[0] = 2;
    s.parent[1] = 0;
    for (uint32_t i = 0; i < 3; i++) {
        s.saturated[i] = true;
        cr_assert(hmd_world_sort(&s.world));
        hold_order(&s);
    }
}

/* Twenty units of work for each coordinate; only what lies outside has a place. */
Test(hmd_world, what_is_not_outside_has_no_place)
{
    static stage s;
    stage_open(&s, 2);
    cr_assert(hmd_world_sort(&s.world));
    for (uint64_t units = 39; units <= 40; units++) {
        s.budget.left = units;
        const hmd_outcome out = hmd_world_update(&s.world, &s.image, &s.budget);
        cr_assert(eq(int, out.eval, units < 40 ? HMD_EVAL_LIMIT : HMD_EVAL_OK));
        cr_assert(eq(u32, out.off, 0));
    }
}

/* By hand: the root turns x to y and moves by (10, 20, 30); the child stands before it. */
Test(hmd_world, a_child_is_moved_by_its_parent)
{
    static stage s;
    stage_open(&s, 2);
    s.parent[0] = 1;
    const fx_matrix root = {{{0, -4096, 0}, {4096, 0, 0}, {0, 0, 4096}}, {10, 20, 30}};
    const fx_matrix child = {{{4096, 0, 0}, {0, 8192, 0}, {0, 0, -4096}}, {100, 200, -300}};
    put_local(&s, 1, &root);
    put_local(&s, 0, &child);
    cr_assert(hmd_world_sort(&s.world));
    cr_assert(eq(int, hmd_world_update(&s.world, &s.image, &s.budget).eval, HMD_EVAL_OK));
    cr_assert(eq(u64, s.budget.left, (1 << 20) - 40));
    const fx_matrix want = {{{0, -8192, 0}, {4096, 0, 0}, {0, 0, -4096}}, {-190, 120, -270}};
    cr_assert(hmd_bench_equal(&s.matrix[0], &want));
    cr_assert(hmd_bench_equal(&s.matrix[1], &root));
    cr_assert(eq(u32, s.world.num_saturated, 0));
}

Test(hmd_world, saturated_units_are_told)
{
    static stage s;
    stage_open(&s, 4);
    s.parent[1] = 0;
    s.parent[2] = 1;
    s.parent[3] = 0;
    const fx_matrix twice = {{{16384, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}, {INT32_MAX, 0, 0}};
    const fx_matrix unit = {{{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}, {0, 0, 0}};
    const fx_matrix moved = {{{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}, {1, 0, 0}};
    put_local(&s, 0, &twice);
    put_local(&s, 1, &unit);
    put_local(&s, 2, &twice);
    put_local(&s, 3, &moved);
    cr_assert(hmd_world_sort(&s.world));
    cr_assert(eq(int, hmd_world_update(&s.world, &s.image, &s.budget).eval, HMD_EVAL_OK));
    cr_assert(eq(int, hmd_world_update(&s.world, &s.image, &s.budget).eval, HMD_EVAL_OK));
    cr_assert(eq(u32, s.world.num_saturated, 2), "each update counts anew");
    cr_assert(not(s.saturated[0]));
    cr_assert(not(s.saturated[1]));
    cr_assert(s.saturated[2], "an element above 16 bits");
    cr_assert(eq(int, s.matrix[2].m[0][0], INT16_MAX));
    cr_assert(s.saturated[3], "a translation above 32 bits");
    cr_assert(eq(i32, s.matrix[3].t[0], INT32_MIN + 3));
}

Test(hmd_world, nothing_is_read_outside)
{
    static stage s;
    stage_open(&s, 2);
    cr_assert(hmd_world_sort(&s.world));
    s.image.num_words--;
    hmd_outcome out = hmd_world_update(&s.world, &s.image, &s.budget);
    cr_assert(eq(int, out.eval, HMD_EVAL_OUTSIDE));
    cr_assert(eq(u32, out.off, 4 * s.image.num_words));
    s.world.first_unit = UINT32_MAX;
    out = hmd_world_update(&s.world, &s.image, &s.budget);
    cr_assert(eq(int, out.eval, HMD_EVAL_OUTSIDE));
    cr_assert(eq(u32, out.off, UINT32_MAX));
    s.world.first_unit = FIRST;
    s.image.num_words++;
    s.budget.left = 39;
    cr_assert(eq(int, hmd_world_update(&s.world, &s.image, &s.budget).eval, HMD_EVAL_LIMIT));
    fx_matrix m;
    cr_assert(hmd_world_local(&s.image, FIRST + 20, &m));
    cr_assert(not(hmd_world_local(&s.image, FIRST + 21, &m)));
    cr_assert(not(hmd_world_local(&s.image, UINT32_MAX, &m)));
}

/* ---- the library's matrices ---- */

static void hold_frame(hmd_bench *b, hmd_world *world)
{
    fh_budget budget = {1 << 20};
    cr_assert(eq(sz, hmd_bench_numbers(b, "lw"), 12 * (size_t)b->num_units));
    cr_assert(eq(int, hmd_world_update(world, &b->image, &budget).eval, HMD_EVAL_OK));
    for (uint32_t i = 0; i < 12 * b->num_units; i++) {
        const fx_matrix *m = &world->matrix[i / 12];
        const int64_t got = i % 12 < 9 ? m->m[i % 12 / 3][i % 3] : m->t[i % 12 - 9];
        HOLD(got == b->numbers[i], "%s frame %zu unit %u: value %u is %d, not %d", b->scenario,
             b->next - 1, i / 12, i % 12, (int)got, (int)b->numbers[i]);
    }
}

/* The matrices were recorded at the end of a frame, after the resets of MIMe. */
static void hold_sample(const char *name, size_t num_matrices)
{
    static hmd_bench b;
    static stage s;
    size_t num = 0;
    hmd_bench_open(&b, name);
    hmd_world world = {b.first_unit, b.num_units, b.parent, s.order, s.matrix, s.saturated, 0};
    cr_assert(hmd_world_sort(&world));
    for (size_t i = 0; hmd_bench_start(&b, i); i++) {
        while (hmd_bench_next(&b)) {
            hmd_bench_apply(&b, &b.image, "c", "w");
            if (hmd_bench_has(&b, "lw")) {
                hold_frame(&b, &world);
                num += b.num_units;
            }
        }
    }
    hmd_bench_close(&b);
    cr_assert(eq(sz, num, num_matrices));
}

#define SAMPLE(name, num_matrices)                                                                 \
    Test(hmd_world_library, name)                                                                  \
    {                                                                                              \
        hold_sample(#name, num_matrices);                                                          \
    }

SAMPLE(anim_balloon_balloon, 48)
SAMPLE(anim_cube0_cube0, 168)
SAMPLE(anim_domesc_domesc, 656)
SAMPLE(anim_interp_interp, 96)
SAMPLE(anim_ring_tiled, 312)
SAMPLE(anim_rots_rots, 168)
SAMPLE(anim_snake_04, 450)
SAMPLE(anim_snake_64_2, 450)
SAMPLE(anim_ufo_ufo, 48)
SAMPLE(comb_ammonite_ammonite, 24)
SAMPLE(comb_tofu_tofu, 12)
SAMPLE(comb_walkrun_switch, 84)
SAMPLE(equip_pp_pp_aim, 192)
SAMPLE(equip_pp_pp_fix, 96)
SAMPLE(equip_snowman_snowman, 288)
SAMPLE(mime_trirpy, 36)
SAMPLE(mime_twister_axes, 48)
SAMPLE(tuto_pyramid_jntmime, 4)
SAMPLE(tuto_pyramid_pyramid6, 48)
SAMPLE(tuto_pyramid_vtxjnt, 4)
SAMPLE(tuto_pyramid_vtxmime, 4)
