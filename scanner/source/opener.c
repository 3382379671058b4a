#include "source/opener.h"

#include "source/container.h"
#include "source/limits.h"
#include "source/names.h"
#include "source/raw_file.h"
#include "source/sheet_files.h"
#include "source/sheet_nrg.h"
#include "source/spool.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct opener opener;

/* A control file that is being walked through. */
typedef struct sheet_run {
    fh_sheet *sheet; /* owned */
    fh_sheet_walk walk;
    fh_sheet_image image; /* the one that is open, or was */
} sheet_run;

/* A run of bytes that is being read: the file, a member, a member of a member ... */
typedef struct level {
    opener *all;
    struct level *outer; /* whose member it is; NULL: the file */
    char *path;          /* owned */
    fh_reader reader;
    fh_tallies faults;
    const fh_box_kind *kind; /* NULL: not looked at yet, or: */
    sheet_run *run;          /* owned; of a control file */
    bool is_image;           /* of a control file, not to be looked into */
    fh_sheet *own;           /* owned; control data in the file itself, or NULL */
    fh_tracks own_tracks;    /* in it */
    fh_box box;
    fh_names names;
    int64_t num_seen; /* members of all sorts */
    int64_t yielded;  /* bytes of its members */
    bool is_broken;   /* it, or one of them */
    bool is_merged;   /* has its container's path and is told as part of it */
    bool hit_limit;
    size_t spooled;

    /* Of the member that this level is. */
    int64_t announced; /* bytes, or FH_UNKNOWN */
    int64_t produced;
    fh_tape_status ended; /* sticky */
} level;

struct opener {
    const fh_opener_options *options;
    const fh_opener_sink *sink;
    fh_opener_result *result;
    level *levels[FH_BOX_MAX_DEPTH];
    size_t depth;
    int64_t produced; /* by all members */
    int64_t num_members;
    size_t spooled;
    size_t num_found; /* of those that are wanted */
    bool is_path;     /* what is opened is a file that can be opened again, and has others beside */
    bool is_spent;    /* a limit that holds for all levels was met */
    fh_again again;
    bool is_over;
    fh_opener_status status;
};

static void end(opener *all, fh_opener_status status)
{
    all->is_over = true;
    all->status = status;
}

static void ask_to_go_on(opener *all, bool go_on)
{
    if (!go_on) {
        end(all, FH_OPENER_ENDED);
    }
}

/* ---- what comes out of a member, counted ----------------------------------------------------- */

static fh_tape_status limit(level *member, const char *field, const char *found, int64_t expected)
{
    char most[40];
    fh_text text = fh_text_make(most, sizeof most);
    fh_text_str(fh_text_s64(fh_text_str(&text, "at most "), expected), " bytes");
    fh_fault(&member->faults, FH_IMG0042, member->produced, field, found, most);
    member->hit_limit = true;
    member->reader.tape.hit_limit = true;
    return fh_tape_break(&member->reader.tape, "a limit was met");
}

/* What the file at the bottom has been read of, whatever the levels between do with it. A reader
 * that is behind its tape has not used the rest, but it was needed to get here. */
static int64_t bytes_of_file(const opener *all)
{
    const level *file = all->levels[0];
    const fh_tape *tape = &file->reader.tape;
    const bool seeks = file->kind != NULL && file->kind->seeks;
    return seeks && tape->size != FH_UNKNOWN
               ? tape->size
               : file->reader.size_read + (int64_t)file->reader.block_len;
}

static fh_tape_status count(level *member, size_t len)
{
    opener *all = member->all;
    const int64_t read = bytes_of_file(all);
    const int64_t most = read < (INT64_MAX - FH_BOX_FREE_BYTES) / FH_BOX_MAX_RATIO
                             ? FH_BOX_FREE_BYTES + FH_BOX_MAX_RATIO * read
                             : INT64_MAX;
    member->produced += (int64_t)len;
    all->produced += (int64_t)len;
    if (all->produced > most) {
        all->is_spent = true;
        return limit(member, "bytes unpacked from the file",
                     "more, and the file is read no further", most);
    }
    if (member->produced > FH_BOX_MAX_MEMBER) {
        return limit(member, "bytes of the member", "more", FH_BOX_MAX_MEMBER);
    }
    return FH_TAPE_OK;
}

static fh_tape_status check_length(level *member)
{
    if (member->announced != FH_UNKNOWN && member->announced != member->produced) {
        fh_fault_sizes(&member->faults, FH_IMG0046, member->produced, "length of the member",
                       member->produced, member->announced);
    }
    return FH_TAPE_END;
}

static fh_tape_status read_member(fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    level *member = tape->self;
    fh_box *box = &member->outer->box;
    size_t got = 0;
    if (member->ended != FH_TAPE_OK) {
        return member->ended;
    }
    fh_tape_status status = box->read(box, tape, &got, to, max);
    if (status == FH_TAPE_OK) {
        status = count(member, got);
    } else if (status == FH_TAPE_END) {
        status = check_length(member);
    }
    if (status == FH_TAPE_OK) {
        *len = got;
    } else if (status != FH_TAPE_AGAIN) {
        member->ended = status;
    }
    return status;
}

/* ---- levels ---------------------------------------------------------------------------------- */

static level *new_level(opener *all, level *outer, char *path)
{
    level *made = path == NULL ? NULL : calloc(1, sizeof *made);
    if (made == NULL) {
        free(path);
        end(all, FH_OPENER_NO_MEMORY);
        return NULL;
    }
    made->all = all;
    made->outer = outer;
    made->path = path;
    all->levels[all->depth++] = made;
    return made;
}

static void pop(opener *all)
{
    level *top = all->levels[--all->depth];
    all->levels[all->depth] = NULL;
    if (top->box.close != NULL) {
        top->box.close(&top->box);
    }
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

/* Compares a wanted path with `path` followed by `rest`. */
static int compare_path(const char *wanted, const char *path, const char *rest)
{
    const size_t len = strlen(path);
    const int order = strncmp(wanted, path, len);
    return order != 0 ? order : strcmp(wanted + len, rest);
}

/* The first of the wanted paths that is not before `path` followed by `rest`; NULL: none. */
static const char *first_wanted(const fh_opener_options *options, const char *path,
                                const char *rest)
{
    size_t first = 0;
    size_t end_at = options->num_only;
    while (first < end_at) {
        const size_t middle = first + (end_at - first) / 2;
        if (compare_path(options->only[middle], path, rest) < 0) {
            first = middle + 1;
        } else {
            end_at = middle;
        }
    }
    return first < options->num_only ? options->only[first] : NULL;
}

static bool is_one_wanted(const fh_opener_options *options, const char *path)
{
    const char *found = first_wanted(options, path, "");
    return found != NULL && strcmp(found, path) == 0;
}

static bool is_wanted(const opener *all, const char *path)
{
    if (all->options->only == NULL || is_one_wanted(all->options, path)) {
        return true;
    }
    const size_t len = strlen(path);
    const char *inner = first_wanted(all->options, path, FH_MEMBER_MARK);
    return inner != NULL && strncmp(inner, path, len) == 0 &&
           strncmp(inner + len, FH_MEMBER_MARK, strlen(FH_MEMBER_MARK)) == 0;
}

static bool is_the_one(const level *top)
{
    const fh_opener_options *options = top->all->options;
    return options->only == NULL || (!top->is_merged && is_one_wanted(options, top->path));
}

/* Pipes and devices may yield other bytes the second time, or none. */
static bool is_lasting(const opener *all)
{
    return all->is_path && all->levels[0]->reader.tape.seek != NULL;
}

static void search(level *top)
{
    opener *all = top->all;
    if (is_the_one(top)) {
        top->reader.again = is_lasting(all) ? &all->again : NULL;
        const bool go_on = all->sink->source(all->sink->user, top->path, &top->reader);
        all->num_found++;
        ask_to_go_on(
            all, go_on && (all->options->only == NULL || all->num_found < all->options->num_only));
    }
    if (!all->is_over) {
        pop(all);
    }
}

/* Reads what is left of a container, for its hash; false: not all of it was to be had. */
static bool drain(level *top)
{
    opener *all = top->all;
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
        end(all, FH_OPENER_STOPPED);
    }
    return status == FH_READER_END;
}

/* A limit that stops all levels is told by each: none of them was seen to its end. */
static void tell_spent(level *top)
{
    if (top->all->is_spent && top->faults.rules[FH_IMG0042].count == 0) {
        fh_fault(&top->faults, FH_IMG0042, top->reader.size_read, "members",
                 "the rest is not looked at", "");
    }
    top->hit_limit = top->hit_limit || top->all->is_spent;
}

static void finish(level *top)
{
    opener *all = top->all;
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
        pop(all);
    }
}

/* An archive that was told as part of what wraps it becomes a source of its own. */
static bool stand_alone(level *top)
{
    if (top->is_merged) {
        char *path = fh_names_wrapped(top->outer->path, top->outer->kind->suffix);
        if (path == NULL) {
            return false;
        }
        free(top->path);
        top->path = path;
        top->is_merged = false;
    }
    return true;
}

/* Little or nothing came out of it: its bytes are searched as they lie, if they can be had again.
 */
static void fall_back(level *top)
{
    if (top->box.close != NULL) {
        top->box.close(&top->box);
        top->box.close = NULL;
    }
    if (!fh_reader_restart(&top->reader)) {
        finish(top);
    } else if (stand_alone(top)) {
        search(top);
    } else {
        end(top->all, FH_OPENER_NO_MEMORY);
    }
}

/* No further member is to be had. */
static void close_box(level *top)
{
    top->is_broken = top->is_broken || top->faults.rules[FH_IMG0041].count > 0;
    if (top->is_broken && top->yielded < FH_BOX_MIN_YIELD && !top->all->is_spent) {
        fall_back(top);
    } else {
        finish(top);
    }
}

static void undecoded(level *top, fh_image_rule rule, const char *found, const char *expected)
{
    fh_fault(&top->faults, rule, 0, top->kind->name, found, expected);
    fall_back(top);
}

/* ---- going in -------------------------------------------------------------------------------- */

/* false: it cannot be made to, and the level is gone. */
static bool make_seekable(level *top)
{
    opener *all = top->all;
    if (top->reader.tape.seek != NULL) {
        return true;
    }
    if (!fh_spool(&top->reader, &top->spooled, FH_BOX_MAX_SPOOL - all->spooled)) {
        end(all, FH_OPENER_STOPPED);
        return false;
    }
    all->spooled += top->spooled;
    if (top->reader.tape.seek == NULL) {
        undecoded(top, FH_IMG0040,
                  "must be read from its end, and lies in what is only read forwards",
                  "a file of its own");
        return false;
    }
    return true;
}

static void open_box(level *top)
{
    top->box.kind = top->kind;
    top->box.from = &top->reader;
    top->box.faults = &top->faults;
    switch (top->kind->open(&top->box)) {
    case FH_BOX_OK:
    case FH_BOX_END:
        break;
    case FH_BOX_BROKEN:
    case FH_BOX_OTHER:
        fall_back(top);
        break;
    case FH_BOX_STOPPED:
        end(top->all, FH_OPENER_STOPPED);
        break;
    case FH_BOX_NO_MEMORY:
        end(top->all, FH_OPENER_NO_MEMORY);
        break;
    }
}

static void enter(level *top)
{
    const opener *all = top->all;
    if (top->kind->open == NULL) {
        undecoded(top, top->kind->is_left_out ? FH_IMG0047 : FH_IMG0040,
                  top->kind->is_left_out ? "this program was built without the library for it"
                                         : "no decoder",
                  "");
    } else if (all->depth == FH_BOX_MAX_DEPTH) {
        char most[40];
        fh_text text = fh_text_make(most, sizeof most);
        fh_text_s64(fh_text_str(&text, "at most "), FH_BOX_MAX_DEPTH - 1);
        top->reader.tape.hit_limit = true;
        top->hit_limit = true;
        undecoded(top, FH_IMG0042, "one more container in the others", most);
    } else if (!top->kind->seeks || make_seekable(top)) {
        open_box(top);
    }
}

/* An archive that is all there is in a compressed file is one container with it (.tar.gz). */
static bool merge(level *top)
{
    if (!top->kind->bundles || top->outer == NULL || !top->outer->kind->wraps) {
        return true;
    }
    char *path = strdup(top->outer->path);
    if (path == NULL) {
        end(top->all, FH_OPENER_NO_MEMORY);
        return false;
    }
    free(top->path);
    top->path = path;
    top->is_merged = true;
    return true;
}

/* The container that a level is, NULL if none that would be entered. */
static const fh_box_kind *kind_of(const level *top, const fh_cursor *window)
{
    const bool is_exact = top->all->options->only != NULL && is_the_one(top);
    if (top->all->options->as_it_lies || is_exact || top->reader.tape.content != FH_CONTENT_ANY) {
        return NULL;
    }
    const fh_box_kind *kind = fh_container_of(window);
    const bool is_wrapped = top->outer != NULL && top->outer->kind->wraps;
    return kind == NULL || (kind->lies_plain && !is_wrapped) ? NULL : kind;
}

/* ---- control files --------------------------------------------------------------------------- */

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

/* Begins the walk through a control file; false: it is none, or there is no memory. */
static bool enter_sheet(level *top, const fh_cursor *window)
{
    opener *all = top->all;
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
    sheet_run *run = calloc(1, sizeof *run);
    if (run == NULL ||
        !fh_sheet_read(&run->sheet, kind, window,
                       size != FH_UNKNOWN && size > (int64_t)window->size, &top->faults)) {
        free(run);
        end(all, FH_OPENER_NO_MEMORY);
        return false;
    }
    run->walk = fh_sheet_walk_make(top->path, run->sheet, &top->faults);
    top->run = run;
    return true;
}

static void open_image(level *top)
{
    opener *all = top->all;
    fh_tape tape;
    const fh_tape_status status =
        fh_tape_open_path(&tape, top->run->image.path, &all->options->stop);
    if (status != FH_TAPE_OK) {
        add_fault_path(&top->faults, FH_IMG0021, top->run->image.path, tape.error_text);
        top->run->walk.num_lost++;
        fh_tape_close(&tape);
        if (status == FH_TAPE_STOPPED) {
            end(all, FH_OPENER_STOPPED);
        }
        return;
    }
    level *image = new_level(all, top, strdup(top->run->image.path));
    if (image == NULL) {
        fh_tape_close(&tape);
        return;
    }
    tape.faults = &image->faults;
    image->is_image = true;
    if (fh_reader_open_tape(&image->reader, &tape, &all->options->stop) != FH_READER_OK) {
        end(all, FH_OPENER_NO_MEMORY);
    }
    image->reader.tracks = &top->run->image.tracks;
}

static void next_image(level *top)
{
    const fh_opener_options *options = top->all->options;
    sheet_run *run = top->run;
    if (!fh_sheet_next(&run->walk, &run->image)) {
        finish(top);
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

/* An image with control data behind its sectors knows its tracks itself. Who wants one source knows
 * where in it to look. */
static void look_behind(level *top)
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

/* ---- looking --------------------------------------------------------------------------------- */

static void look(level *top)
{
    opener *all = top->all;
    const fh_cursor window = fh_reader_peek(&top->reader);
    if (window.size == 0 && top->ended == FH_TAPE_ERROR && !top->hit_limit && top->outer != NULL) {
        top->is_merged = true; /* nothing that could be searched: its faults are the container's */
        pop(all);
        return;
    }
    if (top->is_image) {
        search(top);
        return;
    }
    if (enter_sheet(top, &window) || all->is_over) {
        return;
    }
    top->kind = kind_of(top, &window);
    if (top->kind == NULL) {
        look_behind(top);
        search(top);
    } else if (merge(top)) {
        enter(top);
    }
}

/* ---- members --------------------------------------------------------------------------------- */

static char *path_of_member(level *top, const fh_member *member)
{
    return member->name == NULL && top->kind->wraps
               ? fh_names_wrapped(top->path, top->kind->suffix)
               : fh_names_path(&top->names, top->path, member->name, top->num_seen);
}

static bool read_member_anywhere(fh_tape *tape, int64_t off, uint8_t *to, size_t len)
{
    level *member = tape->self;
    fh_box *box = &member->outer->box;
    return box->read_any(box, off, to, len);
}

static void enter_member(level *top, const fh_member *member, char *path)
{
    opener *all = top->all;
    level *inner = new_level(all, top, path);
    if (inner == NULL) {
        return;
    }
    const bool can_seek = top->box.read_any != NULL && member->size != FH_UNKNOWN;
    const fh_tape tape = {.read = read_member,
                          .read_any = can_seek ? read_member_anywhere : NULL,
                          .any_size = can_seek ? member->size : 0,
                          .self = inner,
                          .fd = -1,
                          .size = FH_UNKNOWN, /* what is announced may be a lie */
                          .content = member->content,
                          .faults = &inner->faults};
    inner->announced = member->size;
    if (fh_reader_open_tape(&inner->reader, &tape, &all->options->stop) != FH_READER_OK) {
        end(all, FH_OPENER_NO_MEMORY);
    }
}

static void leave_out(level *top, const fh_member *member, const char *path)
{
    if (member->is_encrypted && member->is_bytes) {
        fh_tally *tally = fh_tally_add(&top->faults, FH_IMG0047, top->reader.size_read, "member");
        if (tally != NULL) {
            fh_text text = fh_text_make(tally->found, sizeof tally->found);
            fh_text_str(fh_text_str(&text, "encrypted: "), path + strlen(top->path) + 2);
            tally->unit = "members";
        }
    } else if (member->is_link) {
        top->all->result->num_left_out++;
    }
}

static void take_member(level *top, const fh_member *member)
{
    opener *all = top->all;
    top->num_seen++;
    if (++all->num_members > FH_BOX_MAX_MEMBERS) {
        char most[40];
        fh_text text = fh_text_make(most, sizeof most);
        fh_text_s64(fh_text_str(&text, "at most "), FH_BOX_MAX_MEMBERS);
        all->is_spent = true;
        fh_fault(&top->faults, FH_IMG0042, top->reader.size_read, "members", "more", most);
        return;
    }
    char *path = path_of_member(top, member);
    if (path == NULL) {
        end(all, FH_OPENER_NO_MEMORY);
    } else if (!member->is_bytes || member->is_encrypted) {
        leave_out(top, member, path);
        free(path);
    } else if (top->kind->wraps || is_wanted(all, path)) {
        enter_member(top, member, path);
    } else {
        free(path);
    }
}

static void next_member(level *top)
{
    opener *all = top->all;
    fh_member member = {.size = FH_UNKNOWN};
    const fh_box_status status = all->is_spent ? FH_BOX_END : top->box.next(&top->box, &member);
    switch (status) {
    case FH_BOX_OK:
        take_member(top, &member);
        break;
    case FH_BOX_BROKEN:
    case FH_BOX_OTHER:
    case FH_BOX_END:
        close_box(top);
        break;
    case FH_BOX_STOPPED:
        end(all, FH_OPENER_STOPPED);
        break;
    case FH_BOX_NO_MEMORY:
        end(all, FH_OPENER_NO_MEMORY);
        break;
    }
}

/* ---- the file -------------------------------------------------------------------------------- */

static fh_opener_status open_tape(opener *all, const char *path, fh_tape tape)
{
    level *file = new_level(all, NULL, strdup(path));
    if (file == NULL) {
        fh_tape_close(&tape);
        return FH_OPENER_NO_MEMORY;
    }
    tape.faults = &file->faults;
    return fh_reader_open_tape(&file->reader, &tape, &all->options->stop) == FH_READER_OK
               ? FH_OPENER_OK
               : FH_OPENER_NO_MEMORY;
}

static fh_opener_status open_file(opener *all, const char *path)
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

static fh_opener_status walk_all(opener *all, fh_opener_status opened)
{
    if (opened != FH_OPENER_OK) {
        end(all, opened);
    }
    while (all->depth > 0 && !all->is_over) {
        level *top = all->levels[all->depth - 1];
        if (top->run != NULL) {
            next_image(top);
        } else if (top->kind == NULL) {
            look(top);
        } else {
            next_member(top);
        }
    }
    while (all->depth > 0) {
        pop(all);
    }
    return all->status;
}

fh_opener_status fh_open_all(fh_opener_result *result, const char *path,
                             const fh_opener_options *options, const fh_opener_sink *sink)
{
    opener all = {.options = options,
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
    opener all = {.options = options, .sink = sink, .result = result};
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
        mark = strstr(mark + 1, FH_MEMBER_MARK);
    }
    return status == FH_OPENER_ENDED ? FH_OPENER_OK : status;
}
