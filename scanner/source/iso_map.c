#include "source/iso_map.h"

#include <assert.h>
#include <stdlib.h>

int64_t fh_iso_number(const fh_iso_extent *extent, int64_t block)
{
    int64_t number = block - extent->first;
    if (number < 0 || block >= fh_iso_extent_end(extent)) {
        return FH_UNKNOWN;
    }
    if (fh_iso_is_interleaved(extent)) {
        const int64_t group = number / (extent->unit + extent->gap);
        const int64_t rest = number % (extent->unit + extent->gap);
        if (rest >= extent->unit) {
            return FH_UNKNOWN;
        }
        number = group * extent->unit + rest;
    }
    return extent->blocks_before + number;
}

int64_t fh_iso_nth(const fh_iso_extent *extent, int64_t number)
{
    assert(number >= 0);
    if (!fh_iso_is_interleaved(extent)) {
        return extent->first + number;
    }
    return extent->first + number / extent->unit * (extent->unit + extent->gap) +
           number % extent->unit;
}

static int by_first(const void *a, const void *b)
{
    const fh_iso_span *left = a;
    const fh_iso_span *right = b;
    const int order = (left->first > right->first) - (left->first < right->first);
    const int files = (right->extent > left->extent) - (right->extent < left->extent);
    return order != 0 ? order : files;
}

static void list_spans(fh_iso_map *map)
{
    size_t num_interleaved = 0;
    for (size_t i = 0; i < map->tree->num_files; i++) {
        const fh_iso_file *file = &map->tree->files[i];
        for (uint32_t k = 0; k < file->num_extents && !fh_iso_is_directory(file); k++) {
            const fh_iso_extent *extent = &map->tree->extents[file->first_extent + k];
            const bool is_interleaved = fh_iso_is_interleaved(extent);
            if (is_interleaved && num_interleaved++ >= FH_ISO_MAX_INTERLEAVED) {
                map->num_left_out++;
            } else if (extent->size > 0) {
                map->spans[map->num_spans++] = (fh_iso_span){.first = extent->first,
                                                             .end = fh_iso_extent_end(extent),
                                                             .file = (uint32_t)i,
                                                             .extent = file->first_extent + k};
            }
        }
    }
    qsort(map->spans, map->num_spans, sizeof *map->spans, by_first);
}

static bool make_ends(fh_iso_map *map)
{
    map->num_leaves = 1;
    while (map->num_leaves < map->num_spans) {
        map->num_leaves *= 2;
    }
    map->ends = malloc(2 * map->num_leaves * sizeof *map->ends);
    if (map->ends == NULL) {
        return false;
    }
    for (size_t i = 0; i < map->num_leaves; i++) {
        map->ends[map->num_leaves + i] = i < map->num_spans ? map->spans[i].end : INT64_MIN;
    }
    for (size_t i = map->num_leaves - 1; i > 0; i--) {
        const int64_t left = map->ends[2 * i];
        const int64_t right = map->ends[2 * i + 1];
        map->ends[i] = left > right ? left : right;
    }
    return true;
}

bool fh_iso_map_make(fh_iso_map *map, const fh_iso_tree *tree)
{
    *map = (fh_iso_map){.tree = tree};
    map->spans = calloc(tree->num_extents + 1, sizeof *map->spans);
    if (map->spans == NULL) {
        return false;
    }
    list_spans(map);
    return make_ends(map);
}

void fh_iso_map_free(fh_iso_map *map)
{
    free(map->spans);
    free(map->ends);
    *map = (fh_iso_map){.tree = NULL};
}

/* How many spans begin at the block or before it. */
static size_t num_begun(const fh_iso_map *map, int64_t block)
{
    size_t low = 0;
    size_t high = map->num_spans;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (map->spans[middle].first <= block) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The last of the first num spans that ends behind the block: its index, or num if there is
 * none. */
static size_t last_reaching(const fh_iso_map *map, size_t num, int64_t block)
{
    if (num == 0) {
        return num;
    }
    size_t node = map->num_leaves + num - 1;
    while (map->ends[node] <= block) {
        while (node % 2 == 0) {
            node /= 2; /* nothing to the left below this parent */
        }
        if (node == 1) {
            return num;
        }
        node--;
    }
    while (node < map->num_leaves) {
        node = 2 * node + (map->ends[2 * node + 1] > block ? 1 : 0);
    }
    return node - map->num_leaves;
}

static bool find_among(const fh_iso_map *map, fh_iso_hit *out, size_t num, int64_t block)
{
    for (;;) {
        const size_t at = last_reaching(map, num, block);
        if (at == num) {
            return false;
        }
        const fh_iso_span *span = &map->spans[at];
        const int64_t number = fh_iso_number(&map->tree->extents[span->extent], block);
        if (number != FH_UNKNOWN) {
            *out = (fh_iso_hit){span->file, span->extent, number, at};
            return true;
        }
        num = at; /* in the gap of an interleaved one; there are few of them */
    }
}

bool fh_iso_map_find(const fh_iso_map *map, fh_iso_hit *out, int64_t block)
{
    return find_among(map, out, num_begun(map, block), block);
}

bool fh_iso_map_next(const fh_iso_map *map, fh_iso_hit *hit, int64_t block)
{
    return find_among(map, hit, hit->span, block);
}
