/* Disc images that are made of a few bytes of input, so that an engine can change what matters: the
 * heads of sectors and the records of directories, and not the megabytes between them.
 */
#ifndef FUZZ_IMAGE_H
#define FUZZ_IMAGE_H

#include "fuzz_support.h"

/* Sectors of an image at most. */
#define FUZZ_MOST_SECTORS ((size_t)72)

/* fuzz_image makes an image at *out, which is allocated for the life of the program, and returns
 * its length. The first byte of input says the layout and what lies before the first sector. Then
 * comes a record for each run of sectors:
 *
 *   what is special (see fuzz_image.c), how many sectors or how far the address jumps, mode, file,
 *   channel, submode, coding, byte that fills the user data; where something special is to stand in
 *   the sector: its place (2 bytes), its length, the bytes
 */
size_t fuzz_image(uint8_t **out, fuzz_input *input);

/* Blocks of a volume of ISO 9660, as fuzz_volume makes it. */
#define FUZZ_VOLUME_BLOCKS ((size_t)48)
#define FUZZ_VOLUME_LEN (FUZZ_VOLUME_BLOCKS * 2048)

/* fuzz_volume makes a small volume with two folders and some files at out, then lays over it what
 * the input says: place (3 bytes, modulo its length), length, the bytes. */
void fuzz_volume(uint8_t out[FUZZ_VOLUME_LEN], fuzz_input *input);

/* fuzz_patch lays what the input says over len bytes, until the input ends. */
void fuzz_patch(uint8_t *bytes, size_t len, fuzz_input *input);

#endif
