/* A cache: bytes kept by a key of 32, in a folder that belongs to the user alone.
 *
 * An entry is a file, named by its key, that is written beside and put in place whole, so that
 * runs at the same time do no harm. It carries its key, its length and a hash: what is damaged,
 * cut or of another kind is not there, and is written anew. Nothing ages; where the entries of one
 * of its 256 folders take too much room, those written first go.
 *
 * What others can write is not trusted: a folder of another owner, or one that others may enter, is
 * refused.
 *
 * One cache serves all threads.
 */
#ifndef FH_GATE_CACHE_H
#define FH_GATE_CACHE_H

#include "cmd.h"
#include "core/record.h"

#include <stdatomic.h>

typedef struct fh_cache_key {
    uint8_t bytes[FH_SHA256_LEN];
} fh_cache_key;

typedef struct fh_cache {
    uint8_t salt[FH_SHA256_LEN]; /* of the program; see recall.h, which sets it */

    /* Private. */
    const char *path; /* borrowed */
    int fd;
    atomic_uint num_temporary;
    atomic_uint num_lost; /* entries that could not be written */
    atomic_int error;     /* errno of one of them */
    atomic_bool is_touched[256];
} fh_cache;

/* fh_cache_open opens the folder at path, and makes it, but not those it lies in. FH_EXIT_OK, or
 * FH_EXIT_IO when it has complained. path must stay. */
fh_exit fh_cache_open(fh_cache *cache, const char *path);

/* fh_cache_get returns the bytes of an entry, to be freed, and *len; NULL: there is none. */
uint8_t *fh_cache_get(const fh_cache *cache, size_t *len, const fh_cache_key *key) FH_MUST_USE;

/* fh_cache_put keeps len bytes, or leaves it: nothing hangs on it. */
void fh_cache_put(fh_cache *cache, const fh_cache_key *key, const void *bytes, size_t len);

/* fh_cache_close tidies up where entries were added, and complains once if some could not be. */
void fh_cache_close(fh_cache *cache);

#endif
