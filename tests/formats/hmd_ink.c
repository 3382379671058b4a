#include "hmd_ink.h"

#include <string.h>

hmd_starts no_starts(uint32_t *bits)
{
    memset(bits, 0, HAND_WORDS / 8);
    return (hmd_starts){.bits = bits, .num_words = HAND_WORDS, .beyond = HMD_MOST_WORDS};
}

void ink_open(ink *k)
{
    hand_open(&k->hand);
    k->hand.primitives[0].header = 0;
    memset(k->users, 0, sizeof k->users);
    k->in = (hmd_inference){.check = &k->hand.check,
                            .left = BENCH_BUDGET,
                            .known = no_starts(k->known),
                            .vertices = no_starts(k->vertices),
                            .normals = no_starts(k->normals),
                            .users = k->users};
}

hmd_fit fit_of(ink *k, uint32_t type)
{
    const hmd_shape shape = hmd_infer_shape(&k->in, &k->hand.records[0]);
    for (size_t i = 0; i < hmd_num_kinds; i++) {
        if (hmd_kinds[i].type == type) {
            const hmd_fit fit = hmd_kinds[i].fit(&k->in, &shape, type);
            k->hand.check.record = NULL;
            return fit;
        }
    }
    cr_fatal("type 0x%08x is not tried", type);
}

void hold_changes(ink *k, uint32_t type, const change *changes, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        const uint32_t own = hand_get(&k->hand, changes[i].word);
        hand_put(&k->hand, changes[i].word, changes[i].value);
        const hmd_fit fit = fit_of(k, type);
        cr_expect(fit == changes[i].fit, "0x%08x: %zu: word %u as 0x%x fits %d", type, i,
                  changes[i].word, changes[i].value, (int)fit);
        hand_put(&k->hand, changes[i].word, own);
    }
}
