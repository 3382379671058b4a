#include "tra/tra_parse.h"

#include "tra/tra_text.h"

#include <assert.h>

enum { DEEPEST = 4, NO_KEYWORD = -1, BITS_OF_A_CHARACTER = 8 };

/* ---- helpers ---- */

static void tell(const tra_parse *parse, enum tra_rule rule, const char *field,
                 const fh_token *token, const char *expected)
{
    tra_tell_token(&parse->check, rule, field, token,
                   expected == NULL ? fh_nothing() : fh_words(expected));
}

/* A token is missing where the data end: told with the number of chunks that are open. */
static void stop_at_end(tra_parse *parse, const fh_token *token)
{
    if (parse->is_stopped) {
        return;
    }
    tra_tell(&parse->check, TRA0021, "end of the data", token->at,
             fh_count(parse->depth, "open chunk"), fh_words("their closing parentheses"));
    parse->is_stopped = true;
    parse->is_faulty = true;
    parse->rule = TRA0021;
    parse->fault_off = token->at.off;
    parse->fault_status = FH_TRUNCATED;
}

/* What is there cannot be played, but reading goes on. The first such fault is the one that counts.
 */
static void fault(tra_parse *parse, enum tra_rule rule, fh_text_place at)
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
                tell(parse, TRA0032, "chunk inside of another one", keyword, "at most 4 levels");
            }
        } else if (tra_is_mark(&token, ')')) {
            parse->depth--;
        }
    }
}

/* Skips to the end of the innermost chunk, whatever it holds. */
static void skip_chunk(tra_parse *parse, const fh_token *keyword)
{
    skip_to(parse, keyword, parse->depth - 1);
}

/* A chunk that begins with something other than a keyword. */
static void skip_nameless(tra_parse *parse, const fh_token *first)
{
    const uint32_t outside = parse->depth - 1;
    tell(parse, TRA0033, "beginning of a chunk", first, "a keyword");
    if (tra_is_mark(first, ')')) {
        parse->depth--;
    } else if (tra_is_mark(first, '(')) {
        parse->depth++;
    }
    skip_to(parse, first, outside);
}

/* Reads up to the next child of a container: true with its keyword, behind the opening
 * parenthesis; false behind the parenthesis that closes the container. */
static bool next_child(tra_parse *parse, fh_token *keyword)
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
            tell(parse, TRA0020, "token between chunks", &token, "an opening parenthesis");
            continue;
        }
        parse->depth++;
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
static int find_keyword(tra_parse *parse, const fh_token *keyword, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++) {
        if (fh_scan_is(&parse->scan, keyword, names[i])) {
            parse->evidence += BITS_OF_A_CHARACTER * keyword->num_units;
            return i;
        }
    }
    for (int i = 0; names[i] != NULL; i++) {
        if (fh_scan_is_but_case(&parse->scan, keyword, names[i])) {
            tell(parse, TRA0031, "keyword", keyword, names[i]);
            return i;
        }
    }
    return NO_KEYWORD;
}

static void tell_twice(const tra_parse *parse, const fh_token *keyword, fh_text_place first)
{
    char buf[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_text_put_place(fh_text_str(&text, "only the one at "), first);
    tell(parse, TRA0025, "chunk", keyword, buf);
}

/* ---- parameters ---- */

enum { MOST_PARAMETERS = 3 };

typedef struct parameters {
    fh_token keyword;
    fh_token token[MOST_PARAMETERS];
    uint32_t num; /* all of them, also those that are not kept */
} parameters;

/* Reads the parameters of a chunk, behind its keyword, and its end. */
static void read_parameters(tra_parse *parse, parameters *out, const fh_token *keyword)
{
    *out = (parameters){.keyword = *keyword};
    for (;;) {
        const fh_token token = tra_next(parse);
        if (parse->is_stopped) {
            return;
        }
        if (token.kind == FH_TOKEN_END) {
            stop_at_end(parse, &token);
            return;
        }
        if (tra_is_mark(&token, ')')) {
            parse->depth--;
            return;
        }
        if (tra_is_mark(&token, '(')) {
            tell(parse, TRA0032, "chunk inside of parameters", &token, "parameters only");
            parse->depth++;
            skip_chunk(parse, &token);
            continue;
        }
        if (out->num < MOST_PARAMETERS) {
            out->token[out->num] = token;
        }
        out->num++;
    }
}

/* Judges number and kind of the parameters: one letter each, w a word, s a string, x either. */
static bool hold_parameters(const tra_parse *parse, const parameters *from, const char *kinds,
                            const char *expected)
{
    uint32_t num = 0;
    const fh_token *wrong = NULL;
    for (; kinds[num] != '\0'; num++) {
        const fh_token_kind kind = kinds[num] == 's' ? FH_TOKEN_STRING : FH_TOKEN_WORD;
        if (num < from->num && kinds[num] != 'x' && from->token[num].kind != kind &&
            wrong == NULL) {
            wrong = &from->token[num];
        }
    }
    if (from->num != num) {
        tra_tell(&parse->check, TRA0033, "parameters", from->keyword.at,
                 fh_count(from->num, "parameter"), fh_words(expected));
        return false;
    }
    if (wrong != NULL) {
        tell(parse, TRA0033, "parameter", wrong, expected);
    }
    return wrong == NULL;
}

/* Reads a parameter as an integer; false, and told, if it is none. */
static bool take_int(tra_parse *parse, const fh_token *token, int32_t *out)
{
    const fh_integer number = fh_scan_int(&parse->scan, token);
    *out = number.value;
    if (number.fault != FH_NUMBER_GOOD || number.is_outside) {
        tell(parse, TRA0040, "integer", token,
             number.is_outside ? "-2147483648 to 2147483647" : "a decimal integer");
        return false;
    }
    if (number.sign == '+' && parse->num_odd++ == 0) {
        parse->first_odd = *token;
    }
    return true;
}

static bool is_odd(const fh_real *number)
{
    return number->exponent != '\0' || number->sign == '+' || number->num_int == 0 ||
           (number->has_point && number->num_fraction == 0);
}

static bool tell_bad_real(const tra_parse *parse, const fh_token *token, fh_number_fault what)
{
    char expected[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(expected, sizeof expected);
    if (what == FH_NUMBER_NOT_FINITE) {
        tell(parse, TRA0042, "value", token, "a decimal number");
        return false;
    }
    fh_text_str(fh_text_str(&text, "a decimal number, not "), fh_number_fault_name(what));
    tell(parse, TRA0041, "value", token, expected);
    return false;
}

/* Reads a parameter as a number of single precision; false, and told, if it is none. */
static bool take_real(tra_parse *parse, const fh_token *token, float *out)
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
        tell(parse, TRA0043, "value", token, "at most 3.40282347e38 in magnitude");
        return false;
    }
    if (size < least && !number.is_zero) {
        tell(parse, TRA0044, "value", token, "0, or at least 1.17549435e-38 in magnitude");
    }
    if (is_odd(&number) && parse->num_odd++ == 0) {
        parse->first_odd = *token;
    }
    return true;
}

/* ---- Head ---- */

static void read_version(tra_parse *parse, const fh_token *keyword)
{
    parameters params;
    float version = 0;
    read_parameters(parse, &params, keyword);
    if (parse->is_stopped || !hold_parameters(parse, &params, "w", "a number") ||
        !take_real(parse, &params.token[0], &version)) {
        return;
    }
    if (version < 4.0f || version > 4.0f) {
        tell(parse, TRA0027, "traVersion", &params.token[0], "4.0");
    } else if (!fh_scan_is(&parse->scan, &params.token[0], "4.0")) {
        tell(parse, TRA0028, "traVersion", &params.token[0], "4.0");
    }
}

static void read_head(tra_parse *parse, const fh_token *head)
{
    static const char *const names[] = {"traVersion", NULL};
    fh_token keyword;
    fh_text_place first = {0};
    bool has_version = false;
    while (next_child(parse, &keyword)) {
        if (find_keyword(parse, &keyword, names) == NO_KEYWORD) {
            tell(parse, TRA0029, "chunk in Head", &keyword, "traVersion");
            skip_chunk(parse, &keyword);
        } else if (has_version) {
            tell_twice(parse, &keyword, first);
            skip_chunk(parse, &keyword);
        } else {
            has_version = true;
            first = keyword.at;
            read_version(parse, &keyword);
        }
    }
    if (!parse->is_stopped && !has_version) {
        tell(parse, TRA0026, "Head without traVersion", head, "( traVersion 4.0 )");
    }
}

/* ---- keys ---- */

static bool is_next_frame(tra_parse *parse, const tra_key *key)
{
    const bool is_first = parse->check.key == 0;
    const bool is_next = key->has_frame && (is_first || key->frame > parse->last_frame);
    parse->last_frame = key->has_frame ? key->frame : parse->last_frame;
    return is_next && key->has_value;
}

static void read_key(tra_parse *parse, const fh_token *keyword, tra_channel *channel)
{
    parameters params;
    tra_key key = {.at = keyword->at};
    read_parameters(parse, &params, keyword);
    if (parse->is_stopped) {
        return;
    }
    if (hold_parameters(parse, &params, "ww", "a frame and a value")) {
        key.has_frame = take_int(parse, &params.token[0], &key.frame);
        parse->check.frame = key.has_frame ? key.frame : FH_UNKNOWN;
        key.has_value = take_real(parse, &params.token[1], &key.value);
        parse->check.frame = FH_UNKNOWN;
    }
    parse->ascends = is_next_frame(parse, &key) && parse->ascends;
    parse->check.key++;
    if (channel != NULL) {
        channel->num_keys++;
        if (parse->is_filling) {
            parse->model->keys[parse->model->num_keys] = key;
        }
        parse->model->num_keys++;
    }
}

/* Reads the keys of a channel. channel is NULL where they do not count: it stands twice. */
static void read_keys(tra_parse *parse, tra_channel *channel)
{
    static const char *const names[] = {"kf", NULL};
    fh_token keyword;
    parse->check.key = 0;
    parse->ascends = true;
    while (next_child(parse, &keyword)) {
        if (find_keyword(parse, &keyword, names) == NO_KEYWORD) {
            tell(parse, TRA0033, "chunk in a channel", &keyword, "kf");
            skip_chunk(parse, &keyword);
        } else {
            read_key(parse, &keyword, channel);
        }
    }
    parse->check.key = TRA_NONE;
}

/* ---- bones ---- */

typedef struct bone_state {
    tra_bone bone;
    fh_text_place name_at;
    fh_text_place places[TRA_NUM_KINDS];
    bool has[TRA_NUM_KINDS];
    int last_kind;
    bool is_order_told;
} bone_state;

static void read_bone_name(tra_parse *parse, bone_state *state, const fh_token *keyword)
{
    parameters params;
    if (state->bone.has_name) {
        tell_twice(parse, keyword, state->name_at);
        skip_chunk(parse, keyword);
        return;
    }
    read_parameters(parse, &params, keyword);
    if (parse->is_stopped) {
        return;
    }
    state->bone.has_name = true;
    state->name_at = keyword->at;
    /* A word that should be in quotes is told, and is the name all the same. */
    if (hold_parameters(parse, &params, "s", "a name in double quotes") ||
        (params.num == 1 && params.token[0].kind == FH_TOKEN_WORD)) {
        state->bone.name_off = params.token[0].off;
        state->bone.name_units = params.token[0].num_units;
        parse->check.bone_name = tra_name(&state->bone);
        if (params.token[0].num_units == 0) {
            tell(parse, TRA0061, "name", &params.token[0], "at least one character");
        }
    }
}

static void judge_order(tra_parse *parse, bone_state *state, const fh_token *keyword, int kind)
{
    if (kind < state->last_kind && !state->is_order_told) {
        state->is_order_told = true;
        tell(parse, TRA0039, "channel", keyword,
             "name, translate.x to .z, scale.x to .z, rotate.x to .z, roll");
    }
    state->last_kind = kind;
}

static void read_channel(tra_parse *parse, bone_state *state, const fh_token *keyword, int kind)
{
    tra_model *model = parse->model;
    parse->check.kind = (uint32_t)kind;
    if (state->has[kind]) {
        tell_twice(parse, keyword, state->places[kind]);
        read_keys(parse, NULL);
        parse->check.kind = TRA_NUM_KINDS;
        return;
    }
    judge_order(parse, state, keyword, kind);
    state->has[kind] = true;
    state->places[kind] = keyword->at;
    tra_channel channel = {.at = keyword->at, .first_key = model->num_keys, .kind = (uint8_t)kind};
    read_keys(parse, &channel);
    channel.is_playable = channel.num_keys > 0 && parse->ascends;
    if (parse->is_filling) {
        model->channels[model->num_channels] = channel;
    }
    model->num_channels++;
    state->bone.num_channels++;
    parse->check.kind = TRA_NUM_KINDS;
}

static void read_bone(tra_parse *parse, const fh_token *keyword)
{
    static const char *const names[] = {"translate.x", "translate.y", "translate.z", "scale.x",
                                        "scale.y",     "scale.z",     "rotate.x",    "rotate.y",
                                        "rotate.z",    "roll",        "name",        NULL};
    tra_model *model = parse->model;
    bone_state state = {.bone = {.at = keyword->at, .first_channel = model->num_channels},
                        .last_kind = -1};
    fh_token child;
    parse->check.bone = model->num_bones;
    while (next_child(parse, &child)) {
        const int kind = find_keyword(parse, &child, names);
        if (kind == NO_KEYWORD) {
            tell(parse, TRA0030, "chunk in a bone", &child, "name or one of the ten channels");
            skip_chunk(parse, &child);
        } else if (kind == TRA_NUM_KINDS) {
            judge_order(parse, &state, &child, -1);
            read_bone_name(parse, &state, &child);
        } else {
            read_channel(parse, &state, &child, kind);
        }
    }
    if (parse->is_filling) {
        model->bones[model->num_bones] = state.bone;
    }
    model->num_bones++;
    tra_clear_place(&parse->check);
}

/* ---- dynamic polygons ---- */

static bool take_state(tra_parse *parse, const fh_token *token, bool *out)
{
    static const char *const names[] = {"false", "true"};
    for (unsigned i = 0; i < 2; i++) {
        if (token->kind != FH_TOKEN_WORD) {
            break;
        }
        *out = i == 1;
        if (fh_scan_is(&parse->scan, token, names[i])) {
            return true;
        }
        if (fh_scan_is_but_case(&parse->scan, token, names[i])) {
            tell(parse, TRA0104, "state", token, names[i]);
            return true;
        }
    }
    tell(parse, TRA0103, "state", token, "true or false");
    return false;
}

static void read_group_key(tra_parse *parse, const fh_token *keyword)
{
    parameters params;
    tra_group_key key = {.at = keyword->at};
    read_parameters(parse, &params, keyword);
    if (parse->is_stopped) {
        return;
    }
    if (hold_parameters(parse, &params, "wwx", "a frame, a group, and true or false")) {
        const bool has_frame = take_int(parse, &params.token[0], &key.frame);
        const bool has_group = take_int(parse, &params.token[1], &key.group);
        const bool has_state = take_state(parse, &params.token[2], &key.is_shown);
        key.is_whole = has_frame && has_group && has_state;
    }
    if (parse->is_filling) {
        parse->model->group_keys[parse->model->num_group_keys] = key;
    }
    parse->model->num_group_keys++;
    parse->check.key++;
}

static void read_dynamic(tra_parse *parse)
{
    static const char *const names[] = {"kgf", NULL};
    fh_token keyword;
    parse->check.key = 0;
    while (next_child(parse, &keyword)) {
        if (find_keyword(parse, &keyword, names) == NO_KEYWORD) {
            tell(parse, TRA0033, "chunk in DynamicPolygons", &keyword, "kgf");
            skip_chunk(parse, &keyword);
        } else {
            read_group_key(parse, &keyword);
        }
    }
    parse->check.key = TRA_NONE;
}

/* ---- Figure ---- */

static void read_total(tra_parse *parse, const fh_token *keyword)
{
    parameters params;
    tra_model *model = parse->model;
    int32_t total = 0;
    read_parameters(parse, &params, keyword);
    if (parse->is_stopped) {
        return;
    }
    parse->is_total_read = true;
    model->total_at = keyword->at;
    if (!hold_parameters(parse, &params, "w", "a number of frames")) {
        fault(parse, TRA0033, keyword->at);
    } else if (!take_int(parse, &params.token[0], &total)) {
        fault(parse, TRA0040, params.token[0].at);
    } else if (total < 1 || total > TRA_MOST_FRAMES) {
        tell(parse, TRA0046, "totalFrame", &params.token[0], "1 to 32767");
        fault(parse, TRA0046, params.token[0].at);
    } else {
        model->has_total = true;
        model->total_frames = (uint32_t)total;
    }
}

static void read_figure_name(tra_parse *parse, const fh_token *keyword)
{
    parameters params;
    parse->has_name = true;
    parse->name_at = keyword->at;
    read_parameters(parse, &params, keyword);
    if (!parse->is_stopped) {
        (void)hold_parameters(parse, &params, "s", "a name in double quotes");
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
        tell_twice(parse, keyword, seen[which].at);
    }
    return seen[which].is_there;
}

static void read_figure_child(tra_parse *parse, const fh_token *keyword, int which)
{
    if ((unsigned)which < parse->rank && !parse->is_order_told) {
        parse->is_order_told = true;
        tell(parse, TRA0034, "chunk", keyword, "name, totalFrame, bones, DynamicPolygons");
    }
    parse->rank = (unsigned)which;
    if (is_repeated(parse, keyword, which)) {
        skip_chunk(parse, keyword);
    } else if (which == FIGURE_NAME) {
        read_figure_name(parse, keyword);
    } else if (which == FIGURE_TOTAL) {
        read_total(parse, keyword);
    } else if (which == FIGURE_BONE) {
        read_bone(parse, keyword);
    } else {
        parse->model->has_dynamic = true;
        parse->model->dynamic_at = keyword->at;
        read_dynamic(parse);
    }
}

static void judge_figure(tra_parse *parse, const fh_token *figure)
{
    if (!parse->is_total_read) {
        tell(parse, TRA0037, "Figure without totalFrame", figure, "( totalFrame N )");
        fault(parse, TRA0037, figure->at);
    }
    if (parse->model->num_bones == 0) {
        tell(parse, TRA0038, "Figure without a bone", figure, "a bone for each of the model's");
        fault(parse, TRA0038, figure->at);
    }
}

static void read_figure(tra_parse *parse, const fh_token *figure)
{
    static const char *const names[] = {"name", "totalFrame", "bone", "DynamicPolygons", NULL};
    fh_token keyword;
    parse->model->figure = figure->at;
    while (next_child(parse, &keyword)) {
        const int which = find_keyword(parse, &keyword, names);
        if (which == NO_KEYWORD) {
            tell(parse, TRA0029, "chunk in Figure", &keyword,
                 "name, totalFrame, bone or DynamicPolygons");
            skip_chunk(parse, &keyword);
        } else {
            read_figure_child(parse, &keyword, which);
        }
    }
    if (!parse->is_stopped) {
        judge_figure(parse, figure);
    }
}

/* ---- the file ---- */

enum { FILE_HEAD = 0, FILE_FIGURE };

/* Reads the keyword of the next chunk of the file; whatever else stands there is a fault. */
static bool next_chunk(tra_parse *parse, fh_token *keyword, enum tra_rule rule, const char *wanted)
{
    fh_token token = tra_next(parse);
    while (tra_is_mark(&token, ')') && !parse->is_stopped) {
        tell(parse, TRA0022, "parenthesis", &token, wanted);
        token = tra_next(parse);
    }
    *keyword = token;
    if (tra_is_mark(&token, '(') && !parse->is_stopped) {
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
    if (find_keyword(parse, &keyword, names) != FILE_HEAD) {
        tra_stop(parse, TRA0023, FH_CORRUPT, "chunk", &keyword, fh_words("Head"));
        return;
    }
    parse->head = keyword.at;
    read_head(parse, &keyword);
    parse->has_head = !parse->is_stopped;
    while (next_chunk(parse, &keyword, TRA0024, "( Figure")) {
        const int which = find_keyword(parse, &keyword, names);
        if (which == FILE_FIGURE) {
            read_figure(parse, &keyword);
            return;
        }
        if (which != FILE_HEAD) {
            tra_stop(parse, TRA0024, FH_CORRUPT, "chunk", &keyword, fh_words("Figure"));
            return;
        }
        tell_twice(parse, &keyword, parse->head);
        skip_chunk(parse, &keyword);
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
    model->has_total = false;
    model->has_dynamic = false;
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
    if (!parse->is_stopped) {
        tell_line_ends(parse);
        tell_odd_numbers(parse);
    }
}

/* ---- what follows ---- */

static void tell_padding(const tra_parse *parse, fh_text_place at, size_t len, const char *what)
{
    tra_tell(&parse->check, TRA0036, "behind the text", at, fh_dec((int64_t)len, what),
             fh_words("nothing"));
}

static void tell_stranger(const tra_parse *parse, const fh_token *token, const fh_token *keyword)
{
    if (tra_is_mark(token, ')')) {
        tell(parse, TRA0022, "parenthesis", token, "nothing");
    } else if (tra_is_mark(token, '(') && fh_scan_is(&parse->scan, keyword, "Figure")) {
        tell_twice(parse, keyword, parse->model->figure);
    } else if (tra_is_mark(token, '(') && fh_scan_is(&parse->scan, keyword, "Head")) {
        tell_twice(parse, keyword, parse->head);
    } else {
        tell(parse, TRA0035, "token behind Figure", token, "nothing");
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
    const size_t left = fh_cursor_left(cur);
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
            tell_padding(parse, token.at, rest, " zero bytes");
        } else if (token.kind != FH_TOKEN_END || rest > 0) {
            const fh_token keyword = fh_scan_next(&parse->scan);
            tell_stranger(parse, &token, &keyword);
        } else if (num_blanks > 0 && left > 0) {
            tell_padding(parse, end, num_blanks, " blank bytes");
        }
        return;
    }
}
