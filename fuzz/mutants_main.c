/* Tells how well the mutator of a format knows its structure.
 *
 *     mutants_tod FILE...
 *
 * Changes each file MUTANTS times, each time with the next file as the other input, and prints how
 * many changes were made, and after how many the structure holds. Aborts where a change is not the
 * same again, or longer than it may be.
 */
#include "mutate.h"

#include "camerawork/camerawork.h"
#include "hmd/hmd.h"
#include "hunt/exam.h"
#include "tod/tod.h"
#include "tra/tra.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MUTANTS = 64, MOST_LEN = 4096, MORE = 256 };

typedef struct input {
    uint8_t bytes[MOST_LEN];
    size_t len;
} input;

static bool read_input(input *out, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return false;
    }
    out->len = fread(out->bytes, 1, sizeof out->bytes, file);
    (void)fclose(file);
    return true;
}

static bool holds(const uint8_t *bytes, size_t len)
{
    const size_t arena_len = fh_arena_len(len);
    void *block = malloc(arena_len);
    if (block == NULL) {
        abort();
    }
    fh_arena arena = fh_arena_make(block, arena_len);
    fh_budget budget = fh_budget_for(len, 0);
    const fh_sink nobody = {0};
    const fh_env env = {&arena, &budget, &nobody, NULL};
    const fh_verify_options whole = {.stand_alone = true, .aligned = true};
    fh_asset asset;
    const void *model = NULL;
    const fh_cursor cursor = fh_cursor_make(bytes, len, 0);
    const bool is_sound = FUZZED_FORMAT.verify(&asset, &model, &env, cursor, &whole) == FH_OK;
    free(block);
    return is_sound;
}

static void mutate(const input *one, const input *other, unsigned *num_made, unsigned *num_sound)
{
    static uint8_t first[MOST_LEN + MORE];
    static uint8_t second[MOST_LEN + MORE];
    for (unsigned seed = 0; seed < MUTANTS; seed++) {
        const size_t most = one->len + MORE;
        memcpy(first, one->bytes, one->len);
        memcpy(second, one->bytes, one->len);
        const size_t len =
            fuzz_mutate(&FUZZED_FORMAT, first, one->len, most, other->bytes, other->len, seed);
        if (len > most ||
            len != fuzz_mutate(&FUZZED_FORMAT, second, one->len, most, other->bytes, other->len,
                               seed) ||
            memcmp(first, second, len) != 0) {
            (void)fprintf(stderr, "a change is not the same again, or too long\n");
            abort();
        }
        *num_made += len > 0;
        *num_sound += len > 0 && holds(first, len);
    }
}

int main(int argc, char **argv)
{
    static input one;
    static input other;
    unsigned num_made = 0;
    unsigned num_sound = 0;
    for (int i = 1; i < argc; i++) {
        if (!read_input(&one, argv[i]) || !read_input(&other, argv[i + 1 < argc ? i + 1 : 1])) {
            return 2;
        }
        mutate(&one, &other, &num_made, &num_sound);
    }
    (void)printf("%u of %d made, %u sound\n", num_made, (argc - 1) * MUTANTS, num_sound);
    return 0;
}
