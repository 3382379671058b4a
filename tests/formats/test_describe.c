/* Labels of bytes: the tables, the expressions in them, and what is told of an asset. */
#include "bench.h"

#include "core/describe.h"
#include "core/describe_lines.h"
#include "hmd/hmd_packets.h"
#include "hmd/hmd_schema.h"
#include "tod/tod_schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef FIELD
#define FIELD(field_type, field_name)                                                              \
    .name = field_name, .type = FH_ITEM_##field_type, .kind = FH_KIND_VALUE
#define FIRST(list, struct_name)                                                                   \
    {                                                                                              \
        .name = struct_name, ITEMS(list)                                                           \
    }

/* ---- what is told, as a line ---- */

typedef struct teller {
    char buf[8192];
    fh_text text;
    fh_cursor bytes;
    size_t num_parts;
} teller;

static void tell_begin(void *user, const fh_field *group)
{
    teller *t = user;
    fh_text_str(fh_text_str(&t->text, " "), group->name);
    if (group->is_part) {
        t->num_parts++;
        fh_text_u64(fh_text_str(&t->text, "@"), group->off);
    }
    if (group->index != FH_UNKNOWN) {
        fh_text_s64(fh_text_str(&t->text, "#"), group->index);
    }
    fh_text_str(&t->text, "{");
}

static void tell_field(void *user, const fh_field *field)
{
    teller *t = user;
    fh_text_str(fh_text_str(&t->text, " "), field->name);
    if (field->number >= 0) {
        fh_text_s64(fh_text_str(&t->text, "_"), field->number);
    }
    fh_text_u64(fh_text_str(&t->text, "+"), field->off);
    for (size_t i = 0; field->width > 0 && i < field->len / field->width; i++) {
        fh_text_s64(fh_text_str(&t->text, "="), fh_field_value(field, t->bytes, i));
    }
    fh_text_str(&t->text, field->is_cut ? "!" : "");
}

static void tell_end(void *user, size_t end)
{
    fh_text_u64(fh_text_str(&((teller *)user)->text, "}"), end);
}

enum { ROOM = 1 << 20 };

static fh_status describe_in(teller *t, const fh_schema *schema, const void *bytes, size_t len,
                             size_t room, uint64_t units)
{
    void *block = malloc(room);
    fh_arena arena = fh_arena_make(block, room);
    fh_budget budget = {units};
    const fh_env env = {.arena = &arena, .budget = &budget};
    const fh_field_sink sink = {t, tell_begin, tell_field, tell_end};
    const fh_line_style plain = {.marks = ""};
    t->text = fh_text_make(t->buf, sizeof t->buf);
    t->bytes = fh_cursor_make(bytes, len, 0);
    t->num_parts = 0;
    const fh_status status = schema != NULL ? fh_describe(&env, &sink, schema, t->bytes)
                                            : fh_describe_lines(&env, &sink, &plain, t->bytes);
    free(block);
    return status;
}

static teller told;

static const char *describe(const fh_schema *schema, const void *bytes, size_t len)
{
    cr_assert(eq(int, describe_in(&told, schema, bytes, len, ROOM, ROOM), FH_OK));
    return told.buf;
}

static fh_schema schema_of(const fh_struct *root)
{
    return (fh_schema){.name = "x", .root = root};
}

/* ---- expressions ---- */

static int64_t seven(void *user, const char *name, size_t len)
{
    (void)user;
    cr_assert(len == 3 && strncmp(name, "orb", 3) == 0);
    return 7;
}

static int64_t value(const char *text)
{
    return fh_schema_value(&text, seven, NULL);
}

Test(expression, numbers_and_order)
{
    cr_assert(eq(i64, value("1 + 2 * 3"), 7));
    cr_assert(eq(i64, value("(1 + 2) * 3 - orb"), 2));
    cr_assert(eq(i64, value("0xff - 0x0f"), 240));
    cr_assert(eq(i64, value("7 / 2 * 2 + 7 % 4"), 9));
    cr_assert(eq(i64, value("2 * 7 / 4 + 2 * 7 % 4 - 24 / 4 * 2"), -7), "from the left");
    cr_assert(eq(i64, value("24 / 6 % 4 + 9 % 6 / 2"), 1), "from the left");
    cr_assert(eq(i64, value("7 / 0 + 7 % 0"), 0), "nothing divides by 0");
    cr_assert(eq(i64, value("7 / 1 + 7 % 1"), 7));
    cr_assert(eq(i64, value("0x8 + 0xa"), 18));
    cr_assert(eq(i64, value("10 - 2 - 3"), 5));
    cr_assert(eq(i64, value("3 - 5"), -2));
    cr_assert(eq(i64, value("0x7fffffffffffffff + 1"), 0), "what does not fit is nothing");
    cr_assert(eq(i64, value("0x7fffffffffffffff * 2"), 0));
    cr_assert(eq(i64, value("(0 - 0x7fffffffffffffff) - 2"), 0));
}

Test(expression, comparisons)
{
    static const struct {
        const char *text;
        bool holds;
    } rows[] = {{"1 == 1", true},
                {"1 == 2", false},
                {"1 != 2", true},
                {"1 != 1", false},
                {"1 < 2", true},
                {"2 < 2", false},
                {"2 <= 2", true},
                {"3 <= 2", false},
                {"3 > 2", true},
                {"1 > 2", false},
                {"2 > 2", false},
                {"2 >= 2", true},
                {"1 >= 2", false},
                {"1 == 1 and 2 == 2", true},
                {"1 == 1 and 2 == 1", false},
                {"1 == 2 and 2 == 2", false},
                {"1 == 2 or 2 == 2", true},
                {"1 == 1 or 1 == 2", true},
                {"1 == 2 or 2 == 1", false},
                {"1 == 2 and 1 == 2 or 1 == 1", true},
                {"1 == 1 or 1 == 1 and 1 == 2", true},
                {"2 == 1 + 1", true},
                {"2 != 1 + 1", false},
                {"3 < 1 + 1", false},
                {"2 <= 1 + 1", true},
                {"2 > 1 + 1", false},
                {"2 >= 1 + 1", true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        HOLD(value(rows[i].text) == (rows[i].holds ? 1 : 0), "%s", rows[i].text);
    }
}

Test(expression, a_comma_ends_it)
{
    const char *text = "1 + 1, orb";
    cr_assert(eq(i64, fh_schema_value(&text, seven, NULL), 2));
    cr_assert(eq(i64, fh_schema_value(&text, seven, NULL), 7));
    cr_assert(eq(chr, *text, '\0'));
}

/* ---- tables ---- */

Test(table, kinds_and_bits)
{
    const fh_bits bits = {"b", 4, 3};
    cr_assert(eq(str, (char *)fh_kind_name(FH_KIND_POINTER), "pointer"));
    cr_assert(eq(i64, fh_bits_value(&bits, 0x7f), 7));
    cr_assert(eq(i64, fh_bits_value(&bits, -1), 7));
}

Test(table, numbers_have_a_length)
{
    static const size_t lens[] = {[FH_ITEM_U8] = 1,     [FH_ITEM_U16] = 2,    [FH_ITEM_U32] = 4,
                                  [FH_ITEM_S8] = 1,     [FH_ITEM_S16] = 2,    [FH_ITEM_S32] = 4,
                                  [FH_ITEM_STRUCT] = 0, [FH_ITEM_SWITCH] = 0, [FH_ITEM_LET] = 0};
    for (size_t i = 0; i < sizeof lens / sizeof lens[0]; i++) {
        HOLD(fh_item_len(&(fh_item){.type = (fh_item_type)i}) == lens[i], "type %zu", i);
    }
}

/* Among any rows that lie behind each other a place is found if it is one of them. */
Test(table, rules_are_found_by_their_place)
{
    static const fh_governed rows[] = {{"", "0"},    {"a", "1"},   {"a.a", "2"}, {"a.b", "3"},
                                       {"a.c", "4"}, {"a/b", "5"}, {"a_b", "6"}, {"a_b.c", "7"},
                                       {"aa", "8"},  {"b", "9"},   {"b.a", "10"}};
    static const struct {
        const char *in, *name, *rules;
    } asked[] = {{"", NULL, "0"},   {"a", NULL, "1"},   {"a", "a", "2"},    {"a", "b", "3"},
                 {"a", "c", "4"},   {"a/b", NULL, "5"}, {"a_b", NULL, "6"}, {"a_b", "c", "7"},
                 {"aa", NULL, "8"}, {"b", NULL, "9"},   {"b", "a", "10"},   {"a", "", NULL},
                 {"a", "d", NULL},  {"a_b", "b", NULL}, {"c", NULL, NULL},  {"b", "b", NULL},
                 {"aa", "a", NULL}, {"a_", NULL, NULL}, {"", "a", NULL}};
    enum { NUM = sizeof rows / sizeof rows[0] };
    for (size_t first = 0; first < NUM; first++) {
        for (size_t num = 0; num <= NUM - first; num++) {
            const fh_governance some = {rows + first, num};
            for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
                const bool is_there = i >= first && i < first + num;
                const char *rules = fh_governing(&some, asked[i].in, asked[i].name);
                HOLD(rules == (is_there ? rows[i].rules : NULL), "%s.%s in %zu rows", asked[i].in,
                     asked[i].name == NULL ? "" : asked[i].name, num);
            }
        }
    }
}

/* Fields of each width, with a sign and without; names that stand twice are numbered. */
Test(describe, numbers)
{
    static const fh_item items[] = {
        {FIELD(U8, "a")},  {FIELD(S8, "a")},  {FIELD(U16, "b")}, {FIELD(S16, "c")},
        {FIELD(U32, "d")}, {FIELD(S32, "e")}, {FIELD(S8, "f")},  {FIELD(U8, "g"), .count = "f - f"},
    };
    static const fh_struct root = FIRST(items, "root");
    const fh_schema schema = schema_of(&root);
    const char all[15] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f";
    cr_assert(eq(str, (char *)describe(&schema, all, sizeof all),
                 " a_0+0=255 a_1+1=-1 b+2=65535 c+4=-1 d+6=4294967295 e+10=-1 f+14=127"));
    cr_assert(eq(str, (char *)describe(&schema, all, 5), " a_0+0=255 a_1+1=-1 b+2=65535 c+4!"));
    cr_assert(eq(str, (char *)describe(&schema, all, 4), " a_0+0=255 a_1+1=-1 b+2=65535"));
}

/* Arrays of structs, what they are given, what is left out, and what is cut. */
Test(describe, structs)
{
    static const fh_bits bits[] = {{"low", 0, 4}, {"high", 4, 4}, {NULL, 0, 0}};
    static const fh_item inner_items[] = {
        {FIELD(U8, "x"), .when = "n != 1"},
        {FIELD(U16, "y"), .count = "2", .when = "n == 1"},
    };
    static const fh_struct inner = {.name = "inner", .params = {"n"}, ITEMS(inner_items)};
    static const fh_case cases[] = {{1, &inner}, {0, NULL}};
    static const fh_item items[] = {
        {FIELD(U8, "num"), .bits = bits},
        {LET("twice"), .value = "2 * low"},
        {LET("either_way"), .value = "5"},
        {LET("either"), .when = "high == 0", .value = "twice", .otherwise = "1"},
        {STRUCT("list", inner), .args = "_index", .count = "either"},
        {SWITCH("one", "low", cases), .args = "9"},
        {SWITCH("other", "low", cases), .of = &inner, .args = "high"},
        {STRUCT("none", inner), .args = "0", .count = "low - 1"},
    };
    static const fh_struct root = FIRST(items, "root");
    const fh_schema schema = schema_of(&root);
    cr_assert(eq(str,
                 (char *)describe(&schema,
                                  "\x01"
                                  "abbcc\x64\x65",
                                  8),
                 " num+0=1 list#0{ x+1=97}2 list#1{ y+2=25186=25443}6 one{ x+6=100}7 other{ "
                 "x+7=101}8"));
    cr_assert(eq(str, (char *)describe(&schema, "\x12xy", 3),
                 " num+0=18 list#0{ x+1=120}2 other{ y+2!}3"));
    cr_assert(eq(str, (char *)describe(&schema, "\x02x", 2), " num+0=2 list#0{ x+1=120}2"));
}

/* What is not there is 0: an argument that is not given, an item that another element had. And a
 * name may begin as that of the root does. */
Test(describe, what_is_not_given_is_nothing)
{
    static const fh_item pick_items[] = {{FIELD(U8, "x"), .when = "n == 0"},
                                         {FIELD(U16, "y"), .when = "n != 0"}};
    static const fh_struct pick = {.name = "pick", .params = {"n"}, ITEMS(pick_items)};
    static const fh_item flag_items[] = {{FIELD(U8, "flag")},
                                         {FIELD(U8, "num"), .when = "flag == 1"},
                                         {FIELD(U8, "list"), .count = "num"}};
    static const fh_struct flagged = FIRST(flag_items, "flagged");
    static const fh_item items[] = {{FIELD(U8, "_rooted")},
                                    {FIELD(U8, "first"), .at = "0", .is_peek = true},
                                    {FIELD(U8, "a"), .count = "_rooted"},
                                    {FIELD(U8, "b"), .count = "first"},
                                    {STRUCT("pick", pick)},
                                    {STRUCT("flagged", flagged), .count = "2"}};
    static const fh_struct root = FIRST(items, "root");
    const fh_schema schema = schema_of(&root);
    cr_assert(eq(str, (char *)describe(&schema, "\2abcdp\1\1z\0more", 14),
                 " _rooted+0=2 a+1=97=98 b+3=99=100 pick{ x+5=112}6 flagged#0{ flag+6=1 num+7=1 "
                 "list+8=122}9 flagged#1{ flag+9=0}10"));
}

/* Parts: read behind the rest, once, and only inside the bytes. */
static const fh_item leaf_items[] = {{FIELD(U8, "z")}};
static const fh_struct leaf = FIRST(leaf_items, "leaf");
static const fh_item pair_items[] = {{FIELD(U8, "p")}, {FIELD(U8, "q"), .when = "n == _root.mark"}};
static const fh_struct pair = {.name = "pair", .params = {"n"}, ITEMS(pair_items)};
static const fh_item part_items[] = {
    {FIELD(U8, "at")},
    {FIELD(U8, "num")},
    {LET("mark"), .value = "3"},
    {FIELD(U8, "peeked"), .at = "at", .is_peek = true},
    {FIELD(S16, "lost"), .at = "at - 200", .is_peek = true},
    {FIELD(S16, "far"), .at = "at + 200", .is_peek = true},
    {STRUCT("leaf", leaf), .at = "at", .count = "num", .stride = 1},
    {STRUCT("leaf", leaf), .at = "at + 1"},
    {STRUCT("outside", leaf), .at = "at - 200", .when = "lost == far"},
    {STRUCT("pair", pair), .args = "peeked", .at = "at", .count = "num"},
};
static const fh_struct part_root = FIRST(part_items, "root");

Test(describe, parts)
{
    const fh_schema schema = schema_of(&part_root);
    cr_assert(eq(str, (char *)describe(&schema, "\x02\x02\x03\x04\x05\x06", 6),
                 " at+0=2 num+1=2 leaf@2{ z+2=3}3 leaf@3{ z+3=4}4 pair@2#0{ p+2=3 q+3=4}4 "
                 "pair@4#1{ p+4=5 q+5=6}6"));
    cr_assert(eq(str, (char *)describe(&schema, "\x02\x05\x01\x04", 4),
                 " at+0=2 num+1=5 leaf@2{ z+2=1}3 leaf@3{ z+3=4}4 pair@2#0{ p+2=1}3 pair@3#1{ "
                 "p+3=4}4"),
              "an array ends where the bytes do");
    cr_assert(eq(str, (char *)describe(&schema, "\x02\x00\x01", 3), " at+0=2 num+1=0"));
    cr_assert(eq(str, (char *)describe(&schema, "\xf0\x01\x01", 3), " at+0=240 num+1=1"));
}

/* The same struct with other arguments is another part; a list of one struct has its end cut off.
 */
Test(describe, arguments_make_another_part)
{
    static const fh_item items[] = {
        {FIELD(U8, "num")},
        {LET("mark"), .value = "1"},
        {STRUCT("pair", pair), .args = "_index", .at = "1", .count = "num", .stride = 1},
        {STRUCT("same", pair), .args = "0", .at = "1"},
        {STRUCT("more", pair), .args = "0", .at = "1", .count = "0xffffffff"},
    };
    static const fh_struct root = FIRST(items, "root");
    const fh_schema schema = schema_of(&root);
    cr_assert(eq(str, (char *)describe(&schema, "\x02yz", 3),
                 " num+0=2 pair@1{ p+1=121}2 pair@2{ p+2=122}3 more@1#0{ p+1=121}2 more@2#1{ "
                 "p+2=122}3"));
}

/* An array without a stride is one part, with the arguments of its first element, and of those no
 * more than a struct has. */
Test(describe, an_array_is_one_part)
{
    static const fh_item last_items[] = {{FIELD(U8, "x"), .when = "d == 4"}};
    static const fh_struct last = {
        .name = "last", .params = {"a", "b", "c", "d"}, ITEMS(last_items)};
    static const fh_item items[] = {
        {FIELD(U8, "num")},
        {LET("mark"), .value = "0"},
        {STRUCT("pair", pair), .args = "_index", .at = "1", .count = "num"},
        {STRUCT("last", last), .args = "1, 2, 3, 4, 5", .at = "1"},
    };
    static const fh_struct root = FIRST(items, "root");
    const fh_schema schema = schema_of(&root);
    cr_assert(eq(str,
                 (char *)describe(&schema,
                                  "\x02"
                                  "abcd",
                                  5),
                 " num+0=2 pair@1#0{ p+1=97 q+2=98}3 pair@3#1{ p+3=99 q+4=100}5 last@1{ x+1=97}2"));
}

/* A chain that leads back ends there; budget and room end it too. */
static const fh_struct link;
static const fh_item link_items[] = {{FIELD(U8, "next")}, {STRUCT("link", link), .at = "next"}};
static const fh_struct link = FIRST(link_items, "link");

Test(describe, circles_and_limits)
{
    const fh_schema schema = schema_of(&link);
    char chain[250];
    for (size_t i = 0; i < sizeof chain; i++) {
        chain[i] = (char)((i + 1) % sizeof chain);
    }
    (void)describe(&schema, chain, 3);
    cr_assert(eq(str, told.buf, " next+0=1 link@1{ next+1=2}2 link@2{ next+2=3}3"));
    for (uint64_t units = 0; units < 40; units++) {
        cr_assert(eq(int, describe_in(&told, &schema, chain, sizeof chain, ROOM, units), FH_LIMIT));
    }
    cr_assert(eq(int, describe_in(&told, &schema, chain, sizeof chain, 64, ROOM), FH_NO_MEMORY));
    cr_assert(eq(int, describe_in(&told, &schema, chain, 0, ROOM, ROOM), FH_OK));
    cr_assert(eq(str, told.buf, ""));
}

/* More parts than slots: 20,000 bytes that are all referred to, in an arena for few of them. */
Test(describe, more_parts_than_there_is_room_for)
{
    static const fh_item items[] = {
        {STRUCT("leaf", leaf), .at = "0", .count = "20000", .stride = 1}};
    static const fh_struct root = FIRST(items, "root");
    const fh_schema schema = schema_of(&root);
    static const char bytes[20000];
    static teller mute;
    cr_assert(
        eq(int, describe_in(&mute, &schema, bytes, sizeof bytes, (size_t)1 << 24, ROOM), FH_LIMIT));
    cr_assert(eq(int, describe_in(&mute, &schema, bytes, sizeof bytes, 200000, ROOM), FH_LIMIT),
              "fewer slots where there is less room");
}

/* Refers to so many bytes of so many. */
static fh_status refer_to(const char *num, size_t len, size_t room)
{
    static const char bytes[1 << 14];
    static teller mute;
    const fh_item items[] = {{STRUCT("leaf", leaf), .at = "0", .count = num, .stride = 1}};
    const fh_struct root = {.name = "root", .items = items, .num_items = 1};
    const fh_schema schema = schema_of(&root);
    return describe_in(&mute, &schema, bytes, len, room, ROOM);
}

/* A slot for 4 bytes and 1024 more, up to the next power of 2; three of four may be taken. There
 * are never fewer than 1024, and none if there is no room for as many. */
Test(describe, how_many_parts_there_may_be)
{
    cr_assert(eq(int, refer_to("3072", 12288, ROOM), FH_OK));
    cr_assert(eq(int, refer_to("3073", 12288, ROOM), FH_LIMIT));
    cr_assert(eq(int, refer_to("3073", 12292, ROOM), FH_OK));
    cr_assert(eq(int, refer_to("768", 12292, 100000), FH_OK));
    cr_assert(eq(int, refer_to("769", 12292, 100000), FH_LIMIT));
    cr_assert(eq(int, refer_to("1", 12292, 40000), FH_NO_MEMORY));
}

/* Parts that differ in an argument only do not crowd: each would be looked for among all. */
Test(describe, many_parts_at_one_place, .timeout = 20)
{
    enum { NUM = 100000 };
    static const fh_item leaf_of_items[] = {{FIELD(U8, "z")}};
    static const fh_struct leaf_of = {.name = "leaf", .params = {"n"}, ITEMS(leaf_of_items)};
    static const fh_item row_items[] = {
        {FIELD(U32, "a")}, {FIELD(U32, "b")}, {STRUCT("leaf", leaf_of), .args = "a", .at = "0"}};
    static const fh_struct row = FIRST(row_items, "row");
    static const fh_item items[] = {{STRUCT("row", row), .count = "100000"}};
    static const fh_struct root = FIRST(items, "root");
    static uint8_t bytes[8 * NUM];
    static teller mute;
    for (uint32_t i = 0; i < NUM; i++) {
        memcpy(bytes + 8 * (size_t)i, (const uint8_t[]){i & 0xff, i >> 8 & 0xff, i >> 16}, 3);
    }
    const fh_schema schema = schema_of(&root);
    cr_assert(
        eq(int, describe_in(&mute, &schema, bytes, sizeof bytes, (size_t)1 << 25, 1 << 24), FH_OK));
    cr_assert(eq(sz, mute.num_parts, NUM));
}

/* As describe.c does it. */
static uint64_t mix(uint64_t hash, uint64_t more)
{
    const uint64_t product = ((hash ^ more ^ more >> 32) & UINT32_MAX) * UINT32_C(0x9e3779b1);
    return (product ^ product >> 32) & UINT32_MAX;
}

static uint64_t place_of_leaf(uint32_t off)
{
    uint64_t mixed = mix(mix((uintptr_t)&leaf / 16, off), 1);
    for (unsigned i = 0; i < FH_SCHEMA_PARAMS; i++) {
        mixed = mix(mixed, 0);
    }
    return mixed;
}

/* 1100 parts that all begin to look in one half of 2048 slots: every second one. The rest of them
 * find a slot in the other half. */
Test(describe, every_slot_is_tried, .timeout = 20)
{
    enum { NUM = 1100, LEN = 4096 };
    static const fh_item row_items[] = {{FIELD(U16, "off")}, {STRUCT("leaf", leaf), .at = "off"}};
    static const fh_struct row = FIRST(row_items, "row");
    static const fh_item items[] = {{STRUCT("row", row), .count = "1100"}};
    static const fh_struct root = FIRST(items, "root");
    static teller mute;
    uint8_t bytes[LEN] = {0};
    size_t num = 0;
    for (uint32_t off = 0; off < LEN && num < NUM; off++) {
        if (place_of_leaf(off) % 2 == 0) {
            bytes[2 * num] = (uint8_t)(off & 0xff);
            bytes[2 * num + 1] = (uint8_t)(off >> 8);
            num++;
        }
    }
    cr_assert(eq(sz, num, NUM));
    const fh_schema schema = schema_of(&root);
    cr_assert(eq(int, describe_in(&mute, &schema, bytes, LEN, ROOM, ROOM), FH_OK));
    cr_assert(eq(sz, mute.num_parts, NUM));
}

/* Room for half as many slots as 20,000 bytes would have: they are enough for 1,500 parts, and
 * what is told is the same. */
Test(describe, fewer_slots_are_used_as_well)
{
    static const fh_item items[] = {
        {STRUCT("leaf", leaf), .at = "0", .count = "1500", .stride = 1}};
    static const fh_struct root = FIRST(items, "root");
    const fh_schema schema = schema_of(&root);
    static const char bytes[20000];
    static teller roomy;
    static teller narrow;
    cr_assert(
        eq(int, describe_in(&roomy, &schema, bytes, sizeof bytes, (size_t)1 << 24, ROOM), FH_OK));
    cr_assert(eq(int, describe_in(&narrow, &schema, bytes, sizeof bytes, 300000, ROOM), FH_OK));
    cr_assert(eq(str, narrow.buf, roomy.buf));
}

/* ---- lines ---- */

Test(lines, words)
{
    cr_assert(eq(str, (char *)describe(NULL, "a 1.5,-2\r\n\n+x:=.y", 17),
                 " lines#0{ word_0+0 word_1+2 word_2+6}10 lines#1{}11 lines#2{ word_0+11 "
                 "word_1+15}17"));
    cr_assert(eq(str, (char *)describe(NULL, "a\0b\0 \0c\0", 8), " lines#0{ word_0+0 word_1+6}8"),
              "letters of UTF-16");
    cr_assert(eq(int, describe_in(&told, NULL, "abc", 3, ROOM, 2), FH_LIMIT));
    cr_assert(eq(str, (char *)describe(NULL, "", 0), ""));
}

/* Letters of UTF-16, big endian, have their zeros in front. */
Test(lines, words_of_big_endian_text)
{
    cr_assert(
        eq(str, (char *)describe(NULL, "\0a\0b\0 \0c\0\n", 10), " lines#0{ word_0+0 word_1+6}10"));
    cr_assert(eq(str, (char *)describe(NULL, "\0a\0 \0b", 6), " lines#0{ word_0+0 word_1+4}6"),
              "a letter that ends the text");
    cr_assert(eq(str, (char *)describe(NULL, "\xfe\xff\0a\0 ", 6), " lines#0{ word_0+0}6"));
    cr_assert(eq(str,
                 (char *)describe(NULL,
                                  "\xfe"
                                  "a b\0",
                                  5),
                 " lines#0{ word_0+0 word_1+3}5"),
              "half a byte order mark is none");
}

/* Whether a zero in front of a word is its own, by the first two bytes of the text. */
Test(lines, what_makes_a_text_big_endian)
{
    static const struct {
        const char *bytes, *told;
        size_t len;
    } cases[] = {
        {"\xfe\xff\0 \0b", " lines#0{ word_0+0 word_1+4}6", 6},
        {"\xfe"
         "a\0 \0b",
         " lines#0{ word_0+0 word_1+5}6", 6},
        {"a\xff\0 \0b", " lines#0{ word_0+0 word_1+5}6", 6},
        {"\0\1\0 \0b", " lines#0{ word_0+0 word_1+4}6", 6},
        {"\0\0\0b", " lines#0{ word_0+3}4", 4},
        {"\0a", " lines#0{ word_0+0}2", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        (void)describe(NULL, cases[i].bytes, cases[i].len);
        HOLD(strcmp(told.buf, cases[i].told) == 0, "case %zu: %s", i, told.buf);
    }
}

static void ignore_begin(void *user, const fh_field *group)
{
    (void)user;
    (void)group;
}

static void ignore_end(void *user, size_t end)
{
    (void)user;
    (void)end;
}

static void tell_kind(void *user, const fh_field *field)
{
    fh_text_str(user, field->kind == FH_KIND_VALUE ? "v" : field->kind == FH_KIND_NAME ? "n" : "?");
}

/* What begins with a digit, a sign or a point is a number; not what begins with their neighbours.
 */
Test(lines, numbers_and_names)
{
    static const fh_line_style style = {.marks = "/:"};
    static const char text[] = "0 9 + - . / : a * ; ;0 9a";
    char buf[64];
    fh_text out = fh_text_make(buf, sizeof buf);
    fh_budget budget = {ROOM};
    const fh_env env = {.budget = &budget};
    const fh_field_sink sink = {&out, ignore_begin, tell_kind, ignore_end};
    cr_assert(eq(int,
                 fh_describe_lines(&env, &sink, &style, fh_cursor_make(text, sizeof text - 1, 0)),
                 FH_OK));
    cr_assert(eq(str, buf, "vvvvvnnnnnnv"));
}

static void tell_span(void *user, const fh_field *field)
{
    fh_text_u64(fh_text_str(fh_text_u64(fh_text_str(user, " "), field->off), "+"), field->len);
}

/* Words that stand side by side share no byte: the zero between them is the next one's. */
Test(lines, words_side_by_side)
{
    static const fh_line_style style = {.marks = "()", .quote = '"', .comment = ';'};
    static const struct {
        const char *bytes, *told;
        size_t len;
    } cases[] = {
        {"a\0(\0", " 0+2 2+2", 4},
        {"\0a\0(\0b\0;\0c", " 0+2 2+2 4+2 6+4", 10},
        {"\xfe\xff\0(\0)", " 0+2 2+2 4+2", 6},
        {"\xfe\xff\0;", " 0+2 2+2", 4},
        {"\xfe\xff\0\"\0a\0\"\0b", " 0+2 2+6 8+2", 10},
        {"\xfe\xff\0a\0", " 0+4", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char buf[64];
        fh_text out = fh_text_make(buf, sizeof buf);
        fh_budget budget = {ROOM};
        const fh_env env = {.budget = &budget};
        const fh_field_sink sink = {&out, ignore_begin, tell_span, ignore_end};
        cr_assert(eq(
            int,
            fh_describe_lines(&env, &sink, &style, fh_cursor_make(cases[i].bytes, cases[i].len, 0)),
            FH_OK));
        HOLD(strcmp(buf, cases[i].told) == 0, "case %zu: %s", i, buf);
    }
}

static const char *describe_as(const char *format, const char *text)
{
    static uint8_t block[1 << 16] __attribute__((aligned(16)));
    fh_arena arena = fh_arena_make(block, sizeof block);
    fh_budget budget = {ROOM};
    const fh_env env = {.arena = &arena, .budget = &budget};
    const fh_field_sink sink = {&told, tell_begin, tell_field, tell_end};
    told.text = fh_text_make(told.buf, sizeof told.buf);
    cr_assert(eq(int,
                 fh_format_find(format)->describe(
                     &env, &sink, fh_cursor_make((const uint8_t *)text, strlen(text), 0)),
                 FH_OK));
    return told.buf;
}

Test(lines, words_of_tra)
{
    cr_assert(eq(str, (char *)describe_as("tra", ";TRA (x\n(Head(traVersion 4.0))"),
                 " lines#0{ comment+0}8 lines#1{ open+8 keyword+9 open+13 keyword+14 version+25 "
                 "close+28 close+29}30"));
    cr_assert(eq(str, (char *)describe_as("tra", "(name \"a b\") (roll (kf 0 9 9) (KGF 1 2 true"),
                 " lines#0{ open+0 keyword+1 name+6 close+11 open+13 keyword+14 open+19 keyword+20 "
                 "frame+23 value+25 extra+27 close+28 open+30 keyword+31 frame+35 group+37 "
                 "shown+39}43"));
    cr_assert(eq(str, (char *)describe_as("tra", "(what \"a\nb) 1"),
                 " lines#0{ open+0 keyword+1 extra+6}9 lines#1{ extra+9 close+10 extra+12}13"),
              "what is no TRA4, and a string without its end");
}

Test(lines, words_of_camerawork)
{
    cr_assert(
        eq(str,
           (char *)describe_as("camerawork", "0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5"),
           " lines#0{ index+0 camera_key+2 position_x+4 position_y+6 position_z+8 "
           "target_x+10 target_y+12 target_z+14 top_x+16 top_y+18 top_z+20 anchor_key+22 "
           "anchor_x+24 anchor_y+26 anchor_z+28 velocity_flag+30 velocity_x+32 "
           "velocity_y+34 velocity_z+36 rate_of_target_x+38 rate_of_target_y+40 "
           "rate_of_target_z+42 rate_of_top_x+44 rate_of_top_y+46 rate_of_top_z+48 "
           "extra+50}51"));
}

/* ---- the tables of the formats ---- */

static void known_in_list(const fh_schema *schema, const fh_struct *of)
{
    size_t num = 0;
    for (size_t i = 0; i < schema->num_structs; i++) {
        num += of == schema->structs[i] ? 1 : 0;
    }
    cr_assert(num == 1, "%s is listed %zu times", of->name, num);
}

static void check_table(const fh_schema *schema)
{
    cr_assert(schema->structs[0] == schema->root);
    for (size_t i = 0; i < schema->num_structs; i++) {
        const fh_struct *of = schema->structs[i];
        cr_assert(of->num_items <= FH_SCHEMA_ITEMS, "%s", of->name);
        for (size_t k = 0; k < i; k++) {
            cr_assert(strcmp(of->name, schema->structs[k]->name) != 0, "%s twice", of->name);
        }
        for (size_t k = 0; k < of->num_items; k++) {
            const fh_item *item = &of->items[k];
            if (item->of != NULL) {
                known_in_list(schema, item->of);
            }
            for (const fh_case *one = item->cases; one != NULL && one->of != NULL; one++) {
                known_in_list(schema, one->of);
            }
            HOLD(!item->is_peek || (item->at != NULL && item->count == NULL), "%s", item->name);
            cr_assert(item->stride == 0 || item->at != NULL);
            cr_assert(item->doc == NULL || strpbrk(item->doc, "'\"\\") == NULL, "%s", item->doc);
        }
    }
}

Test(table, formats_are_sound)
{
    check_table(&tod_schema);
    check_table(&hmd_schema);
}

static size_t words_of(const fh_struct *of)
{
    size_t len = 0;
    for (size_t i = 0; i < of->num_items; i++) {
        const fh_item *item = &of->items[i];
        if (item->at == NULL && item->count == NULL) {
            len += item->of != NULL ? 4 * words_of(item->of) : fh_item_len(item);
        }
    }
    return len / 4;
}

/* Structs and layouts come from the same rows; what shared polygons lack is listed by hand. */
Test(table, packets_are_those_of_the_layouts)
{
    for (size_t i = 0; i < hmd_num_packet_layouts; i++) {
        const hmd_packet_layout *layout = hmd_packet_layouts[i];
        cr_assert(hmd_packet_cases[i].value == layout->primitive_type);
        cr_assert(words_of(hmd_packet_cases[i].of) == layout->num_first, "%s", layout->name);
    }
    cr_assert(hmd_packet_cases[hmd_num_packet_layouts].of == NULL);
    for (uint32_t type = 0; type < 0x10000; type++) {
        const fh_case *one = hmd_shared_cases;
        while (one->of != NULL && one->value != type) {
            one++;
        }
        HOLD((one->of != NULL) == (hmd_packet_layout_of(0x01000000 | type) != NULL), "%x", type);
    }
}

/* Bytes that chance made, and sound files with holes in them: nothing stops, and nothing is told
 * outside the bytes. */
static void inside(void *user, const fh_field *field)
{
    const size_t *len = user;
    HOLD(field->off <= *len && field->len <= *len - field->off, "%s at %zu", field->name,
         field->off);
}

static void ends(void *user, size_t end)
{
    HOLD(end <= *(const size_t *)user, "a group ends at %zu", end);
}

Test(describe, chance)
{
    static uint8_t bytes[4096];
    static uint8_t block[4 << 20] __attribute__((aligned(16)));
    dice d = {.state = 1};
    for (unsigned round = 0; round < 400; round++) {
        size_t len = dice_below(&d, sizeof bytes);
        for (size_t i = 0; i < len; i++) {
            bytes[i] = (uint8_t)(dice_below(&d, 4) > 0 ? 0 : dice_next(&d));
        }
        memcpy(bytes, "\x50\0\0\0\0\0\0\0\x08\0\0\0\3", 13);
        const fh_field_sink sink = {&len, inside, inside, ends};
        fh_arena arena = fh_arena_make(block, sizeof block);
        fh_budget budget = {1 << 16};
        const fh_env env = {.arena = &arena, .budget = &budget};
        for (size_t i = 0; i < fh_num_formats; i++) {
            arena.used = 0;
            budget.left = 1 << 16;
            const fh_status status =
                fh_formats[i]->describe(&env, &sink, fh_cursor_make(bytes, len, 0));
            HOLD(status == FH_OK || status == FH_LIMIT, "%s", fh_status_name(status));
        }
    }
}
