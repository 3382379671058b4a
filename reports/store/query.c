/* Questions: each is a view, asked by its name, for one value of one of its columns. */
#include "core/text.h"
#include "reports/escape.h"
#include "store_impl.h"

#include <assert.h>
#include <string.h>

/* A question, and the statements that ask it: for everything, and for a value. */
typedef struct asked {
    fh_sql all;
    fh_sql of_value;
} asked;

#define QUESTION(id, name, purpose, view, key, kind, needs)                                        \
    {name, purpose, view, FH_ASKED_##kind == FH_ASKED_NOTHING ? NULL : (key), FH_ASKED_##kind,     \
     needs},
static const fh_question questions[] = {
#include "reports/store/questions.def"
};
#undef QUESTION

#define QUESTION(id, name, purpose, view, key, kind, needs) {FH_SQL_ASK_##id, FH_SQL_ASK_##id##_OF},
static const asked statements[] = {
#include "reports/store/questions.def"
};
#undef QUESTION

const fh_question *fh_questions(size_t *num)
{
    *num = sizeof questions / sizeof questions[0];
    return questions;
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

static fh_store_status answer_with(fh_store *store, fh_sql sql, const char *value, int64_t limit,
                                   const fh_answer *answer)
{
    fh_call call = fh_call_make(store, sql);
    fh_call_text(&call, value);
    fh_call_number(&call, limit);
    const fh_store_status status = tell_rows(&call, answer);
    fh_call_end(&call);
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
    if ((store->version < 4 && fh_store_exec(store, fh_sql_own_tally) != FH_STORE_OK) ||
        (store->version < 5 && fh_store_exec(store, fh_sql_own_overall) != FH_STORE_OK)) {
        return store->status;
    }
    return fh_store_exec(store, fh_sql_own_views);
}

fh_store_status fh_store_ask_question(fh_store *store, const fh_question *question,
                                      const char *value, int64_t limit, const fh_answer *answer)
{
    assert(store->read_only && (value == NULL || question->key != NULL));
    if (store->status != FH_STORE_OK || provide_views(store) != FH_STORE_OK) {
        return store->status;
    }
    store->steps_left = FH_STORE_STEPS_FLOOR + FH_STORE_STEPS_OF_QUESTION * store->len;
    if (strcmp(question->view, "v_coverage") == 0 && store->version < 2) {
        return fh_store_fail(store, FH_STORE_CORRUPT,
                             "an earlier framehound made it, which did not record that");
    }
    if (value != NULL && question->asked_for == FH_ASKED_PATH) {
        const fh_store_status found = demand_source(store, value);
        if (found != FH_STORE_OK) {
            return found;
        }
    }
    const asked *sql = &statements[question - questions];
    return answer_with(store, value == NULL ? sql->all : sql->of_value, value, limit, answer);
}
