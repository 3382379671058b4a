/* The files of a scan: from the walk round the ring of workers to the record. */
#include "scan.h"

#include "overwrites.h"
#include "walk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_same_file(const struct stat *file, const char *path, const char *suffix)
{
    char name[4096];
    struct stat other;
    fh_text text = fh_text_make(name, sizeof name);
    fh_text_str(fh_text_str(&text, path), suffix);
    return !text.cut && stat(name, &other) == 0 && fh_same_inode(file, &other);
}

/* The database and what SQLite keeps beside it are not sources. */
static bool is_own_database(const fh_scan_run *run, const char *path)
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

/* ---- nothing at all -------------------------------------------------------------------------- */

static bool is_missing(const char *path)
{
    struct stat there;
    return strcmp(path, "-") != 0 && lstat(path, &there) != 0 &&
           (errno == ENOENT || errno == ENOTDIR);
}

bool fh_scan_finds_nothing(const fh_scan_run *run)
{
    bool finds_nothing = run->list.num_names > 0 && is_missing(run->db_path);
    for (size_t i = 0; i < run->list.num_names && finds_nothing; i++) {
        finds_nothing = is_missing(run->list.names[i]);
    }
    return finds_nothing;
}

/* ---- images of control files ----------------------------------------------------------------- */

static bool on_look(void *user, const char *path, bool explicit_name)
{
    (void)explicit_name;
    if (strcmp(path, "-") != 0) {
        fh_claims_look(&((fh_scan_run *)user)->claims, fh_tidy_path(path));
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

/* The scan does the rest, and is not complete. */
static void on_cut_off(void *user, const char *path, const char *why)
{
    fh_scan_run *run = user;
    if (run->ring != NULL) {
        fh_ring_settle(run->ring);
    }
    fh_complain("the search through %s was cut off: %s; check the disk and the memory, then go on "
                "with --resume",
                fh_safe_path(path), why);
    run->exit = fh_worst(run->exit, FH_EXIT_IO);
    run->was_cut_off = true;
}

void fh_scan_look(fh_scan_run *run)
{
    size_t num_left_out = 0;
    const fh_walk_sink sink = {.user = run,
                               .file = on_look,
                               .error = on_look_error,
                               .cut_off = on_cut_off,
                               .num_left_out = &num_left_out};
    bool go_on = !run->hunt.as_it_lies;
    for (size_t i = 0; i < run->list.num_names && go_on; i++) {
        go_on = fh_walk(run->list.names[i], &sink);
    }
    fh_claims_settle(&run->claims);
}

/* ---- files on the ring ----------------------------------------------------------------------- */

/* A file of the walk, or what hindered it, on its way round the ring. */
typedef struct job {
    fh_haul haul;
    char *why;     /* owned; NULL: a file */
    bool may_wait; /* reading may take any time: nothing is to wait for it */
    size_t sheet;
    int64_t place;
    int64_t stamp; /* FH_UNKNOWN: of no use */
    fh_scan_run *run;
    fh_cell *cell; /* of the thread that searches it; borrowed */
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
    fh_scan_progress(((job *)user)->run, progress);
}

static fh_exam_end examine(void *user, void *self, fh_exam *exam, fh_finding *lost,
                           const fh_format *format, fh_cursor bytes, const fh_exam_options *options)
{
    job *at = user;
    fh_cell *cell = self != NULL ? self : at->cell;
    cell->stop = (fh_stop){is_stopped, at};
    return fh_cell_examine(cell, exam, lost, format, bytes, options);
}

static fh_hunt_options options_of(job *at, fh_cell *cell)
{
    fh_hunt_options options = at->run->hunt;
    at->cell = cell;
    options.user = at;
    options.examine = at->run->nursery != NULL ? examine : NULL;
    options.stop = is_stopped;
    options.wants_image = wants_image;
    return options;
}

static void *hire(void *user)
{
    fh_cell *cell = calloc(1, sizeof *cell);
    if (cell != NULL) {
        cell->nursery = ((fh_scan_run *)user)->nursery;
    }
    return cell;
}

static void dismiss(void *user, void *worker)
{
    (void)user;
    fh_cell_free(worker);
    free(worker);
}

static void work(void *worker, void *item)
{
    job *at = item;
    fh_hunt_options options = options_of(at, worker);
    options.progress = on_haul_progress;
    fh_haul_fill(&at->haul, &options);
}

/* Searches in the turn of the file, without a detour. */
static void search_here(fh_scan_run *run, job *at)
{
    const fh_hunt_sink sink = fh_scan_sink(run);
    const fh_hunt_visitor visitor = fh_scan_visitor(run);
    fh_hunt_options options = options_of(at, &run->cell);
    options.progress = on_job_progress;
    fh_hunt_all(&at->haul.num_left_out, at->haul.path, &options, &sink, &visitor);
}

static void play_haul(fh_scan_run *run, const job *at)
{
    const fh_hunt_sink sink = fh_scan_sink(run);
    const fh_hunt_visitor visitor = fh_scan_visitor(run);
    const int error = fh_haul_play(&at->haul, &sink, &visitor);
    if (error == ENOMEM) {
        (void)fh_scan_no_memory(run);
    } else if (error != 0) {
        fh_complain("the records of %s cannot be read back from temporary files: %s; set "
                    "SQLITE_TMPDIR to a directory on a sound disk and scan again",
                    fh_safe_path(at->haul.path), strerror(error));
        run->exit = fh_worst(run->exit, FH_EXIT_IO);
        run->is_over = true;
    }
}

static void tell_file(fh_scan_run *run, job *at, bool is_worked)
{
    if (is_worked && !fh_haul_is_whole(&at->haul)) {
        fh_claims_give_back(&run->claims, at->sheet);
        is_worked = false;
    }
    if (is_worked) {
        play_haul(run, at);
    } else if (at->may_wait && fh_store_flush(run->store) != FH_STORE_OK) {
        fh_scan_store_failed(run);
    } else {
        search_here(run, at);
    }
    run->num_links += at->haul.num_left_out;
}

/* The file is done, and a scan that goes on with this one passes it over. */
static void note_visit(fh_scan_run *run, const job *at)
{
    if (!run->is_over && !run->had_trouble && at->stamp != FH_UNKNOWN &&
        fh_store_visit(run->store, at->haul.path, at->stamp) != FH_STORE_OK) {
        fh_scan_store_failed(run);
    }
}

/* What is not begun when the user interrupts is left out. */
static void on_tell(void *user, void *item, bool is_worked)
{
    fh_scan_run *run = user;
    job *at = item;
    if (!is_worked && fh_interrupted(NULL)) {
        fh_ring_stop(run->ring);
        return;
    }
    run->shown = NULL;
    run->had_trouble = false;
    fh_store_set_place(run->store, run->shard > 0 ? at->place : FH_UNKNOWN);
    if (at->why != NULL) {
        fh_scan_unreadable(run, at->haul.path, at->why);
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
    fh_scan_run *run = user;
    job *at = item;
    const fh_hunt_progress progress = {atomic_load(&at->haul.bytes), atomic_load(&at->haul.size),
                                       atomic_load(&at->haul.assets)};
    if (run->shown != at->haul.path) {
        run->shown = at->haul.path;
        fh_progress_begin(&run->progress, run->progress_mode, at->haul.path);
    }
    fh_scan_progress(run, &progress);
}

static bool is_for_workers(const char *path)
{
    struct stat file;
    return strcmp(path, "-") != 0 && stat(path, &file) == 0 && S_ISREG(file.st_mode);
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

/* Its bytes, the lowest first. */
static uint64_t add_number(uint64_t sum, int64_t number)
{
    unsigned char bytes[8];
    for (unsigned i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)((uint64_t)number >> (8 * i));
    }
    return add_to_sum(sum, bytes, sizeof bytes);
}

/* Which shard a path belongs to depends on nothing but its bytes. The upper half of the sum is
 * where its bits are mixed best. */
static bool is_of_shard(const fh_scan_run *run, const char *path)
{
    const uint64_t sum = add_to_sum(FIRST_SUM, path, strlen(path));
    return run->shard == 0 || (sum >> 32) % run->num_shards == run->shard - 1;
}

/* Size and time of change of a file and of the images that it names, as one number. */
static int64_t stamp_of(const fh_scan_run *run, const char *path)
{
    struct stat file;
    if (strcmp(path, "-") == 0 || stat(path, &file) != 0 || !S_ISREG(file.st_mode)) {
        return FH_UNKNOWN;
    }
    const int64_t state[] = {(int64_t)file.st_size, (int64_t)file.st_mtim.tv_sec,
                             (int64_t)file.st_mtim.tv_nsec,
                             (int64_t)fh_claims_state(&run->claims, path)};
    uint64_t sum = FIRST_SUM;
    for (size_t i = 0; i < sizeof state / sizeof state[0]; i++) {
        sum = add_number(sum, state[i]);
    }
    return (int64_t)(sum >> 1);
}

static bool was_visited(fh_scan_run *run, const char *path, int64_t stamp)
{
    bool was = false;
    if (!run->resumed.is_found || stamp == FH_UNKNOWN) {
        return false;
    }
    if (fh_store_was_visited(run->store, &was, path, stamp) != FH_STORE_OK) {
        fh_scan_store_failed(run);
    }
    run->num_skipped += was ? 1 : 0;
    return was;
}

/* One name leads to no path twice, so that nothing has to be kept. */
static bool is_met_again(fh_scan_run *run, const char *path)
{
    bool is_again = false;
    if (run->list.num_names > 1 && !fh_met_note(&run->met, &is_again, path)) {
        (void)fh_scan_no_memory(run);
    }
    return is_again;
}

static bool hand_in(fh_scan_run *run, const char *path, const char *why, int64_t place)
{
    const int64_t stamp = why == NULL ? stamp_of(run, path) : FH_UNKNOWN;
    if (!is_of_shard(run, path) || is_met_again(run, path) || run->is_over ||
        was_visited(run, path, stamp)) {
        return !run->is_over;
    }
    job *at = calloc(1, sizeof *at);
    if (at == NULL || !fh_haul_make(&at->haul, path)) {
        free(at);
        return fh_scan_no_memory(run);
    }
    at->run = run;
    at->place = place;
    at->stamp = stamp;
    at->why = why == NULL ? NULL : strdup(why);
    if (why != NULL && at->why == NULL) {
        on_drop(run, at);
        return fh_scan_no_memory(run);
    }
    at->sheet = why == NULL ? fh_claims_sheet(&run->claims, path) : FH_NO_SHEET;
    at->may_wait = why == NULL && !is_for_workers(path);
    return fh_ring_put(run->ring, at, why == NULL && !at->may_wait) && !run->is_over;
}

static bool on_file(void *user, const char *path, bool explicit_name)
{
    fh_scan_run *run = user;
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
    return hand_in(run, fh_tidy_path(path), NULL, place);
}

static void on_error(void *user, const char *path, const char *why)
{
    fh_scan_run *run = user;
    const int64_t place = run->num_places++;
    if (!run->is_over) {
        (void)hand_in(run, fh_tidy_path(path), why, place);
    }
}

/* The threads that examine for all those that search. Where there is one job, each examines what it
 * has found by itself. */
static bool raise_crew(fh_scan_run *run, unsigned num_jobs)
{
    const fh_crew_staff staff = {run, hire, dismiss};
    if (num_jobs == 1) {
        return true;
    }
    run->hunt.crew = fh_crew_begin(num_jobs - 1, &staff);
    return run->hunt.crew != NULL;
}

bool fh_scan_walk(fh_scan_run *run)
{
    size_t num_left_out = 0;
    const fh_walk_sink sink = {.user = run,
                               .file = on_file,
                               .error = on_error,
                               .cut_off = on_cut_off,
                               .num_left_out = &num_left_out};
    const fh_ring_sink ring_sink = {.user = run,
                                    .hire = hire,
                                    .work = work,
                                    .dismiss = dismiss,
                                    .tell = on_tell,
                                    .drop = on_drop,
                                    .idle = on_idle};
    bool is_whole = true;
    const unsigned num_jobs = run->num_jobs > 0 ? run->num_jobs : fh_ring_default();
    run->hunt.is_helped = num_jobs > 1;
    if (!raise_crew(run, num_jobs)) {
        return fh_scan_no_memory(run);
    }
    run->ring = fh_ring_begin(num_jobs, &ring_sink);
    if (run->ring == NULL) {
        fh_crew_end(run->hunt.crew);
        return fh_scan_no_memory(run);
    }
    for (size_t i = 0; i < run->list.num_names && is_whole; i++) {
        is_whole = fh_walk(run->list.names[i], &sink) && !run->is_over;
    }
    is_whole = fh_ring_end(run->ring) && is_whole && !run->is_over;
    fh_crew_end(run->hunt.crew);
    if (run->num_skipped > 0) {
        fh_complain("passed over, because they were searched before the scan was broken off and "
                    "have not changed; files: %" PRId64,
                    run->num_skipped);
    }
    fh_met_tell(&run->met);
    fh_tell_left_out(num_left_out);
    return is_whole && !run->was_cut_off;
}
