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

/* Makes the writer when it is needed first. */
static fh_exit open_writer(fh_replay_gltf *to)
{
    if (to->writer == NULL) {
        to->writer = fh_gltf_open();
    }
    if (to->writer == NULL) {
        fh_complain("out of memory");
        return FH_EXIT_LIMIT;
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

static fh_exit tell_models(fh_replay_gltf *to, const fh_scene *scene, const fh_file *file)
{
    description of = {.scene = scene, .models = fh_file_cursor(file)};
    const fh_status status = describe(&of, to->writer, file->len);
    if (status == FH_OK) {
        return FH_EXIT_OK;
    }
    if (of.why == NULL) {
        fh_complain("%s: stopped: %s", fh_safe_path(to->models), fh_status_name(status));
        return FH_EXIT_LIMIT;
    }
    fh_complain("%s is %s %s: at 0x%04llx %s", fh_safe_path(to->models),
                status == FH_CORRUPT ? "not quite" : "no", scene->models->title,
                (unsigned long long)of.at, of.why);
    return FH_EXIT_FINDINGS;
}

static fh_exit read_models(fh_replay_gltf *to, const fh_scene *scene)
{
    fh_file file = {0};
    if (to->models == NULL) {
        return FH_EXIT_OK;
    }
    const fh_load_status status = fh_file_load(&file, to->models, &fh_interrupt);
    fh_exit exit = FH_EXIT_IO;
    if (status == FH_LOAD_OK) {
        exit = tell_models(to, scene, &file);
    } else if (status == FH_LOAD_ERROR) {
        fh_complain("cannot read %s: %s; check the name and the permissions",
                    fh_safe_path(to->models), file.error);
    } else {
        fh_complain("cannot read %s: it is too long, or there is no memory for it",
                    fh_safe_path(to->models));
    }
    fh_file_free(&file);
    return exit;
}

fh_exit fh_replay_gltf_end(fh_replay_gltf *to, int *error, const void *model, size_t len,
                           const fh_replay_options *options, FILE *file)
{
    const fh_scene *scene = fh_gltf_scene(to->writer);
    description of = {.scene = scene, .model = model, .options = options};
    const fh_status status = describe(&of, to->writer, len);
    fh_exit exit = read_models(to, scene);
    if (status != FH_OK) {
        fh_complain("not all that there is to see could be read: %s", fh_status_name(status));
        exit = fh_worst(exit, FH_EXIT_LIMIT);
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
