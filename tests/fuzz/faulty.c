#include "faulty.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *))
    __attribute__((weak));

bool faulty_counts_memory(void)
{
    return __sanitizer_install_malloc_and_free_hooks != NULL;
}

/* Names that the linker gives, in every program of this kind. */
int __real_clock_gettime(clockid_t clock, struct timespec *out);
int __wrap_clock_gettime(clockid_t clock, struct timespec *out);

static bool is_late; /* the clock runs */

void faulty_spend(bool memory, bool time)
{
    static void *volatile wasted;
    if (memory) {
        wasted = malloc((size_t)1 << 30);
        free(wasted);
    }
    is_late = is_late || time;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *out)
{
    enum { SECONDS = 1000 };
    static int past;
    const int result = __real_clock_gettime(clock, out);
    past += is_late ? SECONDS : 0;
    out->tv_sec += past;
    return result;
}

static const faulty_case *planted;

bool faulty_is(const char *fault)
{
    return strcmp(planted->fault, fault) == 0;
}

void (*faulty_ask(void))(void)
{
    return planted->ask;
}

uint8_t *faulty_read(const char *path, size_t *len)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(MOST);
    if (file == NULL || bytes == NULL) {
        perror(path);
        exit(2);
    }
    *len = fread(bytes, 1, MOST, file);
    (void)fclose(file);
    return bytes;
}

typedef struct ending {
    int status;
    char said[1 << 14];
} ending;

/* Runs one in a process of its own, whose words are kept. An abort leaves no core. */
static void run_case(ending *out, const faulty_case *one, char **files, void (*run)(char **files))
{
    int ends[2];
    size_t len = 0;
    ssize_t num = 0;
    if (pipe(ends) != 0) {
        exit(2);
    }
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit none = {0};
        (void)setrlimit(RLIMIT_CORE, &none);
        (void)dup2(ends[1], STDERR_FILENO);
        (void)close(ends[0]);
        (void)close(ends[1]);
        planted = one;
        run(files);
        _exit(0);
    }
    (void)close(ends[1]);
    while (len < sizeof out->said - 1 &&
           (num = read(ends[0], out->said + len, sizeof out->said - 1 - len)) > 0) {
        len += (size_t)num;
    }
    out->said[len] = '\0';
    (void)close(ends[0]);
    (void)waitpid(child, &out->status, 0);
}

/* Whether it ended with just these words. */
static bool is_as_expected(const ending *end, const char *truth)
{
    char words[512];
    if (truth == NULL) {
        return WIFEXITED(end->status) && WEXITSTATUS(end->status) == 0;
    }
    (void)snprintf(words, sizeof words, "violated: %s\n", truth);
    return WIFSIGNALED(end->status) && WTERMSIG(end->status) == SIGABRT &&
           strstr(end->said, words) != NULL;
}

static void explain(const ending *end, const char *truth)
{
    (void)printf("# expected: %s\n# status %d, said:\n", truth == NULL ? "nothing" : truth,
                 end->status);
    char said[sizeof end->said];
    memcpy(said, end->said, sizeof said);
    for (const char *line = strtok(said, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        (void)printf("#   %s\n", line);
    }
}

int faulty_main(int argc, char **argv, const faulty_case *cases, size_t num_cases,
                void (*run)(char **files))
{
    static ending end;
    bool failed = false;
    if (argc == 2 && strcmp(argv[1], "--truths") == 0) {
        for (size_t i = 0; i < num_cases; i++) {
            (void)printf("%s\n", cases[i].truth == NULL ? "" : cases[i].truth);
        }
        return 0;
    }
    (void)printf("1..%zu\n", num_cases);
    for (size_t i = 0; i < num_cases; i++) {
        if (cases[i].can_be_seen != NULL && !cases[i].can_be_seen()) {
            (void)printf("ok %zu - %s # SKIP this build does not see it\n", i + 1, cases[i].fault);
            continue;
        }
        (void)fflush(stdout);
        run_case(&end, &cases[i], argv + 1, run);
        const bool is_right = is_as_expected(&end, cases[i].truth);
        (void)printf("%s %zu - %s\n", is_right ? "ok" : "not ok", i + 1, cases[i].fault);
        if (!is_right) {
            explain(&end, cases[i].truth);
            failed = true;
        }
    }
    return failed ? 1 : 0;
}
