#include "hunt/repair.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct fh_repair_edit {
    size_t off, old_len;
    size_t pool_off, len;
    size_t mend; /* index in the format's mends */
    const char *field;
} edit;

/* What the judgement of some bytes came to. */
typedef struct judgement {
    uint32_t *counts; /* findings, for each rule of the format */
    bool is_limited;
    bool has_poses;
    uint8_t poses[FH_SHA256_LEN];
} judgement;

typedef struct run {
    fh_repair *repair;
    const fh_format *format;
    fh_exam_options options;
    judgement before, after;
    bool *is_chosen; /* for each mend: its edits are made in this attempt */
} run;

const char *fh_refusal_text(fh_refusal refusal)
{
    static const char *const texts[] = {
        [FH_REFUSED_NOT] = "",
        [FH_REFUSED_UNTOLD] = "it is not told",
        [FH_REFUSED_BROKEN] = "the structure of the whole does not hold even then",
        [FH_REFUSED_STAYS] = "the finding would stay",
        [FH_REFUSED_NEW] = "this rule would then be broken",
        [FH_REFUSED_MOTION] = "the motion would change",
        [FH_REFUSED_LIMIT] = "the result would take too much work or room to judge",
    };
    return texts[refusal];
}

/* Returns the elements with room for one more, or NULL: they are then where they were. */
static void *with_room(void *items, size_t *max, size_t num, size_t item_len)
{
    if (num < *max) {
        return items;
    }
    const size_t wanted = *max == 0 ? 64 : 2 * *max;
    void *grown = realloc(items, wanted * item_len);
    *max = grown == NULL ? *max : wanted;
    return grown;
}

static void set_bytes(fh_repair *repair, uint8_t *bytes, size_t len)
{
    free(repair->bytes);
    repair->bytes = bytes;
    repair->len = len;
}

/* ---- judging ---- */

static const char further[] = "number of further findings";

/* Findings that one finding stands for: that of the rest of a rule names their number. */
static uint32_t worth_of(const fh_finding *finding)
{
    uint32_t num = 0;
    if (strcmp(finding->field, further) != 0) {
        return 1;
    }
    for (const char *at = finding->found; *at >= '0' && *at <= '9' && num < UINT32_MAX / 16; at++) {
        num = 10 * num + (uint32_t)(*at - '0');
    }
    return num;
}

static bool judge(run *all, judgement *out, fh_cursor bytes)
{
    fh_exam *exam = &all->repair->exam;
    const fh_format *format = all->format;
    memset(out->counts, 0, format->num_rules * sizeof *out->counts);
    if (!fh_exam_run(exam, format, bytes, &all->options)) {
        all->repair->status = FH_REPAIR_NO_MEMORY;
        return false;
    }
    for (size_t i = 0; i < exam->num_findings; i++) {
        const fh_rule *rule = exam->findings[i].rule;
        for (size_t k = 0; k < format->num_rules; k++) {
            if (rule == &format->rules[k]) {
                out->counts[k] += worth_of(&exam->findings[i]);
            }
        }
    }
    out->is_limited = exam->status == FH_LIMIT || exam->status == FH_NO_MEMORY ||
                      (exam->is_replayed && exam->result.state == FH_REPLAY_STOPPED);
    out->has_poses = exam->is_replayed && exam->has_pose_sha256;
    memcpy(out->poses, exam->pose_sha256, sizeof out->poses);
    return true;
}

/* ---- collecting ---- */

static void fail(fh_repair *repair, fh_repair_status status)
{
    if (repair->status < status) {
        repair->status = status;
    }
}

static bool keep_bytes(fh_repair *repair, const uint8_t *bytes, size_t len)
{
    while (repair->max_pool - repair->pool_len < len) {
        uint8_t *pool = with_room(repair->pool, &repair->max_pool, repair->max_pool, 1);
        if (pool == NULL) {
            return false;
        }
        repair->pool = pool;
    }
    if (len > 0) {
        memcpy(repair->pool + repair->pool_len, bytes, len);
    }
    repair->pool_len += len;
    return true;
}

static void keep_edit(void *user, const fh_edit *made)
{
    run *all = user;
    fh_repair *repair = all->repair;
    size_t mend = 0;
    while (mend < all->format->num_mends && all->format->mends[mend].rule != made->rule) {
        mend++;
    }
    assert(mend < all->format->num_mends);
    if (repair->num_edits == FH_MAX_EDITS || made->len > FH_MAX_ASSET_LEN ||
        repair->pool_len > FH_MAX_ASSET_LEN - made->len) {
        fail(repair, FH_REPAIR_LIMIT);
        return;
    }
    edit *edits =
        with_room(repair->edits, &repair->max_edits, repair->num_edits, sizeof *repair->edits);
    if (edits == NULL || !keep_bytes(repair, made->bytes, made->len)) {
        repair->edits = edits == NULL ? repair->edits : edits;
        fail(repair, FH_REPAIR_NO_MEMORY);
        return;
    }
    repair->edits = edits;
    edits[repair->num_edits++] = (edit){.off = made->off,
                                        .old_len = made->old_len,
                                        .pool_off = repair->pool_len - made->len,
                                        .len = made->len,
                                        .mend = mend,
                                        .field = made->field};
}

static int by_place(const void *a, const void *b)
{
    const edit *x = a;
    const edit *y = b;
    if (x->off != y->off) {
        return x->off < y->off ? -1 : 1;
    }
    if (x->old_len != y->old_len) {
        return x->old_len < y->old_len ? -1 : 1;
    }
    return x->mend < y->mend ? -1 : x->mend > y->mend ? 1 : 0;
}

/* Asks the format for the repairs of the bytes as they are now. */
static bool collect(run *all)
{
    fh_repair *repair = all->repair;
    const fh_exam_options *options = &all->options;
    const fh_verify_options verify_options = {.stand_alone = true,
                                              .ends_file = true,
                                              .aligned = options->aligned,
                                              .companion = options->companion};
    const fh_cursor bytes = fh_cursor_make(repair->bytes, repair->len, 0);
    const size_t arena_len = fh_arena_len(bytes.size);
    void *block = calloc(1, arena_len);
    if (block == NULL) {
        fail(repair, FH_REPAIR_NO_MEMORY);
        return false;
    }
    fh_arena arena = fh_arena_make(block, arena_len);
    fh_budget budget = fh_budget_for(bytes.size, 0);
    const fh_sink nobody = {0};
    const fh_env env = {&arena, &budget, &nobody, NULL};
    const fh_edit_sink sink = {all, keep_edit};
    repair->num_edits = 0;
    repair->pool_len = 0;
    if (all->format->repair(&env, &sink, bytes, &verify_options) != FH_OK) {
        fail(repair, FH_REPAIR_LIMIT);
    }
    free(block);
    if (repair->num_edits > 0) {
        qsort(repair->edits, repair->num_edits, sizeof *repair->edits, by_place);
    }
    return repair->status == FH_REPAIR_OK;
}

/* ---- one attempt ---- */

/* Of rules whose edits overlap the one that comes first is taken, the other waits for its turn. */
static void part_overlaps(run *all)
{
    const fh_repair *repair = all->repair;
    bool is_parted = false;
    while (!is_parted) {
        size_t end = 0;
        is_parted = true;
        for (size_t i = 0; i < repair->num_edits && is_parted; i++) {
            const edit *one = &repair->edits[i];
            if (all->is_chosen[one->mend] && one->off < end) {
                all->is_chosen[one->mend] = false;
                is_parted = false;
            } else if (all->is_chosen[one->mend]) {
                end = one->off + one->old_len;
            }
        }
    }
}

/* Chooses the edits of a severity, or of one rule of it; false if there are none. */
static bool choose(run *all, fh_severity severity, size_t only)
{
    const fh_repair *repair = all->repair;
    bool has_some = false;
    memset(all->is_chosen, 0, all->format->num_mends * sizeof *all->is_chosen);
    for (size_t i = 0; i < repair->num_edits; i++) {
        const size_t mend = repair->edits[i].mend;
        const bool is_wanted = repair->mended[mend].rule->severity == severity &&
                               repair->mended[mend].refusal == FH_REFUSED_NOT &&
                               (only == SIZE_MAX || only == mend);
        all->is_chosen[mend] = all->is_chosen[mend] || is_wanted;
        has_some = has_some || is_wanted;
    }
    part_overlaps(all);
    return has_some;
}

/* Makes the chosen edits; NULL without memory, or (len 0) if there is no room for the result. */
static uint8_t *make(const run *all, size_t *len)
{
    const fh_repair *repair = all->repair;
    uint8_t *made = malloc(repair->len + repair->pool_len + 1);
    size_t from = 0;
    *len = 0;
    for (size_t i = 0; i < repair->num_edits && made != NULL; i++) {
        const edit *one = &repair->edits[i];
        if (!all->is_chosen[one->mend]) {
            continue;
        }
        assert(one->off >= from && one->off <= repair->len &&
               one->old_len <= repair->len - one->off);
        memcpy(made + *len, repair->bytes + from, one->off - from);
        *len += one->off - from;
        if (one->len > 0) {
            memcpy(made + *len, repair->pool + one->pool_off, one->len);
        }
        *len += one->len;
        from = one->off + one->old_len;
    }
    if (made != NULL) {
        memcpy(made + *len, repair->bytes + from, repair->len - from);
        *len += repair->len - from;
    }
    return made;
}

/* Whether the motion may be what it is now. */
static bool is_motion_kept(const run *all)
{
    bool may_move = true;
    for (size_t i = 0; i < all->format->num_mends; i++) {
        may_move = may_move && (!all->is_chosen[i] || all->format->mends[i].moves);
    }
    if (!all->before.has_poses) {
        return true;
    }
    return all->after.has_poses &&
           (may_move || memcmp(all->before.poses, all->after.poses, FH_SHA256_LEN) == 0);
}

/* The first rule at least as bad that is broken more often than before, or NULL. */
static const fh_rule *find_new(const run *all, fh_severity severity)
{
    for (size_t i = 0; i < all->format->num_rules; i++) {
        if (all->after.counts[i] > all->before.counts[i] &&
            all->format->rules[i].severity >= severity) {
            return &all->format->rules[i];
        }
    }
    return NULL;
}

/* Rules that were hidden by what is mended with them need not have been told before. */
static bool are_gone(const run *all)
{
    bool is_better = false;
    for (size_t i = 0; i < all->format->num_mends; i++) {
        const size_t rule = (size_t)(all->format->mends[i].rule - all->format->rules);
        const uint32_t before = all->before.counts[rule];
        const uint32_t after = all->after.counts[rule];
        if (all->is_chosen[i] && after > 0 && after >= before) {
            return false;
        }
        is_better = is_better || (all->is_chosen[i] && after < before);
    }
    return is_better;
}

static fh_refusal weigh(const run *all, fh_severity severity, const fh_rule **other)
{
    *other = NULL;
    if (all->after.is_limited) {
        return FH_REFUSED_LIMIT;
    }
    if (all->repair->exam.asset.grade < FH_GRADE_STRUCTURE) {
        return FH_REFUSED_BROKEN;
    }
    if (!are_gone(all)) {
        return FH_REFUSED_STAYS;
    }
    *other = find_new(all, severity);
    if (*other != NULL) {
        return FH_REFUSED_NEW;
    }
    return is_motion_kept(all) ? FH_REFUSED_NOT : FH_REFUSED_MOTION;
}

static bool note_changes(run *all)
{
    fh_repair *repair = all->repair;
    for (size_t i = 0; i < repair->num_edits; i++) {
        const edit *one = &repair->edits[i];
        if (!all->is_chosen[one->mend]) {
            continue;
        }
        repair->mended[one->mend].num_edits++;
        repair->is_same_len = repair->is_same_len && one->old_len == one->len;
        fh_change *changes = with_room(repair->changes, &repair->max_changes, repair->num_changes,
                                       sizeof *repair->changes);
        if (changes == NULL) {
            return false;
        }
        repair->changes = changes;
        repair->changes[repair->num_changes++] =
            (fh_change){one->off, one->len, repair->mended[one->mend].rule, one->field};
    }
    return true;
}

/* Takes the new bytes over. */
static void accept(run *all, uint8_t *made, size_t len)
{
    fh_repair *repair = all->repair;
    if (!note_changes(all)) {
        fail(repair, FH_REPAIR_NO_MEMORY);
    }
    repair->is_changed = true;
    repair->has_moved =
        repair->has_moved || (all->before.has_poses && all->after.has_poses &&
                              memcmp(all->before.poses, all->after.poses, FH_SHA256_LEN) != 0);
    repair->plays_now = repair->plays_now || (!all->before.has_poses && all->after.has_poses);
    set_bytes(repair, made, len);
    const judgement old = all->before;
    all->before = all->after;
    all->after = old;
}

/* Tries the chosen edits. */
static fh_refusal attempt(run *all, fh_severity severity, const fh_rule **other)
{
    size_t len = 0;
    uint8_t *made = make(all, &len);
    *other = NULL;
    if (made == NULL) {
        fail(all->repair, FH_REPAIR_NO_MEMORY);
        return FH_REFUSED_LIMIT;
    }
    if (len > FH_MAX_ASSET_LEN || !judge(all, &all->after, fh_cursor_make(made, len, 0))) {
        free(made);
        return FH_REFUSED_LIMIT;
    }
    const fh_refusal refusal = weigh(all, severity, other);
    if (refusal == FH_REFUSED_NOT) {
        accept(all, made, len);
    } else {
        free(made);
    }
    return refusal;
}

/* ---- all of it ---- */

/* One rule after the other, where all together did not do. */
static void mend_singly(run *all, fh_severity severity)
{
    for (size_t i = 0; i < all->format->num_mends; i++) {
        fh_mended *mended = &all->repair->mended[i];
        if (mended->rule->severity != severity || mended->refusal != FH_REFUSED_NOT) {
            continue;
        }
        if (!collect(all)) {
            return;
        }
        const size_t rule = (size_t)(mended->rule - all->format->rules);
        if (all->before.counts[rule] == 0) {
            mended->refusal = FH_REFUSED_UNTOLD;
        } else if (choose(all, severity, i)) {
            mended->refusal = attempt(all, severity, &mended->other);
        }
    }
}

static void mend_severity(run *all, fh_severity severity)
{
    for (unsigned round = 0; round < FH_REPAIR_ROUNDS && collect(all); round++) {
        const fh_rule *other = NULL;
        if (!choose(all, severity, SIZE_MAX)) {
            return;
        }
        if (attempt(all, severity, &other) != FH_REFUSED_NOT) {
            mend_singly(all, severity);
        }
    }
}

static bool prepare(run *all, fh_cursor bytes)
{
    fh_repair *repair = all->repair;
    const fh_format *format = all->format;
    uint8_t *copy = malloc(bytes.size + 1);
    if (copy != NULL && bytes.size > 0) {
        memcpy(copy, bytes.base, bytes.size);
    }
    set_bytes(repair, copy, bytes.size);
    free(repair->mended);
    repair->mended = calloc(format->num_mends, sizeof *repair->mended);
    repair->num_mended = repair->mended == NULL ? 0 : format->num_mends;
    for (size_t i = 0; i < repair->num_mended; i++) {
        repair->mended[i].rule = format->mends[i].rule;
    }
    all->before.counts = calloc(format->num_rules, sizeof *all->before.counts);
    all->after.counts = calloc(format->num_rules, sizeof *all->after.counts);
    all->is_chosen = calloc(format->num_mends, sizeof *all->is_chosen);
    return copy != NULL && repair->mended != NULL && all->before.counts != NULL &&
           all->after.counts != NULL && all->is_chosen != NULL;
}

fh_repair_status fh_repair_run(fh_repair *repair, const fh_format *format, fh_cursor bytes,
                               const fh_exam_options *options)
{
    static const fh_severity order[] = {FH_ERROR, FH_WARNING, FH_NOTE};
    run all = {.repair = repair, .format = format, .options = *options};
    all.options.replay = true; /* the motion has to be compared */
    repair->is_changed = false;
    repair->is_same_len = true;
    repair->has_moved = false;
    repair->plays_now = false;
    repair->num_changes = 0;
    repair->num_mended = 0;
    repair->status = FH_REPAIR_OK;
    if (format->repair == NULL) {
        return FH_REPAIR_OK;
    }
    if (!prepare(&all, bytes)) {
        fail(repair, FH_REPAIR_NO_MEMORY);
    } else if (judge(&all, &all.before, bytes) && !all.before.is_limited) {
        for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
            mend_severity(&all, order[i]);
        }
    }
    free(all.before.counts);
    free(all.after.counts);
    free(all.is_chosen);
    return repair->status;
}

void fh_repair_free(fh_repair *repair)
{
    fh_exam_free(&repair->exam);
    free(repair->bytes);
    free(repair->mended);
    free(repair->changes);
    free(repair->edits);
    free(repair->pool);
    *repair = (fh_repair){0};
}
