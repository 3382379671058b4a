#include "where.h"

#include "source/container.h"
#include "source/limits.h"
#include "source/opener.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- addresses ---- */

static int digit_of(char c, int base)
{
    const char *const digits = "0123456789abcdef";
    const char *at = c == '\0' ? NULL : strchr(digits, fh_ascii_lower(c));
    return at != NULL && at - digits < base ? (int)(at - digits) : -1;
}

/* Reads a number and moves behind it; false without one, or if it does not fit. */
static bool take_number(const char **text, int64_t *out)
{
    const char *at = *text;
    const bool is_hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    const int base = is_hex ? 16 : 10;
    at += is_hex ? 2 : 0;
    const char *first = at;
    int64_t value = 0;
    for (; digit_of(*at, base) >= 0; at++) {
        if (value > (INT64_MAX - 15) / base) {
            return false;
        }
        value = base * value + digit_of(*at, base);
    }
    *out = value;
    *text = at;
    return at > first;
}

/* Reads what may stand behind an address: +OFF. */
static bool take_offset(const char *text, int64_t *out)
{
    *out = 0;
    if (*text == '\0') {
        return true;
    }
    text++;
    return text[-1] == '+' && take_number(&text, out) && *text == '\0';
}

static bool take_lba(const char *text, fh_address_wish *out)
{
    const bool is_negative = *text == '-';
    text += is_negative ? 1 : 0;
    if (!take_number(&text, &out->number)) {
        return false;
    }
    out->number = is_negative ? -out->number : out->number;
    return take_offset(text, &out->offset);
}

static bool take_two_digits(const char **text, int64_t *out, int64_t limit)
{
    const char *at = *text;
    if (digit_of(at[0], 10) < 0 || digit_of(at[1], 10) < 0) {
        return false;
    }
    *out = 10 * (int64_t)digit_of(at[0], 10) + digit_of(at[1], 10);
    *text = at + 2;
    return *out < limit;
}

static bool take_msf(const char *text, fh_address_wish *out)
{
    int64_t parts[3];
    static const int64_t limits[] = {100, 60, 75};
    for (int i = 0; i < 3; i++) {
        if ((i > 0 && *text++ != ':') || !take_two_digits(&text, &parts[i], limits[i])) {
            return false;
        }
    }
    out->number = (60 * parts[0] + parts[1]) * 75 + parts[2] - 150;
    return take_offset(text, &out->offset);
}

static bool take_path(const char *text, fh_address_wish *out)
{
    out->path = text;
    return *text == '/';
}

static bool take_only(const char *text, fh_address_wish *out)
{
    return take_number(&text, &out->number) && *text == '\0';
}

bool fh_address_parse(fh_address_wish *out, const char *text)
{
    static const struct {
        const char *name;
        fh_address_kind kind;
        bool (*take)(const char *text, fh_address_wish *out);
    } forms[] = {{"raw:", FH_ADDRESS_RAW, take_only}, {"user:", FH_ADDRESS_USER, take_only},
                 {"ram:", FH_ADDRESS_RAM, take_only}, {"lba:", FH_ADDRESS_LBA, take_lba},
                 {"msf:", FH_ADDRESS_LBA, take_msf},  {"iso:", FH_ADDRESS_ISO, take_path}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const size_t len = strlen(forms[i].name);
        if (strncmp(text, forms[i].name, len) == 0) {
            *out = (fh_address_wish){.kind = forms[i].kind};
            return forms[i].take(text + len, out);
        }
    }
    return false;
}

/* ---- the source ---- */

static fh_where_status unreadable(fh_where *where, const char *why)
{
    fh_text text = fh_text_make(where->error, sizeof where->error);
    fh_text_str(&text, why);
    return FH_WHERE_UNREADABLE;
}

/* Looks for main RAM in a source that is no image. What is packed is not looked into. */
static fh_where_status find_memory(fh_where *where, const fh_cursor *window)
{
    const fh_memory_kind *kind = fh_memory_of(window, where->size);
    if (kind == NULL || kind->is_packed || where->size > (int64_t)FH_STATE_MAX_LEN) {
        return FH_WHERE_OK;
    }
    const size_t len = (size_t)where->size;
    uint8_t *bytes = malloc(len + 1);
    fh_tallies faults = {0};
    if (bytes == NULL) {
        return FH_WHERE_NO_MEMORY;
    }
    errno = EIO;
    const bool is_read = fh_raw_file_read(&where->raw, 0, bytes, len);
    where->has_memory =
        is_read && fh_memory_find(&where->memory, kind, fh_cursor_make(bytes, len, 0), &faults);
    free(bytes);
    return is_read ? FH_WHERE_OK : unreadable(where, strerror(errno));
}

/* Whether the file holds others. */
static bool is_container(const fh_cursor *window)
{
    const fh_box_kind *kind = fh_container_of(window);
    return kind != NULL && kind->open != NULL && !kind->lies_plain;
}

static fh_where_status find_layout(fh_where *where, bool *is_packed, const fh_where_how *how)
{
    const size_t len =
        where->size < (int64_t)FH_READER_WINDOW ? (size_t)where->size : FH_READER_WINDOW;
    uint8_t *bytes = malloc(len + 1);
    if (bytes == NULL) {
        return FH_WHERE_NO_MEMORY;
    }
    errno = EIO;
    fh_where_status status = FH_WHERE_OK;
    if (fh_raw_file_read(&where->raw, 0, bytes, len)) {
        const fh_cursor window = fh_cursor_make(bytes, len, 0);
        *is_packed = !how->as_it_lies && is_container(&window);
        fh_layout_find(&where->layout, how->layout, &window, where->size);
        if (where->layout.stride == FH_STRIDE_PLAIN) {
            status = find_memory(where, &window);
        }
    } else {
        status = unreadable(where, strerror(errno));
    }
    free(bytes);
    return status;
}

static fh_where_status open_files(fh_where *where)
{
    if (where->layout.stride == FH_STRIDE_PLAIN) {
        return FH_WHERE_OK;
    }
    where->has_files = true;
    where->has_tree = true;
    return fh_files_open(&where->files, &where->layout, where->size, fh_raw_file_read, &where->raw)
               ? FH_WHERE_OK
               : FH_WHERE_NO_MEMORY;
}

/* ---- what can only be read forwards ---- */

typedef struct passage {
    fh_where *where;
    const fh_where_how *how;
    char *path; /* of the source that was met, owned */
    int num_met;
    fh_where_status status;
} passage;

/* Reads to the end, of which the first `max` bytes go to `to`. */
static fh_where_status read_all(passage *job, fh_reader *reader, uint8_t *to, size_t max)
{
    const uint8_t *bytes = NULL;
    size_t len = 0;
    size_t held = 0;
    fh_reader_status status = FH_READER_OK;
    while (status == FH_READER_OK && !fh_stop_now(&job->how->stop)) {
        status = fh_reader_next(reader, &bytes, &len);
        if (status == FH_READER_OK && held < max) {
            const size_t num = len < max - held ? len : max - held;
            memcpy(to + held, bytes, num);
            held += num;
        }
    }
    job->where->size = reader->size_read;
    return status == FH_READER_OK || status == FH_READER_STOPPED ? FH_WHERE_STOPPED : FH_WHERE_OK;
}

static fh_where_status pass_memory(passage *job, fh_reader *reader, const fh_memory_kind *kind)
{
    fh_where *where = job->where;
    fh_tallies faults = {0};
    uint8_t *bytes = malloc(FH_STATE_MAX_LEN);
    if (bytes == NULL) {
        return FH_WHERE_NO_MEMORY;
    }
    const fh_where_status status = read_all(job, reader, bytes, FH_STATE_MAX_LEN);
    const bool is_small = where->size <= (int64_t)FH_STATE_MAX_LEN;
    const size_t len = is_small ? (size_t)where->size : FH_STATE_MAX_LEN;
    if (kind == NULL) {
        where->memory =
            (fh_memory){"memory", 0, len < FH_RAM_MAX_LEN ? len : FH_RAM_MAX_LEN, FH_RAM_BASE};
    }
    where->has_memory =
        kind == NULL ||
        (is_small && fh_memory_find(&where->memory, kind, fh_cursor_make(bytes, len, 0), &faults));
    free(bytes);
    return status;
}

static fh_where_status pass_plain(passage *job, fh_reader *reader, const fh_cursor *window)
{
    const bool is_ram = reader->tape.content == FH_CONTENT_RAM;
    const fh_memory_kind *kind = reader->tape.content == FH_CONTENT_ANY
                                     ? fh_memory_of(window, fh_reader_size(reader))
                                     : NULL;
    return is_ram || (kind != NULL && !kind->is_packed) ? pass_memory(job, reader, kind)
                                                        : read_all(job, reader, NULL, 0);
}

/* Without its tree an image still has its sectors. */
static fh_where_status open_kept(passage *job, fh_again *again)
{
    fh_where *where = job->where;
    switch (
        fh_keep_open(&where->keep, &where->files, where->size, job->path, again, &job->how->stop)) {
    case FH_KEEP_OK:
        where->has_tree = true;
        break;
    case FH_KEEP_LOST:
        if (!fh_files_open_kept(&where->files, &where->layout, where->size, &where->keep)) {
            fh_files_close(&where->files);
            return FH_WHERE_NO_MEMORY;
        }
        break;
    case FH_KEEP_STOPPED:
        return FH_WHERE_STOPPED;
    case FH_KEEP_NO_MEMORY:
        return FH_WHERE_NO_MEMORY;
    }
    where->has_files = true;
    return FH_WHERE_OK;
}

static fh_where_status pass_image(passage *job, fh_reader *reader)
{
    fh_where *where = job->where;
    fh_keep_begin(&where->keep, &where->layout);
    const fh_source_status status = fh_keep_all(&where->keep, reader, &job->how->stop);
    where->size = reader->size_read;
    if (status == FH_SOURCE_STOPPED) {
        return FH_WHERE_STOPPED;
    }
    return status == FH_SOURCE_NO_MEMORY ? FH_WHERE_NO_MEMORY : open_kept(job, reader->again);
}

/* true: there may be others, which is of interest where one is looked for that is alone. */
static bool on_source(void *user, const char *path, fh_reader *reader)
{
    passage *job = user;
    if (job->num_met++ > 0) {
        return false;
    }
    job->path = strdup(path);
    if (job->path == NULL) {
        job->status = FH_WHERE_NO_MEMORY;
        return false;
    }
    const fh_cursor window = fh_reader_peek(reader);
    fh_layout_find(&job->where->layout, job->how->layout, &window, fh_reader_size(reader));
    job->status = job->where->layout.stride == FH_STRIDE_PLAIN ? pass_plain(job, reader, &window)
                                                               : pass_image(job, reader);
    if (job->status == FH_WHERE_OK && reader->error != 0) {
        job->status = unreadable(job->where, reader->error_text);
    }
    return job->status == FH_WHERE_OK;
}

static fh_where_status outcome(fh_where *where, const passage *job, fh_opener_status opened,
                               const fh_opener_result *result)
{
    switch (opened) {
    case FH_OPENER_ERROR:
        return unreadable(where, result->error_text);
    case FH_OPENER_STOPPED:
        return FH_WHERE_STOPPED;
    case FH_OPENER_NO_MEMORY:
        return FH_WHERE_NO_MEMORY;
    default:
        break;
    }
    if (job->num_met > 0) {
        return job->status;
    }
    const fh_stop *stop = &job->how->stop; /* it may have been asked for before the source came */
    return stop->check != NULL && stop->check(stop->user)
               ? FH_WHERE_STOPPED
               : unreadable(where, "there is no such source in it");
}

static fh_where_status open_forwards(fh_where *where, const char *path, const fh_where_how *how)
{
    passage job = {.where = where, .how = how};
    const fh_opener_sink sink = {.user = &job, .source = on_source};
    fh_opener_result result;
    const fh_opener_status opened = fh_open_one(&result, path, &how->stop, &sink);
    free(job.path);
    return outcome(where, &job, opened, &result);
}

/* Whether what is at path, or what it is a member of, can be read again. */
static bool is_lasting(const char *path)
{
    fh_raw_file file;
    for (const char *mark = strstr(path, FH_MEMBER_MARK); mark != NULL;
         mark = strstr(mark + 1, FH_MEMBER_MARK)) {
        char *part = strndup(path, (size_t)(mark - path));
        const bool is_file =
            part != NULL && strcmp(part, "-") != 0 && fh_raw_file_open(&file, part, 0);
        free(part);
        if (is_file) {
            fh_raw_file_close(&file);
            return true;
        }
    }
    return false;
}

/* The only source in a container. Where there are several, or none, *is_one is false. */
static fh_where_status open_inside(fh_where *where, bool *is_one, const char *path,
                                   const fh_where_how *how)
{
    passage job = {.where = where, .how = how};
    const fh_opener_sink sink = {.user = &job, .source = on_source};
    const fh_opener_options options = {.stop = how->stop};
    fh_opener_result result;
    const fh_opener_status opened = fh_open_all(&result, path, &options, &sink);
    const fh_where_status status = outcome(where, &job, opened, &result);
    *is_one = job.num_met == 1 && job.path != NULL && strcmp(job.path, path) != 0;
    where->path = job.path;
    return status == FH_WHERE_UNREADABLE && !*is_one ? FH_WHERE_OK : status;
}

static fh_where_status open_file(fh_where *where, bool *is_packed, const char *path,
                                 const fh_where_how *how)
{
    *where = (fh_where){.raw = {.fd = -1}};
    if (!fh_raw_file_open(&where->raw, path, 0)) {
        return unreadable(where, strerror(errno));
    }
    where->size = where->raw.size;
    const fh_where_status status = find_layout(where, is_packed, how);
    return status == FH_WHERE_OK && !*is_packed ? open_files(where) : status;
}

/* The file itself, or the only source in it. */
static fh_where_status open_random(fh_where *where, const char *path, const fh_where_how *how)
{
    bool is_packed = false;
    bool is_one = false;
    const fh_where_how as_it_lies = {how->layout, true, how->keeps_pipes, how->stop};
    fh_where_status status = open_file(where, &is_packed, path, how);
    if (!is_packed) {
        return status;
    }
    fh_where_close(where);
    *where = (fh_where){.raw = {.fd = -1}};
    status = open_inside(where, &is_one, path, how);
    if (is_one || status != FH_WHERE_OK) {
        return status;
    }
    fh_where_close(where);
    return open_file(where, &is_packed, path, &as_it_lies);
}

fh_where_status fh_where_open(fh_where *where, const char *path, const fh_where_how *how)
{
    *where = (fh_where){.raw = {.fd = -1}};
    if (fh_raw_file_open(&where->raw, path, 0)) {
        fh_raw_file_close(&where->raw);
        return open_random(where, path, how);
    }
    const int error = errno;
    if (how->keeps_pipes && !is_lasting(path)) {
        return unreadable(where, strerror(error));
    }
    return open_forwards(where, path, how);
}

void fh_where_close(fh_where *where)
{
    if (where->has_files) {
        fh_files_close(&where->files);
    }
    fh_keep_free(&where->keep);
    fh_raw_file_close(&where->raw);
    free(where->path);
    where->path = NULL;
    where->has_files = false;
}

/* ---- from an address to a byte ---- */

/* Bytes that a sector counts in user offsets, and whether it is searched at all: stream.h. */
static int64_t user_len(const fh_sector *sector)
{
    switch (sector->kind) {
    case FH_SECTOR_MODE1:
    case FH_SECTOR_FORM1:
    case FH_SECTOR_COOKED:
        return (int64_t)FH_DATA_LEN;
    case FH_SECTOR_FORM2:
        return fh_sector_is_audio(sector) ? 0 : (int64_t)FH_FORM2_LEN;
    case FH_SECTOR_MODE2:
        return (int64_t)FH_MODE2_LEN;
    default:
        return 0;
    }
}

/* A user offset has one meaning for each length of user data: the first that fits. */
static int64_t find_user(fh_where *where, int64_t offset)
{
    static const int64_t lens[] = {FH_DATA_LEN, FH_FORM2_LEN, FH_MODE2_LEN};
    for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
        fh_disc_sector at;
        if (fh_disc_at(&where->files.disc, &at, offset / lens[i]) &&
            user_len(&at.sector) == lens[i] && offset % lens[i] < (int64_t)at.sector.data_len) {
            return at.raw_off + (int64_t)at.sector.data_off + offset % lens[i];
        }
    }
    return FH_UNKNOWN;
}

static int64_t find_lba(fh_where *where, const fh_address_wish *wish)
{
    fh_disc_sector at;
    if (!where->has_files || !where->files.disc.has_lba ||
        !fh_disc_find(&where->files.disc, &at, wish->number)) {
        return FH_UNKNOWN;
    }
    const bool is_inside = wish->offset < (int64_t)at.sector.data_len;
    return is_inside || wish->offset == 0 ? at.raw_off + (int64_t)at.sector.data_off + wish->offset
                                          : FH_UNKNOWN;
}

/* The entry of that path in either tree, as one of the primary tree. */
static size_t find_entry(const fh_iso *iso, const char *path)
{
    size_t found = fh_iso_find(&iso->primary, path);
    const size_t second = found == FH_ISO_NO_FILE && iso->has_joliet
                              ? fh_iso_find(&iso->joliet, path)
                              : FH_ISO_NO_FILE;
    for (size_t i = 0; i < iso->primary.num_files && second != FH_ISO_NO_FILE; i++) {
        found = iso->primary.files[i].second == second ? i : found;
    }
    return found;
}

static int64_t find_iso(fh_where *where, const char *text)
{
    char path[FH_ISO_MAX_PATH];
    int64_t offset = 0;
    if (!where->has_tree || strlen(text) >= sizeof path) {
        return FH_UNKNOWN;
    }
    memcpy(path, text, strlen(text) + 1);
    size_t entry = find_entry(&where->files.iso, path);
    char *plus = strrchr(path, '+');
    /* A name may hold a '+': only what is no file as a whole has an offset. */
    if (entry == FH_ISO_NO_FILE && plus != NULL && take_offset(plus, &offset)) {
        *plus = '\0';
        entry = find_entry(&where->files.iso, path);
    }
    return entry == FH_ISO_NO_FILE ? FH_UNKNOWN : fh_files_locate(&where->files, entry, offset);
}

/* A byte of main RAM by its number there, FH_UNKNOWN if the source does not have it. */
static int64_t find_in_memory(const fh_where *where, int64_t number)
{
    const bool is_there = number >= 0 && number < (int64_t)where->memory.len;
    return is_there ? (int64_t)where->memory.off + number : FH_UNKNOWN;
}

/* RAM is seen at several addresses; where 2 MiB or less of it are there, so are its mirrors. */
static int64_t find_ram(const fh_where *where, int64_t address)
{
    if (!where->has_memory || address > UINT32_MAX || !fh_memory_is_address((uint32_t)address)) {
        return FH_UNKNOWN;
    }
    const int64_t physical = address & FH_RAM_PHYSICAL;
    int64_t number = physical - (int64_t)(where->memory.address & FH_RAM_PHYSICAL);
    if (where->memory.len <= FH_RAM_LEN) {
        number = (number + 4 * (int64_t)FH_RAM_LEN) % (int64_t)FH_RAM_LEN;
    }
    return find_in_memory(where, number);
}

int64_t fh_where_find(fh_where *where, const fh_address_wish *wish)
{
    switch (wish->kind) {
    case FH_ADDRESS_RAM:
        return find_ram(where, wish->number);
    case FH_ADDRESS_RAW:
        return wish->number < where->size ? wish->number : FH_UNKNOWN;
    case FH_ADDRESS_USER:
        if (where->has_files) {
            return find_user(where, wish->number);
        }
        if (where->has_memory) {
            return find_in_memory(where, wish->number);
        }
        return wish->number < where->size ? wish->number : FH_UNKNOWN;
    case FH_ADDRESS_LBA:
        return find_lba(where, wish);
    default:
        return find_iso(where, wish->path);
    }
}

bool fh_where_is_cut(const fh_where *where, const fh_address_wish *wish)
{
    return wish->kind == FH_ADDRESS_ISO && where->has_files &&
           (!where->has_tree || where->files.iso.primary.is_cut);
}

/* ---- from a byte to all addresses ---- */

static const char *kind_name(const fh_sector *sector)
{
    static const char *const names[FH_SECTOR_NUM_KINDS] = {
        [FH_SECTOR_NO_SYNC] = "no sync",
        [FH_SECTOR_BAD_MODE] = "unknown mode",
        [FH_SECTOR_MODE0] = "Mode 0",
        [FH_SECTOR_MODE1] = "Mode 1",
        [FH_SECTOR_FORM1] = "Mode 2 Form 1",
        [FH_SECTOR_FORM2] = "Mode 2 Form 2",
        [FH_SECTOR_MODE2] = "Mode 2 without XA",
        [FH_SECTOR_COOKED] = "2048 bytes of user data",
    };
    return fh_sector_is_audio(sector) ? "XA audio" : names[sector->kind];
}

/* Which part of its sector the byte is; off counts from where a sync would stand. */
static const char *field_name(const fh_disc_sector *at, int64_t off)
{
    const fh_sector *sector = &at->sector;
    const int64_t before = off - (int64_t)sector->data_off;
    if (sector->data_len == 0) {
        return "content";
    }
    if (before >= 0) {
        return before < (int64_t)sector->data_len ? "user data" : "EDC, ECC or subchannel";
    }
    if (!sector->has_header) {
        return "subheader";
    }
    return off < (int64_t)FH_SYNC_LEN     ? "sync"
           : off < (int64_t)FH_HEADER_END ? "header"
                                          : "subheader";
}

static void tell_sector(fh_where *where, fh_spot *out, const fh_disc_sector *at)
{
    const int64_t off = out->raw_off - at->raw_off;
    const int64_t within = off - (int64_t)at->sector.data_off;
    const int64_t len = user_len(&at->sector);
    out->sector = at->index;
    out->kind = kind_name(&at->sector);
    out->field = field_name(at, off);
    out->lba = where->files.disc.has_lba ? fh_disc_address(&where->files.disc, at) : FH_UNKNOWN;
    if (within >= 0 && within < (int64_t)at->sector.data_len) {
        out->sector_off = within;
        out->user_off = len > 0 ? len * at->index + within : FH_UNKNOWN;
    }
}

/* The directory that has a block. */
static void tell_directory(const fh_iso_tree *tree, fh_spot *out, int64_t block)
{
    for (size_t i = 0; i < tree->num_files; i++) {
        const fh_iso_file *file = &tree->files[i];
        const fh_iso_extent *extent = &tree->extents[file->first_extent];
        if (file->is_read && block >= extent->first && block < fh_iso_extent_end(extent)) {
            fh_iso_path(out->iso_path, tree, i);
            out->is_directory = true;
            out->iso_off = (block - extent->first) * (int64_t)FH_ISO_BLOCK_LEN + out->sector_off;
            return;
        }
    }
}

static void tell_file(fh_where *where, fh_spot *out)
{
    const fh_iso *iso = &where->files.iso;
    fh_files_place place;
    fh_files_at(&where->files, &place, out->raw_off);
    if (place.file != FH_ISO_NO_FILE) {
        const uint32_t second = iso->primary.files[place.file].second;
        fh_iso_path(out->iso_path, &iso->primary, place.file);
        out->iso_off = place.offset;
        if (second != FH_ISO_NO_FILE) {
            fh_iso_path(out->joliet_path, &iso->joliet, second);
        }
    } else if (place.is_data && place.block != FH_UNKNOWN) {
        tell_directory(&iso->primary, out, place.block);
    }
}

static void tell_ram(const fh_where *where, fh_spot *out)
{
    const int64_t number = out->raw_off - (int64_t)where->memory.off;
    if (number >= 0 && number < (int64_t)where->memory.len) {
        out->user_off = number;
        out->ram_address = (int64_t)where->memory.address + number;
    }
}

void fh_where_tell(fh_where *where, fh_spot *out, int64_t raw_off)
{
    *out = (fh_spot){.raw_off = raw_off,
                     .sector = FH_UNKNOWN,
                     .user_off = FH_UNKNOWN,
                     .lba = FH_UNKNOWN,
                     .sector_off = FH_UNKNOWN,
                     .iso_off = FH_UNKNOWN,
                     .ram_address = FH_UNKNOWN};
    if (where->has_memory) {
        tell_ram(where, out);
        return;
    }
    if (!where->has_files) {
        out->user_off = raw_off;
        return;
    }
    fh_disc_sector at;
    const int64_t index = fh_disc_index(&where->files.disc, raw_off);
    if (index == FH_UNKNOWN || !fh_disc_at(&where->files.disc, &at, index)) {
        out->field = index == FH_UNKNOWN && raw_off < where->layout.start ? "prefix" : "rest";
        return;
    }
    tell_sector(where, out, &at);
    if (where->has_tree) {
        tell_file(where, out);
    }
}
