/* git in a repository that holds it for ever. */
#include "gate/git.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <stdio.h>
#include <stdlib.h>
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
