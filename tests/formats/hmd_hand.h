/* A model of HMD that a test writes by hand, word by word, for what stands between reading and
 * judging: one primitive with one record and one header, in a file, whose pointers are marked.
 */
#ifndef TESTS_FORMATS_HMD_HAND_H
#define TESTS_FORMATS_HMD_HAND_H

#include "bench.h"
#include "hmd/hmd_model.h"

#include <stddef.h>

enum {
    HAND_WORDS = 1024,
    HAND_BASE = 0x00100000,
    /* Where what is. The words from HAND_DATA on are free. */
    HAND_BLOCKS = 4,
    HAND_COORDINATES = 10,
    HAND_UNIT = 11,
    HAND_UNITS = 3,
    HAND_HEADERS = 71,
    HAND_HEADER = 72,
    HAND_PRIMITIVE = 100,
    HAND_RECORD = 103,
    HAND_DATA = 200
};

/* A pointer of a header. */
#define TO(word) (HMD_MSB | (uint32_t)(word))

typedef struct hand {
    uint8_t bytes[4 * HAND_WORDS];
    hmd_model model;
    hmd_header headers[4];
    hmd_primitive primitives[4];
    hmd_record records[8];
    uint32_t blocks[4];
    fh_budget budget;
    fh_arena arena;
    _Alignas(max_align_t) uint8_t memory[1 << 16];
    hmd_check check;
} hand;

/* A hand is static, for it begins with an arena that nothing was taken from, or with its last one.
 */
void hand_open(hand *h);
void hand_put(hand *h, uint32_t word, uint32_t value);
uint32_t hand_get(const hand *h, uint32_t word);
void hand_put_all(hand *h, uint32_t word, const uint32_t *values, size_t num);

/* The arguments of the header. */
void hand_header(hand *h, const uint32_t *args, uint32_t num);

/* The words of the record behind its type word and its size; size counts the size word, too. */
void hand_record(hand *h, uint32_t size, uint32_t count, const uint32_t *data, size_t num);

/* Turns the file into an image of memory whose word 0 lies at HAND_BASE; pointers are the test's.
 */
void hand_map(hand *h);

/* A file, or an image of memory, without headers, primitives and records; then those one by one. A
 * record is the last primitive's; instead of its type it may have the address of a driver. */
void hand_open_file(hand *h);
void hand_open_image(hand *h);
uint32_t hand_add_header(hand *h, const uint32_t *args, size_t num);
void hand_add_primitive(hand *h, uint32_t off, uint32_t header);
hmd_record *hand_add_record(hand *h, uint32_t type, uint32_t count, const uint32_t *data,
                            size_t num);
hmd_record *hand_add_driver(hand *h, uint32_t driver, uint32_t count, const uint32_t *data,
                            size_t num);

#endif
