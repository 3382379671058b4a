#include "gate/places.h"

#include "reports/escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *fh_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL) {
        return realpath(".", NULL);
    }
    char *folder = strndup(path, slash == path ? 1 : (size_t)(slash - path));
    char *real = folder == NULL ? NULL : realpath(folder, NULL);
    free(folder);
    return real;
}

char *fh_place_join(const char *folder, const char *name)
{
    char *path = NULL;
    size_t len = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    if (name[0] == '/') {
        return strdup(name);
    }
    while (strncmp(name, "../", 3) == 0) {
        name += 3;
        while (len > 0 && folder[--len] != '/') {
        }
    }
    return asprintf(&path, "%.*s/%s", (int)len, folder, name) < 0 ? NULL : path;
}

bool fh_place_below(char out[FH_PLACE_SIZE], const char *folder, const char *path)
{
    size_t common = 0; /* bytes of both up to the slash behind the last part that they share */
    fh_text text = fh_text_make(out, FH_PLACE_SIZE);
    const size_t len = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    for (size_t i = 0; i <= len && path[i] == (i < len ? folder[i] : '/'); i++) {
        if (path[i] == '/') {
            common = i;
        }
    }
    /* Each part of the folder behind it is one way up. */
    for (size_t i = common; i < len; i++) {
        if (folder[i] == '/') {
            fh_text_str(&text, "../");
        }
    }
    fh_escape_into(&text, path + common + 1);
    return !text.cut;
}
