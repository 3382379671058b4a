/* Names and paths of the entries of a tree. */
#include "source/iso_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct encoder {
    char *out; /* FH_ISO_MAX_ENCODED bytes */
    size_t len;
} encoder;

static void put_byte(encoder *to, uint32_t byte)
{
    assert(to->len + 3 < FH_ISO_MAX_ENCODED);
    static const char bytes[] = " !\"#$&'()*+,-.0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
    const char *plain = byte < 0x80 && byte != 0 ? strchr(bytes, (int)byte) : NULL;
    if (plain != NULL) {
        to->out[to->len++] = *plain;
        return;
    }
    static const char digits[] = "0123456789abcdef";
    to->out[to->len++] = '%';
    to->out[to->len++] = digits[byte >> 4 & 15];
    to->out[to->len++] = digits[byte & 15];
}

static void put_raw(encoder *to, uint32_t byte)
{
    const uint8_t value = (uint8_t)byte;
    memcpy(to->out + to->len++, &value, 1);
}

/* One character of Joliet. Halves of pairs cannot be written as UTF-8. */
static void put_character(encoder *to, uint32_t c)
{
    if (c < 0x80) {
        put_byte(to, c);
    } else if (c < 0x800) {
        put_raw(to, 0xc0 | c >> 6);
        put_raw(to, 0x80 | (c & 0x3f));
    } else if (c < 0x10000) {
        const uint32_t whole = c >= 0xd800 && c < 0xe000 ? 0xfffd : c;
        put_raw(to, 0xe0 | whole >> 12);
        put_raw(to, 0x80 | (whole >> 6 & 0x3f));
        put_raw(to, 0x80 | (whole & 0x3f));
    } else {
        put_raw(to, 0xf0 | c >> 18);
        put_raw(to, 0x80 | (c >> 12 & 0x3f));
        put_raw(to, 0x80 | (c >> 6 & 0x3f));
        put_raw(to, 0x80 | (c & 0x3f));
    }
}

static uint32_t next_unit(fh_cursor *cur)
{
    return __builtin_bswap16(fh_cursor_u16(cur));
}

static void encode_joliet(encoder *to, fh_cursor cur)
{
    while (fh_cursor_left(&cur) >= 2) {
        const uint32_t unit = next_unit(&cur);
        fh_cursor ahead = cur;
        const uint32_t low = fh_cursor_left(&ahead) >= 2 ? next_unit(&ahead) : 0;
        if (unit >= 0xd800 && unit < 0xdc00 && low >= 0xdc00 && low < 0xe000) {
            put_character(to, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
            cur = ahead;
        } else {
            put_character(to, unit);
        }
    }
    if (fh_cursor_left(&cur) > 0) {
        put_byte(to, fh_cursor_u8(&cur)); /* half a character: damage, and kept as such */
    }
}

size_t fh_iso_encode(char out[FH_ISO_MAX_ENCODED], const fh_cursor *name, bool is_joliet)
{
    encoder to = {.out = out};
    fh_cursor cur = fh_cursor_sub(name, 0, name->size);
    assert(name->size <= 255);
    if (is_joliet) {
        encode_joliet(&to, cur);
    } else {
        while (fh_cursor_left(&cur) > 0) {
            put_byte(&to, fh_cursor_u8(&cur));
        }
    }
    out[to.len] = '\0';
    return to.len;
}

static bool grow_names(fh_iso_walk *walk, size_t len)
{
    fh_iso_tree *tree = walk->tree;
    if (tree->max_names - tree->names_len >= len) {
        return true;
    }
    const size_t max = 2 * (tree->max_names + len);
    char *names = realloc(tree->names, max);
    if (names == NULL) {
        walk->no_memory = true;
        return false;
    }
    tree->names = names;
    tree->max_names = max;
    return true;
}

bool fh_iso_add_name(fh_iso_walk *walk, uint32_t *out, uint16_t *len, const fh_cursor *name)
{
    fh_iso_tree *tree = walk->tree;
    char encoded[FH_ISO_MAX_ENCODED];
    const size_t num = fh_iso_encode(encoded, name, walk->is_joliet);
    if (FH_ISO_MAX_NAMES - tree->names_len <= num || !grow_names(walk, num + 1)) {
        return false;
    }
    memcpy(tree->names + tree->names_len, encoded, num + 1);
    *out = (uint32_t)tree->names_len;
    *len = (uint16_t)num;
    tree->names_len += num + 1;
    return true;
}

const char *fh_iso_name(const fh_iso_tree *tree, size_t file)
{
    assert(file < tree->num_files);
    return tree->names + tree->files[file].name;
}

/* How much of a name is shown: all but the version 1. */
static size_t shown_len(const char *name)
{
    const size_t len = strlen(name);
    return len > 2 && strcmp(name + len - 2, ";1") == 0 ? len - 2 : len;
}

void fh_iso_path(char out[FH_ISO_MAX_PATH], const fh_iso_tree *tree, size_t file)
{
    assert(file < tree->num_files);
    size_t at = tree->files[file].path_len;
    assert(at < FH_ISO_MAX_PATH);
    out[at] = '\0';
    for (size_t i = file; i != 0; i = tree->files[i].parent) {
        const char *name = fh_iso_name(tree, i);
        const size_t len = strlen(name);
        assert(at > len);
        at -= len;
        memcpy(out + at, name, len);
        out[--at] = '/';
    }
    assert(at == 0);
    if (file == 0) {
        out[0] = '/';
        out[1] = '\0';
    } else if (!fh_iso_is_directory(&tree->files[file])) {
        out[tree->files[file].path_len - strlen(fh_iso_name(tree, file)) +
            shown_len(fh_iso_name(tree, file))] = '\0';
    }
}

/* Names of a path need not be unique: a hostile directory may hold one twice. The first counts. */
size_t fh_iso_find(const fh_iso_tree *tree, const char *path)
{
    char own[FH_ISO_MAX_PATH];
    const size_t len = strlen(path);
    for (size_t i = 0; i < tree->num_files; i++) {
        const size_t path_len = tree->files[i].path_len;
        if (path_len != len && path_len != len + 2 && i != 0) {
            continue;
        }
        fh_iso_path(own, tree, i);
        if (strcmp(own, path) == 0 ||
            (i != 0 && path_len == len && strncmp(own, path, strlen(own)) == 0 &&
             strcmp(path + strlen(own), ";1") == 0)) {
            return i;
        }
    }
    return FH_ISO_NO_FILE;
}
