#include "source/chd_impl.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that are hashed in one call without any coming out, at most and a hunk. */
#define MOST_HASHED ((uint64_t)16 << 20)

void fh_chd_close(fh_chd *chd)
{
    if (chd == NULL) {
        return;
    }
    fh_chd_codec_free(chd->codec);
    free(chd->packed);
    free(chd->hunk);
    free(chd->hunks);
    free(chd);
}

void fh_chd_tell_to(fh_chd *chd, fh_tallies *tallies)
{
    chd->tallies = tallies;
}

uint64_t fh_chd_size(const fh_chd *chd)
{
    return chd->size;
}

const fh_chd_track *fh_chd_tracks(const fh_chd *chd, size_t *num)
{
    *num = chd->num_tracks;
    return chd->toc.tracks;
}

/* ---- reading ----------------------------------------------------------------------------------
 */

/* A run of bytes that comes out of one hunk. */
typedef struct span {
    uint32_t hunk;
    size_t off; /* in the hunk */
    size_t len;
    bool swaps;
    bool odd; /* it begins with the second byte of a pair */
} span;

static const fh_chd_track *track_at(const fh_chd *chd, uint64_t pos)
{
    uint32_t i = chd->num_tracks - 1;
    while (i > 0 && chd->toc.tracks[i].off > pos) {
        i--;
    }
    return &chd->toc.tracks[i];
}

static span span_of_units(const fh_chd *chd, uint64_t pos)
{
    uint32_t hunk_len = chd->shape.hunk_len;
    uint64_t left = chd->size - pos;
    span at = {.hunk = (uint32_t)(pos / hunk_len), .off = (size_t)(pos % hunk_len)};
    at.len = hunk_len - at.off < left ? hunk_len - at.off : (size_t)left;
    return at;
}

static span span_of_frame(const fh_chd *chd, uint64_t pos)
{
    const fh_chd_track *track = track_at(chd, pos);
    uint32_t per_hunk = chd->shape.hunk_len / FH_CHD_FRAME_LEN;
    uint64_t len = fh_chd_frame_len(chd, track);
    uint64_t frame = track->first_frame + (pos - track->off) / len;
    size_t inside = (size_t)((pos - track->off) % len);
    bool is_sector = inside < track->sector_len;
    size_t from = is_sector ? inside : FH_CHD_SECTOR_LEN + (inside - track->sector_len);
    return (span){.hunk = (uint32_t)(frame / per_hunk),
                  .off = (size_t)(frame % per_hunk) * FH_CHD_FRAME_LEN + from,
                  .len = is_sector ? track->sector_len - inside : (size_t)len - inside,
                  .swaps = is_sector && track->swaps,
                  .odd = inside % 2 != 0};
}

static span span_at(const fh_chd *chd, uint64_t pos)
{
    return chd->is_disc ? span_of_frame(chd, pos) : span_of_units(chd, pos);
}

static void copy(const fh_chd *chd, const span *at, uint8_t *out, size_t len)
{
    const uint8_t *from = chd->hunk + at->off;
    if (!at->swaps) {
        memcpy(out, from, len);
        return;
    }
    for (size_t i = 0; i < len; i++) {
        bool is_second = ((i % 2 != 0) != at->odd);
        out[i] = is_second ? *(from + i - 1) : from[i + 1];
    }
}

static fh_chd_status read_span(fh_chd *chd, uint64_t pos, uint8_t *out, size_t max, size_t *len)
{
    span at = span_at(chd, pos);
    if (!fh_chd_load(chd, at.hunk)) {
        return FH_CHD_NO_SPACE;
    }
    *len = at.len < max ? at.len : max;
    copy(chd, &at, out, *len);
    return FH_CHD_OK;
}

fh_chd_status fh_chd_read_at(fh_chd *chd, uint64_t off, uint8_t *out, size_t max, size_t *len)
{
    size_t done = 0;
    while (done < max && off < chd->size && done < chd->size - off) {
        size_t got = 0;
        fh_chd_status status = read_span(chd, off + done, out + done, max - done, &got);
        if (status != FH_CHD_OK) {
            return status;
        }
        done += got;
    }
    if (done == 0) {
        return FH_CHD_END;
    }
    *len = done;
    return FH_CHD_OK;
}

/* Every hunk goes through the hash once and in order, those of padding too; a portion in a call, so
 * that the caller can stop. */
static fh_chd_status hash_up_to(fh_chd *chd, uint32_t end)
{
    uint64_t hunk_len = chd->shape.hunk_len;
    uint64_t done = 0;
    for (; chd->num_hashed < end; chd->num_hashed++) {
        if (done >= MOST_HASHED) {
            return FH_CHD_AGAIN;
        }
        if (!fh_chd_load(chd, chd->num_hashed)) {
            return FH_CHD_NO_SPACE;
        }
        uint64_t left = chd->header.size - chd->num_hashed * hunk_len;
        SHA1_Update(&chd->sha1, chd->hunk, left < hunk_len ? (size_t)left : (size_t)hunk_len);
        done += hunk_len;
    }
    return FH_CHD_OK;
}

static void check_sha1(fh_chd *chd)
{
    uint8_t found[SHA1_LEN];
    bool is_known = !fh_chd_is_zero(chd->header.raw_sha1, SHA1_LEN) && !chd->has_lost;
    if (is_known && SHA1_Final(found, &chd->sha1) == 1) {
        fh_chd_say_sha1(chd, 64, "SHA-1 of the data", found, chd->header.raw_sha1);
    }
}

static fh_chd_status finish(fh_chd *chd)
{
    if (!chd->is_checked) {
        fh_chd_status status = hash_up_to(chd, chd->shape.num_hunks);
        if (status != FH_CHD_OK) {
            return status;
        }
        chd->is_checked = true;
        check_sha1(chd);
    }
    return FH_CHD_END;
}

static void note_lost(fh_chd *chd, uint64_t off, size_t len)
{
    chd->lost_bytes += len;
    fh_chd_range *last = chd->num_lost > 0 ? &chd->lost[chd->num_lost - 1] : NULL;
    if (last != NULL && last->off + last->len == off) {
        last->len += len;
    } else if (chd->num_lost < FH_CHD_MAX_LOST) {
        chd->lost[chd->num_lost++] = (fh_chd_range){off, len};
    }
}

static fh_chd_status read_on(fh_chd *chd, uint8_t *out, size_t max, size_t *len)
{
    span at = span_at(chd, chd->pos);
    fh_chd_status status = hash_up_to(chd, at.hunk + 1);
    if (status == FH_CHD_OK) {
        status = read_span(chd, chd->pos, out, max, len);
    }
    if (status != FH_CHD_OK) {
        return status;
    }
    if (fh_chd_held_is_lost(chd)) {
        note_lost(chd, chd->pos, *len);
    }
    chd->pos += *len;
    return FH_CHD_OK;
}

fh_chd_status fh_chd_read(fh_chd *chd, uint8_t *out, size_t max, size_t *len)
{
    if (chd->pos >= chd->size) {
        return finish(chd);
    }
    size_t done = 0;
    while (done < max && chd->pos < chd->size) {
        size_t got = 0;
        fh_chd_status status = read_on(chd, out + done, max - done, &got);
        if (status == FH_CHD_AGAIN && done > 0) {
            break;
        }
        if (status != FH_CHD_OK) {
            return status;
        }
        done += got;
    }
    *len = done;
    return FH_CHD_OK;
}

const fh_chd_range *fh_chd_lost(const fh_chd *chd, size_t *num, uint64_t *bytes)
{
    *num = chd->num_lost;
    *bytes = chd->lost_bytes;
    return chd->lost;
}
