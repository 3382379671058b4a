#include "source/chd_tracks.h"

#include "source/chd_codec.h"

#include <string.h>

static const struct {
    const char *name;
    uint32_t sector_len;
} types[FH_CHD_NUM_TYPES] = {
    [FH_CHD_MODE1] = {"MODE1", 2048},
    [FH_CHD_MODE1_RAW] = {"MODE1_RAW", 2352},
    [FH_CHD_MODE2] = {"MODE2", 2336},
    [FH_CHD_MODE2_FORM1] = {"MODE2_FORM1", 2048},
    [FH_CHD_MODE2_FORM2] = {"MODE2_FORM2", 2324},
    [FH_CHD_MODE2_FORM_MIX] = {"MODE2_FORM_MIX", 2336},
    [FH_CHD_MODE2_RAW] = {"MODE2_RAW", 2352},
    [FH_CHD_AUDIO] = {"AUDIO", 2352},
};

/* The same types by the names that cue sheets and older files have. */
static const struct {
    const char *name;
    fh_chd_track_type type;
} other_names[] = {
    {"MODE1/2048", FH_CHD_MODE1},       {"MODE1/2352", FH_CHD_MODE1_RAW},
    {"MODE2/2336", FH_CHD_MODE2},       {"MODE2/2048", FH_CHD_MODE2_FORM1},
    {"MODE2/2324", FH_CHD_MODE2_FORM2}, {"MODE2/2352", FH_CHD_MODE2_RAW},
    {"CDI/2352", FH_CHD_MODE2_RAW},
};

/* Tracks begin at multiples of this many frames. */
#define TRACK_ALIGN 4u

/* A disc of 99 minutes has 449,850 frames; a GD-ROM more than half a million. */
#define MOST_FRAMES 0x1000000u

const char *fh_chd_track_type_name(fh_chd_track_type type)
{
    return types[type].name;
}

uint32_t fh_chd_track_sector_len(fh_chd_track_type type)
{
    return types[type].sector_len;
}

/* ---- texts ------------------------------------------------------------------------------------
 */

typedef struct words {
    const char *text;
    size_t len;
} words;

static bool is_word(words word, const char *name)
{
    return word.len == strlen(name) && memcmp(word.text, name, word.len) == 0;
}

/* What stands behind KEY: up to the next blank; an empty word where there is no such key. Keys
 * begin the text or follow a blank, so that FRAMES is not found in a longer name. */
static words value_of(words text, const char *key)
{
    size_t key_len = strlen(key);
    for (size_t at = 0; at < text.len && key_len < text.len - at; at++) {
        bool begins = at == 0 || text.text[at - 1] == ' ';
        if (begins && memcmp(text.text + at, key, key_len) == 0 && text.text[at + key_len] == ':') {
            words value = {text.text + at + key_len + 1, 0};
            size_t most = text.len - (at + key_len + 1);
            while (value.len < most && value.text[value.len] > ' ') {
                value.len++;
            }
            return value;
        }
    }
    return (words){"", 0};
}

/* Digits only, at most `most`. */
static bool read_number(uint32_t *out, words word, uint32_t most)
{
    uint64_t value = 0;
    for (size_t i = 0; i < word.len; i++) {
        if (word.text[i] < '0' || word.text[i] > '9') {
            return false;
        }
        value = value * 10 + (uint32_t)(word.text[i] - '0');
        if (value > most) {
            return false;
        }
    }
    *out = (uint32_t)value;
    return word.len > 0;
}

static bool read_type(fh_chd_track_type *out, words word)
{
    for (size_t i = 0; i < FH_CHD_NUM_TYPES; i++) {
        if (is_word(word, types[i].name)) {
            *out = (fh_chd_track_type)i;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof other_names / sizeof other_names[0]; i++) {
        if (is_word(word, other_names[i].name)) {
            *out = other_names[i].type;
            return true;
        }
    }
    return false;
}

/* A number that may be left out, and then is 0. */
static bool read_optional(uint32_t *out, words text, const char *key)
{
    words word = value_of(text, key);
    *out = 0;
    return word.len == 0 || read_number(out, word, MOST_FRAMES);
}

static const char *add(fh_chd_toc *toc, const fh_chd_track *track, uint32_t pad)
{
    if (track->number == 0) {
        return "track number 0";
    }
    if (toc->has[track->number - 1]) {
        return "a track twice";
    }
    toc->has[track->number - 1] = true;
    toc->tracks[track->number - 1] = *track;
    toc->pads[track->number - 1] = pad;
    return NULL;
}

static const char *add_text(fh_chd_toc *toc, words text, bool is_swapped)
{
    fh_chd_track track = {0};
    uint32_t pad = 0;
    if (!read_number(&track.number, value_of(text, "TRACK"), FH_CHD_MAX_TRACKS)) {
        return "no track number up to 99";
    }
    if (!read_type(&track.type, value_of(text, "TYPE"))) {
        return "no known type of a track";
    }
    if (!read_number(&track.frames, value_of(text, "FRAMES"), MOST_FRAMES) ||
        !read_optional(&track.pregap, text, "PREGAP") || !read_optional(&pad, text, "PAD") ||
        pad > track.frames) {
        return "no sound number of frames";
    }
    words pregap_type = value_of(text, "PGTYPE");
    words subtype = value_of(text, "SUBTYPE");
    track.frames -= pad;
    track.sector_len = types[track.type].sector_len;
    track.pregap_is_here = track.pregap > 0 && pregap_type.len > 0 && pregap_type.text[0] == 'V';
    track.has_subcode = is_word(subtype, "RW") || is_word(subtype, "RW_RAW");
    track.swaps = track.type == FH_CHD_AUDIO && !is_swapped;
    return add(toc, &track, pad);
}

/* ---- the old form -----------------------------------------------------------------------------
 */

enum { OLD_HEAD = 4, OLD_ROW = 24, OLD_LEN = OLD_HEAD + (int)FH_CHD_MAX_TRACKS * OLD_ROW };

static uint32_t number_at(const uint8_t *bytes, bool is_big)
{
    uint32_t little =
        bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return is_big ? __builtin_bswap32(little) : little;
}

/* Number of tracks, then for each: type, subtype, sector, subchannel, frames, padding. Either byte
 * order was written, that of the machine. */
static const char *add_old(fh_chd_toc *toc, const uint8_t *bytes, size_t len)
{
    if (len < OLD_LEN) {
        return "shorter than 99 tracks";
    }
    bool is_big = number_at(bytes, false) > FH_CHD_MAX_TRACKS;
    uint32_t num = number_at(bytes, is_big);
    if (num > FH_CHD_MAX_TRACKS) {
        return "more than 99 tracks";
    }
    const char *fault = NULL;
    for (uint32_t i = 0; i < num && fault == NULL; i++) {
        const uint8_t *row = bytes + OLD_HEAD + (size_t)i * OLD_ROW;
        uint32_t type = number_at(row, is_big);
        fh_chd_track track = {.number = i + 1, .frames = number_at(row + 16, is_big)};
        if (type >= FH_CHD_NUM_TYPES || track.frames > MOST_FRAMES) {
            return "no known type, or no sound number of frames";
        }
        track.type = (fh_chd_track_type)type;
        track.sector_len = types[type].sector_len;
        track.has_subcode = number_at(row + 12, is_big) != 0;
        track.swaps = track.type == FH_CHD_AUDIO;
        fault = add(toc, &track, 0);
    }
    return fault;
}

const char *fh_chd_toc_add(fh_chd_toc *toc, uint32_t tag, const uint8_t *bytes, size_t len)
{
    words text = {(const char *)bytes, len};
    switch (tag) {
    case FH_CHD_TAG('C', 'H', 'T', 'R'):
    case FH_CHD_TAG('C', 'H', 'T', '2'):
    case FH_CHD_TAG('C', 'H', 'G', 'D'):
        return add_text(toc, text, false);
    case FH_CHD_TAG('C', 'H', 'G', 'T'):
        /* Audio of these lies in the byte order of a .bin already. */
        return add_text(toc, text, true);
    case FH_CHD_TAG('C', 'H', 'C', 'D'):
        return add_old(toc, bytes, len);
    default:
        return NULL;
    }
}

uint32_t fh_chd_toc_place(fh_chd_toc *toc, uint32_t subcode_len, uint64_t *frames)
{
    uint64_t frame = 0;
    uint64_t off = 0;
    uint32_t num = 0;
    for (; num < FH_CHD_MAX_TRACKS && toc->has[num]; num++) {
        fh_chd_track *track = &toc->tracks[num];
        track->first_frame = frame;
        track->off = off;
        frame += (uint64_t)track->frames + toc->pads[num] + TRACK_ALIGN - 1;
        frame -= frame % TRACK_ALIGN;
        off += (uint64_t)track->frames * (track->sector_len + subcode_len);
    }
    *frames = frame;
    return num;
}
