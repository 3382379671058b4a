/* Structure: what the walk accepts, where it stops, what it asks for, and what the memo saves. */
#include "bench.h"

#include "tod/tod_walk.h"

#include <stdlib.h>
#include <string.h>

/* ---- every structural rule, one step on either side of its edge ---- */

typedef struct edge {
    const char *text;
    const char *code; /* of the rejection, NULL = accepted */
    fh_status status;
    int64_t off, frame, object; /* of the finding; -1 = unknown */
    const char *found, *expected;
} edge;

#define SOUND(text)                                                                                \
    {                                                                                              \
        text, NULL, FH_OK, -1, -1, -1, "", ""                                                      \
    }

static const edge edges[] = {
    SOUND("tod resolution=4\nframe 0\ncreate 1"),
    /* the file header */
    {"tod\nframe 0\ncreate 1\ncut to 0", "TOD0001", FH_TRUNCATED, 0, -1, -1, "0", "8"},
    {"tod\nframe 0\ncreate 1\ncut to 7", "TOD0001", FH_TRUNCATED, 0, -1, -1, "7", "8"},
    {"tod\nframe 0\ncreate 1\ncut to 8", "TOD0007", FH_TRUNCATED, 4, -1, -1, "1", "at most 0"},
    {"tod id=0x51\nframe 0\ncreate 1", "TOD0002", FH_NOT_THIS_FORMAT, 0, -1, -1, "0x51", "0x50"},
    {"tod id=0x4f\nframe 0\ncreate 1", "TOD0002", FH_NOT_THIS_FORMAT, 0, -1, -1, "0x4f", "0x50"},
    {"tod version=1\nframe 0\ncreate 1", "TOD0003", FH_NOT_THIS_FORMAT, 1, -1, -1, "1", "0"},
    {"tod version=255\nframe 0\ncreate 1", "TOD0003", FH_NOT_THIS_FORMAT, 1, -1, -1, "255", "0"},
    {"tod count=0\nframe 0\ncreate 1", "TOD0006", FH_CORRUPT, 4, -1, -1, "0", "at least 1"},
    {"tod count=2\nframe 0\npacket 9 9 0 0", "TOD0008", FH_TRUNCATED, 24, -1, -1, "1",
     "2 as announced"},
    {"tod count=3\nframe 0\npacket 9 9 0 0", "TOD0007", FH_TRUNCATED, 4, -1, -1, "3", "at most 2"},
    {"tod count=4294967295\nframe 0\npacket 9 9 0 0", "TOD0007", FH_TRUNCATED, 4, -1, -1,
     "4294967295", "at most 2"},
    /* frame headers */
    {"tod count=2\nframe 0\npacket 9 9 0 0\ntail\nbyte 2", "TOD0020", FH_TRUNCATED, 24, 1, -1,
     "1 byte", "8 bytes"},
    {"tod count=2\nframe 0\ncreate 1\ntail\nzero 7", "TOD0020", FH_TRUNCATED, 20, 1, -1, "7 bytes",
     "8 bytes"},
    {"tod count=2\nframe 0\ncreate 1\ntail\nzero 8", "TOD0021", FH_CORRUPT, 20, 1, -1, "0 words",
     "at least 2 words, the header"},
    SOUND("tod count=2\nframe 0\ncreate 1\ntail\nbyte 2 0 0 0 1 0 0 0"),
    {"tod\nframe 0 size=1\ncreate 1", "TOD0021", FH_CORRUPT, 8, 0, -1, "1 word",
     "at least 2 words, the header"},
    {"tod\nframe 7 size=3 packets=2\ncreate 1", "TOD0023", FH_CORRUPT, 8, 0, -1, "3 words",
     "at least 4 words for its packets"},
    {"tod\nframe 7 size=2\ncreate 1", "TOD0023", FH_CORRUPT, 8, 0, -1, "2 words",
     "at least 3 words for its packets"},
    {"tod\nframe 0 size=65535 packets=65534\ncreate 1", "TOD0023", FH_CORRUPT, 8, 0, -1,
     "65535 words", "at least 65536 words for its packets"},
    {"tod\nframe 0 size=65535 packets=65533\ncreate 1", "TOD0022", FH_TRUNCATED, 8, 0, -1,
     "65535 words", "at most 3 words left"},
    {"tod\nframe 0 size=4\ncreate 1", "TOD0022", FH_TRUNCATED, 8, 0, -1, "4 words",
     "at most 3 words left"},
    {"tod\nframe 0\ncreate 1\ncut 1", "TOD0022", FH_TRUNCATED, 8, 0, -1, "3 words",
     "at most 2 words left"},
    /* packets in a frame */
    {"tod\nframe 0\nmodel 1 2 len=0", "TOD0040", FH_CORRUPT, 16, 0, 1, "0",
     "at least 1 word, the header"},
    {"tod\nframe 0\nmodel 1 2 len=3", "TOD0024", FH_CORRUPT, 16, 0, 1, "1", "0"},
    {"tod\nframe 0\npacket 1 9 0 2 len=255", "TOD0024", FH_CORRUPT, 16, 0, -1, "253", "0"},
    {"tod\nframe 0 packets=2\nmodel 1 2", "TOD0024", FH_CORRUPT, 24, 0, -1,
     "at packet 1, where the frame is already full", "the end of the frame behind the last packet"},
    {"tod\nframe 0 packets=3\nmodel 1 2\ncreate 3\nword 0", "TOD0040", FH_CORRUPT, 28, 0, 0, "0",
     "at least 1 word, the header"},
    {"tod\nframe 0\ncreate 1\nword 0", "TOD0025", FH_CORRUPT, 20, 0, -1, "1", "0"},
    {"tod\nframe 0\nword 0 0 0", "TOD0025", FH_CORRUPT, 16, 0, -1, "3", "0"},
    {"tod\nframe 0 packets=0\ncreate 1", "TOD0025", FH_CORRUPT, 16, 0, -1, "1", "0"},
    {"tod\nframe 0\nmodel 1 2\ncreate 3\nmodel 4 5 len=1", "TOD0041", FH_CORRUPT, 28, 0, 4,
     "1 word", "2 by type and flag"},
    {"tod\nframe 0\ncreate 1\nframe 1\nattr 5 0 0 len=2", "TOD0041", FH_CORRUPT, 28, 1, 5,
     "2 words", "3 by type and flag"},
};

static int64_t or_unknown(int64_t value)
{
    return value < 0 ? FH_UNKNOWN : value;
}

Test(walk, every_rule_at_its_edge)
{
    bench b;
    bench_open(&b);
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        const edge *e = &edges[i];
        forge_tod tod = bench_build(e->text);
        const fh_probe probe = bench_probe(tod.out.data, tod.out.len, true);
        bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
        if (e->code == NULL) {
            HOLD(probe.verdict == FH_ACCEPT && probe.length == tod.out.len, "%s", e->text);
            HOLD(b.status == FH_OK && b.asset.grade >= FH_GRADE_STRUCTURE, "%s", e->text);
        } else {
            HOLD(probe.verdict == FH_REJECT, "%s: accepted", e->text);
            HOLD(strcmp(probe.rule->code, e->code) == 0, "%s: %s", e->text, probe.rule->code);
            HOLD(probe.status == e->status && probe.reject_off == (size_t)e->off,
                 "%s: status %d at %zu", e->text, probe.status, probe.reject_off);
            HOLD(b.status == e->status, "%s: verify %d", e->text, b.status);
            HOLD(b.asset.grade == FH_GRADE_CANDIDATE, "%s: grade", e->text);
            /* No player looks at the version, so the rest of the file is judged as well. */
            HOLD(b.verify.num_findings == 1 || b.model != NULL, "%s: %s", e->text,
                 record_codes(&b.verify));
            const fh_finding *f = record_find(&b.verify, e->code);
            HOLD(f->offset == e->off, "%s: offset %d", e->text, (int)f->offset);
            HOLD(f->frame == or_unknown(e->frame), "%s: frame %d", e->text, (int)f->frame);
            HOLD(f->object == or_unknown(e->object), "%s: object %d", e->text, (int)f->object);
            HOLD(strcmp(f->found, e->found) == 0, "%s: found %s", e->text, f->found);
            HOLD(strcmp(f->expected, e->expected) == 0, "%s: expected %s", e->text, f->expected);
            HOLD(e->object < 0 || f->context[0] != '\0', "%s: context %s", e->text, f->context);
        }
        forge_tod_free(&tod);
    }
    bench_close(&b);
}

/* Section 8 of the description: evidence always names the frame's number where it was read. */
Test(walk, a_frame_of_size_0_is_named_by_its_number_too)
{
    bench b;
    bench_open(&b);
    for (int size = 0; size < 2; size++) {
        forge_tod tod = bench_build(size == 0 ? "tod\nframe 7 size=0\ncreate 1"
                                              : "tod\nframe 7 size=1\ncreate 1");
        bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
        const fh_finding *f = record_find(&b.verify, "TOD0021");
        HOLD(f->frame_number == 7, "size %d: number %lld", size, (long long)f->frame_number);
        forge_tod_free(&tod);
    }
    bench_close(&b);
}

Test(walk, a_count_that_cannot_fit_still_counts_the_sound_frames)
{
    bench b;
    bench_open(&b);
    forge_tod tod =
        bench_build("tod count=99\nrepeat 5\nframe +\nmodel 1 2\nendrepeat\ntail\nbyte 7");
    const fh_probe probe = bench_probe(tod.out.data, tod.out.len, true);
    cr_assert(eq(u32, probe.frames, 5));
    cr_assert(probe.near_miss);
    cr_assert(eq(str, (char *)probe.rule->code, "TOD0007"));
    bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
    cr_assert(eq(u32, b.asset.frames, 5));
    cr_assert(eq(sz, b.asset.length, 8 + 5 * 16));
    cr_assert(eq(int, (int)b.status, FH_TRUNCATED));
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0007"));
    /* The same, held up by a broken frame. */
    tod.out.data[8 + 3 * 16] = 9;
    bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){true, true});
    cr_assert(eq(u32, b.asset.frames, 3));
    cr_assert(eq(str, (char *)record_codes(&b.verify), "0007"));
    forge_tod_free(&tod);
    bench_close(&b);
}

typedef struct first_look {
    uint32_t count, sizes; /* of frames; of the first one: words, and packets times 65536 */
    const char *code;      /* of the rejection, NULL = the glance lets it pass */
} first_look;

/* A glance needs the headers of the file and of the first frame, and to see that this one has no
 * packets, but words, all of it. */
static void check_glance(const first_look *of)
{
    enum { FRAME_LEN = 4 * 0xffff };
    const fh_format *tod = fh_format_find("tod");
    const uint32_t words[] = {0x00010050, of->count, of->sizes, 0};
    const size_t frame_len = (size_t)4 * (of->sizes & 0xffff);
    const bool is_long = of->code != NULL && strcmp(of->code, "TOD0025") == 0;
    const size_t least = is_long ? 8 + frame_len : sizeof words;
    uint8_t *bytes = calloc(1, 8 + FRAME_LEN + 1);
    cr_assert(bytes != NULL);
    for (size_t i = 0; i < sizeof words; i++) {
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    }
    for (size_t i = 0; i < 36; i++) { /* and around the least */
        const size_t len = i < 32 ? i : least + i - 34;
        const fh_cursor some = fh_cursor_make(bytes, len, 0);
        const bool is_cut = len < least;
        HOLD(tod->glance(&some) == (is_cut || of->code == NULL), "%x %x: %zu", of->count, of->sizes,
             len);
        HOLD(some.pos == 0 && !some.failed, "%x: the cursor stays as it is", of->count);
    }
    const fh_probe probe = bench_probe(bytes, 8 + FRAME_LEN, false);
    if (of->code != NULL) {
        HOLD(probe.verdict == FH_REJECT && !probe.near_miss, "%x %x", of->count, of->sizes);
        HOLD(strcmp(probe.rule->code, of->code) == 0, "%x %x: %s", of->count, of->sizes,
             probe.rule->code);
    }
    free(bytes);
}

/* What is rejected at a glance the probe rejects, for all numbers that are on an edge. */
Test(walk, a_glance_sees_numbers_that_cannot_be)
{
    const uint32_t most = (uint32_t)((FH_MAX_ASSET_LEN - 8) / 8);
    const first_look cases[] = {{0, 2, "TOD0006"},
                                {1, 2, NULL},
                                {255, 2, NULL},
                                {256, 2, NULL},
                                {most - 1, 2, NULL},
                                {most, 2, NULL},
                                {most + 1, 2, "TOD0007"},
                                {0x01000000, 2, "TOD0007"},
                                {0x80000000, 2, "TOD0007"},
                                {UINT32_MAX, 2, "TOD0007"},
                                {1, 0, "TOD0021"},
                                {1, 1, "TOD0021"},
                                {1, 3, "TOD0025"},
                                {1, 0xffff, "TOD0025"},
                                {1, 0x00010002, "TOD0023"},
                                {1, 0x00010003, NULL},
                                {1, 0x0001ffff, NULL},
                                {1, 0xfffd0003, "TOD0023"},
                                {1, 0xfffdfffe, "TOD0023"},
                                {1, 0xfffdffff, NULL},
                                {1, 0xffffffff, "TOD0023"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_glance(&cases[i]);
    }
}

Test(walk, near_miss_needs_a_frame_and_two_packets_that_set_something)
{
    static const struct {
        const char *text;
        bool near;
    } cases[] = {
        {"tod\nframe 0\nmodel 1 2\nmodel 3 4\nframe 1 size=1", true},
        {"tod\nframe 0\nmodel 1 2\nframe 1\nmodel 3 4\nframe 2 size=1", true},
        {"tod\nframe 0\nmodel 1 2\nframe 1 size=1\nmodel 1 2", false},
        {"tod\nframe 0\nmodel 1 2\npacket 1 9 0\nframe 1 size=1", false},
        {"tod\nframe 0 size=9\nmodel 1 2\nmodel 3 4", false},
        {"tod count=0\nframe 0\nmodel 1 2\nmodel 3 4", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        forge_tod tod = bench_build(cases[i].text);
        const fh_probe probe = bench_probe(tod.out.data, tod.out.len, true);
        HOLD(probe.verdict == FH_REJECT && probe.near_miss == cases[i].near, "%s", cases[i].text);
        forge_tod_free(&tod);
    }
}

Test(walk, files_without_effect)
{
    forge_tod empty = bench_build("tod\nframe 0\nframe 1");
    fh_probe probe = bench_probe(empty.out.data, empty.out.len, true);
    cr_assert(eq(str, (char *)probe.rule->code, "TOD0012"));
    cr_assert(not(probe.near_miss));
    forge_tod idle = bench_build("tod\nframe 0\npacket 1 9 0\ncoord 1 diff\nlight 0\nend");
    probe = bench_probe(idle.out.data, idle.out.len, true);
    cr_assert(eq(int, (int)probe.verdict, FH_ACCEPT)); /* a packet is enough */
    cr_assert(eq(sz, probe.length, idle.out.len));
    forge_tod_free(&empty);
    forge_tod_free(&idle);
}

/* 8 for the id and for the version, 16 for each frame, 8 for a length that type and flag imply. */
Test(walk, evidence)
{
    forge_tod tod =
        bench_build("tod\nframe 0\nmodel 1 2\nlight 0 rgb 1 2 3\npacket 1 9 0\nframe 1\n");
    const fh_probe probe = bench_probe(tod.out.data, tod.out.len, true);
    cr_assert(eq(u32, probe.evidence_bits, 16 + 16 + 8 + 8 + 0 + 16));
    forge_tod_free(&tod);
}

/* In the middle of a stream the count is held against the longest asset, not the bytes at hand. */
Test(walk, the_count_in_a_stream_that_goes_on)
{
    const uint32_t most = (8u << 20) / 8 - 1;
    for (uint32_t count = most - 1; count <= most + 1; count++) {
        uint8_t header[8] = {
            0x50, 0, 4, 0, (uint8_t)count, (uint8_t)(count >> 8), (uint8_t)(count >> 16), 0};
        const fh_probe probe = bench_probe(header, 8, false);
        HOLD(probe.verdict == (count > most ? FH_REJECT : FH_MORE), "%u", count);
        HOLD(count <= most ||
                 (strcmp(probe.rule->code, "TOD0007") == 0 && probe.status == FH_CORRUPT),
             "why");
    }
}

/* What a search looks for: the id and the version, whatever the resolution. */
Test(walk, the_magic_is_id_and_version)
{
    static const uint32_t heads[] = {0x00000050, 0x00010050, 0x00040050, 0xffff0050};
    static const uint32_t others[] = {0x00040051, 0x0004004f, 0x00040150, 0x00048050, 0x00040000};
    const fh_format *tod = fh_format_find("tod");
    cr_assert(eq(sz, tod->num_magics, 1));
    const fh_magic *magic = &tod->magics[0];
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        HOLD((heads[i] & magic->mask) == magic->value, "%x", heads[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        HOLD((others[i] & magic->mask) != magic->value, "%x", others[i]);
    }
    cr_expect(eq(uint, tod->alignment, 4), "a TOD is made of words");
}

/* The frames behind a count that cannot be true are counted as far as the budget lasts, and it is
 * told where it does not. */
Test(walk, every_budget_of_a_count_that_cannot_fit)
{
    bench b;
    bench_open(&b);
    forge_tod tod = bench_build("tod count=99\nrepeat 5\nframe +\nmodel 1 2\nendrepeat");
    const fh_cursor cur = fh_cursor_make(tod.out.data, tod.out.len, 0);
    const uint64_t enough = 5 * (2 + 1) + 2; /* two for a frame, one for a packet */
    for (uint64_t work = 0; work <= enough; work++) {
        record got = {0};
        const fh_sink sink = record_sink(&got);
        fh_budget budget = {work};
        b.arena = fh_arena_make(b.block, BENCH_ARENA);
        const fh_env env = {&b.arena, &budget, &sink};
        const fh_status status =
            b.format->verify(&b.asset, &b.model, &env, cur, &(fh_verify_options){true, true});
        HOLD(status == (work < enough ? FH_LIMIT : FH_TRUNCATED), "%d units: %s", (int)work,
             fh_status_name(status));
        HOLD(strcmp(record_codes(&got), work < enough ? "0007 0131" : "0007") == 0, "%d units: %s",
             (int)work, record_codes(&got));
        record_free(&got);
    }
    forge_tod_free(&tod);
    bench_close(&b);
}

Test(walk, odd_lengths_are_counted)
{
    forge_tod tod = bench_build("tod\nframe 0\nmodel 1 2\npacket 1 2 0\npacket 1 3 0 1 2 3\n"
                                "packet 1 9 0 1 2\nframe 1\npacket 1 8 0 1");
    fh_budget budget = {BENCH_BUDGET};
    tod_walk walk;
    HOLD(tod_walk_begin(&walk, fh_cursor_make(tod.out.data, tod.out.len, 0), true, &budget) ==
             TOD_STEP_OK,
         "header");
    walk.lenient = true;
    cr_expect(eq(int, (int)tod_walk_frame(&walk), TOD_STEP_OK));
    cr_expect(eq(u32, walk.odd_lengths, 2));
    cr_expect(eq(int, (int)tod_walk_frame(&walk), TOD_STEP_OK));
    cr_expect(eq(u32, walk.odd_lengths, 3));
    forge_tod_free(&tod);
}

/* ---- every prefix of a sound file ---- */

static const char sound[] =
    "tod resolution=4\n"
    "frame 0\ncreate 1\ncreate 2\nparent 1 world\nparent 2 1\nmodel 1 7\n"
    "coord 1 r 0 0 0 s 4096 4096 4096 t 0 0 0\n"
    "coord 2 r 0 0 0 s 4096 4096 4096 t 0 0 0\n"
    "light 1 dir 1 2 3 rgb 4 5 6\n"
    "camera 0 view pos 1 2 3 4 5 6 twist 7\n"
    "frame 1\nframe 3\ncoord 1 diff r 360 720 0\nattr 2 0x7fffffff 0\n"
    "repeat 20\nframe +\ncoord 2 diff t 1 $ 3\npacket 1 9 2 $ 2 3\nendrepeat\n"
    "end";

Test(walk, every_prefix_of_a_sound_file)
{
    bench b;
    bench_open(&b);
    forge_tod tod = bench_build(sound);
    const size_t whole = tod.out.len;
    for (size_t len = 0; len <= whole; len++) {
        uint8_t *exact = malloc(len + 1);
        memcpy(exact + 1, tod.out.data, len);
        const fh_probe more = bench_probe(exact + 1, len, false);
        const fh_probe end = bench_probe(exact + 1, len, true);
        if (len == whole) {
            HOLD(more.verdict == FH_ACCEPT && more.length == whole, "whole");
            HOLD(end.verdict == FH_ACCEPT && end.length == whole, "whole");
        } else {
            HOLD(more.verdict == FH_MORE, "prefix %zu: verdict %d", len, more.verdict);
            HOLD(more.length > len && more.length <= whole, "prefix %zu wants %zu", len,
                 more.length);
            HOLD(end.verdict == FH_REJECT && end.status == FH_TRUNCATED, "prefix %zu", len);
            bench_verify(&b, exact + 1, len, (fh_verify_options){true, true});
            HOLD(b.status == FH_TRUNCATED && b.asset.grade == FH_GRADE_CANDIDATE, "prefix %zu",
                 len);
            HOLD(b.asset.frames == end.frames, "prefix %zu frames", len);
        }
        free(exact + 1 - 1);
    }
    forge_tod_free(&tod);
    bench_close(&b);
}

/* ---- probe and verify on damaged files ---- */

static void damage(forge_tod *tod, dice *d)
{
    for (uint32_t num = dice_below(d, 4); num > 0; num--) {
        const size_t at = dice_below(d, (uint32_t)tod->out.len);
        switch (dice_below(d, 4)) {
        case 0:
            tod->out.data[at] ^= (uint8_t)(1u << dice_below(d, 8));
            break;
        case 1:
            tod->out.data[at] = (uint8_t)dice_next(d);
            break;
        case 2: /* sizes and counts are small numbers */
            tod->out.data[at] = (uint8_t)dice_below(d, 4);
            break;
        default:
            tod->out.len = at + 1;
            break;
        }
    }
}

Test(walk, probe_and_verify_agree_on_damaged_files)
{
    bench b;
    bench_open(&b);
    dice d = {5};
    int num_accepted = 0;
    for (int i = 0; i < 20000; i++) {
        forge_tod tod = bench_random(&d);
        damage(&tod, &d);
        const fh_probe probe = bench_probe(tod.out.data, tod.out.len, true);
        bench_verify(&b, tod.out.data, tod.out.len, (fh_verify_options){false, true});
        HOLD(probe.verdict != FH_MORE, "file %d: more at the end", i);
        const bool holds = b.asset.grade >= FH_GRADE_STRUCTURE;
        HOLD(holds == (b.status == FH_OK) && (!holds || b.model != NULL), "file %d", i);
        /* Where players go on, behind an odd length or another version, verify does as well. */
        HOLD(!holds ||
                 (probe.evidence_bits == b.asset.evidence_bits && probe.frames == b.asset.frames),
             "file %d", i);
        if (probe.verdict == FH_ACCEPT) {
            num_accepted++;
            HOLD(holds && b.asset.length == probe.length, "file %d: %zu and %zu", i, b.asset.length,
                 probe.length);
        } else if (holds) { /* sound, and without effect: what a search must not take */
            HOLD(strcmp(probe.rule->code, "TOD0012") == 0, "file %d: %s", i, probe.rule->code);
            HOLD(record_count(&b.verify, probe.rule->code) == 1, "file %d: %s", i,
                 record_codes(&b.verify));
        } else {
            /* Where players go on, behind another version or an odd length, verify does too. */
            const bool is_followed = b.model != NULL || strcmp(probe.rule->code, "TOD0003") == 0;
            HOLD(is_followed || b.status == probe.status, "file %d: %d and %d", i, b.status,
                 probe.status);
            HOLD(record_count(&b.verify, probe.rule->code) >= 1, "file %d", i);
            HOLD(is_followed || b.verify.num_findings == 1 ||
                     record_count(&b.verify, "TOD0003") == 1,
                 "file %d: %s", i, record_codes(&b.verify));
            HOLD(is_followed ||
                     record_find(&b.verify, probe.rule->code)->offset == (int64_t)probe.reject_off,
                 "file %d", i);
        }
        if (b.model != NULL) {
            bench_replay(&b, &(fh_replay_options){.world = true});
            HOLD(b.replay_status == FH_OK && b.result.state != FH_REPLAY_STOPPED, "file %d", i);
            HOLD((int64_t)b.replay.num_frames == b.asset.frames &&
                     b.result.frames == b.asset.frames,
                 "file %d", i);
        }
        forge_tod_free(&tod);
    }
    cr_assert(gt(int, num_accepted, 4000), "%d", num_accepted);
    cr_assert(lt(int, num_accepted, 16000), "%d", num_accepted);
    bench_close(&b);
}

/* ---- the memo ---- */

/* A chain of frames in whose payloads further headers stand. */
typedef struct chain {
    uint8_t *bytes;
    size_t len, max;
    size_t *entrances; /* offsets of headers */
    size_t num_entrances;
} chain;

static void put_u32(chain *c, uint32_t word)
{
    if (c->max - c->len < 4) {
        c->max = c->max == 0 ? 4096 : 2 * c->max;
        c->bytes = realloc(c->bytes, c->max);
        HOLD(c->bytes != NULL, "memory");
    }
    forge_put_u32(c->bytes + c->len, word);
    c->len += 4;
}

static void enter(chain *c, uint32_t count)
{
    c->entrances = realloc(c->entrances, (c->num_entrances + 1) * sizeof *c->entrances);
    HOLD(c->entrances != NULL, "memory");
    c->entrances[c->num_entrances++] = c->len;
    put_u32(c, 0x02900050); /* as a packet: id 0x50, type 0 ... */
    put_u32(c, count);
}

static void chain_free(chain *c)
{
    free(c->bytes);
    free(c->entrances);
}

/* num frames; every step-th one carries, in a user-defined packet at its end, the header of a file
 * that goes on with the frame behind it and announces `count` frames (by the dice if 0). */
static chain make_chain(uint32_t num, uint32_t step, uint32_t count, uint32_t shorter, dice *d)
{
    chain c = {0};
    enter(&c, shorter == 0 && count == 0 ? num + 1 : num);
    for (uint32_t i = 0; i < num; i++) {
        const bool has = step != 0 && i % step == 0;
        put_u32(&c, (has ? 5u + 3u : 5u) | (has ? 3u : 2u) << 16);
        put_u32(&c, i);
        put_u32(&c, 0x01080001); /* create 1 */
        put_u32(&c, 0x02020001); /* model 1 7 */
        put_u32(&c, 7);
        if (has) {
            put_u32(&c, 0x03090001); /* user-defined, 3 words */
            const uint32_t left = num - 1 - i;
            enter(&c, count != 0                              ? count
                      : shorter != 0 && dice_below(d, 2) == 0 ? 1 + dice_below(d, left + 1)
                                                              : left + 1 + dice_below(d, 3));
        }
    }
    return c;
}

typedef struct work {
    uint64_t units;
    uint32_t accepted, rejected, more;
} work;

/* Probes all entrances, with and without a memo, and holds the decisions against one another. */
static work probe_all(const chain *c, bool at_end, bool compare)
{
    const size_t num_steps = c->len / 4 + 1;
    uint32_t *steps = calloc(num_steps, sizeof *steps);
    HOLD(steps != NULL, "memory");
    fh_memo memo = {.steps = steps, .num_steps = num_steps, .origin = 1000, .unit = 4};
    work w = {0};
    for (size_t i = 0; i < c->num_entrances; i++) {
        const size_t off = c->entrances[i];
        const fh_cursor cur = fh_cursor_make(c->bytes + off, c->len - off, 1000 + off);
        fh_budget budget = {BENCH_BUDGET};
        fh_probe probe;
        fh_format_find("tod")->probe(&probe, cur, at_end, &memo, NULL, &budget);
        w.units += BENCH_BUDGET - budget.left;
        w.accepted += probe.verdict == FH_ACCEPT ? 1 : 0;
        w.rejected += probe.verdict == FH_REJECT ? 1 : 0;
        w.more += probe.verdict == FH_MORE ? 1 : 0;
        if (compare) {
            const fh_probe want = bench_probe(c->bytes + off, c->len - off, at_end);
            HOLD(probe.verdict == want.verdict, "entrance %zu: verdict %d, not %d", i,
                 probe.verdict, want.verdict);
            HOLD(probe.verdict == FH_REJECT ||
                     (probe.length == want.length && probe.frames == want.frames &&
                      probe.evidence_bits == want.evidence_bits),
                 "entrance %zu: length %zu, not %zu", i, probe.length, want.length);
        }
    }
    free(steps);
    return w;
}

Test(memo, decisions_are_the_same_as_without)
{
    dice d = {6};
    for (int i = 0; i < 60; i++) {
        const uint32_t num = 60 + dice_below(&d, 200);
        chain c = make_chain(num, 1 + dice_below(&d, 3), 0, dice_below(&d, 2), &d);
        if (dice_below(&d, 2) == 0) { /* a break in the middle, behind which the chain goes on */
            const size_t at = c.entrances[1 + dice_below(&d, (uint32_t)c.num_entrances - 1)] + 8;
            if (at < c.len) {
                c.bytes[at] = (uint8_t)(c.bytes[at] + 1);
            }
        }
        const work at_end = probe_all(&c, true, true);
        const work in_stream = probe_all(&c, false, true);
        HOLD(at_end.more == 0 && at_end.accepted + at_end.rejected == c.num_entrances, "sum");
        HOLD(in_stream.rejected <= at_end.rejected, "more can only come of a rejection");
        chain_free(&c);
    }
}

/* A second break behind a hit, and candidates that stop before it. */
Test(memo, chains_that_fail_beyond_a_hit)
{
    dice d = {7};
    chain c = make_chain(400, 1, 0, 1, &d);
    forge_put_u16(c.bytes + c.len - 32, 1); /* the last frame but none */
    const work w = probe_all(&c, true, true);
    cr_assert(gt(u32, w.accepted, 20));
    cr_assert(gt(u32, w.rejected, 100));
    chain_free(&c);
}

/* What a rejection says of itself decides which finding the hunt makes of it. */
Test(memo, a_shared_break_is_told_once)
{
    dice d = {8};
    chain c = make_chain(300, 1, 0, 0, &d);
    uint32_t *steps = calloc(c.len / 4 + 1, sizeof *steps);
    fh_memo memo = {.steps = steps, .num_steps = c.len / 4 + 1, .unit = 4};
    size_t num_status = 0, num_near = 0;
    for (size_t i = 0; i < c.num_entrances; i++) {
        const size_t off = c.entrances[i];
        fh_budget budget = {BENCH_BUDGET};
        fh_probe probe;
        fh_format_find("tod")->probe(&probe, fh_cursor_make(c.bytes + off, c.len - off, off), true,
                                     &memo, NULL, &budget);
        const fh_probe want = bench_probe(c.bytes + off, c.len - off, true);
        num_status += probe.verdict == want.verdict ? 0 : 1;
        num_near += i == 0 && probe.near_miss != want.near_miss ? 1 : 0;
        num_near +=
            i > 0 && probe.near_miss ? 1 : 0; /* it shares the break that the first one told */
    }
    free(steps);
    const size_t num = c.num_entrances;
    chain_free(&c);
    cr_expect(eq(sz, num_status, 0), "the verdict differs for %zu of %zu candidates", num_status,
              num);
    cr_expect(eq(sz, num_near, 0), "near_miss differs for %zu of %zu candidates", num_near, num);
}

enum { MOST_UNITS_A_BYTE = 64 };

/* Counts that cannot fit in what is left: the walk only says how many sound frames there are. */
Test(memo, walks_of_impossible_counts_are_linear)
{
    chain c = make_chain(6000, 4, 1000000, 0, NULL);
    const work w = probe_all(&c, true, false);
    cr_assert(eq(u32, w.accepted, 1));
    cr_assert(lt(u64, w.units, MOST_UNITS_A_BYTE * c.len), "%llu units for %zu bytes",
              (unsigned long long)w.units, c.len);
    chain_free(&c);
}

/* Counts that fit, so that each candidate would walk to the broken end. */
Test(memo, walks_to_a_broken_end_are_linear)
{
    dice d = {9};
    chain c = make_chain(20000, 4, 0, 0, &d);
    cr_assert(eq(sz, c.num_entrances, 5001));
    forge_put_u16(c.bytes + c.len - 20, 1);
    const work w = probe_all(&c, true, false);
    cr_assert(eq(u32, w.accepted, 0));
    cr_assert(lt(u64, w.units, MOST_UNITS_A_BYTE * c.len), "%llu units for %zu bytes",
              (unsigned long long)w.units, c.len);
    chain_free(&c);
}

/* Few frames with many packets each: 16 frames of 500 user-defined packets, each the entrance of
 * a file whose first frame is the rest of the frame it stands in. */
Test(memo, walks_of_few_frames_with_many_packets_are_linear)
{
    enum { FRAMES = 16, PACKETS = 500, PACKET_WORDS = 4 };
    chain c = {0};
    enter(&c, FRAMES + 1);
    for (uint32_t f = 0; f < FRAMES; f++) {
        put_u32(&c, (2 + PACKETS * PACKET_WORDS) | (uint32_t)PACKETS << 16);
        put_u32(&c, f);
        for (uint32_t p = 0; p < PACKETS; p++) {
            const uint32_t left = PACKETS - 1 - p;
            enter(&c, 0);
            forge_put_u32(c.bytes + c.len - 8, 0x04090050); /* user-defined, resolution 0x409 */
            forge_put_u32(c.bytes + c.len - 4, FRAMES - f + 1);
            put_u32(&c, (2 + left * PACKET_WORDS) | left << 16);
            put_u32(&c, 0);
        }
    }
    put_u32(&c, 1); /* a frame of size 1 */
    put_u32(&c, 0);
    const work w = probe_all(&c, true, false);
    cr_assert(eq(u32, w.accepted, 0));
    cr_assert(lt(u64, w.units, MOST_UNITS_A_BYTE * c.len), "%llu units for %zu bytes",
              (unsigned long long)w.units, c.len);
    chain_free(&c);
}

/* A chain that goes on for longer than any asset is walked once for all that run into its first
 * half; of those behind, whose part of it is known to be shorter, each one asks for the next bytes.
 * Who needs few of its frames has them. */
Test(memo, a_chain_without_end_is_walked_once)
{
    enum { FRAMES = 440000, STEP = 40000, ANNOUNCED = 1000000, FEW = 10, SHORT = 3 };
    chain c = make_chain(FRAMES, STEP, ANNOUNCED, 0, NULL);
    cr_assert(c.len > FH_MAX_ASSET_LEN);
    forge_put_u32(c.bytes + c.entrances[0] + 4, ANNOUNCED);
    forge_put_u32(c.bytes + c.entrances[SHORT] + 4, FEW);
    uint32_t *steps = calloc(c.len / 4 + 1, sizeof *steps);
    cr_assert(steps != NULL);
    fh_memo memo = {.steps = steps, .num_steps = c.len / 4 + 1, .unit = 4};
    for (size_t i = 0; i < c.num_entrances; i++) {
        const size_t off = c.entrances[i];
        const bool is_long = off + FH_MAX_ASSET_LEN / 2 <= c.len;
        fh_budget budget = {BENCH_BUDGET};
        fh_probe probe;
        fh_format_find("tod")->probe(&probe, fh_cursor_make(c.bytes + off, c.len - off, off), false,
                                     &memo, NULL, &budget);
        const uint64_t spent = BENCH_BUDGET - budget.left;
        if (i == SHORT) {
            HOLD(probe.verdict == FH_ACCEPT && probe.frames == FEW, "frames %u", probe.frames);
            continue;
        }
        HOLD(probe.verdict == FH_MORE, "entrance %zu: %d", i, (int)probe.verdict);
        HOLD((probe.length > FH_MAX_ASSET_LEN) == is_long, "entrance %zu: %zu", i, probe.length);
        HOLD(is_long || probe.length > c.len - off, "entrance %zu: %zu", i, probe.length);
        HOLD(i == 0 || !is_long || spent < FEW, "entrance %zu: %llu units", i,
             (unsigned long long)spent);
    }
    free(steps);
    chain_free(&c);
}

/* A walk that the budget stops must leave no note: the chain is not broken there. */
Test(memo, a_spent_budget_is_not_noted)
{
    chain c = make_chain(200, 1, 0, 0, &(dice){10});
    forge_put_u32(c.bytes + 4, 200);
    uint32_t *steps = calloc(c.len / 4 + 1, sizeof *steps);
    fh_memo memo = {.steps = steps, .num_steps = c.len / 4 + 1, .unit = 4};
    for (uint64_t left = 0; left < 1001; left++) {
        fh_budget budget = {left};
        fh_probe probe;
        fh_format_find("tod")->probe(&probe, fh_cursor_make(c.bytes, c.len, 0), true, &memo, NULL,
                                     &budget);
        HOLD(!memo.is_used, "noted with %d units", (int)left);
        HOLD(probe.verdict == (left < 1000 ? FH_REJECT : FH_ACCEPT), "%d units: %d", (int)left,
             probe.verdict);
        HOLD(probe.verdict == FH_ACCEPT || (strcmp(probe.rule->code, "TOD0131") == 0 &&
                                            probe.status == FH_LIMIT && budget.left == 0),
             "why");
    }
    free(steps);
    chain_free(&c);
}

/* ---- what is noted ---- */

enum { ORIGIN = 1000 };

static fh_memo make_memo(size_t len)
{
    uint32_t *steps = calloc(len / 4 + 1, sizeof *steps);
    HOLD(steps != NULL, "memory");
    return (fh_memo){.steps = steps, .num_steps = len / 4 + 1, .origin = ORIGIN, .unit = 4};
}

static fh_probe probe_noting(const void *bytes, size_t len, bool at_end, fh_memo *memo)
{
    fh_probe probe;
    fh_budget budget = {BENCH_BUDGET};
    fh_format_find("tod")->probe(&probe, fh_cursor_make(bytes, len, ORIGIN), at_end, memo, NULL,
                                 &budget);
    return probe;
}

/* Walks of 64 frames and packets are worth a note, which counts the sound frames that follow. */
Test(memo, what_a_broken_walk_notes)
{
    static const struct {
        const char *text;
        uint32_t num; /* sound frames, of 3 words each */
        bool is_noted;
    } cases[] = {
        {"tod\nrepeat 32\nframe +\npacket 1 9 0\nendrepeat\nframe + size=1", 32, true},
        {"tod\nrepeat 31\nframe +\npacket 1 9 0\nendrepeat\nframe +\nframe + size=1", 31, false},
        {"tod\nrepeat 33\nframe +\npacket 1 9 0\nendrepeat\nframe + size=1", 33, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        forge_tod tod = bench_build(cases[i].text);
        fh_memo memo = make_memo(tod.out.len);
        const fh_probe probe = probe_noting(tod.out.data, tod.out.len, true, &memo);
        HOLD(probe.verdict == FH_REJECT, "case %zu", i);
        HOLD(memo.is_used == cases[i].is_noted, "case %zu: %d", i, memo.is_used);
        for (uint32_t k = 0; k < cases[i].num; k++) {
            uint32_t steps = 0;
            const bool is_there = fh_memo_find(&memo, ORIGIN + 8 + 12 * k, &steps);
            HOLD(is_there == cases[i].is_noted, "case %zu frame %u", i, k);
            HOLD(!is_there || steps == cases[i].num - k, "case %zu frame %u: %u", i, k, steps);
        }
        free(memo.steps);
        forge_tod_free(&tod);
    }
}

/* A walk into a frame that is noted adds what is known to follow it. */
Test(memo, what_a_walk_into_a_note_notes)
{
    enum { MET = 36, KNOWN = 3 };
    forge_tod tod = bench_build("tod\nrepeat 40\nframe +\npacket 1 9 0\nendrepeat\nframe + size=1");
    fh_memo memo = make_memo(tod.out.len);
    fh_memo_note(&memo, ORIGIN + 8 + 12 * MET, KNOWN);
    const fh_probe probe = probe_noting(tod.out.data, tod.out.len, true, &memo);
    cr_assert(eq(int, (int)probe.verdict, FH_REJECT));
    cr_assert(eq(u32, probe.frames, MET));
    for (uint32_t k = 0; k < MET; k++) {
        uint32_t steps = 0;
        HOLD(fh_memo_find(&memo, ORIGIN + 8 + 12 * k, &steps), "frame %u", k);
        HOLD(steps == MET - k + KNOWN, "frame %u: %u", k, steps);
    }
    free(memo.steps);
    forge_tod_free(&tod);
}

/* Frames without packets, then the header of one that ends at byte `end` and has not come. */
static uint8_t *begin_long_chain(size_t end, size_t *len, uint32_t *num)
{
    enum { LAST_WORDS = 101 };
    *len = end - 4 * LAST_WORDS + 8;
    *num = (uint32_t)(*len - 16) / 8;
    uint8_t *bytes = calloc(1, *len);
    HOLD(bytes != NULL && *len % 8 == 0, "memory");
    forge_put_u32(bytes, 0x50);
    forge_put_u32(bytes + 4, FH_MAX_ASSET_LEN / 8 - 1);
    for (uint32_t i = 0; i < *num; i++) {
        forge_put_u32(bytes + 8 + 8 * (size_t)i, 2);
    }
    forge_put_u32(bytes + *len - 8, LAST_WORDS);
    return bytes;
}

/* Only a chain that is longer than any asset has no end. An older one that goes on for less than
 * half of that from here is forgotten. */
Test(memo, what_a_walk_without_end_notes)
{
    for (int is_long = 0; is_long < 2; is_long++) {
        size_t len = 0;
        uint32_t num = 0, steps = 0;
        const size_t end = is_long ? FH_MAX_ASSET_LEN + 4 : FH_MAX_ASSET_LEN - 4;
        uint8_t *bytes = begin_long_chain(end, &len, &num);
        fh_memo memo = make_memo(len);
        fh_memo_begin_endless(&memo, ORIGIN, ORIGIN + FH_MAX_ASSET_LEN / 2 - 4, 0);
        fh_memo_note_endless(&memo, ORIGIN + 12, 1); /* in no frame of this chain */
        const fh_probe probe = probe_noting(bytes, len, false, &memo);
        HOLD(probe.verdict == FH_MORE && probe.length == end, "%zu", probe.length);
        HOLD(fh_memo_find_endless(&memo, ORIGIN + 12, &steps) == !is_long, "the older one");
        HOLD(fh_memo_find_endless(&memo, ORIGIN + 8, &steps) == is_long, "this one");
        HOLD(!is_long || (steps == num && memo.endless_to == ORIGIN + len - 8), "%u of %u", steps,
             num);
        free(memo.steps);
        free(bytes);
    }
}

/* A chain that just reaches the end of the longest asset has one. */
Test(memo, a_walk_to_the_longest_end_is_not_without_end)
{
    size_t len = 0;
    uint32_t num = 0;
    uint8_t *bytes = begin_long_chain(FH_MAX_ASSET_LEN + 4, &len, &num);
    forge_put_u32(bytes + len - 8, 100); /* a word less */
    fh_memo memo = make_memo(len);
    const fh_probe probe = probe_noting(bytes, len, false, &memo);
    cr_expect(eq(sz, probe.length, FH_MAX_ASSET_LEN));
    cr_expect(not(memo.is_endless));
    forge_put_u32(bytes + 4, 1000); /* and so has one of few frames, of which some have to come */
    cr_expect(eq(int, (int)probe_noting(bytes, 800, false, &memo).verdict, FH_MORE));
    cr_expect(not(memo.is_endless));
    free(memo.steps);
    free(bytes);
}

/* What is known of a chain without end: whoever needs no more frames than are known walks, and so
 * does everyone in the chain's second half. */
Test(memo, who_runs_into_a_chain_without_end)
{
    static const struct {
        uint32_t steps; /* known from the first frame on, of 10 */
        size_t reach;
        bool is_taken;
    } cases[] = {{9, FH_MAX_ASSET_LEN, true},
                 {10, FH_MAX_ASSET_LEN, false},
                 {9, FH_MAX_ASSET_LEN / 2, true},
                 {9, FH_MAX_ASSET_LEN / 2 - 1, false}};
    forge_tod tod = bench_build("tod\nrepeat 10\nframe +\nmodel 1 1\nendrepeat");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fh_memo memo = make_memo(tod.out.len);
        fh_memo_begin_endless(&memo, ORIGIN, ORIGIN + cases[i].reach, 0);
        fh_memo_note_endless(&memo, ORIGIN + 8, cases[i].steps);
        const fh_probe probe = probe_noting(tod.out.data, tod.out.len, false, &memo);
        HOLD(probe.verdict == (cases[i].is_taken ? FH_MORE : FH_ACCEPT), "case %zu", i);
        HOLD(probe.length == (cases[i].is_taken ? FH_MAX_ASSET_LEN + 1 : tod.out.len),
             "case %zu: %zu", i, probe.length);
        free(memo.steps);
    }
    forge_tod_free(&tod);
}
