/* Configurations: what is read, and what is refused with which words. */
#include "gate/config.h"
#include "gate/limits.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/redirect.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/framehound-config-XXXXXX";

static fh_exit read_bytes(fh_config *config, const char *bytes, size_t len)
{
    bool is_there = false;
    const int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, bytes, len) == (ssize_t)len);
    close(fd);
    const fh_exit exit = fh_config_read(config, &is_there, path, "/folder", true);
    cr_assert(is_there);
    unlink(path);
    memcpy(strrchr(path, '-'), "-XXXXXX", 7);
    return exit;
}

static fh_exit read_text(fh_config *config, const char *text)
{
    return read_bytes(config, text, strlen(text));
}

Test(config, takes_everything)
{
    fh_config config;
    cr_assert(eq(int,
                 read_text(&config, "\xef\xbb\xbf; comment\r\n"
                                    "[check]\r\n"
                                    "select = tod, HMD02*\r\n"
                                    "ignore =\n"
                                    "  TOD01, ; why\n"
                                    "\n"
                                    "  # more\n"
                                    "\tTOD0022\n"
                                    "fail-on: warning\n"
                                    "bac = models/one.bac\n"
                                    "baseline = none\n"
                                    "[severity]\n"
                                    "ALL = note ; all\n"
                                    "[per-file-ignores]\n"
                                    "old stuff/** = TOD\n"
                                    "[per-file-severity]\n"
                                    "*.hmd = HMD=off TOD=error"),
                 FH_EXIT_OK));
    static const struct {
        fh_choice_kind kind;
        const char *prefix;
        const char *glob;
        unsigned line;
    } expected[] = {
        {FH_CHOICE_SELECT, "TOD", NULL, 3},    {FH_CHOICE_SELECT, "HMD02", NULL, 3},
        {FH_CHOICE_IGNORE, "TOD01", NULL, 5},  {FH_CHOICE_IGNORE, "TOD0022", NULL, 8},
        {FH_CHOICE_GRADE, "", NULL, 13},       {FH_CHOICE_IGNORE, "TOD", "old stuff/**", 15},
        {FH_CHOICE_GRADE, "HMD", "*.hmd", 17}, {FH_CHOICE_GRADE, "TOD", "*.hmd", 17},
    };
    cr_assert(eq(sz, config.choices.num, sizeof expected / sizeof expected[0]));
    for (size_t i = 0; i < config.choices.num; i++) {
        const fh_choice *one = &config.choices.items[i];
        cr_assert_eq(one->kind, expected[i].kind, "%zu", i);
        cr_assert_str_eq(one->prefix, expected[i].prefix);
        cr_assert_eq(one->line, expected[i].line, "%zu: line %u", i, one->line);
        cr_assert_eq(one->glob == NULL, expected[i].glob == NULL);
        cr_assert(one->glob == NULL || strcmp(one->glob, expected[i].glob) == 0);
    }
    cr_assert(config.choices.items[6].is_off && !config.choices.items[7].is_off);
    cr_assert(eq(str, config.values[FH_KEY_FAIL_ON], "warning"));
    cr_assert(eq(str, config.values[FH_KEY_BAC], "/folder/models/one.bac"));
    cr_assert(eq(str, config.values[FH_KEY_BASELINE], "none"));
    cr_assert_null(config.values[FH_KEY_PROFILE]);
    fh_config_free(&config);
}

/* A glob longer than what the library keeps of a name, with a list of two lines. */
Test(config, keeps_long_globs_whole)
{
    static const char glob[] = "characters/heroes/animations/imported/second-try/*.tod";
    char text[300];
    fh_config config;
    snprintf(text, sizeof text, "[per-file-ignores]\n%s = TOD01\n TOD00\n", glob);
    cr_assert(eq(int, read_text(&config, text), FH_EXIT_OK));
    cr_assert(eq(sz, config.choices.num, 2));
    cr_assert(eq(str, config.choices.items[0].glob, (char *)glob));
    cr_assert(eq(str, config.choices.items[1].glob, (char *)glob));
    fh_config_free(&config);
}

static const struct {
    const char *text;
    const char *says;
} wrong[] = {
    {"\n[chekc]\n", ":2: there is no section 'chekc'; did you mean check?"},
    {"[check]\n[x]\n", ":2: there is no section 'x'; known are check, severity"},
    {"[check]\nselekt = TOD\n", ":2: [check] has no key 'selekt'; did you mean select?"},
    {"[check]\n= TOD\n", ":2: [check] has no key ''"},
    {"select = TOD\n", ":1: this stands in no section"},
    {"[check]\nselect = TOD1\n", ":2: no rule is called, or begins with, 'TOD1'; did you mean TOD"},
    {"[check]\nselect = \xff\x1f\n", ":2: this is no text"},
    {"[check]\nselect = TOD01\n  ignore = TOD\n",
     ":3: no rule is called, or begins with, 'ignore'"},
    {"[check]\nselect = TOD01\n  ignore = TOD\n", "begins with a blank goes on"},
    {"[check]\nselect = \n\nignore = TOD\n", ":2: no code is named"},
    {"[check]\nselect = \n[severity]\n", ":2: no code is named"},
    {"[check]\nselect = ,\n", ":2: no code is named"},
    {"[check]\nignore =", ":2: no code is named"},
    {"[check]\nfail-on = errors\n", ":2: fail-on is error, warning, note or never, not 'errors'"},
    {"[check]\nmin-severity = never\n", ":2: min-severity is error, warning or note, not 'never'"},
    {"[check]\nprofile = 9\n", ":2: profile is the name of a player"},
    {"[check]\nbac =\n", ":2: bac is the name of a file, or none"},
    {"[check]\nbac = a\n\nbac = b\n", ":4: bac has a value already, in line 2"},
    {"[severity]\nTOD0001 = eror\n",
     ":2: a severity is error, warning, note or off, not 'eror'; did you mean error?"},
    {"[severity]\nTDO0001 = error\n", ":2: no rule is called, or begins with, 'TDO0001'"},
    {"[severity]\nTOD0001\n", ":2: neither a [section] nor a key"},
    {"[check]\n[severity]\n[check\n", ":3: neither a [section] nor a key"},
    {"[severity]\nnonsense\n[nowhere]\n", ":2: neither a [section] nor a key"},
    {"[check]\n [severity]\n", ":2: a [ behind blanks"},
    {"[per-file-ignores]\na[b = TOD\n", ":2: the glob 'a[b' is wrong"},
    {"[per-file-severity]\n* = TOD\n", ":2: a severity is given as CODE=LEVEL, not as 'TOD'"},
};

Test(config, says_what_is_wrong_and_where)
{
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fh_config config;
        char said[2000] = "";
        int ends[2];
        cr_assert(pipe(ends) == 0);
        const int kept = dup(2);
        dup2(ends[1], 2);
        const fh_exit exit = read_text(&config, wrong[i].text);
        dup2(kept, 2);
        close(kept);
        close(ends[1]);
        cr_assert(read(ends[0], said, sizeof said - 1) > 0, "%s: nothing was said", wrong[i].text);
        close(ends[0]);
        cr_assert_eq(exit, FH_EXIT_USAGE, "%s", wrong[i].text);
        cr_assert(strstr(said, wrong[i].says) != NULL, "%s: %s", wrong[i].text, said);
        cr_assert_eq(strchr(said, '\n') - said, (long)strlen(said) - 1, "one line: %s", said);
        fh_config_free(&config);
    }
}

Test(config, takes_no_line_that_is_too_long)
{
    char text[FH_CONFIG_MAX_LINE + 40] = "[check]\n";
    fh_config config;
    memset(text + 8, ' ', FH_CONFIG_MAX_LINE);
    memcpy(text + 8, "ignore = TOD", 12);
    memcpy(text + 8 + FH_CONFIG_MAX_LINE, "\n", 2);
    cr_assert(eq(int, read_text(&config, text), FH_EXIT_OK));
    cr_assert(eq(sz, config.choices.num, 1));
    fh_config_free(&config);
    memcpy(text + 8 + FH_CONFIG_MAX_LINE, " \n", 3);
    cr_assert(eq(int, read_text(&config, text), FH_EXIT_USAGE));
    fh_config_free(&config);
}

Test(config, is_bounded)
{
    static char text[FH_CONFIG_MAX_LEN + 2];
    fh_config config;
    memset(text, '\n', sizeof text);
    cr_assert(eq(int, read_bytes(&config, text, FH_CONFIG_MAX_LEN), FH_EXIT_OK));
    fh_config_free(&config);
    cr_assert(eq(int, read_bytes(&config, text, FH_CONFIG_MAX_LEN + 1), FH_EXIT_USAGE));
    fh_config_free(&config);
    size_t len = (size_t)sprintf(text, "[check]\n");
    for (unsigned i = 0; i <= FH_MAX_CHOICES; i++) {
        len += (size_t)sprintf(text + len, i % 64 == 0 ? "\nignore=T" : " T");
    }
    cr_assert(eq(int, read_bytes(&config, text, len), FH_EXIT_USAGE));
    cr_assert(eq(sz, config.choices.num, FH_MAX_CHOICES));
    fh_config_free(&config);
}

/* Bytes of no meaning are refused or read, and never anything else. */
Test(config, survives_noise)
{
    static const char alphabet[] = "[]=:;# \t\n\r\\*TOD01check,severity\xc3\xa4";
    uint32_t seed = 1;
    for (int i = 0; i < 2000; i++) {
        char text[200];
        size_t len =
            (size_t)snprintf(text, sizeof text, i % 2 ? "[check]\n" : "[per-file-ignores]\n");
        for (; len < 100; len++) {
            seed = seed * 1664525u + 1013904223u;
            text[len] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
        }
        fh_config config;
        const int kept = dup(2);
        const int null = open("/dev/null", O_WRONLY);
        dup2(null, 2);
        const fh_exit exit = read_bytes(&config, text, len);
        dup2(kept, 2);
        close(null);
        close(kept);
        cr_assert(exit == FH_EXIT_OK || exit == FH_EXIT_USAGE);
        fh_config_free(&config);
    }
}
