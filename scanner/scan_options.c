/* The options of framehound scan. */
#include "scan.h"

#include "registry/registry.h"
#include "source/memory.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "Usage: framehound scan [OPTION...] SOURCE...\n"
    "\n"
    "Searches disc images, memory dumps and files (directories are walked; '-' is standard\n"
    "input), and those in archives and compressed files, for animations, verifies and replays\n"
    "each, records everything in an SQLite database and prints one line an asset, one for each\n"
    "error and warning about a source, and a summary. A source that is already in the database\n"
    "is replaced. In directories and archives symbolic links and devices are left out. A cue\n"
    "sheet, CCD or MDS stands for the image files beside it that it names.\n"
    "\n"
    "  -o, --db FILE         database (default framehound.db)\n"
    "  -f, --formats LIST    formats to look for: tod, hmd, tra, camerawork, separated by\n"
    "                        commas (default: all)\n"
    "      --manifest FILE   read more SOURCEs from a list, one a line, or a table whose first "
    "column\n"
    "                        (up to a tab) they are; '-': from standard input\n"
    "  -0, --null            names of the manifest end with a zero byte, and are all of it\n"
    "      --shard I/N       only the I-th of N parts of the sources; framehound merge joins the\n"
    "                        databases of all parts\n"
    "      --resume          go on with a scan of the same options that did not come to its end "
    "in\n"
    "                        this database: files that it was done with and that have kept size\n"
    "                        and time of change are passed over; without such a scan begin anew\n"
    "  -j, --jobs N          files that are searched, and assets that are examined, at once\n"
    "                        (default: all cores); the results are the same for every N\n"
    "      --layout LAYOUT   bytes a sector: auto (default, from the content), plain, 2048,\n"
    "                        2336, 2352, 2368, 2448\n"
    "      --address-base N  sources that are no disc images and no save states are dumps of main\n"
    "                        RAM whose first byte lay at N, such as 0x80010000\n"
    "      --check-sectors   check EDC and ECC of every sector of an image, not only of those "
    "that\n"
    "                        an asset lies on\n"
    "      --min-evidence N  bits that checks must have demanded of an asset (default: 48); with\n"
    "                        fewer it is only counted. 0: everything is told\n"
    "      --every-offset    try every byte offset, not only multiples of 4\n"
    "      --no-replay       verify only\n"
    "      --no-hash         leave out the SHA-256 of sources, which takes longer than the\n"
    "                        search; those of assets stay\n"
    "      --no-unpack       search archives, compressed files and control files of discs as they\n"
    "                        lie, instead of what is in them or named by them\n"
    "      --fail-on LEVEL   exit with 1 from this severity on: error, warning, note, never\n"
    "                        (default)\n"
    "      --worker on|off   examine candidates in processes that may die of them without ending\n"
    "                        the scan (default: on)\n"
    "      --time-limit SECONDS\n"
    "                        for examining one candidate in such a process (default: 120)\n"
    "      --max-memory MIB  for examining one candidate; it takes 8 MiB and 16 bytes for each of\n"
    "                        its own (default: what the largest asset needs)\n"
    "      --sandbox on|off|require\n"
    "                        give up what the work does not need: files that were not named, the\n"
    "                        network, other programs (default: on, as far as the system can;\n"
    "                        require: or end)\n"
    "      --progress WHEN   auto (default: on a terminal), always, never, json\n"
    "  -h, --help            this text\n"
    "\n"
    "FRAMEHOUND_BUSY_MS in the environment: milliseconds to wait for another writer of the\n"
    "database (default 10000).\n";

fh_exit fh_scan_help(void)
{
    return fh_print_help(help);
}

static const fh_format *format_named(const char *name, size_t len)
{
    for (size_t i = 0; i < fh_num_formats; i++) {
        if (strlen(fh_formats[i]->name) == len && strncmp(fh_formats[i]->name, name, len) == 0) {
            return fh_formats[i];
        }
    }
    return NULL;
}

static fh_exit unknown_format(const char *name, size_t len)
{
    char known[256];
    char word[64];
    fh_text text = fh_text_make(known, sizeof known);
    for (size_t i = 0; i < fh_num_formats; i++) {
        fh_text_str(fh_text_str(&text, i > 0 ? ", " : ""), fh_formats[i]->name);
    }
    text = fh_text_make(word, sizeof word);
    for (size_t i = 0; i < len; i++) {
        const char letter[2] = {name[i], '\0'};
        fh_text_str(&text, letter);
    }
    return fh_usage_error("scan", "no format is called '%s'; known is: %s", fh_safe_path(word),
                          known);
}

static bool is_chosen(const fh_scan_run *run, const fh_format *format)
{
    for (size_t i = 0; i < run->hunt.num_formats; i++) {
        if (run->formats[i] == format) {
            return true;
        }
    }
    return false;
}

static fh_exit parse_formats(fh_scan_run *run, const char *list)
{
    if (run->formats[0] == NULL) { /* not yet chosen: it stands for all */
        run->hunt.num_formats = 0;
    }
    for (const char *at = list; *at != '\0';) {
        const size_t len = strcspn(at, ",");
        const fh_format *format = format_named(at, len);
        if (format == NULL || run->hunt.num_formats == FH_MAX_RULE_TABLES) {
            return unknown_format(at, len);
        }
        if (!is_chosen(run, format)) {
            run->formats[run->hunt.num_formats++] = format;
        }
        at += len + (at[len] == ',' ? 1 : 0);
    }
    return list[0] != '\0' ? FH_EXIT_OK : fh_usage_error("scan", "--formats is empty");
}

enum {
    OPTION_LAYOUT = 256,
    OPTION_ADDRESS_BASE,
    OPTION_CHECK_SECTORS,
    OPTION_MIN_EVIDENCE,
    OPTION_EVERY_OFFSET,
    OPTION_NO_REPLAY,
    OPTION_NO_HASH,
    OPTION_NO_UNPACK,
    OPTION_FAIL_ON,
    OPTION_PROGRESS,
    OPTION_MANIFEST,
    OPTION_SHARD,
    OPTION_RESUME,
    OPTION_WORKER,
    OPTION_TIME_LIMIT,
    OPTION_MAX_MEMORY
};

static fh_exit parse_address(fh_scan_run *run, const char *word)
{
    run->hunt.has_address =
        fh_parse_word(&run->hunt.address, word) && fh_memory_is_address(run->hunt.address);
    return run->hunt.has_address
               ? FH_EXIT_OK
               : fh_usage_error("scan",
                                "--address-base is an address of main RAM: in the 8 MiB from 0, "
                                "0x80000000 or 0xa0000000 on, not '%s'",
                                fh_safe_path(word));
}

static fh_exit parse_shard(fh_scan_run *run, const char *value)
{
    char first[16];
    const char *slash = strchr(value, '/');
    fh_text text = fh_text_make(first, sizeof first);
    for (const char *at = value; slash != NULL && at < slash; at++) {
        const char letter[2] = {*at, '\0'};
        fh_text_str(&text, letter);
    }
    const bool is_ok = slash != NULL && !text.cut && fh_parse_u32(&run->shard, first) &&
                       fh_parse_u32(&run->num_shards, slash + 1) && run->shard > 0 &&
                       run->shard <= run->num_shards && run->num_shards <= FH_STORE_MAX_SHARDS;
    return is_ok ? FH_EXIT_OK
                 : fh_usage_error("scan",
                                  "--shard is I/N, the I-th of N shards, such as 2/8, not '%s'",
                                  fh_safe_path(value));
}

static fh_exit parse_worker(fh_scan_run *run, const char *value)
{
    run->has_cells = strcmp(value, "on") == 0;
    return run->has_cells || strcmp(value, "off") == 0
               ? FH_EXIT_OK
               : fh_usage_error("scan", "--worker is on or off, not '%s'", fh_safe_path(value));
}

/* A day is more than anybody waits for a file of 8 MiB. */
static fh_exit parse_time_limit(fh_scan_run *run, const char *value)
{
    return fh_parse_u32(&run->cells.seconds, value) && run->cells.seconds > 0 &&
                   run->cells.seconds <= 86400
               ? FH_EXIT_OK
               : fh_usage_error("scan",
                                "--time-limit is a number of seconds from 1 to 86400, not "
                                "'%s'",
                                fh_safe_path(value));
}

static fh_exit parse_max_memory(fh_scan_run *run, const char *value)
{
    uint32_t mib = 0;
    if (!fh_parse_u32(&mib, value) || mib == 0 || mib > 4095) {
        return fh_usage_error("scan", "--max-memory is a number of MiB from 1 to 4095, not '%s'",
                              fh_safe_path(value));
    }
    run->hunt.max_memory = (size_t)mib << 20;
    run->cells.max_memory = run->hunt.max_memory;
    return FH_EXIT_OK;
}

/* Options that say how much the work may take, and where it is done. */
static fh_exit take_limit(fh_scan_run *run, int c, char **argv)
{
    switch (c) {
    case 'j':
        return fh_take_jobs("scan", &run->num_jobs, optarg);
    case OPTION_WORKER:
        return parse_worker(run, optarg);
    case OPTION_TIME_LIMIT:
        return parse_time_limit(run, optarg);
    case OPTION_MAX_MEMORY:
        return parse_max_memory(run, optarg);
    default:
        return fh_common_option("scan", c, argv);
    }
}

static fh_exit take_manifest(fh_scan_run *run, const char *path)
{
    if (run->manifest != NULL) {
        return fh_usage_error("scan", "there is one --manifest; %s is the second: join them",
                              fh_safe_path(path));
    }
    run->manifest = path;
    return FH_EXIT_OK;
}

static fh_exit take_option(fh_scan_run *run, int c, char **argv)
{
    switch (c) {
    case 'o':
        run->db_path = optarg;
        return FH_EXIT_OK;
    case 'f':
        return parse_formats(run, optarg);
    case OPTION_LAYOUT:
        return fh_take_layout("scan", &run->hunt.layout, optarg);
    case OPTION_ADDRESS_BASE:
        return parse_address(run, optarg);
    case OPTION_CHECK_SECTORS:
        run->hunt.check_sectors = true;
        return FH_EXIT_OK;
    case OPTION_MIN_EVIDENCE:
        return fh_parse_u32(&run->hunt.min_evidence, optarg)
                   ? FH_EXIT_OK
                   : fh_usage_error("scan", "--min-evidence is a number of bits, not '%s'",
                                    fh_safe_path(optarg));
    case OPTION_EVERY_OFFSET:
        run->hunt.every_offset = true;
        return FH_EXIT_OK;
    case OPTION_NO_REPLAY:
        run->hunt.replay = false;
        return FH_EXIT_OK;
    case OPTION_NO_HASH:
        run->hunt.skips_hash = true;
        return FH_EXIT_OK;
    case OPTION_NO_UNPACK:
        run->hunt.as_it_lies = true;
        return FH_EXIT_OK;
    case OPTION_FAIL_ON:
        return fh_parse_fail_on(&run->fail_on, optarg)
                   ? FH_EXIT_OK
                   : fh_usage_error("scan", "--fail-on is error, warning, note or never, not '%s'",
                                    fh_safe_path(optarg));
    case OPTION_PROGRESS:
        return fh_progress_parse(&run->progress_mode, optarg)
                   ? FH_EXIT_OK
                   : fh_usage_error("scan", "--progress is auto, always, never or json, not '%s'",
                                    fh_safe_path(optarg));
    case '0':
        run->null = true;
        return FH_EXIT_OK;
    case OPTION_MANIFEST:
        return take_manifest(run, optarg);
    case OPTION_SHARD:
        return parse_shard(run, optarg);
    case OPTION_RESUME:
        run->wants_resume = true;
        return FH_EXIT_OK;
    default:
        return take_limit(run, c, argv);
    }
}

fh_exit fh_scan_options(fh_scan_run *run, int argc, char **argv)
{
    static const struct option options[] = {
        {"db", required_argument, NULL, 'o'},
        {"jobs", required_argument, NULL, 'j'},
        {"formats", required_argument, NULL, 'f'},
        {"layout", required_argument, NULL, OPTION_LAYOUT},
        {"address-base", required_argument, NULL, OPTION_ADDRESS_BASE},
        {"check-sectors", no_argument, NULL, OPTION_CHECK_SECTORS},
        {"min-evidence", required_argument, NULL, OPTION_MIN_EVIDENCE},
        {"every-offset", no_argument, NULL, OPTION_EVERY_OFFSET},
        {"manifest", required_argument, NULL, OPTION_MANIFEST},
        {"null", no_argument, NULL, '0'},
        {"shard", required_argument, NULL, OPTION_SHARD},
        {"resume", no_argument, NULL, OPTION_RESUME},
        {"worker", required_argument, NULL, OPTION_WORKER},
        {"time-limit", required_argument, NULL, OPTION_TIME_LIMIT},
        {"max-memory", required_argument, NULL, OPTION_MAX_MEMORY},
        {"no-replay", no_argument, NULL, OPTION_NO_REPLAY},
        {"no-hash", no_argument, NULL, OPTION_NO_HASH},
        {"no-unpack", no_argument, NULL, OPTION_NO_UNPACK},
        {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
        {"progress", required_argument, NULL, OPTION_PROGRESS},
        FH_COMMON_OPTIONS,
        {0}};
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":o:f:j:0", options, NULL)) != -1;) {
        const fh_exit exit = take_option(run, c, argv);
        if (exit != FH_EXIT_OK) {
            return exit;
        }
    }
    if (run->null && run->manifest == NULL) {
        return fh_usage_error("scan", "-0 goes with --manifest");
    }
    return optind < argc || run->manifest != NULL ? FH_EXIT_OK
                                                  : fh_usage_error("scan", "no source given");
}
void fh_scan_describe(const fh_scan_run *run, fh_text *out)
{
    fh_layout_choice choice = run->hunt.layout;
    static const char *const layouts[] = {"auto", "plain", "2048", "2336", "2352", "2368", "2448"};
    fh_text_str(out, "formats=");
    for (size_t i = 0; i < run->hunt.num_formats; i++) {
        fh_text_str(fh_text_str(out, i > 0 ? "," : ""), run->hunt.formats[i]->name);
    }
    fh_text_str(fh_text_str(out, " layout="), layouts[choice]);
    if (run->hunt.has_address) {
        fh_text_hex(fh_text_str(out, " address-base="), run->hunt.address, 8);
    }
    fh_text_str(out, run->hunt.check_sectors ? " check-sectors" : "");
    fh_text_u64(fh_text_str(out, " min-evidence="), run->hunt.min_evidence);
    fh_text_str(out, run->hunt.every_offset ? " every-offset" : "");
    fh_text_str(out, run->hunt.replay ? "" : " no-replay");
    fh_text_str(out, run->hunt.skips_hash ? " no-hash" : "");
    fh_text_str(out, run->hunt.as_it_lies ? " no-unpack" : "");
    if (run->hunt.max_memory > 0) {
        fh_text_u64(fh_text_str(out, " max-memory="), run->hunt.max_memory >> 20);
    }
    if (run->shard > 0) { /* last: framehound merge takes it away */
        fh_text_u64(fh_text_str(out, " shard="), run->shard);
        fh_text_u64(fh_text_str(out, "/"), run->num_shards);
    }
}
