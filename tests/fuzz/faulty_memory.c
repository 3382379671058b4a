/* Of fuzz_memory.c: what is found in a dump or a state, and how it is read, is changed on its way
 * to the target. The linker puts the functions with __wrap_ before those of source/memory.c and
 * others. There is a dump with a kernel.
 */
#include "faulty.h"

#include "fuzz_stream.h"

#include "source/memory_stream.h"

#include <stdlib.h>
#include <string.h>

#define PLACE "RAM lies in the source"
#define LENGTH "RAM is no longer than it is"
#define MIRRORS "mirrors divide RAM"

static const faulty_case cases[] = {
    {"none", NULL},
    {"RAM behind the source", PLACE},
    {"RAM over the end", PLACE},
    {"RAM without bytes", LENGTH},
    {"RAM at no address", "RAM is at its address"},
    {"no mirror", MIRRORS},
    {"mirrors that do not fit", MIRRORS},
    {"source that is not opened", "bytes in memory can be read"},
    {"source that is not read", "a source in memory is read to its end"},
    {"second reading that differs", "reading twice says the same"},
    {"memory", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time", "time stays under its bound"},
};

/* Names that the linker gives. */
bool __wrap_fh_memory_find(fh_memory *out, const fh_memory_kind *kind, fh_cursor bytes,
                           fh_tallies *faults);
bool __real_fh_memory_find(fh_memory *out, const fh_memory_kind *kind, fh_cursor bytes,
                           fh_tallies *faults);
bool __wrap_fh_memory_is_address(uint32_t address);
bool __real_fh_memory_is_address(uint32_t address);
unsigned __wrap_fh_memory_mirrors(const fh_memory *memory, const uint8_t *bytes);
unsigned __real_fh_memory_mirrors(const fh_memory *memory, const uint8_t *bytes);
fh_source_status __wrap_fh_memory_stream(fh_memory *out, fh_reader *reader,
                                         const fh_memory_plan *plan, const fh_stream_sink *sink);
fh_source_status __real_fh_memory_stream(fh_memory *out, fh_reader *reader,
                                         const fh_memory_plan *plan, const fh_stream_sink *sink);
fh_reader_status __wrap_fh_reader_open_tape(fh_reader *reader, const fh_tape *tape,
                                            const fh_stop *stop);
fh_reader_status __real_fh_reader_open_tape(fh_reader *reader, const fh_tape *tape,
                                            const fh_stop *stop);

static unsigned num_read;
static bool is_found; /* the target has the RAM, and asks about it */

bool __wrap_fh_memory_find(fh_memory *out, const fh_memory_kind *kind, fh_cursor bytes,
                           fh_tallies *faults)
{
    const bool is_one = __real_fh_memory_find(out, kind, bytes, faults);
    is_found = true;
    faulty_spend(faulty_is("memory"), faulty_is("time"));
    out->off = faulty_is("RAM behind the source") ? bytes.size + 1 : out->off;
    out->len = faulty_is("RAM over the end")    ? bytes.size + 1
               : faulty_is("RAM without bytes") ? 0
                                                : out->len;
    return is_one;
}

bool __wrap_fh_memory_is_address(uint32_t address)
{
    return __real_fh_memory_is_address(address) && !(is_found && faulty_is("RAM at no address"));
}

unsigned __wrap_fh_memory_mirrors(const fh_memory *memory, const uint8_t *bytes)
{
    return faulty_is("no mirror")                 ? 0
           : faulty_is("mirrors that do not fit") ? (unsigned)memory->len + 1
                                                  : __real_fh_memory_mirrors(memory, bytes);
}

fh_source_status __wrap_fh_memory_stream(fh_memory *out, fh_reader *reader,
                                         const fh_memory_plan *plan, const fh_stream_sink *sink)
{
    const fh_source_status status = __real_fh_memory_stream(out, reader, plan, sink);
    fuzz_stream *stream = sink->user;
    num_read++;
    stream->sum ^= num_read == 2 && faulty_is("second reading that differs") ? 1 : 0;
    return faulty_is("source that is not read") ? FH_SOURCE_READ_ERROR : status;
}

fh_reader_status __wrap_fh_reader_open_tape(fh_reader *reader, const fh_tape *tape,
                                            const fh_stop *stop)
{
    const fh_reader_status status = __real_fh_reader_open_tape(reader, tape, stop);
    return faulty_is("source that is not opened") ? FH_READER_ERROR : status;
}

static void run(char **files)
{
    static const uint8_t dump[] = {3, 3};
    (void)files;
    (void)LLVMFuzzerTestOneInput(dump, sizeof dump);
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
