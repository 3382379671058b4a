#include "tod/tod_poses.h"

#include <assert.h>
#include <string.h>

#define NAME_COLUMN(name)                                                                          \
    {                                                                                              \
        name, FH_COLUMN_NAME                                                                       \
    }
#define INT_COLUMN(name)                                                                           \
    {                                                                                              \
        name, FH_COLUMN_INT                                                                        \
    }
#define MATRIX_COLUMNS                                                                             \
    INT_COLUMN("m00"), INT_COLUMN("m01"), INT_COLUMN("m02"), INT_COLUMN("m10"), INT_COLUMN("m11"), \
        INT_COLUMN("m12"), INT_COLUMN("m20"), INT_COLUMN("m21"), INT_COLUMN("m22"),                \
        INT_COLUMN("t0"), INT_COLUMN("t1"), INT_COLUMN("t2")
#define VECTOR_COLUMNS(name) INT_COLUMN(name "_x"), INT_COLUMN(name "_y"), INT_COLUMN(name "_z")

static const fh_column object_columns[] = {
    NAME_COLUMN("slot"),     NAME_COLUMN("object"),      NAME_COLUMN("attribute"),
    NAME_COLUMN("model"),    NAME_COLUMN("parent_slot"), MATRIX_COLUMNS,
    VECTOR_COLUMNS("scale"), VECTOR_COLUMNS("rotate"),   VECTOR_COLUMNS("trans"),
};
static const fh_column world_columns[] = {NAME_COLUMN("slot"), NAME_COLUMN("object"),
                                          MATRIX_COLUMNS};
static const fh_column light_columns[] = {NAME_COLUMN("light"), VECTOR_COLUMNS("direction"),
                                          INT_COLUMN("red"), INT_COLUMN("green"),
                                          INT_COLUMN("blue")};

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
enum {
    NUM_OBJECT_COLUMNS = LENGTH(object_columns),
    NUM_WORLD_COLUMNS = LENGTH(world_columns),
    NUM_LIGHT_COLUMNS = LENGTH(light_columns)
};

static const fh_pose_table object_table = {"object", object_columns, NUM_OBJECT_COLUMNS};
static const fh_pose_table world_table = {"world", world_columns, NUM_WORLD_COLUMNS};
static const fh_pose_table light_table = {"light", light_columns, NUM_LIGHT_COLUMNS};

enum { WORLD_UNKNOWN = 0, WORLD_ON_THE_WAY, WORLD_DONE, WORLD_NONE };

static bool make_shown(tod_poses *poses, fh_shown *shown, fh_arena *arena,
                       const fh_pose_table *table, size_t num)
{
    return fh_shown_make(shown, arena, poses->sink, table, num, poses->changes_only) == FH_OK;
}

fh_status tod_poses_init(tod_poses *poses, fh_arena *arena, const tod_player *player,
                         const fh_sink *sink, const fh_replay_options *options)
{
    const size_t size = player->size;
    *poses =
        (tod_poses){.sink = sink, .changes_only = options->changes_only, .world = options->world};
    poses->worlds = fh_arena_alloc(arena, size, sizeof *poses->worlds);
    poses->world_states = fh_arena_alloc(arena, size, sizeof *poses->world_states);
    poses->chain = fh_arena_alloc(arena, size, sizeof *poses->chain);
    const bool has_room =
        poses->worlds != NULL && poses->world_states != NULL && poses->chain != NULL &&
        make_shown(poses, &poses->objects, arena, &object_table, size) &&
        make_shown(poses, &poses->worlds_shown, arena, &world_table, size) &&
        make_shown(poses, &poses->lights_shown, arena, &light_table, TOD_NUM_LIGHTS);
    return has_room ? FH_OK : FH_NO_MEMORY;
}

/* Walks up from the slot and stacks every slot without a world matrix; returns how many. */
static size_t stack_chain(tod_poses *poses, const tod_player *player, int32_t slot)
{
    size_t num = 0;
    while (slot != TOD_NO_SLOT && poses->world_states[slot] == WORLD_UNKNOWN) {
        assert(num < player->size);
        poses->world_states[slot] = WORLD_ON_THE_WAY;
        poses->chain[num++] = slot;
        slot = player->slots[slot].parent;
    }
    return num;
}

static bool combine(tod_poses *poses, const tod_player *player, int32_t slot)
{
    const tod_slot *object = &player->slots[slot];
    if (object->parent == TOD_NO_SLOT) {
        poses->worlds[slot] = object->matrix;
        poses->world_states[slot] = WORLD_DONE;
        return true;
    }
    if (poses->world_states[object->parent] != WORLD_DONE) {
        poses->world_states[slot] = WORLD_NONE; /* in or under a cycle of parents */
        return true;
    }
    poses->world_states[slot] = WORLD_DONE;
    return fx_combine(&poses->worlds[slot], &poses->worlds[object->parent], &object->matrix);
}

void tod_poses_world(tod_poses *poses, const tod_player *player,
                     void (*overflow)(void *user, uint32_t slot), void *user)
{
    memset(poses->world_states, WORLD_UNKNOWN, player->size);
    for (uint32_t i = 0; i < player->num_used; i++) {
        size_t num = stack_chain(poses, player, (int32_t)i);
        while (num > 0) {
            const int32_t slot = poses->chain[--num];
            if (!combine(poses, player, slot)) {
                overflow(user, (uint32_t)slot);
            }
        }
    }
}

static bool is_live(const tod_player *player, uint32_t index)
{
    return index < player->num_used && player->slots[index].id != TOD_FREE_ID;
}

static size_t put_matrix(fh_pose_value *row, size_t at, const fx_matrix *matrix)
{
    for (unsigned i = 0; i < 9; i++) {
        row[at++].i = matrix->m[i / 3][i % 3];
    }
    for (unsigned i = 0; i < 3; i++) {
        row[at++].i = matrix->t[i];
    }
    return at;
}

static void put_object(fh_pose_value row[NUM_OBJECT_COLUMNS], uint32_t index, const tod_slot *slot)
{
    size_t at = 0;
    row[at++].i = index;
    row[at++].i = slot->id;
    row[at++].i = slot->attribute;
    row[at++].i = slot->model == TOD_NO_MODEL ? FH_UNKNOWN : slot->model;
    row[at++].i = slot->parent == TOD_NO_SLOT ? FH_UNKNOWN : slot->parent;
    at = put_matrix(row, at, &slot->matrix);
    for (unsigned i = 0; i < 3; i++) {
        row[at + i].i = slot->scale[i];
        row[at + 3 + i].i = slot->rotate[i];
        row[at + 6 + i].i = slot->trans[i];
    }
    assert(at + 9 == NUM_OBJECT_COLUMNS);
}

static void show_object(tod_poses *poses, uint32_t index, const tod_slot *slot)
{
    fh_pose_value row[NUM_OBJECT_COLUMNS];
    if (!poses->changes_only || !poses->objects.is_shown[index] || slot->touched) {
        put_object(row, index, slot);
        fh_shown_row(&poses->objects, index, row);
    }
}

static void show_worlds(tod_poses *poses, const tod_player *player)
{
    for (uint32_t i = 0; i < player->size; i++) {
        fh_pose_value row[NUM_WORLD_COLUMNS];
        if (!is_live(player, i) || poses->world_states[i] != WORLD_DONE) {
            fh_shown_gone(&poses->worlds_shown, i);
            continue;
        }
        row[0].i = i;
        row[1].i = player->slots[i].id;
        (void)put_matrix(row, 2, &poses->worlds[i]);
        fh_shown_row(&poses->worlds_shown, i, row);
    }
}

static void show_lights(tod_poses *poses, const tod_player *player)
{
    for (uint32_t i = 0; i < TOD_NUM_LIGHTS; i++) {
        const tod_light *light = &player->lights[i];
        fh_pose_value row[NUM_LIGHT_COLUMNS];
        if (!light->used) {
            continue;
        }
        row[0].i = i;
        for (unsigned k = 0; k < 3; k++) {
            row[1 + k].i = light->direction[k];
            row[4 + k].i = light->colour[k];
        }
        fh_shown_row(&poses->lights_shown, i, row);
    }
}

void tod_poses_show(tod_poses *poses, const tod_player *player, const fh_pose_frame *frame)
{
    fh_pass_frame(poses->sink, frame);
    if (poses->sink->pose == NULL) {
        return;
    }
    for (uint32_t i = 0; i < player->size; i++) {
        if (is_live(player, i)) {
            show_object(poses, i, &player->slots[i]);
        } else {
            fh_shown_gone(&poses->objects, i);
        }
    }
    if (player->any_light) {
        show_lights(poses, player);
    }
    if (poses->world) {
        show_worlds(poses, player);
    }
}
