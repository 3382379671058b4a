#include "fuzz_oracles.h"

#include "fuzz_found.h"
#include "hunt/exam.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool same_verdict(const fh_probe *a, const fh_probe *b)
{
    return a->verdict == b->verdict && (a->verdict == FH_REJECT || a->length == b->length);
}

/* With the bytes that the probe asks for, none of which looks like its own, the asset stays as it
 * is.
 */
static bool only_looks_ahead(const fh_format *format, fh_cursor bytes, size_t wanted, size_t len)
{
    if (wanted > FH_MAX_ASSET_LEN) {
        return true;
    }
    uint8_t *copy = run_copy_with(bytes.base, bytes.size, wanted - bytes.size);
    const fh_probe there = run_probe(format, fh_cursor_make(copy, wanted, 0), FH_END_STREAM, NULL);
    run_release(copy);
    return there.verdict == FH_ACCEPT && there.length == len;
}

/* The asset ends where the bytes do, or only zeros follow: whether they are its own hangs on what
 * comes behind them. */
static bool is_padded(fh_cursor bytes, size_t len)
{
    return bytes.size - len < 16 &&
           (len == bytes.size ||
            (fh_cursor_seek(&bytes, len) && fh_cursor_all_zero(&bytes, fh_cursor_left(&bytes))));
}

/* What is found in larger data holds as well when it is cut out of them, and is as long. */
static run_outcome check_carved(const fh_format *format, fh_cursor bytes, size_t len)
{
    size_t used = 0;
    run_outcome all;
    run_outcome own;
    run_with(&all, &used, format, bytes, &run_carved, &run_as_the_scanner);
    run_demand(all.asset.grade >= FH_GRADE_STRUCTURE && all.asset.length == len,
               "what is accepted has a structure of that length");
    uint8_t *copy = run_copy(bytes.base, len);
    const fh_cursor cut = fh_cursor_make(copy, len, 0);
    run_with(&own, &used, format, cut, &run_carved, &run_as_the_scanner);
    const fh_probe alone = run_probe(format, cut, FH_END_STREAM, NULL);
    run_release(copy);
    run_demand(own.asset.grade == all.asset.grade && own.asset.length == len,
               "what is accepted needs nothing behind it");
    run_demand(alone.verdict == FH_ACCEPT && alone.length == len, "and is found again");
    return own;
}

/* In a file of its own a fragment is a damaged text. */
static bool is_fragment(const fh_format *format, fh_cursor bytes, const run_outcome *seen,
                        size_t len)
{
    return format->is_text && seen->asset.grade < FH_GRADE_STRUCTURE &&
           check_carved(format, bytes, len).asset.grade == FH_GRADE_STRUCTURE;
}

/* What the search passes over without a probe. */
static void check_glance(const fh_format *format, const fh_cursor *bytes, const fh_probe *open)
{
    run_demand(format->glance == NULL || format->glance(bytes) ||
                   (open->verdict == FH_REJECT && !open->near_miss && !open->is_part),
               "a glance rejects nothing that there is something to tell of");
}

void oracle_probe(const fh_format *format, fh_cursor bytes, const run_outcome *seen)
{
    const fh_probe closed = run_probe(format, bytes, FH_END_FILE, NULL);
    const fh_probe open = run_probe(format, bytes, FH_END_NONE, NULL);
    check_glance(format, &bytes, &open);
    run_demand(closed.verdict != FH_MORE, "a probe with all bytes at hand decides");
    if (closed.verdict == FH_ACCEPT && is_fragment(format, bytes, seen, closed.length)) {
        run_demand(seen->status != FH_OK, "the rest of it is missing");
    } else if (closed.verdict == FH_ACCEPT) {
        run_demand(seen->asset.grade >= FH_GRADE_STRUCTURE, "what is accepted has a structure");
        run_demand(closed.length == seen->asset.length, "probe and verify find the same length");
    } else {
        run_demand(closed.rule != NULL && closed.reject_off <= bytes.size,
                   "a rejection has a place");
        assert(closed.rule != NULL);
        /* Verify may have spent its work before it has told what it counts to the end. */
        const bool is_told = seen->status == FH_LIMIT || run_was_told(&seen->verify, closed.rule);
        if (!is_told) { /* the same about another rule is another bug */
            (void)fprintf(stderr, "about: %s\n", closed.rule->code);
        }
        run_demand(is_told, "verify tells what the probe rejects");
    }
    if (open.verdict == FH_MORE) {
        run_demand(open.length > bytes.size, "more is more than there is");
        /* In memory any word may look like the address of something that is not at hand. */
        run_demand(closed.verdict == FH_REJECT || seen->asset.grade < FH_GRADE_REFERENCES ||
                       seen->asset.ram_address != FH_UNKNOWN || run_has_warning(&seen->verify) ||
                       is_padded(bytes, closed.length) || format->is_text ||
                       only_looks_ahead(format, bytes, open.length, closed.length),
                   "what wants more is not whole");
    } else if (open.verdict == FH_ACCEPT) {
        run_demand(same_verdict(&open, &closed), "an accepted asset needs nothing behind it");
    } else {
        run_demand(closed.verdict == FH_REJECT, "a rejection does not hang on the end");
    }
}

static bool has_magic(const fh_format *format, fh_cursor bytes)
{
    const uint32_t word = fh_cursor_u32(&bytes);
    for (size_t i = 0; i < format->num_magics; i++) {
        if ((word & format->magics[i].mask) == format->magics[i].value) {
            return true;
        }
    }
    return false;
}

/* Probes candidates as they overlap in a stream, with and without the memo. */
enum { MOST_CANDIDATES = 24, MEMO_STEPS = 4096 };
void oracle_memo(const fh_format *format, fh_cursor bytes, fh_end end)
{
    static uint32_t steps[MEMO_STEPS];
    memset(steps, 0, sizeof steps);
    fh_memo memo = {.steps = steps, .num_steps = MEMO_STEPS, .unit = format->alignment};
    unsigned num = 0;
    for (size_t off = 0; off < bytes.size && num < MOST_CANDIDATES; off += format->alignment) {
        fh_cursor candidate = fh_cursor_sub(&bytes, off, bytes.size - off);
        candidate.origin = off;
        if (has_magic(format, candidate)) {
            const fh_probe with = run_probe(format, candidate, end, &memo);
            const fh_probe without = run_probe(format, candidate, end, NULL);
            run_demand(same_verdict(&with, &without), "the memo changes no verdict");
            num++;
        }
    }
}

/* Looks for assets as the scanner does, and examines those that begin inside. */
void oracle_places(const fh_format *format, fh_cursor bytes)
{
    unsigned num = 0;
    size_t start = 0;
    for (size_t at = 0; at < bytes.size && num < MOST_CANDIDATES; at++) {
        if (!has_magic(format, fh_cursor_sub(&bytes, at, bytes.size - at)) ||
            !format->locate(&start, bytes, at)) {
            continue;
        }
        run_demand(start <= at && at - start <= FH_LOOK_BEHIND, "it begins not far in front");
        uint8_t *copy = run_copy(bytes.base + start, bytes.size - start);
        const fh_cursor rest = fh_cursor_make(copy, bytes.size - start, 0);
        const fh_probe found = run_probe(format, rest, FH_END_STREAM, NULL);
        if (found.verdict == FH_ACCEPT) {
            (void)check_carved(format, rest, found.length);
        }
        run_release(copy);
        num++;
    }
}

void oracle_alone(const fh_format *format, const uint8_t *data, const run_outcome *seen)
{
    size_t used = 0;
    run_outcome alone;
    const size_t len = seen->asset.length;
    uint8_t *copy = run_copy(data, len);
    run_file(&alone, &used, format, fh_cursor_make(copy, len, 0), &run_as_the_scanner);
    run_release(copy);
    if (seen->status == FH_LIMIT || alone.status == FH_LIMIT) {
        return; /* less bytes, less budget */
    }
    if (seen->asset.ram_address != FH_UNKNOWN) {
        /* Less is known of what must fit into less bytes. */
        run_demand(alone.asset.grade >= FH_GRADE_STRUCTURE && alone.asset.length <= len,
                   "bytes behind the asset do not hold it together");
        return;
    }
    /* What is wrong behind the asset of a whole file may keep the grade of the file down. */
    const bool is_kept_down = alone.asset.grade > seen->asset.grade &&
                              seen->asset.grade == FH_GRADE_STRUCTURE &&
                              seen->verify.last_error >= (int64_t)len;
    run_demand((alone.asset.grade == seen->asset.grade || is_kept_down) &&
                   alone.asset.length == len,
               "bytes behind the asset do not change it");
    run_demand(run_is_cut_short(&alone.result) || run_is_cut_short(&seen->result) ||
                   alone.replay.hash == seen->replay.hash,
               "bytes behind the asset do not change its motion");
}

/* Where the asset ends if nothing but its own references says so: zeros at the end of a file may
 * be its padding, of which it does not need the last byte. */
static size_t proven_length(const fh_format *format, const uint8_t *data, const run_outcome *seen)
{
    const fh_cursor bytes = fh_cursor_make(data, seen->asset.length, 0);
    const fh_probe inside = run_probe(format, bytes, FH_END_STREAM, NULL);
    return inside.verdict == FH_ACCEPT ? inside.length : seen->asset.length;
}

/* Without its last bytes an asset is worse, or is said to be, or ends before them: a format may
 * take what looks like its own to the end of the bytes. */
static void check_cut(const fh_format *format, const uint8_t *data, const run_outcome *seen,
                      size_t len)
{
    size_t used = 0;
    run_outcome cut;
    uint8_t *copy = run_copy(data, len);
    const fh_cursor bytes = fh_cursor_make(copy, len, 0);
    run_file(&cut, &used, format, bytes, &run_as_the_scanner);
    const fh_probe asked = run_probe(format, bytes, FH_END_NONE, NULL);
    /* The last line of a text may be without its end, a comment in it is free, and a number may do
     * without its last digit. */
    const bool is_free_text =
        format->is_text && (cut.asset.grade == seen->asset.grade || cut.asset.length == len);
    run_demand(seen->asset.ram_address != FH_UNKNOWN || cut.asset.grade < seen->asset.grade ||
                   cut.asset.grade < FH_GRADE_REFERENCES || run_has_warning(&cut.verify) ||
                   is_free_text || proven_length(format, copy, &cut) < len,
               "an asset needs its last byte");
    run_demand(seen->asset.ram_address != FH_UNKNOWN || asked.verdict == FH_MORE ||
                   (asked.verdict == FH_REJECT && asked.status == FH_LIMIT),
               "and a probe asks for it");
    run_release(copy);
}

void oracle_cuts(const fh_format *format, const uint8_t *data, const run_outcome *seen)
{
    const size_t len = proven_length(format, data, seen);
    check_cut(format, data, seen, len - 1);
    check_cut(format, data, seen, len > format->alignment ? len - format->alignment : 0);
}

/* A text may begin in a way that only the start of a file allows, as with a blank line; among other
 * bytes it begins where its first word says. */
static bool begins_at_start(const fh_format *format, fh_cursor bytes)
{
    size_t start = 0;
    size_t at = 0;
    while (format->locate != NULL && at < bytes.size) {
        if (has_magic(format, fh_cursor_sub(&bytes, at, bytes.size - at)) &&
            format->locate(&start, bytes, at)) {
            return start == 0;
        }
        at++;
    }
    return format->locate == NULL;
}

/* A text of several rows may lie among zeros; a single one, or one of whole numbers, is one only
 * where it is all that a source has, since few words in a row are no evidence of a text. */
static bool is_one_among_zeros(const fh_format *format, const uint8_t *data, size_t len)
{
    enum { NUM_ZEROS = 16, SOMEWHERE = 4096 };
    uint8_t *copy = run_copy_with(data, len, NUM_ZEROS);
    memset(copy + len, 0, NUM_ZEROS);
    const fh_probe found =
        run_probe(format, fh_cursor_make(copy, len + NUM_ZEROS, SOMEWHERE), FH_END_STREAM, NULL);
    run_release(copy);
    return found.verdict == FH_ACCEPT && found.length == len;
}

/* What was replayed is found again, wherever it lies, and at exactly its extent: that which it has
 * where a file does not say where it ends. An address of memory hangs on what lies around. */
void oracle_found(const fh_format *format, const uint8_t *data, const run_outcome *seen,
                  uint64_t choice)
{
    size_t used = 0;
    run_outcome own;
    const size_t len = proven_length(format, data, seen);
    uint8_t *copy = run_copy(data, len);
    const fh_cursor bytes = fh_cursor_make(copy, len, 0);
    run_with(&own, &used, format, bytes, &run_carved, &run_as_the_scanner);
    const fh_probe alone = run_probe(format, bytes, FH_END_STREAM, NULL);
    if (alone.verdict == FH_ACCEPT && alone.length == len && own.asset.length == len &&
        (!format->is_text || is_one_among_zeros(format, copy, len)) &&
        begins_at_start(format, bytes) && run_grade(&own) == FH_GRADE_REPLAYED &&
        own.asset.ram_address == FH_UNKNOWN) {
        run_demand(fuzz_is_found(format, copy, len, choice), "what is replayed is found anywhere");
    }
    run_release(copy);
}
