#include "hmd/hmd_images.h"
#include "hmd/hmd_show.h"

#include <assert.h>
#include <string.h>

#define NUM_PIXELS ((size_t)HMD_VRAM_WIDTH * HMD_VRAM_HEIGHT)

enum { PAGE_SIZE = 256, PIXEL_LEN = 4, COST_OF_TEXEL = 4 };

bool hmd_textures_open(hmd_show *show)
{
    fh_arena *arena = show->check.arena;
    hmd_textures *textures = &show->textures;
    textures->vram = fh_arena_alloc(arena, NUM_PIXELS, sizeof *textures->vram);
    textures->is_loaded = fh_arena_alloc(arena, NUM_PIXELS, sizeof *textures->is_loaded);
    textures->slots = fh_arena_alloc(arena, (size_t)HMD_TEXTURE_SLOTS, sizeof *textures->slots);
    textures->pixels = fh_arena_alloc(arena, (size_t)PAGE_SIZE * PAGE_SIZE, PIXEL_LEN);
    return textures->vram != NULL && textures->is_loaded != NULL && textures->slots != NULL &&
           textures->pixels != NULL;
}

/* ---- into the video memory ------------------------------------------------------------------- */

static size_t pixel_at(uint32_t x, uint32_t y)
{
    return (size_t)(y % HMD_VRAM_HEIGHT) * HMD_VRAM_WIDTH + x % HMD_VRAM_WIDTH;
}

static void load(hmd_show *show, const hmd_rectangle *from)
{
    const uint64_t first = (uint64_t)from->section.off + from->index;
    const bool is_inside = from->w > 0 && from->h > 0 && from->x + from->w <= HMD_VRAM_WIDTH &&
                           from->y + from->h <= HMD_VRAM_HEIGHT;
    if (!is_inside) {
        hmd_say(show, HMD_REMARK_IMAGE);
        return;
    }
    if (from->section.off == HMD_NONE || !hmd_has(&show->model, first, hmd_rectangle_words(from))) {
        hmd_say(show, HMD_REMARK_CUT);
        return;
    }
    const uint32_t num = (uint32_t)from->w * from->h;
    for (uint32_t i = 0; i < num && hmd_spend(&show->check, 1); i++) {
        const uint32_t word = hmd_word(&show->model, (uint32_t)first + i / 2);
        const size_t at = pixel_at(from->x + i % from->w, from->y + i / from->w);
        show->textures.vram[at] = (uint16_t)(i % 2 == 0 ? hmd_low(word) : hmd_high(word));
        show->textures.is_loaded[at] = 1;
    }
}

void hmd_show_image(hmd_show *show)
{
    const hmd_record *record = show->check.record;
    const unsigned num_parts = hmd_image_parts(record);
    for (uint32_t i = 0; i < record->count && hmd_spend(&show->check, 2); i++) {
        for (unsigned part = 0; part < num_parts; part++) {
            hmd_rectangle rectangle;
            if (!hmd_image_item(&show->check, i, part, &rectangle)) {
                hmd_say(show, HMD_REMARK_CUT);
                return;
            }
            load(show, &rectangle);
        }
    }
}

/* ---- which textures there are ---------------------------------------------------------------- */

/* What tells textures apart, as one number: of a window 20 bits are looked at. */
static uint64_t number_of(const hmd_texture_key *key)
{
    return (uint64_t)(key->window & 0xfffff) << 33 | (uint64_t)(key->clut & 0xffff) << 17 |
           (uint64_t)(key->page & 0xffff) << 1 | (uint64_t)key->is_glass;
}

static uint32_t texture_slot(uint64_t number)
{
    return (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 40) % HMD_TEXTURE_SLOTS;
}

/* The slot of a texture, or the free one that it may have: half of them always are. */
static hmd_texture *find(const hmd_textures *textures, const hmd_texture_key *key)
{
    const uint64_t number = number_of(key);
    uint32_t slot = texture_slot(number);
    while (textures->slots[slot].is_used && number_of(&textures->slots[slot].key) != number) {
        slot = (slot + 1) % HMD_TEXTURE_SLOTS;
    }
    return &textures->slots[slot];
}

static void widen(hmd_texture *texture, const hmd_polygon *polygon)
{
    for (unsigned i = 0; i < polygon->num; i++) {
        for (unsigned k = 0; k < 2; k++) {
            const uint8_t at = polygon->corners[i].uv[k];
            texture->low[k] = at < texture->low[k] ? at : texture->low[k];
            texture->high[k] = at > texture->high[k] ? at : texture->high[k];
        }
    }
}

void hmd_show_texture(hmd_show *show, const hmd_polygon *polygon)
{
    hmd_textures *textures = &show->textures;
    if (!polygon->has_texture) {
        return;
    }
    hmd_texture *texture = find(textures, &polygon->texture);
    if (!texture->is_used) {
        if (textures->num == HMD_MOST_TEXTURES) {
            hmd_say(show, HMD_REMARK_TEXTURES);
            return;
        }
        textures->num++;
        *texture = (hmd_texture){polygon->texture, true, FH_SCENE_NONE, {0xff, 0xff}, {0, 0}};
    }
    widen(texture, polygon);
}

const hmd_texture *hmd_texture_of(hmd_show *show, const hmd_polygon *polygon)
{
    if (!polygon->has_texture) {
        return NULL;
    }
    const hmd_texture *texture = find(&show->textures, &polygon->texture);
    return texture->is_used && texture->image != FH_SCENE_NONE ? texture : NULL;
}

/* ---- out of it ------------------------------------------------------------------------------- */

/* A texture page, colour table and window, taken apart. */
typedef struct texture_page {
    uint32_t x, y; /* of the page, pixels of 16 bits */
    unsigned bits; /* of a texel: 4, 8, 16 */
    uint32_t clut_x, clut_y;
    uint32_t mask[2], place[2]; /* of the window: bits that are replaced, and by what */
} texture_page;

static texture_page page_of(const hmd_texture_key *key)
{
    static const unsigned bits[] = {4, 8, 16, 16};
    texture_page page = {.x = (key->page & 0xf) * 64,
                         .y = (key->page >> 4 & 1) * PAGE_SIZE,
                         .bits = bits[key->page >> 7 & 3],
                         .clut_x = (key->clut & 0x3f) * 16,
                         .clut_y = key->clut >> 6 & 0x1ff};
    for (unsigned i = 0; i < 2; i++) {
        page.mask[i] = (key->window >> (5 * i) & 0x1f) * 8;
        page.place[i] = (key->window >> (10 + 5 * i) & 0x1f) * 8 & page.mask[i];
    }
    return page;
}

/* Reads a texel; false if nothing was put there. */
static bool read_texel(uint16_t *out, const hmd_textures *textures, const texture_page *page,
                       uint32_t u, uint32_t v)
{
    u = (u & ~page->mask[0]) | page->place[0];
    v = (v & ~page->mask[1]) | page->place[1];
    size_t at = pixel_at(page->x + u * page->bits / 16, page->y + v);
    const bool is_there = textures->is_loaded[at] != 0;
    if (page->bits < 16) {
        const unsigned shift = page->bits * (u % (16 / page->bits));
        const uint32_t index = (uint32_t)textures->vram[at] >> shift & ((1u << page->bits) - 1);
        at = pixel_at(page->clut_x + index, page->clut_y);
    }
    *out = textures->vram[at];
    return is_there && textures->is_loaded[at] != 0;
}

static uint8_t widen5(uint32_t five)
{
    return (uint8_t)(five << 3 | five >> 2);
}

/* Black without the top bit is nothing; with the top bit a texel may be half transparent. */
static void put_pixel(uint8_t out[PIXEL_LEN], fh_scene_image *image, uint16_t texel, bool is_glass)
{
    for (unsigned i = 0; i < 3; i++) {
        out[i] = widen5((uint32_t)texel >> (5 * i) & 0x1f);
    }
    const bool is_half = is_glass && (texel & 0x8000) != 0;
    out[3] = texel == 0 ? 0 : is_half ? 0x80 : 0xff;
    image->has_holes = image->has_holes || texel == 0;
    image->has_glass = image->has_glass || is_half;
}

/* false if nothing of it was put into the video memory. */
static bool read_image(fh_scene_image *out, hmd_show *show, const hmd_texture *texture)
{
    const texture_page page = page_of(&texture->key);
    bool is_any = false;
    uint8_t *pixel = show->textures.pixels;
    for (uint32_t v = texture->low[1]; v <= texture->high[1]; v++) {
        for (uint32_t u = texture->low[0]; u <= texture->high[0]; u++) {
            uint16_t texel = 0;
            is_any = read_texel(&texel, &show->textures, &page, u, v) || is_any;
            put_pixel(pixel, out, texel, texture->key.is_glass);
            pixel += PIXEL_LEN;
        }
    }
    return is_any;
}

static void tell_image(hmd_show *show, hmd_texture *texture)
{
    fh_scene_image image = {.id = show->textures.num_images,
                            .width = 1u + texture->high[0] - texture->low[0],
                            .height = 1u + texture->high[1] - texture->low[1],
                            .pixels = show->textures.pixels};
    if (!hmd_spend(&show->check, COST_OF_TEXEL * (uint64_t)image.width * image.height)) {
        return;
    }
    if (!read_image(&image, show, texture)) {
        hmd_say(show, HMD_REMARK_UNLOADED);
        return;
    }
    if (image.has_glass && (texture->key.page >> 5 & 3) != 0) {
        hmd_say(show, HMD_REMARK_BLENDING);
    }
    texture->image = show->textures.num_images++;
    show->out->image(show->out->user, &image);
}

void hmd_tell_images(hmd_show *show)
{
    for (uint32_t i = 0; i < HMD_TEXTURE_SLOTS; i++) {
        if (show->textures.slots[i].is_used) {
            tell_image(show, &show->textures.slots[i]);
        }
    }
}
