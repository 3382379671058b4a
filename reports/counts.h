/* How many findings there are of each severity. */
#ifndef FH_REPORTS_COUNTS_H
#define FH_REPORTS_COUNTS_H

#include "core/rules.h"

#include <stdint.h>

typedef struct fh_counts {
    uint64_t of[FH_ERROR + 1]; /* by fh_severity */
} fh_counts;

#endif
