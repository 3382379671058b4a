#include "tra/tra_replay.h"

#include "core/shown.h"
#include "tra/tra_world.h"

#include <assert.h>
#include <string.h>

const char *const tra_profile_names[] = {"4.0", NULL};
const char *const tra_evaluator_names[] = {"tra-reference 4.0"};

#define REAL_COLUMN(name)                                                                          \
    {                                                                                              \
        name, FH_COLUMN_REAL                                                                       \
    }
#define VECTOR_COLUMNS(name) REAL_COLUMN(name "_x"), REAL_COLUMN(name "_y"), REAL_COLUMN(name "_z")

#define ROW_COLUMNS(row)                                                                           \
    REAL_COLUMN("m" row "0"), REAL_COLUMN("m" row "1"), REAL_COLUMN("m" row "2")
#define MATRIX_COLUMNS                                                                             \
    ROW_COLUMNS("0"), ROW_COLUMNS("1"), ROW_COLUMNS("2"), REAL_COLUMN("t0"), REAL_COLUMN("t1"),    \
        REAL_COLUMN("t2")

static const fh_column bone_columns[] = {{"bone", FH_COLUMN_NAME},    VECTOR_COLUMNS("translate"),
                                         VECTOR_COLUMNS("direction"), REAL_COLUMN("roll"),
                                         VECTOR_COLUMNS("scale"),     MATRIX_COLUMNS};
static const fh_column world_columns[] = {{"bone", FH_COLUMN_NAME}, MATRIX_COLUMNS};
static const fh_column dynamic_columns[] = {{"mask", FH_COLUMN_NAME}};

enum {
    NUM_BONE_COLUMNS = sizeof bone_columns / sizeof bone_columns[0],
    NUM_WORLD_COLUMNS = sizeof world_columns / sizeof world_columns[0]
};

static const fh_pose_table bone_table = {"bone", bone_columns, NUM_BONE_COLUMNS};
static const fh_pose_table world_table = {"world", world_columns, NUM_WORLD_COLUMNS};
static const fh_pose_table dynamic_table = {"dynamic", dynamic_columns, 1};

/* Work of a pose: ten samples twice, a root, an angle, a row. */
enum { UNITS_OF_A_POSE = 80 };

/* And in world space: two products of matrices, a row. */
enum { UNITS_OF_A_WORLD = 40 };

typedef struct replay {
    const tra_model *model;
    const fh_sink *sink;
    tra_check check;
    bool changes_only;
    uint32_t *hints;  /* one a channel: the key that was found last */
    uint32_t *moving; /* bones with some channel that changes */
    uint32_t num_moving;
    uint32_t *order; /* of the group keys: by frame, then as in the file */
    uint32_t next_group_key;
    uint32_t mask;
    bool is_mask_shown;
    bool *is_told; /* one a bone: TRA0143 */
    tra_space
        *locals; /* one a bone: its rest pose relative to its parent's; NULL: no world space */
    tra_space *worlds; /* one a bone: where it stood last */
} replay;

static void take_curves(const replay *run, tra_curve curves[TRA_NUM_KINDS], const tra_bone *bone)
{
    tra_curves_of(curves, run->model, bone);
    for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
        if (curves[kind].num > 0) {
            curves[kind].at = run->hints[tra_find_channel(run->model, bone, kind)];
        }
    }
}

static void keep_hints(const replay *run, const tra_curve curves[TRA_NUM_KINDS],
                       const tra_bone *bone)
{
    for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
        if (curves[kind].num > 0) {
            run->hints[tra_find_channel(run->model, bone, kind)] = curves[kind].at;
        }
    }
}

/* ---- what stands in for something ---- */

static void tell_substitutes(replay *run, uint32_t index)
{
    const tra_bone *bone = &run->model->bones[index];
    tra_curve curves[TRA_NUM_KINDS];
    tra_set_bone(&run->check, index);
    tra_curves_of(curves, run->model, bone);
    for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
        const uint32_t channel = tra_find_channel(run->model, bone, kind);
        const fh_text_place at = channel == TRA_NONE ? bone->at : run->model->channels[channel].at;
        run->check.kind = kind;
        if (curves[kind].num == 0) {
            char expected[FH_EVIDENCE_LEN];
            fh_text text = fh_text_make(expected, sizeof expected);
            tra_put_real(&text, tra_identity[kind]);
            fh_text_str(&text, " was used");
            tra_tell(&run->check, TRA0140, "channel", at,
                     fh_words(channel == TRA_NONE ? "missing" : "not playable"),
                     fh_words(expected));
        } else if (curves[kind].keys[0].frame > 0) {
            run->check.frame = curves[kind].keys[0].frame;
            tra_tell(&run->check, TRA0142, "first key frame", curves[kind].keys[0].at,
                     fh_dec(curves[kind].keys[0].frame, ""), fh_dec(0, ""));
            run->check.frame = FH_UNKNOWN;
        }
    }
    tra_clear_place(&run->check);
}

static void tell_special(replay *run, uint32_t index, uint32_t frame, tra_special special)
{
    if (special == TRA_ORDINARY || run->is_told[index]) {
        return;
    }
    run->is_told[index] = true;
    tra_set_bone(&run->check, index);
    run->check.frame = frame;
    tra_tell(&run->check, TRA0143, "rotate", run->model->bones[index].at,
             fh_words(special == TRA_MINUS_Z ? "exactly -Z" : "zero"),
             fh_words(special == TRA_MINUS_Z ? "any other direction" : "a direction"));
    tra_clear_place(&run->check);
}

/* ---- bones ---- */

static bool is_moving(replay *run, const tra_bone *bone)
{
    tra_curve curves[TRA_NUM_KINDS];
    tra_curves_of(curves, run->model, bone);
    for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
        const tra_key *keys = curves[kind].keys;
        for (uint32_t i = 1; i < curves[kind].num && tra_spend(&run->check, 1); i++) {
            if (keys[i].value < keys[0].value || keys[i].value > keys[0].value) {
                return true;
            }
        }
    }
    return false;
}

static void put_row(fh_pose_value row[NUM_BONE_COLUMNS], uint32_t bone, const tra_pose *pose)
{
    size_t at = 0;
    row[at++].i = bone;
    for (unsigned i = 0; i < 3; i++) {
        row[at++].r = pose->translate[i];
    }
    for (unsigned i = 0; i < 3; i++) {
        row[at++].r = pose->direction[i];
    }
    row[at++].r = pose->roll;
    for (unsigned i = 0; i < 3; i++) {
        row[at++].r = pose->scale[i];
    }
    for (unsigned i = 0; i < 9; i++) {
        row[at++].r = pose->matrix[i / 3][i % 3];
    }
    for (unsigned i = 0; i < 3; i++) {
        row[at++].r = pose->translate[i];
    }
    assert(at == NUM_BONE_COLUMNS);
}

static void put_world(fh_pose_value row[NUM_WORLD_COLUMNS], uint32_t bone, const tra_space *world)
{
    row[0].i = bone;
    for (unsigned i = 0; i < 9; i++) {
        row[1 + i].r = world->matrix[i / 3][i % 3];
    }
    for (unsigned i = 0; i < 3; i++) {
        row[10 + i].r = world->origin[i];
    }
}

/* Computes where a bone stands; its parent, which comes before it, stands there already. */
static void place_bone(tra_space *out, const replay *run, uint32_t index, const tra_pose *pose)
{
    const uint32_t parent = run->model->bac->bones[index].parent;
    tra_space own;
    tra_space moved;
    memcpy(own.matrix, pose->matrix, sizeof own.matrix);
    memcpy(own.origin, pose->translate, sizeof own.origin);
    tra_space_times(&moved, &run->locals[index], &own);
    if (parent == TRA_NONE) {
        *out = moved;
    } else {
        tra_space_times(out, &run->worlds[parent], &moved);
    }
}

static void show_world(replay *run, uint32_t index, uint32_t frame, const tra_pose *pose)
{
    fh_pose_value row[NUM_WORLD_COLUMNS];
    tra_space world;
    place_bone(&world, run, index, pose);
    /* Bit for bit: it has no padding, and tra_space_times leaves no negative zero. */
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
    const bool is_same = memcmp(&world, &run->worlds[index], sizeof world) == 0;
    run->worlds[index] = world;
    if (run->sink->pose != NULL && (!run->changes_only || frame == 0 || !is_same)) {
        put_world(row, index, &world);
        fh_pass_row(run->sink, &world_table, row);
    }
}

static bool same_values(const double a[TRA_NUM_KINDS], const double b[TRA_NUM_KINDS])
{
    for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
        if (a[kind] < b[kind] || a[kind] > b[kind]) {
            return false;
        }
    }
    return true;
}

static void show_bone(replay *run, uint32_t index, uint32_t frame)
{
    const tra_bone *bone = &run->model->bones[index];
    tra_curve curves[TRA_NUM_KINDS];
    double before[TRA_NUM_KINDS];
    double values[TRA_NUM_KINDS];
    tra_pose pose;
    fh_pose_value row[NUM_BONE_COLUMNS];
    take_curves(run, curves, bone);
    for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
        before[kind] = tra_sample(&curves[kind], frame == 0 ? 0 : (double)frame - 1);
        values[kind] = tra_sample(&curves[kind], frame);
    }
    keep_hints(run, curves, bone);
    const bool is_same = run->changes_only && frame > 0 && same_values(before, values);
    if (is_same && run->locals == NULL) {
        return;
    }
    tra_pose_of(&pose, values);
    tell_special(run, index, frame, pose.special);
    if (run->sink->pose != NULL && !is_same) {
        put_row(row, index, &pose);
        fh_pass_row(run->sink, &bone_table, row);
    }
    if (run->locals != NULL) { /* a parent may have moved it */
        show_world(run, index, frame, &pose);
    }
}

/* ---- dynamic polygons ---- */

static int64_t frame_of(const replay *run, uint32_t entry)
{
    return run->model->group_keys[run->order[entry]].frame;
}

/* Merges two sorted runs of the order into `to`; equal frames keep the order of the file. */
static void merge(const replay *run, uint32_t *to, uint32_t from, uint32_t middle, uint32_t end)
{
    uint32_t a = from;
    uint32_t b = middle;
    for (uint32_t at = from; at < end; at++) {
        const bool takes_a = a < middle && (b >= end || frame_of(run, a) <= frame_of(run, b));
        to[at] = run->order[takes_a ? a++ : b++];
    }
}

/* Sorts the keys by frame, in runs that double: the file's order may be any. */
static bool sort_group_keys(replay *run, fh_arena *arena)
{
    const uint32_t num = run->model->num_group_keys;
    run->order = fh_arena_alloc(arena, num, sizeof *run->order);
    uint32_t *other = fh_arena_alloc(arena, num, sizeof *other);
    if (run->order == NULL || other == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < num; i++) {
        run->order[i] = i;
    }
    for (uint32_t len = 1; len < num && tra_spend(&run->check, 2 * (uint64_t)num); len *= 2) {
        for (uint32_t from = 0; from < num; from += 2 * len) {
            const uint32_t middle = num - from < len ? num : from + len;
            const uint32_t end = num - from < 2 * len ? num : from + 2 * len;
            merge(run, other, from, middle, end);
        }
        uint32_t *sorted = other;
        other = run->order;
        run->order = sorted;
    }
    return true;
}

static void apply_group_key(replay *run, const tra_group_key *key)
{
    if (!key->is_whole || key->group < 0 || key->group >= TRA_MASK_GROUPS) {
        return;
    }
    const uint32_t bit = (uint32_t)1 << key->group;
    run->mask = key->is_shown ? run->mask | bit : run->mask & ~bit;
}

/* Keys in front of frame 0 never act, in no player. */
static void show_dynamic(replay *run, uint32_t frame)
{
    const tra_model *model = run->model;
    const uint32_t before = run->mask;
    for (; run->next_group_key < model->num_group_keys; run->next_group_key++) {
        const int64_t at = frame_of(run, run->next_group_key);
        if (at > frame) {
            break;
        }
        if (at >= 0) {
            apply_group_key(run, &model->group_keys[run->order[run->next_group_key]]);
        }
    }
    const bool is_new = !run->is_mask_shown || !run->changes_only || run->mask != before;
    if (is_new && model->has_dynamic) {
        const fh_pose_value mask = {.i = run->mask};
        fh_pass_row(run->sink, &dynamic_table, &mask);
    }
    run->is_mask_shown = true;
}

/* ---- the run ---- */

static bool prepare(replay *run, fh_arena *arena)
{
    const tra_model *model = run->model;
    run->hints = fh_arena_alloc(arena, model->num_channels, sizeof *run->hints);
    run->moving = fh_arena_alloc(arena, model->num_bones, sizeof *run->moving);
    run->is_told = fh_arena_alloc(arena, model->num_bones, sizeof *run->is_told);
    if (run->hints == NULL || run->moving == NULL || run->is_told == NULL ||
        !sort_group_keys(run, arena)) {
        return false;
    }
    for (uint32_t i = 0; i < model->num_bones && tra_spend(&run->check, UNITS_OF_A_POSE); i++) {
        tell_substitutes(run, i);
        if (is_moving(run, &model->bones[i])) {
            run->moving[run->num_moving++] = i;
        }
    }
    return true;
}

/* World space is known where the model's bones have parents and rest poses, and there is one for
 * each of the animation's. What is wrong otherwise was told when the model was read. */
static bool has_world_space(const tra_model *model)
{
    const tra_bac *bac = model->bac;
    return bac != NULL && bac->has_tree && bac->has_rest && bac->num_bones == model->num_bones;
}

static bool prepare_world(replay *run, fh_arena *arena)
{
    const uint32_t num = run->model->num_bones;
    tra_space *locals = fh_arena_alloc(arena, num, sizeof *locals);
    run->worlds = fh_arena_alloc(arena, num, sizeof *run->worlds);
    if (locals == NULL || run->worlds == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < num && tra_spend(&run->check, UNITS_OF_A_WORLD); i++) {
        tra_local_of(&locals[i], run->model->bac, i);
    }
    run->locals = locals;
    return true;
}

/* Shows a frame, or nothing of it where the work is not paid for. */
static bool show_frame(replay *run, uint32_t frame)
{
    const fh_pose_frame shown = {frame, frame};
    const bool has_world = run->locals != NULL;
    const bool all = frame == 0 || !run->changes_only || has_world;
    const uint32_t num = all ? run->model->num_bones : run->num_moving;
    const uint64_t units = UNITS_OF_A_POSE + (has_world ? UNITS_OF_A_WORLD : 0);
    if (!tra_spend(&run->check, 1 + units * num)) {
        return false;
    }
    fh_pass_frame(run->sink, &shown);
    for (uint32_t i = 0; i < num; i++) {
        show_bone(run, all ? i : run->moving[i], frame);
    }
    show_dynamic(run, frame);
    return true;
}

static void play(replay *run, fh_replay_result *result)
{
    const uint32_t total = run->model->total_frames;
    while (!run->check.stopped && result->frames < total && show_frame(run, result->frames)) {
        result->frames++;
    }
    if (!run->check.stopped) {
        result->state = FH_REPLAY_COMPLETE;
        return;
    }
    tra_clear_place(&run->check);
    run->check.frame = result->frames;
    tra_tell(&run->check, TRA0141, "work budget of the replay", run->model->total_at,
             fh_dec_after("spent after ", result->frames, " frames"), fh_count(total, "frame"));
}

/* The budget of the bytes, and what few bytes may ask for besides if they are sound; see limits.h.
 */
static fh_budget replay_budget(const fh_env *env, const tra_model *model)
{
    const uint64_t wanted = model->is_sound ? FH_POSE_BUDGET_PER_BYTE * (uint64_t)model->end : 0;
    return fh_budget_lend(env->budget, env->reserve,
                          wanted < FH_POSE_BUDGET_MOST ? wanted : FH_POSE_BUDGET_MOST);
}

fh_status tra_replay(fh_replay_result *result, const fh_env *env, const void *model,
                     const fh_replay_options *options)
{
    fh_reporter reporter;
    *result = (fh_replay_result){.state = FH_REPLAY_STOPPED, .evaluator = tra_evaluator_names[0]};
    if (options->profile != NULL && strcmp(options->profile, tra_profile_names[0]) != 0) {
        return FH_UNSUPPORTED;
    }
    const fh_status status =
        fh_reporter_open(&reporter, env->arena, env->sink, tra_rules, TRA_NUM_RULES);
    if (status != FH_OK) {
        return status;
    }
    replay run = {.model = model, .sink = env->sink, .changes_only = options->changes_only};
    fh_budget budget = replay_budget(env, run.model);
    const uint64_t given = budget.left;
    run.check = tra_check_make(run.model, &reporter, &budget, env->arena);
    assert(run.model->has_total && run.model->num_bones > 0);
    const bool wants_world = options->world && run.model->has_companion;
    if (wants_world && !has_world_space(run.model)) {
        result->state = FH_REPLAY_BROKEN;
        return FH_OK;
    }
    if (!prepare(&run, env->arena) || (wants_world && !prepare_world(&run, env->arena))) {
        return FH_NO_MEMORY;
    }
    play(&run, result);
    fh_budget_book(env->budget, env->reserve, given - budget.left);
    fh_reporter_close(&reporter);
    return FH_OK;
}
