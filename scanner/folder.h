/* A folder into which files are put, so that nothing that is there is ever changed unless that is
 * what is asked for, and nothing outside of it is ever touched: names hold no slash, links are not
 * followed, a file appears whole or not at all. */
#ifndef FH_SCANNER_FOLDER_H
#define FH_SCANNER_FOLDER_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

typedef struct fh_folder {
    int fd;       /* -1: it does not exist, and nothing is to be written */
    bool is_mute; /* nothing is written, only looked at */
} fh_folder;

typedef enum fh_put_status {
    FH_PUT_OK = 0,  /* written, or would be */
    FH_PUT_THERE,   /* the same file was there already */
    FH_PUT_DIFFERS, /* something else is there, and stays as it is */
    FH_PUT_ERROR    /* see errno */
} fh_put_status;

/* fh_folder_open opens the folder at path, and makes it unless mute. false, and errno, on failure;
 * a folder that is missing is no failure for a mute one. */
bool fh_folder_open(fh_folder *folder, const char *path, bool is_mute) FH_MUST_USE;
void fh_folder_close(fh_folder *folder);

/* fh_folder_put puts a file there. name is no path, and not empty. */
fh_put_status fh_folder_put(const fh_folder *folder, const char *name, const void *bytes,
                            size_t len) FH_MUST_USE;

/* fh_folder_take_back removes what fh_folder_put has just made, where what belongs to it could not
 * be written. */
void fh_folder_take_back(const fh_folder *folder, const char *name);

/* What fh_folder_replace puts another file in the place of: a regular file, under that one name. */
typedef enum fh_old_status {
    FH_OLD_SAME = 0, /* it still has the bytes */
    FH_OLD_DIFFERS,  /* it has others by now, or is gone */
    FH_OLD_LINK,     /* a symbolic link, which is not followed */
    FH_OLD_LINKED,   /* it has other names, which would keep the old bytes */
    FH_OLD_OTHER     /* no regular file */
} fh_old_status;

/* fh_folder_look tells what is under a name, and whether it has these bytes. */
fh_old_status fh_folder_look(const fh_folder *folder, struct stat *out, const char *name,
                             const void *bytes, size_t len) FH_MUST_USE;

/* fh_folder_replace puts a file in the place of the one that `was` describes: written beside it and
 * renamed, with the same mode and owner. false, and errno, on failure (ESTALE: another file has the
 * name by now); what was there is then as it was. */
bool fh_folder_replace(const fh_folder *folder, const char *name, const struct stat *was,
                       const void *bytes, size_t len) FH_MUST_USE;

#endif
