/* framehound check: the gate for asset files. */
#include "cmd.h"

#include "gate/gate.h"
#include "gate/judge.h"
#include "walk.h"

#include <getopt.h>
#include <stdio.h>

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
    "To search inside containers and disc images use framehound scan.\n";

typedef struct check_run {
    fh_gate gate;
    fh_judge judge;
} check_run;

static bool on_file(void *user, const char *path, bool explicit_name)
{
    check_run *run = user;
    fh_result result;
    (void)explicit_name;
    if (!fh_judge_file(&result, &run->judge, path)) {
        fh_complain("out of memory");
        run->gate.exit = FH_EXIT_LIMIT;
        return false;
    }
    fh_gate_tell(&run->gate, &result);
    return !fh_interrupted(NULL);
}

static void on_error(void *user, const char *path, const char *why)
{
    check_run *run = user;
    fh_complain("cannot read %s: %s; check the name and the permissions", fh_safe_path(path), why);
    run->gate.exit = fh_worst(run->gate.exit, FH_EXIT_IO);
}

enum {
    OPTION_FAIL_ON = 256,
    OPTION_NO_REPLAY,
    OPTION_PROFILE,
    OPTION_BAC,
    OPTION_EXPECT,
    OPTION_WRITE_EXPECT,
    OPTION_TOLERANCE
};

static fh_exit take_option(check_run *run, int c, char **argv)
{
    switch (c) {
    case 'F':
        return fh_gate_want(&run->gate, optarg);
    case OPTION_FAIL_ON:
        return fh_parse_fail_on(&run->gate.fail_on, optarg)
                   ? FH_EXIT_OK
                   : fh_usage_error("check", "--fail-on is error, warning, note or never, not '%s'",
                                    fh_safe_path(optarg));
    case OPTION_NO_REPLAY:
        run->judge.options.replay = false;
        return FH_EXIT_OK;
    case OPTION_BAC:
        run->judge.beside.asked = optarg;
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
    case OPTION_PROFILE:
        run->judge.options.profile = optarg;
        return fh_is_profile(optarg)
                   ? FH_EXIT_OK
                   : fh_usage_error("check", "no player is called '%s'", fh_safe_path(optarg));
    default:
        return fh_option_error("check", c, argv);
    }
}

static fh_exit take_options(check_run *run, int argc, char **argv)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'F'},
        {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
        {"no-replay", no_argument, NULL, OPTION_NO_REPLAY},
        {"profile", required_argument, NULL, OPTION_PROFILE},
        {"bac", required_argument, NULL, OPTION_BAC},
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
    if (optind == argc) {
        return fh_usage_error("check", "no file or directory given");
    }
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
            run->gate.exit = FH_EXIT_LIMIT; /* interrupted */
            break;
        }
    }
    fh_tell_left_out(num_left_out);
    fh_gate_missing(&run->gate, num, paths);
    if (run->gate.num_files == 0 && run->gate.exit == FH_EXIT_OK) {
        fh_complain("there was no file to check");
    } else if (beside->file.len > 0 && beside->asked != NULL && !beside->is_used) {
        fh_complain("%s was not used: no file is an animation that belongs to such a model",
                    fh_safe_path(beside->asked));
    }
}

fh_exit fh_cmd_check(int argc, char **argv)
{
    check_run run = {.gate = {.fail_on = {.severity = FH_ERROR}}, .judge = fh_judge_make()};
    if (fh_wants_help(argc, argv)) {
        (void)fputs(help, stdout);
        return fh_flush_stdout(0);
    }
    fh_exit exit = take_options(&run, argc, argv);
    if (exit == FH_EXIT_OK) {
        exit = fh_beside_open(&run.judge.beside, "check");
    }
    if (exit == FH_EXIT_OK) {
        exit = fh_gate_begin(&run.gate);
    }
    if (exit == FH_EXIT_OK) {
        exit = fh_lock_begin(&run.gate.lock, &run.judge);
    }
    if (exit == FH_EXIT_OK) {
        check_all(&run, argc - optind, argv + optind);
        exit = fh_worst(fh_lock_end(&run.gate.lock), fh_gate_end(&run.gate));
    }
    fh_lock_free(&run.gate.lock);
    fh_judge_free(&run.judge);
    return exit;
}
