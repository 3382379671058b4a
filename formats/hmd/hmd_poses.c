#include "hmd/hmd_poses.h"

#include "core/never.h"
#include "hmd/hmd_animation.h"

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
#define UNIT_COLUMNS                                                                               \
    NAME_COLUMN("coordinate"), NAME_COLUMN("parent"), MATRIX_COLUMNS, INT_COLUMN("rot_x"),         \
        INT_COLUMN("rot_y"), INT_COLUMN("rot_z")
#define COLOUR_COLUMNS INT_COLUMN("red"), INT_COLUMN("green"), INT_COLUMN("blue")

static const fh_column unit_columns[] = {UNIT_COLUMNS};
static const fh_column sequence_columns[] = {
    NAME_COLUMN("sequence"), NAME_COLUMN("ii"),    INT_COLUMN("aframe"),    NAME_COLUMN("sid"),
    INT_COLUMN("speed"),     NAME_COLUMN("srcii"), INT_COLUMN("rframe"),    INT_COLUMN("tframe"),
    NAME_COLUMN("ci"),       NAME_COLUMN("ti"),    NAME_COLUMN("traveling")};
static const fh_column word_columns[] = {NAME_COLUMN("word"), NAME_COLUMN("value")};
static const fh_column world_columns[] = {NAME_COLUMN("coordinate"), MATRIX_COLUMNS};
static const fh_column camera_columns[] = {NAME_COLUMN("camera"), MATRIX_COLUMNS,
                                           INT_COLUMN("projection")};
static const fh_column light_columns[] = {NAME_COLUMN("light"), INT_COLUMN("direction_x"),
                                          INT_COLUMN("direction_y"), INT_COLUMN("direction_z"),
                                          COLOUR_COLUMNS};
static const fh_column ambient_columns[] = {NAME_COLUMN("ambient"), COLOUR_COLUMNS};

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])
enum {
    NUM_UNIT_COLUMNS = LENGTH(unit_columns),
    NUM_SEQUENCE_COLUMNS = LENGTH(sequence_columns),
    NUM_WORD_COLUMNS = LENGTH(word_columns),
    NUM_WORLD_COLUMNS = LENGTH(world_columns),
    NUM_CAMERA_COLUMNS = LENGTH(camera_columns),
    NUM_LIGHT_COLUMNS = LENGTH(light_columns),
    NUM_AMBIENT_COLUMNS = LENGTH(ambient_columns)
};

static const fh_pose_table unit_table = {"coordinate", unit_columns, NUM_UNIT_COLUMNS};
static const fh_pose_table morphed_unit_table = {"morphed_coordinate", unit_columns,
                                                 NUM_UNIT_COLUMNS};
static const fh_pose_table sequence_table = {"sequence", sequence_columns, NUM_SEQUENCE_COLUMNS};
static const fh_pose_table word_table = {"word", word_columns, NUM_WORD_COLUMNS};
static const fh_pose_table morphed_word_table = {"morphed_word", word_columns, NUM_WORD_COLUMNS};
static const fh_pose_table world_table = {"world", world_columns, NUM_WORLD_COLUMNS};
static const fh_pose_table camera_table = {"camera", camera_columns, NUM_CAMERA_COLUMNS};
static const fh_pose_table light_table = {"light", light_columns, NUM_LIGHT_COLUMNS};
static const fh_pose_table ambient_table = {"ambient", ambient_columns, NUM_AMBIENT_COLUMNS};

/* Work units of a row, about its columns. */
enum { COST_ROW = 4 };

static bool make_shown(hmd_poses *poses, fh_shown *shown, const fh_pose_table *table, size_t num)
{
    return fh_shown_make(shown, poses->player->check.arena, poses->sink, table, num,
                         poses->changes_only) == FH_OK;
}

fh_status hmd_poses_open(hmd_poses *poses, hmd_player *player, const fh_sink *sink,
                         const fh_replay_options *options)
{
    fh_arena *arena = player->check.arena;
    const uint32_t num_units = player->model.num_units;
    *poses = (hmd_poses){.sink = sink,
                         .player = player,
                         .changes_only = options->changes_only,
                         .world = options->world};
    poses->posed = fh_arena_alloc(arena, player->image.num_words, sizeof *poses->posed);
    poses->is_to_build = fh_arena_alloc(arena, num_units, sizeof *poses->is_to_build);
    if (poses->posed == NULL || poses->is_to_build == NULL ||
        !make_shown(poses, &poses->coordinates, &unit_table, num_units) ||
        !make_shown(poses, &poses->sequences, &sequence_table, player->num_tracks) ||
        (poses->world && !make_shown(poses, &poses->worlds, &world_table, num_units)) ||
        !make_shown(poses, &poses->cameras, &camera_table, 1) ||
        !make_shown(poses, &poses->lights, &light_table, HMD_NUM_LIGHTS) ||
        !make_shown(poses, &poses->ambients, &ambient_table, 1)) {
        return FH_NO_MEMORY;
    }
    memcpy(poses->posed, player->image.words, player->image.num_words * sizeof *poses->posed);
    memset(poses->is_to_build, true, num_units * sizeof *poses->is_to_build);
    return FH_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

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

/* ---- coordinates ----------------------------------------------------------------------------- */

/* Always: the coordinates of a model lie before its headers, and those inside of the bytes. */
static bool has_units(const hmd_player *player)
{
    const hmd_world *world = &player->world;
    return world->first_unit + (uint64_t)HMD_UNIT_WORDS * world->num <= player->image.num_words;
}

static void put_unit(const hmd_player *player, fh_pose_value row[NUM_UNIT_COLUMNS], uint32_t unit)
{
    const uint32_t off = hmd_unit(&player->model, unit);
    const uint32_t *word = player->image.words + off;
    fx_matrix matrix;
    const bool inside = hmd_world_local(&player->image, off, &matrix);
    assert(inside);
    (void)inside;
    row[0].i = unit;
    row[1].i = player->world.parent[unit];
    size_t at = put_matrix(row, 2, &matrix);
    row[at++].i = fx_w16(hmd_low(word[HMD_ROT_WORD]));
    row[at++].i = fx_w16(hmd_high(word[HMD_ROT_WORD]));
    row[at++].i = fx_w16(hmd_low(word[HMD_ROT_WORD + 1]));
    assert(at == NUM_UNIT_COLUMNS);
}

static uint32_t unit_of(const hmd_player *player, uint32_t word)
{
    const uint32_t first = player->world.first_unit;
    if (word < first || (word - first) / HMD_UNIT_WORDS >= player->world.num) {
        return HMD_NONE;
    }
    return (word - first) / HMD_UNIT_WORDS;
}

/* Units that were written to have to be looked at: by sequences in this frame, or by MIMe and its
 * resets since the last one. */
static void mark_units(hmd_poses *poses)
{
    hmd_player *player = poses->player;
    for (uint32_t i = 0; i < player->animated.num; i++) {
        const uint32_t unit = unit_of(player, player->animated.words[i]);
        if (unit != HMD_NONE) {
            poses->is_to_build[unit] = true;
        }
    }
    for (uint32_t i = 0; i < player->world.num; i++) {
        poses->is_to_build[i] = poses->is_to_build[i] || player->unit_moved[i];
        player->unit_moved[i] = false;
    }
}

/* A row that was not built anew is the last one. */
static void show_units(hmd_poses *poses)
{
    hmd_player *player = poses->player;
    for (uint32_t i = 0; i < player->world.num; i++) {
        fh_pose_value row[NUM_UNIT_COLUMNS];
        if (poses->is_to_build[i]) {
            put_unit(player, row, i);
            fh_shown_row(&poses->coordinates, i, row);
        } else if (!poses->changes_only) {
            fh_pass_row(poses->sink, &unit_table, fh_shown_last(&poses->coordinates, i));
        }
        poses->is_to_build[i] = false;
    }
}

static void show_worlds(hmd_poses *poses)
{
    hmd_player *player = poses->player;
    for (uint32_t i = 0; i < player->world.num; i++) {
        fh_pose_value row[NUM_WORLD_COLUMNS];
        row[0].i = i;
        (void)put_matrix(row, 1, &player->world.matrix[i]);
        fh_shown_row(&poses->worlds, i, row);
    }
}

/* ---- sequences ------------------------------------------------------------------------------- */

static void show_sequences(hmd_poses *poses)
{
    const hmd_player *player = poses->player;
    for (uint32_t i = 0; i < player->num_tracks; i++) {
        const uint32_t *word = player->image.words + player->tracks[i].off;
        const fh_pose_value row[NUM_SEQUENCE_COLUMNS] = {
            {.i = i},
            {.i = hmd_low(word[2])},
            {.i = hmd_high(word[2])},
            {.i = word[3] & 0xff},
            {.i = fx_w16(word[3] & 0xff00) >> 8},
            {.i = hmd_high(word[3])},
            {.i = fx_w16(hmd_low(word[4]))},
            {.i = hmd_high(word[4])},
            {.i = hmd_low(word[5])},
            {.i = hmd_high(word[5])},
            {.i = word[6] >> 24},
        };
        fh_shown_row(&poses->sequences, i, row);
    }
}

/* ---- other words ----------------------------------------------------------------------------- */

/* Coordinates and sequences have rows of their own; pointers and types are addresses in memory. */
static bool is_plain_word(const hmd_player *player, uint32_t word)
{
    const uint32_t unit = unit_of(player, word);
    if (unit != HMD_NONE) {
        const uint32_t field = word - hmd_unit(&player->model, unit);
        return field >= HMD_WORKM_WORD && field < HMD_ROT_WORD;
    }
    if (player->is_sequence[word]) {
        return false;
    }
    switch (player->model.owner[word]) {
    case HMD_OWNER_FRONT:
    case HMD_OWNER_HEADER:
    case HMD_OWNER_PRIMITIVE:
    case HMD_OWNER_TABLE:
        return false;
    default:
        return true;
    }
}

/* An entry of a history is shown as the word of its key, -1 for none. 0 is none, though an image
 * may lie there. */
static int64_t word_value(const hmd_player *player, uint32_t word)
{
    const uint32_t value = player->image.words[word];
    const uint32_t off = (value - player->image.base) & 0xffffffffu;
    if (!player->is_history[word]) {
        return fx_w32(value);
    }
    const bool is_key = value != 0 && off / HMD_WORD_LEN < player->image.num_words;
    return is_key ? (int64_t)(off / HMD_WORD_LEN) : -1;
}

static void show_word(const hmd_poses *poses, const fh_pose_table *table, uint32_t word)
{
    const fh_pose_value row[NUM_WORD_COLUMNS] = {{.i = word},
                                                 {.i = word_value(poses->player, word)}};
    fh_pass_row(poses->sink, table, row);
}

static void show_words(hmd_poses *poses)
{
    const hmd_player *player = poses->player;
    for (uint32_t i = 0; i < player->animated.num; i++) {
        const uint32_t word = player->animated.words[i];
        const uint32_t value = player->image.words[word];
        if (value != poses->posed[word] && is_plain_word(player, word)) {
            show_word(poses, &word_table, word);
        }
        poses->posed[word] = value;
    }
}

/* ---- moments of a frame ---------------------------------------------------------------------- */

void hmd_poses_begin(hmd_poses *poses, uint32_t frame)
{
    const fh_pose_frame shown = {frame, frame};
    fh_pass_frame(poses->sink, &shown);
}

void hmd_poses_posed(hmd_poses *poses)
{
    hmd_player *player = poses->player;
    const uint64_t rows = (uint64_t)player->world.num + player->num_tracks;
    if (!hmd_spend(&player->check, COST_ROW * rows + player->animated.num)) {
        return;
    }
    const bool is_there = has_units(player);
    if (ALWAYS(is_there)) {
        mark_units(poses);
        show_units(poses);
    }
    show_sequences(poses);
    show_words(poses);
    if (poses->world) {
        /* It was brought up to date for the checks; had that failed, nothing could have been paid.
         */
        const bool has_world = hmd_player_world(player);
        if (ALWAYS(has_world)) {
            show_worlds(poses);
        }
    }
}

static void show_morphed_units(hmd_poses *poses)
{
    const hmd_player *player = poses->player;
    for (uint32_t i = 0; i < player->world.num; i++) {
        const fh_pose_value *pose = fh_shown_last(&poses->coordinates, i);
        fh_pose_value row[NUM_UNIT_COLUMNS];
        if (!player->unit_moved[i]) {
            continue;
        }
        put_unit(player, row, i);
        if (!fh_same_row(&unit_table, row, pose)) {
            fh_pass_row(poses->sink, &morphed_unit_table, row);
        }
    }
}

void hmd_poses_morphed(hmd_poses *poses)
{
    hmd_player *player = poses->player;
    const hmd_journal *journal = &player->morphed;
    if (!hmd_spend(&player->check, (uint64_t)journal->num + player->world.num)) {
        return;
    }
    const bool is_there = has_units(player);
    if (ALWAYS(is_there)) {
        show_morphed_units(poses);
    }
    for (uint32_t i = 0; i < journal->num; i++) {
        const uint32_t word = journal->words[i];
        if (player->image.words[word] != journal->before[i] && is_plain_word(player, word)) {
            show_word(poses, &morphed_word_table, word);
        }
    }
}

void hmd_poses_devices(hmd_poses *poses)
{
    const hmd_player *player = poses->player;
    const hmd_devices *devices = &player->devices;
    if (player->has_camera) {
        fh_pose_value row[NUM_CAMERA_COLUMNS] = {{.i = 0}};
        const size_t at = put_matrix(row, 1, &devices->view);
        row[at].i = devices->projection;
        fh_shown_row(&poses->cameras, 0, row);
    }
    for (uint32_t i = 0; i < HMD_NUM_LIGHTS; i++) {
        fh_pose_value row[NUM_LIGHT_COLUMNS] = {{.i = i}};
        for (unsigned k = 0; k < 3 && player->has_light[i]; k++) {
            row[1 + k].i = devices->light[i][k];
            row[4 + k].i = devices->colour[k][i];
        }
        if (player->has_light[i]) {
            fh_shown_row(&poses->lights, i, row);
        }
    }
    if (player->has_ambient) {
        const fh_pose_value row[NUM_AMBIENT_COLUMNS] = {
            {.i = 0}, {.i = devices->back[0]}, {.i = devices->back[1]}, {.i = devices->back[2]}};
        fh_shown_row(&poses->ambients, 0, row);
    }
}
