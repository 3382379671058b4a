/* Why: what a format says of the bytes at one place, and what of it decided.
 *
 * The bytes are asked as the hunt asks them, by the format's probe, and then verified as they are,
 * whatever the probe said: the rule that rejects them is reported there with what was found and
 * what is demanded. Nothing here is recorded or printed.
 */
#ifndef FH_HUNT_WHY_H
#define FH_HUNT_WHY_H

#include "hunt/exam.h"
#include "hunt/gather.h"

/* How the place stands to the word that assets of the format are known by. */
typedef enum fh_why_magic {
    FH_MAGIC_NONE = 0, /* a scan would not have looked here */
    FH_MAGIC_HERE,     /* it stands here, where an asset begins */
    FH_MAGIC_BEHIND,   /* it stands at magic_off, and an asset that has it there begins here */
    FH_MAGIC_INSIDE,   /* it stands here, and an asset that has it here begins at `start` */
    FH_MAGIC_START     /* here a file begins, and a text may begin one without it */
} fh_why_magic;

typedef struct fh_why {
    const fh_format *format;
    fh_why_magic magic;
    size_t magic_off; /* of FH_MAGIC_BEHIND, from the place on */
    size_t start;     /* position in the window at which the format was asked */
    bool is_aligned;  /* a scan looks there without --every-offset */
    bool is_file;     /* the asset is a whole file */
    fh_cursor bytes;  /* from there on */
    fh_probe probe;
    const fh_finding *finding; /* of a rejection: where verify reports the same rule, or NULL */
    const fh_finding *other;   /* the first error that verify reports, if it is another; or NULL */
    bool has_file_fault;       /* of what is accepted where a file begins: it is an asset, perhaps a
                                  part of one, but the file as a whole is none */
    fh_finding file_fault;     /* why not: the first error of that */
} fh_why;

/* fh_why_ask asks one format. Findings are those of exam, and stay until it is used again. false:
 * no memory. */
bool fh_why_ask(fh_why *out, fh_exam *exam, const fh_gather *gather,
                const fh_format *format) FH_MUST_USE;

/* fh_why_held_back writes what kept an accepted asset from the next grade; nothing if there is
 * none. */
void fh_why_held_back(fh_text *out, const fh_exam *exam);

#endif
