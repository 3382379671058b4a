/* The changes of an HMD: whole parts (units_hmd.h) and, besides, words. */
#ifndef FUZZ_MUTATE_HMD_H
#define FUZZ_MUTATE_HMD_H

#include "mutate_change.h"

/* Of a file: a part is put in again, taken out, exchanged or comes from another file, a primitive
 * with its header and all sections that this leads to. What leads behind the place follows. */
bool mutate_hmd_parts(change *c);

/* Of any bytes, an image in memory too: words are put in or taken out, and words that may lead
 * behind the place follow. Nothing is said of what counts them. */
bool mutate_hmd_insert_words(change *c);
bool mutate_hmd_remove_words(change *c);

#endif
