#include "hmd/hmd_images.h"

#include <assert.h>

/* An item is a rectangle in video memory and the index of its pixels; with a colour table, two of
 * them. */
unsigned hmd_image_parts(const hmd_record *record)
{
    return (record->type & 0xffff) == 1 ? 2 : 1;
}

bool hmd_is_image(const hmd_record *record)
{
    const uint32_t type = record->type & ~HMD_TYPE_INI;
    return type == 0x02000000u || type == 0x02000001u;
}

bool hmd_image_item(const hmd_check *check, uint32_t item, unsigned part, hmd_rectangle *out)
{
    const hmd_record *record = check->record;
    const unsigned num_parts = hmd_image_parts(record);
    const uint64_t first = 1 + 3 * ((uint64_t)item * num_parts + part);
    assert(item < record->count);
    if (!hmd_is_image(record) || first + 3 > record->size) {
        return false;
    }
    const uint32_t at = record->off + 1 + (uint32_t)first;
    const uint32_t position = hmd_word(check->model, at);
    const uint32_t size = hmd_word(check->model, at + 1);
    *out = (hmd_rectangle){.at = at,
                           .x = (uint16_t)hmd_low(position),
                           .y = (uint16_t)hmd_high(position),
                           .w = (uint16_t)hmd_low(size),
                           .h = (uint16_t)hmd_high(size),
                           .index = hmd_word(check->model, at + 2),
                           .section =
                               hmd_arg_of(check->model, hmd_header_of(check->model, record), part)};
    return true;
}

uint64_t hmd_rectangle_words(const hmd_rectangle *rectangle)
{
    return ((uint64_t)rectangle->w * rectangle->h + 1) / 2;
}

void hmd_refs_images(hmd_check *check, hmd_ref_visit visit, void *user)
{
    const unsigned num_parts = hmd_image_parts(check->record);
    for (uint32_t i = 0; i < check->record->count && hmd_spend(check, 2); i++) {
        for (unsigned part = 0; part < num_parts; part++) {
            hmd_rectangle rectangle;
            if (!hmd_image_item(check, i, part, &rectangle)) {
                return;
            }
            const hmd_ref ref = {.owner = part == 0 ? HMD_OWNER_IMAGE : HMD_OWNER_CLUT,
                                 .field = part == 0 ? "image index" : "colour table index",
                                 .at = rectangle.at + 2,
                                 .number = rectangle.index,
                                 .section = rectangle.section.off,
                                 .first = (uint64_t)rectangle.section.off + rectangle.index,
                                 .num = hmd_rectangle_words(&rectangle)};
            if (rectangle.section.off != HMD_NONE) {
                visit(check, &ref, user);
            }
        }
    }
}
