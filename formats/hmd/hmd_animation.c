#include "hmd/hmd_animation.h"

#include "hmd/hmd_build.h"

#include <assert.h>

hmd_descriptor hmd_split_descriptor(uint32_t word)
{
    hmd_descriptor out = {.low = (uint16_t)hmd_low(word)};
    if ((word & HMD_MSB) == 0) {
        out.kind = HMD_KEY;
        out.type = (uint8_t)(word >> 24);
        out.tframe = (uint8_t)(word >> 16 & 0xff);
        return out;
    }
    const uint8_t upper = (uint8_t)(word >> 23 & 0x7f);
    const uint8_t lower = (uint8_t)(word >> 16 & 0x7f);
    if ((word & 0x40000000u) == 0) {
        out.kind = HMD_JUMP;
        out.sid_dst = upper;
        out.sid_cnd = lower;
    } else {
        out.kind = HMD_CONTROL;
        out.code = upper;
        out.p1 = lower;
    }
    return out;
}

static uint32_t words_between(uint32_t first, uint32_t end, uint32_t most)
{
    const uint32_t num = end > first ? end - first : 0;
    return num < most ? num : most;
}

/* Each of the two ends is looked for among all headers and primitives. */
static bool spend_on_ends(hmd_check *check)
{
    const hmd_model *model = check->model;
    const uint64_t words = model->headers_end - model->header_section;
    return hmd_spend(check, 2 * (words + model->num_primitives));
}

bool hmd_animation_read(hmd_check *check, hmd_animation *out)
{
    const hmd_model *model = check->model;
    const uint32_t header = hmd_header_of(model, check->record);
    *out = (hmd_animation){.record = check->record,
                           .header = header,
                           .table = hmd_arg_of(model, header, HMD_ARG_TABLE),
                           .control = hmd_arg_of(model, header, HMD_ARG_CONTROL),
                           .parameters = hmd_arg_of(model, header, HMD_ARG_PARAMETERS)};
    if (out->table.off == HMD_NONE || out->control.off == HMD_NONE ||
        out->parameters.off == HMD_NONE || !spend_on_ends(check)) {
        return false;
    }
    const uint32_t announced = hmd_word(model, out->table.off) & ~HMD_MSB;
    out->num_types = words_between(out->table.off + 1, model->num_words,
                                   announced < HMD_MOST_TYPES ? announced : HMD_MOST_TYPES);
    out->num_descriptors = words_between(out->control.off, hmd_next_start(model, out->control.off),
                                         HMD_MOST_DESCRIPTORS);
    out->parameters_end = hmd_next_start(model, out->parameters.off);
    return true;
}

bool hmd_animation_type(const hmd_check *check, const hmd_animation *animation, uint32_t i,
                        hmd_interp_type *out)
{
    if (i >= animation->num_types) {
        return false;
    }
    return hmd_interp_describe(out, hmd_word(check->model, animation->table.off + 1 + i));
}

hmd_descriptor hmd_animation_descriptor(const hmd_check *check, const hmd_animation *animation,
                                        uint32_t i)
{
    assert(i < animation->num_descriptors);
    return hmd_split_descriptor(hmd_word(check->model, animation->control.off + i));
}

bool hmd_animation_next(const hmd_check *check, uint32_t *off, uint32_t *left, hmd_sequence *out)
{
    const hmd_model *model = check->model;
    const uint32_t at = *off;
    if (*left == 0 || !hmd_has(model, at, HMD_SEQUENCE_WORDS)) {
        return false;
    }
    uint32_t w[HMD_SEQUENCE_WORDS];
    //@ loop unroll HMD_SEQUENCE_WORDS;
    for (uint32_t i = 0; i < HMD_SEQUENCE_WORDS; i++) {
        w[i] = hmd_word(model, at + i);
    }
    *out = (hmd_sequence){.off = at,
                          .section = (uint8_t)(w[0] >> 24),
                          .update = w[0] & 0xffffff,
                          .size = (uint16_t)hmd_low(w[1]),
                          .num = (uint16_t)hmd_high(w[1]),
                          .ii = (uint16_t)hmd_low(w[2]),
                          .aframe = (uint16_t)hmd_high(w[2]),
                          .sid = (uint8_t)(w[3] & 0xff),
                          .speed = (int8_t)(uint8_t)(w[3] >> 8 & 0xff),
                          .srcii = (uint16_t)hmd_high(w[3]),
                          .rframe = (int16_t)(uint16_t)hmd_low(w[4]),
                          .tframe = (uint16_t)hmd_high(w[4]),
                          .ci = (uint16_t)hmd_low(w[5]),
                          .ti = (uint16_t)hmd_high(w[5]),
                          .start = (uint16_t)hmd_low(w[6]),
                          .start_sid = (uint8_t)(w[6] >> 16 & 0xff),
                          .traveling = (uint8_t)(w[6] >> 24)};
    *off = at + out->size;
    *left = out->size > 0 ? *left - 1 : 0;
    return true;
}

uint32_t hmd_sequence_num_starts(const hmd_sequence *sequence)
{
    const uint32_t most =
        sequence->size > HMD_SEQUENCE_WORDS ? sequence->size - HMD_SEQUENCE_WORDS + 1u : 1;
    const uint32_t num = sequence->num < most ? sequence->num : most;
    return num > 0 ? num : 1;
}

bool hmd_sequence_start(const hmd_check *check, const hmd_sequence *sequence, uint32_t i,
                        hmd_start *out)
{
    const uint32_t at = sequence->off + HMD_SEQUENCE_WORDS - 1 + i;
    assert(i < hmd_sequence_num_starts(sequence));
    if (!hmd_has(check->model, at, 1)) {
        return false;
    }
    const uint32_t word = hmd_word(check->model, at);
    *out = (hmd_start){.at = at,
                       .index = (uint16_t)hmd_low(word),
                       .sid = (uint8_t)(word >> 16 & 0xff),
                       .pad = i == 0 ? 0 : (uint8_t)(word >> 24)};
    return true;
}

/* ---- reach ------------------------------------------------------------------------------------
 */

typedef struct search {
    hmd_check *check;
    hmd_animation *animation;
    uint16_t *waiting; /* descriptors whose ways on have not been followed */
    uint32_t num_waiting;
} search;

/* Tells whether there is a descriptor. Where the section ends with the bytes at hand, it may be
 * among those that are still to come: an index has 16 bits, and none is too high for a section. */
static bool has_descriptor(search *run, uint32_t index)
{
    const hmd_animation *animation = run->animation;
    const uint32_t end = animation->control.off + animation->num_descriptors;
    if (index < animation->num_descriptors) {
        return true;
    }
    if (end >= run->check->model->num_words) {
        (void)hmd_need(run->check, (uint64_t)animation->control.off + index, 1);
    }
    return false;
}

/* The index is of 16 bits: it wraps. */
static void reach(search *run, uint32_t i)
{
    const uint32_t index = i & 0xffff;
    uint8_t *reached = run->animation->reached;
    if (has_descriptor(run, index) && (reached[index] & HMD_REACHED_PLAYED) == 0) {
        reached[index] |= HMD_REACHED_PLAYED;
        run->waiting[run->num_waiting++] = (uint16_t)index;
    }
}

/* Before the first lies the last that there can be; no bytes are waited for on its account. */
static void reach_before(search *run, uint32_t i)
{
    if (i > 0 || run->animation->num_descriptors == HMD_MOST_DESCRIPTORS) {
        reach(run, i + 0xffff);
    }
}

static void follow(search *run, uint32_t i)
{
    const hmd_descriptor at = hmd_animation_descriptor(run->check, run->animation, i);
    if (at.kind == HMD_JUMP) {
        reach(run, at.low);
    }
    const bool ends = (at.kind == HMD_JUMP && at.sid_cnd == 0) ||
                      (at.kind == HMD_CONTROL && at.code == HMD_CODE_END && at.p1 == 0);
    if (!ends) {
        reach(run, i + 1);
        reach_before(run, i);
    }
}

/* A start that is no key is not obeyed: the library looks on behind it. */
static void reach_start(search *run, uint32_t i, bool backwards)
{
    if (!has_descriptor(run, i)) {
        return;
    }
    if (hmd_animation_descriptor(run->check, run->animation, i).kind == HMD_KEY) {
        reach(run, i);
    } else {
        run->animation->reached[i] |= HMD_REACHED_START;
        if (backwards) {
            reach_before(run, i);
        } else {
            reach(run, i + 1);
        }
    }
    while (run->num_waiting > 0 && hmd_spend(run->check, 2)) {
        follow(run, run->waiting[--run->num_waiting]);
    }
}

/* Keys that receive the current value are in use as well, if they are keys. In a file ii is 0,
 * which means nothing yet. */
static void reach_saved(search *run, uint32_t i)
{
    if (i < run->animation->num_descriptors &&
        hmd_animation_descriptor(run->check, run->animation, i).kind == HMD_KEY) {
        run->animation->reached[i] |= HMD_REACHED_SAVED;
    }
}

/* Played backwards a sequence goes on from ci, but a program may turn it round at any time. */
static void reach_from(search *run, const hmd_sequence *sequence)
{
    hmd_start start;
    const uint32_t num = hmd_sequence_num_starts(sequence);
    reach_saved(run, hmd_is_memory(run->check->model) ? sequence->ii : HMD_NONE);
    reach_saved(run, sequence->srcii);
    if (sequence->speed < 0) {
        reach_start(run, sequence->ci, true);
    }
    for (uint32_t i = 0; i < num && hmd_spend(run->check, 1); i++) {
        if (hmd_sequence_start(run->check, sequence, i, &start)) {
            reach_start(run, start.index, false);
        }
    }
}

static bool make_search(search *run)
{
    hmd_check *check = run->check;
    hmd_animation *animation = run->animation;
    if (!hmd_spend(check, animation->num_descriptors / 4)) {
        return false;
    }
    animation->reached = hmd_table(check, animation->num_descriptors, sizeof *animation->reached);
    run->waiting = hmd_table(check, animation->num_descriptors, sizeof *run->waiting);
    return !check->no_memory;
}

bool hmd_animation_reach(hmd_check *check, hmd_animation *animation)
{
    search run = {.check = check, .animation = animation};
    uint32_t off = check->record->off + 2;
    uint32_t left = check->record->count;
    hmd_sequence sequence;
    if (!make_search(&run)) {
        return false;
    }
    while (hmd_spend(check, HMD_SEQUENCE_WORDS) &&
           hmd_animation_next(check, &off, &left, &sequence)) {
        reach_from(&run, &sequence);
    }
    return !check->stopped;
}

bool hmd_animation_reach_playing(hmd_check *check, hmd_animation *animation,
                                 const hmd_sequence *sequence)
{
    search run = {.check = check, .animation = animation};
    if (!make_search(&run)) {
        return false;
    }
    reach_from(&run, sequence);
    reach_start(&run, sequence->ci, sequence->speed < 0);
    reach_start(&run, sequence->ti, false);
    return !check->stopped;
}
