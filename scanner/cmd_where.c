/* framehound where: one place of a source, in all the ways in which a place is told. */
#include "cmd.h"

#include "sandbox.h"
#include "spot_text.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: framehound where [OPTION...] SOURCE ADDRESS\n"
    "\n"
    "Turns an address in a disc image or file into all the others. ADDRESS is one of:\n"
    "  raw:N             byte of the source\n"
    "  user:N            byte of its user data; of main RAM in a memory dump or save state\n"
    "  ram:N             address of main RAM in such a one\n"
    "  lba:N[+OFF]       byte OFF of the user data of a sector\n"
    "  msf:MM:SS:FF[+OFF]  the same by minute, second, frame\n"
    "  iso:/PATH[+OFF]   byte OFF of a file of the disc\n"
    "Numbers are decimal, or hexadecimal behind 0x. SOURCE is a file, a device, '-', or lies in a\n"
    "container, called as scan calls it: a.zip!/b/game.bin. A container with one source, such as\n"
    "game.bin.gz, stands for it, but raw:N is its own byte.\n"
    "\n"
    "  -F, --format FORMAT   text (default), json\n"
    "      --layout LAYOUT   bytes a sector: auto (default, from the content), plain, 2048,\n"
    "                        2336, 2352, 2368, 2448\n"
    "      --sandbox on|off|require\n"
    "                        give up what the work does not need: files that were not named, the\n"
    "                        network, other programs (default: on, as far as the system can;\n"
    "                        require: or end)\n"
    "  -h, --help            this text\n"
    "\n"
    "Exit codes: 1 if the source has no such place, 2 if that is no address.\n";

enum { OPTION_LAYOUT = 256 };

typedef struct where_run {
    bool is_json;
    fh_layout_choice layout;
    fh_out out;
} where_run;

/* ---- the command ---- */

static fh_exit take_option(where_run *run, int c, char **argv)
{
    switch (c) {
    case 'F':
        return fh_take_json("where", &run->is_json, optarg);
    case OPTION_LAYOUT:
        return fh_take_layout("where", &run->layout, optarg);
    default:
        return fh_common_option("where", c, argv);
    }
}

static fh_exit parse_options(where_run *run, int argc, char **argv)
{
    static const struct option options[] = {{"format", required_argument, NULL, 'F'},
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
    return argc - optind == 2 ? FH_EXIT_OK
                              : fh_usage_error("where", "a source and an address are needed");
}

/* Why there is no such place, and what may help. */
static const char *reason(const fh_where *where, const fh_address_wish *wish)
{
    if (wish->kind <= FH_ADDRESS_USER) {
        return "it is shorter";
    }
    if (wish->kind == FH_ADDRESS_RAM) {
        return where->has_memory ? "that address is not in what there is of main RAM"
                                 : "it is no memory dump, and no save state";
    }
    if (!where->has_files) {
        return "no sectors were found in it; name what is in it if it is an archive, or give "
               "--layout";
    }
    if (wish->kind == FH_ADDRESS_LBA) {
        return "no sector has this address, or the sector is shorter";
    }
    if (!where->has_tree) {
        return "its directories were not kept when they passed, see IMG0082";
    }
    return fh_where_is_cut(where, wish)
               ? "its directory tree was not read to the end, see IMG0033"
               : "its directory tree has no such file, with these capitals, or the file is shorter";
}

static fh_exit fail_by_change(const char *path, const fh_where *where)
{
    fh_complain("cannot read %s: %s; try again", fh_safe_path(path), where->error);
    return FH_EXIT_IO;
}

static fh_exit tell(where_run *run, fh_where *where, const char *path, const char *address,
                    const fh_address_wish *wish)
{
    fh_spot spot;
    const int64_t raw_off = fh_where_find(where, wish);
    if (raw_off != FH_UNKNOWN) {
        fh_where_tell(where, &spot, raw_off);
    }
    if (fh_where_still(where) != FH_WHERE_OK) {
        return fail_by_change(path, where);
    }
    if (raw_off == FH_UNKNOWN) {
        fh_complain("%s has no place %s: %s", fh_safe_path(path), fh_safe_path(address),
                    reason(where, wish));
        return fh_where_is_cut(where, wish) ? FH_EXIT_LIMIT : FH_EXIT_FINDINGS;
    }
    if (run->is_json) {
        fh_out_str(&run->out, "{\"type\": \"address\"");
        fh_spot_json(&run->out, path, &where->layout, &spot);
        fh_out_str(&run->out, "}\n");
    } else {
        fh_spot_print(&run->out, path, &where->layout, &spot);
    }
    return FH_EXIT_OK;
}

static fh_exit run_where(where_run *run, const char *path, const char *address,
                         const fh_address_wish *wish)
{
    const fh_where_how how = {.layout = run->layout,
                              .as_it_lies = wish->kind == FH_ADDRESS_RAW,
                              .stop = {fh_interrupted, NULL}};
    fh_where where;
    fh_exit exit = FH_EXIT_OK;
    switch (fh_where_open(&where, path, &how)) {
    case FH_WHERE_OK:
        exit = tell(run, &where, where.path != NULL ? where.path : path, address, wish);
        break;
    case FH_WHERE_UNREADABLE:
        fh_complain("cannot read %s: %s; check the name and the permissions", fh_safe_path(path),
                    where.error);
        exit = FH_EXIT_IO;
        break;
    case FH_WHERE_CHANGED:
        exit = fail_by_change(path, &where);
        break;
    case FH_WHERE_STOPPED:
        fh_complain("%s: interrupted", fh_safe_path(path));
        exit = FH_EXIT_LIMIT;
        break;
    case FH_WHERE_NO_MEMORY:
        fh_complain("%s: out of memory", fh_safe_path(path));
        exit = FH_EXIT_LIMIT;
        break;
    }
    fh_where_close(&where);
    return fh_worst(exit, fh_flush_stdout(fh_out_end(&run->out)));
}

fh_exit fh_cmd_where(int argc, char **argv)
{
    where_run run = {.out = fh_out_make(stdout)};
    fh_address_wish wish;
    if (fh_wants_help(argc, argv)) {
        return fh_print_help(help);
    }
    const fh_exit exit = parse_options(&run, argc, argv);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    if (!fh_address_parse(&wish, argv[optind + 1])) {
        return fh_usage_error("where",
                              "'%s' is no address: raw:N, user:N, ram:N, lba:N, msf:MM:SS:FF or "
                              "iso:/PATH, all but the first three also with +OFF",
                              fh_safe_path(argv[optind + 1]));
    }
    fh_sandbox box = fh_sandbox_begin();
    fh_sandbox_reads_source(&box, argv[optind]);
    const fh_exit entered = fh_sandbox_enter(&box, "where");
    return entered != FH_EXIT_OK ? entered : run_where(&run, argv[optind], argv[optind + 1], &wish);
}
