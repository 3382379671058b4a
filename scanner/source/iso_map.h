/* The map: which file of a tree has a block.
 *
 * Of several files that share a block, the one counts whose extent begins last, and of those that
 * begin together the one that the tree names first. A look-up takes as many steps as the number of
 * extents has bits, whatever a hostile tree overlaps.
 */
#ifndef FH_SOURCE_ISO_MAP_H
#define FH_SOURCE_ISO_MAP_H

#include "source/iso9660.h"

typedef struct fh_iso_span {
    int64_t first;
    int64_t end;
    uint32_t file;
    uint32_t extent; /* index in the tree */
} fh_iso_span;

typedef struct fh_iso_map {
    const fh_iso_tree *tree; /* borrowed */
    fh_iso_span *spans;      /* owned, by their first block */
    size_t num_spans;
    int64_t *ends; /* owned; a binary tree of the highest end: the leaves begin at num_leaves */
    size_t num_leaves;
    size_t num_left_out; /* interleaved extents beyond the limit */
} fh_iso_map;

typedef struct fh_iso_hit {
    uint32_t file;
    uint32_t extent;
    int64_t number; /* of the block among those of the file */
    size_t span;    /* private */
} fh_iso_hit;

/* fh_iso_map_make maps the files (not the directories) of a tree, which must live as long. false:
 * no memory. */
bool fh_iso_map_make(fh_iso_map *map, const fh_iso_tree *tree) FH_MUST_USE;
void fh_iso_map_free(fh_iso_map *map);

/* fh_iso_map_find finds the file of a block; false if no file has it. */
bool fh_iso_map_find(const fh_iso_map *map, fh_iso_hit *out, int64_t block) FH_MUST_USE;

/* fh_iso_map_next finds the next one that has the block, where several do. hit is the one before;
 * false: there is none, and it stays as it was. */
bool fh_iso_map_next(const fh_iso_map *map, fh_iso_hit *hit, int64_t block) FH_MUST_USE;

/* fh_iso_number returns the number of a block among those of its file, as it lies in this extent,
 * or FH_UNKNOWN if it does not. */
int64_t fh_iso_number(const fh_iso_extent *extent, int64_t block);

/* fh_iso_nth returns the block of an extent by its number in the extent. */
int64_t fh_iso_nth(const fh_iso_extent *extent, int64_t number);

#endif
