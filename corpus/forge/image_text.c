#include "forge/image_text.h"

#include "forge/iso.h"
#include "forge/line.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_SECTORS = FORGE_LAST_LBA - FORGE_FIRST_LBA + 1,
    ANY_INTERLEAVE_SUBMODE = 0x64, /* real time, Form 2, audio: what real streams have */
    MAX_PREFIX = 1 << 30,
    MAX_IDENTIFIER = 32
};

typedef struct script {
    forge_image *image;
    forge_error *err;
    const char *root;
    unsigned weave_line; /* of the last weave, and the files that it still waits for */
    unsigned num_strands;
    unsigned interleave_line; /* of an interleave that waits for its file; 0: none */
    bool has_cut;
    forge_line line;
} script;

static forge_range range_of(const char *name, int64_t min, int64_t max)
{
    return (forge_range){.name = name, .min = min, .max = max};
}

/* ---- file names ---- */

static bool open_source(script *s, const forge_word *name, forge_source *source)
{
    size_t root_len = strlen(s->root);
    bool absolute = name->len > 0 && name->at[0] == '/';
    char *path = calloc(root_len + name->len + 2, 1);
    if (path == NULL) {
        return forge_fail(s->err, FORGE_IO, s->line.number, "out of memory");
    }
    size_t used = 0;
    if (!absolute && root_len > 0) {
        memcpy(path, s->root, root_len);
        path[root_len] = '/';
        used = root_len + 1;
    }
    memcpy(path + used, name->at, name->len);
    bool ok = forge_source_file(source, s->err, s->line.number, path);
    free(path);
    return ok;
}

static bool read_source(script *s, forge_source *source)
{
    const forge_word *name = forge_line_next(&s->line);
    if (name == NULL) {
        return forge_line_fail(&s->line, "a file name is missing");
    }
    return open_source(s, name, source);
}

/* < FILE */
static bool read_from(script *s, forge_source *source)
{
    if (!forge_line_accept(&s->line, "<")) {
        return forge_line_fail(&s->line, "'<' is missing, expected '< FILE'");
    }
    return read_source(s, source);
}

/* ---- image ---- */

/* The next piece of a word up to a colon. */
static forge_word cut_piece(forge_word *rest)
{
    const char *colon = memchr(rest->at, ':', rest->len);
    size_t len = colon != NULL ? (size_t)(colon - rest->at) : rest->len;
    forge_word piece = {.at = rest->at, .len = len};
    size_t used = colon != NULL ? len + 1 : len;
    rest->at += used;
    rest->len -= used;
    return piece;
}

static bool read_start(script *s, int32_t *first_lba)
{
    static const forge_range ranges[3] = {
        {"minute of start=MM:SS:FF", 0, 99},
        {"second of start=MM:SS:FF", 0, 59},
        {"frame of start=MM:SS:FF", 0, 74},
    };
    forge_word rest;
    if (!forge_line_option(&s->line, "start", &rest)) {
        return true;
    }
    int64_t msf[3];
    for (size_t i = 0; i < 3; i++) {
        forge_word piece = cut_piece(&rest);
        if (!forge_word_number(&s->line, &piece, ranges[i], &msf[i])) {
            return false;
        }
    }
    if (rest.len > 0) {
        return forge_line_fail(&s->line, "start has too many parts, expected MM:SS:FF");
    }
    *first_lba = (int32_t)((msf[0] * 60 + msf[1]) * 75 + msf[2] - FORGE_ANCHOR);
    return true;
}

static bool read_stride(script *s, forge_image_options *options)
{
    int64_t stride = 0;
    bool found = false;
    if (!forge_line_option_number(&s->line, range_of("stride", 2048, 2448), &stride, &found)) {
        return false;
    }
    if (stride != 2048 && stride != 2336 && stride != 2352 && stride != 2368 && stride != 2448) {
        return forge_line_fail(&s->line, "stride is %s, expected 2048, 2336, 2352, 2368 or 2448",
                               found ? "none of those known" : "missing");
    }
    options->stride = (uint32_t)stride;
    return true;
}

static bool read_mode(script *s, forge_image_options *options)
{
    int64_t mode = 2;
    if (!forge_line_option_number(&s->line, range_of("mode", 1, 2), &mode, NULL)) {
        return false;
    }
    if (mode == 1 && options->stride == 2336) {
        return forge_line_fail(&s->line, "stride=2336 holds Mode 2 sectors, expected mode=2");
    }
    options->mode = (unsigned)mode;
    return true;
}

/* prefix=N zero bytes, or prefix=FILE. */
static bool read_prefix(script *s, forge_source *prefix)
{
    forge_word word;
    if (!forge_line_option(&s->line, "prefix", &word)) {
        return true;
    }
    if (word.len == 0 || word.at[0] < '0' || word.at[0] > '9') {
        return open_source(s, &word, prefix);
    }
    int64_t len = 0;
    if (!forge_word_number(&s->line, &word, range_of("prefix", 0, MAX_PREFIX), &len)) {
        return false;
    }
    *prefix = forge_source_zero((uint64_t)len);
    return true;
}

static bool do_image(script *s)
{
    forge_image_options options = {0};
    forge_source prefix = forge_source_zero(0);
    if (!read_stride(s, &options) || !read_mode(s, &options) ||
        !read_start(s, &options.first_lba) || !read_prefix(s, &prefix) ||
        !forge_line_end(&s->line)) {
        forge_source_free(&prefix);
        return false;
    }
    s->image = forge_image_new(&options);
    if (s->image == NULL) {
        forge_source_free(&prefix);
        return forge_fail(s->err, FORGE_IO, s->line.number, "out of memory");
    }
    forge_image_prefix(s->image, prefix);
    return true;
}

/* ---- volume ---- */

static bool read_identifier(script *s, const forge_word *word, const char *what, char *out)
{
    if (!forge_iso_name_ok(word->at, word->len)) {
        return forge_line_fail(&s->line,
                               "'%.*s' cannot be a %s, expected 1..%d characters A-Z, 0-9 or _",
                               forge_word_width(word), word->at, what, MAX_IDENTIFIER);
    }
    memcpy(out, word->at, word->len);
    out[word->len] = '\0';
    return true;
}

static bool do_iso(script *s)
{
    char volume[MAX_IDENTIFIER + 1];
    char system[MAX_IDENTIFIER + 1] = "PLAYSTATION";
    forge_word option;
    const forge_word *word = forge_line_next(&s->line);
    if (word == NULL) {
        return forge_line_fail(&s->line, "the volume's name is missing, expected iso VOLUME-ID");
    }
    if (!read_identifier(s, word, "volume name", volume)) {
        return false;
    }
    if (forge_line_option(&s->line, "system", &option) &&
        !read_identifier(s, &option, "system name", system)) {
        return false;
    }
    if (forge_line_option(&s->line, "joliet", &option) && !forge_word_is(&option, "no")) {
        return forge_line_fail(&s->line, "'joliet=%.*s' cannot be built, expected joliet=no",
                               forge_word_width(&option), option.at);
    }
    return forge_line_end(&s->line) && forge_image_iso(s->image, s->err, volume, system);
}

/* ---- content ---- */

/* at=LBA, and the end of the line of everything that takes up sectors. */
static bool read_place(script *s)
{
    int64_t lba = 0;
    bool found = false;
    if (!forge_line_option_number(&s->line, range_of("at", FORGE_FIRST_LBA, FORGE_LAST_LBA), &lba,
                                  &found) ||
        !forge_line_end(&s->line)) {
        return false;
    }
    if (found) {
        forge_image_at(s->image, (int32_t)lba);
    }
    return true;
}

static bool read_count(script *s, uint32_t *num)
{
    int64_t value = 0;
    if (!forge_line_number(&s->line, range_of("number of sectors", 1, MAX_SECTORS), &value)) {
        return false;
    }
    *num = (uint32_t)value;
    return true;
}

static bool option_u8(script *s, const char *name, uint8_t *out)
{
    int64_t value = *out;
    if (!forge_line_option_number(&s->line, range_of(name, 0, UINT8_MAX), &value, NULL)) {
        return false;
    }
    *out = (uint8_t)value;
    return true;
}

static bool option_u32(script *s, const char *name, uint32_t *out, bool *found)
{
    int64_t value = *out;
    if (!forge_line_option_number(&s->line, range_of(name, 0, UINT32_MAX), &value, found)) {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

static bool read_subheader(script *s, forge_subheader *sub, uint8_t *fill)
{
    return option_u8(s, "file", &sub->file) && option_u8(s, "channel", &sub->channel) &&
           option_u8(s, "submode", &sub->submode) && option_u8(s, "coding", &sub->coding) &&
           option_u8(s, "fill", fill);
}

static bool read_entry(script *s, forge_image_entry *entry)
{
    int64_t form = 1;
    if (!forge_line_option_number(&s->line, range_of("form", 1, 2), &form, NULL) ||
        !option_u32(s, "size", &entry->size, &entry->lie_size) ||
        !option_u32(s, "block", &entry->block, &entry->lie_block)) {
        return false;
    }
    entry->form2 = form == 2;
    return read_place(s);
}

static bool do_file(script *s)
{
    forge_source source = forge_source_zero(0);
    forge_image_entry entry = {0};
    const forge_word *path = forge_line_next(&s->line);
    if (path == NULL) {
        return forge_line_fail(&s->line, "the path is missing, expected file PATH < FILE");
    }
    if (!read_from(s, &source)) {
        return false;
    }
    if (!read_entry(s, &entry)) {
        forge_source_free(&source);
        return false;
    }
    s->interleave_line = 0;
    s->num_strands -= s->num_strands > 0 ? 1 : 0;
    size_t root = path->len > 0 && path->at[0] == '/' ? 1 : 0;
    return forge_image_file(s->image, s->err, path->at + root, path->len - root, source, &entry);
}

static bool do_hidden(script *s)
{
    forge_source source = forge_source_zero(0);
    int64_t skip = 0;
    if (!read_from(s, &source)) {
        return false;
    }
    if (!forge_line_option_number(&s->line, range_of("skip", 0, FORGE_FORM1_LEN - 1), &skip,
                                  NULL) ||
        !read_place(s)) {
        forge_source_free(&source);
        return false;
    }
    return forge_image_hidden(s->image, s->err, source, (uint32_t)skip);
}

static bool do_form2(script *s)
{
    uint32_t num = 0;
    forge_subheader sub = {.submode = FORGE_DATA | FORGE_FORM2_BIT};
    uint8_t fill = 0;
    int64_t edc = 1;
    return read_count(s, &num) && read_subheader(s, &sub, &fill) &&
           forge_line_option_number(&s->line, range_of("edc", 0, 1), &edc, NULL) && read_place(s) &&
           forge_image_form2(s->image, s->err, num, &sub, fill, edc == 0);
}

static bool do_audio(script *s)
{
    uint32_t num = 0;
    uint8_t fill = 0;
    return read_count(s, &num) && option_u8(s, "fill", &fill) && read_place(s) &&
           forge_image_audio(s->image, s->err, num, fill);
}

typedef bool add_sectors(forge_image *image, forge_error *err, uint32_t num);

static bool do_sectors(script *s, add_sectors *add)
{
    uint32_t num = 0;
    return read_count(s, &num) && read_place(s) && add(s->image, s->err, num);
}

static bool do_mode0(script *s)
{
    return do_sectors(s, forge_image_mode0);
}

static bool do_gap(script *s)
{
    return do_sectors(s, forge_image_gap);
}

static bool do_missing(script *s)
{
    return do_sectors(s, forge_image_missing);
}

static bool do_raw(script *s)
{
    forge_source source = forge_source_zero(0);
    if (!read_source(s, &source)) {
        return false;
    }
    if (!read_place(s)) {
        forge_source_free(&source);
        return false;
    }
    return forge_image_raw(s->image, s->err, source);
}

static bool do_interleave(script *s)
{
    const forge_range range = range_of("number of sectors", 1, UINT8_MAX);
    int64_t counts[2] = {0, 0};
    forge_interleave how = {.sub = {.channel = 1, .submode = ANY_INTERLEAVE_SUBMODE}};
    if (!forge_line_numbers(&s->line, range, 2, counts)) {
        return false;
    }
    how.by_xa = forge_line_accept(&s->line, "xa");
    if (!read_subheader(s, &how.sub, &how.fill) || !forge_line_end(&s->line)) {
        return false;
    }
    how.unit = (uint8_t)counts[0];
    how.gap = (uint8_t)counts[1];
    forge_image_interleave(s->image, &how);
    s->interleave_line = s->line.number;
    return true;
}

static bool do_weave(script *s)
{
    static const char *const names[] = {[FORGE_WEAVE_UNIT] = "unit",
                                        [FORGE_WEAVE_EXTENTS] = "extents",
                                        [FORGE_WEAVE_XA] = "xa",
                                        [FORGE_WEAVE_CHANNEL] = "channel"};
    const forge_range range = range_of("number of files and sectors", 1, UINT8_MAX);
    int64_t counts[2] = {0, 0};
    if (!forge_line_numbers(&s->line, range, 2, counts)) {
        return false;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (forge_line_accept(&s->line, names[i])) {
            const forge_weave how = {(uint8_t)counts[0], (uint8_t)counts[1], (forge_weave_by)i};
            s->weave_line = s->line.number;
            s->num_strands = how.num;
            return read_place(s) && forge_image_weave(s->image, s->err, &how);
        }
    }
    return forge_line_fail(&s->line, "weave how? expected unit, extents, xa or channel");
}

/* ---- damage ---- */

static bool do_bad(script *s)
{
    static const struct {
        const char *name;
        forge_damage what;
    } fields[] = {
        {"sync", FORGE_BAD_SYNC},
        {"header", FORGE_BAD_HEADER},
        {"edc", FORGE_BAD_EDC},
        {"ecc", FORGE_BAD_ECC},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (forge_line_accept(&s->line, fields[i].name)) {
            int64_t lba = 0;
            return forge_line_number(&s->line, range_of("LBA", FORGE_FIRST_LBA, FORGE_LAST_LBA),
                                     &lba) &&
                   forge_line_end(&s->line) &&
                   forge_image_damage(s->image, s->err, (int32_t)lba, fields[i].what);
        }
    }
    return forge_line_fail(&s->line, "bad what? expected sync, header, edc or ecc and an LBA");
}

static bool do_noedc(script *s)
{
    forge_image_no_edc(s->image);
    return forge_line_end(&s->line);
}

static bool do_nofill(script *s)
{
    forge_image_no_fill(s->image);
    return forge_line_end(&s->line);
}

static bool do_cut(script *s)
{
    int64_t len = 0;
    if (s->has_cut) {
        return forge_line_fail(&s->line, "'cut' again, expected it once");
    }
    if (!forge_line_number(&s->line, range_of("number of bytes", 0, UINT32_MAX), &len) ||
        !forge_line_end(&s->line)) {
        return false;
    }
    s->has_cut = true;
    forge_image_cut(s->image, (uint64_t)len);
    return true;
}

/* ---- statements ---- */

typedef struct statement {
    const char *name;
    bool (*run)(script *s);
} statement;

static const statement statements[] = {
    {"image", do_image},   {"iso", do_iso},       {"file", do_file},
    {"hidden", do_hidden}, {"form2", do_form2},   {"audio", do_audio},
    {"mode0", do_mode0},   {"gap", do_gap},       {"missing", do_missing},
    {"raw", do_raw},       {"bad", do_bad},       {"interleave", do_interleave},
    {"noedc", do_noedc},   {"nofill", do_nofill}, {"cut", do_cut},
    {"weave", do_weave},
};

static const statement *find_statement(const forge_word *name)
{
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        if (forge_word_is(name, statements[i].name)) {
            return &statements[i];
        }
    }
    return NULL;
}

static bool run_line(script *s)
{
    if (s->line.num_words == 0) {
        return true;
    }
    const forge_word *name = forge_line_next(&s->line);
    const statement *what = find_statement(name);
    if (what == NULL) {
        return forge_line_fail(&s->line,
                               "'%.*s' is unknown, expected a statement such as image, "
                               "iso, file or form2",
                               forge_word_width(name), name->at);
    }
    bool is_header = what->run == do_image;
    if (is_header != (s->image == NULL)) {
        return forge_line_fail(&s->line,
                               is_header ? "'%s' again: a description has one header"
                                         : "'%s' before the header, expected 'image' first",
                               what->name);
    }
    if (!is_header) {
        forge_image_line(s->image, s->line.number);
    }
    return what->run(s);
}

static bool run(script *s, const char *text, size_t len)
{
    size_t pos = 0;
    while (pos < len) {
        s->line.number++;
        if (!forge_line_read(&s->line, text, len, &pos) || !run_line(s)) {
            return false;
        }
    }
    if (s->image == NULL) {
        return forge_line_fail(&s->line, "nothing is described, expected 'image' first");
    }
    if (s->num_strands > 0) {
        s->line.number = s->weave_line;
        return forge_line_fail(&s->line, "%u files of the weave are missing", s->num_strands);
    }
    if (s->interleave_line != 0) {
        s->line.number = s->interleave_line;
        return forge_line_fail(&s->line, "no file follows the interleave, expected one");
    }
    return true;
}

bool forge_image_text(forge_image **image, forge_error *err, const char *text, size_t len,
                      const char *root)
{
    *image = NULL;
    script *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return forge_fail(err, FORGE_IO, 0, "out of memory");
    }
    s->err = err;
    s->root = root;
    s->line.err = err;
    bool ok = run(s, text, len);
    if (ok) {
        *image = s->image;
    } else {
        forge_image_free(s->image);
    }
    free(s);
    return ok;
}
