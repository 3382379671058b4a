#include "forge/sector.h"

#include "forge/buf.h"

#include <assert.h>
#include <string.h>

enum {
    HEADER_OFF = 12,
    HEADER_LEN = 4,
    SUBHEADER_OFF = 16,
    MODE1_USER_OFF = 16,
    MODE2_USER_OFF = 24,
    MODE1_EDC_OFF = 0x810,
    FORM1_EDC_OFF = 0x818,
    FORM2_EDC_OFF = 0x92c,
    NO_FIELD = 0
};

/* Where the fields of a kind lie; EDC covers edc_from up to edc_off. */
typedef struct shape {
    size_t user_off;
    size_t user_len;
    size_t edc_from;
    size_t edc_off; /* NO_FIELD: none */
    bool has_sync;
    bool has_ecc;
    uint8_t mode;
} shape;

static const shape shapes[] = {
    [FORGE_MODE0] = {.user_off = 16, .user_len = 0, .has_sync = true, .mode = 0},
    [FORGE_MODE1] = {MODE1_USER_OFF, FORGE_FORM1_LEN, 0, MODE1_EDC_OFF, true, true, 1},
    [FORGE_FORM1] = {MODE2_USER_OFF, FORGE_FORM1_LEN, SUBHEADER_OFF, FORM1_EDC_OFF, true, true, 2},
    [FORGE_FORM2] = {MODE2_USER_OFF, FORGE_FORM2_LEN, SUBHEADER_OFF, FORM2_EDC_OFF, true, false, 2},
    [FORGE_AUDIO] = {.user_off = 0, .user_len = FORGE_SECTOR_LEN},
};

size_t forge_sector_user_len(forge_sector_kind kind)
{
    return shapes[kind].user_len;
}

/* 2048 keeps nothing but the user data, 2336 nothing of the first 16 bytes. */
bool forge_sector_fits(forge_sector_kind kind, uint32_t stride)
{
    switch (stride) {
    case 2048:
        return kind == FORGE_MODE1 || kind == FORGE_FORM1;
    case 2336:
        return kind == FORGE_FORM1 || kind == FORGE_FORM2;
    default:
        return true;
    }
}

static uint8_t bcd(uint32_t value)
{
    assert(value < 100);
    return (uint8_t)(value / 10 << 4 | value % 10);
}

static void put_sync_and_header(uint8_t *raw, int32_t lba, uint8_t mode)
{
    assert(lba >= FORGE_FIRST_LBA && lba <= FORGE_LAST_LBA);
    uint32_t frames = (uint32_t)(lba + FORGE_ANCHOR);
    memset(raw + 1, 0xff, 10);
    raw[HEADER_OFF] = bcd(frames / 75 / 60);
    raw[HEADER_OFF + 1] = bcd(frames / 75 % 60);
    raw[HEADER_OFF + 2] = bcd(frames % 75);
    raw[HEADER_OFF + 3] = mode;
}

static void put_subheaders(uint8_t *raw, const forge_subheader *sub)
{
    const uint8_t bytes[4] = {sub->file, sub->channel, sub->submode, sub->coding};
    memcpy(raw + SUBHEADER_OFF, bytes, sizeof bytes);
    memcpy(raw + SUBHEADER_OFF + sizeof bytes, bytes, sizeof bytes);
}

/* In Mode 2 the four header bytes count as zero, so that a sector may be moved without computing
 * its ECC anew. */
static void seal(uint8_t *raw, const shape *s)
{
    if (s->edc_off != NO_FIELD) {
        forge_put_u32(raw + s->edc_off, forge_edc(raw + s->edc_from, s->edc_off - s->edc_from));
    }
    if (s->has_ecc) {
        uint8_t header[HEADER_LEN];
        memcpy(header, raw + HEADER_OFF, HEADER_LEN);
        if (s->mode == 2) {
            memset(raw + HEADER_OFF, 0, HEADER_LEN);
        }
        forge_ecc(raw);
        memcpy(raw + HEADER_OFF, header, HEADER_LEN);
    }
}

static void build_raw(uint8_t *raw, const forge_sector *sector)
{
    const shape *s = &shapes[sector->kind];
    memset(raw, 0, FORGE_SECTOR_LEN);
    if (s->has_sync) {
        put_sync_and_header(raw, sector->lba, s->mode);
    }
    if (s->mode == 2) {
        put_subheaders(raw, &sector->sub);
    }
    memcpy(raw + s->user_off, sector->user, s->user_len);
    if (!sector->no_edc) {
        seal(raw, s);
    }
}

void forge_sector_build(uint8_t *out, const forge_sector *sector, uint32_t stride)
{
    assert(forge_sector_fits(sector->kind, stride));
    if (stride == FORGE_FORM1_LEN) {
        memcpy(out, sector->user, FORGE_FORM1_LEN);
        return;
    }
    uint8_t raw[FORGE_MAX_STRIDE] = {0}; /* zero behind the sector: the subchannels */
    build_raw(raw, sector);
    memcpy(out, raw + (stride == 2336 ? SUBHEADER_OFF : 0), stride);
}

bool forge_sector_can_damage(forge_sector_kind kind, uint32_t stride, forge_damage damage)
{
    const shape *s = &shapes[kind];
    if (stride == FORGE_FORM1_LEN) {
        return false;
    }
    switch (damage) {
    case FORGE_BAD_SYNC:
    case FORGE_BAD_HEADER:
        return s->has_sync && stride >= FORGE_SECTOR_LEN;
    case FORGE_BAD_EDC:
        return s->edc_off != NO_FIELD;
    case FORGE_BAD_ECC:
        return s->has_ecc;
    }
    return false;
}

static void invert(uint8_t *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        bytes[i] = (uint8_t)~bytes[i];
    }
}

/* Inverting keeps damage visible whatever was there: an inverted BCD digit is no BCD digit or a
 * wrong one, an inverted checksum is never right. */
void forge_sector_damage(uint8_t *built, forge_sector_kind kind, uint32_t stride,
                         forge_damage damage)
{
    assert(forge_sector_can_damage(kind, stride, damage));
    size_t skipped = stride == 2336 ? SUBHEADER_OFF : 0;
    switch (damage) {
    case FORGE_BAD_SYNC:
        invert(built, HEADER_OFF);
        break;
    case FORGE_BAD_HEADER:
        invert(built + HEADER_OFF, 3);
        break;
    case FORGE_BAD_EDC:
        invert(built + shapes[kind].edc_off - skipped, 4);
        break;
    case FORGE_BAD_ECC:
        invert(built + FORGE_ECC_P_OFF - skipped, FORGE_ECC_P_LEN + FORGE_ECC_Q_LEN);
        break;
    }
}
