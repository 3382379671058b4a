#include "hunt/join.h"

#include "hunt/join_order.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void fh_join_free(fh_join *join)
{
    for (size_t i = 0; i < join->num; i++) {
        free(join->parts[i].bytes);
        free(join->parts[i].runs);
    }
    free(join->parts);
    *join = (fh_join){0};
}

static bool provide_room(fh_join *join)
{
    if (join->num < join->max) {
        return true;
    }
    const size_t max = join->max == 0 ? 64 : 2 * join->max;
    fh_kept *parts = realloc(join->parts, max * sizeof *parts);
    if (parts == NULL) {
        return false;
    }
    join->parts = parts;
    join->max = max;
    return true;
}

/* FNV-1a: to tell lines apart quickly; equality is decided on the bytes. */
static uint64_t hash_lines(const fh_kept *kept)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = kept->part.lines; i < kept->part.lines_end; i++) {
        hash = (hash ^ kept->bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

static bool copy_runs(fh_kept *kept, const fh_window *window)
{
    const fh_run *runs = fh_window_runs(window, &kept->num_runs, kept->origin, kept->len);
    kept->runs = malloc(kept->num_runs * sizeof *runs);
    if (kept->runs == NULL) {
        return false;
    }
    memcpy(kept->runs, runs, kept->num_runs * sizeof *runs);
    return true;
}

/* Moves the offsets of a part from those in `from` to those in the bytes that are kept. */
static void move_part(fh_part *part, size_t by)
{
    part->head -= by;
    part->lines -= by;
    part->lines_end -= by;
    part->tail_end -= by;
}

static size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t greater(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Copies what there is of the part and of the asset. around begins at position `first` of the
 * window; the asset at `start` in it. */
static bool keep(fh_kept *kept, const fh_join_wish *wish, const fh_part *part, fh_cursor around,
                 size_t start)
{
    const size_t from = lesser(part->head, start);
    const size_t end = greater(part->tail_end, start + wish->len);
    *kept = (fh_kept){.format = wish->format,
                      .stream = wish->stream,
                      .origin = (int64_t)around.origin + (int64_t)from,
                      .len = end - from,
                      .part = *part,
                      .asset_off = start - from,
                      .asset_len = wish->is_alone ? wish->len : 0,
                      .options = wish->options,
                      .num_extras = wish->num_extras};
    assert(wish->num_extras <= sizeof kept->extras / sizeof kept->extras[0]);
    move_part(&kept->part, from);
    for (size_t i = 0; i < wish->num_extras; i++) {
        kept->extras[i] = wish->extras[i];
        kept->extras[i].offset = 0; /* where the part will lie in the asset is not known yet */
    }
    kept->bytes = malloc(kept->len);
    if (kept->bytes == NULL || !copy_runs(kept, wish->window)) {
        free(kept->bytes);
        return false;
    }
    const fh_cursor own = fh_cursor_sub(&around, from, kept->len);
    memcpy(kept->bytes, own.base, own.size);
    kept->lines_hash = hash_lines(kept);
    return true;
}

/* A text that begins with line 0 and needs nothing may well stay alone: no loss if it is not kept.
 */
static bool is_whole(const fh_part *part)
{
    return part->first == 0 && part->lines_end == part->tail_end;
}

fh_join_status fh_join_add(fh_join *join, const fh_join_wish *wish)
{
    const fh_window *window = wish->window;
    const size_t pos = (size_t)(wish->start - window->origin);
    const size_t behind = lesser(pos, FH_LOOK_BEHIND);
    const fh_cursor rest = fh_window_cursor(window, pos - behind);
    const fh_cursor around =
        fh_cursor_sub(&rest, 0, lesser(rest.size, behind + wish->len + FH_LOOK_BEHIND));
    fh_budget budget = fh_budget_for(wish->len, 0);
    fh_part part;
    if (!wish->format->joining->describe(&part, around, behind, wish->len, &budget)) {
        return FH_JOIN_NO;
    }
    const size_t len = greater(part.tail_end, behind + wish->len) - lesser(part.head, behind);
    if (join->num == FH_MAX_PARTS || FH_MAX_PART_BYTES - join->num_bytes < len) {
        join->num_left_out += is_whole(&part) ? 0 : 1;
        return FH_JOIN_NO;
    }
    if (!provide_room(join) || !keep(&join->parts[join->num], wish, &part, around, behind)) {
        return FH_JOIN_NO_MEMORY;
    }
    join->num_bytes += len;
    join->num++;
    return FH_JOIN_KEPT;
}
