/* Layout: how the sectors of a source lie, found from its content and never from its name.
 *
 * Pure: looks at the first bytes of a source (the reader's window) and keeps nothing. Sources:
 * sections 3 and 3.1 of the image format sheet. In this order, the first that fits:
 *
 *   1. Sync patterns at four strides of 2352, 2368 or 2448 bytes from the first byte on. Sound
 *      headers are not asked for: some tools write nonsense there. If the source ends before the
 *      fourth, every sector there is must have sync, a BCD address and a mode up to 2, and a single
 *      one must reach exactly to the end: that is much to ask of chance, so one or two sectors
 *      suffice.
 *   2. `01 CD001 01` where it lies in an image of 2048 or 2336 bytes a sector. Files of such an
 *      image may hold sectors with sync, so this comes before any other place of these. It needs
 *      no directory: that may lie behind the window, or be damaged.
 *   3. Sync patterns as in 1 from another place of the first 64 KiB on: what lies before is a
 *      prefix, but sectors before the first four in a row that lie in step and have a sync belong
 *      to the image as well.
 *   4. `01 CD001 01` in the first 1 MiB, taken for sector 16 in each layout; accepted where the
 *      root directory that it names begins with itself and its parent, or in its usual place of an
 *      image without prefix.
 *   5. Equal subheader copies in the first 16 sectors of 2336 bytes and in seven of eight of all in
 *      the window, submodes and channels legal. Equal bytes alone prove nothing (a file of zeros
 *      has them), so four of the 16 must be told apart from a fill and from the bytes behind.
 *   6. Otherwise plain.
 *
 * An image that begins with an audio track is plain by these rules; say its layout to read it.
 */
#ifndef FH_SOURCE_LAYOUT_H
#define FH_SOURCE_LAYOUT_H

#include "source/sectors.h"

typedef enum fh_layout_choice {
    FH_LAYOUT_AUTO = 0,
    FH_LAYOUT_PLAIN,
    FH_LAYOUT_2048,
    FH_LAYOUT_2336,
    FH_LAYOUT_2352,
    FH_LAYOUT_2368,
    FH_LAYOUT_2448
} fh_layout_choice;

typedef struct fh_layout {
    uint32_t stride;   /* bytes a sector; FH_STRIDE_PLAIN: no image */
    int64_t start;     /* offset of the first sector: bytes of the prefix */
    bool has_iso;      /* sector 16 is a volume descriptor: the LBA is the sector's number */
    int64_t first_lba; /* of that sector, where only the position tells it: 0, or what a control
                          file says */
    bool ambiguous;    /* others fit as well: */
    char candidates[FH_EVIDENCE_LEN]; /* all that fit, with their scores */
} fh_layout;

/* fh_layout_parse reads a name as users give it: "auto", "plain", "2048" ...; false if unknown. */
bool fh_layout_parse(fh_layout_choice *out, const char *name) FH_MUST_USE;

/* fh_layout_name returns what reports call a layout: "plain", "2048" ... */
const char *fh_layout_name(const fh_layout *layout);

/* fh_layout_find finds the layout of a source that begins with the bytes of window. size is the
 * length of the source or FH_UNKNOWN. A choice other than FH_LAYOUT_AUTO is obeyed; only the start
 * is then looked for, and is 0 where nothing tells it. */
void fh_layout_find(fh_layout *out, fh_layout_choice choice, const fh_cursor *window, int64_t size);

#endif
