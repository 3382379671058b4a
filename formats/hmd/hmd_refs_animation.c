#include "hmd/hmd_animation.h"

static void visit_table(hmd_check *check, const hmd_animation *animation, hmd_ref_visit visit,
                        void *user)
{
    const uint32_t announced = hmd_word(check->model, animation->table.off) & ~HMD_MSB;
    const hmd_ref ref = {.owner = HMD_OWNER_TABLE,
                         .field = "interpolation table",
                         .at = animation->table.at,
                         .number = animation->table.off,
                         .first = animation->table.off,
                         .num = 1 + (uint64_t)announced};
    visit(check, &ref, user);
}

static uint32_t key_words(const hmd_check *check, const hmd_animation *animation, uint8_t type)
{
    hmd_interp_type described;
    return hmd_animation_type(check, animation, type, &described)
               ? described.key_len / (uint32_t)HMD_WORD_LEN
               : 1;
}

static void visit_descriptor(hmd_check *check, const hmd_animation *animation, uint32_t i,
                             hmd_ref_visit visit, void *user)
{
    const hmd_descriptor what = hmd_animation_descriptor(check, animation, i);
    const uint32_t at = animation->control.off + i;
    const hmd_ref self = {.owner = HMD_OWNER_CONTROL,
                          .field = "descriptor",
                          .at = at,
                          .number = i,
                          .section = animation->control.off,
                          .first = at,
                          .num = 1};
    hmd_ref ref = {.owner = HMD_OWNER_KEY,
                   .field = "parameter index",
                   .at = at,
                   .number = what.low,
                   .section = animation->parameters.off,
                   .first = (uint64_t)animation->parameters.off + what.low};
    visit(check, &self, user);
    if (what.kind == HMD_KEY) {
        ref.num = key_words(check, animation, what.type);
        visit(check, &ref, user);
    } else if (what.kind == HMD_CONTROL && what.code == HMD_CODE_WORK) {
        ref.owner = HMD_OWNER_WORK;
        ref.field = "spline work area";
        ref.num = HMD_WORK_WORDS;
        ref.is_written = true;
        visit(check, &ref, user);
    }
}

/* General types write cells of 1 to 4 bytes, up to 3 words, at the update address; coordinate types
 * a unit, which is known anyway. Nobody owns a word for being written to. */
static void visit_sequences(hmd_check *check, hmd_ref_visit visit, void *user)
{
    const hmd_model *model = check->model;
    uint32_t off = check->record->off + 2;
    uint32_t left = check->record->count;
    hmd_sequence sequence;
    while (hmd_spend(check, HMD_SEQUENCE_WORDS) &&
           hmd_animation_next(check, &off, &left, &sequence)) {
        const hmd_arg section =
            hmd_arg_of(model, hmd_header_of(model, check->record), sequence.section);
        const hmd_ref ref = {.owner = HMD_OWNER_NOBODY,
                             .field = "update offset",
                             .at = sequence.off,
                             .number = sequence.update,
                             .section = section.off,
                             .first = (uint64_t)section.off + sequence.update,
                             .num = 1,
                             .is_written = true};
        if (section.off != HMD_NONE) {
            visit(check, &ref, user);
        }
    }
}

static void visit_descriptors(hmd_check *check, const hmd_animation *animation, hmd_ref_visit visit,
                              void *user)
{
    for (uint32_t i = 0; i < animation->num_descriptors && hmd_spend(check, 1); i++) {
        check->descriptor = i;
        if (animation->reached[i]) {
            visit_descriptor(check, animation, i, visit, user);
        }
    }
    check->descriptor = HMD_NONE;
}

void hmd_refs_animation(hmd_check *check, hmd_ref_visit visit, void *user)
{
    hmd_animation animation;
    /* The records of a file may be many, and are visited again and again. */
    const size_t mark = fh_arena_mark(check->arena);
    if (!hmd_animation_read(check, &animation)) {
        return;
    }
    visit_table(check, &animation, visit, user);
    visit_sequences(check, visit, user);
    if (hmd_animation_reach(check, &animation)) {
        visit_descriptors(check, &animation, visit, user);
    }
    fh_arena_reset(check->arena, mark);
}
