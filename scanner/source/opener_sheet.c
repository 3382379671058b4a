/* Control files of disc images, and the image files that they name. */
#include "source/opener_impl.h"

#include "source/raw_file.h"
#include "source/sheet_cdi.h"
#include "source/sheet_nrg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void add_fault_path(fh_tallies *faults, fh_image_rule rule, const char *path,
                           const char *why)
{
    fh_tally *tally = fh_tally_add(faults, rule, FH_UNKNOWN, "image file");
    if (tally != NULL) {
        tally->unit = "files";
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(fh_text_str(fh_text_str(&text, path), ": "), why);
    }
}

bool fh_opener_enter_sheet(fh_opener_level *top, const fh_cursor *window)
{
    fh_opener *all = top->all;
    const bool is_file = top->outer == NULL && all->is_path;
    const fh_sheet_kind kind = !all->options->as_it_lies && all->options->only == NULL
                                   ? fh_sheet_kind_of(window)
                                   : FH_SHEET_NONE;
    if (kind != FH_SHEET_NONE && !is_file) {
        fh_fault(&top->faults, FH_IMG0092, 0, "control file", fh_sheet_kind_name(kind), "");
    }
    if (kind == FH_SHEET_NONE || !is_file) {
        return false;
    }
    const int64_t size = fh_reader_size(&top->reader);
    fh_opener_sheet *run = calloc(1, sizeof *run);
    if (run == NULL ||
        !fh_sheet_read(&run->sheet, kind, window,
                       size != FH_UNKNOWN && size > (int64_t)window->size, &top->faults)) {
        free(run);
        fh_opener_end(all, FH_OPENER_NO_MEMORY);
        return false;
    }
    run->walk = fh_sheet_walk_make(top->path, run->sheet, &top->faults);
    top->run = run;
    return true;
}

static void open_image(fh_opener_level *top)
{
    fh_opener *all = top->all;
    fh_tape tape;
    const fh_tape_status status =
        fh_tape_open_path(&tape, top->run->image.path, &all->options->stop);
    if (status != FH_TAPE_OK) {
        add_fault_path(&top->faults, FH_IMG0021, top->run->image.path, tape.error_text);
        top->run->walk.num_lost++;
        fh_tape_close(&tape);
        if (status == FH_TAPE_STOPPED) {
            fh_opener_end(all, FH_OPENER_STOPPED);
        }
        return;
    }
    fh_opener_level *image = fh_opener_push(all, top, strdup(top->run->image.path));
    if (image == NULL) {
        fh_tape_close(&tape);
        return;
    }
    tape.faults = &image->faults;
    image->is_image = true;
    if (fh_reader_open_tape(&image->reader, &tape, &all->options->stop) != FH_READER_OK) {
        fh_opener_end(all, FH_OPENER_NO_MEMORY);
    }
    image->reader.tracks = &top->run->image.tracks;
}

void fh_opener_next_image(fh_opener_level *top)
{
    const fh_opener_options *options = top->all->options;
    fh_opener_sheet *run = top->run;
    if (!fh_sheet_next(&run->walk, &run->image)) {
        fh_opener_finish(top);
        return;
    }
    fh_sheet_audit(&run->walk, &run->image);
    if (options->wants_image != NULL &&
        !options->wants_image(options->wants_user, run->image.path)) {
        add_fault_path(&top->faults, FH_IMG0090, run->image.path, "not read here");
    } else {
        open_image(top);
    }
}

void fh_opener_look_behind(fh_opener_level *top)
{
    fh_raw_file file;
    const bool is_file = top->outer == NULL && top->all->is_path;
    if (!is_file || !fh_tape_is_file(&top->reader.tape) || top->all->options->as_it_lies ||
        top->all->options->only != NULL) {
        return;
    }
    int error = 0;
    if (fh_raw_file_open(&file, top->path, 0)) {
        error = fh_nrg_read(&top->own, &file, &top->faults);
        if (error == 0 && top->own == NULL) {
            error = fh_cdi_read(&top->own, &file, &top->faults);
        }
        fh_raw_file_close(&file);
    } else {
        error = errno;
    }
    if (error != 0) { /* without it tracks would be guessed, and nobody told */
        fh_reader_break(&top->reader, error);
    }
    if (top->own != NULL) {
        top->own_tracks = fh_sheet_tracks(top->own, 0);
        top->reader.tracks = &top->own_tracks;
    }
}
