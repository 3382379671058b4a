/* Switches on one planted fault after the other and looks whether the outcome of any file changes.
 *
 * kill LIST SOUND [FORMAT]: ids of faults, one a line, on standard input, each perhaps followed by
 * the name of the file that noticed it before and is asked first; 0 is for a program in which the
 * fault is compiled in. With a format only its files are asked.
 *
 * What comes out without a fault lies in SOUND; it is looked at and written if it is not there.
 * With it stands at which files a fault makes a difference at its place: no other can come out
 * otherwise. With a fault that is compiled in all files are asked. For each id a line: `ID killed
 * NAME PART`, `ID crashed NAME SIGNAL`, `ID guarded NAME` (a sanitizer ended it), `ID hung NAME`,
 * `ID survived` (the outcome of no file changes), `ID alike` (files come by its place, but it never
 * makes a difference there) or `ID unreached` (no file comes by).
 */
#include "inputs.h"
#include "registry/registry.h"
#include "switch.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A file that takes longer than this, and this many times as long as it should, hangs. */
enum { MOST_SECONDS = 1, MOST_TIMES = 20, NAME_LEN = 4096, GUARDED = 99 };

/* A handful of large files takes longer than all others together. They are asked of faults that
 * make a difference in no other. */
#ifndef FH_KILL_SLOW
#define FH_KILL_SLOW 0.1 /* seconds */
#endif
static const double SLOW = FH_KILL_SLOW;

/* So many files are asked of one fault at most, those in which it makes a difference, quickest
 * first. */
#ifndef FH_KILL_MOST
#define FH_KILL_MOST SIZE_MAX
#endif
static const size_t MOST_ASKED = FH_KILL_MOST;

typedef struct sound {
    outcome outcome;
    double seconds;
    unsigned char differs[FH_MOST_MUTANTS / 8]; /* a bit a fault */
} sound;

typedef struct bench {
    inputs in;
    sound *sounds;
    size_t *order;           /* of the inputs, quickest first */
    size_t *at;              /* which of them is asked; shared with the child */
    const fh_format *format; /* NULL: all */
    unsigned char met[FH_MOST_MUTANTS];
} bench;

/* A sanitizer's own reports take longer than everything else. */
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

const char *__asan_default_options(void)
{
    return "exitcode=99:symbolize=0:detect_leaks=0:print_legend=0:print_stacktrace=0";
}

const char *__ubsan_default_options(void)
{
    return "exitcode=99:symbolize=0:print_stacktrace=0";
}

/* Of the processor's time: others may be at work. */
static double now(void)
{
    struct timespec at;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static void note_differences(bench *b, sound *to)
{
    for (size_t id = 0; id < FH_MOST_MUTANTS; id += 8) {
        unsigned bits = 0;
        for (unsigned bit = 0; bit < 8; bit++) {
            b->met[id + bit] |= fh_mutant_met[id + bit];
            bits |= (unsigned)((fh_mutant_met[id + bit] & FH_DIFFERS) != 0) << bit;
        }
        to->differs[id / 8] = (unsigned char)bits;
    }
}

static void run_sound(bench *b)
{
    for (size_t i = 0; i < b->in.num; i++) {
        sound *to = &b->sounds[i];
        memset(fh_mutant_met, 0, sizeof fh_mutant_met);
        const double from = now();
        to->outcome = outcome_of(b->in.all[i].format, &b->in.all[i].bytes);
        to->seconds = now() - from;
        note_differences(b, to);
    }
}

static bench *sorting;

static int by_time(const void *a, const void *b)
{
    const double left = sorting->sounds[*(const size_t *)a].seconds;
    const double right = sorting->sounds[*(const size_t *)b].seconds;
    return left < right ? -1 : left > right;
}

static void sort_inputs(bench *b)
{
    for (size_t i = 0; i < b->in.num; i++) {
        b->order[i] = i;
    }
    sorting = b;
    qsort(b->order, b->in.num, sizeof *b->order, by_time);
}

/* With a fault that is compiled in nothing is known of its place. */
static bool makes_difference(const sound *at, unsigned id)
{
    return id == 0 || (at->differs[id / 8] >> id % 8 & 1) != 0;
}

/* Whether the file notices the fault that is switched on; says so if it does. */
static bool notices(const bench *b, size_t i, unsigned id)
{
    const double times = MOST_TIMES * b->sounds[i].seconds;
    const struct itimerval most = {.it_value.tv_sec = MOST_SECONDS + (time_t)times};
    *b->at = i;
    (void)setitimer(ITIMER_PROF, &most, NULL);
    const outcome got = outcome_of(b->in.all[i].format, &b->in.all[i].bytes);
    const char *differs = outcome_differs(&got, &b->sounds[i].outcome);
    if (differs != NULL) {
        (void)printf("%u\tkilled\t%s\t%s\n", id, b->in.all[i].name, differs);
    }
    return differs != NULL;
}

/* Asks all files at which the fault makes a difference, quickest first. Says what became of it, and
 * returns false, if there is none. */
static bool ask_all(const bench *b, unsigned id, bool slow)
{
    size_t num = 0;
    for (size_t k = 0; k < b->in.num && num < MOST_ASKED; k++) {
        const sound *at = &b->sounds[b->order[k]];
        const fh_format *format = b->in.all[b->order[k]].format;
        if ((b->format == NULL || b->format == format) && (at->seconds > SLOW) == slow &&
            makes_difference(at, id)) {
            num++;
            if (notices(b, b->order[k], id)) {
                return true;
            }
        }
    }
    if (num > 0) {
        (void)printf("%u\tsurvived\n", id);
    }
    return num > 0;
}

/* In the child: its first line of output is the verdict. */
static void try_mutant(const bench *b, unsigned id, const char *first)
{
    fh_mutant = id;
    for (size_t i = 0; first[0] != '\0' && i < b->in.num; i++) {
        if (strcmp(b->in.all[i].name, first) == 0 && notices(b, i, id)) {
            return;
        }
    }
    if (!ask_all(b, id, false) && (id == 0 || !ask_all(b, id, true))) {
        (void)printf("%u\t%s\n", id, b->met[id] != 0 ? "alike" : "unreached");
    }
}

static void run_child(const bench *b, unsigned id, const char *first)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    (void)dup2(nowhere, STDERR_FILENO);
    try_mutant(b, id, first);
    (void)fflush(stdout);
    _exit(0);
}

static void judge(const bench *b, unsigned id, const char *first)
{
    int status = 0;
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        run_child(b, id, first);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        abort();
    }
    const char *name = b->in.all[*b->at].name;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) {
        (void)printf("%u\thung\t%s\n", id, name);
    } else if (WIFSIGNALED(status)) {
        (void)printf("%u\tcrashed\t%s\t%d\n", id, name, WTERMSIG(status));
    } else if (WEXITSTATUS(status) == GUARDED) {
        (void)printf("%u\tguarded\t%s\n", id, name);
    } else if (WEXITSTATUS(status) != 0) {
        abort();
    }
}

static bool load(bench *b, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    const bool whole = fread(b->sounds, sizeof *b->sounds, b->in.num, file) == b->in.num &&
                       fread(b->met, sizeof b->met, 1, file) == 1;
    (void)fclose(file);
    return whole;
}

static void store(const bench *b, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(b->sounds, sizeof *b->sounds, b->in.num, file) != b->in.num ||
        fwrite(b->met, sizeof b->met, 1, file) != 1 || fclose(file) != 0) {
        abort();
    }
}

static void prepare(bench *b, const char *list)
{
    inputs_read(&b->in, list);
    b->sounds = calloc(b->in.num, sizeof *b->sounds);
    b->order = calloc(b->in.num, sizeof *b->order);
    b->at = mmap(NULL, sizeof *b->at, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (b->sounds == NULL || b->order == NULL || b->at == MAP_FAILED) {
        abort();
    }
}

int main(int argc, char **argv)
{
    static bench b;
    unsigned id = 0;
    int len = 0;
    char line[NAME_LEN];
    if (argc < 3) {
        return 2;
    }
    prepare(&b, argv[1]);
    b.format = argc > 3 ? fh_format_find(argv[3]) : NULL;
    if (!load(&b, argv[2])) {
        run_sound(&b);
        store(&b, argv[2]);
    }
    sort_inputs(&b);
    while (fgets(line, sizeof line, stdin) != NULL && sscanf(line, "%u%n", &id, &len) == 1 &&
           id < FH_MOST_MUTANTS) {
        line[strcspn(line, "\n")] = '\0';
        judge(&b, id, line + len + strspn(line + len, " "));
    }
    return 0;
}
