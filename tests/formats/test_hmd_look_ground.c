/* The ground of an HMD, to the corner and texel: what its rows, heights and grids say, worked out
 * anew.
 */
#include "hmd_look.h"

#include <stdio.h>
#include <string.h>

/* Five vertices to a row; the rows begin at the third vertex and at the second one of the next
 * line; behind one vertex and one entry of the grid that nobody uses. */
enum { X0 = -150, Y0 = -100, WIDTH = 70, HEIGHT = 30, LINE = 5, BASE = 1 };

static const struct {
    unsigned idx, cells;
} rows[] = {{2, 2}, {6, 3}};

static const int heights[] = {99, 0, 7, -3, 12, 4, 9, 31, -8, 2, 11, 5, -6, 17, 23, 1};

static const char ground_front[] =
    "hmd\nblocks @load @land 0\ncoords: coordinates\nunit\nheaders\n"
    "bitmaps: header !images 0\n"
    "field_of: header !grounds !grids !heights !normals%s\n"
    "load: primitive header=@bitmaps\nrecord 0x02000000 640:0 64:64 (pixels-images)\n"
    "land: primitive header=@field_of\nrecord 0x0580000%d (field-grounds) 0 0\n"
    "grounds:\nzero 4\nfield: ground -150 -100 70 30 %d 3 base=1\nrow 2 2\nrow 6 3\n"
    "heights: half 99 0 7 -3 12 4 9 31 -8 2 11 5 -6 17 23 1\n"
    "images:\npixels:\nrepeat 4096\nhalf $\nendrepeat\n"
    "normals:\nvec 0 0 4096\nvec 0 2048 -4096\nvec 1024 0 0\n";

/* The number of the entry: those of a row have one entry less than the heights. */
static unsigned entry_of(unsigned row, unsigned cell)
{
    return BASE + rows[row].idx - row + cell;
}

static const fh_scene_corner *corner_of(size_t cell, unsigned corner)
{
    static const unsigned where[4][2] = {{0, 0}, {0, 2}, {0, 1}, {1, 2}};
    return &all.triangles[2 * cell + where[corner][0]].corners[where[corner][1]];
}

static void hold_place(const fh_scene_corner *is, unsigned row, unsigned cell, unsigned corner,
                       unsigned line)
{
    const unsigned right = corner % 2;
    const unsigned down = corner / 2;
    const unsigned column = (line == 0 ? 0 : rows[row].idx % line) + cell;
    HOLD(same(is->position[0], X0 + WIDTH * (int)(column + right)), "x is %g", is->position[0]);
    HOLD(same(is->position[1], Y0 + HEIGHT * (int)(row + down)), "y is %g", is->position[1]);
    HOLD(same(is->position[2], heights[BASE + rows[row].idx + cell + right + down * line]),
         "z is %g", is->position[2]);
    HOLD(is->vertex == UINT32_MAX, "it is no vertex that morphs");
}

static void hold_normal(const fh_scene_corner *is, unsigned number)
{
    static const double vectors_are[3][3] = {{0, 0, 1}, {0, 0.5, -1}, {0.25, 0, 0}};
    for (unsigned i = 0; i < 3; i++) {
        HOLD(same(is->normal[i], vectors_are[number][i]), "normal %u", number);
    }
}

/* Colours, from the second entry of the grid on: 10 + 20 i, 3, 200 - i. */
static void hold_flat(unsigned line)
{
    for (unsigned cell = 0; cell < 5; cell++) {
        const unsigned row = cell < rows[0].cells ? 0 : 1;
        const unsigned at = cell - (row == 0 ? 0 : rows[0].cells);
        const unsigned entry = entry_of(row, at);
        for (unsigned i = 0; i < 4; i++) {
            const fh_scene_corner *corner = corner_of(cell, i);
            hold_place(corner, row, at, i, line);
            hold_normal(corner, entry % 3);
            HOLD(same(corner->colour[0], entry * 20 / 255.0) &&
                     same(corner->colour[1], 3 / 255.0) &&
                     same(corner->colour[2], (200 - (int)entry) / 255.0),
                 "cell %u", cell);
        }
    }
}

Test(hmd_look_ground, flat_ground)
{
    static const unsigned lines[] = {LINE, 0}; /* none: all is in the first column */
    for (size_t k = 0; k < 2; k++) {
        static writer text;
        text.len = 0;
        (void)snprintf(text.text, sizeof text.text, ground_front, "", 0, lines[k]);
        text.len = strlen(text.text);
        add(&text, "grids:\n");
        for (unsigned i = 0; i <= entry_of(1, 2); i++) {
            char line[64];
            (void)snprintf(line, sizeof line, "cell flat %u 3 %u %u\n", 20 * i, 200 - i, i % 3);
            add(&text, line);
        }
        describe_text(text.text);
        cr_assert(eq(sz, all.num_triangles, 10));
        cr_assert(eq(str, all.remarks, ""));
        hold_flat(lines[k]);
    }
    forget();
}

/* The last entry of the grid is the last word of the file. */
Test(hmd_look_ground, textured_ground)
{
    static const unsigned uv[2][4][2] = {{{8, 3}, {23, 3}, {8, 40}, {22, 39}},
                                         {{30, 9}, {44, 1}, {31, 20}, {45, 22}}};
    static writer text;
    (void)snprintf(text.text, sizeof text.text, ground_front, " !corners", 1, LINE);
    text.len = strlen(text.text);
    add(&text, "corners: corners 8 3 23 3 8 40 22 39 clut=0x12 page=0x10a\n"
               "corners 30 9 44 1 31 20 45 22 clut=0x34 page=0x10a\ngrids:\n");
    for (unsigned i = 0; i <= entry_of(1, 2); i++) {
        char line[64];
        (void)snprintf(line, sizeof line, "cell textured %u %u\n", i % 3, i % 2);
        add(&text, line);
    }
    describe_text(text.text);
    cr_assert(eq(sz, all.num_triangles, 10));
    cr_assert(eq(sz, all.num_images, 2));
    cr_assert(eq(str, all.remarks, ""));
    for (unsigned cell = 0; cell < 5; cell++) {
        const unsigned row = cell < rows[0].cells ? 0 : 1;
        const unsigned at = cell - (row == 0 ? 0 : rows[0].cells);
        const unsigned entry = entry_of(row, at);
        const picture *image = &all.images[all.triangles[cell * 2].image];
        const unsigned low[2] = {entry % 2 == 0 ? 8 : 30, entry % 2 == 0 ? 3 : 1};
        HOLD(image->is.width == 16 && image->is.height == (entry % 2 == 0 ? 38 : 22), "cell %u",
             cell);
        for (unsigned i = 0; i < 4; i++) {
            const fh_scene_corner *corner = corner_of(cell, i);
            const unsigned u = uv[entry % 2][i][0] - low[0];
            const unsigned v = uv[entry % 2][i][1] - low[1];
            hold_place(corner, row, at, i, LINE);
            hold_normal(corner, entry % 3);
            HOLD(same(corner->uv[0], (u + 0.5) / 16) &&
                     same(corner->uv[1], (v + 0.5) / image->is.height),
                 "cell %u, corner %u", cell, i);
            HOLD(same(corner->colour[0], 1), "neutral");
        }
        for (unsigned i = 0; i < image->is.width * image->is.height; i++) {
            const unsigned texel = (low[1] + i / 16) * 64 + low[0] + i % 16;
            hold_pixel(image->pixels + 4 * i, (uint16_t)texel, false);
        }
    }
    forget();
}
