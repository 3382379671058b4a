/* What the program would say on standard error, for targets of its files. The linker puts this in
 * place of fh_complain (-Wl,--wrap). */
#ifndef FUZZ_COMPLAIN_H
#define FUZZ_COMPLAIN_H

#include "fuzz_support.h"

/* fuzz_complaints begins to listen; fuzz_num_complaints returns how many there were, each of which
 * must have been one line of printable text, and folds them. */
void fuzz_complaints(void);
unsigned fuzz_num_complaints(fuzz_sum *sum);

#endif
