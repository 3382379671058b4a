#include "hmd/hmd_checks.h"

#include "hmd/hmd_build.h"
#include "hmd/hmd_shape.h"

#include <assert.h>

/* What all the records that use a header want of it. Bit k stands for argument k; shapes are
 * shorter than 16 words. */
typedef struct use {
    uint32_t record;    /* the one that needs most */
    uint16_t needed;    /* words */
    uint16_t known;     /* words of the longest shape */
    uint16_t pointers;  /* must be pointers */
    uint16_t optionals; /* must be pointers, or 0 */
    uint16_t numbers;
    uint16_t units;    /* may lie in the coordinates */
    uint16_t programs; /* memory: may lie outside of the asset */
    bool is_used;      /* by a record */
    bool is_mapping;   /* its last word is the coordinates */
    bool is_model;     /* and may be so without need */
    bool is_open;      /* any number of pointers to anything follow */
    bool is_free;      /* also used by a record of unknown shape */
} use;

enum { MOST_ARGS = 16 };

static void add_argument(use *out, char kind, unsigned bit)
{
    const uint16_t mask = (uint16_t)(1u << bit);
    switch (kind) {
    case HMD_ARG_NUMBER:
        out->numbers |= mask;
        break;
    case HMD_ARG_WEIGHTS:
        out->programs |= mask;
        out->optionals |= mask;
        break;
    case HMD_ARG_OPTIONAL:
    case HMD_ARG_TEXTURE:
        out->optionals |= mask;
        break;
    case HMD_ARG_COORDINATES:
        out->units |= mask;
        out->pointers |= mask;
        break;
    default:
        out->pointers |= mask;
        break;
    }
}

static void add_use(hmd_check *check, void *user)
{
    use *uses = user;
    const uint32_t header = hmd_header_of(check->model, check->record);
    const hmd_shape *shape = hmd_shape_of(check->record);
    if (header == HMD_NONE) {
        return;
    }
    use *out = &uses[header];
    const uint32_t index = (uint32_t)(check->record - check->model->records);
    out->record = out->is_used ? out->record : index;
    out->is_used = true;
    out->is_mapping = out->is_mapping || hmd_is_mapping(check->record);
    if (shape == NULL) {
        out->is_free = true;
        return;
    }
    uint16_t num = 0;
    for (; shape->args[num] != '\0'; num++) {
        assert(num < MOST_ARGS);
        const bool is_read = (shape->unread >> num & 1) == 0;
        if (is_read) {
            add_argument(out, shape->args[num], num);
        } else {
            add_argument(out, (char)HMD_ARG_OPTIONAL, num);
        }
    }
    out->is_open = out->is_open || shape->is_open;
    out->is_model = out->is_model || shape->has_coordinates;
    out->known = num > out->known ? num : out->known;
    if (shape->num_needed > out->needed) {
        out->needed = shape->num_needed;
        out->record = index;
    }
}

/* ---- judging ----------------------------------------------------------------------------------
 */

/* Exporters append the coordinates to the headers of models whether a record maps them or not. */
static bool has_one_more(const hmd_model *model, uint32_t i, const use *uses)
{
    const hmd_arg last = hmd_arg_of(model, i, uses->known);
    return uses->is_mapping || (uses->is_model && last.off == model->coordinates);
}

static void check_length(const hmd_check *check, uint32_t i, const use *uses)
{
    const hmd_header *header = &check->model->headers[i];
    const uint32_t known = uses->known + (has_one_more(check->model, i, uses) ? 1u : 0u);
    if (header->num_words < uses->needed) {
        hmd_tell(check, HMD0042, "size of primitive header", header->off,
                 fh_count(header->num_words, "word"), fh_dec_after("at least ", uses->needed, ""));
    }
    if (uses->is_used && !uses->is_free && !uses->is_open && header->num_words > known) {
        hmd_tell(check, HMD0043, "size of primitive header", header->off,
                 fh_count(header->num_words, "word"), fh_dec_after("at most ", known, ""));
    }
}

/* The pointer to the coordinates that is appended takes the place of an argument that nobody reads.
 */
static bool is_appended(const hmd_model *model, uint32_t i, const use *uses, uint32_t k)
{
    return k + 1 == model->headers[i].num_words && k >= uses->needed &&
           (uses->is_mapping ||
            (uses->is_model && hmd_arg_of(model, i, k).off == model->coordinates));
}

/* In memory the program may have put the address of its own weights there. */
static bool is_programs(const hmd_model *model, const use *uses, uint32_t k)
{
    return hmd_is_memory(model) && k < MOST_ARGS && (uses->programs >> k & 1) != 0;
}

/* What is known of an argument. */
typedef struct wish {
    bool is_pointer, is_optional, is_number, may_be_unit;
} wish;

static wish wish_of(const use *uses, uint32_t k)
{
    const bool is_more = uses->is_open && k >= uses->known;
    const unsigned mask = k < MOST_ARGS ? 1u << k : 0;
    return (wish){.is_pointer = is_more || (uses->pointers & mask) != 0,
                  .is_optional = (uses->optionals & mask) != 0,
                  .is_number = (uses->numbers & mask) != 0,
                  .may_be_unit = is_more || (uses->units & mask) != 0};
}

static void check_flag(const hmd_check *check, const hmd_arg *arg, wish is)
{
    const bool must = is.is_pointer || (is.is_optional && arg->raw != 0);
    if (must && !arg->is_pointer) {
        hmd_tell(check, HMD0045, "header word", arg->at, fh_hex(arg->raw),
                 fh_words("a pointer, with bit 31 set"));
    }
    if (is.is_number && arg->is_pointer && !hmd_is_memory(check->model)) {
        hmd_tell(check, HMD0046, "header word", arg->at, fh_hex(arg->raw),
                 fh_words("a number, without bit 31"));
    }
}

static bool is_in_units(const hmd_model *model, uint32_t off)
{
    return off >= model->coordinates && off < hmd_units_end(model);
}

/* A flagged number leads nowhere in particular, and in memory any number may look like an address.
 */
static void check_target(const hmd_check *check, const hmd_arg *arg, wish is)
{
    const hmd_model *model = check->model;
    const bool is_meant = is.is_pointer || is.is_optional;
    if (!arg->is_pointer || is.is_number || (hmd_is_memory(model) && !is_meant)) {
        return;
    }
    if (arg->off == HMD_NONE || arg->off > model->num_words) {
        hmd_tell(check, HMD0041, "header word", arg->at, fh_hex(arg->raw),
                 fh_dec_after("a pointer to one of ", model->num_words, " words"));
        return;
    }
    const bool is_unit = is.may_be_unit && is_in_units(model, arg->off);
    if (is_meant && !is_unit && hmd_is_front(model, arg->off)) {
        hmd_tell(check, HMD0047, "header word", arg->at, fh_hex(arg->raw),
                 fh_dec_after("a pointer behind word ", model->headers_end - 1, ""));
    }
}

static void check_header(hmd_check *check, uint32_t i, const use *uses)
{
    const hmd_model *model = check->model;
    const hmd_header *header = &model->headers[i];
    if (!header->is_used) {
        hmd_tell(check, HMD0044, "primitive header", header->off,
                 fh_dec_after("header ", i, ", used by none"), fh_nothing());
    }
    if (uses->is_used) {
        check->record = &model->records[uses->record];
        check->primitive = &model->primitives[check->record->primitive];
        check->block = check->primitive->block;
    }
    check_length(check, i, uses);
    for (uint32_t k = 0; k < header->num_words && hmd_spend(check, 1); k++) {
        const hmd_arg arg = hmd_arg_of(model, i, k);
        if (is_programs(model, uses, k)) {
            continue;
        }
        const wish is = is_appended(model, i, uses, k) ? ((wish){0}) : wish_of(uses, k);
        check_flag(check, &arg, is);
        check_target(check, &arg, is);
    }
    hmd_clear_place(check);
}

void hmd_check_headers(hmd_check *check)
{
    const hmd_model *model = check->model;
    const size_t mark = fh_arena_mark(check->arena);
    use *uses = hmd_table(check, model->num_headers, sizeof *uses);
    if (uses == NULL) {
        return;
    }
    hmd_for_each_record(check, add_use, uses);
    for (uint32_t i = 0; i < model->num_headers && hmd_spend(check, 1); i++) {
        check_header(check, i, &uses[i]);
    }
    fh_arena_reset(check->arena, mark);
}
