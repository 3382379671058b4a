/* Following every start of an animation record through its control section.
 *
 * Where play goes next depends on the descriptor, the stream id and the direction, and on nothing
 * else. Together they are a state, and every state has one next state. So the way from a start is
 * a path that stops, leaves the section, goes round, or meets the path of an earlier start. Each
 * state is passed once: first all paths are walked, up to the state where they meet an earlier one
 * or themselves; then they are walked again in the same order, and what lies ahead of each such
 * meeting is kept for the paths that end there. That is linear in the states.
 *
 * Of the stream ids only those matter that some condition names; all others, of which there are up
 * to 256, behave alike.
 *
 * A jump that waits for a stream id that nothing in the file sets is there for a program that sets
 * it while the key before it is played. So where a path passes such a jump, another path sets out
 * from that key, or from the start if there is none, with that stream id, when all starts have been
 * walked.
 */
#include "hmd/hmd_build.h"
#include "hmd/hmd_motion_way.h"
#include "hmd/hmd_sort.h"

#include <assert.h>

#define MOST_QUICK 2u

/* Descriptors between a key and itself that are looked at again for other keys. More of them would
 * be more than the jumps of any file need, and their way is then followed for the first key only.
 */
#define MOST_GIVEN_BACK 64u

/* What lies ahead of a state: the keys in their order, and what is done to reach them. */
typedef struct summary {
    hmd_opening keys;
    hmd_effects behind_first; /* by the keys behind the first one */
} summary;

#define NOTHING ((summary){.keys = {HMD_NO_KEY_INDEX, HMD_NO_KEY_INDEX, 0, false, false}})

/* A state where a path ends because it was passed before. */
typedef struct meeting {
    uint32_t state;
    uint32_t before;  /* the one before on the path that is walked, HMD_NONE = none */
    bool is_open;     /* on that path; ahead is only what comes before the next one */
    bool is_resolved; /* ahead is all */
    summary ahead;
} meeting;

/* The way of one start. */
typedef struct path {
    uint32_t num; /* states that no path has passed before */
    uint32_t met; /* the state behind them, HMD_NONE = none */
    hmd_way end;  /* if none */
} path;

/* Where play is when a program sets the stream id of a jump that was passed. */
typedef struct branch {
    uint16_t index; /* the key before the jump, or where the start began */
    uint8_t sid;
    uint32_t sequence; /* has the direction, too */
} branch;

typedef struct player {
    hmd_ways ways;
    hmd_motion_visit visit;
    uint8_t *seen; /* a bit a state */
    uint8_t *met;
    bool is_set[256];        /* the stream id is that of a start, or a jump sets it */
    uint32_t num_conditions; /* jumps that wait for a stream id */
    branch *branches;        /* the same jump once for each direction */
    uint32_t num_branches;
    uint32_t sequence; /* whose start is walked */
    path *paths;
    uint32_t num_paths;
    uint32_t next_path;
    meeting *meetings; /* in rising order of state */
    uint32_t num_meetings;
} player;

/* ---- bits ------------------------------------------------------------------------------------
 */

static bool has_bit(const uint8_t *bits, uint32_t i)
{
    return (bits[i / 8] >> i % 8 & 1) != 0;
}

static void set_bit(uint8_t *bits, uint32_t i)
{
    bits[i / 8] |= (uint8_t)(1u << i % 8);
}

static void clear_bit(uint8_t *bits, uint32_t i)
{
    bits[i / 8] &= (uint8_t) ~(1u << i % 8);
}

/* ---- first walk -------------------------------------------------------------------------------
 */

/* What lies between a key that freezes and itself is not the property of this path: another key may
 * come by there and go on. */
static void give_back(player *p, path *out, hmd_spot key, uint32_t num)
{
    if (num > MOST_GIVEN_BACK || !hmd_spend(p->ways.check, num)) {
        return;
    }
    out->num -= num;
    for (uint32_t i = 0; i < num; i++) {
        (void)hmd_way_step(&p->ways, &key);
        clear_bit(p->seen, hmd_way_state(&p->ways, &key));
    }
}

/* Play goes on from the key before the jump, for what lies between them may depend on the stream
 * id, too. */
static void branch_off(player *p, const hmd_spot *at, uint32_t from)
{
    const hmd_descriptor what = hmd_way_descriptor(&p->ways, at->index);
    const uint8_t mark = at->backwards ? HMD_BRANCHED_BACKWARDS : HMD_BRANCHED;
    if (hmd_way_waits(&what, at->sid) && !p->is_set[what.sid_cnd] &&
        hmd_way_tell_once(&p->ways, at->index, mark)) {
        p->branches[p->num_branches++] = (branch){(uint16_t)from, what.sid_cnd, p->sequence};
    }
}

static void walk(player *p, path *out, hmd_spot at)
{
    uint32_t num_since = 0;
    uint32_t from = at.index;
    hmd_spot last_key = {.index = HMD_NONE};
    while (hmd_spend(p->ways.check, 1)) {
        const uint32_t state = hmd_way_state(&p->ways, &at);
        if (hmd_way_freezes(&p->ways, &at, last_key.index)) {
            out->end = HMD_WAY_FROZEN;
            give_back(p, out, last_key, num_since);
            return;
        }
        if (has_bit(p->seen, state)) {
            out->met = state;
            return;
        }
        set_bit(p->seen, state);
        out->num++;
        num_since++;
        if (hmd_way_is_key(&p->ways, at.index)) {
            last_key = at;
            from = at.index;
            num_since = 0;
        }
        branch_off(p, &at, from);
        out->end = hmd_way_step(&p->ways, &at);
        if (out->end != HMD_WAY_ON) {
            return;
        }
    }
}

static void walk_start(player *p, uint32_t sequence, const hmd_start *start)
{
    path *out = &p->paths[p->next_path++];
    hmd_spot at;
    *out = (path){.met = HMD_NONE};
    out->end = hmd_way_begin(&p->ways, &at, &p->ways.motion->sequences[sequence].sequence, start);
    p->sequence = sequence;
    if (out->end == HMD_WAY_ON) {
        walk(p, out, at);
    }
}

static hmd_spot branch_spot(const player *p, const branch *from)
{
    return (hmd_spot){.index = from->index,
                      .sid = from->sid,
                      .backwards = p->ways.motion->sequences[from->sequence].sequence.speed < 0};
}

/* Branches have branches, which come behind them. */
static void walk_branches(player *p)
{
    for (uint32_t i = 0; i < p->num_branches && hmd_spend(p->ways.check, 1); i++) {
        path *out = &p->paths[p->next_path++];
        *out = (path){.met = HMD_NONE};
        p->sequence = p->branches[i].sequence;
        walk(p, out, branch_spot(p, &p->branches[i]));
    }
}

/* ---- meetings ---------------------------------------------------------------------------------
 */

static meeting *meeting_at(player *p, uint32_t state)
{
    uint32_t low = 0;
    uint32_t high = p->num_meetings;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (p->meetings[middle].state < state) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    assert(low < p->num_meetings && p->meetings[low].state == state);
    return &p->meetings[low];
}

static bool make_meetings(player *p)
{
    uint64_t *states = hmd_table(p->ways.check, p->num_paths, sizeof *states);
    uint32_t num = 0;
    if (states == NULL || !hmd_spend(p->ways.check, p->num_paths)) {
        return false;
    }
    for (uint32_t i = 0; i < p->num_paths; i++) {
        if (p->paths[i].met != HMD_NONE && !has_bit(p->met, p->paths[i].met)) {
            set_bit(p->met, p->paths[i].met);
            states[num++] = p->paths[i].met;
        }
    }
    p->meetings = hmd_table(p->ways.check, num, sizeof *p->meetings);
    if (p->meetings == NULL || !hmd_sort(p->ways.check, states, num)) {
        return false;
    }
    for (uint32_t i = 0; i < num; i++) {
        p->meetings[i].state = (uint32_t)states[i];
    }
    p->num_meetings = num;
    return true;
}

/* ---- summaries --------------------------------------------------------------------------------
 */

/* A key of TFRAME 0 is passed without its function doing anything, but for a spline's history. */
static hmd_effects effects_of_key(const player *p, uint16_t index)
{
    hmd_effects out = {0};
    if (index == HMD_NO_KEY_INDEX) {
        return out;
    }
    const hmd_descriptor key = hmd_way_descriptor(&p->ways, index);
    if (key.tframe != 0) {
        return p->ways.motion->effects[key.type];
    }
    out.has_spline = p->ways.motion->effects[key.type].has_spline;
    return out;
}

static summary one_key(uint32_t index)
{
    summary out = NOTHING;
    out.keys.first = (uint16_t)index;
    return out;
}

static void count_quick(const player *p, hmd_opening *a, const hmd_opening *b)
{
    if (a->has_timed) {
        return;
    }
    if (hmd_way_descriptor(&p->ways, b->first).tframe != 0) {
        a->has_timed = true;
        return;
    }
    const unsigned num = a->num_quick + 1u + b->num_quick;
    a->num_quick = (uint8_t)(num < MOST_QUICK ? num : MOST_QUICK);
    a->has_timed = b->has_timed;
}

static summary sum(const player *p, const summary *a, const summary *b)
{
    summary out = *a;
    if (a->keys.first == HMD_NO_KEY_INDEX) {
        return *b;
    }
    if (b->keys.first == HMD_NO_KEY_INDEX) {
        return out;
    }
    if (out.keys.second == HMD_NO_KEY_INDEX) {
        out.keys.second = b->keys.first;
    }
    count_quick(p, &out.keys, &b->keys);
    const hmd_effects reaching = effects_of_key(p, b->keys.first);
    hmd_effects_join(&out.behind_first, &reaching);
    hmd_effects_join(&out.behind_first, &b->behind_first);
    return out;
}

/* ---- second walk ------------------------------------------------------------------------------
 */

typedef struct second {
    summary head;     /* before the first meeting */
    uint32_t pending; /* the last meeting that was passed, HMD_NONE = none */
    uint32_t last_key;
    hmd_spot last; /* where the last step was made from */
} second;

static summary *open_summary(player *p, second *s)
{
    return s->pending == HMD_NONE ? &s->head : &p->meetings[s->pending].ahead;
}

static void pass_meeting(player *p, second *s, uint32_t state)
{
    meeting *here = meeting_at(p, state);
    here->before = s->pending;
    here->is_open = true;
    here->ahead = NOTHING;
    s->pending = (uint32_t)(here - p->meetings);
}

static void pass_key(player *p, second *s, const hmd_spot *at)
{
    const summary key = one_key(at->index);
    summary *open = open_summary(p, s);
    if (s->last_key != HMD_NONE) {
        hmd_way_judge_segment(&p->ways, at->backwards, s->last_key, at->index);
    }
    *open = sum(p, open, &key);
    s->last_key = at->index;
}

/* The states of a path; `at` is left behind them. */
static void pass_states(player *p, second *s, hmd_spot *at, uint32_t num)
{
    for (uint32_t i = 0; i < num && hmd_spend(p->ways.check, 1); i++) {
        const uint32_t state = hmd_way_state(&p->ways, at);
        if (has_bit(p->met, state)) {
            pass_meeting(p, s, state);
        }
        if (hmd_way_is_key(&p->ways, at->index)) {
            pass_key(p, s, at);
        }
        s->last = *at;
        (void)hmd_way_step(&p->ways, at);
    }
}

/* All of a round from the meeting where it closes, twice: its first key comes after its last. */
static summary whole_round(const player *p, uint32_t pending, const meeting *closes)
{
    summary all = NOTHING;
    const meeting *at = &p->meetings[pending];
    while (at != closes && hmd_spend(p->ways.check, 1)) {
        all = sum(p, &at->ahead, &all);
        at = &p->meetings[at->before];
    }
    all = sum(p, &closes->ahead, &all);
    return sum(p, &all, &all);
}

static summary what_follows(player *p, const second *s, const path *way_of, const hmd_spot *at)
{
    if (way_of->met == HMD_NONE) {
        return NOTHING;
    }
    const meeting *here = meeting_at(p, way_of->met);
    if (!here->is_open) {
        assert(here->is_resolved || p->ways.check->stopped);
        return here->ahead;
    }
    hmd_way_go_round(&p->ways, *at);
    return whole_round(p, s->pending, here);
}

/* Joins what was passed with what follows, from the end. */
static summary resolve(player *p, const second *s, summary rest)
{
    for (uint32_t i = s->pending; i != HMD_NONE && hmd_spend(p->ways.check, 1);) {
        meeting *here = &p->meetings[i];
        here->ahead = sum(p, &here->ahead, &rest);
        here->is_open = false;
        here->is_resolved = true;
        rest = here->ahead;
        i = here->before;
    }
    return sum(p, &s->head, &rest);
}

/* The last key of a path and the first one of what it meets are neighbours as well. */
static void judge_last_segment(player *p, const second *s, bool backwards, const summary *rest)
{
    const uint32_t next = rest->keys.first;
    if (s->last_key == HMD_NONE || next == HMD_NO_KEY_INDEX) {
        return;
    }
    hmd_way_judge_segment(&p->ways, backwards, s->last_key, next);
    const hmd_spot at = {.index = next, .backwards = backwards};
    if (hmd_way_freezes(&p->ways, &at, s->last_key)) {
        hmd_way_tell_frozen(&p->ways, next);
        p->ways.check->descriptor = HMD_NONE;
    }
}

static void tell_end(player *p, const second *s, hmd_way end, const hmd_sequence *sequence)
{
    if (end == HMD_WAY_OFF) {
        hmd_way_tell_off(&p->ways, &s->last);
    } else if (end == HMD_WAY_FROZEN) {
        hmd_way_tell_frozen(&p->ways, s->last_key);
    } else if (end == HMD_WAY_NOWHERE && s->last.backwards) {
        hmd_tell(p->ways.check, HMD0255, "ci", sequence->off + 5, fh_dec(s->last.index, ""),
                 fh_dec_after("an index below ", p->ways.num, ""));
    }
    p->ways.check->descriptor = HMD_NONE;
}

static void add_effects(player *p, hmd_played *played, const summary *all, bool backwards)
{
    hmd_effects_join(&played->effects, &all->behind_first);
    if (backwards) {
        const hmd_effects first = effects_of_key(p, all->keys.first);
        hmd_effects_join(&played->effects, &first);
    }
}

/* Plays a path from `at` and judges it; returns the keys of it. */
static summary play(player *p, uint32_t sequence, hmd_spot at)
{
    const path *way_of = &p->paths[p->next_path++];
    second s = {.head = NOTHING, .pending = HMD_NONE, .last_key = HMD_NONE, .last = at};
    p->ways.check->sequence = sequence;
    pass_states(p, &s, &at, way_of->num);
    const summary rest = what_follows(p, &s, way_of, &at);
    judge_last_segment(p, &s, at.backwards, &rest);
    const summary all = resolve(p, &s, rest);
    if (!p->ways.check->stopped) {
        tell_end(p, &s, way_of->end, &p->ways.motion->sequences[sequence].sequence);
    }
    return all;
}

static void play_start(player *p, uint32_t sequence, const hmd_start *start)
{
    hmd_played *played = &p->ways.motion->sequences[sequence];
    hmd_spot at;
    (void)hmd_way_begin(&p->ways, &at, &played->sequence, start);
    summary all = play(p, sequence, at);
    if (p->ways.check->stopped) { /* not everything was looked at: nothing can be said */
        return;
    }
    add_effects(p, played, &all, at.backwards);
    all.keys.has_spline = all.behind_first.has_spline;
    p->visit(p->ways.motion, sequence, start, &all.keys);
    p->ways.check->sequence = HMD_NONE;
}

/* What is computed on it is left out of the effects: whether it is played is the program's. */
static void play_branches(player *p)
{
    for (uint32_t i = 0; i < p->num_branches && hmd_spend(p->ways.check, 1); i++) {
        const branch *from = &p->branches[i];
        (void)play(p, from->sequence, branch_spot(p, from));
        p->ways.check->sequence = HMD_NONE;
    }
}

/* ---- all starts -------------------------------------------------------------------------------
 */

static void each_start(player *p,
                       void (*visit)(player *p, uint32_t sequence, const hmd_start *start))
{
    hmd_start start;
    p->next_path = 0;
    for (uint32_t q = 0; q < p->ways.motion->num_sequences && hmd_spend(p->ways.check, 1); q++) {
        const hmd_sequence *sequence = &p->ways.motion->sequences[q].sequence;
        const uint32_t num = hmd_sequence_num_starts(sequence);
        for (uint32_t i = 0; i < num && hmd_spend(p->ways.check, 1); i++) {
            if (hmd_sequence_start(p->ways.check, sequence, i, &start)) {
                visit(p, q, &start);
            }
        }
    }
}

static void note_start(player *p, uint32_t sequence, const hmd_start *start)
{
    (void)sequence;
    p->is_set[start->sid] = true;
}

/* Stream ids that a condition names get a number each; number 0 is all the others. 0 is never a
 * condition. */
static bool number_sids(player *p)
{
    p->ways.num_classes = 1;
    for (uint32_t i = 0; i < p->ways.num && hmd_spend(p->ways.check, 1); i++) {
        const hmd_descriptor what = hmd_way_descriptor(&p->ways, i);
        const bool is_end = what.kind == HMD_CONTROL && what.code == HMD_CODE_END;
        const uint8_t sid = what.kind == HMD_JUMP ? what.sid_cnd : what.p1;
        if ((what.kind == HMD_JUMP || is_end) && sid != 0 && p->ways.class_of[sid] == 0) {
            p->ways.class_of[sid] = (uint8_t)p->ways.num_classes++;
        }
        p->num_conditions += what.kind == HMD_JUMP && sid != 0 ? 1 : 0;
        if (what.kind == HMD_JUMP && hmd_way_sets_sid(&what)) {
            p->is_set[what.sid_dst] = true;
        }
    }
    each_start(p, note_start);
    return !p->ways.check->stopped;
}

static uint8_t *make_bits(player *p, uint32_t num)
{
    return hmd_table(p->ways.check, num / 8 + 1, sizeof *p->seen);
}

static bool make_tables(player *p)
{
    bool has_backwards = false;
    for (uint32_t q = 0; q < p->ways.motion->num_sequences; q++) {
        const hmd_sequence *sequence = &p->ways.motion->sequences[q].sequence;
        has_backwards = has_backwards || sequence->speed < 0;
        p->num_paths += hmd_sequence_num_starts(sequence);
    }
    const uint32_t num_states = p->ways.num * p->ways.num_classes * (has_backwards ? 2 : 1);
    const uint32_t num_branches = p->num_conditions * (has_backwards ? 2 : 1);
    p->num_paths += num_branches;
    if (!hmd_spend(p->ways.check,
                   num_states / 64 + p->ways.num / 16 + 2 * (uint64_t)p->num_paths)) {
        return false;
    }
    p->seen = make_bits(p, num_states);
    p->met = make_bits(p, num_states);
    p->ways.told = hmd_table(p->ways.check, p->ways.num, sizeof *p->ways.told);
    p->branches = hmd_table(p->ways.check, num_branches, sizeof *p->branches);
    p->paths = hmd_table(p->ways.check, p->num_paths, sizeof *p->paths);
    return !p->ways.check->no_memory;
}

void hmd_motion_play(hmd_motion *motion, hmd_motion_visit visit)
{
    hmd_check *check = motion->check;
    player p = {
        .ways = {.motion = motion, .check = check, .num = motion->animation.num_descriptors},
        .visit = visit};
    const size_t mark = fh_arena_mark(check->arena);
    if (number_sids(&p) && make_tables(&p)) {
        each_start(&p, walk_start);
        walk_branches(&p);
        p.num_paths = p.next_path;
        if (!check->stopped && make_meetings(&p)) {
            each_start(&p, play_start);
            play_branches(&p);
        }
    }
    fh_arena_reset(check->arena, mark);
}
