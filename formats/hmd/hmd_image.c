#include "hmd/hmd_image.h"

bool hmd_image_has(const hmd_image *image, uint32_t first, uint32_t num)
{
    return first <= image->num_words && num <= image->num_words - first;
}

/* Loads a cell of `len` bytes (1, 2 or 4), aligned to its length, so that it lies in one word. */
static bool load(const hmd_image *image, uint32_t off, uint32_t len, uint32_t *out)
{
    if (off % len != 0 || off / 4 >= image->num_words) {
        return false;
    }
    const uint32_t mask = len == 4 ? 0xffffffffu : (1u << (8 * len)) - 1;
    *out = (image->words[off / 4] >> (8 * (off % 4))) & mask;
    return true;
}

void hmd_journal_clear(hmd_journal *journal)
{
    for (uint32_t i = 0; i < journal->num; i++) {
        journal->is_listed[journal->words[i]] = false;
    }
    journal->num = 0;
}

static void write_down(hmd_journal *journal, uint32_t word, uint32_t before)
{
    if (journal != NULL && !journal->is_listed[word]) {
        journal->is_listed[word] = true;
        journal->words[journal->num] = word;
        journal->before[journal->num++] = before;
    }
}

static bool store(hmd_image *image, uint32_t off, uint32_t len, uint32_t value)
{
    if (off % len != 0 || off / 4 >= image->num_words) {
        return false;
    }
    const uint32_t mask = len == 4 ? 0xffffffffu : (1u << (8 * len)) - 1;
    const uint32_t shift = 8 * (off % 4);
    uint32_t *word = &image->words[off / 4];
    write_down(image->journal, off / 4, *word);
    *word = (*word & ~(mask << shift)) | ((value & mask) << shift);
    return true;
}

bool hmd_image_u8(const hmd_image *image, uint32_t off, uint8_t *out)
{
    uint32_t value;
    if (!load(image, off, 1, &value)) {
        return false;
    }
    *out = (uint8_t)value;
    return true;
}

bool hmd_image_u16(const hmd_image *image, uint32_t off, uint16_t *out)
{
    uint32_t value;
    if (!load(image, off, 2, &value)) {
        return false;
    }
    *out = (uint16_t)value;
    return true;
}

bool hmd_image_u32(const hmd_image *image, uint32_t off, uint32_t *out)
{
    return load(image, off, 4, out);
}

bool hmd_image_s16(const hmd_image *image, uint32_t off, int16_t *out)
{
    uint16_t value;
    if (!hmd_image_u16(image, off, &value)) {
        return false;
    }
    *out = (int16_t)value;
    return true;
}

bool hmd_image_s32(const hmd_image *image, uint32_t off, int32_t *out)
{
    uint32_t value;
    if (!load(image, off, 4, &value)) {
        return false;
    }
    *out = (int32_t)value;
    return true;
}

bool hmd_image_put8(hmd_image *image, uint32_t off, uint32_t value)
{
    return store(image, off, 1, value);
}

bool hmd_image_put16(hmd_image *image, uint32_t off, uint32_t value)
{
    return store(image, off, 2, value);
}

bool hmd_image_put32(hmd_image *image, uint32_t off, uint32_t value)
{
    return store(image, off, 4, value);
}
