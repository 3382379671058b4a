/* Marks for what no input can bring about. The code behind stays as a defence, since a mistake
 * elsewhere must not become a crash, but no test can reach it, and a measure of what the tests
 * reach must neither count it nor hide it (./run coverage counts it apart). Each use says in a
 * comment why it cannot be.
 *
 *     if (NEVER(bone == NULL)) { ... }     it never is
 *     if (ALWAYS(fits) && ...)             it always does
 *
 * Builds for tests, sanitizers and fuzzers (FH_ASSERTED) stop the program if a mark is wrong.
 * Builds that measure coverage (FH_COVERAGE) have constants in their place, so that they are no
 * branch. All others evaluate the condition: it has no effects, and no work is done in it. */
#ifndef FH_CORE_NEVER_H
#define FH_CORE_NEVER_H

#include <assert.h>
#include <stdbool.h>

#if defined(FH_COVERAGE)
#define NEVER(condition) (false)
#define ALWAYS(condition) (true)
#elif defined(FH_ASSERTED)
#define NEVER(condition) ((condition) ? (assert(false && "never: " #condition), true) : false)
#define ALWAYS(condition) ((condition) ? true : (assert(false && "always: " #condition), false))
#else
#define NEVER(condition) (condition)
#define ALWAYS(condition) (condition)
#endif

#endif
