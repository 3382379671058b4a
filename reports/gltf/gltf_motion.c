/* Keys become channels of the animation, or stay in the node where nothing changes. */
#include "reports/gltf/gltf_impl.h"

#include "reports/gltf/gltf_matrix.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far keys that are left out may be from the line between their neighbours, relative to the
 * larger of 1 and their own largest number. */
#define ON_THE_LINE 2e-6

/* ---- time ------------------------------------------------------------------------------------ */

static bool is_rising(const fh_gltf *gltf)
{
    for (size_t i = 1; i < gltf->frames.num; i++) {
        if (*FH_GLTF_AT(gltf->frames, uint32_t, i) <= *FH_GLTF_AT(gltf->frames, uint32_t, i - 1)) {
            return false;
        }
    }
    return true;
}

/* A number of a frame that is missing is a time in which nothing new is shown. glTF wants times
 * that rise; where the numbers do not, or are so far apart that single precision does not hold
 * both, the frames follow each other. */
bool fh_gltf_make_times(fh_gltf *gltf)
{
    const size_t num = gltf->frames.num;
    gltf->times = calloc(num + 1, sizeof *gltf->times);
    if (gltf->times == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
        return false;
    }
    bool by_number = is_rising(gltf);
    for (size_t i = 0; i < num && by_number; i++) {
        const uint32_t from = *FH_GLTF_AT(gltf->frames, uint32_t, 0);
        gltf->times[i] =
            (float)((double)(*FH_GLTF_AT(gltf->frames, uint32_t, i) - from) / gltf->about.rate);
        by_number = i == 0 || gltf->times[i] > gltf->times[i - 1];
    }
    for (size_t i = 0; i < num && !by_number; i++) {
        gltf->times[i] = (float)((double)i / gltf->about.rate);
    }
    if (!by_number) {
        fh_gltf_say(gltf, "the numbers of the frames do not rise: the frames follow each other");
    }
    return true;
}

/* ---- samples --------------------------------------------------------------------------------- */

enum { MOST_WIDTH = 4 };

/* What a property is from frame to frame, at the frames where that matters: each change, and in
 * front of it what it was. */
typedef struct samples {
    uint32_t *frames;
    float *values; /* width each */
    unsigned width;
    size_t num;
} samples;

static void free_samples(samples *of)
{
    free(of->frames);
    free(of->values);
    *of = (samples){0};
}

/* Room for num changes, what is in front of each, and the last frame. */
static bool open_samples(fh_gltf *gltf, samples *of, size_t num, unsigned width)
{
    const size_t most = 2 * num + 2;
    *of = (samples){.frames = calloc(most, sizeof *of->frames),
                    .values = calloc(most * width, sizeof *of->values),
                    .width = width};
    if (of->frames == NULL || of->values == NULL) {
        free_samples(of);
        fh_gltf_fail(gltf, ENOMEM);
        return false;
    }
    return true;
}

static float *value_at(const samples *of, size_t index)
{
    return of->values + index * of->width;
}

static void put_sample(samples *to, uint32_t frame, const float *value)
{
    to->frames[to->num] = frame;
    memcpy(value_at(to, to->num), value, to->width * sizeof *value);
    to->num++;
}

/* Values that do not change are put in once; has_line: a change needs what was in front of it. */
static void add_sample(samples *to, uint32_t frame, const float *value, bool has_line)
{
    if (to->num > 0) {
        const float *last = value_at(to, to->num - 1);
        if (memcmp(last, value, to->width * sizeof *value) == 0) {
            return;
        }
        if (has_line && to->frames[to->num - 1] + 1 < frame) {
            put_sample(to, frame - 1, last);
        }
    }
    put_sample(to, to->num == 0 ? 0 : frame, value);
}

/* The last frame, so that every channel lasts as long as the animation. */
static void end_samples(const fh_gltf *gltf, samples *to)
{
    const uint32_t last = (uint32_t)(gltf->frames.num - 1);
    if (to->num > 1 && to->frames[to->num - 1] < last) {
        put_sample(to, last, value_at(to, to->num - 1));
    }
}

/* Leaves out what lies on a line with its neighbours. From the last key that stays a cone of slopes
 * is kept which pass every sample since closely enough; a sample that the cone does not hit makes
 * the one in front of it a key. */
static double room_of(const float *value, unsigned width)
{
    double most = 1.0;
    for (unsigned i = 0; i < width; i++) {
        most = fmax(most, fabs((double)value[i]));
    }
    return most * ON_THE_LINE;
}

typedef struct cone {
    double low[MOST_WIDTH], high[MOST_WIDTH];
} cone;

static void open_cone(cone *of)
{
    for (unsigned k = 0; k < MOST_WIDTH; k++) {
        of->low[k] = -INFINITY;
        of->high[k] = INFINITY;
    }
}

/* Whether the straight way from sample `from` to sample `to` stays in the cone, which then becomes
 * narrower. */
static bool narrow(cone *of, const fh_gltf *gltf, const samples *in, size_t from, size_t to)
{
    const double time = (double)gltf->times[in->frames[to]] - (double)gltf->times[in->frames[from]];
    const double room = room_of(value_at(in, to), in->width);
    bool is_inside = true;
    for (unsigned k = 0; k < in->width; k++) {
        const double way = (double)value_at(in, to)[k] - (double)value_at(in, from)[k];
        is_inside = is_inside && way / time >= of->low[k] && way / time <= of->high[k];
        of->low[k] = fmax(of->low[k], (way - room) / time);
        of->high[k] = fmin(of->high[k], (way + room) / time);
    }
    return is_inside;
}

static void thin_out(const fh_gltf *gltf, samples *in)
{
    cone ways;
    size_t kept = 1; /* sample 0 stays; those that stay are moved to the front */
    size_t from = 0;
    open_cone(&ways);
    for (size_t i = 1; i < in->num; i++) {
        if (narrow(&ways, gltf, in, from, i)) {
            continue;
        }
        from = i - 1;
        in->frames[kept] = in->frames[from];
        memmove(value_at(in, kept), value_at(in, from), in->width * sizeof(float));
        from = kept++;
        open_cone(&ways);
        (void)narrow(&ways, gltf, in, from, i);
    }
    if (in->num > 1) {
        in->frames[kept] = in->frames[in->num - 1];
        memmove(value_at(in, kept), value_at(in, in->num - 1), in->width * sizeof(float));
        in->num = kept + 1;
    }
}

/* ---- channels -------------------------------------------------------------------------------- */

static uint32_t put_times(fh_gltf *gltf, const uint32_t *frames, size_t num)
{
    float *times = calloc(num, sizeof *times);
    if (times == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
        return 0;
    }
    for (size_t i = 0; i < num; i++) {
        times[i] = gltf->times[frames[i]];
    }
    const uint32_t made = fh_gltf_put_floats(&gltf->bytes, times, num, 1, FH_GLTF_PLAIN, true);
    free(times);
    return made;
}

static fh_gltf_channel *add_channel(fh_gltf *gltf, uint32_t node, fh_gltf_path path,
                                    fh_gltf_interpolation interpolation)
{
    fh_gltf_channel *channel = fh_gltf_add(&gltf->channels, sizeof *channel);
    if (channel == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
        return NULL;
    }
    *channel = (fh_gltf_channel){node, path, interpolation, 0, 0};
    return channel;
}

static void put_channel(fh_gltf *gltf, uint32_t node, fh_gltf_path path,
                        fh_gltf_interpolation interpolation, const samples *from)
{
    fh_gltf_channel *channel = add_channel(gltf, node, path, interpolation);
    if (channel != NULL) {
        channel->input = put_times(gltf, from->frames, from->num);
        channel->output = fh_gltf_put_floats(&gltf->bytes, from->values, from->num, from->width,
                                             FH_GLTF_PLAIN, false);
    }
}

static float *field_of(fh_gltf_node *node, fh_gltf_path path)
{
    switch (path) {
    case FH_GLTF_TRANSLATION:
        return node->translation;
    case FH_GLTF_ROTATION:
        return node->rotation;
    default:
        return node->scale;
    }
}

/* The first value goes into the node, so that it stands right where nothing is played. */
static void put_property(fh_gltf *gltf, uint32_t node, fh_gltf_path path, bool is_held, samples *of)
{
    memcpy(field_of(fh_gltf_node_at(gltf, node), path), of->values, of->width * sizeof(float));
    if (of->num < 2) {
        return;
    }
    end_samples(gltf, of);
    if (!is_held && path != FH_GLTF_ROTATION) {
        thin_out(gltf, of);
    }
    put_channel(gltf, node, path, is_held ? FH_GLTF_STEP : FH_GLTF_LINEAR, of);
}

/* ---- poses ----------------------------------------------------------------------------------- */

static void matrix_of(double out[3][3], const fh_gltf_key *key)
{
    for (unsigned i = 0; i < 9; i++) {
        out[i / 3][i % 3] = (double)key->matrix[i];
    }
}

bool fh_gltf_is_single(const fh_gltf_array *keys)
{
    for (size_t i = 0; i < keys->num; i++) {
        double matrix[3][3];
        fh_gltf_parts parts;
        matrix_of(matrix, FH_GLTF_AT(*keys, fh_gltf_key, i));
        if (!fh_gltf_split(&parts, matrix)) {
            return false;
        }
    }
    return true;
}

/* Of the two quaternions of a turn the one that is nearer to the last one. */
static void set_turn(float out[4], const double turn[4], const float *last)
{
    double sign = 1.0;
    if (last != NULL) {
        double along = 0;
        for (unsigned i = 0; i < 4; i++) {
            along += turn[i] * (double)last[i];
        }
        sign = along < 0 ? -1.0 : 1.0;
    }
    for (unsigned i = 0; i < 4; i++) {
        out[i] = (float)(sign * turn[i]) + 0.0f;
    }
}

static void add_turn(samples *to, uint32_t frame, const double turn[4], bool is_held)
{
    float value[4];
    set_turn(value, turn, to->num == 0 ? NULL : value_at(to, to->num - 1));
    add_sample(to, frame, value, !is_held);
}

/* Of each key, what belongs to the property; inner: of the inner node. */
static void add_part(samples *to, const fh_gltf_key *key, fh_gltf_path path, bool is_single,
                     bool is_inner, bool is_held)
{
    double matrix[3][3];
    fh_gltf_parts parts;
    float scale[3];
    if (path == FH_GLTF_TRANSLATION) {
        add_sample(to, key->frame, key->origin, !is_held);
        return;
    }
    matrix_of(matrix, key);
    if (!is_single || !fh_gltf_split(&parts, matrix)) {
        fh_gltf_decompose(&parts, matrix);
    }
    if (path == FH_GLTF_ROTATION) {
        add_turn(to, key->frame, is_inner ? parts.inner : parts.turn, is_held);
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        scale[i] = (float)parts.scale[i] + 0.0f;
    }
    add_sample(to, key->frame, scale, !is_held);
}

/* ---- cubics ---------------------------------------------------------------------------------- */

/* The pieces that belong to a track, which lie behind each other. */
static size_t find_cubics(const fh_gltf *gltf, const fh_gltf_track *track, size_t *first)
{
    size_t num = 0;
    for (size_t i = 0; i < gltf->cubics.num; i++) {
        const fh_scene_cubic *cubic = FH_GLTF_AT(gltf->cubics, fh_scene_cubic, i);
        if (cubic->kind == track->kind && cubic->id == track->id) {
            *first = num == 0 ? i : *first;
            num++;
        }
    }
    return num;
}

static bool is_row_of_cubics(const fh_gltf *gltf, const fh_scene_cubic *cubics, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        const bool follows = i == 0 || !(cubics[i].frame[0] > cubics[i - 1].frame[1] ||
                                         cubics[i].frame[0] < cubics[i - 1].frame[1]);
        if (!follows || !(cubics[i].frame[1] > cubics[i].frame[0]) || cubics[i].frame[0] < 0 ||
            cubics[i].frame[1] > (double)(gltf->frames.num - 1)) {
            return false;
        }
    }
    return num > 0;
}

/* As glTF puts it: what comes in, what is there, what goes out; slopes a second. */
enum { CUBIC_WIDTH = 9 };

static void set_cubic_key(float out[CUBIC_WIDTH], const fh_scene_cubic *before,
                          const fh_scene_cubic *behind, double rate)
{
    assert(before != NULL || behind != NULL);
    for (unsigned k = 0; k < 3; k++) {
        out[k] = before == NULL ? 0.0f : (float)(before->slope[1][k] * rate) + 0.0f;
        out[3 + k] = (float)(behind == NULL ? before->at[1][k] : behind->at[0][k]) + 0.0f;
        out[6 + k] = behind == NULL ? 0.0f : (float)(behind->slope[0][k] * rate) + 0.0f;
    }
}

/* What a reader makes of the piece from key a to key b at a time. */
static double cubic_at(const float *a, const float *b, unsigned k, double span, double u)
{
    const double u2 = u * u;
    const double u3 = u2 * u;
    return (2 * u3 - 3 * u2 + 1) * (double)a[3 + k] + span * (u3 - 2 * u2 + u) * (double)a[6 + k] +
           (3 * u2 - 2 * u3) * (double)b[3 + k] + span * (u3 - u2) * (double)b[k];
}

/* Whether the cubic goes through the poses of all frames. */
static bool is_exact(const fh_gltf *gltf, const samples *cubic, const fh_gltf_array *keys)
{
    size_t piece = 0;
    size_t at = 0;
    for (uint32_t frame = 0; frame < gltf->frames.num; frame++) {
        while (at + 1 < keys->num && FH_GLTF_AT(*keys, fh_gltf_key, at + 1)->frame <= frame) {
            at++;
        }
        while (piece + 2 < cubic->num && cubic->frames[piece + 1] <= frame) {
            piece++;
        }
        const float *wanted = FH_GLTF_AT(*keys, fh_gltf_key, at)->origin;
        const double from = (double)gltf->times[cubic->frames[piece]];
        const double span = (double)gltf->times[cubic->frames[piece + 1]] - from;
        const double u = fmin(fmax(((double)gltf->times[frame] - from) / span, 0.0), 1.0);
        for (unsigned k = 0; k < 3; k++) {
            const double is =
                cubic_at(value_at(cubic, piece), value_at(cubic, piece + 1), k, span, u);
            if (!(fabs(is - (double)wanted[k]) <= room_of(wanted, 3))) {
                return false;
            }
        }
    }
    return true;
}

/* The format's own cubics as the channel of a translation; false if they are not exact. */
static bool put_cubics(fh_gltf *gltf, uint32_t node, const fh_gltf_track *track,
                       const fh_gltf_array *keys)
{
    size_t first = 0;
    const size_t num = find_cubics(gltf, track, &first);
    const fh_scene_cubic *cubics =
        num == 0 ? NULL : FH_GLTF_AT(gltf->cubics, fh_scene_cubic, first);
    samples of;
    if (cubics == NULL || keys->num < 2 || !is_row_of_cubics(gltf, cubics, num) ||
        !open_samples(gltf, &of, num, CUBIC_WIDTH)) {
        return false;
    }
    for (size_t i = 0; i <= num; i++) {
        float key[CUBIC_WIDTH];
        set_cubic_key(key, i == 0 ? NULL : &cubics[i - 1], i == num ? NULL : &cubics[i],
                      gltf->about.rate);
        put_sample(&of, (uint32_t)(i == num ? cubics[i - 1].frame[1] : cubics[i].frame[0]), key);
    }
    const bool fits = is_exact(gltf, &of, keys);
    if (fits) {
        fh_gltf_channel *channel = add_channel(gltf, node, FH_GLTF_TRANSLATION, FH_GLTF_CUBIC);
        memcpy(fh_gltf_node_at(gltf, node)->translation, of.values + 3, 3 * sizeof(float));
        if (channel != NULL) {
            channel->input = put_times(gltf, of.frames, of.num);
            channel->output =
                fh_gltf_put_floats(&gltf->bytes, of.values, 3 * of.num, 3, FH_GLTF_PLAIN, false);
        }
    }
    free_samples(&of);
    return fits;
}

static void move_part(fh_gltf *gltf, uint32_t node, const fh_gltf_array *keys, fh_gltf_path path,
                      bool is_single, bool is_inner)
{
    const bool is_held = gltf->about.is_held || !is_single;
    samples of;
    if (keys->num == 0 || !open_samples(gltf, &of, keys->num, path == FH_GLTF_ROTATION ? 4 : 3)) {
        return;
    }
    for (size_t i = 0; i < keys->num; i++) {
        add_part(&of, FH_GLTF_AT(*keys, fh_gltf_key, i), path, is_single, is_inner, is_held);
    }
    put_property(gltf, node, path, is_held, &of);
    free_samples(&of);
}

void fh_gltf_move(fh_gltf *gltf, uint32_t outer, uint32_t inner, const fh_gltf_track *track,
                  const fh_gltf_array *keys)
{
    const bool is_single = inner == outer;
    const bool may_curve = is_single && !gltf->about.is_held;
    if (!may_curve || !put_cubics(gltf, outer, track, keys)) {
        move_part(gltf, outer, keys, FH_GLTF_TRANSLATION, is_single, false);
    }
    move_part(gltf, outer, keys, FH_GLTF_ROTATION, is_single, false);
    move_part(gltf, outer, keys, FH_GLTF_SCALE, is_single, false);
    if (!is_single) {
        move_part(gltf, inner, keys, FH_GLTF_ROTATION, is_single, true);
    }
}

/* ---- looks and weights ----------------------------------------------------------------------- */

/* A scale of 0 hides it. */
void fh_gltf_show(fh_gltf *gltf, uint32_t node, const fh_gltf_track *track, uint32_t model)
{
    static const float sizes[2][3] = {{0, 0, 0}, {1, 1, 1}};
    samples of;
    if (track->looks.num == 0 || !open_samples(gltf, &of, track->looks.num, 3)) {
        return;
    }
    for (size_t i = 0; i < track->looks.num; i++) {
        const fh_gltf_look *look = FH_GLTF_AT(track->looks, fh_gltf_look, i);
        const bool is_it = look->is_shown && (model == FH_GLTF_MARKER || look->model == model);
        add_sample(&of, look->frame, sizes[is_it ? 1 : 0], false);
    }
    put_property(gltf, node, FH_GLTF_SCALE, true, &of);
    free_samples(&of);
}

/* The value of a weight at a frame; *at is where the last one was found. */
static float weight_at(const fh_gltf *gltf, uint32_t id, uint32_t frame, size_t *at)
{
    const uint32_t index = fh_gltf_find_track(gltf, FH_SCENE_WEIGHT, id, 0);
    const fh_gltf_array *values =
        index == FH_GLTF_NO ? NULL : &fh_gltf_track_at(gltf, index)->values;
    while (values != NULL && *at < values->num &&
           FH_GLTF_AT(*values, fh_gltf_value, *at)->frame <= frame) {
        (*at)++;
    }
    if (values != NULL && *at > 0) {
        return FH_GLTF_AT(*values, fh_gltf_value, *at - 1)->value;
    }
    const uint32_t told = fh_gltf_map_find(&gltf->weight_of, id);
    return (float)FH_GLTF_AT(gltf->weights, fh_scene_weight, told)->value;
}

void fh_gltf_morph(fh_gltf *gltf, uint32_t node, const fh_gltf_mesh *mesh)
{
    const unsigned width = (unsigned)mesh->weights.num;
    size_t *places = calloc(width + 1, sizeof *places);
    float *now = calloc(width + 1, sizeof *now);
    samples of;
    if (places == NULL || now == NULL) {
        fh_gltf_fail(gltf, ENOMEM);
    } else if (width > 0 && open_samples(gltf, &of, gltf->frames.num, width)) {
        for (uint32_t frame = 0; frame < gltf->frames.num; frame++) {
            for (unsigned i = 0; i < width; i++) {
                now[i] =
                    weight_at(gltf, *FH_GLTF_AT(mesh->weights, uint32_t, i), frame, &places[i]);
            }
            add_sample(&of, frame, now, !gltf->about.is_held);
        }
        if (of.num > 1) {
            end_samples(gltf, &of);
            const size_t num = of.num * width;
            fh_gltf_channel *channel = add_channel(
                gltf, node, FH_GLTF_WEIGHTS, gltf->about.is_held ? FH_GLTF_STEP : FH_GLTF_LINEAR);
            if (channel != NULL) {
                channel->input = put_times(gltf, of.frames, of.num);
                channel->output =
                    fh_gltf_put_floats(&gltf->bytes, of.values, num, 1, FH_GLTF_PLAIN, false);
            }
        }
        free_samples(&of);
    }
    free(places);
    free(now);
}
