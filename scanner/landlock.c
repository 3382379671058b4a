#include "landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* System calls have the same numbers on all machines since version 5 of the kernel. */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

/* linux/landlock.h, with the version that brought each. */
#define CREATE_RULESET_VERSION 1u
#define RULE_PATH_BENEATH 1
#define FS_EXECUTE (UINT64_C(1) << 0)
#define FS_WRITE_FILE (UINT64_C(1) << 1)
#define FS_READ_FILE (UINT64_C(1) << 2)
#define FS_READ_DIR (UINT64_C(1) << 3)
#define FS_REMOVE_DIR (UINT64_C(1) << 4)
#define FS_REMOVE_FILE (UINT64_C(1) << 5)
#define FS_MAKE_DIR (UINT64_C(1) << 7)
#define FS_MAKE_REG (UINT64_C(1) << 8)
#define FS_VERSION_1 ((UINT64_C(1) << 13) - 1) /* these and devices, sockets, pipes, links */
#define FS_REFER (UINT64_C(1) << 13)           /* 2 */
#define FS_TRUNCATE (UINT64_C(1) << 14)        /* 3 */
#define NET_TCP (UINT64_C(3))                  /* 4: bind and connect */
#define SCOPE_ALL (UINT64_C(3))                /* 6: abstract sockets and signals */

/* What can be granted for a file that is no folder. */
#define FS_OF_FILE (FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE)

typedef struct ruleset {
    uint64_t fs;
    uint64_t net;
    uint64_t scoped;
} ruleset;

typedef struct path_beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed)) path_beneath;

int fh_landlock_abi(void)
{
    const long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, CREATE_RULESET_VERSION);
    return abi > 0 ? (int)abi : 0;
}

static uint64_t handled(int abi)
{
    return FS_VERSION_1 | (abi >= 2 ? FS_REFER : 0) | (abi >= 3 ? FS_TRUNCATE : 0);
}

/* Kernels want no more of the structure than they know. */
static size_t size_of(int abi)
{
    return abi >= 6   ? sizeof(ruleset)
           : abi >= 4 ? offsetof(ruleset, scoped)
                      : offsetof(ruleset, net);
}

int fh_landlock_begin(void)
{
    const int abi = fh_landlock_abi();
    const ruleset rules = {.fs = handled(abi), .net = NET_TCP, .scoped = SCOPE_ALL};
    return abi == 0 ? -1 : (int)syscall(SYS_landlock_create_ruleset, &rules, size_of(abi), 0);
}

static uint64_t rights_of(uint64_t rights)
{
    const uint64_t read = FS_READ_FILE | FS_READ_DIR;
    const uint64_t write =
        FS_WRITE_FILE | FS_REMOVE_FILE | FS_REMOVE_DIR | FS_MAKE_REG | FS_MAKE_DIR | FS_TRUNCATE;
    return ((rights & FH_LANDLOCK_READ) != 0 ? read : 0) |
           ((rights & FH_LANDLOCK_WRITE) != 0 ? write : 0);
}

/* Where nothing can be reached nothing is lost. What cannot be opened for now, because too many
 * files are or there is no memory, will be missed, perhaps when a file has to be removed that was
 * half written. */
static bool is_for_now(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM;
}

bool fh_landlock_allow(int rules, const char *path, uint64_t rights)
{
    struct stat file;
    path_beneath rule = {.parent = open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent < 0) {
        return !is_for_now(errno);
    }
    rule.allowed = rights_of(rights) & handled(fh_landlock_abi());
    if (fstat(rule.parent, &file) == 0 && !S_ISDIR(file.st_mode)) {
        rule.allowed &= FS_OF_FILE;
    }
    /* Pipes and sockets lie in no file system that rules are about, and need none. */
    const bool is_ok =
        syscall(SYS_landlock_add_rule, rules, RULE_PATH_BENEATH, &rule, 0) == 0 || errno == EBADFD;
    (void)close(rule.parent);
    return is_ok;
}

bool fh_landlock_enter(int rules)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_landlock_restrict_self, rules, 0) == 0;
}
