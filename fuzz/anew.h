/* A sound file, written anew by the forge from nothing but what was decoded of it.
 *
 * What describes a decoded form does it in the forge's language (corpus/forge/README.md), of which
 * formats/ knows nothing: the forge has the layout of each format a second time, and none of the
 * decoders' code. So what the two of them say to each other is an error of one of them, unless it
 * is the same again. The common part (fuzz_anew.c) has a file decoded, described and assembled in
 * memory, what comes of it decoded and described once more, and holds one against the other:
 *   - what is replayed can be described, and the forge takes the description;
 *   - what it writes is found, sound and replayed, with the same frames and objects, in the same
 *     time, and moves alike;
 *   - it decodes to the same: its description is that of the first file, letter by letter. Numbers
 *     are written with all the digits that tell them apart, so they are the same to the bit.
 *
 * What may differ in the bytes:
 *   - of a TOD nothing at all. What lies behind its last frame is no part of it;
 *   - of an HMD where its areas lie, and all pointers with them (describe_hmd.c). Words that poses
 *     name are held against each other by where they come to lie;
 *   - of the texts what has no decoded form: comments, blanks, line ends, the byte order mark, in
 *     which form a number stands, and in TRA4 the order of the channels of a bone, that of
 *     DynamicPolygons among the bones, chunks that nobody knows, and how traVersion is spelled.
 *
 * Each format has a file describe_FORMAT.c with one fuzz_anew. FUZZED_ANEW is that of the target.
 */
#ifndef FUZZ_ANEW_H
#define FUZZ_ANEW_H

#include "fuzz_run.h"

#include "forge/buf.h"
#include "forge/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A description that is being written. Its memory is of run_keep. */
typedef struct fuzz_description {
    char *text;
    size_t len;
    size_t room;
    /* Where the units that the poses name by their place (words of an HMD) stand in what is made
     * of it; NULL: poses name nothing that way. */
    uint32_t *places;
    const char *left_out; /* why the language has no words for it, NULL: it has */
    const char *remark;   /* how it was described, for who asks for it */
} fuzz_description;

/* fuzz_say appends words as they are, fuzz_say_number words and a number behind them, fuzz_say_real
 * a blank and a finite number of so many significant digits: 9 tell any two of single precision
 * apart, 17 any two doubles. It has a point and an exponent, by which the rows of camerawork are
 * found, and which the canonical form of TRA4 never has. */
void fuzz_say(fuzz_description *out, const char *words);
void fuzz_say_number(fuzz_description *out, const char *words, int64_t number);
void fuzz_say_real(fuzz_description *out, double number, int num_digits);

typedef struct fuzz_anew {
    /* Describes a model of the format's verify; false if the language has no words for it. Only
     * what is left out may be replayed all the same. */
    bool (*describe)(fuzz_description *out, const void *model);

    /* The forge's library: builds what is described, of at most limit bytes. The caller frees out
     * whatever the result is. */
    bool (*assemble)(forge_buf *out, forge_error *err, const char *text, size_t len, size_t limit);

    bool keeps_bytes; /* nothing is left open */
    bool has_models;  /* what rests is asked for, too: it has more to it than how it moves */

    /* Folds a row of a pose, with names that are those of what is made; NULL: run_take_row. */
    void (*fold_row)(run_account *into, const fh_pose_row *row, const fuzz_description *said);
} fuzz_anew;

extern const fuzz_anew fuzz_anew_tod;
extern const fuzz_anew fuzz_anew_tra;
extern const fuzz_anew fuzz_anew_camerawork;
extern const fuzz_anew fuzz_anew_hmd;

#endif
