#include "tra/tra_bac.h"

#include "tra/tra_text.h"

#include <assert.h>

const char *const tra_bac_chunk_names[TRA_BAC_NUM_CHUNKS + 1] = {
    "name", "hasChild", "hasBrother", "translate", "rotate", "handle", NULL};

/* TRA4's, but that comments may have any length: they are passed over. */
static const fh_scan_style bac_style = {.marks = "()",
                                        .comment = ';',
                                        .quote = '"',
                                        .has_form_feed = true,
                                        .most_units = FH_SCAN_MOST_UNITS};

/* The shortest text of a bone that can be used is (bone(name"")). */
enum { LEAST_BONE = 14 };

typedef struct reader {
    tra_check *check;
    tra_bac *bac;
    fh_scan scan;
    uint32_t depth; /* chunks that are open */
    uint32_t max_bones;
    bool is_stopped; /* a fault was told, or the work was stopped */
} reader;

void tra_bac_tell(const tra_check *check, enum tra_rule rule, const char *field, fh_text_place at,
                  fh_value found, fh_value expected)
{
    fh_finding finding = fh_finding_make(&tra_rules[rule], field);
    fh_finding_evidence(&finding, found, expected);
    fh_text text = fh_text_make(finding.context, sizeof finding.context);
    fh_text_hex(fh_text_str(&text, "byte "), at.off, 4);
    fh_text_put_place(fh_text_str(&text, " of the BAC6 text, "), at);
    fh_reporter_tell(check->reporter, &finding);
}

fh_token tra_bac_name(const tra_bac_bone *bone)
{
    return (fh_token){.kind = FH_TOKEN_STRING,
                      .at = bone->at,
                      .off = bone->name_off,
                      .num_units = bone->name_units};
}

/* ---- tokens ---- */

static void stop(reader *r, enum tra_rule rule, const char *field, const fh_token *token,
                 const char *expected)
{
    char found[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(found, sizeof found);
    if (r->is_stopped) {
        return;
    }
    fh_scan_show(&text, &r->scan, token);
    tra_bac_tell(r->check, rule, field, token->at, fh_words(found), fh_words(expected));
    r->is_stopped = true;
}

/* The end of the data, told with the number of chunks that are open. */
static void stop_at_end(reader *r, const fh_token *token)
{
    if (!r->is_stopped) {
        tra_bac_tell(r->check, TRA0125, "end of the data", token->at,
                     fh_count(r->depth, "open chunk"), fh_words("their closing parentheses"));
    }
    r->is_stopped = true;
}

/* The next token that is no comment. Where the text is broken, or ends, the reader has stopped. */
static fh_token next(reader *r)
{
    fh_token token;
    do {
        const size_t from = r->scan.cur.pos;
        token = fh_scan_next(&r->scan);
        if (!tra_spend(r->check, 1 + (uint64_t)(r->scan.cur.pos - from))) {
            r->is_stopped = true;
        }
    } while (token.kind == FH_TOKEN_COMMENT && !r->is_stopped);
    if (token.kind == FH_TOKEN_END) {
        stop_at_end(r, &token);
    } else if (token.kind == FH_TOKEN_CONTROL) {
        stop(r, TRA0125, "character", &token, "text");
    } else if (token.kind == FH_TOKEN_OPEN) {
        stop(r, TRA0125, "string", &token, "its closing quote on the same line");
    } else if (token.kind == FH_TOKEN_LONG) {
        stop(r, TRA0125, "token", &token, "at most 4096 characters");
    }
    return token;
}

/* ---- chunks ---- */

/* Skips until no more than `outside` chunks are open, whatever stands in them. */
static void skip_to(reader *r, uint32_t outside)
{
    while (r->depth > outside && !r->is_stopped) {
        const fh_token token = next(r);
        if (tra_is_mark(&token, '(')) {
            r->depth++;
        } else if (tra_is_mark(&token, ')')) {
            r->depth--;
        }
    }
}

/* Reads a keyword behind the opening parenthesis. */
static bool open_chunk(reader *r, fh_token *keyword)
{
    r->depth++;
    *keyword = next(r);
    if (!r->is_stopped && keyword->kind != FH_TOKEN_WORD) {
        stop(r, TRA0125, "beginning of a chunk", keyword, "a keyword");
    }
    return !r->is_stopped;
}

/* Reads up to the next child of a container; false behind the parenthesis that closes it, or
 * stopped. Words and strings between children belong to no chunk that matters, and are passed over:
 * what else a BAC6 may hold is not known. */
static bool next_child(reader *r, fh_token *keyword)
{
    for (;;) {
        const fh_token token = next(r);
        if (r->is_stopped) {
            return false;
        }
        if (tra_is_mark(&token, '(')) {
            return open_chunk(r, keyword);
        }
        if (tra_is_mark(&token, ')')) {
            r->depth--;
            return false;
        }
    }
}

/* Reads just so many parameters, and the end of the chunk. */
static bool read_parameters(reader *r, fh_token *out, uint32_t num, fh_token_kind kind,
                            const char *expected)
{
    for (uint32_t i = 0; i < num; i++) {
        out[i] = next(r);
        if (!r->is_stopped && out[i].kind != kind) {
            stop(r, TRA0125, "parameter", &out[i], expected);
        }
    }
    const fh_token end = next(r);
    if (!r->is_stopped && !tra_is_mark(&end, ')')) {
        stop(r, TRA0125, "parameter", &end, expected);
    }
    r->depth--;
    return !r->is_stopped;
}

static int find_name(const reader *r, const fh_token *keyword, const char *const *names)
{
    int i = 0;
    while (names[i] != NULL && !fh_scan_is(&r->scan, keyword, names[i])) {
        i++;
    }
    return i;
}

/* Counts a chunk that may be there once. */
static bool is_first(reader *r, const fh_token *keyword, uint32_t *given, int which)
{
    const uint32_t bit = (uint32_t)1 << which;
    if ((*given & bit) != 0) {
        stop(r, TRA0125, "chunk", keyword, "only one of them");
        return false;
    }
    *given |= bit;
    return true;
}

/* ---- bones ---- */

static void read_name(reader *r, tra_bac_bone *bone)
{
    fh_token token;
    if (!read_parameters(r, &token, 1, FH_TOKEN_STRING, "a name in double quotes")) {
        return;
    }
    bone->name_off = token.off;
    bone->name_units = token.num_units;
    if (token.num_units > TRA_MOST_NAME) {
        stop(r, TRA0125, "name", &token, "at most 255 bytes");
    }
}

static void read_flag(reader *r, bool *out)
{
    fh_token token;
    if (!read_parameters(r, &token, 1, FH_TOKEN_WORD, "true or false")) {
        return;
    }
    *out = fh_scan_is(&r->scan, &token, "true");
    if (!*out && !fh_scan_is(&r->scan, &token, "false")) {
        stop(r, TRA0125, "flag", &token, "true or false");
    }
}

static void read_point(reader *r, float out[3])
{
    const float most = 3.4028234663852886e38f;
    fh_token tokens[3];
    if (!read_parameters(r, tokens, 3, FH_TOKEN_WORD, "three numbers")) {
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        const fh_real number = fh_scan_real(&r->scan, &tokens[i]);
        out[i] = number.single;
        if (number.fault != FH_NUMBER_GOOD || out[i] > most || out[i] < -most) {
            stop(r, TRA0125, "coordinate", &tokens[i], "a decimal number in the range of a float");
        }
    }
}

static void read_bone_child(reader *r, tra_bac_bone *bone, const fh_token *keyword)
{
    const int which = find_name(r, keyword, tra_bac_chunk_names);
    if (which == TRA_BAC_NUM_CHUNKS) {
        skip_to(r, r->depth - 1);
    } else if (!is_first(r, keyword, &bone->given, which)) {
        return;
    } else if (which == TRA_BAC_NAME) {
        read_name(r, bone);
    } else if (which == TRA_BAC_HAS_CHILD) {
        read_flag(r, &bone->has_child);
    } else if (which == TRA_BAC_HAS_BROTHER) {
        read_flag(r, &bone->has_brother);
    } else {
        read_point(r, bone->points[which - TRA_BAC_TRANSLATE]);
    }
}

static void read_bone(reader *r, const fh_token *keyword)
{
    tra_bac_bone bone = {.at = keyword->at, .parent = TRA_NONE};
    fh_token child;
    while (next_child(r, &child)) {
        read_bone_child(r, &bone, &child);
    }
    if (r->is_stopped) {
        return;
    }
    if ((bone.given & 1u << TRA_BAC_NAME) == 0) {
        stop(r, TRA0125, "bone without a name", keyword, "( name \"...\" )");
        return;
    }
    assert(r->bac->num_bones < r->max_bones);
    r->bac->bones[r->bac->num_bones++] = bone;
}

/* Reads the children of one kind of a container. */
static void read_bones(reader *r)
{
    fh_token keyword;
    while (next_child(r, &keyword)) {
        if (fh_scan_is(&r->scan, &keyword, "bone")) {
            read_bone(r, &keyword);
        } else {
            skip_to(r, r->depth - 1);
        }
    }
}

static void read_groups(reader *r)
{
    fh_token keyword;
    while (next_child(r, &keyword)) {
        r->bac->num_groups += fh_scan_is(&r->scan, &keyword, "group") ? 1u : 0u;
        skip_to(r, r->depth - 1);
    }
}

/* ---- the file ---- */

static void read_version(reader *r)
{
    fh_token token;
    if (!read_parameters(r, &token, 1, FH_TOKEN_WORD, "a number")) {
        return;
    }
    const fh_real version = fh_scan_real(&r->scan, &token);
    if (version.fault != FH_NUMBER_GOOD) {
        stop(r, TRA0125, "bacVersion", &token, "a number");
    } else if (version.single < 6.0f || version.single > 6.0f) {
        stop(r, TRA0126, "bacVersion", &token, "6.0");
    }
}

static void read_head(reader *r, const fh_token *head)
{
    static const char *const names[] = {"bacVersion", NULL};
    fh_token keyword;
    uint32_t given = 0;
    while (next_child(r, &keyword)) {
        if (find_name(r, &keyword, names) > 0) {
            skip_to(r, r->depth - 1);
        } else if (is_first(r, &keyword, &given, 0)) {
            read_version(r);
        }
    }
    if (!r->is_stopped && given == 0) {
        stop(r, TRA0125, "Head without bacVersion", head, "( bacVersion 6.0 )");
    }
}

static void read_figure(reader *r, const fh_token *figure)
{
    static const char *const names[] = {"Bones", "DynamicPolygons", NULL};
    enum { BONES = 0, DYNAMIC };
    fh_token keyword;
    uint32_t given = 0;
    while (next_child(r, &keyword)) {
        const int which = find_name(r, &keyword, names);
        if (which > DYNAMIC) {
            skip_to(r, r->depth - 1);
        } else if (!is_first(r, &keyword, &given, which)) {
            return;
        } else if (which == BONES) {
            read_bones(r);
        } else {
            read_groups(r);
        }
    }
    if (!r->is_stopped && r->bac->num_bones == 0) {
        stop(r, TRA0125, "Figure without a bone", figure, "( Bones ( bone ... ) )");
    }
}

/* A chunk of the file, which has to be that one. */
static bool next_chunk(reader *r, fh_token *keyword, const char *name)
{
    const fh_token token = next(r);
    if (!r->is_stopped && !tra_is_mark(&token, '(')) {
        stop(r, TRA0125, "chunk", &token, name);
    }
    if (r->is_stopped || !open_chunk(r, keyword)) {
        return false;
    }
    if (!fh_scan_is(&r->scan, keyword, name)) {
        stop(r, TRA0125, "chunk", keyword, name);
    }
    return !r->is_stopped;
}

static bool is_letter(char c)
{
    return fh_ascii_lower(c) >= 'a' && fh_ascii_lower(c) <= 'z';
}

/* ;BAC and then no further letter: other words begin so too. */
static bool is_magic(const fh_scan *scan, const fh_token *token)
{
    char text[6];
    const size_t len = fh_scan_read(scan, token, text, sizeof text);
    const char *const magic = ";BAC";
    for (size_t i = 0; i < 4; i++) {
        if (i >= len || text[i] != magic[i]) {
            return false;
        }
    }
    /* What follows is 0 where the comment ends. */
    return token->kind == FH_TOKEN_COMMENT && !is_letter(text[4]) && !fh_is_digit(text[4]);
}

bool tra_bac_is_one(fh_cursor bytes)
{
    if (bytes.size > FH_MAX_ASSET_LEN) {
        return false;
    }
    size_t bom_len = 0;
    fh_scan scan = fh_scan_open(bytes, &bac_style, &bom_len);
    const fh_token token = fh_scan_next(&scan);
    return is_magic(&scan, &token);
}

static void read_file(reader *r)
{
    fh_token keyword = fh_scan_next(&r->scan);
    if (!tra_spend(r->check, 1 + (uint64_t)r->scan.cur.pos)) {
        r->is_stopped = true;
        return;
    }
    if (!is_magic(&r->scan, &keyword)) {
        stop(r, TRA0124, "beginning", &keyword, ";BAC");
        return;
    }
    if (next_chunk(r, &keyword, "Head")) {
        read_head(r, &keyword);
    }
    if (!r->is_stopped && next_chunk(r, &keyword, "Figure")) {
        read_figure(r, &keyword);
    }
}

const tra_bac *tra_bac_read(tra_check *check, fh_cursor bytes)
{
    size_t bom_len = 0;
    assert(bytes.size <= FH_MAX_ASSET_LEN);
    tra_bac *bac = fh_arena_alloc(check->arena, 1, sizeof *bac);
    if (bac == NULL) {
        check->no_memory = true;
        return NULL;
    }
    bac->scan = fh_scan_open(bytes, &bac_style, &bom_len);
    reader r = {.check = check, .bac = bac, .scan = bac->scan};
    r.max_bones = (uint32_t)(bytes.size / LEAST_BONE);
    bac->bones = fh_arena_alloc(check->arena, r.max_bones, sizeof *bac->bones);
    if (bac->bones == NULL) {
        check->no_memory = true;
        return NULL;
    }
    read_file(&r);
    if (r.is_stopped) {
        return NULL;
    }
    tra_bac_judge(bac, check);
    return check->stopped || check->no_memory ? NULL : bac;
}
