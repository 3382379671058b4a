#include "hmd/hmd_animation.h"
#include "hmd/hmd_checks.h"
#include "hmd/hmd_infer.h"
#include "hmd/hmd_packets.h"

#include <assert.h>
#include <string.h>

/* ---- stage ------------------------------------------------------------------------------------
 */

static void check_stage(hmd_check *check)
{
    static const struct {
        hmd_stage stage;
        const char *name, *missing;
    } stages[] = {{HMD_STAGE_MAPPED, "mapped", ""},
                  {HMD_STAGE_SCANNED, "scanned", "records are not all scanned"},
                  {HMD_STAGE_COORDINATES, "coordinates mapped", "supers are no addresses"},
                  {HMD_STAGE_PLAYING, "playing", ""}};
    const hmd_model *model = check->model;
    const unsigned marks = hmd_stage_marks(check);
    if (check->stopped) { /* the marks are not all known */
        return;
    }
    char missing[FH_EVIDENCE_LEN] = "";
    const char *name = "";
    fh_text text = fh_text_make(missing, sizeof missing);
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        name = stages[i].stage == model->stage ? stages[i].name : name;
        if (stages[i].stage < model->stage && (marks >> stages[i].stage & 1) == 0) {
            fh_text_str(fh_text_str(&text, text.len == 0 ? "marks missing: " : ", "),
                        stages[i].missing);
        }
    }
    check->model->in_memory.stage = name;
    memcpy(check->model->in_memory.missing, missing, sizeof missing);
    hmd_tell(check, HMD0172, "stage", 1, fh_words(name), fh_words(missing));
}

/* ---- partly mapped ----------------------------------------------------------------------------
 */

/* What the library changes in all places or in none. */
typedef struct progress {
    uint32_t done, left;
    uint32_t at; /* word of the first that is left */
} progress;

static void count_one(progress *tally, bool is_done, uint32_t at)
{
    tally->done += is_done ? 1 : 0;
    tally->at = !is_done && tally->left == 0 ? at : tally->at;
    tally->left += is_done ? 0 : 1;
}

static void tell_progress(const hmd_check *check, const progress *tally, const char *field)
{
    char found[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(found, sizeof found);
    fh_text_str(fh_text_u64(&text, tally->done), " done, ");
    fh_text_str(fh_text_u64(&text, tally->left), " not");
    hmd_tell(check, HMD0173, field, tally->at, fh_words(found), fh_words("all or none"));
}

static void tell_partly(const hmd_check *check, const progress *tally, const char *field)
{
    if (tally->done > 0 && tally->left > 0) {
        tell_progress(check, tally, field);
    }
}

static void count_pointer(const hmd_model *model, progress *tally, uint32_t at)
{
    const uint32_t raw = hmd_word(model, at);
    if (raw != 0 && raw != HMD_TERM) {
        count_one(tally, !hmd_is_unmapped(model, raw), at);
    }
}

static void check_partly_mapped(hmd_check *check)
{
    const hmd_model *model = check->model;
    progress flags = {0};
    progress pointers = {.done = 1}; /* that of the primitive headers */
    for (uint32_t i = 0; i < model->num_blocks && hmd_spend(check, 1); i++) {
        count_pointer(model, &pointers, HMD_FIXED_WORDS + i);
    }
    for (uint32_t i = 0; i < model->num_primitives && hmd_spend(check, 3); i++) {
        const uint32_t off = model->primitives[i].off;
        count_pointer(model, &pointers, off);
        count_pointer(model, &pointers, off + 1);
        count_one(&flags, (hmd_word(model, off + 2) & HMD_MSB) == 0, off + 2);
    }
    for (uint32_t i = 0; i < model->num_headers; i++) {
        for (uint32_t k = 0; k < model->headers[i].num_words && hmd_spend(check, 1); k++) {
            const hmd_arg arg = hmd_arg_of(model, i, k);
            if (arg.is_pointer) {
                count_one(&pointers, !hmd_is_unmapped(model, arg.raw & ~HMD_MSB), arg.at);
            }
        }
    }
    /* With every flag still there the mapping has not come to the primitives. */
    if (flags.left > 0) {
        tell_progress(check, &flags, "type counts mapped");
    }
    tell_partly(check, &pointers, "pointers mapped");
}

static void check_partly_scanned(hmd_check *check)
{
    const hmd_model *model = check->model;
    progress records = {0};
    progress parents = {0};
    for (uint32_t i = 0; i < model->num_records && hmd_spend(check, 1); i++) {
        const uint32_t at = model->records[i].off + 1;
        count_one(&records, (hmd_word(model, at) & HMD_MSB) == 0, at);
    }
    for (uint32_t i = 0; i < model->num_units && model->has_unit_maps && hmd_spend(check, 1); i++) {
        count_pointer(model, &parents, hmd_unit(model, i) + HMD_SUPER_WORD);
    }
    tell_partly(check, &records, "records scanned");
    tell_partly(check, &parents, "supers mapped");
}

/* ---- pointers ---------------------------------------------------------------------------------
 */

/* The first one is kept for what is said of the memory. */
static void note_outside(hmd_check *check, const char *field, uint32_t at, uint32_t raw)
{
    fh_in_memory *in = &check->model->in_memory;
    if (in->outside == NULL) {
        in->outside = field;
        in->outside_off = (size_t)at * HMD_WORD_LEN;
        in->outside_address = raw;
    }
}

static void check_pointer(hmd_check *check, const char *field, uint32_t at)
{
    const uint32_t raw = hmd_word(check->model, at);
    const uint32_t physical = raw & HMD_PHYSICAL;
    if (physical < HMD_KERNEL_LEN) {
        hmd_tell(check, HMD0171, field, at, fh_hex(raw), fh_words("behind the kernel's 64 KiB"));
    } else if (physical >= HMD_RAM_LEN) {
        note_outside(check, field, at, raw);
        hmd_tell(check, HMD0171, field, at, fh_hex(raw), fh_words("in the 2 or 8 MiB of RAM"));
    }
}

/* Pointers into the asset are where it is; one of them speaks for all. An empty section may begin
 * where the asset ends, even at the end of the RAM. Those that leave it are the program's: roots
 * that hang on a coordinate of its own, weights that it computes. */
static void check_pointers(hmd_check *check)
{
    const hmd_model *model = check->model;
    check_pointer(check, "primitive header pointer", 2);
    for (uint32_t i = 0; i < model->num_units && model->has_unit_maps && hmd_spend(check, 1); i++) {
        const uint32_t at = hmd_unit(model, i) + HMD_SUPER_WORD;
        const uint32_t raw = hmd_word(model, at);
        check->unit = i;
        if (model->parents[i] == HMD_NONE && raw != 0) {
            check_pointer(check, "super", at);
        }
    }
    check->unit = HMD_NONE;
    for (uint32_t i = 0; i < model->num_headers; i++) {
        for (uint32_t k = 0; k < model->headers[i].num_words && hmd_spend(check, 1); k++) {
            const hmd_arg arg = hmd_arg_of(model, i, k);
            if (arg.is_pointer && arg.off > model->end) {
                check_pointer(check, "header pointer", arg.at);
            }
        }
    }
}

static void check_split_header(hmd_check *check)
{
    const hmd_model *model = check->model;
    for (uint32_t i = 0; i < model->num_headers && hmd_spend(check, 1); i++) {
        const hmd_header *header = &model->headers[i];
        if (header->is_split) {
            hmd_tell(check, HMD0175, "size of primitive header", header->off,
                     fh_count((int64_t)header->num_words - 1, "word"),
                     fh_dec_after("", header->num_words, " in the file"));
        }
    }
}

/* ---- types ------------------------------------------------------------------------------------
 */

static const char *const category_names[HMD_NUM_CATEGORIES] = {[HMD_POLYGONS] = "polygons",
                                                               [HMD_SHARED] = "shared polygons",
                                                               [HMD_IMAGES] = "images",
                                                               [HMD_ANIMATION] = "animation",
                                                               [HMD_MIME] = "MIMe",
                                                               [HMD_GROUND] = "ground",
                                                               [HMD_ENVMAP] = "environment map",
                                                               [HMD_DEVICE] = "devices"};

static void put_count(fh_text *text, uint32_t num, const char *what)
{
    if (num > 0) {
        fh_text_str(text, text->len == 0 ? "" : ", ");
        fh_text_u64(text, num);
        fh_text_str(fh_text_str(text, " "), what);
    }
}

static void check_aliases(hmd_check *check)
{
    const hmd_model *model = check->model;
    uint32_t num[HMD_NUM_CATEGORIES] = {0};
    uint32_t num_typed = 0;
    uint32_t num_unknown = 0;
    for (uint32_t i = 0; i < model->num_aliases && hmd_spend(check, 1); i++) {
        const hmd_alias *alias = &model->aliases[i];
        num_typed += alias->type != HMD_NO_TYPE ? 1 : 0;
        if (alias->category < HMD_NUM_CATEGORIES) {
            num[alias->category]++;
        } else {
            num_unknown++;
        }
    }
    char found[FH_EVIDENCE_LEN];
    char expected[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(found, sizeof found);
    fh_text_u64(&text, model->num_aliases);
    fh_text_str(&text, model->num_aliases == 1 ? " address, type inferred of "
                                               : " addresses, types inferred of ");
    fh_text_u64(&text, num_typed);
    text = fh_text_make(expected, sizeof expected);
    for (size_t i = 0; i < HMD_NUM_CATEGORIES; i++) {
        put_count(&text, num[i], category_names[i]);
    }
    put_count(&text, num_unknown, "unknown");
    uint32_t at = HMD_NONE;
    for (uint32_t i = 0; i < model->num_records && at == HMD_NONE && hmd_spend(check, 1); i++) {
        const hmd_record *record = &model->records[i];
        at = hmd_alias_of(model, hmd_word(model, record->off)) != NULL ? record->off : at;
    }
    if (model->num_aliases > 0) {
        hmd_tell(check, HMD0174, "type words", at, fh_words(found), fh_words(expected));
    }
}

/* Functions of an interpolation table: what they are cannot be told from the keys. */
static void check_table(hmd_check *check, const hmd_animation *animation)
{
    const hmd_model *model = check->model;
    uint32_t num = 0;
    for (uint32_t i = 0; i < animation->num_types && hmd_spend(check, 1); i++) {
        const uint32_t word = hmd_word(model, animation->table.off + 1 + i);
        num += hmd_is_driver(model, word) && !hmd_has_driver(word) ? 1 : 0;
    }
    if (num > 0) {
        hmd_tell(check, HMD0174, "interpolation table", animation->table.off + 1,
                 fh_dec(num, num == 1 ? " address" : " addresses"),
                 fh_words("types: without them nothing can be played"));
    }
}

/* Whatever its type is, what a record refers to is not all there. */
static void check_cut(hmd_check *check, void *user)
{
    static const enum hmd_rule rules[HMD_NUM_CATEGORIES] = {
        [HMD_POLYGONS] = HMD0083, [HMD_SHARED] = HMD0083,    [HMD_ENVMAP] = HMD0083,
        [HMD_IMAGES] = HMD0110,   [HMD_ANIMATION] = HMD0205, [HMD_MIME] = HMD0120,
        [HMD_GROUND] = HMD0140,   [HMD_DEVICE] = HMD0155};
    (void)user;
    if (check->record->cut_as != 0) {
        hmd_tell(check, rules[check->record->cut_as - 1], "data of any type that fits",
                 check->record->off, fh_words("past the data"),
                 fh_count(check->model->num_words, "word"));
    }
}

/* ---- run-time values --------------------------------------------------------------------------
 */

typedef struct found_values {
    const char *fields[3];
    uint32_t at;
    unsigned num;
} found_values;

static void add_field(found_values *out, const char *field, uint32_t at)
{
    for (unsigned i = 0; i < out->num; i++) {
        if (out->fields[i] == field) {
            return;
        }
    }
    out->at = out->num == 0 ? at : out->at;
    out->fields[out->num++] = field;
}

/* A key that is come to, whose value starts at a word. */
static bool is_key_at(hmd_check *check, const hmd_animation *animation, uint32_t off)
{
    for (uint32_t i = 0; i < animation->num_descriptors && hmd_spend(check, 1); i++) {
        const hmd_descriptor at = hmd_animation_descriptor(check, animation, i);
        if (animation->reached[i] && at.kind == HMD_KEY &&
            (uint64_t)animation->parameters.off + at.low == off) {
            return true;
        }
    }
    return false;
}

/* A history of zeros is that of a spline that has not begun. */
static bool has_history(const hmd_model *model, uint64_t first)
{
    bool found = false;
    for (uint32_t i = 0; i < HMD_WORK_WORDS && hmd_has(model, first, HMD_WORK_WORDS); i++) {
        found = found || hmd_word(model, (uint32_t)first + i) != 0;
    }
    return found;
}

/* `animation` knows what this sequence comes to: a key of another one has no place in the history.
 */
static void check_history(hmd_check *check, const hmd_animation *animation, uint64_t first,
                          found_values *out)
{
    const hmd_model *model = check->model;
    assert(hmd_has(model, first, HMD_WORK_WORDS)); /* or has_history finds none */
    for (uint32_t i = 0; i < HMD_WORK_WORDS; i++) {
        const uint32_t at = (uint32_t)first + i;
        const uint32_t raw = hmd_word(model, at);
        uint32_t off = HMD_NONE;
        if (raw == 0 || !hmd_spend(check, 1)) {
            continue;
        }
        add_field(out, "spline histories", at);
        if (!hmd_is_address(raw) || !hmd_address(model, raw, &off) ||
            !is_key_at(check, animation, off)) {
            hmd_tell(check, HMD0296, "history entry", at, fh_hex(raw),
                     fh_words("0 or the address of a key of this sequence"));
        }
    }
}

/* The four entries stand where the descriptor at the start of the sequence says. Only splines have
 * them, and those alone begin with a WORK. */
static void check_sequence(hmd_check *check, const hmd_animation *animation,
                           const hmd_sequence *sequence, found_values *out)
{
    if (sequence->ii != 0 || sequence->aframe != 0 || sequence->tframe != 0 || sequence->ci != 0 ||
        sequence->ti != 0 || sequence->traveling != 0) {
        add_field(out, "sequence fields", sequence->off);
    }
    if (sequence->start >= animation->num_descriptors) {
        return;
    }
    const hmd_descriptor work = hmd_animation_descriptor(check, animation, sequence->start);
    const uint64_t first = (uint64_t)animation->parameters.off + work.low;
    if (work.kind == HMD_CONTROL && work.code == HMD_CODE_WORK &&
        has_history(check->model, first)) {
        const size_t mark = fh_arena_mark(check->arena);
        hmd_animation own = *animation;
        if (hmd_animation_reach_playing(check, &own, sequence)) {
            check_history(check, &own, first, out);
        }
        fh_arena_reset(check->arena, mark);
    }
}

static void check_animation(hmd_check *check, void *user)
{
    hmd_animation animation;
    hmd_sequence sequence;
    found_values found = {0};
    uint32_t off = check->record->off + 2;
    uint32_t left = check->record->count;
    (void)user;
    if (check->record->category != HMD_ANIMATION || !hmd_animation_read(check, &animation)) {
        return;
    }
    check_table(check, &animation);
    check->sequence = 0;
    while (hmd_spend(check, HMD_SEQUENCE_WORDS) &&
           hmd_animation_next(check, &off, &left, &sequence)) {
        check_sequence(check, &animation, &sequence, &found);
        check->sequence++;
    }
    check->sequence = HMD_NONE;
    if (found.num > 0) {
        hmd_tell(check, HMD0295, "animation", found.at, fh_words(found.fields[0]),
                 found.num > 1 ? (fh_value){FH_VALUE_TEXT, "and ", 0, found.fields[1]}
                               : fh_nothing());
    }
}

void hmd_check_memory(hmd_check *check)
{
    if (!hmd_is_memory(check->model)) {
        return;
    }
    check_stage(check);
    check_partly_mapped(check);
    check_partly_scanned(check);
    check_pointers(check);
    check_split_header(check);
    check_aliases(check);
    hmd_for_each_record(check, check_cut, NULL);
    hmd_for_each_record(check, check_animation, NULL);
}
