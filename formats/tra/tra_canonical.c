#include "tra/tra_canonical.h"

#include "tra/tra_model.h"
#include "tra/tra_name.h"

#include <string.h>

/* Work of a key is that of finding out how many decimals it takes: at most ten are tried. */
enum { COST_OF_KEY = 256, COST_OF_GROUP_KEY = 16, COST_OF_BONE = 1024 };

enum { LEAST_DECIMALS = 6, MOST_LINE = 256 };

/* ---- what must hold first ---- */

static bool is_whole_bone(const tra_model *model, const tra_bone *bone)
{
    bool is_whole = bone->has_name;
    for (unsigned kind = 0; kind < TRA_NUM_KINDS && is_whole; kind++) {
        const uint32_t channel = tra_find_channel(model, bone, kind);
        is_whole = channel != TRA_NONE && model->channels[channel].is_playable;
    }
    return is_whole;
}

static fh_status judge_names(const tra_model *model)
{
    tra_name_text read;
    bool fits =
        model->title.kind != FH_TOKEN_STRING || tra_name_read(&read, &model->scan, &model->title);
    for (uint32_t i = 0; i < model->num_bones && fits; i++) {
        const fh_token token = tra_name(&model->bones[i]);
        fits = tra_name_read(&read, &model->scan, &token);
    }
    return fits ? FH_OK : FH_UNSUPPORTED;
}

static fh_status judge(const tra_model *model)
{
    bool is_whole = model->has_total;
    for (uint32_t i = 0; i < model->num_bones && is_whole; i++) {
        is_whole = is_whole_bone(model, &model->bones[i]);
    }
    for (uint32_t i = 0; i < model->num_group_keys && is_whole; i++) {
        is_whole = model->group_keys[i].is_whole;
    }
    return is_whole ? judge_names(model) : FH_CORRUPT;
}

/* ---- writing ---- */

static void put(const fh_text_sink *out, const char *text)
{
    out->write(out->user, text, strlen(text));
}

/* A line `( name "..." )`. */
static void put_name(const fh_text_sink *out, const char *indent, const fh_scan *scan,
                     const fh_token *token)
{
    tra_name_text read;
    (void)tra_name_read(&read, scan, token); /* judged */
    put(out, indent);
    put(out, "( name \"");
    out->write(out->user, read.bytes, read.len);
    put(out, "\" )\n");
}

static void put_key(const fh_text_sink *out, const tra_key *key)
{
    char line[MOST_LINE];
    fh_text text = fh_text_make(line, sizeof line);
    fh_text_s64(fh_text_str(&text, "      ( kf "), key->frame);
    fh_number_put_fixed(fh_text_str(&text, " "), (double)key->value,
                        fh_number_decimals(key->value, LEAST_DECIMALS));
    fh_text_str(&text, " )\n");
    put(out, line);
}

static void put_channel(const fh_text_sink *out, const tra_model *model, const tra_channel *channel)
{
    put(out, "    ( ");
    put(out, tra_kind_names[channel->kind]);
    put(out, "\n");
    for (uint32_t i = 0; i < channel->num_keys; i++) {
        put_key(out, &model->keys[channel->first_key + i]);
    }
    put(out, "    )\n");
}

static void put_bone(const fh_text_sink *out, const tra_model *model, const tra_bone *bone)
{
    const fh_token token = tra_name(bone);
    put(out, "  ( bone\n");
    put_name(out, "    ", &model->scan, &token);
    for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
        put_channel(out, model, &model->channels[tra_find_channel(model, bone, kind)]);
    }
    put(out, "  )\n");
}

static void put_dynamic(const fh_text_sink *out, const tra_model *model)
{
    char line[MOST_LINE];
    put(out, "  ( DynamicPolygons\n");
    for (uint32_t i = 0; i < model->num_group_keys; i++) {
        const tra_group_key *key = &model->group_keys[i];
        fh_text text = fh_text_make(line, sizeof line);
        fh_text_s64(fh_text_str(&text, "    ( kgf "), key->frame);
        fh_text_s64(fh_text_str(&text, " "), key->group);
        fh_text_str(&text, key->is_shown ? " true )\n" : " false )\n");
        put(out, line);
    }
    put(out, "  )\n");
}

static void put_all(const fh_text_sink *out, const tra_model *model)
{
    char line[MOST_LINE];
    fh_text text = fh_text_make(line, sizeof line);
    put(out, ";TRA\n( Head\n  ( traVersion 4.0 )\n)\n( Figure\n");
    if (model->title.kind == FH_TOKEN_STRING) {
        put_name(out, "  ", &model->scan, &model->title);
    }
    fh_text_str(fh_text_u64(fh_text_str(&text, "  ( totalFrame "), model->total_frames), " )\n");
    put(out, line);
    for (uint32_t i = 0; i < model->num_bones; i++) {
        put_bone(out, model, &model->bones[i]);
    }
    if (model->has_dynamic) {
        put_dynamic(out, model);
    }
    put(out, ")\n");
}

fh_status tra_canonical(const fh_env *env, const fh_text_sink *out, const void *model)
{
    const tra_model *from = model;
    const uint64_t cost = 1 + COST_OF_KEY * (uint64_t)from->num_keys +
                          COST_OF_GROUP_KEY * (uint64_t)from->num_group_keys +
                          COST_OF_BONE * (uint64_t)from->num_bones;
    if (!fh_pay(env->budget, cost)) {
        return FH_LIMIT;
    }
    const fh_status status = judge(from);
    if (status == FH_OK) {
        put_all(out, from);
    }
    return status;
}
