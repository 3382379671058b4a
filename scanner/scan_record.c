/* What a scan finds, on its way into the database and to standard output. */
#include "scan.h"

#include "source/image_rules.h"
#include "source/memory.h"

#include <string.h>

static void print_pending(fh_scan_run *run)
{
    if (run->pending.is_open) {
        fh_progress_wipe(&run->progress);
        fh_scan_text_asset(&run->text, run->path, &run->pending.record, &run->pending.counts);
        run->pending.is_open = false;
    }
}

void fh_scan_store_failed(fh_scan_run *run)
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
    fh_scan_run *run = user;
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
static void print_source_finding(fh_scan_run *run, const fh_finding_record *finding)
{
    if (finding->asset == FH_UNKNOWN && finding->severity > FH_NOTE) {
        print_pending(run);
        fh_progress_wipe(&run->progress);
        fh_scan_text_finding(&run->text, run->path, finding);
    }
}

static bool on_finding(void *user, const fh_finding_record *finding)
{
    fh_scan_run *run = user;
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
    fh_scan_run *run = user;
    return fh_store_base(run->store, FH_RAM_BASE, base, (int64_t)FH_RAM_MAX_LEN,
                         (int64_t)FH_RAM_LEN) == FH_STORE_OK;
}

static bool on_coverage(void *user, const fh_coverage_record *coverage)
{
    return fh_store_coverage(((fh_scan_run *)user)->store, coverage) == FH_STORE_OK;
}

void fh_scan_progress(fh_scan_run *run, const fh_hunt_progress *progress)
{
    fh_progress_show(&run->progress, progress);
    (void)fh_store_settle(run->store);
}

void fh_scan_unreadable(fh_scan_run *run, const char *path, const char *why)
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
    fh_complain_of_input(path, why);
    run->exit = fh_worst(run->exit, FH_EXIT_IO);
    fh_scan_text_finding(&run->text, path, &record);
    fh_scan_text_source(&run->text, &source, &counts);
    if (fh_store_touch_unreadable(run->store, &source, &record) != FH_STORE_OK) {
        fh_scan_store_failed(run);
    }
}

static void end_source(fh_scan_run *run, const fh_hunt_source *source, fh_hunt_status status)
{
    if (status == FH_HUNT_PARTIAL) {
        run->had_trouble = true;
        fh_complain("%s could not be read as a whole: %s; what was found is recorded",
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
        fh_scan_store_failed(run);
    }
}

/* Ends the open source without keeping what was found of it. */
static void give_up(fh_scan_run *run, const char *why, const fh_scan_text *before)
{
    const fh_out out = run->text.out;
    run->had_trouble = true;
    run->text = *before; /* the summary counts what is recorded */
    run->text.out = out;
    fh_complain("%s: %s; nothing of this source was recorded", fh_safe_path(run->path), why);
    run->exit = FH_EXIT_LIMIT;
    if (fh_store_drop_source(run->store) != FH_STORE_OK) {
        fh_scan_store_failed(run);
    }
}

static bool begin_source(void *user, const char *path)
{
    fh_scan_run *run = user;
    run->path = path;
    run->before = run->text;
    run->source_counts = (fh_counts){{0}};
    if (fh_store_begin_source(run->store, path) != FH_STORE_OK) {
        fh_scan_store_failed(run);
        return false;
    }
    fh_progress_begin(&run->progress, run->progress_mode, path);
    return true;
}

/* What an earlier scan recorded of members that this one did not meet is about other bytes. */
static void forget_old_members(fh_scan_run *run, const fh_hunt_source *source)
{
    if (!run->is_over &&
        fh_store_drop_old_members(run->store, source->record.path) != FH_STORE_OK) {
        fh_scan_store_failed(run);
    }
}

static void drop_unreadable(fh_scan_run *run, const fh_hunt_source *source)
{
    if (fh_store_drop_source(run->store) != FH_STORE_OK) {
        fh_scan_store_failed(run);
    } else {
        fh_scan_unreadable(run, source->record.path, source->error);
    }
}

static bool finish_source(void *user, const fh_hunt_source *source, fh_hunt_status status)
{
    fh_scan_run *run = user;
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
        fh_scan_store_failed(run);
        break;
    case FH_HUNT_NO_MEMORY:
        give_up(run, "out of memory", &run->before);
        break;
    }
    return !run->is_over;
}

fh_hunt_sink fh_scan_sink(fh_scan_run *run)
{
    return (fh_hunt_sink){run, on_asset, on_finding, on_coverage, on_base, NULL};
}

fh_hunt_visitor fh_scan_visitor(fh_scan_run *run)
{
    return (fh_hunt_visitor){run, begin_source, finish_source};
}
