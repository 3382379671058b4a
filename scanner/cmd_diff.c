/* framehound diff: how two databases differ. */
#include "cmd.h"

#include "reports/diff_text.h"
#include "sandbox.h"
#include "stored.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: framehound diff [OPTION...] A.db B.db\n"
    "\n"
    "Tells how the scan recorded in B.db differs from that in A.db: sources and assets that\n"
    "appeared or vanished; assets that were moved (same bytes, other place in the same source),\n"
    "or are where they were with other bytes, another motion, another grade; and of which rules\n"
    "there are more or fewer findings. Sources are the same if their paths are.\n"
    "\n"
    "  -F, --format FORMAT   text (default), json, csv\n"
    "      --match WHAT      path (default), or name: only the last part of the path of a file\n"
    "                        counts, and what lies in it\n"
    "      --sandbox on|off|require\n"
    "                        give up what the work does not need: files that were not named, the\n"
    "                        network, other programs (default: on, as far as the system can;\n"
    "                        require: or end)\n"
    "  -h, --help            this text\n"
    "\n"
    "Exit codes: 0 no difference, 1 differences.\n";

enum { OPTION_MATCH = 256 };

typedef struct diff_run {
    fh_diff_format format;
    fh_match match;
    const char *a;
    const char *b;
    bool is_begun; /* the report; nothing of it is printed for databases that cannot be read */
    fh_diff_text text;
} diff_run;

static fh_exit take_format(diff_run *run, const char *name)
{
    static const char *const names[] = {
        [FH_DIFF_TEXT] = "text", [FH_DIFF_JSON] = "json", [FH_DIFF_CSV] = "csv"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            run->format = (fh_diff_format)i;
            return FH_EXIT_OK;
        }
    }
    return fh_usage_error("diff", "--format is text, json or csv, not '%s'", fh_safe_path(name));
}

static fh_exit take_match(diff_run *run, const char *name)
{
    run->match = strcmp(name, "name") == 0 ? FH_MATCH_NAME : FH_MATCH_PATH;
    return run->match == FH_MATCH_NAME || strcmp(name, "path") == 0
               ? FH_EXIT_OK
               : fh_usage_error("diff", "--match is path or name, not '%s'", fh_safe_path(name));
}

static fh_exit parse_options(diff_run *run, int argc, char **argv)
{
    static const struct option options[] = {{"format", required_argument, NULL, 'F'},
                                            {"match", required_argument, NULL, OPTION_MATCH},
                                            FH_COMMON_OPTIONS,
                                            {0}};
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":F:", options, NULL)) != -1;) {
        const fh_exit exit = c == 'F'            ? take_format(run, optarg)
                             : c == OPTION_MATCH ? take_match(run, optarg)
                                                 : fh_common_option("diff", c, argv);
        if (exit != FH_EXIT_OK) {
            return exit;
        }
    }
    return argc - optind == 2 ? FH_EXIT_OK : fh_usage_error("diff", "two databases are needed");
}

static void begin(diff_run *run)
{
    if (!run->is_begun) {
        fh_diff_text_begin(&run->text, stdout, run->format, run->a, run->b);
        run->is_begun = true;
    }
}

static bool on_difference(void *user, const fh_difference *difference)
{
    diff_run *run = user;
    begin(run);
    fh_diff_text_put(&run->text, difference);
    return run->text.out.error == 0 && !fh_interrupted(NULL);
}

/* What cannot be opened is told when it is compared. */
static void warn_of(const char *path)
{
    char error[FH_STORE_ERROR_LEN];
    fh_store *store = NULL;
    if (fh_store_open_ro(&store, path, &fh_store_asking, error, sizeof error) == FH_STORE_OK) {
        fh_stored_warn(store, path);
    }
    fh_store_close(store);
}

fh_exit fh_cmd_diff(int argc, char **argv)
{
    diff_run run = {0};
    char error[FH_STORE_ERROR_LEN];
    if (fh_wants_help(argc, argv)) {
        return fh_print_help(help);
    }
    fh_exit exit = parse_options(&run, argc, argv);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    run.a = argv[optind];
    run.b = argv[optind + 1];
    fh_sandbox box = fh_sandbox_begin();
    fh_sandbox_writes_beside(&box, run.a);
    fh_sandbox_writes_beside(&box, run.b);
    exit = fh_sandbox_enter(&box, "diff");
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    warn_of(run.a);
    warn_of(run.b);
    const fh_store_status status = fh_store_diff(run.a, run.b, run.match, &fh_store_asking, &run,
                                                 on_difference, error, sizeof error);
    if (status != FH_STORE_OK) {
        fh_complain("%s", error);
        return fh_worst(fh_store_exit(status), fh_flush_stdout(0));
    }
    begin(&run);
    exit = run.text.total > 0 ? FH_EXIT_FINDINGS : FH_EXIT_OK;
    if (fh_interrupted(NULL)) {
        fh_complain("interrupted; not all differences were told");
        exit = FH_EXIT_LIMIT;
    }
    return fh_worst(exit, fh_flush_stdout(fh_diff_text_end(&run.text)));
}
