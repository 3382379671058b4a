/* The system calls that a process needs, as a filter of the kernel (seccomp, through libseccomp).
 * Only compiled where libseccomp is there. */
#ifndef FH_SCANNER_SYSCALLS_H
#define FH_SCANNER_SYSCALLS_H

#include "core/text.h"

#include <stdbool.h>

typedef enum fh_syscalls {
    FH_SYSCALLS_COMMAND, /* files, threads, and the pipes to cells that are there already */
    FH_SYSCALLS_NURSERY, /* memory and what is open already, and new processes */
    FH_SYSCALLS_CELL     /* memory and what is open already */
} fh_syscalls;

/* fh_syscalls_filter sets the filter for this thread and what it starts, for good. */
bool fh_syscalls_filter(fh_syscalls kind);

/* fh_syscalls_can_filter tells whether the kernel has such filters. */
bool fh_syscalls_can_filter(void);

/* fh_syscalls_describe names the library and its version. */
void fh_syscalls_describe(fh_text *out);

#endif
