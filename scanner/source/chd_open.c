#include "source/chd_impl.h"

#include <stdlib.h>
#include <string.h>

/* ---- header -----------------------------------------------------------------------------------
 */

bool fh_chd_is(const uint8_t *bytes, size_t len)
{
    return len >= FH_CHD_MAGIC_LEN && memcmp(bytes, "MComprHD", FH_CHD_MAGIC_LEN) == 0;
}

static void take_header(fh_chd *chd, const uint8_t *bytes)
{
    fh_chd_header *header = &chd->header;
    for (size_t i = 0; i < NUM_CODECS; i++) {
        header->codecs[i] = (uint32_t)fh_chd_number(bytes + 16 + 4 * i, 4);
    }
    header->size = fh_chd_number(bytes + 32, 8);
    header->map_off = fh_chd_number(bytes + 40, 8);
    header->metadata_off = fh_chd_number(bytes + 48, 8);
    chd->shape.hunk_len = (uint32_t)fh_chd_number(bytes + 56, 4);
    chd->shape.unit_len = (uint32_t)fh_chd_number(bytes + 60, 4);
    memcpy(header->raw_sha1, bytes + 64, SHA1_LEN);
    memcpy(header->sha1, bytes + 84, SHA1_LEN);
    memcpy(header->parent_sha1, bytes + 104, SHA1_LEN);
    header->has_parent = !fh_chd_is_zero(header->parent_sha1, SHA1_LEN);
}

/* Numbers that would ask for more than we give. */
static fh_chd_status check_limits(fh_chd *chd)
{
    uint64_t size = chd->header.size;
    if (chd->shape.hunk_len > FH_CHD_MAX_HUNK_LEN) {
        return fh_chd_refuse(
            chd, 56,
            (fh_chd_fault){FH_IMG0042, "bytes of a hunk", fh_dec(chd->shape.hunk_len, ""),
                           fh_dec_after("at most ", FH_CHD_MAX_HUNK_LEN, ""), false});
    }
    if (size > FH_CHD_MAX_SIZE) {
        return fh_chd_refuse(
            chd, 32,
            (fh_chd_fault){FH_IMG0042, "bytes unpacked", fh_dec((int64_t)(size >> 30), " GiB"),
                           fh_dec_after("at most ", FH_CHD_MAX_SIZE >> 30, " GiB"), false});
    }
    if (size > FH_CHD_FREE_SIZE && size / FH_CHD_MAX_RATIO > chd->input.size) {
        return fh_chd_refuse(
            chd, 32,
            (fh_chd_fault){FH_IMG0042, "bytes unpacked for each byte of the file",
                           fh_dec((int64_t)(size / chd->input.size), ""),
                           fh_dec_after("at most ", FH_CHD_MAX_RATIO, " above 2 GiB"), false});
    }
    uint64_t num = (size + chd->shape.hunk_len - 1) / chd->shape.hunk_len;
    if (num > FH_CHD_MAX_HUNKS) {
        return fh_chd_refuse(chd, 32,
                             (fh_chd_fault){FH_IMG0042, "hunks", fh_dec((int64_t)num, ""),
                                            fh_dec_after("at most ", FH_CHD_MAX_HUNKS, ""), false});
    }
    chd->shape.num_hunks = (uint32_t)num;
    return FH_CHD_OK;
}

static fh_chd_status check_header(fh_chd *chd, const uint8_t *bytes)
{
    if ((uint32_t)fh_chd_number(bytes + 12, 4) != 5) {
        return fh_chd_refuse(chd, 12,
                             (fh_chd_fault){FH_IMG0048, "CHD version",
                                            fh_dec((uint32_t)fh_chd_number(bytes + 12, 4), ""),
                                            fh_dec(5, ""), false});
    }
    if ((uint32_t)fh_chd_number(bytes + 8, 4) != HEADER_LEN) {
        return fh_chd_refuse(chd, 8,
                             (fh_chd_fault){FH_IMG0041, "CHD header length",
                                            fh_dec((uint32_t)fh_chd_number(bytes + 8, 4), " bytes"),
                                            fh_dec(HEADER_LEN, " bytes"), false});
    }
    take_header(chd, bytes);
    if (chd->shape.unit_len == 0 || chd->shape.hunk_len < chd->shape.unit_len ||
        chd->shape.hunk_len % chd->shape.unit_len != 0) {
        return fh_chd_refuse(
            chd, 56,
            (fh_chd_fault){FH_IMG0041, "CHD hunk length", fh_dec(chd->shape.hunk_len, " bytes"),
                           fh_dec_after("a multiple of the unit's ", chd->shape.unit_len, ""),
                           false});
    }
    return check_limits(chd);
}

static fh_chd_status read_header(fh_chd *chd)
{
    uint8_t bytes[HEADER_LEN];
    if (!fh_chd_has(chd, 0, HEADER_LEN)) {
        return fh_chd_refuse(chd, 0,
                             (fh_chd_fault){FH_IMG0041, "CHD header",
                                            fh_dec((int64_t)chd->input.size, " bytes"),
                                            fh_dec(HEADER_LEN, " bytes"), false});
    }
    if (!fh_chd_read_file(chd, 0, bytes, sizeof bytes)) {
        return FH_CHD_REFUSED;
    }
    if (!fh_chd_is(bytes, sizeof bytes)) {
        return fh_chd_refuse(chd, 0,
                             (fh_chd_fault){FH_IMG0041, "CHD identifier", fh_words("other bytes"),
                                            fh_words("MComprHD"), false});
    }
    return check_header(chd, bytes);
}

/* ---- map --------------------------------------------------------------------------------------
 */

static fh_chd_status map_outside(fh_chd *chd, uint64_t len)
{
    return fh_chd_refuse(
        chd, chd->header.map_off,
        (fh_chd_fault){FH_IMG0045, "CHD map", fh_dec_after("", (int64_t)len, " bytes there"),
                       fh_dec_after("inside the file of ", (int64_t)chd->input.size, " bytes"),
                       false});
}

static fh_chd_status read_plain_map(fh_chd *chd)
{
    uint64_t len = (uint64_t)chd->shape.num_hunks * FH_CHD_PLAIN_ENTRY_LEN;
    if (!fh_chd_has(chd, chd->header.map_off, len)) {
        return map_outside(chd, len);
    }
    uint8_t *bytes = malloc(len + 1);
    if (bytes == NULL) {
        return FH_CHD_NO_SPACE;
    }
    bool is_read = fh_chd_read_file(chd, chd->header.map_off, bytes, len);
    if (is_read) {
        fh_chd_map_plain(chd->hunks, bytes, &chd->shape, chd->header.has_parent);
    }
    free(bytes);
    return is_read ? FH_CHD_OK : FH_CHD_REFUSED;
}

static fh_chd_status unpack_map(fh_chd *chd, const fh_chd_map_header *map, const uint8_t *packed)
{
    fh_huffman *tree = malloc(sizeof *tree);
    if (tree == NULL) {
        return FH_CHD_NO_SPACE;
    }
    uint16_t crc = 0;
    const char *why = fh_chd_map_unpack(chd->hunks, &crc, map, packed, &chd->shape, tree);
    free(tree);
    if (why != NULL) {
        return fh_chd_refuse(
            chd, chd->header.map_off,
            (fh_chd_fault){FH_IMG0041, "CHD map", fh_words(why), fh_nothing(), false});
    }
    if (crc != map->crc) {
        fh_chd_fault what = {FH_IMG0043, "CRC-16 of the CHD map", fh_hex(crc), fh_hex(map->crc),
                             true};
        fh_chd_say(chd, chd->header.map_off, &what);
    }
    return FH_CHD_OK;
}

static fh_chd_status read_packed_map(fh_chd *chd)
{
    uint8_t bytes[FH_CHD_MAP_HEADER_LEN];
    uint64_t off = chd->header.map_off;
    if (!fh_chd_has(chd, off, sizeof bytes)) {
        return map_outside(chd, sizeof bytes);
    }
    if (!fh_chd_read_file(chd, off, bytes, sizeof bytes)) {
        return FH_CHD_REFUSED;
    }
    fh_chd_map_header map = fh_chd_map_header_read(bytes);
    off += sizeof bytes;
    if (!fh_chd_has(chd, off, map.len)) {
        return map_outside(chd, map.len);
    }
    uint8_t *packed = malloc((size_t)map.len + 1);
    if (packed == NULL) {
        return FH_CHD_NO_SPACE;
    }
    fh_chd_status status = FH_CHD_REFUSED;
    if (fh_chd_read_file(chd, off, packed, map.len)) {
        status = unpack_map(chd, &map, packed);
    }
    free(packed);
    return status;
}

/* References to references lead to where the bytes are, so that each costs one step. Only earlier
 * hunks may be referred to: no circle is possible then, and no writer does anything else. */
static void shorten_references(fh_chd *chd)
{
    for (uint32_t i = 0; i < chd->shape.num_hunks; i++) {
        fh_chd_hunk *hunk = &chd->hunks[i];
        if (hunk->kind == FH_CHD_SELF && hunk->off < i) {
            const fh_chd_hunk *to = &chd->hunks[hunk->off];
            bool is_sound = to->kind == FH_CHD_SELF && to->off < hunk->off;
            hunk->off = is_sound ? to->off : hunk->off;
        }
    }
}

static fh_chd_status read_map(fh_chd *chd)
{
    chd->hunks = calloc((size_t)chd->shape.num_hunks + 1, sizeof *chd->hunks);
    if (chd->hunks == NULL) {
        return FH_CHD_NO_SPACE;
    }
    fh_chd_status status = chd->header.codecs[0] == 0 ? read_plain_map(chd) : read_packed_map(chd);
    if (status == FH_CHD_OK) {
        shorten_references(chd);
    }
    return status;
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static fh_chd_status make_room(fh_chd *chd)
{
    chd->packed = malloc(chd->shape.hunk_len);
    chd->hunk = malloc(chd->shape.hunk_len);
    chd->codec = fh_chd_codec_new(chd->shape.hunk_len);
    bool is_made = chd->packed != NULL && chd->hunk != NULL && chd->codec != NULL &&
                   SHA1_Init(&chd->sha1) == 1;
    return is_made ? FH_CHD_OK : FH_CHD_NO_SPACE;
}

static void tell_parent(fh_chd *chd)
{
    char hex[2 * SHA1_LEN + 1];
    fh_chd_write_hex(hex, chd->header.parent_sha1, SHA1_LEN);
    fh_chd_fault what = {FH_IMG0044, "parent SHA-1", fh_words(hex), fh_words("none"), true};
    fh_chd_say(chd, 104, &what);
}

static fh_chd_status open_chd(fh_chd *chd, bool with_subcode)
{
    fh_chd_status status = read_header(chd);
    if (status == FH_CHD_OK) {
        status = read_map(chd);
    }
    if (status == FH_CHD_OK) {
        status = make_room(chd);
    }
    if (status != FH_CHD_OK) {
        return status;
    }
    if (chd->header.has_parent) {
        tell_parent(chd);
    }
    fh_chd_read_metadata(chd);
    fh_chd_lay_out(chd, with_subcode);
    return FH_CHD_OK;
}

fh_chd_status fh_chd_open(fh_chd **out, const fh_chd_input *input, bool with_subcode,
                          fh_tallies *tallies)
{
    *out = NULL;
    fh_chd *chd = calloc(1, sizeof *chd);
    if (chd == NULL) {
        return FH_CHD_NO_SPACE;
    }
    chd->input = *input;
    chd->tallies = tallies;
    chd->held = NO_HUNK;
    fh_chd_status status = open_chd(chd, with_subcode);
    if (status != FH_CHD_OK) {
        fh_chd_close(chd);
        return status;
    }
    *out = chd;
    return FH_CHD_OK;
}
