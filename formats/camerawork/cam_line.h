/* Lines of a camerawork text, and what is wrong with each by itself.
 *
 * A line is read once: its columns are found, and each is read as the number that it should be. The
 * first thing wrong with a column is noted beside it; nothing is told here.
 */
#ifndef FH_CAM_LINE_H
#define FH_CAM_LINE_H

#include "camerawork/cam_model.h"

/* What a line ends with. */
typedef enum cam_line_end {
    CAM_ENDS_LF = 0,
    CAM_ENDS_CRLF,
    CAM_ENDS_CR,
    CAM_ENDS_BYTES,   /* the bytes end */
    CAM_ENDS_CONTROL, /* a control byte that no line can hold; it is not part of the line */
    CAM_ENDS_HIGH,    /* likewise a byte above 127 */
    CAM_ENDS_LONG,    /* it goes on for too long */
    CAM_ENDS_LIMIT    /* the budget is spent */
} cam_line_end;

typedef struct cam_column {
    fh_token token;
    enum cam_rule rule;   /* what is wrong with it by itself; CAM_NUM_RULES: nothing */
    bool is_bad;          /* the row cannot be used */
    bool is_plain;        /* in the form that the program writes */
    bool is_padded;       /* a plain number with a third digit of the exponent for nothing */
    bool is_short;        /* a plain number with two digits of the exponent */
    bool has_form;        /* has a point or an exponent, or the run-time's # of numbers that are
                             none: no integer */
    bool is_out_of_float; /* CAM0021 */
} cam_column;

/* Something that is told once a file: where it was first, and how often. */
typedef struct cam_count {
    uint32_t num;
    uint32_t line;
    uint32_t column;
    size_t off;
} cam_count;

typedef struct cam_line {
    uint32_t number; /* from 0 */
    cam_line_end ends;
    size_t off;
    size_t text_end; /* behind its last column, or its start */
    size_t end;      /* behind the line end, if it has one */
    cam_column columns[CAM_COLUMNS];
    cam_count separators; /* that are not one blank */
    cam_count margins;    /* blanks at its beginning or end */
    cam_row row;          /* where is_row says so */
    unsigned num_columns; /* more than CAM_COLUMNS are counted only */
    bool may_go_on;       /* with more bytes the line could be longer, or its end another one */
    bool is_row;          /* 25 columns that can be used; row then holds them */
} cam_line;

/* A text, from its first line on. */
typedef struct cam_text {
    fh_scan scan;
    fh_budget *budget;
    size_t bom_len;
    uint32_t line; /* of the next line, from 0 */
} cam_text;

/* cam_text_begin finds out how the text is encoded. bytes.pos is 0. */
void cam_text_begin(cam_text *text, fh_cursor bytes, fh_budget *budget);

/* cam_text_at_end tells whether no whole character is left. */
bool cam_text_at_end(const cam_text *text);

/* cam_text_line reads the next line. */
void cam_text_line(cam_text *text, cam_line *line);

/* cam_text_is_padding tells whether nothing but NUL bytes follows an offset of the text, up to its
 * end. The bytes that are looked at are paid for; where the budget is spent it is not known, which
 * *is_spent tells. */
bool cam_text_is_padding(const cam_text *text, size_t off, bool *is_spent);

/* What is known of the end of a text: whether nothing but blank lines and padding follows, for all
 * offsets below `end`. 0 at first. */
typedef struct cam_rest {
    size_t end;
    bool is_empty;
    bool is_spent; /* it is not known: the budget is spent */
} cam_rest;

/* cam_text_is_over tells whether nothing but blank lines, and NUL bytes up to the end, follows an
 * offset. For offsets that rise each byte is looked at, and paid for, once; false where the budget
 * is spent. */
bool cam_text_is_over(cam_rest *known, const cam_text *text, size_t off);

/* cam_text_skip goes behind the end of the line in which cam_text_line stopped. */
void cam_text_skip(cam_text *text);

/* cam_line_has_end tells whether the line has a line end. */
bool cam_line_has_end(const cam_line *line);

/* cam_line_is_blank tells whether nothing but blanks is in it. */
bool cam_line_is_blank(const cam_line *line);

/* cam_line_is_comment tells whether it begins with what no column begins with. */
bool cam_line_is_comment(const cam_text *text, const cam_line *line);

/* cam_line_index gives the line's index if its first column is one. */
bool cam_line_index(const cam_line *line, int32_t *index);

/* cam_line_fault returns the first thing that keeps a line that is no row from being one, and its
 * offset. The budget was not spent on it. */
enum cam_rule cam_line_fault(const cam_text *text, const cam_line *line, size_t *off);

#endif
