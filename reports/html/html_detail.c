#include "html.h"

#include "core/finding.h"
#include "html_limits.h"
#include "reports/escape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <zlib.h>

/* The fields, as long as there is room. */
typedef struct lister {
    fh_out out; /* into memory */
    size_t max_off;
    uint64_t num;
    uint64_t num_left_out;
} lister;

void fh_html_number(fh_out *out, int64_t number)
{
    if (number == FH_UNKNOWN) {
        fh_out_str(out, "null");
    } else {
        fh_out_fmt(out, "%" PRId64, number);
    }
}

/* put_base64 writes bytes as RFC 4648 has it, without what fills the last group up, and returns how
 * many characters that took. */
static uint64_t put_base64(fh_out *out, const uint8_t *bytes, size_t len)
{
    uint64_t num_characters = 0;
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < len; i += 3) {
        const size_t num = len - i < 3 ? len - i : 3;
        const uint32_t group = (uint32_t)bytes[i] << 16 |
                               (num > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (num > 2 ? (uint32_t)bytes[i + 2] : 0);
        char text[4];
        for (size_t k = 0; k < 4; k++) {
            text[k] = digits[group >> (18 - 6 * k) & 0x3f];
        }
        fh_out_bytes(out, text, num + 1);
        num_characters += num + 1;
    }
    return num_characters;
}

static void put_field(fh_out *out, const fh_detail_field *field)
{
    fh_out_fmt(out, "[%zu,%zu,%u,", field->off, field->len, field->depth);
    fh_escape_script(out, field->kind);
    fh_out_str(out, ",");
    fh_escape_script(out, field->name);
    fh_out_str(out, ",");
    fh_escape_script(out, field->value);
    fh_out_str(out, ",");
    fh_escape_script(out, field->rule);
    fh_out_str(out, "]");
}

static void on_field(void *user, const fh_detail_field *field)
{
    lister *to = user;
    if (field->off >= to->max_off || to->num_left_out > 0 ||
        ftell(to->out.file) > FH_HTML_MAX_FIELDS) {
        to->num_left_out++;
        return;
    }
    fh_out_str(&to->out, to->num == 0 ? "" : ",\n");
    put_field(&to->out, field);
    to->num++;
}

static void put_fields(fh_out *out, bool *no_memory, const fh_detail *detail)
{
    char *text = NULL;
    size_t len = 0;
    lister to = {.out = fh_out_make(open_memstream(&text, &len)), .max_off = FH_HTML_MAX_BYTES};
    if (to.out.file == NULL) {
        *no_memory = true;
        fh_out_str(out, "[],\"fields_left_out\":0");
        return;
    }
    const fh_detail_fields sink = {&to, on_field};
    if (detail->describe != NULL) {
        detail->describe(detail->user, &sink);
    }
    *no_memory = *no_memory || fh_out_end(&to.out) != 0;
    if (fclose(to.out.file) != 0 || text == NULL) {
        *no_memory = true;
        len = 0;
    }
    fh_out_str(out, "[");
    fh_out_bytes(out, text == NULL ? "" : text, len);
    fh_out_fmt(out, "],\"fields_left_out\":%" PRIu64, to.num_left_out);
    free(text);
}

/* What is known; the caller counts the characters. */
static void put_known(fh_out *out, bool *no_memory, const fh_detail *detail)
{
    const size_t kept = detail->len < FH_HTML_MAX_BYTES ? detail->len : FH_HTML_MAX_BYTES;
    fh_out_fmt(out, "{\"length\":%zu,\"is_text\":%s,\"bytes\":\"", detail->len,
               detail->is_text ? "true" : "false");
    (void)put_base64(out, detail->bytes, kept);
    fh_out_str(out, "\",\n\"fields\":");
    put_fields(out, no_memory, detail);
    fh_out_str(out, ",\n\"play\":");
    if (detail->play == NULL) {
        fh_out_str(out, "null");
    } else {
        fh_html_poses(out, no_memory, detail);
    }
    fh_out_str(out, "}");
}

/* put_packed writes a text packed by zlib (RFC 1950), which browsers unpack, in base64. */
static uint64_t put_packed(fh_out *out, bool *no_memory, const char *text, size_t len)
{
    uLongf packed_len = compressBound(len);
    uint8_t *packed = malloc(packed_len);
    uint64_t num_characters = 0;
    if (packed == NULL || compress2(packed, &packed_len, (const Bytef *)text, len,
                                    Z_DEFAULT_COMPRESSION) != Z_OK) {
        *no_memory = true;
    } else {
        num_characters = put_base64(out, packed, packed_len);
    }
    free(packed);
    return num_characters;
}

uint64_t fh_html_detail(fh_out *out, bool *no_memory, const fh_detail *detail)
{
    char *text = NULL;
    size_t len = 0;
    fh_out to = fh_out_make(open_memstream(&text, &len));
    if (to.file == NULL) {
        *no_memory = true;
        return 0;
    }
    if (detail->why_not != NULL) {
        fh_out_str(&to, "{\"why_not\":");
        fh_escape_script(&to, detail->why_not);
        fh_out_str(&to, "}");
    } else {
        put_known(&to, no_memory, detail);
    }
    *no_memory = *no_memory || fh_out_end(&to) != 0;
    if (fclose(to.file) != 0 || text == NULL) {
        *no_memory = true;
        len = 0;
    }
    const uint64_t num_characters = put_packed(out, no_memory, text == NULL ? "" : text, len);
    free(text);
    return num_characters;
}
