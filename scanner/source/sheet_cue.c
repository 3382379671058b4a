#include "source/sheet_impl.h"

#include <string.h>

/* Frames of a position: 75 a second; minutes have two digits, three on what is no CD. */
enum { FRAMES = 75, SECONDS = 60, MOST_MINUTES = 999, MOST_INDEX = 99 };

/* Where the reader stands. */
typedef struct cue {
    fh_sheet *sheet;
    fh_tallies *faults;
    fh_lines lines;
    fh_sheet_file *file; /* NULL: none yet, or one that there is no room for */
    const fh_track_type *type;
    uint32_t number; /* of the track, 0: none yet */
    int64_t pregaps; /* frames of all PREGAPs so far, which are in no file */
    int64_t last;    /* position of the last index in the file, or FH_UNKNOWN */
    int64_t index;   /* number of the last index of the track, -1: none yet */
    bool has_start;  /* INDEX 01 was there */
} cue;

static void fault(cue *c, fh_word word, const char *expected)
{
    fh_sheet_fault(c->faults, FH_IMG0020, &c->lines, word, expected);
    if (c->file != NULL) {
        c->file->is_doubtful = true;
    }
}

static bool read_position(int64_t *out, fh_word word)
{
    static const int64_t most[3] = {MOST_MINUTES, SECONDS - 1, FRAMES - 1};
    int64_t parts[3] = {0};
    for (size_t i = 0; i < 3; i++) {
        size_t len = 0;
        while (len < word.len && word.at[len] != ':') {
            len++;
        }
        const bool is_last = len == word.len;
        if (is_last != (i == 2) || !fh_word_number(&parts[i], (fh_word){word.at, len}, most[i])) {
            return false;
        }
        word.at += is_last ? len : len + 1;
        word.len -= is_last ? len : len + 1;
    }
    *out = (parts[0] * SECONDS + parts[1]) * FRAMES + parts[2];
    return true;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static void add_part(cue *c, int64_t first, bool is_gap)
{
    const fh_track_part part = {.number = c->number,
                                .type = c->type,
                                .is_gap = is_gap,
                                .first = first,
                                .off = FH_UNKNOWN,
                                .lba = first + c->pregaps};
    if (!fh_sheet_add_part(c->sheet, &part)) {
        fault(c, (fh_word){NULL, 0}, "at most 99 tracks");
    }
}

/* The first index says where the file's first track begins; what lies before belongs to it. */
static void begin_track(cue *c, int64_t at, bool is_gap)
{
    if (c->file->num_parts == 0 && at > 0) {
        add_part(c, 0, true);
    }
    add_part(c, at, is_gap);
}

/* A track that has a pregap only, or no index at all, says nothing. */
static void end_track(cue *c)
{
    if (c->number != 0 && !c->has_start && c->file != NULL) {
        fault(c, (fh_word){NULL, 0}, "INDEX 01 of the track before");
    }
    c->number = 0;
}

/* ---- commands -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    bool is_image;
} file_types[] = {{"BINARY", true}, {"MOTOROLA", true}, {"WAVE", false},
                  {"MP3", false},   {"AIFF", false},    {"FLAC", false}};

static int file_type(fh_word word)
{
    for (size_t i = 0; i < sizeof file_types / sizeof file_types[0]; i++) {
        if (fh_word_is(word, file_types[i].name)) {
            return (int)i;
        }
    }
    return -1;
}

/* FILE "name" TYPE. A name without quotes may hold blanks: the type is the last word of several.
 * false: there is no name. The type of a line that is none of a cue sheet is empty. */
static bool split_file(fh_word rest, fh_word *name, fh_word *type)
{
    bool is_open = false;
    if (rest.len > 0 && rest.at[0] == '"') {
        *name = fh_word_next(&rest, &is_open);
        *type = fh_word_next(&rest, NULL);
        if (rest.len > 0) {
            *type = (fh_word){NULL, 0};
        }
        return !is_open && name->len > 0;
    }
    size_t end = rest.len;
    while (end > 0 && rest.at[end - 1] != ' ' && rest.at[end - 1] != '\t') {
        end--;
    }
    *type = (fh_word){rest.at + end, rest.len - end};
    while (end > 0 && (rest.at[end - 1] == ' ' || rest.at[end - 1] == '\t')) {
        end--;
    }
    *name = (fh_word){rest.at, end};
    if (end == 0) {
        *name = *type;
        *type = (fh_word){NULL, 0};
    }
    return name->len > 0;
}

static void take_file(cue *c, fh_word rest)
{
    fh_word name;
    fh_word type;
    /* A pregap may be the end of one file, and the track begin with the next. */
    if (c->index != 0) {
        end_track(c);
    }
    c->file = NULL;
    c->last = FH_UNKNOWN;
    const bool has_name = split_file(rest, &name, &type);
    const int kind = has_name ? file_type(type) : -1;
    if (kind < 0) {
        fault(c, rest, "FILE \"name\" BINARY, MOTOROLA, WAVE, MP3 or AIFF");
    }
    if (!has_name) {
        return;
    }
    if (memchr(name.at, '\0', name.len) != NULL || name.len >= FH_SHEET_MAX_NAME) {
        fault(c, name, "a name that a file can have");
        return;
    }
    c->file = fh_sheet_add_file(c->sheet, name, c->lines.off);
    if (c->file == NULL) {
        fault(c, name, "at most 99 files, for a disc has no more tracks");
        return;
    }
    /* What a file of no known type holds, its content says. */
    c->file->is_image = kind < 0 || file_types[kind].is_image;
    c->file->is_doubtful = kind < 0;
}

/* Tracks are numbered one by one; the first one of a disc need not be 1. */
static void judge_number(cue *c, int64_t number, int64_t before, fh_word word)
{
    if (number < 1 || number > (int64_t)FH_MAX_TRACKS || (before > 0 && number != before + 1)) {
        fh_sheet_fault(c->faults, FH_IMG0025, &c->lines, word,
                       before > 0 ? "the number behind that of the track before, at most 99"
                                  : "1 to 99");
    }
}

static int64_t last_number(const cue *c)
{
    return c->sheet->num_parts == 0 ? 0 : c->sheet->parts[c->sheet->num_parts - 1].number;
}

static void take_track(cue *c, fh_word rest)
{
    int64_t number = 0;
    const fh_word first = fh_word_next(&rest, NULL);
    const fh_word kind = fh_word_next(&rest, NULL);
    end_track(c);
    if (!fh_word_number(&number, first, 999)) {
        fault(c, first, "TRACK number type");
        return;
    }
    c->type = fh_track_type_named(kind.at, kind.len);
    if (c->type == NULL || rest.len > 0) {
        fault(c, kind, "AUDIO, CDG, MODE1/2048, MODE1/2352, MODE2/2336, MODE2/2352 ...");
        return;
    }
    judge_number(c, number, last_number(c), first);
    c->number = number < 1                        ? 1
                : number > (int64_t)FH_MAX_TRACKS ? (uint32_t)FH_MAX_TRACKS
                                                  : (uint32_t)number;
    c->index = -1;
    c->has_start = false;
    if (c->file == NULL) {
        fault(c, first, "a FILE before the TRACK");
    }
}

static bool is_index_in_order(cue *c, int64_t number, int64_t at, fh_word word)
{
    if (number > MOST_INDEX || (c->index < 0 ? number > 1 : number != c->index + 1)) {
        fh_sheet_fault(c->faults, FH_IMG0025, &c->lines, word,
                       "00 or 01 first, then one more each time, at most 99");
    }
    if (c->last != FH_UNKNOWN && at < c->last) {
        fh_sheet_fault(c->faults, FH_IMG0023, &c->lines, word, "a position behind the one before");
        return false;
    }
    return true;
}

static void take_index(cue *c, fh_word rest)
{
    const fh_word all = rest;
    int64_t number = 0;
    int64_t at = 0;
    const fh_word first = fh_word_next(&rest, NULL);
    if (!fh_word_number(&number, first, 999) || !read_position(&at, fh_word_next(&rest, NULL)) ||
        rest.len > 0) {
        fault(c, all, "INDEX number mm:ss:ff");
        return;
    }
    if (c->number == 0 || c->file == NULL) {
        fault(c, all, "a FILE and a TRACK before the INDEX");
        return;
    }
    const bool is_start = number > 0 && !c->has_start;
    c->has_start = c->has_start || is_start;
    if (!is_index_in_order(c, number, at, all)) {
        c->file->is_doubtful = true;
        return;
    }
    if (is_start || c->index < 0) {
        begin_track(c, at, !is_start);
    }
    c->index = number;
    c->last = at;
}

/* Frames that are stored nowhere, but counted on the disc. */
static void add_gap(cue *c, fh_word rest, int64_t frames)
{
    if (frames >= (int64_t)(MOST_MINUTES + 1) * SECONDS * FRAMES - c->pregaps) {
        fault(c, rest, "PREGAPs and POSTGAPs of less than 1000 minutes in all");
        return;
    }
    c->pregaps += frames;
}

static void take_pregap(cue *c, fh_word rest)
{
    int64_t frames = 0;
    if (!read_position(&frames, rest) || c->number == 0) {
        fault(c, rest, "PREGAP mm:ss:ff in a TRACK");
        return;
    }
    if (c->index >= 0) {
        fault(c, rest, "PREGAP in front of the first INDEX of its TRACK");
        return;
    }
    add_gap(c, rest, frames);
}

static void take_postgap(cue *c, fh_word rest)
{
    int64_t frames = 0;
    if (!read_position(&frames, rest) || c->number == 0) {
        fault(c, rest, "POSTGAP mm:ss:ff in a TRACK");
        return;
    }
    add_gap(c, rest, frames);
}

/* Some writers say where a session begins. */
static void take_remark(cue *c, fh_word rest)
{
    int64_t number = 0;
    if (fh_word_is(fh_word_next(&rest, NULL), "SESSION") &&
        fh_word_number(&number, fh_word_next(&rest, NULL), 999) && number > 1) {
        fh_tally *tally = fh_tally_add(c->faults, FH_IMG0028, c->lines.off, "sessions");
        if (tally != NULL) {
            fh_text text = fh_text_make(tally->found, sizeof tally->found);
            fh_text_s64(fh_text_str(&text, "session "), number);
        }
    }
}

static void take_nothing(cue *c, fh_word rest)
{
    (void)c;
    (void)rest;
}

static const struct command {
    const char *name;
    void (*take)(cue *c, fh_word rest);
} commands[] = {
    {"FILE", take_file},          {"TRACK", take_track},       {"INDEX", take_index},
    {"PREGAP", take_pregap},      {"POSTGAP", take_postgap},   {"REM", take_remark},
    {"FLAGS", take_nothing},      {"CATALOG", take_nothing},   {"ISRC", take_nothing},
    {"TITLE", take_nothing},      {"PERFORMER", take_nothing}, {"SONGWRITER", take_nothing},
    {"CDTEXTFILE", take_nothing}, {"ARRANGER", take_nothing},  {"COMPOSER", take_nothing},
    {"DISC_ID", take_nothing},    {"GENRE", take_nothing},     {"MESSAGE", take_nothing},
    {"TOC_INFO", take_nothing},   {"TOC_INFO2", take_nothing}, {"UPC_EAN", take_nothing},
    {"SIZE_INFO", take_nothing},
};

static const struct command *command_named(fh_word word)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (fh_word_is(word, commands[i].name)) {
            return &commands[i];
        }
    }
    return NULL;
}

static fh_word without_blanks(fh_word line)
{
    while (line.len > 0 && (line.at[0] == ' ' || line.at[0] == '\t')) {
        line.at++;
        line.len--;
    }
    return line;
}

void fh_cue_read(fh_sheet *sheet, const fh_cursor *bytes, fh_tallies *faults)
{
    cue c = {.sheet = sheet,
             .faults = faults,
             .lines = fh_lines_make(bytes),
             .last = FH_UNKNOWN,
             .index = -1};
    fh_word line;
    while (fh_lines_next(&c.lines, &line)) {
        const fh_word word = fh_word_next(&line, NULL);
        if (word.len == 0) {
            continue;
        }
        const struct command *command = command_named(word);
        if (command != NULL) {
            command->take(&c, without_blanks(line));
        } else {
            fh_sheet_fault(faults, FH_IMG0020, &c.lines, word, "a command of a cue sheet");
        }
    }
    end_track(&c);
}

/* ---- is it one? ------------------------------------------------------------------------------ */

/* What a line says about the text that it stands in. A FILE without a type that exists is one that
 * only a whole TRACK can confirm, and a broken TRACK needs a whole FILE in front of it. */
typedef enum verdict {
    VERDICT_OPEN = 0,
    VERDICT_NAME, /* FILE and a name */
    VERDICT_FILE, /* and a type */
    VERDICT_YES,
    VERDICT_NO
} verdict;

static verdict judge_file(fh_word line, verdict so_far)
{
    fh_word name;
    fh_word type;
    if (!split_file(without_blanks(line), &name, &type)) {
        return VERDICT_NO;
    }
    if (file_type(type) < 0) {
        return VERDICT_NAME;
    }
    return so_far == VERDICT_FILE ? VERDICT_YES : VERDICT_FILE;
}

static verdict judge_track(fh_word line, verdict so_far)
{
    int64_t number = 0;
    const bool has_number = fh_word_number(&number, fh_word_next(&line, NULL), 999);
    const fh_word kind = fh_word_next(&line, NULL);
    const bool is_whole =
        has_number && line.len == 0 && fh_track_type_named(kind.at, kind.len) != NULL;
    return so_far == VERDICT_FILE || (so_far == VERDICT_NAME && is_whole) ? VERDICT_YES
                                                                          : VERDICT_NO;
}

/* so_far: what the FILEs in front of the line were. */
static verdict judge_line(fh_word line, verdict so_far)
{
    const fh_word word = fh_word_next(&line, NULL);
    const struct command *command = command_named(word);
    if (word.len == 0 || (command != NULL && command->take == take_remark)) {
        return VERDICT_OPEN;
    }
    if (command == NULL || command->take == take_index || command->take == take_pregap) {
        return VERDICT_NO;
    }
    if (command->take == take_track) {
        return judge_track(line, so_far);
    }
    return command->take == take_file ? judge_file(line, so_far) : VERDICT_OPEN;
}

/* Commands only, a FILE, and behind it a TRACK, or a FILE again: prose does not look like that. One
 * of the two may be broken, so that it can be told. */
bool fh_cue_is(const fh_cursor *bytes)
{
    fh_lines lines = fh_lines_make(bytes);
    verdict last = VERDICT_OPEN;
    verdict so_far = VERDICT_OPEN;
    fh_word line;
    while (last != VERDICT_YES && last != VERDICT_NO && fh_lines_next(&lines, &line)) {
        last = judge_line(line, so_far);
        so_far = last > so_far && last <= VERDICT_FILE ? last : so_far;
    }
    return last == VERDICT_YES;
}
