/* An HMD in the forge's language, made from what was decoded of a file.
 *
 * Pointers are labels, wherever they lead; so are indices into sections, where a statement takes
 * one. Units, primitive headers, primitives, records, packets, vectors, animation, morphing,
 * grounds, cameras and lights stand as the statements of their kind.
 *
 * The text does not hang on where things lie. It begins with the front; areas that no index of
 * another area counts into follow in the order in which something leads to them, and labels are
 * counted. So the forge lays the file out anew, and what comes of it has the same description.
 * Areas keep the order of the file where something is two things at once, or where the run-time
 * writes to what is a reference itself: there numbers may be read that hang on the layout.
 *
 * What stays a bare word: pixels and colour tables, weights, histories of splines, reset areas of
 * joints, projections, what no reference leads to, and, of the kinds above, what their statement
 * cannot say - presets whose two buffers differ, keys with something in their padding, lines of
 * more words than the language has, and whatever overlaps a part that was there before.
 *
 * An HMD as it lies in memory, with addresses for pointers, is left out.
 */
#include "describe_hmd_parts.h"
#include "fuzz_run.h"

#include "forge/hmd.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The forge looks labels up one after the other. */
enum { MOST_LABELS = 1024, LONGEST = 256, ROOM_LEN = 1 << 20 };

/* Verifying went the same ways within a budget. */
#define WORK (UINT64_C(1) << 40)

/* ---- text ---- */

static void *have(void *memory)
{
    run_insist(memory != NULL, "the system has memory");
    assert(memory != NULL); /* for who does not know what run_insist does */
    return memory;
}

void say(describing *d, const char *format, ...)
{
    char words[LONGEST];
    va_list args;
    va_start(args, format);
    const int num = vsnprintf(words, sizeof words, format, args);
    va_end(args);
    run_insist(num >= 0 && num < LONGEST, "a word of a description is short");
    fuzz_say(d->out, words);
}

static bool label(describing *d, uint32_t at, bool is_needed)
{
    if (!d->is_labelled[at] && (is_needed || d->num_labels < MOST_LABELS)) {
        d->is_labelled[at] = true;
        d->num_labels++;
    }
    return d->is_labelled[at];
}

uint32_t part_start(const describing *d, uint32_t at)
{
    while (at < d->num && d->kind[at] == PART_INSIDE) {
        at--;
    }
    return at;
}

uint32_t part_end(const describing *d, uint32_t at)
{
    do {
        at++;
    } while (at < d->num && d->kind[at] == PART_INSIDE);
    return at;
}

static void say_behind(describing *d, uint32_t to)
{
    const uint32_t start = part_start(d, to);
    say(d, "w%u", (unsigned)d->names[start]);
    if (to > start) {
        say(d, "+%u", (unsigned)(to - start));
    }
}

void say_place(describing *d, uint32_t to)
{
    (void)label(d, part_start(d, to), true);
    say_behind(d, to);
}

/* Words before which no label can stand never move. */
static bool has_label(const describing *d, uint32_t to)
{
    return to <= d->num && part_start(d, to) > 0;
}

static bool say_span_by(describing *d, uint32_t at, unsigned divide)
{
    const uint32_t to = d->to[at];
    const uint32_t from = d->from[at];
    if (!has_label(d, to) || !has_label(d, from) || part_start(d, from) != from || to == d->num ||
        d->group[to] != d->group[from] || !label(d, from, false) ||
        !label(d, part_start(d, to), false)) {
        return false;
    }
    say(d, "(");
    say_behind(d, to);
    say(d, "-w%u)", (unsigned)d->names[from]);
    if (divide > 1) {
        say(d, "/%u", divide);
    }
    return true;
}

bool say_span(describing *d, uint32_t at)
{
    return say_span_by(d, at, 1);
}

static bool say_reference(describing *d, uint32_t at)
{
    const uint32_t word = word_at(d, at);
    const uint32_t to = d->to[at];
    if (to == HMD_NONE) {
        return false;
    }
    if (d->from[at] == HMD_NONE) {
        if (!has_label(d, to) || (word & ~HMD_MSB) != to) {
            return false;
        }
        say(d, (word & HMD_MSB) != 0 ? "!" : "@");
        say_place(d, to);
        return true;
    }
    if (to < d->from[at]) {
        return false;
    }
    const uint32_t span = to - d->from[at];
    return (span == word && say_span_by(d, at, 1)) ||
           (span % 2 == 0 && span / 2 == word && say_span_by(d, at, 2));
}

void say_value(describing *d, uint32_t at)
{
    const uint32_t word = word_at(d, at);
    if (!say_reference(d, at)) {
        say(d, word < 0x10000 ? "%u" : "0x%x", (unsigned)word);
    }
}

/* ---- areas ---- */

typedef struct areas {
    uint32_t *starts; /* in the order of the file; behind the last one the end */
    uint32_t *order;  /* in which they are written */
    bool *is_listed;  /* in order */
    uint32_t num;
    uint32_t num_listed;
} areas;

static void note_begin(bool *begins, const describing *d, uint32_t at)
{
    if (at > 0 && at < d->num && !d->is_joined[at] && d->kind[at] != PART_INSIDE) {
        begins[at] = true;
    }
}

/* An area begins where something begins that another thing points at, and that nothing reaches from
 * before. What lies behind it and belongs to nobody goes with it. */
static void find_areas(areas *out, const describing *d)
{
    const hmd_model *model = &d->model;
    bool *begins = have(calloc(d->num + (size_t)1, sizeof *begins));
    begins[0] = true;
    note_begin(begins, d, model->header_section);
    for (uint32_t i = 0; i < model->num_primitives; i++) {
        note_begin(begins, d, model->primitives[i].off);
    }
    for (uint32_t i = 0; i < model->num_headers; i++) {
        for (uint32_t k = 0; k < model->headers[i].num_words; k++) {
            const hmd_arg arg = hmd_arg_of(model, i, k);
            note_begin(begins, d, arg.is_pointer && arg.off != HMD_NONE ? arg.off : 0);
        }
    }
    for (uint32_t at = 0; at < d->num; at++) {
        if (begins[at]) {
            out->starts[out->num++] = at;
        }
    }
    out->starts[out->num] = d->num;
    free(begins);
}

static uint32_t area_of(const areas *all, uint32_t at)
{
    uint32_t low = 0;
    uint32_t high = all->num;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (all->starts[middle] <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static void list_area(areas *all, uint32_t i)
{
    if (!all->is_listed[i]) {
        all->is_listed[i] = true;
        all->order[all->num_listed++] = i;
    }
}

static void list_those_of(areas *all, const describing *d, uint32_t i)
{
    for (uint32_t at = all->starts[i]; at < all->starts[i + 1]; at++) {
        if (d->to[at] < d->num && d->from[at] == HMD_NONE) {
            list_area(all, area_of(all, d->to[at]));
        }
    }
}

/* An asset ends with the last word in use: one that does comes last, of those from a place on. */
static bool put_last(areas *all, const describing *d, uint32_t from)
{
    uint32_t i = all->num;
    do {
        if (i == from) {
            return false;
        }
        i--;
    } while (d->model.owner[all->starts[all->order[i] + 1] - 1] == HMD_OWNER_NOBODY);
    const uint32_t last = all->order[i];
    for (uint32_t k = i; k + 1 < all->num; k++) {
        all->order[k] = all->order[k + 1];
    }
    all->order[all->num - 1] = last;
    return true;
}

/* Those with primitives come first and keep their order, by which sequences are counted. Returns
 * how many they are, with the front. */
static uint32_t put_primitives_first(areas *all, const describing *d)
{
    uint32_t num = 1;
    assert(all->num > 0); /* the first one begins with the first word */
    uint32_t *others = have(calloc(all->num, sizeof *others));
    uint32_t num_others = 0;
    bool *has_primitive = have(calloc(all->num, sizeof *has_primitive));
    for (uint32_t i = 0; i < d->model.num_primitives; i++) {
        has_primitive[area_of(all, d->model.primitives[i].off)] = true;
    }
    for (uint32_t k = 1; k < all->num; k++) {
        if (!has_primitive[all->order[k]]) {
            others[num_others++] = all->order[k];
        }
    }
    for (uint32_t i = 1; i < all->num; i++) {
        if (has_primitive[i]) {
            all->order[num++] = i;
        }
    }
    for (uint32_t i = 0; i < num_others; i++) {
        all->order[num + i] = others[i];
    }
    free(others);
    free(has_primitive);
    return num;
}

/* The front, the primitives, and what is led to from there on. */
static void order_areas(areas *all, const describing *d)
{
    list_area(all, 0);
    for (uint32_t k = 0; k < all->num_listed; k++) {
        list_those_of(all, d, all->order[k]);
        list_area(all, area_of(all, d->model.header_section));
    }
    const bool leads_everywhere = all->num_listed == all->num;
    if (d->is_fixed || !leads_everywhere || !put_last(all, d, put_primitives_first(all, d))) {
        for (uint32_t i = 0; i < all->num; i++) {
            all->order[i] = i;
        }
    }
}

static areas areas_open(const describing *d)
{
    const size_t num = d->num + (size_t)1;
    areas all = {.starts = have(calloc(num, sizeof *all.starts)),
                 .order = have(calloc(num, sizeof *all.order)),
                 .is_listed = have(calloc(num, sizeof *all.is_listed))};
    find_areas(&all, d);
    order_areas(&all, d);
    return all;
}

static void areas_close(areas *all)
{
    free(all->starts);
    free(all->order);
    free(all->is_listed);
}

static void say_area(describing *d, const areas *all, uint32_t i)
{
    uint32_t at = all->starts[i];
    if (at > 0) {
        (void)label(d, at, true);
    }
    while (at < all->starts[i + 1]) {
        at = say_part(d, at);
    }
}

static void say_all(describing *d, const areas *all)
{
    d->out->len = 0;
    for (uint32_t i = 0; i < all->num; i++) {
        say_area(d, all, all->order[i]);
    }
    if (d->is_labelled[d->num]) {
        say(d, "w%u:\n", (unsigned)d->names[d->num]);
    }
}

/* Labels have numbers in the order of the text. */
static void name_labels(describing *d, const areas *all)
{
    uint32_t num = 0;
    for (uint32_t i = 0; i < all->num; i++) {
        const uint32_t area = all->order[i];
        for (uint32_t at = all->starts[area]; at < all->starts[area + 1]; at++) {
            num += d->is_labelled[at] ? 1 : 0;
            d->names[at] = num;
        }
    }
    d->names[d->num] = num + 1;
}

/* ---- description ---- */

static void open_words(describing *d)
{
    const size_t num = d->num + (size_t)1;
    d->kind = have(calloc(num, sizeof *d->kind));
    d->of = have(calloc(num, sizeof *d->of));
    d->to = have(malloc(num * sizeof *d->to));
    d->from = have(malloc(num * sizeof *d->from));
    d->is_joined = have(calloc(num, sizeof *d->is_joined));
    d->is_labelled = have(calloc(num, sizeof *d->is_labelled));
    d->is_history = have(calloc(num, sizeof *d->is_history));
    d->group = have(calloc(num, sizeof *d->group));
    d->names = have(calloc(num, sizeof *d->names));
    memset(d->to, 0xff, num * sizeof *d->to); /* HMD_NONE */
    memset(d->from, 0xff, num * sizeof *d->from);
}

static void close_words(describing *d)
{
    free(d->kind);
    free(d->of);
    free(d->to);
    free(d->from);
    free(d->is_joined);
    free(d->is_labelled);
    free(d->is_history);
    free(d->group);
    free(d->names);
}

/* What the decoders need to enumerate references again. */
static void look(describing *d)
{
    fh_budget work = {WORK};
    void *room = have(malloc(ROOM_LEN));
    fh_arena arena = fh_arena_make(room, ROOM_LEN);
    d->check = hmd_check_make(&d->model, NULL, &work, &arena);
    find_parts(d);
    for (uint32_t at = 1; at < d->num; at++) {
        d->group[at] = d->group[at - 1] + (d->is_joined[at] ? 0 : 1);
    }
    run_insist(!d->check.stopped && !d->check.no_memory, "what was verified can be described");
    free(room);
}

/* Where each word stands in what is made of the text, with a bit for those of histories. Words of
 * an asset have 22 bits. */
#define HISTORY_BIT (UINT32_C(1) << 31)

static void keep_places(describing *d, const areas *all)
{
    uint32_t place = 0;
    uint32_t *places = run_keep(malloc((d->num + (size_t)1) * sizeof *places));
    places[0] = d->num; /* the front stays where it is: its first word is free to tell this */
    for (uint32_t i = 0; i < all->num; i++) {
        const uint32_t area = all->order[i];
        for (uint32_t at = all->starts[area]; at < all->starts[area + 1]; at++) {
            if (at > 0) {
                places[at] = place | (d->is_history[at] ? HISTORY_BIT : 0);
            }
            place++;
        }
    }
    d->out->places = places;
}

static int64_t place_of(const uint32_t *places, int64_t word)
{
    return word > 0 && word < (int64_t)places[0] ? (int64_t)(places[word] & ~HISTORY_BIT) : word;
}

/* Rows of words name words; values of histories do so, too. */
static void fold_row(run_account *into, const fh_pose_row *row, const fuzz_description *said)
{
    const bool is_word =
        strcmp(row->table->name, "word") == 0 || strcmp(row->table->name, "morphed_word") == 0;
    if (said->places == NULL || !is_word) {
        run_take_row(into, row);
        return;
    }
    const int64_t word = row->values[0].i;
    const bool is_history =
        word > 0 && word < (int64_t)said->places[0] && (said->places[word] & HISTORY_BIT) != 0;
    const int64_t value = row->values[1].i;
    run_fold_number(into, place_of(said->places, word));
    run_fold_number(into, is_history ? place_of(said->places, value) : value);
}

static bool is_moved(const areas *all)
{
    for (uint32_t i = 0; i < all->num; i++) {
        if (all->order[i] != i) {
            return true;
        }
    }
    return false;
}

static bool describe(fuzz_description *out, const void *model)
{
    describing d = {.model = *(const hmd_model *)model, .out = out};
    if (hmd_is_memory(&d.model)) {
        out->left_out = "it lies in memory";
        return false;
    }
    d.num = d.model.end;
    open_words(&d);
    look(&d);
    areas all = areas_open(&d);
    say_all(&d, &all); /* finds which labels are needed */
    name_labels(&d, &all);
    say_all(&d, &all);
    keep_places(&d, &all);
    out->remark = d.is_fixed       ? " in the order of the file, on which numbers may hang"
                  : is_moved(&all) ? " in another order"
                                   : " in the order of the file";
    areas_close(&all);
    close_words(&d);
    return true;
}

const fuzz_anew fuzz_anew_hmd = {describe, forge_hmd_text, false, true, fold_row};
