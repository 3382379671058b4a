#include "hunt/naming.h"

#include <errno.h>
#include <unistd.h>

static bool read_tape(void *user, int64_t off, uint8_t *out, size_t len)
{
    fh_tape *tape = user;
    return tape->read_any(tape, off, out, len);
}

bool fh_naming_open(fh_naming *naming, const char *path, const fh_layout *layout, fh_reader *reader,
                    int64_t consumed)
{
    const int64_t size = fh_reader_size(reader);
    fh_tape *tape = &reader->tape;
    *naming = (fh_naming){.raw = {.fd = -1}};
    if (tape->read_any != NULL) {
        naming->is_open = true;
        return fh_files_open(&naming->files, layout, tape->any_size, read_tape, tape);
    }
    if (size == FH_UNKNOWN || !fh_raw_file_open(&naming->raw, path, consumed)) {
        /* What lies only in the files of a disc would be missing, and nobody told. */
        if (size != FH_UNKNOWN && tape->fd > STDIN_FILENO && fh_tape_is_file(tape)) {
            fh_reader_break(reader, errno);
        }
        naming->keeps = true;
        fh_keep_begin(&naming->keep, layout);
        return true;
    }
    naming->is_open = true;
    return fh_files_open(&naming->files, layout, size, fh_raw_file_read, &naming->raw);
}

void fh_naming_close(fh_naming *naming)
{
    if (naming->is_open) {
        fh_files_close(&naming->files);
        fh_raw_file_close(&naming->raw);
    }
    fh_keep_free(&naming->keep);
    naming->is_open = false;
}

fh_keep_status fh_naming_finish(fh_naming *naming, const char *path, fh_reader *reader,
                                const fh_stop *stop)
{
    const fh_keep_status status =
        fh_keep_open(&naming->keep, &naming->files, reader->size_read, path, reader->again, stop);
    naming->is_open = status == FH_KEEP_OK;
    if (naming->is_open) {
        fh_keep_audit(&naming->keep, &naming->files);
    }
    return status;
}

static fh_finding own_finding(fh_image_rule rule, const char *field, int64_t offset)
{
    return (fh_finding){.rule = &fh_image_rules.rules[rule],
                        .field = field,
                        .offset = offset,
                        .frame = FH_UNKNOWN,
                        .frame_number = FH_UNKNOWN,
                        .object = FH_UNKNOWN};
}

static void add_outside(const fh_naming *naming, fh_exam *exam, const fh_files_place *place)
{
    char path[FH_ISO_MAX_PATH];
    fh_finding finding = own_finding(FH_IMG0035, "place", 0);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    fh_text_s64(fh_text_str(&text, "LBA "), place->block);
    if (place->behind != FH_ISO_NO_FILE) {
        fh_iso_path(path, &naming->files.iso.primary, place->behind);
        fh_text_str(fh_text_str(&text, ", behind the end of "), path);
    }
    fh_exam_add(exam, &finding);
}

static void add_crossing(const fh_naming *naming, fh_exam *exam, const fh_files_place *place,
                         const char *path)
{
    const fh_iso_file *file = &naming->files.iso.primary.files[place->file];
    fh_finding finding = own_finding(FH_IMG0036, "end of the file", 0);
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    if (place->offset != FH_UNKNOWN && place->offset < (int64_t)file->size) {
        finding.offset = (int64_t)file->size - place->offset;
        fh_text_hex(fh_text_str(&text, "at +"), file->size, 1);
        fh_text_str(&text, " of ");
    }
    fh_text_str(&text, path);
    fh_exam_add(exam, &finding);
}

void fh_name_asset(fh_naming *naming, fh_asset_name *out, fh_exam *exam, int64_t first_raw,
                   int64_t last_raw)
{
    out->path[0] = '\0';
    out->offset = FH_UNKNOWN;
    if (!naming->is_open || !naming->files.iso.has_volume) {
        return;
    }
    fh_files_place place;
    fh_files_at(&naming->files, &place, first_raw);
    if (place.file != FH_ISO_NO_FILE) {
        fh_iso_path(out->path, &naming->files.iso.primary, place.file);
        out->offset = place.offset;
        if (!fh_files_has(&naming->files, &place, last_raw)) {
            add_crossing(naming, exam, &place, out->path);
        }
    } else if (place.is_data && place.block != FH_UNKNOWN && !naming->files.iso.primary.is_cut) {
        add_outside(naming, exam, &place);
    }
}

void fh_name_in_file(fh_naming *naming, fh_asset_name *out, size_t file, int64_t stream_off,
                     int64_t first_raw)
{
    fh_files_place place;
    fh_iso_path(out->path, &naming->files.iso.primary, file);
    fh_files_at(&naming->files, &place, first_raw);
    out->offset = place.file == file && place.offset != FH_UNKNOWN ? place.offset
                                                                   : stream_off - naming->file_off;
}
