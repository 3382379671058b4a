#include "hmd/hmd_reach.h"

#include "hmd/hmd_build.h"

#include <assert.h>

/* ---- end --------------------------------------------------------------------------------------
 */

/* Whatever lies inside the bytes and is referred to is part of the asset, also the inner part of a
 * range that leaves them. */
static void extend(hmd_check *check, uint64_t first, uint64_t num)
{
    hmd_model *model = check->model;
    const uint64_t end = first + num;
    (void)hmd_need(check, first, num);
    if (first > model->num_words) {
        return;
    }
    const uint32_t inside = end < model->num_words ? (uint32_t)end : model->num_words;
    model->end = inside > model->end ? inside : model->end;
}

static void extend_by_ref(hmd_check *check, const hmd_ref *ref, void *user)
{
    (void)user;
    extend(check, ref->first, ref->num);
}

static void extend_by_record(hmd_check *check, void *user)
{
    hmd_refs_of(check, extend_by_ref, user);
}

/* A section begins where a header points, even if nothing of it is used. */
static void extend_by_headers(hmd_check *check)
{
    const hmd_model *model = check->model;
    for (uint32_t i = 0; i < model->num_headers; i++) {
        for (uint32_t k = 0; k < model->headers[i].num_words && hmd_spend(check, 1); k++) {
            const hmd_arg arg = hmd_arg_of(model, i, k);
            if (arg.is_pointer && arg.off != HMD_NONE) {
                extend(check, arg.off, 0);
            }
        }
    }
}

void hmd_reach_end(hmd_check *check)
{
    hmd_model *model = check->model;
    extend(check, 0, model->headers_end);
    for (uint32_t i = 0; i < model->num_primitives && hmd_spend(check, 1); i++) {
        extend(check, model->primitives[i].off, HMD_PRIMITIVE_WORDS);
        extend(check, model->primitives[i].end, 0);
    }
    extend_by_headers(check);
    extend(check, model->least_end, 0);
    hmd_for_each_record(check, extend_by_record, NULL);
}

/* ---- owners -----------------------------------------------------------------------------------
 */

static void own(hmd_check *check, uint64_t first, uint64_t num, enum hmd_owner owner)
{
    hmd_model *model = check->model;
    const uint64_t end = first + num < model->end ? first + num : model->end;
    if (!hmd_spend(check, first < end ? (end - first + 7) / 8 : 1)) {
        return;
    }
    for (uint64_t i = first; i < end; i++) {
        if (model->owner[i] == HMD_OWNER_NOBODY) {
            model->owner[i] = (uint8_t)owner;
        }
    }
}

/* Elements are single vertices and normals, which may reach into whatever lies behind their
 * section; all the rest is a range that somebody has to itself. */
static bool is_element(enum hmd_owner owner)
{
    return owner == HMD_OWNER_VERTEX || owner == HMD_OWNER_NORMAL ||
           owner == HMD_OWNER_CALC_VERTEX || owner == HMD_OWNER_CALC_NORMAL;
}

static void own_ref(hmd_check *check, const hmd_ref *ref, void *user)
{
    const bool *elements = user;
    if (is_element(ref->owner) == *elements) {
        own(check, ref->first, ref->num, ref->owner);
    }
}

static void own_record(hmd_check *check, void *user)
{
    hmd_refs_of(check, own_ref, user);
}

static void own_structure(hmd_check *check)
{
    const hmd_model *model = check->model;
    const uint32_t units_end = model->coordinates + 1 + (uint32_t)HMD_UNIT_WORDS * model->num_units;
    own(check, 0, model->coordinates, HMD_OWNER_FRONT);
    own(check, model->coordinates, units_end - model->coordinates, HMD_OWNER_COORDINATE);
    own(check, model->header_section, model->headers_end - model->header_section, HMD_OWNER_HEADER);
    for (uint32_t i = 0; i < model->num_primitives && !check->stopped; i++) {
        const hmd_primitive *primitive = &model->primitives[i];
        own(check, primitive->off, primitive->end - primitive->off, HMD_OWNER_PRIMITIVE);
    }
}

void hmd_reach_owners(hmd_check *check)
{
    hmd_model *model = check->model;
    bool elements = false;
    model->owner = hmd_table(check, model->end, sizeof *model->owner);
    if (model->owner == NULL) {
        return;
    }
    own_structure(check);
    hmd_for_each_record(check, own_record, &elements);
    elements = true;
    hmd_for_each_record(check, own_record, &elements);
}

uint64_t hmd_owned(const hmd_model *model, uint64_t first, uint64_t num, enum hmd_owner owner,
                   uint32_t *where, enum hmd_owner *other)
{
    const uint64_t end = first + num < model->end ? first + num : model->end;
    uint64_t found = 0;
    assert(model->owner != NULL);
    for (uint64_t i = first; i < end; i++) {
        if (model->owner[i] != owner && model->owner[i] != HMD_OWNER_NOBODY && found++ == 0) {
            *where = (uint32_t)i;
            *other = (enum hmd_owner)model->owner[i];
        }
    }
    return found;
}
