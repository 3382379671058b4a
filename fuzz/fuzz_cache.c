/* An entry of the cache of a check. The first byte says which of three: the bytes behind it are
 * what the cache kept, framed and hashed as it does it; they are laid over such an entry of a sound
 * result (fuzz_patch), which is framed then; or they are laid over the file of that entry. The
 * result is always that of the same file; the byte also names a form of report. What must be true:
 *   - a file that somebody changed is no entry, one that nobody changed is;
 *   - what is recalled is a result, the format of one that takes a companion, or nothing;
 *   - where nothing is recalled the result is as it was;
 *   - a result that is recalled keeps its path and its hash, its findings are rules of the program,
 *     their places and excerpts lie in the file, and who replayed it has a name;
 *   - told by a report of the form that the byte names, as the gate does it, it makes one that is
 *     whole and commands no terminal, and the same one twice;
 *   - it is remembered again, recalled again, and is then the same;
 *   - recalling twice says the same;
 *   - memory and time stay under a bound for each byte of input.
 */
#include "fuzz_image.h"

#include "gate/cache.h"
#include "gate/recall.h"
#include "gate/result_pack.h"
#include "gate/result_records.h"
#include "registry/registry.h"
#include "reports/report.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A finding of a result takes 456 bytes; in an entry its four texts, four numbers and its place
 * take 100 at least, but how many there are is a number of the entry, which is no larger than it.
 */
static const fuzz_bounds bounds = {.memory_floor = (size_t)4 << 20,
                                   .memory_per_byte = 1024,
                                   .milliseconds = 2000,
                                   .milliseconds_per_kib = 100};

/* The whole report is in memory, and the form keeps some of what it told. */
static const fuzz_bounds told_bounds = {.memory_floor = (size_t)16 << 20,
                                        .memory_per_byte = 4096,
                                        .milliseconds = 10000,
                                        .milliseconds_per_kib = 400};

enum { KEPT, KEPT_PATCHED, FILE_PATCHED, NUM_WAYS };
enum { MOST_BYTES = 1 << 16, FILE_SIZE = 4096 };

/* The result of which the cache has an entry, and where that is. */
static struct {
    fh_cache cache;
    fh_exam_options options;
    char folder[FUZZ_PATH_LEN];
    char tag[FUZZ_PATH_LEN];
    char entry_folder[FUZZ_PATH_LEN + 8];
    char entry[FUZZ_PATH_LEN + 80];
    fh_cache_key key;
    uint8_t *kept; /* the bytes that the cache gives back for it */
    size_t kept_len;
    uint8_t *file; /* and those that it has written */
    size_t file_len;
} sound;

/* ---- a sound entry --------------------------------------------------------------------------- */

static fh_result begin_result(void)
{
    fh_result result;
    fuzz_demand(fh_result_begin(&result, "walk.tod"), "the system has memory");
    result.has_sha256 = true;
    result.size = FILE_SIZE;
    memset(result.sha256, 0x5c, sizeof result.sha256);
    return result;
}

static fh_result make_result(void)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    static const uint8_t bytes[FILE_SIZE];
    fh_result result = begin_result();
    result.format = fh_format_find("tod");
    fuzz_demand(fh_rule_tables(tables) > 0 && result.format != NULL, "there are rules");
    result.asset = (fh_asset){.grade = FH_GRADE_REPLAYED,
                              .length = FILE_SIZE,
                              .frames = 3,
                              .objects = 2,
                              .evidence_bits = 99,
                              .ram_address = FH_UNKNOWN};
    result.is_replayed = true;
    result.replay = (fh_replay_result){.state = FH_REPLAY_COMPLETE,
                                       .frames = 3,
                                       .ticks = 9,
                                       .evaluator = result.format->evaluators[0]};
    for (size_t i = 0; i < 2; i++) {
        fh_finding finding = fh_finding_make(&tables[0].rules[i], "field");
        finding.offset = i == 0 ? FH_UNKNOWN : 20;
        fh_result_add(&result, &finding, fh_cursor_make(bytes, sizeof bytes, 0));
    }
    return result;
}

static void remove_cache(void)
{
    (void)unlink(sound.entry);
    (void)rmdir(sound.entry_folder);
    (void)unlink(sound.tag);
    (void)rmdir(sound.folder);
}

static unsigned digit_of(char letter)
{
    return (unsigned)(letter <= '9' ? letter - '0' : letter - 'a' + 10);
}

/* The only entry of a folder that is no dot. */
static void find_only(char *out, size_t size, const char *folder, size_t name_len)
{
    DIR *names = opendir(folder);
    bool is_found = false;
    for (const struct dirent *at = names == NULL ? NULL : readdir(names); at != NULL && !is_found;
         at = readdir(names)) {
        is_found = at->d_name[0] != '.' && strlen(at->d_name) == name_len;
        if (is_found) {
            (void)snprintf(out, size, "%s/%.62s", folder, at->d_name);
        }
    }
    fuzz_demand(is_found, "what is remembered is in the folder");
    (void)closedir(names);
}

/* The name of an entry is its key. */
static void find_entry(void)
{
    char hex[2 * FH_SHA256_LEN + 1];
    find_only(sound.entry_folder, sizeof sound.entry_folder, sound.folder, 2);
    find_only(sound.entry, sizeof sound.entry, sound.entry_folder, sizeof hex - 3);
    memcpy(hex, strrchr(sound.entry_folder, '/') + 1, 2);
    memcpy(hex + 2, strrchr(sound.entry, '/') + 1, sizeof hex - 2);
    for (size_t i = 0; i < FH_SHA256_LEN; i++) {
        sound.key.bytes[i] = (uint8_t)(digit_of(hex[2 * i]) << 4 | digit_of(hex[2 * i + 1]));
    }
}

static void read_file(void)
{
    FILE *file = fopen(sound.entry, "rbe");
    fuzz_demand(file != NULL, "an entry can be read");
    sound.file = fuzz_have(malloc(MOST_BYTES));
    sound.file_len = fread(sound.file, 1, MOST_BYTES, file);
    (void)fclose(file);
}

static void set_up(void)
{
    fh_result result = make_result();
    (void)snprintf(sound.folder, sizeof sound.folder, "%s/cache", fuzz_folder());
    (void)snprintf(sound.tag, sizeof sound.tag, "%.70s/CACHEDIR.TAG", sound.folder);
    sound.options = (fh_exam_options){.stand_alone = true, .aligned = true, .replay = true};
    fuzz_demand(fh_recall_open(&sound.cache, sound.folder) == FH_EXIT_OK, "there is a cache");
    (void)atexit(remove_cache);
    fh_remember(&sound.cache, &result, &sound.options);
    find_entry();
    read_file();
    sound.kept = fh_cache_get(&sound.cache, &sound.kept_len, &sound.key);
    fuzz_demand(sound.kept != NULL, "what is remembered is there");
    fh_result_free(&result);
}

/* ---- an entry that somebody wrote ------------------------------------------------------------ */

static void write_file(const uint8_t *bytes, size_t len)
{
    const int fd = open(sound.entry, O_WRONLY | O_TRUNC | O_CLOEXEC);
    fuzz_demand(fd >= 0 && write(fd, bytes, len) == (ssize_t)len, "an entry can be written");
    (void)close(fd);
}

/* Puts what the input says in place of the entry; true if it is one that the cache has to give. */
static bool put_entry(uint8_t way, fuzz_input *input)
{
    static uint8_t bytes[MOST_BYTES];
    const bool is_file = way % NUM_WAYS == FILE_PATCHED;
    size_t len = is_file ? sound.file_len : sound.kept_len;
    if (way % NUM_WAYS == KEPT) {
        fh_cache_put(&sound.cache, &sound.key, input->at, input->left);
        return true;
    }
    memcpy(bytes, is_file ? sound.file : sound.kept, len);
    fuzz_patch(bytes, len, input);
    if (!is_file) {
        fh_cache_put(&sound.cache, &sound.key, bytes, len);
        return true;
    }
    write_file(bytes, len);
    return memcmp(bytes, sound.file, len) == 0;
}

/* ---- what is recalled ------------------------------------------------------------------------ */

static void check_findings(const fh_result *result)
{
    for (size_t i = 0; i < result->num_findings; i++) {
        const fh_told *told = &result->findings[i];
        const int64_t offset = told->finding.offset;
        fuzz_demand(told->finding.rule != NULL &&
                        fh_rule_find(told->finding.rule->code) == told->finding.rule,
                    "a finding is a rule of the program");
        fuzz_demand(offset == FH_UNKNOWN || (offset >= 0 && offset <= result->size),
                    "what is found lies in the file");
        fuzz_demand(told->excerpt_len == 0 ||
                        (told->excerpt_len <= FH_EXCERPT_LEN && told->excerpt_offset >= 0 &&
                         told->excerpt_offset <= offset),
                    "an excerpt begins in front of its finding");
    }
}

static void check_result(const fh_result *result)
{
    const fh_result was = begin_result();
    fuzz_demand(result->status != NULL, "a result has a status");
    fuzz_demand(strcmp(result->path, was.path) == 0 && result->size == was.size &&
                    memcmp(result->sha256, was.sha256, FH_SHA256_LEN) == 0,
                "a result keeps its path and its hash");
    fuzz_demand(result->asset.length <= (size_t)result->size, "an asset lies in the file");
    fuzz_demand(result->asset.frames == FH_UNKNOWN || result->asset.frames >= 0,
                "frames are a number or unknown");
    fuzz_demand(!result->is_replayed || result->replay.evaluator != NULL,
                "who replayed it has a name");
    check_findings(result);
    free(was.path);
}

static void check_none(const fh_result *result)
{
    fuzz_demand(result->findings == NULL && result->format == NULL && result->strings == NULL &&
                    !result->is_replayed && strcmp(result->status, "complete") == 0,
                "where nothing is recalled the result is as it was");
}

static fh_packed pack(const fh_result *result)
{
    fh_packed out = {0};
    fh_result_pack(&out, result);
    fuzz_demand(!out.no_memory, "what is recalled can be packed");
    return out;
}

static fh_recall_status recall(fh_result *result)
{
    const fh_format *format = NULL;
    *result = begin_result();
    const fh_recall_status status =
        fh_recall(result, &format, &sound.cache, &sound.options, FH_RECALL_ALONE);
    fuzz_demand((status == FH_RECALL_COMPANION) == (format != NULL && format->companion != NULL),
                "a format is named that takes a companion");
    if (status == FH_RECALL_FOUND) {
        check_result(result);
    } else {
        check_none(result);
    }
    return status;
}

/* ---- what is told of it ---------------------------------------------------------------------- */

static void tell_records(fh_report *report, const fh_result *result)
{
    const fh_source_record source = fh_result_source(result);
    fh_report_source(report, &source);
    if (result->format != NULL) {
        fh_replay_record room;
        const fh_asset_record asset = fh_result_asset(&room, result);
        fh_report_asset(report, &asset);
    }
    for (size_t i = 0; i < result->num_findings; i++) {
        fh_told_room room;
        const fh_finding_record finding = fh_result_finding(&room, result, &result->findings[i]);
        fh_report_finding(report, &finding);
    }
}

static void check_text(const char *text, size_t len)
{
    bool is_plain = true;
    for (size_t i = 0; i < len && is_plain; i++) {
        const unsigned char byte = (unsigned char)text[i];
        is_plain = byte == '\n' || byte == '\r' || byte == '\t' || (byte >= ' ' && byte != 0x7f);
    }
    fuzz_demand(is_plain, "a report has no control characters");
}

static void tell(fuzz_sum *sum, const fh_report_form *form, const fh_result *result)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const fh_report_run run = {.command = "check",
                               .tool_version = "0",
                               .ruleset_version = "0",
                               .tables = tables,
                               .num_tables = fh_rule_tables(tables),
                               .fails_from = FH_ERROR,
                               .explains = true};
    fh_report report;
    char *text = NULL;
    size_t len = 0;
    FILE *out = fuzz_have(open_memstream(&text, &len));
    fuzz_demand(fh_report_begin(&report, form, &run, out, false), "the system has memory");
    tell_records(&report, result);
    fuzz_demand(fh_report_end(&report) == 0 && fclose(out) == 0, "a report is written whole");
    check_text(text, len);
    fuzz_fold(sum, text, len);
    free(text);
}

/* The byte that says what the entry is also says in which form it is told. Not as a page, which
 * takes longer than all other forms together: fuzz_store.c makes it of the same records. */
static const fh_report_form *form_of(uint8_t way)
{
    const fh_report_form *const *forms = fh_report_forms();
    size_t num = 0;
    while (forms[num] != NULL) {
        num++;
    }
    assert(num > 0);
    const fh_report_form *form = forms[way / NUM_WAYS % num];
    return strcmp(form->name, "html") == 0 ? forms[0] : form;
}

static void check_told(const fh_result *first, const fh_result *second, uint8_t way, size_t size)
{
    fuzz_sum sum = FUZZ_SUM;
    fuzz_sum again = FUZZ_SUM;
    fuzz_begin();
    tell(&sum, form_of(way), first);
    fuzz_end(&told_bounds, size);
    tell(&again, form_of(way), second);
    fuzz_demand(sum == again, "telling twice says the same");
}

/* ---- remembered again ------------------------------------------------------------------------ */

/* What was recalled is remembered in place of the entry, unless it is of a format of which another
 * entry has to say that it takes a companion. */
static void check_again(const fh_result *result)
{
    fh_result again;
    fh_packed first = pack(result);
    if (result->format == NULL || result->format->companion == NULL) {
        fh_remember(&sound.cache, result, &sound.options);
        fuzz_demand(recall(&again) == FH_RECALL_FOUND, "what is remembered is recalled");
        fh_packed second = pack(&again);
        fuzz_demand(first.len == second.len && memcmp(first.bytes, second.bytes, first.len) == 0,
                    "what is recalled again is the same");
        free(second.bytes);
        fh_result_free(&again);
    }
    free(first.bytes);
}

static void demand_same(const fh_result *a, const fh_result *b)
{
    fh_packed first = pack(a);
    fh_packed second = pack(b);
    fuzz_demand(first.len == second.len && memcmp(first.bytes, second.bytes, first.len) == 0,
                "recalling twice says the same");
    free(first.bytes);
    free(second.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    const uint8_t way = fuzz_byte(&input);
    fh_result first;
    fh_result second;
    if (sound.kept == NULL) {
        set_up();
    }
    if (input.left > MOST_BYTES) {
        return 0;
    }
    const bool is_entry = put_entry(way, &input);
    fuzz_begin();
    const fh_recall_status status = recall(&first);
    fuzz_end(&bounds, size);
    fuzz_demand(status == FH_RECALL_NONE || is_entry, "a file that somebody changed is no entry");
    fuzz_demand(status == FH_RECALL_FOUND || way % NUM_WAYS != FILE_PATCHED || !is_entry,
                "a file that nobody changed is an entry");
    fuzz_demand(recall(&second) == status, "recalling twice says the same");
    demand_same(&first, &second);
    if (status == FH_RECALL_FOUND) {
        check_told(&first, &second, way, size);
        check_again(&first);
    }
    fh_result_free(&first);
    fh_result_free(&second);
    return 0;
}
