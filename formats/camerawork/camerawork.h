/* ZINDAIJI camerawork, camera paths as text, as a format of the registry. */
#ifndef FH_CAMERAWORK_H
#define FH_CAMERAWORK_H

#include "core/format.h"

extern const fh_format fh_camerawork_format;

#endif
