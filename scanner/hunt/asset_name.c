#include "hunt/asset_name.h"

#include "core/text.h"
#include "hunt/hash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of the parts. With 12 and 8 digits of hashes, three `_` and a `.` they fill a name. */
#define SOURCE_MAX 38u
#define PLACE_MAX 38u
#define FORMAT_MAX 15u
#define SHA_DIGITS 12u
#define KEY_DIGITS 8u
_Static_assert(SOURCE_MAX + PLACE_MAX + FORMAT_MAX + SHA_DIGITS + KEY_DIGITS + 4 ==
                   FH_ASSET_NAME_SIZE - 1,
               "the parts fill a name");

static bool is_safe(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-';
}

/* The last `max` bytes of a string, made safe. */
static void put_safe(fh_text *out, const char *from, size_t max)
{
    const size_t len = strlen(from);
    for (const char *at = len > max ? from + (len - max) : from; *at != '\0'; at++) {
        const char letter[2] = {*at, '\0'};
        fh_text_str(out, is_safe(*at) ? letter : "_");
    }
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void put_place(fh_text *out, const fh_asset_place *place)
{
    char text[4 * (size_t)PLACE_MAX];
    fh_text what = fh_text_make(text, sizeof text);
    if (place->iso_path == NULL) {
        fh_text_hex(&what, place->raw_offset < 0 ? 0 : (uint64_t)place->raw_offset, 8);
    } else {
        const char *path = place->iso_path + strspn(place->iso_path, "/");
        const size_t len = strlen(path);
        fh_text_str(&what, len > PLACE_MAX ? path + (len - PLACE_MAX) : path);
        if (place->iso_offset > 0) {
            fh_text_hex(fh_text_str(&what, "-"), (uint64_t)place->iso_offset, 1);
        }
    }
    put_safe(out, text, PLACE_MAX);
}

/* Hash of everything that makes an asset this one. A zero byte ends each part, so that no two
 * different sets of them are the same bytes. */
static bool key_of(char hex[2 * FH_SHA256_LEN + 1], const fh_asset_place *place)
{
    char numbers[64];
    fh_text text = fh_text_make(numbers, sizeof numbers);
    fh_text_s64(fh_text_str(fh_text_s64(&text, place->raw_offset), " "), place->iso_offset);
    const char *const parts[] = {place->path, place->format, numbers,
                                 place->iso_path != NULL ? place->iso_path : "", place->sha256};
    size_t len = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        len += strlen(parts[i]) + 1;
    }
    char *all = malloc(len);
    uint8_t hash[FH_SHA256_LEN];
    size_t at = 0;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && all != NULL; i++) {
        const size_t size = strlen(parts[i]) + 1;
        memcpy(all + at, parts[i], size);
        at += size;
    }
    const bool good = all != NULL && fh_hash_bytes(hash, all, len);
    if (good) {
        fh_hash_hex(hex, hash);
    }
    free(all);
    return good;
}

bool fh_asset_name(char out[FH_ASSET_NAME_SIZE], const fh_asset_place *place)
{
    char key[2 * FH_SHA256_LEN + 1];
    char sha[SHA_DIGITS + 1] = "";
    fh_text text = fh_text_make(out, FH_ASSET_NAME_SIZE);
    if (!key_of(key, place)) {
        return false;
    }
    memcpy(sha, place->sha256, strnlen(place->sha256, SHA_DIGITS));
    key[KEY_DIGITS] = '\0';
    put_safe(&text, last_part(place->path), SOURCE_MAX);
    put_place(fh_text_str(&text, "_"), place);
    put_safe(fh_text_str(&text, "_"), sha, SHA_DIGITS);
    fh_text_str(fh_text_str(&text, "_"), key);
    put_safe(fh_text_str(&text, "."), place->format, FORMAT_MAX);
    if (out[0] == '.' || out[0] == '-') { /* neither hidden nor like an option */
        out[0] = '_';
    }
    assert(!text.cut);
    return true;
}
