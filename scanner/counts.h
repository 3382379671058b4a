/* A build that measures coverage (FH_COVERAGE, ./run coverage) writes what it has counted when a
 * program returns from main or calls exit. A process that is left with _exit, or is put behind
 * walls that keep it from opening files, says here when its counts are to be written. In every
 * other build these do nothing. */
#ifndef FH_SCANNER_COUNTS_H
#define FH_SCANNER_COUNTS_H

#include <stdio.h>
#include <unistd.h>

#if defined(FH_COVERAGE) && defined(__clang__)

int __llvm_profile_write_file(void);
const char *__llvm_profile_get_filename(void);
void __llvm_profile_set_file_object(FILE *file, int merges);

/* fh_counts_open opens a file of this process that fh_counts_keep writes to. Without it that takes
 * the file that all share. */
static inline void fh_counts_open(void)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s.%ld.profraw", __llvm_profile_get_filename(),
                   (long)getpid());
    FILE *file = fopen(path, "wbe");
    if (file != NULL) {
        __llvm_profile_set_file_object(file, 0);
    }
}

static inline void fh_counts_keep(void)
{
    (void)__llvm_profile_write_file();
}

#elif defined(FH_COVERAGE)

void __gcov_dump(void);

static inline void fh_counts_open(void)
{
}

static inline void fh_counts_keep(void)
{
    __gcov_dump();
}

#else

static inline void fh_counts_open(void)
{
}

static inline void fh_counts_keep(void)
{
}

#endif

#endif
