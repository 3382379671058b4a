#include "core/never.h"
#include "hmd/hmd_bits.h"
#include "hmd/hmd_checks.h"
#include "hmd/hmd_morph.h"

/* Where one frame's morphing stands. Tables have an element for each word of the asset, unless
 * another number is given; 0 stands for nothing, and what is kept is 1 more than its number. */
typedef struct frame {
    const hmd_bits *changed;
    uint32_t *joints; /* of a difference block: the record that has applied it */
    uint32_t *below;  /* of an applied block: the block applied before it to the same joint */
    uint32_t *top;    /* for each coordinate: the block applied last */
    uint32_t *shapes; /* of a changed word: the record that has told it */
} frame;

/* What is read of a record's block. */
typedef struct part {
    const hmd_morph *morph;
    uint32_t block;
    uint32_t record; /* index and 1 */
} part;

/* ---- joints -----------------------------------------------------------------------------------
 */

static void apply_joint(hmd_check *check, frame *state, const part *what)
{
    const uint32_t unit = hmd_low(hmd_word(check->model, what->block));
    if (unit < check->model->num_units && state->joints[what->block] == 0) {
        state->joints[what->block] = what->record;
        state->below[what->block] = state->top[unit];
        state->top[unit] = what->block + 1;
    }
}

/* Takes a block out of the list that begins at *link; every block is in one list, once. */
static void take_out(hmd_check *check, frame *state, uint32_t *link, uint32_t block)
{
    while (ALWAYS(*link != 0) && *link != block + 1 && hmd_spend(check, 1)) {
        link = &state->below[*link - 1];
    }
    if (*link == block + 1) {
        *link = state->below[block];
    }
}

/* A reset of the other kind does not know the reset area, so it brings nothing back. */
static void reset_joint(hmd_check *check, frame *state, const part *what)
{
    const hmd_model *model = check->model;
    const uint32_t holder = state->joints[what->block];
    const uint32_t unit = hmd_low(hmd_word(model, what->block));
    if (holder == 0 || hmd_morph_of(&model->records[holder - 1])->is_rpy != what->morph->is_rpy) {
        return;
    }
    if (state->top[unit] != what->block + 1) {
        hmd_tell(check, HMD0132, "order of the resets", what->block,
                 fh_dec_after("not the reverse for coordinate ", unit, ""),
                 fh_words("what was applied last, first"));
    }
    take_out(check, state, &state->top[unit], what->block);
    state->joints[what->block] = 0;
}

/* ---- vertices and normals ---------------------------------------------------------------------
 */

static void apply_shape(hmd_check *check, frame *state, const part *what)
{
    const hmd_model *model = check->model;
    const uint32_t head = hmd_word(model, what->block);
    const uint32_t header = hmd_header_of(model, check->record);
    const uint64_t section = hmd_arg_of(model, header, what->morph->differences).off;
    const uint32_t first = what->block + 2 + hmd_high(head);
    for (uint32_t i = 0; i < hmd_low(head) && hmd_spend(check, 1); i++) {
        const uint64_t changed = section + hmd_word(model, first + i);
        if (hmd_bits_has(state->changed, changed)) {
            state->shapes[changed] = what->record;
        }
    }
}

static void reset_shape(hmd_check *check, frame *state, const part *what)
{
    const hmd_model *model = check->model;
    const uint32_t num = hmd_high(hmd_word(model, what->block));
    for (uint32_t i = 0; i < num && hmd_spend(check, 1); i++) {
        const uint32_t changed = what->block + 3 + 3 * i;
        if (changed < model->end) {
            state->shapes[changed] = 0;
        }
    }
}

/* ---- frame ------------------------------------------------------------------------------------
 */

static void play_part(hmd_check *check, frame *state, const part *what)
{
    static void (*const steps[2][2])(hmd_check *, frame *, const part *) = {
        {apply_shape, reset_shape}, {apply_joint, reset_joint}};
    steps[what->morph->is_joint ? 1 : 0][what->morph->is_reset ? 1 : 0](check, state, what);
}

static void play_record(hmd_check *check, frame *state, const hmd_morph *morph)
{
    const hmd_record *record = check->record;
    const hmd_model *model = check->model;
    part what = {.morph = morph, .record = (uint32_t)(record - model->records) + 1};
    for (uint32_t i = 0; i < record->count && i + 1 < record->size && hmd_spend(check, 1); i++) {
        what.block = hmd_morph_block(check, morph, i);
        if (what.block < model->end) {
            play_part(check, state, &what);
        }
    }
}

static void play_primitive(hmd_check *check, frame *state)
{
    const hmd_model *model = check->model;
    for (uint32_t i = 0; i < check->primitive->num_records && hmd_spend(check, 1); i++) {
        check->record = &model->records[check->primitive->first_record + i];
        const hmd_morph *morph = hmd_morph_of(check->record);
        if (morph != NULL) {
            play_record(check, state, morph);
        }
    }
    check->record = NULL;
}

/* The run-time calls the blocks in their order, and each block's chain to its end. */
static void play_frame(hmd_check *check, frame *state)
{
    const hmd_model *model = check->model;
    for (uint32_t b = 0; b < model->num_blocks && hmd_spend(check, 1); b++) {
        check->block = b;
        for (uint32_t i = model->blocks[b]; i != HMD_NONE && hmd_spend(check, 1);
             i = model->primitives[i].next) {
            check->primitive = &model->primitives[i];
            play_primitive(check, state);
        }
    }
    hmd_clear_place(check);
}

/* What is still applied at the end was not taken back. Once for each record. */
static void tell_rest(hmd_check *check, const frame *state)
{
    hmd_model *model = check->model;
    hmd_bits told = hmd_bits_make(check, model->num_records);
    for (uint32_t at = 0; at < model->end && hmd_spend(check, 1); at++) {
        const uint32_t holder = state->joints[at] != 0 ? state->joints[at] : state->shapes[at];
        if (holder != 0 && hmd_bits_add(&told, holder - 1)) {
            check->record = &model->records[holder - 1];
            check->primitive = &model->primitives[check->record->primitive];
            check->block = check->primitive->block;
            hmd_tell(check, HMD0132,
                     state->joints[at] != 0 ? "reset of the joint" : "reset of the elements", at,
                     fh_words("not later in the frame"), fh_words("later in the frame"));
        }
    }
    hmd_clear_place(check);
}

/* Nothing can be said of a frame if its chains are broken, or if a record whose type is not known
 * may be the reset that is missed. */
static bool is_known(hmd_check *check)
{
    const hmd_model *model = check->model;
    bool known = !check->is_faulty;
    for (uint32_t i = 0; i < model->num_records && hmd_spend(check, 1); i++) {
        known = known && !hmd_is_unknown(model, &model->records[i]);
    }
    return known;
}

void hmd_check_resets(hmd_check *check, const hmd_bits *changed)
{
    const uint32_t end = check->model->end;
    if (!is_known(check) || check->stopped) {
        return;
    }
    frame state = {.changed = changed,
                   .joints = hmd_table(check, end, sizeof *state.joints),
                   .below = hmd_table(check, end, sizeof *state.below),
                   .top = hmd_table(check, check->model->num_units, sizeof *state.top),
                   .shapes = hmd_table(check, end, sizeof *state.shapes)};
    if (!check->no_memory) {
        play_frame(check, &state);
        tell_rest(check, &state);
    }
}
