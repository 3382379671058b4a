#include "asset_load.h"

#include "hunt/extract.h"
#include "registry/registry.h"
#include "stored.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How every SQLite file begins. */
bool fh_is_database(fh_cursor bytes)
{
    static const char magic[16] = "SQLite format 3";
    return bytes.size >= sizeof magic && memcmp(bytes.base, magic, sizeof magic) == 0;
}

static fh_exit fail(const char *path, const char *why)
{
    fh_complain("%s: %s", fh_safe_path(path), why);
    return FH_EXIT_IO;
}

static fh_exit fail_by_limit(const char *path, const char *why)
{
    (void)fail(path, why);
    return FH_EXIT_LIMIT;
}

static fh_exit keep_path(fh_asset_load *out, const char *path)
{
    out->path = strdup(path);
    return out->path != NULL ? FH_EXIT_OK : fail_by_limit(path, "out of memory");
}

static bool is_directory(const char *path)
{
    struct stat file;
    return strcmp(path, "-") != 0 && stat(path, &file) == 0 && S_ISDIR(file.st_mode);
}

fh_exit fh_asset_load_file(fh_asset_load *out, const char *command, const char *path)
{
    *out = (fh_asset_load){.is_whole = true, .lba = FH_UNKNOWN};
    if (is_directory(path)) {
        return fh_usage_error(command, "%s is a directory; name one FILE in it, or a DB:ID",
                              fh_safe_path(path));
    }
    const fh_load_status status = fh_file_load(&out->file, path, &fh_interrupt);
    if (status == FH_LOAD_STOPPED || status == FH_LOAD_NO_MEMORY) {
        return fail_by_limit(path, status == FH_LOAD_STOPPED ? "interrupted" : "out of memory");
    }
    if (status == FH_LOAD_ERROR) {
        fh_complain("cannot read %s: %s; check the name and the permissions", fh_safe_path(path),
                    out->file.error);
        return FH_EXIT_IO;
    }
    if (status == FH_LOAD_TOO_LONG) {
        fh_complain("%s: longer than any animation; run 'framehound scan' and %s DB:ID",
                    fh_safe_path(path), command);
        return FH_EXIT_IO;
    }
    return keep_path(out, path);
}

const char *fh_asset_split(const char *argument, char *db, size_t db_size)
{
    const char *colon = strrchr(argument, ':');
    if (colon == NULL || colon == argument || access(argument, F_OK) == 0 ||
        (size_t)(colon - argument) >= db_size) {
        return NULL;
    }
    memcpy(db, argument, (size_t)(colon - argument));
    db[colon - argument] = '\0';
    return colon + 1;
}

static fh_exit extract(fh_asset_load *out, const fh_stored_asset *asset)
{
    char why[256];
    fh_layout_choice layout = FH_LAYOUT_AUTO;
    out->format = fh_format_find(asset->format);
    if (out->format == NULL || asset->length < 0 || asset->raw_offset < 0 ||
        asset->length > (int64_t)FH_MAX_ASSET_LEN ||
        (asset->layout != NULL && !fh_layout_parse(&layout, asset->layout))) {
        return fail(asset->path, "the database describes this asset in terms unknown here");
    }
    const fh_piece_record whole = {0, asset->raw_offset, asset->length};
    const bool has_pieces = asset->num_pieces > 0;
    const fh_extract_wish wish = {asset->path, layout, has_pieces ? asset->pieces : &whole,
                                  has_pieces ? asset->num_pieces : 1};
    const size_t len = (size_t)asset->length;
    /* Others have pieces because their sectors are scattered: nothing is missing between them. */
    out->is_joined = has_pieces && out->format->joining != NULL;
    out->file.bytes = malloc(len > 0 ? len : 1);
    out->file.max_len = len;
    if (out->file.bytes == NULL) {
        return fail_by_limit(asset->path, "out of memory");
    }
    if (!fh_extract(out->file.bytes, &wish, why, sizeof why)) {
        fh_complain(
            "%s, where the database says that the asset is (as it was named to the scan): %s",
            fh_safe_path(asset->path), why);
        return FH_EXIT_IO;
    }
    out->file.len = len;
    out->raw_offset = asset->raw_offset;
    out->lba = asset->lba;
    return fh_extract_matches(out->file.bytes, len, asset->sha256)
               ? FH_EXIT_OK
               : fail(asset->path, "the bytes have changed since they were scanned; scan again");
}

static fh_exit load_stored(fh_asset_load *out, const char *db, uint32_t id)
{
    fh_store *store = NULL;
    fh_stored_asset asset;
    const fh_exit opened = fh_stored_open(&store, db);
    *out = (fh_asset_load){.is_whole = false};
    if (opened != FH_EXIT_OK) {
        return opened;
    }
    const bool is_there = fh_store_find_asset(store, &asset, id) == FH_STORE_OK;
    fh_exit exit = is_there ? extract(out, &asset) : fh_store_failed(store);
    if (exit == FH_EXIT_OK) {
        exit = keep_path(out, asset.path);
    }
    fh_stored_asset_clear(&asset);
    fh_store_close(store);
    return exit;
}

fh_exit fh_asset_load_named(fh_asset_load *out, const char *command, const char *argument)
{
    char db[4096];
    uint32_t id = 0;
    *out = (fh_asset_load){.path = NULL};
    const char *number = fh_asset_split(argument, db, sizeof db);
    if (number != NULL && fh_parse_u32(&id, number)) {
        return load_stored(out, db, id);
    }
    if (number != NULL && access(db, F_OK) == 0) {
        return fh_usage_error(command,
                              "'%s' is no number of an asset; name one of %s, as in %s:1 (its "
                              "view v_assets lists them)",
                              fh_safe_path(number), fh_safe_path(db), fh_safe_path(db));
    }
    return fh_asset_load_file(out, command, argument);
}
