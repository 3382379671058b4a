#include "haul.h"

#include "core/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool fh_haul_make(fh_haul *haul, const char *path)
{
    *haul = (fh_haul){.path = strdup(path), .parcel = fh_parcel_make(FH_HAUL_MEMORY)};
    atomic_init(&haul->size, FH_UNKNOWN);
    return haul->path != NULL;
}

void fh_haul_free(fh_haul *haul)
{
    free(haul->path);
    haul->path = NULL;
    fh_parcel_free(&haul->parcel);
}

/* ---- filling --------------------------------------------------------------------------------- */

static bool put_asset(void *user, const fh_asset_record *asset, int64_t *handle)
{
    fh_haul *haul = user;
    *handle = ++haul->num_handles;
    return fh_parcel_asset(&haul->parcel, asset);
}

static bool put_finding(void *user, const fh_finding_record *finding)
{
    return fh_parcel_finding(&((fh_haul *)user)->parcel, finding);
}

static bool put_coverage(void *user, const fh_coverage_record *coverage)
{
    return fh_parcel_coverage(&((fh_haul *)user)->parcel, coverage);
}

static bool put_base(void *user, uint32_t base)
{
    return fh_parcel_base(&((fh_haul *)user)->parcel, base);
}

static bool put_begin(void *user, const char *path)
{
    fh_haul *haul = user;
    haul->num_handles = 0;
    return fh_parcel_begin(&haul->parcel, path);
}

static bool put_end(void *user, const fh_hunt_source *source, fh_hunt_status status)
{
    const fh_parcel_end end = {.source = source->record,
                               .error = source->error,
                               .outcome = (int64_t)status,
                               .num_weak = source->num_weak,
                               .hit_limit = source->hit_limit};
    return fh_parcel_end_source(&((fh_haul *)user)->parcel, &end) && status != FH_HUNT_STOPPED &&
           status != FH_HUNT_SINK;
}

void fh_haul_fill(fh_haul *haul, const fh_hunt_options *options)
{
    const fh_hunt_sink sink = {haul, put_asset, put_finding, put_coverage, put_base, NULL};
    const fh_hunt_visitor visitor = {haul, put_begin, put_end};
    fh_hunt_all(&haul->num_left_out, haul->path, options, &sink, &visitor);
}

bool fh_haul_is_whole(const fh_haul *haul)
{
    return haul->parcel.error == 0;
}

/* ---- playing --------------------------------------------------------------------------------- */

typedef struct play {
    const fh_hunt_sink *sink;
    const fh_hunt_visitor *visitor;
    char *path;     /* of the open source; owned */
    bool is_broken; /* the sink wanted nothing more of the source */
    int error;      /* why it cannot go on; 0: it can */
} play;

static bool play_begin(play *p, const fh_parcel_item *item)
{
    free(p->path);
    p->is_broken = false;
    p->path = strdup(item->path);
    p->error = p->path == NULL ? ENOMEM : 0;
    return p->path != NULL && p->visitor->begin(p->visitor->user, p->path);
}

static bool play_end(const play *p, const fh_parcel_item *item)
{
    fh_hunt_source source = {.record = item->end.source,
                             .hit_limit = item->end.hit_limit,
                             .num_weak = item->end.num_weak};
    fh_text error = fh_text_make(source.error, sizeof source.error);
    fh_text_str(&error, item->end.error);
    source.record.path = p->path;
    return p->visitor->end(p->visitor->user, &source,
                           p->is_broken ? FH_HUNT_SINK : (fh_hunt_status)item->end.outcome);
}

/* One record; false: the sink wants no more of them. */
static bool play_record(const fh_hunt_sink *sink, const fh_parcel_item *item)
{
    int64_t handle = 0;
    switch (item->kind) {
    case FH_PARCEL_ASSET:
        return sink->asset(sink->user, &item->asset, &handle);
    case FH_PARCEL_FINDING:
        return sink->finding(sink->user, &item->finding);
    case FH_PARCEL_COVERAGE:
        return sink->coverage == NULL || sink->coverage(sink->user, &item->coverage);
    case FH_PARCEL_BASE:
        return sink->base == NULL || sink->base(sink->user, (uint32_t)item->base);
    default:
        return true;
    }
}

/* false: it is over. */
static bool play_item(play *p, const fh_parcel_item *item)
{
    if (item->kind == FH_PARCEL_BEGIN) {
        return play_begin(p, item);
    }
    if (item->kind == FH_PARCEL_END) {
        return play_end(p, item);
    }
    p->is_broken = p->is_broken || !play_record(p->sink, item);
    return true;
}

int fh_haul_play(const fh_haul *haul, const fh_hunt_sink *sink, const fh_hunt_visitor *visitor)
{
    play p = {.sink = sink, .visitor = visitor};
    fh_parcel_reader reader = fh_parcel_read(&haul->parcel, 0);
    fh_parcel_item item;
    while (fh_parcel_next(&reader, &item) && play_item(&p, &item)) {
    }
    const int error = reader.error != 0 ? reader.error : p.error;
    fh_parcel_read_end(&reader);
    free(p.path);
    return error;
}
