/* What the modules of the glTF writer are built of: arrays that grow, and the binary buffer with
 * the accessors that lead into it. */
#ifndef FH_REPORTS_GLTF_BYTES_H
#define FH_REPORTS_GLTF_BYTES_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FH_GLTF_NO UINT32_MAX /* no index */

/* An array that grows; zeroed at first. The elements are owned. */
typedef struct fh_gltf_array {
    void *items;
    size_t num;
    size_t capacity;
} fh_gltf_array;

/* fh_gltf_add returns room for one more element of elem_len bytes, zeroed, or NULL. */
void *fh_gltf_add(fh_gltf_array *array, size_t elem_len) FH_MUST_USE;
void fh_gltf_free(fh_gltf_array *array);

/* A table from numbers of 64 bits to indices. */
typedef struct fh_gltf_map {
    uint64_t *keys;
    uint32_t *values; /* FH_GLTF_NO: the place is free */
    size_t num;
    size_t capacity;
} fh_gltf_map;

/* fh_gltf_map_find returns the value of a key, or FH_GLTF_NO. fh_gltf_map_put sets it; false
 * without memory. */
uint32_t fh_gltf_map_find(const fh_gltf_map *map, uint64_t key);
bool fh_gltf_map_put(fh_gltf_map *map, uint64_t key, uint32_t value) FH_MUST_USE;
void fh_gltf_map_free(fh_gltf_map *map);

/* What is in a buffer view, for readers that keep indices and vertices apart. */
typedef enum fh_gltf_target {
    FH_GLTF_PLAIN = 0,
    FH_GLTF_VERTICES = 34962,
    FH_GLTF_INDICES = 34963
} fh_gltf_target;

typedef struct fh_gltf_view {
    size_t off, len;
    fh_gltf_target target;
} fh_gltf_view;

typedef enum fh_gltf_component {
    FH_GLTF_U16 = 5123,
    FH_GLTF_U32 = 5125,
    FH_GLTF_FLOAT = 5126
} fh_gltf_component;

typedef struct fh_gltf_accessor {
    uint32_t view;
    fh_gltf_component component;
    unsigned width; /* components of an element: 1 to 4 */
    size_t count;
    bool has_range; /* 1 or 3 components: the least and largest value of each */
    float low[3], high[3];
} fh_gltf_accessor;

/* The buffer: views of it and accessors. error: ENOMEM or EFBIG, 0 while all is well; then nothing
 * more is added. */
typedef struct fh_gltf_bytes {
    uint8_t *bytes;
    size_t len, capacity;
    fh_gltf_array views;     /* fh_gltf_view */
    fh_gltf_array accessors; /* fh_gltf_accessor */
    int error;
} fh_gltf_bytes;

/* Each adds a view with the bytes, floats in little endian, and (but for fh_gltf_put_view) an
 * accessor of it, and returns the index of what it added last. The range is put in where that is
 * wanted. */
uint32_t fh_gltf_put_view(fh_gltf_bytes *to, const void *bytes, size_t len, fh_gltf_target target);
uint32_t fh_gltf_put_floats(fh_gltf_bytes *to, const float *values, size_t count, unsigned width,
                            fh_gltf_target target, bool has_range);
uint32_t fh_gltf_put_u32(fh_gltf_bytes *to, const uint32_t *values, size_t count);
uint32_t fh_gltf_put_u16(fh_gltf_bytes *to, const uint16_t *values, size_t count, unsigned width);
void fh_gltf_bytes_free(fh_gltf_bytes *bytes);

#endif
