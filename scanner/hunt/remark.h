/* Remarks on assets in memory and on texts inside other bytes: what image rules say of them because
 * of where they lie. They are added to the findings of the last examination. Internal to the hunt.
 */
#ifndef FH_HUNT_REMARK_H
#define FH_HUNT_REMARK_H

#include "hunt/tell.h"

/* fh_remark_address returns the address of the asset of `len` bytes that was examined last,
 * FH_UNKNOWN if nothing tells it: its own, if its pointers say one, else by its place in main RAM.
 * In a plain source of which nothing is known its own is a vote for the base. */
int64_t fh_remark_address(fh_hunt *hunt, const fh_place *place, size_t len);

/* fh_remark_encoding remarks that a text which begins at byte `at` of bytes, inside something else,
 * is written in 16-bit characters. fh_encoding_remarks only writes what is to be said, and returns
 * how many findings that are. */
enum { FH_MAX_ENCODING_REMARKS = 2 };
void fh_remark_encoding(fh_hunt *hunt, const fh_format *format, fh_cursor bytes, size_t at);
size_t fh_encoding_remarks(fh_finding out[FH_MAX_ENCODING_REMARKS], const fh_format *format,
                           fh_cursor bytes, size_t at);

#endif
