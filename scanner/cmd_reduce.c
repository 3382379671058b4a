/* framehound reduce: the smallest file that still shows a finding. */
#include "beside.h"
#include "cmd.h"
#include "folder.h"

#include "hunt/exam.h"
#include "hunt/reduce.h"
#include "hunt/whole.h"
#include "overwrites.h"
#include "registry/registry.h"
#include "sandbox.h"
#include "source/load.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char help[] =
    "Usage: framehound reduce FILE --code CODE [OPTION...]\n"
    "\n"
    "Takes everything out of a file that the finding of that rule does not need: frames and\n"
    "packets, chunks and lines, then bytes; what is left of binary data becomes 0 where it can.\n"
    "The result is checked once more and written beside FILE, which stays as it is.\n"
    "\n"
    "      --code CODE       the finding, as check names it, such as TOD0023\n"
    "  -o, --output OUT      where the result goes; default is FILE's name with '.reduced' in\n"
    "                        front of its extension\n"
    "      --force           write over an OUT that has other bytes\n"
    "      --max-steps N     examinations before it stops with what it has (default 10000)\n"
    "      --no-replay       look at the findings of verification only, which is faster\n"
    "      --bac FILE        BAC6 text of the model that the animation is held against (TRA4);\n"
    "                        default is a file beside, of the same name but for .bac;\n"
    "                        'none': no model\n"
    "      --sandbox on|off|require\n"
    "                        give up what the work does not need: files that were not named, the\n"
    "                        network, other programs (default: on, as far as the system can;\n"
    "                        require: or end)\n"
    "  -h, --help            this text\n"
    "\n"
    "'-' is standard input, and needs -o. Exit codes: 0 written; 2 FILE has no such finding;\n"
    "3 it cannot be read, or OUT not written; 4 stopped early: what was written is not the\n"
    "smallest.\n";

typedef struct reduction {
    const char *path;
    const char *code;
    const char *output;
    bool force;
    uint32_t max_steps;
    char own_output[PATH_MAX];
    fh_beside beside;
    fh_file file;
    fh_exam exam;
    fh_exam_options options;
    const fh_format *format;
    const fh_rule *rule;
    uint64_t work; /* what is left of it */
    bool is_spent;
} reduction;

/* ---- the question ---- */

/* check takes the result for what it is by its content, or by its name. */
static fh_oracle_answer is_taken_for_it(const reduction *run, fh_cursor bytes)
{
    const fh_format *format = NULL;
    if (!fh_format_of_content(&format, bytes)) {
        return FH_ORACLE_STOP;
    }
    format = format == NULL ? fh_format_by_path(run->output) : format;
    return format == run->format ? FH_ORACLE_YES : FH_ORACLE_NO;
}

static bool has_finding(const reduction *run)
{
    for (size_t i = 0; i < run->exam.num_findings; i++) {
        if (run->exam.findings[i].rule == run->rule) {
            return true;
        }
    }
    return false;
}

/* FH_ORACLE_STOP: there was no memory to find out. */
static fh_oracle_answer examine(reduction *run, fh_cursor bytes)
{
    if (bytes.size == 0) {
        return FH_ORACLE_NO;
    }
    if (!fh_exam_run(&run->exam, run->format, bytes, &run->options)) {
        return FH_ORACLE_STOP;
    }
    return has_finding(run) ? is_taken_for_it(run, bytes) : FH_ORACLE_NO;
}

static fh_oracle_answer answer(void *user, fh_cursor bytes)
{
    reduction *run = user;
    fh_budget reserve = {FH_RESERVE};
    const uint64_t cost = FH_REDUCE_WORK_PER_BYTE * bytes.size;
    if (fh_interrupted(NULL)) {
        return FH_ORACLE_STOP;
    }
    if (run->work < cost + FH_RESERVE) {
        run->is_spent = true;
        return FH_ORACLE_STOP;
    }
    run->exam.reserve = &reserve;
    const fh_oracle_answer is_it = examine(run, bytes);
    run->exam.reserve = NULL;
    run->work -= cost + (FH_RESERVE - reserve.left);
    run->is_spent = run->is_spent || is_it == FH_ORACLE_STOP;
    return is_it;
}

/* Why there was no answer. */
static const char *what_stopped(const reduction *run)
{
    return run->is_spent ? "a limit of work or memory" : "interrupted";
}

/* ---- the file ---- */

static fh_exit load(reduction *run)
{
    const fh_load_status status = fh_file_load(&run->file, run->path, &fh_interrupt);
    const char *path = fh_safe_path(run->path);
    switch (status) {
    case FH_LOAD_OK:
        return FH_EXIT_OK;
    case FH_LOAD_TOO_LONG:
        fh_complain("%s is longer than any animation; framehound extract takes one out", path);
        return FH_EXIT_USAGE;
    case FH_LOAD_ERROR:
        fh_complain("cannot read %s: %s", path, run->file.error);
        return FH_EXIT_IO;
    default:
        fh_complain("%s: %s", path, status == FH_LOAD_STOPPED ? "interrupted" : "out of memory");
        return FH_EXIT_LIMIT;
    }
}

/* Finds the rule, and the format that has it. */
static bool find_rule(reduction *run)
{
    for (size_t i = 0; i < fh_num_formats; i++) {
        for (size_t k = 0; k < fh_formats[i]->num_rules; k++) {
            if (fh_same_but_case(fh_formats[i]->rules[k].code, run->code)) {
                run->format = fh_formats[i];
                run->rule = &fh_formats[i]->rules[k];
                return true;
            }
        }
    }
    return false;
}

/* NAME.EXT becomes NAME.reduced.EXT. */
static bool name_output(reduction *run)
{
    const char *slash = strrchr(run->path, '/');
    const char *name = slash == NULL ? run->path : slash + 1;
    const char *dot = strrchr(name, '.');
    const size_t len = dot == NULL || dot == name ? strlen(run->path) : (size_t)(dot - run->path);
    const size_t total = strlen(run->path) + strlen(".reduced");
    if (total >= sizeof run->own_output) {
        return false;
    }
    memcpy(run->own_output, run->path, len);
    memcpy(run->own_output + len, ".reduced", strlen(".reduced"));
    memcpy(run->own_output + len + strlen(".reduced"), run->path + len, strlen(run->path) - len);
    run->own_output[total] = '\0';
    run->output = run->own_output;
    return true;
}

/* ---- writing ---- */

static fh_exit cannot_write(const reduction *run, const char *why)
{
    fh_complain("cannot write %s: %s", fh_safe_path(run->output), why);
    return FH_EXIT_IO;
}

static fh_exit put(const reduction *run, const fh_folder *folder, const char *name,
                   const fh_reduce *reduce)
{
    struct stat was;
    const fh_put_status status = fh_folder_put(folder, name, reduce->bytes, reduce->len);
    if (status == FH_PUT_ERROR) {
        return cannot_write(run, strerror(errno));
    }
    if (status != FH_PUT_DIFFERS) {
        return FH_EXIT_OK;
    }
    if (!run->force) {
        return cannot_write(run, "a file with other bytes is there; --force writes over it");
    }
    const fh_old_status old = fh_folder_look(folder, &was, name, "", 0);
    if (old == FH_OLD_LINK || old == FH_OLD_OTHER) {
        return cannot_write(run, "it is no regular file");
    }
    return fh_folder_replace(folder, name, &was, reduce->bytes, reduce->len)
               ? FH_EXIT_OK
               : cannot_write(run, strerror(errno));
}

static fh_exit write_output(const reduction *run, const fh_reduce *reduce)
{
    char parent[PATH_MAX];
    const char *slash = strrchr(run->output, '/');
    const char *name = slash == NULL ? run->output : slash + 1;
    fh_text text = fh_text_make(parent, sizeof parent);
    fh_text_str(&text, slash == NULL ? "." : run->output);
    if (name[0] == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || text.cut) {
        return cannot_write(run, "that is no name of a file");
    }
    if (slash != NULL) {
        parent[slash == run->output ? 1 : slash - run->output] = '\0';
    }
    fh_folder folder;
    if (!fh_folder_open(&folder, parent, true) || folder.fd < 0) {
        return cannot_write(run, "its directory cannot be opened");
    }
    folder.is_mute = false;
    const fh_exit exit = put(run, &folder, name, reduce);
    fh_folder_close(&folder);
    return exit;
}

/* ---- all of it ---- */

static fh_exit tell(const reduction *run, const fh_reduce *reduce)
{
    (void)printf("%s: %s, %zu -> %zu bytes in %u steps: %s\n", fh_safe_path(run->path),
                 run->rule->code, run->file.len, reduce->len, reduce->steps,
                 fh_safe_path(run->output));
    if (reduce->is_limited) {
        fh_complain("stopped after %u steps, before it was the smallest; --max-steps allows more",
                    reduce->steps);
    } else if (reduce->is_stopped) {
        fh_complain("stopped before it was the smallest: %s", what_stopped(run));
    }
    return fh_worst(reduce->is_limited || reduce->is_stopped ? FH_EXIT_LIMIT : FH_EXIT_OK,
                    fh_flush_stdout(0));
}

/* The result is judged as any file is, without the bounds of the search. */
static fh_exit verify_and_write(reduction *run, const fh_reduce *reduce)
{
    const fh_oracle_answer is_it = examine(run, fh_cursor_make(reduce->bytes, reduce->len, 0));
    if (is_it == FH_ORACLE_STOP) {
        fh_complain("%s: out of memory", fh_safe_path(run->path));
        return FH_EXIT_LIMIT;
    }
    if (is_it != FH_ORACLE_YES) {
        fh_complain("internal error: the result does not show %s; nothing is written",
                    run->rule->code);
        return FH_EXIT_LIMIT;
    }
    const fh_exit exit = write_output(run, reduce);
    return exit != FH_EXIT_OK ? exit : tell(run, reduce);
}

/* What was not found out is no reason to send anybody to another command. */
static fh_exit refuse(const reduction *run, fh_oracle_answer is_it)
{
    const char *path = fh_safe_path(run->path);
    if (is_it == FH_ORACLE_STOP) {
        fh_complain("%s: %s", path, what_stopped(run));
        return FH_EXIT_LIMIT;
    }
    fh_complain("%s has no finding %s as %s is judged; framehound check lists those it has", path,
                run->rule->code, run->format->name);
    return FH_EXIT_USAGE;
}

static fh_exit reduce_file(reduction *run)
{
    const fh_oracle_answer is_it = answer(run, fh_file_cursor(&run->file));
    if (is_it != FH_ORACLE_YES) {
        return refuse(run, is_it);
    }
    fh_reduce reduce = {.format = run->format,
                        .max_steps = run->max_steps,
                        .oracle = answer,
                        .user = run,
                        .bytes = malloc(run->file.len + 1),
                        .len = run->file.len};
    if (reduce.bytes != NULL) {
        memcpy(reduce.bytes, run->file.bytes, reduce.len);
    }
    fh_exit exit = FH_EXIT_LIMIT;
    if (reduce.bytes == NULL || !fh_reduce_run(&reduce)) {
        fh_complain("%s: out of memory", fh_safe_path(run->path));
    } else {
        exit = verify_and_write(run, &reduce);
    }
    free(reduce.bytes);
    return exit;
}

static fh_exit reduce_all(reduction *run)
{
    fh_exit exit = load(run);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    exit = fh_beside_look(&run->beside, &run->options.companion, run->format,
                          strcmp(run->path, "-") == 0 ? NULL : run->path);
    return exit != FH_EXIT_OK ? exit : reduce_file(run);
}

/* ---- options ---- */

enum { OPTION_CODE = 256, OPTION_FORCE, OPTION_STEPS, OPTION_NO_REPLAY, OPTION_BAC };

static fh_exit take_option(reduction *run, int c, char **argv)
{
    switch (c) {
    case OPTION_CODE:
        run->code = optarg;
        return FH_EXIT_OK;
    case 'o':
        run->output = optarg;
        return FH_EXIT_OK;
    case OPTION_FORCE:
        run->force = true;
        return FH_EXIT_OK;
    case OPTION_STEPS:
        return fh_parse_u32(&run->max_steps, optarg)
                   ? FH_EXIT_OK
                   : fh_usage_error("reduce", "--max-steps is a number, not '%s'",
                                    fh_safe_path(optarg));
    case OPTION_NO_REPLAY:
        run->options.replay = false;
        return FH_EXIT_OK;
    case OPTION_BAC:
        run->beside.asked = optarg;
        return FH_EXIT_OK;
    default:
        return fh_common_option("reduce", c, argv);
    }
}

static fh_exit judge_arguments(reduction *run, int argc, char **argv)
{
    if (optind + 1 != argc) {
        return fh_usage_error("reduce", "one file is reduced at a time, not %d", argc - optind);
    }
    run->path = argv[optind];
    if (run->code == NULL) {
        return fh_usage_error("reduce", "--code CODE says which finding is to stay");
    }
    if (!find_rule(run)) {
        return fh_usage_error("reduce",
                              "no format has a rule '%s'; framehound rules lists them all",
                              fh_safe_path(run->code));
    }
    if (run->output == NULL && strcmp(run->path, "-") == 0) {
        return fh_usage_error("reduce", "the result of standard input needs a name: -o OUT");
    }
    if (run->output == NULL && !name_output(run)) {
        return fh_usage_error("reduce", "the name is too long; -o OUT gives another one");
    }
    if (strcmp(run->path, "-") != 0 && fh_same_at(run->path, run->output)) {
        return fh_usage_error("reduce", "%s cannot be the file and the result",
                              fh_safe_path(run->path));
    }
    return FH_EXIT_OK;
}

static fh_exit take_options(reduction *run, int argc, char **argv)
{
    static const struct option options[] = {{"code", required_argument, NULL, OPTION_CODE},
                                            {"output", required_argument, NULL, 'o'},
                                            {"force", no_argument, NULL, OPTION_FORCE},
                                            {"max-steps", required_argument, NULL, OPTION_STEPS},
                                            {"no-replay", no_argument, NULL, OPTION_NO_REPLAY},
                                            {"bac", required_argument, NULL, OPTION_BAC},
                                            FH_COMMON_OPTIONS,
                                            {0}};
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":o:", options, NULL)) != -1;) {
        const fh_exit exit = take_option(run, c, argv);
        if (exit != FH_EXIT_OK) {
            return exit;
        }
    }
    return judge_arguments(run, argc, argv);
}

static fh_exit enter_sandbox(const reduction *run)
{
    fh_sandbox box = fh_sandbox_begin();
    fh_sandbox_reads_around(&box, run->path);
    fh_sandbox_reads(&box, run->beside.asked);
    fh_sandbox_writes_beside(&box, run->output);
    return fh_sandbox_enter(&box, "reduce");
}

fh_exit fh_cmd_reduce(int argc, char **argv)
{
    reduction run = {.max_steps = FH_REDUCE_STEPS,
                     .work = FH_REDUCE_WORK,
                     .options = {.stand_alone = true, .aligned = true, .replay = true}};
    if (fh_wants_help(argc, argv)) {
        return fh_print_help(help);
    }
    fh_exit exit = take_options(&run, argc, argv);
    if (exit == FH_EXIT_OK) {
        exit = enter_sandbox(&run);
    }
    if (exit == FH_EXIT_OK) {
        exit = fh_beside_open(&run.beside, "reduce");
    }
    if (exit == FH_EXIT_OK) {
        exit = reduce_all(&run);
    }
    fh_exam_free(&run.exam);
    fh_file_free(&run.file);
    fh_beside_close(&run.beside);
    return exit;
}
