#include "tod/tod_player.h"

#include <assert.h>
#include <string.h>

enum { TOLD_SCALE_UNSET = 1, TOLD_SCALE_LOST = 2, TOLD_NO_BASE = 4, TOLD_MATRIX_LOST = 8 };
enum { ROTATION_UNIT = 360, ONE = 4096, INITIAL_ATTRIBUTE = INT32_MIN };

/* The packet that is being executed, and all that it needs. */
typedef struct execution {
    tod_player *player;
    const tod_model *model;
    const tod_packet *packet;
    tod_check check; /* the player's, at this packet */
    bool tells;
} execution;

fh_status tod_player_init(tod_player *player, fh_arena *arena, tod_profile profile, uint32_t size)
{
    *player = (tod_player){.profile = profile, .size = size};
    player->slots = fh_arena_alloc(arena, size, sizeof *player->slots);
    if (player->slots == NULL) {
        return FH_NO_MEMORY;
    }
    for (uint32_t i = 0; i < size; i++) {
        tod_slot *slot = &player->slots[i];
        slot->id = TOD_FREE_ID;
        slot->attribute = (uint32_t)INITIAL_ATTRIBUTE;
        slot->model = TOD_NO_MODEL;
        slot->parent = TOD_NO_SLOT;
    }
    return FH_OK;
}

int32_t tod_player_find(const tod_player *player, uint32_t id)
{
    for (uint32_t i = 0; i < player->num_used; i++) {
        if (player->slots[i].id == id) {
            return (int32_t)i;
        }
    }
    return TOD_NO_SLOT;
}

static void identity(fx_matrix *matrix)
{
    *matrix = (fx_matrix){.m = {{ONE, 0, 0}, {0, ONE, 0}, {0, 0, ONE}}};
}

/* Takes the first free slot, else the next one; rotate, scale and trans keep what they held. */
static tod_slot *take_slot(tod_player *player, uint16_t id)
{
    int32_t at = tod_player_find(player, TOD_FREE_ID);
    if (at == TOD_NO_SLOT) {
        if (player->num_used == player->size) {
            return NULL;
        }
        at = (int32_t)player->num_used++;
    }
    tod_slot *slot = &player->slots[at];
    slot->id = id;
    slot->attribute = 0;
    slot->model = TOD_NO_MODEL;
    slot->parent = TOD_NO_SLOT;
    identity(&slot->matrix);
    slot->set_parts = 0;
    slot->matrix_used = false;
    slot->touched = true;
    slot->told = 0;
    return slot;
}

uint32_t tod_player_assume(tod_player *player, const tod_model *model)
{
    uint32_t num_left_out = 0;
    for (uint32_t i = 0; i < model->num_objects; i++) {
        if (tod_player_find(player, model->object_ids[i]) != TOD_NO_SLOT) {
            continue;
        }
        tod_slot *slot = take_slot(player, model->object_ids[i]);
        if (slot == NULL) {
            num_left_out++;
            continue;
        }
        for (unsigned k = 0; k < 3; k++) {
            slot->scale[k] = ONE;
        }
        slot->scale_set = true;
        slot->set_parts = TOD_R | TOD_T;
    }
    return num_left_out;
}

static void tell(const execution *step, enum tod_rule rule, const char *field, unsigned index,
                 fh_value found, fh_value expected)
{
    if (step->tells) {
        tod_tell_packet(&step->check, rule, field, index, found, expected);
    }
}

/* Tells once an object. */
static void tell_once(const execution *step, tod_slot *slot, uint32_t bit, enum tod_rule rule,
                      const char *field, fh_value found, fh_value expected)
{
    if ((slot->told & bit) == 0) {
        slot->told |= bit;
        tell(step, rule, field, 0, found, expected);
    }
}

static void do_create(const execution *step)
{
    const tod_player *player = step->player;
    /* For the sample players' table the checks have said so, by the rules of 1.31. */
    const bool is_new = player->size != FH_PLAYER_SLOTS || player->profile == TOD_PROFILE_130;
    if (take_slot(step->player, step->packet->id) == NULL && is_new) {
        tell(step, TOD0065, "object table", 0,
             fh_dec_after("full: object not created, all ", player->size, " slots in use"),
             fh_words("a free slot (50 in the sample players)"));
    }
}

/* Version 1.31; 1.30 looks for a free slot instead of the id and so deletes nothing. */
static void do_kill(const execution *step)
{
    tod_player *player = step->player;
    const int32_t at = tod_player_find(player, step->packet->id);
    if (player->profile == TOD_PROFILE_130 || at == TOD_NO_SLOT) {
        return;
    }
    player->slots[at].id = TOD_FREE_ID;
    while (player->num_used > 0 && player->slots[player->num_used - 1].id == TOD_FREE_ID) {
        player->num_used--;
    }
}

static void do_attribute(const execution *step, tod_slot *slot)
{
    slot->attribute = (slot->attribute & tod_word(step->model, step->packet, 1)) |
                      tod_word(step->model, step->packet, 2);
}

static void do_model(const execution *step, tod_slot *slot)
{
    slot->model = (int32_t)(tod_word(step->model, step->packet, 1) & 0xffff);
}

/* A parent that does not exist is a null pointer in the player; here the object keeps the parent
 * it has, and the checks have said so. */
static void do_parent(const execution *step, tod_slot *slot)
{
    const uint32_t word = tod_word(step->model, step->packet, 1);
    if (tod_is_world(word)) {
        slot->parent = TOD_NO_SLOT;
        return;
    }
    const int32_t parent = tod_player_find(step->player, word);
    if (parent != TOD_NO_SLOT) {
        slot->parent = parent;
    }
}

static void do_matrix(const execution *step, tod_slot *slot)
{
    if (step->player->profile == TOD_PROFILE_130) {
        return;
    }
    for (unsigned i = 0; i < 9; i++) {
        slot->matrix.m[i / 3][i % 3] = tod_half(step->model, step->packet, 1 + i / 2, i % 2);
    }
    for (unsigned i = 0; i < 3; i++) {
        slot->matrix.t[i] = tod_signed_word(step->model, step->packet, 6 + i);
    }
    slot->matrix_used = true;
}

static void apply_scale(const execution *step, tod_slot *slot)
{
    if (!fx_scale(&slot->matrix, slot->scale)) {
        tell(step, TOD0089, "scaled matrix element", 0, fh_words("outside 16 bits"),
             fh_words("from -32768 to 32767"));
    }
}

static bool is_one(const int32_t scale[3])
{
    return scale[0] == ONE && scale[1] == ONE && scale[2] == ONE;
}

static void set_rotation(const execution *step, tod_slot *slot, unsigned r, bool add)
{
    for (unsigned i = 0; i < 3; i++) {
        const int32_t turn = tod_signed_word(step->model, step->packet, r + i) / ROTATION_UNIT;
        slot->rotate[i] = fx_w16(add ? (int64_t)slot->rotate[i] + turn : turn);
    }
}

static void tell_scale_lost(const execution *step, tod_slot *slot)
{
    char buf[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    for (unsigned i = 0; i < 3; i++) {
        fh_value_write(fh_text_str(&text, i == 0 ? "earlier one, (" : ", "),
                       fh_dec(slot->scale[i], ""));
    }
    fh_text_str(&text, "), lost from the matrix");
    tell_once(step, slot, TOLD_SCALE_LOST, TOD0083, "scale", fh_words(buf),
              fh_words("S in the same packet"));
}

static void do_absolute(const execution *step, tod_slot *slot)
{
    const tod_parts parts = tod_coordinate_parts(step->packet);
    if (parts.r != 0) {
        set_rotation(step, slot, parts.r, false);
        if (parts.s == 0 && slot->scale_set && !is_one(slot->scale)) {
            tell_scale_lost(step, slot);
        }
    }
    if (parts.r != 0 || parts.s != 0) {
        fx_rotate(&slot->matrix, slot->rotate, FX_XYZ);
        slot->matrix_used = false;
    }
    if (parts.s != 0) {
        for (unsigned i = 0; i < 3; i++) {
            slot->scale[i] = tod_half(step->model, step->packet, parts.s + i / 2, i % 2);
        }
        slot->zero_scale = slot->scale[0] == 0 || slot->scale[1] == 0 || slot->scale[2] == 0;
        slot->scale_set = true;
        apply_scale(step, slot);
    }
    if (parts.t != 0) {
        for (unsigned i = 0; i < 3; i++) {
            slot->trans[i] = tod_signed_word(step->model, step->packet, parts.t + i);
            slot->matrix.t[i] = slot->trans[i];
        }
    }
    slot->set_parts |= step->packet->flag & (TOD_R | TOD_T);
}

/* Tells of a value that wraps when `with` is added to or multiplied by what is stored. */
static void tell_wrap(const execution *step, enum tod_rule rule, const char *field, unsigned index,
                      int64_t stored, const char *sign, int64_t with, const char *expected)
{
    char buf[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_value_write(&text, fh_dec(stored, ""));
    fh_value_write(fh_text_str(&text, sign), fh_dec(with, ""));
    tell(step, rule, field, index, fh_words(buf), fh_words(expected));
}

static void multiply_scale(const execution *step, tod_slot *slot, unsigned s)
{
    for (unsigned i = 0; i < 3; i++) {
        const int16_t factor = tod_half(step->model, step->packet, s + i / 2, i % 2);
        const int64_t exact = (int64_t)slot->scale[i] * factor;
        if (fx_w32(exact) != exact) {
            tell_wrap(step, TOD0088, "scale product", s + i / 2, slot->scale[i], " * ", factor,
                      "a signed 32-bit number");
        }
        slot->scale[i] = fx_w32(exact) / ONE;
        slot->zero_scale = slot->zero_scale || factor == 0;
    }
}

static void add_translation(const execution *step, tod_slot *slot, unsigned t)
{
    for (unsigned i = 0; i < 3; i++) {
        const int32_t change = tod_signed_word(step->model, step->packet, t + i);
        const int64_t exact = (int64_t)slot->trans[i] + change;
        if (fx_w32(exact) != exact) {
            tell_wrap(step, TOD0088, "translation sum", t + i, slot->trans[i], " + ", change,
                      "a signed 32-bit number");
        }
        slot->trans[i] = fx_w32(exact);
    }
}

static void tell_about_base(const execution *step, tod_slot *slot)
{
    if (!slot->scale_set) {
        slot->zero_scale = true;
        tell_once(step, slot, TOLD_SCALE_UNSET, TOD0082, "scale", fh_words("0, never set"),
                  fh_words("an absolute scale before"));
    }
    const unsigned without_base = step->packet->flag & (TOD_R | TOD_T) & ~(unsigned)slot->set_parts;
    if (without_base != 0) {
        tell_once(step, slot, TOLD_NO_BASE, TOD0134,
                  (without_base & TOD_R) != 0 ? "differential rotation"
                                              : "differential translation",
                  fh_words("before any absolute one"), fh_words("an absolute one before"));
    }
    if (slot->matrix_used) {
        tell_once(step, slot, TOLD_MATRIX_LOST, TOD0103, "matrix",
                  fh_words("discarded by this differential packet"), fh_nothing());
    }
}

/* Whatever the flags are, the matrix is made anew from the stored rotation, scale, translation. */
static void do_differential(const execution *step, tod_slot *slot)
{
    const tod_parts parts = tod_coordinate_parts(step->packet);
    tell_about_base(step, slot);
    if (parts.r != 0) {
        set_rotation(step, slot, parts.r, true);
    }
    if (parts.s != 0) {
        multiply_scale(step, slot, parts.s);
    }
    if (parts.t != 0) {
        add_translation(step, slot, parts.t);
    }
    fx_rotate(&slot->matrix, slot->rotate, FX_XYZ);
    apply_scale(step, slot);
    memcpy(slot->matrix.t, slot->trans, sizeof slot->trans);
    slot->matrix_used = false;
}

static void do_coordinate(const execution *step, tod_slot *slot)
{
    if ((step->packet->flag & TOD_DIFF) != 0) {
        do_differential(step, slot);
    } else {
        do_absolute(step, slot);
    }
}

static void set_direction(const execution *step, tod_light *light, bool add)
{
    for (unsigned i = 0; i < 3; i++) {
        const int64_t value = tod_signed_word(step->model, step->packet, 1 + i);
        light->direction[i] = fx_w32(add ? light->direction[i] + value : value);
    }
    light->is_based = light->is_based || !add;
    if (light->is_based && light->direction[0] == 0 && light->direction[1] == 0 &&
        light->direction[2] == 0) {
        tell(step, TOD0111, "light direction", 1, fh_words("(0, 0, 0)"), fh_words("a direction"));
    }
}

static void set_colour(const execution *step, tod_light *light, bool add)
{
    const unsigned index = tod_colour_index(step->packet);
    const uint32_t word = tod_word(step->model, step->packet, index);
    for (unsigned i = 0; i < 3; i++) {
        const unsigned part = word >> (8 * i) & 0xff;
        const unsigned sum = add ? light->colour[i] + part : part;
        if (sum > 0xff) {
            tell_wrap(step, TOD0114, "colour sum", index, light->colour[i], " + ", part,
                      "at most 255");
        }
        light->colour[i] = (uint8_t)(sum & 0xff);
    }
}

static void do_light(const execution *step)
{
    if (step->packet->id >= TOD_NUM_LIGHTS) {
        return; /* behind the player's array; TOD0110 has said so */
    }
    tod_light *light = &step->player->lights[step->packet->id];
    const bool add = (step->packet->flag & TOD_DIFF) != 0;
    light->used = true;
    step->player->any_light = true;
    if ((step->packet->flag & TOD_DIRECTION) != 0) {
        set_direction(step, light, add);
    }
    if ((step->packet->flag & TOD_COLOUR) != 0) {
        set_colour(step, light, add);
    }
}

static void do_control(const execution *step)
{
    if (step->packet->flag == TOD_CREATE) {
        do_create(step);
    } else if (step->packet->flag == TOD_KILL) {
        do_kill(step);
    }
}

/* An id that is not in the table is executed on a dummy and has no effect. */
static void execute(const execution *step)
{
    static void (*const on_object[])(const execution *, tod_slot *) = {
        [TOD_ATTRIBUTE] = do_attribute, [TOD_COORDINATE] = do_coordinate, [TOD_MODEL_ID] = do_model,
        [TOD_PARENT] = do_parent,       [TOD_MATRIX] = do_matrix,
    };
    if (step->packet->type == TOD_CONTROL) {
        do_control(step);
    } else if (step->packet->type == TOD_LIGHT) {
        do_light(step);
    } else if (step->packet->type <= TOD_MATRIX) {
        const int32_t at = tod_player_find(step->player, step->packet->id);
        if (at != TOD_NO_SLOT) {
            step->player->slots[at].touched = true;
            on_object[step->packet->type](step, &step->player->slots[at]);
        }
    }
}

void tod_player_begin(tod_player *player)
{
    for (uint32_t i = 0; i < player->num_used; i++) {
        player->slots[i].touched = false;
    }
}

bool tod_player_packet(tod_player *player, const tod_model *model, const tod_frame *frame,
                       const tod_packet *packet, fh_budget *budget)
{
    execution step = {
        .player = player, .model = model, .packet = packet, .tells = player->check != NULL};
    if (!fh_pay(budget, 2 + player->num_used)) {
        return false;
    }
    if (step.tells) {
        step.check = *player->check;
        step.check.frame = frame;
        step.check.packet = packet;
    }
    execute(&step);
    return true;
}

bool tod_player_frame(tod_player *player, const tod_model *model, const tod_frame *frame,
                      fh_budget *budget)
{
    tod_player_begin(player);
    for (unsigned i = 0; i < frame->num_packets; i++) {
        const tod_packet *packet = model->packets + frame->first_packet + i;
        if (!tod_player_packet(player, model, frame, packet, budget)) {
            return false;
        }
    }
    return true;
}
