#include "source/opener.h"

#include "source/limits.h"
#include "source/opener_impl.h"

#include <stdlib.h>
#include <string.h>

static void look(fh_opener_level *top)
{
    fh_opener *all = top->all;
    const fh_cursor window = fh_reader_peek(&top->reader);
    if (window.size == 0 && top->ended == FH_TAPE_ERROR && !top->hit_limit && top->outer != NULL) {
        top->is_merged = true; /* nothing that could be searched: its faults are the container's */
        fh_opener_pop(all);
        return;
    }
    if (top->is_image) {
        fh_opener_search(top);
        return;
    }
    if (fh_opener_enter_sheet(top, &window) || all->is_over) {
        return;
    }
    top->kind = fh_opener_kind_of(top, &window);
    if (top->kind == NULL) {
        fh_opener_look_behind(top);
        fh_opener_search(top);
    } else if (fh_opener_merge(top)) {
        fh_opener_enter(top);
    }
}

static fh_opener_status open_tape(fh_opener *all, const char *path, fh_tape tape)
{
    fh_opener_level *file = fh_opener_push(all, NULL, strdup(path));
    if (file == NULL) {
        fh_tape_close(&tape);
        return FH_OPENER_NO_MEMORY;
    }
    tape.faults = &file->faults;
    return fh_reader_open_tape(&file->reader, &tape, &all->options->stop) == FH_READER_OK
               ? FH_OPENER_OK
               : FH_OPENER_NO_MEMORY;
}

static fh_opener_status open_file(fh_opener *all, const char *path)
{
    fh_tape tape;
    const fh_tape_status status = fh_tape_open_path(&tape, path, &all->options->stop);
    if (status != FH_TAPE_OK) {
        fh_text text = fh_text_make(all->result->error_text, sizeof all->result->error_text);
        fh_text_str(&text, tape.error_text);
        fh_tape_close(&tape);
        return status == FH_TAPE_STOPPED ? FH_OPENER_STOPPED : FH_OPENER_ERROR;
    }
    return open_tape(all, path, tape);
}

static fh_opener_status walk_all(fh_opener *all, fh_opener_status opened)
{
    if (opened != FH_OPENER_OK) {
        fh_opener_end(all, opened);
    }
    while (all->depth > 0 && !all->is_over) {
        fh_opener_level *top = all->levels[all->depth - 1];
        if (top->run != NULL) {
            fh_opener_next_image(top);
        } else if (top->kind == NULL) {
            look(top);
        } else {
            fh_opener_next_member(top);
        }
    }
    while (all->depth > 0) {
        fh_opener_pop(all);
    }
    const fh_opener_options *options = all->options;
    const bool has_missed = options->only != NULL && all->num_found < options->num_only;
    /* What was not read may well be what was to be met, and what held it. */
    return all->status == FH_OPENER_OK && has_missed && fh_stop_now(&options->stop)
               ? FH_OPENER_STOPPED
               : all->status;
}

fh_opener_status fh_open_all(fh_opener_result *result, const char *path,
                             const fh_opener_options *options, const fh_opener_sink *sink)
{
    fh_opener all = {.options = options,
                     .sink = sink,
                     .result = result,
                     .is_path = strcmp(path, "-") != 0,
                     .again = {FH_KEEP_MAX_PASSES}};
    *result = (fh_opener_result){0};
    return walk_all(&all, open_file(&all, path));
}

fh_opener_status fh_open_tape(fh_opener_result *result, const char *path, const fh_tape *tape,
                              const fh_opener_options *options, const fh_opener_sink *sink)
{
    fh_opener all = {.options = options, .sink = sink, .result = result};
    *result = (fh_opener_result){0};
    return walk_all(&all, open_tape(&all, path, *tape));
}

fh_opener_status fh_open_one(fh_opener_result *result, const char *path, const fh_stop *stop,
                             const fh_opener_sink *sink)
{
    const fh_opener_options options = {.only = &path, .num_only = 1, .stop = *stop};
    fh_opener_status status = fh_open_all(result, path, &options, sink);
    const char *mark = strstr(path, FH_MEMBER_MARK);
    fh_opener_result of_part = {0};
    /* Files may be called so as well: the shortest part of the path that can be opened. */
    while (status == FH_OPENER_ERROR && mark != NULL) {
        char *file = strndup(path, (size_t)(mark - path));
        if (file == NULL) {
            return FH_OPENER_NO_MEMORY;
        }
        status = fh_open_all(&of_part, file, &options, sink);
        free(file);
        result->drift = of_part.drift;
        mark = strstr(mark + 1, FH_MEMBER_MARK);
    }
    return status == FH_OPENER_ENDED ? FH_OPENER_OK : status;
}
