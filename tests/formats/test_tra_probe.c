/* TRA4: what the probe says of bytes, and how far it looks. */
#include "tra_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static fh_probe probe(const uint8_t *bytes, size_t len, fh_end end)
{
    fh_budget budget = {BENCH_BUDGET};
    fh_probe out;
    fh_format_find("tra")->probe(&out, fh_cursor_make(bytes, len, 0), end, NULL, NULL, &budget);
    return out;
}

/* Lines that begin a text, comments, chunks and damage, in any order. */
static size_t random_heads(char *out, size_t most, uint32_t *state)
{
    static const char *const lines[] = {";TRA4\r\n",
                                        ";TRA 4\n",
                                        "; a remark ;TRA4\n",
                                        ";TRA\n",
                                        ";TRA4 ;TRA4\n",
                                        "(Head\n",
                                        "(Figure (Name \"a\"))\n",
                                        "kf\n",
                                        "\n",
                                        "\x01"};
    size_t len = 0;
    for (unsigned i = 0; i < 12; i++) {
        *state = *state * 1664525u + 1013904223u;
        const char *line = lines[(*state >> 16) % ((*state >> 28) < 12 ? 5 : 10)];
        HOLD(len + strlen(line) < most, "no room");
        memcpy(out + len, line, strlen(line));
        len += strlen(line);
    }
    return len;
}

static fh_verdict verdict_at(const char *text, size_t len, size_t at, fh_memo *memo)
{
    fh_budget budget = {1 << 20};
    fh_probe out;
    fh_format_find("tra")->probe(&out, fh_cursor_make((const uint8_t *)text + at, len - at, at),
                                 FH_END_STREAM, memo, NULL, &budget);
    return out.verdict;
}

/* What readings of one comment share changes none of them. */
Test(tra, a_memo_changes_no_verdict)
{
    uint32_t state = 3;
    unsigned num_shared = 0;
    for (unsigned turn = 0; turn < 2000; turn++) {
        char text[1024];
        fh_memo memo = {.unit = 4};
        const size_t len = random_heads(text, sizeof text, &state);
        for (size_t at = 0; at + 4 <= len; at++) {
            if (memcmp(text + at, ";TRA", 4) == 0) {
                num_shared += fh_memo_in_range(&memo, 1, at) != NULL ? 1 : 0;
                HOLD(verdict_at(text, len, at, &memo) == verdict_at(text, len, at, NULL),
                     "at %zu of %s", at, text);
            }
        }
    }
    cr_assert(num_shared > 100);
}

/* They are those that begin behind the first byte, up to the last one of the comments. */
Test(tra, readings_that_are_shared)
{
    static const char text[] = ";TRA\n; x\n( bone )\n";
    char wide[2 * sizeof text] = {0};
    for (size_t i = 0; i < sizeof text; i++) {
        wide[2 * i] = text[i];
    }
    for (unsigned unit = 1; unit <= 2; unit++) {
        fh_memo memo = {.unit = 4};
        fh_budget budget = {BENCH_BUDGET};
        fh_probe out;
        const uint64_t last = 1000 + 8 * unit - 1;
        fh_format_find("tra")->probe(
            &out, fh_cursor_make(unit == 1 ? text : wide, unit * (sizeof text - 1), 1000),
            FH_END_STREAM, &memo, NULL, &budget);
        cr_assert(eq(int, (int)out.verdict, FH_REJECT));
        for (uint64_t at = 995; at < 1030; at++) {
            const bool is_shared = fh_memo_in_range(&memo, unit == 1 ? 1 : 3, at) != NULL;
            HOLD(is_shared == (at > 1000 && at <= last), "%u bytes: %d", unit, (int)at);
        }
    }
}

/* A comment without end is read once, and not from each text that may begin in it. */
static void hold_endless(const char unit[8])
{
    const size_t len = FH_MAX_ASSET_LEN + 64;
    char *text = malloc(len);
    fh_memo memo = {.unit = 4};
    fh_budget budget = {(uint64_t)64 * FH_MAX_ASSET_LEN};
    HOLD(text != NULL, "the test is out of memory");
    for (size_t i = 0; i < len; i++) {
        text[i] = unit[i % 8];
    }
    for (size_t at = 0; at < FH_MAX_ASSET_LEN / 2; at += 8) {
        const uint64_t before = budget.left;
        const size_t left = len - at < FH_MAX_ASSET_LEN ? len - at : FH_MAX_ASSET_LEN;
        fh_probe out;
        fh_format_find("tra")->probe(&out, fh_cursor_make((const uint8_t *)text + at, left, at),
                                     FH_END_NONE, &memo, NULL, &budget);
        HOLD(out.verdict == FH_MORE && out.length > FH_MAX_ASSET_LEN, "at %zu", at);
        HOLD(at == 0 || budget.left == before, "read again at %zu", at);
    }
    free(text);
}

Test(tra, texts_in_a_comment_share_its_reading)
{
    hold_endless(";TRA4\r\n\n");
    hold_endless(";TRA4 a ");
}

/* Of a text that is cut anywhere more is wanted where more may come. Else it is rejected, a near
 * miss once some key was whole; once four were, what there is of it is a fragment. */
static void hold_prefixes(const char *text, size_t first_key, size_t fourth_key, size_t unit)
{
    forge_buf bytes = build(text);
    for (size_t len = 0; len < bytes.len; len++) {
        uint8_t *copy = malloc(len > 0 ? len : 1);
        memcpy(copy, bytes.data, len);
        const fh_probe open = probe(copy, len, FH_END_NONE);
        const fh_probe closed = probe(copy, len, FH_END_FILE);
        HOLD(open.verdict == FH_MORE && open.length > len, "%zu bytes, open", len);
        const bool is_whole = closed.verdict == FH_ACCEPT && bytes.len - len <= 4;
        const bool is_fragment = closed.verdict == FH_ACCEPT && len >= fourth_key;
        HOLD(is_whole || is_fragment || (closed.verdict == FH_REJECT && len < fourth_key),
             "%zu bytes", len);
        HOLD(!is_fragment || is_whole || closed.length == len - len % unit, "%zu: length", len);
        HOLD(is_whole || is_fragment || closed.near_miss == (len >= first_key),
             "%zu bytes: near miss", len);
        free(copy);
    }
    const fh_probe whole = probe(bytes.data, bytes.len, FH_END_NONE);
    HOLD(whole.verdict == FH_ACCEPT && whole.length == bytes.len && whole.frames == 2, "whole");
    forge_buf_free(&bytes);
}

#define SHORT(options, first)                                                                      \
    "tra" options "\nmagic\nhead\nfigure 2\nbone \"a\"\n" first "roll 0 0.0 1 1.0\n"

Test(probe, prefixes)
{
    forge_buf front =
        build("tra\nmagic\nhead\ntext \"( Figure\\n  ( totalFrame 2 )\\n  ( bone\\n    ( "
              "name \\qa\\q )\\n    ( translate.x\\n      ( kf 0 0.000000 )\"\n");
    forge_buf four =
        build("tra\nmagic\nhead\ntext \"( Figure\\n  ( totalFrame 2 )\\n  ( bone\\n    ( "
              "name \\qa\\q )\\n    ( translate.x\\n      ( kf 0 0.000000 )\\n"
              "      ( kf 1 0.000000 )\\n    )\\n    ( translate.y\\n"
              "      ( kf 0 0.000000 )\\n      ( kf 1 0.000000 )\"\n");
    hold_prefixes(SHORT("", ""), front.len, four.len, 1);
    hold_prefixes(SHORT(" encoding=utf16be", ""), 2 * front.len, 2 * four.len, 2);
    hold_prefixes(SHORT(" encoding=utf16le bom=yes", ""), 2 * front.len + 2, 2 * four.len + 2, 2);
    forge_buf_free(&front);
    forge_buf_free(&four);
}

/* What may follow on the last line, and what does not belong to it. */
Test(probe, where_a_text_ends)
{
    static const struct {
        const char *behind;
        size_t len, own;
        bool is_more; /* where more bytes may come */
    } cases[] = {{"", 0, 0, true},          {"\n", 1, 1, false},
                 {"\r\n", 2, 2, false},     {"\r", 1, 1, true},
                 {"\rx", 2, 1, false},      {" \t; Figure\nx", 12, 11, false},
                 {" ; Figure", 9, 9, true}, {" ; Figure\0", 10, 9, false},
                 {"  \n\n", 4, 3, false},   {"  x\n", 4, 0, false},
                 {" ; c\r", 5, 5, true},    {"\0\0", 2, 0, false},
                 {";TRA\n", 5, 0, false},   {" ", 1, 1, true}};
    forge_buf text = build(SHORT("", "") "close\ncut 1\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t *copy = malloc(text.len + cases[i].len);
        memcpy(copy, text.data, text.len);
        memcpy(copy + text.len, cases[i].behind, cases[i].len);
        const fh_probe closed = probe(copy, text.len + cases[i].len, FH_END_FILE);
        const fh_probe open = probe(copy, text.len + cases[i].len, FH_END_NONE);
        HOLD(closed.verdict == FH_ACCEPT && closed.length == text.len + cases[i].own,
             "case %zu: %zu bytes", i, closed.length - text.len);
        HOLD(open.verdict == (cases[i].is_more ? FH_MORE : FH_ACCEPT), "case %zu, open", i);
        free(copy);
    }
    forge_buf_free(&text);
}

#define OPEN_FIGURE ";TRA\n(Head(traVersion 4.0))(Figure(totalFrame 2)(bone(name \"a\"))"

/* Whether another text begins in a comment hangs on whether Head follows, behind any comments, and
 * so on bytes that may yet come. */
Test(probe, comments_that_another_text_may_begin_in)
{
    static const struct {
        const char *text, *behind; /* more is wanted up to the last character */
        fh_verdict verdict;
        size_t own; /* of what is behind, then it ends or breaks */
    } cases[] = {{OPEN_FIGURE ")", "; x;TRA\n; y\n\n(Head ", FH_ACCEPT, sizeof "; x" - 1},
                 {OPEN_FIGURE ")", "; x;TRA\n; y\n\n(Body ", FH_ACCEPT, sizeof "; x;TRA\n" - 1},
                 {OPEN_FIGURE ")", "; x;TRA\n; y\n)", FH_ACCEPT, sizeof "; x;TRA\n" - 1},
                 {OPEN_FIGURE, "; x;TRA\n; y\n(Head ", FH_REJECT, sizeof "; x" - 1},
                 {OPEN_FIGURE, "; x;TRA\n; y\n(Body ", FH_MORE, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char bytes[256];
        const size_t front = strlen(cases[i].text);
        const size_t len =
            (size_t)snprintf(bytes, sizeof bytes, "%s%s", cases[i].text, cases[i].behind);
        for (size_t num = front; num < len; num++) {
            const fh_probe part = probe((const uint8_t *)bytes, num, FH_END_NONE);
            HOLD(part.verdict == FH_MORE && part.length > num, "case %zu: %zu bytes", i, num);
        }
        const fh_probe got = probe((const uint8_t *)bytes, len, FH_END_NONE);
        HOLD(got.verdict == cases[i].verdict, "case %zu", i);
        HOLD(got.verdict != FH_ACCEPT || got.length == front + cases[i].own, "case %zu: %zu bytes",
             i, got.length);
        HOLD(got.verdict != FH_REJECT ||
                 (strcmp(got.rule->code, "TRA0021") == 0 && got.reject_off == front + cases[i].own),
             "case %zu: at %zu", i, got.reject_off);
    }
}

static uint64_t cost_of_more(const char *text)
{
    fh_budget budget = {BENCH_BUDGET};
    fh_probe out;
    fh_format_find("tra")->probe(&out, fh_cursor_make(text, strlen(text), 0), FH_END_NONE, NULL,
                                 NULL, &budget);
    HOLD(out.verdict == FH_MORE, "more is wanted of %s", text);
    return BENCH_BUDGET - budget.left;
}

/* A token costs one more than its bytes and the blanks in front of it. With the comment that the
 * bytes end in it is known that more are wanted, and nothing else is read. */
Test(probe, nothing_is_read_behind_a_comment_that_may_go_on)
{
    const uint64_t inside = cost_of_more(OPEN_FIGURE "; x;TRA");
    cr_assert(eq(u64, cost_of_more(OPEN_FIGURE "; x;TRA\n; y"), inside + 1 + strlen("\n; y")));
    /* Behind the last parenthesis the end of a line is a token of its own. */
    const uint64_t behind = cost_of_more(OPEN_FIGURE "); x;TRA");
    cr_assert(eq(u64, cost_of_more(OPEN_FIGURE "); x;TRA\n; y"), behind + 2 + strlen("\n; y")));
}

/* ---- what readings of one comment share ---- */

enum { ORIGIN = 4096 };

static fh_probe probe_with(fh_memo *memo, fh_budget *budget, const void *bytes, size_t len,
                           uint64_t origin, fh_end end)
{
    fh_probe out;
    fh_format_find("tra")->probe(&out, fh_cursor_make(bytes, len, origin), end, memo, NULL, budget);
    return out;
}

/* Only of a text that comes to nothing, or has no end in sight, is known that others which begin in
 * its comments do as well. */
Test(memo, what_is_noted)
{
    static const char text[] = ";TRA\n(Head(traVersion 4.0))(Figure(totalFrame 1)"
                               "(bone(name \"a\")(roll(kf 0 0.0))))\n";
    fh_memo memo = {.unit = 4};
    fh_budget budget = {BENCH_BUDGET};
    fh_probe got = probe_with(&memo, &budget, text, sizeof text - 1, ORIGIN, FH_END_FILE);
    cr_assert(got.verdict == FH_ACCEPT && memo.same.kind == 0);
    got = probe_with(&memo, &budget, text, 40, ORIGIN, FH_END_NONE);
    cr_assert(got.verdict == FH_MORE && memo.same.kind == 0);
    fh_budget little = {3};
    got = probe_with(&memo, &little, text, sizeof text - 1, ORIGIN, FH_END_FILE);
    cr_assert(got.verdict == FH_REJECT && got.status == FH_LIMIT && memo.same.kind == 0);
    got = probe_with(&memo, &budget, "(Head)", 6, ORIGIN, FH_END_FILE);
    cr_assert(got.verdict == FH_REJECT && memo.same.kind == 0);
    got = probe_with(&memo, &budget, ";TRA\n;x\nx", 9, ORIGIN, FH_END_FILE);
    cr_assert(got.verdict == FH_REJECT && memo.same.kind != 0);
    cr_assert(memo.same.first == ORIGIN + 1 && memo.same.last == ORIGIN + 6);
    cr_assert(eq(u64, memo.same.reach, 0));
}

/* From half of the longest text on, what is known to go on is taken to go on for longer. */
Test(memo, texts_without_end)
{
    char *bytes = malloc(FH_MAX_ASSET_LEN);
    memset(bytes, 'x', FH_MAX_ASSET_LEN);
    memcpy(bytes, ";TRA    ;TRA", 12);
    fh_memo memo = {.unit = 4};
    fh_budget budget = {BENCH_BUDGET};
    fh_probe got = probe_with(&memo, &budget, bytes, FH_MAX_ASSET_LEN - 1, ORIGIN, FH_END_NONE);
    cr_assert(got.verdict == FH_MORE && memo.same.kind == 0, "the longest text has its end yet");
    got = probe_with(&memo, &budget, bytes, FH_MAX_ASSET_LEN, ORIGIN, FH_END_NONE);
    cr_assert(got.verdict == FH_MORE && memo.same.kind != 0);
    cr_assert(memo.same.first == ORIGIN + 1);
    cr_assert(eq(u64, memo.same.last, ORIGIN + FH_MAX_ASSET_LEN - 1));
    cr_assert(eq(u64, memo.same.reach, ORIGIN + FH_MAX_ASSET_LEN));
    for (uint64_t less = 0; less < 2; less++) {
        fh_memo known = memo;
        known.same.reach = ORIGIN + 8 + FH_MAX_ASSET_LEN / 2 - less;
        const uint64_t before = budget.left;
        got = probe_with(&known, &budget, bytes + 8, 64, ORIGIN + 8, FH_END_NONE);
        cr_assert(eq(int, (int)got.verdict, (int)FH_MORE));
        cr_assert(eq(u64, got.length, less == 0 ? FH_MAX_ASSET_LEN + 1 : 65));
        cr_assert(budget.left == before || less > 0, "it is not read");
        cr_assert(budget.left < before || less == 0, "it is read");
    }
    free(bytes);
}

static size_t put_wide(uint8_t *out, const char *text)
{
    for (size_t i = 0; text[i] != '\0'; i++) {
        out[2 * i] = (uint8_t)text[i];
        out[2 * i + 1] = 0;
    }
    return 2 * strlen(text);
}

/* In UTF-16 a comment is another one at odd offsets, and a text in it may be whole there. */
Test(memo, odd_and_even_offsets)
{
    static const char inner[] = ";TRA\n(Head(traVersion 4.0))(Figure(totalFrame 1)"
                                "(bone(name \"a\")(roll(kf 0 0.0))))\n";
    uint8_t bytes[512];
    fh_memo memo = {.unit = 4};
    fh_budget budget = {BENCH_BUDGET};
    for (size_t at = 9; at <= 13; at += 2) {
        size_t len = put_wide(bytes, ";TRAxxx");
        len = at + put_wide(bytes + at, inner);
        bytes[len++] = ' ';
        len += put_wide(bytes + len, "\nx");
        const fh_probe outer = probe_with(&memo, &budget, bytes, len, ORIGIN, FH_END_FILE);
        HOLD(outer.verdict == FH_REJECT && memo.same.reach == 0, "a comment, and then a word");
        HOLD(memo.same.first <= ORIGIN + at && memo.same.last > ORIGIN + at, "it is in it");
        const fh_probe got =
            probe_with(&memo, &budget, bytes + at, len - at, ORIGIN + at, FH_END_FILE);
        HOLD(got.verdict == FH_ACCEPT && got.length == 2 * (sizeof inner - 1), "at %zu", at);
    }
}
