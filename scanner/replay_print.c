/* What framehound replay has replayed, printed in the form that was asked for. */
#include "replay.h"

#include "asset_load.h"
#include "hunt/exam.h"
#include "new_file.h"
#include "overwrites.h"
#include "reports/out.h"
#include "reports/pose_writer.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* Two receivers behind one sink: poses go to the writer, findings to the teller. */
typedef struct two_receivers {
    fh_replay_teller teller;
    fh_sink poses;
} two_receivers;

static void pass_finding(void *user, const fh_finding *finding)
{
    fh_replay_tell(&((two_receivers *)user)->teller, finding);
}

static void pass_frame(void *user, const fh_pose_frame *frame)
{
    const fh_sink *poses = &((two_receivers *)user)->poses;
    poses->frame(poses->user, frame);
}

static void pass_row(void *user, const fh_pose_row *row)
{
    const fh_sink *poses = &((two_receivers *)user)->poses;
    poses->pose(poses->user, row);
}

static fh_exit fail_to_write(const fh_replay_run *run, int error)
{
    if (run->output == NULL) {
        return fh_flush_stdout(error);
    }
    fh_complain("cannot write %s: %s; make room or write elsewhere", fh_safe_path(run->output),
                strerror(error));
    return fh_io_exit();
}

/* Runs the replay; findings are told, poses go to their sink. */
static fh_status run_replay(fh_replay_run *run, fh_replayed *loaded, const char *path,
                            const fh_replay_options *options, fh_sink poses,
                            fh_replay_result *result)
{
    assert(loaded->format != NULL && loaded->model != NULL); /* decode has seen to that */
    two_receivers receivers = {{run, path, false, false}, poses};
    const fh_sink sink = {&receivers, pass_finding, pass_frame, pass_row};
    fh_budget budget = fh_budget_for(loaded->file.len + run->before_len, run->options.num_slots);
    const fh_env env = {&loaded->arena, &budget, &sink};
    return loaded->format->replay(result, &env, loaded->model, options);
}

/* What became of the replay, and of writing it. */
static fh_exit conclude(fh_replay_run *run, const char *path, fh_status status,
                        const fh_replay_result *result, int error)
{
    run->is_printed = error == 0 && (status == FH_OK || status == FH_LIMIT);
    if (status != FH_OK || result->state == FH_REPLAY_STOPPED) {
        fh_complain("%s: replay stopped: %s", fh_safe_path(path),
                    status != FH_OK ? fh_status_name(status) : "limit");
        return FH_EXIT_LIMIT;
    }
    if (result->state == FH_REPLAY_BROKEN) {
        fh_complain("%s: the player cannot go on; the finding above says why", fh_safe_path(path));
        run->exit = fh_worst(run->exit, FH_EXIT_FINDINGS);
    }
    if (result->state == FH_REPLAY_ASSUMED) {
        fh_complain("%s continues another file: its objects are assumed to begin with the "
                    "identity and scale 1.0; give that file with --after",
                    fh_safe_path(path));
    }
    return error != 0 ? fail_to_write(run, error) : run->exit;
}

static fh_exit print_poses(fh_replay_run *run, fh_replayed *loaded, const char *path, FILE *out)
{
    fh_pose_writer writer;
    fh_replay_result result;
    const fh_pose_header header = {path, loaded->format->name,
                                   fh_replay_evaluator(loaded->format, run->options.profile)};
    fh_pose_writer_begin(&writer, out, run->form, &header);
    const fh_status status =
        run_replay(run, loaded, path, &run->options, fh_pose_writer_sink(&writer), &result);
    return conclude(run, path, status, &result, fh_pose_writer_end(&writer));
}

/* A picture shows where things are in the world, if that is known. */
static fh_exit print_svg(fh_replay_run *run, fh_replayed *loaded, const char *path, FILE *out)
{
    fh_replay_result result;
    fh_replay_options options = run->options;
    const fh_companion_kind *kind = loaded->format->companion;
    options.world =
        loaded->format->has_world && (kind == NULL || !kind->makes_world || loaded->has_companion);
    fh_svg_head(run->svg, path, loaded->format->name,
                fh_replay_evaluator(loaded->format, options.profile));
    const fh_status status =
        run_replay(run, loaded, path, &options, fh_svg_sink(run->svg), &result);
    return conclude(run, path, status, &result, fh_svg_write(run->svg, out));
}

static fh_exit print_gltf(fh_replay_run *run, fh_replayed *loaded, const char *path, FILE *out)
{
    fh_sink poses;
    fh_replay_result result;
    fh_replay_options options = run->options;
    int error = 0;
    const fh_gltf_header header = {loaded->source != NULL ? loaded->source : path,
                                   loaded->format->name,
                                   fh_replay_evaluator(loaded->format, options.profile),
                                   loaded->raw_offset,
                                   loaded->lba,
                                   (int64_t)loaded->asset.length};
    fh_exit exit =
        fh_replay_gltf_begin(&run->gltf, loaded->format->scene, &header, &poses, &options);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    const fh_status status = run_replay(run, loaded, path, &options, poses, &result);
    exit = fh_replay_gltf_end(&run->gltf, &error, loaded->model, loaded->file.len + run->before_len,
                              &options, out);
    if (run->gltf.is_lost) {
        return exit;
    }
    return fh_worst(exit, conclude(run, path, status, &result, error));
}

static void write_piece(void *user, const char *text, size_t len)
{
    fh_out_bytes(user, text, len);
}

static fh_exit print_canonical(fh_replay_run *run, fh_replayed *loaded, const char *path,
                               FILE *file)
{
    fh_out out = fh_out_make(file);
    const fh_text_sink sink = {&out, write_piece};
    fh_budget budget = fh_budget_for(loaded->file.len, 0);
    const fh_env env = {&loaded->arena, &budget, NULL};
    assert(loaded->format != NULL); /* fh_replay_check has seen to it */
    const fh_status status = loaded->format->canonical(&env, &sink, loaded->model);
    const int error = fh_out_end(&out);
    if (status == FH_UNSUPPORTED) {
        return fh_replay_refuse(
            path, "a name in UTF-16 is no sound text, or takes more than the 255 bytes "
                  "that a name may have in UTF-8");
    }
    if (status != FH_OK) {
        fh_complain("%s: stopped: %s", fh_safe_path(path), fh_status_name(status));
        return FH_EXIT_LIMIT;
    }
    run->is_printed = error == 0;
    return error != 0 ? fail_to_write(run, error) : run->exit;
}

/* What is asked for: poses, or the text. */
static fh_exit print_loaded(fh_replay_run *run, fh_replayed *loaded, const char *path, FILE *out)
{
    if (run->is_svg) {
        return print_svg(run, loaded, path, out);
    }
    if (run->gltf.is_wanted) {
        return print_gltf(run, loaded, path, out);
    }
    return run->is_canonical ? print_canonical(run, loaded, path, out)
                             : print_poses(run, loaded, path, out);
}

/* ---- where it goes ---- */

/* The output must not be written over what is read: the file, the source of SOURCE@ADDRESS, the
 * database of DB:ID and the source that it names, or a file that is replayed first. */
static bool is_input(const fh_replay_run *run, const char *argument, const fh_replayed *loaded)
{
    char database[PATH_MAX];
    bool is_read = fh_same_file(run->output, argument) || fh_beside_is(&run->beside, run->output);
    is_read = is_read || (run->gltf.models != NULL && fh_same_file(run->output, run->gltf.models));
    is_read = is_read || fh_overwrites_aimed(run->output, "replay", argument);
    if (fh_asset_split(argument, database, sizeof database) != NULL) {
        is_read = is_read || fh_same_file(run->output, database) ||
                  fh_overwrites_source(run->output, loaded->source);
    }
    for (size_t i = 0; i < run->options.num_before; i++) {
        is_read = is_read || fh_same_file(run->output, run->before_paths[i]);
    }
    return is_read;
}

fh_exit fh_replay_print(fh_replay_run *run, fh_replayed *loaded, const char *path)
{
    if (run->output == NULL) {
        return fh_worst(print_loaded(run, loaded, path, stdout), fh_flush_stdout(0));
    }
    if (is_input(run, path, loaded)) {
        return fh_usage_error("replay", "--output %s would write over what is read; name another",
                              fh_safe_path(run->output));
    }
    fh_new_file file;
    int error = fh_new_file_begin_any(&file, run->output, 0666);
    if (error != 0) {
        return fail_to_write(run, error);
    }
    const fh_exit exit = print_loaded(run, loaded, path, file.file);
    if (!run->is_printed) {
        fh_new_file_drop(&file);
        return exit;
    }
    error = fh_new_file_commit(&file);
    return error == 0 ? exit : fh_worst(exit, fail_to_write(run, error));
}
