/* The checks of the text: what is wrong with lines and tokens (CAM0001..CAM0029, CAM0050,
 * CAM0057). */
#ifndef FH_CAM_CHECK_TEXT_H
#define FH_CAM_CHECK_TEXT_H

#include "camerawork/cam_line.h"
#include "core/format.h"

typedef struct cam_text_check {
    const cam_text *text;
    fh_reporter *reporter;
    bool stand_alone;     /* the bytes are a whole file */
    bool ends_file;       /* a file ends where they end */
    bool is_joined;       /* rows may be missing: cam_check_missing tells */
    bool has_half_end;    /* the last row has half a line end: told with CAM0015 */
    bool has_index;       /* of some line before */
    int32_t index;        /* the last one */
    cam_count separators; /* CAM0011 */
    cam_count forms;      /* CAM0012 */
    cam_count margins;    /* CAM0025 */
    cam_rest rest;        /* whether a blank line is one behind the last row */
    cam_count padded;     /* exponents of three digits below 1e100 */
    cam_count two_digits; /* exponents of two digits */
    cam_count other_end;  /* line ends unlike the first */
    cam_count crs;        /* CAM0027 */
    cam_line_end first_end;
    uint32_t num_ends[3]; /* LF, CR LF, CR */
} cam_text_check;

/* cam_check_line judges a line of the asset, or of the file behind it. */
void cam_check_line(cam_text_check *check, const cam_line *line);

/* cam_check_missing tells that rows from index `first` on are missing in front of the line's. */
void cam_check_missing(cam_text_check *check, const cam_line *line, int32_t first);

/* cam_check_fragment tells what is there of a file: rows, and a cut line behind them or NULL. */
void cam_check_fragment(cam_text_check *check, int64_t first, int64_t last, const cam_line *cut);

/* cam_check_tail judges the last line of an asset found inside larger data. */
void cam_check_tail(cam_text_check *check, const cam_line *line);

/* cam_check_stop tells what the text cannot be read on at: a byte, or a line that is too long. At
 * NUL bytes up to the end it returns false: there is nothing to go on with. */
bool cam_check_stop(cam_text_check *check, const cam_line *line);

/* cam_check_limit tells that the budget is spent. */
void cam_check_limit(cam_text_check *check, const cam_line *line);

/* cam_check_nothing tells that there is not even one line; cam_check_half that the last character
 * is cut, in the last line or behind it. */
void cam_check_nothing(cam_text_check *check);
void cam_check_half(cam_text_check *check, const cam_line *last);

/* cam_check_whole tells what is told once a file. */
void cam_check_whole(cam_text_check *check);

#endif
