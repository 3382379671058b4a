#include "reports/schema_writer.h"

#include <string.h>

void fh_schema_name(fh_out *out, const fh_struct *of, size_t item)
{
    const int number = fh_item_number(of, item);
    fh_out_str(out, of->items[item].name);
    if (number >= 0) {
        fh_out_fmt(out, "_%d", number);
    }
}

static void put_token(fh_out *out, const fh_schema_words *words, const fh_lex *token)
{
    static const char root[] = "_root.";
    const size_t root_len = sizeof root - 1;
    if (token->kind == FH_LEX_OPERATOR && token->text[0] == 'a') {
        fh_out_str(out, words->and_word);
    } else if (token->kind == FH_LEX_OPERATOR && token->text[0] == 'o') {
        fh_out_str(out, words->or_word);
    } else if (token->len > root_len && strncmp(token->text, root, root_len) == 0) {
        fh_out_str(out, words->root);
        fh_out_bytes(out, token->text + root_len, token->len - root_len);
    } else if (token->len == 6 && strncmp(token->text, "_index", 6) == 0) {
        fh_out_str(out, words->index);
    } else {
        fh_out_bytes(out, token->text, token->len);
    }
}

void fh_schema_expression(fh_out *out, const fh_schema_words *words, const char *expressions)
{
    bool is_first = true;
    bool was_open = false;
    fh_lex token = fh_lex_next(&expressions);
    while (token.kind != FH_LEX_END) {
        const bool closes = token.kind == FH_LEX_CLOSE || token.kind == FH_LEX_COMMA;
        fh_out_str(out, is_first || was_open || closes ? "" : " ");
        put_token(out, words, &token);
        is_first = false;
        was_open = token.kind == FH_LEX_OPEN;
        token = fh_lex_next(&expressions);
    }
}
