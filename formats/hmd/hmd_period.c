#include "hmd/hmd_period.h"

#include "hmd/hmd_animation.h"

#include <assert.h>
#include <string.h>

/* Switches of one sequence that are remembered. A sequence of real files has under 200 before it
 * repeats; more are left to the limit of frames. */
enum { MOST_STATES = 1 << 14, NUM_HEADS = 1 << 12, NO_STATE = UINT32_MAX };

enum { RFRAME_END_FORWARD = 0x7000, RFRAME_END_BACKWARD = 0x6000 };

/* The fields that a sequence changes while it plays are its words 2 to 6. */
enum { FIRST_FIELD = 2, NUM_FIELDS = 5, RFRAME_FIELD = 2 };

typedef struct state {
    uint32_t fields[NUM_FIELDS];
    uint32_t history[HMD_WORK_WORDS];
} state;

/* The state in front of a frame in which more than the time ran on. */
typedef struct moment {
    state at;
    uint32_t frame;
    uint32_t next;         /* with the same hash */
    int16_t rframe_before; /* in front of the frame before */
} moment;

typedef struct planner {
    hmd_player *player;
    hmd_plan *plan;
    uint32_t most;
    bool *is_claimed; /* by word: history of a sequence that was planned */
    moment *moments;
    uint32_t num_moments;
    uint32_t *heads;
    /* The sequence that is played. */
    uint32_t sequence;
    uint32_t history; /* word that a spline would use; HMD_NONE: it is no place for one */
    bool has_claimed; /* a spline was called */
    uint32_t prelude, period;
} planner;

static void read_state(const planner *p, state *out)
{
    const uint32_t *words = p->player->image.words;
    *out = (state){{0}};
    memcpy(out->fields, words + p->player->tracks[p->sequence].off + FIRST_FIELD,
           sizeof out->fields);
    if (p->history != HMD_NONE) {
        memcpy(out->history, words + p->history, sizeof out->history);
    }
}

static int16_t rframe_of(const state *at)
{
    return fx_w16(hmd_low(at->fields[RFRAME_FIELD]));
}

static bool is_same(const state *a, const state *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Nothing but the time ran on from a to b: no switch, no shift of the history. */
static bool is_plain(const state *a, const state *b)
{
    const int16_t before = rframe_of(a);
    const int16_t after = rframe_of(b);
    const int8_t speed = (int8_t)(uint8_t)(a->fields[1] >> 8 & 0xff);
    const bool is_mark = before == RFRAME_END_FORWARD || before == RFRAME_END_BACKWARD;
    state same = *b;
    same.fields[RFRAME_FIELD] = a->fields[RFRAME_FIELD];
    return before != 0 && !is_mark && is_same(a, &same) &&
           (after == fx_w16((int64_t)before - speed) || after == RFRAME_END_FORWARD ||
            after == RFRAME_END_BACKWARD);
}

/* ---- what does not keep to itself ------------------------------------------------------------ */

static bool writes_guarded(const hmd_player *player, const hmd_tick *tick)
{
    if (tick->called && tick->call.intr_off != HMD_NO_KEY) {
        return true;
    }
    for (uint32_t i = tick->first_written; i < tick->end_written && i < player->image.num_words;
         i++) {
        if (hmd_player_is_guarded(player, i)) {
            return true;
        }
    }
    return false;
}

/* The history belongs to the state from the first frame on, although it may be used later: until
 * then it stays as it is. */
static uint32_t find_history(const planner *p)
{
    const hmd_player *player = p->player;
    const uint32_t history = hmd_player_history(player, p->sequence);
    for (uint32_t i = 0; i < HMD_WORK_WORDS && history != HMD_NONE; i++) {
        if (player->model.owner[history + i] != HMD_OWNER_WORK) {
            return HMD_NONE;
        }
    }
    return history;
}

/* Takes the history for the sequence; false if another one has it, or it is no place for one. */
static bool claim_history(planner *p)
{
    if (p->history == HMD_NONE) {
        return false;
    }
    for (uint32_t i = 0; i < HMD_WORK_WORDS; i++) {
        if (p->is_claimed[p->history + i]) {
            return false;
        }
    }
    memset(p->is_claimed + p->history, true, HMD_WORK_WORDS);
    p->has_claimed = true;
    return true;
}

static bool keeps_to_itself(planner *p, const hmd_tick *tick)
{
    if (writes_guarded(p->player, tick)) {
        return false;
    }
    return !tick->has_history || p->has_claimed || claim_history(p);
}

/* ---- one sequence ---------------------------------------------------------------------------- */

static uint32_t *head_of(planner *p, const state *at)
{
    uint32_t hash = 2166136261u;
    for (uint32_t i = 0; i < NUM_FIELDS + HMD_WORK_WORDS; i++) {
        hash = (hash ^ (i < NUM_FIELDS ? at->fields[i] : at->history[i - NUM_FIELDS])) * 16777619u;
        hash ^= hash >> 15;
    }
    return &p->heads[hash % NUM_HEADS];
}

static const moment *find_moment(planner *p, const state *at)
{
    uint32_t i = *head_of(p, at);
    while (i != NO_STATE && fh_pay(p->player->check.budget, 1)) {
        if (is_same(&p->moments[i].at, at)) {
            return &p->moments[i];
        }
        i = p->moments[i].next;
    }
    return NULL;
}

static bool add_moment(planner *p, const state *at, uint32_t frame, int16_t rframe_before)
{
    uint32_t *head = head_of(p, at);
    if (p->num_moments == MOST_STATES) {
        return false;
    }
    p->moments[p->num_moments] = (moment){*at, frame, *head, rframe_before};
    *head = p->num_moments++;
    return true;
}

static void forget_moments(planner *p)
{
    while (p->num_moments > 0) {
        *head_of(p, &p->moments[--p->num_moments].at) = NO_STATE;
    }
}

/* Between two switches only the time runs on, and every state there has one predecessor. So the
 * frames in front of both moments are the same as far as both stretches go, or none is. */
static void find_prelude(planner *p, const moment *first, uint32_t frame, int16_t rframe_before)
{
    const uint32_t index = (uint32_t)(first - p->moments);
    const uint32_t begin = index == 0 ? 0 : p->moments[index - 1].frame + 1;
    const uint32_t before_first = first->frame - begin;
    const uint32_t before_again = frame - p->moments[p->num_moments - 1].frame - 1;
    const uint32_t both = before_first < before_again ? before_first : before_again;
    const bool is_merged = both > 0 && first->rframe_before == rframe_before;
    p->period = frame - first->frame;
    p->prelude = first->frame - (is_merged ? both : 0);
}

typedef enum outcome { REPEATS, ENDS, TANGLED, UNKNOWN } outcome;

/* ENDS: it cannot go on in frame `prelude`. */
static outcome follow(planner *p)
{
    state now;
    state next;
    int16_t rframe_before = 0;
    read_state(p, &now);
    for (uint32_t frame = 0; frame < p->most; frame++) {
        hmd_tick tick;
        const hmd_tick_end end = hmd_player_tick(p->player, &tick, p->sequence);
        if (end == HMD_TICK_LIMIT) {
            return UNKNOWN;
        }
        if (!keeps_to_itself(p, &tick)) {
            return TANGLED;
        }
        read_state(p, &next);
        if ((end != HMD_TICK_OK && end != HMD_TICK_STOPPED) || is_same(&now, &next)) {
            p->prelude = frame;
            p->period = 1;
            return is_same(&now, &next) && end <= HMD_TICK_STOPPED ? REPEATS : ENDS;
        }
        if (!is_plain(&now, &next)) {
            const moment *again = find_moment(p, &now);
            if (again != NULL) {
                find_prelude(p, again, frame, rframe_before);
                return REPEATS;
            }
            if (!add_moment(p, &now, frame, rframe_before)) {
                return UNKNOWN;
            }
        }
        rframe_before = rframe_of(&now);
        now = next;
    }
    return UNKNOWN;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static uint64_t common_multiple(uint64_t a, uint64_t b)
{
    uint64_t x = a;
    uint64_t y = b;
    while (y != 0) {
        const uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    assert(x > 0 && b > 0); /* periods are at least 1 */
    const uint64_t factor = a / x;
    return factor > UINT64_MAX / b ? UINT64_MAX : factor * b;
}

static void take(planner *p, outcome how)
{
    hmd_plan *plan = p->plan;
    const uint64_t frames = (uint64_t)p->prelude + (how == ENDS ? 1 : p->period);
    if (how == UNKNOWN) {
        plan->is_known = false;
        return;
    }
    plan->prelude = p->prelude > plan->prelude ? p->prelude : plan->prelude;
    plan->least = frames > plan->least ? frames : plan->least;
    if (plan->period != UINT64_MAX) {
        plan->period = common_multiple(plan->period, p->period);
    }
}

/* A sequence that cannot go on ends all of them. */
static void add_up(hmd_plan *plan)
{
    const uint64_t room = UINT64_MAX - plan->prelude;
    plan->frames = plan->period < room ? plan->prelude + plan->period : UINT64_MAX;
    assert(plan->frames >= plan->least);
}

static bool make_planner(planner *p)
{
    fh_arena *arena = p->player->check.arena;
    p->is_claimed = fh_arena_alloc(arena, p->player->image.num_words, sizeof *p->is_claimed);
    p->moments = fh_arena_room(arena, MOST_STATES, sizeof *p->moments);
    p->heads = fh_arena_room(arena, NUM_HEADS, sizeof *p->heads);
    if (p->is_claimed == NULL || p->moments == NULL || p->heads == NULL) {
        return false;
    }
    memset(p->heads, 0xff, NUM_HEADS * sizeof *p->heads);
    return true;
}

static bool plays_once_a_frame(const hmd_player *player)
{
    for (uint32_t i = 0; i < player->num_reels; i++) {
        const hmd_reel *reel = &player->reels[i];
        if ((reel->runs != 1 || reel->last_runs != 1) && reel->num_sequences > 0) {
            return false;
        }
    }
    return true;
}

static void plan_all(planner *p)
{
    for (uint32_t i = 0; i < p->player->num_tracks && p->plan->is_known; i++) {
        p->sequence = i;
        p->history = find_history(p);
        p->has_claimed = false;
        const outcome how = follow(p);
        forget_moments(p);
        hmd_journal_clear(&p->player->animated);
        if (how == TANGLED) {
            p->plan->is_entangled = true;
            p->plan->is_known = false;
        } else {
            take(p, how);
        }
    }
    add_up(p->plan);
}

fh_status hmd_period_plan(hmd_player *player, hmd_plan *plan, uint32_t most)
{
    fh_budget *whole = player->check.budget;
    fh_budget half = {whole->left / 2};
    const uint64_t given = half.left;
    const size_t mark = fh_arena_mark(player->check.arena);
    planner p = {.player = player, .plan = plan, .most = most};
    *plan = (hmd_plan){.is_known = true, .period = 1};
    if (!plays_once_a_frame(player)) {
        *plan = (hmd_plan){.is_entangled = true};
        return FH_OK;
    }
    const bool is_made = make_planner(&p);
    if (is_made) {
        player->check.budget = &half;
        plan_all(&p);
        player->check.budget = whole;
        (void)fh_pay(whole, given - half.left);
    }
    fh_arena_reset(player->check.arena, mark);
    return is_made ? FH_OK : FH_NO_MEMORY;
}

/* ---- all together ---------------------------------------------------------------------------- */

fh_status hmd_recurrence_open(hmd_recurrence *recurrence, const hmd_player *player)
{
    fh_arena *arena = player->check.arena;
    const uint32_t num = player->image.num_words;
    *recurrence =
        (hmd_recurrence){.words = fh_arena_alloc(arena, num, sizeof *recurrence->words),
                         .remembered = fh_arena_alloc(arena, num, sizeof *recurrence->remembered),
                         .is_listed = fh_arena_alloc(arena, num, sizeof *recurrence->is_listed),
                         .wait = 1};
    return recurrence->words != NULL && recurrence->remembered != NULL &&
                   recurrence->is_listed != NULL
               ? FH_OK
               : FH_NO_MEMORY;
}

/* A word that is new here held until this frame what it held at the moment that is remembered. */
static void list_new_words(hmd_recurrence *recurrence, const hmd_player *player)
{
    const hmd_journal *journal = &player->animated;
    for (uint32_t i = 0; i < journal->num; i++) {
        const uint32_t word = journal->words[i];
        if (!recurrence->is_listed[word] && hmd_player_is_guarded(player, word)) {
            recurrence->is_listed[word] = true;
            recurrence->words[recurrence->num] = word;
            recurrence->remembered[recurrence->num++] = journal->before[i];
        }
    }
}

bool hmd_recurrence_seen(hmd_recurrence *recurrence, hmd_player *player, uint32_t num_frames)
{
    const uint32_t *words = player->image.words;
    bool is_seen = true;
    if (!hmd_spend(&player->check, player->animated.num + 2 * (uint64_t)recurrence->num)) {
        return false;
    }
    list_new_words(recurrence, player);
    for (uint32_t i = 0; i < recurrence->num && is_seen; i++) {
        is_seen = words[recurrence->words[i]] == recurrence->remembered[i];
    }
    if (!is_seen && num_frames - recurrence->frame == recurrence->wait) {
        for (uint32_t i = 0; i < recurrence->num; i++) {
            recurrence->remembered[i] = words[recurrence->words[i]];
        }
        recurrence->frame = num_frames;
        recurrence->wait *= 2;
    }
    return is_seen;
}
