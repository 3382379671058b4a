#include "fuzz_places.h"

#include "core/limits.h"
#include "hunt/extract.h"
#include "hunt/hash.h"

#include <stdlib.h>
#include <string.h>

/* Of each scan so much is kept; what comes behind it is not checked. An input that unpacks to
 * gigabytes ends the walk after so many questions, as it does the scan. */
enum { MOST_SOURCES = 64, MOST_ASSETS = 512, MOST_PIECES = 8192, MOST_QUESTIONS = 4096 };

typedef struct noted_source {
    char *path; /* owned; NULL: it is not to be looked for */
    fh_layout_choice layout;
    size_t first_asset, num_assets;
} noted_source;

struct fuzz_places {
    fuzz_file file;
    const uint8_t *bytes;
    size_t size;
    noted_source sources[MOST_SOURCES];
    fh_extract_asset assets[MOST_ASSETS];
    uint8_t hashes[MOST_ASSETS][FH_SHA256_LEN]; /* of each */
    fh_piece_record pieces[MOST_PIECES];
    size_t num_sources, num_assets, num_pieces;
    bool is_open; /* there was room for the source */
    unsigned questions;
};

fuzz_places *fuzz_places_make(const fuzz_file *file, const uint8_t *bytes, size_t size)
{
    fuzz_places *places = fuzz_have(calloc(1, sizeof *places));
    places->file = *file;
    places->bytes = bytes;
    places->size = size;
    return places;
}

void fuzz_places_free(fuzz_places *places)
{
    for (size_t i = 0; places != NULL && i < places->num_sources; i++) {
        free(places->sources[i].path);
    }
    free(places);
}

/* ---- what is told ---- */

void fuzz_places_begin(fuzz_places *places, const char *path)
{
    places->is_open = places->num_sources < MOST_SOURCES;
    if (places->is_open) {
        places->sources[places->num_sources] =
            (noted_source){.path = fuzz_have(strdup(path)), .first_asset = places->num_assets};
    }
}

void fuzz_places_asset(fuzz_places *places, const fh_asset_record *asset)
{
    const size_t num_pieces = asset->num_pieces == 0 ? 1 : asset->num_pieces;
    if (!places->is_open || asset->sha256 == NULL || places->num_assets == MOST_ASSETS ||
        num_pieces > MOST_PIECES - places->num_pieces) {
        return;
    }
    fh_piece_record *pieces = places->pieces + places->num_pieces;
    if (asset->num_pieces == 0) {
        *pieces = (fh_piece_record){0, asset->raw_offset, asset->length};
    } else {
        memcpy(pieces, asset->pieces, num_pieces * sizeof *pieces);
    }
    places->num_pieces += num_pieces;
    memcpy(places->hashes[places->num_assets], asset->sha256, FH_SHA256_LEN);
    places->assets[places->num_assets++] = (fh_extract_asset){
        .pieces = pieces, .num_pieces = num_pieces, .len = (size_t)asset->length};
    places->sources[places->num_sources].num_assets++;
}

static void check_hash(const fuzz_places *places, const fh_extract_asset *asset,
                       const uint8_t *bytes)
{
    uint8_t hash[FH_SHA256_LEN];
    fuzz_demand(fh_hash_bytes(hash, bytes, asset->len), "there is a hash");
    fuzz_demand(memcmp(hash, places->hashes[asset - places->assets], sizeof hash) == 0,
                "the bytes at the places of an asset have its hash");
}

/* By offsets alone. Nothing that was told lies behind the end of the source. */
static void check_plain(const fuzz_places *places, const fh_extract_asset *asset)
{
    uint8_t *bytes = fuzz_have(malloc(asset->len));
    for (size_t i = 0; i < asset->num_pieces; i++) {
        const fh_piece_record *piece = &asset->pieces[i];
        memcpy(bytes + piece->asset_offset, places->bytes + piece->raw_offset,
               (size_t)piece->length);
    }
    check_hash(places, asset, bytes);
    free(bytes);
}

void fuzz_places_end(fuzz_places *places, const fh_source_record *record, bool is_whole)
{
    if (!places->is_open) {
        return;
    }
    noted_source *source = &places->sources[places->num_sources++];
    const bool is_input = strcmp(source->path, places->file.path) == 0;
    const bool is_plain = is_input && strcmp(record->layout, "plain") == 0;
    fuzz_demand(!is_whole || !is_plain || record->size == (int64_t)places->size,
                "a file is as long as the input");
    for (size_t i = 0; is_whole && is_plain && i < source->num_assets; i++) {
        check_plain(places, &places->assets[source->first_asset + i]);
    }
    fuzz_demand(fh_layout_parse(&source->layout, record->layout), "a layout has a name");
    if (!is_whole || is_plain || source->num_assets == 0) {
        free(source->path);
        places->num_sources--;
    }
    places->is_open = false;
}

/* ---- what an export finds ---- */

static bool on_asset(void *user, const fh_extract_asset *asset, const uint8_t *bytes)
{
    check_hash(user, asset, bytes);
    return true;
}

static void on_lost(void *user, const fh_extract_asset *asset, fh_extract_loss loss,
                    const char *why)
{
    (void)user;
    (void)asset;
    fuzz_demand_line(why, "a loss has a reason");
    fuzz_demand(loss == FH_EXTRACT_LIMIT, "what a scan has told is where it says");
}

static bool has_enough(void *user)
{
    fuzz_places *places = user;
    return places->questions++ >= MOST_QUESTIONS;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(((const noted_source *)a)->path, ((const noted_source *)b)->path);
}

void fuzz_places_extract(fuzz_places *places)
{
    static fh_extract_source sources[MOST_SOURCES];
    const fh_extract_sink sink = {places, on_asset, on_lost, {has_enough, places}};
    qsort(places->sources, places->num_sources, sizeof places->sources[0], compare_paths);
    for (size_t i = 0; i < places->num_sources; i++) {
        const noted_source *source = &places->sources[i];
        fuzz_demand(i == 0 || compare_paths(source - 1, source) < 0,
                    "each source has a path of its own");
        sources[i] = (fh_extract_source){.path = source->path,
                                         .layout = source->layout,
                                         .assets = places->assets + source->first_asset,
                                         .num_assets = source->num_assets};
    }
    if (places->num_sources > 0) {
        fuzz_file_fill(&places->file, places->bytes, places->size);
        fh_extract_all(places->file.path, sources, places->num_sources, &sink);
    }
}
