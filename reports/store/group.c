/* Groups: what gathered of sources moves into the database, those of a group in one transaction. */
#include "store_impl.h"

#include <assert.h>
#include <string.h>

/* The first transaction of a new database was not waited for; now all of it is at once. */
static fh_store_status sync_database(fh_store *store)
{
    sqlite3_file *file = NULL;
    store->is_rash = false;
    int rc = sqlite3_file_control(store->db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (rc == SQLITE_OK) {
        rc = file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
    }
    if (rc != SQLITE_OK) {
        return fh_store_fail_sqlite(store, rc);
    }
    return fh_store_exec(store, fh_sql_careful);
}

fh_store_status fh_store_finish_transaction(fh_store *store)
{
    if (store->status != FH_STORE_OK || fh_store_run(store, FH_SQL_COMMIT) != FH_STORE_OK ||
        (store->is_rash && sync_database(store) != FH_STORE_OK)) {
        return store->status;
    }
    store->num_recorded += store->num_written;
    store->num_written = 0;
    return FH_STORE_OK;
}

uint64_t fh_store_num_recorded(const fh_store *store)
{
    return store->num_recorded;
}

/* make_indexes does so once a connection; without them a deletion would search all tables. */
fh_store_status fh_store_make_indexes(fh_store *store)
{
    if (!store->indexed && fh_store_exec(store, fh_sql_indexes) == FH_STORE_OK) {
        store->indexed = true;
    }
    return store->status;
}

/* The rows of a source on their way. A row that replaces an earlier one gets its id, in order; what
 * goes beyond gets new ids. */
typedef struct ids {
    fh_sql find;      /* of the earlier ids, by their number */
    int64_t num_kept; /* earlier ids */
    int64_t highest;  /* of the whole table, before the earlier rows were deleted */
} ids;

typedef struct move {
    fh_store *store;
    const fh_waiting *waiting;
    int64_t source_id;
    ids assets;
    ids findings;
    int64_t num_assets; /* moved */
    int64_t num_coverage;
    bool has_findings;
    int64_t asset_id; /* of the last one */
    fh_tally tally;
} move;

/* read_number sets *number to the first column of the only row, or to 0 where there is none. */
static fh_store_status read_number(int64_t *number, fh_call *call)
{
    bool has_row = false;
    const fh_store_status status = fh_call_row(call, &has_row);
    *number = has_row ? sqlite3_column_int64(call->stmt, 0) : 0;
    fh_call_end(call);
    return status;
}

static fh_store_status find_source(fh_store *store, int64_t *id, const char *path)
{
    fh_call call = fh_call_make(store, FH_SQL_SOURCE_FIND);
    fh_call_text(&call, path);
    return read_number(id, &call);
}

/* run_for_source runs statements in order, each with the id of the source as its only value. */
static fh_store_status run_for_source(fh_store *store, int64_t source_id, const fh_sql *sqls,
                                      size_t num_sqls)
{
    for (size_t i = 0; i < num_sqls && store->status == FH_STORE_OK; i++) {
        fh_call call = fh_call_make(store, sqls[i]);
        fh_call_number(&call, source_id);
        if (fh_call_run(&call) != FH_STORE_OK) {
            break;
        }
    }
    return store->status;
}

/* Ids that leave no room for more are not ours. */
static fh_store_status read_highest(fh_store *store, int64_t *highest, fh_sql sql)
{
    fh_call call = fh_call_make(store, sql);
    if (read_number(highest, &call) == FH_STORE_OK && *highest > INT64_MAX / 2) {
        return fh_store_fail(store, FH_STORE_CORRUPT, "its ids are used up");
    }
    return store->status;
}

static fh_store_status read_count(fh_store *store, int64_t *num, fh_sql sql)
{
    fh_call call = fh_call_make(store, sql);
    return read_number(num, &call);
}

static fh_store_status provide_temp(fh_store *store)
{
    store->in_temp = true;
    const fh_store_status status = fh_store_exec(store, fh_sql_temp);
    store->in_temp = false;
    return status;
}

/* keep_ids notes the ids of the earlier rows, which then go. */
static fh_store_status keep_ids(move *m)
{
    static const fh_sql keep[] = {FH_SQL_ASSET_IDS_KEEP, FH_SQL_FINDING_IDS_KEEP};
    static const fh_sql delete[] = {FH_SQL_FINDINGS_DELETE, FH_SQL_ASSETS_DELETE,
                                    FH_SQL_COVERAGE_DELETE, FH_SQL_TALLY_DELETE};
    fh_store *store = m->store;
    if (provide_temp(store) != FH_STORE_OK || fh_store_make_indexes(store) != FH_STORE_OK ||
        fh_store_run(store, FH_SQL_KEPT_ASSETS_CLEAR) != FH_STORE_OK ||
        fh_store_run(store, FH_SQL_KEPT_FINDINGS_CLEAR) != FH_STORE_OK ||
        run_for_source(store, m->source_id, keep, 2) != FH_STORE_OK ||
        read_count(store, &m->assets.num_kept, FH_SQL_KEPT_ASSETS_COUNT) != FH_STORE_OK ||
        read_count(store, &m->findings.num_kept, FH_SQL_KEPT_FINDINGS_COUNT) != FH_STORE_OK ||
        fh_overall_leave(store, m->source_id) != FH_STORE_OK) {
        return store->status;
    }
    return run_for_source(store, m->source_id, delete, 4);
}

/* give_id sets *id to that of the n-th row. */
static fh_store_status give_id(fh_store *store, int64_t *id, const ids *from, int64_t n)
{
    if (n > from->num_kept) {
        *id = from->highest + (n - from->num_kept);
        return store->status;
    }
    fh_call call = fh_call_make(store, from->find);
    fh_call_number(&call, n);
    return read_number(id, &call);
}

static int64_t address_of(const fh_waiting *waiting, const fh_asset_record *asset)
{
    if (asset->ram_address != FH_UNKNOWN || waiting->modulus == 0 ||
        asset->raw_offset == FH_UNKNOWN) {
        return asset->ram_address;
    }
    const int64_t at = (waiting->shift + asset->raw_offset % waiting->modulus) % waiting->modulus;
    return at < waiting->len ? waiting->base + at : FH_UNKNOWN;
}

static fh_store_status put_asset(move *m, const fh_asset_record *asset)
{
    fh_call call = fh_call_make(m->store, FH_SQL_ASSET_PUT);
    fh_call_number(&call, m->asset_id);
    fh_call_number(&call, m->source_id);
    fh_call_text(&call, asset->format);
    fh_call_text(&call, asset->grade);
    fh_call_number(&call, asset->raw_offset);
    fh_call_number(&call, asset->user_offset);
    fh_call_number(&call, asset->length);
    fh_call_number(&call, asset->lba);
    fh_call_text(&call, asset->iso_path);
    fh_call_number(&call, asset->iso_offset);
    fh_call_number(&call, address_of(m->waiting, asset));
    fh_call_number(&call, asset->evidence_bits);
    fh_call_number(&call, asset->frames);
    fh_call_number(&call, asset->objects);
    fh_call_hash(&call, asset->sha256);
    fh_call_hash(&call, asset->pose_sha256);
    return fh_call_run(&call);
}

static fh_store_status put_pieces(move *m, const fh_asset_record *asset)
{
    for (size_t i = 0; i < asset->num_pieces; i++) {
        const fh_piece_record *piece = &asset->pieces[i];
        fh_call call = fh_call_make(m->store, FH_SQL_PIECE_PUT);
        fh_call_number(&call, m->asset_id);
        fh_call_number(&call, piece->asset_offset);
        fh_call_number(&call, piece->raw_offset);
        fh_call_number(&call, piece->length);
        if (fh_call_run(&call) != FH_STORE_OK) {
            break;
        }
    }
    return m->store->status;
}

static fh_store_status put_replay(move *m, const fh_replay_record *replay)
{
    fh_call call = fh_call_make(m->store, FH_SQL_REPLAY_PUT);
    fh_call_number(&call, m->asset_id);
    fh_call_text(&call, replay->evaluator);
    fh_call_number(&call, replay->frames);
    fh_call_number(&call, replay->ticks);
    fh_call_text(&call, replay->status);
    fh_call_hash(&call, replay->pose_sha256);
    return fh_call_run(&call);
}

static fh_store_status move_asset(move *m, const fh_asset_record *asset)
{
    m->num_assets++;
    if (give_id(m->store, &m->asset_id, &m->assets, m->num_assets) != FH_STORE_OK ||
        put_asset(m, asset) != FH_STORE_OK || put_pieces(m, asset) != FH_STORE_OK ||
        fh_tally_asset(&m->tally, asset) != FH_STORE_OK) {
        return m->store->status;
    }
    return asset->replay == NULL ? FH_STORE_OK : put_replay(m, asset->replay);
}

/* The finding itself is put later: all of them in one statement. */
static fh_store_status count_finding(move *m, const fh_finding_record *finding)
{
    const bool is_last = finding->asset == m->num_assets;
    int64_t asset_id = FH_UNKNOWN;
    m->has_findings = true;
    if (finding->asset != FH_UNKNOWN && !is_last &&
        give_id(m->store, &asset_id, &m->assets, finding->asset) != FH_STORE_OK) {
        return m->store->status;
    }
    return fh_tally_finding(&m->tally, finding, is_last ? m->asset_id : asset_id, is_last);
}

static bool give_ids(fh_findings *of, int64_t *id, int64_t *asset_id,
                     const fh_finding_record *finding)
{
    const move *m = of->user;
    *asset_id = FH_UNKNOWN;
    return give_id(m->store, id, &m->findings, of->num) == FH_STORE_OK &&
           (finding->asset == FH_UNKNOWN ||
            give_id(m->store, asset_id, &m->assets, finding->asset) == FH_STORE_OK);
}

static fh_store_status move_coverage(move *m, const fh_coverage_record *coverage)
{
    fh_call call = fh_call_make(m->store, FH_SQL_COVERAGE_PUT);
    fh_call_number(&call, m->source_id);
    fh_call_number(&call, ++m->num_coverage);
    fh_call_text(&call, coverage->claim);
    fh_call_number(&call, coverage->raw_offset);
    fh_call_number(&call, coverage->length);
    fh_call_number(&call, coverage->first_lba);
    fh_call_number(&call, coverage->sectors);
    fh_call_number(&call, coverage->runs);
    fh_call_number(&call, coverage->asset_bytes);
    return fh_call_run(&call);
}

static fh_store_status move_item(move *m, const fh_parcel_item *item)
{
    switch (item->kind) {
    case FH_PARCEL_ASSET:
        return move_asset(m, &item->asset);
    case FH_PARCEL_FINDING:
        return count_finding(m, &item->finding);
    case FH_PARCEL_COVERAGE:
        return move_coverage(m, &item->coverage);
    default: /* the ends of the source, which were looked at before */
        return m->store->status;
    }
}

/* All but the findings, with the sums of all. */
static fh_store_status move_items(move *m)
{
    fh_store *store = m->store;
    fh_parcel_reader reader = fh_parcel_read(&store->gathered, m->waiting->begin);
    fh_parcel_item item;
    while (reader.at < m->waiting->end && store->status == FH_STORE_OK &&
           fh_parcel_next(&reader, &item)) {
        (void)move_item(m, &item);
    }
    (void)fh_store_fail_parcel(store, reader.error);
    fh_parcel_read_end(&reader);
    return fh_tally_write(&m->tally);
}

/* Behind the assets, which they refer to. */
static fh_store_status move_findings(move *m)
{
    fh_findings findings = {.store = m->store,
                            .begin = m->waiting->begin,
                            .end = m->waiting->end,
                            .give_id = give_ids,
                            .user = m};
    if (!m->has_findings) {
        return m->store->status;
    }
    fh_call call = fh_call_make(m->store, FH_SQL_FINDINGS_PUT);
    fh_call_findings(&call, &findings);
    fh_call_number(&call, m->source_id);
    return fh_call_run(&call);
}

static fh_store_status put_source(fh_store *store, const fh_source_record *source)
{
    fh_call call = fh_call_make(store, FH_SQL_SOURCE_PUT);
    fh_call_number(&call, store->scan_id);
    fh_call_text(&call, source->path);
    fh_call_text(&call, source->kind);
    fh_call_text(&call, source->layout);
    fh_call_number(&call, source->size);
    fh_call_hash(&call, source->sha256);
    fh_call_text(&call, source->status);
    return fh_call_run(&call);
}

static fh_store_status put_place(const move *m)
{
    if (m->waiting->place == FH_UNKNOWN) {
        return m->store->status;
    }
    fh_call call = fh_call_make(m->store, FH_SQL_PLACE_PUT);
    fh_call_number(&call, m->source_id);
    fh_call_number(&call, m->waiting->place);
    return fh_call_run(&call);
}

/* What was recorded of the source stays, under the status that it has now. */
static fh_store_status mark_source(fh_store *store, int64_t id, const char *status)
{
    fh_call call = fh_call_make(store, FH_SQL_SOURCE_MARK);
    fh_call_number(&call, id);
    fh_call_text(&call, status);
    return fh_call_run(&call);
}

/* The source takes the place of all earlier rows of its path; one that cannot be read does not. */
static fh_store_status move_source(fh_store *store, const fh_waiting *waiting,
                                   const fh_source_record *source)
{
    move m = {.store = store,
              .waiting = waiting,
              .assets = {.find = FH_SQL_KEPT_ASSET_FIND},
              .findings = {.find = FH_SQL_KEPT_FINDING_FIND},
              .tally = {.store = store}};
    if (find_source(store, &m.source_id, source->path) != FH_STORE_OK ||
        read_highest(store, &m.assets.highest, FH_SQL_ASSET_ID_HIGHEST) != FH_STORE_OK ||
        read_highest(store, &m.findings.highest, FH_SQL_FINDING_ID_HIGHEST) != FH_STORE_OK) {
        return store->status;
    }
    const bool is_new = m.source_id == 0;
    if (!is_new && waiting->kind == FH_WAITING_UNREADABLE) {
        return put_place(&m) == FH_STORE_OK ? mark_source(store, m.source_id, source->status)
                                            : store->status;
    }
    if ((!is_new && (fh_store_end_bulk(store) != FH_STORE_OK || keep_ids(&m) != FH_STORE_OK)) ||
        put_source(store, source) != FH_STORE_OK) {
        return store->status;
    }
    m.source_id = is_new ? sqlite3_last_insert_rowid(store->db) : m.source_id;
    m.tally.source_id = m.source_id;
    return put_place(&m) == FH_STORE_OK && move_items(&m) == FH_STORE_OK &&
                   move_findings(&m) == FH_STORE_OK
               ? fh_overall_join(store, m.source_id)
               : store->status;
}

/* The item at a place; false: it could not be read back. */
static bool read_item(fh_store *store, fh_parcel_reader *reader, fh_parcel_item *item, int64_t at)
{
    *reader = fh_parcel_read(&store->gathered, at);
    const bool is_read = fh_parcel_next(reader, item);
    (void)fh_store_fail_parcel(store, reader->error);
    return is_read;
}

static fh_store_status write_source(fh_store *store, const fh_waiting *waiting)
{
    fh_parcel_reader reader;
    fh_parcel_item item;
    if (read_item(store, &reader, &item, waiting->end) &&
        move_source(store, waiting, &item.end.source) == FH_STORE_OK) {
        store->num_written++;
    }
    fh_parcel_read_end(&reader);
    return store->status;
}

static fh_store_status drop_member(fh_store *store, int64_t id)
{
    if (fh_overall_leave(store, id) != FH_STORE_OK) {
        return store->status;
    }
    fh_call call = fh_call_make(store, FH_SQL_SOURCE_DELETE);
    fh_call_number(&call, id);
    return fh_call_run(&call);
}

/* One after the other: each leaves what is kept of all while those behind it are still there. */
static fh_store_status drop_each(fh_store *store, const char *path)
{
    bool has_row = false;
    fh_call list = fh_call_make(store, FH_SQL_OLD_MEMBERS_LIST);
    fh_call_text(&list, path);
    fh_call_number(&list, store->scan_id);
    while (fh_call_row(&list, &has_row) == FH_STORE_OK && has_row) {
        if (drop_member(store, sqlite3_column_int64(list.stmt, 0)) != FH_STORE_OK) {
            break;
        }
    }
    fh_call_end(&list);
    return store->status;
}

/* Most sources are no containers: indexes are only made where there is work. */
static fh_store_status drop_members(fh_store *store, const char *path)
{
    int64_t num = 0;
    fh_call count = fh_call_make(store, FH_SQL_OLD_MEMBERS_COUNT);
    fh_call_text(&count, path);
    fh_call_number(&count, store->scan_id);
    if (read_number(&num, &count) != FH_STORE_OK || num == 0 ||
        fh_store_end_bulk(store) != FH_STORE_OK || fh_store_make_indexes(store) != FH_STORE_OK) {
        return store->status;
    }
    return drop_each(store, path);
}

static fh_store_status write_members(fh_store *store, const fh_waiting *waiting)
{
    fh_parcel_reader reader;
    fh_parcel_item item;
    if (read_item(store, &reader, &item, waiting->begin)) {
        (void)drop_members(store, item.path);
    }
    fh_parcel_read_end(&reader);
    return store->status;
}

/* A scan of somebody else may have ended meanwhile and have taken the table away: once in each
 * transaction it is seen to. */
static bool have_visits(fh_store *store)
{
    store->has_visits = store->has_visits || fh_store_exec(store, fh_sql_visits) == FH_STORE_OK;
    return store->has_visits;
}

static fh_store_status put_visit(fh_store *store, const char *path, int64_t stamp)
{
    fh_call call = fh_call_make(store, FH_SQL_VISIT_PUT);
    fh_call_number(&call, store->scan_id);
    fh_call_text(&call, path);
    fh_call_number(&call, stamp);
    return fh_call_run(&call);
}

static fh_store_status write_visit(fh_store *store, const fh_waiting *waiting)
{
    fh_parcel_reader reader;
    fh_parcel_item item;
    if (read_item(store, &reader, &item, waiting->begin) && have_visits(store)) {
        (void)put_visit(store, item.path, waiting->stamp);
    }
    fh_parcel_read_end(&reader);
    return store->status;
}

fh_store_status fh_store_write_waiting(fh_store *store, bool with_visits)
{
    static fh_store_status (*const writes[])(fh_store *, const fh_waiting *) = {
        [FH_WAITING_SOURCE] = write_source,
        [FH_WAITING_UNREADABLE] = write_source,
        [FH_WAITING_MEMBERS] = write_members,
        [FH_WAITING_VISIT] = write_visit};
    for (size_t i = 0; i < store->num_waiting && store->status == FH_STORE_OK; i++) {
        const fh_waiting *waiting = &store->waiting[i];
        if (with_visits || waiting->kind != FH_WAITING_VISIT) {
            (void)writes[waiting->kind](store, waiting);
        }
    }
    return with_visits && store->status == FH_STORE_OK ? fh_store_put_wanted(store) : store->status;
}

/* What was gathered of an open source stays where it is. */
void fh_store_forget_waiting(fh_store *store)
{
    if (!store->is_open) {
        fh_parcel_cut(&store->gathered, 0);
    }
    store->num_waiting = 0;
    store->num_sources = 0;
}

fh_store_status fh_store_flush(fh_store *store)
{
    if (store->num_waiting == 0 || fh_store_begin_writing(store) != FH_STORE_OK ||
        fh_store_write_waiting(store, true) != FH_STORE_OK ||
        fh_store_finish_transaction(store) != FH_STORE_OK) {
        return store->status;
    }
    fh_store_forget_waiting(store);
    return FH_STORE_OK;
}
