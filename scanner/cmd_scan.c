/* framehound scan: find, verify, replay, record. */
#include "cmd.h"

#include "claims.h"
#include "gate/lists.h"
#include "haul.h"
#include "hunt/hunt.h"
#include "progress.h"
#include "registry/registry.h"
#include "reports/scan_text.h"
#include "ring.h"
#include "source/image_rules.h"
#include "source/limits.h"
#include "source/memory.h"
#include "stored.h"
#include "walk.h"

#include <framehound/framehound.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdatomic.h>
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
    "  -j, --jobs N          files that are searched at once (default: all cores); the results "
    "are\n"
    "                        the same for every N\n"
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

/* Sources that are written in one transaction, and how long they wait for it: a transaction takes
 * milliseconds for the disk, and a kill costs the work of half a second. */
#define GROUP_SOURCES 64
#define GROUP_MS 500

/* An asset whose line waits until its findings are counted. */
typedef struct pending {
    bool is_open;
    fh_asset_record record;         /* without its hashes */
    char iso_path[FH_ISO_MAX_PATH]; /* what the record leads to */
    char format[32];
    char grade[32];
    int64_t handle;
    fh_counts counts;
} pending;

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
    fh_claims claims;
    uint32_t num_jobs; /* 0: as many as there are processors */
    fh_ring *ring;
    const char *manifest; /* NULL: none */
    bool null;            /* names of the manifest end with a zero byte */
    fh_list list;         /* of it */
    uint32_t shard;       /* from 1; 0: all sources */
    uint32_t num_shards;
    bool wants_resume;
    fh_resumed resumed;
    int64_t num_places;  /* files of the walk so far, whosever they are */
    int64_t num_skipped; /* that an earlier run was done with */
    bool had_trouble;    /* with the open file: it is to be tried again */
    const char *shown;   /* path whose progress is shown; compared, not read */
    pending pending;
    fh_counts source_counts;
    fh_exit exit;
    bool is_over;           /* the store failed or the user interrupted */
    atomic_bool is_stopped; /* workers are told so */
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

static const char *kept(char *out, size_t size, const char *word)
{
    fh_text text = fh_text_make(out, size);
    fh_text_str(&text, word);
    return out;
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
    run->pending.record.format =
        kept(run->pending.format, sizeof run->pending.format, asset->format);
    run->pending.record.grade = kept(run->pending.grade, sizeof run->pending.grade, asset->grade);
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

/* A failure of the store is sticky and is told when the source ends. */
static void on_progress(void *user, const fh_hunt_progress *progress)
{
    scan_run *run = user;
    fh_progress_show(&run->progress, progress);
    (void)fh_store_settle(run->store);
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
    run->had_trouble = true;
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
        run->had_trouble = true;
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
    run->had_trouble = true;
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

static bool on_look(void *user, const char *path, bool explicit_name)
{
    (void)explicit_name;
    if (strcmp(path, "-") != 0) {
        fh_claims_look(&((scan_run *)user)->claims, tidy(path));
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
static void look_for_sheets(scan_run *run)
{
    size_t num_left_out = 0;
    const fh_walk_sink sink = {
        .user = run, .file = on_look, .error = on_look_error, .num_left_out = &num_left_out};
    bool go_on = !run->hunt.as_it_lies;
    for (size_t i = 0; i < run->list.num_names && go_on; i++) {
        go_on = fh_walk(run->list.names[i], &sink);
    }
    fh_claims_settle(&run->claims);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A file of the walk, or what hindered it, on its way round the ring. */
typedef struct job {
    fh_haul haul;
    char *why;     /* owned; NULL: a file */
    bool may_wait; /* reading may take any time: nothing is to wait for it */
    size_t sheet;
    int64_t place;
    int64_t stamp; /* FH_UNKNOWN: of no use */
    scan_run *run;
} job;

static bool wants_image(void *user, const char *path)
{
    const job *at = user;
    return !is_own_database(at->run, path) && fh_claims_take(&at->run->claims, at->sheet, path);
}

static bool is_stopped(void *user)
{
    const job *at = user;
    return fh_interrupted(NULL) || atomic_load(&at->run->is_stopped);
}

static void on_haul_progress(void *user, const fh_hunt_progress *progress)
{
    fh_haul *haul = &((job *)user)->haul;
    atomic_store(&haul->bytes, progress->bytes);
    atomic_store(&haul->size, progress->size);
    atomic_store(&haul->assets, progress->assets);
}

static void on_job_progress(void *user, const fh_hunt_progress *progress)
{
    on_progress(((job *)user)->run, progress);
}

static fh_hunt_options options_of(job *at)
{
    fh_hunt_options options = at->run->hunt;
    options.user = at;
    options.stop = is_stopped;
    options.wants_image = wants_image;
    return options;
}

static void *hire(void *user)
{
    return user; /* workers keep nothing between two files */
}

static void dismiss(void *user, void *worker)
{
    (void)user;
    (void)worker;
}

static void work(void *worker, void *item)
{
    job *at = item;
    fh_hunt_options options = options_of(at);
    options.progress = on_haul_progress;
    (void)worker;
    fh_haul_fill(&at->haul, &options);
}

/* Searches in the turn of the file, without a detour. */
static void search_here(scan_run *run, job *at)
{
    const fh_hunt_sink sink = {run, on_asset, on_finding, on_coverage, on_base, NULL};
    const fh_hunt_visitor visitor = {run, begin_source, finish_source};
    fh_hunt_options options = options_of(at);
    options.progress = on_job_progress;
    fh_hunt_all(&at->haul.num_left_out, at->haul.path, &options, &sink, &visitor);
}

static void play_haul(scan_run *run, const job *at)
{
    const fh_hunt_sink sink = {run, on_asset, on_finding, on_coverage, on_base, NULL};
    const fh_hunt_visitor visitor = {run, begin_source, finish_source};
    const int error = fh_haul_play(&at->haul, &sink, &visitor);
    if (error != 0) {
        fh_complain("the records of %s cannot be read back from temporary files: %s; set "
                    "SQLITE_TMPDIR to a directory on a sound disk and scan again",
                    fh_safe_path(at->haul.path), strerror(error));
        run->exit = fh_worst(run->exit, FH_EXIT_IO);
        run->is_over = true;
    }
}

static void tell_file(scan_run *run, job *at, bool is_worked)
{
    if (is_worked && !fh_haul_is_whole(&at->haul)) {
        fh_claims_give_back(&run->claims, at->sheet);
        is_worked = false;
    }
    if (is_worked) {
        play_haul(run, at);
    } else if (at->may_wait && fh_store_flush(run->store) != FH_STORE_OK) {
        store_failed(run);
    } else {
        search_here(run, at);
    }
    run->num_links += at->haul.num_left_out;
}

/* The file is done, and a scan that goes on with this one passes it over. */
static void note_visit(scan_run *run, const job *at)
{
    if (!run->is_over && !run->had_trouble && at->stamp != FH_UNKNOWN &&
        fh_store_visit(run->store, at->haul.path, at->stamp) != FH_STORE_OK) {
        store_failed(run);
    }
}

/* What is not begun when the user interrupts is left out. */
static void on_tell(void *user, void *item, bool is_worked)
{
    scan_run *run = user;
    job *at = item;
    if (!is_worked && fh_interrupted(NULL)) {
        fh_ring_stop(run->ring);
        return;
    }
    run->shown = NULL;
    run->had_trouble = false;
    fh_store_set_place(run->store, run->shard > 0 ? at->place : FH_UNKNOWN);
    if (at->why != NULL) {
        record_unreadable(run, at->haul.path, at->why);
    } else {
        tell_file(run, at, is_worked);
        note_visit(run, at);
    }
    if (run->is_over) {
        atomic_store(&run->is_stopped, true);
        fh_ring_stop(run->ring);
    }
}

static void on_drop(void *user, void *item)
{
    job *at = item;
    (void)user;
    fh_haul_free(&at->haul);
    free(at->why);
    free(at);
}

/* While the others wait for it the progress of the file whose turn it is is shown. */
static void on_idle(void *user, void *item)
{
    scan_run *run = user;
    job *at = item;
    const fh_hunt_progress progress = {atomic_load(&at->haul.bytes), atomic_load(&at->haul.size),
                                       atomic_load(&at->haul.assets)};
    if (run->shown != at->haul.path) {
        run->shown = at->haul.path;
        fh_progress_begin(&run->progress, run->progress_mode, at->haul.path);
    }
    on_progress(run, &progress);
}

static bool is_for_workers(const char *path)
{
    struct stat file;
    return strcmp(path, "-") != 0 && stat(path, &file) == 0 && S_ISREG(file.st_mode);
}

static bool out_of_memory(scan_run *run)
{
    fh_complain("not enough memory to go on: close other programs, or scan with -j1");
    run->exit = FH_EXIT_LIMIT;
    run->is_over = true;
    return false;
}

/* FNV-1a, 64 bits. */
static uint64_t add_to_sum(uint64_t sum, const void *bytes, size_t len)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < len; i++) {
        sum = (sum ^ at[i]) * 0x100000001b3u;
    }
    return sum;
}

#define FIRST_SUM 0xcbf29ce484222325u

/* Which shard a path belongs to depends on nothing but its bytes. The upper half of the sum is
 * where its bits are mixed best. */
static bool is_of_shard(const scan_run *run, const char *path)
{
    const uint64_t sum = add_to_sum(FIRST_SUM, path, strlen(path));
    return run->shard == 0 || (sum >> 32) % run->num_shards == run->shard - 1;
}

/* Size and time of change of a file and of the images that it names, as one number. */
static int64_t stamp_of(const scan_run *run, const char *path)
{
    struct stat file;
    if (strcmp(path, "-") == 0 || stat(path, &file) != 0 || !S_ISREG(file.st_mode)) {
        return FH_UNKNOWN;
    }
    const int64_t state[] = {(int64_t)file.st_size, (int64_t)file.st_mtim.tv_sec,
                             (int64_t)file.st_mtim.tv_nsec,
                             (int64_t)fh_claims_state(&run->claims, path)};
    return (int64_t)(add_to_sum(FIRST_SUM, state, sizeof state) >> 1);
}

static bool was_visited(scan_run *run, const char *path, int64_t stamp)
{
    bool was = false;
    if (!run->resumed.is_found || stamp == FH_UNKNOWN) {
        return false;
    }
    if (fh_store_was_visited(run->store, &was, path, stamp) != FH_STORE_OK) {
        store_failed(run);
    }
    run->num_skipped += was ? 1 : 0;
    return was;
}

static bool hand_in(scan_run *run, const char *path, const char *why, int64_t place)
{
    const int64_t stamp = why == NULL ? stamp_of(run, path) : FH_UNKNOWN;
    if (!is_of_shard(run, path) || was_visited(run, path, stamp)) {
        return !run->is_over;
    }
    job *at = calloc(1, sizeof *at);
    if (at == NULL || !fh_haul_make(&at->haul, path)) {
        free(at);
        return out_of_memory(run);
    }
    at->run = run;
    at->place = place;
    at->stamp = stamp;
    at->why = why == NULL ? NULL : strdup(why);
    if (why != NULL && at->why == NULL) {
        on_drop(run, at);
        return out_of_memory(run);
    }
    at->sheet = why == NULL ? fh_claims_sheet(&run->claims, path) : FH_NO_SHEET;
    at->may_wait = why == NULL && !is_for_workers(path);
    return fh_ring_put(run->ring, at, why == NULL && !at->may_wait) && !run->is_over;
}

static bool on_file(void *user, const char *path, bool explicit_name)
{
    scan_run *run = user;
    const int64_t place = run->num_places++;
    if (is_own_database(run, path)) {
        if (explicit_name) {
            fh_ring_settle(run->ring);
            fh_complain("%s is the database that this scan writes; left out", fh_safe_path(path));
        }
        return true;
    }
    if (fh_claims_has(&run->claims, path)) {
        return true; /* its control file comes, or came */
    }
    return hand_in(run, tidy(path), NULL, place);
}

static void on_error(void *user, const char *path, const char *why)
{
    scan_run *run = user;
    const int64_t place = run->num_places++;
    if (!run->is_over) {
        (void)hand_in(run, tidy(path), why, place);
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
    OPTION_PROGRESS,
    OPTION_MANIFEST,
    OPTION_SHARD,
    OPTION_RESUME
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

static fh_exit parse_shard(scan_run *run, const char *value)
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

static fh_exit take_option(scan_run *run, int c, char **argv)
{
    switch (c) {
    case 'o':
        run->db_path = optarg;
        return FH_EXIT_OK;
    case 'f':
        return parse_formats(run, optarg);
    case 'j':
        return fh_take_jobs("scan", &run->num_jobs, optarg);
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
    case '0':
        run->null = true;
        return FH_EXIT_OK;
    case OPTION_MANIFEST:
        run->manifest = optarg;
        return FH_EXIT_OK;
    case OPTION_SHARD:
        return parse_shard(run, optarg);
    case OPTION_RESUME:
        run->wants_resume = true;
        return FH_EXIT_OK;
    default:
        return fh_option_error("scan", c, argv);
    }
}

static fh_exit parse_options(scan_run *run, int argc, char **argv)
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
        {"no-replay", no_argument, NULL, OPTION_NO_REPLAY},
        {"no-unpack", no_argument, NULL, OPTION_NO_UNPACK},
        {"fail-on", required_argument, NULL, OPTION_FAIL_ON},
        {"progress", required_argument, NULL, OPTION_PROGRESS},
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
    if (run->shard > 0) { /* last: framehound merge takes it away */
        fh_text_u64(fh_text_str(out, " shard="), run->shard);
        fh_text_u64(fh_text_str(out, "/"), run->num_shards);
    }
}

/* What an earlier run found counts for the exit code, as if it were this one. */
static bool resume(scan_run *run, const fh_scan_record *scan)
{
    if (fh_store_resume(run->store, &run->resumed, scan) != FH_STORE_OK) {
        return false;
    }
    if (run->resumed.has_findings && fh_fails(&run->fail_on, run->resumed.worst)) {
        run->exit = FH_EXIT_FINDINGS;
    }
    if (run->resumed.hit_limit) {
        run->exit = FH_EXIT_LIMIT;
    }
    return true;
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
    options.max_group = GROUP_SOURCES;
    options.group_ms = GROUP_MS;
    const fh_store_status status =
        fh_store_open(&run->store, run->db_path, &options, error, sizeof error);
    if (status != FH_STORE_OK) {
        fh_complain("%s", error);
        return fh_store_exit(status);
    }
    describe_options(run, &text);
    const fh_scan_record scan = {framehound_version(), fh_ruleset_version(), described};
    if ((run->wants_resume && !resume(run, &scan)) ||
        (run->shard > 0 && fh_store_keep_places(run->store) != FH_STORE_OK) ||
        fh_store_begin_scan(run->store, framehound_version(), fh_ruleset_version(), described,
                            tables, num_tables) != FH_STORE_OK) {
        store_failed(run);
    }
    return run->exit;
}

/* Everything of the walk; false: it was ended before. */
static bool walk_all(scan_run *run)
{
    size_t num_left_out = 0;
    const fh_walk_sink sink = {
        .user = run, .file = on_file, .error = on_error, .num_left_out = &num_left_out};
    const fh_ring_sink ring_sink = {.user = run,
                                    .hire = hire,
                                    .work = work,
                                    .dismiss = dismiss,
                                    .tell = on_tell,
                                    .drop = on_drop,
                                    .idle = on_idle};
    bool is_whole = true;
    run->ring = fh_ring_begin(run->num_jobs > 0 ? run->num_jobs : fh_ring_default(), &ring_sink);
    if (run->ring == NULL) {
        return out_of_memory(run);
    }
    for (size_t i = 0; i < run->list.num_names && is_whole; i++) {
        is_whole = fh_walk(run->list.names[i], &sink) && !run->is_over;
    }
    is_whole = fh_ring_end(run->ring) && is_whole && !run->is_over;
    if (run->num_skipped > 0) {
        fh_complain("%" PRId64 " files were searched before the scan was broken off; they have not "
                    "changed and were passed over",
                    run->num_skipped);
    }
    fh_tell_left_out(num_left_out);
    return is_whole;
}

static void run_all(scan_run *run)
{
    look_for_sheets(run);
    const bool is_whole = walk_all(run);
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

/* The first column of a table, whose columns are separated by tabs, is the path. */
static void cut_columns(fh_list *list)
{
    for (size_t i = 0; i < list->num_names; i++) {
        list->names[i][strcspn(list->names[i], "\t")] = '\0';
    }
}

/* All that is to be scanned, in one list that ends with NULL: the arguments, then the manifest. */
static fh_exit read_manifest(scan_run *run, char **sources)
{
    fh_list *list = &run->list;
    bool is_ok = true;
    fh_exit exit = FH_EXIT_OK;
    for (; *sources != NULL && is_ok; sources++) {
        is_ok = fh_list_add(list, *sources);
    }
    if (is_ok && run->manifest != NULL) {
        exit = fh_list_read(list, run->manifest, run->null ? '\0' : '\n');
        if (!run->null) {
            cut_columns(list);
        }
    }
    if (!is_ok) {
        (void)out_of_memory(run);
    }
    return is_ok ? exit : FH_EXIT_LIMIT;
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
    exit = read_manifest(&run, argv + optind);
    if (exit == FH_EXIT_OK) {
        exit = begin(&run);
    }
    if (run.store == NULL) {
        fh_list_free(&run.list);
        return exit;
    }
    fh_scan_text_begin(&run.text, stdout);
    if (!run.is_over) {
        run_all(&run);
    }
    run.exit = fh_worst(run.exit, fh_flush_stdout(fh_scan_text_end(&run.text)));
    fh_store_close(run.store);
    fh_claims_free(&run.claims);
    fh_list_free(&run.list);
    return run.exit;
}
