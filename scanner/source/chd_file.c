#include "source/chd_impl.h"

#include <assert.h>
#include <string.h>

static void write_evidence(fh_tally *tally, const fh_chd_fault *what)
{
    fh_text found = fh_text_make(tally->found, sizeof tally->found);
    fh_text expected = fh_text_make(tally->expected, sizeof tally->expected);
    fh_value_write(&found, what->found);
    fh_value_write(&expected, what->expected);
}

/* The tally if this is the first of its rule, else NULL. What the file says of its own places may
 * lie behind its end: that is no place. */
fh_tally *fh_chd_say(fh_chd *chd, uint64_t off, const fh_chd_fault *what)
{
    const int64_t place = off > chd->input.size ? FH_UNKNOWN : (int64_t)off;
    fh_tally *tally = fh_tally_add(chd->tallies, what->rule, place, what->field);
    if (tally != NULL) {
        tally->unit = "places";
        write_evidence(tally, what);
    }
    return tally;
}

/* Refuses the whole file. */
fh_chd_status fh_chd_refuse(fh_chd *chd, uint64_t off, fh_chd_fault what)
{
    fh_chd_say(chd, off, &what);
    return FH_CHD_REFUSED;
}

fh_value fh_chd_tag_words(uint32_t tag, char text[8])
{
    for (unsigned i = 0; i < 4; i++) {
        const uint8_t c = (uint8_t)(tag >> (24 - 8 * i));
        text[i] = (char)(c > ' ' && c < 127 ? c : '?');
    }
    text[4] = '\0';
    return fh_words(text);
}

void fh_chd_write_hex(char *out, const uint8_t *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len; i++) {
        *out++ = digits[bytes[i] >> 4];
        *out++ = digits[bytes[i] & 15];
    }
    *out = '\0';
}

void fh_chd_say_sha1(fh_chd *chd, uint64_t off, const char *field, const uint8_t *found,
                     const uint8_t *expected)
{
    char found_hex[2 * SHA1_LEN + 1];
    char expected_hex[2 * SHA1_LEN + 1];
    if (memcmp(found, expected, SHA1_LEN) != 0) {
        fh_chd_write_hex(found_hex, found, SHA1_LEN);
        fh_chd_write_hex(expected_hex, expected, SHA1_LEN);
        fh_chd_fault what = {FH_IMG0043, field, fh_words(found_hex), fh_words(expected_hex), true};
        fh_chd_say(chd, off, &what);
    }
}

/* ---- bytes of the file ------------------------------------------------------------------------
 */

bool fh_chd_has(const fh_chd *chd, uint64_t off, uint64_t len)
{
    return off <= chd->input.size && len <= chd->input.size - off;
}

bool fh_chd_read_file(fh_chd *chd, uint64_t off, uint8_t *out, size_t len)
{
    assert(fh_chd_has(chd, off, len));
    if (chd->input.read_at(chd->input.user, off, out, len)) {
        return true;
    }
    fh_chd_fault what = {FH_IMG0001, "bytes of the CHD",
                         fh_dec((int64_t)len, " bytes that cannot be read"), fh_nothing(), false};
    fh_chd_say(chd, off, &what);
    return false;
}

bool fh_chd_is_zero(const uint8_t *bytes, size_t len)
{
    uint8_t any = 0;
    for (size_t i = 0; i < len; i++) {
        any |= bytes[i];
    }
    return any == 0;
}
