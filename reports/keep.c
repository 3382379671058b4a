#include "reports/keep.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 6 };

/* A part of a record that is pointed to. */
typedef struct part {
    const void *from;
    size_t len; /* 0: there is none */
    size_t off; /* in the copy */
} part;

static part string_part(const char *str)
{
    return (part){.from = str, .len = str == NULL ? 0 : strlen(str) + 1};
}

static part hash_part(const uint8_t *hash)
{
    return (part){.from = hash, .len = hash == NULL ? 0 : FH_SHA256_LEN};
}

static bool reserve(fh_kept *kept, size_t size)
{
    if (size <= kept->size) {
        return true;
    }
    char *bytes = realloc(kept->bytes, size);
    if (bytes == NULL) {
        return false;
    }
    kept->bytes = bytes;
    kept->size = size;
    return true;
}

/* The first part comes first, and so is aligned for anything. */
static bool copy_parts(fh_kept *kept, part *parts, size_t num)
{
    size_t size = 0;
    assert(num <= MOST_PARTS);
    for (size_t i = 0; i < num; i++) {
        parts[i].off = size;
        size += parts[i].len;
    }
    if (!reserve(kept, size)) {
        return false;
    }
    for (size_t i = 0; i < num; i++) {
        if (parts[i].len > 0) {
            memcpy(kept->bytes + parts[i].off, parts[i].from, parts[i].len);
        }
    }
    return true;
}

static void *copy_of(const fh_kept *kept, const part *of)
{
    return of->len > 0 ? kept->bytes + of->off : NULL;
}

bool fh_keep_source(fh_kept *kept, fh_source_record *out, const fh_source_record *source)
{
    part parts[] = {string_part(source->path),   string_part(source->kind),
                    string_part(source->layout), string_part(source->status),
                    string_part(source->why),    hash_part(source->sha256)};
    *out = (fh_source_record){0};
    if (!copy_parts(kept, parts, sizeof parts / sizeof parts[0])) {
        return false;
    }
    *out = *source;
    out->path = copy_of(kept, &parts[0]);
    out->kind = copy_of(kept, &parts[1]);
    out->layout = copy_of(kept, &parts[2]);
    out->status = copy_of(kept, &parts[3]);
    out->why = copy_of(kept, &parts[4]);
    out->sha256 = copy_of(kept, &parts[5]);
    return true;
}

bool fh_keep_asset(fh_kept *kept, fh_asset_record *out, const fh_asset_record *asset)
{
    part parts[] = {{.from = asset->pieces, .len = asset->num_pieces * sizeof *asset->pieces},
                    string_part(asset->format),
                    string_part(asset->grade),
                    string_part(asset->iso_path),
                    hash_part(asset->sha256),
                    hash_part(asset->pose_sha256)};
    *out = (fh_asset_record){0};
    if (!copy_parts(kept, parts, sizeof parts / sizeof parts[0])) {
        return false;
    }
    *out = *asset;
    out->replay = NULL;
    out->pieces = copy_of(kept, &parts[0]);
    out->format = copy_of(kept, &parts[1]);
    out->grade = copy_of(kept, &parts[2]);
    out->iso_path = copy_of(kept, &parts[3]);
    out->sha256 = copy_of(kept, &parts[4]);
    out->pose_sha256 = copy_of(kept, &parts[5]);
    return true;
}

void fh_kept_free(fh_kept *kept)
{
    free(kept->bytes);
    *kept = (fh_kept){0};
}
