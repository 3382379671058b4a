#include "tra/tra_chunk.h"

#include "tra/tra_text.h"

#include <assert.h>
#include <string.h>

/* Evidence: 8 for each character of a keyword that is known where it stands. That there are a few
 * keywords to choose from, 4 bits at most, is less than what is not counted: the parentheses of
 * each chunk, and that numbers stand where they must. */
enum { DEEPEST = 4, BITS_OF_A_CHARACTER = 8 };

/* ---- helpers ---- */

void tra_say(const tra_parse *parse, enum tra_rule rule, const char *field, const fh_token *token,
             const char *expected)
{
    tra_tell_token(&parse->check, rule, field, token, fh_words(expected));
}

/* A token is missing where the data end: told with the number of chunks that are open. */
static void stop_at_end(tra_parse *parse, const fh_token *token)
{
    if (parse->is_stopped) {
        return;
    }
    if (!parse->is_fragment) {
        tra_tell(&parse->check, TRA0021, "end of the data", token->at,
                 fh_count(parse->depth, "open chunk"), fh_words("their closing parentheses"));
    }
    parse->is_stopped = true;
    parse->is_faulty = true;
    parse->rule = TRA0021;
    parse->fault_off = token->at.off;
    parse->break_off = token->at.off;
    parse->fault_status = FH_TRUNCATED;
}

/* What is there cannot be played, but reading goes on. The first such fault is the one that counts.
 */
void tra_fault(tra_parse *parse, enum tra_rule rule, fh_text_place at)
{
    if (!parse->is_faulty) {
        parse->is_faulty = true;
        parse->rule = rule;
        parse->fault_off = at.off;
        parse->fault_status = FH_CORRUPT;
    }
}

/* Skips until no more than `outside` chunks are open. */
static void skip_to(tra_parse *parse, const fh_token *keyword, uint32_t outside)
{
    bool is_told = false;
    while (parse->depth > outside && !parse->is_stopped) {
        const fh_token token = tra_next(parse);
        if (parse->is_stopped) {
            return;
        }
        if (token.kind == FH_TOKEN_END) {
            stop_at_end(parse, &token);
        } else if (tra_is_mark(&token, '(')) {
            parse->depth++;
            if (parse->depth > DEEPEST && !is_told) {
                is_told = true;
                tra_say(parse, TRA0032, "chunk inside of another one", keyword, "at most 4 levels");
            }
        } else if (tra_is_mark(&token, ')')) {
            parse->depth--;
        }
    }
}

/* Skips to the end of the innermost chunk, whatever it holds. */
void tra_skip_chunk(tra_parse *parse, const fh_token *keyword)
{
    skip_to(parse, keyword, parse->depth - 1);
}

/* A chunk that begins with something other than a keyword. */
static void skip_nameless(tra_parse *parse, const fh_token *first)
{
    const uint32_t outside = parse->depth - 1;
    tra_offend(parse, first);
    tra_say(parse, TRA0033, "beginning of a chunk", first, "a keyword");
    if (tra_is_mark(first, ')')) {
        parse->depth--;
    } else if (tra_is_mark(first, '(')) {
        parse->depth++;
    }
    skip_to(parse, first, outside);
}

/* Reads up to the next child of a container: true with its keyword, behind the opening
 * parenthesis; false behind the parenthesis that closes the container. */
bool tra_next_child(tra_parse *parse, fh_token *keyword)
{
    for (;;) {
        const fh_token token = tra_next(parse);
        if (parse->is_stopped) {
            return false;
        }
        if (token.kind == FH_TOKEN_END) {
            stop_at_end(parse, &token);
            return false;
        }
        if (tra_is_mark(&token, ')')) {
            parse->depth--;
            return false;
        }
        if (!tra_is_mark(&token, '(')) {
            tra_offend(parse, &token);
            tra_say(parse, TRA0020, "token between chunks", &token, "an opening parenthesis");
            continue;
        }
        parse->depth++;
        parse->last_open = token.at.off;
        *keyword = tra_next(parse);
        if (keyword->kind == FH_TOKEN_WORD) {
            return true;
        }
        if (keyword->kind == FH_TOKEN_END) {
            stop_at_end(parse, keyword);
            return false;
        }
        skip_nameless(parse, keyword);
    }
}

/* The index of a keyword in a list that ends with NULL. */
int tra_find_keyword(tra_parse *parse, const fh_token *keyword, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++) {
        if (fh_scan_is(&parse->scan, keyword, names[i])) {
            parse->worth.evidence += BITS_OF_A_CHARACTER * keyword->num_units;
            return i;
        }
    }
    for (int i = 0; names[i] != NULL; i++) {
        if (fh_scan_is_but_case(&parse->scan, keyword, names[i])) {
            tra_say(parse, TRA0031, "keyword", keyword, names[i]);
            return i;
        }
    }
    tra_offend(parse, keyword);
    return TRA_NO_KEYWORD;
}

void tra_tell_twice(const tra_parse *parse, const fh_token *keyword, fh_text_place first)
{
    char buf[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_text_put_place(fh_text_str(&text, "only the one at "), first);
    tra_say(parse, TRA0025, "chunk", keyword, buf);
}

/* ---- parameters ---- */

/* The first parameter that should be a number and is none, or else `token`. A bad number alone is a
 * number that somebody wrote; with something forbidden behind it the text has broken off in it. */
static const fh_token *first_bad(const tra_parse *parse, const tra_parameters *from,
                                 const char *kinds, const fh_token *token)
{
    assert(from->num <= strlen(kinds) && from->num <= TRA_MOST_PARAMETERS);
    for (uint32_t i = 0; i < from->num; i++) {
        const fh_token *word = &from->token[i];
        if ((kinds[i] == 'i' && fh_scan_int(&parse->scan, word).fault != FH_NUMBER_GOOD) ||
            (kinds[i] == 'r' && fh_scan_real(&parse->scan, word).fault != FH_NUMBER_GOOD)) {
            return word;
        }
    }
    return token;
}

static bool is_kind(const fh_token *token, char kind)
{
    return kind == 'x' || token->kind == (kind == 's' ? FH_TOKEN_STRING : FH_TOKEN_WORD);
}

/* Notes the first token that cannot stand behind the parameters read so far. */
static void judge_place(tra_parse *parse, const tra_parameters *so_far, const char *kinds,
                        const fh_token *token)
{
    const size_t num = strlen(kinds);
    const bool is_end = tra_is_mark(token, ')');
    if (parse->has_offence) {
        return;
    }
    const bool is_wanted = so_far->num < num && !tra_is_mark(token, '(') && !is_end &&
                           is_kind(token, kinds[so_far->num]);
    if (!is_wanted && (!is_end || so_far->num != num)) {
        tra_offend(parse, first_bad(parse, so_far, kinds, token));
    }
}

/* Reads the parameters of a chunk, behind its keyword, and its end. */
void tra_read_parameters(tra_parse *parse, tra_parameters *out, const fh_token *keyword,
                         const char *kinds)
{
    *out = (tra_parameters){.keyword = *keyword};
    for (;;) {
        const fh_token token = tra_next(parse);
        if (parse->is_stopped) {
            return;
        }
        if (token.kind == FH_TOKEN_END) {
            stop_at_end(parse, &token);
            return;
        }
        judge_place(parse, out, kinds, &token);
        if (parse->is_stopped) {
            return;
        }
        if (tra_is_mark(&token, ')')) {
            parse->depth--;
            return;
        }
        if (tra_is_mark(&token, '(')) {
            tra_say(parse, TRA0032, "chunk inside of parameters", &token, "parameters only");
            parse->depth++;
            tra_skip_chunk(parse, &token);
            continue;
        }
        if (out->num < TRA_MOST_PARAMETERS) {
            out->token[out->num] = token;
        }
        out->num++;
    }
}

/* Judges number and kind of the parameters. */
bool tra_hold_parameters(const tra_parse *parse, const tra_parameters *from, const char *kinds,
                         const char *expected)
{
    uint32_t num = 0;
    const fh_token *wrong = NULL;
    for (; kinds[num] != '\0'; num++) {
        if (num < from->num && wrong == NULL && !is_kind(&from->token[num], kinds[num])) {
            wrong = &from->token[num];
        }
    }
    if (from->num != num) {
        tra_tell(&parse->check, TRA0033, "parameters", from->keyword.at,
                 fh_count(from->num, "parameter"), fh_words(expected));
        return false;
    }
    if (wrong != NULL) {
        tra_say(parse, TRA0033, "parameter", wrong, expected);
    }
    return wrong == NULL;
}

/* Reads a parameter as an integer; false, and told, if it is none. */
bool tra_take_int(tra_parse *parse, const fh_token *token, int32_t *out)
{
    const fh_integer number = fh_scan_int(&parse->scan, token);
    *out = number.value;
    if (number.fault != FH_NUMBER_GOOD || number.is_outside) {
        tra_say(parse, TRA0040, "integer", token,
                number.is_outside ? "-2147483648 to 2147483647" : "a decimal integer");
        return false;
    }
    if (number.sign == '+' && parse->num_odd++ == 0) {
        parse->first_odd = *token;
    }
    return true;
}

bool tra_is_odd(const fh_real *number)
{
    return number->exponent != '\0' || number->sign == '+' || number->num_int == 0 ||
           (number->has_point && number->num_fraction == 0);
}

static bool tell_bad_real(const tra_parse *parse, const fh_token *token, fh_number_fault what)
{
    char expected[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(expected, sizeof expected);
    if (what == FH_NUMBER_NOT_FINITE) {
        tra_say(parse, TRA0042, "value", token, "a decimal number");
        return false;
    }
    fh_text_str(fh_text_str(&text, "a decimal number, not "), fh_number_fault_name(what));
    tra_say(parse, TRA0041, "value", token, expected);
    return false;
}

/* Reads a parameter as a number of single precision; false, and told, if it is none. */
bool tra_take_real(tra_parse *parse, const fh_token *token, float *out)
{
    const float most = 3.4028234663852886e38f;
    const float least = 1.17549435082228751e-38f; /* of the normal ones */
    const fh_real number = fh_scan_real(&parse->scan, token);
    const float size = number.single < 0 ? -number.single : number.single;
    *out = number.single;
    if (number.fault != FH_NUMBER_GOOD) {
        return tell_bad_real(parse, token, number.fault);
    }
    if (size > most) {
        tra_say(parse, TRA0043, "value", token, "at most 3.40282347e38 in magnitude");
        return false;
    }
    if (size < least && !number.is_zero) {
        tra_say(parse, TRA0044, "value", token, "0, or at least 1.17549435e-38 in magnitude");
    }
    if (tra_is_odd(&number) && parse->num_odd++ == 0) {
        parse->first_odd = *token;
    }
    return true;
}
