/* framehound check: its parts, and the options that set them. */
#ifndef FH_SCANNER_CHECK_H
#define FH_SCANNER_CHECK_H

#include "cmd.h"
#include "fix.h"
#include "gate/gate.h"
#include "gate/jobs.h"
#include "gate/judge.h"
#include "gate/policy.h"
#include "gate/recall.h"
#include "gate/subjects.h"

typedef struct fh_check {
    fh_gate gate;
    fh_judge judge;
    fh_policy policy;
    fh_subjects subjects;
    fh_fix fix;
    fh_cache cache;
    const char *cache_path; /* NULL: no cache */
    fh_jobs *jobs;
    uint32_t num_jobs; /* 0: as many as there are processors */
    bool only_shows;   /* --show-config */
    bool is_ended;     /* by something that has its own exit code */
} fh_check;

/* fh_check_help prints what the command is for. */
fh_exit fh_check_help(void);

/* fh_check_options takes all options; the paths are then argv[optind] and what follows. */
fh_exit fh_check_options(fh_check *check, int argc, char **argv);

#endif
