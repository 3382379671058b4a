#include "hmd/hmd_replay.h"

#include "core/never.h"
#include "hmd/hmd_period.h"
#include "hmd/hmd_poses.h"
#include "hmd/hmd_replay_checks.h"

#include <string.h>

const char *const hmd_profile_names[] = {"4.4", NULL};
const char *const hmd_evaluator_names[] = {"hmd-library 4.4"};

typedef struct replay {
    hmd_player player;
    hmd_poses poses;
    hmd_replay_checks checks;
    hmd_plan plan;
    hmd_recurrence recurrence; /* if the sequences are entangled */
    uint32_t num_frames;       /* played to their end */
    uint64_t most_spent;       /* on one of them */
} replay;

static void on_tick(void *user, uint32_t sequence, const hmd_tick *tick)
{
    hmd_replay_check_tick(&((replay *)user)->checks, sequence, tick);
}

static void on_pose(void *user)
{
    replay *run = user;
    hmd_replay_check_world(&run->checks);
    hmd_poses_posed(&run->poses);
}

static void on_morph(void *user)
{
    hmd_poses_morphed(&((replay *)user)->poses);
}

static void on_unmodelled(void *user)
{
    hmd_replay_check_unmodelled(&((replay *)user)->checks);
}

/* An asset without sequences has one frame. Otherwise the planner tells how many show everything;
 * where it cannot, the image goes on until it repeats or a limit ends it. */
static fh_status plan(replay *run)
{
    hmd_player *player = &run->player;
    /* Every record of a model is run by some block. */
    if (player->num_tracks == 0 || NEVER(player->num_runs == 0)) {
        run->plan = (hmd_plan){.is_known = true, .frames = 1};
        return FH_OK;
    }
    fh_status status = hmd_period_plan(player, &run->plan, FH_MAX_REPLAY_FRAMES);
    if (status == FH_OK) {
        status = hmd_player_rewind(player);
    }
    if (status == FH_OK && run->plan.is_entangled) {
        status = hmd_recurrence_open(&run->recurrence, player);
    }
    return status;
}

/* When each sequence has shown everything: whether to go on until all together have. The frames
 * that are to come cost about what those cost that were played; none is for nothing. */
static bool is_worth_going_on(const replay *run)
{
    const uint64_t left = run->player.check.budget->left;
    const uint64_t more = run->plan.frames - run->plan.least;
    return run->plan.frames <= FH_MAX_REPLAY_FRAMES && more <= left / 2 / run->most_spent;
}

static bool is_through(replay *run)
{
    if (run->plan.is_known) {
        return run->num_frames >= run->plan.frames ||
               (run->num_frames == run->plan.least && !is_worth_going_on(run));
    }
    if (!run->plan.is_entangled ||
        !hmd_recurrence_seen(&run->recurrence, &run->player, run->num_frames)) {
        return false;
    }
    run->plan.prelude = run->recurrence.frame;
    run->plan.period = run->num_frames - run->recurrence.frame;
    return true;
}

/* true when everything was shown. */
static bool play(replay *run)
{
    hmd_check *check = &run->player.check;
    do {
        const uint64_t before = check->budget->left;
        if (run->num_frames == FH_MAX_REPLAY_FRAMES) {
            hmd_replay_tell_frames(&run->checks, FH_MAX_REPLAY_FRAMES);
            return false;
        }
        check->frame = run->num_frames;
        hmd_poses_begin(&run->poses, run->num_frames);
        if (hmd_player_frame(&run->player) != HMD_PLAY_ON) {
            hmd_replay_tell_end(&run->checks);
            return false;
        }
        hmd_poses_devices(&run->poses);
        run->num_frames++;
        const uint64_t spent = before - check->budget->left;
        run->most_spent = spent > run->most_spent ? spent : run->most_spent;
    } while (!is_through(run));
    return true;
}

static bool is_moving(const hmd_player *player)
{
    return player->num_tracks > 0 && ALWAYS(player->num_runs > 0);
}

static fh_replay_state conclude(replay *run)
{
    if (!is_moving(&run->player)) {
        return FH_REPLAY_STILL;
    }
    hmd_replay_tell_period(&run->checks, &run->plan, run->num_frames);
    hmd_replay_tell_frozen(&run->checks);
    if (run->player.check.stopped) {
        run->player.end = HMD_PLAY_LIMIT;
        hmd_replay_tell_end(&run->checks);
        return FH_REPLAY_STOPPED;
    }
    return FH_REPLAY_COMPLETE;
}

/* What the player cannot do is the asset's fault; all else that ends it is a limit of ours. */
static fh_replay_state break_off(const replay *run)
{
    const bool is_limit = run->player.end == HMD_PLAY_ON || run->player.end == HMD_PLAY_LIMIT;
    return is_limit ? FH_REPLAY_STOPPED : FH_REPLAY_BROKEN;
}

static fh_status prepare(replay *run, const fh_env *env, const hmd_model *model,
                         fh_reporter *reporter, const fh_replay_options *options)
{
    hmd_player *player = &run->player;
    fh_status status = hmd_player_open(player, model, reporter, env->budget, env->arena);
    if (status == FH_OK) {
        status = hmd_replay_checks_open(&run->checks, player);
    }
    if (status == FH_OK) {
        status = plan(run);
    }
    if (status == FH_OK) {
        status = hmd_poses_open(&run->poses, player, env->sink, options);
    }
    player->watcher = (hmd_watcher){run, on_tick, on_pose, on_morph, on_unmodelled};
    return status;
}

static bool is_known_profile(const char *name)
{
    return name == NULL || strcmp(name, hmd_profile_names[0]) == 0;
}

static fh_status replay_with(fh_replay_result *result, const fh_env *env, const void *model,
                             const fh_replay_options *options)
{
    fh_reporter reporter;
    replay *run = fh_arena_alloc(env->arena, 1, sizeof *run);
    if (run == NULL) {
        return FH_NO_MEMORY;
    }
    run->checks.player = &run->player; /* it tells, whatever else was prepared */
    fh_status status = fh_reporter_open(&reporter, env->arena, env->sink, hmd_rules, HMD_NUM_RULES);
    if (status == FH_OK) {
        status = prepare(run, env, model, &reporter, options);
    }
    if (status == FH_OK) {
        result->state = play(run) ? conclude(run) : break_off(run);
    }
    if (status == FH_LIMIT) {
        run->player.end = HMD_PLAY_LIMIT;
        hmd_replay_tell_end(&run->checks);
        status = FH_OK;
    }
    result->frames = run->num_frames;
    if (status == FH_OK) {
        fh_reporter_close(&reporter);
    }
    return status;
}

/* The budget of the bytes, and what few bytes may ask for besides: see limits.h. */
fh_status hmd_replay(fh_replay_result *result, const fh_env *env, const void *model,
                     const fh_replay_options *options)
{
    *result = (fh_replay_result){.state = FH_REPLAY_STOPPED, .evaluator = hmd_evaluator_names[0]};
    if (!is_known_profile(options->profile) || options->num_before > 0) {
        return FH_UNSUPPORTED;
    }
    fh_budget budget = fh_budget_lend(env->budget, env->reserve, FH_MOTION_BUDGET_MOST);
    const uint64_t given = budget.left;
    const fh_env lent = {env->arena, &budget, env->sink, env->reserve};
    const fh_status status = replay_with(result, &lent, model, options);
    fh_budget_book(env->budget, env->reserve, given - budget.left);
    return status;
}
