#include "source/sheet_impl.h"

#include <string.h>

enum { CONTROL_DATA = 4, MOST_FRAMES = 0x1000000 };

/* What was said of one track; FH_UNKNOWN: nothing. */
typedef struct row {
    int64_t plba;    /* of its entry in the table of contents */
    int64_t control; /* bit 2: data */
    int64_t mode;    /* 0 audio, 1, 2 */
    int64_t index[2];
} row;

typedef enum section_kind {
    SECTION_OTHER = 0,
    SECTION_DISC,
    SECTION_ENTRY,
    SECTION_TRACK
} section_kind;

typedef struct ccd {
    fh_sheet *sheet;
    fh_tallies *faults;
    fh_lines lines;
    section_kind section;
    int64_t track; /* of the section, 0: none */
    row entry;     /* of the section, before its point is known */
    row rows[FH_MAX_TRACKS];
    bool is_doubtful;
} ccd;

static const row nothing = {FH_UNKNOWN, FH_UNKNOWN, FH_UNKNOWN, {FH_UNKNOWN, FH_UNKNOWN}};

static void fault(ccd *c, fh_image_rule rule, fh_word word, const char *expected)
{
    fh_sheet_fault(c->faults, rule, &c->lines, word, expected);
    c->is_doubtful = true;
}

/* Addresses in front of the disc are negative. */
static bool read_number(int64_t *out, fh_word word)
{
    const bool is_minus = word.len > 1 && word.at[0] == '-';
    const fh_word digits = {word.at + (is_minus ? 1 : 0), word.len - (is_minus ? 1 : 0)};
    if (!fh_word_number(out, digits, MOST_FRAMES)) {
        return false;
    }
    *out = is_minus ? -*out : *out;
    return true;
}

/* ---- sections -------------------------------------------------------------------------------- */

static void end_section(ccd *c)
{
    if (c->section == SECTION_ENTRY && c->track >= 1 && c->track <= (int64_t)FH_MAX_TRACKS) {
        row *to = &c->rows[c->track - 1];
        if (to->plba != FH_UNKNOWN || to->control != FH_UNKNOWN) {
            fh_sheet_fault(c->faults, FH_IMG0025, &c->lines, (fh_word){NULL, 0},
                           "one entry a track");
        }
        to->plba = c->entry.plba;
        to->control = c->entry.control;
    }
    c->section = SECTION_OTHER;
    c->track = 0;
    c->entry = nothing;
}

static void begin_section(ccd *c, fh_word line)
{
    end_section(c);
    fh_word inside = {line.at + 1, line.len - 2};
    const fh_word name = fh_word_next(&inside, NULL);
    const fh_word number = fh_word_next(&inside, NULL);
    if (fh_word_is(name, "Disc")) {
        c->section = SECTION_DISC;
    } else if (fh_word_is(name, "Entry")) {
        c->section = SECTION_ENTRY;
    } else if (fh_word_is(name, "TRACK")) {
        c->section = SECTION_TRACK;
        if (!fh_word_number(&c->track, number, FH_MAX_TRACKS) || c->track == 0) {
            c->track = 0;
            fault(c, FH_IMG0025, number, "a track from 1 to 99");
        }
    }
}

/* ---- keys ------------------------------------------------------------------------------------ */

static void take_disc(ccd *c, fh_word key, int64_t value)
{
    if (fh_word_is(key, "Sessions") && value > 1) {
        fh_tally *tally = fh_tally_add(c->faults, FH_IMG0028, c->lines.off, "sessions");
        if (tally != NULL) {
            fh_text text = fh_text_make(tally->found, sizeof tally->found);
            fh_text_s64(&text, value);
        }
    }
}

static void take_entry(ccd *c, fh_word key, int64_t value)
{
    if (fh_word_is(key, "Point")) {
        c->track = value;
    } else if (fh_word_is(key, "Control")) {
        c->entry.control = value;
    } else if (fh_word_is(key, "PLBA")) {
        c->entry.plba = value;
    }
}

static void take_track(ccd *c, fh_word key, int64_t value)
{
    row *to = &c->rows[c->track - 1];
    fh_word rest = key;
    if (fh_word_is(key, "MODE")) {
        to->mode = value;
    } else if (fh_word_is(fh_word_next(&rest, NULL), "INDEX")) {
        int64_t index = 0;
        if (!fh_word_number(&index, fh_word_next(&rest, NULL), 999) || index > 99) {
            fault(c, FH_IMG0025, key, "an index from 0 to 99");
        } else if (index < 2) {
            to->index[index] = value;
        }
    }
}

static void take_key(ccd *c, fh_word line)
{
    const char *equals = memchr(line.at, '=', line.len);
    int64_t value = 0;
    if (equals == NULL || equals == line.at) {
        fault(c, FH_IMG0020, line, "[section] or key=value");
        return;
    }
    const fh_word key = {line.at, (size_t)(equals - line.at)};
    const fh_word number = {equals + 1, line.len - key.len - 1};
    if (c->section == SECTION_OTHER) {
        return;
    }
    if (!read_number(&value, number)) {
        /* Catalogue numbers and codes of tracks are no numbers in this sense. */
        if (!fh_word_is(key, "CATALOG") && !fh_word_is(key, "ISRC") && !fh_word_is(key, "FLAGS")) {
            fault(c, FH_IMG0020, line, "a number");
        }
    } else if (c->section == SECTION_DISC) {
        take_disc(c, key, value);
    } else if (c->section == SECTION_ENTRY) {
        take_entry(c, key, value);
    } else if (c->track > 0) {
        take_track(c, key, value);
    }
}

/* ---- tracks ---------------------------------------------------------------------------------- */

static bool is_row(const row *from)
{
    return from->plba != FH_UNKNOWN || from->index[1] != FH_UNKNOWN;
}

static const fh_track_type *type_of(const row *from)
{
    if (from->mode != FH_UNKNOWN) {
        return from->mode >= 0 && from->mode <= 2
                   ? fh_track_type_of((uint8_t)from->mode, FH_STRIDE_2352)
                   : NULL;
    }
    const bool is_data = from->control != FH_UNKNOWN && (from->control & CONTROL_DATA) != 0;
    return fh_track_type_of(is_data ? FH_MODE_ANY : 0, FH_STRIDE_2352);
}

static void add_part(ccd *c, uint32_t number, const fh_track_type *type, int64_t first, bool is_gap)
{
    const fh_track_part part = {.number = number,
                                .type = type,
                                .is_gap = is_gap,
                                .first = first,
                                .off = FH_UNKNOWN,
                                .lba = first};
    if (!fh_sheet_add_part(c->sheet, &part)) {
        fault(c, FH_IMG0025, (fh_word){NULL, 0}, "at most 99 tracks");
    }
}

/* A track from its row; *last is where the one before begins. */
static void add_track(ccd *c, uint32_t number, const row *from, int64_t *last)
{
    const fh_track_type *type = type_of(from);
    const int64_t start = from->index[1] != FH_UNKNOWN ? from->index[1] : from->plba;
    const int64_t gap = from->index[0] != FH_UNKNOWN ? from->index[0] : start;
    if (type == NULL) {
        fault(c, FH_IMG0020, (fh_word){NULL, 0}, "MODE 0, 1 or 2 of each track");
        return;
    }
    if (from->plba != FH_UNKNOWN && from->plba != start) {
        fault(c, FH_IMG0023, (fh_word){NULL, 0}, "INDEX 1 where the entry has its PLBA");
        return;
    }
    if (gap < *last || start < gap) {
        fault(c, FH_IMG0023, (fh_word){NULL, 0}, "tracks that lie one behind the other");
        return;
    }
    if (*last < 0 && gap > 0) {
        add_part(c, number, type, 0, true);
    }
    if (gap < start && (*last >= 0 || gap == 0)) {
        add_part(c, number, type, gap, true);
    }
    add_part(c, number, type, start, false);
    *last = start;
}

static void add_tracks(ccd *c)
{
    int64_t last = -1;
    uint32_t before = 0;
    for (uint32_t i = 0; i < FH_MAX_TRACKS; i++) {
        if (!is_row(&c->rows[i])) {
            continue;
        }
        if (before != 0 && i != before) {
            fh_sheet_fault(c->faults, FH_IMG0025, &c->lines, (fh_word){NULL, 0},
                           "tracks without a gap in their numbers");
        }
        before = i + 1;
        add_track(c, i + 1, &c->rows[i], &last);
    }
    if (before == 0) {
        fault(c, FH_IMG0020, (fh_word){NULL, 0}, "entries with PLBA, or tracks with INDEX 1");
    }
}

void fh_ccd_read(fh_sheet *sheet, const fh_cursor *bytes, fh_tallies *faults)
{
    ccd c = {.sheet = sheet, .faults = faults, .lines = fh_lines_make(bytes), .entry = nothing};
    fh_word line;
    for (size_t i = 0; i < FH_MAX_TRACKS; i++) {
        c.rows[i] = nothing;
    }
    while (fh_lines_next(&c.lines, &line)) {
        if (line.len > 2 && line.at[0] == '[' && line.at[line.len - 1] == ']') {
            begin_section(&c, line);
        } else if (line.len > 0) {
            take_key(&c, line);
        }
    }
    end_section(&c);
    fh_sheet_file *file = fh_sheet_add_file(sheet, (fh_word){".img", 4}, 0);
    add_tracks(&c);
    sheet->lba_is_whole = true;
    sheet->has_subchannel = true;
    if (file != NULL) {
        file->is_extension = true;
        file->is_doubtful = c.is_doubtful;
    }
}

/* The section, and behind it its version. */
bool fh_ccd_is(const fh_cursor *bytes)
{
    fh_lines lines = fh_lines_make(bytes);
    fh_word line;
    int num = 0;
    while (num < 2 && fh_lines_next(&lines, &line)) {
        if (line.len == 0) {
            continue;
        }
        if (num == 0 ? !fh_word_is(line, "[CloneCD]")
                     : !(line.len > 8 && fh_word_is((fh_word){line.at, 8}, "Version="))) {
            return false;
        }
        num++;
    }
    return num == 2;
}
