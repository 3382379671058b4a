#include "id_list.h"

#include <stddef.h>

const char *fh_id_list_next(const char *at, int64_t *first, int64_t *last)
{
    int64_t *number = first;
    size_t num_digits = 0;
    for (*first = 0; (*at >= '0' && *at <= '9') || (*at == '-' && number == first && num_digits);
         at++) {
        if (*at == '-') {
            number = last;
            *last = 0;
            num_digits = 0;
        } else if (++num_digits > 18) { /* so many digits fit in 64 bits */
            return NULL;
        } else {
            *number = 10 * *number + (*at - '0');
        }
    }
    if (num_digits == 0 || (*at != ',' && *at != '\0')) {
        return NULL;
    }
    if (number == first) {
        *last = *first;
    }
    return *at == ',' ? at + 1 : at;
}

bool fh_is_id_list(const char *list)
{
    int64_t first = 0;
    int64_t last = 0;
    const char *at = list;
    while (at != NULL && *at != '\0') {
        at = fh_id_list_next(at, &first, &last);
    }
    return at != NULL && at != list;
}

bool fh_id_list_has(const char *list, int64_t id)
{
    int64_t first = 0;
    int64_t last = 0;
    for (const char *at = list; at != NULL && *at != '\0';) {
        at = fh_id_list_next(at, &first, &last);
        if (id >= first && id <= last) {
            return true;
        }
    }
    return false;
}
