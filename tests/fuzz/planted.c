/* A fuzz target with deliberate faults, each behind two bytes: what framehound-fuzz must find, tell
 * apart and report. With -DPLANTED_MAIN it is its own reproducer, as fuzz/standalone_main.c is.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile int kept;

/* Not inlined, so that a stack has its name. */
#define PLANTED __attribute__((noinline)) static void

PLANTED read_behind(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size);
    if (copy != NULL) {
        memcpy(copy, data, size);
        kept = copy[size + 1];
        free(copy);
    }
}

PLANTED divide(const uint8_t *data)
{
    kept = 100 / (data[0] - 'D');
}

PLANTED go_round(void)
{
    while (kept >= 0) {
        kept = 1;
    }
}

PLANTED demand(int holds, const char *truth)
{
    if (!holds) {
        (void)fprintf(stderr, "planted: violated: %s\n", truth);
        abort();
    }
}

/* What a reproducer tells of rules. */
static int reached_rule;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    reached_rule = size > 1 && data[0] == 'R' && data[1] == '1';
    if (size < 2 || data[1] != '!') {
        return 0;
    }
    switch (data[0]) {
    case 'B':
        read_behind(data, size);
        break;
    case 'D':
        divide(data);
        break;
    case 'L':
        go_round();
        break;
    default:
        break;
    }
    demand(data[0] != 'O', "what goes in comes out");
    return 0;
}

#ifdef PLANTED_MAIN
int main(int argc, char **argv)
{
    static uint8_t bytes[1 << 16];
    if (argc > 1 && strcmp(argv[1], "--list-rules") == 0) {
        return puts("PLT0001 begins with R1\nPLT0002 cannot be reached") < 0;
    }
    for (int i = 2; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        const size_t len = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
        if (file != NULL) {
            (void)fclose(file);
        }
        (void)LLVMFuzzerTestOneInput(bytes, len);
        (void)printf("%s:%s\n", argv[i], reached_rule ? " PLT0001" : "");
    }
    return 0;
}
#endif
