/* Memory: dumps of main RAM and save states, told by their content, and where the RAM is in them.
 *
 * Pure: reads the bytes of cursors, keeps nothing. One entry of the table of source/memory.c a kind
 * of source; section 6 of the image format sheet says what each looks like. Names prove nothing.
 *
 * Three steps: fh_memory_of tells the kind from the first bytes; fh_memory_find finds the RAM in
 * all bytes of a dump or of an unpacked state. What is wrong with them goes into the faults:
 * IMG0050 (recognised), IMG0051 (RAM found by search), IMG0052 (cut or damaged).
 */
#ifndef FH_SOURCE_MEMORY_H
#define FH_SOURCE_MEMORY_H

#include "core/cursor.h"
#include "source/tally.h"

#include <stdbool.h>

/* Addresses: main RAM is seen at 0 (KUSEG), 0x80000000 (KSEG0: what programs use) and 0xa0000000
 * (KSEG1), in mirrors of 2 MiB; development consoles have 8 MiB. */
#define FH_RAM_BASE 0x80000000u
#define FH_RAM_LEN ((size_t)2 << 20)
#define FH_RAM_MAX_LEN ((size_t)8 << 20)
#define FH_RAM_PHYSICAL 0x1fffffffu

typedef struct fh_memory {
    const char *product; /* constant */
    const char *frame;   /* constant: of what wraps the product; NULL: nothing does */
    size_t off;          /* of main RAM, in the bytes it was found in */
    size_t len;          /* bytes of it that are there; at most FH_RAM_MAX_LEN */
    uint32_t address;    /* of the first of them */
} fh_memory;

typedef struct fh_memory_kind fh_memory_kind;
struct fh_memory_kind {
    const char *name;
    /* Tells the kind from the first bytes, at most FH_READER_WINDOW; size is that of the source, or
     * FH_UNKNOWN. */
    bool (*is)(const fh_cursor *window, int64_t size);
    /* See fh_memory_find; NULL for what is packed. */
    bool (*find)(fh_memory *out, const fh_memory_kind *kind, fh_cursor bytes, fh_tallies *faults);
    bool is_state;  /* else a dump */
    bool is_packed; /* the state is compressed behind a header: source/state_box.h unpacks it */
    bool is_guess;  /* nothing but its length speaks for it: find looks through all bytes, and what
                       it finds lies in a file whose other bytes may be anything */
};

/* fh_memory_of returns the kind of what begins with the bytes of window, NULL if it is none. What
 * is only a guess comes last; an image or a container is not to be taken for it. */
const fh_memory_kind *fh_memory_of(const fh_cursor *window, int64_t size);

/* fh_memory_find finds the RAM in a dump, or in a state that begins with `bytes`. false: there is
 * none, and the bytes are as good as those of any file. */
bool fh_memory_find(fh_memory *out, const fh_memory_kind *kind, fh_cursor bytes,
                    fh_tallies *faults) FH_MUST_USE;

/* fh_memory_of_state does so in the unpacked data of a DuckStation state, whose header says
 * version. */
bool fh_memory_of_state(fh_memory *out, uint32_t version, fh_cursor data,
                        fh_tallies *faults) FH_MUST_USE;

/* fh_memory_tell says in the faults that memory was recognised. fh_memory_find does so itself. */
void fh_memory_tell(const fh_memory *memory, fh_tallies *faults);

/* fh_memory_is_address tells whether main RAM is seen at an address, mirrors included. */
bool fh_memory_is_address(uint32_t address);

/* fh_memory_mirrors returns how often memory holds the same 2 MiB, one behind the other; 1 if it
 * holds anything else. bytes are those of its RAM. */
unsigned fh_memory_mirrors(const fh_memory *memory, const uint8_t *bytes);

#endif
