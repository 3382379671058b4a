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
