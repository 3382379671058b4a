#include "source/coverage.h"

#include "core/finding.h"

#include <assert.h>

const char *fh_claim_name(fh_sector_claim claim)
{
    static const char *const names[FH_CLAIM_NUM] = {
        [FH_CLAIM_DATA] = "data",         [FH_CLAIM_EMPTY] = "empty", [FH_CLAIM_FORM2] = "form2",
        [FH_CLAIM_XA_AUDIO] = "xa_audio", [FH_CLAIM_MOVIE] = "movie", [FH_CLAIM_MODE0] = "mode0",
        [FH_CLAIM_REPEATED] = "repeated", [FH_CLAIM_AUDIO] = "audio", [FH_CLAIM_LOST] = "lost",
        [FH_CLAIM_OUTSIDE] = "outside",   [FH_CLAIM_PLAIN] = "plain", [FH_CLAIM_RAM] = "ram",
        [FH_CLAIM_MIRROR] = "mirror",     [FH_CLAIM_STATE] = "state",
    };
    return names[claim];
}

static void sum_up(fh_covered *rest, const fh_covered *run)
{
    rest->claim = run->claim;
    rest->raw_off = FH_UNKNOWN;
    rest->first_lba = FH_UNKNOWN;
    rest->len += run->len;
    rest->sectors += run->sectors;
    rest->runs += run->runs;
    rest->asset_bytes += run->asset_bytes;
}

void fh_coverage_end(fh_coverage *coverage)
{
    const fh_covered run = coverage->open;
    coverage->open = (fh_covered){.claim = run.claim};
    if (run.len == 0) {
        return;
    }
    if (coverage->num_runs < FH_MAX_COVERAGE_RUNS) {
        coverage->runs[coverage->num_runs++] = run;
    } else {
        sum_up(&coverage->rest[run.claim], &run);
    }
}

static fh_coverage_track *last_track(fh_coverage *coverage, int64_t raw_off)
{
    if (coverage->num_tracks == 0) {
        fh_coverage_track_begin(coverage, raw_off);
    }
    return &coverage->tracks[coverage->num_tracks - 1];
}

void fh_coverage_add(fh_coverage *coverage, fh_sector_claim claim, int64_t raw_off, int64_t len,
                     int64_t lba, bool is_sector)
{
    fh_covered *open = &coverage->open;
    assert(len > 0);
    if (open->len == 0 || open->claim != claim) {
        fh_coverage_end(coverage);
        *open = (fh_covered){.claim = claim, .raw_off = raw_off, .first_lba = lba, .runs = 1};
    }
    assert(open->raw_off + open->len == raw_off);
    open->len += len;
    if (is_sector) {
        open->sectors++;
        last_track(coverage, raw_off)->sectors[claim]++;
    }
}

void fh_coverage_track_begin(fh_coverage *coverage, int64_t raw_off)
{
    if (coverage->num_tracks < FH_MAX_TRACKS) {
        coverage->tracks[coverage->num_tracks++] = (fh_coverage_track){.raw_off = raw_off};
    }
}

void fh_coverage_make_audio(fh_coverage *coverage)
{
    fh_covered *open = &coverage->open;
    assert(open->claim == FH_CLAIM_LOST);
    fh_coverage_track *track = last_track(coverage, open->raw_off);
    track->sectors[FH_CLAIM_LOST] -= open->sectors;
    if (track->raw_off != open->raw_off) {
        fh_coverage_track_begin(coverage, open->raw_off);
    }
    last_track(coverage, open->raw_off)->sectors[FH_CLAIM_AUDIO] += open->sectors;
    open->claim = FH_CLAIM_AUDIO;
}

/* The run that holds a byte; NULL if it is one of those that are summed. */
static fh_covered *find(fh_coverage *coverage, int64_t raw_off)
{
    if (coverage->open.len > 0 && raw_off >= coverage->open.raw_off) {
        return &coverage->open;
    }
    size_t low = 0;
    size_t high = coverage->num_runs;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const fh_covered *run = &coverage->runs[middle];
        if (raw_off < run->raw_off) {
            high = middle;
        } else if (raw_off >= run->raw_off + run->len) {
            low = middle + 1;
        } else {
            return &coverage->runs[middle];
        }
    }
    return NULL;
}

void fh_coverage_asset(fh_coverage *coverage, fh_sector_claim claim, int64_t raw_off, int64_t len)
{
    fh_covered *run = find(coverage, raw_off);
    if (run == NULL) {
        /* Lost sectors may have become an audio track since. */
        const bool is_audio = claim == FH_CLAIM_LOST && coverage->rest[FH_CLAIM_LOST].runs == 0;
        run = &coverage->rest[is_audio ? FH_CLAIM_AUDIO : claim];
    }
    run->asset_bytes += len;
}
