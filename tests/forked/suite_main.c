/* The main program of the test suites. As a rule it is Criterion's own, which starts the whole
 * program anew for each test. Under valgrind and with sanitizers that is most of the time, so with
 * FRAMEHOUND_SUITES=forked in the environment each test is a fork, and what a process needs of
 * Criterion that has no other end of it stands here. The exit code of a test's process counts then
 * behind the test as well: with it tools tell of leaks.
 *
 * Of Criterion's options CRITERION_TEST_PATTERN in the environment is known then. What is told is
 * TAP, what an assertion saw among it. FRAMEHOUND_SUITES_PATIENCE=N allows a test N times as long
 * as it says itself, under what makes it slower.
 */
#include <criterion/criterion.h>

#include <criterion/event.h>
#include <criterion/new/assert.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SKIPPED = 77, MOST_SECONDS = 3600, REASON_LEN = 256, TOLD_LEN = 4096 };

extern struct criterion_test *__start_cr_tst[]; /* the linker's names for what Test() makes */
extern struct criterion_test *__stop_cr_tst[];
extern struct criterion_suite *__start_cr_sts[] __attribute__((weak)); /* and TestSuite() */
extern struct criterion_suite *__stop_cr_sts[] __attribute__((weak));

static bool is_forked;
static bool has_failed;
static bool is_skipped;
static int told = -1;         /* standard output, whatever a test makes of its own */
static int told_skipped = -1; /* a pipe: why a test was skipped */
static jmp_buf end_of_test;

/* What stands behind a function of Criterion that is replaced here. */
static void *theirs(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) {
        (void)fprintf(stderr, "no %s in Criterion\n", name);
        abort();
    }
    return function;
}

#define THEIRS(name, type) (*(type *)&(void *){theirs(name)})

typedef void (*plain_call)(void);
typedef void (*main_call)(void (*)(void));
typedef void (*skip_call)(const char *, ...);
typedef void (*log_call)(enum criterion_severity, const char *, ...);
typedef void (*assert_call)(struct criterion_assert_stats *);
typedef void (*node_call)(const char *, size_t, struct cri_assert_node *);

/* A line of TAP that is a comment. */
static void say(const char *format, ...)
{
    char text[TOLD_LEN];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *at = text; *at != '\0'; at++) {
        *at = *at == '\n' ? ' ' : *at;
    }
    (void)dprintf(told, "# %s\n", text);
}

/* ---- what the macros of Criterion call ---- */

void criterion_internal_test_setup(void)
{
    if (!is_forked) {
        THEIRS("criterion_internal_test_setup", plain_call)();
    }
}

void criterion_internal_test_teardown(void)
{
    if (!is_forked) {
        THEIRS("criterion_internal_test_teardown", plain_call)();
    }
}

void criterion_internal_test_main(void (*function)(void))
{
    if (is_forked) {
        function();
    } else {
        THEIRS("criterion_internal_test_main", main_call)(function);
    }
}

void criterion_abort_test(void)
{
    if (is_forked) {
        has_failed = true;
        longjmp(end_of_test, 1);
    }
    THEIRS("criterion_abort_test", plain_call)();
    abort(); /* it does not come back */
}

void criterion_continue_test(void)
{
    has_failed = true;
    if (!is_forked) {
        THEIRS("criterion_continue_test", plain_call)();
    }
}

void criterion_skip_test(const char *format, ...)
{
    char why[REASON_LEN];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(why, sizeof why, format, args);
    va_end(args);
    if (!is_forked) {
        THEIRS("criterion_skip_test", skip_call)("%s", why);
    }
    (void)!write(told_skipped, why, strlen(why) + 1);
    is_skipped = true;
    longjmp(end_of_test, 1);
}

void cr_log(enum criterion_severity severity, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (is_forked) {
        say("%s", text);
    } else {
        THEIRS("cr_log", log_call)(severity, "%s", text);
    }
}

void cri_asserts_passed_incr(void)
{
    if (!is_forked) {
        THEIRS("cri_asserts_passed_incr", plain_call)();
    }
}

void criterion_send_assert(struct criterion_assert_stats *stats)
{
    if (!is_forked) {
        THEIRS("criterion_send_assert", assert_call)(stats);
    } else if (!stats->passed) {
        say("%s:%u: %s", stats->file, stats->line, stats->message != NULL ? stats->message : "");
    }
}

static void tell_node(const struct cri_assert_node *node)
{
    if (node->repr != NULL) {
        say("  %s: %s", node->repr, node->message != NULL ? node->message : "");
    }
    for (const struct cri_assert_param *param = node->params; param->name != NULL; param++) {
        say("    %s: %s", param->name,
            param->type == CRI_ASSERT_RT_STR ? (const char *)param->data : "(bytes)");
    }
}

/* A failed assertion, with what it is made of: those of the tests are nested once. */
void cri_assert_node_send(const char *file, size_t line, struct cri_assert_node *tree)
{
    if (!is_forked) {
        THEIRS("cri_assert_node_send", node_call)(file, line, tree);
        return;
    }
    say("%s:%zu: %s", file, line, tree->message != NULL ? tree->message : "");
    for (uint32_t i = 0; i < tree->nchild; i++) {
        tell_node(&tree->children[i]);
    }
}

/* ---- one test ---- */

static const struct criterion_test_extra_data *suite_of(const struct criterion_test *test)
{
    for (struct criterion_suite **at = __start_cr_sts; at < __stop_cr_sts; at++) {
        if (*at != NULL && strcmp((*at)->name, test->category) == 0) {
            return (*at)->data;
        }
    }
    return NULL;
}

static void call(void (*function)(void))
{
    if (function != NULL) {
        function();
    }
}

static _Noreturn void run_child(const struct criterion_test *test)
{
    const struct criterion_test_extra_data *suite = suite_of(test);
    if (setjmp(end_of_test) == 0) {
        call(suite != NULL ? suite->init : NULL);
        call(test->data->init);
        test->test();
    }
    if (setjmp(end_of_test) == 0) { /* a test that has failed is tidied up behind, too */
        call(test->data->fini);
        call(suite != NULL ? suite->fini : NULL);
    }
    exit(has_failed ? EXIT_FAILURE : is_skipped ? SKIPPED : EXIT_SUCCESS);
}

static double most_seconds(const struct criterion_test *test)
{
    const struct criterion_test_extra_data *suite = suite_of(test);
    const char *patience = getenv("FRAMEHOUND_SUITES_PATIENCE");
    const double times = patience != NULL ? strtod(patience, NULL) : 1;
    const double own = test->data->timeout > 0 ? test->data->timeout
                       : suite != NULL         ? suite->timeout
                                               : 0;
    return own > 0 && own * times < MOST_SECONDS ? own * times : MOST_SECONDS;
}

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Waits for the child, and returns how it ended. SIGCHLD is blocked; it comes for a child that is
 * stopped as well, and the wait is broken off by other signals. */
static int end_of(pid_t child, double seconds, bool *is_late)
{
    const double until = now() + seconds;
    sigset_t set;
    int status = 0;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGCHLD);
    while (waitpid(child, &status, WNOHANG) != child) {
        const double left = until - now();
        if (left <= 0) {
            *is_late = true;
            (void)kill(child, SIGKILL);
            (void)waitpid(child, &status, 0);
            break;
        }
        const struct timespec most = {.tv_sec = (time_t)left,
                                      .tv_nsec = (long)((left - (double)(time_t)left) * 1e9)};
        (void)sigtimedwait(&set, NULL, &most);
    }
    return status;
}

/* why: NULL, or why it was skipped. */
static bool tell(size_t number, const struct criterion_test *test, int status, bool is_late,
                 const char *why)
{
    const bool was_skipped =
        why != NULL && !is_late && WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED;
    const bool is_ok = was_skipped || (!is_late && status == 0);
    (void)printf("%s %zu - %s::%s", is_ok ? "ok" : "not ok", number, test->category, test->name);
    if (was_skipped) {
        (void)printf(" # SKIP %s", why);
    }
    (void)printf("\n");
    if (is_late) {
        (void)printf("# it took more than %.1f s\n", most_seconds(test));
    } else if (WIFSIGNALED(status)) {
        (void)printf("# ended by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
    } else if (!is_ok) {
        (void)printf("# exit code %d\n", WEXITSTATUS(status));
    }
    (void)fflush(stdout);
    return is_ok;
}

/* None of the tests says how it is to end badly; who writes one must teach this program. */
static void check_plain(const struct criterion_test_extra_data *data)
{
    if (data != NULL && (data->signal != 0 || data->exit_code != 0 || data->disabled)) {
        (void)fprintf(stderr, "%s:%u: forks know no such test\n", data->file_, data->line_);
        abort();
    }
}

static bool run(size_t number, const struct criterion_test *test)
{
    char why[REASON_LEN] = "";
    int pipes[2];
    bool is_late = false;
    sigset_t set;
    sigset_t before;
    check_plain(test->data);
    check_plain(suite_of(test));
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGCHLD);
    (void)fflush(NULL);
    /* What a test starts may outlive it, and would hold the pipe open. */
    if (sigprocmask(SIG_BLOCK, &set, &before) != 0 || pipe2(pipes, O_CLOEXEC | O_NONBLOCK) != 0) {
        abort();
    }
    const pid_t child = fork();
    if (child == 0) {
        (void)sigprocmask(SIG_SETMASK, &before, NULL);
        (void)close(pipes[0]);
        told_skipped = pipes[1];
        run_child(test);
    }
    if (child < 0) {
        abort();
    }
    (void)close(pipes[1]);
    const int status = end_of(child, most_seconds(test), &is_late);
    (void)sigprocmask(SIG_SETMASK, &before, NULL); /* a signal that waits is dropped by that */
    const bool has_reason = read(pipes[0], why, sizeof why - 1) > 0;
    (void)close(pipes[0]);
    return tell(number, test, status, is_late, has_reason ? why : NULL);
}

/* ---- all tests ---- */

static bool is_wanted(const struct criterion_test *test)
{
    char name[512];
    const char *pattern = getenv("CRITERION_TEST_PATTERN");
    (void)snprintf(name, sizeof name, "%s/%s", test->category, test->name);
    return pattern == NULL || fnmatch(pattern, name, FNM_EXTMATCH) == 0;
}

static int run_forked(void)
{
    size_t number = 0;
    bool is_ok = true;
    for (struct criterion_test **at = __start_cr_tst; at < __stop_cr_tst; at++) {
        if (*at != NULL && is_wanted(*at)) {
            number++;
            is_ok = run(number, *at) && is_ok;
        }
    }
    (void)printf("1..%zu\n", number);
    return is_ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    const char *how = getenv("FRAMEHOUND_SUITES");
    is_forked = how != NULL && strcmp(how, "forked") == 0;
    if (is_forked) {
        told = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
        return run_forked();
    }
    struct criterion_test_set *tests = criterion_initialize();
    const bool is_run = criterion_handle_args(argc, argv, true) != 0;
    const bool is_ok = !is_run || criterion_run_all_tests(tests) != 0;
    criterion_finalize(tests);
    return is_ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
