#include "tra/tra_checks.h"

/* A table of bones by their names, open addressing: 1 + index, 0 where there is none. */
typedef struct by_name {
    uint32_t *slots;
    uint32_t mask;
} by_name;

static bool make_table(tra_check *check, by_name *table)
{
    uint32_t size = 4;
    while (size < 2 * (uint64_t)check->model->num_bones) {
        size *= 2;
    }
    table->slots = fh_arena_alloc(check->arena, size, sizeof *table->slots);
    table->mask = size - 1;
    check->no_memory = table->slots == NULL;
    return table->slots != NULL;
}

/* The first bone of the same name, or TRA_NONE; then this one is entered. */
static uint32_t find_or_enter(tra_check *check, by_name *table, uint32_t index)
{
    const tra_model *model = check->model;
    const fh_token name = tra_name(&model->bones[index]);
    uint32_t slot = fh_scan_hash(&model->scan, &name) & table->mask;
    while (table->slots[slot] != 0 && tra_spend(check, 1)) {
        const uint32_t other = table->slots[slot] - 1;
        const fh_token other_name = tra_name(&model->bones[other]);
        if (tra_spend(check, name.num_units) && fh_scan_same(&model->scan, &name, &other_name)) {
            return other;
        }
        slot = (slot + 1) & table->mask;
    }
    if (!check->stopped) {
        table->slots[slot] = index + 1;
    }
    return TRA_NONE;
}

static void check_name(tra_check *check, by_name *table, uint32_t index)
{
    const tra_bone *bone = &check->model->bones[index];
    if (!bone->has_name && bone->is_cut) {
        return; /* it may stand in what is missing */
    }
    if (!bone->has_name) {
        tra_tell(check, TRA0060, "name of the bone", bone->at, fh_words("missing"),
                 fh_words("( name \"...\" )"));
        return;
    }
    if (bone->name_units == 0) {
        return;
    }
    const uint32_t other = find_or_enter(check, table, index);
    if (other != TRA_NONE) {
        char found[FH_EVIDENCE_LEN];
        fh_text text = fh_text_make(found, sizeof found);
        const fh_token name = tra_name(bone);
        fh_scan_show(&text, &check->model->scan, &name);
        fh_text_u64(fh_text_str(&text, ", as bone "), other);
        fh_text_put_place(fh_text_str(&text, " at "), check->model->bones[other].at);
        tra_tell(check, TRA0062, "name", bone->at, fh_words(found), fh_words("a name of its own"));
    }
}

static void check_channels(tra_check *check, const tra_bone *bone)
{
    for (unsigned kind = 0; kind < TRA_NUM_KINDS; kind++) {
        const uint32_t index = tra_find_channel(check->model, bone, kind);
        if (index == TRA_NONE) {
            tra_tell(check, TRA0063, tra_kind_names[kind], bone->at, fh_words("missing"),
                     fh_words("a channel with keys"));
        } else if (check->model->channels[index].num_keys == 0) {
            tra_tell(check, TRA0064, tra_kind_names[kind], check->model->channels[index].at,
                     fh_words("without keys"), fh_words("at least the key at frame 0"));
        }
    }
}

void tra_check_bones(tra_check *check)
{
    by_name table;
    if (!make_table(check, &table)) {
        return;
    }
    for (uint32_t i = 0; i < check->model->num_bones && tra_spend(check, TRA_NUM_KINDS); i++) {
        tra_set_bone(check, i);
        check_name(check, &table, i);
        if (!check->model->bones[i].is_cut) {
            check_channels(check, &check->model->bones[i]);
        }
    }
    tra_clear_place(check);
}
