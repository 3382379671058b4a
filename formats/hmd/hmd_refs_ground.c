#include "hmd/hmd_ground.h"

bool hmd_ground_read(const hmd_check *check, hmd_ground *out)
{
    const hmd_model *model = check->model;
    const hmd_record *record = check->record;
    const uint32_t header = hmd_header_of(model, record);
    *out = (hmd_ground){.is_textured = (record->type & 0xffff) == 1,
                        .polygons = hmd_arg_of(model, header, 0),
                        .grid = hmd_arg_of(model, header, 1),
                        .heights = hmd_arg_of(model, header, 2),
                        .normals = hmd_arg_of(model, header, 3),
                        .uvs = hmd_arg_of(model, header, 4)};
    if ((record->type & 0x00ffffffu & ~HMD_TYPE_INI) > 1 || record->size < 4 ||
        out->polygons.off == HMD_NONE || out->grid.off == HMD_NONE ||
        out->heights.off == HMD_NONE) {
        return false;
    }
    out->polygon = (uint64_t)out->polygons.off + hmd_word(model, record->off + 2);
    out->cells = (uint64_t)out->grid.off + hmd_word(model, record->off + 3);
    out->first_height = (uint64_t)out->heights.off + hmd_word(model, record->off + 4);
    if (!hmd_has(model, out->polygon, HMD_GROUND_HEAD_WORDS)) {
        return true;
    }
    const uint32_t at = (uint32_t)out->polygon;
    out->nw = hmd_low(hmd_word(model, at + 2));
    out->nh = hmd_high(hmd_word(model, at + 2));
    out->num_rows = hmd_low(hmd_word(model, at + 3));
    out->base = hmd_high(hmd_word(model, at + 3));
    return true;
}

bool hmd_ground_row_of(const hmd_check *check, const hmd_ground *ground, uint32_t i,
                       hmd_ground_row *out)
{
    const uint64_t at = ground->polygon + HMD_GROUND_HEAD_WORDS + i;
    if (!hmd_has(check->model, at, 1)) {
        return false;
    }
    const uint32_t word = hmd_word(check->model, (uint32_t)at);
    *out = (hmd_ground_row){(uint32_t)at, hmd_low(word), hmd_high(word)};
    return true;
}

uint32_t hmd_ground_cell(const hmd_ground *ground, uint32_t i, const hmd_ground_row *row,
                         uint32_t j)
{
    const int64_t entry = (int64_t)ground->base + row->idx - i + j;
    const int64_t place = (int64_t)ground->cells + entry * (ground->is_textured ? 1 : 2);
    return entry < 0 || place >= HMD_MOST_WORDS ? HMD_NONE : (uint32_t)place;
}

static void visit_heights(hmd_check *check, const hmd_ground *ground, const hmd_ground_row *row,
                          uint32_t extra, hmd_ref_visit visit, void *user)
{
    const uint64_t first = (uint64_t)ground->base + row->idx + extra;
    const uint64_t last = first + row->num_cells;
    const hmd_ref ref = {.owner = HMD_OWNER_HEIGHT,
                         .field = "vertex index",
                         .at = row->at,
                         .number = (int64_t)first,
                         .section = ground->first_height,
                         .first = ground->first_height + first / 2,
                         .num = last / 2 - first / 2 + 1};
    visit(check, &ref, user);
}

static void visit_entry(hmd_check *check, const hmd_ground *ground, uint32_t at,
                        hmd_ref_visit visit, void *user)
{
    const uint32_t word = hmd_word(check->model, ground->is_textured ? at : at + 1);
    const hmd_ref normal = {.owner = HMD_OWNER_NORMAL,
                            .field = "normal number",
                            .at = ground->is_textured ? at : at + 1,
                            .number = hmd_low(word),
                            .section = ground->normals.off,
                            .first = (uint64_t)ground->normals.off + 2 * (uint64_t)hmd_low(word),
                            .num = 2};
    if (ground->normals.off != HMD_NONE) {
        visit(check, &normal, user);
    }
    if (ground->is_textured && ground->uvs.off != HMD_NONE) {
        const hmd_ref uv = {.owner = HMD_OWNER_UV,
                            .field = "texture position number",
                            .at = at,
                            .number = hmd_high(word),
                            .section = ground->uvs.off,
                            .first = ground->uvs.off + HMD_UV_WORDS * (uint64_t)hmd_high(word),
                            .num = HMD_UV_WORDS};
        visit(check, &uv, user);
    }
}

/* The cells of a row lie one behind the other: where one lies outside the bytes all the rest do,
 * and are told as one range. */
static void visit_cells(hmd_check *check, const hmd_ground *ground, uint32_t i,
                        const hmd_ground_row *row, hmd_ref_visit visit, void *user)
{
    const uint64_t words = ground->is_textured ? 1 : 2;
    for (uint32_t j = 0; j < row->num_cells && hmd_spend(check, 2); j++) {
        const uint32_t at = hmd_ground_cell(ground, i, row, j);
        const int64_t entry = (int64_t)ground->base + row->idx - i + j;
        const bool is_inside = at != HMD_NONE && hmd_has(check->model, at, words);
        const bool is_rest = !is_inside && entry >= 0;
        const hmd_ref ref = {.owner = HMD_OWNER_GRID,
                             .field = "grid entry",
                             .at = row->at,
                             .number = entry,
                             .section = ground->cells,
                             .first = is_rest ? ground->cells + words * (uint64_t)entry : at,
                             .num = is_rest ? words * (row->num_cells - j) : words};
        visit(check, &ref, user);
        if (is_rest) {
            return;
        }
        if (is_inside) {
            visit_entry(check, ground, at, visit, user);
        }
    }
}

static void visit_row(hmd_check *check, const hmd_ground *ground, uint32_t i,
                      const hmd_ground_row *row, hmd_ref_visit visit, void *user)
{
    if (row->num_cells > 0) {
        visit_heights(check, ground, row, 0, visit, user);
        visit_heights(check, ground, row, ground->nw, visit, user);
        visit_cells(check, ground, i, row, visit, user);
    }
}

void hmd_refs_ground(hmd_check *check, hmd_ref_visit visit, void *user)
{
    hmd_ground ground;
    if (!hmd_ground_read(check, &ground)) {
        return;
    }
    const hmd_ref ref = {.owner = HMD_OWNER_GROUND,
                         .field = "polygon record",
                         .at = check->record->off + 2,
                         .number = hmd_word(check->model, check->record->off + 2),
                         .section = ground.polygons.off,
                         .first = ground.polygon,
                         .num = HMD_GROUND_HEAD_WORDS + (uint64_t)ground.num_rows};
    visit(check, &ref, user);
    for (uint32_t i = 0; i < ground.num_rows && hmd_spend(check, 1); i++) {
        hmd_ground_row row;
        if (!hmd_ground_row_of(check, &ground, i, &row)) {
            return;
        }
        visit_row(check, &ground, i, &row, visit, user);
    }
}
