/* The options of framehound check. */
#include "check.h"

#include "gate/limits.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: framehound check [OPTION...] PATH...\n"
    "\n"
    "Validates animation and model files (directories are walked, links left out) by their\n"
    "content and prints what is wrong with each, where, and how to mend it. A file whose name\n"
    "ends in .tod, .hmd, .tra, .cam or .camerawork must be one; others are judged where they\n"
    "begin like one. '-' is standard input.\n"
    "\n"
    "  -F, --format NAME[=FILE]\n"
    "                        form of the report, and the file it goes to (default: text on\n"
    "                        standard output); may be given several times: text, concise,\n"
    "                        json, jsonl, csv, sarif, junit, github, gitlab, dfxml,\n"
    "                        html\n"
    "      --fail-on LEVEL   exit with 1 from this severity on: error (default), warning,\n"
    "                        note, never\n"
    "      --min-severity LEVEL\n"
    "                        tell only what is at least as severe: note (default), warning,\n"
    "                        error; what makes the check fail is told in any case\n"
    "      --select CODES    tell of these rules only: codes or how they begin (TOD, HMD02), with\n"
    "                        commas between them; ALL is every rule\n"
    "      --ignore CODES    do not tell of these\n"
    "      --severity CODE=LEVEL\n"
    "                        give rules another severity: error, warning, note, off\n"
    "      --config FILE     take the settings from there, not from the .framehound.ini that is\n"
    "                        nearest above each file\n"
    "      --no-config       take them from no file\n"
    "      --show-config     print the settings of each PATH and where they come from; check\n"
    "                        nothing\n"
    "      --baseline FILE   do not tell of findings that stand there; 'none': tell of all\n"
    "      --write-baseline FILE\n"
    "                        write the findings there, to be known from then on\n"
    "  -j, --jobs N          files that are judged at once (default: all cores); the output is\n"
    "                        the same for every N\n"
    "      --changed-since REV\n"
    "                        only files (below the PATHs, or here) that differ from this revision\n"
    "                        of git, or are new and not ignored\n"
    "      --gitignore       leave out what git ignores in directories\n"
    "      --files-from FILE read PATHs from a list, one a line; '-': from standard input\n"
    "  -0, --null            names of that list end with a zero byte\n"
    "      --cache DIR       keep results there, by content, and take them from there\n"
    "      --no-cache        no cache (the default)\n"
    "      --no-replay       verify only\n"
    "      --profile NAME    player behaviour that replay follows: 1.31 (default), 1.30\n"
    "                        (TOD); 4.4 (HMD); 4.0 (TRA4); hermite (camerawork)\n"
    "      --bac FILE        BAC6 text of the model that the animations are held against (TRA4);\n"
    "                        default is a file beside, of the same name but for .bac;\n"
    "                        'none': no model\n"
    "      --expect FILE     pose lock: the motion of the animations may not differ from it\n"
    "      --write-expect FILE\n"
    "                        write a pose lock of all animations that are checked\n"
    "      --tolerance X     how far values of the lock and of the replay may be apart, in their\n"
    "                        own unit (default 0)\n"
    "      --explain         say at the end what the commonest of the rules mean that made the\n"
    "                        check fail (text)\n"
    "      --fix             mend what is certainly wrong (counts, sizes and lengths that the\n"
    "                        rest says again, bits that must be 0, the form of texts) in the\n"
    "                        files themselves, then judge them; see framehound rules CODE\n"
    "      --diff            show what --fix would change, and write nothing; exit with 1 if\n"
    "                        there is anything\n"
    "      --sandbox on|off|require\n"
    "                        give up what the work does not need: files that were not named, the\n"
    "                        network, other programs (default: on, as far as the system can;\n"
    "                        require: or end)\n"
    "  -h, --help            this text\n"
    "\n"
    "Longer codes count more than shorter ones, later options more than earlier ones, options\n"
    "more than a configuration. To search inside containers and disc images use framehound scan.\n";

/* Those that a configuration has too are OPTION_KEY and the key. */
enum {
    OPTION_NO_REPLAY = 256,
    OPTION_EXPECT,
    OPTION_WRITE_EXPECT,
    OPTION_TOLERANCE,
    OPTION_CHANGED_SINCE,
    OPTION_GITIGNORE,
    OPTION_FILES_FROM,
    OPTION_CACHE,
    OPTION_NO_CACHE,
    OPTION_EXPLAIN,
    OPTION_FIX,
    OPTION_DIFF,
    OPTION_CONFIG,
    OPTION_NO_CONFIG,
    OPTION_SHOW_CONFIG,
    OPTION_WRITE_BASELINE,
    OPTION_CHOICE,
    OPTION_KEY = OPTION_CHOICE + FH_CHOICE_GRADE + 1
};

static const struct option options[] = {
    {"format", required_argument, NULL, 'F'},
    {"jobs", required_argument, NULL, 'j'},
    {"changed-since", required_argument, NULL, OPTION_CHANGED_SINCE},
    {"gitignore", no_argument, NULL, OPTION_GITIGNORE},
    {"files-from", required_argument, NULL, OPTION_FILES_FROM},
    {"null", no_argument, NULL, '0'},
    {"cache", required_argument, NULL, OPTION_CACHE},
    {"no-cache", no_argument, NULL, OPTION_NO_CACHE},
    {"no-replay", no_argument, NULL, OPTION_NO_REPLAY},
    {"config", required_argument, NULL, OPTION_CONFIG},
    {"no-config", no_argument, NULL, OPTION_NO_CONFIG},
    {"show-config", no_argument, NULL, OPTION_SHOW_CONFIG},
    {"write-baseline", required_argument, NULL, OPTION_WRITE_BASELINE},
    {"select", required_argument, NULL, OPTION_CHOICE + FH_CHOICE_SELECT},
    {"ignore", required_argument, NULL, OPTION_CHOICE + FH_CHOICE_IGNORE},
    {"severity", required_argument, NULL, OPTION_CHOICE + FH_CHOICE_GRADE},
    {"fail-on", required_argument, NULL, OPTION_KEY + FH_KEY_FAIL_ON},
    {"min-severity", required_argument, NULL, OPTION_KEY + FH_KEY_MIN_SEVERITY},
    {"profile", required_argument, NULL, OPTION_KEY + FH_KEY_PROFILE},
    {"bac", required_argument, NULL, OPTION_KEY + FH_KEY_BAC},
    {"baseline", required_argument, NULL, OPTION_KEY + FH_KEY_BASELINE},
    {"expect", required_argument, NULL, OPTION_EXPECT},
    {"write-expect", required_argument, NULL, OPTION_WRITE_EXPECT},
    {"tolerance", required_argument, NULL, OPTION_TOLERANCE},
    {"explain", no_argument, NULL, OPTION_EXPLAIN},
    {"fix", no_argument, NULL, OPTION_FIX},
    {"diff", no_argument, NULL, OPTION_DIFF},
    FH_COMMON_OPTIONS,
    {0}};

fh_exit fh_check_help(void)
{
    return fh_print_help(help);
}

static fh_exit take_list(fh_check *check, const char *value)
{
    if (check->subjects.files_from != NULL) {
        return fh_usage_error("check", "--files-from is given twice");
    }
    check->subjects.files_from = value;
    return FH_EXIT_OK;
}

static fh_exit take_tolerance(fh_check *check, const char *value)
{
    return fh_lock_tolerance(&check->gate.lock, value)
               ? FH_EXIT_OK
               : fh_usage_error("check", "--tolerance is a number from 0 on, not '%s'",
                                fh_safe_path(value));
}

/* Options without a value; false: it is none of these. */
static bool take_switch(fh_check *check, int c)
{
    switch (c) {
    case '0':
        check->subjects.null = true;
        return true;
    case OPTION_GITIGNORE:
        check->subjects.gitignore = true;
        return true;
    case OPTION_NO_CACHE:
        check->cache_path = NULL;
        return true;
    case OPTION_NO_REPLAY:
        check->policy.replays = false;
        check->judge.options.replay = false;
        return true;
    case OPTION_NO_CONFIG:
        check->policy.no_config = true;
        return true;
    case OPTION_SHOW_CONFIG:
        check->only_shows = true;
        return true;
    case OPTION_EXPLAIN:
        check->gate.outputs.run.explains = true;
        return true;
    case OPTION_FIX:
        check->fix.is_wanted = true;
        return true;
    case OPTION_DIFF:
        check->fix.shows = true;
        return true;
    default:
        return false;
    }
}

/* Options whose value is kept as it is; NULL: it is none of these. */
static const char **place_of(fh_check *check, int c)
{
    switch (c) {
    case OPTION_CHANGED_SINCE:
        return &check->subjects.changed_since;
    case OPTION_CACHE:
        return &check->cache_path;
    case OPTION_CONFIG:
        return &check->policy.config;
    case OPTION_WRITE_BASELINE:
        return &check->policy.write_baseline;
    case OPTION_EXPECT:
        return &check->gate.lock.expect;
    case OPTION_WRITE_EXPECT:
        return &check->gate.lock.write_expect;
    default:
        return NULL;
    }
}

static fh_exit take_option(fh_check *check, int c, char **argv)
{
    if (c >= FH_OPTION_SANDBOX) {
        return fh_common_option("check", c, argv);
    }
    if (c >= OPTION_KEY) {
        return fh_policy_set(&check->policy, (fh_key)(c - OPTION_KEY), optarg);
    }
    if (c >= OPTION_CHOICE) {
        return fh_policy_choose(&check->policy, (fh_choice_kind)(c - OPTION_CHOICE), optarg);
    }
    const char **place = place_of(check, c);
    if (place != NULL) {
        *place = optarg;
        return FH_EXIT_OK;
    }
    if (take_switch(check, c)) {
        return FH_EXIT_OK;
    }
    switch (c) {
    case 'F':
        return fh_outputs_want(&check->gate.outputs, optarg);
    case 'j':
        return fh_take_jobs("check", &check->num_jobs, optarg);
    case OPTION_FILES_FROM:
        return take_list(check, optarg);
    case OPTION_TOLERANCE:
        return take_tolerance(check, optarg);
    default:
        return fh_common_option("check", c, argv);
    }
}

/* Whether the options go together. */
static fh_exit look_at_all(fh_check *check, int num, char **paths)
{
    if (!check->only_shows) {
        const fh_exit exit = fh_subjects_check(&check->subjects, num, paths);
        if (exit != FH_EXIT_OK) {
            return exit;
        }
    }
    if (check->gate.lock.has_tolerance && check->gate.lock.expect == NULL) {
        return fh_usage_error("check", "--tolerance needs --expect, the lock it is for");
    }
    if (check->fix.shows && check->gate.outputs.num > 0) {
        return fh_usage_error("check", "--diff shows changes and writes no report; leave "
                                       "--format out");
    }
    const char *asked = check->policy.asked[FH_KEY_BAC];
    check->judge.beside.asked = asked;
    if (asked != NULL && strcmp(asked, "-") == 0 && check->subjects.files_from != NULL &&
        strcmp(check->subjects.files_from, "-") == 0) {
        return fh_usage_error("check", "standard input cannot be the model and a list");
    }
    for (int i = 0; i < num; i++) {
        if (fh_beside_is(&check->judge.beside, paths[i])) {
            return fh_usage_error("check", "%s cannot be the model and what is checked",
                                  fh_safe_path(paths[i]));
        }
        if (check->fix.is_wanted && !check->fix.shows && strcmp(paths[i], "-") == 0) {
            return fh_usage_error("check", "standard input cannot be mended; --diff shows how");
        }
    }
    return FH_EXIT_OK;
}

fh_exit fh_check_options(fh_check *check, int argc, char **argv)
{
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":F:j:0", options, NULL)) != -1;) {
        const fh_exit exit = take_option(check, c, argv);
        if (exit != FH_EXIT_OK) {
            return exit;
        }
    }
    return look_at_all(check, argc - optind, argv + optind);
}
