#include "hmd/hmd_mime.h"

#include "fixed/fixed.h"

/* Bytes of a joint's coordinate unit, of one difference, and their fields. */
enum {
    UNIT_LEN = 80,
    UNIT_MATRIX = 4,
    UNIT_TRANSLATION = 24,
    UNIT_ROTATION = 68,
    JOINT_HEAD_LEN = 8,
    JOINT_LEN = 20,
    JOINT_PARTS = 6,
    JOINT_TRANSLATION = 8,
    RPY_CHANGED = 6,
    RPY_TRANSLATION = 8,
    AXES_CHANGED = 18,
    AXES_TRANSLATION = 20,
    RESET_LEN = 12
};

/* Parts of a joint that a difference moves, and that a reset area says were moved. */
enum { PART_ROTATION = 1, PART_TRANSLATION = 2 };

/* ---- keys ---- */

/* Goes over the keys of a difference block that take part: flagged in dflags, with an entry left,
 * and with a weight other than 0. */
typedef struct keys {
    uint32_t dflags;
    uint32_t num_entries;
    uint32_t key;   /* next one */
    uint32_t entry; /* next one */
} keys;

static int32_t weight_of(hmd_access *access, const hmd_mime_args *args, uint32_t key)
{
    if (args->mimepr != 0) {
        return hmd_access_s32(access, 4 * ((uint64_t)args->mimepr + key));
    }
    return args->weights == NULL ? 0 : args->weights[key];
}

static bool next_key(hmd_access *access, keys *k, const hmd_mime_args *args, uint32_t *entry,
                     int32_t *weight)
{
    while (k->key < args->num_keys && k->entry < k->num_entries) {
        const uint32_t key = k->key++;
        if (!hmd_access_pay(access, 1)) {
            return false;
        }
        if ((k->dflags >> key & 1) == 0) {
            continue;
        }
        *entry = k->entry++;
        *weight = weight_of(access, args, key);
        if (*weight != 0) {
            return true;
        }
    }
    return false;
}

/* ---- vertices and normals ---- */

static uint64_t vectors_of(const hmd_mime_args *args)
{
    const bool normals = args->type == HMD_MIME_NORMAL || args->type == HMD_MIME_NORMAL_RESET;
    return normals ? args->normals : args->vertices;
}

/* Moves `num` vectors of 8 bytes; the fourth half word of each stays. The library cuts weights to
 * 16 bits. Products of more than 16 bits were not met where this was measured. */
static void move_vectors(hmd_access *access, uint64_t to, uint64_t from, uint32_t num,
                         int16_t weight)
{
    if (!hmd_access_words(access, to, 2 * (uint64_t)num) ||
        !hmd_access_words(access, from, 2 * (uint64_t)num) ||
        !hmd_access_pay(access, 2 * (uint64_t)num)) {
        return;
    }
    for (uint32_t i = 0; i < 4 * num; i++) {
        if (i % 4 == 3) {
            continue;
        }
        const uint64_t cell = 4 * to + 2 * (uint64_t)i;
        const int32_t step = (weight * hmd_access_s16(access, 4 * from + 2 * (uint64_t)i)) >> 12;
        hmd_access_put16(access, cell, hmd_access_s16(access, cell) + step);
    }
}

static void notify_resets(hmd_access *access, const hmd_mime_args *args, uint64_t list,
                          uint32_t num)
{
    if (!hmd_access_words(access, list, num) || !hmd_access_pay(access, num)) {
        return;
    }
    for (uint32_t i = 0; i < num; i++) {
        const uint64_t changed = hmd_access_u32(access, 4 * (list + i));
        hmd_access_put16(access, 4 * (args->differences + changed), 1);
    }
}

static void play_vectors(hmd_access *access, const hmd_mime_args *args, uint64_t block)
{
    const uint32_t num_resets = hmd_access_u16(access, 4 * block);
    keys k = {.num_entries = hmd_access_u16(access, 4 * block + 2),
              .dflags = hmd_access_u32(access, 4 * block + 4)};
    bool changed = false;
    uint32_t entry;
    int32_t weight;
    while (next_key(access, &k, args, &entry, &weight)) {
        const uint64_t data = block + hmd_access_u32(access, 4 * (block + 2 + entry));
        const uint64_t first = hmd_access_u32(access, 4 * data);
        const uint32_t num = hmd_access_u16(access, 4 * data + 6);
        move_vectors(access, vectors_of(args) + 2 * first, data + 2, num, fx_w16(weight));
        changed = true;
    }
    if (changed && hmd_access_ok(access)) {
        notify_resets(access, args, block + 2 + k.num_entries, num_resets);
    }
}

static void copy_words(hmd_access *access, uint64_t to, uint64_t from, uint64_t num)
{
    if (!hmd_access_words(access, to, num) || !hmd_access_words(access, from, num) ||
        !hmd_access_pay(access, num)) {
        return;
    }
    for (uint64_t i = num; i > 0; i--) { /* downward, as the library does: it shows on an overlap */
        hmd_access_put32(access, 4 * (to + i - 1), hmd_access_s32(access, 4 * (from + i - 1)));
    }
}

/* Goes over a reset block, last entry first. */
static void restore_vectors(hmd_access *access, const hmd_mime_args *args, uint64_t block,
                            bool keep)
{
    for (uint32_t i = hmd_access_u16(access, 4 * block + 2); i > 0; i--) {
        const uint64_t data = 4 * (block + 1) + RESET_LEN * (uint64_t)(i - 1);
        const uint64_t vectors = vectors_of(args) + 2 * (uint64_t)hmd_access_u32(access, data);
        const uint64_t originals = args->originals + 2 * (uint64_t)hmd_access_u32(access, data + 4);
        const bool changed = hmd_access_u16(access, data + 8) != 0;
        const uint64_t num = 2 * (uint64_t)hmd_access_u16(access, data + 10);
        if (!hmd_access_pay(access, 1)) {
            return;
        }
        if (keep) {
            copy_words(access, originals, vectors, num);
        } else if (changed) {
            hmd_access_put16(access, data + 8, 0);
            copy_words(access, vectors, originals, num);
        }
    }
}

/* ---- joints ---- */

/* A joint difference block, in bytes. */
typedef struct joint {
    uint64_t unit;
    uint64_t entries;
    uint64_t reset;
    uint32_t num_entries;
    uint32_t dflags;
} joint;

/* The library does not hold the number against the count of units; here it must be below it. */
static joint find_joint(hmd_access *access, const hmd_mime_args *args, uint64_t block)
{
    const uint32_t number = hmd_access_u16(access, 4 * block);
    const uint32_t num_units = hmd_access_u32(access, 4 * (uint64_t)args->coordinates);
    joint j = {.unit = 4 * ((uint64_t)args->coordinates + 1) + UNIT_LEN * (uint64_t)number,
               .entries = 4 * block + JOINT_HEAD_LEN,
               .num_entries = hmd_access_u16(access, 4 * block + 2),
               .dflags = hmd_access_u32(access, 4 * block + 4)};
    j.reset = j.entries + JOINT_LEN * (uint64_t)j.num_entries;
    if (number >= num_units) {
        hmd_access_fail(access, HMD_EVAL_OUTSIDE, j.unit);
    }
    return j;
}

typedef struct joint_sums {
    int32_t rotation[3]; /* 4096 times as large, and wrapping, as in the library */
    int32_t translation[3];
    int32_t parts;
} joint_sums;

static void add_difference(hmd_access *access, joint_sums *sums, uint64_t entry, int32_t weight)
{
    const int32_t parts = hmd_access_u16(access, entry + JOINT_PARTS);
    for (uint32_t i = 0; i < 3 && (parts & PART_ROTATION) != 0; i++) {
        const int64_t d = hmd_access_s16(access, entry + UINT64_C(2) * i);
        sums->rotation[i] = fx_w32(sums->rotation[i] + d * weight);
    }
    for (uint32_t i = 0; i < 3 && (parts & PART_TRANSLATION) != 0; i++) {
        const int64_t d = hmd_access_s32(access, entry + JOINT_TRANSLATION + UINT64_C(4) * i);
        sums->translation[i] = fx_w32(sums->translation[i] + d * weight);
    }
    sums->parts |= parts & (PART_ROTATION | PART_TRANSLATION);
}

static void put_matrix(hmd_access *access, uint64_t unit, const fx_matrix *matrix)
{
    for (uint32_t i = 0; i < 9; i++) {
        hmd_access_put16(access, unit + UNIT_MATRIX + UINT64_C(2) * i, matrix->m[i / 3][i % 3]);
    }
}

/* Saves what the reset puts back: both parts, whichever moves. */
static void save_joint(hmd_access *access, const joint *j, int32_t parts)
{
    for (uint32_t i = 0; i < 3; i++) {
        const int32_t angle = hmd_access_s16(access, j->unit + UNIT_ROTATION + UINT64_C(2) * i);
        const int32_t t = hmd_access_s32(access, j->unit + UNIT_TRANSLATION + UINT64_C(4) * i);
        hmd_access_put16(access, j->reset + UINT64_C(2) * i, angle);
        hmd_access_put32(access, j->reset + RPY_TRANSLATION + UINT64_C(4) * i, t);
    }
    hmd_access_put16(access, j->reset + RPY_CHANGED, parts);
}

static void move_joint(hmd_access *access, const joint *j, const joint_sums *sums)
{
    fx_matrix matrix = {.t = {0}};
    int16_t angle[3];
    for (uint32_t i = 0; i < 3; i++) {
        const uint64_t cell = j->unit + UNIT_ROTATION + UINT64_C(2) * i;
        angle[i] = fx_w16((int64_t)hmd_access_s16(access, cell) + sums->rotation[i] / 4096);
        hmd_access_put16(access, cell, angle[i]);
    }
    for (uint32_t i = 0; i < 3; i++) {
        const uint64_t cell = j->unit + UNIT_TRANSLATION + UINT64_C(4) * i;
        const int64_t t = (int64_t)hmd_access_s32(access, cell) + sums->translation[i] / 4096;
        hmd_access_put32(access, cell, fx_w32(t));
    }
    if ((sums->parts & PART_ROTATION) != 0) { /* otherwise the 3x3 stays, whatever it is */
        fx_rotate(&matrix, angle, FX_XYZ);
        put_matrix(access, j->unit, &matrix);
    }
    hmd_access_put32(access, j->unit, 0);
}

static void play_rpy(hmd_access *access, const hmd_mime_args *args, uint64_t block)
{
    const joint j = find_joint(access, args, block);
    keys k = {.num_entries = j.num_entries, .dflags = j.dflags};
    joint_sums sums = {.parts = 0};
    uint32_t entry;
    int32_t weight;
    while (next_key(access, &k, args, &entry, &weight)) {
        add_difference(access, &sums, j.entries + JOINT_LEN * (uint64_t)entry, weight);
    }
    if (sums.parts != 0 && hmd_access_ok(access)) {
        save_joint(access, &j, sums.parts);
        move_joint(access, &j, &sums);
    }
}

static void restore_translation(hmd_access *access, const joint *j, uint64_t from)
{
    for (uint32_t i = 0; i < 3; i++) {
        const int32_t t = hmd_access_s32(access, from + UINT64_C(4) * i);
        hmd_access_put32(access, j->unit + UNIT_TRANSLATION + UINT64_C(4) * i, t);
    }
    hmd_access_put32(access, j->unit, 0);
}

/* The 3x3 keeps the moved rotation: so does the library's. */
static void reset_rpy(hmd_access *access, const hmd_mime_args *args, uint64_t block)
{
    const joint j = find_joint(access, args, block);
    if (hmd_access_u16(access, j.reset + RPY_CHANGED) == 0) {
        return;
    }
    for (uint32_t i = 0; i < 3; i++) {
        const int32_t angle = hmd_access_s16(access, j.reset + UINT64_C(2) * i);
        hmd_access_put16(access, j.unit + UNIT_ROTATION + UINT64_C(2) * i, angle);
    }
    restore_translation(access, &j, j.reset + RPY_TRANSLATION);
    hmd_access_put16(access, j.reset + RPY_CHANGED, 0);
}

static void reset_axes(hmd_access *access, const hmd_mime_args *args, uint64_t block)
{
    const joint j = find_joint(access, args, block);
    if (hmd_access_u16(access, j.reset + AXES_CHANGED) == 0) {
        return;
    }
    for (uint64_t i = 0; i < 9; i++) {
        hmd_access_put16(access, j.unit + UNIT_MATRIX + 2 * i,
                         hmd_access_s16(access, j.reset + 2 * i));
    }
    restore_translation(access, &j, j.reset + AXES_TRANSLATION);
    hmd_access_put16(access, j.reset + AXES_CHANGED, 0);
}

/* ---- by type ---- */

static void reset_vectors(hmd_access *access, const hmd_mime_args *args, uint64_t block)
{
    restore_vectors(access, args, block, false);
}

static void keep_vectors(hmd_access *access, const hmd_mime_args *args, uint64_t block)
{
    restore_vectors(access, args, block, true);
}

typedef void evaluate(hmd_access *, const hmd_mime_args *, uint64_t block);

static evaluate *evaluator(uint32_t type)
{
    static const struct {
        uint32_t type;
        evaluate *function;
    } types[] = {
        {HMD_MIME_JOINT_RPY, play_rpy},          {HMD_MIME_JOINT_RPY_RESET, reset_rpy},
        {HMD_MIME_JOINT_AXES_RESET, reset_axes}, {HMD_MIME_VERTEX, play_vectors},
        {HMD_MIME_NORMAL, play_vectors},         {HMD_MIME_VERTEX_RESET, reset_vectors},
        {HMD_MIME_NORMAL_RESET, reset_vectors},
    };
    for (uint32_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i].type == type) {
            return types[i].function;
        }
    }
    return NULL;
}

static hmd_outcome run(hmd_image *image, fh_budget *budget, const hmd_mime_args *args,
                       uint32_t difference, evaluate *function)
{
    hmd_access access = hmd_access_into(image, budget);
    if (hmd_access_pay(&access, 1)) {
        function(&access, args, (uint64_t)args->differences + difference);
    }
    return access.outcome;
}

static bool is_reset(uint32_t type)
{
    return (type & 8) != 0;
}

hmd_outcome hmd_mime_play(hmd_image *image, fh_budget *budget, const hmd_mime_args *args,
                          uint32_t difference)
{
    evaluate *const function = evaluator(args->type);
    if (function == NULL || (!is_reset(args->type) && args->num_keys > HMD_MIME_MAX_KEYS)) {
        return (hmd_outcome){HMD_EVAL_UNSUPPORTED, 0};
    }
    return run(image, budget, args, difference, function);
}

hmd_outcome hmd_mime_keep(hmd_image *image, fh_budget *budget, const hmd_mime_args *args,
                          uint32_t difference)
{
    if (evaluator(args->type) != reset_vectors) {
        return (hmd_outcome){HMD_EVAL_OK, 0};
    }
    return run(image, budget, args, difference, keep_vectors);
}
