/* Names of extracted assets: safe whatever comes in, different for what differs, and stable. */
#include "hunt/asset_name.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static const char sha[] = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

static const fh_asset_place disc = {"some/where/disc.bin", "tod", 0xca38, "/DATA/WALK.TOD", 0, sha};

static char *name_of(const fh_asset_place *place)
{
    static char names[4][FH_ASSET_NAME_SIZE];
    static unsigned next;
    char *name = names[next++ % 4];
    cr_assert(fh_asset_name(name, place));
    return name;
}

static void expect_safe(const char *name)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    cr_expect(eq(sz, strspn(name, safe), strlen(name)), "%s", name);
    cr_expect(name[0] != '.' && name[0] != '-' && name[0] != '\0', "%s", name);
    cr_expect(strlen(name) + FH_ASSET_NAME_SUFFIX <= FH_ASSET_NAME_MAX, "%s", name);
}

/* A change here gives every asset that was ever extracted another name. */
Test(asset_name, is_what_it_always_was)
{
    cr_assert(eq(str, name_of(&disc), "disc.bin_DATA_WALK.TOD_0123456789ab_73f66239.tod"));
    fh_asset_place inside = disc;
    inside.iso_offset = 0x1a0;
    cr_assert(eq(str, name_of(&inside), "disc.bin_DATA_WALK.TOD-0x1a0_0123456789ab_e60786df.tod"));
    fh_asset_place hidden = disc;
    hidden.iso_path = NULL;
    hidden.path = "a.zip!/b";
    cr_assert(eq(str, name_of(&hidden), "b_0x0000ca38_0123456789ab_2a2593be.tod"));
}

Test(asset_name, differs_for_what_differs)
{
    fh_asset_place others[] = {disc, disc, disc, disc, disc, disc, disc};
    others[0].path = "else/where/disc.bin";
    others[1].format = "hmd";
    others[2].raw_offset++;
    others[3].iso_path = "/DATA_WALK.TOD"; /* written as the other is */
    others[4].iso_offset = 1;
    others[5].iso_path = NULL;
    others[6].sha256 = sha + 1;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        cr_expect(ne(str, name_of(&others[i]), name_of(&disc)), "%zu", i);
    }
    cr_expect(eq(str, name_of(&disc), name_of(&disc)));
}

Test(asset_name, is_safe_whatever_comes)
{
    static char longest[5000];
    memset(longest, '/', sizeof longest - 1);
    memset(longest + 2000, 'x', sizeof longest - 2001);
    const char *const texts[] = {"",    ".",       "..", "../../etc/x",  "a\nb",        "\x1b[2J",
                                 "-rf", ".hidden", "/",  "\xff\xfe\x80", "a b\tc\\d:*", longest};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        fh_asset_place place = disc;
        place.path = texts[i];
        expect_safe(name_of(&place));
        place.iso_path = texts[i];
        place.iso_offset = INT64_MAX;
        place.raw_offset = INT64_MIN;
        expect_safe(name_of(&place));
        place.format = texts[i];
        expect_safe(name_of(&place));
        place.sha256 = texts[i];
        expect_safe(name_of(&place));
    }
}

/* What is left of a long name is its end, and two long names of the same end are still two. */
Test(asset_name, long_ones_keep_their_end)
{
    char a[600];
    char b[600];
    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    memcpy(a + sizeof a - 9, "disc.bin", 9);
    memcpy(b + sizeof b - 9, "disc.bin", 9);
    a[500] = b[500] = 'c';
    memset(a + 500, 'c', 91);
    memset(b + 500, 'c', 91);
    fh_asset_place of_a = disc;
    fh_asset_place of_b = disc;
    of_a.path = a;
    of_b.path = b;
    cr_expect(strstr(name_of(&of_a), "cdisc.bin_") != NULL);
    cr_expect(ne(str, name_of(&of_a), name_of(&of_b)));
    expect_safe(name_of(&of_a));
}
