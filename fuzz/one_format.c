/* In the place of formats/registry, for the targets of the decoders: the format that is fuzzed is
 * all there is. A fuzzer goes through the counters of all edges for each input, and those of the
 * other formats would be most of them; `fuzz_scan` has them all beside each other.
 */
#include "registry/registry.h"

#include <stddef.h>
#include <string.h>

extern const fh_format FUZZED_FORMAT;

const fh_format *const fh_formats[] = {&FUZZED_FORMAT};

const size_t fh_num_formats = 1;

const fh_format *fh_format_find(const char *name)
{
    return strcmp(FUZZED_FORMAT.name, name) == 0 ? &FUZZED_FORMAT : NULL;
}

/* Inputs have no names. */
const fh_format *fh_format_by_path(const char *path)
{
    (void)path;
    return NULL;
}
