/* The check: a file, or bytes, that are to be one asset. */
#include "tell.h"

#include "hunt/hash.h"

static const char not_an_asset[] = "no animation of a known format";

/* What the program has to say of a companion; NULL: there is none. */
static const fh_cursor *find_companion(framehound *hound, fh_cursor *room, const fh_format *format)
{
    framehound_bytes given = {NULL, 0};
    if (format->companion == NULL || hound->sink.companion == NULL) {
        return NULL;
    }
    const framehound_format told = fh_public_format(format);
    if (hound->sink.companion(hound->sink.user, &told, &given) != 0 || given.bytes == NULL) {
        return NULL;
    }
    if (given.len > FH_MAX_ASSET_LEN) {
        fh_hound_note(hound, FRAMEHOUND_LIMIT, "the companion is longer than 8 MiB and not used");
        return NULL;
    }
    *room = fh_cursor_make(given.bytes, given.len, 0);
    return room;
}

static void tell_findings(framehound *hound)
{
    const fh_exam *exam = &hound->exam;
    bool go_on = !fh_hound_is_over(hound);
    for (size_t i = 0; i < exam->num_findings && go_on; i++) {
        char message[FH_MESSAGE_LEN];
        fh_finding_record record = fh_finding_to_record(&exam->findings[i], message);
        record.asset = hound->num_assets == 0 ? FH_UNKNOWN : 0;
        record.raw_offset = exam->findings[i].offset; /* the asset is the file */
        go_on = fh_tell_finding_to(hound, &record);
    }
}

static const char *reason_of(const fh_whole *whole)
{
    return whole->kind == FH_WHOLE_EMPTY      ? "empty"
           : whole->kind == FH_WHOLE_TOO_LONG ? "longer than any animation; a scan searches inside"
           : whole->kind == FH_WHOLE_NONE     ? not_an_asset
                                              : "";
}

static void tell_all(framehound *hound, const fh_whole *whole, fh_cursor bytes, int64_t size)
{
    uint8_t sha256[FH_SHA256_LEN];
    fh_asset_record asset;
    fh_replay_record replay;
    int64_t id = 0;
    const char *why = reason_of(whole);
    if (whole->kind == FH_WHOLE_ASSET) {
        fh_exam_record(&asset, &replay, &hound->exam);
        (void)fh_tell_asset_to(hound, &id, &asset, &hound->exam);
    } else {
        fh_hound_note(hound, FRAMEHOUND_NO_ASSET, why);
    }
    tell_findings(hound);
    if (fh_exam_hit_limit(&hound->exam)) {
        why = "a limit stopped the work; findings say where";
        fh_hound_note(hound, FRAMEHOUND_LIMIT, why);
    }
    const bool is_whole = whole->kind != FH_WHOLE_TOO_LONG;
    const bool has_hash = is_whole && fh_hash_bytes(sha256, bytes.base, bytes.size);
    if (is_whole && !has_hash) {
        fh_hound_note(hound, FRAMEHOUND_NO_MEMORY, "");
        return;
    }
    const fh_source_record source = {.path = hound->source,
                                     .kind = "file",
                                     .layout = "plain",
                                     .status =
                                         fh_exam_hit_limit(&hound->exam) ? "limit" : "complete",
                                     .size = size,
                                     .sha256 = has_hash ? sha256 : NULL};
    (void)fh_tell_source_to(hound, &source, why);
}

/* path NULL: without a name. bytes are the first of the file if it is too long. */
static void check(framehound *hound, const char *path, fh_cursor bytes, bool is_too_long,
                  int64_t size)
{
    const fh_format_choice choice = {hound->formats, hound->num_formats};
    fh_exam_options options = {.stand_alone = true,
                               .aligned = true,
                               .replay = (hound->flags & FRAMEHOUND_NO_REPLAY) == 0,
                               .profile = hound->profile[0] == '\0' ? NULL : hound->profile};
    fh_cursor companion;
    const fh_whole whole = fh_whole_look(&hound->exam, path, bytes, is_too_long, &choice);
    if (whole.kind == FH_WHOLE_ASSET) {
        options.companion = find_companion(hound, &companion, whole.format);
    }
    if (fh_hound_stop(hound)) {
        return;
    }
    if (!fh_whole_run(&hound->exam, &whole, bytes, &options)) {
        fh_hound_note(hound, FRAMEHOUND_NO_MEMORY, "");
        return;
    }
    tell_all(hound, &whole, bytes, size);
}

static void tell_unreadable(framehound *hound, const char *why)
{
    const fh_source_record source = {.path = hound->source,
                                     .kind = "file",
                                     .layout = "plain",
                                     .status = "unreadable",
                                     .size = FH_UNKNOWN};
    fh_hound_note(hound, FRAMEHOUND_UNREADABLE, why);
    (void)fh_tell_source_to(hound, &source, why);
}

framehound_status framehound_check_file(framehound *hound, const char *path,
                                        const framehound_sink *sink)
{
    if (path == NULL) {
        return fh_hound_refuse(hound, "there is no path");
    }
    const framehound_status begun = fh_hound_begin(hound, sink);
    if (begun != FRAMEHOUND_OK) {
        return begun;
    }
    const fh_stop stop = {fh_hound_stop, hound};
    hound->source = path;
    const fh_load_status status = fh_file_load(&hound->file, path, &stop);
    const fh_cursor bytes = fh_file_cursor(&hound->file);
    if (status == FH_LOAD_OK || status == FH_LOAD_TOO_LONG) {
        const bool is_too_long = status == FH_LOAD_TOO_LONG;
        check(hound, path, bytes, is_too_long, is_too_long ? FH_UNKNOWN : (int64_t)bytes.size);
    } else if (status == FH_LOAD_ERROR) {
        tell_unreadable(hound, hound->file.error);
    } else if (status == FH_LOAD_NO_MEMORY) {
        fh_hound_note(hound, FRAMEHOUND_NO_MEMORY, "");
    }
    return fh_hound_end(hound);
}

framehound_status framehound_check_bytes(framehound *hound, const char *path, const void *bytes,
                                         size_t len, const framehound_sink *sink)
{
    if ((bytes == NULL && len > 0) || len > INT64_MAX) {
        return fh_hound_refuse(hound, "there are no such bytes");
    }
    const framehound_status begun = fh_hound_begin(hound, sink);
    if (begun != FRAMEHOUND_OK) {
        return begun;
    }
    const bool is_too_long = len > FH_MAX_ASSET_LEN;
    hound->source = path == NULL ? "-" : path;
    check(hound, path, fh_cursor_make(bytes, is_too_long ? FH_MAX_ASSET_LEN : len, 0), is_too_long,
          (int64_t)len);
    return fh_hound_end(hound);
}
