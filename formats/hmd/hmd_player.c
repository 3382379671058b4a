#include "hmd/hmd_player.h"

#include "core/never.h"
#include "hmd/hmd_animation.h"

#include <assert.h>
#include <string.h>

/* ---- making a player ------------------------------------------------------------------------- */

static bool make_journal(hmd_player *player, hmd_journal *out)
{
    const uint32_t num = player->image.num_words;
    *out = (hmd_journal){.words = fh_arena_alloc(player->check.arena, num, sizeof *out->words),
                         .before = fh_arena_alloc(player->check.arena, num, sizeof *out->before),
                         .is_listed =
                             fh_arena_alloc(player->check.arena, num, sizeof *out->is_listed)};
    return out->words != NULL && out->before != NULL && out->is_listed != NULL;
}

static bool make_image(hmd_player *player)
{
    const hmd_model *model = &player->model;
    const uint32_t num = model->end < model->num_words ? model->end : model->num_words;
    fh_arena *arena = player->check.arena;
    player->image =
        (hmd_image){.words = fh_arena_alloc(arena, num, sizeof(uint32_t)),
                    .num_words = num,
                    .base = hmd_is_memory(model) ? model->base | model->segment : HMD_FILE_BASE};
    player->is_history = fh_arena_alloc(arena, num, sizeof *player->is_history);
    player->is_sequence = fh_arena_alloc(arena, num, sizeof *player->is_sequence);
    player->unit_moved = fh_arena_alloc(arena, model->num_units, sizeof *player->unit_moved);
    return player->image.words != NULL && player->is_history != NULL &&
           player->is_sequence != NULL && player->unit_moved != NULL &&
           make_journal(player, &player->animated) && make_journal(player, &player->morphed);
}

static bool make_world(hmd_player *player)
{
    const hmd_model *model = &player->model;
    fh_arena *arena = player->check.arena;
    const uint32_t num = model->num_units;
    int32_t *parent = fh_arena_alloc(arena, num, sizeof *parent);
    player->world = (hmd_world){.first_unit = model->coordinates + 1,
                                .num = num,
                                .parent = parent,
                                .order = fh_arena_alloc(arena, num, sizeof(uint32_t)),
                                .matrix = fh_arena_alloc(arena, num, sizeof(fx_matrix)),
                                .saturated = fh_arena_alloc(arena, num, sizeof(bool))};
    if (parent == NULL || player->world.order == NULL || player->world.matrix == NULL ||
        player->world.saturated == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < num; i++) {
        parent[i] = model->parents[i] == HMD_NONE ? -1 : (int32_t)model->parents[i];
    }
    if (hmd_spend(&player->check, 2 * (uint64_t)num)) {
        /* Circles of parents were told and opened when the asset was checked. */
        const bool is_sorted = hmd_world_sort(&player->world);
        player->has_world = ALWAYS(is_sorted);
    }
    return true;
}

_Static_assert(HMD_NO_SECTION == HMD_NONE, "what points nowhere is no section");

/* The sections that update indices count; number 0 is the header's size. */
static bool make_sections(hmd_player *player, hmd_playback *playback, uint32_t header)
{
    const uint32_t num = player->model.headers[header].num_words;
    uint32_t *sections = fh_arena_alloc(player->check.arena, num, sizeof *sections);
    if (sections == NULL || !hmd_spend(&player->check, num)) {
        return false;
    }
    for (uint32_t i = 0; i < num; i++) {
        sections[i] = i > 0 ? hmd_arg_of(&player->model, header, i).off : HMD_NO_SECTION;
    }
    playback->sections = sections;
    playback->num_sections = num;
    return true;
}

/* Goes over the sequences of check->record; stores them if there is room for them. */
static uint32_t list_sequences(hmd_player *player, hmd_track *out, uint32_t reel,
                               uint32_t *last_runs)
{
    uint32_t off = player->check.record->off + 2;
    uint32_t left = player->check.record->count;
    uint32_t num = 0;
    hmd_sequence sequence;
    while (hmd_spend(&player->check, HMD_SEQUENCE_WORDS) &&
           hmd_animation_next(&player->check, &off, &left, &sequence) &&
           /* What can be read of them moved the end of the asset. */
           ALWAYS(hmd_image_has(&player->image, sequence.off, HMD_SEQUENCE_WORDS))) {
        if (out != NULL) {
            out[num] = (hmd_track){reel, sequence.off};
            memset(player->is_sequence + sequence.off, true, HMD_SEQUENCE_WORDS);
        }
        num++;
        *last_runs = sequence.size == 0 ? 1 + player->check.record->count - num : 1;
    }
    return num;
}

/* A record whose header lacks a section plays nothing. */
static bool make_reel(hmd_player *player, hmd_reel *reel, const hmd_record *record)
{
    hmd_animation animation;
    player->check.record = record;
    *reel = (hmd_reel){.record = record, .first_sequence = player->num_tracks};
    /* In memory the types may be drivers' addresses: then nothing can be played (HMD0174). */
    if (record->is_unplayable || !hmd_animation_read(&player->check, &animation)) {
        return !player->check.stopped;
    }
    reel->playback = (hmd_playback){.types = animation.table.off + 1,
                                    .num_types = animation.num_types,
                                    .control = animation.control.off,
                                    .num_descriptors = animation.num_descriptors,
                                    .parameters = animation.parameters.off};
    reel->num_sequences = list_sequences(player, NULL, 0, &reel->last_runs);
    player->num_tracks += reel->num_sequences;
    return make_sections(player, &reel->playback, animation.header);
}

static bool make_reels(hmd_player *player)
{
    const hmd_model *model = &player->model;
    for (uint32_t i = 0; i < model->num_records && hmd_spend(&player->check, 1); i++) {
        player->num_reels += model->records[i].category == HMD_ANIMATION ? 1 : 0;
    }
    if (player->check.stopped) { /* for those that were not counted there would be no room */
        return false;
    }
    player->reels = fh_arena_alloc(player->check.arena, player->num_reels, sizeof *player->reels);
    hmd_reel *reel = player->reels;
    for (uint32_t i = 0; reel != NULL && i < model->num_records; i++) {
        if (model->records[i].category == HMD_ANIMATION &&
            !make_reel(player, reel++, &model->records[i])) {
            return false;
        }
    }
    player->tracks =
        fh_arena_alloc(player->check.arena, player->num_tracks, sizeof *player->tracks);
    if (reel == NULL || player->tracks == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < player->num_reels; i++) {
        player->check.record = player->reels[i].record;
        hmd_reel *of = &player->reels[i];
        if (of->num_sequences > 0) {
            list_sequences(player, player->tracks + of->first_sequence, i, &of->last_runs);
        }
    }
    return !player->check.stopped;
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* Work units: primitives lie anywhere, and every step to one waits for memory. */
enum { COST_PRIMITIVE = 8 };

typedef bool visit_record(hmd_player *player);

static bool walk_primitive(hmd_player *player, visit_record *visit)
{
    hmd_check *check = &player->check;
    for (uint32_t i = 0; i < check->primitive->num_records; i++) {
        check->record = &player->model.records[check->primitive->first_record + i];
        if (!hmd_spend(check, 1) || !visit(player)) {
            return false;
        }
    }
    return true;
}

/* false when a visit says so or the budget is spent; the place is then that of the record. */
static bool walk(hmd_player *player, visit_record *visit)
{
    const hmd_model *model = &player->model;
    hmd_check *check = &player->check;
    for (uint32_t block = 0; block < model->num_blocks; block++) {
        uint32_t at = model->blocks[block];
        check->block = block;
        if (!hmd_spend(check, 1)) {
            return false;
        }
        while (at != HMD_NONE) {
            check->primitive = &model->primitives[at];
            if (!hmd_spend(check, COST_PRIMITIVE) || !walk_primitive(player, visit)) {
                return false;
            }
            at = check->primitive->next;
        }
    }
    hmd_clear_place(check);
    return true;
}

static hmd_reel *reel_of(const hmd_player *player, const hmd_record *record)
{
    uint32_t low = 0;
    uint32_t high = player->num_reels;
    while (low + 1 < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (player->reels[middle].record <= record) {
            low = middle;
        } else {
            high = middle;
        }
    }
    assert(player->reels[low].record == record);
    return &player->reels[low];
}

static bool count_run(hmd_player *player)
{
    if (player->check.record->category == HMD_ANIMATION) {
        reel_of(player, player->check.record)->runs++;
        player->num_runs++;
    }
    return true;
}

/* ---- animation ------------------------------------------------------------------------------- */

static bool wrote_units(const hmd_player *player, const hmd_tick *tick)
{
    const uint32_t first = player->world.first_unit;
    return tick->end_written > first &&
           tick->first_written < (uint64_t)first + HMD_UNIT_WORDS * (uint64_t)player->world.num;
}

static void note_tick(hmd_player *player, const hmd_tick *tick)
{
    player->is_world_old = player->is_world_old || wrote_units(player, tick);
    const uint32_t history = tick->history_off / 4;
    if (tick->has_history && hmd_image_has(&player->image, history, HMD_WORK_WORDS)) {
        memset(player->is_history + history, true, HMD_WORK_WORDS);
    }
}

hmd_tick_end hmd_player_tick(hmd_player *player, hmd_tick *tick, uint32_t sequence)
{
    const hmd_track *track = &player->tracks[sequence];
    player->image.journal = &player->animated;
    const hmd_tick_end end =
        hmd_driver_tick(&player->image, tick, &player->reels[track->reel].playback,
                        (uint32_t)HMD_WORD_LEN * track->off, player->check.budget);
    player->image.journal = NULL;
    note_tick(player, tick);
    return end;
}

static bool play_sequence(hmd_player *player, uint32_t sequence)
{
    const hmd_tick_end end = hmd_player_tick(player, &player->tick, sequence);
    const hmd_watcher *watcher = &player->watcher;
    player->sequence = sequence;
    if (watcher->ticked != NULL) {
        watcher->ticked(watcher->user, sequence, &player->tick);
    }
    if (end != HMD_TICK_OK && end != HMD_TICK_STOPPED) {
        player->end = end == HMD_TICK_LIMIT ? HMD_PLAY_LIMIT : HMD_PLAY_TICK;
        return false;
    }
    return true;
}

static void pose(hmd_player *player)
{
    player->is_posed = true;
    if (player->watcher.posed != NULL) {
        player->watcher.posed(player->watcher.user);
    }
}

static bool play_reel(hmd_player *player)
{
    const hmd_reel *reel = reel_of(player, player->check.record);
    for (uint32_t i = 0; i < reel->num_sequences; i++) {
        const uint32_t runs = i + 1 == reel->num_sequences ? reel->last_runs : 1;
        player->check.sequence = i;
        for (uint32_t k = 0; k < runs; k++) {
            if ((k > 0 && !hmd_spend(&player->check, 1)) ||
                !play_sequence(player, reel->first_sequence + i)) {
                return false;
            }
        }
    }
    player->check.sequence = HMD_NONE;
    player->runs_left--;
    if (player->runs_left == 0) {
        pose(player);
    }
    return true;
}

/* ---- MIMe ------------------------------------------------------------------------------------ */

/* Of HMD_NO_ARG it may be anything: what a type does not have is not looked at. */
static uint32_t section_of(const hmd_player *player, uint8_t arg)
{
    const uint32_t header = hmd_header_of(&player->model, player->check.record);
    return hmd_arg_of(&player->model, header, arg).off;
}

/* In memory the program has put the address of its own weights there, which lie elsewhere. */
static uint32_t weights_of(const hmd_player *player, const hmd_morph *morph)
{
    const hmd_model *model = &player->model;
    const hmd_arg arg =
        hmd_arg_of(model, hmd_header_of(model, player->check.record), morph->weights);
    const bool is_foreign = hmd_is_memory(model) && arg.off >= player->image.num_words;
    return arg.is_pointer && !is_foreign ? arg.off : 0;
}

static uint32_t num_keys_of(const hmd_player *player, const hmd_morph *morph)
{
    const uint32_t header = hmd_header_of(&player->model, player->check.record);
    return hmd_arg_of(&player->model, header, morph->num_weights).raw;
}

static hmd_mime_args mime_args(const hmd_player *player, const hmd_morph *morph)
{
    hmd_mime_args args = {.type = player->check.record->type & ~HMD_TYPE_INI,
                          .coordinates = section_of(player, morph->coordinates),
                          .weights = player->weights,
                          .differences = section_of(player, morph->differences),
                          .originals = section_of(player, morph->originals)};
    const uint32_t elements = section_of(player, morph->elements);
    args.vertices = morph->is_normal ? 0 : elements;
    args.normals = morph->is_normal ? elements : 0;
    if (!morph->is_reset) {
        args.mimepr = weights_of(player, morph);
        args.num_keys = num_keys_of(player, morph);
    }
    return args;
}

static uint32_t num_blocks_of(const hmd_record *record)
{
    assert(record->size > 0); /* or there would be no model */
    const uint32_t room = record->size - 1u;
    return record->count < room ? record->count : room;
}

typedef hmd_outcome evaluate(hmd_image *, fh_budget *, const hmd_mime_args *, uint32_t);

/* Differences go first to last, those of a vertex or normal reset last to first. */
static bool take_blocks(hmd_player *player, const hmd_morph *morph, evaluate *function)
{
    const hmd_record *record = player->check.record;
    const hmd_mime_args args = mime_args(player, morph);
    const uint32_t num = num_blocks_of(record);
    const bool backward = morph->is_reset && !morph->is_joint;
    for (uint32_t i = 0; i < num; i++) {
        const uint32_t at = record->off + 2 + (backward ? num - 1 - i : i);
        assert(at < player->image.num_words); /* records lie inside of the asset */
        const uint32_t block = player->image.words[at];
        player->outcome = function(&player->image, player->check.budget, &args, block);
        if (player->outcome.eval != HMD_EVAL_OK) {
            return false;
        }
        const uint64_t joint = (uint64_t)args.differences + block;
        if (morph->is_joint && ALWAYS(joint < player->image.num_words)) { /* it was read */
            const uint32_t unit = hmd_low(player->image.words[joint]);
            if (unit < player->model.num_units) {
                player->unit_moved[unit] = true;
                player->is_world_old = true;
            }
        }
    }
    return true;
}

static void harvest(hmd_player *player)
{
    if (player->is_morphed && player->watcher.morphed != NULL) {
        player->watcher.morphed(player->watcher.user);
    }
    player->is_morphed = false;
    hmd_journal_clear(&player->morphed);
}

static bool end_record(hmd_player *player)
{
    if (player->outcome.eval == HMD_EVAL_UNSUPPORTED) {
        if (player->watcher.unmodelled != NULL) {
            player->watcher.unmodelled(player->watcher.user);
        }
        return true;
    }
    player->end = player->outcome.eval == HMD_EVAL_LIMIT ? HMD_PLAY_LIMIT : HMD_PLAY_RECORD;
    return false;
}

static bool play_mime(hmd_player *player)
{
    const hmd_morph *morph = hmd_morph_of(player->check.record);
    if (morph == NULL) {
        return true;
    }
    if (morph->is_reset) {
        harvest(player);
    } else if (num_keys_of(player, morph) > HMD_MIME_MAX_KEYS) {
        return true; /* told when the asset was checked: its flags cannot name that many */
    }
    player->image.journal = morph->is_reset ? NULL : &player->morphed;
    const bool done = take_blocks(player, morph, hmd_mime_play);
    player->image.journal = NULL;
    player->is_morphed = player->is_morphed || !morph->is_reset;
    return done || end_record(player);
}

static bool keep_originals(hmd_player *player)
{
    const hmd_record *record = player->check.record;
    const hmd_morph *morph = record->category == HMD_MIME ? hmd_morph_of(record) : NULL;
    if (morph != NULL && morph->is_reset && !morph->is_joint &&
        !take_blocks(player, morph, hmd_mime_keep)) {
        return player->outcome.eval != HMD_EVAL_LIMIT;
    }
    return true;
}

/* ---- devices --------------------------------------------------------------------------------- */

bool hmd_player_world(hmd_player *player)
{
    /* What failed once had no budget for it, and nothing is played without one. */
    if (player->is_world_old && ALWAYS(player->has_world)) {
        const hmd_outcome outcome =
            hmd_world_update(&player->world, &player->image, player->check.budget);
        player->has_world = outcome.eval == HMD_EVAL_OK;
    }
    player->is_world_old = false;
    return player->has_world;
}

/* The world matrix of the coordinate that an argument points at; NULL without one. */
static const fx_matrix *matrix_of(hmd_player *player, uint32_t arg)
{
    const uint32_t header = hmd_header_of(&player->model, player->check.record);
    const uint32_t unit = hmd_unit_at(&player->model, hmd_arg_of(&player->model, header, arg).off);
    return unit == HMD_NONE || !hmd_player_world(player) ? NULL : &player->world.matrix[unit];
}

static void note_device(hmd_player *player, const hmd_device_kind *kind, uint32_t item)
{
    if (!kind->is_light) {
        player->has_camera = true;
    } else if (kind->type == HMD_DEVICE_AMBIENT) {
        player->has_ambient = true;
    } else {
        assert(hmd_low(item) < HMD_NUM_LIGHTS); /* others are not played */
        player->has_light[hmd_low(item)] = true;
    }
}

/* A light number or coordinate that is wrong was told when the asset was checked: left out here.
 * The item of a camera is 0. */
static bool play_one_device(hmd_player *player, const hmd_device_kind *kind, uint32_t item)
{
    unsigned notes = 0;
    const fx_matrix *systems[2] = {NULL, NULL};
    if (kind->type != HMD_DEVICE_AMBIENT && hmd_low(item) >= HMD_NUM_LIGHTS) {
        return true;
    }
    for (uint32_t i = 0; i < kind->num_coordinates; i++) {
        systems[i] = matrix_of(player, 1 + i);
        if (systems[i] == NULL) {
            return true;
        }
    }
    const hmd_device device = {.type = kind->type,
                               .parameters = section_of(player, 0),
                               .item = item,
                               .own = systems[0],
                               .other = systems[1]};
    if (!hmd_spend(&player->check, 8)) {
        player->outcome = (hmd_outcome){HMD_EVAL_LIMIT, 0};
        return end_record(player);
    }
    player->outcome = hmd_device_play(&player->devices, &notes, &player->image, &device);
    if (player->outcome.eval != HMD_EVAL_OK) {
        return end_record(player);
    }
    note_device(player, kind, item);
    return true;
}

static bool play_device(hmd_player *player)
{
    const hmd_record *record = player->check.record;
    const hmd_device_kind *kind = hmd_device_of(record);
    if (kind == NULL) {
        return true;
    }
    if (!kind->is_light) {
        return play_one_device(player, kind, 0);
    }
    const uint32_t num = hmd_device_lights(record, kind);
    for (uint32_t i = 0; i < num && i + 1 < record->size; i++) {
        const uint32_t at = record->off + 2 + i;
        assert(at < player->image.num_words); /* records lie inside of the asset */
        const uint32_t item = player->image.words[at];
        if (!play_one_device(player, kind, item)) {
            return false;
        }
    }
    return true;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static bool play_record(hmd_player *player)
{
    switch (player->check.record->category) {
    case HMD_ANIMATION:
        return play_reel(player);
    case HMD_MIME:
        return play_mime(player);
    case HMD_DEVICE:
        return play_device(player);
    default:
        return true;
    }
}

hmd_play hmd_player_frame(hmd_player *player)
{
    hmd_journal_clear(&player->animated);
    player->runs_left = player->num_runs;
    player->is_posed = false;
    player->end = HMD_PLAY_ON;
    if (player->runs_left == 0) {
        pose(player);
    }
    if (walk(player, play_record)) {
        harvest(player);
    }
    if (player->end == HMD_PLAY_ON && player->check.stopped) {
        player->end = HMD_PLAY_LIMIT;
    }
    return player->end;
}

/* A sequence of an image that was playing goes on as it stands, unless it never ran. */
static bool is_running(const hmd_player *player, uint32_t off)
{
    const uint32_t *word = player->image.words + off;
    const bool has_run = word[2] != 0 || word[4] != 0 || word[5] != 0;
    return player->model.stage == HMD_STAGE_PLAYING && has_run;
}

fh_status hmd_player_rewind(hmd_player *player)
{
    const uint32_t num = player->image.num_words;
    if (!hmd_spend(&player->check, num)) {
        return FH_LIMIT;
    }
    for (uint32_t i = 0; i < num; i++) {
        player->image.words[i] = hmd_word(&player->model, i);
    }
    player->image.journal = NULL;
    hmd_journal_clear(&player->animated);
    hmd_journal_clear(&player->morphed);
    player->is_morphed = false;
    player->is_world_old = true;
    hmd_devices_reset(&player->devices);
    for (uint32_t i = 0; i < player->num_tracks; i++) {
        const uint32_t off = player->tracks[i].off;
        if (!is_running(player, off)) {
            const bool inside = hmd_driver_start(&player->image, (uint32_t)HMD_WORD_LEN * off);
            assert(inside);
            (void)inside;
        }
    }
    if (player->model.stage != HMD_STAGE_PLAYING && !walk(player, keep_originals)) {
        return FH_LIMIT;
    }
    return FH_OK;
}

fh_status hmd_player_open(hmd_player *player, const hmd_model *model, fh_reporter *reporter,
                          fh_budget *budget, fh_arena *arena)
{
    *player = (hmd_player){.model = *model};
    player->check = hmd_check_make(&player->model, reporter, budget, arena);
    if (!make_image(player) || !make_world(player) || !make_reels(player)) {
        return player->check.stopped ? FH_LIMIT : FH_NO_MEMORY;
    }
    hmd_clear_place(&player->check);
    if (!walk(player, count_run)) {
        return FH_LIMIT;
    }
    return hmd_player_rewind(player);
}

/* ---- what decides about sequences ------------------------------------------------------------ */

bool hmd_player_is_guarded(const hmd_player *player, uint32_t word)
{
    switch (player->model.owner[word]) {
    case HMD_OWNER_TABLE:
    case HMD_OWNER_CONTROL:
    case HMD_OWNER_KEY:
    case HMD_OWNER_WORK:
        return true;
    default:
        return player->is_history[word] || player->is_sequence[word];
    }
}

uint32_t hmd_player_history(const hmd_player *player, uint32_t sequence)
{
    const hmd_image *image = &player->image;
    const hmd_track *track = &player->tracks[sequence];
    const hmd_playback *playback = &player->reels[track->reel].playback;
    const uint32_t start = hmd_low(image->words[track->off + HMD_SEQUENCE_START / 4]);
    const uint32_t control = playback->control + start;
    if (!hmd_image_has(image, control, 1)) {
        return HMD_NONE;
    }
    const uint32_t at = playback->parameters + hmd_low(image->words[control]);
    return hmd_image_has(image, at, HMD_WORK_WORDS) ? at : HMD_NONE;
}
