/* The hunt: every asset of a source, found, verified, replayed and told.
 *
 * One source at a time, in one pass. Each stream of the source has a window; every place that the
 * formats' magic allows is probed, and what a format accepts is examined and handed to the sink as
 * an asset record, then its findings. Nothing here knows a format from the inside, SQL, or output.
 *
 * Overlap: the search goes on inside an accepted asset. A reading that ends inside it is taken for
 * payload and counted (RUN0003); one that goes past its end is an asset of its own with a warning
 * (RUN0004).
 */
#ifndef FH_HUNT_HUNT_H
#define FH_HUNT_HUNT_H

#include "core/format.h"
#include "core/record.h"
#include "hunt/crew.h"
#include "hunt/exam.h"
#include "source/layout.h"
#include "source/reader.h"

#include <stdbool.h>

/* Bits of evidence that an asset must have unless the user says otherwise. The README says how it
 * was measured: tests/e2e/bench_evidence.py. */
#define FH_MIN_EVIDENCE 48u

typedef struct fh_hunt_progress {
    int64_t bytes; /* of the source, done */
    int64_t size;  /* FH_UNKNOWN for a pipe */
    int64_t assets;
} fh_hunt_progress;

typedef struct fh_hunt_options {
    const fh_format *const *formats;
    size_t num_formats;
    fh_layout_choice layout;
    uint32_t min_evidence; /* bits that an asset must have; see FH_MIN_EVIDENCE */
    bool every_offset;     /* not only those at a format's alignment */
    bool replay;
    bool skips_hash;    /* the SHA-256 of sources is not wanted */
    bool is_helped;     /* a thread may do what the search need not wait for */
    bool check_sectors; /* EDC and ECC of all sectors, not only of those that assets lie on */
    bool as_it_lies;    /* containers are searched and not entered */
    bool has_address;   /* plain sources are memory whose first byte lay at: */
    uint32_t address;
    size_t max_memory; /* bytes that examining a candidate may take; 0: what its length allows */
    /* Threads that examine what was found while the search goes on; NULL: it waits for each. What
     * is told is the same. */
    fh_crew *crew;
    void *user;
    /* Examines a candidate in the stead of fh_exam_run, such as in another process; may be NULL.
     * self: of the thread of the crew that it is called in, NULL in the thread of the search.
     * FH_EXAM_LOST: *lost says why, as a finding without an offset. */
    fh_exam_end (*examine)(void *user, void *self, fh_exam *exam, fh_finding *lost,
                           const fh_format *format, fh_cursor bytes,
                           const fh_exam_options *options);
    /* Whether an image that a control file names is to be searched; may be NULL: all are. */
    bool (*wants_image)(void *user, const char *path);
    bool (*stop)(void *user);                                       /* may be NULL */
    void (*progress)(void *user, const fh_hunt_progress *progress); /* may be NULL */
} fh_hunt_options;

/* Where records go. coverage gets the runs of sectors of a source in their order, then the sums of
 * those that had no room, all behind the last asset; it may be NULL. asset stores in *handle what
 * findings of the asset are to call it. The records of an asset come in one piece: the asset, then
 * its findings. A false return ends the hunt. */
typedef struct fh_hunt_sink {
    void *user;
    bool (*asset)(void *user, const fh_asset_record *asset, int64_t *handle);
    bool (*finding)(void *user, const fh_finding_record *finding);
    bool (*coverage)(void *user, const fh_coverage_record *coverage);
    /* Behind all assets of a source that turned out to be a part of a memory: those without an
     * address of their own lay in main RAM at FH_RAM_BASE + (base + raw_offset) modulo 8 MiB, as
     * far as that is below FH_RAM_LEN. May be NULL. */
    bool (*base)(void *user, uint32_t base);
    /* In front of each asset: the examination that it comes from, whose bytes are there until the
     * findings of the asset have been told. May be NULL. */
    void (*examined)(void *user, const fh_exam *exam);
} fh_hunt_sink;

typedef enum fh_hunt_status {
    FH_HUNT_OK = 0,
    FH_HUNT_UNREADABLE, /* not a byte of it could be read; nothing was told to the sink */
    FH_HUNT_PARTIAL,    /* it was not read as a whole, or changed meanwhile; see error */
    FH_HUNT_STOPPED,    /* by options->stop */
    FH_HUNT_SINK,       /* by the sink */
    FH_HUNT_NO_MEMORY
} fh_hunt_status;

/* What is known of the source after the hunt; owned by the caller. */
typedef struct fh_hunt_source {
    fh_source_record record; /* its pointers lead into this struct, or to constants */
    uint8_t sha256[FH_SHA256_LEN];
    char error[160];  /* why it is not whole, empty when it is */
    bool hit_limit;   /* some asset or candidate met a limit */
    int64_t num_weak; /* readings that had too little evidence to be assets */
} fh_hunt_source;

/* fh_hunt_reader searches what a reader yields, from its first byte on, under the name of path. */
fh_hunt_status fh_hunt_reader(fh_hunt_source *source, const char *path, fh_reader *reader,
                              const fh_hunt_options *options, const fh_hunt_sink *sink) FH_MUST_USE;

/* Called around the records of each source: begin, its records, end. false ends the work. The
 * path is record.path, and lives until end has returned. */
typedef struct fh_hunt_visitor {
    void *user;
    bool (*begin)(void *user, const char *path);
    bool (*end)(void *user, const fh_hunt_source *source, fh_hunt_status status);
} fh_hunt_visitor;

/* fh_hunt_all searches everything at path: the file, or what is in it if it is a container (see
 * source/opener.h). *num_left_out: links and devices in containers. */
void fh_hunt_all(int64_t *num_left_out, const char *path, const fh_hunt_options *options,
                 const fh_hunt_sink *sink, const fh_hunt_visitor *visitor);

/* fh_hunt_bytes does so for bytes in memory that are called by the path; no file is opened. They
 * stay the caller's. */
void fh_hunt_bytes(int64_t *num_left_out, const char *path, const uint8_t *bytes, size_t len,
                   const fh_hunt_options *options, const fh_hunt_sink *sink,
                   const fh_hunt_visitor *visitor);

/* fh_hunt_run searches the bytes of path ("-" = standard input) as they lie. */
fh_hunt_status fh_hunt_run(fh_hunt_source *source, const char *path, const fh_hunt_options *options,
                           const fh_hunt_sink *sink) FH_MUST_USE;

/* fh_finding_to_record turns a finding into a record; message (FH_MESSAGE_LEN) receives its text.
 * raw_offset is where the asset's first byte or FH_UNKNOWN; the caller may change it. */
fh_finding_record fh_finding_to_record(const fh_finding *finding, char message[FH_MESSAGE_LEN]);

#endif
