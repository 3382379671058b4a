/* Of fuzz_sectors.c: what is read of an image, and what its directory and its codes say, is changed
 * on its way to the target. The linker puts the functions with __wrap_ before those of
 * source/files.c and others. The file is an image that has a volume
 * with a file.
 */
#include "faulty.h"

#include "fuzz_stream.h"

#include "source/ecc.h"
#include "source/files.h"

#include <stdlib.h>
#include <string.h>

#define IMAGE "a byte of a file lies in the image"

static const faulty_case cases[] = {
    {"none", NULL},
    {"file behind the last one", "a file is one of the tree"},
    {"byte in another file", "a byte lies in its own file"},
    {"byte behind the image", IMAGE},
    {"byte in front of the image", IMAGE},
    {"no memory", "the system has memory"},
    {"image that is not opened", "bytes in memory can be read"},
    {"image that is not read", "a source in memory is read to its end"},
    {"second reading that differs", "reading twice says the same"},
    {"code that does not stay", "a mended sector stays as it is"},
    {"code over the data", "ECC does not touch what EDC covers"},
    {"memory", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time", "time stays under its bound"},
};

/* Names that the linker gives. */
bool __wrap_fh_files_open(fh_files *files, const fh_layout *layout, int64_t size,
                          fh_disc_bytes read, void *user);
bool __real_fh_files_open(fh_files *files, const fh_layout *layout, int64_t size,
                          fh_disc_bytes read, void *user);
void __wrap_fh_files_at(fh_files *files, fh_files_place *out, int64_t raw_off);
void __real_fh_files_at(fh_files *files, fh_files_place *out, int64_t raw_off);
bool __wrap_fh_files_has(fh_files *files, const fh_files_place *place, int64_t raw_off);
bool __real_fh_files_has(fh_files *files, const fh_files_place *place, int64_t raw_off);
int64_t __wrap_fh_files_locate(fh_files *files, size_t file, int64_t offset);
int64_t __real_fh_files_locate(fh_files *files, size_t file, int64_t offset);
fh_reader_status __wrap_fh_reader_open_tape(fh_reader *reader, const fh_tape *tape,
                                            const fh_stop *stop);
fh_reader_status __real_fh_reader_open_tape(fh_reader *reader, const fh_tape *tape,
                                            const fh_stop *stop);
fh_source_status __wrap_fh_source_stream(fh_reader *reader, fh_source_counts *counts,
                                         const fh_layout *layout, const fh_stream_sink *sink);
fh_source_status __real_fh_source_stream(fh_reader *reader, fh_source_counts *counts,
                                         const fh_layout *layout, const fh_stream_sink *sink);
void __wrap_fh_ecc_write(uint8_t sector[FH_ECC_SECTOR_LEN]);
void __real_fh_ecc_write(uint8_t sector[FH_ECC_SECTOR_LEN]);

static unsigned num_read;
static unsigned num_mended;

bool __wrap_fh_files_open(fh_files *files, const fh_layout *layout, int64_t size,
                          fh_disc_bytes read, void *user)
{
    faulty_spend(faulty_is("memory"), faulty_is("time"));
    return __real_fh_files_open(files, layout, size, read, user) && !faulty_is("no memory");
}

void __wrap_fh_files_at(fh_files *files, fh_files_place *out, int64_t raw_off)
{
    __real_fh_files_at(files, out, raw_off);
    if (out->file != FH_ISO_NO_FILE && faulty_is("file behind the last one")) {
        out->file = 9999;
    }
}

bool __wrap_fh_files_has(fh_files *files, const fh_files_place *place, int64_t raw_off)
{
    return __real_fh_files_has(files, place, raw_off) && !faulty_is("byte in another file");
}

int64_t __wrap_fh_files_locate(fh_files *files, size_t file, int64_t offset)
{
    return faulty_is("byte behind the image")        ? INT64_MAX
           : faulty_is("byte in front of the image") ? -16
                                                     : __real_fh_files_locate(files, file, offset);
}

fh_reader_status __wrap_fh_reader_open_tape(fh_reader *reader, const fh_tape *tape,
                                            const fh_stop *stop)
{
    const fh_reader_status status = __real_fh_reader_open_tape(reader, tape, stop);
    return faulty_is("image that is not opened") ? FH_READER_ERROR : status;
}

fh_source_status __wrap_fh_source_stream(fh_reader *reader, fh_source_counts *counts,
                                         const fh_layout *layout, const fh_stream_sink *sink)
{
    const fh_source_status status = __real_fh_source_stream(reader, counts, layout, sink);
    fuzz_stream *stream = sink->user;
    num_read++;
    stream->sum ^= num_read == 2 && faulty_is("second reading that differs") ? 1 : 0;
    return faulty_is("image that is not read") ? FH_SOURCE_READ_ERROR : status;
}

/* The first sector's EDC is right; byte 100 is among what it covers. */
void __wrap_fh_ecc_write(uint8_t sector[FH_ECC_SECTOR_LEN])
{
    enum { IN_DATA = 100 };
    num_mended++;
    sector[IN_DATA] ^= num_mended == 1 && faulty_is("code over the data") ? 1 : 0;
    __real_fh_ecc_write(sector);
    sector[FH_ECC_SECTOR_LEN - 1] ^=
        num_mended == 2 && faulty_is("code that does not stay") ? 1 : 0;
}

static void run(char **files)
{
    size_t len = 0;
    uint8_t *bytes = faulty_read(files[0], &len);
    (void)LLVMFuzzerTestOneInput(bytes, len);
    free(bytes);
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
