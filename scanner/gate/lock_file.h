/* The file of a pose lock: the motions of a repository as they are meant to be.
 *
 * A text with one thing a line, so that a change of it can be read in version control:
 *
 *     framehound poses 1
 *     asset walk.tod               path from the folder of the lock on; %XX for what is no letter
 *     format tod
 *     evaluator tod-player 1.31
 *     hash 5c0f...                 of the replayed poses, as pose_sha256 in the database
 *     table object slot:name model:name t0:int roll:real
 *     frame 0                      number of the frame
 *     object 1 3 -12 0.5           name of a table, values; - is none
 *     end 29                       number of frames, or: end long
 *
 * Only rows that differ from the row before for the same thing are there. `end long` stands for
 * motions that are too long to be kept: nothing but their hash is.
 */
#ifndef FH_GATE_LOCK_FILE_H
#define FH_GATE_LOCK_FILE_H

#include "core/record.h"
#include "gate/motion.h"

#include <stdio.h>

/* What a lock has of one asset. */
typedef struct fh_locked {
    char *path; /* owned, as it stands in the lock but unescaped */
    char format[32];
    char evaluator[64];
    uint8_t hash[FH_SHA256_LEN];
    long motion;   /* where its tables and frames stand in the file */
    unsigned line; /* the line of that place */
    bool is_met;   /* some file of this run is it */
} fh_locked;

typedef struct fh_lock_file {
    FILE *file;        /* owned */
    fh_locked *assets; /* owned, sorted by path */
    size_t num_assets;
    size_t max_assets;
    unsigned line;     /* the one that was read last, from 1 */
    const char *fault; /* what is wrong with it, or NULL */
    int error;         /* why the system could not read it, an errno; 0: it could */
} fh_lock_file;

/* fh_lock_file_open reads which assets a lock has; what is no regular file is not waited for.
 * false: lock->error says why, or, where that is 0, lock->fault and lock->line do. */
bool fh_lock_file_open(fh_lock_file *lock, const char *path) FH_MUST_USE;

/* fh_lock_file_find returns what the lock has of a path, or NULL. */
fh_locked *fh_lock_file_find(fh_lock_file *lock, const char *path);

/* fh_lock_file_motion reads a motion; the caller frees it. false: as of fh_lock_file_open. A
 * motion that is not kept has is_too_long. */
bool fh_lock_file_motion(fh_motion *motion, fh_lock_file *lock, const fh_locked *asset) FH_MUST_USE;

void fh_lock_file_close(fh_lock_file *lock);

/* fh_lock_file_begin writes the first line of a lock, fh_lock_file_put an asset. Errors of file are
 * its owner's to see. */
void fh_lock_file_begin(FILE *file);
void fh_lock_file_put(FILE *file, const fh_locked *asset, const fh_motion *motion);

#endif
