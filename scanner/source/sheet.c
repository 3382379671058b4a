#include "source/sheet_impl.h"

#include "source/limits.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- kinds ----------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool (*is)(const fh_cursor *bytes);
    void (*read)(fh_sheet *sheet, const fh_cursor *bytes, fh_tallies *faults);
} kinds[] = {
    [FH_SHEET_CUE] = {"cue sheet", fh_cue_is, fh_cue_read},
    [FH_SHEET_CCD] = {"CCD", fh_ccd_is, fh_ccd_read},
    [FH_SHEET_MDS] = {"MDS", fh_mds_is, fh_mds_read},
};
enum { NUM_KINDS = sizeof kinds / sizeof kinds[0] };

fh_sheet_kind fh_sheet_kind_of(const fh_cursor *bytes)
{
    const fh_cursor first =
        fh_cursor_sub(bytes, 0, bytes->size < FH_SHEET_LOOK ? bytes->size : FH_SHEET_LOOK);
    for (unsigned i = FH_SHEET_CUE; i < NUM_KINDS; i++) {
        if (kinds[i].is(&first)) {
            return (fh_sheet_kind)i;
        }
    }
    return FH_SHEET_NONE;
}

const char *fh_sheet_kind_name(fh_sheet_kind kind)
{
    return kinds[kind].name;
}

bool fh_sheet_read(fh_sheet **out, fh_sheet_kind kind, const fh_cursor *bytes, bool is_cut,
                   fh_tallies *faults)
{
    fh_sheet *sheet = calloc(1, sizeof *sheet);
    *out = sheet;
    if (sheet == NULL) {
        return false;
    }
    sheet->kind = kind;
    if (is_cut) {
        fh_tally *tally = fh_tally_add(faults, FH_IMG0020, (int64_t)bytes->size, "length");
        if (tally != NULL) {
            fh_text text = fh_text_make(tally->found, sizeof tally->found);
            fh_text_str(&text, "more than can be read");
            text = fh_text_make(tally->expected, sizeof tally->expected);
            fh_text_str(fh_text_u64(fh_text_str(&text, "at most "), bytes->size), " bytes");
        }
    }
    kinds[kind].read(sheet, bytes, faults);
    return true;
}

void fh_sheet_close(fh_sheet *sheet)
{
    free(sheet);
}

fh_tracks fh_sheet_tracks(const fh_sheet *sheet, size_t file)
{
    const fh_sheet_file *from = &sheet->files[file];
    return (fh_tracks){.parts = sheet->parts + from->first_part,
                       .num_parts = from->is_doubtful ? 0 : from->num_parts,
                       .end = from->end};
}

fh_sheet_file *fh_sheet_add_file(fh_sheet *sheet, fh_word name, int64_t at)
{
    if (sheet->num_files == FH_MAX_TRACKS || name.len >= FH_SHEET_MAX_NAME) {
        return NULL;
    }
    fh_sheet_file *file = &sheet->files[sheet->num_files++];
    memcpy(file->name, name.at, name.len);
    file->at = at;
    file->first_part = sheet->num_parts;
    file->is_image = true;
    return file;
}

bool fh_sheet_add_part(fh_sheet *sheet, const fh_track_part *part)
{
    if (sheet->num_parts == FH_MAX_TRACK_PARTS || sheet->num_files == 0) {
        return false;
    }
    sheet->parts[sheet->num_parts++] = *part;
    sheet->files[sheet->num_files - 1].num_parts++;
    return true;
}

/* ---- lines and words ------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

fh_lines fh_lines_make(const fh_cursor *bytes)
{
    fh_lines lines = {.text = (const char *)bytes->base, .len = bytes->size};
    if (lines.len >= 3 && memcmp(lines.text, "\357\273\277", 3) == 0) {
        lines.pos = 3;
    }
    return lines;
}

static fh_word trimmed(fh_word word)
{
    while (word.len > 0 && is_blank(word.at[0])) {
        word.at++;
        word.len--;
    }
    while (word.len > 0 && is_blank(word.at[word.len - 1])) {
        word.len--;
    }
    return word;
}

bool fh_lines_next(fh_lines *lines, fh_word *line)
{
    if (lines->pos >= lines->len) {
        return false;
    }
    const size_t from = lines->pos;
    size_t end = from;
    while (end < lines->len && !is_line_end(lines->text[end])) {
        end++;
    }
    const bool is_pair =
        end + 1 < lines->len && lines->text[end] == '\r' && lines->text[end + 1] == '\n';
    lines->pos = end + (is_pair ? 2 : 1);
    lines->off = (int64_t)from;
    lines->number++;
    *line = trimmed((fh_word){lines->text + from, end - from});
    return true;
}

fh_word fh_word_next(fh_word *line, bool *is_open)
{
    *line = trimmed(*line);
    if (line->len == 0) {
        return (fh_word){NULL, 0};
    }
    const bool is_quoted = line->at[0] == '"';
    size_t end = is_quoted ? 1 : 0;
    while (end < line->len && (is_quoted ? line->at[end] != '"' : !is_blank(line->at[end]))) {
        end++;
    }
    const size_t from = is_quoted ? 1 : 0;
    const bool is_closed = is_quoted && end < line->len;
    const fh_word word = {line->at + from, end - from};
    if (is_open != NULL) {
        *is_open = is_quoted && !is_closed;
    }
    end += is_closed ? 1 : 0;
    line->at += end;
    line->len -= end;
    return word;
}

bool fh_word_is(fh_word word, const char *name)
{
    return word.len == strlen(name) && word.len > 0 && strncasecmp(word.at, name, word.len) == 0;
}

static int digit_of(char c, unsigned base)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char lower = (char)(c | 0x20);
    return base == 16 && lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool fh_word_number(int64_t *out, fh_word word, int64_t most)
{
    unsigned base = 10;
    int64_t value = 0;
    if (word.len > 2 && word.at[0] == '0' && (word.at[1] | 0x20) == 'x') {
        base = 16;
        word.at += 2;
        word.len -= 2;
    }
    for (size_t i = 0; i < word.len; i++) {
        const int digit = digit_of(word.at[i], base);
        if (digit < 0 || value > (most - digit) / (int64_t)base) {
            return false;
        }
        value = value * (int64_t)base + digit;
    }
    *out = value;
    return word.len > 0;
}

void fh_word_text(fh_text *out, fh_word word)
{
    enum { MOST = 60 };
    char letters[MOST + 1];
    const size_t len = word.len < MOST ? word.len : MOST;
    for (size_t i = 0; i < len; i++) {
        letters[i] = word.at[i];
        if (letters[i] < ' ' || letters[i] > '~') {
            letters[i] = '?';
        }
    }
    letters[len] = '\0';
    fh_text_str(fh_text_str(out, letters), len < word.len ? "..." : "");
}

void fh_sheet_fault(fh_tallies *faults, fh_image_rule rule, const fh_lines *lines, fh_word word,
                    const char *expected)
{
    fh_tally *tally = fh_tally_add(faults, rule, lines->off, "line");
    if (tally == NULL) {
        return;
    }
    tally->unit = "lines";
    fh_text text = fh_text_make(tally->found, sizeof tally->found);
    fh_text_s64(fh_text_str(&text, "line "), lines->number);
    if (word.len > 0) {
        fh_word_text(fh_text_str(&text, ": '"), word);
        fh_text_str(&text, "'");
    }
    text = fh_text_make(tally->expected, sizeof tally->expected);
    fh_text_str(&text, expected);
}

void fh_sheet_tell_format(fh_tallies *faults, int64_t off, const char *name)
{
    fh_tally *tally = fh_tally_add(faults, FH_IMG0027, off, "control data");
    if (tally != NULL) {
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(&text, name);
    }
}
