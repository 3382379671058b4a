#include "hunt/extract.h"

#include "core/limits.h"
#include "core/text.h"
#include "hunt/hash.h"
#include "source/opener.h"
#include "source/stream.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char changed[] =
    "the source has changed since it was scanned, and the asset is no longer whole where it was; "
    "scan it again";

/* A piece of an asset that is being read. */
typedef struct part {
    const fh_piece_record *wanted;
    size_t asset;     /* of which it is */
    size_t len;       /* bytes so far */
    fh_stream stream; /* in which it lies, when it was begun */
    bool is_begun;    /* the first byte was met */
} part;

/* An asset that is being read. */
typedef struct open_asset {
    uint8_t *bytes; /* owned; NULL: no piece was begun */
    size_t num_left;
    bool is_put_off; /* to another pass */
} open_asset;

/* One source in one pass. */
typedef struct taking {
    const fh_extract_source *source;
    const fh_extract_sink *sink;
    open_asset *opens; /* owned; one for each asset of the source */
    part *parts;       /* owned; by their first byte */
    size_t num_parts;
    size_t *active; /* owned; parts that were begun and are not whole */
    size_t num_active;
    size_t open_len;   /* bytes held */
    size_t num_wanted; /* assets that may still come in this pass */
    bool has_ended;    /* the sink wants no more */
    bool has_memory;
} taking;

/* ---- one asset ---- */

static void release(taking *take, size_t index)
{
    open_asset *open = &take->opens[index];
    if (open->bytes != NULL) {
        take->open_len -= take->source->assets[index].len;
        free(open->bytes);
        open->bytes = NULL;
    }
}

/* The pieces of it that were begun are left behind: its part of the pass is over. */
static void put_off(taking *take, size_t index)
{
    take->opens[index].is_put_off = true;
    take->num_wanted--;
}

static void hand_out(taking *take, size_t index)
{
    fh_extract_asset *asset = &take->source->assets[index];
    asset->is_over = true;
    take->num_wanted--;
    if (!take->has_ended && !take->sink->asset(take->sink->user, asset, take->opens[index].bytes)) {
        take->has_ended = true;
    }
    release(take, index);
}

/* Makes room for an asset of which a first byte was met; false: not in this pass. */
static bool begin_asset(taking *take, size_t index)
{
    open_asset *open = &take->opens[index];
    const size_t len = take->source->assets[index].len;
    if (open->bytes != NULL || open->is_put_off) {
        return !open->is_put_off;
    }
    if (len > FH_EXTRACT_MAX_OPEN - take->open_len) {
        put_off(take, index);
        return false;
    }
    open->bytes = malloc(len);
    if (open->bytes == NULL) {
        take->has_memory = false;
        return false;
    }
    take->open_len += len;
    return true;
}

/* ---- the pieces of the stream ---- */

/* Takes what of the stream's piece belongs to a part, from byte `from` of it on; true: that was the
 * rest of the part. */
static bool take_bytes(taking *take, part *to, const fh_piece *piece, size_t from)
{
    const size_t left = (size_t)to->wanted->length - to->len;
    const size_t len = piece->len - from < left ? piece->len - from : left;
    uint8_t *bytes = take->opens[to->asset].bytes;
    memcpy(bytes + (size_t)to->wanted->asset_offset + to->len, piece->bytes + from, len);
    to->len += len;
    if (len < left) {
        return false;
    }
    if (--take->opens[to->asset].num_left == 0) {
        hand_out(take, to->asset);
    }
    return true;
}

static void go_on_with_active(taking *take, const fh_piece *piece)
{
    size_t kept = 0;
    for (size_t i = 0; i < take->num_active; i++) {
        part *to = &take->parts[take->active[i]];
        if (to->stream != piece->stream || !take_bytes(take, to, piece, 0)) {
            take->active[kept++] = take->active[i];
        }
    }
    take->num_active = kept;
}

/* The first part that does not begin before an offset. */
static size_t first_part(const taking *take, int64_t raw_off)
{
    size_t first = 0;
    size_t end = take->num_parts;
    while (first < end) {
        const size_t middle = first + (end - first) / 2;
        if (take->parts[middle].wanted->raw_offset < raw_off) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

static void begin_parts(taking *take, const fh_piece *piece)
{
    for (size_t i = first_part(take, piece->raw_off); i < take->num_parts; i++) {
        part *to = &take->parts[i];
        const int64_t from = to->wanted->raw_offset - piece->raw_off;
        if (from >= (int64_t)piece->len) {
            return;
        }
        if (to->is_begun || !begin_asset(take, to->asset)) {
            continue;
        }
        to->is_begun = true;
        to->stream = piece->stream;
        if (!take_bytes(take, to, piece, (size_t)from)) {
            take->active[take->num_active++] = i;
        }
    }
}

/* Whole pieces that lie in one sector are taken from it, even if it is left out of the streams that
 * are read here: an asset may have been put together from another one. */
static void on_sector(void *user, const fh_sector *sector, const fh_cursor *bytes, int64_t lba)
{
    taking *take = user;
    const int64_t raw_off = (int64_t)bytes->origin + (int64_t)sector->data_off;
    const int64_t end = raw_off + (int64_t)sector->data_len;
    (void)lba;
    for (size_t i = first_part(take, raw_off); i < take->num_parts; i++) {
        part *to = &take->parts[i];
        const int64_t from = to->wanted->raw_offset;
        if (from >= end) {
            return;
        }
        if (to->is_begun || to->wanted->length > end - from || !begin_asset(take, to->asset)) {
            continue;
        }
        const fh_cursor data = fh_cursor_sub(bytes, sector->data_off, sector->data_len);
        const fh_piece piece = {.bytes = data.base, .len = data.size, .raw_off = raw_off};
        to->is_begun = true;
        (void)take_bytes(take, to, &piece, (size_t)(from - raw_off));
    }
}

static void on_piece(void *user, const fh_piece *piece)
{
    taking *take = user;
    go_on_with_active(take, piece);
    begin_parts(take, piece);
}

static bool is_finished(const taking *take)
{
    return take->has_ended || !take->has_memory || take->num_wanted == 0;
}

static bool on_stop(void *user)
{
    const taking *take = user;
    return is_finished(take) || fh_stop_now(&take->sink->stop);
}

/* ---- one source ---- */

static int compare_parts(const void *a, const void *b)
{
    const int64_t of_a = ((const part *)a)->wanted->raw_offset;
    const int64_t of_b = ((const part *)b)->wanted->raw_offset;
    return of_a < of_b ? -1 : of_a > of_b;
}

/* Every asset that is not over has its pieces among the parts. */
static bool begin_source(taking *take)
{
    const fh_extract_source *source = take->source;
    size_t num_parts = 0;
    for (size_t i = 0; i < source->num_assets; i++) {
        num_parts += source->assets[i].is_over ? 0 : source->assets[i].num_pieces;
    }
    take->opens = calloc(source->num_assets + 1, sizeof *take->opens);
    take->parts = calloc(num_parts + 1, sizeof *take->parts);
    take->active = calloc(num_parts + 1, sizeof *take->active);
    take->has_memory = take->opens != NULL && take->parts != NULL && take->active != NULL;
    for (size_t i = 0; i < source->num_assets && take->has_memory; i++) {
        const fh_extract_asset *asset = &source->assets[i];
        take->num_wanted += asset->is_over ? 0 : 1;
        take->opens[i].num_left = asset->num_pieces;
        for (size_t k = 0; k < asset->num_pieces && !asset->is_over; k++) {
            assert(asset->pieces[k].asset_offset >= 0 && asset->pieces[k].length > 0 &&
                   asset->pieces[k].length <= (int64_t)asset->len - asset->pieces[k].asset_offset);
            take->parts[take->num_parts++] = (part){.wanted = &asset->pieces[k], .asset = i};
        }
    }
    if (take->has_memory) {
        qsort(take->parts, take->num_parts, sizeof *take->parts, compare_parts);
    }
    return take->has_memory;
}

static void tell_lost(const fh_extract_source *source, const fh_extract_sink *sink, size_t index,
                      fh_extract_loss loss, const char *why)
{
    fh_extract_asset *asset = &source->assets[index];
    if (!asset->is_over) {
        asset->is_over = true;
        sink->lost(sink->user, asset, loss, why);
    }
}

static void tell_all_lost(const fh_extract_source *source, const fh_extract_sink *sink,
                          fh_extract_loss loss, const char *why)
{
    for (size_t i = 0; i < source->num_assets; i++) {
        tell_lost(source, sink, i, loss, why);
    }
}

/* What was not found is lost, but for what waits for another pass. */
static void end_source(taking *take, fh_source_status status, const fh_reader *reader)
{
    const bool is_stopped = take->has_ended || fh_stop_now(&take->sink->stop);
    const bool has_memory = take->has_memory && status != FH_SOURCE_NO_MEMORY;
    const char *why = status == FH_SOURCE_READ_ERROR ? reader->error_text : changed;
    for (size_t i = 0; i < take->source->num_assets && take->opens != NULL; i++) {
        release(take, i);
        if (!is_stopped && has_memory && !take->opens[i].is_put_off) {
            tell_lost(take->source, take->sink, i, FH_EXTRACT_UNREADABLE, why);
        }
    }
    if (!has_memory && !is_stopped) {
        tell_all_lost(take->source, take->sink, FH_EXTRACT_LIMIT, "out of memory");
    }
    free(take->opens);
    free(take->parts);
    free(take->active);
}

/* false: the sink wants no more. */
static bool take_source(const fh_extract_source *source, const fh_extract_sink *sink,
                        fh_reader *reader)
{
    taking take = {.source = source, .sink = sink};
    fh_source_status status = FH_SOURCE_OK;
    if (begin_source(&take)) {
        const fh_cursor window = fh_reader_peek(reader);
        const fh_stream_sink stream_sink = {
            .user = &take, .piece = on_piece, .stop = on_stop, .sector = on_sector};
        fh_layout layout;
        fh_layout_find(&layout, source->layout, &window, fh_reader_size(reader));
        status = fh_source_stream(reader, NULL, &layout, &stream_sink);
    }
    end_source(&take, status, reader);
    return !take.has_ended && !fh_stop_now(&sink->stop);
}

/* ---- all sources of a file ---- */

typedef struct pass {
    const fh_extract_source *sources;
    size_t num_sources;
    const fh_extract_sink *sink;
    bool has_met; /* one of them */
    bool has_ended;
} pass;

static int compare_source(const void *path, const void *source)
{
    return strcmp(path, ((const fh_extract_source *)source)->path);
}

static bool on_source(void *user, const char *path, fh_reader *reader)
{
    pass *one = user;
    const fh_extract_source *source =
        bsearch(path, one->sources, one->num_sources, sizeof *one->sources, compare_source);
    if (source == NULL) {
        return true;
    }
    one->has_met = true;
    one->has_ended = !take_source(source, one->sink, reader);
    return !one->has_ended;
}

static bool is_done(const fh_extract_source *source)
{
    for (size_t i = 0; i < source->num_assets; i++) {
        if (!source->assets[i].is_over) {
            return false;
        }
    }
    return true;
}

static size_t list_undone(const char **paths, const fh_extract_source *sources, size_t num_sources)
{
    size_t num = 0;
    for (size_t i = 0; i < num_sources; i++) {
        if (!is_done(&sources[i])) {
            paths[num++] = sources[i].path;
        }
    }
    return num;
}

static void give_up(const fh_extract_source *sources, size_t num_sources,
                    const fh_extract_sink *sink, fh_extract_loss loss, const char *why)
{
    for (size_t i = 0; i < num_sources; i++) {
        tell_all_lost(&sources[i], sink, loss, why);
    }
}

/* One pass over the file; false: another one would be no use, or is not wanted. */
static bool run_pass(pass *one, const char *path, const char **paths, size_t num_paths)
{
    const fh_opener_sink sink = {.user = one, .source = on_source};
    const fh_opener_options options = {
        .only = paths, .num_only = num_paths, .stop = one->sink->stop};
    fh_opener_result result;
    one->has_met = false;
    switch (fh_open_all(&result, path, &options, &sink)) {
    case FH_OPENER_ERROR:
        give_up(one->sources, one->num_sources, one->sink, FH_EXTRACT_UNREADABLE,
                result.error_text);
        return false;
    case FH_OPENER_NO_MEMORY:
        give_up(one->sources, one->num_sources, one->sink, FH_EXTRACT_LIMIT, "out of memory");
        return false;
    case FH_OPENER_STOPPED:
        one->has_ended = true;
        return false;
    case FH_OPENER_OK:
    case FH_OPENER_ENDED:
        break;
    }
    if (!one->has_met && !one->has_ended) {
        give_up(one->sources, one->num_sources, one->sink, FH_EXTRACT_UNREADABLE,
                "there is no source of that name in the file any more; scan it again");
    }
    return one->has_met && !one->has_ended;
}

/* A source that is searched as it lies is not entered for others in it in the same pass: these are
 * met in the next one. */
void fh_extract_all(const char *path, const fh_extract_source *sources, size_t num_sources,
                    const fh_extract_sink *sink)
{
    pass one = {.sources = sources, .num_sources = num_sources, .sink = sink};
    const char **paths = calloc(num_sources + 1, sizeof *paths);
    if (paths == NULL) {
        give_up(sources, num_sources, sink, FH_EXTRACT_LIMIT, "out of memory");
        return;
    }
    bool goes_on = true;
    for (unsigned i = 0; i < FH_EXTRACT_MAX_PASSES && goes_on; i++) {
        const size_t num_paths = list_undone(paths, sources, num_sources);
        goes_on = num_paths > 0 && run_pass(&one, path, paths, num_paths);
    }
    if (goes_on) {
        give_up(sources, num_sources, sink, FH_EXTRACT_LIMIT,
                "too many assets lie over each other; choose fewer of them");
    }
    free(paths);
}

size_t fh_extract_file_len(const char *path)
{
    struct stat file;
    const char *mark = strstr(path, FH_MEMBER_MARK);
    size_t len = strlen(path);
    while (len > 0) {
        char *name = strndup(path, len);
        const bool is_file = name != NULL && stat(name, &file) == 0 &&
                             (S_ISREG(file.st_mode) || S_ISBLK(file.st_mode));
        free(name);
        if (is_file) {
            return len;
        }
        len = mark == NULL ? 0 : (size_t)(mark - path);
        mark = mark == NULL ? NULL : strstr(mark + 1, FH_MEMBER_MARK);
    }
    return 0;
}

/* ---- one asset ---- */

typedef struct single {
    const fh_extract_source *source;
    fh_extract_sink sink;
    uint8_t *out;
    bool is_whole;
    char *why;
    size_t why_size;
} single;

static void explain(single *one, const char *reason)
{
    fh_text text = fh_text_make(one->why, one->why_size);
    fh_text_str(&text, reason);
}

static bool on_single(void *user, const fh_extract_asset *asset, const uint8_t *bytes)
{
    single *one = user;
    memcpy(one->out, bytes, asset->len);
    one->is_whole = true;
    return true;
}

static void on_single_lost(void *user, const fh_extract_asset *asset, fh_extract_loss loss,
                           const char *why)
{
    (void)asset;
    (void)loss;
    explain(user, why);
}

static bool on_single_source(void *user, const char *path, fh_reader *reader)
{
    (void)path;
    single *one = user;
    return take_source(one->source, &one->sink, reader);
}

bool fh_extract(uint8_t *out, const fh_extract_wish *wish, char *why, size_t why_size)
{
    const fh_piece_record *last = &wish->pieces[wish->num_pieces - 1];
    fh_extract_asset asset = {.pieces = wish->pieces,
                              .num_pieces = wish->num_pieces,
                              .len = (size_t)(last->asset_offset + last->length)};
    const fh_extract_source source = {wish->path, wish->layout, &asset, 1};
    single one = {.source = &source, .out = out, .why = why, .why_size = why_size};
    one.sink = (fh_extract_sink){.user = &one, .asset = on_single, .lost = on_single_lost};
    const fh_opener_sink sink = {.user = &one, .source = on_single_source};
    const fh_stop never = {NULL, NULL};
    fh_opener_result result;
    explain(&one, changed);
    const fh_opener_status status = fh_open_one(&result, wish->path, &never, &sink);
    if (status == FH_OPENER_ERROR) {
        explain(&one, result.error_text);
    } else if (status == FH_OPENER_NO_MEMORY) {
        explain(&one, "out of memory");
    }
    return one.is_whole;
}

bool fh_extract_matches(const uint8_t *bytes, size_t len, const char *sha256)
{
    uint8_t hash[FH_SHA256_LEN];
    char hex[2 * (size_t)FH_SHA256_LEN + 1];
    if (!fh_hash_bytes(hash, bytes, len)) {
        return false;
    }
    fh_hash_hex(hex, hash);
    return strcmp(hex, sha256) == 0;
}
