#include "hmd/hmd_motion_way.h"

#include <assert.h>

hmd_descriptor hmd_way_descriptor(const hmd_ways *p, uint32_t index)
{
    return hmd_animation_descriptor(p->check, &p->motion->animation, index);
}

bool hmd_way_is_key(const hmd_ways *p, uint32_t index)
{
    return index != HMD_NO_KEY_INDEX && hmd_way_descriptor(p, index).kind == HMD_KEY;
}

/* ---- states -----------------------------------------------------------------------------------
 */

uint32_t hmd_way_state(const hmd_ways *p, const hmd_spot *at)
{
    const uint32_t row = (at->backwards ? p->num_classes : 0) + p->class_of[at->sid];
    return row * p->num + at->index;
}

/* The index has 16 bits and wraps. */
static hmd_way step_over(const hmd_ways *p, hmd_spot *at)
{
    const uint32_t next = (at->index + (at->backwards ? 0xffffu : 1u)) & 0xffff;
    if (next >= p->num) {
        return HMD_WAY_OFF;
    }
    at->index = next;
    return HMD_WAY_ON;
}

static hmd_way jump(const hmd_ways *p, hmd_spot *at, const hmd_descriptor *what)
{
    if (what->sid_cnd != 0 || what->sid_dst != 0) {
        at->sid = what->sid_dst;
    }
    if (what->low >= p->num) {
        return HMD_WAY_JUMP_OUT;
    }
    at->index = what->low;
    return HMD_WAY_ON;
}

bool hmd_way_waits(const hmd_descriptor *what, uint8_t sid)
{
    return what->kind == HMD_JUMP && what->sid_cnd != 0 && what->sid_cnd != sid;
}

bool hmd_way_sets_sid(const hmd_descriptor *jump)
{
    return jump->sid_cnd != jump->sid_dst;
}

/* One descriptor of the library's search for a key, going on behind a key that was found. */
hmd_way hmd_way_step(const hmd_ways *p, hmd_spot *at)
{
    const hmd_descriptor what = hmd_way_descriptor(p, at->index);
    if (what.kind == HMD_JUMP && !hmd_way_waits(&what, at->sid)) {
        return jump(p, at, &what);
    }
    if (what.kind == HMD_CONTROL && what.code == HMD_CODE_END &&
        (what.p1 == 0 || what.p1 == at->sid)) {
        return HMD_WAY_STOP;
    }
    if (what.kind == HMD_KEY && at->index == HMD_NO_KEY_INDEX) {
        return HMD_WAY_STOP;
    }
    return step_over(p, at);
}

hmd_way hmd_way_begin(const hmd_ways *p, hmd_spot *at, const hmd_sequence *sequence,
                      const hmd_start *start)
{
    *at = (hmd_spot){.sid = start->sid, .backwards = sequence->speed < 0};
    at->index = at->backwards ? sequence->ci : start->index;
    if (at->index >= p->num) {
        return HMD_WAY_NOWHERE;
    }
    return hmd_way_is_key(p, at->index) ? HMD_WAY_ON : step_over(p, at);
}

/* Forward, a key that follows itself keeps its time for ever. Backwards the time left is 0, so that
 * the next frame looks on. */
bool hmd_way_freezes(const hmd_ways *p, const hmd_spot *at, uint32_t last_key)
{
    assert(last_key == HMD_NONE || hmd_way_is_key(p, last_key));
    return !at->backwards && at->index == last_key && hmd_way_descriptor(p, at->index).tframe != 0;
}
