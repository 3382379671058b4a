/* Inside of the readers of sheets: what its files share. */
#ifndef FH_SOURCE_SHEET_IMPL_H
#define FH_SOURCE_SHEET_IMPL_H

#include "source/sheet.h"

/* A run of characters of the sheet. */
typedef struct fh_word {
    const char *at;
    size_t len;
} fh_word;

/* The lines of a text, one after the other. */
typedef struct fh_lines {
    const char *text; /* borrowed */
    size_t len;
    size_t pos;     /* of the line behind the one that was read */
    int64_t number; /* of the line that was read, from 1 */
    int64_t off;    /* where it begins */
} fh_lines;

/* fh_lines_make begins in front of the first line; a byte order mark of UTF-8 is passed over. */
fh_lines fh_lines_make(const fh_cursor *bytes);

/* fh_lines_next gives the next line without blanks at both ends; false at the end. */
bool fh_lines_next(fh_lines *lines, fh_word *line) FH_MUST_USE;

/* fh_word_next takes the next word off a line: up to a blank, or what stands in quotes. Behind the
 * last one it is empty and at NULL. An open quote ends with the line and sets *is_open, which may
 * be NULL. */
fh_word fh_word_next(fh_word *line, bool *is_open);

/* fh_word_is compares in any case. */
bool fh_word_is(fh_word word, const char *name);

/* fh_word_number reads a decimal number up to most, or a hexadecimal one behind 0x; false if it is
 * something else. */
bool fh_word_number(int64_t *out, fh_word word, int64_t most) FH_MUST_USE;

/* fh_word_text writes a word for a finding; bytes that are no characters of ASCII become '?'. */
void fh_word_text(fh_text *out, fh_word word);

/* fh_sheet_fault adds a fault with the line and the word at fault, and what was expected. */
void fh_sheet_fault(fh_tallies *faults, fh_image_rule rule, const fh_lines *lines, fh_word word,
                    const char *expected);

/* fh_sheet_add_file begins a file with a name; NULL if there are too many. */
fh_sheet_file *fh_sheet_add_file(fh_sheet *sheet, fh_word name, int64_t at);

/* fh_sheet_add_part adds a part to the last file. false: there are too many. */
bool fh_sheet_add_part(fh_sheet *sheet, const fh_track_part *part) FH_MUST_USE;

/* fh_sheet_tell_format adds IMG0027 with the name of a format. */
void fh_sheet_tell_format(fh_tallies *faults, int64_t off, const char *name);

bool fh_cue_is(const fh_cursor *bytes);
void fh_cue_read(fh_sheet *sheet, const fh_cursor *bytes, fh_tallies *faults);

bool fh_ccd_is(const fh_cursor *bytes);
void fh_ccd_read(fh_sheet *sheet, const fh_cursor *bytes, fh_tallies *faults);

bool fh_mds_is(const fh_cursor *bytes);
void fh_mds_read(fh_sheet *sheet, const fh_cursor *bytes, fh_tallies *faults);

#endif
