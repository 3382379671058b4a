/* The changes of a text: rows that are numbered one after the other, and numbers. */
#ifndef FUZZ_MUTATE_TEXT_H
#define FUZZ_MUTATE_TEXT_H

#include "mutate_change.h"

/* A row is put in again, taken out, exchanged with the next one or comes from the other input. All
 * are numbered on from the first one's number then, but now and then exactly one. */
bool mutate_text_rows(change *c);

/* A number becomes one of those at which something changes, or that are written in some way. */
bool mutate_text_number(change *c);

#endif
