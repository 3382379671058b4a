#include "fuzz_format.h"

#include "tra/tra.h"

FUZZ_FORMAT(fh_tra_format)
