#include "hmd/hmd_device.h"

#include <string.h>

/* Parameters, in words. */
enum {
    CAMERA_PROJECTION = 0,
    CAMERA_ROLL = 1,
    CAMERA_POSITION = 2,
    CAMERA_TARGET = 5,
    LIGHT_COLOUR = 0,
    LIGHT_POSITION = 1,
    LIGHT_TARGET = 4
};

/* The AIM camera does not turn to the side when it looks along its y axis; the others turn on every
 * distance but 0. */
enum { AIM_LEAST_SIDE = 16, LEAST_SIDE = 0 };

enum { NUM_LIGHTS = 3 };

static const fx_matrix unit_matrix = {.m = {{4096, 0, 0}, {0, 4096, 0}, {0, 0, 4096}}, .t = {0}};

void hmd_devices_reset(hmd_devices *state)
{
    memset(state, 0, sizeof *state);
    state->view = unit_matrix;
}

/* One evaluation: works on a copy of the state, which replaces it when all went well. */
typedef struct job {
    hmd_devices state;
    unsigned notes;
    const hmd_image *image;
    const hmd_device *device;
    hmd_outcome outcome;
} job;

static bool fail(job *j, hmd_eval eval, uint64_t off)
{
    j->outcome.eval = eval;
    j->outcome.off = off < UINT32_MAX ? (uint32_t)off : UINT32_MAX;
    return false;
}

static bool word(job *j, int32_t *out, uint64_t at)
{
    if (at >= j->image->num_words) {
        return fail(j, HMD_EVAL_OUTSIDE, 4 * at);
    }
    *out = fx_w32(j->image->words[at]);
    return true;
}

static bool point(job *j, int32_t out[3], uint64_t at)
{
    return word(j, &out[0], at) && word(j, &out[1], at + 1) && word(j, &out[2], at + 2);
}

static void difference(int32_t out[3], const int32_t a[3], const int32_t b[3])
{
    for (unsigned i = 0; i < 3; i++) {
        out[i] = fx_w32((int64_t)a[i] - b[i]);
    }
}

/* A point of a coordinate's system in the world. */
static void place(int32_t out[3], const fx_matrix *world, const int32_t at[3])
{
    fx_transform(out, world, at);
    for (unsigned i = 0; i < 3; i++) {
        out[i] = fx_w32((int64_t)out[i] + world->t[i]);
    }
}

/* a * 4096 / b as the library computes it: the product wraps at 32 bits. b is above 0. */
static int32_t ratio(int32_t a, int32_t b)
{
    return fx_w32((int64_t)a * 4096) / b;
}

static bool length(job *j, int32_t *out, const int32_t vector[3])
{
    return fx_sqrt(out, fx_square(vector)) ? true : fail(j, HMD_EVAL_UNSUPPORTED, 0);
}

/* ---- cameras ---- */

/* view = view * turn; the translation of both is 0 as yet. */
static void turn_view(job *j, const fx_matrix *turn)
{
    fx_matrix product;
    if (!fx_combine(&product, &j->state.view, turn)) {
        j->notes |= HMD_DEVICE_SATURATED;
    }
    j->state.view = product;
}

/* Bits that the largest coordinate needs. The library negates at 32 bits, so that the least number
 * stays negative and needs none. */
static unsigned bits_needed(const int32_t a[3], const int32_t b[3])
{
    int32_t largest = 0;
    unsigned bits = 0;
    for (unsigned i = 0; i < 6; i++) {
        const int32_t value = i < 3 ? a[i] : b[i - 3];
        const int32_t magnitude = value > 0 ? value : fx_w32(-(int64_t)value);
        largest = magnitude > largest ? magnitude : largest;
    }
    for (; largest > 0; largest >>= 1) {
        bits++;
    }
    return bits;
}

/* The direction from position to target, after both have been brought to 15 bits. */
static void sight(int32_t out[3], const int32_t position[3], const int32_t target[3])
{
    const unsigned bits = bits_needed(position, target);
    const unsigned shift = bits > 15 ? bits - 15 : 0;
    for (unsigned i = 0; i < 3; i++) {
        out[i] = fx_w32((int64_t)(target[i] >> shift) - (position[i] >> shift));
    }
}

/* Turns the view about x by the angle between the line of sight and the level. */
static void turn_up(job *j, int32_t rise, int32_t side, int32_t distance)
{
    const int16_t sine = fx_w16(-(int64_t)ratio(rise, distance));
    const int16_t cosine = fx_w16(ratio(side, distance));
    const fx_matrix turn = {.m = {{4096, 0, 0}, {0, cosine, fx_w16(-sine)}, {0, sine, cosine}},
                            .t = {0}};
    turn_view(j, &turn);
}

static void turn_aside(job *j, const int32_t d[3], int32_t side)
{
    const int16_t sine = fx_w16(-(int64_t)ratio(d[0], side));
    const int16_t cosine = fx_w16(ratio(d[2], side));
    const fx_matrix turn = {.m = {{cosine, 0, sine}, {0, 4096, 0}, {fx_w16(-sine), 0, cosine}},
                            .t = {0}};
    turn_view(j, &turn);
}

static void roll_view(job *j, int32_t roll)
{
    const int32_t angle = fx_w32(-(int64_t)roll) / 360;
    const int16_t sine = fx_w16(fx_sin(angle));
    const int16_t cosine = fx_w16(fx_cos(angle));
    const fx_matrix turn = {.m = {{cosine, fx_w16(-sine), 0}, {sine, cosine, 0}, {0, 0, 4096}},
                            .t = {0}};
    j->state.view = unit_matrix;
    turn_view(j, &turn);
}

/* The view from position to target in one system. false when there is none: the job has failed, or
 * the two points coincide, where the library stops with the roll alone. */
static bool look(job *j, const int32_t position[3], const int32_t target[3], int32_t roll,
                 int32_t least_side)
{
    int32_t d[3];
    int32_t distance;
    int32_t side;
    roll_view(j, roll);
    sight(d, position, target);
    if (!length(j, &distance, d)) {
        return false;
    }
    if (distance == 0) {
        j->notes |= HMD_DEVICE_COINCIDE;
        return false;
    }
    if (!length(j, &side, (const int32_t[3]){d[0], 0, d[2]})) {
        return false;
    }
    turn_up(j, fx_w32(-(int64_t)d[1]), side, distance);
    if (side > least_side) {
        turn_aside(j, d, side);
    }
    const int32_t away[3] = {fx_w32(-(int64_t)position[0]), fx_w32(-(int64_t)position[1]),
                             fx_w32(-(int64_t)position[2])};
    fx_transform(j->state.view.t, &j->state.view, away);
    return true;
}

typedef struct camera {
    int32_t roll;
    int32_t position[3];
    int32_t target[3];
} camera;

static bool read_camera(job *j, camera *out)
{
    const uint64_t at = j->device->parameters;
    return word(j, &out->roll, at + CAMERA_ROLL) && point(j, out->position, at + CAMERA_POSITION) &&
           point(j, out->target, at + CAMERA_TARGET);
}

static void projection(job *j)
{
    int32_t value;
    if (word(j, &value, (uint64_t)j->device->parameters + CAMERA_PROJECTION)) {
        j->state.projection = (uint16_t)(value & 0xffff);
    }
}

static void camera_world(job *j)
{
    camera c = {0};
    if (read_camera(j, &c)) {
        (void)look(j, c.position, c.target, c.roll, LEAST_SIDE);
    }
}

/* Both points lie in the coordinate's system: the view is that of the system, after the way from
 * the world into it. */
static void enter_system(job *j)
{
    fx_matrix inverse;
    fx_matrix product;
    fx_inverse(&inverse, j->device->own);
    if (!fx_combine(&product, &j->state.view, &inverse)) {
        j->notes |= HMD_DEVICE_SATURATED;
    }
    j->state.view = product;
}

/* The library takes the target's z for the roll. */
static void camera_fix(job *j)
{
    camera c = {0};
    if (!read_camera(j, &c)) {
        return;
    }
    j->notes |= c.target[2] != 0 ? HMD_DEVICE_ROLL : 0;
    if (look(j, c.position, c.target, c.target[2], LEAST_SIDE)) {
        enter_system(j);
    }
}

static void camera_aim(job *j)
{
    camera c = {0};
    int32_t seen[3];
    int32_t target[3];
    fx_matrix inverse;
    if (!read_camera(j, &c)) {
        return;
    }
    place(seen, j->device->other, c.target);
    difference(seen, seen, j->device->own->t);
    fx_inverse(&inverse, j->device->own);
    fx_transform(target, &inverse, seen);
    if (look(j, c.position, target, c.roll, AIM_LEAST_SIDE)) {
        enter_system(j);
    }
}

/* ---- lights ---- */

typedef struct light {
    unsigned number;
    uint8_t colour[3];
    int32_t position[3];
    int32_t target[3];
} light;

static uint64_t light_parameters(const job *j)
{
    return (uint64_t)j->device->parameters + (j->device->item >> 16);
}

static bool read_colour(job *j, uint8_t colour[3])
{
    int32_t value;
    if (!word(j, &value, light_parameters(j) + LIGHT_COLOUR)) {
        return false;
    }
    for (unsigned i = 0; i < 3; i++) {
        colour[i] = (uint8_t)(value >> (8 * i) & 0xff);
    }
    return true;
}

static bool read_light(job *j, light *out)
{
    const uint64_t at = light_parameters(j);
    out->number = j->device->item & 0xffff;
    if (!read_colour(j, out->colour) || !point(j, out->position, at + LIGHT_POSITION) ||
        !point(j, out->target, at + LIGHT_TARGET)) {
        return false;
    }
    return out->number < NUM_LIGHTS ? true : fail(j, HMD_EVAL_UNSUPPORTED, 0);
}

static void shine(job *j, const light *l, const int32_t direction[3])
{
    int32_t distance;
    if (!length(j, &distance, direction)) {
        return;
    }
    if (distance == 0) {
        j->notes |= HMD_DEVICE_COINCIDE;
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        j->state.light[l->number][i] = fx_w16(ratio(direction[i], distance));
        j->state.colour[i][l->number] = (int16_t)(l->colour[i] << 4);
    }
}

static void ambient(job *j)
{
    (void)read_colour(j, j->state.back);
}

static void light_world(job *j)
{
    light l;
    int32_t direction[3];
    if (read_light(j, &l)) {
        difference(direction, l.position, l.target);
        shine(j, &l, direction);
    }
}

static void light_fix(job *j)
{
    light l;
    int32_t local[3];
    int32_t direction[3];
    if (read_light(j, &l)) {
        difference(local, l.position, l.target);
        fx_transform(direction, j->device->own, local);
        shine(j, &l, direction);
    }
}

static void light_aim(job *j)
{
    light l;
    int32_t position[3];
    int32_t target[3];
    int32_t direction[3];
    if (read_light(j, &l)) {
        place(position, j->device->own, l.position);
        place(target, j->device->other, l.target);
        difference(direction, position, target);
        shine(j, &l, direction);
    }
}

/* ---- by type ---- */

typedef struct device_kind {
    uint32_t type;
    void (*play)(job *);
    bool needs_own;
    bool needs_other;
} device_kind;

/* Behind the last kind stands one that cannot be played. */
static const device_kind *kind_of(uint32_t type)
{
    static const device_kind kinds[] = {
        {HMD_DEVICE_PROJECTION, projection, false, false},
        {HMD_DEVICE_CAMERA_WORLD, camera_world, false, false},
        {HMD_DEVICE_CAMERA_FIX, camera_fix, true, false},
        {HMD_DEVICE_CAMERA_AIM, camera_aim, true, true},
        {HMD_DEVICE_AMBIENT, ambient, false, false},
        {HMD_DEVICE_LIGHT_WORLD, light_world, false, false},
        {HMD_DEVICE_LIGHT_FIX, light_fix, true, false},
        {HMD_DEVICE_LIGHT_AIM, light_aim, true, true},
        {.play = NULL},
    };
    const device_kind *kind = kinds;
    while (kind->play != NULL && kind->type != type) {
        kind++;
    }
    return kind;
}

hmd_outcome hmd_device_play(hmd_devices *state, unsigned *notes, const hmd_image *image,
                            const hmd_device *device)
{
    const device_kind *kind = kind_of(device->type);
    if (kind->play == NULL || (kind->needs_own && device->own == NULL) ||
        (kind->needs_other && device->other == NULL)) {
        return (hmd_outcome){HMD_EVAL_UNSUPPORTED, 0};
    }
    job j = {.state = *state, .image = image, .device = device, .outcome = {HMD_EVAL_OK, 0}};
    kind->play(&j);
    if (j.outcome.eval == HMD_EVAL_OK) {
        *state = j.state;
        *notes = j.notes;
    }
    return j.outcome;
}
