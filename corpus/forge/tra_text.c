#include "forge/tra_text.h"

#include "forge/repeat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUM_CHANNELS = 10, MAX_CHANNEL_TEXT = 2 << 20 };

/* The channels in the order in which they are written, and what keeps a bone at rest. */
static const struct {
    const char *name;
    const char *rest;
} channels[NUM_CHANNELS] = {{"translate.x", "0.000000"}, {"translate.y", "0.000000"},
                            {"translate.z", "0.000000"}, {"scale.x", "100.000000"},
                            {"scale.y", "100.000000"},   {"scale.z", "100.000000"},
                            {"rotate.x", "0.000000"},    {"rotate.y", "0.000000"},
                            {"rotate.z", "1.000000"},    {"roll", "0.000000"}};

typedef enum units { ASCII, UTF16LE, UTF16BE } units;

/* How chunks are spaced: as the manual's samples are, not at all but where two words would become
 * one, or with TABs and more blanks than needed. */
typedef enum blanks { BLANKS_ONE, BLANKS_NONE, BLANKS_MANY } blanks;

typedef struct script {
    forge_buf *out;
    const char *text;
    size_t len;
    size_t pos;
    bool is_begun;
    units units;
    blanks blanks;
    char last;      /* character of a chunk that was written last */
    bool is_spaced; /* blanks are due in front of the next one */
    const char *eol;
    int64_t frames;    /* of the figure, for the last key of a channel at rest */
    bool is_in_figure; /* a chunk Figure is open */
    bool is_in_bone;   /* its channels are written when it ends */
    bool is_in_dynamic;
    bool is_left_out[NUM_CHANNELS];
    forge_buf keys[NUM_CHANNELS]; /* what a line gave a channel; empty: at rest */
    bool is_given[NUM_CHANNELS];
    forge_repeat repeat;
    forge_line line;
} script;

/* ---- output ---- */

/* A unit above 255 is one of UTF-16: read_escape has seen to it. */
static void put_unit(script *s, uint16_t unit)
{
    const uint8_t low = (uint8_t)(unit & 0xff);
    const uint8_t high = (uint8_t)(unit >> 8);
    if (s->units == UTF16BE) {
        forge_buf_u8(s->out, high);
    }
    forge_buf_u8(s->out, low);
    if (s->units == UTF16LE) {
        forge_buf_u8(s->out, high);
    }
}

/* A line feed becomes the line end that was asked for. */
static void put_char(script *s, char c)
{
    if (c != '\n') {
        put_unit(s, (uint8_t)c);
        return;
    }
    for (const char *end = s->eol; *end != '\0'; end++) {
        put_unit(s, (uint8_t)*end);
    }
}

static bool is_delimiter(char c)
{
    return c == '(' || c == ')' || c == '"' || c == '\n';
}

/* Text of chunks, in the samples' form, with the blanks that were asked for. */
static void put_len(script *s, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (s->blanks == BLANKS_ONE) {
            put_char(s, text[i]);
        } else if (s->blanks == BLANKS_NONE && (text[i] == ' ' || text[i] == '\n')) {
            s->is_spaced = true;
        } else if (s->blanks == BLANKS_MANY && text[i] == ' ') {
            put_char(s, '\t');
            put_char(s, ' ');
        } else {
            if (s->is_spaced && !is_delimiter(s->last) && !is_delimiter(text[i])) {
                put_char(s, ' ');
            }
            put_char(s, text[i]);
            s->last = text[i];
            s->is_spaced = false;
        }
    }
}

static void put(script *s, const char *text)
{
    put_len(s, text, strlen(text));
}

static void put_word(script *s, const forge_word *word)
{
    put_len(s, word->at, word->len);
}

static void put_channel(script *s, size_t index)
{
    char rest[160];
    put(s, "    ( ");
    put(s, channels[index].name);
    put(s, "\n");
    if (s->is_given[index]) {
        put_len(s, (const char *)s->keys[index].data, s->keys[index].len);
    } else {
        (void)snprintf(rest, sizeof rest, "      ( kf 0 %s )\n", channels[index].rest);
        put(s, rest);
    }
    if (!s->is_given[index] && s->frames > 1) {
        (void)snprintf(rest, sizeof rest, "      ( kf %lld %s )\n", (long long)s->frames - 1,
                       channels[index].rest);
        put(s, rest);
    }
    put(s, "    )\n");
}

/* Ends the bone or the DynamicPolygons that is open. */
static void end_part(script *s)
{
    for (size_t i = 0; i < NUM_CHANNELS && s->is_in_bone; i++) {
        if (!s->is_left_out[i]) {
            put_channel(s, i);
        }
        forge_buf_free(&s->keys[i]);
        s->is_given[i] = false;
        s->is_left_out[i] = false;
    }
    if (s->is_in_bone || s->is_in_dynamic) {
        put(s, "  )\n");
    }
    s->is_in_bone = false;
    s->is_in_dynamic = false;
}

static void end_figure(script *s)
{
    end_part(s);
    if (s->is_in_figure) {
        put(s, ")\n");
    }
    s->is_in_figure = false;
}

/* ---- escapes of quoted words ---- */

static int hex_value(char c)
{
    const char *digits = "0123456789abcdef";
    const char *found = c == '\0' ? NULL : strchr(digits, c);
    return found == NULL ? -1 : (int)(found - digits);
}

/* Reads `num` digits; -1 if there are not so many. */
static int read_hex(const char *at, size_t left, size_t num)
{
    int value = 0;
    for (size_t i = 0; i < num; i++) {
        const int digit = i < left ? hex_value(at[i]) : -1;
        if (digit < 0) {
            return -1;
        }
        value = 16 * value + digit;
    }
    return value;
}

/* Reads what follows a backslash; -1 if there is no such escape. */
static int read_escape(const script *s, const char *at, size_t left, size_t *used)
{
    static const char names[] = "qtrnf\\";
    static const char values[] = "\"\t\r\n\f\\";
    const char *found = left == 0 || at[0] == '\0' ? NULL : strchr(names, at[0]);
    *used = 1;
    if (found != NULL) {
        return (uint8_t)values[found - names];
    }
    const bool is_unit = left > 0 && at[0] == 'u' && s->units != ASCII;
    if (left == 0 || (at[0] != 'x' && !is_unit)) {
        return -1;
    }
    const size_t num_digits = is_unit ? 4 : 2;
    *used = 1 + num_digits;
    return read_hex(at + 1, left - 1, num_digits);
}

static void put_index(script *s)
{
    char number[24];
    (void)snprintf(number, sizeof number, "%lld", (long long)s->line.index);
    put(s, number);
}

/* Writes a quoted word: \q is a double quote, \i the index of the repeat, \xHH a character, \uHHHH
 * a unit of UTF-16. A line feed written as \n is one, whatever the line ends are. */
static bool put_escaped(script *s, const forge_word *word)
{
    for (size_t i = 0; i < word->len; i++) {
        size_t used = 0;
        if (word->at[i] != '\\') {
            put_unit(s, (uint8_t)word->at[i]);
            continue;
        }
        if (i + 1 < word->len && word->at[i + 1] == 'i' && s->line.has_index) {
            put_index(s);
            i++;
            continue;
        }
        const int c = read_escape(s, word->at + i + 1, word->len - i - 1, &used);
        if (c < 0) {
            return forge_line_fail(&s->line, "unknown escape, expected \\q \\t \\r \\n \\f \\\\ "
                                             "\\xHH, \\uHHHH in UTF-16, or \\i in a repeat");
        }
        put_unit(s, (uint16_t)c);
        i += used;
    }
    return true;
}

/* ---- statements ---- */

static bool take_choice(script *s, const char *key, const char *const *names, size_t *out)
{
    forge_word word;
    if (!forge_line_option(&s->line, key, &word)) {
        return true;
    }
    for (size_t i = 0; names[i] != NULL; i++) {
        if (forge_word_is(&word, names[i])) {
            *out = i;
            return true;
        }
    }
    return forge_line_fail(&s->line, "%s: '%.*s' is not known here", key, forge_word_width(&word),
                           word.at);
}

static bool do_tra(script *s)
{
    static const char *const encodings[] = {"ascii", "utf16le", "utf16be", NULL};
    static const char *const ends[] = {"lf", "crlf", "cr", NULL};
    static const char *const texts[] = {"\n", "\r\n", "\r"};
    static const char *const flags[] = {"no", "yes", NULL};
    size_t encoding = 0;
    static const char *const spaces[] = {"one", "none", "many", NULL};
    size_t end = 0;
    size_t bom = 0;
    size_t space = 0;
    if (s->is_begun) {
        return forge_line_fail(&s->line, "'tra' stands only at the beginning");
    }
    if (!take_choice(s, "encoding", encodings, &encoding) || !take_choice(s, "eol", ends, &end) ||
        !take_choice(s, "bom", flags, &bom) || !take_choice(s, "blanks", spaces, &space)) {
        return false;
    }
    s->is_begun = true;
    s->units = (units)encoding;
    s->eol = texts[end];
    s->blanks = (blanks)space;
    s->last = '\n';
    if (bom != 0) {
        static const char *const marks[] = {"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"};
        forge_buf_bytes(s->out, marks[encoding], strlen(marks[encoding]));
    }
    return true;
}

/* `eol=` alone: other line ends from here on. */
static bool do_eol(script *s)
{
    static const char *const ends[] = {"lf", "crlf", "cr"};
    static const char *const texts[] = {"\n", "\r\n", "\r"};
    for (size_t i = 0; i < 3; i++) {
        if (forge_line_accept(&s->line, ends[i])) {
            s->eol = texts[i];
            return true;
        }
    }
    return forge_line_fail(&s->line, "expected lf, crlf or cr");
}

static bool do_magic(script *s)
{
    const forge_word *word = forge_line_next(&s->line);
    put(s, ";TRA");
    if (word != NULL && !put_escaped(s, word)) {
        return false;
    }
    put_char(s, '\n'); /* the comment ends, whatever the blanks are */
    s->last = '\n';
    return true;
}

static bool do_head(script *s)
{
    const forge_word *word = forge_line_next(&s->line);
    put(s, "( Head\n  ( traVersion ");
    if (word == NULL) {
        put(s, "4.0");
    } else {
        put_word(s, word);
    }
    put(s, " )\n)\n");
    return true;
}

/* A chunk with a name, if there is one. */
static bool put_name(script *s, const char *indent, const forge_word *word)
{
    if (word == NULL) {
        return true;
    }
    put(s, indent);
    put(s, "( name \"");
    if (!put_escaped(s, word)) {
        return false;
    }
    put(s, "\" )\n");
    return true;
}

static bool do_figure(script *s)
{
    const forge_range range = {.name = "figure", .min = INT32_MIN, .max = INT32_MAX};
    char text[64];
    end_figure(s);
    if (!forge_line_number(&s->line, range, &s->frames)) {
        return false;
    }
    put(s, "( Figure\n");
    if (!put_name(s, "  ", forge_line_next(&s->line))) {
        return false;
    }
    (void)snprintf(text, sizeof text, "  ( totalFrame %lld )\n", (long long)s->frames);
    put(s, text);
    s->is_in_figure = true;
    return true;
}

static bool do_bone(script *s)
{
    const forge_word *word = forge_line_next(&s->line);
    end_part(s);
    put(s, "  ( bone\n");
    if (!put_name(s, "    ", word)) {
        return false;
    }
    s->is_in_bone = true;
    for (size_t i = 0; i < NUM_CHANNELS; i++) {
        s->keys[i] = forge_buf_make(MAX_CHANNEL_TEXT);
    }
    return true;
}

static size_t find_channel(const forge_word *word)
{
    size_t i = 0;
    while (i < NUM_CHANNELS && !forge_word_is(word, channels[i].name)) {
        i++;
    }
    return i;
}

/* A number for `$`, else the word as it stands. */
static bool add_literal(script *s, forge_buf *to, const forge_word *word)
{
    const forge_range range = {.name = "index", .min = INT32_MIN, .max = INT32_MAX};
    char number[24];
    int64_t value = 0;
    if (word->quoted || word->at[0] != '$') {
        forge_buf_bytes(to, word->at, word->len);
        return true;
    }
    if (!forge_word_number(&s->line, word, range, &value)) {
        return false;
    }
    const int len = snprintf(number, sizeof number, "%lld", (long long)value);
    forge_buf_bytes(to, number, (size_t)len);
    return true;
}

/* A channel's keys: frame, value, frame, value ..., each copied as it stands. */
static bool do_channel(script *s, size_t index)
{
    forge_buf *keys = &s->keys[index];
    if (!s->is_in_bone) {
        return forge_line_fail(&s->line, "a channel stands in a bone");
    }
    s->is_given[index] = true;
    for (const forge_word *word = forge_line_next(&s->line); word != NULL;
         word = forge_line_next(&s->line)) {
        const forge_word *value = forge_line_next(&s->line);
        if (value == NULL) {
            return forge_line_fail(&s->line, "a key has a frame and a value");
        }
        forge_buf_bytes(keys, "      ( kf ", 11);
        if (!add_literal(s, keys, word)) {
            return false;
        }
        forge_buf_bytes(keys, " ", 1);
        if (!add_literal(s, keys, value)) {
            return false;
        }
        forge_buf_bytes(keys, " )\n", 3);
    }
    return keys->state == FORGE_BUF_OK ||
           forge_line_fail(&s->line, "a channel has more than %d bytes of keys", MAX_CHANNEL_TEXT);
}

static bool do_omit(script *s)
{
    if (!s->is_in_bone) {
        return forge_line_fail(&s->line, "'omit' stands in a bone");
    }
    for (const forge_word *word = forge_line_next(&s->line); word != NULL;
         word = forge_line_next(&s->line)) {
        const size_t index = find_channel(word);
        if (index == NUM_CHANNELS) {
            return forge_line_fail(&s->line, "'%.*s' is no channel", forge_word_width(word),
                                   word->at);
        }
        s->is_left_out[index] = true;
    }
    return true;
}

static bool do_dynamic(script *s)
{
    end_part(s);
    put(s, "  ( DynamicPolygons\n");
    s->is_in_dynamic = true;
    return true;
}

static bool do_kgf(script *s)
{
    forge_buf words = forge_buf_make(MAX_CHANNEL_TEXT);
    bool ok = true;
    for (const forge_word *word = forge_line_next(&s->line); ok && word != NULL;
         word = forge_line_next(&s->line)) {
        forge_buf_bytes(&words, " ", 1);
        ok = add_literal(s, &words, word);
    }
    put(s, "    ( kgf");
    put_len(s, (const char *)words.data, words.len);
    put(s, " )\n");
    if (ok && words.state != FORGE_BUF_OK) {
        ok = forge_line_fail(&s->line, "a key has more than %d bytes", MAX_CHANNEL_TEXT);
    }
    forge_buf_free(&words);
    return ok;
}

static bool do_end(script *s)
{
    end_part(s);
    return true;
}

static bool do_close(script *s)
{
    end_figure(s);
    return true;
}

static bool put_texts(script *s)
{
    for (const forge_word *word = forge_line_next(&s->line); word != NULL;
         word = forge_line_next(&s->line)) {
        if (!put_escaped(s, word)) {
            return false;
        }
    }
    return true;
}

static bool do_line(script *s)
{
    if (!put_texts(s)) {
        return false;
    }
    put_char(s, '\n');
    s->last = '\n';
    return true;
}

/* Characters by number, `times` of them one after the other. */
static bool do_char(script *s)
{
    const forge_range range = {.name = "char", .min = 0, .max = 255};
    const forge_range many = {.name = "times", .min = 0, .max = FORGE_TRA_LIMIT};
    int64_t times = 1;
    int64_t value = 0;
    if (!forge_line_option_number(&s->line, many, &times, NULL)) {
        return false;
    }
    while (forge_line_peek(&s->line) != NULL) {
        if (!forge_line_number(&s->line, range, &value)) {
            return false;
        }
        for (int64_t i = 0; i < times; i++) {
            put_unit(s, (uint8_t)value);
        }
    }
    return true;
}

/* Bytes as they are, in whatever encoding the text is. */
static bool do_byte(script *s)
{
    const forge_range range = {.name = "byte", .min = 0, .max = 255};
    int64_t value = 0;
    while (forge_line_peek(&s->line) != NULL) {
        if (!forge_line_number(&s->line, range, &value)) {
            return false;
        }
        forge_buf_u8(s->out, (uint8_t)value);
    }
    return true;
}

static bool do_cut(script *s)
{
    const forge_range range = {.name = "cut", .min = 0, .max = (int64_t)s->out->len};
    int64_t num = 0;
    if (!forge_repeat_outside(&s->repeat, &s->line, "cut") ||
        !forge_line_number(&s->line, range, &num)) {
        return false;
    }
    s->out->len -= (size_t)num <= s->out->len ? (size_t)num : s->out->len;
    return true;
}

/* The opposite of cut: what stands in front is taken away. */
static bool do_from(script *s)
{
    const forge_range range = {.name = "from", .min = 0, .max = (int64_t)s->out->len};
    int64_t num = 0;
    if (!forge_repeat_outside(&s->repeat, &s->line, "from") ||
        !forge_line_number(&s->line, range, &num)) {
        return false;
    }
    const size_t gone = (size_t)num <= s->out->len ? (size_t)num : s->out->len;
    if (gone > 0) {
        memmove(s->out->data, s->out->data + gone, s->out->len - gone);
    }
    s->out->len -= gone;
    return true;
}

static bool do_repeat(script *s)
{
    return forge_repeat_begin(&s->repeat, &s->line, s->pos);
}

static bool do_endrepeat(script *s)
{
    return forge_repeat_end(&s->repeat, &s->line, &s->pos);
}

static const struct {
    const char *name;
    bool (*run)(script *s);
} statements[] = {{"tra", do_tra},
                  {"eol", do_eol},
                  {"magic", do_magic},
                  {"head", do_head},
                  {"figure", do_figure},
                  {"bone", do_bone},
                  {"omit", do_omit},
                  {"dynamic", do_dynamic},
                  {"kgf", do_kgf},
                  {"end", do_end},
                  {"close", do_close},
                  {"line", do_line},
                  {"text", put_texts},
                  {"char", do_char},
                  {"byte", do_byte},
                  {"cut", do_cut},
                  {"from", do_from},
                  {"repeat", do_repeat},
                  {"endrepeat", do_endrepeat}};

static bool run_statement(script *s)
{
    const forge_word *name = forge_line_next(&s->line);
    if (name == NULL) {
        return forge_line_end(&s->line);
    }
    const size_t channel = find_channel(name);
    if (!s->is_begun && !forge_word_is(name, "tra")) {
        return forge_line_fail(&s->line, "a description begins with 'tra'");
    }
    if (channel < NUM_CHANNELS) {
        return do_channel(s, channel);
    }
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        if (forge_word_is(name, statements[i].name)) {
            return statements[i].run(s) && forge_line_end(&s->line);
        }
    }
    return forge_line_fail(&s->line,
                           "'%.*s' is unknown, expected a statement such as bone, roll "
                           "or line",
                           forge_word_width(name), name->at);
}

static bool step(script *s)
{
    if (!forge_repeat_step(&s->repeat, &s->line) ||
        !forge_line_read(&s->line, s->text, s->len, &s->pos)) {
        return false;
    }
    if (s->line.num_words > 0 && !run_statement(s)) {
        return false;
    }
    if (s->out->state == FORGE_BUF_OK) {
        return true;
    }
    return s->out->state == FORGE_BUF_FULL
               ? forge_line_fail(&s->line, "the output is longer than allowed")
               : forge_fail(s->line.err, FORGE_IO, s->line.number, "out of memory");
}

bool forge_tra_text(forge_buf *out, forge_error *err, const char *text, size_t len, size_t limit)
{
    *out = forge_buf_make(limit);
    script *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return forge_fail(err, FORGE_IO, 0, "out of memory");
    }
    s->out = out;
    s->text = text;
    s->len = len;
    s->eol = "\n";
    s->line.err = err;
    bool ok = true;
    while (ok && s->pos < len) {
        ok = step(s);
    }
    ok = ok && forge_repeat_closed(&s->repeat, &s->line);
    if (ok && !s->is_begun) {
        ok = forge_fail(err, FORGE_BAD, 0, "the description is empty, expected 'tra'");
    }
    end_figure(s);
    for (size_t i = 0; i < NUM_CHANNELS; i++) {
        forge_buf_free(&s->keys[i]);
    }
    free(s);
    return ok;
}
