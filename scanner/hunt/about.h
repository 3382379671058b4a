/* The pass over one source, and what is told of the source itself once it is behind.
 *
 * Assets are told where they are met (hunt/tell.h). Here is the rest: what is wrong with the source
 * and its directories, what nearly was an asset, what was left out, where a memory lay, and who
 * claims which sectors. Internal to the hunt.
 */
#ifndef FH_HUNT_ABOUT_H
#define FH_HUNT_ABOUT_H

#include "hunt/hunt.h"
#include "hunt/sights.h"
#include "hunt/track.h"
#include "source/stream.h"

typedef struct fh_pass {
    fh_hunt hunt;
    fh_reader *reader; /* borrowed */
    fh_track tracks[FH_STREAM_NUM];
    fh_coverage coverage;
    fh_damage damage;
    int64_t mixed_first, mixed_end; /* raw offsets between which pairs were interleaved */
    fh_sights sights;
    fh_hold hold;
    bool is_crowded; /* it could not hold all */
    fh_drift drift;  /* of the source, seen when it was read */
} fh_pass;

/* fh_source_finding makes a finding of the source: its offset is that in the source, or FH_UNKNOWN.
 * fh_tell_source tells one. */
fh_finding fh_source_finding(const fh_rule *rule, const char *field, int64_t offset);
void fh_tell_source(fh_hunt *hunt, const fh_finding *finding);

/* fh_drift_finding is about a source that is not as it was when it was opened. */
fh_finding fh_drift_finding(const fh_reader *reader, fh_drift drift);

/* fh_is_only_audio tells whether a control file names tracks, and none of data. */
bool fh_is_only_audio(const fh_reader *reader);

/* fh_about_source tells, last of all, what is wrong with the source and what came to nothing. */
void fh_about_source(fh_pass *pass, const fh_layout *layout);

/* fh_about_scattered tells of files of an image read forwards that cannot be put together any more.
 */
void fh_about_scattered(fh_pass *pass);

/* fh_about_left_out tells what a limit left out of the streams of scattered sectors, if anything.
 */
void fh_about_left_out(fh_pass *pass, int64_t num, const char *field, const char *what);

/* fh_about_coverage tells who claims which bytes, and the tracks; fh_about_start that a dump begins
 * somewhere else than at address 0; fh_about_poll what the assets of a plain source say of where it
 * lay: assets without an own address get theirs if all say the same. */
void fh_about_coverage(fh_pass *pass);
void fh_about_start(fh_pass *pass, uint32_t address);
void fh_about_poll(fh_pass *pass);

/* hunt.c: what containers need as well. fh_hunt_begin begins a record; fh_hunt_unreadable says why
 * there is nothing in it; fh_hunt_hash puts the hash there, if it is wanted (false: there is no
 * memory left). */
void fh_hunt_begin(fh_hunt_source *source, const char *path);
fh_hunt_status fh_hunt_unreadable(fh_hunt_source *source, const char *why);
bool fh_hunt_hash(fh_hunt_source *source, const fh_reader *reader,
                  const fh_hunt_options *options) FH_MUST_USE;

#endif
