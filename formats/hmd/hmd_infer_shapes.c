#include "core/never.h"
#include "hmd/hmd_animation.h"
#include "hmd/hmd_devices.h"
#include "hmd/hmd_ground.h"
#include "hmd/hmd_images.h"
#include "hmd/hmd_infer.h"
#include "hmd/hmd_morph.h"

enum { MOST_ARGS = 16, VRAM_WIDTH = 1024, VRAM_HEIGHT = 512, MOST_LIGHT = 2 };

/* ---- headers ----------------------------------------------------------------------------------
 */

static void read_arg(const hmd_model *model, hmd_shape *out, uint32_t i)
{
    const hmd_arg arg = hmd_arg_of(model, out->header, i);
    const uint32_t bit = 1u << i;
    out->zeros |= arg.raw == 0 ? bit : 0;
    if (!arg.is_pointer || arg.off == HMD_NONE) {
        return;
    }
    out->pointers |= bit;
    out->units |= hmd_unit_at(model, arg.off) != HMD_NONE ? bit : 0;
    out->sections |= arg.off == model->coordinates ? bit : 0;
}

hmd_shape hmd_infer_shape(hmd_inference *in, const hmd_record *record)
{
    const hmd_model *model = in->check->model;
    const hmd_primitive *primitive = &model->primitives[record->primitive];
    const uint32_t index = (uint32_t)(record - model->records);
    hmd_shape out = {.record = record, .header = primitive->header, .num_args = HMD_NONE};
    out.is_last = index + 1 == primitive->first_record + primitive->num_records;
    if (out.header == HMD_NONE || !hmd_infer_pay(in, MOST_ARGS)) {
        return out;
    }
    out.num_args = model->headers[out.header].num_words;
    out.is_alone = in->users[out.header] > HMD_USERS_MIXED;
    for (uint32_t i = 0; i < out.num_args && i < MOST_ARGS; i++) {
        read_arg(model, &out, i);
    }
    return out;
}

/* The first num arguments are pointers, and none of them means a coordinate. */
static bool has_sections(const hmd_shape *shape, uint32_t num)
{
    const uint32_t mask = (1u << num) - 1;
    return (shape->pointers & mask) == mask && ((shape->units | shape->sections) & mask) == 0;
}

/* num arguments, and perhaps the coordinates, which the record with INI has behind them. */
static bool has_args(const hmd_shape *shape, uint32_t num)
{
    return shape->num_args == num ||
           (shape->num_args == num + 1 && (shape->sections >> num & 1) != 0);
}

uint8_t hmd_infer_polygons(const hmd_shape *shape)
{
    if (has_args(shape, 3) && has_sections(shape, 3)) {
        return HMD_POLYGONS;
    }
    if (has_args(shape, 5) && has_sections(shape, 5)) {
        return HMD_SHARED;
    }
    return has_args(shape, 13) && has_sections(shape, 3) ? HMD_ENVMAP : HMD_CATEGORY_FOREIGN;
}

static uint32_t data_at(const hmd_inference *in, const hmd_shape *shape, uint32_t i)
{
    return hmd_word(in->check->model, shape->record->off + 2 + i);
}

/* The record as it would be with a type, at the place of the check: what reads records of a
 * category can then be asked about it. */
static void suppose(hmd_inference *in, const hmd_shape *shape, uint32_t type)
{
    hmd_record *as = &in->supposed;
    *as = *shape->record;
    as->type = type;
    as->category = (uint8_t)(type >> 24);
    in->check->record = as;
}

/* ---- pre-calculation --------------------------------------------------------------------------
 */

/* Six data words; nothing else has six and a count of 0. */
static hmd_fit fit_precalculation(hmd_inference *in, const hmd_shape *shape, uint32_t type)
{
    const hmd_model *model = in->check->model;
    (void)type;
    if (shape->record->size != 7 || shape->record->count != 0 ||
        hmd_infer_polygons(shape) != HMD_SHARED) {
        return HMD_FIT_NOT;
    }
    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t num = data_at(in, shape, i < 2 ? 0 : 3);
        const uint64_t first = data_at(in, shape, i < 2 ? 1 + i : 2 + i);
        const uint64_t section = hmd_arg_of(model, shape->header, 1 + i).off;
        if (!hmd_infer_has(in, section + 2 * first, 2 * num)) {
            return HMD_FIT_NOT;
        }
    }
    return HMD_FIT_EXACT;
}

/* ---- images -----------------------------------------------------------------------------------
 */

static bool fits_rectangle(const hmd_rectangle *at)
{
    return at->w > 0 && at->h > 0 && at->x + at->w <= VRAM_WIDTH && at->y + at->h <= VRAM_HEIGHT;
}

hmd_fit hmd_infer_fit_images(hmd_inference *in, const hmd_shape *shape, uint32_t type)
{
    const uint32_t count = shape->record->count;
    const bool has_tables = (type & 1) != 0;
    const uint32_t size = 1 + count * (has_tables ? 6 : 3);
    const bool has_header = shape->num_args == 1 ||
                            (shape->num_args == 2 && ((shape->pointers | shape->zeros) & 2) != 0);
    if (count == 0 || !has_header || (shape->pointers & 1) == 0 ||
        (has_tables && (shape->pointers & 2) == 0) || shape->record->size < size ||
        (shape->record->size > size && !shape->is_last)) {
        return HMD_FIT_NOT;
    }
    suppose(in, shape, type);
    for (uint32_t i = 0; i < count && hmd_infer_pay(in, 6); i++) {
        for (unsigned part = 0; part < (has_tables ? 2u : 1u); part++) {
            hmd_rectangle at;
            const bool is_there = hmd_image_item(in->check, i, part, &at);
            if (NEVER(!is_there) || !fits_rectangle(&at)) { /* the size was looked at */
                return HMD_FIT_NOT;
            }
        }
    }
    return shape->record->size == size ? HMD_FIT_EXACT : HMD_FIT_LOOSE;
}

/* ---- animation --------------------------------------------------------------------------------
 */

/* The header begins with its own size, and the sequences tile the record: each is six words and one
 * more for every sequence that it manages. */
static hmd_fit fit_animation(hmd_inference *in, const hmd_shape *shape, uint32_t type)
{
    const hmd_check *check = in->check;
    const uint32_t data = shape->record->off + 2;
    uint32_t off = data;
    uint32_t left = shape->record->count;
    hmd_sequence sequence;
    (void)type;
    if (shape->num_args < 4 || shape->num_args == HMD_NONE || (shape->pointers & 15) != 14 ||
        hmd_arg_of(check->model, shape->header, 0).raw != shape->num_args || left == 0) {
        return HMD_FIT_NOT;
    }
    while (left > 0) {
        if (!hmd_infer_pay(in, 8) || !hmd_animation_next(check, &off, &left, &sequence) ||
            sequence.num == 0 || sequence.size != 6 + (uint32_t)sequence.num) {
            return HMD_FIT_NOT;
        }
    }
    if (off - data + 1 == shape->record->size) {
        return HMD_FIT_EXACT;
    }
    return shape->is_last ? HMD_FIT_LOOSE : HMD_FIT_NOT;
}

/* ---- morphing ---------------------------------------------------------------------------------
 */

static uint32_t count_bits(uint32_t word)
{
    uint32_t num = 0;
    for (; word != 0; word &= word - 1) {
        num++;
    }
    return num;
}

static uint32_t bit_of(uint8_t arg)
{
    return arg == HMD_NO_ARG ? 0 : 1u << arg;
}

static bool has_morph_args(const hmd_shape *shape, const hmd_morph *kind)
{
    const uint32_t numbers = bit_of(kind->num_weights) | bit_of(kind->id);
    const uint32_t weights = bit_of(kind->weights);
    const uint32_t coordinates = bit_of(kind->coordinates);
    const uint32_t all = (1u << kind->num_args) - 1;
    const uint32_t pointers = all & ~numbers & ~weights;
    return shape->num_args == kind->num_args && (shape->pointers & numbers) == 0 &&
           (shape->pointers & pointers) == pointers &&
           ((shape->pointers | shape->zeros) & weights) == weights &&
           (shape->sections & all) == coordinates;
}

/* Ends with a reset area, whose length is all that tells the two kinds of joints apart. */
static hmd_fit fit_joint(hmd_inference *in, const hmd_morph *kind, uint32_t block)
{
    const hmd_model *model = in->check->model;
    const uint32_t num = hmd_high(hmd_word(model, block));
    const uint64_t end = (uint64_t)block + 2 + (uint64_t)num * HMD_JOINT_DIFF_WORDS +
                         (kind->is_rpy ? HMD_RESET_RPY_WORDS : HMD_RESET_AXES_WORDS);
    const uint32_t next = hmd_infer_next(in, block);
    if (hmd_low(hmd_word(model, block)) >= model->num_units ||
        count_bits(hmd_word(model, block + 1)) != num || end > next) {
        return HMD_FIT_NOT;
    }
    return end == next || next == HMD_MOST_WORDS ? HMD_FIT_EXACT : HMD_FIT_LOOSE;
}

static bool fits_elements(hmd_inference *in, const hmd_shape *shape, const hmd_morph *kind,
                          uint64_t first, uint64_t count)
{
    const hmd_arg section = hmd_arg_of(in->check->model, shape->header, kind->elements);
    return hmd_infer_has(in, section.off + 2 * first, 2 * count); /* it is one of the pointers */
}

/* Whose elements they are, vertices' or normals', cannot be seen. */
static hmd_fit fit_differences(hmd_inference *in, const hmd_shape *shape, const hmd_morph *kind,
                               uint32_t block)
{
    const hmd_model *model = in->check->model;
    const uint32_t num = hmd_high(hmd_word(model, block));
    if (count_bits(hmd_word(model, block + 1)) != num) {
        return HMD_FIT_NOT;
    }
    for (uint32_t i = 0; i < num && hmd_infer_pay(in, 2); i++) {
        const uint64_t data = (uint64_t)block + hmd_word(model, block + 2 + i);
        if (!hmd_infer_has(in, data, 2)) {
            return HMD_FIT_NOT;
        }
        const uint32_t at = (uint32_t)data;
        if (!fits_elements(in, shape, kind, hmd_word(model, at),
                           hmd_high(hmd_word(model, at + 1)))) {
            return HMD_FIT_NOT;
        }
    }
    return HMD_FIT_LOOSE;
}

static hmd_fit fit_resets(hmd_inference *in, const hmd_shape *shape, const hmd_morph *kind,
                          uint32_t block)
{
    const hmd_model *model = in->check->model;
    const uint32_t num = hmd_high(hmd_word(model, block));
    if (hmd_low(hmd_word(model, block)) != 0 || !hmd_infer_has(in, block, 1 + 3 * (uint64_t)num)) {
        return HMD_FIT_NOT;
    }
    for (uint32_t i = 0; i < num && hmd_infer_pay(in, 2); i++) {
        const uint32_t at = block + 1 + 3 * i;
        if (!fits_elements(in, shape, kind, hmd_word(model, at),
                           hmd_high(hmd_word(model, at + 2)))) {
            return HMD_FIT_NOT;
        }
    }
    return HMD_FIT_LOOSE;
}

static hmd_fit fit_block(hmd_inference *in, const hmd_shape *shape, const hmd_morph *kind,
                         uint32_t i)
{
    const uint32_t block = hmd_morph_block(in->check, kind, i);
    if (block == HMD_NONE || !hmd_infer_has(in, block, hmd_morph_head(kind)) ||
        !hmd_infer_pay(in, 2)) {
        return HMD_FIT_NOT;
    }
    if (kind->is_joint) {
        return fit_joint(in, kind, block);
    }
    return kind->is_reset ? fit_resets(in, shape, kind, block)
                          : fit_differences(in, shape, kind, block);
}

void hmd_infer_mark_blocks(hmd_inference *in, const hmd_shape *shape)
{
    static const uint32_t types[] = {0x04010010, 0x04010018, 0x04010020, 0x04010028};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        suppose(in, shape, types[i]);
        const hmd_morph *kind = hmd_morph_of(&in->supposed);
        const uint32_t count = shape->record->count;
        if (has_morph_args(shape, kind) && shape->record->size == 1 + count) {
            for (uint32_t k = 0; k < count && hmd_infer_pay(in, 1); k++) {
                hmd_infer_mark(&in->known, hmd_morph_block(in->check, kind, k));
            }
        }
    }
    in->check->record = NULL;
}

static hmd_fit fit_morph(hmd_inference *in, const hmd_shape *shape, uint32_t type)
{
    hmd_fit worst = HMD_FIT_EXACT;
    suppose(in, shape, type);
    const hmd_morph *kind = hmd_morph_of(&in->supposed);
    if (NEVER(kind == NULL) || shape->record->count == 0 || /* all in the table have one */
        shape->record->size != 1 + (uint32_t)shape->record->count || !has_morph_args(shape, kind)) {
        return HMD_FIT_NOT;
    }
    for (uint32_t i = 0; i < shape->record->count && worst != HMD_FIT_NOT; i++) {
        const hmd_fit fit = fit_block(in, shape, kind, i);
        worst = fit < worst ? fit : worst;
    }
    return worst;
}

/* ---- ground -----------------------------------------------------------------------------------
 */

static hmd_fit fit_ground(hmd_inference *in, const hmd_shape *shape, uint32_t type)
{
    const uint32_t num_args = (type & 1) != 0 ? 5 : 4;
    hmd_ground ground;
    if (shape->record->size != 4 || shape->record->count != 0 || !has_args(shape, num_args) ||
        !has_sections(shape, num_args)) {
        return HMD_FIT_NOT;
    }
    suppose(in, shape, type);
    const bool is_read = hmd_ground_read(in->check, &ground);
    /* Type, size and pointers were looked at. */
    return ALWAYS(is_read) && ground.nw >= 2 && ground.num_rows > 0 ? HMD_FIT_EXACT : HMD_FIT_NOT;
}

/* ---- devices ----------------------------------------------------------------------------------
 */

static bool fits_lights(hmd_inference *in, const hmd_shape *shape, const hmd_device_kind *kind,
                        uint32_t parameters)
{
    for (uint32_t i = 0; i < shape->record->count; i++) {
        const uint32_t word = data_at(in, shape, i);
        if (!hmd_infer_pay(in, 1) || hmd_low(word) > MOST_LIGHT ||
            !hmd_infer_has(in, (uint64_t)parameters + hmd_high(word), kind->num_words)) {
            return false;
        }
    }
    return true;
}

/* Several devices may share a header, which then has what the longest of them needs; a header for
 * one alone has just what this one needs. */
static bool has_device_args(const hmd_shape *shape, const hmd_device_kind *kind)
{
    const uint32_t num_args = 1u + kind->num_coordinates;
    const uint32_t own = (1u << num_args) - 1;
    return shape->num_args >= num_args && shape->num_args <= 3 &&
           (!shape->is_alone || shape->num_args == num_args) && (shape->pointers & own) == own &&
           (shape->units & own) == (own & ~1u) && (shape->sections & own) == 0;
}

static hmd_fit fit_device(hmd_inference *in, const hmd_shape *shape, uint32_t type)
{
    suppose(in, shape, type);
    const hmd_device_kind *kind = hmd_device_of(&in->supposed);
    /* All in the table have one. */
    if (NEVER(kind == NULL) || !has_device_args(shape, kind)) {
        return HMD_FIT_NOT;
    }
    const uint32_t parameters = hmd_arg_of(in->check->model, shape->header, 0).off;
    const uint32_t count = shape->record->count;
    if (!kind->is_light) {
        return shape->record->size == 1 && count == 0 &&
                       hmd_infer_has(in, parameters, kind->num_words)
                   ? HMD_FIT_EXACT
                   : HMD_FIT_NOT;
    }
    const bool is_sized =
        shape->record->size == 1 + count &&
        (count == 1 || (count > 1 && kind->num_coordinates == 0 && kind->num_words > 1));
    return is_sized && fits_lights(in, shape, kind, parameters) ? HMD_FIT_EXACT : HMD_FIT_NOT;
}

/* ---- all --------------------------------------------------------------------------------------
 */

const hmd_kind hmd_kinds[] = {
    {0x01000000, fit_precalculation},
    {0x02000000, hmd_infer_fit_images},
    {0x02000001, hmd_infer_fit_images},
    {0x03000000, fit_animation},
    {0x04010010, fit_morph},
    {0x04010011, fit_morph},
    {0x04010018, fit_morph},
    {0x04010019, fit_morph},
    {0x04010020, fit_morph},
    {0x04010021, fit_morph},
    {0x04010028, fit_morph},
    {0x04010029, fit_morph},
    {0x05000000, fit_ground},
    {0x05000001, fit_ground},
    {0x07000100, fit_device},
    {0x07010100, fit_device},
    {0x07020100, fit_device},
    {0x07030100, fit_device},
    {0x07000200, fit_device},
    {0x07010200, fit_device},
    {0x07020200, fit_device},
    {0x07030200, fit_device},
};
const size_t hmd_num_kinds = sizeof hmd_kinds / sizeof hmd_kinds[0];
