/* What a whole tree is held against: its path tables, itself, and a second tree. */
#include "source/iso_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- path tables ---- */

/* A directory by its first block. */
typedef struct dir_place {
    uint32_t block;
    uint32_t file;
} dir_place;

typedef struct table_check {
    const fh_iso_walk *walk;
    const fh_iso_table *table;
    uint32_t table_size;
    uint8_t *bytes;   /* whole sectors, owned */
    uint32_t *blocks; /* of the records so far, owned */
    dir_place *dirs;  /* sorted, owned */
    size_t num_dirs;
    fh_cursor cur;
} table_check;

typedef struct table_record {
    size_t off;
    uint32_t block;
    uint32_t parent;
    fh_cursor name;
} table_record;

static void tell_table(const table_check *check, size_t off, const char *field, fh_value found,
                       fh_value expected)
{
    const int64_t block = (int64_t)check->table->block + (int64_t)(off / FH_ISO_BLOCK_LEN);
    fh_tally *tally = fh_iso_at(check->walk->tallies, check->walk->source, FH_IMG0081, block,
                                off % FH_ISO_BLOCK_LEN, field);
    fh_iso_found(tally, found);
    fh_iso_expected(tally, expected);
}

static int by_block(const void *a, const void *b)
{
    const dir_place *left = a;
    const dir_place *right = b;
    const int order = (left->block > right->block) - (left->block < right->block);
    return order != 0 ? order : (left->file > right->file) - (left->file < right->file);
}

static bool list_directories(table_check *check)
{
    const fh_iso_tree *tree = check->walk->tree;
    check->dirs = calloc(tree->num_files + 1, sizeof *check->dirs);
    if (check->dirs == NULL) {
        return false;
    }
    for (size_t i = 0; i < tree->num_files; i++) {
        if (tree->files[i].is_read) {
            check->dirs[check->num_dirs++] = (dir_place){tree->files[i].block, (uint32_t)i};
        }
    }
    qsort(check->dirs, check->num_dirs, sizeof *check->dirs, by_block);
    return true;
}

static const fh_iso_file *directory_at(const table_check *check, uint32_t block)
{
    size_t low = 0;
    size_t high = check->num_dirs;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (check->dirs[middle].block < block) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < check->num_dirs && check->dirs[low].block == block
               ? &check->walk->tree->files[check->dirs[low].file]
               : NULL;
}

static bool read_table_record(table_check *check, table_record *out)
{
    fh_cursor *cur = &check->cur;
    out->off = cur->pos;
    const size_t name_len = fh_cursor_u8(cur);
    (void)fh_cursor_skip(cur, 1); /* extended attributes */
    out->block = fh_cursor_u32(cur);
    out->parent = fh_cursor_u16(cur);
    if (check->table->is_big) {
        out->block = __builtin_bswap32(out->block);
        out->parent = __builtin_bswap16((uint16_t)out->parent);
    }
    out->name = fh_cursor_sub(cur, cur->pos,
                              name_len < fh_cursor_left(cur) ? name_len : fh_cursor_left(cur));
    return name_len > 0 && !cur->failed && fh_cursor_skip(cur, name_len);
}

/* Holds a record against the directory that lies where it says. */
static bool matches(const table_check *check, const table_record *record, size_t number)
{
    const fh_iso_tree *tree = check->walk->tree;
    const fh_iso_file *dir = directory_at(check, record->block);
    if (dir == NULL) {
        tell_table(check, record->off, "first block", fh_dec(record->block, ""),
                   fh_words("that of a directory of the tree"));
        return false;
    }
    char name[FH_ISO_MAX_ENCODED];
    (void)fh_iso_encode(name, &record->name, check->walk->is_joliet);
    if (number > 0 && strcmp(name, tree->names + dir->name) != 0) {
        tell_table(check, record->off, "name", fh_words(name), fh_words(tree->names + dir->name));
    }
    const bool has_parent = record->parent >= 1 && record->parent <= number + 1;
    if (!has_parent || check->blocks[record->parent - 1] != tree->files[dir->parent].block) {
        tell_table(check, record->off, "parent", fh_dec_after("record ", record->parent, ""),
                   fh_dec_after("that of block ", tree->files[dir->parent].block, ""));
    }
    return true;
}

static bool load_table(table_check *check)
{
    const fh_iso_source *source = check->walk->source;
    const size_t num = ((size_t)check->table_size + FH_ISO_BLOCK_LEN - 1) / FH_ISO_BLOCK_LEN;
    for (size_t i = 0; i < num; i++) {
        const int64_t block = (int64_t)check->table->block + (int64_t)i;
        if (!source->read(source->user, block, check->bytes + i * FH_ISO_BLOCK_LEN)) {
            tell_table(check, i * FH_ISO_BLOCK_LEN, "sector of the table",
                       fh_dec_after("block ", block, " cannot be read"), fh_nothing());
            return false;
        }
    }
    check->cur = fh_cursor_make(check->bytes, check->table_size, 0);
    return true;
}

static void check_table(table_check *check)
{
    size_t num_found = 0;
    size_t number = 0;
    if (!load_table(check)) {
        return;
    }
    for (; fh_cursor_left(&check->cur) > 0; number++) {
        table_record record;
        if (!read_table_record(check, &record)) {
            tell_table(check, record.off, "record", fh_words("damaged"),
                       fh_words("a name that ends inside the table"));
            return;
        }
        if (check->cur.pos % 2 != 0 && fh_cursor_left(&check->cur) > 0) {
            (void)fh_cursor_skip(&check->cur, 1); /* pad */
        }
        check->blocks[number] = record.block;
        num_found += matches(check, &record, number) ? 1 : 0;
    }
    if (check->walk->tree->is_whole && num_found < check->num_dirs) {
        tell_table(check, 0, "directories", fh_dec((int64_t)num_found, ""),
                   fh_dec((int64_t)check->num_dirs, ""));
    }
}

/* Tables 0 (little endian) and 2 (big endian) must be there, 1 and 3 are copies. */
static void check_each(table_check *check, const fh_iso_volume *volume)
{
    for (unsigned i = 0; i < FH_ISO_NUM_TABLES; i++) {
        check->table = &volume->tables[i];
        if (check->table->block != 0) {
            check_table(check);
        } else if (i % 2 == 0) {
            tell_table(check, 0, "first block of the table", fh_dec(0, ""), fh_nothing());
        }
    }
}

bool fh_iso_check_tables(const fh_iso_walk *walk, const fh_iso_volume *volume)
{
    const size_t max_len = (size_t)FH_ISO_MAX_TABLE_SECTORS * FH_ISO_BLOCK_LEN;
    table_check check = {
        .walk = walk, .table = &volume->tables[0], .table_size = volume->table_size};
    if (volume->table_size == 0 || volume->table_size > max_len) {
        tell_table(&check, 0, "size of the tables", fh_dec(volume->table_size, " bytes"),
                   fh_dec_after("1 to ", (int64_t)max_len, " bytes"));
        return true;
    }
    check.bytes = malloc((size_t)volume->table_size + FH_ISO_BLOCK_LEN);
    check.blocks = calloc((size_t)volume->table_size / 8 + 2, sizeof *check.blocks);
    const bool is_done = check.bytes != NULL && check.blocks != NULL && list_directories(&check);
    if (is_done) {
        check_each(&check, volume);
    }
    free(check.bytes);
    free(check.blocks);
    free(check.dirs);
    return is_done;
}

/* ---- shared blocks ---- */

/* An extent on its way through the image. */
typedef struct stretch {
    int64_t first;
    int64_t end;
    uint64_t size;
    uint32_t file;
    bool is_interleaved; /* others may lie in between */
} stretch;

static int by_place(const void *a, const void *b)
{
    const stretch *left = a;
    const stretch *right = b;
    const int order = (left->first > right->first) - (left->first < right->first);
    const int sizes = (left->size > right->size) - (left->size < right->size);
    const int files = (left->file > right->file) - (left->file < right->file);
    return order != 0 ? order : sizes != 0 ? sizes : files;
}

/* Extents with content, of files, and of the directories that were read. */
static stretch *list_extents(const fh_iso_tree *tree, size_t *num)
{
    stretch *list = calloc(tree->num_extents + 1, sizeof *list);
    *num = 0;
    for (size_t i = 0; i < tree->num_files && list != NULL; i++) {
        const fh_iso_file *file = &tree->files[i];
        for (uint32_t k = 0; k < file->num_extents; k++) {
            const fh_iso_extent *extent = &tree->extents[file->first_extent + k];
            if (extent->size > 0 && (file->is_read || !fh_iso_is_directory(file))) {
                list[(*num)++] =
                    (stretch){.first = extent->first,
                              .end = fh_iso_extent_end(extent),
                              .size = extent->size,
                              .file = (uint32_t)i,
                              .is_interleaved = fh_iso_is_interleaved(extent) ||
                                                (file->xa_attributes & FH_XA_INTERLEAVED) != 0};
            }
        }
    }
    if (list != NULL) {
        qsort(list, *num, sizeof *list, by_place);
    }
    return list;
}

static void tell_shared(const fh_iso_walk *walk, const stretch *one, const stretch *other)
{
    char path[FH_ISO_MAX_PATH];
    fh_tally *tally = fh_iso_at(walk->tallies, walk->source, FH_IMG0034, other->first, 0,
                                one->first == other->first ? "first block" : "extent");
    if (tally != NULL) {
        fh_iso_path(path, walk->tree, one->file);
        fh_text found = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(fh_text_s64(fh_text_str(&found, "block "), other->first), " is that of ");
        fh_text_str(&found, path);
        fh_iso_path(path, walk->tree, other->file);
        fh_text expected = fh_text_make(tally->expected, sizeof tally->expected);
        fh_text_str(fh_text_str(&expected, path), " alone");
    }
}

bool fh_iso_check_sharing(const fh_iso_walk *walk)
{
    size_t num = 0;
    stretch *list = list_extents(walk->tree, &num);
    if (list == NULL) {
        return false;
    }
    const stretch *farthest = NULL;
    for (size_t i = 0; i < num; i++) {
        if (list[i].is_interleaved) {
            continue;
        }
        if (farthest != NULL && list[i].first < farthest->end) {
            tell_shared(walk, farthest, &list[i]);
        }
        if (farthest == NULL || list[i].end > farthest->end) {
            farthest = &list[i];
        }
    }
    free(list);
    return true;
}

/* ---- second names ---- */

static bool is_same_place(const stretch *a, const stretch *b)
{
    return a->first == b->first && a->size == b->size;
}

/* Whether no other entry of its list lies where this one does. */
static bool is_alone(const stretch *list, size_t num, size_t i)
{
    return (i == 0 || !is_same_place(&list[i - 1], &list[i])) &&
           (i + 1 == num || !is_same_place(&list[i], &list[i + 1]));
}

/* A file is known by its first extent. */
static bool is_linked(const fh_iso_tree *tree, const stretch *at)
{
    const fh_iso_file *file = &tree->files[at->file];
    return !fh_iso_is_directory(file) && tree->extents[file->first_extent].first == at->first;
}

static void link_sorted(fh_iso *iso, const stretch *ours, size_t num_ours, const stretch *theirs,
                        size_t num_theirs)
{
    size_t k = 0;
    for (size_t i = 0; i < num_ours; i++) {
        while (k < num_theirs && by_place(&theirs[k], &ours[i]) < 0 &&
               !is_same_place(&theirs[k], &ours[i])) {
            k++;
        }
        if (k < num_theirs && is_same_place(&ours[i], &theirs[k]) && is_alone(ours, num_ours, i) &&
            is_alone(theirs, num_theirs, k) && is_linked(&iso->primary, &ours[i]) &&
            is_linked(&iso->joliet, &theirs[k])) {
            iso->primary.files[ours[i].file].second = theirs[k].file;
        }
    }
}

bool fh_iso_link(fh_iso *iso)
{
    size_t num_ours = 0;
    size_t num_theirs = 0;
    stretch *ours = list_extents(&iso->primary, &num_ours);
    stretch *theirs = list_extents(&iso->joliet, &num_theirs);
    const bool is_done = ours != NULL && theirs != NULL;
    if (is_done) {
        link_sorted(iso, ours, num_ours, theirs, num_theirs);
    }
    free(ours);
    free(theirs);
    return is_done;
}
