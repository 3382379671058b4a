/* A baseline of any bytes. What must be true:
 *   - one that is refused has one complaint of one line, one that is read has none;
 *   - its entries are sorted, each content and rule is there once, with a count from 1 on;
 *   - it takes as many findings of a content as the entry says, and no more;
 *   - what is written of it is read back as the same entries, and is then written the same.
 */
#include "fuzz_complain.h"

#include "gate/baseline.h"
#include "gate/limits.h"

#include <stdlib.h>
#include <string.h>

static const fuzz_bounds bounds = {.memory_floor = (size_t)2 << 20,
                                   .memory_per_byte = 64,
                                   .milliseconds = 2000,
                                   .milliseconds_per_kib = 40};

static const char in_name[] = "in";
static const char out_name[] = "out";

static fuzz_sum sum_of(const fh_baseline *baseline)
{
    fuzz_sum sum = FUZZ_SUM;
    for (size_t i = 0; i < baseline->num; i++) {
        const fh_known *known = &baseline->items[i];
        fuzz_fold(&sum, known->sha256, sizeof known->sha256);
        fuzz_fold_text(&sum, known->code);
        fuzz_fold_number(&sum, known->count);
        fuzz_fold_text(&sum, known->path);
    }
    return sum;
}

static void check_order(const fh_baseline *baseline)
{
    for (size_t i = 0; i < baseline->num; i++) {
        const fh_known *known = &baseline->items[i];
        fuzz_demand(known->count > 0 && known->count <= FH_BASELINE_MAX_COUNT, "a count is one");
        if (i > 0) {
            const int order = memcmp(known[-1].sha256, known->sha256, sizeof known->sha256);
            fuzz_demand(order < 0 || (order == 0 && strcmp(known[-1].code, known->code) < 0),
                        "entries are sorted, and each is there once");
        }
    }
}

static void check_takes(fh_baseline *baseline)
{
    for (size_t i = 0; i < baseline->num && i < 8; i++) {
        const fh_known known = baseline->items[i];
        const uint32_t most = known.count < 64 ? known.count : 64;
        fh_baseline_begin(baseline, known.sha256, "/folder/file");
        for (uint32_t k = 0; k < most; k++) {
            fuzz_demand(fh_baseline_takes(baseline, known.code), "an entry takes its findings");
        }
        fuzz_demand(known.count > 64 || !fh_baseline_takes(baseline, known.code),
                    "an entry takes no more");
        (void)fh_known_is_stale(&baseline->items[i]);
    }
}

static fh_exit read_named(fh_baseline *baseline, const char *name)
{
    fuzz_sum unused = FUZZ_SUM;
    fuzz_complaints();
    char path[FUZZ_PATH_LEN];
    const fh_exit exit = fh_baseline_read(baseline, fuzz_folder_path(path, name), false);
    fuzz_demand(exit == FH_EXIT_OK || exit == FH_EXIT_USAGE, "a file is good or refused");
    fuzz_demand(fuzz_num_complaints(&unused) == (exit == FH_EXIT_OK ? 0 : 1),
                "what is refused is told once");
    return exit;
}

static void check_written(fh_baseline *baseline)
{
    fh_baseline again;
    char path[FUZZ_PATH_LEN];
    free(baseline->path);
    baseline->path = strdup(fuzz_folder_path(path, out_name));
    fuzz_demand(baseline->path != NULL, "the system has memory");
    fuzz_demand(fh_baseline_write(baseline) == FH_EXIT_OK, "a baseline can be written");
    fuzz_demand(read_named(&again, out_name) == FH_EXIT_OK, "what is written can be read");
    fuzz_demand(sum_of(&again) == sum_of(baseline), "what is written is read back");
    fh_baseline_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fh_baseline baseline;
    fuzz_folder_file(in_name, data, size);
    fuzz_begin();
    const fh_exit exit = read_named(&baseline, in_name);
    if (exit == FH_EXIT_OK) {
        check_order(&baseline);
        check_takes(&baseline);
        fh_baseline_miss(&baseline, fuzz_folder());
    }
    fuzz_end(&bounds, size);
    if (exit == FH_EXIT_OK) {
        check_written(&baseline);
    }
    fh_baseline_free(&baseline);
    return 0;
}
