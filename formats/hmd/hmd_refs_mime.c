#include "hmd/hmd_morph.h"

static const hmd_morph kinds[] = {
    {0x10, "joint, rotation axes", true, false, false, false, 5, 0, 1, 2, 3, 4, HMD_NO_ARG,
     HMD_NO_ARG},
    {0x11, "joint, roll pitch yaw", true, false, false, true, 5, 0, 1, 2, 3, 4, HMD_NO_ARG,
     HMD_NO_ARG},
    {0x18, "reset of joint, rotation axes", true, true, false, false, 3, 0, HMD_NO_ARG, HMD_NO_ARG,
     1, 2, HMD_NO_ARG, HMD_NO_ARG},
    {0x19, "reset of joint, roll pitch yaw", true, true, false, true, 3, 0, HMD_NO_ARG, HMD_NO_ARG,
     1, 2, HMD_NO_ARG, HMD_NO_ARG},
    {0x20, "vertex", false, false, false, false, 7, HMD_NO_ARG, 0, 1, 2, 3, 4, 5},
    {0x21, "normal", false, false, true, false, 7, HMD_NO_ARG, 0, 1, 2, 3, 4, 6},
    {0x28, "reset of vertex", false, true, false, false, 5, HMD_NO_ARG, HMD_NO_ARG, HMD_NO_ARG, 0,
     1, 2, 3},
    {0x29, "reset of normal", false, true, true, false, 5, HMD_NO_ARG, HMD_NO_ARG, HMD_NO_ARG, 0, 1,
     2, 4},
};

const hmd_morph *hmd_morph_of(const hmd_record *record)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if ((record->type & ~HMD_TYPE_INI) == (0x04010000u | kinds[i].type)) {
            return &kinds[i];
        }
    }
    return NULL;
}

static uint32_t section_of(const hmd_check *check, uint8_t arg)
{
    return hmd_arg_of(check->model, hmd_header_of(check->model, check->record), arg).off;
}

/* A word offset from a section, as a place that an asset can have. */
static uint32_t place(uint32_t section, uint32_t off)
{
    const uint64_t sum = (uint64_t)section + off;
    return section == HMD_NONE || sum >= HMD_MOST_WORDS ? HMD_NONE : (uint32_t)sum;
}

uint32_t hmd_morph_block(const hmd_check *check, const hmd_morph *morph, uint32_t i)
{
    return place(section_of(check, morph->differences),
                 hmd_word(check->model, check->record->off + 2 + i));
}

uint32_t hmd_morph_head(const hmd_morph *morph)
{
    return morph->is_reset && !morph->is_joint ? 1 : 2;
}

static hmd_ref make(enum hmd_owner owner, const char *field, uint32_t at, uint32_t number,
                    uint32_t section, uint64_t first, uint64_t num)
{
    return (hmd_ref){.owner = owner,
                     .field = field,
                     .at = at,
                     .number = number,
                     .section = section,
                     .first = first,
                     .num = num};
}

/* Block of a joint: coordinate and number of differences, flags, the differences, reset area. */
static void visit_joint(hmd_check *check, const hmd_morph *morph, uint32_t at, uint32_t block,
                        hmd_ref_visit visit, void *user)
{
    const uint32_t num = hmd_high(hmd_word(check->model, block));
    const uint64_t len = 2 + (uint64_t)num * HMD_JOINT_DIFF_WORDS +
                         (morph->is_rpy ? HMD_RESET_RPY_WORDS : HMD_RESET_AXES_WORDS);
    const hmd_ref ref =
        make(HMD_OWNER_DIFFERENCE, "difference block", at, hmd_word(check->model, at),
             section_of(check, morph->differences), block, len);
    visit(check, &ref, user);
}

static enum hmd_owner element_owner(const hmd_morph *morph)
{
    return morph->is_normal ? HMD_OWNER_NORMAL : HMD_OWNER_VERTEX;
}

static void visit_elements(hmd_check *check, const hmd_morph *morph, uint32_t at, uint32_t num,
                           hmd_ref_visit visit, void *user)
{
    const uint32_t section = section_of(check, morph->elements);
    const uint32_t first = hmd_word(check->model, at);
    if (section != HMD_NONE) {
        hmd_ref ref = make(element_owner(morph), "first element", at, first, section,
                           section + 2 * (uint64_t)first, 2 * (uint64_t)num);
        ref.is_written = true;
        visit(check, &ref, user);
    }
}

/* Difference data: first element, then count in an upper half, then vectors. */
static void visit_data(hmd_check *check, const hmd_morph *morph, uint32_t block, uint32_t at,
                       hmd_ref_visit visit, void *user)
{
    const uint32_t data = place(block, hmd_word(check->model, at));
    const uint32_t num = data == HMD_NONE ? 0 : hmd_high(hmd_word(check->model, data + 1));
    const hmd_ref ref =
        make(HMD_OWNER_DIFFERENCE, "difference data", at, hmd_word(check->model, at), block,
             block + (uint64_t)hmd_word(check->model, at), 2 + 2 * (uint64_t)num);
    visit(check, &ref, user);
    if (data != HMD_NONE && hmd_has(check->model, data, 2)) {
        visit_elements(check, morph, data, num, visit, user);
    }
}

/* Block of vertices or normals: number of words to notify and of differences, flags, offsets of the
 * differences from the block, offsets of the words to notify from the section. */
static void visit_morph(hmd_check *check, const hmd_morph *morph, uint32_t at, uint32_t block,
                        hmd_ref_visit visit, void *user)
{
    const hmd_model *model = check->model;
    const uint32_t head = hmd_word(model, block);
    const uint32_t num_diffs = hmd_high(head);
    const uint32_t num_notify = hmd_low(head);
    const uint32_t section = section_of(check, morph->differences);
    const hmd_ref ref = make(HMD_OWNER_DIFFERENCE, "difference block", at, hmd_word(model, at),
                             section, block, 2 + (uint64_t)num_diffs + num_notify);
    visit(check, &ref, user);
    for (uint32_t i = 0; i < num_diffs + num_notify && hmd_spend(check, 4); i++) {
        const uint32_t word = block + 2 + i;
        if (!hmd_has(model, word, 1)) {
            return;
        }
        if (i < num_diffs) {
            visit_data(check, morph, block, word, visit, user);
        } else {
            hmd_ref changed =
                make(HMD_OWNER_DIFFERENCE, "changed word", word, hmd_word(model, word), section,
                     section + (uint64_t)hmd_word(model, word), 1);
            changed.is_written = true;
            visit(check, &changed, user);
        }
    }
}

/* Reset block: number in the upper half, then first element, first original, and the number of
 * elements in an upper half. */
static void visit_reset(hmd_check *check, const hmd_morph *morph, uint32_t at, uint32_t block,
                        hmd_ref_visit visit, void *user)
{
    const hmd_model *model = check->model;
    const uint32_t num = hmd_high(hmd_word(model, block));
    const uint32_t originals = section_of(check, morph->originals);
    const hmd_ref ref = make(HMD_OWNER_DIFFERENCE, "reset block", at, hmd_word(model, at),
                             section_of(check, morph->differences), block, 1 + 3 * (uint64_t)num);
    visit(check, &ref, user);
    for (uint32_t i = 0; i < num && hmd_spend(check, 4); i++) {
        const uint32_t entry = block + 1 + 3 * i;
        const uint32_t count = hmd_high(hmd_word(model, entry + 2));
        const uint32_t first = hmd_word(model, entry + 1);
        if (!hmd_has(model, entry, 3)) {
            return;
        }
        visit_elements(check, morph, entry, count, visit, user);
        if (originals != HMD_NONE) {
            hmd_ref saved = make(HMD_OWNER_ORIGINAL, "first original", entry + 1, first, originals,
                                 originals + 2 * (uint64_t)first, 2 * (uint64_t)count);
            saved.is_written = true;
            visit(check, &saved, user);
        }
    }
}

static void visit_weights(hmd_check *check, const hmd_morph *morph, hmd_ref_visit visit, void *user)
{
    const uint32_t header = hmd_header_of(check->model, check->record);
    const hmd_arg weights = hmd_arg_of(check->model, header, morph->weights);
    const hmd_arg num = hmd_arg_of(check->model, header, morph->num_weights);
    /* In memory the program has put the address of its own weights there, if they lie elsewhere. */
    const bool is_foreign = hmd_is_memory(check->model) && weights.off > check->model->end;
    if (weights.off != HMD_NONE && num.is_there && !is_foreign) {
        const hmd_ref ref =
            make(HMD_OWNER_WEIGHT, "MIMEPR", weights.at, weights.off, 0, weights.off, num.raw);
        visit(check, &ref, user);
    }
}

void hmd_refs_mime(hmd_check *check, hmd_ref_visit visit, void *user)
{
    const hmd_morph *morph = hmd_morph_of(check->record);
    if (morph == NULL) {
        return;
    }
    if (morph->weights != HMD_NO_ARG) {
        visit_weights(check, morph, visit, user);
    }
    for (uint32_t i = 0; i < check->record->count && i + 1 < check->record->size; i++) {
        const uint32_t at = check->record->off + 2 + i;
        const uint32_t block = hmd_morph_block(check, morph, i);
        const uint32_t head = hmd_morph_head(morph);
        if (!hmd_spend(check, 1)) {
            return;
        }
        if (block == HMD_NONE || !hmd_has(check->model, block, head)) {
            const uint32_t section = section_of(check, morph->differences);
            const hmd_ref ref =
                make(HMD_OWNER_DIFFERENCE, "difference block", at, hmd_word(check->model, at),
                     section, section + (uint64_t)hmd_word(check->model, at), head);
            if (section != HMD_NONE) {
                visit(check, &ref, user);
            }
        } else if (morph->is_joint) {
            visit_joint(check, morph, at, block, visit, user);
        } else if (morph->is_reset) {
            visit_reset(check, morph, at, block, visit, user);
        } else {
            visit_morph(check, morph, at, block, visit, user);
        }
    }
}
