/* A source that can be read at any place: a regular file or a block device.
 *
 * Beside the reader, which goes through a source once and forwards; nothing here moves it.
 */
#ifndef FH_SOURCE_RAW_FILE_H
#define FH_SOURCE_RAW_FILE_H

#include "source/tape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fh_raw_file {
    int fd;
    bool owns_fd;
    int64_t base; /* of byte 0 of the source in the file */
    int64_t size; /* bytes from there on */
    int error;    /* errno of a read that failed, or 0 */
    bool is_file; /* a regular one, which was so when it was opened */
    fh_file_state was;
} fh_raw_file;

/* fh_raw_file_open opens path, or standard input for "-", of which `consumed` bytes were read
 * already. false, and a reason in errno, for what cannot be opened or not be read at any place (a
 * pipe: ESPIPE; a directory: EISDIR); it is closed then. */
bool fh_raw_file_open(fh_raw_file *file, const char *path, int64_t consumed) FH_MUST_USE;
void fh_raw_file_close(fh_raw_file *file);

/* fh_raw_file_drift tells what has become of it since it was opened; nothing where it is not open,
 * and of a device nothing is known. */
fh_drift fh_raw_file_drift(const fh_raw_file *file);

/* fh_raw_file_read reads len bytes at an offset of the source; false if they are not all there.
 * user is an fh_raw_file: fits fh_disc_bytes. */
bool fh_raw_file_read(void *user, int64_t off, uint8_t *out, size_t len);

#endif
