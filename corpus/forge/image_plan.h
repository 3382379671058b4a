/* Inside of the image builder: what image.c collects, plan.c lays out and write.c writes.
 */
#ifndef FORGE_IMAGE_PLAN_H
#define FORGE_IMAGE_PLAN_H

#include "forge/image.h"
#include "forge/iso.h"

typedef enum item_kind {
    ITEM_VOLUME, /* the structures of the ISO volume */
    ITEM_FILE,
    ITEM_WOVEN, /* the files that follow it in the list, which have no sectors of their own */
    ITEM_HIDDEN,
    ITEM_FORM2,
    ITEM_AUDIO,
    ITEM_MODE0,
    ITEM_GAP,
    ITEM_MISSING,
    ITEM_RAW
} item_kind;

typedef struct item {
    item_kind kind;
    unsigned line;
    bool fixed; /* lba was asked for */
    int64_t lba;
    int64_t num_sectors;
    forge_source source;
    uint32_t skip;
    forge_image_entry entry;
    bool in_volume;
    size_t iso_file;
    bool interleaved;
    forge_interleave inter;
    bool is_woven; /* a file of the weave: */
    forge_weave weave;
    uint8_t strand; /* which one */
    forge_subheader sub;
    uint8_t fill;
    bool no_edc;
} item;

typedef struct damage_order {
    unsigned line;
    int32_t lba;
    forge_damage what;
} damage_order;

struct forge_image {
    forge_image_options options;
    unsigned line;
    bool no_edc;
    bool no_fill;
    uint64_t cut;
    unsigned cut_line;
    forge_source prefix;
    forge_iso *iso; /* owned; NULL without a volume */
    item *items;    /* owned */
    size_t num_items;
    size_t room_items;
    damage_order *damages; /* owned */
    size_t num_damages;
    size_t room_damages;
    /* what the next item takes with it */
    bool has_at;
    int32_t at;
    bool has_inter;
    forge_interleave inter;
    forge_weave weave;
    uint8_t num_strands; /* files that the weave still waits for */
    /* the plan */
    item **order; /* owned; by LBA, only items that have sectors */
    size_t num_order;
    int64_t end; /* LBA behind the last sector */
    uint64_t out_len;
};

/* forge_plan gives every item its place and every directory record its numbers, and checks all
 * that can be wrong. */
bool forge_plan(forge_image *image, forge_error *err) FORGE_MUST_USE;

/* forge_plan_kind tells what sector `index` of an item is; item may be NULL for a filler. Not for
 * missing and raw. *file_sector is the index among the data sectors of an interleaved file. */
forge_sector_kind forge_plan_kind(const forge_image *image, const item *it, int64_t index,
                                  int64_t *file_sector);
/* forge_plan_strand returns the file that sector `index` of a weave belongs to, NULL where it has
 * ended, and its number in the file. */
item *forge_plan_strand(item *woven, int64_t index, int64_t *file_sector);
/* forge_plan_data_sectors returns how many sectors the bytes of a file take by themselves. */
int64_t forge_plan_data_sectors(const item *it);

#endif
