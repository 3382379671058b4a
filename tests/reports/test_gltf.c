/* Matrices taken apart and put together again, and files without anything in them. */
#include "reports/gltf/gltf.h"
#include "reports/gltf/gltf_bytes.h"
#include "reports/gltf/gltf_matrix.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;

static double next(double most)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return ((double)(state >> 11) / 9007199254740992.0 * 2 - 1) * most;
}

static double apart(const double a[3][3], const double b[3][3])
{
    double most = 0;
    double size = 1;
    for (unsigned i = 0; i < 9; i++) {
        most = fmax(most, fabs(a[i / 3][i % 3] - b[i / 3][i % 3]));
        size = fmax(size, fabs(a[i / 3][i % 3]));
    }
    return most / size;
}

static void check(const double matrix[3][3])
{
    fh_gltf_parts parts;
    double again[3][3];
    fh_gltf_decompose(&parts, matrix);
    fh_gltf_compose(again, &parts);
    if (!(apart(matrix, again) < 1e-9)) {
        cr_fatal("%g apart: %g %g %g / %g %g %g / %g %g %g", apart(matrix, again), matrix[0][0],
                 matrix[0][1], matrix[0][2], matrix[1][0], matrix[1][1], matrix[1][2], matrix[2][0],
                 matrix[2][1], matrix[2][2]);
    }
    for (unsigned k = 0; k < 2; k++) {
        const double *q = k == 0 ? parts.turn : parts.inner;
        if (!(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) < 1e-12)) {
            cr_fatal("no turn");
        }
    }
    if (fh_gltf_split(&parts, matrix)) {
        fh_gltf_compose(again, &parts);
        if (!(apart(matrix, again) <= FH_GLTF_EXACT)) {
            cr_fatal("a single node is %g apart", apart(matrix, again));
        }
    }
}

/* Any matrix, those of few numbers (many of them singular), and those of rank 1. */
Test(gltf, decompose)
{
    for (unsigned i = 0; i < 30000; i++) {
        double matrix[3][3];
        const double line[3] = {next(8), next(8), next(8)};
        for (unsigned k = 0; k < 9; k++) {
            const double any = next(i % 4 == 0 ? 32767.0 : 8);
            matrix[k / 3][k % 3] = i % 3 == 0   ? any
                                   : i % 3 == 1 ? (double)(int)(next(1.9))
                                                : line[k / 3] * (double)(int)next(3);
        }
        check(matrix);
    }
}

Test(gltf, split)
{
    fh_gltf_parts parts;
    const double scaled[3][3] = {{0, -2, 0}, {3, 0, 0}, {0, 0, -4}};
    const double sheared[3][3] = {{1, 0.001, 0}, {0, 1, 0}, {0, 0, 1}};
    const double flat[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 1}};
    cr_assert(fh_gltf_split(&parts, scaled));
    cr_assert(fabs(parts.scale[0] - 3) < 1e-12 && fabs(parts.scale[1] - 2) < 1e-12 &&
              fabs(parts.scale[2] + 4) < 1e-12);
    cr_assert(not(fh_gltf_split(&parts, sheared)));
    cr_assert(not(fh_gltf_split(&parts, flat)));
    check(scaled);
    check(sheared);
    check(flat);
}

Test(gltf, turn_to)
{
    for (unsigned i = 0; i < 2000; i++) {
        fh_gltf_parts parts = {.scale = {1, 1, 1}, .inner = {0, 0, 0, 1}};
        const double back = i == 0 ? -5 : 0;
        const double vector[3] = {back < 0 ? 0 : next(5), back < 0 ? 0 : next(5),
                                  back < 0 ? back : next(5)};
        double matrix[3][3];
        cr_assert(fh_gltf_turn_to(parts.turn, vector));
        fh_gltf_compose(matrix, &parts);
        const double length =
            sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2]);
        for (unsigned k = 0; k < 3; k++) {
            if (!(fabs(matrix[k][2] * length - vector[k]) < 1e-9)) {
                cr_fatal("not there");
            }
        }
    }
    double turn[4];
    const double none[3] = {0, 0, 0};
    cr_assert(not(fh_gltf_turn_to(turn, none)));
}

Test(gltf, invert)
{
    double matrix[3][3] = {{0, 0, 2}, {1, 0, 0}, {0, 4, 0}};
    double origin[3] = {2, 3, 4};
    cr_assert(fh_gltf_invert(matrix, origin));
    cr_assert(fabs(matrix[2][0] - 0.5) < 1e-12 && fabs(matrix[1][2] - 0.25) < 1e-12);
    cr_assert(fabs(origin[0] + 3) < 1e-12 && fabs(origin[1] + 1) < 1e-12 &&
              fabs(origin[2] + 1) < 1e-12);
    double flat[3][3] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    cr_assert(not(fh_gltf_invert(flat, origin)));
}

Test(gltf, map)
{
    fh_gltf_map map = {0};
    cr_assert(eq(u32, fh_gltf_map_find(&map, 7), FH_GLTF_NO));
    for (uint32_t i = 0; i < 5000; i++) {
        cr_assert(fh_gltf_map_put(&map, (uint64_t)i * 0x100000001u, i));
    }
    cr_assert(fh_gltf_map_put(&map, 0, 9));
    for (uint32_t i = 1; i < 5000; i++) {
        cr_assert(eq(u32, fh_gltf_map_find(&map, (uint64_t)i * 0x100000001u), i));
    }
    cr_assert(eq(u32, fh_gltf_map_find(&map, 0), 9));
    cr_assert(eq(sz, map.num, 5000));
    fh_gltf_map_free(&map);
}

/* A file of one frame in which nothing is there, and one that cannot be written. */
static bool place_nothing(fh_scene_pose *out, const fh_pose_row *row)
{
    (void)out;
    (void)row;
    return false;
}

Test(gltf, nothing)
{
    const fh_scene scene = {.place = place_nothing};
    const fh_gltf_header header = {"a\"b", "tod", NULL, FH_UNKNOWN, FH_UNKNOWN, 4};
    for (unsigned i = 0; i < 3; i++) {
        char *text = NULL;
        size_t len = 0;
        FILE *out = i == 2 ? fopen("/dev/full", "wb") : open_memstream(&text, &len);
        fh_gltf *gltf = fh_gltf_open();
        cr_assert(out != NULL && gltf != NULL);
        fh_gltf_begin(gltf, &scene, &header);
        const fh_sink sink = fh_gltf_sink(gltf);
        const fh_pose_frame frame = {0, 0};
        sink.frame(sink.user, &frame);
        cr_assert(eq(int, fh_gltf_write(gltf, out, i == 0), i == 2 ? ENOSPC : 0));
        (void)fclose(out);
        cr_assert(fh_gltf_remark(gltf, 0) == NULL && !fh_gltf_is_cut(gltf));
        if (i == 1) {
            cr_assert(strstr(text, "\"path\": \"a\\\"b\"") != NULL, "%s", text);
        }
        fh_gltf_close(gltf);
        free(text);
    }
    fh_gltf_close(NULL);
}

/* ---- rows of a scene that is made up ---- */

static const fh_scene_pose *given;

static bool place_given(fh_scene_pose *out, const fh_pose_row *row)
{
    (void)row;
    *out = *given;
    return true;
}

static fh_scene_pose pose_of(fh_scene_kind kind, uint32_t id)
{
    return (fh_scene_pose){.kind = kind,
                           .id = id,
                           .parent = FH_SCENE_NONE,
                           .model = FH_SCENE_NONE,
                           .matrix = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                           .vector = {0, 0, 1},
                           .colour = {1, 1, 1},
                           .value = 2};
}

static void show(const fh_sink *sink, const fh_scene_pose *pose)
{
    const fh_pose_row row = {0};
    given = pose;
    sink->pose(sink->user, &row);
}

static bool is_remarked(const fh_gltf *gltf, const char *part)
{
    for (size_t i = 0; fh_gltf_remark(gltf, i) != NULL; i++) {
        if (strstr(fh_gltf_remark(gltf, i), part) != NULL) {
            return true;
        }
    }
    return false;
}

/* The JSON of what was shown; the caller frees it. */
static char *json_of(fh_gltf *gltf)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    cr_assert(out != NULL && fh_gltf_write(gltf, out, false) == 0);
    (void)fclose(out);
    static const char *const none[] = {"[inf", "[nan", "[-inf", " inf", " nan", " -inf"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        cr_assert(strstr(text, none[i]) == NULL, "%s in %s", none[i], text);
    }
    return text;
}

static fh_gltf *opened(const fh_scene *scene)
{
    const fh_gltf_header header = {"made.up", "tod", NULL, FH_UNKNOWN, FH_UNKNOWN, 4};
    fh_gltf *gltf = fh_gltf_open();
    cr_assert(gltf != NULL);
    fh_gltf_begin(gltf, scene, &header);
    return gltf;
}

/* What no number can say, what has no direction and what cannot be turned round is told; the pose
 * before it stays. */
Test(gltf, poses_that_cannot_be_written)
{
    static const fh_scene_kind kinds[] = {FH_SCENE_NODE, FH_SCENE_VIEW, FH_SCENE_CAMERA,
                                          FH_SCENE_LIGHT, FH_SCENE_WEIGHT};
    const fh_scene scene = {.place = place_given};
    for (unsigned bad = 0; bad < 2; bad++) {
        fh_gltf *gltf = opened(&scene);
        const fh_sink sink = fh_gltf_sink(gltf);
        for (uint32_t i = 0; i < 3; i++) {
            const fh_pose_frame frame = {i, i};
            sink.frame(sink.user, &frame);
            for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
                fh_scene_pose pose = pose_of(kinds[k], 0);
                pose.origin[0] = i;
                if (bad == 1 && i == 1) {
                    pose.matrix[0][0] = kinds[k] == FH_SCENE_VIEW ? 0 : INFINITY;
                    pose.origin[1] = kinds[k] == FH_SCENE_CAMERA ? 1e300 : 0;
                    pose.vector[2] = 0;
                    pose.colour[1] = 0.5;
                    pose.value = 3;
                }
                show(&sink, &pose);
            }
        }
        char *json = json_of(gltf);
        cr_expect(strstr(json, "\"animations\"") != NULL, "%s", json);
        static const char *const remarks[] = {"not finite", "singular", "without a direction",
                                              "field of view"};
        for (size_t k = 0; k < sizeof remarks / sizeof remarks[0]; k++) {
            cr_expect(is_remarked(gltf, remarks[k]) == (bad == 1), "%s", remarks[k]);
        }
        free(json);
        fh_gltf_close(gltf);
    }
}

/* The last row of a frame counts; who comes late was hidden before, who is gone is hidden; a parent
 * that is not there moves nobody. */
Test(gltf, who_comes_and_goes)
{
    const fh_scene scene = {.place = place_given};
    fh_gltf *gltf = opened(&scene);
    const fh_sink sink = fh_gltf_sink(gltf);
    for (uint32_t i = 0; i < 4; i++) {
        const fh_pose_frame frame = {i, i};
        sink.frame(sink.user, &frame);
        fh_scene_pose first = pose_of(FH_SCENE_NODE, 0);
        fh_scene_pose late = pose_of(FH_SCENE_NODE, 1);
        fh_scene_pose weight = pose_of(FH_SCENE_WEIGHT, 0);
        first.is_hidden = i == 3;
        late.parent = i == 2 ? 7 : 0;
        for (unsigned k = 0; k < 2; k++) {
            first.origin[2] = 10 * i + k;
            late.origin[0] = i + k;
            late.model = k;
            weight.value = k;
            show(&sink, &first);
            show(&sink, &weight);
            if (i > 0 && i < 3) {
                show(&sink, &late);
            }
        }
    }
    char *json = json_of(gltf);
    cr_expect(strstr(json, "\"translation\"") != NULL, "%s", json);
    cr_expect(strstr(json, "node 1") != NULL, "%s", json);
    free(json);
    fh_gltf_close(gltf);
}
