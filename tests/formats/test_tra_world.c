/* World matrices of a TRA4 text and its model against a second way to them: quaternions, and a
 * whole inverse. */
#include "tra_bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- world space, another way: quaternions, and a whole inverse ---- */

enum { MOST_BONES = 12, NUM_FRAMES = 4, NUM_VALUES = 10 };

typedef struct matrix {
    long double m[4][4];
} matrix;

typedef struct scene {
    int num;
    int depth[MOST_BONES];
    char points[MOST_BONES][9][24];
    char values[MOST_BONES][NUM_VALUES][2][24]; /* at the first and the last frame */
} scene;

static matrix times(const matrix *a, const matrix *b)
{
    matrix out = {0};
    for (int i = 0; i < 64; i++) {
        out.m[i / 16][i / 4 % 4] += a->m[i / 16][i % 4] * b->m[i % 4][i / 4 % 4];
    }
    return out;
}

/* By elimination, as on paper: nothing is known of what the matrix is. */
static matrix inverse(matrix a)
{
    matrix out = {0};
    for (int i = 0; i < 4; i++) {
        out.m[i][i] = 1;
    }
    for (int col = 0; col < 4; col++) {
        int best = col;
        for (int row = col; row < 4; row++) {
            best = fabsl(a.m[row][col]) > fabsl(a.m[best][col]) ? row : best;
        }
        for (int k = 0; k < 4; k++) {
            const long double x = a.m[col][k], y = out.m[col][k];
            a.m[col][k] = a.m[best][k], out.m[col][k] = out.m[best][k];
            a.m[best][k] = x, out.m[best][k] = y;
        }
        const long double pivot = a.m[col][col];
        for (int k = 0; k < 4; k++) {
            a.m[col][k] /= pivot, out.m[col][k] /= pivot;
        }
        for (int row = 0; row < 4; row++) {
            const long double factor = row == col ? 0 : a.m[row][col];
            for (int k = 0; k < 4; k++) {
                a.m[row][k] -= factor * a.m[col][k];
                out.m[row][k] -= factor * out.m[col][k];
            }
        }
    }
    return out;
}

/* w, x, y, z, of any length. */
static matrix turn(long double w, long double x, long double y, long double z)
{
    const long double n = 2 / (w * w + x * x + y * y + z * z);
    return (matrix){{{1 - n * (y * y + z * z), n * (x * y - w * z), n * (x * z + w * y), 0},
                     {n * (x * y + w * z), 1 - n * (x * x + z * z), n * (y * z - w * x), 0},
                     {n * (x * z - w * y), n * (y * z + w * x), 1 - n * (x * x + y * y), 0},
                     {0, 0, 0, 1}}};
}

static void cross(long double out[3], const long double a[3], const long double b[3])
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

static void put_column(matrix *to, int col, const long double v[3])
{
    const long double length = sqrtl(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        to->m[i][col] = v[i] / length;
    }
}

static matrix rest_of(const scene *s, int bone)
{
    long double at[3], x[3], y[3], z[3];
    matrix out = {.m[3][3] = 1};
    for (int i = 0; i < 3; i++) {
        at[i] = strtof(s->points[bone][i], NULL);
        z[i] = strtof(s->points[bone][3 + i], NULL) - at[i];
        y[i] = strtof(s->points[bone][6 + i], NULL) - at[i];
        out.m[i][3] = at[i];
    }
    cross(x, y, z);
    cross(y, z, x);
    put_column(&out, 0, x);
    put_column(&out, 1, y);
    put_column(&out, 2, z);
    return out;
}

static matrix pose_of(const scene *s, int bone, int frame)
{
    long double v[NUM_VALUES];
    for (int i = 0; i < NUM_VALUES; i++) {
        const long double a = strtof(s->values[bone][i][0], NULL);
        const long double b = strtof(s->values[bone][i][1], NULL);
        v[i] = a + (b - a) * frame / (NUM_FRAMES - 1);
    }
    const long double length = sqrtl(v[6] * v[6] + v[7] * v[7] + v[8] * v[8]);
    const long double half = v[9] * acosl(-1) / 360;
    const matrix rotate = turn(length + v[8], -v[7], v[6], 0);
    const matrix roll = turn(cosl(half), 0, 0, sinl(half));
    const matrix scale = {{{v[3] / 100}, {0, v[4] / 100}, {0, 0, v[5] / 100}, {0, 0, 0, 1}}};
    matrix out = times(&rotate, &roll);
    out = times(&out, &scale);
    for (int i = 0; i < 3; i++) {
        out.m[i][3] = v[i];
    }
    return out;
}

static int parent_of(const scene *s, int bone)
{
    int at = bone - 1;
    while (at >= 0 && s->depth[at] != s->depth[bone] - 1) {
        at--;
    }
    return s->depth[bone] == 0 ? -1 : at;
}

static matrix world_of(const scene *s, int bone, int frame)
{
    const matrix rest = rest_of(s, bone);
    const matrix pose = pose_of(s, bone, frame);
    const int parent = parent_of(s, bone);
    if (parent < 0) {
        return times(&rest, &pose);
    }
    const matrix above = world_of(s, parent, frame);
    const matrix back = inverse(rest_of(s, parent));
    matrix out = times(&above, &back);
    out = times(&out, &rest);
    return times(&out, &pose);
}

static double number(dice *d, double most)
{
    return ((double)dice_next(d) / UINT32_MAX * 2 - 1) * most;
}

/* A direction that is neither short nor near -Z, where the shortest turn is not defined. */
static void put_direction(dice *d, scene *s, int bone)
{
    for (int end = 0; end < 2; end++) {
        (void)snprintf(s->values[bone][6][end], 24, "%.6f", number(d, 1));
        (void)snprintf(s->values[bone][7][end], 24, "%.6f", number(d, 1));
        (void)snprintf(s->values[bone][8][end], 24, "%.6f", 0.3 + fabs(number(d, 1)));
    }
}

static void make_scene(dice *d, scene *s)
{
    s->num = 1 + (int)dice_below(d, MOST_BONES);
    for (int i = 0; i < s->num; i++) {
        s->depth[i] = i == 0 ? 0 : (int)dice_below(d, (uint32_t)s->depth[i - 1] + 2);
        double at[3], z[3] = {0}, y[3] = {0};
        for (int k = 0; k < 3; k++) {
            at[k] = number(d, 50);
        }
        const int axis = (int)dice_below(d, 3);
        z[axis] = dice_below(d, 2) == 0 ? 1 : -1;
        y[(axis + 1) % 3] = dice_below(d, 2) == 0 ? 1 : -1;
        for (int k = 0; k < 3; k++) {
            (void)snprintf(s->points[i][k], 24, "%.6f", at[k]);
            (void)snprintf(s->points[i][3 + k], 24, "%.6f", at[k] + 3 * z[k] + number(d, 0.5));
            (void)snprintf(s->points[i][6 + k], 24, "%.6f", at[k] + 2 * y[k] + number(d, 0.5));
        }
        for (int k = 0; k < NUM_VALUES; k++) {
            const double middle = k >= 3 && k < 6 ? 100 : 0;
            const double most = k < 3 ? 20 : k < 6 ? 50 : 170;
            (void)snprintf(s->values[i][k][0], 24, "%.6f", middle + number(d, most));
            (void)snprintf(s->values[i][k][1], 24, "%.6f", middle + number(d, most));
        }
        put_direction(d, s, i);
    }
}

static void write_scene(const scene *s, char *tra, char *bac, size_t size)
{
    static const char *const names[NUM_VALUES] = {
        "translate.x", "translate.y", "translate.z", "scale.x",  "scale.y",
        "scale.z",     "rotate.x",    "rotate.y",    "rotate.z", "roll"};
    size_t t = (size_t)snprintf(tra, size, "tra\nmagic\nhead\nfigure %d\n", NUM_FRAMES);
    size_t b = (size_t)snprintf(bac, size, BAC);
    for (int i = 0; i < s->num; i++) {
        t += (size_t)snprintf(tra + t, size - t, "bone b%d\n", i);
        b += (size_t)snprintf(bac + b, size - b, "bone b%d %d", i, s->depth[i]);
        for (int k = 0; k < 9; k++) {
            b += (size_t)snprintf(bac + b, size - b, " %s", s->points[i][k]);
        }
        b += (size_t)snprintf(bac + b, size - b, "\n");
        for (int k = 0; k < NUM_VALUES; k++) {
            t += (size_t)snprintf(tra + t, size - t, "%s 0 %s %d %s\n", names[k],
                                  s->values[i][k][0], NUM_FRAMES - 1, s->values[i][k][1]);
        }
    }
}

static double world_at(const bench *b, int64_t bone, uint32_t frame, const char *column)
{
    const int64_t bits = record_value(&b->replay, "world", bone, frame, column);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void hold_world(const pair *p, const matrix *want, int bone, int frame)
{
    static const char *const columns[3][4] = {
        {"m00", "m01", "m02", "t0"}, {"m10", "m11", "m12", "t1"}, {"m20", "m21", "m22", "t2"}};
    for (int i = 0; i < 12; i++) {
        const double got = world_at(&p->b, bone, (uint32_t)frame, columns[i / 4][i % 4]);
        const double expected = (double)want->m[i / 4][i % 4];
        HOLD(fabs(got - expected) <= 1e-11 * (1 + fabs(expected)),
             "bone %d frame %d %s is %.17g, not %.17g", bone, frame, columns[i / 4][i % 4], got,
             expected);
    }
}

Test(world, agrees_with_quaternions)
{
    dice d = {4711};
    enum { SIZE = 1 << 16, NUM_SCENES = 60 };
    char *tra = malloc(SIZE);
    char *bac = malloc(SIZE);
    for (int round = 0; round < NUM_SCENES; round++) {
        scene s;
        pair p;
        make_scene(&d, &s);
        write_scene(&s, tra, bac, SIZE);
        pair_forge(&p, tra, bac);
        HOLD(record_count(&p.b.verify, "TRA0127") + record_count(&p.b.verify, "TRA0128") == 0, "%s",
             record_codes(&p.b.verify));
        bench_replay(&p.b, &(fh_replay_options){.world = true, .changes_only = round % 2 != 0});
        HOLD(p.b.result.state == FH_REPLAY_COMPLETE, "replay");
        for (int i = 0; i < s.num * NUM_FRAMES; i++) {
            const matrix want = world_of(&s, i / NUM_FRAMES, i % NUM_FRAMES);
            hold_world(&p, &want, i / NUM_FRAMES, i % NUM_FRAMES);
        }
        pair_close(&p);
    }
    free(tra);
    free(bac);
}

/* By hand: the hip moves along X, the leg hangs from it, turned by a quarter about Z. */
Test(world, a_parent_moves_its_child)
{
    pair p;
    pair_forge(&p,
               "tra\nmagic\nhead\nfigure 3\nbone hip\ntranslate.x 0 0 1 4 2 4\nbone leg\n"
               "roll 0 90 2 90\ntranslate.y 0 1 2 1\n",
               BAC "bone hip 0\nbone leg 1 0 10 0 0 10 1 1 10 0\n");
    bench_replay(&p.b, &(fh_replay_options){.world = true, .changes_only = true});
    cr_assert(eq(str, (char *)record_codes(&p.b.verify), "0076"));
    /* Y of the leg is X of the world, its X is -Y; a quarter more and they are Y and X again, and a
     * step along its own Y is one along X. */
    static const double want[12] = {1, 0, 0, 1, 0, 1, 0, 10, 0, 0, 1, 0};
    matrix m = {0};
    for (int i = 0; i < 12; i++) {
        m.m[i / 4][i % 4] = want[i];
    }
    hold_world(&p, &m, 1, 0);
    m.m[0][3] = 5;
    hold_world(&p, &m, 1, 1);
    /* The leg has a row where its parent moved, though it did not itself; and none where not. */
    HOLD(record_has_row(&p.b.replay, "world", 1, 1), "a row of the leg");
    HOLD(!record_has_row(&p.b.replay, "bone", 1, 1), "no row of its pose");
    HOLD(!record_has_row(&p.b.replay, "world", 0, 2) && !record_has_row(&p.b.replay, "world", 1, 2),
         "no rows where nothing moves");
    pair_close(&p);
}

/* A model without a skeleton, as the public writer has it, stands unturned. */
Test(world, a_handle_that_does_not_fix_the_turn)
{
    pair p;
    pair_forge(&p, "tra\nmagic\nhead\nfigure 2\nbone hip\n",
               BAC "bone hip 0 0 0 0 0 0 360 0 0 0\n");
    bench_replay(&p.b, &(fh_replay_options){.world = true});
    matrix m = {{{1}, {0, 1}, {0, 0, 1}}};
    cr_assert(eq(str, (char *)record_codes(&p.b.verify), "0129"));
    hold_world(&p, &m, 0, 1);
    pair_close(&p);
}

/* Brothers of a root are roots, and a brother comes behind all that is below the bone. */
Test(world, brothers)
{
    pair p;
    pair_forge(&p,
               "tra\nmagic\nhead\nfigure 2\nbone a\ntranslate.x 0 1 1 1\nbone b\n"
               "translate.x 0 2 1 2\nbone c\ntranslate.x 0 4 1 4\nbone d\ntranslate.x 0 8 1 8\n"
               "bone e\ntranslate.x 0 16 1 16\n",
               BAC "bone a 0\nbone b 1\nbone c 2\nbone d 1\nbone e 0\n");
    bench_replay(&p.b, &(fh_replay_options){.world = true});
    cr_assert(eq(str, (char *)record_codes(&p.b.verify), ""));
    static const double want[] = {1, 3, 7, 9, 16};
    for (int i = 0; i < 5; i++) {
        HOLD(world_at(&p.b, i, 0, "t0") == want[i], "bone %d: %g", i, world_at(&p.b, i, 0, "t0"));
    }
    pair_close(&p);
}

/* Numbers that leave the range of a double are no numbers any more, and nothing worse. */
Test(world, beyond_all_bounds)
{
    char tra[8192] = "tra\nmagic\nhead\nfigure 2\n";
    char bac[8192] = BAC;
    for (int i = 0; i < 12; i++) {
        strcat(tra, "bone b\nscale.x 0 3e38 1 3e38\ntranslate.x 0 3e38 1 3e38\n");
        sprintf(bac + strlen(bac), "bone b %d 0 0 0 3e38 0 0 0 3e38 0\n", i);
    }
    pair p;
    pair_forge(&p, tra, bac);
    bench_replay(&p.b, &(fh_replay_options){.world = true});
    HOLD(p.b.result.state == FH_REPLAY_COMPLETE, "replay");
    HOLD(!isfinite(world_at(&p.b, 11, 1, "t2")), "a number");
    pair_close(&p);
}

/* Without what it takes there is no world space: with a model that does not do, nothing at all. */
Test(world, where_it_is_not_known)
{
    static const struct {
        const char *bac, *codes;
    } cases[] = {{BAC "bone hip 0\n", "0120"},
                 {BAC "bone hip 0\nbone leg 1 hasChild=true\n", "0127"},
                 {BAC "bone hip 0\nbone leg 1 omit=handle\n", "0128"},
                 {BAC "bone hip 0\nbone leg 1 hasChild=maybe\n", "0125"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pair p;
        const char *codes = codes_of(&p, HIP_AND_LEG, cases[i].bac);
        HOLD(strcmp(codes, cases[i].codes) == 0, "case %zu: %s", i, codes);
        bench_replay(&p.b, &(fh_replay_options){.world = true});
        HOLD(p.b.replay_status == FH_OK && p.b.result.state == FH_REPLAY_BROKEN, "case %zu", i);
        HOLD(p.b.replay.num_frames == 0 && p.b.result.frames == 0, "case %zu: frames", i);
        bench_replay(&p.b, &(fh_replay_options){0});
        HOLD(p.b.result.state == FH_REPLAY_COMPLETE, "case %zu: the poses are there", i);
        pair_close(&p);
    }
    bench b;
    bench_open(&b);
    b.format = fh_format_find("tra");
    forge_buf tra = build(HIP_AND_LEG);
    bench_verify(&b, tra.data, tra.len, (fh_verify_options){.stand_alone = true});
    bench_replay(&b, &(fh_replay_options){.world = true});
    HOLD(b.result.state == FH_REPLAY_COMPLETE, "without a model");
    HOLD(!record_has_row(&b.replay, "world", 0, 0), "no world");
    forge_buf_free(&tra);
    bench_close(&b);
}

/* Nobody need look at the poses. */
Test(world, without_a_sink_for_poses)
{
    pair p;
    const char *codes = codes_of(&p, HIP_AND_LEG, BAC "bone hip 0\nbone leg 1\n");
    const fh_sink deaf = {0};
    const fh_env env = {&p.b.arena, &p.b.budget, &deaf};
    fh_replay_result result;
    cr_assert(eq(str, (char *)codes, ""));
    cr_assert(p.b.format->replay(&result, &env, p.b.model, &(fh_replay_options){.world = true}) ==
              FH_OK);
    cr_assert(result.state == FH_REPLAY_COMPLETE && result.frames == 2);
    pair_close(&p);
}
