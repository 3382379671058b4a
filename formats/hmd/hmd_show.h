/* The steps by which the looks of an HMD are told (hmd_scene.c), and what they share.
 *
 * Meshes lie in the blocks of coordinates and move with them. Shared polygons are drawn from
 * vertices that other blocks have transformed before: each corner moves with the coordinate of the
 * block that did. Images are put into a picture of the video memory, from which each texture page
 * is read as the graphics processor would; what polygons use of it becomes an image. Everything is
 * read from the bytes as they lie there, before anything moves. All tables lie in the arena.
 */
#ifndef FH_HMD_SHOW_H
#define FH_HMD_SHOW_H

#include "core/scene.h"
#include "hmd/hmd_model.h"

enum { HMD_VRAM_WIDTH = 1024, HMD_VRAM_HEIGHT = 512, HMD_MOST_CORNERS = 4 };

/* Textures that are told apart by more than this many pages, colour tables and windows are left
 * out: the video memory has room for 32 pages, and real files have at most 49 of all. */
#define HMD_MOST_TEXTURES 1024u
#define HMD_TEXTURE_SLOTS (2u * HMD_MOST_TEXTURES)

/* What a polygon's texture is read through. */
typedef struct hmd_texture_key {
    uint32_t page, clut; /* half words of the packet */
    uint32_t window;     /* word, 0 = none */
    bool is_glass;       /* pixels that may be half transparent are */
} hmd_texture_key;

typedef struct hmd_texture {
    hmd_texture_key key;
    bool is_used;
    uint32_t image; /* id of what was told, or FH_SCENE_NONE */
    uint8_t low[2]; /* least and largest u and v */
    uint8_t high[2];
} hmd_texture;

typedef struct hmd_textures {
    uint16_t *vram;     /* HMD_VRAM_WIDTH * HMD_VRAM_HEIGHT pixels */
    uint8_t *is_loaded; /* by pixel: some image was put there */
    hmd_texture *slots; /* HMD_TEXTURE_SLOTS, found by the key */
    uint32_t num;       /* in use */
    uint8_t *pixels;    /* of the image that is told */
    uint32_t num_images;
} hmd_textures;

/* What is said once however often it happens. */
typedef enum hmd_remark {
    HMD_REMARK_CUT = 0,
    HMD_REMARK_PLACELESS,
    HMD_REMARK_UNSHARED,
    HMD_REMARK_LAYOUT,
    HMD_REMARK_ENVMAP,
    HMD_REMARK_UNLOADED,
    HMD_REMARK_TEXTURES,
    HMD_REMARK_IMAGE,
    HMD_REMARK_BLENDING,
    HMD_REMARK_AMBIENT,
    HMD_REMARK_AXES,
    HMD_REMARK_PROGRAM,
    HMD_REMARK_MORPH,
    HMD_NUM_REMARKS
} hmd_remark;

typedef struct hmd_corner {
    uint32_t colour; /* word: red, green, blue */
    uint8_t uv[2];
    uint32_t vertex;    /* word, or HMD_NONE */
    uint32_t normal;    /* word, or HMD_NONE: it has none */
    double position[3]; /* where vertex is HMD_NONE */
} hmd_corner;

typedef struct hmd_polygon {
    unsigned num; /* corners: 3, or 4 in a Z */
    hmd_corner corners[HMD_MOST_CORNERS];
    hmd_texture_key texture;
    bool has_texture;
    bool is_lit, is_double_sided, is_glass;
    bool is_turned; /* its front is counterclockwise on the screen */
} hmd_polygon;

typedef struct hmd_show hmd_show;
typedef void hmd_polygon_visit(hmd_show *show, const hmd_polygon *polygon);

struct hmd_show {
    hmd_model model;
    hmd_check check; /* its place is the record that is looked at */
    const fh_scene_sink *out;
    uint32_t unit;    /* of the block, HMD_NONE: it has none */
    uint32_t *joint;  /* by word of a calculated vertex or normal: 1 + the unit that moves it */
    uint32_t *source; /* and the word of what is moved */
    bool is_shared;   /* the polygons of the record are */
    hmd_textures textures;
    hmd_polygon_visit *visit;
    bool is_said[HMD_NUM_REMARKS];
};

/* hmd_say passes a remark on, the first time. */
void hmd_say(hmd_show *show, hmd_remark remark);

/* hmd_walk_records visits the records of every block, with the place and unit set, as often as a
 * frame comes by them; false when the budget is spent. */
bool hmd_walk_records(hmd_show *show, void (*visit)(hmd_show *show));

/* hmd_show_shared notes what a pre-calculation record moves. */
void hmd_show_shared(hmd_show *show);

/* hmd_show_polygons hands the polygons of a record of categories 0, 1, 6 to show->visit;
 * hmd_show_ground does so for category 5. */
void hmd_show_polygons(hmd_show *show);
void hmd_show_ground(hmd_show *show);

/* hmd_show_triangles tells a polygon: a visit. */
void hmd_show_triangles(hmd_show *show, const hmd_polygon *polygon);

/* hmd_textures_open prepares an empty video memory; false without memory. hmd_show_image puts the
 * images of a record there. hmd_show_texture notes what a polygon uses: a visit. hmd_tell_images
 * tells the images when all polygons have been noted. hmd_texture_of returns the texture of a
 * polygon, or NULL. */
bool hmd_textures_open(hmd_show *show);
void hmd_show_image(hmd_show *show);
void hmd_show_texture(hmd_show *show, const hmd_polygon *polygon);
void hmd_tell_images(hmd_show *show);
const hmd_texture *hmd_texture_of(hmd_show *show, const hmd_polygon *polygon);

/* hmd_show_morph tells the differences of a MIMe record of vertices or normals. */
void hmd_show_morph(hmd_show *show);

#endif
