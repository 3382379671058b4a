/* The directory trees of a volume: a small sound one (fuzz_image.h) with the bytes of the input
 * laid over it. What must be true, whatever they are:
 *   - parents come before their children, entry 0 is the root, depths stay under their limit;
 *   - names have no `/` and no control characters, paths begin with `/`, and who looks a path up
 *     gets an entry of that path;
 *   - the map gives a block only to files that have it, and every file's blocks are counted from 0;
 *   - reading takes no more blocks than source/limits.h allows, and says the same twice;
 *   - findings have a message of one line.
 */
#include "fuzz_image.h"

#include "source/iso_map.h"

#include <string.h>

/* Descriptors, four path tables, and the directories of two trees. */
enum {
    MOST_READS =
        (int)(4 * FH_ISO_MAX_DESCRIPTORS + 8 * FH_ISO_MAX_TABLE_SECTORS + 2 * FH_ISO_MAX_SECTORS)
};

static const fuzz_bounds bounds = {
    .memory_floor = (size_t)64 << 20, .memory_per_byte = 256, .milliseconds = 4000};

static uint8_t volume[FUZZ_VOLUME_LEN];
static unsigned num_reads;

static bool read_block(void *user, int64_t block, uint8_t out[FH_ISO_BLOCK_LEN])
{
    (void)user;
    fuzz_demand(++num_reads <= (unsigned)MOST_READS, "reading stays under its limit");
    if (block < 0 || block >= (int64_t)FUZZ_VOLUME_BLOCKS) {
        return false;
    }
    memcpy(out, volume + (size_t)block * FH_ISO_BLOCK_LEN, FH_ISO_BLOCK_LEN);
    return true;
}

static int64_t raw_off(void *user, int64_t block, size_t off)
{
    (void)user;
    return block < 0 || block >= (int64_t)FUZZ_VOLUME_BLOCKS
               ? FH_UNKNOWN
               : block * (int64_t)FH_ISO_BLOCK_LEN + (int64_t)off;
}

static void check_name(const char *name)
{
    for (const char *at = name; *at != '\0'; at++) {
        const unsigned char byte = (unsigned char)*at;
        fuzz_demand(byte > 0x1f && byte != 0x7f && byte != '/', "a name is one name of a text");
    }
}

static void check_file(const fh_iso_tree *tree, size_t index)
{
    char path[FH_ISO_MAX_PATH];
    char found_path[FH_ISO_MAX_PATH];
    const fh_iso_file *file = &tree->files[index];
    fuzz_demand(index == 0 || file->parent < index, "parents come before their children");
    fuzz_demand(file->depth <= FH_ISO_MAX_DEPTH, "depth stays under its limit");
    fuzz_demand(file->first_extent <= tree->num_extents &&
                    file->num_extents <= tree->num_extents - file->first_extent,
                "the extents of a file are there");
    check_name(fh_iso_name(tree, index));
    fh_iso_path(path, tree, index);
    fuzz_demand(path[0] == '/' || index == 0, "a path begins at the root");
    const size_t found = fh_iso_find(tree, path);
    if (found != FH_ISO_NO_FILE) {
        fh_iso_path(found_path, tree, found);
        fuzz_demand(strcmp(path, found_path) == 0, "a path leads to an entry of that path");
    }
    fuzz_demand(found != FH_ISO_NO_FILE || index == 0, "a path leads to an entry");
}

static void check_block(const fh_iso_map *map, int64_t block)
{
    fh_iso_hit hit;
    unsigned num = 0;
    bool has_one = fh_iso_map_find(map, &hit, block);
    for (; has_one && num < FH_ISO_MAX_SHARING; num++) {
        fuzz_demand(hit.file < map->tree->num_files && hit.extent < map->tree->num_extents,
                    "a block lies in a file of the tree");
        const fh_iso_extent *extent = &map->tree->extents[hit.extent];
        fuzz_demand(hit.number >= 0 && fh_iso_number(extent, block) == hit.number,
                    "blocks of a file are counted from 0");
        fuzz_demand(block >= extent->first && block < fh_iso_extent_end(extent),
                    "a block lies in the extent that has it");
        has_one = fh_iso_map_next(map, &hit, block);
    }
}

static void check_tree(const fh_iso_tree *tree)
{
    fh_iso_map map;
    const size_t most = tree->num_files < 256 ? tree->num_files : 256;
    for (size_t i = 0; i < most; i++) {
        check_file(tree, i);
    }
    fuzz_demand(fh_iso_map_make(&map, tree), "the system has memory");
    for (size_t i = 0; i < FUZZ_VOLUME_BLOCKS; i++) {
        check_block(&map, (int64_t)i);
    }
    fh_iso_map_free(&map);
}

static void on_finding(void *user, const fh_finding *finding)
{
    fuzz_fold_finding(user, finding);
}

static fuzz_sum read_once(bool checks)
{
    static fh_tallies tallies;
    fuzz_sum sum = FUZZ_SUM;
    fh_iso iso;
    const fh_iso_source source = {
        .read = read_block, .raw_off = raw_off, .end_block = FUZZ_VOLUME_BLOCKS};
    memset(&tallies, 0, sizeof tallies);
    num_reads = 0;
    fuzz_demand(fh_iso_read(&iso, &tallies, &source), "the system has memory");
    fuzz_demand(iso.has_volume || iso.primary.num_files == 0, "without a volume there is no file");
    for (size_t i = 0; i < iso.primary.num_files; i++) {
        fuzz_fold_text(&sum, fh_iso_name(&iso.primary, i));
        fuzz_fold_number(&sum, (int64_t)iso.primary.files[i].size);
    }
    fh_tallies_tell(&tallies, &sum, on_finding);
    if (checks && iso.has_volume) {
        check_tree(&iso.primary);
    }
    if (checks && iso.has_joliet) {
        check_tree(&iso.joliet);
    }
    fh_iso_free(&iso);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    fuzz_volume(volume, &input);
    fuzz_begin();
    const fuzz_sum first = read_once(true);
    fuzz_end(&bounds, sizeof volume);
    fuzz_demand(read_once(false) == first, "reading twice says the same");
    return 0;
}
