/* Writing: the rows of a source gather in temporary tables, then move in one transaction. */
#include "store_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* finish_transaction commits if all went well; what failed has been taken back already. */
static fh_store_status finish_transaction(fh_store *store)
{
    return store->status == FH_STORE_OK ? fh_store_run(store, FH_SQL_COMMIT) : store->status;
}

static fh_store_status put_rule(fh_store *store, const char *format, const fh_rule *rule)
{
    fh_call call = fh_call_make(store, FH_SQL_RULE_PUT);
    fh_call_text(&call, rule->code);
    fh_call_text(&call, format);
    fh_call_text(&call, fh_severity_name(rule->severity));
    fh_call_text(&call, rule->title);
    fh_call_text(&call, rule->explanation);
    return fh_call_run(&call);
}

static fh_store_status put_rules(fh_store *store, const fh_rule_table *table)
{
    for (size_t i = 0; i < table->num_rules; i++) {
        if (put_rule(store, table->format, &table->rules[i]) != FH_STORE_OK) {
            break;
        }
    }
    return store->status;
}

fh_store_status fh_store_begin_scan(fh_store *store, const char *tool_version,
                                    const char *ruleset_version, const char *options,
                                    const fh_rule_table *tables, size_t num_tables)
{
    assert(!store->read_only && store->scan_id == 0);
    if (fh_store_run(store, FH_SQL_BEGIN) != FH_STORE_OK) {
        return store->status;
    }
    fh_call call = fh_call_make(store, FH_SQL_SCAN_PUT);
    fh_call_text(&call, tool_version);
    fh_call_text(&call, ruleset_version);
    fh_call_text(&call, options);
    fh_store_status status = fh_call_run(&call);
    int64_t scan_id = sqlite3_last_insert_rowid(store->db);
    for (size_t i = 0; i < num_tables && status == FH_STORE_OK; i++) {
        status = put_rules(store, &tables[i]);
    }
    if (finish_transaction(store) == FH_STORE_OK) {
        store->scan_id = scan_id;
    }
    return store->status;
}

fh_store_status fh_store_begin_source(fh_store *store, const char *path)
{
    assert(path != NULL);
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    assert(store->scan_id != 0 && store->source_path == NULL);
    store->source_path = strdup(path);
    return store->source_path != NULL ? FH_STORE_OK
                                      : fh_store_fail(store, FH_STORE_NO_MEMORY, NULL);
}

static fh_store_status put_new_asset(fh_store *store, int64_t handle, const fh_asset_record *asset)
{
    fh_call call = fh_call_make(store, FH_SQL_NEW_ASSET_PUT);
    fh_call_number(&call, handle);
    fh_call_text(&call, asset->format);
    fh_call_text(&call, asset->grade);
    fh_call_number(&call, asset->raw_offset);
    fh_call_number(&call, asset->user_offset);
    fh_call_number(&call, asset->length);
    fh_call_number(&call, asset->lba);
    fh_call_text(&call, asset->iso_path);
    fh_call_number(&call, asset->iso_offset);
    fh_call_number(&call, asset->ram_address);
    fh_call_number(&call, asset->evidence_bits);
    fh_call_number(&call, asset->frames);
    fh_call_number(&call, asset->objects);
    fh_call_hash(&call, asset->sha256);
    fh_call_hash(&call, asset->pose_sha256);
    return fh_call_run(&call);
}

static fh_store_status put_new_pieces(fh_store *store, int64_t handle, const fh_asset_record *asset)
{
    for (size_t i = 0; i < asset->num_pieces; i++) {
        const fh_piece_record *piece = &asset->pieces[i];
        fh_call call = fh_call_make(store, FH_SQL_NEW_PIECE_PUT);
        fh_call_number(&call, handle);
        fh_call_number(&call, piece->asset_offset);
        fh_call_number(&call, piece->raw_offset);
        fh_call_number(&call, piece->length);
        if (fh_call_run(&call) != FH_STORE_OK) {
            break;
        }
    }
    return store->status;
}

static fh_store_status put_new_replay(fh_store *store, int64_t handle,
                                      const fh_replay_record *replay)
{
    assert(replay->status != NULL);
    fh_call call = fh_call_make(store, FH_SQL_NEW_REPLAY_PUT);
    fh_call_number(&call, handle);
    fh_call_text(&call, replay->evaluator);
    fh_call_number(&call, replay->frames);
    fh_call_number(&call, replay->ticks);
    fh_call_text(&call, replay->status);
    fh_call_hash(&call, replay->pose_sha256);
    return fh_call_run(&call);
}

fh_store_status fh_store_asset(fh_store *store, const fh_asset_record *asset, int64_t *handle)
{
    assert(asset->format != NULL && asset->grade != NULL);
    *handle = FH_UNKNOWN;
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    assert(store->source_path != NULL);
    store->in_temp = true;
    fh_store_status status = put_new_asset(store, store->num_assets + 1, asset);
    if (status == FH_STORE_OK) {
        status = put_new_pieces(store, store->num_assets + 1, asset);
    }
    if (status == FH_STORE_OK && asset->replay != NULL) {
        status = put_new_replay(store, store->num_assets + 1, asset->replay);
    }
    store->in_temp = false;
    if (status == FH_STORE_OK) {
        *handle = ++store->num_assets;
    }
    return status;
}

fh_store_status fh_store_base(fh_store *store, int64_t base, int64_t shift, int64_t modulus,
                              int64_t len)
{
    assert(shift >= 0 && modulus > 0);
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    assert(store->source_path != NULL);
    store->in_temp = true;
    fh_call call = fh_call_make(store, FH_SQL_NEW_ASSET_BASE);
    fh_call_number(&call, base);
    fh_call_number(&call, shift);
    fh_call_number(&call, modulus);
    fh_call_number(&call, len);
    const fh_store_status status = fh_call_run(&call);
    store->in_temp = false;
    return status;
}

static fh_store_status put_new_finding(fh_store *store, const fh_finding_record *finding)
{
    assert(finding->rule != NULL && finding->message != NULL);
    fh_call call = fh_call_make(store, FH_SQL_NEW_FINDING_PUT);
    fh_call_number(&call, store->num_findings + 1);
    fh_call_number(&call, finding->asset);
    fh_call_text(&call, finding->rule->code);
    fh_call_text(&call, fh_severity_name(finding->severity));
    fh_call_number(&call, finding->raw_offset);
    fh_call_number(&call, finding->asset_offset);
    fh_call_number(&call, finding->frame);
    fh_call_number(&call, finding->object);
    fh_call_text(&call, finding->message);
    fh_call_text(&call, finding->field);
    fh_call_text(&call, finding->found);
    fh_call_text(&call, finding->expected);
    return fh_call_run(&call);
}

/* gather_finding puts a finding where the rows of the open source wait. */
static fh_store_status gather_finding(fh_store *store, const fh_finding_record *finding)
{
    store->in_temp = true;
    fh_store_status status = put_new_finding(store, finding);
    store->in_temp = false;
    if (status == FH_STORE_OK) {
        store->num_findings++;
    }
    return status;
}

fh_store_status fh_store_finding(fh_store *store, const fh_finding_record *finding)
{
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    assert(store->source_path != NULL);
    assert(finding->asset == FH_UNKNOWN ||
           (finding->asset >= 1 && finding->asset <= store->num_assets));
    return gather_finding(store, finding);
}

static fh_store_status put_new_coverage(fh_store *store, const fh_coverage_record *coverage)
{
    assert(coverage->claim != NULL && coverage->runs > 0);
    fh_call call = fh_call_make(store, FH_SQL_NEW_COVERAGE_PUT);
    fh_call_text(&call, coverage->claim);
    fh_call_number(&call, coverage->raw_offset);
    fh_call_number(&call, coverage->length);
    fh_call_number(&call, coverage->first_lba);
    fh_call_number(&call, coverage->sectors);
    fh_call_number(&call, coverage->runs);
    fh_call_number(&call, coverage->asset_bytes);
    return fh_call_run(&call);
}

fh_store_status fh_store_coverage(fh_store *store, const fh_coverage_record *coverage)
{
    if (store->status != FH_STORE_OK) {
        return store->status;
    }
    assert(store->source_path != NULL);
    store->in_temp = true;
    fh_store_status status = put_new_coverage(store, coverage);
    store->in_temp = false;
    return status;
}

static fh_store_status forget_source(fh_store *store)
{
    free(store->source_path);
    store->source_path = NULL;
    store->num_assets = 0;
    store->num_findings = 0;
    store->in_temp = true;
    fh_store_status status = fh_store_exec(store, fh_sql_temp_clear);
    store->in_temp = false;
    return status;
}

fh_store_status fh_store_drop_source(fh_store *store)
{
    assert(store->status != FH_STORE_OK || store->source_path != NULL);
    return forget_source(store);
}

/* find_source sets *id to 0 if the database does not know the path. */
static fh_store_status find_source(fh_store *store, int64_t *id, const char *path)
{
    bool has_row = false;
    fh_call call = fh_call_make(store, FH_SQL_SOURCE_FIND);
    fh_call_text(&call, path);
    fh_store_status status = fh_call_row(&call, &has_row);
    *id = has_row ? sqlite3_column_int64(call.stmt, 0) : 0;
    fh_call_end(&call);
    return status;
}

static fh_store_status put_source(fh_store *store, const fh_source_record *source)
{
    assert(source->status != NULL);
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

/* make_indexes does so once a connection; without them a deletion would search all tables. */
static fh_store_status make_indexes(fh_store *store)
{
    if (!store->indexed && fh_store_exec(store, fh_sql_indexes) == FH_STORE_OK) {
        store->indexed = true;
    }
    return store->status;
}

static fh_store_status give_ids(fh_store *store)
{
    if (fh_store_run(store, FH_SQL_ASSET_IDS_GIVE) != FH_STORE_OK) {
        return store->status;
    }
    return fh_store_run(store, FH_SQL_FINDING_IDS_GIVE);
}

/* replace_rows gives the rows of the open source their ids and removes the earlier ones. */
static fh_store_status replace_rows(fh_store *store, int64_t source_id)
{
    static const fh_sql keep[] = {FH_SQL_ASSET_IDS_KEEP, FH_SQL_FINDING_IDS_KEEP};
    static const fh_sql delete[] = {FH_SQL_FINDINGS_DELETE, FH_SQL_ASSETS_DELETE,
                                    FH_SQL_COVERAGE_DELETE};
    if (make_indexes(store) != FH_STORE_OK ||
        run_for_source(store, source_id, keep, 2) != FH_STORE_OK ||
        give_ids(store) != FH_STORE_OK) {
        return store->status;
    }
    return run_for_source(store, source_id, delete, 3);
}

static fh_store_status copy_rows(fh_store *store, int64_t source_id)
{
    static const fh_sql assets[] = {FH_SQL_ASSETS_COPY};
    static const fh_sql findings[] = {FH_SQL_FINDINGS_COPY, FH_SQL_COVERAGE_COPY};
    if (run_for_source(store, source_id, assets, 1) != FH_STORE_OK ||
        fh_store_run(store, FH_SQL_PIECES_COPY) != FH_STORE_OK ||
        fh_store_run(store, FH_SQL_REPLAYS_COPY) != FH_STORE_OK) {
        return store->status;
    }
    return run_for_source(store, source_id, findings, 2);
}

/* move_rows does the work of a transaction that is open. earlier_id is the id that the source had,
 * or 0. */
static fh_store_status move_rows(fh_store *store, const fh_source_record *source,
                                 int64_t earlier_id)
{
    fh_store_status status = earlier_id != 0 ? replace_rows(store, earlier_id) : give_ids(store);
    if (status != FH_STORE_OK || put_source(store, source) != FH_STORE_OK) {
        return store->status;
    }
    bool is_new = earlier_id == 0;
    return copy_rows(store, is_new ? sqlite3_last_insert_rowid(store->db) : earlier_id);
}

fh_store_status fh_store_end_source(fh_store *store, const fh_source_record *source)
{
    int64_t earlier_id = 0;
    if (fh_store_run(store, FH_SQL_BEGIN) != FH_STORE_OK) {
        return store->status;
    }
    assert(store->source_path != NULL && strcmp(store->source_path, source->path) == 0);
    if (find_source(store, &earlier_id, source->path) != FH_STORE_OK ||
        move_rows(store, source, earlier_id) != FH_STORE_OK ||
        finish_transaction(store) != FH_STORE_OK) {
        return store->status;
    }
    return forget_source(store);
}

/* Most sources are no containers: the lock for writing is only taken where there is work. */
static fh_store_status count_old_members(fh_store *store, int64_t *num, const char *path)
{
    bool has_row = false;
    fh_call call = fh_call_make(store, FH_SQL_OLD_MEMBERS_COUNT);
    fh_call_text(&call, path);
    fh_call_number(&call, store->scan_id);
    fh_store_status status = fh_call_row(&call, &has_row);
    *num = has_row ? sqlite3_column_int64(call.stmt, 0) : 0;
    fh_call_end(&call);
    return status;
}

fh_store_status fh_store_drop_old_members(fh_store *store, const char *path)
{
    int64_t num = 0;
    if (store->status != FH_STORE_OK || count_old_members(store, &num, path) != FH_STORE_OK ||
        num == 0) {
        return store->status;
    }
    assert(store->scan_id != 0 && store->source_path == NULL);
    if (make_indexes(store) != FH_STORE_OK || fh_store_run(store, FH_SQL_BEGIN) != FH_STORE_OK) {
        return store->status;
    }
    fh_call call = fh_call_make(store, FH_SQL_OLD_MEMBERS_DELETE);
    fh_call_text(&call, path);
    fh_call_number(&call, store->scan_id);
    return fh_call_run(&call) == FH_STORE_OK ? finish_transaction(store) : store->status;
}

/* What was recorded of the source stays, under the status that it has now. */
static fh_store_status mark_source(fh_store *store, int64_t id, const char *status)
{
    fh_call call = fh_call_make(store, FH_SQL_SOURCE_MARK);
    fh_call_number(&call, id);
    fh_call_text(&call, status);
    return fh_call_run(&call);
}

static fh_store_status put_unreadable(fh_store *store, const fh_source_record *source)
{
    int64_t earlier_id = 0;
    if (find_source(store, &earlier_id, source->path) != FH_STORE_OK) {
        return store->status;
    }
    return earlier_id == 0 ? move_rows(store, source, 0)
                           : mark_source(store, earlier_id, source->status);
}

fh_store_status fh_store_touch_unreadable(fh_store *store, const fh_source_record *source,
                                          const fh_finding_record *finding)
{
    if (finding != NULL && gather_finding(store, finding) != FH_STORE_OK) {
        return store->status;
    }
    if (fh_store_run(store, FH_SQL_BEGIN) != FH_STORE_OK) {
        return store->status;
    }
    assert(store->scan_id != 0 && store->source_path == NULL);
    assert(finding == NULL || finding->asset == FH_UNKNOWN);
    if (put_unreadable(store, source) != FH_STORE_OK || finish_transaction(store) != FH_STORE_OK) {
        return store->status;
    }
    return forget_source(store);
}

static fh_store_status finish_scan(fh_store *store, const char *status)
{
    fh_call call = fh_call_make(store, FH_SQL_SCAN_FINISH);
    fh_call_text(&call, status);
    fh_call_number(&call, store->scan_id);
    return fh_call_run(&call);
}

fh_store_status fh_store_end_scan(fh_store *store, const char *status)
{
    assert(status != NULL);
    if (fh_store_run(store, FH_SQL_BEGIN) != FH_STORE_OK) {
        return store->status;
    }
    assert(store->scan_id != 0 && store->source_path == NULL);
    if (make_indexes(store) != FH_STORE_OK || finish_scan(store, status) != FH_STORE_OK ||
        finish_transaction(store) != FH_STORE_OK) {
        return store->status;
    }
    store->scan_id = 0;
    return FH_STORE_OK;
}
