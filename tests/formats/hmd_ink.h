/* A record written by hand (hmd_hand.h) and the inference that is asked what its type may be. */
#ifndef TESTS_FORMATS_HMD_INK_H
#define TESTS_FORMATS_HMD_INK_H

#include "hmd_hand.h"

#include "hmd/hmd_infer.h"

typedef struct ink {
    hand hand;
    hmd_inference in;
    uint32_t known[HAND_WORDS / 32], vertices[HAND_WORDS / 32], normals[HAND_WORDS / 32];
    uint32_t users[4];
} ink;

/* No known start. bits has one for each word of a hand. */
hmd_starts no_starts(uint32_t *bits);

/* An ink is static, as a hand is. */
void ink_open(ink *k);

/* How the record fits a type; the check is left without a record, as the caller does. */
hmd_fit fit_of(ink *k, uint32_t type);

/* A sound record with one word changed, and how the type fits then. */
typedef struct change {
    uint32_t word, value;
    hmd_fit fit;
} change;

void hold_changes(ink *k, uint32_t type, const change *changes, size_t num);

#define NUM(array) (sizeof(array) / sizeof((array)[0]))
#define HEADER(k, ...)                                                                             \
    hand_header(&(k)->hand, (const uint32_t[]){__VA_ARGS__}, NUM(((const uint32_t[]){__VA_ARGS__})))
#define RECORD(k, size, count, ...)                                                                \
    hand_record(&(k)->hand, size, count, (const uint32_t[]){__VA_ARGS__},                          \
                NUM(((const uint32_t[]){__VA_ARGS__})))
#define PUT(k, word, ...)                                                                          \
    hand_put_all(&(k)->hand, word, (const uint32_t[]){__VA_ARGS__},                                \
                 NUM(((const uint32_t[]){__VA_ARGS__})))
#define CHANGES(k, type, ...)                                                                      \
    hold_changes(k, type, (const change[]){__VA_ARGS__}, NUM(((const change[]){__VA_ARGS__})))

#define XY(x, y) ((uint32_t)(y) << 16 | (uint32_t)(x))

/* Words: the first argument of the header, and the first of the record behind its size. */
enum { ARG = HAND_HEADER + 1, DATA = HAND_RECORD + 2 };

#endif
