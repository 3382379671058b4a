/* Inside of the reader of ISO 9660: what its files share. */
#ifndef FH_SOURCE_ISO_IMPL_H
#define FH_SOURCE_ISO_IMPL_H

#include "source/iso9660.h"

/* A number of the descriptor that says where a path table is. */
typedef struct fh_iso_table {
    uint32_t block;
    bool is_big; /* numbers in big-endian order */
} fh_iso_table;

enum { FH_ISO_NUM_TABLES = 4 };

/* What a volume descriptor says. */
typedef struct fh_iso_volume {
    int64_t block; /* of the descriptor itself */
    uint32_t num_blocks;
    uint32_t table_size;
    fh_iso_table tables[FH_ISO_NUM_TABLES]; /* block 0: none */
    fh_iso_record root;
} fh_iso_volume;

/* The work on one tree. */
typedef struct fh_iso_walk {
    const fh_iso_source *source;
    fh_tallies *tallies;
    fh_iso_tree *tree;
    bool is_joliet;
    uint32_t *seen; /* first blocks of directories + 1, a hash table; owned */
    size_t num_seen;
    size_t max_seen;
    uint32_t num_sectors; /* read so far */
    bool has_pending;     /* the last entry waits for further extents */
    bool no_memory;
} fh_iso_walk;

/* fh_iso_at adds one instance of a rule at a byte of a block; see fh_tally_add. */
fh_tally *fh_iso_at(fh_tallies *tallies, const fh_iso_source *source, fh_image_rule rule,
                    int64_t block, size_t off, const char *field);

/* fh_iso_found and fh_iso_expected fill in the evidence. tally may be NULL. */
void fh_iso_found(fh_tally *tally, fh_value value);
void fh_iso_expected(fh_tally *tally, fh_value value);

/* fh_iso_compare tells of a number whose two byte orders differ; true if they are equal. */
bool fh_iso_compare(fh_tallies *tallies, const fh_iso_source *source, fh_image_rule rule,
                    int64_t block, size_t off, const char *field, fh_iso_both number);

/* fh_iso_walk_tree reads all directories from the root of the volume on. false: no memory. */
bool fh_iso_walk_tree(fh_iso_walk *walk, const fh_iso_volume *volume) FH_MUST_USE;

/* The longest that a name of at most 255 bytes becomes, with its terminating zero: each byte % and
 * two digits; the 127 characters of Joliet take no more. */
#define FH_ISO_MAX_ENCODED (3u * 255u + 1u)

/* fh_iso_encode writes a name as fh_iso_name returns it and returns its length. */
size_t fh_iso_encode(char out[FH_ISO_MAX_ENCODED], const fh_cursor *name, bool is_joliet);

/* fh_iso_add_name keeps a name; false: no memory, or a limit (walk->no_memory tells which). */
bool fh_iso_add_name(fh_iso_walk *walk, uint32_t *out, uint16_t *len,
                     const fh_cursor *name) FH_MUST_USE;

/* fh_iso_check_tables compares the path tables with the tree. false: no memory. */
bool fh_iso_check_tables(const fh_iso_walk *walk, const fh_iso_volume *volume) FH_MUST_USE;

/* fh_iso_check_sharing looks for blocks that two entries have. false: no memory. */
bool fh_iso_check_sharing(const fh_iso_walk *walk) FH_MUST_USE;

/* fh_iso_link gives files their entry in the Joliet tree: by their place and size, where no other
 * file of either tree has both. false: no memory. */
bool fh_iso_link(fh_iso *iso) FH_MUST_USE;

#endif
