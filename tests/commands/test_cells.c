/* Cells: a candidate whose examination ends its process costs that candidate, and nothing else. */
#include "../hunt/field.h"
#include "nursery.h"
#include "registry/registry.h"
#include "sandbox.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NUM = 8, GAP = 4096 };

static fh_cell cell;
static uint64_t doomed; /* offset of the candidate that ends its cell */
static int how;         /* a signal, or one of these: */
enum { HANG = -1, STARVE = -2, LEAVE = -3, LIE = -4, BOAST = -5 };
static volatile pid_t *seen_cell; /* shared with the cells; NULL: nobody asks */

static void end_the_doomed(const fh_exam_order *order)
{
    if (order->origin != doomed) {
        return;
    }
    if (how > 0) {
        (void)signal(how, SIG_DFL);
        (void)raise(how);
    }
    if (how == STARVE) {
        void *volatile got = NULL; /* what nobody looks at need not be allocated */
        do {
            got = malloc((size_t)1 << 20);
        } while (got != NULL);
        return;
    }
    for (int fd = 3; (how == LIE || how == BOAST) && fd < 32; fd++) { /* one is the way out */
        const uint64_t lie[] = {how == LIE ? 16 : UINT64_MAX / 2, UINT64_MAX, UINT64_MAX};
        (void)send(fd, lie, sizeof lie, MSG_NOSIGNAL);
    }
    if (seen_cell != NULL) {
        *seen_cell = getpid();
    }
    for (volatile unsigned i = 0; how == HANG; i++) {
    }
    if (how != LIE && how != BOAST) {
        _exit(7);
    }
}

static fh_exam_end examine(void *user, void *self, fh_exam *exam, fh_finding *lost,
                           const fh_format *format, fh_cursor bytes, const fh_exam_options *options)
{
    (void)user;
    return fh_cell_examine(self != NULL ? self : &cell, exam, lost, format, bytes, options);
}

/* NUM animations of different lengths, and noise between them. */
static void make_source(field *f, int64_t offsets[NUM])
{
    char text[512];
    field_open(f);
    for (int i = 0; i < NUM; i++) {
        offsets[i] = (int64_t)f->source.len;
        (void)snprintf(text, sizeof text,
                       "tod resolution=4\nframe 0\ncreate 1\nparent 1 0\n"
                       "coord 1 abs r 0 0 0 s 4096 4096 4096 t %d 0 0\n"
                       "repeat %d\nframe +\ncoord 1 diff r 0 360 0\nendrepeat\n",
                       i, i + 1);
        put_tod(&f->source, text);
        put_fill(&f->source, 0x77, GAP - f->source.len % GAP);
    }
}

static unsigned num_helpers; /* threads that examine while the search goes on */

static void *hire(void *user)
{
    fh_cell *own = calloc(1, sizeof *own);
    HOLD(own != NULL, "memory");
    own->nursery = user;
    return own;
}

static void dismiss(void *user, void *self)
{
    (void)user;
    fh_cell_free(self);
    free(self);
}

static void hunt_with_cells(field *f, const fh_nursery_options *options)
{
    fh_nursery *nursery = fh_nursery_begin(options);
    HOLD(nursery != NULL, "a nursery");
    const fh_crew_staff staff = {nursery, hire, dismiss};
    cell = (fh_cell){.nursery = nursery};
    f->options.examine = examine;
    f->options.crew = num_helpers > 0 ? fh_crew_begin(num_helpers, &staff) : NULL;
    field_hunt(f);
    fh_crew_end(f->options.crew);
    f->options.crew = NULL;
    fh_cell_free(&cell);
    fh_nursery_end(nursery);
    f->options.examine = NULL;
}

static void same_assets(const field *seen, const field *expected, int64_t without)
{
    size_t at = 0;
    for (size_t i = 0; i < expected->num_assets; i++) {
        const told_asset *asset = &expected->assets[i];
        if (asset->raw == without) {
            continue;
        }
        HOLD(at < seen->num_assets, "asset %zu is missing", i);
        const told_asset *other = &seen->assets[at++];
        HOLD(other->raw == asset->raw && other->len == asset->len &&
                 strcmp(other->grade, asset->grade) == 0 && other->has_replay == asset->has_replay,
             "asset %zu", i);
    }
    HOLD(at == seen->num_assets, "%zu assets more", seen->num_assets - at);
}

Test(cells, cells_change_nothing)
{
    int64_t offsets[NUM];
    const fh_nursery_options options = {.seconds = 60};
    field here;
    field f;
    make_source(&here, offsets);
    make_source(&f, offsets);
    field_hunt(&here);
    hunt_with_cells(&f, &options);
    HOLD(here.num_assets == NUM && f.status == FH_HUNT_OK && !f.told.hit_limit, "sound");
    same_assets(&f, &here, -1);
    HOLD(field_count(&f, "RUN0030") == 0, "no cell died");
    HOLD(field_count(&f, "RUN0031") == 0, "none took too long");
    HOLD(field_count(&f, "RUN0032") == 0, "none was too large");
    HOLD(here.num_findings == f.num_findings, "findings");
    for (size_t i = 0; i < here.num_findings; i++) {
        HOLD(memcmp(&here.findings[i], &f.findings[i], sizeof here.findings[i]) == 0, "finding %zu",
             i);
    }
    field_close(&here);
    field_close(&f);
}

/* Kills the cell of each candidate in turn; returns how many findings said so. */
static size_t end_each(int by, const char *code, const char *found, uint32_t seconds, int most)
{
    int64_t offsets[NUM];
    const fh_nursery_options options = {.seconds = seconds, .before = end_the_doomed};
    size_t num_told = 0;
    field here;
    make_source(&here, offsets);
    field_hunt(&here);
    how = by;
    for (int i = 0; i < most; i++) {
        field f;
        make_source(&f, offsets);
        doomed = (uint64_t)offsets[i];
        hunt_with_cells(&f, &options);
        HOLD(f.status == FH_HUNT_OK && f.told.hit_limit, "the hunt goes on");
        same_assets(&f, &here, offsets[i]);
        HOLD(field_count(&f, code) == 1, "one finding of %s", code);
        num_told++;
        const told_finding *finding = field_find(&f, code);
        HOLD(finding->raw == offsets[i] && finding->asset == FH_UNKNOWN, "its place");
        HOLD(found == NULL || strstr(finding->found, found) != NULL, "%s", finding->found);
        field_close(&f);
    }
    field_close(&here);
    return num_told;
}

Test(cells, a_cell_that_dies_costs_one_asset)
{
    HOLD(end_each(SIGKILL, "RUN0030", "signal 9 (SIGKILL)", 60, NUM) == NUM, "told");
    HOLD(end_each(SIGABRT, "RUN0030", "signal 6 (SIGABRT)", 60, 2) == 2, "told");
    HOLD(end_each(SIGSEGV, "RUN0030", "signal 11 (SIGSEGV)", 60, 2) == 2, "told");
    HOLD(end_each(LEAVE, "RUN0030", "exit code 7", 60, 2) == 2, "told");
}

Test(cells, a_cell_of_a_helper_costs_one_asset_too)
{
    for (num_helpers = 1; num_helpers <= 3; num_helpers++) {
        HOLD(end_each(SIGKILL, "RUN0030", "signal 9 (SIGKILL)", 60, NUM) == NUM, "told");
        HOLD(end_each(LIE, "RUN0030", "an answer that is none", 60, 2) == 2, "told");
    }
    HOLD(end_each(HANG, "RUN0031", "still at work", 1, 1) == 1, "told");
    num_helpers = 0;
}

Test(cells, a_cell_that_lies_is_not_believed)
{
    HOLD(end_each(LIE, "RUN0030", "an answer that is none", 60, 2) == 2, "told");
    HOLD(end_each(BOAST, "RUN0030", NULL, 60, 2) == 2, "no memory for any length");
}

static bool has_line(pid_t pid, const char *line)
{
    char text[256];
    bool has = false;
    (void)snprintf(text, sizeof text, "/proc/%d/status", (int)pid);
    FILE *file = fopen(text, "r");
    while (file != NULL && !has && fgets(text, sizeof text, file) != NULL) {
        has = strcmp(text, line) == 0;
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return has;
}

static bool walls_are_built_in;

/* Asked in a cell. */
static bool has_no_walls(void)
{
    if (!walls_are_built_in) {
        return false;
    }
    const long pid = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid == 0) {
        _exit(0);
    }
    return pid > 0 || open("/etc/passwd", O_RDONLY) >= 0;
}

/* What the cell has besides what it needs ends it, so that the hunt shows it. */
static void leave_if_too_free(const fh_exam_order *order)
{
    struct rlimit data = {RLIM_INFINITY, RLIM_INFINITY};
    int num_open = 0;
    (void)order;
    for (int fd = 3; fd < 256; fd++) {
        num_open += fcntl(fd, F_GETFD) != -1 ? 1 : 0;
    }
#if FH_SANITIZED || !defined(SYS_getrlimit)
    data.rlim_cur = 0; /* sanitized memory is not limited */
#else
    (void)syscall(SYS_getrlimit, RLIMIT_DATA, &data); /* the C library takes a call that is gone */
#endif
    if (num_open != 1 || data.rlim_cur == RLIM_INFINITY || has_no_walls()) {
        _exit(num_open);
    }
}

/* The walls are what is looked at: the environment does not leave them out here. */
static void want_walls(void)
{
    (void)unsetenv("FRAMEHOUND_SANDBOX");
}

static bool has_walls(void)
{
    char text[256];
    fh_text out = fh_text_make(text, sizeof text);
    fh_sandbox_describe(&out);
    return strstr(text, "seccomp (libseccomp") != NULL;
}

Test(cells, a_cell_has_its_socket_and_bounded_memory)
{
    int64_t offsets[NUM];
    const fh_nursery_options options = {.seconds = 60, .before = leave_if_too_free};
    int others[3];
    field f;
    want_walls();
    make_source(&f, offsets);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        others[i] = open("/dev/null", O_RDWR); /* not to be closed by exec */
    }
    walls_are_built_in = has_walls();
    hunt_with_cells(&f, &options);
    HOLD(f.num_assets == NUM && field_count(&f, "RUN0030") == 0, "all are found");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        (void)close(others[i]);
    }
    field_close(&f);
}

/* Whoever kills the program kills its cells, also the one that does not listen. */
Test(cells, no_cell_outlives_the_program)
{
    int64_t offsets[NUM];
    const fh_nursery_options options = {.seconds = 60, .before = end_the_doomed};
    field f;
    make_source(&f, offsets);
    doomed = (uint64_t)offsets[0];
    how = HANG;
    seen_cell =
        mmap(NULL, sizeof *seen_cell, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    HOLD(seen_cell != MAP_FAILED && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0, "the test");
    const pid_t program = fork();
    if (program == 0) {
        hunt_with_cells(&f, &options);
        _exit(0);
    }
    for (int i = 0; i < 6000 && *seen_cell == 0; i++) {
        (void)usleep(10000);
    }
    HOLD(*seen_cell > 0 && kill(program, SIGKILL) == 0, "a cell hangs");
    int num_left = 3; /* program, nursery, cell */
    for (int i = 0; i < 1000 && num_left > 0; i++) {
        while (waitpid(-1, NULL, WNOHANG) > 0) {
            num_left--;
        }
        (void)usleep(10000);
    }
    if (num_left > 0) {
        (void)kill(*seen_cell, SIGKILL);
    }
    HOLD(num_left == 0, "%d are left", num_left);
    field_close(&f);
}

/* No cut and no changed byte of an answer gets further than the exam it is for. */
Test(cells, answers_are_not_trusted)
{
    bytes tod = {0};
    put_tod(&tod, "tod resolution=4\nframe 0\ncreate 1\nparent 1 7\n"
                  "coord 1 abs r 0 0 0 s 4096 4096 4096 t 1 0 0\n");
    const fh_format *format = fh_format_find("tod");
    const fh_exam_options options = {.stand_alone = true, .aligned = true, .replay = true};
    const fh_exam_order order = {.format = format, .len = tod.len, .options = options};
    const fh_cursor cursor = fh_cursor_make(tod.data, tod.len, 0);
    fh_exam exam = {0};
    fh_packed packed = {0};
    HOLD(fh_exam_run(&exam, format, cursor, &options) && exam.num_findings > 0, "examined");
    fh_exam_put_results(&packed, &exam);
    HOLD(!packed.no_memory, "packed");
    for (size_t i = 0; i < 9 * packed.len; i++) {
        const size_t at = i / 9;
        const size_t len = i % 9 == 8 ? at : packed.len;
        uint8_t *copy = malloc(len + (len == 0));
        HOLD(copy != NULL, "the test is out of memory");
        memcpy(copy, packed.bytes, len);
        copy[len > 0 ? at % len : 0] ^= (uint8_t)(i % 9 == 8 ? 0 : 1 << (i % 9));
        const bool is_taken = fh_exam_get_results(&exam, &order, cursor, copy, len);
        HOLD(!is_taken || i % 9 != 8, "a cut answer of %zu bytes", len);
        HOLD(!is_taken || exam.asset.length <= tod.len, "longer than the bytes");
        HOLD(!is_taken || exam.asset.frames == FH_UNKNOWN || exam.asset.frames >= 0, "frames");
        HOLD(!is_taken || exam.status != FH_OK || exam.asset.grade >= FH_GRADE_STRUCTURE,
             "sound, and does not hold");
        HOLD(!is_taken || (exam.asset.grade >= FH_GRADE_STRUCTURE) == exam.has_sha256, "a hash");
        HOLD(!is_taken || exam.asset.grade < FH_GRADE_STRUCTURE || exam.asset.length > 0,
             "nothing holds");
        for (size_t k = 0; k < exam.num_findings; k++) {
            char message[FH_MESSAGE_LEN];
            const int64_t offset = exam.findings[k].offset;
            HOLD(offset == FH_UNKNOWN || (offset >= 0 && offset <= (int64_t)tod.len),
                 "found behind the bytes");
            (void)fh_finding_to_record(&exam.findings[k], message);
        }
    }
    uint8_t *longer = calloc(1, packed.len + 1);
    memcpy(longer, packed.bytes, packed.len);
    HOLD(!fh_exam_get_results(&exam, &order, cursor, longer, packed.len + 1), "a byte more");
    uint8_t *copy = malloc(packed.len);
    memcpy(copy, packed.bytes, packed.len);
    HOLD(fh_exam_get_results(&exam, &order, cursor, copy, packed.len), "the answer itself");
    free(packed.bytes);
    bytes_free(&tod);
    fh_exam_free(&exam);
}

/* What an exam says that it left of the budget is no more than it was given, and who replayed it
 * has a name. */
Test(cells, answers_spend_and_name_what_they_must)
{
    bytes tod = {0};
    put_tod(&tod, "tod resolution=4\nframe 0\ncreate 1\ncoord 1 abs r 0 0 0 s 4096 4096 4096 "
                  "t 1 0 0\n");
    const fh_format *format = fh_format_find("tod");
    const fh_exam_options options = {.stand_alone = true, .aligned = true, .replay = true};
    const fh_cursor cursor = fh_cursor_make(tod.data, tod.len, 0);
    for (int i = 0; i < 3; i++) {
        fh_budget given = {.left = 1000000};
        fh_exam exam = {.reserve = &given};
        fh_packed packed = {0};
        fh_exam_order order = {.format = format, .len = tod.len, .options = options};
        order.has_reserve = true;
        order.reserve = given;
        HOLD(fh_exam_run(&exam, format, cursor, &options) && exam.is_replayed, "replayed");
        given.left = i == 1 ? order.reserve.left + 1 : order.reserve.left - 1;
        exam.result.evaluator = i == 2 ? NULL : exam.result.evaluator;
        fh_exam_put_results(&packed, &exam);
        const bool is_taken = fh_exam_get_results(&exam, &order, cursor, packed.bytes, packed.len);
        HOLD(is_taken == (i == 0), "answer %d", i);
        HOLD(!is_taken || given.left == order.reserve.left - 1, "booked");
        exam.reserve = NULL;
        fh_exam_free(&exam);
    }
    bytes_free(&tod);
}

/* A replay is one that was asked for, its grade that of one that came to its end, and poses are of
 * one that went on as long as it could; a text may name frames and objects below 0. */
Test(cells, answers_say_what_a_replay_can)
{
    bytes tod = {0};
    put_tod(&tod, "tod resolution=4\nframe 0\ncreate 1\nparent 1 7\n"
                  "coord 1 abs r 0 0 0 s 4096 4096 4096 t 1 0 0\n");
    const fh_format *format = fh_format_find("tod");
    const fh_cursor cursor = fh_cursor_make(tod.data, tod.len, 0);
    static const struct {
        bool replay, has_poses;
        fh_replay_state state;
        fh_grade grade;
        int64_t frame, object;
        bool is_taken;
    } answers[] = {
        {true, true, FH_REPLAY_COMPLETE, FH_GRADE_REPLAYED, 0, 0, true},
        {true, true, FH_REPLAY_ASSUMED, FH_GRADE_REPLAYED, FH_UNKNOWN, FH_UNKNOWN, true},
        {true, true, FH_REPLAY_STILL, FH_GRADE_REFERENCES, 0, 0, true},
        {true, false, FH_REPLAY_BROKEN, FH_GRADE_REFERENCES, 0, 0, true},
        {true, false, FH_REPLAY_STOPPED, FH_GRADE_REFERENCES, 0, 0, true},
        {true, true, FH_REPLAY_STILL, FH_GRADE_REPLAYED, 0, 0, false},
        {true, false, FH_REPLAY_BROKEN, FH_GRADE_REPLAYED, 0, 0, false},
        {true, true, FH_REPLAY_BROKEN, FH_GRADE_REFERENCES, 0, 0, false},
        {true, true, FH_REPLAY_STOPPED, FH_GRADE_REFERENCES, 0, 0, false},
        {false, true, FH_REPLAY_COMPLETE, FH_GRADE_REPLAYED, 0, 0, false},
        {true, true, FH_REPLAY_COMPLETE, FH_GRADE_REPLAYED, -1, 0, true},
        {true, true, FH_REPLAY_COMPLETE, FH_GRADE_REPLAYED, 0, -1, true},
    };
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        fh_exam exam = {0};
        fh_packed packed = {0};
        fh_exam_order order = {.format = format, .len = tod.len};
        order.options = (fh_exam_options){.stand_alone = true, .aligned = true, .replay = true};
        HOLD(fh_exam_run(&exam, format, cursor, &order.options) && exam.num_findings > 0, "run");
        HOLD(exam.is_replayed && exam.has_pose_sha256, "replayed");
        order.options.replay = answers[i].replay;
        exam.has_pose_sha256 = answers[i].has_poses;
        exam.result.state = answers[i].state;
        exam.asset.grade = answers[i].grade;
        exam.findings[0].frame = answers[i].frame;
        exam.findings[0].object = answers[i].object;
        fh_exam_put_results(&packed, &exam);
        HOLD(fh_exam_get_results(&exam, &order, cursor, packed.bytes, packed.len) ==
                 answers[i].is_taken,
             "answer %zu", i);
        fh_exam_free(&exam);
    }
    bytes_free(&tod);
}

Test(cells, a_cell_that_hangs_is_ended)
{
    HOLD(end_each(HANG, "RUN0031", "still at work after 1 s", 1, 2) == 2, "told");
}

Test(cells, a_candidate_that_is_too_large_is_not_begun)
{
    int64_t offsets[NUM];
    field f;
    make_source(&f, offsets);
    f.options.max_memory = FH_ARENA_FLOOR;
    field_hunt(&f);
    HOLD(f.num_assets == 0 && field_count(&f, "RUN0032") == NUM && f.told.hit_limit, "none");
    HOLD(field_find(&f, "RUN0032")->raw == offsets[0], "its place");
    field_close(&f);
    make_source(&f, offsets);
    f.options.max_memory = 2 * FH_ARENA_FLOOR;
    field_hunt(&f);
    HOLD(f.num_assets == NUM && field_count(&f, "RUN0032") == 0, "all");
    field_close(&f);
}

#if !FH_SANITIZED
Test(cells, a_cell_without_memory_says_so)
{
    HOLD(end_each(STARVE, "RUN0032", "not enough", 60, 2) == 2, "told");
}
#endif

/* A cell that died while it had nothing to do costs nothing. */
Test(cells, a_cell_that_dies_idle_is_raised_again)
{
    const fh_nursery_options options = {.seconds = 60};
    static const uint8_t tod[] = {0x50, 1, 4, 0, 0, 0, 0, 0};
    fh_nursery *nursery = fh_nursery_begin(&options);
    const fh_exam_options exam_options = {.stand_alone = true};
    const fh_format *format = fh_formats[0];
    fh_exam exam = {0};
    fh_finding lost;
    HOLD(nursery != NULL, "a nursery");
    cell = (fh_cell){.nursery = nursery};
    const fh_cursor bytes = fh_cursor_make(tod, sizeof tod, 0);
    for (int i = 0; i < 3; i++) {
        HOLD(fh_cell_examine(&cell, &exam, &lost, format, bytes, &exam_options) == FH_EXAM_DONE,
             "examined");
        HOLD(kill(cell.pid, SIGKILL) == 0, "killed");
        char byte;
        while (recv(cell.socket, &byte, 1, MSG_PEEK) != 0) {
        }
    }
    HOLD(fh_cell_examine(&cell, &exam, &lost, format, bytes, &exam_options) == FH_EXAM_DONE,
         "examined again");
    fh_cell_free(&cell);
    fh_nursery_end(nursery);
    HOLD(waitpid(-1, NULL, WNOHANG) == -1, "nothing is left");
    fh_exam_free(&exam);
}

/* 0: the system does not say. */
static pid_t only_child(void)
{
    char name[64];
    int pid = 0;
    (void)snprintf(name, sizeof name, "/proc/self/task/%d/children", (int)gettid());
    FILE *file = fopen(name, "r");
    if (file != NULL) {
        HOLD(fscanf(file, "%d", &pid) == 1, "a child");
        (void)fclose(file);
    }
    return (pid_t)pid;
}

/* Keys of the terminal reach all its processes: the program ends the others when it is done. */
Test(cells, signals_of_the_terminal_are_for_the_program)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    static const uint8_t tod[] = {0x50, 1, 4, 0, 0, 0, 0, 0};
    const fh_nursery_options options = {.seconds = 60};
    const fh_exam_options exam_options = {.stand_alone = true};
    const fh_cursor bytes = fh_cursor_make(tod, sizeof tod, 0);
    fh_exam exam = {0};
    fh_finding lost;
    want_walls();
    fh_nursery *nursery = fh_nursery_begin(&options);
    HOLD(nursery != NULL, "a nursery");
    const pid_t pid = only_child();
    cell = (fh_cell){.nursery = nursery};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        HOLD(fh_cell_examine(&cell, &exam, &lost, fh_formats[0], bytes, &exam_options) ==
                     FH_EXAM_DONE &&
                 cell.is_alive,
             "by a cell");
        HOLD(pid == 0 || !has_walls() || has_line(pid, "Seccomp:\t2\n"), "walls of the nursery");
        HOLD(kill(cell.pid, signals[i]) == 0, "a cell");
        HOLD(pid == 0 || kill(pid, signals[i]) == 0, "the nursery");
        (void)usleep(50000);
        HOLD(kill(cell.pid, 0) == 0, "it is there");
    }
    fh_cell_free(&cell);
    fh_nursery_end(nursery);
    fh_exam_free(&exam);
}

/* Where the nursery is gone the work is done here. */
Test(cells, without_a_nursery_it_is_examined_here)
{
    int64_t offsets[NUM];
    const fh_nursery_options options = {.seconds = 60};
    field f;
    make_source(&f, offsets);
    fh_nursery *nursery = fh_nursery_begin(&options);
    HOLD(nursery != NULL, "a nursery");
    const pid_t pid = only_child();
    if (pid == 0) {
        fh_nursery_end(nursery);
        field_close(&f);
        cr_skip_test("the system does not list children");
    }
    HOLD(kill(pid, SIGKILL) == 0, "killed");
    cell = (fh_cell){.nursery = nursery};
    f.options.examine = examine;
    field_hunt(&f);
    HOLD(f.num_assets == NUM && !f.told.hit_limit, "all are found");
    fh_cell_free(&cell);
    fh_nursery_end(nursery);
    field_close(&f);
}
