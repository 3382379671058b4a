/* The oracles of fuzz_format.h that are more than a few lines: what must be true of bytes of which
 * a run said `seen`. Each runs them, or a part, or more of them, once more.
 */
#ifndef FUZZ_ORACLES_H
#define FUZZ_ORACLES_H

#include "fuzz_run.h"

/* fuzz_extent.c: where an asset ends, and that it is found there. data are seen's bytes. */
void oracle_probe(const fh_format *format, fh_cursor bytes, const run_outcome *seen);
void oracle_memo(const fh_format *format, fh_cursor bytes, fh_end end);
void oracle_places(const fh_format *format, fh_cursor bytes);
void oracle_alone(const fh_format *format, const uint8_t *data, const run_outcome *seen);
void oracle_cuts(const fh_format *format, const uint8_t *data, const run_outcome *seen);
void oracle_found(const fh_format *format, const uint8_t *data, const run_outcome *seen,
                  uint64_t choice);

/* fuzz_grades.c: the first len bytes are no better than all, and neither are more. */
void oracle_part(const fh_format *format, fh_cursor bytes, const run_outcome *seen, size_t len);
void oracle_longer(const fh_format *format, fh_cursor bytes, const run_outcome *seen,
                   uint64_t choice);

/* fuzz_forms.c: what verifying and replaying cost; the canonical form of a text; an asset beside a
 * companion, the len bytes of data; and a number that says what a repair would do. */
void oracle_bounds(const fh_format *format, fh_cursor bytes);
void oracle_canonical(const fh_format *format, fh_cursor bytes);
void oracle_companion(const fh_format *format, fh_cursor bytes, const run_outcome *seen,
                      const uint8_t *data, size_t len);
uint64_t oracle_repairs(const fh_format *format, fh_cursor bytes);

/* fuzz_anew.c: what is replayed, written anew by the forge, is the same; see anew.h. */
void oracle_anew(const fh_format *format, fh_cursor bytes);

#endif
