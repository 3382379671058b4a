/* Damage: what the sectors that assets lie on say of themselves, so that a bad copy of a disc is
 * told from a bad asset. Internal to the hunt.
 *
 * A sector is checked once. Sectors side by side with the same fault are one finding of the source;
 * at most FH_MAX_FINDINGS_PER_RULE of a rule are kept, and told when the source has been searched.
 */
#ifndef FH_HUNT_DAMAGE_H
#define FH_HUNT_DAMAGE_H

#include "hunt/window.h"

struct fh_hunt;

enum { FH_NUM_CODE_FAULTS = 4 }; /* IMG0009 to IMG0012 */

typedef struct fh_fault_run {
    int64_t sectors; /* 0: none */
    int64_t first_off, last_off;
    int64_t first_lba, last_lba;
    fh_codes first;
} fh_fault_run;

typedef struct fh_damage { /* all zero at the start, but for the stride */
    uint32_t stride;
    fh_fault_run runs[FH_STREAM_NUM][FH_NUM_CODE_FAULTS];
    fh_finding told[FH_NUM_CODE_FAULTS][FH_MAX_FINDINGS_PER_RULE];
    int64_t num[FH_NUM_CODE_FAULTS];
} fh_damage;

/* fh_damage_note adds what was found out about the sector at raw_off. Those of a stream come in
 * their order. */
void fh_damage_note(fh_damage *damage, fh_stream stream, const fh_codes *codes, int64_t raw_off,
                    int64_t lba);

/* fh_damage_tell tells all that was noted, at the end of the source. */
void fh_damage_tell(struct fh_hunt *hunt);

/* An asset in the window, or what may become one. */
typedef struct fh_damage_place {
    fh_window *window;
    fh_stream stream;
    int64_t start; /* stream offset */
    size_t len;
} fh_damage_place;

/* At most so many findings are made of one asset. */
#define FH_MAX_DAMAGE_REMARKS ((size_t)3)

/* fh_damage_remark checks the sectors of an asset and writes what has to be said of it because of
 * them. damage gets what is found of the sectors, and may be NULL. Returns how many findings. */
size_t fh_damage_remark(fh_finding out[FH_MAX_DAMAGE_REMARKS], fh_damage *damage,
                        const fh_damage_place *at);

#endif
