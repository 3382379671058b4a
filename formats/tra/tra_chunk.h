/* Chunks on their way through the parser: what all of them have in common.
 *
 * A container is read child by child, a chunk with parameters as a whole; what does not belong
 * there is told and skipped. The functions stop the parse where the data end.
 */
#ifndef FH_TRA_CHUNK_H
#define FH_TRA_CHUNK_H

#include "tra/tra_parse.h"

enum { TRA_NO_KEYWORD = -1, TRA_MOST_PARAMETERS = 3 };

typedef struct tra_parameters {
    fh_token keyword;
    fh_token token[TRA_MOST_PARAMETERS];
    uint32_t num; /* all of them, also those that are not kept */
} tra_parameters;

/* tra_say tells a finding about a token; expected may be NULL. */
void tra_say(const tra_parse *parse, enum tra_rule rule, const char *field, const fh_token *token,
             const char *expected);

/* tra_tell_twice tells that a chunk stands a second time (TRA0025). */
void tra_tell_twice(const tra_parse *parse, const fh_token *keyword, fh_text_place first);

/* tra_fault notes that what is there cannot be played; reading goes on. The first one counts. */
void tra_fault(tra_parse *parse, enum tra_rule rule, fh_text_place at);

/* tra_skip_chunk skips to the end of the innermost chunk, whatever it holds. */
void tra_skip_chunk(tra_parse *parse, const fh_token *keyword);

/* tra_next_child reads up to the next child of a container: true with its keyword, behind the
 * opening parenthesis; false behind the parenthesis that closes the container, or stopped. */
bool tra_next_child(tra_parse *parse, fh_token *keyword);

/* tra_find_keyword returns the index of a keyword in a list that ends with NULL, or
 * TRA_NO_KEYWORD. One in another case is told and found. */
int tra_find_keyword(tra_parse *parse, const fh_token *keyword, const char *const *names);

/* tra_read_parameters reads the parameters of a chunk, behind its keyword, and its end. kinds has
 * one letter for each that should be there: i an integer, r a number, s a string, x a word or a
 * string. What does not fit is noted (tra_offend), and told by those who take the parameters. */
void tra_read_parameters(tra_parse *parse, tra_parameters *out, const fh_token *keyword,
                         const char *kinds);

/* tra_hold_parameters judges number and kind of the parameters: numbers are words here. */
bool tra_hold_parameters(const tra_parse *parse, const tra_parameters *from, const char *kinds,
                         const char *expected);

/* tra_take_int and tra_take_real read a parameter as a number; false, and told, if it is none. */
bool tra_take_int(tra_parse *parse, const fh_token *token, int32_t *out);
bool tra_take_real(tra_parse *parse, const fh_token *token, float *out);

/* tra_is_odd tells whether a number has an unusual form: an exponent, a plus, no digits on one side
 * of the point. */
bool tra_is_odd(const fh_real *number);

/* tra_read_bone and tra_read_dynamic read a bone, or DynamicPolygons, behind the keyword. */
void tra_read_bone(tra_parse *parse, const fh_token *keyword);
void tra_read_dynamic(tra_parse *parse);

/* tra_read_cut_bone reads what is left of a bone whose beginning is missing, from the beginning of
 * a chunk in it, or, in_channel, of a key in one of its channels. */
void tra_read_cut_bone(tra_parse *parse, bool in_channel);

/* tra_read_cut_dynamic reads what is left of DynamicPolygons, from the beginning of a key. */
void tra_read_cut_dynamic(tra_parse *parse);

/* tra_read_head and tra_read_figure read these chunks behind their keywords, tra_read_figure_rest
 * the children of Figure from the beginning of one. */
void tra_read_head(tra_parse *parse, const fh_token *head);
void tra_read_figure(tra_parse *parse, const fh_token *figure);
void tra_read_figure_rest(tra_parse *parse);

#endif
