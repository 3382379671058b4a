/* A whole file in memory, for those who judge files one by one. */
#ifndef FH_SOURCE_LOAD_H
#define FH_SOURCE_LOAD_H

#include "core/cursor.h"
#include "core/limits.h"
#include "source/tape.h"

typedef enum fh_load_status {
    FH_LOAD_OK = 0,
    FH_LOAD_TOO_LONG, /* longer than any asset; the first FH_MAX_ASSET_LEN bytes are there */
    FH_LOAD_ERROR,    /* see error */
    FH_LOAD_STOPPED,  /* the user wants the program to end */
    FH_LOAD_NO_MEMORY
} fh_load_status;

typedef struct fh_file {
    uint8_t *bytes; /* owned */
    size_t len;
    size_t max_len;
    char error[160];
} fh_file;

/* fh_file_load reads path ("-" = standard input) into file, whose memory it reuses. */
fh_load_status fh_file_load(fh_file *file, const char *path, const fh_stop *stop) FH_MUST_USE;
void fh_file_free(fh_file *file);

/* fh_file_cursor covers the bytes. */
fh_cursor fh_file_cursor(const fh_file *file);

#endif
