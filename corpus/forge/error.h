/* How a piece of the forge's work failed, and where.
 *
 * Every fallible function of the forge returns bool and fills a forge_error that the caller owns;
 * on success the error is left alone, so one error can serve a whole build. The first failure is
 * the one that counts: a caller stops at it. The kinds are the exit codes of the command line.
 */
#ifndef FORGE_ERROR_H
#define FORGE_ERROR_H

#include <stdbool.h>

#define FORGE_MUST_USE __attribute__((warn_unused_result))

typedef enum forge_kind {
    FORGE_OK = 0,
    FORGE_BAD = 2, /* what is described is wrong, or cannot be built */
    FORGE_IO = 3   /* the machine's fault: files, memory */
} forge_kind;

typedef struct forge_error {
    forge_kind kind;
    unsigned line;  /* line of the description, from 1; 0 when there is none */
    char text[384]; /* one line, without a newline; cut when longer */
} forge_error;

/* forge_fail fills err and returns false, so that a check can end with `return forge_fail(...)`. */
bool forge_fail(forge_error *err, forge_kind kind, unsigned line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
