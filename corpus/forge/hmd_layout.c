#include "forge/hmd_layout.h"

#include <stddef.h>

static const forge_layout layouts[] = {
    /* with normals */
    {0x008, "C20 n0v0 v1v2", NULL},
    {0x009, "Uc Ut U- n0v0 v1v2", NULL},
    {0x00a, "C30 C30 C30 n0v0 v1v2", NULL},
    {0x00b, "C34 C34 C34 Uc Ut U- n0v0 v1v2", NULL},
    {0x00c, "C30 n0v0 n1v1 n2v2", NULL},
    {0x00d, "Uc Ut U- n0v0 n1v1 n2v2", NULL},
    {0x00e, "C30 C30 C30 n0v0 n1v1 n2v2", NULL},
    {0x00f, "C34 C34 C34 Uc Ut U- n0v0 n1v1 n2v2", NULL},
    {0x010, "C28 n0v0 v1v2 v3-", NULL},
    {0x011, "Uc Ut U- Un0 v0v1 v2v3", NULL},
    {0x012, "C38 C38 C38 C38 n0v0 v1v2 v3-", NULL},
    {0x013, "C3c C3c C3c C3c Uc Ut U- Un0 v0v1 v2v3", NULL},
    {0x014, "C38 n0v0 n1v1 n2v2 n3v3", NULL},
    {0x015, "Uc Ut Un0 Uv0 n1v1 n2v2 n3v3", NULL},
    {0x016, "C38 C38 C38 C38 n0v0 n1v1 n2v2 n3v3", NULL},
    {0x017, "C3c C3c C3c C3c Uc Ut Un0 Uv0 n1v1 n2v2 n3v3", NULL},
    {0x018, "C20 n2v0 v1v2", "C20 n3v3"},
    {0x019, "Uc Ut U- n2v0 v1v2", "Uc Ut U- n3v3"},
    {0x01a, "C30 C30 C30 n2v0 v1v2", "C30 n3v3"},
    {0x01b, "C34 C34 C34 Uc Ut U- n2v0 v1v2", "C34 C34 C34 Uc Ut U- n3v3"},
    {0x01c, "C30 n0v0 n1v1 n2v2", "C30 n1n2 n3v3"},
    {0x01d, "Uc Ut U- n0v0 n1v1 n2v2", "Uc Ut U- n1n2 n3v3"},
    {0x01e, "C30 C30 C30 n0v0 n1v1 n2v2", "C30 n1n2 n3v3"},
    {0x01f, "C34 C34 C34 Uc Ut U- n0v0 n1v1 n2v2", "C34 C34 C34 Uc Ut U- n1n2 n3v3"},
    /* without normals */
    {0x048, "C20 v0v1 v2-", NULL},
    {0x049, "C24 Uc Ut Uv0 v1v2", NULL},
    {0x04c, "C30 C30 C30 v0v1 v2-", NULL},
    {0x04d, "C34 C34 C34 Uc Ut Uv0 v1v2", NULL},
    {0x050, "C28 v0v1 v2v3", NULL},
    {0x051, "C2c Uc Ut Uv0 Uv1 v2v3", NULL},
    {0x054, "C38 C38 C38 C38 v0v1 v2v3", NULL},
    {0x055, "C3c C3c C3c C3c Uc Ut Uv0 Uv1 v2v3", NULL},
    {0x058, "C20 v0v1 v2-", "C20 v3-"},
    {0x059, "C24 Uc Ut Uv0 v1v2", "C24 Uc Ut Uv3"},
    {0x05c, "C30 C30 C30 v0v1 v2-", "C30 C30 C30 v3-"},
    {0x05d, "C34 C34 C34 Uc Ut Uv0 v1v2", "C34 C34 C34 Uc Ut Uv3"},
    /* presets */
    {0x148, "D C20 X0 X1 X2 D C20 X0 X1 X2 v0v1 v2-", NULL},
    {0x149, "D C24 X0 Uc X1 Ut X2 U- D C24 X0 Uc X1 Ut X2 Uv0 v1v2", NULL},
    {0x14c, "D C30 X0 c X1 c X2 D C30 X0 c X1 c X2 v0v1 v2-", NULL},
    {0x14d, "D C34 X0 Uc c X1 Ut c X2 U- D C34 X0 Uc c X1 Ut c X2 Uv0 v1v2", NULL},
    {0x150, "D C28 X0 X1 X2 X3 D C28 X0 X1 X2 X3 v0v1 v2v3", NULL},
    {0x151, "D C2c X0 Uc X1 Ut X2 U- X3 U- D C2c X0 Uc X1 Ut X2 U- X3 U- v0v1 v2v3", NULL},
    {0x154, "D C38 X0 c X1 c X2 c X3 D C38 X0 c X1 c X2 c X3 v0v1 v2v3", NULL},
    {0x155, "D C3c X0 Uc c X1 Ut c X2 U- c X3 U- D C3c X0 Uc c X1 Ut c X2 U- c X3 U- v0v1 v2v3",
     NULL},
    {0x158, "D C20 X0 X1 X2 D C20 X0 X1 X2 v0v1 v2-", "D C20 X1 X2 X3 D C20 X1 X2 X3 v3-"},
    {0x159, "D C24 X0 Uc X1 Ut X2 U- D C24 X0 Uc X1 Ut X2 Uv0 v1v2",
     "D C24 X1 Uc X2 Ut X3 U- D C24 X1 Uc X2 Ut X3 Uv3"},
    {0x15c, "D C30 X0 c X1 c X2 D C30 X0 c X1 c X2 v0v1 v2-",
     "D C30 X1 c X2 c X3 D C30 X1 c X2 c X3 v3-"},
    {0x15d, "D C34 X0 Uc c X1 Ut c X2 U- D C34 X0 Uc c X1 Ut c X2 Uv0 v1v2",
     "D C34 X1 Uc c X2 Ut c X3 U- D C34 X1 Uc c X2 Ut c X3 Uv3"},
};

/* Tiled forms exist of textured types that are no presets. */
static bool can_be_tiled(uint32_t plain)
{
    return (plain & 1U) != 0 && (plain & FORGE_LAYOUT_PRESET) == 0;
}

const forge_layout *forge_layout_of(uint32_t type)
{
    const uint32_t plain = type & ~(uint32_t)FORGE_LAYOUT_TILE;
    if (plain != type && !can_be_tiled(plain)) {
        return NULL;
    }
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        if (layouts[i].type == plain) {
            return &layouts[i];
        }
    }
    return NULL;
}
