/* A PBP: a small sound one, whose blocks lie a MiB behind its head, with the bytes of the input
 * laid over it (fuzz_patch): place, length, bytes. The first byte says where it is cut, and whether
 * it is a set of discs. What must be true stands in fuzz_container.c.
 */
#include "fuzz_image.h"
#include "fuzz_open.h"

#include <string.h>
#include <zlib.h>

enum {
    ARCHIVE = 0x400, /* where the archive part begins */
    SET_LEN = 0x8000,
    INDEX = 0x4000,
    BLOCKS = 0x100000,
    BLOCK_LEN = 16 * 2352,
    MOST_BYTES = ARCHIVE + SET_LEN + 2 * (BLOCKS + 3 * BLOCK_LEN)
};

static uint8_t sound[2][MOST_BYTES]; /* a disc, and a set of two */
static size_t lens[2];

static void put_word(uint8_t *to, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) {
        to[i] = (uint8_t)(word >> (8 * i));
    }
}

/* Two blocks, of which the first one is packed; returns the length of the disc. */
static size_t put_disc(uint8_t *to)
{
    static uint8_t plain[BLOCK_LEN];
    z_stream packer = {0};
    memset(plain, 0x21, sizeof plain);
    memcpy(to, "PSISOIMG0000", 12);
    fuzz_demand(deflateInit2(&packer, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) == Z_OK,
                "the system has memory");
    packer.next_in = plain;
    packer.avail_in = sizeof plain;
    packer.next_out = to + BLOCKS;
    packer.avail_out = BLOCK_LEN;
    fuzz_demand(deflate(&packer, Z_FINISH) == Z_STREAM_END, "equal bytes are packed");
    const uint32_t packed = (uint32_t)packer.total_out;
    (void)deflateEnd(&packer);
    memset(to + BLOCKS + packed, 0x42, BLOCK_LEN);
    put_word(to + INDEX + 4, packed);
    put_word(to + INDEX + 32, packed);
    put_word(to + INDEX + 36, BLOCK_LEN);
    return BLOCKS + packed + BLOCK_LEN;
}

static void make(void)
{
    for (size_t i = 0; i < 2; i++) {
        memcpy(sound[i], "\0PBP\0\0\1\0", 8);
        put_word(sound[i] + 0x24, ARCHIVE);
    }
    lens[0] = ARCHIVE + put_disc(sound[0] + ARCHIVE);
    uint8_t *set = sound[1] + ARCHIVE;
    memcpy(set, "PSTITLEIMG000000", 16);
    put_word(set + 0x200, SET_LEN);
    const size_t first = put_disc(set + SET_LEN);
    put_word(set + 0x204, (uint32_t)(SET_LEN + first));
    lens[1] = ARCHIVE + SET_LEN + first + put_disc(set + SET_LEN + first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t file[MOST_BYTES];
    fuzz_input input = {data, size};
    if (lens[0] == 0) {
        make();
    }
    const uint8_t how = fuzz_byte(&input);
    const size_t whole = lens[how & 1];
    const size_t len = whole - (size_t)(how >> 1) * 1024;
    memcpy(file, sound[how & 1], whole);
    fuzz_patch(file, whole, &input);
    fuzz_open(file, len);
    return 0;
}
