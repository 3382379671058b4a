/* Assets of one file at a time: their bytes, read again and compared. */
#include "extraction.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes that come ---- */

static bool on_asset(void *user, const fh_extract_asset *asset, const uint8_t *bytes)
{
    fh_extraction *run = user;
    const fh_extraction_item *of = &run->batch.items[asset - run->batch.assets];
    fh_stored_asset stored;
    if (fh_store_find_asset(run->store, &stored, of->id) != FH_STORE_OK) {
        fh_extraction_store_failed(run);
        fh_extraction_fail(run, FH_EXIT_IO);
        return false;
    }
    if (strcmp(stored.sha256, of->sha256) != 0 || stored.length != (int64_t)asset->len) {
        fh_extraction_lose(run, stored.path, of->id, FH_EXIT_IO,
                           "the database has changed meanwhile; extract it again");
    } else if (!fh_extract_matches(bytes, asset->len, of->sha256)) {
        fh_extraction_lose(run, stored.path, of->id, FH_EXIT_IO,
                           "the bytes have changed since they were scanned; scan again");
    } else {
        fh_extraction_write(run, &stored, bytes);
    }
    fh_stored_asset_clear(&stored);
    return !run->is_over;
}

/* The path of the source of an asset of the batch. */
static const char *path_of(const fh_extraction_batch *all, const fh_extract_asset *asset)
{
    for (size_t i = 0; i < all->num_sources; i++) {
        const fh_extract_source *source = &all->sources[i];
        if (asset >= source->assets && asset < source->assets + source->num_assets) {
            return source->path;
        }
    }
    return all->file;
}

static void on_lost(void *user, const fh_extract_asset *asset, fh_extract_loss loss,
                    const char *why)
{
    fh_extraction *run = user;
    fh_extraction_lose(run, path_of(&run->batch, asset),
                       run->batch.items[asset - run->batch.assets].id,
                       loss == FH_EXTRACT_LIMIT ? FH_EXIT_LIMIT : FH_EXIT_IO, why);
}

/* ---- batches ---- */

static void clear_batch(fh_extraction_batch *all)
{
    for (size_t i = 0; i < all->num_assets; i++) {
        free(all->items[i].pieces);
    }
    for (size_t i = 0; i < all->num_sources; i++) {
        free((void *)(uintptr_t)all->sources[i].path);
    }
    free(all->file);
    all->file = NULL;
    all->num_assets = 0;
    all->num_sources = 0;
    all->num_pieces = 0;
}

static void flush(fh_extraction *run)
{
    fh_extraction_batch *all = &run->batch;
    const fh_extract_sink sink = {
        .user = run, .asset = on_asset, .lost = on_lost, .stop = {fh_interrupted, NULL}};
    if (all->file != NULL && !run->is_over) {
        fh_extract_all(all->file, all->sources, all->num_sources, &sink);
    }
    clear_batch(all);
}

static bool belongs(const fh_extraction_batch *all, const char *path, size_t file_len,
                    size_t num_pieces)
{
    return all->file != NULL && strlen(all->file) == file_len &&
           strncmp(all->file, path, file_len) == 0 && all->num_assets < FH_EXTRACT_MAX_ASSETS &&
           num_pieces <= FH_EXTRACT_MAX_PIECES - all->num_pieces;
}

/* false: there is no memory. */
static bool add_source(fh_extraction_batch *all, const fh_stored_asset *asset,
                       fh_layout_choice layout)
{
    const size_t num = all->num_sources;
    assert(num == 0 || all->sources[num - 1].path != NULL);
    if (num > 0 && strcmp(all->sources[num - 1].path, asset->path) == 0) {
        return true;
    }
    char *path = strdup(asset->path);
    if (path == NULL) {
        return false;
    }
    all->sources[all->num_sources++] = (fh_extract_source){
        .path = path, .layout = layout, .assets = all->assets + all->num_assets};
    return true;
}

/* Takes the pieces of the asset over. */
static bool add_asset(fh_extraction_batch *all, fh_stored_asset *asset, fh_layout_choice layout)
{
    if (asset->num_pieces == 0) {
        asset->pieces = malloc(sizeof *asset->pieces);
        if (asset->pieces == NULL) {
            return false;
        }
        asset->pieces[0] = (fh_piece_record){0, asset->raw_offset, asset->length};
        asset->num_pieces = 1;
    }
    if (!add_source(all, asset, layout)) {
        return false;
    }
    fh_extraction_item *added = &all->items[all->num_assets];
    *added = (fh_extraction_item){.id = asset->id, .pieces = asset->pieces};
    memcpy(added->sha256, asset->sha256, sizeof added->sha256);
    all->assets[all->num_assets++] = (fh_extract_asset){
        .pieces = asset->pieces, .num_pieces = asset->num_pieces, .len = (size_t)asset->length};
    all->sources[all->num_sources - 1].num_assets++;
    all->num_pieces += asset->num_pieces;
    asset->pieces = NULL;
    return true;
}

static void out_of_memory(fh_extraction *run)
{
    fh_complain("out of memory; close other programs, or extract fewer assets with --ids");
    fh_extraction_fail(run, FH_EXIT_LIMIT);
    run->is_over = true;
}

/* What is not understood of an asset; NULL: it can be looked for. */
static const char *objection(const fh_stored_asset *asset, fh_layout_choice *layout)
{
    if (asset->length <= 0 || asset->raw_offset < 0 || asset->length > (int64_t)FH_MAX_ASSET_LEN ||
        asset->num_pieces > FH_EXTRACT_MAX_PIECES ||
        (asset->layout != NULL && !fh_layout_parse(layout, asset->layout))) {
        return "the database describes it in terms unknown here";
    }
    if (asset->sha256[0] == '\0') {
        return "the database has no hash of it, so that nobody could tell whether it is the same";
    }
    if (strcmp(asset->path, "-") == 0 || strncmp(asset->path, "-!/", 3) == 0) {
        return "it came from standard input; save that as a file and scan it";
    }
    return NULL;
}

static void take_stored(fh_extraction *run, fh_stored_asset *asset)
{
    fh_layout_choice layout = FH_LAYOUT_AUTO;
    const char *why = objection(asset, &layout);
    const size_t file_len = why == NULL ? fh_extract_file_len(asset->path) : 0;
    if (why == NULL && file_len == 0) {
        why = "its source, as it was named to the scan, is no file that can be read; put it back, "
              "or work in the directory of the scan";
    }
    if (why != NULL) {
        fh_extraction_lose(run, asset->path, asset->id, FH_EXIT_IO, why);
        return;
    }
    fh_extraction_batch *all = &run->batch;
    if (!belongs(all, asset->path, file_len, asset->num_pieces)) {
        flush(run);
        all->file = strndup(asset->path, file_len);
    }
    if (all->file == NULL || !add_asset(all, asset, layout)) {
        out_of_memory(run);
    }
}

static void extract_all(fh_extraction *run, const int64_t *ids, size_t num_ids)
{
    for (size_t i = 0; i < num_ids && !run->is_over && !fh_interrupted(NULL); i++) {
        fh_stored_asset asset;
        if (fh_store_find_asset(run->store, &asset, ids[i]) != FH_STORE_OK) {
            fh_extraction_store_failed(run);
            return;
        }
        take_stored(run, &asset);
        fh_stored_asset_clear(&asset);
    }
    if (!fh_interrupted(NULL)) {
        flush(run);
    }
}

bool fh_extraction_all(fh_extraction *run, const int64_t *ids, size_t num_ids)
{
    fh_extraction_batch *all = &run->batch;
    const size_t most = num_ids < FH_EXTRACT_MAX_ASSETS ? num_ids + 1 : FH_EXTRACT_MAX_ASSETS;
    all->items = calloc(most, sizeof *all->items);
    all->assets = calloc(most, sizeof *all->assets);
    all->sources = calloc(most, sizeof *all->sources);
    const bool has_memory = all->items != NULL && all->assets != NULL && all->sources != NULL;
    if (has_memory) {
        extract_all(run, ids, num_ids);
        clear_batch(all);
    } else {
        out_of_memory(run);
    }
    free(all->items);
    free(all->assets);
    free(all->sources);
    return has_memory;
}
