#include "hunt/pack.h"

#include <stdlib.h>
#include <string.h>

/* ---- out ---- */

void fh_put_bytes(fh_packed *out, const void *bytes, size_t len)
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

void fh_put_u64(fh_packed *out, uint64_t value)
{
    uint8_t bytes[8];
    for (unsigned i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
    fh_put_bytes(out, bytes, sizeof bytes);
}

void fh_put_s64(fh_packed *out, int64_t value)
{
    fh_put_u64(out, (uint64_t)value);
}

/* Length, text, and the zero, so that a string can stay where it is unpacked. NULL has the length
 * of no string. */
void fh_put_str(fh_packed *out, const char *str)
{
    if (str == NULL) {
        fh_put_u64(out, UINT64_MAX);
        return;
    }
    const size_t len = strlen(str);
    fh_put_u64(out, len);
    fh_put_bytes(out, str, len + 1);
}

void fh_put_hash(fh_packed *out, bool has, const uint8_t hash[FH_SHA256_LEN])
{
    static const uint8_t none[FH_SHA256_LEN] = {0}; /* and not what is left of another file */
    fh_put_u64(out, has);
    fh_put_bytes(out, has ? hash : none, FH_SHA256_LEN);
}

static void put_in_memory(fh_packed *out, const fh_in_memory *shown)
{
    fh_put_str(out, shown->stage);
    fh_put_str(out, shown->missing);
    fh_put_str(out, shown->outside);
    fh_put_u64(out, shown->outside_off);
    fh_put_u64(out, shown->outside_address);
}

void fh_put_asset(fh_packed *out, const fh_asset *asset)
{
    fh_put_u64(out, asset->grade);
    fh_put_u64(out, asset->length);
    fh_put_s64(out, asset->frames);
    fh_put_u64(out, asset->objects);
    fh_put_u64(out, asset->evidence_bits);
    fh_put_s64(out, asset->ram_address);
    put_in_memory(out, &asset->in_memory);
}

/* Rules are named by their table and number besides their code, so that none is searched for. */
static void put_rule(fh_packed *out, const fh_rule_table *tables, size_t num, const fh_rule *rule)
{
    for (size_t i = 0; i < num; i++) {
        if (rule >= tables[i].rules && rule < tables[i].rules + tables[i].num_rules) {
            fh_put_u64(out, i);
            fh_put_u64(out, (uint64_t)(rule - tables[i].rules));
            fh_put_str(out, rule->code);
            return;
        }
    }
    out->no_memory = true; /* of no table: it cannot be kept */
}

void fh_put_finding(fh_packed *out, const fh_rule_table *tables, size_t num,
                    const fh_finding *finding)
{
    put_rule(out, tables, num, finding->rule);
    fh_put_str(out, finding->field);
    fh_put_s64(out, finding->offset);
    fh_put_s64(out, finding->frame);
    fh_put_s64(out, finding->frame_number);
    fh_put_s64(out, finding->object);
    fh_put_str(out, finding->found);
    fh_put_str(out, finding->expected);
    fh_put_str(out, finding->context);
}

/* ---- in ---- */

uint64_t fh_get_u64(fh_cursor *in)
{
    const uint64_t low = fh_cursor_u32(in);
    return (uint64_t)fh_cursor_u32(in) << 32 | low;
}

int64_t fh_get_s64(fh_cursor *in)
{
    return (int64_t)fh_get_u64(in);
}

/* A number of at most `most`. */
uint64_t fh_get_below(fh_cursor *in, uint64_t most)
{
    const uint64_t value = fh_get_u64(in);
    in->failed = in->failed || value > most;
    return in->failed ? 0 : value;
}

uint32_t fh_get_u32(fh_cursor *in)
{
    return (uint32_t)fh_get_below(in, UINT32_MAX);
}

void fh_get_bytes(fh_cursor *in, uint8_t *out, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        out[i] = fh_cursor_u8(in);
    }
}

/* A string where it lies; NULL for none, and where it is none. */
const char *fh_get_str(fh_cursor *in)
{
    const uint64_t len = fh_get_u64(in);
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

const char *fh_need_str(fh_cursor *in)
{
    const char *str = fh_get_str(in);
    in->failed = in->failed || str == NULL;
    return in->failed ? "" : str;
}

void fh_copy_str(fh_cursor *in, char *out, size_t size)
{
    const char *str = fh_need_str(in);
    const size_t len = strlen(str);
    in->failed = in->failed || len >= size;
    if (!in->failed) {
        memcpy(out, str, len + 1);
    }
}

bool fh_get_hash(fh_cursor *in, uint8_t out[FH_SHA256_LEN])
{
    const bool has = fh_get_below(in, 1) != 0;
    fh_get_bytes(in, out, FH_SHA256_LEN);
    return has;
}

/* A number from 0 to `most`, or one that is not known. */
static int64_t get_known(fh_cursor *in, int64_t most)
{
    const int64_t value = fh_get_s64(in);
    in->failed = in->failed || (value != FH_UNKNOWN && (value < 0 || value > most));
    return in->failed ? 0 : value;
}

static void get_in_memory(fh_cursor *in, fh_in_memory *out, size_t len)
{
    out->stage = fh_get_str(in);
    fh_copy_str(in, out->missing, sizeof out->missing);
    out->outside = fh_get_str(in);
    out->outside_off = (size_t)fh_get_below(in, len);
    out->outside_address = fh_get_u32(in);
}

void fh_get_asset(fh_cursor *in, fh_asset *out, size_t len)
{
    out->grade = (fh_grade)fh_get_below(in, FH_GRADE_REPLAYED);
    out->length = (size_t)fh_get_below(in, len);
    out->frames = get_known(in, INT64_MAX);
    out->objects = fh_get_u32(in);
    out->evidence_bits = fh_get_u32(in);
    out->ram_address = get_known(in, UINT32_MAX);
    get_in_memory(in, &out->in_memory, len);
}

static const fh_rule *get_rule(fh_cursor *in, const fh_rule_table *tables, size_t num)
{
    const uint64_t table = fh_get_u64(in);
    const uint64_t index = fh_get_u64(in);
    const char *code = fh_need_str(in);
    if (in->failed || table >= num || index >= tables[table].num_rules ||
        strcmp(tables[table].rules[index].code, code) != 0) {
        in->failed = true;
        return NULL;
    }
    return &tables[table].rules[index];
}

void fh_get_finding(fh_cursor *in, fh_finding *finding, const fh_rule_table *tables, size_t num,
                    size_t len)
{
    finding->rule = get_rule(in, tables, num);
    finding->field = fh_need_str(in);
    finding->offset = get_known(in, (int64_t)len);
    finding->frame = fh_get_s64(in); /* these are what a text says, of -1 as well */
    finding->frame_number = fh_get_s64(in);
    finding->object = fh_get_s64(in);
    fh_copy_str(in, finding->found, sizeof finding->found);
    fh_copy_str(in, finding->expected, sizeof finding->expected);
    fh_copy_str(in, finding->context, sizeof finding->context);
}
