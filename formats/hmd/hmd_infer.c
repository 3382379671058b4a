#include "hmd/hmd_infer.h"

#include "hmd/hmd_animation.h"
#include "hmd/hmd_build.h"
#include "hmd/hmd_packets.h"

#include <assert.h>
#include <string.h>

enum {
    MOST_ALIASES = 1024,   /* the library has 571 drivers */
    MOST_CANDIDATES = 128, /* types that are tried */
    WORK_PER_WORD = 16,
    LEAST_WORK = 0x40000,
    CAMERA_WORDS = 8,
    LONGEST_WAIT = 0x100000 /* bytes that are asked for in order to know more */
};

bool hmd_infer_pay(hmd_inference *in, uint64_t units)
{
    if (in->left < units || !hmd_spend(in->check, units)) {
        in->left = 0;
        return false;
    }
    in->left -= units;
    return true;
}

bool hmd_infer_has(hmd_inference *in, uint64_t first, uint64_t num)
{
    const bool is_possible = num <= HMD_MOST_WORDS && first <= HMD_MOST_WORDS - num;
    in->is_cut = in->is_cut || (is_possible && !hmd_has(in->check->model, first, num));
    return is_possible;
}

/* ---- known starts -----------------------------------------------------------------------------
 */

void hmd_infer_mark(hmd_starts *starts, uint64_t off)
{
    if (off < starts->num_words) {
        starts->bits[off / 32] |= 1u << off % 32;
    } else if (off < starts->beyond) {
        starts->beyond = (uint32_t)off;
    }
}

static uint32_t lowest_bit(uint32_t bits)
{
    uint32_t bit = 0;
    while (bit < 31 && (bits >> bit & 1) == 0) {
        bit++;
    }
    return bit;
}

uint32_t hmd_infer_next(hmd_inference *in, uint32_t off)
{
    const hmd_starts *starts = &in->known;
    const uint64_t from = (uint64_t)off + 1;
    for (uint64_t w = from / 32; w * 32 < starts->num_words; w++) {
        const uint32_t below = w == from / 32 ? (1u << from % 32) - 1 : 0;
        const uint32_t bits = starts->bits[w] & ~below;
        if (!hmd_infer_pay(in, 1)) {
            break;
        }
        if (bits != 0) {
            return (uint32_t)(w * 32) + lowest_bit(bits);
        }
    }
    return off < starts->beyond ? starts->beyond : HMD_MOST_WORDS;
}

static bool make_starts(hmd_check *check, hmd_starts *out)
{
    out->num_words = check->model->num_words;
    out->beyond = HMD_MOST_WORDS;
    out->bits = hmd_table(check, (out->num_words + 31) / 32, sizeof *out->bits);
    return out->bits != NULL;
}

static void mark_structure(hmd_inference *in)
{
    const hmd_model *model = in->check->model;
    hmd_infer_mark(&in->known, model->coordinates);
    hmd_infer_mark(&in->known, model->header_section);
    for (uint32_t i = 0; i < model->num_primitives && hmd_infer_pay(in, 1); i++) {
        hmd_infer_mark(&in->known, model->primitives[i].off);
    }
    for (uint32_t i = 0; i < model->num_headers; i++) {
        for (uint32_t k = 0; k < model->headers[i].num_words && hmd_infer_pay(in, 1); k++) {
            const hmd_arg arg = hmd_arg_of(model, i, k);
            if (arg.is_pointer && arg.off != HMD_NONE) {
                hmd_infer_mark(&in->known, arg.off);
            }
        }
    }
}

static void mark_arg(hmd_inference *in, hmd_starts *starts, const hmd_shape *shape, uint32_t i)
{
    hmd_infer_mark(starts, hmd_arg_of(in->check->model, shape->header, i).off);
}

/* A record of polygons is known by its header: its run of packets begins somewhere, and so do the
 * sections of vertices and normals. */
static void mark_polygons(hmd_inference *in, const hmd_shape *shape, uint8_t category)
{
    const hmd_model *model = in->check->model;
    mark_arg(in, &in->vertices, shape, 1);
    mark_arg(in, category == HMD_SHARED ? &in->vertices : &in->normals, shape, 2);
    if (category == HMD_SHARED) {
        mark_arg(in, &in->normals, shape, 3);
        mark_arg(in, &in->normals, shape, 4);
    }
    if (shape->record->size == 2) {
        const uint32_t index = hmd_word(model, shape->record->off + 2) & 0xffffff;
        hmd_infer_mark(&in->known, (uint64_t)hmd_arg_of(model, shape->header, 0).off + index);
    }
}

static void mark_record(hmd_inference *in, const hmd_record *record)
{
    const hmd_shape shape = hmd_infer_shape(in, record);
    const uint8_t category = hmd_infer_polygons(&shape);
    if (category != HMD_CATEGORY_FOREIGN && record->size != 4) {
        mark_polygons(in, &shape, category);
    }
    hmd_infer_mark_blocks(in, &shape);
}

static void note_user(hmd_inference *in, const hmd_record *record)
{
    const hmd_model *model = in->check->model;
    const uint32_t header = hmd_header_of(model, record);
    const uint32_t word = hmd_word(model, record->off);
    if (header == HMD_NONE) {
        return;
    }
    if (in->users[header] == HMD_USERS_NOBODY) {
        in->users[header] = word;
    } else if (in->users[header] != word) {
        in->users[header] = HMD_USERS_MIXED;
    }
}

/* ---- aliases ----------------------------------------------------------------------------------
 */

static void add_alias(hmd_model *model, uint32_t address)
{
    uint32_t at = model->num_aliases;
    if (at == MOST_ALIASES || hmd_alias_of(model, address) != NULL) {
        return;
    }
    while (at > 0 && model->aliases[at - 1].address > address) {
        at--;
    }
    memmove(&model->aliases[at + 1], &model->aliases[at],
            (model->num_aliases - at) * sizeof *model->aliases);
    model->aliases[at] =
        (hmd_alias){.address = address, .type = HMD_NO_TYPE, .category = HMD_CATEGORY_FOREIGN};
    model->num_aliases++;
}

static hmd_alias *alias_of_record(const hmd_model *model, const hmd_record *record)
{
    const hmd_alias *found = hmd_alias_of(model, hmd_word(model, record->off));
    return found == NULL || !hmd_is_unknown(model, record)
               ? NULL
               : &model->aliases[found - model->aliases];
}

static bool collect_aliases(hmd_check *check)
{
    hmd_model *model = check->model;
    const uint32_t most = model->num_records < MOST_ALIASES ? model->num_records : MOST_ALIASES;
    model->aliases = hmd_table(check, most, sizeof *model->aliases);
    if (model->aliases == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < model->num_records && hmd_spend(check, 2); i++) {
        const hmd_record *record = &model->records[i];
        if (hmd_is_unknown(model, record) && hmd_spend(check, 1)) {
            add_alias(model, hmd_word(model, record->off));
        }
    }
    for (uint32_t i = 0; i < model->num_records && hmd_spend(check, 1); i++) {
        hmd_alias *alias = alias_of_record(model, &model->records[i]);
        if (alias != NULL) {
            alias->num_records++;
        }
    }
    return !check->stopped;
}

/* The records of each alias, one alias after the other. */
static uint32_t *sort_records(hmd_check *check)
{
    const hmd_model *model = check->model;
    uint32_t *order = hmd_table(check, model->num_records, sizeof *order);
    uint32_t *ends = hmd_table(check, model->num_aliases, sizeof *ends);
    uint32_t num = 0;
    if (order == NULL || ends == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < model->num_aliases && hmd_spend(check, 1); i++) {
        ends[i] = num;
        num += model->aliases[i].num_records;
    }
    for (uint32_t i = 0; i < model->num_records && hmd_spend(check, 1); i++) {
        const hmd_alias *alias = alias_of_record(model, &model->records[i]);
        if (alias != NULL) {
            order[ends[alias - model->aliases]++] = i;
        }
    }
    return order;
}

/* ---- candidates -------------------------------------------------------------------------------
 */

typedef struct candidates {
    uint8_t fit[MOST_CANDIDATES]; /* hmd_fit, over all records: the kinds, then the layouts */
    size_t num;
    uint8_t polygons; /* category of the layouts */
} candidates;

static void keep_worse(candidates *all, size_t i, hmd_fit fit)
{
    all->fit[i] = fit < all->fit[i] ? (uint8_t)fit : all->fit[i];
}

static void hold_against(hmd_inference *in, candidates *all, const hmd_shape *shape)
{
    hmd_area area;
    const bool is_polygons = all->polygons != HMD_CATEGORY_FOREIGN &&
                             hmd_infer_polygons(shape) == all->polygons &&
                             hmd_infer_area(in, shape, all->polygons, &area);
    for (size_t i = 0; i < all->num && hmd_infer_pay(in, 1); i++) {
        if (all->fit[i] == HMD_FIT_NOT) {
            continue;
        }
        if (i < hmd_num_kinds) {
            keep_worse(all, i, hmd_kinds[i].fit(in, shape, hmd_kinds[i].type));
        } else if (is_polygons) {
            keep_worse(all, i,
                       hmd_infer_fit_packets(in, shape, all->polygons, i - hmd_num_kinds, &area));
        } else {
            keep_worse(all, i, HMD_FIT_NOT);
        }
    }
}

static uint8_t category_of(const candidates *all, size_t i)
{
    return i < hmd_num_kinds ? (uint8_t)(hmd_kinds[i].type >> 24) : all->polygons;
}

/* Where data of a category end exactly where the next thing begins if they are of one type, the
 * types with which they end before that are out: real files have no gaps there. */
static void drop_loose(candidates *all)
{
    uint32_t exact = 0; /* categories */
    for (size_t i = 0; i < all->num; i++) {
        exact |= all->fit[i] == HMD_FIT_EXACT ? 1u << category_of(all, i) : 0;
    }
    for (size_t i = 0; i < all->num; i++) {
        if (all->fit[i] == HMD_FIT_LOOSE && (exact >> category_of(all, i) & 1) != 0) {
            all->fit[i] = HMD_FIT_NOT;
        }
    }
}

static void try_all(hmd_inference *in, candidates *all, const uint32_t *order, uint32_t num)
{
    const hmd_model *model = in->check->model;
    const hmd_shape first = hmd_infer_shape(in, &model->records[order[0]]);
    *all = (candidates){.num = hmd_num_kinds + hmd_num_packet_layouts,
                        .polygons = hmd_infer_polygons(&first)};
    assert(all->num <= MOST_CANDIDATES);
    memset(all->fit, HMD_FIT_EXACT, all->num);
    for (uint32_t i = 0; i < num; i++) {
        const hmd_shape shape = hmd_infer_shape(in, &model->records[order[i]]);
        hold_against(in, all, &shape);
    }
    drop_loose(all);
    if (in->left == 0) {
        memset(all->fit, HMD_FIT_NOT, all->num); /* not all was looked at: nothing is known */
    }
}

static uint32_t type_of(hmd_inference *in, const candidates *all, size_t i,
                        const hmd_record *record)
{
    if (i < hmd_num_kinds) {
        return hmd_kinds[i].type;
    }
    const hmd_shape shape = hmd_infer_shape(in, record);
    return hmd_infer_packet_type(in->check->model, &shape, all->polygons, i - hmd_num_kinds);
}

/* ---- verdicts ---------------------------------------------------------------------------------
 */

static void reach_to(hmd_check *check, const hmd_ref *ref, void *user)
{
    uint64_t *end = user;
    const uint64_t own = ref->first + ref->num;
    (void)check;
    *end = own > *end ? own : *end;
}

static void reach_end_at(hmd_model *model, uint64_t end)
{
    const uint32_t inside = end < model->num_words ? (uint32_t)end : model->num_words;
    model->least_end = inside > model->least_end ? inside : model->least_end;
}

/* A record of several possible types reaches at least as far as with the one that reaches least. If
 * that leaves the bytes, something is missing whatever the type is, and what it is that one says.
 */
static void keep_least_end(hmd_inference *in, const candidates *all, hmd_record *record)
{
    hmd_check *check = in->check;
    const uint64_t wanted = check->wanted;
    uint64_t least = UINT64_MAX;
    unsigned nearest = 0;
    for (size_t i = 0; i < all->num; i++) {
        hmd_record as = *record;
        uint64_t end = 0;
        if (all->fit[i] == HMD_FIT_NOT || !hmd_infer_pay(in, 1)) {
            continue;
        }
        as.type = type_of(in, all, i, record);
        as.category = category_of(all, i);
        check->record = &as;
        hmd_refs_of(check, reach_to, &end);
        nearest = end < least ? as.category + 1u : nearest;
        least = end < least ? end : least;
    }
    check->record = NULL;
    check->wanted = wanted;
    if (least != UINT64_MAX) {
        record->cut_as = (uint8_t)(least > check->model->num_words ? nearest : 0);
        reach_end_at(check->model, least);
    }
}

/* A projection and a camera look alike in a header that they share; but the pointer to a coordinate
 * behind the parameters is there for a camera, which has all eight words of them. */
static void reach_camera(hmd_inference *in, const hmd_record *record)
{
    const hmd_shape shape = hmd_infer_shape(in, record);
    if (record->category == HMD_DEVICE && record->size == 1 && (shape.units & 2) != 0) {
        reach_end_at(in->check->model,
                     (uint64_t)hmd_arg_of(in->check->model, shape.header, 0).off + CAMERA_WORDS);
    }
}

static void settle(hmd_inference *in, hmd_alias *alias, const candidates *all,
                   const uint32_t *order)
{
    hmd_model *model = in->check->model;
    size_t num = 0;
    size_t last = 0;
    uint32_t categories = 0;
    for (size_t i = 0; i < all->num; i++) {
        if (all->fit[i] != HMD_FIT_NOT) {
            categories |= 1u << category_of(all, i);
            last = i;
            num++;
        }
    }
    if (num == 0) {
        return;
    }
    const bool is_one_category = (categories & (categories - 1)) == 0;
    alias->category = is_one_category ? category_of(all, last) : (uint8_t)HMD_CATEGORY_FOREIGN;
    alias->type =
        num == 1 ? type_of(in, all, last, &model->records[order[0]]) : (uint32_t)HMD_NO_TYPE;
    for (uint32_t i = 0; i < alias->num_records; i++) {
        hmd_record *record = &model->records[order[i]];
        if (num == 1) {
            record->type = type_of(in, all, last, record);
            record->is_inferred = true;
        } else {
            keep_least_end(in, all, record);
        }
        record->category = alias->category;
        reach_camera(in, record);
    }
}

static uint32_t image_type(const hmd_record *record)
{
    return record->size == 1 + 6u * record->count ? 0x02000001u : 0x02000000u;
}

/* Programs give image records the null driver when the images are where they belong: whatever their
 * types were, they have one address then. Where each record is as long as one of the two types
 * wants it that is what it is, though the last one of a primitive may be longer than its type. */
static void settle_images(hmd_inference *in, hmd_alias *alias, const uint32_t *order)
{
    hmd_model *model = in->check->model;
    const uint32_t type = image_type(&model->records[order[0]]);
    bool is_one_type = true;
    for (uint32_t i = 0; i < alias->num_records; i++) {
        hmd_record *record = &model->records[order[i]];
        const hmd_shape shape = hmd_infer_shape(in, record);
        if (hmd_infer_fit_images(in, &shape, image_type(record)) != HMD_FIT_EXACT) {
            return;
        }
    }
    for (uint32_t i = 0; i < alias->num_records; i++) {
        hmd_record *record = &model->records[order[i]];
        record->category = HMD_IMAGES;
        record->type = image_type(record);
        record->is_inferred = true;
        is_one_type = is_one_type && record->type == type;
    }
    alias->category = HMD_IMAGES;
    alias->type = is_one_type ? type : (uint32_t)HMD_NO_TYPE;
}

static void infer_all(hmd_inference *in, const uint32_t *order)
{
    hmd_model *model = in->check->model;
    uint32_t first = 0;
    for (uint32_t i = 0; i < model->num_aliases; i++) {
        hmd_alias *alias = &model->aliases[i];
        candidates all;
        if (!hmd_infer_pay(in, alias->num_records)) {
            return;
        }
        try_all(in, &all, &order[first], alias->num_records);
        in->check->record = NULL;
        settle(in, alias, &all, &order[first]);
        if (alias->category == HMD_CATEGORY_FOREIGN || alias->category == HMD_IMAGES) {
            settle_images(in, alias, &order[first]);
        }
        in->check->record = NULL;
        first += alias->num_records;
    }
}

/* More bytes may speak against types that those at hand leave room for. */
static void wait_for_more(const hmd_inference *in)
{
    hmd_check *check = in->check;
    const uint64_t size = check->model->bytes.size;
    if (in->is_cut && !check->at_end && check->wanted == 0 && size < LONGEST_WAIT) {
        check->wanted = 2 * size;
    }
}

static bool infer_types(hmd_check *check)
{
    const hmd_model *model = check->model;
    hmd_inference in = {.check = check,
                        .left = (uint64_t)model->num_words * WORK_PER_WORD + LEAST_WORK};
    const size_t mark = fh_arena_mark(check->arena);
    uint32_t *order = sort_records(check);
    in.users = hmd_table(check, model->num_headers, sizeof *in.users);
    if (order == NULL || in.users == NULL || !make_starts(check, &in.known) ||
        !make_starts(check, &in.vertices) || !make_starts(check, &in.normals)) {
        return false;
    }
    mark_structure(&in);
    for (uint32_t i = 0; i < model->num_records && hmd_infer_pay(&in, 1); i++) {
        mark_record(&in, &model->records[i]);
        note_user(&in, &model->records[i]);
    }
    infer_all(&in, order);
    wait_for_more(&in);
    fh_arena_reset(check->arena, mark);
    return !check->stopped;
}

/* ---- interpolation tables ----------------------------------------------------------------------
 */

/* A table is scanned in one go: its types are all there, or none is. */
static bool has_lost_functions(hmd_check *check, const hmd_record *record)
{
    const hmd_model *model = check->model;
    const hmd_arg table = hmd_arg_of(model, hmd_header_of(model, record), HMD_ARG_TABLE);
    const uint32_t num = hmd_word(model, table.off) & ~HMD_MSB; /* 0 outside the bytes */
    for (uint32_t i = 0; i < num && i < HMD_MOST_TYPES && hmd_spend(check, 1); i++) {
        const uint32_t word = hmd_word(model, table.off + 1 + i);
        if (hmd_is_driver(model, word) && !hmd_has_driver(word)) {
            return true;
        }
    }
    return false;
}

static void find_unplayable(hmd_check *check)
{
    hmd_model *model = check->model;
    for (uint32_t i = 0; i < model->num_records && hmd_spend(check, 1); i++) {
        hmd_record *record = &model->records[i];
        record->is_unplayable =
            record->category == HMD_ANIMATION && has_lost_functions(check, record);
    }
}

/* ---- stages -----------------------------------------------------------------------------------
 */

static bool is_running(const hmd_sequence *sequence)
{
    return sequence->ii != 0 || sequence->aframe != 0 || sequence->tframe != 0 ||
           sequence->ci != 0 || sequence->ti != 0 || sequence->traveling != 0;
}

static bool plays_animation(hmd_check *check)
{
    const hmd_model *model = check->model;
    for (uint32_t i = 0; i < model->num_records && hmd_spend(check, 1); i++) {
        const hmd_record *record = &model->records[i];
        uint32_t off = record->off + 2;
        uint32_t left = record->category == HMD_ANIMATION ? record->count : 0;
        hmd_sequence sequence;
        while (hmd_spend(check, HMD_SEQUENCE_WORDS) &&
               hmd_animation_next(check, &off, &left, &sequence)) {
            if (is_running(&sequence)) {
                return true;
            }
        }
    }
    return false;
}

/* The library stamps a coordinate when it has computed its world matrix. */
static bool has_world_matrices(hmd_check *check)
{
    const hmd_model *model = check->model;
    for (uint32_t i = 0; i < model->num_units && hmd_spend(check, 8); i++) {
        const uint32_t unit = hmd_unit(model, i);
        if (hmd_word(model, unit + HMD_FLAG_WORD) != 0) {
            return true;
        }
        for (uint32_t k = HMD_WORKM_WORD; k < HMD_ROT_WORD; k++) {
            if (hmd_word(model, unit + k) != 0) {
                return true;
            }
        }
    }
    return false;
}

static uint32_t count_scanned(hmd_check *check)
{
    const hmd_model *model = check->model;
    uint32_t num = 0;
    for (uint32_t i = 0; i < model->num_records && hmd_spend(check, 1); i++) {
        num += (hmd_word(model, model->records[i].off + 1) & HMD_MSB) == 0 ? 1 : 0;
    }
    return num;
}

static bool has_split_header(hmd_check *check)
{
    const hmd_model *model = check->model;
    bool found = false;
    for (uint32_t i = 0; i < model->num_headers && !found && hmd_spend(check, 1); i++) {
        found = model->headers[i].is_split;
    }
    return found;
}

unsigned hmd_stage_marks(hmd_check *check)
{
    const hmd_model *model = check->model;
    unsigned marks = 1u << HMD_STAGE_MAPPED;
    if (model->num_records > 0 && count_scanned(check) == model->num_records) {
        marks |= 1u << HMD_STAGE_SCANNED;
    }
    if (model->has_unit_maps || has_split_header(check)) {
        marks |= 1u << HMD_STAGE_COORDINATES;
    }
    if (plays_animation(check) || has_world_matrices(check)) {
        marks |= 1u << HMD_STAGE_PLAYING;
    }
    return marks;
}

static void find_stage(hmd_check *check)
{
    const unsigned marks = hmd_stage_marks(check);
    for (hmd_stage stage = HMD_STAGE_MAPPED; stage <= HMD_STAGE_PLAYING; stage++) {
        if ((marks >> stage & 1) != 0) {
            check->model->stage = stage;
        }
    }
}

bool hmd_infer(hmd_check *check)
{
    hmd_model *model = check->model;
    if (!hmd_is_memory(model)) {
        return true;
    }
    model->is_unscanned = count_scanned(check) == 0;
    if (!model->is_unscanned &&
        (!collect_aliases(check) || (model->num_aliases > 0 && !infer_types(check)))) {
        return false;
    }
    find_unplayable(check);
    find_stage(check);
    return !check->stopped;
}
