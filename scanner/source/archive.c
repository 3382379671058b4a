#include "source/archive.h"

#include "source/limits.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The record at the end of a zip: 22 bytes and a comment of at most 65,535. */
#define ZIP_END_MAGIC 0x06054b50u
#define ZIP_END_LEN ((size_t)22)
#define ZIP_TAIL_LEN (ZIP_END_LEN + 65535)
#define ZIP_IS_64 0xffffu

typedef struct archive_box {
    fh_box *box;
    struct archive *archive;
    struct archive_entry *entry; /* of the member that was met last */
    int64_t pos;                 /* of a kind that seeks */
    bool is_stopped;             /* by the user, in the middle of the library */
    bool was_member;             /* one was handed out: what fails is inside, not the kind */
    bool is_wrapped;             /* a compressed file and not an archive */
    int64_t num_heads;           /* members of all sorts */
    const uint8_t *run;          /* bytes of the member that wait, the library's */
    size_t run_len;
    int64_t run_off;   /* their place in the member */
    int64_t off;       /* bytes of the member handed out */
    bool is_data_done; /* nothing more of it */
    uint8_t *tail;     /* of a zip: its last bytes, owned */
    size_t tail_len;
    char why[FH_EVIDENCE_LEN]; /* words of the library */
    uint8_t block[65536];      /* of a kind that seeks */
} archive_box;

/* ---- what the library reads -------------------------------------------------------------------
 */

static void keep_tail(archive_box *ab, const uint8_t *bytes, size_t len)
{
    if (ab->tail == NULL) {
        return;
    }
    const size_t num = len < ZIP_TAIL_LEN ? len : ZIP_TAIL_LEN;
    const size_t room = ZIP_TAIL_LEN - num;
    const size_t keep = ab->tail_len < room ? ab->tail_len : room;
    memmove(ab->tail, ab->tail + (ab->tail_len - keep), keep);
    memcpy(ab->tail + keep, bytes + (len - num), num);
    ab->tail_len = keep + num;
}

static la_ssize_t fail(archive_box *ab, const char *why)
{
    archive_set_error(ab->archive, EIO, "%s", why);
    return -1;
}

static la_ssize_t read_forwards(struct archive *archive, void *user, const void **out)
{
    (void)archive;
    archive_box *ab = user;
    fh_reader *from = ab->box->from;
    const uint8_t *bytes = NULL;
    size_t len = 0;
    switch (fh_reader_next(from, &bytes, &len)) {
    case FH_READER_OK:
        keep_tail(ab, bytes, len);
        *out = bytes;
        return (la_ssize_t)len;
    case FH_READER_END:
        return 0;
    case FH_READER_STOPPED:
        ab->is_stopped = true;
        return fail(ab, "stopped");
    case FH_READER_ERROR:
        break;
    }
    return fail(ab, from->error_text);
}

static la_ssize_t read_anywhere(struct archive *archive, void *user, const void **out)
{
    (void)archive;
    archive_box *ab = user;
    fh_reader *from = ab->box->from;
    const fh_stop stop = {from->stop, from->stop_user};
    fh_tape_status status = FH_TAPE_AGAIN;
    size_t len = 0;
    while (status == FH_TAPE_AGAIN && !fh_stop_now(&stop)) {
        status = from->tape.read(&from->tape, &len, ab->block, sizeof ab->block);
    }
    if (status == FH_TAPE_OK) {
        ab->pos += (int64_t)len;
        *out = ab->block;
        return (la_ssize_t)len;
    }
    ab->is_stopped = status == FH_TAPE_AGAIN || status == FH_TAPE_STOPPED;
    return status == FH_TAPE_END ? 0 : fail(ab, ab->is_stopped ? "stopped" : from->tape.error_text);
}

static la_int64_t seek(struct archive *archive, void *user, la_int64_t off, int whence)
{
    (void)archive;
    archive_box *ab = user;
    fh_tape *tape = &ab->box->from->tape;
    int64_t base = 0;
    if (whence == SEEK_CUR) {
        base = ab->pos;
    } else if (whence == SEEK_END) {
        base = tape->size;
    }
    int64_t to = 0;
    if (base < 0 || __builtin_add_overflow(base, off, &to) || to < 0 || to > tape->size ||
        !tape->seek(tape, to)) {
        return ARCHIVE_FATAL;
    }
    ab->pos = to;
    return to;
}

/* ---- what it says ---------------------------------------------------------------------------- */

typedef struct phrase {
    const char *words;
    fh_image_rule rule;
} phrase;

/* The library tells what is wrong in words only. The first that fits; the rest is damage. */
static const phrase phrases[] = {{"encrypt", FH_IMG0047},       {"passphrase", FH_IMG0047},
                                 {"password", FH_IMG0047},      {"unsupported", FH_IMG0047},
                                 {"not supported", FH_IMG0047}, {"unknown codec", FH_IMG0047},
                                 {"CRC", FH_IMG0043},           {"checksum", FH_IMG0043},
                                 {"wrong size", FH_IMG0046},    {"uncompressed size", FH_IMG0046}};

static fh_image_rule rule_of(const char *why)
{
    for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++) {
        if (strcasestr(why, phrases[i].words) != NULL) {
            return phrases[i].rule;
        }
    }
    return FH_IMG0041;
}

/* The words of the library in one line: some of them end with one, some quote a member's name. */
static const char *reason(archive_box *ab)
{
    const char *why = archive_error_string(ab->archive);
    fh_text text = fh_text_make(ab->why, sizeof ab->why);
    fh_text_str(&text, why != NULL ? why : "the library gives no reason");
    size_t len = strlen(ab->why);
    while (len > 0 && (ab->why[len - 1] == '\n' || ab->why[len - 1] == ' ')) {
        ab->why[--len] = '\0';
    }
    fh_tally_plain(ab->why);
    return ab->why;
}

/* Words of the library as a fault of the kind, or of a member of it. */
static void add_fault(archive_box *ab, fh_tallies *faults, int64_t off, const char *why)
{
    char found[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(found, sizeof found);
    fh_text_str(fh_text_str(&text, "wrong: "), why);
    fh_fault(faults, rule_of(why), off, ab->box->kind->name, found, "");
}

static int64_t place(const archive_box *ab)
{
    return ab->box->kind->seeks ? ab->pos : ab->box->from->size_read;
}

/* Some parts of the library (3.6) fail for want of memory and do not say so. Whoever calls it sets
 * errno to 0 before. */
static bool has_no_memory(archive_box *ab)
{
    return errno == ENOMEM || archive_errno(ab->archive) == ENOMEM;
}

static fh_box_status broken(archive_box *ab)
{
    if (ab->is_stopped) {
        return FH_BOX_STOPPED;
    }
    if (has_no_memory(ab)) {
        return FH_BOX_NO_MEMORY;
    }
    add_fault(ab, ab->box->faults, place(ab), reason(ab));
    return FH_BOX_BROKEN;
}

/* ---- zip: the end ----------------------------------------------------------------------------
 */

static fh_box_status check_zip_end(archive_box *ab)
{
    const fh_cursor tail = fh_cursor_make(ab->tail, ab->tail_len, 0);
    for (size_t len = 1; len <= ab->tail_len; len++) {
        fh_cursor cur = fh_cursor_sub(&tail, ab->tail_len - len, len);
        if (fh_cursor_u32(&cur) == ZIP_END_MAGIC && fh_cursor_skip(&cur, 6)) {
            const uint16_t num = fh_cursor_u16(&cur);
            if (!cur.failed && num != ZIP_IS_64 && num != ab->num_heads) {
                char found[40];
                char expected[40];
                fh_text text = fh_text_make(found, sizeof found);
                fh_text_s64(&text, ab->num_heads);
                text = fh_text_make(expected, sizeof expected);
                fh_text_s64(&text, num);
                fh_fault(ab->box->faults, FH_IMG0041, place(ab), "number of members", found,
                         expected);
            }
            return FH_BOX_END;
        }
    }
    fh_fault(ab->box->faults, FH_IMG0041, place(ab), "end of the central directory", "missing", "");
    return FH_BOX_END;
}

/* All bytes are taken, for their last ones say how many members there should have been. */
static fh_box_status finish(archive_box *ab)
{
    const void *bytes = NULL;
    la_ssize_t len = 1;
    while (ab->tail != NULL && len > 0) {
        len = read_forwards(ab->archive, ab, &bytes);
    }
    if (ab->is_stopped) {
        return FH_BOX_STOPPED;
    }
    return ab->tail != NULL && len == 0 ? check_zip_end(ab) : FH_BOX_END;
}

/* ---- members --------------------------------------------------------------------------------- */

static const char *name_of(struct archive_entry *entry)
{
    const char *name = archive_entry_pathname_utf8(entry);
    return name != NULL ? name : archive_entry_pathname(entry);
}

static void describe(const archive_box *ab, fh_member *member, struct archive_entry *entry)
{
    const bool has_size = archive_entry_size_is_set(entry) != 0;
    const int64_t size = has_size ? archive_entry_size(entry) : FH_UNKNOWN;
    const mode_t type = archive_entry_filetype(entry);
    const bool is_hard_link = archive_entry_hardlink(entry) != NULL && size <= 0;
    *member = (fh_member){.name = ab->is_wrapped ? NULL : name_of(entry), .size = size};
    member->is_bytes = (type == AE_IFREG || type == 0) && !is_hard_link;
    member->is_link = !member->is_bytes && type != AE_IFDIR;
    member->is_encrypted = archive_entry_is_data_encrypted(entry) != 0;
}

/* Compressed bytes of which nothing comes out: one member of length 0. */
static bool is_empty_wrap(const archive_box *ab, int code)
{
    return ab->is_wrapped && !ab->was_member && code == ARCHIVE_EOF;
}

static fh_box_status next(fh_box *box, fh_member *member)
{
    archive_box *ab = box->self;
    for (unsigned i = 0; i < FH_BOX_MAX_RETRIES; i++) {
        errno = 0;
        const int code = archive_read_next_header2(ab->archive, ab->entry);
        if (is_empty_wrap(ab, code)) {
            ab->was_member = true;
            ab->is_data_done = true;
            *member = (fh_member){.is_bytes = true, .size = FH_UNKNOWN};
            return FH_BOX_OK;
        }
        if (code == ARCHIVE_EOF) {
            return finish(ab);
        }
        if (code == ARCHIVE_OK || code == ARCHIVE_WARN) {
            describe(ab, member, ab->entry);
            ab->was_member = true;
            ab->num_heads++;
            ab->run_len = 0;
            ab->run_off = 0;
            ab->off = 0;
            ab->is_data_done = false;
            return FH_BOX_OK;
        }
        const fh_box_status status = broken(ab);
        if (code != ARCHIVE_RETRY || status == FH_BOX_STOPPED) {
            return status;
        }
    }
    return FH_BOX_BROKEN;
}

/* What was handed out before a fault that is found at the end stays. */
static fh_tape_status wrong(archive_box *ab, fh_tape *tape, int code)
{
    if (ab->is_stopped) {
        return FH_TAPE_STOPPED;
    }
    if (has_no_memory(ab)) {
        return fh_tape_fail(tape, ENOMEM);
    }
    ab->is_data_done = true;
    add_fault(ab, tape->faults, ab->off, reason(ab));
    return code != ARCHIVE_FATAL && rule_of(reason(ab)) == FH_IMG0043
               ? FH_TAPE_END
               : fh_tape_break(tape, reason(ab));
}

/* Files with holes: the bytes in front of the next run are 0. */
static fh_tape_status hand_out(archive_box *ab, size_t *len, uint8_t *to, size_t max)
{
    const int64_t gap = ab->run_off - ab->off;
    if (gap > 0) {
        *len = gap < (int64_t)max ? (size_t)gap : max;
        memset(to, 0, *len);
    } else {
        *len = ab->run_len < max ? ab->run_len : max;
        memcpy(to, ab->run, *len);
        ab->run += *len;
        ab->run_len -= *len;
        ab->run_off += (int64_t)*len;
    }
    ab->off += (int64_t)*len;
    return FH_TAPE_OK;
}

static fh_tape_status read_member(fh_box *box, fh_tape *tape, size_t *len, uint8_t *to, size_t max)
{
    archive_box *ab = box->self;
    while (ab->run_len == 0 && ab->run_off <= ab->off) {
        const void *bytes = NULL;
        la_int64_t off = 0;
        if (ab->is_data_done) {
            return FH_TAPE_END;
        }
        errno = 0;
        const int code = archive_read_data_block(ab->archive, &bytes, &ab->run_len, &off);
        if (code == ARCHIVE_EOF) {
            ab->is_data_done = true;
            ab->run_len = 0;
            ab->run_off = off > ab->off ? off : ab->off; /* a hole at the end */
            continue;
        }
        if (code != ARCHIVE_OK && code != ARCHIVE_WARN) {
            ab->run_len = 0;
            return wrong(ab, tape, code);
        }
        if (code == ARCHIVE_WARN) { /* the bytes are there: a checksum behind them is wrong */
            add_fault(ab, tape->faults, ab->off, reason(ab));
        }
        if (off < ab->off) {
            ab->run_len = 0;
            add_fault(ab, tape->faults, ab->off, "pieces out of order");
            return fh_tape_break(tape, "pieces out of order");
        }
        ab->run = bytes;
        ab->run_off = off;
    }
    return hand_out(ab, len, to, max);
}

static void close_box(fh_box *box)
{
    archive_box *ab = box->self;
    if (ab != NULL) {
        archive_entry_free(ab->entry);
        (void)archive_read_free(ab->archive);
        free(ab->tail);
    }
    free(ab);
}

/* ---- opening --------------------------------------------------------------------------------- */

typedef int support(struct archive *archive);

static int no_filter(struct archive *archive)
{
    (void)archive;
    return ARCHIVE_OK;
}

static fh_box_status start(archive_box *ab, support *format, support *filter)
{
    struct archive *archive = ab->archive;
    const bool seeks = ab->box->kind->seeks;
    errno = 0;
    if (format(archive) < ARCHIVE_WARN || filter(archive) < ARCHIVE_WARN) {
        return broken(ab);
    }
    archive_read_set_read_callback(archive, seeks ? read_anywhere : read_forwards);
    if (seeks) {
        archive_read_set_seek_callback(archive, seek);
    }
    if (archive_read_set_callback_data(archive, ab) != ARCHIVE_OK ||
        archive_read_open1(archive) != ARCHIVE_OK) {
        return broken(ab);
    }
    /* The library asks more of the first bytes than we do, and hands through what it doubts. */
    if (ab->is_wrapped && archive_filter_count(archive) < 2) {
        add_fault(ab, ab->box->faults, 0, "the library does not take it for one");
        return FH_BOX_BROKEN;
    }
    return FH_BOX_OK;
}

static fh_box_status open_box(fh_box *box, support *format, support *filter, bool has_tail)
{
    archive_box *ab = calloc(1, sizeof *ab);
    if (ab == NULL) {
        return FH_BOX_NO_MEMORY;
    }
    ab->box = box;
    ab->is_wrapped = filter != no_filter;
    ab->archive = archive_read_new();
    ab->entry = archive_entry_new(); /* the library does not look whether it has one */
    ab->tail = has_tail ? malloc(ZIP_TAIL_LEN) : NULL;
    box->self = ab;
    box->next = next;
    box->read = read_member;
    box->close = close_box;
    if (ab->archive == NULL || ab->entry == NULL || (has_tail && ab->tail == NULL)) {
        return FH_BOX_NO_MEMORY;
    }
    if (box->kind->seeks && !box->from->tape.seek(&box->from->tape, 0)) {
        return FH_BOX_BROKEN;
    }
    return start(ab, format, filter);
}

const char *fh_archive_version(void)
{
#ifdef FH_STATIC_ARCHIVE
    return ARCHIVE_VERSION_STRING " (linked in)";
#else
    return archive_version_string();
#endif
}

fh_box_status fh_archive_open_zip(fh_box *box)
{
    return open_box(box, archive_read_support_format_zip_streamable, no_filter, true);
}

fh_box_status fh_archive_open_7z(fh_box *box)
{
    return open_box(box, archive_read_support_format_7zip, no_filter, false);
}

fh_box_status fh_archive_open_tar(fh_box *box)
{
    return open_box(box, archive_read_support_format_tar, no_filter, false);
}

fh_box_status fh_archive_open_cpio(fh_box *box)
{
    return open_box(box, archive_read_support_format_cpio, no_filter, false);
}

fh_box_status fh_archive_open_ar(fh_box *box)
{
    return open_box(box, archive_read_support_format_ar, no_filter, false);
}

fh_box_status fh_archive_open_rar(fh_box *box)
{
    return open_box(box, archive_read_support_format_rar, no_filter, false);
}

fh_box_status fh_archive_open_rar5(fh_box *box)
{
    return open_box(box, archive_read_support_format_rar5, no_filter, false);
}

fh_box_status fh_archive_open_cab(fh_box *box)
{
    return open_box(box, archive_read_support_format_cab, no_filter, false);
}

fh_box_status fh_archive_open_lha(fh_box *box)
{
    return open_box(box, archive_read_support_format_lha, no_filter, false);
}

fh_box_status fh_archive_open_bzip2(fh_box *box)
{
    return open_box(box, archive_read_support_format_raw, archive_read_support_filter_bzip2, false);
}

fh_box_status fh_archive_open_xz(fh_box *box)
{
    return open_box(box, archive_read_support_format_raw, archive_read_support_filter_xz, false);
}

fh_box_status fh_archive_open_lzip(fh_box *box)
{
    return open_box(box, archive_read_support_format_raw, archive_read_support_filter_lzip, false);
}

fh_box_status fh_archive_open_zstd(fh_box *box)
{
    return open_box(box, archive_read_support_format_raw, archive_read_support_filter_zstd, false);
}

fh_box_status fh_archive_open_lz4(fh_box *box)
{
    return open_box(box, archive_read_support_format_raw, archive_read_support_filter_lz4, false);
}
