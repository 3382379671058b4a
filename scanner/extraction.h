/* framehound extract: its parts, and the options that set them.
 *
 * The command (cmd_extract.c) owns the extraction, its store and its folder; the values of the
 * options (extraction_options.c) are borrowed from the arguments. Assets are taken from the store,
 * batch by batch (extraction_batch.c), and written as files (extraction_write.c). What could not be
 * done is told and counted, and the rest is done.
 */
#ifndef FH_SCANNER_EXTRACTION_H
#define FH_SCANNER_EXTRACTION_H

#include "cmd.h"
#include "folder.h"
#include "hunt/extract.h"
#include "reports/out.h"
#include "stored.h"

/* What is known of an asset while its bytes are looked for. */
typedef struct fh_extraction_item {
    int64_t id;
    char sha256[2 * FH_SHA256_LEN + 1];
    fh_piece_record *pieces; /* owned */
} fh_extraction_item;

/* Assets of one file, in the order of their sources. */
typedef struct fh_extraction_batch {
    char *file;                 /* owned; NULL: the batch is empty */
    fh_extraction_item *items;  /* owned; FH_EXTRACT_MAX_ASSETS */
    fh_extract_asset *assets;   /* owned; as many, one for each item */
    fh_extract_source *sources; /* owned; as many; their paths are owned, too */
    size_t num_assets;
    size_t num_sources;
    size_t num_pieces;
} fh_extraction_batch;

typedef struct fh_extraction {
    const char *directory;
    const char *formats;
    const char *ids;
    size_t grade; /* index of the lowest, 0: any */
    bool is_dry;
    fh_store *store;
    fh_folder folder;
    fh_extraction_batch batch;
    uint64_t num_written; /* or would be */
    uint64_t num_there;
    uint64_t num_failed;
    fh_out out;
    fh_exit exit;
    bool is_over; /* the store failed, or nobody reads what is printed */
} fh_extraction;

/* ---- options (extraction_options.c) ---- */

/* fh_extraction_help prints what the command is for. */
fh_exit fh_extraction_help(void);

/* fh_extraction_options takes all options; the database is then argv[optind]. */
fh_exit fh_extraction_options(fh_extraction *run, int argc, char **argv);

/* fh_extraction_wants tells whether the options ask for an asset; user is the fh_extraction. */
bool fh_extraction_wants(void *user, int64_t id, const char *format, const char *grade);

/* ---- bytes (extraction_batch.c) ---- */

/* fh_extraction_all reads the assets with these numbers again, which the store lists in the order
 * of their sources, and writes those that are the same. false, and told: there was no memory for
 * any. */
bool fh_extraction_all(fh_extraction *run, const int64_t *ids, size_t num_ids);

/* ---- files (extraction_write.c) ---- */

/* fh_extraction_write writes an asset and, beside it, what is known of it, and tells what became of
 * it. Both are there in the end, or what was written is taken back. */
void fh_extraction_write(fh_extraction *run, const fh_stored_asset *asset, const uint8_t *bytes);

/* fh_extraction_lose tells and counts an asset that is not written. */
void fh_extraction_lose(fh_extraction *run, const char *path, int64_t id, fh_exit exit,
                        const char *why);

/* fh_extraction_fail only counts it. */
void fh_extraction_fail(fh_extraction *run, fh_exit exit);

/* fh_extraction_store_failed complains about the database and ends the extraction. */
void fh_extraction_store_failed(fh_extraction *run);

#endif
