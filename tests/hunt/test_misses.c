/* The heap of near misses against sorting all of them. */
#include "hunt/misses.h"
#include "registry/registry.h"

#include "field.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 300, KEPT = FH_MAX_FINDINGS_PER_RULE };

static uint32_t next_number(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static fh_miss miss_of(const char *format, uint32_t bits, uint32_t frames, int64_t raw_off)
{
    const fh_format *of = fh_format_find(format);
    return (fh_miss){.format = of,
                     .raw_off = raw_off,
                     .probe = {.verdict = FH_REJECT,
                               .rule = &of->rules[1],
                               .frames = frames,
                               .evidence_bits = bits,
                               .reject_off = 0x20}};
}

static int compare(const void *a, const void *b)
{
    return fh_miss_is_deeper(a, b) ? -1 : fh_miss_is_deeper(b, a) ? 1 : 0;
}

static bool is_same(const fh_miss *a, const fh_miss *b)
{
    return a->format == b->format && a->raw_off == b->raw_off &&
           a->probe.evidence_bits == b->probe.evidence_bits && a->probe.frames == b->probe.frames;
}

Test(misses, order)
{
    const fh_miss deep[] = {miss_of("tod", 9, 0, 90), miss_of("tod", 8, 2, 80),
                            miss_of("tod", 8, 1, 10), miss_of("hmd", 8, 1, 20),
                            miss_of("tod", 8, 1, 20)};
    for (size_t i = 0; i < 5; i++) {
        for (size_t k = 0; k < 5; k++) {
            HOLD(fh_miss_is_deeper(&deep[i], &deep[k]) == (i < k), "%zu and %zu", i, k);
        }
    }
}

/* Any number in any order: what is kept are the deepest, in order, whatever came first. */
Test(misses, the_deepest_are_kept)
{
    static fh_miss all[MOST], sorted[MOST];
    uint32_t state = 7;
    for (size_t num = 0; num <= MOST; num = num < 45 ? num + 1 : num + 51) {
        for (size_t i = 0; i < num; i++) {
            all[i] = miss_of(i % 2 ? "tod" : "hmd", next_number(&state) % 40,
                             next_number(&state) % 3, (int64_t)i / 2);
        }
        memcpy(sorted, all, num * sizeof *all);
        qsort(sorted, num, sizeof *sorted, compare);
        for (int turn = 0; turn < 3; turn++) {
            fh_misses misses = {.num = 0};
            for (size_t i = 0; i < num; i++) {
                fh_misses_add(&misses, turn == 0   ? &all[i]
                                       : turn == 1 ? &all[num - 1 - i]
                                                   : &sorted[num - 1 - i]);
            }
            fh_misses_sort(&misses);
            HOLD(misses.num == (int64_t)num, "number");
            HOLD(misses.num_kept == (num < KEPT ? num : KEPT), "kept of %zu", num);
            for (size_t i = 0; i < misses.num_kept; i++) {
                HOLD(is_same(&misses.kept[i], &sorted[i]), "%zu of %zu, turn %d", i, num, turn);
            }
        }
    }
}

Test(misses, finding)
{
    fh_miss miss = miss_of("tod", 56, 1, 64);
    fh_finding finding = fh_miss_finding(&miss);
    HOLD(strcmp(finding.rule->code, "RUN0006") == 0 && strcmp(finding.field, "tod") == 0, "rule");
    HOLD(strcmp(finding.found, "1 sound frame, 56 bits, then TOD0002 at +0x20") == 0, "%s",
         finding.found);
    miss.probe.frames = 8;
    miss.probe.has_more_frames = true;
    miss.is_cut = true;
    miss.seam = (fh_seam){.reason = FH_SEAM_JUMP, .lba = 30};
    finding = fh_miss_finding(&miss);
    HOLD(strcmp(finding.rule->code, "IMG0072") == 0, "cut");
    HOLD(strcmp(finding.found, "at least 8 sound frames, 56 bits, then TOD0002 at +0x20, cut by "
                               "missing sectors before LBA 30") == 0,
         "%s", finding.found);
    miss = miss_of("hmd", 135, 0, 0);
    finding = fh_miss_finding(&miss);
    HOLD(strcmp(finding.found, "a sound beginning, 135 bits, then HMD0002 at +0x20") == 0, "%s",
         finding.found);
}
