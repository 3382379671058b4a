#include "hunt/sieve.h"

#include <assert.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* ---- ways of sifting ------------------------------------------------------------------------- */

static size_t sift_plain(const fh_sieve_tables *tables, unsigned phase, const uint8_t *at,
                         size_t num)
{
    for (size_t i = 0; i < num; i++) {
        const unsigned first = at[i];
        const unsigned second = at[i + 1];
        const unsigned lures = (unsigned)tables->low[0][first & 15u] & tables->high[0][first >> 4] &
                               tables->low[1][second & 15u] & tables->high[1][second >> 4] &
                               tables->allowed[phase][i % FH_SIEVE_HALVES];
        if (lures != 0) {
            return i;
        }
    }
    return num;
}

static bool is_always_there(void)
{
    return true;
}

/* What is left behind the last whole vector; i is a multiple of its length, which keeps the phase.
 */
static size_t sift_rest(const fh_sieve_tables *tables, unsigned phase, const uint8_t *at,
                        size_t num, size_t i)
{
    return i + sift_plain(tables, phase, at + i, num - i);
}

#if defined(__x86_64__) || defined(__i386__)

#define SSSE3 __attribute__((target("ssse3")))
#define AVX2 __attribute__((target("avx2")))

/* A load of any alignment; the compiler's own cast would complain of it. */
SSSE3 static __m128i load16(const uint8_t *at)
{
    __m128i out;
    memcpy(&out, at, sizeof out);
    return out;
}

SSSE3 static __m128i look_up16(__m128i low, __m128i high, __m128i bytes)
{
    const __m128i half = _mm_set1_epi8(15);
    return _mm_and_si128(_mm_shuffle_epi8(low, _mm_and_si128(bytes, half)),
                         _mm_shuffle_epi8(high, _mm_and_si128(_mm_srli_epi16(bytes, 4), half)));
}

SSSE3 static size_t sift_ssse3(const fh_sieve_tables *tables, unsigned phase, const uint8_t *at,
                               size_t num)
{
    enum { LEN = 16 };
    const __m128i low[2] = {load16(tables->low[0]), load16(tables->low[1])};
    const __m128i high[2] = {load16(tables->high[0]), load16(tables->high[1])};
    const __m128i allowed = load16(tables->allowed[phase]);
    size_t i = 0;
    for (; num - i >= LEN; i += LEN) {
        const __m128i both = _mm_and_si128(look_up16(low[0], high[0], load16(at + i)),
                                           look_up16(low[1], high[1], load16(at + i + 1)));
        const __m128i none = _mm_cmpeq_epi8(_mm_and_si128(both, allowed), _mm_setzero_si128());
        const unsigned found = ~(unsigned)_mm_movemask_epi8(none) & 0xffffu;
        if (found != 0) {
            return i + (size_t)__builtin_ctz(found);
        }
    }
    return sift_rest(tables, phase, at, num, i);
}

AVX2 static __m256i load32(const uint8_t *at)
{
    __m256i out;
    memcpy(&out, at, sizeof out);
    return out;
}

AVX2 static __m256i load_twice(const uint8_t *at)
{
    __m128i out;
    memcpy(&out, at, sizeof out);
    return _mm256_broadcastsi128_si256(out);
}

AVX2 static __m256i look_up32(__m256i low, __m256i high, __m256i bytes)
{
    const __m256i half = _mm256_set1_epi8(15);
    return _mm256_and_si256(
        _mm256_shuffle_epi8(low, _mm256_and_si256(bytes, half)),
        _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half)));
}

AVX2 static size_t sift_avx2(const fh_sieve_tables *tables, unsigned phase, const uint8_t *at,
                             size_t num)
{
    enum { LEN = 32 };
    const __m256i low[2] = {load_twice(tables->low[0]), load_twice(tables->low[1])};
    const __m256i high[2] = {load_twice(tables->high[0]), load_twice(tables->high[1])};
    const __m256i allowed = load_twice(tables->allowed[phase]);
    size_t i = 0;
    for (; num - i >= LEN; i += LEN) {
        const __m256i both = _mm256_and_si256(look_up32(low[0], high[0], load32(at + i)),
                                              look_up32(low[1], high[1], load32(at + i + 1)));
        if (!_mm256_testz_si256(both, allowed)) {
            const __m256i none =
                _mm256_cmpeq_epi8(_mm256_and_si256(both, allowed), _mm256_setzero_si256());
            return i + (size_t)__builtin_ctz(~(unsigned)_mm256_movemask_epi8(none));
        }
    }
    return sift_rest(tables, phase, at, num, i);
}

static bool has_ssse3(void)
{
    return __builtin_cpu_supports("ssse3") != 0;
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}

#elif defined(__aarch64__)

static uint8x16_t look_up(uint8x16_t low, uint8x16_t high, uint8x16_t bytes)
{
    return vandq_u8(vqtbl1q_u8(low, vandq_u8(bytes, vdupq_n_u8(15))),
                    vqtbl1q_u8(high, vshrq_n_u8(bytes, 4)));
}

/* Every processor of this sort has it. */
static size_t sift_neon(const fh_sieve_tables *tables, unsigned phase, const uint8_t *at,
                        size_t num)
{
    enum { LEN = 16 };
    const uint8x16_t low[2] = {vld1q_u8(tables->low[0]), vld1q_u8(tables->low[1])};
    const uint8x16_t high[2] = {vld1q_u8(tables->high[0]), vld1q_u8(tables->high[1])};
    const uint8x16_t allowed = vld1q_u8(tables->allowed[phase]);
    size_t i = 0;
    for (; num - i >= LEN; i += LEN) {
        const uint8x16_t both = vandq_u8(look_up(low[0], high[0], vld1q_u8(at + i)),
                                         look_up(low[1], high[1], vld1q_u8(at + i + 1)));
        if (vmaxvq_u8(vandq_u8(both, allowed)) != 0) {
            return i + sift_plain(tables, phase, at + i, LEN);
        }
    }
    return sift_rest(tables, phase, at, num, i);
}

#endif

static const fh_sift_way ways[] = {
    {"plain", sift_plain, is_always_there},
#if defined(__x86_64__) || defined(__i386__)
    {"SSSE3", sift_ssse3, has_ssse3},
    {"AVX2", sift_avx2, has_avx2},
#elif defined(__aarch64__)
    {"NEON", sift_neon, is_always_there},
#endif
};

const fh_sift_way *fh_sift_ways(size_t *num)
{
    *num = sizeof ways / sizeof ways[0];
    return ways;
}

/* ---- words ----------------------------------------------------------------------------------- */

static unsigned bit_of(size_t lure)
{
    return 1u << lure % 8;
}

/* The halves that one byte of a word allows. */
static void allow(uint8_t out[FH_SIEVE_HALVES], unsigned mask, unsigned value, unsigned bit)
{
    for (unsigned half = 0; half < FH_SIEVE_HALVES; half++) {
        if ((half & mask) == value) {
            out[half] = (uint8_t)(out[half] | bit);
        }
    }
}

static void add_lure(fh_sieve_tables *tables, const fh_lure *lure, unsigned bit)
{
    assert(lure->alignment == 1 || lure->alignment == 2 || lure->alignment == 4);
    for (unsigned i = 0; i < 2; i++) {
        const unsigned mask = lure->magic.mask >> (8 * i) & 0xffu;
        const unsigned value = lure->magic.value >> (8 * i) & 0xffu;
        allow(tables->low[i], mask & 15u, value & 15u, bit);
        allow(tables->high[i], mask >> 4, value >> 4, bit);
    }
    for (unsigned phase = 0; phase < FH_SIEVE_PHASES; phase++) {
        for (unsigned i = 0; i < FH_SIEVE_HALVES; i++) {
            if ((phase + i) % lure->alignment == 0) {
                tables->allowed[phase][i] = (uint8_t)(tables->allowed[phase][i] | bit);
            }
        }
    }
}

void fh_sieve_set(fh_sieve *sieve, const fh_lure *lures, size_t num_lures)
{
    *sieve = (fh_sieve){.lures = lures, .num_lures = num_lures};
    for (size_t i = 0; i < num_lures; i++) {
        add_lure(&sieve->tables, &lures[i], bit_of(i));
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        sieve->sift = ways[i].is_there() ? ways[i].sift : sieve->sift;
    }
}

static bool is_lure(const fh_sieve *sieve, const uint8_t *at, size_t place)
{
    const uint32_t word =
        (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    for (size_t i = 0; i < sieve->num_lures; i++) {
        const fh_lure *lure = &sieve->lures[i];
        /* A power of two: a division would cost more than all the rest. */
        if ((word & lure->magic.mask) == lure->magic.value &&
            (place & (lure->alignment - 1)) == 0) {
            return true;
        }
    }
    return false;
}

size_t fh_sieve_find(bool *is_found, const fh_sieve *sieve, const uint8_t *bytes, size_t len,
                     size_t from, unsigned phase)
{
    const size_t end = len < 3 ? 0 : len - 3;
    *is_found = false;
    while (from < end) {
        const unsigned here = (unsigned)((phase + from) % FH_SIEVE_PHASES);
        from += sieve->sift(&sieve->tables, here, bytes + from, end - from);
        if (from < end && is_lure(sieve, bytes + from, phase + from)) {
            *is_found = true;
            return from;
        }
        from += from < end ? 1 : 0;
    }
    return from;
}
