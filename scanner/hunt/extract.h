/* The bytes of assets that an earlier scan found, read again from their sources, which may be
 * members of containers: these are walked through again up to there.
 *
 * All assets of a file, and of all members in it, are taken out in one pass. Their bytes are held
 * from the first to the last of each, so memory is bounded by FH_EXTRACT_MAX_OPEN: an asset that
 * would go beyond waits for another pass. Only assets that overlap can do that.
 */
#ifndef FH_HUNT_EXTRACT_H
#define FH_HUNT_EXTRACT_H

#include "core/record.h"
#include "source/layout.h"
#include "source/tape.h"

typedef struct fh_extract_wish {
    const char *path;
    fh_layout_choice layout;
    const fh_piece_record *pieces; /* of user data, which may lie in several sectors; they tile the
                                      asset */
    size_t num_pieces;             /* at least 1 */
} fh_extract_wish;

/* fh_extract reads all pieces into out. false, and a reason in why, when the source cannot be
 * read or ends before. */
bool fh_extract(uint8_t *out, const fh_extract_wish *wish, char *why, size_t why_size) FH_MUST_USE;

/* fh_extract_matches compares the SHA-256 of bytes with one in lower-case hexadecimal. */
bool fh_extract_matches(const uint8_t *bytes, size_t len, const char *sha256) FH_MUST_USE;

typedef struct fh_extract_asset {
    const fh_piece_record *pieces; /* borrowed; they tile the asset */
    size_t num_pieces;             /* at least 1 */
    size_t len;                    /* 1 to FH_MAX_ASSET_LEN */
    bool is_over;                  /* was handed out, or told as lost; false at the start */
} fh_extract_asset;

typedef struct fh_extract_source {
    const char *path; /* borrowed */
    fh_layout_choice layout;
    fh_extract_asset *assets; /* borrowed */
    size_t num_assets;
} fh_extract_source;

typedef enum fh_extract_loss {
    FH_EXTRACT_UNREADABLE = 0, /* the file, or what is there is not what was scanned */
    FH_EXTRACT_LIMIT           /* a limit, or memory, ended it */
} fh_extract_loss;

/* Each asset is told once, by one of the two, unless the work ends before. */
typedef struct fh_extract_sink {
    void *user;
    /* false ends the work. bytes are borrowed for the call. */
    bool (*asset)(void *user, const fh_extract_asset *asset, const uint8_t *bytes);
    void (*lost)(void *user, const fh_extract_asset *asset, fh_extract_loss loss, const char *why);
    fh_stop stop;
} fh_extract_sink;

/* fh_extract_file_len returns how many bytes of the path of a source name its file: all, or those
 * before one of the `!/` in it. The file is one that can be read to an end, regular or a block
 * device. 0: there is none. */
size_t fh_extract_file_len(const char *path);

/* fh_extract_all takes the assets of sources out of the file at path, in which all of them lie. The
 * paths of the sources rise and differ (strcmp). */
void fh_extract_all(const char *path, const fh_extract_source *sources, size_t num_sources,
                    const fh_extract_sink *sink);

#endif
