/* framehound scan: find, verify, replay, record. */
#include "scan.h"

#include "registry/registry.h"
#include "sandbox.h"

#include <errno.h>
#include <framehound/framehound.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Sources that are written in one transaction, and how long they wait for it: a transaction takes
 * milliseconds for the disk, and a kill costs the work of half a second. */
#define GROUP_SOURCES 64
#define GROUP_MS 500

bool fh_scan_no_memory(fh_scan_run *run)
{
    fh_complain("not enough memory to go on: close other programs, or scan with -j1");
    run->exit = FH_EXIT_LIMIT;
    run->is_over = true;
    return false;
}

/* What is gone on with, or why everything begins anew. */
static void tell_resumed(const fh_scan_run *run)
{
    const fh_resumed *resumed = &run->resumed;
    const char *path = fh_safe_path(run->db_path);
    if (resumed->is_found && !resumed->was_complete) {
        fh_complain("going on with the scan in %s that was broken off; files done: %" PRId64, path,
                    resumed->num_visits);
    } else if (resumed->is_found) {
        fh_complain("the last scan in %s came to its end; everything is searched anew", path);
    } else if (resumed->num_others > 0) {
        fh_complain("what was broken off in %s had other options, or was another version; "
                    "everything is searched anew",
                    path);
    } else {
        fh_complain("no scan was broken off in %s; everything is searched", path);
    }
}

/* Another list would lose what only the broken-off scan was asked for, and call it complete. */
static void tell_other_sources(const fh_scan_run *run)
{
    const fh_resumed *resumed = &run->resumed;
    const size_t n = (size_t)resumed->other_n;
    const char *was = resumed->other_source;
    const char *is = n <= run->list.num_names ? run->list.names[n - 1] : NULL;
    fh_complain("the scan in %s that was broken off was asked for other sources: its number %zu "
                "was %s%s, not %s%s; name the same ones in the same order to go on with it, or "
                "scan without --resume, which searches everything anew; nothing was done",
                fh_safe_path(run->db_path), n, was != NULL ? "" : "none",
                was != NULL ? fh_safe_path(was) : "", is != NULL ? "" : "none",
                is != NULL ? fh_safe_path(is) : "");
}

/* What an earlier run found counts for the exit code, as if it were this one. */
static bool resume(fh_scan_run *run, const fh_scan_record *scan)
{
    if (fh_store_resume(run->store, &run->resumed, scan) != FH_STORE_OK) {
        return false;
    }
    if (run->resumed.has_other_part) {
        fh_complain(
            "the scan in %s that was broken off was of another --shard, or of none; use the "
            "same one to go on with it, or another database; nothing was done",
            fh_safe_path(run->db_path));
        return true;
    }
    if (run->resumed.has_other_sources) {
        tell_other_sources(run);
        return true;
    }
    tell_resumed(run);
    if (run->resumed.has_findings && fh_fails(&run->fail_on, run->resumed.worst)) {
        run->exit = FH_EXIT_FINDINGS;
    }
    if (run->resumed.hit_limit) {
        run->exit = FH_EXIT_LIMIT;
    }
    return true;
}

static fh_exit begin(fh_scan_run *run)
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
    options.defers = true;
    const fh_store_status status =
        fh_store_open(&run->store, run->db_path, &options, error, sizeof error);
    if (status != FH_STORE_OK) {
        fh_complain("%s", error);
        return fh_store_exit(status);
    }
    fh_scan_describe(run, &text);
    const fh_scan_record scan = {framehound_version(), fh_ruleset_version(), described};
    fh_store_want(run->store, (const char *const *)run->list.names, run->list.num_names);
    const bool is_resumed = !run->wants_resume || resume(run, &scan);
    if (run->resumed.has_other_sources || run->resumed.has_other_part) {
        fh_store_close(run->store);
        run->store = NULL;
        return FH_EXIT_USAGE;
    }
    if (!is_resumed || (run->shard > 0 && fh_store_keep_places(run->store) != FH_STORE_OK) ||
        fh_store_begin_scan(run->store, framehound_version(), fh_ruleset_version(), described,
                            tables, num_tables) != FH_STORE_OK) {
        fh_scan_store_failed(run);
    }
    return run->exit;
}

static void allow_sources(fh_sandbox *box, const fh_scan_run *run)
{
    for (size_t i = 0; i < run->list.num_names; i++) {
        fh_sandbox_reads_around(box, run->list.names[i]);
    }
}

static void on_image(void *user, const char *path)
{
    fh_sandbox_reads_around(user, path);
}

/* Two walls: nothing is written but the database and nothing started from here on; then, when the
 * control files have been looked at, nothing is read but the sources and the images they name. */
static fh_exit look_in_sandbox(fh_scan_run *run)
{
    fh_sandbox outer = fh_sandbox_begin();
    fh_sandbox inner = fh_sandbox_begin();
    fh_sandbox_reads_all(&outer);
    fh_sandbox_writes_beside(&outer, run->db_path);
    fh_sandbox_writes_beside(&inner, run->db_path);
    allow_sources(&inner, run);
    inner.only_files = true;
    fh_exit exit = fh_sandbox_enter(&outer, "scan");
    run->claims.image = on_image;
    run->claims.user = &inner;
    if (exit == FH_EXIT_OK) {
        fh_scan_look(run);
        exit = fh_sandbox_enter(&inner, "scan");
    }
    fh_sandbox_drop(&inner);
    run->claims.image = NULL;
    run->claims.user = NULL;
    return exit;
}

/* What was printed is more than what is recorded, when a group of sources could not be written. */
static void tell_unrecorded(const fh_scan_run *run)
{
    const uint64_t told = run->text.num_sources;
    const uint64_t recorded = fh_store_num_recorded(run->store);
    fh_complain("the scan is not complete; sources that were searched and are not recorded: "
                "%" PRIu64 " of %" PRIu64 "; once the database can be written again, scan "
                "--resume with the same sources goes on",
                told > recorded ? told - recorded : 0, told);
}

static void run_all(fh_scan_run *run)
{
    const fh_exit entered = look_in_sandbox(run);
    if (entered != FH_EXIT_OK) {
        run->exit = entered;
        run->is_over = true;
        return;
    }
    const bool is_whole = fh_scan_walk(run);
    if (run->num_links > 0) {
        fh_complain("%" PRId64 " links or devices in containers were left out; they have no bytes "
                    "of their own",
                    run->num_links);
    }
    if (!is_whole && fh_interrupted(NULL)) {
        fh_complain("interrupted; what was not done by then is not recorded: --resume goes on");
        run->exit = FH_EXIT_LIMIT;
    }
    if (fh_store_state(run->store) == FH_STORE_OK) {
        const char *status = is_whole ? "complete" : "interrupted";
        if (fh_store_end_scan(run->store, status) != FH_STORE_OK) {
            fh_scan_store_failed(run);
        }
    }
    if (fh_store_state(run->store) != FH_STORE_OK) {
        tell_unrecorded(run);
    }
}

/* Names of a manifest, from the one numbered first on, that can be none. One that looks like a list
 * of lines was read as one name: with -0 that is what becomes of it. */
static fh_exit check_manifest(const fh_scan_run *run, size_t first)
{
    const fh_list *list = &run->list;
    const bool is_stdin = strcmp(run->manifest, "-") == 0;
    const char *path = is_stdin ? "standard input" : fh_safe_path(run->manifest);
    struct stat there;
    if (list->num_names == 0) {
        return fh_usage_error("scan", "list %s: it names no source", path);
    }
    if (list->num_names > first && strncmp(list->names[first], "\xef\xbb\xbf", 3) == 0 &&
        lstat(list->names[first], &there) != 0) {
        return fh_usage_error("scan", "list %s: it begins with a byte order mark; write it without",
                              path);
    }
    for (size_t i = first; i < list->num_names; i++) {
        if (list->names[i][0] == '\0') {
            return fh_usage_error("scan", "list %s: a line whose first column is empty", path);
        }
    }
    if (run->null && list->num_names == first + 1 && strchr(list->names[first], '\n') != NULL &&
        lstat(list->names[first], &there) != 0) {
        return fh_usage_error("scan",
                              "list %s: one name of several lines, which is no file; leave -0 out "
                              "if each line is a name",
                              path);
    }
    return FH_EXIT_OK;
}

/* All that is to be scanned, in one list that ends with NULL: the arguments, then the manifest. */
static fh_exit read_manifest(fh_scan_run *run, char **sources)
{
    fh_list *list = &run->list;
    bool is_ok = true;
    fh_exit exit = FH_EXIT_OK;
    for (; *sources != NULL && is_ok; sources++) {
        is_ok = fh_list_add(list, *sources);
    }
    if (is_ok && run->manifest != NULL) {
        const size_t first = list->num_names;
        exit = fh_list_read(list, "scan", run->manifest, run->null ? '\0' : '\n');
        if (!run->null) {
            fh_list_cut_columns(list, first);
        }
        exit = exit == FH_EXIT_OK ? check_manifest(run, first) : exit;
    }
    if (!is_ok) {
        (void)fh_scan_no_memory(run);
    }
    return is_ok ? exit : FH_EXIT_LIMIT;
}

/* Before the database is open, so that only this process has it. */
static void raise_nursery(fh_scan_run *run)
{
    if (!run->has_cells) {
        return;
    }
    run->nursery = fh_nursery_begin(&run->cells);
    run->cell.nursery = run->nursery;
    if (run->nursery == NULL) {
        fh_complain("no process can be started to examine candidates in: %s; they are examined in "
                    "this one",
                    strerror(errno));
    }
}

static fh_exit tell_nothing(const fh_scan_run *run)
{
    for (size_t i = 0; i < run->list.num_names; i++) {
        fh_complain_of_input(run->list.names[i], strerror(ENOENT));
    }
    fh_complain("nothing was scanned, and no database is made");
    return FH_EXIT_IO;
}

fh_exit fh_cmd_scan(int argc, char **argv)
{
    fh_scan_run run = {.db_path = "framehound.db",
                       .fail_on = {.never = true},
                       .has_cells = true,
                       .cells = {.seconds = FH_TIME_LIMIT},
                       .hunt = {.formats = fh_formats,
                                .num_formats = fh_num_formats,
                                .min_evidence = FH_MIN_EVIDENCE,
                                .replay = true}};
    if (fh_wants_help(argc, argv)) {
        return fh_scan_help();
    }
    fh_exit exit = fh_scan_options(&run, argc, argv);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    if (run.formats[0] != NULL) {
        run.hunt.formats = run.formats;
    }
    exit = read_manifest(&run, argv + optind);
    if (exit == FH_EXIT_OK) {
        raise_nursery(&run);
        exit = fh_scan_finds_nothing(&run) ? tell_nothing(&run) : begin(&run);
    }
    if (run.store == NULL) {
        fh_nursery_end(run.nursery);
        fh_list_free(&run.list);
        return exit;
    }
    fh_scan_text_begin(&run.text, stdout);
    if (!run.is_over) {
        run_all(&run);
    }
    run.exit = fh_worst(run.exit, fh_flush_stdout(fh_scan_text_end(&run.text)));
    fh_store_close(run.store);
    fh_cell_free(&run.cell);
    fh_nursery_end(run.nursery);
    fh_claims_free(&run.claims);
    fh_met_free(&run.met);
    fh_list_free(&run.list);
    return run.exit;
}
