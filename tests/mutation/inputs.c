#include "inputs.h"

#include "registry/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIELDS = 4, LINE_LEN = 4096, MOST_INPUTS = 1 << 16 };

static void give_up(const char *what, const char *name)
{
    (void)fprintf(stderr, "%s: %s\n", name, what);
    exit(2);
}

static uint8_t *read_file(size_t *len, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        give_up("cannot be read", path);
    }
    const long size = ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(size > 0 ? (size_t)size : 0);
    if (size < 0 || (bytes == NULL && size > 0) ||
        fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        give_up("cannot be read", path);
    }
    (void)fclose(file);
    *len = (size_t)size;
    return bytes;
}

static void read_line(listed *out, char *line)
{
    const char *fields[MOST_FIELDS] = {NULL};
    line[strcspn(line, "\n")] = '\0';
    char *rest = NULL;
    size_t num = 0;
    for (char *at = strtok_r(line, "\t", &rest); at != NULL && num < MOST_FIELDS;
         at = strtok_r(NULL, "\t", &rest)) {
        fields[num++] = at;
    }
    if (num < MOST_FIELDS - 1) {
        give_up("a line of the list has too few fields", line);
    }
    *out = (listed){.format = fh_format_find(fields[0]), .name = strdup(fields[1])};
    if (out->format == NULL || out->name == NULL) {
        give_up("no such format", fields[0]);
    }
    out->bytes.bytes = read_file(&out->bytes.len, fields[2]);
    if (fields[3] != NULL) {
        out->bytes.model = read_file(&out->bytes.model_len, fields[3]);
    }
}

void inputs_read(inputs *out, const char *list)
{
    FILE *file = fopen(list, "r");
    char line[LINE_LEN];
    *out = (inputs){.all = calloc(MOST_INPUTS, sizeof(listed))};
    if (file == NULL || out->all == NULL) {
        give_up("cannot be read", list);
    }
    while (fgets(line, sizeof line, file) != NULL && out->num < MOST_INPUTS) {
        read_line(&out->all[out->num++], line);
    }
    (void)fclose(file);
}

void inputs_free(inputs *in)
{
    for (size_t i = 0; i < in->num; i++) {
        free(in->all[i].name);
        free((void *)(uintptr_t)in->all[i].bytes.bytes);
        free((void *)(uintptr_t)in->all[i].bytes.model);
    }
    free(in->all);
}
