/* Claims: the image files that control files among the sources name. Each is searched with its
 * tracks as a part of its control file, and once: by the first of the control files that name it,
 * in the order of the sources, whoever comes to it first.
 *
 * All control files are looked at before any source is searched. Then each source asks with the
 * number of its control file. Different sources may ask from different threads.
 */
#ifndef FH_SCANNER_CLAIMS_H
#define FH_SCANNER_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FH_NO_SHEET ((size_t)-1)

/* Private. */
typedef struct fh_image_claim {
    dev_t dev;
    ino_t ino;
    size_t sheet; /* that has it */
    bool is_done;
} fh_image_claim;

typedef struct fh_claimant {
    char *path; /* owned */
    size_t number;
    uint64_t state; /* of the images that it names */
    bool is_given;
} fh_claimant;

/* Zero is empty. */
typedef struct fh_claims {
    fh_image_claim *claims; /* owned */
    size_t num_claims;
    size_t max_claims;
    fh_claimant *sheets; /* owned */
    size_t num_sheets;
    size_t max_sheets;

    /* Set by the caller: is told the path of each image that a control file names; may be NULL. */
    void (*image)(void *user, const char *path);
    void *user;
} fh_claims;

/* fh_claims_look notes what the file at path names, if it is a control file. Where there is no
 * memory an image is searched twice: no harm. */
void fh_claims_look(fh_claims *claims, const char *path);

/* fh_claims_settle follows the last look. */
void fh_claims_settle(fh_claims *claims);

/* fh_claims_has tells whether a control file names the file at path. */
bool fh_claims_has(const fh_claims *claims, const char *path);

/* fh_claims_sheet returns the number of the control file at path; FH_NO_SHEET if it is none, or if
 * it was asked for before: a source that is named twice has nothing to search the second time. */
size_t fh_claims_sheet(fh_claims *claims, const char *path);

/* fh_claims_state is a sum of sizes and times of change of the image files that the control file at
 * path names; 0 where it is none. */
uint64_t fh_claims_state(const fh_claims *claims, const char *path);

/* fh_claims_take tells whether the control file is to search the image file at path, and notes that
 * it did; fh_claims_give_back forgets what it took. */
bool fh_claims_take(fh_claims *claims, size_t sheet, const char *path);
void fh_claims_give_back(fh_claims *claims, size_t sheet);

void fh_claims_free(fh_claims *claims);

#endif
