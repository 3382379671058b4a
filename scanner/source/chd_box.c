#include "source/chd_box.h"

#include "source/chd.h"

#include <errno.h>
#include <stdlib.h>

typedef struct chd_box {
    fh_chd *chd;
    fh_box *box;
    bool is_begun;
    bool is_stopped; /* by the user, while the file was read */
} chd_box;

bool fh_chd_box_is(const fh_cursor *window)
{
    return fh_chd_is(window->base, window->size);
}

/* Once the user has stopped it nothing more is read: the work ends soon, with what it has. */
static bool read_at(void *user, uint64_t off, uint8_t *out, size_t len)
{
    chd_box *self = user;
    if (self->is_stopped) {
        return false;
    }
    fh_tape_status status = fh_box_read_at(self->box, out, (int64_t)off, len);
    self->is_stopped = status == FH_TAPE_STOPPED;
    return status == FH_TAPE_OK;
}

static fh_box_status next(fh_box *box, fh_member *member)
{
    chd_box *self = box->self;
    if (self->is_begun) {
        return FH_BOX_END;
    }
    self->is_begun = true;
    *member = (fh_member){.is_bytes = true, .size = (int64_t)fh_chd_size(self->chd)};
    return FH_BOX_OK;
}

static fh_tape_status read_member(fh_box *box, fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    chd_box *self = box->self;
    fh_chd_tell_to(self->chd, tape->faults);
    fh_chd_status status = fh_chd_read(self->chd, to, max, len);
    if (self->is_stopped) {
        return FH_TAPE_STOPPED;
    }
    switch (status) {
    case FH_CHD_OK:
        return FH_TAPE_OK;
    case FH_CHD_AGAIN:
        return FH_TAPE_AGAIN;
    case FH_CHD_END:
        return FH_TAPE_END;
    case FH_CHD_REFUSED:
    case FH_CHD_NO_SPACE:
        break;
    }
    return fh_tape_fail(tape, ENOMEM);
}

static bool read_any(fh_box *box, int64_t off, uint8_t *to, size_t len)
{
    chd_box *self = box->self;
    size_t got = 0;
    return off >= 0 && fh_chd_read_at(self->chd, (uint64_t)off, to, len, &got) == FH_CHD_OK &&
           got == len;
}

static void close_box(fh_box *box)
{
    chd_box *self = box->self;
    if (self != NULL) {
        fh_chd_close(self->chd);
        free(self);
    }
    box->self = NULL;
}

fh_box_status fh_chd_box_open(fh_box *box)
{
    chd_box *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return FH_BOX_NO_MEMORY;
    }
    self->box = box;
    box->self = self;
    box->next = next;
    box->read = read_member;
    box->read_any = read_any;
    box->close = close_box;
    if (box->from->tape.size < 0) {
        fh_fault(box->faults, FH_IMG0040, 0, "CHD", "of unknown length", "a file");
        return FH_BOX_OTHER;
    }
    const fh_chd_input input = {read_at, self, (uint64_t)box->from->tape.size};
    fh_chd_status status = fh_chd_open(&self->chd, &input, false, box->faults);
    if (self->is_stopped) {
        return FH_BOX_STOPPED;
    }
    if (status == FH_CHD_NO_SPACE) {
        return FH_BOX_NO_MEMORY;
    }
    return status == FH_CHD_OK ? FH_BOX_OK : FH_BOX_BROKEN;
}
