/* Bytes that go into an image: zeros, memory, or a file that is read when its turn comes.
 *
 * A source owns its copy of the bytes, or the path; forge_source_free gives both back. A file is
 * open only between the first read and forge_source_rest, so that an image may have thousands.
 */
#ifndef FORGE_SOURCE_H
#define FORGE_SOURCE_H

#include "forge/error.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct forge_source {
    uint64_t len;
    uint8_t *bytes; /* owned; NULL for zeros and files */
    char *path;     /* owned; NULL for zeros and memory */
    FILE *file;
} forge_source;

/* forge_source_zero yields len zero bytes. */
forge_source forge_source_zero(uint64_t len);
/* forge_source_memory copies the bytes; forge_source_file notes the path and asks for the length.
 * line is for messages. */
bool forge_source_memory(forge_source *source, forge_error *err, const void *bytes,
                         size_t len) FORGE_MUST_USE;
bool forge_source_file(forge_source *source, forge_error *err, unsigned line,
                       const char *path) FORGE_MUST_USE;

/* forge_source_read fills out with len bytes from off; what lies past the end reads as zero. */
bool forge_source_read(forge_source *source, forge_error *err, uint64_t off, uint8_t *out,
                       size_t len) FORGE_MUST_USE;
void forge_source_rest(forge_source *source);
void forge_source_free(forge_source *source);

#endif
