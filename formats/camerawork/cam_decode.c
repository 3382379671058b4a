#include "camerawork/cam_decode.h"

#include "camerawork/cam_check_text.h"
#include "camerawork/cam_check_values.h"
#include "camerawork/cam_walk.h"

#include <assert.h>

typedef struct decode {
    cam_walk walk;
    cam_text_check check;
    fh_reporter reporter;
    cam_model *model;
    const fh_env *env;
    bool is_limit;
    bool is_last_plain; /* the last number of the last row is in the program's form */
} decode;

/* Room for the rows of the shortest kind. */
static fh_status make_model(decode *run, fh_cursor bytes, bool is_joined)
{
    const size_t most = bytes.size / CAM_LEAST_ROW_LEN + 1 + (is_joined ? CAM_MOST_MISSING : 0);
    run->model = fh_arena_alloc(run->env->arena, 1, sizeof *run->model);
    if (run->model == NULL) {
        return FH_NO_MEMORY;
    }
    run->model->rows = fh_arena_alloc(run->env->arena, most, sizeof *run->model->rows);
    return run->model->rows == NULL ? FH_NO_MEMORY : FH_OK;
}

/* Puts empty rows where some are missing. */
static void add_missing(decode *run)
{
    const cam_row *row = &run->walk.line.row;
    cam_model *model = run->model;
    if (model->num_rows == 0) {
        return;
    }
    const int32_t first = model->rows[model->num_rows - 1].index + 1;
    if (first < row->index) {
        cam_check_missing(&run->check, &run->walk.line, first);
    }
    for (int32_t index = first; index < row->index; index++) {
        model->rows[model->num_rows++] = (cam_row){.off = row->off,
                                                   .line = row->line,
                                                   .index = index,
                                                   .not_finite = ((uint32_t)1 << CAM_VALUES) - 1,
                                                   .is_missing = true};
    }
}

static void read_rows(decode *run)
{
    cam_walk *walk = &run->walk;
    cam_model *model = run->model;
    for (;;) {
        const cam_step step = cam_walk_step(walk);
        if (step != CAM_STEP_ROW && step != CAM_STEP_BAD) {
            return;
        }
        if (step == CAM_STEP_ROW) {
            add_missing(run);
            assert(walk->num_rows <= walk->text.scan.cur.size / CAM_LEAST_ROW_LEN + 1);
            model->rows[model->num_rows++] = walk->line.row;
            run->is_last_plain = walk->line.columns[CAM_COLUMNS - 1].is_plain;
        }
        cam_check_line(&run->check, &walk->line);
    }
}

static bool is_spent(decode *run)
{
    if (run->walk.line.ends != CAM_ENDS_LIMIT && !run->check.rest.is_spent) {
        return false;
    }
    if (!run->is_limit) {
        cam_check_limit(&run->check, &run->walk.line);
    }
    run->is_limit = true;
    return true;
}

/* Goes on behind a line; false where there is nothing to go on with. */
static bool go_on(decode *run)
{
    const cam_line_end ends = run->walk.line.ends;
    if (is_spent(run)) {
        return false;
    }
    if (ends == CAM_ENDS_CONTROL || ends == CAM_ENDS_HIGH || ends == CAM_ENDS_LONG) {
        if (!cam_check_stop(&run->check, &run->walk.line)) {
            return false;
        }
        cam_text_skip(&run->walk.text);
    }
    return true;
}

/* Judges what else is in a file, line by line. */
static void read_rest(decode *run)
{
    cam_walk *walk = &run->walk;
    bool goes_on = go_on(run);
    while (goes_on && !cam_text_at_end(&walk->text)) {
        cam_text_line(&walk->text, &walk->line);
        cam_check_line(&run->check, &walk->line);
        goes_on = go_on(run);
    }
    if (goes_on) {
        cam_check_half(&run->check, &walk->line);
    }
}

static void judge_end(decode *run, bool is_enough, bool stand_alone)
{
    const cam_walk *walk = &run->walk;
    const bool is_cut = walk->has_line && walk->has_tail && is_enough && !stand_alone;
    if (is_spent(run)) {
        return; /* half the work may find what is not there */
    }
    if (walk->text.line == 0) {
        cam_check_nothing(&run->check);
    }
    if (!stand_alone && walk->num_rows > 0) {
        const bool has_cut_line = is_cut && !cam_line_has_end(&walk->line);
        cam_check_fragment(&run->check, walk->first_index, walk->next_index - 1,
                           has_cut_line ? &walk->line : NULL);
    }
    if (is_cut) {
        cam_check_tail(&run->check, &walk->line);
    } else if (walk->has_line && (stand_alone || !is_enough)) {
        cam_check_line(&run->check, &walk->line);
    }
    if (stand_alone || !is_enough) {
        read_rest(run);
    }
    (void)is_spent(run);
}

/* A row without a line end is whole only where a file ends, and if its last number looks it. */
static bool is_last_whole(const decode *run)
{
    const cam_text_check *check = &run->check;
    return !run->walk.is_open || ((check->stand_alone || check->ends_file) && run->is_last_plain);
}

static bool is_whole(const decode *run)
{
    const cam_walk *walk = &run->walk;
    return walk->first_index == 0 && !walk->has_tail && walk->num_missing == 0 &&
           !fh_reporter_has_errors(&run->reporter) && is_last_whole(run);
}

static uint32_t count_objects(const cam_model *model)
{
    bool has_camera = false;
    bool has_anchor = false;
    for (uint32_t i = 0; i < model->num_rows; i++) {
        has_camera = has_camera || model->rows[i].is_key;
        has_anchor = has_anchor || model->rows[i].is_anchor_key;
    }
    return (has_camera ? 1u : 0u) + (has_anchor ? 1u : 0u);
}

static void fill_asset(fh_asset *asset, const decode *run, bool is_enough)
{
    asset->length = run->walk.end;
    asset->frames = run->model->num_rows;
    asset->objects = count_objects(run->model);
    asset->evidence_bits = run->walk.evidence;
    if (is_enough) {
        asset->grade = is_whole(run) ? FH_GRADE_REFERENCES : FH_GRADE_STRUCTURE;
    }
}

static fh_status status_of(const decode *run, bool is_enough)
{
    if (run->is_limit) {
        return FH_LIMIT;
    }
    if (is_enough) {
        return FH_OK;
    }
    return run->walk.num_rows == 0 ? FH_NOT_THIS_FORMAT : FH_CORRUPT;
}

fh_status cam_verify(fh_asset *asset, const void **model, const fh_env *env, fh_cursor bytes,
                     const fh_verify_options *options)
{
    decode run = {.env = env};
    *asset = (fh_asset){.grade = FH_GRADE_CANDIDATE, .ram_address = FH_UNKNOWN};
    *model = NULL;
    fh_status status =
        fh_reporter_open(&run.reporter, env->arena, env->sink, cam_rules, CAM_NUM_RULES);
    if (status == FH_OK) {
        status = make_model(&run, bytes, options->is_joined);
    }
    if (status != FH_OK) {
        return status;
    }
    cam_walk_begin(&run.walk, bytes, true, env->budget);
    run.walk.is_joined = options->is_joined;
    run.walk.is_named = options->stand_alone;
    run.check = (cam_text_check){.text = &run.walk.text,
                                 .is_joined = options->is_joined,
                                 .reporter = &run.reporter,
                                 .stand_alone = options->stand_alone,
                                 .ends_file = options->ends_file};
    read_rows(&run);
    const bool is_enough = cam_walk_is_enough(&run.walk);
    judge_end(&run, is_enough, options->stand_alone);
    if (!run.is_limit) { /* it counts what is in all of it */
        cam_check_whole(&run.check);
    }
    run.model->bytes = fh_cursor_sub(&bytes, 0, run.walk.end);
    run.model->encoding = run.walk.text.scan.encoding;
    cam_check check = {run.model, &run.reporter, env->budget};
    if (is_enough && !cam_check_values(&check)) {
        run.is_limit = true;
    }
    fill_asset(asset, &run, is_enough);
    status = status_of(&run, is_enough);
    *model = is_enough && !run.is_limit ? run.model : NULL;
    fh_reporter_close(&run.reporter);
    return status;
}
