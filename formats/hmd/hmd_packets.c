#include "hmd/hmd_packets.h"

/* INI says that a set-up call is due; it is no part of what is set up. */
#define INI 0x00800000u

enum { POLYGONS = 0, SHARED = 1, COORDINATE_ANIMATION = 0x0300, ENVIRONMENT = 6 };

/* ---- words ----
 *
 * U is a texture position in the lower half, N the number of a normal, V that of a vertex. Which
 * normal or vertex of the polygon it is follows from the order and is not kept.
 */
#define HALVES(low, high)                                                                          \
    {                                                                                              \
        HMD_WORD_HALVES, 0, HMD_HALF_##low, HMD_HALF_##high                                        \
    }
#define WHOLE(kind)                                                                                \
    {                                                                                              \
        HMD_WORD_##kind, 0, HMD_HALF_DATA, HMD_HALF_DATA                                           \
    }
#define CODE(code)                                                                                 \
    {                                                                                              \
        HMD_WORD_CODE, code, HMD_HALF_DATA, HMD_HALF_DATA                                          \
    }
#define COLOUR WHOLE(COLOUR)
#define WINDOW WHOLE(WINDOW)
#define NUM WHOLE(NUM)
#define TAG WHOLE(WORK)
#define XY WHOLE(WORK)
#define U_CLUT HALVES(DATA, DATA)
#define U_PAGE HALVES(DATA, DATA)
#define U_PAD HALVES(DATA, PAD)
#define U_N HALVES(DATA, NORMAL)
#define U_V HALVES(DATA, VERTEX)
#define NV HALVES(NORMAL, VERTEX)
#define NN HALVES(NORMAL, NORMAL)
#define VV HALVES(VERTEX, VERTEX)
#define V_PAD HALVES(VERTEX, PAD)

/* ---- layouts ---- */

#define WORDS(...) ((const hmd_packet_word[]){__VA_ARGS__})
#define NUM_WORDS(...) (sizeof WORDS(__VA_ARGS__) / sizeof(hmd_packet_word))
#define LIST(type, name, is_preset, ...)                                                           \
    (&(const hmd_packet_layout){type, name, false, is_preset, NUM_WORDS(__VA_ARGS__), 0,           \
                                WORDS(__VA_ARGS__), NULL})
#define STRIP(type, name, is_preset, first, more)                                                  \
    (&(const hmd_packet_layout){type, name, true, is_preset, NUM_WORDS first, NUM_WORDS more,      \
                                WORDS first, WORDS more})
#define PACKET(type, name, ...) LIST(type, name, false, __VA_ARGS__),
#define PRESET(type, name, ...) LIST(type, name, true, __VA_ARGS__),
#define MESH(type, name, first, more) STRIP(type, name, false, first, more),
#define PRESET_MESH(type, name, first, more) STRIP(type, name, true, first, more),

/* clang-format off */
const hmd_packet_layout *const hmd_packet_layouts[] = {
#include "hmd/hmd_packets.def"
};

const size_t hmd_num_packet_layouts = sizeof hmd_packet_layouts / sizeof hmd_packet_layouts[0];

/* ---- drivers ---- */

/* The primitive types that have a driver under one upper half (category and driver bits). */
typedef struct driver_row {
    uint16_t upper;
    uint8_t num;
    const uint16_t *primitive_types;
} driver_row;

#define TYPES(...) ((const uint16_t[]){__VA_ARGS__})
#define ROW(upper, ...)                                                                            \
    {upper, sizeof TYPES(__VA_ARGS__) / sizeof(uint16_t), TYPES(__VA_ARGS__)}

#define NULL_DRIVER    0x000
#define LIT            0x008, 0x009, 0x00a, 0x00b, 0x00c, 0x00d, 0x00e, 0x00f, \
                       0x010, 0x011, 0x012, 0x013, 0x014, 0x015, 0x016, 0x017
#define LIT_MESH       0x018, 0x019, 0x01c, 0x01d
#define LIT_TILED      0x209, 0x20b, 0x20d, 0x20f, 0x211, 0x213, 0x215, 0x217
#define LIT_ONE_COLOUR 0x008, 0x009, 0x00c, 0x00d, 0x010, 0x011, 0x014, 0x015
#define UNLIT          0x048, 0x049, 0x04c, 0x04d, 0x050, 0x051, 0x054, 0x055
#define UNLIT_MESH     0x058, 0x059, 0x05c, 0x05d
#define UNLIT_PRESET   0x148, 0x149, 0x14c, 0x14d, 0x150, 0x151, 0x154, 0x155
#define UNLIT_TILED    0x249, 0x24d, 0x251, 0x255
#define SHARED_LIT     0x00c, 0x00d, 0x00e, 0x00f, 0x014, 0x015, 0x016, 0x017, \
                       0x20d, 0x20f, 0x215, 0x217
#define PRECALCULATION 0x000

static const driver_row drivers[] = {
    ROW(0x0000, NULL_DRIVER, LIT, LIT_MESH, LIT_TILED),
    ROW(0x0001, LIT_ONE_COLOUR),                              /* DIV */
    ROW(0x0002, LIT, LIT_TILED),                              /* FOG */
    ROW(0x0003, LIT_ONE_COLOUR),                              /* FOG DIV */
    ROW(0x0004, UNLIT, UNLIT_MESH, UNLIT_PRESET, UNLIT_TILED), /* LGT */
    ROW(0x0005, UNLIT),                                       /* LGT DIV */
    ROW(0x0008, LIT_ONE_COLOUR),                              /* ADV */
    ROW(0x000a, LIT_ONE_COLOUR),                              /* ADV FOG */
    ROW(0x000c, UNLIT),                                       /* ADV LGT */
    ROW(0x0010, LIT, LIT_TILED),                              /* BOT */
    ROW(0x0014, UNLIT, UNLIT_TILED),                          /* BOT LGT */
    ROW(0x0020, LIT, LIT_TILED),                              /* STP */
    ROW(0x0024, UNLIT, UNLIT_TILED),                          /* STP LGT */
    ROW(0x0030, LIT, LIT_TILED),                              /* STP BOT */
    ROW(0x0034, UNLIT, UNLIT_TILED),                          /* STP BOT LGT */

    /* Shared polygons. */
    ROW(0x0100, PRECALCULATION, SHARED_LIT),
    ROW(0x0102, SHARED_LIT),                                  /* FOG */
    ROW(0x0104, UNLIT, UNLIT_TILED),                          /* LGT */
    ROW(0x0114, UNLIT, UNLIT_TILED),                          /* BOT LGT */
    ROW(0x0120, SHARED_LIT),                                  /* STP */
    ROW(0x0124, UNLIT, UNLIT_TILED),                          /* STP LGT */
    ROW(0x0134, UNLIT, UNLIT_TILED),                          /* STP BOT LGT */

    /* Images: without and with a CLUT. */
    ROW(0x0200, 0x000, 0x001),

    /* Animation: frame update, then the interpolations without rotation: translation, scale, both;
     * those with a rotation follow below. General types by length of their cells. */
    ROW(0x0300, 0x000,
                0x001, 0x002, 0x003, 0x009, 0x00a, 0x00b,
                0x100,
                0x901, 0x902, 0x909, 0x90a),
    ROW(0x0301, 0x110, 0x210, 0x310,
                0x111, 0x121, 0x141, 0x171, 0x211, 0x221, 0x241, 0x271, 0x311, 0x321, 0x341, 0x371,
                0x112, 0x122, 0x142, 0x172, 0x182, 0x212, 0x222, 0x242, 0x272,
                0x312, 0x322, 0x342, 0x372),

    /* Morphing: joints, vertices and normals, each with its resets. */
    ROW(0x0401, 0x010, 0x011, 0x018, 0x019, 0x020, 0x021, 0x028, 0x029),

    /* Ground: flat, textured. */
    ROW(0x0500, 0x000, 0x001),

    /* Environment map: pre-calculation, then triangles and quadrangles of each kind. */
    ROW(0x0600, 0x0100, 0x100c, 0x1014, 0x110c, 0x1114, 0x200c, 0x2014,
                0x300c, 0x3014, 0x400c, 0x4014, 0x500c, 0x5014),

    /* Devices: projection and ambient colour, then camera and light of each kind. */
    ROW(0x0700, 0x100, 0x200),
    ROW(0x0701, 0x100, 0x200),                                /* WORLD */
    ROW(0x0702, 0x100, 0x200),                                /* FIX */
    ROW(0x0703, 0x100, 0x200),                                /* AIM */
};
/* clang-format on */

/* Interpolations of coordinates with a rotation: there is one for each order of rotation, 0..5 in
 * bits 12..15. */
enum { NUM_ROTATION_ORDERS = 6 };
static const uint16_t rotations[] = {
    0x010, 0x020, 0x030,                      /* rotation alone */
    0x011, 0x012, 0x013, 0x019, 0x01a, 0x01b, /* linear, with translation */
    0x021, 0x022, 0x023, 0x029, 0x02a, 0x02b, /* Bezier */
    0x031, 0x032, 0x033, 0x039, 0x03a, 0x03b, /* B-spline */
    0x111, 0x112, 0x119, 0x11a,               /* linear, with translation and scale */
    0x910, 0x911, 0x912, 0x919, 0x91a,        /* linear, with one scale for all axes */
};

/* ---- lookups ---- */

static bool is_listed(const uint16_t *list, size_t num, uint32_t primitive_type)
{
    for (size_t i = 0; i < num; i++) {
        if (list[i] == primitive_type) {
            return true;
        }
    }
    return false;
}

static bool is_rotation(uint32_t primitive_type)
{
    return primitive_type >> 12 < NUM_ROTATION_ORDERS &&
           is_listed(rotations, sizeof rotations / sizeof rotations[0], primitive_type & 0xfff);
}

bool hmd_has_driver(uint32_t type)
{
    const uint32_t upper = (type & ~INI) >> 16;
    const uint32_t primitive_type = type & 0xffff;
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
        if (drivers[i].upper == upper &&
            is_listed(drivers[i].primitive_types, drivers[i].num, primitive_type)) {
            return true;
        }
    }
    return upper == COORDINATE_ANIMATION && is_rotation(primitive_type);
}

static bool has_shared_driver(uint32_t primitive_type)
{
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
        if (drivers[i].upper >> 8 == SHARED &&
            is_listed(drivers[i].primitive_types, drivers[i].num, primitive_type)) {
            return true;
        }
    }
    return false;
}

static const hmd_packet_layout *find(uint32_t primitive_type)
{
    for (size_t i = 0; i < hmd_num_packet_layouts; i++) {
        if (hmd_packet_layouts[i]->primitive_type == primitive_type) {
            return hmd_packet_layouts[i];
        }
    }
    return NULL;
}

const hmd_packet_layout *hmd_packet_layout_of(uint32_t type)
{
    const uint32_t primitive_type = type & 0xffff;
    switch (type >> 24) { /* with the developer's id, which is 0 for all that is known */
    case POLYGONS:
        return find(primitive_type);
    case SHARED:
        return has_shared_driver(primitive_type) ? find(primitive_type) : NULL;
    case ENVIRONMENT:
        /* The upper byte says which map; the lower one, 0 for the pre-calculation, the shape. */
        return hmd_has_driver(type) ? find(primitive_type & 0xff) : NULL;
    default:
        return NULL;
    }
}
