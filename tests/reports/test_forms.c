/* The forms of a report to the letter, and what they are made of: escapes, copies, fingerprints,
 * runs of bytes, and the database told in order. */
#include "reports/escape.h"
#include "reports/fingerprint.h"
#include "reports/forms.h"
#include "reports/runs.h"
#include "support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* ---- escapes --------------------------------------------------------------------------------- */

static void expect_escapes(const char *str, const char *xml, const char *uri, const char *data,
                           const char *property)
{
    FILE *file = begin_text();
    fh_out out = fh_out_make(file);
    fh_escape_xml(&out, str);
    fh_out_str(&out, "\n");
    fh_escape_uri(&out, str);
    fh_out_str(&out, "\n");
    fh_escape_command(&out, str, false);
    fh_out_str(&out, "\n");
    fh_escape_command(&out, str, true);
    cr_assert(eq(int, fh_out_end(&out), 0));
    char wanted[400];
    snprintf(wanted, sizeof wanted, "%s\n%s\n%s\n%s", xml, uri, data, property);
    expect_text(file, wanted);
}

Test(escapes, each_for_its_reader)
{
    expect_escapes("a/B-9._~", "a/B-9._~", "a/B-9._~", "a/B-9._~", "a/B-9._~");
    expect_escapes("<&>\"'", "&lt;&amp;&gt;&quot;&apos;", "%3C%26%3E%22%27", "<&>\"'", "<&>\"'");
    expect_escapes("50%: a,b", "50%: a,b", "50%25%3A%20a%2Cb", "50%25: a,b", "50%25%3A a%2Cb");
    expect_escapes("a\r\n\tb", "a\\r\\n\\tb", "a%0D%0A%09b", "a%0D%0A\\tb", "a%0D%0A\\tb");
    expect_escapes("\x1b[2J\x7f", "\\x1b[2J\\x7f", "%1B%5B2J%7F", "\\x1b[2J\\x7f", "\\x1b[2J\\x7f");
    expect_escapes("\xff\xc3\xa9", "\\xff\xc3\xa9", "%FF%C3%A9", "\\xff\xc3\xa9", "\\xff\xc3\xa9");
    expect_escapes("c:\\x", "c:\\\\x", "c%3A%5Cx", "c:\\x", "c%3A\\x");
    expect_escapes("\xef\xbf\xbe\xef\xbf\xbf!", "\\ufffe\\uffff!", "%EF%BF%BE%EF%BF%BF%21",
                   "\xef\xbf\xbe\xef\xbf\xbf!", "\xef\xbf\xbe\xef\xbf\xbf!");
}

/* ---- runs of bytes --------------------------------------------------------------------------- */

static void expect_runs(const fh_asset_record *asset, const char *layout, const char *wanted)
{
    char text[400] = "";
    size_t len = 0;
    fh_runs runs;
    fh_run run;
    fh_runs_begin(&runs, asset, layout);
    while (fh_runs_next(&runs, &run)) {
        len += (size_t)snprintf(
            text + len, sizeof text - len, "%lld@%lld+%lld ", (long long)run.asset_offset,
            run.raw_offset == FH_UNKNOWN ? -1LL : (long long)run.raw_offset, (long long)run.len);
        cr_assert(len < sizeof text - 80);
    }
    cr_expect(eq(str, text, (char *)wanted));
}

Test(runs, of_plain_bytes)
{
    fh_asset_record asset = {.raw_offset = 100, .user_offset = 100, .length = 5000};
    expect_runs(&asset, "plain", "0@100+5000 ");
    expect_runs(&asset, "2048", "0@100+5000 ");
    expect_runs(&asset, NULL, "0@100+5000 ");
    asset.raw_offset = INT64_MAX - 10;
    expect_runs(&asset, "plain", "0@-1+5000 ");
    asset.raw_offset = FH_UNKNOWN;
    expect_runs(&asset, "2352", "0@-1+5000 ");
    asset.length = FH_UNKNOWN;
    expect_runs(&asset, "plain", "");
}

Test(runs, over_sectors)
{
    /* 48 bytes into the user data of sector 10, Mode 2: 24 bytes stand in front. */
    fh_asset_record asset = {.raw_offset = 2352 * 10 + 24 + 48,
                             .user_offset = 2048 * 10 + 48,
                             .iso_offset = FH_UNKNOWN,
                             .length = 4100};
    expect_runs(&asset, "2352", "0@23592+2000 2000@25896+2048 4048@28248+52 ");
    asset.user_offset += 8; /* taken for Mode 1 it leads to the other head, which is as sound */
    expect_runs(&asset, "2352", "0@23592+1992 1992@25888+2048 4040@28240+60 ");
    asset.user_offset += 8; /* no head is so short: nothing is claimed */
    expect_runs(&asset, "2352", "0@-1+4100 ");
    asset.iso_path = "/A"; /* a file begins with a sector, whatever stands in front */
    asset.iso_offset = 2048 * 3 + 48;
    expect_runs(&asset, "2352", "0@23592+2000 2000@25896+2048 4048@28248+52 ");
    asset.raw_offset = 2336 * 10 + 8 + 48;
    expect_runs(&asset, "2336", "0@23416+2000 2000@25704+2048 4048@28040+52 ");
}

Test(runs, of_pieces)
{
    const fh_piece_record pieces[] = {{0, 5000, 10}, {10, 100, 20}};
    fh_asset_record asset = {
        .raw_offset = 5000, .user_offset = 5000, .length = 30, .pieces = pieces, .num_pieces = 2};
    expect_runs(&asset, "plain", "0@5000+10 10@100+20 ");
}

/* ---- fingerprints ---------------------------------------------------------------------------- */

static fh_finding_record finding_at(size_t rule, int64_t raw_offset, const char *message)
{
    fh_finding_record finding = finding_of(rule, FH_UNKNOWN, message);
    finding.raw_offset = raw_offset;
    return finding;
}

typedef char print[FH_FINGERPRINT_LEN + 1];

static void make(fh_fingerprints *prints, print out, const char *path, const fh_asset_record *asset,
                 const fh_finding_record *finding)
{
    const fh_source_record source = source_named(path);
    cr_assert(fh_fingerprint_make(prints, out, &source, asset, finding));
    cr_assert(eq(sz, strspn(out, "0123456789abcdef"), (size_t)FH_FINGERPRINT_LEN));
}

Test(fingerprints, of_content_and_not_of_names)
{
    static fh_fingerprints prints;
    print one;
    print other;
    fh_asset_record asset = asset_at(0, 1);
    fh_finding_record finding = finding_at(0, 8, "said so");
    make(&prints, one, "a", &asset, &finding);
    make(&prints, other, "a", &asset, &finding);
    cr_expect(ne(str, one, other), "the second of the same kind is another one");
    fh_fingerprints_reset(&prints);
    finding.message = "said otherwise";
    finding.raw_offset = 1008;
    make(&prints, other, "b", &asset, &finding);
    cr_expect(eq(str, one, other), "neither path, wording nor place in the source count");
    fh_fingerprints_reset(&prints);
    asset = asset_at(0, 2);
    make(&prints, other, "a", &asset, &finding);
    cr_expect(ne(str, one, other), "other bytes");
    asset = asset_at(0, 1);
    for (int i = 0; i < 4; i++) {
        fh_finding_record changed = finding;
        changed.asset_offset = i == 0 ? 9 : changed.asset_offset;
        changed.frame = i == 1 ? 2 : changed.frame;
        changed.object = i == 2 ? 2 : changed.object;
        changed.field = i == 3 ? "a field" : changed.field;
        fh_fingerprints_reset(&prints);
        make(&prints, other, "a", &asset, &changed);
        cr_expect(ne(str, one, other), "%d", i);
    }
}

Test(fingerprints, many_of_one_asset)
{
    enum { NUM = 3000 };
    static fh_fingerprints prints;
    static print all[NUM];
    fh_asset_record asset = asset_at(0, 1);
    for (int i = 0; i < NUM; i++) {
        fh_finding_record finding = finding_at(0, 8, "x");
        finding.asset_offset = i / 2;
        make(&prints, all[i], "a", &asset, &finding);
    }
    qsort(all, NUM, sizeof all[0], (int (*)(const void *, const void *))strcmp);
    for (int i = 1; i < NUM; i++) {
        cr_assert(ne(str, all[i - 1], all[i]));
    }
}

/* ---- forms ----------------------------------------------------------------------------------- */

static const fh_report_run error_fails = {
    .command = "check", .tool_version = "1", .ruleset_version = "2", .fails_from = FH_ERROR};
static const fh_report_run warning_fails = {
    .command = "check", .tool_version = "1", .ruleset_version = "2", .fails_from = FH_WARNING};

/* tell_some tells of a text with two findings, of a file that cannot be read and one of no format.
 */
static void tell_some(const fh_report_form *form, const fh_report_run *run, const char *wanted)
{
    fh_report report;
    FILE *file = begin_text();
    cr_assert(fh_report_begin(&report, form, run, file, false));
    fh_report_source(&report,
                     &(fh_source_record){.path = "./a%,:.txt", .status = "complete", .size = 100});
    fh_asset_record asset = asset_at(0, 1);
    asset.length = 100;
    fh_report_asset(&report, &asset);
    fh_finding_record finding = finding_at(0, 8, "wrong\nhere");
    finding.line = 3;
    finding.column = 4;
    fh_report_finding(&report, &finding);
    finding = finding_at(1, 12, "odd <here>");
    fh_report_finding(&report, &finding);
    fh_report_source(
        &report, &(fh_source_record){
                     .path = "b", .status = "unreadable", .size = FH_UNKNOWN, .why = "is gone"});
    fh_report_source(
        &report, &(fh_source_record){.path = "c", .status = "complete", .size = 1, .why = "none"});
    cr_assert(eq(int, fh_report_end(&report), 0));
    expect_text(file, wanted);
}

Test(forms, concise)
{
    tell_some(&fh_concise_form, &error_fails,
              "./a%,:.txt:3:4: error TST0001 wrong\\nhere\n"
              "./a%,:.txt:0xc: warning TST0002 odd <here>\n"
              "b: error: is gone\n");
}

Test(forms, github)
{
    tell_some(&fh_github_form, &error_fails,
              "::error file=a%25%2C%3A.txt,line=3,col=4,title=TST0001 a title::wrong%0Ahere"
              "%0Ahelp: mend it\n"
              "::warning file=a%25%2C%3A.txt,line=1,title=TST0002 a second title::at 0xc: odd "
              "<here>%0Ahelp: do *this*\n"
              "::error file=b,line=1,title=unreadable::is gone\n");
}

#define JUNIT_HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
#define JUNIT_COUNTS " name=\"framehound\" tests=\"3\" failures=\"1\" errors=\"1\""
#define JUNIT_TAIL                                                                                 \
    "<testcase classname=\"source\" name=\"b\"><error type=\"unreadable\" message=\"is gone\"/>"   \
    "</testcase>\n"                                                                                \
    "<testcase classname=\"source\" name=\"c\"><skipped>none</skipped></testcase>\n"               \
    "</testsuite>\n</testsuites>\n"
#define JUNIT_FIRST                                                                                \
    JUNIT_HEAD "<testsuites" JUNIT_COUNTS ">\n<testsuite" JUNIT_COUNTS " skipped=\"1\">\n"         \
               "<testcase classname=\"tst\" name=\"./a%,:.txt\">"                                  \
               "<failure type=\"TST0001\" message=\"wrong\\nhere\">"                               \
               "error TST0001 at 3:4: wrong\\nhere\n  help: mend it\n"

Test(forms, junit_fails_by_what_fails_the_run)
{
    tell_some(&fh_junit_form, &error_fails,
              JUNIT_FIRST "</failure><system-out>warning TST0002 at 0xc: odd &lt;here&gt;\n"
                          "</system-out></testcase>\n" JUNIT_TAIL);
    tell_some(&fh_junit_form, &warning_fails,
              JUNIT_FIRST "warning TST0002 at 0xc: odd &lt;here&gt;\n  help: do *this*\n"
                          "</failure></testcase>\n" JUNIT_TAIL);
}

Test(forms, nothing_told)
{
    static const char *const wanted[] = {
        "0 files: 0 sound; 0 errors, 0 warnings, 0 notes\n", "",
        "{\"sources\": [],\n\"summary\": {\"type\": \"summary\", \"tool_version\": \"1\", "
        "\"ruleset_version\": \"2\", \"sources\": 0, \"incomplete\": 0, \"assets\": 0, "
        "\"errors\": 0, \"warnings\": 0, \"notes\": 0}}\n"};
    for (size_t i = 0; fh_report_forms()[i] != NULL; i++) {
        fh_report report;
        FILE *file = begin_text();
        cr_assert(fh_report_begin(&report, fh_report_forms()[i], &error_fails, file, false));
        cr_assert(eq(int, fh_report_end(&report), 0));
        fclose(file);
        if (i < sizeof wanted / sizeof wanted[0]) {
            cr_expect(eq(str, written, (char *)wanted[i]));
        }
        free(written);
    }
}

/* Every form tells a full disk, whenever it writes. */
Test(forms, full_disk)
{
    for (size_t i = 0; fh_report_forms()[i] != NULL; i++) {
        fh_report report;
        FILE *file = fopen("/dev/full", "w");
        fh_source_record source = source_named("a");
        fh_finding_record finding = finding_at(0, 8, "x");
        cr_assert(fh_report_begin(&report, fh_report_forms()[i], &error_fails, file, false));
        fh_report_source(&report, &source);
        for (int k = 0; k < 1000; k++) {
            fh_report_finding(&report, &finding);
        }
        cr_expect(eq(int, fh_report_end(&report), ENOSPC), "%s", fh_report_forms()[i]->name);
        fclose(file);
    }
}

static const fh_report_form *const waiting_forms[] = {&fh_sarif_form, &fh_junit_form,
                                                      &fh_dfxml_form};

/* hold_back begins a report into each file under a limit, and expects that its end says so. */
static void hold_back(int resource, rlim_t most)
{
    FILE *files[3];
    char *texts[3];
    size_t lens[3];
    struct rlimit before;
    cr_assert(eq(int, getrlimit(resource, &before), 0));
    const struct rlimit limit = {most, before.rlim_max};
    for (size_t i = 0; i < 3; i++) {
        files[i] = open_memstream(&texts[i], &lens[i]);
        cr_assert(files[i] != NULL);
    }
    signal(SIGXFSZ, SIG_IGN);
    cr_assert(eq(int, setrlimit(resource, &limit), 0));
    for (size_t i = 0; i < 3; i++) {
        fh_report report;
        fh_source_record source = source_named("a");
        fh_asset_record asset = asset_at(0, 1);
        fh_finding_record finding = finding_at(0, 8, "x");
        cr_assert(fh_report_begin(&report, waiting_forms[i], &error_fails, files[i], false));
        fh_report_source(&report, &source);
        fh_report_asset(&report, &asset);
        fh_report_finding(&report, &finding);
        cr_expect(ne(int, fh_report_end(&report), 0), "%s", waiting_forms[i]->name);
        fclose(files[i]);
        free(texts[i]);
    }
    /* What looks for leaks at the end needs files, too, and waits for ever without. */
    cr_assert(eq(int, setrlimit(resource, &before), 0));
}

/* Without a temporary file there is no whole report, and no crash; nor with one that cannot grow.
 */
Test(forms, no_temporary_file)
{
    hold_back(RLIMIT_NOFILE, 3);
}

Test(forms, full_temporary_file)
{
    hold_back(RLIMIT_FSIZE, 0);
}

/* ---- a database, told ------------------------------------------------------------------------ */

typedef struct teller {
    char text[2000];
    size_t len;
    int left; /* calls until it wants no more */
} teller;

static bool add(teller *by, const char *what, int64_t id, const char *more)
{
    by->len += (size_t)snprintf(by->text + by->len, sizeof by->text - by->len, "%s%lld%s ", what,
                                (long long)id, more);
    cr_assert(by->len < sizeof by->text - 100);
    return --by->left > 0;
}

static bool on_source(void *user, const fh_source_record *source)
{
    return add(user, "s", source->id, source->path);
}

static bool on_asset(void *user, const fh_asset_record *asset)
{
    cr_expect(asset->replay != NULL && asset->replay->frames == 7 && asset->sha256 != NULL);
    return add(user, "a", asset->id, asset->format);
}

static bool on_finding(void *user, const fh_finding_record *finding)
{
    cr_expect(finding->rule == &test_rules.rules[0]);
    return add(user, "f", finding->id, finding->severity == FH_ERROR ? "!" : "?");
}

static const fh_rule *on_rule(void *user, const char *code)
{
    (void)user;
    cr_expect(strncmp(code, "TST", 3) == 0);
    return &test_rules.rules[0];
}

static fh_store_status tell(teller *by, const char *path, int calls)
{
    char error[FH_STORE_ERROR_LEN];
    fh_store *store = NULL;
    *by = (teller){.left = calls};
    cr_assert(eq(int, fh_store_open_ro(&store, path, NULL, error, sizeof error), FH_STORE_OK));
    const fh_store_sink sink = {by, on_source, on_asset, on_finding, on_rule};
    const fh_store_status status = fh_store_tell(store, &sink);
    fh_store_close(store);
    return status;
}

Test(told, in_order, .fini = remove_dir)
{
    const char *db = in_dir("a.db");
    teller by;
    scan(db, "b", 2, 1);
    scan(db, "a", 1, 2);
    cr_assert(eq(int, tell(&by, db, 100), FH_STORE_OK));
    cr_expect(eq(str, by.text, (char *)"s1b f3! a1tst f1? a2tst f2? s2a f5! a3tst f4? "));
    /* Places count, and what has none comes first; no index is needed. */
    run(db, "DROP INDEX finding_asset; UPDATE asset SET raw_offset = 5000 WHERE id = 1;");
    cr_assert(eq(int, tell(&by, db, 100), FH_STORE_OK));
    cr_expect(eq(str, by.text, (char *)"s1b f3! a2tst f2? a1tst f1? s2a f5! a3tst f4? "));
    run(db, "UPDATE asset SET raw_offset = NULL WHERE id = 1;");
    for (int i = 1; i < 9; i++) {
        cr_assert(eq(int, tell(&by, db, i), FH_STORE_OK), "stopped after %d", i);
        cr_expect(by.left == 0);
    }
    cr_assert(eq(int, tell(&by, db, 100), FH_STORE_OK));
    cr_expect(eq(str, by.text, (char *)"s1b f3! a1tst f1? a2tst f2? s2a f5! a3tst f4? "));
}

Test(told, damaged, .fini = remove_dir)
{
    static const char *const changes[] = {
        "UPDATE finding SET asset_id = 99 WHERE id = 1",
        "UPDATE finding SET source_id = 99",
        "UPDATE asset SET source_id = 99 WHERE id = 2",
        "PRAGMA ignore_check_constraints = ON; UPDATE finding SET severity = 'x' WHERE id = 2",
        "UPDATE finding SET asset_id = 3 WHERE id = 2",
        "INSERT INTO piece VALUES (1, 1, 0, 5)",
        "INSERT INTO piece VALUES (1, 0, 0, 9223372036854775807)",
        "INSERT INTO piece VALUES (1, 0, -1, 5)"};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char name[20];
        teller by;
        snprintf(name, sizeof name, "%zu.db", i);
        const char *db = in_dir(name);
        scan(db, "b", 2, 1);
        scan(db, "a", 1, 2);
        run(db, changes[i]);
        cr_expect(eq(int, tell(&by, db, 100), FH_STORE_CORRUPT), "%s", changes[i]);
    }
}
