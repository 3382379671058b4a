/* Every asset of the corpus, with too little work and too little memory, in every format.
 *
 * Whatever a format can be asked (struct fh_format) is asked once with all that it wants, then with
 * its budget cut at many points and with each allocation refused in its turn. It must say so: with
 * FH_LIMIT and its finding, or FH_NO_MEMORY, and with nothing that it would not have said with
 * enough of both. What it does not say so of must be the same as with enough.
 */
#include "corpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- refusing allocations: the linker puts this in the place of fh_arena_alloc ---- */

void *__real_fh_arena_alloc(fh_arena *arena, size_t num, size_t elem_len);
void *__wrap_fh_arena_alloc(fh_arena *arena, size_t num, size_t elem_len);

static unsigned num_allocs; /* so far */
static unsigned refused;    /* the one that gets nothing, counted from 1; 0: none */

void *__wrap_fh_arena_alloc(fh_arena *arena, size_t num, size_t elem_len)
{
    return ++num_allocs == refused ? NULL : __real_fh_arena_alloc(arena, num, elem_len);
}

/* ---- what is asked ---- */

typedef enum question {
    VERIFY_FILE,
    VERIFY_CARVED,
    REPLAY,
    REPLAY_ON, /* in world space, behind another one, changes only */
    REPAIR,
    UNITS,
    CANONICAL,
    PROBE,
    PROBE_OPEN, /* more bytes may follow */
    NUM_QUESTIONS
} question;

static const char *const question_names[NUM_QUESTIONS] = {
    "verify", "verify carved", "replay", "replay on", "repair",
    "units",  "canonical",     "probe",  "probe open"};

enum { MOST_TOLD = 2048, FINDING_PARTS = 9 };

typedef struct told {
    uint64_t hash;
    const fh_rule *rule;
} told;

/* All that came out of one run. */
typedef struct answer {
    fh_status status;
    bool is_stopped; /* it says that it had not enough */
    uint64_t hash;   /* of everything told and returned */
    size_t num_findings;
    unsigned num_limits; /* findings of the rule of the spent budget */
    size_t num_written;  /* rows, edits, parts, pieces */
    fh_grade grade;
    bool has_model;
    uint64_t spent;
    unsigned allocs;
    const fh_rule *limit; /* the rule */
    told findings[MOST_TOLD];
} answer;

static uint64_t fold(uint64_t hash, const void *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static void fold_number(answer *to, int64_t number)
{
    to->hash = fold(to->hash, &number, sizeof number);
}

static uint64_t hash_of(const fh_finding *finding)
{
    const int64_t numbers[] = {finding->offset, finding->frame, finding->frame_number,
                               finding->object};
    uint64_t hash = fold(17, &finding->rule, sizeof finding->rule);
    hash = fold(hash, numbers, sizeof numbers);
    hash = fold(hash, finding->field, strlen(finding->field));
    hash = fold(hash, finding->found, strlen(finding->found));
    return fold(hash, finding->expected, strlen(finding->expected));
}

static void on_finding(void *user, const fh_finding *finding)
{
    answer *to = user;
    const uint64_t hash = hash_of(finding);
    HOLD(to->num_findings < MOST_TOLD, "more findings than the test has room for");
    if (finding->rule == to->limit) {
        to->num_limits++;
    } else if (strcmp(finding->field, "number of further findings") != 0) {
        to->findings[to->num_findings++] = (told){hash, finding->rule};
    }
    to->hash = fold(to->hash, &hash, sizeof hash);
}

static void on_frame(void *user, const fh_pose_frame *frame)
{
    fold_number(user, frame->index);
    fold_number(user, frame->number);
}

static void on_pose(void *user, const fh_pose_row *row)
{
    answer *to = user;
    to->num_written++;
    to->hash = fold(to->hash, row->values, row->table->num_columns * sizeof *row->values);
}

static void on_edit(void *user, const fh_edit *edit)
{
    answer *to = user;
    to->num_written++;
    fold_number(to, (int64_t)edit->off);
    fold_number(to, (int64_t)edit->old_len);
    to->hash = fold(to->hash, edit->bytes, edit->len);
}

static void on_unit(void *user, const fh_unit *unit)
{
    answer *to = user;
    to->num_written++;
    fold_number(to, (int64_t)unit->off);
    fold_number(to, (int64_t)unit->len);
    fold_number(to, unit->level);
}

static void on_text(void *user, const char *text, size_t len)
{
    answer *to = user;
    to->num_written++;
    to->hash = fold(to->hash, text, len);
}

/* ---- one asset ---- */

typedef struct subject {
    char name[256];
    const fh_format *format;
    const fh_rule *limit;        /* what a spent budget is told with */
    const fh_rule *replay_limit; /* and of a replay */
    forge_buf bytes;
    forge_buf companion; /* empty: none */
    void *block;
    const void *model; /* of all the bytes, in the block up to `mark` */
    size_t mark;
} subject;

static void ask_verify(answer *to, const subject *of, const fh_env *env, bool stand_alone,
                       const void **model)
{
    const fh_cursor companion = fh_cursor_make(of->companion.data, of->companion.len, 0);
    const fh_verify_options options = {.stand_alone = stand_alone,
                                       .aligned = true,
                                       .ends_file = stand_alone,
                                       .companion = of->companion.len == 0 ? NULL : &companion};
    fh_asset asset;
    to->status = of->format->verify(&asset, model, env,
                                    fh_cursor_make(of->bytes.data, of->bytes.len, 0), &options);
    to->grade = asset.grade;
    to->has_model = *model != NULL;
    to->is_stopped = to->status == FH_LIMIT || to->status == FH_NO_MEMORY;
    fold_number(to, to->status);
    fold_number(to, (int64_t)asset.length);
    fold_number(to, asset.grade);
    fold_number(to, asset.objects);
}

static void ask_replay(answer *to, const subject *of, const fh_env *env, bool more)
{
    const void *const before[1] = {of->model};
    const fh_replay_options options = {.world = more,
                                       .changes_only = more,
                                       .before = before,
                                       .num_before = more && of->format->can_continue ? 1 : 0};
    fh_replay_result result;
    to->status = of->format->replay(&result, env, of->model, &options);
    to->is_stopped = to->status != FH_OK || result.state == FH_REPLAY_STOPPED;
    fold_number(to, to->status);
    fold_number(to, result.state);
    fold_number(to, result.frames);
}

static void ask_probe(answer *to, const subject *of, const fh_env *env, fh_end end)
{
    fh_probe probe;
    of->format->probe(&probe, fh_cursor_make(of->bytes.data, of->bytes.len, 0), end, NULL,
                      env->arena, env->budget);
    to->status = probe.verdict == FH_REJECT ? probe.status : FH_OK;
    to->is_stopped = probe.verdict == FH_REJECT && probe.rule == of->limit;
    to->num_limits = to->is_stopped ? 1 : 0;
    fold_number(to, probe.verdict);
    fold_number(to, probe.verdict == FH_REJECT ? (int64_t)probe.reject_off : (int64_t)probe.length);
}

static void ask_other(answer *to, const subject *of, const fh_env *env, question what)
{
    const fh_cursor bytes = fh_cursor_make(of->bytes.data, of->bytes.len, 0);
    const fh_verify_options whole = {.stand_alone = true, .aligned = true, .ends_file = true};
    const fh_edit_sink edits = {to, on_edit};
    const fh_unit_sink units = {to, on_unit};
    const fh_text_sink text = {to, on_text};
    if (what == REPAIR) {
        to->status = of->format->repair(env, &edits, bytes, &whole);
    } else if (what == UNITS) {
        to->status = of->format->units(env, &units, bytes);
    } else {
        to->status = of->format->canonical(env, &text, of->model);
    }
    to->is_stopped = to->status == FH_LIMIT || to->status == FH_NO_MEMORY;
    fold_number(to, to->status);
}

static bool can_be_asked(const subject *of, question what)
{
    switch (what) {
    case REPLAY:
    case REPLAY_ON:
        return of->model != NULL;
    case REPAIR:
        return of->format->repair != NULL;
    case UNITS:
        return of->format->units != NULL;
    case CANONICAL:
        return of->model != NULL && of->format->canonical != NULL;
    default:
        return true;
    }
}

/* Asks with so much of a budget, and without the allocation of that number. */
static void ask(answer *to, const subject *of, question what, uint64_t budget, unsigned refuse)
{
    const bool is_replay = what == REPLAY || what == REPLAY_ON;
    memset(to, 0, offsetof(answer, findings)); /* of these only some are used */
    to->limit = is_replay ? of->replay_limit : of->limit;
    to->hash = UINT64_C(0xcbf29ce484222325);
    const bool needs_model = is_replay || what == CANONICAL;
    fh_arena arena = fh_arena_make(of->block, BENCH_ARENA);
    arena.used = needs_model ? of->mark : 0;
    fh_budget work = {budget};
    const fh_sink sink = {.user = to, .finding = on_finding, .frame = on_frame, .pose = on_pose};
    const fh_env env = {.arena = &arena, .budget = &work, .sink = &sink};
    const void *model = NULL;
    num_allocs = 0;
    refused = refuse;
    if (what == VERIFY_FILE || what == VERIFY_CARVED) {
        ask_verify(to, of, &env, what == VERIFY_FILE, &model);
    } else if (what == REPLAY || what == REPLAY_ON) {
        ask_replay(to, of, &env, what == REPLAY_ON);
    } else if (what == PROBE || what == PROBE_OPEN) {
        ask_probe(to, of, &env, what == PROBE ? FH_END_FILE : FH_END_NONE);
    } else {
        ask_other(to, of, &env, what);
    }
    refused = 0;
    to->allocs = num_allocs;
    to->spent = budget - work.left;
}

/* ---- what must hold ---- */

static bool told_in(const answer *whole, const told *finding)
{
    for (size_t i = 0; i < whole->num_findings; i++) {
        if (whole->findings[i].hash == finding->hash) {
            return true;
        }
    }
    return false;
}

/* What is wrong, all of it: one mistake shows at many points of many assets. */
enum { MOST_WRONG = 60 };
static unsigned num_wrong;

static void hold(bool holds, const subject *of, question what, const char *how, const char *truth)
{
    if (!holds && ++num_wrong <= MOST_WRONG) {
        cr_log_error("%s: %s with %s: %s", of->name, question_names[what], how, truth);
    }
}

/* It had not enough and says so: then it says nothing new, and claims nothing. */
static void hold_stopped(const subject *of, question what, const answer *whole, const answer *got,
                         const char *how)
{
    for (size_t i = 0; i < got->num_findings; i++) {
        if (!told_in(whole, &got->findings[i])) {
            hold(false, of, what, how, "nothing is found that is not there");
            hold(false, of, what, how, got->findings[i].rule->code);
        }
    }
    hold(got->grade <= FH_GRADE_STRUCTURE && got->grade <= whole->grade, of, what, how,
         "no grade is claimed");
    hold(!got->has_model, of, what, how, "there is no model");
    hold(what != CANONICAL || got->num_written == 0, of, what, how, "no half text is written");
    hold((what != REPLAY && what != REPLAY_ON) || got->num_written <= whole->num_written, of, what,
         how, "no more poses are shown than there are");
}

static void hold_budget(const subject *of, question what, const answer *whole, uint64_t budget)
{
    static answer got;
    char how[64];
    (void)snprintf(how, sizeof how, "budget %llu of %llu", (unsigned long long)budget,
                   (unsigned long long)whole->spent);
    ask(&got, of, what, budget, 0);
    if (got.hash == whole->hash || !got.is_stopped) {
        hold(got.hash == whole->hash, of, what, how, "another answer is told to be one");
        return;
    }
    const bool tells = what <= REPLAY_ON || what >= PROBE;
    const bool is_replay = what == REPLAY || what == REPLAY_ON;
    hold(got.status == (is_replay ? FH_OK : FH_LIMIT), of, what, how, "the status says so");
    hold(tells ? got.num_limits >= 1 : got.num_limits == 0, of, what, how, "a finding says so");
    hold(budget < whole->spent, of, what, how, "that is enough");
    hold_stopped(of, what, whole, &got, how);
}

static void hold_refused(const subject *of, question what, const answer *whole, unsigned refuse)
{
    static answer got;
    char how[64];
    (void)snprintf(how, sizeof how, "no allocation %u of %u", refuse, whole->allocs);
    ask(&got, of, what, BENCH_BUDGET, refuse);
    if (got.hash == whole->hash || !got.is_stopped) {
        hold(got.hash == whole->hash, of, what, how, "another answer is told to be one");
        return;
    }
    hold(got.status == FH_NO_MEMORY || got.status == FH_LIMIT, of, what, how, "the status says so");
    hold_stopped(of, what, whole, &got, how);
}

/* All budgets of little work; of more the ends, and some between them that differ from asset to
 * asset. The few assets that are made to take very long have been at their end already. */
enum { MOST_REFUSED = 64, FEW = 24, SOME = 12, LEAST = 2, MUCH_WORK = 20000, TOO_MUCH = 1000000 };

static void hold_question(const subject *of, question what, dice *d)
{
    static answer whole;
    ask(&whole, of, what, BENCH_BUDGET, 0);
    if (whole.spent > TOO_MUCH) {
        return;
    }
    const unsigned most = whole.spent > MUCH_WORK ? LEAST : MOST_REFUSED;
    for (unsigned i = 1; i <= whole.allocs && i <= most; i++) {
        hold_refused(of, what, &whole, i);
    }
    if (whole.spent <= FEW) {
        for (uint64_t budget = 0; budget <= whole.spent; budget++) {
            hold_budget(of, what, &whole, budget);
        }
        return;
    }
    const uint64_t share = MUCH_WORK / whole.spent;
    const uint64_t num = share > SOME ? SOME : share > LEAST ? share : LEAST;
    const uint64_t step = whole.spent / num;
    hold_budget(of, what, &whole, whole.spent - 1);
    hold_budget(of, what, &whole, whole.spent);
    for (uint64_t i = 0; i < num; i++) {
        hold_budget(of, what, &whole, i * step + dice_next(d) % step);
    }
}

static void hold_subject(subject *of, dice *d)
{
    static answer whole;
    const void *model = NULL;
    for (unsigned what = 0; what < NUM_QUESTIONS; what++) {
        if (what == REPLAY) { /* the model stays where it is for what needs it */
            whole = (answer){.limit = of->limit};
            fh_arena arena = fh_arena_make(of->block, BENCH_ARENA);
            fh_budget work = {BENCH_BUDGET};
            const fh_sink sink = {.user = &whole, .finding = on_finding};
            const fh_env env = {.arena = &arena, .budget = &work, .sink = &sink};
            ask_verify(&whole, of, &env, true, &model);
            of->model = model;
            of->mark = arena.used;
        } else if (what == REPAIR || what >= PROBE) {
            fh_arena arena = fh_arena_make(of->block, BENCH_ARENA);
            fh_arena_reset(&arena, 0);
        }
        if (can_be_asked(of, (question)what)) {
            hold_question(of, (question)what, d);
        }
    }
}

/* ---- the corpus ---- */

static const fh_rule *rule_of(const fh_format *format, const char *code)
{
    for (size_t i = 0; i < format->num_rules; i++) {
        if (strcmp(format->rules[i].code, code) == 0) {
            return &format->rules[i];
        }
    }
    cr_fatal("no rule %s", code);
    return NULL;
}

static dice chances;

static void hold_file(void *user, const corpus_file *file)
{
    subject *of = user;
    (void)snprintf(of->name, sizeof of->name, "%s", file->name);
    of->bytes = file->bytes;
    of->companion = file->companion;
    hold_subject(of, &chances);
    of->model = NULL;
}

static void hold_corpus(const char *name, const char *limit, const char *replay_limit)
{
    subject of = {.format = fh_format_find(name), .block = malloc(BENCH_ARENA)};
    of.limit = rule_of(of.format, limit);
    of.replay_limit = rule_of(of.format, replay_limit);
    chances = (dice){1};
    corpus_each(of.format, hold_file, &of);
    free(of.block);
    cr_assert(num_wrong == 0, "%u answers are wrong", num_wrong);
}

Test(exhaustion, tod)
{
    hold_corpus("tod", "TOD0131", "TOD0131");
}

Test(exhaustion, hmd)
{
    hold_corpus("hmd", "HMD0297", "HMD0289");
}

Test(exhaustion, tra)
{
    hold_corpus("tra", "TRA0141", "TRA0141");
}

Test(exhaustion, camerawork)
{
    hold_corpus("camerawork", "CAM0063", "CAM0063");
}
