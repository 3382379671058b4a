/* Repairs of a TOD: which bytes are told to be mended, and that nothing is where it is not sure.
 *
 * Offsets: the file header has 8 bytes, a frame header 8 (words, packets, number), a packet a word
 * whose last byte is its length in words.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char told[1024];

static void on_edit(void *user, const fh_edit *edit)
{
    uint32_t value = 0;
    (void)user;
    for (size_t i = 0; i < edit->len; i++) {
        value |= (uint32_t)edit->bytes[i] << (8 * i);
    }
    const size_t len = strlen(told);
    (void)snprintf(told + len, sizeof told - len, "%s%s %s at %zu: %u", len > 0 ? ", " : "",
                   edit->rule->code, edit->field, edit->off, value);
}

static uint64_t spent; /* by the last repair */

static fh_status repair_with(const uint8_t *bytes, size_t size, uint64_t work)
{
    void *block = malloc(BENCH_ARENA);
    HOLD(block != NULL, "the test is out of memory");
    fh_arena arena = fh_arena_make(block, BENCH_ARENA);
    fh_budget budget = {work};
    const fh_sink sink = {0};
    const fh_env env = {.arena = &arena, .budget = &budget, .sink = &sink};
    const fh_edit_sink edits = {NULL, on_edit};
    told[0] = '\0';
    const fh_status status =
        fh_format_find("tod")->repair(&env, &edits, fh_cursor_make(bytes, size, 0),
                                      &(fh_verify_options){.stand_alone = true, .aligned = true});
    free(block);
    spent = work - budget.left;
    return status;
}

/* With what the hunt gives an asset. */
static fh_status repair(const uint8_t *bytes, size_t size)
{
    return repair_with(bytes, size, FH_BUDGET_FLOOR + FH_BUDGET_PER_BYTE * size);
}

#define SET "model 1 1\n" /* a packet of 2 words */

static const struct {
    const char *text;
    const char *edits;
} cases[] = {
    /* The second frame's size is 1 too many; what follows it is sound and rises, or is not. */
    {"tod resolution=1\nframe 0\n" SET "frame 1 size=5\n" SET "frame 2\n" SET,
     "TOD0025 frame size at 24: 4"},
    {"tod resolution=1\nframe 0\n" SET "frame 1 size=5\n" SET "frame 1\n" SET, ""},
    /* More follows than any frame has words for. */
    {"tod resolution=1\nframe 0\n" SET "frame 1 size=5\n" SET "repeat 17000\nframe +\n" SET
     "endrepeat",
     "TOD0025 frame size at 24: 4"},
    {"tod resolution=1 count=3\nframe 0\n" SET "frame 1 size=5\n" SET "word 1", ""},
    /* Packets run into the last bytes, which are no word. */
    {"tod resolution=1\nframe 0 packets=2\n" SET "tail\nbyte 1 2 3", ""},
    /* One length is wrong beside a packet whose type says nothing of its own. */
    {"tod resolution=1\nframe 0 size=6\npacket 1 9 0 7\nmodel 1 1 len=3",
     "TOD0024 packet length at 27: 2"},
    /* Lengths that would fit, but for fewer packets than there should be. */
    {"tod resolution=1\nframe 0 packets=2 size=4\nmodel 1 1 len=3", ""},
    /* Only one number lies between 4 and 6, whatever stands there. */
    {"tod resolution=1\nframe 4\n" SET "frame 9\n" SET "frame 6\n" SET,
     "TOD0026 frame number at 28: 5"},
    {"tod resolution=1\nframe 4\n" SET "frame 2\n" SET "frame 6\n" SET,
     "TOD0026 frame number at 28: 5"},
    {"tod resolution=1\nframe 6\n" SET "frame 9\n" SET "frame 4\n" SET, ""},
    {"tod resolution=1\nframe 4\n" SET "frame 9\n" SET "frame 7\n" SET, ""},
    /* The last frame was cut, so that not all are sound. */
    {"tod resolution=1\nframe 4\n" SET "frame 9\n" SET "frame 6\n" SET "cut 4", ""},
    /* A frame that has room for no packet. */
    {"tod resolution=1\nframe 0\n" SET "frame 1 packets=1\nframe 2\n" SET,
     "TOD0023 number of packets at 26: 0"},
    /* A packet of no words, whose type does not say how many it should have. */
    {"tod resolution=1\nframe 0\npacket 1 9 0 1 len=0\nframe 1\n" SET, ""},
    /* As many words as a size can say, and one more, which the last packet begins in front of. */
    {"tod resolution=1\nframe 0 size=5\nrepeat 32765\nmodel 1 1\nendrepeat\nattr 1 0 0",
     "TOD0023 frame size at 8: 65535"},
    {"tod resolution=1\nframe 0 size=5\nrepeat 32767\nmodel 1 1\nendrepeat", ""},
    /* More frames than there are: behind an end mark nothing is missing. */
    {"tod resolution=1 count=2\nframe 0\n" SET "end", "TOD0008 number of frames at 4: 1"},
    {"tod resolution=1 count=3\nframe 0\n" SET "end", "TOD0007 number of frames at 4: 1"},
    /* Each of these lacks one thing that makes an end mark. */
    {"tod resolution=1 count=2\nframe 0\n" SET "end flag=1", ""},
    {"tod resolution=1 count=2\nframe 0\n" SET "end id=1", ""},
    {"tod resolution=1 count=2\nframe 0\n" SET "packet 0 15 0 0", ""},
    {"tod resolution=1 count=2\nframe 0\n" SET "packet 0 9 0", ""},
    {"tod resolution=1 count=2\nframe 0\n" SET "light 0 rgb 1 2 3", ""},
    /* Nothing says that this is a TOD: no packet sets anything. */
    {"tod resolution=1 count=2\nframe 0\npacket 1 9 0\nend", ""},
    /* The longest asset has room for 1048575 frames. */
    {"tod resolution=1 count=1048575\nframe 0\n" SET, ""},
    {"tod resolution=1 count=1048576\nframe 0\n" SET, "TOD0007 number of frames at 4: 1"},
    /* Bits that are never set, beside bits that are not touched. */
    {"tod resolution=1\nframe 0\nattr 2 0 0 flag=1", "TOD0047 flag at 18: 0"},
    {"tod resolution=1\nframe 0\nlight 1 rgb 1 2 3 flag=12", "TOD0048 flag at 18: 70"},
    {"tod resolution=1\nframe 0\nattr 1 0 0x201", "TOD0071 attribute value at 25: 0"},
    {"tod resolution=1\nframe 0\nmodel 1 0x10002", "TOD0090 model id word at 22: 0"},
};

Test(tod_repair, what_is_certain_is_mended_and_nothing_else)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        forge_tod tod = bench_build(cases[i].text);
        const fh_status status = repair(tod.out.data, tod.out.len);
        cr_expect(status == FH_OK, "case %zu: %s", i, fh_status_name(status));
        cr_expect(strcmp(told, cases[i].edits) == 0, "case %zu: %s", i, told);
        forge_tod_free(&tod);
    }
}

/* No asset is longer: nothing is looked at. */
Test(tod_repair, bytes_beyond_the_longest_asset_are_left)
{
    const size_t size = FH_MAX_ASSET_LEN + 1;
    uint8_t *bytes = calloc(1, size);
    HOLD(bytes != NULL, "the test is out of memory");
    forge_tod tod =
        bench_build("tod resolution=1\nframe 0\n" SET "frame 1 size=5\n" SET "frame 2\n" SET);
    memcpy(bytes, tod.out.data, tod.out.len);
    HOLD(repair(bytes, size - 1) == FH_OK, "it may be a file");
    cr_expect(strcmp(told, "TOD0025 frame size at 24: 4") == 0, "%s", told);
    HOLD(repair(bytes, size) == FH_OK, "it is none");
    cr_expect(strcmp(told, "") == 0, "%s", told);
    forge_tod_free(&tod);
    free(bytes);
}

/* With less work than there is to do it says so, or tells what it tells with enough of it. */
static void hold_every_budget(const char *text, const char *edits)
{
    forge_tod tod = bench_build(text);
    HOLD(repair(tod.out.data, tod.out.len) == FH_OK && strcmp(told, edits) == 0, "%s", told);
    const uint64_t whole = spent;
    HOLD(whole > 0, "nothing is looked at");
    for (uint64_t work = 0; work <= whole; work++) {
        const fh_status status = repair_with(tod.out.data, tod.out.len, work);
        HOLD(status == (work < whole ? FH_LIMIT : FH_OK), "%d of %d units: %s", (int)work,
             (int)whole, fh_status_name(status));
        HOLD(status == FH_LIMIT || strcmp(told, edits) == 0, "%d units: %s", (int)work, told);
    }
    forge_tod_free(&tod);
}

Test(tod_repair, every_budget)
{
    hold_every_budget("tod resolution=1\nframe 0 size=5\n" SET, "TOD0022 frame size at 8: 4");
    hold_every_budget("tod resolution=1\nframe 4\n" SET "frame 9\n" SET "frame 6\n" SET,
                      "TOD0026 frame number at 28: 5");
    hold_every_budget("tod resolution=1\nframe 0\ncut to 8", ""); /* frames are looked for */
}
