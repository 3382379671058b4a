#include "hmd/hmd_motion.h"

enum { FIRST_UPDATED = 4, MOST_SID = 127, SIXTEENTHS = 16 };

/* Words of a sequence pointer. */
enum { AT_UPDATE = 0, AT_SIZE, AT_II, AT_SID, AT_RFRAME, AT_CI, AT_START };

/* ---- the record -------------------------------------------------------------------------------
 */

static bool is_last_of_primitive(const hmd_check *check)
{
    const hmd_primitive *primitive = check->primitive;
    const uint32_t index = (uint32_t)(check->record - check->model->records);
    return index + 1 == primitive->first_record + primitive->num_records;
}

static void judge_size_of_record(const hmd_motion *motion)
{
    const hmd_check *check = motion->check;
    uint64_t size = 1;
    for (uint32_t i = 0; i < motion->num_sequences; i++) {
        size += motion->sequences[i].sequence.size;
    }
    if (size != check->record->size) {
        hmd_tell(check, is_last_of_primitive(check) ? HMD0237 : HMD0238, "size",
                 check->record->off + 1, fh_count(check->record->size, "word"),
                 fh_count((int64_t)size, "word"));
    }
}

/* The last sequence that can be read may still manage others that cannot. */
static void judge_extent(const hmd_motion *motion)
{
    const hmd_check *check = motion->check;
    const uint32_t num = motion->num_sequences;
    const bool is_last_again = num > 0 && motion->sequences[num - 1].sequence.size == 0;
    if (num < check->record->count && !is_last_again) {
        hmd_tell(check, HMD0220, "number of sequences", check->record->off + 1,
                 fh_dec(check->record->count, ""),
                 fh_dec_after("at most ", num, ", where the data end"));
        return;
    }
    if (num > 0) {
        const hmd_sequence *last = &motion->sequences[num - 1].sequence;
        const uint32_t starts = hmd_sequence_num_starts(last);
        const uint64_t end = (uint64_t)last->off + HMD_SEQUENCE_WORDS - 1 + starts;
        if (end > check->model->num_words) {
            hmd_tell(check, HMD0220, "end of the managed sequences", last->off + AT_SIZE,
                     fh_dec_after("word ", (int64_t)end, ""),
                     fh_dec_after("at most word ", check->model->num_words, ""));
        }
    }
}

/* ---- fields -----------------------------------------------------------------------------------
 */

static void judge_num(const hmd_check *check, const hmd_sequence *sequence)
{
    if (sequence->num == 0) {
        hmd_tell(check, HMD0222, "num", sequence->off + AT_SIZE, fh_dec(0, ""),
                 fh_words("at least 1"));
    } else if (sequence->size != HMD_SEQUENCE_WORDS - 1 + sequence->num) {
        hmd_tell(check, HMD0221, "size", sequence->off + AT_SIZE, fh_count(sequence->size, "word"),
                 fh_count(HMD_SEQUENCE_WORDS - 1 + sequence->num, "word"));
    }
}

static void judge_section(const hmd_check *check, const hmd_sequence *sequence)
{
    const uint32_t header = hmd_header_of(check->model, check->record);
    const hmd_arg arg = hmd_arg_of(check->model, header, sequence->section);
    if (header == HMD_NONE) {
        return;
    }
    if (sequence->section == 0 || !arg.is_pointer) {
        hmd_tell(check, HMD0223, "update section", sequence->off + AT_UPDATE,
                 fh_dec(sequence->section, ""),
                 fh_dec_after("a pointer among words 1 to ",
                              (int64_t)check->model->headers[header].num_words - 1, ""));
    } else if (sequence->section < FIRST_UPDATED) {
        hmd_tell(check, HMD0224, "update section", sequence->off + AT_UPDATE,
                 fh_dec(sequence->section, ""), fh_words("4 or more"));
    }
}

/* What the run time writes; in memory anything may stand here. */
static void judge_run_time(const hmd_check *check, const hmd_sequence *sequence)
{
    const struct {
        const char *name;
        uint32_t word;
        uint32_t value;
    } fields[] = {
        {"ii", AT_II, sequence->ii},
        {"aframe", AT_II, sequence->aframe},
        {"sid", AT_SID, sequence->sid},
        {"tframe", AT_RFRAME, sequence->tframe},
        {"ci", AT_CI, sequence->ci},
        {"ti", AT_CI, sequence->ti},
        {"traveling", AT_START, sequence->traveling},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (fields[i].value != 0) {
            hmd_tell(check, HMD0231, fields[i].name, sequence->off + fields[i].word,
                     fh_dec(fields[i].value, ""), fh_dec(0, ""));
        }
    }
    if (sequence->rframe != 0) {
        hmd_tell(check, HMD0232, "rframe", sequence->off + AT_RFRAME,
                 fh_dec(sequence->rframe, " sixteenths"), fh_dec(0, ""));
    }
    if (sequence->speed == 0) {
        hmd_tell(check, HMD0234, "speed", sequence->off + AT_SID, fh_dec(0, ""),
                 fh_dec(SIXTEENTHS, ""));
    }
}

static void judge_sids(hmd_check *check, const hmd_sequence *sequence)
{
    const uint32_t num = hmd_sequence_num_starts(sequence);
    hmd_start start;
    for (uint32_t i = 0; i < num && hmd_spend(check, 1); i++) {
        if (!hmd_sequence_start(check, sequence, i, &start)) {
            return;
        }
        if (start.sid > MOST_SID) {
            hmd_tell(check, HMD0236, i == 0 ? "start sid" : "managed sid", start.at,
                     fh_dec(start.sid, ""), fh_words("0 to 127"));
        }
        if (start.pad != 0) {
            hmd_tell(check, HMD0236, "pad of a managed sid", start.at, fh_dec(start.pad, ""),
                     fh_dec(0, ""));
        }
    }
}

void hmd_check_sequences(hmd_motion *motion)
{
    hmd_check *check = motion->check;
    judge_extent(motion);
    judge_size_of_record(motion);
    for (uint32_t i = 0; i < motion->num_sequences && hmd_spend(check, 16); i++) {
        const hmd_sequence *sequence = &motion->sequences[i].sequence;
        check->sequence = i;
        judge_num(check, sequence);
        judge_section(check, sequence);
        judge_sids(check, sequence);
        if (!hmd_is_memory(check->model)) {
            judge_run_time(check, sequence);
        }
    }
    check->sequence = HMD_NONE;
}

/* ---- starts -----------------------------------------------------------------------------------
 */

static void judge_index(hmd_motion *motion, const hmd_start *start)
{
    const hmd_animation *animation = &motion->animation;
    if (start->index >= animation->num_descriptors) {
        hmd_tell(motion->check, HMD0229, "start index", start->at, fh_dec(start->index, ""),
                 fh_dec_after("below ", animation->num_descriptors, ""));
    } else if (hmd_animation_descriptor(motion->check, animation, start->index).kind == HMD_JUMP) {
        const uint32_t at = hmd_motion_at(motion, start->index);
        hmd_tell(motion->check, HMD0230, "descriptor", at, fh_words("a jump"),
                 fh_words("a key or a WORK"));
        motion->check->descriptor = HMD_NONE;
    }
}

static void judge_first_key(hmd_motion *motion, uint16_t index)
{
    if (index == HMD_NO_KEY_INDEX || (motion->animation.reached[index] & HMD_REACHED_FIRST) != 0) {
        return;
    }
    motion->animation.reached[index] |= HMD_REACHED_FIRST;
    const uint8_t tframe =
        hmd_animation_descriptor(motion->check, &motion->animation, index).tframe;
    if (tframe != 0) {
        hmd_tell(motion->check, HMD0251, "TFRAME", hmd_motion_at(motion, index),
                 fh_count(tframe, "frame"), fh_dec(0, ""));
        motion->check->descriptor = HMD_NONE;
    }
}

/* The driver takes these for marks that a segment was played to its end, and puts 0 there. */
static bool is_end_mark(int16_t rframe)
{
    return rframe == 0x7000 || rframe == 0x6000;
}

/* If the first segment takes no time, rframe is dropped with it. */
static void judge_rframe(hmd_motion *motion, const hmd_sequence *sequence, uint16_t index)
{
    if (index == HMD_NO_KEY_INDEX || hmd_is_memory(motion->check->model) ||
        is_end_mark(sequence->rframe)) {
        return;
    }
    const hmd_descriptor key = hmd_animation_descriptor(motion->check, &motion->animation, index);
    const int64_t limit = (int64_t)key.tframe * SIXTEENTHS;
    if (limit != 0 && sequence->rframe > limit) {
        hmd_tell(motion->check, HMD0233, "rframe", sequence->off + AT_RFRAME,
                 fh_dec(sequence->rframe, " sixteenths"),
                 fh_dec_after("at most ", limit, " sixteenths"));
    }
}

/* The first key has no function called, so that its TFRAME does not matter for the history. */
static void judge_quick_keys(hmd_motion *motion, const hmd_start *start, const hmd_opening *opening)
{
    const int64_t num = opening->num_quick + 1;
    if (opening->has_spline && opening->has_timed && num < 3) {
        hmd_tell(motion->check, HMD0264, "start index", start->at, fh_count(num, "key"),
                 fh_words("3 keys before the first timed one"));
    }
}

void hmd_check_start(hmd_motion *motion, uint32_t sequence, const hmd_start *start,
                     const hmd_opening *opening)
{
    const hmd_sequence *of = &motion->sequences[sequence].sequence;
    judge_index(motion, start);
    if (of->speed >= 0) {
        judge_first_key(motion, opening->first);
        if (start->at == of->off + HMD_SEQUENCE_WORDS - 1) { /* choosing another one sets it to 0 */
            judge_rframe(motion, of, opening->second);
        }
        judge_quick_keys(motion, start, opening);
    }
}
