#include "hmd/hmd_motion.h"

#include "hmd/hmd_build.h"

#include <assert.h>

/* Section 0 is the header's size. What points nowhere leads out of the bytes, as HMD_NONE does. */
static uint32_t update_of(const hmd_check *check, const hmd_sequence *sequence)
{
    const hmd_model *model = check->model;
    const hmd_arg section =
        hmd_arg_of(model, hmd_header_of(model, check->record), sequence->section);
    const uint64_t update = (uint64_t)section.off + sequence->update;
    return sequence->section != 0 && hmd_has(model, update, 1) ? (uint32_t)update : HMD_NONE;
}

/* A sequence takes a word at least, so that no more are made room for than lie in the bytes,
 * whatever a record says. */
static uint32_t most_sequences(const hmd_model *model, uint32_t off, uint32_t count)
{
    const uint32_t words = off < model->num_words ? model->num_words - off : 0;
    return count < words ? count : words;
}

bool hmd_motion_sequences(hmd_motion *out, hmd_check *check)
{
    uint32_t off = check->record->off + 2;
    uint32_t left = check->record->count;
    *out = (hmd_motion){.check = check};
    if (!hmd_spend(check, HMD_MOST_TYPES + (uint64_t)left * 2)) {
        return false;
    }
    out->sequences =
        hmd_table(check, most_sequences(check->model, off, left), sizeof *out->sequences);
    if (check->no_memory) {
        return false;
    }
    while (hmd_spend(check, HMD_SEQUENCE_WORDS)) {
        hmd_played *next = &out->sequences[out->num_sequences];
        if (left == 0 || !hmd_animation_next(check, &off, &left, &next->sequence)) {
            return true;
        }
        next->update = update_of(check, &next->sequence);
        out->num_sequences++;
    }
    return false;
}

/* ---- types ------------------------------------------------------------------------------------
 */

/* The mask of `num` bits from `first` on. */
static uint8_t bits(unsigned first, unsigned num)
{
    return (uint8_t)((((1u << num) - 1) << first) & 0xff);
}

/* Bytes that a general type writes. */
static uint8_t cells_of(const hmd_interp_type *type)
{
    const unsigned len = type->parts[HMD_PART_CELLS].cell_len;
    uint8_t cells = 0;
    for (unsigned k = 0; k < 4; k++) {
        if ((type->cell_mask >> k & 1) != 0) {
            cells |= bits(k * len, len);
        }
    }
    return cells;
}

/* Parts stand one behind the other. */
static uint16_t saved_len_of(const hmd_interp_type *type)
{
    unsigned most = 0;
    for (unsigned i = 0; i < HMD_NUM_PARTS; i++) {
        const hmd_interp_part *part = &type->parts[i];
        const unsigned end = part->off + part->cell_len * hmd_interp_num_saved(type, i);
        assert(part->curve == HMD_CURVE_NONE || end > most);
        most = part->curve != HMD_CURVE_NONE ? end : most;
    }
    return (uint16_t)most;
}

static hmd_effects effects_of(const hmd_interp_type *type)
{
    hmd_effects out = {.has_spline = type->has_spline, .saved_len = saved_len_of(type)};
    out.cells = type->is_general ? cells_of(type) : 0;
    for (unsigned i = 0; i < HMD_PART_CELLS; i++) {
        out.parts |= type->parts[i].curve != HMD_CURVE_NONE ? bits(i, 1) : 0;
    }
    return out;
}

/* In memory the table's mark tells whether its words are still types. */
static void read_types(hmd_motion *motion)
{
    const hmd_check *check = motion->check;
    const uint32_t count = hmd_word(check->model, motion->animation.table.off);
    motion->knows_types = !hmd_is_memory(check->model) || (count & HMD_MSB) != 0;
    for (uint32_t i = 0; motion->knows_types && i < motion->animation.num_types; i++) {
        motion->is_known[i] = hmd_animation_type(check, &motion->animation, i, &motion->types[i]);
        if (motion->is_known[i]) {
            motion->effects[i] = effects_of(&motion->types[i]);
        }
    }
}

bool hmd_motion_open(hmd_motion *motion)
{
    if (!hmd_animation_read(motion->check, &motion->animation)) {
        return false;
    }
    read_types(motion);
    return hmd_animation_reach(motion->check, &motion->animation);
}

uint32_t hmd_motion_at(hmd_motion *motion, uint32_t descriptor)
{
    motion->check->descriptor = descriptor;
    return motion->animation.control.off + descriptor;
}

uint32_t hmd_motion_key_words(const hmd_motion *motion, uint8_t type)
{
    return motion->is_known[type] ? motion->types[type].key_len / (uint32_t)HMD_WORD_LEN : 0;
}

void hmd_effects_join(hmd_effects *a, const hmd_effects *b)
{
    a->saved_len = a->saved_len > b->saved_len ? a->saved_len : b->saved_len;
    a->cells |= b->cells;
    a->parts |= b->parts;
    a->has_spline = a->has_spline || b->has_spline;
}
