/* What the tests of TRA4 share: texts from the forge's language, verified and played, and pairs of
 * an animation and its model.
 */
#ifndef TESTS_FORMATS_TRA_BENCH_H
#define TESTS_FORMATS_TRA_BENCH_H

#include "bench.h"

extern const fh_verify_options alone; /* a whole file */

/* The text that a description makes. The caller frees it. */
forge_buf build(const char *text);

/* Verifies a description; the bytes stay with the caller, for the model leads into them. */
forge_buf verify(bench *b, const char *text);

/* Verifies it and replays all of it. */
forge_buf play(bench *b, const char *text);

/* A column of a bone's row. */
double real_at(const bench *b, int64_t bone, uint32_t frame, const char *column);

void hold_near(double got, double want, double most, const char *what);

/* What verify tells of a text. */
typedef struct tra_case {
    const char *text;
    const char *codes;            /* without notes of channels that end early (TRA0075) */
    const char *found, *expected; /* of the last of them; NULL: not looked at */
    int64_t frame;                /* likewise, where found is looked at */
} tra_case;

void hold_cases(const tra_case *cases, size_t num, fh_verify_options options);

/* ---- an animation and its model ---- */

#define HIP_AND_LEG "tra\nmagic\nhead\nfigure 2\nbone \"hip\"\nbone \"leg\"\n"
#define BAC "bac\nmagic\nhead\nfigure\n"

/* Both verified; the bytes stay, for the model of verify leads into them. */
typedef struct pair {
    bench b;
    forge_buf tra;
    uint8_t *bac; /* of just its size */
    fh_cursor companion;
} pair;

/* The model as bytes, or as a description. */
void pair_open(pair *p, const char *tra, const void *bac, size_t len);
void pair_forge(pair *p, const char *tra, const char *bac);
void pair_close(pair *p);

/* Opens a pair of descriptions; returns what verify told of it. */
const char *codes_of(pair *p, const char *tra, const char *bac);

#endif
