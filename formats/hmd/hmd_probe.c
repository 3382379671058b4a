#include "hmd/hmd_probe.h"

#include "hmd/hmd_build.h"
#include "hmd/hmd_reach.h"

hmd_model hmd_open(fh_cursor bytes)
{
    const size_t size = bytes.size < FH_MAX_ASSET_LEN ? bytes.size : FH_MAX_ASSET_LEN;
    return (hmd_model){.bytes = fh_cursor_sub(&bytes, 0, size),
                       .num_words = (uint32_t)(size / HMD_WORD_LEN)};
}

static void reject(fh_probe *out, enum hmd_rule rule, fh_status status, size_t off)
{
    out->verdict = FH_REJECT;
    out->rule = &hmd_rules[rule];
    out->status = status;
    out->reject_off = off;
}

/* So much was sound that this is an HMD, but a damaged one: the front holds and some record is
 * whole, or its front holds, with headers that say something, and what it leads to lies behind the
 * end. */
static bool is_near_miss(const hmd_check *check)
{
    const hmd_model *model = check->model;
    if (model->num_records > 0 && check->fault >= HMD0050) {
        return true;
    }
    return model->headers != NULL && model->headers_end > model->header_section + 2 &&
           check->fault_status == FH_TRUNCATED;
}

/* HMD0003, HMD0006 and HMD0007: of noise one place in four million millions has such a header. */
bool hmd_glance(const fh_cursor *bytes)
{
    fh_cursor header = fh_cursor_sub(bytes, 0, HMD_FIXED_WORDS * HMD_WORD_LEN);
    (void)fh_cursor_u32(&header);
    const uint32_t flag = fh_cursor_u32(&header);
    (void)fh_cursor_u32(&header);
    const uint32_t num_blocks = fh_cursor_u32(&header);
    return header.failed || (flag <= 1 && num_blocks >= 2 && num_blocks <= HMD_MOST_WORDS);
}

void hmd_probe(fh_probe *out, fh_cursor bytes, fh_end end, fh_memo *memo, fh_arena *arena,
               fh_budget *budget)
{
    (void)memo;
    hmd_model model = hmd_open(bytes);
    hmd_check check = hmd_check_make(&model, NULL, budget, arena);
    check.at_end = end != FH_END_NONE;
    *out = (fh_probe){.verdict = FH_ACCEPT};
    if (hmd_build(&check)) {
        hmd_reach_end(&check);
        hmd_reach_padding(&check, end);
    }
    out->evidence_bits = check.evidence;
    if (check.is_faulty) {
        reject(out, check.fault, check.fault_status, check.fault_at);
        out->near_miss = is_near_miss(&check);
    } else if (check.stopped || check.no_memory) {
        reject(out, HMD0297, FH_LIMIT, 0);
    } else if (check.wanted > 0) {
        out->verdict = FH_MORE;
        out->length = (size_t)check.wanted;
    } else {
        out->length = (size_t)model.end * HMD_WORD_LEN;
    }
}
