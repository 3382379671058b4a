#include "reports/schema_writer.h"

#include <inttypes.h>

static const fh_schema_words ksy_words = {"and", "or", "_root.", "_index"};

static void indent(fh_out *out, int depth)
{
    fh_out_fmt(out, "%*s", 2 * depth, "");
}

/* A text between single quotes; no table has any in it. */
static void put_quoted(fh_out *out, int depth, const char *key, const char *expression)
{
    indent(out, depth);
    fh_out_fmt(out, "%s: '", key);
    fh_schema_expression(out, &ksy_words, expression);
    fh_out_str(out, "'\n");
}

static void put_doc(fh_out *out, int depth, const char *doc)
{
    if (doc != NULL) {
        indent(out, depth);
        fh_out_fmt(out, "doc: '%s'\n", doc);
    }
}

static const char *number_type(fh_item_type type)
{
    static const char *const names[] = {
        [FH_ITEM_U8] = "u1", [FH_ITEM_U16] = "u2", [FH_ITEM_U32] = "u4",
        [FH_ITEM_S8] = "s1", [FH_ITEM_S16] = "s2", [FH_ITEM_S32] = "s4",
    };
    return names[type];
}

static void put_struct_name(fh_out *out, const fh_struct *of, const char *args)
{
    fh_out_str(out, of->name);
    if (args != NULL && of->params[0] != NULL) {
        fh_out_str(out, "(");
        fh_schema_expression(out, &ksy_words, args);
        fh_out_str(out, ")");
    }
}

static void put_cases(fh_out *out, int depth, const fh_item *item)
{
    indent(out, depth);
    fh_out_str(out, "type:\n");
    put_quoted(out, depth + 1, "switch-on", item->on);
    indent(out, depth + 1);
    fh_out_str(out, "cases:\n");
    for (const fh_case *one = item->cases; one->of != NULL; one++) {
        indent(out, depth + 2);
        fh_out_fmt(out, one->value < 0 ? "%" PRId64 ": " : "0x%" PRIx64 ": ", one->value);
        put_struct_name(out, one->of, item->args);
        fh_out_str(out, "\n");
    }
    if (item->of != NULL) {
        indent(out, depth + 2);
        fh_out_str(out, "_: ");
        put_struct_name(out, item->of, item->args);
        fh_out_str(out, "\n");
    }
}

/* Bytes that are counted are one field. */
static void put_type(fh_out *out, int depth, const fh_item *item)
{
    if (item->type == FH_ITEM_SWITCH) {
        put_cases(out, depth, item);
    } else if (item->type == FH_ITEM_U8 && item->count != NULL) {
        put_quoted(out, depth, "size", item->count);
        return;
    } else {
        indent(out, depth);
        fh_out_str(out, "type: ");
        if (item->type == FH_ITEM_STRUCT) {
            put_struct_name(out, item->of, item->args);
        } else {
            fh_out_str(out, number_type(item->type));
        }
        fh_out_str(out, "\n");
    }
    if (item->count != NULL) {
        indent(out, depth);
        fh_out_str(out, "repeat: expr\n");
        put_quoted(out, depth, "repeat-expr", item->count);
    }
}

/* What a field and an instance that is read have in common. */
static void put_read(fh_out *out, int depth, const fh_item *item)
{
    put_type(out, depth, item);
    if (item->when != NULL) {
        put_quoted(out, depth, "if", item->when);
    }
    put_doc(out, depth, item->doc);
}

static bool is_in_line(const fh_item *item)
{
    return item->type != FH_ITEM_LET && item->at == NULL;
}

static void put_fields(fh_out *out, int depth, const fh_struct *of)
{
    bool is_first = true;
    for (size_t i = 0; i < of->num_items; i++) {
        if (!is_in_line(&of->items[i])) {
            continue;
        }
        if (is_first) {
            indent(out, depth);
            fh_out_str(out, "seq:\n");
        }
        is_first = false;
        indent(out, depth + 1);
        fh_out_str(out, "- id: ");
        fh_schema_name(out, of, i);
        fh_out_str(out, "\n");
        put_read(out, depth + 2, &of->items[i]);
    }
}

static void put_let(fh_out *out, int depth, const fh_item *item)
{
    indent(out, depth);
    fh_out_str(out, "value: '");
    if (item->when != NULL) {
        fh_schema_expression(out, &ksy_words, item->when);
        fh_out_str(out, " ? ");
        fh_schema_expression(out, &ksy_words, item->value);
        fh_out_str(out, " : ");
        fh_schema_expression(out, &ksy_words, item->otherwise);
    } else {
        fh_schema_expression(out, &ksy_words, item->value);
    }
    fh_out_str(out, "'\n");
}

/* Arithmetic, since not every language has bits of numbers without sign. */
static void put_bits(fh_out *out, int depth, const fh_item *item)
{
    for (const fh_bits *bits = item->bits; bits != NULL && bits->name != NULL; bits++) {
        indent(out, depth);
        fh_out_fmt(out, "%s:\n", bits->name);
        indent(out, depth + 1);
        fh_out_fmt(out, "value: '%s / 0x%" PRIx64 " %% 0x%" PRIx64 "'\n", item->name,
                   UINT64_C(1) << bits->shift, UINT64_C(1) << bits->width);
        if (item->when != NULL) {
            put_quoted(out, depth + 1, "if", item->when);
        }
    }
}

static bool has_instances(const fh_struct *of)
{
    for (size_t i = 0; i < of->num_items; i++) {
        if (!is_in_line(&of->items[i]) || of->items[i].bits != NULL) {
            return true;
        }
    }
    return false;
}

/* No layout says of every byte what it is: of those that nothing refers to it knows nothing. A
 * reader has them all the same. */
static void put_whole(fh_out *out, int depth)
{
    indent(out, depth);
    fh_out_str(out, FH_SCHEMA_WHOLE ":\n");
    put_quoted(out, depth + 1, "pos", "0");
    indent(out, depth + 1);
    fh_out_str(out, "size-eos: true\n");
    put_doc(out, depth + 1, FH_SCHEMA_WHOLE_DOC);
}

static void put_instances(fh_out *out, int depth, const fh_struct *of, bool is_root)
{
    if (has_instances(of) || is_root) {
        indent(out, depth);
        fh_out_str(out, "instances:\n");
    }
    for (size_t i = 0; i < of->num_items; i++) {
        const fh_item *item = &of->items[i];
        if (!is_in_line(item)) {
            indent(out, depth + 1);
            fh_schema_name(out, of, i);
            fh_out_str(out, ":\n");
        }
        if (item->type == FH_ITEM_LET) {
            put_let(out, depth + 2, item);
        } else if (item->at != NULL) {
            put_quoted(out, depth + 2, "pos", item->at);
            put_read(out, depth + 2, item);
        }
        put_bits(out, depth + 1, item);
    }
    if (is_root) {
        put_whole(out, depth + 1);
    }
}

static void put_struct(fh_out *out, int depth, const fh_struct *of, bool is_root)
{
    for (size_t i = 0; i < FH_SCHEMA_PARAMS && of->params[i] != NULL; i++) {
        if (i == 0) {
            indent(out, depth);
            fh_out_str(out, "params:\n");
        }
        indent(out, depth + 1);
        fh_out_fmt(out, "- id: %s\n", of->params[i]);
        indent(out, depth + 2);
        fh_out_str(out, "type: s8\n");
    }
    put_fields(out, depth, of);
    put_instances(out, depth, of, is_root);
}

void fh_schema_ksy(fh_out *out, const fh_schema *schema)
{
    fh_out_str(out, "# Made from the table by which framehound labels the bytes itself.\nmeta:\n");
    fh_out_fmt(out, "  id: %s\n  title: '%s'\n  file-extension: %s\n", schema->name, schema->title,
               schema->extension);
    fh_out_str(out, "  license: MIT\n  endian: le\n");
    put_doc(out, 0, schema->doc);
    put_struct(out, 0, schema->root, true);
    fh_out_str(out, "types:\n");
    for (size_t i = 1; i < schema->num_structs; i++) {
        fh_out_fmt(out, "  %s:\n", schema->structs[i]->name);
        put_doc(out, 2, schema->structs[i]->doc);
        put_struct(out, 2, schema->structs[i], false);
    }
}
