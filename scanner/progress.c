#include "progress.h"

#include "reports/escape.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Seconds before the first line, and between two. */
static const double first_after = 1.0;
static const double interval = 0.2;

bool fh_progress_parse(fh_progress_mode *out, const char *name)
{
    static const char *const names[] = {"auto", "always", "never", "json"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(name, names[i]) == 0) {
            *out = (fh_progress_mode)i;
            return true;
        }
    }
    return false;
}

void fh_progress_begin(fh_progress *progress, fh_progress_mode mode, const char *path)
{
    if (mode == FH_PROGRESS_AUTO && !isatty(STDERR_FILENO)) {
        mode = FH_PROGRESS_NEVER;
    }
    *progress = (fh_progress){.mode = mode, .path = path};
    progress->last_shown = mode == FH_PROGRESS_AUTO ? first_after - interval : -interval;
    (void)clock_gettime(CLOCK_MONOTONIC, &progress->start);
}

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + 1e-9 * (double)(now.tv_nsec - start->tv_nsec);
}

static void show_json(const fh_progress *progress, const fh_hunt_progress *state, double rate)
{
    fh_out out = fh_out_make(stderr);
    fh_out_str(&out, "{\"type\": \"progress\", \"path\": ");
    fh_escape_json(&out, progress->path);
    fh_out_fmt(&out, ", \"bytes\": %lld, \"size\": ", (long long)state->bytes);
    if (state->size == FH_UNKNOWN) {
        fh_out_str(&out, "null");
    } else {
        fh_out_fmt(&out, "%lld", (long long)state->size);
    }
    fh_out_fmt(&out, ", \"bytes_per_second\": %lld, \"assets\": %lld}\n", (long long)rate,
               (long long)state->assets);
    if (fh_out_end(&out) != 0) {
        clearerr(stderr); /* progress that cannot be told is no reason to stop */
    }
}

static void show_line(const fh_progress *progress, const fh_hunt_progress *state, double rate)
{
    const double mib = 1024.0 * 1024.0;
    char name[64];
    fh_text text = fh_text_make(name, sizeof name);
    fh_escape_into(&text, progress->path);
    (void)fprintf(stderr, "\r\033[K%s  %.1f", name, (double)state->bytes / mib);
    if (state->size != FH_UNKNOWN && state->size > 0) {
        (void)fprintf(stderr, " of %.1f MiB, %.0f %%", (double)state->size / mib,
                      100.0 * (double)state->bytes / (double)state->size);
    } else {
        (void)fputs(" MiB", stderr);
    }
    (void)fprintf(stderr, ", %.0f MiB/s", rate / mib);
    if (state->size != FH_UNKNOWN && rate > 0 && state->size >= state->bytes) {
        const long left = (long)((double)(state->size - state->bytes) / rate);
        (void)fprintf(stderr, ", %ld:%02ld left", left / 60, left % 60);
    }
    (void)fprintf(stderr, ", %lld found", (long long)state->assets);
    (void)fflush(stderr);
}

void fh_progress_show(fh_progress *progress, const fh_hunt_progress *state)
{
    if (progress->mode == FH_PROGRESS_NEVER) {
        return;
    }
    const double now = seconds_since(&progress->start);
    if (now - progress->last_shown < interval) {
        return;
    }
    progress->last_shown = now;
    const double rate = now > 0 ? (double)state->bytes / now : 0;
    if (progress->mode == FH_PROGRESS_JSON) {
        show_json(progress, state, rate);
    } else {
        show_line(progress, state, rate);
        progress->is_shown = true;
    }
}

void fh_progress_wipe(fh_progress *progress)
{
    if (progress->is_shown) {
        (void)fputs("\r\033[K", stderr);
        (void)fflush(stderr);
        progress->is_shown = false;
    }
}
