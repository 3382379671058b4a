/* Tests that end in every way, for check_suite_main.py. */
#include <criterion/criterion.h>

#include <criterion/new/assert.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int begun;

static void begin(void)
{
    begun++;
}

static void end(void)
{
    if (begun != 3) {
        (void)fprintf(stderr, "begun %d times\n", begun);
        abort();
    }
}

TestSuite(fixture, .init = begin, .fini = end);

Test(fixture, of_suite_and_test, .init = begin)
{
    begun++;
}

Test(odd, succeeds)
{
    cr_assert(eq(int, begun, 0), "a test has what the one before left");
    begun = 7;
}

Test(odd, succeeds_as_well)
{
    cr_assert(eq(int, begun, 0), "a test has what the one before left");
}

Test(odd, goes_on_behind_a_failure)
{
    cr_expect(eq(int, begun, 41), "first %s", "words");
    cr_fail("second words");
}

Test(odd, ends_at_a_failure)
{
    cr_assert(begun == 1, "third words");
    cr_fail("words that nobody reads");
}

Test(odd, ends_with_a_code)
{
    _exit(3);
}

Test(odd, is_killed)
{
    (void)raise(SIGKILL);
}

Test(odd, is_skipped)
{
    cr_skip("for %s", "a reason");
}

Test(odd, never_ends, .timeout = 0.1)
{
    for (;;) {
        (void)pause();
    }
}
