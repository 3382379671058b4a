#include "hmd/hmd_interp.h"

#include <assert.h>

enum {
    TYPE_COORDINATE = 0x0300,
    TYPE_GENERAL = 0x0301,
    NUM_AXES = 3,
    NUM_HISTORY = 4,
    FIRST_BEHIND = 3 /* the cell behind the three of a vector */
};

/* ---- type words ---- */

/* By nibble; a nibble without an entry has no function. Values of `off` come later. */
static const hmd_interp_part translations[16] = {
    [0x1] = {HMD_CURVE_LINEAR, 0, 4, NUM_AXES}, [0x2] = {HMD_CURVE_BEZIER, 0, 4, NUM_AXES},
    [0x3] = {HMD_CURVE_SPLINE, 0, 4, NUM_AXES}, [0x9] = {HMD_CURVE_LINEAR, 0, 2, NUM_AXES},
    [0xa] = {HMD_CURVE_BEZIER, 0, 2, NUM_AXES}, [0xb] = {HMD_CURVE_SPLINE, 0, 2, NUM_AXES},
};
static const hmd_interp_part rotations[16] = {
    [0x1] = {HMD_CURVE_LINEAR, 0, 2, NUM_AXES},
    [0x2] = {HMD_CURVE_BEZIER, 0, 2, NUM_AXES},
    [0x3] = {HMD_CURVE_SPLINE, 0, 2, NUM_AXES},
};
static const hmd_interp_part scales[16] = {
    [0x1] = {HMD_CURVE_LINEAR, 0, 2, NUM_AXES},
    [0x9] = {HMD_CURVE_LINEAR, 0, 2, 1},
};

/* Which translations (bit = nibble) go with a scale and a rotation, by their nibbles. */
static const uint16_t translations_with[16][16] = {
    [0x0] = {0x0e0e, 0x0e0f, 0x0e0f, 0x0e0f},
    [0x1] = {0x0001, 0x0606},
    [0x9] = {0x0606, 0x0607},
};

/* Which masks (bit = nibble) go with an algorithm and a length of cells. */
static const uint16_t cell_masks[4][3] = {
    [HMD_CURVE_LINEAR] = {0x0002, 0x0096, 0x0196},
    [HMD_CURVE_BEZIER] = {0x0002, 0x0096, 0x0096},
    [HMD_CURVE_SPLINE] = {0x0002, 0x0096, 0x0096},
};

#define ANY_ORDER 0xffff0fffu
#define ONE_TYPE 0xffffffffu

static const struct defective {
    uint32_t mask, word;
    hmd_defect defect;
} defective_types[] = {
    {ANY_ORDER, 0x03000023, HMD_DEFECT_ROTATION_LOST},
    {ANY_ORDER, 0x0300002b, HMD_DEFECT_ROTATION_LOST},
    {ANY_ORDER, 0x03000010, HMD_DEFECT_SAVES_PAD},
    {ANY_ORDER, 0x0300001b, HMD_DEFECT_SAVES_TO_ROT},
    {ONE_TYPE, 0x03000901, HMD_DEFECT_SAVES_ROT},
    {ONE_TYPE, 0x03000902, HMD_DEFECT_SAVES_ROT},
    {ONE_TYPE, 0x03010171, HMD_DEFECT_SAVES_BEHIND},
    {ONE_TYPE, 0x03010172, HMD_DEFECT_SAVES_BEHIND},
    {ONE_TYPE, 0x03010222, HMD_DEFECT_SAVES_FROM_FIRST},
    {ONE_TYPE, 0x03010242, HMD_DEFECT_SAVES_FROM_FIRST},
};

static const char *const defect_names[] = {
    [HMD_DEFECT_NONE] = NULL,
    [HMD_DEFECT_ROTATION_LOST] = "the key's rotation is ignored, the translation's spline turns",
    [HMD_DEFECT_SAVES_PAD] = "saving writes the rotation's pad as well",
    [HMD_DEFECT_SAVES_TO_ROT] = "saving writes the translation over the rotation",
    [HMD_DEFECT_SAVES_ROT] = "saving writes the rotation over the translation",
    [HMD_DEFECT_SAVES_BEHIND] = "saving writes the cell behind the three alone",
    [HMD_DEFECT_SAVES_FROM_FIRST] = "saving writes all cells from the first to its own",
};

static unsigned nibble(uint32_t word, unsigned i)
{
    return word >> (4 * i) & 0xf;
}

static unsigned num_points(const hmd_interp_part *part)
{
    return part->curve == HMD_CURVE_BEZIER ? 3 : 1;
}

/* 0x0300rSRT. An order without a rotation has no function. */
static bool describe_coordinate(hmd_interp_type *out, uint32_t word)
{
    const unsigned order = nibble(word, 3);
    const unsigned scale = nibble(word, 2);
    const unsigned rotation = nibble(word, 1);
    const unsigned translation = nibble(word, 0);
    if ((translations_with[scale][rotation] >> translation & 1) == 0 || order >= FX_NUM_ORDERS ||
        (rotation == 0 && order != 0)) {
        return false;
    }
    out->order = (fx_order)order;
    out->parts[HMD_PART_TRANSLATION] = translations[translation];
    out->parts[HMD_PART_ROTATION] = rotations[rotation];
    out->parts[HMD_PART_SCALE] = scales[scale];
    out->is_scale_only = scale != 0 && rotation == 0;
    return true;
}

/* 0x03010AWL. */
static bool describe_general(hmd_interp_type *out, uint32_t word)
{
    const unsigned curve = nibble(word, 2);
    const unsigned mask = nibble(word, 1);
    const unsigned length = nibble(word, 0);
    if (nibble(word, 3) != 0 || curve > HMD_CURVE_SPLINE || length > 2 ||
        (cell_masks[curve][length] >> mask & 1) == 0) {
        return false;
    }
    out->is_general = true;
    out->cell_mask = (uint8_t)mask;
    out->parts[HMD_PART_CELLS] =
        (hmd_interp_part){(uint8_t)curve, 0, (uint8_t)(4 >> length), mask == 0x7 ? NUM_AXES : 1};
    return true;
}

/* The parts of a key follow each other without gaps. */
static void lay_out(hmd_interp_type *out)
{
    uint32_t len = 0;
    for (unsigned i = 0; i < HMD_NUM_PARTS; i++) {
        hmd_interp_part *part = &out->parts[i];
        if (part->curve != HMD_CURVE_NONE) {
            part->off = (uint8_t)len;
            len += (uint32_t)part->cell_len * part->num_values * num_points(part);
        }
        out->has_spline = out->has_spline || part->curve == HMD_CURVE_SPLINE;
    }
    out->key_len = (len + 3) & ~3u;
}

bool hmd_interp_describe(hmd_interp_type *out, uint32_t type)
{
    const uint32_t category = type >> 16;
    *out = (hmd_interp_type){0};
    const bool is_known = category == TYPE_COORDINATE ? describe_coordinate(out, type)
                          : category == TYPE_GENERAL  ? describe_general(out, type)
                                                      : false;
    if (!is_known) {
        return false;
    }
    out->word = type;
    lay_out(out);
    for (unsigned i = 0; i < sizeof defective_types / sizeof defective_types[0]; i++) {
        if ((type & defective_types[i].mask) == defective_types[i].word) {
            out->defect = defective_types[i].defect;
        }
    }
    out->defect_name = defect_names[out->defect];
    return true;
}

bool hmd_interp_same_key(const hmd_interp_type *a, const hmd_interp_type *b)
{
    for (unsigned i = 0; i < HMD_NUM_PARTS; i++) {
        const hmd_interp_part *p = &a->parts[i];
        const hmd_interp_part *q = &b->parts[i];
        if (p->off != q->off || p->cell_len != q->cell_len || p->num_values != q->num_values ||
            num_points(p) != num_points(q)) {
            return false;
        }
    }
    return true;
}

/* The first cell that a general type writes. */
static unsigned first_cell(const hmd_interp_type *type)
{
    unsigned first = 0;
    while ((type->cell_mask >> first & 1) == 0) {
        first++;
    }
    return first;
}

unsigned hmd_interp_num_saved(const hmd_interp_type *type, hmd_part_name part)
{
    switch (type->defect) {
    case HMD_DEFECT_SAVES_PAD: /* of types that have nothing but a rotation */
        return NUM_AXES + 1;
    case HMD_DEFECT_SAVES_BEHIND:
        return 1;
    case HMD_DEFECT_SAVES_FROM_FIRST:
        return first_cell(type) + 1;
    default:
        return type->parts[part].num_values;
    }
}

/* ---- one run ---- */

typedef struct run {
    hmd_image *image;
    const hmd_interp_type *type;
    const hmd_interp_call *call;
    hmd_interp_notice *notice;
    int32_t t;                     /* how far the cubics are, 0xffff = at the target */
    uint32_t history[NUM_HISTORY]; /* offsets of the keys, once the history is complete */
    int32_t value[HMD_NUM_PARTS][NUM_AXES];
    hmd_interp_result result;
} run;

/* A row of cells of one length somewhere in the image. */
typedef struct cells {
    hmd_interp_place place;
    uint32_t off;
    uint32_t add; /* bytes from off to the first one */
    unsigned len; /* bytes of a cell: 4 or 2, signed, or 1, unsigned */
} cells;

static bool leave(run *r, hmd_interp_place place, uint64_t off)
{
    r->result.end = HMD_INTERP_OUTSIDE;
    r->result.place = place;
    r->result.off = off;
    return false;
}

static bool load(run *r, const cells *from, unsigned index, int32_t *out)
{
    const uint64_t off = (uint64_t)from->off + from->add + (uint64_t)index * from->len;
    uint8_t byte = 0;
    int16_t half = 0;
    bool inside = off <= UINT32_MAX;
    if (inside && from->len == 1) {
        inside = hmd_image_u8(r->image, (uint32_t)off, &byte);
        *out = byte;
    } else if (inside && from->len == 2) {
        inside = hmd_image_s16(r->image, (uint32_t)off, &half);
        *out = half;
    } else if (inside) {
        inside = hmd_image_s32(r->image, (uint32_t)off, out);
    }
    return inside ? true : leave(r, from->place, off);
}

static void note_change(hmd_interp_result *result, uint32_t word)
{
    const bool is_first = result->end_changed == 0;
    if (is_first || word < result->first_changed) {
        result->first_changed = word;
    }
    if (is_first || word >= result->end_changed) {
        result->end_changed = word + 1;
    }
}

static bool store(run *r, const cells *to, unsigned index, int32_t value)
{
    static bool (*const puts[5])(hmd_image *, uint32_t, uint32_t) = {
        [1] = hmd_image_put8, [2] = hmd_image_put16, [4] = hmd_image_put32};
    const uint64_t off = (uint64_t)to->off + to->add + (uint64_t)index * to->len;
    const uint32_t word = (uint32_t)(off / 4);
    uint32_t before = 0;
    if (off > UINT32_MAX || !hmd_image_u32(r->image, 4 * word, &before) ||
        !puts[to->len](r->image, (uint32_t)off, (uint32_t)value)) {
        return leave(r, to->place, off);
    }
    if (r->image->words[word] != before) {
        note_change(&r->result, word);
    }
    return true;
}

static cells cells_of_key(const hmd_interp_part *part, hmd_interp_place place, uint32_t off)
{
    return (cells){place, off, part->off, part->cell_len};
}

static cells cells_of_update(const run *r, uint32_t add, unsigned len)
{
    return (cells){HMD_PLACE_UPDATE, r->call->update_off, add, len};
}

static void remark(hmd_interp_remark *out, unsigned part, unsigned axis, int64_t value)
{
    if (!out->seen) {
        *out = (hmd_interp_remark){true, (uint8_t)part, (uint8_t)axis, value};
    }
}

/* ---- curves ---- */

static bool linear(run *r, unsigned name, unsigned axis)
{
    const hmd_interp_part *part = &r->type->parts[name];
    const cells src = cells_of_key(part, HMD_PLACE_SRC, r->call->src_off);
    const cells dst = cells_of_key(part, HMD_PLACE_DST, r->call->dst_off);
    int32_t a;
    int32_t b;
    if (!load(r, &src, axis, &a) || !load(r, &dst, axis, &b)) {
        return false;
    }
    const int32_t rf = r->call->rframe;
    const int32_t tf = r->call->tframe;
    const int64_t sum = (int64_t)a * rf + (int64_t)b * (tf - rf);
    if (fx_w32(sum) != sum) {
        remark(&r->notice->linear, name, axis, sum);
    }
    r->value[name][axis] = fx_w32(sum) / tf;
    return true;
}

/* Stored to 16 bits, translations of 32 bits too. */
static int32_t coefficient(run *r, unsigned name, unsigned axis, int64_t exact, int32_t stored)
{
    const int32_t kept = fx_w16(stored);
    if (kept != exact) {
        remark(&r->notice->coefficient, name, axis, exact);
    }
    return kept;
}

/* The product of the parameter and a sum, in the upper half of 32 bits. */
static int32_t cubic_step(run *r, unsigned name, unsigned axis, int64_t sum)
{
    const int64_t exact = fx_w32(sum) * (int64_t)r->t;
    if (fx_w32(exact) != exact) {
        remark(&r->notice->step, name, axis, exact);
    }
    return fx_w32(exact) >> 16;
}

static void cubic(run *r, unsigned name, unsigned axis, const int32_t c[4])
{
    int32_t v = cubic_step(r, name, axis, c[0]);
    v = cubic_step(r, name, axis, (int64_t)v + c[1]);
    v = cubic_step(r, name, axis, (int64_t)v + c[2]);
    r->value[name][axis] = fx_w32((int64_t)v + c[3]);
}

/* Three points of the source's key and the first one of the target's. */
static bool bezier(run *r, unsigned name, unsigned axis)
{
    const hmd_interp_part *part = &r->type->parts[name];
    const cells src = cells_of_key(part, HMD_PLACE_SRC, r->call->src_off);
    const cells dst = cells_of_key(part, HMD_PLACE_DST, r->call->dst_off);
    int32_t p[4];
    for (unsigned i = 0; i < 3; i++) {
        if (!load(r, &src, i * part->num_values + axis, &p[i])) {
            return false;
        }
    }
    if (!load(r, &dst, axis, &p[3])) {
        return false;
    }
    const int64_t exact[4] = {-(int64_t)p[0] + 3 * ((int64_t)p[1] - p[2]) + p[3],
                              3 * ((int64_t)p[0] + p[2]) - 6 * (int64_t)p[1],
                              3 * ((int64_t)p[1] - p[0]), p[0]};
    int32_t c[4];
    for (unsigned i = 0; i < 4; i++) {
        c[i] = coefficient(r, name, axis, exact[i], fx_w32(exact[i]));
    }
    cubic(r, name, axis, c);
    return true;
}

static bool spline(run *r, unsigned name, unsigned axis)
{
    /* 682 and 2730 stand for 4096 / 6 and 4096 * 2 / 3, so that the weights are a little short. */
    static const int16_t weights[4][NUM_HISTORY] = {
        {-682, 2048, -2048, 682}, {2048, -4096, 2048, 0}, {-2048, 0, 2048, 0}, {682, 2730, 682, 0}};
    int32_t q[NUM_HISTORY];
    for (unsigned i = 0; i < NUM_HISTORY; i++) {
        const cells key = cells_of_key(&r->type->parts[name], HMD_PLACE_HISTORY, r->history[i]);
        if (!load(r, &key, axis, &q[i])) {
            return false;
        }
    }
    int32_t c[4];
    for (unsigned i = 0; i < 4; i++) {
        int64_t sum = 0;
        for (unsigned k = 0; k < NUM_HISTORY; k++) {
            sum += (int64_t)weights[i][k] * q[k];
        }
        c[i] = coefficient(r, name, axis, sum >> 12, fx_w32(sum) >> 12);
    }
    cubic(r, name, axis, c);
    return true;
}

/* Computes all values of a part into r->value. */
static bool evaluate(run *r, unsigned name)
{
    static bool (*const curves[])(run *, unsigned, unsigned) = {
        [HMD_CURVE_LINEAR] = linear, [HMD_CURVE_BEZIER] = bezier, [HMD_CURVE_SPLINE] = spline};
    const hmd_interp_part *part = &r->type->parts[name];
    for (unsigned axis = 0; axis < part->num_values; axis++) {
        if (!curves[part->curve](r, name, axis)) {
            return false;
        }
    }
    return true;
}

/* ---- saving the current value into a key ---- */

static bool copy(run *r, const cells *from, unsigned first, unsigned num, const cells *to)
{
    for (unsigned i = 0; i < num; i++) {
        int32_t value;
        if (!load(r, from, first + i, &value) || !store(r, to, i, value)) {
            return false;
        }
    }
    return true;
}

static bool save_translation(run *r)
{
    const hmd_interp_part *part = &r->type->parts[HMD_PART_TRANSLATION];
    const cells to = cells_of_key(part, HMD_PLACE_INTR, r->call->intr_off);
    const bool rot = r->type->defect == HMD_DEFECT_SAVES_ROT;
    const cells from = rot ? cells_of_update(r, HMD_UNIT_ROTATION, 2)
                           : cells_of_update(r, HMD_UNIT_TRANSLATION, 4);
    return r->type->defect == HMD_DEFECT_SAVES_TO_ROT || copy(r, &from, 0, NUM_AXES, &to);
}

static bool save_rotation(run *r)
{
    const hmd_interp_part *part = &r->type->parts[HMD_PART_ROTATION];
    const cells to = cells_of_key(part, HMD_PLACE_INTR, r->call->intr_off);
    const bool trans = r->type->defect == HMD_DEFECT_SAVES_TO_ROT;
    const cells from = trans ? cells_of_update(r, HMD_UNIT_TRANSLATION, 4)
                             : cells_of_update(r, HMD_UNIT_ROTATION, 2);
    return copy(r, &from, 0, hmd_interp_num_saved(r->type, HMD_PART_ROTATION), &to);
}

/* The unit does not hold the scale. */
static bool save_scale(run *r)
{
    const hmd_interp_part *part = &r->type->parts[HMD_PART_SCALE];
    const cells to = cells_of_key(part, HMD_PLACE_INTR, r->call->intr_off);
    for (unsigned i = 0; i < part->num_values; i++) {
        if (!store(r, &to, i, r->value[HMD_PART_SCALE][i])) {
            return false;
        }
    }
    return true;
}

static bool save_cells(run *r)
{
    const hmd_interp_part *part = &r->type->parts[HMD_PART_CELLS];
    const cells to = cells_of_key(part, HMD_PLACE_INTR, r->call->intr_off);
    const cells from = cells_of_update(r, 0, part->cell_len);
    const unsigned first = r->type->defect == HMD_DEFECT_SAVES_BEHIND       ? FIRST_BEHIND
                           : r->type->defect == HMD_DEFECT_SAVES_FROM_FIRST ? 0
                                                                            : first_cell(r->type);
    return copy(r, &from, first, hmd_interp_num_saved(r->type, HMD_PART_CELLS), &to);
}

static bool save(run *r)
{
    static bool (*const saves[HMD_NUM_PARTS])(run *) = {
        [HMD_PART_TRANSLATION] = save_translation,
        [HMD_PART_ROTATION] = save_rotation,
        [HMD_PART_SCALE] = save_scale,
        [HMD_PART_CELLS] = save_cells,
    };
    for (unsigned i = 0; i < HMD_NUM_PARTS; i++) {
        if (r->type->parts[i].curve != HMD_CURVE_NONE && !saves[i](r)) {
            return false;
        }
    }
    return true;
}

/* ---- the parts ---- */

/* The rotation, which lies behind the matrix, has been stored by now, or the matrix has been read.
 */
static void store_matrix(run *r, const fx_matrix *matrix)
{
    const cells to = cells_of_update(r, HMD_UNIT_MATRIX, 2);
    for (unsigned i = 0; i < 9; i++) {
        const bool is_stored = store(r, &to, i, matrix->m[i / 3][i % 3]);
        assert(is_stored);
        (void)is_stored;
    }
}

static bool load_matrix(run *r, fx_matrix *matrix)
{
    const cells from = cells_of_update(r, HMD_UNIT_MATRIX, 2);
    for (unsigned i = 0; i < 9; i++) {
        int32_t element;
        if (!load(r, &from, i, &element)) {
            return false;
        }
        matrix->m[i / 3][i % 3] = (int16_t)element;
    }
    return true;
}

static bool translate(run *r)
{
    const cells to = cells_of_update(r, HMD_UNIT_TRANSLATION, 4);
    if (!evaluate(r, HMD_PART_TRANSLATION)) {
        return false;
    }
    for (unsigned i = 0; i < NUM_AXES; i++) {
        if (!store(r, &to, i, r->value[HMD_PART_TRANSLATION][i])) {
            return false;
        }
    }
    return true;
}

static bool rotate(run *r)
{
    const bool lost = r->type->defect == HMD_DEFECT_ROTATION_LOST;
    const cells to = cells_of_update(r, HMD_UNIT_ROTATION, 2);
    if (!lost && !evaluate(r, HMD_PART_ROTATION)) {
        return false;
    }
    const int32_t *value = r->value[lost ? HMD_PART_TRANSLATION : HMD_PART_ROTATION];
    int16_t angle[NUM_AXES];
    for (unsigned i = 0; i < NUM_AXES; i++) {
        angle[i] = fx_w16(value[i]);
        if (!store(r, &to, i, angle[i])) {
            return false;
        }
    }
    fx_matrix matrix = {0};
    fx_rotate(&matrix, angle, r->type->order);
    store_matrix(r, &matrix);
    return true;
}

static bool scale(run *r)
{
    fx_matrix matrix = {0};
    int32_t *value = r->value[HMD_PART_SCALE];
    if (!evaluate(r, HMD_PART_SCALE) || !load_matrix(r, &matrix)) {
        return false;
    }
    if (r->type->parts[HMD_PART_SCALE].num_values == 1) {
        value[1] = value[2] = value[0];
    }
    const bool was_singular = fx_is_singular(matrix.m);
    r->notice->scale_wrapped = !fx_scale(&matrix, value);
    r->notice->became_singular = !was_singular && fx_is_singular(matrix.m);
    store_matrix(r, &matrix);
    return true;
}

static bool write_cells(run *r)
{
    const hmd_interp_part *part = &r->type->parts[HMD_PART_CELLS];
    const cells to = cells_of_update(r, 0, part->cell_len);
    const unsigned first = first_cell(r->type);
    if (!evaluate(r, HMD_PART_CELLS)) {
        return false;
    }
    for (unsigned i = 0; i < part->num_values; i++) {
        if (!store(r, &to, first + i, r->value[HMD_PART_CELLS][i])) {
            return false;
        }
    }
    return true;
}

static bool write_parts(run *r)
{
    static bool (*const writes[HMD_NUM_PARTS])(run *) = {
        [HMD_PART_TRANSLATION] = translate,
        [HMD_PART_ROTATION] = rotate,
        [HMD_PART_SCALE] = scale,
        [HMD_PART_CELLS] = write_cells,
    };
    for (unsigned i = 0; i < HMD_NUM_PARTS; i++) {
        if (r->type->parts[i].curve != HMD_CURVE_NONE && !writes[i](r)) {
            return false;
        }
    }
    const cells flag = cells_of_update(r, HMD_UNIT_FLAG, 4);
    return r->type->is_general || store(r, &flag, 0, 0);
}

/* ---- the history of splines ---- */

static bool load_history(run *r, uint32_t entry[NUM_HISTORY])
{
    const cells work = {HMD_PLACE_WORK, r->call->history_off, 0, 4};
    for (unsigned i = 0; i < NUM_HISTORY; i++) {
        int32_t value;
        if (!load(r, &work, i, &value)) {
            return false;
        }
        entry[i] = (uint32_t)value;
    }
    return true;
}

static void store_history(run *r, const uint32_t entry[NUM_HISTORY])
{
    const cells work = {HMD_PLACE_WORK, r->call->history_off, 0, 4};
    for (unsigned i = 0; i < NUM_HISTORY; i++) {
        const bool stored = store(r, &work, i, fx_w32(entry[i]));
        assert(stored); /* all four have been read */
        (void)stored;
    }
}

static bool again(run *r)
{
    r->result.end = HMD_INTERP_AGAIN;
    return false;
}

static bool empty(run *r, unsigned i)
{
    r->result.end = HMD_INTERP_EMPTY_HISTORY;
    r->result.place = HMD_PLACE_HISTORY;
    r->result.off = i;
    return false;
}

static unsigned first_empty(const uint32_t entry[NUM_HISTORY])
{
    unsigned i = 0;
    while (i < NUM_HISTORY && entry[i] != 0) {
        i++;
    }
    return i;
}

/* One entry was shifted too early when play turned round: it is taken back. */
static void take_back(uint32_t entry[NUM_HISTORY], bool forward)
{
    entry[forward ? 2 : 1] = entry[forward ? 1 : 2];
    entry[forward ? 1 : 2] = 0;
}

static void shift(uint32_t entry[NUM_HISTORY], uint32_t src, uint32_t dst, bool forward)
{
    entry[forward ? 0 : 3] = entry[forward ? 1 : 2];
    entry[forward ? 1 : 2] = entry[forward ? 2 : 1];
    entry[forward ? 2 : 0] = src;
    entry[forward ? 3 : 1] = dst;
}

/* Addresses have 32 bits, and wrap: a key may be announced anywhere. */
static uint32_t address_of(const run *r, uint32_t off)
{
    return (uint32_t)(((uint64_t)r->image->base + off) & UINT32_MAX);
}

/* What is in front of the image, as an empty entry is, lies far behind it. */
static uint32_t offset_of(const run *r, uint32_t address)
{
    const uint64_t beyond = (uint64_t)1 << 32;
    return (uint32_t)((beyond + address - r->image->base) & UINT32_MAX);
}

/* Brings the history up to date. true when the curves can be evaluated. */
static bool remember(run *r)
{
    const hmd_interp_call *call = r->call;
    const bool forward = call->speed >= 0;
    const uint32_t src = address_of(r, call->src_off);
    uint32_t entry[NUM_HISTORY];
    if (!load_history(r, entry)) {
        return false;
    }
    if (entry[1] == src) {
        take_back(entry, forward);
        store_history(r, entry);
        return again(r);
    }
    const bool begins = call->tframe == 0 || call->rframe == (forward ? call->tframe : 0);
    if (begins) {
        shift(entry, src, address_of(r, call->dst_off), forward);
        store_history(r, entry);
    }
    const unsigned hole = first_empty(entry);
    if ((begins && hole < NUM_HISTORY) || call->tframe == 0) {
        return again(r);
    }
    for (unsigned i = 0; i < NUM_HISTORY; i++) {
        r->history[i] = offset_of(r, entry[i]);
    }
    return hole == NUM_HISTORY ? true : empty(r, hole);
}

hmd_interp_result hmd_interp_run(hmd_image *image, const hmd_interp_type *type,
                                 const hmd_interp_call *call, hmd_interp_notice *notice)
{
    run r = {.image = image, .type = type, .call = call, .notice = notice};
    *notice = (hmd_interp_notice){0};
    if (!(type->has_spline ? remember(&r) : call->tframe != 0 ? true : again(&r))) {
        return r.result;
    }
    const int64_t gone = (int64_t)call->tframe - call->rframe;
    r.t = fx_w32(gone * 0xffff) / call->tframe;
    if (write_parts(&r) && call->intr_off != HMD_NO_KEY) {
        (void)save(&r);
    }
    return r.result;
}
