/* Runs a fuzz target over files: the reproducer of what a fuzzer found, in every build.
 *
 *     fuzz_tod_repro FILE...
 */
#include "fuzz_format.h"

#include "core/limits.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A byte more than the longest asset, so that a longer file is one that is too long here too. */
#define MOST_BYTES (FH_MAX_ASSET_LEN + 1)

static int run_file(uint8_t *buffer, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        (void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return 1;
    }
    const size_t len = fread(buffer, 1, MOST_BYTES, file);
    const int failed = ferror(file);
    (void)fclose(file);
    if (failed) {
        (void)fprintf(stderr, "%s: cannot be read\n", path);
        return 1;
    }
    (void)LLVMFuzzerTestOneInput(buffer, len);
    (void)printf("%s: %zu bytes, nothing wrong\n", path, len);
    return 0;
}

int main(int argc, char **argv)
{
    int exit_code = 0;
    uint8_t *buffer = malloc(MOST_BYTES);
    if (argc < 2 || buffer == NULL) {
        (void)fprintf(stderr, argc < 2 ? "Usage: %s FILE...\n" : "%s: out of memory\n", argv[0]);
        free(buffer);
        return 2;
    }
    for (int i = 1; i < argc; i++) {
        exit_code |= run_file(buffer, argv[i]);
    }
    free(buffer);
    return exit_code;
}
