#include "hunt/sights.h"

#include <assert.h>
#include <stdlib.h>

/* A chunk that is handed out, those in front of it that sectors still reach into, and those read
 * ahead lie in different slots. */
static_assert(FH_SIGHTS_CHUNKS > FH_PREFETCH_MOST + 2, "no notes are overwritten that are in use");

static fh_sight *slot_of(fh_sights *sights, int64_t raw_off)
{
    return &sights->chunks[(uint64_t)raw_off / FH_READER_CHUNK % FH_SIGHTS_CHUNKS];
}

static bool prepare(void *user)
{
    return fh_sights_prepare(user);
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
    *sights = (fh_sights){0};
    fh_lures_set(&sights->lures, formats, num_formats, every_offset);
    sights->lookout = (fh_lookout){prepare, look, forget, sights};
    fh_sights_forget(sights);
}

void fh_sights_free(fh_sights *sights)
{
    free(sights->places);
    sights->places = NULL;
    fh_sights_forget(sights);
}

bool fh_sights_prepare(fh_sights *sights)
{
    if (sights->places == NULL) {
        sights->places = malloc(FH_SIGHTS_CHUNKS * sizeof *sights->places);
    }
    return sights->places != NULL;
}

void fh_sights_look(fh_sights *sights, int64_t raw_off, const uint8_t *bytes, size_t len)
{
    fh_sight *sight = slot_of(sights, raw_off);
    uint32_t *places = sights->places[sight - sights->chunks];
    sight->raw_off = FH_UNKNOWN;
    sight->places = places;
    sight->num_places = 0;
    size_t place = 0;
    fh_sieve_run run;
    fh_sieve_begin(&run, &sights->lures.sieve, bytes, len, 0,
                   (unsigned)(raw_off % FH_SIEVE_PHASES));
    while (fh_sieve_next(&run, &place)) {
        if (sight->num_places == FH_SIGHTS_MOST) {
            return;
        }
        places[sight->num_places++] = (uint32_t)place;
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
    if (sight->raw_off == FH_UNKNOWN || raw_off < sight->raw_off) {
        return NULL;
    }
    const uint64_t before = (uint64_t)(raw_off - sight->raw_off);
    return before <= sight->len && len <= sight->len - before ? sight : NULL;
}
