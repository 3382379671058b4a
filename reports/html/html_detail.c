#include "html.h"

#include "core/cursor.h"
#include "core/finding.h"
#include "core/text.h"
#include "html_limits.h"
#include "reports/base64.h"
#include "reports/escape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Names, explanations and lists of rules that are told once; no layout has as many. They are found
 * by their hash, in a table of which at most half is in use. */
enum { MOST_WORDS = 1024, NUM_SLOTS = 2 * MOST_WORDS };

/* The fields, as long as there is room. */
typedef struct lister {
    fh_out out; /* into memory */
    fh_cursor bytes;
    uint64_t num;
    uint64_t num_left_out;
    size_t end;              /* of the field before */
    char *words[MOST_WORDS]; /* owned */
    size_t num_words;
    uint16_t slots[NUM_SLOTS]; /* the number of a word, and 1; 0: none */
    bool no_memory;
} lister;

/* Without printf, which took an eighth of the time of a report. */
void fh_html_number(fh_out *out, int64_t number)
{
    char buf[32];
    fh_text text = fh_text_make(buf, sizeof buf);
    if (number == FH_UNKNOWN) {
        fh_text_str(&text, "null");
    } else {
        fh_text_s64(&text, number);
    }
    fh_out_str(out, buf);
}

/* The slot in which the number of a word is, or would be. */
static uint16_t *slot_of(lister *to, const char *word)
{
    uint32_t hash = 0x811c9dc5u; /* FNV-1a */
    for (const char *c = word; *c != '\0'; c++) {
        hash = (uint32_t)((uint64_t)(hash ^ (unsigned char)*c) * 0x01000193u & UINT32_MAX);
    }
    size_t i = hash % NUM_SLOTS;
    while (to->slots[i] != 0 && strcmp(to->words[to->slots[i] - 1], word) != 0) {
        i = (i + 1) % NUM_SLOTS;
    }
    return &to->slots[i];
}

/* put_word writes the number of a word that is told often, which stands in a list of its own; the
 * word itself where the list is full. */
static void put_word(lister *to, const char *word)
{
    uint16_t *slot = word == NULL ? NULL : slot_of(to, word);
    if (slot == NULL) {
        fh_out_str(&to->out, "null");
    } else if (*slot == 0 && to->num_words == MOST_WORDS) {
        fh_escape_script(&to->out, word);
    } else if (*slot != 0) {
        fh_html_number(&to->out, *slot - 1);
    } else {
        char *copy = strdup(word);
        to->no_memory = to->no_memory || copy == NULL;
        fh_html_number(&to->out, (int64_t)to->num_words);
        if (copy != NULL) {
            to->words[to->num_words++] = copy;
            *slot = (uint16_t)to->num_words;
        }
    }
}

static void put_words(fh_out *out, lister *to)
{
    for (size_t i = 0; i < to->num_words; i++) {
        fh_out_str(out, i == 0 ? "" : ",");
        fh_escape_script(out, to->words[i]);
        free(to->words[i]);
    }
}

static void put_bits(fh_text *value, const fh_field *field, int64_t number)
{
    const char *lead = " (";
    for (const fh_bits *bits = field->bits; bits->name != NULL; bits++) {
        fh_text_str(fh_text_str(fh_text_str(value, lead), bits->name), " ");
        fh_text_s64(value, fh_bits_value(bits, number));
        lead = ", ";
    }
    fh_text_str(value, lead[0] == ',' ? ")" : "");
}

/* Numbers that are told of one field; the bytes show the rest. */
enum { MOST_NUMBERS = 4 };

/* put_value writes the numbers of a field; null for a text, which its bytes show. */
static void put_value(fh_out *out, const fh_field *field, fh_cursor bytes)
{
    char buf[FH_MESSAGE_LEN];
    fh_text value = fh_text_make(buf, sizeof buf);
    const size_t num = field->width == 0 ? 0 : field->len / field->width;
    if (num == 0) {
        fh_out_str(out, "null");
        return;
    }
    for (size_t i = 0; i < num && i < MOST_NUMBERS; i++) {
        const int64_t number = fh_field_value(field, bytes, i);
        fh_text_s64(fh_text_str(&value, i == 0 ? "" : ", "), number);
        if (field->bits != NULL) {
            put_bits(&value, field, number);
        }
    }
    fh_text_str(&value, num > MOST_NUMBERS ? " ..." : "");
    fh_escape_script(out, value.buf);
}

static bool has_room(lister *to, const fh_field *field)
{
    if (field->off >= FH_HTML_MAX_BYTES || to->num_left_out > 0 || to->no_memory ||
        ftell(to->out.file) > FH_HTML_MAX_FIELDS) {
        to->num_left_out++;
        return false;
    }
    return true;
}

/* put_field writes what a group has too: its place, as the way from the end of the field before. */
static void put_field(lister *to, const fh_field *field, const char *kind)
{
    const int64_t number = field->index != FH_UNKNOWN ? field->index : field->number;
    const int64_t numbers[] = {(int64_t)field->off - (int64_t)to->end, (int64_t)field->len,
                               field->depth};
    fh_out_str(&to->out, to->num == 0 ? "[" : ",\n[");
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        fh_html_number(&to->out, numbers[i]);
        fh_out_str(&to->out, ",");
    }
    to->num++;
    to->end = field->off + field->len;
    put_word(to, kind);
    fh_out_str(&to->out, ",");
    put_word(to, field->name);
    fh_out_str(&to->out, ",");
    fh_html_number(&to->out, number < 0 ? -1 : number);
    fh_out_str(&to->out, ",");
}

/* put_rules ends a field, or a group, by the codes of the rules that look at it. */
static void put_rules(lister *to, const char *rules)
{
    if (rules != NULL) {
        fh_out_str(&to->out, ",");
        put_word(to, rules);
    }
    fh_out_str(&to->out, "]");
}

static void on_group(void *user, const fh_field *group)
{
    lister *to = user;
    if (has_room(to, group)) {
        fh_field place = *group;
        place.len = 0;
        put_field(to, &place, "group");
        fh_out_str(&to->out, "null,");
        put_word(to, group->type);
        put_rules(to, group->rules);
    }
}

static void on_field(void *user, const fh_field *field)
{
    lister *to = user;
    if (has_room(to, field)) {
        put_field(to, field, fh_kind_name(field->kind));
        put_value(&to->out, field, to->bytes);
        fh_out_str(&to->out, ",");
        put_word(to, field->is_cut ? "the asset ends inside it" : field->doc);
        put_rules(to, field->rules);
    }
}

static void on_end(void *user, size_t end)
{
    (void)user; /* the page goes by the depth */
    (void)end;
}

static void put_fields(fh_out *out, bool *no_memory, const fh_detail *detail)
{
    char *text = NULL;
    size_t len = 0;
    lister to = {.bytes = fh_cursor_make(detail->bytes, detail->len, 0)};
    if (!fh_out_to_memory(&to.out, &text, &len)) {
        *no_memory = true;
        fh_out_str(out, "[],\"words\":[],\"fields_left_out\":0,\"fields_status\":\"no memory\"");
        return;
    }
    const fh_field_sink sink = {&to, on_group, on_field, on_end};
    const fh_status status =
        detail->describe == NULL ? FH_UNSUPPORTED : detail->describe(detail->user, &sink);
    *no_memory = *no_memory || to.no_memory || fh_out_end(&to.out) != 0;
    if (fclose(to.out.file) != 0 || text == NULL) {
        *no_memory = true;
        len = 0;
    }
    fh_out_str(out, "[");
    fh_out_bytes(out, text == NULL ? "" : text, len);
    fh_out_str(out, "],\"words\":[");
    put_words(out, &to);
    fh_out_fmt(out, "],\"fields_left_out\":%" PRIu64 ",\"fields_status\":\"%s\"", to.num_left_out,
               fh_status_name(status));
    free(text);
}

/* What is known; the caller counts the characters. */
static void put_known(fh_out *out, bool *no_memory, const fh_detail *detail)
{
    const size_t kept = detail->len < FH_HTML_MAX_BYTES ? detail->len : FH_HTML_MAX_BYTES;
    fh_out_fmt(out, "{\"length\":%zu,\"is_text\":%s,\"bytes\":\"", detail->len,
               detail->is_text ? "true" : "false");
    (void)fh_base64(out, detail->bytes, kept, false);
    fh_out_str(out, "\",\n\"fields\":");
    put_fields(out, no_memory, detail);
    fh_out_str(out, ",\n\"scene\":");
    if (detail->look == NULL) {
        fh_out_str(out, "null");
    } else {
        fh_html_scene(out, no_memory, detail);
    }
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
    if (packed == NULL ||
        compress2(packed, &packed_len, (const Bytef *)text, len, Z_DEFAULT_COMPRESSION) != Z_OK) {
        *no_memory = true;
    } else {
        num_characters = fh_base64(out, packed, packed_len, false);
    }
    free(packed);
    return num_characters;
}

uint64_t fh_html_detail(fh_out *out, bool *no_memory, const fh_detail *detail)
{
    char *text = NULL;
    size_t len = 0;
    fh_out to;
    if (!fh_out_to_memory(&to, &text, &len)) {
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
