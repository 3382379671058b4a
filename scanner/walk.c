/* Our own walk: fts(3) of glibc 2.36 crashes when memory runs out while it opens a tree, and takes
 * a directory that breaks off with a read error for one that ends there. */
#include "walk.h"

#include "cmd.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A directory whose names are being visited. */
typedef struct level {
    char **names; /* owned, each of them, in their order */
    size_t num;
    size_t max;
    size_t next;
    size_t path_len; /* of its path, with the slash behind it */
} level;

typedef struct walk {
    const fh_walk_sink *sink;
    const char *root;
    char *path; /* owned: of what is visited */
    size_t max_path;
    level *levels; /* owned */
    size_t num_levels;
    size_t max_levels;
} walk;

/* More may be missing than one name. */
static void tell_cut_off(const walk *w, const char *path, int error)
{
    const fh_walk_sink *sink = w->sink;
    (sink->cut_off != NULL ? sink->cut_off : sink->error)(sink->user, path, strerror(error));
}

static bool no_memory(const walk *w)
{
    tell_cut_off(w, w->root, ENOMEM);
    return false;
}

/* What git keeps for itself: a directory, or the file that says where it is. */
static bool is_left_out(const walk *w, const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
           (w->sink->skips_git && strcmp(name, ".git") == 0);
}

/* ---- directories -------------------------------------------------------------------------------
 */

static void forget(level *at)
{
    for (size_t i = 0; i < at->num; i++) {
        free(at->names[i]);
    }
    free(at->names);
    *at = (level){0};
}

static bool add_name(level *at, const char *name)
{
    if (at->num == at->max) {
        const size_t max = at->max == 0 ? 16 : 2 * at->max;
        char **names = reallocarray(at->names, max, sizeof *names);
        if (names == NULL) {
            return false;
        }
        at->names = names;
        at->max = max;
    }
    char *copy = strdup(name);
    if (copy == NULL) {
        return false;
    }
    at->names[at->num++] = copy;
    return true;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Reads all names of the directory at w->path; false: there is no memory. What was read before an
 * error counts. */
static bool list(level *out, const walk *w, DIR *folder)
{
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(folder);
        if (entry == NULL) {
            break;
        }
        if (!is_left_out(w, entry->d_name) && !add_name(out, entry->d_name)) {
            return no_memory(w);
        }
    }
    if (errno != 0) {
        tell_cut_off(w, w->path, errno);
    }
    if (out->num > 1) {
        qsort(out->names, out->num, sizeof *out->names, by_name);
    }
    return true;
}

/* Only the root may be a link; nothing else is followed, even if it has become one since. */
static DIR *open_folder(const walk *w)
{
    const int links = w->num_levels == 0 ? 0 : O_NOFOLLOW;
    const int fd = open(w->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | links);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    if (folder == NULL && fd >= 0) {
        const int error = errno;
        (void)close(fd);
        errno = error;
    }
    return folder;
}

static bool push(walk *w, const level *at)
{
    if (w->num_levels == w->max_levels) {
        const size_t max = w->max_levels == 0 ? 8 : 2 * w->max_levels;
        level *levels = reallocarray(w->levels, max, sizeof *levels);
        if (levels == NULL) {
            return no_memory(w);
        }
        w->levels = levels;
        w->max_levels = max;
    }
    w->levels[w->num_levels++] = *at;
    return true;
}

/* Goes into the directory at w->path; false: there is no memory. */
static bool enter(walk *w)
{
    DIR *folder = open_folder(w);
    if (folder == NULL) {
        const int error = errno;
        if (error == ENOMEM || error == EMFILE || error == ENFILE) {
            tell_cut_off(w, w->path, error);
        } else {
            w->sink->error(w->sink->user, w->path, strerror(error));
        }
        return true;
    }
    level at = {.path_len = strlen(w->path)};
    at.path_len += w->path[at.path_len - 1] == '/' ? 0 : 1;
    const bool is_listed = list(&at, w, folder) && push(w, &at);
    (void)closedir(folder);
    if (!is_listed) {
        forget(&at);
    }
    return is_listed;
}

/* ---- names -------------------------------------------------------------------------------------
 */

static bool make_room(walk *w, size_t size)
{
    if (w->path == NULL || size > w->max_path) {
        char *path = realloc(w->path, 2 * size);
        if (path == NULL) {
            return no_memory(w);
        }
        w->path = path;
        w->max_path = 2 * size;
    }
    return true;
}

/* Puts the path of a name of the innermost directory together. */
static bool put_path(walk *w, const level *at, const char *name)
{
    const size_t len = strlen(name);
    if (!make_room(w, at->path_len + len + 1)) {
        return false;
    }
    w->path[at->path_len - 1] = '/';
    memcpy(w->path + at->path_len, name, len + 1);
    return true;
}

/* One that is named may be a link. */
static int look(struct stat *there, const char *path, bool is_named)
{
    if ((is_named ? stat(path, there) : lstat(path, there)) == 0) {
        return 0;
    }
    return errno;
}

/* What lies at w->path; *go_on is false when a callback ended the walk. Returns false when there is
 * no memory. */
static bool visit(walk *w, bool *go_on, bool is_named)
{
    const fh_walk_sink *sink = w->sink;
    struct stat there;
    const int error = look(&there, w->path, is_named);
    if (error != 0) {
        sink->error(sink->user, w->path, strerror(error));
    } else if (S_ISDIR(there.st_mode)) {
        return enter(w);
    } else if (S_ISREG(there.st_mode) || is_named) {
        *go_on = sink->file(sink->user, w->path, is_named);
    } else { /* a link, device, pipe or socket */
        (*sink->num_left_out)++;
    }
    return true;
}

/* Visits the next name; false: the walk is at its end. */
static bool step(walk *w, bool *go_on)
{
    if (w->num_levels == 0) {
        return false;
    }
    level *at = &w->levels[w->num_levels - 1];
    if (at->next == at->num) {
        forget(at);
        w->num_levels--;
        return true;
    }
    return put_path(w, at, at->names[at->next++]) && visit(w, go_on, false) && *go_on;
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

bool fh_walk(const char *path, const fh_walk_sink *sink)
{
    walk w = {.sink = sink, .root = path};
    bool go_on = true;
    if (strcmp(path, "-") == 0) {
        return sink->file(sink->user, path, true);
    }
    if (path[0] == '\0') {
        sink->error(sink->user, path, strerror(ENOENT));
        return true;
    }
    const size_t size = strlen(path) + 1;
    if (make_room(&w, size)) {
        memcpy(w.path, path, size);
        bool is_inside = visit(&w, &go_on, true) && go_on;
        while (is_inside) {
            is_inside = step(&w, &go_on);
        }
    }
    while (w.num_levels > 0) {
        forget(&w.levels[--w.num_levels]);
    }
    free(w.levels);
    free(w.path);
    return go_on;
}
