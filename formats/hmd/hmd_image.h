/* The words of an HMD as the run-time library works on them: a copy that replay may change.
 *
 * The library plays an HMD in place: it writes matrices, sequence fields, histories and whatever
 * general types point at into the very bytes that it reads keys and descriptors from. So does the
 * replay, on a copy in the arena of the candidate. Addresses are bytes from the start of the asset;
 * every access is checked, and one that leaves the image or is not aligned to its size is refused,
 * never wrapped or clamped. Numbers are little endian whatever the host is.
 */
#ifndef FH_HMD_IMAGE_H
#define FH_HMD_IMAGE_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which words were written to, in the order of the first write to each. The arrays are borrowed and
 * have an element for each word of the image. */
typedef struct hmd_journal {
    uint32_t *words;
    uint32_t *before; /* what each of them held then */
    bool *is_listed;  /* by word of the image */
    uint32_t num;
} hmd_journal;

typedef struct hmd_image {
    uint32_t *words; /* borrowed: word i stands for the bytes 4 i .. 4 i + 3, in host order */
    uint32_t num_words;
    uint32_t base; /* address of word 0 in the run-time's memory; what pointers in memory count from
                    */
    hmd_journal *journal; /* borrowed; NULL: nothing is written down */
} hmd_image;

/* hmd_journal_clear forgets all words. */
void hmd_journal_clear(hmd_journal *journal);

/* Each read stores to *out and returns true, or returns false and stores nothing. A half word must
 * be aligned to 2 bytes, a word to 4. */
bool hmd_image_u8(const hmd_image *image, uint32_t off, uint8_t *out) FH_MUST_USE;
bool hmd_image_u16(const hmd_image *image, uint32_t off, uint16_t *out) FH_MUST_USE;
bool hmd_image_u32(const hmd_image *image, uint32_t off, uint32_t *out) FH_MUST_USE;
bool hmd_image_s16(const hmd_image *image, uint32_t off, int16_t *out) FH_MUST_USE;
bool hmd_image_s32(const hmd_image *image, uint32_t off, int32_t *out) FH_MUST_USE;

/* Each write keeps the low bits of value that fit the cell and returns true, or returns false and
 * changes nothing. */
bool hmd_image_put8(hmd_image *image, uint32_t off, uint32_t value) FH_MUST_USE;
bool hmd_image_put16(hmd_image *image, uint32_t off, uint32_t value) FH_MUST_USE;
bool hmd_image_put32(hmd_image *image, uint32_t off, uint32_t value) FH_MUST_USE;

/* hmd_image_has tells whether num words from word `first` on lie inside. */
bool hmd_image_has(const hmd_image *image, uint32_t first, uint32_t num);

#endif
