#include "bench.h"

#include "source/edc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void append(byte_run *to, const void *data, size_t len)
{
    if (to->len + len > to->cap) {
        to->cap = 2 * (to->len + len);
        to->data = realloc(to->data, to->cap);
        cr_assert(ne(ptr, to->data, NULL));
    }
    if (len > 0) {
        memcpy(to->data + to->len, data, len);
        to->len += len;
    }
}

image image_make(void)
{
    return (image){.seed = 1};
}

void image_free(image *img)
{
    free(img->raw.data);
    for (int i = 0; i < FH_STREAM_NUM; i++) {
        free(img->want[i].data);
    }
}

void image_random(byte_run *to, image *img, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        img->seed = img->seed * 1664525u + 1013904223u;
        uint8_t byte = (uint8_t)(img->seed >> 24);
        append(to, &byte, 1);
    }
}

static uint8_t to_bcd(int value)
{
    return (uint8_t)(value / 10 * 16 + value % 10);
}

static void put_header(uint8_t *sector, const spec *at)
{
    memset(sector + 1, 0xff, 10);
    int frames = at->lba + 150;
    sector[12] = to_bcd(frames / 4500);
    sector[13] = to_bcd(frames / 75 % 60);
    sector[14] = at->bad_address ? 0x7a : to_bcd(frames % 75);
    sector[15] = at->mode;
}

static void put_subheader(uint8_t *sector, const spec *at)
{
    uint8_t submode = (uint8_t)((at->form2 ? 0x20 : 0) | (at->audio ? 0x04 : 0x08));
    sector[16 + 2] = submode;
    sector[20 + 2] = submode;
    sector[20] = at->differ ? 0x55 : 0;
}

static void put_edc(uint8_t *sector, const spec *at)
{
    fh_cursor all = fh_cursor_make(sector, 2352, 0);
    size_t off = at->mode == 1 ? 0x810 : at->form2 ? 0x92c : 0x818;
    size_t from = at->mode == 1 ? 0 : 16;
    uint32_t code = fh_edc(&all, from, off - from);
    for (int i = 0; i < 4; i++) {
        sector[off + i] = (uint8_t)(code >> (8 * i));
    }
}

void image_add(image *img, const spec *at)
{
    uint8_t sector[2448] = {0};
    bool mode2 = at->mode == 2 || at->stride == 2336;
    bool xa = mode2 && !at->no_xa;
    size_t off = at->stride == 2048 ? 0 : xa ? 24 : 16;
    size_t len = at->no_xa ? 2336 : xa && at->form2 ? 2324 : 2048;
    size_t before = at->stride == 2336 ? 16 : 0;
    byte_run data = {0};
    image_random(&data, img, len);
    if (at->no_sync) {
        memset(sector, 0x11, sizeof sector);
    } else {
        put_header(sector, at);
    }
    if (xa) {
        put_subheader(sector, at);
    }
    memcpy(sector + off, data.data, len);
    free(data.data);
    if (at->edc) {
        put_edc(sector, at);
    }
    append(&img->raw, sector + before, at->stride);
    if (at->stream == FH_STREAM_RAW) {
        append(&img->want[FH_STREAM_RAW], sector + before, at->stride);
    } else if (at->stream != FH_STREAM_NUM) {
        append(&img->want[at->stream], sector + off, len);
    }
}

void image_run(image *img, spec at, int num)
{
    for (int i = 0; i < num; i++) {
        image_add(img, &at);
        at.lba++;
    }
}

void image_junk(image *img, size_t len, fh_stream stream)
{
    size_t from = img->raw.len;
    image_random(&img->raw, img, len);
    if (len > 0) {
        append(&img->want[stream], img->raw.data + from, len);
    }
}

void image_cut(image *img, size_t len, fh_stream stream, size_t lost)
{
    img->raw.len = len;
    img->want[stream].len -= lost;
}

/* User sectors are overwritten in the raw bytes; the expectation of DATA is then read anew. */
static void overwrite(image *img, size_t raw_off, size_t data_index, const uint8_t *data,
                      size_t len)
{
    memcpy(img->raw.data + raw_off, data, len);
    memcpy(img->want[FH_STREAM_DATA].data + 2048 * data_index, data, len);
}

void image_put_iso(image *img, uint32_t stride, size_t start, size_t data_off, uint32_t block)
{
    uint8_t pvd[2048] = "\1CD001\1";
    pvd[156] = 34;
    pvd[158] = (uint8_t)block;
    pvd[156 + 25] = 2;
    pvd[156 + 32] = 1;
    overwrite(img, start + 16 * stride + data_off, 16, pvd, sizeof pvd);
    uint8_t dir[2048] = {0};
    for (int i = 0; i < 2; i++) {
        dir[34 * i] = 34;
        dir[34 * i + 32] = 1;
        dir[34 * i + 33] = (uint8_t)i;
    }
    overwrite(img, start + block * stride + data_off, block, dir, sizeof dir);
}

/* ---- running ---- */

static int64_t bytes_per_sector(const fh_piece *piece)
{
    static const int64_t per[] = {[FH_STREAM_DATA] = 2048, [FH_STREAM_FORM2] = 2324};
    return piece->len == 2336 ? 2336 : per[piece->stream];
}

static void check_user_off(result *res, const fh_piece *piece)
{
    if (piece->stream == FH_STREAM_RAW) {
        cr_assert(eq(i64, piece->user_off, FH_UNKNOWN));
        return;
    }
    if (piece->stream == FH_STREAM_PLAIN) {
        cr_assert(eq(i64, piece->user_off, piece->raw_off));
        return;
    }
    int64_t index = (piece->raw_off - res->layout.start) / res->layout.stride;
    cr_assert(eq(i64, piece->user_off, index * bytes_per_sector(piece)));
    res->lbas = realloc(res->lbas, ((size_t)index + 1) * sizeof *res->lbas);
    cr_assert(ne(ptr, res->lbas, NULL));
    for (; res->num_lbas < (size_t)index; res->num_lbas++) {
        res->lbas[res->num_lbas] = FH_UNKNOWN;
    }
    res->lbas[res->num_lbas++] = piece->lba;
}

static void on_piece(void *user, const fh_piece *piece)
{
    result *res = user;
    const byte_run *raw = &res->img->raw;
    cr_assert(piece->len > 0);
    cr_assert(piece->raw_off >= 0 && (size_t)piece->raw_off + piece->len <= raw->len);
    cr_assert(memcmp(raw->data + piece->raw_off, piece->bytes, piece->len) == 0);
    byte_run *got = &res->got[piece->stream];
    cr_assert(eq(i64, piece->stream_off, (int64_t)got->len));
    check_user_off(res, piece);
    append(got, piece->bytes, piece->len);
    res->pieces++;
}

static event *next_event(result *res)
{
    cr_assert(res->num_events < BENCH_MAX_EVENTS);
    return &res->events[res->num_events++];
}

static void on_seam(void *user, const fh_seam *seam)
{
    result *res = user;
    cr_assert(eq(i64, seam->stream_off, (int64_t)res->got[seam->stream].len));
    cr_assert(seam->stream_off > 0);
    *next_event(res) = (event){.seam = *seam};
}

static void on_skip(void *user, fh_stream stream, int64_t sectors)
{
    result *res = user;
    cr_assert(sectors > 0);
    *next_event(res) = (event){.is_skip = true, .seam = {.stream = stream}, .skipped = sectors};
}

static void on_finding(void *user, const fh_finding *finding)
{
    result *res = user;
    size_t rule = (size_t)(finding->rule - fh_image_rules.rules);
    cr_assert(rule < FH_IMG_NUM_RULES && !res->found[rule]);
    res->found[rule] = true;
    res->findings[rule] = *finding;
    cr_assert(finding->offset >= 0 && (size_t)finding->offset <= res->img->raw.len);
}

static bool on_stop(void *user)
{
    result *res = user;
    return res->stop_after > 0 && res->pieces >= res->stop_after;
}

static void run(result *res, const char *path, fh_layout_choice choice)
{
    fh_reader reader;
    cr_assert(fh_reader_open(&reader, path, NULL, NULL) == FH_READER_OK, "%s", reader.error_text);
    fh_cursor window = fh_reader_peek(&reader);
    fh_layout_find(&res->layout, choice, &window, fh_reader_size(&reader));
    res->coverage = calloc(1, sizeof *res->coverage);
    fh_stream_sink sink = {.user = res,
                           .piece = on_piece,
                           .seam = on_seam,
                           .skip = on_skip,
                           .finding = on_finding,
                           .stop = on_stop,
                           .coverage = res->coverage};
    res->status = fh_source_stream(&reader, &res->counts, &res->layout, &sink);
    cr_assert(eq(i64, reader.size_read, (int64_t)res->img->raw.len));
    fh_reader_close(&reader);
    fh_coverage_end(res->coverage);
    for (int i = 0; i < FH_STREAM_NUM; i++) {
        const byte_run *want = &res->img->want[i];
        cr_assert(eq(sz, res->got[i].len, want->len), "stream %d", i);
        cr_assert(want->len == 0 || memcmp(res->got[i].data, want->data, want->len) == 0);
        cr_assert(eq(i64, res->counts.bytes[i], (int64_t)want->len));
    }
}

int bench_file(const uint8_t *data, size_t len, char path[64])
{
    int fd = memfd_create("source", 0);
    cr_assert(fd >= 0);
    for (size_t off = 0; off < len;) {
        ssize_t put = write(fd, data + off, len - off);
        cr_assert(put > 0);
        off += (size_t)put;
    }
    snprintf(path, 64, "/proc/self/fd/%d", fd);
    return fd;
}

void bench_feed_stdin(const uint8_t *data, size_t len, size_t step, unsigned pause_us)
{
    int ends[2];
    cr_assert(pipe(ends) == 0);
    pid_t child = fork();
    cr_assert(child >= 0);
    if (child == 0) {
        close(ends[0]);
        for (size_t off = 0; off < len;) {
            size_t num = len - off < step ? len - off : step;
            ssize_t put = write(ends[1], data + off, num);
            if (put <= 0) {
                break;
            }
            off += (size_t)put;
            usleep(pause_us);
        }
        _exit(0);
    }
    close(ends[1]);
    cr_assert(dup2(ends[0], STDIN_FILENO) == STDIN_FILENO);
    close(ends[0]);
}

result bench_run(const image *img, fh_layout_choice choice)
{
    result res = {.img = img};
    char path[64];
    int fd = bench_file(img->raw.data, img->raw.len, path);
    run(&res, path, choice);
    close(fd);
    cr_assert(eq(int, (int)res.status, FH_SOURCE_OK));
    return res;
}

result bench_pipe(const image *img, fh_layout_choice choice, size_t step)
{
    result res = {.img = img};
    bench_feed_stdin(img->raw.data, img->raw.len, step, 0);
    run(&res, "-", choice);
    cr_assert(eq(int, (int)res.status, FH_SOURCE_OK));
    return res;
}

void bench_free(result *res)
{
    for (int i = 0; i < FH_STREAM_NUM; i++) {
        free(res->got[i].data);
    }
    free(res->lbas);
    free(res->coverage);
}

size_t bench_seams(const result *res, fh_stream stream, fh_seam_reason reason)
{
    size_t num = 0;
    for (size_t i = 0; i < res->num_events; i++) {
        const event *at = &res->events[i];
        num += !at->is_skip && at->seam.stream == stream && at->seam.reason == reason ? 1 : 0;
    }
    return num;
}

void bench_only_rules(const result *res, const fh_image_rule *rules, size_t num)
{
    for (int i = 0; i < FH_IMG_NUM_RULES; i++) {
        bool want = false;
        for (size_t k = 0; k < num; k++) {
            want = want || (int)rules[k] == i;
        }
        cr_assert(res->found[i] == want, "%s %s", fh_image_rules.rules[i].code,
                  want ? "missing" : "not expected");
    }
}
