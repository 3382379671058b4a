#include "where.h"

#include "source/container.h"
#include "source/limits.h"
#include "source/memory_stream.h"
#include "source/opener.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static fh_where_status unreadable(fh_where *where, const char *why)
{
    fh_text text = fh_text_make(where->error, sizeof where->error);
    fh_text_str(&text, why);
    return FH_WHERE_UNREADABLE;
}

/* Of what can be read at any place, but for a fault: who reads it forwards has less to tell. */
static fh_where_status faulty(fh_where *where, int error)
{
    where->is_faulty = error != ESPIPE && error != EISDIR;
    return unreadable(where, strerror(error));
}

/* A file that turned out to be shorter than it says is no fault of the system. */
static fh_where_status unread(fh_where *where)
{
    return where->raw.error != 0 ? faulty(where, where->raw.error)
                                 : unreadable(where, strerror(EIO));
}

static fh_where_status judge(fh_where *where, fh_drift drift)
{
    if (!fh_drift_breaks(drift)) {
        return FH_WHERE_OK;
    }
    (void)unreadable(where, fh_drift_text(drift));
    return FH_WHERE_CHANGED;
}

fh_where_status fh_where_still(fh_where *where)
{
    return judge(where, fh_raw_file_drift(&where->raw));
}

/* Looks for main RAM in a source that is no image. What is packed is not looked into. */
static fh_where_status find_memory(fh_where *where, const fh_cursor *window)
{
    const fh_memory_kind *kind = fh_memory_of(window, where->size);
    if (kind == NULL || kind->is_packed || where->size > (int64_t)FH_STATE_MAX_LEN) {
        return FH_WHERE_OK;
    }
    const size_t len = (size_t)where->size;
    uint8_t *bytes = malloc(len + 1);
    fh_tallies faults = {0};
    if (bytes == NULL) {
        return FH_WHERE_NO_MEMORY;
    }
    const bool is_read = fh_raw_file_read(&where->raw, 0, bytes, len);
    where->has_memory =
        is_read && fh_memory_find(&where->memory, kind, fh_cursor_make(bytes, len, 0), &faults);
    free(bytes);
    return is_read ? FH_WHERE_OK : unread(where);
}

/* Whether the file holds others. */
static bool is_container(const fh_cursor *window)
{
    const fh_box_kind *kind = fh_container_of(window);
    return kind != NULL && kind->open != NULL && !kind->lies_plain;
}

static fh_where_status find_layout(fh_where *where, bool *is_packed, const fh_where_how *how)
{
    const size_t len =
        where->size < (int64_t)FH_READER_WINDOW ? (size_t)where->size : FH_READER_WINDOW;
    uint8_t *bytes = malloc(len + 1);
    if (bytes == NULL) {
        return FH_WHERE_NO_MEMORY;
    }
    fh_where_status status = FH_WHERE_OK;
    if (fh_raw_file_read(&where->raw, 0, bytes, len)) {
        const fh_cursor window = fh_cursor_make(bytes, len, 0);
        *is_packed = !how->as_it_lies && is_container(&window);
        fh_layout_find(&where->layout, how->layout, &window, where->size);
        if (where->layout.stride == FH_STRIDE_PLAIN) {
            status = find_memory(where, &window);
        }
    } else {
        status = unread(where);
    }
    free(bytes);
    return status;
}

static fh_where_status open_files(fh_where *where)
{
    if (where->layout.stride == FH_STRIDE_PLAIN) {
        return FH_WHERE_OK;
    }
    where->has_files = true;
    where->has_tree = true;
    return fh_files_open(&where->files, &where->layout, where->size, fh_raw_file_read, &where->raw)
               ? FH_WHERE_OK
               : FH_WHERE_NO_MEMORY;
}

/* ---- what can only be read forwards ---- */

typedef struct passage {
    fh_where *where;
    const fh_where_how *how;
    char *path; /* of the source that was met, owned */
    int num_met;
    fh_where_status status;
} passage;

/* Reads to the end, of which the first `max` bytes go to `to`. */
static fh_where_status read_all(passage *job, fh_reader *reader, uint8_t *to, size_t max)
{
    const uint8_t *bytes = NULL;
    size_t len = 0;
    size_t held = 0;
    fh_reader_status status = FH_READER_OK;
    while (status == FH_READER_OK && !fh_stop_now(&job->how->stop)) {
        status = fh_reader_next(reader, &bytes, &len);
        if (status == FH_READER_OK && held < max) {
            const size_t num = len < max - held ? len : max - held;
            memcpy(to + held, bytes, num);
            held += num;
        }
    }
    job->where->size = reader->size_read;
    return status == FH_READER_OK || status == FH_READER_STOPPED ? FH_WHERE_STOPPED : FH_WHERE_OK;
}

static fh_where_status pass_memory(passage *job, fh_reader *reader, const fh_memory_kind *kind)
{
    fh_where *where = job->where;
    fh_tallies faults = {0};
    uint8_t *bytes = malloc(FH_STATE_MAX_LEN);
    if (bytes == NULL) {
        return FH_WHERE_NO_MEMORY;
    }
    const fh_where_status status = read_all(job, reader, bytes, FH_STATE_MAX_LEN);
    const bool is_small = where->size <= (int64_t)FH_STATE_MAX_LEN;
    const size_t len = is_small ? (size_t)where->size : FH_STATE_MAX_LEN;
    if (kind == NULL) {
        where->memory = (fh_memory){"memory", NULL, 0, len < FH_RAM_MAX_LEN ? len : FH_RAM_MAX_LEN,
                                    FH_RAM_BASE};
    }
    where->has_memory =
        kind == NULL ||
        (is_small && fh_memory_find(&where->memory, kind, fh_cursor_make(bytes, len, 0), &faults));
    free(bytes);
    return status;
}

static fh_where_status pass_plain(passage *job, fh_reader *reader, const fh_cursor *window)
{
    const bool is_ram = reader->tape.content == FH_CONTENT_RAM;
    const fh_memory_kind *kind =
        reader->tape.content == FH_CONTENT_ANY ? fh_memory_of_reader(reader, window) : NULL;
    return is_ram || (kind != NULL && !kind->is_packed) ? pass_memory(job, reader, kind)
                                                        : read_all(job, reader, NULL, 0);
}

/* Without its tree an image still has its sectors. */
static fh_where_status open_kept(passage *job, fh_again *again)
{
    fh_where *where = job->where;
    switch (
        fh_keep_open(&where->keep, &where->files, where->size, job->path, again, &job->how->stop)) {
    case FH_KEEP_OK:
        where->has_tree = true;
        break;
    case FH_KEEP_LOST:
        if (!fh_files_open_kept(&where->files, &where->layout, where->size, &where->keep)) {
            fh_files_close(&where->files);
            return FH_WHERE_NO_MEMORY;
        }
        break;
    case FH_KEEP_STOPPED:
        return FH_WHERE_STOPPED;
    case FH_KEEP_NO_MEMORY:
        return FH_WHERE_NO_MEMORY;
    }
    where->has_files = true;
    return FH_WHERE_OK;
}

static fh_where_status pass_image(passage *job, fh_reader *reader)
{
    fh_where *where = job->where;
    fh_keep_begin(&where->keep, &where->layout);
    const fh_source_status status = fh_keep_all(&where->keep, reader, &job->how->stop);
    where->size = reader->size_read;
    if (status == FH_SOURCE_STOPPED) {
        return FH_WHERE_STOPPED;
    }
    return status == FH_SOURCE_NO_MEMORY ? FH_WHERE_NO_MEMORY : open_kept(job, reader->again);
}

/* true: there may be others, which is of interest where one is looked for that is alone. */
static bool on_source(void *user, const char *path, fh_reader *reader)
{
    passage *job = user;
    if (job->num_met++ > 0) {
        return false;
    }
    job->path = strdup(path);
    if (job->path == NULL) {
        job->status = FH_WHERE_NO_MEMORY;
        return false;
    }
    const fh_cursor window = fh_reader_peek(reader);
    fh_layout_find(&job->where->layout, job->how->layout, &window, fh_reader_size(reader));
    job->status = job->where->layout.stride == FH_STRIDE_PLAIN ? pass_plain(job, reader, &window)
                                                               : pass_image(job, reader);
    if (job->status == FH_WHERE_OK && reader->error != 0) {
        job->status = unreadable(job->where, reader->error_text);
    }
    return job->status == FH_WHERE_OK;
}

static fh_where_status outcome(fh_where *where, const passage *job, fh_opener_status opened,
                               const fh_opener_result *result)
{
    switch (opened) {
    case FH_OPENER_ERROR:
        return unreadable(where, result->error_text);
    case FH_OPENER_STOPPED:
        return FH_WHERE_STOPPED;
    case FH_OPENER_NO_MEMORY:
        return FH_WHERE_NO_MEMORY;
    default:
        break;
    }
    if (job->num_met == 0) {
        return unreadable(where, "there is no such source in it");
    }
    return job->status == FH_WHERE_OK ? judge(where, result->drift) : job->status;
}

static fh_where_status open_forwards(fh_where *where, const char *path, const fh_where_how *how)
{
    passage job = {.where = where, .how = how};
    const fh_opener_sink sink = {.user = &job, .source = on_source};
    fh_opener_result result;
    const fh_opener_status opened = fh_open_one(&result, path, &how->stop, &sink);
    free(job.path);
    return outcome(where, &job, opened, &result);
}

/* Whether what is at path, or what it is a member of, can be read again. */
static bool is_lasting(const char *path)
{
    fh_raw_file file;
    for (const char *mark = strstr(path, FH_MEMBER_MARK); mark != NULL;
         mark = strstr(mark + 1, FH_MEMBER_MARK)) {
        char *part = strndup(path, (size_t)(mark - path));
        const bool is_file =
            part != NULL && strcmp(part, "-") != 0 && fh_raw_file_open(&file, part, 0);
        free(part);
        if (is_file) {
            fh_raw_file_close(&file);
            return true;
        }
    }
    return false;
}

/* The only source in a container. Where there are several, or none, *is_one is false. */
static fh_where_status open_inside(fh_where *where, bool *is_one, const char *path,
                                   const fh_where_how *how)
{
    passage job = {.where = where, .how = how};
    const fh_opener_sink sink = {.user = &job, .source = on_source};
    const fh_opener_options options = {.stop = how->stop};
    fh_opener_result result;
    const fh_opener_status opened = fh_open_all(&result, path, &options, &sink);
    const fh_where_status status = outcome(where, &job, opened, &result);
    *is_one = job.num_met == 1 && job.path != NULL && strcmp(job.path, path) != 0;
    where->path = job.path;
    return status == FH_WHERE_UNREADABLE && !*is_one ? FH_WHERE_OK : status;
}

static fh_where_status open_file(fh_where *where, bool *is_packed, const char *path,
                                 const fh_where_how *how)
{
    *where = (fh_where){.raw = {.fd = -1}};
    if (!fh_raw_file_open(&where->raw, path, 0)) {
        return faulty(where, errno);
    }
    where->size = where->raw.size;
    fh_where_status status = find_layout(where, is_packed, how);
    status = status == FH_WHERE_OK && !*is_packed ? open_files(where) : status;
    /* One that was cut has fewer bytes than it had when it was asked: that is no fault of reading.
     */
    const fh_where_status still = fh_where_still(where);
    return status == FH_WHERE_NO_MEMORY || still == FH_WHERE_OK ? status : still;
}

/* The file itself, or the only source in it. */
static fh_where_status open_random(fh_where *where, const char *path, const fh_where_how *how)
{
    bool is_packed = false;
    bool is_one = false;
    const fh_where_how as_it_lies = {how->layout, true, how->keeps_pipes, how->stop};
    fh_where_status status = open_file(where, &is_packed, path, how);
    if (!is_packed) {
        return status;
    }
    fh_where_close(where);
    *where = (fh_where){.raw = {.fd = -1}};
    status = open_inside(where, &is_one, path, how);
    if (is_one || status != FH_WHERE_OK) {
        return status;
    }
    fh_where_close(where);
    return open_file(where, &is_packed, path, &as_it_lies);
}

fh_where_status fh_where_open(fh_where *where, const char *path, const fh_where_how *how)
{
    *where = (fh_where){.raw = {.fd = -1}};
    if (fh_raw_file_open(&where->raw, path, 0)) {
        fh_raw_file_close(&where->raw);
        return open_random(where, path, how);
    }
    const int error = errno;
    if (how->keeps_pipes && !is_lasting(path)) {
        /* What is called as a member is one of something that can be read only once. */
        return strstr(path, FH_MEMBER_MARK) == NULL ? faulty(where, error)
                                                    : unreadable(where, strerror(error));
    }
    return open_forwards(where, path, how);
}

void fh_where_close(fh_where *where)
{
    if (where->has_files) {
        fh_files_close(&where->files);
    }
    fh_keep_free(&where->keep);
    fh_raw_file_close(&where->raw);
    free(where->path);
    where->path = NULL;
    where->has_files = false;
}
