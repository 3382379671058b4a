#include "hmd/hmd_repair.h"

#include "hmd/hmd.h"
#include "hmd/hmd_rules.h"

/* The library looks at bit 31 while it maps the file, and at the state of the player while it
 * plays: where these are wrong the motion is. The rest has no use. */
const fh_mend hmd_mends[HMD_NUM_MENDS] = {
    {&hmd_rules[HMD0026], false}, {&hmd_rules[HMD0054], true},  {&hmd_rules[HMD0057], false},
    {&hmd_rules[HMD0062], true},  {&hmd_rules[HMD0104], false}, {&hmd_rules[HMD0128], true},
    {&hmd_rules[HMD0133], false}, {&hmd_rules[HMD0200], true},  {&hmd_rules[HMD0211], true},
    {&hmd_rules[HMD0231], true},
};

#define HIGH_HALF 0xffff0000u
#define LOW_HALF 0x0000ffffu
#define ALL_BITS 0xffffffffu
#define BIT_31 0x80000000u

static const fh_bit_mend bits[] = {
    /* Fields that the run time computes before it reads them, and pads: 0 in a file. */
    {&hmd_rules[HMD0026], "flg", ALL_BITS, 0, false},
    {&hmd_rules[HMD0026], "workm", ALL_BITS, 0, false},
    {&hmd_rules[HMD0026], "pad of the matrix", HIGH_HALF, 0, false},
    {&hmd_rules[HMD0026], "pad of rot", HIGH_HALF, 0, false},
    /* A file that says it is not mapped (else these rules do not apply) has bit 31 set in all three
     * places, and mapping clears it. */
    {&hmd_rules[HMD0054], NULL, 0, BIT_31, false},
    {&hmd_rules[HMD0062], NULL, 0, BIT_31, false},
    {&hmd_rules[HMD0211], NULL, 0, BIT_31, false},
    /* The scan ignores these bits; the number of records is the lower half alone. */
    {&hmd_rules[HMD0057], NULL, 0x7fff0000u, 0, false},
    /* A pre-calculation has its numbers in its data; the upper half has no use but bit 31. */
    {&hmd_rules[HMD0104], NULL, 0x7fff0000u, 0, false},
    /* Written by the run time when it saves what it changes. */
    {&hmd_rules[HMD0128], "changed", LOW_HALF, 0, false},
    {&hmd_rules[HMD0128], "changed of a joint", HIGH_HALF, 0, false},
    /* Reserved halves. */
    {&hmd_rules[HMD0133], "word of MIMEID", HIGH_HALF, 0, false},
    {&hmd_rules[HMD0133], "word of the count", LOW_HALF, 0, false},
    {&hmd_rules[HMD0133], "head of a reset block", LOW_HALF, 0, false},
    /* The header section counts the words of each header a second time. */
    {&hmd_rules[HMD0200], NULL, ALL_BITS, 0, true},
    /* State of the player, which starts with 0. */
    {&hmd_rules[HMD0231], "ii", LOW_HALF, 0, false},
    {&hmd_rules[HMD0231], "aframe", HIGH_HALF, 0, false},
    {&hmd_rules[HMD0231], "sid", 0x000000ffu, 0, false},
    {&hmd_rules[HMD0231], "tframe", HIGH_HALF, 0, false},
    {&hmd_rules[HMD0231], "ci", LOW_HALF, 0, false},
    {&hmd_rules[HMD0231], "ti", HIGH_HALF, 0, false},
    {&hmd_rules[HMD0231], "traveling", 0xff000000u, 0, false},
};

fh_status hmd_repair(const fh_env *env, const fh_edit_sink *out, fh_cursor bytes,
                     const fh_verify_options *options)
{
    const fh_status status = fh_repair_bits(&fh_hmd_format, env, out, bytes, options, bits,
                                            sizeof bits / sizeof bits[0]);
    return status == FH_LIMIT || status == FH_NO_MEMORY ? status : FH_OK;
}
