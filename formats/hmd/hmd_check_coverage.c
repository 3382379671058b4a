#include "hmd/hmd_checks.h"

/* Runs of bytes that nothing refers to. */
typedef struct gaps {
    uint64_t num_bytes;
    uint32_t num; /* runs */
    size_t first; /* byte */
} gaps;

static void add_gap(gaps *out, size_t first, size_t len)
{
    out->first = out->num == 0 ? first : out->first;
    out->num++;
    out->num_bytes += len;
}

static void find_gaps(hmd_check *check, gaps *out)
{
    const hmd_model *model = check->model;
    uint32_t i = 0;
    while (i < model->end && hmd_spend(check, 1)) {
        const uint32_t first = i;
        const bool is_gap = model->owner[i] == HMD_OWNER_NOBODY;
        while (i < model->end && (model->owner[i] == HMD_OWNER_NOBODY) == is_gap) {
            i++;
        }
        if (is_gap) {
            add_gap(out, HMD_WORD_LEN * first, HMD_WORD_LEN * (i - first));
        }
        (void)hmd_spend(check, (i - first) / 8);
    }
}

static void tell_gaps(const hmd_check *check, const gaps *found)
{
    char buf[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_value_write(&text, fh_count((int64_t)found->num_bytes, "byte"));
    fh_value_write(fh_text_str(&text, " in "), fh_count(found->num, "range"));
    if (found->num > 1) {
        fh_text_str(&text, ", the first here");
    }
    hmd_tell_byte(check, HMD0180, "length", found->first, fh_words(buf), fh_nothing());
}

/* Bytes of a file behind the asset: how many are not 0, and the first of them. Less than a word is
 * no data of any kind, but a length that is wrong. */
static void check_rest(hmd_check *check, fh_cursor rest, gaps *found)
{
    const size_t end = HMD_WORD_LEN * check->model->end;
    const size_t len = rest.size - rest.size % HMD_WORD_LEN;
    size_t num = 0;
    size_t first = 0;
    if (!hmd_spend(check, len / 8 + 1)) {
        return;
    }
    for (size_t i = 0; i < len; i++) {
        if (fh_cursor_u8(&rest) != 0 && num++ == 0) {
            first = i;
        }
    }
    if (num > 0) {
        hmd_tell_byte(check, HMD0182, "number of bytes", end + first, fh_dec((int64_t)num, ""),
                      fh_nothing());
    } else if (len > 0) {
        add_gap(found, end, len);
    }
    if (len < rest.size) {
        hmd_tell_byte(check, HMD0012, "file length", end + len,
                      fh_count((int64_t)(end + rest.size), "byte"), fh_words("a multiple of 4"));
    }
}

void hmd_check_coverage(hmd_check *check, fh_cursor rest)
{
    gaps found = {0};
    find_gaps(check, &found);
    if (!hmd_is_memory(check->model)) { /* what follows a loaded file in memory proves nothing */
        check_rest(check, rest, &found);
    }
    if (found.num > 0 && !check->stopped) {
        tell_gaps(check, &found);
    }
}
