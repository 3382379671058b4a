#include "gate/lock_key.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

bool fh_lock_folder(char out[PATH_MAX], const char *path)
{
    char copy[PATH_MAX];
    if (strlen(path) >= sizeof copy) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(copy, path, strlen(path) + 1);
    return realpath(dirname(copy), out) != NULL;
}

bool fh_lock_place(char out[PATH_MAX], const char *path)
{
    char copy[PATH_MAX];
    if (!fh_lock_folder(out, path)) {
        return false;
    }
    memcpy(copy, path, strlen(path) + 1);
    const char *name = basename(copy);
    const size_t len = strlen(out);
    if (len + 1 + strlen(name) >= PATH_MAX) {
        return false;
    }
    out[len] = '/';
    memcpy(out + len + 1, name, strlen(name) + 1);
    return true;
}

static size_t same_folders(const char *a, const char *b)
{
    size_t same = 0;
    for (size_t i = 0;; i++) {
        const bool a_ends = a[i] == '\0' || a[i] == '/';
        const bool b_ends = b[i] == '\0' || b[i] == '/';
        if (a_ends && b_ends) {
            same = i;
        }
        if (a[i] != b[i] || a[i] == '\0') {
            return same;
        }
    }
}

/* The path of a file as seen from a folder; both are real. */
static char *relative(const char *folder, const char *place)
{
    if (folder[1] == '\0') {
        return strdup(place + 1); /* the root */
    }
    const size_t same = same_folders(folder, place);
    size_t ups = 0;
    for (const char *at = folder + same; *at != '\0'; at++) {
        ups += *at == '/' ? 1 : 0;
    }
    const char *rest = place + same + (place[same] == '/' ? 1 : 0);
    char *out = malloc(3 * ups + strlen(rest) + 1);
    if (out != NULL) {
        for (size_t i = 0; i < ups; i++) {
            memcpy(out + 3 * i, "../", 3);
        }
        memcpy(out + 3 * ups, rest, strlen(rest) + 1);
    }
    return out;
}

char *fh_lock_key(const char *folder, const char *path)
{
    char place[PATH_MAX];
    return fh_lock_place(place, path) ? relative(folder, place) : NULL;
}
