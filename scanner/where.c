#include "where.h"

#include <string.h>

/* ---- from an address to a byte ---- */

/* Bytes that a sector counts in user offsets, and whether it is searched at all: stream.h. */
static int64_t user_len(const fh_sector *sector)
{
    switch (sector->kind) {
    case FH_SECTOR_MODE1:
    case FH_SECTOR_FORM1:
    case FH_SECTOR_COOKED:
        return (int64_t)FH_DATA_LEN;
    case FH_SECTOR_FORM2:
        return fh_sector_is_audio(sector) ? 0 : (int64_t)FH_FORM2_LEN;
    case FH_SECTOR_MODE2:
        return (int64_t)FH_MODE2_LEN;
    default:
        return 0;
    }
}

/* A user offset has one meaning for each length of user data: the first that fits. */
static int64_t find_user(fh_where *where, int64_t offset)
{
    static const int64_t lens[] = {FH_DATA_LEN, FH_FORM2_LEN, FH_MODE2_LEN};
    for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
        fh_disc_sector at;
        if (fh_disc_at(&where->files.disc, &at, offset / lens[i]) &&
            user_len(&at.sector) == lens[i] && offset % lens[i] < (int64_t)at.sector.data_len) {
            return at.raw_off + (int64_t)at.sector.data_off + offset % lens[i];
        }
    }
    return FH_UNKNOWN;
}

static int64_t find_lba(fh_where *where, const fh_address_wish *wish)
{
    fh_disc_sector at;
    if (!where->has_files || !where->files.disc.has_lba ||
        !fh_disc_find(&where->files.disc, &at, wish->number)) {
        return FH_UNKNOWN;
    }
    const bool is_inside = wish->offset < (int64_t)at.sector.data_len;
    return is_inside || wish->offset == 0 ? at.raw_off + (int64_t)at.sector.data_off + wish->offset
                                          : FH_UNKNOWN;
}

/* The entry of that path in either tree, as one of the primary tree. */
static size_t find_entry(const fh_iso *iso, const char *path)
{
    size_t found = fh_iso_find(&iso->primary, path);
    const size_t second = found == FH_ISO_NO_FILE && iso->has_joliet
                              ? fh_iso_find(&iso->joliet, path)
                              : FH_ISO_NO_FILE;
    for (size_t i = 0; i < iso->primary.num_files && second != FH_ISO_NO_FILE; i++) {
        found = iso->primary.files[i].second == second ? i : found;
    }
    return found;
}

static int64_t find_iso(fh_where *where, const char *text)
{
    char path[FH_ISO_MAX_PATH];
    int64_t offset = 0;
    if (!where->has_tree || strlen(text) >= sizeof path) {
        return FH_UNKNOWN;
    }
    memcpy(path, text, strlen(text) + 1);
    size_t entry = find_entry(&where->files.iso, path);
    char *plus = strrchr(path, '+');
    /* A name may hold a '+': only what is no file as a whole has an offset. */
    if (entry == FH_ISO_NO_FILE && plus != NULL && fh_address_offset(plus, &offset)) {
        *plus = '\0';
        entry = find_entry(&where->files.iso, path);
    }
    return entry == FH_ISO_NO_FILE ? FH_UNKNOWN : fh_files_locate(&where->files, entry, offset);
}

/* A byte of main RAM by its number there, FH_UNKNOWN if the source does not have it. */
static int64_t find_in_memory(const fh_where *where, int64_t number)
{
    const bool is_there = number >= 0 && number < (int64_t)where->memory.len;
    return is_there ? (int64_t)where->memory.off + number : FH_UNKNOWN;
}

/* RAM is seen at several addresses; where 2 MiB or less of it are there, so are its mirrors. */
static int64_t find_ram(const fh_where *where, int64_t address)
{
    if (!where->has_memory || address > UINT32_MAX || !fh_memory_is_address((uint32_t)address)) {
        return FH_UNKNOWN;
    }
    const int64_t physical = address & FH_RAM_PHYSICAL;
    int64_t number = physical - (int64_t)(where->memory.address & FH_RAM_PHYSICAL);
    if (where->memory.len <= FH_RAM_LEN) {
        number = (number + 4 * (int64_t)FH_RAM_LEN) % (int64_t)FH_RAM_LEN;
    }
    return find_in_memory(where, number);
}

int64_t fh_where_find(fh_where *where, const fh_address_wish *wish)
{
    switch (wish->kind) {
    case FH_ADDRESS_RAM:
        return find_ram(where, wish->number);
    case FH_ADDRESS_RAW:
        return wish->number < where->size ? wish->number : FH_UNKNOWN;
    case FH_ADDRESS_USER:
        if (where->has_files) {
            return find_user(where, wish->number);
        }
        if (where->has_memory) {
            return find_in_memory(where, wish->number);
        }
        return wish->number < where->size ? wish->number : FH_UNKNOWN;
    case FH_ADDRESS_LBA:
        return find_lba(where, wish);
    default:
        return find_iso(where, wish->path);
    }
}

bool fh_where_is_cut(const fh_where *where, const fh_address_wish *wish)
{
    return wish->kind == FH_ADDRESS_ISO && where->has_files &&
           (!where->has_tree || where->files.iso.primary.is_cut);
}

/* ---- from a byte to all addresses ---- */

static const char *kind_name(const fh_sector *sector)
{
    static const char *const names[FH_SECTOR_NUM_KINDS] = {
        [FH_SECTOR_NO_SYNC] = "no sync",
        [FH_SECTOR_BAD_MODE] = "unknown mode",
        [FH_SECTOR_MODE0] = "Mode 0",
        [FH_SECTOR_MODE1] = "Mode 1",
        [FH_SECTOR_FORM1] = "Mode 2 Form 1",
        [FH_SECTOR_FORM2] = "Mode 2 Form 2",
        [FH_SECTOR_MODE2] = "Mode 2 without XA",
        [FH_SECTOR_COOKED] = "2048 bytes of user data",
    };
    return fh_sector_is_audio(sector) ? "XA audio" : names[sector->kind];
}

/* Which part of its sector the byte is; off counts from where a sync would stand. */
static const char *field_name(const fh_disc_sector *at, int64_t off)
{
    const fh_sector *sector = &at->sector;
    const int64_t before = off - (int64_t)sector->data_off;
    if (sector->data_len == 0) {
        return "content";
    }
    if (before >= 0) {
        return before < (int64_t)sector->data_len ? "user data" : "EDC, ECC or subchannel";
    }
    if (!sector->has_header) {
        return "subheader";
    }
    return off < (int64_t)FH_SYNC_LEN     ? "sync"
           : off < (int64_t)FH_HEADER_END ? "header"
                                          : "subheader";
}

static void tell_sector(fh_where *where, fh_spot *out, const fh_disc_sector *at)
{
    const int64_t off = out->raw_off - at->raw_off;
    const int64_t within = off - (int64_t)at->sector.data_off;
    const int64_t len = user_len(&at->sector);
    out->sector = at->index;
    out->kind = kind_name(&at->sector);
    out->field = field_name(at, off);
    out->lba = where->files.disc.has_lba ? fh_disc_address(&where->files.disc, at) : FH_UNKNOWN;
    if (within >= 0 && within < (int64_t)at->sector.data_len) {
        out->sector_off = within;
        out->user_off = len > 0 ? len * at->index + within : FH_UNKNOWN;
    }
}

/* The directory that has a block. */
static void tell_directory(const fh_iso_tree *tree, fh_spot *out, int64_t block)
{
    for (size_t i = 0; i < tree->num_files; i++) {
        const fh_iso_file *file = &tree->files[i];
        const fh_iso_extent *extent = &tree->extents[file->first_extent];
        if (file->is_read && block >= extent->first && block < fh_iso_extent_end(extent)) {
            fh_iso_path(out->iso_path, tree, i);
            out->is_directory = true;
            out->iso_off = (block - extent->first) * (int64_t)FH_ISO_BLOCK_LEN + out->sector_off;
            return;
        }
    }
}

static void tell_file(fh_where *where, fh_spot *out)
{
    const fh_iso *iso = &where->files.iso;
    fh_files_place place;
    fh_files_at(&where->files, &place, out->raw_off);
    if (place.file != FH_ISO_NO_FILE) {
        const uint32_t second = iso->primary.files[place.file].second;
        fh_iso_path(out->iso_path, &iso->primary, place.file);
        out->iso_off = place.offset;
        if (second != FH_ISO_NO_FILE) {
            fh_iso_path(out->joliet_path, &iso->joliet, second);
        }
    } else if (place.is_data && place.block != FH_UNKNOWN) {
        tell_directory(&iso->primary, out, place.block);
    }
}

static void tell_ram(const fh_where *where, fh_spot *out)
{
    const int64_t number = out->raw_off - (int64_t)where->memory.off;
    if (number >= 0 && number < (int64_t)where->memory.len) {
        out->user_off = number;
        out->ram_address = (int64_t)where->memory.address + number;
    }
}

void fh_where_tell(fh_where *where, fh_spot *out, int64_t raw_off)
{
    *out = (fh_spot){.raw_off = raw_off,
                     .sector = FH_UNKNOWN,
                     .user_off = FH_UNKNOWN,
                     .lba = FH_UNKNOWN,
                     .sector_off = FH_UNKNOWN,
                     .iso_off = FH_UNKNOWN,
                     .ram_address = FH_UNKNOWN};
    if (where->has_memory) {
        tell_ram(where, out);
        return;
    }
    if (!where->has_files) {
        out->user_off = raw_off;
        return;
    }
    fh_disc_sector at;
    const int64_t index = fh_disc_index(&where->files.disc, raw_off);
    if (index == FH_UNKNOWN || !fh_disc_at(&where->files.disc, &at, index)) {
        out->field = index == FH_UNKNOWN && raw_off < where->layout.start ? "prefix" : "rest";
        return;
    }
    tell_sector(where, out, &at);
    if (where->has_tree) {
        tell_file(where, out);
    }
}
