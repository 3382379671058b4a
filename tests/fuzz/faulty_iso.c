/* Of fuzz_iso.c: what is read of a volume, and what its map says, is changed on its way to the
 * target. The linker puts the functions with __wrap_ before those of source/iso9660.c and others.
 * The volume is the sound one that the target makes of no input.
 */
#include "faulty.h"

#include "fuzz_support.h"

#include "source/iso_map.h"

#include <stdlib.h>
#include <string.h>

#define EXTENTS "the extents of a file are there"
#define NAME "a name is one name of a text"
#define IN_TREE "a block lies in a file of the tree"
#define TWICE "reading twice says the same"

static const faulty_case cases[] = {
    {"none", NULL},
    {"reading without end", "reading stays under its limit"},
    {"no memory for a volume", "the system has memory"},
    {"no memory for a map", "the system has memory"},
    {"files without a volume", "without a volume there is no file"},
    {"child in front of its parent", "parents come before their children"},
    {"file that is too deep", "depth stays under its limit"},
    {"extents behind the last one", EXTENTS},
    {"extents over the end", EXTENTS},
    {"name of two names", NAME},
    {"name that commands a terminal", NAME},
    {"path without a root", "a path begins at the root"},
    {"path that leads elsewhere", "a path leads to an entry of that path"},
    {"path that leads nowhere", "a path leads to an entry"},
    {"block of no file", IN_TREE},
    {"block of no extent", IN_TREE},
    {"block that is counted from 1", "blocks of a file are counted from 0"},
    {"block behind its extent", "a block lies in the extent that has it"},
    {"second reading of another size", TWICE},
    {"second reading of fewer files", TWICE},
    {"memory", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time", "time stays under its bound"},
};

/* Names that the linker gives. */
bool __wrap_fh_iso_read(fh_iso *iso, fh_tallies *tallies, const fh_iso_source *source);
bool __real_fh_iso_read(fh_iso *iso, fh_tallies *tallies, const fh_iso_source *source);
const char *__wrap_fh_iso_name(const fh_iso_tree *tree, size_t file);
const char *__real_fh_iso_name(const fh_iso_tree *tree, size_t file);
void __wrap_fh_iso_path(char out[FH_ISO_MAX_PATH], const fh_iso_tree *tree, size_t file);
void __real_fh_iso_path(char out[FH_ISO_MAX_PATH], const fh_iso_tree *tree, size_t file);
size_t __wrap_fh_iso_find(const fh_iso_tree *tree, const char *path);
size_t __real_fh_iso_find(const fh_iso_tree *tree, const char *path);
int64_t __wrap_fh_iso_extent_end(const fh_iso_extent *extent);
int64_t __real_fh_iso_extent_end(const fh_iso_extent *extent);
bool __wrap_fh_iso_map_make(fh_iso_map *map, const fh_iso_tree *tree);
bool __real_fh_iso_map_make(fh_iso_map *map, const fh_iso_tree *tree);
bool __wrap_fh_iso_map_find(const fh_iso_map *map, fh_iso_hit *out, int64_t block);
bool __real_fh_iso_map_find(const fh_iso_map *map, fh_iso_hit *out, int64_t block);
int64_t __wrap_fh_iso_number(const fh_iso_extent *extent, int64_t block);
int64_t __real_fh_iso_number(const fh_iso_extent *extent, int64_t block);

static unsigned num_read; /* of this input */
static bool is_read;      /* who asks is the target, and not the reader */
static bool is_numbered;  /* what comes next is asked for by the target */

static void read_on(const fh_iso_source *source)
{
    enum { TOO_MANY = 1 << 20 };
    uint8_t block[FH_ISO_BLOCK_LEN];
    for (int i = 0; i < TOO_MANY; i++) {
        (void)source->read(source->user, 0, block);
    }
}

static void spoil(fh_iso *iso)
{
    fh_iso_tree *tree = &iso->primary;
    fh_iso_file *last = &tree->files[tree->num_files - 1];
    iso->has_volume = iso->has_volume && !faulty_is("files without a volume");
    tree->files[1].parent = faulty_is("child in front of its parent") ? 2 : tree->files[1].parent;
    last->depth = faulty_is("file that is too deep") ? FH_ISO_MAX_DEPTH + 1 : last->depth;
    last->first_extent = faulty_is("extents behind the last one") ? (uint32_t)tree->num_extents + 1
                                                                  : last->first_extent;
    last->num_extents =
        faulty_is("extents over the end") ? (uint32_t)tree->num_extents + 1 : last->num_extents;
    last->size += faulty_is("second reading of another size") && num_read == 2 ? 1 : 0;
    tree->num_files -= faulty_is("second reading of fewer files") && num_read == 2 ? 1 : 0;
}

bool __wrap_fh_iso_read(fh_iso *iso, fh_tallies *tallies, const fh_iso_source *source)
{
    is_read = false;
    const bool is_done = __real_fh_iso_read(iso, tallies, source);
    is_read = true;
    num_read++;
    faulty_spend(faulty_is("memory"), faulty_is("time"));
    if (faulty_is("reading without end")) {
        read_on(source);
    }
    spoil(iso);
    return is_done && !faulty_is("no memory for a volume");
}

const char *__wrap_fh_iso_name(const fh_iso_tree *tree, size_t file)
{
    const char *name = __real_fh_iso_name(tree, file);
    return !is_read                                     ? name
           : faulty_is("name of two names")             ? "a/b"
           : faulty_is("name that commands a terminal") ? "\x1b[2J"
                                                        : name;
}

void __wrap_fh_iso_path(char out[FH_ISO_MAX_PATH], const fh_iso_tree *tree, size_t file)
{
    __real_fh_iso_path(out, tree, file);
    out[0] = is_read && faulty_is("path without a root") ? 'x' : out[0];
}

size_t __wrap_fh_iso_find(const fh_iso_tree *tree, const char *path)
{
    const size_t found = __real_fh_iso_find(tree, path);
    return is_read && faulty_is("path that leads elsewhere") ? (found == 1 ? 2 : 1)
           : is_read && faulty_is("path that leads nowhere") ? FH_ISO_NO_FILE
                                                             : found;
}

int64_t __wrap_fh_iso_extent_end(const fh_iso_extent *extent)
{
    return is_numbered && faulty_is("block behind its extent") ? 0
                                                               : __real_fh_iso_extent_end(extent);
}

int64_t __wrap_fh_iso_number(const fh_iso_extent *extent, int64_t block)
{
    const int64_t number = __real_fh_iso_number(extent, block);
    is_numbered = true;
    return number;
}

bool __wrap_fh_iso_map_make(fh_iso_map *map, const fh_iso_tree *tree)
{
    const bool is_made = __real_fh_iso_map_make(map, tree);
    return is_made && !(is_read && faulty_is("no memory for a map"));
}

bool __wrap_fh_iso_map_find(const fh_iso_map *map, fh_iso_hit *out, int64_t block)
{
    is_numbered = false;
    const bool has_one = __real_fh_iso_map_find(map, out, block);
    out->file = faulty_is("block of no file") ? 9999 : out->file;
    out->extent = faulty_is("block of no extent") ? 9999 : out->extent;
    out->number += faulty_is("block that is counted from 1") ? 1 : 0;
    return has_one;
}

static void run(char **files)
{
    static const uint8_t nothing[1];
    (void)files;
    (void)LLVMFuzzerTestOneInput(nothing, 0);
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
