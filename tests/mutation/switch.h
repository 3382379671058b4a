/* Which of the planted faults is on. Included in front of every file that faults are planted in. */
#ifndef FH_MUTATION_SWITCH_H
#define FH_MUTATION_SWITCH_H

#include <stdbool.h>

enum { FH_MOST_MUTANTS = 1 << 15 }; /* build.py looks that there are no more */

/* What is known of each fault's place: the program came by; and the fault would have made a
 * difference there, without which the whole run is the same with it. */
enum { FH_MET = 1, FH_DIFFERS = 2 };

extern unsigned fh_mutant; /* 0: none */
extern unsigned char fh_mutant_met[FH_MOST_MUTANTS];

static inline bool fh_is_mutant(unsigned id, bool differs)
{
    fh_mutant_met[id] |= (unsigned char)(differs ? FH_MET | FH_DIFFERS : FH_MET);
    return fh_mutant == id;
}

/* Passes on what the right side of a connective said. */
static inline bool fh_joined(unsigned id, bool differs_with, bool right)
{
    if (right == differs_with) {
        fh_mutant_met[id] |= FH_DIFFERS;
    }
    return right;
}

/* The same of one that may have done more than to answer: not to ask it makes a difference. */
static inline bool fh_asked(unsigned id, bool differs_with, bool right)
{
    (void)differs_with;
    fh_mutant_met[id] |= FH_DIFFERS;
    return right;
}

/* Where a constant is needed the fault is chosen when the file is compiled. */
#ifndef FH_CONSTANT_MUTANT
#define FH_CONSTANT_MUTANT 0
#endif

#endif
