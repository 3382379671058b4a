/* In front of every file of the suites. Criterion's macros read what they make 64 times over, so
 * that specifiers may be nested as deep; a quarter of that reads any(eq(...), not(...)) and takes
 * half of the time to compile. What is nested deeper than that does not compile.
 */
#ifndef FH_FEW_PASSES_H
#define FH_FEW_PASSES_H

#include <criterion/criterion.h>

#include <criterion/new/assert.h>

#undef CR_EVAL
#define CR_EVAL(...) CR_EVAL2(CR_EVAL2(CR_EVAL2(CR_EVAL2(__VA_ARGS__))))

#endif
