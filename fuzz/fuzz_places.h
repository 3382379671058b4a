/* Where a scan says that assets lie, held against the bytes that are there.
 *
 * The places of a scan are noted as they are told. Of the input itself, where it is no image, the
 * bytes at them are gathered by their offsets alone. Of images and of members of containers they
 * are taken as an export takes them, which walks through the input once more (hunt/extract.h). In
 * both cases they must have the SHA-256 that the asset was told with.
 */
#ifndef FUZZ_PLACES_H
#define FUZZ_PLACES_H

#include "fuzz_support.h"

#include "core/record.h"

typedef struct fuzz_places fuzz_places;

/* fuzz_places_make begins without any. The bytes of the input are borrowed, the scan calls it by
 * the path of the file, which is for an export. fuzz_places_free takes NULL as well. */
fuzz_places *fuzz_places_make(const fuzz_file *file, const uint8_t *bytes, size_t size);
void fuzz_places_free(fuzz_places *places);

/* Around what is told of a source. A source that was not read to its end is forgotten, and so are
 * assets whose structure does not hold: they have no hash. */
void fuzz_places_begin(fuzz_places *places, const char *path);
void fuzz_places_asset(fuzz_places *places, const fh_asset_record *asset);
void fuzz_places_end(fuzz_places *places, const fh_source_record *source, bool is_whole);

/* fuzz_places_extract checks what only an export can find again; it may be called once. */
void fuzz_places_extract(fuzz_places *places);

#endif
