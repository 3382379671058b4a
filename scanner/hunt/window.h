/* The window: the part of a stream that is being searched, and where its bytes come from.
 *
 * Bytes are appended at the end and dropped at the front. The window grows as long as a candidate
 * needs more bytes to be decided, at most to the longest asset and a chunk; otherwise it stays
 * within FH_READER_WINDOW, whatever the size of the source.
 */
#ifndef FH_HUNT_WINDOW_H
#define FH_HUNT_WINDOW_H

#include "core/memo.h"
#include "source/codes.h"
#include "source/stream.h"

/* A run of bytes that lie one behind the other in the source as in the stream. */
typedef struct fh_run {
    int64_t stream_off;
    int64_t user_off;
    int64_t raw_off;
    int64_t lba;
    int64_t skipped;     /* sectors of other streams that lie before this run */
    int64_t repeated;    /* copies of sectors that were left out before it */
    int64_t damaged_lba; /* what the wrong address of its sector should be, or FH_UNKNOWN */
    int64_t main_off;    /* see fh_piece */
    fh_sector_claim claim;
} fh_run;

/* What a sector has around its user data: enough to check its codes when an asset lies on it. No
 * sector that has codes has more before its data than sync, header and subheaders, nor more behind
 * them than Mode 1 (section 2 of the image format sheet). */
#define FH_FRAME_HEAD ((size_t)24)
#define FH_FRAME_TAIL ((size_t)288)

typedef struct fh_frame {
    fh_sector_kind kind; /* FH_SECTOR_NO_SYNC: nothing that could be checked */
    size_t head_len;
    size_t data_len;
    size_t tail_len;
    uint8_t head[FH_FRAME_HEAD];
    uint8_t tail[FH_FRAME_TAIL];
    bool is_checked;
    fh_codes codes; /* once it is */
} fh_frame;

typedef struct fh_window {
    uint8_t *bytes; /* owned */
    size_t len;
    size_t max_len;
    int64_t origin;   /* stream offset of bytes[0] */
    fh_run *runs;     /* owned, in rising order */
    fh_frame *frames; /* owned, one a run; NULL where no piece was a sector with codes */
    size_t num_runs;
    size_t max_runs;
    int64_t skipped; /* told and not yet put into a run */
    fh_memo memo;    /* for offsets in the window; its block is owned */
} fh_window;

/* fh_window_init sets the step of the memo: 4 bytes, or 1 if every offset is tried. */
void fh_window_init(fh_window *window, unsigned memo_unit);
void fh_window_free(fh_window *window);

/* fh_window_append adds a piece at the end; false when there is no memory. */
bool fh_window_append(fh_window *window, const fh_piece *piece) FH_MUST_USE;

/* fh_window_skip says that sectors of other streams lie before the next piece. */
void fh_window_skip(fh_window *window, int64_t sectors);

/* fh_window_drop forgets the first num bytes, a multiple of the memo's step, if that is worth
 * moving the rest; of a sector with codes all bytes are kept. Returns how many were forgotten. */
size_t fh_window_drop(fh_window *window, size_t num);

/* fh_window_clear forgets everything: what comes next does not follow what was there. */
void fh_window_clear(fh_window *window);

/* fh_window_cursor covers the bytes from position pos on; its origin is the stream offset. */
fh_cursor fh_window_cursor(const fh_window *window, size_t pos);

/* Where a byte of the stream is in the source. All FH_UNKNOWN if it is not in the window. */
typedef struct fh_place {
    int64_t raw_off, user_off, lba;
} fh_place;
fh_place fh_window_place(const fh_window *window, int64_t stream_off);

/* fh_runs_place is the same for runs in rising order, at least one. */
fh_place fh_runs_place(const fh_run *runs, size_t num_runs, int64_t stream_off);

/* fh_window_runs returns the first of the runs that hold the range, and their number in *num. */
const fh_run *fh_window_runs(const fh_window *window, size_t *num, int64_t stream_off, size_t len);

/* fh_window_is_in_main tells whether the bytes of a range, which the window holds, lie one behind
 * the other among the other data of the source as well. */
bool fh_window_is_in_main(const fh_window *window, int64_t stream_off, size_t len);

/* fh_window_codes checks the sector of a run: index counts from the first run of the window. NULL
 * if it has no codes. What was found is kept, and *is_new tells whether it is found now. */
const fh_codes *fh_window_codes(fh_window *window, size_t index, bool *is_new);

/* fh_window_skipped returns how many sectors of other streams lie inside the range. */
int64_t fh_window_skipped(const fh_window *window, int64_t stream_off, size_t len);

#endif
