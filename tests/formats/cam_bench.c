#include "cam_bench.h"

#include "forge/camerawork.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

forge_buf built(const char *text)
{
    forge_buf out;
    forge_error err = {.kind = FORGE_OK};
    const bool is_good =
        forge_camerawork_text(&out, &err, text, strlen(text), FORGE_CAMERAWORK_LIMIT);
    HOLD(is_good, "line %u: %s\n%s", err.line, err.text, text);
    return out;
}

const fh_format *camerawork(void)
{
    const fh_format *format = fh_format_find("camerawork");
    HOLD(format != NULL, "the format is in the registry");
    return format;
}

const fh_verify_options alone = {.stand_alone = true, .aligned = true};
const fh_verify_options carved = {.aligned = true};
const fh_verify_options at_file_end = {.aligned = true, .ends_file = true};
const fh_verify_options joined = {.aligned = true, .is_joined = true};

void open_cam(bench *b)
{
    bench_open(b);
    b->format = camerawork();
}

static void run_bytes(bench *b, const forge_buf *bytes, double time_step)
{
    const fh_replay_options options = {.time_step = time_step};
    bench_verify(b, bytes->data, bytes->len, alone);
    if (b->model != NULL) {
        bench_replay(b, &options);
        HOLD(b->replay_status == FH_OK, "it can be replayed");
    }
}

void run_text(bench *b, const char *text, double time_step)
{
    forge_buf bytes = built(text);
    run_bytes(b, &bytes, time_step);
    forge_buf_free(&bytes);
}

const pose *row_of(const record *of, const char *table, uint32_t frame)
{
    for (size_t i = 0; i < of->num_poses; i++) {
        if (of->poses[i].frame == frame && strcmp(of->poses[i].table->name, table) == 0) {
            return &of->poses[i];
        }
    }
    return NULL;
}

int64_t bits_at(const record *of, const char *table, uint32_t frame, const char *column)
{
    const pose *row = row_of(of, table, frame);
    HOLD(row != NULL, "no row of %s in frame %u", table, frame);
    for (size_t i = 0; i < row->table->num_columns; i++) {
        if (strcmp(row->table->columns[i].name, column) == 0) {
            return row->values[i];
        }
    }
    cr_fatal("%s has no column %s", table, column);
    return 0;
}

double value_at(const record *of, const char *table, uint32_t frame, const char *column)
{
    const int64_t bits = bits_at(of, table, frame, column);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void vector_at(double out[3], const record *of, uint32_t frame, const char *name)
{
    for (int i = 0; i < 3; i++) {
        char column[32];
        (void)snprintf(column, sizeof column, "%s_%c", name, "xyz"[i]);
        out[i] = value_at(of, "camera", frame, column);
    }
}

void near(double found, double wanted, double most, const char *what, uint32_t frame)
{
    HOLD(fabs(found - wanted) <= most, "%s of frame %u: %.17g, not %.17g", what, frame, found,
         wanted);
}

double random_value(dice *d)
{
    return (double)((int)dice_below(d, 2000001) - 1000000) / 100000;
}

void hold_samples(const sample *samples, size_t num, fh_verify_options options)
{
    bench b;
    open_cam(&b);
    for (size_t i = 0; i < num; i++) {
        char text[1024];
        (void)snprintf(text, sizeof text, "camerawork%s", samples[i].text);
        forge_buf bytes = built(text);
        bench_verify(&b, bytes.data, bytes.len, options);
        HOLD(strcmp(record_codes(&b.verify), samples[i].codes) == 0, "case %zu: %s, not %s", i,
             record_codes(&b.verify), samples[i].codes);
        if (samples[i].code != NULL) {
            const fh_finding *finding = record_find(&b.verify, samples[i].code);
            HOLD(finding != NULL && strcmp(finding->found, samples[i].found) == 0,
                 "case %zu: found '%s'", i, finding->found);
            HOLD(strcmp(finding->expected, samples[i].expected) == 0, "case %zu: expected '%s'", i,
                 finding->expected);
            HOLD(strcmp(finding->context, samples[i].context) == 0, "case %zu: '%s'", i,
                 finding->context);
        }
        forge_buf_free(&bytes);
    }
    bench_close(&b);
}

fh_status play(bench *b, const char *text, double time_step)
{
    char whole[1024];
    (void)snprintf(whole, sizeof whole, "camerawork%s", text);
    forge_buf bytes = built(whole);
    bench_verify(b, bytes.data, bytes.len, alone);
    HOLD(b->model != NULL, "%s", record_codes(&b->verify));
    bench_replay(b, &(fh_replay_options){.time_step = time_step});
    forge_buf_free(&bytes);
    return b->replay_status;
}
