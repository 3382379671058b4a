#include "forge/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

forge_source forge_source_zero(uint64_t len)
{
    return (forge_source){.len = len};
}

bool forge_source_memory(forge_source *source, forge_error *err, const void *bytes, size_t len)
{
    *source = forge_source_zero(len);
    source->bytes = malloc(len + 1); /* never of no bytes: NULL means zeros */
    if (source->bytes == NULL) {
        return forge_fail(err, FORGE_IO, 0, "out of memory");
    }
    if (len > 0) {
        memcpy(source->bytes, bytes, len);
    }
    return true;
}

bool forge_source_file(forge_source *source, forge_error *err, unsigned line, const char *path)
{
    struct stat info;
    *source = forge_source_zero(0);
    if (stat(path, &info) != 0) {
        return forge_fail(err, FORGE_IO, line, "%s: %s", path, strerror(errno));
    }
    if (!S_ISREG(info.st_mode)) {
        return forge_fail(err, FORGE_IO, line, "%s: not a regular file", path);
    }
    source->path = strdup(path);
    if (source->path == NULL) {
        return forge_fail(err, FORGE_IO, line, "out of memory");
    }
    source->len = (uint64_t)info.st_size;
    return true;
}

static bool read_file(forge_source *source, forge_error *err, uint64_t off, uint8_t *out,
                      size_t len)
{
    if (source->file == NULL) {
        source->file = fopen(source->path, "rb");
    }
    if (source->file == NULL || fseeko(source->file, (off_t)off, SEEK_SET) != 0 ||
        fread(out, 1, len, source->file) != len) {
        return forge_fail(err, FORGE_IO, 0, "%s: cannot be read as far as its length says",
                          source->path);
    }
    return true;
}

bool forge_source_read(forge_source *source, forge_error *err, uint64_t off, uint8_t *out,
                       size_t len)
{
    uint64_t left = off < source->len ? source->len - off : 0;
    size_t have = left < len ? (size_t)left : len;
    memset(out + have, 0, len - have);
    if (have == 0) {
        return true;
    }
    if (source->path != NULL) {
        return read_file(source, err, off, out, have);
    }
    if (source->bytes != NULL) {
        memcpy(out, source->bytes + off, have);
    } else {
        memset(out, 0, have);
    }
    return true;
}

void forge_source_rest(forge_source *source)
{
    if (source->file != NULL) {
        (void)fclose(source->file); /* only read from */
        source->file = NULL;
    }
}

void forge_source_free(forge_source *source)
{
    forge_source_rest(source);
    free(source->bytes);
    free(source->path);
    *source = forge_source_zero(0);
}
