/* framehound scan: find, verify, replay, record. */
#include "cmd.h"

#include "hunt/hunt.h"
#include "progress.h"
#include "registry/registry.h"
#include "reports/scan_text.h"
#include "source/image_rules.h"
#include "source/limits.h"
#include "source/memory.h"
#include "source/sheet_files.h"
#include "stored.h"
#include "walk.h"

#include <framehound/framehound.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
    "      --no-unpack       search archives, compressed files and control files of discs as they\n"
    "                        lie, instead of what is in them or named by them\n"
    "      --fail-on LEVEL   exit with 1 from this severity on: error, warning, note, never\n"
    "                        (default)\n"
    "      --progress WHEN   auto (default: on a terminal), always, never, json\n"
    "  -h, --help            this text\n"
    "\n"
    "FRAMEHOUND_BUSY_MS in the environment: milliseconds to wait for another writer of the\n"
    "database (default 10000).\n";

/* An asset whose line waits until its findings are counted. */
typedef struct pending {
    bool is_open;
    fh_asset_record record; /* without its hashes */
    char iso_path[FH_ISO_MAX_PATH];
    int64_t handle;
    fh_counts counts;
} pending;

/* An image file that a control file names: it is searched with its tracks, and once. */
typedef struct claimed {
    dev_t dev;
    ino_t ino;
    bool is_done;
} claimed;

typedef struct scan_run {
    fh_store *store;
    const char *db_path;
    fh_hunt_options hunt;
    const fh_format *formats[FH_MAX_RULE_TABLES];
    fh_progress_mode progress_mode;
    fh_progress progress;
    fh_fail_on fail_on;
    fh_scan_text text;
    const char *path;    /* of the open source */
    fh_scan_text before; /* as it was when the source was opened */
    int64_t num_links;   /* in containers, left out */
    claimed *claims;     /* owned */
    size_t num_claims;
    size_t max_claims;
    pending pending;
    fh_counts source_counts;
    fh_exit exit;
    bool is_over; /* the store failed or the user interrupted */
} scan_run;

static void print_pending(scan_run *run)
{
    if (run->pending.is_open) {
        fh_progress_wipe(&run->progress);
        fh_scan_text_asset(&run->text, run->path, &run->pending.record, &run->pending.counts);
        run->pending.is_open = false;
    }
}

static void store_failed(scan_run *run)
{
    fh_progress_wipe(&run->progress);
    run->exit = fh_worst(run->exit, fh_store_failed(run->store));
    run->is_over = true;
}

static bool on_asset(void *user, const fh_asset_record *asset, int64_t *handle)
{
    scan_run *run = user;
    print_pending(run);
    if (fh_store_asset(run->store, asset, handle) != FH_STORE_OK) {
        return false;
    }
    fh_text path = fh_text_make(run->pending.iso_path, sizeof run->pending.iso_path);
    fh_text_str(&path, asset->iso_path != NULL ? asset->iso_path : "");
    run->pending.is_open = true;
    run->pending.record = *asset;
    run->pending.handle = *handle;
    run->pending.counts = (fh_counts){{0}};
    run->pending.record.iso_path = asset->iso_path != NULL ? run->pending.iso_path : NULL;
    run->pending.record.sha256 = NULL;
    run->pending.record.pose_sha256 = NULL;
    run->pending.record.replay = NULL;
    return true;
}

/* What is wrong with the source itself stands between the lines of its assets; notes are in the
 * database only. */
static void print_source_finding(scan_run *run, const fh_finding_record *finding)
{
    if (finding->asset == FH_UNKNOWN && finding->severity > FH_NOTE) {
        print_pending(run);
        fh_progress_wipe(&run->progress);
        fh_scan_text_finding(&run->text, run->path, finding);
    }
}

static bool on_finding(void *user, const fh_finding_record *finding)
{
    scan_run *run = user;
    const bool is_pending = run->pending.is_open && finding->asset == run->pending.handle;
    fh_counts *counts = is_pending ? &run->pending.counts : &run->source_counts;
    counts->of[finding->severity]++;
    if (fh_fails(&run->fail_on, finding->severity)) {
        run->exit = fh_worst(run->exit, FH_EXIT_FINDINGS);
    }
    print_source_finding(run, finding);
    return fh_store_finding(run->store, finding) == FH_STORE_OK;
}

static bool on_base(void *user, uint32_t base)
{
    scan_run *run = user;
    return fh_store_base(run->store, FH_RAM_BASE, base, (int64_t)FH_RAM_MAX_LEN,
                         (int64_t)FH_RAM_LEN) == FH_STORE_OK;
}

static bool on_coverage(void *user, const fh_coverage_record *coverage)
{
    return fh_store_coverage(((scan_run *)user)->store, coverage) == FH_STORE_OK;
}

static void on_progress(void *user, const fh_hunt_progress *progress)
{
    fh_progress_show(&((scan_run *)user)->progress, progress);
}

/* A source of which nothing could be read: told, and recorded; what is known of it from an earlier
 * scan stays. */
static void record_unreadable(scan_run *run, const char *path, const char *why)
{
    const fh_source_record source = {.path = path,
                                     .kind = "file",
                                     .layout = "plain",
                                     .status = "unreadable",
                                     .size = FH_UNKNOWN};
    fh_finding finding = fh_finding_make(&fh_image_rules.rules[FH_IMG0001], "source");
    char message[FH_MESSAGE_LEN];
    fh_text found = fh_text_make(finding.found, sizeof finding.found);
    fh_text_str(fh_text_str(&found, "unreadable: "), why);
    const fh_finding_record record = fh_finding_to_record(&finding, message);
    const fh_counts counts = {{[FH_ERROR] = 1}};
    fh_complain("cannot read %s: %s; check the name and the permissions", fh_safe_path(path), why);
    run->exit = fh_worst(run->exit, FH_EXIT_IO);
    fh_scan_text_finding(&run->text, path, &record);
    fh_scan_text_source(&run->text, &source, &counts);
    if (fh_store_touch_unreadable(run->store, &source, &record) != FH_STORE_OK) {
        store_failed(run);
    }
}

static void end_source(scan_run *run, const fh_hunt_source *source, fh_hunt_status status)
{
    if (status == FH_HUNT_PARTIAL) {
        fh_complain("reading %s stopped: %s; what was found before is recorded",
                    fh_safe_path(run->path), source->error);
        run->exit = fh_worst(run->exit, FH_EXIT_IO);
    }
    if (source->hit_limit) {
        fh_complain("a limit stopped work on %s; see its findings", fh_safe_path(run->path));
        run->exit = FH_EXIT_LIMIT;
    }
    fh_scan_text_source(&run->text, &source->record, &run->source_counts);
    run->text.num_weak += (uint64_t)source->num_weak;
    if (fh_store_end_source(run->store, &source->record) != FH_STORE_OK) {
        store_failed(run);
    }
}

/* Ends the open source without keeping what was found of it. */
static void give_up(scan_run *run, const char *why, const fh_scan_text *before)
{
    const fh_out out = run->text.out;
    run->text = *before; /* the summary counts what is recorded */
    run->text.out = out;
    fh_complain("%s: %s; nothing of this source was recorded", fh_safe_path(run->path), why);
    run->exit = FH_EXIT_LIMIT;
    if (fh_store_drop_source(run->store) != FH_STORE_OK) {
        store_failed(run);
    }
}

static bool begin_source(void *user, const char *path)
{
    scan_run *run = user;
    run->path = path;
    run->before = run->text;
    run->source_counts = (fh_counts){{0}};
    if (fh_store_begin_source(run->store, path) != FH_STORE_OK) {
        store_failed(run);
        return false;
    }
    fh_progress_begin(&run->progress, run->progress_mode, path);
    return true;
}

/* What an earlier scan recorded of members that this one did not meet is about other bytes. */
static void forget_old_members(scan_run *run, const fh_hunt_source *source)
{
    if (!run->is_over &&
        fh_store_drop_old_members(run->store, source->record.path) != FH_STORE_OK) {
        store_failed(run);
    }
}

static void drop_unreadable(scan_run *run, const fh_hunt_source *source)
{
    if (fh_store_drop_source(run->store) != FH_STORE_OK) {
        store_failed(run);
    } else {
        record_unreadable(run, source->record.path, source->error);
    }
}

static bool finish_source(void *user, const fh_hunt_source *source, fh_hunt_status status)
{
    scan_run *run = user;
    print_pending(run);
    fh_progress_wipe(&run->progress);
    switch (status) {
    case FH_HUNT_OK:
    case FH_HUNT_PARTIAL:
        end_source(run, source, status);
        forget_old_members(run, source);
        break;
    case FH_HUNT_UNREADABLE:
        drop_unreadable(run, source);
        break;
    case FH_HUNT_STOPPED:
        give_up(run, "interrupted", &run->before);
        run->is_over = true;
        break;
    case FH_HUNT_SINK:
        store_failed(run);
        break;
    case FH_HUNT_NO_MEMORY:
        give_up(run, "out of memory", &run->before);
        break;
    }
    return !run->is_over;
}

static void scan_source(scan_run *run, const char *path)
{
    const fh_hunt_sink sink = {run, on_asset, on_finding, on_coverage, on_base};
    const fh_hunt_visitor visitor = {run, begin_source, finish_source};
    int64_t num_left_out = 0;
    fh_hunt_all(&num_left_out, path, &run->hunt, &sink, &visitor);
    run->num_links += num_left_out;
}

static bool is_same_file(const struct stat *file, const char *path, const char *suffix)
{
    char name[4096];
    struct stat other;
    fh_text text = fh_text_make(name, sizeof name);
    fh_text_str(fh_text_str(&text, path), suffix);
    return !text.cut && stat(name, &other) == 0 && file->st_dev == other.st_dev &&
           file->st_ino == other.st_ino;
}

/* The database and what SQLite keeps beside it are not sources. */
static bool is_own_database(const scan_run *run, const char *path)
{
    static const char *const suffixes[] = {"", "-journal", "-wal", "-shm"};
    struct stat file;
    if (strcmp(path, "-") == 0 || stat(path, &file) != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        if (is_same_file(&file, run->db_path, suffixes[i])) {
            return true;
        }
    }
    return false;
}

/* One name for one file: "./a" and ".//a" are "a"; but "./-" is not standard input. */
static const char *tidy(const char *path)
{
    const char *whole = path;
    while (path[0] == '.' && path[1] == '/') {
        path += 2;
        while (path[0] == '/') {
            path++;
        }
    }
    return strcmp(path, "-") == 0 || path[0] == '\0' ? whole : path;
}

/* ---- images of control files ----------------------------------------------------------------- */

static int by_file(const void *a, const void *b)
{
    const claimed *left = a;
    const claimed *right = b;
    if (left->dev != right->dev) {
        return left->dev < right->dev ? -1 : 1;
    }
    return left->ino < right->ino ? -1 : left->ino > right->ino ? 1 : 0;
}

/* The claim on a file, once all are known; NULL if there is none. Of a file that is claimed twice
 * it is always the same one. */
static claimed *find_claim(const scan_run *run, const char *path)
{
    struct stat file;
    if (run->num_claims == 0 || strcmp(path, "-") == 0 || stat(path, &file) != 0) {
        return NULL;
    }
    const claimed wanted = {file.st_dev, file.st_ino, false};
    return bsearch(&wanted, run->claims, run->num_claims, sizeof wanted, by_file);
}

/* Where there is no memory the image is searched twice: no harm. */
static void on_claim(void *user, const char *path)
{
    scan_run *run = user;
    struct stat file;
    if (stat(path, &file) != 0) {
        return;
    }
    if (run->num_claims == run->max_claims) {
        const size_t max = run->max_claims == 0 ? 16 : 2 * run->max_claims;
        claimed *more = realloc(run->claims, max * sizeof *more);
        if (more == NULL) {
            return;
        }
        run->claims = more;
        run->max_claims = max;
    }
    run->claims[run->num_claims++] = (claimed){file.st_dev, file.st_ino, false};
}

static void sort_claims(scan_run *run)
{
    size_t num = 0;
    if (run->num_claims > 0) {
        qsort(run->claims, run->num_claims, sizeof *run->claims, by_file);
    }
    for (size_t i = 0; i < run->num_claims; i++) {
        if (num == 0 || by_file(&run->claims[num - 1], &run->claims[i]) != 0) {
            run->claims[num++] = run->claims[i];
        }
    }
    run->num_claims = num;
}

static bool on_look(void *user, const char *path, bool explicit_name)
{
    (void)explicit_name;
    if (strcmp(path, "-") != 0) {
        fh_sheet_look(tidy(path), user, on_claim);
    }
    return !fh_interrupted(NULL);
}

/* What cannot be read is told when it is scanned. */
static void on_look_error(void *user, const char *path, const char *why)
{
    (void)user;
    (void)path;
    (void)why;
}

/* Finds the images that control files among the sources name, before any is searched. */
static void look_for_sheets(scan_run *run, char **sources)
{
    size_t num_left_out = 0;
    const fh_walk_sink sink = {run, on_look, on_look_error, &num_left_out};
    bool go_on = !run->hunt.as_it_lies;
    for (; *sources != NULL && go_on; sources++) {
        go_on = fh_walk(*sources, &sink);
    }
    sort_claims(run);
}

static bool wants_image(void *user, const char *path)
{
    const scan_run *run = user;
    claimed *claim = find_claim(run, path);
    if (is_own_database(run, path) || (claim != NULL && claim->is_done)) {
        return false;
    }
    if (claim != NULL) {
        claim->is_done = true;
    }
    return true;
}

static bool on_file(void *user, const char *path, bool explicit_name)
{
    scan_run *run = user;
    if (is_own_database(run, path)) {
        if (explicit_name) {
            fh_complain("%s is the database that this scan writes; left out", fh_safe_path(path));
        }
        return true;
    }
    if (find_claim(run, path) != NULL) {
        return true; /* its control file comes, or came */
    }
    scan_source(run, tidy(path));
    return !run->is_over && !fh_interrupted(NULL);
}

static void on_error(void *user, const char *path, const char *why)
{
    scan_run *run = user;
    if (!run->is_over) {
        record_unreadable(run, tidy(path), why);
    }
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

static bool is_chosen(const scan_run *run, const fh_format *format)
{
    for (size_t i = 0; i < run->hunt.num_formats; i++) {
        if (run->formats[i] == format) {
            return true;
        }
    }
    return false;
}

static fh_exit parse_formats(scan_run *run, const char *list)
{
    run->hunt.num_formats = 0;
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
    return run->hunt.num_formats > 0 ? FH_EXIT_OK : fh_usage_error("scan", "--formats is empty");
}

enum {
    OPTION_LAYOUT = 256,
    OPTION_ADDRESS_BASE,
    OPTION_CHECK_SECTORS,
    OPTION_MIN_EVIDENCE,
    OPTION_EVERY_OFFSET,
    OPTION_NO_REPLAY,
    OPTION_NO_UNPACK,
    OPTION_FAIL_ON,
    OPTION_PROGRESS
};

static fh_exit parse_address(scan_run *run, const char *word)
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

static fh_exit take_option(scan_run *run, int c, char **argv)
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
    default:
        return fh_option_error("scan", c, argv);
    }
}

static fh_exit parse_options(scan_run *run, int argc, char **argv)
{
    static const struct option options[] = {
        {"db", required_argument, NULL, 'o'},
        {"formats", required_argument, NULL, 'f'},
        {"layout", required_argument, NULL, OPTION_LAYOUT},
        {"address-base", required_argument, NULL, OPTION_ADDRESS_BASE},
        {"check-sectors", no_argument, NULL, OPTION_CHECK_SECTORS},
        {"min-evidence", required_argument, NULL, OPTION_MIN_EVIDENCE},
        {"every-offset", no_argument, NULL, OPTION_EVERY_OFFSET},
        {"no-replay", no_argument, NULL, OPTION_NO_REPLAY},
        {"no-unpack", no_argument, NULL, OPTION_NO_UNPACK},
        {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
        {"progress", required_argument, NULL, OPTION_PROGRESS},
        {0}};
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":o:f:", options, NULL)) != -1;) {
        const fh_exit exit = take_option(run, c, argv);
        if (exit != FH_EXIT_OK) {
            return exit;
        }
    }
    return optind < argc ? FH_EXIT_OK : fh_usage_error("scan", "no source given");
}

/* What the results depend on, for the scan table; the same for every way of saying it. */
static void describe_options(const scan_run *run, fh_text *out)
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
    fh_text_str(out, run->hunt.as_it_lies ? " no-unpack" : "");
}

static fh_exit begin(scan_run *run)
{
    char error[FH_STORE_ERROR_LEN];
    char described[256];
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    fh_text text = fh_text_make(described, sizeof described);
    uint32_t busy_ms = 0;
    const char *busy = getenv("FRAMEHOUND_BUSY_MS");
    if (busy != NULL && (!fh_parse_u32(&busy_ms, busy) || busy_ms > 3600000)) {
        return fh_usage_error("scan", "FRAMEHOUND_BUSY_MS is a number of milliseconds, not '%s'",
                              fh_safe_path(busy));
    }
    fh_store_options options = fh_store_asking;
    options.busy_ms = (int)busy_ms;
    const fh_store_status status =
        fh_store_open(&run->store, run->db_path, &options, error, sizeof error);
    if (status != FH_STORE_OK) {
        fh_complain("%s", error);
        return fh_store_exit(status);
    }
    describe_options(run, &text);
    if (fh_store_begin_scan(run->store, framehound_version(), fh_ruleset_version(), described,
                            tables, num_tables) != FH_STORE_OK) {
        store_failed(run);
    }
    return run->exit;
}

static void run_all(scan_run *run, char **sources)
{
    size_t num_left_out = 0;
    const fh_walk_sink sink = {run, on_file, on_error, &num_left_out};
    bool is_whole = true;
    look_for_sheets(run, sources);
    for (; *sources != NULL && is_whole; sources++) {
        is_whole = fh_walk(*sources, &sink) && !run->is_over;
    }
    fh_tell_left_out(num_left_out);
    if (run->num_links > 0) {
        fh_complain("%" PRId64 " links or devices in containers were left out; they have no bytes "
                    "of their own",
                    run->num_links);
    }
    if (!is_whole && fh_interrupted(NULL)) {
        run->exit = FH_EXIT_LIMIT;
    }
    if (fh_store_state(run->store) == FH_STORE_OK) {
        const char *status = is_whole ? "complete" : "interrupted";
        if (fh_store_end_scan(run->store, status) != FH_STORE_OK) {
            store_failed(run);
        }
    }
}

fh_exit fh_cmd_scan(int argc, char **argv)
{
    scan_run run = {.db_path = "framehound.db",
                    .fail_on = {.never = true},
                    .hunt = {.formats = fh_formats,
                             .num_formats = fh_num_formats,
                             .min_evidence = FH_MIN_EVIDENCE,
                             .replay = true}};
    if (fh_wants_help(argc, argv)) {
        (void)fputs(help, stdout);
        return fh_flush_stdout(0);
    }
    fh_exit exit = parse_options(&run, argc, argv);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    if (run.formats[0] != NULL) {
        run.hunt.formats = run.formats;
    }
    run.hunt.user = &run;
    run.hunt.stop = fh_interrupted;
    run.hunt.progress = on_progress;
    run.hunt.wants_image = wants_image;
    exit = begin(&run);
    if (run.store == NULL) {
        return exit;
    }
    fh_scan_text_begin(&run.text, stdout);
    if (!run.is_over) {
        run_all(&run, argv + optind);
    }
    run.exit = fh_worst(run.exit, fh_flush_stdout(fh_scan_text_end(&run.text)));
    fh_store_close(run.store);
    free(run.claims);
    return run.exit;
}
