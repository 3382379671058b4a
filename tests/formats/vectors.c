#include "vectors.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>

static void path_of(char *path, size_t len, const char *name)
{
    const char *shared = getenv("FRAMEHOUND_SHARED");
    const char *root = getenv("FRAMEHOUND_SOURCE_ROOT");
    if (shared != NULL) {
        snprintf(path, len, "%s/vectors/%s", shared, name);
    } else {
        snprintf(path, len, "%s/../shared/vectors/%s", root != NULL ? root : ".", name);
    }
}

json_t *vectors_try(const char *name)
{
    char path[4096];
    json_error_t error;
    path_of(path, sizeof path, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    json_t *root = json_loadf(file, 0, &error);
    fclose(file);
    cr_assert(root != NULL, "%s line %d: %s", path, error.line, error.text);
    return root;
}

json_t *vectors_load(const char *name)
{
    json_t *root = vectors_try(name);
    if (root == NULL) {
        char path[4096];
        path_of(path, sizeof path, name);
        cr_skip_test("skipped: no vectors %s", path);
    }
    return root;
}

static int64_t integer(const json_t *value, const char *where)
{
    if (!json_is_integer(value)) {
        cr_fatal("no integer: %s", where);
    }
    return json_integer_value(value);
}

int64_t vector_int(const json_t *array, size_t index)
{
    return integer(json_array_get(array, index), "element of an array");
}

int64_t vector_field(const json_t *object, const char *name)
{
    return integer(json_object_get(object, name), name);
}
