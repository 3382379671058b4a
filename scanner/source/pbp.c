#include "source/pbp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MAGIC 0x50425000u /* 00 "PBP" */
#define VERSION 0x00010000u
#define HEADER_LEN 0x28u
#define DISC_MAGIC "PSISOIMG0000"
#define SET_MAGIC "PSTITLEIMG000000"
#define START_LEN ((size_t)16)
#define SET_OFF 0x200u  /* from the archive part on: where the discs of a set begin, 0 = none */
#define LOCK_OFF 0x400u /* from the beginning of a disc on */
#define INDEX_OFF 0x4000u
#define BLOCKS_OFF 0x100000u
#define ENTRY_LEN 32u
#define BLOCK_LEN ((size_t)16 * 2352)
#define MAX_DISCS 5u /* of a set: so many the table has */
#define MAX_BLOCKS ((BLOCKS_OFF - INDEX_OFF) / ENTRY_LEN)

typedef struct block {
    uint32_t off; /* from +0x100000 on */
    uint16_t len;
} block;

typedef struct pbp_box {
    fh_feed feed;
    int64_t archive;          /* where the archive part begins */
    int64_t discs[MAX_DISCS]; /* where each begins in the file */
    uint32_t num_discs;
    uint32_t disc; /* the next one */
    bool is_set;
    bool is_ready;            /* its index is read, and it was not handed out */
    uint8_t start[START_LEN]; /* of the archive part, or of the disc */
    char name[16];            /* of the disc that is read, in a set */
    int64_t base;             /* of the blocks, in the file */
    uint32_t num_blocks;
    uint32_t at; /* the block to be unpacked next */
    z_stream stream;
    bool has_stream;
    size_t pos; /* in out */
    uint8_t packed[BLOCK_LEN];
    uint8_t out[BLOCK_LEN];
    block blocks[MAX_BLOCKS];
} pbp_box;

bool fh_pbp_is(const fh_cursor *window)
{
    fh_cursor cur = *window;
    return fh_cursor_u32(&cur) == MAGIC && fh_cursor_u16(&cur) == 0 && window->size >= HEADER_LEN;
}

/* Everything in front of the archive part. */
static fh_box_status read_header(pbp_box *pbp, fh_box *box)
{
    uint8_t bytes[HEADER_LEN];
    if (!fh_feed_get(&pbp->feed, bytes, sizeof bytes)) {
        return fh_feed_broke(&pbp->feed, box->faults, "PBP header");
    }
    fh_cursor cur = fh_cursor_make(bytes, sizeof bytes, 0);
    (void)fh_cursor_skip(&cur, 4);
    const uint32_t version = fh_cursor_u32(&cur);
    (void)fh_cursor_seek(&cur, 0x24);
    pbp->archive = (int64_t)fh_cursor_u32(&cur);
    if (version != VERSION) {
        char found[16];
        fh_text text = fh_text_make(found, sizeof found);
        fh_text_hex(&text, version, 8);
        fh_fault(box->faults, FH_IMG0048, 4, "PBP version", found, "0x00010000");
    }
    if (pbp->archive < (int64_t)HEADER_LEN) {
        fh_fault_sizes(box->faults, FH_IMG0045, 0x24, "offset of the archive part", pbp->archive,
                       HEADER_LEN);
        return FH_BOX_BROKEN;
    }
    return fh_feed_skip(&pbp->feed, pbp->archive - (int64_t)HEADER_LEN)
               ? FH_BOX_OK
               : fh_feed_broke(&pbp->feed, box->faults, "archive part of the PBP");
}

static fh_box_status other(pbp_box *pbp, fh_box *box, fh_image_rule rule, const char *what)
{
    fh_fault(box->faults, rule, pbp->feed.off, "archive part of the PBP", what,
             "discs, not encrypted");
    return FH_BOX_OTHER;
}

/* The first bytes of the archive part say whether it is one disc, or where those of a set begin. */
static fh_box_status read_start(pbp_box *pbp, fh_box *box)
{
    uint8_t table[4 * MAX_DISCS];
    uint8_t *start = pbp->start;
    const char *field = "archive part of the PBP";
    if (!fh_feed_get(&pbp->feed, start, START_LEN)) {
        return fh_feed_broke(&pbp->feed, box->faults, field);
    }
    if (memcmp(start, SET_MAGIC, START_LEN) != 0) {
        pbp->discs[pbp->num_discs++] = pbp->archive;
        return FH_BOX_OK;
    }
    pbp->is_set = true;
    if (!fh_feed_skip(&pbp->feed, SET_OFF - (int64_t)START_LEN) ||
        !fh_feed_get(&pbp->feed, table, sizeof table)) {
        return fh_feed_broke(&pbp->feed, box->faults, field);
    }
    fh_cursor cur = fh_cursor_make(table, sizeof table, 0);
    for (uint32_t off = fh_cursor_u32(&cur); off != 0 && !cur.failed; off = fh_cursor_u32(&cur)) {
        pbp->discs[pbp->num_discs++] = pbp->archive + (int64_t)off;
    }
    if (pbp->num_discs == 0) {
        fh_fault(box->faults, FH_IMG0041, pbp->archive + SET_OFF, "discs of the PBP", "none", "");
        return FH_BOX_BROKEN;
    }
    return FH_BOX_OK;
}

/* The first bytes of a disc. Those of a single one were read. */
static fh_box_status go_to_disc(pbp_box *pbp, fh_box *box)
{
    if (!pbp->is_set) {
        return FH_BOX_OK;
    }
    const int64_t off = pbp->discs[pbp->disc - 1];
    if (off < pbp->feed.off) {
        fh_fault_sizes(box->faults, FH_IMG0045, pbp->archive + SET_OFF,
                       "place of a disc in the PBP", off, pbp->feed.off);
        return FH_BOX_OTHER;
    }
    return fh_feed_skip(&pbp->feed, off - pbp->feed.off) &&
                   fh_feed_get(&pbp->feed, pbp->start, START_LEN)
               ? FH_BOX_OK
               : fh_feed_broke(&pbp->feed, box->faults, "disc of the PBP");
}

/* Up to the index. */
static fh_box_status read_disc_header(pbp_box *pbp, fh_box *box)
{
    uint8_t bytes[LOCK_OFF + 4 - START_LEN];
    if (memcmp(pbp->start, DISC_MAGIC, 12) != 0) {
        return other(pbp, box, FH_IMG0040, "no disc");
    }
    if (!fh_feed_get(&pbp->feed, bytes, sizeof bytes)) {
        return fh_feed_broke(&pbp->feed, box->faults, "header of the disc");
    }
    if (memcmp(bytes + (LOCK_OFF - START_LEN), "\0PGD", 4) == 0) {
        return other(pbp, box, FH_IMG0047, "an encrypted disc");
    }
    return fh_feed_skip(&pbp->feed, INDEX_OFF - (int64_t)LOCK_OFF - 4)
               ? FH_BOX_OK
               : fh_feed_broke(&pbp->feed, box->faults, "header of the disc");
}

/* Blocks up to the first entry of length 0. */
static fh_box_status read_index(pbp_box *pbp, fh_box *box)
{
    bool is_over = false;
    pbp->num_blocks = 0;
    pbp->at = 0;
    pbp->pos = BLOCK_LEN;
    for (uint32_t i = 0; i < MAX_BLOCKS; i++) {
        uint8_t bytes[ENTRY_LEN];
        if (!fh_feed_get(&pbp->feed, bytes, sizeof bytes)) {
            return fh_feed_broke(&pbp->feed, box->faults, "index of the disc");
        }
        fh_cursor cur = fh_cursor_make(bytes, sizeof bytes, 0);
        block *b = &pbp->blocks[i];
        b->off = fh_cursor_u32(&cur);
        b->len = fh_cursor_u16(&cur);
        is_over = is_over || b->len == 0;
        pbp->num_blocks += is_over ? 0 : 1;
    }
    if (pbp->num_blocks == 0) {
        fh_fault(box->faults, FH_IMG0041, pbp->feed.off, "index of the disc", "no blocks", "");
        return FH_BOX_BROKEN;
    }
    pbp->base = pbp->feed.off;
    return FH_BOX_OK;
}

/* ---- the discs ------------------------------------------------------------------------------- */

static fh_box_status read_disc(pbp_box *pbp, fh_box *box)
{
    const fh_box_status status = read_disc_header(pbp, box);
    return status == FH_BOX_OK ? read_index(pbp, box) : status;
}

/* Goes to the next disc that can be read; those that cannot are passed over. */
static fh_box_status go_on(pbp_box *pbp, fh_box *box)
{
    fh_box_status status = FH_BOX_OTHER;
    while (status == FH_BOX_OTHER && pbp->disc < pbp->num_discs) {
        pbp->disc++;
        status = go_to_disc(pbp, box);
        if (status == FH_BOX_OK) {
            status = read_disc(pbp, box);
        }
    }
    pbp->is_ready = status == FH_BOX_OK;
    return status;
}

/* The first disc was looked for when the box was opened. */
static fh_box_status next(fh_box *box, fh_member *member)
{
    pbp_box *pbp = box->self;
    const fh_box_status status = pbp->is_ready ? FH_BOX_OK : go_on(pbp, box);
    if (status != FH_BOX_OK) {
        return status == FH_BOX_OTHER ? FH_BOX_END : status;
    }
    pbp->is_ready = false;
    *member = (fh_member){.is_bytes = true, .size = FH_UNKNOWN};
    if (pbp->is_set) {
        fh_text text = fh_text_make(pbp->name, sizeof pbp->name);
        fh_text_u64(fh_text_str(&text, "disc"), pbp->disc);
        member->name = pbp->name;
    }
    return FH_BOX_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static fh_tape_status inflate_block(pbp_box *pbp, fh_tape *tape, size_t len)
{
    z_stream *stream = &pbp->stream;
    if (inflateReset(stream) != Z_OK) {
        return fh_tape_fail(tape, ENOMEM);
    }
    stream->next_in = pbp->packed;
    stream->avail_in = (uInt)len;
    stream->next_out = pbp->out;
    stream->avail_out = (uInt)BLOCK_LEN;
    const int code = inflate(stream, Z_FINISH);
    if (code == Z_MEM_ERROR) {
        return fh_tape_fail(tape, ENOMEM);
    }
    if (code == Z_DATA_ERROR) {
        const char *why = stream->msg != NULL ? stream->msg : "not deflate";
        fh_fault(tape->faults, FH_IMG0041, pbp->feed.off - (int64_t)len, "PBP block", why, "");
        return fh_tape_break(tape, why);
    }
    if (code != Z_STREAM_END || stream->avail_out != 0) {
        const int64_t more = code == Z_STREAM_END || stream->avail_out != 0 ? 0 : 1;
        fh_fault_sizes(tape->faults, FH_IMG0046, pbp->feed.off - (int64_t)len, "PBP block",
                       (int64_t)(BLOCK_LEN - stream->avail_out) + more, (int64_t)BLOCK_LEN);
        return fh_tape_break(tape, "a block unpacks to another size");
    }
    return FH_TAPE_OK;
}

static fh_tape_status read_block(pbp_box *pbp, fh_tape *tape)
{
    const block *b = &pbp->blocks[pbp->at];
    const int64_t off = pbp->base + (int64_t)b->off;
    if (off < pbp->feed.off || b->len > BLOCK_LEN) {
        fh_fault_sizes(tape->faults, FH_IMG0045, off, "place of a PBP block", off, pbp->feed.off);
        return fh_tape_break(tape, "a block overlaps another one, or is too long");
    }
    if (!fh_feed_skip(&pbp->feed, off - pbp->feed.off) ||
        !fh_feed_get(&pbp->feed, b->len == BLOCK_LEN ? pbp->out : pbp->packed, b->len)) {
        return fh_feed_ended(&pbp->feed, tape, "PBP block");
    }
    pbp->at++;
    pbp->pos = 0;
    return b->len == BLOCK_LEN ? FH_TAPE_OK : inflate_block(pbp, tape, b->len);
}

static fh_tape_status read_member(fh_box *box, fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    pbp_box *pbp = box->self;
    if (pbp->pos == BLOCK_LEN) {
        if (pbp->at == pbp->num_blocks) {
            return FH_TAPE_END;
        }
        const fh_tape_status status = read_block(pbp, tape);
        if (status != FH_TAPE_OK) {
            pbp->pos = BLOCK_LEN;
            pbp->at = pbp->num_blocks;
            return status;
        }
    }
    const size_t left = BLOCK_LEN - pbp->pos;
    const size_t num = left < max ? left : max;
    memcpy(to, pbp->out + pbp->pos, num);
    pbp->pos += num;
    *len = num;
    return FH_TAPE_OK;
}

static void close_box(fh_box *box)
{
    pbp_box *pbp = box->self;
    if (pbp != NULL && pbp->has_stream) {
        (void)inflateEnd(&pbp->stream);
    }
    free(pbp);
}

fh_box_status fh_pbp_open(fh_box *box)
{
    pbp_box *pbp = calloc(1, sizeof *pbp);
    if (pbp == NULL) {
        return FH_BOX_NO_MEMORY;
    }
    box->self = pbp;
    box->next = next;
    box->read = read_member;
    box->close = close_box;
    pbp->feed = fh_feed_make(box->from);
    pbp->pos = BLOCK_LEN;
    pbp->has_stream = inflateInit2(&pbp->stream, -15) == Z_OK;
    fh_box_status status = pbp->has_stream ? FH_BOX_OK : FH_BOX_NO_MEMORY;
    if (status == FH_BOX_OK) {
        status = read_header(pbp, box);
    }
    if (status == FH_BOX_OK) {
        status = read_start(pbp, box);
    }
    return status == FH_BOX_OK ? go_on(pbp, box) : status;
}
