#include "source/huffman.h"

#include <assert.h>
#include <string.h>

fh_bits fh_bits_make(const uint8_t *bytes, size_t len)
{
    return (fh_bits){.bytes = fh_cursor_make(bytes, len, 0)};
}

static void fill(fh_bits *bits, uint32_t num)
{
    assert(num <= 32);
    while (bits->num < num) {
        bool is_there = fh_cursor_left(&bits->bytes) > 0;
        bits->held =
            (bits->held & UINT64_MAX >> 8) << 8 | (is_there ? fh_cursor_u8(&bits->bytes) : 0);
        bits->num += 8;
        bits->beyond += is_there ? 0 : 8;
    }
}

static uint32_t look(fh_bits *bits, uint32_t num)
{
    fill(bits, num);
    return (uint32_t)(bits->held >> (bits->num - num) & (((uint64_t)1 << num) - 1));
}

static void drop(fh_bits *bits, uint32_t num)
{
    bits->num -= num;
    if (bits->num < bits->beyond) {
        bits->beyond = bits->num;
        bits->overrun = true;
    }
}

uint32_t fh_bits_read(fh_bits *bits, uint32_t num)
{
    uint32_t value = look(bits, num);
    drop(bits, num);
    return value;
}

/* Codes are counted from the longest on: those of one length in the order of their symbols, those
 * of the next shorter one behind them. Only the last step may leave half a code over. */
static bool find_starts(const fh_huffman *tree, uint32_t starts[FH_HUFFMAN_MAX_BITS + 1])
{
    uint32_t counts[FH_HUFFMAN_MAX_BITS + 1] = {0};
    for (uint32_t i = 0; i < tree->num_symbols; i++) {
        if (tree->lengths[i] > tree->max_bits) {
            return false;
        }
        counts[tree->lengths[i]]++;
    }
    uint32_t next = 0;
    for (uint32_t len = FH_HUFFMAN_MAX_BITS; len > 0; len--) {
        uint32_t end = next + counts[len];
        if (len != 1 && end % 2 != 0) {
            return false;
        }
        starts[len] = next;
        next = end / 2;
    }
    return true;
}

static bool put_code(fh_huffman *tree, uint32_t symbol, uint32_t code)
{
    uint32_t len = tree->lengths[symbol];
    if (code >> len != 0) {
        return false;
    }
    uint32_t shift = tree->max_bits - len;
    for (uint32_t i = code << shift; i < (code + 1) << shift; i++) {
        tree->table[i] = (uint16_t)(symbol * 32 + len);
    }
    return true;
}

static bool build(fh_huffman *tree)
{
    uint32_t starts[FH_HUFFMAN_MAX_BITS + 1] = {0};
    if (!find_starts(tree, starts)) {
        return false;
    }
    memset(tree->table, 0, sizeof tree->table[0] << tree->max_bits);
    for (uint32_t i = 0; i < tree->num_symbols; i++) {
        if (tree->lengths[i] > 0 && !put_code(tree, i, starts[tree->lengths[i]]++)) {
            return false;
        }
    }
    return true;
}

static void start(fh_huffman *tree, uint32_t num_symbols, uint32_t max_bits)
{
    assert(num_symbols <= FH_HUFFMAN_MAX_SYMBOLS && max_bits <= FH_HUFFMAN_MAX_BITS);
    tree->num_symbols = num_symbols;
    tree->max_bits = max_bits;
    memset(tree->lengths, 0, sizeof tree->lengths);
}

/* The length 1 opens a run: the length of its codes (1 again: a single code of 1 bit), and how many
 * there are, less 3. */
bool fh_huffman_read_runs(fh_huffman *tree, fh_bits *bits, uint32_t num_symbols, uint32_t max_bits)
{
    start(tree, num_symbols, max_bits);
    uint32_t width = max_bits >= 16 ? 5 : max_bits >= 8 ? 4 : 3;
    uint32_t num = 0;
    while (num < num_symbols) {
        uint32_t len = fh_bits_read(bits, width);
        uint32_t count = 1;
        if (len == 1) {
            len = fh_bits_read(bits, width);
            count = len == 1 ? 1 : fh_bits_read(bits, width) + 3;
        }
        if (count > num_symbols - num) {
            return false;
        }
        memset(tree->lengths + num, (int)len, count);
        num += count;
    }
    return build(tree) && !bits->overrun;
}

enum { SMALL_SYMBOLS = 24, SMALL_BITS = 6 };

/* The tree for the lengths: 3 bits each; from a first place on, until a 7 says that no more come.
 */
static bool read_small(fh_huffman *tree, fh_bits *bits)
{
    start(tree, SMALL_SYMBOLS, SMALL_BITS);
    tree->lengths[0] = (uint8_t)fh_bits_read(bits, 3);
    uint32_t first = fh_bits_read(bits, 3) + 1;
    for (uint32_t i = first; i < SMALL_SYMBOLS; i++) {
        uint32_t len = fh_bits_read(bits, 3);
        if (len == 7) {
            break;
        }
        tree->lengths[i] = (uint8_t)len;
    }
    return build(tree);
}

static uint32_t bit_width(uint32_t value)
{
    uint32_t bits = 0;
    for (; value != 0; value >>= 1) {
        bits++;
    }
    return bits;
}

/* Lengths are the symbols of the small tree less 1; its symbol 0 repeats the last length. */
static bool read_lengths(const fh_huffman *small, fh_bits *bits, uint8_t *lengths,
                         uint32_t num_symbols)
{
    uint32_t wide = bit_width(num_symbols - 9);
    uint32_t num = 0;
    uint8_t last = 0;
    while (num < num_symbols) {
        uint32_t symbol = fh_huffman_symbol(small, bits);
        if (bits->overrun) {
            return false;
        }
        uint32_t count = 1;
        if (symbol != 0) {
            last = (uint8_t)(symbol - 1);
        } else {
            count = fh_bits_read(bits, 3) + 2;
            count += count == 9 ? fh_bits_read(bits, wide) : 0;
        }
        count = count < num_symbols - num ? count : num_symbols - num;
        memset(lengths + num, last, count);
        num += count;
    }
    return !bits->overrun;
}

bool fh_huffman_read_coded(fh_huffman *tree, fh_bits *bits, uint32_t num_symbols, uint32_t max_bits)
{
    uint8_t lengths[FH_HUFFMAN_MAX_SYMBOLS];
    assert(num_symbols > 9 && num_symbols <= FH_HUFFMAN_MAX_SYMBOLS);
    if (!read_small(tree, bits) || !read_lengths(tree, bits, lengths, num_symbols)) {
        return false;
    }
    start(tree, num_symbols, max_bits);
    memcpy(tree->lengths, lengths, num_symbols);
    return build(tree);
}

uint32_t fh_huffman_symbol(const fh_huffman *tree, fh_bits *bits)
{
    uint32_t entry = tree->table[look(bits, tree->max_bits)];
    if (entry == 0) {
        bits->overrun = true;
        return 0;
    }
    drop(bits, entry % 32);
    return entry / 32;
}
