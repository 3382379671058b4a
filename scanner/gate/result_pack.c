#include "gate/result_pack.h"

#include "registry/registry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Whoever comes here because of these: pack what was added, and count up FH_RESULT_VERSION. */
static_assert(sizeof(void *) != 8 || sizeof(fh_told) == 456, "a finding has other members");
static_assert(sizeof(void *) != 8 || sizeof(fh_result) == 2968, "a result has other members");

/* ---- out ---- */

static void put_examined(fh_packed *out, const fh_result *result)
{
    fh_put_asset(out, &result->asset);
    fh_put_hash(out, result->has_asset_sha256, result->asset_sha256);
    fh_put_u64(out, result->is_replayed);
    fh_put_u64(out, result->is_replayed ? result->replay.state : 0);
    fh_put_str(out, result->is_replayed ? result->replay.evaluator : NULL);
    fh_put_u64(out, result->is_replayed ? result->replay.frames : 0);
    fh_put_u64(out, result->is_replayed ? result->replay.ticks : 0);
    fh_put_hash(out, result->has_pose_sha256, result->pose_sha256);
}

static void put_told(fh_packed *out, const fh_told *told)
{
    fh_put_u64(out, told->line);
    fh_put_u64(out, told->column);
    fh_put_s64(out, told->excerpt_offset);
    fh_put_u64(out, told->excerpt_len);
    fh_put_bytes(out, told->excerpt, told->excerpt_len);
}

void fh_result_pack(fh_packed *out, const fh_result *result)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    assert(result->exit == FH_EXIT_OK && result->error[0] == '\0' && !result->no_memory);
    fh_put_str(out, result->status);
    fh_put_str(out, result->why);
    fh_put_str(out, result->format == NULL ? NULL : result->format->name);
    put_examined(out, result);
    fh_put_u64(out, result->num_findings);
    for (size_t i = 0; i < result->num_findings; i++) {
        fh_put_finding(out, tables, num_tables, &result->findings[i].finding);
        put_told(out, &result->findings[i]);
    }
}

/* ---- in ---- */

/* Bytes of the file, as far as that is known. */
static size_t file_len(const fh_result *result)
{
    return result->size == FH_UNKNOWN ? FH_MAX_ASSET_LEN : (size_t)result->size;
}

static void get_examined(fh_cursor *in, fh_result *out)
{
    fh_get_asset(in, &out->asset, file_len(out));
    out->has_asset_sha256 = fh_get_hash(in, out->asset_sha256);
    out->is_replayed = fh_get_below(in, 1) != 0;
    out->replay.state = (fh_replay_state)fh_get_below(in, FH_REPLAY_BROKEN);
    out->replay.evaluator = fh_get_str(in);
    out->replay.frames = fh_get_u32(in);
    out->replay.ticks = fh_get_below(in, INT64_MAX);
    out->has_pose_sha256 = fh_get_hash(in, out->pose_sha256);
}

static void get_told(fh_cursor *in, fh_told *out)
{
    out->line = fh_get_u32(in);
    out->column = fh_get_u32(in);
    out->excerpt_offset = fh_get_s64(in);
    out->excerpt_len = (size_t)fh_get_below(in, FH_EXCERPT_LEN);
    fh_get_bytes(in, out->excerpt, out->excerpt_len);
    const bool is_odd = out->excerpt_offset < 0 || out->excerpt_offset > out->finding.offset;
    in->failed = in->failed || (out->excerpt_len > 0 ? is_odd : out->excerpt_offset != 0);
}

static void get_findings(fh_cursor *in, fh_result *out)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    const size_t num =
        (size_t)fh_get_below(in, fh_cursor_left(in)); /* each takes more than a byte */
    out->findings = calloc(num + 1, sizeof *out->findings);
    if (out->findings == NULL) {
        in->failed = true;
        return;
    }
    out->max_findings = num + 1;
    for (size_t i = 0; i < num && !in->failed; i++) {
        fh_get_finding(in, &out->findings[i].finding, tables, num_tables, file_len(out));
        get_told(in, &out->findings[i]);
    }
    out->num_findings = in->failed ? 0 : num;
}

bool fh_result_unpack(fh_result *result, uint8_t *bytes, size_t len)
{
    fh_cursor in = fh_cursor_make(bytes, len, 0);
    fh_result out = *result;
    out.status = fh_need_str(&in);
    out.why = fh_get_str(&in);
    const char *format = fh_get_str(&in);
    out.format = format == NULL ? NULL : fh_format_find(format);
    in.failed = in.failed || (format != NULL) != (out.format != NULL);
    get_examined(&in, &out);
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
