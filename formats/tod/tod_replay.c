#include "tod/tod_replay.h"

#include "tod/tod_poses.h"

#include <assert.h>
#include <string.h>

const char *const tod_profile_names[] = {"1.31", "1.30", NULL};

const char *const tod_evaluator_names[] = {
    [TOD_PROFILE_131] = "tod-player 1.31", [TOD_PROFILE_130] = "tod-player 1.30"};

enum { TOLD_SINGULAR = 16, TOLD_OVERFLOW = 32 }; /* the player uses the bits below */

typedef struct replay {
    const tod_model *model;
    const fh_replay_options *options;
    fh_budget *budget;
    tod_check check;
    tod_player player;
    tod_player other; /* of the other profile, silent */
    bool compares;    /* with the other player, until they differ */
    tod_poses poses;
    fh_replay_state state;
    uint32_t num_frames; /* shown so far */
} replay;

static bool parse_profile(tod_profile *out, const char *name)
{
    for (int i = 0; tod_profile_names[i] != NULL; i++) {
        if (name == NULL || strcmp(name, tod_profile_names[i]) == 0) {
            *out = (tod_profile)i;
            return true;
        }
    }
    return false;
}

/* Tells something about a slot after a frame, once an object. */
static void tell_slot(replay *run, uint32_t index, uint32_t bit, enum tod_rule rule,
                      const char *field, fh_value found, fh_value expected)
{
    tod_slot *slot = &run->player.slots[index];
    if ((slot->told & bit) != 0 || slot->id == TOD_FREE_ID) {
        return;
    }
    slot->told |= bit;
    tod_tell_object(&run->check, rule, field, slot->id, found, expected);
}

static void tell_overflow(void *user, uint32_t slot)
{
    tell_slot(user, slot, TOLD_OVERFLOW, TOD0132, "world matrix", fh_words("out of range"),
              fh_words("elements of 16 bits, translations of 32"));
}

/* A scale of 0 makes every matrix singular and has a finding of its own. */
static void check_singular(replay *run)
{
    for (uint32_t i = 0; i < run->player.num_used; i++) {
        const tod_slot *slot = &run->player.slots[i];
        if (slot->touched && !slot->zero_scale && !slot->matrix_used &&
            fx_is_singular(slot->matrix.m)) {
            tell_slot(run, i, TOLD_SINGULAR, TOD0133, "determinant", fh_words("0"),
                      fh_words("not 0"));
        }
    }
}

static bool same_slot(const tod_slot *a, const tod_slot *b)
{
    return a->id == b->id && memcmp(a->matrix.m, b->matrix.m, sizeof a->matrix.m) == 0 &&
           memcmp(a->matrix.t, b->matrix.t, sizeof a->matrix.t) == 0;
}

/* The first slot in which the players differ, or TOD_NO_SLOT. */
static int32_t first_difference(const replay *run)
{
    const tod_player *a = &run->player;
    const tod_player *b = &run->other;
    const uint32_t most = a->num_used > b->num_used ? a->num_used : b->num_used;
    for (uint32_t i = 0; i < most; i++) {
        if (!same_slot(&a->slots[i], &b->slots[i])) {
            return (int32_t)i;
        }
    }
    return TOD_NO_SLOT;
}

/* The slots of both players go together until the first frame that shows a difference, which ends
 * the comparison. The packet is the one from which on they differ; NULL: they did before the file
 * began, in which nothing was shown. */
static void tell_profiles(replay *run, int32_t slot, const tod_packet *packet)
{
    const uint32_t own = run->player.slots[slot].id;
    const uint32_t id = own == TOD_FREE_ID ? run->other.slots[slot].id : own;
    const fh_value found = fh_words("different in 1.30 and 1.31");
    run->compares = false;
    if (packet == NULL) {
        tod_tell_object(&run->check, TOD0130, "pose", id, found, fh_nothing());
        return;
    }
    run->check.packet = packet;
    tod_tell_packet(&run->check, TOD0130, "pose", 0, found, fh_nothing());
    run->check.packet = NULL;
}

/* Executes the frame in both players, side by side. */
static bool compare_frame(replay *run, const tod_frame *frame)
{
    const tod_packet *culprit = NULL;
    int32_t slot = first_difference(run);
    tod_player_begin(&run->player);
    tod_player_begin(&run->other);
    for (unsigned i = 0; i < frame->num_packets; i++) {
        const tod_packet *packet = run->model->packets + frame->first_packet + i;
        if (!tod_player_packet(&run->player, run->model, frame, packet, run->budget) ||
            !tod_player_packet(&run->other, run->model, frame, packet, run->budget) ||
            !fh_pay(run->budget, run->other.num_used)) {
            return false;
        }
        const bool was_same = slot == TOD_NO_SLOT;
        slot = first_difference(run);
        culprit = was_same ? packet : culprit;
    }
    if (slot != TOD_NO_SLOT) {
        tell_profiles(run, slot, culprit);
    }
    return true;
}

static bool play_frame(replay *run, const tod_frame *frame)
{
    run->check.frame = frame;
    const bool is_played = run->compares
                               ? compare_frame(run, frame)
                               : tod_player_frame(&run->player, run->model, frame, run->budget);
    if (!is_played || !fh_pay(run->budget, 1 + 2 * (uint64_t)run->player.size)) {
        return false;
    }
    check_singular(run);
    tod_poses_world(&run->poses, &run->player, tell_overflow, run);
    const fh_pose_frame shown = {(uint32_t)(frame - run->model->frames), frame->number};
    tod_poses_show(&run->poses, &run->player, &shown);
    run->num_frames++;
    return true;
}

/* Plays what was played before on the same table, silently. */
static bool play_before(replay *run, const tod_model *model)
{
    for (uint32_t i = 0; i < model->num_frames; i++) {
        if (!tod_player_frame(&run->player, model, &model->frames[i], run->budget) ||
            (run->compares &&
             !tod_player_frame(&run->other, model, &model->frames[i], run->budget))) {
            return false;
        }
    }
    return true;
}

/* A continuation starts on what another file left behind. As long as no file of the row has created
 * an object, those that are not there are assumed, and the result says so. */
static void assume_start(replay *run, const tod_model *model, bool *is_created)
{
    *is_created = *is_created || model->creates;
    if (*is_created || model->num_objects == 0) {
        return;
    }
    run->state = FH_REPLAY_ASSUMED;
    const uint32_t num_left_out = tod_player_assume(&run->player, model);
    (void)tod_player_assume(&run->other, model);
    if (num_left_out > 0) {
        tod_tell(&run->check, TOD0065, "object table", 0,
                 fh_dec_after("full: ", num_left_out, " assumed objects without a slot"),
                 fh_words("a free slot (50 in the sample players)"));
    }
}

static bool play(replay *run)
{
    bool is_created = false;
    for (size_t i = 0; i < run->options->num_before; i++) {
        assume_start(run, run->options->before[i], &is_created);
        if (!play_before(run, run->options->before[i])) {
            return false;
        }
    }
    assume_start(run, run->model, &is_created);
    run->player.check = &run->check;
    for (uint32_t i = 0; i < run->model->num_frames; i++) {
        if (!play_frame(run, &run->model->frames[i])) {
            return false;
        }
    }
    return true;
}

static bool profiles_may_differ(const tod_model *model, fh_budget *budget)
{
    for (uint32_t i = 0; i < model->num_packets && fh_pay(budget, 1); i++) {
        const tod_packet *packet = &model->packets[i];
        if (packet->type == TOD_MATRIX ||
            (packet->type == TOD_CONTROL && packet->flag == TOD_KILL)) {
            return true;
        }
    }
    return false;
}

static fh_status prepare(replay *run, const fh_env *env, fh_reporter *reporter)
{
    const uint32_t size = run->options->num_slots != 0 ? run->options->num_slots : FH_PLAYER_SLOTS;
    tod_profile profile = TOD_PROFILE_131;
    if (!parse_profile(&profile, run->options->profile) || size > FH_PLAYER_MAX_SLOTS) {
        return FH_UNSUPPORTED;
    }
    const tod_profile other = profile == TOD_PROFILE_131 ? TOD_PROFILE_130 : TOD_PROFILE_131;
    run->check = (tod_check){.model = run->model, .reporter = reporter, .budget = env->budget};
    run->compares = profiles_may_differ(run->model, env->budget);
    for (size_t i = 0; i < run->options->num_before && !run->compares; i++) {
        run->compares = profiles_may_differ(run->options->before[i], env->budget);
    }
    fh_status status = fh_reporter_open(reporter, env->arena, env->sink, tod_rules, TOD_NUM_RULES);
    if (status == FH_OK) {
        status = tod_player_init(&run->player, env->arena, profile, size);
    }
    if (status == FH_OK) {
        status = tod_player_init(&run->other, env->arena, other, size);
    }
    if (status == FH_OK) {
        status = tod_poses_init(&run->poses, env->arena, &run->player, env->sink, run->options);
    }
    return status;
}

/* From the first number to the last, each shown for `resolution` ticks. */
static uint64_t running_time(const tod_model *model)
{
    const uint32_t first = model->frames[0].number;
    const uint32_t last = model->frames[model->num_frames - 1].number;
    return last < first ? 0 : ((uint64_t)last - first + 1) * model->resolution;
}

fh_status tod_replay(fh_replay_result *result, const fh_env *env, const void *model,
                     const fh_replay_options *options)
{
    replay run = {.model = model, .options = options, .budget = env->budget};
    fh_reporter reporter;
    *result = (fh_replay_result){.state = FH_REPLAY_STOPPED, .evaluator = tod_evaluator_names[0]};
    const fh_status status = prepare(&run, env, &reporter);
    if (status != FH_OK) {
        return status;
    }
    result->evaluator = tod_evaluator_names[run.player.profile];
    result->ticks = running_time(run.model);
    if (!play(&run)) {
        run.state = FH_REPLAY_STOPPED;
        const size_t off = run.check.frame == NULL ? 0 : run.check.frame->off;
        tod_tell(&run.check, TOD0131, "work budget of the replay", off,
                 fh_dec_after("spent after ", run.num_frames, " frames"),
                 fh_count(run.model->num_frames, "frame"));
    }
    result->state = run.state;
    result->frames = run.num_frames;
    fh_reporter_close(&reporter);
    return FH_OK;
}
