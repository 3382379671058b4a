#include "fuzz_complain.h"

#include <stdarg.h>
#include <string.h>

static unsigned num;
static fuzz_sum said;

void __wrap_fh_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

void __wrap_fh_complain(const char *format, ...)
{
    char text[8192];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fuzz_demand_line(text, "a complaint is one line");
    fuzz_fold_text(&said, text);
    num++;
}

void fuzz_complaints(void)
{
    num = 0;
    said = FUZZ_SUM;
}

unsigned fuzz_num_complaints(fuzz_sum *sum)
{
    fuzz_fold_number(sum, (int64_t)said);
    return num;
}
