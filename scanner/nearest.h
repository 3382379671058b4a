/* The name that somebody meant who wrote another one: for rule codes, options, keys, formats.
 *
 * Nearness is the number of letters to be put in, left out or exchanged (Levenshtein's distance);
 * the case of ASCII letters does not count. All strings are borrowed.
 */
#ifndef FH_SCANNER_NEAREST_H
#define FH_SCANNER_NEAREST_H

#include "core/status.h"

#include <stddef.h>

/* Longer words are compared by their first letters: no name of the program is longer. */
#define FH_NEAREST_MOST 48u

typedef struct fh_nearest {
    const char *word;
    const char *name; /* the nearest one up to now, or NULL if none is near */
    size_t distance;  /* its distance; before there is one, the least that is no longer near */
} fh_nearest;

/* fh_nearest_begin starts a search. Near is what differs in no more than half the word's letters,
 * and of very short words in one. */
fh_nearest fh_nearest_begin(const char *word);

/* fh_nearest_try compares one more name; of several as near the first one stays. */
void fh_nearest_try(fh_nearest *nearest, const char *name);

/* fh_nearest_of returns the nearest of num names, or NULL if none is near. */
const char *fh_nearest_of(const char *word, const char *const *names, size_t num);

/* fh_distance returns the number of changes that make one word the other. */
size_t fh_distance(const char *a, const char *b);

#endif
