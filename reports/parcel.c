#include "reports/parcel.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_LEN ((size_t)4096)

/* Bytes of the file that are read at once. */
#define BLOCK_LEN ((size_t)64 << 10)

/* In front of each item. */
typedef struct head {
    uint64_t len; /* of the item, with this */
    uint64_t kind;
} head;

/* A text is its length with the zero at its end, then its bytes; NULL has the length 0. A hash
 * likewise. Everything is filled up to whole words, so that numbers may be read where they lie. */
#define WORD ((size_t)8)

fh_parcel fh_parcel_make(size_t most)
{
    return (fh_parcel){.most = most, .file = -1};
}

static void close_file(fh_parcel *parcel)
{
    if (parcel->file >= 0) {
        (void)close(parcel->file);
    }
    parcel->file = -1;
    parcel->file_len = 0;
}

void fh_parcel_free(fh_parcel *parcel)
{
    free(parcel->bytes);
    close_file(parcel);
    *parcel = fh_parcel_make(parcel->most);
}

int64_t fh_parcel_len(const fh_parcel *parcel)
{
    return parcel->file_len + (int64_t)parcel->len;
}

void fh_parcel_cut(fh_parcel *parcel, int64_t len)
{
    assert(len >= 0 && len <= fh_parcel_len(parcel));
    if (len >= parcel->file_len) {
        parcel->len = (size_t)(len - parcel->file_len);
        return;
    }
    parcel->len = 0;
    parcel->file_len = len;
    if (len == 0) {
        close_file(parcel);
    }
}

/* ---- putting --------------------------------------------------------------------------------- */

static bool fail(fh_parcel *parcel, int error)
{
    parcel->error = parcel->error == 0 ? error : parcel->error;
    return false;
}

static int open_unnamed(const char *folder)
{
    char path[4096];
    static const char name[] = "/framehound-XXXXXX";
    const size_t len = strlen(folder);
    if (len + sizeof name > sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    memcpy(path, folder, len);
    memcpy(path + len, name, sizeof name);
    const int file = mkostemp(path, O_CLOEXEC);
    if (file >= 0) {
        (void)unlink(path);
    }
    return file;
}

static bool open_file(fh_parcel *parcel)
{
    const char *folders[] = {getenv("SQLITE_TMPDIR"), getenv("TMPDIR"), "/var/tmp", "/tmp"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && parcel->file < 0; i++) {
        parcel->file = folders[i] == NULL ? -1 : open_unnamed(folders[i]);
    }
    return parcel->file >= 0 || fail(parcel, errno);
}

/* Moves what is in memory to the end of the file. */
static bool spill(fh_parcel *parcel)
{
    if (parcel->file < 0 && !open_file(parcel)) {
        return false;
    }
    for (size_t done = 0; done < parcel->len;) {
        const ssize_t num = pwrite(parcel->file, parcel->bytes + done, parcel->len - done,
                                   (off_t)(parcel->file_len + (int64_t)done));
        if (num <= 0 && (num == 0 || errno != EINTR)) {
            return fail(parcel, num == 0 ? ENOSPC : errno);
        }
        done += num > 0 ? (size_t)num : 0;
    }
    parcel->file_len += (int64_t)parcel->len;
    parcel->len = 0;
    return true;
}

static bool has_room(fh_parcel *parcel, size_t len)
{
    if (len <= parcel->max_len - parcel->len) {
        return true;
    }
    size_t grown = parcel->max_len == 0 ? FIRST_LEN : parcel->max_len;
    while (grown - parcel->len < len) {
        if (grown > SIZE_MAX / 2) {
            return false;
        }
        grown *= 2;
    }
    uint8_t *bytes = realloc(parcel->bytes, grown);
    if (bytes == NULL) {
        return false;
    }
    parcel->bytes = bytes;
    parcel->max_len = grown;
    return true;
}

static void put(fh_parcel *parcel, const void *bytes, size_t len)
{
    if (parcel->error != 0) {
        return;
    }
    if (!has_room(parcel, len)) {
        (void)fail(parcel, ENOMEM);
        return;
    }
    if (len > 0) {
        memcpy(parcel->bytes + parcel->len, bytes, len);
        parcel->len += len;
    }
}

static void put_number(fh_parcel *parcel, int64_t number)
{
    put(parcel, &number, sizeof number);
}

static void put_bytes(fh_parcel *parcel, const void *bytes, size_t len)
{
    put_number(parcel, bytes == NULL ? 0 : (int64_t)len);
    put(parcel, bytes, bytes == NULL ? 0 : len);
    static const uint8_t fill[WORD] = {0};
    put(parcel, fill, bytes == NULL ? 0 : (WORD - len % WORD) % WORD);
}

static void put_text(fh_parcel *parcel, const char *text)
{
    put_bytes(parcel, text, text == NULL ? 0 : strlen(text) + 1);
}

static void put_hash(fh_parcel *parcel, const uint8_t *hash)
{
    put_bytes(parcel, hash, FH_SHA256_LEN);
}

static void put_numbers(fh_parcel *parcel, const int64_t *numbers, size_t num)
{
    put(parcel, numbers, num * sizeof *numbers);
}

/* Returns where the item begins in memory; what is there already makes room for it first. */
static size_t begin_item(fh_parcel *parcel, fh_parcel_kind kind)
{
    if (parcel->len >= parcel->most && parcel->len > 0 && parcel->error == 0) {
        (void)spill(parcel);
    }
    const size_t at = parcel->len;
    const head first = {0, (uint64_t)kind};
    put(parcel, &first, sizeof first);
    return at;
}

static bool end_item(fh_parcel *parcel, size_t at)
{
    if (parcel->error != 0) {
        return false;
    }
    const uint64_t len = parcel->len - at;
    memcpy(parcel->bytes + at, &len, sizeof len);
    return true;
}

bool fh_parcel_begin(fh_parcel *parcel, const char *path)
{
    const size_t at = begin_item(parcel, FH_PARCEL_BEGIN);
    put_text(parcel, path);
    return end_item(parcel, at);
}

static void put_replay(fh_parcel *parcel, const fh_replay_record *replay)
{
    put_number(parcel, replay != NULL);
    if (replay != NULL) {
        const int64_t numbers[] = {replay->frames, replay->ticks};
        put_numbers(parcel, numbers, sizeof numbers / sizeof numbers[0]);
        put_text(parcel, replay->evaluator);
        put_text(parcel, replay->status);
        put_hash(parcel, replay->pose_sha256);
    }
}

bool fh_parcel_asset(fh_parcel *parcel, const fh_asset_record *asset)
{
    const int64_t numbers[] = {
        asset->raw_offset, asset->user_offset,        asset->length,        asset->lba,
        asset->iso_offset, asset->ram_address,        asset->evidence_bits, asset->frames,
        asset->objects,    (int64_t)asset->num_pieces};
    const size_t at = begin_item(parcel, FH_PARCEL_ASSET);
    put_numbers(parcel, numbers, sizeof numbers / sizeof numbers[0]);
    put_text(parcel, asset->format);
    put_text(parcel, asset->grade);
    put_text(parcel, asset->iso_path);
    put_hash(parcel, asset->sha256);
    put_hash(parcel, asset->pose_sha256);
    put_replay(parcel, asset->replay);
    for (size_t i = 0; i < asset->num_pieces; i++) {
        put(parcel, &asset->pieces[i], sizeof asset->pieces[i]);
    }
    return end_item(parcel, at);
}

bool fh_parcel_finding(fh_parcel *parcel, const fh_finding_record *finding)
{
    const int64_t numbers[] = {finding->asset,      (int64_t)finding->severity,
                               finding->raw_offset, finding->asset_offset,
                               finding->frame,      finding->object};
    const size_t at = begin_item(parcel, FH_PARCEL_FINDING);
    put_number(parcel, (int64_t)(intptr_t)finding->rule);
    put_numbers(parcel, numbers, sizeof numbers / sizeof numbers[0]);
    put_text(parcel, finding->field);
    put_text(parcel, finding->found);
    put_text(parcel, finding->expected);
    put_text(parcel, finding->message);
    return end_item(parcel, at);
}

bool fh_parcel_coverage(fh_parcel *parcel, const fh_coverage_record *coverage)
{
    const int64_t numbers[] = {coverage->raw_offset, coverage->length, coverage->first_lba,
                               coverage->sectors,    coverage->runs,   coverage->asset_bytes};
    const size_t at = begin_item(parcel, FH_PARCEL_COVERAGE);
    put_numbers(parcel, numbers, sizeof numbers / sizeof numbers[0]);
    put_text(parcel, coverage->claim);
    return end_item(parcel, at);
}

bool fh_parcel_base(fh_parcel *parcel, int64_t base)
{
    const size_t at = begin_item(parcel, FH_PARCEL_BASE);
    put_number(parcel, base);
    return end_item(parcel, at);
}

bool fh_parcel_end_source(fh_parcel *parcel, const fh_parcel_end *end)
{
    const int64_t numbers[] = {end->source.size, end->outcome, end->num_weak, end->hit_limit};
    const size_t at = begin_item(parcel, FH_PARCEL_END);
    put_numbers(parcel, numbers, sizeof numbers / sizeof numbers[0]);
    put_text(parcel, end->source.path);
    put_text(parcel, end->source.kind);
    put_text(parcel, end->source.layout);
    put_text(parcel, end->source.status);
    put_hash(parcel, end->source.sha256);
    put_text(parcel, end->error);
    return end_item(parcel, at);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* An item that is looked at. It was put by this program: asserts say what must hold. */
typedef struct view {
    const uint8_t *at;
    size_t left;
} view;

static const uint8_t *take(view *v, size_t len)
{
    assert(len <= v->left);
    const uint8_t *at = v->at;
    v->at += len;
    v->left -= len;
    return at;
}

static int64_t take_number(view *v)
{
    int64_t number = 0;
    memcpy(&number, take(v, sizeof number), sizeof number);
    return number;
}

static const uint8_t *take_bytes(view *v)
{
    const int64_t len = take_number(v);
    assert(len >= 0);
    return len == 0 ? NULL : take(v, ((size_t)len + WORD - 1) / WORD * WORD);
}

static const char *take_text(view *v)
{
    return (const char *)take_bytes(v);
}

static void take_begin(fh_parcel_item *item, view *v)
{
    item->path = take_text(v);
}

static void take_replay(fh_parcel_item *item, view *v)
{
    if (take_number(v) != 0) {
        item->replay.frames = take_number(v);
        item->replay.ticks = take_number(v);
        item->replay.evaluator = take_text(v);
        item->replay.status = take_text(v);
        item->replay.pose_sha256 = take_bytes(v);
        item->asset.replay = &item->replay;
    }
}

static void take_asset(fh_parcel_item *item, view *v)
{
    fh_asset_record *asset = &item->asset;
    asset->raw_offset = take_number(v);
    asset->user_offset = take_number(v);
    asset->length = take_number(v);
    asset->lba = take_number(v);
    asset->iso_offset = take_number(v);
    asset->ram_address = take_number(v);
    asset->evidence_bits = take_number(v);
    asset->frames = take_number(v);
    asset->objects = take_number(v);
    asset->num_pieces = (size_t)take_number(v);
    asset->format = take_text(v);
    asset->grade = take_text(v);
    asset->iso_path = take_text(v);
    asset->sha256 = take_bytes(v);
    asset->pose_sha256 = take_bytes(v);
    take_replay(item, v);
    if (asset->num_pieces > 0) {
        const void *pieces = take(v, asset->num_pieces * sizeof *asset->pieces);
        asset->pieces = pieces;
    }
}

static void take_finding(fh_parcel_item *item, view *v)
{
    fh_finding_record *finding = &item->finding;
    finding->rule = (const fh_rule *)(intptr_t)take_number(v);
    finding->asset = take_number(v);
    finding->severity = (fh_severity)take_number(v);
    finding->raw_offset = take_number(v);
    finding->asset_offset = take_number(v);
    finding->frame = take_number(v);
    finding->object = take_number(v);
    finding->field = take_text(v);
    finding->found = take_text(v);
    finding->expected = take_text(v);
    finding->message = take_text(v);
}

static void take_coverage(fh_parcel_item *item, view *v)
{
    fh_coverage_record *coverage = &item->coverage;
    coverage->raw_offset = take_number(v);
    coverage->length = take_number(v);
    coverage->first_lba = take_number(v);
    coverage->sectors = take_number(v);
    coverage->runs = take_number(v);
    coverage->asset_bytes = take_number(v);
    coverage->claim = take_text(v);
}

static void take_base(fh_parcel_item *item, view *v)
{
    item->base = take_number(v);
}

static void take_end(fh_parcel_item *item, view *v)
{
    fh_parcel_end *end = &item->end;
    end->source.size = take_number(v);
    end->outcome = take_number(v);
    end->num_weak = take_number(v);
    end->hit_limit = take_number(v) != 0;
    end->source.path = take_text(v);
    end->source.kind = take_text(v);
    end->source.layout = take_text(v);
    end->source.status = take_text(v);
    end->source.sha256 = take_bytes(v);
    end->error = take_text(v);
}

fh_parcel_reader fh_parcel_read(const fh_parcel *parcel, int64_t at)
{
    assert(at >= 0 && at <= fh_parcel_len(parcel));
    return (fh_parcel_reader){.parcel = parcel, .at = at};
}

void fh_parcel_read_end(fh_parcel_reader *reader)
{
    free(reader->block);
    *reader = (fh_parcel_reader){.parcel = reader->parcel, .at = reader->at};
}

static bool fail_reading(fh_parcel_reader *reader, int error)
{
    reader->error = error;
    return false;
}

static bool make_block(fh_parcel_reader *reader, size_t len)
{
    if (len <= reader->max_block) {
        return true;
    }
    uint8_t *block = realloc(reader->block, len);
    if (block == NULL) {
        return fail_reading(reader, ENOMEM);
    }
    reader->block = block;
    reader->max_block = len;
    return true;
}

/* Reads at least len bytes of the file from the reader's place on into the block. */
static bool load(fh_parcel_reader *reader, size_t len)
{
    const fh_parcel *parcel = reader->parcel;
    const uint64_t rest = (uint64_t)(parcel->file_len - reader->at);
    const size_t wanted = len > BLOCK_LEN ? len : BLOCK_LEN;
    const size_t most = rest < wanted ? (size_t)rest : wanted;
    assert(len <= rest);
    if (!make_block(reader, most)) {
        return false;
    }
    reader->block_at = reader->at;
    reader->block_len = 0;
    while (reader->block_len < most) {
        const ssize_t num =
            pread(parcel->file, reader->block + reader->block_len, most - reader->block_len,
                  (off_t)(reader->at + (int64_t)reader->block_len));
        if (num <= 0 && (num == 0 || errno != EINTR)) {
            return fail_reading(reader, num == 0 ? EIO : errno);
        }
        reader->block_len += num > 0 ? (size_t)num : 0;
    }
    return true;
}

/* The len bytes at the reader's place, which lie in the file or behind it; NULL: an error. */
static const uint8_t *bytes_at(fh_parcel_reader *reader, size_t len)
{
    const fh_parcel *parcel = reader->parcel;
    if (reader->at >= parcel->file_len) {
        return parcel->bytes + (reader->at - parcel->file_len);
    }
    const int64_t ahead = reader->at - reader->block_at;
    const bool is_there = ahead >= 0 && (uint64_t)ahead <= reader->block_len &&
                          len <= reader->block_len - (size_t)ahead;
    if (!is_there && !load(reader, len)) {
        return NULL;
    }
    return reader->block + (reader->at - reader->block_at);
}

bool fh_parcel_next(fh_parcel_reader *reader, fh_parcel_item *item)
{
    static void (*const takes[])(fh_parcel_item * item, view * v) = {
        [FH_PARCEL_BEGIN] = take_begin,     [FH_PARCEL_ASSET] = take_asset,
        [FH_PARCEL_FINDING] = take_finding, [FH_PARCEL_COVERAGE] = take_coverage,
        [FH_PARCEL_BASE] = take_base,       [FH_PARCEL_END] = take_end};
    head first;
    *item = (fh_parcel_item){0};
    if (reader->error != 0 || reader->at >= fh_parcel_len(reader->parcel)) {
        return false;
    }
    const uint8_t *bytes = bytes_at(reader, sizeof first);
    if (bytes == NULL) {
        return false;
    }
    memcpy(&first, bytes, sizeof first);
    assert(first.kind <= FH_PARCEL_END && first.len >= sizeof first);
    bytes = bytes_at(reader, (size_t)first.len);
    if (bytes == NULL) {
        return false;
    }
    view v = {bytes + sizeof first, (size_t)first.len - sizeof first};
    item->kind = (fh_parcel_kind)first.kind;
    takes[item->kind](item, &v);
    assert(v.left == 0);
    reader->at += (int64_t)first.len;
    return true;
}
