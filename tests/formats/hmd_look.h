/* What the tests of an HMD's looks share: descriptions in the forge's language, and all that the
 * scene of one tells. `all` owns the pixels of its images: describing forgets what was told before,
 * and a test forgets at its end.
 */
#ifndef TESTS_FORMATS_HMD_LOOK_H
#define TESTS_FORMATS_HMD_LOOK_H

#include "bench.h"

#include "forge/hmd.h"

enum { MOST_TRIANGLES = 4096, MOST_IMAGES = 1100, MOST_MORPHS = 64 };

typedef struct picture {
    fh_scene_image is; /* but for its pixels, which do not last */
    uint8_t *pixels;
} picture;

/* What is told. */
typedef struct looks {
    fh_scene_triangle triangles[MOST_TRIANGLES];
    picture images[MOST_IMAGES];
    fh_scene_weight weights[MOST_MORPHS];
    fh_scene_delta deltas[MOST_MORPHS];
    size_t num_triangles, num_images, num_weights, num_deltas;
    char remarks[4096];
} looks;

extern looks all;

void forget(void);

/* Whether a remark has this part. */
bool is_said(const char *part);

/* The file that a description makes. The caller frees it. */
forge_buf build(const char *text);

/* Verifies a file, which must be good enough for a model, and lets its scene be told. */
void describe(const forge_buf *file);
void describe_text(const char *text);

bool same(double a, double b);

/* Text that is put together. One is static, and so begins empty. */
typedef struct writer {
    char text[1 << 16];
    size_t len;
} writer;

void add(writer *to, const char *text);

/* How a description with textures begins. Next come the records that load images, then @model. */
extern const char front[];

/* Holds that a pixel is what the graphics processor makes of a texel. */
void hold_pixel(const uint8_t *pixel, uint16_t texel, bool is_glass);

#endif
