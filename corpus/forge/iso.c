#include "forge/iso.h"

#include "forge/buf.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_NODES = 8192,
    MAX_LEVELS = 8, /* ECMA-119, 6.8.2.1, the root included */
    MAX_DIR_NAME = 31,
    MAX_FILE_NAME = 30, /* name and extension at level 2, without the version */
    MAX_IDENTIFIER = 32,
    RECORD_LEN = 33, /* of a directory record, without the name */
    XA_LEN = 14,
    PATH_RECORD_LEN = 8,
    NUM_DESCRIPTORS = 2,
    PLAIN_SUBMODE = 0x08,      /* data */
    DESCRIPTOR_SUBMODE = 0x09, /* data, end of record */
    LAST_SUBMODE = 0x89        /* data, end of record, end of file */
};

/* One directory or file. The name is the identifier as recorded; the root's is a single 0. */
typedef struct node {
    char name[MAX_IDENTIFIER];
    size_t name_len;
    size_t parent;
    bool is_dir;
    uint16_t dir_number; /* place in the path table, from 1 */
    size_t first_child;  /* in the order list */
    size_t num_children;
    forge_iso_extent extent;
    uint32_t num_more; /* records besides the first, each with an extent of its own */
} node;

struct forge_iso {
    char volume[MAX_IDENTIFIER + 1];
    char system[MAX_IDENTIFIER + 1];
    bool xa;
    node *nodes; /* owned; nodes[0] is the root */
    size_t num_nodes;
    size_t room;
    node **order; /* owned; the children of each directory together, sorted by name */
    node **dirs;  /* owned; directories in the order of the path table */
    size_t num_dirs;
    uint32_t first; /* block of the primary descriptor */
    uint32_t path_len;
    uint32_t path_blocks;
    uint32_t num_blocks;
    uint8_t *blocks;   /* owned */
    uint8_t *submodes; /* owned; one for each block */
};

static void copy_name(char *out, const char *name)
{
    size_t len = strlen(name);
    assert(len <= MAX_IDENTIFIER);
    memcpy(out, name, len + 1);
}

forge_iso *forge_iso_new(const char *volume, const char *system, bool xa)
{
    forge_iso *iso = calloc(1, sizeof *iso);
    node *root = calloc(1, sizeof *root);
    if (iso == NULL || root == NULL) {
        free(iso);
        free(root);
        return NULL;
    }
    copy_name(iso->volume, volume);
    copy_name(iso->system, system);
    iso->xa = xa;
    root->is_dir = true;
    root->name_len = 1;
    iso->nodes = root;
    iso->num_nodes = 1;
    iso->room = 1;
    return iso;
}

void forge_iso_free(forge_iso *iso)
{
    if (iso != NULL) {
        free(iso->nodes);
        free(iso->order);
        free(iso->dirs);
        free(iso->blocks);
        free(iso->submodes);
        free(iso);
    }
}

/* ---- names ---- */

static bool is_d_character(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static char upper(char c)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (c < 'a' || c > 'z') {
        return c;
    }
    return letters[c - 'a'];
}

bool forge_iso_name_ok(const char *name, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (!is_d_character(name[i])) {
            return false;
        }
    }
    return len > 0 && len <= MAX_IDENTIFIER;
}

/* Fills in the name of a directory, or of a file: at most one dot, always one, and version 1
 * (ECMA-119, 7.5.1). A version that is already there is kept as it is meant. */
static bool make_name(node *out, const char *text, size_t len, bool is_dir)
{
    size_t dots = 0;
    if (!is_dir && len > 2 && memcmp(text + len - 2, ";1", 2) == 0) {
        len -= 2;
    }
    if (len == 0 || len > (is_dir ? MAX_DIR_NAME : MAX_FILE_NAME)) {
        return false;
    }
    for (size_t i = 0; i < len; i++) {
        out->name[i] = upper(text[i]);
        dots += text[i] == '.' ? 1 : 0;
        if (!is_d_character(out->name[i]) && text[i] != '.') {
            return false;
        }
    }
    out->name_len = len;
    out->is_dir = is_dir;
    if (is_dir) {
        return dots == 0;
    }
    if (dots == 0 && len < MAX_FILE_NAME) {
        out->name[out->name_len++] = '.';
    }
    if (out->name_len + 2 > sizeof out->name) {
        return false;
    }
    memcpy(out->name + out->name_len, ";1", 2);
    out->name_len += 2;
    return dots <= 1;
}

static bool same_name(const node *a, const node *b)
{
    return a->name_len == b->name_len && memcmp(a->name, b->name, a->name_len) == 0;
}

/* The number of the node of that name in that directory, or 0 (the root is nobody's child). */
static size_t find_child(const forge_iso *iso, const node *wanted)
{
    for (size_t i = 1; i < iso->num_nodes; i++) {
        if (iso->nodes[i].parent == wanted->parent && same_name(&iso->nodes[i], wanted)) {
            return i;
        }
    }
    return 0;
}

static bool add_node(forge_iso *iso, forge_error *err, unsigned line, const node *entry)
{
    if (iso->num_nodes == MAX_NODES) {
        return forge_fail(err, FORGE_BAD, line, "more than %d files and directories", MAX_NODES);
    }
    if (iso->num_nodes == iso->room) {
        size_t room = iso->room * 2;
        node *nodes = realloc(iso->nodes, room * sizeof *nodes);
        if (nodes == NULL) {
            return forge_fail(err, FORGE_IO, line, "out of memory");
        }
        iso->nodes = nodes;
        iso->room = room;
    }
    iso->nodes[iso->num_nodes++] = *entry;
    return true;
}

/* Walks or makes one step of a path; *at is the directory and then the node. */
static bool enter(forge_iso *iso, forge_error *err, unsigned line, const node *entry, size_t *at)
{
    size_t found = find_child(iso, entry);
    if (found != 0 && !entry->is_dir) {
        return forge_fail(err, FORGE_BAD, line, "the volume has a file '%.*s' there already",
                          (int)entry->name_len, entry->name);
    }
    if (found == 0) {
        found = iso->num_nodes;
        if (!add_node(iso, err, line, entry)) {
            return false;
        }
    }
    *at = found;
    return true;
}

static bool name_error(forge_error *err, unsigned line, const char *at, size_t len)
{
    return forge_fail(err, FORGE_BAD, line,
                      "'%.*s' cannot be a name in the volume, expected 1..%d letters, digits and "
                      "underscores, in a file name with at most one dot",
                      (int)(len > MAX_IDENTIFIER ? MAX_IDENTIFIER : len), at, MAX_FILE_NAME);
}

bool forge_iso_add(forge_iso *iso, forge_error *err, unsigned line, const char *path, size_t len,
                   size_t *file)
{
    assert(iso->order == NULL);
    size_t at = 0;
    for (int level = 2;; level++) {
        const char *slash = memchr(path, '/', len);
        size_t part = slash != NULL ? (size_t)(slash - path) : len;
        node entry = {.parent = at};
        if (!make_name(&entry, path, part, slash != NULL)) {
            return name_error(err, line, path, part);
        }
        if (level > MAX_LEVELS) {
            return forge_fail(err, FORGE_BAD, line,
                              "the path is too deep, expected at most %d levels with the root",
                              MAX_LEVELS);
        }
        if (!enter(iso, err, line, &entry, &at)) {
            return false;
        }
        if (slash == NULL) {
            *file = at;
            return true;
        }
        path += part + 1;
        len -= part + 1;
    }
}

/* ---- layout ---- */

/* Names differ from padded ones only where one is the beginning of the other, so comparing bytes
 * gives the order of ECMA-119, 9.3. */
static int by_name(const void *a, const void *b)
{
    const node *left = *(node *const *)a;
    const node *right = *(node *const *)b;
    size_t len = left->name_len < right->name_len ? left->name_len : right->name_len;
    int order = memcmp(left->name, right->name, len);
    return order != 0 ? order
                      : (left->name_len > right->name_len) - (left->name_len < right->name_len);
}

/* Breadth first: directories come out by level, then parent, then name, which is the order of the
 * path table (ECMA-119, 6.9.1). */
static void sort_tree(forge_iso *iso)
{
    size_t used = 0;
    iso->dirs[0] = &iso->nodes[0];
    iso->num_dirs = 1;
    for (size_t d = 0; d < iso->num_dirs; d++) {
        node *dir = iso->dirs[d];
        size_t number = (size_t)(dir - iso->nodes);
        dir->dir_number = (uint16_t)(d + 1);
        dir->first_child = used;
        for (size_t i = 1; i < iso->num_nodes; i++) {
            if (iso->nodes[i].parent == number) {
                iso->order[used++] = &iso->nodes[i];
            }
        }
        dir->num_children = used - dir->first_child;
        qsort(iso->order + dir->first_child, dir->num_children, sizeof(node *), by_name);
        for (size_t i = dir->first_child; i < used; i++) {
            if (iso->order[i]->is_dir) {
                iso->dirs[iso->num_dirs++] = iso->order[i];
            }
        }
    }
}

static size_t record_len(const forge_iso *iso, size_t name_len)
{
    return RECORD_LEN + name_len + (name_len % 2 == 0 ? 1 : 0) + (iso->xa ? XA_LEN : 0);
}

/* Where a record of len bytes goes: records do not cross blocks. */
static size_t record_place(size_t at, size_t len)
{
    size_t left = FORGE_ISO_BLOCK - at % FORGE_ISO_BLOCK;
    return left < len ? at + left : at;
}

static uint32_t blocks_of(size_t len)
{
    return (uint32_t)((len + FORGE_ISO_BLOCK - 1) / FORGE_ISO_BLOCK);
}

static uint32_t directory_blocks(const forge_iso *iso, const node *dir)
{
    size_t at = 2 * record_len(iso, 1);
    for (size_t i = 0; i < dir->num_children; i++) {
        const node *child = iso->order[dir->first_child + i];
        size_t len = record_len(iso, child->name_len);
        for (uint32_t k = 0; k <= child->num_more; k++) {
            at = record_place(at, len) + len;
        }
    }
    return blocks_of(at);
}

static size_t path_record_len(const node *dir)
{
    return PATH_RECORD_LEN + dir->name_len + dir->name_len % 2;
}

bool forge_iso_plan(forge_iso *iso, forge_error *err, uint32_t first, uint32_t *num_blocks)
{
    iso->order = calloc(iso->num_nodes, sizeof *iso->order);
    iso->dirs = calloc(iso->num_nodes, sizeof *iso->dirs);
    if (iso->order == NULL || iso->dirs == NULL) {
        return forge_fail(err, FORGE_IO, 0, "out of memory");
    }
    sort_tree(iso);
    size_t path_len = 0;
    for (size_t i = 0; i < iso->num_dirs; i++) {
        path_len += path_record_len(iso->dirs[i]);
    }
    iso->first = first;
    iso->path_len = (uint32_t)path_len;
    iso->path_blocks = blocks_of(path_len);
    uint32_t used = NUM_DESCRIPTORS + 2 * iso->path_blocks;
    for (size_t i = 0; i < iso->num_dirs; i++) {
        uint32_t blocks = directory_blocks(iso, iso->dirs[i]);
        iso->dirs[i]->extent =
            (forge_iso_extent){.block = first + used, .size = blocks * FORGE_ISO_BLOCK};
        used += blocks;
    }
    iso->num_blocks = used;
    *num_blocks = used;
    return true;
}

void forge_iso_split(forge_iso *iso, size_t file, uint32_t num)
{
    assert(file < iso->num_nodes && !iso->nodes[file].is_dir && num > 0 && iso->order == NULL);
    iso->nodes[file].num_more = num - 1;
}

void forge_iso_place(forge_iso *iso, size_t file, const forge_iso_extent *extent)
{
    assert(file < iso->num_nodes && !iso->nodes[file].is_dir);
    iso->nodes[file].extent = *extent;
}

/* ---- rendering ---- */

static void put_both16(uint8_t *at, uint16_t value)
{
    forge_put_u16(at, value);
    forge_put_u16be(at + 2, value);
}

static void put_both32(uint8_t *at, uint32_t value)
{
    forge_put_u32(at, value);
    forge_put_u32be(at + 4, value);
}

/* Every date is that of the TOD manual, so that the same description gives the same bytes. */
static void put_record_date(uint8_t *at)
{
    static const uint8_t date[7] = {95, 3, 20, 0, 0, 0, 0};
    memcpy(at, date, sizeof date);
}

/* Owner (0), attributes, mark, file number. 0x0555 lets everybody read and execute. */
static void put_xa(uint8_t *at, const node *entry)
{
    const forge_iso_extent *extent = &entry->extent;
    unsigned attributes = 0x0555;
    if (entry->is_dir) {
        attributes |= 0x8800;
    } else if (extent->mixed) {
        attributes |= 0x3800;
    } else {
        attributes |= extent->form2 ? 0x1000 : 0x0800;
    }
    forge_put_u16be(at + 4, (uint16_t)attributes);
    memcpy(at + 6, "XA", 2);
    at[8] = extent->xa_file;
}

/* Writes a record under a name that need not be the entry's own ("." and ".."). */
static size_t put_record(uint8_t *at, const node *entry, const char *name, size_t name_len, bool xa)
{
    size_t fixed = RECORD_LEN + name_len + (name_len % 2 == 0 ? 1 : 0);
    size_t len = fixed + (xa ? XA_LEN : 0);
    at[0] = (uint8_t)len;
    put_both32(at + 2, entry->extent.block);
    put_both32(at + 10, entry->extent.size);
    put_record_date(at + 18);
    at[25] = entry->is_dir ? 2 : 0;
    at[26] = entry->extent.unit;
    at[27] = entry->extent.gap;
    put_both16(at + 28, 1);
    at[32] = (uint8_t)name_len;
    memcpy(at + RECORD_LEN, name, name_len);
    if (xa) {
        put_xa(at + fixed, entry);
    }
    return len;
}

static uint8_t *block_at(const forge_iso *iso, uint32_t block)
{
    assert(block >= iso->first && block - iso->first < iso->num_blocks);
    return iso->blocks + (size_t)(block - iso->first) * FORGE_ISO_BLOCK;
}

/* What the record number k of an entry says. */
static node extent_node(const node *entry, uint32_t k)
{
    node part = *entry;
    const uint32_t part_len = entry->extent.part * FORGE_ISO_BLOCK;
    if (entry->num_more > 0) {
        part.extent.block += k * entry->extent.step;
        part.extent.size = k < entry->num_more ? part_len : entry->extent.size - k * part_len;
    }
    return part;
}

static void render_directory(const forge_iso *iso, const node *dir)
{
    uint8_t *base = block_at(iso, dir->extent.block);
    size_t at = put_record(base, dir, "\0", 1, iso->xa);
    at += put_record(base + at, &iso->nodes[dir->parent], "\1", 1, iso->xa);
    for (size_t i = 0; i < dir->num_children; i++) {
        const node *child = iso->order[dir->first_child + i];
        for (uint32_t k = 0; k <= child->num_more; k++) {
            const node part = extent_node(child, k);
            at = record_place(at, record_len(iso, child->name_len));
            at += put_record(base + at, &part, part.name, part.name_len, iso->xa);
            base[at - record_len(iso, child->name_len) + 25] |= k < child->num_more ? 0x80 : 0;
        }
    }
    assert(at <= dir->extent.size);
}

static void render_path_table(const forge_iso *iso, uint8_t *at, bool big_endian)
{
    for (size_t i = 0; i < iso->num_dirs; i++) {
        const node *dir = iso->dirs[i];
        uint16_t parent = iso->nodes[dir->parent].dir_number;
        at[0] = (uint8_t)dir->name_len;
        if (big_endian) {
            forge_put_u32be(at + 2, dir->extent.block);
            forge_put_u16be(at + 6, parent);
        } else {
            forge_put_u32(at + 2, dir->extent.block);
            forge_put_u16(at + 6, parent);
        }
        memcpy(at + PATH_RECORD_LEN, dir->name, dir->name_len);
        at += path_record_len(dir);
    }
}

static void put_padded(uint8_t *at, const char *text, size_t len)
{
    size_t text_len = strlen(text);
    memset(at, ' ', len);
    memcpy(at, text, text_len < len ? text_len : len);
}

/* Dates of the volume: creation and modification are given, expiration and effect are not. */
static void put_volume_dates(uint8_t *at)
{
    static const char date[] = "1995032000000000";
    static const char none[] = "0000000000000000";
    for (size_t i = 0; i < 4; i++) {
        memcpy(at + i * 17, i < 2 ? date : none, 16);
        at[i * 17 + 16] = 0;
    }
}

/* ECMA-119, 8.4. */
static void render_primary(const forge_iso *iso, uint8_t *at, uint32_t volume_blocks)
{
    memcpy(at, "\1CD001\1", 7);
    put_padded(at + 8, iso->system, 32);
    put_padded(at + 40, iso->volume, 32);
    put_both32(at + 80, volume_blocks);
    put_both16(at + 120, 1); /* volumes in the set */
    put_both16(at + 124, 1); /* this one's number */
    put_both16(at + 128, FORGE_ISO_BLOCK);
    put_both32(at + 132, iso->path_len);
    forge_put_u32(at + 140, iso->first + NUM_DESCRIPTORS);
    forge_put_u32be(at + 148, iso->first + NUM_DESCRIPTORS + iso->path_blocks);
    (void)put_record(at + 156, &iso->nodes[0], "\0", 1, false);
    put_padded(at + 190, "", 623); /* set, publisher, preparer, application, three files */
    put_padded(at + 574, iso->system, 128);
    put_volume_dates(at + 813);
    at[881] = 1; /* version of the file structure */
    if (iso->xa) {
        memcpy(at + 1024, "CD-XA001", 8);
    }
}

static void mark_last(const forge_iso *iso, uint32_t block, uint32_t num)
{
    iso->submodes[block - iso->first + num - 1] = LAST_SUBMODE;
}

static void mark_submodes(const forge_iso *iso)
{
    memset(iso->submodes, PLAIN_SUBMODE, iso->num_blocks);
    memset(iso->submodes, DESCRIPTOR_SUBMODE, NUM_DESCRIPTORS);
    uint32_t tables = iso->first + NUM_DESCRIPTORS;
    mark_last(iso, tables, iso->path_blocks);
    mark_last(iso, tables + iso->path_blocks, iso->path_blocks);
    for (size_t i = 0; i < iso->num_dirs; i++) {
        const forge_iso_extent *extent = &iso->dirs[i]->extent;
        mark_last(iso, extent->block, extent->size / FORGE_ISO_BLOCK);
    }
}

bool forge_iso_render(forge_iso *iso, forge_error *err, uint32_t volume_blocks)
{
    free(iso->blocks);
    free(iso->submodes);
    iso->blocks = calloc(iso->num_blocks, FORGE_ISO_BLOCK);
    iso->submodes = calloc(iso->num_blocks, 1);
    if (iso->blocks == NULL || iso->submodes == NULL) {
        return forge_fail(err, FORGE_IO, 0, "out of memory");
    }
    uint32_t tables = iso->first + NUM_DESCRIPTORS;
    render_primary(iso, block_at(iso, iso->first), volume_blocks);
    memcpy(block_at(iso, iso->first + 1), "\377CD001\1", 7);
    render_path_table(iso, block_at(iso, tables), false);
    render_path_table(iso, block_at(iso, tables + iso->path_blocks), true);
    for (size_t i = 0; i < iso->num_dirs; i++) {
        render_directory(iso, iso->dirs[i]);
    }
    mark_submodes(iso);
    return true;
}

const uint8_t *forge_iso_block(const forge_iso *iso, uint32_t index, uint8_t *submode)
{
    assert(index < iso->num_blocks);
    *submode = iso->submodes[index];
    return iso->blocks + (size_t)index * FORGE_ISO_BLOCK;
}
