/* What there is to see of a camerawork: a camera, and the anchor that it belongs to. */
#ifndef FH_CAM_SCENE_H
#define FH_CAM_SCENE_H

#include "core/scene.h"

/* Ids of the two: one is a camera, one a node. */
enum { CAM_SCENE_CAMERA = 0, CAM_SCENE_ANCHOR = 0 };

extern const fh_scene cam_scene;

#endif
