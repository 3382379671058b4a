/* Control files of disc images: what is recognised, what is understood, what is told. */
#include "source/sheet.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct reading {
    fh_sheet *sheet;
    fh_tallies faults;
} reading;

static fh_cursor cursor_of(const char *text)
{
    return fh_cursor_make(text, strlen(text), 0);
}

static fh_sheet_kind kind_of(const char *text)
{
    const fh_cursor bytes = cursor_of(text);
    return fh_sheet_kind_of(&bytes);
}

static reading read_bytes(fh_sheet_kind kind, const void *at, size_t len)
{
    static fh_tallies none;
    reading out = {.faults = none};
    const fh_cursor bytes = fh_cursor_make(at, len, 0);
    cr_assert(fh_sheet_read(&out.sheet, kind, &bytes, false, &out.faults));
    return out;
}

static reading read_text(const char *text)
{
    const fh_sheet_kind kind = kind_of(text);
    cr_assert(ne(int, (int)kind, FH_SHEET_NONE));
    return read_bytes(kind, text, strlen(text));
}

static int64_t count(const reading *r, fh_image_rule rule)
{
    return r->faults.rules[rule].count;
}

/* Only these rules were broken. */
static void only(const reading *r, const fh_image_rule *rules, size_t num)
{
    for (size_t i = 0; i < FH_IMG_NUM_RULES; i++) {
        bool is_wanted = false;
        for (size_t k = 0; k < num; k++) {
            is_wanted = is_wanted || rules[k] == (fh_image_rule)i;
        }
        cr_assert(eq(int, r->faults.rules[i].count > 0, is_wanted), "%s",
                  fh_image_rules.rules[i].code);
    }
}

#define ONLY(r, ...)                                                                               \
    only(&(r), (const fh_image_rule[]){__VA_ARGS__},                                               \
         sizeof((const fh_image_rule[]){__VA_ARGS__}) / sizeof(fh_image_rule))

static void check_part(const fh_track_part *part, uint32_t number, const char *type, bool is_gap,
                       int64_t first, int64_t lba)
{
    cr_assert(eq(u32, part->number, number));
    cr_assert(eq(str, (char *)part->type->name, (char *)type));
    cr_assert(eq(int, part->is_gap, is_gap));
    cr_assert(eq(i64, part->first, first));
    cr_assert(eq(i64, part->lba, lba));
}

/* ---- cue ------------------------------------------------------------------------------------- */

Test(sheet, cue_is_told_by_its_commands)
{
    cr_assert(eq(int, kind_of("FILE \"a.bin\" BINARY\n TRACK 01 MODE2/2352\n"), FH_SHEET_CUE));
    cr_assert(eq(int, kind_of("\357\273\277REM x y z\r\n\r\nfile a b.bin binary\r\ntrack 1 audio"),
                 FH_SHEET_CUE));
    cr_assert(eq(int, kind_of("FILE a BINARY\nFILE b BINARY\n"), FH_SHEET_CUE));
    cr_assert(eq(int, kind_of("TITLE \"FILE of it\"\nFILE a WAVE\nTRACK 1 AUDIO\n"), FH_SHEET_CUE));
}

/* One of the two lines that tell a cue sheet may be broken: it is told, and the image searched. */
Test(sheet, cue_whose_first_lines_are_broken)
{
    static const char *const texts[] = {
        "FILE \"a.bin\" BINARY\nTRACK xx\nINDEX 01 00:00:00\n",
        "FILE \"a.bin\" BINARY\nTRACK\nINDEX 01 00:00:00\n",
        "FILE a.bin BINARY\nTRACK one AUDIO\nINDEX 01 00:00:00\n",
        "FILE \"a.bin\"\nTRACK 01 MODE2/2352\nINDEX 01 00:00:00\n",
        "FILE a.bin\nTRACK 01 MODE2/2352\nINDEX 01 00:00:00\n",
        "FILE \"a.bin\" BINRAY\nTRACK 01 MODE2/2352\nINDEX 01 00:00:00\n",
        "FILE a.bin BINRAY\nTRACK 01 MODE2/2352\nINDEX 01 00:00:00\n",
        "FILE \"a.bin\" BINARY BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n",
        "FILE \"a.bin\"\nFILE b.bin WAVE\nTRACK 01\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_assert(eq(int, kind_of(texts[i]), FH_SHEET_CUE), "%s", texts[i]);
        reading r = read_text(texts[i]);
        cr_assert(gt(i64, count(&r, FH_IMG0020), 0), "%s", texts[i]);
        cr_assert(ge(sz, r.sheet->num_files, 1), "%s", texts[i]);
        cr_assert(eq(str, r.sheet->files[0].name, (char *)"a.bin"), "%s", texts[i]);
        cr_assert(r.sheet->files[0].is_image, "%s", texts[i]);
        cr_assert(eq(sz, fh_sheet_tracks(r.sheet, 0).num_parts, 0), "%s", texts[i]);
        fh_sheet_close(r.sheet);
    }
}

Test(sheet, text_that_is_no_sheet)
{
    static const char *const texts[] = {
        "",
        "FILE",
        "FILE \"a.bin\" BINARY\n",
        "FILE a.bin BINARY\nand so on\nTRACK 01 AUDIO\n",
        "The FILE \"a.bin\" BINARY\nTRACK 01 AUDIO\n",
        "FILE a.bin TEXT\nTRACK one AUDIO\n",
        "FILE a.bin TEXT\nTRACK 01\n",
        "FILE a.bin TEXT\nTRACK 01 AUDIO of it\n",
        "FILE a.bin TEXT\nTRACK 01 tape\n",
        "FILE a.bin TEXT\nFILE b.bin BINARY\nand so on\nTRACK 01 AUDIO\n",
        "FILE a.bin TEXT\nFILE b.bin TEXT\n",
        "FILE \"a.bin BINARY\nTRACK 01 AUDIO\n",
        "FILE\nTRACK 01 AUDIO\n",
        "FILE a.bin BINARY\nINDEX 01 00:00:00\nTRACK 01 AUDIO\n",
        "TRACK 01 AUDIO\nFILE a.bin BINARY\n",
        "REM FILE \"a.bin\" BINARY\nREM TRACK 01 AUDIO\n",
        "[CloneCD]\n",
        "[CloneCD]\nSomething=3\n",
        "; [CloneCD]\nVersion=3\n",
        "MEDIA DESCRIPTOR",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_assert(eq(int, kind_of(texts[i]), FH_SHEET_NONE), "%s", texts[i]);
    }
}

Test(sheet, cue_of_one_file)
{
    reading r = read_text("REM made by hand\n"
                          "CATALOG 0000000000000\n"
                          "FILE \"a disc.bin\" BINARY\n"
                          "  TRACK 01 MODE2/2352\n"
                          "    FLAGS DCP\n"
                          "    INDEX 01 00:00:00\n"
                          "  TRACK 2 audio\n"
                          "    INDEX 00 00:10:00\n"
                          "    INDEX 01 00:12:05\n"
                          "    INDEX 02 00:13:00\n"
                          "  TRACK 03 AUDIO\n"
                          "    PREGAP 00:02:00\n"
                          "    INDEX 1 01:00:74\n");
    only(&r, NULL, 0);
    cr_assert(eq(sz, r.sheet->num_files, 1));
    cr_assert(eq(str, r.sheet->files[0].name, (char *)"a disc.bin"));
    const fh_tracks tracks = fh_sheet_tracks(r.sheet, 0);
    cr_assert(eq(sz, tracks.num_parts, 4));
    check_part(&tracks.parts[0], 1, "MODE2/2352", false, 0, 0);
    check_part(&tracks.parts[1], 2, "AUDIO", true, 750, 750);
    check_part(&tracks.parts[2], 2, "AUDIO", false, 905, 905);
    check_part(&tracks.parts[3], 3, "AUDIO", false, 4574, 4724);
    fh_sheet_close(r.sheet);
}

Test(sheet, cue_of_several_files)
{
    reading r = read_text("FILE \"1.bin\" BINARY\nTRACK 01 MODE1/2048\nINDEX 01 00:00:00\n"
                          "FILE \"2.wav\" WAVE\nTRACK 02 AUDIO\nINDEX 00 00:00:00\n"
                          "FILE \"3.bin\" MOTOROLA\nINDEX 01 00:00:10\n"
                          "TRACK 03 MODE2/2336\nINDEX 01 00:01:00\n");
    only(&r, NULL, 0);
    cr_assert(eq(sz, r.sheet->num_files, 3));
    cr_assert(not(r.sheet->files[1].is_image));
    cr_assert(r.sheet->files[2].is_image);
    const fh_tracks tracks = fh_sheet_tracks(r.sheet, 2);
    cr_assert(eq(sz, tracks.num_parts, 3));
    check_part(&tracks.parts[0], 2, "AUDIO", true, 0, 0); /* in front of its first index */
    check_part(&tracks.parts[1], 2, "AUDIO", false, 10, 10);
    check_part(&tracks.parts[2], 3, "MODE2/2336", false, 75, 75);
    fh_sheet_close(r.sheet);
}

/* One line that cannot be understood takes with it the tracks of its file only. */
Test(sheet, cue_that_cannot_be_understood)
{
    static const char *const lines[] = {
        "TRACK 02 MODE3/2352",  "TRACK x AUDIO",
        "TRACK 02 AUDIO AUDIO", "INDEX 02",
        "INDEX 02 00:00",       "INDEX 02 00:60:00",
        "INDEX 02 00:00:75",    "INDEX 02 00:00:00:00",
        "INDEX 02 -1:00:00",    "PREGAP 00:02:00",
        "POSTGAP two seconds",  "TRACK 02 AUDIO",
        "INDEX 02 0x1:0:99",    "INDEX 99999999999999999999 00:00:00",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char text[400];
        fh_text out = fh_text_make(text, sizeof text);
        fh_text_str(&out, "FILE a BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n");
        fh_text_str(fh_text_str(&out, lines[i]), "\n");
        fh_text_str(&out, "FILE b BINARY\nTRACK 03 AUDIO\nINDEX 01 00:00:00\n");
        reading r = read_text(text);
        cr_assert(gt(i64, count(&r, FH_IMG0020), 0), "%s", lines[i]);
        cr_assert(eq(sz, fh_sheet_tracks(r.sheet, 0).num_parts, 0), "%s", lines[i]);
        cr_assert(eq(sz, fh_sheet_tracks(r.sheet, 1).num_parts, 1), "%s", lines[i]);
        fh_sheet_close(r.sheet);
    }
}

/* What all gaps together move the first sector to is no address that a disc may have. */
Test(sheet, gaps_of_a_cue_are_not_endless)
{
    static const char *const texts[] = {
        "FILE a BINARY\nTRACK 01 AUDIO\nPREGAP 999:59:74\nINDEX 01 00:00:00\n",
        "FILE a BINARY\nTRACK 01 AUDIO\nPREGAP 999:59:73\nPREGAP 00:00:01\nINDEX 01 00:00:00\n",
        "FILE a BINARY\nTRACK 01 AUDIO\nPREGAP 999:59:74\nPREGAP 00:00:01\nINDEX 01 00:00:00\n",
        "FILE a BINARY\nTRACK 01 AUDIO\nPREGAP 999:59:74\nINDEX 01 00:00:00\nPOSTGAP 00:00:01\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        reading r = read_text(texts[i]);
        cr_assert(eq(i64, count(&r, FH_IMG0020), i < 2 ? 0 : 1), "%s", texts[i]);
        fh_sheet_close(r.sheet);
    }
}

Test(sheet, faults_name_line_and_word)
{
    reading r = read_text("FILE a BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nJUMP over\n");
    ONLY(r, FH_IMG0020);
    const fh_tally *tally = &r.faults.rules[FH_IMG0020];
    cr_assert(eq(str, (char *)tally->found, (char *)"line 4: 'JUMP'"));
    cr_assert(eq(i64, tally->first_off, 47));
    /* A command that is not known says nothing about tracks. */
    cr_assert(eq(sz, fh_sheet_tracks(r.sheet, 0).num_parts, 1));
    fh_sheet_close(r.sheet);
}

Test(sheet, numbers_of_tracks_and_indexes)
{
    static const struct {
        const char *text;
        fh_image_rule rule;
    } cases[] = {
        {"TRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 03 AUDIO\nINDEX 01 00:09:00\n", FH_IMG0025},
        {"TRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 01 AUDIO\nINDEX 01 00:09:00\n", FH_IMG0025},
        {"TRACK 00 AUDIO\nINDEX 01 00:00:00\n", FH_IMG0025},
        {"TRACK 100 AUDIO\nINDEX 01 00:00:00\n", FH_IMG0025},
        {"TRACK 01 AUDIO\nINDEX 01 00:00:00\nINDEX 03 00:01:00\n", FH_IMG0025},
        {"TRACK 01 AUDIO\nINDEX 01 00:00:00\nINDEX 01 00:01:00\n", FH_IMG0025},
        {"TRACK 01 AUDIO\nINDEX 02 00:00:00\n", FH_IMG0025},
        {"TRACK 01 AUDIO\nINDEX 01 00:09:00\nTRACK 02 AUDIO\nINDEX 01 00:08:74\n", FH_IMG0023},
        {"TRACK 01 AUDIO\nINDEX 00 00:09:00\nINDEX 01 00:08:00\n", FH_IMG0023},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400] = "FILE a BINARY\n";
        fh_text out = fh_text_make(text + 14, sizeof text - 14);
        fh_text_str(&out, cases[i].text);
        reading r = read_text(text);
        ONLY(r, cases[i].rule);
        fh_sheet_close(r.sheet);
    }
}

Test(sheet, sessions)
{
    reading r = read_text("FILE a BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nREM SESSION 02\n");
    ONLY(r, FH_IMG0028);
    fh_sheet_close(r.sheet);
    r = read_text("REM SESSION 01\nFILE a BINARY\nTRACK 01 AUDIO\nINDEX 01 00:00:00\n");
    only(&r, NULL, 0);
    fh_sheet_close(r.sheet);
}

Test(sheet, names_that_are_too_long_or_too_many)
{
    const size_t len = 200 * 30;
    char *text = malloc(len + 64);
    char *at = text;
    cr_assert(ne(ptr, text, NULL));
    for (int i = 0; i < 200; i++) {
        memcpy(at, "FILE a BINARY\n", 14);
        at += 14;
    }
    *at = '\0';
    reading r = read_text(text);
    cr_assert(eq(sz, r.sheet->num_files, FH_MAX_TRACKS));
    cr_assert(eq(i64, count(&r, FH_IMG0020), 200 - (int64_t)FH_MAX_TRACKS));
    fh_sheet_close(r.sheet);
    memset(text, 'n', 3000);
    memcpy(text, "FILE ", 5);
    memcpy(text + 3000, " BINARY\nTRACK 01 AUDIO\n", 24);
    r = read_text(text);
    cr_assert(eq(sz, r.sheet->num_files, 0));
    cr_assert(gt(i64, count(&r, FH_IMG0020), 0));
    fh_sheet_close(r.sheet);
    free(text);
}

/* ---- ccd ------------------------------------------------------------------------------------- */

static const char ccd_text[] = "[CloneCD]\r\nVersion=3\r\n"
                               "[Disc]\r\nTocEntries=5\r\nSessions=1\r\nCATALOG=12AB\r\n"
                               "[Entry 0]\r\nPoint=0xa0\r\nControl=0x04\r\nPLBA=4350\r\n"
                               "[Entry 1]\r\nPoint=0x01\r\nControl=0x04\r\nPLBA=0\r\n"
                               "[Entry 2]\r\nPoint=0x02\r\nControl=0x00\r\nPLBA=500\r\n"
                               "[TRACK 1]\r\nMODE=2\r\nINDEX 1=0\r\n"
                               "[TRACK 2]\r\nMODE=0\r\nINDEX 0=350\r\nINDEX 1=500\r\n";

Test(sheet, ccd)
{
    reading r = read_text(ccd_text);
    only(&r, NULL, 0);
    cr_assert(eq(int, r.sheet->kind, FH_SHEET_CCD));
    cr_assert(eq(str, r.sheet->files[0].name, (char *)".img"));
    cr_assert(r.sheet->files[0].is_extension);
    const fh_tracks tracks = fh_sheet_tracks(r.sheet, 0);
    cr_assert(eq(sz, tracks.num_parts, 3));
    check_part(&tracks.parts[0], 1, "MODE2/2352", false, 0, 0);
    check_part(&tracks.parts[1], 2, "AUDIO", true, 350, 350);
    check_part(&tracks.parts[2], 2, "AUDIO", false, 500, 500);
    fh_sheet_close(r.sheet);
}

Test(sheet, ccd_without_sections_of_tracks)
{
    reading r = read_text("[CloneCD]\nVersion=2\n[Disc]\nSessions=2\n"
                          "[Entry 0]\nPoint=0x01\nControl=0x04\nPLBA=0\n"
                          "[Entry 1]\nPoint=0x02\nControl=0x00\nPLBA=500\n");
    ONLY(r, FH_IMG0028);
    const fh_tracks tracks = fh_sheet_tracks(r.sheet, 0);
    cr_assert(eq(sz, tracks.num_parts, 2));
    check_part(&tracks.parts[0], 1, "data track", false, 0, 0);
    check_part(&tracks.parts[1], 2, "AUDIO", false, 500, 500);
    fh_sheet_close(r.sheet);
}

Test(sheet, ccd_with_faults)
{
    static const struct {
        const char *text;
        fh_image_rule rule;
    } cases[] = {
        {"[TRACK 1]\nMODE=7\nINDEX 1=0\n", FH_IMG0020},
        {"[TRACK 1]\nMODE=two\nINDEX 1=0\n", FH_IMG0020},
        {"[TRACK 1]\nMODE=2\nINDEX 1=0\nnonsense\n", FH_IMG0020},
        {"[Disc]\nSessions=1\n", FH_IMG0020},
        {"[TRACK 1]\nMODE=2\nINDEX 1=9\n[TRACK 2]\nMODE=0\nINDEX 1=8\n", FH_IMG0023},
        {"[Entry 1]\nPoint=1\nPLBA=9\n[TRACK 1]\nMODE=2\nINDEX 1=0\n", FH_IMG0023},
        {"[TRACK 1]\nMODE=2\nINDEX 1=0\n[TRACK 3]\nMODE=0\nINDEX 1=8\n", FH_IMG0025},
        {"[TRACK 1]\nMODE=2\nINDEX 1=0\n[TRACK 100]\nMODE=0\nINDEX 1=8\n", FH_IMG0025},
        {"[Entry 1]\nPoint=1\nPLBA=0\n[Entry 2]\nPoint=1\nPLBA=0\n", FH_IMG0025},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[400];
        fh_text out = fh_text_make(text, sizeof text);
        fh_text_str(fh_text_str(&out, "[CloneCD]\nVersion=3\n"), cases[i].text);
        reading r = read_text(text);
        ONLY(r, cases[i].rule);
        fh_sheet_close(r.sheet);
    }
}

/* ---- mds ------------------------------------------------------------------------------------- */

enum { MDS_LEN = 0x400 };

static void put(uint8_t *to, size_t off, uint64_t value, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        to[off + i] = (uint8_t)(value >> 8 * i);
    }
}

static void put_track(uint8_t *to, size_t off, uint8_t mode, uint8_t point, uint16_t len,
                      uint32_t lba, uint64_t at)
{
    put(to, off, mode, 1);
    put(to, off + 4, point, 1);
    put(to, off + 12, 0x300 + 8u * point, 4);
    put(to, off + 16, len, 2);
    put(to, off + 0x24, lba, 4);
    put(to, off + 0x28, at, 8);
    put(to, off + 0x34, 0x380, 4);
}

/* A disc of one data track and one of audio, 150 sectors behind it. */
static void make_mds(uint8_t to[MDS_LEN])
{
    memset(to, 0, MDS_LEN);
    memcpy(to, "MEDIA DESCRIPTOR", 16);
    put(to, 0x10, 1, 1);
    put(to, 0x14, 1, 2);
    put(to, 0x50, 0x58, 4);
    put(to, 0x58 + 10, 3, 1);
    put(to, 0x58 + 20, 0x70, 4);
    put(to, 0x70 + 4, 0xa0, 1);
    put_track(to, 0xc0, 0xec, 1, 2448, 0, 0);
    put(to, 0x308 + 4, 100, 4);
    put_track(to, 0x110, 0xa9, 2, 2448, 250, 250 * 2448);
    put(to, 0x310 + 4, 50, 4);
    put(to, 0x380, 0x390, 4);
    put(to, 0x384, 1, 1);
    memcpy(to + 0x390, "*\0.\0m\0d\0f\0\0", 12);
}

Test(sheet, mds)
{
    uint8_t bytes[MDS_LEN];
    make_mds(bytes);
    const fh_cursor all = fh_cursor_make(bytes, sizeof bytes, 0);
    cr_assert(eq(int, fh_sheet_kind_of(&all), FH_SHEET_MDS));
    reading r = read_bytes(FH_SHEET_MDS, bytes, sizeof bytes);
    ONLY(r, FH_IMG0027);
    cr_assert(eq(sz, r.sheet->num_files, 1));
    cr_assert(eq(str, r.sheet->files[0].name, (char *)".mdf"));
    cr_assert(r.sheet->files[0].is_extension);
    const fh_tracks tracks = fh_sheet_tracks(r.sheet, 0);
    cr_assert(eq(sz, tracks.num_parts, 3));
    check_part(&tracks.parts[0], 1, "MODE2/2448", false, 0, 0);
    check_part(&tracks.parts[1], 2, "CDG", true, 0, 100);
    check_part(&tracks.parts[2], 2, "CDG", false, 0, 250);
    cr_assert(eq(i64, tracks.parts[1].off, 100 * 2448));
    cr_assert(eq(i64, tracks.parts[2].off, 250 * 2448));
    fh_sheet_close(r.sheet);
}

Test(sheet, mds_with_faults)
{
    static const struct {
        size_t off;
        uint64_t value;
        size_t len;
        fh_image_rule rule;
    } cases[] = {
        {0x10, 2, 1, FH_IMG0048},
        {0x14, 0, 2, FH_IMG0020},
        {0x50, 0xfffffff0, 4, FH_IMG0020},
        {0x58 + 20, 0x3f0, 4, FH_IMG0020},
        {0xc0, 0xa0, 1, FH_IMG0020},
        {0xc0 + 16, 2047, 2, FH_IMG0020},
        {0xc0 + 0x34, 0x3fe, 4, FH_IMG0020},
        {0x380, 0x3ff, 4, FH_IMG0020},
        {0xc0 + 0x2c, 0x7fffffff, 4, FH_IMG0020},
        {0x110 + 4, 9, 1, FH_IMG0025},
        {0xc0 + 12, 0xffff, 4, FH_IMG0020},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[MDS_LEN];
        make_mds(bytes);
        put(bytes, cases[i].off, cases[i].value, cases[i].len);
        reading r = read_bytes(FH_SHEET_MDS, bytes, sizeof bytes);
        ONLY(r, FH_IMG0027, cases[i].rule);
        cr_assert(ge(sz, r.sheet->num_files, 1));
        fh_sheet_close(r.sheet);
    }
    uint8_t bytes[MDS_LEN];
    make_mds(bytes);
    put(bytes, 0x110 + 0x28, 0, 8);
    put(bytes, 0xc0 + 0x28, 9, 8);
    reading r = read_bytes(FH_SHEET_MDS, bytes, sizeof bytes);
    ONLY(r, FH_IMG0023, FH_IMG0027);
    fh_sheet_close(r.sheet);
}

/* ---- any bytes ------------------------------------------------------------------------------- */

/* Whatever the bytes are, what comes out can be used. */
static void mutate(fh_sheet_kind kind, const void *from, size_t len)
{
    uint32_t seed = 12345;
    for (int round = 0; round < 200; round++) {
        uint8_t *bytes = malloc(len);
        cr_assert(ne(ptr, bytes, NULL));
        memcpy(bytes, from, len);
        size_t left = len;
        for (int i = 0; i <= round % 7; i++) {
            seed = seed * 1664525u + 1013904223u;
            bytes[seed / 256 % len] = (uint8_t)(seed >> 24);
        }
        if (round % 3 == 0) {
            left = seed / 256 % (len + 1);
        }
        reading r = read_bytes(kind, bytes, left);
        for (size_t i = 0; i < r.sheet->num_files; i++) {
            const fh_tracks tracks = fh_sheet_tracks(r.sheet, i);
            cr_assert(le(sz, tracks.num_parts, FH_MAX_TRACK_PARTS));
            cr_assert(lt(sz, strlen(r.sheet->files[i].name), FH_SHEET_MAX_NAME));
            for (size_t k = 0; k < tracks.num_parts; k++) {
                cr_assert(ne(ptr, (void *)tracks.parts[k].type, NULL));
                cr_assert(ge(i64, tracks.parts[k].first, 0));
            }
        }
        fh_sheet_close(r.sheet);
        free(bytes);
    }
}

Test(sheet, mutations)
{
    static const char cue[] = "FILE \"a disc.bin\" BINARY\n  TRACK 01 MODE2/2352\n"
                              "    INDEX 01 00:00:00\n  TRACK 02 AUDIO\n    PREGAP 00:02:00\n"
                              "    INDEX 00 00:10:00\n    INDEX 01 00:12:05\n"
                              "FILE \"b.bin\" BINARY\n  TRACK 03 AUDIO\n    INDEX 01 00:00:00\n";
    uint8_t mds[MDS_LEN];
    make_mds(mds);
    mutate(FH_SHEET_CUE, cue, sizeof cue - 1);
    mutate(FH_SHEET_CCD, ccd_text, sizeof ccd_text - 1);
    mutate(FH_SHEET_MDS, mds, sizeof mds);
}

/* ---- places ---------------------------------------------------------------------------------- */

Test(sheet, places_follow_from_the_sizes_of_sectors)
{
    reading r = read_text("FILE a BINARY\nTRACK 01 MODE1/2048\nINDEX 01 00:00:00\n"
                          "TRACK 02 AUDIO\nINDEX 01 00:01:00\nTRACK 03 MODE1/2048\n"
                          "INDEX 01 00:02:00\n");
    const fh_tracks tracks = fh_sheet_tracks(r.sheet, 0);
    fh_track_part parts[3];
    memcpy(parts, tracks.parts, sizeof parts);
    fh_layout layout = {.stride = 2048, .start = 10};
    cr_assert(eq(int, fh_tracks_choice(&tracks), FH_LAYOUT_2048));
    cr_assert(eq(u32, fh_tracks_place(parts, 3, &layout), 2048));
    cr_assert(eq(i64, parts[0].off, 10));
    cr_assert(eq(i64, parts[1].off, 10 + 75 * 2048));
    cr_assert(eq(i64, parts[2].off, 10 + 75 * 2048 + 75 * 2352));
    /* The content is of another size than all data tracks say. */
    memcpy(parts, tracks.parts, sizeof parts);
    layout = (fh_layout){.stride = 2352};
    cr_assert(eq(u32, fh_tracks_place(parts, 3, &layout), 2048));
    cr_assert(eq(i64, parts[2].off, 150 * 2352));
    fh_sheet_close(r.sheet);
}
