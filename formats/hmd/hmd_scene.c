#include "hmd/hmd_scene.h"

#include "core/format.h"
#include "core/never.h"
#include "fixed/fixed.h"
#include "hmd/hmd_device.h"
#include "hmd/hmd_polygons.h"
#include "hmd/hmd_show.h"

#include <string.h>

#define ONE 4096.0
#define FULL_LIGHT 4080.0  /* of a colour in the coprocessor's matrix */
#define HALF_PICTURE 120.0 /* lines: the format does not say how large the picture is */
#define TICKS_A_SECOND 60.0

enum { COST_OF_PRIMITIVE = 8, COST_OF_NODE = 8 };

/* ---- rows ------------------------------------------------------------------------------------ */

/* Where things stand in the rows of hmd_poses.c. */
enum { PARENT = 1, LOCAL = 2, VIEW = 1, PROJECTION = 13, COLOUR = 4 };

static void read_matrix(fh_scene_pose *out, const fh_pose_value *values)
{
    for (unsigned i = 0; i < 9; i++) {
        out->matrix[i / 3][i % 3] = (double)values[i].i / ONE;
    }
    for (unsigned i = 0; i < 3; i++) {
        out->origin[i] = (double)values[9 + i].i;
    }
}

static void place_unit(fh_scene_pose *out, const fh_pose_value *values)
{
    out->kind = FH_SCENE_NODE;
    out->parent = values[PARENT].i < 0 ? FH_SCENE_NONE : (uint32_t)values[PARENT].i;
    read_matrix(out, values + LOCAL);
}

static void place_camera(fh_scene_pose *out, const fh_pose_value *values)
{
    out->kind = FH_SCENE_VIEW;
    out->value = (double)values[PROJECTION].i / HALF_PICTURE;
    read_matrix(out, values + VIEW);
}

static void place_light(fh_scene_pose *out, const fh_pose_value *values)
{
    out->kind = FH_SCENE_LIGHT;
    for (unsigned i = 0; i < 3; i++) {
        out->vector[i] = (double)values[1 + i].i;
        out->colour[i] = (double)values[COLOUR + i].i / FULL_LIGHT;
    }
}

/* Vertex and normal morphing takes the low half of a weight. */
static void place_word(fh_scene_pose *out, const fh_pose_value *values)
{
    out->kind = FH_SCENE_WEIGHT;
    out->value = (double)fx_w16(values[1].i) / ONE;
}

static bool place(fh_scene_pose *out, const fh_pose_row *row)
{
    static const struct {
        const char *table;
        void (*place)(fh_scene_pose *out, const fh_pose_value *values);
    } tables[] = {{"coordinate", place_unit}, {"morphed_coordinate", place_unit},
                  {"camera", place_camera},   {"light", place_light},
                  {"word", place_word},       {"morphed_word", place_word}};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (strcmp(row->table->name, tables[i].table) == 0) {
            *out = (fh_scene_pose){
                .id = (uint32_t)row->values[0].i, .parent = FH_SCENE_NONE, .model = FH_SCENE_NONE};
            tables[i].place(out, row->values);
            return true;
        }
    }
    return false;
}

/* ---- remarks --------------------------------------------------------------------------------- */

static const char *const remarks[HMD_NUM_REMARKS] = {
    [HMD_REMARK_CUT] = "polygons or images that lead past the end are left out",
    [HMD_REMARK_PLACELESS] = "polygons in a block without a coordinate are left out",
    [HMD_REMARK_UNSHARED] = "shared polygons with vertices that nothing calculates are left out",
    [HMD_REMARK_LAYOUT] = "polygons whose layout is not known are left out",
    [HMD_REMARK_ENVMAP] =
        "environment maps hang on the view: such polygons show their colour alone",
    [HMD_REMARK_UNLOADED] = "textures that are not in the file are left out",
    [HMD_REMARK_TEXTURES] = "there are more than 1024 textures: the others are left out",
    [HMD_REMARK_IMAGE] = "images that are empty or leave the video memory are left out",
    [HMD_REMARK_BLENDING] = "semi-transparency other than half and half is shown as that",
    [HMD_REMARK_AMBIENT] = "ambient colours are left out",
    [HMD_REMARK_AXES] = "joint MIMe of the axes kind is not evaluated",
    [HMD_REMARK_PROGRAM] = "MIMe weights that the program gives are taken for 0",
    [HMD_REMARK_MORPH] = "MIMe is shown without the rounding to whole numbers of each vertex",
};

void hmd_say(hmd_show *show, hmd_remark remark)
{
    if (!show->is_said[remark]) {
        show->is_said[remark] = true;
        show->out->remark(show->out->user, remarks[remark]);
    }
}

/* ---- the walk -------------------------------------------------------------------------------- */

bool hmd_walk_records(hmd_show *show, void (*visit)(hmd_show *show))
{
    const hmd_model *model = &show->model;
    for (uint32_t block = 0; block < model->num_blocks; block++) {
        const bool has_unit = block > 0 && block + 1 < model->num_blocks;
        /* There is a coordinate for each of these blocks, or no model (HMD0021). */
        show->unit = has_unit && ALWAYS(block - 1 < model->num_units) ? block - 1 : HMD_NONE;
        for (uint32_t at = model->blocks[block]; at != HMD_NONE;) {
            const hmd_primitive *primitive = &model->primitives[at];
            show->check.primitive = primitive;
            for (uint32_t i = 0; i < primitive->num_records; i++) {
                show->check.record = &model->records[primitive->first_record + i];
                visit(show);
            }
            if (!hmd_spend(&show->check, COST_OF_PRIMITIVE + (uint64_t)primitive->num_records)) {
                return false;
            }
            at = primitive->next;
        }
    }
    hmd_clear_place(&show->check);
    return true;
}

static bool is_drawn(const hmd_record *record)
{
    return record->category == HMD_POLYGONS || record->category == HMD_SHARED ||
           record->category == HMD_ENVMAP;
}

static void visit_first(hmd_show *show)
{
    const hmd_record *record = show->check.record;
    if (is_drawn(record) && hmd_is_precalculation(record)) {
        hmd_show_shared(show);
    } else if (record->category == HMD_IMAGES) {
        hmd_show_image(show);
    }
}

static void visit_drawn(hmd_show *show)
{
    const hmd_record *record = show->check.record;
    if (is_drawn(record) && !hmd_is_precalculation(record)) {
        hmd_show_polygons(show);
    } else if (record->category == HMD_GROUND) {
        hmd_show_ground(show);
    }
}

static void visit_rest(hmd_show *show)
{
    const hmd_record *record = show->check.record;
    if (record->category == HMD_MIME) {
        hmd_show_morph(show);
    } else if (record->category == HMD_DEVICE &&
               (record->type & ~HMD_TYPE_INI) == HMD_DEVICE_AMBIENT) {
        hmd_say(show, HMD_REMARK_AMBIENT);
    }
}

/* ---- what there is --------------------------------------------------------------------------- */

static void tell_nodes(hmd_show *show)
{
    for (uint32_t i = 0; i < show->model.num_units && hmd_spend(&show->check, COST_OF_NODE); i++) {
        const fh_scene_node node = {.id = i,
                                    .offset = HMD_WORD_LEN * (uint64_t)hmd_unit(&show->model, i),
                                    .parent = FH_SCENE_NONE};
        show->out->node(show->out->user, &node);
    }
}

static void tell_meshes(hmd_show *show)
{
    show->visit = hmd_show_texture;
    if (!hmd_walk_records(show, visit_first) || !hmd_walk_records(show, visit_drawn)) {
        return;
    }
    hmd_tell_images(show);
    show->visit = hmd_show_triangles;
    if (hmd_walk_records(show, visit_drawn)) {
        (void)hmd_walk_records(show, visit_rest);
    }
}

static bool prepare(hmd_show *show)
{
    const uint32_t num = show->model.num_words;
    show->joint = fh_arena_alloc(show->check.arena, num, sizeof *show->joint);
    show->source = fh_arena_alloc(show->check.arena, num, sizeof *show->source);
    return show->joint != NULL && show->source != NULL && hmd_textures_open(show);
}

static fh_status describe(const fh_env *env, const fh_scene_sink *out, const void *model,
                          const fh_replay_options *options)
{
    static const fh_scene_about about = {
        .is_y_down = true, .rate = TICKS_A_SECOND, .is_rate_assumed = true, .node = "coordinate"};
    hmd_show *show = fh_arena_alloc(env->arena, 1, sizeof *show);
    (void)options;
    if (show == NULL) {
        return FH_NO_MEMORY;
    }
    show->model = *(const hmd_model *)model;
    show->check = hmd_check_make(&show->model, NULL, env->budget, env->arena);
    show->out = out;
    if (!prepare(show)) {
        return FH_NO_MEMORY;
    }
    out->about(out->user, &about);
    tell_nodes(show);
    tell_meshes(show);
    return show->check.stopped ? FH_LIMIT : FH_OK;
}

const fh_scene hmd_scene = {.place = place, .describe = describe};
