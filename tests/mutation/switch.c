#include "switch.h"

unsigned fh_mutant;
unsigned char fh_mutant_met[FH_MOST_MUTANTS];
