#include "fuzz_format.h"

FUZZ_FORMAT("camerawork")
