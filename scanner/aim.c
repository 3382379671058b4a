#include "aim.h"

#include "cmd.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- the argument ---- */

/* A bare number is a raw offset. */
static bool parse_address(fh_address_wish *out, const char *text)
{
    char raw[64];
    if (text[0] < '0' || text[0] > '9') {
        return fh_address_parse(out, text);
    }
    fh_text named = fh_text_make(raw, sizeof raw);
    fh_text_str(fh_text_str(&named, "raw:"), text);
    return !named.cut && fh_address_parse(out, raw);
}

/* Whether something of that name can be opened: a file, or one that may be a container of it. */
static bool exists(const char *path, bool *is_member)
{
    *is_member = false;
    if (strcmp(path, "-") == 0 || access(path, F_OK) == 0) {
        return true;
    }
    for (const char *mark = strstr(path, FH_MEMBER_MARK); mark != NULL && !*is_member;
         mark = strstr(mark + 1, FH_MEMBER_MARK)) {
        char *file = strndup(path, (size_t)(mark - path));
        *is_member = file != NULL && (strcmp(file, "-") == 0 || access(file, F_OK) == 0);
        free(file);
    }
    return *is_member;
}

/* Names of files, and paths on a disc, may hold an @: the last one is meant behind which an address
 * stands, and in front of which a source. SIZE_MAX: there is no address. */
static size_t find_at(char *path, const char *argument)
{
    size_t chosen = SIZE_MAX;
    for (size_t left = strlen(argument); left > 0; left--) {
        const size_t at = left - 1;
        bool is_member = false;
        fh_address_wish wish;
        if (argument[at] != '@' || !parse_address(&wish, argument + at + 1)) {
            continue;
        }
        chosen = chosen == SIZE_MAX ? at : chosen;
        path[at] = '\0';
        if (exists(path, &is_member)) {
            return at;
        }
    }
    return chosen;
}

fh_exit fh_aim_split(fh_aim *aim, const char *command, const char *argument)
{
    char *const path = strdup(argument);
    aim->kept = path;
    if (path == NULL) {
        fh_complain("out of memory");
        return FH_EXIT_LIMIT;
    }
    const size_t at = find_at(path, argument);
    if (at == SIZE_MAX) {
        return fh_usage_error(command,
                              "'%s' does not end with @ and an address: N, raw:N, user:N, ram:N, "
                              "lba:N, msf:MM:SS:FF or iso:/PATH",
                              fh_safe_path(argument));
    }
    memcpy(path, argument, at);
    path[at] = '\0';
    aim->path = path;
    aim->address = argument + at + 1;
    (void)exists(path, &aim->is_member);
    return parse_address(&aim->wish, aim->address) ? FH_EXIT_OK : FH_EXIT_USAGE;
}

bool fh_aim_is_one(const char *argument)
{
    const char *at = strrchr(argument, '@');
    fh_address_wish wish;
    bool is_one = false;
    for (size_t i = at == NULL ? 0 : (size_t)(at - argument) + 1; i > 0 && !is_one; i--) {
        is_one = argument[i - 1] == '@' && parse_address(&wish, argument + i);
    }
    return is_one;
}

/* ---- the bytes ---- */

static fh_exit no_place(const fh_aim *aim, const char *reason)
{
    fh_complain("%s has no place %s%s", fh_safe_path(aim->path), fh_safe_path(aim->address),
                reason);
    return FH_EXIT_FINDINGS;
}

static fh_exit fail_by_change(const fh_aim *aim, const char *why)
{
    fh_complain("cannot read %s: %s; try again", fh_safe_path(aim->path), why);
    return FH_EXIT_IO;
}

static fh_exit unreadable(const fh_aim *aim, const char *why)
{
    fh_complain("cannot read %s: %s; check the name and the permissions", fh_safe_path(aim->path),
                why);
    return FH_EXIT_IO;
}

/* An address as one that is met when the source is read forwards. false: it has no such place. */
static bool to_wish(fh_aim *aim, fh_gather_wish *wish)
{
    static const fh_gather_unit units[] = {[FH_ADDRESS_RAW] = FH_GATHER_RAW,
                                           [FH_ADDRESS_USER] = FH_GATHER_USER,
                                           [FH_ADDRESS_LBA] = FH_GATHER_LBA};
    if (aim->has_where) {
        wish->number = fh_where_find(&aim->where, &aim->wish);
        return wish->number != FH_UNKNOWN;
    }
    if (aim->wish.kind == FH_ADDRESS_ISO) {
        return false;
    }
    wish->unit = units[aim->wish.kind];
    wish->number = aim->wish.number;
    wish->offset = aim->wish.offset;
    return true;
}

/* There is no such place in what is known of the source. */
static fh_exit not_found(const fh_aim *aim)
{
    if (aim->has_where && fh_where_is_cut(&aim->where, &aim->wish)) {
        (void)no_place(aim, aim->where.has_tree
                                ? ": its directory tree was not read to the end, see IMG0033"
                                : ": its directories were not kept when they passed, see IMG0082");
        return FH_EXIT_LIMIT;
    }
    return no_place(aim, aim->has_where ? ""
                                        : "; paths of a disc are not known of what comes "
                                          "through a pipe");
}

static fh_exit open_where(fh_aim *aim)
{
    const fh_where_how how = {.layout = aim->layout,
                              .as_it_lies = aim->wish.kind == FH_ADDRESS_RAW,
                              .keeps_pipes = true,
                              .stop = {fh_interrupted, NULL}};
    const fh_where_status status = fh_where_open(&aim->where, aim->path, &how);
    aim->has_where = status == FH_WHERE_OK;
    if (aim->has_where && aim->where.path != NULL) {
        aim->path = aim->where.path; /* there until it is closed */
        aim->is_member = true;
    }
    if (!aim->has_where) {
        fh_where_close(&aim->where); /* a pipe, perhaps: the gathering says what it is */
    }
    if (status == FH_WHERE_UNREADABLE && aim->where.is_faulty) {
        return unreadable(aim, aim->where.error);
    }
    if (status == FH_WHERE_CHANGED) {
        return fail_by_change(aim, aim->where.error);
    }
    if (status == FH_WHERE_STOPPED) {
        fh_complain("%s: interrupted", fh_safe_path(aim->path));
        return FH_EXIT_LIMIT;
    }
    if (status == FH_WHERE_NO_MEMORY) {
        fh_complain("%s: out of memory", fh_safe_path(aim->path));
        return FH_EXIT_LIMIT;
    }
    return FH_EXIT_OK;
}

static fh_exit tell_gather(const fh_aim *aim, fh_gather_status status)
{
    switch (status) {
    case FH_GATHER_OK:
        return FH_EXIT_OK;
    case FH_GATHER_NO_PLACE:
        return no_place(aim, " in its user data; framehound where tells what lies there");
    case FH_GATHER_UNREADABLE:
        return unreadable(aim, aim->gather.error);
    case FH_GATHER_CHANGED:
        return fail_by_change(aim, aim->gather.error);
    case FH_GATHER_STOPPED:
        fh_complain("%s: interrupted", fh_safe_path(aim->path));
        return FH_EXIT_LIMIT;
    case FH_GATHER_NO_MEMORY:
        break;
    }
    fh_complain("%s: out of memory", fh_safe_path(aim->path));
    return FH_EXIT_LIMIT;
}

fh_exit fh_aim_gather(fh_aim *aim)
{
    const fh_exit exit = open_where(aim);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    fh_gather_wish wish = {.path = aim->path,
                           .as_it_lies = !aim->is_member,
                           .layout = aim->layout,
                           .stop = {fh_interrupted, NULL}};
    const bool has_place = to_wish(aim, &wish);
    const fh_gather_status status =
        has_place ? fh_gather_at(&aim->gather, &wish) : FH_GATHER_NO_PLACE;
    /* The place was found in the file as it was, and the bytes are of one that was opened later. */
    if (aim->has_where && fh_where_still(&aim->where) != FH_WHERE_OK) {
        return fail_by_change(aim, aim->where.error);
    }
    return has_place ? tell_gather(aim, status) : not_found(aim);
}

void fh_aim_spot(fh_aim *aim, fh_spot *spot, size_t pos)
{
    const fh_window *window = &aim->gather.window;
    const fh_place place = fh_window_place(window, window->origin + (int64_t)pos);
    if (aim->has_where) {
        fh_where_tell(&aim->where, spot, place.raw_off);
        return;
    }
    *spot = (fh_spot){.raw_off = place.raw_off,
                      .user_off = place.user_off,
                      .lba = place.lba,
                      .sector = FH_UNKNOWN,
                      .sector_off = FH_UNKNOWN,
                      .iso_off = FH_UNKNOWN,
                      .ram_address = FH_UNKNOWN};
}

void fh_aim_free(fh_aim *aim)
{
    fh_gather_free(&aim->gather);
    if (aim->has_where) {
        fh_where_close(&aim->where);
    }
    free(aim->kept);
}
