#include "tod/tod_checks.h"

/* A gap this long would hold a pose for more than 18 minutes at 60 frames a second. */
enum { LONGEST_GAP = 65535 };

typedef struct gaps {
    uint32_t num;
    const tod_frame *first; /* the frame behind the first gap */
    uint32_t first_len;
} gaps;

enum { NUMBER_OFF = 4 }; /* of the frame number in a frame header */

static void check_number(tod_check *check, const tod_frame *prev, gaps *seen)
{
    const tod_frame *frame = check->frame;
    const int64_t step = (int64_t)frame->number - prev->number;
    if (step <= 0) {
        tod_tell(check, TOD0026, "frame number", frame->off + NUMBER_OFF, fh_dec(frame->number, ""),
                 fh_dec_after("above ", prev->number, ", its predecessor's"));
        return;
    }
    if (step - 1 > LONGEST_GAP) {
        tod_tell(check, TOD0029, "frame number", frame->off + NUMBER_OFF, fh_dec(frame->number, ""),
                 fh_dec_after("at most 65535 numbers skipped behind ", prev->number, ""));
    }
    if (step > 1 && seen->num++ == 0) {
        seen->first = frame;
        seen->first_len = (uint32_t)(step - 1);
    }
}

static void tell_gaps(tod_check *check, const gaps *seen)
{
    if (seen->num == 0) {
        return;
    }
    char buf[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_value_write(fh_text_str(&text, "behind a gap of "), fh_count(seen->first_len, "number"));
    fh_value_write(fh_text_str(&text, ", the first of "), fh_count(seen->num, "gap"));
    check->frame = seen->first;
    tod_tell(check, TOD0028, "frame number", seen->first->off + NUMBER_OFF, fh_words(buf),
             fh_dec(seen->first->number - (int64_t)seen->first_len, ""));
}

void tod_check_frames(tod_check *check)
{
    const tod_model *model = check->model;
    gaps seen = {0, NULL, 0};
    uint32_t num_empty = 0;
    const tod_frame *first_empty = NULL;
    for (uint32_t i = 0; i < model->num_frames; i++) {
        check->frame = model->frames + i;
        if (check->frame->num_packets == 0 && num_empty++ == 0) {
            first_empty = check->frame;
        }
        if (i > 0) {
            check_number(check, check->frame - 1, &seen);
        }
    }
    tell_gaps(check, &seen);
    check->frame = model->frames;
    if (check->frame->number != 0) {
        tod_tell(check, TOD0027, "frame number", check->frame->off + NUMBER_OFF,
                 fh_dec(check->frame->number, ""), fh_dec(0, ""));
    }
    if (num_empty > 0) {
        check->frame = first_empty;
        tod_tell(check, TOD0030, "number of packets", first_empty->off + 2,
                 fh_dec_after("0, as in ", num_empty - 1, " frames behind this one"), fh_nothing());
    }
    check->frame = NULL;
}
