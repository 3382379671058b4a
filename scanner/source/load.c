#include "source/load.h"

#include "core/text.h"
#include "source/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static fh_load_status fail(fh_file *file, const char *why)
{
    fh_text text = fh_text_make(file->error, sizeof file->error);
    fh_text_str(&text, why);
    return FH_LOAD_ERROR;
}

/* Also one that only grew was perhaps not written to its end. */
static fh_load_status fail_if_changed(fh_file *file, const fh_reader *reader)
{
    const fh_drift drift = fh_reader_drift(reader);
    if (drift.kind == FH_DRIFT_NONE) {
        return FH_LOAD_OK;
    }
    fh_text text = fh_text_make(file->error, sizeof file->error);
    fh_text_str(fh_text_str(&text, fh_drift_text(drift)), "; try again");
    return FH_LOAD_ERROR;
}

static bool append(fh_file *file, const uint8_t *bytes, size_t len)
{
    if (file->max_len - file->len < len) {
        const size_t max = 2 * (file->len + len);
        uint8_t *grown = realloc(file->bytes, max);
        if (grown == NULL) {
            return false;
        }
        file->bytes = grown;
        file->max_len = max;
    }
    memcpy(file->bytes + file->len, bytes, len);
    file->len += len;
    return true;
}

static fh_load_status read_all(fh_file *file, fh_reader *reader)
{
    for (;;) {
        const uint8_t *bytes = NULL;
        size_t len = 0;
        const fh_reader_status status = fh_reader_next(reader, &bytes, &len);
        if (status == FH_READER_END) {
            return fail_if_changed(file, reader);
        }
        if (status == FH_READER_STOPPED) {
            return FH_LOAD_STOPPED;
        }
        if (status != FH_READER_OK) {
            return fail(file, reader->error_text);
        }
        const size_t room = FH_MAX_ASSET_LEN - file->len;
        if (!append(file, bytes, len < room ? len : room)) {
            return FH_LOAD_NO_MEMORY;
        }
        if (len > room) {
            return FH_LOAD_TOO_LONG;
        }
    }
}

fh_load_status fh_file_load(fh_file *file, const char *path, const fh_stop *stop)
{
    fh_reader reader;
    file->len = 0;
    file->error[0] = '\0';
    fh_load_status status = FH_LOAD_OK;
    const fh_reader_status open_status = fh_reader_open(&reader, path, stop->check, stop->user);
    if (open_status == FH_READER_OK) {
        status = read_all(file, &reader);
    } else if (open_status == FH_READER_STOPPED) {
        status = FH_LOAD_STOPPED;
    } else {
        status = reader.error == ENOMEM ? FH_LOAD_NO_MEMORY : fail(file, reader.error_text);
    }
    fh_reader_close(&reader);
    return status;
}

void fh_file_free(fh_file *file)
{
    free(file->bytes);
    *file = (fh_file){0};
}

fh_cursor fh_file_cursor(const fh_file *file)
{
    return fh_cursor_make(file->bytes, file->len, 0);
}
