/* A folder into which files are put, so that nothing that is there is ever changed, and nothing
 * outside of it is ever touched: names hold no slash, links are not followed, a file appears whole
 * or not at all. */
#ifndef FH_SCANNER_FOLDER_H
#define FH_SCANNER_FOLDER_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>

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

#endif
