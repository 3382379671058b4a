/* framehound scan: its parts, and the options that set them. */
#ifndef FH_SCANNER_SCAN_H
#define FH_SCANNER_SCAN_H

#include "claims.h"
#include "cmd.h"
#include "gate/lists.h"
#include "haul.h"
#include "hunt/hunt.h"
#include "met.h"
#include "nursery.h"
#include "progress.h"
#include "reports/scan_text.h"
#include "ring.h"
#include "source/iso9660.h"
#include "stored.h"

#include <stdatomic.h>

/* An asset whose line waits until its findings are counted. */
typedef struct fh_pending {
    bool is_open;
    fh_asset_record record;         /* without its hashes */
    char iso_path[FH_ISO_MAX_PATH]; /* what the record leads to */
    char format[32];
    char grade[32];
    int64_t handle;
    fh_counts counts;
} fh_pending;

typedef struct fh_scan_run {
    fh_store *store;
    const char *db_path;
    fh_hunt_options hunt;
    const fh_format *formats[FH_MAX_RULE_TABLES];
    fh_progress_mode progress_mode;
    fh_progress progress;
    fh_fail_on fail_on;
    fh_scan_text text;
    const char *path;    /* of the open source */
    fh_scan_text before; /* as it was when the source was opened */
    int64_t num_links;   /* in containers, left out */
    fh_claims claims;
    uint32_t num_jobs; /* 0: as many as there are processors */
    fh_ring *ring;
    const char *manifest; /* NULL: none */
    bool null;            /* names of the manifest end with a zero byte */
    fh_list list;         /* of it */
    uint32_t shard;       /* from 1; 0: all sources */
    uint32_t num_shards;
    bool wants_resume;
    fh_resumed resumed;
    fh_met met;
    int64_t num_places;  /* files of the walk so far, whosever they are */
    int64_t num_skipped; /* that an earlier run was done with */
    bool had_trouble;    /* with the open file: it is to be tried again */
    bool was_cut_off;    /* a walk was: there may be more files than were met */
    const char *shown;   /* path whose progress is shown; compared, not read */
    fh_pending pending;
    fh_counts source_counts;
    bool has_cells; /* --worker */
    fh_nursery_options cells;
    fh_nursery *nursery; /* NULL: candidates are examined in this process */
    fh_cell cell;        /* of the caller's thread */
    fh_exit exit;
    bool is_over;           /* the store failed or the user interrupted */
    atomic_bool is_stopped; /* workers are told so */
} fh_scan_run;

/* fh_scan_help prints what the command is for. */
fh_exit fh_scan_help(void);

/* fh_scan_options takes all options; the sources are then argv[optind] and what follows. */
fh_exit fh_scan_options(fh_scan_run *run, int argc, char **argv);

/* fh_scan_describe says what the results depend on, for the scan table; the same for every way of
 * giving the options. */
void fh_scan_describe(const fh_scan_run *run, fh_text *out);

/* fh_scan_no_memory complains and ends the scan; returns false. */
bool fh_scan_no_memory(fh_scan_run *run);

/* ---- the walk (scan_files.c) ---- */

/* fh_scan_finds_nothing tells whether there is nothing at all where the sources should be, and no
 * database either that would say what was there: then none is made. */
bool fh_scan_finds_nothing(const fh_scan_run *run);

/* fh_scan_look finds the images that control files among the sources name, before any is searched.
 */
void fh_scan_look(fh_scan_run *run);

/* fh_scan_walk searches everything that is listed; false: it was ended before, or not all of it was
 * met. */
bool fh_scan_walk(fh_scan_run *run);

/* ---- the record (scan_record.c) ---- */

/* fh_scan_sink and fh_scan_visitor record in the database what the hunt tells, and print it. */
fh_hunt_sink fh_scan_sink(fh_scan_run *run);
fh_hunt_visitor fh_scan_visitor(fh_scan_run *run);

/* fh_scan_unreadable tells and records a source of which nothing could be read; what is known of it
 * from an earlier scan stays. */
void fh_scan_unreadable(fh_scan_run *run, const char *path, const char *why);

/* fh_scan_store_failed complains about the database and ends the scan. */
void fh_scan_store_failed(fh_scan_run *run);

/* fh_scan_progress shows progress. A failure of the store is sticky and is told when the source
 * ends.
 */
void fh_scan_progress(fh_scan_run *run, const fh_hunt_progress *progress);

#endif
