#include "gate/changed.h"

#include "gate/git.h"
#include "registry/registry.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Joins as a walk does. NULL: no memory. */
static char *join(const char *folder, const char *name)
{
    const size_t folder_len = strlen(folder);
    const size_t name_len = strlen(name);
    char *path = malloc(folder_len + 1 + name_len + 1);
    if (path == NULL) {
        return NULL;
    }
    size_t at = folder_len;
    memcpy(path, folder, folder_len);
    if (at == 0 || path[at - 1] != '/') {
        path[at++] = '/';
    }
    memcpy(path + at, name, name_len + 1);
    return path;
}

/* A name that leads nowhere but down. git gives no others; a repository whose configuration puts
 * its files elsewhere might make it. */
static bool leads_down(const char *name)
{
    if (name[0] == '/') {
        return false;
    }
    for (const char *part = name; part != NULL;) {
        const char *end = strchr(part, '/');
        const size_t len = end == NULL ? strlen(part) : (size_t)(end - part);
        if (len == 2 && part[0] == '.' && part[1] == '.') {
            return false;
        }
        part = end == NULL ? NULL : end + 1;
    }
    return true;
}

/* ---- names ---- */

/* Folders that are asked one after the other: the one that was named, and repositories in it. */
typedef struct asking {
    fh_list found;   /* paths of files */
    fh_list folders; /* still to be asked, and those that were */
    const char *revision;
} asking;

static bool is_repository(const char *path)
{
    struct stat file;
    char *inside = join(path, ".git");
    const bool is_one = inside != NULL && lstat(inside, &file) == 0;
    free(inside);
    return is_one;
}

/* Takes one name. A folder is a repository of its own, or one that was never fetched. */
static fh_exit take_name(asking *all, const char *folder, const char *name)
{
    struct stat file;
    if (!leads_down(name)) {
        fh_complain("git in %s: a name that leads out of it: %s", fh_safe_path(folder),
                    fh_safe_path(name));
        return FH_EXIT_IO;
    }
    char *path = join(folder, name);
    const size_t len = path == NULL ? 0 : strlen(path);
    if (len > 0 && path[len - 1] == '/') {
        path[len - 1] = '\0';
    }
    bool is_kept = path != NULL;
    if (is_kept && lstat(path, &file) == 0 && S_ISDIR(file.st_mode) && is_repository(path)) {
        if (all->folders.num_names > FH_GIT_MAX_NESTED) {
            fh_complain("git in %s: too many repositories in it; check parts of it",
                        fh_safe_path(folder));
            free(path);
            return FH_EXIT_LIMIT;
        }
        is_kept = fh_list_add(&all->folders, path);
    } else if (is_kept) {
        is_kept = fh_list_add(&all->found, path);
    }
    free(path);
    if (!is_kept) {
        fh_complain("out of memory");
    }
    return is_kept ? FH_EXIT_OK : FH_EXIT_LIMIT;
}

static fh_exit take_names(asking *all, const fh_git *git, const char *const *args)
{
    fh_list names = {0};
    fh_exit exit = fh_git_names(git, &names, args);
    for (size_t i = 0; i < names.num_names && exit == FH_EXIT_OK; i++) {
        exit = take_name(all, git->folder, names.names[i]);
    }
    fh_list_free(&names);
    return exit;
}

/* Submodules are not looked into for changes: git would run itself there with what they configure.
 * spec: the part of the folder that is asked for. */
static fh_exit ask_changed(asking *all, const fh_git *git, const char *spec)
{
    char commit[65];
    fh_exit exit = fh_git_commit(git, commit, all->revision);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    const char *const changed[] = {"diff",
                                   "--name-only",
                                   "-z",
                                   "--diff-filter=d",
                                   "--relative",
                                   "--no-renames",
                                   "--no-ext-diff",
                                   "--no-textconv",
                                   "--ignore-submodules=all",
                                   commit,
                                   "--",
                                   spec,
                                   NULL};
    const char *const unknown[] = {"ls-files", "-z", "--others", "--exclude-standard",
                                   "--",       spec, NULL};
    exit = take_names(all, git, changed);
    return exit == FH_EXIT_OK ? take_names(all, git, unknown) : exit;
}

/* A repository in which the revision is not looked for is new as a whole. */
static fh_exit ask_all(asking *all, const fh_git *git, const char *spec)
{
    const char *const args[] = {"ls-files",           "-z", "--cached", "--others",
                                "--exclude-standard", "--", spec,       NULL};
    return take_names(all, git, args);
}

static fh_exit ask(asking *all, const char *folder, const char *spec, bool is_named)
{
    fh_git git;
    fh_exit exit = fh_git_open(&git, folder);
    if (exit == FH_EXIT_OK) {
        exit = is_named && all->revision != NULL ? ask_changed(all, &git, spec)
                                                 : ask_all(all, &git, spec);
    }
    fh_git_close(&git);
    return exit;
}

/* ---- models ---- */

/* Where the name goes on behind its stem: at its extension, or its end. */
static const char *behind_stem(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot == NULL || dot == name ? name + strlen(name) : dot;
}

static const char *name_in(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Whether a path may be that of a model beside an animation. */
static bool is_companion(const char *path)
{
    const char *rest = behind_stem(name_in(path));
    for (size_t i = 0; i < fh_num_formats; i++) {
        const fh_companion_kind *kind = fh_formats[i]->companion;
        if (kind != NULL && *rest == '.' && fh_same_but_case(rest + 1, kind->extension)) {
            return true;
        }
    }
    return false;
}

/* Adds what lies beside a model that changed and has its name but for the extension: it is held
 * against the model, so its findings may be others now. */
static bool add_beside(fh_list *found, const char *model)
{
    const char *name = name_in(model);
    const size_t len = (size_t)(behind_stem(name) - name);
    char *path = strndup(model, name == model ? 0 : (size_t)(name - model - 1));
    const char *folder = name == model ? "." : path == NULL || *path == '\0' ? "/" : path;
    DIR *listed = path == NULL ? NULL : opendir(folder);
    bool is_good = path != NULL;
    for (const struct dirent *entry = listed == NULL ? NULL : readdir(listed);
         entry != NULL && is_good; entry = readdir(listed)) {
        if (strncmp(entry->d_name, name, len) == 0 && !is_companion(entry->d_name) &&
            behind_stem(entry->d_name) == entry->d_name + len) {
            char *beside = join(folder, entry->d_name);
            is_good = beside != NULL && fh_list_add(found, beside);
            free(beside);
        }
    }
    if (listed != NULL) {
        (void)closedir(listed);
    }
    free(path);
    return is_good;
}

static fh_exit add_all_beside(fh_list *found)
{
    const size_t num = found->num_names;
    for (size_t i = 0; i < num; i++) {
        if (is_companion(found->names[i]) && !add_beside(found, found->names[i])) {
            fh_complain("out of memory");
            return FH_EXIT_LIMIT;
        }
    }
    return FH_EXIT_OK;
}

/* Asks for the models that a file may have beside it, under the names that check looks for. */
static fh_exit ask_beside(asking *all, const char *folder, const char *name)
{
    static const char *const cases[] = {".bac", ".BAC"};
    fh_exit exit = FH_EXIT_OK;
    for (size_t i = 0; i < sizeof cases / sizeof *cases && exit == FH_EXIT_OK; i++) {
        char *model = NULL;
        if (asprintf(&model, "%.*s%s", (int)(behind_stem(name) - name), name, cases[i]) < 0) {
            fh_complain("out of memory");
            return FH_EXIT_LIMIT;
        }
        exit = ask(all, folder, model, true);
        free(model);
    }
    return exit;
}

/* ---- visiting ---- */

/* Whether a folder on the way from the root is a symbolic link; a walk would not have gone there.
 * good_len: so much of the path before is known to be none. */
static bool is_behind_link(const char *path, size_t root_len)
{
    char part[PATH_MAX];
    const size_t len = strlen(path);
    if (len >= sizeof part) {
        return false; /* and cannot be opened either, which is told */
    }
    memcpy(part, path, len + 1);
    for (size_t i = root_len + 1; i < len; i++) {
        struct stat file;
        if (part[i] != '/') {
            continue;
        }
        part[i] = '\0';
        if (lstat(part, &file) != 0 || !S_ISDIR(file.st_mode)) {
            return true;
        }
        part[i] = '/';
    }
    return false;
}

static bool visit(const fh_walk_sink *sink, const char *path, size_t root_len)
{
    struct stat file;
    if (is_behind_link(path, root_len)) {
        return true; /* not of this tree: git knows a file where there is none any more */
    }
    if (lstat(path, &file) != 0) {
        if (errno != ENOENT) {
            sink->error(sink->user, path, strerror(errno));
        }
        return true; /* deleted, and not committed so */
    }
    if (S_ISREG(file.st_mode)) {
        return sink->file(sink->user, path, false);
    }
    if (S_ISDIR(file.st_mode)) {
        return fh_walk(path, sink);
    }
    (*sink->num_left_out)++;
    return true;
}

static bool visit_found(const fh_walk_sink *sink, const fh_list *found, size_t root_len)
{
    for (size_t i = 0; i < found->num_names; i++) {
        if (!visit(sink, found->names[i], root_len)) {
            return false;
        }
    }
    return true;
}

static fh_exit walk_folder(bool *go_on, const fh_walk_sink *sink, const char *path,
                           const char *revision)
{
    asking all = {.revision = revision};
    fh_exit exit = FH_EXIT_OK;
    if (!fh_list_add(&all.folders, path)) {
        fh_complain("out of memory");
        return FH_EXIT_LIMIT;
    }
    for (size_t i = 0; i < all.folders.num_names && exit == FH_EXIT_OK; i++) {
        exit = ask(&all, all.folders.names[i], ".", i == 0);
    }
    if (exit == FH_EXIT_OK && revision != NULL) {
        exit = add_all_beside(&all.found);
    }
    if (exit == FH_EXIT_OK) {
        fh_list_sort(&all.found);
        *go_on = visit_found(sink, &all.found, strlen(path));
    }
    fh_list_free(&all.found);
    fh_list_free(&all.folders);
    return exit;
}

/* A file is visited under the name that it was given. */
static fh_exit walk_file(bool *go_on, const fh_walk_sink *sink, const char *path,
                         const char *revision)
{
    asking all = {.revision = revision};
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL   ? strdup(".")
                   : slash == path ? strdup("/")
                                   : strndup(path, (size_t)(slash - path));
    if (folder == NULL) {
        fh_complain("out of memory");
        return FH_EXIT_LIMIT;
    }
    fh_exit exit = ask(&all, folder, name_in(path), true);
    if (exit == FH_EXIT_OK && all.found.num_names == 0) {
        exit = ask_beside(&all, folder, name_in(path));
    }
    if (exit == FH_EXIT_OK && all.found.num_names > 0) {
        *go_on = fh_walk(path, sink);
    }
    fh_list_free(&all.found);
    fh_list_free(&all.folders);
    free(folder);
    return exit;
}

fh_exit fh_changed_walk(bool *go_on, const fh_walk_sink *sink, const char *path,
                        const char *revision)
{
    struct stat file;
    *go_on = true;
    const bool is_input = strcmp(path, "-") == 0;
    if (!is_input && stat(path, &file) != 0) {
        sink->error(sink->user, path, strerror(errno));
        return FH_EXIT_OK;
    }
    if (is_input || (!S_ISDIR(file.st_mode) && revision == NULL)) {
        *go_on = fh_walk(path, sink);
        return FH_EXIT_OK;
    }
    if (sink->settle != NULL) {
        sink->settle(sink->user);
    }
    return S_ISDIR(file.st_mode) ? walk_folder(go_on, sink, path, revision)
                                 : walk_file(go_on, sink, path, revision);
}
