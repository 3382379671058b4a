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

void fh_lures_set(fh_lures *lures, const fh_format *const *formats, size_t num_formats,
                  bool every_offset)
{
    lures->num = 0;
    for (size_t i = 0; i < num_formats; i++) {
        for (size_t k = 0; k < formats[i]->num_magics; k++) {
            add_lure(lures, &formats[i]->magics[k], every_offset ? 1 : formats[i]->alignment);
        }
    }
    fh_sieve_set(&lures->sieve, lures->lures, lures->num);
}
