#include "fuzz_oracles.h"

#include "hunt/exam.h"

#include <stdlib.h>
#include <string.h>

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

/* And what a replay may spend: what the bytes are worth, and what TRA4 and HMD may ask for beyond
 * that, which hangs on how long they play (limits.h). */
static uint64_t most_replay(const fh_format *format, size_t len)
{
    const uint64_t poses = FH_POSE_BUDGET_PER_BYTE * (uint64_t)len;
    if (strcmp(format->name, "tra") == 0) {
        return fh_budget_for(len, 0).left +
               (poses < FH_POSE_BUDGET_MOST ? poses : FH_POSE_BUDGET_MOST);
    }
    return strcmp(format->name, "hmd") == 0 ? fh_budget_for(len, 0).left + FH_MOTION_BUDGET_MOST
                                            : most_work(format, len);
}

typedef struct told {
    uint64_t num; /* frames and poses */
} told;

static void count_frame(void *user, const fh_pose_frame *frame)
{
    (void)frame;
    ((told *)user)->num++;
}

static void count_row(void *user, const fh_pose_row *row)
{
    (void)row;
    ((told *)user)->num++;
}

static void check_replay(const fh_format *format, fh_arena *arena, const void *model, size_t len)
{
    told all = {0};
    const fh_sink sink = {.user = &all, .frame = count_frame, .pose = count_row};
    fh_budget budget = fh_budget_for(len, 0);
    fh_budget beyond = {UINT64_MAX};
    const uint64_t own = budget.left;
    const fh_env env = {arena, &budget, &sink, &beyond};
    fh_replay_result result;
    run_demand(format->replay(&result, &env, model, &run_as_the_scanner) == FH_OK,
               "what was verified can be replayed");
    const uint64_t spent = own - budget.left + (UINT64_MAX - beyond.left);
    run_demand(all.num <= spent, "what a replay tells is paid for");
    run_demand(run_is_cut_short(&result) || spent <= most_replay(format, len),
               "the work of replaying stays under its bound");
}

void oracle_bounds(const fh_format *format, fh_cursor bytes)
{
    run_account nobody = run_account_open(bytes.size);
    fh_arena arena = run_arena(bytes.size);
    run_fill(&arena, UNTOUCHED, arena.size);
    fh_budget budget = fh_budget_for(bytes.size, 0);
    const uint64_t all = budget.left;
    const fh_sink sink = {.user = &nobody, .finding = run_take_finding};
    fh_budget nothing = {0};
    const fh_env env = {&arena, &budget, &sink, &nothing};
    const void *model = NULL;
    fh_asset asset;
    const fh_status status = format->verify(&asset, &model, &env, bytes, &run_whole_file);
    run_demand(status == FH_LIMIT || all - budget.left <= most_work(format, bytes.size),
               "the work of verifying stays under its bound");
    if (model != NULL) {
        check_replay(format, &arena, model, bytes.size);
    }
    run_demand(peak_of(&arena) <= ARENA_FLOOR + ARENA_PER_BYTE * bytes.size,
               "the memory of verifying and replaying stays under its bound");
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
        uint8_t *larger = run_keep(malloc(to->max));
        if (to->len > 0) {
            memcpy(larger, to->bytes, to->len);
        }
        run_release(to->bytes);
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
    run_account motion = run_account_open(bytes.size);
    fh_arena arena = run_arena(bytes.size);
    fh_budget budget = run_allowance(bytes.size, 0);
    const fh_sink findings = {.user = out, .finding = note_error};
    const fh_sink poses = {.user = &motion, .frame = run_take_frame, .pose = run_take_row};
    const fh_text_sink sink = {out, take_text};
    fh_budget nothing = {0};
    fh_env env = {&arena, &budget, &findings, run_reserve(&nothing)};
    fh_asset asset;
    fh_replay_result result;
    const void *model = NULL;
    *out = (text){.len = 0};
    const fh_status status = format->verify(&asset, &model, &env, bytes, &run_whole_file);
    if (status != FH_OK || out->is_told || asset.grade < FH_GRADE_REFERENCES) {
        return false;
    }
    env.sink = &poses;
    budget = run_allowance(bytes.size, 0);
    run_demand(format->replay(&result, &env, model, &run_as_the_scanner) == FH_OK,
               "it can be replayed");
    out->poses = motion.hash;
    out->is_cut = run_is_cut_short(&result);
    budget = run_allowance(bytes.size, 0);
    const fh_status written = format->canonical(&env, &sink, model);
    run_demand(written == FH_OK || written == FH_UNSUPPORTED, "a sound text can be written anew");
    run_demand(written == FH_OK || out->len == 0, "nothing is written unless all can be");
    return written == FH_OK;
}

/* A number that is rounded to six digits may move the other side of a rule's bound, and the motion;
 * where all digits are kept neither may be. */
void oracle_canonical(const fh_format *format, fh_cursor bytes)
{
    const bool keeps_digits = strcmp(format->name, "tra") == 0;
    text first;
    text second = {.len = 0};
    if (write_anew(&first, format, bytes)) {
        const bool is_sound =
            write_anew(&second, format, fh_cursor_make(first.bytes, first.len, 0));
        run_demand(is_sound || !keeps_digits, "a canonical form is sound");
        run_demand(!is_sound || (second.len == first.len &&
                                 memcmp(second.bytes, first.bytes, first.len) == 0),
                   "a canonical form is its own");
        run_demand(!keeps_digits || first.is_cut || second.is_cut || second.poses == first.poses,
                   "and moves alike");
    }
    run_release(first.bytes);
    run_release(second.bytes);
}

/* ---- companions ---- */

/* What an asset is held against changes nothing of its structure, and raises no grade; where it was
 * read in vain, that is told. */
void oracle_companion(const fh_format *format, fh_cursor bytes, const run_outcome *seen,
                      const uint8_t *data, size_t len)
{
    size_t used = 0;
    run_outcome first;
    run_outcome again;
    uint8_t *copy = run_copy(data, len);
    const fh_cursor companion = fh_cursor_make(copy, len, 0);
    const fh_replay_options options = {.world = true, .changes_only = (len & 1) != 0};
    fh_verify_options beside = run_whole_file;
    beside.companion = &companion;
    run_with(&first, &used, format, bytes, &beside, &options);
    run_with(&again, &used, format, bytes, &beside, &options);
    run_demand(first.verify.hash == again.verify.hash && first.replay.hash == again.replay.hash,
               "a companion gives the same twice");
    if (first.status != FH_LIMIT && seen->status != FH_LIMIT) {
        run_demand(first.status == seen->status && first.asset.length == seen->asset.length &&
                       first.has_model == seen->has_model && first.asset.grade <= seen->asset.grade,
                   "a companion changes no structure");
    }
    run_demand(!first.has_model || first.result.state != FH_REPLAY_BROKEN ||
                   first.verify.num_told > 0,
               "where there is no world space, that is told");
    (void)format->companion->is_one(companion);
    run_release(copy);
}
/* ---- repairs ---- */

typedef struct edits {
    run_account seen;
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
    run_demand(is_listed, "a rule that is mended is in the list");
    run_demand(edit->off <= to->size && edit->old_len <= to->size - edit->off,
               "an edit lies in the bytes");
    run_demand(to->format->is_text || edit->len == edit->old_len,
               "binary data keep their length when they are mended");
    run_fold_number(&to->seen, (int64_t)edit->off);
    run_fold_number(&to->seen, (int64_t)edit->old_len);
    run_fold(&to->seen, edit->bytes, edit->len);
}

static void take_unit(void *user, const fh_unit *unit)
{
    edits *to = user;
    run_demand(unit->off <= to->size && unit->len <= to->size - unit->off,
               "a unit lies in the bytes");
    for (size_t i = 0; i < FH_UNIT_COUNTS; i++) {
        run_demand(unit->counts[i].len <= to->size &&
                       unit->counts[i].off <= to->size - unit->counts[i].len,
                   "and so does what counts it");
    }
    run_fold_number(&to->seen, (int64_t)unit->off);
    run_fold_number(&to->seen, (int64_t)unit->len);
}

uint64_t oracle_repairs(const fh_format *format, fh_cursor bytes)
{
    fh_arena arena = run_arena(bytes.size);
    fh_budget budget = run_allowance(bytes.size, 0);
    const fh_sink nobody = {0};
    fh_budget nothing = {0};
    const fh_env env = {&arena, &budget, &nobody, run_reserve(&nothing)};
    edits all = {run_account_open(bytes.size), format, bytes.size};
    const fh_edit_sink edit_sink = {&all, take_edit};
    const fh_unit_sink unit_sink = {&all, take_unit};
    run_fold_number(&all.seen, (int64_t)format->repair(&env, &edit_sink, bytes, &run_whole_file));
    if (format->units != NULL) {
        arena = run_arena(bytes.size);
        budget = run_allowance(bytes.size, 0);
        run_fold_number(&all.seen, (int64_t)format->units(&env, &unit_sink, bytes));
    }
    return all.seen.hash;
}
