/* Writing: what is said of sources gathers in a parcel; group.c moves it into the database. */
#include "store_impl.h"

#include <assert.h>
#include <string.h>
#include <time.h>

static fh_store_status temp_result(fh_store *store, bool is_put)
{
    return fh_store_fail_parcel(store, is_put ? 0 : store->gathered.error);
}

fh_store_status fh_store_begin_source(fh_store *store, const char *path)
{
    assert(path != NULL);
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    assert(store->is_scanning && !store->is_open);
    store->open = (fh_waiting){
        .kind = FH_WAITING_SOURCE, .begin = fh_parcel_len(&store->gathered), .place = store->place};
    store->is_open = true;
    return temp_result(store, fh_parcel_begin(&store->gathered, path));
}

fh_store_status fh_store_asset(fh_store *store, const fh_asset_record *asset, int64_t *handle)
{
    assert(asset->format != NULL && asset->grade != NULL);
    assert(asset->replay == NULL || asset->replay->status != NULL);
    *handle = FH_UNKNOWN;
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    assert(store->is_open);
    if (temp_result(store, fh_parcel_asset(&store->gathered, asset)) == FH_STORE_OK) {
        *handle = ++store->open.num_assets;
    }
    return store->status;
}

fh_store_status fh_store_base(fh_store *store, int64_t base, int64_t shift, int64_t modulus,
                              int64_t len)
{
    assert(shift >= 0 && modulus > 0);
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    assert(store->is_open && store->open.modulus == 0);
    store->open.base = base;
    store->open.shift = shift;
    store->open.modulus = modulus;
    store->open.len = len;
    return FH_STORE_OK;
}

static fh_store_status gather_finding(fh_store *store, const fh_finding_record *finding)
{
    assert(finding->rule != NULL && finding->message != NULL);
    return temp_result(store, fh_parcel_finding(&store->gathered, finding));
}

fh_store_status fh_store_finding(fh_store *store, const fh_finding_record *finding)
{
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    assert(store->is_open);
    assert(finding->asset == FH_UNKNOWN ||
           (finding->asset >= 1 && finding->asset <= store->open.num_assets));
    return gather_finding(store, finding);
}

fh_store_status fh_store_coverage(fh_store *store, const fh_coverage_record *coverage)
{
    assert(coverage->claim != NULL && coverage->runs > 0);
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    assert(store->is_open);
    return temp_result(store, fh_parcel_coverage(&store->gathered, coverage));
}

fh_store_status fh_store_drop_source(fh_store *store)
{
    assert(store->status != FH_STORE_OK || store->is_open);
    if (store->is_open && store->status == FH_STORE_OK) {
        fh_parcel_cut(&store->gathered, store->open.begin);
    }
    store->is_open = false;
    return store->status;
}

/* ---- what waits ------------------------------------------------------------------------------ */

static int64_t ms_since(const struct timespec *start)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return ((int64_t)now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000;
}

static bool is_due(const fh_store *store)
{
    return store->num_waiting > 0 && ms_since(&store->waits_since) >= store->group_ms;
}

static bool is_full(const fh_store *store)
{
    return store->num_waiting == FH_STORE_MAX_WAITING || store->num_sources >= store->max_group ||
           fh_parcel_len(&store->gathered) >= FH_STORE_MAX_GROUP;
}

/* Has what was gathered wait with the others, or writes all of it. */
static fh_store_status have_wait(fh_store *store, const fh_waiting *waiting)
{
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    if (store->num_waiting == 0) {
        (void)clock_gettime(CLOCK_MONOTONIC, &store->waits_since);
    }
    store->waiting[store->num_waiting++] = *waiting;
    store->num_sources += waiting->kind == FH_WAITING_SOURCE ? 1 : 0;
    return is_full(store) || is_due(store) ? fh_store_flush(store) : FH_STORE_OK;
}

fh_store_status fh_store_settle(fh_store *store)
{
    return store->status == FH_STORE_OK && !store->is_open && is_due(store) ? fh_store_flush(store)
                                                                            : store->status;
}

/* The last item of the source. */
static fh_store_status gather_end(fh_store *store, fh_waiting *waiting,
                                  const fh_source_record *source)
{
    assert(source->status != NULL && source->path != NULL);
    const fh_parcel_end end = {.source = *source};
    waiting->end = fh_parcel_len(&store->gathered);
    return temp_result(store, fh_parcel_end_source(&store->gathered, &end));
}

fh_store_status fh_store_end_source(fh_store *store, const fh_source_record *source)
{
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    assert(store->is_open);
    store->is_open = false;
    fh_waiting waiting = store->open;
    return gather_end(store, &waiting, source) == FH_STORE_OK ? have_wait(store, &waiting)
                                                              : store->status;
}

fh_store_status fh_store_drop_old_members(fh_store *store, const char *path)
{
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    assert(store->is_scanning && !store->is_open);
    const fh_waiting waiting = {.kind = FH_WAITING_MEMBERS,
                                .begin = fh_parcel_len(&store->gathered)};
    return temp_result(store, fh_parcel_begin(&store->gathered, path)) == FH_STORE_OK
               ? have_wait(store, &waiting)
               : store->status;
}

fh_store_status fh_store_touch_unreadable(fh_store *store, const fh_source_record *source,
                                          const fh_finding_record *finding)
{
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    assert(store->is_scanning && !store->is_open);
    assert(finding == NULL || finding->asset == FH_UNKNOWN);
    fh_waiting waiting = {.kind = FH_WAITING_UNREADABLE,
                          .begin = fh_parcel_len(&store->gathered),
                          .place = store->place};
    if (temp_result(store, fh_parcel_begin(&store->gathered, source->path)) != FH_STORE_OK ||
        (finding != NULL && gather_finding(store, finding) != FH_STORE_OK) ||
        gather_end(store, &waiting, source) != FH_STORE_OK) {
        return store->status;
    }
    return have_wait(store, &waiting);
}

fh_store_status fh_store_visit(fh_store *store, const char *path, int64_t stamp)
{
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    assert(store->is_scanning && !store->is_open);
    const fh_waiting waiting = {
        .kind = FH_WAITING_VISIT, .begin = fh_parcel_len(&store->gathered), .stamp = stamp};
    return temp_result(store, fh_parcel_begin(&store->gathered, path)) == FH_STORE_OK
               ? have_wait(store, &waiting)
               : store->status;
}

static fh_store_status finish_scan(fh_store *store, const char *status)
{
    fh_call call = fh_call_make(store, FH_SQL_SCAN_FINISH);
    fh_call_text(&call, status);
    fh_call_number(&call, store->resumed_id != 0 ? store->resumed_id : store->scan_id);
    return fh_call_run(&call);
}

/* What is noted of files that are done goes when a scan is complete; of one that begins and ends in
 * one transaction it need not come. */
fh_store_status fh_store_end_scan(fh_store *store, const char *status)
{
    assert(status != NULL);
    const bool is_complete = strcmp(status, "complete") == 0;
    if (fh_store_begin_writing(store) != FH_STORE_OK ||
        fh_store_write_waiting(store, !is_complete) != FH_STORE_OK) {
        return store->status;
    }
    assert(store->is_scanning && !store->is_open);
    if (fh_store_make_indexes(store) != FH_STORE_OK || fh_overall_fill(store) != FH_STORE_OK ||
        fh_store_fold(store) != FH_STORE_OK || finish_scan(store, status) != FH_STORE_OK ||
        (is_complete && fh_store_forget_visits(store) != FH_STORE_OK) ||
        fh_store_finish_transaction(store) != FH_STORE_OK) {
        return store->status;
    }
    fh_store_forget_waiting(store);
    store->is_scanning = false;
    store->scan_id = 0;
    store->resumed_id = 0;
    return FH_STORE_OK;
}
