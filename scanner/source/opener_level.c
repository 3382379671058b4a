/* Levels: how one begins, and how it ends: searched, told as a container, or as it lies. */
#include "source/opener_impl.h"

#include "source/spool.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void fh_opener_end(fh_opener *all, fh_opener_status status)
{
    all->is_over = true;
    all->status = status;
}

static void ask_to_go_on(fh_opener *all, bool go_on)
{
    if (!go_on) {
        fh_opener_end(all, FH_OPENER_ENDED);
    }
}

fh_opener_level *fh_opener_push(fh_opener *all, fh_opener_level *outer, char *path)
{
    fh_opener_level *made = path == NULL ? NULL : calloc(1, sizeof *made);
    if (made == NULL) {
        free(path);
        fh_opener_end(all, FH_OPENER_NO_MEMORY);
        return NULL;
    }
    made->all = all;
    made->outer = outer;
    made->path = path;
    all->levels[all->depth++] = made;
    return made;
}

void fh_opener_pop(fh_opener *all)
{
    fh_opener_level *top = all->levels[--all->depth];
    all->levels[all->depth] = NULL;
    if (top->box.close != NULL) {
        top->box.close(&top->box);
    }
    all->result->drift = fh_drift_worse(all->result->drift, fh_reader_drift(&top->reader));
    fh_reader_close(&top->reader);
    fh_names_free(&top->names);
    fh_sheet_close(top->own);
    if (top->run != NULL) {
        fh_sheet_close(top->run->sheet);
        free(top->run);
    }
    if (top->outer != NULL) {
        top->outer->yielded += top->produced;
        top->outer->is_broken = top->outer->is_broken || top->ended == FH_TAPE_ERROR;
    }
    if (top->is_merged) {
        assert(top->outer != NULL);
        fh_tallies_add(&top->outer->faults, &top->faults);
        top->outer->hit_limit = top->outer->hit_limit || top->hit_limit;
    }
    all->spooled -= top->spooled;
    free(top->path);
    free(top);
}

/* Pipes and devices may yield other bytes the second time, or none. */
static bool is_lasting(const fh_opener *all)
{
    return all->is_path && all->levels[0]->reader.tape.seek != NULL;
}

void fh_opener_search(fh_opener_level *top)
{
    fh_opener *all = top->all;
    if (fh_opener_is_the_one(top)) {
        top->reader.again = is_lasting(all) ? &all->again : NULL;
        const bool go_on = all->sink->source(all->sink->user, top->path, &top->reader);
        all->num_found++;
        ask_to_go_on(
            all, go_on && (all->options->only == NULL || all->num_found < all->options->num_only));
    }
    if (!all->is_over) {
        fh_opener_pop(all);
    }
}

/* Reads what is left of a container, for its hash; false: not all of it was to be had. */
static bool drain(fh_opener_level *top)
{
    fh_opener *all = top->all;
    const uint8_t *bytes = NULL;
    size_t len = 0;
    fh_reader_status status = FH_READER_OK;
    if (all->is_spent || top->reader.tape.hit_limit ||
        (top->kind != NULL && top->kind->seeks && !fh_reader_restart(&top->reader))) {
        return false;
    }
    while (status == FH_READER_OK) {
        status = fh_reader_next(&top->reader, &bytes, &len);
    }
    if (status == FH_READER_STOPPED) {
        fh_opener_end(all, FH_OPENER_STOPPED);
    }
    return status == FH_READER_END;
}

/* A limit that stops all levels is told by each: none of them was seen to its end. */
static void tell_spent(fh_opener_level *top)
{
    if (top->all->is_spent && top->faults.rules[FH_IMG0042].count == 0) {
        fh_fault(&top->faults, FH_IMG0042, top->reader.size_read, "members",
                 "the rest is not looked at", "");
    }
    top->hit_limit = top->hit_limit || top->all->is_spent;
}

void fh_opener_finish(fh_opener_level *top)
{
    fh_opener *all = top->all;
    tell_spent(top);
    const bool is_whole = all->options->only == NULL && drain(top);
    if (!all->is_over && !top->is_merged && all->sink->container != NULL) {
        const fh_container told = {.path = top->path,
                                   .is_sheet = top->run != NULL,
                                   .num_lost = top->run != NULL ? top->run->walk.num_lost : 0,
                                   .reader = &top->reader,
                                   .is_whole = is_whole,
                                   .hit_limit = top->hit_limit || top->reader.tape.hit_limit,
                                   .faults = &top->faults};
        ask_to_go_on(all, all->sink->container(all->sink->user, &told));
    }
    if (!all->is_over) {
        fh_opener_pop(all);
    }
}

/* The path of an archive in what wraps it. Its own members, as far as there were any, were told
 * there as well: it has none of their names. */
static char *path_of_wrapped(fh_opener_level *top)
{
    const char *box = top->outer->path;
    char *path = fh_names_wrapped(box, top->outer->kind->suffix);
    if (path == NULL || top->num_seen == 0) {
        return path;
    }
    const char *name = path + strlen(box) + sizeof FH_MEMBER_MARK - 1;
    char *own = fh_names_path(&top->names, box, name, top->num_seen + 1);
    free(path);
    return own;
}

/* An archive that was told as part of what wraps it becomes a source of its own. */
static bool stand_alone(fh_opener_level *top)
{
    if (top->is_merged) {
        char *path = path_of_wrapped(top);
        if (path == NULL) {
            return false;
        }
        free(top->path);
        top->path = path;
        top->is_merged = false;
    }
    return true;
}

void fh_opener_fall_back(fh_opener_level *top)
{
    if (top->box.close != NULL) {
        top->box.close(&top->box);
        top->box.close = NULL;
    }
    if (!fh_reader_restart(&top->reader)) {
        fh_opener_finish(top);
    } else if (stand_alone(top)) {
        fh_opener_search(top);
    } else {
        fh_opener_end(top->all, FH_OPENER_NO_MEMORY);
    }
}
