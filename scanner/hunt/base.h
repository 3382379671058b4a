/* Where in main RAM a source lay, as the assets in it say: those that programs have mapped hold
 * addresses, and each is a vote for the address of the source's first byte. Internal to the hunt.
 */
#ifndef FH_HUNT_BASE_H
#define FH_HUNT_BASE_H

#include "core/finding.h"
#include "core/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Different bases that are told apart. More say no more than that they disagree. */
#define FH_MAX_BASES ((size_t)4)

typedef struct fh_base {
    uint32_t address; /* of the first byte: below 8 MiB, as all count that lead there */
    int64_t num_votes;
} fh_base;

typedef struct fh_base_poll {
    fh_base bases[FH_MAX_BASES];
    size_t num;
    int64_t num_others; /* votes for further bases */
} fh_base_poll;

/* fh_base_vote adds the vote of an asset at raw_off that says its address itself. */
void fh_base_vote(fh_base_poll *poll, int64_t raw_off, int64_t address);

/* fh_base_is_agreed tells whether there are votes, all for the same base. */
bool fh_base_is_agreed(const fh_base_poll *poll);

/* fh_base_tell writes what the votes are, such as "0x80010000 (3 votes), 0x80020000 (1)". */
void fh_base_tell(fh_text *out, const fh_base_poll *poll);

#endif
