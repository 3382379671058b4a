/* A shared object for LD_PRELOAD that counts the calls of a program to the C library, its own and
 * those of the libraries it uses, and makes one of them fail.
 *
 * From the environment:
 *
 * FAULTS_CLASS  which calls: memory (allocations), file (everything that has to do with files,
 *               processes and threads), short (reads and writes, of which half is done), eintr
 *               (reads and writes that a signal broke off), lock (locks that another one holds) or
 *               interrupt (those of memory and file, which work: SIGINT comes just before)
 * FAULTS_AT     the number of the call that fails, from 1 on; 0 or nothing: none
 * FAULTS_LAST   the last one that fails (default: the same)
 * FAULTS_SKIP   parts of names of libraries whose own calls are not counted, with ':' between
 * FAULTS_LOG    file that a struct record is kept in
 * FAULTS_PLACES file that NUM_PLACES of struct place are kept in: from where calls came
 * FAULTS_WHOLE  if set, a place is the whole way to it
 * FAULTS_TRAP   if set: SIGTRAP where it fails, for a debugger
 * FAULTS_PROGRAM the name of the program that this is for: others, such as a checker that runs it,
 *               are left alone and hand all this on
 *
 * Calls count from main to exit, of all threads. What is written to standard error always works, so
 * that the program can say what was wrong. Programs that it starts are left alone.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fts.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* The flag of glibc that ferror asks for. */
#define STREAM_HAS_ERROR 0x20

enum { MOST_SKIPPED = 4 };

/* Calls come from the same place if the innermost functions of the program on their way, so many,
 * are at the same addresses: what fails deep in a library is another failure for another caller.
 * So many functions of libraries are looked past; those of libraries that are linked into the
 * program (libarchive) are its own. Of the whole way all functions that are looked at count, those
 * of this file among them. More places than there is room for are not kept.
 */
enum { PLACE_DEPTH = 3, MOST_FRAMES = 48, NUM_PLACES = 1 << 16 };

/* Before the allocator of the system is found, what finding it needs comes from here. */
#define EARLY_LEN 65536u

typedef enum fault_class { MEMORY, FILES, SHORT, SIGNAL, LOCK, INTERRUPT, NUM_CLASSES } fault_class;

static const char *const class_names[NUM_CLASSES] = {"memory", "file", "short",
                                                     "eintr",  "lock", "interrupt"};

/* What the file holds, for tests/e2e/faults.py. */
struct record {
    _Atomic uint64_t counts[NUM_CLASSES];
    uint64_t num_failed;
    uint64_t offset;    /* of the caller in its module */
    uint64_t is_a_fork; /* 1: it failed in a process that the program forked */
    char function[48];
    char module[208];
};

/* For faults.py, too. A key of 0 is none. */
struct place {
    _Atomic uint64_t key; /* of the class and the addresses */
    uint64_t class;
    uint64_t number; /* of its first call, from 1 on */
    _Atomic uint64_t latest;
};

static struct record private_record;
static struct record *record = &private_record;
static atomic_bool is_armed;
static fault_class chosen = NUM_CLASSES;
static uint64_t first;
static uint64_t last;
static bool traps;
static pid_t program;
struct range {
    uintptr_t from;
    uintptr_t to;
};
static struct range skipped[MOST_SKIPPED];
static size_t num_skipped;
static struct place *places;
static bool takes_whole;
static struct range own;

static void copy_word(char *out, size_t size, const char *word)
{
    size_t len = strlen(word);
    if (len >= size) {
        word += len - size + 1;
        len = size - 1;
    }
    memcpy(out, word, len + 1);
}

static void note(const char *function, const void *caller)
{
    Dl_info info;
    record->num_failed++;
    if (record->num_failed > 1) {
        return;
    }
    copy_word(record->function, sizeof record->function, function);
    record->is_a_fork = getpid() == program ? 0 : 1;
    atomic_store(&is_armed, false);
    if (dladdr(caller, &info) != 0 && info.dli_fname != NULL) {
        copy_word(record->module, sizeof record->module, info.dli_fname);
        record->offset = (uint64_t)((const char *)caller - (const char *)info.dli_fbase);
    }
    atomic_store(&is_armed, true);
}

static bool is_skipped(uintptr_t caller)
{
    for (size_t i = 0; i < num_skipped; i++) {
        if (caller >= skipped[i].from && caller < skipped[i].to) {
            return true;
        }
    }
    return false;
}

/* ---- places ---- */

static uint64_t mixed(uint64_t key, uint64_t with)
{
    return ((key ^ with) * 0x9e3779b97f4a7c15u) ^ key >> 29;
}

static void keep_place(uint64_t key, fault_class class, uint64_t number)
{
    for (uint64_t i = 0; i < NUM_PLACES; i++) {
        struct place *at = &places[(key + i) % NUM_PLACES];
        uint64_t held = 0;
        if (atomic_compare_exchange_strong(&at->key, &held, key)) {
            at->class = class;
            at->number = number;
            held = key;
        }
        if (held == key) {
            atomic_store(&at->latest, number);
            return;
        }
    }
}

/* Finding the way that led here makes calls of its own. */
static void note_place(fault_class class, uint64_t number)
{
    static _Thread_local bool is_noting;
    void *frames[MOST_FRAMES];
    uint64_t key = mixed((uint64_t) class + 1, 0);
    if (places == NULL || is_noting) {
        return;
    }
    is_noting = true;
    const int num = backtrace(frames, MOST_FRAMES);
    for (int i = 0, depth = 0; i < num && depth < PLACE_DEPTH; i++) {
        const uintptr_t at = (uintptr_t)frames[i];
        if (takes_whole) {
            key = mixed(key, at);
        } else if (at >= own.from && at < own.to) {
            key = mixed(key, at - own.from);
            depth++;
        }
    }
    keep_place(key == 0 ? 1 : key, class, number);
    is_noting = false;
}

/* Whether this call is the one, of calls that count. */
static bool is_chosen(fault_class class, const char *function, const void *caller)
{
    const uint64_t number = atomic_fetch_add(&record->counts[class], 1) + 1;
    note_place(class, number);
    if (class != chosen || number < first || number > last) {
        return false;
    }
    note(function, caller);
    if (traps) {
        (void)raise(SIGTRAP);
    }
    return true;
}

static bool struck(fault_class class, const char *function, const void *caller)
{
    if (!atomic_load(&is_armed) || is_skipped((uintptr_t)caller)) {
        return false;
    }
    if ((class == MEMORY || class == FILES) && is_chosen(INTERRUPT, function, caller)) {
        (void)raise(SIGINT);
    }
    return is_chosen(class, function, caller);
}

static uint64_t number_of(const char *name)
{
    const char *word = getenv(name);
    uint64_t number = 0;
    for (; word != NULL && *word >= '0' && *word <= '9'; word++) {
        number = 10 * number + (uint64_t)(*word - '0');
    }
    return number;
}

static void *map_file(const char *variable, size_t len)
{
    const char *path = getenv(variable);
    const long fd = path != NULL ? syscall(SYS_openat, AT_FDCWD, path, O_RDWR, 0) : -1;
    if (fd < 0) {
        return NULL;
    }
    void *at =
        (void *)syscall(SYS_mmap, NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, (int)fd, 0L);
    (void)syscall(SYS_close, (int)fd);
    return at == MAP_FAILED ? NULL : at;
}

static struct range range_of(const struct dl_phdr_info *info)
{
    struct range range = {UINTPTR_MAX, 0};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        const uintptr_t end = begin + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            range.from = begin < range.from ? begin : range.from;
            range.to = end > range.to ? end : range.to;
        }
    }
    return range;
}

/* The program is the first of all. */
static int find_own(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    own = range_of(info);
    return 1;
}

static int find_skipped(struct dl_phdr_info *info, size_t size, void *name)
{
    (void)size;
    if (strstr(info->dlpi_name, name) == NULL || num_skipped == MOST_SKIPPED) {
        return 0;
    }
    skipped[num_skipped++] = range_of(info);
    return 1;
}

static void find_all_skipped(void)
{
    const char *at = getenv("FAULTS_SKIP");
    while (at != NULL && *at != '\0') {
        char name[64] = {0};
        const size_t len = strcspn(at, ":");
        if (len > 0 && len < sizeof name) {
            memcpy(name, at, len);
            (void)dl_iterate_phdr(find_skipped, name);
        }
        at += len + (at[len] == ':' ? 1 : 0);
    }
}

static void configure(void)
{
    program = getpid();
    find_all_skipped();
    const char *name = getenv("FAULTS_CLASS");
    for (int i = 0; name != NULL && i < NUM_CLASSES; i++) {
        chosen = strcmp(name, class_names[i]) == 0 ? (fault_class)i : chosen;
    }
    first = number_of("FAULTS_AT");
    last = number_of("FAULTS_LAST");
    last = last < first ? first : last;
    first = first == 0 ? UINT64_MAX : first;
    traps = getenv("FAULTS_TRAP") != NULL;
    struct record *kept = map_file("FAULTS_LOG", sizeof *record);
    record = kept != NULL ? kept : record;
    (void)dl_iterate_phdr(find_own, NULL);
    places = map_file("FAULTS_PLACES", NUM_PLACES * sizeof *places);
    takes_whole = getenv("FAULTS_WHOLE") != NULL;
    (void)unsetenv("LD_PRELOAD");
}

/* ---- finding the functions of the system -------------------------------------------------------
 */

static void find(void *real, const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found == NULL) {
        static const char text[] = "faults: the system lacks a function\n";
        (void)!syscall(SYS_write, 2, text, sizeof text - 1);
        _exit(127);
    }
    memcpy(real, &found, sizeof found);
}

#define FIND(name)                                                                                 \
    do {                                                                                           \
        if (real == NULL) {                                                                        \
            find(&real, #name);                                                                    \
        }                                                                                          \
    } while (0)

#define CALLER __builtin_return_address(0)

/* A function that fails in one way and has then done nothing. */
#define FAILING(ret, name, params, args, class, error, value)                                      \
    EXPORT ret name params;                                                                        \
    EXPORT ret name params                                                                         \
    {                                                                                              \
        static ret(*real) params;                                                                  \
        FIND(name);                                                                                \
        if (struck(class, #name, CALLER)) {                                                        \
            errno = error;                                                                         \
            return value;                                                                          \
        }                                                                                          \
        return real args;                                                                          \
    }

/* One that says what is wrong as its result. */
#define TELLING(name, params, args, error) FAILING(int, name, params, args, FILES, error, error)

static int (*real_main)(int, char **, char **);

/* What the compiler has to do at the end, such as keeping counts of what was reached, is not ours.
 */
static void disarm(void)
{
    atomic_store(&is_armed, false);
}

static bool is_meant(void)
{
    const char *name = getenv("FAULTS_PROGRAM");
    return name == NULL || strcmp(name, program_invocation_short_name) == 0;
}

static int armed_main(int argc, char **argv, char **env)
{
    if (!is_meant()) {
        return real_main(argc, argv, env);
    }
    configure();
    (void)atexit(disarm);
    atomic_store(&is_armed, true);
    return real_main(argc, argv, env);
}

EXPORT int __libc_start_main(int (*start)(int, char **, char **), int argc, char **argv,
                             void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                             void *stack_end);
EXPORT int __libc_start_main(int (*start)(int, char **, char **), int argc, char **argv,
                             void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                             void *stack_end)
{
    static int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                       void (*)(void), void *);
    FIND(__libc_start_main);
    real_main = start;
    return real(armed_main, argc, argv, init, fini, rtld_fini, stack_end);
}

/* ---- memory ------------------------------------------------------------------------------------
 */

static _Alignas(16) unsigned char early[EARLY_LEN];
static size_t early_len;
static bool is_looking; /* one thread only: before main */

static void *take_early(size_t size)
{
    void *at = early + early_len;
    size = (size + 31) & ~(size_t)15;
    if (size > EARLY_LEN - early_len) {
        return NULL;
    }
    early_len += size;
    return at;
}

static bool is_early(const void *at)
{
    return (const unsigned char *)at >= early && (const unsigned char *)at < early + EARLY_LEN;
}

#define FIND_ALLOCATOR(name, otherwise)                                                            \
    do {                                                                                           \
        if (real == NULL && is_looking) {                                                          \
            return otherwise;                                                                      \
        }                                                                                          \
        if (real == NULL) {                                                                        \
            is_looking = true;                                                                     \
            find(&real, #name);                                                                    \
            is_looking = false;                                                                    \
        }                                                                                          \
    } while (0)

EXPORT void *malloc(size_t size)
{
    static void *(*real)(size_t);
    FIND_ALLOCATOR(malloc, take_early(size));
    if (struck(MEMORY, "malloc", CALLER)) {
        errno = ENOMEM;
        return NULL;
    }
    return real(size);
}

EXPORT void *calloc(size_t num, size_t size)
{
    static void *(*real)(size_t, size_t);
    FIND_ALLOCATOR(calloc, take_early(num * size)); /* zeros, and never given back */
    if (struck(MEMORY, "calloc", CALLER)) {
        errno = ENOMEM;
        return NULL;
    }
    return real(num, size);
}

static void *move_early(void *at, size_t size)
{
    void *moved = malloc(size);
    const size_t most = (size_t)(early + EARLY_LEN - (unsigned char *)at);
    if (moved != NULL) {
        memcpy(moved, at, size < most ? size : most);
    }
    return moved;
}

EXPORT void *realloc(void *at, size_t size)
{
    static void *(*real)(void *, size_t);
    FIND_ALLOCATOR(realloc, NULL);
    if (is_early(at)) {
        return move_early(at, size);
    }
    if (struck(MEMORY, "realloc", CALLER)) {
        errno = ENOMEM;
        return NULL;
    }
    return real(at, size);
}

EXPORT void free(void *at)
{
    static void (*real)(void *);
    if (at == NULL || is_early(at)) {
        return;
    }
    FIND_ALLOCATOR(free, (void)0);
    real(at);
}

FAILING(void *, reallocarray, (void *at, size_t num, size_t size), (at, num, size), MEMORY, ENOMEM,
        NULL)
FAILING(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size), MEMORY, ENOMEM,
        NULL)
FAILING(int, posix_memalign, (void **at, size_t alignment, size_t size), (at, alignment, size),
        MEMORY, ENOMEM, ENOMEM)

/* ---- reading and writing by number -------------------------------------------------------------
 */

#define IS_TOLD(fd) ((fd) == STDERR_FILENO)

/* read, pread, write, pwrite. */
#define TRANSFER(name, params, before, len, behind, free_pass, error)                              \
    EXPORT ssize_t name params;                                                                    \
    EXPORT ssize_t name params                                                                     \
    {                                                                                              \
        static ssize_t(*real) params;                                                              \
        FIND(name);                                                                                \
        if (free_pass) {                                                                           \
            return real(before, len behind);                                                       \
        }                                                                                          \
        if (struck(FILES, #name, CALLER)) {                                                        \
            errno = error;                                                                         \
            return -1;                                                                             \
        }                                                                                          \
        if (struck(SIGNAL, #name, CALLER)) {                                                       \
            errno = EINTR;                                                                         \
            return -1;                                                                             \
        }                                                                                          \
        if (len > 1 && struck(SHORT, #name, CALLER)) {                                             \
            return real(before, len / 2 behind);                                                   \
        }                                                                                          \
        return real(before, len behind);                                                           \
    }

#define PAIR(...) __VA_ARGS__
#define AT_PLACE , place

TRANSFER(read, (int fd, void *bytes, size_t len), PAIR(fd, bytes), len, , false, EIO)
TRANSFER(write, (int fd, const void *bytes, size_t len), PAIR(fd, bytes), len, , IS_TOLD(fd),
         ENOSPC)
TRANSFER(pread, (int fd, void *bytes, size_t len, off_t place), PAIR(fd, bytes), len, AT_PLACE,
         false, EIO)
TRANSFER(pread64, (int fd, void *bytes, size_t len, off64_t place), PAIR(fd, bytes), len, AT_PLACE,
         false, EIO)
TRANSFER(pwrite, (int fd, const void *bytes, size_t len, off_t place), PAIR(fd, bytes), len,
         AT_PLACE, false, ENOSPC)
TRANSFER(pwrite64, (int fd, const void *bytes, size_t len, off64_t place), PAIR(fd, bytes), len,
         AT_PLACE, false, ENOSPC)

/* ---- opening -----------------------------------------------------------------------------------
 */

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
        FIND(name);                                                                                \
        if (struck(FILES, #name, CALLER)) {                                                        \
            errno = EMFILE;                                                                        \
            return -1;                                                                             \
        }                                                                                          \
        return real(path, flags, mode);                                                            \
    }

#define OPENING_AT(name)                                                                           \
    EXPORT int name(int folder, const char *path, int flags, ...);                                 \
    EXPORT int name(int folder, const char *path, int flags, ...)                                  \
    {                                                                                              \
        static int (*real)(int, const char *, int, ...);                                           \
        MODE_OF(flags)                                                                             \
        FIND(name);                                                                                \
        if (struck(FILES, #name, CALLER)) {                                                        \
            errno = EMFILE;                                                                        \
            return -1;                                                                             \
        }                                                                                          \
        return real(folder, path, flags, mode);                                                    \
    }

OPENING(open)
OPENING(open64)
OPENING_AT(openat)
OPENING_AT(openat64)

FAILING(int, mkostemp, (char *path, int flags), (path, flags), FILES, ENOSPC, -1)
FAILING(int, mkostemp64, (char *path, int flags), (path, flags), FILES, ENOSPC, -1)
FAILING(FILE *, fopen, (const char *path, const char *how), (path, how), FILES, EMFILE, NULL)
FAILING(FILE *, fopen64, (const char *path, const char *how), (path, how), FILES, EMFILE, NULL)
FAILING(FILE *, fdopen, (int fd, const char *how), (fd, how), FILES, ENOMEM, NULL)
FAILING(FILE *, tmpfile, (void), (), FILES, ENOSPC, NULL)
FAILING(FILE *, tmpfile64, (void), (), FILES, ENOSPC, NULL)
FAILING(DIR *, opendir, (const char *path), (path), FILES, EACCES, NULL)
FAILING(DIR *, fdopendir, (int fd), (fd), FILES, ENOMEM, NULL)
FAILING(struct dirent *, readdir, (DIR * folder), (folder), FILES, EIO, NULL)
FAILING(struct dirent64 *, readdir64, (DIR * folder), (folder), FILES, EIO, NULL)
FAILING(FTS64 *, fts64_open,
        (char *const *paths, int how, int (*order)(const FTSENT64 **, const FTSENT64 **)),
        (paths, how, order), FILES, EMFILE, NULL)
FAILING(FTSENT64 *, fts64_read, (FTS64 * walk), (walk), FILES, EIO, NULL)

/* ---- asking ------------------------------------------------------------------------------------
 */

FAILING(int, stat, (const char *path, struct stat *out), (path, out), FILES, EIO, -1)
FAILING(int, stat64, (const char *path, struct stat64 *out), (path, out), FILES, EIO, -1)
FAILING(int, lstat, (const char *path, struct stat *out), (path, out), FILES, EIO, -1)
FAILING(int, lstat64, (const char *path, struct stat64 *out), (path, out), FILES, EIO, -1)
FAILING(int, fstat, (int fd, struct stat *out), (fd, out), FILES, EIO, -1)
FAILING(int, fstat64, (int fd, struct stat64 *out), (fd, out), FILES, EIO, -1)
FAILING(int, fstatat, (int fd, const char *path, struct stat *out, int how), (fd, path, out, how),
        FILES, EIO, -1)
FAILING(int, fstatat64, (int fd, const char *path, struct stat64 *out, int how),
        (fd, path, out, how), FILES, EIO, -1)
FAILING(int, access, (const char *path, int how), (path, how), FILES, EACCES, -1)
FAILING(char *, realpath, (const char *path, char *out), (path, out), FILES, EIO, NULL)
FAILING(char *, getcwd, (char *out, size_t size), (out, size), FILES, EACCES, NULL)
FAILING(ssize_t, readlink, (const char *path, char *out, size_t size), (path, out, size), FILES,
        EIO, -1)
FAILING(off_t, lseek, (int fd, off_t place, int from), (fd, place, from), FILES, EIO, -1)
FAILING(off64_t, lseek64, (int fd, off64_t place, int from), (fd, place, from), FILES, EIO, -1)

/* ---- changing ----------------------------------------------------------------------------------
 */

FAILING(int, fsync, (int fd), (fd), FILES, EIO, -1)
FAILING(int, fdatasync, (int fd), (fd), FILES, EIO, -1)
FAILING(int, ftruncate, (int fd, off_t len), (fd, len), FILES, EIO, -1)
FAILING(int, ftruncate64, (int fd, off64_t len), (fd, len), FILES, EIO, -1)
FAILING(int, fchmod, (int fd, mode_t mode), (fd, mode), FILES, EPERM, -1)
FAILING(int, mkdir, (const char *path, mode_t mode), (path, mode), FILES, ENOSPC, -1)
FAILING(int, mkdirat, (int fd, const char *path, mode_t mode), (fd, path, mode), FILES, ENOSPC, -1)
FAILING(int, unlink, (const char *path), (path), FILES, EACCES, -1)
FAILING(int, unlinkat, (int fd, const char *path, int how), (fd, path, how), FILES, EACCES, -1)
FAILING(int, rename, (const char *from, const char *to), (from, to), FILES, EIO, -1)
FAILING(int, renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), FILES,
        EIO, -1)
FAILING(int, renameat2, (int a, const char *from, int b, const char *to, unsigned how),
        (a, from, b, to, how), FILES, EIO, -1)
FAILING(int, linkat, (int a, const char *from, int b, const char *to, int how),
        (a, from, b, to, how), FILES, EIO, -1)
FAILING(void *, mmap, (void *at, size_t len, int may, int how, int fd, off_t place),
        (at, len, may, how, fd, place), FILES, ENOMEM, MAP_FAILED)
FAILING(void *, mmap64, (void *at, size_t len, int may, int how, int fd, off64_t place),
        (at, len, may, how, fd, place), FILES, ENOMEM, MAP_FAILED)

/* A failing close has closed. */
EXPORT int close(int fd)
{
    static int (*real)(int);
    FIND(close);
    if (!IS_TOLD(fd) && struck(FILES, "close", CALLER)) {
        (void)real(fd);
        errno = EIO;
        return -1;
    }
    return real(fd);
}

static bool is_lock(int command)
{
    return command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
           command == F_OFD_SETLKW;
}

/* Giving a lock back works always. */
static bool takes_lock(int command, const void *more)
{
    return is_lock(command) && ((const struct flock *)more)->l_type != F_UNLCK;
}

#define CONTROL(name)                                                                              \
    EXPORT int name(int fd, int command, ...);                                                     \
    EXPORT int name(int fd, int command, ...)                                                      \
    {                                                                                              \
        static int (*real)(int, int, ...);                                                         \
        va_list list;                                                                              \
        va_start(list, command);                                                                   \
        void *more = va_arg(list, void *);                                                         \
        va_end(list);                                                                              \
        FIND(name);                                                                                \
        if (takes_lock(command, more) && struck(LOCK, #name, CALLER)) {                            \
            errno = EAGAIN;                                                                        \
            return -1;                                                                             \
        }                                                                                          \
        if (struck(FILES, #name, CALLER)) {                                                        \
            errno = EIO;                                                                           \
            return -1;                                                                             \
        }                                                                                          \
        return real(fd, command, more);                                                            \
    }

CONTROL(fcntl)
CONTROL(fcntl64)

/* ---- streams -----------------------------------------------------------------------------------
 */

/* Marks the stream, as a write of its buffer that failed would. */
static bool stream_struck(FILE *file, const char *function, const void *caller, int error)
{
    if (file == stderr || !struck(FILES, function, caller)) {
        return false;
    }
    file->_flags |= STREAM_HAS_ERROR;
    errno = error;
    return true;
}

#define STREAMING(ret, name, params, args, file, error, value)                                     \
    EXPORT ret name params;                                                                        \
    EXPORT ret name params                                                                         \
    {                                                                                              \
        static ret(*real) params;                                                                  \
        FIND(name);                                                                                \
        if (stream_struck(file, #name, CALLER, error)) {                                           \
            return value;                                                                          \
        }                                                                                          \
        return real args;                                                                          \
    }

STREAMING(size_t, fwrite, (const void *at, size_t size, size_t num, FILE *file),
          (at, size, num, file), file, ENOSPC, 0)
STREAMING(int, fputs, (const char *text, FILE *file), (text, file), file, ENOSPC, EOF)
STREAMING(int, puts, (const char *text), (text), stdout, ENOSPC, EOF)
STREAMING(int, fputc, (int c, FILE *file), (c, file), file, ENOSPC, EOF)
STREAMING(int, putc, (int c, FILE *file), (c, file), file, ENOSPC, EOF)
STREAMING(int, fflush, (FILE * file), (file), file, ENOSPC, EOF)
STREAMING(int, vfprintf, (FILE * file, const char *format, va_list args), (file, format, args),
          file, ENOSPC, -1)
STREAMING(size_t, fread, (void *at, size_t size, size_t num, FILE *file), (at, size, num, file),
          file, EIO, 0)
STREAMING(char *, fgets, (char *text, int size, FILE *file), (text, size, file), file, EIO, NULL)
STREAMING(ssize_t, __getdelim, (char **line, size_t *size, int end, FILE *file),
          (line, size, end, file), file, EIO, -1)
STREAMING(ssize_t, getdelim, (char **line, size_t *size, int end, FILE *file),
          (line, size, end, file), file, EIO, -1)
STREAMING(ssize_t, getline, (char **line, size_t *size, FILE *file), (line, size, file), file, EIO,
          -1)
STREAMING(int, fseek, (FILE * file, long place, int from), (file, place, from), file, EIO, -1)
STREAMING(int, fseeko, (FILE * file, off_t place, int from), (file, place, from), file, EIO, -1)
STREAMING(int, fseeko64, (FILE * file, off64_t place, int from), (file, place, from), file, EIO, -1)

EXPORT int fprintf(FILE *file, const char *format, ...)
{
    static int (*real)(FILE *, const char *, va_list);
    va_list args;
    FIND(vfprintf);
    if (stream_struck(file, "fprintf", CALLER, ENOSPC)) {
        return -1;
    }
    va_start(args, format);
    const int done = real(file, format, args);
    va_end(args);
    return done;
}

EXPORT int printf(const char *format, ...)
{
    static int (*real)(FILE *, const char *, va_list);
    va_list args;
    FIND(vfprintf);
    if (stream_struck(stdout, "printf", CALLER, ENOSPC)) {
        return -1;
    }
    va_start(args, format);
    const int done = real(stdout, format, args);
    va_end(args);
    return done;
}

/* A failing fclose has closed. */
EXPORT int fclose(FILE *file)
{
    static int (*real)(FILE *);
    FIND(fclose);
    const bool fails = file != stderr && struck(FILES, "fclose", CALLER);
    const int done = real(file);
    errno = fails ? ENOSPC : errno;
    return fails ? EOF : done;
}

/* ---- processes and threads ---------------------------------------------------------------------
 */

FAILING(int, pipe2, (int ends[2], int how), (ends, how), FILES, EMFILE, -1)
TELLING(pthread_create,
        (pthread_t * thread, const pthread_attr_t *how, void *(*start)(void *), void *user),
        (thread, how, start, user), EAGAIN)
TELLING(posix_spawnp,
        (pid_t * id, const char *path, const posix_spawn_file_actions_t *actions,
         const posix_spawnattr_t *how, char *const *args, char *const *env),
        (id, path, actions, how, args, env), EAGAIN)
