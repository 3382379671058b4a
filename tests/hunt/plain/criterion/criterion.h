/* As much of Criterion as tests/hunt/test_sieve.c asks for, without its libraries: for processors
 * that programs are built for elsewhere (tests/hunt/aarch64.py). The tests run one after the
 * other, and the first that fails ends the program. */
#ifndef PLAIN_CRITERION_H
#define PLAIN_CRITERION_H

#include <stdio.h>
#include <stdlib.h>

#define cr_fatal(...) (printf("# " __VA_ARGS__), printf("\n"), exit(1))

#define cr_assert(condition)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            cr_fatal("%s:%d: %s", __FILE__, __LINE__, #condition);                                 \
        }                                                                                          \
    } while (0)

/* Each test registers itself before main begins. */
#define Test(suite, name)                                                                          \
    static void test_##suite##_##name(void);                                                       \
    __attribute__((constructor)) static void add_##suite##_##name(void)                            \
    {                                                                                              \
        plain_add(#suite "::" #name, test_##suite##_##name);                                       \
    }                                                                                              \
    static void test_##suite##_##name(void)

void plain_add(const char *name, void (*test)(void));

#endif
