#include "hmd/hmd_infer.h"
#include "hmd/hmd_polygons.h"

enum { LIGHT_OFF = 0x00040000, SUBDIVIDED = 0x00010000, MOST_DIVISION = 5, NO_NORMALS = 0x40 };

/* ---- areas ------------------------------------------------------------------------------------
 */

/* Numbers of vertices reach over all sections of vertices that lie one behind the other, and so do
 * those of normals. Returns how many elements there are from a section on. */
static uint32_t num_elements(hmd_inference *in, const hmd_starts *kind, uint32_t section)
{
    uint32_t end = hmd_infer_next(in, section);
    while (end < kind->num_words && (kind->bits[end / 32] >> end % 32 & 1) != 0 &&
           hmd_infer_pay(in, 1)) {
        end = hmd_infer_next(in, end);
    }
    /* A section behind the bytes may be one more of them. */
    return end < kind->num_words ? (end - section) / 2 : HMD_MOST_WORDS;
}

bool hmd_infer_area(hmd_inference *in, const hmd_shape *shape, uint8_t category, hmd_area *out)
{
    const hmd_model *model = in->check->model;
    /* Only the category decides which arguments are which; the layout does not matter. */
    const hmd_record as = {.category = category == HMD_SHARED ? HMD_SHARED : HMD_POLYGONS};
    const hmd_polygon_args args = hmd_polygon_args_of(&as);
    const hmd_arg polygons = hmd_arg_of(model, shape->header, args.polygons);
    const hmd_arg vertices = hmd_arg_of(model, shape->header, args.vertices);
    const hmd_arg normals = hmd_arg_of(model, shape->header, args.normals);
    const uint64_t first =
        (uint64_t)polygons.off + (hmd_word(model, shape->record->off + 2) & 0xffffff);
    if (shape->record->size != 2 || !hmd_infer_has(in, first, 1) ||
        !hmd_infer_has(in, vertices.off, 0) || !hmd_infer_has(in, normals.off, 0)) {
        return false;
    }
    *out = (hmd_area){.num_vertices = num_elements(in, &in->vertices, vertices.off),
                      .num_normals = num_elements(in, &in->normals, normals.off),
                      .first = (uint32_t)first,
                      .next = hmd_infer_next(in, (uint32_t)first)};
    return true;
}

/* ---- packets ----------------------------------------------------------------------------------
 */

static bool fits_half(const hmd_area *area, uint8_t kind, uint32_t value)
{
    switch (kind) {
    case HMD_HALF_PAD:
        return value == 0;
    case HMD_HALF_VERTEX:
        return value < area->num_vertices;
    case HMD_HALF_NORMAL:
        return value < area->num_normals;
    default:
        return true;
    }
}

static bool fits_word(const hmd_area *area, const hmd_packet_word *what, uint32_t word)
{
    switch (what->kind) {
    case HMD_WORD_CODE:
        return (word >> 24 & 0xfc) == what->code;
    case HMD_WORD_COLOUR:
        return word >> 24 == 0;
    case HMD_WORD_WINDOW:
        return word >> 24 == 0xe2;
    case HMD_WORD_NUM:
        return word >= 2 && word <= 0xffff;
    case HMD_WORD_HALVES:
        return fits_half(area, what->low, hmd_low(word)) &&
               fits_half(area, what->high, hmd_high(word));
    default:
        return true;
    }
}

/* What leaves the bytes may be there all the same, and cannot be looked at. */
static bool fits_run(hmd_inference *in, const hmd_area *area, uint64_t end)
{
    in->is_cut = in->is_cut || (end <= area->next && end > in->check->model->num_words);
    return end <= area->next;
}

static bool fits_packet(hmd_inference *in, const hmd_area *area, const hmd_packet_word *words,
                        uint32_t num, uint64_t off)
{
    if (!fits_run(in, area, off + num) || !hmd_infer_pay(in, 1)) {
        return false;
    }
    for (uint32_t i = 0; i < num && off + i < in->check->model->num_words; i++) {
        if (!hmd_infer_pay(in, 1) ||
            !fits_word(area, &words[i], hmd_word(in->check->model, (uint32_t)off + i))) {
            return false;
        }
    }
    return true;
}

/* Walks a packet, or a whole mesh; off moves behind it. */
static bool fits_mesh(hmd_inference *in, const hmd_area *area, const hmd_packet_layout *layout,
                      uint64_t *off)
{
    if (!fits_packet(in, area, layout->first, layout->num_first, *off)) {
        return false;
    }
    const uint32_t num = layout->is_mesh ? hmd_word(in->check->model, (uint32_t)*off) : 1;
    *off += layout->num_first;
    for (uint32_t i = 1; i < num; i++) {
        if (!fits_packet(in, area, layout->more, layout->num_more, *off)) {
            return false;
        }
        *off += layout->num_more;
    }
    return true;
}

/* The upper byte of the index is for drivers that subdivide, which know the plain packets only. */
static bool fits_division(const hmd_model *model, const hmd_shape *shape, uint8_t category,
                          size_t layout)
{
    const uint32_t division = hmd_word(model, shape->record->off + 2) >> 24;
    return division <= MOST_DIVISION &&
           hmd_infer_packet_type(model, shape, category, layout) != HMD_NO_TYPE;
}

hmd_fit hmd_infer_fit_packets(hmd_inference *in, const hmd_shape *shape, uint8_t category,
                              size_t layout, const hmd_area *area)
{
    const hmd_packet_layout *what = hmd_packet_layouts[layout];
    uint64_t off = area->first;
    if (!fits_division(in->check->model, shape, category, layout)) {
        return HMD_FIT_NOT;
    }
    if (!what->is_mesh &&
        !fits_run(in, area, off + (uint64_t)what->num_first * shape->record->count)) {
        return HMD_FIT_NOT;
    }
    for (uint32_t i = 0; i < shape->record->count; i++) {
        if (!fits_mesh(in, area, what, &off)) {
            return HMD_FIT_NOT;
        }
    }
    return off == area->next || area->next == HMD_MOST_WORDS || shape->record->count == 0
               ? HMD_FIT_EXACT
               : HMD_FIT_LOOSE;
}

/* ---- types ------------------------------------------------------------------------------------
 */

/* Of the environment maps with one layout, the first whose textures the header has: which of the
 * reflections it is cannot be seen. */
static uint32_t map_type(const hmd_shape *shape, uint32_t layout)
{
    static const struct {
        uint32_t type;
        uint8_t textures; /* arguments that must be pointers: tex1 3, tex2 4, tex3 6 */
    } maps[] = {{0x06004000, 1u << 4 | 1u << 6},
                {0x06002000, 1u << 4},
                {0x06003000, 1u << 6},
                {0x06001000, 1u << 3},
                {HMD_NO_TYPE, 0}}; /* which every header has */
    size_t i = 0;
    while ((shape->pointers & maps[i].textures) != maps[i].textures) {
        i++;
    }
    return maps[i].type | layout;
}

uint32_t hmd_infer_packet_type(const hmd_model *model, const hmd_shape *shape, uint8_t category,
                               size_t layout)
{
    const uint32_t primitive = hmd_packet_layouts[layout]->primitive_type;
    const bool is_divided = hmd_word(model, shape->record->off + 2) >> 24 != 0;
    uint32_t type = (uint32_t)category << 24 | primitive |
                    ((primitive & NO_NORMALS) != 0 ? (uint32_t)LIGHT_OFF : 0) |
                    (is_divided ? (uint32_t)SUBDIVIDED : 0);
    if (category == HMD_ENVMAP) {
        type = is_divided ? HMD_NO_TYPE : map_type(shape, primitive);
    }
    return type != HMD_NO_TYPE && hmd_has_driver(type) ? type : HMD_NO_TYPE;
}
