/* The sieve: the first look at every byte, many at a time. Internal to the hunt.
 *
 * Holds the words of all formats at once. A byte is looked up by its two halves: a table for each
 * half says which words may have it, and what both allow it may be, for any mask of bits. The first
 * two bytes of a word leave one place in some thousand of noise, its third one few of these; what
 * is left is compared with the words themselves. The tables have 16 entries each, so that
 * processors look up 16, 32 or 64 bytes with one instruction; which of the ways of sifting is taken
 * is decided when the program runs. All of them find the same places (tests/hunt/test_sieve.c).
 */
#ifndef FH_HUNT_SIEVE_H
#define FH_HUNT_SIEVE_H

#include "core/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A word, and the alignment of its places: 1, 2 or 4. */
typedef struct fh_lure {
    fh_magic magic;
    unsigned alignment;
} fh_lure;

enum { FH_SIEVE_HALVES = 16, FH_SIEVE_PHASES = 4, FH_SIEVE_BYTES = 3 };

/* Places of which one word of bits is noted, and those of a block, so many words. */
enum { FH_SIEVE_WORD = 64, FH_SIEVE_BLOCK = FH_SIEVE_WORD * FH_SIEVE_WORD };

/* Bit i of an entry stands for word i, and for those behind the eighth that are most like it. */
typedef struct fh_sieve_tables {
    uint8_t low[FH_SIEVE_BYTES][FH_SIEVE_HALVES];      /* of the first bytes, by their low halves */
    uint8_t high[FH_SIEVE_BYTES][FH_SIEVE_HALVES];     /* and by their high halves */
    uint8_t allowed[FH_SIEVE_PHASES][FH_SIEVE_HALVES]; /* by the place, modulo 16, where the first
                                                          place is so far behind an aligned one */
} fh_sieve_tables;

/* Sifts num places, one byte apart, at most FH_SIEVE_BLOCK: bit i % 64 of places[i / 64] says
 * whether the FH_SIEVE_BYTES bytes at i may begin a word. Returns a bit for each of places that has
 * one set. num + 2 bytes are there. */
typedef uint64_t fh_sift(const fh_sieve_tables *tables, unsigned phase, const uint8_t *at,
                         size_t num, uint64_t *places);

typedef struct fh_sieve {
    fh_sieve_tables tables;
    fh_sift *sift;
    const fh_lure *lures; /* borrowed */
    size_t num_lures;
} fh_sieve;

/* fh_sieve_set prepares to look for the lures, which are borrowed. */
void fh_sieve_set(fh_sieve *sieve, const fh_lure *lures, size_t num_lures);

/* fh_sieve_is_place tells whether one of the lures is the word at those four bytes, which lie
 * `distance` behind an aligned one. */
bool fh_sieve_is_place(const fh_sieve *sieve, const uint8_t *at, size_t distance);

/* A search through bytes, which are borrowed with the sieve, and stay as they are. */
typedef struct fh_sieve_run {
    const fh_sieve *sieve;
    const uint8_t *bytes;
    size_t end;      /* of the places that four bytes are there for */
    unsigned phase;  /* how far the first byte lies behind an aligned one, modulo 4 */
    size_t from;     /* where to sift on */
    size_t block;    /* the first place of the block that was sifted last */
    uint64_t words;  /* of the map, that are still to be looked at */
    size_t step;     /* the first place of the word that is being looked at */
    uint64_t places; /* of it, that are still to be looked at */
    uint64_t map[FH_SIEVE_BLOCK / FH_SIEVE_WORD];
} fh_sieve_run;

/* fh_sieve_begin begins a search through len bytes at `from`. fh_sieve_next goes on to the next
 * place where one of the lures is, with all its four bytes; false where there is none, and *place
 * is where to go on when more bytes have come: len - 3, or `from` if that is larger. */
void fh_sieve_begin(fh_sieve_run *run, const fh_sieve *sieve, const uint8_t *bytes, size_t len,
                    size_t from, unsigned phase);
bool fh_sieve_next(fh_sieve_run *run, size_t *place);

/* The ways of sifting that are built in, the plainest first; one that this processor does not have
 * is not to be called. */
typedef struct fh_sift_way {
    const char *name;
    fh_sift *sift;
    bool (*is_there)(void);
} fh_sift_way;

const fh_sift_way *fh_sift_ways(size_t *num);

#endif
