/* A box: a container of sources (archive, compressed file, packed disc image), opened.
 *
 * Each kind of container is one fh_box_kind in the table of source/container.c: how it is
 * recognised from its first bytes, and how it is opened. An open box yields its members one after
 * the other, in the order in which they lie, and the bytes of each once, forwards. Whoever walks
 * through boxes (source/opener.h) makes paths, counts bytes and keeps to the limits; a kind knows
 * its format and nothing else.
 *
 * A box reads `from`, the reader of the container's own bytes, which it borrows. Kinds that set
 * `seeks` may instead use from->tape.seek and read where they like (fh_box_read_at); all others
 * take the bytes as they come, so that they are hashed on the way. What is wrong with the container
 * goes into `faults`, what is wrong with a member into the faults of the member's tape.
 */
#ifndef FH_SOURCE_BOX_H
#define FH_SOURCE_BOX_H

#include "source/reader.h"

typedef enum fh_box_status {
    FH_BOX_OK = 0,
    FH_BOX_END,     /* no further member */
    FH_BOX_BROKEN,  /* no further member can be read; a fault says why */
    FH_BOX_OTHER,   /* of open: looks like this kind, but is something else; a fault says what */
    FH_BOX_STOPPED, /* the user wants the work to end */
    FH_BOX_NO_MEMORY
} fh_box_status;

typedef struct fh_member {
    const char *name;  /* borrowed until the next member; NULL: nameless */
    bool is_bytes;     /* else a folder, or: */
    bool is_link;      /* a link or device, which has no bytes of its own */
    bool is_encrypted; /* its bytes cannot be had */
    fh_content content;
    int64_t size; /* as it is announced, or FH_UNKNOWN */
} fh_member;

typedef struct fh_box fh_box;
typedef struct fh_box_kind fh_box_kind;

struct fh_box {
    /* Set before open is called. */
    const fh_box_kind *kind;
    fh_reader *from;    /* borrowed; at the first byte */
    fh_tallies *faults; /* borrowed; of the container */

    /* Set by open. */
    void *self;
    fh_box_status (*next)(fh_box *box, fh_member *member); /* skips what was not read */
    /* The bytes of the member, as fh_tape.read; the tape is the one whose faults are theirs. */
    fh_tape_status (*read)(fh_box *box, fh_tape *tape, size_t *len, uint8_t *to, size_t max);
    /* As fh_tape.read_any, of the member, whose length is then as announced; NULL: it cannot. */
    bool (*read_any)(fh_box *box, int64_t off, uint8_t *to, size_t len);
    void (*close)(fh_box *box); /* called in any case if set, also after open has failed */
};

struct fh_box_kind {
    const char *name; /* for findings */
    /* Tells the kind from the first bytes, at most FH_READER_WINDOW. Magic in its place: what only
     * might be a container is none. */
    bool (*is)(const fh_cursor *window);
    /* NULL: known, but there is no decoder. */
    fh_box_status (*open)(fh_box *box);
    bool seeks;         /* the reader's tape must be able to seek */
    bool wraps;         /* has one member without a name of its own, which gets the box's without */
    const char *suffix; /* this at the end, if the box is called so; may be NULL */
    bool lies_plain;  /* in a file of its own it is none, for its member lies there as it is: it is
                         entered in a box that wraps it only */
    bool bundles;     /* in a box that wraps it is not told as a level of its own (.tar.gz) */
    bool is_left_out; /* the library was left out when the program was built */
};

/* fh_fault adds a fault; found and expected are copied. Only the first of each rule is kept, with
 * how many there were. */
void fh_fault(fh_tallies *faults, fh_image_rule rule, int64_t off, const char *field,
              const char *found, const char *expected);

/* fh_fault_sizes does so for two numbers of bytes. */
void fh_fault_sizes(fh_tallies *faults, fh_image_rule rule, int64_t off, const char *field,
                    int64_t found, int64_t expected);

/* fh_box_read_at reads len bytes at off of the box's own tape: for kinds that seek. FH_TAPE_OK;
 * else why not all of them could be had. */
fh_tape_status fh_box_read_at(fh_box *box, uint8_t *to, int64_t off, size_t len) FH_MUST_USE;

/* A feed hands out the bytes of a reader in the portions that a decoder wants. */
typedef struct fh_feed {
    fh_reader *reader; /* borrowed */
    const uint8_t *bytes;
    size_t left;
    int64_t off; /* of the next byte */
    fh_reader_status status;
} fh_feed;

fh_feed fh_feed_make(fh_reader *reader);

/* fh_feed_more sees to it that bytes and left are not empty; false: feed->status says why. */
bool fh_feed_more(fh_feed *feed) FH_MUST_USE;

/* fh_feed_get copies len bytes, fh_feed_skip passes over them; false if there are fewer. */
bool fh_feed_get(fh_feed *feed, uint8_t *to, size_t len) FH_MUST_USE;
bool fh_feed_skip(fh_feed *feed, int64_t len) FH_MUST_USE;

/* fh_feed_ended says in tape and its faults that the feed ended where `field` was wanted, and
 * returns what the tape's read returns then. fh_feed_broke does so for a box. */
fh_tape_status fh_feed_ended(const fh_feed *feed, fh_tape *tape, const char *field);
fh_box_status fh_feed_broke(const fh_feed *feed, fh_tallies *faults, const char *field);

#endif
