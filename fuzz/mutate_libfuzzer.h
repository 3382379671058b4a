/* What libFuzzer asks a target for besides LLVMFuzzerTestOneInput. Of four changes three are the
 * engine's own: it makes them faster. */
#ifndef FUZZ_MUTATE_LIBFUZZER_H
#define FUZZ_MUTATE_LIBFUZZER_H

#include "mutate.h"

/* Names that the engine gives. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_len, const uint8_t *second,
                                 size_t second_len, uint8_t *out, size_t max_size, unsigned seed);

#endif
