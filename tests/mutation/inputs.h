/* The files that outcomes are taken of: a list, one line a file, `FORMAT TAB NAME TAB PATH [TAB
 * MODEL]`.
 */
#ifndef FH_MUTATION_INPUTS_H
#define FH_MUTATION_INPUTS_H

#include "outcome.h"

typedef struct listed {
    const fh_format *format;
    char *name;
    input bytes;
} listed;

typedef struct inputs {
    listed *all;
    size_t num;
} inputs;

/* inputs_read reads a list and every file in it. Ends the program with a message if it cannot. */
void inputs_read(inputs *out, const char *list);

void inputs_free(inputs *in);

#endif
