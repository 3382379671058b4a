#include "tod/tod_tmd.h"

#include "core/format.h"

enum {
    TMD_ID = 0x41,
    HEAD_WORDS = 3,
    OBJECT_WORDS = 7,
    ELEMENT_LEN = 8,
    MOST_CORNERS = 4,
    COST_PRIMITIVE = 16
};

#define WORD_LEN ((uint64_t)4)
#define HEAD_LEN (HEAD_WORDS * WORD_LEN)
#define ADDRESSES 1u
#define ONE 4096.0
#define FULL 255.0
#define NEUTRAL 128.0 /* a colour of this leaves an image as it is */

/* Bits of a primitive's mode and flags. */
enum { MODE_GLASS = 0x02, MODE_IMAGE = 0x04, MODE_QUAD = 0x08, MODE_SMOOTH = 0x10 };
enum { FLAG_UNLIT = 0x01, FLAG_DOUBLE = 0x02, FLAG_GRADED = 0x04 };
enum { CODE_POLYGON = 1 };

typedef struct elements {
    uint64_t off; /* byte of the first */
    uint32_t num;
} elements;

typedef struct reader {
    fh_cursor bytes;
    const fh_scene_sink *out;
    fh_budget *budget;
    elements vertices, normals, primitives; /* of the object */
    const char *why;                        /* the first thing that was wrong */
    uint64_t at;
} reader;

static void note(reader *read, const char *why, uint64_t at)
{
    if (read->why == NULL) {
        read->why = why;
        read->at = at;
    }
}

/* Nothing is read past the end: all sizes are 32 bits, all sums 64. */
static bool has(const reader *read, uint64_t off, uint64_t len)
{
    return off <= read->bytes.size && len <= read->bytes.size - off;
}

static uint32_t word_at(const reader *read, uint64_t off)
{
    fh_cursor part = fh_cursor_sub(&read->bytes, (size_t)off, WORD_LEN);
    return fh_cursor_u32(&part);
}

static void read_vector(double out[3], const reader *read, uint64_t off)
{
    fh_cursor part = fh_cursor_sub(&read->bytes, (size_t)off, ELEMENT_LEN);
    for (unsigned i = 0; i < 3; i++) {
        out[i] = (double)fh_cursor_s16(&part);
    }
}

/* ---- primitives ---- */

/* A primitive's data, as far as its mode says: [texture positions], [colours], then numbers of
 * normals and vertices, in half words. */
typedef struct shape {
    uint64_t off; /* of the first word of data */
    unsigned mode, flags;
    unsigned num_corners;
    unsigned num_positions; /* of textures; words */
    unsigned num_colours;   /* words */
    unsigned num_normals;   /* 0, 1 or one a corner: half words, each in front of its vertex */
} shape;

static unsigned words_of(const shape *is)
{
    const unsigned halves = is->num_normals + is->num_corners;
    return is->num_positions + is->num_colours + (halves + 1) / 2;
}

static unsigned num_colours_of(const shape *is)
{
    const bool is_unlit = (is->flags & FLAG_UNLIT) != 0;
    if (!is_unlit && (is->mode & MODE_IMAGE) != 0) {
        return 0;
    }
    const bool is_graded =
        is_unlit ? (is->mode & MODE_SMOOTH) != 0 : (is->flags & FLAG_GRADED) != 0;
    return is_graded ? is->num_corners : 1;
}

static shape shape_of(uint32_t head, uint64_t off)
{
    shape is = {.off = off, .mode = head >> 24 & 0x1f, .flags = head >> 16 & 0xff};
    is.num_corners = (is.mode & MODE_QUAD) != 0 ? 4 : 3;
    is.num_positions = (is.mode & MODE_IMAGE) != 0 ? is.num_corners : 0;
    is.num_colours = num_colours_of(&is);
    if ((is.flags & FLAG_UNLIT) == 0) {
        is.num_normals = (is.mode & MODE_SMOOTH) != 0 ? is.num_corners : 1;
    }
    return is;
}

static uint32_t half_at(const reader *read, const shape *is, unsigned index)
{
    const uint64_t off = is->off + WORD_LEN * (is->num_positions + is->num_colours);
    return word_at(read, off + WORD_LEN * (index / 2)) >> (16 * (index % 2)) & 0xffff;
}

static void read_colour(fh_scene_corner *out, const reader *read, const shape *is, unsigned corner)
{
    const unsigned index = is->num_colours > 1 ? corner : 0;
    const double full = (is->mode & MODE_IMAGE) != 0 ? NEUTRAL : FULL;
    const uint32_t word = is->num_colours == 0
                              ? 0x808080
                              : word_at(read, is->off + WORD_LEN * (is->num_positions + index));
    for (unsigned i = 0; i < 3; i++) {
        out->colour[i] = (double)(word >> (8 * i) & 0xff) / full;
    }
}

/* Where the numbers of a corner stand: a normal in front of the first vertex, or of each. */
static unsigned normal_half(const shape *is, unsigned corner)
{
    return is->num_normals > 1 ? 2 * corner : 0;
}

static unsigned vertex_half(const shape *is, unsigned corner)
{
    return is->num_normals > 1 ? 2 * corner + 1 : is->num_normals + corner;
}

static bool read_corner(fh_scene_corner *out, const reader *read, const shape *is, unsigned corner)
{
    const uint32_t vertex = half_at(read, is, vertex_half(is, corner));
    *out = (fh_scene_corner){.vertex = vertex, .joint = FH_SCENE_NONE};
    if (vertex >= read->vertices.num) {
        return false;
    }
    read_vector(out->position, read, read->vertices.off + ELEMENT_LEN * (uint64_t)vertex);
    read_colour(out, read, is, corner);
    if (is->num_normals == 0) {
        return true;
    }
    out->normal_number = half_at(read, is, normal_half(is, corner));
    if (out->normal_number >= read->normals.num) {
        return false;
    }
    read_vector(out->normal, read, read->normals.off + ELEMENT_LEN * (uint64_t)out->normal_number);
    for (unsigned i = 0; i < 3; i++) {
        out->normal[i] /= ONE;
    }
    return true;
}

/* Corners of a quadrangle go in a Z. Fronts are clockwise on the screen, so they are turned round.
 */
static void tell_triangles(const reader *read, const shape *is, const fh_scene_corner *corners)
{
    static const unsigned order[2][3] = {{0, 2, 1}, {1, 2, 3}};
    fh_scene_triangle triangle = {.image = FH_SCENE_NONE,
                                  .is_lit = (is->flags & FLAG_UNLIT) == 0,
                                  .is_double_sided = (is->flags & FLAG_DOUBLE) != 0,
                                  .is_glass = (is->mode & MODE_GLASS) != 0};
    for (unsigned i = 0; i + 2 < is->num_corners; i++) {
        for (unsigned k = 0; k < 3; k++) {
            triangle.corners[k] = corners[order[i][k]];
        }
        read->out->triangle(read->out->user, &triangle);
    }
}

static void tell_primitive(reader *read, const shape *is)
{
    fh_scene_corner corners[MOST_CORNERS];
    for (unsigned i = 0; i < is->num_corners; i++) {
        if (!read_corner(&corners[i], read, is, i)) {
            note(read, "a polygon names a vertex or normal that is not there", is->off);
            return;
        }
    }
    tell_triangles(read, is, corners);
}

static fh_status read_primitives(reader *read)
{
    uint64_t off = read->primitives.off;
    for (uint32_t i = 0; i < read->primitives.num; i++) {
        if (!fh_pay(read->budget, COST_PRIMITIVE)) {
            return FH_LIMIT;
        }
        if (!has(read, off, WORD_LEN)) {
            note(read, "primitives lead past the end", off);
            return FH_OK;
        }
        const uint32_t head = word_at(read, off);
        const uint64_t len = WORD_LEN * (uint64_t)(head >> 8 & 0xff);
        const shape is = shape_of(head, off + WORD_LEN);
        if (!has(read, is.off, len)) {
            note(read, "a primitive leads past the end", off);
            return FH_OK;
        }
        if (head >> 29 != CODE_POLYGON || len != WORD_LEN * (uint64_t)words_of(&is)) {
            note(read, "a primitive is no polygon of a known layout", off);
        } else {
            tell_primitive(read, &is);
        }
        off = is.off + len;
    }
    return FH_OK;
}

/* ---- objects ---- */

static bool read_elements(elements *out, const reader *read, uint64_t off)
{
    out->off = HEAD_LEN + word_at(read, off);
    out->num = word_at(read, off + WORD_LEN);
    return has(read, out->off, ELEMENT_LEN * (uint64_t)out->num);
}

/* What is wrong in one object does not keep the next one from being read, if it is in the table.
 * The scale of an object is not looked at by the library. */
static fh_status read_object(reader *read, uint32_t number)
{
    const uint64_t off = HEAD_LEN + OBJECT_WORDS * WORD_LEN * (uint64_t)number;
    if (!has(read, off, OBJECT_WORDS * WORD_LEN)) {
        note(read, "the table of objects leads past the end", off);
        return FH_CORRUPT;
    }
    if (!read_elements(&read->vertices, read, off) ||
        !read_elements(&read->normals, read, off + 2 * WORD_LEN)) {
        note(read, "vertices or normals lead past the end", off);
        return FH_OK;
    }
    read->primitives.off = HEAD_LEN + word_at(read, off + 4 * WORD_LEN);
    read->primitives.num = word_at(read, off + 5 * WORD_LEN);
    const fh_scene_mesh mesh = {FH_SCENE_OF_MODEL, number + 1, off};
    read->out->mesh(read->out->user, &mesh);
    return read_primitives(read);
}

static fh_status describe(const fh_env *env, const fh_scene_sink *out, fh_cursor bytes,
                          const char **why, uint64_t *at)
{
    reader read = {.bytes = bytes, .out = out, .budget = env->budget};
    fh_status status = FH_OK;
    *why = "it does not begin as a TMD does";
    *at = 0;
    if (bytes.size < HEAD_LEN || word_at(&read, 0) != TMD_ID) {
        return FH_NOT_THIS_FORMAT;
    }
    if ((word_at(&read, WORD_LEN) & ADDRESSES) != 0) {
        *why = "it was in memory: it holds addresses instead of offsets";
        *at = WORD_LEN;
        return FH_NOT_THIS_FORMAT;
    }
    const uint32_t num = word_at(&read, 2 * WORD_LEN);
    for (uint32_t i = 0; i < num && status == FH_OK; i++) {
        status = read_object(&read, i);
    }
    *why = read.why;
    *at = read.at;
    return status == FH_OK && read.why != NULL ? FH_CORRUPT : status;
}

const fh_scene_models tod_tmd_models = {"tmd", "TMD, PlayStation models", describe};
