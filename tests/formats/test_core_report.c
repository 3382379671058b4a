/* Findings, how they are told and counted, and the words of the enums in them. */
#include "bench.h"

#include "core/record.h"
#include "core/report.h"

#include <stdalign.h>
#include <stdio.h>
#include <string.h>

/* ---- reports ---- */

static const fh_rule some_rules[3] = {
    {"XXX0001", FH_ERROR, "title one", "", "", ""},
    {"XXX0002", FH_NOTE, "title two", "", "", ""},
    {"XXX0003", FH_WARNING, "title three", "", "", ""},
};

static fh_finding blank(const fh_rule *rule)
{
    return fh_finding_make(rule, "field");
}

Test(finding, begins_with_nothing_known)
{
    fh_finding finding = fh_finding_make(&some_rules[0], "size");
    const int64_t numbers[] = {finding.offset, finding.frame, finding.frame_number, finding.object};
    for (size_t i = 0; i < 4; i++) {
        cr_assert(eq(i64, numbers[i], FH_UNKNOWN));
    }
    cr_assert(finding.rule == &some_rules[0]);
    cr_assert(eq(str, (char *)finding.field, "size"));
    cr_assert(finding.found[0] == '\0' && finding.expected[0] == '\0' &&
              finding.context[0] == '\0');
    fh_finding_evidence(&finding, fh_dec(3, " words"), fh_words("none"));
    cr_assert(eq(str, finding.found, "3 words"));
    cr_assert(eq(str, finding.expected, "none"));
}

Test(reporter, tells_twenty_and_counts_the_rest)
{
    static alignas(max_align_t) uint8_t block[64];
    for (uint32_t num = 0; num < 45; num++) {
        record got = {0};
        const fh_sink sink = record_sink(&got);
        fh_arena arena = fh_arena_make(block, sizeof block);
        fh_reporter reporter;
        HOLD(fh_reporter_open(&reporter, &arena, &sink, some_rules, 3) == FH_OK, "open");
        const fh_finding finding = blank(&some_rules[1]);
        for (uint32_t i = 0; i < num; i++) {
            fh_reporter_tell(&reporter, &finding);
        }
        HOLD(fh_reporter_count(&reporter, 1) == num && fh_reporter_count(&reporter, 0) == 0,
             "count");
        HOLD(got.num_findings == (num < 20 ? num : 20), "told %zu of %u", got.num_findings, num);
        fh_reporter_close(&reporter);
        HOLD(got.num_findings == (num < 21 ? num : 21), "closed with %zu of %u", got.num_findings,
             num);
        if (num > 20) {
            char want[32];
            snprintf(want, sizeof want, "%u, not listed", num - 20);
            HOLD(strcmp(got.findings[20].found, want) == 0, "%s", got.findings[20].found);
            HOLD(got.findings[20].rule == &some_rules[1] && got.findings[20].frame == FH_UNKNOWN,
                 "rule");
            fh_reporter_close(&reporter);
            HOLD(got.num_findings == 21, "closing twice");
        }
        record_free(&got);
    }
}

/* A rule is full with the twentieth finding, for a sink that does not want all; when it is closed
 * each full rule is told of, the first one too, and begins anew. */
Test(reporter, is_full_with_twenty)
{
    static alignas(max_align_t) uint8_t block[64];
    for (int all = 0; all < 2; all++) {
        record got = {0};
        fh_sink sink = record_sink(&got);
        sink.tells_all = all == 1;
        fh_arena arena = fh_arena_make(block, sizeof block);
        fh_reporter reporter;
        HOLD(fh_reporter_open(&reporter, &arena, &sink, some_rules, 3) == FH_OK, "open");
        const fh_finding finding = blank(&some_rules[0]);
        for (uint32_t num = 0; num < 22; num++) {
            HOLD(fh_reporter_is_full(&reporter, 0) == (num >= 20 && all == 0), "%u findings", num);
            fh_reporter_tell(&reporter, &finding);
        }
        fh_reporter_close(&reporter);
        HOLD(got.num_findings == (all == 1 ? 22 : 21), "told %zu", got.num_findings);
        HOLD(fh_reporter_count(&reporter, 0) == (all == 1 ? 22 : 0), "count");
        record_free(&got);
    }
}

Test(reporter, its_counter_does_not_wrap_and_a_sink_may_be_deaf)
{
    static alignas(max_align_t) uint8_t block[64];
    const fh_sink deaf = {0};
    fh_arena arena = fh_arena_make(block, sizeof block);
    fh_reporter reporter;
    cr_assert(eq(int, (int)fh_reporter_open(&reporter, &arena, &deaf, some_rules, 3), FH_OK));
    const fh_finding finding = blank(&some_rules[2]);
    fh_reporter_tell(&reporter, &finding);
    reporter.counts[2] = UINT32_MAX - 1;
    fh_reporter_tell(&reporter, &finding);
    fh_reporter_tell(&reporter, &finding);
    cr_assert(eq(u32, fh_reporter_count(&reporter, 2), UINT32_MAX));
    fh_reporter_close(&reporter);
    fh_arena full = fh_arena_make(block, 11);
    cr_assert(eq(int, (int)fh_reporter_open(&reporter, &full, &deaf, some_rules, 3), FH_NO_MEMORY));
}

/* ---- findings ---- */

static const char *message(const fh_finding *finding)
{
    static char buf[FH_MESSAGE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_finding_message(&text, finding);
    return buf;
}

Test(finding, message_with_every_set_of_parts)
{
    for (unsigned parts = 0; parts < 64; parts++) {
        fh_finding finding = blank(&some_rules[0]);
        char want[256] = "title one: field";
        const char *lead = " (";
        if ((parts & 1) != 0) {
            strcpy(finding.found, "7");
            strcat(want, " is 7");
        }
        if ((parts & 2) != 0) {
            strcpy(finding.expected, "8");
            strcat(want, ", expected 8");
        }
        const char *const places[] = {"frame 3", "number -4", "packet 5", "object 6"};
        finding.frame = (parts & 4) != 0 ? 3 : FH_UNKNOWN;
        finding.frame_number = (parts & 8) != 0 ? -4 : FH_UNKNOWN;
        strcpy(finding.context, (parts & 16) != 0 ? "packet 5" : "");
        finding.object = (parts & 32) != 0 ? 6 : FH_UNKNOWN;
        for (unsigned i = 0; i < 4; i++) {
            if ((parts & 4u << i) != 0) {
                strcat(strcat(want, lead), places[i]);
                lead = ", ";
            }
        }
        if (parts >= 4) {
            strcat(want, ")");
        }
        HOLD(strcmp(message(&finding), want) == 0, "%s", message(&finding));
    }
}

Test(finding, a_context_of_one_letter_is_one)
{
    fh_finding finding = blank(&some_rules[0]);
    strcpy(finding.context, "x");
    cr_assert(eq(str, (char *)message(&finding), "title one: field (x)"));
}

static const char *value_text(fh_value value)
{
    static char buf[64];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_value_write(&text, value);
    return buf;
}

Test(finding, values)
{
    cr_assert(eq(str, (char *)value_text(fh_nothing()), ""));
    cr_assert(eq(str, (char *)value_text(fh_words("some words")), "some words"));
    cr_assert(eq(str, (char *)value_text(fh_dec(-12, " words")), "-12 words"));
    cr_assert(eq(str, (char *)value_text(fh_dec_after("at most ", 3, " left")), "at most 3 left"));
    cr_assert(eq(str, (char *)value_text(fh_hex(0xffffffff)), "0xffffffff"));
    cr_assert(eq(str, (char *)value_text(fh_hex(0)), "0x0"));
}

Test(names, every_enum_has_its_words)
{
    static const char *const statuses[] = {"ok",        "not this format", "truncated",
                                           "corrupt",   "unsupported",     "limit",
                                           "no memory", "internal error"};
    static const char *const grades[] = {"candidate", "structure", "references", "replayed"};
    static const char *const states[] = {"complete", "assumed", "stopped", "still", "broken"};
    static const char *const severities[] = {"note", "warning", "error"};
    for (int i = 0; i < 8; i++) {
        cr_assert(eq(str, (char *)fh_status_name((fh_status)i), (char *)statuses[i]));
    }
    for (int i = 0; i < 4; i++) {
        cr_assert(eq(str, (char *)fh_grade_name((fh_grade)i), (char *)grades[i]));
    }
    for (int i = 0; i < 3; i++) {
        cr_assert(eq(str, (char *)fh_severity_name((fh_severity)i), (char *)severities[i]));
    }
    for (int i = 0; i < 5; i++) {
        cr_assert(eq(str, (char *)fh_replay_state_name((fh_replay_state)i), (char *)states[i]));
    }
}
