#include "reports/schema_writer.h"

#include <assert.h>
#include <inttypes.h>

static const fh_schema_words hexpat_words = {"&&", "||", "root_", "std::core::array_index()"};

/* Structs are known before they are used; only a struct that refers to itself has to be announced.
 */
enum { MOST_STRUCTS = 256 };

typedef struct order {
    const fh_schema *schema;
    bool is_written[MOST_STRUCTS];
} order;

static void put_expression(fh_out *out, const char *expression)
{
    fh_schema_expression(out, &hexpat_words, expression);
}

/* "key_descriptor" as KeyDescriptor. */
static void put_type_name(fh_out *out, const char *name)
{
    bool is_start = true;
    for (; *name != '\0'; name++) {
        const char letter =
            (char)(is_start && *name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name);
        if (*name != '_') {
            fh_out_bytes(out, &letter, 1);
        }
        is_start = *name == '_';
    }
}

static void put_struct_type(fh_out *out, const fh_struct *of, const char *args)
{
    put_type_name(out, of->name);
    if (args != NULL && of->params[0] != NULL) {
        fh_out_str(out, "<");
        put_expression(out, args);
        fh_out_str(out, ">");
    }
}

static const char *number_type(fh_item_type type)
{
    static const char *const names[] = {
        [FH_ITEM_U8] = "u8", [FH_ITEM_U16] = "u16", [FH_ITEM_U32] = "u32",
        [FH_ITEM_S8] = "s8", [FH_ITEM_S16] = "s16", [FH_ITEM_S32] = "s32",
    };
    return names[type];
}

/* The rest of a declaration, behind the type. */
static void put_place(fh_out *out, const fh_struct *of, size_t i)
{
    const fh_item *item = &of->items[i];
    fh_out_str(out, " ");
    fh_schema_name(out, of, i);
    if (item->count != NULL) {
        fh_out_str(out, "[");
        put_expression(out, item->count);
        fh_out_str(out, "]");
    }
    if (item->at != NULL) {
        fh_out_str(out, " @ ");
        put_expression(out, item->at);
    }
    if (item->doc != NULL) {
        fh_out_fmt(out, " [[comment(\"%s\")]]", item->doc);
    }
    fh_out_str(out, ";\n");
}

static void put_case(fh_out *out, const fh_struct *of, size_t i, const fh_case *one)
{
    fh_out_fmt(out,
               one->value < 0 ? "            (%" PRId64 "): " : "            (0x%" PRIx64 "): ",
               one->value);
    put_struct_type(out, one->of, of->items[i].args);
    put_place(out, of, i);
}

static void put_switch(fh_out *out, const fh_struct *of, size_t i)
{
    const fh_item *item = &of->items[i];
    fh_out_str(out, "        match (");
    put_expression(out, item->on);
    fh_out_str(out, ") {\n");
    for (const fh_case *one = item->cases; one->of != NULL; one++) {
        put_case(out, of, i, one);
    }
    if (item->of != NULL) {
        fh_out_str(out, "            (_): ");
        put_struct_type(out, item->of, item->args);
        put_place(out, of, i);
    }
    fh_out_str(out, "        }\n");
}

/* What others ask the first struct for is global. */
static void put_let(fh_out *out, const fh_item *item, bool is_root)
{
    fh_out_fmt(out, "    s128 %s = ", item->name);
    if (item->when != NULL) {
        fh_out_str(out, "(");
        put_expression(out, item->when);
        fh_out_str(out, ") ? (");
        put_expression(out, item->value);
        fh_out_str(out, ") : (");
        put_expression(out, item->otherwise);
        fh_out_str(out, ");\n");
    } else {
        put_expression(out, item->value);
        fh_out_str(out, ";\n");
    }
    if (is_root) {
        fh_out_fmt(out, "    root_%s = %s;\n", item->name, item->name);
    }
}

/* Only the value counts, 0 where there is none. */
static void put_peek(fh_out *out, const fh_item *item)
{
    fh_out_fmt(out, "    s128 %s = 0;\n    if (", item->name);
    put_expression(out, item->when == NULL ? "0 == 0" : item->when);
    fh_out_fmt(out, ") {\n        %s %s_read @ ", number_type(item->type), item->name);
    put_expression(out, item->at);
    fh_out_fmt(out, " [[hidden]];\n        %s = %s_read;\n    }\n", item->name, item->name);
}

static void put_bits(fh_out *out, const fh_item *item)
{
    for (const fh_bits *bits = item->bits; bits != NULL && bits->name != NULL; bits++) {
        fh_out_fmt(out, "    s128 %s = %s / 0x%" PRIx64 " %% 0x%" PRIx64 " [[export]];\n",
                   bits->name, item->name, UINT64_C(1) << bits->shift, UINT64_C(1) << bits->width);
    }
}

/* An array with fewer elements than none, or what is not there, is left out. */
static void put_condition(fh_out *out, const fh_item *item)
{
    fh_out_str(out, "    if (");
    if (item->when != NULL) {
        put_expression(out, item->when);
        fh_out_str(out, item->count != NULL ? " && " : "");
    }
    if (item->count != NULL) {
        fh_out_str(out, "(");
        put_expression(out, item->count);
        fh_out_str(out, ") > 0");
    }
    fh_out_str(out, ") {\n");
}

static void put_field(fh_out *out, const fh_struct *of, size_t i)
{
    const fh_item *item = &of->items[i];
    const bool is_free = item->when == NULL && item->count == NULL;
    if (!is_free) {
        put_condition(out, item);
    }
    if (item->type == FH_ITEM_SWITCH) {
        put_switch(out, of, i);
    } else {
        fh_out_str(out, is_free ? "    " : "        ");
        if (item->type == FH_ITEM_STRUCT) {
            put_struct_type(out, item->of, item->args);
        } else {
            fh_out_str(out, number_type(item->type));
        }
        put_place(out, of, i);
    }
    fh_out_str(out, is_free ? "" : "    }\n");
    put_bits(out, item);
}

static void put_struct(fh_out *out, const fh_struct *of, bool is_root)
{
    fh_out_str(out, "struct ");
    put_type_name(out, of->name);
    for (size_t i = 0; i < FH_SCHEMA_PARAMS && of->params[i] != NULL; i++) {
        fh_out_fmt(out, "%sauto %s", i == 0 ? "<" : ", ", of->params[i]);
    }
    fh_out_str(out, of->params[0] != NULL ? "> {\n" : " {\n");
    for (size_t i = 0; i < of->num_items; i++) {
        if (of->items[i].type == FH_ITEM_LET) {
            put_let(out, &of->items[i], is_root);
        } else if (of->items[i].is_peek) {
            put_peek(out, &of->items[i]);
        } else {
            put_field(out, of, i);
        }
    }
    fh_out_fmt(out, "}%s%s%s;\n\n", of->doc != NULL ? " [[comment(\"" : "",
               of->doc != NULL ? of->doc : "", of->doc != NULL ? "\")]]" : "");
}

/* ---- the order of structs ---- */

static bool is_known(const order *all, const fh_struct *self, const fh_struct *of)
{
    for (size_t i = 0; i < all->schema->num_structs; i++) {
        if (all->schema->structs[i] == of) {
            return all->is_written[i] || of == self;
        }
    }
    return of == NULL;
}

/* All that a struct consists of, or refers to, is known. */
static bool is_ready(const order *all, const fh_struct *of)
{
    bool is_ready = true;
    for (size_t i = 0; i < of->num_items; i++) {
        const fh_case *one = of->items[i].cases;
        is_ready = is_ready && is_known(all, of, of->items[i].of);
        for (; one != NULL && one->of != NULL; one++) {
            is_ready = is_ready && is_known(all, of, one->of);
        }
    }
    return is_ready;
}

static bool put_those_ready(fh_out *out, order *all)
{
    bool is_any = false;
    for (size_t left = all->schema->num_structs; left > 0; left--) {
        const size_t i = left - 1;
        const fh_struct *of = all->schema->structs[i];
        if (!all->is_written[i] && is_ready(all, of)) {
            put_struct(out, of, i == 0);
            all->is_written[i] = true;
            is_any = true;
        }
    }
    return is_any;
}

static bool refers_to_itself(const fh_struct *of)
{
    for (size_t i = 0; i < of->num_items; i++) {
        if (of->items[i].of == of) {
            return true;
        }
    }
    return false;
}

static void put_front(fh_out *out, const fh_schema *schema)
{
    fh_out_str(out, "// Made from the table by which framehound labels the bytes itself.\n");
    fh_out_fmt(out, "#pragma description %s\n#pragma endian little\n", schema->title);
    fh_out_str(out, "#pragma eval_depth 4096\n#pragma array_limit 0x200000\n"
                    "#pragma pattern_limit 0x2000000\n\nimport std.core;\nimport std.mem;\n\n");
    fh_out_fmt(out, "// %s\n\n", schema->doc);
    for (size_t i = 0; i < schema->root->num_items; i++) {
        if (schema->root->items[i].type == FH_ITEM_LET) {
            fh_out_fmt(out, "s128 root_%s = 0;\n", schema->root->items[i].name);
        }
    }
    for (size_t i = 0; i < schema->num_structs; i++) {
        if (refers_to_itself(schema->structs[i])) {
            fh_out_str(out, "using ");
            put_type_name(out, schema->structs[i]->name);
            fh_out_str(out, ";\n");
        }
    }
    fh_out_str(out, "\n");
}

void fh_schema_hexpat(fh_out *out, const fh_schema *schema)
{
    order all = {.schema = schema};
    assert(schema->num_structs <= MOST_STRUCTS);
    put_front(out, schema);
    while (put_those_ready(out, &all)) {
        continue; /* what was not ready may be now */
    }
    for (size_t i = 0; i < schema->num_structs; i++) {
        assert(all.is_written[i]); /* only a struct itself may be referred to in a circle */
    }
    put_type_name(out, schema->root->name);
    fh_out_fmt(out, " %s @ 0;\n", schema->name);
    fh_out_str(out, "u8 " FH_SCHEMA_WHOLE "[std::mem::size()] @ 0 [[comment(\"" FH_SCHEMA_WHOLE_DOC
                    "\")]];\n");
}
