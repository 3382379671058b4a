/* TOD, the PlayStation's animation commands, as a format of the registry. */
#ifndef FH_TOD_H
#define FH_TOD_H

#include "core/format.h"

extern const fh_format fh_tod_format;

#endif
