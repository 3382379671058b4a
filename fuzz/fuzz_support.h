/* What the targets of the readers share: truths that abort, sums of what was said, bounds of time
 * and memory, and files that lie in memory.
 *
 * A target of this kind is one file with LLVMFuzzerTestOneInput, whose comment says what must be
 * true. It is built for libFuzzer, for AFL++ and, with standalone_main.c, as the reproducer. What
 * it takes and gives back lies in memory; a folder, where one is needed, in that of the system.
 */
#ifndef FUZZ_SUPPORT_H
#define FUZZ_SUPPORT_H

#include "core/finding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What libFuzzer, AFL++ and standalone_main.c call. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* fuzz_violated says which truth does not hold, and ends the program. */
_Noreturn void fuzz_violated(const char *truth);

/* fuzz_demand does so where a truth does not hold. It stands here so that tools that analyse a
 * target know what holds behind it. */
static inline void fuzz_demand(bool holds, const char *truth)
{
    if (!holds) {
        fuzz_violated(truth);
    }
}

/* fuzz_have returns memory that was asked for, and does so where there is none. */
static inline void *fuzz_have(void *memory)
{
    if (memory == NULL) {
        fuzz_violated("the system has memory");
    }
    return memory;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* A number (FNV-1a) of everything that was said; FUZZ_SUM is that of nothing. */
typedef uint64_t fuzz_sum;
#define FUZZ_SUM UINT64_C(0xcbf29ce484222325)

void fuzz_fold(fuzz_sum *sum, const void *bytes, size_t len);
void fuzz_fold_text(fuzz_sum *sum, const char *text); /* NULL is not "" */
void fuzz_fold_number(fuzz_sum *sum, int64_t number);

/* fuzz_fold_finding folds a finding, which must have a message of one line, and an offset that is
 * unknown or not negative. */
void fuzz_fold_finding(fuzz_sum *sum, const fh_finding *finding);

/* fuzz_demand_line demands a text of one line without control characters. */
void fuzz_demand_line(const char *text, const char *truth);

/* ---- input ----------------------------------------------------------------------------------- */

/* An input that is taken apart from its front. Behind its end come zeros. */
typedef struct fuzz_input {
    const uint8_t *at;
    size_t left;
} fuzz_input;

uint8_t fuzz_byte(fuzz_input *input);
uint32_t fuzz_word(fuzz_input *input, unsigned num_bytes); /* little endian */

/* fuzz_cut takes the bytes up to the mark, which is taken too, or all that are left. */
fuzz_input fuzz_cut(fuzz_input *input, const char *mark);

/* ---- bounds ---------------------------------------------------------------------------------- */

/* What one run may cost for an input of some bytes. Where the sanitizers count what is allocated,
 * memory is held against its bound; time in every build but under other tools (valgrind). */
typedef struct fuzz_bounds {
    size_t memory_floor; /* bytes that are allocated at once */
    size_t memory_per_byte;
    unsigned milliseconds; /* of the processor, with sanitizers */
    unsigned milliseconds_per_kib;
} fuzz_bounds;

void fuzz_begin(void);
void fuzz_end(const fuzz_bounds *bounds, size_t size);

/* ---- files ----------------------------------------------------------------------------------- */

/* A file in memory. path leads to it for as long as the program runs. */
typedef struct fuzz_file {
    int fd;
    char path[40];
} fuzz_file;

fuzz_file fuzz_file_make(void);
void fuzz_file_fill(const fuzz_file *file, const void *bytes, size_t len);

/* fuzz_folder makes an empty folder in memory, which is removed when the program ends, and returns
 * its path. Later calls return the same one. */
const char *fuzz_folder(void);

/* Room for the path of a file in it. */
#define FUZZ_PATH_LEN ((size_t)96)

/* fuzz_folder_path returns the path of a file of that name, which is removed with the folder. The
 * name stays the caller's, and is constant. */
const char *fuzz_folder_path(char out[FUZZ_PATH_LEN], const char *name);

/* fuzz_folder_file writes a file of that name into it. */
void fuzz_folder_file(const char *name, const void *bytes, size_t len);

#endif
