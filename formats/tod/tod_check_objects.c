#include "core/never.h"
#include "tod/tod_checks.h"
#include "tod/tod_lives.h"

/* The life of every object, as the packets tell it in file order: who was created, who is live,
 * who is whose parent. Kill works here as the manual describes it (player 1.31). */

enum { SMALL_ID = 255, ROTATION_UNIT = 360 };

/* What was said of an id and about it, over all its lives. */
typedef struct history {
    bool seen;
    bool told_not_there, told_fraction;
    bool parent_named; /* by a parent packet */
    bool left_out;     /* created when the table was full, and so in no slot */
    const tod_frame *kill_frame;
} history;

typedef struct census {
    tod_lives lives;
    bool told_full;
    history *all; /* model->num_objects of them */
} census;

static int32_t index_of(const tod_model *model, uint16_t id)
{
    return (int32_t)tod_index_of(model, id) - 1;
}

static bool pay(tod_check *check, uint32_t units)
{
    /* Packets are visited until it stops, and nothing is paid behind a payment that failed. */
    check->stopped = NEVER(check->stopped) || !fh_pay(check->budget, units);
    return !check->stopped;
}

static void tell_full(const tod_check *check, census *objects)
{
    if (!objects->told_full) {
        objects->told_full = true;
        tod_tell_packet(check, TOD0065, "live objects", 0,
                        fh_dec((int64_t)objects->lives.size + 1, ""),
                        fh_words("at most 50, the slots of the sample players"));
    }
}

static void create(const tod_check *check, census *objects, uint32_t object)
{
    tod_lives *lives = &objects->lives;
    const int32_t first = lives->first[object];
    const int32_t slot = tod_lives_create(lives, object);
    if (slot == TOD_NOWHERE) {
        tell_full(check, objects);
        objects->all[object].left_out = first == TOD_NOWHERE;
    } else {
        lives->slots[slot].frame = check->frame;
        lives->slots[slot].packet = check->packet;
        objects->all[object].left_out = false;
    }
    if (first != TOD_NOWHERE) {
        tod_tell_packet(check, TOD0062, "object id", 0,
                        fh_dec(check->packet->id, ", which is live"),
                        fh_dec_after("an id not created in frame ",
                                     lives->slots[first].frame - check->model->frames, ""));
    }
}

/* Finds some child of the slot for the message, and its id; its count says that there is one. */
static uint16_t some_child(tod_check *check, const tod_lives *lives, int32_t parent)
{
    for (uint32_t i = 0;; i++) {
        if (NEVER(i == lives->size)) {
            return 0; /* the slots count their children */
        }
        if (!pay(check, 1)) {
            return 0;
        }
        if (lives->slots[i].live && lives->slots[i].parent == parent) {
            return check->model->object_ids[lives->slots[i].object];
        }
    }
}

/* Tells of an object whose life ends, or lasts to the end of the file, without a pose. */
static void tell_if_unposed(const tod_check *check, const tod_life *life)
{
    if (life->packet != NULL && !life->posed) {
        tod_check at_create = *check;
        at_create.frame = life->frame;
        at_create.packet = life->packet;
        tod_tell_packet(&at_create, TOD0067, "object id", 0,
                        fh_dec(at_create.packet->id, ", created here"),
                        fh_words("a coordinate or matrix packet for it"));
    }
}

static void tell_orphans(tod_check *check, const tod_lives *lives, int32_t slot)
{
    const bool is_told = !fh_reporter_is_full(check->reporter, TOD0066);
    const uint16_t child = is_told ? some_child(check, lives, slot) : 0;
    if (!check->stopped) {
        tod_tell_packet(check, TOD0066, "object id", 0,
                        fh_dec_after("the parent of object ", child, ""),
                        fh_words("an object without children"));
    }
}

static void kill_object(tod_check *check, census *objects, uint32_t object)
{
    tod_lives *lives = &objects->lives;
    history *past = &objects->all[object];
    if (lives->first[object] == TOD_NOWHERE && !past->left_out) {
        tod_tell_packet(check, TOD0063, "object id", 0,
                        fh_dec(check->packet->id, ", which is not live"),
                        fh_words("the id of a live object"));
        return;
    }
    past->kill_frame = check->frame;
    if (past->left_out) {
        past->left_out = false; /* that it was in no slot TOD0065 has said */
        return;
    }
    const int32_t slot = tod_lives_kill(lives, object);
    tell_if_unposed(check, &lives->slots[slot]);
    if (lives->slots[slot].num_children > 0) {
        tell_orphans(check, lives, slot);
    }
}

static fh_value not_there_because(const tod_check *check, const history *past)
{
    if (past->kill_frame != NULL) {
        return fh_dec_after("killed in frame ", past->kill_frame - check->model->frames, "");
    }
    return fh_words("not created so far");
}

static void use(const tod_check *check, census *objects, uint32_t object)
{
    const tod_packet *packet = check->packet;
    history *past = &objects->all[object];
    const int32_t slot = objects->lives.first[object];
    if (slot != TOD_NOWHERE) {
        tod_life *life = &objects->lives.slots[slot];
        life->posed = life->posed || packet->type == TOD_MATRIX ||
                      (packet->type == TOD_COORDINATE && tod_sets(packet));
    } else if (!past->left_out && !past->told_not_there) {
        past->told_not_there = true;
        tod_tell_packet(check, TOD0061, "object id", 0, not_there_because(check, past),
                        fh_words(check->model->creates
                                     ? "an object that this file has created"
                                     : "an object that this file has not killed"));
    }
}

static void check_fraction(tod_check *check, history *past)
{
    const tod_parts parts = tod_coordinate_parts(check->packet);
    if ((check->packet->flag & TOD_DIFF) == 0 || parts.r == 0) {
        return;
    }
    for (unsigned i = 0; i < 3 && !past->told_fraction; i++) {
        const int32_t raw = tod_signed_word(check->model, check->packet, parts.r + i);
        if (raw % ROTATION_UNIT != 0) {
            past->told_fraction = true;
            tod_tell_packet(check, TOD0087, "differential rotation", parts.r + i, fh_dec(raw, ""),
                            fh_words("a multiple of 360"));
        }
    }
}

/* An object of a parent chain, which may go on through killed ones. */
static void put_link(fh_text *text, const tod_check *check, const tod_life *life)
{
    fh_text_u64(text, check->model->object_ids[life->object]);
    if (!life->live) {
        fh_text_str(text, " (killed)");
    }
}

/* Tells the ids from the slot up to itself again. */
static void tell_cycle(const tod_check *check, const tod_lives *lives, int32_t slot)
{
    char buf[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    int32_t at = slot;
    do {
        put_link(&text, check, &lives->slots[at]);
        fh_text_str(&text, " under ");
        at = lives->slots[at].parent;
    } while (at != slot && !text.cut);
    put_link(&text, check, &lives->slots[slot]);
    tod_tell_packet(check, TOD0094, "parent chain", 1, fh_words(buf),
                    fh_words("a chain that ends at the World"));
}

/* Tells whether the slot hangs, by way of others, on itself. A chain may also lead into a circle
 * without it; no chain is longer than the table. */
static bool is_in_cycle(tod_check *check, const tod_lives *lives, int32_t slot)
{
    int32_t at = lives->slots[slot].parent;
    for (uint32_t i = 0; i < lives->size && at >= 0 && at != slot; i++) {
        if (!pay(check, 1)) {
            return false;
        }
        at = lives->slots[at].parent;
    }
    return at == slot;
}

static void tell_no_parent(const tod_check *check, const census *objects, int32_t object)
{
    const uint32_t word = tod_word(check->model, check->packet, 1);
    const history *past = object == TOD_NOWHERE ? NULL : &objects->all[object];
    if (!check->model->creates) {
        char buf[FH_EVIDENCE_LEN];
        fh_text text = fh_text_make(buf, sizeof buf);
        fh_text_u64(&text, word);
        if (past == NULL) {
            fh_text_str(&text, ", used nowhere else");
        } else {
            fh_value_write(fh_text_str(&text, ", "), not_there_because(check, past));
        }
        tod_tell_packet(check, TOD0093, "parent id", 1, fh_words(buf),
                        fh_words("the id of an object in use"));
        return;
    }
    const bool is_left_out = past != NULL && past->left_out;
    tod_tell_packet(check, TOD0092, "parent id", 1,
                    fh_dec(word, is_left_out ? ", for which the table had no slot left"
                                             : ", which is not live"),
                    fh_words("0 (World) or a live object"));
}

/* A player gives the object the parent also where that closes a circle. */
static void hang(tod_check *check, tod_lives *lives, int32_t slot, int32_t parent)
{
    if (lives->slots[slot].parent == parent) {
        return;
    }
    tod_lives_hang(lives, slot, parent);
    if (is_in_cycle(check, lives, slot)) {
        tell_cycle(check, lives, slot);
    }
}

/* What the object is to hang on by the word. false: nothing, and it stays where it is. */
static bool find_parent(const tod_check *check, const census *objects, int32_t *parent,
                        uint32_t word)
{
    *parent = TOD_UNDER_WORLD;
    if (tod_is_world(word)) {
        return true;
    }
    const int32_t object = index_of(check->model, (uint16_t)word);
    *parent = object == TOD_NOWHERE ? TOD_NOWHERE : objects->lives.first[object];
    if (*parent != TOD_NOWHERE) {
        return true;
    }
    tell_no_parent(check, objects, object);
    *parent = TOD_UNDER_OTHERS; /* where the file does not use the id, it may yet be there */
    return objects->lives.is_given && object == TOD_NOWHERE;
}

static void check_parent(tod_check *check, census *objects, uint32_t object)
{
    const uint32_t word = tod_word(check->model, check->packet, 1);
    const int32_t slot = objects->lives.first[object];
    int32_t parent = TOD_NOWHERE;
    if (word > 0xffff) {
        return; /* TOD0091 has said so; the search of a player finds nothing */
    }
    const bool is_found = find_parent(check, objects, &parent, word);
    if (slot != TOD_NOWHERE) { /* else it is done to a dummy */
        objects->all[object].parent_named = true;
        if (is_found) {
            hang(check, &objects->lives, slot, parent);
        }
    }
}

static void control(tod_check *check, census *objects, uint32_t object)
{
    const uint32_t slots_looked_at = objects->lives.is_given ? 1 : objects->lives.size;
    if (check->packet->flag > TOD_KILL || !pay(check, slots_looked_at)) {
        return;
    }
    if (check->packet->flag == TOD_CREATE) {
        create(check, objects, object);
    } else {
        kill_object(check, objects, object);
    }
}

static void visit(tod_check *check, void *user)
{
    census *objects = user;
    const tod_packet *packet = check->packet;
    if (!tod_is_object_packet(packet)) {
        return;
    }
    const uint32_t object = tod_index_of(check->model, packet->id) - 1;
    history *past = &objects->all[object];
    if (!past->seen && packet->id > SMALL_ID && packet->id != 0xffff) {
        tod_tell_packet(check, TOD0051, "object id", 0, fh_dec(packet->id, ""),
                        fh_words("at most 255"));
    }
    past->seen = true;
    if (packet->type == TOD_CONTROL) {
        control(check, objects, object);
        return;
    }
    use(check, objects, object);
    if (!tod_has_implied_length(packet)) {
        return;
    }
    if (packet->type == TOD_PARENT) {
        check_parent(check, objects, object);
    } else if (packet->type == TOD_COORDINATE) {
        check_fraction(check, past);
    }
}

/* Of slots with one id no packet reaches but the first. */
static void tell_unposed(const tod_check *check, const tod_lives *lives)
{
    for (uint32_t i = 0; i < lives->size; i++) {
        const tod_life *life = &lives->slots[i];
        if (life->live && lives->first[life->object] == (int32_t)i) {
            tell_if_unposed(check, life);
        }
    }
}

/* In a file that creates objects the live ones count, in a continuation those it gave a parent:
 * of the others nothing is known. */
static void tell_rootless(const tod_check *check, const census *objects)
{
    const tod_lives *lives = &objects->lives;
    uint32_t num_known = 0;
    for (uint32_t i = 0; i < lives->size; i++) {
        const tod_life *life = &lives->slots[i];
        const bool is_known = lives->is_given ? objects->all[i].parent_named : life->live;
        if (is_known && life->parent == TOD_UNDER_WORLD) {
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
    census objects = {.all = fh_arena_alloc(arena, model->num_objects, sizeof(history))};
    if (objects.all == NULL || tod_lives_open(&objects.lives, arena, model) != FH_OK) {
        return FH_NO_MEMORY;
    }
    if (!model->creates && model->num_objects > 0) {
        tod_tell(check, TOD0060, "create packets", 0,
                 fh_dec_after("0, with ", model->num_objects, " objects used"), fh_nothing());
    }
    tod_for_each_packet(check, visit, &objects);
    if (!check->stopped) {
        tell_unposed(check, &objects.lives);
        tell_rootless(check, &objects);
    }
    return FH_OK;
}
