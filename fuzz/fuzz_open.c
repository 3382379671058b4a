#include "fuzz_open.h"

#include "source/limits.h"
#include "source/opener.h"

#include <stdlib.h>
#include <string.h>

/* A bomb may yield FH_BOX_FREE_BYTES, which takes seconds: after so many bytes of sources the sink
 * has enough, and after so many questions whoever may stop the work does. Both have to end it in
 * good order. */
enum { MOST_READ = 24 << 20, MOST_QUESTIONS = 2048, MOST_SOURCES = 256 };

/* Of so many inputs that yield more one is read to its end: in front of an engine, whose time is
 * for others. A reproducer reads all of them so. */
#ifdef FUZZ_SAMPLED
enum { EACH_DRAINED = 16 };
#else
enum { EACH_DRAINED = 1 };
#endif

/* The map of a CHD (FH_CHD_MAX_HUNKS), what is spooled, the dictionaries of unpackers, an unpacked
 * save state, and a window for each level. The input itself is held once. */
static const fuzz_bounds bounds = {.memory_floor = (size_t)512 << 20,
                                   .memory_per_byte = 64,
                                   .milliseconds = 20000,
                                   .milliseconds_per_kib = 40};

static const char name[] = "input";

typedef struct walk {
    fuzz_sum sum;
    size_t num_sources;
    int64_t bytes_read;
    int64_t most_read; /* with more it has enough */
    int64_t most_out;  /* that may come out of the input */
    bool is_over;      /* it has said so */
    unsigned questions;
    unsigned num_faults;
    char *paths[MOST_SOURCES]; /* owned; of sources */
    fuzz_sum sums[MOST_SOURCES];
    bool is_whole[MOST_SOURCES];
} walk;

static bool has_enough(void *user)
{
    walk *at = user;
    return at->questions++ >= MOST_QUESTIONS;
}

static void check_path(const char *path)
{
    const size_t len = sizeof name - 1;
    fuzz_demand(strncmp(path, name, len) == 0, "a path begins with that of the file");
    fuzz_demand(path[len] == '\0' ||
                    strncmp(path + len, FH_MEMBER_MARK, sizeof FH_MEMBER_MARK - 1) == 0,
                "a member's path goes on with the mark");
}

static void keep_path(walk *at, const char *path, fuzz_sum sum, bool is_whole)
{
    for (size_t i = 0; i < at->num_sources; i++) {
        fuzz_demand(strcmp(at->paths[i], path) != 0, "no two sources have the same path");
    }
    at->paths[at->num_sources] = strdup(path);
    fuzz_demand(at->paths[at->num_sources] != NULL, "the system has memory");
    at->sums[at->num_sources] = sum;
    at->is_whole[at->num_sources++] = is_whole;
}

/* The first bytes, read at their places. */
static void check_anywhere(fh_reader *reader, const fh_cursor *window)
{
    uint8_t byte[16];
    fh_tape *tape = &reader->tape;
    if (tape->read_any == NULL || window->size < sizeof byte) {
        return;
    }
    const size_t places[] = {0, window->size / 2, window->size - sizeof byte};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (tape->read_any(tape, (int64_t)places[i], byte, sizeof byte)) {
            fuzz_demand(memcmp(byte, window->base + places[i], sizeof byte) == 0,
                        "bytes are the same at their place as forwards");
        }
    }
}

static void on_fault(void *user, const fh_finding *finding)
{
    walk *at = user;
    at->num_faults++;
    fuzz_fold_finding(&at->sum, finding);
}

static bool on_source(void *user, const char *path, fh_reader *reader)
{
    walk *at = user;
    fuzz_sum sum = FUZZ_SUM;
    const uint8_t *bytes = NULL;
    size_t len = 0;
    fuzz_demand(!at->is_over, "who has enough is given no more");
    check_path(path);
    const fh_cursor window = fh_reader_peek(reader);
    check_anywhere(reader, &window);
    fh_reader_status status = fh_reader_next(reader, &bytes, &len);
    while (status == FH_READER_OK && at->bytes_read <= at->most_read) {
        fuzz_demand(len > 0 && len <= FH_READER_CHUNK, "a chunk is not empty, nor too long");
        at->bytes_read += (int64_t)len;
        fuzz_demand(at->bytes_read <= at->most_out, "no more comes out than the ratio allows");
        fuzz_fold(&sum, bytes, len < 4096 ? len : 4096);
        fuzz_fold_number(&sum, (int64_t)len);
        status = fh_reader_next(reader, &bytes, &len);
    }
    fuzz_demand(status != FH_READER_ERROR || reader->error_text[0] != '\0', "an error has a text");
    fuzz_fold_text(&at->sum, path);
    fuzz_fold_number(&at->sum, (int64_t)sum);
    fuzz_fold_number(&at->sum, (int64_t)status);
    if (reader->tape.faults != NULL) {
        fh_tallies_tell(reader->tape.faults, at, on_fault);
    }
    keep_path(at, path, sum, status == FH_READER_END);
    at->is_over = at->bytes_read > at->most_read || at->num_sources == MOST_SOURCES;
    return !at->is_over;
}

static bool on_container(void *user, const fh_container *container)
{
    walk *at = user;
    check_path(container->path);
    fuzz_fold_text(&at->sum, container->path);
    fuzz_fold_number(&at->sum, container->is_whole ? container->reader->size_read : FH_UNKNOWN);
    fh_tallies_tell(container->faults, at, on_fault);
    return true;
}

/* What is searched as it lies comes out besides what was unpacked. */
static int64_t most_out(size_t size)
{
    return FH_BOX_FREE_BYTES + (FH_BOX_MAX_RATIO + 1) * (int64_t)size;
}

static void open_all(walk *at, const char *const *only, int64_t most_read, const uint8_t *data,
                     size_t size)
{
    *at = (walk){.sum = FUZZ_SUM, .most_read = most_read, .most_out = most_out(size)};
    const fh_opener_options options = {
        .only = only, .num_only = only == NULL ? 0 : 1, .stop = {has_enough, at}};
    const fh_opener_sink sink = {at, on_source, on_container};
    const fh_tape tape = fh_tape_of_bytes(data, size);
    fh_opener_result result;
    const fh_opener_status status = fh_open_tape(&result, name, &tape, &options, &sink);
    fuzz_demand(status != FH_OPENER_ERROR, "bytes in memory can be opened");
    fuzz_demand(status != FH_OPENER_NO_MEMORY, "the system has memory");
    fuzz_fold_number(&at->sum, (int64_t)status);
    fuzz_fold_number(&at->sum, result.num_left_out);
}

static void forget(walk *at)
{
    for (size_t i = 0; i < at->num_sources; i++) {
        free(at->paths[i]);
    }
}

/* The last source, by its path alone. Behind damage what is found may hang on whether the members
 * in front were read. */
static void check_one(const walk *all, const uint8_t *data, size_t size)
{
    static walk one;
    if (all->num_sources == 0 || !all->is_whole[all->num_sources - 1] || all->num_faults > 0 ||
        all->questions >= MOST_QUESTIONS) {
        return;
    }
    const size_t last = all->num_sources - 1;
    const char *path = all->paths[last];
    open_all(&one, &path, MOST_READ, data, size);
    fuzz_demand(one.num_sources <= 1, "no more is found than was asked for");
    fuzz_demand(one.num_sources == 0 || (strcmp(one.paths[0], path) == 0 &&
                                         (!one.is_whole[0] || one.sums[0] == all->sums[last])),
                "what is asked for by its path is the same");
    fuzz_demand(one.num_sources == 1 || one.questions >= MOST_QUESTIONS,
                "what was found is found by its path");
    forget(&one);
}

/* All that comes out, held against the ratio: what the sink has had enough of cannot break it. */
static void check_drained(const walk *all, const uint8_t *data, size_t size)
{
    static walk drained;
    fuzz_sum choice = FUZZ_SUM;
    fuzz_fold(&choice, data, size);
    if (all->bytes_read <= MOST_READ || choice % EACH_DRAINED != 0) {
        return;
    }
    fuzz_begin();
    open_all(&drained, NULL, INT64_MAX, data, size);
    fuzz_end(&bounds, size);
    forget(&drained);
}

void fuzz_open(const uint8_t *data, size_t size)
{
    static walk first;
    static walk second;
    fuzz_begin();
    open_all(&first, NULL, MOST_READ, data, size);
    fuzz_end(&bounds, size);
    open_all(&second, NULL, MOST_READ, data, size);
    fuzz_demand(first.sum == second.sum, "opening twice says the same");
    check_one(&first, data, size);
    check_drained(&first, data, size);
    forget(&first);
    forget(&second);
}
