/* The words that replay works on: what a refused access leaves as it was, and where it says that it
 * was refused.
 */
#include "bench.h"

#include "hmd/hmd_access.h"
#include "hmd/hmd_bits.h"
#include "hmd/hmd_mime.h"

#include <string.h>

enum { NUM_WORDS = 8 };

typedef struct stage {
    uint32_t words[NUM_WORDS], before[NUM_WORDS];
    hmd_image image;
    fh_budget budget;
    hmd_access access;
} stage;

static void stage_open(stage *s)
{
    for (uint32_t i = 0; i < NUM_WORDS; i++) {
        s->words[i] = s->before[i] = 0x80706050 + i;
    }
    s->image = (hmd_image){s->words, NUM_WORDS, 0x80010000, NULL};
    s->budget = (fh_budget){100};
    s->access = hmd_access_into(&s->image, &s->budget);
}

static bool is_as_before(const stage *s)
{
    return memcmp(s->words, s->before, sizeof s->words) == 0;
}

static void hold_refused(const stage *s, hmd_eval eval, uint32_t off)
{
    HOLD(s->access.outcome.eval == eval, "it is %d", (int)s->access.outcome.eval);
    HOLD(s->access.outcome.off == off, "at 0x%x", s->access.outcome.off);
    HOLD(is_as_before(s), "a word has changed");
}

#define BEHIND ((uint64_t)1 << 32)

/* Behind the last word, not aligned, and where 32 bits of the place would lie inside. */
static const struct {
    uint64_t off;
    uint32_t said;
} outside[] = {{4 * NUM_WORDS, 4 * NUM_WORDS}, {5, 5},
               {0xfffffffc, 0xfffffffc},       {0xffffffff, 0xffffffff},
               {BEHIND, 0xffffffff},           {BEHIND + 8, 0xffffffff},
               {UINT64_MAX, 0xffffffff}};

Test(hmd_access, what_is_refused)
{
    stage s;
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++) {
        stage_open(&s);
        HOLD(hmd_access_ok(&s.access) && s.access.outcome.off == 0, "it begins so");
        HOLD(hmd_access_u16(&s.access, outside[i].off) == 0, "place %zu", i);
        hold_refused(&s, HMD_EVAL_OUTSIDE, outside[i].said);
        stage_open(&s);
        HOLD(hmd_access_u32(&s.access, outside[i].off) == 0, "place %zu", i);
        hold_refused(&s, HMD_EVAL_OUTSIDE, outside[i].said);
        stage_open(&s);
        hmd_access_put16(&s.access, outside[i].off, 1);
        hold_refused(&s, HMD_EVAL_OUTSIDE, outside[i].said);
        stage_open(&s);
        hmd_access_put32(&s.access, outside[i].off, 1);
        hold_refused(&s, HMD_EVAL_OUTSIDE, outside[i].said);
    }
}

/* The first refusal is the one that is told, and nothing is read or written behind it. */
Test(hmd_access, once_refused)
{
    stage s;
    stage_open(&s);
    cr_assert(eq(u32, hmd_access_u32(&s.access, 28), 0x80706057));
    cr_assert(eq(u32, hmd_access_u32(&s.access, 32), 0));
    cr_assert(eq(u32, hmd_access_u32(&s.access, 28), 0));
    cr_assert(eq(u16, hmd_access_u16(&s.access, 28), 0));
    hmd_access_put32(&s.access, 0, 1);
    hmd_access_put16(&s.access, 0, 1);
    hmd_access_put32(&s.access, 99, 1);
    cr_assert(not(hmd_access_words(&s.access, 0, 1)));
    cr_assert(not(hmd_access_pay(&s.access, 1)));
    hold_refused(&s, HMD_EVAL_OUTSIDE, 32);
    cr_assert(eq(u64, s.budget.left, 100));
}

Test(hmd_access, ranges_of_words)
{
    static const struct {
        uint64_t first, num;
        bool is_inside;
        uint32_t said;
    } ranges[] = {{0, NUM_WORDS, true, 0},
                  {0, NUM_WORDS + 1, false, 32},
                  {NUM_WORDS, 0, true, 0},
                  {NUM_WORDS + 1, 0, false, 36},
                  {NUM_WORDS, 1, false, 32},
                  {5, 3, true, 0},
                  {5, 4, false, 32},
                  {5, NUM_WORDS, false, 32},
                  {1, UINT64_MAX, false, 32},
                  {(uint64_t)1 << 40, 1, false, 0xffffffff},
                  {(uint64_t)1 << 40, 0, false, 0xffffffff}};
    stage s;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        stage_open(&s);
        HOLD(hmd_access_words(&s.access, ranges[i].first, ranges[i].num) == ranges[i].is_inside,
             "range %zu", i);
        hold_refused(&s, ranges[i].is_inside ? HMD_EVAL_OK : HMD_EVAL_OUTSIDE, ranges[i].said);
        HOLD(ranges[i].first > UINT32_MAX || ranges[i].num > UINT32_MAX ||
                 hmd_image_has(&s.image, (uint32_t)ranges[i].first, (uint32_t)ranges[i].num) ==
                     ranges[i].is_inside,
             "range %zu of the image", i);
    }
}

Test(hmd_access, work)
{
    stage s;
    stage_open(&s);
    cr_assert(hmd_access_pay(&s.access, 100));
    cr_assert(not(hmd_access_pay(&s.access, 1)));
    hold_refused(&s, HMD_EVAL_LIMIT, 0);
}

/* Cells are parts of words, the lowest byte first, and only they change. */
Test(hmd_access, cells)
{
    stage s;
    stage_open(&s);
    uint8_t byte = 0;
    uint16_t half = 0;
    for (uint32_t i = 0; i < 4; i++) {
        cr_assert(hmd_image_u8(&s.image, 8 + i, &byte));
        cr_assert(eq(u8, byte, (0x80706052 >> (8 * i)) & 0xff));
    }
    cr_assert(hmd_image_u16(&s.image, 8, &half));
    cr_assert(eq(u16, half, 0x6052));
    cr_assert(hmd_image_put8(&s.image, 9, 0xfff12));
    cr_assert(eq(u32, s.words[2], 0x80701252));
    cr_assert(hmd_image_put8(&s.image, 11, 0x34));
    cr_assert(eq(u32, s.words[2], 0x34701252));
    cr_assert(hmd_image_put16(&s.image, 8, 0xff5678));
    cr_assert(eq(u32, s.words[2], 0x34705678));
    cr_assert(hmd_image_put16(&s.image, 10, 0x9abc));
    cr_assert(eq(u32, s.words[2], 0x9abc5678));
    cr_assert(s.words[1] == s.before[1] && s.words[3] == s.before[3]);
}

/* Each word once, with what it held first; forgotten, it is written down anew. */
Test(hmd_access, journal)
{
    uint32_t words[NUM_WORDS];
    uint32_t before[NUM_WORDS];
    bool is_listed[NUM_WORDS] = {false};
    hmd_journal journal = {words, before, is_listed, 0};
    stage s;
    stage_open(&s);
    s.image.journal = &journal;
    for (unsigned round = 0; round < 2; round++) {
        const uint32_t held = s.words[5];
        cr_assert(hmd_image_put32(&s.image, 20, 7 + round));
        cr_assert(hmd_image_put8(&s.image, 21, 1));
        cr_assert(hmd_image_put16(&s.image, 4, 2));
        cr_assert(eq(u32, journal.num, 2));
        cr_assert(words[0] == 5 && words[1] == 1);
        cr_assert(eq(u32, before[0], held));
        cr_assert(is_listed[5] && is_listed[1] && !is_listed[0]);
        hmd_journal_clear(&journal);
        cr_assert(eq(u32, journal.num, 0));
        for (unsigned i = 0; i < NUM_WORDS; i++) {
            cr_assert(not(is_listed[i]));
        }
    }
}

/* What is forgotten is what was written down: not the word that stands behind it in the list. */
Test(hmd_access, a_journal_that_is_full)
{
    uint32_t words[3] = {0, 0, 7};
    uint32_t before[2];
    bool is_listed[NUM_WORDS] = {[7] = true};
    hmd_journal journal = {words, before, is_listed, 0};
    stage s;
    stage_open(&s);
    s.image.journal = &journal;
    cr_assert(hmd_image_put32(&s.image, 20, 7));
    cr_assert(hmd_image_put32(&s.image, 4, 7));
    cr_assert(eq(u32, journal.num, 2));
    hmd_journal_clear(&journal);
    cr_assert(is_listed[7] && !is_listed[5] && !is_listed[1]);
}

/* What cannot be in a set is always new, and does not go into the words behind it. */
Test(hmd_access, sets)
{
    uint32_t words[3] = {0, 0, 0xffffffff};
    hmd_bits set = {words, 64};
    hmd_bits none = {NULL, 64};
    cr_assert(not(hmd_bits_has(&set, 63)));
    cr_assert(hmd_bits_add(&set, 63));
    cr_assert(not(hmd_bits_add(&set, 63)));
    cr_assert(hmd_bits_add(&set, 0) && hmd_bits_add(&set, 32));
    cr_assert(words[0] == 1 && words[1] == 0x80000001);
    cr_assert(not(hmd_bits_has(&set, 64)));
    words[2] = 0;
    cr_assert(hmd_bits_add(&set, 64) && hmd_bits_add(&set, 64));
    cr_assert(eq(u32, words[2], 0));
    cr_assert(hmd_bits_add(&none, 5) && hmd_bits_add(&none, 5));
    cr_assert(not(hmd_bits_has(&none, 5)));
}

/* 32 keys at most; a reset has none, whatever the number says. */
Test(hmd_access, keys_of_mime)
{
    static const struct {
        uint32_t type;
        bool has_keys, is_known;
    } types[] = {{HMD_MIME_JOINT_RPY, true, true},
                 {HMD_MIME_JOINT_RPY_RESET, false, true},
                 {HMD_MIME_JOINT_AXES_RESET, false, true},
                 {HMD_MIME_VERTEX, true, true},
                 {HMD_MIME_NORMAL, true, true},
                 {HMD_MIME_VERTEX_RESET, false, true},
                 {HMD_MIME_NORMAL_RESET, false, true},
                 {HMD_MIME_JOINT_AXES, true, false},
                 {0x04010030, true, false}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        for (uint32_t num = HMD_MIME_MAX_KEYS; num <= HMD_MIME_MAX_KEYS + 1; num++) {
            static uint32_t words[64];
            stage s;
            stage_open(&s);
            memset(words, 0, sizeof words);
            words[0] = 1; /* a unit */
            hmd_image image = {words, 64, 0, NULL};
            const hmd_mime_args args = {.type = types[i].type, .num_keys = num, .differences = 32};
            const hmd_outcome got = hmd_mime_play(&image, &s.budget, &args, 0);
            const bool is_played = types[i].is_known && (num <= 32 || !types[i].has_keys);
            cr_assert(eq(int, got.eval, is_played ? HMD_EVAL_OK : HMD_EVAL_UNSUPPORTED),
                      "type %zu, %u keys", i, num);
            cr_assert(eq(u32, got.off, 0));
        }
    }
}

/* Each of the words that a difference lists is told, in its lower half. */
Test(hmd_access, words_that_mime_tells)
{
    uint32_t words[64] = {0};
    fh_budget budget = {100};
    hmd_image image = {words, 64, 0, NULL};
    const hmd_mime_args args = {
        .type = HMD_MIME_VERTEX, .mimepr = 60, .num_keys = 1, .differences = 16, .vertices = 50};
    words[60] = 4096;
    words[16] = 3 | 1 << 16; /* three words, one key */
    words[17] = 1;
    words[18] = 8; /* its data, without a vector */
    words[19] = 12;
    words[20] = 13;
    words[21] = 15;
    words[29] = 0x70000;
    const hmd_outcome kept = hmd_mime_keep(&image, &budget, &args, 0);
    cr_assert(kept.eval == HMD_EVAL_OK && kept.off == 0);
    cr_assert(eq(u32, words[28], 0));
    const hmd_outcome got = hmd_mime_play(&image, &budget, &args, 0);
    cr_assert(got.eval == HMD_EVAL_OK && got.off == 0);
    cr_assert(words[28] == 1 && words[29] == 0x70001 && words[30] == 0 && words[31] == 1);
}
