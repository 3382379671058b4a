/* What the analyses of the decoders share: bytes, memory and listeners of which nothing is known.
 *
 * The bytes are an array of the longest asset that is looked for, its content unknown, of which any
 * number is at hand. The arena is one that gives every table a block of its own, so that leaving a
 * table is an alarm even where it would stay in the arena, and that may be full at any time. The
 * sink takes everything and touches nothing.
 */
#ifndef PROOF_HARNESS_H
#define PROOF_HARNESS_H

#include "__fc_builtin.h"
#include "core/format.h"
#include "core/limits.h"

#ifndef PROOF_LEN
#define PROOF_LEN 256
#endif

static uint8_t proof_bytes[PROOF_LEN];

static bool proof_bool(void)
{
    return Frama_C_interval(0, 1) != 0;
}

static fh_cursor proof_cursor(void)
{
    Frama_C_make_unknown((char *)proof_bytes, sizeof proof_bytes);
    const size_t size = Frama_C_size_t_interval(0, sizeof proof_bytes);
    const uint64_t origin = Frama_C_unsigned_long_interval(0, (uint64_t)1 << 40);
    return fh_cursor_make(proof_bytes, size, origin);
}

static fh_budget proof_budget(void)
{
    return (fh_budget){Frama_C_unsigned_long_interval(0, (uint64_t)1 << 40)};
}

static fh_arena proof_arena(void)
{
    return (fh_arena){NULL, FH_ARENA_PER_BYTE * PROOF_LEN + FH_ARENA_FLOOR, 0};
}

static void proof_finding(void *user, const fh_finding *finding)
{
    (void)user;
    (void)finding;
}

static void proof_frame(void *user, const fh_pose_frame *frame)
{
    (void)user;
    (void)frame;
}

static void proof_row(void *user, const fh_pose_row *row)
{
    (void)user;
    (void)row;
}

static fh_sink proof_sink(void)
{
    fh_sink sink = {NULL, proof_finding, proof_frame, proof_row, false};
    sink.tells_all = proof_bool();
    return sink;
}

static fh_verify_options proof_verify_options(void)
{
    return (fh_verify_options){.stand_alone = proof_bool(),
                               .aligned = proof_bool(),
                               .ends_file = proof_bool(),
                               .is_joined = proof_bool()};
}

#endif
