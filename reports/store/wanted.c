/* What a scan was asked to search, as long as it is not at its end: to go on with it and leave some
 * of that out would call it complete. */
#include "reports/hex.h"
#include "store_impl.h"

#include <assert.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

void fh_store_want(fh_store *store, const char *const *names, size_t num_names)
{
    assert(!store->read_only && !store->is_scanning);
    store->wanted = names;
    store->num_wanted = num_names;
}

fh_store_status fh_store_put_wanted(fh_store *store)
{
    if (store->has_wanted || store->num_wanted == 0 ||
        fh_store_exec(store, fh_sql_wanted) != FH_STORE_OK) {
        return store->status;
    }
    for (size_t i = 0; i < store->num_wanted && store->status == FH_STORE_OK; i++) {
        fh_call call = fh_call_make(store, FH_SQL_WANTED_PUT);
        fh_call_number(&call, store->scan_id);
        fh_call_number(&call, (int64_t)i + 1);
        fh_call_text(&call, store->wanted[i]);
        if (fh_call_run(&call) != FH_STORE_OK) {
            break;
        }
    }
    store->has_wanted = true;
    return store->status;
}

/* The first difference that is met is the one that is told. path: NULL where there is none. */
static fh_store_status tell_other(fh_store *store, fh_resumed *resumed, size_t n, const char *path)
{
    if (resumed->has_other_sources) {
        return store->status;
    }
    free(store->other_source);
    store->other_source = path == NULL ? NULL : strdup(path);
    if (path != NULL && store->other_source == NULL) {
        return fh_store_fail(store, FH_STORE_NO_MEMORY, NULL);
    }
    resumed->has_other_sources = true;
    resumed->other_n = (int64_t)n + 1;
    resumed->other_source = store->other_source;
    return store->status;
}

static bool is_nth(const fh_store *store, size_t n, const char *path)
{
    return n < store->num_wanted && strcmp(path, store->wanted[n]) == 0;
}

fh_store_status fh_store_is_wanted(fh_store *store, bool *is_same, fh_resumed *resumed,
                                   int64_t scan_id)
{
    size_t n = 0;
    bool has_row = store->num_wanted > 0;
    *is_same = true;
    fh_call call = fh_call_make(store, FH_SQL_WANTED_LIST);
    fh_call_number(&call, scan_id);
    while (has_row && *is_same && fh_call_row(&call, &has_row) == FH_STORE_OK) {
        const char *path = has_row ? (const char *)sqlite3_column_text(call.stmt, 0) : NULL;
        *is_same =
            has_row ? path != NULL && is_nth(store, n, path) : n == 0 || n == store->num_wanted;
        if (!*is_same) {
            (void)tell_other(store, resumed, n, path);
        }
        n++;
    }
    fh_call_end(&call);
    return store->status;
}

/* ---- shards: what all of them were asked for --------------------------------------------------
 */

static bool sum_names(char out[2 * FH_SHA256_LEN + 1], const fh_store *store)
{
    SHA256_CTX sum;
    uint8_t hash[FH_SHA256_LEN];
    bool is_ok = SHA256_Init(&sum) == 1;
    for (size_t i = 0; i < store->num_wanted && is_ok; i++) {
        is_ok = SHA256_Update(&sum, store->wanted[i], strlen(store->wanted[i]) + 1) == 1;
    }
    is_ok = is_ok && SHA256_Final(hash, &sum) == 1;
    if (is_ok) {
        fh_hex_of_hash(out, hash);
    }
    return is_ok;
}

fh_store_status fh_store_put_asked(fh_store *store)
{
    char sum[2 * FH_SHA256_LEN + 1];
    if (!sum_names(sum, store)) {
        return fh_store_fail(store, FH_STORE_NO_MEMORY, NULL);
    }
    if (fh_store_exec(store, fh_sql_asked) != FH_STORE_OK) {
        return store->status;
    }
    fh_call call = fh_call_make(store, FH_SQL_ASKED_PUT);
    fh_call_text(&call, sum);
    return fh_call_run(&call);
}

fh_store_status fh_store_get_asked(fh_store *store, char out[2 * FH_SHA256_LEN + 1])
{
    bool has_row = false;
    out[0] = '\0';
    if (!fh_store_has_table(store, "main", "shard_asked", "names_sha256")) {
        return store->status;
    }
    fh_call call = fh_call_make(store, FH_SQL_ASKED_GET);
    const fh_store_status status = fh_call_row(&call, &has_row);
    const char *sum = has_row ? (const char *)sqlite3_column_text(call.stmt, 0) : NULL;
    if (sum != NULL && strlen(sum) == (size_t)2 * FH_SHA256_LEN) {
        memcpy(out, sum, 2 * FH_SHA256_LEN + 1);
    }
    fh_call_end(&call);
    return status;
}
