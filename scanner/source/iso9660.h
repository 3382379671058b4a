/* ISO 9660: the directory trees of a volume, read with bounds from sectors that may lie.
 *
 * Pure over a callback that reads one logical sector, so that it works for every layout and every
 * container. Nothing is recursive: directories are read in the order in which they were found,
 * each at most once. What a damaged or hostile tree cannot do: loop, use more memory or time than
 * limits.h allows, name bytes outside the image unnoticed.
 *
 * The primary tree is the tree; a Joliet tree gives second names to the files that lie at the same
 * place. Path tables are only compared. Sources: ECMA-119; image format sheet, section 4.
 *
 * An fh_iso owns its memory until fh_iso_free.
 */
#ifndef FH_SOURCE_ISO9660_H
#define FH_SOURCE_ISO9660_H

#include "source/iso_record.h"
#include "source/limits.h"
#include "source/tally.h"

#define FH_ISO_BLOCK_LEN ((size_t)2048)
#define FH_ISO_NO_FILE UINT32_MAX

/* Where the sectors come from. Blocks are logical sectors: LBAs of the image. */
typedef struct fh_iso_source {
    void *user;
    /* Reads the 2048 user bytes of a block; false if it is not there or has other contents. */
    bool (*read)(void *user, int64_t block, uint8_t out[FH_ISO_BLOCK_LEN]);
    /* Where a byte of a block lies in the source, or FH_UNKNOWN. For findings. */
    int64_t (*raw_off)(void *user, int64_t block, size_t off);
    int64_t session_block; /* where the session begins: its descriptors lie 16 blocks behind */
    int64_t end_block;     /* behind the last block of the image */
} fh_iso_source;

typedef struct fh_iso_extent {
    int64_t first; /* block of the first byte of data: behind the extended attributes */
    uint32_t size; /* bytes */
    uint8_t unit;  /* blocks of data, then gap blocks of others; both 0: not interleaved */
    uint8_t gap;
    uint64_t before;       /* bytes of the file in the extents before this one ... */
    int64_t blocks_before; /* ... and blocks */
} fh_iso_extent;

/* A file or a directory. In the table parents come before their children, and directories stand
 * in the order of their levels. Entry 0 is the root. */
typedef struct fh_iso_file {
    uint32_t parent;
    uint32_t name; /* offset of the name in names: see fh_iso_name */
    uint32_t first_extent;
    uint32_t num_extents;
    uint64_t size;   /* bytes, of all extents together */
    uint32_t second; /* entry of the Joliet tree, or FH_ISO_NO_FILE */
    uint32_t block;  /* first block as recorded, with the extended attributes */
    uint16_t path_len;
    uint16_t xa_attributes;
    uint8_t xa_file;
    bool has_xa;
    uint8_t flags; /* of the record: FH_ISO_DIRECTORY ... */
    uint8_t depth; /* the root has 0 */
    bool is_read;  /* a directory whose records are in the table */

    /* Of its sectors, see source/files.h. */
    uint8_t forms;    /* those met so far: FH_FILE_FORM1, FH_FILE_FORM2 */
    uint8_t counting; /* how its bytes are counted; 0: not asked yet */
} fh_iso_file;

typedef struct fh_iso_tree {
    fh_iso_file *files; /* owned */
    size_t num_files;
    size_t max_files;
    fh_iso_extent *extents; /* owned; those of a file lie side by side */
    size_t num_extents;
    size_t max_extents;
    char *names; /* owned; each ends with a zero */
    size_t names_len;
    size_t max_names;
    bool is_cut;   /* a limit left something out */
    bool is_whole; /* nothing was left out, be it by a limit, as a loop or as damaged */
} fh_iso_tree;

typedef struct fh_iso {
    bool has_volume;
    uint32_t volume_blocks;
    fh_iso_tree primary;
    bool has_joliet;
    fh_iso_tree joliet;
} fh_iso;

/* fh_iso_read reads what there is; findings are added to tallies. false: no memory. Without a
 * volume descriptor has_volume stays false and there is no file. In both cases free it. */
bool fh_iso_read(fh_iso *iso, fh_tallies *tallies, const fh_iso_source *source) FH_MUST_USE;
void fh_iso_free(fh_iso *iso);

/* fh_iso_name returns the name of an entry as it is recorded, with its version. Bytes that are no
 * printable ASCII, '/' and '%' are written as % and two hexadecimal digits (Joliet: characters
 * above 127 are UTF-8), so that a name is one name and a path one path whatever they hold. */
const char *fh_iso_name(const fh_iso_tree *tree, size_t file);

/* fh_iso_path writes the names from the root, each behind a '/', without the version 1. */
void fh_iso_path(char out[FH_ISO_MAX_PATH], const fh_iso_tree *tree, size_t file);

/* fh_iso_find returns the entry of that path, with or without the version 1, or FH_ISO_NO_FILE. */
size_t fh_iso_find(const fh_iso_tree *tree, const char *path);

/* fh_iso_extent_blocks returns how many blocks of data an extent has. */
int64_t fh_iso_extent_blocks(const fh_iso_extent *extent);

/* fh_iso_extent_end returns the block behind the last one of an extent, gaps included. */
int64_t fh_iso_extent_end(const fh_iso_extent *extent);

/* fh_iso_is_interleaved tells whether sectors of others lie between those of an extent. */
bool fh_iso_is_interleaved(const fh_iso_extent *extent);

static inline bool fh_iso_is_directory(const fh_iso_file *file)
{
    return (file->flags & FH_ISO_DIRECTORY) != 0;
}

#endif
