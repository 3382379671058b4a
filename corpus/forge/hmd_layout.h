/* The packet layouts of polygons, written down from the format's description.
 *
 * A layout is a line of tokens, one word each: Cxx colour with code byte xx; c colour without one;
 * Uc, Ut, U-, Un0, Uv1 texture coordinates with CLUT, texture page, nothing, a normal or a vertex
 * in the upper half; pairs of n0, v1 and - for two halves; T texture window; D DMA tag; X0 screen
 * position. Digits order the vertices; a packet's list may begin with any.
 */
#ifndef FORGE_HMD_LAYOUT_H
#define FORGE_HMD_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FORGE_LAYOUT_TILE = 0x200,  /* a texture window in front */
    FORGE_LAYOUT_PRESET = 0x100 /* two buffers: colours and texture coordinates stand twice */
};

typedef struct forge_layout {
    uint16_t type;       /* without the tile bit */
    const char *first;   /* a packet, or the first one of a mesh behind its number */
    const char *further; /* NULL: no mesh */
} forge_layout;

/* forge_layout_of finds the layout of a primitive type (16 bits); NULL if it has none. */
const forge_layout *forge_layout_of(uint32_t type);

#endif
