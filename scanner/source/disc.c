#include "source/disc.h"

#include "source/address.h"
#include "source/keep.h"
#include "source/limits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Sectors before one that say what it is, and sectors that are read at once. */
enum { CONTEXT = 8, BUFFER_SECTORS = 32 };

/* Where addresses are looked for if the beginning has none, and sectors looked at each time. */
enum { NUM_PROBES = 16, PROBE_SECTORS = 16 };

/* Steps on the way to an address: every second one halves what is left. */
enum { MAX_STEPS = 128 };

/* ---- bytes ---- */

static int64_t raw_of(const fh_disc *disc, int64_t index)
{
    return disc->layout.start + index * (int64_t)disc->layout.stride;
}

static bool load(fh_disc *disc, int64_t index)
{
    const int64_t first = index < CONTEXT ? 0 : index - CONTEXT;
    int64_t num = disc->num_sectors - first;
    num = num < BUFFER_SECTORS ? num : BUFFER_SECTORS;
    if (index >= disc->buffer_index && index < disc->buffer_index + disc->buffer_num &&
        first >= disc->buffer_index) {
        return true;
    }
    const int64_t off = raw_of(disc, first);
    const int64_t left = disc->size - off;
    const int64_t wanted = num * (int64_t)disc->layout.stride;
    disc->buffer_num = 0;
    if (!disc->read(disc->user, off, disc->buffer, (size_t)(wanted < left ? wanted : left))) {
        return false;
    }
    disc->buffer_index = first;
    disc->buffer_num = num;
    return true;
}

/* The bytes of a sector; none of one that is not in the buffer. */
static fh_cursor bytes_of(const fh_disc *disc, int64_t index)
{
    const size_t stride = disc->layout.stride;
    const int64_t left = disc->size - raw_of(disc, index);
    if (index < disc->buffer_index || index >= disc->buffer_index + disc->buffer_num) {
        return fh_cursor_make(NULL, 0, 0);
    }
    return fh_cursor_make(disc->buffer + (size_t)(index - disc->buffer_index) * stride,
                          left < (int64_t)stride ? (size_t)left : stride,
                          (uint64_t)raw_of(disc, index));
}

/* ---- sectors ---- */

static bool is_by_position(const fh_disc *disc)
{
    return disc->layout.stride == FH_STRIDE_2048 ||
           (disc->layout.stride == FH_STRIDE_2336 && disc->layout.has_iso);
}

/* Visits the sectors before one and then itself, as the forward pass does. */
static void visit(const fh_disc *disc, fh_disc_sector *out, int64_t index)
{
    fh_sector_habit habit = FH_SECTOR_NO_HABIT;
    fh_address address = fh_address_make();
    int64_t first = index < CONTEXT ? 0 : index - CONTEXT;
    first = first < disc->buffer_index ? disc->buffer_index : first;
    *out = (fh_disc_sector){.index = index, .raw_off = raw_of(disc, index), .lba = FH_UNKNOWN};
    for (int64_t i = first; i <= index; i++) {
        fh_sector next;
        const fh_cursor behind = bytes_of(disc, i + 1);
        out->bytes = bytes_of(disc, i);
        fh_sector_read(&out->sector, &out->bytes, disc->layout.stride, &habit);
        fh_sector_read(&next, &behind, disc->layout.stride, &habit);
        if (out->sector.has_header) {
            out->lba = fh_address_next(&address, i, out->sector.header_lba, next.header_lba).lba;
        } else {
            out->lba = is_by_position(disc) ? disc->layout.first_lba + i : FH_UNKNOWN;
        }
        fh_sector_note(&habit, &out->sector);
    }
}

bool fh_disc_at(fh_disc *disc, fh_disc_sector *out, int64_t index)
{
    if (index < 0 || index >= disc->num_sectors) {
        return false;
    }
    if (disc->keep != NULL) {
        return fh_keep_at(disc->keep, out, index);
    }
    if (!load(disc, index)) {
        return false;
    }
    /* The next sector says whether the address of this one is to be believed. */
    if (index + 1 == disc->buffer_index + disc->buffer_num && index + 1 < disc->num_sectors) {
        disc->buffer_num = 0;
        if (!load(disc, index)) {
            return false;
        }
    }
    visit(disc, out, index);
    return true;
}

/* ---- opening ---- */

static void find_first_lba(fh_disc *disc)
{
    for (int probe = 0; probe < NUM_PROBES && !disc->has_lba; probe++) {
        const int64_t from = disc->num_sectors / NUM_PROBES * probe;
        fh_disc_sector at;
        for (int64_t i = from; i < from + PROBE_SECTORS && !disc->has_lba; i++) {
            if (fh_disc_at(disc, &at, i) && at.lba != FH_UNKNOWN) {
                disc->has_lba = true;
                disc->first_lba = at.lba - i;
            }
        }
    }
}

static void find_end(fh_disc *disc)
{
    fh_disc_sector last;
    disc->end_lba = disc->first_lba + disc->num_sectors;
    disc->shift = disc->first_lba;
    if (disc->has_lba && fh_disc_at(disc, &last, disc->num_sectors - 1) && last.lba != FH_UNKNOWN &&
        last.lba >= disc->end_lba) {
        disc->end_lba = last.lba + 1;
    }
}

/* What is left behind the last whole sector is one only if it begins like one. */
static void drop_rest(fh_disc *disc)
{
    fh_disc_sector last;
    const bool is_cut = raw_of(disc, disc->num_sectors) > disc->size;
    if (is_cut && fh_disc_at(disc, &last, disc->num_sectors - 1) &&
        last.sector.kind == FH_SECTOR_NO_SYNC) {
        disc->num_sectors--;
        disc->buffer_num = 0;
    }
}

static void look_around(fh_disc *disc)
{
    const int64_t stride = (int64_t)disc->layout.stride;
    const int64_t len = disc->size > disc->layout.start ? disc->size - disc->layout.start : 0;
    disc->num_sectors = len / stride;
    if (len % stride != 0) {
        disc->num_sectors++;
    }
    drop_rest(disc);
    find_first_lba(disc);
    find_end(disc);
}

bool fh_disc_open(fh_disc *disc, const fh_layout *layout, int64_t size, fh_disc_bytes read,
                  void *user)
{
    assert(layout->stride != FH_STRIDE_PLAIN && size >= 0);
    *disc = (fh_disc){.layout = *layout, .size = size, .read = read, .user = user};
    disc->buffer = malloc((size_t)BUFFER_SECTORS * layout->stride);
    if (disc->buffer == NULL) {
        return false;
    }
    look_around(disc);
    return true;
}

void fh_disc_open_kept(fh_disc *disc, const fh_layout *layout, int64_t size, struct fh_keep *keep)
{
    assert(layout->stride != FH_STRIDE_PLAIN && size >= 0);
    *disc = (fh_disc){.layout = *layout, .size = size, .keep = keep};
    look_around(disc);
}

void fh_disc_close(fh_disc *disc)
{
    free(disc->buffer);
    disc->buffer = NULL;
}

/* ---- addresses ---- */

static int64_t clamped(const fh_disc *disc, int64_t index)
{
    const int64_t last = disc->num_sectors - 1;
    return index < 0 ? 0 : index > last ? last : index;
}

bool fh_disc_is_spent(const fh_disc *disc)
{
    return disc->num_astray >= FH_DISC_MAX_ASTRAY;
}

void fh_disc_rest(fh_disc *disc)
{
    disc->num_astray = 0;
}

/* Looks at a sector where the address is not expected; false where it cannot be read, or no more
 * are looked at. */
static bool look_astray(fh_disc *disc, fh_disc_sector *out, int64_t index)
{
    if (fh_disc_is_spent(disc)) {
        return false;
    }
    disc->num_astray++;
    return fh_disc_at(disc, out, index);
}

/* The sector itself cannot be believed, but one beside it says that it is the one. */
static bool neighbour_says(fh_disc *disc, int64_t index, int64_t lba)
{
    fh_disc_sector at;
    return (look_astray(disc, &at, index - 1) && at.lba == lba - 1) ||
           (look_astray(disc, &at, index + 1) && at.lba == lba + 1);
}

/* The part of the image in which an address may still lie, and where to look next. */
typedef struct bracket {
    int64_t low;
    int64_t high;
    int64_t guess;
} bracket;

/* Goes on from the guess, which is `out`, to the first sector whose address is known; false if
 * there is none near. */
static bool next_known(fh_disc *disc, fh_disc_sector *out, const bracket *in)
{
    for (int64_t i = in->guess + 1;
         out->lba == FH_UNKNOWN && i <= in->high && i - in->guess < PROBE_SECTORS; i++) {
        if (!look_astray(disc, out, i)) {
            return false;
        }
    }
    return out->lba != FH_UNKNOWN;
}

/* Addresses rise with the sectors: one of another sector says on which side to go on. Every second
 * guess is the middle, for sectors that are missing lead the others astray. */
static void narrow(fh_disc *disc, bracket *in, const fh_disc_sector *at, int64_t lba, int step)
{
    disc->shift = at->lba - at->index;
    if (at->lba < lba) {
        in->low = at->index + 1;
    } else {
        in->high = in->guess - 1;
    }
    in->guess = lba - disc->shift;
    if (step % 2 != 0 || in->guess < in->low || in->guess > in->high) {
        in->guess = in->low + (in->high - in->low) / 2;
    }
}

bool fh_disc_find(fh_disc *disc, fh_disc_sector *out, int64_t lba)
{
    if (!disc->has_lba) {
        return fh_disc_at(disc, out, lba);
    }
    if (disc->num_sectors == 0 || lba < -(int64_t)INT32_MAX || lba > (int64_t)UINT32_MAX) {
        return false;
    }
    bracket in = {.high = disc->num_sectors - 1, .guess = clamped(disc, lba - disc->shift)};
    for (int step = 0; step < MAX_STEPS && in.low <= in.high; step++) {
        if (step == 0 ? !fh_disc_at(disc, out, in.guess) : !look_astray(disc, out, in.guess)) {
            return false;
        }
        if (out->lba == FH_UNKNOWN && neighbour_says(disc, in.guess, lba)) {
            return fh_disc_at(disc, out, in.guess);
        }
        if (!next_known(disc, out, &in)) {
            return false;
        }
        if (out->lba == lba) {
            return true;
        }
        narrow(disc, &in, out, lba, step);
    }
    return false;
}

bool fh_disc_block(fh_disc *disc, int64_t lba, uint8_t out[FH_DATA_LEN])
{
    fh_disc_sector at;
    if (!fh_disc_find(disc, &at, lba) || at.sector.kind == FH_SECTOR_FORM2 ||
        at.sector.data_len < FH_DATA_LEN) {
        return false;
    }
    if (disc->keep != NULL) {
        return fh_keep_block(disc->keep, &at, out);
    }
    const fh_cursor data = fh_cursor_sub(&at.bytes, at.sector.data_off, FH_DATA_LEN);
    memcpy(out, data.base, FH_DATA_LEN);
    return true;
}

int64_t fh_disc_address(fh_disc *disc, const fh_disc_sector *at)
{
    if (at->lba != FH_UNKNOWN) {
        return at->lba;
    }
    if (!disc->has_lba) {
        return at->index;
    }
    fh_disc_sector other;
    if (fh_disc_at(disc, &other, at->index - 1) && other.lba != FH_UNKNOWN) {
        return other.lba + 1;
    }
    if (fh_disc_at(disc, &other, at->index + 1) && other.lba != FH_UNKNOWN) {
        return other.lba - 1;
    }
    return FH_UNKNOWN;
}

int64_t fh_disc_index(const fh_disc *disc, int64_t raw_off)
{
    if (raw_off < disc->layout.start || raw_off >= disc->size) {
        return FH_UNKNOWN;
    }
    return (raw_off - disc->layout.start) / (int64_t)disc->layout.stride;
}
