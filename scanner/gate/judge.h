/* The judge of a check: examines one file by its content, and by what its name promises.
 *
 * A judge owns its memory, which grows to the largest file so far, and shares nothing that changes
 * with others: several threads may each use one.
 */
#ifndef FH_GATE_JUDGE_H
#define FH_GATE_JUDGE_H

#include "beside.h"
#include "gate/cache.h"
#include "gate/result.h"
#include "hunt/exam.h"
#include "source/load.h"

typedef struct fh_judge {
    fh_exam_options options; /* stand_alone and aligned are set by fh_judge_begin */
    fh_beside beside;        /* companions; `asked` may be set before it is opened */
    fh_cache *cache;         /* of what was judged before; borrowed, NULL: there is none */

    /* Private. */
    fh_exam exam;
    fh_file file;
} fh_judge;

fh_judge fh_judge_make(void);

/* fh_judge_share returns a judge for another thread, with the options of this one, whose companion
 * and cache it borrows. */
fh_judge fh_judge_share(const fh_judge *judge);

/* fh_judge_follow sets a judge that was made so anew, after the leader was set to something else.
 */
void fh_judge_follow(fh_judge *judge, const fh_judge *leader);

/* fh_judge_file judges the file at path ("-" = standard input); the caller frees the result. false:
 * no memory for a result at all. */
bool fh_judge_file(fh_result *result, fh_judge *judge, const char *path) FH_MUST_USE;

/* fh_judge_poses judges the file of a result once more, with the poses of its replay going to
 * poses. Anything but FH_EXIT_OK: *why says why not, such as that the file is another one by now.
 */
fh_exit fh_judge_poses(const char **why, fh_judge *judge, const fh_result *result,
                       const fh_sink *poses);

void fh_judge_free(fh_judge *judge);

#endif
