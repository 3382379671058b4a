/* Telling: what the hunt has found, on its way to the sink as records. Internal to the hunt.
 *
 * An asset may lie in several parts of its source. Whoever tells one says where its bytes are; the
 * findings of the last examination follow it, each with its place in the source.
 */
#ifndef FH_HUNT_TELL_H
#define FH_HUNT_TELL_H

#include "hunt/base.h"
#include "hunt/damage.h"
#include "hunt/exam.h"
#include "hunt/hold.h"
#include "hunt/hunt.h"
#include "hunt/join.h"
#include "hunt/misses.h"
#include "hunt/naming.h"
#include "hunt/twice.h"
#include "hunt/window.h"
#include "source/memory.h"

/* What is sound, but so small that chance makes such things: it is counted, and not told as assets.
 * The best one has the most evidence, and of those with as much the smallest offset. */
typedef struct fh_weak {
    int64_t num;
    uint32_t bits;
    int64_t raw_off;
    const fh_format *format;
} fh_weak;

/* What waits to be told; see hunt/ahead.h. */
typedef struct fh_ahead_item fh_ahead_item;

typedef struct fh_ahead {
    fh_ahead_item *first; /* owned, a list */
    fh_ahead_item *last;
    size_t num;
    size_t num_assets;
    size_t len; /* bytes of the assets */
} fh_ahead;

/* What the tracks of a source share. */
/* Places that were given up, between two offsets in the source. */
typedef struct fh_starved {
    int64_t num;
    int64_t from, to;
} fh_starved;

typedef struct fh_hunt {
    const fh_hunt_options *options;
    const fh_hunt_sink *sink;
    fh_hold *hold; /* borrowed; not NULL: assets and findings go there */
    const char *path;
    const struct fh_sights *sights; /* borrowed; NULL: nobody looks ahead */
    fh_coverage *coverage;          /* borrowed */
    fh_damage *damage;              /* borrowed */
    fh_exam exam;
    fh_budget reserve; /* of all assets of the source */
    fh_ahead ahead;
    fh_naming naming;
    fh_join join;
    fh_twice twice;
    size_t channel_bytes;     /* in the windows of interleaved pairs */
    int64_t num_channel_cuts; /* how often they were too many */
    int64_t num_assets;
    fh_misses near_misses; /* whose structure broke */
    fh_misses cut;         /* which a seam cut off */
    fh_misses ended;       /* which the end of a memory, or of a page of it, cut off */
    fh_weak weak;
    int64_t num_too_long;
    int64_t num_lost[3]; /* candidates that were given up, from FH_RUN0030 on */
    int64_t num_starved; /* candidates given up because the work for the search was spent */
    fh_starved starved;  /* of these, those that are not told one by one */
    fh_memory memory;    /* the main RAM that is searched; its product is NULL: it is none */
    fh_base_poll poll;   /* of a plain source that is not known to be memory */
    bool is_plain;       /* such a source */
    int64_t source_len;  /* or FH_UNKNOWN */
    bool hit_limit;
    const fh_format *at_start; /* of what begins at byte 0 of a plain source, or NULL */
    bool sink_failed;
    bool is_stopped; /* by the user */
    bool no_memory;
} fh_hunt;

/* A part of an asset: len bytes of it from offset `at` on lie at stream_off. */
typedef struct fh_lie {
    int64_t at;
    int64_t stream_off;
    size_t len;
    const fh_run *runs; /* of the stream there, borrowed */
    size_t num_runs;
    fh_second in; /* the stream; not needed where there are several parts */
} fh_lie;

/* fh_hunt_is_stopped tells whether the user wants the work to end; once said it stays so.
 * fh_hunt_is_over tells whether it has to end for any reason. */
bool fh_hunt_is_stopped(fh_hunt *hunt);
bool fh_hunt_is_over(fh_hunt *hunt);

/* fh_hunt_try examines a candidate, in any thread: it looks at nothing but the options of the hunt.
 * self is that of fh_hunt_options; lost is filled in where the candidate is. fh_hunt_examined tells
 * the hunt how it ended, in the turn of the candidate; as fh_hunt_examine does. */
fh_exam_end fh_hunt_try(const fh_hunt *hunt, void *self, fh_exam *exam, fh_finding *lost,
                        const fh_format *format, fh_cursor bytes, const fh_exam_options *options);
bool fh_hunt_examined(fh_hunt *hunt, fh_exam_end end, const fh_finding *lost,
                      const fh_format *format, int64_t raw_off) FH_MUST_USE;

/* fh_hunt_examine does both. false: the hunt is over, or the candidate is
 * lost, which is told of the place where it begins. */
bool fh_hunt_examine(fh_hunt *hunt, const fh_format *format, fh_cursor bytes,
                     const fh_exam_options *options, int64_t raw_off) FH_MUST_USE;

/* fh_hunt_note_limit notes whether the last examination met a limit. */
void fh_hunt_note_limit(fh_hunt *hunt);

/* fh_hunt_is_memory tells whether main RAM is searched. */
bool fh_hunt_is_memory(const fh_hunt *hunt);

/* fh_hunt_note_weak counts a reading with too little evidence. */
void fh_hunt_note_weak(fh_hunt *hunt, const fh_format *format, uint32_t bits, int64_t raw_off);

/* fh_send_finding hands a record to the sink, or to the hold. */
void fh_send_finding(fh_hunt *hunt, const fh_finding_record *record);

/* fh_tell_finding passes a finding on. handle: of its asset, or FH_UNKNOWN; raw_off: of the place
 * itself. */
void fh_tell_finding(fh_hunt *hunt, const fh_finding *finding, int64_t handle, int64_t raw_off);

/* fh_tell_further says how many findings of the rule were not told, if there were more of them than
 * are listed. */
void fh_tell_further(fh_hunt *hunt, int64_t num, const fh_rule *rule);

/* fh_tell_asset tells the asset of the last examination, and its findings. *handle is what the sink
 * calls it, FH_UNKNOWN if it was told before for another stream. lies are in the order of the
 * asset's bytes and cover all of them. One of several was put together and is recorded with its
 * pieces, even if they lie one behind the other and are only one: whoever reads it again has to
 * know that lines of it may be damaged or missing. So is one of a stream of scattered sectors, if
 * it has more than one. */
void fh_tell_asset(fh_hunt *hunt, int64_t *handle, const fh_format *format, const fh_lie *lies,
                   size_t num_lies, size_t len);

static inline bool fh_is_scattered(fh_stream stream)
{
    return stream == FH_STREAM_FILE || stream >= FH_STREAM_CHANNEL;
}

/* fh_tell_later notes that a stream of scattered sectors has found an asset whose sectors lie in a
 * row, and leaves it to the stream that has them so. */
void fh_tell_later(fh_hunt *hunt, const fh_format *format, const fh_lie *lie);

/* fh_tell_seconds tells which assets were found in a second stream, when all were searched. */
void fh_tell_seconds(fh_hunt *hunt);

#endif
