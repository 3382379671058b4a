/* The opener: from a path to every source that lies there. A file that is no container is a source
 * itself. A container is entered, and its members are sources, or containers again.
 *
 * Members are called by the path of their container, `!/`, and the name they have in it:
 *   discs.zip!/a/game.bin      backup.tar.gz!/game.bin      game.bin.ecm!/game.bin
 * Names are data: they never open a file. Where a name comes a second time, or has none, it gets
 * `#` and the member's number in its container; `!/` in a name becomes `%21/`. So every member has
 * a path of its own, and the same one each time.
 *
 * Everything is streamed, in one pass: nothing is unpacked to disk, and memory is bounded by the
 * depth (source/limits.h). One pass also means that members come in the order in which they lie.
 *
 * A control file of a disc image (source/sheet.h) is entered too, if it is a file itself: the image
 * files that it names are sources under their own paths, and their readers know their tracks.
 *
 * What begins like a container and yields no member is searched as it lies, where its bytes can be
 * had once more, and so is what is known but has no decoder, or lies too deep.
 */
#ifndef FH_SOURCE_OPENER_H
#define FH_SOURCE_OPENER_H

#include "source/reader.h"

#define FH_MEMBER_MARK "!/"

/* A container or control file that was walked through. Borrowed for the call. */
typedef struct fh_container {
    const char *path;
    bool is_sheet;           /* a control file */
    int64_t num_lost;        /* files that it names and that could not be read */
    const fh_reader *reader; /* has handed out what could be had of its bytes */
    bool is_whole;           /* all of them, so that size and hash are those of the container */
    bool hit_limit;
    const fh_tallies *faults;
} fh_container;

/* false from a callback ends the work. */
typedef struct fh_opener_sink {
    void *user;
    /* A source to be searched: the reader is at its first byte, and closed by the opener. The
     * faults of its tape are complete when it has been read. */
    bool (*source)(void *user, const char *path, fh_reader *reader);
    /* A container, behind all its members; may be NULL. */
    bool (*container)(void *user, const fh_container *container);
} fh_opener_sink;

typedef struct fh_opener_options {
    bool as_it_lies;         /* containers are not entered */
    const char *const *only; /* the sources that are wanted, by their paths, which rise and differ
                                (strcmp); NULL: all */
    size_t num_only;
    /* Whether an image file that a control file names is to be read; NULL: all are. */
    bool (*wants_image)(void *user, const char *path);
    void *wants_user;
    fh_stop stop;
} fh_opener_options;

typedef enum fh_opener_status {
    FH_OPENER_OK = 0,
    FH_OPENER_ERROR, /* path cannot be opened; see error_text */
    FH_OPENER_ENDED, /* by the sink */
    FH_OPENER_STOPPED,
    FH_OPENER_NO_MEMORY
} fh_opener_status;

typedef struct fh_opener_result {
    int64_t num_left_out; /* links and devices in containers */
    fh_drift drift;       /* the worst of the files that were read for it */
    char error_text[128];
} fh_opener_result;

/* fh_open_all hands out every source of the file at path ("-" = standard input), or those that are
 * wanted: FH_OPENER_STOPPED if not all of these were met when the user asked for an end. Of what is
 * handed out its reader says so. */
fh_opener_status fh_open_all(fh_opener_result *result, const char *path,
                             const fh_opener_options *options,
                             const fh_opener_sink *sink) FH_MUST_USE;

/* fh_open_tape does so for a tape, which it takes over and closes; path is what its bytes are
 * called and opens no file. No control file is looked for in it. */
fh_opener_status fh_open_tape(fh_opener_result *result, const char *path, const fh_tape *tape,
                              const fh_opener_options *options,
                              const fh_opener_sink *sink) FH_MUST_USE;

/* fh_open_one hands out the source that fh_open_all calls so. FH_OPENER_OK, and no source, where
 * there is none any more. */
fh_opener_status fh_open_one(fh_opener_result *result, const char *path, const fh_stop *stop,
                             const fh_opener_sink *sink) FH_MUST_USE;

#endif
