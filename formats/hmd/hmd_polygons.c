#include "hmd/hmd_polygons.h"

/* Which arguments of the header a record's polygons, vertices and normals are: shared polygons are
 * drawn from what the pre-calculation wrote. */
hmd_polygon_args hmd_polygon_args_of(const hmd_record *record)
{
    static const hmd_polygon_args plain = {0, 1, 2, HMD_OWNER_VERTEX, HMD_OWNER_NORMAL};
    static const hmd_polygon_args shared = {0, 2, 4, HMD_OWNER_CALC_VERTEX, HMD_OWNER_CALC_NORMAL};
    const bool is_shared_map = record->category == HMD_ENVMAP &&
                               (record->type & 0xf000) == 0x1000 &&
                               (record->type & 0x0f00) == 0x0100;
    const bool is_shared = record->category == HMD_SHARED || is_shared_map;
    return is_shared ? shared : plain;
}

bool hmd_is_precalculation(const hmd_record *record)
{
    const uint32_t type = record->type & ~HMD_TYPE_INI;
    return type == 0x01000000u || type == 0x06000100u;
}

static uint32_t triangles_of(const hmd_model *model, const hmd_polygons *run, uint64_t off)
{
    const uint32_t num = hmd_word(model, (uint32_t)off);
    return run->layout->is_mesh && num > 1 ? num : 1;
}

bool hmd_polygons_open(hmd_polygons *run, const hmd_check *check)
{
    const hmd_model *model = check->model;
    const hmd_record *record = check->record;
    const hmd_polygon_args args = hmd_polygon_args_of(record);
    const uint32_t header = hmd_header_of(model, record);
    const bool is_known = record->type != HMD_NO_TYPE;
    *run = (hmd_polygons){.layout = is_known ? hmd_packet_layout_of(record->type) : NULL,
                          .section = hmd_arg_of(model, header, args.polygons)};
    if (record->size < 2 || run->section.off == HMD_NONE) {
        return false;
    }
    run->index = hmd_word(model, record->off + 2);
    run->first = (uint64_t)run->section.off + (run->index & 0xffffff);
    run->off = run->first;
    run->num_left = record->count;
    return run->layout != NULL;
}

/* The least that the packets which have not been handed out take: of a mesh that has not begun
 * nobody knows how long it is. */
static uint64_t words_left(const hmd_polygons *run)
{
    return (uint64_t)run->num_left * run->layout->num_first +
           (uint64_t)run->num_more * run->layout->num_more;
}

bool hmd_polygons_next(hmd_polygons *run, hmd_check *check, hmd_packet *packet)
{
    const hmd_packet_layout *layout = run->layout;
    if (run->num_left == 0 && run->num_more == 0) {
        return false;
    }
    const bool is_first = run->num_more == 0;
    const uint8_t num = is_first ? layout->num_first : layout->num_more;
    *packet = (hmd_packet){.off = (uint32_t)run->off,
                           .words = is_first ? layout->first : layout->more,
                           .num_words = num,
                           .is_first = is_first};
    const bool is_possible = run->off + words_left(run) <= HMD_MOST_WORDS;
    if (!is_possible || !hmd_has(check->model, run->off, num)) {
        run->num_missing = words_left(run);
        (void)hmd_need(check, run->off, run->num_missing);
        return false;
    }
    if (!hmd_spend(check, 1)) {
        return false;
    }
    if (is_first) {
        run->num_left--;
        run->num_more = triangles_of(check->model, run, run->off) - 1;
    } else {
        run->num_more--;
    }
    run->off += num;
    return true;
}
