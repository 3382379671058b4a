#include "core/never.h"
#include "tod/tod_checks.h"

/* The life of every object, as the packets tell it in file order: who was created, who is live,
 * who is whose parent. Kill works here as the manual describes it (player 1.31). */

enum { SMALL_ID = 255, ROTATION_UNIT = 360 };

#define WORLD ((int32_t)-1)

typedef struct life {
    bool seen, created, live, posed;
    bool told_not_created, told_fraction;
    bool parent_named;     /* by a parent packet */
    bool under_world;      /* its parent is known to be the World */
    uint32_t num_copies;   /* live objects of this id beyond the first */
    int32_t parent;        /* index of the parent, or WORLD */
    uint32_t num_children; /* live objects whose parent this is */
    const tod_frame *create_frame;
    const tod_packet *create_packet;
    const tod_frame *kill_frame;
} life;

typedef struct life_table {
    uint32_t num_slots; /* of the player's table in use: live objects, each copy counted */
    bool told_full;
    life *all; /* model->num_objects of them */
} life_table;

static int32_t index_of(const tod_model *model, uint16_t id)
{
    return (int32_t)tod_index_of(model, id) - 1;
}

static void set_parent(life_table *lives, life *child, int32_t parent)
{
    if (child->parent != WORLD && child->live) {
        lives->all[child->parent].num_children--;
    }
    child->parent = parent;
    if (parent != WORLD && child->live) {
        lives->all[parent].num_children++;
    }
}

/* Takes a slot of the player's table; when all are in use nothing is created. */
static void take_slot(tod_check *check, life_table *lives)
{
    if (++lives->num_slots > FH_PLAYER_SLOTS && !lives->told_full) {
        lives->told_full = true;
        tod_tell_packet(check, TOD0065, "live objects", 0, fh_dec(lives->num_slots, ""),
                        fh_words("at most 50, the slots of the sample players"));
    }
}

static void create(tod_check *check, life_table *lives, life *object)
{
    take_slot(check, lives);
    if (object->live) {
        object->num_copies++;
        tod_tell_packet(check, TOD0062, "object id", 0,
                        fh_dec(check->packet->id, ", which is live"),
                        fh_dec_after("an id not created in frame ",
                                     object->create_frame - check->model->frames, ""));
        return;
    }
    object->created = true;
    object->live = true;
    object->posed = false;
    object->kill_frame = NULL;
    object->create_frame = check->frame;
    object->create_packet = check->packet;
    object->parent = WORLD;
    object->under_world = true;
}

/* Finds some live child of the object for the message; its count says that there is one. */
static uint16_t some_child(tod_check *check, const life_table *lives, int32_t parent)
{
    for (uint32_t i = 0;; i++) {
        if (NEVER(i == check->model->num_objects)) {
            return 0; /* set_parent counts the children */
        }
        if (!fh_pay(check->budget, 1)) {
            check->stopped = true;
            return 0;
        }
        if (lives->all[i].live && lives->all[i].parent == parent) {
            return check->model->object_ids[i];
        }
    }
}

/* Tells of an object whose life ends, or lasts to the end of the file, without a pose. */
static void tell_if_unposed(const tod_check *check, const life *object)
{
    if (object->created && !object->posed) {
        tod_check at_create = *check;
        at_create.frame = object->create_frame;
        at_create.packet = object->create_packet;
        tod_tell_packet(&at_create, TOD0067, "object id", 0,
                        fh_dec(at_create.packet->id, ", created here"),
                        fh_words("a coordinate or matrix packet for it"));
    }
}

static void kill_object(tod_check *check, life_table *lives, int32_t index)
{
    life *object = &lives->all[index];
    if (!object->live) {
        tod_tell_packet(check, TOD0063, "object id", 0,
                        fh_dec(check->packet->id, ", which is not live"),
                        fh_words("the id of a live object"));
        return;
    }
    lives->num_slots -= lives->num_slots > 0 ? 1 : 0;
    if (object->num_copies > 0) {
        object->num_copies--; /* the first one goes, a copy of the id stays */
        return;
    }
    set_parent(lives, object, WORLD);
    tell_if_unposed(check, object);
    object->live = false;
    object->kill_frame = check->frame;
    const bool is_listed = fh_reporter_count(check->reporter, TOD0066) < FH_MAX_FINDINGS_PER_RULE;
    const uint16_t child =
        object->num_children > 0 && is_listed ? some_child(check, lives, index) : 0;
    if (object->num_children > 0 && !check->stopped) {
        tod_tell_packet(check, TOD0066, "object id", 0,
                        fh_dec_after("the parent of object ", child, ""),
                        fh_words("an object without children"));
    }
}

static fh_value not_created_because(const tod_check *check, const life *object)
{
    if (object->kill_frame != NULL) {
        return fh_dec_after("killed in frame ", object->kill_frame - check->model->frames, "");
    }
    return fh_words("not created so far");
}

static void use(tod_check *check, life *object)
{
    const tod_packet *packet = check->packet;
    const bool is_pose =
        packet->type == TOD_MATRIX || (packet->type == TOD_COORDINATE && tod_sets(packet));
    object->posed = object->posed || (is_pose && object->live);
    if (check->model->creates && !object->live && !object->told_not_created) {
        object->told_not_created = true;
        tod_tell_packet(check, TOD0061, "object id", 0, not_created_because(check, object),
                        fh_words("an object that this file has created"));
    }
}

static void check_fraction(tod_check *check, life *object)
{
    const tod_parts parts = tod_coordinate_parts(check->packet);
    if ((check->packet->flag & TOD_DIFF) == 0 || parts.r == 0) {
        return;
    }
    for (unsigned i = 0; i < 3 && !object->told_fraction; i++) {
        const int32_t raw = tod_signed_word(check->model, check->packet, parts.r + i);
        if (raw % ROTATION_UNIT != 0) {
            object->told_fraction = true;
            tod_tell_packet(check, TOD0087, "differential rotation", parts.r + i, fh_dec(raw, ""),
                            fh_words("a multiple of 360"));
        }
    }
}

/* Tells the ids from the object up to itself again. */
static void tell_cycle(tod_check *check, const life_table *lives, int32_t index, int32_t parent)
{
    char buf[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_text_u64(&text, check->packet->id);
    for (int32_t at = parent; at != index && !text.cut; at = lives->all[at].parent) {
        fh_text_u64(fh_text_str(&text, " under "), check->model->object_ids[at]);
    }
    fh_text_u64(fh_text_str(&text, " under "), check->packet->id);
    tod_tell_packet(check, TOD0094, "parent chain", 1, fh_words(buf),
                    fh_words("a chain that ends at the World"));
}

/* Tells whether the object stands in its would-be parent's chain. The chains in the table never
 * hold a cycle, so the walk ends. */
static bool is_above(tod_check *check, const life_table *lives, int32_t object, int32_t from)
{
    for (int32_t at = from; at != WORLD; at = lives->all[at].parent) {
        if (at == object) {
            return true;
        }
        if (!fh_pay(check->budget, 1)) {
            check->stopped = true;
            return false;
        }
    }
    return false;
}

static bool parent_is_there(tod_check *check, const life_table *lives, int32_t parent,
                            uint32_t word)
{
    if (!check->model->creates) { /* objects that a continuation uses are taken to be there */
        if (parent == WORLD) {
            tod_tell_packet(check, TOD0093, "parent id", 1, fh_dec(word, ", used nowhere else"),
                            fh_words("the id of an object in use"));
        }
        return parent != WORLD;
    }
    if (parent == WORLD || !lives->all[parent].live) {
        tod_tell_packet(check, TOD0092, "parent id", 1, fh_dec(word, ", which is not live"),
                        fh_words("0 (World) or a live object"));
        return false;
    }
    return true;
}

static void check_parent(tod_check *check, life_table *lives, int32_t index)
{
    const uint32_t word = tod_word(check->model, check->packet, 1);
    life *object = &lives->all[index];
    if (word > 0xffff) {
        return; /* TOD0091 has said so; the search of a player finds nothing */
    }
    object->parent_named = true;
    if (tod_is_world(word)) {
        set_parent(lives, object, WORLD);
        object->under_world = true;
        return;
    }
    const int32_t parent = index_of(check->model, (uint16_t)word);
    object->under_world = object->under_world && check->model->creates;
    if (!parent_is_there(check, lives, parent, word)) {
        return;
    }
    if (is_above(check, lives, index, parent)) {
        tell_cycle(check, lives, index, parent);
        object->under_world = false;
    } else if (!check->stopped) {
        set_parent(lives, object, parent);
        object->under_world = false;
    }
}

static void visit(tod_check *check, void *user)
{
    life_table *lives = user;
    const tod_packet *packet = check->packet;
    if (!tod_is_object_packet(packet)) {
        return;
    }
    const int32_t index = index_of(check->model, packet->id);
    life *object = &lives->all[index];
    if (!object->seen && packet->id > SMALL_ID && packet->id != 0xffff) {
        tod_tell_packet(check, TOD0051, "object id", 0, fh_dec(packet->id, ""),
                        fh_words("at most 255"));
    }
    object->seen = true;
    if (packet->type == TOD_CONTROL) {
        if (packet->flag == TOD_CREATE) {
            create(check, lives, object);
        } else if (packet->flag == TOD_KILL) {
            kill_object(check, lives, index);
        }
        return;
    }
    use(check, object);
    if (!tod_has_implied_length(packet)) {
        return;
    }
    if (packet->type == TOD_PARENT) {
        check_parent(check, lives, index);
    } else if (packet->type == TOD_COORDINATE) {
        check_fraction(check, object);
    }
}

static void tell_unposed(const tod_check *check, const life_table *lives)
{
    for (uint32_t i = 0; i < check->model->num_objects; i++) {
        if (lives->all[i].live) {
            tell_if_unposed(check, &lives->all[i]);
        }
    }
}

/* In a file that creates objects the live ones count, in a continuation those it gave a parent:
 * of the others nothing is known. */
static void tell_rootless(tod_check *check, const life_table *lives)
{
    uint32_t num_known = 0;
    for (uint32_t i = 0; i < check->model->num_objects; i++) {
        const life *object = &lives->all[i];
        const bool is_known = check->model->creates ? object->live : object->parent_named;
        if (is_known && object->under_world) {
            return;
        }
        num_known += is_known ? 1 : 0;
    }
    if (num_known > 0) {
        tod_tell(check, TOD0095, "objects under the World", 0, fh_dec(0, ""),
                 fh_words("at least 1"));
    }
}

fh_status tod_check_objects(tod_check *check, fh_arena *arena)
{
    const tod_model *model = check->model;
    life_table lives = {.all = fh_arena_alloc(arena, model->num_objects, sizeof(life))};
    if (lives.all == NULL) {
        return FH_NO_MEMORY;
    }
    for (uint32_t i = 0; i < model->num_objects; i++) {
        lives.all[i].parent = WORLD;
        lives.all[i].live = !model->creates; /* by another file, it is taken */
    }
    if (!model->creates && model->num_objects > 0) {
        tod_tell(check, TOD0060, "create packets", 0,
                 fh_dec_after("0, with ", model->num_objects, " objects used"), fh_nothing());
    }
    tod_for_each_packet(check, visit, &lives);
    if (!check->stopped) {
        tell_unposed(check, &lives);
        tell_rootless(check, &lives);
    }
    return FH_OK;
}
