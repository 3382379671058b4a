#include "tra_bench.h"
