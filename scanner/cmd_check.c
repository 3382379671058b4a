/* framehound check: the gate for asset files. */
#include "cmd.h"

#include "gate/gate.h"
#include "gate/judge.h"
#include "gate/policy.h"
#include "gate/show.h"
#include "walk.h"

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
    "  -F, --format text     form of the output (text is the only one)\n"
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
    "  -h, --help            this text\n"
    "\n"
    "Longer codes count more than shorter ones, later options more than earlier ones, options\n"
    "more than a configuration. To search inside containers and disc images use framehound scan.\n";

typedef struct check_run {
    fh_gate gate;
    fh_judge judge;
    fh_policy policy;
    bool only_shows;
} check_run;

/* What the configuration says of how the file is to be judged. */
static fh_exit settle(check_run *run, const char *path)
{
    fh_settings settings;
    const fh_exit exit = fh_policy_find(&settings, &run->policy, path);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    run->judge.options.profile = settings.profile;
    return fh_beside_ask(&run->judge.beside, settings.bac, "check");
}

/* A configuration is no asset; it is looked at when it is named itself. */
static bool is_config(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash == NULL ? path : slash + 1, FH_CONFIG_NAME) == 0;
}

static bool on_file(void *user, const char *path, bool explicit_name)
{
    check_run *run = user;
    fh_result result;
    if (!explicit_name && is_config(path)) {
        return true;
    }
    const fh_exit exit = settle(run, path);
    if (exit != FH_EXIT_OK) {
        run->gate.exit = fh_worst(run->gate.exit, exit);
        return false;
    }
    if (!fh_judge_file(&result, &run->judge, path)) {
        fh_complain("out of memory");
        run->gate.exit = FH_EXIT_LIMIT;
        return false;
    }
    fh_gate_tell(&run->gate, &result);
    if (fh_interrupted(NULL)) {
        run->gate.exit = FH_EXIT_LIMIT;
        return false;
    }
    return run->gate.exit != FH_EXIT_USAGE; /* a configuration that is wrong */
}

static void on_error(void *user, const char *path, const char *why)
{
    check_run *run = user;
    fh_complain("cannot read %s: %s; check the name and the permissions", fh_safe_path(path), why);
    run->gate.exit = fh_worst(run->gate.exit, FH_EXIT_IO);
}

/* Those that a configuration has too are OPTION_KEY and the key. */
enum {
    OPTION_NO_REPLAY = 256,
    OPTION_CONFIG,
    OPTION_NO_CONFIG,
    OPTION_SHOW_CONFIG,
    OPTION_WRITE_BASELINE,
    OPTION_EXPECT,
    OPTION_WRITE_EXPECT,
    OPTION_TOLERANCE,
    OPTION_CHOICE,
    OPTION_KEY = OPTION_CHOICE + FH_CHOICE_GRADE + 1
};

static fh_exit take_option(check_run *run, int c, char **argv)
{
    if (c >= OPTION_KEY) {
        return fh_policy_set(&run->policy, (fh_key)(c - OPTION_KEY), optarg);
    }
    if (c >= OPTION_CHOICE) {
        return fh_policy_choose(&run->policy, (fh_choice_kind)(c - OPTION_CHOICE), optarg);
    }
    switch (c) {
    case 'F':
        return fh_gate_want(&run->gate, optarg);
    case OPTION_NO_REPLAY:
        run->policy.replays = false;
        run->judge.options.replay = false;
        return FH_EXIT_OK;
    case OPTION_CONFIG:
        run->policy.config = optarg;
        return FH_EXIT_OK;
    case OPTION_NO_CONFIG:
        run->policy.no_config = true;
        return FH_EXIT_OK;
    case OPTION_SHOW_CONFIG:
        run->only_shows = true;
        return FH_EXIT_OK;
    case OPTION_WRITE_BASELINE:
        run->policy.write_baseline = optarg;
        return FH_EXIT_OK;
    case OPTION_EXPECT:
        run->gate.lock.expect = optarg;
        return FH_EXIT_OK;
    case OPTION_WRITE_EXPECT:
        run->gate.lock.write_expect = optarg;
        return FH_EXIT_OK;
    case OPTION_TOLERANCE:
        return fh_lock_tolerance(&run->gate.lock, optarg)
                   ? FH_EXIT_OK
                   : fh_usage_error("check", "--tolerance is a number from 0 on, not '%s'",
                                    fh_safe_path(optarg));
    default:
        return fh_option_error("check", c, argv);
    }
}

static fh_exit take_options(check_run *run, int argc, char **argv)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'F'},
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
        {0}};
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":F:", options, NULL)) != -1;) {
        const fh_exit exit = take_option(run, c, argv);
        if (exit != FH_EXIT_OK) {
            return exit;
        }
    }
    if (optind == argc && !run->only_shows) {
        return fh_usage_error("check", "no file or directory given");
    }
    run->judge.beside.asked = run->policy.asked[FH_KEY_BAC];
    for (int i = optind; i < argc; i++) {
        if (fh_beside_is(&run->judge.beside, argv[i])) {
            return fh_usage_error("check", "%s cannot be the model and what is checked",
                                  fh_safe_path(argv[i]));
        }
    }
    return FH_EXIT_OK;
}

static void check_all(check_run *run, int num, char **paths)
{
    size_t num_left_out = 0;
    const fh_walk_sink sink = {run, on_file, on_error, &num_left_out};
    const fh_beside *beside = &run->judge.beside;
    for (int i = 0; i < num; i++) {
        if (!fh_walk(paths[i], &sink)) {
            return;
        }
    }
    fh_tell_left_out(num_left_out);
    fh_gate_missing(&run->gate, num, paths);
    if (run->gate.num_files == 0 && run->gate.exit == FH_EXIT_OK) {
        fh_complain("there was no file to check");
    } else if (beside->file.len > 0 && run->policy.asked[FH_KEY_BAC] != NULL && !beside->is_used) {
        fh_complain("%s was not used: no file is an animation that belongs to such a model",
                    fh_safe_path(beside->asked));
    }
}

/* The baseline is told of, or written, only by a run that got to its end. */
static fh_exit check_paths(check_run *run, int num, char **paths)
{
    fh_exit exit = fh_beside_open(&run->judge.beside, "check");
    if (exit == FH_EXIT_OK) {
        exit = fh_gate_begin(&run->gate);
    }
    if (exit == FH_EXIT_OK) {
        exit = fh_lock_begin(&run->gate.lock, &run->judge);
    }
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    check_all(run, num, paths);
    const bool is_whole = run->gate.exit == FH_EXIT_OK || run->gate.exit == FH_EXIT_FINDINGS;
    if (is_whole) {
        fh_policy_stale(&run->policy, num, paths, fh_gate_stale, &run->gate);
    }
    exit = fh_worst(fh_lock_end(&run->gate.lock), fh_gate_end(&run->gate));
    if (is_whole) {
        return fh_worst(exit, fh_policy_write(&run->policy));
    }
    if (run->policy.write_baseline != NULL) {
        fh_complain("%s: not written, because not every file could be checked",
                    fh_safe_path(run->policy.write_baseline));
    }
    return exit;
}

static fh_exit run_check(check_run *run, int num, char **paths)
{
    char here[] = ".";
    char *only_here[] = {here, NULL};
    const fh_exit exit = fh_policy_begin(&run->policy, num, paths);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    if (run->only_shows) {
        return fh_show_settings(&run->policy, num == 0 ? 1 : num, num == 0 ? only_here : paths);
    }
    return check_paths(run, num, paths);
}

fh_exit fh_cmd_check(int argc, char **argv)
{
    check_run run = {.judge = fh_judge_make(), .policy = fh_policy_make()};
    if (fh_wants_help(argc, argv)) {
        (void)fputs(help, stdout);
        return fh_flush_stdout(0);
    }
    run.gate.policy = &run.policy;
    fh_exit exit = take_options(&run, argc, argv);
    if (exit == FH_EXIT_OK) {
        exit = run_check(&run, argc - optind, argv + optind);
    }
    fh_lock_free(&run.gate.lock);
    fh_judge_free(&run.judge);
    fh_policy_free(&run.policy);
    return exit;
}
