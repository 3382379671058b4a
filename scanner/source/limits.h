/* The limits of sources, with the reason for each number. Those of assets stand in core/limits.h.
 */
#ifndef FH_SOURCE_LIMITS_H
#define FH_SOURCE_LIMITS_H

#include <stddef.h>

/* How far behind a chunk of a movie the next one may lie: the longest interleaving that the drive
 * of the machine can play, for a subheader has 32 channels (image format sheet, section 2.1). */
#define FH_MOVIE_REACH 32u

/* Runs of sectors with one claim that are recorded one by one. A disc whose movies alternate with
 * sound has a run every few sectors, some 80,000 in all; they are summed from here on. */
#define FH_MAX_COVERAGE_RUNS ((size_t)1024)

/* A disc has at most 99 tracks (ECMA-130). */
#define FH_MAX_TRACKS ((size_t)99)

/* LBAs that a finding about an asset's sectors lists by name; the others are counted. Four numbers
 * of six digits fit the text of a finding with what is said around them. */
#define FH_MAX_NAMED_SECTORS ((size_t)4)

#endif
