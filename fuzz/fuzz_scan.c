/* The whole scan of a source in memory. The first byte says how it is asked for; the rest is the
 * source: a disc image, a container, an asset, anything. What must be true:
 *   - the scan is done, each source is begun and ended once, and records come in between;
 *   - an asset lies in its source, and so do its pieces, which tile it; the bytes there have its
 * hash (fuzz_places.h);
 *   - findings lie in the source (those of containers, IMG004x, in the container), are one line,
 * and are of the source or of an asset of it that was told: then in its bytes or at their end, and
 * in a source that is no image as far behind its first one as in the source;
 *   - the claims of a source sum up to its size, and rise;
 *   - scanning twice says the same;
 *   - memory and time stay under a bound for each byte of input.
 */
#include "fuzz_places.h"

#include "core/limits.h"
#include "hunt/hunt.h"
#include "registry/registry.h"

#include <stdlib.h>
#include <string.h>

/* An arena for the longest asset that the bytes can hold (FH_ARENA_PER_BYTE), a window for each
 * stream, what is held of texts that are put together, and the containers (fuzz_open.c). What comes
 * out of a container may be 256 MiB whatever went in: MOST_WORK ends that. */
static const fuzz_bounds bounds = {.memory_floor = (size_t)768 << 20,
                                   .memory_per_byte = 512,
                                   .milliseconds = 30000,
                                   .milliseconds_per_kib = 100};
enum { MOST_QUESTIONS = 4096, MOST_FORMATS = 8 };

/* What findings are held against. */
typedef struct told_asset {
    int64_t raw_offset;
    int64_t length;
    bool is_whole; /* in one piece */
} told_asset;

typedef struct scan {
    fuzz_sum sum;
    fuzz_places *places; /* borrowed; NULL: they are not noted */
    unsigned questions;
    bool is_open;
    told_asset *assets; /* owned; those of all sources */
    int64_t num_assets;
    int64_t max_assets;
    int64_t first_asset; /* of the open source */
    bool is_straight;    /* its findings lie in it as in their assets */
    int64_t source_end;  /* furthest raw offset that was told */
    int64_t covered;
    int64_t covered_end;
} scan;

static bool has_enough(void *user)
{
    scan *at = user;
    return at->questions++ >= MOST_QUESTIONS;
}

static void reach(scan *at, int64_t end)
{
    at->source_end = end > at->source_end ? end : at->source_end;
}

static void check_pieces(scan *at, const fh_asset_record *asset)
{
    int64_t end = 0;
    for (size_t i = 0; i < asset->num_pieces; i++) {
        const fh_piece_record *piece = &asset->pieces[i];
        fuzz_demand(piece->asset_offset == end && piece->length > 0 && piece->raw_offset >= 0,
                    "pieces tile an asset");
        end += piece->length;
        reach(at, piece->raw_offset + piece->length);
        fuzz_fold_number(&at->sum, piece->raw_offset);
    }
    fuzz_demand(asset->num_pieces == 0 || end == asset->length, "pieces make a whole asset");
}

static int64_t keep_asset(scan *at, const fh_asset_record *asset)
{
    if (at->num_assets == at->max_assets) {
        at->max_assets = 2 * at->max_assets + 16;
        at->assets = fuzz_have(realloc(at->assets, (size_t)at->max_assets * sizeof *at->assets));
    }
    at->assets[at->num_assets] =
        (told_asset){asset->raw_offset, asset->length, asset->num_pieces == 0};
    if (at->places != NULL) {
        fuzz_places_asset(at->places, asset);
    }
    return at->num_assets++;
}

static bool on_asset(void *user, const fh_asset_record *asset, int64_t *handle)
{
    scan *at = user;
    fuzz_demand(at->is_open, "an asset belongs to a source");
    fuzz_demand(asset->format != NULL && asset->grade != NULL, "an asset has a format and a grade");
    fuzz_demand(asset->length > 0 && (uint64_t)asset->length <= FH_MAX_ASSET_LEN,
                "an asset has bytes");
    fuzz_demand(asset->raw_offset >= 0, "an asset has a place");
    fuzz_demand((asset->sha256 == NULL) == (strcmp(asset->grade, "candidate") == 0),
                "what has a structure has a hash");
    reach(at, asset->raw_offset + (asset->num_pieces == 0 ? asset->length : 0));
    check_pieces(at, asset);
    *handle = keep_asset(at, asset);
    fuzz_fold_text(&at->sum, asset->format);
    fuzz_fold_text(&at->sum, asset->grade);
    fuzz_fold_text(&at->sum, asset->iso_path);
    fuzz_fold_number(&at->sum, asset->raw_offset);
    fuzz_fold_number(&at->sum, asset->user_offset);
    fuzz_fold_number(&at->sum, asset->length);
    fuzz_fold_number(&at->sum, asset->lba);
    if (asset->sha256 != NULL) {
        fuzz_fold(&at->sum, asset->sha256, FH_SHA256_LEN);
    }
    if (asset->pose_sha256 != NULL) {
        fuzz_fold(&at->sum, asset->pose_sha256, FH_SHA256_LEN);
    }
    return true;
}

/* An image has other bytes between those of an asset. */
static void check_of_asset(scan *at, const fh_finding_record *finding)
{
    fuzz_demand(finding->asset >= at->first_asset && finding->asset < at->num_assets,
                "a finding is of an asset of its source that was told");
    const told_asset *asset = &at->assets[finding->asset];
    const int64_t off = finding->asset_offset;
    fuzz_demand(off == FH_UNKNOWN || (off >= 0 && off <= asset->length),
                "a finding of an asset lies in its bytes");
    fuzz_demand((off == FH_UNKNOWN) == (finding->raw_offset == FH_UNKNOWN),
                "what has a place in an asset has one in the source");
    at->is_straight = at->is_straight && (!asset->is_whole || off == FH_UNKNOWN ||
                                          finding->raw_offset == asset->raw_offset + off);
}

static bool on_finding(void *user, const fh_finding_record *finding)
{
    scan *at = user;
    fuzz_demand(at->is_open, "a finding belongs to a source");
    if (finding->asset == FH_UNKNOWN) {
        fuzz_demand(finding->asset_offset == FH_UNKNOWN, "no asset has no place in it");
    } else {
        check_of_asset(at, finding);
    }
    fuzz_demand(finding->rule != NULL && strchr(finding->message, '\n') == NULL,
                "a finding is one line");
    fuzz_demand(finding->raw_offset == FH_UNKNOWN || finding->raw_offset >= 0,
                "a finding has a place or none");
    if (strncmp(finding->rule->code, "IMG004", 6) != 0) {
        reach(at, finding->raw_offset);
    }
    fuzz_fold_text(&at->sum, finding->rule->code);
    fuzz_fold_text(&at->sum, finding->message);
    fuzz_fold_number(&at->sum, finding->raw_offset);
    return true;
}

static bool on_coverage(void *user, const fh_coverage_record *coverage)
{
    scan *at = user;
    fuzz_demand(coverage->length > 0 && coverage->runs > 0, "a claim has bytes");
    if (coverage->raw_offset != FH_UNKNOWN) {
        fuzz_demand(coverage->raw_offset >= at->covered_end, "claims rise");
        at->covered_end = coverage->raw_offset + coverage->length;
    }
    at->covered += coverage->length;
    fuzz_fold_text(&at->sum, coverage->claim);
    fuzz_fold_number(&at->sum, coverage->length);
    fuzz_fold_number(&at->sum, coverage->asset_bytes);
    return true;
}

static bool on_base(void *user, uint32_t base)
{
    scan *at = user;
    fuzz_fold_number(&at->sum, base);
    return true;
}

static bool on_begin(void *user, const char *path)
{
    scan *at = user;
    fuzz_demand(!at->is_open, "one source is begun at a time");
    at->is_open = true;
    at->covered = 0;
    at->covered_end = 0;
    at->source_end = 0;
    at->first_asset = at->num_assets;
    at->is_straight = true;
    if (at->places != NULL) {
        fuzz_places_begin(at->places, path);
    }
    fuzz_fold_text(&at->sum, path);
    return true;
}

static bool on_end(void *user, const fh_hunt_source *source, fh_hunt_status status)
{
    scan *at = user;
    const fh_source_record *record = &source->record;
    fuzz_demand(at->is_open, "a source is begun before it ends");
    fuzz_demand(status != FH_HUNT_NO_MEMORY && status != FH_HUNT_SINK, "a scan is done");
    const bool is_whole = status == FH_HUNT_OK && record->size != FH_UNKNOWN;
    fuzz_demand(!is_whole || at->covered == record->size, "claims sum up to the source");
    fuzz_demand(!is_whole || at->source_end <= record->size, "what is told lies in the source");
    fuzz_demand(at->is_straight || strcmp(record->layout, "plain") != 0,
                "a finding lies in a file as in its asset");
    if (at->places != NULL) {
        fuzz_places_end(at->places, record, is_whole);
    }
    at->is_open = false;
    fuzz_fold_text(&at->sum, record->status);
    fuzz_fold_text(&at->sum, record->layout);
    fuzz_fold_text(&at->sum, record->kind);
    fuzz_fold_number(&at->sum, record->size);
    fuzz_fold_number(&at->sum, source->num_weak);
    return status != FH_HUNT_STOPPED;
}

/* What the input is called; an export opens it. */
static const fuzz_file *input_file(void)
{
    static fuzz_file file;
    if (file.path[0] == '\0') {
        file = fuzz_file_make();
    }
    return &file;
}

enum { AS_IT_LIES = 0x80 };

static fuzz_sum scan_once(uint8_t how, const uint8_t *data, size_t size, fuzz_places *places)
{
    const fh_format *formats[MOST_FORMATS];
    size_t num_formats = 0;
    for (; num_formats < fh_num_formats && num_formats < MOST_FORMATS; num_formats++) {
        formats[num_formats] = fh_formats[num_formats];
    }
    scan at = {.sum = FUZZ_SUM, .places = places};
    const fh_hunt_options options = {.formats = formats,
                                     .num_formats = num_formats,
                                     .layout = (fh_layout_choice)(how % (FH_LAYOUT_2448 + 1)),
                                     .min_evidence = (how & 0x20) != 0 ? 0 : FH_MIN_EVIDENCE,
                                     .every_offset = (how & 0x40) != 0,
                                     .replay = (how & 0x08) == 0,
                                     .check_sectors = (how & 0x10) != 0,
                                     .as_it_lies = (how & AS_IT_LIES) != 0,
                                     .user = &at,
                                     .stop = has_enough};
    const fh_hunt_sink sink = {.user = &at,
                               .asset = on_asset,
                               .finding = on_finding,
                               .coverage = on_coverage,
                               .base = on_base};
    const fh_hunt_visitor visitor = {&at, on_begin, on_end};
    int64_t num_left_out = 0;
    fh_hunt_bytes(&num_left_out, input_file()->path, data, size, &options, &sink, &visitor);
    fuzz_demand(!at.is_open, "a source that is begun ends");
    free(at.assets);
    return at.sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    fuzz_places *places = fuzz_places_make(input_file(), data + 1, size - 1);
    fuzz_begin();
    const fuzz_sum first = scan_once(data[0], data + 1, size - 1, places);
    fuzz_end(&bounds, size);
    fuzz_demand(scan_once(data[0], data + 1, size - 1, NULL) == first,
                "scanning twice says the same");
    if ((data[0] & AS_IT_LIES) == 0) {
        fuzz_places_extract(places); /* which enters what it can */
    }
    fuzz_places_free(places);
    return 0;
}
