/* What records of memory images are taken for: the types of morphing, as in test_hmd_infer.c. */
#include "hmd_ink.h"

#include <string.h>

static const uint32_t morphs[] = {0x04010010, 0x04010011, 0x04010018, 0x04010019,
                                  0x04010020, 0x04010021, 0x04010028, 0x04010029};

/* The headers of the four kinds, each with what its block may be. */
static void put_morph_header(ink *k, uint32_t type)
{
    switch (type & 0xfe) {
    case 0x10:
        HEADER(k, TO(HAND_COORDINATES), TO(700), 2, 7, TO(HAND_DATA));
        return;
    case 0x18:
        HEADER(k, TO(HAND_COORDINATES), 7, TO(HAND_DATA));
        return;
    case 0x20:
        HEADER(k, TO(700), 2, 7, TO(HAND_DATA), TO(720), TO(740), TO(760));
        return;
    default:
        HEADER(k, 7, TO(HAND_DATA), TO(720), TO(740), TO(760));
    }
}

/* What each argument of a morph is: the coordinates, the weights (or none), a number, a section. */
Test(hmd_infer_morph, headers_of_morphs)
{
    static const char *const kinds[] = {"Cw##P", "C#P", "w##PPPP", "#PPPP"};
    for (size_t i = 0; i < NUM(morphs); i++) {
        static ink k;
        const uint32_t type = morphs[i];
        const char *const kind = kinds[i / 2];
        const uint32_t num = (uint32_t)strlen(kind);
        ink_open(&k);
        put_morph_header(&k, type);
        RECORD(&k, 2, 1, 0);
        cr_assert(eq(u32, k.hand.headers[0].num_words, num));
        cr_expect(fit_of(&k, type) != HMD_FIT_NOT, "0x%08x", type);
        for (uint32_t a = 0; a < num; a++) {
            static const uint32_t values[] = {0, 5, TO(800), TO(HAND_COORDINATES)};
            static const struct {
                char kind;
                bool is_fit[4]; /* of each value */
            } rows[] = {{'C', {false, false, false, true}},
                        {'w', {true, false, true, false}},
                        {'#', {true, true, false, false}},
                        {'P', {false, false, true, false}}};
            for (size_t v = 0; v < NUM(values); v++) {
                const uint32_t own = hand_get(&k.hand, ARG + a);
                hand_put(&k.hand, ARG + a, values[v]);
                const bool is_fit = fit_of(&k, type) != HMD_FIT_NOT;
                const size_t r = (size_t)(strchr("Cw#P", kind[a]) - "Cw#P");
                cr_expect(is_fit == rows[r].is_fit[v], "0x%08x: argument %u is 0x%x", type, a,
                          values[v]);
                hand_put(&k.hand, ARG + a, own);
            }
        }
        for (uint32_t n = num - 1; n <= num + 1; n += 2) {
            hand_put(&k.hand, ARG + num, TO(800));
            k.hand.headers[0].num_words = n;
            cr_expect(eq(i32, fit_of(&k, type), HMD_FIT_NOT), "0x%08x: %u arguments", type, n);
        }
    }
}

/* No block begins behind the last word that an asset can have: such a record has not been cut off,
 * and no bytes are waited for. */
Test(hmd_infer_morph, blocks_of_morphs_behind_the_largest_asset)
{
    for (size_t i = 0; i < NUM(morphs); i++) {
        static ink k;
        ink_open(&k);
        put_morph_header(&k, morphs[i]);
        RECORD(&k, 2, 1, HMD_MOST_WORDS - HAND_DATA);
        cr_expect(eq(i32, fit_of(&k, morphs[i]), HMD_FIT_NOT), "0x%08x", morphs[i]);
        cr_expect(not(k.in.is_cut), "0x%08x", morphs[i]);
    }
}

Test(hmd_infer_morph, records_of_morphs)
{
    for (size_t i = 0; i < NUM(morphs); i++) {
        static ink k;
        ink_open(&k);
        put_morph_header(&k, morphs[i]);
        RECORD(&k, 3, 2, 0, 100);
        cr_expect(fit_of(&k, morphs[i]) != HMD_FIT_NOT);
        RECORD(&k, 3, 1, 0, 100);
        cr_expect(eq(i32, fit_of(&k, morphs[i]), HMD_FIT_NOT));
        RECORD(&k, 3, 3, 0, 100);
        cr_expect(eq(i32, fit_of(&k, morphs[i]), HMD_FIT_NOT));
        RECORD(&k, 1, 0, 0, 100);
        cr_expect(eq(i32, fit_of(&k, morphs[i]), HMD_FIT_NOT));
        /* A block behind all that an asset has; the last one spoils those before it. */
        RECORD(&k, 3, 2, 0, HMD_MOST_WORDS - HAND_DATA);
        cr_expect(eq(i32, fit_of(&k, morphs[i]), HMD_FIT_NOT));
    }
}

/* The block of a joint: its coordinate, a difference for each flag, and a reset area, which is five
 * words for angles and eight for axes. What follows tells them apart. */
Test(hmd_infer_morph, blocks_of_joints)
{
    static const uint32_t types[] = {0x04010010, 0x04010011, 0x04010018, 0x04010019};
    for (size_t i = 0; i < NUM(types); i++) {
        static ink k;
        ink_open(&k);
        const uint32_t len = 2 + 2 * 5 + ((types[i] & 1) != 0 ? 5 : 8);
        put_morph_header(&k, types[i]);
        RECORD(&k, 2, 1, 0);
        PUT(&k, HAND_DATA, 2 << 16 | 1, 0x80000001);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_EXACT));
        CHANGES(&k, types[i], {HAND_DATA, 2 << 16 | (HAND_UNITS - 1), HMD_FIT_EXACT},
                {HAND_DATA, 2 << 16 | HAND_UNITS, HMD_FIT_NOT}, {HAND_DATA, 1 << 16, HMD_FIT_NOT},
                {HAND_DATA, 3 << 16, HMD_FIT_NOT}, {HAND_DATA + 1, 1, HMD_FIT_NOT},
                {HAND_DATA + 1, 0x80000003, HMD_FIT_NOT}, {HAND_DATA + 1, 6, HMD_FIT_EXACT});
        hmd_infer_mark(&k.in.known, HAND_DATA + len + 1);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_LOOSE));
        hmd_infer_mark(&k.in.known, HAND_DATA + len);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_EXACT));
        hmd_infer_mark(&k.in.known, HAND_DATA + len - 1);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_NOT));
    }
}

/* Differences of vertices or normals lie as far behind their block as its entries say: from which
 * element on, and in the upper half of the next word how many. */
Test(hmd_infer_morph, blocks_of_differences)
{
    static const uint32_t types[] = {0x04010020, 0x04010021};
    for (size_t i = 0; i < NUM(types); i++) {
        static ink k;
        ink_open(&k);
        const uint32_t section = i == 0 ? 740 : 760;
        const uint32_t room = (HMD_MOST_WORDS - section) / 2;
        put_morph_header(&k, types[i]);
        RECORD(&k, 2, 1, 50);
        enum { BLOCK = HAND_DATA + 50, FIRST = BLOCK + 30, LAST = BLOCK + 40 };
        PUT(&k, BLOCK, 2 << 16, 0x00010010, FIRST - BLOCK, LAST - BLOCK);
        PUT(&k, FIRST, 3, 4 << 16);
        PUT(&k, LAST, 5, 6 << 16);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_LOOSE));
        CHANGES(&k, types[i], {BLOCK, 1 << 16, HMD_FIT_NOT}, {BLOCK, 3 << 16, HMD_FIT_NOT},
                {BLOCK + 1, 1, HMD_FIT_NOT}, {FIRST, room - 4, HMD_FIT_LOOSE},
                {FIRST, room - 3, HMD_FIT_NOT}, {LAST, room - 6, HMD_FIT_LOOSE},
                {LAST, room - 5, HMD_FIT_NOT}, {LAST, 0xffffffff, HMD_FIT_NOT},
                {BLOCK + 2, HMD_MOST_WORDS - BLOCK - 2, HMD_FIT_LOOSE},
                {BLOCK + 2, HMD_MOST_WORDS - BLOCK - 1, HMD_FIT_NOT},
                {BLOCK + 3, HMD_MOST_WORDS - BLOCK - 2, HMD_FIT_LOOSE},
                {BLOCK + 3, HMD_MOST_WORDS - BLOCK - 1, HMD_FIT_NOT});
        /* Three words a difference, and how many of them decides where the elements end. */
        hand_put(&k.hand, LAST, room - 6);
        CHANGES(&k, types[i], {LAST + 1, 5 << 16 | 0xffff, HMD_FIT_LOOSE},
                {LAST + 1, 7 << 16, HMD_FIT_NOT});
    }
}

/* Resets: how many there are, then three words each: from which element on, where the originals
 * are, and in the upper half of the last word how many. */
Test(hmd_infer_morph, blocks_of_resets)
{
    static const uint32_t types[] = {0x04010028, 0x04010029};
    for (size_t i = 0; i < NUM(types); i++) {
        static ink k;
        ink_open(&k);
        const uint32_t section = i == 0 ? 740 : 760;
        const uint32_t room = (HMD_MOST_WORDS - section) / 2;
        put_morph_header(&k, types[i]);
        RECORD(&k, 2, 1, 50);
        enum { BLOCK = HAND_DATA + 50 };
        PUT(&k, BLOCK, 2 << 16, 3, 0, 4 << 16, 5, 0, 6 << 16);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_LOOSE));
        CHANGES(&k, types[i], {BLOCK, 2 << 16 | 1, HMD_FIT_NOT},
                {BLOCK + 1, room - 4, HMD_FIT_LOOSE}, {BLOCK + 1, room - 3, HMD_FIT_NOT},
                {BLOCK + 4, room - 6, HMD_FIT_LOOSE}, {BLOCK + 4, room - 5, HMD_FIT_NOT},
                {BLOCK + 2, 0xffffffff, HMD_FIT_LOOSE}, {BLOCK + 5, 0xffffffff, HMD_FIT_LOOSE},
                {BLOCK + 1, 0xffffffff, HMD_FIT_NOT}, {BLOCK, 1 << 16, HMD_FIT_LOOSE});
        hand_put(&k.hand, BLOCK + 1, room - 4);
        CHANGES(&k, types[i], {BLOCK + 3, 4 << 16 | 0xffff, HMD_FIT_LOOSE},
                {BLOCK + 3, 5 << 16, HMD_FIT_NOT});
        hand_put(&k.hand, BLOCK + 1, 3);
        hand_put(&k.hand, BLOCK + 4, room - 6);
        CHANGES(&k, types[i], {BLOCK + 6, 7 << 16, HMD_FIT_NOT},
                {BLOCK + 6, 6 << 16 | 0xffff, HMD_FIT_LOOSE}, {BLOCK, 1 << 16, HMD_FIT_LOOSE});
        /* The last reset may be the last of the bytes. */
        k.in.is_cut = false;
        RECORD(&k, 2, 1, HAND_WORDS - 4 - HAND_DATA);
        PUT(&k, HAND_WORDS - 4, 1 << 16, 3, 0, 4 << 16);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_LOOSE));
        cr_expect(k.in.is_cut == false);
        hand_put(&k.hand, HAND_WORDS - 4, 2 << 16);
        cr_expect(eq(i32, fit_of(&k, types[i]), HMD_FIT_LOOSE));
        cr_expect(k.in.is_cut);
    }
}

/* Where blocks of any kind begin, something begins: that ends what lies before them. */
Test(hmd_infer_morph, blocks_are_known_starts)
{
    for (size_t i = 0; i < NUM(morphs); i++) {
        static ink k;
        ink_open(&k);
        put_morph_header(&k, morphs[i]);
        RECORD(&k, 4, 3, 5, 33, 70);
        const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
        hmd_infer_mark_blocks(&k.in, &shape);
        cr_expect(k.hand.check.record == NULL);
        static const uint32_t offs[] = {5, 33, 70};
        uint32_t at = 0;
        for (size_t n = 0; n < NUM(offs); n++) {
            at = hmd_infer_next(&k.in, at);
            cr_expect(eq(u32, at, HAND_DATA + offs[n]), "0x%08x", morphs[i]);
        }
        cr_expect(eq(u32, hmd_infer_next(&k.in, at), HMD_MOST_WORDS));
        k.in.known = no_starts(k.known);
        RECORD(&k, 4, 2, 5, 33, 70);
        hmd_infer_mark_blocks(&k.in, &(hmd_shape){.record = &k.hand.records[0],
                                                  .num_args = shape.num_args,
                                                  .pointers = shape.pointers,
                                                  .sections = shape.sections,
                                                  .zeros = shape.zeros});
        cr_expect(eq(u32, hmd_infer_next(&k.in, 0), HMD_MOST_WORDS));
    }
}
