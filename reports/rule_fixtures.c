#include "reports/rule_fixtures.h"

#include <string.h>

const fh_rule_fixtures *fh_rule_fixtures_of(const char *code)
{
    size_t from = 0;
    size_t to = fh_num_rule_fixtures;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        const int order = strcmp(code, fh_all_rule_fixtures[middle].code);
        if (order == 0) {
            return &fh_all_rule_fixtures[middle];
        }
        if (order < 0) {
            to = middle;
        } else {
            from = middle + 1;
        }
    }
    return NULL;
}
