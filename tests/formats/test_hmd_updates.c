/* What the sequences of an animation write: which bytes of a coordinate or of the data belong to
 * two of them, and which words are none that may be written to.
 */
#include "hmd_edges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Types that a sequence plays one after the other, 0 for none, and the word that it writes to:
 * section 4 begins with the count of the coordinates, 5 with data. */
typedef struct writes {
    uint32_t types[2];
    unsigned section, offset;
} writes;

enum { MOST_WRITERS = 3 };

static const char *describe(const writes *of, unsigned num)
{
    static char text[8192];
    char table[256] = "";
    char control[1024] = "";
    char sequences[512] = "";
    unsigned num_types = 0;
    unsigned num_keys = 0;
    for (unsigned i = 0; i < num; i++) {
        const unsigned start = num_keys;
        (void)snprintf(sequences + strlen(sequences), sizeof sequences - strlen(sequences),
                       "sequence offset=%u section=%u start=%u\n", of[i].offset, of[i].section,
                       start);
        for (unsigned k = 0; k < 2 && of[i].types[k] != 0; k++) {
            (void)snprintf(table + strlen(table), sizeof table - strlen(table), " 0x%08x",
                           of[i].types[k]);
            (void)snprintf(control + strlen(control), sizeof control - strlen(control),
                           "key type=%u tframe=4 param=0\nkey type=%u tframe=4 param=1\n",
                           num_types, num_types);
            num_types++;
            num_keys += 2;
        }
        (void)snprintf(control + strlen(control), sizeof control - strlen(control), "jump to=%u\n",
                       start);
        num_keys++;
    }
    (void)snprintf(text, sizeof text,
                   "hmd\nblocks @dance 0 0\ncoords: coordinates\nunit\nheads: headers\n"
                   "motion: header * !table !control !params !coords !data !heads\n"
                   "header 7 8\nheader 9 !data 10\nheader 11\nheader !data 12 13\n"
                   "dance: primitive header=@motion\nrecord 0x03800000\n%s"
                   "table: table%s\ncontrol:\n%sparams: zero 64\ndata: zero 64\n",
                   sequences, table, control);
    return text;
}

static bool is_told(const record *told, const char *code, const char *said)
{
    for (size_t i = 0; i < told->num_findings; i++) {
        const fh_finding *at = &told->findings[i];
        if (strcmp(at->rule->code, code) == 0 && strcmp(at->found, said) == 0) {
            return true;
        }
    }
    return false;
}

static forge_buf open(run *out, const writes *of, unsigned num)
{
    forge_buf file = build(describe(of, num));
    do_run(out, &file, BENCH_BUDGET, BENCH_ARENA);
    return file;
}

/* Types of coordinates, and of general ones those that write a byte, a half word, a word. */
#define MOVE 0x03000001
#define TURN 0x03000010
#define GROW 0x03000100
#define TURN_AND_MOVE 0x03000011
#define WORD 0x03010110
#define HALF(mask) (0x03010101 | (uint32_t)(mask) << 4)
#define BYTE(mask) (0x03010102 | (uint32_t)(mask) << 4)
#define ONE(type, offset)                                                                          \
    {                                                                                              \
        {(type), 0}, 5, (offset)                                                                   \
    }
#define TWO(a, b, offset)                                                                          \
    {                                                                                              \
        {(a), (b)}, 5, (offset)                                                                    \
    }
/* A coordinate, from the word behind the count on; and words of it by themselves. */
#define UNIT(type)                                                                                 \
    {                                                                                              \
        {(type), 0}, 4, 1                                                                          \
    }
#define IN_UNIT(type, offset)                                                                      \
    {                                                                                              \
        {(type), 0}, 4, 1 + (offset)                                                               \
    }

/* Of a unit: words 1 to 5.5 are the matrix, 6 to 8 the translation, 17 to 18.5 the angles. */
static const struct {
    writes of[2];
    bool is_shared;
} pairs[] = {
    {{UNIT(MOVE), UNIT(MOVE)}, true},
    {{UNIT(MOVE), UNIT(TURN)}, false},
    {{UNIT(MOVE), UNIT(GROW)}, false},
    {{UNIT(TURN), UNIT(GROW)}, true},
    {{UNIT(GROW), UNIT(GROW)}, true},
    {{UNIT(TURN), UNIT(TURN)}, true},
    {{UNIT(MOVE), UNIT(TURN_AND_MOVE)}, true},

    {{UNIT(MOVE), IN_UNIT(BYTE(8), 5)}, false},
    {{UNIT(MOVE), IN_UNIT(BYTE(1), 6)}, true},
    {{UNIT(MOVE), IN_UNIT(BYTE(8), 8)}, true},
    {{UNIT(MOVE), IN_UNIT(BYTE(1), 9)}, false},
    {{UNIT(MOVE), IN_UNIT(WORD, 1)}, false},
    {{UNIT(MOVE), IN_UNIT(WORD, 17)}, false},

    {{UNIT(TURN), IN_UNIT(BYTE(8), 16)}, false},
    {{UNIT(TURN), IN_UNIT(BYTE(1), 17)}, true},
    {{UNIT(TURN), IN_UNIT(BYTE(2), 18)}, true},
    {{UNIT(TURN), IN_UNIT(BYTE(4), 18)}, false},
    {{UNIT(TURN), IN_UNIT(BYTE(8), 0)}, false},
    {{UNIT(TURN), IN_UNIT(BYTE(1), 1)}, true},
    {{UNIT(TURN), IN_UNIT(BYTE(2), 5)}, true},
    {{UNIT(TURN), IN_UNIT(BYTE(4), 5)}, false},
    {{UNIT(TURN), IN_UNIT(WORD, 6)}, false},

    {{UNIT(GROW), IN_UNIT(BYTE(8), 0)}, false},
    {{UNIT(GROW), IN_UNIT(BYTE(1), 1)}, true},
    {{UNIT(GROW), IN_UNIT(BYTE(2), 5)}, true},
    {{UNIT(GROW), IN_UNIT(BYTE(4), 5)}, false},
    {{UNIT(GROW), IN_UNIT(WORD, 6)}, false},
    {{UNIT(GROW), IN_UNIT(WORD, 17)}, false},

    {{ONE(WORD, 2), ONE(WORD, 2)}, true},
    {{ONE(WORD, 2), ONE(WORD, 3)}, false},
    {{ONE(WORD, 3), ONE(WORD, 2)}, false},
    {{ONE(HALF(1), 2), ONE(HALF(2), 2)}, false},
    {{ONE(HALF(2), 2), ONE(HALF(2), 2)}, true},
    {{ONE(HALF(4), 2), ONE(BYTE(8), 2)}, false},
    {{ONE(HALF(4), 2), ONE(BYTE(1), 3)}, true},
    {{ONE(HALF(4), 2), ONE(BYTE(2), 3)}, true},
    {{ONE(HALF(4), 2), ONE(BYTE(4), 3)}, false},
    {{ONE(HALF(7), 2), ONE(BYTE(2), 3)}, true},
    {{ONE(HALF(7), 2), ONE(BYTE(4), 3)}, false},
    {{ONE(BYTE(1), 2), ONE(BYTE(1), 2)}, true},
    {{ONE(BYTE(1), 2), ONE(BYTE(2), 2)}, false},
    {{ONE(BYTE(7), 2), ONE(BYTE(4), 2)}, true},
    {{ONE(BYTE(7), 2), ONE(BYTE(8), 2)}, false},
    {{TWO(BYTE(1), BYTE(4), 2), ONE(BYTE(1), 2)}, true},
    {{TWO(BYTE(1), BYTE(4), 2), ONE(BYTE(2), 2)}, false},
    {{TWO(BYTE(1), BYTE(4), 2), ONE(BYTE(4), 2)}, true},
    {{TWO(BYTE(1), BYTE(4), 2), ONE(BYTE(8), 2)}, false},
    {{TWO(BYTE(1), BYTE(8), 2), TWO(BYTE(2), BYTE(4), 2)}, false},
    {{TWO(BYTE(1), HALF(4), 2), ONE(WORD, 3)}, true},
    {{TWO(BYTE(8), HALF(4), 2), TWO(HALF(1), BYTE(4), 2)}, false},
    {{ONE(WORD, 2), {{WORD, 0}, 4, 0}}, false},
};

Test(hmd_updates, cells_of_two)
{
    block = malloc(BENCH_ARENA);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        run got;
        forge_buf file = open(&got, pairs[i].of, 2);
        cr_expect(eq(sz, record_count(&got.told, "HMD0228"), pairs[i].is_shared ? 1 : 0),
                  "pair %zu: %s", i, record_codes(&got.told));
        record_free(&got.told);
        forge_buf_free(&file);
    }
    free(block);
}

/* Of several it is told with the first of those that reach furthest. */
Test(hmd_updates, cells_of_many)
{
    static const struct {
        writes of[MOST_WRITERS];
        const char *said[2];
    } cases[] = {
        {{ONE(WORD, 2), ONE(WORD, 2), ONE(WORD, 2)},
         {"cells of sequence 0", "cells of sequence 0"}},
        {{ONE(BYTE(1), 2), ONE(WORD, 2), ONE(BYTE(8), 2)},
         {"cells of sequence 0", "cells of sequence 1"}},
        {{ONE(BYTE(8), 2), ONE(BYTE(1), 2), ONE(WORD, 2)}, {"cells of sequence 1", NULL}},
    };
    block = malloc(BENCH_ARENA);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run got;
        size_t num = 0;
        forge_buf file = open(&got, cases[i].of, MOST_WRITERS);
        for (size_t k = 0; k < got.told.num_findings; k++) {
            const fh_finding *at = &got.told.findings[k];
            if (strcmp(at->rule->code, "HMD0228") == 0) {
                cr_assert(num < 2 && cases[i].said[num] != NULL);
                cr_expect(eq(str, (char *)at->found, (char *)cases[i].said[num]), "case %zu", i);
                num++;
            }
        }
        cr_expect(eq(sz, num, cases[i].said[1] == NULL ? 1 : 2), "case %zu: %zu", i, num);
        record_free(&got.told);
        forge_buf_free(&file);
    }
    free(block);
}

/* From the number of headers on; plain numbers may be data. */
static const char *const headers_said[] = {"the number of primitive headers at word ",
                                           "the size of a primitive header at word ",
                                           NULL,
                                           "a pointer of a primitive header at word ",
                                           "a pointer of a primitive header at word ",
                                           "a pointer of a primitive header at word ",
                                           "a pointer of a primitive header at word ",
                                           "a pointer of a primitive header at word ",
                                           "a pointer of a primitive header at word ",
                                           "the size of a primitive header at word ",
                                           NULL,
                                           NULL,
                                           "the size of a primitive header at word ",
                                           NULL,
                                           "a pointer of a primitive header at word ",
                                           NULL,
                                           "the size of a primitive header at word ",
                                           NULL,
                                           "the size of a primitive header at word ",
                                           "a pointer of a primitive header at word ",
                                           NULL,
                                           NULL,
                                           "a primitive or its records at word "};
enum { NUM_HEADER_WORDS = sizeof headers_said / sizeof headers_said[0] };

/* What is written there: of a word the first of two, of a third half word the second. */
static void hold_written(uint32_t type, unsigned behind)
{
    for (unsigned i = 0; i < NUM_HEADER_WORDS; i++) {
        const writes of = {{type, 0}, 6, i - behind};
        run got;
        char said[128] = "";
        if (i < behind) {
            continue;
        }
        forge_buf file = open(&got, &of, 1);
        /* The front has 7 words, the count of the coordinates and one of them 21. */
        (void)snprintf(said, sizeof said, "%s%u", headers_said[i] != NULL ? headers_said[i] : "",
                       7 + 21 + i);
        cr_expect(eq(sz, record_count(&got.told, "HMD0227"), headers_said[i] != NULL ? 1 : 0),
                  "word %u", i);
        cr_expect(eq(int, is_told(&got.told, "HMD0227", said), headers_said[i] != NULL),
                  "word %u: %s", i, said);
        record_free(&got.told);
        forge_buf_free(&file);
    }
}

Test(hmd_updates, words_that_are_no_data)
{
    block = malloc(BENCH_ARENA);
    hold_written(WORD, 0);
    hold_written(BYTE(8), 0);
    hold_written(HALF(4), 1);
    free(block);
}
