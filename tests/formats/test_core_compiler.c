/* What the code takes for granted of the compiler. */
#include "bench.h"

Test(compiler, signed_numbers_are_as_the_code_assumes)
{
    volatile uint32_t u32 = 0x80000000u;
    volatile uint16_t u16 = 0x8001u;
    volatile int32_t negative = -1;
    volatile int32_t odd = -4097;
    cr_assert(eq(i32, (int32_t)u32, INT32_MIN));
    cr_assert(eq(i32, (int16_t)u16, -32767));
    cr_assert(eq(i32, negative >> 12, -1));
    cr_assert(eq(i32, odd >> 12, -2));
    cr_assert(eq(i64, (int64_t)odd >> 12, -2));
    cr_assert(eq(i32, odd / 4096, -1));
    cr_assert(eq(i64, FH_UNKNOWN, INT64_MIN));
}
