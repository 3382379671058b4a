/* The data of the page: escapes, poses and fields to the letter, and what is said of all that is
 * left out. What a browser makes of it is looked at in tests/page. */
#include "core/scene.h"
#include "reports/escape.h"
#include "reports/forms.h"
#include "reports/html/html.h"
#include "reports/html/html_limits.h"
#include "support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- texts ----------------------------------------------------------------------------------- */

static void expect_script(const char *str, const char *wanted)
{
    FILE *file = begin_text();
    fh_out out = fh_out_make(file);
    fh_escape_script(&out, str);
    cr_assert(eq(int, fh_out_end(&out), 0));
    expect_text(file, wanted);
}

Test(html, no_text_ends_its_script)
{
    expect_script(NULL, "null");
    expect_script("a/b", "\"a/b\"");
    expect_script("</script>", "\"\\u003c/script\\u003e\"");
    expect_script("<!--&\"\\", "\"\\u003c!--\\u0026\\\"\\\\\"");
    expect_script("\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xae", "\"\\u2028\\u2029\\u202e\"");
    expect_script("\x1b\xff\xc3\xa9", "\"\\u001b\\ufffd\xc3\xa9\"");
}

/* ---- poses ----------------------------------------------------------------------------------- */

static const fh_column columns[] = {{"slot", FH_COLUMN_NAME}, {"x", FH_COLUMN_REAL}};
static const fh_pose_table objects = {"object", columns, 2};
static const fh_pose_table lights = {"light", columns, 2};

static void put(const fh_sink *sink, const fh_pose_table *table, int64_t slot, double x)
{
    const fh_pose_value values[] = {{.i = slot}, {.r = x}};
    sink->pose(sink->user, &(fh_pose_row){table, values});
}

static void play_some(void *user, fh_detail_played *played, const fh_sink *sink)
{
    (void)user;
    *played = (fh_detail_played){"a player", "complete", NULL, true};
    sink->frame(sink->user, &(fh_pose_frame){0, 7});
    put(sink, &objects, 0, 0.5);
    put(sink, &objects, 1, -0.0);
    put(sink, &objects, FH_UNKNOWN, NAN);
    sink->frame(sink->user, &(fh_pose_frame){1, 8});
    put(sink, &objects, 0, 0.5);
    put(sink, &objects, 1, 0.0); /* not the same bits */
    put(sink, &objects, FH_UNKNOWN, NAN);
    put(sink, &lights, 3, 1e300);
    sink->frame(sink->user, &(fh_pose_frame){2, 9}); /* nothing is left */
    sink->frame(sink->user, &(fh_pose_frame){3, 9});
    put(sink, &objects, 0, 0.5);
}

static void expect_poses(const fh_detail *detail, const char *wanted)
{
    bool no_memory = false;
    FILE *file = begin_text();
    fh_out out = fh_out_make(file);
    fh_html_poses(&out, &no_memory, detail);
    cr_assert(eq(int, fh_out_end(&out), 0));
    cr_assert(not(no_memory));
    expect_text(file, wanted);
}

Test(html, rows_that_stay_are_counted)
{
    const fh_detail detail = {.play = play_some};
    expect_poses(&detail, "{\"status\":\"complete\",\"why\":null,\"evaluator\":\"a player\","
                          "\"world\":true,\"total\":4,\"kept\":4,"
                          "\"tables\":[[\"object\",[\"slot\",\"x\"]],[\"light\",[\"slot\",\"x\"]]],"
                          "\"frames\":[[7,[[0,0.5],[1,-0],[null,null]]],\n"
                          "[8,[1,[1,0],1],[[3,1.0000000000000001e+300]]],\n"
                          "[9,[],[]],\n"
                          "[9,[[0,0.5]],[]]]}");
}

static void play_nothing(void *user, fh_detail_played *played, const fh_sink *sink)
{
    (void)user;
    (void)sink;
    played->why = "its <structure>";
}

Test(html, nothing_to_play)
{
    const fh_detail detail = {.play = play_nothing};
    expect_poses(&detail, "{\"status\":null,\"why\":\"its \\u003cstructure\\u003e\","
                          "\"evaluator\":null,\"world\":false,\"total\":0,\"kept\":0,"
                          "\"tables\":[],\"frames\":[]}");
}

static void play_long(void *user, fh_detail_played *played, const fh_sink *sink)
{
    (void)user;
    played->status = "complete";
    for (uint32_t i = 0; i < 60000; i++) {
        sink->frame(sink->user, &(fh_pose_frame){i, i});
        put(sink, &objects, i, i + 0.5);
    }
}

Test(html, frames_that_are_too_many_are_counted)
{
    bool no_memory = false;
    const fh_detail detail = {.play = play_long};
    FILE *file = begin_text();
    fh_out out = fh_out_make(file);
    fh_html_poses(&out, &no_memory, &detail);
    cr_assert(eq(int, fh_out_end(&out), 0));
    fclose(file);
    const char *counts = strstr(written, "\"total\":60000,\"kept\":");
    cr_assert(counts != NULL);
    const int kept = atoi(counts + strlen("\"total\":60000,\"kept\":"));
    char last[80];
    snprintf(last, sizeof last, "\n[%d,[[%d,%d.5]]]]}", kept - 1, kept - 1, kept - 1);
    cr_assert(kept > 30000 && kept < 60000, "%d", kept);
    const size_t len = strlen(written);
    cr_assert(len > strlen(last) && strcmp(written + len - strlen(last), last) == 0, "%s",
              written + len - 60);
    cr_assert(len < FH_HTML_MAX_POSES + 1000);
    free(written);
}

/* ---- the whole detail ------------------------------------------------------------------------ */

static const fh_bits bits[] = {{"low", 0, 4}, {"high", 4, 4}, {0}};

static fh_status describe_some(void *user, const fh_field_sink *out)
{
    (void)user;
    fh_field group = {.name = "frame<s>",
                      .number = -1,
                      .index = 3,
                      .type = "frame",
                      .rules = "TOD0020 TOD0021",
                      .off = 0};
    fh_field field = {.name = "size",
                      .number = -1,
                      .index = FH_UNKNOWN,
                      .depth = 1,
                      .kind = FH_KIND_COUNT,
                      .doc = "words",
                      .off = 0,
                      .len = 2,
                      .width = 2};
    out->begin(out->user, &group);
    out->field(out->user, &field);
    field.kind = FH_KIND_FLAGS;
    field.off = 2;
    field.len = 1;
    field.width = 1;
    field.bits = bits;
    field.number = 1;
    out->field(out->user, &field);
    out->end(out->user, 3);
    group.off = field.off = FH_HTML_MAX_BYTES; /* not shown, so not named */
    out->begin(out->user, &group);
    out->field(out->user, &field);
    out->end(out->user, FH_HTML_MAX_BYTES + 1);
    return FH_LIMIT;
}

static fh_status look_at_some(void *user, const fh_scene_sink *out)
{
    (void)user;
    const fh_scene_about about = {
        .is_y_down = true, .rate = 60, .is_rate_assumed = true, .node = "bone"};
    const fh_scene_node node = {.id = 4, .name = "</script>"};
    const fh_scene_mesh mesh = {.owner = FH_SCENE_OF_NODE, .id = 4};
    const fh_scene_mesh other = {.owner = FH_SCENE_OF_MODEL, .id = 4};
    fh_scene_triangle triangle = {0};
    out->about(out->user, &about);
    out->node(out->user, &node);
    out->mesh(out->user, &mesh);
    triangle.corners[0].colour[0] = 2.0;
    triangle.corners[0].colour[2] = 0.5;
    triangle.corners[1].position[0] = -1.5;
    triangle.corners[2].position[2] = NAN;
    out->triangle(out->user, &triangle);
    out->mesh(out->user, &other);
    out->triangle(out->user, &triangle);
    out->remark(out->user, "a & b");
    return FH_OK;
}

static const char detail_text[] =
    "{\"length\":3,\"is_text\":false,\"bytes\":\"BQAh\",\n"
    "\"fields\":[[0,0,0,0,1,3,null,2,3],\n"
    "[0,2,1,4,5,-1,\"5\",6],\n"
    "[0,1,1,7,5,1,\"33 (low 1, high 2)\",6]],"
    "\"words\":[\"group\",\"frame\\u003cs\\u003e\",\"frame\",\"TOD0020 "
    "TOD0021\",\"count\",\"size\",\"words\","
    "\"flags\"],\"fields_left_out\":2,\"fields_status\":\"limit\",\n"
    "\"scene\":{\"status\":\"ok\",\"is_y_down\":true,\"is_rate_assumed\":true,"
    "\"node\":\"bone\",\"rate\":60,\"nodes\":[[4,\"\\u003c/script\\u003e\"]],"
    "\"remarks\":[\"a \\u0026 b\"],"
    "\"triangles_left_out\":1,\"images_left_out\":0,\"deltas_left_out\":0,"
    "\"triangles\":[[16711807,4,0,0,0,4,-1.5,0,0,4,0,0,null]],"
    "\"vertices\":[],\"images\":[],\"weights\":[],\"deltas\":[]},\n"
    "\"play\":null}";

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digits, c);
    cr_assert(at != NULL && c != '\0');
    return (int)(at - digits);
}

/* unpack turns base64 of what zlib has packed into the text; 0 at its end. */
static void unpack(char *out, uLongf size, const char *packed)
{
    uint8_t bytes[4096];
    size_t len = 0;
    uint32_t held = 0;
    int num_bits = 0;
    for (const char *at = packed; *at != '\0'; at++) {
        held = held << 6 | (uint32_t)digit_of(*at);
        num_bits += 6;
        if (num_bits >= 8) {
            num_bits -= 8;
            bytes[len++] = (uint8_t)(held >> num_bits);
        }
    }
    cr_assert(eq(int, uncompress((Bytef *)out, &size, bytes, len), Z_OK));
    out[size] = '\0';
}

static void expect_detail(const fh_detail *detail, const char *wanted)
{
    char text[4096];
    bool no_memory = false;
    FILE *file = begin_text();
    fh_out out = fh_out_make(file);
    const uint64_t len = fh_html_detail(&out, &no_memory, detail);
    cr_assert(eq(int, fh_out_end(&out), 0));
    fclose(file);
    cr_assert(not(no_memory));
    cr_assert(eq(u64, len, strlen(written)));
    unpack(text, sizeof text - 1, written);
    cr_assert(eq(str, text, (char *)wanted));
    free(written);
}

static const uint8_t some_bytes[] = {5, 0, 0x21};

Test(html, a_detail)
{
    const fh_detail detail = {.asset_id = 1,
                              .bytes = some_bytes,
                              .len = sizeof some_bytes,
                              .describe = describe_some,
                              .look = look_at_some};
    expect_detail(&detail, detail_text);
}

static int failing = INT_MAX; /* calls until one finds no memory */

FILE *__real_open_memstream(char **text, size_t *len);
FILE *__wrap_open_memstream(char **text, size_t *len);

FILE *__wrap_open_memstream(char **text, size_t *len)
{
    if (failing-- == 0) {
        errno = ENOMEM;
        return NULL;
    }
    return __real_open_memstream(text, len);
}

/* Whichever of its parts there is no memory for: the page has less in it, and says so. */
Test(html, a_detail_without_memory)
{
    const fh_detail detail = {.asset_id = 1,
                              .bytes = some_bytes,
                              .len = sizeof some_bytes,
                              .describe = describe_some,
                              .look = look_at_some,
                              .play = play_some};
    bool no_memory = true;
    int most = 0;
    for (; no_memory && most < 100; most++) {
        FILE *file = begin_text();
        fh_out out = fh_out_make(file);
        no_memory = false;
        failing = most;
        (void)fh_html_detail(&out, &no_memory, &detail);
        cr_expect(eq(int, no_memory, failing < 0), "part %d", most);
        failing = INT_MAX;
        cr_assert(eq(int, fh_out_end(&out), 0));
        fclose(file);
        free(written);
    }
    cr_expect(most > 9, "%d parts", most);
}

Test(html, a_detail_that_is_not_known)
{
    const fh_detail detail = {.asset_id = 1, .why_not = "it is </script>"};
    expect_detail(&detail, "{\"why_not\":\"it is \\u003c/script\\u003e\"}");
}

/* ---- looks ---- */

static void tell_scene(fh_status (*look)(void *user, const fh_scene_sink *out), const char *wanted)
{
    bool no_memory = false;
    FILE *file = begin_text();
    fh_out out = fh_out_make(file);
    const fh_detail detail = {.asset_id = 1, .look = look};
    fh_html_scene(&out, &no_memory, &detail);
    cr_assert(eq(int, fh_out_end(&out), 0));
    fclose(file);
    cr_assert(not(no_memory));
    const char *found = strstr(written, ",\"triangles_left_out\"");
    cr_assert(found != NULL);
    cr_assert(eq(str, (char *)found, (char *)wanted));
    free(written);
}

static void tell_triangle(const fh_scene_sink *out, uint32_t image, uint32_t vertex)
{
    fh_scene_triangle triangle = {.image = image};
    triangle.corners[1].uv[0] = 0.5;
    triangle.corners[2].uv[1] = 1;
    triangle.corners[2].vertex = vertex;
    out->triangle(out->user, &triangle);
}

/* Textures and morphing: images in front of the triangles, differences behind. */
static fh_status look_at_textures(void *user, const fh_scene_sink *out)
{
    (void)user;
    static const uint8_t texels[2][4] = {{1, 2, 3, 255}, {0, 0, 0, 0}};
    const fh_scene_image image = {.id = 0, .width = 2, .height = 1, .pixels = texels[0]};
    const fh_scene_image holes = {
        .id = 1, .width = 1, .height = 1, .has_holes = true, .pixels = texels[1]};
    const fh_scene_mesh mesh = {.owner = FH_SCENE_OF_NODE, .id = 4};
    const fh_scene_weight weight = {.id = 9, .value = 0.5};
    const fh_scene_delta delta = {.weight = 9, .number = 7, .by = {1, -2, 0.5}};
    const fh_scene_delta normal = {.weight = 9, .number = 7, .is_normal = true, .by = {1, 1, 1}};
    out->image(out->user, &image);
    out->image(out->user, &holes);
    out->mesh(out->user, &mesh);
    tell_triangle(out, 1, 7);
    tell_triangle(out, FH_SCENE_NONE, 8);
    out->weight(out->user, &weight);
    out->delta(out->user, &normal);
    out->delta(out->user, &delta);
    return FH_OK;
}

Test(html, textures_and_morphing)
{
    tell_scene(look_at_textures,
               ",\"triangles_left_out\":0,\"images_left_out\":0,\"deltas_left_out\":0,"
               "\"triangles\":[[0,4,0,0,0,4,0,0,0,4,0,0,0,1,0,0,0.5,0,0,1],\n"
               "[0,4,0,0,0,4,0,0,0,4,0,0,0]],\"vertices\":[[0,0,7],\n[0,0,8]],"
               "\"images\":[[2,1,1,\"AQID/wAAAAA\"],\n[1,1,0,\"AAAAAA\"]],"
               "\"weights\":[[9,0.5]],\"deltas\":[[9,7,1,-2,0.5]]}");
}

/* What is beyond the limits is counted; behind an image that is left out all are, since triangles
 * name them by their places. */
static fh_status look_at_too_much(void *user, const fh_scene_sink *out)
{
    (void)user;
    static const uint8_t texel[4] = {0};
    const fh_scene_image large = {.id = 0, .width = FH_HTML_MAX_TEXELS + 1, .height = 1};
    const fh_scene_image small = {.id = 1, .width = 1, .height = 1, .pixels = texel};
    const fh_scene_delta delta = {.weight = 9};
    out->image(out->user, &large);
    out->image(out->user, &small);
    tell_triangle(out, 1, 7);
    for (uint64_t i = 0; i < FH_HTML_MAX_DELTAS + 3; i++) {
        out->delta(out->user, &delta);
    }
    for (uint64_t i = 0; i < FH_HTML_MAX_TRIANGLES; i++) {
        tell_triangle(out, FH_SCENE_NONE, 0);
    }
    return FH_OK;
}

Test(html, looks_beyond_the_limits_are_counted)
{
    bool no_memory = false;
    FILE *file = begin_text();
    fh_out out = fh_out_make(file);
    const fh_detail detail = {.asset_id = 1, .look = look_at_too_much};
    fh_html_scene(&out, &no_memory, &detail);
    cr_assert(eq(int, fh_out_end(&out), 0));
    fclose(file);
    cr_assert(strstr(written,
                     "\"triangles_left_out\":1,\"images_left_out\":2,"
                     "\"deltas_left_out\":3,\"triangles\":[[0,0,0,0,0,0,0,0,0,0,0,0,0],") != NULL);
    cr_assert(strstr(written, "\"images\":[]") != NULL);
    free(written);
}

/* ---- the page -------------------------------------------------------------------------------- */

static void begin_page(fh_report *report, FILE *file, const fh_report_run *run)
{
    cr_assert(fh_report_begin(report, &fh_html_form, run, file, false));
    const fh_source_record source = source_named("a</script>");
    fh_report_scan(report, &(fh_scan_run_record){.tool_version = "1", .status = "complete"});
    fh_report_source(report, &source);
}

Test(html, what_is_told_comes_in_order)
{
    fh_report report;
    const fh_report_run run = {.command = "report",
                               .tool_version = "1",
                               .ruleset_version = "2",
                               .tables = &test_rules,
                               .num_tables = 1};
    const fh_rule foreign = {"ODD0001", FH_NOTE, "odd", "It is odd.", "a database", ""};
    fh_finding_record finding = finding_of(0, FH_UNKNOWN, "x");
    FILE *file = begin_text();
    begin_page(&report, file, &run);
    fh_report_coverage(&report, &(fh_coverage_record){"data", 0, 2048, 5, 1, 1, 7});
    finding.rule = &foreign;
    fh_report_finding(&report, &finding);
    fh_report_finding(&report, &finding);
    const fh_asset_record asset = asset_at(24, 1);
    fh_report_asset(&report, &asset);
    cr_assert(fh_report_wants_detail(&report));
    fh_report_detail(&report, &(fh_detail){.asset_id = 1, .why_not = "gone"});
    cr_assert(eq(int, fh_report_end(&report), 0));
    fclose(file);
    const char *at = written;
    static const char *const order[] = {"[\"report\",\"report\",\"1\",\"2\"]",
                                        "[\"rule\",\"",
                                        "[\"scan\",\"1\",null,",
                                        "[\"source\",1,\"a\\u003c/script\\u003e\",",
                                        "[\"run\",\"data\",0,2048,5,1,1,7]",
                                        "[\"rule\",\"ODD0001\",null,\"note\",\"odd\"",
                                        "[\"finding\",1,null,\"ODD0001\"",
                                        "[\"finding\",2,null,\"ODD0001\"",
                                        "[\"asset\",1,\"",
                                        "id=\"detail-1\">",
                                        "[\"end\",1,2,0,0,0,1,0]"};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const char *found = strstr(at, order[i]);
        cr_assert(found != NULL, "%s", order[i]);
        at = found + 1;
    }
    free(written);
}

Test(html, assets_beyond_the_limit_are_counted)
{
    fh_report report;
    const fh_report_run run = {.command = "report", .tool_version = "1", .ruleset_version = "2"};
    FILE *file = begin_text();
    begin_page(&report, file, &run);
    const fh_asset_record asset = asset_at(24, 1);
    for (uint64_t i = 0; i < FH_HTML_MAX_ASSETS + 3; i++) {
        fh_report_asset(&report, &asset);
    }
    cr_assert(eq(int, fh_report_end(&report), 0));
    fclose(file);
    cr_assert(strstr(written, "[\"asset\",100000,") != NULL);
    cr_assert(strstr(written, "[\"asset\",100001,") == NULL);
    cr_assert(strstr(written, "[\"end\",100003,0,3,0,0,0,0]") != NULL);
    free(written);
}

/* Behind the limit no detail is wanted, and none is written. */
Test(html, details_end_where_the_page_is_full)
{
    fh_report report;
    const fh_report_run run = {.command = "report", .tool_version = "1", .ruleset_version = "2"};
    const size_t len = FH_HTML_MAX_BYTES;
    uint8_t *noise = malloc(len);
    cr_assert(noise != NULL);
    uint32_t state = 1;
    for (size_t i = 0; i < len; i++) {
        state = state * 1664525u + 1013904223u;
        noise[i] = (uint8_t)(state >> 24);
    }
    FILE *file = fopen("/dev/null", "w");
    cr_assert(file != NULL);
    begin_page(&report, file, &run);
    int num = 0;
    while (fh_report_wants_detail(&report) && num < 3000) {
        fh_report_detail(&report, &(fh_detail){.asset_id = ++num, .bytes = noise, .len = len});
    }
    cr_assert(num > 500 && num < 3000, "%d", num);
    cr_assert(not(fh_report_wants_detail(&report)));
    cr_assert(eq(int, fh_report_end(&report), 0));
    fclose(file);
    free(noise);
}
