/* When the frame update driver of HMD takes a round of play for one that never ends: by all that
 * decides about the next step, and by nothing else.
 */
#include "bench.h"

#include "hmd/hmd_driver.h"

#include <string.h>

#define KEY(tframe, parameter) ((uint32_t)(tframe) << 16 | (uint32_t)(parameter))
#define JUMP(dst, cnd, target)                                                                     \
    (0x80000000u | (uint32_t)(dst) << 23 | (uint32_t)(cnd) << 16 | (uint32_t)(target))
#define WORK 0xc1000000u

/* Words of the rig; parameters count from its start. The last words are of a control section that
 * has more than half as many descriptors as there may be. */
enum {
    TYPES = 8,
    CONTROLS = 16,
    TARGET = 60, /* a value */
    SEQUENCE = 200,
    LONG_CONTROLS = 300,
    NUM_LONG = 0x8200,
    RIG_WORDS = LONG_CONTROLS + NUM_LONG
};
enum { SECTION_ALL = 1, MOST_UNITS = 5000 };

typedef struct rig {
    uint32_t words[RIG_WORDS];
    hmd_image image;
    hmd_playback animation;
    hmd_tick tick;
    fh_budget budget;
} rig;

static rig r;

static void rig_open(uint32_t control, uint32_t num)
{
    static const uint32_t sections[] = {HMD_NO_SECTION, 0};
    memset(&r, 0, sizeof r);
    r.image = (hmd_image){r.words, RIG_WORDS, 0x100000, NULL};
    r.animation = (hmd_playback){TYPES, 1, control, num, 0, sections, 2};
    r.budget = (fh_budget){MOST_UNITS};
    r.words[TYPES] = 0x03010110;
    cr_assert(hmd_driver_start(&r.image, 4 * SEQUENCE));
}

static void set16(uint32_t field, int value)
{
    cr_assert(hmd_image_put16(&r.image, 4 * SEQUENCE + field, (uint32_t)value & 0xffff));
}

static hmd_tick_end tick(void)
{
    return hmd_driver_tick(&r.image, &r.tick, &r.animation, 4 * SEQUENCE, &r.budget);
}

/* A program has set the times of a segment whose target has none, so that its function is called
 * again and again. It extrapolates from a word to one that is larger by 1, over that word itself:
 * this becomes larger by 2, and the next time what it was. */
static hmd_tick_end alternate(uint32_t word)
{
    rig_open(CONTROLS, 3);
    r.words[CONTROLS] = r.words[CONTROLS + 2] = KEY(0, word);
    r.words[CONTROLS + 1] = KEY(0, TARGET);
    r.words[SEQUENCE] = SECTION_ALL << 24 | word;
    set16(HMD_SEQUENCE_TI, 1);
    set16(HMD_SEQUENCE_RFRAME, -160);
    set16(HMD_SEQUENCE_TFRAME, 160);
    r.words[TARGET] = r.words[word] + 1;
    return tick();
}

/* Of these words of its own the last function only tells that they are another's from round to
 * round: the states of before are forgotten each time, until the work is spent. */
Test(hmd_rounds, a_sequence_that_keeps_changing)
{
    static const uint32_t words[] = {1, 3, 5, 6};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        cr_expect(eq(int, alternate(SEQUENCE + words[i]), HMD_TICK_LIMIT), "word %u", words[i]);
    }
}

/* What lies beside the sequence, the types and the descriptors decides about no step. */
Test(hmd_rounds, words_beside_what_decides)
{
    static const uint32_t words[] = {TYPES - 1,    TYPES + 1,    CONTROLS - 1,
                                     CONTROLS + 3, SEQUENCE - 1, SEQUENCE + HMD_SEQUENCE_LEN / 4};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        cr_expect(eq(int, alternate(words[i]), HMD_TICK_HANG), "word %u", words[i]);
        cr_expect(eq(u32, r.tick.cycle.first, 1));
    }
}

/* Backwards, twice from the same key with the same stream id: to a key, and to one that stands
 * 0x8000 descriptors behind it, from where play gets on. With more and more controls on the way any
 * of the states is the one that is remembered. */
Test(hmd_rounds, keys_that_are_far_apart)
{
    enum { FROM = 100, NEAR = 200, FAR = NEAR + 0x8000 };
    for (uint32_t num = 0; num < 32; num++) {
        rig_open(LONG_CONTROLS, NUM_LONG);
        uint32_t *at = r.words + LONG_CONTROLS;
        at[FROM - 1] = JUMP(2, 1, NEAR + num);
        at[FROM - 2] = JUMP(0, 0, FAR);
        at[NEAR - 1] = JUMP(0, 0, FROM);
        for (uint32_t i = 1; i <= num; i++) {
            at[NEAR + i] = WORK;
        }
        at[FAR - 1] = KEY(2, 0);
        r.words[SEQUENCE] = SECTION_ALL << 24 | TARGET;
        set16(HMD_SEQUENCE_CI, FROM);
        cr_assert(hmd_image_put8(&r.image, 4 * SEQUENCE + HMD_SEQUENCE_SID, 1));
        cr_assert(hmd_image_put8(&r.image, 4 * SEQUENCE + HMD_SEQUENCE_SPEED, 0xf0));
        cr_expect(eq(int, tick(), HMD_TICK_OK), "%u controls", num);
        cr_expect(eq(u32, r.tick.dst, FAR - 1));
        cr_expect(eq(u32, r.tick.src, FAR - 2));
    }
}
