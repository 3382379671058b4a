/* Drives the library through its public header, with bytes that somebody made up.
 *
 * A violated truth prints what it was and aborts:
 *   - a call with sound arguments is no misuse, and the system has memory;
 *   - a check tells one source, and at most one asset, and no asset if the status says so;
 *   - an asset has as many bytes as it says, findings and poses belong to an asset that was told;
 *   - both say the same twice, also with a context that has seen the other;
 *   - memory and time of a check, and of a scan, stay under a bound for each byte of input.
 */
#include "fuzz_support.h"

#include <framehound/framehound.h>

#include <stdlib.h>
#include <string.h>

/* Of a check: arenas for verifying and for the poses (fh_arena_len), of 8 MiB each for few bytes,
 * and what is kept of findings; the seeds take 21 MB, and 33 ms. A scan enters containers: its
 * bounds are those of fuzz_scan.c. */
static const fuzz_bounds check_bounds = {.memory_floor = (size_t)64 << 20,
                                         .memory_per_byte = 512,
                                         .milliseconds = 10000,
                                         .milliseconds_per_kib = 100};
static const fuzz_bounds scan_bounds = {.memory_floor = (size_t)768 << 20,
                                        .memory_per_byte = 512,
                                        .milliseconds = 30000,
                                        .milliseconds_per_kib = 100};

typedef struct account {
    uint64_t hash; /* of all that was told */
    int64_t num_assets;
    int num_sources;
} account;

static void fold(account *into, const void *bytes, size_t len)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < len; i++) {
        into->hash = (into->hash ^ at[i]) * UINT64_C(0x100000001b3);
    }
}

static void fold_str(account *into, const char *str)
{
    fold(into, str, strlen(str) + 1);
}

static int on_source(void *user, const framehound_source *source)
{
    account *to = user;
    to->num_sources++;
    fold_str(to, source->path);
    fold_str(to, source->status);
    fold_str(to, source->why);
    return 0;
}

static int on_asset(void *user, const framehound_asset *asset)
{
    account *to = user;
    fuzz_demand(asset->id == to->num_assets, "assets are counted");
    fuzz_demand(asset->grade <= FRAMEHOUND_REPLAYED, "the grade is known");
    fuzz_demand(strcmp(framehound_replay_name(asset->replay), "unknown") != 0, "and the replay");
    to->num_assets++;
    fold_str(to, asset->format);
    fold(to, &asset->raw_offset, sizeof asset->raw_offset);
    fold(to, asset->bytes, (size_t)asset->length);
    return 0;
}

static int on_finding(void *user, const framehound_finding *finding)
{
    account *to = user;
    fuzz_demand(finding->asset == FRAMEHOUND_UNKNOWN ||
                    (finding->asset >= 0 && finding->asset < to->num_assets),
                "a finding belongs to an asset that was told");
    fold_str(to, finding->code);
    fold_str(to, finding->message);
    fold(to, &finding->raw_offset, sizeof finding->raw_offset);
    return 0;
}

static int on_pose(void *user, const framehound_pose *pose)
{
    account *to = user;
    fuzz_demand(pose->asset == to->num_assets - 1, "poses belong to the asset that was told last");
    fuzz_demand(pose->num_columns > 0, "a row has columns");
    fold(to, pose->values, pose->num_columns * sizeof pose->values[0]);
    return 0;
}

static account check(framehound *hound, const uint8_t *data, size_t size)
{
    account told = {.hash = UINT64_C(0xcbf29ce484222325)};
    const framehound_sink sink = {sizeof sink, &told,   on_source, on_asset,
                                  on_finding,  on_pose, NULL,      NULL};
    fuzz_begin();
    const framehound_status status = framehound_check_bytes(hound, NULL, data, size, &sink);
    fuzz_end(&check_bounds, size);
    fuzz_demand(status == FRAMEHOUND_OK || status == FRAMEHOUND_NO_ASSET ||
                    status == FRAMEHOUND_LIMIT,
                "a check is done");
    fuzz_demand(told.num_sources == 1 && told.num_assets <= 1, "of one source");
    fuzz_demand(status != FRAMEHOUND_NO_ASSET || told.num_assets == 0,
                "without an asset there is none");
    return told;
}

static account scan(framehound *hound, const uint8_t *data, size_t size)
{
    account told = {.hash = UINT64_C(0xcbf29ce484222325)};
    const framehound_sink sink = {sizeof sink, &told,   on_source, on_asset,
                                  on_finding,  on_pose, NULL,      NULL};
    fuzz_begin();
    const framehound_status status = framehound_scan_bytes(hound, NULL, data, size, &sink);
    fuzz_end(&scan_bounds, size);
    fuzz_demand(status != FRAMEHOUND_MISUSE && status != FRAMEHOUND_NO_MEMORY &&
                    status != FRAMEHOUND_STOPPED,
                "a scan is done");
    fuzz_demand(told.num_sources >= 1, "of a source");
    return told;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    framehound *hound = NULL;
    const framehound_options options = {.size = sizeof options,
                                        .flags = FRAMEHOUND_WORLD | FRAMEHOUND_CHANGES_ONLY};
    fuzz_demand(framehound_new(&hound, &options) == FRAMEHOUND_OK, "the system has memory");
    const account first = check(hound, data, size);
    const account found = scan(hound, data, size);
    const account second = check(hound, data, size);
    framehound_free(hound);
    fuzz_demand(framehound_new(&hound, &options) == FRAMEHOUND_OK, "the system has memory");
    const account again = scan(hound, data, size);
    framehound_free(hound);
    fuzz_demand(first.hash == second.hash, "a check says the same twice");
    fuzz_demand(found.hash == again.hash, "a scan says the same twice");
    return 0;
}
