/* Packet lengths and shapes of all types and flags, against a table typed in from the description.
 */
#include "bench.h"

#include "tod/tod_model.h"

#include <string.h>

/* Words with the header, by type and flag 0..15; 0 = not defined. */
static const uint8_t words[16][16] = {
    {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}, /* attribute */
    {1, 1, 4, 4, 3, 3, 6, 6, 4, 4, 7, 7, 6, 6, 9, 9}, /* coordinate: -, R, S, RS, T, RT, ST, RST */
    {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, /* model id */
    {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, /* parent */
    {9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, /* matrix */
    {0},                                              /* model body */
    {1, 1, 4, 4, 2, 2, 5, 5, 1, 1, 4, 4, 2, 2, 5, 5}, /* light: -, direction, colour, both */
    {1, 1, 1, 1, 7, 4, 7, 4, 2, 4, 2, 4, 8, 7, 8, 7}, /* camera: even = view point, odd = R, T */
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, /* control */
    {0},
    {0},
    {0},
    {0},
    {0},
    {0},
    {0}, /* user defined, reserved, special */
};

/* Does it change anything: types 0, 2, 3, 4, 8 always; 1, 6, 7 if some part is there. */
static const char *const sets[16] = {
    "****************", "..**************", "****************", "****************",
    "****************", "................", "..******..******", "....************",
    "****************", "................", "................", "................",
    "................", "................", "................", "................",
};

static const char objects[] = "*****...*.......";

Test(lengths, all_types_and_flags)
{
    for (unsigned type = 0; type < 16; type++) {
        for (unsigned flag = 0; flag < 16; flag++) {
            const uint32_t word = 0x2a00abcd | type << 16 | flag << 20;
            const tod_packet packet = tod_split(word, 77);
            HOLD(packet.id == 0xabcd && packet.type == type && packet.flag == flag, "split");
            HOLD(packet.len_words == 0x2a && packet.off == 77, "split");
            HOLD(tod_implied_words(&packet) == words[type][flag], "type %u flag %u: %u words", type,
                 flag, tod_implied_words(&packet));
            HOLD(tod_sets(&packet) == (sets[type][flag] == '*'), "type %u flag %u sets", type,
                 flag);
            HOLD(tod_is_object_packet(&packet) == (objects[type] == '*'), "type %u object", type);
        }
    }
}

/* Through the walk: exactly the implied length is accepted, one less or more is TOD0041, and types
 * without a defined length take any. */
Test(lengths, the_walk_demands_them)
{
    for (unsigned type = 0; type < 16; type++) {
        for (unsigned flag = 0; flag < 16; flag++) {
            for (unsigned len = 1; len <= 12; len++) {
                const uint32_t payload[16] = {0};
                forge_tod tod;
                forge_tod_begin(&tod, &(forge_tod_header){.id = 0x50, .resolution = 4}, 4096);
                forge_tod_frame(&tod, 0, NULL);
                forge_tod_control(&tod, 1, false, NULL);
                forge_tod_packet(&tod, 1, (uint8_t)type, (uint8_t)flag, payload, len - 1, NULL);
                forge_tod_finish(&tod);
                HOLD(forge_tod_status(&tod) == FORGE_TOD_OK, "forge");
                const fh_probe probe = bench_probe(tod.out.data, tod.out.len, true);
                const bool good = words[type][flag] == 0 || words[type][flag] == len;
                HOLD((probe.verdict == FH_ACCEPT) == good, "type %u flag %u length %u", type, flag,
                     len);
                HOLD(good || (strcmp(probe.rule->code, "TOD0041") == 0 && probe.reject_off == 20),
                     "why");
                HOLD(!good || probe.length == tod.out.len, "length");
                forge_tod_free(&tod);
            }
        }
    }
}

Test(lengths, parts_of_a_coordinate_packet)
{
    static const unsigned starts[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 4, 0},
                                          {0, 0, 1}, {1, 0, 4}, {0, 1, 3}, {1, 4, 6}};
    for (unsigned flag = 0; flag < 16; flag++) {
        const tod_packet packet = {.type = 1, .flag = (uint8_t)flag};
        const tod_parts parts = tod_coordinate_parts(&packet);
        HOLD(parts.r == starts[flag / 2][0] && parts.s == starts[flag / 2][1] &&
                 parts.t == starts[flag / 2][2],
             "flag %u: %u %u %u", flag, parts.r, parts.s, parts.t);
    }
}

Test(lengths, world_is_0_and_ffff_only)
{
    static const uint32_t others[] = {1, 0xfffe, 0x10000, 0x1ffff, 0xffff0000, 0xffffffff};
    cr_assert(tod_is_world(0));
    cr_assert(tod_is_world(0xffff));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        HOLD(!tod_is_world(others[i]), "%x", others[i]);
    }
}
