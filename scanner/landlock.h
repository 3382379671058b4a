/* Landlock: rules of the kernel about files and the network that a process sets itself.
 *
 * What a kernel knows is told by the version of its interface; of newer rights only those are used
 * that it knows. The C library has no functions for it, and the headers of a system may be older
 * than its kernel, so that the numbers stand here (linux/landlock.h). Rule sets are descriptors
 * that the caller closes.
 */
#ifndef FH_SCANNER_LANDLOCK_H
#define FH_SCANNER_LANDLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* Kinds of rights for fh_landlock_allow. */
#define FH_LANDLOCK_READ 1u  /* files and folders */
#define FH_LANDLOCK_WRITE 2u /* make, change, rename within a folder, remove */

/* fh_landlock_abi returns the version of the interface, 0 where the kernel has none. */
int fh_landlock_abi(void);

/* fh_landlock_begin makes a rule set under which nothing of what it handles is allowed: no file,
 * no network, no signal to a process outside. -1: it could not be made. */
int fh_landlock_begin(void);

/* fh_landlock_allow lets the file, or all below the folder, be used so. A path that is not there,
 * or may not be looked at, is none to allow, and no failure. */
bool fh_landlock_allow(int rules, const char *path, uint64_t rights);

/* fh_landlock_enter sets the rules for this thread and what it starts, for good. */
bool fh_landlock_enter(int rules);

#endif
