#include "hmd/hmd_reach.h"

#include "core/never.h"
#include "hmd/hmd_animation.h"
#include "hmd/hmd_build.h"
#include "hmd/hmd_morph.h"
#include "hmd/hmd_polygons.h"
#include "hmd/hmd_shape.h"

#include <assert.h>

/* ---- end --------------------------------------------------------------------------------------
 */

/* Whatever lies inside the bytes and is referred to is part of the asset, also the inner part of a
 * range that leaves them; but of one that no asset can hold only its beginning: else the asset
 * would end wherever the bytes at hand do. */
static void extend(hmd_check *check, uint64_t first, uint64_t num)
{
    hmd_model *model = check->model;
    const bool is_possible = first + num <= HMD_MOST_WORDS;
    const uint64_t end = is_possible ? first + num : first;
    model->has_endless = model->has_endless || !is_possible;
    (void)hmd_need(check, first, num);
    if (first > model->num_words) {
        return;
    }
    const uint32_t inside = end < model->num_words ? (uint32_t)end : model->num_words;
    model->end = inside > model->end ? inside : model->end;
}

/* The section of normals that the last reference leads to, or that begins where the last one ends.
 */
typedef struct tail {
    uint32_t section;     /* word, HMD_NONE: something else lies last */
    uint32_t vertices;    /* their section, HMD_NONE: none */
    uint64_t num_packets; /* of both */
    bool is_unused;       /* no packet has a normal of it */
} tail;

static void extend_by_ref(hmd_check *check, const hmd_ref *ref, void *user)
{
    tail *last = user;
    const uint64_t end = ref->first + ref->num;
    if (ref->owner == HMD_OWNER_WEIGHT && hmd_is_memory(check->model)) {
        return;
    }
    if (ref->num > 0 && end >= check->model->end) {
        const bool is_normal = ref->owner == HMD_OWNER_NORMAL;
        last->section =
            is_normal && end <= check->model->num_words ? (uint32_t)ref->section : HMD_NONE;
    }
    extend(check, ref->first, ref->num);
}

/* Sequences are read where they lie, whatever the size of their record says, and one that the bytes
 * end in goes on behind them. */
static void extend_by_sequences(hmd_check *check)
{
    uint32_t off = check->record->off + 2;
    uint32_t left = check->record->count;
    hmd_sequence sequence;
    while (hmd_spend(check, HMD_SEQUENCE_WORDS) &&
           hmd_animation_next(check, &off, &left, &sequence)) {
        extend(check, sequence.off, HMD_SEQUENCE_WORDS - 1 + hmd_sequence_num_starts(&sequence));
    }
    if (left > 0) {
        (void)hmd_need(check, off, HMD_SEQUENCE_WORDS);
    }
}

static void extend_by_record(hmd_check *check, void *user)
{
    hmd_refs_of(check, extend_by_ref, user);
    if (check->record->category == HMD_ANIMATION) {
        extend_by_sequences(check);
    }
}

/* ---- arguments ------------------------------------------------------------------------------
 */

/* The argument of a MIMe header that leads to the weights; HMD_NO_ARG if there is none. The kind of
 * a MIMe may not be known in memory, but how long its header is, and whether it is for joints. */
static uint8_t weights_of(const hmd_model *model, const hmd_record *record, uint32_t header)
{
    enum { JOINT_ARGS = 5, ELEMENT_ARGS = 7 };
    const hmd_morph *morph = hmd_morph_of(record);
    const uint32_t num = model->headers[header].num_words;
    if (morph != NULL || record->category != HMD_MIME || record->type != HMD_NO_TYPE) {
        return morph != NULL ? morph->weights : HMD_NO_ARG;
    }
    const bool is_joint = hmd_arg_of(model, header, 0).off == model->coordinates;
    return num == JOINT_ARGS && is_joint ? 1 : num == ELEMENT_ARGS ? 0 : HMD_NO_ARG;
}

/* Weights may be the program's own, and in memory the address of these stands where a file has its
 * pointer to them: anywhere, and not a part of the asset. */
static void mark_weights(hmd_model *model, const hmd_record *record, uint32_t header)
{
    const uint8_t arg = weights_of(model, record, header);
    if (arg != HMD_NO_ARG) {
        model->headers[header].weights = (uint8_t)(1 + arg);
    }
}

/* In memory nothing but the shape of the header tells a number from an address. */
static void mark_numbers(hmd_model *model, const hmd_record *record, uint32_t header)
{
    const hmd_shape *shape = hmd_shape_of(record);
    uint16_t *numbers = &model->headers[header].numbers;
    for (uint32_t k = 0; shape != NULL && shape->args[k] != '\0'; k++) {
        *numbers = (uint16_t)(*numbers | (shape->args[k] == HMD_ARG_NUMBER ? 1u << k : 0));
    }
}

static void mark_arguments(hmd_check *check, void *user)
{
    const uint32_t header = hmd_header_of(check->model, check->record);
    (void)user;
    if (header != HMD_NONE) {
        mark_weights(check->model, check->record, header);
        mark_numbers(check->model, check->record, header);
    }
}

/* Those that lie in the asset, or directly behind it, are taken for the file's. Their number stands
 * behind the pointer. */
static void extend_by_weights(hmd_check *check)
{
    const hmd_model *model = check->model;
    for (uint32_t i = 0; i < model->num_headers && hmd_spend(check, 1); i++) {
        const uint32_t number = model->headers[i].weights;
        if (number == 0) {
            continue;
        }
        const hmd_arg weights = hmd_arg_of(model, i, number - 1);
        const hmd_arg num = hmd_arg_of(model, i, number);
        if (weights.is_pointer && weights.off <= model->end && num.raw <= HMD_MOST_KEYS) {
            extend(check, weights.off, num.raw);
        }
    }
}

/* ---- reach ------------------------------------------------------------------------------------
 */

static bool is_number(const hmd_header *header, uint32_t argument)
{
    return argument < 16 && (header->numbers >> argument & 1) != 0;
}

/* A section begins where a header points, even if nothing of it is used. */
static void extend_by_headers(hmd_check *check)
{
    const hmd_model *model = check->model;
    for (uint32_t i = 0; i < model->num_headers; i++) {
        for (uint32_t k = 0; k < model->headers[i].num_words && hmd_spend(check, 1); k++) {
            const hmd_arg arg = hmd_arg_of(model, i, k);
            if (arg.is_pointer && arg.off != HMD_NONE && k + 1 != model->headers[i].weights &&
                !is_number(&model->headers[i], k)) {
                extend(check, arg.off, 0);
            }
        }
    }
}

/* Where the polygons of a record have their normals; HMD_NONE if it has no polygons. */
static uint32_t normals_of(const hmd_check *check, hmd_polygons *run)
{
    const hmd_model *model = check->model;
    const hmd_record *record = check->record;
    const hmd_polygon_args args = hmd_polygon_args_of(record);
    return hmd_polygons_open(run, check) && args.normal_owner == HMD_OWNER_NORMAL
               ? hmd_arg_of(model, hmd_header_of(model, record), args.normals).off
               : HMD_NONE;
}

/* Models without light calculation have a section of normals too, of which they use none. */
static void find_unused(hmd_check *check, void *user)
{
    tail *last = user;
    hmd_polygons run;
    if (normals_of(check, &run) == check->model->end) {
        last->section = check->model->end;
        last->is_unused = true;
    }
}

/* Packets that take their normals from the section. */
static void count_packets(hmd_check *check, void *user)
{
    tail *last = user;
    const hmd_record *record = check->record;
    hmd_polygons run;
    hmd_packet packet;
    const hmd_polygon_args args = hmd_polygon_args_of(record);
    if (normals_of(check, &run) != last->section) {
        return;
    }
    last->vertices =
        hmd_arg_of(check->model, hmd_header_of(check->model, record), args.vertices).off;
    while (hmd_polygons_next(&run, check, &packet)) {
        last->num_packets++;
    }
}

/* Words of the vertices, which are those of their normals; 0 if there are none, or if they do not
 * begin in front of the normals: then nothing but the end of the bytes at hand says how many. */
static uint32_t vertices_len(hmd_check *check, const tail *last)
{
    const hmd_model *model = check->model;
    if (last->vertices >= last->section ||
        !hmd_spend(check, (uint64_t)model->headers_end + model->num_primitives)) {
        return 0;
    }
    return hmd_next_start(model, last->vertices) - last->vertices;
}

enum { NO_NORMAL, ZERO, UNIT };

/* A vector that may be a normal: 1.0 long, or nothing at all. Exporters cut off what is behind the
 * point, which takes up to the square root of 3 from the length. */
static int normal_at(const hmd_model *model, uint32_t at)
{
    uint32_t square = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const int32_t value = hmd_s16(model, at + i / 2, i % 2);
        square += (uint32_t)(value * value);
    }
    if (hmd_high(hmd_word(model, at + 1)) != 0) {
        return NO_NORMAL;
    }
    if (square == 0) {
        return ZERO;
    }
    return square >= 4094u * 4094u && square <= 4097u * 4097u ? UNIT : NO_NORMAL;
}

/* Exporters write a normal for every vertex, then one for every polygon, and use only the former,
 * or none. Where the section lies last, nothing but their shape tells that the rest belongs to the
 * file. Polygons without area have zeros, which may just as well be padding behind the file: they
 * count before a normal, and where all is there that such an exporter writes. */
static void extend_by_normals(hmd_check *check, tail *last)
{
    const uint32_t first = check->model->end;
    uint64_t num = 0;
    uint64_t num_sure = 0;
    hmd_for_each_record(check, count_packets, last);
    const uint32_t len = vertices_len(check, last);
    const bool is_whole = last->is_unused || (len > 0 && len == first - last->section);
    const uint64_t most = last->num_packets + (last->is_unused ? len / 2 : 0);
    while (num < most && hmd_spend(check, 1) && hmd_has(check->model, first + 2 * num, 2)) {
        const int kind = normal_at(check->model, first + 2 * (uint32_t)num);
        if (kind == NO_NORMAL) {
            break;
        }
        num++;
        const bool is_all = is_whole && num == most && num_sure > 0;
        num_sure = kind == UNIT || is_all ? num : num_sure;
    }
    if (num < most && !hmd_has(check->model, first + 2 * num, 2)) {
        (void)hmd_need(check, first, 2 * most);
    }
    extend(check, first, 2 * num_sure);
}

void hmd_reach_end(hmd_check *check)
{
    hmd_model *model = check->model;
    tail last = {.section = HMD_NONE, .vertices = HMD_NONE};
    extend(check, 0, model->headers_end);
    for (uint32_t i = 0; i < model->num_primitives && hmd_spend(check, 1); i++) {
        extend(check, model->primitives[i].off, HMD_PRIMITIVE_WORDS);
        extend(check, model->primitives[i].end, 0);
    }
    if (hmd_is_memory(model)) {
        hmd_for_each_record(check, mark_arguments, NULL);
    }
    extend_by_headers(check);
    extend(check, model->least_end, 0);
    hmd_for_each_record(check, extend_by_record, &last);
    if (last.section == HMD_NONE) {
        hmd_for_each_record(check, find_unused, &last);
    }
    if (last.section != HMD_NONE && check->wanted == 0) {
        extend_by_normals(check, &last);
    }
    if (hmd_is_memory(model)) {
        extend_by_weights(check);
    }
}

void hmd_reach_padding(hmd_check *check, fh_end end)
{
    hmd_model *model = check->model;
    const size_t len = (size_t)model->end * HMD_WORD_LEN;
    const fh_cursor rest = fh_cursor_sub(&model->bytes, len, model->bytes.size - len);
    if (rest.size > HMD_MOST_PADDING * HMD_WORD_LEN || !fh_cursor_all_zero(&rest, rest.size)) {
        return;
    }
    if (end == FH_END_FILE) {
        model->end = model->num_words;
    } else if (end == FH_END_NONE && check->wanted == 0 && model->bytes.size < FH_MAX_ASSET_LEN) {
        check->wanted = model->bytes.size + 1; /* the file may end here, or go on */
    }
}

/* ---- owners -----------------------------------------------------------------------------------
 */

static void own_word(hmd_model *model, uint64_t i, enum hmd_owner owner)
{
    if (model->owner[i] == HMD_OWNER_NOBODY) {
        model->owner[i] = (uint8_t)owner;
    } else if (model->owner[i] != owner && model->second[i] == HMD_OWNER_NOBODY) {
        model->second[i] = (uint8_t)owner;
    }
}

static uint64_t end_inside(const hmd_model *model, uint64_t first, uint64_t num)
{
    return first + num < model->end ? first + num : model->end;
}

static void own(hmd_check *check, uint64_t first, uint64_t num, enum hmd_owner owner)
{
    const uint64_t end = end_inside(check->model, first, num);
    if (!hmd_spend(check, first < end ? (end - first + 7) / 8 : 1)) {
        return;
    }
    for (uint64_t i = first; i < end; i++) {
        own_word(check->model, i, owner);
    }
}

/* ---- areas ------------------------------------------------------------------------------------
 */

enum {
    AREA_VERTEX = 1,
    AREA_CALC_VERTEX = 2,
    AREA_NORMAL = 4,
    AREA_CALC_NORMAL = 8,
    AREA_OTHER = 16
};

static unsigned area_of_argument(char kind)
{
    switch (kind) {
    case HMD_ARG_VERTICES:
        return AREA_VERTEX;
    case HMD_ARG_CALC_VERTICES:
        return AREA_CALC_VERTEX;
    case HMD_ARG_NORMALS:
        return AREA_NORMAL;
    case HMD_ARG_CALC_NORMALS:
        return AREA_CALC_NORMAL;
    case HMD_ARG_DATA:
    case HMD_ARG_OPTIONAL:
    case HMD_ARG_WEIGHTS:
        return AREA_OTHER;
    default:
        return 0;
    }
}

static unsigned area_of(enum hmd_owner owner)
{
    switch (owner) {
    case HMD_OWNER_VERTEX:
        return AREA_VERTEX;
    case HMD_OWNER_CALC_VERTEX:
        return AREA_CALC_VERTEX;
    case HMD_OWNER_NORMAL:
        return AREA_NORMAL;
    case HMD_OWNER_CALC_NORMAL:
        return AREA_CALC_NORMAL;
    default:
        return AREA_OTHER;
    }
}

static unsigned family_of(enum hmd_owner owner)
{
    const bool is_vertex = owner == HMD_OWNER_VERTEX || owner == HMD_OWNER_CALC_VERTEX;
    return is_vertex ? AREA_VERTEX | AREA_CALC_VERTEX : AREA_NORMAL | AREA_CALC_NORMAL;
}

static void start_area(hmd_model *model, uint32_t at, unsigned area)
{
    if (at < model->end) {
        model->area[at] = (uint8_t)(model->area[at] | area);
    }
}

static void start_sections(hmd_check *check, void *user)
{
    hmd_model *model = check->model;
    const hmd_shape *shape = hmd_shape_of(check->record);
    (void)user;
    for (uint32_t k = 0; shape != NULL && shape->args[k] != '\0'; k++) {
        const hmd_arg arg = hmd_arg_of(model, hmd_header_of(model, check->record), k);
        if (arg.is_pointer && arg.off != HMD_NONE) {
            start_area(model, arg.off, area_of_argument(shape->args[k]));
        }
    }
}

/* Every word lies in the area of whatever starts last before it. */
static void fill_areas(hmd_check *check)
{
    hmd_model *model = check->model;
    uint8_t area = AREA_OTHER;
    for (uint32_t i = 0; i < model->num_primitives && hmd_spend(check, 1); i++) {
        start_area(model, model->primitives[i].off, AREA_OTHER);
    }
    hmd_for_each_record(check, start_sections, NULL);
    if (!hmd_spend(check, model->end / 8)) {
        return;
    }
    for (uint32_t i = 0; i < model->end; i++) {
        area = model->area[i] != 0 ? model->area[i] : area;
        model->area[i] = area;
    }
}

bool hmd_is_element(enum hmd_owner owner)
{
    return area_of(owner) != AREA_OTHER;
}

bool hmd_in_area(const hmd_model *model, uint64_t first, uint64_t num, enum hmd_owner owner,
                 uint32_t *where)
{
    const uint64_t end = end_inside(model, first, num);
    for (uint64_t i = first; i < end; i++) {
        if ((model->area[i] & family_of(owner)) == 0) {
            *where = (uint32_t)i;
            return false;
        }
    }
    return true;
}

/* ---- elements ---------------------------------------------------------------------------------
 */

/* A packet may say "vertex" and mean a calculated one, which lies in the same area. */
static enum hmd_owner element_at(const hmd_model *model, uint64_t at, enum hmd_owner owner)
{
    const unsigned area = model->area[at];
    /* What lies in no area of the family is wild, and not looked at here. */
    if ((area & area_of(owner)) != 0 || NEVER((area & family_of(owner)) == 0)) {
        return owner;
    }
    switch (owner) {
    case HMD_OWNER_VERTEX:
        return HMD_OWNER_CALC_VERTEX;
    case HMD_OWNER_CALC_VERTEX:
        return HMD_OWNER_VERTEX;
    case HMD_OWNER_NORMAL:
        return HMD_OWNER_CALC_NORMAL;
    default:
        return HMD_OWNER_NORMAL;
    }
}

static void own_elements(hmd_check *check, const hmd_ref *ref)
{
    hmd_model *model = check->model;
    const uint64_t end = end_inside(model, ref->first, ref->num);
    if (!hmd_spend(check, ref->first < end ? (end - ref->first + 7) / 8 : 1)) {
        return;
    }
    for (uint64_t i = ref->first; i < end; i++) {
        own_word(model, i, element_at(model, i, ref->owner));
    }
}

static void own_wild(hmd_model *model, const hmd_ref *ref)
{
    const uint64_t end = end_inside(model, ref->first, ref->num);
    for (uint64_t i = ref->first; i < end; i++) {
        model->owner[i] =
            model->owner[i] == HMD_OWNER_NOBODY ? (uint8_t)ref->owner : model->owner[i];
    }
}

enum pass { WHOLE, ELEMENTS, WILD };

typedef struct owning {
    enum pass pass;
    bool has_wild;
} owning;

/* What is read as a vertex or normal outside of their area is wild: it says nothing about whose the
 * words are. */
static void own_ref(hmd_check *check, const hmd_ref *ref, void *user)
{
    owning *now = user;
    uint32_t where = 0;
    if (!hmd_spend(check, ref->num < check->model->end ? ref->num / 8 : check->model->end / 8)) {
        return;
    }
    if (!hmd_is_element(ref->owner) || ref->is_written) {
        if (now->pass == WHOLE) {
            own(check, ref->first, ref->num, ref->owner);
        }
        return;
    }
    const bool is_wild = !hmd_in_area(check->model, ref->first, ref->num, ref->owner, &where);
    if (now->pass == ELEMENTS && !is_wild) {
        own_elements(check, ref);
    } else if (now->pass == WILD && is_wild) {
        own_wild(check->model, ref);
    }
    now->has_wild = now->has_wild || is_wild;
}

static void own_record(hmd_check *check, void *user)
{
    hmd_refs_of(check, own_ref, user);
}

/* The last record of a primitive may be larger than its driver knows; other data may lie there. */
static uint32_t used_end(const hmd_model *model, const hmd_primitive *primitive)
{
    if (primitive->num_records == 0) {
        return primitive->end;
    }
    assert(model->records != NULL); /* without them the asset is not looked at any further */
    const hmd_record *last = &model->records[primitive->first_record + primitive->num_records - 1];
    const uint32_t len = hmd_record_len(last);
    return len < last->size ? primitive->end - (last->size - len) : primitive->end;
}

static void own_structure(hmd_check *check)
{
    const hmd_model *model = check->model;
    const uint32_t units_end = hmd_units_end(model);
    own(check, 0, model->coordinates, HMD_OWNER_FRONT);
    own(check, model->coordinates, units_end - model->coordinates, HMD_OWNER_COORDINATE);
    own(check, model->header_section, model->headers_end - model->header_section, HMD_OWNER_HEADER);
    for (uint32_t i = 0; i < model->num_primitives && !check->stopped; i++) {
        const hmd_primitive *primitive = &model->primitives[i];
        own(check, primitive->off, used_end(model, primitive) - primitive->off,
            HMD_OWNER_PRIMITIVE);
    }
}

/* What the last record has too much belongs to it where nobody else wants it. */
static void own_excess(hmd_check *check)
{
    hmd_model *model = check->model;
    for (uint32_t i = 0; i < model->num_primitives; i++) {
        const hmd_primitive *primitive = &model->primitives[i];
        const uint32_t first = used_end(model, primitive);
        if (!hmd_spend(check, 1 + (primitive->end - first) / 8)) {
            return;
        }
        for (uint32_t k = first; k < primitive->end; k++) {
            model->owner[k] = model->owner[k] == HMD_OWNER_NOBODY ? (uint8_t)HMD_OWNER_PRIMITIVE
                                                                  : model->owner[k];
        }
    }
}

void hmd_reach_owners(hmd_check *check)
{
    hmd_model *model = check->model;
    owning now = {WHOLE, false};
    model->owner = hmd_table(check, model->end, sizeof *model->owner);
    model->second = hmd_table(check, model->end, sizeof *model->second);
    model->area = hmd_table(check, model->end, sizeof *model->area);
    if (check->no_memory) {
        return;
    }
    fill_areas(check);
    own_structure(check);
    hmd_for_each_record(check, own_record, &now);
    now.pass = ELEMENTS;
    hmd_for_each_record(check, own_record, &now);
    if (now.has_wild) {
        now.pass = WILD;
        hmd_for_each_record(check, own_record, &now);
    }
    own_excess(check);
}

static enum hmd_owner claimed(const hmd_model *model, uint64_t at, enum hmd_owner owner)
{
    return (enum hmd_owner)(model->owner[at] != owner ? model->owner[at] : model->second[at]);
}

uint64_t hmd_owned(const hmd_model *model, uint64_t first, uint64_t num, enum hmd_owner owner,
                   uint32_t *where, enum hmd_owner *other)
{
    const uint64_t end = end_inside(model, first, num);
    uint64_t found = 0;
    assert(model->owner != NULL && model->second != NULL);
    for (uint64_t i = first; i < end; i++) {
        const enum hmd_owner claims = claimed(model, i, owner);
        if (claims != HMD_OWNER_NOBODY && found++ == 0) {
            *where = (uint32_t)i;
            *other = claims;
        }
    }
    return found;
}
