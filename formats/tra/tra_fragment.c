#include "tra/tra_fragment.h"

#include "tra/tra_chunk.h"
#include "tra/tra_text.h"

/* ---- reading from the inside ---- */

/* What a chunk stands in. */
typedef enum level {
    IN_NOTHING = 0,
    IN_FILE,
    IN_HEAD,
    IN_FIGURE,
    IN_BONE,
    IN_CHANNEL,
    IN_DYNAMIC
} level;

/* Chunks that are open around it. */
static const uint32_t depths[] = {
    [IN_NOTHING] = 0, [IN_FILE] = 0,    [IN_HEAD] = 1,   [IN_FIGURE] = 1,
    [IN_BONE] = 2,    [IN_CHANNEL] = 3, [IN_DYNAMIC] = 2};

static level level_of(const fh_scan *scan, const fh_token *keyword)
{
    static const struct {
        const char *name;
        level level;
    } chunks[] = {{"kf", IN_CHANNEL},  {"kgf", IN_DYNAMIC},       {"bone", IN_FIGURE},
                  {"name", IN_BONE},   {"totalFrame", IN_FIGURE}, {"DynamicPolygons", IN_FIGURE},
                  {"Figure", IN_FILE}, {"Head", IN_FILE},         {"traVersion", IN_HEAD}};
    if (keyword->kind != FH_TOKEN_WORD) {
        return IN_NOTHING;
    }
    for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
        if (fh_scan_is(scan, keyword, chunks[i].name)) {
            return chunks[i].level;
        }
    }
    for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
        if (fh_scan_is(scan, keyword, tra_kind_names[kind])) {
            return IN_BONE;
        }
    }
    return IN_NOTHING;
}

bool tra_is_chunk(const fh_scan *scan, const fh_token *keyword)
{
    return level_of(scan, keyword) != IN_NOTHING;
}

/* The keyword of the chunk that comes next; some other token if none does. */
static fh_token peek_keyword(tra_parse *peek)
{
    fh_token token = tra_next(peek);
    return tra_is_mark(&token, '(') ? tra_next(peek) : token;
}

/* What the first chunk stands in. A name may be Figure's or a bone's; the next chunk tells. */
static level peek_level(tra_parse *peek)
{
    fh_token keyword = peek_keyword(peek);
    const level first = level_of(&peek->scan, &keyword);
    if (first != IN_BONE || !fh_scan_is(&peek->scan, &keyword, "name")) {
        return first;
    }
    const fh_token name = tra_next(peek);
    const fh_token end = tra_next(peek);
    if (name.kind == FH_TOKEN_STRING && tra_is_mark(&end, ')')) {
        keyword = peek_keyword(peek);
        return level_of(&peek->scan, &keyword) == IN_FIGURE ? IN_FIGURE : IN_BONE;
    }
    return IN_BONE;
}

static level first_level(tra_parse *parse)
{
    tra_parse peek = *parse;
    peek.check.reporter = NULL;
    const level first = peek_level(&peek);
    parse->check.stopped = peek.check.stopped;
    parse->wants_more = peek.wants_more;
    return parse->wants_more ? IN_NOTHING : first;
}

static void read_file_rest(tra_parse *parse)
{
    static const char *const names[] = {"Head", "Figure", NULL};
    bool has_figure = false;
    while (!has_figure && !parse->is_stopped) {
        const fh_token token = tra_next(parse);
        if (token.kind == FH_TOKEN_END) {
            tra_stop(parse, TRA0024, FH_TRUNCATED, "chunk", &token, fh_words("Figure"));
        }
        if (!tra_is_mark(&token, '(')) {
            tra_offend(parse, &token);
            continue;
        }
        parse->depth = 1;
        parse->last_open = token.at.off;
        const fh_token keyword = tra_next(parse);
        const int which = tra_find_keyword(parse, &keyword, names);
        has_figure = which == 1;
        if (has_figure) {
            tra_read_figure(parse, &keyword);
        } else if (which == 0) {
            tra_read_head(parse, &keyword);
            parse->has_head = !parse->is_stopped;
        }
    }
}

static void read_levels(tra_parse *parse, level first)
{
    parse->depth = depths[first];
    if (first == IN_HEAD) {
        const fh_token head = {.kind = FH_TOKEN_END, .at = fh_scan_place(&parse->scan)};
        tra_read_head(parse, &head);
    }
    if (first == IN_FILE || first == IN_HEAD) {
        read_file_rest(parse);
        return;
    }
    if (first == IN_DYNAMIC) {
        tra_read_cut_dynamic(parse);
    } else if (first != IN_FIGURE) {
        tra_read_cut_bone(parse, first == IN_CHANNEL);
    }
    if (!parse->is_stopped) {
        tra_read_figure_rest(parse);
    }
}

void tra_parse_inside(tra_parse *parse)
{
    parse->is_inside = true;
    parse->scan.encoding = fh_scan_guess(parse->scan.cur);
    parse->model->scan.encoding = parse->scan.encoding;
    const level first = first_level(parse);
    if (first == IN_NOTHING) {
        parse->is_stopped = true;
        parse->is_faulty = true;
        return;
    }
    if (parse->scan.encoding != FH_ENCODING_BYTES) {
        tra_tell(&parse->check, TRA0013, "text", (fh_text_place){0, 1, 1},
                 fh_words(fh_encoding_name(parse->scan.encoding)), fh_words("ASCII"));
    }
    read_levels(parse, first);
    if (!parse->is_stopped) {
        tra_finish(parse);
    }
    parse->model->lacks_head = !parse->has_head;
    tra_parse_end(parse);
}

/* ---- what is a fragment ---- */

static tra_worth worth_of(const tra_parse *parse)
{
    return parse->has_offence ? parse->before_offence : parse->worth;
}

static bool is_enough(const tra_parse *parse)
{
    const tra_worth worth = worth_of(parse);
    return worth.num_keys >= TRA_LEAST_KEYS || worth.num_bones > 0;
}

/* Reading goes on behind what the grammar forbids, for a text may be whole in spite of it. Not for
 * ever: what is longer than any text is not whole. */
static bool is_front(const tra_parse *parse)
{
    const bool is_endless = parse->has_offence && parse->scan.cur.size >= FH_MAX_ASSET_LEN;
    return parse->is_stopped && !parse->check.stopped && (!parse->wants_more || is_endless) &&
           parse->has_head && is_enough(parse);
}

static bool begins_with_chunk(const tra_parse *parse)
{
    tra_parse peek = *parse;
    peek.check.reporter = NULL;
    (void)fh_cursor_seek(&peek.scan.cur, 0);
    const fh_token first = fh_scan_next(&peek.scan);
    return first.off == 0 && tra_is_mark(&first, '(');
}

size_t tra_part_len(const tra_parse *parse)
{
    if (parse->has_offence) {
        return parse->offence_off;
    }
    return parse->is_stopped ? parse->break_off : parse->model->end;
}

tra_part tra_read_any(tra_parse *parse, tra_model *model, tra_check check, fh_cursor bytes,
                      bool is_closed, bool is_carved)
{
    *parse = tra_parse_make(model, check, bytes, is_closed);
    tra_parse_run(parse);
    if (!is_carved) {
        return TRA_WHOLE;
    }
    if (is_front(parse)) {
        return TRA_FRONT;
    }
    if (!parse->is_stopped || parse->check.stopped || parse->rule != TRA0001 ||
        !begins_with_chunk(parse)) {
        return TRA_WHOLE;
    }
    tra_parse inside = tra_parse_make(model, check, bytes, is_closed);
    tra_parse_inside(&inside);
    if (inside.check.stopped || inside.wants_more) {
        *parse = inside;
        return TRA_WHOLE;
    }
    if (is_enough(&inside)) {
        *parse = inside;
        return TRA_INSIDE;
    }
    return TRA_WHOLE;
}

void tra_read_part(tra_parse *parse, tra_model *model, tra_check check, fh_cursor bytes,
                   tra_part part)
{
    *parse = tra_parse_make(model, check, bytes, true);
    parse->is_fragment = part != TRA_WHOLE;
    if (part == TRA_INSIDE) {
        tra_parse_inside(parse);
    } else {
        tra_parse_run(parse);
    }
}

void tra_tell_part(const tra_parse *parse, tra_part part)
{
    const tra_model *model = parse->model;
    const char *missing = part == TRA_FRONT    ? "without its end"
                          : !parse->is_stopped ? "without its beginning"
                                               : "without its beginning and its end";
    char found[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(found, sizeof found);
    fh_value_write(fh_text_str(fh_text_str(&text, missing), ": "),
                   fh_count(model->num_bones, "bone"));
    fh_value_write(fh_text_str(&text, ", "), fh_count(model->num_keys, "key"));
    if (model->num_group_keys > 0) {
        fh_value_write(fh_text_str(&text, ", "),
                       fh_count(model->num_group_keys, "dynamic polygon key"));
    }
    tra_tell(&parse->check, TRA0130, "text", (fh_text_place){0, 1, 1}, fh_words(found),
             fh_words("a whole text"));
}
