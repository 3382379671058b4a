/* The demultiplexer: from a source and its layout to streams of user data, in one forward pass.
 *
 * A stream is user data of sectors that belong together (image format sheet, section 1.2). Its
 * pieces come in raw order, with every coordinate that a hit may need. Memory does not depend on
 * the source: what the reader has, of which sectors that wait for those behind them are borrowed.
 *
 * Which sector goes where (section 2.1; who claims it, see source/coverage.h):
 *   Mode 1, Mode 2 Form 1, Mode 2 without XA, 2048-byte sectors  -> FH_STREAM_DATA
 *   Form 2 without the audio bit or without legal coding         -> FH_STREAM_FORM2
 *   no sync; a mode byte above 2 that nothing explains; what lies before the first sector and
 *   behind the last one                                          -> FH_STREAM_RAW
 *   XA audio, movies, Mode 0, copies of the sector before        -> left out, and counted
 * Empty sectors (all user bytes equal) are counted and handed out all the same: a run of equal
 * bytes may lie inside an asset, and is searched as fast as it is read. A copy is left out only
 * inside a run of addresses that goes on behind it; a disc whose headers are all alike has no
 * copies. One pass cannot know whether sectors without sync are an audio track, so these are handed
 * out. A sector whose sync is lost loses one sector: those behind it lie in the same step. Behind
 * bytes that were inserted or lost inside the image the sectors are out of step: they stay in RAW.
 *
 * A sector of a (file, channel) pair that is interleaved with others goes into a stream of its pair
 * besides, if the sink wants it so (see source/channels.h). One of these streams serves one pair
 * after the other, with a seam between them.
 *
 * Between two pieces of a stream lies nothing, or
 *   a skip: sectors of another stream. An asset may cross it (IMG0071).
 *   a seam: a place that no asset may cross (IMG0072).
 * A stream that had no piece since its last seam gets no further seam or skip.
 */
#ifndef FH_SOURCE_STREAM_H
#define FH_SOURCE_STREAM_H

#include "source/channels.h"
#include "source/coverage.h"
#include "source/layout.h"
#include "source/reader.h"

typedef enum fh_stream {
    FH_STREAM_PLAIN = 0, /* a whole source that is no image */
    FH_STREAM_DATA,
    FH_STREAM_FORM2,
    FH_STREAM_RAW,
    FH_STREAM_FILE, /* a file of the directory that lies in no other stream in a row: file_stream.h
                     */
    FH_STREAM_CHANNEL, /* the first of those of a (file, channel) pair that is interleaved */
    FH_STREAM_NUM = FH_STREAM_CHANNEL + FH_MAX_CHANNELS
} fh_stream;

/* Units: bytes, but for lba. user_off counts from the image's first sector, whose index is 0:
 *   PLAIN: equal to raw_off                 DATA: 2048 * index + j (also in 2048-byte images, so
 *   FORM2: 2324 * index + j                       that a disc has the same offsets in all layouts)
 *   RAW: FH_UNKNOWN                         DATA without XA: 2336 * index + j
 *   FILE and CHANNEL: as in the stream that the sector belongs to by its form
 * where j counts from the first byte of the sector's user data. */
typedef struct fh_piece {
    fh_stream stream;
    int64_t stream_off; /* position in the stream, without gaps from 0 on, also across seams */
    int64_t user_off;
    int64_t raw_off;
    int64_t lba; /* of the sector, or FH_UNKNOWN */
    /* In FILE and CHANNEL: bytes whose main_off follow each other without a gap do so in
     * FH_STREAM_DATA, too, and are found there. */
    int64_t main_off;
    const uint8_t *bytes; /* borrowed for the call */
    size_t len;           /* never 0; at most FH_READER_CHUNK, and for DATA and FORM2 one sector */
    fh_sector_claim claim;
    int64_t repeated; /* copies of sectors that were left out before this one */
    /* If its header's address is wrong inside a run that goes on: the LBA that it should be, else
     * FH_UNKNOWN. */
    int64_t damaged_lba;
    struct {
        fh_sector_kind kind;
        const uint8_t *bytes; /* the whole sector, borrowed; NULL in PLAIN and RAW */
        size_t len;
        size_t data_off; /* of the user data */
        uint8_t file;    /* of the subheader */
        uint8_t channel;
    } sector;
} fh_piece;

typedef enum fh_seam_reason {
    FH_SEAM_JUMP = 0, /* the LBA jumps: sectors are missing */
    FH_SEAM_KIND,     /* the track is of another kind from here on */
    FH_SEAM_LAYOUT,   /* the sector layout is lost, or found again */
    FH_SEAM_TRACK,    /* a track ends, as a control file says */
    FH_SEAM_CHANNEL,  /* a pair is interleaved no more */
    FH_SEAM_FILE,     /* a file of the directory ends */
    FH_SEAM_LIMIT,    /* the reader gives up what it holds; never told by the streams themselves */
    FH_SEAM_END       /* the source ends, or could not be read further */
} fh_seam_reason;

/* The end of a memory is FH_SEAM_END, though the file may go on behind it.
 * fh_seam_name returns a reason as words, such as "missing sectors". */
const char *fh_seam_name(fh_seam_reason reason);

typedef struct fh_seam {
    fh_stream stream;
    fh_seam_reason reason;
    int64_t stream_off; /* of the first byte behind the seam */
    int64_t raw_off;    /* of what ends the stream: a sector, or the end of what was read */
    int64_t lba;        /* of that sector, or FH_UNKNOWN */
} fh_seam;

/* All but piece may be NULL. Arguments are borrowed for the call. */
typedef struct fh_stream_sink {
    void *user;
    void (*piece)(void *user, const fh_piece *piece);
    void (*seam)(void *user, const fh_seam *seam);
    void (*skip)(void *user, fh_stream stream, int64_t sectors); /* before the piece behind it */
    /* Image findings: each rule at most once, when all is read. Their offset is the raw offset of
     * the first place; the context says how many there are. */
    void (*finding)(void *user, const fh_finding *finding);
    bool (*stop)(void *user); /* polled for each chunk: true ends the work */
    fh_coverage *coverage;    /* grows before the piece of a sector is handed out */
    /* Every sector of an image, before its piece, wherever it goes. bytes cover all of it, their
     * origin is its raw offset; lba as in the piece. */
    void (*sector)(void *user, const fh_sector *sector, const fh_cursor *bytes, int64_t lba);
    bool has_channels; /* it wants the streams of pairs that are interleaved */
} fh_stream_sink;

typedef enum fh_source_status {
    FH_SOURCE_OK = 0,
    FH_SOURCE_READ_ERROR, /* the reader says which; what came before it was handed out */
    FH_SOURCE_STOPPED,
    FH_SOURCE_NO_MEMORY
} fh_source_status;

/* What became of the sectors: for reports that account for all of them. */
typedef struct fh_source_counts {
    int64_t sectors; /* whole ones, and one that is cut */
    int64_t kinds[FH_SECTOR_NUM_KINDS];
    int64_t xa_audio; /* those of FH_SECTOR_FORM2 that are XA audio */
    int64_t bytes[FH_STREAM_NUM];
} fh_source_counts;

/* fh_source_stream reads the source to its end and hands out its streams. counts may be NULL. Where
 * reader->tracks says which tracks the image has, audio is left out (IMG0024), nothing crosses the
 * end of a track, sectors without headers get their LBA from it, and it is held against the content
 * (IMG0022, IMG0023, IMG0026, IMG0091). */
fh_source_status fh_source_stream(fh_reader *reader, fh_source_counts *counts,
                                  const fh_layout *layout, const fh_stream_sink *sink) FH_MUST_USE;

#endif
