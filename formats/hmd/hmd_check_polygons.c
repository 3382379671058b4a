#include "hmd/hmd_bits.h"
#include "hmd/hmd_checks.h"
#include "hmd/hmd_polygons.h"

#include <assert.h>

enum { LEAST_DIVISION = 1, MOST_DIVISION = 5, LEAST_TRIANGLES = 2 };

#define DIVIDES 0x00090000u /* DIV, ADV */
#define FREE_BITS 0x03u     /* of a code byte: texture blending, semi-transparency */
#define WINDOW_TOP 0xe2u    /* GPU command: texture window */
#define INDEX_BITS 24u
#define ELEMENT_WORDS 2u

/* ---- packets ----------------------------------------------------------------------------------
 */

/* Pads of one record, which are told together. */
typedef struct pads {
    uint32_t num;
    uint32_t first; /* word */
} pads;

static void count_pad(pads *found, uint32_t at, uint32_t value)
{
    if (value != 0) {
        found->first = found->num == 0 ? at : found->first;
        found->num++;
    }
}

static void check_code(const hmd_check *check, uint32_t at, uint32_t word, uint8_t expected)
{
    const uint32_t code = word >> 24;
    if (((code ^ expected) & ~FREE_BITS) != 0) {
        hmd_tell(check, HMD0088, "code byte", at, fh_hex(code), fh_hex(expected));
    }
}

static void check_triangles(const hmd_check *check, uint32_t at, uint32_t num)
{
    if (num < LEAST_TRIANGLES) {
        hmd_tell(check, HMD0090, "number of triangles", at, fh_dec(num, ""),
                 fh_dec_after("at least ", LEAST_TRIANGLES, ""));
    } else if (hmd_high(num) != 0) {
        hmd_tell(check, HMD0091, "number of triangles", at, fh_hex(num),
                 fh_dec_after("at most ", 0xffff, ""));
    }
}

static void check_window(const hmd_check *check, uint32_t at, uint32_t word)
{
    if (word >> 24 != WINDOW_TOP) {
        hmd_tell(check, HMD0092, "texture window", at, fh_hex(word),
                 fh_words("0xe2 in the upper byte"));
    }
}

static void check_word(const hmd_check *check, pads *found, uint32_t at,
                       const hmd_packet_word *layout)
{
    const uint32_t word = hmd_word(check->model, at);
    switch ((hmd_word_kind)layout->kind) {
    case HMD_WORD_HALVES:
        assert(layout->low != HMD_HALF_PAD); /* all pads of packets are upper halves */
        count_pad(found, at, layout->high == HMD_HALF_PAD ? hmd_high(word) : 0);
        break;
    case HMD_WORD_CODE:
        check_code(check, at, word, layout->code);
        break;
    case HMD_WORD_COLOUR:
        count_pad(found, at, word >> 24);
        break;
    case HMD_WORD_WINDOW:
        check_window(check, at, word);
        break;
    case HMD_WORD_NUM:
        check_triangles(check, at, word);
        break;
    default: /* HMD_WORD_WORK: the run-time's */
        break;
    }
}

static void check_packets(hmd_check *check, hmd_polygons *run)
{
    pads found = {0, 0};
    hmd_packet packet;
    check->packet = 0;
    while (hmd_polygons_next(run, check, &packet) && hmd_spend(check, packet.num_words)) {
        for (uint32_t i = 0; i < packet.num_words; i++) {
            check_word(check, &found, packet.off + i, &packet.words[i]);
        }
        check->packet++;
    }
    check->packet = HMD_NONE;
    if (found.num > 0) {
        hmd_tell(check, HMD0089, "number of pads not 0", found.first, fh_dec(found.num, ""),
                 fh_dec(0, ""));
    }
}

/* ---- records ----------------------------------------------------------------------------------
 */

/* Only drivers that divide take the upper byte of the index off; category 1 and 6 have none. */
static void check_division(const hmd_check *check)
{
    const hmd_record *record = check->record;
    const uint32_t at = record->off + 2;
    const uint32_t division = hmd_word(check->model, at) >> INDEX_BITS;
    const bool divides = record->category == HMD_POLYGONS && (record->type & DIVIDES) != 0;
    if (!divides && division != 0) {
        hmd_tell(check, HMD0081, "upper byte of POLY IDX", at, fh_dec(division, ""), fh_dec(0, ""));
    }
    if (divides && (division < LEAST_DIVISION || division > MOST_DIVISION)) {
        hmd_tell(check, HMD0082, "upper byte of POLY IDX", at, fh_dec(division, ""),
                 fh_words("1 to 5"));
    }
}

static void check_run(hmd_check *check)
{
    const hmd_record *record = check->record;
    hmd_polygons run;
    if (record->size < 2) {
        return;
    }
    check_division(check);
    if (record->count == 0) {
        hmd_tell(check, HMD0093, "count", record->off + 1, fh_dec(0, ""), fh_nothing());
    }
    if (hmd_polygons_open(&run, check)) {
        check_packets(check, &run);
    }
    if (run.layout == NULL) {
        hmd_tell(check, HMD0094, "type", record->off, fh_hex(record->type), fh_nothing());
    }
}

static void check_precalculation(const hmd_check *check)
{
    const hmd_record *record = check->record;
    if (record->count != 0) {
        hmd_tell(check, HMD0104, "count", record->off + 1, fh_dec(record->count, ""),
                 fh_dec(0, ""));
    }
}

static bool has_packets(const hmd_record *record)
{
    return record->type != HMD_NO_TYPE &&
           (record->category == HMD_POLYGONS || record->category == HMD_SHARED ||
            record->category == HMD_ENVMAP);
}

static void check_record(hmd_check *check, void *user)
{
    (void)user;
    if (!has_packets(check->record)) {
        return;
    }
    if (hmd_is_precalculation(check->record)) {
        check_precalculation(check);
    } else {
        check_run(check);
    }
}

/* ---- calculated elements ----------------------------------------------------------------------
 */

/* First words of the elements that pre-calculations write. */
typedef struct calculated {
    hmd_bits vertices, normals;
    bool is_unknown; /* records whose type is not known may write elements, too */
} calculated;

static void mark_ref(hmd_check *check, const hmd_ref *ref, void *user)
{
    calculated *elements = user;
    const uint64_t end = ref->first + ref->num;
    hmd_bits *set = ref->owner == HMD_OWNER_CALC_VERTEX ? &elements->vertices : &elements->normals;
    if (!ref->is_written) {
        return;
    }
    for (uint64_t at = ref->first; at < end && at < set->num && hmd_spend(check, 1);
         at += ELEMENT_WORDS) {
        (void)hmd_bits_add(set, at);
    }
}

static void mark_record(hmd_check *check, void *user)
{
    calculated *elements = user;
    elements->is_unknown = elements->is_unknown || hmd_is_unknown(check->model, check->record);
    if (has_packets(check->record) && hmd_is_precalculation(check->record)) {
        hmd_refs_of(check, mark_ref, user);
    }
}

/* What lies past the data is told as such. */
static void check_element(hmd_check *check, const hmd_ref *ref, void *user)
{
    const calculated *elements = user;
    const bool is_vertex = ref->owner == HMD_OWNER_CALC_VERTEX;
    if ((is_vertex || ref->owner == HMD_OWNER_CALC_NORMAL) &&
        hmd_has(check->model, ref->first, ref->num) &&
        !hmd_bits_has(is_vertex ? &elements->vertices : &elements->normals, ref->first)) {
        hmd_tell(check, HMD0103, ref->field, ref->at, fh_dec(ref->number, ""),
                 fh_words("an element that a pre-calculation writes"));
    }
}

static void check_elements(hmd_check *check, void *user)
{
    if (has_packets(check->record) && !hmd_is_precalculation(check->record) &&
        hmd_polygon_args_of(check->record).vertex_owner == HMD_OWNER_CALC_VERTEX) {
        hmd_refs_of(check, check_element, user);
    }
}

static void check_calculated(hmd_check *check)
{
    const size_t mark = fh_arena_mark(check->arena);
    calculated elements = {.vertices = hmd_bits_make(check, check->model->end),
                           .normals = hmd_bits_make(check, check->model->end)};
    hmd_for_each_record(check, mark_record, &elements);
    if (!elements.is_unknown) {
        hmd_for_each_record(check, check_elements, &elements);
    }
    fh_arena_reset(check->arena, mark);
}

void hmd_check_polygons(hmd_check *check)
{
    hmd_for_each_record(check, check_record, NULL);
    check_calculated(check);
}
