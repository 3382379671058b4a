#include "source/box.h"

#include <string.h>

static fh_tally *add(fh_tallies *faults, fh_image_rule rule, int64_t off, const char *field)
{
    return faults == NULL ? NULL : fh_tally_add(faults, rule, off < 0 ? 0 : off, field);
}

void fh_fault(fh_tallies *faults, fh_image_rule rule, int64_t off, const char *field,
              const char *found, const char *expected)
{
    fh_tally *tally = add(faults, rule, off, field);
    if (tally != NULL) {
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(&text, found);
        text = fh_text_make(tally->expected, sizeof tally->expected);
        fh_text_str(&text, expected);
    }
}

void fh_fault_sizes(fh_tallies *faults, fh_image_rule rule, int64_t off, const char *field,
                    int64_t found, int64_t expected)
{
    fh_tally *tally = add(faults, rule, off, field);
    if (tally != NULL) {
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(fh_text_s64(&text, found), " bytes");
        text = fh_text_make(tally->expected, sizeof tally->expected);
        fh_text_str(fh_text_s64(&text, expected), " bytes");
    }
}

static fh_tape_status read_whole(fh_box *box, uint8_t *to, int64_t off, size_t len)
{
    fh_tape *tape = &box->from->tape;
    const fh_stop stop = {box->from->stop, box->from->stop_user};
    if (tape->seek == NULL || !tape->seek(tape, off)) {
        return tape->error != 0 ? FH_TAPE_ERROR : FH_TAPE_END;
    }
    for (size_t done = 0; done < len;) {
        size_t got = 0;
        if (fh_stop_now(&stop)) {
            return FH_TAPE_STOPPED;
        }
        const fh_tape_status status = tape->read(tape, &got, to + done, len - done);
        if (status != FH_TAPE_OK && status != FH_TAPE_AGAIN) {
            return status;
        }
        done += status == FH_TAPE_OK ? got : 0;
    }
    return FH_TAPE_OK;
}

/* Where the system cannot read one place of a file it may well read the next one. The error stays
 * with the tape all the same, for whoever asks whether all of it was read. */
fh_tape_status fh_box_read_at(fh_box *box, uint8_t *to, int64_t off, size_t len)
{
    fh_tape *tape = &box->from->tape;
    const int before = tape->error;
    tape->error = 0;
    const fh_tape_status status = read_whole(box, to, off, len);
    tape->error = tape->error == 0 ? before : tape->error;
    return status;
}

fh_feed fh_feed_make(fh_reader *reader)
{
    return (fh_feed){.reader = reader};
}

bool fh_feed_more(fh_feed *feed)
{
    if (feed->left == 0 && feed->status == FH_READER_OK) {
        feed->status = fh_reader_next(feed->reader, &feed->bytes, &feed->left);
    }
    return feed->left > 0;
}

static void step(fh_feed *feed, size_t len)
{
    feed->bytes += len;
    feed->left -= len;
    feed->off += (int64_t)len;
}

bool fh_feed_get(fh_feed *feed, uint8_t *to, size_t len)
{
    while (len > 0 && fh_feed_more(feed)) {
        const size_t num = feed->left < len ? feed->left : len;
        memcpy(to, feed->bytes, num);
        to += num;
        len -= num;
        step(feed, num);
    }
    return len == 0;
}

bool fh_feed_skip(fh_feed *feed, int64_t len)
{
    while (len > 0 && fh_feed_more(feed)) {
        const size_t num = (int64_t)feed->left < len ? feed->left : (size_t)len;
        len -= (int64_t)num;
        step(feed, num);
    }
    return len == 0;
}

static const char *reason(const fh_feed *feed)
{
    return feed->status == FH_READER_ERROR ? feed->reader->error_text : "cut off";
}

fh_tape_status fh_feed_ended(const fh_feed *feed, fh_tape *tape, const char *field)
{
    if (feed->status == FH_READER_STOPPED) {
        return FH_TAPE_STOPPED;
    }
    fh_fault(tape->faults, FH_IMG0041, feed->off, field, reason(feed), "more bytes");
    return fh_tape_break(tape, reason(feed));
}

fh_box_status fh_feed_broke(const fh_feed *feed, fh_tallies *faults, const char *field)
{
    if (feed->status == FH_READER_STOPPED) {
        return FH_BOX_STOPPED;
    }
    fh_fault(faults, FH_IMG0041, feed->off, field, reason(feed), "more bytes");
    return FH_BOX_BROKEN;
}
