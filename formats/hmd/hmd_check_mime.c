#include "core/never.h"
#include "hmd/hmd_bits.h"
#include "hmd/hmd_checks.h"
#include "hmd/hmd_morph.h"

enum {
    HEAD_WORDS = 2,    /* of a difference block: numbers, flags */
    ENTRY_WORDS = 3,   /* of a reset block: first element, first original, changed and count */
    CHANGED_ENTRY = 2, /* word of an entry */
    CHANGED_RPY = 1,   /* words of a reset area; changed is in the upper half */
    CHANGED_AXES = 4,
    HAS_ROTATION = 1, /* bits of dtp */
    HAS_TRANSLATION = 2
};

/* First words of what was looked at, by what it was looked at as: a header serves many records, a
 * block MIMe and its reset, and each is judged once. */
typedef struct mime {
    hmd_bits headers, joints, shapes, resets, data;
    hmd_bits changed; /* words of reset entries that tell of a change */
} mime;

typedef void (*block_visit)(hmd_check *check, mime *state, const hmd_morph *morph, uint32_t block);

/* Calls visit for every block of the record that begins inside the bytes. */
static void for_each_block(hmd_check *check, mime *state, const hmd_morph *morph, block_visit visit)
{
    const hmd_record *record = check->record;
    for (uint32_t i = 0; i < record->count && i + 1 < record->size && hmd_spend(check, 1); i++) {
        const uint32_t block = hmd_morph_block(check, morph, i);
        if (hmd_has(check->model, block, hmd_morph_head(morph))) {
            visit(check, state, morph, block);
        }
    }
}

static hmd_arg arg_of(const hmd_check *check, uint8_t index)
{
    return hmd_arg_of(check->model, hmd_header_of(check->model, check->record), index);
}

/* ---- header -----------------------------------------------------------------------------------
 */

/* Both stand before the identifier, which is there. */
static void check_weights(const hmd_check *check, const hmd_morph *morph)
{
    const hmd_arg weights = arg_of(check, morph->weights);
    const hmd_arg num = arg_of(check, morph->num_weights);
    if (ALWAYS(num.is_there) && num.raw > HMD_MOST_KEYS) {
        hmd_tell(check, HMD0123, "MIMENUM", num.at, fh_dec(num.raw, ""),
                 fh_dec_after("at most ", HMD_MOST_KEYS, ""));
    }
    const bool is_foreign = hmd_is_memory(check->model) && weights.off > check->model->end;
    if (ALWAYS(weights.is_there) && (weights.raw == 0 || is_foreign)) {
        hmd_tell(check, HMD0131, "MIMEPR", weights.at,
                 weights.raw == 0 ? fh_dec(0, "") : fh_hex(weights.raw), fh_nothing());
    }
}

/* Joints are numbered from the section on. What is no pointer, or leads out of the data, is told as
 * such. */
static void check_coordinates(const hmd_check *check, const hmd_morph *morph)
{
    const hmd_model *model = check->model;
    const hmd_arg arg = arg_of(check, morph->coordinates);
    if (arg.is_pointer && arg.off != model->coordinates && arg.off <= model->num_words) {
        hmd_tell(check, HMD0135, "coordinates", arg.at, fh_hex(arg.raw),
                 hmd_is_memory(model) ? fh_words("the address of the coordinates")
                                      : fh_hex(model->coordinates | HMD_MSB));
    }
}

static void check_header(const hmd_check *check, mime *state, const hmd_morph *morph)
{
    const hmd_arg id = arg_of(check, morph->id);
    if (!id.is_there || !hmd_bits_add(&state->headers, id.at)) {
        return;
    }
    if (hmd_high(id.raw) != 0) {
        hmd_tell(check, HMD0133, "word of MIMEID", id.at, fh_hex(id.raw),
                 fh_words("0 in the upper half"));
    }
    if (morph->weights != HMD_NO_ARG) {
        check_weights(check, morph);
    }
    if (morph->is_joint) {
        check_coordinates(check, morph);
    }
}

/* ---- difference blocks ------------------------------------------------------------------------
 */

static uint32_t count_bits(uint32_t word)
{
    uint32_t num = 0;
    for (; word != 0; word &= word - 1) {
        num++;
    }
    return num;
}

static void check_number(const hmd_check *check, uint32_t block)
{
    const uint32_t num = hmd_high(hmd_word(check->model, block));
    const uint32_t flags = hmd_word(check->model, block + 1);
    if (num != count_bits(flags)) {
        hmd_tell(check, HMD0121, "number of differences", block, fh_dec(num, ""),
                 fh_dec(count_bits(flags), ", the bits of dflags"));
    }
}

/* Keys that no weight is for. How many weights there are stands before the pointer to the blocks.
 */
static void check_keys(const hmd_check *check, const hmd_morph *morph, uint32_t block)
{
    const hmd_arg num = arg_of(check, morph->num_weights);
    const uint32_t flags = hmd_word(check->model, block + 1);
    if (ALWAYS(num.is_there) && num.raw < HMD_MOST_KEYS && flags >> num.raw != 0) {
        hmd_tell(check, HMD0124, "dflags", block + 1, fh_hex(flags),
                 fh_dec_after("bits below ", num.raw, ""));
    }
}

static void tell_changed(const hmd_check *check, const char *field, uint32_t at, uint32_t changed)
{
    if (!hmd_is_memory(check->model) && changed != 0) {
        hmd_tell(check, HMD0128, field, at, fh_dec(changed, ""), fh_dec(0, ""));
    }
}

/* ---- joints -----------------------------------------------------------------------------------
 */

static void check_joint_difference(const hmd_check *check, uint32_t at)
{
    const hmd_model *model = check->model;
    const uint32_t dtp = hmd_high(hmd_word(model, at + 1));
    const bool rotates = hmd_word(model, at) != 0 || hmd_low(hmd_word(model, at + 1)) != 0;
    const bool moves =
        (hmd_word(model, at + 2) | hmd_word(model, at + 3) | hmd_word(model, at + 4)) != 0;
    const uint32_t expected = (rotates ? HAS_ROTATION : 0u) | (moves ? HAS_TRANSLATION : 0u);
    if (dtp != expected) {
        hmd_tell(check, HMD0127, "dtp", at + 1, fh_dec(dtp, ""), fh_dec(expected, ""));
    }
}

static void check_joint(hmd_check *check, mime *state, const hmd_morph *morph, uint32_t block)
{
    const hmd_model *model = check->model;
    const uint32_t head = hmd_word(model, block);
    if (!morph->is_reset) {
        check_keys(check, morph, block);
    }
    if (!hmd_bits_add(&state->joints, block)) {
        return;
    }
    check_number(check, block);
    if (hmd_low(head) >= model->num_units) {
        hmd_tell(check, HMD0122, "coordinate number", block, fh_dec(hmd_low(head), ""),
                 fh_dec_after("below ", model->num_units, ""));
    }
    uint32_t at = block + HEAD_WORDS;
    for (uint32_t i = 0;
         i < hmd_high(head) && hmd_has(model, at, HMD_JOINT_DIFF_WORDS) && hmd_spend(check, 1);
         i++) {
        check_joint_difference(check, at);
        at += HMD_JOINT_DIFF_WORDS;
    }
    const uint32_t changed = block + HEAD_WORDS + hmd_high(head) * HMD_JOINT_DIFF_WORDS +
                             (morph->is_rpy ? CHANGED_RPY : CHANGED_AXES);
    tell_changed(check, "changed of a joint", changed, hmd_high(hmd_word(model, changed)));
}

/* ---- vertices and normals ---------------------------------------------------------------------
 */

static void check_data(const hmd_check *check, mime *state, uint32_t block, uint32_t at)
{
    const uint64_t data = (uint64_t)block + hmd_word(check->model, at);
    if (!hmd_has(check->model, data, 2) || !hmd_bits_add(&state->data, data)) {
        return;
    }
    const uint32_t word = hmd_word(check->model, (uint32_t)data + 1);
    if (hmd_low(word) != 0) {
        hmd_tell(check, HMD0133, "word of the count", (uint32_t)data + 1, fh_hex(word),
                 fh_words("0 in the lower half"));
    }
}

static void check_notified(const hmd_check *check, const mime *state, uint32_t section, uint32_t at)
{
    const uint64_t changed = (uint64_t)section + hmd_word(check->model, at);
    if (!hmd_bits_has(&state->changed, changed)) {
        hmd_tell(check, HMD0126, "offset of a changed word", at,
                 fh_dec(hmd_word(check->model, at), ""),
                 fh_words("the changed word of a reset entry"));
    }
}

static void check_shape(hmd_check *check, mime *state, const hmd_morph *morph, uint32_t block)
{
    const hmd_model *model = check->model;
    const uint32_t num_diffs = hmd_high(hmd_word(model, block));
    const uint32_t num = num_diffs + hmd_low(hmd_word(model, block));
    const uint32_t section = arg_of(check, morph->differences).off;
    check_keys(check, morph, block);
    if (!hmd_bits_add(&state->shapes, block)) {
        return;
    }
    check_number(check, block);
    if (num == num_diffs && num > 0) {
        hmd_tell(check, HMD0132, "number of changed words", block, fh_dec(0, ""),
                 fh_words("one for each reset of what is changed"));
    }
    for (uint32_t i = 0; i < num && hmd_spend(check, 1); i++) {
        const uint32_t at = block + HEAD_WORDS + i;
        if (!hmd_has(model, at, 1)) {
            return;
        }
        if (i < num_diffs) {
            check_data(check, state, block, at);
        } else {
            check_notified(check, state, section, at);
        }
    }
}

static void check_reset(hmd_check *check, mime *state, const hmd_morph *morph, uint32_t block)
{
    const uint32_t head = hmd_word(check->model, block);
    (void)morph;
    if (!hmd_bits_add(&state->resets, block)) {
        return;
    }
    if (hmd_low(head) != 0) {
        hmd_tell(check, HMD0133, "head of a reset block", block, fh_hex(head),
                 fh_words("0 in the lower half"));
    }
    for (uint32_t i = 0; i < hmd_high(head) && hmd_spend(check, 1); i++) {
        const uint32_t at = block + 1 + ENTRY_WORDS * i + CHANGED_ENTRY;
        tell_changed(check, "changed", at, hmd_low(hmd_word(check->model, at)));
    }
}

static void mark_reset(hmd_check *check, mime *state, const hmd_morph *morph, uint32_t block)
{
    const uint32_t num = hmd_high(hmd_word(check->model, block));
    (void)morph;
    for (uint32_t i = 0; i < num && hmd_spend(check, 1); i++) {
        (void)hmd_bits_add(&state->changed, block + 1 + ENTRY_WORDS * (uint64_t)i + CHANGED_ENTRY);
    }
}

/* ---- records ----------------------------------------------------------------------------------
 */

static void mark_record(hmd_check *check, void *user)
{
    const hmd_morph *morph = hmd_morph_of(check->record);
    if (morph != NULL && morph->is_reset && !morph->is_joint) {
        for_each_block(check, user, morph, mark_reset);
    }
}

static void check_record(hmd_check *check, void *user)
{
    const hmd_morph *morph = hmd_morph_of(check->record);
    if (morph == NULL) {
        return;
    }
    check_header(check, user, morph);
    for_each_block(check, user, morph,
                   morph->is_joint   ? check_joint
                   : morph->is_reset ? check_reset
                                     : check_shape);
}

static void count_record(hmd_check *check, void *user)
{
    uint32_t *num = user;
    *num += hmd_morph_of(check->record) != NULL ? 1 : 0;
}

void hmd_check_mime(hmd_check *check)
{
    const size_t mark = fh_arena_mark(check->arena);
    uint32_t num = 0;
    hmd_for_each_record(check, count_record, &num);
    if (num > 0 && !check->stopped) {
        const uint32_t end = check->model->end;
        mime state = {.headers = hmd_bits_make(check, end),
                      .joints = hmd_bits_make(check, end),
                      .shapes = hmd_bits_make(check, end),
                      .resets = hmd_bits_make(check, end),
                      .data = hmd_bits_make(check, end),
                      .changed = hmd_bits_make(check, end)};
        hmd_for_each_record(check, mark_record, &state);
        hmd_for_each_record(check, check_record, &state);
        hmd_check_resets(check, &state.changed);
    }
    fh_arena_reset(check->arena, mark);
}
