#include "hmd/hmd_polygons.h"
#include "hmd/hmd_show.h"

#include "fixed/fixed.h"

#include <assert.h>

#define FULL 255.0
#define NEUTRAL 128.0 /* a colour of this leaves an image as it is */
#define ONE 4096.0

/* Bits of a type word. */
#define TYPE_UNLIT 0x00000040u
#define TYPE_IMAGE 0x00000001u
#define TYPE_DOUBLE 0x00100000u
#define TYPE_GLASS 0x00200000u
#define CODE_QUAD 2u

enum { MOST_WORDS = 12, GLASS_BIT = 25, COST_OF_POLYGON = 64 };

/* ---- packets --------------------------------------------------------------------------------- */

/* What a packet holds, in the order in which it stands there. */
typedef struct parts {
    uint32_t colours[MOST_WORDS];
    uint32_t positions[MOST_WORDS]; /* of textures: words */
    uint32_t vertices[HMD_MOST_CORNERS];
    uint32_t normals[HMD_MOST_CORNERS];
    unsigned num_colours, num_positions, num_vertices, num_normals;
    uint32_t window;
} parts;

static void take_half(parts *out, uint8_t kind, uint32_t half)
{
    if (kind == HMD_HALF_VERTEX) {
        assert(out->num_vertices < HMD_MOST_CORNERS);
        out->vertices[out->num_vertices++] = half;
    } else if (kind == HMD_HALF_NORMAL) {
        assert(out->num_normals < HMD_MOST_CORNERS);
        out->normals[out->num_normals++] = half;
    }
}

static void take_word(parts *out, const hmd_packet_word *is, uint32_t word)
{
    switch (is->kind) {
    case HMD_WORD_CODE:
    case HMD_WORD_COLOUR:
        assert(out->num_colours < MOST_WORDS);
        out->colours[out->num_colours++] = word;
        break;
    case HMD_WORD_WINDOW:
        out->window = word;
        break;
    case HMD_WORD_HALVES:
        if (is->low == HMD_HALF_DATA) {
            assert(out->num_positions < MOST_WORDS);
            out->positions[out->num_positions++] = word;
        }
        take_half(out, is->low, hmd_low(word));
        take_half(out, is->high, hmd_high(word));
        break;
    default: /* the number of triangles, and what the run-time fills */
        break;
    }
}

static parts parts_of(const hmd_show *show, const hmd_packet *packet)
{
    parts out = {.num_colours = 0};
    for (unsigned i = 0; i < packet->num_words; i++) {
        take_word(&out, &packet->words[i], hmd_word(&show->model, packet->off + i));
    }
    return out;
}

/* A preset holds two packets of the graphics processor, of which one says everything. */
static void drop_first(parts *from)
{
    from->num_colours /= 2;
    from->num_positions /= 2;
    for (unsigned i = 0; i < MOST_WORDS / 2; i++) {
        from->colours[i] = from->colours[from->num_colours + i];
        from->positions[i] = from->positions[from->num_positions + i];
    }
}

/* ---- polygons -------------------------------------------------------------------------------- */

typedef struct run {
    hmd_polygons packets;
    hmd_arg vertices, normals;
    uint32_t last[2]; /* of a strip: the vertices that the next triangle shares */
    bool is_odd;      /* likewise */
} run;

static uint32_t element(const hmd_show *show, const hmd_arg *section, uint32_t number)
{
    const uint64_t word = (uint64_t)section->off + 2 * (uint64_t)number;
    return section->off != HMD_NONE && hmd_has(&show->model, word, 2) ? (uint32_t)word : HMD_NONE;
}

/* One value for all corners, or one for each. */
static unsigned pick(unsigned num, unsigned corner)
{
    return num > 1 ? corner : 0;
}

static void set_corner(hmd_corner *out, const parts *from, unsigned i)
{
    out->colour = from->num_colours == 0 ? 0x808080 : from->colours[pick(from->num_colours, i)];
    if (from->num_positions > i) {
        out->uv[0] = (uint8_t)(from->positions[i] & 0xff);
        out->uv[1] = (uint8_t)(from->positions[i] >> 8 & 0xff);
    }
}

static bool set_elements(hmd_polygon *out, const hmd_show *show, run *of, const parts *from,
                         bool is_first)
{
    uint32_t vertices[HMD_MOST_CORNERS] = {0};
    const unsigned num_old = is_first ? 0 : 2;
    vertices[0] = of->last[0];
    vertices[1] = of->last[1];
    for (unsigned i = 0; i < from->num_vertices; i++) {
        vertices[num_old + i] = element(show, &of->vertices, from->vertices[i]);
    }
    out->num = num_old + from->num_vertices;
    of->last[0] = vertices[1];
    of->last[1] = vertices[2];
    for (unsigned i = 0; i < out->num; i++) {
        hmd_corner *corner = &out->corners[i];
        corner->vertex = vertices[i];
        corner->normal =
            from->num_normals == 0
                ? HMD_NONE
                : element(show, &of->normals, from->normals[pick(from->num_normals, i)]);
        if (corner->vertex == HMD_NONE || (from->num_normals > 0 && corner->normal == HMD_NONE)) {
            return false;
        }
        set_corner(corner, from, i);
    }
    return true;
}

static void set_surface(hmd_polygon *out, uint32_t type, const parts *from)
{
    out->is_lit = (type & TYPE_UNLIT) == 0;
    out->is_double_sided = (type & TYPE_DOUBLE) != 0;
    out->is_glass = (type & TYPE_GLASS) != 0 ||
                    (from->num_colours > 0 && (from->colours[0] >> GLASS_BIT & 1) != 0);
    out->has_texture = from->num_positions >= 2;
    if (out->has_texture) {
        out->texture = (hmd_texture_key){hmd_high(from->positions[1]), hmd_high(from->positions[0]),
                                         from->window, out->is_glass};
    }
}

static void show_packet(hmd_show *show, run *of, const hmd_packet *packet)
{
    parts from = parts_of(show, packet);
    hmd_polygon polygon = {.num = 0};
    if (of->packets.layout->is_preset) {
        drop_first(&from);
    }
    of->is_odd = !packet->is_first && !of->is_odd;
    set_surface(&polygon, show->check.record->type, &from);
    polygon.is_turned = of->is_odd;
    if (set_elements(&polygon, show, of, &from, packet->is_first)) {
        show->visit(show, &polygon);
    } else {
        hmd_say(show, HMD_REMARK_CUT);
    }
}

void hmd_show_polygons(hmd_show *show)
{
    const hmd_record *record = show->check.record;
    const uint32_t header = hmd_header_of(&show->model, record);
    const hmd_polygon_args args = hmd_polygon_args_of(record);
    run of = {.vertices = hmd_arg_of(&show->model, header, args.vertices),
              .normals = hmd_arg_of(&show->model, header, args.normals)};
    hmd_packet packet;
    show->is_shared = args.vertex_owner == HMD_OWNER_CALC_VERTEX;
    if (show->unit == HMD_NONE && !show->is_shared) {
        hmd_say(show, HMD_REMARK_PLACELESS);
        return;
    }
    if (!hmd_polygons_open(&of.packets, &show->check)) {
        hmd_say(show, HMD_REMARK_LAYOUT);
        return;
    }
    if (record->category == HMD_ENVMAP) {
        hmd_say(show, HMD_REMARK_ENVMAP);
    }
    while (hmd_polygons_next(&of.packets, &show->check, &packet) &&
           hmd_spend(&show->check, COST_OF_POLYGON)) {
        show_packet(show, &of, &packet);
    }
    if (of.packets.num_missing > 0) {
        hmd_say(show, HMD_REMARK_CUT);
    }
}

/* ---- shared vertices ------------------------------------------------------------------------- */

static void note_elements(hmd_show *show, uint32_t from, uint32_t to, uint32_t at)
{
    const hmd_model *model = &show->model;
    const uint32_t header = hmd_header_of(model, show->check.record);
    const hmd_arg source = hmd_arg_of(model, header, from);
    const hmd_arg calculated = hmd_arg_of(model, header, to);
    const uint32_t num = hmd_word(model, at);
    for (uint32_t i = 0; i < num && hmd_spend(&show->check, 1); i++) {
        const uint64_t word =
            (uint64_t)calculated.off + 2 * ((uint64_t)hmd_word(model, at + 2) + i);
        const uint64_t old = (uint64_t)source.off + 2 * ((uint64_t)hmd_word(model, at + 1) + i);
        if (!hmd_has(model, word, 2) || !hmd_has(model, old, 2)) {
            hmd_say(show, HMD_REMARK_CUT);
            return;
        }
        show->joint[word] = 1 + show->unit;
        show->source[word] = (uint32_t)old;
    }
}

void hmd_show_shared(hmd_show *show)
{
    enum { VERTEX_WORDS = 2, NORMAL_WORDS = 5, SIZE = 7 };
    const hmd_record *record = show->check.record;
    if (show->unit == HMD_NONE || record->size < SIZE) {
        hmd_say(show, HMD_REMARK_PLACELESS);
        return;
    }
    note_elements(show, 1, 2, record->off + VERTEX_WORDS);
    note_elements(show, 3, 4, record->off + NORMAL_WORDS);
}

/* ---- triangles ------------------------------------------------------------------------------- */

static void read_vector(double out[3], const hmd_model *model, uint32_t word)
{
    const uint32_t xy = hmd_word(model, word);
    out[0] = (double)fx_w16(hmd_low(xy));
    out[1] = (double)fx_w16(hmd_high(xy));
    out[2] = (double)fx_w16(hmd_low(hmd_word(model, word + 1)));
}

/* A vertex as the coordinate that moves it has it; false if none does. */
static bool read_place(fh_scene_corner *out, const hmd_show *show, const hmd_corner *corner)
{
    out->vertex = corner->vertex;
    if (corner->vertex == HMD_NONE) {
        for (unsigned i = 0; i < 3; i++) {
            out->position[i] = corner->position[i];
        }
        return true;
    }
    if (show->is_shared) {
        if (show->joint[corner->vertex] == 0) {
            return false;
        }
        out->joint = show->joint[corner->vertex] - 1;
        out->vertex = show->source[corner->vertex];
    }
    read_vector(out->position, &show->model, out->vertex);
    return true;
}

static void read_normal(fh_scene_corner *out, const hmd_show *show, uint32_t word)
{
    if (word != HMD_NONE && show->is_shared) {
        word = show->joint[word] == 0 ? HMD_NONE : show->source[word];
    }
    out->normal_number = word;
    if (word == HMD_NONE) {
        return;
    }
    read_vector(out->normal, &show->model, word);
    for (unsigned i = 0; i < 3; i++) {
        out->normal[i] /= ONE;
    }
}

static void read_surface(fh_scene_corner *out, const hmd_corner *corner, const hmd_texture *texture,
                         double full)
{
    for (unsigned i = 0; i < 3; i++) {
        out->colour[i] = (double)(corner->colour >> (8 * i) & 0xff) / full;
    }
    for (unsigned i = 0; i < 2 && texture != NULL; i++) {
        const double size = (double)texture->high[i] - (double)texture->low[i] + 1.0;
        out->uv[i] = ((double)corner->uv[i] - (double)texture->low[i] + 0.5) / size;
    }
}

void hmd_show_triangles(hmd_show *show, const hmd_polygon *polygon)
{
    static const unsigned order[2][2][3] = {{{0, 2, 1}, {1, 2, 3}}, {{0, 1, 2}, {1, 3, 2}}};
    const hmd_texture *texture = hmd_texture_of(show, polygon);
    const double full = polygon->has_texture ? NEUTRAL : FULL;
    const fh_scene_mesh mesh = {show->is_shared ? FH_SCENE_OF_JOINTS : FH_SCENE_OF_NODE,
                                show->is_shared ? 0 : show->unit,
                                HMD_WORD_LEN * (uint64_t)show->check.record->off};
    fh_scene_corner corners[HMD_MOST_CORNERS] = {{.vertex = 0}};
    fh_scene_triangle triangle = {.image = texture == NULL ? FH_SCENE_NONE : texture->image,
                                  .is_lit = polygon->is_lit,
                                  .is_double_sided = polygon->is_double_sided,
                                  .is_glass = polygon->is_glass};
    for (unsigned i = 0; i < polygon->num; i++) {
        if (!read_place(&corners[i], show, &polygon->corners[i])) {
            hmd_say(show, HMD_REMARK_UNSHARED);
            return;
        }
        read_normal(&corners[i], show, polygon->corners[i].normal);
        read_surface(&corners[i], &polygon->corners[i], texture, full);
    }
    show->out->mesh(show->out->user, &mesh);
    for (unsigned i = 0; i + 2 < polygon->num; i++) {
        for (unsigned k = 0; k < 3; k++) {
            triangle.corners[k] = corners[order[polygon->is_turned ? 1 : 0][i][k]];
        }
        show->out->triangle(show->out->user, &triangle);
    }
}
