#include "hunt/hold.h"

#include "hunt/exam.h"

#include <stdlib.h>
#include <string.h>

typedef enum held_kind { HELD_ASSET = 0, HELD_FINDING, HELD_REMARKS } held_kind;

typedef struct held_asset {
    fh_asset_record record;
    fh_replay_record replay;
    uint8_t sha256[FH_SHA256_LEN];
    uint8_t pose_sha256[FH_SHA256_LEN];
    fh_held_place place;
    fh_exam exam; /* without findings and memory; for who wants it */
    int64_t handle;
} held_asset;

/* What a list entry points to lies behind it in the same block. */
struct fh_held {
    fh_held *next;
    held_kind kind;
    union {
        held_asset asset;
        fh_finding_record finding;
    } as;
    max_align_t behind[];
};

void fh_hold_begin(fh_hold *hold, const fh_hunt_sink *behind)
{
    *hold = (fh_hold){.behind = behind};
}

static void free_list(fh_hold *hold)
{
    while (hold->first != NULL) {
        fh_held *next = hold->first->next;
        free(hold->first);
        hold->first = next;
    }
    hold->last = NULL;
    hold->len = 0;
}

void fh_hold_free(fh_hold *hold)
{
    free_list(hold);
    free(hold->handles);
    hold->handles = NULL;
    hold->num_handles = 0;
    hold->max_handles = 0;
}

/* ---- taking ---------------------------------------------------------------------------------- */

/* A new entry at the end of the list, with room behind it. NULL: no memory. */
static fh_held *append(fh_hold *hold, held_kind kind, size_t behind)
{
    fh_held *held = calloc(1, sizeof *held + behind);
    if (held == NULL) {
        hold->no_memory = true;
        return NULL;
    }
    held->kind = kind;
    if (hold->last != NULL) {
        hold->last->next = held;
    } else {
        hold->first = held;
    }
    hold->last = held;
    hold->len += sizeof *held + behind;
    return held;
}

/* With too much, what waits goes on as it is. */
static bool check_len(fh_hold *hold)
{
    if (hold->len <= FH_HOLD_MAX_LEN) {
        return true;
    }
    const fh_stop never = {NULL, NULL};
    fh_naming none = {.is_open = false};
    return fh_hold_release(hold, &none, &never);
}

static bool new_handle(fh_hold *hold, int64_t *out)
{
    if (hold->num_handles == hold->max_handles) {
        const size_t max = hold->max_handles == 0 ? 64 : 2 * hold->max_handles;
        int64_t *more = realloc(hold->handles, max * sizeof *more);
        if (more == NULL) {
            hold->no_memory = true;
            return false;
        }
        hold->handles = more;
        hold->max_handles = max;
    }
    *out = (int64_t)hold->num_handles;
    hold->handles[hold->num_handles++] = FH_UNKNOWN;
    return true;
}

static const uint8_t *copy_hash(uint8_t out[FH_SHA256_LEN], const uint8_t *hash)
{
    if (hash == NULL) {
        return NULL;
    }
    memcpy(out, hash, FH_SHA256_LEN);
    return out;
}

/* Names of formats, grades, evaluators and states are constants and need no copy. */
static void fill_asset(fh_held *held, const fh_asset_record *asset, const fh_held_place *place)
{
    held_asset *to = &held->as.asset;
    to->record = *asset;
    to->place = *place;
    to->record.sha256 = copy_hash(to->sha256, asset->sha256);
    to->record.pose_sha256 = copy_hash(to->pose_sha256, asset->pose_sha256);
    if (asset->replay != NULL) {
        to->replay = *asset->replay;
        to->replay.pose_sha256 = to->record.pose_sha256;
        to->record.replay = &to->replay;
    }
    fh_held_span *spans = (fh_held_span *)(void *)held->behind;
    memcpy(spans, place->spans, place->num_spans * sizeof *spans);
    to->place.spans = spans;
    if (asset->num_pieces > 0) {
        fh_piece_record *pieces = (fh_piece_record *)(void *)(spans + place->num_spans);
        memcpy(pieces, asset->pieces, asset->num_pieces * sizeof *pieces);
        to->record.pieces = pieces;
    }
}

static void fill_exam(fh_held *held, const fh_exam *exam)
{
    held_asset *to = &held->as.asset;
    fh_held_span *spans = (fh_held_span *)(void *)held->behind;
    fh_piece_record *pieces = (fh_piece_record *)(void *)(spans + to->place.num_spans);
    uint8_t *bytes = (uint8_t *)(pieces + to->record.num_pieces);
    to->exam = *exam;
    to->exam.findings = NULL;
    to->exam.num_findings = 0;
    to->exam.max_findings = 0;
    to->exam.reserve = NULL;
    to->exam.block = NULL;
    to->exam.block_len = 0;
    if (exam->bytes.size > 0) {
        memcpy(bytes, exam->bytes.base, exam->bytes.size);
    }
    to->exam.bytes = fh_cursor_make(bytes, exam->bytes.size, exam->bytes.origin);
}

static bool pass_asset(const fh_hold *hold, const fh_asset_record *asset, const fh_exam *exam,
                       int64_t *handle)
{
    const fh_hunt_sink *to = hold->behind;
    if (to->examined != NULL) {
        to->examined(to->user, exam);
    }
    return to->asset(to->user, asset, handle);
}

bool fh_hold_asset(fh_hold *hold, const fh_asset_record *asset, const fh_held_place *place,
                   const fh_exam *exam, int64_t *handle)
{
    const bool has_exam = hold->behind->examined != NULL;
    if (!new_handle(hold, handle)) {
        return false;
    }
    if (hold->is_released) {
        return pass_asset(hold, asset, exam, &hold->handles[*handle]);
    }
    fh_held *held =
        append(hold, HELD_ASSET,
               place->num_spans * sizeof *place->spans + asset->num_pieces * sizeof *asset->pieces +
                   (has_exam ? exam->bytes.size : 0));
    if (held == NULL) {
        return false;
    }
    fill_asset(held, asset, place);
    if (has_exam) {
        fill_exam(held, exam);
    }
    held->as.asset.handle = *handle;
    return true;
}

/* Copies a text to *at and moves that behind it. */
static const char *copy_text(char **at, const char *text)
{
    if (text == NULL) {
        return NULL;
    }
    const size_t len = strlen(text) + 1;
    const char *copy = memcpy(*at, text, len);
    *at += len;
    return copy;
}

static size_t text_len(const char *text)
{
    return text != NULL ? strlen(text) + 1 : 0;
}

static bool pass_finding(const fh_hold *hold, const fh_finding_record *finding)
{
    fh_finding_record record = *finding;
    if (record.asset != FH_UNKNOWN) {
        record.asset = hold->handles[record.asset];
    }
    return hold->behind->finding(hold->behind->user, &record);
}

bool fh_hold_finding(fh_hold *hold, const fh_finding_record *finding)
{
    if (hold->is_released) {
        return pass_finding(hold, finding);
    }
    fh_held *held = append(hold, HELD_FINDING,
                           text_len(finding->field) + text_len(finding->found) +
                               text_len(finding->expected) + text_len(finding->message));
    if (held == NULL) {
        return false;
    }
    char *at = (char *)held->behind;
    fh_finding_record *to = &held->as.finding;
    *to = *finding;
    to->field = copy_text(&at, finding->field);
    to->found = copy_text(&at, finding->found);
    to->expected = copy_text(&at, finding->expected);
    to->message = copy_text(&at, finding->message);
    return check_len(hold);
}

bool fh_hold_remarks(fh_hold *hold)
{
    return hold->is_released || (append(hold, HELD_REMARKS, 0) != NULL && check_len(hold));
}

/* ---- handing on ------------------------------------------------------------------------------ */

/* The asset whose records are being handed on. */
typedef struct release {
    fh_hold *hold;
    fh_naming *naming;
    fh_asset_name name;
    fh_exam remarks; /* what is told of its name */
    const held_asset *asset;
} release;

static bool release_asset(release *job, const fh_held *held)
{
    const held_asset *asset = &held->as.asset;
    fh_asset_record record = asset->record;
    job->asset = asset;
    job->remarks.num_findings = 0;
    fh_name_asset(job->naming, &job->name, &job->remarks, asset->place.first_raw,
                  asset->place.last_raw);
    record.iso_path = job->name.path[0] != '\0' ? job->name.path : NULL;
    record.iso_offset = job->name.offset;
    return pass_asset(job->hold, &record, &asset->exam, &job->hold->handles[asset->handle]);
}

static int64_t raw_of(const fh_held_place *place, int64_t at)
{
    size_t i = 0;
    while (i + 1 < place->num_spans && at >= place->spans[i + 1].at) {
        i++;
    }
    return place->spans[i].raw_off + at - place->spans[i].at;
}

static bool release_remarks(release *job)
{
    for (size_t i = 0; i < job->remarks.num_findings; i++) {
        char message[FH_MESSAGE_LEN];
        const fh_finding *finding = &job->remarks.findings[i];
        fh_finding_record record = fh_finding_to_record(finding, message);
        record.asset = job->asset->handle;
        record.raw_offset = finding->offset == FH_UNKNOWN
                                ? FH_UNKNOWN
                                : raw_of(&job->asset->place, finding->offset);
        if (!pass_finding(job->hold, &record)) {
            return false;
        }
    }
    job->remarks.num_findings = 0;
    return !job->remarks.failed;
}

static bool release_one(release *job, const fh_held *held)
{
    switch (held->kind) {
    case HELD_ASSET:
        return release_asset(job, held);
    case HELD_FINDING:
        return pass_finding(job->hold, &held->as.finding);
    default:
        return release_remarks(job);
    }
}

bool fh_hold_release(fh_hold *hold, fh_naming *naming, const fh_stop *stop)
{
    release job = {.hold = hold, .naming = naming};
    bool goes_on = true;
    for (const fh_held *held = hold->first; held != NULL && goes_on; held = held->next) {
        goes_on = !fh_stop_now(stop) && release_one(&job, held);
    }
    hold->is_released = true;
    hold->no_memory = hold->no_memory || job.remarks.failed;
    free_list(hold);
    fh_exam_free(&job.remarks);
    return goes_on;
}
