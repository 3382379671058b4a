/* Prints the outcome of every file of a list: outcomes LIST. */
#include "inputs.h"

#include <inttypes.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    inputs in;
    if (argc != 2) {
        (void)fprintf(stderr, "usage: outcomes LIST\n");
        return 2;
    }
    inputs_read(&in, argv[1]);
    for (size_t i = 0; i < in.num; i++) {
        const outcome got = outcome_of(in.all[i].format, &in.all[i].bytes);
        (void)printf("%s\t%016" PRIx64 "\t%016" PRIx64 "\t%016" PRIx64 "\t%016" PRIx64
                     "\t%016" PRIx64 "\n",
                     in.all[i].name, got.search, got.verify, got.replay, got.rest, got.work);
    }
    inputs_free(&in);
    return 0;
}
