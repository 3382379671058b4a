/* See ../criterion.h. */
#ifndef PLAIN_CRITERION_NEW_ASSERT_H
#define PLAIN_CRITERION_NEW_ASSERT_H

#define eq(type, a, b) ((a) == (b))
#define not(condition) (!(condition))

#endif
