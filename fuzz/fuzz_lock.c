/* A pose lock of any bytes. What must be true:
 *   - one that is refused says why in words, and in which line;
 *   - its assets are sorted by their paths, which differ;
 *   - a motion that is read has frames and rows in order, and moves as itself;
 *   - what is written of all that could be read is read back: the same assets, motions that do not
 *     differ, and written once more the same text.
 */
#include "fuzz_support.h"

#include "gate/lock_file.h"

#include <stdlib.h>
#include <string.h>

/* A reader of lines (16 KiB), its file's buffer, and what is kept of a motion. */
static const fuzz_bounds bounds = {.memory_floor = (size_t)4 << 20,
                                   .memory_per_byte = 256,
                                   .milliseconds = 2000,
                                   .milliseconds_per_kib = 100};

enum { MOST_ASSETS = 64 };

static void check_motion(const fh_motion *motion)
{
    fuzz_demand(motion->num_tables <= FH_MAX_MOTION_TABLES, "tables stay under their limit");
    for (size_t i = 0; i < motion->num_rows; i++) {
        const fh_motion_row *row = &motion->rows[i];
        fuzz_demand(row->frame < motion->num_frames && row->table < motion->num_tables,
                    "a row is of a frame and a table");
        fuzz_demand(row->values <= motion->num_values &&
                        motion->tables[row->table].num_columns <= motion->num_values - row->values,
                    "a row has its values");
        fuzz_demand(i == 0 || row->frame >= row[-1].frame, "rows are in the order of frames");
    }
}

static void check_order(const fh_lock_file *lock)
{
    for (size_t i = 1; i < lock->num_assets; i++) {
        fuzz_demand(strcmp(lock->assets[i - 1].path, lock->assets[i].path) < 0,
                    "assets are sorted by paths that differ");
    }
}

static void demand_same(const fh_motion *was, const fh_motion *is)
{
    fh_motion_diff diff = {0};
    fh_motion_compare(&diff, was, is, 0);
    fuzz_demand(!diff.no_memory && diff.num == 0, "a motion that is read back does not differ");
    fuzz_demand(was->is_too_long == is->is_too_long && was->num_frames == is->num_frames,
                "a motion that is read back is as long");
}

/* Writes those assets whose motion can be read; returns the text, which is to be freed. */
static char *write_lock(size_t *len, fh_lock_file *lock)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, len);
    fuzz_demand(out != NULL, "the system has memory");
    fh_lock_file_begin(out);
    for (size_t i = 0; i < lock->num_assets && i < MOST_ASSETS; i++) {
        fh_motion motion;
        if (fh_lock_file_motion(&motion, lock, &lock->assets[i])) {
            check_motion(&motion);
            fh_lock_file_put(out, &lock->assets[i], &motion);
        } else {
            fuzz_demand(lock->fault != NULL && lock->line > 0, "a fault has words and a line");
        }
        fh_motion_free(&motion);
    }
    fuzz_demand(fclose(out) == 0, "the system has memory");
    return text;
}

/* Every motion of the second lock is that of the first one. */
static void check_motions(fh_lock_file *was, fh_lock_file *is)
{
    for (size_t i = 0; i < is->num_assets; i++) {
        fh_motion a;
        fh_motion b;
        const fh_locked *there = fh_lock_file_find(was, is->assets[i].path);
        fuzz_demand(there != NULL && memcmp(there->hash, is->assets[i].hash, FH_SHA256_LEN) == 0 &&
                        strcmp(there->format, is->assets[i].format) == 0 &&
                        strcmp(there->evaluator, is->assets[i].evaluator) == 0,
                    "an asset that is written is read back");
        fuzz_demand(fh_lock_file_motion(&a, was, there) &&
                        fh_lock_file_motion(&b, is, &is->assets[i]),
                    "a motion that is written is read back");
        demand_same(&a, &b);
        fh_motion_free(&a);
        fh_motion_free(&b);
    }
}

static void check_written(fh_lock_file *lock, const char *text, size_t len)
{
    static fuzz_file file;
    if (file.path[0] == '\0') {
        file = fuzz_file_make();
    }
    fh_lock_file again;
    size_t again_len = 0;
    fuzz_file_fill(&file, text, len);
    fuzz_demand(fh_lock_file_open(&again, file.path), "a lock that is written can be read");
    check_motions(lock, &again);
    char *once_more = write_lock(&again_len, &again);
    fuzz_demand(again_len == len && memcmp(once_more, text, len) == 0,
                "what is read back is written the same");
    free(once_more);
    fh_lock_file_close(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_file file;
    if (file.path[0] == '\0') {
        file = fuzz_file_make();
    }
    fh_lock_file lock;
    fuzz_file_fill(&file, data, size);
    fuzz_begin();
    if (fh_lock_file_open(&lock, file.path)) {
        size_t len = 0;
        check_order(&lock);
        char *text = write_lock(&len, &lock);
        fuzz_end(&bounds, size);
        check_written(&lock, text, len);
        free(text);
    } else {
        fuzz_end(&bounds, size);
        fuzz_demand(lock.fault != NULL && lock.line < 1u << 30, "what is refused says why");
    }
    fh_lock_file_close(&lock);
    return 0;
}
