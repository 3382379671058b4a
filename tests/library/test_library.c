/* The library as a program uses it: through its header, and with what a program may do wrong. */
#include "../hunt/field.h"

#include <framehound/framehound.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char two_frames[] = "tod resolution=1\n"
                                 "frame 0\ncreate 1\n"
                                 "coord 1 abs r 0 0 0 s 4096 4096 4096 t 1 2 3\n"
                                 "frame 1\n"
                                 "coord 1 abs r 0 0 0 s 4096 4096 4096 t 4 5 6\n";
static const char no_parent[] = "tod resolution=1\nframe 0\ncreate 1\nparent 1 7\n";

enum { MOST_FINDINGS = 64 };

/* What was told, and when to end it. */
typedef struct listener {
    framehound *hound; /* to be called from a callback, or NULL */
    int stop_at;       /* number of the callback that ends the work, -1: none */
    int num_calls, num_late, num_stops;
    int num_sources, num_assets, num_rows, num_world_rows;
    char codes[MOST_FINDINGS][8];
    int num_findings, num_of_source;
    framehound_asset asset;
    char source[64], status[16], why[128];
    int64_t last_t0, last_object;
    framehound_status inner;
} listener;

static int next(listener *to)
{
    to->num_late += to->stop_at >= 0 && to->num_calls > to->stop_at;
    return to->num_calls++ == to->stop_at ? 7 : 0;
}

static int on_source(void *user, const framehound_source *source)
{
    listener *to = user;
    to->num_sources++;
    (void)snprintf(to->source, sizeof to->source, "%s", source->path);
    (void)snprintf(to->status, sizeof to->status, "%s", source->status);
    (void)snprintf(to->why, sizeof to->why, "%s", source->why);
    return next(to);
}

static int on_asset(void *user, const framehound_asset *asset)
{
    listener *to = user;
    to->num_assets++;
    to->asset = *asset;
    if (to->hound != NULL) {
        const framehound_sink sink = {.size = sizeof sink};
        to->inner = framehound_check_bytes(to->hound, NULL, "x", 1, &sink);
    }
    return next(to);
}

static int on_finding(void *user, const framehound_finding *finding)
{
    listener *to = user;
    if (to->num_findings < MOST_FINDINGS) {
        (void)snprintf(to->codes[to->num_findings], sizeof to->codes[0], "%s", finding->code);
    }
    to->num_findings++;
    to->num_of_source += finding->asset == FRAMEHOUND_UNKNOWN;
    return next(to);
}

static int on_pose(void *user, const framehound_pose *pose)
{
    listener *to = user;
    to->num_rows++;
    to->num_world_rows += strcmp(pose->table, "world") == 0;
    for (size_t i = 0; i < pose->num_columns; i++) {
        if (strcmp(pose->columns[i].name, "t0") == 0 &&
            pose->columns[i].type == FRAMEHOUND_COLUMN_INT) {
            to->last_t0 = pose->values[i].i;
        } else if (strcmp(pose->columns[i].name, "object") == 0 &&
                   pose->columns[i].type == FRAMEHOUND_COLUMN_NAME) {
            to->last_object = pose->values[i].i;
        }
    }
    return next(to);
}

static framehound_sink sink_of(listener *to)
{
    *to = (listener){.stop_at = -1};
    return (framehound_sink){.size = sizeof(framehound_sink),
                             .user = to,
                             .source = on_source,
                             .asset = on_asset,
                             .finding = on_finding,
                             .pose = on_pose};
}

static framehound *make(uint32_t flags)
{
    framehound *hound = NULL;
    const framehound_options options = {.size = sizeof options, .flags = flags};
    cr_assert(eq(int, framehound_new(&hound, &options), FRAMEHOUND_OK));
    return hound;
}

static bool has_code(const listener *in, const char *code)
{
    for (int i = 0; i < in->num_findings && i < MOST_FINDINGS; i++) {
        if (strcmp(in->codes[i], code) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- results --------------------------------------------------------------------------------- */

Test(library, a_check_tells_asset_poses_findings_and_source)
{
    listener heard;
    bytes of = {0};
    put_tod(&of, two_frames);
    framehound *hound = make(0);
    const framehound_sink sink = sink_of(&heard);
    cr_assert(
        eq(int, framehound_check_bytes(hound, "a.tod", of.data, of.len, &sink), FRAMEHOUND_OK));
    cr_assert(eq(str, (char *)framehound_error(hound), ""));
    cr_assert(eq(int, heard.num_assets, 1));
    cr_assert(eq(int, (int)heard.asset.grade, FRAMEHOUND_REPLAYED));
    cr_assert(eq(int, (int)heard.asset.replay, FRAMEHOUND_REPLAY_COMPLETE));
    cr_assert(eq(i64, heard.asset.length, (int64_t)of.len));
    cr_assert(eq(i64, heard.asset.frames, 2));
    cr_assert(eq(i64, heard.asset.lba, FRAMEHOUND_UNKNOWN));
    cr_assert(eq(int, heard.num_rows, 2));
    cr_assert(eq(i64, heard.last_t0, 4));
    cr_assert(eq(i64, heard.last_object, 1));
    cr_assert(eq(int, heard.num_sources, 1));
    cr_assert(eq(str, heard.source, "a.tod"));
    cr_assert(eq(str, heard.status, "complete"));
    framehound_free(hound);
    bytes_free(&of);
}

Test(library, an_error_is_a_finding_and_no_failure)
{
    listener heard;
    bytes of = {0};
    put_tod(&of, no_parent);
    framehound *hound = make(FRAMEHOUND_NO_REPLAY);
    const framehound_sink sink = sink_of(&heard);
    cr_assert(eq(int, framehound_check_bytes(hound, NULL, of.data, of.len, &sink), FRAMEHOUND_OK));
    cr_assert(has_code(&heard, "TOD0092"));
    cr_assert(eq(int, (int)heard.asset.replay, FRAMEHOUND_REPLAY_NONE));
    cr_assert(eq(int, heard.num_rows, 0));
    cr_assert(eq(str, heard.source, "-"));
    framehound_free(hound);
    bytes_free(&of);
}

Test(library, what_is_no_asset_says_so)
{
    static const struct {
        const char *path;
        size_t len;
        const char *code, *why;
    } cases[] = {{NULL, 64, "", "no animation of a known format"},
                 {"a.bin", 0, "IMG0001", "empty"},
                 {NULL, ((size_t)8 << 20) + 1, "", "longer than any animation"},
                 {"a.tod", ((size_t)8 << 20) + 1, "RUN0005", "longer than any animation"}};
    framehound *hound = make(0);
    uint8_t *noise = calloc(1, ((size_t)8 << 20) + 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        listener heard;
        const framehound_sink sink = sink_of(&heard);
        cr_assert(eq(int, framehound_check_bytes(hound, cases[i].path, noise, cases[i].len, &sink),
                     FRAMEHOUND_NO_ASSET));
        cr_assert(eq(int, heard.num_assets, 0));
        cr_assert(eq(int, heard.num_findings, cases[i].code[0] != '\0'));
        cr_assert(eq(int, heard.num_of_source, heard.num_findings));
        cr_assert(cases[i].code[0] == '\0' || has_code(&heard, cases[i].code));
        cr_assert_not_null(strstr(heard.why, cases[i].why));
        cr_assert_not_null(strstr(framehound_error(hound), cases[i].why));
    }
    free(noise);
    framehound_free(hound);
}

Test(library, a_name_is_held_against_the_content)
{
    listener heard;
    bytes of = {0};
    put_tod(&of, two_frames);
    framehound *hound = make(0);
    const framehound_sink sink = sink_of(&heard);
    cr_assert(
        eq(int, framehound_check_bytes(hound, "a.hmd", of.data, of.len, &sink), FRAMEHOUND_OK));
    cr_assert(eq(int, heard.num_findings, 1));
    cr_assert(has_code(&heard, "RUN0005"));
    framehound_free(hound);
    bytes_free(&of);
}

Test(library, a_scan_finds_what_lies_inside)
{
    listener heard;
    bytes of = {0};
    put_fill(&of, 0xff, 64);
    put_tod(&of, two_frames);
    put_fill(&of, 0xff, 64);
    put_tod(&of, no_parent);
    put_fill(&of, 0xff, 64);
    framehound *hound = make(0);
    const framehound_sink sink = sink_of(&heard);
    cr_assert(
        eq(int, framehound_scan_bytes(hound, "noise", of.data, of.len, &sink), FRAMEHOUND_OK));
    cr_assert(eq(int, heard.num_assets, 2));
    cr_assert(eq(i64, heard.asset.id, 1));
    cr_assert(eq(int, heard.num_rows, 3));
    cr_assert(has_code(&heard, "TOD0092"));
    cr_assert(eq(int, heard.num_sources, 1));
    framehound_free(hound);
    bytes_free(&of);
}

Test(library, options_choose)
{
    static const struct {
        framehound_options options;
        int num_assets, num_rows, num_world_rows;
    } cases[] = {
        {{.flags = 0}, 1, 2, 0},
        {{.flags = FRAMEHOUND_WORLD}, 1, 4, 2},
        {{.flags = FRAMEHOUND_NO_REPLAY}, 1, 0, 0},
        {{.formats = "hmd,tra"}, 0, 0, 0},
        {{.formats = "hmd,tod,tod", .profile = "1.30", .layout = "plain"}, 1, 2, 0},
        {{.min_evidence = 4096}, 0, 0, 0},
    };
    bytes of = {0};
    put_fill(&of, 0xff, 64);
    put_tod(&of, two_frames);
    put_fill(&of, 0xff, 64);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        listener heard;
        framehound *hound = NULL;
        framehound_options options = cases[i].options;
        options.size = sizeof options;
        const framehound_sink sink = sink_of(&heard);
        cr_assert(eq(int, framehound_new(&hound, &options), FRAMEHOUND_OK));
        cr_assert(
            eq(int, framehound_scan_bytes(hound, NULL, of.data, of.len, &sink), FRAMEHOUND_OK));
        cr_assert(eq(int, heard.num_assets, cases[i].num_assets), "case %zu", i);
        cr_assert(eq(int, heard.num_rows, cases[i].num_rows), "case %zu", i);
        cr_assert(eq(int, heard.num_world_rows, cases[i].num_world_rows), "case %zu", i);
        framehound_free(hound);
    }
    bytes_free(&of);
}

Test(library, changes_only_leaves_out_what_stays)
{
    static const char still[] = "tod resolution=1\nframe 0\ncreate 1\n"
                                "coord 1 abs r 0 0 0 s 4096 4096 4096 t 1 2 3\nframe 1\nframe 2\n";
    listener all;
    listener changes;
    bytes of = {0};
    put_tod(&of, still);
    framehound *one = make(0);
    framehound *other = make(FRAMEHOUND_CHANGES_ONLY);
    const framehound_sink sink = sink_of(&all);
    const framehound_sink sink_of_other = sink_of(&changes);
    cr_assert(eq(int, framehound_check_bytes(one, NULL, of.data, of.len, &sink), FRAMEHOUND_OK));
    cr_assert(eq(int, framehound_check_bytes(other, NULL, of.data, of.len, &sink_of_other),
                 FRAMEHOUND_OK));
    cr_assert(eq(int, all.num_rows, 3));
    cr_assert(eq(int, changes.num_rows, 1));
    framehound_free(one);
    framehound_free(other);
    bytes_free(&of);
}

Test(library, files_that_cannot_be_read_are_told)
{
    framehound *hound = make(0);
    for (int is_scan = 0; is_scan < 2; is_scan++) {
        listener heard;
        const framehound_sink sink = sink_of(&heard);
        const char *path = "/nonexistent/a.tod";
        cr_assert(eq(int,
                     is_scan ? framehound_scan_file(hound, path, &sink)
                             : framehound_check_file(hound, path, &sink),
                     FRAMEHOUND_UNREADABLE));
        cr_assert(eq(int, heard.num_sources, 1));
        cr_assert(eq(str, heard.status, "unreadable"));
        cr_assert_not_null(strstr(framehound_error(hound), "No such file"));
    }
    framehound_free(hound);
}

Test(library, bytes_open_no_file)
{
    static const char sheet[] = "FILE \"image.bin\" BINARY\n  TRACK 01 MODE1/2352\n"
                                "    INDEX 01 00:00:00\n";
    char folder[] = "/tmp/library-XXXXXX";
    char path[64];
    cr_assert_not_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/image.bin", folder);
    FILE *image = fopen(path, "wb");
    cr_assert_not_null(image);
    (void)fputs("what a sheet may name", image);
    (void)fclose(image);
    (void)snprintf(path, sizeof path, "%s/disc.cue", folder);
    listener heard;
    framehound *hound = make(0);
    const framehound_sink sink = sink_of(&heard);
    cr_assert(
        eq(int, framehound_scan_bytes(hound, path, sheet, sizeof sheet - 1, &sink), FRAMEHOUND_OK));
    cr_assert(eq(int, heard.num_sources, 1));
    cr_assert(eq(str, heard.source, path));
    FILE *cue = fopen(path, "wb");
    cr_assert_not_null(cue);
    (void)fputs(sheet, cue);
    (void)fclose(cue);
    const framehound_sink again = sink_of(&heard);
    (void)framehound_scan_file(hound, path, &again);
    cr_assert(eq(int, heard.num_sources, 2), "by its path the same sheet is entered");
    framehound_free(hound);
    (void)unlink(path);
    (void)snprintf(path, sizeof path, "%s/image.bin", folder);
    (void)unlink(path);
    (void)rmdir(folder);
}

/* ---- ends ------------------------------------------------------------------------------------ */

Test(library, every_callback_can_end_the_work)
{
    bytes of = {0};
    put_fill(&of, 0xff, 64);
    put_tod(&of, two_frames);
    put_fill(&of, 0xff, 64);
    put_tod(&of, no_parent);
    framehound *hound = make(0);
    listener heard;
    const framehound_sink all = sink_of(&heard);
    cr_assert(eq(int, framehound_scan_bytes(hound, NULL, of.data, of.len, &all), FRAMEHOUND_OK));
    const int num_calls = heard.num_calls;
    cr_assert(gt(int, num_calls, 6));
    for (int i = 0; i < num_calls; i++) {
        const framehound_sink sink = sink_of(&heard);
        heard.stop_at = i;
        cr_assert(eq(int, framehound_scan_bytes(hound, NULL, of.data, of.len, &sink),
                     FRAMEHOUND_STOPPED));
        cr_assert(eq(int, heard.num_calls, i + 1));
        cr_assert(eq(int, heard.num_late, 0));
    }
    for (int i = 0; i < 4; i++) {
        const framehound_sink sink = sink_of(&heard);
        heard.stop_at = i;
        cr_assert(eq(int, framehound_check_bytes(hound, "a.hmd", of.data + 64, 64, &sink),
                     FRAMEHOUND_STOPPED));
        cr_assert(eq(int, heard.num_late, 0));
    }
    framehound_free(hound);
    bytes_free(&of);
}

static int stop_at_third(void *user)
{
    listener *to = user;
    return ++to->num_stops >= 3;
}

Test(library, the_stop_callback_ends_a_scan)
{
    listener heard;
    const size_t len = (size_t)16 << 20;
    uint8_t *noise = calloc(1, len);
    framehound *hound = make(0);
    framehound_sink sink = sink_of(&heard);
    sink.stop = stop_at_third;
    cr_assert(eq(int, framehound_scan_bytes(hound, NULL, noise, len, &sink), FRAMEHOUND_STOPPED));
    cr_assert(eq(int, heard.num_stops, 3));
    cr_assert(eq(int, heard.num_calls, 0));
    cr_assert_not_null(strstr(framehound_error(hound), "stop"));
    free(noise);
    framehound_free(hound);
}

/* ---- misuse ---------------------------------------------------------------------------------- */

Test(library, options_that_are_unknown_are_refused)
{
    static const framehound_options wrong[] = {
        {.size = 8},
        {.size = sizeof(framehound_options) - 1},
        {.size = SIZE_MAX},
        {.size = sizeof(framehound_options), .flags = 64},
        {.size = sizeof(framehound_options), .formats = "tod,"},
        {.size = sizeof(framehound_options), .formats = "TOD"},
        {.size = sizeof(framehound_options), .profile = "9.9"},
        {.size = sizeof(framehound_options), .layout = "2353"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char mark = 0;
        framehound *hound = (framehound *)(void *)&mark;
        cr_assert(eq(int, framehound_new(&hound, &wrong[i]), FRAMEHOUND_MISUSE), "case %zu", i);
        cr_assert_null(hound);
    }
    cr_assert(eq(int, framehound_new(NULL, NULL), FRAMEHOUND_MISUSE));
    framehound_free(NULL);
}

/* A program that was built with a later header: its struct is longer. */
Test(library, a_longer_struct_is_taken_if_what_is_unknown_is_zero)
{
    struct {
        framehound_options known;
        uint64_t later;
    } options = {.known = {.size = sizeof options}, .later = 0};
    framehound *hound = NULL;
    cr_assert(eq(int, framehound_new(&hound, &options.known), FRAMEHOUND_OK));
    struct {
        framehound_sink known;
        void *later;
    } sink = {.known = {.size = sizeof sink}};
    cr_assert(
        eq(int, framehound_check_bytes(hound, NULL, "x", 1, &sink.known), FRAMEHOUND_NO_ASSET));
    sink.later = &sink;
    cr_assert(eq(int, framehound_check_bytes(hound, NULL, "x", 1, &sink.known), FRAMEHOUND_MISUSE));
    framehound_free(hound);
    options.later = 1;
    cr_assert(eq(int, framehound_new(&hound, &options.known), FRAMEHOUND_MISUSE));
}

Test(library, calls_that_cannot_be_are_refused)
{
    const framehound_sink sink = {.size = sizeof sink};
    const framehound_sink small = {.size = sizeof sink - 1};
    framehound *hound = make(0);
    cr_assert(eq(int, framehound_check_file(NULL, "a", &sink), FRAMEHOUND_MISUSE));
    cr_assert(eq(int, framehound_check_file(hound, NULL, &sink), FRAMEHOUND_MISUSE));
    cr_assert(eq(int, framehound_scan_file(hound, NULL, &sink), FRAMEHOUND_MISUSE));
    cr_assert(eq(int, framehound_check_bytes(hound, "a", NULL, 1, &sink), FRAMEHOUND_MISUSE));
    cr_assert(eq(int, framehound_scan_bytes(hound, "a", NULL, 1, &sink), FRAMEHOUND_MISUSE));
    cr_assert(eq(int, framehound_scan_bytes(hound, "a", "x", 1, NULL), FRAMEHOUND_MISUSE));
    cr_assert(eq(int, framehound_scan_bytes(hound, "a", "x", 1, &small), FRAMEHOUND_MISUSE));
    cr_assert(ne(str, (char *)framehound_error(hound), ""));
    cr_assert(eq(int, framehound_scan_bytes(hound, "a", "x", 1, &sink), FRAMEHOUND_OK));
    cr_assert(eq(str, (char *)framehound_error(hound), ""));
    cr_assert(eq(int, framehound_scan_bytes(hound, "a", NULL, 0, &sink), FRAMEHOUND_OK));
    framehound_free(hound);
}

Test(library, a_callback_cannot_use_its_own_context)
{
    listener heard;
    bytes of = {0};
    put_tod(&of, two_frames);
    framehound *hound = make(0);
    const framehound_sink sink = sink_of(&heard);
    heard.hound = hound;
    cr_assert(eq(int, framehound_check_bytes(hound, NULL, of.data, of.len, &sink), FRAMEHOUND_OK));
    cr_assert(eq(int, (int)heard.inner, FRAMEHOUND_MISUSE));
    cr_assert(eq(int, heard.num_rows, 2));
    framehound_free(hound);
    bytes_free(&of);
}

/* ---- tables ---------------------------------------------------------------------------------- */

typedef struct counts {
    int num, end_at;
    bool has_tod;
} counts;

static int count_rule(void *user, const framehound_rule *rule)
{
    counts *to = user;
    to->has_tod =
        to->has_tod || (strcmp(rule->code, "TOD0092") == 0 && strcmp(rule->format, "tod") == 0 &&
                        rule->severity == FRAMEHOUND_ERROR && rule->mend[0] != '\0');
    return ++to->num == to->end_at ? 5 : 0;
}

static int count_format(void *user, const framehound_format *format)
{
    counts *to = user;
    to->has_tod = to->has_tod || (strcmp(format->name, "tod") == 0 && format->companion == NULL &&
                                  strcmp(format->extensions[0], "tod") == 0 &&
                                  strcmp(format->profiles[0], "1.31") == 0);
    return ++to->num == to->end_at ? 5 : 0;
}

Test(library, rules_and_formats_are_told)
{
    counts rules = {0};
    counts formats = {0};
    cr_assert(eq(int, framehound_rules(count_rule, &rules), 0));
    cr_assert(eq(int, framehound_formats(count_format, &formats), 0));
    cr_assert(rules.has_tod && formats.has_tod);
    cr_assert(gt(int, rules.num, 450));
    cr_assert(eq(int, formats.num, 4));
    counts some = {.end_at = 300}; /* behind the first table */
    cr_assert(eq(int, framehound_rules(count_rule, &some), 5));
    cr_assert(eq(int, some.num, 300));
    some = (counts){.end_at = 2};
    cr_assert(eq(int, framehound_formats(count_format, &some), 5));
    cr_assert(eq(int, some.num, 2));
}

Test(library, values_have_names)
{
    cr_assert(eq(str, (char *)framehound_version(), FRAMEHOUND_VERSION));
    cr_assert(eq(str, (char *)framehound_status_name(FRAMEHOUND_MISUSE), "misuse"));
    cr_assert(eq(str, (char *)framehound_severity_name(FRAMEHOUND_ERROR), "error"));
    cr_assert(eq(str, (char *)framehound_grade_name(FRAMEHOUND_REPLAYED), "replayed"));
    cr_assert(eq(str, (char *)framehound_replay_name(FRAMEHOUND_REPLAY_STOPPED), "stopped"));
    cr_assert(eq(str, (char *)framehound_status_name((framehound_status)99), "unknown"));
    cr_assert(eq(str, (char *)framehound_grade_name((framehound_grade)4), "unknown"));
}
