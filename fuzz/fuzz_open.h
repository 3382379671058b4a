/* The driver of the targets of containers: any bytes through the opener, members of members too. */
#ifndef FUZZ_OPEN_H
#define FUZZ_OPEN_H

#include "fuzz_support.h"

/* fuzz_open opens the bytes and reads every source in them to its end. What must be true stands in
 * fuzz_container.c. */
void fuzz_open(const uint8_t *data, size_t size);

#endif
