/* Globs: what gate/glob.h says of them, and that none takes long. */
#include "gate/glob.h"
#include "gate/limits.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct sample {
    const char *glob;
    const char *path;
    bool matches;
} sample;

static const sample samples[] = {
    /* one part: the name, in any folder */
    {"a.tod", "a.tod", true},
    {"a.tod", "b/c/a.tod", true},
    {"a.tod", "a.tod/b", false},
    {"*.tod", "b/a.tod", true},
    {"*.tod", "b/a.hmd", false},
    {"*.TOD", "a.tod", false},
    {"*", ".hidden", true},
    {"a?c", "abc", true},
    {"a?c", "ac", false},
    {"a?c",
     "a\xc3\xa4"
     "c",
     true},
    {"a??c",
     "a\xc3\xa4"
     "c",
     false},
    {"a?c",
     "a\xff"
     "c",
     true},
    {"a?c",
     "a\xe2\x82\xac"
     "c",
     true},
    {"a?c",
     "a\xf0\x9f\x98\x80"
     "c",
     true},
    {"a??", "a\xe2\x82", true}, /* the rest of a character that is cut off */
    {"a?", "a\xe2\x82", false},
    {"a??c",
     "a\xc3"
     "bc",
     true},
    {"[ab].tod", "b.tod", true},
    {"[a-c].tod", "c.tod", true},
    {"[a-c].tod", "d.tod", false},
    {"[!a-c].tod", "d.tod", true},
    {"[!a-c].tod", "a.tod", false},
    {"[]a].tod", "].tod", true},
    {"[a-].tod", "-.tod", true},
    {"\\*.tod", "*.tod", true},
    {"\\*.tod", "a.tod", false},
    {"\\[a].tod", "[a].tod", true},
    {"a*b*c", "aXbXbXc", true},
    {"a*b*c", "aXcXb", false},
    {"*a*", "bab", true},
    {"**", "a/b", true},
    {"a**b", "aXXb", true},
    /* more parts: the whole path */
    {"/a.tod", "a.tod", true},
    {"/a.tod", "b/a.tod", false},
    {"a/*.tod", "a/b.tod", true},
    {"a/*.tod", "a/b/c.tod", false},
    {"a/*.tod", "x/a/b.tod", false},
    {"a/*", "a/b/c", false},
    {"a/**", "a/b/c", true},
    {"a/**", "a", true},
    {"a/**", "ab/c", false},
    {"**/a.tod", "a.tod", true},
    {"**/a/b", "x/y/a/b", true},
    {"**/a/b", "x/a/y/b", false},
    {"a/**/b", "a/b", true},
    {"a/**/b", "a/x/y/b", true},
    {"a/**/b/**/c", "a/b/x/b/c", true},
    {"a/**/b/**/c", "a/c/x/b", false},
    {"a?b/c", "a/b/c", false},
    {"a[!x]b/c", "a/b/c", false},
    /* folders */
    {"old/", "old/a.tod", true},
    {"old/", "x/old/y/a.tod", true},
    {"old/", "old", false},
    {"old/", "x/old", false},
    {"old/", "older/a", false},
    {"/old/", "old/a.tod", true},
    {"/old/", "x/old/a.tod", false},
    {"a/old/", "a/old/x/y", true},
    {"a/old/", "a/old", false},
    {"a/*/", "a/b/c", true},
    {"a/*/", "a/b", false},
    /* turned round */
    {"!*.tod", "a.tod", false},
    {"!*.tod", "a.hmd", true},
    {"!old/", "new/a.tod", true},
    {"\\!a", "!a", true},
};

Test(glob, says_which_paths)
{
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const sample *one = &samples[i];
        cr_assert_null(fh_glob_fault(one->glob), "%s", one->glob);
        cr_assert_eq(fh_glob_match(one->glob, one->path), one->matches, "%s and %s", one->glob,
                     one->path);
    }
}

Test(glob, names_its_faults)
{
    static const char *const wrong[] = {"",       "!",       "/",   "a//b",  "[a",
                                        "[]",     "a/[b/c]", "a\\", "a\\/b", "./a",
                                        "a/../b", "..",      "//",  "a//",   "[!]"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cr_assert_not_null(fh_glob_fault(wrong[i]), "%s", wrong[i]);
    }
    char longest[FH_CONFIG_MAX_LINE + 2];
    memset(longest, 'a', sizeof longest);
    longest[FH_CONFIG_MAX_LINE] = '\0';
    cr_assert_null(fh_glob_fault(longest));
    longest[FH_CONFIG_MAX_LINE] = 'a';
    longest[FH_CONFIG_MAX_LINE + 1] = '\0';
    cr_assert_not_null(fh_glob_fault(longest));
}

/* A matcher that tries every length of every star would not end in a lifetime. */
static void fill(char *out, size_t len, const char *with)
{
    const size_t step = strlen(with);
    for (size_t i = 0; i < len; i++) {
        out[i] = with[i % step];
    }
    out[len] = '\0';
}

Test(glob, never_takes_long, .timeout = 20)
{
    char glob[FH_CONFIG_MAX_LINE + 1];
    char path[4096];
    fill(glob, FH_CONFIG_MAX_LINE - 1, "*a");
    glob[FH_CONFIG_MAX_LINE - 2] = 'b';
    fill(path, sizeof path - 1, "a");
    cr_assert_not(fh_glob_match(glob, path));
    fill(glob, FH_CONFIG_MAX_LINE - 5, "**/a/");
    strcat(glob, "b");
    fill(path, sizeof path - 2, "a/");
    cr_assert_null(fh_glob_fault(glob));
    cr_assert_not(fh_glob_match(glob, path));
    fill(glob, 192, "**/*a*a/");
    glob[190] = 'b';
    glob[191] = '\0';
    fill(path, sizeof path - 2, "aaaaaaaaaaaaaaa/");
    cr_assert_not(fh_glob_match(glob, path));
}

/* Stars only skip; the straightforward definition agrees on short words over a small alphabet. */
static bool defined(const char *glob, const char *path)
{
    if (*glob == '\0') {
        return *path == '\0';
    }
    if (glob[0] == '*') {
        return defined(glob + 1, path) || (*path != '\0' && defined(glob, path + 1));
    }
    return (*glob == '?' ? *path != '\0' : *glob == *path) && *path != '\0' &&
           defined(glob + 1, path + 1);
}

Test(glob, agrees_with_the_definition)
{
    static const char letters[] = "ab*?";
    for (unsigned g = 0; g < 1024; g++) {
        char glob[6];
        for (size_t i = 0; i < 5; i++) {
            glob[i] = letters[g >> 2 * i & 3];
        }
        glob[5] = '\0';
        for (unsigned p = 0; p < 128; p++) {
            char path[9];
            size_t len = 0;
            for (unsigned bits = p | 128u; bits > 1; bits >>= 1) {
                path[len++] = bits & 1 ? 'a' : 'b';
            }
            path[len] = '\0';
            cr_assert_eq(fh_glob_match(glob, path), defined(glob, path), "%s and %s", glob, path);
        }
    }
}
