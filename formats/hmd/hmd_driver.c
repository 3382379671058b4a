#include "hmd/hmd_driver.h"

#include <assert.h>
#include <string.h>

enum {
    RFRAME_END_FORWARD = 0x7000, /* marks that a segment was played to its end */
    RFRAME_END_BACKWARD = 0x6000,
    CODE_END = 1,
    COST_CALL = 16, /* work units of an interpolation function */
    NUM_HISTORY = 4
};

/* All that decides what the driver does next within one frame. */
typedef struct state {
    uint32_t at;     /* phase << 16 | control index that is looked at */
    uint32_t keys;   /* ci << 16 | ti */
    uint32_t frames; /* rframe << 16 | tframe */
    uint32_t sid;    /* and whether history is looked at, << 8 */
    uint32_t history[NUM_HISTORY];
} state;

enum { PHASE_ROUND = 0, PHASE_LEAD, PHASE_NEXT };

/* Brent's search for a repeat: one remembered state, replaced after 1, 2, 4, ... steps. What was
 * passed since then is exactly one round when the state comes back. */
typedef struct search {
    bool started;
    state remembered;
    uint64_t num_steps;
    uint64_t wait;
    hmd_cycle passed;
} search;

typedef struct machine {
    hmd_image *image;
    hmd_tick *tick;
    const hmd_playback *animation;
    fh_budget *budget;
    uint32_t sequence; /* byte offset */
    int dir;
    search search;
    bool uses_history; /* a spline was called in this frame */
    uint32_t history[NUM_HISTORY];
} machine;

/* ---- fields of the sequence; that it lies inside was checked ---- */

static uint16_t get16(const machine *m, unsigned field)
{
    uint16_t value = 0;
    const bool inside = hmd_image_u16(m->image, m->sequence + field, &value);
    assert(inside);
    (void)inside;
    return value;
}

static int16_t get_rframe(const machine *m)
{
    return fx_w16(get16(m, HMD_SEQUENCE_RFRAME));
}

static uint8_t get8(const machine *m, unsigned field)
{
    uint8_t value = 0;
    const bool inside = hmd_image_u8(m->image, m->sequence + field, &value);
    assert(inside);
    (void)inside;
    return value;
}

static int8_t get_speed(const machine *m)
{
    const int speed = get8(m, HMD_SEQUENCE_SPEED);
    return (int8_t)(speed < 0x80 ? speed : speed - 0x100);
}

static void put16(machine *m, unsigned field, int value)
{
    const bool inside = hmd_image_put16(m->image, m->sequence + field, (uint32_t)value & 0xffff);
    assert(inside);
    (void)inside;
}

static void put8(machine *m, unsigned field, uint32_t value)
{
    const bool inside = hmd_image_put8(m->image, m->sequence + field, value);
    assert(inside);
    (void)inside;
}

/* ---- ends ---- */

static hmd_tick_end outside(machine *m, hmd_tick_what what, uint64_t index)
{
    m->tick->what = what;
    m->tick->index = index;
    return HMD_TICK_OUTSIDE;
}

static hmd_tick_end stop(machine *m)
{
    put16(m, HMD_SEQUENCE_AFRAME, 0);
    return HMD_TICK_STOPPED;
}

/* ---- descriptors ---- */

static bool is_key(uint32_t descriptor)
{
    return descriptor >> 31 == 0;
}

static bool is_jump(uint32_t descriptor)
{
    return descriptor >> 30 == 2;
}

/* Bits 23..29 and 16..22 of a jump or control. */
static uint32_t upper_field(uint32_t descriptor)
{
    return descriptor >> 23 & 0x7f;
}

static uint32_t lower_field(uint32_t descriptor)
{
    return descriptor >> 16 & 0x7f;
}

static uint16_t low_half(uint32_t descriptor)
{
    return (uint16_t)(descriptor & 0xffff);
}

/* TFRAME of a key, in sixteenths. */
static uint16_t time_of(uint32_t descriptor)
{
    return (uint16_t)((descriptor >> 16 & 0xff) << 4);
}

/* The bound is the section's end; the library knows none. */
static hmd_tick_end descriptor_at(machine *m, uint32_t *out, uint32_t index)
{
    const hmd_playback *animation = m->animation;
    const uint64_t word = (uint64_t)animation->control + index;
    if (index >= animation->num_descriptors || word >= m->image->num_words) {
        return outside(m, HMD_WHAT_CONTROL, index);
    }
    *out = m->image->words[word];
    return HMD_TICK_OK;
}

/* ---- rounds that never end ---- */

static void read_state(const machine *m, state *out, uint32_t phase, uint32_t index)
{
    *out = (state){
        .at = phase << 16 | index,
        .keys = (uint32_t)get16(m, HMD_SEQUENCE_CI) << 16 | get16(m, HMD_SEQUENCE_TI),
        .frames = (uint32_t)get16(m, HMD_SEQUENCE_RFRAME) << 16 | get16(m, HMD_SEQUENCE_TFRAME),
        .sid = (m->uses_history ? 0x100u : 0) | get8(m, HMD_SEQUENCE_SID),
    };
    memcpy(out->history, m->history, sizeof out->history);
}

static hmd_tick_end hang(machine *m)
{
    m->tick->cycle = m->search.passed;
    if (m->search.passed.num == 0) { /* one segment again and again, without a step of play */
        m->tick->cycle = (hmd_cycle){get16(m, HMD_SEQUENCE_TI), 1, 1, get8(m, HMD_SEQUENCE_SID)};
    }
    return HMD_TICK_HANG;
}

/* Every step of the machine comes by here. */
static hmd_tick_end pass(machine *m, uint32_t phase, uint32_t index)
{
    search *s = &m->search;
    state now;
    if (!fh_pay(m->budget, 1)) {
        return HMD_TICK_LIMIT;
    }
    read_state(m, &now, phase, index);
    if (s->started && memcmp(&now, &s->remembered, sizeof now) == 0) {
        return hang(m);
    }
    if (!s->started || s->num_steps == s->wait) {
        s->wait = s->started ? 2 * s->wait : 1;
        s->started = true;
        s->remembered = now;
        s->num_steps = 0;
        s->passed = (hmd_cycle){0};
    }
    s->num_steps++;
    return HMD_TICK_OK;
}

static void count(machine *m, uint32_t index, bool key)
{
    hmd_cycle *passed = &m->search.passed;
    const uint8_t sid = get8(m, HMD_SEQUENCE_SID);
    if (passed->num == 0 || index < passed->first ||
        (index == passed->first && sid < passed->sid)) {
        passed->first = index;
        passed->sid = sid;
    }
    passed->num++;
    passed->num_keys += key ? 1u : 0u;
}

static bool overlaps(const hmd_interp_result *result, uint64_t first, uint64_t num)
{
    return result->first_changed < first + num && first < result->end_changed;
}

/* What a function writes over descriptors, types or the sequence is no part of the state: states of
 * before are forgotten then. */
static void forget_if_overwritten(machine *m, const hmd_interp_result *result)
{
    const hmd_playback *animation = m->animation;
    if (overlaps(result, animation->control, animation->num_descriptors) ||
        overlaps(result, animation->types, animation->num_types) ||
        overlaps(result, m->sequence / 4, HMD_SEQUENCE_LEN / 4)) {
        m->search.started = false;
    }
}

/* ---- the search for the next key ---- */

static uint16_t follow_jump(machine *m, uint32_t jump, uint16_t next)
{
    const uint32_t condition = lower_field(jump);
    const uint32_t sid = upper_field(jump);
    if (condition != 0 && condition != get8(m, HMD_SEQUENCE_SID)) {
        return next;
    }
    if (condition != 0 || sid != 0) {
        put8(m, HMD_SEQUENCE_SID, sid);
    }
    return low_half(jump);
}

static bool ends(const machine *m, uint32_t control)
{
    const uint32_t condition = lower_field(control);
    return upper_field(control) == CODE_END &&
           (condition == 0 || condition == get8(m, HMD_SEQUENCE_SID));
}

/* Finds the key at or after an index, in the direction of the speed; HMD_NO_INDEX at an END. */
static hmd_tick_end find(machine *m, uint16_t *found, uint16_t from, uint32_t phase)
{
    const int step = get_speed(m) < 0 ? -1 : 1;
    uint16_t i = from;
    for (;;) {
        uint32_t descriptor = 0;
        hmd_tick_end end = pass(m, phase, i);
        if (end == HMD_TICK_OK) {
            end = descriptor_at(m, &descriptor, i);
        }
        if (end != HMD_TICK_OK) {
            return end;
        }
        count(m, i, is_key(descriptor));
        const uint16_t next = (uint16_t)((i + step) & 0xffff);
        if (is_key(descriptor)) {
            *found = i;
            return HMD_TICK_OK;
        }
        if (is_jump(descriptor)) {
            i = follow_jump(m, descriptor, next);
        } else if (ends(m, descriptor)) {
            *found = HMD_NO_INDEX;
            return HMD_TICK_OK;
        } else {
            i = next;
        }
    }
}

/* Moves one field (ci or ti) to the key that follows an index. STOPPED at an END. */
static hmd_tick_end move_to_key(machine *m, unsigned field, uint16_t index, uint32_t phase)
{
    uint16_t found = 0;
    const hmd_tick_end end = find(m, &found, (uint16_t)((index + m->dir) & 0xffff), phase);
    if (end != HMD_TICK_OK) {
        return end;
    }
    put16(m, field, found);
    return found == HMD_NO_INDEX ? stop(m) : HMD_TICK_OK;
}

static hmd_tick_end switch_keys(machine *m)
{
    const unsigned lead = m->dir > 0 ? HMD_SEQUENCE_TI : HMD_SEQUENCE_CI;
    const unsigned other = m->dir > 0 ? HMD_SEQUENCE_CI : HMD_SEQUENCE_TI;
    uint32_t descriptor = 0;
    put8(m, HMD_SEQUENCE_TRAVELING, 0);
    hmd_tick_end end = descriptor_at(m, &descriptor, get16(m, lead));
    if (end == HMD_TICK_OK && !is_key(descriptor)) {
        end = move_to_key(m, lead, get16(m, lead), PHASE_LEAD);
    }
    if (end == HMD_TICK_OK) {
        put16(m, other, get16(m, lead));
        end = move_to_key(m, lead, get16(m, other), PHASE_NEXT);
    }
    if (end == HMD_TICK_OK) {
        end = descriptor_at(m, &descriptor, get16(m, HMD_SEQUENCE_TI));
    }
    if (end != HMD_TICK_OK) {
        return end;
    }
    const uint16_t tframe = time_of(descriptor);
    put16(m, HMD_SEQUENCE_TFRAME, tframe);
    if (m->dir > 0) {
        put16(m, HMD_SEQUENCE_RFRAME, tframe - get_rframe(m));
    }
    return HMD_TICK_OK;
}

/* ---- the call of a function ---- */

/* The key itself is looked at by the function alone, if at all. */
static hmd_tick_end key_at(machine *m, uint32_t *off, uint32_t index, hmd_tick_what what)
{
    uint32_t descriptor;
    const hmd_tick_end end = descriptor_at(m, &descriptor, index);
    if (end != HMD_TICK_OK) {
        return end;
    }
    const uint64_t byte = 4 * ((uint64_t)m->animation->parameters + low_half(descriptor));
    if (byte > UINT32_MAX) {
        return outside(m, what, byte);
    }
    *off = (uint32_t)byte;
    return HMD_TICK_OK;
}

static hmd_tick_end find_type(machine *m, hmd_interp_type *type, uint32_t descriptor)
{
    const uint32_t index = descriptor >> 24 & 0x7f;
    const uint64_t word = (uint64_t)m->animation->types + index;
    if (index >= m->animation->num_types || word >= m->image->num_words) {
        return outside(m, HMD_WHAT_TYPE, index);
    }
    if (!hmd_interp_describe(type, m->image->words[word])) {
        m->tick->index = index;
        return HMD_TICK_NO_DRIVER;
    }
    return HMD_TICK_OK;
}

static hmd_tick_end find_update(machine *m, uint32_t *off)
{
    uint32_t index = 0;
    const bool inside = hmd_image_u32(m->image, m->sequence + HMD_SEQUENCE_UPDATE, &index);
    assert(inside);
    (void)inside;
    const uint32_t section = index >> 24;
    if (section >= m->animation->num_sections ||
        m->animation->sections[section] == HMD_NO_SECTION) {
        return outside(m, HMD_WHAT_SECTION, section);
    }
    const uint64_t byte = 4 * ((uint64_t)m->animation->sections[section] + (index & 0xffffff));
    if (byte > UINT32_MAX) {
        return outside(m, HMD_WHAT_UPDATE, byte);
    }
    *off = (uint32_t)byte;
    return HMD_TICK_OK;
}

/* The function finds its history through the descriptor at start, whatever that one is. */
static hmd_tick_end find_keys(machine *m, hmd_interp_call *call)
{
    const uint16_t ii = get16(m, HMD_SEQUENCE_II);
    call->intr_off = HMD_NO_KEY;
    call->history_off = HMD_NO_KEY;
    hmd_tick_end end = key_at(m, &call->src_off, m->tick->src, HMD_WHAT_SRC);
    if (end == HMD_TICK_OK) {
        end = key_at(m, &call->dst_off, m->tick->dst, HMD_WHAT_DST);
    }
    if (end == HMD_TICK_OK && ii != HMD_NO_INDEX) {
        end = key_at(m, &call->intr_off, ii, HMD_WHAT_INTR);
    }
    if (end == HMD_TICK_OK && m->tick->type.has_spline) {
        end = key_at(m, &call->history_off, get16(m, HMD_SEQUENCE_START), HMD_WHAT_WORK);
    }
    return end;
}

static hmd_tick_end prepare(machine *m, uint32_t target)
{
    hmd_tick *tick = m->tick;
    hmd_tick_end end = find_type(m, &tick->type, target);
    tick->src = get16(m, HMD_SEQUENCE_CI);
    tick->dst = get16(m, HMD_SEQUENCE_TI);
    tick->call = (hmd_interp_call){
        .rframe = get_rframe(m), .tframe = get16(m, HMD_SEQUENCE_TFRAME), .speed = get_speed(m)};
    if (end == HMD_TICK_OK) {
        end = find_keys(m, &tick->call);
    }
    if (end == HMD_TICK_OK) {
        end = find_update(m, &tick->call.update_off);
    }
    return end;
}

/* The bytes that a function writes from its update address on. */
static uint32_t written_len(const hmd_interp_type *type)
{
    uint32_t num = 0;
    for (uint32_t mask = type->cell_mask; mask != 0; mask >>= 1) {
        num++;
    }
    return type->is_general ? num * type->parts[HMD_PART_CELLS].cell_len : HMD_UNIT_LEN;
}

/* Several functions may be called in a frame: those that ask for the next key come before. */
static void note_call(hmd_tick *tick, bool again)
{
    tick->called = true;
    if (tick->type.has_spline) {
        tick->has_history = true;
        tick->history_off = tick->call.history_off;
    }
    if (!again) {
        const uint32_t first = tick->call.update_off / 4;
        const uint64_t last = (uint64_t)tick->call.update_off + written_len(&tick->type) - 1;
        const uint32_t end = (uint32_t)(last / 4) + 1;
        const bool is_first = tick->end_written == 0;
        tick->first_written = is_first || first < tick->first_written ? first : tick->first_written;
        tick->end_written = end > tick->end_written ? end : tick->end_written;
    }
}

/* Calls the function. *again as the library's return value. */
static hmd_tick_end call_function(machine *m, bool *again, uint32_t target)
{
    static const hmd_tick_what whats[] = {
        [HMD_PLACE_SRC] = HMD_WHAT_SRC,   [HMD_PLACE_DST] = HMD_WHAT_DST,
        [HMD_PLACE_INTR] = HMD_WHAT_INTR, [HMD_PLACE_UPDATE] = HMD_WHAT_UPDATE,
        [HMD_PLACE_WORK] = HMD_WHAT_WORK, [HMD_PLACE_HISTORY] = HMD_WHAT_HISTORY,
    };
    hmd_tick *tick = m->tick;
    if (!fh_pay(m->budget, COST_CALL)) {
        return HMD_TICK_LIMIT;
    }
    const hmd_tick_end end = prepare(m, target);
    if (end != HMD_TICK_OK) {
        return end;
    }
    const hmd_interp_result result =
        hmd_interp_run(m->image, &tick->type, &tick->call, &tick->notice);
    *again = result.end == HMD_INTERP_AGAIN;
    note_call(tick, *again);
    m->uses_history = tick->has_history;
    tick->ran = result.end == HMD_INTERP_DONE;
    forget_if_overwritten(m, &result);
    if (result.end == HMD_INTERP_OUTSIDE) {
        return outside(m, whats[result.place], result.off);
    }
    if (result.end == HMD_INTERP_EMPTY_HISTORY) {
        tick->index = result.off;
        return HMD_TICK_EMPTY_HISTORY;
    }
    return HMD_TICK_OK;
}

/* ---- a frame ---- */

static void advance(machine *m)
{
    int rframe = fx_w16(get_rframe(m) - get_speed(m));
    if (m->dir > 0 && rframe < 0) {
        rframe = RFRAME_END_FORWARD;
    } else if (m->dir < 0 && rframe >= get16(m, HMD_SEQUENCE_TFRAME)) {
        rframe = RFRAME_END_BACKWARD;
    }
    put16(m, HMD_SEQUENCE_RFRAME, rframe);
}

/* Before a spline is called the words at that place may be anything, even what a function writes
 * again and again. A place that is lost stays lost for as long as states are compared: only what
 * overwrites the start or its descriptor could bring it back. */
static void read_history(machine *m)
{
    uint32_t start = 0;
    if (!m->uses_history || descriptor_at(m, &start, get16(m, HMD_SEQUENCE_START)) != HMD_TICK_OK) {
        return;
    }
    const uint32_t at = m->animation->parameters + low_half(start);
    if (hmd_image_has(m->image, at, NUM_HISTORY)) {
        memcpy(m->history, m->image->words + at, sizeof m->history);
    }
}

/* One way through the driver's loop. *again: it goes round once more within the frame. */
static hmd_tick_end play_round(machine *m, bool *again)
{
    uint32_t target = 0;
    read_history(m);
    hmd_tick_end end = pass(m, PHASE_ROUND, 0);
    const bool at_end = get_rframe(m) == 0 || get16(m, HMD_SEQUENCE_TFRAME) == 0;
    if (end == HMD_TICK_OK && at_end) {
        end = switch_keys(m);
    }
    if (end == HMD_TICK_OK) {
        end = descriptor_at(m, &target, get16(m, HMD_SEQUENCE_TI));
    }
    *again = false;
    if (end != HMD_TICK_OK || get16(m, HMD_SEQUENCE_CI) == get16(m, HMD_SEQUENCE_TI)) {
        return end;
    }
    end = call_function(m, again, target);
    if (end == HMD_TICK_OK && *again) {
        put16(m, HMD_SEQUENCE_RFRAME, 0);
        return HMD_TICK_OK;
    }
    if (end == HMD_TICK_OK) { /* read again: the function may have written over it */
        end = descriptor_at(m, &target, get16(m, HMD_SEQUENCE_TI));
    }
    if (end == HMD_TICK_OK) {
        *again = time_of(target) == 0;
    }
    if (end == HMD_TICK_OK && !*again) {
        advance(m);
    }
    return end;
}

/* The end marks give the direction, not the speed: a segment played to its end goes on in the
 * direction in which it was played. */
static void begin(machine *m)
{
    const int16_t rframe = get_rframe(m);
    m->dir = get_speed(m) < 0 ? -1 : 1;
    if (rframe == RFRAME_END_FORWARD || rframe == RFRAME_END_BACKWARD) {
        m->dir = rframe == RFRAME_END_FORWARD ? 1 : -1;
        put16(m, HMD_SEQUENCE_RFRAME, 0);
    }
}

static hmd_tick_end play(machine *m)
{
    if (m->sequence % 4 != 0 || !hmd_image_has(m->image, m->sequence / 4, HMD_SEQUENCE_LEN / 4)) {
        return outside(m, HMD_WHAT_SEQUENCE, m->sequence);
    }
    const uint16_t aframe = get16(m, HMD_SEQUENCE_AFRAME);
    if (aframe == 0) {
        return HMD_TICK_STOPPED;
    }
    if (aframe != HMD_NO_INDEX) {
        put16(m, HMD_SEQUENCE_AFRAME, aframe - 1);
    }
    begin(m);
    bool again = true;
    hmd_tick_end end = HMD_TICK_OK;
    while (end == HMD_TICK_OK && again) { /* pays in pass() */
        end = play_round(m, &again);
    }
    return end;
}

hmd_tick_end hmd_driver_tick(hmd_image *image, hmd_tick *tick, const hmd_playback *animation,
                             uint32_t sequence_off, fh_budget *budget)
{
    *tick = (hmd_tick){0};
    machine m = {.image = image,
                 .tick = tick,
                 .animation = animation,
                 .budget = budget,
                 .sequence = sequence_off};
    tick->end = play(&m);
    return tick->end;
}

bool hmd_driver_start(hmd_image *image, uint32_t sequence_off)
{
    machine m = {.image = image, .sequence = sequence_off};
    if (sequence_off % 4 != 0 || !hmd_image_has(image, sequence_off / 4, HMD_SEQUENCE_LEN / 4)) {
        return false;
    }
    put16(&m, HMD_SEQUENCE_II, HMD_NO_INDEX);
    put16(&m, HMD_SEQUENCE_TI, get16(&m, HMD_SEQUENCE_START));
    put16(&m, HMD_SEQUENCE_AFRAME, HMD_NO_INDEX);
    put8(&m, HMD_SEQUENCE_SID, get8(&m, HMD_SEQUENCE_START_SID));
    if (get_speed(&m) == 0) {
        put8(&m, HMD_SEQUENCE_SPEED, 0x10);
    }
    return true;
}
