#include "reports/base64.h"

uint64_t fh_base64(fh_out *out, const uint8_t *bytes, size_t len, bool is_filled)
{
    uint64_t num_characters = 0;
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
                                 "=";
    enum { FILLING = 64 };
    for (size_t i = 0; i < len; i += 3) {
        const size_t num = len - i < 3 ? len - i : 3;
        const uint32_t group = (uint32_t)bytes[i] << 16 |
                               (num > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (num > 2 ? (uint32_t)bytes[i + 2] : 0);
        char text[4];
        for (size_t k = 0; k < 4; k++) {
            text[k] = digits[k <= num ? group >> (18 - 6 * k) & 0x3f : FILLING];
        }
        const size_t num_written = is_filled ? 4 : num + 1;
        fh_out_bytes(out, text, num_written);
        num_characters += num_written;
    }
    return num_characters;
}
