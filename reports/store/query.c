/* Questions: each is a view, asked by its name, for one value of one of its columns. */
#include "core/text.h"
#include "reports/escape.h"
#include "store_impl.h"

#include <assert.h>
#include <string.h>

static const fh_question questions[] = {
    {"summary", "what there is of each format", "v_summary", NULL, FH_ASKED_NOTHING, false},
    {"grades", "assets by format and grade", "v_grades", NULL, FH_ASKED_NOTHING, false},
    {"scans", "the scans, and whether they came to their end", "v_scans", NULL, FH_ASKED_NOTHING,
     false},
    {"sources", "each source: what it is, how many assets and findings it has", "v_sources", "path",
     FH_ASKED_PATH, false},
    {"assets", "the assets, where they are and how sound they are", "v_assets", "path",
     FH_ASKED_PATH, false},
    {"findings", "the findings", "v_findings", "path", FH_ASKED_PATH, false},
    {"coverage", "what the sectors of a source are", "v_coverage", "path", FH_ASKED_PATH, false},
    {"rules", "how often each rule fires, and in how many sources", "v_rules", "code",
     FH_ASKED_CODE, false},
    {"rule-sources", "in which sources a rule fires most", "v_rule_sources", "code", FH_ASKED_CODE,
     true},
    {"shared", "assets that several sources have", "v_shared", "sha256", FH_ASKED_HASH, false},
    {"places", "where an asset is", "v_places", "sha256", FH_ASKED_HASH, true},
    {"related", "which sources share assets with this one, and how many", "v_related", "path",
     FH_ASKED_PATH, true},
    {"lacking", "what this source lacks that others have which share assets with it", "v_lacking",
     "path", FH_ASKED_PATH, true},
    {"unique", "the assets of this source that no other one has", "v_unique", "path", FH_ASKED_PATH,
     true},
    {"duplicates", "assets that are there more than once, and where", "v_duplicates", "sha256",
     FH_ASKED_HASH, false},
    {"same-motion", "motions that are there under several sums of bytes (hash of the poses)",
     "v_same_motion", "pose_sha256", FH_ASKED_HASH, false},
    {"biggest", "the assets by their length", "v_biggest", NULL, FH_ASKED_NOTHING, false},
    {"empty", "sources without any asset", "v_empty", NULL, FH_ASKED_NOTHING, false},
    {"failures", "sources that could not be read or searched to their end", "v_failures", NULL,
     FH_ASKED_NOTHING, false},
    {"broken", "assets whose replay broke or was stopped", "v_broken", NULL, FH_ASKED_NOTHING,
     false},
    {"near-misses", "places that begin as an asset and break", "v_near_misses", "path",
     FH_ASKED_PATH, false},
};

const fh_question *fh_questions(size_t *num)
{
    *num = sizeof questions / sizeof questions[0];
    return questions;
}

static uint32_t since_of(const char *view)
{
    for (size_t i = 0; i < fh_num_views; i++) {
        if (strcmp(fh_views[i].name, view) == 0) {
            return fh_views[i].since;
        }
    }
    assert(false);
    return FH_STORE_SCHEMA_VERSION;
}

/* The text of the question: what may vary in it are names of this file. */
static char *sql_of(const fh_question *question, const char *value)
{
    if (value == NULL) {
        return sqlite3_mprintf("SELECT * FROM temp.%s WHERE ?1 IS NULL LIMIT ?2", question->view);
    }
    return question->asked_for == FH_ASKED_HASH /* all that begin so: behind 'f' comes 'g' */
               ? sqlite3_mprintf("SELECT * FROM temp.%s WHERE %s >= ?1 AND %s < ?1 || 'g' LIMIT ?2",
                                 question->view, question->key, question->key)
               : sqlite3_mprintf("SELECT * FROM temp.%s WHERE %s = ?1 LIMIT ?2", question->view,
                                 question->key);
}

static fh_store_status demand_source(fh_store *store, const char *path)
{
    char detail[FH_STORE_ERROR_LEN / 2];
    bool has_row = false;
    fh_call call = fh_call_make(store, FH_SQL_SOURCE_FIND);
    fh_call_text(&call, path);
    const fh_store_status status = fh_call_row(&call, &has_row);
    fh_call_end(&call);
    if (status != FH_STORE_OK || has_row) {
        return status;
    }
    fh_text text = fh_text_make(detail, sizeof detail);
    fh_escape_into(fh_text_str(&text, "source "), path);
    fh_store_describe(store->error, sizeof store->error, store, FH_STORE_NOT_FOUND, detail);
    return FH_STORE_NOT_FOUND;
}

static size_t read_cells(fh_answer_cell cells[FH_STORE_MAX_CELLS], sqlite3_stmt *stmt)
{
    const int num = sqlite3_column_count(stmt);
    assert(num > 0 && (size_t)num <= FH_STORE_MAX_CELLS);
    for (int i = 0; i < num; i++) {
        const int type = sqlite3_column_type(stmt, i);
        cells[i] = (fh_answer_cell){.name = sqlite3_column_name(stmt, i),
                                    .text = (const char *)sqlite3_column_text(stmt, i),
                                    .is_number = type == SQLITE_INTEGER || type == SQLITE_FLOAT};
    }
    return (size_t)num;
}

static fh_store_status tell_rows(fh_call *call, const fh_answer *answer)
{
    fh_answer_cell cells[FH_STORE_MAX_CELLS];
    bool has_row = false;
    fh_store_status status = fh_call_row(call, &has_row);
    if (status != FH_STORE_OK) {
        return status;
    }
    bool goes_on = answer->begin(answer->user, cells, read_cells(cells, call->stmt));
    while (goes_on && has_row && status == FH_STORE_OK) {
        goes_on = answer->row(answer->user, cells, read_cells(cells, call->stmt));
        status = goes_on ? fh_call_row(call, &has_row) : status;
    }
    return status;
}

static fh_store_status answer_with(fh_store *store, const char *sql, const char *value,
                                   int64_t limit, const fh_answer *answer)
{
    fh_call call = {.store = store};
    call.rc = sqlite3_prepare_v2(store->db, sql, -1, &call.stmt, NULL);
    fh_call_text(&call, value);
    fh_call_number(&call, limit);
    const fh_store_status status = tell_rows(&call, answer);
    (void)sqlite3_finalize(call.stmt);
    return status;
}

/* Once a connection. What a view of ours puts together may be longer than what is stored. */
static fh_store_status provide_views(fh_store *store)
{
    if (store->is_asked) {
        return store->status;
    }
    store->is_asked = true;
    (void)sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, FH_STORE_MAX_PLACES);
    return fh_store_put_views(store, "temp");
}

fh_store_status fh_store_ask_question(fh_store *store, const fh_question *question,
                                      const char *value, int64_t limit, const fh_answer *answer)
{
    assert(store->read_only && (value == NULL || question->key != NULL));
    if (store->status != FH_STORE_OK || provide_views(store) != FH_STORE_OK) {
        return store->status;
    }
    store->steps_left = FH_STORE_STEPS_FLOOR + FH_STORE_STEPS_OF_QUESTION * store->len;
    if (since_of(question->view) > store->version) {
        return fh_store_fail(store, FH_STORE_CORRUPT,
                             "an earlier framehound made it, which did not record that");
    }
    if (value != NULL && question->asked_for == FH_ASKED_PATH) {
        const fh_store_status found = demand_source(store, value);
        if (found != FH_STORE_OK) {
            return found;
        }
    }
    char *sql = sql_of(question, value);
    const fh_store_status status = sql == NULL ? fh_store_fail(store, FH_STORE_NO_MEMORY, NULL)
                                               : answer_with(store, sql, value, limit, answer);
    sqlite3_free(sql);
    return status;
}
