/* A shared object for LD_PRELOAD that stops a program just before it opens a file of a certain
 * name, for tests/e2e/hardening.py, which looks then from outside what the program has given up.
 * What nobody can see from outside, the walls around files, is tried from inside.
 *
 * From the environment:
 *
 * STOPS_AT    the last part of the names of files that it stops before, each time (SIGSTOP)
 * STOPS_MAKES a file that cannot be made if the walls stand; it is made and removed if they do not
 * STOPS_READS a file that is read to see whether it may be
 * STOPS_LOG   file that a struct tried is kept in, of the last stop
 * STOPS_LEAKS if set: some memory is lost, which a sanitizer has to tell
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* What came of it: 0, or the number of the error. For hardening.py. */
struct tried {
    uint32_t makes;
    uint32_t reads;
};

static struct tried *kept;
static const char *stops_at;
static const char *makes;
static const char *reads;

static void lose_memory(void)
{
    void *volatile lost = malloc(77);
    lost = NULL;
    (void)lost;
}

/* Before anything is given up: nothing could be mapped for writing later. */
__attribute__((constructor)) static void configure(void)
{
    const char *log = getenv("STOPS_LOG");
    const long fd = log != NULL ? syscall(SYS_openat, AT_FDCWD, log, O_RDWR, 0) : -1;
    void *at = fd < 0 ? MAP_FAILED
                      : mmap(NULL, sizeof *kept, PROT_READ | PROT_WRITE, MAP_SHARED, (int)fd, 0);
    kept = at == MAP_FAILED ? NULL : at;
    stops_at = getenv("STOPS_AT");
    makes = getenv("STOPS_MAKES");
    reads = getenv("STOPS_READS");
    if (fd >= 0) {
        (void)syscall(SYS_close, (int)fd);
    }
    if (getenv("STOPS_LEAKS") != NULL) {
        lose_memory();
    }
}

static uint32_t try(const char *path, int flags)
{
    const long fd = syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
    if (fd < 0) {
        return (uint32_t)errno;
    }
    (void)syscall(SYS_close, (int)fd);
    return 0;
}

static bool is_the_one(const char *path)
{
    const char *slash = strrchr(path, '/');
    return stops_at != NULL && strcmp(slash != NULL ? slash + 1 : path, stops_at) == 0;
}

/* Naming a file in a rule of the walls opens it for nothing (O_PATH). */
static void stop_before(const char *path, int flags)
{
    if (kept == NULL || makes == NULL || reads == NULL || (flags & O_PATH) != 0 ||
        !is_the_one(path)) {
        return;
    }
    kept->makes = try(makes, O_WRONLY | O_CREAT | O_CLOEXEC);
    if (kept->makes == 0) {
        (void)unlink(makes);
    }
    kept->reads = try(reads, O_RDONLY | O_CLOEXEC);
    (void)raise(SIGSTOP);
}

static void find(void *real, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        _exit(127);
    }
    memcpy(real, &found, sizeof found);
}

#define MODE_OF(flags)                                                                             \
    mode_t mode = 0;                                                                               \
    if (((flags) & (O_CREAT | O_TMPFILE)) != 0) {                                                  \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode = va_arg(more, mode_t);                                                               \
        va_end(more);                                                                              \
    }

#define OPENING(name)                                                                              \
    EXPORT int name(const char *path, int flags, ...);                                             \
    EXPORT int name(const char *path, int flags, ...)                                              \
    {                                                                                              \
        static int (*real)(const char *, int, ...);                                                \
        MODE_OF(flags)                                                                             \
        if (real == NULL) {                                                                        \
            find(&real, #name);                                                                    \
        }                                                                                          \
        stop_before(path, flags);                                                                  \
        return real(path, flags, mode);                                                            \
    }

#define OPENING_AT(name)                                                                           \
    EXPORT int name(int folder, const char *path, int flags, ...);                                 \
    EXPORT int name(int folder, const char *path, int flags, ...)                                  \
    {                                                                                              \
        static int (*real)(int, const char *, int, ...);                                           \
        MODE_OF(flags)                                                                             \
        if (real == NULL) {                                                                        \
            find(&real, #name);                                                                    \
        }                                                                                          \
        stop_before(path, flags);                                                                  \
        return real(folder, path, flags, mode);                                                    \
    }

OPENING(open)
OPENING(open64)
OPENING_AT(openat)
OPENING_AT(openat64)
