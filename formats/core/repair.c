#include "core/repair.h"

#include "core/format.h"

#include <assert.h>
#include <string.h>

enum { WORD_LEN = 4, CR = 0x0d };

typedef struct bit_repair {
    const fh_edit_sink *out;
    fh_cursor bytes;
    const fh_bit_mend *mends;
    size_t num;
} bit_repair;

void fh_edit_tell(const fh_edit_sink *out, const fh_rule *rule, const char *field, size_t off,
                  size_t old_len, const void *bytes, size_t len)
{
    const fh_edit edit = {off, old_len, bytes, len, rule, field};
    out->edit(out->user, &edit);
}

static void put_little(uint8_t out[WORD_LEN], uint32_t value)
{
    for (unsigned i = 0; i < WORD_LEN; i++) {
        out[i] = (uint8_t)(value >> (8 * i) & 0xff);
    }
}

void fh_edit_number(const fh_edit_sink *out, const fh_rule *rule, const char *field, size_t off,
                    uint32_t value, size_t len)
{
    uint8_t bytes[WORD_LEN];
    assert(len <= WORD_LEN);
    put_little(bytes, value);
    fh_edit_tell(out, rule, field, off, len, bytes, len);
}

/* The decimal number that a finding's expectation begins with; false if it does not fit. */
static bool read_expected(uint32_t *out, const fh_finding *finding, uint32_t most)
{
    uint64_t value = 0;
    const char *at = finding->expected;
    for (; *at >= '0' && *at <= '9' && value <= most; at++) {
        value = 10 * value + (uint64_t)(*at - '0');
    }
    *out = (uint32_t)value;
    return at != finding->expected && value <= most && (*at == ' ' || *at == '\0');
}

/* Of a word that changes only the bytes from the first to the last different one are told, so that
 * two fields of one word are two edits. */
static void change_word(const bit_repair *run, const fh_bit_mend *mend, const char *field,
                        size_t off)
{
    uint8_t before[WORD_LEN];
    uint8_t after[WORD_LEN];
    fh_cursor cur = run->bytes;
    (void)fh_cursor_seek(&cur, off);
    const uint32_t word = fh_cursor_u32(&cur);
    if (cur.failed) {
        return;
    }
    put_little(before, word);
    put_little(after, (word & ~mend->clear) | mend->set);
    size_t first = 0;
    size_t end = WORD_LEN;
    while (first < end && before[first] == after[first]) {
        first++;
    }
    while (end > first && before[end - 1] == after[end - 1]) {
        end--;
    }
    if (first < end) {
        fh_edit_tell(run->out, mend->rule, field, off + first, end - first, after + first,
                     end - first);
    }
}

static void mend_finding(void *user, const fh_finding *finding)
{
    const bit_repair *run = user;
    if (finding->offset < 0 || (uint64_t)finding->offset >= run->bytes.size) {
        return;
    }
    const size_t off = (size_t)finding->offset / WORD_LEN * WORD_LEN;
    for (size_t i = 0; i < run->num; i++) {
        const fh_bit_mend *mend = &run->mends[i];
        if (mend->rule == finding->rule &&
            (mend->field == NULL || strcmp(mend->field, finding->field) == 0)) {
            fh_bit_mend own = *mend;
            if (!mend->is_expected || read_expected(&own.set, finding, mend->clear)) {
                change_word(run, &own, finding->field, off);
            }
        }
    }
}

fh_status fh_repair_bits(const fh_format *format, const fh_env *env, const fh_edit_sink *out,
                         fh_cursor bytes, const fh_verify_options *options,
                         const fh_bit_mend *mends, size_t num)
{
    bit_repair run = {out, bytes, mends, num};
    const fh_sink sink = {.user = &run, .finding = mend_finding, .tells_all = true};
    fh_env own = *env;
    fh_asset asset;
    const void *model = NULL;
    own.sink = &sink;
    return format->verify(&asset, &model, &own, bytes, options);
}

bool fh_rule_is_mended(const fh_rule_table *table, const fh_rule *rule)
{
    size_t i = 0;
    while (i < table->num_mends && strcmp(table->mends[i].rule->code, rule->code) != 0) {
        i++;
    }
    return i < table->num_mends;
}

void fh_line_ends_count(fh_line_ends *ends, uint8_t first, size_t len)
{
    if (len == 2) {
        ends->num_crlf++;
    } else if (first == CR) {
        ends->num_cr++;
    } else {
        ends->num_lf++;
    }
    if (ends->num_lf + ends->num_crlf == 1 && len == 2) {
        ends->is_crlf = true;
    } else if (ends->num_lf != ends->num_crlf) {
        ends->is_crlf = ends->num_crlf > ends->num_lf;
    }
}
