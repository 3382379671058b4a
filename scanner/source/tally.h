/* Tallies: findings about a source, one a rule with a count and the first place.
 *
 * An image of 300,000 sectors with one fault in each must not fill the database.
 */
#ifndef FH_SOURCE_TALLY_H
#define FH_SOURCE_TALLY_H

#include "core/finding.h"
#include "source/image_rules.h"

#include <stdint.h>

typedef struct fh_tally {
    int64_t count;
    int64_t first_off; /* raw offset of the first place, or FH_UNKNOWN */
    const char *field; /* constant */
    const char *unit;  /* what is counted: "sectors"; NULL: nothing that a person would count */
    char found[FH_EVIDENCE_LEN];
    char expected[FH_EVIDENCE_LEN];
} fh_tally;

typedef struct fh_tallies {
    fh_tally rules[FH_IMG_NUM_RULES]; /* all zero at the start */
} fh_tallies;

/* fh_tally_add counts one instance. The first one is returned so that its evidence can be filled
 * in (found and expected are empty); later ones give NULL. */
fh_tally *fh_tally_add(fh_tallies *tallies, fh_image_rule rule, int64_t raw_off, const char *field);

/* fh_tallies_add adds what was counted elsewhere. */
void fh_tallies_add(fh_tallies *to, const fh_tallies *from);

/* fh_tally_plain puts a ? in place of each control character of a text: names of members and words
 * of libraries may hold any byte, and a message is one line. */
void fh_tally_plain(char *text);

/* fh_tallies_tell reports all that were counted, in the order of the rules. The offset of the
 * finding is the raw offset of its first place. */
void fh_tallies_tell(const fh_tallies *tallies, void *user,
                     void (*finding)(void *user, const fh_finding *finding));

#endif
