#include "tod/tod_walk.h"

#include "core/never.h"

#include <assert.h>

/* Evidence: the file id; the version; the words of a frame, which its packets have to fill; the
 * length of a packet whose type and flag say what it must be. Each is one value out of all that the
 * field can hold. */
enum { BITS_ID = 8, BITS_VERSION = 8, BITS_FRAME = 16, BITS_LENGTH = 8 };

static tod_step fault(tod_walk *walk, enum tod_rule rule, fh_status status, const char *field,
                      size_t off, fh_value found, fh_value expected)
{
    walk->fault.rule = rule;
    walk->fault.status = status;
    walk->fault.field = field;
    walk->fault.off = off;
    walk->fault.found = found;
    walk->fault.expected = expected;
    return TOD_STEP_FAULT;
}

/* The bytes from `off` on are wanted and not there: more of them may come, or it is a fault. */
static tod_step missing(tod_walk *walk, size_t off, size_t len, enum tod_rule rule,
                        const char *field, fh_value found, fh_value expected)
{
    if (walk->at_end) {
        return fault(walk, rule, FH_TRUNCATED, field, off, found, expected);
    }
    walk->more = off + len;
    return TOD_STEP_MORE;
}

/* Frames that bytes have room for. */
static int64_t most_frames_of(size_t room)
{
    return (int64_t)((room - TOD_HEADER_LEN) / (TOD_FRAME_HEADER_WORDS * TOD_WORD_LEN));
}

static tod_step begin_count(tod_walk *walk)
{
    const int64_t most = most_frames_of(walk->at_end ? walk->cur.size : FH_MAX_ASSET_LEN);
    if (walk->announced == 0) {
        return fault(walk, TOD0006, FH_CORRUPT, "number of frames", 4, fh_dec(0, ""),
                     fh_words("at least 1"));
    }
    if (walk->announced > most) {
        return fault(walk, TOD0007, walk->at_end ? FH_TRUNCATED : FH_CORRUPT, "number of frames", 4,
                     fh_dec(walk->announced, ""), fh_dec_after("at most ", most, ""));
    }
    return TOD_STEP_OK;
}

tod_step tod_walk_begin(tod_walk *walk, fh_cursor bytes, bool at_end, fh_budget *budget)
{
    assert(bytes.pos == 0);
    *walk = (tod_walk){.cur = bytes, .at_end = at_end, .budget = budget};
    const size_t left = fh_cursor_left(&bytes);
    if (left < TOD_HEADER_LEN) {
        return missing(walk, 0, TOD_HEADER_LEN, TOD0001, "bytes left", fh_dec((int64_t)left, ""),
                       fh_dec((int64_t)TOD_HEADER_LEN, ""));
    }
    const uint8_t id = fh_cursor_u8(&walk->cur);
    walk->version = fh_cursor_u8(&walk->cur);
    walk->resolution = fh_cursor_u16(&walk->cur);
    walk->announced = fh_cursor_u32(&walk->cur);
    if (id != 0x50) {
        return fault(walk, TOD0002, FH_NOT_THIS_FORMAT, "file id", 0, fh_hex(id), fh_hex(0x50));
    }
    walk->evidence = BITS_ID;
    return begin_count(walk);
}

tod_step tod_walk_version(tod_walk *walk)
{
    if (walk->version != 0) {
        return fault(walk, TOD0003, FH_NOT_THIS_FORMAT, "version", 1, fh_dec(walk->version, ""),
                     fh_dec(0, ""));
    }
    walk->evidence += BITS_VERSION;
    return TOD_STEP_OK;
}

static tod_step packet_fault(tod_walk *walk, enum tod_rule rule, const char *field,
                             const tod_packet *packet, unsigned index, fh_value found,
                             fh_value expected)
{
    walk->fault.in_packet = true;
    walk->fault.packet = *packet;
    walk->fault.packet_index = index;
    return fault(walk, rule, FH_CORRUPT, field, packet->off, found, expected);
}

static tod_step odd_length(tod_walk *walk, const tod_packet *packet, unsigned index)
{
    return packet_fault(walk, TOD0041, "packet length", packet, index,
                        fh_count(packet->len_words, "word"),
                        fh_dec(tod_implied_words(packet), " by type and flag"));
}

/* Judges one packet whose header word lies inside the frame. words_left counts that word. */
static tod_step walk_packet(tod_walk *walk, const tod_packet *packet, unsigned index,
                            unsigned words_left)
{
    if (packet->len_words == 0) {
        return packet_fault(walk, TOD0040, "packet length", packet, index, fh_dec(0, ""),
                            fh_words("at least 1 word, the header"));
    }
    if (packet->len_words > words_left) {
        return packet_fault(walk, TOD0024, "words past the frame", packet, index,
                            fh_dec((int64_t)packet->len_words - words_left, ""), fh_dec(0, ""));
    }
    if (!tod_has_implied_length(packet) && !walk->lenient) {
        return odd_length(walk, packet, index);
    }
    walk->odd_lengths += tod_has_implied_length(packet) ? 0 : 1;
    if (tod_has_implied_length(packet) && tod_implied_words(packet) != 0) {
        walk->evidence += BITS_LENGTH;
    }
    walk->setting += tod_sets(packet) ? 1 : 0;
    return TOD_STEP_OK;
}

static tod_step no_word_for_packet(tod_walk *walk, unsigned index, size_t off)
{
    walk->fault.packet_index = index;
    return fault(walk, TOD0024, FH_CORRUPT, "end of packets", off,
                 fh_dec_after("at packet ", index, ", where the frame is already full"),
                 fh_words("the end of the frame behind the last packet"));
}

/* Walks the packets of the frame at walk->fault.frame; body covers the frame without its header. */
static tod_step walk_packets(tod_walk *walk, fh_cursor body)
{
    const tod_frame *frame = &walk->fault.frame;
    for (unsigned i = 0; i < frame->num_packets; i++) {
        const size_t off = (size_t)fh_cursor_tell(&body);
        const unsigned words_left = (unsigned)(fh_cursor_left(&body) / TOD_WORD_LEN);
        if (!fh_pay(walk->budget, 1)) {
            return fault(walk, TOD0131, FH_LIMIT, "work budget", off, fh_words("spent"),
                         fh_nothing());
        }
        if (words_left == 0) {
            return no_word_for_packet(walk, i, off);
        }
        const tod_packet packet = tod_split(fh_cursor_u32(&body), (uint32_t)off);
        const tod_step step = walk_packet(walk, &packet, i, words_left);
        if (step != TOD_STEP_OK) {
            return step;
        }
        (void)fh_cursor_skip(&body, (packet.len_words - 1u) * TOD_WORD_LEN);
    }
    const int64_t slack = (int64_t)(fh_cursor_left(&body) / TOD_WORD_LEN);
    if (slack > 0) {
        return fault(walk, TOD0025, FH_CORRUPT, "words behind the last packet",
                     (size_t)fh_cursor_tell(&body), fh_dec(slack, ""), fh_dec(0, ""));
    }
    return TOD_STEP_OK;
}

static tod_step check_frame_size(tod_walk *walk, size_t off, size_t left)
{
    const tod_frame *frame = &walk->fault.frame;
    const unsigned least = TOD_FRAME_HEADER_WORDS + frame->num_packets;
    const size_t len = frame->size_words * TOD_WORD_LEN;
    if (frame->size_words < TOD_FRAME_HEADER_WORDS) {
        return fault(walk, TOD0021, FH_CORRUPT, "frame size", off,
                     fh_count(frame->size_words, "word"), fh_words("at least 2 words, the header"));
    }
    if (frame->size_words < least) {
        return fault(walk, TOD0023, FH_CORRUPT, "frame size", off,
                     fh_count(frame->size_words, "word"),
                     fh_dec_after("at least ", least, " words for its packets"));
    }
    if (left < len) {
        return missing(walk, off, len, TOD0022, "frame size", fh_count(frame->size_words, "word"),
                       fh_dec_after("at most ", (int64_t)(left / TOD_WORD_LEN), " words left"));
    }
    return TOD_STEP_OK;
}

/* Nothing, or less than a frame header, is left although frames are still announced. */
static tod_step no_header(tod_walk *walk, size_t off, size_t left)
{
    if (left == 0) {
        return missing(walk, off, TOD_FRAME_HEADER_WORDS * TOD_WORD_LEN, TOD0008, "frames",
                       fh_dec(walk->frames, ""), fh_dec(walk->announced, " as announced"));
    }
    return missing(walk, off, TOD_FRAME_HEADER_WORDS * TOD_WORD_LEN, TOD0020, "frame header",
                   fh_count((int64_t)left, "byte"), fh_words("8 bytes"));
}

tod_step tod_walk_frame(tod_walk *walk)
{
    fh_cursor cur = walk->cur;
    const size_t off = cur.pos;
    const size_t left = fh_cursor_left(&cur);
    walk->fault = (tod_fault){.frame = {.off = (uint32_t)off, .first_packet = walk->packets}};
    if (!fh_pay(walk->budget, 2)) {
        return fault(walk, TOD0131, FH_LIMIT, "work budget", off, fh_words("spent"), fh_nothing());
    }
    if (left < TOD_FRAME_HEADER_WORDS * TOD_WORD_LEN) {
        return no_header(walk, off, left);
    }
    tod_frame *frame = &walk->fault.frame;
    walk->fault.in_frame = true;
    frame->size_words = fh_cursor_u16(&cur);
    frame->num_packets = fh_cursor_u16(&cur);
    frame->number = fh_cursor_u32(&cur);
    tod_step step = check_frame_size(walk, off, left);
    if (step != TOD_STEP_OK) {
        return step;
    }
    const size_t body_len = (frame->size_words - TOD_FRAME_HEADER_WORDS) * TOD_WORD_LEN;
    fh_cursor body = fh_cursor_sub(&walk->cur, cur.pos, body_len);
    body.origin = cur.pos; /* offsets in faults count from the start of the candidate */
    step = walk_packets(walk, body);
    if (step != TOD_STEP_OK) {
        return step;
    }
    (void)fh_cursor_skip(&cur, body_len);
    walk->cur = cur;
    walk->frames++;
    walk->packets += frame->num_packets;
    walk->evidence += BITS_FRAME;
    return TOD_STEP_OK;
}

void tod_walk_on(tod_walk *walk, uint32_t most_frames)
{
    const tod_fault fault = walk->fault;
    const uint32_t most = most_frames < walk->announced ? most_frames : walk->announced;
    while (walk->frames < most && tod_walk_frame(walk) == TOD_STEP_OK) {
        /* tod_walk_frame counts */
    }
    if (walk->frames == most || walk->fault.status != FH_LIMIT) {
        walk->fault = fault;
    }
}

/* Walks over fewer frames and packets are not worth a note: repeating them costs next to nothing.
 */
enum { WORTH_A_NOTE = 64 };

/* Says `note` of every frame of a walk, with the number of sound frames that follow it; `beyond` of
 * them were known from an earlier walk. Only headers are read. */
static void note_frames(const tod_walk *walk, fh_memo *memo, uint32_t beyond,
                        void (*note)(fh_memo *memo, uint64_t offset, uint32_t steps))
{
    fh_cursor cur = walk->cur;
    (void)fh_cursor_seek(&cur, TOD_HEADER_LEN);
    for (uint32_t left = walk->frames; left > 0; left--) {
        const size_t at = cur.pos;
        note(memo, cur.origin + at, left + beyond);
        const uint16_t size_words = fh_cursor_u16(&cur);
        (void)fh_cursor_seek(&cur, at + size_words * TOD_WORD_LEN);
    }
}

static void note_break(const tod_walk *walk, fh_memo *memo, uint32_t beyond)
{
    if (memo != NULL && walk->frames + walk->packets >= WORTH_A_NOTE &&
        walk->fault.status != FH_LIMIT) {
        note_frames(walk, memo, beyond, fh_memo_note);
    }
}

/* Notes a chain that has no end within the longest asset. */
static void note_endless(const tod_walk *walk, fh_memo *memo)
{
    /* A walk that the memo ends does not come here. */
    if (memo != NULL && walk->more > FH_MAX_ASSET_LEN && ALWAYS(!walk->by_memo)) {
        const uint64_t start = walk->cur.origin;
        fh_memo_begin_endless(memo, start, start + walk->cur.pos, FH_MAX_ASSET_LEN / 2);
        note_frames(walk, memo, 0, fh_memo_note_endless);
    }
}

/* A sound frame with packets that set something does not come about by chance; chains of frames
 * without packets do, by the hundred, wherever bytes are mostly 0. */
enum { FRAMES_OF_A_NEAR_MISS = 1, PACKETS_OF_A_NEAR_MISS = 2 };

/* Frames that are looked at behind a header that cannot be true, to see whether it is a near miss.
 * A few: such headers may stand anywhere in hostile bytes, and the look is not shared. */
enum { FRAMES_BEHIND_A_BAD_HEADER = 8 };

static void reject(fh_probe *out, const tod_walk *walk, enum tod_rule rule, fh_status status,
                   size_t off)
{
    out->verdict = FH_REJECT;
    out->rule = &tod_rules[rule];
    out->status = status;
    out->reject_off = off;
    out->frames = walk->frames;
    out->evidence_bits = walk->evidence;
    /* What the memo knows was told when the earlier candidate broke off at the same place. */
    out->near_miss = !walk->by_memo && walk->frames >= FRAMES_OF_A_NEAR_MISS &&
                     walk->setting >= PACKETS_OF_A_NEAR_MISS;
}

/* What the memo knows of the frames from here on: that they break off too early for this walk
 * (TOD_STEP_FAULT), that they go on for too long (TOD_STEP_MORE), or nothing. */
static tod_step ask_memo(tod_walk *walk, fh_memo *memo)
{
    const uint64_t at = walk->cur.origin + walk->cur.pos;
    const uint32_t wanted = walk->announced - walk->frames;
    uint32_t steps = 0;
    if (memo == NULL) {
        return TOD_STEP_OK;
    }
    if (fh_memo_find(memo, at, &steps) && wanted > steps) {
        walk->by_memo = true;
        note_break(walk, memo, steps);
        return fault(walk, TOD0008, FH_CORRUPT, "frames", walk->cur.pos, fh_nothing(),
                     fh_nothing());
    }
    if (fh_memo_find_endless(memo, at, &steps) && wanted > steps &&
        memo->endless_to - walk->cur.origin >= FH_MAX_ASSET_LEN / 2) {
        walk->by_memo = true;
        walk->more = FH_MAX_ASSET_LEN + 1;
        return TOD_STEP_MORE;
    }
    return TOD_STEP_OK;
}

/* Walks all announced frames. What stops it is noted in the memo, which may know it beforehand. */
static tod_step walk_all(tod_walk *walk, fh_memo *memo)
{
    while (walk->frames < walk->announced) {
        tod_step step = ask_memo(walk, memo);
        if (step != TOD_STEP_OK) {
            return step;
        }
        step = tod_walk_frame(walk);
        if (step == TOD_STEP_FAULT) {
            note_break(walk, memo, 0);
        } else if (step == TOD_STEP_MORE) {
            note_endless(walk, memo);
        }
        if (step != TOD_STEP_OK) {
            return step;
        }
    }
    return TOD_STEP_OK;
}

/* TOD0006 and TOD0007: of noise one place in four thousand has a number that can be. */
static bool has_count(fh_cursor *header)
{
    (void)fh_cursor_u32(header);
    const uint32_t announced = fh_cursor_u32(header);
    return announced > 0 && announced <= most_frames_of(FH_MAX_ASSET_LEN);
}

/* TOD0021, TOD0023 and TOD0025, of the first frame. The last one needs all of it, as the probe
 * does: what waits for more bytes is not to be told from what does not by the way it is looked at.
 */
static bool has_size(fh_cursor *header, size_t len)
{
    const unsigned size_words = fh_cursor_u16(header);
    const unsigned num_packets = fh_cursor_u16(header);
    const unsigned least = TOD_FRAME_HEADER_WORDS + num_packets;
    const bool is_there = len - TOD_HEADER_LEN >= size_words * TOD_WORD_LEN;
    return num_packets == 0 && is_there ? size_words == least : size_words >= least;
}

bool tod_glance(const fh_cursor *bytes)
{
    fh_cursor header =
        fh_cursor_sub(bytes, 0, TOD_HEADER_LEN + TOD_FRAME_HEADER_WORDS * TOD_WORD_LEN);
    return header.failed || (has_count(&header) && has_size(&header, bytes->size));
}

void tod_probe(fh_probe *out, fh_cursor bytes, fh_end end, fh_memo *memo, fh_arena *arena,
               fh_budget *budget)
{
    (void)arena; /* a walk needs no table */
    const bool at_end = end != FH_END_NONE;
    tod_walk walk;
    *out = (fh_probe){.verdict = FH_REJECT};
    tod_step step = tod_walk_begin(&walk, bytes, at_end, budget);
    if (step == TOD_STEP_OK) {
        step = tod_walk_version(&walk);
    }
    if (step == TOD_STEP_OK) {
        step = walk_all(&walk, memo);
    } else if (step == TOD_STEP_FAULT && at_end && walk.fault.rule >= TOD0003) {
        tod_walk_on(&walk, FRAMES_BEHIND_A_BAD_HEADER);
        out->has_more_frames = walk.frames == FRAMES_BEHIND_A_BAD_HEADER;
    }
    if (step == TOD_STEP_MORE) {
        *out = (fh_probe){.verdict = FH_MORE,
                          .length = walk.more,
                          .frames = walk.frames,
                          .evidence_bits = walk.evidence};
    } else if (step == TOD_STEP_FAULT) {
        reject(out, &walk, walk.fault.rule, walk.fault.status, walk.fault.off);
    } else if (walk.packets == 0) {
        reject(out, &walk, TOD0012, FH_CORRUPT, 0);
    } else {
        *out = (fh_probe){.verdict = FH_ACCEPT,
                          .length = walk.cur.pos,
                          .frames = walk.frames,
                          .evidence_bits = walk.evidence};
    }
}
