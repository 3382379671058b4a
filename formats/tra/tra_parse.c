#include "tra/tra_parse.h"

#include "tra/tra_chunk.h"
#include "tra/tra_text.h"

/* ---- Head ---- */

static void read_version(tra_parse *parse, const fh_token *keyword)
{
    tra_parameters params;
    float version = 0;
    tra_read_parameters(parse, &params, keyword, "r");
    if (parse->is_stopped || !tra_hold_parameters(parse, &params, "r", "a number") ||
        !tra_take_real(parse, &params.token[0], &version)) {
        return;
    }
    if (version < 4.0f || version > 4.0f) {
        tra_say(parse, TRA0027, "traVersion", &params.token[0], "4.0");
    } else if (!fh_scan_is(&parse->scan, &params.token[0], "4.0")) {
        tra_say(parse, TRA0028, "traVersion", &params.token[0], "4.0");
    }
}

void tra_read_head(tra_parse *parse, const fh_token *head)
{
    static const char *const names[] = {"traVersion", NULL};
    fh_token keyword;
    fh_text_place first = {0};
    bool has_version = false;
    while (tra_next_child(parse, &keyword)) {
        if (tra_find_keyword(parse, &keyword, names) == TRA_NO_KEYWORD) {
            tra_say(parse, TRA0029, "chunk in Head", &keyword, "traVersion");
            tra_skip_chunk(parse, &keyword);
        } else if (has_version) {
            tra_tell_twice(parse, &keyword, first);
            tra_skip_chunk(parse, &keyword);
        } else {
            has_version = true;
            first = keyword.at;
            read_version(parse, &keyword);
        }
    }
    if (!parse->is_stopped && !has_version) {
        tra_say(parse, TRA0026, "Head without traVersion", head, "( traVersion 4.0 )");
    }
}

/* ---- Figure ---- */

static void read_total(tra_parse *parse, const fh_token *keyword)
{
    tra_parameters params;
    tra_model *model = parse->model;
    int32_t total = 0;
    tra_read_parameters(parse, &params, keyword, "i");
    if (parse->is_stopped) {
        return;
    }
    parse->is_total_read = true;
    model->total_at = keyword->at;
    if (!tra_hold_parameters(parse, &params, "i", "a number of frames")) {
        tra_fault(parse, TRA0033, keyword->at);
    } else if (!tra_take_int(parse, &params.token[0], &total)) {
        tra_fault(parse, TRA0040, params.token[0].at);
    } else if (total < 1 || total > TRA_MOST_FRAMES) {
        tra_say(parse, TRA0046, "totalFrame", &params.token[0], "1 to 32767");
        tra_fault(parse, TRA0046, params.token[0].at);
    } else {
        model->has_total = true;
        model->total_frames = (uint32_t)total;
    }
}

static void read_figure_name(tra_parse *parse, const fh_token *keyword)
{
    tra_parameters params;
    parse->has_name = true;
    parse->name_at = keyword->at;
    tra_read_parameters(parse, &params, keyword, "s");
    if (!parse->is_stopped) {
        if (tra_hold_parameters(parse, &params, "s", "a name in double quotes")) {
            parse->model->title = params.token[0];
        }
    }
}

enum { FIGURE_NAME = 0, FIGURE_TOTAL, FIGURE_BONE, FIGURE_DYNAMIC };

/* Tells a chunk that is there already; true if it is. */
static bool is_repeated(const tra_parse *parse, const fh_token *keyword, int which)
{
    const struct {
        bool is_there;
        fh_text_place at;
    } seen[] = {[FIGURE_NAME] = {parse->has_name, parse->name_at},
                [FIGURE_TOTAL] = {parse->is_total_read, parse->model->total_at},
                [FIGURE_BONE] = {false, {0}},
                [FIGURE_DYNAMIC] = {parse->model->has_dynamic, parse->model->dynamic_at}};
    if (seen[which].is_there) {
        tra_tell_twice(parse, keyword, seen[which].at);
    }
    return seen[which].is_there;
}

static void read_figure_child(tra_parse *parse, const fh_token *keyword, int which)
{
    if ((unsigned)which < parse->rank && !parse->is_order_told) {
        parse->is_order_told = true;
        tra_say(parse, TRA0034, "chunk", keyword, "name, totalFrame, bones, DynamicPolygons");
    }
    parse->rank = (unsigned)which;
    if (is_repeated(parse, keyword, which)) {
        tra_skip_chunk(parse, keyword);
    } else if (which == FIGURE_NAME) {
        read_figure_name(parse, keyword);
    } else if (which == FIGURE_TOTAL) {
        read_total(parse, keyword);
    } else if (which == FIGURE_BONE) {
        tra_read_bone(parse, keyword);
    } else {
        parse->model->has_dynamic = true;
        parse->model->dynamic_at = keyword->at;
        tra_read_dynamic(parse);
    }
}

static void judge_figure(tra_parse *parse, const fh_token *figure)
{
    if (!parse->is_total_read) {
        tra_say(parse, TRA0037, "Figure without totalFrame", figure, "( totalFrame N )");
        tra_fault(parse, TRA0037, figure->at);
    }
    if (parse->model->num_bones == 0) {
        tra_say(parse, TRA0038, "Figure without a bone", figure, "a bone for each of the model's");
        tra_fault(parse, TRA0038, figure->at);
    }
}

void tra_read_figure_rest(tra_parse *parse)
{
    static const char *const names[] = {"name", "totalFrame", "bone", "DynamicPolygons", NULL};
    fh_token keyword;
    while (tra_next_child(parse, &keyword)) {
        const int which = tra_find_keyword(parse, &keyword, names);
        if (which == TRA_NO_KEYWORD) {
            tra_say(parse, TRA0029, "chunk in Figure", &keyword,
                    "name, totalFrame, bone or DynamicPolygons");
            tra_skip_chunk(parse, &keyword);
        } else {
            read_figure_child(parse, &keyword, which);
        }
    }
}

/* One that is read from the inside of a text lacks what it lacks because it is a fragment. */
void tra_read_figure(tra_parse *parse, const fh_token *figure)
{
    parse->model->figure = figure->at;
    tra_read_figure_rest(parse);
    if (!parse->is_stopped && !parse->is_inside) {
        judge_figure(parse, figure);
    }
}

/* ---- the file ---- */

enum { FILE_HEAD = 0, FILE_FIGURE };

/* Reads the keyword of the next chunk of the file; whatever else stands there is a fault. */
static bool next_chunk(tra_parse *parse, fh_token *keyword, enum tra_rule rule, const char *wanted)
{
    fh_token token = tra_next(parse);
    while (tra_is_mark(&token, ')')) {
        tra_offend(parse, &token);
        tra_say(parse, TRA0022, "parenthesis", &token, wanted);
        token = tra_next(parse);
    }
    *keyword = token;
    if (tra_is_mark(&token, '(')) {
        parse->depth = 1;
        *keyword = tra_next(parse);
        if (keyword->kind == FH_TOKEN_WORD) {
            return true;
        }
    }
    tra_stop(parse, rule, keyword->at_end ? FH_TRUNCATED : FH_CORRUPT, "chunk", keyword,
             fh_words(wanted));
    return false;
}

static void read_file(tra_parse *parse)
{
    static const char *const names[] = {"Head", "Figure", NULL};
    fh_token keyword;
    if (!next_chunk(parse, &keyword, TRA0023, "( Head")) {
        return;
    }
    if (tra_find_keyword(parse, &keyword, names) != FILE_HEAD) {
        tra_stop(parse, TRA0023, FH_CORRUPT, "chunk", &keyword, fh_words("Head"));
        return;
    }
    parse->head = keyword.at;
    tra_read_head(parse, &keyword);
    parse->has_head = !parse->is_stopped;
    while (next_chunk(parse, &keyword, TRA0024, "( Figure")) {
        const int which = tra_find_keyword(parse, &keyword, names);
        if (which == FILE_FIGURE) {
            tra_read_figure(parse, &keyword);
            return;
        }
        if (which != FILE_HEAD) {
            tra_stop(parse, TRA0024, FH_CORRUPT, "chunk", &keyword, fh_words("Figure"));
            return;
        }
        tra_tell_twice(parse, &keyword, parse->head);
        tra_skip_chunk(parse, &keyword);
    }
}

static void tell_line_ends(const tra_parse *parse)
{
    char found[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(found, sizeof found);
    const fh_scan *scan = &parse->scan;
    const unsigned num_kinds = (scan->num_lf > 0 ? 1u : 0u) + (scan->num_crlf > 0 ? 1u : 0u) +
                               (scan->num_cr > 0 ? 1u : 0u);
    if (num_kinds < 2 && scan->num_cr == 0) {
        return;
    }
    fh_text_str(fh_text_u64(&text, scan->num_lf), " LF, ");
    fh_text_str(fh_text_u64(&text, scan->num_crlf), " CR LF, ");
    fh_text_str(fh_text_u64(&text, scan->num_cr), " CR alone");
    tra_tell(&parse->check, TRA0014, "line ends", (fh_text_place){0, 1, 1}, fh_words(found),
             fh_words("LF or CR LF throughout"));
}

static void tell_odd_numbers(const tra_parse *parse)
{
    char found[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(found, sizeof found);
    if (parse->num_odd == 0) {
        return;
    }
    fh_scan_show(&text, &parse->scan, &parse->first_odd);
    fh_value_write(fh_text_str(&text, ", the first of "), fh_count(parse->num_odd, "number"));
    tra_tell(&parse->check, TRA0045, "number", parse->first_odd.at, fh_words(found),
             fh_words("digits, a point, digits"));
}

tra_parse tra_parse_make(tra_model *model, tra_check check, fh_cursor bytes, bool is_closed)
{
    tra_parse parse = {.check = check, .model = model, .is_closed = is_closed};
    parse.scan = fh_scan_make(bytes, FH_ENCODING_BYTES, &tra_style);
    parse.check.model = model;
    parse.is_filling = model->bones != NULL;
    model->scan = parse.scan;
    model->num_bones = 0;
    model->num_channels = 0;
    model->num_keys = 0;
    model->num_group_keys = 0;
    model->title = (fh_token){.kind = FH_TOKEN_END};
    model->has_total = false;
    model->has_dynamic = false;
    model->is_dynamic_cut = false;
    model->lacks_head = false;
    return parse;
}

void tra_parse_run(tra_parse *parse)
{
    tra_begin(parse);
    if (!parse->is_stopped) {
        read_file(parse);
    }
    if (!parse->is_stopped) {
        tra_finish(parse);
    }
    tra_parse_end(parse);
}

void tra_parse_end(tra_parse *parse)
{
    if (!parse->is_stopped || parse->is_fragment) {
        tell_line_ends(parse);
        tell_odd_numbers(parse);
    }
}

/* ---- what follows ---- */

static void tell_padding(const tra_parse *parse, fh_text_place at, size_t len, const char *what)
{
    tra_tell(&parse->check, TRA0036, "behind the text", at, fh_count((int64_t)len, what),
             fh_words("nothing"));
}

static void tell_half(const tra_parse *parse, fh_text_place at)
{
    tra_tell(&parse->check, TRA0035, "behind the text", at, fh_words("half a UTF-16 character"),
             fh_words("nothing"));
}

static void tell_stranger(const tra_parse *parse, const fh_token *token, const fh_token *keyword)
{
    const bool is_chunk = tra_is_mark(token, '(') && keyword->kind == FH_TOKEN_WORD;
    if (tra_is_mark(token, ')')) {
        tra_say(parse, TRA0022, "parenthesis", token, "nothing");
    } else if (is_chunk && fh_scan_is(&parse->scan, keyword, "Figure")) {
        tra_tell_twice(parse, keyword, parse->model->figure);
    } else if (is_chunk && fh_scan_is(&parse->scan, keyword, "Head")) {
        tra_tell_twice(parse, keyword, parse->head);
    } else {
        tra_say(parse, TRA0035, "token behind Figure", token, "nothing");
    }
}

/* Blank bytes between two tokens, without the line end that every comment has. */
static size_t blanks_between(const tra_parse *parse, fh_text_place from, fh_text_place to,
                             bool is_behind_comment)
{
    const size_t line_end = 2 * fh_scan_unit_len(parse->scan.encoding); /* CR LF is the longest */
    const size_t num = to.off - from.off;
    return is_behind_comment && num <= line_end && to.line == from.line + 1 ? 0 : num;
}

void tra_parse_behind(tra_parse *parse)
{
    fh_cursor *cur = &parse->scan.cur;
    const fh_text_place end = fh_scan_place(&parse->scan);
    tra_clear_place(&parse->check);
    size_t num_blanks = 0;
    bool is_behind_comment = false;
    for (;;) {
        const fh_text_place at = fh_scan_place(&parse->scan);
        const fh_token token = fh_scan_next(&parse->scan);
        const size_t rest = cur->size - token.at.off;
        if (!tra_spend(&parse->check, 1 + (uint64_t)(cur->pos - at.off))) {
            return;
        }
        num_blanks += blanks_between(parse, at, token.at, is_behind_comment);
        is_behind_comment = token.kind == FH_TOKEN_COMMENT;
        if (is_behind_comment) {
            continue;
        }
        fh_cursor zeros = *cur;
        zeros.pos = token.at.off;
        if (fh_cursor_all_zero(&zeros, rest) && rest > 0) {
            tell_padding(parse, token.at, rest, "zero byte");
        } else if (token.kind == FH_TOKEN_END && rest > 0) {
            tell_half(parse, token.at);
        } else if (token.kind != FH_TOKEN_END) {
            const fh_token keyword = fh_scan_next(&parse->scan);
            tell_stranger(parse, &token, &keyword);
        } else if (num_blanks > 0) {
            tell_padding(parse, end, num_blanks, "blank byte");
        }
        return;
    }
}
