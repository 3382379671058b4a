/* The frame update driver of HMD: against what the library's object code did with random machines,
 * and that it always comes back and says why. */
#include "hmd/hmd_driver.h"
#include "reference.h"

#ifdef HAVE_JANSSON
#include "vectors.h"
#endif

#include <stdlib.h>
#include <string.h>

enum { BASE = 0x100000, PLENTY = 1000000 };

/* ---- the vectors ---- */

#ifdef HAVE_JANSSON

enum { MAX_WORDS = 512, MAX_SEQUENCES = 2, NUM_COORDINATES = 2, UNIT_WORDS = 20, NUM_SECTIONS = 5 };
enum { HDR_TYPES = 1, HDR_CONTROL = 2, HDR_PARAMETERS = 3, HDR_COORDINATES = 4 };

/* One random machine: what we play, and what the library's image was at the same time. */
typedef struct machine {
    int64_t seed;
    size_t frame;
    uint64_t *num;
    uint32_t words[MAX_WORDS];
    uint32_t recorded_words[MAX_WORDS];
    hmd_image image;
    hmd_image recorded;
    hmd_playback animation;
    uint32_t sections[NUM_SECTIONS];
    uint32_t units;
    uint32_t sequences[MAX_SEQUENCES];
} machine;

static uint32_t word_of(const json_t *array, size_t index)
{
    return (uint32_t)((uint64_t)vector_int(array, index) & 0xffffffff);
}

static void machine_open(machine *m, const json_t *test, uint64_t *num)
{
    const json_t *image = json_object_get(test, "image");
    const json_t *hdr = json_object_get(test, "hdr");
    const uint32_t len = (uint32_t)json_array_size(image);
    *m = (machine){.seed = vector_field(test, "seed"), .num = num};
    cr_assert(len <= MAX_WORDS && json_array_size(hdr) == NUM_SECTIONS);
    for (uint32_t i = 0; i < len; i++) {
        m->words[i] = m->recorded_words[i] = word_of(image, i);
    }
    m->image = (hmd_image){m->words, len, BASE, NULL};
    m->recorded = (hmd_image){m->recorded_words, len, BASE, NULL};
    for (size_t i = 0; i < NUM_SECTIONS; i++) {
        m->sections[i] = i == 0 ? HMD_NO_SECTION : word_of(hdr, i);
    }
    m->animation = (hmd_playback){
        .types = m->sections[HDR_TYPES] + 1,
        .num_types = m->words[m->sections[HDR_TYPES]] & 0x7fffffff,
        .control = m->sections[HDR_CONTROL],
        .num_descriptors = len - m->sections[HDR_CONTROL],
        .parameters = m->sections[HDR_PARAMETERS],
        .sections = m->sections,
        .num_sections = NUM_SECTIONS,
    };
    m->units = m->sections[HDR_COORDINATES] + 1;
    for (size_t i = 0; i < MAX_SEQUENCES; i++) {
        m->sequences[i] = 4 * word_of(json_object_get(test, "seq_word"), i);
    }
}

static void put(hmd_image *image, uint32_t off, unsigned len, int64_t value)
{
    const uint32_t word = (uint32_t)((uint64_t)value & 0xffffffff);
    cr_assert(len == 1   ? hmd_image_put8(image, off, word)
              : len == 2 ? hmd_image_put16(image, off, word)
                         : hmd_image_put32(image, off, word));
}

/* The fields of a row of "q", behind the number of the sequence. */
static const struct field {
    const char *name;
    uint32_t off;
    unsigned len;
} fields[] = {
    {"ii", HMD_SEQUENCE_II, 2},         {"aframe", HMD_SEQUENCE_AFRAME, 2},
    {"sid", HMD_SEQUENCE_SID, 1},       {"speed", HMD_SEQUENCE_SPEED, 1},
    {"srcii", HMD_SEQUENCE_SRCII, 2},   {"rframe", HMD_SEQUENCE_RFRAME, 2},
    {"tframe", HMD_SEQUENCE_TFRAME, 2}, {"ci", HMD_SEQUENCE_CI, 2},
    {"ti", HMD_SEQUENCE_TI, 2},         {"traveling", HMD_SEQUENCE_TRAVELING, 1},
};
enum { NUM_FIELDS = sizeof fields / sizeof fields[0] };

/* What the program did to a sequence before this frame. The record of a frame counts from the end
 * of the one before, so that it lists what has come of this as well. */
static void apply_events(machine *m, const json_t *events)
{
    for (size_t i = 0; i < json_array_size(events); i++) {
        const json_t *event = json_array_get(events, i);
        if (vector_int(event, 0) != (int64_t)m->frame) {
            continue;
        }
        const char *name = json_string_value(json_array_get(event, 2));
        size_t k = 0;
        while (k < NUM_FIELDS && strcmp(fields[k].name, name) != 0) {
            k++;
        }
        cr_assert(k < NUM_FIELDS, "field %s", name);
        const uint32_t off = m->sequences[vector_int(event, 1)] + fields[k].off;
        put(&m->image, off, fields[k].len, vector_int(event, 3));
    }
}

static void record_sequences(machine *m, const json_t *rows)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        for (size_t k = 0; k < NUM_FIELDS; k++) {
            put(&m->recorded, m->sequences[vector_int(row, 0)] + fields[k].off, fields[k].len,
                vector_int(row, k + 1));
        }
        *m->num += NUM_FIELDS;
    }
}

static void record_coordinates(machine *m, const json_t *rows)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        const uint32_t unit = 4 * (m->units + UNIT_WORDS * (uint32_t)vector_int(row, 0));
        for (uint32_t k = 0; k < 9; k++) {
            put(&m->recorded, unit + HMD_UNIT_MATRIX + 2 * k, 2, vector_int(row, 1 + k));
        }
        for (uint32_t k = 0; k < 3; k++) {
            put(&m->recorded, unit + HMD_UNIT_TRANSLATION + 4 * k, 4, vector_int(row, 10 + k));
            put(&m->recorded, unit + HMD_UNIT_ROTATION + 2 * k, 2, vector_int(row, 13 + k));
        }
        *m->num += 15;
    }
}

static void record_words(machine *m, const json_t *frame)
{
    const json_t *words = json_object_get(frame, "w");
    const json_t *pointers = json_object_get(frame, "p");
    for (size_t i = 0; i < json_array_size(words); i++) {
        const json_t *row = json_array_get(words, i);
        put(&m->recorded, 4 * word_of(row, 0), 4, vector_int(row, 1));
    }
    for (size_t i = 0; i < json_array_size(pointers); i++) {
        const json_t *row = json_array_get(pointers, i);
        put(&m->recorded, 4 * word_of(row, 0), 4, BASE + 4 * vector_int(row, 1));
    }
    *m->num += json_array_size(words) + json_array_size(pointers);
}

/* Whole images: what the vectors do not list must not have changed either. Only flg is not
 * recorded. */
static void hold_images(const machine *m)
{
    for (uint32_t i = 0; i < m->image.num_words; i++) {
        const bool is_flag = i == m->units || i == m->units + UNIT_WORDS;
        HOLD(is_flag || m->words[i] == m->recorded_words[i],
             "seed %lld frame %zu: word %u is %x, recorded %x", (long long)m->seed, m->frame, i,
             m->words[i], m->recorded_words[i]);
    }
}

/* true when some sequence hangs. */
static bool play_frame(machine *m)
{
    for (size_t i = 0; i < MAX_SEQUENCES; i++) {
        hmd_tick tick;
        fh_budget budget = {PLENTY};
        const hmd_tick_end end =
            hmd_driver_tick(&m->image, &tick, &m->animation, m->sequences[i], &budget);
        if (end == HMD_TICK_HANG) {
            HOLD(tick.cycle.num > 0 && tick.cycle.first < m->animation.num_descriptors,
                 "seed %lld: cycle", (long long)m->seed);
            return true;
        }
        HOLD(end == HMD_TICK_OK || end == HMD_TICK_STOPPED,
             "seed %lld frame %zu sequence %zu: end %d, %d %llu", (long long)m->seed, m->frame, i,
             end, tick.what, (unsigned long long)tick.index);
    }
    return false;
}

/* Returns 1 for a machine that hangs. */
static unsigned hold_machine(const json_t *test, uint64_t *num)
{
    static machine m;
    const json_t *frames = json_object_get(test, "frames");
    machine_open(&m, test, num);
    for (m.frame = 0; m.frame < json_array_size(frames); m.frame++) {
        const json_t *frame = json_array_get(frames, m.frame);
        const char *trap = json_string_value(json_object_get(frame, "trap"));
        apply_events(&m, json_object_get(test, "events"));
        const bool hangs = play_frame(&m);
        HOLD(hangs == (trap != NULL && strcmp(trap, "hang") == 0), "seed %lld frame %zu: hang %d",
             (long long)m.seed, m.frame, hangs);
        if (hangs) {
            return 1;
        }
        record_sequences(&m, json_object_get(frame, "q"));
        record_coordinates(&m, json_object_get(frame, "c"));
        record_words(&m, frame);
        hold_images(&m);
    }
    return 0;
}

Test(vectors, random_machines)
{
    json_t *root = vectors_load("frame_driver_random.json");
    const json_t *cases = json_object_get(root, "cases");
    uint64_t num = 0;
    unsigned num_hangs = 0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        num_hangs += hold_machine(json_array_get(cases, i), &num);
    }
    cr_log_info("%zu machines, %u that hang, %llu numbers", json_array_size(cases), num_hangs,
                (unsigned long long)num);
    cr_assert(gt(u32, num_hangs, 0));
    cr_assert(gt(u64, num, 10000));
    json_decref(root);
}

#else

Test(vectors, random_machines)
{
    cr_skip_test("skipped: built without jansson");
}

#endif

/* ---- machines by hand ---- */

#define KEY(type, tframe, parameter)                                                               \
    ((uint32_t)(type) << 24 | (uint32_t)(tframe) << 16 | (uint32_t)(parameter))
#define JUMP(dst, cnd, target)                                                                     \
    (0x80000000u | (uint32_t)(dst) << 23 | (uint32_t)(cnd) << 16 | (uint32_t)(target))
#define CONTROL(code, p1, p2)                                                                      \
    (0xc0000000u | (uint32_t)(code) << 23 | (uint32_t)(p1) << 16 | (uint32_t)(p2))
#define END(p1) CONTROL(1, p1, 0)

/* Words of the rig. Key i of a sequence holds the translation (100 i, 0, 0) at parameter 4 i; the
 * work area is at parameter 60. */
enum { TYPES = 8, NUM_TYPES = 4, UNITS = 12, CONTROLS = 34, PARAMETERS = 64, RIG_WORDS = 128 };
enum { SEQUENCE = 0, WORK = 60, LINEAR = 0, SPLINE = 1, BEZIER_CELL = 2, NO_TYPE = 3 };
enum { SECTION_UNITS = 4 };

typedef struct rig {
    uint32_t words[RIG_WORDS];
    hmd_image image;
    hmd_playback animation;
    hmd_tick tick;
    fh_budget budget;
} rig;

static const uint32_t rig_sections[5] = {HMD_NO_SECTION, TYPES - 1, CONTROLS, PARAMETERS, UNITS};

static void set16(rig *r, uint32_t field, int value)
{
    cr_assert(hmd_image_put16(&r->image, 4 * SEQUENCE + field, (uint32_t)value & 0xffff));
}

static void set8(rig *r, uint32_t field, int value)
{
    cr_assert(hmd_image_put8(&r->image, 4 * SEQUENCE + field, (uint32_t)value & 0xff));
}

static int field16(const rig *r, uint32_t field)
{
    uint16_t value = 0;
    cr_assert(hmd_image_u16(&r->image, 4 * SEQUENCE + field, &value));
    return value;
}

static int field8(const rig *r, uint32_t field)
{
    uint8_t value = 0;
    cr_assert(hmd_image_u8(&r->image, 4 * SEQUENCE + field, &value));
    return value;
}

/* Started at descriptor 0 with speed 1.0. */
static void rig_open(rig *r, const uint32_t *descriptors, uint32_t num)
{
    static const uint32_t types[NUM_TYPES] = {0x03000001, 0x03000003, 0x03010212, 0x03000200};
    *r = (rig){.image = {NULL, RIG_WORDS, BASE}, .budget = {PLENTY}};
    r->image.words = r->words;
    r->animation = (hmd_playback){TYPES, NUM_TYPES, CONTROLS, num, PARAMETERS, rig_sections, 5};
    cr_assert(num <= PARAMETERS - CONTROLS);
    memcpy(r->words + TYPES, types, sizeof types);
    memcpy(r->words + CONTROLS, descriptors, num * sizeof *descriptors);
    for (uint32_t i = 0; i < WORK / 4; i++) {
        r->words[PARAMETERS + 4 * i] = 100 * i;
    }
    r->words[SEQUENCE] = SECTION_UNITS << 24 | 1;
    cr_assert(hmd_driver_start(&r->image, 4 * SEQUENCE));
}

#define RIG_OPEN(r, ...)                                                                           \
    rig_open(r, (const uint32_t[]){__VA_ARGS__},                                                   \
             sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static hmd_tick_end tick(rig *r)
{
    return hmd_driver_tick(&r->image, &r->tick, &r->animation, 4 * SEQUENCE, &r->budget);
}

static int x_of(const rig *r)
{
    return (int)r->words[UNITS + 1 + HMD_UNIT_TRANSLATION / 4];
}

#define HOLD_OUTSIDE(r, what_, index_)                                                             \
    do {                                                                                           \
        cr_assert(eq(int, tick(r), HMD_TICK_OUTSIDE));                                             \
        cr_assert(eq(int, (r)->tick.what, what_));                                                 \
        cr_assert(eq(u64, (r)->tick.index, index_));                                               \
    } while (0)

Test(start, as_the_viewer_does)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), END(0));
    set16(&r, HMD_SEQUENCE_START, 7);
    set8(&r, HMD_SEQUENCE_START_SID, 3);
    set16(&r, HMD_SEQUENCE_RFRAME, 85);
    set8(&r, HMD_SEQUENCE_SPEED, 4);
    cr_assert(hmd_driver_start(&r.image, 4 * SEQUENCE));
    cr_assert(eq(int, field16(&r, HMD_SEQUENCE_II), 0xffff));
    cr_assert(eq(int, field16(&r, HMD_SEQUENCE_TI), 7));
    cr_assert(eq(int, field16(&r, HMD_SEQUENCE_AFRAME), 0xffff));
    cr_assert(eq(int, field8(&r, HMD_SEQUENCE_SID), 3));
    cr_assert(eq(int, field8(&r, HMD_SEQUENCE_SPEED), 4));
    cr_assert(eq(int, field16(&r, HMD_SEQUENCE_RFRAME), 85));
    set8(&r, HMD_SEQUENCE_SPEED, 0);
    cr_assert(hmd_driver_start(&r.image, 4 * SEQUENCE));
    cr_assert(eq(int, field8(&r, HMD_SEQUENCE_SPEED), 0x10));
    cr_assert(not(hmd_driver_start(&r.image, 4 * (RIG_WORDS - 6))));
    cr_assert(hmd_driver_start(&r.image, 4 * (RIG_WORDS - 7)));
    cr_assert(not(hmd_driver_start(&r.image, 2)));
}

Test(play, a_segment_takes_its_frames)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 4, 4), KEY(LINEAR, 2, 8), END(0));
    static const int x[] = {0, 25, 50, 75, 100, 150};
    for (size_t i = 0; i < 6; i++) {
        cr_assert(eq(int, tick(&r), HMD_TICK_OK));
        HOLD(x_of(&r) == x[i], "frame %zu: x = %d", i, x_of(&r));
        cr_assert(r.tick.ran && r.tick.called);
        cr_assert(eq(u32, r.tick.type.word, 0x03000001));
        cr_assert(eq(int, r.tick.src, i < 4 ? 0 : 1));
        cr_assert(eq(int, r.tick.dst, i < 4 ? 1 : 2));
        cr_assert(eq(int, r.tick.call.rframe, i < 4 ? 64 - 16 * (int)i : 32 - 16 * ((int)i - 4)));
        cr_assert(eq(int, r.tick.call.tframe, i < 4 ? 64 : 32));
        cr_assert(eq(u32, r.tick.call.src_off, 4 * (PARAMETERS + (i < 4 ? 0 : 4))));
    }
    cr_assert(eq(int, tick(&r), HMD_TICK_STOPPED));
    cr_assert(eq(int, field16(&r, HMD_SEQUENCE_TI), 0xffff));
    cr_assert(eq(int, field16(&r, HMD_SEQUENCE_CI), 2));
    cr_assert(eq(int, field16(&r, HMD_SEQUENCE_AFRAME), 0));
    cr_assert(not(r.tick.called));
    cr_assert(eq(int, tick(&r), HMD_TICK_STOPPED), "and it stays");
    set16(&r, HMD_SEQUENCE_AFRAME, 1);
    HOLD_OUTSIDE(&r, HMD_WHAT_CONTROL, 0xffff);
}

Test(play, overshoot_is_thrown_away)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 2, 4), KEY(LINEAR, 2, 8), END(0));
    set8(&r, HMD_SEQUENCE_SPEED, 0x18);
    static const int rframe[] = {32, 8, 32, 8};
    for (size_t i = 0; i < 4; i++) {
        cr_assert(eq(int, tick(&r), HMD_TICK_OK));
        cr_assert(eq(int, r.tick.call.rframe, rframe[i]));
        cr_assert(eq(int, field16(&r, HMD_SEQUENCE_RFRAME), i % 2 == 0 ? 8 : 0x7000));
    }
}

Test(play, rframe_of_the_file_starts_inside)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 4, 4), END(0));
    set16(&r, HMD_SEQUENCE_RFRAME, 16);
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    cr_assert(eq(int, x_of(&r), 25));
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 4, 4), END(0));
    set16(&r, HMD_SEQUENCE_RFRAME, 80);
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    cr_assert(eq(int, r.tick.call.rframe, -16));
    cr_assert(eq(int, x_of(&r), 125));
    cr_assert(eq(int, field16(&r, HMD_SEQUENCE_RFRAME), 0x7000));
}

Test(play, speed_0_freezes_and_aframe_counts)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 4, 4), END(0));
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    set8(&r, HMD_SEQUENCE_SPEED, 0);
    set16(&r, HMD_SEQUENCE_AFRAME, 3);
    for (int i = 2; i >= 0; i--) {
        cr_assert(eq(int, tick(&r), HMD_TICK_OK), "also the frame in which aframe becomes 0");
        cr_assert(eq(int, r.tick.call.rframe, 32));
        cr_assert(eq(int, x_of(&r), 50));
        cr_assert(eq(int, field16(&r, HMD_SEQUENCE_AFRAME), i));
    }
    cr_assert(eq(int, tick(&r), HMD_TICK_STOPPED));
    cr_assert(not(r.tick.ran));
}

Test(play, traveling_is_cleared_at_a_switch_only)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 2, 4), END(0));
    set8(&r, HMD_SEQUENCE_TRAVELING, 9);
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    cr_assert(eq(int, field8(&r, HMD_SEQUENCE_TRAVELING), 0));
    set8(&r, HMD_SEQUENCE_TRAVELING, 9);
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    cr_assert(eq(int, field8(&r, HMD_SEQUENCE_TRAVELING), 9));
}

Test(play, one_key_follows_itself)
{
    rig r;
    RIG_OPEN(&r, KEY(NO_TYPE, 4, 0), JUMP(0, 0, 0));
    for (int i = 0; i < 3; i++) {
        cr_assert(eq(int, tick(&r), HMD_TICK_OK));
        cr_assert(not(r.tick.called));
        cr_assert(eq(int, field16(&r, HMD_SEQUENCE_RFRAME), 64));
    }
}

Test(play, the_current_value_is_saved)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 2, 4), KEY(LINEAR, 0, 40), END(0));
    set16(&r, HMD_SEQUENCE_II, 2);
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    cr_assert(eq(u32, r.words[PARAMETERS + 40], 50));
}

/* ---- direction ---- */

Test(backward, from_the_second_key)
{
    rig r;
    RIG_OPEN(&r, END(0), KEY(LINEAR, 0, 0), KEY(LINEAR, 4, 4), END(0));
    set8(&r, HMD_SEQUENCE_SPEED, -0x10);
    set16(&r, HMD_SEQUENCE_CI, 2);
    static const int x[] = {100, 75, 50, 25};
    for (int i = 0; i < 4; i++) {
        cr_assert(eq(int, tick(&r), HMD_TICK_OK));
        cr_assert(eq(int, r.tick.src, 1));
        cr_assert(eq(int, r.tick.dst, 2));
        HOLD(x_of(&r) == x[i], "frame %d: x = %d", i, x_of(&r));
    }
    cr_assert(eq(int, field16(&r, HMD_SEQUENCE_RFRAME), 0x6000));
    cr_assert(eq(int, tick(&r), HMD_TICK_STOPPED));
    cr_assert(eq(int, field16(&r, HMD_SEQUENCE_CI), 0xffff));
}

Test(backward, off_the_start)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 4, 4), END(0));
    set8(&r, HMD_SEQUENCE_SPEED, -0x80);
    HOLD_OUTSIDE(&r, HMD_WHAT_CONTROL, 0xffff);
}

/* The mark of a segment that was played forward wins over a speed that has been turned round
 * since; the search for the next key still goes by the speed. */
Test(backward, turned_at_the_end_of_a_segment)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 1, 4), END(0));
    set8(&r, HMD_SEQUENCE_SPEED, 0x18);
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    cr_assert(eq(int, field16(&r, HMD_SEQUENCE_RFRAME), 0x7000));
    set8(&r, HMD_SEQUENCE_SPEED, -0x10);
    cr_assert(eq(int, tick(&r), HMD_TICK_STOPPED));
    cr_assert(eq(int, field16(&r, HMD_SEQUENCE_CI), 1));
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 1, 4), CONTROL(2, 0, 0), END(0));
    set8(&r, HMD_SEQUENCE_SPEED, 0x18);
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    set8(&r, HMD_SEQUENCE_SPEED, -0x10);
    cr_assert(eq(int, tick(&r), HMD_TICK_OK), "WORK is skipped backward, to the key itself");
    cr_assert(eq(int, field16(&r, HMD_SEQUENCE_TI), 1));
    cr_assert(not(r.tick.called));
}

/* ---- jumps and ends ---- */

/* A jump at 1 between a key at 0, and keys at 2 and 4; an END at 3. */
static void hold_jump(unsigned dst, unsigned cnd, unsigned sid, unsigned target, unsigned sid_after)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), JUMP(dst, cnd, 4), KEY(LINEAR, 4, 4), END(0),
             KEY(LINEAR, 4, 8));
    set8(&r, HMD_SEQUENCE_SID, (int)sid);
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    HOLD(r.tick.dst == target && field8(&r, HMD_SEQUENCE_SID) == (int)sid_after,
         "dst %u cnd %u sid %u: to %u with sid %d", dst, cnd, sid, r.tick.dst,
         field8(&r, HMD_SEQUENCE_SID));
}

Test(control, jumps)
{
    hold_jump(0, 0, 5, 4, 5);
    hold_jump(7, 0, 5, 4, 7);
    hold_jump(7, 5, 5, 4, 7);
    hold_jump(7, 5, 6, 2, 6);
    hold_jump(0, 5, 5, 4, 0);
    hold_jump(7, 5, 0, 2, 0);
    hold_jump(7, 127, 5, 2, 5);
    hold_jump(7, 127, 127, 4, 7);
    hold_jump(7, 5, 0x85, 2, 0x85);
}

static hmd_tick_end with_end(unsigned p1, unsigned sid)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), CONTROL(1, p1, 0), KEY(LINEAR, 4, 4), END(0));
    set8(&r, HMD_SEQUENCE_SID, (int)sid);
    return tick(&r);
}

Test(control, ends)
{
    cr_assert(eq(int, with_end(0, 3), HMD_TICK_STOPPED));
    cr_assert(eq(int, with_end(3, 3), HMD_TICK_STOPPED));
    cr_assert(eq(int, with_end(3, 4), HMD_TICK_OK));
    cr_assert(eq(int, with_end(127, 4), HMD_TICK_OK));
}

Test(control, others_are_skipped)
{
    rig r;
    RIG_OPEN(&r, CONTROL(0, 0, 0), CONTROL(2, 127, 60), KEY(LINEAR, 0, 0), CONTROL(127, 0, 0),
             KEY(LINEAR, 4, 4), END(0));
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    cr_assert(eq(int, r.tick.src, 2));
    cr_assert(eq(int, r.tick.dst, 4));
}

Test(control, a_jump_at_the_start_is_not_followed)
{
    rig r;
    RIG_OPEN(&r, JUMP(0, 0, 4), KEY(LINEAR, 0, 0), KEY(LINEAR, 4, 4), END(0), KEY(LINEAR, 1, 8));
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    cr_assert(eq(int, r.tick.src, 1));
}

/* ---- frames that never end ---- */

static void hold_cycle(rig *r, uint32_t first, uint32_t num, uint32_t num_keys, unsigned sid)
{
    cr_assert(eq(int, tick(r), HMD_TICK_HANG));
    const hmd_cycle *c = &r->tick.cycle;
    HOLD(c->first == first && c->num == num && c->num_keys == num_keys && c->sid == sid,
         "cycle from %u, %u descriptors, %u keys, sid %u", c->first, c->num, c->num_keys, c->sid);
}

Test(hang, jumps)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), JUMP(0, 0, 1));
    hold_cycle(&r, 1, 1, 0, 0);
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), JUMP(0, 0, 4), END(0), JUMP(0, 0, 2), CONTROL(2, 0, 0),
             JUMP(0, 0, 3));
    r.words[CONTROLS + 2] = CONTROL(3, 0, 0); /* 4 5 3 2 3 2: 3 and 2 */
    hold_cycle(&r, 2, 2, 0, 0);
}

/* 1 -> 2 -> 1 with the sid going 1, 2, 3, 1: the round closes after three times two jumps. */
Test(hang, jumps_that_change_the_sid)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), JUMP(2, 1, 4), JUMP(3, 2, 4), JUMP(1, 3, 4), JUMP(0, 0, 1));
    set8(&r, HMD_SEQUENCE_SID, 1);
    hold_cycle(&r, 1, 9, 0, 1);
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), JUMP(2, 1, 4), JUMP(3, 2, 4), KEY(LINEAR, 1, 4), JUMP(0, 0, 1));
    set8(&r, HMD_SEQUENCE_SID, 1);
    cr_assert(eq(int, tick(&r), HMD_TICK_OK), "with sid 3 play gets through");
}

/* The lowest descriptor is passed with sid 3 alone, the one behind it with 2; wherever the search
 * begins to count. */
Test(hang, the_sid_is_that_of_the_lowest_descriptor)
{
    for (uint32_t num = 0; num < 8; num++) {
        uint32_t descriptors[16] = {KEY(LINEAR, 0, 0)};
        for (uint32_t i = 0; i < num; i++) {
            descriptors[1 + i] = CONTROL(3, 0, 0);
        }
        descriptors[1 + num] = JUMP(2, 3, num + 2);
        descriptors[2 + num] = JUMP(3, 2, num + 1);
        rig r;
        rig_open(&r, descriptors, num + 3);
        set8(&r, HMD_SEQUENCE_SID, 3);
        hold_cycle(&r, num + 1, 2, 0, 3);
    }
}

Test(hang, keys_without_time)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 0, 4), KEY(LINEAR, 0, 8), JUMP(0, 0, 1));
    hold_cycle(&r, 1, 3, 2, 0);
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 0, 4), KEY(LINEAR, 1, 8), JUMP(0, 0, 1));
    for (int i = 0; i < 10; i++) {
        cr_assert(eq(int, tick(&r), HMD_TICK_OK));
        cr_assert(eq(int, r.tick.dst, 2));
    }
}

/* A program that sets the times itself can leave a key without time in the middle of a segment. */
Test(hang, one_segment)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 0, 4), KEY(LINEAR, 2, 8), END(0));
    set16(&r, HMD_SEQUENCE_TI, 1);
    set16(&r, HMD_SEQUENCE_RFRAME, 8);
    set16(&r, HMD_SEQUENCE_TFRAME, 16);
    hold_cycle(&r, 1, 1, 1, 0);
    cr_assert(eq(int, x_of(&r), 50));
}

Test(hang, splines)
{
    rig r;
    RIG_OPEN(&r, CONTROL(2, 0, WORK), KEY(SPLINE, 0, 0), KEY(SPLINE, 0, 4), KEY(SPLINE, 0, 8),
             JUMP(0, 0, 1));
    cr_assert(eq(int, tick(&r), HMD_TICK_HANG));
    cr_assert(eq(u32, r.tick.cycle.first, 1));
    cr_assert(eq(u32, r.tick.cycle.num % 4, 0));
    cr_assert(gt(u32, r.tick.cycle.num_keys, 0));
}

/* Once round the three keys the sequence is as it was, all but the history, which is full by then,
 * so that play gets on. The controls make the search remember the very state that comes back. */
Test(hang, not_while_the_history_fills)
{
    rig r;
    RIG_OPEN(&r, CONTROL(2, 0, WORK), CONTROL(2, 0, 0), CONTROL(2, 0, 0), CONTROL(2, 0, 0),
             CONTROL(2, 0, 0), CONTROL(2, 0, 0), KEY(SPLINE, 0, 0), KEY(SPLINE, 1, 4),
             KEY(SPLINE, 0, 8), JUMP(0, 0, 6));
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    cr_assert(r.tick.ran);
    cr_assert(eq(int, r.tick.src, 6));
    cr_assert(eq(u32, r.words[PARAMETERS + WORK], BASE + 4 * (PARAMETERS + 4)));
}

/* The third key is the first one that takes time once the history is full, and then the first two
 * are passed for the second time. With more and more controls in front any of the states there is
 * the one that is remembered. */
Test(hang, not_while_the_history_fills_wherever_the_search_begins)
{
    for (uint32_t num = 0; num < 16; num++) {
        uint32_t descriptors[24] = {CONTROL(2, 0, WORK)};
        for (uint32_t i = 0; i < num; i++) {
            descriptors[1 + i] = CONTROL(2, 0, 0);
        }
        descriptors[1 + num] = KEY(SPLINE, 0, 0);
        descriptors[2 + num] = KEY(SPLINE, 0, 4);
        descriptors[3 + num] = KEY(SPLINE, 1, 8);
        descriptors[4 + num] = JUMP(0, 0, num + 1);
        rig r;
        rig_open(&r, descriptors, num + 5);
        HOLD(tick(&r) == HMD_TICK_OK && r.tick.ran, "%u controls: end %d", num, r.tick.end);
        cr_assert(eq(int, r.tick.src, num + 2));
        for (uint32_t i = 0; i < 4; i++) { /* keys 2, 0, 1, 2 */
            cr_assert(eq(u32, r.words[PARAMETERS + WORK + i],
                         BASE + 4 * (PARAMETERS + 4 * ((i + 2) % 3))));
        }
    }
}

/* Behind a spline jumps go on that only change the sid, from each even one to the next. */
Test(hang, not_while_the_sid_counts_up)
{
    for (uint32_t num = 0; num < 16; num++) {
        uint32_t descriptors[24] = {CONTROL(2, 0, WORK), KEY(SPLINE, 0, 0), KEY(SPLINE, 0, 4)};
        for (uint32_t i = 0; i < num; i++) {
            descriptors[3 + i] = CONTROL(2, 0, 0);
        }
        descriptors[3 + num] = JUMP(5, 4, num + 3);
        descriptors[4 + num] = END(0);
        rig r;
        rig_open(&r, descriptors, num + 5);
        set8(&r, HMD_SEQUENCE_SID, 4);
        HOLD(tick(&r) == HMD_TICK_STOPPED, "%u controls: end %d", num, r.tick.end);
        cr_assert(eq(int, field8(&r, HMD_SEQUENCE_SID), 5));
    }
}

Test(splines, three_keys_without_time_then_a_segment)
{
    rig r;
    RIG_OPEN(&r, CONTROL(2, 0, WORK), KEY(SPLINE, 0, 0), KEY(SPLINE, 0, 4), KEY(SPLINE, 0, 8),
             KEY(SPLINE, 2, 12), END(0));
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    cr_assert(eq(int, r.tick.src, 3));
    cr_assert(eq(int, r.tick.dst, 4));
    for (uint32_t i = 0; i < 4; i++) {
        cr_assert(eq(u32, r.words[PARAMETERS + WORK + i], BASE + 4 * (PARAMETERS + 4 * i)));
    }
    cr_assert(eq(int, x_of(&r), (682 * 0 + 2730 * 100 + 682 * 200) >> 12));
}

Test(splines, empty_history)
{
    rig r;
    RIG_OPEN(&r, CONTROL(2, 0, WORK), KEY(SPLINE, 0, 0), KEY(SPLINE, 2, 4), END(0));
    set16(&r, HMD_SEQUENCE_CI, 1);
    set16(&r, HMD_SEQUENCE_TI, 2);
    set16(&r, HMD_SEQUENCE_RFRAME, 8);
    set16(&r, HMD_SEQUENCE_TFRAME, 32);
    cr_assert(eq(int, tick(&r), HMD_TICK_EMPTY_HISTORY));
    cr_assert(eq(u64, r.tick.index, 0));
    r.words[PARAMETERS + WORK] = 0x1000;
    HOLD(tick(&r) == HMD_TICK_EMPTY_HISTORY && r.tick.index == 1, "the next one");
    for (uint32_t i = 1; i < 4; i++) {
        r.words[PARAMETERS + WORK + i] = BASE + 4 * PARAMETERS;
    }
    r.words[PARAMETERS + WORK + 1] = BASE + 4 * (PARAMETERS + 8);
    HOLD_OUTSIDE(&r, HMD_WHAT_HISTORY, 0x1000u - BASE);
    r.words[CONTROLS] = CONTROL(2, 0, 61);
    HOLD_OUTSIDE(&r, HMD_WHAT_WORK, 4 * RIG_WORDS);
    set16(&r, HMD_SEQUENCE_START, 4);
    HOLD_OUTSIDE(&r, HMD_WHAT_CONTROL, 4);
}

/* The words at the parameter of `start` are a history only where a spline is played: here they are
 * a value that a linear function writes again and again. */
Test(hang, what_is_no_history_does_not_count)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 6), KEY(LINEAR, 0, 12), END(0));
    set16(&r, HMD_SEQUENCE_TI, 1);
    set16(&r, HMD_SEQUENCE_RFRAME, 8);
    set16(&r, HMD_SEQUENCE_TFRAME, 16);
    r.words[SEQUENCE] = 3 << 24; /* its t is at parameter 6 */
    r.words[PARAMETERS + 6] = 1 << 20;
    r.budget.left = 100; /* less than it takes until the value stands still */
    hold_cycle(&r, 1, 1, 1, 0);
}

/* The history is written over what says where it is: it is read there no more. */
Test(splines, a_history_that_loses_its_place)
{
    rig r;
    /* Its last entry is the descriptor of the start, which becomes an address: parameter 0x100. */
    RIG_OPEN(&r, CONTROL(2, 0, CONTROLS - 3), KEY(SPLINE, 0, PARAMETERS),
             KEY(SPLINE, 0, PARAMETERS + 4), KEY(SPLINE, 2, PARAMETERS + 8), END(0));
    r.animation.parameters = 0;
    HOLD_OUTSIDE(&r, HMD_WHAT_WORK, 4 * ((BASE + 4 * (PARAMETERS + 4)) & 0xffff));
    cr_assert(eq(u32, r.words[CONTROLS], BASE + 4 * (PARAMETERS + 4)));
    /* Its last entry is the field of the sequence that says where it starts. */
    RIG_OPEN(&r, CONTROL(2, 0, 3), KEY(SPLINE, 0, PARAMETERS), KEY(SPLINE, 0, PARAMETERS + 4),
             KEY(SPLINE, 2, PARAMETERS + 8), END(0));
    r.animation.parameters = 0;
    HOLD_OUTSIDE(&r, HMD_WHAT_CONTROL, BASE >> 16); /* the other fields are addresses, too */
    cr_assert(eq(int, field16(&r, HMD_SEQUENCE_START), (BASE + 4 * (PARAMETERS + 4)) & 0xffff));
}

/* ---- what lies outside ---- */

Test(outside, control)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 1, 4));
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    HOLD_OUTSIDE(&r, HMD_WHAT_CONTROL, 2);
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), JUMP(0, 0, 700));
    HOLD_OUTSIDE(&r, HMD_WHAT_CONTROL, 700);
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 1, 4));
    set16(&r, HMD_SEQUENCE_TI, 2);
    HOLD_OUTSIDE(&r, HMD_WHAT_CONTROL, 2);
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 1, 4));
    r.animation.num_descriptors = 0xffffffff; /* never more than the image has */
    r.animation.control = RIG_WORDS - 1;
    r.words[RIG_WORDS - 1] = KEY(LINEAR, 0, 0);
    HOLD_OUTSIDE(&r, HMD_WHAT_CONTROL, 1);
}

Test(outside, the_key_that_is_saved)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 1, 4), KEY(LINEAR, 0, 62));
    set16(&r, HMD_SEQUENCE_II, 3);
    HOLD_OUTSIDE(&r, HMD_WHAT_CONTROL, 3);
    set16(&r, HMD_SEQUENCE_II, 2);
    HOLD_OUTSIDE(&r, HMD_WHAT_INTR, 4 * RIG_WORDS);
}

Test(outside, types)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(NUM_TYPES, 1, 4));
    HOLD_OUTSIDE(&r, HMD_WHAT_TYPE, NUM_TYPES);
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(NO_TYPE, 1, 4));
    cr_assert(eq(int, tick(&r), HMD_TICK_NO_DRIVER));
    cr_assert(eq(u64, r.tick.index, NO_TYPE));
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 1, 4));
    r.animation.types = RIG_WORDS;
    HOLD_OUTSIDE(&r, HMD_WHAT_TYPE, LINEAR);
}

Test(outside, keys)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 1, 0xffff));
    HOLD_OUTSIDE(&r, HMD_WHAT_DST, 4 * (PARAMETERS + 0xffff));
    RIG_OPEN(&r, KEY(LINEAR, 0, 63), KEY(LINEAR, 1, 4));
    HOLD_OUTSIDE(&r, HMD_WHAT_SRC, 4 * RIG_WORDS);
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 1, 4));
    r.animation.parameters = 0x40000000; /* times 4 would be 0 */
    HOLD_OUTSIDE(&r, HMD_WHAT_SRC, UINT64_C(0x100000000));
}

Test(outside, update)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 1, 4));
    r.words[SEQUENCE] = 5 << 24;
    HOLD_OUTSIDE(&r, HMD_WHAT_SECTION, 5);
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 1, 4));
    r.words[SEQUENCE] = 1;
    HOLD_OUTSIDE(&r, HMD_WHAT_SECTION, 0);
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 1, 4));
    r.words[SEQUENCE] = SECTION_UNITS << 24 | 0xffffff;
    HOLD_OUTSIDE(&r, HMD_WHAT_UPDATE, 4 * (UINT64_C(0xffffff) + UNITS) + HMD_UNIT_TRANSLATION);
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 1, 4));
    r.animation.sections = (const uint32_t[]){HMD_NO_SECTION, 0x40000000};
    r.words[SEQUENCE] = 1 << 24; /* times 4 would be 0 */
    HOLD_OUTSIDE(&r, HMD_WHAT_UPDATE, UINT64_C(0x100000000));
}

Test(outside, sequence)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 1, 4));
    static const uint32_t offs[] = {4 * RIG_WORDS - 24, 4 * RIG_WORDS, 2, 1, 0xfffffffc};
    for (size_t i = 0; i < sizeof offs / sizeof offs[0]; i++) {
        cr_assert(eq(int, hmd_driver_tick(&r.image, &r.tick, &r.animation, offs[i], &r.budget),
                     HMD_TICK_OUTSIDE));
        cr_assert(eq(int, r.tick.what, HMD_WHAT_SEQUENCE));
        cr_assert(eq(u64, r.tick.index, offs[i]));
    }
}

/* ---- general types that write into their own machine ---- */

/* The byte that is written is TFRAME of the next key: read anew, it is 3 frames, not 1. */
Test(general, overwrites_a_descriptor)
{
    rig r;
    RIG_OPEN(&r, KEY(BEZIER_CELL, 0, 0), KEY(BEZIER_CELL, 1, 0), KEY(BEZIER_CELL, 1, 0), END(0));
    r.words[PARAMETERS] = 0x030303;
    r.words[SEQUENCE] = 2 << 24 | 2;
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    cr_assert(eq(u32, r.words[CONTROLS + 2], KEY(BEZIER_CELL, 1, 3)));
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    cr_assert(eq(u32, r.tick.call.dst_off, 4 * PARAMETERS + 12));
}

/* A segment whose target has no time is played again at once, with every field of the sequence as
 * it was; but its function moves the parameters of its own keys, and then gives the target a time.
 */
Test(general, a_round_that_changes_the_machine_is_no_hang)
{
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 0, 4), END(0));
    set16(&r, HMD_SEQUENCE_TI, 1);
    set16(&r, HMD_SEQUENCE_RFRAME, 8);
    set16(&r, HMD_SEQUENCE_TFRAME, 16);
    /* Its t lies over the descriptors: first 8 and 12 are written, then what is found there. */
    r.words[SEQUENCE] = 2 << 24;
    r.animation.sections =
        (const uint32_t[]){HMD_NO_SECTION, TYPES - 1, CONTROLS - 6, PARAMETERS, UNITS};
    r.words[PARAMETERS + 0] = 8;
    r.words[PARAMETERS + 1] = 12;
    r.words[PARAMETERS + 4] = 8;
    r.words[PARAMETERS + 5] = 12;
    r.words[PARAMETERS + 13] = 0x20000;
    r.words[PARAMETERS + 9] = 0x20000;
    cr_assert(eq(int, tick(&r), HMD_TICK_OK));
    cr_assert(eq(u32, r.words[CONTROLS + 1], 0x20000));
}

/* The same with a type that is written over, and with the sequence's own update index and ii. */
Test(general, a_round_that_changes_types_or_sequence_is_no_hang)
{
    enum { MOVED_TYPES = UNITS + 6 };
    static const uint32_t sections[] = {HMD_NO_SECTION, UNITS, SEQUENCE};
    rig r;
    RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 0, 4), END(0));
    set16(&r, HMD_SEQUENCE_TI, 1);
    set16(&r, HMD_SEQUENCE_RFRAME, 8);
    set16(&r, HMD_SEQUENCE_TFRAME, 16);
    r.animation.sections = sections;
    r.animation.types = MOVED_TYPES;
    r.words[MOVED_TYPES] = 0x03000001;
    r.words[SEQUENCE] = 1 << 24; /* t lies over the types */
    r.words[PARAMETERS] = r.words[PARAMETERS + 4] = 0x03000200;
    cr_assert(eq(int, tick(&r), HMD_TICK_NO_DRIVER));
    cr_assert(eq(u64, r.tick.index, LINEAR));
    RIG_OPEN(&r, KEY(BEZIER_CELL, 0, 0), KEY(BEZIER_CELL, 0, 0), END(0));
    set16(&r, HMD_SEQUENCE_TI, 1);
    set16(&r, HMD_SEQUENCE_RFRAME, 16);
    set16(&r, HMD_SEQUENCE_TFRAME, 16);
    r.animation.sections = sections;
    r.words[SEQUENCE] = 2 << 24; /* 2 is written there, and then to word 2, which is ii */
    r.words[PARAMETERS] = 0x020202;
    HOLD_OUTSIDE(&r, HMD_WHAT_CONTROL, 0xff02);
}

/* The words of the cells that a function writes, from its update address on; of a coordinate all.
 */
Test(general, words_that_are_written)
{
    static const struct {
        uint32_t type, num_words;
    } types[] = {
        {0x03000001, 20}, {0x03010110, 1}, {0x03010111, 1}, {0x03010121, 1},
        {0x03010141, 2},  {0x03010171, 2}, {0x03010112, 1}, {0x03010122, 1},
        {0x03010142, 1},  {0x03010172, 1}, {0x03010182, 1},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        rig r;
        RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 4, 4), END(0));
        r.words[TYPES] = types[i].type;
        cr_assert(eq(int, tick(&r), HMD_TICK_OK));
        HOLD(r.tick.first_written == UNITS + 1 &&
                 r.tick.end_written == UNITS + 1 + types[i].num_words,
             "%08x: words %u to %u", types[i].type, r.tick.first_written, r.tick.end_written);
        cr_assert(eq(u32, r.tick.type.word, types[i].type));
    }
}

/* ---- any words at all ---- */

Test(budget, every_amount)
{
    uint64_t enough = 0;
    for (uint64_t units = 0; enough == 0; units++) {
        rig r;
        RIG_OPEN(&r, KEY(LINEAR, 0, 0), KEY(LINEAR, 0, 4), KEY(LINEAR, 0, 8), JUMP(0, 0, 1));
        r.budget.left = units;
        const hmd_tick_end end = tick(&r);
        cr_assert(end == HMD_TICK_LIMIT || end == HMD_TICK_HANG);
        enough = end == HMD_TICK_HANG ? units : 0;
        cr_assert(lt(u64, units, 1000));
    }
    cr_assert(gt(u64, enough, 20));
}

/* A descriptor that keeps play inside most of the time, so that much is reached. */
static uint32_t random_descriptor(dice *d, uint32_t num)
{
    const uint32_t target = dice_below(d, 20) == 0 ? dice_below(d, 0x10000) : dice_below(d, num);
    switch (dice_below(d, 6)) {
    case 0:
        return JUMP(dice_below(d, 4), dice_below(d, 4), target);
    case 1:
        return CONTROL(dice_below(d, 3), dice_below(d, 4), dice_below(d, 64));
    case 2:
        return dice_next(d);
    default:
        return KEY(dice_below(d, 3), dice_below(d, 3), dice_below(d, 60));
    }
}

static void random_fields(rig *r, dice *d, uint32_t num)
{
    static const int speeds[] = {16, -16, 8, -24, 0, 127, -128};
    set8(r, HMD_SEQUENCE_SPEED, speeds[dice_below(d, 7)]);
    set8(r, HMD_SEQUENCE_SID, (int)dice_below(d, 4));
    set16(r, HMD_SEQUENCE_START, (int)dice_below(d, num));
    set16(r, HMD_SEQUENCE_CI, (int)dice_below(d, num));
    set16(r, HMD_SEQUENCE_TI, (int)dice_below(d, num + 1));
    if (dice_below(d, 2) == 0) {
        set16(r, HMD_SEQUENCE_II, (int)dice_below(d, num));
    }
    if (dice_below(d, 4) == 0) {
        set16(r, HMD_SEQUENCE_RFRAME, (int)dice_below(d, 0x10000));
        set16(r, HMD_SEQUENCE_TFRAME, (int)dice_below(d, 0x10000));
    }
    r->words[SEQUENCE] = (1 + dice_below(d, 4)) << 24 | dice_below(d, 40);
}

/* The words lie in a block of exactly their length, for the sanitizers. */
Test(any, words_come_to_an_end)
{
    dice d = {7};
    unsigned seen[HMD_TICK_LIMIT + 1] = {0};
    for (unsigned i = 0; i < 20000; i++) {
        uint32_t descriptors[PARAMETERS - CONTROLS];
        const uint32_t num = 2 + dice_below(&d, PARAMETERS - CONTROLS - 1);
        rig r;
        for (uint32_t k = 0; k < num; k++) {
            descriptors[k] = random_descriptor(&d, num);
        }
        rig_open(&r, descriptors, num);
        random_fields(&r, &d, num);
        r.image.words = malloc(sizeof r.words);
        cr_assert(r.image.words != NULL);
        memcpy(r.image.words, r.words, sizeof r.words);
        for (uint32_t k = PARAMETERS; k < RIG_WORDS; k++) {
            r.image.words[k] = dice_below(&d, 8) == 0 ? dice_next(&d) : r.image.words[k];
        }
        hmd_tick_end end = HMD_TICK_OK;
        for (unsigned frame = 0; frame < 30 && end == HMD_TICK_OK; frame++) {
            r.budget.left = PLENTY;
            end = tick(&r);
        }
        seen[end]++;
        free(r.image.words);
    }
    for (unsigned end = 0; end < HMD_TICK_LIMIT; end++) {
        cr_assert(end == HMD_TICK_EMPTY_HISTORY || seen[end] > 0, "end %u never came", end);
    }
    cr_log_info("ok %u stopped %u hang %u outside %u no driver %u empty %u limit %u", seen[0],
                seen[1], seen[2], seen[3], seen[4], seen[5], seen[6]);
    cr_assert(lt(u32, seen[HMD_TICK_LIMIT], 20), "but for some that change themselves for ever");
}
