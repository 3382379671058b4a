/* framehound check: the gate for asset files. */
#include "cmd.h"

#include "gate/choice.h"
#include "gate/gate.h"
#include "gate/jobs.h"
#include "gate/judge.h"
#include "gate/limits.h"
#include "gate/recall.h"
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
    "  -h, --help            this text\n"
    "\n"
    "To search inside containers and disc images use framehound scan.\n";

typedef struct check_run {
    fh_gate gate;
    fh_judge judge;
    fh_jobs *jobs;
    uint32_t num_jobs; /* 0: as many as there are processors */
    fh_choice choice;
    fh_cache cache;
    const char *cache_path; /* NULL: no cache */
} check_run;

static bool on_file(void *user, const char *path, bool explicit_name)
{
    check_run *run = user;
    (void)explicit_name;
    return fh_lock_writes(&run->gate.lock, path) || fh_jobs_file(run->jobs, path);
}

static void on_error(void *user, const char *path, const char *why)
{
    check_run *run = user;
    (void)fh_jobs_error(run->jobs, path, why); /* the next file ends the walk if need be */
}

static void on_settle(void *user)
{
    fh_jobs_settle(((check_run *)user)->jobs);
}

static void tell_result(void *user, fh_result *result)
{
    fh_gate_tell(&((check_run *)user)->gate, result);
}

static void tell_no_memory(void *user)
{
    check_run *run = user;
    fh_complain("out of memory");
    run->gate.exit = FH_EXIT_LIMIT;
}

static void tell_error(void *user, const char *path, const char *why)
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
    OPTION_TOLERANCE,
    OPTION_CHANGED_SINCE,
    OPTION_GITIGNORE,
    OPTION_FILES_FROM,
    OPTION_CACHE,
    OPTION_NO_CACHE
};

/* Options about which files are checked, and how fast. */
static fh_exit take_way(check_run *run, int c, char **argv)
{
    switch (c) {
    case 'j':
        return fh_take_jobs("check", &run->num_jobs, optarg);
    case '0':
        run->choice.null = true;
        return FH_EXIT_OK;
    case OPTION_CHANGED_SINCE:
        run->choice.changed_since = optarg;
        return FH_EXIT_OK;
    case OPTION_GITIGNORE:
        run->choice.gitignore = true;
        return FH_EXIT_OK;
    case OPTION_FILES_FROM:
        if (run->choice.files_from != NULL) {
            return fh_usage_error("check", "--files-from is given twice");
        }
        run->choice.files_from = optarg;
        return FH_EXIT_OK;
    case OPTION_CACHE:
        run->cache_path = optarg;
        return FH_EXIT_OK;
    case OPTION_NO_CACHE:
        run->cache_path = NULL;
        return FH_EXIT_OK;
    default:
        return fh_option_error("check", c, argv);
    }
}

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
        return take_way(run, c, argv);
    }
}

static fh_exit take_options(check_run *run, int argc, char **argv)
{
    static const struct option options[] = {
        {"format", required_argument, NULL, 'F'},
        {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
        {"jobs", required_argument, NULL, 'j'},
        {"changed-since", required_argument, NULL, OPTION_CHANGED_SINCE},
        {"gitignore", no_argument, NULL, OPTION_GITIGNORE},
        {"files-from", required_argument, NULL, OPTION_FILES_FROM},
        {"null", no_argument, NULL, '0'},
        {"cache", required_argument, NULL, OPTION_CACHE},
        {"no-cache", no_argument, NULL, OPTION_NO_CACHE},
        {"no-replay", no_argument, NULL, OPTION_NO_REPLAY},
        {"profile", required_argument, NULL, OPTION_PROFILE},
        {"bac", required_argument, NULL, OPTION_BAC},
        {"expect", required_argument, NULL, OPTION_EXPECT},
        {"write-expect", required_argument, NULL, OPTION_WRITE_EXPECT},
        {"tolerance", required_argument, NULL, OPTION_TOLERANCE},
        {0}};
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":F:j:0", options, NULL)) != -1;) {
        const fh_exit exit = take_option(run, c, argv);
        if (exit != FH_EXIT_OK) {
            return exit;
        }
    }
    const fh_exit choice = fh_choice_check(&run->choice, argc - optind, argv + optind);
    if (choice != FH_EXIT_OK) {
        return choice;
    }
    const char *asked = run->judge.beside.asked;
    if (asked != NULL && strcmp(asked, "-") == 0 && run->choice.files_from != NULL &&
        strcmp(run->choice.files_from, "-") == 0) {
        return fh_usage_error("check", "standard input cannot be the model and a list");
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
    const fh_walk_sink sink = {run, on_file, on_error, &num_left_out, on_settle};
    const fh_jobs_sink jobs_sink = {run, tell_result, tell_error, tell_no_memory};
    const fh_beside *beside = &run->judge.beside;
    const unsigned num_jobs = run->num_jobs > 0 ? run->num_jobs : fh_ring_default();
    run->jobs = fh_jobs_begin(&run->judge, num_jobs, &jobs_sink);
    if (run->jobs == NULL) {
        tell_no_memory(run);
        return;
    }
    const fh_exit exit = fh_choice_walk(&run->choice, &sink, num, paths);
    if (!fh_jobs_end(run->jobs)) {
        run->gate.exit = FH_EXIT_LIMIT; /* interrupted */
    }
    run->gate.exit = fh_worst(run->gate.exit, exit);
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
    if (exit == FH_EXIT_OK && run.cache_path != NULL) {
        exit = fh_recall_open(&run.cache, run.cache_path);
        run.judge.cache = exit == FH_EXIT_OK ? &run.cache : NULL;
    }
    if (exit == FH_EXIT_OK) {
        exit = fh_gate_begin(&run.gate);
    }
    if (exit == FH_EXIT_OK) {
        exit = fh_lock_begin(&run.gate.lock, &run.judge);
    }
    if (exit == FH_EXIT_OK) {
        char **paths = NULL;
        const int num = fh_choice_paths(&run.choice, &paths, argc - optind, argv + optind);
        check_all(&run, num, paths);
        exit = fh_worst(fh_lock_end(&run.gate.lock), fh_gate_end(&run.gate));
    }
    if (run.judge.cache != NULL) {
        fh_cache_close(run.judge.cache);
    }
    fh_lock_free(&run.gate.lock);
    fh_judge_free(&run.judge);
    return exit;
}
