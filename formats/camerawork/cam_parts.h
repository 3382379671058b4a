/* Parts of a camerawork text: which rows a part has, and how a cut row is put together again.
 *
 * Rows carry their number, so the parts of one text can be put in order. What the program writes
 * has one form only, with a fixed number of digits, so the two sides of a cut fit in one way at
 * most. Source: the sheet's rules for fragments.
 */
#ifndef FH_CAM_PARTS_H
#define FH_CAM_PARTS_H

#include "core/format.h"

extern const fh_joining cam_joining;

#endif
