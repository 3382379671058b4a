/* The texts for people, and what becomes of hostile strings and full disks. */
#include "reports/escape.h"
#include "reports/forms.h"
#include "reports/pose_writer.h"
#include "reports/rules_text.h"
#include "reports/scan_text.h"
#include "support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_escaped(const char *raw, const char *as_text, const char *as_json)
{
    FILE *file = begin_text();
    fh_out out = fh_out_make(file);
    fh_escape_text(&out, raw);
    cr_assert(eq(int, fh_out_end(&out), 0));
    expect_text(file, as_text);
    file = begin_text();
    out = fh_out_make(file);
    fh_escape_json(&out, raw);
    cr_assert(eq(int, fh_out_end(&out), 0));
    expect_text(file, as_json);
    char buf[200];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_escape_into(&text, raw);
    cr_assert(eq(str, buf, (char *)as_text));
}

Test(escape, harmless_strings_stay)
{
    expect_escaped("", "", "\"\"");
    expect_escaped("a b/c.tod", "a b/c.tod", "\"a b/c.tod\"");
    expect_escaped("\xe3\x83\x9d \xf0\x9f\x90\x95 \xc3\xa9",
                   "\xe3\x83\x9d \xf0\x9f\x90\x95 \xc3\xa9",
                   "\"\xe3\x83\x9d \xf0\x9f\x90\x95 \xc3\xa9\"");
}

Test(escape, control_characters)
{
    expect_escaped("a\nb\r\t", "a\\nb\\r\\t", "\"a\\u000ab\\u000d\\u0009\"");
    expect_escaped("\x1b[31m", "\\x1b[31m", "\"\\u001b[31m\"");
    expect_escaped("\x7f", "\\x7f", "\"\\u007f\"");
    expect_escaped("\xc2\x9b", "\\u009b", "\"\\u009b\""); /* one character that begins a sequence */
    expect_escaped("\xe2\x80\xae", "\\u202e", "\"\\u202e\""); /* turns the direction of writing */
    expect_escaped("\xef\xbb\xbf", "\\ufeff", "\"\\ufeff\"");
}

/* Build services search the log for them, wherever they stand in a line. */
Test(escape, commands_to_build_services)
{
    expect_escaped("##[error]x", "\\x23#[error]x", "\"\\u0023#[error]x\"");
    expect_escaped("a ##vso[x]###", "a \\x23#vso[x]\\x23\\x23#",
                   "\"a \\u0023#vso[x]\\u0023\\u0023#\"");
    expect_escaped("::stop-commands::x", "\\x3a:stop-commands\\x3a:x",
                   "\"\\u003a:stop-commands\\u003a:x\"");
    expect_escaped("a:b#c", "a:b#c", "\"a:b#c\"");
}

static void expect_cell(const char *raw, const char *expected)
{
    FILE *file = begin_text();
    fh_out out = fh_out_make(file);
    fh_escape_csv(&out, raw);
    cr_assert(eq(int, fh_out_end(&out), 0));
    expect_text(file, expected);
}

/* Characters that are not seen but act, to the last of each kind; the next ones stay. */
Test(escape, what_acts_unseen_is_written_out)
{
    static const char *const unsafe[] = {
        "\xd8\x9c",     "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xa8", "\xe2\x80\xae",
        "\xe2\x81\xa6", "\xe2\x81\xa9", "\xef\xbb\xbf", "\xc2\x80",     "\xc2\x9f"};
    static const char *const codes[] = {"\\u061c", "\\u200e", "\\u200f", "\\u2028", "\\u202e",
                                        "\\u2066", "\\u2069", "\\ufeff", "\\u0080", "\\u009f"};
    static const char *const plain[] = {"\xd8\x9b",     "\xd8\x9d",     "\xe2\x80\x90",
                                        "\xe2\x80\xa7", "\xe2\x80\xaf", "\xc2\xa0"};
    char json[16];
    for (size_t i = 0; i < sizeof unsafe / sizeof unsafe[0]; i++) {
        (void)snprintf(json, sizeof json, "\"%s\"", codes[i]);
        expect_escaped(unsafe[i], codes[i], json);
    }
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        (void)snprintf(json, sizeof json, "\"%s\"", plain[i]);
        expect_escaped(plain[i], plain[i], json);
    }
}

Test(escape, cells_are_no_formulas)
{
    expect_cell("=1+1", "\"'=1+1\"");
    expect_cell("-2+cmd|' /C calc'!A0", "\"'-2+cmd|' /C calc'!A0\"");
    expect_cell("+a", "\"'+a\"");
    expect_cell("@sum(a1)", "\"'@sum(a1)\"");
    expect_cell("-12.5e+3", "\"-12.5e+3\"");
    expect_cell("-", "\"-\"");
    expect_cell("a=1", "\"a=1\"");
    expect_cell("", "\"\"");
}

Test(escape, quotes_and_backslashes)
{
    expect_escaped("\"\\n\"", "\"\\\\n\"", "\"\\\"\\\\n\\\"\"");
}

Test(escape, bytes_that_are_no_utf8)
{
    expect_escaped("\xff", "\\xff", "\"\\ufffd\"");
    expect_escaped("\x80x", "\\x80x", "\"\\ufffdx\"");
    expect_escaped("\xc0\xaf", "\\xc0\\xaf", "\"\\ufffd\\ufffd\""); /* overlong */
    expect_escaped("\xe0\x80\xaf", "\\xe0\\x80\\xaf", "\"\\ufffd\\ufffd\\ufffd\"");
    expect_escaped("\xed\xa0\x80", "\\xed\\xa0\\x80", "\"\\ufffd\\ufffd\\ufffd\""); /* surrogate */
    expect_escaped("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80",
                   "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");             /* beyond the last */
    expect_escaped("\xe3\x83", "\\xe3\\x83", "\"\\ufffd\\ufffd\""); /* cut off by the end */
    expect_escaped("\xc3\x1b", "\\xc3\\x1b", "\"\\ufffd\\u001b\""); /* hides a control character */
}

Test(escape, null_is_null)
{
    FILE *file = begin_text();
    fh_out out = fh_out_make(file);
    fh_escape_json(&out, NULL);
    cr_assert(eq(int, fh_out_end(&out), 0));
    expect_text(file, "null");
}

static fh_finding_record finding_at(size_t rule, int64_t raw_offset, const char *message)
{
    fh_finding_record finding = finding_of(rule, FH_UNKNOWN, message);
    finding.raw_offset = raw_offset;
    return finding;
}

static const fh_report_run no_run = {.command = "check"};

static void tell_file(fh_report *report, const char *path, const fh_asset_record *asset)
{
    fh_report_source(report, &(fh_source_record){.path = path, .status = "complete"});
    fh_report_asset(report, asset);
}

static void tell_none(fh_report *report, const char *path, const char *why)
{
    fh_report_source(report, &(fh_source_record){.path = path, .status = "complete", .why = why});
}

Test(check_text, findings_stand_below_their_file)
{
    fh_report text;
    FILE *file = begin_text();
    fh_asset_record asset = asset_at(0, 1);
    fh_finding_record findings[] = {finding_at(0, 0x1c, "too long"),
                                    finding_at(0, 0x12345, "too long again"),
                                    finding_at(2, FH_UNKNOWN, "by the way")};
    cr_assert(fh_report_begin(&text, &fh_text_form, &no_run, file, false));
    tell_file(&text, "a.tod", &asset);
    for (size_t i = 0; i < 3; i++) {
        fh_report_finding(&text, &findings[i]);
    }
    asset.frames = 1;
    asset.objects = FH_UNKNOWN;
    tell_file(&text, "b.tod", &asset);
    tell_none(&text, "c\x1b[2J\n.tod", "not an animation");
    fh_report_finding(&text, &findings[0]); /* helped anew: another file */
    cr_assert(eq(int, fh_report_end(&text), 0));
    expect_text(file, "a.tod: tst, 7 frames, 3 objects, replayed\n"
                      "  error TST0001 at 0x001c: too long\n"
                      "    help: mend it\n"
                      "  error TST0001 at 0x12345: too long again\n"
                      "  note TST0003: by the way\n"
                      "b.tod: tst, 1 frame, replayed\n"
                      "c\\x1b[2J\\n.tod: not an animation\n"
                      "  error TST0001 at 0x001c: too long\n"
                      "    help: mend it\n"
                      "3 files: 1 sound, 2 with errors; 3 errors, 0 warnings, 1 note\n");
}

Test(check_text, files_that_are_no_animation_are_not_called_sound)
{
    fh_report text;
    FILE *file = begin_text();
    fh_asset_record asset = asset_at(0, 1);
    cr_assert(fh_report_begin(&text, &fh_text_form, &no_run, file, false));
    tell_none(&text, "a", "no animation");
    tell_file(&text, "b.tod", &asset);
    tell_none(&text, "c", "no animation");
    cr_assert(eq(int, fh_report_end(&text), 0));
    expect_text(file, "a: no animation\n"
                      "b.tod: tst, 7 frames, 3 objects, replayed\n"
                      "c: no animation\n"
                      "3 files: 1 sound, 2 no animation; 0 errors, 0 warnings, 0 notes\n");
}

Test(check_text, a_file_counts_once_by_its_worst)
{
    fh_report text;
    FILE *file = begin_text();
    fh_asset_record asset = asset_at(0, 1);
    fh_finding_record warning = finding_at(1, 0, "w");
    fh_finding_record error = finding_at(0, 0, "\x1b]0;title\a");
    cr_assert(fh_report_begin(&text, &fh_text_form, &no_run, file, true));
    tell_file(&text, "a", &asset);
    fh_report_finding(&text, &warning);
    tell_file(&text, "b", &asset);
    fh_report_finding(&text, &error);
    fh_report_finding(&text, &warning);
    cr_assert(eq(int, fh_report_end(&text), 0));
    expect_text(file, "\x1b[1ma\x1b[0m: tst, 7 frames, 3 objects, replayed\n"
                      "  \x1b[33mwarning\x1b[0m TST0002 at 0x0000: w\n"
                      "    help: do *this*\n"
                      "\x1b[1mb\x1b[0m: tst, 7 frames, 3 objects, replayed\n"
                      "  \x1b[31merror\x1b[0m TST0001 at 0x0000: \\x1b]0;title\\x07\n"
                      "    help: mend it\n"
                      "  \x1b[33mwarning\x1b[0m TST0002 at 0x0000: w\n"
                      "    help: do *this*\n"
                      "2 files: 0 sound, 1 with errors, 1 with warnings; "
                      "1 error, 2 warnings, 0 notes\n");
}

Test(scan_text, a_line_an_asset)
{
    fh_scan_text text;
    FILE *file = begin_text();
    fh_asset_record asset = asset_at(0x782c, 1);
    fh_counts counts = {{[FH_NOTE] = 1}};
    fh_counts of_source = {{[FH_ERROR] = 2}};
    fh_source_record source = source_named("disc\n.bin");
    fh_scan_text_begin(&text, file);
    fh_scan_text_asset(&text, "disc\n.bin", &asset, &counts);
    asset.lba = 13;
    asset.user_offset = 0x6b10;
    asset.format = "hmd";
    asset.frames = FH_UNKNOWN;
    asset.objects = 1;
    fh_scan_text_asset(&text, "disc\n.bin", &asset, &counts);
    fh_finding_record finding = {.rule = &test_rules.rules[0],
                                 .severity = FH_ERROR,
                                 .raw_offset = 0x113a0,
                                 .message = "a title: \x1b"};
    fh_scan_text_finding(&text, "disc\n.bin", &finding);
    finding.raw_offset = FH_UNKNOWN;
    fh_scan_text_finding(&text, "disc\n.bin", &finding);
    fh_scan_text_source(&text, &source, &of_source);
    source.status = "partial";
    fh_scan_text_source(&text, &source, &(fh_counts){{0}});
    cr_assert(eq(int, fh_scan_text_end(&text), 0));
    expect_text(file, "disc\\n.bin@0x0000782c  tst  100 bytes  7 frames  3 objects  replayed  "
                      "0 errors 0 warnings 1 note\n"
                      "disc\\n.bin@0x0000782c  hmd  100 bytes  1 object  replayed  "
                      "0 errors 0 warnings 1 note  user 0x00006b10 LBA 13 (00:02:13)\n"
                      "disc\\n.bin@0x000113a0  error TST0001: a title: \\x1b\n"
                      "disc\\n.bin  error TST0001: a title: \\x1b\n"
                      "2 sources (1 incomplete): 2 assets (1 tst, 1 hmd); "
                      "2 errors, 0 warnings, 2 notes\n");
}

Test(scan_text, more_formats_than_are_listed)
{
    fh_scan_text text;
    FILE *file = begin_text();
    fh_scan_text_begin(&text, file);
    for (unsigned i = 0; i < FH_SCAN_FORMATS + 2; i++) {
        char name[] = {(char)('a' + i), '\0'};
        fh_asset_record asset = asset_at(0, 1);
        asset.format = name;
        fh_scan_text_asset(&text, "x", &asset, &(fh_counts){{0}});
    }
    cr_assert(eq(int, fh_scan_text_end(&text), 0));
    fclose(file);
    cr_assert(strstr(written, ": 18 assets (1 a, 1 b, ") != NULL, "%s", written);
    cr_assert(strstr(written, ", 1 p, 2 other); ") != NULL, "%s", written);
    free(written);
}

Test(rules_text, list)
{
    FILE *file = begin_text();
    cr_assert(eq(int, fh_rules_list(file, &test_rules, 1), 0));
    expect_text(file, "TST0001  error    a title\n"
                      "TST0002  warning  a second title\n"
                      "TST0003  note     a third title\n");
}

Test(rules_text, explanation_is_wrapped)
{
    static const fh_rule rule = {
        "TST0009",
        FH_ERROR,
        "a title",
        "Thirty-nine characters are in this line, and  forty-two more of them are in this one.",
        "a manual",
        ""};
    static const fh_mend mends[] = {{&rule, false}};
    static const fh_rule_table table = {"tst", &rule, 1, mends, 1};
    FILE *file = begin_text();
    cr_assert(eq(int, fh_rules_explain(file, &table, 0), 0));
    expect_text(file,
                "TST0009 (error): a title\n"
                "\nWhat it means\n"
                "  Thirty-nine characters are in this line, and forty-two more of them are in\n"
                "  this one.\n"
                "\nWhere the rule comes from\n"
                "  a manual\n"
                "\n  framehound check --fix mends this where there is only one way to.\n");
}

Test(rules_text, markdown_is_plain_text_in_disguise)
{
    static const fh_rule rule = {"TST0002", FH_WARNING, "a title", "x < y", "a_b", "do *this*"};
    static const fh_rule_table table = {"tst", &rule, 1};
    FILE *file = begin_text();
    cr_assert(eq(int, fh_rules_markdown(file, &table), 0));
    expect_text(file, "# Rules: tst\n"
                      "\n## TST0002\n"
                      "\n**a title** (warning)\n"
                      "\nx \\< y\n"
                      "\nWhat to do: do \\*this\\*\n"
                      "\nSource: a\\_b\n");
}

static const fh_column columns[] = {{"slot", FH_COLUMN_INT},
                                    {"a_long_column_name", FH_COLUMN_REAL}};
static const fh_pose_table table = {"object", columns, 2};

Test(pose_writer, text_is_aligned_and_grouped)
{
    fh_pose_writer writer;
    FILE *file = begin_text();
    fh_pose_header header = {"a\x1b.tod", "tod", "player 1"};
    fh_pose_writer_begin(&writer, file, FH_POSE_TEXT, &header);
    fh_sink sink = fh_pose_writer_sink(&writer);
    sink.frame(sink.user, &(fh_pose_frame){0, 100});
    sink.pose(sink.user, &(fh_pose_row){&table, (fh_pose_value[]){{.i = 3}, {.r = -0.5}}});
    sink.pose(sink.user, &(fh_pose_row){&table, (fh_pose_value[]){{.i = FH_UNKNOWN}, {.r = NAN}}});
    sink.frame(sink.user, &(fh_pose_frame){1, 101});
    cr_assert(eq(int, fh_pose_writer_end(&writer), 0));
    expect_text(file, "a\\x1b.tod: tod, player 1\n"
                      "frame 0 (number 100)\n"
                      "  object\n"
                      "         slot  a_long_column_name\n"
                      "            3                -0.5\n"
                      "            -                   -\n"
                      "frame 1 (number 101)\n");
}

Test(pose_writer, too_many_tables_are_an_error)
{
    fh_pose_writer writer;
    char names[FH_POSE_WRITER_TABLES + 1][2];
    fh_pose_table tables[FH_POSE_WRITER_TABLES + 1];
    FILE *file = begin_text();
    fh_pose_writer_begin(&writer, file, FH_POSE_CSV, &(fh_pose_header){"p", "f", NULL});
    fh_sink sink = fh_pose_writer_sink(&writer);
    sink.frame(sink.user, &(fh_pose_frame){0, 0});
    for (unsigned i = 0; i <= FH_POSE_WRITER_TABLES; i++) {
        names[i][0] = (char)('a' + i);
        names[i][1] = '\0';
        tables[i] = (fh_pose_table){names[i], columns, 2};
        sink.pose(sink.user, &(fh_pose_row){&tables[i], (fh_pose_value[]){{.i = 1}, {.r = 1}}});
    }
    cr_assert(eq(int, fh_pose_writer_end(&writer), EOVERFLOW));
    fclose(file);
    free(written);
}

/* A device that is always full. */
static FILE *full_disk(void)
{
    FILE *file = fopen("/dev/full", "w");
    if (file == NULL) {
        cr_skip("no /dev/full here");
    }
    return file;
}

Test(full_disk, poses)
{
    for (int form = FH_POSE_TEXT; form <= FH_POSE_JSON; form++) {
        fh_pose_writer writer;
        FILE *file = full_disk();
        fh_pose_writer_begin(&writer, file, (fh_pose_form)form, &(fh_pose_header){"p", "f", NULL});
        fh_sink sink = fh_pose_writer_sink(&writer);
        for (uint32_t i = 0; i < 5000; i++) { /* more than the buffer of a stream */
            sink.frame(sink.user, &(fh_pose_frame){i, i});
            sink.pose(sink.user, &(fh_pose_row){&table, (fh_pose_value[]){{.i = 1}, {.r = 1}}});
        }
        cr_assert(eq(int, fh_pose_writer_end(&writer), ENOSPC));
        fclose(file);
    }
}

Test(full_disk, the_first_failure_is_kept)
{
    FILE *file = full_disk();
    setvbuf(file, NULL, _IONBF, 0);
    fh_out out = fh_out_make(file);
    fh_out_str(&out, "a");
    cr_assert(eq(int, out.error, ENOSPC));
    errno = 0;
    fh_out_fmt(&out, "%d", 1);
    cr_assert(eq(int, fh_out_end(&out), ENOSPC));
    fclose(file);
}

Test(full_disk, texts)
{
    fh_report check;
    fh_scan_text scanned;
    FILE *file = full_disk();
    cr_assert(fh_report_begin(&check, &fh_text_form, &no_run, file, false));
    cr_assert(eq(int, fh_report_end(&check), ENOSPC));
    fclose(file);
    file = full_disk();
    fh_scan_text_begin(&scanned, file);
    cr_assert(eq(int, fh_scan_text_end(&scanned), ENOSPC));
    fclose(file);
    file = full_disk();
    cr_assert(eq(int, fh_rules_list(file, &test_rules, 1), ENOSPC));
    fclose(file);
}
