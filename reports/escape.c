#include "reports/escape.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

/* The longest piece is a character of 4 bytes or an escape of 6, and a terminator. */
#define PIECE_LEN 12u

/* piece_fn puts what stands for the first character of str and returns how many bytes it took. */
typedef size_t piece_fn(fh_text *piece, const char *str);

/* sequence_len returns the length that a first byte announces, 0 if no sequence begins with it. */
static size_t sequence_len(unsigned char first)
{
    if (first < 0x80) {
        return 1;
    }
    if (first < 0xc2 || first > 0xf4) {
        return 0;
    }
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* decode returns the length of the character at str, 0 if there is no valid one. The terminator is
 * no continuation byte, so that nothing is read behind it. */
static size_t decode(uint32_t *code, const char *str)
{
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t len = sequence_len((unsigned char)str[0]);
    uint32_t value = (unsigned char)str[0] & masks[len];
    for (size_t i = 1; i < len; i++) {
        unsigned char next = (unsigned char)str[i];
        if ((next & 0xc0) != 0x80) {
            return 0;
        }
        value = value << 6 | (next & 0x3fu);
    }
    bool surrogate = value >= 0xd800 && value <= 0xdfff;
    *code = value;
    return value < least[len] || value > 0x10ffff || surrogate ? 0 : len;
}

static bool is_unsafe(uint32_t code)
{
    static const struct {
        uint32_t first;
        uint32_t last;
    } ranges[] = {
        {0x00, 0x1f},     {0x7f, 0x9f},     {0x061c, 0x061c}, {0x200e, 0x200f},
        {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfeff, 0xfeff},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (code >= ranges[i].first && code <= ranges[i].last) {
            return true;
        }
    }
    return false;
}

/* Logs of build services are read for commands, on whatever line they stand: ##[...] and ##vso[...]
 * (Azure Pipelines, the older ones of GitHub), ##teamcity[...], and :: behind nothing but blanks
 * (GitHub). Without the first of the two characters there is none. */
static bool begins_command(const char *str)
{
    return (str[0] == '#' || str[0] == ':') && str[1] == str[0];
}

static void put_hex(fh_text *piece, const char *lead, uint32_t value, unsigned num_digits)
{
    fh_text_str(piece, lead);
    for (unsigned i = num_digits; i > 0; i--) {
        char digit[] = {"0123456789abcdef"[value >> (4 * (i - 1)) & 0xf], '\0'};
        fh_text_str(piece, digit);
    }
}

static void put_char(fh_text *piece, const char *str, size_t len)
{
    char whole[5] = {0};
    assert(len < sizeof whole);
    memcpy(whole, str, len);
    fh_text_str(piece, whole);
}

static const char *short_escape(uint32_t code)
{
    switch (code) {
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return NULL;
    }
}

static size_t text_piece(fh_text *piece, const char *str)
{
    uint32_t code = 0;
    size_t len = decode(&code, str);
    if (len == 0) {
        put_hex(piece, "\\x", (unsigned char)str[0], 2);
        return 1;
    }
    if (short_escape(code) != NULL) {
        fh_text_str(piece, short_escape(code));
    } else if (is_unsafe(code) || begins_command(str)) {
        bool byte = code < 0x80;
        put_hex(piece, byte ? "\\x" : "\\u", code, byte ? 2 : 4);
    } else {
        put_char(piece, str, len);
    }
    return len;
}

static size_t json_piece(fh_text *piece, const char *str)
{
    uint32_t code = 0;
    size_t len = decode(&code, str);
    if (len == 0) {
        fh_text_str(piece, "\\ufffd");
        return 1;
    }
    if (code == '"' || code == '\\') {
        fh_text_str(piece, code == '"' ? "\\\"" : "\\\\");
    } else if (is_unsafe(code) || begins_command(str)) {
        put_hex(piece, "\\u", code, 4);
    } else {
        put_char(piece, str, len);
    }
    return len;
}

static size_t script_piece(fh_text *piece, const char *str)
{
    if (strchr("<>&", str[0]) != NULL) {
        put_hex(piece, "\\u", (unsigned char)str[0], 4);
        return 1;
    }
    return json_piece(piece, str);
}

/* Programs for tables take a cell that begins so for a formula, quotes or not, which may start
 * programs and fetch pages. Numbers and sums of them are left. */
static bool is_formula(const char *str)
{
    return str[0] != '\0' && strchr("=+-@", str[0]) != NULL &&
           str[strspn(str, "0123456789.+-eE")] != '\0';
}

static size_t csv_piece(fh_text *piece, const char *str)
{
    if (str[0] == '"') {
        fh_text_str(piece, "\"\"");
        return 1;
    }
    return text_piece(piece, str);
}

/* Noncharacters are no Char of XML 1.0. */
static size_t xml_piece(fh_text *piece, const char *str)
{
    static const struct {
        char letter;
        const char *entity;
    } entities[] = {
        {'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&apos;"}};
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
        if (str[0] == entities[i].letter) {
            fh_text_str(piece, entities[i].entity);
            return 1;
        }
    }
    uint32_t code = 0;
    const size_t len = decode(&code, str);
    if (len > 0 && (code == 0xfffe || code == 0xffff)) {
        put_hex(piece, "\\u", code, 4);
        return len;
    }
    return text_piece(piece, str);
}

static size_t uri_piece(fh_text *piece, const char *str)
{
    static const char upper[] = "0123456789ABCDEF"; /* as RFC 3986 wants it */
    static const char kept[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "-._~/";
    const unsigned char byte = (unsigned char)str[0];
    if (strchr(kept, str[0]) != NULL) {
        put_char(piece, str, 1);
        return 1;
    }
    const char code[] = {'%', upper[byte >> 4], upper[byte & 0xf], '\0'};
    fh_text_str(piece, code);
    return 1;
}

static size_t command_piece(fh_text *piece, const char *str)
{
    if (strchr("%\r\n", str[0]) != NULL) {
        return uri_piece(piece, str);
    }
    if (strchr("\\:#", str[0]) != NULL) { /* what is in a command is searched for no other one */
        put_char(piece, str, 1);
        return 1;
    }
    return text_piece(piece, str);
}

static size_t property_piece(fh_text *piece, const char *str)
{
    return strchr(":,", str[0]) != NULL ? uri_piece(piece, str) : command_piece(piece, str);
}

static void write_pieces(fh_out *out, const char *str, piece_fn *next)
{
    while (*str != '\0') {
        char buf[PIECE_LEN];
        fh_text piece = fh_text_make(buf, sizeof buf);
        str += next(&piece, str);
        fh_out_bytes(out, piece.buf, piece.len);
    }
}

void fh_escape_text(fh_out *out, const char *str)
{
    write_pieces(out, str, text_piece);
}

static void write_string(fh_out *out, const char *str, piece_fn *next)
{
    if (str == NULL) {
        fh_out_str(out, "null");
        return;
    }
    fh_out_str(out, "\"");
    write_pieces(out, str, next);
    fh_out_str(out, "\"");
}

void fh_escape_json(fh_out *out, const char *str)
{
    write_string(out, str, json_piece);
}

void fh_escape_script(fh_out *out, const char *str)
{
    write_string(out, str, script_piece);
}

void fh_escape_csv(fh_out *out, const char *str)
{
    if (str != NULL) {
        fh_out_str(out, is_formula(str) ? "\"'" : "\"");
        write_pieces(out, str, csv_piece);
        fh_out_str(out, "\"");
    }
}

void fh_escape_into(fh_text *text, const char *str)
{
    while (*str != '\0') {
        char buf[PIECE_LEN];
        fh_text piece = fh_text_make(buf, sizeof buf);
        str += text_piece(&piece, str);
        fh_text_str(text, piece.buf);
    }
}

void fh_escape_xml(fh_out *out, const char *str)
{
    write_pieces(out, str, xml_piece);
}

void fh_escape_uri(fh_out *out, const char *str)
{
    write_pieces(out, str, uri_piece);
}

void fh_escape_command(fh_out *out, const char *str, bool is_property)
{
    write_pieces(out, str, is_property ? property_piece : command_piece);
}
