/* What was judged before: results by the content of files.
 *
 * A result is found by a hash of everything it hangs on: the bytes of the file, the program (its
 * own bytes, so that one that was built anew does not trust the old one), the rules, the format
 * that the name of the file promises, the options of judging, and the bytes of the companion. Time
 * and place are no part of it. Which formats take a companion is known only once the content is
 * told, so of such a file two entries are kept: one that says so, and one for each companion.
 */
#ifndef FH_GATE_RECALL_H
#define FH_GATE_RECALL_H

#include "gate/cache.h"
#include "gate/result.h"
#include "hunt/exam.h"

/* fh_recall_open opens a cache for results, as fh_cache_open does; to be closed alike. */
fh_exit fh_recall_open(fh_cache *cache, const char *path);

typedef enum fh_recall_status {
    FH_RECALL_NONE = 0,
    FH_RECALL_FOUND,    /* the result is filled */
    FH_RECALL_COMPANION /* it hangs on the companion of what is of *format: ask with it */
} fh_recall_status;

typedef enum fh_recall_how { FH_RECALL_ALONE, FH_RECALL_WITH } fh_recall_how;

/* fh_recall looks for the result of a file of which path and sha256 are known. FH_RECALL_WITH: the
 * companion of the options is the one it has (NULL: it has none). */
fh_recall_status fh_recall(fh_result *result, const fh_format **format, const fh_cache *cache,
                           const fh_exam_options *options, fh_recall_how how);

/* fh_remember keeps a result that was judged by these options, with their companion. One that is
 * not whole, because reading, memory or limits were in the way, is not kept. */
void fh_remember(fh_cache *cache, const fh_result *result, const fh_exam_options *options);

#endif
