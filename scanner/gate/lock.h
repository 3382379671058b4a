/* Pose locks: a check fails when an edit changes the motion of an animation.
 *
 * A lock is written from the results of a check, and held against those of a later one. Paths in it
 * count from its own folder, so it may be written and read from anywhere in a repository.
 */
#ifndef FH_GATE_LOCK_H
#define FH_GATE_LOCK_H

#include "gate/judge.h"
#include "gate/lock_file.h"
#include "new_file.h"

typedef struct fh_lock {
    const char *expect;       /* --expect, or NULL */
    const char *write_expect; /* --write-expect, or NULL */
    double tolerance;         /* --tolerance */
    bool has_tolerance;

    /* Private. */
    fh_judge judge; /* replays again what has to be looked at closely */
    fh_lock_file file;
    char expect_folder[PATH_MAX];
    fh_new_file out;
    char out_folder[PATH_MAX];
    fh_lock_file old; /* what stands where the new lock is written */
    void *seen;       /* paths of what is written, a tree of tsearch that owns them */
    size_t num_written;
    size_t num_kept;     /* of the old lock */
    size_t num_unlocked; /* animations without poses */
    bool is_spoilt;      /* what is written lacks something */
} fh_lock;

/* fh_lock_tolerance takes the value of --tolerance; false: no number, or a negative one. */
bool fh_lock_tolerance(fh_lock *lock, const char *value) FH_MUST_USE;

/* fh_lock_begin reads the lock that is expected, and begins the one that is to be written. judge
 * is the one whose options the check has, and must stay. */
fh_exit fh_lock_begin(fh_lock *lock, const fh_judge *judge);

/* fh_lock_writes tells whether path is the file of the new lock, which may lie in a folder that is
 * walked: it is not there yet. */
bool fh_lock_writes(const fh_lock *lock, const char *path);

/* fh_lock_settle says with which profile and model (NULL: that of the format, what lies beside) the
 * next results were judged; the strings are kept. */
fh_exit fh_lock_settle(fh_lock *lock, const char *profile, const char *bac);

/* fh_lock_result holds a result against the lock, adding findings to it, and writes it into the new
 * one. */
fh_exit fh_lock_result(fh_lock *lock, fh_result *result);

/* fh_lock_missing calls tell with a result, which it has to free, for each asset of the lock that
 * lies in one of the paths of the check and is there no more. */
fh_exit fh_lock_missing(fh_lock *lock, int num, char *const *paths, void *user,
                        void (*tell)(void *user, fh_result *result));

/* fh_lock_end puts the new lock in its place, sorted by paths, together with what the old one there
 * has of files that are still there and have no new poses. is_whole: every file could be checked;
 * else nothing is written. */
fh_exit fh_lock_end(fh_lock *lock, bool is_whole);

/* fh_lock_free forgets what was not put in its place. */
void fh_lock_free(fh_lock *lock);

#endif
