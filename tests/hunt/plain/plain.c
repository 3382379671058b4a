/* Runs the tests of a suite that is built with this Criterion, and says which ways of sifting there
 * are. Instead of the formats, which would all have to be built, there are two that have words like
 * theirs; that the real words are found is shown where the tests of this machine run. */
#include "criterion/criterion.h"

#include "hunt/sieve.h"
#include "registry/registry.h"

#include <assert.h>

enum { MOST_TESTS = 32 };

static struct {
    const char *name;
    void (*run)(void);
} tests[MOST_TESTS];
static size_t num_tests;

void plain_add(const char *name, void (*test)(void))
{
    assert(num_tests < MOST_TESTS);
    tests[num_tests].name = name;
    tests[num_tests++].run = test;
}

static const fh_magic magics[] = {{.mask = 0xffffffff, .value = 0x50},
                                  {.mask = 0xffff, .value = 0x0050},
                                  {.mask = 0xffffffff, .value = 0x4152543b}};
static const fh_format numbers = {.magics = magics, .num_magics = 2, .alignment = 4};
static const fh_format text = {.magics = magics + 2, .num_magics = 1, .alignment = 1};
const fh_format *const fh_formats[] = {&numbers, &text};
const size_t fh_num_formats = sizeof fh_formats / sizeof fh_formats[0];

int main(void)
{
    size_t num_ways = 0;
    const fh_sift_way *ways = fh_sift_ways(&num_ways);
    for (size_t i = 0; i < num_ways; i++) {
        printf("way %s%s\n", ways[i].name, ways[i].is_there() ? "" : " (not there)");
    }
    for (size_t i = 0; i < num_tests; i++) {
        tests[i].run();
        printf("passed %s\n", tests[i].name);
    }
    return 0;
}
