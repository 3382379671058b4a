#include "hmd/hmd_ground.h"
#include "hmd/hmd_show.h"

#include "fixed/fixed.h"

enum { COST_OF_CELL = 64 };

/* The words of a cell: those of its colour, normal and texture. */
typedef struct cell {
    uint32_t colour;
    uint32_t normal; /* number */
    uint32_t uv;     /* word of its texture positions, HMD_NONE: none */
} cell;

/* That of the last corner, whose number is the highest, was found to be there. */
static int16_t height_of(const hmd_show *show, const hmd_ground *ground, uint64_t number)
{
    const uint64_t word = ground->first_height + number / 2;
    return hmd_s16(&show->model, (uint32_t)word, (unsigned)(number % 2));
}

static bool has_height(const hmd_show *show, const hmd_ground *ground, uint64_t number)
{
    return hmd_has(&show->model, ground->first_height + number / 2, 1);
}

static bool read_cell(cell *out, const hmd_show *show, const hmd_ground *ground, uint32_t at)
{
    const hmd_model *model = &show->model;
    *out = (cell){0x808080, 0, HMD_NONE};
    if (at == HMD_NONE || !hmd_has(model, at, ground->is_textured ? 1 : 2)) {
        return false;
    }
    if (!ground->is_textured) {
        out->colour = hmd_word(model, at);
        out->normal = hmd_low(hmd_word(model, at + 1));
        return true;
    }
    const uint64_t uv =
        (uint64_t)ground->uvs.off + HMD_UV_WORDS * (uint64_t)hmd_high(hmd_word(model, at));
    out->normal = hmd_low(hmd_word(model, at));
    if (ground->uvs.off == HMD_NONE || !hmd_has(model, uv, HMD_UV_WORDS)) {
        return false;
    }
    out->uv = (uint32_t)uv;
    return true;
}

/* Texture positions and colour table, page; then two positions in a word. */
static void set_texture(hmd_polygon *out, const hmd_show *show, uint32_t at)
{
    const uint32_t words[HMD_UV_WORDS] = {
        hmd_word(&show->model, at), hmd_word(&show->model, at + 1), hmd_word(&show->model, at + 2)};
    const uint32_t positions[HMD_MOST_CORNERS] = {hmd_low(words[0]), hmd_low(words[1]),
                                                  hmd_low(words[2]), hmd_high(words[2])};
    for (unsigned i = 0; i < HMD_MOST_CORNERS; i++) {
        out->corners[i].uv[0] = (uint8_t)(positions[i] & 0xff);
        out->corners[i].uv[1] = (uint8_t)(positions[i] >> 8);
    }
    out->has_texture = true;
    out->texture = (hmd_texture_key){hmd_high(words[1]), hmd_high(words[0]), 0, false};
}

/* Where a row of cells lies: its place, the cell's column, and the number of its first height. */
typedef struct place {
    uint32_t row, column;
    uint64_t height;
} place;

static void set_positions(hmd_polygon *out, const hmd_show *show, const hmd_ground *ground,
                          const place *of)
{
    const uint32_t at = (uint32_t)ground->polygon;
    const double origin[2] = {(double)hmd_s16(&show->model, at, 0),
                              (double)hmd_s16(&show->model, at, 1)};
    const double size[2] = {(double)hmd_low(hmd_word(&show->model, at + 1)),
                            (double)hmd_high(hmd_word(&show->model, at + 1))};
    for (unsigned i = 0; i < HMD_MOST_CORNERS; i++) {
        const uint32_t right = i % 2;
        const uint32_t down = i / 2;
        hmd_corner *corner = &out->corners[i];
        corner->vertex = HMD_NONE;
        corner->position[0] = origin[0] + size[0] * (double)(of->column + right);
        corner->position[1] = origin[1] + size[1] * (double)(of->row + down);
        corner->position[2] =
            (double)height_of(show, ground, of->height + right + (uint64_t)down * ground->nw);
    }
}

static void show_cell(hmd_show *show, const hmd_ground *ground, const place *of, const cell *is)
{
    const uint64_t normal = (uint64_t)ground->normals.off + 2 * (uint64_t)is->normal;
    const bool has_normal = ground->normals.off != HMD_NONE && hmd_has(&show->model, normal, 2);
    hmd_polygon polygon = {.num = HMD_MOST_CORNERS, .is_lit = true, .is_double_sided = true};
    if (!has_height(show, ground, of->height + ground->nw + 1)) {
        hmd_say(show, HMD_REMARK_CUT);
        return;
    }
    set_positions(&polygon, show, ground, of);
    for (unsigned i = 0; i < HMD_MOST_CORNERS; i++) {
        polygon.corners[i].colour = is->colour;
        polygon.corners[i].normal = has_normal ? (uint32_t)normal : HMD_NONE;
    }
    if (is->uv != HMD_NONE) {
        set_texture(&polygon, show, is->uv);
    }
    show->visit(show, &polygon);
}

/* Rows of grid entries have one entry less than rows of heights. */
static void show_row(hmd_show *show, const hmd_ground *ground, uint32_t i,
                     const hmd_ground_row *row)
{
    for (uint32_t j = 0; j < row->num_cells && hmd_spend(&show->check, COST_OF_CELL); j++) {
        const place of = {i, (ground->nw == 0 ? 0 : row->idx % ground->nw) + j,
                          (uint64_t)ground->base + row->idx + j};
        cell is;
        if (!read_cell(&is, show, ground, hmd_ground_cell(ground, i, row, j))) {
            hmd_say(show, HMD_REMARK_CUT);
            return;
        }
        show_cell(show, ground, &of, &is);
    }
}

void hmd_show_ground(hmd_show *show)
{
    hmd_ground ground;
    show->is_shared = false;
    if (show->unit == HMD_NONE) {
        hmd_say(show, HMD_REMARK_PLACELESS);
        return;
    }
    if (!hmd_ground_read(&show->check, &ground)) {
        hmd_say(show, HMD_REMARK_LAYOUT);
        return;
    }
    for (uint32_t i = 0; i < ground.num_rows && hmd_spend(&show->check, 1); i++) {
        hmd_ground_row row;
        if (!hmd_ground_row_of(&show->check, &ground, i, &row)) {
            hmd_say(show, HMD_REMARK_CUT);
            return;
        }
        show_row(show, &ground, i, &row);
    }
}
