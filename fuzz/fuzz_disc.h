/* A disc in memory with one file on it, or with bytes that no file covers: raw sectors of 2352
 * bytes, made by the forge, and so sound.
 */
#ifndef FUZZ_DISC_H
#define FUZZ_DISC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUZZ_DISC_FILE "/DATA.BIN" /* as a scan calls it */

typedef struct fuzz_disc {
    unsigned mode;  /* of its sectors: 1, or 2 and then of Form 1 */
    bool is_file;   /* its volume has the bytes as a file */
    uint32_t lba;   /* of their first sector; FUZZ_DISC_FIRST at least */
    uint8_t *bytes; /* owned by the caller; of the image */
    size_t len, room;
} fuzz_disc;

/* What a volume with one file needs lies in front of it. */
enum { FUZZ_DISC_SECTOR = 2352, FUZZ_DISC_USER = 2048, FUZZ_DISC_FIRST = 32 };

/* fuzz_disc_make makes the image; what it is and where the bytes go must have been said. */
void fuzz_disc_make(fuzz_disc *disc, const uint8_t *bytes, size_t len);

/* fuzz_disc_place returns where in the image byte `user` of its user data lies, and
 * fuzz_disc_user the first byte of the user data that does not lie in front of byte `raw` of the
 * image. */
size_t fuzz_disc_place(unsigned mode, size_t user);
size_t fuzz_disc_user(unsigned mode, size_t raw);

#endif
