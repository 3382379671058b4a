#include "tod/tod_repair.h"

#include "core/never.h"
#include "tod/tod.h"
#include "tod/tod_walk.h"

#include <assert.h>

const fh_mend tod_mends[TOD_NUM_MENDS] = {
    {&tod_rules[TOD0002], true},  {&tod_rules[TOD0003], false}, {&tod_rules[TOD0006], true},
    {&tod_rules[TOD0007], true},  {&tod_rules[TOD0008], true},  {&tod_rules[TOD0009], true},
    {&tod_rules[TOD0021], true},  {&tod_rules[TOD0022], true},  {&tod_rules[TOD0023], true},
    {&tod_rules[TOD0024], true},  {&tod_rules[TOD0025], true},  {&tod_rules[TOD0026], true},
    {&tod_rules[TOD0040], true},  {&tod_rules[TOD0041], true},  {&tod_rules[TOD0047], false},
    {&tod_rules[TOD0048], false}, {&tod_rules[TOD0071], true},  {&tod_rules[TOD0081], false},
    {&tod_rules[TOD0090], false}, {&tod_rules[TOD0101], true},  {&tod_rules[TOD0112], false},
};

#define HIGH_HALF 0xffff0000u

/* Bits that no packet uses. A flag stands in bits 20 to 23 of the header word. */
static const fh_bit_mend bits[] = {
    /* The length of these packets is that of their type, which makes the type sure; it has no flag.
     */
    {&tod_rules[TOD0047], NULL, 0x00f00000u, 0, false},
    {&tod_rules[TOD0048], NULL, 0x00800000u, 0, false},
    /* Reserved, initialised with 0; nothing else can be meant by them. */
    {&tod_rules[TOD0071], NULL, 0x0ffffe00u, 0, false},
    /* Halves and a byte behind the last value of a part. */
    {&tod_rules[TOD0081], NULL, HIGH_HALF, 0, false},
    {&tod_rules[TOD0101], NULL, HIGH_HALF, 0, false},
    {&tod_rules[TOD0112], NULL, 0xff000000u, 0, false},
    /* Players take the lower half alone. */
    {&tod_rules[TOD0090], NULL, HIGH_HALF, 0, false},
};

enum { FRAME_HEADER_LEN = 8, NUM_PACKETS_OFF = 2, NUMBER_OFF = 4, LEN_OFF = 3 };
enum { SHORT_LEN = 2, LONG_LEN = 4, MOST_WORDS = 65535, NOT_TILED = 0 };

typedef struct head {
    size_t off;
    size_t size_words;
    uint32_t num_packets;
    uint32_t number;
} head;

typedef struct repair {
    const fh_edit_sink *out;
    fh_cursor bytes;
    fh_budget *budget;
    uint32_t announced;
    bool is_spent;
} repair;

/* What the packets of a run are. */
typedef struct run {
    size_t end;       /* NOT_TILED: they do not fit */
    uint32_t num;     /* packets */
    uint32_t num_odd; /* of them, with another length than type and flag imply */
    uint32_t num_setting;
    bool has_mark; /* the last one is an end mark */
} run;

static bool read_head(head *out, const fh_cursor *bytes, size_t off)
{
    fh_cursor cur = *bytes;
    *out = (head){.off = off};
    if (!fh_cursor_seek(&cur, off) || fh_cursor_left(&cur) < FRAME_HEADER_LEN) {
        return false;
    }
    out->size_words = fh_cursor_u16(&cur);
    out->num_packets = fh_cursor_u16(&cur);
    out->number = fh_cursor_u32(&cur);
    return true;
}

/* Reads packets from off until there are `most` of them or the place `stop` is reached. is_implied:
 * steps over what type and flag imply, whatever the packet says of its length. */
static run read_packets(repair *all, size_t off, uint32_t most, size_t stop, bool is_implied)
{
    run seen = {.end = off};
    fh_cursor cur = all->bytes;
    (void)fh_cursor_seek(&cur, off);
    while (seen.num < most && seen.end < stop) {
        if (!fh_pay(all->budget, 1)) {
            all->is_spent = true;
            return (run){.end = NOT_TILED};
        }
        const tod_packet packet = tod_split(fh_cursor_u32(&cur), (uint32_t)seen.end);
        const unsigned implied = tod_implied_words(&packet);
        const size_t words = is_implied && implied != 0 ? implied : packet.len_words;
        const bool is_odd = !tod_has_implied_length(&packet);
        if (cur.failed || words == 0 || (is_odd && !is_implied) ||
            words > (stop - seen.end) / TOD_WORD_LEN) {
            return (run){.end = NOT_TILED};
        }
        seen.num_odd += is_odd ? 1 : 0;
        seen.num_setting += tod_sets(&packet) ? 1 : 0;
        seen.has_mark = packet.type == TOD_SPECIAL && packet.flag == 0 && packet.len_words == 1 &&
                        packet.id == 0;
        seen.num++;
        seen.end += words * TOD_WORD_LEN;
        (void)fh_cursor_seek(&cur, seen.end);
    }
    return seen;
}

/* The packets of a frame that is sound; its end is NOT_TILED if it is not. */
static run read_frame(repair *all, const head *frame)
{
    const size_t body = frame->off + FRAME_HEADER_LEN;
    if (frame->size_words < TOD_FRAME_HEADER_WORDS ||
        frame->size_words > (all->bytes.size - frame->off) / TOD_WORD_LEN) {
        return (run){.end = NOT_TILED};
    }
    const size_t end = frame->off + frame->size_words * TOD_WORD_LEN;
    run seen = read_packets(all, body, frame->num_packets, end, false);
    if (seen.end != end || seen.num != frame->num_packets) {
        seen.end = NOT_TILED;
    }
    return seen;
}

/* Whether a frame that ends there is followed by what must follow it: the end of the file behind
 * the last one, and else a sound frame with a higher number. */
static bool fits(repair *all, const head *frame, size_t end, bool is_last)
{
    head next;
    if (NEVER(end == NOT_TILED)) { /* all packets were read, or the size leads there */
        return false;
    }
    if (is_last) {
        return end == all->bytes.size;
    }
    return read_head(&next, &all->bytes, end) && next.number > frame->number &&
           read_frame(all, &next).end != NOT_TILED;
}

/* The three ways to make a frame sound: another size, another number of packets, other lengths of
 * packets. Each leaves the other two as they are, and these have to agree with each other. */
typedef struct choice {
    bool by_size, by_number, by_lengths;
    size_t size_end; /* where the frame ends by its packets */
    size_t end;      /* where it ends by its size */
    uint32_t num_packets;
} choice;

static unsigned find_choices(repair *all, choice *out, const head *frame, bool is_last)
{
    const size_t body = frame->off + FRAME_HEADER_LEN;
    const size_t most = frame->off + MOST_WORDS * TOD_WORD_LEN;
    const size_t stop = all->bytes.size < most ? all->bytes.size : most;
    *out = (choice){0};
    const run by_packets = read_packets(all, body, frame->num_packets, stop, false);
    out->size_end = by_packets.end;
    out->by_size =
        by_packets.num == frame->num_packets && fits(all, frame, by_packets.end, is_last);
    if (frame->size_words >= TOD_FRAME_HEADER_WORDS &&
        frame->size_words <= (all->bytes.size - frame->off) / TOD_WORD_LEN) {
        out->end = frame->off + frame->size_words * TOD_WORD_LEN;
        const bool follows = fits(all, frame, out->end, is_last);
        const run by_size = read_packets(all, body, UINT32_MAX, out->end, false);
        const run implied = read_packets(all, body, frame->num_packets, out->end, true);
        out->num_packets = by_size.num;
        out->by_number = follows && by_size.end == out->end;
        out->by_lengths = follows && implied.end == out->end && implied.num_odd > 0 &&
                          implied.num == frame->num_packets;
    }
    return (out->by_size ? 1u : 0u) + (out->by_number ? 1u : 0u) + (out->by_lengths ? 1u : 0u);
}

/* What the walk says is wrong with the frame. */
static const fh_rule *rule_of(repair *all, const head *frame)
{
    tod_walk walk = {
        .cur = all->bytes, .at_end = true, .announced = all->announced, .budget = all->budget};
    (void)fh_cursor_seek(&walk.cur, frame->off);
    const tod_step step = tod_walk_frame(&walk);
    /* The walk asks of a frame what read_frame does, and for that this one was not sound. */
    if (NEVER(step != TOD_STEP_FAULT) || walk.fault.status == FH_LIMIT) {
        all->is_spent = true;
        return NULL;
    }
    return &tod_rules[walk.fault.rule];
}

static void mend_lengths(repair *all, const head *frame, const fh_rule *first)
{
    fh_cursor cur = all->bytes;
    size_t off = frame->off + FRAME_HEADER_LEN;
    for (uint32_t i = 0; i < frame->num_packets; i++) {
        (void)fh_cursor_seek(&cur, off);
        const tod_packet packet = tod_split(fh_cursor_u32(&cur), (uint32_t)off);
        const unsigned implied = tod_implied_words(&packet);
        if (!tod_has_implied_length(&packet)) {
            fh_edit_number(all->out, first, "packet length", off + LEN_OFF, implied, 1);
        }
        off += (implied != 0 ? implied : packet.len_words) * TOD_WORD_LEN;
    }
}

/* Mends a frame if there is exactly one way to do it. Returns where it ends then. */
static size_t mend_frame(repair *all, const head *frame, bool is_last)
{
    choice how;
    if (find_choices(all, &how, frame, is_last) != 1) {
        return NOT_TILED;
    }
    const fh_rule *rule = rule_of(all, frame);
    if (rule == NULL) {
        return NOT_TILED;
    }
    if (how.by_size) {
        const size_t words = (how.size_end - frame->off) / TOD_WORD_LEN;
        assert(words <= MOST_WORDS);
        fh_edit_number(all->out, rule, "frame size", frame->off, (uint32_t)words, SHORT_LEN);
        return how.size_end;
    }
    if (how.by_number) {
        fh_edit_number(all->out, rule, "number of packets", frame->off + NUM_PACKETS_OFF,
                       how.num_packets, SHORT_LEN);
    } else {
        mend_lengths(all, frame, rule);
    }
    return how.end;
}

/* ---- the header ---- */

/* The frames from the first one on that are sound and rise, as far as they go. */
typedef struct chain {
    size_t end;
    uint32_t num;
    uint32_t num_setting;
    bool has_mark; /* the last packet is an end mark */
} chain;

static chain read_chain(repair *all)
{
    chain seen = {.end = TOD_HEADER_LEN};
    head frame;
    uint32_t before = 0;
    while (read_head(&frame, &all->bytes, seen.end)) {
        const run packets = read_frame(all, &frame);
        if (packets.end == NOT_TILED || (seen.num > 0 && frame.number <= before)) {
            break;
        }
        before = frame.number;
        seen.has_mark = packets.has_mark;
        seen.num_setting += packets.num_setting;
        seen.num++;
        seen.end = packets.end;
    }
    return seen;
}

/* A number of frames that no file can have: the longest animation has no room for them. */
static bool is_impossible(uint32_t announced)
{
    return announced > (FH_MAX_ASSET_LEN - TOD_HEADER_LEN) / FRAME_HEADER_LEN;
}

/* The frames tile the file to its last byte, so it is complete, unless it was cut exactly behind
 * one of them; more frames than there are may therefore be announced of a file that was cut. They
 * are not if the last frame ends with an end mark, or if no file has so many. */
static void mend_count(repair *all, const chain *frames)
{
    const size_t room = (all->bytes.size - TOD_HEADER_LEN) / FRAME_HEADER_LEN;
    const bool is_complete = frames->has_mark || is_impossible(all->announced);
    enum tod_rule rule = TOD_NUM_RULES;
    if (all->announced == 0) {
        rule = TOD0006;
    } else if (all->announced < frames->num) {
        rule = TOD0009;
    } else if (is_complete) {
        rule = all->announced > room ? TOD0007 : TOD0008;
    }
    if (rule != TOD_NUM_RULES) {
        fh_edit_number(all->out, &tod_rules[rule], "number of frames", 4, frames->num, LONG_LEN);
    }
}

/* Id and version have one value each; that of a file whose frames tile it to its last byte is sure.
 */
static void mend_header(repair *all, const chain *frames)
{
    fh_cursor cur = all->bytes;
    const uint8_t id = fh_cursor_u8(&cur);
    const uint8_t version = fh_cursor_u8(&cur);
    if (frames->end != all->bytes.size || frames->num_setting == 0) {
        return;
    }
    if (frames->num != all->announced) {
        mend_count(all, frames);
        return;
    }
    if (id != 0x50) {
        fh_edit_number(all->out, &tod_rules[TOD0002], "file id", 0, 0x50, 1);
    }
    if (version != 0) {
        fh_edit_number(all->out, &tod_rules[TOD0003], "version", 1, 0, 1);
    }
}

/* ---- frame numbers ---- */

/* Between two numbers that differ by 2 only one fits, and in front of 1 only 0. Those that the edit
 * leans on have to be where they are for sure: rising, and not mended themselves. */
static void mend_number(repair *all, const head *last, const head *frame, const head *next)
{
    const bool is_first = last == NULL;
    const bool is_sure = is_first ? next->number == 1
                                  : next->number > last->number && next->number - last->number == 2;
    const bool rises = (is_first || frame->number > last->number) && frame->number < next->number;
    if (is_sure && !rises) {
        const uint32_t wanted = is_first ? 0 : last->number + 1; /* what is sure follows it */
        fh_edit_number(all->out, &tod_rules[TOD0026], "frame number", frame->off + NUMBER_OFF,
                       wanted, LONG_LEN);
    }
}

static void mend_numbers(repair *all)
{
    head around[3];
    uint32_t num = 0;
    size_t off = TOD_HEADER_LEN;
    for (; num < all->announced; num++) {
        const bool is_there = read_head(&around[num % 3], &all->bytes, off);
        if (NEVER(!is_there)) { /* the frames were sound when mend_frames looked */
            return;
        }
        if (!fh_pay(all->budget, 2)) {
            all->is_spent = true;
            return;
        }
        const head *newest = &around[num % 3];
        if (num >= 1) {
            mend_number(all, num == 1 ? NULL : &around[(num - 2) % 3], &around[(num - 1) % 3],
                        newest);
        }
        off += newest->size_words * TOD_WORD_LEN;
    }
}

/* ---- all of it ---- */

/* Mends the announced frames; true if all of them are sound as they are. */
static bool mend_frames(repair *all)
{
    size_t off = TOD_HEADER_LEN;
    bool is_sound = true;
    for (uint32_t i = 0; i < all->announced; i++) {
        head frame;
        if (!fh_pay(all->budget, 1)) {
            all->is_spent = true;
            return false;
        }
        if (!read_head(&frame, &all->bytes, off)) {
            return false;
        }
        off = read_frame(all, &frame).end;
        if (off == NOT_TILED && !all->is_spent) {
            is_sound = false;
            off = mend_frame(all, &frame, i + 1 == all->announced);
        }
        if (off == NOT_TILED) {
            return false;
        }
    }
    return is_sound;
}

fh_status tod_repair(const fh_env *env, const fh_edit_sink *out, fh_cursor bytes,
                     const fh_verify_options *options)
{
    repair all = {.out = out, .bytes = bytes, .budget = env->budget};
    if (bytes.size < TOD_HEADER_LEN || bytes.size > FH_MAX_ASSET_LEN) {
        return FH_OK;
    }
    (void)fh_cursor_seek(&bytes, 4);
    all.announced = fh_cursor_u32(&bytes);
    (void)fh_cursor_seek(&bytes, 0);
    const chain frames = read_chain(&all);
    mend_header(&all, &frames);
    if (mend_frames(&all)) {
        mend_numbers(&all);
        const fh_status status = fh_repair_bits(&fh_tod_format, env, out, bytes, options, bits,
                                                sizeof bits / sizeof bits[0]);
        all.is_spent = all.is_spent || status == FH_LIMIT || status == FH_NO_MEMORY;
    }
    return all.is_spent ? FH_LIMIT : FH_OK;
}

/* ---- units ---- */

static void tell_packets(const fh_unit_sink *out, fh_cursor bytes, const head *frame)
{
    size_t off = frame->off + FRAME_HEADER_LEN;
    for (uint32_t i = 0; i < frame->num_packets; i++) {
        (void)fh_cursor_seek(&bytes, off);
        const tod_packet packet = tod_split(fh_cursor_u32(&bytes), (uint32_t)off);
        const fh_unit unit = {.level = 1,
                              .off = off,
                              .len = packet.len_words * TOD_WORD_LEN,
                              .counts = {{frame->off, SHORT_LEN, packet.len_words},
                                         {frame->off + NUM_PACKETS_OFF, SHORT_LEN, 1}}};
        out->unit(out->user, &unit);
        off += unit.len;
    }
}

fh_status tod_units(const fh_env *env, const fh_unit_sink *out, fh_cursor bytes)
{
    repair all = {.bytes = bytes, .budget = env->budget};
    size_t off = TOD_HEADER_LEN;
    head frame;
    while (read_head(&frame, &bytes, off)) {
        const run packets = read_frame(&all, &frame);
        if (packets.end == NOT_TILED) {
            break;
        }
        const fh_unit unit = {.off = off, .len = packets.end - off, .counts = {{4, LONG_LEN, 1}}};
        out->unit(out->user, &unit);
        tell_packets(out, bytes, &frame);
        off = packets.end;
    }
    return all.is_spent ? FH_LIMIT : FH_OK;
}
