/* MIMe in an HMD, to the weight and difference: what keys and blocks of differences say, worked out
 * anew.
 */
#include "hmd_look.h"

#include <stdio.h>

static const char morph_front[] =
    "hmd\nblocks @swell 0 0\ncoords: coordinates\nunit\nheaders\n"
    "by_vertex: header %s 3 0x1234:0 !shapes !originals !vertices !normals\n"
    "by_normal: header %s 3 0x0234:0 !shapes !originals !vertices !normals\n"
    "swell: primitive header=@by_vertex next=@shade\nrecord 0x04010020 %s\n"
    "shade: primitive header=@by_normal\nrecord 0x04010021 %s\n"
    "originals: zero 32\n"
    "weights: word 0xffff0800 4096 -2048\n"
    "normals:\nvec 0 0 4096\nvec 0 4096 0\nvec 4096 0 0\n";

static void describe_morph(const char *weights, const char *vertex, const char *normal,
                           const char *rest)
{
    static writer text;
    const int len =
        snprintf(text.text, sizeof text.text, morph_front, weights, weights, vertex, normal);
    text.len = (size_t)len;
    add(&text, rest);
    describe_text(text.text);
}

typedef struct difference {
    unsigned key;
    bool is_normal;
    unsigned number;
    double by[3];
} difference;

static void hold_differences(const difference *wanted, size_t num, const uint32_t weights[2],
                             const uint32_t places[2])
{
    cr_assert(eq(sz, all.num_deltas, num));
    for (size_t i = 0; i < num; i++) {
        const fh_scene_delta *is = &all.deltas[i];
        const difference *of = &wanted[i];
        cr_assert(eq(u32, is->weight, weights[of->is_normal] + of->key), "difference %zu", i);
        cr_assert(eq(int, is->is_normal, of->is_normal), "difference %zu", i);
        cr_assert(eq(u32, is->number, places[of->is_normal] + 2 * of->number));
        for (unsigned k = 0; k < 3; k++) {
            cr_assert(eq(dbl, is->by[k], of->by[k]), "difference %zu", i);
        }
    }
}

/* The last vector of a difference is the end of the file, and so is the last vertex it is for. */
Test(hmd_look_morph, morphing)
{
    static const char rest[] = "shapes:\nlight: shape\ndiff 2 (light2-light)\n"
                               "light2: deltas 1\nvec 4096 -1024 0\nvec 0 0 2048\n"
                               "bulge: shape\ndiff 0 (bulge0-bulge)\ndiff 2 (bulge2-bulge)\n"
                               "bulge0: deltas 0\nvec 1 -20 30\nvec 10 -10 0\n"
                               "dent: shape\ndiff 1 (bulge2-dent)\n"
                               "vertices:\nvec 1 1 1\nvec 2 2 2\nvec 3 3 3\n"
                               "bulge2: deltas 1\nvec -5 5 6\nvec 7 8 -32768\n";
    static const difference wanted[] = {{0, false, 0, {1, -20, 30}}, {0, false, 1, {10, -10, 0}},
                                        {2, false, 1, {-5, 5, 6}},   {2, false, 2, {7, 8, -32768}},
                                        {1, false, 1, {-5, 5, 6}},   {1, false, 2, {7, 8, -32768}},
                                        {2, true, 1, {1, -0.25, 0}}, {2, true, 2, {0, 0, 0.5}}};
    static const double values[] = {0.5, 1, -0.5}; /* the lower half, 4096 = 1 */
    for (int is_given = 0; is_given < 2; is_given++) {
        describe_morph(is_given ? "0" : "!weights", "(bulge-shapes) (dent-shapes)",
                       "(light-shapes)", rest);
        const uint32_t vertices = all.deltas[0].number;
        const uint32_t normals = all.deltas[6].number - 2;
        const uint32_t places[2] = {vertices, normals};
        const uint32_t in_file = places[1] - 3; /* right in front of the normals */
        const uint32_t weights[2] = {is_given ? 0x80123400 : in_file,
                                     is_given ? 0x80023400 : in_file};
        cr_assert(eq(sz, all.num_weights, 6));
        for (unsigned i = 0; i < 6; i++) {
            cr_assert(eq(u32, all.weights[i].id, weights[i / 3] + i % 3));
            cr_assert(eq(u32, all.weights[i].key, i % 3));
            cr_assert(eq(dbl, all.weights[i].value, is_given ? 0 : values[i % 3]));
        }
        hold_differences(wanted, sizeof wanted / sizeof wanted[0], weights, places);
        cr_assert(eq(int, is_said("program"), is_given));
        cr_assert(not(is_said("past the end")));
    }
    forget();
}

/* What has no difference may be the last thing in the file: a block, and the data of a key. Bits
 * of keys that there are not, and more bits than differences, add none. */
Test(hmd_look_morph, morphing_ends)
{
    static const struct {
        const char *rest;
        size_t num;
    } cases[] = {
        {"bulge: shape n=0 flags=0\n", 0},
        {"bulge: shape\ndiff 0 (none-bulge)\nnone: deltas 0 count=0\n", 0},
        {"bulge: shape\ndiff 0 1\n", 0}, /* its flags, taken for data, have no vector */
        {"bulge: shape flags=8\ndiff 0 (one-bulge)\none: deltas 0\nvec 1 2 3\n", 0},
        {"bulge: shape flags=12\ndiff 0 (one-bulge)\none: deltas 0\nvec 1 2 3\n", 1},
        {"bulge: shape flags=7\ndiff 0 (one-bulge)\none: deltas 0\nvec 1 2 3\n", 1},
        {"bulge: shape flags=4\ndiff 0 (one-bulge)\none: deltas 0\nvec 1 2 3\n", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char rest[512];
        (void)snprintf(rest, sizeof rest, "vertices:\nvec 1 1 1\nvec 2 2 2\nshapes:\n%s",
                       cases[i].rest);
        describe_morph("!weights", "(bulge-shapes)", "", rest);
        cr_assert(eq(sz, all.num_deltas, cases[i].num), "case %zu", i);
        cr_assert(not(is_said("past the end")), "case %zu", i);
    }
    forget();
}

/* The last vertices are the end of the file, and all of them have a difference. */
Test(hmd_look_morph, morphing_of_the_last)
{
    describe_morph("!weights", "(bulge-shapes)", "",
                   "shapes:\nbulge: shape\ndiff 0 (one-bulge)\none: deltas 0 count=2\nvec 1 2 3\n"
                   "vec 4 5 6\nvertices:\nvec 1 1 1\nvec 2 2 2\n");
    cr_assert(eq(sz, all.num_deltas, 2));
    cr_assert(not(is_said("past the end")));
    forget();
}

/* A record that has fewer blocks than it counts. */
Test(hmd_look_morph, morphing_of_fewer)
{
    describe_morph("!weights", "(bulge-shapes) count=3", "",
                   "shapes:\nbulge: shape\ndiff 0 (one-bulge)\none: deltas 0 count=1\nvec 1 2 3\n"
                   "vertices:\nvec 1 1 1\n");
    cr_assert(eq(sz, all.num_deltas, 1));
    cr_assert(not(is_said("past the end")));
    forget();
}

/* And one that has more: they are not its own. */
Test(hmd_look_morph, morphing_of_more)
{
    describe_morph("!weights", "(bulge-shapes) (bulge-shapes) count=1", "",
                   "shapes:\nbulge: shape\ndiff 0 (one-bulge)\none: deltas 0 count=1\nvec 1 2 3\n"
                   "vertices:\nvec 1 1 1\n");
    cr_assert(eq(sz, all.num_deltas, 1));
    forget();
}

/* As many keys as there are bits for them. */
Test(hmd_look_morph, morphing_by_32_keys)
{
    describe_text("hmd\nblocks @swell 0 0\ncoords: coordinates\nunit\nheaders\n"
                  "by_vertex: header !weights 32 1:0 !shapes !originals !vertices !vertices\n"
                  "swell: primitive header=@by_vertex\nrecord 0x04010020 (bulge-shapes)\n"
                  "originals: zero 8\nweights:\nrepeat 32\nword $\nendrepeat\n"
                  "shapes:\nbulge: shape\ndiff 31 (last-bulge)\nlast: deltas 0 count=1\nvec 1 2 3\n"
                  "vertices:\nvec 1 1 1\n");
    cr_assert(eq(sz, all.num_weights, 32));
    cr_assert(eq(sz, all.num_deltas, 1));
    cr_assert(eq(u32, all.deltas[0].weight, all.weights[31].id));
    cr_assert(not(is_said("past the end")));
    forget();
}
