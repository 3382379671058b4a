#include "hmd_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_JANSSON
#include <jansson.h>
#endif

static FILE *open_shared(const char *folder, const char *name, const char *extension)
{
    const char *shared = getenv("FRAMEHOUND_SHARED");
    const char *root = getenv("FRAMEHOUND_SOURCE_ROOT");
    char path[4096];
    if (shared != NULL) {
        snprintf(path, sizeof path, "%s/%s%s.%s", shared, folder, name, extension);
    } else {
        snprintf(path, sizeof path, "%s/../shared/%s%s.%s", root != NULL ? root : ".", folder, name,
                 extension);
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        cr_skip_test("skipped: no %s", path);
    }
    return file;
}

static uint8_t *read_all(FILE *file, size_t *len)
{
    uint8_t *bytes = NULL;
    size_t got;
    *len = 0;
    do {
        bytes = realloc(bytes, *len + 65536);
        cr_assert(bytes != NULL);
        got = fread(bytes + *len, 1, 65536, file);
        *len += got;
    } while (got > 0);
    fclose(file);
    return bytes;
}

static void load_sample(hmd_bench *b, const char *name)
{
    size_t len;
    uint8_t *bytes = read_all(open_shared("samples/hmd/", name, "hmd"), &len);
    b->image.num_words = (uint32_t)(len / 4);
    b->file = calloc(b->image.num_words, 4);
    b->image.words = calloc(b->image.num_words, 4);
    for (size_t i = 0; i < b->image.num_words; i++) {
        b->file[i] = bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 |
                     (uint32_t)bytes[4 * i + 2] << 16 | (uint32_t)bytes[4 * i + 3] << 24;
    }
    free(bytes);
}

hmd_image hmd_bench_copy(const hmd_image *from)
{
    hmd_image to = *from;
    to.words = malloc(4 * (size_t)from->num_words);
    cr_assert(to.words != NULL);
    memcpy(to.words, from->words, 4 * (size_t)from->num_words);
    return to;
}

static void put_unit(hmd_bench *b, hmd_image *image, const int64_t values[16])
{
    const uint32_t unit = 4 * (b->first_unit + 20 * (uint32_t)values[0]);
    for (uint32_t i = 0; i < 15; i++) {
        const uint32_t value = (uint32_t)values[i + 1];
        const bool done = i < 9    ? hmd_image_put16(image, unit + 4 + 2 * i, value)
                          : i < 12 ? hmd_image_put32(image, unit + 24 + 4 * (i - 9), value)
                                   : hmd_image_put16(image, unit + 68 + 2 * (i - 12), value);
        HOLD(done, "unit %d outside", (int)values[0]);
    }
}

void hmd_bench_apply(hmd_bench *b, hmd_image *to, const char *units, const char *words)
{
    const size_t num_units = hmd_bench_numbers(b, units) / 16;
    for (size_t i = 0; i < num_units; i++) {
        put_unit(b, to, &b->numbers[16 * i]);
    }
    const size_t num_words = hmd_bench_numbers(b, words) / 2;
    for (size_t i = 0; i < num_words; i++) {
        const uint32_t off = 4 * (uint32_t)b->numbers[2 * i];
        HOLD(hmd_image_put32(to, off, (uint32_t)b->numbers[2 * i + 1]), "word outside");
    }
}

size_t hmd_bench_differ(const hmd_bench *b, const hmd_image *a, const hmd_image *c)
{
    size_t num = 0;
    for (uint32_t i = 0; i < a->num_words; i++) {
        const bool in_units = i >= b->first_unit && i < b->first_unit + 20 * b->num_units;
        const uint32_t field = in_units ? (i - b->first_unit) % 20 : 1;
        const bool recorded = field != 0 && (field < 9 || field > 16);
        num += recorded && a->words[i] != c->words[i] ? 1 : 0;
    }
    return num;
}

bool hmd_bench_equal(const fx_matrix *a, const fx_matrix *c)
{
    return memcmp(a->m, c->m, sizeof a->m) == 0 && memcmp(a->t, c->t, sizeof a->t) == 0;
}

static size_t primitive_records(const hmd_image *image, uint32_t primitive, uint32_t category,
                                hmd_bench_record *out, size_t max)
{
    const uint32_t *w = image->words;
    size_t num = 0;
    uint32_t at = primitive + 3;
    for (uint32_t i = 0; i < (w[primitive + 2] & 0xffff) && at + 1 < image->num_words; i++) {
        const uint32_t size = w[at + 1] & 0xffff;
        if (w[at] >> 24 == category && num < max && w[primitive + 1] < image->num_words) {
            out[num++] = (hmd_bench_record){w[at], w[primitive + 1] + 1, w[w[primitive + 1]],
                                            at + 2, size - 1};
        }
        at += 1 + size;
    }
    return num;
}

size_t hmd_bench_records(const hmd_image *image, uint32_t category,
                         hmd_bench_record out[HMD_BENCH_RECORDS])
{
    const uint32_t *w = image->words;
    size_t num = 0;
    for (uint32_t block = 0; block < w[3] && block + 4 < image->num_words; block++) {
        uint32_t at = w[4 + block];
        for (int steps = 0; at != 0 && at < image->num_words - 3 && steps < 1000; steps++) {
            num += primitive_records(image, at, category, &out[num], HMD_BENCH_RECORDS - num);
            at = w[at];
        }
    }
    return num;
}

#ifdef HAVE_JANSSON

static size_t flatten(hmd_bench *b, const json_t *value, size_t num)
{
    if (json_is_integer(value)) {
        HOLD(num < HMD_BENCH_NUMBERS, "too many numbers");
        b->numbers[num++] = json_integer_value(value);
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        num = flatten(b, json_array_get(value, i), num);
    }
    return num;
}

static json_t *member(void *object, const char *name)
{
    const char *dot = strchr(name, '.');
    if (dot == NULL) {
        return json_object_get(object, name);
    }
    char first[32];
    snprintf(first, sizeof first, "%.*s", (int)(dot - name), name);
    return json_object_get(json_object_get(object, first), dot + 1);
}

size_t hmd_bench_numbers(hmd_bench *b, const char *name)
{
    return flatten(b, member(b->frame, name), 0);
}

bool hmd_bench_has(hmd_bench *b, const char *name)
{
    return member(b->frame, name) != NULL;
}

void hmd_bench_open(hmd_bench *b, const char *name)
{
    memset(b, 0, sizeof *b);
    load_sample(b, name);
    char with_prefix[256];
    snprintf(with_prefix, sizeof with_prefix, "hmd_%s", name);
    size_t len;
    uint8_t *text = read_all(open_shared("vectors/", with_prefix, "json"), &len);
    b->vector = json_loadb((const char *)text, len, 0, NULL);
    free(text);
    cr_assert(b->vector != NULL, "%s is no JSON", name);
    cr_assert(eq(i64, json_integer_value(member(b->vector, "size")), 4 * b->image.num_words));
    b->first_unit = (uint32_t)json_integer_value(member(b->vector, "coord_word"));
    b->num_units = (uint32_t)flatten(b, member(b->vector, "coord_super"), 0);
    cr_assert(le(u32, b->num_units, HMD_BENCH_COORDS));
    for (uint32_t i = 0; i < b->num_units; i++) {
        b->parent[i] = (int32_t)b->numbers[i];
    }
}

void hmd_bench_close(hmd_bench *b)
{
    json_decref(b->vector);
    free(b->file);
    free(b->image.words);
}

static void put_start(hmd_bench *b)
{
    memcpy(b->image.words, b->file, 4 * (size_t)b->image.num_words);
    const size_t num = flatten(b, member(b->vector, "coord_init"), 0);
    cr_assert(eq(sz, num, 15 * (size_t)b->num_units));
    for (uint32_t i = 0; i < b->num_units; i++) {
        int64_t values[16] = {i};
        memcpy(&values[1], &b->numbers[15 * i], 15 * sizeof values[0]);
        put_unit(b, &b->image, values);
    }
}

bool hmd_bench_start(hmd_bench *b, size_t scenario)
{
    json_t *const all = member(b->vector, "scenarios");
    void *at = json_object_iter(all);
    for (size_t i = 0; i < scenario && at != NULL; i++) {
        at = json_object_iter_next(all, at);
    }
    if (at == NULL) {
        return false;
    }
    b->scenario = json_object_iter_key(at);
    b->frames = json_object_iter_value(at);
    b->next = 0;
    const json_t *outside = member(b->vector, "oob_first_frame");
    const json_t *limit = json_object_get(outside, b->scenario);
    b->limit = limit != NULL ? (size_t)json_integer_value(limit) : SIZE_MAX;
    put_start(b);
    return true;
}

bool hmd_bench_next(hmd_bench *b)
{
    if (b->next >= json_array_size(b->frames) || b->next >= b->limit) {
        return false;
    }
    b->frame = json_array_get(b->frames, b->next++);
    return true;
}

#else

void hmd_bench_open(hmd_bench *b, const char *name)
{
    memset(b, 0, sizeof *b);
    load_sample(b, name);
    free(b->file);
    free(b->image.words);
    cr_skip_test("skipped: built without jansson");
}

void hmd_bench_close(hmd_bench *b)
{
    (void)b;
}

bool hmd_bench_start(hmd_bench *b, size_t scenario)
{
    (void)b;
    (void)scenario;
    return false;
}

bool hmd_bench_next(hmd_bench *b)
{
    (void)b;
    return false;
}

size_t hmd_bench_numbers(hmd_bench *b, const char *name)
{
    (void)b;
    (void)name;
    return 0;
}

bool hmd_bench_has(hmd_bench *b, const char *name)
{
    (void)b;
    (void)name;
    return false;
}

#endif
