/* The policy of a check: which findings are told, how severe they are, and which make it fail, as
 * the options, the nearest configuration of each file and the baseline say.
 *
 * The options come first, then the configuration, then what the program does by itself. Of several
 * configurations above a file only the nearest counts. A finding is asked for in this order: known
 * to the baseline, left out by its rule, below --min-severity. One that makes the run fail is told
 * whatever --min-severity says.
 *
 * What the policy returns is its own and stays until fh_policy_free. It remembers what it looked up
 * and is of one thread: ask it where files are handed out and where results are told.
 */
#ifndef FH_GATE_POLICY_H
#define FH_GATE_POLICY_H

#include "cmd.h"
#include "gate/baseline.h"
#include "gate/choice.h"
#include "gate/config.h"
#include "gate/result.h"
#include "reports/report.h"

#include <stdbool.h>

/* What holds for a file. */
typedef struct fh_settings {
    const fh_config *config; /* the nearest one; NULL: none */
    fh_fail_on fail_on;
    fh_severity min_severity;
    const char *profile;   /* NULL: that of the format */
    const char *bac;       /* path, "none", or NULL: what lies beside */
    fh_baseline *baseline; /* NULL: none */
} fh_settings;

typedef struct fh_policy {
    /* The options. Values are borrowed; NULL: not given. */
    const char *asked[FH_NUM_KEYS];
    fh_choices choices;
    const char *config;
    bool no_config;
    const char *write_baseline;
    bool replays; /* without replay some known findings cannot show, and are not out of date */

    fh_left_out left_out; /* findings that were not told */

    /* Private. */
    fh_config **configs;
    size_t num_configs;
    fh_baseline **baselines;
    size_t num_baselines;
    fh_baseline old; /* what stands in the baseline that is to be written */
    fh_baseline written;
    char *last_name; /* the folder that was looked up last, as it was named */
    char *last_folder;
    const fh_config *last_config;
    fh_settings now; /* of the result that is being told */
    bool *speaks;    /* for each choice of its configuration, whether its glob matches */
    fh_ruling *rulings;
    uint8_t *has_ruling;
    char *path; /* of that result, absolute; NULL: standard input, or unknown */
    bool has_content;
    uint8_t content[FH_SHA256_LEN];
    bool no_memory;
} fh_policy;

fh_policy fh_policy_make(void);

/* fh_policy_choose takes the value of --select, --ignore or --severity; fh_policy_set that of an
 * option with the name of a key. */
fh_exit fh_policy_choose(fh_policy *policy, fh_choice_kind kind, const char *value);
fh_exit fh_policy_set(fh_policy *policy, fh_key key, const char *value);

/* fh_policy_begin reads what the options name, and the configurations of the num paths, so that
 * what is wrong with them is known before anything is told. */
fh_exit fh_policy_begin(fh_policy *policy, int num, char **paths);

/* fh_policy_find finds what holds for the file or folder at path ("-": standard input). */
fh_exit fh_policy_find(fh_settings *out, fh_policy *policy, const char *path);

/* fh_policy_enter begins the findings of a result; fh_policy_tells then decides for each one
 * whether it is told, and with which severity. */
fh_exit fh_policy_enter(fh_policy *policy, const fh_result *result);
bool fh_policy_tells(fh_severity *severity, fh_policy *policy, const fh_rule *rule);

/* fh_policy_ruling says what becomes of a rule in the file that was entered. */
fh_ruling fh_policy_ruling(fh_policy *policy, const fh_rule *rule);

/* fh_policy_enter_path enters a file of which there is no result. */
fh_exit fh_policy_enter_path(fh_policy *policy, const char *path);

/* fh_policy_stale calls tell for each entry of a baseline that is out of date. paths are those of
 * fh_policy_begin. */
void fh_policy_stale(fh_policy *policy, int num, char **paths,
                     void (*tell)(void *user, const fh_baseline *baseline, const fh_known *known),
                     void *user);

/* fh_policy_write writes the baseline that was asked for, if there is one. */
fh_exit fh_policy_write(fh_policy *policy);

void fh_policy_free(fh_policy *policy);

#endif
