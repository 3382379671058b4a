/* The items of an image record: rectangles of video memory and where their pixels lie. */
#ifndef FH_HMD_IMAGES_H
#define FH_HMD_IMAGES_H

#include "hmd/hmd_refs.h"

typedef struct hmd_rectangle {
    uint32_t at;         /* word of its position; size and index follow */
    uint16_t x, y, w, h; /* pixels of 16 bits in video memory */
    uint32_t index;      /* word in the section */
    hmd_arg section;     /* of the images, or of the colour tables */
} hmd_rectangle;

/* hmd_is_image tells whether a record's items are known: image alone, or with a colour table. */
bool hmd_is_image(const hmd_record *record);

/* hmd_image_parts returns how many rectangles an item of the record has: image, colour table. */
unsigned hmd_image_parts(const hmd_record *record);

/* hmd_image_item reads part 0 (image) or 1 (colour table) of an item of check->record; false when
 * the record is too short for it. */
bool hmd_image_item(const hmd_check *check, uint32_t item, unsigned part, hmd_rectangle *out);

/* hmd_rectangle_words returns how many words its pixels take; transfers are whole words. */
uint64_t hmd_rectangle_words(const hmd_rectangle *rectangle);

#endif
