/* What the mutators share: the change that is being made, its bytes, and the numbers that count. */
#ifndef FUZZ_MUTATE_CHANGE_H
#define FUZZ_MUTATE_CHANGE_H

#include "mutate.h"

enum { WORD_LEN = 4, EACH_WRONG = 4 };

/* What is changed, and what it is changed with. */
typedef struct change {
    const fh_format *format;
    uint8_t *data;
    size_t size;
    size_t max;
    const uint8_t *other;
    size_t other_len;
    uint64_t random;
    fuzz_change told;
} change;

/* A number, little endian, that counts a part: so much of it is the part's. */
typedef struct part_count {
    size_t off;
    size_t len; /* bytes; 0: there is none */
    uint32_t less;
} part_count;
enum { PART_COUNTS = 3 };

/* A number below num, which is not 0. */
size_t below(change *c, size_t num);

/* false, and nothing is changed, where there is no room for it. */
bool put_in(change *c, size_t off, const uint8_t *bytes, size_t len);
void take_out(change *c, size_t off, size_t len);

uint32_t number_at(const uint8_t *at, size_t len);
void put_number(uint8_t *at, size_t len, uint32_t value);

/* count_part changes the numbers that count a part, but now and then one of them, and tells which;
 * moved says where a place will lie when the change is made. false, and nothing is changed, where a
 * number would not be one of its size, or fall below `least`. */
typedef size_t place_after(const void *user, size_t off);
bool count_part(change *c, const part_count *counts, bool is_more, uint32_t least,
                place_after *moved, const void *user);

/* tell_kept says that all numbers which count were kept right. tell_broken, that one was not. */
void tell_kept(change *c);
void tell_broken(change *c, size_t off, size_t len, const void *right, size_t right_len);

typedef bool move(change *c);
bool one_of(change *c, move *const *moves, size_t num);

#endif
