/* framehound check: the gate for asset files. */
#include "beside.h"
#include "cmd.h"
#include "fix.h"

#include "hunt/exam.h"
#include "hunt/hunt.h"
#include "hunt/run_rules.h"
#include "load.h"
#include "registry/registry.h"
#include "reports/check_text.h"
#include "source/image_rules.h"
#include "walk.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    "      --fix             mend what is certainly wrong (counts, sizes and lengths that the\n"
    "                        rest says again, bits that must be 0, the form of texts) in the\n"
    "                        files themselves, then judge them; see framehound rules CODE\n"
    "      --diff            show what --fix would change, and write nothing; exit with 1 if\n"
    "                        there is anything\n"
    "  -h, --help            this text\n"
    "\n"
    "To search inside containers and disc images use framehound scan.\n";

typedef struct check_run {
    fh_check_text text;
    fh_exam exam;
    fh_file file;
    fh_fail_on fail_on;
    fh_exam_options options;
    fh_beside beside;
    fh_fix fix;
    fh_exit exit;
} check_run;

static void tell(check_run *run, const fh_finding *finding)
{
    char message[FH_MESSAGE_LEN];
    fh_finding_record record = fh_finding_to_record(finding, message);
    record.raw_offset = finding->offset; /* the asset is the file */
    fh_check_text_finding(&run->text, &record);
    if (fh_fails(&run->fail_on, record.severity)) {
        run->exit = fh_worst(run->exit, FH_EXIT_FINDINGS);
    }
}

static fh_finding own_finding(const fh_rule *rule, const char *field, const char *found)
{
    fh_finding finding = fh_finding_make(rule, field);
    finding.offset = 0;
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(&text, found);
    return finding;
}

static void tell_exam(check_run *run, const char *path, const fh_format *format)
{
    const fh_exam *exam = &run->exam;
    const fh_replay_record replay = {.frames = exam->result.frames,
                                     .status = fh_replay_state_name(exam->result.state)};
    const fh_asset_record record = {.format = format->name,
                                    .grade = fh_grade_name(exam->asset.grade),
                                    .raw_offset = 0,
                                    .user_offset = 0,
                                    .length = (int64_t)exam->asset.length,
                                    .lba = FH_UNKNOWN,
                                    .iso_offset = FH_UNKNOWN,
                                    .ram_address = exam->asset.ram_address,
                                    .evidence_bits = exam->asset.evidence_bits,
                                    .frames = exam->asset.frames,
                                    .replay = exam->is_replayed ? &replay : NULL,
                                    .objects = exam->asset.objects};
    fh_check_text_file(&run->text, path, &record, NULL);
    for (size_t i = 0; i < exam->num_findings; i++) {
        tell(run, &exam->findings[i]);
    }
    if (exam->status == FH_LIMIT || exam->status == FH_NO_MEMORY ||
        (exam->is_replayed && exam->result.state == FH_REPLAY_STOPPED)) {
        run->exit = FH_EXIT_LIMIT;
    }
}

/* by_name: the format that the name promises and the content is not, or NULL. */
static void judge_as(check_run *run, const char *path, const fh_format *format,
                     const fh_format *by_name)
{
    const fh_exit exit = fh_beside_find(&run->options.companion, &run->beside, format, path);
    run->exit = fh_worst(run->exit, exit);
    if (!fh_exam_run(&run->exam, format, fh_file_cursor(&run->file), &run->options)) {
        fh_complain("%s: out of memory", fh_safe_path(path));
        run->exit = FH_EXIT_LIMIT;
        return;
    }
    if (by_name != NULL) {
        fh_finding finding = own_finding(&fh_run_rules.rules[FH_RUN0005], "content", "");
        fh_text text = fh_text_make(finding.found, sizeof finding.found);
        fh_text_str(fh_text_str(&text, by_name == format ? "not a whole " : "of the format "),
                    format->name);
        text = fh_text_make(finding.expected, sizeof finding.expected);
        fh_text_str(fh_text_str(&text, "a whole "), by_name->name);
        fh_exam_add(&run->exam, &finding);
    }
    tell_exam(run, path, format);
}

static void judge(check_run *run, const char *path, bool is_too_long)
{
    const fh_format *by_name = fh_format_by_path(path);
    if (run->file.len == 0) {
        const fh_finding finding =
            own_finding(&fh_image_rules.rules[FH_IMG0001], "length", "0 bytes");
        fh_check_text_file(&run->text, path, NULL, "empty");
        tell(run, &finding);
        return;
    }
    if (is_too_long) {
        fh_check_text_file(&run->text, path, NULL,
                           "longer than any animation; framehound scan searches inside");
        if (by_name != NULL) {
            const fh_finding finding =
                own_finding(&fh_run_rules.rules[FH_RUN0005], "length", "more than 8 MiB");
            tell(run, &finding);
        }
        return;
    }
    const fh_format *by_content = fh_format_of_content(fh_file_cursor(&run->file));
    if (by_content != NULL) {
        judge_as(run, path, by_content, by_name == by_content ? NULL : by_name);
    } else if (by_name != NULL) {
        judge_as(run, path, by_name, by_name);
    } else {
        fh_check_text_file(&run->text, path, NULL,
                           "no animation of a known format; framehound scan searches inside");
    }
}

/* Mends the file before it is judged; false if it is only to be shown. */
static bool mend(check_run *run, const char *path)
{
    if (!run->fix.is_wanted && !run->fix.shows) {
        return true;
    }
    const fh_format *format = fh_format_of_content(fh_file_cursor(&run->file));
    if (format == NULL) {
        format = fh_format_by_path(path);
    }
    if (format != NULL && run->file.len > 0) {
        run->exit = fh_worst(run->exit,
                             fh_beside_find(&run->options.companion, &run->beside, format, path));
        run->exit =
            fh_worst(run->exit, fh_fix_file(&run->fix, &run->file, path, format, &run->options));
    }
    return !run->fix.shows;
}

static bool on_file(void *user, const char *path, bool explicit_name)
{
    check_run *run = user;
    (void)explicit_name;
    const fh_load_status status = fh_file_load(&run->file, path);
    if (status == FH_LOAD_STOPPED || status == FH_LOAD_NO_MEMORY) {
        fh_complain("%s: %s", fh_safe_path(path),
                    status == FH_LOAD_STOPPED ? "interrupted" : "out of memory");
        run->exit = FH_EXIT_LIMIT;
    } else if (status == FH_LOAD_ERROR) {
        fh_complain("cannot read %s: %s", fh_safe_path(path), run->file.error);
        run->exit = fh_worst(run->exit, FH_EXIT_IO);
    } else if (status == FH_LOAD_TOO_LONG || mend(run, path)) {
        judge(run, path, status == FH_LOAD_TOO_LONG);
    }
    return !fh_interrupted(NULL);
}

static void on_error(void *user, const char *path, const char *why)
{
    check_run *run = user;
    fh_complain("cannot read %s: %s; check the name and the permissions", fh_safe_path(path), why);
    run->exit = fh_worst(run->exit, FH_EXIT_IO);
}

enum {
    OPTION_FAIL_ON = 256,
    OPTION_NO_REPLAY,
    OPTION_PROFILE,
    OPTION_BAC,
    OPTION_FIX,
    OPTION_DIFF
};

static fh_exit take_option(check_run *run, int c, char **argv)
{
    switch (c) {
    case 'F':
        return strcmp(optarg, "text") == 0
                   ? FH_EXIT_OK
                   : fh_usage_error("check", "--format is text, not '%s'", fh_safe_path(optarg));
    case OPTION_FAIL_ON:
        return fh_parse_fail_on(&run->fail_on, optarg)
                   ? FH_EXIT_OK
                   : fh_usage_error("check", "--fail-on is error, warning, note or never, not '%s'",
                                    fh_safe_path(optarg));
    case OPTION_NO_REPLAY:
        run->options.replay = false;
        return FH_EXIT_OK;
    case OPTION_FIX:
        run->fix.is_wanted = true;
        return FH_EXIT_OK;
    case OPTION_DIFF:
        run->fix.shows = true;
        return FH_EXIT_OK;
    case OPTION_BAC:
        run->beside.asked = optarg;
        return FH_EXIT_OK;
    case OPTION_PROFILE:
        run->options.profile = optarg;
        return fh_is_profile(optarg)
                   ? FH_EXIT_OK
                   : fh_usage_error("check", "no player is called '%s'", fh_safe_path(optarg));
    default:
        return fh_option_error("check", c, argv);
    }
}

static fh_exit take_options(check_run *run, int argc, char **argv)
{
    static const struct option options[] = {{"format", required_argument, NULL, 'F'},
                                            {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
                                            {"no-replay", no_argument, NULL, OPTION_NO_REPLAY},
                                            {"profile", required_argument, NULL, OPTION_PROFILE},
                                            {"bac", required_argument, NULL, OPTION_BAC},
                                            {"fix", no_argument, NULL, OPTION_FIX},
                                            {"diff", no_argument, NULL, OPTION_DIFF},
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
        if (fh_beside_is(&run->beside, argv[i])) {
            return fh_usage_error("check", "%s cannot be the model and what is checked",
                                  fh_safe_path(argv[i]));
        }
        if (run->fix.is_wanted && !run->fix.shows && strcmp(argv[i], "-") == 0) {
            return fh_usage_error("check", "standard input cannot be mended; --diff shows how");
        }
    }
    return FH_EXIT_OK;
}

static void check_all(check_run *run, int num, char **paths)
{
    size_t num_left_out = 0;
    const fh_walk_sink sink = {run, on_file, on_error, &num_left_out};
    fh_check_text_begin(&run->text, stdout, isatty(STDOUT_FILENO) && getenv("NO_COLOR") == NULL);
    for (int i = 0; i < num; i++) {
        if (!fh_walk(paths[i], &sink)) {
            run->exit = FH_EXIT_LIMIT; /* interrupted */
            break;
        }
    }
    fh_tell_left_out(num_left_out);
    if (run->text.num_files == 0 && run->exit == FH_EXIT_OK && !run->fix.shows) {
        fh_complain("there was no file to check");
    } else if (run->beside.file.len > 0 && run->beside.asked != NULL && !run->beside.is_used) {
        fh_complain("%s was not used: no file is an animation that belongs to such a model",
                    fh_safe_path(run->beside.asked));
    }
    run->exit = fh_worst(run->exit, fh_fix_end(&run->fix));
    if (!run->fix.shows) {
        run->exit = fh_worst(run->exit, fh_flush_stdout(fh_check_text_end(&run->text)));
    }
}

fh_exit fh_cmd_check(int argc, char **argv)
{
    check_run run = {.fail_on = {.severity = FH_ERROR},
                     .options = {.stand_alone = true, .aligned = true, .replay = true}};
    if (fh_wants_help(argc, argv)) {
        (void)fputs(help, stdout);
        return fh_flush_stdout(0);
    }
    run.exit = take_options(&run, argc, argv);
    if (run.exit == FH_EXIT_OK) {
        run.exit = fh_beside_open(&run.beside, "check");
    }
    if (run.exit == FH_EXIT_OK) {
        check_all(&run, argc - optind, argv + optind);
    }
    fh_exam_free(&run.exam);
    fh_file_free(&run.file);
    fh_beside_close(&run.beside);
    return run.exit;
}
