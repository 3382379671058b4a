#include "hmd/hmd_build.h"
#include "hmd/hmd_motion.h"
#include "hmd/hmd_sort.h"

enum { FIRST_CELLS = 0x0f, SECOND_CELLS = 0x30, NUM_CELLS = 6, NO_SAVED_KEY = 0xffff };

/* ---- what is written --------------------------------------------------------------------------
 */

static void judge_unit(const hmd_motion *motion, const hmd_played *played)
{
    const hmd_model *model = motion->check->model;
    if (played->effects.parts != 0 && played->update != HMD_NONE &&
        hmd_unit_at(model, played->update) == HMD_NONE) {
        hmd_tell(motion->check, HMD0226, "update index", played->sequence.off,
                 fh_dec_after("word ", played->update, ""),
                 fh_dec_after("one of ", model->num_units, " coordinate units"));
    }
}

/* The number of primitive headers, their sizes and pointers are the library's; plain numbers may be
 * data. */
static const char *header_field(const hmd_model *model, uint32_t word)
{
    uint32_t low = 0;
    uint32_t high = model->num_headers;
    while (low < high) { /* the first header behind the word */
        const uint32_t middle = low + (high - low) / 2;
        if (model->headers[middle].off <= word) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return "the number of primitive headers at word ";
    }
    if (model->headers[low - 1].off == word) {
        return "the size of a primitive header at word ";
    }
    const hmd_arg arg = hmd_arg_of(model, low - 1, word - model->headers[low - 1].off - 1);
    return arg.is_pointer ? "a pointer of a primitive header at word " : NULL;
}

static const char *coordinate_field(const hmd_model *model, uint32_t word)
{
    if (word == model->coordinates) {
        return "the number of coordinates at word ";
    }
    return (word - model->coordinates - 1) % HMD_UNIT_WORDS == HMD_SUPER_WORD
               ? "the parent of a coordinate at word "
               : NULL;
}

/* What the library relies on. NULL for data, which may be animated. */
static const char *relied_on(const hmd_model *model, uint32_t word)
{
    static const char *const names[HMD_NUM_OWNERS] = {
        [HMD_OWNER_FRONT] = "the file header at word ",
        [HMD_OWNER_PRIMITIVE] = "a primitive or its records at word ",
        [HMD_OWNER_TABLE] = "the interpolation table at word ",
        [HMD_OWNER_CONTROL] = "a descriptor at word ",
        [HMD_OWNER_WORK] = "a spline work area at word ",
    };
    if (word >= model->end) {
        return NULL;
    }
    if (model->owner[word] == HMD_OWNER_COORDINATE) {
        return coordinate_field(model, word);
    }
    if (model->owner[word] == HMD_OWNER_HEADER) {
        return header_field(model, word);
    }
    return names[model->owner[word]];
}

static void judge_cells(const hmd_motion *motion, const hmd_played *played)
{
    const uint8_t cells = played->effects.cells;
    for (uint32_t i = 0; i < 2 && played->update != HMD_NONE; i++) {
        const uint32_t word = played->update + i;
        const char *name = relied_on(motion->check->model, word);
        if ((cells & (i == 0 ? FIRST_CELLS : SECOND_CELLS)) != 0 && name != NULL) {
            hmd_tell(motion->check, HMD0227, "update index", played->sequence.off,
                     fh_dec_after(name, word, ""), fh_words("data"));
        }
    }
}

/* ---- what several write -----------------------------------------------------------------------
 */

/* Ranges of bytes as numbers: the first byte, the length, the sequence. */
enum { LEN_SHIFT = 16, FIRST_SHIFT = 32, MOST_RANGES = 3 };

typedef struct ranges {
    uint64_t *list;
    uint32_t num;
} ranges;

static void add_range(ranges *to, uint64_t first, uint64_t len, uint32_t sequence)
{
    to->list[to->num++] = first << FIRST_SHIFT | len << LEN_SHIFT | sequence;
}

static void add_unit(ranges *to, const hmd_played *played, uint32_t sequence)
{
    const uint64_t unit = (uint64_t)played->update * HMD_WORD_LEN;
    const uint8_t parts = played->effects.parts;
    if ((parts >> HMD_PART_TRANSLATION & 1) != 0) {
        add_range(to, unit + HMD_UNIT_TRANSLATION, 12, sequence);
    }
    if ((parts >> HMD_PART_ROTATION & 1) != 0) {
        add_range(to, unit + HMD_UNIT_ROTATION, 6, sequence);
    }
    if ((parts & (1u << HMD_PART_ROTATION | 1u << HMD_PART_SCALE)) != 0) {
        add_range(to, unit + HMD_UNIT_MATRIX, 18, sequence);
    }
}

static void add_cells(ranges *to, const hmd_played *played, uint32_t sequence)
{
    const uint64_t first = (uint64_t)played->update * HMD_WORD_LEN;
    for (unsigned i = 0; i < NUM_CELLS;) {
        unsigned len = 0;
        while (i + len < NUM_CELLS && (played->effects.cells >> (i + len) & 1) != 0) {
            len++;
        }
        if (len > 0) {
            add_range(to, first + i, len, sequence);
        }
        i += len + 1;
    }
}

/* A sequence is told once, with one of the others. */
static void tell_shared(const hmd_motion *motion, bool *told, uint32_t a, uint32_t b)
{
    const uint32_t later = a > b ? a : b;
    if (!told[later]) {
        told[later] = true;
        motion->check->sequence = later;
        hmd_tell(motion->check, HMD0228, "update index", motion->sequences[later].sequence.off,
                 fh_dec_after("cells of sequence ", a > b ? b : a, ""),
                 fh_words("cells of its own"));
    }
}

static void compare_ranges(const hmd_motion *motion, const ranges *all, bool *told)
{
    uint64_t furthest = 0; /* end */
    uint32_t whose = HMD_NONE;
    for (uint32_t i = 0; i < all->num && hmd_spend(motion->check, 1); i++) {
        const uint64_t first = all->list[i] >> FIRST_SHIFT;
        const uint64_t end = first + (all->list[i] >> LEN_SHIFT & 0xffff);
        const uint32_t sequence = (uint32_t)(all->list[i] & 0xffff);
        if (whose != HMD_NONE && first < furthest && sequence != whose) {
            tell_shared(motion, told, sequence, whose);
        }
        if (end > furthest) {
            furthest = end;
            whose = sequence;
        }
    }
    motion->check->sequence = HMD_NONE;
}

static void judge_shared(hmd_motion *motion)
{
    hmd_check *check = motion->check;
    ranges all = {0};
    all.list = hmd_table(check, (size_t)motion->num_sequences * 2 * MOST_RANGES, sizeof *all.list);
    bool *told = hmd_table(check, motion->num_sequences, sizeof *told);
    if (all.list == NULL || told == NULL) {
        return;
    }
    for (uint32_t i = 0; i < motion->num_sequences && hmd_spend(check, 4); i++) {
        if (motion->sequences[i].update != HMD_NONE) {
            add_unit(&all, &motion->sequences[i], i);
            add_cells(&all, &motion->sequences[i], i);
        }
    }
    if (hmd_sort(check, all.list, all.num)) {
        compare_ranges(motion, &all, told);
    }
}

/* ---- the key that is saved to -----------------------------------------------------------------
 */

static void judge_saved_key(hmd_motion *motion, const hmd_played *played)
{
    const uint16_t index = played->sequence.srcii;
    const hmd_descriptor key = hmd_animation_descriptor(motion->check, &motion->animation, index);
    const uint32_t len = hmd_motion_key_words(motion, key.type) * (uint32_t)HMD_WORD_LEN;
    const uint32_t word = hmd_motion_at(motion, index);
    if (motion->is_known[key.type] && len < played->effects.saved_len) {
        hmd_tell(motion->check, HMD0270, "key", word, fh_count(len, "byte"),
                 fh_dec_after("at least ", played->effects.saved_len, " bytes"));
    }
    if ((motion->animation.reached[index] & HMD_REACHED_PLAYED) != 0) {
        hmd_tell(motion->check, HMD0271, "key", word, fh_words("a way to it"),
                 fh_words("a key that no sequence plays"));
    }
    motion->check->descriptor = HMD_NONE;
}

static void judge_saving(hmd_motion *motion, const hmd_played *played)
{
    const uint16_t index = played->sequence.srcii;
    const hmd_animation *animation = &motion->animation;
    if (index == NO_SAVED_KEY) {
        return;
    }
    if (index < animation->num_descriptors &&
        hmd_animation_descriptor(motion->check, animation, index).kind == HMD_KEY) {
        judge_saved_key(motion, played);
        return;
    }
    hmd_tell(motion->check, HMD0235, "srcii", played->sequence.off + 3, fh_dec(index, ""),
             fh_dec_after("0xffff or a key below ", animation->num_descriptors, ""));
}

void hmd_check_updates(hmd_motion *motion)
{
    hmd_check *check = motion->check;
    for (uint32_t i = 0; i < motion->num_sequences && hmd_spend(check, 2); i++) {
        check->sequence = i;
        judge_unit(motion, &motion->sequences[i]);
        judge_cells(motion, &motion->sequences[i]);
        judge_saving(motion, &motion->sequences[i]);
    }
    check->sequence = HMD_NONE;
    judge_shared(motion);
}
