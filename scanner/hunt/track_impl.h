/* The inside of a track, shared by its files only: track.c (the bytes that come, and the search in
 * them), track_verdict.c (what becomes of a place that was judged) and track_claim.c (the asset
 * that reaches farthest, and the accounts that the work is paid from). All of them work on the
 * track of their caller, and own nothing themselves.
 *
 * start is a stream offset, pos a position in the window. seam is what the window ends at, NULL
 * while more comes.
 */
#ifndef FH_HUNT_TRACK_IMPL_H
#define FH_HUNT_TRACK_IMPL_H

#include "hunt/track.h"

/* fh_track_lies_in_claim tells whether a place lies in the claimed asset. */
static inline bool fh_track_lies_in_claim(const fh_track *track, int64_t start)
{
    return track->claim.is_open && start < track->claim.end;
}

/* fh_track_is_at_start tells whether the file itself begins there. */
static inline bool fh_track_is_at_start(const fh_track *track, int64_t start)
{
    return track->stream == FH_STREAM_PLAIN && start == 0 && !fh_hunt_is_memory(track->hunt);
}

/* ---- track_claim.c ---- */

/* fh_track_open_claim claims an asset, unless the open claim reaches as far. Takes over a share of
 * the fate; NULL: is_quiet says whether it is. */
void fh_track_open_claim(fh_track *track, const fh_format *format, int64_t start, size_t len,
                         fh_fate *fate, bool is_quiet);

/* fh_track_close_claim ends the claim: what was seen inside the asset is told now that all of it
 * has been. */
void fh_track_close_claim(fh_track *track);

/* fh_track_is_inside counts a reading that lies inside the claimed asset; true if it does. */
bool fh_track_is_inside(fh_track *track, int64_t start, size_t len);

/* fh_track_may_examine tells whether an asset can be paid for. One that shares bytes with the one
 * before it is examined, for those, on the account of that one, so that a pile of overlapping
 * assets costs no more than its bytes. */
bool fh_track_may_examine(fh_track *track, int64_t start);

/* fh_track_may_probe fills the budget of a probe. Inside an accepted asset probing is paid from the
 * asset's own budget. Where nothing is left to pay with, nothing is read, and false returned: even
 * what a probe reads before it finds that out adds up. */
bool fh_track_may_probe(fh_track *track, const fh_format *format, int64_t start, fh_budget *budget);

/* fh_track_pay books the work of a probe, of whose budget `left` is left: on the asset inside which
 * it was made, or on the search. A probe that could not decide has worked, too: it is asked again
 * with more bytes. */
void fh_track_pay(fh_track *track, const fh_format *format, int64_t start, const fh_probe *probe,
                  bool is_asset, uint64_t left);

/* ---- track_verdict.c ---- */

/* fh_track_decide acts on what the probe says of a place; what is still undecided is not asked
 * here. */
void fh_track_decide(fh_track *track, const fh_format *format, size_t pos, const fh_probe *probe,
                     const fh_seam *seam);

/* fh_track_is_weak tells whether too few bits of it were demanded by checks: chance makes such
 * things, but not as a file of just that length. */
bool fh_track_is_weak(const fh_track *track, int64_t start, const fh_probe *probe,
                      const fh_seam *seam);

/* fh_track_end_at returns what follows the window. */
fh_end fh_track_end_at(const fh_track *track, const fh_seam *seam);

#endif
