#include "gate/lists.h"

#include "gate/limits.h"
#include "source/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

/* Takes over the name. */
static bool take(fh_list *list, char *name)
{
    if (name != NULL && list->num_names == list->max_names) {
        const size_t max = list->max_names == 0 ? 64 : 2 * list->max_names;
        char **names = realloc(list->names, max * sizeof *names);
        if (names == NULL) {
            free(name);
            return false;
        }
        list->names = names;
        list->max_names = max;
    }
    if (name != NULL) {
        list->names[list->num_names++] = name;
    }
    return name != NULL;
}

bool fh_list_add(fh_list *list, const char *name)
{
    return take(list, strdup(name));
}

void fh_list_cut_columns(fh_list *list, size_t first)
{
    for (size_t i = first; i < list->num_names; i++) {
        list->names[i][strcspn(list->names[i], "\t")] = '\0';
    }
}

void fh_list_free(fh_list *list)
{
    for (size_t i = 0; i < list->num_names; i++) {
        free(list->names[i]);
    }
    free(list->names);
    free(list->rest);
    *list = (fh_list){0};
}

/* ---- feeding ---- */

static bool keep_rest(fh_list *list, const char *bytes, size_t len)
{
    if (list->max_rest - list->rest_len < len) {
        const size_t max = 2 * (list->rest_len + len);
        char *grown = realloc(list->rest, max);
        if (grown == NULL) {
            return false;
        }
        list->rest = grown;
        list->max_rest = max;
    }
    if (len > 0) {
        memcpy(list->rest + list->rest_len, bytes, len);
        list->rest_len += len;
    }
    return true;
}

static fh_list_status end_name(fh_list *list, char separator)
{
    const size_t len = list->rest_len;
    list->rest_len = 0;
    if (len == 0) {
        return separator == '\0' ? FH_LIST_EMPTY_NAME : FH_LIST_OK;
    }
    return take(list, strndup(list->rest, len)) ? FH_LIST_OK : FH_LIST_NO_MEMORY;
}

fh_list_status fh_list_feed(fh_list *list, char separator, const void *bytes, size_t len)
{
    const char *at = bytes;
    const char *const end = at + len;
    if (len > FH_LIST_MAX_LEN - list->len) {
        return FH_LIST_LIMIT;
    }
    list->len += len;
    if (separator != '\0' && memchr(bytes, '\0', len) != NULL) {
        return FH_LIST_ZERO;
    }
    while (at < end) {
        const char *stop = memchr(at, separator, (size_t)(end - at));
        if (!keep_rest(list, at, (size_t)((stop == NULL ? end : stop) - at))) {
            return FH_LIST_NO_MEMORY;
        }
        if (stop == NULL) {
            break;
        }
        const fh_list_status status = end_name(list, separator);
        if (status != FH_LIST_OK) {
            return status;
        }
        at = stop + 1;
    }
    return FH_LIST_OK;
}

fh_list_status fh_list_feed_end(fh_list *list, char separator)
{
    return list->rest_len == 0 ? FH_LIST_OK : end_name(list, separator);
}

/* ---- a file ---- */

static fh_exit complain_of(fh_list_status status, const char *command, const char *path)
{
    const char *name = strcmp(path, "-") == 0 ? "standard input" : fh_safe_path(path);
    switch (status) {
    case FH_LIST_OK:
        return FH_EXIT_OK;
    case FH_LIST_LIMIT:
        fh_complain("list %s: longer than 64 MiB; part it", name);
        return FH_EXIT_LIMIT;
    case FH_LIST_NO_MEMORY:
        fh_complain("list %s: out of memory", name);
        return FH_EXIT_LIMIT;
    case FH_LIST_EMPTY_NAME:
        return fh_usage_error(command, "list %s: an empty name; two zero bytes in a row", name);
    case FH_LIST_ZERO:
        break;
    }
    return fh_usage_error(command, "list %s: a zero byte; --null is for lists with such", name);
}

static fh_exit complain_reading(fh_reader_status status, const fh_reader *reader, const char *path)
{
    if (status == FH_READER_STOPPED) {
        fh_complain("list %s: interrupted", fh_safe_path(path));
        return FH_EXIT_LIMIT;
    }
    fh_complain("cannot read list %s: %s; check the name and the permissions", fh_safe_path(path),
                reader->error_text);
    return FH_EXIT_IO;
}

static fh_exit read_list(fh_list *list, fh_reader *reader, const char *command, const char *path,
                         char separator)
{
    for (;;) {
        const uint8_t *bytes = NULL;
        size_t len = 0;
        const fh_reader_status status = fh_reader_next(reader, &bytes, &len);
        if (status == FH_READER_END) {
            return complain_of(fh_list_feed_end(list, separator), command, path);
        }
        if (status != FH_READER_OK) {
            return complain_reading(status, reader, path);
        }
        const fh_list_status fed = fh_list_feed(list, separator, bytes, len);
        if (fed != FH_LIST_OK) {
            return complain_of(fed, command, path);
        }
    }
}

fh_exit fh_list_read(fh_list *list, const char *command, const char *path, char separator)
{
    fh_reader reader;
    const fh_reader_status status = fh_reader_open(&reader, path, fh_interrupted, NULL);
    const fh_exit exit = status == FH_READER_OK ? read_list(list, &reader, command, path, separator)
                                                : complain_reading(status, &reader, path);
    fh_reader_close(&reader);
    return exit;
}

/* ---- order ---- */

/* As names of each folder are compared by a walk: what ends a name is less than any byte in it. */
static int by_walk(const void *a, const void *b)
{
    const unsigned char *one = *(const unsigned char *const *)a;
    const unsigned char *other = *(const unsigned char *const *)b;
    while (*one != '\0' && *one == *other) {
        one++;
        other++;
    }
    const int left = *one == '\0' ? 0 : *one == '/' ? 1 : *one + 1;
    const int right = *other == '\0' ? 0 : *other == '/' ? 1 : *other + 1;
    return left - right;
}

void fh_list_sort(fh_list *list)
{
    size_t num = 0;
    if (list->num_names == 0) {
        return;
    }
    qsort(list->names, list->num_names, sizeof *list->names, by_walk);
    for (size_t i = 0; i < list->num_names; i++) {
        if (num > 0 && strcmp(list->names[num - 1], list->names[i]) == 0) {
            free(list->names[i]);
        } else {
            list->names[num++] = list->names[i];
        }
    }
    list->num_names = num;
}

typedef struct ranked {
    char **name; /* its place in the list */
} ranked;

static int by_name_and_place(const void *a, const void *b)
{
    char *const *one = ((const ranked *)a)->name;
    char *const *other = ((const ranked *)b)->name;
    const int order = strcmp(*one, *other);
    return order != 0 ? order : (one > other) - (one < other);
}

bool fh_list_unique(fh_list *list)
{
    size_t num = 0;
    ranked *order = malloc((list->num_names + 1) * sizeof *order);
    if (order == NULL) {
        return false;
    }
    for (size_t i = 0; i < list->num_names; i++) {
        order[i].name = &list->names[i];
    }
    qsort(order, list->num_names, sizeof *order, by_name_and_place);
    for (size_t i = 0, first = 0; i < list->num_names; i++) {
        if (i > first && strcmp(*order[first].name, *order[i].name) == 0) {
            free(*order[i].name);
            *order[i].name = NULL;
        } else {
            first = i;
        }
    }
    free(order);
    for (size_t i = 0; i < list->num_names; i++) {
        if (list->names[i] != NULL) {
            list->names[num++] = list->names[i];
        }
    }
    list->num_names = num;
    return true;
}
