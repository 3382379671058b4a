/* Messages between the processes of the program: a length, then that many bytes, through a socket.
 * Whoever waits does not wait for ever. */
#ifndef FH_SCANNER_WIRE_H
#define FH_SCANNER_WIRE_H

#include "source/tape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum fh_wire_status {
    FH_WIRE_OK = 0,
    FH_WIRE_GONE,    /* the other side is, or does not keep to the form */
    FH_WIRE_LATE,    /* the time is over */
    FH_WIRE_STOPPED, /* the user wants the program to end */
    FH_WIRE_NO_MEMORY
} fh_wire_status;

/* How long to wait. */
typedef struct fh_wire_wait {
    int64_t until_ms;    /* of fh_wire_now; INT64_MAX: for ever */
    const fh_stop *stop; /* asked every now and then; NULL: nothing stops it */
} fh_wire_wait;

/* fh_wire_now returns milliseconds of a clock that nobody sets. */
int64_t fh_wire_now(void);

/* fh_wire_send sends bytes, fh_wire_receive gets exactly as many. */
fh_wire_status fh_wire_send(int socket, const void *bytes, size_t len, const fh_wire_wait *wait);
fh_wire_status fh_wire_receive(int socket, void *bytes, size_t len, const fh_wire_wait *wait);

/* fh_wire_put sends a message, fh_wire_get gets one of at most `most` bytes, which are the caller's
 * to be freed. */
fh_wire_status fh_wire_put(int socket, const void *bytes, size_t len, const fh_wire_wait *wait);
fh_wire_status fh_wire_get(int socket, uint8_t **bytes, size_t *len, size_t most,
                           const fh_wire_wait *wait);

/* fh_wire_put_open sends a number, and an open descriptor besides unless it is -1. fh_wire_get_open
 * gets them; *open is the caller's to be closed. */
bool fh_wire_put_open(int socket, int64_t number, int open);
bool fh_wire_get_open(int socket, int64_t *number, int *open);

#endif
