/* One CD sector: from user bytes and a description to the bytes of an image.
 *
 * Layouts after ECMA-130 (Mode 0 and 1) and the CD-ROM XA description (Mode 2, Forms 1 and 2).
 * Sectors live in buffers of the caller; nothing is allocated.
 */
#ifndef FORGE_SECTOR_H
#define FORGE_SECTOR_H

#include "forge/edc.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    FORGE_FORM1_LEN = 2048,
    FORGE_FORM2_LEN = 2324,
    FORGE_MAX_STRIDE = 2448,
    FORGE_FIRST_LBA = -150,  /* 00:00:00 */
    FORGE_LAST_LBA = 449849, /* 99:59:74 */
    FORGE_ANCHOR = 150       /* frames before LBA 0, which is 00:02:00 */
};

typedef enum forge_sector_kind {
    FORGE_MODE0,
    FORGE_MODE1,
    FORGE_FORM1, /* of Mode 2 */
    FORGE_FORM2,
    FORGE_AUDIO
} forge_sector_kind;

/* Bits of the submode byte. */
enum {
    FORGE_END_OF_RECORD = 0x01,
    FORGE_DATA = 0x08,
    FORGE_FORM2_BIT = 0x20,
    FORGE_END_OF_FILE = 0x80
};

typedef struct forge_subheader {
    uint8_t file;
    uint8_t channel;
    uint8_t submode;
    uint8_t coding;
} forge_subheader;

typedef struct forge_sector {
    forge_sector_kind kind;
    int32_t lba; /* FORGE_FIRST_LBA..FORGE_LAST_LBA; goes into the header */
    forge_subheader sub;
    bool no_edc;                    /* leave EDC and ECC zero */
    uint8_t user[FORGE_SECTOR_LEN]; /* forge_sector_user_len bytes of it count */
} forge_sector;

/* forge_sector_user_len: 0 for Mode 0, 2048, 2324, or 2352 for audio. */
size_t forge_sector_user_len(forge_sector_kind kind);

/* forge_sector_build writes the sector as it stands in an image of the given stride (2048, 2336,
 * 2352, 2368 or 2448) to out, which has room for FORGE_MAX_STRIDE bytes. Subchannels are zero.
 * forge_sector_fits tells which kinds a stride can hold. */
bool forge_sector_fits(forge_sector_kind kind, uint32_t stride);
void forge_sector_build(uint8_t *out, const forge_sector *sector, uint32_t stride);

typedef enum forge_damage {
    FORGE_BAD_SYNC,
    FORGE_BAD_HEADER,
    FORGE_BAD_EDC,
    FORGE_BAD_ECC
} forge_damage;

/* forge_sector_can_damage tells whether such a sector has that field at all; forge_sector_damage
 * spoils it in a built sector. */
bool forge_sector_can_damage(forge_sector_kind kind, uint32_t stride, forge_damage damage);
void forge_sector_damage(uint8_t *built, forge_sector_kind kind, uint32_t stride,
                         forge_damage damage);

#endif
