/* The checks of values: what the rows of an asset say (CAM0030..CAM0049). */
#ifndef FH_CAM_CHECK_VALUES_H
#define FH_CAM_CHECK_VALUES_H

#include "camerawork/cam_model.h"

/* cam_check_values looks at all rows; false when the budget is spent, which is told. */
bool cam_check_values(cam_check *check) FH_MUST_USE;

#endif
