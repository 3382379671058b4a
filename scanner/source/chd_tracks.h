/* The tracks of a disc in a CHD: from its metadata to where each one's bytes come out.
 *
 * Metadata are a chain of blocks, each a tag, a length and the place of the next. A track is a text
 * in a block CHT2 or CHTR (CD), CHGD or CHGT (GD-ROM), such as
 *     TRACK:1 TYPE:MODE2_RAW SUBTYPE:NONE FRAMES:1234 PREGAP:0 PGTYPE:MODE1 PGSUB:RW POSTGAP:0
 * or a row of numbers in CHCD, the form before that. In the hunks every track begins at a frame
 * number divisible by 4; a sector lies at the beginning of its frame. Sources: cdrom.cpp and
 * chdman.cpp of MAME; image format sheet, section 5.1.
 */
#ifndef FH_SOURCE_CHD_TRACKS_H
#define FH_SOURCE_CHD_TRACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A disc has at most 99 tracks (ECMA-130, 22.3.3). */
#define FH_CHD_MAX_TRACKS 99u

/* What chdman writes is about 100 bytes, and the old form 4 + 99 * 24. */
#define FH_CHD_MAX_TEXT ((size_t)4096)

/* Types are named as in the metadata. */
typedef enum fh_chd_track_type {
    FH_CHD_MODE1 = 0,      /* 2048 */
    FH_CHD_MODE1_RAW,      /* 2352 */
    FH_CHD_MODE2,          /* 2336 */
    FH_CHD_MODE2_FORM1,    /* 2048 */
    FH_CHD_MODE2_FORM2,    /* 2324 */
    FH_CHD_MODE2_FORM_MIX, /* 2336 */
    FH_CHD_MODE2_RAW,      /* 2352 */
    FH_CHD_AUDIO,          /* 2352 */
    FH_CHD_NUM_TYPES
} fh_chd_track_type;

typedef struct fh_chd_track {
    uint32_t number; /* 1 to 99; 0: the whole disc, whose tracks are not known */
    fh_chd_track_type type;
    uint32_t sector_len;  /* bytes of a sector that come out, subchannel not counted */
    uint32_t frames;      /* that come out, the stored pregap included */
    uint32_t pregap;      /* frames */
    bool pregap_is_here;  /* they are the first ones of `frames`; else they are nowhere */
    bool has_subcode;     /* the writer had subchannels; else they are zeros */
    bool swaps;           /* audio whose bytes are stored the other way round than in a .bin */
    uint64_t first_frame; /* in the hunks */
    uint64_t off;         /* of the track's first byte in what comes out */
} fh_chd_track;

/* fh_chd_track_type_name returns "MODE1_RAW" ...; the length of its sectors. */
const char *fh_chd_track_type_name(fh_chd_track_type type);
uint32_t fh_chd_track_sector_len(fh_chd_track_type type);

/* Tracks while they are collected, by number; first_frame and off are not known yet. */
typedef struct fh_chd_toc {
    fh_chd_track tracks[FH_CHD_MAX_TRACKS];
    uint32_t pads[FH_CHD_MAX_TRACKS]; /* further frames of the track that do not come out */
    bool has[FH_CHD_MAX_TRACKS];
} fh_chd_toc;

/* fh_chd_toc_add reads one block of metadata. A block that is no track is left alone. What is wrong
 * with one that is: a constant text, else NULL. */
const char *fh_chd_toc_add(fh_chd_toc *toc, uint32_t tag, const uint8_t *bytes, size_t len);

/* fh_chd_toc_place orders the tracks and gives them their places; a frame comes out as a sector and
 * subcode_len bytes. Returns how many there are: those from 1 on without a gap in the numbers.
 * *frames becomes the number of frames that they take in the hunks. */
uint32_t fh_chd_toc_place(fh_chd_toc *toc, uint32_t subcode_len, uint64_t *frames);

#endif
