/* TRA4, the text form of MascotCapsule V3 animations, as a format of the registry. */
#ifndef FH_TRA_H
#define FH_TRA_H

#include "core/format.h"

extern const fh_format fh_tra_format;

#endif
