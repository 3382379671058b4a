#include "hmd/hmd_motion_way.h"

#include <assert.h>

/* ---- findings ---------------------------------------------------------------------------------
 */

bool hmd_way_tell_once(hmd_ways *p, uint32_t index, uint8_t what)
{
    assert(index < p->num);
    const bool is_first = (p->told[index] & what) == 0;
    p->told[index] |= what;
    return is_first;
}

void hmd_way_tell_off(hmd_ways *p, const hmd_spot *at)
{
    if (!hmd_way_tell_once(p, at->index, at->backwards ? HMD_TOLD_FRONT : HMD_TOLD_END)) {
        return;
    }
    const uint32_t word = hmd_motion_at(p->motion, at->index);
    if (at->backwards) {
        hmd_tell(p->check, HMD0255, "descriptor", word,
                 fh_dec_after("nothing stops play before descriptor ", at->index, ""),
                 fh_words("an END or a jump"));
    } else {
        hmd_tell(p->check, HMD0240, "descriptor", word,
                 fh_dec_after("nothing stops play behind descriptor ", at->index, ""),
                 fh_words("an END or a jump"));
    }
}

void hmd_way_tell_frozen(hmd_ways *p, uint32_t index)
{
    if (hmd_way_tell_once(p, index, HMD_TOLD_FROZEN)) {
        hmd_tell(p->check, HMD0252, "descriptor", hmd_motion_at(p->motion, index),
                 fh_dec_after("the key behind ", index, " is itself"), fh_words("another key"));
    }
}

/* From one key to the next, in the order of play: both are read in the layout of the target, which
 * backwards is the one that play comes from. */
void hmd_way_judge_segment(hmd_ways *p, bool backwards, uint32_t from, uint32_t to)
{
    const hmd_motion *motion = p->motion;
    const uint32_t target = backwards ? from : to;
    const hmd_descriptor src = hmd_way_descriptor(p, backwards ? to : from);
    const hmd_descriptor dst = hmd_way_descriptor(p, target);
    if (dst.tframe == 0 || !motion->is_known[src.type] || !motion->is_known[dst.type] ||
        hmd_interp_same_key(&motion->types[src.type], &motion->types[dst.type]) ||
        !hmd_way_tell_once(p, target, HMD_TOLD_LAYOUT)) {
        return;
    }
    hmd_tell(p->check, HMD0247, "type index", hmd_motion_at(p->motion, target),
             fh_hex(motion->types[src.type].word), fh_hex(motion->types[dst.type].word));
    p->check->descriptor = HMD_NONE;
}

/* ---- rounds -----------------------------------------------------------------------------------
 */

typedef struct round {
    uint32_t num, num_keys;
    uint32_t num_same; /* keys that follow themselves */
    uint32_t same_key; /* the last of them */
    bool is_timed;
    hmd_spot lowest;
    uint32_t first_key, last_key;
} round;

static void pass_round(const hmd_ways *p, round *r, const hmd_spot *at)
{
    if (r->num++ == 0 || at->index < r->lowest.index) {
        r->lowest = *at;
    }
    if (!hmd_way_is_key(p, at->index)) {
        return;
    }
    r->is_timed = r->is_timed || hmd_way_descriptor(p, at->index).tframe != 0;
    if (r->num_keys > 0 && r->last_key == at->index) {
        r->num_same++;
        r->same_key = at->index;
    }
    r->first_key = r->num_keys++ == 0 ? at->index : r->first_key;
    r->last_key = at->index;
}

static void tell_round(hmd_ways *p, const round *r, enum hmd_rule rule, fh_value found)
{
    const uint32_t word = hmd_motion_at(p->motion, r->lowest.index);
    const char *const wanted = rule == HMD0245 ? "a key or an END in it, with sid "
                                               : "a TFRAME other than 0 in it, with sid ";
    hmd_tell(p->check, rule, "descriptor", word, found, fh_dec_after(wanted, r->lowest.sid, ""));
    p->check->descriptor = HMD_NONE;
}

static void close_round(round *r)
{
    if (r->num_keys > 0 && r->last_key == r->first_key) {
        r->num_same++;
        r->same_key = r->first_key;
    }
}

/* A key that follows itself ends the frame, so that the library returns. If no other key takes
 * time, nothing is ever computed. */
static void judge_round(hmd_ways *p, const round *r)
{
    if (r->num_keys == 0) {
        tell_round(p, r, HMD0245, fh_count(r->num, "descriptor"));
    } else if (r->num_same == r->num_keys || (r->num_same > 0 && !r->is_timed)) {
        hmd_way_tell_frozen(p, r->same_key);
        p->check->descriptor = HMD_NONE;
    } else if (!r->is_timed) {
        tell_round(p, r, HMD0246, fh_count(r->num_keys, "key"));
    }
}

void hmd_way_go_round(hmd_ways *p, hmd_spot at)
{
    const uint32_t first = hmd_way_state(p, &at);
    round r = {0};
    while (hmd_spend(p->check, 1)) {
        pass_round(p, &r, &at);
        const hmd_way on = hmd_way_step(p, &at);
        assert(on == HMD_WAY_ON);
        (void)on;
        if (hmd_way_state(p, &at) == first) {
            close_round(&r);
            judge_round(p, &r);
            return;
        }
    }
}
