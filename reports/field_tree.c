#include "reports/field_tree.h"

#include <assert.h>
#include <stdlib.h>

enum { MOST_DEPTH = 16 };

fh_field_tree fh_field_tree_make(size_t len)
{
    fh_field_tree tree = {.len = len, .open = SIZE_MAX};
    tree.claims = calloc(len > 0 ? len : 1, 1);
    tree.no_memory = tree.claims == NULL;
    return tree;
}

static fh_field_node *add(fh_field_tree *tree, const fh_field *field)
{
    if (tree->num == FH_FIELD_TREE_MOST || tree->no_memory) {
        tree->is_cut = true;
        return NULL;
    }
    if (tree->num == tree->capacity) {
        const size_t capacity = tree->capacity == 0 ? 256 : 2 * tree->capacity;
        fh_field_node *nodes = realloc(tree->nodes, capacity * sizeof *nodes);
        if (nodes == NULL) {
            tree->no_memory = true;
            return NULL;
        }
        tree->nodes = nodes;
        tree->capacity = capacity;
    }
    fh_field_node *node = &tree->nodes[tree->num++];
    *node = (fh_field_node){*field, tree->open, tree->num};
    return node;
}

static void begin_group(void *user, const fh_field *group)
{
    fh_field_tree *tree = user;
    if (add(tree, group) != NULL) {
        tree->open = tree->num - 1;
    }
}

static void claim(fh_field_tree *tree, size_t off, size_t end)
{
    for (size_t i = off; i < end && !tree->no_memory; i++) {
        uint8_t *claims = &tree->claims[i];
        *claims = (uint8_t)(*claims < UINT8_MAX ? *claims + 1 : *claims);
    }
}

static void add_field(void *user, const fh_field *field)
{
    fh_field_tree *tree = user;
    claim(tree, field->off, field->off + field->len);
    (void)add(tree, field);
}

/* A tree that is cut is cut for good: no group is begun behind that, but those open end. */
static void end_group(void *user, size_t end)
{
    fh_field_tree *tree = user;
    if (tree->open == SIZE_MAX || tree->is_cut) {
        return;
    }
    fh_field_node *group = &tree->nodes[tree->open];
    group->field.len = end - group->field.off;
    claim(tree, group->field.off, tree->holds_lines ? end : group->field.off);
    group->end = tree->num;
    tree->open = group->parent;
}

fh_field_sink fh_field_tree_sink(fh_field_tree *tree)
{
    return (fh_field_sink){tree, begin_group, add_field, end_group};
}

static int compare_tops(const void *a, const void *b, void *user)
{
    const fh_field_tree *tree = user;
    const size_t left = *(const size_t *)a;
    const size_t right = *(const size_t *)b;
    const size_t left_off = tree->nodes[left].field.off;
    const size_t right_off = tree->nodes[right].field.off;
    if (left_off != right_off) {
        return left_off < right_off ? -1 : 1;
    }
    return left < right ? -1 : left > right;
}

void fh_field_tree_finish(fh_field_tree *tree)
{
    while (tree->open != SIZE_MAX) { /* cut */
        fh_field_node *group = &tree->nodes[tree->open];
        const fh_field *last = &tree->nodes[tree->num - 1].field;
        const size_t end = last->off + last->len;
        group->field.len = end > group->field.off ? end - group->field.off : 0;
        group->end = tree->num;
        tree->open = group->parent;
    }
    tree->tops = calloc(tree->num + 1, sizeof *tree->tops);
    if (tree->tops == NULL || tree->no_memory) {
        tree->no_memory = true;
        return;
    }
    for (size_t i = 0; i < tree->num; i = tree->nodes[i].end) {
        tree->tops[tree->num_tops++] = i;
    }
    qsort_r(tree->tops, tree->num_tops, sizeof *tree->tops, compare_tops, tree);
}

void fh_field_tree_free(fh_field_tree *tree)
{
    free(tree->nodes);
    free(tree->tops);
    free(tree->claims);
    *tree = (fh_field_tree){.open = SIZE_MAX};
}

void fh_field_tree_name(fh_text *out, const fh_field *field)
{
    fh_text_str(out, field->name);
    if (field->number >= 0) {
        fh_text_s64(fh_text_str(out, "_"), field->number);
    }
    if (field->is_part) {
        fh_text_hex(fh_text_str(out, "@"), field->off, 1);
    }
    if (field->index != FH_UNKNOWN) {
        fh_text_str(fh_text_s64(fh_text_str(out, "["), field->index), "]");
    }
}

void fh_field_tree_path(fh_text *out, const fh_field_tree *tree, size_t node)
{
    size_t way[MOST_DEPTH];
    size_t depth = 0;
    for (size_t at = node; at != SIZE_MAX; at = tree->nodes[at].parent) {
        assert(depth < MOST_DEPTH);
        way[depth++] = at;
    }
    for (; depth > 0; depth--) {
        fh_field_tree_name(out, &tree->nodes[way[depth - 1]].field);
        fh_text_str(out, depth > 1 ? "." : "");
    }
}
