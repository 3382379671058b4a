#include "source/chd_impl.h"

#include <string.h>

typedef enum fetched { FETCHED = 0, FAULTY, FETCH_NO_SPACE } fetched;

static fetched spoil(fh_chd_fault *what, fh_chd_fault is)
{
    *what = is;
    return FAULTY;
}

static fetched check_crc(const fh_chd *chd, const fh_chd_hunk *hunk, fh_chd_fault *what)
{
    if (!hunk->has_crc) {
        return FETCHED;
    }
    uint16_t crc = fh_chd_crc16(0xffff, chd->hunk, chd->shape.hunk_len);
    if (crc == hunk->crc) {
        return FETCHED;
    }
    return spoil(what, (fh_chd_fault){FH_IMG0043, "CRC-16 of a hunk", fh_hex(crc),
                                      fh_hex(hunk->crc), hunk->kind == FH_CHD_STORED});
}

/* Brings the bytes of a hunk from the file to `to`. */
static fetched bring(fh_chd *chd, const fh_chd_hunk *hunk, uint8_t *to, fh_chd_fault *what)
{
    if (hunk->off < HEADER_LEN || !fh_chd_has(chd, hunk->off, hunk->len)) {
        return spoil(what, (fh_chd_fault){FH_IMG0045, "place of a hunk",
                                          fh_dec(hunk->len, " bytes there"),
                                          fh_dec_after("behind the header and inside the file of ",
                                                       (int64_t)chd->input.size, " bytes"),
                                          false});
    }
    if (!chd->input.read_at(chd->input.user, hunk->off, to, hunk->len)) {
        return spoil(what, (fh_chd_fault){FH_IMG0001, "bytes of a hunk",
                                          fh_dec(hunk->len, " bytes that cannot be read"),
                                          fh_nothing(), false});
    }
    return FETCHED;
}

static fetched judge(fh_chd *chd, fh_chd_unpacked result, uint32_t tag, fh_chd_fault *what)
{
    switch (result) {
    case FH_CHD_UNPACKED:
        return FETCHED;
    case FH_CHD_NO_MEMORY:
        return FETCH_NO_SPACE;
    case FH_CHD_NOT_BUILT_IN:
        return spoil(what, (fh_chd_fault){FH_IMG0047, "codec of a hunk",
                                          fh_chd_tag_words(tag, chd->tag_text),
                                          fh_words("a codec that is built in"), false});
    case FH_CHD_OTHER_SIZE:
        return spoil(what,
                     (fh_chd_fault){FH_IMG0046, "unpacked hunk", fh_words("more or fewer bytes"),
                                    fh_dec(chd->shape.hunk_len, " bytes"), false});
    case FH_CHD_BROKEN:
        break;
    }
    return spoil(what,
                 (fh_chd_fault){FH_IMG0041, "packed hunk", fh_words("bytes that do not unpack"),
                                fh_chd_tag_words(tag, chd->tag_text), false});
}

static fetched fetch_packed(fh_chd *chd, const fh_chd_hunk *hunk, fh_chd_fault *what)
{
    if (hunk->len > chd->shape.hunk_len) {
        return spoil(
            what, (fh_chd_fault){FH_IMG0041, "length of a packed hunk", fh_dec(hunk->len, " bytes"),
                                 fh_dec_after("at most ", chd->shape.hunk_len, ""), false});
    }
    fetched done = bring(chd, hunk, chd->packed, what);
    if (done != FETCHED) {
        return done;
    }
    uint32_t tag = chd->header.codecs[hunk->kind];
    done = judge(chd, fh_chd_unpack(chd->codec, tag, chd->packed, hunk->len, chd->hunk), tag, what);
    return done == FETCHED ? check_crc(chd, hunk, what) : done;
}

static fetched fetch_stored(fh_chd *chd, const fh_chd_hunk *hunk, fh_chd_fault *what)
{
    fetched done = bring(chd, hunk, chd->hunk, what);
    return done == FETCHED ? check_crc(chd, hunk, what) : done;
}

static fetched fetch(fh_chd *chd, uint32_t index, fh_chd_fault *what)
{
    const fh_chd_hunk *hunk = &chd->hunks[index];
    switch (hunk->kind) {
    case FH_CHD_STORED:
        return fetch_stored(chd, hunk, what);
    case FH_CHD_SELF:
        return spoil(what, (fh_chd_fault){FH_IMG0049, "reference of a hunk",
                                          fh_dec_after("to hunk ", (int64_t)hunk->off, ""),
                                          fh_dec_after("to one before hunk ", index, " with bytes"),
                                          false});
    case FH_CHD_PARENT:
        return spoil(what, (fh_chd_fault){FH_IMG0044, "hunk of the parent",
                                          fh_dec_after("hunk ", index, ""),
                                          fh_words("in this file"), false});
    case FH_CHD_EMPTY:
        memset(chd->hunk, 0, chd->shape.hunk_len);
        return FETCHED;
    case FH_CHD_UNKNOWN:
        return spoil(what,
                     (fh_chd_fault){FH_IMG0041, "kind of a hunk",
                                    fh_words("one that is not defined"), fh_nothing(), false});
    default:
        return fetch_packed(chd, hunk, what);
    }
}

/* The hunk that holds the bytes of this one: itself, unless it refers to an earlier one. */
static uint32_t holder_of(const fh_chd *chd, uint32_t index)
{
    const fh_chd_hunk *hunk = &chd->hunks[index];
    return hunk->kind == FH_CHD_SELF && hunk->off < index ? (uint32_t)hunk->off : index;
}

/* Where the bytes of a hunk lie in the file; the map's place where they lie nowhere. */
static uint64_t place_of(const fh_chd *chd, uint32_t index)
{
    const fh_chd_hunk *hunk = &chd->hunks[holder_of(chd, index)];
    return hunk->kind <= FH_CHD_STORED ? hunk->off : chd->header.map_off;
}

/* The first byte that comes out of a hunk; false: none, it is padding. */
static bool first_out(const fh_chd *chd, uint32_t index, uint64_t *off)
{
    uint64_t at = (uint64_t)index * chd->shape.hunk_len;
    *off = at;
    if (!chd->is_disc) {
        return true;
    }
    uint64_t end = at / FH_CHD_FRAME_LEN + chd->shape.hunk_len / FH_CHD_FRAME_LEN;
    for (uint32_t i = 0; i < chd->num_tracks; i++) {
        const fh_chd_track *track = &chd->toc.tracks[i];
        uint64_t frame = at / FH_CHD_FRAME_LEN;
        frame = frame > track->first_frame ? frame : track->first_frame;
        if (frame < end && frame < track->first_frame + track->frames) {
            *off = track->off + (frame - track->first_frame) * fh_chd_frame_len(chd, track);
            return true;
        }
    }
    return false;
}

static void tell_hunk(fh_chd *chd, uint32_t index, const fh_chd_fault *what)
{
    fh_tally *tally = fh_chd_say(chd, place_of(chd, index), what);
    if (tally == NULL) {
        return;
    }
    fh_text found = fh_text_make(tally->found, sizeof tally->found);
    uint64_t off = 0;
    fh_value_write(&found, what->found);
    fh_text_u64(fh_text_str(&found, " (hunk "), index);
    if (first_out(chd, index, &off)) {
        fh_text_hex(fh_text_str(&found, ", image from "), off, 1);
        fh_text_str(&found, what->keeps_bytes ? ", kept" : ", read as zeros");
    }
    fh_text_str(&found, ")");
}

bool fh_chd_held_is_lost(const fh_chd *chd)
{
    return chd->held_is_faulty && !chd->held_fault.keeps_bytes;
}

static bool hold(fh_chd *chd, uint32_t index)
{
    chd->held = NO_HUNK;
    fetched done = fetch(chd, index, &chd->held_fault);
    if (done == FETCH_NO_SPACE) {
        return false;
    }
    chd->held = index;
    chd->held_is_faulty = done == FAULTY;
    if (fh_chd_held_is_lost(chd)) {
        memset(chd->hunk, 0, chd->shape.hunk_len);
    }
    return true;
}

/* Brings a hunk to chd->hunk; false: no memory. A row of hunks that refer to the same one costs no
 * more than one of them. */
bool fh_chd_load(fh_chd *chd, uint32_t index)
{
    uint32_t holder = holder_of(chd, index);
    if (chd->held != holder && !hold(chd, holder)) {
        return false;
    }
    chd->has_lost = chd->has_lost || fh_chd_held_is_lost(chd);
    if (chd->held_is_faulty && !chd->hunks[index].is_told) {
        chd->hunks[index].is_told = 1;
        tell_hunk(chd, index, &chd->held_fault);
    }
    return true;
}
