#include "tra/tra_checks.h"

static void check_name(tra_check *check, uint32_t index, const tra_bac *bac)
{
    const tra_bone *bone = &check->model->bones[index];
    if (!bone->has_name) {
        return; /* told as TRA0060 */
    }
    const fh_scan *scan = &check->model->scan;
    const fh_token token = tra_name(bone);
    const fh_token name = tra_bac_name(&bac->bones[index]);
    if (!tra_spend(check, token.num_units) || fh_scan_same_text(scan, &token, &bac->scan, &name)) {
        return;
    }
    char found[FH_EVIDENCE_LEN];
    char expected[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(found, sizeof found);
    fh_scan_show(&text, scan, &token);
    text = fh_text_make(expected, sizeof expected);
    fh_scan_show(&text, &bac->scan, &name);
    tra_tell(check, TRA0121, "name", bone->at, fh_words(found), fh_words(expected));
}

static void check_groups(tra_check *check, uint32_t num_groups)
{
    const tra_model *model = check->model;
    for (uint32_t i = 0; i < model->num_group_keys && tra_spend(check, 1); i++) {
        const tra_group_key *key = &model->group_keys[i];
        if (key->is_whole && key->group >= 0 && (uint32_t)key->group >= num_groups) {
            check->key = i;
            check->frame = key->frame;
            tra_tell(check, TRA0122, "group", key->at, fh_dec(key->group, ""),
                     fh_dec_after("below ", num_groups, ", the model's number of groups"));
        }
    }
}

void tra_check_bac(tra_check *check, const tra_bac *bac)
{
    const tra_model *model = check->model;
    tra_clear_place(check);
    if (model->num_bones != bac->num_bones) {
        tra_tell(check, TRA0120, "number of bones", model->figure, fh_dec(model->num_bones, ""),
                 fh_dec(bac->num_bones, ", as in the model"));
    }
    for (uint32_t i = 0; i < model->num_bones && i < bac->num_bones && tra_spend(check, 1); i++) {
        tra_set_bone(check, i);
        check_name(check, i, bac);
    }
    tra_clear_place(check);
    if (bac->num_groups == 0 && model->has_dynamic) {
        tra_tell(check, TRA0123, "DynamicPolygons", model->dynamic_at, fh_words("there"),
                 fh_words("left out: the model has no groups"));
    }
    check_groups(check, bac->num_groups);
    tra_clear_place(check);
}
