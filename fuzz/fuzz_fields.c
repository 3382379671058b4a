/* An asset of any bytes, labelled. The first byte says of which format, by its place in the
 * registry; then the bytes. What must be true:
 *   - every field lies inside the bytes, and holds whole numbers unless it is cut;
 *   - groups end, as often as they begin, and not in front of their beginning;
 *   - a field is as deep as the groups around it say, and parts lie in none;
 *   - bytes: fields lie one directly behind the other, from the first byte of the asset and of each
 *     part on, so that groups have no holes; of a TOD that is replayed and of which no error or
 *     warning is told nothing but zeros is left over behind the last field;
 *   - texts: lines lie one directly behind the other, up to the end, words in their order, and what
 *     belongs to no word separates words;
 *   - the arena that the scanner provides suffices;
 *   - what is told twice is the same, also when the arena held other bytes before.
 */
#include "fuzz_support.h"

#include "core/describe.h"
#include "hunt/exam.h"
#include "registry/registry.h"

#include <stdlib.h>
#include <string.h>

/* The arena is the largest part. */
static const fuzz_bounds bounds = {.memory_floor = (size_t)48 << 20,
                                   .memory_per_byte = 1024,
                                   .milliseconds = 2000,
                                   .milliseconds_per_kib = 100};

enum { NUM_FORMATS = 4, MOST_DEPTH = 64, FILLED = 1 << 14 };

static const char *const names[NUM_FORMATS] = {"tod", "hmd", "tra", "camerawork"};

typedef struct telling {
    fuzz_sum sum;
    fh_cursor bytes;
    size_t begun[MOST_DEPTH]; /* first bytes of the groups that have begun */
    unsigned depth;
    bool is_text;
    size_t at; /* byte behind the last field, or line */
} telling;

static void check_place(telling *to, const fh_field *field)
{
    const size_t size = to->bytes.size;
    fuzz_demand(field->name != NULL, "it has a name");
    fuzz_demand(field->off <= size && field->len <= size - field->off, "it lies in the bytes");
    fuzz_demand(field->depth == to->depth, "it is as deep as the groups around it");
    fuzz_demand(!field->is_part || field->depth == 0, "a part lies in no group");
    fuzz_demand(field->number >= -1 && field->index >= FH_UNKNOWN, "it is counted from 0");
    fuzz_fold_text(&to->sum, field->name);
    fuzz_fold_number(&to->sum, field->number);
    fuzz_fold_number(&to->sum, field->index);
    fuzz_fold_number(&to->sum, (int64_t)field->off);
    fuzz_fold_number(&to->sum, (int64_t)field->len);
}

/* ---- each byte is accounted for ---- */

static void check_between(const telling *to, size_t end)
{
    for (size_t i = to->at; i < end; i++) {
        const uint8_t byte = to->bytes.base[i];
        fuzz_demand(byte == 0 || strchr(" \t,:=\r\n", byte) != NULL,
                    "what belongs to no word separates words");
    }
}

/* What refers to a part may be anywhere in front of it; all else is read on from where it is. */
static void check_begin(telling *to, const fh_field *group)
{
    to->at = group->is_part ? group->off : to->at;
    if (to->is_text) {
        fuzz_demand(group->off == to->at, "a line begins where the last one ended");
    } else {
        fuzz_demand(group->off == to->at, "a group begins where the last field ended");
    }
}

static void check_field(telling *to, const fh_field *one)
{
    if (to->is_text) {
        fuzz_demand(one->off >= to->at, "words lie in their order");
        check_between(to, one->off);
    } else {
        fuzz_demand(one->off == to->at, "a field begins where the last one ended");
    }
    to->at = one->off + one->len;
}

static void check_end(telling *to, size_t at)
{
    if (to->is_text) {
        fuzz_demand(at >= to->at, "words lie in their lines");
        check_between(to, at);
        to->at = at;
    }
    fuzz_demand(at == to->at, "a group ends with its last field");
}

/* ---- what is told ---- */

static void begin(void *user, const fh_field *group)
{
    telling *to = user;
    check_place(to, group);
    check_begin(to, group);
    fuzz_demand(to->depth < MOST_DEPTH, "groups are not deep");
    to->begun[to->depth++] = group->off;
}

static void field(void *user, const fh_field *one)
{
    telling *to = user;
    check_place(to, one);
    check_field(to, one);
    if (one->width == 0 || one->is_cut) {
        return;
    }
    fuzz_demand(one->width <= 8 && one->len % one->width == 0, "it holds whole numbers");
    for (size_t i = 0; i < one->len / one->width; i++) {
        const int64_t number = fh_field_value(one, to->bytes, i);
        fuzz_demand(one->width == 8 || one->is_signed || number >= 0, "it has no sign");
        fuzz_fold_number(&to->sum, number);
        for (const fh_bits *bits = one->bits; bits != NULL && bits->name != NULL; bits++) {
            fuzz_fold_number(&to->sum, fh_bits_value(bits, number));
        }
    }
}

static void end(void *user, size_t at)
{
    telling *to = user;
    fuzz_demand(to->depth > 0, "what ends has begun");
    fuzz_demand(at >= to->begun[--to->depth] && at <= to->bytes.size, "it ends behind its start");
    check_end(to, at);
    fuzz_fold_number(&to->sum, (int64_t)at);
}

/* One block for all inputs: to get and to give back one takes longer than what it is for. */
static uint8_t *provide(size_t len, uint8_t fill)
{
    static uint8_t *block;
    static size_t block_len;
    if (block == NULL || block_len < len) {
        free(block);
        block_len = len;
        block = fuzz_have(malloc(len > 0 ? len : 1));
    }
    memset(block, fill, len < FILLED ? len : FILLED);
    return block;
}

/* ---- a TOD to its end ---- */

static void note_complaint(void *user, const fh_finding *finding)
{
    *(bool *)user = *(bool *)user || finding->rule->severity >= FH_WARNING;
}

/* Whether a file is replayed and has neither errors nor warnings. It is verified here and not
 * examined, which would hash it: that is nothing for the memory sanitizer. */
static bool is_sound(fh_asset *asset, const fh_format *format, fh_cursor bytes, fh_arena *arena)
{
    static const fh_verify_options options = {
        .stand_alone = true, .aligned = true, .ends_file = true};
    static const fh_replay_options as_it_is;
    bool has_complaint = false;
    fh_budget budget = fh_budget_for(bytes.size, 0);
    const fh_sink sink = {.user = &has_complaint, .finding = note_complaint};
    const fh_env env = {arena, &budget, &sink, NULL};
    const void *model = NULL;
    fh_replay_result result;
    if (format->verify(asset, &model, &env, bytes, &options) != FH_OK || model == NULL) {
        return false;
    }
    budget = fh_budget_for(bytes.size, 0);
    return format->replay(&result, &env, model, &as_it_is) == FH_OK &&
           asset->grade == FH_GRADE_REFERENCES && result.state == FH_REPLAY_COMPLETE &&
           !has_complaint;
}

/* It has no parts: what is played lies in frames, one behind the other. */
static void check_tod(const telling *to, const fh_format *format, fh_arena *arena)
{
    fh_asset asset;
    if (!is_sound(&asset, format, to->bytes, arena)) {
        return;
    }
    fuzz_demand(to->at <= asset.length, "fields lie in the asset");
    for (size_t i = to->at; i < asset.length; i++) {
        fuzz_demand(to->bytes.base[i] == 0, "behind the last frame are zeros");
    }
}

static fuzz_sum label(const fh_format *format, fh_cursor bytes, uint8_t fill)
{
    telling to = {.sum = FUZZ_SUM, .bytes = bytes, .is_text = format->is_text};
    const fh_field_sink out = {&to, begin, field, end};
    const size_t len = fh_arena_len(bytes.size);
    fh_arena arena = fh_arena_make(provide(len, fill), len);
    fh_budget budget = fh_budget_for(bytes.size, 0);
    const fh_env env = {&arena, &budget, NULL};
    const fh_status status = format->describe(&env, &out, bytes);
    fuzz_demand(status == FH_OK || status == FH_LIMIT, "the arena suffices");
    fuzz_demand(to.depth == 0, "what has begun ends");
    fuzz_demand(!to.is_text || status != FH_OK || to.at == bytes.size, "lines end with the text");
    if (status == FH_OK && fill == 0 && strcmp(format->name, "tod") == 0) {
        fh_arena_reset(&arena, 0);
        check_tod(&to, format, &arena);
    }
    fh_arena_return(&arena);
    fuzz_fold_number(&to.sum, (int64_t)status);
    return to.sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || data[0] >= NUM_FORMATS || size > FH_MAX_ASSET_LEN) {
        return 0;
    }
    fuzz_begin();
    /* A block of its own, so that reading behind the end is seen. */
    uint8_t *bytes = fuzz_have(malloc(size > 1 ? size - 1 : 1));
    memcpy(bytes, data + 1, size - 1);
    const fh_format *format = fh_format_find(names[data[0]]);
    const fh_cursor all = fh_cursor_make(bytes, size - 1, 0);
    fuzz_demand(label(format, all, 0) == label(format, all, 0xa5), "the same is told twice");
    free(bytes);
    fuzz_end(&bounds, size);
    return 0;
}
