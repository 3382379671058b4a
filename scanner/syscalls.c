#include "syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Computing: memory, time, signals of its own, the end; reading and writing what is open. Not here
 * nor below is what changes a file by its name without being a matter of Landlock: chmod, utime and
 * their kin, by which any file of the user's could be changed. */
static const char *const computing[] = {
    "brk",
    "clock_getres",
    "clock_gettime",
    "clock_nanosleep",
    "close",
    "exit",
    "exit_group",
    "fstat",
    "fstat64",
    "futex",
    "futex_time64",
    "getegid",
    "geteuid",
    "getgid",
    "getpid",
    "getppid",
    "getrandom",
    "getrlimit",
    "getrusage",
    "gettid",
    "gettimeofday",
    "getuid",
    "madvise",
    "membarrier",
    "mmap",
    "mmap2",
    "mprotect",
    "mremap",
    "munmap",
    "nanosleep",
    "poll",
    "ppoll",
    "read",
    "readv",
    "recvfrom",
    "recvmsg",
    "restart_syscall",
    "rseq",
    "rt_sigaction",
    "rt_sigpending",
    "rt_sigprocmask",
    "rt_sigreturn",
    "rt_sigtimedwait",
    "sched_yield",
    "sendmsg",
    "sendto",
    "set_robust_list",
    "shutdown",
    "sigaltstack",
    "sigreturn",
    "sysinfo",
    "time",
    "ugetrlimit",
    "uname",
    "wait4",
    "waitid",
    "write",
    "writev",
};

/* Processes of the same kind. */
static const char *const raising[] = {
    "clone",
    "fork",
    "kill",
    "prctl",
    "prlimit64",
    "seccomp",
    "setrlimit",
    "landlock_create_ruleset",
    "landlock_restrict_self",
    "socketpair",
};

/* Files, as far as the rules about them allow it, and threads. */
static const char *const filing[] = {
    "_llseek",
    "access",
    "copy_file_range",
    "dup",
    "dup2",
    "dup3",
    "faccessat",
    "faccessat2",
    "fadvise64",
    "fadvise64_64",
    "fallocate",
    "fchmod",
    "fchown",
    "fchown32",
    "fdatasync",
    "flock",
    "fstatat64",
    "fstatfs",
    "fstatfs64",
    "fsync",
    "ftruncate",
    "ftruncate64",
    "getcwd",
    "getdents",
    "getdents64",
    "link",
    "linkat",
    "lseek",
    "lstat",
    "lstat64",
    "mkdir",
    "mkdirat",
    "newfstatat",
    "open",
    "openat",
    "openat2",
    "pipe",
    "pipe2",
    "pread64",
    "preadv",
    "pwrite64",
    "pwritev",
    "readahead",
    "readlink",
    "readlinkat",
    "rename",
    "renameat",
    "renameat2",
    "rmdir",
    "sched_getaffinity",
    "setitimer",
    "stat",
    "stat64",
    "statfs",
    "statfs64",
    "statx",
    "umask",
    "unlink",
    "unlinkat",
    "_newselect",
    "select",
    "pselect6",
    "arch_prctl",
    "set_tid_address",
    "sched_getparam",
    "sched_getscheduler",
    "landlock_create_ruleset",
    "landlock_add_rule",
    "landlock_restrict_self",
};

/* What nothing here ever does: whoever does it is not this program any more. */
static const char *const forbidden[] = {
    "accept",
    "accept4",
    "acct",
    "add_key",
    "bind",
    "bpf",
    "chroot",
    "connect",
    "delete_module",
    "execve",
    "execveat",
    "finit_module",
    "fsopen",
    "init_module",
    "io_uring_enter",
    "io_uring_setup",
    "kexec_file_load",
    "kexec_load",
    "keyctl",
    "listen",
    "mount",
    "move_mount",
    "name_to_handle_at",
    "open_by_handle_at",
    "open_tree",
    "perf_event_open",
    "pidfd_getfd",
    "pidfd_open",
    "pivot_root",
    "process_vm_readv",
    "process_vm_writev",
    "ptrace",
    "quotactl",
    "reboot",
    "request_key",
    "setgid",
    "setgroups",
    "setns",
    "setresgid",
    "setresuid",
    "setuid",
    "socket",
    "swapoff",
    "swapon",
    "umount",
    "umount2",
    "unshare",
    "userfaultfd",
    "vfork",
};

/* Calls of which only some uses are needed, for others reach out of the process: an ioctl puts
 * words into the terminal that the shell then takes for typed ones, and by fcntl the system can be
 * made to send any signal to any process of the user. */
typedef struct use {
    const char *name;
    uint64_t what; /* the second argument */
} use;

static const use computing_uses[] = {
    {"fcntl", F_DUPFD},   {"fcntl", F_DUPFD_CLOEXEC},   {"fcntl", F_GETFD},
    {"fcntl", F_SETFD},   {"fcntl", F_GETFL},           {"fcntl", F_SETFL},
    {"fcntl64", F_DUPFD}, {"fcntl64", F_DUPFD_CLOEXEC}, {"fcntl64", F_GETFD},
    {"fcntl64", F_SETFD}, {"fcntl64", F_GETFL},         {"fcntl64", F_SETFL},
};

/* Locks of a database, which the C library asks for by either name, and what a terminal is like. */
static const use filing_uses[] = {
    {"fcntl", F_GETLK},     {"fcntl", F_SETLK},     {"fcntl", F_SETLKW},
    {"fcntl", F_OFD_GETLK}, {"fcntl", F_OFD_SETLK}, {"fcntl", F_OFD_SETLKW},
    {"fcntl64", F_GETLK},   {"fcntl64", F_SETLK},   {"fcntl64", F_SETLKW},
    {"fcntl64", F_GETLK64}, {"fcntl64", F_SETLK64}, {"fcntl64", F_SETLKW64},
    {"ioctl", TCGETS},      {"ioctl", TIOCGWINSZ},
};

#define NUM(array) (sizeof(array) / sizeof *(array))

/* A name that the library does not know on this machine is of a call that there is not. */
static bool add(scmp_filter_ctx filter, uint32_t action, const char *const *names, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        const int number = seccomp_syscall_resolve_name(names[i]);
        const int error =
            number == __NR_SCMP_ERROR ? 0 : seccomp_rule_add(filter, action, number, 0);
        if (error != 0 && error != -EDOM && error != -EACCES) {
            return false;
        }
    }
    return true;
}

static bool add_uses(scmp_filter_ctx filter, const use *uses, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        const int number = seccomp_syscall_resolve_name(uses[i].name);
        const int error = number == __NR_SCMP_ERROR
                              ? 0
                              : seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 1,
                                                 SCMP_A1(SCMP_CMP_EQ, uses[i].what));
        if (error != 0 && error != -EDOM && error != -EEXIST) {
            return false;
        }
    }
    return true;
}

/* Signals go to threads of this process and to no other. A nursery's are those of its cells too,
 * which have a filter of their own besides. */
static bool add_signals(scmp_filter_ctx filter, fh_syscalls kind)
{
    return (kind == FH_SYSCALLS_NURSERY
                ? seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 0)
                : seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                                   SCMP_A0(SCMP_CMP_EQ, (uint64_t)getpid()))) == 0;
}

/* Threads, but no process; clone3 hides its flags from a filter, and the C library falls back. Of
 * limits only the question, and of signals only whether there is such a process. */
static bool add_threads(scmp_filter_ctx filter)
{
    const int prlimit = seccomp_syscall_resolve_name("prlimit64");
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                            SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 1, SCMP_A0(SCMP_CMP_EQ, 38)) ==
               0 && /* PR_SET_NO_NEW_PRIVS */
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, prlimit, 1, SCMP_A2(SCMP_CMP_EQ, 0)) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(kill), 1, SCMP_A1(SCMP_CMP_EQ, 0)) ==
               0;
}

static bool fill(scmp_filter_ctx filter, fh_syscalls kind)
{
    const bool is_command = kind == FH_SYSCALLS_COMMAND;
    return add(filter, SCMP_ACT_ALLOW, computing, NUM(computing)) &&
           add_uses(filter, computing_uses, NUM(computing_uses)) && add_signals(filter, kind) &&
           (!is_command ||
            (add(filter, SCMP_ACT_ALLOW, filing, NUM(filing)) &&
             add_uses(filter, filing_uses, NUM(filing_uses)) && add_threads(filter))) &&
           (kind != FH_SYSCALLS_NURSERY || add(filter, SCMP_ACT_ALLOW, raising, NUM(raising))) &&
           add(filter, SCMP_ACT_KILL_PROCESS, forbidden, NUM(forbidden));
}

bool fh_syscalls_filter(fh_syscalls kind)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
    if (filter == NULL) {
        return false;
    }
    const bool is_ok = fill(filter, kind) && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return is_ok;
}

bool fh_syscalls_can_filter(void)
{
    const uint32_t action = SECCOMP_RET_KILL_PROCESS;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

void fh_syscalls_describe(fh_text *out)
{
    const struct scmp_version *version = seccomp_version();
    fh_text_u64(fh_text_str(out, "seccomp (libseccomp "), version->major);
    fh_text_u64(fh_text_str(out, "."), version->minor);
    fh_text_u64(fh_text_str(out, "."), version->micro);
    fh_text_str(out, ")");
}
