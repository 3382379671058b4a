#include "gate/result_pack.h"

#include "registry/registry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Whoever comes here because of these: pack what was added, and count up FH_RESULT_VERSION. */
static_assert(sizeof(void *) != 8 || sizeof(fh_told) == 456, "a finding has other members");
static_assert(sizeof(void *) != 8 || sizeof(fh_result) == 2968, "a result has other members");

/* ---- out ---- */

static void put(fh_packed *out, const void *bytes, size_t len)
{
    if (out->no_memory) {
        return;
    }
    if (out->max_len - out->len < len) {
        const size_t max = 2 * (out->len + len) + 256;
        uint8_t *grown = realloc(out->bytes, max);
        if (grown == NULL) {
            out->no_memory = true;
            return;
        }
        out->bytes = grown;
        out->max_len = max;
    }
    memcpy(out->bytes + out->len, bytes, len);
    out->len += len;
}

static void put_u64(fh_packed *out, uint64_t value)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
    put(out, bytes, sizeof bytes);
}

static void put_s64(fh_packed *out, int64_t value)
{
    put_u64(out, (uint64_t)value);
}

/* Length, text, and the zero, so that a string can stay where it is unpacked. NULL has the length
 * of no string. */
static void put_str(fh_packed *out, const char *str)
{
    if (str == NULL) {
        put_u64(out, UINT64_MAX);
        return;
    }
    const size_t len = strlen(str);
    put_u64(out, len);
    put(out, str, len + 1);
}

static void put_hash(fh_packed *out, bool has, const uint8_t hash[FH_SHA256_LEN])
{
    static const uint8_t none[FH_SHA256_LEN] = {0}; /* and not what is left of another file */
    put_u64(out, has);
    put(out, has ? hash : none, FH_SHA256_LEN);
}

static void put_in_memory(fh_packed *out, const fh_in_memory *shown)
{
    put_str(out, shown->stage);
    put_str(out, shown->missing);
    put_str(out, shown->outside);
    put_u64(out, shown->outside_off);
    put_u64(out, shown->outside_address);
}

static void put_asset(fh_packed *out, const fh_result *result)
{
    const fh_asset *asset = &result->asset;
    put_u64(out, asset->grade);
    put_u64(out, asset->length);
    put_s64(out, asset->frames);
    put_u64(out, asset->objects);
    put_u64(out, asset->evidence_bits);
    put_s64(out, asset->ram_address);
    put_in_memory(out, &asset->in_memory);
    put_hash(out, result->has_asset_sha256, result->asset_sha256);
    put_u64(out, result->is_replayed);
    put_u64(out, result->is_replayed ? result->replay.state : 0);
    put_str(out, result->is_replayed ? result->replay.evaluator : NULL);
    put_u64(out, result->is_replayed ? result->replay.frames : 0);
    put_u64(out, result->is_replayed ? result->replay.ticks : 0);
    put_hash(out, result->has_pose_sha256, result->pose_sha256);
}

/* Rules are named by their table and number besides their code, so that none is searched for. */
static void put_rule(fh_packed *out, const fh_rule_table *tables, size_t num, const fh_rule *rule)
{
    for (size_t i = 0; i < num; i++) {
        if (rule >= tables[i].rules && rule < tables[i].rules + tables[i].num_rules) {
            put_u64(out, i);
            put_u64(out, (uint64_t)(rule - tables[i].rules));
            put_str(out, rule->code);
            return;
        }
    }
    out->no_memory = true; /* of no table: it cannot be kept */
}

static void put_told(fh_packed *out, const fh_told *told)
{
    const fh_finding *finding = &told->finding;
    put_str(out, finding->field);
    put_s64(out, finding->offset);
    put_s64(out, finding->frame);
    put_s64(out, finding->frame_number);
    put_s64(out, finding->object);
    put_str(out, finding->found);
    put_str(out, finding->expected);
    put_str(out, finding->context);
    put_u64(out, told->line);
    put_u64(out, told->column);
    put_s64(out, told->excerpt_offset);
    put_u64(out, told->excerpt_len);
    put(out, told->excerpt, told->excerpt_len);
}

void fh_result_pack(fh_packed *out, const fh_result *result)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    assert(result->exit == FH_EXIT_OK && result->error[0] == '\0' && !result->no_memory);
    put_str(out, result->status);
    put_str(out, result->why);
    put_str(out, result->format == NULL ? NULL : result->format->name);
    put_asset(out, result);
    put_u64(out, result->num_findings);
    for (size_t i = 0; i < result->num_findings; i++) {
        put_rule(out, tables, num_tables, result->findings[i].finding.rule);
        put_told(out, &result->findings[i]);
    }
}

/* ---- in ---- */

static uint64_t get_u64(fh_cursor *in)
{
    const uint64_t low = fh_cursor_u32(in);
    return (uint64_t)fh_cursor_u32(in) << 32 | low;
}

static int64_t get_s64(fh_cursor *in)
{
    return (int64_t)get_u64(in);
}

/* A number of at most `most`. */
static uint64_t get_below(fh_cursor *in, uint64_t most)
{
    const uint64_t value = get_u64(in);
    in->failed = in->failed || value > most;
    return in->failed ? 0 : value;
}

static uint32_t get_u32(fh_cursor *in)
{
    return (uint32_t)get_below(in, UINT32_MAX);
}

static void get_bytes(fh_cursor *in, uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        out[i] = fh_cursor_u8(in);
    }
}

/* A string where it lies; NULL for none, and where it is none. */
static const char *get_str(fh_cursor *in)
{
    const uint64_t len = get_u64(in);
    if (len == UINT64_MAX) {
        return NULL;
    }
    if (in->failed || len >= fh_cursor_left(in)) {
        in->failed = true;
        return NULL;
    }
    const char *str = (const char *)in->base + in->pos;
    in->failed = strnlen(str, (size_t)len + 1) != len;
    return in->failed || !fh_cursor_skip(in, (size_t)len + 1) ? NULL : str;
}

static const char *need_str(fh_cursor *in)
{
    const char *str = get_str(in);
    in->failed = in->failed || str == NULL;
    return in->failed ? "" : str;
}

static void copy_str(fh_cursor *in, char *out, size_t size)
{
    const char *str = need_str(in);
    const size_t len = strlen(str);
    in->failed = in->failed || len >= size;
    if (!in->failed) {
        memcpy(out, str, len + 1);
    }
}

static bool get_hash(fh_cursor *in, uint8_t out[FH_SHA256_LEN])
{
    const bool has = get_below(in, 1) != 0;
    get_bytes(in, out, FH_SHA256_LEN);
    return has;
}

static void get_in_memory(fh_cursor *in, fh_in_memory *out)
{
    out->stage = get_str(in);
    copy_str(in, out->missing, sizeof out->missing);
    out->outside = get_str(in);
    out->outside_off = (size_t)get_below(in, FH_MAX_ASSET_LEN);
    out->outside_address = get_u32(in);
}

static void get_asset(fh_cursor *in, fh_result *out)
{
    out->asset.grade = (fh_grade)get_below(in, FH_GRADE_REPLAYED);
    out->asset.length = (size_t)get_below(in, FH_MAX_ASSET_LEN);
    out->asset.frames = get_s64(in);
    out->asset.objects = get_u32(in);
    out->asset.evidence_bits = get_u32(in);
    out->asset.ram_address = get_s64(in);
    get_in_memory(in, &out->asset.in_memory);
    out->has_asset_sha256 = get_hash(in, out->asset_sha256);
    out->is_replayed = get_below(in, 1) != 0;
    out->replay.state = (fh_replay_state)get_below(in, FH_REPLAY_BROKEN);
    out->replay.evaluator = get_str(in);
    out->replay.frames = get_u32(in);
    out->replay.ticks = get_u64(in);
    out->has_pose_sha256 = get_hash(in, out->pose_sha256);
}

static const fh_rule *get_rule(fh_cursor *in, const fh_rule_table *tables, size_t num)
{
    const uint64_t table = get_u64(in);
    const uint64_t index = get_u64(in);
    const char *code = need_str(in);
    if (in->failed || table >= num || index >= tables[table].num_rules ||
        strcmp(tables[table].rules[index].code, code) != 0) {
        in->failed = true;
        return NULL;
    }
    return &tables[table].rules[index];
}

static void get_told(fh_cursor *in, fh_told *out)
{
    fh_finding *finding = &out->finding;
    finding->field = need_str(in);
    finding->offset = get_s64(in);
    finding->frame = get_s64(in);
    finding->frame_number = get_s64(in);
    finding->object = get_s64(in);
    copy_str(in, finding->found, sizeof finding->found);
    copy_str(in, finding->expected, sizeof finding->expected);
    copy_str(in, finding->context, sizeof finding->context);
    out->line = get_u32(in);
    out->column = get_u32(in);
    out->excerpt_offset = get_s64(in);
    out->excerpt_len = (size_t)get_below(in, FH_EXCERPT_LEN);
    get_bytes(in, out->excerpt, out->excerpt_len);
    const bool is_odd = out->excerpt_offset < 0 || out->excerpt_offset > finding->offset;
    in->failed = in->failed || (out->excerpt_len > 0 && is_odd);
}

static void get_findings(fh_cursor *in, fh_result *out)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    const size_t num = (size_t)get_below(in, fh_cursor_left(in)); /* each takes more than a byte */
    out->findings = calloc(num + 1, sizeof *out->findings);
    if (out->findings == NULL) {
        in->failed = true;
        return;
    }
    out->max_findings = num + 1;
    for (size_t i = 0; i < num && !in->failed; i++) {
        out->findings[i].finding.rule = get_rule(in, tables, num_tables);
        get_told(in, &out->findings[i]);
    }
    out->num_findings = in->failed ? 0 : num;
}

bool fh_result_unpack(fh_result *result, uint8_t *bytes, size_t len)
{
    fh_cursor in = fh_cursor_make(bytes, len, 0);
    fh_result out = *result;
    out.status = need_str(&in);
    out.why = get_str(&in);
    const char *format = get_str(&in);
    out.format = format == NULL ? NULL : fh_format_find(format);
    in.failed = in.failed || (format != NULL) != (out.format != NULL);
    get_asset(&in, &out);
    get_findings(&in, &out);
    in.failed = in.failed || (out.is_replayed && out.replay.evaluator == NULL);
    if (in.failed || fh_cursor_left(&in) > 0) {
        free(out.findings);
        return false;
    }
    free(result->findings);
    *result = out;
    result->strings = bytes;
    return true;
}
