/* framehound report: what a database has recorded, in any form. */
#include "cmd.h"

#include "detail.h"
#include "hunt/extract.h"
#include "outputs.h"
#include "sandbox.h"
#include "stored.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: framehound report [OPTION...] DB\n"
    "\n"
    "Prints what the scans recorded in the database DB have found, in the same forms as\n"
    "framehound check. Findings of rules that this program does not know are told with the\n"
    "texts that the database keeps. A scan into the database has to wait meanwhile.\n"
    "The form html is a page for a browser, which needs no network: the disc, the assets, their\n"
    "bytes and their motion. For it the sources are read again, as far as they are still there.\n"
    "\n"
    "  -F, --format NAME[=FILE]\n"
    "                        form of the report, and the file it goes to (default: text on\n"
    "                        standard output); may be given several times: text, concise,\n"
    "                        json, jsonl, csv, sarif, junit, github, gitlab, dfxml,\n"
    "                        html\n"
    "  -o, --output FILE     the file of the one report that is asked for\n"
    "      --no-detail       do not read the sources again: a page without bytes and motion\n"
    "      --fail-on LEVEL   exit with 1 from this severity on: error, warning, note,\n"
    "                        never (default)\n"
    "      --explain         say at the end what the commonest of these rules mean (text)\n"
    "      --sandbox on|off|require\n"
    "                        give up what the work does not need: files that were not named, the\n"
    "                        network, other programs (default: on, as far as the system can;\n"
    "                        require: or end)\n"
    "  -h, --help            this text\n";

/* Rules of the database that this program does not know. One that made so many was not ours. */
#define MOST_FOREIGN 1024u

/* A rule that was read from the database. */
typedef struct foreign_rule {
    fh_rule rule;
    char *code; /* owned, as are the texts */
    fh_stored_rule stored;
} foreign_rule;

typedef struct report_run {
    fh_outputs outputs;
    const char *output; /* NULL: as --format says */
    bool no_detail;
    fh_fail_on fail_on;
    fh_exit exit;
    fh_store *store;
    bool has_unfinished;   /* a scan that did not come to its end */
    const fh_rule **known; /* owned list of all rules of the program, by code */
    size_t num_known;
    foreign_rule *foreign; /* owned list of MOST_FOREIGN */
    size_t num_foreign;
} report_run;

/* ---- rules ----------------------------------------------------------------------------------- */

static int by_code(const void *a, const void *b)
{
    return strcmp((*(const fh_rule *const *)a)->code, (*(const fh_rule *const *)b)->code);
}

static bool list_known(report_run *run)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    size_t num = 0;
    for (size_t i = 0; i < num_tables; i++) {
        num += tables[i].num_rules;
    }
    run->known = calloc(num + 1, sizeof *run->known);
    run->foreign = calloc(MOST_FOREIGN, sizeof *run->foreign);
    if (run->known == NULL || run->foreign == NULL) {
        return false;
    }
    for (size_t i = 0; i < num_tables; i++) {
        for (size_t k = 0; k < tables[i].num_rules; k++) {
            run->known[run->num_known++] = &tables[i].rules[k];
        }
    }
    qsort(run->known, run->num_known, sizeof *run->known, by_code);
    return true;
}

static const fh_rule *find_foreign(const report_run *run, const char *code)
{
    for (size_t i = 0; i < run->num_foreign; i++) {
        if (strcmp(run->foreign[i].code, code) == 0) {
            return &run->foreign[i].rule;
        }
    }
    return NULL;
}

static const fh_rule *read_foreign(report_run *run, const char *code)
{
    foreign_rule *foreign = &run->foreign[run->num_foreign];
    if (run->num_foreign == MOST_FOREIGN) {
        fh_complain("more than %u rules of the database are unknown; update framehound",
                    MOST_FOREIGN);
        run->exit = FH_EXIT_LIMIT;
        return NULL;
    }
    if (fh_store_find_rule(run->store, &foreign->stored, code) != FH_STORE_OK) {
        return NULL;
    }
    foreign->code = strdup(code);
    if (foreign->code == NULL) {
        free(foreign->stored.title);
        free(foreign->stored.explanation);
        fh_complain("out of memory");
        run->exit = FH_EXIT_LIMIT;
        return NULL;
    }
    const bool is_there = foreign->stored.is_there;
    foreign->rule = (fh_rule){
        .code = foreign->code,
        .severity = is_there ? foreign->stored.severity : FH_WARNING,
        .title = is_there ? foreign->stored.title : "a rule that this framehound does not know",
        .explanation = is_there ? foreign->stored.explanation
                                : "The database has findings of this rule, but not the rule.",
        .source = "the database",
        .mend = ""};
    run->num_foreign++;
    return &foreign->rule;
}

static const fh_rule *on_rule(void *user, const char *code)
{
    report_run *run = user;
    const fh_rule wanted = {.code = code};
    const fh_rule *key = &wanted;
    const fh_rule *const *known =
        bsearch(&key, run->known, run->num_known, sizeof *run->known, by_code);
    if (known != NULL) {
        return *known;
    }
    const fh_rule *foreign = find_foreign(run, code);
    return foreign != NULL ? foreign : read_foreign(run, code);
}

static void free_rules(report_run *run)
{
    for (size_t i = 0; i < run->num_foreign; i++) {
        free(run->foreign[i].code);
        free(run->foreign[i].stored.title);
        free(run->foreign[i].stored.explanation);
    }
    free(run->foreign);
    free(run->known);
}

/* ---- telling --------------------------------------------------------------------------------- */

static bool goes_on(const report_run *run)
{
    return !fh_outputs_failed(&run->outputs) && !fh_interrupted(NULL);
}

static bool on_scan(void *user, const fh_scan_run_record *scan)
{
    report_run *run = user;
    run->has_unfinished = run->has_unfinished || fh_report_is_unfinished(scan);
    fh_outputs_scan(&run->outputs, scan);
    return goes_on(run);
}

static bool on_coverage(void *user, const fh_coverage_record *coverage)
{
    report_run *run = user;
    fh_outputs_coverage(&run->outputs, coverage);
    return goes_on(run);
}

/* Whether a report would replace the file that a source is in; a member's name begins with it. */
static bool is_replaced(report_run *run, const char *source)
{
    char *file = strndup(source, fh_extract_file_len(source));
    const bool is_it = file != NULL && fh_outputs_writes(&run->outputs, file);
    if (is_it) {
        fh_complain("a report would write over %s, a source of the database; name another file",
                    fh_safe_path(file));
        run->exit = FH_EXIT_USAGE;
    }
    free(file);
    return is_it;
}

static bool on_source(void *user, const fh_source_record *source)
{
    report_run *run = user;
    if (is_replaced(run, source->path)) {
        return false;
    }
    fh_outputs_source(&run->outputs, source);
    return goes_on(run);
}

static bool on_asset(void *user, const fh_asset_record *asset)
{
    report_run *run = user;
    fh_outputs_asset(&run->outputs, asset);
    return goes_on(run);
}

static bool on_finding(void *user, const fh_finding_record *finding)
{
    report_run *run = user;
    fh_outputs_finding(&run->outputs, finding);
    if (fh_fails(&run->fail_on, finding->severity)) {
        run->exit = fh_worst(run->exit, FH_EXIT_FINDINGS);
    }
    return goes_on(run);
}

static fh_exit tell(report_run *run, const char *db)
{
    const fh_store_sink sink = {run,     on_source, on_asset,   on_finding,
                                on_rule, on_scan,   on_coverage};
    if (!list_known(run)) {
        fh_complain("out of memory");
        return FH_EXIT_LIMIT;
    }
    fh_exit exit = fh_outputs_begin(&run->outputs, &run->fail_on);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    if (fh_outputs_writes(&run->outputs, db)) {
        fh_outputs_drop(&run->outputs);
        return fh_usage_error("report",
                              "the report would write over %s, which it is made of; name "
                              "another file",
                              fh_safe_path(db));
    }
    bool is_told = fh_store_tell(run->store, &sink) == FH_STORE_OK && run->exit != FH_EXIT_USAGE;
    if (is_told && !run->no_detail && fh_outputs_wants_detail(&run->outputs)) {
        is_told = fh_detail_tell(&run->outputs, run->store) == FH_STORE_OK;
    }
    if (!is_told && run->exit != FH_EXIT_USAGE) {
        run->exit = fh_worst(run->exit, fh_store_failed(run->store));
    }
    if (run->has_unfinished) {
        fh_complain(FH_UNFINISHED);
    }
    if (fh_interrupted(NULL)) {
        fh_complain("interrupted; the report is not whole");
        run->exit = FH_EXIT_LIMIT;
    }
    return is_told && !fh_interrupted(NULL) ? fh_outputs_end(&run->outputs, run->exit)
                                            : fh_outputs_break(&run->outputs, run->exit);
}

/* ---- command --------------------------------------------------------------------------------- */

enum { OPTION_FAIL_ON = 256, OPTION_EXPLAIN, OPTION_NO_DETAIL };

static fh_exit take_option(report_run *run, int c, char **argv)
{
    switch (c) {
    case 'F':
        return fh_outputs_want(&run->outputs, optarg);
    case 'o':
        run->output = optarg;
        return FH_EXIT_OK;
    case OPTION_NO_DETAIL:
        run->no_detail = true;
        return FH_EXIT_OK;
    case OPTION_FAIL_ON:
        return fh_parse_fail_on(&run->fail_on, optarg)
                   ? FH_EXIT_OK
                   : fh_usage_error("report",
                                    "--fail-on is error, warning, note or never, not '%s'",
                                    fh_safe_path(optarg));
    case OPTION_EXPLAIN:
        run->outputs.run.explains = true;
        return FH_EXIT_OK;
    default:
        return fh_common_option("report", c, argv);
    }
}

static fh_exit take_options(report_run *run, int argc, char **argv)
{
    static const struct option options[] = {{"format", required_argument, NULL, 'F'},
                                            {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
                                            {"explain", no_argument, NULL, OPTION_EXPLAIN},
                                            {"output", required_argument, NULL, 'o'},
                                            {"no-detail", no_argument, NULL, OPTION_NO_DETAIL},
                                            FH_COMMON_OPTIONS,
                                            {0}};
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":F:o:", options, NULL)) != -1;) {
        const fh_exit exit = take_option(run, c, argv);
        if (exit != FH_EXIT_OK) {
            return exit;
        }
    }
    if (argc - optind != 1) {
        return fh_usage_error("report", "one database is needed");
    }
    return run->output == NULL ? FH_EXIT_OK : fh_outputs_redirect(&run->outputs, run->output);
}

static fh_exit run_in_sandbox(report_run *run, const char *db)
{
    fh_sandbox box = fh_sandbox_begin();
    fh_sandbox_writes_beside(&box, db);
    if (!run->no_detail && fh_outputs_shows_detail(&run->outputs)) {
        fh_sandbox_reads_all(&box); /* a database says which files its assets are in */
    }
    for (size_t i = 0; i < run->outputs.num; i++) {
        fh_sandbox_writes_beside(&box, run->outputs.each[i].path);
    }
    fh_exit exit = fh_sandbox_enter(&box, "report");
    if (exit == FH_EXIT_OK) {
        exit = fh_stored_open(&run->store, db);
    }
    return exit == FH_EXIT_OK ? tell(run, db) : exit;
}

fh_exit fh_cmd_report(int argc, char **argv)
{
    report_run run = {.outputs = {.command = "report"}, .fail_on = {.never = true}};
    if (fh_wants_help(argc, argv)) {
        return fh_print_help(help);
    }
    fh_exit exit = take_options(&run, argc, argv);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    exit = run_in_sandbox(&run, argv[optind]);
    fh_store_close(run.store);
    free_rules(&run);
    return exit;
}
