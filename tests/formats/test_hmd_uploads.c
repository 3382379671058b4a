/* Images and colour tables that are put over others in video memory: held against the rectangles
 * themselves.
 */
#include "hmd_edges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 1024, HEIGHT = 512, MOST = 6, NUM_RANDOM = 400 };

typedef struct rectangle {
    unsigned x, y, w, h;
    unsigned data; /* index of its pixels */
} rectangle;

static bool overlap(const rectangle *a, const rectangle *b)
{
    return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

static bool is_same(const rectangle *a, const rectangle *b)
{
    return a->x == b->x && a->y == b->y && a->w == b->w && a->h == b->h && a->data == b->data;
}

/* The first before it that shares a pixel with it, unless both are one upload; NULL: none. */
static const rectangle *first_under(const rectangle *all, unsigned i)
{
    for (unsigned k = 0; k < i; k++) {
        if (overlap(&all[k], &all[i]) && !is_same(&all[k], &all[i])) {
            return &all[k];
        }
    }
    return NULL;
}

static forge_buf open(run *out, const rectangle *all, unsigned num)
{
    char text[1024];
    int len = snprintf(text, sizeof text,
                       "hmd\nblocks @load 0 0\ncoords: coordinates\nunit\nheaders\n"
                       "bitmaps: header !images 0\nload: primitive header=@bitmaps\n"
                       "record 0x02000000");
    for (unsigned i = 0; i < num; i++) {
        len += snprintf(text + len, sizeof text - (size_t)len, " %u:%u %u:%u %u", all[i].x,
                        all[i].y, all[i].w, all[i].h, all[i].data);
    }
    (void)snprintf(text + len, sizeof text - (size_t)len, "\nimages: zero 16384\n");
    forge_buf file = build(text);
    do_run(out, &file, BENCH_BUDGET, BENCH_ARENA);
    return file;
}

static const fh_finding *next_finding(const record *told, size_t *at)
{
    while (*at < told->num_findings) {
        const fh_finding *is = &told->findings[(*at)++];
        if (strcmp(is->rule->code, "HMD0115") == 0) {
            return is;
        }
    }
    return NULL;
}

static void hold_said(const char *is, const char *before, const rectangle *of)
{
    char wanted[128];
    (void)snprintf(wanted, sizeof wanted, "%s%u x %u at %u, %u", before, of->w, of->h, of->x,
                   of->y);
    HOLD(strcmp(is, wanted) == 0, "%s, not %s", is, wanted);
}

static void hold(const rectangle *all, unsigned num)
{
    run got;
    size_t at = 0;
    forge_buf file = open(&got, all, num);
    for (unsigned i = 0; i < num; i++) {
        const rectangle *under = first_under(all, i);
        if (under != NULL) {
            const fh_finding *is = next_finding(&got.told, &at);
            HOLD(is != NULL, "%u x %u at %u, %u is over another", all[i].w, all[i].h, all[i].x,
                 all[i].y);
            hold_said(is->found, "", &all[i]);
            hold_said(is->expected, "apart from ", under);
        }
    }
    HOLD(next_finding(&got.told, &at) == NULL, "more than there are");
    record_free(&got.told);
    forge_buf_free(&file);
}

/* At the edges of 32 pixels, of lines and of the video memory. */
static const rectangle by_hand[][2] = {
    {{0, 0, 32, 1, 0}, {32, 0, 32, 1, 0}},        {{0, 0, 33, 2, 0}, {32, 0, 32, 1, 0}},
    {{0, 7, 32, 1, 0}, {31, 7, 2, 2, 0}},         {{32, 9, 1, 2, 0}, {32, 9, 2, 1, 0}},
    {{63, 9, 1, 2, 0}, {62, 9, 2, 1, 0}},         {{0, 100, 64, 2, 0}, {0, 102, 64, 2, 0}},
    {{0, 100, 64, 2, 0}, {0, 101, 64, 2, 0}},     {{0, 100, 64, 2, 0}, {64, 100, 64, 2, 0}},
    {{1022, 511, 2, 1, 0}, {1023, 510, 1, 2, 0}}, {{1022, 300, 2, 1, 0}, {0, 301, 2, 1, 0}},
    {{0, 300, 1024, 1, 0}, {0, 299, 1024, 2, 0}}, {{640, 8, 16, 4, 0}, {640, 8, 16, 4, 0}},
    {{640, 8, 16, 4, 0}, {640, 8, 16, 4, 2}},     {{640, 8, 16, 4, 0}, {640, 8, 16, 2, 0}},
    {{640, 8, 16, 4, 0}, {640, 8, 18, 4, 0}},     {{640, 8, 16, 4, 0}, {640, 9, 16, 4, 0}},
    {{640, 8, 16, 4, 0}, {642, 8, 16, 4, 0}},     {{640, 8, 96, 2, 0}, {700, 9, 2, 1, 0}},
    {{640, 8, 2, 2, 0}, {600, 8, 200, 2, 0}},     {{10, 10, 4, 4, 0}, {10, 20, 4, 4, 0}},
    {{10, 20, 4, 4, 0}, {10, 10, 4, 4, 0}},       {{20, 10, 4, 4, 0}, {10, 10, 4, 4, 0}},
};

Test(hmd_uploads, by_hand)
{
    block = malloc(BENCH_ARENA);
    for (size_t i = 0; i < sizeof by_hand / sizeof by_hand[0]; i++) {
        hold(by_hand[i], 2);
    }
    free(block);
}

/* Small ones close together, so that about every other one is over another. */
Test(hmd_uploads, at_random)
{
    dice d = {11};
    block = malloc(BENCH_ARENA);
    for (unsigned n = 0; n < NUM_RANDOM; n++) {
        rectangle all[MOST];
        const unsigned x = dice_below(&d, WIDTH - 100);
        const unsigned y = dice_below(&d, HEIGHT - 14);
        for (unsigned i = 0; i < MOST; i++) {
            all[i] =
                (rectangle){x + dice_below(&d, 60), y + dice_below(&d, 10), 1 + dice_below(&d, 40),
                            1 + dice_below(&d, 4), 4 * dice_below(&d, 2)};
            if (i > 0 && dice_below(&d, 8) == 0) {
                all[i] = all[i - 1];
            }
        }
        hold(all, MOST);
    }
    free(block);
}
