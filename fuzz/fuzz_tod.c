#include "fuzz_format.h"

#include "tod/tod.h"

FUZZ_FORMAT(fh_tod_format)
