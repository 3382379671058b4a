/* The image description language: text in, image builder out. Documented in README.md.
 */
#ifndef FORGE_IMAGE_TEXT_H
#define FORGE_IMAGE_TEXT_H

#include "forge/image.h"

/* forge_image_text makes a builder of what text describes; nothing is written yet. File names are
 * taken from the folder root. The caller frees *image, which is NULL on failure. */
bool forge_image_text(forge_image **image, forge_error *err, const char *text, size_t len,
                      const char *root) FORGE_MUST_USE;

#endif
