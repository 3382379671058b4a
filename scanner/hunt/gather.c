#include "hunt/gather.h"

#include <string.h>

/* The streams that a user offset is looked for in, one after the other: it has a meaning for each
 * length of user data, and the first that fits is meant (see scanner/where.c). */
static const fh_stream orders[] = {FH_STREAM_DATA, FH_STREAM_FORM2};

typedef struct gathering {
    const fh_gather_wish *wish;
    fh_stream among; /* of FH_GATHER_USER in images */
    fh_gather *out;
    fh_window windows[FH_STREAM_NUM];
    int64_t bases[FH_STREAM_NUM];
    int64_t place;     /* stream offset, or FH_UNKNOWN */
    int64_t place_raw; /* of the first byte of the piece that it was found in */
    bool is_done;
    bool is_opened;
    bool is_read; /* without an error of the system */
    bool is_stopped;
    bool no_memory;
    fh_drift drift; /* of the source, or of what it lies in */
} gathering;

/* How far behind the first byte of a piece the wanted byte lies; negative if it is not in it. */
static int64_t distance_in(const gathering *job, const fh_piece *piece)
{
    const fh_gather_wish *wish = job->wish;
    const bool has_stream = piece->stream == FH_STREAM_PLAIN || piece->stream == job->among;
    switch (wish->unit) {
    case FH_GATHER_RAW:
        return wish->number - piece->raw_off;
    case FH_GATHER_USER:
        return has_stream && piece->user_off != FH_UNKNOWN ? wish->number - piece->user_off : -1;
    default:
        return piece->lba == wish->number && piece->user_off != FH_UNKNOWN ? wish->offset : -1;
    }
}

static void look_for(gathering *job, const fh_piece *piece)
{
    const int64_t distance = distance_in(job, piece);
    if (distance >= 0 && distance < (int64_t)piece->len) {
        job->place = piece->stream_off + distance;
        job->place_raw = piece->raw_off;
        job->out->stream = piece->stream;
    }
}

/* A sector of an interleaved pair comes again in the stream of its pair, and belongs there. */
static bool take_channel(gathering *job, const fh_piece *piece)
{
    if (piece->stream < FH_STREAM_CHANNEL || job->out->stream != FH_STREAM_DATA ||
        piece->raw_off != job->place_raw) {
        return false;
    }
    const fh_window *before = &job->windows[FH_STREAM_DATA];
    const int64_t end = before->origin + (int64_t)before->len;
    job->place = piece->stream_off + (int64_t)piece->len - (end - job->place);
    job->out->stream = piece->stream;
    return true;
}

static bool is_enough(const gathering *job)
{
    const fh_window *window = &job->windows[job->out->stream];
    return job->place != FH_UNKNOWN &&
           window->origin + (int64_t)window->len - job->place >= (int64_t)FH_MAX_ASSET_LEN;
}

static void on_piece(void *user, const fh_piece *piece)
{
    gathering *job = user;
    fh_window *window = &job->windows[piece->stream];
    if (job->is_done || (job->place != FH_UNKNOWN && piece->stream != job->out->stream &&
                         !take_channel(job, piece))) {
        return;
    }
    if (job->place == FH_UNKNOWN) {
        const size_t more = window->len > FH_LOOK_BEHIND ? window->len - FH_LOOK_BEHIND : 0;
        (void)fh_window_drop(window, more - more % window->memo.unit);
        look_for(job, piece);
    }
    if (job->bases[piece->stream] == FH_UNKNOWN) {
        job->bases[piece->stream] = piece->stream_off;
    }
    job->no_memory = job->no_memory || !fh_window_append(window, piece);
    job->is_done = job->no_memory || is_enough(job);
}

static void on_seam(void *user, const fh_seam *seam)
{
    gathering *job = user;
    if (job->is_done || job->is_stopped) {
        return;
    }
    if (job->place == FH_UNKNOWN) {
        fh_window_clear(&job->windows[seam->stream]);
        job->bases[seam->stream] = FH_UNKNOWN;
    } else if (seam->stream == job->out->stream) {
        job->out->has_end = true;
        job->out->reason = seam->reason;
        job->is_done = true;
    }
}

static void on_skip(void *user, fh_stream stream, int64_t sectors)
{
    fh_window_skip(&((gathering *)user)->windows[stream], sectors);
}

static bool on_stop(void *user)
{
    gathering *job = user;
    job->is_stopped = job->is_stopped || fh_stop_now(&job->wish->stop);
    return job->is_done || job->is_stopped;
}

static void explain(gathering *job, const char *why)
{
    fh_text text = fh_text_make(job->out->error, sizeof job->out->error);
    fh_text_str(&text, why);
}

static bool on_source(void *user, const char *path, fh_reader *reader)
{
    (void)path;
    gathering *job = user;
    const fh_cursor window = fh_reader_peek(reader);
    const fh_stream_sink sink = {.user = job,
                                 .piece = on_piece,
                                 .seam = on_seam,
                                 .skip = on_skip,
                                 .stop = on_stop,
                                 .has_channels = true};
    job->is_opened = true;
    fh_layout_find(&job->out->layout, job->wish->layout, &window, fh_reader_size(reader));
    const fh_source_status status = fh_source_stream(reader, NULL, &job->out->layout, &sink);
    job->no_memory = job->no_memory || status == FH_SOURCE_NO_MEMORY;
    /* The reader asks as well, and ends the source where it is told to stop. */
    job->is_stopped =
        job->is_stopped || (status == FH_SOURCE_STOPPED && fh_stop_now(&job->wish->stop));
    job->is_read = status != FH_SOURCE_READ_ERROR || reader->error == 0;
    if (!job->is_read) {
        explain(job, reader->error_text);
    }
    return false;
}

static void read_as_it_lies(gathering *job)
{
    fh_reader reader;
    const fh_stop *stop = &job->wish->stop;
    const fh_reader_status status =
        fh_reader_open(&reader, job->wish->path, stop->check, stop->user);
    if (status == FH_READER_OK) {
        (void)on_source(job, job->wish->path, &reader);
        job->drift = fh_reader_drift(&reader);
    } else if (status == FH_READER_STOPPED) {
        job->is_stopped = true;
    } else {
        explain(job, reader.error_text);
    }
    fh_reader_close(&reader);
}

static void read_member(gathering *job)
{
    const fh_opener_sink sink = {.user = job, .source = on_source};
    fh_opener_result result;
    explain(job, "there is no such source in it");
    switch (fh_open_one(&result, job->wish->path, &job->wish->stop, &sink)) {
    case FH_OPENER_OK:
    case FH_OPENER_ENDED:
        break;
    case FH_OPENER_ERROR:
        explain(job, result.error_text);
        break;
    case FH_OPENER_STOPPED:
        job->is_stopped = true;
        break;
    case FH_OPENER_NO_MEMORY:
        job->no_memory = true;
        break;
    }
    job->drift = result.drift;
}

static fh_gather_status outcome(gathering *job)
{
    if (job->no_memory) {
        return FH_GATHER_NO_MEMORY;
    }
    if (job->is_stopped) {
        return FH_GATHER_STOPPED;
    }
    if (fh_drift_breaks(job->drift)) {
        explain(job, fh_drift_text(job->drift));
        return FH_GATHER_CHANGED;
    }
    if (job->place != FH_UNKNOWN) {
        return FH_GATHER_OK; /* what could be read is judged */
    }
    return job->is_opened && job->is_read ? FH_GATHER_NO_PLACE : FH_GATHER_UNREADABLE;
}

/* Reads once. What was gathered goes into out, the other windows are freed. */
static fh_gather_status gather_among(fh_gather *out, const fh_gather_wish *wish, fh_stream among)
{
    gathering job = {.wish = wish, .among = among, .out = out, .place = FH_UNKNOWN};
    *out = (fh_gather){.has_end = false};
    for (int i = 0; i < FH_STREAM_NUM; i++) {
        fh_window_init(&job.windows[i], 1);
        job.bases[i] = FH_UNKNOWN;
    }
    if (wish->as_it_lies) {
        read_as_it_lies(&job);
    } else {
        read_member(&job);
    }
    const fh_gather_status status = outcome(&job);
    for (int i = 0; i < FH_STREAM_NUM; i++) {
        if (status == FH_GATHER_OK && i == (int)out->stream) {
            out->window = job.windows[i];
            out->base = job.bases[i];
            out->pos = (size_t)(job.place - out->window.origin);
        } else {
            fh_window_free(&job.windows[i]);
        }
    }
    return status;
}

fh_gather_status fh_gather_at(fh_gather *out, const fh_gather_wish *wish)
{
    fh_gather_status status = gather_among(out, wish, orders[0]);
    const bool is_image = out->layout.stride != FH_STRIDE_PLAIN;
    for (size_t i = 1; i < sizeof orders / sizeof orders[0] && status == FH_GATHER_NO_PLACE &&
                       wish->unit == FH_GATHER_USER && is_image;
         i++) {
        status = gather_among(out, wish, orders[i]);
    }
    return status;
}

void fh_gather_free(fh_gather *gather)
{
    fh_window_free(&gather->window);
}

fh_cursor fh_gather_bytes(const fh_gather *gather, fh_end *end, size_t pos)
{
    const fh_cursor rest = fh_window_cursor(&gather->window, pos);
    *end = FH_END_NONE;
    if (rest.size > FH_MAX_ASSET_LEN) {
        return fh_cursor_sub(&rest, 0, FH_MAX_ASSET_LEN);
    }
    if (gather->has_end) {
        const bool is_file = gather->stream == FH_STREAM_PLAIN && gather->reason == FH_SEAM_END;
        *end = is_file ? FH_END_FILE : FH_END_STREAM;
    }
    return rest;
}
