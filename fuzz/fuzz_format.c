#include "fuzz_format.h"

#include "fuzz_found.h"
#include "hunt/exam.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that one run says, folded into a number (FNV-1a), and what of it must be looked up. */
enum { MOST_CODES = 64 };

typedef struct account {
    uint64_t hash;
    size_t size; /* of the bytes: findings must point there */
    const fh_rule *told[MOST_CODES];
    size_t num_told;
    int64_t last_error; /* the furthest offset of an error */
    uint32_t num_frames;
} account;

typedef struct outcome {
    fh_status status;
    fh_asset asset;
    bool has_model;
    account verify;
    fh_status replay_status;
    fh_replay_result result;
    account replay;
} outcome;

/* What parts the bytes of an asset from those of its companion: no text holds it. */
enum { BEGINS_COMPANION = 0x1c };

static const fh_verify_options whole_file = {.stand_alone = true, .aligned = true};
static const fh_verify_options carved = {.aligned = true};
static const fh_replay_options as_the_scanner = {.changes_only = true};

/* How much of the work of this input is done, and what is to be freed when it is done anew. */
enum { MOST_COPIES = 8 };
typedef struct effort {
    bool is_whole; /* all oracles, and the work that the scanner allows */
    bool is_shown; /* messages are made */
    jmp_buf anew;
    void *copies[MOST_COPIES];
} effort;

static effort now;

static _Noreturn void give_up(const char *truth)
{
    (void)fprintf(stderr, "fuzz_format: violated: %s\n", truth);
    abort();
}

/* What is true however little work is allowed. */
static void insist(bool holds, const char *truth)
{
    if (!holds) {
        give_up(truth);
    }
}

/* What is true unless the work was cut short. With less than the scanner allows that may be the
 * reason; so the input is run once more, with all of it. */
static void demand(bool holds, const char *truth)
{
    if (!holds && !now.is_whole) {
        longjmp(now.anew, 1);
    }
    insist(holds, truth);
}

/* No address is hashed: an input is asked the same each time. Eight bytes at a time: this is done
 * for every row of every pose. */
static uint64_t hash_of(uint64_t hash, const void *bytes, size_t len)
{
    const uint8_t *at = bytes;
    while (len > 0) {
        uint64_t word = len;
        const size_t num = len < sizeof word ? len : sizeof word;
        memcpy(&word, at, num);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
        at += num;
        len -= num;
    }
    return hash;
}

static void fold(account *into, const void *bytes, size_t len)
{
    into->hash = hash_of(into->hash, bytes, len);
}

static void fold_str(account *into, const char *str)
{
    fold(into, str, strlen(str) + 1);
}

static void fold_number(account *into, int64_t number)
{
    fold(into, &number, sizeof number);
}

static account open_account(size_t size)
{
    return (account){.hash = UINT64_C(0xcbf29ce484222325), .size = size, .last_error = FH_UNKNOWN};
}

static void show(account *to, const fh_finding *finding)
{
    char message[FH_MESSAGE_LEN];
    fh_text text = fh_text_make(message, sizeof message);
    fh_finding_message(&text, finding);
    insist(strchr(message, '\n') == NULL && message[0] != '\0', "a message is one line");
    fold_str(to, message);
}

static void take_finding(void *user, const fh_finding *finding)
{
    account *to = user;
    insist(finding->offset == FH_UNKNOWN ||
               (finding->offset >= 0 && (uint64_t)finding->offset <= to->size),
           "a finding points into the bytes");
    if (now.is_shown) {
        show(to, finding);
    }
    fold_str(to, finding->rule->code);
    fold_number(to, finding->offset);
    fold_number(to, finding->frame);
    fold_number(to, finding->frame_number);
    fold_number(to, finding->object);
    if (finding->rule->severity == FH_ERROR && finding->offset > to->last_error) {
        to->last_error = finding->offset;
    }
    for (size_t i = 0; i < to->num_told; i++) {
        if (to->told[i] == finding->rule) {
            return;
        }
    }
    if (to->num_told < MOST_CODES) {
        to->told[to->num_told++] = finding->rule;
    }
}

static void take_frame(void *user, const fh_pose_frame *frame)
{
    account *to = user;
    to->num_frames++;
    fold_number(to, frame->index);
    fold_number(to, frame->number);
}

static void take_row(void *user, const fh_pose_row *row)
{
    account *to = user;
    fold(to, &row->table->num_columns, sizeof row->table->num_columns);
    fold(to, row->values, row->table->num_columns * sizeof row->values[0]);
}

/* Remembers what is to be freed, until `release`. */
static void *keep(void *copy)
{
    size_t i = 0;
    while (i < MOST_COPIES && now.copies[i] != NULL) {
        i++;
    }
    if (copy == NULL) {
        give_up("the system has memory");
    }
    insist(i < MOST_COPIES, "no more copies are made than there is room for");
    now.copies[i] = copy;
    return copy;
}

static void release(void *copy)
{
    if (copy == NULL) {
        return;
    }
    for (size_t i = 0; i < MOST_COPIES; i++) {
        now.copies[i] = now.copies[i] == copy ? NULL : now.copies[i];
    }
    free(copy);
}

static void release_all(void)
{
    for (size_t i = 0; i < MOST_COPIES; i++) {
        free(now.copies[i]);
        now.copies[i] = NULL;
    }
}

/* One block for all runs: its size hangs on the length of the input, but getting 8 MiB from the
 * system for each of 100,000 inputs a second would be most of the work. */
static fh_arena provide_arena(size_t len)
{
    static uint8_t *block;
    static size_t block_len;
    const size_t arena_len = fh_arena_len(len);
    if (block_len < arena_len) {
        free(block);
        block = malloc(arena_len);
        block_len = arena_len;
    }
    insist(block != NULL, "the system has memory");
    return fh_arena_make(block, arena_len);
}

/* Fills the first bytes of an arena that nothing was taken from yet. */
static void fill(fh_arena *arena, uint8_t with, size_t len)
{
    const fh_arena whole = *arena;
    fh_arena_return(arena);
    memset(whole.base, with, len < whole.size ? len : whole.size);
    *arena = whole;
}

/* Less than the scanner allows: enough for nearly every file of few bytes, and nothing for those
 * that would run for milliseconds. */
enum { LITTLE_BUDGET_FLOOR = 4096, LITTLE_BUDGET_PER_BYTE = 32 };

static fh_budget allowance(size_t len, uint32_t num_slots)
{
    return now.is_whole ? fh_budget_for(len, num_slots)
                        : (fh_budget){LITTLE_BUDGET_FLOOR + LITTLE_BUDGET_PER_BYTE * (uint64_t)len};
}

/* What few bytes may ask for beyond it: nothing, unless all is allowed. */
static fh_budget *reserve_of(fh_budget *nothing)
{
    return now.is_whole ? NULL : nothing;
}

static bool is_cut_short(const fh_replay_result *result)
{
    return result->state == FH_REPLAY_STOPPED || result->state == FH_REPLAY_BROKEN;
}

static void replay_model(outcome *out, const fh_format *format, fh_arena *arena, const void *model,
                         size_t len, const fh_replay_options *options)
{
    fh_budget budget = allowance(len, options->num_slots);
    const fh_sink sink = {&out->replay, take_finding, take_frame, take_row};
    fh_budget nothing = {0};
    const fh_env env = {arena, &budget, &sink, reserve_of(&nothing)};
    out->replay_status = format->replay(&out->result, &env, model, options);
    insist(out->replay_status == FH_OK, "what verify gave a model for can be replayed");
    insist(out->asset.frames == FH_UNKNOWN || out->result.frames <= out->asset.frames,
           "no more frames are run than there are");
    demand(out->replay.num_frames == out->result.frames ||
               (is_cut_short(&out->result) && out->replay.num_frames == out->result.frames + 1),
           "every frame that is run is shown, of one that cannot be its begin");
    insist(out->result.evaluator != NULL, "the evaluator has a name");
    fold_number(&out->replay, (int64_t)out->result.ticks);
    fold_number(&out->replay, (int64_t)out->result.state);
}

static void check_asset(const outcome *out)
{
    const bool holds = out->asset.grade >= FH_GRADE_STRUCTURE;
    const bool stopped = out->status == FH_LIMIT;
    insist(out->status != FH_INTERNAL, "no bug of ours is reported");
    insist(out->status != FH_NO_MEMORY, "the arena suffices");
    insist(out->asset.length <= out->verify.size, "an asset is not longer than the bytes");
    insist(out->asset.grade <= FH_GRADE_REFERENCES, "verify does not replay");
    /* A fragment holds, but nothing can play it. */
    demand(out->status != FH_OK || out->has_model || out->asset.grade == FH_GRADE_STRUCTURE,
           "what refers to what it has can be played");
    insist(stopped || (out->status == FH_OK) == holds, "OK means that the structure holds");
    insist(out->status == FH_OK || out->verify.num_told > 0, "what is wrong is told");
}

/* Decodes, verifies and replays as the examination of a scan does. used_before is how much of the
 * arena the run before used: that is filled, so that whoever reads it uninitialised is found. */
static void run_with(outcome *out, size_t *used, const fh_format *format, fh_cursor bytes,
                     const fh_verify_options *verify_options, const fh_replay_options *options)
{
    const fh_cursor *companion = verify_options->companion;
    const size_t len = bytes.size + (companion == NULL ? 0 : companion->size);
    *out = (outcome){.verify = open_account(bytes.size), .replay = open_account(bytes.size)};
    fh_arena arena = provide_arena(len);
    if (*used > 0) {
        fill(&arena, 0xa5, *used);
    }
    fh_budget budget = allowance(len, 0);
    const fh_sink sink = {.user = &out->verify, .finding = take_finding};
    fh_budget nothing = {0};
    const fh_env env = {&arena, &budget, &sink, reserve_of(&nothing)};
    const void *model = NULL;
    out->status = format->verify(&out->asset, &model, &env, bytes, verify_options);
    out->has_model = model != NULL;
    check_asset(out);
    fold_number(&out->verify, (int64_t)out->asset.length);
    fold_number(&out->verify, out->asset.grade);
    fold_number(&out->verify, out->asset.evidence_bits);
    fold_number(&out->verify, out->asset.objects);
    if (model != NULL) {
        replay_model(out, format, &arena, model, len, options);
    }
    *used = arena.used;
}

static void run(outcome *out, size_t *used, const fh_format *format, fh_cursor bytes,
                const fh_replay_options *options)
{
    run_with(out, used, format, bytes, &whole_file, options);
}

static fh_probe probe(const fh_format *format, fh_cursor bytes, fh_end end, fh_memo *memo)
{
    fh_probe out;
    fh_arena arena = provide_arena(bytes.size);
    fh_budget budget = allowance(bytes.size, 0);
    format->probe(&out, bytes, end, memo, &arena, &budget);
    return out;
}

static bool same_verdict(const fh_probe *a, const fh_probe *b)
{
    return a->verdict == b->verdict && (a->verdict == FH_REJECT || a->length == b->length);
}

static bool was_told(const account *in, const fh_rule *rule)
{
    for (size_t i = 0; i < in->num_told; i++) {
        if (in->told[i] == rule) {
            return true;
        }
    }
    return in->num_told == MOST_CODES;
}

static bool has_warning(const account *in)
{
    for (size_t i = 0; i < in->num_told; i++) {
        if (in->told[i]->severity >= FH_WARNING) {
            return true;
        }
    }
    return false;
}

/* An exact-size copy, so that reading a byte too far is seen; `more` bytes of 0xff follow it. */
static uint8_t *copy_with(const uint8_t *data, size_t size, size_t more)
{
    uint8_t *copy = keep(malloc(size + more > 0 ? size + more : 1));
    if (size > 0) {
        memcpy(copy, data, size);
    }
    if (more > 0) {
        memset(copy + size, 0xff, more);
    }
    return copy;
}

static uint8_t *copy_of(const uint8_t *data, size_t size)
{
    return copy_with(data, size, 0);
}

/* With the bytes that the probe asks for, none of which looks like its own, the asset stays as it
 * is.
 */
static bool only_looks_ahead(const fh_format *format, fh_cursor bytes, size_t wanted, size_t len)
{
    if (wanted > FH_MAX_ASSET_LEN) {
        return true;
    }
    uint8_t *copy = copy_with(bytes.base, bytes.size, wanted - bytes.size);
    const fh_probe there = probe(format, fh_cursor_make(copy, wanted, 0), FH_END_STREAM, NULL);
    release(copy);
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
static outcome check_carved(const fh_format *format, fh_cursor bytes, size_t len)
{
    size_t used = 0;
    outcome all;
    outcome own;
    run_with(&all, &used, format, bytes, &carved, &as_the_scanner);
    demand(all.asset.grade >= FH_GRADE_STRUCTURE && all.asset.length == len,
           "what is accepted has a structure of that length");
    uint8_t *copy = copy_of(bytes.base, len);
    const fh_cursor cut = fh_cursor_make(copy, len, 0);
    run_with(&own, &used, format, cut, &carved, &as_the_scanner);
    const fh_probe alone = probe(format, cut, FH_END_STREAM, NULL);
    release(copy);
    demand(own.asset.grade == all.asset.grade && own.asset.length == len,
           "what is accepted needs nothing behind it");
    demand(alone.verdict == FH_ACCEPT && alone.length == len, "and is found again");
    return own;
}

/* In a file of its own a fragment is a damaged text. */
static bool is_fragment(const fh_format *format, fh_cursor bytes, const outcome *seen, size_t len)
{
    return format->is_text && seen->asset.grade < FH_GRADE_STRUCTURE &&
           check_carved(format, bytes, len).asset.grade == FH_GRADE_STRUCTURE;
}

static void check_probe(const fh_format *format, fh_cursor bytes, const outcome *seen)
{
    const fh_probe closed = probe(format, bytes, FH_END_FILE, NULL);
    const fh_probe open = probe(format, bytes, FH_END_NONE, NULL);
    demand(closed.verdict != FH_MORE, "a probe with all bytes at hand decides");
    if (closed.verdict == FH_ACCEPT && is_fragment(format, bytes, seen, closed.length)) {
        demand(seen->status != FH_OK, "the rest of it is missing");
    } else if (closed.verdict == FH_ACCEPT) {
        demand(seen->asset.grade >= FH_GRADE_STRUCTURE, "what is accepted has a structure");
        demand(closed.length == seen->asset.length, "probe and verify find the same length");
    } else {
        demand(closed.rule != NULL && closed.reject_off <= bytes.size, "a rejection has a place");
        demand(was_told(&seen->verify, closed.rule), "verify tells what the probe rejects");
    }
    if (open.verdict == FH_MORE) {
        demand(open.length > bytes.size, "more is more than there is");
        /* In memory any word may look like the address of something that is not at hand. */
        demand(closed.verdict == FH_REJECT || seen->asset.grade < FH_GRADE_REFERENCES ||
                   seen->asset.ram_address != FH_UNKNOWN || has_warning(&seen->verify) ||
                   is_padded(bytes, closed.length) || format->is_text ||
                   only_looks_ahead(format, bytes, open.length, closed.length),
               "what wants more is not whole");
    } else if (open.verdict == FH_ACCEPT) {
        demand(same_verdict(&open, &closed), "an accepted asset needs nothing behind it");
    } else {
        demand(closed.verdict == FH_REJECT, "a rejection does not hang on the end");
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

static void check_memo(const fh_format *format, fh_cursor bytes, fh_end end)
{
    static uint32_t steps[MEMO_STEPS];
    memset(steps, 0, sizeof steps);
    fh_memo memo = {.steps = steps, .num_steps = MEMO_STEPS, .unit = format->alignment};
    unsigned num = 0;
    for (size_t off = 0; off < bytes.size && num < MOST_CANDIDATES; off += format->alignment) {
        fh_cursor candidate = fh_cursor_sub(&bytes, off, bytes.size - off);
        candidate.origin = off;
        if (has_magic(format, candidate)) {
            const fh_probe with = probe(format, candidate, end, &memo);
            const fh_probe without = probe(format, candidate, end, NULL);
            demand(same_verdict(&with, &without), "the memo changes no verdict");
            num++;
        }
    }
}

/* Looks for assets as the scanner does, and examines those that begin inside. */
static void check_places(const fh_format *format, fh_cursor bytes)
{
    unsigned num = 0;
    size_t start = 0;
    for (size_t at = 0; at < bytes.size && num < MOST_CANDIDATES; at++) {
        if (!has_magic(format, fh_cursor_sub(&bytes, at, bytes.size - at)) ||
            !format->locate(&start, bytes, at)) {
            continue;
        }
        demand(start <= at && at - start <= FH_LOOK_BEHIND, "it begins not far in front");
        uint8_t *copy = copy_of(bytes.base + start, bytes.size - start);
        const fh_cursor rest = fh_cursor_make(copy, bytes.size - start, 0);
        const fh_probe found = probe(format, rest, FH_END_STREAM, NULL);
        if (found.verdict == FH_ACCEPT) {
            (void)check_carved(format, rest, found.length);
        }
        release(copy);
        num++;
    }
}

static void check_alone(const fh_format *format, const uint8_t *data, const outcome *seen)
{
    size_t used = 0;
    outcome alone;
    const size_t len = seen->asset.length;
    uint8_t *copy = copy_of(data, len);
    run(&alone, &used, format, fh_cursor_make(copy, len, 0), &as_the_scanner);
    release(copy);
    if (seen->status == FH_LIMIT || alone.status == FH_LIMIT) {
        return; /* less bytes, less budget */
    }
    if (seen->asset.ram_address != FH_UNKNOWN) {
        /* Less is known of what must fit into less bytes. */
        demand(alone.asset.grade >= FH_GRADE_STRUCTURE && alone.asset.length <= len,
               "bytes behind the asset do not hold it together");
        return;
    }
    /* What is wrong behind the asset of a whole file may keep the grade of the file down. */
    const bool is_kept_down = alone.asset.grade > seen->asset.grade &&
                              seen->asset.grade == FH_GRADE_STRUCTURE &&
                              seen->verify.last_error >= (int64_t)len;
    demand((alone.asset.grade == seen->asset.grade || is_kept_down) && alone.asset.length == len,
           "bytes behind the asset do not change it");
    demand(is_cut_short(&alone.result) || is_cut_short(&seen->result) ||
               alone.replay.hash == seen->replay.hash,
           "bytes behind the asset do not change its motion");
}

/* Where the asset ends if nothing but its own references says so: zeros at the end of a file may
 * be its padding, of which it does not need the last byte. */
static size_t proven_length(const fh_format *format, const uint8_t *data, const outcome *seen)
{
    const fh_cursor bytes = fh_cursor_make(data, seen->asset.length, 0);
    const fh_probe inside = probe(format, bytes, FH_END_STREAM, NULL);
    return inside.verdict == FH_ACCEPT ? inside.length : seen->asset.length;
}

/* Without its last bytes an asset is worse, or is said to be, or ends before them: a format may
 * take what looks like its own to the end of the bytes. */
static void check_cut(const fh_format *format, const uint8_t *data, const outcome *seen, size_t len)
{
    size_t used = 0;
    outcome cut;
    uint8_t *copy = copy_of(data, len);
    const fh_cursor bytes = fh_cursor_make(copy, len, 0);
    run(&cut, &used, format, bytes, &as_the_scanner);
    const fh_probe asked = probe(format, bytes, FH_END_NONE, NULL);
    /* The last line of a text may be without its end, a comment in it is free, and a number may do
     * without its last digit. */
    const bool is_free_text =
        format->is_text && (cut.asset.grade == seen->asset.grade || cut.asset.length == len);
    demand(seen->asset.ram_address != FH_UNKNOWN || cut.asset.grade < seen->asset.grade ||
               cut.asset.grade < FH_GRADE_REFERENCES || has_warning(&cut.verify) || is_free_text ||
               proven_length(format, copy, &cut) < len,
           "an asset needs its last byte");
    demand(seen->asset.ram_address != FH_UNKNOWN || asked.verdict == FH_MORE ||
               (asked.verdict == FH_REJECT && asked.status == FH_LIMIT),
           "and a probe asks for it");
    release(copy);
}

static void check_cuts(const fh_format *format, const uint8_t *data, const outcome *seen)
{
    const size_t len = proven_length(format, data, seen);
    check_cut(format, data, seen, len - 1);
    check_cut(format, data, seen, len > format->alignment ? len - format->alignment : 0);
}

/* Options of the replay that the input chooses: each player, small and large tables, world space.
 */
static fh_replay_options chosen_options(const fh_format *format, const outcome *seen)
{
    size_t num_profiles = 0;
    while (format->profiles[num_profiles] != NULL) {
        num_profiles++;
    }
    const uint64_t choice = seen->verify.hash;
    demand(num_profiles > 0, "a format has a player");
    return (fh_replay_options){.profile = format->profiles[choice % num_profiles],
                               .num_slots = (uint32_t)(choice >> 8) % (FH_PLAYER_MAX_SLOTS + 1),
                               .world = (choice & 0x80) != 0,
                               .changes_only = (choice & 0x40) != 0,
                               .time_step = (choice & 0x20) != 0 ? 100.0 : 0.0};
}

static void check_twice(const fh_format *format, fh_cursor bytes, const outcome *seen, size_t *used,
                        const fh_replay_options *options)
{
    outcome again;
    run(&again, used, format, bytes, options);
    demand(again.status == seen->status && again.verify.hash == seen->verify.hash,
           "verify gives the same twice");
    demand(again.replay_status == seen->replay_status && again.replay.hash == seen->replay.hash,
           "replay gives the same twice");
}

static void check_options(const fh_format *format, fh_cursor bytes, const outcome *seen)
{
    size_t used = 0;
    outcome other;
    const fh_replay_options options = chosen_options(format, seen);
    run(&other, &used, format, bytes, &options);
    check_twice(format, bytes, &other, &used, &options);
}

/* ---- grades ---- */

/* As the examination of a scan raises it. */
static fh_grade grade_of(const outcome *of)
{
    const bool is_complete = of->has_model && (of->result.state == FH_REPLAY_COMPLETE ||
                                               of->result.state == FH_REPLAY_ASSUMED);
    return of->asset.grade == FH_GRADE_REFERENCES && is_complete ? FH_GRADE_REPLAYED
                                                                 : of->asset.grade;
}

static bool was_cut_short(const outcome *of)
{
    return of->status == FH_LIMIT || (of->has_model && of->result.state == FH_REPLAY_STOPPED);
}

/* Nothing is left of the word that is wrong, or only a part of it, which may be right: 0.0 of 0.0e,
 * half a character of UTF-16. Where no word is wrong, the text lacked its end, and ends sooner now.
 */
static bool is_word_cut(const uint8_t *data, int64_t error, size_t len)
{
    for (size_t at = error < 0 ? len : (size_t)error; at < len; at++) {
        if (strchr(" \t\r\n", data[at]) != NULL && data[at] != '\0') {
            return false;
        }
    }
    return true;
}

/* A line that is wrong as a whole, for it has too many characters or columns, is cut, and may be
 * right now. UTF-16 has another byte behind its line ends. */
static bool is_line_cut(const uint8_t *data, int64_t error, size_t len)
{
    static const char ends[] = "\r\n";
    if (error < 0 || (size_t)error > len) {
        return false;
    }
    const size_t at = (size_t)error;
    const bool is_start = at == 0 || memchr(ends, data[at - 1], 2) != NULL ||
                          (at > 1 && memchr(ends, data[at - 2], 2) != NULL);
    return is_start && memchr(data + at, '\n', len - at) == NULL;
}

/* A row alone is enough only where it is all there is: the NUL behind it is cut off. */
static bool is_padding_cut(fh_cursor bytes, const outcome *seen, size_t len)
{
    return seen->asset.grade == FH_GRADE_CANDIDATE && len < bytes.size &&
           bytes.base[bytes.size - 1] == 0;
}

/* No part of an asset is better than the whole. Of a whole file, what is wrong behind the asset is
 * judged, too: two texts in one file, or a text and what is none, are a damaged file, and its grade
 * is that of its structure (CAM0016, CAM0008: the numbers of the rows go on where the file does).
 * Where the cut takes away what is wrong, the rest is a sound file, and the higher grade is right.
 * In memory less is known of what must fit into less bytes. */
static void check_part(const fh_format *format, fh_cursor bytes, const outcome *seen, size_t len)
{
    size_t used = 0;
    outcome part;
    const uint8_t *data = bytes.base;
    uint8_t *copy = copy_of(data, len);
    run(&part, &used, format, fh_cursor_make(copy, len, 0), &as_the_scanner);
    release(copy);
    const bool is_freed = seen->asset.grade == FH_GRADE_STRUCTURE && seen->asset.length < len &&
                          seen->verify.last_error >= (int64_t)len;
    const bool is_freed_text =
        format->is_text && seen->asset.grade <= FH_GRADE_STRUCTURE &&
        (is_word_cut(data, seen->verify.last_error, len) ||
         is_line_cut(data, seen->verify.last_error, len) || is_padding_cut(bytes, seen, len));
    demand(was_cut_short(seen) || seen->asset.ram_address != FH_UNKNOWN || is_freed ||
               is_freed_text || grade_of(&part) <= grade_of(seen),
           "cutting does not raise the grade");
}

/* What follows an asset that needs nothing behind it makes it no better. (Others may find there
 * what they refer to.) */
static void check_longer(const fh_format *format, fh_cursor bytes, const outcome *seen,
                         uint64_t choice)
{
    enum { MOST_MORE = 64 };
    size_t used = 0;
    outcome longer;
    if (probe(format, bytes, FH_END_NONE, NULL).verdict != FH_ACCEPT) {
        return;
    }
    const size_t len = bytes.size + 1 + (size_t)(choice % MOST_MORE);
    uint8_t *copy = copy_with(bytes.base, bytes.size, len - bytes.size);
    for (size_t i = bytes.size; i < len; i++) {
        choice = hash_of(choice, &i, sizeof i);
        copy[i] = (uint8_t)(choice >> 20);
    }
    run(&longer, &used, format, fh_cursor_make(copy, len, 0), &as_the_scanner);
    release(copy);
    const bool is_freed = seen->asset.grade == FH_GRADE_STRUCTURE &&
                          seen->verify.last_error >= (int64_t)seen->asset.length;
    demand(was_cut_short(seen) || seen->asset.ram_address != FH_UNKNOWN || is_freed ||
               grade_of(&longer) <= grade_of(seen),
           "appending does not raise the grade");
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

/* Zeros end a text of several rows; behind a single one they are taken for damage, since few words
 * in a row are no evidence of a text (CAM0016). */
static bool is_one_among_zeros(const fh_format *format, const uint8_t *data, size_t len)
{
    enum { NUM_ZEROS = 16 };
    uint8_t *copy = copy_with(data, len, NUM_ZEROS);
    memset(copy + len, 0, NUM_ZEROS);
    const fh_probe found =
        probe(format, fh_cursor_make(copy, len + NUM_ZEROS, 0), FH_END_STREAM, NULL);
    release(copy);
    return found.verdict == FH_ACCEPT && found.length == len;
}

/* What was replayed is found again, wherever it lies, and at exactly its extent: that which it has
 * where a file does not say where it ends. An address of memory hangs on what lies around. */
static void check_found(const fh_format *format, const uint8_t *data, const outcome *seen,
                        uint64_t choice)
{
    size_t used = 0;
    outcome own;
    const size_t len = proven_length(format, data, seen);
    uint8_t *copy = copy_of(data, len);
    const fh_cursor bytes = fh_cursor_make(copy, len, 0);
    run_with(&own, &used, format, bytes, &carved, &as_the_scanner);
    const fh_probe alone = probe(format, bytes, FH_END_STREAM, NULL);
    if (alone.verdict == FH_ACCEPT && alone.length == len && own.asset.length == len &&
        (!format->is_text || is_one_among_zeros(format, copy, len)) &&
        begins_at_start(format, bytes) && grade_of(&own) == FH_GRADE_REPLAYED &&
        own.asset.ram_address == FH_UNKNOWN) {
        demand(fuzz_is_found(format, copy, len, choice), "what is replayed is found anywhere");
    }
    release(copy);
}

/* ---- bounds ---- */

/* Short inputs cannot hide behind the floor of a budget (limits.h): the dearest search, that of a
 * parent for each packet of 4 bytes, is a sixteenth of their square. Of the seeds of up to 2 KiB
 * none takes more than 4,238 units. Parts of an HMD may be referred to again and again, up to a
 * budget of their own: one of 346 bytes takes 653,693 units. */
enum { SHORT_LEN = 4096, SHORT_FLOOR = 1 << 16 };

static uint64_t most_work(const fh_format *format, size_t len)
{
    if (strcmp(format->name, "hmd") == 0) {
        return FH_LOOK_BUDGET_FLOOR + FH_LOOK_BUDGET_PER_BYTE * (uint64_t)len;
    }
    return len > SHORT_LEN ? fh_budget_for(len, 0).left
                           : SHORT_FLOOR + FH_BUDGET_PER_BYTE * (uint64_t)len;
}

/* So it is with the arena: beside the tables for each byte only those stand that every input has,
 * the pages of a TOD's ids, which are 256 KiB at most, and what an HMD announces: one of 1,768
 * bytes with 65,535 records takes 793,440 bytes, the most that was found. 16 for the tables
 * (limits.h), and as much again for the records of a TOD's objects, each of which needs a packet.
 */
enum { UNTOUCHED = 0xa5, ARENA_FLOOR = 1 << 20, ARENA_PER_BYTE = 2 * FH_ARENA_PER_BYTE };

/* The furthest byte of the arena that was written, or few more: an arena is large, and is looked at
 * in blocks. */
static size_t peak_of(fh_arena *arena)
{
    enum { BLOCK_LEN = 4096 };
    size_t peak = arena->size;
    const uint8_t *base = arena->base;
    fh_arena_return(arena);
    while (peak >= BLOCK_LEN) {
        const uint8_t *block = base + peak - BLOCK_LEN;
        if (block[0] != UNTOUCHED || memcmp(block, block + 1, BLOCK_LEN - 1) != 0) {
            break;
        }
        peak -= BLOCK_LEN;
    }
    return peak;
}

static void check_bounds(const fh_format *format, fh_cursor bytes)
{
    account nobody = open_account(bytes.size);
    fh_arena arena = provide_arena(bytes.size);
    fill(&arena, UNTOUCHED, arena.size);
    fh_budget budget = fh_budget_for(bytes.size, 0);
    const uint64_t all = budget.left;
    const fh_sink sink = {.user = &nobody, .finding = take_finding};
    fh_budget nothing = {0};
    const fh_env env = {&arena, &budget, &sink, &nothing};
    const void *model = NULL;
    fh_asset asset;
    const fh_status status = format->verify(&asset, &model, &env, bytes, &whole_file);
    demand(status == FH_LIMIT || all - budget.left <= most_work(format, bytes.size),
           "the work of verifying stays under its bound");
    demand(peak_of(&arena) <= ARENA_FLOOR + ARENA_PER_BYTE * bytes.size,
           "the memory of verifying stays under its bound");
}

/* ---- the canonical form ---- */

typedef struct text {
    uint8_t *bytes; /* owned */
    size_t len;
    size_t max;
    uint64_t poses; /* of what was decoded to get it: the hash of its motion */
    bool is_told;   /* some finding of what was decoded is an error */
    bool is_cut;    /* the work was cut short, and so is the motion */
} text;

static void take_text(void *user, const char *piece, size_t len)
{
    text *to = user;
    if (to->max - to->len < len) {
        to->max = 2 * (to->max + len);
        uint8_t *larger = keep(malloc(to->max));
        if (to->len > 0) {
            memcpy(larger, to->bytes, to->len);
        }
        release(to->bytes);
        to->bytes = larger;
    }
    memcpy(to->bytes + to->len, piece, len);
    to->len += len;
}

static void note_error(void *user, const fh_finding *finding)
{
    text *to = user;
    to->is_told = to->is_told || finding->rule->severity == FH_ERROR;
}

/* Decodes bytes, and writes them anew if they are sound; false if they are not, or cannot be. */
static bool write_anew(text *out, const fh_format *format, fh_cursor bytes)
{
    account motion = open_account(bytes.size);
    fh_arena arena = provide_arena(bytes.size);
    fh_budget budget = allowance(bytes.size, 0);
    const fh_sink findings = {.user = out, .finding = note_error};
    const fh_sink poses = {.user = &motion, .frame = take_frame, .pose = take_row};
    const fh_text_sink sink = {out, take_text};
    fh_budget nothing = {0};
    fh_env env = {&arena, &budget, &findings, reserve_of(&nothing)};
    fh_asset asset;
    fh_replay_result result;
    const void *model = NULL;
    *out = (text){.len = 0};
    const fh_status status = format->verify(&asset, &model, &env, bytes, &whole_file);
    if (status != FH_OK || out->is_told || asset.grade < FH_GRADE_REFERENCES) {
        return false;
    }
    env.sink = &poses;
    budget = allowance(bytes.size, 0);
    demand(format->replay(&result, &env, model, &as_the_scanner) == FH_OK, "it can be replayed");
    out->poses = motion.hash;
    out->is_cut = is_cut_short(&result);
    budget = allowance(bytes.size, 0);
    const fh_status written = format->canonical(&env, &sink, model);
    demand(written == FH_OK || written == FH_UNSUPPORTED, "a sound text can be written anew");
    demand(written == FH_OK || out->len == 0, "nothing is written unless all can be");
    return written == FH_OK;
}

/* A number that is rounded to six digits may move the other side of a rule's bound, and the motion;
 * where all digits are kept neither may be. */
static void check_canonical(const fh_format *format, fh_cursor bytes)
{
    const bool keeps_digits = strcmp(format->name, "tra") == 0;
    text first;
    text second = {.len = 0};
    if (write_anew(&first, format, bytes)) {
        const bool is_sound =
            write_anew(&second, format, fh_cursor_make(first.bytes, first.len, 0));
        demand(is_sound || !keeps_digits, "a canonical form is sound");
        demand(!is_sound ||
                   (second.len == first.len && memcmp(second.bytes, first.bytes, first.len) == 0),
               "a canonical form is its own");
        demand(!keeps_digits || first.is_cut || second.is_cut || second.poses == first.poses,
               "and moves alike");
    }
    release(first.bytes);
    release(second.bytes);
}

/* ---- companions ---- */

/* What an asset is held against changes nothing of its structure, and raises no grade; where it was
 * read in vain, that is told. */
static void check_companion(const fh_format *format, fh_cursor bytes, const outcome *seen,
                            const uint8_t *data, size_t len)
{
    size_t used = 0;
    outcome first;
    outcome again;
    uint8_t *copy = copy_of(data, len);
    const fh_cursor companion = fh_cursor_make(copy, len, 0);
    const fh_replay_options options = {.world = true, .changes_only = (len & 1) != 0};
    fh_verify_options beside = whole_file;
    beside.companion = &companion;
    run_with(&first, &used, format, bytes, &beside, &options);
    run_with(&again, &used, format, bytes, &beside, &options);
    demand(first.verify.hash == again.verify.hash && first.replay.hash == again.replay.hash,
           "a companion gives the same twice");
    if (first.status != FH_LIMIT && seen->status != FH_LIMIT) {
        demand(first.status == seen->status && first.asset.length == seen->asset.length &&
                   first.has_model == seen->has_model && first.asset.grade <= seen->asset.grade,
               "a companion changes no structure");
    }
    demand(!first.has_model || first.result.state != FH_REPLAY_BROKEN || first.verify.num_told > 0,
           "where there is no world space, that is told");
    (void)format->companion->is_one(companion);
    release(copy);
}

/* The place at which the companion begins, behind its mark; size if there is none. */
static size_t find_companion(const fh_format *format, const uint8_t *data, size_t size)
{
    const uint8_t *mark =
        format->companion == NULL || size == 0 ? NULL : memchr(data, BEGINS_COMPANION, size);
    return mark == NULL ? size : (size_t)(mark - data);
}

/* ---- repairs ---- */

typedef struct edits {
    account seen;
    const fh_format *format;
    size_t size;
} edits;

static void take_edit(void *user, const fh_edit *edit)
{
    edits *to = user;
    bool is_listed = false;
    for (size_t i = 0; i < to->format->num_mends; i++) {
        is_listed = is_listed || to->format->mends[i].rule == edit->rule;
    }
    demand(is_listed, "a rule that is mended is in the list");
    demand(edit->off <= to->size && edit->old_len <= to->size - edit->off,
           "an edit lies in the bytes");
    demand(to->format->is_text || edit->len == edit->old_len,
           "binary data keep their length when they are mended");
    fold_number(&to->seen, (int64_t)edit->off);
    fold_number(&to->seen, (int64_t)edit->old_len);
    fold(&to->seen, edit->bytes, edit->len);
}

static void take_unit(void *user, const fh_unit *unit)
{
    edits *to = user;
    demand(unit->off <= to->size && unit->len <= to->size - unit->off, "a unit lies in the bytes");
    for (size_t i = 0; i < FH_UNIT_COUNTS; i++) {
        demand(unit->counts[i].len <= to->size &&
                   unit->counts[i].off <= to->size - unit->counts[i].len,
               "and so does what counts it");
    }
    fold_number(&to->seen, (int64_t)unit->off);
    fold_number(&to->seen, (int64_t)unit->len);
}

static uint64_t hash_repairs(const fh_format *format, fh_cursor bytes)
{
    fh_arena arena = provide_arena(bytes.size);
    fh_budget budget = allowance(bytes.size, 0);
    const fh_sink nobody = {0};
    fh_budget nothing = {0};
    const fh_env env = {&arena, &budget, &nobody, reserve_of(&nothing)};
    edits all = {open_account(bytes.size), format, bytes.size};
    const fh_edit_sink edit_sink = {&all, take_edit};
    const fh_unit_sink unit_sink = {&all, take_unit};
    fold_number(&all.seen, (int64_t)format->repair(&env, &edit_sink, bytes, &whole_file));
    if (format->units != NULL) {
        arena = provide_arena(bytes.size);
        budget = allowance(bytes.size, 0);
        fold_number(&all.seen, (int64_t)format->units(&env, &unit_sink, bytes));
    }
    return all.seen.hash;
}

/* ---- all together ---- */

typedef struct subject {
    const fh_format *format;
    fh_cursor bytes;
    const uint8_t
        *data; /* of all that was given: the bytes, and those of a companion behind them */
    size_t whole;
    size_t used;     /* of the arena */
    uint64_t choice; /* hash of all that was given: what is asked of it */
    outcome seen;
} subject;

static void ask_companion(const subject *of)
{
    const size_t size = of->bytes.size;
    if (size < of->whole) {
        check_companion(of->format, of->bytes, &of->seen, of->data + size + 1,
                        of->whole - size - 1);
    }
}

/* What the arena held is overwritten as far as it was used. */
static void ask_twice(const subject *of)
{
    size_t used = of->used;
    check_twice(of->format, of->bytes, &of->seen, &used, &as_the_scanner);
}

static void ask_probe(const subject *of)
{
    check_probe(of->format, of->bytes, &of->seen);
}

static void ask_places(const subject *of)
{
    if (of->format->is_text && of->format->locate != NULL) {
        check_places(of->format, of->bytes);
    }
}

static void ask_memo(const subject *of)
{
    check_memo(of->format, of->bytes, FH_END_FILE);
    check_memo(of->format, of->bytes, FH_END_NONE);
}

static void ask_alone(const subject *of)
{
    if (of->seen.asset.grade >= FH_GRADE_STRUCTURE) {
        check_alone(of->format, of->bytes.base, &of->seen);
    }
}

static void ask_cuts(const subject *of)
{
    if (of->seen.asset.grade >= FH_GRADE_STRUCTURE) {
        check_cuts(of->format, of->bytes.base, &of->seen);
    }
}

/* An engine has most from many inputs: of each only what the scanner does is done with little work
 * allowed, for one of EACH_ASKED one oracle besides, and for one of EACH_WHOLE everything. The hash
 * of the input chooses, so that it is the same each time. A reproducer does everything. */
enum { EACH_ASKED = 8, EACH_SHOWN = 16, EACH_WHOLE = 8192 };
#ifdef FUZZ_SAMPLED
static const bool is_sampled = true;
#else
static const bool is_sampled = false;
#endif

/* Without what is not of formats/: a build in which other libraries must not be called. */
#ifdef FUZZ_DECODERS_ALONE
static const bool has_hunt = false;
#else
static const bool has_hunt = true;
#endif

/* Another number for each input, the same one each time, whatever was chosen by its hash before. */
static uint64_t choice_of(const subject *of)
{
    return hash_of(of->choice, &of->whole, sizeof of->whole);
}

static void ask_parts(const subject *of)
{
    const size_t size = of->bytes.size;
    if (size > 0) {
        check_part(of->format, of->bytes, &of->seen, (size_t)(choice_of(of) >> 8) % size);
        check_part(of->format, of->bytes, &of->seen, size - 1);
    }
}

static void ask_longer(const subject *of)
{
    if (of->seen.asset.grade >= FH_GRADE_STRUCTURE) {
        check_longer(of->format, of->bytes, &of->seen, choice_of(of));
    }
}

static void ask_options(const subject *of)
{
    if (of->seen.asset.grade >= FH_GRADE_STRUCTURE) {
        check_options(of->format, of->bytes, &of->seen);
    }
}

static void ask_canonical(const subject *of)
{
    if (of->format->canonical != NULL) {
        check_canonical(of->format, of->bytes);
    }
}

static void ask_repairs(const subject *of)
{
    if (of->format->repair != NULL) {
        const uint64_t first = hash_repairs(of->format, of->bytes);
        demand(hash_repairs(of->format, of->bytes) == first, "the same is mended twice");
    }
}

/* Only where all is asked: a hunt and a whole arena take longer than everything else. An engine
 * gets here seldom enough; of the many files of the tests one of EACH_FOUND is looked for. */
enum { EACH_FOUND = 8 };

static void ask_found(const subject *of)
{
    const bool is_chosen = is_sampled || choice_of(of) % EACH_FOUND == 0;
    if (has_hunt && now.is_whole && is_chosen && grade_of(&of->seen) == FH_GRADE_REPLAYED) {
        check_found(of->format, of->bytes.base, &of->seen, choice_of(of));
    }
}

/* A build for the decoders alone is that of the memory sanitizer, which forbids to look at an arena
 * in which not every byte was written. */
static void ask_bounds(const subject *of)
{
    if (has_hunt && now.is_whole) {
        check_bounds(of->format, of->bytes);
    }
}

typedef void oracle(const subject *of);
static oracle *const oracles[] = {ask_companion, ask_twice,   ask_probe,  ask_places, ask_memo,
                                  ask_alone,     ask_cuts,    ask_parts,  ask_longer, ask_options,
                                  ask_canonical, ask_repairs, ask_bounds, ask_found};
enum { NUM_ORACLES = sizeof oracles / sizeof oracles[0] };

static void examine(subject *of)
{
    of->used = 0;
    run(&of->seen, &of->used, of->format, of->bytes, &as_the_scanner);
}

static void ask_all(subject *of)
{
    now.is_whole = true;
    now.is_shown = true;
    examine(of);
    for (size_t i = 0; i < NUM_ORACLES; i++) {
        oracles[i](of);
    }
}

static void ask_one(subject *of)
{
    const uint64_t choice = of->choice;
    now.is_whole = false;
    now.is_shown = (choice >> 32) % EACH_SHOWN == 0;
    examine(of);
    if ((choice >> 16) % EACH_ASKED == 0) {
        oracles[(choice >> 40) % NUM_ORACLES](of);
    }
}

void fuzz_format(const fh_format *format, const uint8_t *data, size_t size)
{
    static subject of;
    if (size > FH_MAX_ASSET_LEN) {
        return; /* the scanner never hands out more */
    }
    const size_t len = find_companion(format, data, size);
    of = (subject){
        .format = format, .data = data, .whole = size, .choice = hash_of(size, data, size)};
    of.bytes = fh_cursor_make(copy_of(data, len), len, 0);
    if (!is_sampled || of.choice % EACH_WHOLE == 0) {
        ask_all(&of);
    } else if (setjmp(now.anew) == 0) {
        ask_one(&of);
    } else {
        release_all();
        of.bytes = fh_cursor_make(copy_of(data, len), len, 0);
        ask_all(&of);
    }
    release_all();
}
