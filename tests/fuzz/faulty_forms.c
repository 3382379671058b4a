/* Of fuzz_forms.c: a TOD and a TRA4 whose functions do as those of the sound formats, and then lie.
 * The files are an asset of each, and a model that lies beside the latter.
 */
#include "faulty.h"

#include "fuzz_oracles.h"
#include "tod/tod.h"
#include "tra/tra.h"

#include <stdlib.h>
#include <string.h>

#define WORK "the work of verifying stays under its bound"
#define MEMORY "the memory of verifying and replaying stays under its bound"
#define PLAYED "what was verified can be replayed"
#define PAID "what a replay tells is paid for"
#define REPLAYED "the work of replaying stays under its bound"
#define OWN "a canonical form is its own"
#define TWICE "a companion gives the same twice"
#define STRUCTURE "a companion changes no structure"
#define EDIT "an edit lies in the bytes"
#define LENGTH "binary data keep their length when they are mended"
#define UNIT "a unit lies in the bytes"
#define COUNT "and so does what counts it"

typedef struct file {
    uint8_t *bytes; /* owned */
    size_t len;
} file;

static struct {
    fh_format tod;
    fh_format tra;
    file animation; /* TOD */
    file text;      /* TRA4 */
    file model;     /* of it */
    unsigned num_verified;
    unsigned num_replayed;
    unsigned num_written;
} of;

static const fh_rule rules[] = {{.code = "TST0001", .severity = FH_NOTE, .title = "title"},
                                {.code = "TST0002", .severity = FH_ERROR, .title = "title"}};

static void tell(const fh_env *env, const fh_rule *rule, int64_t off)
{
    fh_finding finding = fh_finding_make(rule, "field");
    finding.offset = off;
    env->sink->finding(env->sink->user, &finding);
}

/* ---- what verifying and replaying cost ---- */

static fh_status verify_tod(fh_asset *asset, const void **model, const fh_env *env, fh_cursor bytes,
                            const fh_verify_options *options)
{
    enum { TOO_MUCH_WORK = 1 << 19, TOO_FAR = 2 << 20 };
    const fh_status status = fh_tod_format.verify(asset, model, env, bytes, options);
    env->budget->left -= faulty_is("too much work") ? TOO_MUCH_WORK : 0;
    if (faulty_is("too much work, and cut short")) {
        env->budget->left = 0;
        return FH_LIMIT;
    }
    if (faulty_is("too much memory")) {
        ((uint8_t *)env->arena->base)[TOO_FAR] = 1;
    }
    return status;
}

static fh_status replay_tod(fh_replay_result *result, const fh_env *env, const void *model,
                            const fh_replay_options *options)
{
    enum { TOO_MUCH_WORK = 1 << 19, TOO_FAR = 2 << 20, TOO_MANY = 1 << 16 };
    const fh_pose_frame frame = {.index = 9999};
    const fh_status status = fh_tod_format.replay(result, env, model, options);
    const bool is_cut_short = faulty_is("too much work to replay, and cut short");
    env->budget->left -= is_cut_short || faulty_is("too much work to replay") ? TOO_MUCH_WORK : 0;
    result->state = is_cut_short ? FH_REPLAY_STOPPED : result->state;
    for (uint32_t i = 0; i < TOO_MANY && faulty_is("frames that are not paid for"); i++) {
        env->sink->frame(env->sink->user, &frame);
    }
    if (faulty_is("too much memory to replay")) {
        ((uint8_t *)env->arena->base)[TOO_FAR] = 1;
    }
    return faulty_is("verified, and no replay") ? FH_UNSUPPORTED : status;
}

static void ask_bounds(void)
{
    oracle_bounds(&of.tod, fh_cursor_make(of.animation.bytes, of.animation.len, 0));
}

/* ---- the canonical form ---- */

static void spoil_form(fh_asset *asset, fh_status *status)
{
    const bool is_form = of.num_verified == 2;
    if (is_form && (faulty_is("form is unsound") || faulty_is("form is rounded and unsound"))) {
        *status = FH_CORRUPT;
        asset->grade = FH_GRADE_CANDIDATE;
    }
}

static void spoil_beside(fh_asset *asset, fh_status *status, const void **model, const fh_env *env)
{
    if (faulty_is("companion is told once") && of.num_verified == 2) {
        tell(env, &rules[0], 0);
    } else if (faulty_is("companion breaks it")) {
        *status = FH_CORRUPT;
        asset->grade = FH_GRADE_CANDIDATE;
        tell(env, &rules[1], 0);
    } else if (faulty_is("companion shortens it")) {
        asset->length--;
    } else if (faulty_is("companion takes its model")) {
        asset->grade = FH_GRADE_STRUCTURE;
        *model = NULL;
    } else if (faulty_is("no world, and that is told")) {
        tell(env, &rules[0], 0);
    }
}

static fh_status verify_tra(fh_asset *asset, const void **model, const fh_env *env, fh_cursor bytes,
                            const fh_verify_options *options)
{
    fh_status status = fh_tra_format.verify(asset, model, env, bytes, options);
    of.num_verified++;
    if (options->companion != NULL) {
        spoil_beside(asset, &status, model, env);
    } else {
        spoil_form(asset, &status);
        asset->grade = faulty_is("companion raises the grade") ? FH_GRADE_STRUCTURE : asset->grade;
    }
    return status;
}

static fh_status replay_tra(fh_replay_result *result, const fh_env *env, const void *model,
                            const fh_replay_options *options)
{
    const fh_pose_frame frame = {.index = 9999};
    const fh_status status = fh_tra_format.replay(result, env, model, options);
    of.num_replayed++;
    if (of.num_replayed == 2 &&
        (faulty_is("form moves otherwise") || faulty_is("form is cut short and moves otherwise"))) {
        env->sink->frame(env->sink->user, &frame);
    }
    result->state = faulty_is("form is cut short and moves otherwise") ? FH_REPLAY_STOPPED
                    : faulty_is("no world, and that is told") || faulty_is("no world")
                        ? FH_REPLAY_BROKEN
                        : result->state;
    result->ticks += faulty_is("companion is replayed otherwise") ? of.num_replayed : 0;
    return faulty_is("text cannot be replayed") ? FH_UNSUPPORTED : status;
}

/* Hands the text on, of the second form with another first byte. */
static void write_other(void *user, const char *text, size_t len)
{
    const fh_text_sink *to = *(const fh_text_sink **)user;
    char *copy = malloc(len + 1);
    if (copy == NULL) {
        exit(2);
    }
    memcpy(copy, text, len);
    copy[0] = len > 0 ? '#' : copy[0];
    to->write(to->user, copy, len);
    free(copy);
}

static fh_status canonical_tra(const fh_env *env, const fh_text_sink *out, const void *model)
{
    const fh_text_sink other = {&out, write_other};
    const bool is_second = ++of.num_written == 2;
    const bool is_other = is_second && faulty_is("form of the form has other letters");
    if (faulty_is("sound text is refused")) {
        return FH_CORRUPT;
    }
    if (faulty_is("written in part")) {
        out->write(out->user, "part", 4);
        return FH_UNSUPPORTED;
    }
    const fh_status status = fh_tra_format.canonical(env, is_other ? &other : out, model);
    if (is_second && faulty_is("form of the form is longer")) {
        out->write(out->user, "\n", 1);
    }
    return faulty_is("nothing can be written") ? FH_UNSUPPORTED : status;
}

static void ask_canonical(void)
{
    oracle_canonical(&of.tra, fh_cursor_make(of.text.bytes, of.text.len, 0));
    if (faulty_ask() == NULL && of.num_written != 2) {
        abort(); /* the file is not what the faults are made for */
    }
}

/* Digits are dropped by the forms of another format. */
static void ask_rounded(void)
{
    of.tra.name = "camerawork";
    ask_canonical();
    of.tra.name = fh_tra_format.name;
}

/* ---- companions ---- */

static void ask_companion(void)
{
    size_t used = 0;
    run_outcome seen;
    const fh_cursor bytes = fh_cursor_make(of.text.bytes, of.text.len, 0);
    run_file(&seen, &used, &of.tra, bytes, &run_as_the_scanner);
    of.num_verified = 0;
    of.num_replayed = 0;
    oracle_companion(&of.tra, bytes, &seen, of.model.bytes, of.model.len);
}

/* ---- repairs ---- */

static fh_status repair_tod(const fh_env *env, const fh_edit_sink *out, fh_cursor bytes,
                            const fh_verify_options *options)
{
    static const uint8_t byte = 0;
    fh_edit edit = {
        .old_len = 1, .bytes = &byte, .len = 1, .rule = of.tod.mends[0].rule, .field = "field"};
    edit.rule = faulty_is("mends what is not listed") ? &rules[0] : edit.rule;
    edit.off = faulty_is("edit behind the bytes") ? bytes.size + 1 : 0;
    edit.off = faulty_is("edit over the end") ? bytes.size : edit.off;
    edit.len = faulty_is("edit of another length") || faulty_is("text of another length") ? 0 : 1;
    out->edit(out->user, &edit);
    return fh_tod_format.repair(env, out, bytes, options);
}

static fh_status units_tod(const fh_env *env, const fh_unit_sink *out, fh_cursor bytes)
{
    fh_unit unit = {.off = 0, .len = 1};
    unit.off = faulty_is("unit behind the bytes") ? bytes.size + 1 : 0;
    unit.len = faulty_is("unit over the end") ? bytes.size + 1 : unit.len;
    unit.counts[1].off = faulty_is("count behind the bytes") ? bytes.size + 1 : 0;
    unit.counts[0].off = faulty_is("count over the end") ? bytes.size : 0;
    unit.counts[0].len = faulty_is("count over the end") ? 1 : 0;
    unit.counts[1].len = faulty_is("count longer than the bytes") ? bytes.size + 1 : 0;
    out->unit(out->user, &unit);
    return fh_tod_format.units(env, out, bytes);
}

static void ask_repairs(void)
{
    of.tod.is_text = faulty_is("text of another length");
    (void)oracle_repairs(&of.tod, fh_cursor_make(of.animation.bytes, of.animation.len, 0));
    of.tod.is_text = false;
}

/* ---- all of them ---- */

static const faulty_case cases[] = {
    {"none", NULL},
    {"too much work", WORK, ask_bounds},
    {"too much work, and cut short", NULL, ask_bounds},
    {"too much memory", MEMORY, ask_bounds},
    {"verified, and no replay", PLAYED, ask_bounds},
    {"frames that are not paid for", PAID, ask_bounds},
    {"too much work to replay", REPLAYED, ask_bounds},
    {"too much work to replay, and cut short", NULL, ask_bounds},
    {"too much memory to replay", MEMORY, ask_bounds},
    {"text cannot be replayed", "it can be replayed", ask_canonical},
    {"sound text is refused", "a sound text can be written anew", ask_canonical},
    {"nothing can be written", "nothing is written unless all can be", ask_canonical},
    {"written in part", "nothing is written unless all can be", ask_canonical},
    {"form is unsound", "a canonical form is sound", ask_canonical},
    {"form is rounded and unsound", NULL, ask_rounded},
    {"form of the form is longer", OWN, ask_canonical},
    {"form of the form has other letters", OWN, ask_canonical},
    {"form moves otherwise", "and moves alike", ask_canonical},
    {"form is cut short and moves otherwise", NULL, ask_canonical},
    {"companion is told once", TWICE, ask_companion},
    {"companion is replayed otherwise", TWICE, ask_companion},
    {"companion breaks it", STRUCTURE, ask_companion},
    {"companion shortens it", STRUCTURE, ask_companion},
    {"companion takes its model", STRUCTURE, ask_companion},
    {"companion raises the grade", STRUCTURE, ask_companion},
    {"no world", "where there is no world space, that is told", ask_companion},
    {"no world, and that is told", NULL, ask_companion},
    {"mends what is not listed", "a rule that is mended is in the list", ask_repairs},
    {"edit behind the bytes", EDIT, ask_repairs},
    {"edit over the end", EDIT, ask_repairs},
    {"edit of another length", LENGTH, ask_repairs},
    {"text of another length", NULL, ask_repairs},
    {"unit behind the bytes", UNIT, ask_repairs},
    {"unit over the end", UNIT, ask_repairs},
    {"count behind the bytes", COUNT, ask_repairs},
    {"count over the end", COUNT, ask_repairs},
    {"count longer than the bytes", COUNT, ask_repairs},
};

static void ask_all(void)
{
    ask_bounds();
    ask_canonical();
    of.num_written = 0;
    ask_rounded();
    ask_companion();
    ask_repairs();
}

static void run(char **files)
{
    file *const into[] = {&of.animation, &of.text, &of.model};
    for (size_t i = 0; i < sizeof into / sizeof into[0]; i++) {
        into[i]->bytes = faulty_read(files[i], &into[i]->len);
    }
    of.tod = fh_tod_format;
    of.tod.verify = verify_tod;
    of.tod.replay = replay_tod;
    of.tod.repair = repair_tod;
    of.tod.units = units_tod;
    of.tra = fh_tra_format;
    of.tra.verify = verify_tra;
    of.tra.replay = replay_tra;
    of.tra.canonical = canonical_tra;
    run_now.is_whole = true;
    run_now.is_shown = true;
    if (faulty_ask() == NULL) {
        ask_all();
    } else {
        faulty_ask()();
    }
    for (size_t i = 0; i < sizeof into / sizeof into[0]; i++) {
        free(into[i]->bytes);
    }
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
