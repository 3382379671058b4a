/* The same mutators for AFL++: a library for AFL_CUSTOM_MUTATOR_LIBRARY; FUZZED_FORMAT names the
 * format. AFL++ makes its own changes besides. */
#include "mutate.h"

#include "camerawork/camerawork.h"
#include "hmd/hmd.h"
#include "tod/tod.h"
#include "tra/tra.h"

#include <stdlib.h>
#include <string.h>

typedef struct mutator {
    uint64_t random;
    uint8_t *out; /* owned */
    size_t max;
} mutator;

/* Names and shapes that the engine gives. */
void *afl_custom_init(void *afl, unsigned seed);
size_t afl_custom_fuzz(void *data, uint8_t *bytes, size_t size, uint8_t **out, uint8_t *other,
                       size_t other_len, size_t max_size);
void afl_custom_deinit(void *data);

void *afl_custom_init(void *afl, unsigned seed)
{
    (void)afl;
    mutator *made = calloc(1, sizeof *made);
    if (made != NULL) {
        made->random = seed;
    }
    return made;
}

/* Room for max_size bytes. */
static bool provide(mutator *of, size_t max_size)
{
    if (of->out == NULL || of->max < max_size) {
        free(of->out);
        of->out = malloc(max_size > 0 ? max_size : 1);
        of->max = of->out == NULL ? 0 : max_size;
    }
    return of->out != NULL;
}

size_t afl_custom_fuzz(void *data, uint8_t *bytes, size_t size, uint8_t **out, uint8_t *other,
                       size_t other_len, size_t max_size)
{
    mutator *of = data;
    *out = bytes;
    if (size > max_size || !provide(of, max_size)) {
        return size;
    }
    memcpy(of->out, bytes, size);
    of->random = of->random * UINT64_C(6364136223846793005) + 1442695040888963407u;
    const size_t len = fuzz_mutate(&FUZZED_FORMAT, of->out, size, max_size, other, other_len,
                                   (unsigned)(of->random >> 33), NULL);
    if (len == 0) {
        return size;
    }
    *out = of->out;
    return len;
}

void afl_custom_deinit(void *data)
{
    mutator *of = data;
    free(of->out);
    free(of);
}
