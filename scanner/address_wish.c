#include "address_wish.h"

#include "core/text.h"

#include <string.h>

static int digit_of(char c, int base)
{
    const char *const digits = "0123456789abcdef";
    const char *at = c == '\0' ? NULL : strchr(digits, fh_ascii_lower(c));
    return at != NULL && at - digits < base ? (int)(at - digits) : -1;
}

/* Reads a number and moves behind it; false without one, or if it does not fit. */
static bool take_number(const char **text, int64_t *out)
{
    const char *at = *text;
    const bool is_hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    const int base = is_hex ? 16 : 10;
    at += is_hex ? 2 : 0;
    const char *first = at;
    int64_t value = 0;
    for (; digit_of(*at, base) >= 0; at++) {
        if (value > (INT64_MAX - 15) / base) {
            return false;
        }
        value = base * value + digit_of(*at, base);
    }
    *out = value;
    *text = at;
    return at > first;
}

/* Reads what may stand behind an address: +OFF. */
bool fh_address_offset(const char *text, int64_t *out)
{
    *out = 0;
    if (*text == '\0') {
        return true;
    }
    text++;
    return text[-1] == '+' && take_number(&text, out) && *text == '\0';
}

static bool take_lba(const char *text, fh_address_wish *out)
{
    const bool is_negative = *text == '-';
    text += is_negative ? 1 : 0;
    if (!take_number(&text, &out->number)) {
        return false;
    }
    out->number = is_negative ? -out->number : out->number;
    return fh_address_offset(text, &out->offset);
}

static bool take_two_digits(const char **text, int64_t *out, int64_t limit)
{
    const char *at = *text;
    if (digit_of(at[0], 10) < 0 || digit_of(at[1], 10) < 0) {
        return false;
    }
    *out = 10 * (int64_t)digit_of(at[0], 10) + digit_of(at[1], 10);
    *text = at + 2;
    return *out < limit;
}

static bool take_msf(const char *text, fh_address_wish *out)
{
    int64_t parts[3];
    static const int64_t limits[] = {100, 60, 75};
    for (int i = 0; i < 3; i++) {
        if ((i > 0 && *text++ != ':') || !take_two_digits(&text, &parts[i], limits[i])) {
            return false;
        }
    }
    out->number = (60 * parts[0] + parts[1]) * 75 + parts[2] - 150;
    return fh_address_offset(text, &out->offset);
}

static bool take_path(const char *text, fh_address_wish *out)
{
    out->path = text;
    return *text == '/';
}

static bool take_only(const char *text, fh_address_wish *out)
{
    return take_number(&text, &out->number) && *text == '\0';
}

bool fh_address_parse(fh_address_wish *out, const char *text)
{
    static const struct {
        const char *name;
        fh_address_kind kind;
        bool (*take)(const char *text, fh_address_wish *out);
    } forms[] = {{"raw:", FH_ADDRESS_RAW, take_only}, {"user:", FH_ADDRESS_USER, take_only},
                 {"ram:", FH_ADDRESS_RAM, take_only}, {"lba:", FH_ADDRESS_LBA, take_lba},
                 {"msf:", FH_ADDRESS_LBA, take_msf},  {"iso:", FH_ADDRESS_ISO, take_path}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const size_t len = strlen(forms[i].name);
        if (strncmp(text, forms[i].name, len) == 0) {
            *out = (fh_address_wish){.kind = forms[i].kind};
            return forms[i].take(text + len, out);
        }
    }
    return false;
}
