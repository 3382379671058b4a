#include "reports/inspect.h"

#include "reports/codes.h"
#include "reports/escape.h"

#include <inttypes.h>

/* Longer arrays of numbers are told by their bytes alone. */
enum { MOST_VALUES = 4096 };

static void put_values(fh_out *out, const fh_field *field, fh_cursor bytes)
{
    const size_t num = field->width > 0 ? field->len / field->width : 0;
    if (num == 0 || num > MOST_VALUES || field->kind == FH_KIND_DATA) {
        return;
    }
    fh_out_str(out, ", \"values\": [");
    for (size_t i = 0; i < num; i++) {
        fh_out_fmt(out, i > 0 ? ", %" PRId64 : "%" PRId64, fh_field_value(field, bytes, i));
    }
    fh_out_str(out, "]");
    if (field->bits != NULL) {
        fh_out_str(out, ", \"bits\": {");
        for (const fh_bits *bits = field->bits; bits->name != NULL; bits++) {
            fh_out_fmt(out, "%s\"%s\": %" PRId64, bits > field->bits ? ", " : "", bits->name,
                       fh_bits_value(bits, fh_field_value(field, bytes, 0)));
        }
        fh_out_str(out, "}");
    }
}

static void put_rules(fh_out *out, const char *codes)
{
    const char *before = ", \"rules\": [\"";
    const char *end = "";
    fh_code code;
    while (fh_codes_next(&codes, &code)) {
        fh_out_fmt(out, "%s%.*s", before, (int)code.len, code.text);
        before = "\", \"";
        end = "\"]";
    }
    fh_out_str(out, end);
}

static void put_node(fh_out *out, const fh_inspect_asset *asset, size_t i)
{
    const fh_field *field = &asset->tree->nodes[i].field;
    char buf[256];
    fh_text path = fh_text_make(buf, sizeof buf);
    fh_field_tree_path(&path, asset->tree, i);
    fh_out_str(out, "{\"path\": ");
    fh_escape_json(out, buf);
    fh_out_fmt(out, ", \"offset\": %zu, \"length\": %zu", field->off, field->len);
    if (field->type != NULL) {
        fh_out_fmt(out, ", \"struct\": \"%s\"", field->type);
        put_rules(out, field->rules);
        fh_out_str(out, "}");
        return;
    }
    fh_out_fmt(out, ", \"kind\": \"%s\"", fh_kind_name(field->kind));
    put_values(out, field, asset->bytes);
    put_rules(out, field->rules);
    fh_out_str(out, field->is_cut ? ", \"cut\": true}" : "}");
}

static bool is_wanted(const fh_inspect_wish *wish, const fh_field *field)
{
    return !wish->has_range || (field->off < wish->end && field->off + field->len > wish->first);
}

static void put_gaps(fh_out *out, const fh_field_tree *tree)
{
    size_t first = 0;
    size_t len = 0;
    const char *before = "";
    fh_out_str(out, "], \"unclaimed\": [");
    for (size_t at = 0; fh_inspect_gap(tree, at, &first, &len); at = first + len) {
        fh_out_fmt(out, "%s{\"offset\": %zu, \"length\": %zu}", before, first, len);
        before = ", ";
    }
}

static void put_findings(fh_out *out, const fh_inspect_asset *asset)
{
    fh_out_str(out, "], \"findings\": [");
    for (size_t i = 0; i < asset->num_findings; i++) {
        const fh_inspect_finding *finding = &asset->findings[i];
        fh_out_fmt(out, "%s{\"code\": \"%s\", \"severity\": \"%s\", \"asset_offset\": ",
                   i > 0 ? ", " : "", finding->rule->code, fh_severity_name(finding->severity));
        if (finding->offset == FH_UNKNOWN) {
            fh_out_str(out, "null");
        } else {
            fh_out_fmt(out, "%" PRId64, finding->offset);
        }
        fh_out_str(out, ", \"message\": ");
        fh_escape_json(out, finding->message);
        fh_out_str(out, "}");
    }
}

void fh_inspect_json(fh_out *out, const fh_inspect_asset *asset, const fh_inspect_wish *wish)
{
    const fh_field_tree *tree = asset->tree;
    bool is_first = true;
    fh_out_str(out, "{\"type\": \"inspect\", \"path\": ");
    fh_escape_json(out, wish->path);
    fh_out_fmt(out, ", \"format\": \"%s\", \"grade\": \"%s\", \"length\": %zu, \"cut\": %s",
               wish->format, wish->grade, tree->len, tree->is_cut ? "true" : "false");
    fh_out_str(out, ", \"fields\": [");
    for (size_t k = 0; k < tree->num_tops; k++) {
        for (size_t i = tree->tops[k]; i < tree->nodes[tree->tops[k]].end; i++) {
            if (is_wanted(wish, &tree->nodes[i].field)) {
                fh_out_str(out, is_first ? "\n" : ",\n");
                put_node(out, asset, i);
                is_first = false;
            }
        }
    }
    put_gaps(out, tree);
    put_findings(out, asset);
    fh_out_str(out, "]}\n");
}
