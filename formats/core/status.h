/* Error classes of every decoder.
 *
 * A status says how a piece of work ended; it is never mixed with output. INTERNAL means a bug of
 * ours, not a property of the input: it aborts where NDEBUG is not defined.
 */
#ifndef FH_CORE_STATUS_H
#define FH_CORE_STATUS_H

#define FH_MUST_USE __attribute__((warn_unused_result))

/* Offered to the other rooms of this project. Programs outside see none of it: what they may rely
 * on is library/framehound/framehound.h. */
#define FH_API __attribute__((visibility("hidden")))

typedef enum fh_status {
    FH_OK = 0,
    FH_NOT_THIS_FORMAT, /* the bytes do not begin as the format demands */
    FH_TRUNCATED,       /* sound as far as it goes, but the bytes end too early */
    FH_CORRUPT,         /* begins as the format demands, then contradicts itself */
    FH_UNSUPPORTED,     /* legal, but outside what this library evaluates */
    FH_LIMIT,           /* a limit of ours (see limits.h) stopped the work */
    FH_NO_MEMORY,       /* the arena is full */
    FH_INTERNAL         /* a bug of ours */
} fh_status;

/* fh_status_name returns a constant string such as "truncated". */
FH_API const char *fh_status_name(fh_status status);

#endif
