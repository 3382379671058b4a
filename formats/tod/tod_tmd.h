/* TMD: the models that a TOD's objects look like, as far as triangles go.
 *
 * Words: id 0x41, flags (bit 0: addresses instead of offsets), number of objects; then of each
 * object 7 words: vertices and their number, normals and their number, primitives and their number,
 * scale. Offsets count bytes from the first object. A vertex or normal is four signed half words,
 * the last one a pad. A primitive is a word of four bytes (length of the packet that it becomes,
 * length of what follows in words, flags, mode) and its data; see describe_primitive. Source: the
 * run-time library's file formats, as real files have them: models are numbered from 1, in order,
 * where a TOD names them. Other primitives than polygons, and those whose length is not that of
 * their mode, are passed over. Textures are in files of their own: a textured polygon shows its
 * colours alone.
 */
#ifndef FH_TOD_TMD_H
#define FH_TOD_TMD_H

#include "core/scene.h"

extern const fh_scene_models tod_tmd_models;

#endif
