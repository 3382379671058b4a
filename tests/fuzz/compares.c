/* Comparisons of signed and unsigned numbers, of which a compiler that splits them up has to make
 * what every other one makes: prints how often each holds. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#define APART __attribute__((noinline)) static int

APART lies(int64_t off, int64_t len)
{
    return off >= 0 && len > 0 && len <= 300 - off;
}

APART signed_most(int64_t a, int64_t b)
{
    return a <= b;
}

APART signed_less(int64_t a, int64_t b)
{
    return a < b;
}

APART unsigned_most(int64_t a, int64_t b)
{
    return (uint64_t)a <= (uint64_t)b;
}

APART short_most(int64_t a, int64_t b)
{
    return (int32_t)a <= (int32_t)b;
}

int main(void)
{
    static int (*const asked[])(int64_t, int64_t) = {lies, signed_most, signed_less, unsigned_most,
                                                     short_most};
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        int num = 0;
        for (int64_t a = -3; a < 1000; a += 7) {
            for (int64_t b = -3; b < 1000; b += 11) {
                num += asked[i](a, b);
            }
        }
        printf("%zu %d\n", i, num);
    }
    return 0;
}
