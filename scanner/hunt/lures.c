#include "hunt/lures.h"

#include <assert.h>

static unsigned num_bits(uint32_t word)
{
    unsigned num = 0;
    for (; word != 0; word &= word - 1) {
        num++;
    }
    return num;
}

/* At every offset the first byte is looked for, many at a time, if it is one and the same. */
static bool has_first_byte(uint32_t mask)
{
    return (mask & 0xff) == 0xff;
}

/* Looks for what both have in common, if that is enough to be rare, and as quick to be found. */
static bool share_lure(fh_lure *lure, const fh_magic *magic, unsigned alignment)
{
    const uint32_t common = lure->magic.mask & magic->mask & ~(lure->magic.value ^ magic->value);
    const bool is_slower = alignment == 1 && !has_first_byte(common) &&
                           (has_first_byte(lure->magic.mask) || has_first_byte(magic->mask));
    if (lure->alignment != alignment || num_bits(common) < FH_MAGIC_BITS || is_slower) {
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
    lures->lures[lures->num++] =
        (fh_lure){.magic = *magic, .alignment = alignment, .next = FH_UNKNOWN};
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
}

/* Finds the next place of a lure, or how far the window has none. */
static void look_for(fh_lure *lure, const fh_window *window, size_t scan, int64_t base)
{
    const int64_t from = window->origin + (int64_t)scan;
    if (lure->is_found && lure->next >= from) {
        return;
    }
    lure->is_found = false;
    lure->next = lure->next > from ? lure->next : from;
    const int64_t over = (lure->next - base) % lure->alignment;
    lure->next += over == 0 ? 0 : lure->alignment - over;
    if (lure->next >= window->origin + (int64_t)window->len) {
        return;
    }
    fh_cursor cur = fh_window_cursor(window, (size_t)(lure->next - window->origin));
    lure->is_found =
        fh_cursor_find_word(&cur, lure->magic.mask, lure->magic.value, lure->alignment);
    lure->next += (int64_t)cur.pos;
}

bool fh_lures_find(fh_lures *lures, size_t *scan, const fh_window *window, int64_t base)
{
    int64_t nearest = INT64_MAX;
    bool is_found = false;
    for (size_t i = 0; i < lures->num; i++) {
        fh_lure *lure = &lures->lures[i];
        look_for(lure, window, *scan, base);
        if (lure->is_found && (!is_found || lure->next < nearest)) {
            nearest = lure->next;
            is_found = true;
        } else if (!is_found && lure->next < nearest) {
            nearest = lure->next;
        }
    }
    /* What is not found yet lies in the last bytes, behind all that is found. */
    const int64_t end = window->origin + (int64_t)window->len;
    *scan = (size_t)((nearest < end ? nearest : end) - window->origin);
    return is_found;
}
