/* What packets of memory images are taken for, and where they may begin and end. */
#include "hmd_ink.h"

#include "hmd/hmd_packets.h"

/* ---- known starts ---- */

Test(hmd_infer_packets, next_known_start)
{
    static ink k;
    ink_open(&k);
    for (uint32_t at = 0; at < 130; at++) {
        k.in.known = no_starts(k.known);
        hmd_infer_mark(&k.in.known, at);
        for (uint32_t off = 0; off < 132; off++) {
            const uint32_t next = hmd_infer_next(&k.in, off);
            cr_expect(next == (off < at ? at : HMD_MOST_WORDS), "%u above %u: %u", at, off, next);
        }
    }
    k.in.known = no_starts(k.known);
    for (uint32_t at = 3; at < HAND_WORDS; at += 7) {
        hmd_infer_mark(&k.in.known, at);
    }
    for (uint32_t off = 0; off < HAND_WORDS; off++) {
        const uint32_t at = off < 3 ? 3 : off + 7 - (off - 3) % 7;
        cr_expect(eq(u32, hmd_infer_next(&k.in, off), at < HAND_WORDS ? at : HMD_MOST_WORDS));
    }
}

/* Of those behind the bytes the first one is known. */
Test(hmd_infer_packets, known_starts_behind_the_bytes)
{
    static ink k;
    ink_open(&k);
    hmd_infer_mark(&k.in.known, HMD_MOST_WORDS);
    hmd_infer_mark(&k.in.known, HMD_NONE);
    cr_expect(eq(u32, hmd_infer_next(&k.in, 5), HMD_MOST_WORDS));
    hmd_infer_mark(&k.in.known, 3000);
    cr_expect(eq(u32, hmd_infer_next(&k.in, 5), 3000));
    hmd_infer_mark(&k.in.known, 2000);
    hmd_infer_mark(&k.in.known, 2500);
    cr_expect(eq(u32, hmd_infer_next(&k.in, 5), 2000));
    cr_expect(eq(u32, hmd_infer_next(&k.in, 1999), 2000));
    cr_expect(eq(u32, hmd_infer_next(&k.in, 2000), HMD_MOST_WORDS));
    cr_expect(eq(u32, hmd_infer_next(&k.in, 2001), HMD_MOST_WORDS));
    hmd_infer_mark(&k.in.known, HAND_WORDS);
    cr_expect(eq(u32, hmd_infer_next(&k.in, HAND_WORDS - 1), HAND_WORDS));
    hmd_infer_mark(&k.in.known, HAND_WORDS - 1);
    cr_expect(eq(u32, hmd_infer_next(&k.in, 5), HAND_WORDS - 1));
    /* What stands in the table behind belongs to another one. */
    k.in.known = no_starts(k.known);
    k.vertices[0] = 1;
    cr_expect(eq(u32, hmd_infer_next(&k.in, 5), HMD_MOST_WORDS));
}

/* ---- areas of packets ---- */

enum { PACKETS = HAND_DATA, VERTICES = 600, NORMALS = 700 };

static void put_polygons(ink *k, bool is_shared)
{
    if (is_shared) {
        HEADER(k, TO(PACKETS), TO(VERTICES - 50), TO(VERTICES), TO(NORMALS - 30), TO(NORMALS));
    } else {
        HEADER(k, TO(PACKETS), TO(VERTICES), TO(NORMALS));
    }
    RECORD(k, 2, 1, 5);
}

static hmd_area area_of(ink *k, uint8_t category)
{
    const hmd_shape shape = hmd_infer_shape(&k->in, &k->hand.records[0]);
    hmd_area area = {0};
    cr_expect(hmd_infer_area(&k->in, &shape, category, &area));
    return area;
}

/* As many vertices as there is room for in the sections of vertices that follow each other. Shared
 * polygons are made of calculated vertices and normals. */
Test(hmd_infer_packets, areas_of_packets)
{
    for (unsigned is_shared = 0; is_shared < 2; is_shared++) {
        static ink k;
        const uint8_t category = is_shared ? HMD_SHARED : HMD_POLYGONS;
        ink_open(&k);
        put_polygons(&k, is_shared);
        hmd_area area = area_of(&k, category);
        cr_expect(eq(u32, area.first, PACKETS + 5));
        cr_expect(eq(u32, area.next, HMD_MOST_WORDS));
        cr_expect(eq(u32, area.num_vertices, HMD_MOST_WORDS));
        cr_expect(eq(u32, area.num_normals, HMD_MOST_WORDS));
        hmd_infer_mark(&k.in.known, PACKETS + 5);
        hmd_infer_mark(&k.in.known, PACKETS + 9);
        hmd_infer_mark(&k.in.known, VERTICES + 20);
        hmd_infer_mark(&k.in.known, NORMALS);
        hmd_infer_mark(&k.in.known, NORMALS + 20);
        hmd_infer_mark(&k.in.known, NORMALS + 60);
        area = area_of(&k, category);
        cr_expect(eq(u32, area.next, PACKETS + 9));
        cr_expect(eq(u32, area.num_vertices, 10));
        cr_expect(eq(u32, area.num_normals, 10));
        hmd_infer_mark(&k.in.vertices, VERTICES + 20);
        hmd_infer_mark(&k.in.normals, NORMALS + 20);
        area = area_of(&k, category);
        cr_expect(eq(u32, area.num_vertices, 50));
        cr_expect(eq(u32, area.num_normals, 30));
        /* The upper byte of the index asks for subdivision. */
        RECORD(&k, 2, 1, 3u << 24 | 7);
        cr_expect(eq(u32, area_of(&k, category).first, PACKETS + 7));
    }
}

/* A section behind the bytes may be one more of the same kind. */
Test(hmd_infer_packets, areas_up_to_the_end_of_the_bytes)
{
    static ink k;
    ink_open(&k);
    put_polygons(&k, false);
    hmd_infer_mark(&k.in.known, NORMALS);
    hmd_infer_mark(&k.in.known, HAND_WORDS);
    const hmd_area area = area_of(&k, HMD_POLYGONS);
    cr_expect(eq(u32, area.num_vertices, 50));
    cr_expect(eq(u32, area.num_normals, HMD_MOST_WORDS));
}

/* Sections and packets may lie behind the bytes, but not behind the longest asset: more bytes would
 * not bring those. */
Test(hmd_infer_packets, areas_at_the_end_of_all)
{
    static const struct {
        uint32_t section[3], size;
        bool has, is_cut;
    } rows[] = {{{PACKETS, VERTICES, NORMALS}, 2, true, false},
                {{PACKETS, VERTICES, NORMALS}, 1, false, false},
                {{PACKETS, VERTICES, NORMALS}, 3, false, false},
                {{HAND_WORDS - 6, VERTICES, NORMALS}, 2, true, false},
                {{HAND_WORDS - 5, VERTICES, NORMALS}, 2, true, true},
                {{HMD_MOST_WORDS - 6, VERTICES, NORMALS}, 2, true, true},
                {{HMD_MOST_WORDS - 5, VERTICES, NORMALS}, 2, false, false},
                {{PACKETS, HAND_WORDS, NORMALS}, 2, true, false},
                {{PACKETS, VERTICES, HAND_WORDS}, 2, true, false},
                {{PACKETS, HAND_WORDS + 1, NORMALS}, 2, true, true},
                {{PACKETS, VERTICES, HAND_WORDS + 1}, 2, true, true},
                {{PACKETS, HMD_MOST_WORDS, NORMALS}, 2, true, true},
                {{PACKETS, VERTICES, HMD_MOST_WORDS}, 2, true, true},
                {{PACKETS, HMD_MOST_WORDS + 1, NORMALS}, 2, false, false},
                {{PACKETS, VERTICES, HMD_MOST_WORDS + 1}, 2, false, false}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static ink k;
        hmd_area area;
        ink_open(&k);
        HEADER(&k, TO(rows[i].section[0]), TO(rows[i].section[1]), TO(rows[i].section[2]));
        RECORD(&k, rows[i].size, 1, 5, 0);
        const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
        const bool has = hmd_infer_area(&k.in, &shape, HMD_POLYGONS, &area);
        cr_expect(eq(i32, has, rows[i].has), "%zu", i);
        cr_expect(eq(i32, k.in.is_cut, rows[i].is_cut), "%zu", i);
    }
}

/* ---- packets ---- */

static size_t layout_of(uint32_t primitive_type)
{
    size_t i = 0;
    while (i < hmd_num_packet_layouts && hmd_packet_layouts[i]->primitive_type != primitive_type) {
        i++;
    }
    HOLD(i < hmd_num_packet_layouts, "no layout 0x%x", primitive_type);
    return i;
}

static hmd_fit packets_fit(ink *k, uint32_t primitive_type, const hmd_area *area)
{
    const hmd_shape shape = hmd_infer_shape(&k->in, &k->hand.records[0]);
    return hmd_infer_fit_packets(&k->in, &shape, HMD_POLYGONS, layout_of(primitive_type), area);
}

typedef struct packets {
    uint32_t layout, num;
    uint32_t words[8];
    struct {
        uint32_t at, value;
        bool is_fit;
    } changes[10];
} packets;

/* Ten vertices and five normals: what each word of a packet may be. The lower two bits of a code
 * are free. */
Test(hmd_infer_packets, words_of_packets)
{
    static const packets rows[] = {
        {0x008,
         3,
         {0x20ffffff, XY(4, 9), XY(9, 9)},
         {{0, 0x23ffffff, true},
          {0, 0x24ffffff, false},
          {0, 0x1fffffff, false},
          {0, 0x21ffffff, true},
          {1, XY(5, 9), false},
          {1, XY(4, 10), false},
          {2, XY(10, 9), false},
          {2, XY(9, 10), false},
          {2, XY(0, 0), true}}},
        {0x048,
         3,
         {0x20ffffff, XY(9, 9), XY(9, 0)},
         {{2, XY(9, 1), false},
          {2, XY(10, 0), false},
          {1, XY(10, 9), false},
          {0, 0x22000000, true},
          {0, 0x28000000, false}}},
        {0x009,
         5,
         {0xffffffff, 0xffffffff, XY(0xffff, 0), XY(4, 9), XY(9, 9)},
         {{2, XY(0xffff, 1), false}, {3, XY(5, 9), false}, {4, XY(9, 10), false}, {0, 0, true}}},
        {0x209,
         6,
         {0xe2000000, 0xffffffff, 0xffffffff, XY(0xffff, 0), XY(4, 9), XY(9, 9)},
         {{0, 0xe3000000, false}, {0, 0xe1000000, false}, {0, 0xe2ffffff, true}}}};
    static const hmd_area area = {
        .num_vertices = 10, .num_normals = 5, .first = PACKETS, .next = HMD_MOST_WORDS};
    for (size_t i = 0; i < NUM(rows); i++) {
        const packets *row = &rows[i];
        static ink k;
        ink_open(&k);
        put_polygons(&k, false);
        RECORD(&k, 2, 1, 0);
        hand_put_all(&k.hand, PACKETS, row->words, row->num);
        cr_expect(eq(i32, packets_fit(&k, row->layout, &area), HMD_FIT_EXACT), "%zu", i);
        for (size_t c = 0; c < NUM(row->changes) && row->changes[c].value != 0; c++) {
            const uint32_t at = PACKETS + row->changes[c].at;
            hand_put(&k.hand, at, row->changes[c].value);
            const hmd_fit fit = packets_fit(&k, row->layout, &area);
            cr_expect(eq(i32, fit, row->changes[c].is_fit ? HMD_FIT_EXACT : HMD_FIT_NOT),
                      "%zu: %zu", i, c);
            hand_put(&k.hand, at, row->words[row->changes[c].at]);
        }
    }
}

/* A mesh begins with its number of triangles, which is two at least. */
Test(hmd_infer_packets, meshes)
{
    static ink k;
    ink_open(&k);
    put_polygons(&k, false);
    RECORD(&k, 2, 1, 0);
    const hmd_packet_layout *mesh = hmd_packet_layouts[layout_of(0x018)];
    cr_assert(mesh->is_mesh && mesh->num_first == 4);
    hmd_area area = {.num_vertices = 10, .num_normals = 5, .first = PACKETS};
    PUT(&k, PACKETS, 3, 0x20000000, XY(4, 9), XY(9, 9), 0x20000000, XY(4, 9), 0x20000000, XY(4, 9));
    const uint32_t end = PACKETS + 4 + 2 * mesh->num_more;
    area.next = end;
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_EXACT));
    area.next = end + 1;
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_LOOSE));
    area.next = end - 1;
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_NOT));
    area.next = PACKETS + 4;
    hand_put(&k.hand, PACKETS, 1);
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_NOT));
    area.next = PACKETS + 4 + mesh->num_more;
    hand_put(&k.hand, PACKETS, 2);
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_EXACT));
    area.next = HMD_MOST_WORDS;
    hand_put(&k.hand, PACKETS, 0x10000);
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_NOT));
    hand_put(&k.hand, PACKETS, 0x10002);
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_NOT));
    /* As many as there may be, of which the first two lie in the bytes. */
    PUT(&k, HAND_WORDS - 4 - mesh->num_more, 0xffff, 0x20000000, XY(4, 9), XY(9, 9), 0x20000000,
        XY(4, 9));
    area.first = HAND_WORDS - 4 - mesh->num_more;
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_EXACT));
    hand_put(&k.hand, area.first, 0x10000);
    cr_expect(eq(i32, packets_fit(&k, 0x018, &area), HMD_FIT_NOT));
}

/* A run ends where the next thing begins, or before. Where it leaves the bytes only what is there
 * is looked at, and it is noted. */
Test(hmd_infer_packets, runs_of_packets)
{
    static ink k;
    ink_open(&k);
    put_polygons(&k, false);
    RECORD(&k, 2, 2, 0);
    hmd_area area = {.num_vertices = 10, .num_normals = 5, .first = PACKETS};
    PUT(&k, PACKETS, 0x20000000, XY(4, 9), XY(9, 9), 0x20000000, XY(4, 9), XY(9, 9));
    static const hmd_fit fits[] = {HMD_FIT_NOT, HMD_FIT_EXACT, HMD_FIT_LOOSE};
    for (uint32_t i = 0; i < 3; i++) {
        area.next = PACKETS + 5 + i;
        cr_expect(eq(i32, packets_fit(&k, 0x008, &area), fits[i]));
    }
    area.next = HMD_MOST_WORDS;
    hand_put(&k.hand, PACKETS + 4, XY(5, 9));
    cr_expect(eq(i32, packets_fit(&k, 0x008, &area), HMD_FIT_NOT));
    hand_put(&k.hand, PACKETS + 4, XY(4, 9));
    cr_expect(k.in.is_cut == false);
    for (uint32_t inside = 6; inside > 0; inside--) {
        for (uint32_t next = 0; next < 3; next++) {
            k.in.is_cut = false;
            area.first = HAND_WORDS - inside;
            area.next = next == 2 ? HMD_MOST_WORDS : area.first + 5 + next;
            hand_put_all(
                &k.hand, area.first,
                (const uint32_t[]){0x20000000, XY(4, 9), XY(9, 9), 0x20000000, XY(4, 9), XY(9, 9)},
                inside);
            const hmd_fit fit = packets_fit(&k, 0x008, &area);
            cr_expect(eq(i32, fit, next == 0 ? HMD_FIT_NOT : HMD_FIT_EXACT), "%u", inside);
            cr_expect(k.in.is_cut == (inside < 6 && next > 0), "%u, %u", inside, next);
        }
    }
    /* Two more codes, behind the bytes. */
    RECORD(&k, 2, 1, 0);
    area.first = HAND_WORDS - 1;
    area.next = HMD_MOST_WORDS;
    hand_put(&k.hand, area.first, 0x30000000);
    cr_expect(eq(i32, packets_fit(&k, 0x00a, &area), HMD_FIT_EXACT));
    /* A record without packets says nothing. */
    RECORD(&k, 2, 0, 0);
    area = (hmd_area){.first = PACKETS, .next = PACKETS + 5};
    cr_expect(eq(i32, packets_fit(&k, 0x008, &area), HMD_FIT_EXACT));
}

/* The types of layouts: without light where there are no normals, with subdivision where the index
 * asks for it, by five steps at most; if the library has a driver for that. */
Test(hmd_infer_packets, types_of_layouts)
{
    static const struct {
        uint8_t category;
        uint32_t division, layout, type;
    } rows[] = {{HMD_POLYGONS, 0, 0x008, 0x00000008},  {HMD_POLYGONS, 0, 0x009, 0x00000009},
                {HMD_POLYGONS, 0, 0x217, 0x00000217},  {HMD_POLYGONS, 0, 0x048, 0x00040048},
                {HMD_POLYGONS, 0, 0x049, 0x00040049},  {HMD_POLYGONS, 0, 0x255, 0x00040255},
                {HMD_POLYGONS, 1, 0x008, 0x00010008},  {HMD_POLYGONS, 1, 0x048, 0x00050048},
                {HMD_POLYGONS, 5, 0x049, 0x00050049},  {HMD_POLYGONS, 1, 0x00a, HMD_NO_TYPE},
                {HMD_POLYGONS, 1, 0x209, HMD_NO_TYPE}, {HMD_POLYGONS, 0x80, 0x008, 0x00010008},
                {HMD_POLYGONS, 0, 0x01a, HMD_NO_TYPE}, {HMD_SHARED, 0, 0x00c, 0x0100000c},
                {HMD_SHARED, 0, 0x008, HMD_NO_TYPE},   {HMD_SHARED, 0, 0x04c, 0x0104004c},
                {HMD_SHARED, 1, 0x04c, HMD_NO_TYPE},   {HMD_SHARED, 0, 0x20d, 0x0100020d}};
    for (size_t i = 0; i < NUM(rows); i++) {
        static ink k;
        ink_open(&k);
        put_polygons(&k, rows[i].category == HMD_SHARED);
        RECORD(&k, 2, 0, rows[i].division << 24);
        const size_t layout = layout_of(rows[i].layout);
        const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
        cr_expect(eq(u32, hmd_infer_packet_type(&k.hand.model, &shape, rows[i].category, layout),
                     rows[i].type),
                  "%zu", i);
        const hmd_area area = {.first = PACKETS, .next = HMD_MOST_WORDS};
        const bool is_fit = rows[i].type != HMD_NO_TYPE && rows[i].division <= 5;
        const hmd_fit fit = hmd_infer_fit_packets(&k.in, &shape, rows[i].category, layout, &area);
        cr_expect(eq(i32, fit, is_fit ? HMD_FIT_EXACT : HMD_FIT_NOT), "%zu", i);
        for (uint32_t division = 1; division < 0x100 && rows[i].division == 1; division++) {
            hand_put(&k.hand, DATA, division << 24 | 0xffffff);
            const hmd_fit divided =
                hmd_infer_fit_packets(&k.in, &shape, rows[i].category, layout, &area);
            const bool is_possible = rows[i].type != HMD_NO_TYPE && division <= 5;
            cr_expect(eq(i32, divided, is_possible ? HMD_FIT_EXACT : HMD_FIT_NOT), "%zu", i);
        }
    }
}

/* Which textures the header has tells one environment map from the other: those of both kinds of
 * reflection, of one of them, or the map's own. */
Test(hmd_infer_packets, types_of_environment_maps)
{
    enum { TEX1 = 1 << 3, TEX2 = 1 << 4, TEX3 = 1 << 6 };
    for (uint32_t pointers = 0; pointers < 1u << 8; pointers++) {
        static ink k;
        ink_open(&k);
        uint32_t args[13];
        for (uint32_t i = 0; i < 13; i++) {
            args[i] = i < 8 && (pointers >> i & 1) != 0 ? TO(HAND_DATA + i) : 5;
        }
        hand_header(&k.hand, args, 13);
        RECORD(&k, 2, 0, 0);
        const hmd_shape shape = hmd_infer_shape(&k.in, &k.hand.records[0]);
        const uint32_t map = (pointers & TEX2) != 0 && (pointers & TEX3) != 0 ? 0x06004000
                             : (pointers & TEX2) != 0                         ? 0x06002000
                             : (pointers & TEX3) != 0                         ? 0x06003000
                             : (pointers & TEX1) != 0                         ? 0x06001000
                                                                              : HMD_NO_TYPE;
        const uint32_t type =
            hmd_infer_packet_type(&k.hand.model, &shape, HMD_ENVMAP, layout_of(0x00c));
        cr_expect(eq(u32, type, map == HMD_NO_TYPE ? map : map | 0x00c), "0x%x", pointers);
        hand_put(&k.hand, DATA, 1u << 24);
        cr_expect(eq(u32,
                     hmd_infer_packet_type(&k.hand.model, &shape, HMD_ENVMAP, layout_of(0x00c)),
                     HMD_NO_TYPE));
        cr_expect(eq(u32,
                     hmd_infer_packet_type(&k.hand.model, &shape, HMD_ENVMAP, layout_of(0x008)),
                     HMD_NO_TYPE));
    }
}

/* Colours have no fourth byte, wherever a layout has them. */
Test(hmd_infer_packets, colours_of_packets)
{
    unsigned num_colours = 0;
    for (size_t i = 0; i < hmd_num_packet_layouts; i++) {
        const hmd_packet_layout *what = hmd_packet_layouts[i];
        const hmd_area area = {
            .num_vertices = 1, .num_normals = 1, .first = PACKETS, .next = HMD_MOST_WORDS};
        static ink k;
        ink_open(&k);
        put_polygons(&k, false);
        RECORD(&k, 2, 1, 0);
        for (uint32_t w = 0; w < what->num_first && !what->is_mesh; w++) {
            const bool is_window = what->first[w].kind == HMD_WORD_WINDOW;
            hand_put(&k.hand, PACKETS + w,
                     is_window ? 0xe2000000 : (uint32_t)what->first[w].code << 24);
        }
        for (uint32_t w = 0; w < what->num_first && !what->is_mesh; w++) {
            if (what->first[w].kind == HMD_WORD_COLOUR) {
                static const uint32_t values[] = {0, 0xffffff, 0x1000000, 0xff000000};
                for (size_t v = 0; v < NUM(values); v++) {
                    hand_put(&k.hand, PACKETS + w, values[v]);
                    cr_expect(eq(i32, packets_fit(&k, what->primitive_type, &area),
                                 v < 2 ? HMD_FIT_EXACT : HMD_FIT_NOT),
                              "%s: word %u", what->name, w);
                }
                hand_put(&k.hand, PACKETS + w, 0);
                num_colours++;
            }
        }
    }
    cr_expect(num_colours > 0);
}
