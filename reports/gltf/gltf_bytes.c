#include "reports/gltf/gltf_bytes.h"

#include "reports/gltf/gltf.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 4 };

void *fh_gltf_add(fh_gltf_array *array, size_t elem_len)
{
    if (array->num == array->capacity) {
        const size_t capacity = array->capacity == 0 ? 16 : 2 * array->capacity;
        void *items = reallocarray(array->items, capacity, elem_len);
        if (items == NULL) {
            return NULL;
        }
        array->items = items;
        array->capacity = capacity;
    }
    void *item = (uint8_t *)array->items + array->num++ * elem_len;
    memset(item, 0, elem_len);
    return item;
}

void fh_gltf_free(fh_gltf_array *array)
{
    free(array->items);
    *array = (fh_gltf_array){0};
}

/* ---- the table ---- */

static size_t hashed_place(const fh_gltf_map *map, uint64_t key)
{
    size_t at = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (map->capacity - 1);
    while (map->values[at] != FH_GLTF_NO && map->keys[at] != key) {
        at = (at + 1) & (map->capacity - 1);
    }
    return at;
}

uint32_t fh_gltf_map_find(const fh_gltf_map *map, uint64_t key)
{
    return map->capacity == 0 ? FH_GLTF_NO : map->values[hashed_place(map, key)];
}

static bool grow_map(fh_gltf_map *map)
{
    const size_t capacity = map->capacity == 0 ? 64 : 2 * map->capacity;
    fh_gltf_map grown = {.keys = calloc(capacity, sizeof *grown.keys),
                         .values = calloc(capacity, sizeof *grown.values),
                         .num = map->num,
                         .capacity = capacity};
    if (grown.keys == NULL || grown.values == NULL) {
        fh_gltf_map_free(&grown);
        return false;
    }
    memset(grown.values, 0xff, capacity * sizeof *grown.values);
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->values[i] != FH_GLTF_NO) {
            const size_t at = hashed_place(&grown, map->keys[i]);
            grown.keys[at] = map->keys[i];
            grown.values[at] = map->values[i];
        }
    }
    free(map->keys);
    free(map->values);
    map->keys = grown.keys;
    map->values = grown.values;
    map->capacity = capacity;
    return true;
}

bool fh_gltf_map_put(fh_gltf_map *map, uint64_t key, uint32_t value)
{
    if (2 * (map->num + 1) > map->capacity && !grow_map(map)) {
        return false;
    }
    const size_t at = hashed_place(map, key);
    map->num += map->values[at] == FH_GLTF_NO ? 1 : 0;
    map->keys[at] = key;
    map->values[at] = value;
    return true;
}

void fh_gltf_map_free(fh_gltf_map *map)
{
    free(map->keys);
    free(map->values);
    *map = (fh_gltf_map){0};
}

/* ---- the buffer ---- */

/* Room for so many bytes, from a multiple of the alignment on; NULL and the error otherwise. */
static uint8_t *make_room(fh_gltf_bytes *to, size_t len)
{
    const size_t start = (to->len + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (to->error != 0) {
        return NULL;
    }
    if (len > FH_GLTF_MOST_BYTES - start) {
        to->error = EFBIG;
        return NULL;
    }
    if (start + len > to->capacity) {
        const size_t capacity = 2 * to->capacity > start + len ? 2 * to->capacity : start + len;
        uint8_t *bytes = realloc(to->bytes, capacity);
        if (bytes == NULL) {
            to->error = ENOMEM;
            return NULL;
        }
        to->bytes = bytes;
        to->capacity = capacity;
    }
    memset(to->bytes + to->len, 0, start - to->len);
    to->len = start + len;
    return to->bytes + start;
}

/* A view of len bytes that the caller fills at once. */
static uint8_t *add_view(fh_gltf_bytes *to, size_t len, fh_gltf_target target)
{
    uint8_t *bytes = make_room(to, len);
    fh_gltf_view *view = bytes == NULL ? NULL : fh_gltf_add(&to->views, sizeof *view);
    if (view == NULL) {
        to->error = to->error == 0 ? ENOMEM : to->error;
        return NULL;
    }
    *view = (fh_gltf_view){(size_t)(bytes - to->bytes), len, target};
    return bytes;
}

uint32_t fh_gltf_put_view(fh_gltf_bytes *to, const void *bytes, size_t len, fh_gltf_target target)
{
    uint8_t *at = add_view(to, len, target);
    if (at == NULL) {
        return 0;
    }
    memcpy(at, bytes, len);
    return (uint32_t)(to->views.num - 1);
}

static fh_gltf_accessor *add_accessor(fh_gltf_bytes *to, fh_gltf_component component, size_t count,
                                      unsigned width)
{
    fh_gltf_accessor *accessor =
        to->error != 0 ? NULL : fh_gltf_add(&to->accessors, sizeof *accessor);
    if (accessor == NULL) {
        to->error = to->error == 0 ? ENOMEM : to->error;
        return NULL;
    }
    *accessor =
        (fh_gltf_accessor){(uint32_t)(to->views.num - 1), component, width, count, false, {0}, {0}};
    return accessor;
}

static void put_little(uint8_t *at, uint32_t value, unsigned len)
{
    for (unsigned i = 0; i < len; i++) {
        at[i] = (uint8_t)(value >> (8 * i) & 0xff);
    }
}

static void find_range(fh_gltf_accessor *of, const float *values)
{
    assert(of->width <= 3 && of->count > 0);
    of->has_range = true;
    for (unsigned k = 0; k < of->width; k++) {
        of->low[k] = of->high[k] = values[k];
    }
    for (size_t i = 0; i < of->count * of->width; i++) {
        const size_t k = i % of->width;
        of->low[k] = values[i] < of->low[k] ? values[i] : of->low[k];
        of->high[k] = values[i] > of->high[k] ? values[i] : of->high[k];
    }
}

static uint32_t last_accessor(const fh_gltf_bytes *to)
{
    return to->accessors.num == 0 ? 0 : (uint32_t)(to->accessors.num - 1);
}

uint32_t fh_gltf_put_floats(fh_gltf_bytes *to, const float *values, size_t count, unsigned width,
                            fh_gltf_target target, bool has_range)
{
    uint8_t *at = add_view(to, count * width * sizeof *values, target);
    fh_gltf_accessor *accessor = add_accessor(to, FH_GLTF_FLOAT, count, width);
    if (at == NULL || accessor == NULL) {
        return 0;
    }
    for (size_t i = 0; i < count * width; i++) {
        uint32_t bits;
        const float value = values[i] + 0.0f; /* no negative zero */
        memcpy(&bits, &value, sizeof bits);
        put_little(at + 4 * i, bits, 4);
    }
    if (has_range) {
        find_range(accessor, values);
    }
    return last_accessor(to);
}

uint32_t fh_gltf_put_u32(fh_gltf_bytes *to, const uint32_t *values, size_t count)
{
    uint8_t *at = add_view(to, 4 * count, FH_GLTF_INDICES);
    if (add_accessor(to, FH_GLTF_U32, count, 1) == NULL || at == NULL) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        put_little(at + 4 * i, values[i], 4);
    }
    return last_accessor(to);
}

uint32_t fh_gltf_put_u16(fh_gltf_bytes *to, const uint16_t *values, size_t count, unsigned width)
{
    uint8_t *at = add_view(to, 2 * count * width, FH_GLTF_VERTICES);
    if (add_accessor(to, FH_GLTF_U16, count, width) == NULL || at == NULL) {
        return 0;
    }
    for (size_t i = 0; i < count * width; i++) {
        put_little(at + 2 * i, values[i], 2);
    }
    return last_accessor(to);
}

void fh_gltf_bytes_free(fh_gltf_bytes *bytes)
{
    free(bytes->bytes);
    fh_gltf_free(&bytes->views);
    fh_gltf_free(&bytes->accessors);
    *bytes = (fh_gltf_bytes){0};
}
