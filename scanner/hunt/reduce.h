/* The reduction of a file: the smallest one that still does what somebody asks for.
 *
 * Parts are taken out, large ones first, and what is left is shown to an oracle; where it says yes,
 * the part was not needed. The parts are those that the format knows (frames, packets, chunks), the
 * lines of a text, and bytes; at last bytes of binary data become 0. The same bytes, oracle and
 * number of steps give the same result.
 */
#ifndef FH_HUNT_REDUCE_H
#define FH_HUNT_REDUCE_H

#include "core/format.h"

typedef enum fh_oracle_answer {
    FH_ORACLE_NO = 0,
    FH_ORACLE_YES, /* these bytes will do */
    FH_ORACLE_STOP /* no more questions */
} fh_oracle_answer;

typedef struct fh_reduce {
    /* Set by the caller. */
    const fh_format *format;
    uint32_t max_steps; /* questions */
    fh_oracle_answer (*oracle)(void *user, fh_cursor bytes);
    void *user;

    /* The bytes: at first those to be reduced, which the oracle has said yes to; then the result.
     * The caller's, of malloc; the reduction may give them another block. */
    uint8_t *bytes;
    size_t len;

    /* Results. */
    uint32_t steps;
    bool is_limited; /* max_steps were not enough */
    bool is_stopped; /* by the oracle */

    /* Private. */
    uint8_t *trial;
    fh_unit *units;
    size_t num_units, max_units;
    unsigned level; /* of the units that are collected */
    bool no_memory;
} fh_reduce;

/* fh_reduce_run reduces the bytes. false without memory; they are then as small as they got. */
bool fh_reduce_run(fh_reduce *reduce) FH_MUST_USE;

#endif
