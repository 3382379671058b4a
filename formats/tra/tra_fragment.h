/* Fragments: TRA4 texts of which the beginning, the end or both are missing.
 *
 * Text is cut at pages of memory and at sectors, and what stands behind the cut is anything. The
 * beginning of a text (the front) is read as a text is; what was read up to the place where it
 * breaks off is the fragment. What begins further inside is read from the beginning of a whole
 * chunk on, up through the closing parentheses, and ends at the first token that the grammar
 * forbids. Pieces are never joined: nothing says which belong together.
 */
#ifndef FH_TRA_FRAGMENT_H
#define FH_TRA_FRAGMENT_H

#include "tra/tra_parse.h"

/* A fragment is one from this many whole keys on, or with a whole bone. Fewer could be anything. */
#define TRA_LEAST_KEYS 4u

typedef enum tra_part {
    TRA_WHOLE = 0, /* the text is whole, or no fragment either */
    TRA_FRONT,     /* it begins as a text does, and its end is missing */
    TRA_INSIDE     /* its beginning is missing, and perhaps its end */
} tra_part;

/* tra_read_any reads a text, and if there is none but is_carved, what there may be of one; parse is
 * then that of the reading that counts. The bytes may be closed or not (see tra_parse_make). */
tra_part tra_read_any(tra_parse *parse, tra_model *model, tra_check check, fh_cursor bytes,
                      bool is_closed, bool is_carved);

/* tra_read_part reads a text or a fragment again; bytes are closed and, of a fragment, its own. */
void tra_read_part(tra_parse *parse, tra_model *model, tra_check check, fh_cursor bytes,
                   tra_part part);

/* tra_part_len returns the bytes of a fragment, by what tra_read_any read. */
size_t tra_part_len(const tra_parse *parse);

/* tra_tell_part tells that the text is a fragment, and what there is of it (TRA0130). */
void tra_tell_part(const tra_parse *parse, tra_part part);

/* tra_parse_inside reads what begins with the first parenthesis of a chunk, at the start of bytes.
 */
void tra_parse_inside(tra_parse *parse);

/* tra_is_chunk tells whether a keyword begins a chunk that tra_parse_inside can begin with. */
bool tra_is_chunk(const fh_scan *scan, const fh_token *keyword);

/* tra_locate is the locate of the format. */
bool tra_locate(size_t *start, fh_cursor bytes, size_t at);

#endif
