/* Texts that are put together in room of a fixed size. */
#include "bench.h"

#include <stdio.h>
#include <string.h>

Test(text, cut_at_every_size)
{
    const char *whole = "0123456789abcdefghij";
    const size_t len = strlen(whole);
    for (size_t size = 4; size < 30; size++) {
        char buf[40];
        memset(buf, '!', sizeof buf);
        fh_text text = fh_text_make(buf, size);
        HOLD(fh_text_str(&text, whole) == &text, "strings of calls");
        const bool fits = len < size;
        HOLD(text.cut == !fits, "size %zu", size);
        HOLD(strlen(buf) == (fits ? len : size - 1), "size %zu: %s", size, buf);
        HOLD(memcmp(buf, whole, fits ? len : size - 4) == 0, "size %zu: %s", size, buf);
        HOLD(fits || strcmp(buf + size - 4, "...") == 0, "size %zu: %s", size, buf);
        HOLD(buf[size] == '!', "written behind the buffer");
        char before[40];
        memcpy(before, buf, sizeof buf);
        fh_text_u64(fh_text_s64(fh_text_hex(fh_text_str(&text, ""), 0, 0), -1), 7);
        HOLD(text.cut || strcmp(buf + len, "0x0-17") == 0, "goes on: %s", buf);
        HOLD(fits || memcmp(before, buf, sizeof buf) == 0, "a cut is the end");
        HOLD(buf[size] == '!', "written behind the buffer");
    }
}

static const char *decimal(int64_t value)
{
    static char buf[64];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_text_s64(&text, value);
    return buf;
}

static const char *hex(uint64_t value, unsigned digits)
{
    static char buf[64];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_text_hex(&text, value, digits);
    return buf;
}

Test(text, numbers)
{
    char buf[64];
    fh_text text = fh_text_make(buf, sizeof buf);
    cr_assert(eq(str, buf, ""));
    fh_text_u64(&text, UINT64_MAX);
    cr_assert(eq(str, buf, "18446744073709551615"));
    cr_assert(eq(str, (char *)decimal(INT64_MIN), "-9223372036854775808"));
    cr_assert(eq(str, (char *)decimal(INT64_MAX), "9223372036854775807"));
    cr_assert(eq(str, (char *)decimal(0), "0"));
    cr_assert(eq(str, (char *)decimal(-1), "-1"));
    cr_assert(eq(str, (char *)hex(0, 0), "0x0"));
    cr_assert(eq(str, (char *)hex(0, 8), "0x00000000"));
    cr_assert(eq(str, (char *)hex(0xabc, 3), "0xabc"));
    cr_assert(eq(str, (char *)hex(0xabc, 4), "0x0abc"));
    cr_assert(eq(str, (char *)hex(UINT64_MAX, 1), "0xffffffffffffffff"));
    cr_assert(eq(str, (char *)hex(1, 24), "0x000000000000000000000001"));
    for (int64_t value = -100000; value <= 100000; value += 37) {
        char want[32];
        snprintf(want, sizeof want, "%lld", (long long)value);
        HOLD(strcmp(decimal(value), want) == 0, "%s", want);
    }
}

Test(text, only_capital_letters_become_small_ones)
{
    for (int c = 0; c < 256; c++) {
        const bool is_capital = c >= 0x41 && c <= 0x5a;
        HOLD(fh_ascii_lower((char)c) == (char)(is_capital ? c + 0x20 : c), "%02x", (unsigned)c);
    }
}
