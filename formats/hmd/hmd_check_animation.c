#include "core/never.h"
#include "hmd/hmd_checks.h"
#include "hmd/hmd_motion.h"

#define FRAME_UPDATE 0x03000000u
#define TYPE_CATEGORY_SHIFT 24

/* ---- header -----------------------------------------------------------------------------------
 */

static bool is_first(const hmd_check *check)
{
    return check->record == &check->model->records[check->primitive->first_record];
}

static uint32_t index_in_primitive(const hmd_check *check)
{
    return (uint32_t)(check->record - check->model->records) - check->primitive->first_record;
}

static void judge_type(const hmd_check *check)
{
    const uint32_t type = check->record->type;
    /* An address is known for animation by the only type that it has. */
    if (NEVER(type == HMD_NO_TYPE)) {
        return;
    }
    if ((type & ~HMD_TYPE_INI) != FRAME_UPDATE) {
        hmd_tell(check, HMD0203, "type", check->record->off, fh_hex(type),
                 fh_hex(FRAME_UPDATE | HMD_TYPE_INI));
    } else if ((type & HMD_TYPE_INI) == 0 && !hmd_is_memory(check->model)) {
        hmd_tell(check, HMD0204, "type", check->record->off, fh_hex(type),
                 fh_hex(FRAME_UPDATE | HMD_TYPE_INI));
    }
}

static void judge_record(const hmd_check *check)
{
    judge_type(check);
    if (!is_first(check)) {
        hmd_tell(check, HMD0202, "record", check->record->off,
                 fh_dec_after("record ", index_in_primitive(check), ""), fh_words("record 0"));
    }
}

static void judge_header(const hmd_check *check, uint32_t header)
{
    const hmd_model *model = check->model;
    const hmd_arg size = hmd_arg_of(model, header, 0);
    if (header == HMD_NONE) {
        return;
    }
    const uint32_t num = model->headers[header].num_words;
    if (size.is_there && size.raw != num) {
        hmd_tell(check, HMD0200, "animation header size", size.at,
                 fh_dec(size.raw, size.raw == 1 ? " word" : " words"), fh_count(num, "word"));
    }
    if (num <= HMD_ARG_PARAMETERS) {
        hmd_tell(check, HMD0201, "primitive header", model->headers[header].off,
                 fh_count(num, "word"), fh_words("at least 4 words"));
    }
}

/* What is no pointer leads to HMD_NONE. A section that is not there at all was told as a header
 * that is too short. */
static bool has_section(const hmd_check *check, const hmd_arg *arg, const char *name, uint32_t end)
{
    if (arg->off < end) {
        return true;
    }
    if (arg->is_there) {
        hmd_tell(check, HMD0205, name, arg->at, fh_hex(arg->raw),
                 fh_dec_after("a pointer below word ", end, ""));
    }
    return false;
}

static bool has_sections(const hmd_check *check, uint32_t header)
{
    static const char *const names[] = {"interpolation table", "control section",
                                        "parameter section"};
    const hmd_model *model = check->model;
    bool all = true;
    for (uint32_t i = HMD_ARG_TABLE; i <= HMD_ARG_PARAMETERS; i++) {
        const hmd_arg arg = hmd_arg_of(model, header, i);
        /* Only keys and WORK controls refer to words of the parameter section; where none does, it
         * may begin right behind the last word. */
        const uint32_t end = model->num_words + (i == HMD_ARG_PARAMETERS ? 1 : 0);
        all = has_section(check, &arg, names[i - HMD_ARG_TABLE], end) && all;
    }
    return all;
}

static void judge_order(const hmd_check *check, const hmd_animation *animation)
{
    const hmd_arg *late = &animation->control;
    const hmd_arg *early = &animation->table;
    if (late->off > early->off) {
        early = late;
        late = &animation->parameters;
    }
    if (late->off <= early->off) {
        hmd_tell(check, HMD0206, late == &animation->control ? "control section" : "parameters",
                 late->at, fh_dec_after("word ", late->off, ""),
                 fh_dec_after("behind word ", early->off, ""));
    }
}

/* ---- table ------------------------------------------------------------------------------------
 */

static void judge_count(const hmd_motion *motion)
{
    const hmd_check *check = motion->check;
    const uint32_t at = motion->animation.table.off;
    const uint32_t word = hmd_word(check->model, at);
    const uint32_t num = word & ~HMD_MSB;
    if (num == 0 || num > HMD_MOST_TYPES) {
        hmd_tell(check, HMD0210, "number of types", at, fh_dec(num, ""), fh_words("1 to 128"));
    } else if (num > motion->animation.num_types) {
        hmd_tell(check, HMD0210, "number of types", at, fh_dec(num, ""),
                 fh_dec_after("at most ", motion->animation.num_types, ", where the data end"));
    }
    if ((word & HMD_MSB) == 0 && !hmd_is_memory(check->model)) {
        hmd_tell(check, HMD0211, "number of types", at, fh_hex(word), fh_hex(word | HMD_MSB));
    }
}

static void judge_types(const hmd_motion *motion)
{
    const hmd_check *check = motion->check;
    for (uint32_t i = 0; motion->knows_types && i < motion->animation.num_types; i++) {
        const uint32_t at = motion->animation.table.off + 1 + i;
        const uint32_t word = hmd_word(check->model, at);
        if (motion->is_known[i]) {
            continue;
        }
        if (word >> TYPE_CATEGORY_SHIFT != HMD_ANIMATION) {
            hmd_tell(check, HMD0213, "interpolation type", at, fh_hex(word),
                     fh_words("0x03 in the upper byte"));
        } else {
            hmd_tell(check, HMD0212, "interpolation type", at, fh_hex(word),
                     fh_words("one of the library's 219"));
        }
    }
}

/* ---- all --------------------------------------------------------------------------------------
 */

static void judge_sections(hmd_motion *motion)
{
    judge_order(motion->check, &motion->animation);
    judge_count(motion);
    judge_types(motion);
    hmd_check_descriptors(motion);
    hmd_motion_play(motion, hmd_check_start);
    hmd_check_updates(motion);
    hmd_check_parameters(motion);
}

static void judge(hmd_check *check, void *user)
{
    hmd_motion motion;
    (void)user;
    if (check->record->category != HMD_ANIMATION) {
        return;
    }
    const uint32_t header = hmd_header_of(check->model, check->record);
    const size_t mark = fh_arena_mark(check->arena);
    judge_record(check);
    judge_header(check, header);
    const bool has_all = has_sections(check, header);
    if (hmd_motion_sequences(&motion, check)) {
        hmd_check_sequences(&motion);
        if (has_all && hmd_motion_open(&motion)) {
            judge_sections(&motion);
        }
    }
    fh_arena_reset(check->arena, mark);
}

void hmd_check_animation(hmd_check *check)
{
    hmd_for_each_record(check, judge, NULL);
}
