/* Where a row of a camerawork text begins, seen from its first flag. */
#ifndef FH_CAM_LOCATE_H
#define FH_CAM_LOCATE_H

#include "core/cursor.h"

#include <stdbool.h>

/* cam_locate is the locate of the format: a blank, a flag and a blank stand at `at`, as bytes or as
 * UTF-16. A row begins there if digits stand in front, and a number as the program writes it
 * behind; it is the flag of column 2 if the digits are not the end of another number. */
bool cam_locate(size_t *start, fh_cursor bytes, size_t at);

#endif
