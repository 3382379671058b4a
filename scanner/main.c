/* The program: chooses the command. */
#include "cmd.h"

#include "sandbox.h"
#include "source/container.h"

#include <errno.h>
#include <fcntl.h>
#include <framehound/framehound.h>
#include <openssl/crypto.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct command {
    const char *name;
    const char *purpose;
    fh_exit (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"scan", "find, verify, replay and record the animations in files and disc images",
     fh_cmd_scan},
    {"check", "validate animation files; the exit code says whether they pass", fh_cmd_check},
    {"reduce", "make the smallest file that still shows a finding", fh_cmd_reduce},
    {"replay", "evaluate an animation and print its poses", fh_cmd_replay},
    {"report", "print what scans recorded in another form", fh_cmd_report},
    {"extract", "write the assets that a scan recorded out as files", fh_cmd_extract},
    {"query", "answer questions about a collection", fh_cmd_query},
    {"merge", "join the databases of the shards of one scan", fh_cmd_merge},
    {"diff", "tell how two recorded scans differ", fh_cmd_diff},
    {"where", "turn an address in a disc image into all the others", fh_cmd_where},
    {"inspect", "show the labelled bytes of an asset, with findings where they are",
     fh_cmd_inspect},
    {"why", "say which check rejects or accepts the bytes at an address", fh_cmd_why},
    {"rules", "list every rule, or explain some", fh_cmd_rules},
};

static fh_exit print_help(void)
{
    (void)puts("Usage: framehound COMMAND [OPTION...] ARGUMENT...\n"
               "\n"
               "Finds, verifies and replays animation data in disc images, dumps and files.\n"
               "\n"
               "Commands:");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        (void)printf("  %-8s %s\n", commands[i].name, commands[i].purpose);
    }
    (void)puts("\n"
               "'framehound COMMAND --help' explains a command; 'framehound --version' prints\n"
               "versions. Exit codes: 0 done, 1 findings at or above --fail-on, 2 usage,\n"
               "3 unreadable input or unwritable output, 4 resource limit or internal error.");
    return fh_flush_stdout(0);
}

/* Linked into the program it is that of the headers; asking brings 4 MB of libcrypto along. */
static const char *crypto_version(void)
{
#ifdef FH_STATIC_CRYPTO
    return OPENSSL_VERSION_TEXT " (linked in)";
#else
    return OpenSSL_version(OPENSSL_VERSION);
#endif
}

static fh_exit print_version(void)
{
    char libraries[256];
    char sandbox[256];
    fh_text text = fh_text_make(libraries, sizeof libraries);
    fh_container_libraries(&text);
    text = fh_text_make(sandbox, sizeof sandbox);
    fh_sandbox_describe(&text);
    (void)printf("framehound %s\nrule set %s\nSQLite %s\n%s\n%s\n%s\n", framehound_version(),
                 fh_ruleset_version(), sqlite3_libversion(), crypto_version(), libraries, sandbox);
    return fh_flush_stdout(0);
}

static fh_exit run_command(int argc, char **argv)
{
    if (argc < 2) {
        fh_complain("no command given\nTry 'framehound --help'.");
        return FH_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        return print_help();
    }
    if (strcmp(argv[1], "--version") == 0) {
        return print_version();
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[1], commands[i].name) == 0) {
            const fh_exit wrong = fh_sandbox_check_environment(argv[1]);
            return wrong != FH_EXIT_OK ? wrong : commands[i].run(argc - 1, argv + 1);
        }
    }
    fh_complain("'%s' is not a command\nTry 'framehound --help'.", fh_safe_path(argv[1]));
    return FH_EXIT_USAGE;
}

/* A closed standard stream would give its number to the next file that is opened, and messages
 * would end up there. */
static bool have_standard_streams(void)
{
    int fd = 0;
    while (fd >= 0 && fd <= STDERR_FILENO) {
        fd = open("/dev/null", O_RDWR | O_CLOEXEC);
    }
    return fd > STDERR_FILENO && close(fd) == 0;
}

static bool has_returned;

/* libarchive ends the program with the code of findings where it has no memory for a string. What
 * is recorded is whole: a transaction is undone by whoever opens the database next. */
static void on_exit_of_library(void)
{
    if (!has_returned) {
        fh_complain("a library ended the program, most likely for want of memory: close other "
                    "programs, or look at fewer files at a time");
        (void)fflush(stdout);
        _exit((int)FH_EXIT_LIMIT);
    }
}

int main(int argc, char **argv)
{
    if (!have_standard_streams()) {
        fh_complain("cannot open /dev/null for a standard stream: %s; allow more open files",
                    strerror(errno));
        return (int)FH_EXIT_LIMIT;
    }
    fh_catch_signals();
    if (atexit(on_exit_of_library) != 0) {
        fh_complain("out of memory");
        return (int)FH_EXIT_LIMIT;
    }
    const fh_exit exit = run_command(argc, argv);
    has_returned = true;
    if (exit == FH_EXIT_LIMIT && fh_interrupted(NULL) && !fh_has_complained()) {
        fh_complain("interrupted; what was not done by then is left out");
    }
    return (int)exit;
}
