#include "core/text.h"

#include <assert.h>
#include <string.h>

bool fh_same_but_case(const char *a, const char *b)
{
    while (*a != '\0' && fh_ascii_lower(*a) == fh_ascii_lower(*b)) {
        a++;
        b++;
    }
    return *a == '\0' && *b == '\0';
}

fh_text fh_text_make(char *buf, size_t size)
{
    assert(buf != NULL && size >= 4);
    buf[0] = '\0';
    return (fh_text){.buf = buf, .size = size, .len = 0, .cut = false};
}

static void put(fh_text *text, char c)
{
    if (text->cut) {
        return;
    }
    if (text->size - text->len < 2) {
        memcpy(text->buf + text->size - 4, "...", 4);
        text->cut = true;
        return;
    }
    text->buf[text->len++] = c;
    text->buf[text->len] = '\0';
}

fh_text *fh_text_str(fh_text *text, const char *str)
{
    for (; *str != '\0' && !text->cut; str++) {
        put(text, *str);
    }
    return text;
}

static fh_text *put_digits(fh_text *text, uint64_t value, unsigned base, unsigned min_digits)
{
    char digits[20]; /* 2^64 has 20 decimal digits */
    size_t num = 0;
    do {
        digits[num++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value != 0);
    for (unsigned have = (unsigned)num; have < min_digits; have++) {
        put(text, '0');
    }
    while (num > 0) {
        put(text, digits[--num]);
    }
    return text;
}

fh_text *fh_text_u64(fh_text *text, uint64_t value)
{
    return put_digits(text, value, 10, 1);
}

fh_text *fh_text_s64(fh_text *text, int64_t value)
{
    if (value < 0) {
        put(text, '-');
        return put_digits(text, (uint64_t)(-(value + 1)) + 1, 10, 1);
    }
    return put_digits(text, (uint64_t)value, 10, 1);
}

fh_text *fh_text_hex(fh_text *text, uint64_t value, unsigned digits)
{
    return put_digits(fh_text_str(text, "0x"), value, 16, digits);
}
