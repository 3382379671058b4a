#include "walk.h"

#include "cmd.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* What git keeps for itself: a directory, or the file that says where it is. */
static bool is_of_git(const FTSENT *entry)
{
    return entry->fts_level != FTS_ROOTLEVEL && strcmp(entry->fts_name, ".git") == 0;
}

static bool visit(FTSENT *entry, const fh_walk_sink *sink)
{
    const bool is_named = entry->fts_level == FTS_ROOTLEVEL;
    switch (entry->fts_info) {
    case FTS_F:
        return sink->file(sink->user, entry->fts_path, is_named);
    case FTS_DEFAULT: /* a device, pipe or socket */
        if (is_named) {
            return sink->file(sink->user, entry->fts_path, true);
        }
        (*sink->num_left_out)++;
        return true;
    case FTS_SL:
        (*sink->num_left_out)++;
        return true;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        sink->error(sink->user, entry->fts_path, strerror(entry->fts_errno));
        return true;
    case FTS_SLNONE:
        sink->error(sink->user, entry->fts_path, strerror(ENOENT));
        return true;
    default: /* directories, before and after */
        return true;
    }
}

void fh_tell_left_out(size_t num)
{
    if (num > 0) {
        fh_complain(
            "%zu symbolic links, devices or pipes in directories were left out; name them to "
            "have them read",
            num);
    }
}

static void tell_cut_off(const fh_walk_sink *sink, const char *path, int error)
{
    (sink->cut_off != NULL ? sink->cut_off : sink->error)(sink->user, path, strerror(error));
}

/* Visits everything; false: a callback ended it. */
static bool walk_tree(FTS *tree, const fh_walk_sink *sink, const char *path)
{
    bool go_on = true;
    while (go_on) {
        errno = 0;
        FTSENT *entry = fts_read(tree);
        if (entry == NULL) {
            if (errno != 0) {
                tell_cut_off(sink, path, errno);
            }
            return true;
        }
        if (sink->skips_git && is_of_git(entry)) {
            (void)fts_set(tree, entry, FTS_SKIP);
        } else {
            go_on = visit(entry, sink);
        }
    }
    return false;
}

bool fh_walk(const char *path, const fh_walk_sink *sink)
{
    if (strcmp(path, "-") == 0) {
        return sink->file(sink->user, path, true);
    }
    if (path[0] == '\0') {
        sink->error(sink->user, path, strerror(ENOENT));
        return true;
    }
    char *name = strdup(path);
    char *const roots[] = {name, NULL};
    FTS *tree =
        name == NULL ? NULL : fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, by_name);
    bool go_on = true;
    if (tree == NULL) {
        tell_cut_off(sink, path, errno);
    } else {
        go_on = walk_tree(tree, sink, path);
        (void)fts_close(tree);
    }
    free(name);
    return go_on;
}
