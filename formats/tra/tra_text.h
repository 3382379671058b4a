/* The tokens of a TRA4 text on their way to the parser: what is wrong with them as text is told
 * here, comments are left out, and whatever ends the text stops the parse.
 */
#ifndef FH_TRA_TEXT_H
#define FH_TRA_TEXT_H

#include "tra/tra_parse.h"

extern const fh_scan_style tra_style;

/* tra_stop stops the parse at a fault and tells it. */
void tra_stop(tra_parse *parse, enum tra_rule rule, fh_status status, const char *field,
              const fh_token *token, fh_value expected);

/* tra_offend notes that the grammar forbids a token, unless it is a word of which the rest may be
 * missing. Reading goes on, but a text that breaks off later ends here; one that is read from its
 * inside ends at once. */
void tra_offend(tra_parse *parse, const fh_token *token);

/* tra_begin reads what comes up to the end of the identification. */
void tra_begin(tra_parse *parse);

/* tra_next reads the next token that is no comment; FH_TOKEN_END when the parse is stopped. */
fh_token tra_next(tra_parse *parse);

/* tra_find_text tells whether a comment holds an identification, and makes it what is left of the
 * comment from the first one on. */
bool tra_find_text(const fh_scan *scan, fh_token *comment);

/* tra_finish reads what belongs to the text behind the last parenthesis: a comment, a line end. */
void tra_finish(tra_parse *parse);

static inline bool tra_is_mark(const fh_token *token, char mark)
{
    return token->kind == FH_TOKEN_MARK && token->mark == (uint16_t)mark;
}

#endif
