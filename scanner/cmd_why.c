/* framehound why: which check of each format rejects, or accepts, the bytes at an address. */
#include "aim.h"
#include "cmd.h"

#include "hunt/why.h"
#include "registry/registry.h"
#include "sandbox.h"
#include "spot_text.h"
#include "why_text.h"

#include <getopt.h>
#include <stdio.h>

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
    const fh_format *as; /* NULL: all */
    fh_aim aim;
    fh_out out;
} why_run;

/* ---- the answer ---- */

static void begin(why_run *run)
{
    fh_spot spot;
    fh_aim_spot(&run->aim, &spot, run->aim.gather.pos);
    if (run->is_json) {
        fh_out_str(&run->out, "{\"type\": \"why\"");
        fh_spot_json(&run->out, run->aim.path, &run->aim.gather.layout, &spot);
        fh_out_str(&run->out, ", \"formats\": [");
    } else {
        fh_spot_print(&run->out, run->aim.path, &run->aim.gather.layout, &spot);
    }
}

static void tell(why_run *run, const fh_why *why, const fh_exam *exam, bool is_first)
{
    if (run->is_json) {
        fh_out_str(&run->out, is_first ? "" : ", ");
        fh_why_json(&run->out, &run->aim.gather, why, exam);
    } else {
        fh_out_str(&run->out, "\n");
        fh_why_print(&run->out, &run->aim.gather, why, exam);
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
        if (!fh_why_ask(&why, &exam, &run->aim.gather, fh_formats[i])) {
            fh_complain("%s: out of memory", fh_safe_path(run->aim.path));
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
        return fh_take_layout("why", &run->aim.layout, optarg);
    default:
        return fh_common_option("why", c, argv);
    }
}

static fh_exit parse_options(why_run *run, int argc, char **argv)
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
    return argc - optind == 1 ? fh_aim_split(&run->aim, "why", argv[optind])
                              : fh_usage_error("why", "one SOURCE@ADDRESS is needed");
}

fh_exit fh_cmd_why(int argc, char **argv)
{
    why_run run = {.out = fh_out_make(stdout)};
    if (fh_wants_help(argc, argv)) {
        return fh_print_help(help);
    }
    fh_exit exit = parse_options(&run, argc, argv);
    if (exit == FH_EXIT_OK) {
        fh_sandbox box = fh_sandbox_begin();
        fh_sandbox_reads_source(&box, run.aim.path);
        exit = fh_sandbox_enter(&box, "why");
    }
    exit = exit == FH_EXIT_OK ? fh_aim_gather(&run.aim) : exit;
    if (exit == FH_EXIT_OK) {
        exit = ask(&run);
        exit = fh_worst(exit, fh_flush_stdout(fh_out_end(&run.out)));
    }
    fh_aim_free(&run.aim);
    return exit;
}
