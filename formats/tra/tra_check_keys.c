#include "tra/tra_checks.h"

/* What is told once for the file: how often, and where first. */
typedef struct tally {
    uint32_t num;
    uint32_t bone;
    const tra_channel *channel;
    fh_text_place at;
} tally;

static void count(tally *to, const tra_check *check, const tra_channel *channel, fh_text_place at)
{
    if (to->num++ == 0) {
        to->bone = check->bone;
        to->channel = channel;
        to->at = at;
    }
}

/* A frame against the one before it in the channel, if there is one. */
static void check_order(tra_check *check, const tra_key *key, const tra_key *before)
{
    if (before == NULL) {
        return;
    }
    if (key->frame < before->frame) {
        tra_tell(check, TRA0071, "key frame", key->at, fh_dec(key->frame, ""),
                 fh_dec_after("above ", before->frame, ", its predecessor's"));
    } else if (key->frame == before->frame) {
        tra_tell(check, TRA0072, "key frame", key->at, fh_dec(key->frame, ""),
                 fh_dec_after("above ", before->frame, ", its predecessor's"));
    }
}

static void check_range(tra_check *check, const tra_key *key)
{
    const tra_model *model = check->model;
    if (key->frame < 0) {
        tra_tell(check, TRA0073, "key frame", key->at, fh_dec(key->frame, ""),
                 fh_words("0 or above"));
    } else if (model->has_total && key->frame >= (int64_t)model->total_frames) {
        tra_tell(check, TRA0074, "key frame", key->at, fh_dec(key->frame, ""),
                 fh_dec_after("below ", model->total_frames, ", the totalFrame"));
    }
}

static void check_first(tra_check *check, const tra_key *key)
{
    if (key->frame > 0) {
        tra_tell(check, TRA0070, "first key frame", key->at, fh_dec(key->frame, ""), fh_dec(0, ""));
    }
}

static void check_channel(tra_check *check, const tra_channel *channel, tally *early)
{
    const tra_model *model = check->model;
    const tra_key *before = NULL;
    for (uint32_t i = 0; i < channel->num_keys && tra_spend(check, 1); i++) {
        const tra_key *key = &model->keys[channel->first_key + i];
        tra_set_key(check, channel, i);
        if (!key->has_frame) {
            continue;
        }
        if (i == 0 && !channel->lacks_front && !model->lacks_head) {
            check_first(check, key);
        }
        check_order(check, key, before);
        if (!model->lacks_head) {
            check_range(check, key);
        }
        before = key;
    }
    if (before != NULL && model->has_total && !channel->lacks_back && !model->lacks_head &&
        (int64_t)before->frame + 1 < (int64_t)model->total_frames) {
        count(early, check, channel, before->at);
    }
    check->key = TRA_NONE;
    check->frame = FH_UNKNOWN;
}

static bool same_frames(tra_check *check, const tra_channel *a, const tra_channel *b)
{
    const tra_key *keys = check->model->keys;
    for (uint32_t i = 0; i < a->num_keys && i < b->num_keys && tra_spend(check, 1); i++) {
        if (keys[a->first_key + i].frame != keys[b->first_key + i].frame) {
            return false;
        }
    }
    return a->num_keys == b->num_keys;
}

/* Whether x, y and z of a group have keys at the same frames, where all three are there. */
static void check_group(tra_check *check, const tra_bone *bone, unsigned first, tally *uneven)
{
    const tra_channel *three[3];
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t index = tra_find_channel(check->model, bone, first + i);
        if (index == TRA_NONE) {
            return;
        }
        three[i] = &check->model->channels[index];
    }
    for (unsigned i = 1; i < 3; i++) {
        if (!same_frames(check, three[0], three[i])) {
            count(uneven, check, three[i], three[i]->at);
            return;
        }
    }
}

static void tell_tally(tra_check *check, const tally *of, enum tra_rule rule, const char *field,
                       const char *expected)
{
    char found[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(found, sizeof found);
    if (of->num == 0) {
        return;
    }
    tra_set_bone(check, of->bone);
    check->kind = of->channel->kind;
    fh_text_str(fh_text_u64(&text, of->num), ", the first of them here");
    tra_tell(check, rule, field, of->at, fh_words(found), fh_words(expected));
    tra_clear_place(check);
}

void tra_check_keys(tra_check *check)
{
    const tra_model *model = check->model;
    tally early = {0};
    tally uneven = {0};
    for (uint32_t i = 0; i < model->num_bones && tra_spend(check, 1); i++) {
        const tra_bone *bone = &model->bones[i];
        const bool is_cut = bone->is_cut || model->lacks_head;
        tra_set_bone(check, i);
        if (bone->num_channels > 0 && model->channels[bone->first_channel].lacks_front) {
            check_channel(check, &model->channels[bone->first_channel], &early);
        }
        for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
            const uint32_t index = tra_find_channel(model, bone, kind);
            if (index != TRA_NONE) {
                check_channel(check, &model->channels[index], &early);
            }
        }
        check->kind = TRA_NUM_KINDS;
        for (unsigned first = TRA_TRANSLATE_X; first <= TRA_ROTATE_X && !is_cut; first += 3) {
            check_group(check, bone, first, &uneven);
        }
    }
    tra_clear_place(check);
    tell_tally(check, &early, TRA0075, "number of channels that end early",
               "a key at totalFrame - 1");
    tell_tally(check, &uneven, TRA0076, "number of uneven vectors", "the same frames");
}
