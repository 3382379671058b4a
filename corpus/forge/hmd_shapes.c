/* Packets of polygons by type, and vectors. */
#include "forge/hmd_layout.h"
#include "forge/hmd_script.h"

#include <string.h>

enum { MAX_CORNERS = 8, WINDOW_TOP = 0xe2 };

/* What a layout wants: numbers of colours and texture coordinates, and which digits it uses. */
typedef struct needs {
    size_t colours;
    size_t uvs;
    unsigned normals;
    unsigned vertices;
    unsigned screens;
    bool tags;
    bool clut;
    bool page;
    bool tile;
    bool pads;
} needs;

typedef struct fields {
    needs need;
    int64_t rgb[3 * MAX_CORNERS];
    int64_t uv[2 * MAX_CORNERS];
    int64_t n[MAX_CORNERS];
    int64_t v[MAX_CORNERS];
    int64_t xy[2 * MAX_CORNERS];
    int64_t tile[4];
    int64_t window;
    int64_t code;
    bool has_code;
    int64_t clut;
    int64_t page;
    int64_t pad;
    int64_t dma;
    size_t next_colour;
    size_t next_uv;
} fields;

static size_t token_len(const char *at)
{
    const char *end = strchr(at, ' ');
    return end == NULL ? strlen(at) : (size_t)(end - at);
}

static const char *next_token(const char *at)
{
    at += token_len(at);
    return *at == ' ' ? at + 1 : at;
}

static unsigned count_bits(unsigned mask)
{
    unsigned num = 0;
    for (; mask != 0; mask &= mask - 1) {
        num++;
    }
    return num;
}

/* One half of a word: n0, v2, or `-` for nothing. */
static void need_half(needs *need, const char *half)
{
    if (half[0] == 'n') {
        need->normals |= 1U << (half[1] - '0');
    } else if (half[0] == 'v') {
        need->vertices |= 1U << (half[1] - '0');
    } else {
        need->pads = true;
    }
}

static void need_uv(needs *need, const char *upper)
{
    need->uvs++;
    need->clut = need->clut || upper[0] == 'c';
    need->page = need->page || upper[0] == 't';
    if (upper[0] != 'c' && upper[0] != 't') {
        need_half(need, upper);
    }
}

static void need_token(needs *need, const char *at)
{
    switch (at[0]) {
    case 'C':
        need->colours++;
        break;
    case 'c':
        need->colours++;
        need->pads = true;
        break;
    case 'U':
        need_uv(need, at + 1);
        break;
    case 'X':
        need->screens |= 1U << (at[1] - '0');
        break;
    case 'D':
        need->tags = true;
        break;
    default:
        need_half(need, at);
        need_half(need, at + 2);
        break;
    }
}

/* The two buffers of a preset hold the same colours and texture coordinates. */
static needs needs_of(const char *layout, uint32_t type)
{
    needs need = {.tile = (type & FORGE_LAYOUT_TILE) != 0};
    for (const char *at = layout; *at != '\0'; at = next_token(at)) {
        need_token(&need, at);
    }
    if ((type & FORGE_LAYOUT_PRESET) != 0) {
        need.colours /= 2;
        need.uvs /= 2;
    }
    return need;
}

/* ---- reading ---- */

typedef struct group {
    const char *name;
    size_t num;
    int64_t *values;
    int64_t min;
    int64_t max;
    bool optional;
} group;

enum { NUM_GROUPS = 6 };

static bool read_group(forge_line *line, const group *groups, bool *has)
{
    const forge_word *word = forge_line_next(line);
    for (size_t i = 0; i < NUM_GROUPS; i++) {
        const group *g = &groups[i];
        if (!has[i] && g->num > 0 && forge_word_is(word, g->name)) {
            has[i] = true;
            return forge_line_numbers(line, forge_range_of(g->name, g->min, g->max), g->num,
                                      g->values);
        }
    }
    return forge_line_fail(line, "'%.*s' is no part of this packet, or its numbers are too many",
                           forge_word_width(word), word->at);
}

static bool read_groups(forge_line *line, const group *groups)
{
    bool has[NUM_GROUPS] = {false};
    while (forge_line_peek(line) != NULL) {
        if (!read_group(line, groups, has)) {
            return false;
        }
    }
    for (size_t i = 0; i < NUM_GROUPS; i++) {
        if (groups[i].num > 0 && !has[i] && !groups[i].optional) {
            return forge_line_fail(line, "%s is missing, expected it and %zu numbers",
                                   groups[i].name, groups[i].num);
        }
    }
    return true;
}

/* The window word of a tile at x, y of w by h pixels; window=W instead of it. */
static bool read_window(forge_line *line, fields *f, bool *told)
{
    return forge_line_option_number(line, forge_word_range("window"), &f->window, told);
}

static void make_window(fields *f)
{
    const uint32_t x = (uint32_t)f->tile[0];
    const uint32_t y = (uint32_t)f->tile[1];
    const uint32_t mask_u = (~(uint32_t)(f->tile[2] - 1) & 0xffU) >> 3;
    const uint32_t mask_v = (~(uint32_t)(f->tile[3] - 1) & 0xffU) >> 3;
    const uint32_t add_u = (x & 0xffU) >> 3;
    const uint32_t add_v = (y & 0xffU) >> 3;
    f->window =
        (int64_t)((uint32_t)WINDOW_TOP << 24 | add_v << 15 | add_u << 10 | mask_v << 5 | mask_u);
}

/* Only what the layout has: anything else is an option too many. */
static bool read_options(forge_line *line, fields *f)
{
    const needs *need = &f->need;
    return (need->colours == 0 ||
            forge_line_option_number(line, forge_u8_range("code"), &f->code, &f->has_code)) &&
           (!need->clut ||
            forge_line_option_number(line, forge_u16_range("clut"), &f->clut, NULL)) &&
           (!need->page ||
            forge_line_option_number(line, forge_u16_range("page"), &f->page, NULL)) &&
           (!need->pads || forge_line_option_number(line, forge_u16_range("pad"), &f->pad, NULL)) &&
           (!need->tags || forge_line_option_number(line, forge_word_range("dma"), &f->dma, NULL));
}

static bool read_fields(forge_line *line, fields *f)
{
    const needs *need = &f->need;
    bool has_window = false;
    if (need->tile && !read_window(line, f, &has_window)) {
        return false;
    }
    const bool wants_tile = need->tile && !has_window;
    const group groups[NUM_GROUPS] = {
        {"rgb", 3 * need->colours, f->rgb, 0, UINT8_MAX, false},
        {"uv", 2 * need->uvs, f->uv, 0, UINT8_MAX, false},
        {"n", count_bits(need->normals), f->n, 0, UINT16_MAX, false},
        {"v", count_bits(need->vertices), f->v, 0, UINT16_MAX, false},
        {"xy", (size_t)2 * count_bits(need->screens), f->xy, INT16_MIN, INT16_MAX, true},
        {"tile", wants_tile ? 4 : 0, f->tile, 0, 256, false},
    };
    if (!read_groups(line, groups) || !read_options(line, f)) {
        return false;
    }
    if (wants_tile) {
        make_window(f);
    }
    return true;
}

/* ---- writing ---- */

/* A digit's number in the list of those that the packet uses. */
static size_t rank_of(unsigned mask, char digit)
{
    return count_bits(mask & ((1U << (digit - '0')) - 1));
}

static void put_half(forge_hmd_script *s, const fields *f, const char *half)
{
    int64_t value = f->pad;
    if (half[0] == 'n') {
        value = f->n[rank_of(f->need.normals, half[1])];
    } else if (half[0] == 'v') {
        value = f->v[rank_of(f->need.vertices, half[1])];
    }
    forge_buf_u16(&s->as.out, (uint16_t)value);
}

static unsigned hex_digit(char c)
{
    return (unsigned)(c >= 'a' ? c - 'a' + 10 : c - '0');
}

static void put_colour(forge_hmd_script *s, fields *f, const char *token)
{
    const int64_t *rgb = &f->rgb[3 * (f->next_colour++ % f->need.colours)];
    int64_t last = f->pad & UINT8_MAX;
    if (token[0] == 'C') {
        last = f->has_code ? f->code : (int64_t)(hex_digit(token[1]) * 16 + hex_digit(token[2]));
    }
    for (size_t i = 0; i < 3; i++) {
        forge_buf_u8(&s->as.out, (uint8_t)rgb[i]);
    }
    forge_buf_u8(&s->as.out, (uint8_t)last);
}

static void put_uv(forge_hmd_script *s, fields *f, const char *token)
{
    const int64_t *uv = &f->uv[2 * (f->next_uv++ % f->need.uvs)];
    forge_buf_u8(&s->as.out, (uint8_t)uv[0]);
    forge_buf_u8(&s->as.out, (uint8_t)uv[1]);
    if (token[1] == 'c' || token[1] == 't') {
        forge_buf_u16(&s->as.out, (uint16_t)(token[1] == 'c' ? f->clut : f->page));
    } else {
        put_half(s, f, token + 1);
    }
}

static void put_token(forge_hmd_script *s, fields *f, const char *token)
{
    switch (token[0]) {
    case 'C':
    case 'c':
        put_colour(s, f, token);
        break;
    case 'U':
        put_uv(s, f, token);
        break;
    case 'D':
        forge_buf_u32(&s->as.out, (uint32_t)((uint64_t)f->dma & UINT32_MAX));
        break;
    case 'X': {
        const int64_t *xy = &f->xy[2 * rank_of(f->need.screens, token[1])];
        forge_buf_u16(&s->as.out, (uint16_t)((uint64_t)xy[0] & UINT16_MAX));
        forge_buf_u16(&s->as.out, (uint16_t)((uint64_t)xy[1] & UINT16_MAX));
        break;
    }
    default:
        put_half(s, f, token);
        put_half(s, f, token + 2);
        break;
    }
}

static bool put_packet(forge_hmd_script *s, const char *layout, uint32_t type)
{
    fields f = {.need = needs_of(layout, type)};
    if (!read_fields(&s->as.line, &f)) {
        return false;
    }
    if (f.need.tile) {
        forge_buf_u32(&s->as.out, (uint32_t)((uint64_t)f.window & UINT32_MAX));
    }
    for (const char *at = layout; *at != '\0'; at = next_token(at)) {
        put_token(s, &f, at);
    }
    return forge_line_end(&s->as.line);
}

/* ---- statements ---- */

static bool read_layout(forge_hmd_script *s, bool mesh, uint32_t *type, const forge_layout **layout)
{
    int64_t number = 0;
    if (!forge_line_number(&s->as.line, forge_u16_range("packet type"), &number)) {
        return false;
    }
    *type = (uint32_t)number;
    *layout = forge_layout_of(*type);
    if (*layout == NULL) {
        return forge_line_fail(&s->as.line, "packet type 0x%03lx has no layout; write its words",
                               (unsigned long)*type);
    }
    if (((*layout)->further != NULL) != mesh) {
        return forge_line_fail(&s->as.line, "packet type 0x%03lx is written with '%s'",
                               (unsigned long)*type, mesh ? "packet" : "mesh");
    }
    return true;
}

static bool do_packet(forge_hmd_script *s)
{
    uint32_t type = 0;
    const forge_layout *layout = NULL;
    if (!read_layout(s, false, &type, &layout)) {
        return false;
    }
    forge_asm_point(&s->as);
    return put_packet(s, layout->first, type);
}

static bool do_mesh(forge_hmd_script *s)
{
    const forge_layout *layout = NULL;
    if (!read_layout(s, true, &s->mesh_type, &layout)) {
        return false;
    }
    const size_t off = s->as.out.len;
    forge_buf_u32(&s->as.out, 0);
    forge_asm_point(&s->as);
    return forge_asm_counter(&s->as, &s->count, "num", off, 32) &&
           forge_asm_count(&s->as, &s->count, 1) && put_packet(s, layout->first, s->mesh_type);
}

static bool do_strip(forge_hmd_script *s)
{
    return forge_asm_count(&s->as, &s->count, 1) &&
           put_packet(s, forge_layout_of(s->mesh_type)->further, s->mesh_type);
}

/* A vertex, a normal, an original, or a difference of a MIMe block. */
static bool do_vec(forge_hmd_script *s)
{
    forge_asm_point(&s->as);
    if (!forge_hmd_put_numbers(s, forge_s16_range("component"), 3, 2) ||
        !forge_hmd_put_option(s, forge_half_range("pad"), 0, 2) || !forge_line_end(&s->as.line)) {
        return false;
    }
    if (s->place == FORGE_AT_DELTAS) {
        return forge_asm_count(&s->as, &s->count, 1);
    }
    s->place = FORGE_AT_DATA;
    return true;
}

static const forge_hmd_statement statements[] = {
    {"packet", FORGE_ANYWHERE, FORGE_AT_DATA, do_packet},
    {"mesh", FORGE_ANYWHERE, FORGE_AT_MESH, do_mesh},
    {"strip", FORGE_AT_MESH, FORGE_KEEP, do_strip},
    {"vec", FORGE_ANYWHERE, FORGE_KEEP, do_vec},
};

const forge_hmd_statements forge_hmd_shapes = {statements,
                                               sizeof statements / sizeof statements[0]};
