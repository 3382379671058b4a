#include "hmd/hmd_mime.h"
#include "hmd/hmd_morph.h"
#include "hmd/hmd_show.h"

#include "fixed/fixed.h"

#define ONE 4096.0

/* Numbers of weights that lie in no word of the asset: those that the program gives to the MIMe of
 * one id. */
#define PROGRAM_WEIGHT 0x80000000u

enum { COST_OF_DELTA = 16 };

typedef struct morph {
    hmd_show *show;
    const hmd_morph *kind;
    uint32_t weights; /* word, HMD_NONE: the program gives them */
    uint32_t num_keys;
    uint32_t id;
    uint32_t elements; /* section */
} morph;

static uint32_t arg_of(const hmd_show *show, uint8_t arg)
{
    return hmd_arg_of(&show->model, hmd_header_of(&show->model, show->check.record), arg).raw;
}

static uint32_t weight_of(const morph *of, uint32_t key)
{
    return of->weights != HMD_NONE ? of->weights + key
                                   : PROGRAM_WEIGHT | (of->id & 0xffff) << 8 | key;
}

static void tell_weights(const morph *of)
{
    const fh_scene_sink *out = of->show->out;
    for (uint32_t key = 0; key < of->num_keys; key++) {
        const uint32_t word = weight_of(of, key);
        const fh_scene_weight weight = {
            word, key,
            of->weights == HMD_NONE ? 0.0 : (double)hmd_s16(&of->show->model, word, 0) / ONE};
        out->weight(out->user, &weight);
    }
}

/* Difference data: first element, a count in an upper half, vectors. */
static void tell_data(const morph *of, uint32_t key, uint64_t data)
{
    hmd_show *show = of->show;
    const hmd_model *model = &show->model;
    if (!hmd_has(model, data, 2)) {
        hmd_say(show, HMD_REMARK_CUT);
        return;
    }
    const uint32_t at = (uint32_t)data;
    const uint32_t num = hmd_high(hmd_word(model, at + 1));
    const uint64_t first = (uint64_t)of->elements + 2 * (uint64_t)hmd_word(model, at);
    if (!hmd_has(model, data + 2, 2 * (uint64_t)num) || !hmd_has(model, first, 2 * (uint64_t)num)) {
        hmd_say(show, HMD_REMARK_CUT);
        return;
    }
    for (uint32_t i = 0; i < num && hmd_spend(&show->check, COST_OF_DELTA); i++) {
        const uint32_t word = at + 2 + 2 * i;
        fh_scene_delta delta = {.weight = weight_of(of, key),
                                .number = (uint32_t)first + 2 * i,
                                .is_normal = of->kind->is_normal};
        for (unsigned k = 0; k < 3; k++) {
            const double by = (double)hmd_s16(model, word + k / 2, k % 2);
            delta.by[k] = of->kind->is_normal ? by / ONE : by;
        }
        show->out->delta(show->out->user, &delta);
    }
}

/* The differences of a block belong to the keys whose bits are set, one after the other. */
static void tell_block(const morph *of, uint32_t block)
{
    hmd_show *show = of->show;
    const hmd_model *model = &show->model;
    if (block == HMD_NONE || !hmd_has(model, block, 2)) {
        hmd_say(show, HMD_REMARK_CUT);
        return;
    }
    const uint32_t num = hmd_high(hmd_word(model, block));
    const uint32_t flags = hmd_word(model, block + 1);
    uint32_t taken = 0;
    for (uint32_t key = 0; key < of->num_keys && taken < num; key++) {
        if ((flags >> key & 1) == 0) {
            continue;
        }
        const uint32_t at = block + 2 + taken++;
        if (!hmd_has(model, at, 1)) {
            hmd_say(show, HMD_REMARK_CUT);
            return;
        }
        tell_data(of, key, (uint64_t)block + hmd_word(model, at));
    }
}

static void tell_morph(morph *of)
{
    hmd_show *show = of->show;
    const hmd_record *record = show->check.record;
    const uint32_t header = hmd_header_of(&show->model, record);
    const hmd_arg elements = hmd_arg_of(&show->model, header, of->kind->elements);
    of->elements = elements.off;
    of->id = arg_of(show, of->kind->id);
    if (of->num_keys > HMD_MIME_MAX_KEYS || elements.off == HMD_NONE ||
        (of->weights != HMD_NONE && !hmd_has(&show->model, of->weights, of->num_keys))) {
        hmd_say(show, HMD_REMARK_CUT);
        return;
    }
    hmd_say(show, HMD_REMARK_MORPH);
    tell_weights(of);
    for (uint32_t i = 0; i < record->count && i + 1 < record->size && hmd_spend(&show->check, 1);
         i++) {
        tell_block(of, hmd_morph_block(&show->check, of->kind, i));
    }
}

void hmd_show_morph(hmd_show *show)
{
    const hmd_morph *kind = hmd_morph_of(show->check.record);
    if (kind == NULL || kind->is_reset) {
        return;
    }
    const uint32_t header = hmd_header_of(&show->model, show->check.record);
    const hmd_arg weights = hmd_arg_of(&show->model, header, kind->weights);
    morph of = {.show = show,
                .kind = kind,
                .weights = weights.is_pointer ? weights.off : HMD_NONE,
                .num_keys = arg_of(show, kind->num_weights)};
    if (of.weights == HMD_NONE) {
        hmd_say(show, HMD_REMARK_PROGRAM);
    }
    if (kind->is_joint && !kind->is_rpy) {
        hmd_say(show, HMD_REMARK_AXES);
    }
    if (!kind->is_joint) {
        tell_morph(&of);
    }
}
