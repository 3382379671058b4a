#include "hmd/hmd_polygons.h"

typedef struct elements {
    hmd_arg vertices, normals;
    hmd_polygon_args args;
} elements;

static void visit_half(hmd_check *check, const elements *of, uint32_t at, unsigned half,
                       uint8_t kind, hmd_ref_visit visit, void *user)
{
    const bool is_vertex = kind == HMD_HALF_VERTEX;
    const hmd_arg *section = is_vertex ? &of->vertices : &of->normals;
    if ((!is_vertex && kind != HMD_HALF_NORMAL) || section->off == HMD_NONE) {
        return;
    }
    const uint32_t word = hmd_word(check->model, at);
    const uint32_t number = half == 0 ? hmd_low(word) : hmd_high(word);
    const hmd_ref ref = {.owner = is_vertex ? of->args.vertex_owner : of->args.normal_owner,
                         .field = is_vertex ? "vertex number" : "normal number",
                         .at = at,
                         .number = number,
                         .section = section->off,
                         .first = (uint64_t)section->off + 2 * (uint64_t)number,
                         .num = 2};
    visit(check, &ref, user);
}

static void visit_packets(hmd_check *check, hmd_polygons *run, hmd_ref_visit visit, void *user)
{
    const uint32_t header = hmd_header_of(check->model, check->record);
    const hmd_polygon_args args = hmd_polygon_args_of(check->record);
    const elements of = {hmd_arg_of(check->model, header, args.vertices),
                         hmd_arg_of(check->model, header, args.normals), args};
    hmd_packet packet;
    check->packet = 0;
    while (hmd_polygons_next(run, check, &packet) && hmd_spend(check, packet.num_words)) {
        for (uint32_t i = 0; i < packet.num_words; i++) {
            const hmd_packet_word *word = &packet.words[i];
            if (word->kind == HMD_WORD_HALVES) {
                visit_half(check, &of, packet.off + i, 0, word->low, visit, user);
                visit_half(check, &of, packet.off + i, 1, word->high, visit, user);
            }
        }
        check->packet++;
    }
    check->packet = HMD_NONE;
}

static void visit_run(hmd_check *check, hmd_ref_visit visit, void *user)
{
    hmd_polygons run;
    const bool is_known = hmd_polygons_open(&run, check);
    if (run.section.off == HMD_NONE || check->record->size < 2) {
        return;
    }
    if (is_known) {
        visit_packets(check, &run, visit, user);
    }
    const bool is_possible = run.off + run.num_missing <= HMD_MOST_WORDS;
    hmd_ref ref = {.owner = HMD_OWNER_POLYGON,
                   .field = "polygon index",
                   .at = check->record->off + 2,
                   .number = run.index & 0xffffff,
                   .section = run.section.off,
                   .first = run.first,
                   .num = run.off - run.first + (is_possible ? run.num_missing : 0)};
    visit(check, &ref, user);
    if (!is_possible) { /* what is there before belongs to the asset all the same */
        ref.first = run.off;
        ref.num = run.num_missing;
        visit(check, &ref, user);
    }
}

/* Pre-calculation: count, source, destination of the vertices, then of the normals. Sources and
 * destinations count elements of 8 bytes. */
static void visit_precalculation(hmd_check *check, hmd_ref_visit visit, void *user)
{
    static const struct {
        uint8_t count, index, arg, owner;
        const char *field;
        bool is_written;
    } ranges[] = {
        {0, 1, 1, HMD_OWNER_VERTEX, "source of the vertices", false},
        {0, 2, 2, HMD_OWNER_CALC_VERTEX, "destination of the vertices", true},
        {3, 4, 3, HMD_OWNER_NORMAL, "source of the normals", false},
        {3, 5, 4, HMD_OWNER_CALC_NORMAL, "destination of the normals", true},
    };
    const hmd_model *model = check->model;
    const uint32_t data = check->record->off + 2;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0] && check->record->size >= 7; i++) {
        const hmd_arg arg = hmd_arg_of(model, hmd_header_of(model, check->record), ranges[i].arg);
        const uint32_t number = hmd_word(model, data + ranges[i].index);
        const hmd_ref ref = {.owner = (enum hmd_owner)ranges[i].owner,
                             .field = ranges[i].field,
                             .at = data + ranges[i].index,
                             .number = number,
                             .section = arg.off,
                             .first = (uint64_t)arg.off + 2 * (uint64_t)number,
                             .num = 2 * (uint64_t)hmd_word(model, data + ranges[i].count),
                             .is_written = ranges[i].is_written};
        if (arg.off != HMD_NONE) {
            visit(check, &ref, user);
        }
    }
}

void hmd_refs_polygons(hmd_check *check, hmd_ref_visit visit, void *user)
{
    if (hmd_is_precalculation(check->record)) {
        visit_precalculation(check, visit, user);
    } else {
        visit_run(check, visit, user);
    }
}
