#include "hmd/hmd_decode.h"

#include "core/never.h"
#include "hmd/hmd_build.h"
#include "hmd/hmd_checks.h"
#include "hmd/hmd_probe.h"
#include "hmd/hmd_reach.h"

#include <string.h>

static void check_all(hmd_check *check, fh_cursor bytes, const fh_verify_options *options)
{
    static void (*const checks[])(hmd_check *) = {
        hmd_check_front,    hmd_check_headers, hmd_check_records,   hmd_check_refs,
        hmd_check_polygons, hmd_check_images,  hmd_check_mime,      hmd_check_ground,
        hmd_check_envmap,   hmd_check_devices, hmd_check_animation, hmd_check_memory};
    const size_t len = (size_t)check->model->end * HMD_WORD_LEN;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0] && !check->stopped; i++) {
        checks[i](check);
        hmd_clear_place(check);
    }
    fh_cursor rest = fh_cursor_sub(&bytes, len, options->stand_alone ? bytes.size - len : 0);
    hmd_check_coverage(check, rest);
    hmd_clear_place(check);
}

static fh_status limit(const hmd_check *check)
{
    if (check->no_memory) {
        return FH_NO_MEMORY;
    }
    hmd_tell_stop(check, HMD0297, "work budget", 0);
    return FH_LIMIT;
}

/* What lies behind the end is not the asset's, though a range that no asset can hold goes on there.
 */
static void keep_own_words(hmd_model *model)
{
    if (!model->has_endless) {
        return;
    }
    const uint32_t num = model->end < model->num_words ? model->end : model->num_words;
    model->bytes = fh_cursor_sub(&model->bytes, 0, (size_t)num * HMD_WORD_LEN);
    model->num_words = num;
}

static fh_status decode(fh_asset *asset, const void **out, hmd_check *check, fh_cursor bytes,
                        const fh_verify_options *options)
{
    hmd_model *model = check->model;
    const bool holds = hmd_build(check);
    asset->evidence_bits = check->evidence;
    asset->objects = model->num_units;
    if (holds) { /* whatever stops the work from here on */
        asset->grade = FH_GRADE_STRUCTURE;
        asset->length = (size_t)model->num_words * HMD_WORD_LEN;
    }
    asset->ram_address = hmd_ram_address(model);
    if (check->stopped || check->no_memory) {
        return limit(check);
    }
    if (model->headers != NULL) {
        hmd_reach_end(check);
        hmd_reach_padding(check,
                          options->stand_alone || options->ends_file ? FH_END_FILE : FH_END_STREAM);
        asset->length = check->stopped ? asset->length : (size_t)model->end * HMD_WORD_LEN;
        keep_own_words(model);
        hmd_reach_owners(check);
    }
    if (model->owner != NULL && !check->stopped && !check->no_memory) {
        check_all(check, bytes, options);
    }
    asset->in_memory = model->in_memory;
    if (check->stopped || check->no_memory) {
        return limit(check);
    }
    if (!holds) {
        return check->fault_status;
    }
    *out = model;
    asset->grade =
        fh_reporter_has_errors(check->reporter) ? FH_GRADE_STRUCTURE : FH_GRADE_REFERENCES;
    return FH_OK;
}

fh_status hmd_verify(fh_asset *asset, const void **model, const fh_env *env, fh_cursor bytes,
                     const fh_verify_options *options)
{
    fh_reporter reporter;
    *asset =
        (fh_asset){.grade = FH_GRADE_CANDIDATE, .frames = FH_UNKNOWN, .ram_address = FH_UNKNOWN};
    *model = NULL;
    hmd_model *table = fh_arena_alloc(env->arena, 1, sizeof *table);
    if (table == NULL) {
        return FH_NO_MEMORY;
    }
    *table = hmd_open(bytes);
    fh_status status = fh_reporter_open(&reporter, env->arena, env->sink, hmd_rules, HMD_NUM_RULES);
    if (status != FH_OK) {
        return status;
    }
    const uint64_t most = FH_LOOK_BUDGET_FLOOR + FH_LOOK_BUDGET_PER_BYTE * (uint64_t)bytes.size;
    const uint64_t given = env->budget->left < most ? env->budget->left : most;
    fh_budget look = {given};
    hmd_check check = hmd_check_make(table, &reporter, &look, env->arena);
    status = decode(asset, model, &check, bytes, options);
    const bool is_paid = fh_pay(env->budget, given - look.left);
    if (NEVER(!is_paid)) { /* no more is given than there is */
        status = FH_INTERNAL;
    }
    fh_reporter_close(&reporter);
    return status;
}
