#include "core/describe.h"

#include <assert.h>
#include <string.h>

/* A part that waits to be read, in the slot of a hash table. The table never has to be searched for
 * its order: those that wait are a list. */
typedef struct part_key {
    const fh_struct *of; /* NULL: the slot is free */
    int64_t params[FH_SCHEMA_PARAMS];
    uint32_t off;
    uint32_t count; /* structs, at least 1 */
} part_key;

typedef struct part {
    part_key key;        /* nothing of it is padding: parts are compared as bytes */
    const fh_item *item; /* that refers to it, for the first time */
    uint32_t next;       /* slot that waits behind it, NONE: none */
} part;
enum { NONE = UINT32_MAX };

/* Slots for each byte of the asset, and the least: real files refer to one part in 8 bytes at most;
 * hostile ones run into the limit. */
enum { BYTES_PER_SLOT = 4, LEAST_SLOTS = 1024 };

/* A struct that is being read. */
typedef struct level {
    const fh_struct *of;
    const fh_item *item; /* that it stands for, NULL: the root */
    size_t next;         /* item to be read */
    int64_t params[FH_SCHEMA_PARAMS];
    int64_t values[FH_SCHEMA_ITEMS];
    int64_t index; /* FH_UNKNOWN: no element of an array */
    int64_t left;  /* elements behind it */
} level;

typedef struct run {
    const fh_env *env;
    const fh_field_sink *out;
    const fh_schema *schema;
    fh_cursor bytes;
    level levels[FH_SCHEMA_DEPTH];
    size_t num_levels;
    bool is_cut;   /* what is being read goes on behind the end */
    int64_t index; /* _index */
    part *parts;
    uint32_t num_slots; /* a power of 2 */
    uint32_t num_parts;
    uint32_t first, last; /* that wait */
    fh_status status;
} run;

int64_t fh_bits_value(const fh_bits *bits, int64_t number)
{
    return (int64_t)((uint64_t)number >> bits->shift & ((UINT64_C(1) << bits->width) - 1));
}

static int64_t read_byte(fh_cursor *cur, bool is_signed)
{
    const uint8_t byte = fh_cursor_u8(cur);
    return is_signed && byte > INT8_MAX ? (int64_t)byte - 0x100 : byte;
}

static int64_t read_number(fh_cursor *cur, size_t width, bool is_signed)
{
    switch (width) {
    case 1:
        return read_byte(cur, is_signed);
    case 2:
        return is_signed ? fh_cursor_s16(cur) : fh_cursor_u16(cur);
    default:
        return is_signed ? (int64_t)fh_cursor_s32(cur) : fh_cursor_u32(cur);
    }
}

int64_t fh_field_value(const fh_field *field, fh_cursor bytes, size_t i)
{
    assert(field->width > 0 && i < field->len / field->width);
    fh_cursor cur = fh_cursor_sub(&bytes, field->off + i * field->width, field->width);
    return read_number(&cur, field->width, field->is_signed);
}

static bool is_signed(const fh_item *item)
{
    return item->type == FH_ITEM_S8 || item->type == FH_ITEM_S16 || item->type == FH_ITEM_S32;
}

/* ---- expressions ------------------------------------------------------------------------------
 */

static bool is_name(const char *name, const char *text, size_t len)
{
    return strncmp(name, text, len) == 0 && name[len] == '\0';
}

static bool find_bits(const fh_item *item, int64_t number, const char *name, size_t len,
                      int64_t *out)
{
    for (const fh_bits *bits = item->bits; bits != NULL && bits->name != NULL; bits++) {
        if (is_name(bits->name, name, len)) {
            *out = fh_bits_value(bits, number);
            return true;
        }
    }
    return false;
}

static int64_t value_in(const level *at, const char *name, size_t len)
{
    int64_t value = 0;
    for (size_t i = 0; i < FH_SCHEMA_PARAMS && at->of->params[i] != NULL; i++) {
        if (is_name(at->of->params[i], name, len)) {
            return at->params[i];
        }
    }
    for (size_t i = 0;; i++) {
        assert(i < at->of->num_items); /* a table names what it has: the tests look at each */
        if (is_name(at->of->items[i].name, name, len)) {
            return at->values[i];
        }
        if (find_bits(&at->of->items[i], at->values[i], name, len, &value)) {
            return value;
        }
    }
}

static int64_t value_of(void *user, const char *name, size_t len)
{
    static const char root[] = "_root.";
    const run *r = user;
    if (is_name("_index", name, len)) {
        return r->index;
    }
    if (strncmp(name, root, sizeof root - 1) == 0) {
        return value_in(&r->levels[0], name + sizeof root - 1, len - (sizeof root - 1));
    }
    return value_in(&r->levels[r->num_levels - 1], name, len);
}

static int64_t work_out(run *r, const char *expression)
{
    return fh_schema_value(&expression, value_of, r);
}

static void work_out_args(run *r, int64_t params[FH_SCHEMA_PARAMS], const char *args)
{
    for (size_t i = 0; args != NULL && i < FH_SCHEMA_PARAMS && *args != '\0'; i++) {
        params[i] = fh_schema_value(&args, value_of, r);
    }
}

/* ---- parts ------------------------------------------------------------------------------------
 */

static bool make_slots(run *r)
{
    const size_t wanted = r->bytes.size / BYTES_PER_SLOT + LEAST_SLOTS;
    r->num_slots = LEAST_SLOTS;
    while (r->num_slots < wanted) {
        r->num_slots *= 2;
    }
    r->parts = fh_arena_alloc(r->env->arena, r->num_slots, sizeof *r->parts);
    while (r->parts == NULL && r->num_slots > LEAST_SLOTS) {
        r->num_slots /= 2;
        r->parts = fh_arena_alloc(r->env->arena, r->num_slots, sizeof *r->parts);
    }
    return r->parts != NULL;
}

/* Of 32 bits, so that no product wraps. */
static uint64_t mix(uint64_t hash, uint64_t more)
{
    const uint64_t product = ((hash ^ more ^ more >> 32) & UINT32_MAX) * UINT32_C(0x9e3779b1);
    return (product ^ product >> 32) & UINT32_MAX;
}

static uint32_t slot_of(const run *r, const part_key *key)
{
    uint64_t mixed = mix(mix((uintptr_t)key->of / 16, key->off), key->count);
    for (size_t i = 0; i < FH_SCHEMA_PARAMS; i++) {
        mixed = mix(mixed, (uint64_t)key->params[i]);
    }
    uint32_t slot = (uint32_t)mixed & (r->num_slots - 1);
    while (r->parts[slot].key.of != NULL && memcmp(&r->parts[slot].key, key, sizeof *key) != 0) {
        slot = (slot + 1) & (r->num_slots - 1);
    }
    return slot;
}

static void add_part(run *r, const part *wish)
{
    const uint32_t slot = slot_of(r, &wish->key);
    if (r->parts[slot].key.of != NULL) {
        return; /* told already, or waiting */
    }
    if (r->num_parts >= r->num_slots / 4 * 3) {
        r->status = FH_LIMIT;
        return;
    }
    r->num_parts++;
    r->parts[slot] = *wish;
    r->parts[slot].next = NONE;
    if (r->first == NONE) {
        r->first = slot;
    } else {
        r->parts[r->last].next = slot;
    }
    r->last = slot;
}

static bool pay(run *r, uint64_t units)
{
    if (!fh_pay(r->env->budget, units)) {
        r->status = FH_LIMIT;
    }
    return r->status == FH_OK;
}

static const fh_struct *choose(run *r, const fh_item *item)
{
    if (item->type == FH_ITEM_STRUCT) {
        return item->of;
    }
    const int64_t on = work_out(r, item->on);
    const fh_case *found = item->cases;
    while (found->of != NULL && found->value != on) {
        found++;
    }
    return found->of != NULL ? found->of : item->of;
}

static int64_t count_of(run *r, const fh_item *item)
{
    return item->count == NULL ? 1 : work_out(r, item->count);
}

static void refer(run *r, const fh_item *item, const fh_struct *of)
{
    const int64_t num = count_of(r, item);
    const int64_t at = work_out(r, item->at);
    const int64_t stride = (int64_t)item->stride;
    const int64_t num_parts = num <= 0 ? 0 : stride > 0 ? num : 1;
    part wish = {.key = {.of = of}, .item = item};
    wish.key.count = num < NONE && stride == 0 ? (uint32_t)num : stride == 0 ? NONE : 1;
    for (int64_t i = 0; i < num_parts && pay(r, 1); i++) {
        const int64_t off = at + i * stride;
        if (off < 0 || (uint64_t)off >= r->bytes.size) {
            return;
        }
        r->index = i;
        work_out_args(r, wish.key.params, item->args);
        wish.key.off = (uint32_t)off;
        add_part(r, &wish);
    }
}

/* ---- fields -----------------------------------------------------------------------------------
 */

static fh_field make_field(const run *r, const level *at, const fh_item *item, unsigned depth)
{
    const int number = fh_item_number(at->of, (size_t)(item - at->of->items));
    return (fh_field){.name = item->name,
                      .number = number,
                      .index = FH_UNKNOWN,
                      .depth = depth,
                      .kind = item->kind,
                      .doc = item->doc,
                      .in = at->of->name,
                      .rules = fh_governing(r->schema->governance, at->of->name, item->name)};
}

static void begin_group(run *r)
{
    const level *at = &r->levels[r->num_levels - 1];
    const unsigned depth = (unsigned)r->num_levels - 2;
    fh_field group = {.name = at->item->name, .number = -1};
    const bool is_part = at->item->at != NULL;
    if (!is_part) {
        group = make_field(r, &r->levels[r->num_levels - 2], at->item, depth);
    }
    group.is_part = is_part;
    group.depth = depth;
    group.index = at->index;
    group.type = at->of->name;
    group.doc = at->of->doc;
    group.in = NULL;
    group.rules = fh_governing(r->schema->governance, at->of->name, NULL);
    group.off = r->bytes.pos;
    r->out->begin(r->out->user, &group);
}

static void read_field(run *r, level *at, const fh_item *item)
{
    const size_t width = fh_item_len(item);
    const size_t left = fh_cursor_left(&r->bytes);
    const int64_t num = count_of(r, item);
    fh_field field = make_field(r, at, item, (unsigned)r->num_levels - 1);
    if (num <= 0) {
        return;
    }
    field.off = r->bytes.pos;
    field.width = width;
    field.is_signed = is_signed(item);
    field.bits = item->bits;
    field.is_cut = (uint64_t)num > left / width;
    field.len = field.is_cut ? left : (size_t)num * width;
    r->is_cut = field.is_cut;
    if (field.len > 0 && pay(r, 1)) {
        r->out->field(r->out->user, &field);
    }
    if (field.len >= width) {
        at->values[item - at->of->items] = fh_field_value(&field, r->bytes, 0);
    }
    (void)fh_cursor_skip(&r->bytes, field.len); /* no more than is left */
}

static void peek(run *r, level *at, const fh_item *item)
{
    const int64_t off = work_out(r, item->at);
    if (off < 0 || (uint64_t)off >= r->bytes.size) {
        return;
    }
    fh_cursor cur = r->bytes;
    cur.pos = (size_t)off;
    at->values[item - at->of->items] = read_number(&cur, fh_item_len(item), is_signed(item));
}

/* ---- structs ----------------------------------------------------------------------------------
 */

static level *push(run *r, const fh_struct *of, const fh_item *item, int64_t index, int64_t left)
{
    assert(r->num_levels < FH_SCHEMA_DEPTH && of->num_items <= FH_SCHEMA_ITEMS);
    level *at = &r->levels[r->num_levels++];
    *at = (level){.of = of, .item = item, .index = index, .left = left};
    return at;
}

static void enter(run *r, const fh_item *item)
{
    int64_t params[FH_SCHEMA_PARAMS] = {0};
    const fh_struct *of = choose(r, item);
    if (of == NULL) {
        return;
    }
    if (item->at != NULL) {
        refer(r, item, of);
        return;
    }
    const int64_t num = count_of(r, item);
    if (num <= 0) {
        return;
    }
    r->index = 0;
    work_out_args(r, params, item->args);
    level *at = push(r, of, item, item->count == NULL ? FH_UNKNOWN : 0, num - 1);
    memcpy(at->params, params, sizeof params);
    begin_group(r);
}

static void read_item(run *r)
{
    level *at = &r->levels[r->num_levels - 1];
    const fh_item *item = &at->of->items[at->next++];
    r->index = at->index;
    if (item->type == FH_ITEM_LET) {
        const bool holds = item->when == NULL || work_out(r, item->when) != 0;
        at->values[item - at->of->items] = work_out(r, holds ? item->value : item->otherwise);
        return;
    }
    if (item->when != NULL && work_out(r, item->when) == 0) {
        return;
    }
    if (fh_item_len(item) == 0) {
        enter(r, item);
    } else if (item->is_peek) {
        peek(r, at, item);
    } else {
        read_field(r, at, item);
    }
}

/* The next element of an array; what it is given may hang on its index. */
static void read_next(run *r)
{
    level *at = &r->levels[r->num_levels - 1];
    at->left--;
    at->index++;
    at->next = 0;
    memset(at->values, 0, sizeof at->values);
    if (at->item->at == NULL) {
        r->index = at->index;
        r->num_levels--; /* the arguments are the parent's */
        work_out_args(r, at->params, at->item->args);
        r->num_levels++;
    }
    begin_group(r);
}

static void leave(run *r)
{
    const level *at = &r->levels[r->num_levels - 1];
    r->out->end(r->out->user, r->bytes.pos);
    r->is_cut = r->is_cut || (at->left > 0 && fh_cursor_left(&r->bytes) == 0);
    if (at->left > 0 && !r->is_cut) {
        read_next(r);
    } else {
        r->num_levels--;
    }
}

/* Reads the levels above the first `floor` to their ends. */
static void read_levels(run *r, size_t floor)
{
    while (r->num_levels > floor) {
        const level *at = &r->levels[r->num_levels - 1];
        const bool goes_on = !r->is_cut && at->next < at->of->num_items && pay(r, 2);
        if (goes_on) {
            read_item(r);
        } else if (r->num_levels == 1) {
            return; /* the root stays, for its values */
        } else {
            r->is_cut = r->is_cut || r->status != FH_OK;
            leave(r);
        }
    }
}

static void read_part(run *r)
{
    const part now = r->parts[r->first];
    r->first = now.next;
    r->is_cut = false;
    r->bytes.pos = now.key.off;
    level *at = push(r, now.key.of, now.item, now.key.count == 1 ? FH_UNKNOWN : 0,
                     (int64_t)now.key.count - 1);
    memcpy(at->params, now.key.params, sizeof now.key.params);
    begin_group(r);
    read_levels(r, 1);
}

fh_status fh_describe(const fh_env *env, const fh_field_sink *out, const fh_schema *schema,
                      fh_cursor bytes)
{
    run r = {.env = env, .out = out, .schema = schema, .bytes = bytes};
    r.first = NONE;
    r.bytes.pos = 0;
    if (!make_slots(&r)) {
        return FH_NO_MEMORY;
    }
    (void)push(&r, schema->root, NULL, FH_UNKNOWN, 0);
    read_levels(&r, 0);
    while (r.first != NONE && pay(&r, 1)) {
        read_part(&r);
    }
    return r.status;
}
