/* Of fuzz_run.c, fuzz_grades.c, fuzz_found.c, fuzz_extent.c and fuzz_format.c: a format whose
 * functions do as those of the sound one, and then lie. The linker puts __wrap_fh_hunt_bytes before
 * the hunt that looks for an asset in other bytes.
 */
#include "faulty.h"

#include "fuzz_format.h"
#include "fuzz_oracles.h"
#include "hunt/hunt.h"
#include "tod/tod.h"

#include <stdlib.h>
#include <string.h>

#define FOUND "what is replayed is found anywhere"
#define POINTS "a finding points into the bytes"
#define CUT "cutting does not raise the grade"
#define LONGER "appending does not raise the grade"

enum { MORE = 20 };
static const int64_t ram_address = 0x80010000;

static struct {
    fh_format format;
    uint8_t *bytes; /* of the asset, and MORE that are none behind it */
    size_t len;
    unsigned num_calls;
    bool plays_whole; /* what was verified last is just the asset */
} of;

static const fh_rule rules[] = {{.code = "TST0001", .severity = FH_NOTE, .title = "title"},
                                {.code = "TST0002", .severity = FH_ERROR, .title = "title"}};

static void tell(const fh_env *env, const fh_rule *rule, const char *field, int64_t off)
{
    fh_finding finding = fh_finding_make(rule, field);
    finding.offset = off;
    env->sink->finding(env->sink->user, &finding);
}

static bool is_whole(fh_cursor bytes)
{
    return bytes.size == of.len;
}

/* ---- probe ---- */

static void reject(fh_probe *out, const fh_rule *rule)
{
    *out = (fh_probe){.verdict = FH_REJECT, .rule = rule, .status = FH_CORRUPT};
}

static void accept(fh_probe *out, size_t len)
{
    *out = (fh_probe){.verdict = FH_ACCEPT, .length = len};
}

static void want(fh_probe *out, size_t len)
{
    *out = (fh_probe){.verdict = FH_MORE, .length = len};
}

static void probe_closed(fh_probe *out, fh_cursor bytes)
{
    if (faulty_is("probe never decides")) {
        want(out, bytes.size + 1);
    } else if (faulty_is("probe is not verify")) {
        accept(out, bytes.size);
    } else if (faulty_is("probe is longer than verify")) {
        accept(out, of.len + 1);
    } else if (faulty_is("rejection without a rule")) {
        reject(out, NULL);
    } else if (faulty_is("rejection by another rule")) {
        reject(out, &rules[0]);
    }
}

static void probe_open(fh_probe *out, fh_cursor bytes)
{
    if (faulty_is("more is what there is")) {
        want(out, bytes.size);
    } else if (faulty_is("more of what is whole")) {
        want(out, bytes.size + MORE);
    } else if (faulty_is("accepted with another length")) {
        accept(out, of.len - 4);
    } else if (faulty_is("rejection at an open end")) {
        reject(out, &rules[0]);
    } else if (faulty_is("last byte is not asked for") && bytes.size < of.len) {
        accept(out, bytes.size);
    }
}

static bool glance(const fh_cursor *bytes)
{
    return !faulty_is("glance rejects") && fh_tod_format.glance(bytes);
}

static void probe(fh_probe *out, fh_cursor bytes, fh_end end, fh_memo *memo, fh_arena *arena,
                  fh_budget *budget)
{
    fh_tod_format.probe(out, bytes, end, memo, arena, budget);
    if (end == FH_END_FILE) {
        probe_closed(out, bytes);
    } else if (end == FH_END_NONE) {
        probe_open(out, bytes);
    }
    if (faulty_is("more of what is whole") && end == FH_END_STREAM) {
        reject(out, &rules[0]);
    }
    if (faulty_is("cut out it is not found") && is_whole(bytes)) {
        reject(out, &rules[0]);
    }
    if (faulty_is("memo changes") && memo != NULL) {
        reject(out, &rules[0]);
    }
}

/* ---- verify ---- */

/* As if all bytes were there. */
static bool sees_all(fh_cursor bytes)
{
    return bytes.size < of.len &&
           (faulty_is("part is better") || faulty_is("part of a memory is better") ||
            faulty_is("part of a memory is replayed") || faulty_is("part of a memory is freed") ||
            faulty_is("last byte is free"));
}

static void make_nothing(fh_asset *asset, fh_status *status, const fh_env *env)
{
    asset->grade = FH_GRADE_CANDIDATE;
    *status = FH_CORRUPT;
    tell(env, &rules[1], "field", 0);
}

static void spoil_grade(fh_asset *asset, fh_status *status, const fh_env *env, fh_cursor bytes)
{
    const bool is_memory =
        faulty_is("part of a memory is better") || faulty_is("part of a memory is replayed") ||
        faulty_is("part of a memory is freed") || faulty_is("more of a memory is better") ||
        faulty_is("alone it is nothing in memory");
    asset->ram_address = is_memory ? ram_address : asset->ram_address;
    if (is_whole(bytes) &&
        (faulty_is("part is better") || faulty_is("part of a memory is better") ||
         faulty_is("more is better") || faulty_is("more of a memory is better"))) {
        make_nothing(asset, status, env);
    }
    if (is_whole(bytes) && faulty_is("part of a memory is freed")) {
        asset->grade = FH_GRADE_STRUCTURE;
    }
    if (is_whole(bytes) &&
        (faulty_is("alone it is nothing") || faulty_is("alone it is nothing in memory") ||
         faulty_is("probe is not verify"))) {
        make_nothing(asset, status, env);
    }
}

/* What is found among other bytes. */
static void spoil_carved(fh_asset *asset, fh_status *status, const fh_env *env, fh_cursor bytes)
{
    if (faulty_is("carved it is nothing")) {
        make_nothing(asset, status, env);
    } else if (faulty_is("fragment that is sound") ||
               (faulty_is("cut out it is less") && is_whole(bytes))) {
        asset->grade = FH_GRADE_STRUCTURE;
    }
}

static void spoil_places(const fh_asset *asset, const fh_env *env, fh_cursor bytes,
                         const fh_verify_options *options)
{
    if (faulty_is("message with a line end")) {
        tell(env, &rules[0], "two\nlines", 0);
    } else if (faulty_is("finding behind the bytes")) {
        tell(env, &rules[0], "field", (int64_t)bytes.size + 1);
    } else if (faulty_is("finding before the bytes")) {
        tell(env, &rules[0], "field", -2);
    } else if (faulty_is("carved finding behind the asset") && !options->stand_alone) {
        tell(env, &rules[0], "field", (int64_t)asset->length + 1);
    } else if (faulty_is("error behind the asset") && options->stand_alone) {
        tell(env, &rules[1], "field", (int64_t)asset->length + 1);
    } else if (faulty_is("verify changes")) {
        tell(env, &rules[0], "field", of.num_calls % 8);
    }
}

static void spoil_outcome(fh_asset *asset, fh_status *status, const void **model, fh_cursor bytes)
{
    *status = faulty_is("internal")     ? FH_INTERNAL
              : faulty_is("arena full") ? FH_NO_MEMORY
                                        : *status;
    asset->length = faulty_is("asset too long") ? bytes.size + 1 : asset->length;
    asset->grade = faulty_is("verify says replayed")        ? FH_GRADE_REPLAYED
                   : faulty_is("sound without a structure") ? FH_GRADE_CANDIDATE
                                                            : asset->grade;
    *model = faulty_is("no model") ? NULL : *model;
    if (faulty_is("wrong without a finding")) {
        *status = FH_CORRUPT;
        asset->grade = FH_GRADE_CANDIDATE;
    }
}

static fh_status verify(fh_asset *asset, const void **model, const fh_env *env, fh_cursor bytes,
                        const fh_verify_options *options)
{
    const bool is_all = sees_all(bytes);
    const fh_cursor seen = is_all ? fh_cursor_make(of.bytes, of.len, 0) : bytes;
    const fh_sink silent = {.user = NULL};
    fh_env own = *env;
    if (faulty_is("wrong without a finding") || faulty_is("last byte is free")) {
        own.sink = &silent;
    }
    fh_status status = fh_tod_format.verify(asset, model, &own, seen, options);
    of.num_calls++;
    of.plays_whole = is_whole(bytes);
    asset->length = is_all ? bytes.size : asset->length;
    if (is_all && faulty_is("part of a memory is freed")) {
        asset->length = bytes.size / 2;
    }
    spoil_grade(asset, &status, env, bytes);
    if (!options->stand_alone) {
        spoil_carved(asset, &status, env, bytes);
    }
    spoil_outcome(asset, &status, model, bytes);
    spoil_places(asset, env, bytes, options);
    return status;
}

/* ---- replay ---- */

static fh_status replay(fh_replay_result *result, const fh_env *env, const void *model,
                        const fh_replay_options *options)
{
    const fh_status status = fh_tod_format.replay(result, env, model, options);
    of.num_calls++;
    result->frames += faulty_is("replay runs a frame too many") ? 1000 : 0;
    result->frames -= faulty_is("replay runs fewer than it shows");
    result->evaluator = faulty_is("evaluator without a name") ? NULL : result->evaluator;
    result->ticks += faulty_is("replay changes") ? of.num_calls : 0;
    result->ticks += faulty_is("alone it moves otherwise") ? of.num_calls : 0;
    if (of.plays_whole && faulty_is("part of a memory is replayed")) {
        result->state = FH_REPLAY_BROKEN;
    }
    if (faulty_is("replay finds behind the asset")) {
        tell(env, &rules[0], "field", (int64_t)of.len + 1);
    }
    return faulty_is("replay cannot be done") ? FH_UNSUPPORTED : status;
}

static fh_status repair(const fh_env *env, const fh_edit_sink *out, fh_cursor bytes,
                        const fh_verify_options *options)
{
    (void)env, (void)out, (void)bytes, (void)options;
    return faulty_is("mended otherwise") && of.num_calls++ % 2 == 0 ? FH_LIMIT : FH_OK;
}

/* ---- the hunt ---- */

/* Names that the linker gives. */
void __real_fh_hunt_bytes(int64_t *num_left_out, const char *path, const uint8_t *bytes, size_t len,
                          const fh_hunt_options *options, const fh_hunt_sink *sink,
                          const fh_hunt_visitor *visitor);
void __wrap_fh_hunt_bytes(int64_t *num_left_out, const char *path, const uint8_t *bytes, size_t len,
                          const fh_hunt_options *options, const fh_hunt_sink *sink,
                          const fh_hunt_visitor *visitor);

static const fh_hunt_sink *hunt_sink;
static bool is_second; /* of the two places at which an asset is laid */

static bool on_asset(void *user, const fh_asset_record *told, int64_t *handle)
{
    fh_asset_record asset = *told;
    if (faulty_is("asset not found")) {
        return true;
    }
    asset.raw_offset += faulty_is("found elsewhere");
    asset.length += faulty_is("found too long");
    asset.format = faulty_is("found as another format") ? "hmd" : asset.format;
    asset.grade = faulty_is("found with a lower grade") ? "references" : asset.grade;
    asset.lba = faulty_is("found in no sector") ? FH_UNKNOWN : asset.lba;
    asset.iso_path = faulty_is("found in no file") ? NULL : asset.iso_path;
    asset.iso_offset += faulty_is("found at another byte of the file");
    return hunt_sink->asset(user, &asset, handle);
}

void __wrap_fh_hunt_bytes(int64_t *num_left_out, const char *path, const uint8_t *bytes, size_t len,
                          const fh_hunt_options *options, const fh_hunt_sink *sink,
                          const fh_hunt_visitor *visitor)
{
    fh_hunt_sink own = *sink;
    hunt_sink = sink;
    own.asset = is_second ? on_asset : own.asset;
    if (!is_second && faulty_is("not found in the small file")) {
        is_second = !is_second;
        return;
    }
    is_second = !is_second;
    __real_fh_hunt_bytes(num_left_out, path, bytes, len, options, &own, visitor);
}

/* ---- what is asked ---- */

static fh_cursor whole(void)
{
    return fh_cursor_make(of.bytes, of.len, 0);
}

static fh_cursor with_more(void)
{
    return fh_cursor_make(of.bytes, of.len + MORE, 0);
}

static run_outcome run_over(fh_cursor bytes, const fh_verify_options *options)
{
    static size_t used;
    run_outcome out;
    run_with(&out, &used, &of.format, bytes, options, &run_as_the_scanner);
    return out;
}

static void ask_memory(void)
{
    if (faulty_is("no memory")) {
        (void)run_keep(NULL);
    }
    const unsigned num = RUN_MOST_COPIES + (faulty_is("too many copies") ? 1 : 0);
    for (unsigned i = 0; i < num; i++) {
        (void)run_copy(of.bytes, of.len);
    }
    run_release_all();
}

static void ask_run(void)
{
    const run_outcome seen = run_over(whole(), &run_whole_file);
    if (run_grade(&seen) != FH_GRADE_REPLAYED) {
        abort(); /* the file is not what the faults are made for */
    }
}

static void ask_longer_file(void)
{
    (void)run_over(with_more(), &run_whole_file);
}

static void ask_carved(void)
{
    (void)run_over(with_more(), &run_carved);
}

static void ask_part(void)
{
    const run_outcome seen = run_over(whole(), &run_whole_file);
    oracle_part(&of.format, whole(), &seen, of.len / 2);
    oracle_part(&of.format, whole(), &seen, of.len - 1);
}

static void ask_more(void)
{
    const run_outcome seen = run_over(whole(), &run_whole_file);
    oracle_longer(&of.format, whole(), &seen, 1);
}

static void ask_found(void)
{
    enum { NUM_PLACES = 7 }; /* fuzz_found.c */
    const run_outcome seen = run_over(whole(), &run_whole_file);
    for (uint64_t i = 0; i < NUM_PLACES; i++) {
        oracle_found(&of.format, of.bytes, &seen, i);
    }
}

static void ask_probe(void)
{
    const run_outcome seen = run_over(whole(), &run_whole_file);
    oracle_probe(&of.format, whole(), &seen);
}

static void ask_probe_behind(void)
{
    const run_outcome seen = run_over(with_more(), &run_carved);
    oracle_probe(&of.format, with_more(), &seen);
}

static void ask_memo(void)
{
    oracle_memo(&of.format, whole(), FH_END_FILE);
}

static void ask_alone(void)
{
    const run_outcome seen = run_over(with_more(), &run_whole_file);
    oracle_alone(&of.format, of.bytes, &seen);
}

/* A text begins where its first word says. */
static bool locate(size_t *start, fh_cursor bytes, size_t at)
{
    *start = at + faulty_is("begins behind its magic");
    return at < bytes.size;
}

static void ask_places(void)
{
    of.format.locate = locate;
    oracle_places(&of.format, with_more());
    of.format.locate = NULL;
}

static void ask_fragment(void)
{
    run_outcome seen = run_over(whole(), &run_whole_file);
    seen.asset.grade = FH_GRADE_CANDIDATE;
    seen.status = faulty_is("fragment that is sound") ? FH_OK : FH_CORRUPT;
    of.format.is_text = true;
    if (faulty_ask() != NULL) {
        oracle_probe(&of.format, whole(), &seen);
    }
    of.format.is_text = false;
}

static void ask_cuts(void)
{
    const run_outcome seen = run_over(whole(), &run_whole_file);
    oracle_cuts(&of.format, of.bytes, &seen);
}

static void ask_format(void)
{
    fuzz_format(&of.format, of.bytes, of.len);
}

/* ---- all of them ---- */

static const faulty_case cases[] = {
    {"none", NULL},
    /* fuzz_run.c */
    {"no memory", "the system has memory", ask_memory},
    {"too many copies", "no more copies are made than there is room for", ask_memory},
    {"message with a line end", "a message is one line", ask_run},
    {"finding behind the bytes", POINTS, ask_run},
    {"finding before the bytes", POINTS, ask_run},
    {"replay cannot be done", "what verify gave a model for can be replayed", ask_run},
    {"replay runs a frame too many", "no more frames are run than there are", ask_run},
    {"replay runs fewer than it shows",
     "every frame that is run is shown, of one that cannot be its begin", ask_run},
    {"evaluator without a name", "the evaluator has a name", ask_run},
    {"replay finds behind the asset", POINTS, ask_longer_file},
    {"internal", "no bug of ours is reported", ask_run},
    {"arena full", "the arena suffices", ask_run},
    {"asset too long", "an asset is not longer than the bytes", ask_run},
    {"verify says replayed", "verify does not replay", ask_run},
    {"no model", "what refers to what it has can be played", ask_run},
    {"sound without a structure", "OK means that the structure holds", ask_run},
    {"wrong without a finding", "what is wrong is told", ask_run},
    {"carved finding behind the asset", "a finding of an asset among others lies in it",
     ask_carved},
    {"error behind the asset", "what is wrong with an asset lies in it", ask_longer_file},
    /* fuzz_grades.c */
    {"part is better", CUT, ask_part},
    {"part of a memory is better", CUT, ask_part},
    {"part of a memory is replayed", CUT, ask_part},
    {"part of a memory is freed", NULL, ask_part},
    {"more is better", LONGER, ask_more},
    {"more of a memory is better", LONGER, ask_more},
    /* fuzz_found.c */
    {"asset not found", FOUND, ask_found},
    {"found elsewhere", FOUND, ask_found},
    {"found too long", FOUND, ask_found},
    {"found as another format", FOUND, ask_found},
    {"found with a lower grade", FOUND, ask_found},
    {"found in no sector", FOUND, ask_found},
    {"found in no file", FOUND, ask_found},
    {"found at another byte of the file", FOUND, ask_found},
    {"not found in the small file", FOUND, ask_found},
    /* fuzz_extent.c */
    {"glance rejects", "a glance rejects nothing that there is something to tell of", ask_probe},
    {"probe never decides", "a probe with all bytes at hand decides", ask_probe},
    {"probe is not verify", "what is accepted has a structure", ask_probe},
    {"probe is longer than verify", "probe and verify find the same length", ask_probe},
    {"rejection without a rule", "a rejection has a place", ask_probe},
    {"rejection by another rule", "verify tells what the probe rejects", ask_probe},
    {"more is what there is", "more is more than there is", ask_probe},
    {"more of what is whole", "what wants more is not whole", ask_probe_behind},
    {"accepted with another length", "an accepted asset needs nothing behind it", ask_probe},
    {"rejection at an open end", "a rejection does not hang on the end", ask_probe},
    {"memo changes", "the memo changes no verdict", ask_memo},
    {"alone it is nothing", "bytes behind the asset do not change it", ask_alone},
    {"alone it moves otherwise", "bytes behind the asset do not change its motion", ask_alone},
    {"alone it is nothing in memory", "bytes behind the asset do not hold it together", ask_alone},
    {"carved it is nothing", "what is accepted has a structure of that length", ask_places},
    {"cut out it is less", "what is accepted needs nothing behind it", ask_places},
    {"cut out it is not found", "and is found again", ask_places},
    {"begins behind its magic", "it begins not far in front", ask_places},
    {"fragment that is sound", "the rest of it is missing", ask_fragment},
    {"last byte is free", "an asset needs its last byte", ask_cuts},
    {"last byte is not asked for", "and a probe asks for it", ask_cuts},
    /* fuzz_format.c */
    {"mended otherwise", "the same is mended twice", ask_format},
    {"no player", "a format has a player", ask_format},
    {"verify changes", "verify gives the same twice", ask_format},
    {"replay changes", "replay gives the same twice", ask_format},
};

static void ask_all(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].ask != NULL) {
            cases[i].ask();
        }
    }
}

static void run(char **files)
{
    static const char *const no_profiles[] = {NULL};
    of.bytes = faulty_read(files[0], &of.len);
    memset(of.bytes + of.len, 'A', MORE);
    of.format = fh_tod_format;
    of.format.glance = glance;
    of.format.probe = probe;
    of.format.verify = verify;
    of.format.replay = replay;
    of.format.repair = repair;
    if (faulty_is("no player")) {
        of.format.profiles = no_profiles;
    }
    run_now.is_whole = true;
    run_now.is_shown = true;
    if (faulty_ask() == NULL) {
        ask_all();
    } else {
        faulty_ask()();
    }
    free(of.bytes);
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
