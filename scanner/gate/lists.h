/* Lists of names of files: from a file that the user names, from standard input, from git.
 *
 * Names are kept as bytes; nothing is read into them. A list owns its names. It is fed in pieces of
 * any size, in which a separator ends each name; the last one need not have it.
 */
#ifndef FH_GATE_LISTS_H
#define FH_GATE_LISTS_H

#include "cmd.h"

typedef struct fh_list {
    char **names; /* each owned */
    size_t num_names;

    /* Private. */
    size_t max_names;
    size_t len; /* bytes fed */
    char *rest; /* a name that has not ended */
    size_t rest_len;
    size_t max_rest;
} fh_list;

typedef enum fh_list_status {
    FH_LIST_OK = 0,
    FH_LIST_LIMIT, /* more than FH_LIST_MAX_LEN bytes */
    FH_LIST_NO_MEMORY,
    FH_LIST_EMPTY_NAME, /* among names that end with a zero */
    FH_LIST_ZERO        /* a zero byte in a name that ends with a line */
} fh_list_status;

/* fh_list_add copies a name; false: no memory. */
bool fh_list_add(fh_list *list, const char *name) FH_MUST_USE;

/* fh_list_feed takes the next bytes, in which `separator` (a zero or a line feed) ends each name,
 * and fh_list_feed_end what follows the last one. Lines that are empty are left out. */
fh_list_status fh_list_feed(fh_list *list, char separator, const void *bytes,
                            size_t len) FH_MUST_USE;
fh_list_status fh_list_feed_end(fh_list *list, char separator) FH_MUST_USE;

/* fh_list_read feeds the file at path ("-": standard input) and complains where it cannot, in
 * the name of the command. The exit code. */
fh_exit fh_list_read(fh_list *list, const char *command, const char *path, char separator);

/* fh_list_cut_columns makes names of the lines of a table, whose columns are separated by tabs: the
 * first column of each, from the name numbered `first` on. It may be empty. */
void fh_list_cut_columns(fh_list *list, size_t first);

/* fh_list_unique removes names that stand earlier already; the others stay in order. false: no
 * memory. */
bool fh_list_unique(fh_list *list) FH_MUST_USE;

/* fh_list_sort brings names into the order of a walk (walk.h), in which a folder stands where its
 * name does, and removes those that are there twice. */
void fh_list_sort(fh_list *list);

void fh_list_free(fh_list *list);

#endif
