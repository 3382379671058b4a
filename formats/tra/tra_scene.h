/* What there is to see of a TRA4 text: its bones, and with the model's BAC6 how they hang together
 * and rest. */
#ifndef FH_TRA_SCENE_H
#define FH_TRA_SCENE_H

#include "core/scene.h"

extern const fh_scene tra_scene;

#endif
