#include "tra/tra_checks.h"

/* The value of a key as evidence. */
static void tell_value(tra_check *check, enum tra_rule rule, const tra_key *key, double value,
                       const char *expected)
{
    char found[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(found, sizeof found);
    tra_put_real(&text, value);
    tra_tell(check, rule, "value", key->at, fh_words(found), fh_words(expected));
}

static void check_scale(tra_check *check, const tra_key *key)
{
    if (key->value <= 0) {
        tell_value(check, TRA0089, key, key->value, "above 0");
    } else if (key->value >= 800) {
        tell_value(check, TRA0090, key, key->value, "below 800");
    }
}

static void check_bound(tra_check *check, const tra_key *key, enum tra_rule rule, float most,
                        const char *expected)
{
    if (key->value > most || key->value < -most) {
        tell_value(check, rule, key, key->value, expected);
    }
}

static void check_value(tra_check *check, const tra_channel *channel, const tra_key *key)
{
    if (channel->kind <= TRA_TRANSLATE_Z) {
        check_bound(check, key, TRA0091, 32767, "-32767 to 32767");
    } else if (channel->kind <= TRA_SCALE_Z) {
        check_scale(check, key);
    } else if (channel->kind == TRA_ROLL) {
        check_bound(check, key, TRA0088, 2880, "-2880 to 2880");
    }
}

/* Told once for a channel; true when it was. */
static bool check_turn(tra_check *check, const tra_key *key, const tra_key *before)
{
    const double change = (double)key->value - before->value;
    if (change <= 180 && change >= -180) {
        return false;
    }
    char found[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(found, sizeof found);
    tra_put_real(&text, before->value);
    tra_put_real(fh_text_str(&text, ", then "), key->value);
    tra_tell(check, TRA0087, "roll", key->at, fh_words(found), fh_words("a change of at most 180"));
    return true;
}

static void check_channel(tra_check *check, const tra_channel *channel)
{
    const tra_key *before = NULL;
    bool is_told = channel->kind != TRA_ROLL;
    for (uint32_t i = 0; i < channel->num_keys && tra_spend(check, 1); i++) {
        const tra_key *key = &check->model->keys[channel->first_key + i];
        if (!key->has_value) {
            continue;
        }
        tra_set_key(check, channel, i);
        check_value(check, channel, key);
        is_told = is_told || (before != NULL && check_turn(check, key, before));
        before = key;
    }
}

void tra_check_values(tra_check *check)
{
    const tra_model *model = check->model;
    for (uint32_t i = 0; i < model->num_bones && tra_spend(check, 1); i++) {
        const tra_bone *bone = &model->bones[i];
        for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
            const uint32_t index = tra_find_channel(model, bone, kind);
            tra_set_bone(check, i);
            if (index != TRA_NONE) {
                check_channel(check, &model->channels[index]);
            }
        }
    }
    tra_clear_place(check);
}
