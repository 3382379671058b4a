#include "reports/inspect.h"

#include "core/number.h"

#include <string.h>

enum { MOST_DEPTH = 16 };

/* One component: name, place, indices. */
typedef struct component {
    const char *name;
    size_t name_len;
    bool has_place, has_index;
    uint64_t place;
    uint64_t first, last;
} component;

static bool is_name_letter(char c)
{
    return (c >= 'a' && c <= 'z') || fh_is_digit(c) || c == '_';
}

/* A number, decimal or behind 0x hexadecimal; moves *text behind it. */
static bool take_number(const char **text, uint64_t *out)
{
    static const char digits[] = "0123456789abcdef";
    const bool is_hex = strncmp(*text, "0x", 2) == 0;
    const uint64_t base = is_hex ? 16 : 10;
    const char *digit = NULL;
    bool is_any = false;
    *out = 0;
    *text += is_hex ? 2 : 0;
    while (**text != '\0' && (digit = strchr(digits, **text)) != NULL &&
           (uint64_t)(digit - digits) < base && *out < UINT32_MAX) {
        *out = *out * base + (uint64_t)(digit - digits);
        is_any = true;
        (*text)++;
    }
    return is_any;
}

static bool take_indices(const char **text, component *out)
{
    out->has_index = true;
    if (**text == '*') {
        (*text)++;
        out->last = UINT64_MAX;
    } else {
        if (!take_number(text, &out->first)) {
            return false;
        }
        out->last = out->first;
        if (strncmp(*text, "..", 2) == 0) {
            *text += 2;
            if (!take_number(text, &out->last)) {
                return false;
            }
        }
    }
    return *(*text)++ == ']' && out->last >= out->first;
}

/* Takes a component and the point behind it; false where there is none. */
static bool take(const char **text, component *out)
{
    *out = (component){.name = *text};
    while (is_name_letter(**text)) {
        (*text)++;
        out->name_len++;
    }
    if (out->name_len == 0) {
        return false;
    }
    if (**text == '@') {
        (*text)++;
        out->has_place = true;
        if (!take_number(text, &out->place)) {
            return false;
        }
    }
    if (**text == '[') {
        (*text)++;
        if (!take_indices(text, out)) {
            return false;
        }
    }
    if (**text == '.') {
        (*text)++;
        return **text != '\0';
    }
    return **text == '\0';
}

bool fh_inspect_is_path(const char *path)
{
    component one;
    bool is_path = take(&path, &one);
    while (is_path && *path != '\0') {
        is_path = take(&path, &one);
    }
    return is_path;
}

static bool fits(const component *one, const fh_field *field)
{
    char buf[96];
    fh_text name = fh_text_make(buf, sizeof buf);
    fh_field bare = *field;
    bare.is_part = false;
    bare.index = FH_UNKNOWN;
    fh_field_tree_name(&name, &bare);
    const bool is_name = strlen(buf) == one->name_len && memcmp(buf, one->name, one->name_len) == 0;
    const bool is_place = !one->has_place || (field->is_part && field->off == one->place);
    const bool is_index =
        !one->has_index || (field->index != FH_UNKNOWN && (uint64_t)field->index >= one->first &&
                            (uint64_t)field->index <= one->last);
    return is_name && is_place && is_index;
}

fh_inspect_relation fh_inspect_match(const char *path, const fh_field_tree *tree, size_t node)
{
    size_t way[MOST_DEPTH];
    size_t depth = 0;
    component one;
    for (size_t at = node; at != SIZE_MAX && depth < MOST_DEPTH; at = tree->nodes[at].parent) {
        way[depth++] = at;
    }
    while (depth > 0 && *path != '\0') {
        if (!take(&path, &one) || !fits(&one, &tree->nodes[way[--depth]].field)) {
            return FH_INSPECT_APART;
        }
    }
    return *path == '\0' ? FH_INSPECT_INSIDE : FH_INSPECT_ABOVE;
}

bool fh_inspect_names_any(const char *path, const fh_field_tree *tree)
{
    bool is_any = false;
    for (size_t i = 0; i < tree->num && !is_any; i++) {
        is_any = fh_inspect_match(path, tree, i) == FH_INSPECT_INSIDE;
    }
    return is_any;
}

bool fh_inspect_gap(const fh_field_tree *tree, size_t at, size_t *first, size_t *len)
{
    while (at < tree->len && tree->claims[at] > 0) {
        at++;
    }
    *first = at;
    while (at < tree->len && tree->claims[at] == 0) {
        at++;
    }
    *len = at - *first;
    return *len > 0;
}
