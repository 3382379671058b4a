#include "source/iso9660.h"

#include "source/iso_impl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_DESCRIPTOR = 16,
    TYPE_PRIMARY = 1,
    TYPE_SUPPLEMENTARY = 2,
    TYPE_END = 255,
    IDENTIFIER_LEN = 5,
    LETTERS_NEEDED = 3, /* of five, so that a damaged identifier is known from other contents */
    ESCAPE_OFF = 88,
    ROOT_OFF = 156,
    ROOT_LEN = 34
};

/* ---- findings ---- */

fh_tally *fh_iso_at(fh_tallies *tallies, const fh_iso_source *source, fh_image_rule rule,
                    int64_t block, size_t off, const char *field)
{
    fh_tally *tally = fh_tally_add(tallies, rule, source->raw_off(source->user, block, off), field);
    if (tally != NULL) {
        tally->unit = "places";
    }
    return tally;
}

void fh_iso_found(fh_tally *tally, fh_value value)
{
    if (tally != NULL) {
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_value_write(&text, value);
    }
}

void fh_iso_expected(fh_tally *tally, fh_value value)
{
    if (tally != NULL) {
        fh_text text = fh_text_make(tally->expected, sizeof tally->expected);
        fh_value_write(&text, value);
    }
}

bool fh_iso_compare(fh_tallies *tallies, const fh_iso_source *source, fh_image_rule rule,
                    int64_t block, size_t off, const char *field, fh_iso_both number)
{
    if (number.value == number.big) {
        return true;
    }
    fh_tally *tally = fh_iso_at(tallies, source, rule, block, off, field);
    fh_iso_found(tally, fh_dec_after("little endian ", number.value, ""));
    if (tally != NULL) {
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_u64(fh_text_str(&text, "little endian "), number.value);
        fh_text_u64(fh_text_str(&text, ", big endian "), number.big);
    }
    fh_iso_expected(tally, fh_words("the same number twice"));
    return false;
}

/* ---- descriptors ---- */

/* The descriptors of a volume on their way. */
typedef struct descriptors {
    const fh_iso_source *source;
    fh_tallies *tallies;
    bool has_primary;
    bool has_joliet;
    bool is_other_size; /* blocks of 512 or 1024 bytes: another way of counting */
    fh_iso_volume primary;
    fh_iso_volume joliet;
} descriptors;

static fh_tally *tell(descriptors *d, fh_image_rule rule, int64_t block, size_t off,
                      const char *field, fh_value found, fh_value expected)
{
    fh_tally *tally = fh_iso_at(d->tallies, d->source, rule, block, off, field);
    fh_iso_found(tally, found);
    fh_iso_expected(tally, expected);
    return tally;
}

static fh_cursor at_offset(const uint8_t *bytes, size_t off)
{
    fh_cursor cur = fh_cursor_make(bytes, FH_ISO_BLOCK_LEN, 0);
    return fh_cursor_sub(&cur, off, FH_ISO_BLOCK_LEN - off);
}

static int num_letters(const uint8_t *bytes)
{
    static const char identifier[] = "CD001";
    fh_cursor cur = at_offset(bytes, 1);
    int num = 0;
    for (int i = 0; i < IDENTIFIER_LEN; i++) {
        num += fh_cursor_u8(&cur) == (uint8_t)identifier[i] ? 1 : 0;
    }
    return num;
}

static fh_iso_both compared(descriptors *d, const uint8_t *bytes, int64_t block, size_t off,
                            bool is_long, const char *field)
{
    fh_cursor cur = at_offset(bytes, off);
    const fh_iso_both number = is_long ? fh_iso_both32(&cur) : fh_iso_both16(&cur);
    (void)fh_iso_compare(d->tallies, d->source, FH_IMG0031, block, off, field, number);
    return number;
}

static void read_block_size(descriptors *d, const uint8_t *bytes, int64_t block)
{
    const size_t off = 128;
    const fh_iso_both size = compared(d, bytes, block, off, false, "block size");
    if (size.value != size.big || size.value == FH_ISO_BLOCK_LEN) {
        return;
    }
    tell(d, FH_IMG0031, block, off, "block size", fh_dec(size.value, ""), fh_dec(2048, ""));
    d->is_other_size = d->is_other_size || size.value == 512 || size.value == 1024;
}

static void read_tables(fh_iso_volume *out, const uint8_t *bytes)
{
    fh_cursor cur = at_offset(bytes, 140);
    for (unsigned i = 0; i < FH_ISO_NUM_TABLES; i++) {
        const uint32_t block = fh_cursor_u32(&cur);
        const bool is_big = i >= 2;
        out->tables[i] = (fh_iso_table){is_big ? __builtin_bswap32(block) : block, is_big};
    }
}

static bool read_root(descriptors *d, fh_iso_volume *out, const uint8_t *bytes)
{
    const fh_cursor all = fh_cursor_make(bytes, FH_ISO_BLOCK_LEN, 0);
    const fh_cursor record = fh_cursor_sub(&all, ROOT_OFF, ROOT_LEN);
    const char *field = "root directory record";
    const bool is_sound = fh_iso_record_read(&out->root, &record) == FH_ISO_RECORD_OK;
    if (!is_sound || !fh_iso_is_special(&out->root, 0) ||
        (out->root.flags & FH_ISO_DIRECTORY) == 0) {
        tell(d, FH_IMG0031, out->block, ROOT_OFF, field, fh_words("another record"),
             fh_words("a directory with the name 0"));
    }
    if (is_sound) {
        (void)compared(d, bytes, out->block, ROOT_OFF + 2, true, "first block of the root");
        (void)compared(d, bytes, out->block, ROOT_OFF + 10, true, "size of the root");
    }
    return is_sound;
}

static bool read_volume(descriptors *d, fh_iso_volume *out, const uint8_t *bytes, int64_t block)
{
    *out = (fh_iso_volume){.block = block};
    out->num_blocks = compared(d, bytes, block, 80, true, "volume size").value;
    (void)compared(d, bytes, block, 120, false, "volumes of the set");
    (void)compared(d, bytes, block, 124, false, "volume number");
    read_block_size(d, bytes, block);
    out->table_size = compared(d, bytes, block, 132, true, "path table size").value;
    read_tables(out, bytes);
    return read_root(d, out, bytes);
}

/* The third letter of the escape sequence of Joliet, or 0. */
static char joliet_level(const uint8_t *bytes)
{
    fh_cursor cur = at_offset(bytes, ESCAPE_OFF);
    const uint8_t first = fh_cursor_u8(&cur);
    const uint8_t second = fh_cursor_u8(&cur);
    const uint8_t letter = fh_cursor_u8(&cur);
    static const char levels[] = "@CE";
    const char *found = strchr(levels, letter);
    if (first != '%' || second != '/' || found == NULL) {
        return '\0';
    }
    return *found;
}

static void read_supplementary(descriptors *d, const uint8_t *bytes, int64_t block)
{
    const char level = joliet_level(bytes);
    fh_tally *tally =
        tell(d, FH_IMG0039, block, ESCAPE_OFF, "escape sequence", fh_nothing(), fh_nothing());
    if (tally != NULL) {
        const char sequence[] = {'%', '/', level, '\0'};
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(&text, level != '\0' ? sequence : "none of Joliet: the tree is not read");
    }
    if (level != '\0' && !d->has_joliet) {
        d->has_joliet = read_volume(d, &d->joliet, bytes, block);
    }
}

static void read_descriptor(descriptors *d, const uint8_t *bytes, int64_t block)
{
    fh_cursor cur = at_offset(bytes, 0);
    const uint8_t type = fh_cursor_u8(&cur);
    cur = at_offset(bytes, 1 + IDENTIFIER_LEN);
    const uint8_t version = fh_cursor_u8(&cur);
    if (num_letters(bytes) < IDENTIFIER_LEN) {
        tell(d, FH_IMG0031, block, 1, "identifier", fh_words("another one"), fh_words("CD001"));
    }
    /* Version 2 of a supplementary descriptor is that of ISO 9660:1999. */
    if (version != 1 && !(version == 2 && type == TYPE_SUPPLEMENTARY)) {
        tell(d, FH_IMG0031, block, 1 + IDENTIFIER_LEN, "version", fh_dec(version, ""),
             fh_dec(1, ""));
    }
    if (type == TYPE_PRIMARY && !d->has_primary) {
        d->has_primary = read_volume(d, &d->primary, bytes, block);
    } else if (type == TYPE_SUPPLEMENTARY) {
        read_supplementary(d, bytes, block);
    }
}

/* Reads all descriptors; false if there is none. */
static bool read_descriptors(descriptors *d)
{
    uint8_t bytes[FH_ISO_BLOCK_LEN];
    const int64_t first = d->source->session_block + FIRST_DESCRIPTOR;
    for (int64_t block = first; block < first + (int64_t)FH_ISO_MAX_DESCRIPTORS; block++) {
        if (!d->source->read(d->source->user, block, bytes) ||
            num_letters(bytes) < LETTERS_NEEDED) {
            if (block > first) {
                tell(d, FH_IMG0031, block, 0, "terminator", fh_words("no descriptor"),
                     fh_words("a descriptor of type 255 behind the last one"));
            }
            return block > first;
        }
        read_descriptor(d, bytes, block);
        if (bytes[0] == TYPE_END) {
            return true;
        }
    }
    tell(d, FH_IMG0031, first + FH_ISO_MAX_DESCRIPTORS, 0, "terminator", fh_words("none"),
         fh_dec_after("one among the first ", FH_ISO_MAX_DESCRIPTORS, " descriptors"));
    return true;
}

/* ---- trees ---- */

static bool read_tree(fh_iso_tree *tree, const descriptors *d, const fh_iso_volume *volume,
                      bool is_joliet)
{
    fh_iso_walk walk = {
        .source = d->source, .tallies = d->tallies, .tree = tree, .is_joliet = is_joliet};
    return fh_iso_walk_tree(&walk, volume) && fh_iso_check_tables(&walk, volume) &&
           (is_joliet || fh_iso_check_sharing(&walk));
}

static void check_size(descriptors *d)
{
    const int64_t end = d->source->end_block;
    if ((int64_t)d->primary.num_blocks != end) {
        tell(d, FH_IMG0037, d->primary.block, 80, "volume size",
             fh_dec(d->primary.num_blocks, " blocks"),
             fh_dec_after("the image ends at block ", end, ""));
    }
}

bool fh_iso_read(fh_iso *iso, fh_tallies *tallies, const fh_iso_source *source)
{
    descriptors d = {.source = source, .tallies = tallies};
    *iso = (fh_iso){.has_volume = false};
    if (!read_descriptors(&d)) {
        tell(&d, FH_IMG0030, source->session_block + FIRST_DESCRIPTOR, 0, "volume descriptor",
             fh_words("none"), fh_words("CD001"));
        return true;
    }
    if (!d.has_primary || d.is_other_size) {
        if (!d.has_primary) {
            tell(&d, FH_IMG0031, source->session_block + FIRST_DESCRIPTOR, 0, "primary descriptor",
                 fh_words("none that can be read"), fh_words("one"));
        }
        return true;
    }
    iso->has_volume = true;
    iso->volume_blocks = d.primary.num_blocks;
    check_size(&d);
    if (!read_tree(&iso->primary, &d, &d.primary, false)) {
        return false;
    }
    if (!d.has_joliet) {
        return true;
    }
    iso->has_joliet = true;
    return read_tree(&iso->joliet, &d, &d.joliet, true) && fh_iso_link(iso);
}

static void free_tree(fh_iso_tree *tree)
{
    free(tree->files);
    free(tree->extents);
    free(tree->names);
}

void fh_iso_free(fh_iso *iso)
{
    free_tree(&iso->primary);
    free_tree(&iso->joliet);
    *iso = (fh_iso){.has_volume = false};
}
