#include "fuzz_image.h"

#include "source/edc.h"

#include <stdlib.h>
#include <string.h>

/* ---- sectors --------------------------------------------------------------------------------- */

/* Bits of what is special in a run of sectors. */
enum {
    NO_SYNC = 0x01,
    BAD_ADDRESS = 0x02,
    REPEATS = 0x04, /* the address of the sector before, each time */
    JUMPS = 0x08,
    RIGHT_EDC = 0x10,
    COPIES_DIFFER = 0x20,
    PATCHED = 0x40,
    IS_VOLUME = 0x80 /* the user data of the first one begins as a volume descriptor does */
};

enum {
    MOST_RUN = 24,
    RAW_LEN = 2352,
    FORM1_EDC = 0x818,
    FORM2_EDC = 0x92c,
    MODE1_EDC = 0x810,
    FIRST_LBA = 150
};

typedef struct sector_run {
    uint8_t special;
    uint8_t num;
    uint8_t mode;
    uint8_t subheader[4];
    uint8_t fill;
    size_t patch_off;
    const uint8_t *patch;
    size_t patch_len;
} sector_run;

static const size_t strides[] = {2048, 2336, 2352, 2368, 2448};

static uint8_t bcd(unsigned number)
{
    return (uint8_t)((number / 10 % 10) << 4 | number % 10);
}

static sector_run take_run(fuzz_input *input)
{
    sector_run run = {.special = fuzz_byte(input), .num = fuzz_byte(input)};
    run.mode = fuzz_byte(input);
    for (size_t i = 0; i < sizeof run.subheader; i++) {
        run.subheader[i] = fuzz_byte(input);
    }
    run.fill = fuzz_byte(input);
    if ((run.special & PATCHED) != 0) {
        run.patch_off = fuzz_word(input, 2) % RAW_LEN;
        run.patch_len = fuzz_byte(input);
        const size_t room = RAW_LEN - run.patch_off;
        run.patch_len = run.patch_len < input->left ? run.patch_len : input->left;
        run.patch_len = run.patch_len < room ? run.patch_len : room;
        run.patch = input->at;
        *input = (fuzz_input){input->at + run.patch_len, input->left - run.patch_len};
    }
    return run;
}

static void put_head(uint8_t sector[RAW_LEN], const sector_run *run, unsigned address)
{
    if ((run->special & NO_SYNC) == 0) {
        memset(sector, 0xff, 12);
        sector[0] = 0;
        sector[11] = 0;
    }
    sector[12] = bcd(address / 4500);
    sector[13] = bcd(address / 75 % 60);
    sector[14] = (run->special & BAD_ADDRESS) != 0 ? 0xff : bcd(address % 75);
    sector[15] = run->mode;
    if (run->mode == 2) {
        memcpy(sector + 16, run->subheader, 4);
        memcpy(sector + 20, run->subheader, 4);
        sector[20] = (uint8_t)(sector[20] + ((run->special & COPIES_DIFFER) != 0 ? 1 : 0));
    }
}

static void put_edc(uint8_t sector[RAW_LEN], uint8_t mode)
{
    const bool is_form2 = (sector[18] & FH_SUBMODE_FORM2) != 0;
    const size_t from = mode == 2 ? 16 : 0;
    const size_t end = mode != 2 ? MODE1_EDC : is_form2 ? FORM2_EDC : FORM1_EDC;
    const fh_cursor bytes = fh_cursor_make(sector, RAW_LEN, 0);
    const uint32_t code = fh_edc(&bytes, from, end - from);
    for (unsigned i = 0; i < 4; i++) {
        sector[end + i] = (uint8_t)(code >> (8 * i));
    }
}

static void make_sector(uint8_t sector[RAW_LEN], const sector_run *run, unsigned address,
                        bool is_first)
{
    memset(sector, run->fill, RAW_LEN);
    put_head(sector, run, address);
    if ((run->special & IS_VOLUME) != 0 && is_first) {
        memcpy(sector + (run->mode == 2 ? 24 : 16), "\1CD001\1", 7);
    }
    if (run->patch_len > 0) {
        memcpy(sector + run->patch_off, run->patch, run->patch_len);
    }
    if ((run->special & RIGHT_EDC) != 0) {
        put_edc(sector, run->mode);
    }
}

/* What a layout stores of a sector. */
static void store(uint8_t *to, const uint8_t sector[RAW_LEN], size_t stride)
{
    if (stride == 2048) {
        memcpy(to, sector + 24, stride);
    } else if (stride == 2336) {
        memcpy(to, sector + 16, stride);
    } else {
        memcpy(to, sector, RAW_LEN);
        memset(to + RAW_LEN, 0xee, stride - RAW_LEN);
    }
}

size_t fuzz_image(uint8_t **out, fuzz_input *input)
{
    static uint8_t image[256 + FUZZ_MOST_SECTORS * 2448];
    const uint8_t how = fuzz_byte(input);
    const size_t stride = strides[how % 5];
    size_t len = how >= 0x80 ? how & 0x7fu : 0;
    unsigned address = FIRST_LBA;
    size_t num = 0;
    uint8_t sector[RAW_LEN];
    memset(image, 0x55, len);
    while (input->left > 0 && num < FUZZ_MOST_SECTORS) {
        const sector_run run = take_run(input);
        const size_t most = (run.special & JUMPS) != 0 ? 1 : 1 + run.num % MOST_RUN;
        address += (run.special & JUMPS) != 0 ? run.num : 0;
        for (size_t i = 0; i < most && num < FUZZ_MOST_SECTORS; i++, num++, len += stride) {
            make_sector(sector, &run, address, i == 0);
            store(image + len, sector, stride);
            address += (run.special & REPEATS) != 0 ? 0 : 1;
        }
    }
    *out = image;
    return len;
}

/* ---- a volume -------------------------------------------------------------------------------- */

enum {
    BLOCK = 2048,
    ROOT = 20,
    FOLDER = 21,
    INNER = 22,
    FIRST_FILE = 24,
    RECORD_LEN = 33,
    XA_LEN = 14
};

static void put_both(uint8_t *to, uint32_t number, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        to[i] = (uint8_t)(number >> (8 * i));
        to[2 * len - 1 - i] = to[i];
    }
}

static size_t put_record(uint8_t *to, const char *name, size_t name_len, uint32_t block,
                         uint32_t size, bool is_folder)
{
    const size_t padded = RECORD_LEN + name_len + (name_len % 2 == 0 ? 1 : 0);
    to[0] = (uint8_t)(padded + XA_LEN);
    put_both(to + 2, block, 4);
    put_both(to + 10, size, 4);
    to[25] = is_folder ? 2 : 0;
    put_both(to + 28, 1, 2);
    to[32] = (uint8_t)name_len;
    memcpy(to + RECORD_LEN, name, name_len);
    memcpy(to + padded, "\0\0\0\0\x0d\x55XA\1\0\0\0\0\0", XA_LEN);
    to[padded + 4] = is_folder ? 0x8d : 0x0d;
    return padded + XA_LEN;
}

static uint8_t *block_of(uint8_t *volume, size_t block)
{
    return volume + block * BLOCK;
}

static uint8_t *begin_folder(uint8_t *volume, uint32_t block, uint32_t parent)
{
    uint8_t *at = block_of(volume, block);
    at += put_record(at, "\0", 1, block, BLOCK, true);
    return at + put_record(at, "\1", 1, parent, BLOCK, true);
}

static void put_descriptor(uint8_t *at, uint8_t type)
{
    at[0] = type;
    memcpy(at + 1, "CD001\1", 6);
    if (type == 255) {
        return;
    }
    put_both(at + 80, FUZZ_VOLUME_BLOCKS, 4);
    put_both(at + 120, 1, 2);
    put_both(at + 124, 1, 2);
    put_both(at + 128, BLOCK, 2);
    put_both(at + 132, 10 + 12, 4);
    at[140] = 19;
    (void)put_record(at + 156, "\0", 1, ROOT, BLOCK, true);
    at[156] = 34;
    at[881] = 1;
    memcpy(at + 1024, "CD-XA001", 8);
}

static void put_tree(uint8_t *volume)
{
    uint8_t *root = begin_folder(volume, ROOT, ROOT);
    root += put_record(root, "A", 1, FOLDER, BLOCK, true);
    root += put_record(root, "B.TOD;1", 7, FIRST_FILE, 5000, false);
    root += put_record(root, "C.XA;1", 6, FIRST_FILE + 3, 2 * BLOCK, false);
    (void)put_record(root, "D.HMD;1", 7, FIRST_FILE + 1, 100, false); /* in B */
    uint8_t *folder = begin_folder(volume, FOLDER, ROOT);
    folder += put_record(folder, "E", 1, INNER, BLOCK, true);
    (void)put_record(folder, "F.TRA;2", 7, FIRST_FILE + 6, 10 * BLOCK, false);
    uint8_t *inner = begin_folder(volume, INNER, FOLDER);
    (void)put_record(inner, "G", 1, FIRST_FILE + 18, 1, false);
}

static void put_tables(uint8_t *volume)
{
    static const uint8_t table[] = {1, 0, ROOT, 0,   0, 0, 1, 0,     0, 0, 1, 0, FOLDER, 0,   0,
                                    0, 1, 0,    'A', 0, 1, 0, INNER, 0, 0, 0, 2, 0,      'E', 0};
    memcpy(block_of(volume, 19), table, sizeof table);
    put_both(block_of(volume, 16) + 132, sizeof table, 4);
}

static void make_volume(uint8_t *volume)
{
    put_descriptor(block_of(volume, 16), 1);
    put_descriptor(block_of(volume, 17), 2);
    memcpy(block_of(volume, 17) + 88, "%/E", 3); /* Joliet */
    put_descriptor(block_of(volume, 18), 255);
    put_tables(volume);
    put_tree(volume);
    for (size_t i = FIRST_FILE; i < FUZZ_VOLUME_BLOCKS; i++) {
        memset(block_of(volume, i), (int)i, BLOCK);
    }
}

void fuzz_patch(uint8_t *bytes, size_t len, fuzz_input *input)
{
    while (input->left > 0) {
        const size_t off = fuzz_word(input, 3) % len;
        size_t num = fuzz_byte(input);
        num = num < input->left ? num : input->left;
        num = num < len - off ? num : len - off;
        memcpy(bytes + off, input->at, num);
        *input = (fuzz_input){input->at + num, input->left - num};
    }
}

void fuzz_volume(uint8_t out[FUZZ_VOLUME_LEN], fuzz_input *input)
{
    static uint8_t *sound;
    if (sound == NULL) {
        sound = calloc(1, FUZZ_VOLUME_LEN);
        fuzz_demand(sound != NULL, "the system has memory");
        make_volume(sound);
    }
    memcpy(out, sound, FUZZ_VOLUME_LEN);
    fuzz_patch(out, FUZZ_VOLUME_LEN, input);
}
