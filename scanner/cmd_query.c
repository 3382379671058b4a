/* framehound query: the questions that people ask of a collection. */
#include "cmd.h"

#include "nearest.h"
#include "reports/query_text.h"
#include "sandbox.h"
#include "stored.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: framehound query [OPTION...] [NAME [VALUE]]\n"
    "\n"
    "Answers a question about what scans recorded: which sources share an asset, where a rule\n"
    "fires most, what a source lacks that others have. Without NAME the questions are listed, and\n"
    "what each can be asked for: the PATH of a source as it was recorded, the SHA256 of an asset\n"
    "or the beginning of it, the CODE of a rule. Each question is a view of the database, too.\n"
    "\n"
    "  -d, --db FILE         the database (default: framehound.db)\n"
    "  -F, --format FORMAT   text (default), json, csv\n"
    "  -n, --limit N         at most so many rows (default: all)\n"
    "      --sandbox on|off|require\n"
    "                        give up what the work does not need: files that were not named, the\n"
    "                        network, other programs (default: on, as far as the system can;\n"
    "                        require: or end)\n"
    "  -h, --help            this text\n";

/* The least of a hash that it may be asked for. */
#define LEAST_DIGITS 4u

typedef struct query_run {
    const char *db;
    fh_query_format format;
    int64_t limit;
    const fh_question *question; /* NULL: they are listed */
    const char *value;           /* NULL: none */
    char hash[2 * FH_SHA256_LEN + 1];
    bool is_begun; /* the answer; nothing of it is printed for a database that cannot be read */
    fh_query_text text;
} query_run;

/* ---- options --------------------------------------------------------------------------------- */

static fh_exit take_format(query_run *run, const char *name)
{
    static const char *const names[] = {
        [FH_QUERY_TEXT] = "text", [FH_QUERY_JSON] = "json", [FH_QUERY_CSV] = "csv"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) == 0) {
            run->format = (fh_query_format)i;
            return FH_EXIT_OK;
        }
    }
    return fh_usage_error("query", "--format is text, json or csv, not '%s'", fh_safe_path(name));
}

static fh_exit take_limit(query_run *run, const char *value)
{
    uint32_t limit = 0;
    if (!fh_parse_u32(&limit, value)) {
        return fh_usage_error("query", "--limit is a number of rows, not '%s'",
                              fh_safe_path(value));
    }
    run->limit = limit;
    return FH_EXIT_OK;
}

static fh_exit take_option(query_run *run, int c, char **argv)
{
    switch (c) {
    case 'd':
        run->db = optarg;
        return FH_EXIT_OK;
    case 'F':
        return take_format(run, optarg);
    case 'n':
        return take_limit(run, optarg);
    default:
        return fh_common_option("query", c, argv);
    }
}

static const fh_question *question_named(const char *name, fh_nearest *near)
{
    size_t num = 0;
    const fh_question *questions = fh_questions(&num);
    for (size_t i = 0; i < num; i++) {
        if (strcmp(questions[i].name, name) == 0) {
            return &questions[i];
        }
        fh_nearest_try(near, questions[i].name);
    }
    return NULL;
}

static fh_exit take_name(query_run *run, const char *name)
{
    fh_nearest near = fh_nearest_begin(name);
    run->question = question_named(name, &near);
    if (run->question != NULL) {
        return FH_EXIT_OK;
    }
    return fh_usage_error("query", "'%s' is no question%s%s%s; framehound query lists them",
                          fh_safe_path(name), near.name != NULL ? "; did you mean '" : "",
                          near.name != NULL ? near.name : "", near.name != NULL ? "'?" : "");
}

/* Databases have hashes in lower case. */
static fh_exit take_hash(query_run *run, const char *value)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    const size_t len = strlen(value);
    if (len < LEAST_DIGITS || len >= sizeof run->hash || strspn(value, digits) != len) {
        return fh_usage_error("query", "%s is asked for %u to 64 hexadecimal digits, not '%s'",
                              run->question->name, LEAST_DIGITS, fh_safe_path(value));
    }
    for (size_t i = 0; i < len; i++) {
        const bool is_upper = value[i] >= 'A' && value[i] <= 'F';
        run->hash[i] = (char)(is_upper ? value[i] - 'A' + 'a' : value[i]);
    }
    run->value = run->hash;
    return FH_EXIT_OK;
}

static fh_exit take_value(query_run *run, const char *value)
{
    if (run->question->key == NULL) {
        return fh_usage_error("query", "%s is asked for nothing; leave '%s' out",
                              run->question->name, fh_safe_path(value));
    }
    run->value = run->question->asked_for == FH_ASKED_PATH ? fh_tidy_path(value) : value;
    return run->question->asked_for == FH_ASKED_HASH ? take_hash(run, value) : FH_EXIT_OK;
}

static const char *asked_for(const fh_question *question)
{
    static const char *const names[] = {[FH_ASKED_NOTHING] = "",
                                        [FH_ASKED_PATH] = "PATH",
                                        [FH_ASKED_HASH] = "SHA256",
                                        [FH_ASKED_CODE] = "CODE"};
    return names[question->asked_for];
}

static fh_exit take_words(query_run *run, char **words, int num)
{
    if (num == 0) {
        return FH_EXIT_OK;
    }
    if (num > 2) {
        return fh_usage_error("query", "a question has one value at most");
    }
    const fh_exit exit = take_name(run, words[0]);
    if (run->question == NULL) {
        return exit;
    }
    if (num == 2) {
        return take_value(run, words[1]);
    }
    return run->question->needs_value
               ? fh_usage_error("query", "%s is asked for a value: framehound query %s %s",
                                words[0], words[0], asked_for(run->question))
               : FH_EXIT_OK;
}

static fh_exit parse_options(query_run *run, int argc, char **argv)
{
    static const struct option options[] = {{"db", required_argument, NULL, 'd'},
                                            {"format", required_argument, NULL, 'F'},
                                            {"limit", required_argument, NULL, 'n'},
                                            FH_COMMON_OPTIONS,
                                            {0}};
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":d:F:n:", options, NULL)) != -1;) {
        const fh_exit exit = take_option(run, c, argv);
        if (exit != FH_EXIT_OK) {
            return exit;
        }
    }
    return take_words(run, argv + optind, argc - optind);
}

/* ---- the list of questions ------------------------------------------------------------------- */

static const fh_answer_cell *cells_of(fh_answer_cell cells[4], const fh_question *question)
{
    cells[0] = (fh_answer_cell){"name", question->name, false};
    cells[1] = (fh_answer_cell){"value", question->key == NULL ? NULL : asked_for(question), false};
    cells[2] = (fh_answer_cell){"view", question->view, false};
    cells[3] = (fh_answer_cell){"answers", question->purpose, false};
    return cells;
}

/* For people: a question as it is asked. */
static void print_question(const fh_question *question)
{
    char asked[40];
    fh_text text = fh_text_make(asked, sizeof asked);
    fh_text_str(fh_text_str(&text, question->name), question->key != NULL ? " " : "");
    fh_text_str(&text, question->key != NULL && !question->needs_value ? "[" : "");
    fh_text_str(&text, asked_for(question));
    fh_text_str(&text, question->key != NULL && !question->needs_value ? "]" : "");
    (void)printf("%-20s  %-14s  %s\n", asked, question->view, question->purpose);
}

static fh_exit list_questions(query_run *run)
{
    fh_answer_cell cells[4];
    size_t num = 0;
    const fh_question *questions = fh_questions(&num);
    if (run->format == FH_QUERY_TEXT) {
        for (size_t i = 0; i < num; i++) {
            print_question(&questions[i]);
        }
        return fh_flush_stdout(0);
    }
    fh_query_text_begin(&run->text, stdout, run->format, "questions", NULL);
    fh_query_text_columns(&run->text, cells_of(cells, questions), 4);
    for (size_t i = 0; i < num; i++) {
        fh_query_text_row(&run->text, cells_of(cells, &questions[i]), 4);
    }
    return fh_flush_stdout(fh_query_text_end(&run->text));
}

/* ---- answers --------------------------------------------------------------------------------- */

static bool on_columns(void *user, const fh_answer_cell *cells, size_t num_cells)
{
    query_run *run = user;
    run->is_begun = true;
    fh_query_text_begin(&run->text, stdout, run->format, run->question->name, run->value);
    fh_query_text_columns(&run->text, cells, num_cells);
    return run->text.out.error == 0;
}

static bool on_row(void *user, const fh_answer_cell *cells, size_t num_cells)
{
    query_run *run = user;
    fh_query_text_row(&run->text, cells, num_cells);
    return run->text.out.error == 0 && !fh_interrupted(NULL);
}

/* A rule is one of this program, or one that the database knows. */
static fh_exit check_code(const query_run *run, fh_store *store)
{
    fh_stored_rule rule;
    if (run->value == NULL || run->question->asked_for != FH_ASKED_CODE ||
        fh_rule_find(run->value) != NULL) {
        return FH_EXIT_OK;
    }
    if (fh_store_find_rule(store, &rule, run->value) != FH_STORE_OK) {
        return fh_store_failed(store);
    }
    const bool is_there = rule.is_there;
    fh_stored_rule_clear(&rule);
    return is_there ? FH_EXIT_OK
                    : fh_usage_error("query", "'%s' is no rule; framehound rules lists them",
                                     fh_safe_path(run->value));
}

static fh_exit answer(query_run *run, fh_store *store)
{
    const fh_answer to = {run, on_columns, on_row};
    const fh_exit known = check_code(run, store);
    if (known != FH_EXIT_OK) {
        return known;
    }
    fh_stored_warn(store, run->db);
    fh_exit exit = FH_EXIT_OK;
    const fh_store_status status =
        fh_store_ask_question(store, run->question, run->value, run->limit, &to);
    if (status != FH_STORE_OK) {
        fh_complain("%s", fh_store_error(store));
        exit = fh_store_exit(status);
    } else if (fh_interrupted(NULL)) {
        fh_complain("interrupted; not all rows were told");
        exit = FH_EXIT_LIMIT;
    }
    return run->is_begun ? fh_worst(exit, fh_flush_stdout(fh_query_text_end(&run->text))) : exit;
}

fh_exit fh_cmd_query(int argc, char **argv)
{
    query_run run = {.db = "framehound.db", .limit = -1};
    fh_store *store = NULL;
    if (fh_wants_help(argc, argv)) {
        return fh_print_help(help);
    }
    fh_exit exit = parse_options(&run, argc, argv);
    if (exit != FH_EXIT_OK || run.question == NULL) {
        return exit != FH_EXIT_OK ? exit : list_questions(&run);
    }
    fh_sandbox box = fh_sandbox_begin();
    fh_sandbox_writes_beside(&box, run.db);
    exit = fh_sandbox_enter(&box, "query");
    if (exit == FH_EXIT_OK) {
        exit = fh_stored_open(&store, run.db);
    }
    if (exit == FH_EXIT_OK) {
        exit = answer(&run, store);
    }
    fh_store_close(store);
    return exit;
}
