#include "describe_hmd_parts.h"

#include "hmd/hmd_animation.h"
#include "hmd/hmd_devices.h"
#include "hmd/hmd_ground.h"
#include "hmd/hmd_morph.h"

/* A line of the language has at most 512 words. */
enum { MOST_ON_A_LINE = 480, VEC_WORDS = 2, RESET_ENTRY_WORDS = 3, CAMERA_WORDS = 8 };

/* ---- short forms ---- */

bool part_claim(describing *d, uint64_t first, uint64_t num, enum part_kind kind, uint32_t of)
{
    if (num == 0 || first > d->num || num > d->num - first) {
        return false;
    }
    for (uint64_t i = first; i < first + num; i++) {
        if (d->kind[i] != PART_WORD) {
            return false;
        }
    }
    d->kind[first] = (uint8_t)kind;
    d->of[first] = of;
    for (uint64_t i = first + 1; i < first + num; i++) {
        d->kind[i] = PART_INSIDE;
    }
    return true;
}

static void join(describing *d, uint64_t first, uint64_t end)
{
    for (uint64_t i = first + 1; i < end && i < d->num; i++) {
        d->is_joined[i] = true;
    }
}

static void link(describing *d, uint32_t at, uint64_t to, uint32_t from)
{
    if (at < d->num && to <= d->num && d->to[at] == HMD_NONE) {
        d->to[at] = (uint32_t)to;
        d->from[at] = from;
    }
}

/* ---- the front ---- */

static void find_front(describing *d)
{
    const hmd_model *model = &d->model;
    const uint32_t blocks_end = HMD_FIXED_WORDS + model->num_blocks;
    (void)part_claim(d, 0, blocks_end, PART_FRONT, 0);
    for (uint32_t i = 0; i < model->num_blocks; i++) {
        if (model->blocks[i] != HMD_NONE) {
            link(d, HMD_FIXED_WORDS + i, model->primitives[model->blocks[i]].off, HMD_NONE);
        }
    }
    (void)part_claim(d, model->coordinates, 1, PART_COORDINATES, 0);
    for (uint32_t i = 0; i < model->num_units; i++) {
        (void)part_claim(d, hmd_unit(model, i), HMD_UNIT_WORDS, PART_UNIT, i);
    }
    join(d, 0, hmd_units_end(model));
}

/* Headers stand directly one behind the other, and none is longer than a line; otherwise the
 * section is written word by word. */
static bool are_lines(const describing *d)
{
    const hmd_model *model = &d->model;
    uint32_t at = model->header_section + 1;
    for (uint32_t i = 0; i < model->num_headers; i++) {
        if (model->headers[i].off != at || model->headers[i].num_words > MOST_ON_A_LINE) {
            return false;
        }
        at += 1 + model->headers[i].num_words;
    }
    return true;
}

static void find_headers(describing *d)
{
    const hmd_model *model = &d->model;
    const bool is_told = are_lines(d);
    (void)part_claim(d, model->header_section, 1, PART_HEADERS, is_told ? 1 : 0);
    for (uint32_t i = 0; i < model->num_headers; i++) {
        const hmd_header *header = &model->headers[i];
        if (is_told) {
            (void)part_claim(d, header->off, 1 + header->num_words, PART_HEADER, i);
        }
        for (uint32_t k = 0; k < header->num_words; k++) {
            const hmd_arg arg = hmd_arg_of(model, i, k);
            if (arg.is_pointer && arg.off != HMD_NONE) {
                link(d, arg.at, arg.off, HMD_NONE);
            }
        }
    }
    join(d, model->header_section, model->headers_end);
}

/* ---- primitives and records ---- */

static uint32_t record_end(const describing *d, const hmd_primitive *primitive, uint32_t i)
{
    return i + 1 < primitive->num_records ? d->model.records[primitive->first_record + i + 1].off
                                          : primitive->end;
}

static bool is_line(const describing *d, const hmd_primitive *primitive, uint32_t i)
{
    const uint32_t off = d->model.records[primitive->first_record + i].off;
    const uint32_t end = record_end(d, primitive, i);
    return end >= off + 2 && end - off <= MOST_ON_A_LINE && end <= d->num;
}

/* Whole primitives stand as lines, or as words. */
static void find_primitive(describing *d, uint32_t index)
{
    const hmd_primitive *primitive = &d->model.primitives[index];
    bool are_all_lines = true;
    for (uint32_t i = 0; i < primitive->num_records; i++) {
        are_all_lines = are_all_lines && is_line(d, primitive, i);
    }
    if (primitive->next != HMD_NONE) {
        link(d, primitive->off, d->model.primitives[primitive->next].off, HMD_NONE);
    }
    if (primitive->header != HMD_NONE) {
        link(d, primitive->off + 1, d->model.headers[primitive->header].off, HMD_NONE);
    }
    join(d, primitive->off, primitive->end);
    if (!are_all_lines ||
        !part_claim(d, primitive->off, HMD_PRIMITIVE_WORDS, PART_PRIMITIVE, index)) {
        return;
    }
    for (uint32_t i = 0; i < primitive->num_records; i++) {
        const uint32_t off = d->model.records[primitive->first_record + i].off;
        (void)part_claim(d, off, record_end(d, primitive, i) - off, PART_RECORD,
                         primitive->first_record + i);
    }
}

/* ---- what records refer to ---- */

static void find_vectors(describing *d, uint64_t first, uint64_t num)
{
    for (uint64_t at = first; at + VEC_WORDS <= first + num; at += VEC_WORDS) {
        (void)part_claim(d, at, VEC_WORDS, PART_VEC, 0);
    }
}

static void find_each(describing *d, const hmd_ref *ref, enum part_kind kind)
{
    for (uint64_t at = ref->first; at < ref->first + ref->num; at++) {
        (void)part_claim(d, at, 1, kind, 0);
    }
}

/* Padding of a key is not told by its line. */
static bool is_padding_clear(const describing *d, uint32_t at, const hmd_interp_type *type)
{
    uint32_t used = 0;
    for (int i = 0; i < HMD_NUM_PARTS; i++) {
        const hmd_interp_part *part = &type->parts[i];
        const uint32_t points = part->curve == HMD_CURVE_BEZIER ? 3 : 1;
        if (part->curve != HMD_CURVE_NONE) {
            used = part->off + points * part->num_values * part->cell_len;
        }
    }
    const uint32_t rest = used % HMD_WORD_LEN;
    return rest == 0 || word_at(d, at + used / HMD_WORD_LEN) >> (8 * rest) == 0;
}

static void find_key(describing *d, const hmd_ref *ref)
{
    hmd_animation animation;
    hmd_interp_type type;
    const uint8_t i = hmd_split_descriptor(word_at(d, ref->at)).type;
    if (hmd_animation_read(&d->check, &animation) &&
        hmd_animation_type(&d->check, &animation, i, &type) && ref->first < d->num &&
        is_padding_clear(d, (uint32_t)ref->first, &type)) {
        (void)part_claim(d, ref->first, ref->num, PART_KEY, type.word);
    }
}

static void find_device(describing *d, const hmd_ref *ref)
{
    const hmd_device_kind *kind = hmd_device_of(d->check.record);
    if (kind != NULL && (kind->is_light || ref->num == CAMERA_WORDS)) {
        (void)part_claim(d, ref->first, ref->num, kind->is_light ? PART_LIGHT : PART_CAMERA, 0);
    }
}

static void find_flat_cell(describing *d, const hmd_ref *ref)
{
    if (word_at(d, ref->first) >> 24 == 0) {
        (void)part_claim(d, ref->first, ref->num, PART_FLAT_CELL, 0);
    }
}

static void find_referred(describing *d, const hmd_ref *ref)
{
    switch (ref->owner) {
    case HMD_OWNER_TABLE:
        if (ref->num <= MOST_ON_A_LINE) {
            (void)part_claim(d, ref->first, ref->num, PART_TABLE, 0);
        }
        break;
    case HMD_OWNER_CONTROL:
        (void)part_claim(d, ref->first, 1, PART_DESCRIPTOR, 0);
        break;
    case HMD_OWNER_KEY:
        find_key(d, ref);
        break;
    case HMD_OWNER_GROUND:
        (void)part_claim(d, ref->first, ref->num, PART_GROUND, 0);
        break;
    case HMD_OWNER_GRID:
        if (ref->num == 1) {
            (void)part_claim(d, ref->first, 1, PART_TEXTURED_CELL, 0);
        } else if (ref->num == 2) {
            find_flat_cell(d, ref);
        }
        break;
    case HMD_OWNER_HEIGHT:
        find_each(d, ref, PART_HEIGHTS);
        break;
    case HMD_OWNER_UV:
        (void)part_claim(d, ref->first, ref->num, PART_CORNERS, 0);
        break;
    case HMD_OWNER_DEVICE:
        find_device(d, ref);
        break;
    default:
        break;
    }
}

static void take_part(hmd_check *check, const hmd_ref *ref, void *user)
{
    (void)check;
    find_referred(user, ref);
}

static void take_vectors(hmd_check *check, const hmd_ref *ref, void *user)
{
    (void)check;
    if (ref->owner == HMD_OWNER_VERTEX || ref->owner == HMD_OWNER_NORMAL ||
        ref->owner == HMD_OWNER_CALC_VERTEX || ref->owner == HMD_OWNER_CALC_NORMAL ||
        ref->owner == HMD_OWNER_ORIGINAL) {
        find_vectors(user, ref->first, ref->num);
    }
}

/* ---- morphing ---- */

static void find_joint(describing *d, const hmd_morph *morph, uint32_t block)
{
    const uint32_t num = hmd_high(word_at(d, block));
    const uint32_t area = morph->is_rpy ? HMD_RESET_RPY_WORDS : HMD_RESET_AXES_WORDS;
    if (num <= HMD_MOST_KEYS) {
        (void)part_claim(d, block, 2 + (uint64_t)num * HMD_JOINT_DIFF_WORDS, PART_JOINT, area);
    }
}

static void find_shape(describing *d, const hmd_morph *morph, uint32_t block)
{
    const uint32_t num = hmd_high(word_at(d, block));
    const uint32_t section =
        hmd_arg_of(&d->model, hmd_header_of(&d->model, d->check.record), morph->differences).off;
    const uint32_t all = num + hmd_low(word_at(d, block));
    if (num > HMD_MOST_KEYS || !part_claim(d, block, 2 + (uint64_t)all, PART_SHAPE, num)) {
        return;
    }
    for (uint32_t i = 0; i < all; i++) {
        const uint32_t at = block + 2 + i;
        const uint32_t from = i < num ? block : section;
        const uint64_t data = (uint64_t)from + word_at(d, at);
        link(d, at, data, from);
        if (i < num) {
            const uint32_t len = 2 * hmd_high(word_at(d, data + 1));
            (void)part_claim(d, data, 2 + (uint64_t)len, PART_DELTAS, 0);
        }
    }
}

static void find_morphs(describing *d)
{
    const hmd_check *check = &d->check;
    const hmd_morph *morph = hmd_morph_of(check->record);
    if (morph == NULL) {
        return;
    }
    for (uint32_t i = 0; i < check->record->count && i + 1 < check->record->size; i++) {
        const uint32_t block = hmd_morph_block(check, morph, i);
        if (block == HMD_NONE || block >= d->num) {
            continue;
        }
        if (morph->is_joint) {
            find_joint(d, morph, block);
        } else if (morph->is_reset) {
            const uint64_t num = hmd_high(word_at(d, block));
            (void)part_claim(d, block, 1 + RESET_ENTRY_WORDS * num, PART_RESETS, 0);
        } else {
            find_shape(d, morph, block);
        }
    }
}

static void find_data(hmd_check *check, void *user)
{
    describing *d = user;
    d->check.record = check->record;
    find_packets(d);
    find_morphs(d);
    hmd_refs_of(check, take_part, d);
}

static void find_elements(hmd_check *check, void *user)
{
    hmd_refs_of(check, take_vectors, user);
}

/* ---- what leads where, and what must stay together ---- */

/* What the run-time writes to here would be read otherwise elsewhere, if it lay elsewhere. */
static bool is_layout(const describing *d, uint64_t at)
{
    switch (at < d->num ? d->model.owner[at] : HMD_OWNER_NOBODY) {
    case HMD_OWNER_FRONT:
    case HMD_OWNER_HEADER:
    case HMD_OWNER_PRIMITIVE:
    case HMD_OWNER_TABLE:
    case HMD_OWNER_CONTROL:
    case HMD_OWNER_KEY:
    case HMD_OWNER_WORK:
    case HMD_OWNER_DIFFERENCE:
    case HMD_OWNER_GROUND:
        return true;
    default:
        return false;
    }
}

/* An update writes a whole coordinate, or cells. */
static void keep_updated(describing *d, const hmd_ref *ref)
{
    join(d, ref->section, ref->first + HMD_UNIT_WORDS);
    for (uint64_t at = ref->first; at < ref->first + HMD_UNIT_WORDS; at++) {
        d->is_fixed = d->is_fixed || is_layout(d, at);
    }
}

static bool is_pointer(const describing *d, const hmd_ref *ref)
{
    return ref->at > d->model.header_section && ref->at < d->model.headers_end;
}

/* A jump leads to a descriptor of its own section. */
static void link_jump(describing *d, const hmd_ref *ref)
{
    const hmd_descriptor what = hmd_split_descriptor(word_at(d, ref->at));
    if (what.kind == HMD_JUMP) {
        link(d, ref->at, ref->section + what.low, (uint32_t)ref->section);
    }
}

static void take_link(hmd_check *check, const hmd_ref *ref, void *user)
{
    describing *d = user;
    (void)check;
    for (uint64_t at = ref->first; ref->owner == HMD_OWNER_WORK && at < ref->first + ref->num;
         at++) {
        d->is_history[at < d->num ? at : d->num] = true;
    }
    if (ref->num == 0) {
        return; /* whatever stands there, nothing is read */
    }
    /* What reads beyond the asset must not read what lies behind it elsewhere. */
    d->is_fixed = d->is_fixed || ref->first + ref->num > d->num;
    if (is_pointer(d, ref)) {
        join(d, ref->first, ref->first + ref->num);
        return;
    }
    join(d, ref->section < ref->first ? ref->section : ref->first, ref->first + ref->num);
    if (ref->owner == HMD_OWNER_NOBODY) {
        keep_updated(d, ref);
    } else if (ref->owner == HMD_OWNER_CONTROL) {
        link_jump(d, ref);
    } else if (ref->first + ref->num <= d->num) {
        link(d, ref->at, ref->first, (uint32_t)ref->section);
    }
}

/* The starts of a sequence, the indices of descriptors. */
static void link_starts(describing *d, const hmd_animation *animation, const hmd_sequence *sequence)
{
    hmd_start start;
    for (uint32_t i = 0; i < hmd_sequence_num_starts(sequence); i++) {
        if (hmd_sequence_start(&d->check, sequence, i, &start) &&
            start.index < animation->num_descriptors) {
            link(d, start.at, (uint64_t)animation->control.off + start.index,
                 animation->control.off);
        }
    }
}

/* A control section ends where the next thing begins, and sequences where the last one does. */
static void keep_animation(describing *d)
{
    hmd_animation animation;
    hmd_sequence sequence;
    uint32_t off = d->check.record->off + 2;
    uint32_t left = d->check.record->count;
    const bool is_whole = hmd_animation_read(&d->check, &animation);
    if (is_whole) {
        join(d, animation.control.off, (uint64_t)animation.control.off + animation.num_descriptors);
        join(d, animation.parameters.off, animation.parameters_end);
    }
    while (hmd_animation_next(&d->check, &off, &left, &sequence)) {
        const uint64_t end =
            (uint64_t)sequence.off + HMD_SEQUENCE_WORDS - 1 + hmd_sequence_num_starts(&sequence);
        join(d, d->check.record->off, end);
        if (is_whole) {
            link_starts(d, &animation, &sequence);
        }
    }
}

static void find_links(hmd_check *check, void *user)
{
    describing *d = user;
    d->check.record = check->record;
    hmd_refs_of(check, take_link, d);
    if (check->record->category == HMD_ANIMATION) {
        keep_animation(d);
    }
}

/* A word that two kinds of things hold may be read as a number where it is a reference. */
static void keep_shared(describing *d)
{
    for (uint32_t at = 0; at < d->num; at++) {
        d->is_fixed = d->is_fixed || d->model.second[at] != HMD_OWNER_NOBODY;
    }
}

void find_parts(describing *d)
{
    hmd_check all = d->check;
    find_front(d);
    find_headers(d);
    for (uint32_t i = 0; i < d->model.num_primitives; i++) {
        find_primitive(d, i);
    }
    hmd_for_each_record(&all, find_data, d);
    hmd_for_each_record(&all, find_elements, d);
    hmd_for_each_record(&all, find_links, d);
    keep_shared(d);
}
