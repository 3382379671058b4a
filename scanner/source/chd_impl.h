/* The inside of the CHD decoder, shared by its files only: chd_file.c (the bytes of the file, and
 * what is told of them), chd_open.c (header and map), chd_content.c (metadata, and what comes out),
 * chd_hunk.c (one hunk at a time) and chd.c (reading).
 */
#ifndef FH_SOURCE_CHD_IMPL_H
#define FH_SOURCE_CHD_IMPL_H

#include "source/chd.h"
#include "source/chd_codec.h"
#include "source/chd_map.h"

#include <openssl/sha.h>

enum { HEADER_LEN = 124, SHA1_LEN = 20, NUM_CODECS = 4 };

#define NO_HUNK UINT32_MAX

typedef struct fh_chd_header {
    uint32_t codecs[NUM_CODECS];
    uint64_t size; /* bytes of all units */
    uint64_t map_off;
    uint64_t metadata_off;
    uint8_t raw_sha1[SHA1_LEN];
    uint8_t sha1[SHA1_LEN]; /* of raw_sha1 and the metadata */
    uint8_t parent_sha1[SHA1_LEN];
    bool has_parent;
} fh_chd_header;

/* What a block of metadata adds to that: its tag and the SHA-1 of its bytes. */
typedef struct fh_chd_seal {
    uint8_t bytes[4 + SHA1_LEN];
} fh_chd_seal;

/* What is wrong with a hunk or with the file. */
typedef struct fh_chd_fault {
    fh_image_rule rule;
    const char *field;
    fh_value found;
    fh_value expected;
    bool keeps_bytes; /* of a hunk: they are delivered all the same */
} fh_chd_fault;

struct fh_chd {
    fh_chd_input input;
    fh_tallies *tallies;
    fh_chd_header header;
    fh_chd_shape shape;
    fh_chd_hunk *hunks;
    fh_chd_codec *codec;
    uint8_t *packed; /* of hunk_len bytes */
    uint8_t *hunk;   /* likewise */
    uint32_t held;   /* number of the hunk that lies there, or NO_HUNK */
    bool held_is_faulty;
    fh_chd_fault held_fault; /* if so: what is wrong with it */
    char tag_text[8];        /* of a codec, for the fault */

    fh_chd_seal seals[FH_CHD_MAX_METADATA];
    size_t num_seals;
    bool lacks_seals; /* some block could not be read, or is too long to be */
    fh_chd_toc toc;
    uint32_t num_tracks;
    bool is_disc;
    uint32_t subcode_len;
    uint64_t size; /* that come out */

    uint64_t pos; /* of fh_chd_read */
    SHA_CTX sha1;
    uint32_t num_hashed;
    bool is_checked;
    bool has_lost; /* some hunk, also of padding */
    fh_chd_range lost[FH_CHD_MAX_LOST];
    size_t num_lost;
    uint64_t lost_bytes;
};

/* chd_file.c */

/* fh_chd_say tells a fault: the tally if this is the first of its rule, else NULL. */
fh_tally *fh_chd_say(fh_chd *chd, uint64_t off, const fh_chd_fault *what);

/* fh_chd_refuse refuses the whole file. */
fh_chd_status fh_chd_refuse(fh_chd *chd, uint64_t off, fh_chd_fault what);

/* fh_chd_say_sha1 tells two hashes if they differ. */
void fh_chd_say_sha1(fh_chd *chd, uint64_t off, const char *field, const uint8_t *found,
                     const uint8_t *expected);

/* fh_chd_tag_words shows the tag of a codec; fh_chd_write_hex needs 2 * len + 1 bytes. */
fh_value fh_chd_tag_words(uint32_t tag, char text[8]);
void fh_chd_write_hex(char *out, const uint8_t *bytes, size_t len);
bool fh_chd_is_zero(const uint8_t *bytes, size_t len);

/* fh_chd_has tells whether the file has these bytes, fh_chd_read_file reads such; false, and told,
 * if they cannot be read. */
bool fh_chd_has(const fh_chd *chd, uint64_t off, uint64_t len);
bool fh_chd_read_file(fh_chd *chd, uint64_t off, uint8_t *out, size_t len);

/* chd_content.c */

/* fh_chd_read_metadata reads the tracks, fh_chd_lay_out says what comes out where. */
void fh_chd_read_metadata(fh_chd *chd);
void fh_chd_lay_out(fh_chd *chd, bool with_subcode);

/* fh_chd_frame_len returns the bytes that come out for a frame of a track. */
uint64_t fh_chd_frame_len(const fh_chd *chd, const fh_chd_track *track);

/* chd_hunk.c */

/* fh_chd_load brings a hunk to chd->hunk; false: no memory. A row of hunks that refer to the same
 * one costs no more than one of them. fh_chd_held_is_lost: zeros stand there. */
bool fh_chd_load(fh_chd *chd, uint32_t index);
bool fh_chd_held_is_lost(const fh_chd *chd);

#endif
