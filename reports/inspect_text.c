#include "reports/inspect.h"

#include "reports/codes.h"
#include "reports/escape.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_SHOWN = 8, BYTES_COLUMNS = 3 * BYTES_SHOWN, VALUES_SHOWN = 9, TEXT_SHOWN = 60 };

typedef struct view {
    fh_out *out;
    const fh_inspect_asset *asset;
    const fh_inspect_wish *wish;
    bool *is_told; /* of each finding, owned */
    size_t gap;    /* bytes in front of it have been looked at for gaps */
} view;

/* ---- colours and kinds ---- */

static const struct {
    char letter;
    const char *colour; /* of a terminal */
} kinds[FH_NUM_KINDS] = {
    [FH_KIND_VALUE] = {'V', "32"},   [FH_KIND_NAME] = {'N', "1"},   [FH_KIND_COUNT] = {'C', "36"},
    [FH_KIND_POINTER] = {'P', "34"}, [FH_KIND_FLAGS] = {'F', "33"}, [FH_KIND_COLOUR] = {'K', "35"},
    [FH_KIND_DATA] = {'D', "90"},    [FH_KIND_PAD] = {'-', "2"},
};

static void paint(const view *v, const char *colour)
{
    if (v->wish->is_coloured) {
        fh_out_fmt(v->out, "\033[%sm", colour);
    }
}

static const char *colour_of(fh_severity severity)
{
    return severity == FH_ERROR ? "1;31" : severity == FH_WARNING ? "1;33" : "1;36";
}

/* ---- parts of a line ---- */

static void put_offset(const view *v, size_t off)
{
    fh_out_fmt(v->out, "0x%06zx  ", off);
}

/* The first bytes of a range, as wide as BYTES_COLUMNS. */
static void put_bytes(const view *v, size_t off, size_t len)
{
    const size_t shown = len > BYTES_SHOWN ? BYTES_SHOWN - 1 : len;
    for (size_t i = 0; i < shown; i++) {
        fh_out_fmt(v->out, "%02x ", v->asset->bytes.base[off + i]);
    }
    fh_out_fmt(v->out, "%-*s", (int)(BYTES_COLUMNS - 3 * shown), len > shown ? ".." : "");
}

static void put_indent(const view *v, unsigned depth)
{
    fh_out_fmt(v->out, "  %*s", (int)(2 * depth), "");
}

static void put_name(const view *v, const fh_field *field)
{
    char buf[96];
    fh_text name = fh_text_make(buf, sizeof buf);
    fh_field_tree_name(&name, field);
    fh_escape_text(v->out, buf);
}

static void put_number(const view *v, const fh_field *field, int64_t number)
{
    const bool is_hex = field->kind == FH_KIND_POINTER || field->kind == FH_KIND_FLAGS ||
                        field->kind == FH_KIND_NAME || field->bits != NULL;
    if (is_hex && number > 9) {
        fh_out_fmt(v->out, "0x%" PRIx64, (uint64_t)number);
    } else {
        fh_out_fmt(v->out, "%" PRId64, number);
    }
}

static void put_word(const view *v, const fh_field *field)
{
    char buf[TEXT_SHOWN + 1];
    size_t len = 0;
    for (size_t i = 0; i < field->len && len < TEXT_SHOWN; i++) {
        const char letter = (char)v->asset->bytes.base[field->off + i];
        if (letter != '\0') { /* half of a letter of UTF-16 */
            buf[len++] = letter;
        }
    }
    buf[len] = '\0';
    fh_escape_text(v->out, buf);
    fh_out_str(v->out, len == TEXT_SHOWN ? " .." : "");
}

static void put_values(const view *v, const fh_field *field)
{
    if (field->width == 0) {
        put_word(v, field);
        return;
    }
    const size_t num = field->len / field->width;
    if (field->kind == FH_KIND_DATA && num > 1) {
        fh_out_count(v->out, field->len, "byte");
        return;
    }
    for (size_t i = 0; i < num && i < VALUES_SHOWN; i++) {
        fh_out_str(v->out, i > 0 ? ", " : "");
        put_number(v, field, fh_field_value(field, v->asset->bytes, i));
    }
    if (num > VALUES_SHOWN) {
        fh_out_fmt(v->out, " .. (%zu of them)", num);
    }
}

static void put_bits(const view *v, const fh_field *field)
{
    if (field->bits == NULL || field->len < field->width) {
        return;
    }
    const char *before = " (";
    for (const fh_bits *bits = field->bits; bits->name != NULL; bits++) {
        fh_out_fmt(v->out, "%s%s %" PRId64, before, bits->name,
                   fh_bits_value(bits, fh_field_value(field, v->asset->bytes, 0)));
        before = ", ";
    }
    fh_out_str(v->out, ")");
}

/* ---- findings ---- */

static void put_finding(const view *v, const fh_inspect_finding *finding, unsigned depth)
{
    fh_out_fmt(v->out, "%*s", 10 + BYTES_COLUMNS + 3, "");
    put_indent(v, depth);
    paint(v, colour_of(finding->severity));
    fh_out_fmt(v->out, "^ %s %s: ", finding->rule->code, fh_severity_name(finding->severity));
    fh_escape_text(v->out, finding->message);
    paint(v, "0");
    fh_out_str(v->out, "\n");
}

static bool is_at(const fh_inspect_finding *finding, size_t off, size_t len)
{
    return finding->offset >= 0 && (uint64_t)finding->offset >= off &&
           (uint64_t)finding->offset - off < len;
}

/* Those that have their place in a range and have not been told. */
static void put_findings(view *v, size_t off, size_t len, unsigned depth)
{
    for (size_t i = 0; i < v->asset->num_findings; i++) {
        if (!v->is_told[i] && is_at(&v->asset->findings[i], off, len)) {
            v->is_told[i] = true;
            put_finding(v, &v->asset->findings[i], depth);
        }
    }
}

static bool has_findings(const view *v, const fh_field *field)
{
    for (size_t i = 0; i < v->asset->num_findings; i++) {
        if (!v->is_told[i] && is_at(&v->asset->findings[i], field->off, field->len)) {
            return true;
        }
    }
    return false;
}

/* ---- rules ---- */

static const char *title_of(const view *v, const fh_code *code)
{
    for (size_t i = 0; i < v->wish->num_rules; i++) {
        const fh_rule *rule = &v->wish->rules[i];
        if (strncmp(rule->code, code->text, code->len) == 0 && rule->code[code->len] == '\0') {
            return rule->title;
        }
    }
    return "";
}

/* A line for each rule that looks at a field, or at a group as a whole. */
static void put_rules(const view *v, const fh_field *field)
{
    const char *codes = v->wish->has_rules ? field->rules : NULL;
    fh_code code;
    while (fh_codes_next(&codes, &code)) {
        fh_out_fmt(v->out, "%*s", 10 + BYTES_COLUMNS + 3, "");
        put_indent(v, field->depth);
        paint(v, "2");
        fh_out_fmt(v->out, "| %.*s %s", (int)code.len, code.text, title_of(v, &code));
        paint(v, "0");
        fh_out_str(v->out, "\n");
    }
}

/* ---- lines ---- */

static void put_field(view *v, const fh_field *field)
{
    put_offset(v, field->off);
    paint(v, kinds[field->kind].colour);
    put_bytes(v, field->off, field->len);
    fh_out_fmt(v->out, " %c", kinds[field->kind].letter);
    put_indent(v, field->depth);
    put_name(v, field);
    fh_out_str(v->out, ": ");
    put_values(v, field);
    put_bits(v, field);
    paint(v, "0");
    fh_out_str(v->out, field->is_cut ? " (the file ends here)" : "");
    if (field->doc != NULL) {
        paint(v, "2");
        fh_out_fmt(v->out, "  # %s", field->doc);
        paint(v, "0");
    }
    fh_out_str(v->out, "\n");
    put_rules(v, field);
    put_findings(v, field->off, field->len, field->depth);
}

static void put_group(view *v, const fh_field *field)
{
    put_offset(v, field->off);
    fh_out_fmt(v->out, "%-*s", BYTES_COLUMNS + 2, "");
    put_indent(v, field->depth);
    paint(v, "1");
    put_name(v, field);
    paint(v, "0");
    fh_out_fmt(v->out, ": %s, ", field->type);
    fh_out_count(v->out, field->len, "byte");
    fh_out_fmt(v->out, "%s%s\n", field->doc != NULL ? "  # " : "",
               field->doc != NULL ? field->doc : "");
    put_rules(v, field);
}

/* A group that is folded, or several of a kind that lie behind one another. */
static void put_folded(view *v, const fh_field *first, const fh_field *last, size_t num)
{
    const size_t end = last->off + last->len;
    put_offset(v, first->off);
    put_bytes(v, first->off, end - first->off);
    fh_out_str(v->out, " +");
    put_indent(v, first->depth);
    paint(v, "1");
    put_name(v, first);
    if (num > 1) {
        fh_out_str(v->out, " .. ");
        put_name(v, last);
    }
    paint(v, "0");
    fh_out_str(v->out, ": ");
    if (num > 1) {
        fh_out_fmt(v->out, "%zu x ", num);
    }
    fh_out_fmt(v->out, "%s, ", first->type);
    fh_out_count(v->out, end - first->off, "byte");
    fh_out_str(v->out, "\n");
    put_findings(v, first->off, end - first->off, first->depth);
}

static void put_gap(view *v, size_t off, size_t len)
{
    bool is_zero = true;
    for (size_t i = 0; i < len; i++) {
        is_zero = is_zero && v->asset->bytes.base[off + i] == 0;
    }
    put_offset(v, off);
    paint(v, "7");
    put_bytes(v, off, len);
    fh_out_str(v->out, " ?");
    paint(v, "0");
    fh_out_str(v->out, "  ");
    fh_out_count(v->out, len, "byte");
    fh_out_fmt(v->out, " that no field claims%s\n", is_zero ? ", all 0" : "");
    put_findings(v, off, len, 0);
}

/* ---- the tree ---- */

static bool is_in_range(const view *v, size_t off, size_t len)
{
    return !v->wish->has_range || (off < v->wish->end && off + len > v->wish->first);
}

/* Looks no further than `to`, or every field of a long asset would look through all that follows.
 */
static void put_gaps(view *v, size_t to)
{
    const fh_field_tree *tree = v->asset->tree;
    size_t first = 0;
    size_t len = 0;
    while (v->gap < to) {
        if (v->gap < tree->len && tree->claims[v->gap] == 0 &&
            fh_inspect_gap(tree, v->gap, &first, &len)) {
            if (is_in_range(v, first, len)) {
                put_gap(v, first, len);
            }
            v->gap = first + len;
        } else {
            v->gap++;
        }
    }
}

static bool is_unfolded(const view *v, size_t node)
{
    const fh_field *field = &v->asset->tree->nodes[node].field;
    if (field->depth + 1 < v->wish->depth || v->wish->has_range || has_findings(v, field)) {
        return true;
    }
    for (size_t i = 0; i < v->wish->num_unfolds; i++) {
        if (fh_inspect_match(v->wish->unfolds[i], v->asset->tree, node) != FH_INSPECT_APART) {
            return true;
        }
    }
    return false;
}

static bool is_alike(const fh_field *a, const fh_field *b)
{
    return a->type != NULL && b->type != NULL && strcmp(a->type, b->type) == 0 &&
           strcmp(a->name, b->name) == 0 && a->number == b->number && b->off == a->off + a->len;
}

/* Runs of folded groups: list[k..] are the nodes of a level. Returns how many are in one. */
static size_t run_of(const view *v, const size_t *list, size_t num)
{
    const fh_field_tree *tree = v->asset->tree;
    size_t len = 1;
    while (len < num &&
           is_alike(&tree->nodes[list[len - 1]].field, &tree->nodes[list[len]].field) &&
           !is_unfolded(v, list[len])) {
        len++;
    }
    return len;
}

/* Prints what is not folded below a node, in the order of the nodes: children follow their group.
 * A node may have many children, so those of a kind are looked for from each one on. */
static void put_inside(view *v, size_t node)
{
    const fh_field_tree *tree = v->asset->tree;
    size_t i = node;
    while (i < tree->nodes[node].end) {
        const fh_field_node *at = &tree->nodes[i];
        if (!is_in_range(v, at->field.off, at->field.len)) {
            i = at->end;
        } else if (at->field.type == NULL) {
            put_field(v, &at->field);
            i++;
        } else if (is_unfolded(v, i)) {
            put_group(v, &at->field);
            i++;
        } else {
            size_t last = i;
            size_t num = 1;
            while (tree->nodes[last].end < tree->nodes[node].end &&
                   tree->nodes[tree->nodes[last].end].parent == at->parent &&
                   is_alike(&tree->nodes[last].field, &tree->nodes[tree->nodes[last].end].field) &&
                   !is_unfolded(v, tree->nodes[last].end)) {
                last = tree->nodes[last].end;
                num++;
            }
            put_folded(v, &at->field, &tree->nodes[last].field, num);
            i = tree->nodes[last].end;
        }
    }
}

static void put_tops(view *v)
{
    const fh_field_tree *tree = v->asset->tree;
    for (size_t k = 0; k < tree->num_tops;) {
        const fh_field_node *top = &tree->nodes[tree->tops[k]];
        size_t num = 1;
        put_gaps(v, top->field.off);
        if (top->field.type != NULL && !is_unfolded(v, tree->tops[k])) {
            num = run_of(v, &tree->tops[k], tree->num_tops - k);
            put_folded(v, &top->field, &tree->nodes[tree->tops[k + num - 1]].field, num);
        } else {
            put_inside(v, tree->tops[k]);
        }
        k += num;
    }
    put_gaps(v, tree->len);
}

static void put_head(const view *v)
{
    const fh_field_tree *tree = v->asset->tree;
    fh_escape_text(v->out, v->wish->path);
    fh_out_fmt(v->out, ": %s, %s, ", v->wish->format, v->wish->grade);
    fh_out_count(v->out, tree->len, "byte");
    fh_out_str(v->out, ", ");
    fh_out_count(v->out, v->asset->num_findings, "finding");
    fh_out_str(
        v->out,
        ", not replayed\nN name, C count, P pointer, F flags, V value, K colour, D data, - unused, "
        "? no field, + folded\n");
}

static void put_placeless(view *v)
{
    for (size_t i = 0; i < v->asset->num_findings; i++) {
        if (!v->is_told[i] && !v->wish->has_range) {
            fh_out_str(v->out, v->asset->findings[i].offset == FH_UNKNOWN
                                   ? "of the asset as a whole:\n"
                                   : "behind the last byte:\n");
            put_finding(v, &v->asset->findings[i], 0);
        }
    }
}

void fh_inspect_text(fh_out *out, const fh_inspect_asset *asset, const fh_inspect_wish *wish)
{
    view v = {.out = out, .asset = asset, .wish = wish};
    v.is_told = calloc(asset->num_findings + 1, sizeof *v.is_told);
    if (v.is_told == NULL) {
        out->error = out->error != 0 ? out->error : ENOMEM;
        return;
    }
    put_head(&v);
    put_tops(&v);
    put_placeless(&v);
    if (asset->tree->is_cut) {
        fh_out_fmt(out, "only the first %zu fields are shown\n", asset->tree->num);
    }
    free(v.is_told);
}
