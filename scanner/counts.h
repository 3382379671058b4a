/* A build that measures coverage (FH_COVERAGE, ./run coverage) writes what it has counted when a
 * program returns from main or calls exit. A process that is left with _exit, or is put behind
 * walls that keep it from opening files, says here when its counts are to be written. In every
 * other build these do nothing. */
#ifndef FH_SCANNER_COUNTS_H
#define FH_SCANNER_COUNTS_H

#include <stddef.h>

#if defined(FH_COVERAGE) && defined(__clang__)

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int __llvm_profile_write_file(void);
const char *__llvm_profile_get_filename(void);
uint64_t __llvm_profile_get_size_for_buffer(void);
int __llvm_profile_write_buffer(char *buffer);

/* fh_counts_open makes a file for the counts of this process and returns its bytes, or NULL. */
static inline char *fh_counts_open(void)
{
    char path[4096];
    const size_t size = (size_t)__llvm_profile_get_size_for_buffer();
    (void)snprintf(path, sizeof path, "%s.%ld.profraw", __llvm_profile_get_filename(),
                   (long)getpid());
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0 || ftruncate(fd, (off_t)size) != 0) {
        return NULL;
    }
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    (void)close(fd);
    return at == MAP_FAILED ? NULL : at;
}

/* fh_counts_keep writes the counts: there, without a call of the system, or with NULL to the file
 * of all processes, unless walls stand before it. */
static inline void fh_counts_keep(char *counts)
{
    if (counts != NULL) {
        (void)__llvm_profile_write_buffer(counts);
    } else if (access(__llvm_profile_get_filename(), W_OK) == 0 || errno == ENOENT) {
        (void)__llvm_profile_write_file();
    }
}

#elif defined(FH_COVERAGE)

void __gcov_dump(void);

static inline char *fh_counts_open(void)
{
    return NULL;
}

static inline void fh_counts_keep(char *counts)
{
    (void)counts;
    __gcov_dump();
}

#else

static inline char *fh_counts_open(void)
{
    return NULL;
}

static inline void fh_counts_keep(char *counts)
{
    (void)counts;
}

#endif

#endif
