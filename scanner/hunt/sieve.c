#include "hunt/sieve.h"

#include <assert.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* ---- ways of sifting ------------------------------------------------------------------------- */

/* The lures that may have a byte as their manieth. */
static unsigned lures_with(const fh_sieve_tables *tables, unsigned manieth, unsigned byte)
{
    return (unsigned)tables->low[manieth][byte & 15u] & tables->high[manieth][byte >> 4];
}

/* The lures of which three neighbouring bytes may be the first; bit i as in the tables. */
static unsigned lures_of(const fh_sieve_tables *tables, const uint8_t *at)
{
    return lures_with(tables, 0, at[0]) & lures_with(tables, 1, at[1]) &
           lures_with(tables, 2, at[2]);
}

/* A bit for each of num places, at most FH_SIEVE_WORD. */
static uint64_t places_of(const fh_sieve_tables *tables, unsigned phase, const uint8_t *at,
                          size_t num)
{
    uint64_t places = 0;
    for (size_t i = 0; i < num; i++) {
        const unsigned allowed = tables->allowed[phase][i % FH_SIEVE_HALVES];
        const uint64_t is_one = (lures_of(tables, at + i) & allowed) != 0 ? 1 : 0;
        places |= is_one << i;
    }
    return places;
}

/* Notes the places of one word; a bit if there are any. */
static uint64_t note(uint64_t *places, size_t word, uint64_t found)
{
    places[word] = found;
    return (uint64_t)(found != 0) << word;
}

/* From the word at `from` on, which lies so many words into the block. */
static uint64_t sift_rest(const fh_sieve_tables *tables, unsigned phase, const uint8_t *at,
                          size_t from, size_t num, uint64_t *places)
{
    uint64_t words = 0;
    for (size_t i = from; i < num; i += FH_SIEVE_WORD) {
        const size_t left = num - i < FH_SIEVE_WORD ? num - i : FH_SIEVE_WORD;
        words |= note(places, i / FH_SIEVE_WORD, places_of(tables, phase, at + i, left));
    }
    return words;
}

static uint64_t sift_plain(const fh_sieve_tables *tables, unsigned phase, const uint8_t *at,
                           size_t num, uint64_t *places)
{
    return sift_rest(tables, phase, at, 0, num, places);
}

static bool is_always_there(void)
{
    return true;
}

#if defined(__x86_64__) || defined(__i386__)

#define SSSE3 __attribute__((target("ssse3")))
#define AVX2 __attribute__((target("avx2")))
#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vbmi")))

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

/* The places among 16, with all that their bytes allow. */
SSSE3 static uint32_t places16(const fh_sieve_tables *tables, __m128i allowed, const uint8_t *at)
{
    __m128i all = allowed;
    for (unsigned i = 0; i < FH_SIEVE_BYTES; i++) {
        all = _mm_and_si128(
            all, look_up16(load16(tables->low[i]), load16(tables->high[i]), load16(at + i)));
    }
    return ~(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(all, _mm_setzero_si128())) & 0xffff;
}

SSSE3 static uint64_t sift_ssse3(const fh_sieve_tables *tables, unsigned phase, const uint8_t *at,
                                 size_t num, uint64_t *places)
{
    enum { LEN = 16 };
    const __m128i allowed = load16(tables->allowed[phase]);
    uint64_t words = 0;
    size_t i = 0;
    for (; num - i >= FH_SIEVE_WORD; i += FH_SIEVE_WORD) {
        uint64_t found = 0;
        for (unsigned k = 0; k < FH_SIEVE_WORD; k += LEN) {
            found |= (uint64_t)places16(tables, allowed, at + i + k) << k;
        }
        words |= note(places, i / FH_SIEVE_WORD, found);
    }
    return words | sift_rest(tables, phase, at, i, num, places);
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

/* Of the tables those that the first two bytes are looked up in for every place. */
typedef struct avx2_tables {
    __m256i low[2];
    __m256i high[2];
    __m256i allowed;
} avx2_tables;

/* The places among 32. Few have the first two bytes of a word. */
AVX2 static uint32_t places32(const fh_sieve_tables *tables, const avx2_tables *own,
                              const uint8_t *at)
{
    const __m256i both = _mm256_and_si256(look_up32(own->low[0], own->high[0], load32(at)),
                                          look_up32(own->low[1], own->high[1], load32(at + 1)));
    if (_mm256_testz_si256(both, own->allowed)) {
        return 0;
    }
    const __m256i third =
        look_up32(load_twice(tables->low[2]), load_twice(tables->high[2]), load32(at + 2));
    const __m256i all = _mm256_and_si256(_mm256_and_si256(both, own->allowed), third);
    return ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(all, _mm256_setzero_si256()));
}

AVX2 static uint64_t sift_avx2(const fh_sieve_tables *tables, unsigned phase, const uint8_t *at,
                               size_t num, uint64_t *places)
{
    enum { LEN = 32 };
    const avx2_tables own = {{load_twice(tables->low[0]), load_twice(tables->low[1])},
                             {load_twice(tables->high[0]), load_twice(tables->high[1])},
                             load_twice(tables->allowed[phase])};
    uint64_t words = 0;
    size_t i = 0;
    for (; num - i >= FH_SIEVE_WORD; i += FH_SIEVE_WORD) {
        const uint64_t found =
            places32(tables, &own, at + i) | (uint64_t)places32(tables, &own, at + i + LEN) << LEN;
        words |= note(places, i / FH_SIEVE_WORD, found);
    }
    /* What follows is slow while the upper halves are in use; gcc leaves them so for a call. */
    _mm256_zeroupper();
    return words | sift_rest(tables, phase, at, i, num, places);
}

/* The bytes that the mask has bits for, and zeros; no others are read. */
AVX512 static __m512i load64(__mmask64 mask, const uint8_t *at)
{
    return _mm512_maskz_loadu_epi8(mask, at);
}

AVX512 static __m512i load_four_times(const uint8_t *at)
{
    __m128i out;
    memcpy(&out, at, sizeof out);
    return _mm512_broadcast_i32x4(out);
}

/* The look-up takes six bits and leaves the upper two alone; with each table four times over, two
 * of the six do not matter either, and no half has to be cut out. */
AVX512 static __m512i look_up64(__m512i low, __m512i high, __m512i bytes)
{
    return _mm512_and_si512(_mm512_permutexvar_epi8(bytes, low),
                            _mm512_permutexvar_epi8(_mm512_srli_epi16(bytes, 4), high));
}

AVX512 static uint64_t sift_avx512(const fh_sieve_tables *tables, unsigned phase, const uint8_t *at,
                                   size_t num, uint64_t *places)
{
    __m512i low[FH_SIEVE_BYTES];
    __m512i high[FH_SIEVE_BYTES];
    for (unsigned i = 0; i < FH_SIEVE_BYTES; i++) {
        low[i] = load_four_times(tables->low[i]);
        high[i] = load_four_times(tables->high[i]);
    }
    const __m512i allowed = load_four_times(tables->allowed[phase]);
    uint64_t words = 0;
    for (size_t i = 0; i < num; i += FH_SIEVE_WORD) {
        const size_t left = num - i;
        const __mmask64 mask = left < FH_SIEVE_WORD ? ((uint64_t)1 << left) - 1 : ~(uint64_t)0;
        __m512i all = allowed;
        for (unsigned k = 0; k < FH_SIEVE_BYTES; k++) {
            all = _mm512_and_si512(all, look_up64(low[k], high[k], load64(mask, at + i + k)));
        }
        words |= note(places, i / FH_SIEVE_WORD, _mm512_mask_test_epi8_mask(mask, all, all));
    }
    return words;
}

static bool has_ssse3(void)
{
    return __builtin_cpu_supports("ssse3") != 0;
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") != 0;
}

/* All processors that have the last one have the others. */
static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512vbmi") != 0 && __builtin_cpu_supports("avx512bw") != 0;
}

#elif defined(__aarch64__)

static uint8x16_t look_up(uint8x16_t low, uint8x16_t high, uint8x16_t bytes)
{
    return vandq_u8(vqtbl1q_u8(low, vandq_u8(bytes, vdupq_n_u8(15))),
                    vqtbl1q_u8(high, vshrq_n_u8(bytes, 4)));
}

/* Whether one of 32 places may have the first two bytes of a word. */
static bool has_two32(const fh_sieve_tables *tables, uint8x16_t allowed, const uint8_t *at)
{
    enum { LEN = 16 };
    const uint8x16_t low[2] = {vld1q_u8(tables->low[0]), vld1q_u8(tables->low[1])};
    const uint8x16_t high[2] = {vld1q_u8(tables->high[0]), vld1q_u8(tables->high[1])};
    uint8x16_t any = vdupq_n_u8(0);
    for (unsigned k = 0; k < 2 * LEN; k += LEN) {
        any = vorrq_u8(any, vandq_u8(look_up(low[0], high[0], vld1q_u8(at + k)),
                                     look_up(low[1], high[1], vld1q_u8(at + k + 1))));
    }
    return vmaxvq_u8(vandq_u8(any, allowed)) != 0;
}

/* Every processor of this sort has it. */
static uint64_t sift_neon(const fh_sieve_tables *tables, unsigned phase, const uint8_t *at,
                          size_t num, uint64_t *places)
{
    enum { LEN = 32 };
    const uint8x16_t allowed = vld1q_u8(tables->allowed[phase]);
    uint64_t words = 0;
    size_t i = 0;
    for (; num - i >= FH_SIEVE_WORD; i += FH_SIEVE_WORD) {
        uint64_t found = 0;
        for (unsigned k = 0; k < FH_SIEVE_WORD; k += LEN) {
            if (has_two32(tables, allowed, at + i + k)) {
                found |= places_of(tables, phase, at + i + k, LEN) << k;
            }
        }
        words |= note(places, i / FH_SIEVE_WORD, found);
    }
    return words | sift_rest(tables, phase, at, i, num, places);
}

#endif

static const fh_sift_way ways[] = {
    {"plain", sift_plain, is_always_there},
#if defined(__x86_64__) || defined(__i386__)
    {"SSSE3", sift_ssse3, has_ssse3},
    {"AVX2", sift_avx2, has_avx2},
    {"AVX-512", sift_avx512, has_avx512},
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

/* A bit of each entry of a table. */
enum { NUM_BITS = 8, FIRST_BYTES = 0xffffff };

/* How many bits of the first bytes two words have in common. */
static int kinship(const fh_lure *one, const fh_lure *other)
{
    const uint32_t equal = ~(one->magic.value ^ other->magic.value);
    return __builtin_popcount(one->magic.mask & other->magic.mask & equal & FIRST_BYTES);
}

/* The bit of a word. Those that there is none left for share that of the word that is most like
 * them: what two words of a bit allow together is each byte of one with each byte of the other. */
static unsigned bit_of(const fh_lure *lures, size_t lure)
{
    if (lure < NUM_BITS) {
        return 1u << lure;
    }
    size_t nearest = 0;
    for (size_t i = 1; i < NUM_BITS; i++) {
        if (kinship(&lures[i], &lures[lure]) > kinship(&lures[nearest], &lures[lure])) {
            nearest = i;
        }
    }
    return 1u << nearest;
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
    for (unsigned i = 0; i < FH_SIEVE_BYTES; i++) {
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
        add_lure(&sieve->tables, &lures[i], bit_of(lures, i));
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        sieve->sift = ways[i].is_there() ? ways[i].sift : sieve->sift;
    }
}

/* The words are few, and those that stand often come first: asking the tables which it may be would
 * cost more where there is one. Bytes that are made to look like one cost more so, in bounds. */
static bool is_lure(const fh_sieve *sieve, const uint8_t *at, size_t place)
{
    const uint32_t word =
        (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    const fh_lure *end = sieve->lures + sieve->num_lures;
    for (const fh_lure *lure = sieve->lures; lure != end; lure++) {
        /* A power of two: a division would cost more than all the rest. */
        if ((word & lure->magic.mask) == lure->magic.value &&
            (place & (lure->alignment - 1)) == 0) {
            return true;
        }
    }
    return false;
}

bool fh_sieve_is_place(const fh_sieve *sieve, const uint8_t *at, size_t distance)
{
    return lures_of(&sieve->tables, at) != 0 && is_lure(sieve, at, distance);
}

void fh_sieve_begin(fh_sieve_run *run, const fh_sieve *sieve, const uint8_t *bytes, size_t len,
                    size_t from, unsigned phase)
{
    /* The map stays as it is: what is in it is asked for by `words` alone. */
    run->sieve = sieve;
    run->bytes = bytes;
    run->end = len < 3 ? 0 : len - 3;
    run->phase = phase;
    run->from = from;
    run->block = from;
    run->step = from;
    run->words = 0;
    run->places = 0;
}

/* Goes on to the next word that has places; false where there is none. */
static bool go_on(fh_sieve_run *run)
{
    while (run->words == 0) {
        if (run->from >= run->end) {
            return false;
        }
        const size_t left = run->end - run->from;
        const size_t num = left < FH_SIEVE_BLOCK ? left : FH_SIEVE_BLOCK;
        const unsigned here = (unsigned)((run->phase + run->from) % FH_SIEVE_PHASES);
        run->words =
            run->sieve->sift(&run->sieve->tables, here, run->bytes + run->from, num, run->map);
        run->block = run->from;
        run->from += num;
    }
    const unsigned word = (unsigned)__builtin_ctzll(run->words);
    run->words &= run->words - 1;
    run->step = run->block + word * (size_t)FH_SIEVE_WORD;
    run->places = run->map[word];
    return true;
}

bool fh_sieve_next(fh_sieve_run *run, size_t *place)
{
    do {
        while (run->places != 0) {
            const size_t at = run->step + (size_t)__builtin_ctzll(run->places);
            run->places &= run->places - 1;
            if (is_lure(run->sieve, run->bytes + at, run->phase + at)) {
                *place = at;
                return true;
            }
        }
    } while (go_on(run));
    *place = run->from;
    return false;
}
