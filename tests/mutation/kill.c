/* Switches on one planted fault after the other and looks whether the outcome of any file changes.
 *
 * kill LIST: ids of faults, one a line, on standard input, each perhaps followed by the name of the
 * file that noticed it before and is asked first; 0 is for a program in which the fault is
 * compiled in, whose sound outcomes lie in FILE (kill LIST FILE; written there if it is not there).
 * For each id a line: `ID killed NAME PART`, `ID crashed SIGNAL`, `ID hung`, `ID survived` (files
 * that come by its place do not notice) or `ID unmet` (no file comes by).
 */
#include "inputs.h"
#include "switch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A file that takes longer than this, and this many times as long as it should, hangs. */
enum { MOST_SECONDS = 1, MOST_TIMES = 20, NAME_LEN = 4096 };

/* A handful of large files takes longer than all others together. They are not asked, so that what
 * survives may be one that only they would have noticed. */
static const double SLOW = 0.03; /* seconds */

typedef struct sound {
    outcome outcome;
    double seconds;
    unsigned char *met; /* NULL where the sound outcomes came from a file */
} sound;

typedef struct bench {
    inputs in;
    sound *sounds;
    size_t *order; /* of the inputs, quickest first */
} bench;

/* Of the processor's time: others may be at work. */
static double now(void)
{
    struct timespec at;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return (double)at.tv_sec + 1e-9 * (double)at.tv_nsec;
}

static void run_sound(bench *b)
{
    for (size_t i = 0; i < b->in.num; i++) {
        sound *to = &b->sounds[i];
        memset(fh_mutant_met, 0, sizeof fh_mutant_met);
        const double from = now();
        to->outcome = outcome_of(b->in.all[i].format, &b->in.all[i].bytes);
        to->seconds = now() - from;
        to->met = malloc(FH_MOST_MUTANTS / 8);
        if (to->met == NULL) {
            abort();
        }
        for (size_t id = 0; id < FH_MOST_MUTANTS; id += 8) {
            unsigned char bits = 0;
            for (unsigned bit = 0; bit < 8; bit++) {
                bits |= (unsigned char)(fh_mutant_met[id + bit] << bit);
            }
            to->met[id / 8] = bits;
        }
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

static bool meets(const bench *b, size_t i, unsigned id)
{
    if (b->sounds[i].seconds > SLOW) {
        return false;
    }
    const unsigned char *met = b->sounds[i].met;
    return met == NULL || (met[id / 8] >> id % 8 & 1) != 0;
}

/* Whether the file notices the fault that is switched on; says so if it does. */
static bool notices(const bench *b, size_t i, unsigned id)
{
    const double times = MOST_TIMES * b->sounds[i].seconds;
    const struct itimerval most = {.it_value.tv_sec = MOST_SECONDS + (time_t)times};
    (void)setitimer(ITIMER_PROF, &most, NULL);
    const outcome got = outcome_of(b->in.all[i].format, &b->in.all[i].bytes);
    const char *differs = outcome_differs(&got, &b->sounds[i].outcome);
    if (differs != NULL) {
        (void)printf("%u\tkilled\t%s\t%s\n", id, b->in.all[i].name, differs);
    }
    return differs != NULL;
}

/* In the child: its first line of output is the verdict. */
static void try_mutant(const bench *b, unsigned id, const char *first)
{
    bool is_met = false;
    fh_mutant = id;
    for (size_t i = 0; first[0] != '\0' && i < b->in.num; i++) {
        if (strcmp(b->in.all[i].name, first) == 0 && notices(b, i, id)) {
            return;
        }
    }
    for (size_t k = 0; k < b->in.num; k++) {
        const size_t i = b->order[k];
        if (!meets(b, i, id)) {
            continue;
        }
        is_met = true;
        if (notices(b, i, id)) {
            return;
        }
    }
    (void)printf("%u\t%s\n", id, is_met ? "survived" : "unmet");
}

static void judge(const bench *b, unsigned id, const char *first)
{
    int status = 0;
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        try_mutant(b, id, first);
        (void)fflush(stdout);
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        abort();
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) {
        (void)printf("%u\thung\n", id);
    } else if (WIFSIGNALED(status)) {
        (void)printf("%u\tcrashed\t%d\n", id, WTERMSIG(status));
    }
}

static bool load(bench *b, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    const bool whole = fread(b->sounds, sizeof *b->sounds, b->in.num, file) == b->in.num;
    (void)fclose(file);
    for (size_t i = 0; i < b->in.num; i++) {
        b->sounds[i].met = NULL;
    }
    return whole;
}

static void store(const bench *b, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(b->sounds, sizeof *b->sounds, b->in.num, file) != b->in.num ||
        fclose(file) != 0) {
        abort();
    }
}

int main(int argc, char **argv)
{
    bench b;
    unsigned id = 0;
    int len = 0;
    char line[NAME_LEN];
    if (argc < 2) {
        return 2;
    }
    inputs_read(&b.in, argv[1]);
    b.sounds = calloc(b.in.num, sizeof *b.sounds);
    b.order = calloc(b.in.num, sizeof *b.order);
    if (b.sounds == NULL || b.order == NULL) {
        return 2;
    }
    if (argc < 3 || !load(&b, argv[2])) {
        run_sound(&b);
        if (argc > 2) {
            store(&b, argv[2]);
        }
    }
    sort_inputs(&b);
    while (fgets(line, sizeof line, stdin) != NULL && sscanf(line, "%u%n", &id, &len) == 1) {
        line[strcspn(line, "\n")] = '\0';
        judge(&b, id, line + len + strspn(line + len, " "));
    }
    return 0;
}
