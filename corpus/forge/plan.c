#include "forge/image_plan.h"

#include <assert.h>
#include <stdlib.h>

static int64_t ceil_div(uint64_t value, uint64_t by)
{
    return (int64_t)(value / by + (value % by != 0 ? 1 : 0));
}

int64_t forge_plan_data_sectors(const item *it)
{
    return ceil_div(it->source.len + it->skip, it->entry.form2 ? FORGE_FORM2_LEN : FORGE_FORM1_LEN);
}

/* Every group of data sectors, the last and shorter one too, is followed by its Form 2 sectors. */
static int64_t interleaved_sectors(const item *it)
{
    int64_t data = forge_plan_data_sectors(it);
    return data + ceil_div((uint64_t)data, it->inter.unit) * it->inter.gap;
}

static int64_t woven_sectors(const item *it)
{
    int64_t rounds = 0;
    for (size_t i = 0; i < it->weave.num; i++) {
        int64_t own =
            ceil_div((uint64_t)forge_plan_data_sectors(it + 1 + i), (uint64_t)it->weave.unit);
        rounds = own > rounds ? own : rounds;
    }
    return rounds * it->weave.num * it->weave.unit;
}

item *forge_plan_strand(item *woven, int64_t index, int64_t *file_sector)
{
    const int64_t unit = woven->weave.unit;
    const int64_t round = index / (unit * woven->weave.num);
    const int64_t in_round = index % (unit * woven->weave.num);
    item *it = woven + 1 + in_round / unit;
    *file_sector = round * unit + in_round % unit;
    return *file_sector < forge_plan_data_sectors(it) ? it : NULL;
}

static void count_sectors(const forge_image *image, item *it)
{
    if (it->is_woven) {
        return;
    }
    switch (it->kind) {
    case ITEM_WOVEN:
        it->num_sectors = woven_sectors(it);
        break;
    case ITEM_FILE:
        it->num_sectors = it->interleaved ? interleaved_sectors(it) : forge_plan_data_sectors(it);
        break;
    case ITEM_HIDDEN:
        it->num_sectors = forge_plan_data_sectors(it);
        break;
    case ITEM_RAW:
        it->num_sectors = ceil_div(it->source.len, image->options.stride);
        break;
    default:
        break; /* given */
    }
}

static int64_t volume_start(const forge_image *image)
{
    return image->options.first_lba > 0 ? image->options.first_lba : 0;
}

static bool plan_volume(forge_image *image, forge_error *err, item *it)
{
    uint32_t num_blocks = 0;
    it->fixed = true;
    it->lba = volume_start(image) + FORGE_ISO_SYSTEM_AREA;
    if (!forge_iso_plan(image->iso, err, (uint32_t)it->lba, &num_blocks)) {
        return false;
    }
    it->num_sectors = num_blocks;
    return true;
}

static bool place(forge_image *image, forge_error *err, item *it, int64_t *cursor)
{
    if (it->kind == ITEM_VOLUME && !plan_volume(image, err, it)) {
        return false;
    }
    count_sectors(image, it);
    if (it->is_woven) {
        const item *woven = it - it->strand - 1;
        it->lba = woven->lba + (int64_t)it->strand * woven->weave.unit;
        return true;
    }
    it->lba = it->fixed ? it->lba : *cursor;
    *cursor = it->lba + it->num_sectors;
    if (it->lba < image->options.first_lba || *cursor > FORGE_LAST_LBA + 1) {
        return forge_fail(err, FORGE_BAD, it->line,
                          "sectors %lld..%lld lie outside of the image, expected %d..%d",
                          (long long)it->lba, (long long)*cursor - 1, (int)image->options.first_lba,
                          FORGE_LAST_LBA);
    }
    image->end = *cursor > image->end ? *cursor : image->end;
    return true;
}

static int by_lba(const void *a, const void *b)
{
    const item *left = *(item *const *)a;
    const item *right = *(item *const *)b;
    return (left->lba > right->lba) - (left->lba < right->lba);
}

/* In the order of the disc; two things in one place are a mistake in the description. */
static bool sort_items(forge_image *image, forge_error *err)
{
    image->order = calloc(image->num_items + 1, sizeof *image->order);
    if (image->order == NULL) {
        return forge_fail(err, FORGE_IO, 0, "out of memory");
    }
    for (size_t i = 0; i < image->num_items; i++) {
        if (image->items[i].num_sectors > 0) {
            image->order[image->num_order++] = &image->items[i];
        }
    }
    qsort(image->order, image->num_order, sizeof *image->order, by_lba);
    for (size_t i = 1; i < image->num_order; i++) {
        const item *before = image->order[i - 1];
        const item *it = image->order[i];
        if (it->lba < before->lba + before->num_sectors) {
            unsigned first = it->line < before->line ? it->line : before->line;
            unsigned second = it->line < before->line ? before->line : it->line;
            return forge_fail(err, FORGE_BAD, second,
                              "sector %lld is taken by line %u already, expected a free place",
                              (long long)it->lba, first);
        }
    }
    return true;
}

static void weave_extent(forge_iso_extent *extent, const item *it)
{
    const forge_weave *weave = &it->weave;
    const uint32_t step = (uint32_t)weave->unit * weave->num;
    const uint32_t last = (uint32_t)(forge_plan_data_sectors(it) - 1);
    switch (weave->by) {
    case FORGE_WEAVE_UNIT:
        extent->unit = weave->unit;
        extent->gap = (uint8_t)((weave->num - 1) * weave->unit);
        break;
    case FORGE_WEAVE_EXTENTS:
        extent->part = weave->unit;
        extent->step = step;
        break;
    case FORGE_WEAVE_XA:
        extent->mixed = true;
        extent->xa_file = (uint8_t)(it->strand + 1);
        extent->size =
            (last / weave->unit * step + last % weave->unit + 1) * (uint32_t)FORGE_FORM1_LEN;
        break;
    case FORGE_WEAVE_CHANNEL:
        break;
    }
}

/* What the directory says of a file. A Form 2 or mixed file counts 2048 bytes for each sector,
 * as on real discs. */
static forge_iso_extent extent_of(const item *it)
{
    forge_iso_extent extent = {.block = (uint32_t)it->lba, .size = (uint32_t)it->source.len};
    bool by_xa = it->interleaved && it->inter.by_xa;
    if (it->entry.form2 || by_xa) {
        extent.size = (uint32_t)it->num_sectors * FORGE_FORM1_LEN;
    }
    if (it->interleaved && !by_xa) {
        extent.unit = it->inter.unit;
        extent.gap = it->inter.gap;
    }
    extent.form2 = it->entry.form2;
    extent.mixed = by_xa;
    extent.xa_file = it->interleaved ? it->inter.sub.file : 0;
    if (it->is_woven) {
        weave_extent(&extent, it);
    }
    extent.size = it->entry.lie_size ? it->entry.size : extent.size;
    extent.block = it->entry.lie_block ? it->entry.block : extent.block;
    return extent;
}

static bool fill_volume(forge_image *image, forge_error *err)
{
    if (image->iso == NULL) {
        return true;
    }
    for (size_t i = 0; i < image->num_items; i++) {
        const item *it = &image->items[i];
        if (it->in_volume) {
            forge_iso_extent extent = extent_of(it);
            forge_iso_place(image->iso, it->iso_file, &extent);
        }
    }
    return forge_iso_render(image->iso, err, (uint32_t)image->end);
}

forge_sector_kind forge_plan_kind(const forge_image *image, const item *it, int64_t index,
                                  int64_t *file_sector)
{
    const forge_sector_kind data = image->options.mode == 1 ? FORGE_MODE1 : FORGE_FORM1;
    *file_sector = index;
    if (it == NULL) {
        return data;
    }
    switch (it->kind) {
    case ITEM_FORM2:
        return FORGE_FORM2;
    case ITEM_AUDIO:
        return FORGE_AUDIO;
    case ITEM_MODE0:
        return FORGE_MODE0;
    default:
        break;
    }
    if (it->entry.form2) {
        return FORGE_FORM2;
    }
    if (!it->interleaved) {
        return data;
    }
    int64_t group_len = it->inter.unit + it->inter.gap;
    int64_t group = index / group_len;
    int64_t in_group = index % group_len;
    *file_sector = group * it->inter.unit + in_group;
    bool is_data = in_group < it->inter.unit && *file_sector < forge_plan_data_sectors(it);
    return is_data ? data : FORGE_FORM2;
}

/* ---- damage ---- */

static int damage_by_lba(const void *a, const void *b)
{
    const damage_order *left = a;
    const damage_order *right = b;
    return (left->lba > right->lba) - (left->lba < right->lba);
}

/* The item that covers an LBA, or NULL. */
static const item *item_at(const forge_image *image, int64_t lba)
{
    for (size_t i = 0; i < image->num_order; i++) {
        const item *it = image->order[i];
        if (lba >= it->lba && lba < it->lba + it->num_sectors) {
            return it;
        }
    }
    return NULL;
}

static bool check_damage(const forge_image *image, forge_error *err, const damage_order *order)
{
    const item *it = item_at(image, order->lba);
    bool inside = order->lba >= image->options.first_lba && order->lba < image->end;
    bool written = it == NULL ? !image->no_fill : it->kind != ITEM_MISSING;
    if (!inside || !written || (it != NULL && it->kind == ITEM_RAW)) {
        return forge_fail(err, FORGE_BAD, order->line,
                          "sector %d is not built here, expected one of %d..%lld that is",
                          (int)order->lba, (int)image->options.first_lba,
                          (long long)image->end - 1);
    }
    int64_t unused = 0;
    int64_t index = it != NULL ? order->lba - it->lba : 0;
    forge_sector_kind kind = forge_plan_kind(image, it, index, &unused);
    if (!forge_sector_can_damage(kind, image->options.stride, order->what)) {
        return forge_fail(err, FORGE_BAD, order->line, "sector %d has no such field",
                          (int)order->lba);
    }
    return true;
}

static bool check_damages(forge_image *image, forge_error *err)
{
    for (size_t i = 0; i < image->num_damages; i++) {
        if (!check_damage(image, err, &image->damages[i])) {
            return false;
        }
    }
    if (image->num_damages > 0) {
        qsort(image->damages, image->num_damages, sizeof *image->damages, damage_by_lba);
    }
    return true;
}

/* ---- length ---- */

static uint64_t total_len(const forge_image *image)
{
    uint64_t len = image->prefix.len;
    int64_t at = image->options.first_lba;
    for (size_t i = 0; i < image->num_order; i++) {
        const item *it = image->order[i];
        uint64_t fillers = image->no_fill ? 0 : (uint64_t)(it->lba - at);
        len += fillers * image->options.stride;
        if (it->kind == ITEM_RAW) {
            len += it->source.len;
        } else if (it->kind != ITEM_MISSING) {
            len += (uint64_t)it->num_sectors * image->options.stride;
        }
        at = it->lba + it->num_sectors;
    }
    return len;
}

static bool check_cut(forge_image *image, forge_error *err)
{
    uint64_t len = total_len(image);
    if (image->cut > len) {
        return forge_fail(err, FORGE_BAD, image->cut_line,
                          "%llu bytes cannot be cut, expected at most %llu: the image's length",
                          (unsigned long long)image->cut, (unsigned long long)len);
    }
    image->out_len = len - image->cut;
    return true;
}

bool forge_plan(forge_image *image, forge_error *err)
{
    assert(image->order == NULL);
    int64_t cursor = image->options.first_lba;
    image->end = cursor;
    for (size_t i = 0; i < image->num_items; i++) {
        if (!place(image, err, &image->items[i], &cursor)) {
            return false;
        }
    }
    return sort_items(image, err) && fill_volume(image, err) && check_damages(image, err) &&
           check_cut(image, err);
}
