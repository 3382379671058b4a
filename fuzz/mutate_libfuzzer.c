/* The mutators of libFuzzer; FUZZED_FORMAT names the format. */
#include "mutate_libfuzzer.h"

#include "camerawork/camerawork.h"
#include "hmd/hmd.h"
#include "tod/tod.h"
#include "tra/tra.h"

#include <string.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    const size_t mutated = (seed & 3) != 0 ? 0
                                           : fuzz_mutate(&FUZZED_FORMAT, data, size, max_size, NULL,
                                                         0, seed >> 2, NULL);
    return mutated == 0 ? LLVMFuzzerMutate(data, size, max_size) : mutated;
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *first, size_t first_len, const uint8_t *second,
                                 size_t second_len, uint8_t *out, size_t max_size, unsigned seed)
{
    const size_t len = first_len < max_size ? first_len : max_size;
    memcpy(out, first, len);
    return fuzz_mutate(&FUZZED_FORMAT, out, len, max_size, second, second_len, seed, NULL);
}
