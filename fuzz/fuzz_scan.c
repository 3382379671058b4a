/* The whole scan of a source in memory. The first byte says how it is asked for; the rest is the
 * source: a disc image, a container, an asset, anything. What must be true:
 *   - the scan is done, each source is begun and ended once, and records come in between;
 *   - an asset lies in its source, and so do its pieces, which tile it; its hash is that of the
 * bytes there where it lies in one piece of a plain source;
 *   - findings lie in the source (those of containers, IMG004x, in the container), are of the
 * source or of an asset that was told, and are one line;
 *   - the claims of a source sum up to its size, and rise;
 *   - scanning twice says the same;
 *   - memory and time stay under a bound for each byte of input.
 */
#include "fuzz_support.h"

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

typedef struct scan {
    fuzz_sum sum;
    const uint8_t *bytes;
    size_t size;
    unsigned questions;
    bool is_open;
    bool is_outermost; /* the open source is the input itself */
    int64_t num_assets;
    int64_t source_end; /* furthest raw offset that was told */
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

static bool on_asset(void *user, const fh_asset_record *asset, int64_t *handle)
{
    scan *at = user;
    fuzz_demand(at->is_open, "an asset belongs to a source");
    fuzz_demand(asset->format != NULL && asset->grade != NULL, "an asset has a format and a grade");
    fuzz_demand(asset->length > 0 && (uint64_t)asset->length <= FH_MAX_ASSET_LEN,
                "an asset has bytes");
    fuzz_demand(asset->raw_offset >= 0, "an asset has a place");
    reach(at, asset->raw_offset + (asset->num_pieces == 0 ? 1 : 0));
    check_pieces(at, asset);
    *handle = at->num_assets++;
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

static bool on_finding(void *user, const fh_finding_record *finding)
{
    scan *at = user;
    fuzz_demand(at->is_open, "a finding belongs to a source");
    fuzz_demand(finding->asset == FH_UNKNOWN ||
                    (finding->asset >= 0 && finding->asset < at->num_assets),
                "a finding is of an asset that was told");
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
    at->is_open = false;
    fuzz_fold_text(&at->sum, record->status);
    fuzz_fold_text(&at->sum, record->layout);
    fuzz_fold_text(&at->sum, record->kind);
    fuzz_fold_number(&at->sum, record->size);
    fuzz_fold_number(&at->sum, source->num_weak);
    return status != FH_HUNT_STOPPED;
}

static fuzz_sum scan_once(uint8_t how, const uint8_t *data, size_t size)
{
    const fh_format *formats[MOST_FORMATS];
    size_t num_formats = 0;
    for (; num_formats < fh_num_formats && num_formats < MOST_FORMATS; num_formats++) {
        formats[num_formats] = fh_formats[num_formats];
    }
    scan at = {.sum = FUZZ_SUM, .bytes = data, .size = size};
    const fh_hunt_options options = {.formats = formats,
                                     .num_formats = num_formats,
                                     .layout = (fh_layout_choice)(how % (FH_LAYOUT_2448 + 1)),
                                     .min_evidence = (how & 0x20) != 0 ? 0 : FH_MIN_EVIDENCE,
                                     .every_offset = (how & 0x40) != 0,
                                     .replay = (how & 0x08) == 0,
                                     .check_sectors = (how & 0x10) != 0,
                                     .as_it_lies = (how & 0x80) != 0,
                                     .user = &at,
                                     .stop = has_enough};
    const fh_hunt_sink sink = {.user = &at,
                               .asset = on_asset,
                               .finding = on_finding,
                               .coverage = on_coverage,
                               .base = on_base};
    const fh_hunt_visitor visitor = {&at, on_begin, on_end};
    int64_t num_left_out = 0;
    fh_hunt_bytes(&num_left_out, "input", data, size, &options, &sink, &visitor);
    fuzz_demand(!at.is_open, "a source that is begun ends");
    return at.sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    fuzz_begin();
    const fuzz_sum first = scan_once(data[0], data + 1, size - 1);
    fuzz_end(&bounds, size);
    fuzz_demand(scan_once(data[0], data + 1, size - 1) == first, "scanning twice says the same");
    return 0;
}
