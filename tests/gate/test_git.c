/* git in a repository that holds it for ever, and programs of its name that say something else. */
#include "gate/git.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const others[] = {"ls-files", "-z", "--others", "--exclude-standard", NULL};

static char folder[64];
static char pipe_path[96];

static void make_repository(void)
{
    char command[160];
    (void)snprintf(folder, sizeof folder, "/tmp/fh-git-XXXXXX");
    cr_assert(mkdtemp(folder) != NULL);
    (void)snprintf(command, sizeof command, "git -C '%s' init -q", folder);
    if (system(command) != 0) {
        cr_skip_test("git cannot be started");
    }
    (void)snprintf(pipe_path, sizeof pipe_path, "%s/.gitignore", folder);
}

static void remove_repository(void)
{
    char command[160];
    (void)snprintf(command, sizeof command, "rm -r -- '%s'", folder);
    (void)system(command);
}

TestSuite(git, .init = make_repository, .fini = remove_repository);

Test(git, is_ended_when_it_says_nothing)
{
    fh_git git;
    fh_list names = {0};
    cr_assert(mkfifo(pipe_path, 0600) == 0);
    cr_assert(fh_git_open(&git, folder) == FH_EXIT_OK);
    git.patience_ms = 500;
    cr_expect(fh_git_names(&git, &names, others) == FH_EXIT_LIMIT);
    fh_list_free(&names);
    fh_git_close(&git);
}

Test(git, answers_in_time)
{
    fh_git git;
    fh_list names = {0};
    FILE *file = fopen(pipe_path, "w");
    cr_assert(file != NULL && fclose(file) == 0);
    cr_assert(fh_git_open(&git, folder) == FH_EXIT_OK);
    cr_expect(eq(i64, git.patience_ms, FH_GIT_PATIENCE_MS));
    cr_expect(fh_git_names(&git, &names, others) == FH_EXIT_OK);
    cr_expect(eq(sz, names.num_names, 1)); /* .gitignore itself */
    fh_list_free(&names);
    fh_git_close(&git);
}

/* ---- a git that says something else ---------------------------------------------------------- */

#define HASH "0123456789abcdef0123456789abcdef01234567"
#define SOUND_INSIDE "echo true"
#define SOUND_VERIFY "echo " HASH

/* Answers each question with what a variable says. */
static const char script[] = "#!/bin/sh\n"
                             "case \"$*\" in\n"
                             "*--is-inside-work-tree*) eval \"$INSIDE\" ;;\n"
                             "*'config --list'*) eval \"$SETTINGS\" ;;\n"
                             "*--verify*) eval \"$VERIFY\" ;;\n"
                             "*) eval \"$OTHERS\" ;;\n"
                             "esac\n";

static void make_git(void)
{
    char path[96];
    (void)snprintf(folder, sizeof folder, "/tmp/fh-git-XXXXXX");
    cr_assert(mkdtemp(folder) != NULL);
    (void)snprintf(path, sizeof path, "%s/git", folder);
    FILE *file = fopen(path, "w");
    cr_assert(file != NULL && fputs(script, file) >= 0 && fclose(file) == 0);
    cr_assert(chmod(path, 0700) == 0);
    (void)snprintf(path, sizeof path, "%s:/usr/bin:/bin", folder);
    cr_assert(setenv("PATH", path, 1) == 0);
    cr_assert(setenv("GIT_DIRECTION", "no variable of git", 1) == 0);
}

TestSuite(other_git, .init = make_git, .fini = remove_repository);

static void answer(const char *inside, const char *settings, const char *verify)
{
    cr_assert(setenv("INSIDE", inside == NULL ? SOUND_INSIDE : inside, 1) == 0);
    cr_assert(setenv("SETTINGS", settings == NULL ? ":" : settings, 1) == 0);
    cr_assert(setenv("VERIFY", verify == NULL ? SOUND_VERIFY : verify, 1) == 0);
    cr_assert(setenv("OTHERS", "printf 'a\\0b\\0'", 1) == 0);
}

static fh_exit opened(const char *inside, const char *settings)
{
    fh_git git;
    answer(inside, settings, NULL);
    const fh_exit exit = fh_git_open(&git, folder);
    fh_git_close(&git);
    return exit;
}

typedef struct reply {
    const char *says;
    fh_exit exit;
} reply;

static const reply insides[] = {
    {SOUND_INSIDE, FH_EXIT_OK},
    {"echo false", FH_EXIT_IO},
    {"printf 'true\\n\\0true\\n'", FH_EXIT_IO},
    {":", FH_EXIT_IO},
    {"echo true; exit 1", FH_EXIT_IO},
    {"echo true; kill -9 $$", FH_EXIT_IO},
    {"head -c 9000 /dev/zero | tr '\\0' x >&2; exit 1", FH_EXIT_IO},
    {"printf '\\0\\0'", FH_EXIT_LIMIT}, /* names that are none */
};

static const reply settings[] = {
    {":", FH_EXIT_OK},
    {"printf 'user.name\\0filter.a\\0filter.a.smudge\\0'", FH_EXIT_OK},
    {"printf 'filter.a.clean\\0filter.b.process\\0'", FH_EXIT_OK},
    {"printf 'filter.a=b.clean\\0'", FH_EXIT_IO},
    {"i=0; while [ $i -lt 129 ]; do printf \"filter.$i.clean\\0\"; i=$((i + 1)); done", FH_EXIT_IO},
    {"exit 1", FH_EXIT_IO},
    {"echo wrong >&2; exit 1", FH_EXIT_IO},
};

Test(other_git, is_asked_whether_it_is_one)
{
    for (size_t i = 0; i < sizeof insides / sizeof insides[0]; i++) {
        cr_expect(eq(int, (int)opened(insides[i].says, NULL), (int)insides[i].exit), "%s",
                  insides[i].says);
    }
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        cr_expect(eq(int, (int)opened(NULL, settings[i].says), (int)settings[i].exit), "%s",
                  settings[i].says);
    }
}

static const reply commits[] = {
    {SOUND_VERIFY, FH_EXIT_OK},
    {"echo " HASH "0123456789abcdef01234567", FH_EXIT_OK},
    {"echo " HASH "0", FH_EXIT_USAGE},
    {"printf " HASH, FH_EXIT_USAGE},
    {"echo " HASH " and more", FH_EXIT_USAGE},
    {"printf '" HASH "\\n\\0" HASH "\\n\\0'", FH_EXIT_USAGE},
    {":", FH_EXIT_USAGE},
    {SOUND_VERIFY "; exit 1", FH_EXIT_USAGE},
};

Test(other_git, names_a_commit_or_none)
{
    for (size_t i = 0; i < sizeof commits / sizeof commits[0]; i++) {
        fh_git git;
        char hash[65] = "";
        answer(NULL, NULL, commits[i].says);
        cr_assert(fh_git_open(&git, folder) == FH_EXIT_OK);
        cr_expect(eq(int, (int)fh_git_commit(&git, hash, "HEAD"), (int)commits[i].exit), "%s",
                  commits[i].says);
        cr_expect(commits[i].exit != FH_EXIT_OK || strncmp(hash, HASH, 40) == 0, "%s", hash);
        fh_git_close(&git);
    }
}

/* The list that it adds to has its limit, whoever filled it. */
Test(other_git, says_no_more_than_a_list_holds)
{
    fh_git git;
    fh_list names = {0};
    answer(NULL, NULL, NULL);
    cr_assert(fh_git_open(&git, folder) == FH_EXIT_OK);
    cr_expect(fh_git_names(&git, &names, others) == FH_EXIT_OK);
    cr_expect(eq(sz, names.num_names, 2));
    names.len = FH_LIST_MAX_LEN - 3;
    cr_expect(fh_git_names(&git, &names, others) == FH_EXIT_LIMIT);
    fh_list_free(&names);
    fh_git_close(&git);
}

/* Nobody waits for children whose end the process ignores: they are gone then. */
Test(other_git, may_be_gone_before_it_is_waited_for)
{
    fh_git git;
    char hash[65] = "";
    answer(NULL, NULL, NULL);
    cr_assert(signal(SIGCHLD, SIG_IGN) != SIG_ERR);
    cr_assert(fh_git_open(&git, folder) == FH_EXIT_OK);
    cr_expect(fh_git_commit(&git, hash, "HEAD") == FH_EXIT_OK);
    cr_expect(strcmp(hash, HASH) == 0, "%s", hash);
    fh_git_close(&git);
}

Test(other_git, is_ended_with_the_program)
{
    fh_git git;
    fh_list names = {0};
    answer(NULL, NULL, NULL);
    cr_assert(fh_git_open(&git, folder) == FH_EXIT_OK);
    fh_catch_signals();
    cr_assert(raise(SIGINT) == 0);
    cr_expect(fh_git_names(&git, &names, others) == FH_EXIT_LIMIT);
    fh_list_free(&names);
    fh_git_close(&git);
}
