/* Sectors: what one sector of a disc image says about itself.
 *
 * Pure: reads the bytes of a cursor that covers one sector (possibly cut), keeps nothing. Offsets
 * are bytes in the sector as stored. Sources: ECMA-130 and CD-ROM XA, as told in sections 1.1, 2
 * and 2.1 of the image format sheet.
 *
 * The form is read from submode bit 5 of every sector, never for a whole image (section 2). Where
 * a sector contradicts itself, its neighbours decide (fh_sector_habit):
 *   - A mode byte above 2 is damage: the mode is that of the sectors before it.
 *   - Two subheader copies that differ are damage in an image that is known to be XA (an earlier
 *     sector had equal copies that were not all 0); the form is then the one whose EDC is right,
 *     else that of the sector before. In other images they mean Mode 2 without XA: 2336 bytes of
 *     user data and no subheader at all. PlayStation discs have none of these.
 */
#ifndef FH_SOURCE_SECTORS_H
#define FH_SOURCE_SECTORS_H

#include "core/cursor.h"
#include "core/finding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes a sector, as stored. 0 stands for a file that is no image of sectors. */
#define FH_STRIDE_PLAIN 0u
#define FH_STRIDE_2048 2048u
#define FH_STRIDE_2336 2336u
#define FH_STRIDE_2352 2352u
#define FH_STRIDE_2368 2368u
#define FH_STRIDE_2448 2448u
#define FH_STRIDE_MAX FH_STRIDE_2448

#define FH_SUBHEADER_OFF ((size_t)16)
#define FH_SYNC_LEN ((size_t)12)
#define FH_HEADER_END ((size_t)16) /* sync, address, mode */

#define FH_DATA_LEN ((size_t)2048)
#define FH_FORM2_LEN ((size_t)2324)
#define FH_MODE2_LEN ((size_t)2336)

typedef enum fh_sector_kind {
    FH_SECTOR_NO_SYNC = 0, /* audio, or damage: no sector of a data track */
    FH_SECTOR_BAD_MODE,    /* sync, a mode byte above 2, and no neighbour that tells the mode */
    FH_SECTOR_MODE0,       /* no user data */
    FH_SECTOR_MODE1,
    FH_SECTOR_FORM1,  /* Mode 2 Form 1 */
    FH_SECTOR_FORM2,  /* Mode 2 Form 2 */
    FH_SECTOR_MODE2,  /* Mode 2 without XA */
    FH_SECTOR_COOKED, /* 2048 bytes of user data and nothing else */
    FH_SECTOR_NUM_KINDS
} fh_sector_kind;

/* Bits of the submode byte. */
#define FH_SUBMODE_VIDEO 0x02u
#define FH_SUBMODE_AUDIO 0x04u
#define FH_SUBMODE_DATA 0x08u
#define FH_SUBMODE_FORM2 0x20u

#define FH_MODE_NONE 0xffu

typedef struct fh_sector {
    fh_sector_kind kind;
    size_t data_off;    /* of the user data */
    size_t data_len;    /* bytes of user data that are there; 0 for kinds without */
    bool cut;           /* the cursor ended before the user data did */
    bool has_header;    /* sync, address and mode are there */
    uint8_t mode;       /* mode byte as stored, FH_MODE_NONE without header */
    uint32_t address;   /* minute, second, frame as stored, minute highest */
    int64_t header_lba; /* FH_UNKNOWN without header, or if the address is no BCD */
    bool copies_differ; /* the two copies of the subheader */
    uint8_t file;       /* the first copy; 0 where there is none */
    uint8_t channel;
    uint8_t submode;
    uint8_t coding;
} fh_sector;

/* What the sectors so far were like. Start with FH_SECTOR_NO_HABIT. */
typedef struct fh_sector_habit {
    uint8_t mode;        /* of the last sound sector, FH_MODE_NONE = none yet */
    bool xa;             /* subheaders were seen */
    fh_sector_kind form; /* of the last Mode 2 sector */
    uint8_t votes;       /* of the last sectors of Mode 2: 1 where no subheader could be seen */
    uint8_t num_votes;   /* at most 8 */
} fh_sector_habit;

#define FH_SECTOR_NO_HABIT                                                                         \
    ((fh_sector_habit){.mode = FH_MODE_NONE, .xa = false, .form = FH_SECTOR_FORM1})

/* fh_sector_read describes the sector that bytes cover, read with the given layout. */
void fh_sector_read(fh_sector *out, const fh_cursor *bytes, uint32_t stride,
                    const fh_sector_habit *habit);

/* fh_sector_lba is the header_lba alone of what fh_sector_read describes. */
int64_t fh_sector_lba(const fh_cursor *bytes, uint32_t stride);

/* fh_sector_shape sets the kind of a sector of which len bytes are there, and where its user data
 * are. */
void fh_sector_shape(fh_sector *out, fh_sector_kind kind, uint32_t stride, size_t len);

/* fh_sector_note adds a sector to the habit. */
void fh_sector_note(fh_sector_habit *habit, const fh_sector *sector);

/* fh_sector_read_first does as fh_sector_read. Where the sector may be of Mode 2 with or without XA
 * and none before it tells which, those ahead are asked, and the habit has what they say. */
void fh_sector_read_first(fh_sector *out, fh_sector_habit *habit, const fh_cursor *bytes,
                          const fh_cursor *ahead, uint32_t stride);

/* fh_sector_is_audio tells XA audio: audio bit, Form 2 bit and legal coding (section 2.1). */
bool fh_sector_is_audio(const fh_sector *sector);

/* fh_sector_has_sync tells whether the twelve sync bytes stand at offset off of bytes. */
bool fh_sector_has_sync(const fh_cursor *bytes, size_t off);

/* fh_sector_address_lba turns minute, second, frame in BCD into an LBA (00:02:00 = 0), or
 * FH_UNKNOWN if that is no address. */
int64_t fh_sector_address_lba(uint32_t address);

#endif
