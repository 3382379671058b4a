/* The sandbox, from inside: what is to work works, and the rest does not. */
#include "counts.h"
#include "sandbox.h"

#include "landlock.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What a probe sees: 0, or an errno; or the signal that ended it, as a negative number. */
typedef int probe(const char *folder);

enum { OTHER = 200 };

static void walls_of_command(const char *folder)
{
    char inside[256];
    fh_sandbox box = fh_sandbox_begin();
    (void)snprintf(inside, sizeof inside, "%s/read", folder);
    fh_sandbox_reads(&box, inside);
    (void)snprintf(inside, sizeof inside, "%s/write", folder);
    fh_sandbox_writes(&box, inside);
    if (fh_sandbox_enter(&box, "test") != FH_EXIT_OK) {
        _exit(OTHER);
    }
}

static void walls_of_cell(const char *folder)
{
    (void)folder;
    fh_sandbox_enter_cell(false);
}

static void walls_of_nursery(const char *folder)
{
    (void)folder;
    fh_sandbox_enter_cell(true);
}

/* Landlock alone: the filter would not let the calls come to it. */
static void walls_of_landlock(const char *folder)
{
    (void)folder;
    const int rules = fh_landlock_begin();
    if (rules < 0 || !fh_landlock_enter(rules)) {
        _exit(OTHER);
    }
}

static int see(const char *folder, void (*enter)(const char *), probe *look)
{
    int status = 0;
    (void)fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        char *counts = fh_counts_open();
        enter(folder);
        fh_counts_keep(counts);
        _exit(look(folder));
    }
    cr_assert(pid > 0 && waitpid(pid, &status, 0) == pid);
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

static int code(bool is_ok)
{
    return is_ok ? 0 : errno;
}

static int open_in(const char *folder, const char *name, int flags)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    const int fd = open(path, flags, 0600);
    return fd < 0 ? errno : close(fd) * OTHER;
}

static int reads_inside(const char *folder)
{
    return open_in(folder, "read/file", O_RDONLY);
}

static int writes_inside(const char *folder)
{
    char from[256];
    char to[256];
    (void)snprintf(from, sizeof from, "%s/write/new", folder);
    (void)snprintf(to, sizeof to, "%s/write/renamed", folder);
    const int made = open_in(folder, "write/new", O_WRONLY | O_CREAT | O_TRUNC);
    return made != 0 ? made : code(rename(from, to) == 0 && unlink(to) == 0);
}

static int writes_what_may_be_read(const char *folder)
{
    return open_in(folder, "read/file", O_WRONLY);
}

static int empties_what_may_be_read(const char *folder)
{
    return open_in(folder, "read/file", O_RDONLY | O_TRUNC);
}

static int connects(const char *folder)
{
    struct sockaddr_in there = {.sin_family = AF_INET, .sin_port = htons(9)};
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    (void)folder;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    return fd < 0 ? OTHER : code(connect(fd, (const void *)&there, sizeof there) == 0);
}

static int makes_beside(const char *folder)
{
    return open_in(folder, "new", O_WRONLY | O_CREAT);
}

static int leaves_by_a_link(const char *folder)
{
    return open_in(folder, "read/link", O_RDONLY);
}

static int reads_passwords(const char *folder)
{
    return open_in(folder, "/../../../../../../../../../../../../etc/passwd", O_RDONLY);
}

static int reads_passwords_by_name(const char *folder)
{
    (void)folder;
    const int fd = open("/etc/passwd", O_RDONLY);
    return code(fd >= 0);
}

static int lists_root(const char *folder)
{
    (void)folder;
    return code(open("/", O_RDONLY | O_DIRECTORY) >= 0);
}

static int opens_socket(const char *folder)
{
    (void)folder;
    return code(socket(AF_INET, SOCK_STREAM, 0) >= 0);
}

static int starts_program(const char *folder)
{
    char *args[] = {NULL};
    (void)folder;
    return code(execve("/bin/true", args, args) == 0);
}

static int traces(const char *folder)
{
    (void)folder;
    return code(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0);
}

static int mounts(const char *folder)
{
    return code(mount("none", folder, "tmpfs", 0, NULL) == 0);
}

static int forks(const char *folder)
{
    (void)folder;
    const long pid = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid == 0) {
        _exit(0);
    }
    return code(pid > 0 && waitpid((pid_t)pid, NULL, 0) == pid);
}

static int calls_the_unknown(const char *folder)
{
    (void)folder;
    errno = 0;
    (void)getpriority(PRIO_PROCESS, 0);
    return errno;
}

static int kills_its_parent(const char *folder)
{
    (void)folder;
    return code(kill(getppid(), SIGTERM) == 0);
}

/* The call by which the C library raises signals of its own. */
static int signals_its_parent(const char *folder)
{
    (void)folder;
    return code(syscall(SYS_tgkill, getppid(), getppid(), 0) == 0);
}

static int signals_itself(const char *folder)
{
    (void)folder;
    (void)signal(SIGUSR1, SIG_IGN);
    return code(raise(SIGUSR1) == 0);
}

/* The system sends a signal of choice when there is something to read. */
static int has_its_parent_signalled(const char *folder)
{
    (void)folder;
    return code(fcntl(STDIN_FILENO, F_SETOWN, getppid()) == 0);
}

static int chooses_a_signal(const char *folder)
{
    (void)folder;
    return code(fcntl(STDIN_FILENO, F_SETSIG, SIGUSR1) == 0);
}

static int keeps_flags(const char *folder)
{
    (void)folder;
    return code(fcntl(STDIN_FILENO, F_GETFL) >= 0 && fcntl(STDIN_FILENO, F_GETFD) >= 0);
}

static int locks(const char *folder)
{
    char path[256];
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    (void)snprintf(path, sizeof path, "%s/write/new", folder);
    const int fd = open(path, O_RDWR | O_CREAT, 0600);
    return code(fd >= 0 && fcntl(fd, F_SETLK, &lock) == 0 && fchmod(fd, 0644) == 0 &&
                unlink(path) == 0);
}

static int asks_for_the_terminal(const char *folder)
{
    (void)folder;
    errno = 0;
    (void)isatty(STDIN_FILENO);
    return errno == ENOSYS ? ENOSYS : 0;
}

static int types_for_the_user(const char *folder)
{
    (void)folder;
    return code(ioctl(STDIN_FILENO, TIOCSTI, "x") == 0);
}

static int changes_a_mode(const char *folder)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/read/file", folder);
    return code(chmod(path, 0644) == 0);
}

static int changes_a_time(const char *folder)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/read/file", folder);
    return code(utimensat(AT_FDCWD, path, NULL, 0) == 0);
}

static void *nothing(void *user)
{
    return user;
}

static int starts_thread(const char *folder)
{
    pthread_t thread;
    (void)folder;
    const int error = pthread_create(&thread, NULL, nothing, NULL);
    return error != 0 ? error : pthread_join(thread, NULL);
}

static int computes(const char *folder)
{
    (void)folder;
    void *volatile room = malloc((size_t)64 << 20);
    const bool is_ok = room != NULL;
    free(room);
    return is_ok ? 0 : ENOMEM;
}

static bool is_below(const char *path, const char *folder)
{
    const size_t len = folder == NULL ? 0 : strlen(folder);
    return len > 0 && strncmp(path, folder, len) == 0 && (path[len] == '/' || path[len] == '\0');
}

/* Temporary files may be written in a sandbox: what is beside has to be looked for elsewhere. */
static bool is_temporary(const char *path)
{
    return is_below(path, "/tmp") || is_below(path, "/var/tmp") || is_below(path, "/usr/tmp") ||
           is_below(path, getenv("TMPDIR")) || is_below(path, getenv("SQLITE_TMPDIR"));
}

static char *make_folder(void)
{
    static char path[256];
    char name[300];
    cr_assert(getcwd(path, sizeof path - 32) != NULL);
    if (is_temporary(path)) {
        (void)strcpy(path, "/dev/shm");
    }
    (void)strcat(path, "/sandbox-XXXXXX");
    cr_assert(mkdtemp(path) != NULL);
    (void)snprintf(name, sizeof name, "%s/read", path);
    cr_assert(mkdir(name, 0700) == 0);
    (void)snprintf(name, sizeof name, "%s/write", path);
    cr_assert(mkdir(name, 0700) == 0);
    (void)snprintf(name, sizeof name, "%s/read/file", path);
    const int fd = open(name, O_WRONLY | O_CREAT, 0600);
    cr_assert(fd >= 0 && close(fd) == 0);
    (void)snprintf(name, sizeof name, "%s/read/link", path);
    cr_assert(symlink("/etc/passwd", name) == 0);
    return path;
}

static void remove_folder(const char *path)
{
    static const char *const names[] = {"read/link", "read/file", "write/new", "new",
                                        "read",      "write",     ""};
    char name[300];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)snprintf(name, sizeof name, "%s/%s", path, names[i]);
        (void)remove(name);
    }
}

static bool has(const char *what)
{
    char text[256];
    fh_text out = fh_text_make(text, sizeof text);
    fh_sandbox_describe(&out);
    return strstr(text, what) != NULL;
}

typedef struct expectation {
    const char *name;
    void (*enter)(const char *folder);
    probe *look;
    int seen;
    bool of_files; /* a matter of Landlock; else of seccomp */
} expectation;

static const expectation expectations[] = {
    {"reads what it may", walls_of_command, reads_inside, 0, true},
    {"writes where it may", walls_of_command, writes_inside, 0, true},
    {"starts threads", walls_of_command, starts_thread, 0, false},
    {"has memory", walls_of_command, computes, 0, false},
    {"a cell has memory", walls_of_cell, computes, 0, false},
    {"a nursery forks", walls_of_nursery, forks, 0, false},
    {"writes what it may read", walls_of_command, writes_what_may_be_read, EACCES, true},
    {"empties what it may read", walls_of_command, empties_what_may_be_read, EACCES, true},
    {"makes files beside", walls_of_command, makes_beside, EACCES, true},
    {"leaves by a link", walls_of_command, leaves_by_a_link, EACCES, true},
    {"leaves by dots", walls_of_command, reads_passwords, EACCES, true},
    {"reads elsewhere", walls_of_command, reads_passwords_by_name, EACCES, true},
    {"lists the root", walls_of_command, lists_root, EACCES, true},
    {"kills its parent", walls_of_command, kills_its_parent, ENOSYS, false},
    {"opens a socket", walls_of_command, opens_socket, -SIGSYS, false},
    {"starts a program", walls_of_command, starts_program, -SIGSYS, false},
    {"traces", walls_of_command, traces, -SIGSYS, false},
    {"mounts", walls_of_command, mounts, -SIGSYS, false},
    {"forks", walls_of_command, forks, ENOSYS, false},
    {"calls the unknown", walls_of_command, calls_the_unknown, ENOSYS, false},
    {"signals itself", walls_of_command, signals_itself, 0, false},
    {"keeps flags", walls_of_command, keeps_flags, 0, false},
    {"locks", walls_of_command, locks, 0, false},
    {"asks for the terminal", walls_of_command, asks_for_the_terminal, 0, false},
    {"signals its parent", walls_of_command, signals_its_parent, ENOSYS, false},
    {"has its parent signalled", walls_of_command, has_its_parent_signalled, ENOSYS, false},
    {"chooses a signal", walls_of_command, chooses_a_signal, ENOSYS, false},
    {"types for the user", walls_of_command, types_for_the_user, ENOSYS, false},
    {"changes a mode", walls_of_command, changes_a_mode, ENOSYS, false},
    {"changes a time", walls_of_command, changes_a_time, ENOSYS, false},
    {"a cell signals itself", walls_of_cell, signals_itself, 0, false},
    {"a cell signals its parent", walls_of_cell, signals_its_parent, ENOSYS, false},
    {"a cell has its parent signalled", walls_of_cell, has_its_parent_signalled, ENOSYS, false},
    {"a cell types for the user", walls_of_cell, types_for_the_user, ENOSYS, false},
    {"a nursery has its parent signalled", walls_of_nursery, has_its_parent_signalled, ENOSYS,
     false},
    {"a cell reads a file", walls_of_cell, reads_inside, ENOSYS, false},
    {"a cell reads elsewhere", walls_of_cell, reads_passwords_by_name, ENOSYS, false},
    {"a cell opens a socket", walls_of_cell, opens_socket, -SIGSYS, false},
    {"a cell starts a program", walls_of_cell, starts_program, -SIGSYS, false},
    {"a cell forks", walls_of_cell, forks, ENOSYS, false},
    {"a cell kills its parent", walls_of_cell, kills_its_parent, ENOSYS, false},
    {"a nursery starts a program", walls_of_nursery, starts_program, -SIGSYS, false},
    {"a nursery reads a file", walls_of_nursery, reads_inside, ENOSYS, false},
};

/* What is on without any choice is looked at, not what the environment of the tests has chosen. */
static void choose_nothing(void)
{
    (void)unsetenv("FRAMEHOUND_SANDBOX");
}

static void look_at_all(bool of_files)
{
    choose_nothing();
    char *path = make_folder();
    for (size_t i = 0; i < sizeof expectations / sizeof expectations[0]; i++) {
        const expectation *at = &expectations[i];
        if (at->of_files == of_files) {
            const int seen = see(path, at->enter, at->look);
            cr_expect(seen == at->seen, "%s: %d, expected %d", at->name, seen, at->seen);
        }
    }
    remove_folder(path);
}

Test(sandbox, files_that_were_not_named_are_gone)
{
    if (!has("Landlock ABI")) {
        cr_skip_test("no Landlock in this kernel");
    }
    look_at_all(true);
}

/* Each by itself; what a kernel does not know yet is not looked at. */
Test(sandbox, landlock_alone_holds)
{
    char *path = make_folder();
    if (fh_landlock_abi() >= 4) {
        cr_expect(eq(int, see(path, walls_of_landlock, connects), EACCES));
    }
    if (fh_landlock_abi() >= 6) {
        cr_expect(eq(int, see(path, walls_of_landlock, kills_its_parent), EPERM));
    }
    if (fh_landlock_abi() >= 1) {
        cr_expect(eq(int, see(path, walls_of_landlock, reads_inside), EACCES));
    }
    remove_folder(path);
}

/* The kernel says of Landlock what one says that has none. */
static void take_landlock_away(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 444 /* landlock_create_ruleset */, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = {sizeof steps / sizeof steps[0], steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) {
        _exit(0);
    }
}

static void walls_without_landlock(const char *folder)
{
    take_landlock_away();
    walls_of_command(folder);
}

Test(sandbox, on_takes_what_there_is)
{
    choose_nothing();
    char *path = make_folder();
    cr_expect(eq(int, see(path, walls_without_landlock, reads_passwords_by_name), 0));
    if (has("seccomp (libseccomp")) {
        cr_expect(eq(int, see(path, walls_without_landlock, opens_socket), -SIGSYS));
    }
    cr_assert(fh_sandbox_choose("test", "require") == FH_EXIT_OK);
    if (has("seccomp")) {
        cr_expect(eq(int, see(path, walls_without_landlock, reads_passwords_by_name), OTHER));
    }
    remove_folder(path);
}

Test(sandbox, calls_that_the_work_does_not_need_are_gone)
{
    if (!has("seccomp (libseccomp")) {
        cr_skip_test("no seccomp in this build or kernel");
    }
    look_at_all(false);
}

/* Without walls the same probes get through: it is the walls that stop them. */
Test(sandbox, off_is_off)
{
    char *path = make_folder();
    cr_assert(fh_sandbox_choose("test", "off") == FH_EXIT_OK);
    cr_expect(eq(int, see(path, walls_of_command, reads_passwords_by_name), 0));
    cr_expect(eq(int, see(path, walls_of_command, makes_beside), 0));
    cr_expect(eq(int, see(path, walls_of_command, leaves_by_a_link), 0));
    cr_expect(eq(int, see(path, walls_of_command, opens_socket), 0));
    cr_expect(eq(int, see(path, walls_of_command, forks), 0));
    cr_expect(eq(int, see(path, walls_of_cell, reads_inside), 0));
    remove_folder(path);
}

Test(sandbox, require_holds_where_all_is_there)
{
    char *path = make_folder();
    cr_assert(fh_sandbox_choose("test", "require") == FH_EXIT_OK);
    const bool has_all = has("Landlock ABI") && has("seccomp (libseccomp");
    cr_expect(eq(int, see(path, walls_of_command, reads_inside), has_all ? 0 : OTHER));
    cr_expect(fh_sandbox_choose("test", "perhaps") == FH_EXIT_USAGE);
    remove_folder(path);
}
