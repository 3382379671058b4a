#include "hunt/ahead.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* With as much left no examination asks for more than there is. */
#define AMPLE FH_POSE_BUDGET_MOST
static_assert(FH_POSE_BUDGET_MOST >= FH_BUDGET_FLOOR, "both are paid from the reserve");

/* Something that waits to be told: an asset if its bytes are there, else a finding. */
struct fh_ahead_item {
    fh_crew_job job; /* first, so that one leads to the other */
    fh_ahead_item *next;
    fh_fate *fate; /* a share; NULL: none */

    fh_finding finding;
    int64_t raw_off;
    bool hits_limit;

    uint8_t *bytes; /* owned */
    fh_run *runs;   /* owned */
    fh_found found;
    fh_hunt *hunt;
    fh_exam exam;
    fh_budget given; /* what it could spend of the reserve */
    fh_budget reserve;
    fh_exam_end end;
    fh_finding lost;
    bool is_done; /* by the thread of the search */
};

void fh_fate_drop(fh_fate *fate)
{
    if (fate != NULL && --fate->num_users == 0) {
        free(fate);
    }
}

static fh_fate *share(fh_fate *fate)
{
    if (fate != NULL) {
        fate->num_users++;
    }
    return fate;
}

static void free_item(fh_ahead_item *item)
{
    fh_fate_drop(item->fate);
    fh_exam_free(&item->exam);
    free(item->bytes);
    free(item->runs);
    free(item);
}

/* ---- telling --------------------------------------------------------------------------------- */

/* Tells the asset of the last examination, or that it was lost. */
static void tell_found(fh_hunt *hunt, const fh_found *found, fh_fate *fate, fh_exam_end end,
                       const fh_finding *lost)
{
    const fh_lie *lie = &found->lie;
    const int64_t raw_off = fh_runs_place(lie->runs, lie->num_runs, lie->stream_off).raw_off;
    if (!fh_hunt_examined(hunt, end, lost, found->format, raw_off)) {
        fate->is_quiet = true;
        return;
    }
    assert(hunt->exam.asset.grade >= FH_GRADE_STRUCTURE || hunt->exam.status != FH_OK);
    for (size_t i = 0; i < found->num_extras; i++) {
        fh_exam_add(&hunt->exam, &found->extras[i]);
    }
    fh_hunt_note_limit(hunt);
    fh_tell_asset(hunt, &fate->handle, found->format, lie, 1, lie->len);
    fate->is_quiet = fate->handle == FH_UNKNOWN;
}

static void tell_finding(fh_hunt *hunt, const fh_finding *finding, const fh_fate *fate,
                         int64_t raw_off, bool hits_limit)
{
    if (fate != NULL && fate->is_quiet) {
        return;
    }
    hunt->hit_limit = hunt->hit_limit || hits_limit;
    fh_tell_finding(hunt, finding, fate == NULL ? FH_UNKNOWN : fate->handle, raw_off);
}

/* Examines an asset in its turn. */
static void tell_here(fh_hunt *hunt, const fh_found *found, fh_fate *fate)
{
    fh_finding lost;
    const fh_exam_end end =
        fh_hunt_try(hunt, NULL, &hunt->exam, &lost, found->format, found->bytes, &found->options);
    tell_found(hunt, found, fate, end, &lost);
}

static void swap_exams(fh_hunt *hunt, fh_ahead_item *item)
{
    const fh_exam own = hunt->exam;
    hunt->exam = item->exam;
    item->exam = own;
}

static void tell_asset(fh_hunt *hunt, fh_ahead_item *item)
{
    const uint64_t spent = item->given.left - item->reserve.left;
    uint64_t *left = &hunt->reserve.left;
    if (*left != item->given.left && *left < AMPLE) {
        tell_here(hunt, &item->found, item->fate);
        return;
    }
    *left -= spent < *left ? spent : *left;
    swap_exams(hunt, item);
    tell_found(hunt, &item->found, item->fate, item->end, &item->lost);
    swap_exams(hunt, item);
}

static void tell(fh_hunt *hunt, fh_ahead_item *item)
{
    if (fh_hunt_is_over(hunt)) {
        return;
    }
    if (item->bytes != NULL) {
        tell_asset(hunt, item);
    } else {
        tell_finding(hunt, &item->finding, item->fate, item->raw_off, item->hits_limit);
    }
}

/* ---- examining ------------------------------------------------------------------------------- */

static void examine(fh_ahead_item *item, void *self)
{
    const fh_found *found = &item->found;
    item->end = fh_hunt_try(item->hunt, self, &item->exam, &item->lost, found->format, found->bytes,
                            &found->options);
}

static void work(fh_crew_job *job, void *self)
{
    examine((fh_ahead_item *)job, self);
}

static bool is_done(const fh_hunt *hunt, const fh_ahead_item *item)
{
    return item->bytes == NULL || item->is_done || fh_crew_is_done(hunt->options->crew, &item->job);
}

/* Examines the first asset that nobody has begun; false: there is none. */
static bool lend_a_hand(fh_hunt *hunt)
{
    for (fh_ahead_item *item = hunt->ahead.first; item != NULL; item = item->next) {
        if (item->bytes != NULL && !item->is_done &&
            fh_crew_take_back(hunt->options->crew, &item->job)) {
            examine(item, NULL);
            item->is_done = true;
            return true;
        }
    }
    return false;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static fh_ahead_item *take_first(fh_ahead *ahead)
{
    fh_ahead_item *item = ahead->first;
    ahead->first = item->next;
    ahead->last = item->next == NULL ? NULL : ahead->last;
    ahead->num--;
    if (item->bytes != NULL) {
        ahead->num_assets--;
        ahead->len -= item->found.bytes.size;
    }
    return item;
}

static void put_last(fh_ahead *ahead, fh_ahead_item *item)
{
    *(ahead->first == NULL ? &ahead->first : &ahead->last->next) = item;
    ahead->last = item;
    ahead->num++;
    if (item->bytes != NULL) {
        ahead->num_assets++;
        ahead->len += item->found.bytes.size;
    }
}

static void tell_first(fh_hunt *hunt)
{
    fh_ahead_item *item = take_first(&hunt->ahead);
    tell(hunt, item);
    free_item(item);
}

void fh_ahead_drain(fh_hunt *hunt)
{
    while (hunt->ahead.first != NULL && is_done(hunt, hunt->ahead.first)) {
        tell_first(hunt);
    }
}

/* Waits for the first item, and works meanwhile. */
static void wait_for_first(fh_hunt *hunt)
{
    fh_ahead_item *first = hunt->ahead.first;
    while (!is_done(hunt, first)) {
        if (!lend_a_hand(hunt)) {
            fh_crew_wait(hunt->options->crew, &first->job);
        }
    }
    tell_first(hunt);
}

void fh_ahead_settle(fh_hunt *hunt)
{
    while (hunt->ahead.first != NULL && !fh_hunt_is_over(hunt)) {
        wait_for_first(hunt);
    }
}

void fh_ahead_free(fh_hunt *hunt)
{
    while (hunt->ahead.first != NULL) {
        fh_ahead_item *item = take_first(&hunt->ahead);
        if (!is_done(hunt, item) && !fh_crew_take_back(hunt->options->crew, &item->job)) {
            fh_crew_wait(hunt->options->crew, &item->job);
        }
        free_item(item);
    }
}

/* ---- handing over ---------------------------------------------------------------------------- */

/* Whether an asset is one to be examined ahead: where it may be copied, where what is left of the
 * reserve will do, and where what covers it cannot become something else while it waits. */
static bool may_wait(const fh_hunt *hunt, const fh_found *found)
{
    const fh_lie *lie = &found->lie;
    if (hunt->options->crew == NULL || found->bytes.size > FH_MAX_AHEAD_LEN ||
        hunt->reserve.left < AMPLE) {
        return false;
    }
    for (size_t i = 0; i < lie->num_runs; i++) {
        if (lie->runs[i].claim == FH_CLAIM_LOST) {
            return false; /* an audio track yet, if enough of them follow */
        }
    }
    return true;
}

static void make_room(fh_hunt *hunt, size_t len)
{
    const fh_ahead *ahead = &hunt->ahead;
    while (ahead->first != NULL && !fh_hunt_is_over(hunt) &&
           (ahead->num_assets == FH_MAX_AHEAD || ahead->len + len > FH_MAX_AHEAD_LEN ||
            ahead->num == FH_MAX_AHEAD_ITEMS)) {
        wait_for_first(hunt);
    }
}

/* A copy of what was found, with what its pointers lead to. NULL: no memory. */
static fh_ahead_item *copy_found(fh_hunt *hunt, const fh_found *found, fh_fate *fate)
{
    const fh_lie *lie = &found->lie;
    fh_ahead_item *item = calloc(1, sizeof *item);
    uint8_t *bytes = malloc(found->bytes.size > 0 ? found->bytes.size : 1);
    fh_run *runs = malloc(lie->num_runs * sizeof *runs);
    if (item == NULL || bytes == NULL || runs == NULL) {
        free(item);
        free(bytes);
        free(runs);
        return NULL;
    }
    memcpy(bytes, found->bytes.base, found->bytes.size);
    memcpy(runs, lie->runs, lie->num_runs * sizeof *runs);
    item->bytes = bytes;
    item->runs = runs;
    item->found = *found;
    item->found.bytes = fh_cursor_make(bytes, found->bytes.size, found->bytes.origin);
    item->found.lie.runs = runs;
    item->fate = share(fate);
    item->hunt = hunt;
    item->given = hunt->reserve;
    item->reserve = hunt->reserve;
    item->exam.reserve = &item->reserve;
    item->job.work = work;
    return item;
}

fh_fate *fh_ahead_asset(fh_hunt *hunt, const fh_found *found)
{
    fh_fate *fate = calloc(1, sizeof *fate);
    if (fate == NULL) {
        hunt->no_memory = true;
        return NULL;
    }
    *fate = (fh_fate){.num_users = 1, .handle = FH_UNKNOWN};
    fh_ahead_drain(hunt);
    if (may_wait(hunt, found)) {
        make_room(hunt, found->bytes.size);
        fh_ahead_item *item = copy_found(hunt, found, fate);
        if (item == NULL) {
            hunt->no_memory = true;
            return fate;
        }
        put_last(&hunt->ahead, item);
        fh_crew_give(hunt->options->crew, &item->job);
        return fate;
    }
    fh_ahead_settle(hunt);
    if (fh_hunt_is_over(hunt)) {
        fate->is_quiet = true;
    } else {
        tell_here(hunt, found, fate);
    }
    return fate;
}

void fh_ahead_finding(fh_hunt *hunt, const fh_finding *finding, fh_fate *fate, int64_t raw_off,
                      bool hits_limit)
{
    fh_ahead_drain(hunt);
    if (hunt->ahead.first == NULL) {
        tell_finding(hunt, finding, fate, raw_off, hits_limit);
        return;
    }
    make_room(hunt, 0);
    fh_ahead_item *item = calloc(1, sizeof *item);
    if (item == NULL) {
        hunt->no_memory = true;
        return;
    }
    item->finding = *finding;
    item->fate = share(fate);
    item->raw_off = raw_off;
    item->hits_limit = hits_limit;
    put_last(&hunt->ahead, item);
}
