#include "hmd/hmd_replay_checks.h"

#include "core/never.h"
#include "hmd/hmd_animation.h"

#include <assert.h>

enum {
    TOLD_LINEAR = 1,
    TOLD_CUBIC = 2,
    TOLD_LONG_WAY = 4,
    TOLD_SINGULAR = 8,
    TOLD_SCALE = 16,
    HALF_TURN = 2048
};

fh_status hmd_replay_checks_open(hmd_replay_checks *checks, hmd_player *player)
{
    fh_arena *arena = player->check.arena;
    const hmd_model *model = &player->model;
    *checks = (hmd_replay_checks){
        .player = player,
        .notes = fh_arena_alloc(arena, player->num_tracks, sizeof *checks->notes),
        .is_told = fh_arena_alloc(arena, model->num_units, sizeof *checks->is_told),
        .is_record_told = fh_arena_alloc(arena, model->num_records, sizeof(bool)),
        .at = player->num_reels > 0 ? player->reels[0].record->off : 0};
    return checks->notes != NULL && checks->is_told != NULL && checks->is_record_told != NULL
               ? FH_OK
               : FH_NO_MEMORY;
}

static const hmd_playback *playback_of(const hmd_player *player, uint32_t sequence)
{
    return &player->reels[player->tracks[sequence].reel].playback;
}

/* ---- each tick ------------------------------------------------------------------------------- */

static void tell_key(hmd_replay_checks *checks, uint32_t sequence, uint32_t bit, enum hmd_rule rule,
                     const char *field, fh_value found, fh_value expected)
{
    hmd_replay_note *note = &checks->notes[sequence];
    hmd_check *check = &checks->player->check;
    const uint32_t key = checks->player->tick.dst;
    if ((note->told & bit) != 0) {
        return;
    }
    note->told |= bit;
    check->descriptor = key;
    if (rule == HMD0286 || rule == HMD0299) { /* of a coordinate's matrix */
        const uint32_t update = checks->player->tick.call.update_off / (uint32_t)HMD_WORD_LEN;
        check->unit = hmd_unit_at(&checks->player->model, update);
    }
    hmd_tell(check, rule, field, playback_of(checks->player, sequence)->control + key, found,
             expected);
    check->descriptor = HMD_NONE;
    check->unit = HMD_NONE;
}

static void check_notice(hmd_replay_checks *checks, uint32_t sequence, const hmd_tick *tick)
{
    const hmd_interp_notice *notice = &tick->notice;
    if (notice->linear.seen) {
        tell_key(checks, sequence, TOLD_LINEAR, HMD0283, "sum of products",
                 fh_dec(notice->linear.value, ""), fh_words("a number of 32 bits"));
    }
    if (notice->coefficient.seen) {
        tell_key(checks, sequence, TOLD_CUBIC, HMD0284, "coefficient",
                 fh_dec(notice->coefficient.value, ""), fh_words("a number of 16 bits"));
    } else if (notice->step.seen) {
        tell_key(checks, sequence, TOLD_CUBIC, HMD0284, "product", fh_dec(notice->step.value, ""),
                 fh_words("a number of 32 bits"));
    }
    if (notice->became_singular) {
        tell_key(checks, sequence, TOLD_SINGULAR, HMD0286, "determinant", fh_words("0"),
                 fh_words("not 0"));
    }
    if (notice->scale_wrapped) {
        tell_key(checks, sequence, TOLD_SCALE, HMD0299, "scaled matrix", fh_words("out of range"),
                 fh_words("elements of 16 bits"));
    }
}

/* false where the image has no such key: a spline computes from the keys of its history, and the
 * two that it plays between may lie anywhere. */
static bool angle_at(const hmd_player *player, const hmd_interp_part *part, uint32_t key,
                     uint32_t axis, int16_t *angle)
{
    return hmd_image_s16(&player->image, key + part->off + 2 * axis, angle);
}

/* Looks at every pair of keys when it is played first; both are in the layout of the type. */
static void check_turn(hmd_replay_checks *checks, uint32_t sequence, const hmd_tick *tick)
{
    static const char *const axes[3] = {"rotation about x", "rotation about y", "rotation about z"};
    hmd_replay_note *note = &checks->notes[sequence];
    const hmd_interp_part *part = &tick->type.parts[HMD_PART_ROTATION];
    if (part->curve == HMD_CURVE_NONE || tick->type.defect == HMD_DEFECT_ROTATION_LOST ||
        (note->has_keys && note->src == tick->src && note->dst == tick->dst)) {
        return;
    }
    note->has_keys = true;
    note->src = tick->src;
    note->dst = tick->dst;
    for (uint32_t i = 0; i < 3; i++) {
        int16_t from;
        int16_t to;
        if (!angle_at(checks->player, part, tick->call.dst_off, i, &to) ||
            !angle_at(checks->player, part, tick->call.src_off, i, &from)) {
            return;
        }
        const int64_t turn = (int64_t)to - from;
        if (turn > HALF_TURN || turn < -HALF_TURN) {
            tell_key(checks, sequence, TOLD_LONG_WAY, HMD0285, axes[i], fh_dec(turn, ""),
                     fh_words("-2048 to 2048"));
        }
    }
}

/* The first word of a unit is a flag; of a unit that hangs over the end of the image, functions may
 * have written what lies inside. */
static bool has_changed(const hmd_player *player, const hmd_tick *tick)
{
    for (uint32_t i = tick->first_written; i < tick->end_written && i < player->image.num_words;
         i++) {
        if (hmd_unit_at(&player->model, i) == HMD_NONE &&
            player->image.words[i] != hmd_word(&player->model, i)) {
            return true;
        }
    }
    return false;
}

void hmd_replay_check_tick(hmd_replay_checks *checks, uint32_t sequence, const hmd_tick *tick)
{
    hmd_replay_note *note = &checks->notes[sequence];
    if (!tick->ran || !hmd_spend(&checks->player->check, 4)) {
        return;
    }
    if (!note->has_changed &&
        hmd_spend(&checks->player->check, tick->end_written - tick->first_written)) {
        note->has_changed = has_changed(checks->player, tick);
    }
    check_notice(checks, sequence, tick);
    check_turn(checks, sequence, tick);
}

void hmd_replay_check_world(hmd_replay_checks *checks)
{
    hmd_player *player = checks->player;
    hmd_check *check = &player->check;
    if (!hmd_player_world(player) || player->world.num_saturated == 0) {
        return;
    }
    hmd_check place = *check;
    hmd_clear_place(&place);
    place.frame = check->frame;
    for (uint32_t i = 0; i < player->world.num && hmd_spend(check, 1); i++) {
        if (player->world.saturated[i] && !checks->is_told[i]) {
            checks->is_told[i] = true;
            place.unit = i;
            hmd_tell(&place, HMD0287, "world matrix", hmd_unit(&player->model, i),
                     fh_words("out of range"), fh_words("elements of 16 bits, translations of 32"));
        }
    }
}

void hmd_replay_check_unmodelled(hmd_replay_checks *checks)
{
    const hmd_check *check = &checks->player->check;
    const uint32_t index = (uint32_t)(check->record - check->model->records);
    const bool is_axes = (check->record->type & ~HMD_TYPE_INI) == HMD_MIME_JOINT_AXES;
    if (checks->is_record_told[index]) {
        return;
    }
    checks->is_record_told[index] = true;
    if (is_axes) {
        hmd_tell(check, HMD0290, "type", check->record->off, fh_hex(check->record->type),
                 fh_nothing());
    } else {
        hmd_tell(check, HMD0300, "type", check->record->off, fh_hex(check->record->type),
                 fh_nothing());
    }
}

/* ---- the end of a replay that cannot go on --------------------------------------------------- */

static void tell_outside(const hmd_player *player, const hmd_playback *playback, uint32_t off)
{
    const hmd_tick *tick = &player->tick;
    const hmd_check *check = &player->check;
    static const char *const fields[] = {[HMD_WHAT_SEQUENCE] = "sequence pointer",
                                         [HMD_WHAT_CONTROL] = "control index",
                                         [HMD_WHAT_TYPE] = "type index",
                                         [HMD_WHAT_SECTION] = "section of the update",
                                         [HMD_WHAT_UPDATE] = "update",
                                         [HMD_WHAT_SRC] = "source key",
                                         [HMD_WHAT_DST] = "target key",
                                         [HMD_WHAT_INTR] = "key to save to",
                                         [HMD_WHAT_WORK] = "history of the spline",
                                         [HMD_WHAT_HISTORY] = "key of the history"};
    assert(tick->index <= INT64_MAX);        /* it is made of 16 and 32 bits */
    assert(tick->what != HMD_WHAT_SEQUENCE); /* which the player has found inside */
    const int64_t index = (int64_t)tick->index;
    const int64_t limits[] = {[HMD_WHAT_CONTROL] = playback->num_descriptors,
                              [HMD_WHAT_TYPE] = playback->num_types,
                              [HMD_WHAT_SECTION] = playback->num_sections};
    if (tick->what <= HMD_WHAT_SECTION) {
        hmd_tell(check, HMD0280, fields[tick->what], off, fh_dec(index, ""),
                 fh_dec_after("below ", limits[tick->what], ""));
    } else {
        hmd_tell(check, HMD0280, fields[tick->what], off, fh_dec_after("at byte ", index, ""),
                 fh_dec_after("inside of ",
                              (int64_t)HMD_WORD_LEN * (int64_t)player->image.num_words,
                              " bytes, on its boundary"));
    }
}

static void tell_hang(hmd_check *check, const hmd_playback *playback, const hmd_cycle *cycle)
{
    check->descriptor = cycle->first;
    hmd_tell(check, HMD0281, "cycle", playback->control + cycle->first,
             fh_count(cycle->num, "descriptor"),
             fh_dec_after("some time to pass with sid ", cycle->sid, ""));
}

static void tell_no_driver(hmd_check *check, const hmd_player *player, const hmd_playback *playback,
                           uint64_t index)
{
    const uint32_t at = playback->types + (uint32_t)index;
    assert(at < player->image.num_words); /* what stands there is no type */
    const uint32_t word = player->image.words[at];
    check->descriptor = player->tick.dst;
    hmd_tell(check, HMD0280, "interpolation function", at, fh_hex(word),
             fh_words("a type of release 4.4"));
}

/* The descriptor is the one the sequence came to, where it came to one. */
static void tell_tick(hmd_player *player)
{
    const hmd_tick *tick = &player->tick;
    const hmd_playback *playback = playback_of(player, player->sequence);
    const uint32_t off = player->tracks[player->sequence].off;
    hmd_check *check = &player->check;
    switch (tick->end) {
    case HMD_TICK_HANG:
        tell_hang(check, playback, &tick->cycle);
        break;
    case HMD_TICK_NO_DRIVER:
        tell_no_driver(check, player, playback, tick->index);
        break;
    case HMD_TICK_EMPTY_HISTORY:
        check->descriptor = tick->dst;
        hmd_tell(check, HMD0282, "history",
                 tick->call.history_off / (uint32_t)HMD_WORD_LEN + (uint32_t)tick->index,
                 fh_dec_after("0 in entry ", (int64_t)tick->index, ""), fh_words("a key"));
        break;
    default:
        tell_outside(player, playback, off);
    }
}

void hmd_replay_tell_end(hmd_replay_checks *checks)
{
    hmd_player *player = checks->player;
    hmd_check *check = &player->check;
    switch (player->end) {
    case HMD_PLAY_TICK:
        tell_tick(player);
        break;
    case HMD_PLAY_RECORD:
        hmd_tell(check, HMD0280, "address", check->record->off,
                 fh_dec_after("at byte ", player->outcome.off, ""),
                 fh_dec_after("inside of ",
                              (int64_t)HMD_WORD_LEN * (int64_t)player->image.num_words, " bytes"));
        break;
    default:
        hmd_tell_stop(check, HMD0289, "work budget of the replay", checks->at);
    }
}

void hmd_replay_tell_frames(hmd_replay_checks *checks, uint32_t most)
{
    hmd_tell(&checks->player->check, HMD0289, "frames", checks->at,
             fh_dec_after("above ", most, ""), fh_words("a state that repeats"));
}

/* ---- the end of a complete replay ------------------------------------------------------------ */

static void put_period(fh_text *out, uint64_t period)
{
    if (period == UINT64_MAX) {
        fh_text_str(out, "at least ");
    }
    fh_text_u64(out, period);
    fh_text_str(out, period == 1 ? " frame, after a prelude of " : " frames, after a prelude of ");
}

void hmd_replay_tell_period(hmd_replay_checks *checks, const hmd_plan *plan, uint32_t num_frames)
{
    fh_finding finding = fh_finding_make(&hmd_rules[HMD0288], "period");
    finding.offset = (int64_t)HMD_WORD_LEN * checks->at;
    fh_text text = fh_text_make(finding.found, sizeof finding.found);
    put_period(&text, plan->period);
    if (plan->is_entangled) { /* the search that compares all of it finds a later moment */
        fh_text_str(&text, "at most ");
    }
    fh_text_u64(&text, plan->prelude);
    if (plan->is_known && num_frames < plan->frames) {
        fh_text_str(&text, "; ");
        fh_text_u64(&text, num_frames);
        fh_text_str(&text, " are played");
    }
    fh_reporter_tell(checks->player->check.reporter, &finding);
}

void hmd_replay_tell_frozen(hmd_replay_checks *checks)
{
    hmd_player *player = checks->player;
    hmd_check *check = &player->check;
    hmd_clear_place(check);
    for (uint32_t i = 0; i < player->num_tracks && hmd_spend(check, 1); i++) {
        const hmd_reel *reel = &player->reels[player->tracks[i].reel];
        /* Every record of a model is run by some block. */
        if (checks->notes[i].has_changed || NEVER(reel->runs == 0)) {
            continue;
        }
        check->record = reel->record;
        check->primitive = &player->model.primitives[reel->record->primitive];
        check->block = check->primitive->block;
        check->sequence = i - reel->first_sequence;
        hmd_tell(check, HMD0298, "update", player->tracks[i].off, fh_words("as in the asset"),
                 fh_words("a change in some frame"));
    }
    hmd_clear_place(check);
}
