/* Of fuzz_open.c: the opener hands out what it finds, and lies about it. The linker puts
 * __wrap_fh_open_tape before the opener, and __wrap_fh_reader_next before the reader: what it lies
 * about are the bytes that the target is given. The seeds are an archive with two members, and a
 * bomb, which is read up to the ratio.
 */
#include "faulty.h"

#include "fuzz_support.h"
#include "source/opener.h"

#include <stdlib.h>
#include <string.h>

#define SAME "what is asked for by its path is the same"
#define CHUNK "a chunk is not empty, nor too long"
#define TWICE "opening twice says the same"
#define MARK "a member's path goes on with the mark"

static const faulty_case cases[] = {
    {"none", NULL},
    {"path of another file", "a path begins with that of the file"},
    {"container of another file", "a path begins with that of the file"},
    {"path without the mark", MARK},
    {"container without the mark", MARK},
    {"source twice", "no two sources have the same path"},
    {"other bytes at their place", "bytes are the same at their place as forwards"},
    {"empty chunk", CHUNK},
    {"chunk that is too long", CHUNK},
    {"error without a text", "an error has a text"},
    {"cannot be opened", "bytes in memory can be opened"},
    {"no memory", "the system has memory"},
    {"no end", "no more comes out than the ratio allows"},
    {"more for who has enough", "who has enough is given no more"},
    {"more than was asked for", "no more is found than was asked for"},
    {"another one than was asked for", SAME},
    {"other bytes than were asked for", SAME},
    {"less than was asked for", "what was found is found by its path"},
    {"second opening leaves something out", TWICE},
    {"second opening ends otherwise", TWICE},
    {"second opening has other bytes", TWICE},
    {"memory", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time", "time stays under its bound"},
};

/* Names that the linker gives. */
fh_opener_status __real_fh_open_tape(fh_opener_result *result, const char *path,
                                     const fh_tape *tape, const fh_opener_options *options,
                                     const fh_opener_sink *sink);
fh_opener_status __wrap_fh_open_tape(fh_opener_result *result, const char *path,
                                     const fh_tape *tape, const fh_opener_options *options,
                                     const fh_opener_sink *sink);
fh_reader_status __real_fh_reader_next(fh_reader *reader, const uint8_t **bytes, size_t *len);
fh_reader_status __wrap_fh_reader_next(fh_reader *reader, const uint8_t **bytes, size_t *len);

static struct {
    const fh_opener_sink *sink;
    const fh_reader *reader; /* of the source that is handed out, NULL: none is */
    unsigned num_opened;     /* of this input */
    bool is_asked;           /* for one source by its path */
} of;

/* ---- bytes ---- */

static uint8_t chunk[FH_READER_CHUNK + 1];

static fh_reader_status lie(fh_reader *reader, const uint8_t **bytes, size_t *len,
                            fh_reader_status status)
{
    if (faulty_is("error without a text")) {
        reader->error_text[0] = '\0';
        return FH_READER_ERROR;
    }
    if (faulty_is("no end") || faulty_is("more for who has enough")) {
        *bytes = chunk;
        *len = FH_READER_CHUNK;
        return FH_READER_OK;
    }
    if (status != FH_READER_OK) {
        return status;
    }
    if ((of.is_asked && faulty_is("other bytes than were asked for")) ||
        (of.num_opened == 2 && faulty_is("second opening has other bytes"))) {
        *bytes = chunk;
    }
    *len = faulty_is("empty chunk")              ? 0
           : faulty_is("chunk that is too long") ? FH_READER_CHUNK + 1
                                                 : *len;
    return status;
}

fh_reader_status __wrap_fh_reader_next(fh_reader *reader, const uint8_t **bytes, size_t *len)
{
    const fh_reader_status status = __real_fh_reader_next(reader, bytes, len);
    return reader == of.reader ? lie(reader, bytes, len, status) : status;
}

static bool read_other(fh_tape *tape, int64_t off, uint8_t *to, size_t len)
{
    (void)tape, (void)off;
    memset(to, 0xa5, len);
    return true;
}

/* ---- sources ---- */

static bool hand_out(const char *path, fh_reader *reader)
{
    of.reader = reader;
    const bool goes_on = of.sink->source(of.sink->user, path, reader);
    of.reader = NULL;
    return goes_on;
}

/* A source that nobody found. */
static bool make_up(const char *path)
{
    fh_reader reader;
    const fh_stop nobody = {NULL, NULL};
    const fh_tape tape = fh_tape_of_bytes(chunk, sizeof chunk);
    const bool goes_on = fh_reader_open_tape(&reader, &tape, &nobody) == FH_READER_OK &&
                         of.sink->source(of.sink->user, path, &reader);
    fh_reader_close(&reader);
    return goes_on;
}

static bool on_source(void *user, const char *path, fh_reader *reader)
{
    (void)user;
    if (of.is_asked && faulty_is("less than was asked for")) {
        return true;
    }
    if (of.is_asked && faulty_is("more than was asked for")) {
        (void)make_up("input!/another");
    }
    if (faulty_is("other bytes at their place")) {
        reader->tape.read_any = read_other;
    }
    const bool is_other = of.is_asked && faulty_is("another one than was asked for");
    const bool goes_on = hand_out(faulty_is("path of another file")    ? "other"
                                  : faulty_is("path without the mark") ? "input!"
                                  : is_other                           ? "input!/another"
                                                                       : path,
                                  reader);
    if (faulty_is("source twice")) {
        return make_up(path);
    }
    return !goes_on && faulty_is("more for who has enough") ? make_up("input!/more") : goes_on;
}

static bool on_container(void *user, const fh_container *told)
{
    (void)user;
    fh_container container = *told;
    container.path = faulty_is("container of another file")    ? "other"
                     : faulty_is("container without the mark") ? "input!"
                                                               : container.path;
    return of.sink->container(of.sink->user, &container);
}

fh_opener_status __wrap_fh_open_tape(fh_opener_result *result, const char *path,
                                     const fh_tape *tape, const fh_opener_options *options,
                                     const fh_opener_sink *sink)
{
    const fh_opener_sink own = {NULL, on_source, on_container};
    of.sink = sink;
    of.is_asked = options->num_only > 0;
    of.num_opened++;
    faulty_spend(faulty_is("memory"), faulty_is("time"));
    const fh_opener_status status = __real_fh_open_tape(result, path, tape, options, &own);
    const bool is_second = of.num_opened == 2;
    result->num_left_out += is_second && faulty_is("second opening leaves something out");
    return faulty_is("cannot be opened")                             ? FH_OPENER_ERROR
           : faulty_is("no memory")                                  ? FH_OPENER_NO_MEMORY
           : is_second && faulty_is("second opening ends otherwise") ? FH_OPENER_STOPPED
                                                                     : status;
}

/* ---- all of it ---- */

static void run(char **files)
{
    memset(chunk, 0xa5, sizeof chunk);
    for (size_t i = 0; files[i] != NULL; i++) {
        size_t len = 0;
        uint8_t *input = faulty_read(files[i], &len);
        of.num_opened = 0;
        (void)LLVMFuzzerTestOneInput(input, len);
        free(input);
    }
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
