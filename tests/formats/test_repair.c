/* What the repairs of the formats tell: bytes in, the bytes that come of the edits out. */
#include "bench.h"

#include "core/repair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the edits of a text ---- */

enum { MOST_TEXT = 16384, MOST_EDITS = 64 };

typedef struct edits {
    struct {
        size_t off, old_len, len;
        char bytes[1024];
        const char *code;
    } all[MOST_EDITS];
    size_t num;
    fh_status status;
} edits;

static void on_edit(void *user, const fh_edit *edit)
{
    edits *to = user;
    HOLD(to->num < MOST_EDITS && edit->len <= sizeof to->all[0].bytes, "more edits than expected");
    to->all[to->num].off = edit->off;
    to->all[to->num].old_len = edit->old_len;
    to->all[to->num].len = edit->len;
    to->all[to->num].code = edit->rule->code;
    if (edit->len > 0) {
        memcpy(to->all[to->num].bytes, edit->bytes, edit->len);
    }
    to->num++;
}

static void repair(edits *out, const char *format, const void *bytes, size_t len, uint64_t units,
                   size_t memory)
{
    static uint8_t block[MOST_TEXT];
    const fh_sink deaf = {0};
    fh_arena arena = fh_arena_make(block, memory);
    fh_budget budget = {units};
    const fh_env env = {&arena, &budget, &deaf};
    const fh_edit_sink sink = {out, on_edit};
    *out = (edits){.num = 0};
    out->status = fh_format_find(format)->repair(&env, &sink, fh_cursor_make(bytes, len, 0),
                                                 &(fh_verify_options){.stand_alone = true});
}

/* Makes the edits, of which none may overlap another; returns the length of what comes of it. */
static size_t apply(char out[MOST_TEXT], const edits *from, const char *bytes, size_t len)
{
    size_t num = 0;
    size_t made = 0;
    for (size_t at = 0; at <= len; at++) {
        size_t skip = 0;
        for (size_t i = 0; i < from->num; i++) {
            if (from->all[i].off == at) {
                HOLD(skip == 0 || from->all[i].old_len == 0, "edits overlap at %zu", at);
                HOLD(from->all[i].old_len <= len - at, "more than there is at %zu", at);
                memcpy(out + num, from->all[i].bytes, from->all[i].len);
                num += from->all[i].len;
                skip += from->all[i].old_len;
                made++;
            }
        }
        if (skip > 0) {
            at += skip - 1;
        } else if (at < len) {
            out[num++] = bytes[at];
        }
    }
    HOLD(made == from->num, "%zu of %zu edits could be made", made, from->num);
    return num;
}

/* The rules of the edits, each once, in order of their codes. */
static const char *codes_of(const edits *of)
{
    static char out[256];
    char last[16] = "";
    out[0] = '\0';
    for (;;) {
        const char *next = NULL;
        for (size_t i = 0; i < of->num; i++) {
            const char *code = of->all[i].code + 3;
            if (strcmp(code, last) > 0 && (next == NULL || strcmp(code, next) < 0)) {
                next = code;
            }
        }
        if (next == NULL) {
            return out;
        }
        (void)snprintf(last, sizeof last, "%s", next);
        (void)snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s",
                       out[0] == '\0' ? "" : " ", next);
    }
}

static void hold_repair(const char *format, const char *bytes, size_t len, const char *codes,
                        const char *wanted, size_t wanted_len)
{
    static char out[MOST_TEXT];
    edits got;
    repair(&got, format, bytes, len, BENCH_BUDGET, MOST_TEXT);
    HOLD(got.status == FH_OK, "%s", bytes);
    HOLD(strcmp(codes_of(&got), codes) == 0, "'%s': %s, not %s", bytes, codes_of(&got), codes);
    const size_t num = apply(out, &got, bytes, len);
    HOLD(num == wanted_len && memcmp(out, wanted, num) == 0, "'%s' became '%.*s'", bytes, (int)num,
         out);
    if (codes[0] != '\0') { /* what is mended needs no mending */
        repair(&got, format, out, num, BENCH_BUDGET, MOST_TEXT);
        HOLD(got.status == FH_OK && got.num == 0, "'%.*s' is mended again: %s", (int)num, out,
             codes_of(&got));
    }
}

/* ---- TRA4 ---- */

typedef struct mending {
    const char *text, *codes, *wanted; /* NULL: the same */
} mending;

static void hold_all(const char *format, const mending *cases, size_t num)
{
    for (size_t i = 0; i < num; i++) {
        const char *wanted = cases[i].wanted == NULL ? cases[i].text : cases[i].wanted;
        hold_repair(format, cases[i].text, strlen(cases[i].text), cases[i].codes, wanted,
                    strlen(wanted));
    }
}
#define HOLD_ALL(format, cases) hold_all(format, cases, sizeof(cases) / sizeof(cases)[0])

#define FIGURE(chunks) ";TRA\n(Head(traVersion 4.0))(Figure" chunks ")\n"
#define ROLL(keys) FIGURE("(bone(roll" keys "))")
#define VERSION(text) ";TRA\n(Head(traVersion " text "))(Figure)\n"

Test(tra, numbers_get_their_plain_form)
{
    static const mending cases[] = {
        {ROLL("(kf +1 1.5)"), "0045", ROLL("(kf 1 1.5)")},
        {ROLL("(kf 1.5 1.5)(kf x 1.5)(kf +99999999999 1.5)"), "", NULL},
        {ROLL("(kf 0 1e1)(kf 1 +2.5)(kf 2 .5)(kf 3 5.)"), "0045",
         ROLL("(kf 0 10.000000)(kf 1 2.500000)(kf 2 0.500000)(kf 3 5.000000)")},
        /* Six decimals are too few for this one. */
        {ROLL("(kf 0 -1e-7)"), "0045", ROLL("(kf 0 -0.0000001)")},
        /* The largest one has a plain form too. */
        {ROLL("(kf 0 3.4028235e+38)(kf 1 -3.4028235e+38)"), "0045",
         ROLL("(kf 0 340282346638528859811704183484516925440.000000)"
              "(kf 1 -340282346638528859811704183484516925440.000000)")},
        /* No float is as large, and what is no number has no form. */
        {ROLL("(kf 0 1e39)(kf 1 -1e39)(kf 2 nan)(kf 3 5)"), "", NULL},
        {FIGURE("(totalFrame +5)"), "0045", FIGURE("(totalFrame 5)")},
    };
    HOLD_ALL("tra", cases);
}

Test(tra, there_is_one_version)
{
    static const mending cases[] = {
        {VERSION("4"), "0028", VERSION("4.0")},
        {VERSION("+4.00"), "0028", VERSION("4.0")},
        {VERSION("40e-1"), "0028", VERSION("4.0")},
        {VERSION("3.9"), "", NULL},
        {VERSION("5"), "", NULL},
        {VERSION("four"), "", NULL},
    };
    HOLD_ALL("tra", cases);
}

Test(tra, words_get_their_case)
{
    static const mending cases[] = {
        {FIGURE("(DynamicPolygons(kgf 0 0 TRUE)(KGF +1 0 False)(kgf 2 0 yes)(kgf 3 0 true 4))"),
         "0031 0045 0104",
         FIGURE("(DynamicPolygons(kgf 0 0 true)(kgf 1 0 false)(kgf 2 0 yes)(kgf 3 0 true 4))")},
        /* A word is what it is where the grammar knows it only. */
        {FIGURE("(Bone(Name \"Roll\")(roll(kf 0 1.0(kf(kf +1 1e1))))(Kf 0)(x(NAME)))"), "0031",
         FIGURE("(bone(name \"Roll\")(roll(kf 0 1.0(kf(kf +1 1e1))))(Kf 0)(x(NAME)))")},
    };
    HOLD_ALL("tra", cases);
}

Test(tra, what_stands_in_front_and_behind)
{
    static const mending cases[] = {
        {"; TRA\n(Figure)\n", "0003", ";TRA\n(Figure)\n"},
        {"; TRA utf8\n(Figure)\n", "0003", ";TRA utf8\n(Figure)\n"},
        {"\n\t;TRA\n(Figure)\n", "0004", ";TRA\n(Figure)\n"},
        {"\xef\xbb\xbf; TRA\n(Figure)\n", "0003 0004", ";TRA\n(Figure)\n"},
        {";TR\n(Figure(totalFrame +5))\n", "", NULL},
        {";BAC\n(Figure(totalFrame +5))\n", "", NULL},
        {"(Figure(totalFrame +5))\n", "", NULL},
        {";TRA\n(Figure)\n\n \t\n", "0036", ";TRA\n(Figure)\n"},
        {";TRA\n(Figure) \t\f; end\n\n", "0036", ";TRA\n(Figure) \t\f; end\n"},
        {";TRA\n(Figure); end", "", NULL},
        {";TRA\n(Figure); end\r  \n", "0014 0036", ";TRA\n(Figure); end\n"},
        {";TRA\n(Figure) ", "0036", ";TRA\n(Figure)"},
        {";TRA\n(Figure)\n(Head)\n", "", NULL},
        {";TRA\n(Figure)x\n", "", NULL},
        {";TRA\n)(Figure(totalFrame +5))\n", "", NULL},
    };
    HOLD_ALL("tra", cases);
#define AND_ZEROS(text, codes, wanted)                                                             \
    hold_repair("tra", text, sizeof(text) - 1, codes, wanted, sizeof(wanted) - 1)
    AND_ZEROS(";TRA\n(Figure)\n\0\0", "0036", ";TRA\n(Figure)\n");
    AND_ZEROS(";TRA\r\n(Figure)\r\n \0\0", "0036", ";TRA\r\n(Figure)\r\n");
    AND_ZEROS(";TRA\n(Figure); end\0\0", "0036", ";TRA\n(Figure); end");
    AND_ZEROS(";TRA\n(Figure); end\r\0", "0014 0036", ";TRA\n(Figure); end\n");
    AND_ZEROS(";TRA\n(Figure)\n\0\0x", "", ";TRA\n(Figure)\n\0\0x");
    AND_ZEROS(";TRA\n(Figure)\n\0", "0036", ";TRA\n(Figure)\n");
    /* Not if anything else stands there, nor if the zeros are not the last of it. */
    AND_ZEROS(";TRA\n(Figure) x\n\0\0", "", ";TRA\n(Figure) x\n\0\0");
    AND_ZEROS(";TRA\n(Figure)\n\0 ", "", ";TRA\n(Figure)\n\0 ");
#undef AND_ZEROS
}

/* What most lines end with, the first of as many; CR alone never. */
Test(tra, line_ends_become_alike)
{
    static const mending cases[] = {
        {";TRA\n(Figure)\r\n", "0014", ";TRA\n(Figure)\n"},
        {";TRA\r\n(Figure)\n", "0014", ";TRA\r\n(Figure)\r\n"},
        {";TRA\r\n;\n(Figure)\n", "0014", ";TRA\n;\n(Figure)\n"},
        {";TRA\r(Figure\r\r\n)\r", "0014", ";TRA\r\n(Figure\r\n\r\n)\r\n"},
        {";TRA\r(Figure)", "0014", ";TRA\n(Figure)"},
        {";TRA\r\n(Figure)\r\n", "", NULL},
    };
    HOLD_ALL("tra", cases);
    /* One in front of the text is one of its lines' too, whatever becomes of it by another rule. */
    edits got;
    repair(&got, "tra", "\r;TRA\r\n(Figure)\r\n", 17, BENCH_BUDGET, MOST_TEXT);
    cr_assert(eq(str, (char *)codes_of(&got), "0004 0014"));
    cr_assert(got.num == 2 && got.all[0].off == 0 && got.all[1].off == 0);
}

typedef struct parts {
    size_t num;
    unsigned levels[16];
    char texts[16][64];
    const char *bytes;
} parts;

static void on_unit(void *user, const fh_unit *unit)
{
    parts *to = user;
    HOLD(to->num < 16 && unit->len < 64 && unit->counts[0].len == 0, "a chunk");
    to->levels[to->num] = unit->level;
    (void)snprintf(to->texts[to->num++], 64, "%.*s", (int)unit->len, to->bytes + unit->off);
}

static fh_status units_of(parts *out, const char *bytes, size_t len, uint64_t units)
{
    const fh_sink deaf = {0};
    fh_budget budget = {units};
    const fh_env env = {NULL, &budget, &deaf};
    const fh_unit_sink sink = {out, on_unit};
    *out = (parts){.bytes = bytes};
    return fh_format_find("tra")->units(&env, &sink, fh_cursor_make(bytes, len, 0));
}

/* Chunks inside of Head and Figure, down to the keys of a channel; not what is deeper than any. */
Test(tra, chunks_can_be_taken_out)
{
    static const char text[] =
        "; TRA\n(Head(traVersion 4))(Figure(bone(roll(kf 0 1e1(x)))))(Other(chunk))";
    static const struct {
        unsigned level;
        const char *text;
    } wanted[] = {{0, "(traVersion 4)"},
                  {2, "(kf 0 1e1(x))"},
                  {1, "(roll(kf 0 1e1(x)))"},
                  {0, "(bone(roll(kf 0 1e1(x))))"}};
    parts got;
    cr_assert(eq(int, (int)units_of(&got, text, sizeof text - 1, BENCH_BUDGET), FH_OK));
    size_t at = 0;
    for (size_t i = 0; i < got.num; i++) {
        if (at < 4 && strcmp(got.texts[i], wanted[at].text) == 0) {
            HOLD(got.levels[i] == wanted[at].level, "%s: level %u", got.texts[i], got.levels[i]);
            at++;
        }
        HOLD(got.levels[i] < 3 && strcmp(got.texts[i], "(x)") != 0, "%s", got.texts[i]);
    }
    cr_assert(eq(sz, at, 4));
    cr_assert(eq(sz, got.num, 4));
    for (uint64_t units = 0; units < sizeof text; units++) {
        cr_assert(eq(int, (int)units_of(&got, text, sizeof text - 1, units), FH_LIMIT));
    }
    cr_assert(eq(int, (int)units_of(&got, "(\0x\0(\0y\0)\0)\0", 12, BENCH_BUDGET), FH_OK));
    cr_assert(eq(sz, got.num, 0), "UTF-16 has no bytes to count in");
}

/* ---- UTF-16 ---- */

static size_t widen(char *out, const char *text, bool is_big)
{
    size_t num = 0;
    for (; *text != '\0'; text++) {
        out[num++] = is_big ? '\0' : *text;
        out[num++] = is_big ? *text : '\0';
    }
    return num;
}

Test(utf16, becomes_bytes_if_all_of_it_is_ascii)
{
    static const char *const marks[] = {"\xff\xfe", "\xfe\xff"};
    static const char row[] = "0 1 text\x7f\n";
    static const char *const codes[] = {"0013", "0020"};
    for (int is_cam = 0; is_cam < 2; is_cam++) {
        const char *format = is_cam ? "camerawork" : "tra";
        for (int is_big = 0; is_big < 2; is_big++) {
            char bytes[64];
            edits got;
            const size_t len = widen(bytes, row, is_big);
            repair(&got, format, bytes, len, BENCH_BUDGET, MOST_TEXT);
            cr_assert(eq(int, (int)got.status, FH_OK));
            cr_assert(eq(str, (char *)codes_of(&got), (char *)codes[is_cam]));
            cr_assert(got.all[0].off == 0 && got.all[0].old_len == len);
            cr_assert(got.all[0].len == sizeof row - 1 &&
                      memcmp(got.all[0].bytes, row, sizeof row - 1) == 0);
            /* A mark goes with it. */
            memcpy(bytes, marks[is_big], 2);
            const size_t marked = 2 + widen(bytes + 2, row, is_big);
            repair(&got, format, bytes, marked, BENCH_BUDGET, MOST_TEXT);
            cr_assert(got.num == 1 && got.all[0].old_len == marked &&
                      got.all[0].len == sizeof row - 1 && got.all[0].bytes[0] == '0');
            /* Half a character, or one that is not ASCII: as a byte, or in its other half. */
            repair(&got, format, bytes, marked - 1, BENCH_BUDGET, MOST_TEXT);
            cr_assert(got.status == FH_OK && got.num == 0);
            bytes[is_big ? 5 : 4] = (char)0x80;
            repair(&got, format, bytes, marked, BENCH_BUDGET, MOST_TEXT);
            cr_assert(got.status == FH_OK && got.num == 0);
            bytes[is_big ? 5 : 4] = 'x';
            bytes[is_big ? 4 : 5] = 1;
            repair(&got, format, bytes, marked, BENCH_BUDGET, MOST_TEXT);
            cr_assert(got.status == FH_OK && got.num == 0);
            /* Work and memory are those of its characters. */
            (void)widen(bytes, row, is_big);
            repair(&got, format, bytes, len, BENCH_BUDGET, 0);
            cr_assert(got.status == FH_NO_MEMORY && got.num == 0);
            repair(&got, format, bytes, len, sizeof row - 2, MOST_TEXT);
            cr_assert(got.status == FH_LIMIT && got.num == 0);
        }
    }
}

/* ---- camerawork ---- */

#define Z " 0.000000e+00"
#define Z3 Z Z Z
#define BEHIND_Y Z Z Z " -1.000000e+00" Z " 1.000000e+00" Z " 0" Z3 " 0" Z3 Z3 Z3
#define BEHIND_X Z Z Z Z " -1.000000e+00" Z " 1.000000e+00" Z " 0" Z3 " 0" Z3 Z3 Z Z
#define ROW_X(index, x, last) index " 1 " x BEHIND_X " " last
#define LAST "0.000000e+00"
#define ROW(index) ROW_X(index, "0.000000e+00", LAST)
/* Row 0 with a position x, and a sound row behind it. */
#define WITH_X(x) ROW_X("0", x, LAST) "\n" ROW("1") "\n"
#define WITH_LAST(other, last) ROW_X("0", other, LAST) "\n" ROW_X("1", LAST, last)

Test(camerawork, numbers_get_the_form_of_the_program)
{
    static const mending cases[] = {
        {ROW("00") "\n" ROW("+1") "\n", "0023", ROW("0") "\n" ROW("1") "\n"},
        {WITH_X("1,000000e+00"), "0022", WITH_X("1.000000e+00")},
        {WITH_X("-1,500000e+00"), "0022", WITH_X("-1.500000e+00")},
        /* A comma elsewhere, and what is no number with a point either. */
        {WITH_X("1.0,00000e+00"), "", NULL},
        {WITH_X("1,000000x+00"), "", NULL},
        {WITH_X("1,000000e+x"), "", NULL},
        {WITH_X("1,0"), "", NULL},
        {WITH_X("1,00000000"), "", NULL},
        {WITH_X("1'000000e+00"), "", NULL},
        {WITH_X("\"1.000000e+00\""), "0022", WITH_X("1.000000e+00")},
        {WITH_X("\"1.000000e+00"), "", NULL},
        {WITH_X("1.000000e+00\""), "", NULL},
        {WITH_X("\"\""), "", NULL},
        {WITH_X("\"one\""), "", NULL},
        {WITH_X("1.5"), "0012", WITH_X("1.500000e+00")},
        {WITH_X("+1.000000E+01"), "0012", WITH_X("1.000000e+01")},
        /* Six digits would make another number of it; and what is none has no form. */
        {WITH_X("1.23456789"), "", NULL},
        {WITH_X("1.#INF00e+000"), "", NULL},
        {WITH_X("1.000000e+400"), "", NULL},
        {WITH_X("one"), "", NULL},
        {WITH_X("1.000000e+000"), "0013", WITH_X("1.000000e+00")},
        {WITH_X("1.000000e+100"), "", NULL},
    };
    HOLD_ALL("camerawork", cases);
}

/* What is written otherwise is mended in two steps: at first what is no part of the number. */
Test(camerawork, quotes_and_commas_around_other_forms)
{
    static const mending cases[] = {
        {WITH_X("\"5\""), "0022", WITH_X("5")},
        {WITH_X("\"1.23456e+00\""), "0022", WITH_X("1.23456e+00")},
        {WITH_X("\"12345678e+00\""), "0022", WITH_X("12345678e+00")},
        /* The first of these has a comma for its point; the second one has too few digits. */
        {"0 1 1,234567e+00 1,23456" BEHIND_Y "\n", "0022",
         "0 1 1.234567e+00 1,23456" BEHIND_Y "\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        edits got;
        static char out[MOST_TEXT];
        const size_t len = strlen(cases[i].text);
        repair(&got, "camerawork", cases[i].text, len, BENCH_BUDGET, MOST_TEXT);
        HOLD(strcmp(codes_of(&got), cases[i].codes) == 0, "case %zu: %s", i, codes_of(&got));
        const size_t num = apply(out, &got, cases[i].text, len);
        HOLD(num == strlen(cases[i].wanted) && memcmp(out, cases[i].wanted, num) == 0,
             "case %zu: %.*s", i, (int)num, out);
    }
}

Test(camerawork, what_is_between_the_columns_and_the_lines)
{
    static const mending cases[] = {
        {WITH_X(" 1.000000e+00"), "0011", WITH_X("1.000000e+00")},
        {"0 1\t" LAST BEHIND_X " " LAST "\n", "0011", "0 1 " LAST BEHIND_X " " LAST "\n"},
        {WITH_X("1.000000e+00\t-0.000000e+00") "\n", "0025", WITH_X("1.000000e+00\t-0.000000e+00")},
        {ROW("0") " \n\t" ROW("1") "\n", "0025", ROW("0") "\n" ROW("1") "\n"},
        {ROW("0") " \r\n" ROW("1") "\t\r\n", "0025", ROW("0") "\r\n" ROW("1") "\r\n"},
        {ROW("0") "\n" ROW("1") " ", "0015 0025", ROW("0") "\n" ROW("1") "\n"},
        {ROW("0") "\n \n" ROW("1") "\n", "0009", ROW("0") "\n" ROW("1") "\n"},
        /* Behind a row, be it the only one, a blank line is a margin; in front of it it is none. */
        {ROW("0") "\n\n", "0025", ROW("0") "\n"},
        {"\n" ROW("0") "\n", "0009", ROW("0") "\n"},
        {"\n", "0009", ""},
        {"\xef\xbb\xbf" ROW("0") "\n", "0026", ROW("0") "\n"},
        {ROW("0") "\r" ROW("1") "\r\n", "0027", ROW("0") "\r\n" ROW("1") "\r\n"},
        {ROW("0") "\n" ROW("1") "\r\n", "0014", ROW("0") "\n" ROW("1") "\n"},
        /* A comment of as many words as a row has columns is none. */
        {"#" ROW("0 ") "\n" ROW("0") "\n", "", NULL},
        {"#" ROW("0") " \n" ROW("0") "\n", "", NULL},
        {ROW("1") "\n" ROW("1") "\n", "0007", ROW("0") "\n" ROW("1") "\n"},
        {ROW("0") "\n" ROW("0") "\n" ROW("2") "\n", "0008",
         ROW("0") "\n" ROW("1") "\n" ROW("2") "\n"},
        {ROW("0") "\n" ROW("0") "\n" ROW("3") "\n", "", NULL},
        {ROW("x") "\n" ROW("0") "\n" ROW("2") "\n", "", NULL},
    };
    HOLD_ALL("camerawork", cases);
}

/* The last row is whole if its last number is as long as the others. */
Test(camerawork, the_last_line_end)
{
    static const mending cases[] = {
        {ROW("0") "\n" ROW("1"), "0015", ROW("0") "\n" ROW("1") "\n"},
        {ROW("0") "\r\n" ROW("1"), "0015", ROW("0") "\r\n" ROW("1") "\r\n"},
        {WITH_LAST("1.000000e+100", "1.000000e+10"), "0015",
         WITH_LAST("1.000000e+100", "1.000000e+10") "\n"},
        {WITH_LAST("0.000000e+00", "1.0"), "0012", WITH_LAST("0.000000e+00", "1.000000e+00")},
        /* Of what is no number the rest may be missing as well. */
        {WITH_LAST("0.000000e+00", "1.#"), "", NULL},
        {WITH_LAST("0.000000e+00", "1#"), "", NULL},
        {WITH_LAST("0.000000e+00", "1.0000"), "0012", WITH_LAST("0.000000e+00", "1.000000e+00")},
        {ROW("0") "\n1 1 0.000000e+00", "", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        edits got;
        static char out[MOST_TEXT];
        const char *wanted = cases[i].wanted == NULL ? cases[i].text : cases[i].wanted;
        repair(&got, "camerawork", cases[i].text, strlen(cases[i].text), BENCH_BUDGET, MOST_TEXT);
        HOLD(strcmp(codes_of(&got), cases[i].codes) == 0, "case %zu: %s", i, codes_of(&got));
        const size_t num = apply(out, &got, cases[i].text, strlen(cases[i].text));
        HOLD(num == strlen(wanted) && memcmp(out, wanted, num) == 0, "case %zu: %.*s", i, (int)num,
             out);
    }
    /* Both kinds of exponents: the last one may be cut. */
    edits got;
    static const char mixed[] = WITH_LAST("1.000000e+000", "1.000000e+00");
    repair(&got, "camerawork", mixed, sizeof mixed - 1, BENCH_BUDGET, MOST_TEXT);
    cr_assert(eq(str, (char *)codes_of(&got), "0013"));
    static const char padded[] = WITH_LAST("1.000000e+00", "1.000000e+000");
    repair(&got, "camerawork", padded, sizeof padded - 1, BENCH_BUDGET, MOST_TEXT);
    cr_assert(eq(str, (char *)codes_of(&got), "0013"), "nor is it, the other way round");
}

/* Rows of nothing but numbers with three digits in their exponents, down to a line end. */
Test(camerawork, all_exponents_of_three_digits)
{
    static char text[MOST_TEXT];
    static char wanted[MOST_TEXT];
    static const char row[] = ROW("0") "\n" ROW("1");
    size_t num = 0;
    for (const char *at = row; *at != '\0'; at++) {
        text[num++] = *at;
        if (at[0] == '+') {
            text[num++] = '0';
        }
    }
    (void)snprintf(wanted, sizeof wanted, "%s\n", row);
    edits got;
    static char out[MOST_TEXT];
    repair(&got, "camerawork", text, num, BENCH_BUDGET, MOST_TEXT);
    cr_assert(eq(str, (char *)codes_of(&got), "0013 0015"));
    const size_t len = apply(out, &got, text, num);
    cr_assert(len == strlen(wanted) && memcmp(out, wanted, len) == 0);
}

Test(camerawork, zeros_behind_the_last_row)
{
#define AND_ZEROS(text, codes, wanted)                                                             \
    hold_repair("camerawork", text, sizeof(text) - 1, codes, wanted, sizeof(wanted) - 1)
    AND_ZEROS(ROW("0") "\n\0\0", "0017", ROW("0") "\n");
    AND_ZEROS(ROW("0") "\n\0\1", "", ROW("0") "\n\0\1");
    AND_ZEROS(ROW("0") "\n\1\0", "", ROW("0") "\n\1\0");
    AND_ZEROS(ROW("0") "\n1 1\0\0", "", ROW("0") "\n1 1\0\0");
    AND_ZEROS(ROW("0") "\n1\0\0", "", ROW("0") "\n1\0\0");
    AND_ZEROS(ROW("0") "\n" ROW_X("1", LAST, "1.0") "\0", "",
              ROW("0") "\n" ROW_X("1", LAST, "1.0") "\0");
    /* Blanks in front of a control byte stay: what follows nobody knows. */
    AND_ZEROS(ROW("0") " \1\n", "", ROW("0") " \1\n");
#undef AND_ZEROS
}

/* ---- limits ---- */

/* Whatever there is to work with: everything is told, or that it was not enough. */
Test(limits, every_budget)
{
    static const struct {
        const char *format, *text;
    } cases[] = {
        {"tra", "; TRA\r(Head(traVersion 4))(Figure(bone(roll(kf +0 1e1))))\n\n \n"},
        {"camerawork", "\xef\xbb\xbf" ROW("00") "\r\n\n" ROW_X("1", "1.0", "1.000000e+000") "\n"},
    };
    for (size_t i = 0; i < 2; i++) {
        const size_t len = strlen(cases[i].text);
        edits all;
        edits some;
        repair(&all, cases[i].format, cases[i].text, len, BENCH_BUDGET, MOST_TEXT);
        HOLD(all.status == FH_OK && all.num > 4, "%s", cases[i].format);
        fh_status last = FH_LIMIT;
        for (uint64_t units = 0; units < 10 * len; units++) {
            repair(&some, cases[i].format, cases[i].text, len, units, MOST_TEXT);
            HOLD(some.status == FH_LIMIT || (some.status == FH_OK && some.num == all.num),
                 "%s, %d units", cases[i].format, (int)units);
            HOLD(some.status == last || last == FH_LIMIT, "%s, %d units", cases[i].format,
                 (int)units);
            last = some.status;
        }
        HOLD(last == FH_OK, "%s: ten units a byte are enough", cases[i].format);
    }
    /* Zeros up to the end are looked at one by one. */
    static const char zeros[] = ROW("0") "\n\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
    fh_status last = FH_LIMIT;
    for (uint64_t units = 0; units < 4 * sizeof zeros; units++) {
        edits got;
        repair(&got, "camerawork", zeros, sizeof zeros - 1, units, MOST_TEXT);
        HOLD(got.status == FH_OK ? got.num == 1 : got.status == FH_LIMIT && last == FH_LIMIT,
             "%d units", (int)units);
        last = got.status;
    }
    cr_assert(eq(int, (int)last, FH_OK));
}

/* ---- bits ---- */

static const fh_rule rules[] = {{.code = "TST0001", .severity = FH_ERROR},
                                {.code = "TST0002", .severity = FH_ERROR}};

/* What the format of the test finds. */
static fh_finding finds;

static fh_status tell_finding(fh_asset *asset, const void **model, const fh_env *env,
                              fh_cursor bytes, const fh_verify_options *options)
{
    (void)asset;
    (void)model;
    (void)bytes;
    HOLD(options->stand_alone && env->sink->tells_all, "as it is asked for");
    env->sink->finding(env->sink->user, &finds);
    return FH_CORRUPT;
}

static const fh_format finder = {.name = "finder", .verify = tell_finding};

/* Mends nine bytes of 0x11, 0x22 ... 0x99 for one finding. */
static void mend_bits(edits *out, const fh_bit_mend *mend, const fh_rule *rule, const char *field,
                      int64_t off, const char *expected)
{
    static const uint8_t bytes[] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99};
    const fh_edit_sink sink = {out, on_edit};
    const fh_env env = {0};
    finds = fh_finding_make(rule, field);
    finds.offset = off;
    (void)snprintf(finds.expected, sizeof finds.expected, "%s", expected);
    *out = (edits){.num = 0};
    out->status = fh_repair_bits(&finder, &env, &sink, fh_cursor_make(bytes, sizeof bytes, 0),
                                 &(fh_verify_options){.stand_alone = true}, mend, 1);
    cr_assert(eq(int, (int)out->status, FH_CORRUPT), "what verify said");
}

static bool is_edit(const edits *of, size_t off, const char *bytes, size_t len)
{
    return of->num == 1 && of->all[0].off == off && of->all[0].old_len == len &&
           of->all[0].len == len && memcmp(of->all[0].bytes, bytes, len) == 0 &&
           strcmp(of->all[0].code, "TST0001") == 0;
}

Test(bits, no_more_bytes_than_those_that_change)
{
    static const struct {
        uint32_t clear, set;
        size_t first, len;
        const char *bytes;
    } cases[] = {{0xff, 0x12, 4, 1, "\x12"},         {0xff0000, 0, 6, 1, "\0"},
                 {0xf0000000, 0, 7, 1, "\x08"},      {0xffffffff, 0, 4, 4, "\0\0\0\0"},
                 {0xffff00, 0x777700, 5, 1, "\x77"}, {0xff0000ff, 0, 4, 4, "\0\x66\x77\0"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fh_bit_mend mend = {&rules[0], "count", cases[i].clear, cases[i].set, false};
        edits got;
        for (int64_t off = 4; off < 8; off++) {
            mend_bits(&got, &mend, &rules[0], "count", off, "");
            HOLD(is_edit(&got, cases[i].first, cases[i].bytes, cases[i].len), "case %zu", i);
        }
    }
}

Test(bits, what_is_not_mended)
{
    const fh_bit_mend mend = {&rules[0], "count", 0xff, 0x12, false};
    const fh_bit_mend any = {&rules[0], NULL, 0xff, 0x12, false};
    const fh_bit_mend right = {&rules[0], NULL, 0xff, 0x55, false};
    edits got;
    mend_bits(&got, &any, &rules[0], "other", 4, "");
    cr_assert(is_edit(&got, 4, "\x12", 1), "any field");
    mend_bits(&got, &any, &rules[0], "other", 0, "");
    cr_assert(is_edit(&got, 0, "\x12", 1), "the first word");
    mend_bits(&got, &mend, &rules[0], "other", 4, "");
    cr_assert(eq(sz, got.num, 0), "another field");
    mend_bits(&got, &any, &rules[1], "count", 4, "");
    cr_assert(eq(sz, got.num, 0), "another rule");
    mend_bits(&got, &right, &rules[0], "count", 4, "");
    cr_assert(eq(sz, got.num, 0), "it is right already");
    mend_bits(&got, &mend, &rules[0], "count", FH_UNKNOWN, "");
    cr_assert(eq(sz, got.num, 0), "nowhere");
    mend_bits(&got, &mend, &rules[0], "count", 8, "");
    cr_assert(eq(sz, got.num, 0), "there is no whole word");
    mend_bits(&got, &mend, &rules[0], "count", 9, "");
    cr_assert(eq(sz, got.num, 0), "behind the end");
}

Test(bits, become_the_number_that_is_expected)
{
    static const struct {
        const char *expected;
        int byte; /* that the word then begins with, -1: no edit */
    } cases[] = {{"18", 0x12},
                 {"18 as in the header", 0x12},
                 {"255", 0xff},
                 {"9", 9},
                 {"90 as in the header", 90},
                 {"190", 190},
                 {"256", -1},
                 {"2550", -1},
                 {"18x", -1},
                 {"18.", -1},
                 {"", -1},
                 {"about 9", -1},
                 {"-1", -1},
                 {"0", 0},
                 {":", -1},
                 {"99999999999999999999", -1}};
    const fh_bit_mend mend = {&rules[0], "count", 0xff, 0, true};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char byte = (char)cases[i].byte;
        edits got;
        mend_bits(&got, &mend, &rules[0], "count", 4, cases[i].expected);
        HOLD(cases[i].byte < 0 ? got.num == 0 : is_edit(&got, 4, &byte, 1), "'%s'",
             cases[i].expected);
    }
}

Test(bits, numbers_are_little_endian)
{
    edits got = {0};
    const fh_edit_sink sink = {&got, on_edit};
    fh_edit_number(&sink, &rules[0], "length", 7, 0x12345678, 4);
    cr_assert(is_edit(&got, 7, "\x78\x56\x34\x12", 4));
    got.num = 0;
    fh_edit_number(&sink, &rules[0], "length", 7, 0x12345678, 2);
    cr_assert(is_edit(&got, 7, "\x78\x56", 2));
}

/* ---- mends ---- */

Test(mends, a_rule_is_looked_up_among_those_of_its_table)
{
    static const fh_rule rules[] = {{.code = "A0001"}, {.code = "A0002"}, {.code = "A0003"}};
    static const fh_mend mends[] = {{&rules[0], false}, {&rules[2], true}};
    static const fh_rule_table table = {"a", rules, 3, mends, 2};
    cr_assert(fh_rule_is_mended(&table, &rules[0]));
    cr_assert(not(fh_rule_is_mended(&table, &rules[1])));
    cr_assert(fh_rule_is_mended(&table, &rules[2]));
}
