#include "hmd/hmd_motion_way.h"

#include <assert.h>

enum { SID_MATCHES_NOTHING = 127, SAID_NOWHERE = 0xffff, NUM_SIDS = 256 };

/* What is gathered on the way through the section. */
typedef struct gathered {
    bool is_used[HMD_MOST_TYPES]; /* by a key that is come to or saved to */
    bool is_set[NUM_SIDS];        /* by a start or a jump */
    bool is_told[NUM_SIDS];
} gathered;

static bool is_played(const hmd_motion *motion, uint32_t i)
{
    return (motion->animation.reached[i] & ~HMD_REACHED_SAVED) != 0;
}

/* ---- sids -------------------------------------------------------------------------------------
 */

/* In memory the running sid was set by somebody as well. */
static void gather_sids(hmd_motion *motion, gathered *all)
{
    hmd_check *check = motion->check;
    hmd_start start;
    for (uint32_t q = 0; q < motion->num_sequences && hmd_spend(check, 1); q++) {
        const hmd_sequence *sequence = &motion->sequences[q].sequence;
        const uint32_t num = hmd_sequence_num_starts(sequence);
        all->is_set[sequence->sid] = all->is_set[sequence->sid] || hmd_is_memory(check->model);
        for (uint32_t i = 0; i < num && hmd_spend(check, 1); i++) {
            if (hmd_sequence_start(check, sequence, i, &start)) {
                all->is_set[start.sid] = true;
            }
        }
    }
}

/* The sid that a jump or a control waits for, 0 = none. */
static uint8_t condition_of(const hmd_descriptor *what)
{
    if (what->kind == HMD_JUMP) {
        return what->sid_cnd;
    }
    assert(what->kind == HMD_CONTROL);
    return what->code == HMD_CODE_END ? what->p1 : 0;
}

static void judge_condition(hmd_motion *motion, gathered *all, uint32_t i,
                            const hmd_descriptor *what)
{
    const uint8_t sid = condition_of(what);
    if (sid == SID_MATCHES_NOTHING) {
        hmd_tell(motion->check, HMD0253, "condition", hmd_motion_at(motion, i), fh_dec(sid, ""),
                 fh_words("another sid"));
    }
    if (sid != 0 && !all->is_set[sid] && !all->is_told[sid]) {
        all->is_told[sid] = true;
        hmd_tell(motion->check, HMD0249, "condition", hmd_motion_at(motion, i),
                 fh_dec_after("sid ", sid, ""), fh_words("a sid of a start or a jump"));
    }
}

/* ---- single descriptors -----------------------------------------------------------------------
 */

static void gather(const hmd_motion *motion, gathered *all, uint32_t i)
{
    const hmd_descriptor what = hmd_animation_descriptor(motion->check, &motion->animation, i);
    if (what.kind == HMD_KEY) {
        all->is_used[what.type] = true;
    }
    if (what.kind == HMD_JUMP && hmd_way_sets_sid(&what)) {
        all->is_set[what.sid_dst] = true;
    }
}

static void judge_target(hmd_motion *motion, uint32_t i, const hmd_descriptor *jump)
{
    const uint32_t num = motion->animation.num_descriptors;
    if (jump->low == SAID_NOWHERE) {
        hmd_tell(motion->check, HMD0254, "target", hmd_motion_at(motion, i), fh_hex(jump->low),
                 fh_dec_after("an index below ", num, ""));
    } else if (jump->low >= num) {
        hmd_tell(motion->check, HMD0241, "target", hmd_motion_at(motion, i), fh_dec(jump->low, ""),
                 fh_dec_after("an index below ", num, ""));
    }
}

static void judge_key(hmd_motion *motion, uint32_t i, const hmd_descriptor *key)
{
    const hmd_model *model = motion->check->model;
    const hmd_animation *animation = &motion->animation;
    const uint32_t num_types = hmd_word(model, animation->table.off) & ~HMD_MSB;
    const uint64_t end =
        (uint64_t)animation->parameters.off + key->low + hmd_motion_key_words(motion, key->type);
    if (key->type >= num_types && is_played(motion, i)) {
        hmd_tell(motion->check, HMD0242, "type index", hmd_motion_at(motion, i),
                 fh_dec(key->type, ""), fh_dec_after("below ", num_types, ""));
    }
    if (motion->is_known[key->type] && end > animation->parameters_end && end <= model->num_words) {
        hmd_tell(motion->check, HMD0244, "parameter index", hmd_motion_at(motion, i),
                 fh_dec_after("ends at word ", (int64_t)end, ""),
                 fh_dec_after("at most word ", animation->parameters_end, ""));
    }
}

static void judge_control(hmd_motion *motion, uint32_t i, const hmd_descriptor *control)
{
    if (control->code != HMD_CODE_END && control->code != HMD_CODE_WORK) {
        hmd_tell(motion->check, HMD0248, "code", hmd_motion_at(motion, i),
                 fh_dec(control->code, ""), fh_words("1 (END) or 2 (WORK)"));
    }
}

static void judge_descriptor(hmd_motion *motion, gathered *all, uint32_t i)
{
    const hmd_descriptor what = hmd_animation_descriptor(motion->check, &motion->animation, i);
    if (what.kind == HMD_KEY) {
        judge_key(motion, i, &what);
        return;
    }
    judge_condition(motion, all, i, &what);
    if (what.kind == HMD_JUMP) {
        judge_target(motion, i, &what);
    } else {
        judge_control(motion, i, &what);
    }
}

/* ---- all of them ------------------------------------------------------------------------------
 */

static void judge_unreached(hmd_motion *motion)
{
    hmd_check *check = motion->check;
    const hmd_animation *animation = &motion->animation;
    uint32_t first = HMD_NONE;
    for (uint32_t i = 0; i <= animation->num_descriptors && hmd_spend(check, 1); i++) {
        const bool is_gap = i < animation->num_descriptors && animation->reached[i] == 0;
        if (is_gap && first == HMD_NONE) {
            first = i;
        } else if (!is_gap && first != HMD_NONE) {
            hmd_tell(check, HMD0250, "unreached part", hmd_motion_at(motion, first),
                     fh_count(i - first, "descriptor"), fh_nothing());
            first = HMD_NONE;
        }
    }
}

static void judge_use(const hmd_motion *motion, const gathered *all)
{
    const hmd_check *check = motion->check;
    for (uint32_t i = 0; motion->knows_types && i < motion->animation.num_types; i++) {
        const hmd_interp_type *type = &motion->types[i];
        const uint32_t at = motion->animation.table.off + 1 + i;
        const fh_value word = fh_hex(hmd_word(check->model, at));
        if (!all->is_used[i]) {
            hmd_tell(check, HMD0214, "interpolation type", at, word,
                     fh_words("a key that uses it"));
            continue;
        }
        if (type->defect != HMD_DEFECT_NONE) {
            hmd_tell(check, HMD0215, "fault", at, fh_words(type->defect_name), fh_nothing());
        }
        if (type->is_scale_only) {
            hmd_tell(check, HMD0216, "interpolation type", at, word,
                     fh_words("a type with rotation"));
        }
    }
}

void hmd_check_descriptors(hmd_motion *motion)
{
    hmd_check *check = motion->check;
    const hmd_animation *animation = &motion->animation;
    gathered all = {0};
    gather_sids(motion, &all);
    for (uint32_t i = 0; i < animation->num_descriptors && hmd_spend(check, 1); i++) {
        if (animation->reached[i] != 0) {
            gather(motion, &all, i);
        }
    }
    for (uint32_t i = 0; i < animation->num_descriptors && hmd_spend(check, 1); i++) {
        if (animation->reached[i] != 0) {
            judge_descriptor(motion, &all, i);
        }
    }
    judge_unreached(motion);
    check->descriptor = HMD_NONE;
    judge_use(motion, &all);
}
