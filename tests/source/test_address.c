#include "source/address.h"

#include "bench.h"

#define U FH_UNKNOWN

enum { MAX = 12 };

typedef struct expectation {
    int64_t headers[MAX];
    int64_t lbas[MAX];
    char odd[MAX + 1];  /* 'x' where IMG0005 applies */
    char jump[MAX + 1]; /* 'x' where a seam lies */
} expectation;

static void check(const expectation *want)
{
    fh_address address = fh_address_make();
    for (int64_t i = 0; want->odd[i] != '\0'; i++) {
        int64_t next = want->odd[i + 1] != '\0' ? want->headers[i + 1] : U;
        fh_address_step step = fh_address_next(&address, i, want->headers[i], next);
        cr_assert(eq(i64, step.lba, want->lbas[i]), "lba of %d", (int)i);
        cr_assert(step.odd == (want->odd[i] == 'x'), "odd at %d", (int)i);
        cr_assert(step.jump == (want->jump[i] == 'x'), "jump at %d", (int)i);
    }
}

Test(address, ordinary_run)
{
    check(&(expectation){{-2, -1, 0, 1, 2}, {-2, -1, 0, 1, 2}, ".....", "....."});
}

Test(address, all_equal_is_no_address)
{
    check(&(expectation){{0, 0, 0, 0, 0}, {U, U, U, U, U}, ".xxxx", "....."});
}

Test(address, none_is_bcd)
{
    check(&(expectation){{U, U, U}, {U, U, U}, "xxx", "..."});
}

Test(address, a_single_sector_proves_nothing)
{
    check(&(expectation){{0}, {U}, ".", "."});
}

Test(address, a_repeated_sector_is_no_jump)
{
    check(&(expectation){{5, 6, 6, 7, 8}, {5, 6, 6, 7, 8}, "..x..", "....."});
    check(&(expectation){{5, 6, 6, 6, 7}, {5, 6, U, 6, 7}, "..xx.", "....."});
}

Test(address, a_run_that_stands_still_is_no_jump)
{
    check(&(expectation){{5, 6, 6, 6, 6}, {5, 6, U, U, U}, "..xxx", "....."});
}

Test(address, missing_sectors)
{
    check(&(expectation){{5, 6, 90, 91}, {5, 6, 90, 91}, "..x.", "..x."});
    check(&(expectation){{5, 6, 8, 9}, {5, 6, 8, 9}, "..x.", "..x."});
    check(&(expectation){{5, 6, 2, 3}, {5, 6, 2, 3}, "..x.", "..x."});
}

Test(address, one_wrong_header_is_no_jump)
{
    check(&(expectation){{5, 6, 90, 8, 9}, {5, 6, U, 8, 9}, "..x..", "....."});
    check(&(expectation){{5, 6, 8, 8, 9}, {5, 6, U, 8, 9}, "..x..", "....."});
    check(&(expectation){{5, 6, U, 8, 9}, {5, 6, U, 8, 9}, "..x..", "....."});
}

Test(address, a_jump_behind_damage_is_told_late)
{
    check(&(expectation){{5, 6, U, 20, 21}, {5, 6, U, 20, 21}, "..xx.", "...x."});
}

Test(address, a_jump_to_the_last_sector)
{
    check(&(expectation){{5, 6, 90}, {5, 6, U}, "..x", "..x"});
}

Test(address, a_jump_into_equal_addresses_is_one_seam)
{
    check(&(expectation){{5, 6, 50, 50, 50}, {5, 6, U, U, U}, "..xxx", "..x.."});
}

Test(address, random_addresses_are_not_believed)
{
    check(&(expectation){{700, 3, 91, 12, 40}, {U, U, U, U, U}, ".xxxx", "....."});
}

Test(address, sectors_without_header_between)
{
    fh_address address = fh_address_make();
    fh_address_step step = fh_address_next(&address, 0, 10, 11);
    cr_assert(eq(i64, step.lba, 10));
    step = fh_address_next(&address, 7, 17, U);
    cr_assert(eq(i64, step.lba, 17));
    cr_assert(not(step.odd));
    cr_assert(not(step.jump));
    step = fh_address_next(&address, 20, 31, 32);
    cr_assert(step.jump && step.odd);
    cr_assert(eq(i64, step.expected, 30));
}
