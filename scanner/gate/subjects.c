#include "gate/subjects.h"

#include "gate/changed.h"

#include <string.h>

static bool is_stdin(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

static fh_exit check_revision(const fh_subjects *subjects)
{
    const char *revision = subjects->changed_since;
    if (revision != NULL && (revision[0] == '-' || revision[0] == '\0')) {
        return fh_usage_error("check", "--changed-since takes a revision of git, not '%s'",
                              fh_safe_path(revision));
    }
    if (revision != NULL && subjects->files_from != NULL) {
        return fh_usage_error("check", "--files-from says what is checked, and so does "
                                       "--changed-since; use one of them");
    }
    return FH_EXIT_OK;
}

fh_exit fh_subjects_check(const fh_subjects *subjects, int num, char **paths)
{
    if (subjects->null && subjects->files_from == NULL) {
        return fh_usage_error("check", "--null is about the list of --files-from, and there is "
                                       "none");
    }
    for (int i = 0; i < num; i++) {
        if (is_stdin(paths[i]) && is_stdin(subjects->files_from)) {
            return fh_usage_error("check", "standard input cannot be a list and be checked");
        }
        if (is_stdin(paths[i]) && subjects->changed_since != NULL) {
            return fh_usage_error("check", "git does not know whether standard input changed");
        }
    }
    if (num == 0 && subjects->files_from == NULL && subjects->changed_since == NULL) {
        return fh_usage_error("check", "no file or directory given");
    }
    return check_revision(subjects);
}

static fh_exit walk_one(const fh_subjects *subjects, const fh_walk_sink *sink, const char *path)
{
    bool go_on = true;
    fh_exit exit = FH_EXIT_OK;
    if (subjects->changed_since != NULL || subjects->gitignore) {
        exit = fh_changed_walk(&go_on, sink, path, subjects->changed_since);
    } else {
        go_on = fh_walk(path, sink);
    }
    return go_on ? exit : FH_EXIT_LIMIT;
}

/* In a list '-' is the name of a file. */
static fh_exit walk_list(const fh_subjects *subjects, const fh_walk_sink *sink)
{
    fh_list list = {0};
    if (sink->settle != NULL) {
        sink->settle(sink->user);
    }
    fh_exit exit = fh_list_read(&list, "check", subjects->files_from, subjects->null ? '\0' : '\n');
    if (exit == FH_EXIT_OK && !fh_list_unique(&list)) {
        fh_complain("out of memory");
        exit = FH_EXIT_LIMIT;
    }
    for (size_t i = 0; i < list.num_names && exit < FH_EXIT_LIMIT && exit != FH_EXIT_USAGE; i++) {
        const char *name = is_stdin(list.names[i]) ? "./-" : list.names[i];
        exit = fh_worst(exit, walk_one(subjects, sink, name));
    }
    fh_list_free(&list);
    return exit;
}

int fh_subjects_paths(const fh_subjects *subjects, char ***paths, bool is_here, int num,
                      char **named)
{
    static char here[] = ".";
    static char *only[] = {here};
    const bool means_here = num == 0 && (is_here || subjects->changed_since != NULL);
    *paths = means_here ? only : named;
    return means_here ? 1 : num;
}

fh_exit fh_subjects_walk(const fh_subjects *subjects, const fh_walk_sink *sink, int num,
                         char **paths)
{
    fh_exit exit = FH_EXIT_OK;
    for (int i = 0; i < num && exit < FH_EXIT_LIMIT && exit != FH_EXIT_USAGE; i++) {
        exit = fh_worst(exit, walk_one(subjects, sink, paths[i]));
    }
    if (subjects->files_from != NULL && exit < FH_EXIT_LIMIT) {
        exit = fh_worst(exit, walk_list(subjects, sink));
    }
    return exit;
}
