#include "core/never.h"
#include "hmd/hmd_checks.h"

#include "hmd/hmd_build.h"
#include "hmd/hmd_devices.h"
#include "hmd/hmd_morph.h"
#include "hmd/hmd_polygons.h"
#include "hmd/hmd_shape.h"

/* ---- which blocks run a primitive -------------------------------------------------------------
 */

/* Kinds of block; a chain may be entered from several. */
enum { PRE_PROCESS = 0, MODEL, POST_PROCESS, NUM_KINDS };

/* First block of each kind that runs a primitive, HMD_NONE = none does. */
typedef struct runs {
    uint32_t blocks[NUM_KINDS];
} runs;

static unsigned kind_of(const hmd_model *model, uint32_t block)
{
    if (block == 0) {
        return PRE_PROCESS;
    }
    return block + 1 == model->num_blocks ? POST_PROCESS : MODEL;
}

/* Whatever follows a primitive that a block of the same kind has run was run by that too. */
static void mark_runs(hmd_check *check, runs *out)
{
    const hmd_model *model = check->model;
    for (uint32_t i = 0; i < model->num_primitives && hmd_spend(check, 1); i++) {
        out[i] = (runs){{HMD_NONE, HMD_NONE, HMD_NONE}};
    }
    for (uint32_t b = 0; b < model->num_blocks && hmd_spend(check, 1); b++) {
        const unsigned kind = kind_of(model, b);
        uint32_t i = model->blocks[b];
        while (i != HMD_NONE && out[i].blocks[kind] == HMD_NONE && hmd_spend(check, 1)) {
            out[i].blocks[kind] = b;
            i = model->primitives[i].next;
        }
    }
}

static bool has_polygons(const hmd_record *record)
{
    return (record->category == HMD_POLYGONS || record->category == HMD_SHARED ||
            record->category == HMD_ENVMAP) &&
           record->type != HMD_NO_TYPE && !hmd_is_precalculation(record);
}

static bool is_shared(const hmd_record *record)
{
    return has_polygons(record) &&
           hmd_polygon_args_of(record).vertex_owner == HMD_OWNER_CALC_VERTEX;
}

/* Needs the matrix of a coordinate. */
static bool needs_unit(const hmd_record *record)
{
    return (has_polygons(record) && !is_shared(record)) || hmd_is_precalculation(record);
}

static bool belongs_first(const hmd_record *record)
{
    return record->category == HMD_IMAGES || record->category == HMD_ANIMATION ||
           record->category == HMD_DEVICE;
}

static void tell_block(hmd_check *check, enum hmd_rule rule, uint32_t block, const char *expected)
{
    if (block != HMD_NONE) {
        check->block = block;
        hmd_tell(check, rule, "block", check->record->off, fh_dec(block, ""), fh_words(expected));
        check->block = check->primitive->block;
    }
}

static uint32_t first_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void check_block(hmd_check *check, const runs *by)
{
    const uint32_t pre = by->blocks[PRE_PROCESS];
    const uint32_t model = by->blocks[MODEL];
    const uint32_t post = by->blocks[POST_PROCESS];
    if (needs_unit(check->record)) {
        tell_block(check, HMD0071, first_of(pre, post), "a block that has a coordinate");
    } else if (belongs_first(check->record)) {
        tell_block(check, HMD0072, first_of(model, post), "the first block only");
    } else if (is_shared(check->record)) {
        tell_block(check, HMD0072, first_of(pre, model), "the last block only");
    }
}

/* ---- primitives -------------------------------------------------------------------------------
 */

static void check_primitive(const hmd_check *check)
{
    const hmd_model *model = check->model;
    const uint32_t at = check->primitive->off + 2;
    const uint32_t word = hmd_word(model, at);
    if (!hmd_is_memory(model) && (word & HMD_MSB) == 0) {
        hmd_tell(check, HMD0054, "number of records", at, fh_hex(word), fh_hex(word | HMD_MSB));
    }
    if ((word & 0x7fff0000u) != 0) {
        hmd_tell(check, HMD0057, "number of records", at, fh_hex(word),
                 fh_hex(word & ~0x7fff0000u));
    }
    if (hmd_low(word) == 0) {
        hmd_tell(check, HMD0056, "number of records", at, fh_dec(0, ""), fh_nothing());
    }
}

/* ---- records ----------------------------------------------------------------------------------
 */

/* Words that the driver looks at. A driver of MIMe steps over its record by the size, but takes as
 * many differences as the count says. */
static uint32_t num_read(const hmd_record *record)
{
    return hmd_morph_of(record) != NULL ? 1u + record->count : hmd_record_len(record);
}

static void check_length(const hmd_check *check)
{
    const hmd_record *record = check->record;
    const uint32_t length = hmd_record_len(record);
    const uint32_t needed = num_read(record);
    const uint32_t index =
        (uint32_t)(record - check->model->records) - check->primitive->first_record;
    const uint32_t announced = hmd_low(hmd_word(check->model, check->primitive->off + 2));
    const fh_value size = fh_count(record->size, "word");
    if (record->size != length && index + 1 < announced) {
        hmd_tell(check, HMD0063, "record size", record->off + 1, size, fh_dec(length, ""));
    } else if (record->size < needed) {
        hmd_tell(check, HMD0073, "record size", record->off + 1, size,
                 fh_dec_after("at least ", needed, ""));
    } else if (record->size != length) {
        hmd_tell(check, HMD0064, "record size", record->off + 1, size, fh_dec(length, ""));
    } else if (record->size > needed) {
        hmd_tell(check, HMD0134, "record size", record->off + 1, size, fh_dec(needed, ""));
    }
}

static void check_size(const hmd_check *check)
{
    const hmd_record *record = check->record;
    check_length(check);
    if (!hmd_is_memory(check->model) && (hmd_word(check->model, record->off + 1) & HMD_MSB) == 0) {
        const uint32_t word = hmd_word(check->model, record->off + 1);
        hmd_tell(check, HMD0062, "size word", record->off + 1, fh_hex(word),
                 fh_hex(word | HMD_MSB));
    }
}

/* Bits of polygon types. */
enum {
    TYPE_SHAPE = 0x38,
    SHAPE_TRIANGLE = 0x08,
    SHAPE_MESH = 0x18,
    TYPE_LMD = 0x40,
    TYPE_MIP = 0x80,
    TYPE_PST = 0x100,
    TYPE_TILE = 0x200,
    TYPE_UNUSED = 0xfc00, /* MIMe polygons were never made, the others are reserved */
    TYPE_LGT = 0x40000,
    TYPE_DRIVER_UNUSED = 0x400000
};

/* What is wrong with the bits of a polygon type, or NULL. */
static const char *contradiction(const hmd_record *record)
{
    const uint32_t type = record->type;
    const uint32_t shape = type & TYPE_SHAPE;
    if (shape < SHAPE_TRIANGLE || shape > SHAPE_MESH) {
        return "a shape of 1, 2 or 3 in bits 3 to 5";
    }
    if ((type & (TYPE_MIP | TYPE_UNUSED | TYPE_DRIVER_UNUSED)) != 0) {
        return "0 in bits 7, 10 to 15 and 22";
    }
    if (((type & TYPE_LGT) != 0) != ((type & TYPE_LMD) != 0)) {
        return "LGT (bit 18) and LMD (bit 6) together";
    }
    const bool is_defined = hmd_packet_layout_of(type & 0xffff) != NULL;
    if ((type & TYPE_PST) != 0 && (!is_defined || record->category == HMD_SHARED)) {
        return "no PST (bit 8), for there is no such preset";
    }
    if ((type & TYPE_TILE) != 0 && !is_defined) {
        return "no TILE (bit 9), for there is no such tiled packet";
    }
    return NULL;
}

static bool has_type_bits(const hmd_record *record)
{
    return (record->category == HMD_POLYGONS || record->category == HMD_SHARED) &&
           has_polygons(record);
}

static void check_foreign(const hmd_check *check)
{
    const uint32_t type = check->record->type;
    if (type >> 28 != 0) {
        hmd_tell(check, HMD0065, "developer id", check->record->off, fh_dec(type >> 28, ""),
                 fh_nothing());
    } else {
        hmd_tell(check, HMD0066, "category", check->record->off, fh_dec(type >> 24 & 15, ""),
                 fh_dec_after("at most ", HMD_NUM_CATEGORIES - 1, ""));
    }
}

static void check_type(const hmd_check *check)
{
    const hmd_record *record = check->record;
    const char *expected = has_type_bits(record) ? contradiction(record) : NULL;
    if (hmd_is_unknown(check->model, record)) {
        return;
    }
    if (record->category == HMD_CATEGORY_FOREIGN) {
        check_foreign(check);
        return;
    }
    if (record->category == HMD_CATEGORY_NULL) {
        hmd_tell(check, HMD0070, "record", record->off, fh_count(1u + record->size, "word"),
                 fh_nothing());
        return;
    }
    if (record->category == HMD_ENVMAP) {
        hmd_tell(check, HMD0069, "type", record->off, fh_hex(record->type), fh_nothing());
    }
    if (expected != NULL) {
        hmd_tell(check, HMD0068, "type", record->off, fh_hex(record->type), fh_words(expected));
    } else if (!hmd_has_driver(record->type)) {
        hmd_tell(check, HMD0067, "type", record->off, fh_hex(record->type), fh_nothing());
    }
}

/* Pre-calculations have a rule of their own. */
static bool has_nothing_to_count(const hmd_record *record)
{
    const hmd_device_kind *device = hmd_device_of(record);
    return (record->category == HMD_GROUND && hmd_has_driver(record->type)) ||
           (device != NULL && !device->is_light);
}

static void check_count(const hmd_check *check)
{
    const hmd_record *record = check->record;
    if (record->count != 0 && has_nothing_to_count(record)) {
        hmd_tell(check, HMD0074, "count", record->off + 1, fh_dec(record->count, ""),
                 fh_dec(0, ""));
    }
}

static void check_record(hmd_check *check, void *user)
{
    const runs *by = user;
    check_size(check);
    check_count(check);
    check_type(check);
    check_block(check, &by[check->record->primitive]);
}

void hmd_check_records(hmd_check *check)
{
    const hmd_model *model = check->model;
    const size_t mark = fh_arena_mark(check->arena);
    runs *by = hmd_table(check, model->num_primitives, sizeof *by);
    if (by == NULL || NEVER(model->blocks == NULL)) { /* no model without them is checked */
        return;
    }
    mark_runs(check, by);
    for (uint32_t i = 0; i < model->num_primitives && hmd_spend(check, 1); i++) {
        check->primitive = &model->primitives[i];
        check->block = check->primitive->block;
        check_primitive(check);
    }
    hmd_clear_place(check);
    hmd_for_each_record(check, check_record, by);
    fh_arena_reset(check->arena, mark);
}
