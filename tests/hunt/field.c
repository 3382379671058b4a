#include "field.h"

#include "forge/hmd.h"
#include "forge/tod_text.h"
#include "registry/registry.h"
#include "source/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint8_t *room_for(bytes *to, size_t len)
{
    if (to->max - to->len < len) {
        to->max = 2 * (to->max + len);
        to->data = realloc(to->data, to->max);
        HOLD(to->data != NULL, "the test is out of memory");
    }
    to->len += len;
    return to->data + to->len - len;
}

void put(bytes *to, const void *data, size_t len)
{
    if (len == 0) {
        return;
    }
    memcpy(room_for(to, len), data, len);
}

void put_fill(bytes *to, uint8_t value, size_t len)
{
    if (len > 0) {
        memset(room_for(to, len), value, len);
    }
}

void put_u32(bytes *to, uint32_t word)
{
    uint8_t le[4];
    forge_put_u32(le, word);
    put(to, le, 4);
}

void put_tod(bytes *to, const char *text)
{
    forge_tod tod;
    forge_error err = {.kind = FORGE_OK};
    HOLD(forge_tod_text(&tod, &err, text, strlen(text), FORGE_TOD_LIMIT), "line %u: %s", err.line,
         err.text);
    put(to, tod.out.data, tod.out.len);
    forge_tod_free(&tod);
}

void put_hmd(bytes *to, const char *text)
{
    forge_buf out = {0};
    forge_error err = {.kind = FORGE_OK};
    HOLD(forge_hmd_text(&out, &err, text, strlen(text), FORGE_HMD_LIMIT), "line %u: %s", err.line,
         err.text);
    put(to, out.data, out.len);
    forge_buf_free(&out);
}

void bytes_free(bytes *of)
{
    free(of->data);
    *of = (bytes){0};
}

/* The format under test, with its work counted. */
static field *counting;
static fh_format counted;
static const fh_format *inner;
static const fh_format *const formats[] = {&counted};

static void count_probe(fh_probe *out, fh_cursor cur, fh_end end, fh_memo *memo, fh_arena *arena,
                        fh_budget *budget)
{
    const uint64_t before = budget->left;
    inner->probe(out, cur, end, memo, arena, budget);
    counting->units += before - budget->left;
    counting->num_probes++;
    counting->probe_units += before - budget->left;
}

static fh_status count_verify(fh_asset *asset, const void **model, const fh_env *env, fh_cursor cur,
                              const fh_verify_options *options)
{
    const uint64_t before = env->budget->left;
    counting->examined_bytes += cur.size;
    const fh_status status = inner->verify(asset, model, env, cur, options);
    counting->units += before - env->budget->left;
    return status;
}

static fh_status count_replay(fh_replay_result *result, const fh_env *env, const void *model,
                              const fh_replay_options *options)
{
    const uint64_t before = env->budget->left;
    const fh_status status = inner->replay(result, env, model, options);
    counting->units += before - env->budget->left;
    return status;
}

static bool call(field *f)
{
    f->num_late += f->fail_at >= 0 && f->num_calls > f->fail_at ? 1 : 0;
    return f->num_calls++ != f->fail_at && f->num_late == 0;
}

/* Room for one more, at every power of two for as many again. */
static void *grow(void *list, size_t num, size_t len)
{
    if ((num & (num - 1)) == 0) {
        list = realloc(list, (num == 0 ? 1 : 2 * num) * len);
        HOLD(list != NULL, "the test is out of memory");
    }
    return list;
}

static bool on_asset(void *user, const fh_asset_record *asset, int64_t *handle)
{
    field *f = user;
    f->assets = grow(f->assets, f->num_assets, sizeof *f->assets);
    told_asset *to = &f->assets[f->num_assets];
    *to = (told_asset){
        .raw = asset->raw_offset, .len = asset->length, .has_replay = asset->replay != NULL};
    snprintf(to->grade, sizeof to->grade, "%s", asset->grade);
    *handle = (int64_t)f->num_assets++;
    return call(f);
}

static bool on_finding(void *user, const fh_finding_record *finding)
{
    field *f = user;
    f->findings = grow(f->findings, f->num_findings, sizeof *f->findings);
    told_finding *to = &f->findings[f->num_findings++];
    *to = (told_finding){.severity = finding->severity,
                         .asset = finding->asset,
                         .raw = finding->raw_offset,
                         .offset = finding->asset_offset};
    snprintf(to->code, sizeof to->code, "%s", finding->rule->code);
    snprintf(to->found, sizeof to->found, "%s", finding->found);
    snprintf(to->field, sizeof to->field, "%s", finding->field);
    HOLD(finding->message != NULL && finding->message[0] != '\0', "a finding without a message");
    return call(f);
}

static bool on_stop(void *user)
{
    field *f = user;
    return f->num_polls++ == f->stop_at;
}

void field_open(field *f)
{
    field_open_for(f, "tod");
}

void field_open_for(field *f, const char *format)
{
    *f = (field){.fail_at = -1, .stop_at = -1};
    inner = fh_format_find(format);
    HOLD(inner != NULL, "no format '%s'", format);
    counted = *inner;
    counted.probe = count_probe;
    counted.verify = count_verify;
    counted.replay = count_replay;
    f->options = (fh_hunt_options){
        .formats = formats, .num_formats = 1, .replay = true, .user = f, .stop = on_stop};
}

static void forget(field *f)
{
    free(f->assets);
    free(f->findings);
    f->assets = NULL;
    f->findings = NULL;
    f->num_assets = f->num_findings = 0;
    f->num_calls = f->num_late = f->num_polls = 0;
    f->units = f->examined_bytes = 0;
    f->num_probes = f->probe_units = 0;
}

void field_close(field *f)
{
    forget(f);
    bytes_free(&f->source);
}

void field_hunt_path(field *f, const char *path)
{
    const fh_hunt_sink sink = {f, on_asset, on_finding};
    forget(f);
    counting = f;
    f->status = fh_hunt_run(&f->told, path, &f->options, &sink);
}

void field_hunt_tape(field *f, const fh_tape *tape)
{
    const fh_hunt_sink sink = {f, on_asset, on_finding};
    const fh_stop never = {NULL, NULL};
    fh_reader reader;
    forget(f);
    counting = f;
    HOLD(fh_reader_open_tape(&reader, tape, &never) == FH_READER_OK, "the tape is read");
    f->status = fh_hunt_reader(&f->told, "tape", &reader, &f->options, &sink);
    fh_reader_close(&reader);
}

/* A file without a name: nothing is left behind, however the test ends. */
void field_hunt(field *f)
{
    char path[64];
    const int fd = memfd_create("source", 0);
    HOLD(fd >= 0, "memfd");
    for (size_t done = 0; done < f->source.len;) {
        const ssize_t num = write(fd, f->source.data + done, f->source.len - done);
        HOLD(num > 0, "write");
        done += (size_t)num;
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    field_hunt_path(f, path);
    close(fd);
}

size_t field_count(const field *f, const char *code)
{
    size_t num = 0;
    for (size_t i = 0; i < f->num_findings; i++) {
        num += strcmp(f->findings[i].code, code) == 0 ? 1 : 0;
    }
    return num;
}

const told_finding *field_find(const field *f, const char *code)
{
    for (size_t i = 0; i < f->num_findings; i++) {
        if (strcmp(f->findings[i].code, code) == 0) {
            return &f->findings[i];
        }
    }
    cr_fatal("no finding %s", code);
    return NULL;
}
