#include "source/chd.h"

#include "source/chd_codec.h"
#include "source/chd_map.h"

#include <assert.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER_LEN = 124, SHA1_LEN = 20, NUM_CODECS = 4, METADATA_HEAD_LEN = 16 };

#define NO_HUNK UINT32_MAX

/* Bytes that are hashed in one call without any coming out, at most and a hunk. */
#define MOST_HASHED ((uint64_t)16 << 20)

typedef struct chd_header {
    uint32_t codecs[NUM_CODECS];
    uint64_t size; /* bytes of all units */
    uint64_t map_off;
    uint64_t metadata_off;
    uint8_t raw_sha1[SHA1_LEN];
    uint8_t sha1[SHA1_LEN]; /* of raw_sha1 and the metadata */
    uint8_t parent_sha1[SHA1_LEN];
    bool has_parent;
} chd_header;

/* What a block of metadata adds to that: its tag and the SHA-1 of its bytes. */
typedef struct chd_seal {
    uint8_t bytes[4 + SHA1_LEN];
} chd_seal;

/* What is wrong with a hunk or with the file. */
typedef struct fault {
    fh_image_rule rule;
    const char *field;
    fh_value found;
    fh_value expected;
    bool keeps_bytes; /* of a hunk: they are delivered all the same */
} fault;

struct fh_chd {
    fh_chd_input input;
    fh_tallies *tallies;
    chd_header header;
    fh_chd_shape shape;
    fh_chd_hunk *hunks;
    fh_chd_codec *codec;
    uint8_t *packed; /* of hunk_len bytes */
    uint8_t *hunk;   /* likewise */
    uint32_t held;   /* number of the hunk that lies there, or NO_HUNK */
    bool held_is_faulty;
    fault held_fault; /* if so: what is wrong with it */
    char tag_text[8]; /* of a codec, for the fault */

    chd_seal seals[FH_CHD_MAX_METADATA];
    size_t num_seals;
    bool lacks_seals; /* some block could not be read, or is too long to be */
    fh_chd_toc toc;
    uint32_t num_tracks;
    bool is_disc;
    uint32_t subcode_len;
    uint64_t size; /* that come out */

    uint64_t pos; /* of fh_chd_read */
    EVP_MD_CTX *sha1;
    uint32_t num_hashed;
    bool is_checked;
    bool has_lost; /* some hunk, also of padding */
    fh_chd_range lost[FH_CHD_MAX_LOST];
    size_t num_lost;
    uint64_t lost_bytes;
};

/* ---- what is told -----------------------------------------------------------------------------
 */

static void write_evidence(fh_tally *tally, const fault *what)
{
    fh_text found = fh_text_make(tally->found, sizeof tally->found);
    fh_text expected = fh_text_make(tally->expected, sizeof tally->expected);
    fh_value_write(&found, what->found);
    fh_value_write(&expected, what->expected);
}

/* The tally if this is the first of its rule, else NULL. */
static fh_tally *tell(fh_chd *chd, uint64_t off, const fault *what)
{
    fh_tally *tally = fh_tally_add(chd->tallies, what->rule, (int64_t)off, what->field);
    if (tally != NULL) {
        tally->unit = "places";
        write_evidence(tally, what);
    }
    return tally;
}

/* Refuses the whole file. */
static fh_chd_status refuse(fh_chd *chd, uint64_t off, fault what)
{
    tell(chd, off, &what);
    return FH_CHD_REFUSED;
}

static fh_value tag_words(uint32_t tag, char text[8])
{
    for (unsigned i = 0; i < 4; i++) {
        uint8_t c = (uint8_t)(tag >> (24 - 8 * i));
        c = c > ' ' && c < 127 ? c : '?';
        memcpy(text + i, &c, 1);
    }
    text[4] = '\0';
    return fh_words(text);
}

static void write_hex(char *out, const uint8_t *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out = '\0';
}

/* ---- bytes of the file ------------------------------------------------------------------------
 */

static bool is_inside(const fh_chd *chd, uint64_t off, uint64_t len)
{
    return off <= chd->input.size && len <= chd->input.size - off;
}

static bool read_file(fh_chd *chd, uint64_t off, uint8_t *out, size_t len)
{
    assert(is_inside(chd, off, len));
    if (chd->input.read_at(chd->input.user, off, out, len)) {
        return true;
    }
    fault what = {FH_IMG0001, "bytes of the CHD",
                  fh_dec((int64_t)len, " bytes that cannot be read"), fh_nothing(), false};
    tell(chd, off, &what);
    return false;
}

/* ---- header -----------------------------------------------------------------------------------
 */

static bool is_zero(const uint8_t *bytes, size_t len)
{
    uint8_t any = 0;
    for (size_t i = 0; i < len; i++) {
        any |= bytes[i];
    }
    return any == 0;
}

bool fh_chd_is(const uint8_t *bytes, size_t len)
{
    return len >= FH_CHD_MAGIC_LEN && memcmp(bytes, "MComprHD", FH_CHD_MAGIC_LEN) == 0;
}

static uint32_t word_at(const uint8_t *bytes)
{
    return (uint32_t)fh_chd_number(bytes, 4);
}

static void take_header(fh_chd *chd, const uint8_t *bytes)
{
    chd_header *header = &chd->header;
    for (size_t i = 0; i < NUM_CODECS; i++) {
        header->codecs[i] = word_at(bytes + 16 + 4 * i);
    }
    header->size = fh_chd_number(bytes + 32, 8);
    header->map_off = fh_chd_number(bytes + 40, 8);
    header->metadata_off = fh_chd_number(bytes + 48, 8);
    chd->shape.hunk_len = word_at(bytes + 56);
    chd->shape.unit_len = word_at(bytes + 60);
    memcpy(header->raw_sha1, bytes + 64, SHA1_LEN);
    memcpy(header->sha1, bytes + 84, SHA1_LEN);
    memcpy(header->parent_sha1, bytes + 104, SHA1_LEN);
    header->has_parent = !is_zero(header->parent_sha1, SHA1_LEN);
}

/* Numbers that would ask for more than we give. */
static fh_chd_status check_limits(fh_chd *chd)
{
    uint64_t size = chd->header.size;
    if (chd->shape.hunk_len > FH_CHD_MAX_HUNK_LEN) {
        return refuse(chd, 56,
                      (fault){FH_IMG0042, "bytes of a hunk", fh_dec(chd->shape.hunk_len, ""),
                              fh_dec_after("at most ", FH_CHD_MAX_HUNK_LEN, ""), false});
    }
    if (size > FH_CHD_MAX_SIZE) {
        return refuse(chd, 32,
                      (fault){FH_IMG0042, "bytes unpacked", fh_dec((int64_t)(size >> 30), " GiB"),
                              fh_dec_after("at most ", FH_CHD_MAX_SIZE >> 30, " GiB"), false});
    }
    if (size > FH_CHD_FREE_SIZE && size / FH_CHD_MAX_RATIO > chd->input.size) {
        return refuse(chd, 32,
                      (fault){FH_IMG0042, "bytes unpacked for each byte of the file",
                              fh_dec((int64_t)(size / chd->input.size), ""),
                              fh_dec_after("at most ", FH_CHD_MAX_RATIO, " above 2 GiB"), false});
    }
    uint64_t num = (size + chd->shape.hunk_len - 1) / chd->shape.hunk_len;
    if (num > FH_CHD_MAX_HUNKS) {
        return refuse(chd, 32,
                      (fault){FH_IMG0042, "hunks", fh_dec((int64_t)num, ""),
                              fh_dec_after("at most ", FH_CHD_MAX_HUNKS, ""), false});
    }
    chd->shape.num_hunks = (uint32_t)num;
    return FH_CHD_OK;
}

static fh_chd_status check_header(fh_chd *chd, const uint8_t *bytes)
{
    if (word_at(bytes + 12) != 5) {
        return refuse(chd, 12,
                      (fault){FH_IMG0048, "CHD version", fh_dec(word_at(bytes + 12), ""),
                              fh_dec(5, ""), false});
    }
    if (word_at(bytes + 8) != HEADER_LEN) {
        return refuse(chd, 8,
                      (fault){FH_IMG0041, "CHD header length", fh_dec(word_at(bytes + 8), " bytes"),
                              fh_dec(HEADER_LEN, " bytes"), false});
    }
    take_header(chd, bytes);
    if (chd->shape.unit_len == 0 || chd->shape.hunk_len < chd->shape.unit_len ||
        chd->shape.hunk_len % chd->shape.unit_len != 0) {
        return refuse(chd, 56,
                      (fault){FH_IMG0041, "CHD hunk length", fh_dec(chd->shape.hunk_len, " bytes"),
                              fh_dec_after("a multiple of the unit's ", chd->shape.unit_len, ""),
                              false});
    }
    return check_limits(chd);
}

static fh_chd_status read_header(fh_chd *chd)
{
    uint8_t bytes[HEADER_LEN];
    if (!is_inside(chd, 0, HEADER_LEN)) {
        return refuse(chd, 0,
                      (fault){FH_IMG0041, "CHD header", fh_dec((int64_t)chd->input.size, " bytes"),
                              fh_dec(HEADER_LEN, " bytes"), false});
    }
    if (!read_file(chd, 0, bytes, sizeof bytes)) {
        return FH_CHD_REFUSED;
    }
    if (!fh_chd_is(bytes, sizeof bytes)) {
        return refuse(chd, 0,
                      (fault){FH_IMG0041, "CHD identifier", fh_words("other bytes"),
                              fh_words("MComprHD"), false});
    }
    return check_header(chd, bytes);
}

/* ---- map --------------------------------------------------------------------------------------
 */

static fh_chd_status map_outside(fh_chd *chd, uint64_t len)
{
    return refuse(chd, chd->header.map_off,
                  (fault){FH_IMG0045, "CHD map", fh_dec_after("", (int64_t)len, " bytes there"),
                          fh_dec_after("inside the file of ", (int64_t)chd->input.size, " bytes"),
                          false});
}

static fh_chd_status read_plain_map(fh_chd *chd)
{
    uint64_t len = (uint64_t)chd->shape.num_hunks * FH_CHD_PLAIN_ENTRY_LEN;
    if (!is_inside(chd, chd->header.map_off, len)) {
        return map_outside(chd, len);
    }
    uint8_t *bytes = malloc(len + 1);
    if (bytes == NULL) {
        return FH_CHD_NO_SPACE;
    }
    bool is_read = read_file(chd, chd->header.map_off, bytes, len);
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
        return refuse(chd, chd->header.map_off,
                      (fault){FH_IMG0041, "CHD map", fh_words(why), fh_nothing(), false});
    }
    if (crc != map->crc) {
        fault what = {FH_IMG0043, "CRC-16 of the CHD map", fh_hex(crc), fh_hex(map->crc), true};
        tell(chd, chd->header.map_off, &what);
    }
    return FH_CHD_OK;
}

static fh_chd_status read_packed_map(fh_chd *chd)
{
    uint8_t bytes[FH_CHD_MAP_HEADER_LEN];
    uint64_t off = chd->header.map_off;
    if (!is_inside(chd, off, sizeof bytes)) {
        return map_outside(chd, sizeof bytes);
    }
    if (!read_file(chd, off, bytes, sizeof bytes)) {
        return FH_CHD_REFUSED;
    }
    fh_chd_map_header map = fh_chd_map_header_read(bytes);
    off += sizeof bytes;
    if (!is_inside(chd, off, map.len)) {
        return map_outside(chd, map.len);
    }
    uint8_t *packed = malloc((size_t)map.len + 1);
    if (packed == NULL) {
        return FH_CHD_NO_SPACE;
    }
    fh_chd_status status = FH_CHD_REFUSED;
    if (read_file(chd, off, packed, map.len)) {
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

static void tell_sha1(fh_chd *chd, uint64_t off, const char *field, const uint8_t *found,
                      const uint8_t *expected)
{
    char found_hex[2 * SHA1_LEN + 1];
    char expected_hex[2 * SHA1_LEN + 1];
    if (memcmp(found, expected, SHA1_LEN) != 0) {
        write_hex(found_hex, found, SHA1_LEN);
        write_hex(expected_hex, expected, SHA1_LEN);
        fault what = {FH_IMG0043, field, fh_words(found_hex), fh_words(expected_hex), true};
        tell(chd, off, &what);
    }
}

/* ---- metadata ---------------------------------------------------------------------------------
 */

static void bad_metadata(fh_chd *chd, uint64_t off, const char *why)
{
    fault what = {FH_IMG0041, "CHD metadata", fh_words(why), fh_nothing(), true};
    tell(chd, off, &what);
}

static void seal(fh_chd *chd, const uint8_t *head, const uint8_t *bytes, size_t len)
{
    chd_seal *to = &chd->seals[chd->num_seals++];
    memcpy(to->bytes, head, 4);
    if (EVP_Digest(bytes, len, to->bytes + 4, NULL, EVP_sha1(), NULL) != 1) {
        chd->lacks_seals = true;
    }
}

static void use_block(fh_chd *chd, uint64_t off, const uint8_t *head, uint64_t len)
{
    uint8_t bytes[FH_CHD_MAX_TEXT];
    size_t used = len < sizeof bytes ? (size_t)len : sizeof bytes;
    bool is_sealed = (head[4] & 1) != 0;
    if (!read_file(chd, off + METADATA_HEAD_LEN, bytes, used)) {
        chd->lacks_seals = true;
        return;
    }
    if (is_sealed && used == len) {
        seal(chd, head, bytes, used);
    } else if (is_sealed) {
        chd->lacks_seals = true;
    }
    const char *why = fh_chd_toc_add(&chd->toc, word_at(head), bytes, used);
    if (why != NULL) {
        bad_metadata(chd, off, why);
    }
}

/* Reads one block; *next becomes the place of the next one, 0 at the end. */
static void read_block(fh_chd *chd, uint64_t off, uint64_t *next)
{
    uint8_t head[METADATA_HEAD_LEN];
    *next = 0;
    if (!is_inside(chd, off, sizeof head)) {
        bad_metadata(chd, off, "a block outside the file");
        return;
    }
    if (!read_file(chd, off, head, sizeof head)) {
        return;
    }
    uint64_t len = fh_chd_number(head + 5, 3);
    *next = fh_chd_number(head + 8, 8);
    if (is_inside(chd, off + sizeof head, len)) {
        use_block(chd, off, head, len);
    } else {
        bad_metadata(chd, off, "a block that ends outside the file");
    }
}

static int compare_seals(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(chd_seal));
}

/* The SHA-1 of the whole is that of the data's and of all seals in rising order. */
static void check_seals(fh_chd *chd)
{
    uint8_t bytes[SHA1_LEN + sizeof chd->seals];
    uint8_t found[EVP_MAX_MD_SIZE];
    size_t len = chd->num_seals * sizeof(chd_seal);
    qsort(chd->seals, chd->num_seals, sizeof(chd_seal), compare_seals);
    memcpy(bytes, chd->header.raw_sha1, SHA1_LEN);
    memcpy(bytes + SHA1_LEN, chd->seals, len);
    if (chd->lacks_seals || is_zero(chd->header.sha1, SHA1_LEN) ||
        EVP_Digest(bytes, SHA1_LEN + len, found, NULL, EVP_sha1(), NULL) != 1) {
        return;
    }
    tell_sha1(chd, 84, "SHA-1 with metadata", found, chd->header.sha1);
}

static void read_metadata(fh_chd *chd)
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

static uint64_t frame_len(const fh_chd *chd, const fh_chd_track *track)
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
        off += track->frames * frame_len(chd, track);
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
        fault what = {FH_IMG0041, "frames of all tracks", fh_dec((int64_t)claimed, ""),
                      fh_dec_after("at most ", (int64_t)held, ""), true};
        tell(chd, chd->header.metadata_off, &what);
    }
    clip_tracks(chd, held);
    const fh_chd_track *last = &chd->toc.tracks[chd->num_tracks - 1];
    chd->size = last->off + last->frames * frame_len(chd, last);
}

static void lay_out(fh_chd *chd, bool with_subcode)
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

/* ---- opening ----------------------------------------------------------------------------------
 */

static fh_chd_status make_room(fh_chd *chd)
{
    chd->packed = malloc(chd->shape.hunk_len);
    chd->hunk = malloc(chd->shape.hunk_len);
    chd->codec = fh_chd_codec_new(chd->shape.hunk_len);
    chd->sha1 = EVP_MD_CTX_new();
    bool is_made = chd->packed != NULL && chd->hunk != NULL && chd->codec != NULL &&
                   chd->sha1 != NULL && EVP_DigestInit_ex(chd->sha1, EVP_sha1(), NULL) == 1;
    return is_made ? FH_CHD_OK : FH_CHD_NO_SPACE;
}

static void tell_parent(fh_chd *chd)
{
    char hex[2 * SHA1_LEN + 1];
    write_hex(hex, chd->header.parent_sha1, SHA1_LEN);
    fault what = {FH_IMG0044, "parent SHA-1", fh_words(hex), fh_words("none"), true};
    tell(chd, 104, &what);
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
    read_metadata(chd);
    lay_out(chd, with_subcode);
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

void fh_chd_close(fh_chd *chd)
{
    if (chd == NULL) {
        return;
    }
    EVP_MD_CTX_free(chd->sha1);
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

/* ---- hunks ------------------------------------------------------------------------------------
 */

typedef enum fetched { FETCHED = 0, FAULTY, FETCH_NO_SPACE } fetched;

static fetched spoil(fault *what, fault is)
{
    *what = is;
    return FAULTY;
}

static fetched check_crc(const fh_chd *chd, const fh_chd_hunk *hunk, fault *what)
{
    if (!hunk->has_crc) {
        return FETCHED;
    }
    uint16_t crc = fh_chd_crc16(0xffff, chd->hunk, chd->shape.hunk_len);
    if (crc == hunk->crc) {
        return FETCHED;
    }
    return spoil(what, (fault){FH_IMG0043, "CRC-16 of a hunk", fh_hex(crc), fh_hex(hunk->crc),
                               hunk->kind == FH_CHD_STORED});
}

/* Brings the bytes of a hunk from the file to `to`. */
static fetched bring(fh_chd *chd, const fh_chd_hunk *hunk, uint8_t *to, fault *what)
{
    if (hunk->off < HEADER_LEN || !is_inside(chd, hunk->off, hunk->len)) {
        return spoil(what, (fault){FH_IMG0045, "place of a hunk", fh_dec(hunk->len, " bytes there"),
                                   fh_dec_after("behind the header and inside the file of ",
                                                (int64_t)chd->input.size, " bytes"),
                                   false});
    }
    if (!chd->input.read_at(chd->input.user, hunk->off, to, hunk->len)) {
        return spoil(what,
                     (fault){FH_IMG0001, "bytes of a hunk",
                             fh_dec(hunk->len, " bytes that cannot be read"), fh_nothing(), false});
    }
    return FETCHED;
}

static fetched judge(fh_chd *chd, fh_chd_unpacked result, uint32_t tag, fault *what)
{
    switch (result) {
    case FH_CHD_UNPACKED:
        return FETCHED;
    case FH_CHD_NO_MEMORY:
        return FETCH_NO_SPACE;
    case FH_CHD_NOT_BUILT_IN:
        return spoil(what, (fault){FH_IMG0047, "codec of a hunk", tag_words(tag, chd->tag_text),
                                   fh_words("a codec that is built in"), false});
    case FH_CHD_OTHER_SIZE:
        return spoil(what, (fault){FH_IMG0046, "unpacked hunk", fh_words("more or fewer bytes"),
                                   fh_dec(chd->shape.hunk_len, " bytes"), false});
    case FH_CHD_BROKEN:
        break;
    }
    return spoil(what, (fault){FH_IMG0041, "packed hunk", fh_words("bytes that do not unpack"),
                               tag_words(tag, chd->tag_text), false});
}

static fetched fetch_packed(fh_chd *chd, const fh_chd_hunk *hunk, fault *what)
{
    if (hunk->len > chd->shape.hunk_len) {
        return spoil(what,
                     (fault){FH_IMG0041, "length of a packed hunk", fh_dec(hunk->len, " bytes"),
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

static fetched fetch_stored(fh_chd *chd, const fh_chd_hunk *hunk, fault *what)
{
    fetched done = bring(chd, hunk, chd->hunk, what);
    return done == FETCHED ? check_crc(chd, hunk, what) : done;
}

static fetched fetch(fh_chd *chd, uint32_t index, fault *what)
{
    const fh_chd_hunk *hunk = &chd->hunks[index];
    switch (hunk->kind) {
    case FH_CHD_STORED:
        return fetch_stored(chd, hunk, what);
    case FH_CHD_SELF:
        return spoil(what,
                     (fault){FH_IMG0049, "reference of a hunk",
                             fh_dec_after("to hunk ", (int64_t)hunk->off, ""),
                             fh_dec_after("to one before hunk ", index, " with bytes"), false});
    case FH_CHD_PARENT:
        return spoil(what,
                     (fault){FH_IMG0044, "hunk of the parent", fh_dec_after("hunk ", index, ""),
                             fh_words("in this file"), false});
    case FH_CHD_EMPTY:
        memset(chd->hunk, 0, chd->shape.hunk_len);
        return FETCHED;
    case FH_CHD_UNKNOWN:
        return spoil(what, (fault){FH_IMG0041, "kind of a hunk",
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
            *off = track->off + (frame - track->first_frame) * frame_len(chd, track);
            return true;
        }
    }
    return false;
}

static void tell_hunk(fh_chd *chd, uint32_t index, const fault *what)
{
    fh_tally *tally = tell(chd, place_of(chd, index), what);
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

static bool held_is_lost(const fh_chd *chd)
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
    if (held_is_lost(chd)) {
        memset(chd->hunk, 0, chd->shape.hunk_len);
    }
    return true;
}

/* Brings a hunk to chd->hunk; false: no memory. A row of hunks that refer to the same one costs no
 * more than one of them. */
static bool load(fh_chd *chd, uint32_t index)
{
    uint32_t holder = holder_of(chd, index);
    if (chd->held != holder && !hold(chd, holder)) {
        return false;
    }
    chd->has_lost = chd->has_lost || held_is_lost(chd);
    if (chd->held_is_faulty && !chd->hunks[index].is_told) {
        chd->hunks[index].is_told = 1;
        tell_hunk(chd, index, &chd->held_fault);
    }
    return true;
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
    uint64_t len = frame_len(chd, track);
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
    if (!load(chd, at.hunk)) {
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
        if (!load(chd, chd->num_hashed)) {
            return FH_CHD_NO_SPACE;
        }
        uint64_t left = chd->header.size - chd->num_hashed * hunk_len;
        EVP_DigestUpdate(chd->sha1, chd->hunk, left < hunk_len ? (size_t)left : (size_t)hunk_len);
        done += hunk_len;
    }
    return FH_CHD_OK;
}

static void check_sha1(fh_chd *chd)
{
    uint8_t found[EVP_MAX_MD_SIZE];
    bool is_known = !is_zero(chd->header.raw_sha1, SHA1_LEN) && !chd->has_lost;
    if (is_known && EVP_DigestFinal_ex(chd->sha1, found, NULL) == 1) {
        tell_sha1(chd, 64, "SHA-1 of the data", found, chd->header.raw_sha1);
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
    if (held_is_lost(chd)) {
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
