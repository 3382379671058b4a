/* What there is to see of an HMD: coordinates, what hangs on them, textures, morphing. */
#ifndef FH_HMD_SCENE_H
#define FH_HMD_SCENE_H

#include "core/scene.h"

extern const fh_scene hmd_scene;

#endif
