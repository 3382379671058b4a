#include "fuzz_format.h"

#include "hmd/hmd.h"

FUZZ_FORMAT(fh_hmd_format)
