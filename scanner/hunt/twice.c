#include "hunt/twice.h"

#include <assert.h>
#include <stdlib.h>

fh_raw_pieces fh_raw_pieces_of(const fh_run *runs, size_t num_runs, int64_t stream_off, size_t len)
{
    return (fh_raw_pieces){runs, num_runs, stream_off, stream_off, stream_off + (int64_t)len};
}

bool fh_raw_pieces_next(fh_raw_pieces *pieces, fh_piece_record *out)
{
    const int64_t from = pieces->off;
    if (from >= pieces->end) {
        return false;
    }
    assert(pieces->num_runs > 0);
    out->asset_offset = from - pieces->start;
    out->raw_offset = pieces->runs->raw_off + (from - pieces->runs->stream_off);
    for (;;) {
        const fh_run *run = pieces->runs;
        const bool is_last = pieces->num_runs == 1 || run[1].stream_off >= pieces->end;
        pieces->off = is_last ? pieces->end : run[1].stream_off;
        out->length = pieces->off - from;
        if (is_last) {
            return true;
        }
        pieces->runs++;
        pieces->num_runs--;
        if (run[1].raw_off != out->raw_offset + out->length) {
            return true;
        }
    }
}

/* ---- the table ---- */

/* FNV-1a over words. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ (word & UINT32_MAX)) * 0x100000001b3u;
    hash = (hash ^ (word >> 32)) * 0x100000001b3u;
    return hash ^ (hash >> 29);
}

static uint64_t key_of(const fh_format *format, fh_raw_pieces pieces, int64_t *raw_off)
{
    uint64_t hash = 0xcbf29ce484222325u;
    fh_piece_record piece = {0};
    for (const char *at = format->name; *at != '\0'; at++) {
        hash = mix(hash, (uint64_t)(unsigned char)*at);
    }
    *raw_off = FH_UNKNOWN;
    while (fh_raw_pieces_next(&pieces, &piece)) {
        *raw_off = *raw_off == FH_UNKNOWN ? piece.raw_offset : *raw_off;
        hash = mix(mix(hash, (uint64_t)piece.raw_offset), (uint64_t)piece.length);
    }
    return hash;
}

/* The slot of a key: its own, or the free one where it belongs. */
static size_t slot_of(const fh_twice *twice, uint64_t key)
{
    size_t slot = (size_t)key & (twice->num_slots - 1);
    while (twice->slots[slot] != 0 && twice->told[twice->slots[slot] - 1].key != key) {
        slot = (slot + 1) & (twice->num_slots - 1);
    }
    return slot;
}

/* Room for one more; at most half of the slots are in use. */
static bool grow(fh_twice *twice)
{
    if (twice->num < twice->max) {
        return true;
    }
    const size_t max = twice->max == 0 ? 64 : 2 * twice->max;
    fh_met *told = realloc(twice->told, max * sizeof *told);
    if (told == NULL) {
        return false;
    }
    twice->told = told;
    uint32_t *slots = calloc(2 * max, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    free(twice->slots);
    twice->slots = slots;
    twice->num_slots = 2 * max;
    twice->max = max;
    for (size_t i = 0; i < twice->num; i++) {
        slots[slot_of(twice, told[i].key)] = (uint32_t)(i + 1);
    }
    return true;
}

fh_met *fh_twice_at(fh_twice *twice, const fh_format *format, fh_raw_pieces pieces)
{
    int64_t raw_off = FH_UNKNOWN;
    const uint64_t key = key_of(format, pieces, &raw_off);
    if (twice->num_slots > 0) {
        const uint32_t found = twice->slots[slot_of(twice, key)];
        if (found != 0) {
            return &twice->told[found - 1];
        }
    }
    if (twice->num == FH_MAX_TOLD) {
        twice->num_left_out++;
        return NULL;
    }
    if (!grow(twice)) {
        twice->no_memory = true;
        return NULL;
    }
    twice->slots[slot_of(twice, key)] = (uint32_t)(twice->num + 1);
    twice->told[twice->num] = (fh_met){.key = key, .raw_off = raw_off, .handle = FH_UNKNOWN};
    return &twice->told[twice->num++];
}

static int by_offset(const void *a, const void *b)
{
    const int64_t left = *(const int64_t *)a;
    const int64_t right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

bool fh_twice_end(fh_twice *twice)
{
    assert(twice->starts == NULL);
    if (twice->num == 0) {
        return true;
    }
    twice->starts = calloc(twice->num + 1, sizeof *twice->starts);
    if (twice->starts == NULL) {
        return false;
    }
    for (size_t i = 0; i < twice->num; i++) {
        if (twice->told[i].is_scattered) {
            twice->starts[twice->num_starts++] = twice->told[i].raw_off;
        }
    }
    qsort(twice->starts, twice->num_starts, sizeof *twice->starts, by_offset);
    return true;
}

bool fh_twice_begins(const fh_twice *twice, int64_t raw_off)
{
    return twice->num_starts > 0 && bsearch(&raw_off, twice->starts, twice->num_starts,
                                            sizeof *twice->starts, by_offset) != NULL;
}

bool fh_twice_is_told(const fh_twice *twice, int64_t raw_off)
{
    for (size_t i = 0; i < twice->num; i++) {
        if (twice->told[i].raw_off == raw_off && twice->told[i].handle != FH_UNKNOWN) {
            return true;
        }
    }
    return false;
}

void fh_twice_free(fh_twice *twice)
{
    free(twice->told);
    free(twice->slots);
    free(twice->starts);
    *twice = (fh_twice){0};
}
