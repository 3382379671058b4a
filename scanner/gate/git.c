#include "gate/git.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* In front of every command: what must not be started, written or fetched. */
static const char *const precautions[] = {
    "--no-pager",
    "--no-optional-locks",
    "--literal-pathspecs",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.quotePath=false",
    "-c",
    "safe.bareRepository=explicit",
    "-c",
    "submodule.recurse=false",
    "-c",
    "diff.autoRefreshIndex=true", /* contents are compared where times differ */
};

/* Variables that a hook of git has, or that change what the commands below print. */
static const char *const forgotten[] = {
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_ALLOW_PROTOCOL",
    "GIT_NO_LAZY_FETCH",
    "GIT_OPTIONAL_LOCKS",
    "GIT_TERMINAL_PROMPT",
    "LC_ALL",
};

/* Errors in English; objects that are missing are not fetched, for that starts what the repository
 * says; the second of these is known to few versions of git, the first to all. */
static const char *const added[] = {
    "GIT_ALLOW_PROTOCOL=none",
    "GIT_NO_LAZY_FETCH=1",
    "GIT_OPTIONAL_LOCKS=0",
    "GIT_TERMINAL_PROMPT=0",
    "LC_ALL=C",
};

#define NUM(array) (sizeof(array) / sizeof *(array))

extern char **environ;

/* ---- running git ---- */

typedef struct git_run {
    pid_t pid;
    int out; /* read ends */
    int err;
    char error[FH_GIT_ERROR_LEN]; /* the beginning of what it wrote to standard error */
    size_t error_len;
    int lost;     /* errno of a read that failed, 0 = none */
    int status;   /* of waitpid */
    bool is_late; /* it said nothing for too long */
} git_run;

static bool is_forgotten(const char *variable)
{
    for (size_t i = 0; i < NUM(forgotten); i++) {
        const size_t len = strlen(forgotten[i]);
        if (strncmp(variable, forgotten[i], len) == 0 && variable[len] == '=') {
            return true;
        }
    }
    return false;
}

/* The strings stay where they are; freed is the array. */
static const char **make_environment(void)
{
    size_t num = 0;
    while (environ[num] != NULL) {
        num++;
    }
    const char **made = calloc(num + NUM(added) + 1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    size_t at = 0;
    for (size_t i = 0; i < num; i++) {
        if (!is_forgotten(environ[i])) {
            made[at++] = environ[i];
        }
    }
    memcpy(made + at, added, sizeof added);
    return made;
}

static const char **make_arguments(const fh_git *git, const char *const *args)
{
    size_t num_args = 0;
    while (args[num_args] != NULL) {
        num_args++;
    }
    const size_t num = 3 + NUM(precautions) + 2 * git->filters.num_names + num_args;
    const char **made = calloc(num + 1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    size_t at = 0;
    made[at++] = "git";
    made[at++] = "-C";
    made[at++] = git->folder;
    memcpy(made + at, precautions, sizeof precautions);
    at += NUM(precautions);
    for (size_t i = 0; i < git->filters.num_names; i++) {
        made[at++] = "-c";
        made[at++] = git->filters.names[i];
    }
    memcpy(made + at, args, num_args * sizeof *made);
    assert(at + num_args == num);
    return made;
}

/* posix_spawn takes strings that it does not change as if it did. */
static char *const *as_words(const char **words)
{
    union {
        const char **given;
        char *const *taken;
    } same = {.given = words};
    return same.taken;
}

/* Signals that this program ignores are git's again. */
static int spawn(git_run *run, const int out[2], const int err[2], const char **args,
                 const char **environment)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t defaults;
    (void)sigemptyset(&defaults);
    (void)sigaddset(&defaults, SIGPIPE);
    (void)sigaddset(&defaults, SIGXFSZ);
    int error = posix_spawn_file_actions_init(&files);
    if (error != 0) {
        return error;
    }
    error = posix_spawnattr_init(&how);
    if (error == 0) {
        (void)posix_spawnattr_setsigdefault(&how, &defaults);
        (void)posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF);
        (void)posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        (void)posix_spawn_file_actions_adddup2(&files, out[1], STDOUT_FILENO);
        error = posix_spawn_file_actions_adddup2(&files, err[1], STDERR_FILENO);
    }
    if (error == 0) {
        error = posix_spawnp(&run->pid, "git", &files, &how, as_words(args), as_words(environment));
        (void)posix_spawnattr_destroy(&how);
    }
    (void)posix_spawn_file_actions_destroy(&files);
    return error;
}

static void close_both(const int ends[2])
{
    (void)close(ends[0]);
    (void)close(ends[1]);
}

/* 0, or an errno. */
static int start(git_run *run, const fh_git *git, const char *const *args)
{
    int out[2];
    int err[2];
    if (pipe2(out, O_CLOEXEC) != 0) {
        return errno;
    }
    if (pipe2(err, O_CLOEXEC) != 0) {
        const int error = errno;
        close_both(out);
        return error;
    }
    const char **words = make_arguments(git, args);
    const char **environment = make_environment();
    const int error =
        words == NULL || environment == NULL ? ENOMEM : spawn(run, out, err, words, environment);
    free(words);
    free(environment);
    if (error != 0) {
        close_both(out);
        close_both(err);
        return error;
    }
    (void)close(out[1]);
    (void)close(err[1]);
    run->out = out[0];
    run->err = err[0];
    return 0;
}

static void take_error(git_run *run, const char *bytes, size_t len)
{
    const size_t room = sizeof run->error - 1 - run->error_len;
    const size_t num = len < room ? len : room;
    memcpy(run->error + run->error_len, bytes, num);
    run->error_len += num;
    run->error[run->error_len] = '\0';
}

/* Reads what there is; an end closes the descriptor and makes it -1. */
static fh_list_status take_bytes(git_run *run, int *fd, fh_list *names)
{
    char bytes[16384];
    const ssize_t got = read(*fd, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) {
        return FH_LIST_OK;
    }
    if (got <= 0) {
        run->lost = got < 0 ? errno : run->lost;
        (void)close(*fd);
        *fd = -1;
        return FH_LIST_OK;
    }
    if (fd == &run->err) {
        take_error(run, bytes, (size_t)got);
        return FH_LIST_OK;
    }
    return fh_list_feed(names, '\0', bytes, (size_t)got);
}

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Both streams are read as they come, so that git never waits for one of them. poll comes back now
 * and then in case a signal came just before it. */
static fh_list_status listen(git_run *run, fh_list *names, int64_t patience_ms)
{
    fh_list_status status = FH_LIST_OK;
    int64_t until = now_ms() + patience_ms;
    while ((run->out >= 0 || run->err >= 0) && status == FH_LIST_OK && !run->is_late &&
           !fh_interrupted(NULL)) {
        struct pollfd ends[] = {{.fd = run->out, .events = POLLIN},
                                {.fd = run->err, .events = POLLIN}};
        if (poll(ends, 2, 200) <= 0) {
            run->is_late = now_ms() >= until;
            continue;
        }
        until = now_ms() + patience_ms;
        if (ends[0].revents != 0) {
            status = take_bytes(run, &run->out, names);
        }
        if (ends[1].revents != 0 && status == FH_LIST_OK) {
            status = take_bytes(run, &run->err, names);
        }
    }
    return status == FH_LIST_OK ? fh_list_feed_end(names, '\0') : status;
}

static const char *why_ended(const git_run *run, fh_list_status status)
{
    return run->is_late                  ? "it says nothing for minutes and was ended; look for "
                                           "pipes and devices where it expects files"
           : status == FH_LIST_OK        ? "interrupted"
           : status == FH_LIST_NO_MEMORY ? "out of memory"
           : status == FH_LIST_LIMIT     ? "more than 64 MiB of names; check parts of it"
                                         : "its names cannot be understood";
}

static void finish(git_run *run, bool is_whole)
{
    if (!is_whole) {
        (void)kill(run->pid, SIGTERM);
    }
    if (run->out >= 0) {
        (void)close(run->out);
    }
    if (run->err >= 0) {
        (void)close(run->err);
    }
    while (waitpid(run->pid, &run->status, 0) < 0 && errno == EINTR) {
    }
}

/* Runs a command and adds what it prints to names, which end with a zero. FH_EXIT_OK: it ran, and
 * its exit status is in run. */
static fh_exit run_git(git_run *run, const fh_git *git, fh_list *names, const char *const *args)
{
    *run = (git_run){.out = -1, .err = -1};
    const int error = start(run, git, args);
    if (error != 0) {
        fh_complain("git cannot be started: %s; install git, or name the files that are to be "
                    "checked",
                    strerror(error));
        return FH_EXIT_IO;
    }
    const fh_list_status status = listen(run, names, git->patience_ms);
    const bool is_whole = status == FH_LIST_OK && !run->is_late && !fh_interrupted(NULL);
    finish(run, is_whole);
    if (is_whole && run->lost == 0) {
        return FH_EXIT_OK;
    }
    if (run->lost != 0) {
        fh_complain("git in %s: what it said cannot be read: %s; try again",
                    fh_safe_path(git->folder), strerror(run->lost));
        return FH_EXIT_IO;
    }
    fh_complain("git in %s: %s", fh_safe_path(git->folder), why_ended(run, status));
    return FH_EXIT_LIMIT;
}

static bool is_fine(const git_run *run)
{
    return WIFEXITED(run->status) && WEXITSTATUS(run->status) == 0;
}

/* What git says of an error, in its first line. */
static fh_exit complain(const fh_git *git, git_run *run)
{
    run->error[strcspn(run->error, "\n")] = '\0';
    fh_complain("git in %s: %s", fh_safe_path(git->folder),
                run->error[0] == '\0' ? "it failed" : fh_safe_path(run->error));
    return FH_EXIT_IO;
}

/* ---- what is switched off ---- */

static bool is_setting(const char *name, const char *tail)
{
    const size_t len = strlen(name);
    const size_t tail_len = strlen(tail);
    return len > tail_len && strcmp(name + len - tail_len, tail) == 0;
}

/* filter.NAME.clean, .process and .required of a driver, of which `name` is one. */
static bool switch_off(fh_git *git, const char *name)
{
    static const char *const settings[] = {".clean=", ".process=", ".required=false"};
    const size_t len = (size_t)(strrchr(name, '.') - name);
    bool is_done = true;
    for (size_t i = 0; i < NUM(settings) && is_done; i++) {
        char *setting = malloc(len + strlen(settings[i]) + 1);
        is_done = setting != NULL;
        if (is_done) {
            memcpy(setting, name, len);
            memcpy(setting + len, settings[i], strlen(settings[i]) + 1);
            is_done = fh_list_add(&git->filters, setting);
        }
        free(setting);
    }
    return is_done;
}

/* A filter would be run on files that git compares. One with = in its name cannot be switched
 * off by -c, which takes the first = for the end of the name. */
static fh_exit switch_off_filters(fh_git *git)
{
    static const char *const args[] = {"config", "--list", "-z", "--name-only", NULL};
    fh_list names = {0};
    git_run run;
    fh_exit exit = run_git(&run, git, &names, args);
    if (exit == FH_EXIT_OK && !is_fine(&run)) {
        exit = complain(git, &run);
    }
    for (size_t i = 0; i < names.num_names && exit == FH_EXIT_OK; i++) {
        const char *name = names.names[i];
        if (strncmp(name, "filter.", 7) != 0 ||
            !(is_setting(name, ".clean") || is_setting(name, ".process"))) {
            continue;
        }
        if (strchr(name, '=') != NULL || git->filters.num_names >= FH_GIT_MAX_FILTERS * 2 * 3) {
            fh_complain("git in %s: filters that cannot be switched off: %s; look at the "
                        "configuration of this repository",
                        fh_safe_path(git->folder), fh_safe_path(name));
            exit = FH_EXIT_IO;
        } else if (!switch_off(git, name)) {
            fh_complain("out of memory");
            exit = FH_EXIT_LIMIT;
        }
    }
    fh_list_free(&names);
    return exit;
}

/* ---- questions ---- */

fh_exit fh_git_open(fh_git *git, const char *folder)
{
    static const char *const args[] = {"rev-parse", "--is-inside-work-tree", NULL};
    fh_list answer = {0};
    git_run run;
    *git = (fh_git){.folder = folder, .patience_ms = FH_GIT_PATIENCE_MS};
    fh_exit exit = run_git(&run, git, &answer, args);
    if (exit == FH_EXIT_OK && !is_fine(&run)) {
        exit = complain(git, &run);
    } else if (exit == FH_EXIT_OK &&
               (answer.num_names != 1 || strcmp(answer.names[0], "true\n") != 0)) {
        fh_complain("git in %s: no working tree of a repository", fh_safe_path(folder));
        exit = FH_EXIT_IO;
    }
    fh_list_free(&answer);
    return exit == FH_EXIT_OK ? switch_off_filters(git) : exit;
}

void fh_git_close(fh_git *git)
{
    fh_list_free(&git->filters);
}

static bool take_hash(char out[65], const fh_list *answer)
{
    const char *line = answer->num_names == 1 ? answer->names[0] : "";
    const size_t len = strspn(line, "0123456789abcdef");
    if ((len != 40 && len != 64) || strcmp(line + len, "\n") != 0) {
        return false;
    }
    memcpy(out, line, len);
    out[len] = '\0';
    return true;
}

fh_exit fh_git_commit(const fh_git *git, char out[65], const char *revision)
{
    static const char tail[] = "^{commit}";
    const size_t len = strlen(revision);
    char *name = malloc(len + sizeof tail);
    if (name == NULL) {
        fh_complain("out of memory");
        return FH_EXIT_LIMIT;
    }
    memcpy(name, revision, len);
    memcpy(name + len, tail, sizeof tail);
    const char *const args[] = {"rev-parse", "--verify", "--quiet", name, NULL};
    fh_list answer = {0};
    git_run run;
    fh_exit exit = run_git(&run, git, &answer, args);
    if (exit == FH_EXIT_OK && (!is_fine(&run) || !take_hash(out, &answer))) {
        exit = fh_usage_error("check", "--changed-since: %s is no revision of the repository of %s",
                              fh_safe_path(revision), fh_safe_path(git->folder));
    }
    fh_list_free(&answer);
    free(name);
    return exit;
}

fh_exit fh_git_names(const fh_git *git, fh_list *out, const char *const *args)
{
    git_run run;
    const fh_exit exit = run_git(&run, git, out, args);
    return exit == FH_EXIT_OK && !is_fine(&run) ? complain(git, &run) : exit;
}
