/* TRA4 texts and pieces of them in larger data: every place, encoding and cut. */
#include "field.h"

#include "registry/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JUNK = 0xff };

/* ---- texts of which the test knows every chunk ---- */

typedef enum encoding { ASCII = 0, LITTLE, BIG, NUM_ENCODINGS } encoding;

static void put_char(bytes *to, encoding as, unsigned c)
{
    const uint8_t low = (uint8_t)(c & 0xff);
    const uint8_t high = (uint8_t)(c >> 8);
    if (as == BIG) {
        put(to, &high, 1);
    }
    put(to, &low, 1);
    if (as == LITTLE) {
        put(to, &high, 1);
    }
}

static size_t unit_of(encoding as)
{
    return as == ASCII ? 1 : 2;
}

/* The text in an encoding, an at sign as a character above 127 where there is one. */
static void put_text(bytes *to, encoding as, const char *text, const char *eol)
{
    for (; *text != '\0'; text++) {
        if (*text != '\n') {
            put_char(to, as, *text != '@' ? (uint8_t)*text : as == ASCII ? 'A' : 0x30a2);
            continue;
        }
        for (const char *end = eol; *end != '\0'; end++) {
            put_char(to, as, (unsigned char)*end);
        }
    }
}

#define KEY(frame, value) "( kf " frame " " value " )\n"
#define CHANNEL(name, value) " ( " name "\n" KEY("0", value) KEY("10", value) " )\n"
#define THREE(name, z) CHANNEL(name ".x", "0.5") CHANNEL(name ".y", "0.5") CHANNEL(name ".z", z)
#define BONE(name)                                                                                 \
    "  ( bone ; @ bone\n    ( name \"" name "\" )\n" THREE("translate", "0")                       \
        CHANNEL("scale.x", "100.0") CHANNEL("scale.y", "100.0") CHANNEL("scale.z", "100.0")        \
            THREE("rotate", "1.0") CHANNEL("roll", "0.0") "  )\n"
static const char whole[] =
    ";TRA\n; @ comment\n( Head\n  ( traVersion 4.0 )\n)\n( Figure\n"
    "  ( totalFrame 11 )\n" BONE("hip@")
        BONE("toe") "  ( DynamicPolygons\n    ( kgf 0 0 true )\n    ( kgf 3 1 false )\n"
                    "    ( kgf 0 1 true )\n    ( kgf 5 0 false )\n  )\n)\n";
enum { WHOLE_LEN = sizeof whole - 1 };

/* Keys that are whole in a range of the text, and whole bones. */
static size_t keys_in(size_t from, size_t to)
{
    size_t num = 0;
    for (size_t i = from; i + 1 < to; i++) {
        if (whole[i] == '(' &&
            (memcmp(whole + i, "( kf", 4) == 0 || memcmp(whole + i, "( kgf", 5) == 0)) {
            num += (size_t)(strchr(whole + i, ')') - whole) < to ? 1 : 0;
        }
    }
    return num;
}

static field f;

static void hunt_for_all(void)
{
    f.options.formats = fh_formats;
    f.options.num_formats = fh_num_formats;
    field_hunt(&f);
    HOLD(f.status == FH_HUNT_OK, "status");
}

static void hold_one(int64_t raw, int64_t len, const char *grade, const char *what, size_t number)
{
    HOLD(f.num_assets == 1, "%s %zu: %zu assets", what, number, f.num_assets);
    HOLD(f.assets[0].raw == raw && f.assets[0].len == len,
         "%s %zu: %lld bytes at %lld, not %lld "
         "at %lld",
         what, number, (long long)f.assets[0].len, (long long)f.assets[0].raw, (long long)len,
         (long long)raw);
    HOLD(strcmp(f.assets[0].grade, grade) == 0, "%s %zu: %s", what, number, f.assets[0].grade);
}

/* ---- whole texts ---- */

static const char *const eols[] = {"\n", "\r\n", "\r"};
static const char *const boms[NUM_ENCODINGS] = {"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"};

static void whole_at(encoding as, size_t eol, bool has_bom, size_t place, bool is_ended)
{
    field_open(&f);
    put_fill(&f.source, JUNK, place);
    if (place % 2 == 1 || has_bom) {
        put_fill(&f.source, 0x41, 2); /* no two of these are a mark */
    }
    const int64_t start = (int64_t)f.source.len;
    if (has_bom) {
        put(&f.source, boms[as], strlen(boms[as]));
    }
    put_text(&f.source, as, whole, eols[eol]);
    const int64_t len = (int64_t)f.source.len - start;
    if (is_ended) {
        put_fill(&f.source, 0, 1 + place);
    }
    put_fill(&f.source, JUNK, 9);
    hunt_for_all();
    hold_one(start, len, "replayed", has_bom ? "with a mark" : "place", place);
    HOLD((field_count(&f, "TRA0013") == 1) == (as != ASCII), "TRA0013");
    HOLD((field_count(&f, "TRA0004") == 1) == has_bom, "TRA0004");
    field_close(&f);
}

Test(wholes, any_place_and_encoding)
{
    for (int as = 0; as < NUM_ENCODINGS; as++) {
        for (size_t eol = 0; eol < 3; eol++) {
            for (size_t place = 0; place < 8; place++) {
                whole_at((encoding)as, eol, place % 3 == 0, place, eol != 1);
                whole_at((encoding)as, eol, place % 3 != 0, place, eol == 1);
            }
        }
    }
}

/* ---- cuts ---- */

/* The text up to `to`, behind which something stands. */
static void cut_behind(encoding as, size_t to, uint8_t behind)
{
    bytes text = {0};
    const size_t unit = unit_of(as);
    put_text(&text, as, whole, "\n");
    field_open(&f);
    put_fill(&f.source, JUNK, 32);
    put(&f.source, text.data, to);
    put_fill(&f.source, behind, 24);
    put_fill(&f.source, 0, 24);
    hunt_for_all();
    const size_t num = keys_in(0, to / unit);
    if (to + 3 * unit >= WHOLE_LEN * unit) {
        HOLD(f.num_assets == 1, "the whole, %zu", to);
    } else if (num < 4) {
        HOLD(f.num_assets == 0, "%zu bytes: %zu assets", to, f.num_assets);
        HOLD(field_count(&f, "RUN0006") == (num > 0 ? 1 : 0), "%zu bytes: RUN0006", to);
    } else {
        const size_t half = whole[to / unit] == '@' ? 0 : to % unit; /* else a 0 completes it */
        hold_one(32, (int64_t)(to - to % unit + (half == to % unit ? 0 : unit)), "structure",
                 "the first bytes", to);
        HOLD(field_count(&f, "TRA0130") == 1 && field_count(&f, "RUN0006") == 0, "told");
        HOLD(strncmp(field_find(&f, "TRA0130")->found, "without its end: ", 17) == 0, "which");
    }
    field_close(&f);
    bytes_free(&text);
}

Test(cuts, behind_every_byte, .timeout = 200)
{
    for (size_t to = 0; to < WHOLE_LEN; to++) {
        cut_behind(ASCII, to, 0);
    }
    for (size_t to = 0; to < 2 * WHOLE_LEN; to += 5) {
        cut_behind(to % 2 == 0 ? LITTLE : BIG, to, 0);
    }
    for (size_t to = 5; to < WHOLE_LEN; to += 7) {
        cut_behind(ASCII, to, 1);
    }
}

/* Where the first whole chunk begins behind a cut. Behind the beginning of a name that is cut
 * nothing on its line counts: there is none here. */
static size_t first_chunk(size_t from)
{
    const char *found = from == 0 ? whole : strchr(whole + from, '(');
    return found == NULL ? WHOLE_LEN : (size_t)(found - whole);
}

static bool has_whole_bone(size_t from)
{
    return strstr(whole + from, "( bone") != NULL;
}

/* The text from `from` on, behind something. */
static void cut_in_front(encoding as, size_t from, uint8_t front, size_t num_front)
{
    bytes text = {0};
    const size_t unit = unit_of(as);
    const size_t chunk = first_chunk((from + unit - 1) / unit);
    put_text(&text, as, whole, "\n");
    field_open(&f);
    put_fill(&f.source, front, num_front);
    put(&f.source, text.data + from, text.len - from);
    put_fill(&f.source, 0, 24);
    hunt_for_all();
    if (keys_in(chunk, WHOLE_LEN) >= 4 || has_whole_bone(chunk)) {
        const size_t start = chunk * unit;
        hold_one((int64_t)(num_front + start - from), (int64_t)(text.len - start),
                 from == 0 ? "replayed" : "structure", "from", from);
        HOLD(field_count(&f, "TRA0130") == (from == 0 ? 0 : 1), "told");
        HOLD(from == 0 ||
                 strncmp(field_find(&f, "TRA0130")->found, "without its beginning: ", 23) == 0,
             "which");
    } else {
        HOLD(f.num_assets == 0, "from %zu: %zu assets", from, f.num_assets);
    }
    HOLD(field_count(&f, "RUN0006") == 0, "from %zu: near miss", from);
    field_close(&f);
    bytes_free(&text);
}

Test(cuts, in_front_of_every_byte, .timeout = 200)
{
    for (size_t from = 0; from < WHOLE_LEN; from++) {
        cut_in_front(ASCII, from, 0, 7);
    }
    for (size_t from = 0; from < 2 * WHOLE_LEN; from += 14) { /* at whole characters */
        cut_in_front(LITTLE, from, JUNK, 16);
        cut_in_front(LITTLE, from, JUNK, 17);
        cut_in_front(BIG, from, JUNK, 16);
        cut_in_front(BIG, from, JUNK, 17);
        cut_in_front(LITTLE, from, 0, 16);
        cut_in_front(BIG, from, 0, 16);
    }
}

/* A text that is cut, and a whole one right behind the cut, as at sectors and pages. */
static void cut_by_another(encoding as, const char *front, size_t to)
{
    char cut[WHOLE_LEN + 64];
    memcpy(cut, front, to);
    cut[to] = '\0';
    field_open(&f);
    put_fill(&f.source, JUNK, 32);
    put_text(&f.source, as, cut, "\n");
    const int64_t second = (int64_t)f.source.len;
    put_text(&f.source, as, whole, "\n");
    const int64_t len = (int64_t)f.source.len - second;
    put_fill(&f.source, 0, 24);
    hunt_for_all();
    const size_t num = keys_in(0, to < WHOLE_LEN ? to : WHOLE_LEN) >= 4 ? 2 : 1;
    HOLD(f.num_assets == num, "%d, %zu: %zu assets", as, to, f.num_assets);
    const told_asset *last = &f.assets[num - 1];
    HOLD(last->raw == second && last->len == len && strcmp(last->grade, "replayed") == 0,
         "%d, %zu: %lld bytes at %lld", as, to, (long long)last->len, (long long)last->raw);
    HOLD(num == 1 || (f.assets[0].raw == 32 && f.assets[0].raw + f.assets[0].len <= second),
         "%d, %zu: the first one", as, to);
    field_close(&f);
}

/* The line that is cut takes the first one of the other text, as a comment or into one. */
Test(cuts, in_front_of_a_whole_text, .timeout = 200)
{
    static const char identified[] = ";TRA\n; @ comment\n(";
    char commented[WHOLE_LEN + 32];
    for (size_t to = sizeof identified - 1; to <= WHOLE_LEN; to++) {
        cut_by_another(ASCII, whole, to);
    }
    for (size_t to = sizeof identified - 1; to <= WHOLE_LEN; to += 3) {
        /* Fewer than four plain characters in front do not tell the byte order. */
        if (memchr(whole + to - 4, '@', 4) == NULL) {
            cut_by_another(to % 2 == 0 ? LITTLE : BIG, whole, to);
        }
    }
    const int len = snprintf(commented, sizeof commented, "%.*s ; Figure", WHOLE_LEN - 1, whole);
    for (size_t to = WHOLE_LEN; to <= (size_t)len; to++) {
        cut_by_another(ASCII, commented, to);
    }
}

static const char *grade_of(const told_asset *asset)
{
    return asset->grade;
}

/* A piece from the inside: never more than a structure, and never beyond its bytes. */
Test(cuts, pieces, .timeout = 200)
{
    for (size_t from = 1; from < WHOLE_LEN; from += 31) {
        for (size_t to = from + 1; to < WHOLE_LEN - 3; to += 59) {
            const size_t chunk = first_chunk(from);
            field_open(&f);
            put_fill(&f.source, 0, 10);
            put(&f.source, whole + from, to - from);
            put_fill(&f.source, 0, 10);
            hunt_for_all();
            const size_t start = 10 + chunk - from;
            if (chunk < to && keys_in(chunk, to) >= 4) {
                hold_one((int64_t)start, (int64_t)(10 + to - from - start), "structure", "to", to);
                HOLD(strncmp(field_find(&f, "TRA0130")->found,
                             "without its beginning and its end: ", 35) == 0,
                     "which");
            } else {
                HOLD(f.num_assets == 0 || strcmp(grade_of(&f.assets[0]), "structure") == 0,
                     "%zu to %zu", from, to);
            }
            field_close(&f);
        }
    }
}

/* ---- what ends a fragment ---- */

/* Keys in front of a cut, what stands behind it, and how much of that belongs to the text. */
#define FOUR "( kf 0 1.0 )( kf 1 1.0 )( kf 2 1.0 )( kf 3 1.0 )"
Test(fragments, where_they_end)
{
    static const struct {
        const char *behind;
        int64_t own;
        size_t len;
    } cases[] = {{" int main", 1, 0},
                 {" ( kf 4 0.9int main )", 8, 0},
                 {" ( kf 4 1.#IND )\1", 16, 0},
                 {"( kg\1", 4, 0},
                 {"( kf 4 \xff\xff", 7, 0},
                 {"( kfx ", 2, 0},
                 {" ) ) ) ; end\n x", 13, 0},
                 {") ) )) x", 5, 0},
                 {" \n;TRA \n", 2, 0},
                 {"( kf 4 1 2 )", 9, 0},
                 {"( kf ( ", 5, 0},
                 {"( kf 4 )", 7, 0},
                 {" ) ( roll ( kf 0 \"", 18, 0},
                 {" ; x\1", 4, 0},
                 {"\0", 0, 1},
                 {"( )", 2, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const size_t len = cases[i].len > 0 ? cases[i].len : strlen(cases[i].behind);
        field_open(&f);
        put_fill(&f.source, 0, 5);
        put(&f.source, FOUR, strlen(FOUR));
        put(&f.source, cases[i].behind, len);
        hunt_for_all();
        hold_one(5, (int64_t)strlen(FOUR) + cases[i].own, "structure", "case", i);
        field_close(&f);
    }
}

/* Two pieces that foreign text parts stay two; a text that follows on is its own. */
Test(fragments, neighbours)
{
    static const char *const between[] = {
        " foreign words ", " ( foreign ", "@@ @", " ) ) ) ) )", "\1", " 1.0 ", "( kf 1 2 3 4 )"};
    for (int as = 0; as < NUM_ENCODINGS; as++) {
        for (size_t i = 0; i < sizeof between / sizeof between[0]; i++) {
            field_open(&f);
            put_fill(&f.source, JUNK, 6);
            put_text(&f.source, (encoding)as, FOUR, "\n");
            put_text(&f.source, (encoding)as, between[i], "\n");
            const int64_t second = (int64_t)f.source.len;
            put_text(&f.source, (encoding)as, FOUR ")))\n", "\n");
            const int64_t end = (int64_t)f.source.len;
            put_text(&f.source, (encoding)as, whole, "\n");
            hunt_for_all();
            HOLD(f.num_assets == 3, "%d, %zu: %zu assets", as, i, f.num_assets);
            HOLD(f.assets[0].raw == 6 && f.assets[1].raw == second && f.assets[2].raw == end,
                 "%d, %zu: places %lld %lld %lld", as, i, (long long)f.assets[0].raw,
                 (long long)f.assets[1].raw, (long long)f.assets[2].raw);
            HOLD(f.assets[1].len == end - second, "%d, %zu: length", as, i);
            HOLD(strcmp(f.assets[2].grade, "replayed") == 0, "%d, %zu: whole", as, i);
            field_close(&f);
        }
    }
}

/* In comments and strings there are no keys, nor are three of them a fragment. */
Test(fragments, what_is_none)
{
    static const char *const texts[] = {"\n; " FOUR "\n; " FOUR "\n",
                                        "\n \"" FOUR "\"\n",
                                        "( kf 0 1 )( kf 1 1 )( kf 2 1 )",
                                        "kf 0 1 kf 1 1 kf 2 1 kf 3 1 kf 4 1",
                                        "( kf a b )( kf a b )( kf a b )( kf a b )( kf a b )",
                                        "( kf )( kf )( kf )( kf )( kf )",
                                        "( bone ( translate.x ) ) ( kf ) ( bone )",
                                        "( KF 0 1 )( KF 1 1 )( KF 2 1 )( KF 3 1 )",
                                        ";TRA\n( Head ( traVersion 4.0 ) )( Figure "
                                        "( bone ( roll " FOUR " ) ) )"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        field_open(&f);
        put_fill(&f.source, 0, 5);
        put(&f.source, texts[i], strlen(texts[i]));
        put_fill(&f.source, 0, 5);
        hunt_for_all();
        HOLD(f.num_assets == 0, "text %zu: %zu assets", i, f.num_assets);
        field_close(&f);
    }
}

/* ---- cost ---- */

/* However often a run of keys is rejected, each byte costs the same, once there are more of them
 * than are searched in one go. */
Test(cost, runs_that_are_rejected, .timeout = 120)
{
    static const char *const runs[] = {"( kf 0 1 )( kf 1 1 )( kf 2 1 ) x",
                                       "( kf ",
                                       "( kf x",
                                       "kf ",
                                       "; ( kf 0 1 )\n",
                                       "( bone ( name \"a\" ) ( roll ( kf 0 1 ) x",
                                       ";TRA\n(Head(traVersion 4.0))(Figure(bone(roll(kf 0 0)x\1"};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        uint64_t units[2] = {0, 0};
        for (int size = 0; size < 2; size++) {
            field_open_for(&f, "tra");
            const size_t len = (size_t)512 << (10 + 2 * size);
            while (f.source.len < len) {
                put(&f.source, runs[i], strlen(runs[i]));
            }
            field_hunt(&f);
            units[size] = f.units;
            HOLD(f.num_assets == 0 && field_count(&f, "RUN0010") == 0, "run %zu", i);
            field_close(&f);
        }
        HOLD(units[1] <= 5 * units[0] + 4096, "run %zu: %llu, then %llu units", i,
             (unsigned long long)units[0], (unsigned long long)units[1]);
    }
}

/* What stands behind a run of comments is looked for once, though another text may begin in each.
 */
Test(cost, comments_within_a_text, .timeout = 60)
{
    static const char front[] = ";TRA\n(Head(traVersion 4.0))(Figure(totalFrame 9)";
    uint64_t units[2] = {0, 0};
    for (int size = 0; size < 2; size++) {
        field_open_for(&f, "tra");
        const size_t len = (size_t)256 << (10 + 2 * size);
        put(&f.source, front, sizeof front - 1);
        while (f.source.len < len) {
            put(&f.source, "; x;TRA\n", 8);
        }
        field_hunt(&f);
        units[size] = f.units;
        HOLD(f.num_assets == 0 && field_count(&f, "RUN0010") == 0, "size %d", size);
        field_close(&f);
    }
    HOLD(units[1] <= 5 * units[0], "%llu, then %llu units", (unsigned long long)units[0],
         (unsigned long long)units[1]);
}

/* A comment of any length is read once, the first line as well as the last in front of Head. */
Test(cost, texts_that_begin_in_a_comment, .timeout = 60)
{
    static const char *const fronts[] = {"", ";TRA\n; "};
    for (size_t i = 0; i < sizeof fronts / sizeof fronts[0]; i++) {
        field_open_for(&f, "tra");
        put_fill(&f.source, JUNK, 1);
        put(&f.source, fronts[i], strlen(fronts[i]));
        while (f.source.len < (size_t)2 << 20) {
            put(&f.source, ";TRA ", 5);
        }
        field_hunt(&f);
        HOLD(f.num_assets == 0 && field_count(&f, "RUN0010") == 0, "front %zu", i);
        HOLD(f.units <= 8 * f.source.len, "front %zu: %llu units for %zu bytes", i,
             (unsigned long long)f.units, f.source.len);
        field_close(&f);
    }
}

/* Lines full of keys that are none do not cost a line each. */
Test(cost, keys_in_strings_and_comments, .timeout = 60)
{
    static const char *const keys[] = {"\"( kf 0 1 )\" ", ";( kf 0 1 )"};
    for (size_t i = 0; i < 2; i++) {
        field_open_for(&f, "tra");
        put_fill(&f.source, JUNK, 1);
        while (f.source.len < (size_t)2 << 20) {
            for (int k = 0; k < 600; k++) {
                put(&f.source, keys[i], strlen(keys[i]));
            }
            put(&f.source, "\n( kf 0 1 )\1", 13);
        }
        field_hunt(&f);
        HOLD(f.num_assets == 0, "%s", keys[i]);
        field_close(&f);
    }
}
