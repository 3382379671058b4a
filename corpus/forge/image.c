#include "forge/image_plan.h"

#include <assert.h>
#include <stdlib.h>

forge_image *forge_image_new(const forge_image_options *options)
{
    assert(options->first_lba >= FORGE_FIRST_LBA && options->first_lba <= FORGE_LAST_LBA);
    forge_image *image = calloc(1, sizeof *image);
    if (image != NULL) {
        image->options = *options;
    }
    return image;
}

void forge_image_free(forge_image *image)
{
    if (image == NULL) {
        return;
    }
    for (size_t i = 0; i < image->num_items; i++) {
        forge_source_free(&image->items[i].source);
    }
    forge_source_free(&image->prefix);
    forge_iso_free(image->iso);
    free(image->items);
    free(image->damages);
    free(image->order);
    free(image);
}

void forge_image_line(forge_image *image, unsigned line)
{
    image->line = line;
}

void forge_image_prefix(forge_image *image, forge_source source)
{
    forge_source_free(&image->prefix);
    image->prefix = source;
}

void forge_image_at(forge_image *image, int32_t lba)
{
    image->has_at = true;
    image->at = lba;
}

void forge_image_interleave(forge_image *image, const forge_interleave *how)
{
    assert(how->unit > 0 && how->gap > 0);
    image->has_inter = true;
    image->inter = *how;
}

void forge_image_no_edc(forge_image *image)
{
    image->no_edc = true;
}

void forge_image_no_fill(forge_image *image)
{
    image->no_fill = true;
}

void forge_image_cut(forge_image *image, uint64_t len)
{
    image->cut = len;
    image->cut_line = image->line;
}

/* Room for one more element: the list as it is, or a larger one, or NULL. */
static void *grown(void *list, size_t num, size_t *room, size_t elem_len)
{
    if (num < *room) {
        return list;
    }
    size_t more = *room == 0 ? 16 : *room * 2;
    void *larger = realloc(list, more * elem_len);
    if (larger != NULL) {
        *room = more;
    }
    return larger;
}

/* Adds an item, which takes the place asked for by forge_image_at. Its source is freed if that
 * fails. */
static bool add(forge_image *image, forge_error *err, item entry)
{
    item *items = grown(image->items, image->num_items, &image->room_items, sizeof *items);
    if (items == NULL) {
        forge_source_free(&entry.source);
        return forge_fail(err, FORGE_IO, image->line, "out of memory");
    }
    entry.line = image->line;
    entry.fixed = image->has_at;
    entry.lba = image->at;
    image->has_at = false;
    image->items = items;
    image->items[image->num_items++] = entry;
    return true;
}

/* Whether this image can hold sectors of a kind at all. */
static bool holds(const forge_image *image, forge_error *err, forge_sector_kind kind)
{
    if (kind == FORGE_FORM2 && image->options.mode != 2) {
        return forge_fail(err, FORGE_BAD, image->line, "Form 2 sectors need mode=2");
    }
    if (!forge_sector_fits(kind, image->options.stride)) {
        return forge_fail(err, FORGE_BAD, image->line,
                          "an image with stride=%u cannot hold such sectors, expected %s",
                          (unsigned)image->options.stride,
                          kind == FORGE_FORM2 ? "2336 or more" : "2352 or more");
    }
    return true;
}

bool forge_image_iso(forge_image *image, forge_error *err, const char *volume, const char *system)
{
    if (image->iso != NULL || image->num_items > 0) {
        return forge_fail(err, FORGE_BAD, image->line,
                          "a volume must be asked for once, before everything it may hold");
    }
    image->iso = forge_iso_new(volume, system, image->options.mode == 2);
    if (image->iso == NULL) {
        return forge_fail(err, FORGE_IO, image->line, "out of memory");
    }
    return add(image, err, (item){.kind = ITEM_VOLUME});
}

bool forge_image_weave(forge_image *image, forge_error *err, const forge_weave *how)
{
    assert(how->num > 0 && how->unit > 0);
    if (image->num_strands > 0) {
        return forge_fail(err, FORGE_BAD, image->line, "%u files of the weave before are missing",
                          (unsigned)image->num_strands);
    }
    if (how->by == FORGE_WEAVE_UNIT && (how->num - 1) * how->unit > UINT8_MAX) {
        return forge_fail(err, FORGE_BAD, image->line,
                          "the gap would be %d sectors, expected at most %d",
                          (how->num - 1) * how->unit, UINT8_MAX);
    }
    image->weave = *how;
    image->num_strands = how->num;
    return add(image, err, (item){.kind = ITEM_WOVEN, .weave = *how});
}

/* A file that a weave waits for belongs to it. */
static bool take_strand(forge_image *image, forge_error *err, item *it)
{
    it->is_woven = image->num_strands > 0;
    if (!it->is_woven) {
        return true;
    }
    it->weave = image->weave;
    it->strand = (uint8_t)(image->weave.num - image->num_strands);
    image->num_strands--;
    if (it->interleaved || it->entry.form2 || image->has_at) {
        return forge_fail(err, FORGE_BAD, image->line,
                          "a file of a weave is of form 1, and has its place from there");
    }
    return true;
}

bool forge_image_file(forge_image *image, forge_error *err, const char *path, size_t path_len,
                      forge_source source, const forge_image_entry *entry)
{
    item it = {.kind = ITEM_FILE, .source = source, .entry = *entry};
    it.interleaved = image->has_inter;
    it.inter = image->inter;
    image->has_inter = false;
    bool ok = take_strand(image, err, &it) &&
              (!(entry->form2 || it.interleaved) || holds(image, err, FORGE_FORM2));
    if (ok && entry->form2 && it.interleaved) {
        ok = forge_fail(err, FORGE_BAD, image->line, "an interleaved file needs form=1");
    }
    if (ok && image->iso != NULL && !(it.is_woven && it.weave.by == FORGE_WEAVE_CHANNEL)) {
        it.in_volume = true;
        ok = forge_iso_add(image->iso, err, image->line, path, path_len, &it.iso_file);
    }
    if (ok && it.in_volume && it.is_woven && it.weave.by == FORGE_WEAVE_EXTENTS) {
        const uint64_t len = (uint64_t)it.weave.unit * FORGE_FORM1_LEN;
        const uint64_t num = (source.len + len - 1) / len;
        forge_iso_split(image->iso, it.iso_file, num > 0 ? (uint32_t)num : 1);
    }
    if (!ok) {
        forge_source_free(&source);
        return false;
    }
    return add(image, err, it);
}

bool forge_image_hidden(forge_image *image, forge_error *err, forge_source source, uint32_t skip)
{
    return add(image, err, (item){.kind = ITEM_HIDDEN, .source = source, .skip = skip});
}

bool forge_image_form2(forge_image *image, forge_error *err, uint32_t num,
                       const forge_subheader *sub, uint8_t fill, bool no_edc)
{
    item it = {.kind = ITEM_FORM2, .num_sectors = num, .sub = *sub, .fill = fill};
    it.no_edc = no_edc;
    return holds(image, err, FORGE_FORM2) && add(image, err, it);
}

bool forge_image_audio(forge_image *image, forge_error *err, uint32_t num, uint8_t fill)
{
    return holds(image, err, FORGE_AUDIO) &&
           add(image, err, (item){.kind = ITEM_AUDIO, .num_sectors = num, .fill = fill});
}

bool forge_image_mode0(forge_image *image, forge_error *err, uint32_t num)
{
    return holds(image, err, FORGE_MODE0) &&
           add(image, err, (item){.kind = ITEM_MODE0, .num_sectors = num});
}

bool forge_image_gap(forge_image *image, forge_error *err, uint32_t num)
{
    return add(image, err, (item){.kind = ITEM_GAP, .num_sectors = num});
}

bool forge_image_missing(forge_image *image, forge_error *err, uint32_t num)
{
    return add(image, err, (item){.kind = ITEM_MISSING, .num_sectors = num});
}

bool forge_image_raw(forge_image *image, forge_error *err, forge_source source)
{
    return add(image, err, (item){.kind = ITEM_RAW, .source = source});
}

bool forge_image_damage(forge_image *image, forge_error *err, int32_t lba, forge_damage damage)
{
    damage_order *list =
        grown(image->damages, image->num_damages, &image->room_damages, sizeof *list);
    if (list == NULL) {
        return forge_fail(err, FORGE_IO, image->line, "out of memory");
    }
    image->damages = list;
    list[image->num_damages++] = (damage_order){.line = image->line, .lba = lba, .what = damage};
    return true;
}
