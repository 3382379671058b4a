/* Reading: recorded assets, where their bytes are, and what was found of them. */
#include "core/limits.h"
#include "core/text.h"
#include "store_impl.h"

#include <stdlib.h>
#include <string.h>

/* Columns of FH_SQL_ASSET_FIND. */
enum {
    PATH,
    KIND,
    LAYOUT,
    SOURCE_SHA256,
    FORMAT,
    GRADE,
    RAW_OFFSET,
    USER_OFFSET,
    LENGTH,
    LBA,
    ISO_PATH,
    ISO_OFFSET,
    RAM_ADDRESS,
    EVIDENCE_BITS,
    FRAMES,
    OBJECTS,
    SHA256,
    POSE_SHA256,
    EVALUATOR,
    REPLAY_FRAMES,
    TICKS,
    REPLAY_STATUS
};

static const char *column_text(sqlite3_stmt *stmt, int column)
{
    return (const char *)sqlite3_column_text(stmt, column);
}

static int64_t column_number(sqlite3_stmt *stmt, int column)
{
    return sqlite3_column_type(stmt, column) == SQLITE_NULL ? FH_UNKNOWN
                                                            : sqlite3_column_int64(stmt, column);
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
           column_text(stmt, GRADE) != NULL && is_hash(column_text(stmt, SOURCE_SHA256)) &&
           is_hash(column_text(stmt, POSE_SHA256)) && is_place(column_number(stmt, RAW_OFFSET)) &&
           is_place(column_number(stmt, USER_OFFSET)) && is_place(column_number(stmt, LENGTH)) &&
           is_hash(column_text(stmt, SHA256));
}

/* copy_text owns the result; NULL stays NULL, and *enough turns false when memory runs out. */
static char *copy_text(bool *enough, sqlite3_stmt *stmt, int column)
{
    const char *text = column_text(stmt, column);
    char *copy = text != NULL ? strdup(text) : NULL;
    *enough = *enough && (text == NULL || copy != NULL);
    return copy;
}

static void copy_hash(char out[2 * FH_SHA256_LEN + 1], sqlite3_stmt *stmt, int column)
{
    const char *sha256 = column_text(stmt, column);
    if (sha256 != NULL) {
        memcpy(out, sha256, 2 * (size_t)FH_SHA256_LEN + 1);
    }
}

static void copy_numbers(fh_stored_asset *asset, sqlite3_stmt *stmt)
{
    asset->raw_offset = column_number(stmt, RAW_OFFSET);
    asset->user_offset = column_number(stmt, USER_OFFSET);
    asset->length = column_number(stmt, LENGTH);
    asset->lba = column_number(stmt, LBA);
    asset->iso_offset = column_number(stmt, ISO_OFFSET);
    asset->ram_address = column_number(stmt, RAM_ADDRESS);
    asset->evidence_bits = column_number(stmt, EVIDENCE_BITS);
    asset->frames = column_number(stmt, FRAMES);
    asset->objects = column_number(stmt, OBJECTS);
    asset->replay_frames = column_number(stmt, REPLAY_FRAMES);
    asset->ticks = column_number(stmt, TICKS);
}

static bool copy_row(fh_stored_asset *asset, sqlite3_stmt *stmt)
{
    bool enough = true;
    asset->path = copy_text(&enough, stmt, PATH);
    asset->kind = copy_text(&enough, stmt, KIND);
    asset->layout = copy_text(&enough, stmt, LAYOUT);
    asset->format = copy_text(&enough, stmt, FORMAT);
    asset->grade = copy_text(&enough, stmt, GRADE);
    asset->iso_path = copy_text(&enough, stmt, ISO_PATH);
    asset->evaluator = copy_text(&enough, stmt, EVALUATOR);
    asset->replay_status = copy_text(&enough, stmt, REPLAY_STATUS);
    copy_numbers(asset, stmt);
    copy_hash(asset->source_sha256, stmt, SOURCE_SHA256);
    copy_hash(asset->sha256, stmt, SHA256);
    copy_hash(asset->pose_sha256, stmt, POSE_SHA256);
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

/* Columns of FH_SQL_PIECES_FIND. */
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
    if (store->version < 2) {
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
    fh_store_ask(store);
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
    free(asset->grade);
    free(asset->iso_path);
    free(asset->evaluator);
    free(asset->replay_status);
    free(asset->pieces);
    *asset = (fh_stored_asset){.id = 0};
}

/* ---- findings ---- */

/* Columns of FH_SQL_FINDINGS_LIST. */
enum {
    FINDING_CODE,
    FINDING_SEVERITY,
    FINDING_RAW_OFFSET,
    FINDING_ASSET_OFFSET,
    FINDING_FRAME,
    FINDING_OBJECT,
    FINDING_MESSAGE,
    FINDING_FIELD,
    FINDING_FOUND,
    FINDING_EXPECTED
};

static fh_stored_finding finding_of(sqlite3_stmt *stmt)
{
    return (fh_stored_finding){
        .code = column_text(stmt, FINDING_CODE),
        .severity = column_text(stmt, FINDING_SEVERITY),
        .raw_offset = column_number(stmt, FINDING_RAW_OFFSET),
        .asset_offset = column_number(stmt, FINDING_ASSET_OFFSET),
        .frame = column_number(stmt, FINDING_FRAME),
        .object = column_number(stmt, FINDING_OBJECT),
        .message = column_text(stmt, FINDING_MESSAGE),
        .field = column_text(stmt, FINDING_FIELD),
        .found = column_text(stmt, FINDING_FOUND),
        .expected = column_text(stmt, FINDING_EXPECTED),
    };
}

fh_store_status fh_store_each_finding(fh_store *store, int64_t asset_id, void *user,
                                      bool (*take)(void *user, const fh_stored_finding *finding))
{
    bool has_row = false;
    fh_store_ask(store);
    fh_call call = fh_call_make(store, FH_SQL_FINDINGS_LIST);
    fh_call_number(&call, asset_id);
    fh_store_status status = fh_call_row(&call, &has_row);
    while (has_row && status == FH_STORE_OK) {
        const fh_stored_finding finding = finding_of(call.stmt);
        if (finding.code == NULL || finding.severity == NULL || finding.message == NULL) {
            status = fh_store_fail(store, FH_STORE_CORRUPT, "its row of a finding makes no sense");
            break;
        }
        if (!take(user, &finding)) {
            break;
        }
        status = fh_call_row(&call, &has_row);
    }
    fh_call_end(&call);
    return status;
}

/* ---- lists ---- */

/* Columns of FH_SQL_ASSETS_LIST. */
enum { LISTED_ID, LISTED_FORMAT, LISTED_GRADE };

typedef struct id_list {
    int64_t *ids;
    size_t num;
    size_t max;
} id_list;

static bool add_id(id_list *list, int64_t id)
{
    if (list->num == list->max) {
        const size_t max = list->max == 0 ? 256 : 2 * list->max;
        int64_t *ids = max > SIZE_MAX / sizeof *ids ? NULL : realloc(list->ids, max * sizeof *ids);
        if (ids == NULL) {
            return false;
        }
        list->ids = ids;
        list->max = max;
    }
    list->ids[list->num++] = id;
    return true;
}

static bool is_listed(const fh_asset_filter *filter, sqlite3_stmt *stmt)
{
    const char *format = column_text(stmt, LISTED_FORMAT);
    const char *grade = column_text(stmt, LISTED_GRADE);
    return filter->wants == NULL ||
           filter->wants(filter->user, sqlite3_column_int64(stmt, LISTED_ID),
                         format == NULL ? "" : format, grade == NULL ? "" : grade);
}

fh_store_status fh_store_list_assets(fh_store *store, int64_t **ids, size_t *num_ids,
                                     const fh_asset_filter *filter)
{
    id_list list = {0};
    int64_t num_rows = 0;
    bool has_row = false;
    bool has_memory = true;
    *ids = NULL;
    *num_ids = 0;
    if (fh_store_share(store) != FH_STORE_OK) {
        return store->status;
    }
    fh_call call = fh_call_make(store, FH_SQL_ASSETS_LIST);
    fh_store_status status = fh_call_row(&call, &has_row);
    while (has_row && has_memory && status == FH_STORE_OK) {
        if (++num_rows > store->len / FH_STORE_MIN_ROW) {
            status = fh_store_fail(store, FH_STORE_CORRUPT, FH_STORE_ENDLESS);
            break;
        }
        if (is_listed(filter, call.stmt)) {
            has_memory = add_id(&list, sqlite3_column_int64(call.stmt, LISTED_ID));
        }
        status = fh_call_row(&call, &has_row);
    }
    fh_call_end(&call);
    if (!has_memory) {
        status = fh_store_fail(store, FH_STORE_NO_MEMORY, NULL);
    }
    if (status != FH_STORE_OK) {
        free(list.ids);
        return status;
    }
    *ids = list.ids;
    *num_ids = list.num;
    return FH_STORE_OK;
}
