#include "reports/real.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void fh_real_text(char text[FH_REAL_LEN], double real, int num_digits)
{
    char local[FH_REAL_LEN];
    int len = snprintf(local, sizeof local, "%.*g", num_digits, real);
    assert(len > 0 && (size_t)len < sizeof local);
    size_t end = 0;
    for (int i = 0; i < len; i++) {
        bool plain = strchr("0123456789+-e", local[i]) != NULL;
        if (plain) {
            text[end++] = local[i];
        } else if (end > 0 && text[end - 1] != '.') {
            text[end++] = '.';
        }
    }
    text[end] = '\0';
}
