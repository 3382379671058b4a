#include "core/repair.h"

#include "core/format.h"
#include "core/scan.h"

#include <assert.h>
#include <string.h>

enum { WORD_LEN = 4, FIRST_HIGH = 0x80 };

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

/* ---- texts ---- */

static void count_line_end(fh_line_ends *ends, uint8_t first, size_t len)
{
    if (len == 2) {
        ends->num_crlf++;
    } else if (first == '\r') {
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

/* Moves behind the next line end, whose first byte and length it returns; 0 where there is none. */
static size_t next_line_end(fh_cursor *cur, uint8_t *first)
{
    while (fh_cursor_left(cur) > 0) {
        *first = fh_cursor_u8(cur);
        if (fh_is_line_end(*first)) {
            fh_cursor next = *cur;
            if (*first == '\r' && fh_cursor_u8(&next) == '\n') {
                *cur = next;
                return 2;
            }
            return 1;
        }
    }
    return 0;
}

static void mend_line_ends(const fh_line_ends *ends, const fh_edit_sink *out, const fh_rule *mixed,
                           const fh_rule *alone, fh_cursor cur)
{
    const char *wanted = ends->is_crlf ? "\r\n" : "\n";
    uint8_t first = 0;
    for (size_t len = next_line_end(&cur, &first); len > 0; len = next_line_end(&cur, &first)) {
        const bool is_alone = len == 1 && first == '\r';
        if (is_alone || (len == 2) != ends->is_crlf) {
            fh_edit_tell(out, is_alone ? alone : mixed, "line end", cur.pos - len, len, wanted,
                         strlen(wanted));
        }
    }
}

bool fh_edit_line_ends(fh_line_ends *ends, const fh_edit_sink *out, const fh_rule *mixed,
                       const fh_rule *alone, fh_cursor bytes, size_t from, size_t end,
                       fh_budget *budget)
{
    fh_cursor cur = fh_cursor_sub(&bytes, 0, end);
    uint8_t first = 0;
    *ends = (fh_line_ends){0};
    assert(from <= end && end <= bytes.size);
    if (!fh_pay(budget, 2 * (uint64_t)(end - from))) {
        return false;
    }
    (void)fh_cursor_seek(&cur, from);
    const fh_cursor begin = cur;
    for (size_t len = next_line_end(&cur, &first); len > 0; len = next_line_end(&cur, &first)) {
        count_line_end(ends, first, len);
    }
    if (ends->num_cr > 0 || (ends->num_lf > 0 && ends->num_crlf > 0)) {
        mend_line_ends(ends, out, mixed, alone, begin);
    }
    return true;
}

fh_status fh_edit_narrow(const fh_edit_sink *out, const fh_rule *rule, const fh_scan *scan,
                         fh_arena *arena, fh_budget *budget)
{
    fh_cursor cur = scan->cur;
    const size_t num = fh_cursor_left(&cur) / 2;
    char *bytes = fh_arena_alloc(arena, num, 1);
    if (bytes == NULL) {
        return FH_NO_MEMORY;
    }
    if (!fh_pay(budget, num)) {
        return FH_LIMIT;
    }
    if (fh_cursor_left(&cur) % 2 != 0) {
        return FH_OK; /* half a character is left over */
    }
    for (size_t i = 0; i < num; i++) {
        const int32_t unit = fh_scan_unit_at(cur, scan->encoding, cur.pos + 2 * i);
        if (unit >= FIRST_HIGH) {
            return FH_OK;
        }
        bytes[i] = (char)unit;
    }
    fh_edit_tell(out, rule, "encoding", 0, cur.size, bytes, num);
    return FH_OK;
}
