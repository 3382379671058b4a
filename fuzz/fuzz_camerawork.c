#include "fuzz_format.h"

#include "camerawork/camerawork.h"

FUZZ_FORMAT(fh_camerawork_format)
