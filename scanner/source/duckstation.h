/* The header of a DuckStation save state (section 6.1 of the image format sheet): 216 bytes, little
 * endian, before the data, which may be compressed. Pure.
 */
#ifndef FH_SOURCE_DUCKSTATION_H
#define FH_SOURCE_DUCKSTATION_H

#include "core/cursor.h"
#include "source/tally.h"

#define FH_DUCK_HEADER_LEN ((size_t)216)

typedef enum fh_duck_compression {
    FH_DUCK_PLAIN = 0,
    FH_DUCK_DEFLATE,
    FH_DUCK_ZSTD,
    FH_DUCK_XZ
} fh_duck_compression;

typedef struct fh_duck_header {
    uint32_t version;
    uint32_t compression; /* an fh_duck_compression, or unknown */
    uint32_t packed_len;
    uint32_t len; /* of the data, unpacked */
    uint32_t off; /* of the data in the file */
} fh_duck_header;

/* fh_duck_is tells a header, which may be cut, by its first bytes. */
bool fh_duck_is(const fh_cursor *window);

/* fh_duck_read reads the header. false, and a fault, where it is cut or says what cannot be. */
bool fh_duck_read(fh_duck_header *out, fh_cursor bytes, fh_tallies *faults) FH_MUST_USE;

#endif
