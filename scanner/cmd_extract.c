/* framehound extract: recorded assets as files. */
#include "asset_load.h"
#include "cmd.h"

#include "core/limits.h"
#include "folder.h"
#include "hunt/asset_name.h"
#include "hunt/extract.h"
#include "registry/registry.h"
#include "reports/escape.h"
#include "reports/sidecar.h"
#include "sandbox.h"
#include "stored.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: framehound extract [OPTION...] DB\n"
    "\n"
    "Writes assets that are recorded in the database DB out as files, and beside each one\n"
    "NAME.json with its addresses, hashes and findings. The sources must still be where they\n"
    "were: the bytes are read again, and written only if they are still the same. Prints one\n"
    "line an asset, and a summary. A file that is there already is never changed.\n"
    "\n"
    "  -d, --directory DIR   where to (default: extracted); made if it is missing\n"
    "  -f, --formats LIST    only of these formats: tod, hmd, tra, camerawork, separated by\n"
    "                        commas (default: all)\n"
    "      --ids LIST        only these assets: numbers and ranges, as in 1,5,10-20; the view\n"
    "                        v_assets lists them\n"
    "      --grade GRADE     only from this grade on: candidate, structure, references, replayed\n"
    "      --dry-run         read and compare everything, write nothing\n"
    "      --sandbox on|off|require\n"
    "                        give up what the work does not need: files that were not named, the\n"
    "                        network, other programs (default: on, as far as the system can;\n"
    "                        require: or end)\n"
    "  -h, --help            this text\n"
    "\n"
    "A name is made of the source, the place in it, the first digits of the SHA-256 of the\n"
    "bytes and of a hash of all of that, and the format. The same asset has the same name in\n"
    "every run.\n"
    "Exit codes: 3 if a source could not be read or a file not be written; the rest is done.\n";

enum { OPTION_IDS = 256, OPTION_GRADE, OPTION_DRY_RUN };

static const char *const grades[] = {"candidate", "structure", "references", "replayed"};
#define NUM_GRADES (sizeof grades / sizeof grades[0])

/* What is known of an asset while its bytes are looked for. */
typedef struct item {
    int64_t id;
    char sha256[2 * FH_SHA256_LEN + 1];
    fh_piece_record *pieces; /* owned */
} item;

/* Assets of one file, in the order of their sources. */
typedef struct batch {
    char *file;                 /* owned; NULL: the batch is empty */
    item *items;                /* owned; FH_EXTRACT_MAX_ASSETS */
    fh_extract_asset *assets;   /* owned; as many, one for each item */
    fh_extract_source *sources; /* owned; as many; their paths are owned, too */
    size_t num_assets;
    size_t num_sources;
    size_t num_pieces;
} batch;

typedef struct extract_run {
    const char *directory;
    const char *formats;
    const char *ids;
    size_t grade; /* index of the lowest, 0: any */
    bool is_dry;
    fh_store *store;
    fh_folder folder;
    batch batch;
    uint64_t num_written; /* or would be */
    uint64_t num_there;
    uint64_t num_failed;
    fh_out out;
    fh_exit exit;
    bool is_over; /* the store failed, or nobody reads what is printed */
} extract_run;

/* ---- what is wanted ---- */

/* Reads one number or range of a list, up to the comma; NULL: it is none. */
static const char *next_range(const char *at, int64_t *first, int64_t *last)
{
    int64_t *number = first;
    size_t num_digits = 0;
    for (*first = 0; (*at >= '0' && *at <= '9') || (*at == '-' && number == first && num_digits);
         at++) {
        if (*at == '-') {
            number = last;
            *last = 0;
            num_digits = 0;
        } else if (++num_digits > 18) { /* so many digits fit in 64 bits */
            return NULL;
        } else {
            *number = 10 * *number + (*at - '0');
        }
    }
    if (num_digits == 0 || (*at != ',' && *at != '\0')) {
        return NULL;
    }
    if (number == first) {
        *last = *first;
    }
    return *at == ',' ? at + 1 : at;
}

static bool is_id_list(const char *list)
{
    int64_t first = 0;
    int64_t last = 0;
    const char *at = list;
    while (at != NULL && *at != '\0') {
        at = next_range(at, &first, &last);
    }
    return at != NULL && at != list;
}

static bool is_in_ids(const char *list, int64_t id)
{
    int64_t first = 0;
    int64_t last = 0;
    for (const char *at = list; at != NULL && *at != '\0';) {
        at = next_range(at, &first, &last);
        if (id >= first && id <= last) {
            return true;
        }
    }
    return false;
}

static bool is_in_words(const char *list, const char *word, size_t word_len)
{
    for (const char *at = list; *at != '\0';) {
        const size_t len = strcspn(at, ",");
        if (len == word_len && strncmp(at, word, len) == 0) {
            return true;
        }
        at += len + (at[len] == ',' ? 1 : 0);
    }
    return false;
}

static bool is_known_format(const char *name, size_t len)
{
    for (size_t i = 0; i < fh_num_formats; i++) {
        if (strlen(fh_formats[i]->name) == len && strncmp(fh_formats[i]->name, name, len) == 0) {
            return true;
        }
    }
    return false;
}

/* The index of a grade, or NUM_GRADES. */
static size_t grade_index(const char *name)
{
    size_t i = 0;
    while (i < NUM_GRADES && strcmp(grades[i], name) != 0) {
        i++;
    }
    return i;
}

static bool on_listed(void *user, int64_t id, const char *format, const char *grade)
{
    const extract_run *run = user;
    const size_t index = grade_index(grade);
    return (run->ids == NULL || is_in_ids(run->ids, id)) &&
           (run->formats == NULL || is_in_words(run->formats, format, strlen(format))) &&
           (run->grade == 0 || (index >= run->grade && index < NUM_GRADES));
}

/* ---- what became of an asset ---- */

static void fail(extract_run *run, fh_exit exit)
{
    run->num_failed++;
    run->exit = fh_worst(run->exit, exit);
}

static void store_failed(extract_run *run)
{
    run->exit = fh_worst(run->exit, fh_store_failed(run->store));
    run->is_over = true;
}

static void tell_not_written(extract_run *run, const char *path, int64_t id, fh_exit exit,
                             const char *why)
{
    fh_complain("%s: asset %" PRId64 " was not extracted: %s", fh_safe_path(path), id, why);
    fail(run, exit);
}

static void tell_done(extract_run *run, const fh_stored_asset *asset, const char *name,
                      bool is_there)
{
    run->num_there += is_there ? 1 : 0;
    run->num_written += is_there ? 0 : 1;
    fh_out_fmt(&run->out, "%s  %s  %" PRId64 " bytes  asset %" PRId64 "  ",
               is_there      ? "there already"
               : run->is_dry ? "would write"
                             : "written",
               name, asset->length, asset->id);
    fh_escape_text(&run->out, asset->path);
    fh_out_fmt(&run->out, "@0x%08" PRIx64 "\n", (uint64_t)asset->raw_offset);
    run->is_over = run->is_over || run->out.error != 0;
}

/* ---- writing ---- */

typedef struct sidecar {
    fh_out out;
    bool has_findings;
    bool is_too_long;
} sidecar;

static bool on_finding(void *user, const fh_stored_finding *finding)
{
    sidecar *beside = user;
    fh_sidecar_finding(&beside->out, finding, !beside->has_findings);
    beside->has_findings = true;
    beside->is_too_long = ftell(beside->out.file) > (long)FH_SIDECAR_MAX_LEN;
    return !beside->is_too_long;
}

/* The text, owned by the caller; NULL: it was told why there is none. */
static char *make_sidecar(extract_run *run, const fh_stored_asset *asset, size_t *len)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, len);
    if (file == NULL) {
        tell_not_written(run, asset->path, asset->id, FH_EXIT_LIMIT, "out of memory");
        return NULL;
    }
    sidecar beside = {.out = fh_out_make(file)};
    fh_sidecar_begin(&beside.out, asset);
    const fh_store_status status =
        fh_store_each_finding(run->store, asset->id, &beside, on_finding);
    fh_sidecar_end(&beside.out, beside.has_findings);
    const int error = fh_out_end(&beside.out);
    const bool good = fclose(file) == 0 && error == 0 && text != NULL;
    if (status == FH_STORE_OK && good && !beside.is_too_long) {
        return text;
    }
    if (status != FH_STORE_OK) {
        store_failed(run);
        fail(run, FH_EXIT_IO);
    } else {
        tell_not_written(run, asset->path, asset->id, FH_EXIT_LIMIT,
                         good ? "it has more findings than are written" : "out of memory");
    }
    free(text);
    return NULL;
}

/* false: it was told why not. */
static bool put_file(extract_run *run, const fh_stored_asset *asset, const char *name,
                     const void *bytes, size_t len, bool *is_there)
{
    char why[512];
    fh_text text = fh_text_make(why, sizeof why);
    errno = 0;
    const fh_put_status status = fh_folder_put(&run->folder, name, bytes, len);
    if (status == FH_PUT_OK || status == FH_PUT_THERE) {
        *is_there = *is_there && status == FH_PUT_THERE;
        return true;
    }
    const char *error = strerror(errno);
    fh_text_str(fh_text_str(&text, name), status == FH_PUT_DIFFERS
                                              ? " is there already and differs; it was left as "
                                                "it is, move it away or choose another directory"
                                              : " cannot be written: ");
    if (status != FH_PUT_DIFFERS) {
        fh_text_str(fh_text_str(&text, error), "; make room or choose another directory");
    }
    tell_not_written(run, asset->path, asset->id, FH_EXIT_IO, why);
    return false;
}

static void write_asset(extract_run *run, const fh_stored_asset *asset, const uint8_t *bytes)
{
    char name[FH_ASSET_NAME_SIZE];
    char beside[FH_ASSET_NAME_SIZE + FH_ASSET_NAME_SUFFIX];
    const fh_asset_place place = {asset->path,     asset->format,     asset->raw_offset,
                                  asset->iso_path, asset->iso_offset, asset->sha256};
    size_t sidecar_len = 0;
    bool is_there = true;
    if (!fh_asset_name(name, &place)) {
        tell_not_written(run, asset->path, asset->id, FH_EXIT_LIMIT, "out of memory");
        return;
    }
    char *text = make_sidecar(run, asset, &sidecar_len);
    fh_text full = fh_text_make(beside, sizeof beside);
    fh_text_str(fh_text_str(&full, name), ".json");
    if (text != NULL && put_file(run, asset, name, bytes, (size_t)asset->length, &is_there)) {
        const bool was_there = is_there;
        if (put_file(run, asset, beside, text, sidecar_len, &is_there)) {
            tell_done(run, asset, name, is_there);
        } else if (!was_there) {
            fh_folder_take_back(&run->folder, name);
        }
    }
    free(text);
}

static bool on_asset(void *user, const fh_extract_asset *asset, const uint8_t *bytes)
{
    extract_run *run = user;
    const item *of = &run->batch.items[asset - run->batch.assets];
    fh_stored_asset stored;
    if (fh_store_find_asset(run->store, &stored, of->id) != FH_STORE_OK) {
        store_failed(run);
        fail(run, FH_EXIT_IO);
        return false;
    }
    if (strcmp(stored.sha256, of->sha256) != 0 || stored.length != (int64_t)asset->len) {
        tell_not_written(run, stored.path, of->id, FH_EXIT_IO,
                         "the database has changed meanwhile; extract it again");
    } else if (!fh_extract_matches(bytes, asset->len, of->sha256)) {
        tell_not_written(run, stored.path, of->id, FH_EXIT_IO,
                         "the bytes have changed since they were scanned; scan again");
    } else {
        write_asset(run, &stored, bytes);
    }
    fh_stored_asset_clear(&stored);
    return !run->is_over;
}

/* The path of the source of an asset of the batch. */
static const char *path_of(const batch *all, const fh_extract_asset *asset)
{
    for (size_t i = 0; i < all->num_sources; i++) {
        const fh_extract_source *source = &all->sources[i];
        if (asset >= source->assets && asset < source->assets + source->num_assets) {
            return source->path;
        }
    }
    return all->file;
}

static void on_lost(void *user, const fh_extract_asset *asset, fh_extract_loss loss,
                    const char *why)
{
    extract_run *run = user;
    tell_not_written(run, path_of(&run->batch, asset),
                     run->batch.items[asset - run->batch.assets].id,
                     loss == FH_EXTRACT_LIMIT ? FH_EXIT_LIMIT : FH_EXIT_IO, why);
}

/* ---- batches ---- */

static void clear_batch(batch *all)
{
    for (size_t i = 0; i < all->num_assets; i++) {
        free(all->items[i].pieces);
    }
    for (size_t i = 0; i < all->num_sources; i++) {
        free((void *)(uintptr_t)all->sources[i].path);
    }
    free(all->file);
    all->file = NULL;
    all->num_assets = 0;
    all->num_sources = 0;
    all->num_pieces = 0;
}

static void flush(extract_run *run)
{
    batch *all = &run->batch;
    const fh_extract_sink sink = {
        .user = run, .asset = on_asset, .lost = on_lost, .stop = {fh_interrupted, NULL}};
    if (all->file != NULL && !run->is_over) {
        fh_extract_all(all->file, all->sources, all->num_sources, &sink);
    }
    clear_batch(all);
}

static bool belongs(const batch *all, const char *path, size_t file_len, size_t num_pieces)
{
    return all->file != NULL && strlen(all->file) == file_len &&
           strncmp(all->file, path, file_len) == 0 && all->num_assets < FH_EXTRACT_MAX_ASSETS &&
           num_pieces <= FH_EXTRACT_MAX_PIECES - all->num_pieces;
}

/* false: there is no memory. */
static bool add_source(batch *all, const fh_stored_asset *asset, fh_layout_choice layout)
{
    const size_t num = all->num_sources;
    if (num > 0 && strcmp(all->sources[num - 1].path, asset->path) == 0) {
        return true;
    }
    char *path = strdup(asset->path);
    if (path == NULL) {
        return false;
    }
    all->sources[all->num_sources++] = (fh_extract_source){
        .path = path, .layout = layout, .assets = all->assets + all->num_assets};
    return true;
}

/* Takes the pieces of the asset over. */
static bool add_asset(batch *all, fh_stored_asset *asset, fh_layout_choice layout)
{
    if (asset->num_pieces == 0) {
        asset->pieces = malloc(sizeof *asset->pieces);
        if (asset->pieces == NULL) {
            return false;
        }
        asset->pieces[0] = (fh_piece_record){0, asset->raw_offset, asset->length};
        asset->num_pieces = 1;
    }
    if (!add_source(all, asset, layout)) {
        return false;
    }
    item *added = &all->items[all->num_assets];
    *added = (item){.id = asset->id, .pieces = asset->pieces};
    memcpy(added->sha256, asset->sha256, sizeof added->sha256);
    all->assets[all->num_assets++] = (fh_extract_asset){
        .pieces = asset->pieces, .num_pieces = asset->num_pieces, .len = (size_t)asset->length};
    all->sources[all->num_sources - 1].num_assets++;
    all->num_pieces += asset->num_pieces;
    asset->pieces = NULL;
    return true;
}

static void out_of_memory(extract_run *run)
{
    fh_complain("out of memory; close other programs, or extract fewer assets with --ids");
    fail(run, FH_EXIT_LIMIT);
    run->is_over = true;
}

/* What is not understood of an asset; NULL: it can be looked for. */
static const char *objection(const fh_stored_asset *asset, fh_layout_choice *layout)
{
    if (asset->length <= 0 || asset->raw_offset < 0 || asset->length > (int64_t)FH_MAX_ASSET_LEN ||
        asset->num_pieces > FH_EXTRACT_MAX_PIECES ||
        (asset->layout != NULL && !fh_layout_parse(layout, asset->layout))) {
        return "the database describes it in terms unknown here";
    }
    if (asset->sha256[0] == '\0') {
        return "the database has no hash of it, so that nobody could tell whether it is the same";
    }
    if (strcmp(asset->path, "-") == 0 || strncmp(asset->path, "-!/", 3) == 0) {
        return "it came from standard input; save that as a file and scan it";
    }
    return NULL;
}

static void take_stored(extract_run *run, fh_stored_asset *asset)
{
    fh_layout_choice layout = FH_LAYOUT_AUTO;
    const char *why = objection(asset, &layout);
    const size_t file_len = why == NULL ? fh_extract_file_len(asset->path) : 0;
    if (why == NULL && file_len == 0) {
        why = "its source, as it was named to the scan, is no file that can be read; put it back, "
              "or work in the directory of the scan";
    }
    if (why != NULL) {
        tell_not_written(run, asset->path, asset->id, FH_EXIT_IO, why);
        return;
    }
    batch *all = &run->batch;
    if (!belongs(all, asset->path, file_len, asset->num_pieces)) {
        flush(run);
        all->file = strndup(asset->path, file_len);
    }
    if (all->file == NULL || !add_asset(all, asset, layout)) {
        out_of_memory(run);
    }
}

static void extract_all(extract_run *run, const int64_t *ids, size_t num_ids)
{
    for (size_t i = 0; i < num_ids && !run->is_over && !fh_interrupted(NULL); i++) {
        fh_stored_asset asset;
        if (fh_store_find_asset(run->store, &asset, ids[i]) != FH_STORE_OK) {
            store_failed(run);
            return;
        }
        take_stored(run, &asset);
        fh_stored_asset_clear(&asset);
    }
    if (!fh_interrupted(NULL)) {
        flush(run);
    }
}

/* ---- the command ---- */

static fh_exit take_formats(extract_run *run, const char *list)
{
    run->formats = list;
    for (const char *at = list; *at != '\0';) {
        const size_t len = strcspn(at, ",");
        if (!is_known_format(at, len)) {
            return fh_usage_error("extract", "--formats: '%s' is no list of known formats",
                                  fh_safe_path(list));
        }
        at += len + (at[len] == ',' ? 1 : 0);
    }
    return list[0] != '\0' ? FH_EXIT_OK : fh_usage_error("extract", "--formats is empty");
}

static fh_exit take_option(extract_run *run, int c, char **argv)
{
    switch (c) {
    case 'd':
        run->directory = optarg;
        return FH_EXIT_OK;
    case 'f':
        return take_formats(run, optarg);
    case OPTION_IDS:
        run->ids = optarg;
        return is_id_list(optarg)
                   ? FH_EXIT_OK
                   : fh_usage_error("extract", "--ids is a list such as 1,5,10-20, not '%s'",
                                    fh_safe_path(optarg));
    case OPTION_GRADE:
        run->grade = grade_index(optarg);
        return run->grade < NUM_GRADES
                   ? FH_EXIT_OK
                   : fh_usage_error("extract",
                                    "--grade is candidate, structure, references or replayed, "
                                    "not '%s'",
                                    fh_safe_path(optarg));
    case OPTION_DRY_RUN:
        run->is_dry = true;
        return FH_EXIT_OK;
    default:
        return fh_common_option("extract", c, argv);
    }
}

static fh_exit parse_options(extract_run *run, int argc, char **argv)
{
    static const struct option options[] = {{"directory", required_argument, NULL, 'd'},
                                            {"formats", required_argument, NULL, 'f'},
                                            {"ids", required_argument, NULL, OPTION_IDS},
                                            {"grade", required_argument, NULL, OPTION_GRADE},
                                            {"dry-run", no_argument, NULL, OPTION_DRY_RUN},
                                            FH_COMMON_OPTIONS,
                                            {0}};
    opterr = 0;
    for (int c = 0; (c = getopt_long(argc, argv, ":d:f:", options, NULL)) != -1;) {
        const fh_exit exit = take_option(run, c, argv);
        if (exit != FH_EXIT_OK) {
            return exit;
        }
    }
    return argc - optind == 1 ? FH_EXIT_OK
                              : fh_usage_error("extract", "exactly one database is needed");
}

static void tell_sums(extract_run *run)
{
    const char *what = run->is_dry ? "to write" : "written";
    fh_out_count(&run->out, run->num_written + run->num_there + run->num_failed, "asset");
    fh_out_fmt(&run->out,
               ": %" PRIu64 " %s, %" PRIu64 " there already, %" PRIu64 " not extracted\n",
               run->num_written, what, run->num_there, run->num_failed);
}

static void run_on_folder(extract_run *run, const int64_t *ids, size_t num_ids)
{
    batch *all = &run->batch;
    const size_t most = num_ids < FH_EXTRACT_MAX_ASSETS ? num_ids + 1 : FH_EXTRACT_MAX_ASSETS;
    if (!fh_folder_open(&run->folder, run->directory, run->is_dry)) {
        fh_complain("cannot write to the directory %s: %s; choose another one with --directory",
                    fh_safe_path(run->directory), strerror(errno));
        run->exit = fh_worst(run->exit, FH_EXIT_IO);
        return;
    }
    all->items = calloc(most, sizeof *all->items);
    all->assets = calloc(most, sizeof *all->assets);
    all->sources = calloc(most, sizeof *all->sources);
    if (all->items == NULL || all->assets == NULL || all->sources == NULL) {
        out_of_memory(run);
    } else {
        extract_all(run, ids, num_ids);
        clear_batch(all);
        tell_sums(run);
    }
    free(all->items);
    free(all->assets);
    free(all->sources);
    fh_folder_close(&run->folder);
}

/* What was asked for by number and is not there. */
static void tell_missing(extract_run *run, const int64_t *ids, size_t num_ids)
{
    int64_t first = 0;
    int64_t last = 0;
    for (const char *at = run->ids; at != NULL && *at != '\0';) {
        const char *next = next_range(at, &first, &last);
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

static fh_exit run_extract(extract_run *run)
{
    const fh_asset_filter filter = {run, on_listed};
    int64_t *ids = NULL;
    size_t num_ids = 0;
    if (fh_store_list_assets(run->store, &ids, &num_ids, &filter) != FH_STORE_OK) {
        store_failed(run);
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

/* A database says which files its assets are in. The folder has to be there to be allowed; what
 * hinders making it is told when it is used. */
static fh_exit enter_sandbox(const extract_run *run, const char *db)
{
    fh_sandbox box = fh_sandbox_begin();
    fh_folder folder;
    if (!run->is_dry && fh_folder_open(&folder, run->directory, false)) {
        fh_folder_close(&folder);
    }
    fh_sandbox_reads_all(&box);
    fh_sandbox_writes(&box, run->directory);
    fh_sandbox_writes_beside(&box, db);
    return fh_sandbox_enter(&box, "extract");
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
                          is_id_list(id) ? id : "1", fh_safe_path(db), fh_safe_path(argument));
}

fh_exit fh_cmd_extract(int argc, char **argv)
{
    extract_run run = {.directory = "extracted", .out = fh_out_make(stdout), .folder = {.fd = -1}};
    if (fh_wants_help(argc, argv)) {
        return fh_print_help(help);
    }
    fh_exit exit = parse_options(&run, argc, argv);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    exit = check_name(argv[optind]);
    if (exit == FH_EXIT_OK) {
        exit = fh_stored_open(&run.store, argv[optind]);
    }
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    exit = enter_sandbox(&run, argv[optind]);
    exit = exit == FH_EXIT_OK ? run_extract(&run) : exit;
    fh_store_close(run.store);
    return exit;
}
