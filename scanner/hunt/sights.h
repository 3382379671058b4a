/* Sights: the places where the thread that reads has seen lures before the search comes there.
 * Internal to the hunt.
 *
 * That thread has time left: reading costs less than the search. Where nothing is to be read it
 * looks at what it read last, as it lies in the source, and notes the places whose four bytes are a
 * lure. What reaches over the end of a chunk or of a sector is left to the search, which takes up
 * what was noted piece by piece (hunt/seen.h). Whether a chunk was looked at hangs on the clock;
 * what is found does not.
 *
 * Shared by two threads: fh_sights_look writes the notes of a chunk, in the thread that reads;
 * fh_sights_of reads them once the chunk was handed out (source/prefetch.h). There is room for more
 * chunks than are read ahead and still in use.
 */
#ifndef FH_HUNT_SIGHTS_H
#define FH_HUNT_SIGHTS_H

#include "hunt/lures.h"
#include "source/reader.h"

/* Places noted of a chunk; one that has more is left to the search. The discs that there are have
 * one in 600 bytes. */
enum { FH_SIGHTS_MOST = 8192, FH_SIGHTS_CHUNKS = 8 };

typedef struct fh_sight {
    int64_t raw_off; /* of the first byte, or FH_UNKNOWN: nothing is noted */
    size_t len;
    size_t num_places;
    const uint32_t *places; /* borrowed; distances from the first byte, rising */
} fh_sight;

typedef struct fh_sights {
    fh_lures lures;
    fh_lookout lookout; /* for the reader; calls what is below */
    fh_sight chunks[FH_SIGHTS_CHUNKS];
    uint32_t (*places)[FH_SIGHTS_MOST]; /* owned: those of each; NULL: nothing is looked at yet */
} fh_sights;

/* fh_sights_init takes the magics of the formats, as fh_lures_set does. The sights must then stay
 * where they are. fh_sights_prepare takes the memory for notes, false if there is none: most files
 * are shorter than a chunk, and nobody looks ahead in them. */
void fh_sights_init(fh_sights *sights, const fh_format *const *formats, size_t num_formats,
                    bool every_offset);
bool fh_sights_prepare(fh_sights *sights) FH_MUST_USE;
void fh_sights_free(fh_sights *sights);

/* fh_sights_look looks at the bytes of a chunk, which lie raw_off behind the start of the source;
 * there is memory. fh_sights_forget forgets all; nobody looks meanwhile. */
void fh_sights_look(fh_sights *sights, int64_t raw_off, const uint8_t *bytes, size_t len);
void fh_sights_forget(fh_sights *sights);

/* fh_sights_of returns what was seen of the chunk in which all of the bytes lie; NULL: they lie in
 * none that was looked at. */
const fh_sight *fh_sights_of(const fh_sights *sights, int64_t raw_off, size_t len);

#endif
