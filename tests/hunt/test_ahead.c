/* What is examined while the search goes on is told as if the search had waited for it. */
#include "field.h"
#include "hunt/crew.h"
#include "hunt/run_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UNIT " r 0 0 0 s 4096 4096 4096 t 0 0 0\n"
static const char small[] = "tod resolution=4\nframe 0\ncreate 1\ncoord 1" UNIT;
enum { CHUNK = 512 << 10, JUNK = 0xff, NUM = 60 };

/* ---- examinations of all kinds --------------------------------------------------------------- */

typedef enum kind { PLAIN, LOSING, SPENDING } kind;
static kind how;
static bool takes_turns; /* the later, the sooner done */

/* What is left of the reserve decides what is found. */
static void spend(fh_exam *exam, uint64_t origin)
{
    const uint64_t wanted = (1 + origin / 4 % 3) * 80000000u;
    uint64_t *left = &exam->reserve->left;
    const uint64_t got = wanted < *left ? wanted : *left;
    fh_finding finding = fh_finding_make(&fh_run_rules.rules[FH_RUN0008], "reserve");
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    *left -= got;
    fh_text_u64(&text, got);
    finding.offset = 0;
    fh_exam_add(exam, &finding);
}

static fh_exam_end examine(void *user, void *self, fh_exam *exam, fh_finding *lost,
                           const fh_format *format, fh_cursor bytes, const fh_exam_options *options)
{
    (void)user;
    if (takes_turns && self != NULL) {
        (void)usleep((useconds_t)(bytes.origin * 2654435761u % 1500));
    }
    if (how == LOSING && bytes.origin / 4 % 3 == 0) {
        *lost = fh_finding_make(&fh_run_rules.rules[FH_RUN0030], "process");
        return FH_EXAM_LOST;
    }
    if (!fh_exam_run(exam, format, bytes, options)) {
        return FH_EXAM_NO_MEMORY;
    }
    if (how == SPENDING) {
        spend(exam, bytes.origin);
    }
    return FH_EXAM_DONE;
}

/* ---- sources --------------------------------------------------------------------------------- */

/* A nest with two readings inside, and one more that goes past its end. */
static void put_nest(bytes *to)
{
    static const uint32_t words[] = {0x40050,    1,          0x3000f, 0,       0x01080001,
                                     0x09090001, 0x40050,    1,       0x20005, 0,
                                     0x01080002, 0x02020002, 7,       0,       0x03090001,
                                     0x40050,    1,          0x10003, 0,       0x01080002};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        put_u32(to, words[i]);
    }
}

/* Small ones, long ones, damaged ones, nests that overlap; many lie across the seam of two chunks.
 */
static void put_all_sorts(bytes *to)
{
    char text[256];
    for (int i = 0; i < NUM; i++) {
        put_nest(to);
        put_tod(to, small);
        (void)snprintf(text, sizeof text,
                       "tod resolution=4\nframe 0\ncreate 1\ncoord 1" UNIT
                       "repeat %d\nframe +\ncoord 1 diff t 1 0 0\nendrepeat",
                       1 + i * i * 3);
        put_tod(to, text);
        put_tod(to, "tod\nframe 0\nmodel 1 2\nmodel 3 4\nframe 1 size=1");
        put_fill(to, JUNK, i % 4 == 0 ? CHUNK - to->len % CHUNK - 40 : 64);
    }
}

/* Each a sound file that ends one frame behind the one before it: the account for what they share
 * runs out. */
static void put_chain(bytes *to)
{
    enum { LINKS = 600 };
    put_u32(to, 0x40050);
    put_u32(to, LINKS);
    for (uint32_t i = 0; i < 2 * LINKS; i++) {
        const uint32_t link[] = {0x30008, i,          0x01080001, 0x02020001,
                                 7,       0x03090001, 0x40050,    i < LINKS ? LINKS : 0};
        for (size_t k = 0; k < sizeof link / sizeof link[0]; k++) {
            put_u32(to, link[k]);
        }
    }
}

/* One that is copied, between two that are too long for it. */
static void put_long_ones(bytes *to)
{
    for (int i = 0; i < 3; i++) {
        put_tod(to, i == 1 ? small
                           : "tod resolution=4\nframe 0\ncreate 1\ncoord 1" UNIT
                             "repeat 60000\nframe +\ncoord 1 diff t 1 0 0\nendrepeat");
        put_fill(to, JUNK, 64);
    }
}

/* ---- with and without ------------------------------------------------------------------------ */

static void *hire(void *user)
{
    return user;
}

static void *hire_nobody(void *user)
{
    (void)user;
    return NULL;
}

static void dismiss(void *user, void *self)
{
    HOLD(user == self, "the one that was hired");
}

static void hunt_with(field *f, unsigned num, void *(*hiring)(void *))
{
    static char somebody;
    const fh_crew_staff staff = {&somebody, hiring, dismiss};
    f->options.crew = fh_crew_begin(num, &staff);
    HOLD(f->options.crew != NULL, "a crew");
    f->options.is_helped = true;
    field_hunt(f);
    fh_crew_end(f->options.crew);
    f->options.crew = NULL;
    f->options.is_helped = false;
}

static bool same_asset(const told_asset *a, const told_asset *b)
{
    return a->raw == b->raw && a->len == b->len && strcmp(a->grade, b->grade) == 0 &&
           a->has_replay == b->has_replay;
}

static bool same_finding(const told_finding *a, const told_finding *b)
{
    return strcmp(a->code, b->code) == 0 && a->asset == b->asset && a->raw == b->raw &&
           a->offset == b->offset && strcmp(a->found, b->found) == 0 &&
           strcmp(a->field, b->field) == 0;
}

static void hold_same(const field *seen, const field *expected, unsigned num)
{
    HOLD(seen->status == expected->status, "%u: status %d", num, (int)seen->status);
    HOLD(seen->num_assets == expected->num_assets, "%u: %zu assets", num, seen->num_assets);
    HOLD(seen->num_findings == expected->num_findings, "%u: %zu findings", num, seen->num_findings);
    for (size_t i = 0; i < seen->num_assets; i++) {
        HOLD(same_asset(&seen->assets[i], &expected->assets[i]), "%u: asset %zu", num, i);
    }
    for (size_t i = 0; i < seen->num_findings; i++) {
        HOLD(same_finding(&seen->findings[i], &expected->findings[i]), "%u: finding %zu, %s", num,
             i, seen->findings[i].code);
    }
    HOLD(seen->told.hit_limit == expected->told.hit_limit, "%u: a limit", num);
    HOLD(seen->told.num_weak == expected->told.num_weak, "%u: weak ones", num);
    HOLD(memcmp(seen->told.sha256, expected->told.sha256, FH_SHA256_LEN) == 0, "%u: hash", num);
}

static void prepare(field *f, void (*fill)(bytes *))
{
    field_open(f);
    fill(&f->source);
    f->options.examine = examine;
}

static void hold_for_all(void (*fill)(bytes *), kind which, size_t least)
{
    static const unsigned nums[] = {1, 2, 3, 7};
    field alone;
    field f;
    how = which;
    prepare(&alone, fill);
    prepare(&f, fill);
    takes_turns = false;
    field_hunt(&alone);
    HOLD(alone.status == FH_HUNT_OK && alone.num_assets >= least, "%zu assets", alone.num_assets);
    for (size_t i = 0; i < sizeof nums / sizeof nums[0]; i++) {
        takes_turns = i % 2 == 0;
        hunt_with(&f, nums[i], hire);
        hold_same(&f, &alone, nums[i]);
    }
    hunt_with(&f, 2, hire_nobody);
    hold_same(&f, &alone, 0);
    field_close(&alone);
    field_close(&f);
}

Test(ahead, assets_of_all_sorts)
{
    hold_for_all(put_all_sorts, PLAIN, 4 * NUM);
}

Test(ahead, assets_that_overlap)
{
    hold_for_all(put_chain, PLAIN, 1);
}

Test(ahead, assets_too_long_to_be_copied)
{
    hold_for_all(put_long_ones, PLAIN, 3);
}

/* What lies in a lost one, and what is said of it later, is left out. */
Test(ahead, candidates_that_are_lost)
{
    hold_for_all(put_all_sorts, LOSING, NUM);
}

Test(ahead, a_reserve_that_runs_out)
{
    field f;
    how = SPENDING;
    prepare(&f, put_all_sorts);
    field_hunt(&f);
    bool is_short = false;
    bool is_ample = false;
    for (size_t i = 0; i < f.num_findings; i++) {
        const bool is_ours = strcmp(f.findings[i].code, "RUN0008") == 0;
        is_short = is_short || (is_ours && strcmp(f.findings[i].found, "0") == 0);
        is_ample = is_ample || (is_ours && strcmp(f.findings[i].found, "160000000") == 0);
    }
    HOLD(is_short && is_ample, "it suffices for some");
    field_close(&f);
    hold_for_all(put_all_sorts, SPENDING, 4 * NUM);
}

/* ---- ends that are not the source's ---------------------------------------------------------- */

/* At each thirty-seventh call; sanitizers, which take many times as long, see the same at fewer. */
Test(ahead, a_sink_that_fails)
{
    const int64_t step = getenv("FRAMEHOUND_SANITIZED") != NULL ? 97 : 37;
    field f;
    how = PLAIN;
    takes_turns = true;
    prepare(&f, put_all_sorts);
    field_hunt(&f);
    const int64_t num_calls = f.num_calls;
    HOLD(num_calls > 5 * step, "%d calls", (int)num_calls);
    for (int64_t i = 0; i < num_calls; i += step) {
        f.fail_at = i;
        hunt_with(&f, 2, hire);
        HOLD(f.status == FH_HUNT_SINK && f.num_late == 0, "call %d", (int)i);
    }
    field_close(&f);
}

Test(ahead, a_stop)
{
    field f;
    how = PLAIN;
    takes_turns = true;
    prepare(&f, put_all_sorts);
    for (int64_t i = 0; i < 200; i += 9) {
        f.stop_at = i;
        hunt_with(&f, 2, hire);
        HOLD(f.status == FH_HUNT_STOPPED, "poll %d", (int)i);
    }
    field_close(&f);
}

/* ---- the crew by itself ---------------------------------------------------------------------- */

typedef struct task {
    fh_crew_job job;
    int num_done;
} task;

static void do_task(fh_crew_job *job, void *self)
{
    (void)self;
    ((task *)job)->num_done++;
}

Test(crew, every_job_is_done_once)
{
    enum { TASKS = 500 };
    static char somebody;
    static task tasks[TASKS];
    const fh_crew_staff staff = {&somebody, hire, dismiss};
    fh_crew *crew = fh_crew_begin(3, &staff);
    HOLD(crew != NULL, "a crew");
    for (int i = 0; i < TASKS; i++) {
        tasks[i] = (task){.job = {.work = do_task}};
        fh_crew_give(crew, &tasks[i].job);
    }
    for (int i = TASKS; i-- > 0;) { /* from either end */
        if (fh_crew_take_back(crew, &tasks[i].job)) {
            do_task(&tasks[i].job, NULL);
        } else {
            fh_crew_wait(crew, &tasks[i].job);
            HOLD(fh_crew_is_done(crew, &tasks[i].job), "done");
        }
        HOLD(!fh_crew_take_back(crew, &tasks[i].job), "not again");
    }
    fh_crew_end(crew);
    fh_crew_end(NULL);
    for (int i = 0; i < TASKS; i++) {
        HOLD(tasks[i].num_done == 1, "task %d: %d times", i, tasks[i].num_done);
    }
}
