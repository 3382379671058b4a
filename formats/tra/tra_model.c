#include "tra/tra_model.h"

#include <assert.h>

const char *const tra_kind_names[TRA_NUM_KINDS] = {
    "translate.x", "translate.y", "translate.z", "scale.x",  "scale.y",
    "scale.z",     "rotate.x",    "rotate.y",    "rotate.z", "roll"};

const double tra_identity[TRA_NUM_KINDS] = {0, 0, 0, 100, 100, 100, 0, 0, 1, 0};

uint32_t tra_find_channel(const tra_model *model, const tra_bone *bone, unsigned kind)
{
    /* Mostly all are there and in order. */
    if (kind < bone->num_channels && model->channels[bone->first_channel + kind].kind == kind) {
        return bone->first_channel + kind;
    }
    for (uint32_t i = 0; i < bone->num_channels; i++) {
        if (model->channels[bone->first_channel + i].kind == kind) {
            return bone->first_channel + i;
        }
    }
    return TRA_NONE;
}

fh_token tra_name(const tra_bone *bone)
{
    assert(bone->has_name);
    return (fh_token){.kind = FH_TOKEN_STRING,
                      .at = bone->at,
                      .off = bone->name_off,
                      .num_units = bone->name_units};
}

tra_check tra_check_make(const tra_model *model, fh_reporter *reporter, fh_budget *budget,
                         fh_arena *arena)
{
    tra_check check = {.model = model, .reporter = reporter, .budget = budget, .arena = arena};
    tra_clear_place(&check);
    return check;
}

void tra_clear_place(tra_check *check)
{
    check->bone = TRA_NONE;
    check->kind = TRA_NUM_KINDS;
    check->key = TRA_NONE;
    check->frame = FH_UNKNOWN;
    check->bone_name = (fh_token){.kind = FH_TOKEN_END};
}

void tra_set_bone(tra_check *check, uint32_t bone)
{
    tra_clear_place(check);
    check->bone = bone;
    if (check->model->bones[bone].has_name) {
        check->bone_name = tra_name(&check->model->bones[bone]);
    }
}

void tra_set_key(tra_check *check, const tra_channel *channel, uint32_t key)
{
    const tra_key *at = &check->model->keys[channel->first_key + key];
    check->kind = channel->kind;
    check->key = key;
    check->frame = at->has_frame ? at->frame : FH_UNKNOWN;
}

bool tra_spend(tra_check *check, uint64_t units)
{
    check->stopped = check->stopped || !fh_pay(check->budget, units);
    return !check->stopped;
}

static void put_context(fh_text *out, const tra_check *check, fh_text_place at)
{
    fh_text_put_place(out, at);
    if (check->bone != TRA_NONE && check->bone_name.kind == FH_TOKEN_STRING) {
        fh_scan_show(fh_text_str(out, ", bone "), &check->model->scan, &check->bone_name);
    }
    if (check->kind != TRA_NUM_KINDS) {
        fh_text_str(fh_text_str(out, ", "), tra_kind_names[check->kind]);
    }
    if (check->key != TRA_NONE) {
        fh_text_u64(fh_text_str(out, ", key "), check->key);
    }
}

void tra_tell(const tra_check *check, enum tra_rule rule, const char *field, fh_text_place at,
              fh_value found, fh_value expected)
{
    const bool is_stopped = check->stopped || check->no_memory;
    if (check->reporter == NULL || (is_stopped && rule != TRA0141)) {
        return; /* half the work may find what is not there */
    }
    fh_finding finding = fh_finding_make(&tra_rules[rule], field);
    finding.offset = at.off;
    finding.frame = check->frame;
    if (check->bone != TRA_NONE) {
        finding.object = check->bone;
    }
    fh_finding_evidence(&finding, found, expected);
    fh_text text = fh_text_make(finding.context, sizeof finding.context);
    put_context(&text, check, at);
    fh_reporter_tell(check->reporter, &finding);
}

void tra_tell_token(const tra_check *check, enum tra_rule rule, const char *field,
                    const fh_token *token, fh_value expected)
{
    char shown[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(shown, sizeof shown);
    fh_scan_show(&text, &check->model->scan, token);
    tra_tell(check, rule, field, token->at, fh_words(shown), expected);
}

/* Six decimals, without the zeros at their end. */
static void put_decimals(fh_text *out, uint64_t millionths)
{
    char digits[8] = ".000000";
    size_t len = 7;
    for (size_t i = 6; i > 0; i--) {
        digits[i] = "0123456789"[millionths % 10];
        millionths /= 10;
    }
    while (digits[len - 1] == '0') {
        digits[--len] = '\0';
    }
    fh_text_str(out, len > 1 ? digits : "");
}

void tra_put_real(fh_text *out, double value)
{
    const double most = 1e12;
    const bool is_negative = value < 0;
    const double size = is_negative ? -value : value;
    if (!(size <= most)) {
        fh_text_str(out, is_negative ? "less than -1000000000000" : "more than 1000000000000");
    } else if (size > 0 && size < 5e-7) {
        fh_text_str(out, is_negative ? "between -0.000001 and 0" : "between 0 and 0.000001");
    } else {
        const uint64_t whole = (uint64_t)size;
        const uint64_t millionths = (uint64_t)((size - (double)whole) * 1e6 + 0.5);
        fh_text_str(out, is_negative ? "-" : "");
        fh_text_u64(out, whole + millionths / 1000000);
        put_decimals(out, millionths % 1000000);
    }
}
