/* Of fuzz_cache.c: what the cache keeps and gives back, and what is told of it, is changed on its
 * way to the target. The linker puts the functions with __wrap_ before those of the program. There
 * is an entry as it was written, in two ways, and one that each of them refuses.
 */
#include "faulty.h"

#include "fuzz_support.h"
#include "gate/recall.h"
#include "gate/result_pack.h"
#include "hunt/rulebook.h"
#include "reports/report.h"

#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const faulty_case cases[] = {
    {"none", NULL},
    {"no memory for a result", "the system has memory"},
    {"no memory for a report", "the system has memory"},
    {"no rules", "there are rules"},
    {"no cache", "there is a cache"},
    {"result that is not remembered", "what is remembered is in the folder"},
    {"entry that cannot be read", "an entry can be read"},
    {"entry that is not given back", "what is remembered is there"},
    {"entry that cannot be written", "an entry can be written"},
    {"rule of nobody", "a finding is a rule of the program"},
    {"finding behind the file", "what is found lies in the file"},
    {"excerpt behind its finding", "an excerpt begins in front of its finding"},
    {"result without a status", "a result has a status"},
    {"another hash", "a result keeps its path and its hash"},
    {"asset behind the file", "an asset lies in the file"},
    {"frames below zero", "frames are a number or unknown"},
    {"replay by nobody", "who replayed it has a name"},
    {"nothing that leaves a replay", "where nothing is recalled the result is as it was"},
    {"companion of no format", "a format is named that takes a companion"},
    {"changed file that is recalled", "a file that somebody changed is no entry"},
    {"file that is not recalled", "a file that nobody changed is an entry"},
    {"second recall that fails", "recalling twice says the same"},
    {"second recall that differs", "recalling twice says the same"},
    {"result that is not packed", "what is recalled can be packed"},
    {"report that breaks off", "a report is written whole"},
    {"report that commands a terminal", "a report has no control characters"},
    {"second report that differs", "telling twice says the same"},
    {"result that is not recalled again", "what is remembered is recalled"},
    {"result that is recalled as another", "what is recalled again is the same"},
    {"memory of recalling", "memory stays under its bound", NULL, faulty_counts_memory},
    {"memory of telling", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time of recalling", "time stays under its bound"},
    {"time of telling", "time stays under its bound"},
};

/* Names that the linker gives. */
bool __wrap_fh_result_begin(fh_result *result, const char *path);
bool __real_fh_result_begin(fh_result *result, const char *path);
size_t __wrap_fh_rule_tables(fh_rule_table out[FH_MAX_RULE_TABLES]);
size_t __real_fh_rule_tables(fh_rule_table out[FH_MAX_RULE_TABLES]);
fh_exit __wrap_fh_recall_open(fh_cache *cache, const char *path);
fh_exit __real_fh_recall_open(fh_cache *cache, const char *path);
void __wrap_fh_remember(fh_cache *cache, const fh_result *result, const fh_exam_options *options);
void __real_fh_remember(fh_cache *cache, const fh_result *result, const fh_exam_options *options);
uint8_t *__wrap_fh_cache_get(const fh_cache *cache, size_t *len, const fh_cache_key *key);
uint8_t *__real_fh_cache_get(const fh_cache *cache, size_t *len, const fh_cache_key *key);
void __wrap_fh_result_pack(fh_packed *out, const fh_result *result);
void __real_fh_result_pack(fh_packed *out, const fh_result *result);
fh_recall_status __wrap_fh_recall(fh_result *result, const fh_format **format,
                                  const fh_cache *cache, const fh_exam_options *options,
                                  fh_recall_how how);
fh_recall_status __real_fh_recall(fh_result *result, const fh_format **format,
                                  const fh_cache *cache, const fh_exam_options *options,
                                  fh_recall_how how);
bool __wrap_fh_report_begin(fh_report *report, const fh_report_form *form, const fh_report_run *run,
                            FILE *file, bool colour);
bool __real_fh_report_begin(fh_report *report, const fh_report_form *form, const fh_report_run *run,
                            FILE *file, bool colour);
int __wrap_fh_report_end(fh_report *report);
int __real_fh_report_end(fh_report *report);

/* Of the input that is run. The target recalls twice, tells what came of each, and once more what
 * it has remembered of it. */
enum { FIRST = 1, SECOND, AGAIN };
static unsigned num_recalled;
static unsigned num_told;
static bool is_patched_file;

/* ---- files ---- */

enum { MOST_OPEN = 8 };

static const char *cache_path(void)
{
    static char path[FUZZ_PATH_LEN];
    (void)snprintf(path, sizeof path, "%s/cache", fuzz_folder());
    return path;
}

static int remove_one(const char *path, const struct stat *file, int kind, struct FTW *place)
{
    (void)file;
    (void)kind;
    (void)place;
    return remove(path);
}

/* Programs that abort leave the cache of the target in the folder, which is that of them all. */
static void remove_cache(void)
{
    (void)nftw(cache_path(), remove_one, MOST_OPEN, FTW_DEPTH | FTW_PHYS);
}

static int lead_astray(const char *path, const struct stat *file, int kind, struct FTW *place)
{
    (void)file;
    (void)place;
    return kind == FTW_F && (unlink(path) != 0 || symlink("nowhere", path) != 0);
}

/* ---- the sound entry ---- */

bool __wrap_fh_result_begin(fh_result *result, const char *path)
{
    return __real_fh_result_begin(result, path) && !faulty_is("no memory for a result");
}

size_t __wrap_fh_rule_tables(fh_rule_table out[FH_MAX_RULE_TABLES])
{
    const size_t num = __real_fh_rule_tables(out);
    return faulty_is("no rules") ? 0 : num;
}

fh_exit __wrap_fh_recall_open(fh_cache *cache, const char *path)
{
    const fh_exit exit = __real_fh_recall_open(cache, path);
    return faulty_is("no cache") ? FH_EXIT_IO : exit;
}

void __wrap_fh_remember(fh_cache *cache, const fh_result *result, const fh_exam_options *options)
{
    if (!faulty_is("result that is not remembered")) {
        __real_fh_remember(cache, result, options);
    }
    if (faulty_is("entry that cannot be read")) {
        (void)nftw(cache_path(), lead_astray, MOST_OPEN, FTW_PHYS);
    }
}

uint8_t *__wrap_fh_cache_get(const fh_cache *cache, size_t *len, const fh_cache_key *key)
{
    return faulty_is("entry that is not given back") ? NULL : __real_fh_cache_get(cache, len, key);
}

/* ---- what is recalled ---- */

void __wrap_fh_result_pack(fh_packed *out, const fh_result *result)
{
    __real_fh_result_pack(out, result);
    out->no_memory = num_recalled == SECOND && faulty_is("result that is not packed");
}

static void spoil_findings(fh_result *result)
{
    static const fh_rule of_nobody = {.code = "TST0001", .severity = FH_NOTE, .title = "title"};
    for (size_t i = 0; i < result->num_findings; i++) {
        fh_told *told = &result->findings[i];
        fh_finding *finding = &told->finding;
        finding->rule = faulty_is("rule of nobody") ? &of_nobody : finding->rule;
        finding->offset = faulty_is("finding behind the file") ? result->size + 1 : finding->offset;
        told->excerpt_offset = faulty_is("excerpt behind its finding") && told->excerpt_len > 0
                                   ? finding->offset + 1
                                   : told->excerpt_offset;
    }
}

static void spoil(fh_result *result)
{
    result->status = faulty_is("result without a status") ? NULL : result->status;
    result->sha256[0] ^= faulty_is("another hash");
    result->asset.length =
        faulty_is("asset behind the file") ? (size_t)result->size + 1 : result->asset.length;
    result->asset.frames = faulty_is("frames below zero") ? -2 : result->asset.frames;
    result->asset.frames += num_recalled == SECOND && faulty_is("second recall that differs");
    result->asset.frames +=
        num_recalled == AGAIN && faulty_is("result that is recalled as another");
    result->replay.evaluator = faulty_is("replay by nobody") ? NULL : result->replay.evaluator;
    spoil_findings(result);
}

/* Those that find nothing, whatever there is. */
static bool is_lost(void)
{
    return (num_recalled == SECOND && faulty_is("second recall that fails")) ||
           (num_recalled == AGAIN && faulty_is("result that is not recalled again")) ||
           (is_patched_file && faulty_is("file that is not recalled"));
}

fh_recall_status __wrap_fh_recall(fh_result *result, const fh_format **format,
                                  const fh_cache *cache, const fh_exam_options *options,
                                  fh_recall_how how)
{
    num_recalled++;
    faulty_spend(faulty_is("memory of recalling"), faulty_is("time of recalling"));
    if (is_lost()) {
        *format = NULL;
        return FH_RECALL_NONE;
    }
    const fh_recall_status status = __real_fh_recall(result, format, cache, options, how);
    if (status == FH_RECALL_FOUND) {
        spoil(result);
        return faulty_is("companion of no format") ? FH_RECALL_COMPANION : status;
    }
    result->is_replayed = faulty_is("nothing that leaves a replay");
    return is_patched_file && faulty_is("changed file that is recalled") ? FH_RECALL_FOUND : status;
}

/* ---- what is told ---- */

bool __wrap_fh_report_begin(fh_report *report, const fh_report_form *form, const fh_report_run *run,
                            FILE *file, bool colour)
{
    return !faulty_is("no memory for a report") &&
           __real_fh_report_begin(report, form, run, file, colour);
}

int __wrap_fh_report_end(fh_report *report)
{
    num_told++;
    faulty_spend(faulty_is("memory of telling"), faulty_is("time of telling"));
    if (faulty_is("report that commands a terminal")) {
        fh_out_str(&report->out, "\x1b[2J");
    }
    if (num_told == 2 && faulty_is("second report that differs")) {
        fh_out_str(&report->out, "more\n");
    }
    const int error = __real_fh_report_end(report);
    return faulty_is("report that breaks off") ? EIO : error;
}

/* ---- all of it ---- */

static void entry(const char *bytes, size_t len, bool is_file)
{
    is_patched_file = is_file;
    num_recalled = 0;
    num_told = 0;
    (void)LLVMFuzzerTestOneInput((const uint8_t *)bytes, len);
}

static void run(char **files)
{
    /* What is kept, or the file of it, and what is laid over that: see fuzz_cache.c. */
    static const char kept[] = "\x01";
    static const char other_kept[] = "\x01\0\0\0\x01\xff";
    static const char file[] = "\x02";
    static const char other_file[] = "\x02\0\0\0\x01\xff";
    (void)files;
    remove_cache();
    entry(kept, sizeof kept - 1, false);
    entry(other_kept, sizeof other_kept - 1, false);
    if (faulty_is("entry that cannot be written")) {
        remove_cache();
    }
    entry(file, sizeof file - 1, true);
    entry(other_file, sizeof other_file - 1, true);
}

int main(int argc, char **argv)
{
    (void)fuzz_folder(); /* is made here, and removed when this process ends */
    const int exit_code = faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
    remove_cache();
    return exit_code;
}
