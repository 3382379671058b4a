#include "hmd/hmd_build.h"
#include "hmd/hmd_motion.h"

enum { MOST_KEY_WORDS = 14, WORK_P1 = 127 };

/* Who uses which word of the parameter section. */
typedef struct parameters {
    hmd_motion *motion;
    uint32_t num;    /* words */
    uint16_t *keys;  /* 1 + descriptor of the first key on a word, 0 = none */
    uint8_t *lens;   /* words of the first key that begins there */
    uint16_t *areas; /* 1 + sequence of the first work area on a word */
    bool *is_used;   /* a WORK control, one a descriptor */
} parameters;

/* ---- keys -------------------------------------------------------------------------------------
 */

/* The descriptor of a key that shares a part of a range of words, HMD_NONE = none. */
static uint32_t key_on(const parameters *p, uint32_t first, uint32_t num)
{
    for (uint32_t i = first; i < first + num && i < p->num; i++) {
        if (p->keys[i] != 0) {
            return p->keys[i] - 1u;
        }
    }
    return HMD_NONE;
}

static void add_key(parameters *p, uint32_t index, uint32_t first, uint32_t num)
{
    hmd_check *check = p->motion->check;
    const uint32_t other = key_on(p, first, num);
    if (other != HMD_NONE) {
        hmd_tell(check, HMD0256, "parameter index", hmd_motion_at(p->motion, index),
                 fh_dec_after("words of the key of descriptor ", other, ""),
                 fh_words("the same key or words of its own"));
    }
    for (uint32_t i = first; i < first + num && i < p->num; i++) {
        p->keys[i] = p->keys[i] != 0 ? p->keys[i] : (uint16_t)(index + 1);
    }
    p->lens[first] = p->lens[first] != 0 ? p->lens[first] : (uint8_t)num;
}

/* Many descriptors may name one key. */
static void visit_keys(parameters *p)
{
    const hmd_animation *animation = &p->motion->animation;
    hmd_check *check = p->motion->check;
    for (uint32_t i = 0; i < animation->num_descriptors && hmd_spend(check, 2); i++) {
        const hmd_descriptor what = hmd_animation_descriptor(check, animation, i);
        const uint32_t num = what.kind == HMD_KEY ? hmd_motion_key_words(p->motion, what.type) : 0;
        if (animation->reached[i] == 0 || num == 0 || i == HMD_NO_KEY_INDEX || what.low >= p->num ||
            p->lens[what.low] == num) {
            continue;
        }
        if (!hmd_spend(check, num)) {
            break;
        }
        add_key(p, i, what.low, num);
    }
    check->descriptor = HMD_NONE;
}

/* ---- work areas -------------------------------------------------------------------------------
 */

static void judge_zero(const parameters *p, uint32_t first)
{
    const hmd_check *check = p->motion->check;
    const uint32_t at = p->motion->animation.parameters.off + first;
    uint32_t num = 0;
    for (uint32_t i = 0; i < HMD_WORK_WORDS; i++) {
        num += hmd_word(check->model, at + i) != 0 ? 1 : 0;
    }
    if (num > 0 && !hmd_is_memory(check->model)) {
        hmd_tell(check, HMD0263, "spline work area", at, fh_count(num, "word"),
                 fh_words("none other than 0"));
    }
}

/* The area of an earlier sequence in a range of words, HMD_NONE = none. */
static uint32_t area_on(const parameters *p, uint32_t first)
{
    for (uint32_t i = first; i < first + HMD_WORK_WORDS && i < p->num; i++) {
        if (p->areas[i] != 0) {
            return p->areas[i] - 1u;
        }
    }
    return HMD_NONE;
}

static void add_area(parameters *p, uint32_t sequence, uint32_t index, uint32_t first)
{
    hmd_check *check = p->motion->check;
    const uint32_t key = key_on(p, first, HMD_WORK_WORDS);
    const uint32_t area = area_on(p, first);
    const uint32_t at = hmd_motion_at(p->motion, index);
    if (key != HMD_NONE) {
        hmd_tell(check, HMD0262, "P2", at, fh_dec_after("words of the key of descriptor ", key, ""),
                 fh_words("4 words of its own"));
    } else if (area != HMD_NONE) {
        hmd_tell(check, HMD0262, "P2", at, fh_dec_after("the work area of sequence ", area, ""),
                 fh_words("4 words of its own"));
    } else { /* words that are not there are 0 */
        judge_zero(p, first);
    }
    for (uint32_t i = first; i < first + HMD_WORK_WORDS && i < p->num; i++) {
        p->areas[i] = p->areas[i] != 0 ? p->areas[i] : (uint16_t)(sequence + 1);
    }
}

/* The history is named by the sequence's own start index, also while it plays another one that it
 * manages. */
static void visit_area(parameters *p, uint32_t sequence)
{
    const hmd_animation *animation = &p->motion->animation;
    const hmd_played *played = &p->motion->sequences[sequence];
    const uint16_t index = played->sequence.start;
    hmd_check *check = p->motion->check;
    if (!played->effects.has_spline || index >= animation->num_descriptors) {
        return;
    }
    const hmd_descriptor what = hmd_animation_descriptor(check, animation, index);
    check->sequence = sequence;
    if (what.kind != HMD_CONTROL || what.code != HMD_CODE_WORK) {
        const uint32_t at = hmd_motion_at(p->motion, index);
        hmd_tell(check, HMD0260, "descriptor", at, fh_hex(hmd_word(check->model, at)),
                 fh_words("a WORK control"));
    } else {
        p->is_used[index] = true;
        add_area(p, sequence, index, what.low);
    }
}

static void judge_work(hmd_motion *motion, uint32_t i, const hmd_descriptor *work, bool is_used)
{
    if (work->p1 != 0 && work->p1 != WORK_P1) {
        hmd_tell(motion->check, HMD0265, "P1", hmd_motion_at(motion, i), fh_dec(work->p1, ""),
                 fh_words("127 or 0"));
    }
    if (!is_used && motion->knows_types) {
        hmd_tell(motion->check, HMD0266, "descriptor", hmd_motion_at(motion, i),
                 fh_words("no spline is played from it"), fh_words("a start of a spline"));
    }
}

static void visit_works(parameters *p)
{
    const hmd_animation *animation = &p->motion->animation;
    hmd_check *check = p->motion->check;
    for (uint32_t i = 0; i < animation->num_descriptors && hmd_spend(check, 1); i++) {
        const hmd_descriptor what = hmd_animation_descriptor(check, animation, i);
        if (animation->reached[i] != 0 && what.kind == HMD_CONTROL && what.code == HMD_CODE_WORK) {
            judge_work(p->motion, i, &what, p->is_used[i]);
        }
    }
}

/* ---- all --------------------------------------------------------------------------------------
 */

static bool make_tables(parameters *p)
{
    hmd_check *check = p->motion->check;
    const hmd_animation *animation = &p->motion->animation;
    const uint32_t most = HMD_MOST_DESCRIPTORS + MOST_KEY_WORDS;
    const uint32_t left = check->model->num_words - animation->parameters.off;
    p->num = left < most ? left : most;
    if (!hmd_spend(check, p->num / 2 + animation->num_descriptors / 8)) {
        return false;
    }
    p->keys = hmd_table(check, p->num, sizeof *p->keys);
    p->lens = hmd_table(check, p->num, sizeof *p->lens);
    p->areas = hmd_table(check, p->num, sizeof *p->areas);
    p->is_used = hmd_table(check, animation->num_descriptors, sizeof *p->is_used);
    return !check->no_memory;
}

void hmd_check_parameters(hmd_motion *motion)
{
    hmd_check *check = motion->check;
    parameters p = {.motion = motion};
    const size_t mark = fh_arena_mark(check->arena);
    if (make_tables(&p)) {
        visit_keys(&p);
        for (uint32_t i = 0; i < motion->num_sequences && hmd_spend(check, 1); i++) {
            visit_area(&p, i);
        }
        check->sequence = HMD_NONE;
        check->descriptor = HMD_NONE;
        visit_works(&p);
        check->descriptor = HMD_NONE;
    }
    fh_arena_reset(check->arena, mark);
}
