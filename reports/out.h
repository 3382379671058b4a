/* Output to a stream whose first failure is kept.
 *
 * All writers of this folder write through it: they need not look at every call, and a full disk
 * is still never mistaken for success. The FILE is borrowed; it is flushed by fh_out_end, never
 * closed. What comes from input goes through escape.h, never through these functions directly.
 */
#ifndef FH_REPORTS_OUT_H
#define FH_REPORTS_OUT_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct fh_out {
    FILE *file; /* borrowed */
    int error;  /* errno of the first write that failed, 0 while all is well */
} fh_out;

fh_out fh_out_make(FILE *file);

/* fh_out_to_memory makes a stream into memory, which the caller closes as one of open_memstream:
 * text, which it then frees, and length are there when it is closed. false, and a stream that is
 * none and loses what is written, if there is too little memory. */
bool fh_out_to_memory(fh_out *out, char **text, size_t *len) FH_MUST_USE;

/* fh_out_fmt writes as printf does. Only for integers and strings: reals would follow the locale.
 */
void fh_out_fmt(fh_out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

void fh_out_bytes(fh_out *out, const char *bytes, size_t num_bytes);
void fh_out_str(fh_out *out, const char *str);

/* fh_out_count writes "1 error", "2 errors": the number and the noun, with an s if there is more
 * than one of it, or none. */
void fh_out_count(fh_out *out, uint64_t num, const char *noun);

/* fh_out_end flushes and returns 0 or the errno of the first failure. */
int fh_out_end(fh_out *out) FH_MUST_USE;

#endif
