/* The votes for where a source lay in main RAM. */
#include "hunt/base.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static const char *told(const fh_base_poll *poll)
{
    static char buf[FH_EVIDENCE_LEN];
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_base_tell(&text, poll);
    return buf;
}

Test(base, the_same_from_all_segments_and_places)
{
    fh_base_poll poll = {0};
    cr_assert(eq(int, fh_base_is_agreed(&poll), false));
    cr_assert(eq(str, (char *)told(&poll), ""));
    fh_base_vote(&poll, 0x500, 0x80010500);
    cr_assert(eq(int, fh_base_is_agreed(&poll), true));
    cr_assert(eq(str, (char *)told(&poll), "0x80010000 (1 vote)"));
    fh_base_vote(&poll, 0x900, 0x00010900);
    fh_base_vote(&poll, 0, 0xa0010000);
    cr_assert(eq(str, (char *)told(&poll), "0x80010000 (3 votes)"));
    cr_assert(eq(int, fh_base_is_agreed(&poll), true));
}

Test(base, ram_may_begin_inside_the_source)
{
    fh_base_poll poll = {0};
    fh_base_vote(&poll, 0x9025 + 0x1234, 0x80001234);
    fh_base_vote(&poll, 0x9025 + 0x20000, 0x80020000);
    cr_assert(eq(int, fh_base_is_agreed(&poll), true));
    cr_assert(eq(u32, poll.bases[0].address, 0x800000 - 0x9025));
}

Test(base, more_than_are_told_apart)
{
    fh_base_poll poll = {0};
    for (int64_t i = 0; i < 7; i++) {
        fh_base_vote(&poll, 0, 0x80010000 + 0x1000 * i);
        fh_base_vote(&poll, 0x10, 0x80010010);
    }
    cr_assert(eq(int, fh_base_is_agreed(&poll), false));
    cr_assert(eq(str, (char *)told(&poll),
                 "0x80010000 (8 votes), 0x80011000 (1), 0x80012000 (1), 0x80013000 (1), "
                 "others (3)"));
}
