#include "forge/image_plan.h"

#include <assert.h>
#include <string.h>

/* Writing: where we are, and what is left of a length that may have been cut. */
typedef struct writer {
    forge_image *image;
    forge_error *err;
    forge_sink *sink;
    void *ctx;
    uint64_t left;
    int64_t lba;
    size_t next_damage;
} writer;

static bool put(writer *w, const uint8_t *bytes, size_t len)
{
    size_t some = w->left < len ? (size_t)w->left : len;
    w->left -= some;
    if (some > 0 && !w->sink(w->ctx, bytes, some)) {
        return forge_fail(w->err, FORGE_IO, 0, "the image cannot be written");
    }
    return true;
}

static bool put_source(writer *w, forge_source *source)
{
    uint8_t chunk[4096];
    for (uint64_t off = 0; off < source->len; off += sizeof chunk) {
        uint64_t left = source->len - off;
        size_t len = left < sizeof chunk ? (size_t)left : sizeof chunk;
        if (!forge_source_read(source, w->err, off, chunk, len) || !put(w, chunk, len)) {
            return false;
        }
    }
    forge_source_rest(source);
    return true;
}

static void spoil(writer *w, uint8_t *built, forge_sector_kind kind)
{
    const forge_image *image = w->image;
    while (w->next_damage < image->num_damages && image->damages[w->next_damage].lba == w->lba) {
        forge_sector_damage(built, kind, image->options.stride,
                            image->damages[w->next_damage].what);
        w->next_damage++;
    }
}

static bool put_sector(writer *w, forge_sector *sector)
{
    uint8_t built[FORGE_MAX_STRIDE];
    sector->lba = (int32_t)w->lba;
    sector->no_edc = sector->no_edc || w->image->no_edc;
    forge_sector_build(built, sector, w->image->options.stride);
    spoil(w, built, sector->kind);
    w->lba++;
    return put(w, built, w->image->options.stride);
}

/* The bytes of a file or of hidden data, `skip` bytes into their first sector. */
static bool read_user(writer *w, item *it, int64_t sector, uint8_t *out, size_t len)
{
    uint64_t at = (uint64_t)sector * len;
    size_t before = at < it->skip ? (size_t)(it->skip - at) : 0;
    before = before < len ? before : len;
    return forge_source_read(&it->source, w->err, at + before - it->skip, out + before,
                             len - before);
}

/* Ordinary data; the last sector of a file says so. A hidden piece is no file. */
static forge_subheader data_subheader(const item *it, int64_t file_sector)
{
    forge_subheader sub = {.submode = FORGE_DATA};
    sub.submode |= it->entry.form2 ? FORGE_FORM2_BIT : 0;
    sub.file = it->interleaved ? it->inter.sub.file : 0;
    if (it->is_woven && it->weave.by >= FORGE_WEAVE_XA) {
        const bool by_channel = it->weave.by == FORGE_WEAVE_CHANNEL;
        sub.file = by_channel ? 1 : (uint8_t)(it->strand + 1);
        sub.channel = by_channel ? it->strand : 0;
    }
    if (it->kind == ITEM_FILE && file_sector + 1 == forge_plan_data_sectors(it)) {
        sub.submode |= FORGE_END_OF_FILE | FORGE_END_OF_RECORD;
    }
    return sub;
}

static bool fill_content(writer *w, item *it, int64_t file_sector, forge_sector *sector)
{
    bool between = it->interleaved && sector->kind == FORGE_FORM2;
    if (between) {
        sector->sub = it->inter.sub;
        memset(sector->user, it->inter.fill, sizeof sector->user);
        return true;
    }
    sector->sub = data_subheader(it, file_sector);
    return read_user(w, it, file_sector, sector->user, forge_sector_user_len(sector->kind));
}

static bool fill_sector(writer *w, item *it, int64_t index, forge_sector *sector)
{
    int64_t file_sector = 0;
    sector->kind = forge_plan_kind(w->image, it, index, &file_sector);
    sector->sub = (forge_subheader){.submode = FORGE_DATA};
    if (it->kind == ITEM_WOVEN) {
        item *strand = forge_plan_strand(it, index, &file_sector);
        return strand == NULL || fill_content(w, strand, file_sector, sector);
    }
    switch (it->kind) {
    case ITEM_VOLUME:
        memcpy(sector->user, forge_iso_block(w->image->iso, (uint32_t)index, &sector->sub.submode),
               FORGE_ISO_BLOCK);
        return true;
    case ITEM_FILE:
    case ITEM_HIDDEN:
        return fill_content(w, it, file_sector, sector);
    case ITEM_FORM2:
        sector->sub = it->sub;
        sector->no_edc = it->no_edc;
        break;
    default:
        break;
    }
    memset(sector->user, it->fill, sizeof sector->user);
    return true;
}

static bool put_item(writer *w, item *it)
{
    if (it->kind == ITEM_MISSING || it->kind == ITEM_RAW) {
        w->lba += it->num_sectors;
        return it->kind == ITEM_MISSING || put_source(w, &it->source);
    }
    for (int64_t i = 0; i < it->num_sectors; i++) {
        forge_sector sector = {0};
        if (!fill_sector(w, it, i, &sector) || !put_sector(w, &sector)) {
            return false;
        }
    }
    forge_source_rest(&it->source);
    return true;
}

static bool put_fillers(writer *w, int64_t end)
{
    if (w->image->no_fill) {
        w->lba = end;
    }
    while (w->lba < end) {
        int64_t unused = 0;
        forge_sector sector = {.sub = {.submode = FORGE_DATA}};
        sector.kind = forge_plan_kind(w->image, NULL, 0, &unused);
        if (!put_sector(w, &sector)) {
            return false;
        }
    }
    return true;
}

bool forge_image_write(forge_image *image, forge_error *err, forge_sink *sink, void *ctx)
{
    if (!forge_plan(image, err)) {
        return false;
    }
    writer w = {.image = image, .err = err, .sink = sink, .ctx = ctx, .left = image->out_len};
    w.lba = image->options.first_lba;
    if (!put_source(&w, &image->prefix)) {
        return false;
    }
    for (size_t i = 0; i < image->num_order; i++) {
        if (!put_fillers(&w, image->order[i]->lba) || !put_item(&w, image->order[i])) {
            return false;
        }
    }
    assert(w.left == 0 && w.lba == image->end);
    return true;
}
