#include "reports/runs.h"

#include <string.h>

/* User data of a sector of Mode 1 or of Mode 2 Form 1, in which all files lie. */
#define USER_LEN 2048

/* What stands in front of the user data: sync and header, subheader, or both; ECMA-130 and the
 * System Description CD-ROM XA. */
static bool is_head(int64_t stride, int64_t len)
{
    return stride == 2336 ? len == 8 : len == 16 || len == 24;
}

static int64_t stride_of(const char *layout)
{
    static const struct {
        const char *name;
        int64_t stride;
    } strides[] = {{"2336", 2336}, {"2352", 2352}, {"2368", 2368}, {"2448", 2448}};
    for (size_t i = 0; layout != NULL && i < sizeof strides / sizeof strides[0]; i++) {
        if (strcmp(layout, strides[i].name) == 0) {
            return strides[i].stride;
        }
    }
    return 0;
}

/* A file of a disc begins with a sector, so the offset in it tells the place in the sector. Without
 * one the offset in user data does, if all sectors in front have 2048 bytes of it: the place is
 * believed where it leads to a head of the right length. */
static int64_t phase_of(const fh_asset_record *asset, int64_t stride)
{
    const int64_t raw = asset->raw_offset;
    const bool is_of_file = asset->iso_path != NULL && asset->iso_offset >= 0;
    const int64_t offset = is_of_file ? asset->iso_offset : asset->user_offset;
    if (stride == 0 || raw < 0 || offset < 0 || raw < offset % USER_LEN) {
        return FH_UNKNOWN;
    }
    const int64_t phase = (raw - offset % USER_LEN) % stride;
    return is_of_file || is_head(stride, phase) ? phase : FH_UNKNOWN;
}

void fh_runs_begin(fh_runs *runs, const fh_asset_record *asset, const char *layout)
{
    const int64_t stride = stride_of(layout);
    *runs = (fh_runs){.asset = asset, .stride = stride, .phase = phase_of(asset, stride)};
    if (asset->num_pieces == 0 && asset->length > 0) {
        runs->rest = (fh_run){0, asset->raw_offset, asset->length};
    }
}

/* cut_run returns how much of the rest is in one run, FH_UNKNOWN if that cannot be told. */
static int64_t cut_run(const fh_runs *runs)
{
    const int64_t raw = runs->rest.raw_offset;
    if (raw < 0 || raw > INT64_MAX - runs->rest.len) {
        return FH_UNKNOWN;
    }
    if (runs->stride == 0) {
        return runs->rest.len;
    }
    if (runs->phase == FH_UNKNOWN || raw < runs->phase) {
        return FH_UNKNOWN;
    }
    const int64_t place = (raw - runs->phase) % runs->stride;
    const int64_t left = USER_LEN - place;
    return left <= 0 ? FH_UNKNOWN : left < runs->rest.len ? left : runs->rest.len;
}

bool fh_runs_next(fh_runs *runs, fh_run *run)
{
    fh_run *rest = &runs->rest;
    if (rest->len == 0 && runs->next_piece < runs->asset->num_pieces) {
        const fh_piece_record *piece = &runs->asset->pieces[runs->next_piece++];
        *rest = (fh_run){piece->asset_offset, piece->raw_offset, piece->length};
    }
    if (rest->len <= 0) {
        return false;
    }
    const int64_t len = cut_run(runs);
    *run = *rest;
    if (len == FH_UNKNOWN) {
        run->raw_offset = FH_UNKNOWN;
        rest->len = 0;
        return true;
    }
    run->len = len;
    rest->len -= len;
    rest->asset_offset += len;
    /* Behind the user data of a sector comes that of the next one. */
    rest->raw_offset += rest->len == 0      ? 0
                        : runs->stride == 0 ? len
                                            : len + runs->stride - USER_LEN;
    return true;
}
