#include "hunt/seen.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A place is known where its four bytes are. */
enum { BEHIND = 3 };

void fh_seen_free(fh_seen *seen)
{
    free(seen->places);
    *seen = (fh_seen){0};
}

void fh_seen_clear(fh_seen *seen)
{
    seen->num_places = 0;
    seen->num_spans = 0;
}

void fh_seen_drop(fh_seen *seen, int64_t before)
{
    size_t spans = 0;
    size_t places = 0;
    while (spans < seen->num_spans && seen->spans[spans].to <= before) {
        spans++;
    }
    while (places < seen->num_places && seen->places[places] < before) {
        places++;
    }
    seen->num_spans -= spans;
    seen->num_places -= places;
    if (spans > 0) {
        memmove(seen->spans, seen->spans + spans, seen->num_spans * sizeof *seen->spans);
    }
    if (places > 0) {
        memmove(seen->places, seen->places + places, seen->num_places * sizeof *seen->places);
    }
}

/* The first of the places that is not in front of `from`. Pieces come one behind the other, so it
 * is most often one of those that follow the last answer, `hint`. */
static size_t first_place(const fh_sight *sight, size_t hint, uint32_t from)
{
    enum { NEAR = 8 };
    const bool is_good = hint <= sight->num_places && (hint == 0 || sight->places[hint - 1] < from);
    size_t low = is_good ? hint : 0;
    for (size_t end = low + NEAR; low < end; low++) {
        if (low == sight->num_places || sight->places[low] >= from) {
            return low;
        }
    }
    size_t high = sight->num_places;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sight->places[middle] < from) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Whether the piece goes on where the last span ends, but for the places that reach over the seam.
 */
static bool goes_on(const fh_seen *seen, int64_t stream_off)
{
    return seen->num_spans > 0 && seen->spans[seen->num_spans - 1].to == stream_off - BEHIND;
}

static bool has_room(fh_seen *seen, int64_t stream_off, size_t num_places)
{
    if (seen->places == NULL) {
        seen->places = malloc(FH_SEEN_PLACES * sizeof *seen->places);
    }
    return seen->places != NULL && num_places + BEHIND <= FH_SEEN_PLACES - seen->num_places &&
           (goes_on(seen, stream_off) || seen->num_spans < FH_SEEN_SPANS);
}

/* The places that begin in the piece before and end in this one. */
static void see_seam(fh_seen *seen, const fh_lures *lures, const fh_window *window, int64_t base,
                     int64_t stream_off)
{
    for (int64_t off = stream_off - BEHIND; off < stream_off; off++) {
        const size_t pos = (size_t)(off - window->origin);
        if (fh_sieve_is_place(&lures->sieve, window->bytes + pos, (size_t)(off - base))) {
            seen->places[seen->num_places++] = off;
        }
    }
}

void fh_seen_piece(fh_seen *seen, const fh_sights *sights, const fh_window *window, int64_t base,
                   int64_t raw_off, size_t len)
{
    const int64_t stream_off = window->origin + (int64_t)(window->len - len);
    const fh_sight *sight = fh_sights_of(sights, raw_off, len);
    /* Lures lie at multiples of their alignment in the stream; the source was looked at so, too. */
    if (sight == NULL || len <= BEHIND || (raw_off - stream_off + base) % FH_SIEVE_PHASES != 0) {
        return;
    }
    const uint32_t from = (uint32_t)(raw_off - sight->raw_off);
    const uint32_t to = (uint32_t)(from + len - BEHIND);
    const size_t first = first_place(sight, seen->hint, from);
    const size_t end = first_place(sight, first, to);
    seen->hint = end;
    if (!has_room(seen, stream_off, end - first)) {
        return;
    }
    if (goes_on(seen, stream_off)) {
        see_seam(seen, &sights->lures, window, base, stream_off);
    } else {
        assert(seen->num_spans < FH_SEEN_SPANS); /* has_room */
        seen->spans[seen->num_spans++].from = stream_off;
    }
    seen->spans[seen->num_spans - 1].to = stream_off + (int64_t)len - BEHIND;
    for (size_t i = first; i < end; i++) {
        const int64_t place = stream_off + (sight->places[i] - from);
        assert(seen->num_places == 0 || seen->places[seen->num_places - 1] < place);
        seen->places[seen->num_places++] = place;
    }
}

void fh_seen_begin(fh_seen_run *run, const fh_seen *seen, const fh_lures *lures,
                   const fh_window *window, int64_t base, size_t scan)
{
    /* No part has begun, so nothing is being sifted yet. */
    run->seen = seen;
    run->lures = lures;
    run->window = window;
    run->base = base;
    run->at = scan;
    run->end = scan;
    run->is_known = false;
    run->span = 0;
    run->place = 0;
}

/* Begins the part that the next position lies in; false: it lies behind them all. */
static bool begin_part(fh_seen_run *run)
{
    const fh_seen *seen = run->seen;
    const fh_window *window = run->window;
    const int64_t at = window->origin + (int64_t)run->at;
    const size_t end = window->len < BEHIND ? 0 : window->len - BEHIND;
    if (run->at >= end) {
        return false;
    }
    while (run->span < seen->num_spans && seen->spans[run->span].to <= at) {
        run->span++;
    }
    const fh_seen_span *span = run->span < seen->num_spans ? &seen->spans[run->span] : NULL;
    run->is_known = span != NULL && span->from <= at;
    if (run->is_known) {
        run->end = (size_t)(span->to - window->origin);
        while (run->place < seen->num_places && seen->places[run->place] < at) {
            run->place++;
        }
    } else {
        run->end = span != NULL ? (size_t)(span->from - window->origin) : end;
        fh_sieve_begin(&run->sieve, &run->lures->sieve, window->bytes, run->end + BEHIND, run->at,
                       (unsigned)((window->origin - run->base) % FH_SIEVE_PHASES));
    }
    return true;
}

/* The next place of a part that was seen. */
static bool recall(fh_seen_run *run, size_t *place)
{
    const fh_seen *seen = run->seen;
    if (run->place < seen->num_places) {
        *place = (size_t)(seen->places[run->place] - run->window->origin);
        run->place += *place < run->end ? 1 : 0;
        return *place < run->end;
    }
    return false;
}

bool fh_seen_next(fh_seen_run *run, size_t *place)
{
    do {
        if (run->at < run->end) {
            if (run->is_known ? recall(run, place) : fh_sieve_next(&run->sieve, place)) {
                run->at = *place + 1;
                return true;
            }
            run->at = run->end;
        }
    } while (begin_part(run));
    *place = run->at;
    return false;
}
