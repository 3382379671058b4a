#include "nearest.h"

#include "core/text.h"

#include <string.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t fh_distance(const char *a, const char *b)
{
    const size_t len_a = strnlen(a, FH_NEAREST_MOST);
    const size_t len_b = strnlen(b, FH_NEAREST_MOST);
    size_t row[FH_NEAREST_MOST + 1]; /* distances of the first letters of a from those of b */
    for (size_t k = 0; k <= len_b; k++) {
        row[k] = k;
    }
    for (size_t i = 1; i <= len_a; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t k = 1; k <= len_b; k++) {
            const size_t same = fh_ascii_lower(a[i - 1]) == fh_ascii_lower(b[k - 1]) ? 0 : 1;
            const size_t best = least(least(row[k], row[k - 1]) + 1, diagonal + same);
            diagonal = row[k];
            row[k] = best;
        }
    }
    return row[len_b];
}

fh_nearest fh_nearest_begin(const char *word)
{
    const size_t half = strnlen(word, FH_NEAREST_MOST) / 2;
    return (fh_nearest){.word = word, .distance = (half == 0 ? 1 : half) + 1};
}

void fh_nearest_try(fh_nearest *nearest, const char *name)
{
    const size_t distance = fh_distance(nearest->word, name);
    if (distance < nearest->distance) {
        nearest->name = name;
        nearest->distance = distance;
    }
}

const char *fh_nearest_of(const char *word, const char *const *names, size_t num)
{
    fh_nearest nearest = fh_nearest_begin(word);
    for (size_t i = 0; i < num; i++) {
        fh_nearest_try(&nearest, names[i]);
    }
    return nearest.name;
}
