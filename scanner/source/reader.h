/* The reader: a source read once, from its start to its end, in chunks.
 *
 * Works on everything that can be read forwards (see source/tape.h): files, devices, pipes, what
 * decoders yield. A source of any size costs the same memory: one block, somewhat longer than
 * FH_READER_WINDOW, owned by the reader. Bytes handed out are borrowed until others are, or the
 * reader is begun again, and are all hashed (SHA-256).
 *
 * Offsets and sizes count bytes from where the tape stood when it was opened. What was read
 * is what counts: that a file shrinks or grows meanwhile is no error of reading, but can be asked
 * for (fh_reader_drift).
 *
 * Errors are kept in the reader: errno, the offset at which it happened, and a text. They are
 * sticky; bytes read before the error are handed out first.
 */
#ifndef FH_SOURCE_READER_H
#define FH_SOURCE_READER_H

#include "core/cursor.h"
#include "core/record.h"
#include "source/digest.h"
#include "source/prefetch.h"
#include "source/tape.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of one chunk. Large enough that system calls cost nothing beside the search, and small
 * enough that some of them can be read ahead. */
#define FH_READER_CHUNK ((size_t)256 << 10)

/* Bytes that can be looked at before reading: the distance in which a volume descriptor and the
 * root directory are looked for (section 3.1 of the image format sheet). A multiple of a chunk. */
#define FH_READER_WINDOW ((size_t)1 << 20)

/* Bytes of the chunk before that can be handed out once more, directly in front of the next one. */
#define FH_READER_KEEP ((size_t)84 << 10)

typedef enum fh_reader_status {
    FH_READER_OK = 0,
    FH_READER_END,    /* every byte has been handed out */
    FH_READER_ERROR,  /* see error, error_off, error_text */
    FH_READER_STOPPED /* stop said so */
} fh_reader_status;

/* That the bytes of a source can be had once more by its path (fh_open_one), and how often. */
typedef struct fh_again {
    unsigned left;
} fh_again;

typedef struct fh_reader {
    /* Given at opening: polled before each system call that may wait, and so also when a signal has
     * interrupted one (install its handler without SA_RESTART). */
    bool (*stop)(void *user);
    void *stop_user;

    /* What a control file says of the bytes; borrowed, NULL: nothing. Set by the opener. */
    const struct fh_tracks *tracks;

    /* Borrowed; NULL: what was read is gone. Set by the opener, for what lies in a file on disk. */
    fh_again *again;

    /* Whether threads of their own may hash the bytes, and read and look at (lookout) the next ones
     * of a regular file, while these are searched. Set by who reads. */
    bool is_helped;

    /* Whether nobody asks for the hash. Set before the first byte is handed out, or not at all. */
    bool skips_hash;

    /* Borrowed until fh_reader_look_no_more; NULL: nobody wants to see chunks that are read ahead.
     * Set before the first byte is handed out, or not at all. */
    const fh_lookout *lookout;

    /* To be read. */
    int64_t stat_size;    /* bytes ahead when it was opened, FH_UNKNOWN for a pipe */
    int64_t size_read;    /* bytes handed out so far */
    int error;            /* errno; 0: none, or it is the content that is wrong (tape.faults) */
    int64_t error_off;    /* byte at which the error happened */
    char error_text[128]; /* what the system says about it */

    fh_tape tape; /* owned */

    /* Private. */
    fh_reader_status pending; /* what comes after the bytes in the block */
    uint8_t *room;            /* owned: FH_READER_KEEP bytes, and the block */
    uint8_t *block;           /* the chunks, in a ring */
    size_t block_start;       /* where the bytes begin in it: at one of its chunks */
    size_t block_len;         /* bytes read from there on */
    size_t block_pos;         /* bytes of them handed out */
    fh_digest *digest;        /* owned */
    fh_prefetch *prefetch;    /* owned; NULL: the next chunk is read when it is wanted */
} fh_reader;

/* fh_reader_open opens path, or standard input for "-". FH_READER_OK, FH_READER_ERROR, or
 * FH_READER_STOPPED where opening itself waits (a pipe without a writer) and stop says so; in all
 * cases the reader must be closed. A directory is an error (EISDIR). stop may be NULL. */
fh_reader_status fh_reader_open(fh_reader *reader, const char *path, bool (*stop)(void *user),
                                void *stop_user) FH_MUST_USE;
void fh_reader_close(fh_reader *reader);

/* fh_reader_open_tape reads a tape, which it takes over and closes. FH_READER_OK or
 * FH_READER_ERROR; in both cases the reader must be closed. */
fh_reader_status fh_reader_open_tape(fh_reader *reader, const fh_tape *tape,
                                     const fh_stop *stop) FH_MUST_USE;

/* fh_reader_restart goes back to the first byte, as if nothing had been handed out. false, and
 * nothing is changed, where more than the window has been read of a tape that cannot go back.
 * Where somebody has read from the tape and that failed, reading ends with the error, behind what
 * is held already. */
bool fh_reader_restart(fh_reader *reader) FH_MUST_USE;

/* fh_reader_break lets reading end with an error, an errno, behind what is held already: something
 * that belongs to the source could not be read. The first error stays. */
void fh_reader_break(fh_reader *reader, int error);

/* fh_reader_look_no_more ends that chunks are shown to the lookout. */
void fh_reader_look_no_more(fh_reader *reader);

/* fh_reader_peek covers the first FH_READER_WINDOW bytes, or all if there are fewer, without
 * losing them. To be called before the first fh_reader_next. What hinders reading is told by
 * fh_reader_next after the bytes that came before it. */
fh_cursor fh_reader_peek(fh_reader *reader);

/* fh_reader_next hands out the next FH_READER_CHUNK bytes; fewer only before END or an error. With
 * any status but FH_READER_OK the outputs stay as they were. */
fh_reader_status fh_reader_next(fh_reader *reader, const uint8_t **bytes, size_t *len) FH_MUST_USE;

/* fh_reader_next_behind is the same, and hands out in front of them, and counted in *len, the last
 * `keep` bytes of those that were handed out before, for which these need not be copied: at most
 * FH_READER_KEEP, and no more than there were. Where it hands out nothing, what was handed out last
 * stays as it is. */
fh_reader_status fh_reader_next_behind(fh_reader *reader, size_t keep, const uint8_t **bytes,
                                       size_t *len) FH_MUST_USE;

/* fh_reader_size returns the length of the source: what was found if the end has been seen, else
 * what was said at opening, which may be FH_UNKNOWN. */
int64_t fh_reader_size(const fh_reader *reader);

/* fh_reader_held returns how many bytes were read so far: those that were handed out, and those in
 * the block that wait for it. */
int64_t fh_reader_held(const fh_reader *reader);

/* fh_reader_is_at_end tells whether the last byte of the source has been handed out. */
bool fh_reader_is_at_end(const fh_reader *reader);

/* fh_reader_drift tells what has become of the source since it was opened: what the system says of
 * it now, and whether its end came elsewhere than it lay then; what is worse of the two. */
fh_drift fh_reader_drift(const fh_reader *reader);

/* fh_reader_sha256 writes the hash of all bytes handed out so far; false if hashing failed. */
bool fh_reader_sha256(const fh_reader *reader, uint8_t out[FH_SHA256_LEN]) FH_MUST_USE;

#endif
