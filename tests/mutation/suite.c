/* Runs the tests of a suite that is written for Criterion against planted faults, a fork a test:
 * Criterion would start the whole program anew for each.
 *
 * SUITE quick|slow SOUND: ids of faults, one a line, on standard input, each perhaps followed by
 * the name of the test that noticed it before and is asked first; 0 is for a program in which the
 * fault is compiled in, and all tests are asked. In SOUND lies which tests succeed without a fault,
 * and in which of them a fault makes a difference at its place; they are run and it is written if
 * it is not there. The quick tests are asked, or the slow ones. For each id a line: `ID by suite
 * TEST`, `ID hung TEST`, or `ID survived`, `ID alike` or `ID unreached` as kill.c says.
 *
 * It is linked into each suite and defines what the macros of Criterion call.
 */
#include "switch.h"

#include <criterion/criterion.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* Seconds of processor time that a test may take to be quick, and to be asked at all. */
enum { QUICK = 1, ASKED = 30 };
/* A test hangs that takes longer than this, and this many times as long as it should. */
enum { MOST_SECONDS = 1, MOST_TIMES = 10 };
/* Of the clock's time, for a test that sleeps for ever. */
enum { MOST_ASLEEP = 120 };
enum { MOST_TESTS = 256, LINE_LEN = 512, SKIPPED = 77 };

typedef struct test {
    size_t number;
    double seconds;
    bool is_asked;
    unsigned char differs[FH_MOST_MUTANTS / 8]; /* a bit a fault */
} test;

static test tests[MOST_TESTS]; /* quickest first */
static size_t num_tests;
static unsigned char met[FH_MOST_MUTANTS];
static unsigned char *met_by_child; /* shared */
static bool has_failed;

extern struct criterion_test *__start_cr_tst[]; /* the linker's names for what Test() makes */
extern struct criterion_test *__stop_cr_tst[];

/* ---- what the macros of Criterion call ---- */

void criterion_internal_test_setup(void)
{
}

void criterion_internal_test_teardown(void)
{
}

void criterion_internal_test_main(void (*function)(void))
{
    function();
}

void criterion_abort_test(void)
{
    _exit(EXIT_FAILURE);
}

void criterion_continue_test(void)
{
    has_failed = true;
}

void criterion_skip_test(const char *format, ...)
{
    (void)format;
    _exit(SKIPPED);
}

void cr_log(enum criterion_severity severity, const char *format, ...)
{
    (void)severity;
    (void)format;
}

/* ---- one test ---- */

static const struct criterion_test *of(const test *t)
{
    return __start_cr_tst[t->number];
}

static void run_child(const test *t, double most_seconds)
{
    const struct criterion_test_extra_data *how = of(t)->data;
    const struct itimerval most = {.it_value.tv_sec = (time_t)most_seconds};
    const int nowhere = open("/dev/null", O_RDWR);
    (void)dup2(nowhere, STDOUT_FILENO);
    (void)dup2(nowhere, STDERR_FILENO);
    (void)setitimer(ITIMER_PROF, &most, NULL);
    (void)alarm(MOST_ASLEEP);
    if (how->init != NULL) {
        how->init();
    }
    of(t)->test();
    if (how->fini != NULL) {
        how->fini();
    }
    memcpy(met_by_child, fh_mutant_met, sizeof fh_mutant_met);
    _exit(has_failed ? EXIT_FAILURE : EXIT_SUCCESS);
}

/* Returns how the test's process ended. */
static int run(const test *t, double most_seconds, double *seconds)
{
    int status = 0;
    struct rusage used;
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        run_child(t, most_seconds);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child) {
        abort();
    }
    *seconds = (double)used.ru_utime.tv_sec + (double)used.ru_stime.tv_sec +
               1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
    return status;
}

static bool has_timed_out(int status)
{
    return WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM);
}

/* Whether the test notices the fault that is switched on; says so if it does. */
static bool notices(const test *t, unsigned id)
{
    double seconds = 0;
    const int status = run(t, MOST_SECONDS + MOST_TIMES * t->seconds, &seconds);
    if (status == 0) {
        return false;
    }
    (void)printf("%u\t%s\t%s/%s\n", id, has_timed_out(status) ? "hung" : "by suite",
                 of(t)->category, of(t)->name);
    return true;
}

/* ---- all tests ---- */

static void note_differences(test *t)
{
    for (size_t id = 0; id < FH_MOST_MUTANTS; id++) {
        met[id] |= met_by_child[id];
        if ((met_by_child[id] & FH_DIFFERS) != 0) {
            t->differs[id / 8] |= (unsigned char)(1U << id % 8);
        }
    }
}

static void look_at(test *t, bool slow)
{
    memset(met_by_child, 0, FH_MOST_MUTANTS);
    const bool is_sound = run(t, slow ? ASKED : QUICK, &t->seconds) == 0;
    t->is_asked = is_sound && (t->seconds >= QUICK) == slow;
    if (t->is_asked) {
        note_differences(t);
    }
}

static int by_time(const void *a, const void *b)
{
    const test *left = a;
    const test *right = b;
    return left->seconds < right->seconds ? -1 : left->seconds > right->seconds;
}

static void look_at_all(bool slow)
{
    for (size_t i = 0; i < (size_t)(__stop_cr_tst - __start_cr_tst); i++) {
        if (num_tests == MOST_TESTS) {
            abort();
        }
        if (__start_cr_tst[i] != NULL) {
            tests[num_tests].number = i;
            look_at(&tests[num_tests++], slow);
        }
    }
    qsort(tests, num_tests, sizeof tests[0], by_time);
}

static bool load(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    const bool whole = fread(met, sizeof met, 1, file) == 1;
    num_tests = whole ? fread(tests, sizeof tests[0], MOST_TESTS, file) : 0;
    (void)fclose(file);
    return whole;
}

static void store(const char *path)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(met, sizeof met, 1, file) != 1 ||
        fwrite(tests, sizeof tests[0], num_tests, file) != num_tests || fclose(file) != 0) {
        abort();
    }
}

static bool is_named(const test *t, const char *name)
{
    const size_t len = strlen(of(t)->category);
    return strncmp(name, of(t)->category, len) == 0 && name[len] == '/' &&
           strcmp(name + len + 1, of(t)->name) == 0;
}

/* With a fault that is compiled in nothing is known of its place. */
static bool may_notice(const test *t, unsigned id)
{
    return t->is_asked && (id == 0 || (t->differs[id / 8] >> id % 8 & 1) != 0);
}

static void judge(unsigned id, const char *first)
{
    bool is_any = false;
    fh_mutant = id;
    for (int named = 1; named >= 0; named--) {
        for (size_t i = 0; i < num_tests; i++) {
            const test *t = &tests[i];
            if (may_notice(t, id) && is_named(t, first) == (named == 1)) {
                is_any = true;
                if (notices(t, id)) {
                    return;
                }
            }
        }
    }
    (void)printf("%u\t%s\n", id, is_any ? "survived" : met[id] != 0 ? "alike" : "unreached");
}

int main(int argc, char **argv)
{
    unsigned id = 0;
    int len = 0;
    char line[LINE_LEN];
    met_by_child =
        mmap(NULL, FH_MOST_MUTANTS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (argc != 3 || met_by_child == MAP_FAILED) {
        return 2;
    }
    if (!load(argv[2])) {
        look_at_all(strcmp(argv[1], "slow") == 0);
        store(argv[2]);
    }
    while (fgets(line, sizeof line, stdin) != NULL && sscanf(line, "%u%n", &id, &len) == 1 &&
           id < FH_MOST_MUTANTS) {
        line[strcspn(line, "\n")] = '\0';
        judge(id, line + len + strspn(line + len, " "));
        (void)fflush(stdout);
    }
    return 0;
}
