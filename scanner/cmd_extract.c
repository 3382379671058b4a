/* framehound extract: recorded assets as files. */
#include "extraction.h"

#include "asset_load.h"
#include "id_list.h"
#include "sandbox.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void tell_sums(fh_extraction *run)
{
    const char *what = run->is_dry ? "to write" : "written";
    fh_out_count(&run->out, run->num_written + run->num_there + run->num_failed, "asset");
    fh_out_fmt(&run->out,
               ": %" PRIu64 " %s, %" PRIu64 " there already, %" PRIu64 " not extracted\n",
               run->num_written, what, run->num_there, run->num_failed);
}

static void run_on_folder(fh_extraction *run, const int64_t *ids, size_t num_ids)
{
    if (!fh_folder_open(&run->folder, run->directory, run->is_dry)) {
        fh_complain("cannot write to the directory %s: %s; choose another one with --directory",
                    fh_safe_path(run->directory), strerror(errno));
        run->exit = fh_worst(run->exit, FH_EXIT_IO);
        return;
    }
    if (fh_extraction_all(run, ids, num_ids)) {
        tell_sums(run);
    }
    fh_folder_close(&run->folder);
}

/* What was asked for by number and is not there. */
static void tell_missing(fh_extraction *run, const int64_t *ids, size_t num_ids)
{
    int64_t first = 0;
    int64_t last = 0;
    for (const char *at = run->ids; at != NULL && *at != '\0';) {
        const char *next = fh_id_list_next(at, &first, &last);
        const size_t len = next == NULL ? strlen(at) : strcspn(at, ",");
        size_t i = 0;
        while (i < num_ids && (ids[i] < first || ids[i] > last)) {
            i++;
        }
        if (i == num_ids) {
            fh_complain("--ids %.*s: the database has no such asset, or not of that format and "
                        "grade; its view v_assets lists them",
                        (int)len, at);
            run->exit = fh_worst(run->exit, FH_EXIT_IO);
        }
        at = next;
    }
}

static fh_exit run_extract(fh_extraction *run)
{
    const fh_asset_filter filter = {run, fh_extraction_wants};
    int64_t *ids = NULL;
    size_t num_ids = 0;
    if (fh_store_list_assets(run->store, &ids, &num_ids, &filter) != FH_STORE_OK) {
        fh_extraction_store_failed(run);
        return run->exit;
    }
    tell_missing(run, ids, num_ids);
    run_on_folder(run, ids, num_ids);
    free(ids);
    if (fh_interrupted(NULL)) {
        fh_complain("interrupted; what was written is whole");
        run->exit = FH_EXIT_LIMIT;
    }
    return fh_worst(run->exit, fh_flush_stdout(fh_out_end(&run->out)));
}

/* The folder that is extracted into is made in the one around it. */
static void allow_making(fh_sandbox *box, const char *directory)
{
    char path[PATH_MAX];
    size_t len = strlen(directory);
    while (len > 1 && directory[len - 1] == '/') {
        len--;
    }
    if (len < sizeof path) {
        memcpy(path, directory, len);
        path[len] = '\0';
        fh_sandbox_writes_beside(box, path);
    }
}

/* Two walls, for the database is not to be trusted, and the folder has to be there to be allowed,
 * but is made for a database only: within the first it is opened and the folder made, within the
 * second nothing is written but into that folder, beside the database, and among temporary files. A
 * database says which files its assets are in.
 * What hinders making the folder is told when it is used. */
static fh_exit open_in_sandbox(fh_extraction *run, const char *db)
{
    fh_sandbox outer = fh_sandbox_begin();
    fh_sandbox inner = fh_sandbox_begin();
    fh_folder folder;
    fh_sandbox_reads_all(&outer);
    fh_sandbox_reads_all(&inner);
    fh_sandbox_writes_beside(&outer, db);
    fh_sandbox_writes_beside(&inner, db);
    if (!run->is_dry) {
        allow_making(&outer, run->directory);
    }
    inner.only_files = true;
    fh_exit exit = fh_sandbox_enter(&outer, "extract");
    if (exit == FH_EXIT_OK) {
        exit = fh_stored_open(&run->store, db);
    }
    if (exit == FH_EXIT_OK) {
        fh_stored_warn(run->store, db);
        if (!run->is_dry && fh_folder_open(&folder, run->directory, false)) {
            fh_folder_close(&folder);
        }
        fh_sandbox_writes(&inner, run->directory);
        exit = fh_sandbox_enter(&inner, "extract");
    }
    fh_sandbox_drop(&inner);
    return exit;
}

/* DB:ID is what other commands call an asset. */
static fh_exit check_name(const char *argument)
{
    char db[PATH_MAX];
    const char *id = fh_asset_split(argument, db, sizeof db);
    if (id == NULL || access(db, F_OK) != 0) {
        return FH_EXIT_OK;
    }
    return fh_usage_error("extract", "assets are chosen with --ids, as in --ids %s %s, not by %s",
                          fh_is_id_list(id) ? id : "1", fh_safe_path(db), fh_safe_path(argument));
}

fh_exit fh_cmd_extract(int argc, char **argv)
{
    fh_extraction run = {
        .directory = "extracted", .out = fh_out_make(stdout), .folder = {.fd = -1}};
    if (fh_wants_help(argc, argv)) {
        return fh_extraction_help();
    }
    fh_exit exit = fh_extraction_options(&run, argc, argv);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    exit = check_name(argv[optind]);
    if (exit == FH_EXIT_OK) {
        exit = open_in_sandbox(&run, argv[optind]);
    }
    if (exit == FH_EXIT_OK) {
        exit = run_extract(&run);
    }
    fh_store_close(run.store);
    return exit;
}
