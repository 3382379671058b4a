/* An ISO 9660 volume: names and extents in, descriptors, path tables and directories out.
 *
 * After ECMA-119, interchange level 2 names, with the XA system use fields of CD-ROM XA where
 * asked for. The volume knows nothing of sectors or file contents: the image gives each file its
 * place and writes the blocks that are rendered here.
 *
 *     forge_iso_new, forge_iso_add ...    names
 *     forge_iso_plan                      how many blocks the structures take, and where
 *     forge_iso_place ...                 where the files came to lie
 *     forge_iso_render                    the blocks
 *
 * The volume is owned by the caller: forge_iso_free. Rendered blocks belong to the volume.
 */
#ifndef FORGE_ISO_H
#define FORGE_ISO_H

#include "forge/error.h"

#include <stddef.h>
#include <stdint.h>

enum {
    FORGE_ISO_SYSTEM_AREA = 16, /* blocks before the first descriptor */
    FORGE_ISO_BLOCK = 2048
};

typedef struct forge_iso forge_iso;

/* forge_iso_new returns NULL when out of memory. volume and system are at most 32 characters; they
 * are copied. xa asks for the XA mark and attributes. */
forge_iso *forge_iso_new(const char *volume, const char *system, bool xa);
void forge_iso_free(forge_iso *iso);

/* forge_iso_name_ok tells whether a text may be a volume or system identifier. */
bool forge_iso_name_ok(const char *name, size_t len);

/* forge_iso_add enters a file, with its directories, and stores its number. Names become upper
 * case and get a version: dir/file.txt becomes DIR/FILE.TXT;1. */
bool forge_iso_add(forge_iso *iso, forge_error *err, unsigned line, const char *path, size_t len,
                   size_t *file) FORGE_MUST_USE;

/* forge_iso_split says that a file will have so many records, for as many extents. */
void forge_iso_split(forge_iso *iso, size_t file, uint32_t num);

/* forge_iso_plan lays the structures out from block first (the volume's block 16) and stores how
 * many blocks they take. No file may be added afterwards. */
bool forge_iso_plan(forge_iso *iso, forge_error *err, uint32_t first,
                    uint32_t *num_blocks) FORGE_MUST_USE;

/* What a directory record says of a file besides its name. */
typedef struct forge_iso_extent {
    uint32_t block;
    uint32_t size; /* bytes */
    uint8_t unit;  /* interleave: blocks of data ... */
    uint8_t gap;   /* ... and blocks between them; both 0 for a plain file */
    bool form2;
    bool mixed; /* XA: Form 1 and Form 2 sectors interleaved */
    uint8_t xa_file;
    uint32_t
        part; /* blocks of each extent of a file that was split, the last one has the rest ... */
    uint32_t step; /* ... and from the first block of one to that of the next */
} forge_iso_extent;

void forge_iso_place(forge_iso *iso, size_t file, const forge_iso_extent *extent);

/* forge_iso_render makes the blocks of a volume of volume_blocks blocks; forge_iso_block returns
 * one of them (0 is the primary descriptor) with the submode its sector should have. */
bool forge_iso_render(forge_iso *iso, forge_error *err, uint32_t volume_blocks) FORGE_MUST_USE;
const uint8_t *forge_iso_block(const forge_iso *iso, uint32_t index, uint8_t *submode);

#endif
