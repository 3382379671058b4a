#include "replay_gltf.h"

#include "hunt/exam.h"
#include "source/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void fh_replay_gltf_choose(fh_replay_gltf *to, const char *output)
{
    const char *dot = output == NULL ? NULL : strrchr(output, '.');
    to->is_binary = dot != NULL && strcasecmp(dot, ".glb") == 0;
    to->is_wanted = to->is_binary || (dot != NULL && strcasecmp(dot, ".gltf") == 0);
}

fh_exit fh_replay_gltf_check(const fh_replay_gltf *to, const fh_format *format,
                             const fh_replay_options *options)
{
    if (to->models != NULL && !to->is_wanted) {
        return fh_usage_error("replay", "--tmd is for models in glTF: name an output that ends in "
                                        ".glb or .gltf");
    }
    if (to->is_wanted && (options->changes_only || options->world)) {
        return fh_usage_error("replay", "%s does not go with glTF, which has both by itself",
                              options->world ? "--world" : "--changes");
    }
    if (to->models != NULL && format != NULL && format->scene->models == NULL) {
        return fh_usage_error("replay", "--tmd does not go with %s, which names no such models",
                              format->name);
    }
    return FH_EXIT_OK;
}

/* Nothing is written then: see is_lost. */
static fh_exit lose(fh_replay_gltf *to)
{
    to->is_lost = true;
    return FH_EXIT_LIMIT;
}

/* Makes the writer when it is needed first. What one that came later has missed is lost. */
static fh_exit open_writer(fh_replay_gltf *to)
{
    if (to->is_lost) {
        return FH_EXIT_LIMIT;
    }
    if (to->writer == NULL) {
        to->writer = fh_gltf_open();
    }
    if (to->writer == NULL) {
        fh_complain("out of memory");
        return lose(to);
    }
    return FH_EXIT_OK;
}

void fh_replay_gltf_note(fh_replay_gltf *to, const fh_finding *finding)
{
    if (to->is_wanted && open_writer(to) == FH_EXIT_OK) {
        fh_gltf_finding(to->writer, finding);
    }
}

fh_exit fh_replay_gltf_begin(fh_replay_gltf *to, const fh_scene *scene,
                             const fh_gltf_header *header, fh_sink *sink,
                             fh_replay_options *options)
{
    const fh_exit exit = open_writer(to);
    if (exit == FH_EXIT_OK) {
        fh_gltf_begin(to->writer, scene, header);
        *sink = fh_gltf_sink(to->writer);
        options->world = scene->wants_world;
    }
    return exit;
}

/* Runs one of the two descriptions, with an arena and a budget for the bytes that it reads. */
typedef struct description {
    const fh_scene *scene;
    const void *model; /* NULL: the file of models is told */
    const fh_replay_options *options;
    fh_cursor models;
    const char *why;
    uint64_t at;
} description;

static fh_status describe(description *of, fh_gltf *writer, size_t len)
{
    const fh_scene_sink out = fh_gltf_scene_sink(writer);
    const size_t arena_len = fh_arena_len(len);
    uint8_t *block = malloc(arena_len);
    if (block == NULL) {
        return FH_NO_MEMORY;
    }
    fh_arena arena = fh_arena_make(block, arena_len);
    fh_budget budget = fh_budget_for(len, 0);
    const fh_env env = {&arena, &budget, NULL};
    const fh_status status =
        of->model != NULL ? of->scene->describe(&env, &out, of->model, of->options)
                          : of->scene->models->describe(&env, &out, of->models, &of->why, &of->at);
    free(block);
    return status;
}

/* The file says itself that something is missing in it. */
static fh_exit say_cut(fh_replay_gltf *to)
{
    const fh_scene_sink out = fh_gltf_scene_sink(to->writer);
    out.remark(out.user, "a limit was met: not all that there is to see is shown");
    return FH_EXIT_LIMIT;
}

static fh_exit tell_models(fh_replay_gltf *to, const fh_scene *scene, const fh_file *file)
{
    description of = {.scene = scene, .models = fh_file_cursor(file)};
    const fh_status status = describe(&of, to->writer, file->len);
    if (status == FH_OK) {
        return FH_EXIT_OK;
    }
    if (status == FH_LIMIT || status == FH_NO_MEMORY) {
        fh_complain("%s: stopped: %s", fh_safe_path(to->models), fh_status_name(status));
        return status == FH_LIMIT ? say_cut(to) : lose(to);
    }
    fh_complain("%s is %s %s: at 0x%04llx %s", fh_safe_path(to->models),
                status == FH_CORRUPT ? "not quite" : "no", scene->models->title,
                (unsigned long long)of.at, of.why);
    return FH_EXIT_FINDINGS;
}

static fh_exit load_models(fh_replay_gltf *to, fh_file *file)
{
    const fh_load_status status = fh_file_load(file, to->models, &fh_interrupt);
    const char *path = fh_safe_path(to->models);
    switch (status) {
    case FH_LOAD_OK:
        return FH_EXIT_OK;
    case FH_LOAD_ERROR:
        fh_complain("cannot read %s: %s; check the name and the permissions", path, file->error);
        return FH_EXIT_IO;
    case FH_LOAD_TOO_LONG:
        fh_complain("cannot read %s: it is longer than any animation", path);
        return FH_EXIT_IO;
    default:
        fh_complain("%s: %s", path, status == FH_LOAD_STOPPED ? "interrupted" : "out of memory");
        return lose(to);
    }
}

static fh_exit read_models(fh_replay_gltf *to, const fh_scene *scene)
{
    fh_file file = {0};
    if (to->models == NULL) {
        return FH_EXIT_OK;
    }
    fh_exit exit = load_models(to, &file);
    if (exit == FH_EXIT_OK) {
        exit = tell_models(to, scene, &file);
    }
    fh_file_free(&file);
    return exit;
}

static fh_exit read_scene(fh_replay_gltf *to, description *of, size_t len)
{
    const fh_status status = describe(of, to->writer, len);
    if (status == FH_OK || status == FH_LIMIT) {
        return status == FH_OK ? FH_EXIT_OK : say_cut(to);
    }
    fh_complain("what there is to see could not be read: %s", fh_status_name(status));
    return lose(to);
}

fh_exit fh_replay_gltf_end(fh_replay_gltf *to, int *error, const void *model, size_t len,
                           const fh_replay_options *options, FILE *file)
{
    const fh_scene *scene = fh_gltf_scene(to->writer);
    description of = {.scene = scene, .model = model, .options = options};
    fh_exit exit = read_scene(to, &of, len);
    exit = fh_worst(exit, to->is_lost ? FH_EXIT_OK : read_models(to, scene));
    if (to->is_lost) {
        return exit;
    }
    *error = fh_gltf_write(to->writer, file, to->is_binary);
    for (size_t i = 0; fh_gltf_remark(to->writer, i) != NULL; i++) {
        fh_complain("glTF: %s", fh_gltf_remark(to->writer, i));
    }
    return fh_gltf_is_cut(to->writer) ? fh_worst(exit, FH_EXIT_LIMIT) : exit;
}

void fh_replay_gltf_close(fh_replay_gltf *to)
{
    fh_gltf_close(to->writer);
    to->writer = NULL;
}
