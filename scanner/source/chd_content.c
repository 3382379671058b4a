#include "source/chd_impl.h"

#include <stdlib.h>
#include <string.h>

enum { METADATA_HEAD_LEN = 16 };

/* ---- metadata ---------------------------------------------------------------------------------
 */

static void bad_metadata(fh_chd *chd, uint64_t off, const char *why)
{
    fh_chd_fault what = {FH_IMG0041, "CHD metadata", fh_words(why), fh_nothing(), true};
    fh_chd_say(chd, off, &what);
}

static bool hash(uint8_t out[SHA1_LEN], const uint8_t *bytes, size_t len)
{
    SHA_CTX context;
    return SHA1_Init(&context) == 1 && SHA1_Update(&context, bytes, len) == 1 &&
           SHA1_Final(out, &context) == 1;
}

static void seal(fh_chd *chd, const uint8_t *head, const uint8_t *bytes, size_t len)
{
    fh_chd_seal *to = &chd->seals[chd->num_seals++];
    memcpy(to->bytes, head, 4);
    chd->lacks_seals = chd->lacks_seals || !hash(to->bytes + 4, bytes, len);
}

static void use_block(fh_chd *chd, uint64_t off, const uint8_t *head, uint64_t len)
{
    uint8_t bytes[FH_CHD_MAX_TEXT];
    size_t used = len < sizeof bytes ? (size_t)len : sizeof bytes;
    bool is_sealed = (head[4] & 1) != 0;
    if (!fh_chd_read_file(chd, off + METADATA_HEAD_LEN, bytes, used)) {
        chd->lacks_seals = true;
        return;
    }
    if (is_sealed && used == len) {
        seal(chd, head, bytes, used);
    } else if (is_sealed) {
        chd->lacks_seals = true;
    }
    const char *why = fh_chd_toc_add(&chd->toc, (uint32_t)fh_chd_number(head, 4), bytes, used);
    if (why != NULL) {
        bad_metadata(chd, off, why);
    }
}

/* Reads one block; *next becomes the place of the next one, 0 at the end. */
static void read_block(fh_chd *chd, uint64_t off, uint64_t *next)
{
    uint8_t head[METADATA_HEAD_LEN];
    *next = 0;
    if (!fh_chd_has(chd, off, sizeof head)) {
        bad_metadata(chd, off, "a block outside the file");
        return;
    }
    if (!fh_chd_read_file(chd, off, head, sizeof head)) {
        return;
    }
    uint64_t len = fh_chd_number(head + 5, 3);
    *next = fh_chd_number(head + 8, 8);
    if (fh_chd_has(chd, off + sizeof head, len)) {
        use_block(chd, off, head, len);
    } else {
        bad_metadata(chd, off, "a block that ends outside the file");
    }
}

static int compare_seals(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(fh_chd_seal));
}

/* The SHA-1 of the whole is that of the data's and of all seals in rising order. */
static void check_seals(fh_chd *chd)
{
    uint8_t bytes[SHA1_LEN + sizeof chd->seals];
    uint8_t found[SHA1_LEN];
    size_t len = chd->num_seals * sizeof(fh_chd_seal);
    qsort(chd->seals, chd->num_seals, sizeof(fh_chd_seal), compare_seals);
    memcpy(bytes, chd->header.raw_sha1, SHA1_LEN);
    memcpy(bytes + SHA1_LEN, chd->seals, len);
    if (chd->lacks_seals || fh_chd_is_zero(chd->header.sha1, SHA1_LEN) ||
        !hash(found, bytes, SHA1_LEN + len)) {
        return;
    }
    fh_chd_say_sha1(chd, 84, "SHA-1 with metadata", found, chd->header.sha1);
}

void fh_chd_read_metadata(fh_chd *chd)
{
    uint64_t off = chd->header.metadata_off;
    for (uint32_t i = 0; off != 0; i++) {
        if (i == FH_CHD_MAX_METADATA) {
            bad_metadata(chd, off, "more than 256 blocks, or a chain in a circle");
            return;
        }
        read_block(chd, off, &off);
    }
    check_seals(chd);
}

/* ---- what comes out ---------------------------------------------------------------------------
 */

uint64_t fh_chd_frame_len(const fh_chd *chd, const fh_chd_track *track)
{
    return (uint64_t)track->sector_len + chd->subcode_len;
}

/* Frames that the tracks claim and the hunks do not hold are not delivered. */
static void clip_tracks(fh_chd *chd, uint64_t held)
{
    uint64_t off = 0;
    for (uint32_t i = 0; i < chd->num_tracks; i++) {
        fh_chd_track *track = &chd->toc.tracks[i];
        uint64_t left = track->first_frame < held ? held - track->first_frame : 0;
        track->frames = track->frames < left ? track->frames : (uint32_t)left;
        track->off = off;
        off += track->frames * fh_chd_frame_len(chd, track);
    }
}

/* A disc without a sound list of tracks: every frame as one raw sector, as it lies there. */
static void make_whole(fh_chd *chd, uint64_t held)
{
    bad_metadata(chd, chd->header.metadata_off, "a disc without tracks");
    chd->num_tracks = 1;
    chd->toc.tracks[0] = (fh_chd_track){.type = FH_CHD_MODE2_RAW,
                                        .sector_len = FH_CHD_SECTOR_LEN,
                                        .frames = (uint32_t)held,
                                        .has_subcode = true};
}

static bool misses_tracks(const fh_chd *chd)
{
    for (uint32_t i = chd->num_tracks; i < FH_CHD_MAX_TRACKS; i++) {
        if (chd->toc.has[i]) {
            return true;
        }
    }
    return false;
}

static void lay_out_disc(fh_chd *chd)
{
    uint64_t held = chd->header.size / FH_CHD_FRAME_LEN;
    uint64_t claimed = 0;
    chd->num_tracks = fh_chd_toc_place(&chd->toc, chd->subcode_len, &claimed);
    if (misses_tracks(chd)) {
        bad_metadata(chd, chd->header.metadata_off, "a gap in the track numbers");
        chd->num_tracks = 0;
    }
    if (chd->num_tracks == 0) {
        make_whole(chd, held);
    } else if (claimed > held) {
        fh_chd_fault what = {FH_IMG0041, "frames of all tracks", fh_dec((int64_t)claimed, ""),
                             fh_dec_after("at most ", (int64_t)held, ""), true};
        fh_chd_say(chd, chd->header.metadata_off, &what);
    }
    clip_tracks(chd, held);
    const fh_chd_track *last = &chd->toc.tracks[chd->num_tracks - 1];
    chd->size = last->off + last->frames * fh_chd_frame_len(chd, last);
}

void fh_chd_lay_out(fh_chd *chd, bool with_subcode)
{
    chd->is_disc = chd->shape.unit_len == FH_CHD_FRAME_LEN;
    if (chd->is_disc) {
        chd->subcode_len = with_subcode ? FH_CHD_SUBCODE_LEN : 0;
        lay_out_disc(chd);
        return;
    }
    chd->size = chd->header.size;
    chd->num_tracks = 0;
    for (uint32_t i = 0; i < FH_CHD_MAX_TRACKS; i++) {
        if (chd->toc.has[i]) {
            bad_metadata(chd, chd->header.metadata_off, "tracks, and units that are no frames");
            return;
        }
    }
}
