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

Test(odd, never_ends_either, .timeout = 0.1)
{
    if (fork() == 0) { /* it goes on without the test for a while */
        (void)sleep(1);
        _exit(0);
    }
    (void)sleep(20);
}

Test(odd, is_skipped_behind_a_failure)
{
    cr_expect(eq(int, begun, 41));
    cr_skip("too late");
}

Test(odd, is_told_when_a_child_ends)
{
    sigset_t blocked;
    cr_assert(eq(int, sigprocmask(SIG_BLOCK, NULL, &blocked), 0));
    cr_assert(eq(int, sigismember(&blocked, SIGCHLD), 0));
}

static void tidy_up(void)
{
    (void)fprintf(stderr, "tidied up\n");
}

Test(odd, fails_and_is_tidied_up, .fini = tidy_up)
{
    cr_assert(eq(int, begun, 41));
}
