/* framehound why: which check of each format rejects, or accepts, the bytes at an address. */
#include "cmd.h"

#include "hunt/why.h"
#include "registry/registry.h"
#include "sandbox.h"
#include "source/opener.h"
#include "spot_text.h"
#include "why_text.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: framehound why [OPTION...] SOURCE@ADDRESS\n"
    "\n"
    "Says for each format what it makes of the bytes at an address: whether an asset begins "
    "there,\n"
    "or which rule rejects it, at which byte, the value found and the value demanded, how much "
    "was\n"
    "sound before, and the bytes around it. SOURCE may lie in a container: a.zip!/game.bin.\n"
    "ADDRESS is one of:\n"
    "  N or raw:N        byte of the source\n"
    "  user:N            byte of its user data; of main RAM in a memory dump or save state\n"
    "  ram:N             address of main RAM in such a one\n"
    "  lba:N[+OFF]       byte OFF of the user data of a sector\n"
    "  msf:MM:SS:FF[+OFF]  the same by minute, second, frame\n"
    "  iso:/PATH[+OFF]   byte OFF of a file of the disc\n"
    "Numbers are decimal, or hexadecimal behind 0x. A container with one source, such as\n"
    "game.bin.gz, stands for it, but N and raw:N are its own byte.\n"
    "\n"
    "      --as FORMAT       ask only this format: tod, hmd, tra, camerawork\n"
    "  -F, --format FORMAT   text (default), json\n"
    "      --layout LAYOUT   bytes a sector: auto (default, from the content), plain, 2048,\n"
    "                        2336, 2352, 2368, 2448\n"
    "      --sandbox on|off|require\n"
    "                        give up what the work does not need: files that were not named, the\n"
    "                        network, other programs (default: on, as far as the system can;\n"
    "                        require: or end)\n"
    "  -h, --help            this text\n"
    "\n"
    "Exit codes: 0 if a format accepts the bytes, 1 if none does, or the source has no such "
    "place.\n";

enum { OPTION_LAYOUT = 256, OPTION_AS };

typedef struct why_run {
    bool is_json;
    fh_layout_choice layout;
    const fh_format *as; /* NULL: all */
    const char *path;    /* borrowed */
    const char *address;
    fh_address_wish wish;
    bool is_member;
    bool has_where;
    fh_where where;
    fh_gather gather;
    fh_out out;
} why_run;

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
 * stands, and in front of which a source. */
static fh_exit split(why_run *run, char **kept, const char *argument)
{
    char *const path = strdup(argument);
    *kept = path;
    if (path == NULL) {
        fh_complain("out of memory");
        return FH_EXIT_LIMIT;
    }
    run->path = path;
    const size_t len = strlen(argument);
    size_t chosen = len;
    for (size_t at = len; at-- > 0;) {
        bool is_member = false;
        fh_address_wish wish;
        if (argument[at] != '@' || !parse_address(&wish, argument + at + 1)) {
            continue;
        }
        chosen = chosen == len ? at : chosen;
        path[at] = '\0';
        if (exists(path, &is_member)) {
            chosen = at;
            break;
        }
    }
    if (chosen == len) {
        return fh_usage_error("why",
                              "'%s' does not end with @ and an address: N, raw:N, user:N, ram:N, "
                              "lba:N, msf:MM:SS:FF or iso:/PATH",
                              fh_safe_path(argument));
    }
    memcpy(path, argument, chosen);
    path[chosen] = '\0';
    run->address = argument + chosen + 1;
    (void)exists(path, &run->is_member);
    return parse_address(&run->wish, run->address) ? FH_EXIT_OK : FH_EXIT_USAGE;
}

/* ---- the bytes ---- */

static fh_exit no_place(const why_run *run, const char *reason)
{
    fh_complain("%s has no place %s%s", fh_safe_path(run->path), fh_safe_path(run->address),
                reason);
    return FH_EXIT_FINDINGS;
}

/* An address as one that is met when the source is read forwards. false: it has no such place. */
static bool to_wish(why_run *run, fh_gather_wish *wish)
{
    static const fh_gather_unit units[] = {[FH_ADDRESS_RAW] = FH_GATHER_RAW,
                                           [FH_ADDRESS_USER] = FH_GATHER_USER,
                                           [FH_ADDRESS_LBA] = FH_GATHER_LBA};
    if (run->has_where) {
        wish->number = fh_where_find(&run->where, &run->wish);
        return wish->number != FH_UNKNOWN;
    }
    if (run->wish.kind == FH_ADDRESS_ISO) {
        return false;
    }
    wish->unit = units[run->wish.kind];
    wish->number = run->wish.number;
    wish->offset = run->wish.offset;
    return true;
}

/* There is no such place in what is known of the source. */
static fh_exit not_found(const why_run *run)
{
    if (run->has_where && fh_where_is_cut(&run->where, &run->wish)) {
        (void)no_place(run, run->where.has_tree
                                ? ": its directory tree was not read to the end, see IMG0033"
                                : ": its directories were not kept when they passed, see IMG0082");
        return FH_EXIT_LIMIT;
    }
    return no_place(run, run->has_where ? ""
                                        : "; paths of a disc are not known of what comes "
                                          "through a pipe");
}

static fh_exit open_where(why_run *run)
{
    const fh_where_how how = {.layout = run->layout,
                              .as_it_lies = run->wish.kind == FH_ADDRESS_RAW,
                              .keeps_pipes = true,
                              .stop = {fh_interrupted, NULL}};
    const fh_where_status status = fh_where_open(&run->where, run->path, &how);
    run->has_where = status == FH_WHERE_OK;
    if (run->has_where && run->where.path != NULL) {
        run->path = run->where.path; /* there until it is closed */
        run->is_member = true;
    }
    if (!run->has_where) {
        fh_where_close(&run->where); /* a pipe, perhaps: the gathering says what it is */
    }
    if (status == FH_WHERE_STOPPED) {
        fh_complain("%s: interrupted", fh_safe_path(run->path));
        return FH_EXIT_LIMIT;
    }
    if (status == FH_WHERE_NO_MEMORY) {
        fh_complain("%s: out of memory", fh_safe_path(run->path));
        return FH_EXIT_LIMIT;
    }
    return FH_EXIT_OK;
}

static fh_exit gather(why_run *run)
{
    const fh_exit exit = open_where(run);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    fh_gather_wish wish = {.path = run->path,
                           .as_it_lies = !run->is_member,
                           .layout = run->layout,
                           .stop = {fh_interrupted, NULL}};
    if (!to_wish(run, &wish)) {
        return not_found(run);
    }
    switch (fh_gather_at(&run->gather, &wish)) {
    case FH_GATHER_OK:
        return FH_EXIT_OK;
    case FH_GATHER_NO_PLACE:
        return no_place(run, " in its user data; framehound where tells what lies there");
    case FH_GATHER_UNREADABLE:
        fh_complain("cannot read %s: %s; check the name and the permissions",
                    fh_safe_path(run->path), run->gather.error);
        return FH_EXIT_IO;
    case FH_GATHER_STOPPED:
        fh_complain("%s: interrupted", fh_safe_path(run->path));
        return FH_EXIT_LIMIT;
    case FH_GATHER_NO_MEMORY:
        break;
    }
    fh_complain("%s: out of memory", fh_safe_path(run->path));
    return FH_EXIT_LIMIT;
}

/* ---- the answer ---- */

static void find_spot(why_run *run, fh_spot *spot)
{
    const fh_window *window = &run->gather.window;
    const fh_place place = fh_window_place(window, window->origin + (int64_t)run->gather.pos);
    if (run->has_where) {
        fh_where_tell(&run->where, spot, place.raw_off);
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

static void begin(why_run *run)
{
    fh_spot spot;
    find_spot(run, &spot);
    if (run->is_json) {
        fh_out_str(&run->out, "{\"type\": \"why\"");
        fh_spot_json(&run->out, run->path, &run->gather.layout, &spot);
        fh_out_str(&run->out, ", \"formats\": [");
    } else {
        fh_spot_print(&run->out, run->path, &run->gather.layout, &spot);
    }
}

static void tell(why_run *run, const fh_why *why, const fh_exam *exam, bool is_first)
{
    if (run->is_json) {
        fh_out_str(&run->out, is_first ? "" : ", ");
        fh_why_json(&run->out, &run->gather, why, exam);
    } else {
        fh_out_str(&run->out, "\n");
        fh_why_print(&run->out, &run->gather, why, exam);
    }
}

static fh_exit ask(why_run *run)
{
    bool is_accepted = false;
    bool is_limited = false;
    bool is_first = true;
    fh_exam exam = {0};
    begin(run);
    for (size_t i = 0; i < fh_num_formats; i++) {
        fh_why why;
        if (run->as != NULL && run->as != fh_formats[i]) {
            continue;
        }
        if (!fh_why_ask(&why, &exam, &run->gather, fh_formats[i])) {
            fh_complain("%s: out of memory", fh_safe_path(run->path));
            is_limited = true;
            break;
        }
        tell(run, &why, &exam, is_first);
        is_first = false;
        is_accepted = is_accepted || why.probe.verdict == FH_ACCEPT;
        is_limited = is_limited || (why.probe.verdict == FH_REJECT && why.probe.status == FH_LIMIT);
    }
    fh_out_str(&run->out, run->is_json ? "]}\n" : "");
    fh_exam_free(&exam);
    return is_limited ? FH_EXIT_LIMIT : is_accepted ? FH_EXIT_OK : FH_EXIT_FINDINGS;
}

/* ---- the command ---- */

static fh_exit take_format(why_run *run, const char *name)
{
    run->as = fh_format_find(name);
    return run->as != NULL ? FH_EXIT_OK
                           : fh_usage_error("why", "no format is called '%s'", fh_safe_path(name));
}

static fh_exit take_option(why_run *run, int c, char **argv)
{
    switch (c) {
    case 'F':
        return fh_take_json("why", &run->is_json, optarg);
    case OPTION_AS:
        return take_format(run, optarg);
    case OPTION_LAYOUT:
        return fh_take_layout("why", &run->layout, optarg);
    default:
        return fh_common_option("why", c, argv);
    }
}

/* *kept is what run->path points to; the caller frees it. */
static fh_exit parse_options(why_run *run, char **kept, int argc, char **argv)
{
    static const struct option options[] = {{"as", required_argument, NULL, OPTION_AS},
                                            {"format", required_argument, NULL, 'F'},
                                            {"layout", required_argument, NULL, OPTION_LAYOUT},
                                            FH_COMMON_OPTIONS,
                                            {0}};
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":F:", options, NULL)) != -1;) {
        const fh_exit exit = take_option(run, c, argv);
        if (exit != FH_EXIT_OK) {
            return exit;
        }
    }
    return argc - optind == 1 ? split(run, kept, argv[optind])
                              : fh_usage_error("why", "one SOURCE@ADDRESS is needed");
}

fh_exit fh_cmd_why(int argc, char **argv)
{
    why_run run = {.out = fh_out_make(stdout)};
    char *path = NULL;
    if (fh_wants_help(argc, argv)) {
        return fh_print_help(help);
    }
    fh_exit exit = parse_options(&run, &path, argc, argv);
    if (exit == FH_EXIT_OK) {
        fh_sandbox box = fh_sandbox_begin();
        fh_sandbox_reads_all(&box); /* which part of the argument is a path is found out later */
        exit = fh_sandbox_enter(&box, "why");
    }
    exit = exit == FH_EXIT_OK ? gather(&run) : exit;
    if (exit == FH_EXIT_OK) {
        exit = ask(&run);
        exit = fh_worst(exit, fh_flush_stdout(fh_out_end(&run.out)));
    }
    fh_gather_free(&run.gather);
    if (run.has_where) {
        fh_where_close(&run.where);
    }
    free(path);
    return exit;
}
