#include "fuzz_run.h"

#include "hunt/exam.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const fh_verify_options run_whole_file = {.stand_alone = true, .aligned = true};
const fh_verify_options run_carved = {.aligned = true};
const fh_replay_options run_as_the_scanner = {.changes_only = true};

run_effort run_now;

static _Noreturn void give_up(const char *truth)
{
    (void)fprintf(stderr, "fuzz_format: violated: %s\n", truth);
    abort();
}

/* What is true however little work is allowed. */
void run_insist(bool holds, const char *truth)
{
    if (!holds) {
        give_up(truth);
    }
}

/* What is true unless the work was cut short. With less than the scanner allows that may be the
 * reason; so the input is run once more, with all of it. */
void run_demand(bool holds, const char *truth)
{
    if (!holds && !run_now.is_whole) {
        longjmp(run_now.anew, 1);
    }
    run_insist(holds, truth);
}

/* No address is hashed: an input is asked the same each time. Eight bytes at a time: this is done
 * for every row of every pose. */
uint64_t run_hash(uint64_t hash, const void *bytes, size_t len)
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

void run_fold(run_account *into, const void *bytes, size_t len)
{
    into->hash = run_hash(into->hash, bytes, len);
}

static void fold_str(run_account *into, const char *str)
{
    run_fold(into, str, strlen(str) + 1);
}

void run_fold_number(run_account *into, int64_t number)
{
    run_fold(into, &number, sizeof number);
}

run_account run_account_open(size_t size)
{
    return (run_account){.hash = UINT64_C(0xcbf29ce484222325),
                         .size = size,
                         .last = FH_UNKNOWN,
                         .last_error = FH_UNKNOWN};
}

static void show(run_account *to, const fh_finding *finding)
{
    char message[FH_MESSAGE_LEN];
    fh_text text = fh_text_make(message, sizeof message);
    fh_finding_message(&text, finding);
    run_insist(strchr(message, '\n') == NULL && message[0] != '\0', "a message is one line");
    fold_str(to, message);
}

void run_take_finding(void *user, const fh_finding *finding)
{
    run_account *to = user;
    run_insist(finding->offset == FH_UNKNOWN ||
                   (finding->offset >= 0 && (uint64_t)finding->offset <= to->size),
               "a finding points into the bytes");
    if (run_now.is_shown) {
        show(to, finding);
    }
    fold_str(to, finding->rule->code);
    run_fold_number(to, finding->offset);
    run_fold_number(to, finding->frame);
    run_fold_number(to, finding->frame_number);
    run_fold_number(to, finding->object);
    to->last = finding->offset > to->last ? finding->offset : to->last;
    if (finding->rule->severity == FH_ERROR && finding->offset > to->last_error) {
        to->last_error = finding->offset;
    }
    for (size_t i = 0; i < to->num_told; i++) {
        if (to->told[i] == finding->rule) {
            return;
        }
    }
    if (to->num_told < RUN_MOST_CODES) {
        to->told[to->num_told++] = finding->rule;
    }
}

void run_take_frame(void *user, const fh_pose_frame *frame)
{
    run_account *to = user;
    to->num_frames++;
    run_fold_number(to, frame->index);
    run_fold_number(to, frame->number);
}

void run_take_row(void *user, const fh_pose_row *row)
{
    run_account *to = user;
    run_fold(to, &row->table->num_columns, sizeof row->table->num_columns);
    run_fold(to, row->values, row->table->num_columns * sizeof row->values[0]);
}

/* Remembers what is to be freed, until `release`. */
void *run_keep(void *copy)
{
    size_t i = 0;
    while (i < RUN_MOST_COPIES && run_now.copies[i] != NULL) {
        i++;
    }
    if (copy == NULL) {
        give_up("the system has memory");
    }
    run_insist(i < RUN_MOST_COPIES, "no more copies are made than there is room for");
    run_now.copies[i] = copy;
    return copy;
}

void run_release(void *copy)
{
    if (copy == NULL) {
        return;
    }
    for (size_t i = 0; i < RUN_MOST_COPIES; i++) {
        run_now.copies[i] = run_now.copies[i] == copy ? NULL : run_now.copies[i];
    }
    free(copy);
}

void run_release_all(void)
{
    for (size_t i = 0; i < RUN_MOST_COPIES; i++) {
        free(run_now.copies[i]);
        run_now.copies[i] = NULL;
    }
}

/* An exact-size copy, so that reading a byte too far is seen; `more` bytes of 0xff follow it. */
uint8_t *run_copy_with(const uint8_t *data, size_t size, size_t more)
{
    uint8_t *copy = run_keep(malloc(size + more > 0 ? size + more : 1));
    if (size > 0) {
        memcpy(copy, data, size);
    }
    if (more > 0) {
        memset(copy + size, 0xff, more);
    }
    return copy;
}

uint8_t *run_copy(const uint8_t *data, size_t size)
{
    return run_copy_with(data, size, 0);
}

/* One block for all runs: its size hangs on the length of the input, but getting 8 MiB from the
 * system for each of 100,000 inputs a second would be most of the work. */
fh_arena run_arena(size_t len)
{
    static uint8_t *block;
    static size_t block_len;
    const size_t arena_len = fh_arena_len(len);
    if (block_len < arena_len) {
        free(block);
        block = malloc(arena_len);
        block_len = arena_len;
    }
    run_insist(block != NULL, "the system has memory");
    return fh_arena_make(block, arena_len);
}

/* Fills the first bytes of an arena that nothing was taken from yet. */
void run_fill(fh_arena *arena, uint8_t with, size_t len)
{
    const fh_arena whole = *arena;
    fh_arena_return(arena);
    memset(whole.base, with, len < whole.size ? len : whole.size);
    *arena = whole;
}

/* Less than the scanner allows: enough for nearly every file of few bytes, and nothing for those
 * that would run for milliseconds. */
enum { LITTLE_BUDGET_FLOOR = 4096, LITTLE_BUDGET_PER_BYTE = 32 };
fh_budget run_allowance(size_t len, uint32_t num_slots)
{
    return run_now.is_whole
               ? fh_budget_for(len, num_slots)
               : (fh_budget){LITTLE_BUDGET_FLOOR + LITTLE_BUDGET_PER_BYTE * (uint64_t)len};
}

/* What few bytes may ask for beyond it: nothing, unless all is allowed. */
fh_budget *run_reserve(fh_budget *nothing)
{
    return run_now.is_whole ? NULL : nothing;
}

bool run_is_cut_short(const fh_replay_result *result)
{
    return result->state == FH_REPLAY_STOPPED || result->state == FH_REPLAY_BROKEN;
}

static void replay_model(run_outcome *out, const fh_format *format, fh_arena *arena,
                         const void *model, size_t len, const fh_replay_options *options)
{
    fh_budget budget = run_allowance(len, options->num_slots);
    out->replay.size = out->asset.length; /* nothing behind the asset is played */
    const fh_sink sink = {&out->replay, run_take_finding, run_take_frame, run_take_row};
    fh_budget nothing = {0};
    const fh_env env = {arena, &budget, &sink, run_reserve(&nothing)};
    out->replay_status = format->replay(&out->result, &env, model, options);
    run_insist(out->replay_status == FH_OK, "what verify gave a model for can be replayed");
    run_insist(out->asset.frames == FH_UNKNOWN || out->result.frames <= out->asset.frames,
               "no more frames are run than there are");
    run_demand(
        out->replay.num_frames == out->result.frames ||
            (run_is_cut_short(&out->result) && out->replay.num_frames == out->result.frames + 1),
        "every frame that is run is shown, of one that cannot be its begin");
    run_insist(out->result.evaluator != NULL, "the evaluator has a name");
    run_fold_number(&out->replay, (int64_t)out->result.ticks);
    run_fold_number(&out->replay, (int64_t)out->result.state);
}

static void check_asset(const run_outcome *out)
{
    const bool holds = out->asset.grade >= FH_GRADE_STRUCTURE;
    const bool stopped = out->status == FH_LIMIT;
    run_insist(out->status != FH_INTERNAL, "no bug of ours is reported");
    run_insist(out->status != FH_NO_MEMORY, "the arena suffices");
    run_insist(out->asset.length <= out->verify.size, "an asset is not longer than the bytes");
    run_insist(out->asset.grade <= FH_GRADE_REFERENCES, "verify does not replay");
    /* A fragment holds, but nothing can play it. */
    run_demand(out->status != FH_OK || out->has_model || out->asset.grade == FH_GRADE_STRUCTURE,
               "what refers to what it has can be played");
    run_insist(stopped || (out->status == FH_OK) == holds, "OK means that the structure holds");
    run_insist(out->status == FH_OK || out->verify.num_told > 0, "what is wrong is told");
}

/* Of a file of its own what lies behind the asset is judged, too: of one of bytes, that it is there
 * and no more; of a text, each word. */
static void check_places(const run_outcome *out, const fh_format *format,
                         const fh_verify_options *options)
{
    const int64_t len = (int64_t)out->asset.length;
    if (out->asset.grade < FH_GRADE_STRUCTURE) {
        return; /* its length is not known */
    }
    run_insist(options->stand_alone || out->verify.last <= len,
               "a finding of an asset among others lies in it");
    run_insist(format->is_text || out->verify.last_error <= len,
               "what is wrong with an asset lies in it");
}

/* Decodes, verifies and replays as the examination of a scan does. used_before is how much of the
 * arena the run before used: that is filled, so that whoever reads it uninitialised is found. */
void run_with(run_outcome *out, size_t *used, const fh_format *format, fh_cursor bytes,
              const fh_verify_options *verify_options, const fh_replay_options *options)
{
    const fh_cursor *companion = verify_options->companion;
    const size_t len = bytes.size + (companion == NULL ? 0 : companion->size);
    *out = (run_outcome){.verify = run_account_open(bytes.size),
                         .replay = run_account_open(bytes.size)};
    fh_arena arena = run_arena(len);
    if (*used > 0) {
        run_fill(&arena, 0xa5, *used);
    }
    fh_budget budget = run_allowance(len, 0);
    const fh_sink sink = {.user = &out->verify, .finding = run_take_finding};
    fh_budget nothing = {0};
    const fh_env env = {&arena, &budget, &sink, run_reserve(&nothing)};
    const void *model = NULL;
    out->status = format->verify(&out->asset, &model, &env, bytes, verify_options);
    out->has_model = model != NULL;
    check_asset(out);
    check_places(out, format, verify_options);
    run_fold_number(&out->verify, (int64_t)out->asset.length);
    run_fold_number(&out->verify, out->asset.grade);
    run_fold_number(&out->verify, out->asset.evidence_bits);
    run_fold_number(&out->verify, out->asset.objects);
    if (model != NULL) {
        replay_model(out, format, &arena, model, len, options);
    }
    *used = arena.used;
}

void run_file(run_outcome *out, size_t *used, const fh_format *format, fh_cursor bytes,
              const fh_replay_options *options)
{
    run_with(out, used, format, bytes, &run_whole_file, options);
}

fh_probe run_probe(const fh_format *format, fh_cursor bytes, fh_end end, fh_memo *memo)
{
    fh_probe out;
    fh_arena arena = run_arena(bytes.size);
    fh_budget budget = run_allowance(bytes.size, 0);
    format->probe(&out, bytes, end, memo, &arena, &budget);
    return out;
}

bool run_was_told(const run_account *in, const fh_rule *rule)
{
    for (size_t i = 0; i < in->num_told; i++) {
        if (in->told[i] == rule) {
            return true;
        }
    }
    return in->num_told == RUN_MOST_CODES;
}

bool run_has_warning(const run_account *in)
{
    for (size_t i = 0; i < in->num_told; i++) {
        if (in->told[i]->severity >= FH_WARNING) {
            return true;
        }
    }
    return false;
}

/* As the examination of a scan raises it. */
fh_grade run_grade(const run_outcome *of)
{
    const bool is_complete = of->has_model && (of->result.state == FH_REPLAY_COMPLETE ||
                                               of->result.state == FH_REPLAY_ASSUMED);
    return of->asset.grade == FH_GRADE_REFERENCES && is_complete ? FH_GRADE_REPLAYED
                                                                 : of->asset.grade;
}

bool run_was_cut_short(const run_outcome *of)
{
    return of->status == FH_LIMIT || (of->has_model && of->result.state == FH_REPLAY_STOPPED);
}
