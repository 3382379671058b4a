#include "kept_walk.h"

#include <stdlib.h>
#include <string.h>

static bool has_room(fh_kept_walk *kept)
{
    if (kept->num_steps < kept->max_steps) {
        return true;
    }
    const size_t max = kept->max_steps == 0 ? 64 : 2 * kept->max_steps;
    fh_kept_step *steps = realloc(kept->steps, max * sizeof *steps);
    if (steps != NULL) {
        kept->steps = steps;
        kept->max_steps = max;
    }
    return steps != NULL;
}

static bool keep(fh_kept_walk *kept, const char *path, const char *why, bool explicit_name)
{
    fh_kept_step step = {.explicit_name = explicit_name};
    if (has_room(kept)) {
        step.path = strdup(path);
        step.why = why == NULL || step.path == NULL ? NULL : strdup(why);
    }
    if (step.path == NULL || (why != NULL && step.why == NULL)) {
        free(step.path);
        kept->no_memory = true;
        return false;
    }
    kept->steps[kept->num_steps++] = step;
    return true;
}

static bool on_file(void *user, const char *path, bool explicit_name)
{
    return keep(user, path, NULL, explicit_name);
}

/* Without memory the next file ends the walk. */
static void on_error(void *user, const char *path, const char *why)
{
    (void)keep(user, path, why, false);
}

fh_walk_sink fh_kept_walk_sink(fh_kept_walk *kept, const fh_walk_sink *like)
{
    return (fh_walk_sink){.user = kept,
                          .file = on_file,
                          .error = on_error,
                          .num_left_out = like->num_left_out,
                          .skips_git = like->skips_git};
}

bool fh_kept_walk_play(const fh_kept_walk *kept, const fh_walk_sink *sink)
{
    for (size_t i = 0; i < kept->num_steps; i++) {
        const fh_kept_step *step = &kept->steps[i];
        if (step->why != NULL) {
            sink->error(sink->user, step->path, step->why);
        } else if (!sink->file(sink->user, step->path, step->explicit_name)) {
            return false;
        }
    }
    return true;
}

void fh_kept_walk_free(fh_kept_walk *kept)
{
    for (size_t i = 0; i < kept->num_steps; i++) {
        free(kept->steps[i].path);
        free(kept->steps[i].why);
    }
    free(kept->steps);
    *kept = (fh_kept_walk){0};
}
