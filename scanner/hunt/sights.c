#include "hunt/sights.h"

#include <assert.h>

/* A chunk that is handed out, those in front of it that sectors still reach into, and those read
 * ahead lie in different slots. */
static_assert(FH_SIGHTS_CHUNKS > FH_PREFETCH_MOST + 2, "no notes are overwritten that are in use");

static fh_sight *slot_of(fh_sights *sights, int64_t raw_off)
{
    return &sights->chunks[(uint64_t)raw_off / FH_READER_CHUNK % FH_SIGHTS_CHUNKS];
}

static void look(void *user, int64_t off, const uint8_t *bytes, size_t len)
{
    fh_sights_look(user, off, bytes, len);
}

static void forget(void *user)
{
    fh_sights_forget(user);
}

void fh_sights_init(fh_sights *sights, const fh_format *const *formats, size_t num_formats,
                    bool every_offset)
{
    fh_lures_set(&sights->lures, formats, num_formats, every_offset);
    sights->lookout = (fh_lookout){look, forget, sights};
    fh_sights_forget(sights);
}

void fh_sights_look(fh_sights *sights, int64_t raw_off, const uint8_t *bytes, size_t len)
{
    fh_sight *sight = slot_of(sights, raw_off);
    sight->raw_off = FH_UNKNOWN;
    sight->num_places = 0;
    size_t place = 0;
    fh_sieve_run run =
        fh_sieve_begin(&sights->lures.sieve, bytes, len, 0, (unsigned)(raw_off % FH_SIEVE_PHASES));
    while (fh_sieve_next(&run, &place)) {
        if (sight->num_places == FH_SIGHTS_MOST) {
            return;
        }
        sight->places[sight->num_places++] = (uint32_t)place;
    }
    sight->raw_off = raw_off;
    sight->len = len;
}

void fh_sights_forget(fh_sights *sights)
{
    for (size_t i = 0; i < FH_SIGHTS_CHUNKS; i++) {
        sights->chunks[i].raw_off = FH_UNKNOWN;
    }
}

const fh_sight *fh_sights_of(const fh_sights *sights, int64_t raw_off, size_t len)
{
    const fh_sight *sight = &sights->chunks[(uint64_t)raw_off / FH_READER_CHUNK % FH_SIGHTS_CHUNKS];
    const int64_t before = raw_off - sight->raw_off;
    const bool has_all = sight->raw_off != FH_UNKNOWN && before >= 0 &&
                         before <= (int64_t)sight->len && len <= sight->len - (size_t)before;
    return has_all ? sight : NULL;
}
