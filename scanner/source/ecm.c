#include "source/ecm.h"

#include "source/ecc.h"
#include "source/edc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0x004d4345u /* "ECM" 00 */
#define MAGIC_LEN 4
#define END_OF_BLOCKS 0xffffffffu
#define EDC_LEN 4u

/* What each type leaves out. Offsets are those of a sector of 2352 bytes. */
typedef struct unit {
    size_t out_off; /* of the first byte that comes out */
    size_t header_len;
    size_t data_off;
    size_t data_len;
    size_t edc_from;
    size_t edc_off;
    bool has_ecc;
    uint8_t mode;
} unit;

enum { RAW_BYTES, NUM_TYPES = 4 };

static const unit units[NUM_TYPES] = {
    [1] = {0, 3, 0x10, 0x800, 0, 0x810, true, 1},
    [2] = {0x10, 4, 0x18, 0x800, 0x10, 0x818, true, 2},
    [3] = {0x10, 4, 0x18, 0x914, 0x10, 0x92c, false, 2},
};

typedef struct ecm_box {
    fh_feed feed;
    bool is_begun;
    bool is_done;
    uint32_t type;
    uint64_t left; /* units of the block */
    uint32_t edc;  /* of what came out */
    uint8_t sector[FH_ECC_SECTOR_LEN];
    size_t pos; /* in sector; its length: nothing is waiting */
} ecm_box;

bool fh_ecm_is(const fh_cursor *window)
{
    fh_cursor cur = *window;
    return fh_cursor_u32(&cur) == MAGIC && fh_cursor_left(&cur) > 0;
}

static fh_box_status next(fh_box *box, fh_member *member)
{
    ecm_box *ecm = box->self;
    if (ecm->is_begun) {
        return FH_BOX_END;
    }
    ecm->is_begun = true;
    if (!fh_feed_skip(&ecm->feed, MAGIC_LEN)) {
        return fh_feed_broke(&ecm->feed, box->faults, "ECM header");
    }
    *member = (fh_member){.is_bytes = true, .size = FH_UNKNOWN};
    return FH_BOX_OK;
}

static fh_tape_status corrupt(ecm_box *ecm, fh_tape *tape, const char *found)
{
    fh_fault(tape->faults, FH_IMG0041, ecm->feed.off, "ECM block head", found,
             "5 + 7 + 7 + 7 + 6 bits");
    return fh_tape_break(tape, found);
}

/* Type in bits 0..1, number - 1 in 5 bits and then 7 of each byte while bit 7 is set. */
static fh_tape_status read_head(ecm_box *ecm, fh_tape *tape)
{
    uint8_t byte = 0;
    if (!fh_feed_get(&ecm->feed, &byte, 1)) {
        return fh_feed_ended(&ecm->feed, tape, "ECM block head");
    }
    ecm->type = byte & 3u;
    uint64_t num = (byte >> 2) & 0x1fu;
    for (unsigned shift = 5; (byte & 0x80u) != 0; shift += 7) {
        if (shift > 26) {
            return corrupt(ecm, tape, "more than 32 bits");
        }
        if (!fh_feed_get(&ecm->feed, &byte, 1)) {
            return fh_feed_ended(&ecm->feed, tape, "ECM block head");
        }
        num |= (uint64_t)(byte & 0x7fu) << shift;
    }
    if (num > END_OF_BLOCKS) {
        return corrupt(ecm, tape, "more than 32 bits");
    }
    ecm->left = num == END_OF_BLOCKS ? 0 : num + 1;
    return num == END_OF_BLOCKS ? FH_TAPE_END : FH_TAPE_OK;
}

static void put_u32(uint8_t *to, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++) {
        to[i] = (uint8_t)(value >> (8 * i));
    }
}

static uint32_t edc_of(const uint8_t *bytes, size_t len)
{
    const fh_cursor cur = fh_cursor_make(bytes, len, 0);
    return fh_edc(&cur, 0, len);
}

static fh_tape_status build_sector(ecm_box *ecm, fh_tape *tape)
{
    const unit *u = &units[ecm->type];
    uint8_t *sector = ecm->sector;
    memset(sector, 0, sizeof ecm->sector);
    memset(sector + 1, 0xff, 10);
    sector[15] = u->mode;
    const size_t header_off = u->mode == 1 ? 12 : 20;
    if (!fh_feed_get(&ecm->feed, sector + header_off, u->header_len) ||
        !fh_feed_get(&ecm->feed, sector + u->data_off, u->data_len)) {
        return fh_feed_ended(&ecm->feed, tape, "ECM sector");
    }
    if (u->mode == 2) {
        memcpy(sector + 16, sector + 20, 4); /* both copies of the subheader */
    }
    put_u32(sector + u->edc_off, edc_of(sector + u->edc_from, u->edc_off - u->edc_from));
    if (u->has_ecc) {
        fh_ecc_write(sector);
    }
    ecm->pos = u->out_off;
    ecm->left--;
    return FH_TAPE_OK;
}

static fh_tape_status finish(ecm_box *ecm, fh_tape *tape)
{
    uint8_t bytes[EDC_LEN];
    ecm->is_done = true;
    if (!fh_feed_get(&ecm->feed, bytes, EDC_LEN)) {
        return fh_feed_ended(&ecm->feed, tape, "ECM checksum");
    }
    fh_cursor cur = fh_cursor_make(bytes, EDC_LEN, 0);
    const uint32_t stored = fh_cursor_u32(&cur);
    if (stored != ecm->edc) {
        char found[16];
        char expected[16];
        fh_text text = fh_text_make(found, sizeof found);
        fh_text_hex(&text, stored, 8);
        text = fh_text_make(expected, sizeof expected);
        fh_text_hex(&text, ecm->edc, 8);
        fh_fault(tape->faults, FH_IMG0043, ecm->feed.off - (int64_t)EDC_LEN, "ECM checksum", found,
                 expected);
    }
    return FH_TAPE_END;
}

/* Makes the next block or sector ready. */
static fh_tape_status prepare(ecm_box *ecm, fh_tape *tape)
{
    if (ecm->left > 0) {
        return build_sector(ecm, tape);
    }
    const fh_tape_status status = read_head(ecm, tape);
    return status == FH_TAPE_END ? finish(ecm, tape) : status;
}

static fh_tape_status hand_out(ecm_box *ecm, size_t *len, uint8_t *to, const uint8_t *bytes,
                               size_t num)
{
    memcpy(to, bytes, num);
    ecm->edc = fh_edc_more(ecm->edc, to, num);
    *len = num;
    return FH_TAPE_OK;
}

static fh_tape_status read_raw(ecm_box *ecm, fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    if (!fh_feed_more(&ecm->feed)) {
        return fh_feed_ended(&ecm->feed, tape, "ECM bytes");
    }
    size_t num = ecm->feed.left < max ? ecm->feed.left : max;
    num = num < ecm->left ? num : (size_t)ecm->left;
    const uint8_t *bytes = ecm->feed.bytes;
    ecm->left -= num;
    const bool is_there = fh_feed_skip(&ecm->feed, (int64_t)num); /* bytes stay until the next */
    assert(is_there);
    return is_there ? hand_out(ecm, len, to, bytes, num) : FH_TAPE_ERROR;
}

static fh_tape_status read_member(fh_box *box, fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    ecm_box *ecm = box->self;
    for (;;) {
        const size_t waiting = sizeof ecm->sector - ecm->pos;
        if (waiting > 0) {
            const uint8_t *bytes = ecm->sector + ecm->pos;
            const size_t num = waiting < max ? waiting : max;
            ecm->pos += num;
            return hand_out(ecm, len, to, bytes, num);
        }
        if (ecm->is_done) {
            return FH_TAPE_END;
        }
        if (ecm->left > 0 && ecm->type == RAW_BYTES) {
            return read_raw(ecm, tape, len, to, max);
        }
        const fh_tape_status status = prepare(ecm, tape);
        if (status != FH_TAPE_OK) {
            return status;
        }
    }
}

static void close_box(fh_box *box)
{
    free(box->self);
}

fh_box_status fh_ecm_open(fh_box *box)
{
    ecm_box *ecm = calloc(1, sizeof *ecm);
    if (ecm == NULL) {
        return FH_BOX_NO_MEMORY;
    }
    ecm->feed = fh_feed_make(box->from);
    ecm->pos = sizeof ecm->sector;
    box->self = ecm;
    box->next = next;
    box->read = read_member;
    box->close = close_box;
    return FH_BOX_OK;
}
