/* What there is to see of a TOD: objects without looks of their own, and three lights. What the
 * objects look like is in a TMD beside it (tod_tmd.h). */
#ifndef FH_TOD_SCENE_H
#define FH_TOD_SCENE_H

#include "core/scene.h"

extern const fh_scene tod_scene;

#endif
