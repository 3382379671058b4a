/* The commands of the program and what they share. */
#ifndef FH_SCANNER_CMD_H
#define FH_SCANNER_CMD_H

#include "core/format.h"
#include "core/rules.h"
#include "hunt/rulebook.h"
#include "source/layout.h"
#include "source/tape.h"

#include <stdbool.h>
#include <stddef.h>

/* Exit codes, the same for every command; when several apply the highest wins. */
typedef enum fh_exit {
    FH_EXIT_OK = 0,
    FH_EXIT_FINDINGS = 1, /* at least one finding at or above --fail-on */
    FH_EXIT_USAGE = 2,
    FH_EXIT_IO = 3,   /* some input could not be read, or some output not written */
    FH_EXIT_LIMIT = 4 /* a resource limit, an interruption, or an internal error */
} fh_exit;

/* Each takes the arguments from the command's name on. */
fh_exit fh_cmd_scan(int argc, char **argv);
fh_exit fh_cmd_check(int argc, char **argv);
fh_exit fh_cmd_merge(int argc, char **argv);
fh_exit fh_cmd_replay(int argc, char **argv);
fh_exit fh_cmd_extract(int argc, char **argv);
fh_exit fh_cmd_diff(int argc, char **argv);
fh_exit fh_cmd_query(int argc, char **argv);
fh_exit fh_cmd_report(int argc, char **argv);
fh_exit fh_cmd_reduce(int argc, char **argv);
fh_exit fh_cmd_rules(int argc, char **argv);
fh_exit fh_cmd_inspect(int argc, char **argv);
fh_exit fh_cmd_where(int argc, char **argv);
fh_exit fh_cmd_why(int argc, char **argv);

/* fh_worst returns the higher of two exit codes. */
fh_exit fh_worst(fh_exit a, fh_exit b);

/* fh_complain writes "framehound: ..." to standard error. Strings that come from input must have
 * been escaped. */
void fh_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* fh_has_complained tells whether fh_complain was called. */
bool fh_has_complained(void);

/* fh_usage_error complains about the use of a command and names its help. */
fh_exit fh_usage_error(const char *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* fh_option_error complains about what getopt_long did not take; c is what it returned, for an
 * option string that begins with a colon. */
fh_exit fh_option_error(const char *command, int c, char **argv);

/* The options of all commands that read what they are given, as rows for getopt_long;
 * fh_common_option takes them, and complains about all else as fh_option_error does. */
enum { FH_OPTION_SANDBOX = 0x4000 };
#define FH_COMMON_OPTIONS                                                                          \
    {                                                                                              \
        "sandbox", required_argument, NULL, FH_OPTION_SANDBOX                                      \
    }
fh_exit fh_common_option(const char *command, int c, char **argv);

/* fh_take_layout and fh_take_json take the value of an option that several commands have: --layout,
 * and --format where that is text or json. */
fh_exit fh_take_layout(const char *command, fh_layout_choice *out, const char *value);
fh_exit fh_take_json(const char *command, bool *out, const char *value);

/* fh_tidy_path is the name under which a file is recorded: "./a" and ".//a" are "a"; but "./-" is
 * not standard input. */
const char *fh_tidy_path(const char *path);

/* fh_safe_path escapes a path for messages; the result lives until the next call but three. */
const char *fh_safe_path(const char *path);

/* fh_complain_of_input says that what the user named cannot be read, and why. */
void fh_complain_of_input(const char *path, const char *why);

/* --fail-on: from which severity on findings make the exit code 1. */
typedef struct fh_fail_on {
    bool never;
    fh_severity severity;
} fh_fail_on;
bool fh_parse_fail_on(fh_fail_on *out, const char *name) FH_MUST_USE;
bool fh_fails(const fh_fail_on *fail_on, fh_severity severity);

/* fh_wants_help tells whether --help or -h stands among the arguments. */
bool fh_wants_help(int argc, char **argv);

/* fh_is_profile tells whether some format knows a player behaviour of that name. */
bool fh_is_profile(const char *name);

/* fh_parse_u32 reads a whole decimal number. */
bool fh_parse_u32(uint32_t *out, const char *text) FH_MUST_USE;

/* fh_parse_word reads one that is decimal, or hexadecimal behind 0x. */
bool fh_parse_word(uint32_t *out, const char *text) FH_MUST_USE;

/* fh_io_exit is the exit code when something could not be read or written: FH_EXIT_IO, but
 * FH_EXIT_LIMIT if that is because the user interrupted, which ends any waiting for it. */
fh_exit fh_io_exit(void);

/* fh_print_help prints a text, and flushes standard output. */
fh_exit fh_print_help(const char *text);

/* fh_flush_stdout flushes standard output, and complains and returns fh_io_exit() if any of it was
 * lost; error is the errno of a writer, or 0. */
fh_exit fh_flush_stdout(int error);

/* fh_ruleset_version is the fingerprint of all rules and their texts, in hexadecimal. */
const char *fh_ruleset_version(void);

/* fh_catch_signals makes interruption end the work in good order, and a second one at once; a
 * closed pipe and a file that may not grow become write errors like others, not reasons to die with
 * a half-written database. */
void fh_catch_signals(void);

/* fh_interrupted tells whether the user wants the program to end. */
bool fh_interrupted(void *unused);
extern const fh_stop fh_interrupt;

#endif
