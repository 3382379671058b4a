/* Names of files for assets: the same for the same asset each time, different for different ones,
 * and safe whatever the database says.
 *
 *   SOURCE_PLACE_SHA_KEY.FORMAT      disc.bin_DATA_WALK.TOD_0123456789ab_89abcdef.tod
 *
 * SOURCE is the last part of the path of the source; PLACE is the file of the disc with the offset
 * in it, or the raw offset; SHA the first 12 digits of the SHA-256 of the bytes; KEY 8 digits of a
 * hash of the whole path, format, place and bytes, which tells apart what the rest does not.
 * Letters, digits, `.`, `_` and `-` stay, anything else becomes `_`; long parts keep their end. */
#ifndef FH_HUNT_ASSET_NAME_H
#define FH_HUNT_ASSET_NAME_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Longest name with what is put behind it (.json), and room for it. Every file system of today
 * takes 255 bytes, and an archive of such a folder 100 to 155. */
#define FH_ASSET_NAME_MAX 120u
#define FH_ASSET_NAME_SUFFIX 5u
#define FH_ASSET_NAME_SIZE (FH_ASSET_NAME_MAX - FH_ASSET_NAME_SUFFIX + 1u)

typedef struct fh_asset_place {
    const char *path;   /* of the source */
    const char *format; /* its name */
    int64_t raw_offset;
    const char *iso_path; /* NULL: none */
    int64_t iso_offset;
    const char *sha256; /* of the bytes, in hexadecimal */
} fh_asset_place;

/* fh_asset_name writes the name; false when hashing fails. */
bool fh_asset_name(char out[FH_ASSET_NAME_SIZE], const fh_asset_place *place) FH_MUST_USE;

#endif
