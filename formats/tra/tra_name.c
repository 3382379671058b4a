#include "tra/tra_name.h"

static bool add_byte(tra_name_text *to, uint32_t byte)
{
    if (to->len == TRA_MOST_NAME) {
        return false;
    }
    to->bytes[to->len++] = (char)byte;
    return true;
}

static bool add_utf8(tra_name_text *to, uint32_t code)
{
    if (code < 0x80) {
        return add_byte(to, code);
    }
    const unsigned num_more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint32_t leads[] = {0, 0xc0, 0xe0, 0xf0};
    bool fits = add_byte(to, leads[num_more] | code >> (6 * num_more));
    for (unsigned i = num_more; i > 0; i--) {
        fits = fits && add_byte(to, 0x80 | (code >> (6 * (i - 1)) & 0x3f));
    }
    return fits;
}

/* Reads a character of UTF-16 at *index and moves on; false for half a pair. */
static bool read_utf16(uint32_t *code, uint32_t *index, const fh_scan *scan, const fh_token *token)
{
    *code = fh_scan_unit(scan, token, (*index)++);
    if (*code < 0xd800 || *code > 0xdfff) {
        return true;
    }
    const uint32_t low = *index < token->num_units ? fh_scan_unit(scan, token, *index) : 0;
    if (*code > 0xdbff || low < 0xdc00 || low > 0xdfff) {
        return false;
    }
    *code = 0x10000 + ((*code - 0xd800) << 10) + (low - 0xdc00);
    (*index)++;
    return true;
}

bool tra_name_read(tra_name_text *out, const fh_scan *scan, const fh_token *token)
{
    out->len = 0;
    for (uint32_t i = 0; i < token->num_units;) {
        uint32_t code = 0;
        if (scan->encoding == FH_ENCODING_BYTES) {
            if (!add_byte(out, fh_scan_unit(scan, token, i++))) {
                return false;
            }
        } else if (!read_utf16(&code, &i, scan, token) || !add_utf8(out, code)) {
            return false;
        }
    }
    return true;
}
