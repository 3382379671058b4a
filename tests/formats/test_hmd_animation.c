/* Where play leads in the control section of an HMD animation: small sections of random descriptors
 * against a machine that plays them frame by frame, and large ones that must not cost too much.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ------------------------------------------------------------------------------------
 */

enum {
    COORDINATES = 7, /* word of the count; the units, headers and the rest follow */
    MOST_SMALL = 12,
    PARAMETER_WORDS = 16
};

typedef struct words {
    uint32_t *at;
    size_t num, room;
} words;

static void put(words *to, uint32_t word)
{
    if (to->num == to->room) {
        to->room = to->room == 0 ? 256 : 2 * to->room;
        to->at = realloc(to->at, to->room * sizeof *to->at);
        HOLD(to->at != NULL, "the test is out of memory");
    }
    to->at[to->num++] = word;
}

static void put_zeros(words *to, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        put(to, 0);
    }
}

/* One sequence pointer and what it manages besides its own start. */
typedef struct plan {
    int speed;
    uint32_t ci;
    uint32_t num;      /* starts */
    uint32_t start[4]; /* MOST_STARTS */
    uint32_t sid[4];
} plan;

static uint32_t key(uint32_t type, uint32_t tframe, uint32_t param)
{
    return type << 24 | tframe << 16 | param;
}

static uint32_t jump(uint32_t dst, uint32_t cnd, uint32_t target)
{
    return 2u << 30 | dst << 23 | cnd << 16 | target;
}

static uint32_t control(uint32_t code, uint32_t p1, uint32_t p2)
{
    return 3u << 30 | code << 23 | p1 << 16 | p2;
}

static void put_sequence(words *to, const plan *p)
{
    put(to, 4u << 24 | 1);
    put(to, p->num << 16 | (6 + p->num));
    put(to, 0);
    put(to, 0xffffu << 16 | ((uint32_t)p->speed & 0xff) << 8);
    put(to, 0);
    put(to, p->ci);
    for (uint32_t i = 0; i < p->num; i++) {
        put(to, p->sid[i] << 16 | p->start[i]);
    }
}

/* One coordinate, which everything moves; types 0 and 1 have keys of 3 and 2 words. */
static words build(const uint32_t *section, size_t num, const plan *plans, size_t num_plans)
{
    words out = {0};
    const uint32_t header = COORDINATES + 1 + 20;
    const uint32_t primitive = header + 7;
    uint32_t size = 1;
    for (size_t i = 0; i < num_plans; i++) {
        size += 6 + plans[i].num;
    }
    const uint32_t table = primitive + 4 + size;
    const uint32_t front[] = {0x50, 0, header, 3, primitive, 0, 0, 1};
    const uint32_t section_pointers[] = {table, table + 3, table + 3 + (uint32_t)num, COORDINATES};
    for (size_t i = 0; i < sizeof front / sizeof front[0]; i++) {
        put(&out, front[i]);
    }
    put_zeros(&out, 20);
    put(&out, 1);
    put(&out, 5);
    put(&out, 5);
    for (size_t i = 0; i < 4; i++) {
        put(&out, section_pointers[i] | 0x80000000u);
    }
    put(&out, 0xffffffff);
    put(&out, header + 1);
    put(&out, 0x80000001);
    put(&out, 0x03800000);
    put(&out, 0x80000000u | (uint32_t)num_plans << 16 | (size & 0xffff));
    for (size_t i = 0; i < num_plans; i++) {
        put_sequence(&out, &plans[i]);
    }
    put(&out, 0x80000002);
    put(&out, 0x03000001);
    put(&out, 0x03000010);
    for (size_t i = 0; i < num; i++) {
        put(&out, section[i]);
    }
    put_zeros(&out, PARAMETER_WORDS);
    return out;
}

/* ---- the machine ------------------------------------------------------------------------------
 */

enum {
    OFF_END = 1,   /* HMD0240 */
    OFF_FRONT = 2, /* HMD0255 */
    NO_KEY = 4,    /* HMD0245 */
    NO_TIME = 8,   /* HMD0246 */
    MIXED = 16,    /* HMD0247 */
    FROZEN = 32,   /* HMD0252 */
    LEFT = 64      /* by a jump, which is told wherever it stands */
};

/* More than there are states of 12 descriptors, 4 stream ids, 2 frames a key. */
enum { MANY_STEPS = 200, MANY_FRAMES = 400, STILL_FRAMES = 100, NOWHERE = 0xffff };

enum { MOST_PLANS = 3, MOST_STARTS = 4, MOST_FROM = MOST_SMALL + MOST_PLANS * MOST_STARTS };

/* A jump that was passed while another stream id was set. */
typedef struct way {
    uint32_t jump;
    uint32_t from; /* the key before it; NOWHERE: it was come to from a start */
    const plan *of;
    uint32_t start;
} way;

typedef struct passed {
    bool is_first_only; /* of the keys before each jump */
    bool is_tried[MOST_SMALL][MOST_FROM];
    way ways[MOST_SMALL * MOST_FROM];
    uint32_t num;
} passed;

typedef struct machine {
    passed *passed;
    const uint32_t *section;
    uint32_t num;
    const plan *plans; /* all of them */
    const plan *of;    /* the one that is played */
    uint32_t start;    /* of it */
    bool is_set[4];    /* stream ids that starts or jumps set */
    uint32_t ci, ti, sid;
    int speed, dir, rframe, tframe;
    bool is_stopped;
    unsigned seen;
} machine;

static bool is_key(const machine *m, uint32_t i)
{
    return m->section[i] >> 31 == 0;
}

static uint32_t leave(machine *m, unsigned how)
{
    m->seen |= how;
    m->is_stopped = true;
    return 0xffff;
}

static void pass_jump(machine *m, uint32_t i, uint32_t from)
{
    passed *all = m->passed;
    const uint32_t start = MOST_SMALL + (uint32_t)(m->of - m->plans) * MOST_STARTS + m->start;
    const uint32_t row = all->is_first_only ? 0 : from < m->num ? from : start;
    if (!all->is_tried[i][row] && !m->is_set[m->section[i] >> 16 & 0x7f]) {
        all->is_tried[i][row] = true;
        all->ways[all->num++] = (way){i, from, m->of, m->start};
    }
}

/* The library's search, with a fence round the section, from a key or from none. */
static uint32_t find(machine *m, uint32_t i, uint32_t from)
{
    unsigned last = m->speed < 0 ? OFF_FRONT : OFF_END;
    for (int steps = 0; steps < MANY_STEPS; steps++) {
        if (i >= m->num) {
            return leave(m, last);
        }
        const uint32_t word = m->section[i];
        const uint32_t upper = word >> 23 & 0x7f;
        const uint32_t lower = word >> 16 & 0x7f;
        last = m->speed < 0 ? OFF_FRONT : OFF_END;
        if (is_key(m, i)) {
            return i;
        }
        if (word >> 30 == 2 && (lower == 0 || lower == m->sid)) {
            m->sid = upper != 0 || lower != 0 ? upper : m->sid;
            i = word & 0xffff;
            last = LEFT;
        } else if (word >> 30 == 3 && upper == 1 && (lower == 0 || lower == m->sid)) {
            m->is_stopped = true;
            return 0xffff;
        } else {
            if (word >> 30 == 2) {
                pass_jump(m, i, from);
            }
            i = (m->speed < 0 ? i - 1 : i + 1) & 0xffff;
        }
    }
    return leave(m, NO_KEY);
}

static int tframe_of(const machine *m, uint32_t i)
{
    return (int)(m->section[i] >> 16 & 0xff) << 4;
}

static bool switch_key(machine *m)
{
    uint32_t *lead = m->dir > 0 ? &m->ti : &m->ci;
    uint32_t *other = m->dir > 0 ? &m->ci : &m->ti;
    if (*lead >= m->num) {
        leave(m, m->dir > 0 ? OFF_END : OFF_FRONT);
        return false;
    }
    if (!is_key(m, *lead)) {
        *lead = find(m, (*lead + (uint32_t)m->dir) & 0xffff, NOWHERE);
    }
    if (m->is_stopped) {
        return false;
    }
    *other = *lead;
    *lead = find(m, (*other + (uint32_t)m->dir) & 0xffff, *other);
    if (m->is_stopped) {
        return false;
    }
    m->tframe = tframe_of(m, m->ti);
    m->rframe = m->dir > 0 ? m->tframe - m->rframe : m->rframe;
    return true;
}

static void evaluate(machine *m)
{
    if (m->section[m->ci] >> 24 != m->section[m->ti] >> 24) {
        m->seen |= MIXED;
    }
    m->rframe -= m->speed;
    if (m->dir > 0 && m->rframe < 0) {
        m->rframe = 0x7000;
    } else if (m->dir < 0 && m->rframe >= m->tframe) {
        m->rframe = 0x6000;
    }
}

static void frame(machine *m)
{
    m->dir = m->speed < 0 ? -1 : 1;
    if (m->rframe == 0x7000 || m->rframe == 0x6000) {
        m->dir = m->rframe == 0x7000 ? 1 : -1;
        m->rframe = 0;
    }
    for (int switches = 0; switches < MANY_STEPS; switches++) {
        if ((m->rframe == 0 || m->tframe == 0) && !switch_key(m)) {
            return;
        }
        if (m->ci == m->ti) {
            return;
        }
        if (m->tframe != 0) {
            evaluate(m);
            return;
        }
        m->rframe = 0;
    }
    leave(m, NO_TIME);
}

static unsigned play(machine *m)
{
    int num_still = 0;
    for (int i = 0; i < MANY_FRAMES && !m->is_stopped; i++) {
        frame(m);
        num_still = m->ci == m->ti ? num_still + 1 : 0;
    }
    return m->seen | (!m->is_stopped && num_still > STILL_FRAMES ? FROZEN : 0u);
}

static unsigned run(machine m, const plan *p, uint32_t start, uint32_t sid)
{
    m.of = p;
    m.start = start;
    m.ci = p->ci;
    m.ti = p->start[start];
    m.sid = sid;
    m.speed = p->speed;
    return play(&m);
}

/* The program sets what the jump waits for when the key before it is being played. */
static unsigned run_branch(machine m, const way *by)
{
    const int speed = by->of->speed;
    const uint32_t sid = m.section[by->jump] >> 16 & 0x7f;
    uint32_t *const lead = speed < 0 ? &m.ci : &m.ti;
    uint32_t *const other = speed < 0 ? &m.ti : &m.ci;
    if (by->from == NOWHERE) {
        return run(m, by->of, by->start, sid);
    }
    m.of = by->of;
    m.start = by->start;
    m.speed = speed;
    m.dir = speed < 0 ? -1 : 1;
    m.sid = sid;
    *other = by->from;
    *lead = find(&m, (by->from + (uint32_t)m.dir) & 0xffff, by->from);
    if (m.is_stopped) {
        return m.seen;
    }
    m.tframe = tframe_of(&m, m.ti);
    if (m.tframe != 0 && m.ci == m.ti && speed > 0) {
        return m.seen | FROZEN;
    }
    if (m.tframe != 0 && m.ci != m.ti) {
        m.rframe = speed > 0 ? m.tframe : 0;
        evaluate(&m);
    }
    return play(&m);
}

static void gather_set(machine *m, const plan *plans, uint32_t num_plans)
{
    for (uint32_t i = 0; i < num_plans; i++) {
        for (uint32_t k = 0; k < plans[i].num; k++) {
            m->is_set[plans[i].sid[k]] = true;
        }
    }
    for (uint32_t i = 0; i < m->num; i++) {
        const uint32_t upper = m->section[i] >> 23 & 0x7f;
        if (m->section[i] >> 30 == 2 && upper != (m->section[i] >> 16 & 0x7f)) {
            m->is_set[upper] = true;
        }
    }
}

/* Of several keys before one jump, only the first one that play comes from has to be looked at. */
static unsigned run_all(const machine *with, const plan *plans, uint32_t num_plans,
                        bool is_first_only)
{
    passed ways[2] = {{.is_first_only = is_first_only}, {.is_first_only = is_first_only}};
    machine m = *with;
    unsigned seen = 0;
    m.plans = plans;
    gather_set(&m, plans, num_plans);
    for (uint32_t i = 0; i < num_plans; i++) {
        m.passed = &ways[plans[i].speed < 0];
        for (uint32_t k = 0; k < plans[i].num; k++) {
            seen |= run(m, &plans[i], k, plans[i].sid[k]);
        }
    }
    for (int i = 0; i < 2; i++) {
        m.passed = &ways[i];
        for (uint32_t k = 0; k < ways[i].num; k++) {
            seen |= run_branch(m, &ways[i].ways[k]);
        }
    }
    return seen;
}

/* ---- random sections --------------------------------------------------------------------------
 */

static uint32_t random_descriptor(dice *d, uint32_t num)
{
    const uint32_t sid = dice_below(d, 3) == 0 ? 0 : dice_below(d, 4);
    switch (dice_below(d, 8)) {
    case 0:
    case 1:
    case 2:
        return key(dice_below(d, 6) == 0, dice_below(d, 2) * dice_below(d, 3), 0);
    case 3:
    case 4:
    case 5:
        return jump(dice_below(d, 4), sid, dice_below(d, num + (dice_below(d, 8) == 0)));
    case 6:
        return control(1, sid, 0);
    default:
        return control(2 + dice_below(d, 2), 0, 4);
    }
}

static plan random_plan(dice *d, uint32_t num)
{
    plan p = {.num = 1 + dice_below(d, MOST_STARTS), .speed = dice_below(d, 4) == 0 ? -16 : 16};
    p.ci = dice_below(d, num);
    for (uint32_t i = 0; i < p.num; i++) {
        p.start[i] = dice_below(d, num);
        p.sid[i] = dice_below(d, 4);
    }
    return p;
}

static const struct told {
    unsigned bit;
    const char *code;
} told[] = {{OFF_END, "HMD0240"}, {OFF_FRONT, "HMD0255"}, {NO_KEY, "HMD0245"},
            {NO_TIME, "HMD0246"}, {MIXED, "HMD0247"},     {FROZEN, "HMD0252"}};

enum { NUM_TOLD = sizeof told / sizeof told[0] };

static void print_case(const uint32_t *section, uint32_t num, const plan *plans, uint32_t num_plans)
{
    for (uint32_t i = 0; i < num; i++) {
        fprintf(stderr, "%u: %08x\n", i, section[i]);
    }
    for (uint32_t i = 0; i < num_plans; i++) {
        fprintf(stderr, "speed %d ci %u:", plans[i].speed, plans[i].ci);
        for (uint32_t k = 0; k < plans[i].num; k++) {
            fprintf(stderr, " %u/%u", plans[i].start[k], plans[i].sid[k]);
        }
        fprintf(stderr, "\n");
    }
}

static void one_case(bench *b, dice *d, unsigned *num_seen)
{
    uint32_t section[MOST_SMALL];
    plan plans[MOST_PLANS];
    const uint32_t num = 1 + dice_below(d, MOST_SMALL);
    const uint32_t num_plans = 1 + dice_below(d, MOST_PLANS);
    const machine m = {.section = section, .num = num};
    for (uint32_t i = 0; i < num; i++) {
        section[i] = random_descriptor(d, num);
    }
    for (uint32_t i = 0; i < num_plans; i++) {
        plans[i] = random_plan(d, num);
    }
    const unsigned seen = run_all(&m, plans, num_plans, true);
    const unsigned possible = seen | run_all(&m, plans, num_plans, false);
    words file = build(section, num, plans, num_plans);
    bench_verify(b, file.at, file.num * sizeof *file.at, (fh_verify_options){.stand_alone = true});
    for (size_t i = 0; i < NUM_TOLD; i++) {
        const bool is_seen = (seen & told[i].bit) != 0;
        const bool is_told = record_count(&b->verify, told[i].code) > 0;
        if (is_told ? (possible & told[i].bit) == 0 : is_seen) {
            print_case(section, num, plans, num_plans);
            cr_fatal("%s should %s: %s", told[i].code, is_seen ? "be told" : "not be told",
                     record_codes(&b->verify));
        }
        num_seen[i] += is_seen;
    }
    free(file.at);
}

Test(hmd_animation, play_leads_where_the_machine_goes)
{
    dice d = {1971};
    bench b;
    unsigned num_seen[NUM_TOLD] = {0};
    bench_open(&b);
    b.format = fh_format_find("hmd");
    for (int i = 0; i < 20000; i++) {
        one_case(&b, &d, num_seen);
    }
    for (size_t i = 0; i < NUM_TOLD; i++) {
        cr_expect(num_seen[i] > 100, "%s was seen %u times only", told[i].code, num_seen[i]);
    }
    bench_close(&b);
}

/* ---- cost -------------------------------------------------------------------------------------
 */

enum { MOST_DESCRIPTORS = 65535 };

/* What the program would give such a file. */
static void check_cost(bench *b, const words *file)
{
    const size_t len = file->num * sizeof *file->at;
    const size_t arena_len = FH_ARENA_PER_BYTE * len + FH_ARENA_FLOOR;
    record_free(&b->verify);
    void *block = malloc(arena_len);
    HOLD(block != NULL, "the test is out of memory");
    fh_arena arena = fh_arena_make(block, arena_len);
    fh_budget budget = {FH_BUDGET_PER_BYTE * len + FH_BUDGET_FLOOR};
    const uint64_t all = budget.left;
    const fh_sink sink = record_sink(&b->verify);
    const fh_env env = {&arena, &budget, &sink};
    const fh_verify_options options = {.stand_alone = true};
    b->status =
        b->format->verify(&b->asset, &b->model, &env, fh_cursor_make(file->at, len, 0), &options);
    cr_expect(eq(int, b->status, FH_OK), "%s", record_codes(&b->verify));
    cr_expect(budget.left > 0 && budget.left < all);
    free(block);
}

typedef uint32_t (*shape)(dice *d, uint32_t i);

/* Jumps that leave the sid alone, to anywhere: every way is long, and different for every sid. */
static uint32_t tangle(dice *d, uint32_t i)
{
    if (i < 127) {
        return jump(0, 1 + i, dice_below(d, MOST_DESCRIPTORS));
    }
    return dice_below(d, 2) == 0 ? key(0, dice_below(d, 2), 0) : control(3, 0, 0);
}

/* Nothing stops play, which goes through the section once for every sid. */
static uint32_t road(dice *d, uint32_t i)
{
    (void)d;
    if (i >= MOST_DESCRIPTORS - 128) {
        const uint32_t sid = MOST_DESCRIPTORS - i;
        return sid < 127 ? jump(sid + 1, sid, 0) : control(1, 127, 0);
    }
    return i % 2 == 0 ? jump(0, 0, i + 1) : control(3, 0, 0);
}

/* The same with keys of time 0, in one round for each sid. */
static uint32_t keys(dice *d, uint32_t i)
{
    const uint32_t word = road(d, i);
    return i % 4 == 1 ? key(0, 0, 0) : word;
}

static words costly(dice *d, shape of, uint32_t num_plans)
{
    uint32_t *section = calloc(MOST_DESCRIPTORS, sizeof *section);
    plan *plans = calloc(num_plans, sizeof *plans);
    HOLD(section != NULL && plans != NULL, "the test is out of memory");
    for (uint32_t i = 0; i < MOST_DESCRIPTORS; i++) {
        section[i] = of(d, i);
    }
    for (uint32_t i = 0; i < num_plans; i++) {
        plans[i] = (plan){.num = 4, .speed = i % 2 == 0 ? -16 : 16};
        plans[i].ci = dice_below(d, MOST_DESCRIPTORS);
        for (uint32_t k = 0; k < 4; k++) {
            plans[i].start[k] = dice_below(d, MOST_DESCRIPTORS);
            plans[i].sid[k] = dice_below(d, 128);
        }
    }
    words out = build(section, MOST_DESCRIPTORS, plans, num_plans);
    free(section);
    free(plans);
    return out;
}

/* Index 0xffff stands for no key, and may be come to all the same. */
Test(hmd_animation, the_last_index_that_there_is)
{
    enum { ALL = 0x10000 };
    uint32_t *section = calloc(ALL, sizeof *section);
    const plan of = {.num = 1, .speed = 16};
    bench b;
    HOLD(section != NULL, "the test is out of memory");
    bench_open(&b);
    b.format = fh_format_find("hmd");
    section[0] = jump(0, 7, 1);
    section[1] = jump(0, 5, 0xffff);
    section[2] = control(1, 0, 0);
    for (uint32_t i = 3; i < ALL; i++) {
        section[i] = key(0, 1, 0);
    }
    words file = build(section, ALL, &of, 1);
    check_cost(&b, &file);
    section[0] = key(0, 1, 0);
    free(file.at);
    file = build(section, ALL, &of, 1);
    check_cost(&b, &file);
    cr_expect(eq(int, record_count(&b.verify, "HMD0252"), 0));
    free(file.at);
    free(section);
    bench_close(&b);
}

Test(hmd_animation, large_sections_stay_within_the_budget)
{
    static const shape shapes[] = {tangle, road, keys};
    static const uint32_t nums[] = {300, 6000};
    dice d = {65536};
    bench b;
    bench_open(&b);
    b.format = fh_format_find("hmd");
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        for (size_t k = 0; k < sizeof nums / sizeof nums[0]; k++) {
            words file = costly(&d, shapes[i], nums[k]);
            check_cost(&b, &file);
            free(file.at);
        }
    }
    bench_close(&b);
}
