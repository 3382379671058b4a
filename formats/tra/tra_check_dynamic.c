#include "tra/tra_checks.h"

/* Keys by what they are about, open addressing: 1 + index, 0 where there is none. */
typedef struct table {
    uint32_t *slots;
    uint32_t mask;
    bool by_frame; /* by frame and group, not by group alone */
} table;

static bool make_table(tra_check *check, table *out, bool by_frame)
{
    uint32_t size = 4;
    while (size < 2 * (uint64_t)check->model->num_group_keys) {
        size *= 2;
    }
    out->slots = fh_arena_alloc(check->arena, size, sizeof *out->slots);
    out->mask = size - 1;
    out->by_frame = by_frame;
    check->no_memory = out->slots == NULL;
    return out->slots != NULL;
}

static uint32_t mix(uint32_t hash, int32_t value)
{
    const uint64_t wide = ((uint64_t)hash ^ (uint32_t)value) * 0x9e3779b1u;
    return (uint32_t)((wide ^ wide >> 29) & UINT32_MAX);
}

/* The slot of the key's kind: empty, or with the key that was entered last. */
static uint32_t *find_slot(tra_check *check, const table *in, const tra_group_key *key)
{
    const tra_group_key *keys = check->model->group_keys;
    uint32_t slot = mix(mix(1, key->group), in->by_frame ? key->frame : 0) & in->mask;
    while (in->slots[slot] != 0 && tra_spend(check, 1)) {
        const tra_group_key *other = &keys[in->slots[slot] - 1];
        if (other->group == key->group && (!in->by_frame || other->frame == key->frame)) {
            break;
        }
        slot = (slot + 1) & in->mask;
    }
    return &in->slots[slot];
}

static void check_key(tra_check *check, const tra_group_key *key)
{
    const tra_model *model = check->model;
    if (key->frame < 0 || (model->has_total && key->frame >= (int64_t)model->total_frames)) {
        tra_tell(check, TRA0100, "frame", key->at, fh_dec(key->frame, ""),
                 model->has_total ? fh_dec_after("0 to ", (int64_t)model->total_frames - 1, "")
                                  : fh_words("0 or above"));
    }
    if (key->group < 0) {
        tra_tell(check, TRA0101, "group", key->at, fh_dec(key->group, ""), fh_words("0 or above"));
    } else if (key->group >= TRA_MASK_GROUPS) {
        tra_tell(check, TRA0102, "group", key->at, fh_dec(key->group, ""), fh_words("0 to 31"));
    }
}

static void check_twin(tra_check *check, const tra_group_key *key, const tra_group_key *other)
{
    char expected[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(expected, sizeof expected);
    const bool is_same = key->is_shown == other->is_shown;
    fh_text_put_place(fh_text_str(&text, "one key, as at "), other->at);
    tra_tell(check, is_same ? TRA0107 : TRA0106, "state", key->at,
             fh_words(key->is_shown ? "true" : "false"), fh_words(expected));
}

static void check_sequence(tra_check *check, const table *twins)
{
    const tra_model *model = check->model;
    const tra_group_key *before = NULL;
    for (uint32_t i = 0; i < model->num_group_keys && tra_spend(check, 1); i++) {
        const tra_group_key *key = &model->group_keys[i];
        if (!key->is_whole) {
            continue;
        }
        check->key = i;
        check->frame = key->frame;
        if (!model->lacks_head) {
            check_key(check, key);
        }
        if (before != NULL && key->frame < before->frame) {
            tra_tell(check, TRA0105, "frame", key->at, fh_dec(key->frame, ""),
                     fh_dec_after("at least ", before->frame, ", its predecessor's"));
        }
        uint32_t *slot = find_slot(check, twins, key);
        if (check->stopped) {
            return;
        }
        if (*slot != 0) {
            check_twin(check, key, &model->group_keys[*slot - 1]);
        }
        *slot = i + 1;
        before = key;
    }
}

/* Enters every group's key at frame 0, and the first one of those that have none. */
static void check_starts(tra_check *check, const table *groups)
{
    const tra_model *model = check->model;
    for (uint32_t i = 0; i < model->num_group_keys && tra_spend(check, 1); i++) {
        const tra_group_key *key = &model->group_keys[i];
        uint32_t *slot = key->is_whole ? find_slot(check, groups, key) : NULL;
        if (slot != NULL && !check->stopped && (*slot == 0 || key->frame == 0)) {
            *slot = i + 1;
        }
    }
    for (uint32_t i = 0; i < model->num_group_keys && tra_spend(check, 1); i++) {
        const tra_group_key *key = &model->group_keys[i];
        const uint32_t *slot = key->is_whole ? find_slot(check, groups, key) : NULL;
        if (slot != NULL && !check->stopped && *slot == i + 1 && key->frame != 0) {
            check->key = i;
            check->frame = key->frame;
            tra_tell(check, TRA0108, "group without a key at frame 0", key->at,
                     fh_dec(key->group, ""), fh_words("a key at frame 0"));
        }
    }
}

void tra_check_dynamic(tra_check *check)
{
    const tra_model *model = check->model;
    table twins;
    table groups;
    const bool is_cut = model->is_dynamic_cut || model->lacks_head;
    tra_clear_place(check);
    if (model->has_dynamic && model->num_group_keys == 0 && !is_cut) {
        tra_tell(check, TRA0109, "DynamicPolygons", model->dynamic_at, fh_words("without keys"),
                 fh_words("keys, or no such chunk"));
    }
    if (model->num_group_keys == 0 || !make_table(check, &twins, true) ||
        !make_table(check, &groups, false)) {
        return;
    }
    check_sequence(check, &twins);
    if (!is_cut) {
        check_starts(check, &groups);
    }
    tra_clear_place(check);
}
