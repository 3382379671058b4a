/* The scan: every asset of a file or of bytes. */
#include "tell.h"

#include <string.h>

static void on_examined(void *user, const fh_exam *exam)
{
    ((framehound *)user)->seen = exam;
}

static bool on_asset(void *user, const fh_asset_record *asset, int64_t *handle)
{
    framehound *hound = user;
    return fh_tell_asset_to(hound, handle, asset, hound->seen);
}

static bool on_finding(void *user, const fh_finding_record *finding)
{
    return fh_tell_finding_to(user, finding);
}

static bool on_base(void *user, uint32_t base)
{
    framehound *hound = user;
    hound->ram_base = base;
    hound->has_ram_base = true;
    return true;
}

static bool on_begin(void *user, const char *path)
{
    framehound *hound = user;
    hound->source = path;
    hound->has_ram_base = false;
    hound->reserve.left = FH_RESERVE;
    return !fh_hound_is_over(hound);
}

/* Notes how a source ended, and returns why it is not complete; "" if it is. */
static const char *note_end(framehound *hound, const fh_hunt_source *source, fh_hunt_status status)
{
    const char *why = source->error;
    switch (status) {
    case FH_HUNT_OK:
        break;
    case FH_HUNT_PARTIAL:
        fh_hound_note(hound, FRAMEHOUND_PARTIAL, why);
        break;
    case FH_HUNT_UNREADABLE:
        fh_hound_note(hound, FRAMEHOUND_UNREADABLE, why);
        break;
    case FH_HUNT_STOPPED:
    case FH_HUNT_SINK:
        fh_hound_note(hound, FRAMEHOUND_STOPPED, "");
        break;
    case FH_HUNT_NO_MEMORY:
        fh_hound_note(hound, FRAMEHOUND_NO_MEMORY, "");
        break;
    }
    if (source->hit_limit) {
        why = why[0] != '\0' ? why : "a limit stopped the work; findings say where";
        fh_hound_note(hound, FRAMEHOUND_LIMIT, why);
    }
    return why;
}

static bool on_end(void *user, const fh_hunt_source *source, fh_hunt_status status)
{
    framehound *hound = user;
    const char *why = note_end(hound, source, status);
    return fh_tell_source_to(hound, &source->record, why);
}

/* bytes NULL: those of the file at path. */
static framehound_status scan(framehound *hound, const char *path, const framehound_bytes *bytes,
                              const framehound_sink *sink)
{
    const framehound_status begun = fh_hound_begin(hound, sink);
    if (begun != FRAMEHOUND_OK) {
        return begun;
    }
    const fh_hunt_options options = {.formats = hound->formats,
                                     .num_formats = hound->num_formats,
                                     .layout = hound->layout,
                                     .min_evidence = hound->min_evidence,
                                     .every_offset = (hound->flags & FRAMEHOUND_EVERY_OFFSET) != 0,
                                     .replay = (hound->flags & FRAMEHOUND_NO_REPLAY) == 0,
                                     .check_sectors =
                                         (hound->flags & FRAMEHOUND_CHECK_SECTORS) != 0,
                                     .as_it_lies = (hound->flags & FRAMEHOUND_AS_IT_LIES) != 0,
                                     .user = hound,
                                     .stop = fh_hound_stop};
    const fh_hunt_sink hunt_sink = {.user = hound,
                                    .asset = on_asset,
                                    .finding = on_finding,
                                    .base = on_base,
                                    .examined = on_examined};
    const fh_hunt_visitor visitor = {hound, on_begin, on_end};
    int64_t num_left_out = 0;
    hound->player.reserve = &hound->reserve;
    if (bytes == NULL) {
        fh_hunt_all(&num_left_out, path, &options, &hunt_sink, &visitor);
    } else {
        fh_hunt_bytes(&num_left_out, path, bytes->bytes, bytes->len, &options, &hunt_sink,
                      &visitor);
    }
    hound->player.reserve = NULL;
    return fh_hound_end(hound);
}

framehound_status framehound_scan_file(framehound *hound, const char *path,
                                       const framehound_sink *sink)
{
    if (path == NULL) {
        return fh_hound_refuse(hound, "there is no path");
    }
    return scan(hound, path, NULL, sink);
}

framehound_status framehound_scan_bytes(framehound *hound, const char *path, const void *bytes,
                                        size_t len, const framehound_sink *sink)
{
    if ((bytes == NULL && len > 0) || len > INT64_MAX) {
        return fh_hound_refuse(hound, "there are no such bytes");
    }
    const framehound_bytes given = {bytes, len};
    return scan(hound, path == NULL ? "-" : path, &given, sink);
}
