/* The field: sources made in memory, and all that a hunt tells about them. */
#ifndef TESTS_HUNT_FIELD_H
#define TESTS_HUNT_FIELD_H

#include "hunt/hunt.h"
#include "source/tape.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#define HOLD(condition, ...)                                                                       \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            cr_fatal(__VA_ARGS__);                                                                 \
        }                                                                                          \
    } while (0)

typedef struct bytes {
    uint8_t *data;
    size_t len, max;
} bytes;

void put(bytes *to, const void *data, size_t len);
void put_fill(bytes *to, uint8_t value, size_t len);
void put_u32(bytes *to, uint32_t word);
void put_tod(bytes *to, const char *text); /* in the forge's language */
void put_hmd(bytes *to, const char *text); /* the same */
void bytes_free(bytes *of);

typedef struct told_asset {
    int64_t raw, len;
    char grade[16];
    bool has_replay;
} told_asset;

typedef struct told_finding {
    char code[8];
    fh_severity severity;
    int64_t asset; /* index in the list of assets, or FH_UNKNOWN */
    int64_t raw, offset;
    char found[FH_EVIDENCE_LEN];
    char field[40];
} told_finding;

typedef struct field {
    bytes source;
    fh_hunt_options options;
    int64_t fail_at; /* index of the call of the sink that fails, -1 = none */
    int64_t stop_at; /* index of the poll that stops, -1 = none */
    /* Results. */
    fh_hunt_status status;
    fh_hunt_source told;
    told_asset *assets;
    size_t num_assets;
    told_finding *findings;
    size_t num_findings;
    int64_t num_calls, num_late; /* of the sink; of these, after it failed */
    int64_t num_polls;
    _Atomic uint64_t units;           /* of work, in probe, verify and replay */
    uint64_t num_probes, probe_units; /* how often a place was probed, and what of it that took */
    _Atomic uint64_t examined_bytes;  /* given to verify */
} field;

void field_open(field *f); /* looks for TOD */
void field_open_for(field *f, const char *format);
void field_close(field *f);
void field_hunt(field *f);
void field_hunt_path(field *f, const char *path);
void field_hunt_tape(field *f, const fh_tape *tape);
size_t field_count(const field *f, const char *code);
const told_finding *field_find(const field *f, const char *code);

#endif
