#include "nursery.h"

#include "cmd.h"
#include "counts.h"
#include "hunt/run_rules.h"
#include "sandbox.h"
#include "wire.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Bytes of an answer: more than any exam has findings for, at FH_MAX_FINDINGS_PER_RULE of each of
 * the some 900 rules and less than 1 KiB each. */
#define MAX_ANSWER ((size_t)32 << 20)

/* An order is a few numbers and names. */
#define MAX_ORDER ((size_t)4 << 10)

/* Memory of a cell: the arena of an examination, which for the longest asset is 136 MiB, and what
 * it needs besides: the bytes, the answer, and what the process has by itself. */
#define ARENA_MEMORY ((rlim_t)(FH_ARENA_FLOOR + FH_ARENA_PER_BYTE * FH_MAX_ASSET_LEN))
#define OTHER_MEMORY ((rlim_t)96 << 20)

/* Milliseconds between a cell's last word and its end before it is helped along. */
#define LAST_MS 2000

/* A message to the nursery is the number of a process to bury, negative if it has to be ended
 * first; or this: raise one. Answers are how it ended, or its number with its socket. */
#define RAISE 0

struct fh_nursery {
    fh_nursery_options options;
    pid_t pid;
    int socket;
    pthread_mutex_t lock; /* of the conversation */
    bool has_complained;
};

static const fh_wire_wait for_ever = {INT64_MAX, NULL};

/* A process that is a copy of the program ends without what is to be done once at the end of that.
 */
static _Noreturn void leave(void)
{
    fh_counts_keep(NULL);
    _exit(0);
}

/* ---- in a cell ------------------------------------------------------------------------------- */

/* An examination for which --max-memory is too little is not begun; this is what holds when it
 * takes more than it should. */
static void limit_memory(const fh_nursery_options *options)
{
    const rlim_t arena = options->max_memory > 0 ? (rlim_t)options->max_memory : ARENA_MEMORY;
    const struct rlimit limit = {arena + OTHER_MEMORY, arena + OTHER_MEMORY};
#if !FH_SANITIZED
    (void)setrlimit(RLIMIT_DATA, &limit);
#else
    (void)limit;   /* the sanitizer's own memory would count */
#endif
}

static bool answer(int socket, fh_exam *exam, const fh_exam_order *order, uint8_t *bytes)
{
    fh_packed out = {0};
    fh_budget reserve = order->reserve;
    exam->reserve = order->has_reserve ? &reserve : NULL;
    const fh_cursor cursor = fh_cursor_make(bytes, order->len, order->origin);
    if (fh_exam_run(exam, order->format, cursor, &order->options)) {
        fh_exam_put_results(&out, exam);
    }
    const size_t len = out.no_memory ? 0 : out.len; /* an empty answer: there was no memory */
    const bool is_sent = fh_wire_put(socket, out.bytes, len, &for_ever) == FH_WIRE_OK;
    free(out.bytes);
    return is_sent;
}

/* Takes one order and answers it; false: it is over. The room for the bytes is exactly as long, so
 * that reading behind them shows. */
static bool serve(int socket, fh_exam *exam, const fh_nursery_options *options)
{
    uint8_t *packed = NULL;
    size_t len = 0;
    fh_exam_order order;
    if (fh_wire_get(socket, &packed, &len, MAX_ORDER, &for_ever) != FH_WIRE_OK ||
        !fh_exam_get_order(&order, fh_cursor_make(packed, len, 0))) {
        free(packed);
        return false;
    }
    uint8_t *bytes = malloc(order.len > 0 ? order.len : 1);
    if (bytes == NULL || fh_wire_receive(socket, bytes, order.len, &for_ever) != FH_WIRE_OK) {
        free(bytes);
        free(packed);
        return false;
    }
    if (options->before != NULL) {
        options->before(&order);
    }
    const bool goes_on = answer(socket, exam, &order, bytes);
    free(bytes);
    free(packed);
    return goes_on;
}

static _Noreturn void live(int socket, const fh_nursery_options *options)
{
    fh_exam exam = {0};
    (void)prctl(PR_SET_NAME, "framehound-cell");
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit_memory(options);
    fh_sandbox_enter_cell(false);
    while (serve(socket, &exam, options)) {
    }
    leave();
}

/* ---- in the nursery -------------------------------------------------------------------------- */

static bool raise_cell(int control, const fh_nursery_options *options)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
        return fh_wire_put_open(control, -errno, -1);
    }
    const pid_t pid = fork();
    if (pid == 0) {
        (void)close(control);
        (void)close(pair[0]);
        live(pair[1], options);
    }
    const bool is_told = fh_wire_put_open(control, pid < 0 ? -errno : pid, pid < 0 ? -1 : pair[0]);
    (void)close(pair[0]);
    (void)close(pair[1]);
    return is_told;
}

/* Whoever has closed its socket is about to end; if not, it is ended. */
static bool bury(int control, pid_t pid, bool must_end)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    const int64_t until = fh_wire_now() + (must_end ? 0 : LAST_MS);
    int status = 0;
    pid_t done = 0;
    while ((done = waitpid(pid, &status, WNOHANG)) == 0 && fh_wire_now() < until) {
        (void)nanosleep(&nap, NULL);
    }
    if (done == 0) {
        (void)kill(pid, SIGKILL);
        (void)waitpid(pid, &status, 0);
    }
    return fh_wire_put_open(control, status, -1);
}

/* Of what the program has open nothing but the way back is left, and standard error. */
static void close_others(int control)
{
#ifdef SYS_close_range
    (void)syscall(SYS_close_range, (unsigned)STDERR_FILENO + 1, (unsigned)control - 1, 0);
    (void)syscall(SYS_close_range, (unsigned)control + 1, UINT_MAX, 0);
#else
    (void)control; /* an older system: it holds what was open when the program began */
#endif
}

/* Signals of the terminal are for the program: when it ends, so does the nursery. */
static void prepare(int control)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    (void)sigaction(SIGINT, &ignore, NULL);
    (void)sigaction(SIGTERM, &ignore, NULL);
    (void)sigaction(SIGHUP, &ignore, NULL);
    if (nothing >= 0) {
        (void)dup2(nothing, STDIN_FILENO);
        (void)dup2(nothing, STDOUT_FILENO);
        (void)close(nothing);
    }
    close_others(control);
    (void)prctl(PR_SET_NAME, "framehound-nurs");
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static _Noreturn void keep(int control, const fh_nursery_options *options)
{
    int64_t number = 0;
    int open = -1;
    bool goes_on = true;
    prepare(control);
    fh_sandbox_enter_cell(true);
    while (goes_on && fh_wire_get_open(control, &number, &open)) {
        goes_on = number == RAISE
                      ? raise_cell(control, options)
                      : bury(control, (pid_t)(number < 0 ? -number : number), number < 0);
    }
    leave();
}

/* ---- in the program -------------------------------------------------------------------------- */

fh_nursery *fh_nursery_begin(const fh_nursery_options *options)
{
    int pair[2];
    fh_nursery *nursery = calloc(1, sizeof *nursery);
    if (nursery == NULL || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        free(nursery);
        return NULL;
    }
    nursery->options = *options;
    nursery->socket = pair[0];
    nursery->pid = fork();
    if (nursery->pid == 0) {
        (void)close(pair[0]);
        free(nursery); /* the program's; a look for leaks would find it here as well */
        keep(pair[1], options);
    }
    const int error = errno;
    (void)close(pair[1]);
    if (nursery->pid < 0 || pthread_mutex_init(&nursery->lock, NULL) != 0) {
        (void)close(pair[0]);
        free(nursery);
        errno = error;
        return NULL;
    }
    return nursery;
}

void fh_nursery_end(fh_nursery *nursery)
{
    if (nursery == NULL) {
        return;
    }
    (void)close(nursery->socket);
    while (waitpid(nursery->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    (void)pthread_mutex_destroy(&nursery->lock);
    free(nursery);
}

static bool ask(fh_nursery *nursery, int64_t question, int64_t *reply, int *open)
{
    (void)pthread_mutex_lock(&nursery->lock);
    const bool is_ok = fh_wire_put_open(nursery->socket, question, -1) &&
                       fh_wire_get_open(nursery->socket, reply, open);
    (void)pthread_mutex_unlock(&nursery->lock);
    return is_ok;
}

/* Buries the cell; how it ended, as waitpid says. */
static int end_cell(fh_cell *cell, bool must_end)
{
    int64_t status = 0;
    int open = -1;
    (void)close(cell->socket);
    (void)ask(cell->nursery, must_end ? -(int64_t)cell->pid : cell->pid, &status, &open);
    cell->is_alive = false;
    return (int)status;
}

static bool have_cell(fh_cell *cell)
{
    int64_t pid = 0;
    char byte = 0;
    if (cell->is_alive && recv(cell->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) != -1) {
        (void)end_cell(cell,
                       true); /* it died while it had nothing to do, or said what none asked */
    }
    if (!cell->is_alive) {
        cell->socket = -1;
        cell->is_alive =
            ask(cell->nursery, RAISE, &pid, &cell->socket) && pid > 0 && cell->socket >= 0;
        cell->pid = (pid_t)pid;
    }
    return cell->is_alive;
}

static void say(fh_finding *lost, int rule, const char *found)
{
    *lost = fh_finding_make(&fh_run_rules.rules[rule], rule == FH_RUN0032 ? "memory" : "process");
    fh_text text = fh_text_make(lost->found, sizeof lost->found);
    fh_text_str(&text, found);
}

static const char *name_of(int signal)
{
    switch (signal) {
    case SIGABRT:
        return " (SIGABRT)";
    case SIGBUS:
        return " (SIGBUS)";
    case SIGFPE:
        return " (SIGFPE)";
    case SIGILL:
        return " (SIGILL)";
    case SIGKILL:
        return " (SIGKILL)";
    case SIGSEGV:
        return " (SIGSEGV)";
    case SIGSYS:
        return " (SIGSYS)";
    default:
        return "";
    }
}

static void say_how(fh_finding *lost, int status)
{
    say(lost, FH_RUN0030, "");
    fh_text text = fh_text_make(lost->found, sizeof lost->found);
    if (WIFSIGNALED(status)) {
        fh_text_s64(fh_text_str(&text, "ended by signal "), WTERMSIG(status));
        fh_text_str(&text, name_of(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) == 0) { /* nobody was left to answer */
        fh_text_str(&text, "ended by somebody else");
    } else {
        fh_text_s64(fh_text_str(&text, "ended with exit code "), WEXITSTATUS(status));
    }
}

/* The cell is of no use any more. */
static fh_exam_end lose(fh_cell *cell, fh_finding *lost, fh_wire_status why)
{
    const int status = end_cell(cell, why != FH_WIRE_GONE);
    if (why == FH_WIRE_STOPPED) {
        return FH_EXAM_STOPPED;
    }
    if (why == FH_WIRE_LATE) {
        say(lost, FH_RUN0031, "");
        fh_text text = fh_text_make(lost->found, sizeof lost->found);
        fh_text_str(&text, "still at work after ");
        fh_text_str(fh_text_u64(&text, cell->nursery->options.seconds), " s");
    } else if (why == FH_WIRE_NO_MEMORY) {
        return FH_EXAM_NO_MEMORY;
    } else {
        say_how(lost, status);
    }
    return FH_EXAM_LOST;
}

static fh_wire_status talk(fh_cell *cell, uint8_t **received, size_t *len, fh_cursor bytes)
{
    const fh_wire_wait wait = {fh_wire_now() + (int64_t)cell->nursery->options.seconds * 1000,
                               &cell->stop};
    fh_wire_status status = fh_wire_put(cell->socket, cell->order.bytes, cell->order.len, &wait);
    if (status == FH_WIRE_OK) {
        status = fh_wire_send(cell->socket, bytes.base, bytes.size, &wait);
    }
    return status == FH_WIRE_OK ? fh_wire_get(cell->socket, received, len, MAX_ANSWER, &wait)
                                : status;
}

static fh_exam_end examine_here(fh_cell *cell, fh_exam *exam, const fh_format *format,
                                fh_cursor bytes, const fh_exam_options *options)
{
    fh_nursery *nursery = cell->nursery;
    if (nursery != NULL) {
        (void)pthread_mutex_lock(&nursery->lock);
        if (!nursery->has_complained) {
            fh_complain("no process can be started to examine candidates in; they are examined in "
                        "this one");
        }
        nursery->has_complained = true;
        (void)pthread_mutex_unlock(&nursery->lock);
    }
    return fh_exam_run(exam, format, bytes, options) ? FH_EXAM_DONE : FH_EXAM_NO_MEMORY;
}

fh_exam_end fh_cell_examine(fh_cell *cell, fh_exam *exam, fh_finding *lost, const fh_format *format,
                            fh_cursor bytes, const fh_exam_options *options)
{
    uint8_t *received = NULL;
    size_t len = 0;
    fh_exam_order order = {.format = format,
                           .origin = bytes.origin,
                           .len = bytes.size,
                           .options = *options,
                           .has_reserve = exam->reserve != NULL};
    if (exam->reserve != NULL) {
        order.reserve = *exam->reserve;
    }
    if (cell->nursery == NULL || !have_cell(cell)) {
        return examine_here(cell, exam, format, bytes, options);
    }
    cell->order.len = 0;
    fh_exam_put_order(&cell->order, &order);
    if (cell->order.no_memory) {
        return FH_EXAM_NO_MEMORY;
    }
    const fh_wire_status status = talk(cell, &received, &len, bytes);
    if (status != FH_WIRE_OK) {
        return lose(cell, lost, status);
    }
    if (len == 0) {
        free(received);
        (void)end_cell(cell, true); /* its memory is as it was when there was not enough */
        say(lost, FH_RUN0032, "not enough for it");
        return FH_EXAM_LOST;
    }
    if (!fh_exam_get_results(exam, &order, bytes, received, len)) {
        (void)end_cell(cell, true);
        say(lost, FH_RUN0030, "an answer that is none");
        return FH_EXAM_LOST;
    }
    return FH_EXAM_DONE;
}

void fh_cell_free(fh_cell *cell)
{
    if (cell->is_alive) {
        (void)end_cell(cell, false);
    }
    free(cell->order.bytes);
    cell->order = (fh_packed){0};
}
