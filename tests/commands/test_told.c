/* What commands tell of places, verdicts and progress, and walks that are told later: of cases that
 * no file brings about easily, too. */
#include "hunt/rulebook.h"
#include "kept_walk.h"
#include "progress.h"
#include "registry/registry.h"
#include "spot_text.h"
#include "why_text.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/redirect.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- texts ----------------------------------------------------------------------------------- */

enum { TEXT_LEN = 8192 };

typedef struct text {
    char bytes[TEXT_LEN];
    FILE *file;
    fh_out out;
} text;

static text *text_begin(void)
{
    text *to = calloc(1, sizeof *to);
    cr_assert(to != NULL);
    to->file = fmemopen(to->bytes, sizeof to->bytes - 1, "w");
    cr_assert(to->file != NULL);
    to->out = fh_out_make(to->file);
    return to;
}

static void text_has(text *to, const char *const *wanted, size_t num, const char *name)
{
    cr_assert(fh_out_end(&to->out) == 0 && fclose(to->file) == 0);
    for (size_t i = 0; i < num && wanted[i] != NULL; i++) {
        const bool is_not = wanted[i][0] == '~';
        const bool is_there = strstr(to->bytes, wanted[i] + (is_not ? 1 : 0)) != NULL;
        cr_expect(is_there != is_not, "%s: '%s' in:\n%s", name, wanted[i], to->bytes);
    }
    free(to);
}

/* ---- why ------------------------------------------------------------------------------------- */

static uint8_t bytes[64];
static fh_run run = {.raw_off = 0x1000, .user_off = 0, .lba = 7, .damaged_lba = FH_UNKNOWN};

static fh_gather gather_of(size_t num_runs)
{
    return (fh_gather){
        .window = {.bytes = bytes, .len = sizeof bytes, .runs = &run, .num_runs = num_runs}};
}

static const fh_rule *rule_of(fh_severity severity)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num = fh_rule_tables(tables);
    for (size_t i = 0; i < num; i++) {
        for (size_t k = 0; k < tables[i].num_rules; k++) {
            if (tables[i].rules[k].severity == severity) {
                return &tables[i].rules[k];
            }
        }
    }
    cr_fatal("no rule is so severe");
    return NULL;
}

static fh_finding finding_at(int64_t offset)
{
    fh_finding finding = fh_finding_make(rule_of(FH_ERROR), "a field");
    finding.offset = offset;
    return finding;
}

static fh_why rejected(void)
{
    static fh_finding finding;
    finding = finding_at(8);
    (void)strcpy(finding.found, "this");
    (void)strcpy(finding.expected, "that");
    return (fh_why){.format = fh_format_find("tod"),
                    .magic = FH_MAGIC_HERE,
                    .is_aligned = true,
                    .bytes = fh_cursor_make(bytes, sizeof bytes, 0),
                    .probe = {.verdict = FH_REJECT, .rule = finding.rule, .reject_off = 8},
                    .finding = &finding};
}

static fh_why accepted(void)
{
    fh_why why = rejected();
    why.finding = NULL;
    why.probe = (fh_probe){
        .verdict = FH_ACCEPT, .length = 32, .frames = 2, .evidence_bits = FH_MIN_EVIDENCE};
    return why;
}

typedef struct verdict {
    const char *name;
    bool is_accepted;
    void (*change)(fh_why *why, fh_exam *exam);
    size_t num_runs;
    const char *text[3]; /* ~ in front: it is not there */
    const char *json[3];
} verdict;

static void leave(fh_why *why, fh_exam *exam)
{
    (void)why;
    (void)exam;
}

static void be_nowhere(fh_why *why, fh_exam *exam)
{
    (void)exam;
    why->magic = FH_MAGIC_NONE;
    why->is_aligned = false;
}

static void be_behind(fh_why *why, fh_exam *exam)
{
    (void)exam;
    why->magic = FH_MAGIC_BEHIND;
    why->magic_off = 0x14;
}

static void be_inside(fh_why *why, fh_exam *exam)
{
    (void)exam;
    why->magic = FH_MAGIC_INSIDE;
    why->start = 16;
}

static void be_at_start(fh_why *why, fh_exam *exam)
{
    (void)exam;
    why->magic = FH_MAGIC_START;
}

static void end_there(fh_why *why, fh_exam *exam)
{
    (void)exam;
    why->probe.reject_off = sizeof bytes;
}

static void have_no_bytes(fh_why *why, fh_exam *exam)
{
    (void)exam;
    why->bytes = fh_cursor_make(bytes, 0, 0);
    why->probe.reject_off = 0;
}

static void have_no_finding(fh_why *why, fh_exam *exam)
{
    (void)exam;
    why->finding = NULL;
    why->probe.near_miss = true;
}

static void have_another(fh_why *why, fh_exam *exam)
{
    static fh_finding other;
    (void)exam;
    other = finding_at(FH_UNKNOWN);
    why->other = &other;
}

static void have_another_at(fh_why *why, fh_exam *exam)
{
    have_another(why, exam);
    ((fh_finding *)(uintptr_t)why->other)->offset = 0x2c;
}

static void be_weak(fh_why *why, fh_exam *exam)
{
    (void)exam;
    why->probe.evidence_bits = FH_MIN_EVIDENCE - 1;
}

static void be_a_weak_file(fh_why *why, fh_exam *exam)
{
    be_weak(why, exam);
    why->is_file = true;
}

static void fail_as_file(fh_why *why, fh_exam *exam)
{
    (void)exam;
    why->has_file_fault = true;
    why->file_fault = finding_at(FH_UNKNOWN);
}

static void fail_as_file_there(fh_why *why, fh_exam *exam)
{
    fail_as_file(why, exam);
    why->file_fault.offset = 4;
}

static void want_more(fh_why *why, fh_exam *exam)
{
    (void)exam;
    why->probe.verdict = FH_MORE;
    why->probe.frames = 3;
}

static void be_not_whole(fh_why *why, fh_exam *exam)
{
    (void)why;
    exam->asset.grade = FH_GRADE_CANDIDATE;
}

static fh_finding held;

static void be_wrong(fh_why *why, fh_exam *exam)
{
    (void)why;
    held = finding_at(FH_UNKNOWN);
    exam->asset.grade = FH_GRADE_CANDIDATE;
    exam->findings = &held;
    exam->num_findings = 1;
}

static void be_noted(fh_why *why, fh_exam *exam)
{
    be_wrong(why, exam);
    held.rule = rule_of(FH_NOTE);
    held.offset = 0x14;
}

static void hold_together(fh_why *why, fh_exam *exam)
{
    (void)why;
    exam->asset.grade = FH_GRADE_REFERENCES;
}

static void break_off(fh_why *why, fh_exam *exam)
{
    hold_together(why, exam);
    exam->is_replayed = true;
    exam->result.state = FH_REPLAY_BROKEN;
}

static void break_off_wrongly(fh_why *why, fh_exam *exam)
{
    be_wrong(why, exam);
    break_off(why, exam);
}

static const verdict verdicts[] = {
    {"rejected",
     false,
     leave,
     1,
     {"tod: rejected by", "raw 0x00001008, LBA 7", "found: this"},
     {"\"verdict\": \"rejected\"", "\"found\": \"this\"", "\"verify\": null"}},
    {"nowhere",
     false,
     be_nowhere,
     0,
     {"does not stand here; a scan does not look here; a scan looks here only with --every-offset",
      "at: +0x8\n", "~LBA"},
     {"\"magic\": \"none\"", "\"raw_offset\": null", "\"aligned\": false"}},
    {"behind", false, be_behind, 1, {"stands at +0x14, and leads here"}, {"\"behind\""}},
    {"inside", false, be_inside, 1, {"leads to 0x00001010"}, {"\"inside\"", "\"start\": 4112"}},
    {"at the start", false, be_at_start, 1, {"none is needed"}, {"\"start of a file\""}},
    {"at the end",
     false,
     end_there,
     1,
     {"+0x40, raw 0x00001040, LBA 7, where the bytes end"},
     {"\"bytes\": \"\""}},
    {"at the end, nowhere",
     false,
     end_there,
     0,
     {"at: +0x40, where the bytes end"},
     {"\"raw_offset\": null"}},
    {"without bytes",
     false,
     have_no_bytes,
     1,
     {"at: +0x0", "~where the bytes end"},
     {"\"bytes\": \"\""}},
    {"without finding",
     false,
     have_no_finding,
     1,
     {"verify: does not report this rule", "as a near miss (RUN0006)", "~demanded"},
     {"\"found\": null", "\"near_miss\": true"}},
    {"another", false, have_another, 1, {"verify: "}, {"\"verify\": {", "\"asset_offset\": null"}},
    {"another there", false, have_another_at, 1, {" at +0x2c: "}, {"\"asset_offset\": 44"}},
    {"accepted",
     true,
     leave,
     1,
     {"accepted: 32 bytes, 2 frames", "~evidence: too little"},
     {"\"verdict\": \"accepted\"", "\"too_little_evidence\": false", "\"as_file\": null"}},
    {"weak", true, be_weak, 1, {"evidence: too little"}, {"\"too_little_evidence\": true"}},
    {"a weak file",
     true,
     be_a_weak_file,
     1,
     {"~evidence: too little"},
     {"\"too_little_evidence\": false"}},
    {"no file",
     true,
     fail_as_file,
     1,
     {"as a whole file: rejected", "~at +0x4"},
     {"\"as_file\": {"}},
    {"no file there",
     true,
     fail_as_file_there,
     1,
     {"as a whole file: rejected", " at +0x4"},
     {"\"as_file\": {"}},
    {"undecided",
     true,
     want_more,
     1,
     {"undecided: longer than any asset (RUN0002), after 3 frames"},
     {"\"verdict\": \"undecided\"", "~\"length\""}},
    {"not whole", true, be_not_whole, 1, {"next grade: it is not whole\n"}, {"it is not whole"}},
    {"noted",
     true,
     be_noted,
     1,
     {"next grade: it is not whole: ", ", at +0x14"},
     {"it is not whole: "}},
    {"wrong",
     true,
     be_wrong,
     1,
     {"next grade: ", "~it is not whole", "~, at +"},
     {"\"findings\": [{"}},
    {"not replayed", true, hold_together, 1, {"next grade: it cannot be replayed"}, {NULL}},
    {"broken", true, break_off, 1, {"next grade: its replay is broken\n"}, {NULL}},
    {"broken wrongly", true, break_off_wrongly, 1, {"next grade: its replay is broken: "}, {NULL}},
};

Test(told, why)
{
    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0]; i++) {
        const verdict *at = &verdicts[i];
        const fh_gather gather = gather_of(at->num_runs);
        fh_why why = at->is_accepted ? accepted() : rejected();
        fh_exam exam = {.asset = {.grade = FH_GRADE_REPLAYED}};
        text *out = text_begin();
        text *json = text_begin();
        at->change(&why, &exam);
        fh_why_print(&out->out, &gather, &why, &exam);
        text_has(out, at->text, 3, at->name);
        fh_why_json(&json->out, &gather, &why, &exam);
        text_has(json, at->json, 3, at->name);
    }
}

/* ---- places ---------------------------------------------------------------------------------- */

typedef struct sample {
    fh_spot spot;
    const char *text[3];
    const char *json[3];
} sample;

/* Numbers that are 0 stand for none. */
static fh_spot spot_of(const sample *at)
{
    fh_spot spot = at->spot;
    int64_t *const numbers[] = {&spot.sector,     &spot.user_off, &spot.lba,
                                &spot.sector_off, &spot.iso_off,  &spot.ram_address};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        *numbers[i] = *numbers[i] == 0 ? FH_UNKNOWN : *numbers[i];
    }
    return spot;
}

static const sample samples[] = {
    {{.raw_off = 16},
     {"raw: 0x00000010\n", "~lba", "~sector"},
     {"\"lba\": null", "\"msf\": null", "\"kind\": null"}},
    {{.lba = -150}, {"lba: -150\n", "msf: 00:00:00\n"}, {"\"msf\": \"00:00:00\""}},
    {{.lba = -151}, {"lba: -151\n", "~msf"}, {"\"lba\": -151", "\"msf\": null"}},
    {{.lba = 4500, .sector_off = 3, .user_off = 5},
     {"user: 0x00000005", "lba: 4500+0x3", "msf: 01:02:00+0x3"},
     {"\"sector_offset\": 3"}},
    {{.ram_address = 0x80010000}, {"ram: 0x80010000"}, {"\"ram_address\": 2147549184"}},
    {{.iso_path = "/A", .joliet_path = "/a"},
     {"iso: /A\n", "joliet: /a\n"},
     {"\"iso_offset\": null"}},
    {{.iso_path = "/A", .iso_off = 9}, {"iso: /A+0x9\n"}, {"\"iso_offset\": 9"}},
    {{.iso_path = "/A", .iso_off = 9, .is_directory = true},
     {"directory: /A+0x9\n"},
     {"\"directory\": \"/A\"", "\"iso_path\": null", "\"iso_offset\": null"}},
    {{.sector = 2, .kind = "Mode 1", .field = "sync"},
     {"sector: 2", "kind: Mode 1", "field: sync"},
     {"\"kind\": \"Mode 1\"", "\"field\": \"sync\""}},
};

Test(told, spots)
{
    const fh_layout layout = {.stride = FH_STRIDE_PLAIN};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        text *out = text_begin();
        text *json = text_begin();
        const fh_spot spot = spot_of(&samples[i]);
        fh_spot_print(&out->out, "a\nb", &layout, &spot);
        text_has(out, samples[i].text, 3, "text");
        fh_spot_json(&json->out, "a\nb", &layout, &spot);
        text_has(json, samples[i].json, 3, "JSON");
    }
}

/* ---- progress -------------------------------------------------------------------------------- */

typedef struct step {
    fh_progress_mode mode;
    double ago; /* seconds, since it began */
    fh_hunt_progress state;
    const char *text[3];
} step;

static const step steps[] = {
    {FH_PROGRESS_ALWAYS,
     2,
     {.bytes = 1 << 20, .size = 4 << 20, .assets = 3},
     {"1.0 of 4.0 MiB, 25 %", ", 0:0", "3 found"}},
    {FH_PROGRESS_ALWAYS, 2, {.bytes = 1 << 20, .size = FH_UNKNOWN}, {"1.0 MiB, ", "~%", "~left"}},
    {FH_PROGRESS_ALWAYS, 2, {.bytes = 0, .size = 0}, {"0.0 MiB, ", "~%", "~left"}},
    {FH_PROGRESS_ALWAYS, 2, {.bytes = 5 << 20, .size = 4 << 20}, {"125 %", "~left"}},
    {FH_PROGRESS_ALWAYS, 0, {.bytes = 0, .size = 8}, {"0.0 of 0.0 MiB, 0 %", "~left"}},
    {FH_PROGRESS_ALWAYS, -5, {.bytes = 7, .size = 8}, {"~of"}}, /* it was shown just now */
    {FH_PROGRESS_JSON, 2, {.bytes = 7, .size = FH_UNKNOWN}, {"\"bytes\": 7, \"size\": null"}},
    {FH_PROGRESS_JSON, 2, {.bytes = 7, .size = 8, .assets = 1}, {"\"size\": 8", "\"assets\": 1}"}},
    {FH_PROGRESS_NEVER, 2, {.bytes = 7, .size = 8}, {"~7"}},
    {FH_PROGRESS_AUTO, 2, {.bytes = 7, .size = 8}, {"~7"}}, /* standard error is no terminal */
};

static void show(const step *at)
{
    fh_progress progress;
    fh_progress_begin(&progress, at->mode, "a path");
    progress.start.tv_sec -= (time_t)at->ago;
    fh_progress_show(&progress, &at->state);
    cr_expect(progress.is_shown == (at->mode == FH_PROGRESS_ALWAYS && at->ago >= 0));
    fh_progress_wipe(&progress);
    cr_expect(eq(int, progress.is_shown, 0));
}

Test(told, progress)
{
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        text *said = text_begin();
        FILE *before = stderr;
        stderr = said->file;
        show(&steps[i]);
        stderr = before;
        text_has(said, steps[i].text, 3, "progress");
    }
}

/* Progress that cannot be told is no reason to stop, and later lines may come through. */
Test(told, progress_on_a_full_disk)
{
    fh_progress progress;
    const fh_hunt_progress state = {.bytes = 7, .size = 8};
    FILE *full = fopen("/dev/full", "w");
    FILE *before = stderr;
    if (full == NULL) {
        cr_skip_test("no /dev/full");
    }
    fh_progress_begin(&progress, FH_PROGRESS_JSON, "a path");
    stderr = full;
    fh_progress_show(&progress, &state);
    stderr = before;
    cr_expect(eq(int, ferror(full), 0));
    (void)fclose(full);
}

/* A line is for a terminal, and not at once. */
Test(told, progress_on_a_terminal)
{
    fh_progress progress;
    const int terminal = posix_openpt(2);
    const int before = dup(STDERR_FILENO);
    char *name = NULL;
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) {
        cr_skip_test("no terminal can be made");
    }
    name = ptsname(terminal);
    FILE *file = fopen(name == NULL ? "/dev/null" : name, "w");
    cr_assert(file != NULL && before >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    fh_progress_begin(&progress, FH_PROGRESS_AUTO, "a path");
    cr_assert(dup2(before, STDERR_FILENO) >= 0 && fclose(file) == 0);
    cr_expect(eq(int, (int)progress.mode, FH_PROGRESS_AUTO));
    cr_expect(progress.last_shown > 0);
    (void)close(terminal);
}

/* ---- walks ----------------------------------------------------------------------------------- */

enum { NUM_FILES = 70 };

typedef struct walked {
    size_t num_files;
    size_t num_errors;
    size_t most;
} walked;

static bool on_file(void *user, const char *path, bool explicit_name)
{
    walked *seen = user;
    cr_expect(explicit_name == (path[0] == 'x'));
    return ++seen->num_files < seen->most;
}

static void on_error(void *user, const char *path, const char *why)
{
    walked *seen = user;
    cr_expect(strcmp(path, "gone") == 0 && strcmp(why, "a reason") == 0);
    seen->num_errors++;
}

Test(told, walks_are_played_as_they_went)
{
    fh_kept_walk kept = {0};
    size_t num_left_out = 0;
    walked seen = {.most = 1000};
    const fh_walk_sink like = {.num_left_out = &num_left_out, .skips_git = true};
    const fh_walk_sink sink = fh_kept_walk_sink(&kept, &like);
    const fh_walk_sink player = {.user = &seen, .file = on_file, .error = on_error};
    cr_expect(sink.skips_git && sink.num_left_out == &num_left_out);
    for (int i = 0; i < NUM_FILES; i++) {
        cr_expect(sink.file(sink.user, i == 3 ? "x" : "a", i == 3));
    }
    sink.error(sink.user, "gone", "a reason");
    cr_expect(fh_kept_walk_play(&kept, &player));
    cr_expect(eq(sz, seen.num_files, NUM_FILES));
    cr_expect(eq(sz, seen.num_errors, 1));
    seen = (walked){.most = 2};
    cr_expect(not(fh_kept_walk_play(&kept, &player)));
    cr_expect(eq(sz, seen.num_files, 2));
    fh_kept_walk_free(&kept);
    cr_expect(eq(sz, kept.num_steps, 0));
}
