/* The picture of a motion: what is no number, what is too much, and what it says of both. */
#include "reports/svg.h"
#include "support.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const fh_column thing_columns[] = {{"thing", FH_COLUMN_NAME},
                                          {"parent", FH_COLUMN_NAME},
                                          {"size_x", FH_COLUMN_REAL},
                                          {"size_y", FH_COLUMN_REAL},
                                          {"size_z", FH_COLUMN_REAL}};
static const fh_pose_table thing_table = {"thing", thing_columns, 5};
static const fh_column world_columns[] = {{"thing", FH_COLUMN_NAME},
                                          {"m00", FH_COLUMN_INT},
                                          {"t0", FH_COLUMN_INT},
                                          {"t1", FH_COLUMN_INT},
                                          {"t2", FH_COLUMN_INT}};
static const fh_pose_table world_table = {"world", world_columns, 5};
static const fh_column row_columns[] = {
    {"row", FH_COLUMN_NAME},        {"position_x", FH_COLUMN_REAL}, {"position_y", FH_COLUMN_REAL},
    {"position_z", FH_COLUMN_REAL}, {"target_x", FH_COLUMN_REAL},   {"target_y", FH_COLUMN_REAL},
    {"target_z", FH_COLUMN_REAL}};
static const fh_pose_table camera_table = {"camera", row_columns, 7};

static const fh_rule rule = {.code = "TOD0001", .severity = FH_WARNING, .title = "x"};

static fh_svg *begin(void)
{
    fh_svg *svg = fh_svg_make();
    cr_assert(svg != NULL);
    fh_svg_head(svg, "a<b>.tod", "tod", "player");
    return svg;
}

static void frame(fh_svg *svg, uint32_t index)
{
    const fh_sink sink = fh_svg_sink(svg);
    const fh_pose_frame now = {index, index};
    sink.frame(sink.user, &now);
}

static void thing(fh_svg *svg, int64_t key, double x)
{
    const fh_sink sink = fh_svg_sink(svg);
    const fh_pose_value values[] = {{.i = key}, {.i = key - 1}, {.r = x}, {.r = 1}, {.r = 2}};
    const fh_pose_row row = {&thing_table, values};
    sink.pose(sink.user, &row);
}

static void place(fh_svg *svg, int64_t key, int64_t x)
{
    const fh_sink sink = fh_svg_sink(svg);
    const fh_pose_value values[] = {{.i = key}, {.i = 4096}, {.i = x}, {.i = 0}, {.i = FH_UNKNOWN}};
    fh_pose_value known[5];
    memcpy(known, values, sizeof known);
    known[4].i = key == 99 ? FH_UNKNOWN : 5;
    const fh_pose_row row = {&world_table, known};
    sink.pose(sink.user, &row);
}

static void camera(fh_svg *svg, int64_t number, double x)
{
    const fh_sink sink = fh_svg_sink(svg);
    const fh_pose_value values[] = {{.i = number}, {.r = x}, {.r = 1}, {.r = number},
                                    {.r = 0},      {.r = 0}, {.r = 0}};
    const fh_pose_row row = {&camera_table, values};
    sink.pose(sink.user, &row);
}

static char *text_of(fh_svg *svg)
{
    static char text[4 << 20];
    FILE *file = tmpfile();
    cr_assert(eq(int, fh_svg_write(svg, file), 0));
    rewind(file);
    const size_t len = fread(text, 1, sizeof text - 1, file);
    text[len] = '\0';
    (void)fclose(file);
    fh_svg_free(svg);
    return text;
}

static size_t count(const char *text, const char *what)
{
    size_t num = 0;
    for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what)) {
        num++;
    }
    return num;
}

static void expect(const char *text, const char *what)
{
    cr_assert(strstr(text, what) != NULL, "%s is not in %.2000s", what, text);
}

Test(svg, nothing_at_all)
{
    const char *text = text_of(begin());
    expect(text, "<title>a&lt;b&gt;.tod</title>");
    expect(text, "0 frames");
    expect(text, "No findings.");
    expect(text, "Nothing moves: there is no frame.");
    fh_svg_free(NULL);
}

/* Where nothing moves there is no plot, and no legend of one. */
Test(svg, nothing_that_moves)
{
    fh_svg *one = begin();
    frame(one, 0);
    thing(one, 1, 4);
    const char *text = text_of(one);
    expect(text, "Nothing moves: there is a single frame.");
    cr_assert(strstr(text, "from left to right") == NULL && count(text, "class=\"jump\"") == 0);
    fh_svg *many = begin();
    for (uint32_t i = 0; i < 3; i++) {
        frame(many, i);
        thing(many, 1, 4);
    }
    text = text_of(many);
    expect(text, "Nothing changes in any of the 3 frames.");
    cr_assert(strstr(text, "from left to right") == NULL && strstr(text, "Not plotted") == NULL);
    fh_svg *moving = begin();
    for (uint32_t i = 0; i < 3; i++) {
        frame(moving, i);
        thing(moving, 1, i);
    }
    text = text_of(moving);
    expect(text, "Frames 0 to 2 from left to right");
    cr_assert(strstr(text, "Nothing") == NULL);
}

/* A value that is no number breaks the line and is marked; numbers in the picture stay numbers. */
Test(svg, what_is_no_number)
{
    fh_svg *svg = begin();
    for (uint32_t i = 0; i < 20; i++) {
        frame(svg, i);
        thing(svg, 1, i == 7 ? NAN : i == 9 ? INFINITY : i);
    }
    const char *text = text_of(svg);
    cr_assert(eq(sz, count(text, "class=\"odd\" d=\"M"), 2 + 1), "two, and the legend");
    expect(text, "0 to 19");
    cr_assert(strstr(text, "nan") == NULL && strstr(text, "inf") == NULL);
    expect(text, "Where things are in the world is not known");
}

Test(svg, jumps)
{
    fh_svg *svg = begin();
    for (uint32_t i = 0; i < 100; i++) {
        frame(svg, i);
        thing(svg, 1, i < 50 ? i * 0.01 : 9 + i * 0.01);
        thing(svg, 2, i * 3.5);
        thing(svg, 3, 4);
    }
    const char *text = text_of(svg);
    cr_assert(eq(sz, count(text, "class=\"jump\""), 1 + 1), "one, and the legend");
    expect(text, "Not plotted, for nothing of them changes: 1.");
}

/* What there is no room for is said. */
Test(svg, too_many_things)
{
    fh_svg *svg = begin();
    for (uint32_t i = 0; i < 3; i++) {
        frame(svg, i);
        for (int64_t key = 0; key < 300; key++) {
            thing(svg, key, i);
        }
    }
    const char *text = text_of(svg);
    cr_assert(eq(sz, count(text, "class=\"label\""), 40));
    expect(text, "216 more move: one picture has room for 40 of them.");
    expect(text, "There are others beyond the first 256, which are not followed.");
}

Test(svg, long_motions)
{
    fh_svg *svg = begin();
    for (uint32_t i = 0; i < 5000; i++) {
        frame(svg, i);
        thing(svg, 1, i == 3333 ? 1000 : i % 7);
        place(svg, 1, i);
        place(svg, 99, i);
        camera(svg, i, i);
    }
    const char *text = text_of(svg);
    expect(text, "16 to a place");
    expect(text, "0 to 1000");
    expect(text, "Of 16 frames one is drawn.");
    expect(text, "frame 1024<");
    expect(text, "<circle class=\"root\"");
}

Test(svg, sticks_and_findings)
{
    fh_svg *svg = begin();
    char message[] = "a \x1b[31m & b";
    for (int i = 0; i < 230; i++) {
        const fh_finding_record finding = {.rule = &rule,
                                           .severity = FH_WARNING,
                                           .frame = i < 3 ? i : FH_UNKNOWN,
                                           .object = i == 2 ? 77 : FH_UNKNOWN,
                                           .message = message};
        fh_svg_note(svg, &finding);
    }
    for (uint32_t i = 0; i < 4; i++) {
        frame(svg, i);
        for (int64_t key = 1; key < 4; key++) {
            thing(svg, key, i);
            place(svg, key, 10 * key + i);
        }
    }
    const char *text = text_of(svg);
    cr_assert(eq(sz, count(text, "class=\"stick\""), 4 * 2));
    expect(text, "TOD0001 warning, 200 times, the first, frame 0: a \\x1b[31m &amp; b");
    expect(text, "30 findings behind the first 200");
    cr_assert(eq(sz, count(text, "<path class=\"warning\""), 1 + 3 * 2), "in words, and in plots");
}

Test(svg, full_disk)
{
    fh_svg *svg = begin();
    FILE *full = fopen("/dev/full", "w");
    if (full != NULL) {
        cr_assert(eq(int, fh_svg_write(svg, full), ENOSPC));
        (void)fclose(full);
    }
    fh_svg_free(svg);
}
