/* The name that was meant. */
#include "nearest.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <string.h>

Test(nearest, distance_counts_changes)
{
    static const struct {
        const char *a;
        const char *b;
        size_t distance;
    } cases[] = {
        {"", "", 0},          {"", "abc", 3},           {"same", "same", 0},
        {"Same", "sAME", 0},  {"kitten", "sitting", 3}, {"flaw", "lawn", 2},
        {"abc", "acb", 2},    {"tod22", "TOD0022", 2},  {"--jsno", "--json", 2},
        {"\xc3\xa9", "e", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect(eq(sz, fh_distance(cases[i].a, cases[i].b), cases[i].distance), "case %zu", i);
        cr_expect(eq(sz, fh_distance(cases[i].b, cases[i].a), cases[i].distance), "turned %zu", i);
    }
}

Test(nearest, long_words_are_compared_by_their_first_letters)
{
    char word[4 * FH_NEAREST_MOST];
    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    cr_assert(eq(sz, fh_distance(word, ""), FH_NEAREST_MOST));
    cr_assert(eq(sz, fh_distance(word, word + 1), 0));
    word[0] = 'b';
    cr_assert(eq(sz, fh_distance(word, word + 1), 1));
}

Test(nearest, the_nearest_of_several)
{
    static const char *const names[] = {"format", "fail-on", "severity", "select", "f"};
    const size_t num = sizeof names / sizeof names[0];
    cr_assert(eq(str, (char *)fh_nearest_of("formta", names, num), "format"));
    cr_assert(eq(str, (char *)fh_nearest_of("SELECTS", names, num), "select"));
    cr_assert(eq(str, (char *)fh_nearest_of("g", names, num), "f"));
    cr_assert(zero(ptr, (void *)fh_nearest_of("configuration", names, num)));
    cr_assert(zero(ptr, (void *)fh_nearest_of("format", names, 0)));
    cr_assert(zero(ptr, (void *)fh_nearest_of("", names, 4)));
}

Test(nearest, of_several_as_near_the_first_stays)
{
    static const char *const names[] = {"cat", "bat", "rat"};
    cr_assert(eq(str, (char *)fh_nearest_of("hat", names, 3), "cat"));
    fh_nearest nearest = fh_nearest_begin("hat");
    fh_nearest_try(&nearest, "hut");
    fh_nearest_try(&nearest, "hat");
    fh_nearest_try(&nearest, "hit");
    cr_assert(eq(str, (char *)nearest.name, "hat"));
    cr_assert(eq(sz, nearest.distance, 0));
}
