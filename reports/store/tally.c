/* Sums of a source, gathered while its rows are put, so that nothing is read again for them. What
 * is gathered has a bound; beyond it what there is by then is written, and the rest is added to it.
 */
#include "store_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The grade of what is of the source itself. */
#define NO_GRADE ""

/* What no row of a scan comes near does not wrap around, nor become FH_UNKNOWN. */
static int64_t sum_of(int64_t a, int64_t b)
{
    if (b > 0 && a > INT64_MAX - b) {
        return INT64_MAX;
    }
    return b < 0 && a < -INT64_MAX - b ? -INT64_MAX : a + b;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static bool is_of(const fh_tally_row *row, const char *format, const char *grade)
{
    return strcmp(row->format, format) == 0 && strcmp(row->grade, grade) == 0;
}

static fh_tally_row *add_row(fh_tally *tally, const char *format, const char *grade)
{
    const size_t format_size = strlen(format) + 1;
    const size_t grade_size = strlen(grade) + 1;
    char *words = malloc(format_size + grade_size);
    if (words == NULL) {
        (void)fh_store_fail(tally->store, FH_STORE_NO_MEMORY, NULL);
        return NULL;
    }
    memcpy(words, format, format_size);
    memcpy(words + format_size, grade, grade_size);
    fh_tally_row *row = &tally->rows[tally->num_rows++];
    *row = (fh_tally_row){
        .format = words, .grade = words + format_size, .bytes = FH_UNKNOWN, .longest = FH_UNKNOWN};
    return row;
}

/* NULL: the store failed. */
static fh_tally_row *row_of(fh_tally *tally, const char *format, const char *grade)
{
    for (size_t i = 0; i < tally->num_rows; i++) {
        if (is_of(&tally->rows[i], format, grade)) {
            return &tally->rows[i];
        }
    }
    const bool has_room = tally->num_rows < FH_STORE_MAX_TALLY;
    return has_room || fh_tally_write(tally) == FH_STORE_OK ? add_row(tally, format, grade) : NULL;
}

static fh_store_status write_row(const fh_tally *tally, const fh_tally_row *row)
{
    fh_call call = fh_call_make(tally->store, FH_SQL_TALLY_ADD);
    fh_call_number(&call, tally->source_id);
    fh_call_text(&call, row->format);
    fh_call_text(&call, row->grade);
    fh_call_number(&call, row->assets);
    fh_call_number(&call, row->bytes);
    fh_call_number(&call, row->longest);
    fh_call_number(&call, row->frames);
    fh_call_number(&call, row->findings[FH_ERROR]);
    fh_call_number(&call, row->findings[FH_WARNING]);
    fh_call_number(&call, row->findings[FH_NOTE]);
    return fh_call_run(&call);
}

static void forget(fh_tally *tally)
{
    for (size_t i = 0; i < tally->num_rows; i++) {
        free(tally->rows[i].format);
    }
    tally->num_rows = 0;
    tally->last = NULL;
}

fh_store_status fh_tally_write(fh_tally *tally)
{
    for (size_t i = 0; i < tally->num_rows && tally->store->status == FH_STORE_OK; i++) {
        if (write_row(tally, &tally->rows[i]) != FH_STORE_OK) {
            break;
        }
    }
    forget(tally);
    return tally->store->status;
}

/* ---- assets ---------------------------------------------------------------------------------- */

static int64_t frames_of(const fh_asset_record *asset)
{
    if (asset->frames != FH_UNKNOWN) {
        return asset->frames;
    }
    return asset->replay != NULL && asset->replay->frames != FH_UNKNOWN ? asset->replay->frames : 0;
}

static void add_length(fh_tally_row *row, int64_t length)
{
    if (length == FH_UNKNOWN) {
        return;
    }
    row->longest = row->bytes == FH_UNKNOWN || row->longest < length ? length : row->longest;
    row->bytes = row->bytes == FH_UNKNOWN ? length : sum_of(row->bytes, length);
}

fh_store_status fh_tally_asset(fh_tally *tally, const fh_asset_record *asset)
{
    fh_tally_row *row = row_of(tally, asset->format, asset->grade);
    tally->last = row;
    if (row != NULL) {
        row->assets++;
        row->frames = sum_of(row->frames, frames_of(asset));
        add_length(row, asset->length);
    }
    return tally->store->status;
}

/* ---- findings -------------------------------------------------------------------------------- */

/* The row for what a statement says of something: a format and, if it has one, a grade. */
static fh_tally_row *asked_row(fh_tally *tally, fh_call *call, const char *otherwise)
{
    bool has_row = false;
    fh_tally_row *row = NULL;
    if (fh_call_row(call, &has_row) == FH_STORE_OK) {
        const char *format = has_row ? (const char *)sqlite3_column_text(call->stmt, 0) : otherwise;
        const char *grade = has_row && sqlite3_column_count(call->stmt) > 1
                                ? (const char *)sqlite3_column_text(call->stmt, 1)
                                : NO_GRADE;
        if (format == NULL || grade == NULL) {
            (void)fh_store_fail(tally->store, FH_STORE_NO_MEMORY, NULL);
        } else {
            row = row_of(tally, format, grade);
        }
    }
    fh_call_end(call);
    return row;
}

/* An asset that is not the last one is seldom spoken of. */
static fh_tally_row *row_of_asset(fh_tally *tally, int64_t asset_id)
{
    fh_call call = fh_call_make(tally->store, FH_SQL_ASSET_WORDS);
    fh_call_number(&call, asset_id);
    return asked_row(tally, &call, "unknown");
}

/* The rules of a scan lie in its tables; NULL: it is not one of them. */
static const char *format_of(const fh_store *store, const fh_rule *rule)
{
    for (size_t i = 0; i < store->beginning.num_tables; i++) {
        const fh_rule_table *table = &store->beginning.tables[i];
        if ((uintptr_t)rule >= (uintptr_t)table->rules &&
            (uintptr_t)rule < (uintptr_t)(table->rules + table->num_rules)) {
            return table->format;
        }
    }
    return NULL;
}

static fh_tally_row *row_of_source(fh_tally *tally, const fh_rule *rule)
{
    const char *format = format_of(tally->store, rule);
    if (format != NULL) {
        return row_of(tally, format, NO_GRADE);
    }
    fh_call call = fh_call_make(tally->store, FH_SQL_RULE_FORMAT);
    fh_call_text(&call, rule->code);
    return asked_row(tally, &call, "unknown");
}

fh_store_status fh_tally_finding(fh_tally *tally, const fh_finding_record *finding,
                                 int64_t asset_id, bool is_last)
{
    fh_tally_row *row = is_last ? tally->last : NULL;
    if (row == NULL) {
        row = asset_id == FH_UNKNOWN ? row_of_source(tally, finding->rule)
                                     : row_of_asset(tally, asset_id);
    }
    if (row != NULL) {
        assert(finding->severity <= FH_ERROR);
        row->findings[finding->severity]++;
    }
    return tally->store->status;
}
