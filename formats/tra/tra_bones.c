#include "tra/tra_chunk.h"

/* ---- keys ---- */

static bool is_next_frame(tra_parse *parse, const tra_key *key)
{
    const bool is_first = parse->check.key == 0;
    const bool is_next = key->has_frame && (is_first || key->frame > parse->last_frame);
    parse->last_frame = key->has_frame ? key->frame : parse->last_frame;
    return is_next && key->has_value;
}

static void read_key(tra_parse *parse, const fh_token *keyword, tra_channel *channel)
{
    tra_parameters params;
    tra_key key = {.at = keyword->at};
    tra_read_parameters(parse, &params, keyword, "ir");
    if (parse->is_stopped) {
        return;
    }
    if (tra_hold_parameters(parse, &params, "ir", "a frame and a value")) {
        key.has_frame = tra_take_int(parse, &params.token[0], &key.frame);
        parse->check.frame = key.has_frame ? key.frame : FH_UNKNOWN;
        key.has_value = tra_take_real(parse, &params.token[1], &key.value);
        parse->check.frame = FH_UNKNOWN;
    }
    parse->ascends = is_next_frame(parse, &key) && parse->ascends;
    parse->check.key++;
    if (channel != NULL) {
        channel->num_keys++;
        if (parse->is_filling) {
            parse->model->keys[parse->model->num_keys] = key;
        }
        parse->model->num_keys++;
        parse->worth.num_keys += key.has_frame && key.has_value ? 1 : 0;
    }
}

/* Reads the keys of a channel. channel is NULL where they do not count: it stands twice. */
static void read_keys(tra_parse *parse, tra_channel *channel)
{
    static const char *const names[] = {"kf", NULL};
    fh_token keyword;
    parse->check.key = 0;
    parse->ascends = true;
    while (tra_next_child(parse, &keyword)) {
        if (tra_find_keyword(parse, &keyword, names) == TRA_NO_KEYWORD) {
            tra_say(parse, TRA0033, "chunk in a channel", &keyword, "kf");
            tra_skip_chunk(parse, &keyword);
        } else {
            read_key(parse, &keyword, channel);
        }
    }
    parse->check.key = TRA_NONE;
}

/* ---- bones ---- */

typedef struct bone_state {
    tra_bone bone;
    fh_text_place name_at;
    fh_text_place places[TRA_NUM_KINDS];
    bool has[TRA_NUM_KINDS];
    int last_kind;
    bool is_order_told;
} bone_state;

static void read_bone_name(tra_parse *parse, bone_state *state, const fh_token *keyword)
{
    tra_parameters params;
    if (state->bone.has_name) {
        tra_tell_twice(parse, keyword, state->name_at);
        tra_skip_chunk(parse, keyword);
        return;
    }
    tra_read_parameters(parse, &params, keyword, "s");
    if (parse->is_stopped) {
        return;
    }
    state->bone.has_name = true;
    state->name_at = keyword->at;
    /* A word that should be in quotes is told, and is the name all the same. */
    if (tra_hold_parameters(parse, &params, "s", "a name in double quotes") || params.num == 1) {
        state->bone.name_off = params.token[0].off;
        state->bone.name_units = params.token[0].num_units;
        parse->check.bone_name = tra_name(&state->bone);
        if (params.token[0].num_units == 0) {
            tra_say(parse, TRA0061, "name", &params.token[0], "at least one character");
        }
    }
}

static void judge_order(tra_parse *parse, bone_state *state, const fh_token *keyword, int kind)
{
    if (kind < state->last_kind && !state->is_order_told) {
        state->is_order_told = true;
        tra_say(parse, TRA0039, "channel", keyword,
                "name, translate.x to .z, scale.x to .z, rotate.x to .z, roll");
    }
    state->last_kind = kind;
}

static void take_channel(tra_parse *parse, bone_state *state, tra_channel channel)
{
    tra_model *model = parse->model;
    read_keys(parse, &channel);
    channel.is_playable = channel.num_keys > 0 && parse->ascends;
    channel.lacks_back = parse->is_stopped;
    if (parse->is_filling) {
        model->channels[model->num_channels] = channel;
    }
    model->num_channels++;
    state->bone.num_channels++;
}

static void read_channel(tra_parse *parse, bone_state *state, const fh_token *keyword, int kind)
{
    tra_model *model = parse->model;
    parse->check.kind = (uint32_t)kind;
    if (state->has[kind]) {
        tra_tell_twice(parse, keyword, state->places[kind]);
        read_keys(parse, NULL);
        parse->check.kind = TRA_NUM_KINDS;
        return;
    }
    judge_order(parse, state, keyword, kind);
    state->has[kind] = true;
    state->places[kind] = keyword->at;
    tra_channel channel = {.at = keyword->at, .first_key = model->num_keys, .kind = (uint8_t)kind};
    take_channel(parse, state, channel);
    parse->check.kind = TRA_NUM_KINDS;
}

static void read_bone_children(tra_parse *parse, bone_state *state)
{
    static const char *const names[] = {"translate.x", "translate.y", "translate.z", "scale.x",
                                        "scale.y",     "scale.z",     "rotate.x",    "rotate.y",
                                        "rotate.z",    "roll",        "name",        NULL};
    fh_token child;
    while (tra_next_child(parse, &child)) {
        const int kind = tra_find_keyword(parse, &child, names);
        if (kind == TRA_NO_KEYWORD) {
            tra_say(parse, TRA0030, "chunk in a bone", &child, "name or one of the ten channels");
            tra_skip_chunk(parse, &child);
        } else if (kind == TRA_NUM_KINDS) {
            judge_order(parse, state, &child, -1);
            read_bone_name(parse, state, &child);
        } else {
            read_channel(parse, state, &child, kind);
        }
    }
}

static bone_state begin_bone(tra_parse *parse, fh_text_place at)
{
    parse->check.bone = parse->model->num_bones;
    return (bone_state){.bone = {.at = at, .first_channel = parse->model->num_channels},
                        .last_kind = -1};
}

static void end_bone(tra_parse *parse, bone_state *state)
{
    tra_model *model = parse->model;
    state->bone.is_cut = state->bone.is_cut || parse->is_stopped;
    if (parse->is_filling) {
        model->bones[model->num_bones] = state->bone;
    }
    model->num_bones++;
    tra_clear_place(&parse->check);
}

void tra_read_bone(tra_parse *parse, const fh_token *keyword)
{
    bone_state state = begin_bone(parse, keyword->at);
    const uint32_t num_keys = parse->worth.num_keys;
    read_bone_children(parse, &state);
    end_bone(parse, &state);
    if (!parse->is_stopped && state.bone.has_name && parse->worth.num_keys > num_keys) {
        parse->worth.num_bones++;
    }
}

void tra_read_cut_bone(tra_parse *parse, bool in_channel)
{
    const fh_text_place at = fh_scan_place(&parse->scan);
    bone_state state = begin_bone(parse, at);
    state.bone.is_cut = true;
    if (in_channel) {
        take_channel(parse, &state,
                     (tra_channel){.at = at,
                                   .first_key = parse->model->num_keys,
                                   .kind = TRA_NUM_KINDS,
                                   .lacks_front = true});
    }
    read_bone_children(parse, &state);
    end_bone(parse, &state);
}

/* ---- dynamic polygons ---- */

static bool take_state(tra_parse *parse, const fh_token *token, bool *out)
{
    static const char *const names[] = {"false", "true"};
    for (unsigned i = 0; i < 2; i++) {
        if (token->kind != FH_TOKEN_WORD) {
            break;
        }
        *out = i == 1;
        if (fh_scan_is(&parse->scan, token, names[i])) {
            return true;
        }
        if (fh_scan_is_but_case(&parse->scan, token, names[i])) {
            tra_say(parse, TRA0104, "state", token, names[i]);
            return true;
        }
    }
    tra_say(parse, TRA0103, "state", token, "true or false");
    return false;
}

static void read_group_key(tra_parse *parse, const fh_token *keyword)
{
    tra_parameters params;
    tra_group_key key = {.at = keyword->at};
    tra_read_parameters(parse, &params, keyword, "iix");
    if (parse->is_stopped) {
        return;
    }
    if (tra_hold_parameters(parse, &params, "iix", "a frame, a group, and true or false")) {
        const bool has_frame = tra_take_int(parse, &params.token[0], &key.frame);
        const bool has_group = tra_take_int(parse, &params.token[1], &key.group);
        const bool has_state = take_state(parse, &params.token[2], &key.is_shown);
        key.is_whole = has_frame && has_group && has_state;
    }
    if (parse->is_filling) {
        parse->model->group_keys[parse->model->num_group_keys] = key;
    }
    parse->model->num_group_keys++;
    parse->worth.num_keys += key.is_whole ? 1 : 0;
    parse->check.key++;
}

void tra_read_dynamic(tra_parse *parse)
{
    static const char *const names[] = {"kgf", NULL};
    fh_token keyword;
    parse->check.key = 0;
    while (tra_next_child(parse, &keyword)) {
        if (tra_find_keyword(parse, &keyword, names) == TRA_NO_KEYWORD) {
            tra_say(parse, TRA0033, "chunk in DynamicPolygons", &keyword, "kgf");
            tra_skip_chunk(parse, &keyword);
        } else {
            read_group_key(parse, &keyword);
        }
    }
    parse->check.key = TRA_NONE;
    parse->model->is_dynamic_cut = parse->model->is_dynamic_cut || parse->is_stopped;
}

void tra_read_cut_dynamic(tra_parse *parse)
{
    parse->model->has_dynamic = true;
    parse->model->is_dynamic_cut = true;
    parse->model->dynamic_at = fh_scan_place(&parse->scan);
    tra_read_dynamic(parse);
}
