/* The format HMD: PlayStation models, with their animation, in files and in memory. */
#ifndef FH_HMD_H
#define FH_HMD_H

#include "core/format.h"

extern const fh_format fh_hmd_format;

#endif
