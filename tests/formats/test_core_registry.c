/* The registry: which formats there are, and that each is whole. */
#include "bench.h"

#include <string.h>

Test(registry, finds_by_name_and_by_path)
{
    const fh_format *tod = fh_format_find("tod");
    cr_assert(tod != NULL);
    cr_assert(fh_format_find("TOD") == NULL);
    cr_assert(fh_format_find("") == NULL);
    cr_assert(fh_format_find("todd") == NULL);
    static const char *const yes[] = {"a.tod", "a.TOD", "a.ToD", ".tod", "x/y.z/a.b.tod", "/a.tOd"};
    static const char *const no[] = {"",        "tod",    "a.",    "a.to",    "a.todd",
                                     "a.tod/b", "a.tod.", "a.tmd", "a.t\xcf", "a.tod/",
                                     "a.[od",   "a.@od",  "a/b"};
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        HOLD(fh_format_by_path(yes[i]) == tod, "%s", yes[i]);
    }
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++) {
        HOLD(fh_format_by_path(no[i]) == NULL, "%s", no[i]);
    }
}

Test(registry, every_format_is_whole_and_its_rules_are_in_order)
{
    cr_assert(fh_num_formats >= 1);
    for (size_t i = 0; i < fh_num_formats; i++) {
        const fh_format *format = fh_formats[i];
        HOLD(fh_format_find(format->name) == format, "%s is found by its name", format->name);
        HOLD(format->title != NULL && format->extensions[0] != NULL && format->profiles[0] != NULL,
             "%s lacks something", format->name);
        HOLD(format->probe != NULL && format->verify != NULL && format->replay != NULL,
             "functions");
        HOLD(format->num_magics > 0 && format->alignment > 0, "magic");
        for (size_t k = 0; k < format->num_magics; k++) {
            HOLD((format->magics[k].value & ~format->magics[k].mask) == 0, "magic %zu", k);
        }
        for (size_t k = 0; k < format->num_rules; k++) {
            const fh_rule *rule = &format->rules[k];
            HOLD(rule->severity <= FH_ERROR && rule->title[0] != '\0' &&
                     rule->explanation[0] != '\0' && rule->source[0] != '\0' &&
                     rule->mend[0] != '\0',
                 "%s lacks something", rule->code);
            HOLD(strlen(rule->code) == 7, "%s", rule->code);
            HOLD(k == 0 || strcmp(rule[-1].code, rule->code) < 0, "%s is out of order", rule->code);
        }
    }
}
