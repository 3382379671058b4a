/* Reading: where the bytes of a recorded asset are. */
#include "core/limits.h"
#include "core/text.h"
#include "store_impl.h"

#include <stdlib.h>
#include <string.h>

/* Columns of FH_SQL_ASSET_FIND. */
enum column { PATH, KIND, LAYOUT, FORMAT, RAW_OFFSET, USER_OFFSET, LENGTH, SHA256 };

static const char *column_text(sqlite3_stmt *stmt, enum column column)
{
    return (const char *)sqlite3_column_text(stmt, (int)column);
}

static int64_t column_number(sqlite3_stmt *stmt, enum column column)
{
    return sqlite3_column_type(stmt, (int)column) == SQLITE_NULL
               ? FH_UNKNOWN
               : sqlite3_column_int64(stmt, (int)column);
}

static bool is_hash(const char *text)
{
    return text == NULL || (strlen(text) == (size_t)2 * FH_SHA256_LEN &&
                            strspn(text, "0123456789abcdef") == (size_t)2 * FH_SHA256_LEN);
}

static bool is_place(int64_t number)
{
    return number == FH_UNKNOWN || number >= 0;
}

/* is_sound holds a row against what this program writes; the database may have been changed by
 * anybody since. */
static bool is_sound(sqlite3_stmt *stmt)
{
    return column_text(stmt, PATH) != NULL && column_text(stmt, FORMAT) != NULL &&
           is_place(column_number(stmt, RAW_OFFSET)) &&
           is_place(column_number(stmt, USER_OFFSET)) && is_place(column_number(stmt, LENGTH)) &&
           is_hash(column_text(stmt, SHA256));
}

/* copy_text owns the result; NULL stays NULL, and *enough turns false when memory runs out. */
static char *copy_text(bool *enough, sqlite3_stmt *stmt, enum column column)
{
    const char *text = column_text(stmt, column);
    char *copy = text != NULL ? strdup(text) : NULL;
    *enough = *enough && (text == NULL || copy != NULL);
    return copy;
}

static bool copy_row(fh_stored_asset *asset, sqlite3_stmt *stmt)
{
    bool enough = true;
    asset->path = copy_text(&enough, stmt, PATH);
    asset->kind = copy_text(&enough, stmt, KIND);
    asset->layout = copy_text(&enough, stmt, LAYOUT);
    asset->format = copy_text(&enough, stmt, FORMAT);
    asset->raw_offset = column_number(stmt, RAW_OFFSET);
    asset->user_offset = column_number(stmt, USER_OFFSET);
    asset->length = column_number(stmt, LENGTH);
    const char *sha256 = column_text(stmt, SHA256);
    if (sha256 != NULL) {
        memcpy(asset->sha256, sha256, sizeof asset->sha256);
    }
    return enough;
}

static fh_store_status take_row(fh_store *store, fh_stored_asset *asset, sqlite3_stmt *stmt)
{
    if (!is_sound(stmt)) {
        return fh_store_fail(store, FH_STORE_CORRUPT, "its row of the asset makes no sense");
    }
    return copy_row(asset, stmt) ? FH_STORE_OK : fh_store_fail(store, FH_STORE_NO_MEMORY, NULL);
}

/* ---- pieces ---- */

enum { PIECE_ASSET_OFFSET, PIECE_RAW_OFFSET, PIECE_LENGTH };

static bool add_piece(fh_stored_asset *asset, sqlite3_stmt *stmt)
{
    const size_t num = asset->num_pieces;
    fh_piece_record *pieces = realloc(asset->pieces, (num + 1) * sizeof *pieces);
    if (pieces == NULL) {
        return false;
    }
    pieces[num] = (fh_piece_record){sqlite3_column_int64(stmt, PIECE_ASSET_OFFSET),
                                    sqlite3_column_int64(stmt, PIECE_RAW_OFFSET),
                                    sqlite3_column_int64(stmt, PIECE_LENGTH)};
    asset->pieces = pieces;
    asset->num_pieces = num + 1;
    return true;
}

/* Pieces tile the asset, in its order; the database may have been changed by anybody since. end: of
 * the one in front. */
static bool is_next(const fh_stored_asset *asset, const fh_piece_record *piece, int64_t end)
{
    return piece->asset_offset == end && piece->raw_offset >= 0 && piece->length > 0 &&
           piece->length <= asset->length - end && asset->num_pieces <= FH_MAX_PARTS;
}

static fh_store_status find_pieces(fh_store *store, fh_stored_asset *asset)
{
    if (store->version < FH_STORE_SCHEMA_VERSION) {
        return FH_STORE_OK; /* schema 1 knew no pieces */
    }
    bool has_row = false;
    bool has_memory = true;
    bool is_tiled = true;
    int64_t end = 0;
    fh_call call = fh_call_make(store, FH_SQL_PIECES_FIND);
    fh_call_number(&call, asset->id);
    fh_store_status status = fh_call_row(&call, &has_row);
    /* The first piece that is wrong ends it: what hands out rows may have no end. */
    while (has_row && has_memory && is_tiled && status == FH_STORE_OK) {
        has_memory = add_piece(asset, call.stmt);
        if (has_memory) {
            const fh_piece_record *piece = &asset->pieces[asset->num_pieces - 1];
            is_tiled = is_next(asset, piece, end);
            end = is_tiled ? end + piece->length : end;
            status = fh_call_row(&call, &has_row);
        }
    }
    fh_call_end(&call);
    if (!has_memory) {
        return fh_store_fail(store, FH_STORE_NO_MEMORY, NULL);
    }
    is_tiled = is_tiled && (asset->num_pieces == 0 || end == asset->length);
    if (status == FH_STORE_OK && !is_tiled) {
        return fh_store_fail(store, FH_STORE_CORRUPT, "the pieces of the asset do not tile it");
    }
    return status;
}

static fh_store_status not_found(fh_store *store, int64_t id)
{
    char buf[40];
    fh_text detail = fh_text_make(buf, sizeof buf);
    fh_text_s64(fh_text_str(&detail, "asset "), id);
    fh_store_describe(store->error, sizeof store->error, store, FH_STORE_NOT_FOUND, detail.buf);
    return FH_STORE_NOT_FOUND;
}

fh_store_status fh_store_find_asset(fh_store *store, fh_stored_asset *asset, int64_t id)
{
    *asset = (fh_stored_asset){.id = 0};
    bool has_row = false;
    fh_call call = fh_call_make(store, FH_SQL_ASSET_FIND);
    fh_call_number(&call, id);
    fh_store_status status = fh_call_row(&call, &has_row);
    if (has_row) {
        asset->id = id;
        status = take_row(store, asset, call.stmt);
    } else if (status == FH_STORE_OK) {
        status = not_found(store, id);
    }
    fh_call_end(&call);
    if (status == FH_STORE_OK) {
        status = find_pieces(store, asset);
    }
    if (status != FH_STORE_OK) {
        fh_stored_asset_clear(asset);
    }
    return status;
}

void fh_stored_asset_clear(fh_stored_asset *asset)
{
    free(asset->path);
    free(asset->kind);
    free(asset->layout);
    free(asset->format);
    free(asset->pieces);
    *asset = (fh_stored_asset){.id = 0};
}
