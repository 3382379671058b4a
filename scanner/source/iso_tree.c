/* The walk over the directories of one tree. */
#include "source/iso_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int64_t fh_iso_extent_blocks(const fh_iso_extent *extent)
{
    return ((int64_t)extent->size + (int64_t)FH_ISO_BLOCK_LEN - 1) / (int64_t)FH_ISO_BLOCK_LEN;
}

bool fh_iso_is_interleaved(const fh_iso_extent *extent)
{
    return extent->unit > 0 && extent->gap > 0;
}

int64_t fh_iso_extent_end(const fh_iso_extent *extent)
{
    const int64_t num = fh_iso_extent_blocks(extent);
    if (num == 0 || !fh_iso_is_interleaved(extent)) {
        return extent->first + num;
    }
    const int64_t groups = (num - 1) / extent->unit;
    return extent->first + groups * (extent->unit + extent->gap) + (num - 1) % extent->unit + 1;
}

/* ---- findings ---- */

/* Where a record stands. */
typedef struct record_place {
    size_t dir;
    int64_t block;
    size_t off;
    unsigned number; /* of the record in its directory, from 0; 2 stands for all behind */
} record_place;

static fh_tally *tell(const fh_iso_walk *walk, fh_image_rule rule, const record_place *at,
                      const char *field)
{
    return fh_iso_at(walk->tallies, walk->source, rule, at->block, at->off, field);
}

static void tell_value(const fh_iso_walk *walk, const record_place *at, const char *field,
                       fh_value found, fh_value expected)
{
    fh_tally *tally = tell(walk, FH_IMG0032, at, field);
    fh_iso_found(tally, found);
    fh_iso_expected(tally, expected);
}

/* A limit, or a loop: what of the tree is left out. limit: 0 for a loop. */
static void tell_cut(fh_iso_walk *walk, const record_place *at, const char *field, const char *what,
                     int64_t limit)
{
    char path[FH_ISO_MAX_PATH];
    fh_tally *tally = tell(walk, FH_IMG0033, at, field);
    walk->tree->is_cut = walk->tree->is_cut || limit > 0;
    walk->tree->is_whole = false;
    if (tally == NULL) {
        return;
    }
    fh_iso_path(path, walk->tree, at->dir);
    fh_text text = fh_text_make(tally->found, sizeof tally->found);
    fh_text_str(fh_text_str(fh_text_str(&text, what), " in "), path);
    if (limit > 0) {
        fh_iso_expected(tally, fh_dec_after("at most ", limit, ""));
    }
}

static void tell_record(const fh_iso_walk *walk, const record_place *at,
                        fh_iso_record_status status, const fh_iso_record *record)
{
    walk->tree->is_whole = false;
    switch (status) {
    case FH_ISO_RECORD_SHORT:
        tell_value(walk, at, "length of the record", fh_dec((int64_t)record->len, ""),
                   fh_words("at least 34, or 0 at the end of the sector"));
        break;
    case FH_ISO_RECORD_CROSSES:
        tell_value(walk, at, "length of the record", fh_dec((int64_t)record->len, ""),
                   fh_dec_after("at most ", (int64_t)(FH_ISO_BLOCK_LEN - at->off),
                                ", what is left of the sector"));
        break;
    default:
        tell_value(walk, at, "length of the name", fh_words("0, or longer than the record"),
                   fh_dec_after("1 to ", (int64_t)record->len - 33, ""));
        break;
    }
}

/* ---- directories seen ---- */

static size_t slot_of(const uint32_t *seen, size_t max_seen, uint32_t block)
{
    size_t at = ((size_t)block * 2654435761u) & (max_seen - 1);
    while (seen[at] != 0 && seen[at] != block + 1) {
        at = (at + 1) & (max_seen - 1);
    }
    return at;
}

static bool grow_seen(fh_iso_walk *walk)
{
    const size_t max = walk->max_seen == 0 ? 256 : 2 * walk->max_seen;
    uint32_t *grown = calloc(max, sizeof *grown);
    if (grown == NULL) {
        walk->no_memory = true;
        return false;
    }
    for (size_t i = 0; i < walk->max_seen; i++) {
        if (walk->seen[i] != 0) {
            grown[slot_of(grown, max, walk->seen[i] - 1)] = walk->seen[i];
        }
    }
    free(walk->seen);
    walk->seen = grown;
    walk->max_seen = max;
    return true;
}

/* Notes the first block of a directory; false if one that begins there was met before. */
static bool is_new(fh_iso_walk *walk, uint32_t block)
{
    assert(block < UINT32_MAX);
    if (2 * (walk->num_seen + 1) > walk->max_seen && !grow_seen(walk)) {
        return false;
    }
    const size_t at = slot_of(walk->seen, walk->max_seen, block);
    if (walk->seen[at] != 0) {
        return false;
    }
    walk->seen[at] = block + 1;
    walk->num_seen++;
    return true;
}

/* ---- the table ---- */

static bool grow_files(fh_iso_walk *walk)
{
    fh_iso_tree *tree = walk->tree;
    if (tree->num_files < tree->max_files) {
        return true;
    }
    const size_t max = tree->max_files == 0 ? 64 : 2 * tree->max_files;
    fh_iso_file *files = realloc(tree->files, max * sizeof *files);
    if (files == NULL) {
        walk->no_memory = true;
        return false;
    }
    tree->files = files;
    tree->max_files = max;
    return true;
}

static bool add_extent(fh_iso_walk *walk, const fh_iso_record *record)
{
    fh_iso_tree *tree = walk->tree;
    if (tree->num_extents == tree->max_extents) {
        const size_t max = tree->max_extents == 0 ? 64 : 2 * tree->max_extents;
        fh_iso_extent *extents = realloc(tree->extents, max * sizeof *extents);
        if (extents == NULL) {
            walk->no_memory = true;
            return false;
        }
        tree->extents = extents;
        tree->max_extents = max;
    }
    fh_iso_file *file = &tree->files[tree->num_files - 1];
    fh_iso_extent *extent = &tree->extents[tree->num_extents++];
    *extent = (fh_iso_extent){.first = (int64_t)record->block.value + record->xar_len,
                              .size = record->size.value,
                              .unit = record->unit,
                              .gap = record->gap};
    if (file->num_extents++ > 0) {
        extent->before = file->size;
        extent->blocks_before = extent[-1].blocks_before + fh_iso_extent_blocks(&extent[-1]);
    }
    file->size += record->size.value;
    return true;
}

static bool add_file(fh_iso_walk *walk, const fh_iso_file *like, const fh_iso_record *record)
{
    fh_iso_tree *tree = walk->tree;
    if (!grow_files(walk)) {
        return false;
    }
    fh_iso_file *file = &tree->files[tree->num_files++];
    *file = *like;
    file->first_extent = (uint32_t)tree->num_extents;
    file->second = FH_ISO_NO_FILE;
    file->block = record->block.value;
    file->flags = record->flags;
    file->has_xa = record->has_xa;
    file->xa_attributes = record->xa_attributes;
    file->xa_file = record->xa_file;
    return add_extent(walk, record);
}

/* ---- records ---- */

static void check_numbers(const fh_iso_walk *walk, const record_place *at,
                          const fh_iso_record *record)
{
    const struct {
        size_t off;
        const char *field;
        fh_iso_both number;
    } numbers[] = {{2, "first block", record->block},
                   {10, "size", record->size},
                   {28, "volume number", record->volume}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        (void)fh_iso_compare(walk->tallies, walk->source, FH_IMG0038, at->block,
                             at->off + numbers[i].off, numbers[i].field, numbers[i].number);
    }
}

/* An extent must lie in the image. Where an empty file begins means nothing. */
static void check_end(const fh_iso_walk *walk, const record_place *at)
{
    const fh_iso_extent *extent = &walk->tree->extents[walk->tree->num_extents - 1];
    const int64_t end = fh_iso_extent_end(extent);
    if (extent->size > 0 && end > walk->source->end_block) {
        tell_value(walk, at, "extent", fh_dec_after("ends behind block ", end - 1, ""),
                   fh_dec_after("at most block ", walk->source->end_block - 1, ""));
    }
}

/* A directory is read unless it is a loop, lies nowhere, or too deep. */
static void admit(fh_iso_walk *walk, const record_place *at)
{
    fh_iso_file *file = &walk->tree->files[walk->tree->num_files - 1];
    const fh_iso_extent *extent = &walk->tree->extents[file->first_extent];
    if (extent->size == 0) {
        tell_value(walk, at, "size of the directory", fh_dec(0, ""), fh_words("a sector at least"));
    } else if (extent->first >= walk->source->end_block) {
        walk->tree->is_whole = false; /* told as an extent past the end */
    } else if (file->depth > FH_ISO_MAX_DEPTH) {
        tell_cut(walk, at, "depth", "too deep", (int64_t)FH_ISO_MAX_DEPTH);
    } else if (!is_new(walk, file->block)) {
        tell_cut(walk, at, "first block", "a directory that was met before", 0);
    } else {
        file->is_read = true;
    }
}

static void tell_missing_extent(fh_iso_walk *walk, const record_place *at)
{
    char path[FH_ISO_MAX_PATH];
    fh_tally *tally = tell(walk, FH_IMG0080, at, "further extent");
    walk->has_pending = false;
    if (tally != NULL) {
        fh_iso_path(path, walk->tree, walk->tree->num_files - 1);
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(fh_text_str(&text, "none behind "), path);
        fh_iso_expected(tally, fh_words("a record of the same name"));
    }
}

/* Whether the record goes on with the file before it. */
static bool continues(const fh_iso_walk *walk, const fh_iso_record *record, const char *name)
{
    const fh_iso_file *last = &walk->tree->files[walk->tree->num_files - 1];
    return walk->has_pending && strcmp(walk->tree->names + last->name, name) == 0 &&
           ((last->flags ^ record->flags) & (FH_ISO_DIRECTORY | FH_ISO_ASSOCIATED)) == 0;
}

/* Enters a record in the table; false where a limit or want of memory ends the walk. */
static bool take_entry(fh_iso_walk *walk, const record_place *at, const fh_iso_record *record)
{
    fh_iso_tree *tree = walk->tree;
    const fh_iso_file *dir = &tree->files[at->dir];
    fh_iso_file file = {.parent = (uint32_t)at->dir, .depth = (uint8_t)(dir->depth + 1)};
    uint16_t name_len = 0;
    if (tree->num_extents >= FH_ISO_MAX_RECORDS) {
        tell_cut(walk, at, "records", "more records, the first one left out", FH_ISO_MAX_RECORDS);
        return false;
    }
    if (!fh_iso_add_name(walk, &file.name, &name_len, &record->name)) {
        tell_cut(walk, at, "names", "more names, the first one left out", FH_ISO_MAX_NAMES);
        return false;
    }
    if (continues(walk, record, tree->names + file.name)) {
        tree->names_len = file.name;
        walk->has_pending = (record->flags & FH_ISO_MORE_EXTENTS) != 0;
        return add_extent(walk, record);
    }
    if (walk->has_pending) {
        tell_missing_extent(walk, at);
    }
    if (dir->path_len + 1u + name_len >= FH_ISO_MAX_PATH) {
        tree->names_len = file.name;
        tell_cut(walk, at, "path", "a path that is too long", (int64_t)FH_ISO_MAX_PATH - 1);
        return true;
    }
    file.path_len = (uint16_t)(dir->path_len + 1u + name_len);
    walk->has_pending = (record->flags & FH_ISO_MORE_EXTENTS) != 0;
    if (!add_file(walk, &file, record)) {
        return false;
    }
    if ((record->flags & FH_ISO_DIRECTORY) != 0) {
        admit(walk, at);
    }
    return !walk->no_memory;
}

/* The first two records of a directory are itself and its parent, and no others are. */
static bool take_special(const fh_iso_walk *walk, const record_place *at,
                         const fh_iso_record *record)
{
    static const char *const fields[] = {"record of the directory itself", "record of its parent"};
    const bool is_self = fh_iso_is_special(record, 0);
    const bool is_parent = fh_iso_is_special(record, 1);
    const fh_iso_file *dir = &walk->tree->files[at->dir];
    if (at->number > 1) {
        if (is_self || is_parent) {
            tell_value(walk, at, fields[is_self ? 0 : 1], fh_words("not at the beginning"),
                       fh_words("once, at the beginning"));
        }
        return is_self || is_parent;
    }
    const uint32_t block = at->number == 0 ? dir->block : walk->tree->files[dir->parent].block;
    /* xorriso 1.5.4 gives each directory of a Joliet tree itself for its parent. */
    const bool is_own = walk->is_joliet && record->block.value == dir->block;
    if (at->number == 0 ? !is_self : !is_parent) {
        tell_value(walk, at, fields[at->number], fh_words("another one"),
                   fh_dec_after("name ", at->number, ""));
    } else if (record->block.value != block && !is_own) {
        tell_value(walk, at, fields[at->number], fh_dec_after("block ", record->block.value, ""),
                   fh_dec_after("block ", block, ""));
    }
    return is_self || is_parent;
}

static bool take_record(fh_iso_walk *walk, const record_place *at, const fh_iso_record *record)
{
    check_numbers(walk, at, record);
    if (take_special(walk, at, record)) {
        return true;
    }
    const size_t num_extents = walk->tree->num_extents;
    const bool goes_on = take_entry(walk, at, record);
    if (walk->tree->num_extents > num_extents) {
        check_end(walk, at);
    }
    return goes_on;
}

/* ---- directories ---- */

/* All records of a sector of a directory; false ends the walk. */
static bool read_sector(fh_iso_walk *walk, record_place *at, const uint8_t *bytes)
{
    fh_cursor sector = fh_cursor_make(bytes, FH_ISO_BLOCK_LEN, 0);
    for (;;) {
        fh_iso_record record;
        const fh_iso_record_status status = fh_iso_record_read(&record, &sector);
        at->off = sector.pos;
        if (status == FH_ISO_RECORD_END) {
            return true;
        }
        if (status != FH_ISO_RECORD_OK) {
            tell_record(walk, at, status, &record);
        } else if (!take_record(walk, at, &record)) {
            return false;
        }
        at->number += at->number < 2 ? 1 : 0;
        /* Behind a record without a believable length there is no next one in this sector. */
        if (status == FH_ISO_RECORD_SHORT || !fh_cursor_skip(&sector, record.len)) {
            return true;
        }
    }
}

/* The sectors of one extent of a directory; false ends the walk. */
static bool read_extent(fh_iso_walk *walk, record_place *at, const fh_iso_extent *extent)
{
    const int64_t end = extent->first + fh_iso_extent_blocks(extent);
    uint8_t bytes[FH_ISO_BLOCK_LEN];
    for (at->block = extent->first; at->block < end && at->block < walk->source->end_block;
         at->block++) {
        at->off = 0;
        if (walk->num_sectors++ == FH_ISO_MAX_SECTORS) {
            tell_cut(walk, at, "directory sectors", "more sectors, the first one left out",
                     FH_ISO_MAX_SECTORS);
            return false;
        }
        if (!walk->source->read(walk->source->user, at->block, bytes)) {
            walk->tree->is_whole = false;
            tell_value(walk, at, "sector of a directory",
                       fh_dec_after("block ", at->block, " cannot be read"), fh_nothing());
        } else if (!read_sector(walk, at, bytes)) {
            return false;
        }
    }
    return true;
}

static bool read_directory(fh_iso_walk *walk, size_t dir)
{
    record_place at = {.dir = dir};
    for (uint32_t i = 0; i < walk->tree->files[dir].num_extents; i++) {
        /* The table may move while records are added to it. */
        const fh_iso_extent extent = walk->tree->extents[walk->tree->files[dir].first_extent + i];
        if (!read_extent(walk, &at, &extent)) {
            return false;
        }
    }
    if (walk->has_pending) {
        tell_missing_extent(walk, &at);
    }
    return true;
}

static bool add_root(fh_iso_walk *walk, const fh_iso_volume *volume)
{
    const fh_cursor nothing = fh_cursor_make(NULL, 0, 0);
    const record_place at = {.block = volume->block, .off = 156};
    fh_iso_file root = {.parent = 0};
    uint16_t name_len = 0;
    if (!fh_iso_add_name(walk, &root.name, &name_len, &nothing) ||
        !add_file(walk, &root, &volume->root)) {
        return false;
    }
    walk->tree->files[0].flags |= FH_ISO_DIRECTORY;
    check_end(walk, &at);
    admit(walk, &at);
    return !walk->no_memory;
}

bool fh_iso_walk_tree(fh_iso_walk *walk, const fh_iso_volume *volume)
{
    fh_iso_tree *tree = walk->tree;
    tree->is_whole = true;
    bool goes_on = add_root(walk, volume);
    for (size_t i = 0; i < tree->num_files && goes_on; i++) {
        goes_on = !tree->files[i].is_read || read_directory(walk, i);
    }
    free(walk->seen);
    walk->seen = NULL;
    return !walk->no_memory;
}
