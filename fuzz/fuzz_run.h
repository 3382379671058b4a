/* One run over bytes as the examination of a scan does it, all that it says folded into a number,
 * and what oracles need to run it in other ways: copies of exact size, and an arena for all of
 * them.
 *
 * How much work is allowed is of the input, not of a run (run_now). With little allowed a truth may
 * not hold because the work was cut short: run_demand then goes back to the setjmp of who examines
 * the input, which does so once more with all of it. run_insist is for what holds in any case. Both
 * print what was violated, and abort.
 */
#ifndef FUZZ_RUN_H
#define FUZZ_RUN_H

#include "core/format.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Everything that one run says, folded into a number (FNV-1a), and what of it must be looked up. */
enum { RUN_MOST_CODES = 64 };
typedef struct run_account {
    uint64_t hash;
    size_t size; /* of the bytes: findings must point there */
    const fh_rule *told[RUN_MOST_CODES];
    size_t num_told;
    int64_t last;       /* the furthest offset of a finding */
    int64_t last_error; /* and of an error */
    uint32_t num_frames;
} run_account;

typedef struct run_outcome {
    fh_status status;
    fh_asset asset;
    bool has_model;
    run_account verify;
    fh_status replay_status;
    fh_replay_result result;
    run_account replay;
} run_outcome;

/* How much of the work of this input is done, and what is to be freed when it is done anew. */
enum { RUN_MOST_COPIES = 8 };
typedef struct run_effort {
    bool is_whole; /* all oracles, and the work that the scanner allows */
    bool is_shown; /* messages are made */
    jmp_buf anew;
    void *copies[RUN_MOST_COPIES];
} run_effort;
extern run_effort run_now;

extern const fh_verify_options run_whole_file;
extern const fh_verify_options run_carved;
extern const fh_replay_options run_as_the_scanner;

void run_insist(bool holds, const char *truth);
void run_demand(bool holds, const char *truth);

/* run_hash goes on with a hash by some bytes; no address is ever among them. */
uint64_t run_hash(uint64_t hash, const void *bytes, size_t len);
run_account run_account_open(size_t size);
void run_fold(run_account *into, const void *bytes, size_t len);
void run_fold_number(run_account *into, int64_t number);

/* For an fh_sink, whose user is a run_account. */
void run_take_finding(void *user, const fh_finding *finding);
void run_take_frame(void *user, const fh_pose_frame *frame);
void run_take_row(void *user, const fh_pose_row *row);

/* run_keep remembers what malloc gave, until run_release; run_release_all frees everything.
 * run_copy_with makes a copy of exact size, so that reading a byte too far is seen, followed by
 * `more` bytes of 0xff. */
void *run_keep(void *copy);
void run_release(void *copy);
void run_release_all(void);
uint8_t *run_copy_with(const uint8_t *data, size_t size, size_t more);
uint8_t *run_copy(const uint8_t *data, size_t size);

/* run_arena is the scanner's for so many bytes, the same block each time; run_fill fills the first
 * bytes of one that nothing was taken from yet. */
fh_arena run_arena(size_t len);
void run_fill(fh_arena *arena, uint8_t with, size_t len);

/* run_allowance is the budget for so many bytes; run_reserve what few bytes may ask for beyond it:
 * nothing, unless all is allowed. */
fh_budget run_allowance(size_t len, uint32_t num_slots);
fh_budget *run_reserve(fh_budget *nothing);

/* run_with decodes, verifies and replays. used: how much of the arena the run before used, which is
 * filled, so that whoever reads it uninitialised is found; afterwards how much this one has used.
 * run_file does it with what is a whole file. */
void run_with(run_outcome *out, size_t *used, const fh_format *format, fh_cursor bytes,
              const fh_verify_options *verify_options, const fh_replay_options *options);
void run_file(run_outcome *out, size_t *used, const fh_format *format, fh_cursor bytes,
              const fh_replay_options *options);
fh_probe run_probe(const fh_format *format, fh_cursor bytes, fh_end end, fh_memo *memo);

bool run_was_told(const run_account *in, const fh_rule *rule);
bool run_has_warning(const run_account *in);
bool run_is_cut_short(const fh_replay_result *result);
bool run_was_cut_short(const run_outcome *of);

/* run_grade is the grade to which the examination of a scan raises it. */
fh_grade run_grade(const run_outcome *of);

#endif
