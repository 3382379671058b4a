#include "hunt/lures.h"

#include <assert.h>

/* Looks for both together, if every place of one is a place of the other. */
static bool share_lure(fh_lure *lure, const fh_magic *magic, unsigned alignment)
{
    const uint32_t common = lure->magic.mask & magic->mask & ~(lure->magic.value ^ magic->value);
    if (lure->alignment != alignment || (common != lure->magic.mask && common != magic->mask)) {
        return false;
    }
    lure->magic.mask = common;
    lure->magic.value &= common;
    return true;
}

static void add_lure(fh_lures *lures, const fh_magic *magic, unsigned alignment)
{
    for (size_t i = 0; i < lures->num; i++) {
        if (share_lure(&lures->lures[i], magic, alignment)) {
            return;
        }
    }
    assert(lures->num < FH_MAX_LURES);
    lures->lures[lures->num++] = (fh_lure){.magic = *magic, .alignment = alignment};
}

/* The first bytes that a magic allows lead to its format. */
static void lead_to(fh_lures *lures, const fh_magic *magic, size_t format)
{
    for (unsigned half = 0; half < FH_SIEVE_HALVES; half++) {
        const bool is_low = ((half ^ magic->value) & magic->mask & 15u) == 0;
        const bool is_high = ((half ^ magic->value >> 4) & magic->mask >> 4 & 15u) == 0;
        lures->low[half] = (uint16_t)(lures->low[half] | (unsigned)is_low << format);
        lures->high[half] = (uint16_t)(lures->high[half] | (unsigned)is_high << format);
    }
}

void fh_lures_set(fh_lures *lures, const fh_format *const *formats, size_t num_formats,
                  bool every_offset)
{
    assert(num_formats <= FH_MAX_LURED);
    *lures = (fh_lures){0};
    for (size_t i = 0; i < num_formats; i++) {
        for (size_t k = 0; k < formats[i]->num_magics; k++) {
            add_lure(lures, &formats[i]->magics[k], every_offset ? 1 : formats[i]->alignment);
            lead_to(lures, &formats[i]->magics[k], i);
        }
    }
    fh_sieve_set(&lures->sieve, lures->lures, lures->num);
}
