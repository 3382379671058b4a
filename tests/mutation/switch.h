/* Which of the planted faults is on. Included in front of every file that faults are planted in. */
#ifndef FH_MUTATION_SWITCH_H
#define FH_MUTATION_SWITCH_H

#include <stdbool.h>

enum { FH_MOST_MUTANTS = 1 << 17 };

extern unsigned fh_mutant;                           /* 0: none */
extern unsigned char fh_mutant_met[FH_MOST_MUTANTS]; /* where the program came by */

static inline bool fh_is_mutant(unsigned id)
{
    fh_mutant_met[id] = 1;
    return fh_mutant == id;
}

/* Where a constant is needed the fault is chosen when the file is compiled. */
#ifndef FH_CONSTANT_MUTANT
#define FH_CONSTANT_MUTANT 0
#endif

#endif
