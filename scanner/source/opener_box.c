/* Containers, entered and walked through; the bytes of members are counted as they come. */
#include "source/opener_impl.h"

#include "source/container.h"
#include "source/limits.h"
#include "source/spool.h"

#include <stdlib.h>
#include <string.h>

/* ---- what comes out of a member, counted ----------------------------------------------------- */

static fh_tape_status limit(fh_opener_level *member, const char *field, const char *found,
                            int64_t expected)
{
    char most[40];
    fh_text text = fh_text_make(most, sizeof most);
    fh_text_str(fh_text_s64(fh_text_str(&text, "at most "), expected), " bytes");
    fh_fault(&member->faults, FH_IMG0042, member->produced, field, found, most);
    member->hit_limit = true;
    member->reader.tape.hit_limit = true;
    return fh_tape_break(&member->reader.tape, "a limit was met");
}

/* What the file at the bottom has been read of, whatever the levels between do with it. What its
 * reader holds and has not handed out was needed to get here, and counts; what it has handed out
 * may still lie in the block, and counts once. */
static int64_t bytes_of_file(const fh_opener *all)
{
    const fh_opener_level *file = all->levels[0];
    const fh_tape *tape = &file->reader.tape;
    const bool seeks = file->kind != NULL && file->kind->seeks;
    return seeks && tape->size != FH_UNKNOWN ? tape->size : fh_reader_held(&file->reader);
}

static fh_tape_status count(fh_opener_level *member, size_t len)
{
    fh_opener *all = member->all;
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

static fh_tape_status check_length(fh_opener_level *member)
{
    if (member->announced != FH_UNKNOWN && member->announced != member->produced) {
        fh_fault_sizes(&member->faults, FH_IMG0046, member->produced, "length of the member",
                       member->produced, member->announced);
    }
    return FH_TAPE_END;
}

static fh_tape_status read_member(fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    fh_opener_level *member = tape->self;
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

/* ---- going in -------------------------------------------------------------------------------- */

static void undecoded(fh_opener_level *top, fh_image_rule rule, const char *found,
                      const char *expected)
{
    fh_fault(&top->faults, rule, 0, top->kind->name, found, expected);
    fh_opener_fall_back(top);
}

/* false: it cannot be made to, and the level is gone. */
static bool make_seekable(fh_opener_level *top)
{
    fh_opener *all = top->all;
    if (top->reader.tape.seek != NULL) {
        return true;
    }
    if (!fh_spool(&top->reader, &top->spooled, FH_BOX_MAX_SPOOL - all->spooled)) {
        fh_opener_end(all, FH_OPENER_STOPPED);
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

static void open_box(fh_opener_level *top)
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
        fh_opener_fall_back(top);
        break;
    case FH_BOX_STOPPED:
        fh_opener_end(top->all, FH_OPENER_STOPPED);
        break;
    case FH_BOX_NO_MEMORY:
        fh_opener_end(top->all, FH_OPENER_NO_MEMORY);
        break;
    }
}

void fh_opener_enter(fh_opener_level *top)
{
    const fh_opener *all = top->all;
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

bool fh_opener_merge(fh_opener_level *top)
{
    if (!top->kind->bundles || top->outer == NULL || !top->outer->kind->wraps) {
        return true;
    }
    char *path = strdup(top->outer->path);
    if (path == NULL) {
        fh_opener_end(top->all, FH_OPENER_NO_MEMORY);
        return false;
    }
    free(top->path);
    top->path = path;
    top->is_merged = true;
    return true;
}

const fh_box_kind *fh_opener_kind_of(const fh_opener_level *top, const fh_cursor *window)
{
    const bool is_exact = top->all->options->only != NULL && fh_opener_is_the_one(top);
    if (top->all->options->as_it_lies || is_exact || top->reader.tape.content != FH_CONTENT_ANY) {
        return NULL;
    }
    const fh_box_kind *kind = fh_container_of(window);
    const bool is_wrapped = top->outer != NULL && top->outer->kind->wraps;
    return kind == NULL || (kind->lies_plain && !is_wrapped) ? NULL : kind;
}

/* ---- members --------------------------------------------------------------------------------- */

/* No further member is to be had. */
static void close_box(fh_opener_level *top)
{
    top->is_broken = top->is_broken || top->faults.rules[FH_IMG0041].count > 0;
    if (top->is_broken && top->yielded < FH_BOX_MIN_YIELD && !top->all->is_spent) {
        fh_opener_fall_back(top);
    } else {
        fh_opener_finish(top);
    }
}

static char *path_of_member(fh_opener_level *top, const fh_member *member)
{
    return member->name == NULL && top->kind->wraps
               ? fh_names_wrapped(top->path, top->kind->suffix)
               : fh_names_path(&top->names, top->path, member->name, top->num_seen);
}

static bool read_member_anywhere(fh_tape *tape, int64_t off, uint8_t *to, size_t len)
{
    fh_opener_level *member = tape->self;
    fh_box *box = &member->outer->box;
    return box->read_any(box, off, to, len);
}

static void enter_member(fh_opener_level *top, const fh_member *member, char *path)
{
    fh_opener *all = top->all;
    fh_opener_level *inner = fh_opener_push(all, top, path);
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
        fh_opener_end(all, FH_OPENER_NO_MEMORY);
    }
}

static void leave_out(fh_opener_level *top, const fh_member *member, const char *path)
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

static void take_member(fh_opener_level *top, const fh_member *member)
{
    fh_opener *all = top->all;
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
        fh_opener_end(all, FH_OPENER_NO_MEMORY);
    } else if (!member->is_bytes || member->is_encrypted) {
        leave_out(top, member, path);
        free(path);
    } else if (top->kind->wraps || fh_opener_wants(all, path)) {
        enter_member(top, member, path);
    } else {
        free(path);
    }
}

void fh_opener_next_member(fh_opener_level *top)
{
    fh_opener *all = top->all;
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
        fh_opener_end(all, FH_OPENER_STOPPED);
        break;
    case FH_BOX_NO_MEMORY:
        fh_opener_end(all, FH_OPENER_NO_MEMORY);
        break;
    }
}
