/* Words that inputs of a format are made of, as the format's own tables know them: a dictionary for
 * engines.
 *
 *     dictionary tod
 *
 * Prints lines of libFuzzer and AFL++. Keywords of texts stand within the functions that read them:
 * make_dictionaries.py adds them.
 */
#include "hmd/hmd_packets.h"
#include "registry/registry.h"
#include "tod/tod_model.h"

#include <stdio.h>
#include <string.h>

enum { WORD_LEN = 4, BITS = 8, NUM_TYPES = 16, NUM_FLAGS = 16 };

static void print_bytes(const char *name, uint32_t number, uint32_t word, unsigned len)
{
    (void)printf("%s_%x=\"", name, (unsigned)number);
    for (unsigned i = 0; i < len; i++) {
        (void)printf("\\x%02x", (unsigned)(word >> (BITS * i) & 0xff));
    }
    (void)printf("\"\n");
}

static unsigned len_of(uint32_t mask)
{
    unsigned len = WORD_LEN;
    while (len > 0 && mask >> (BITS * (len - 1)) == 0) {
        len--;
    }
    return len;
}

/* Each value that the mask allows: no more than few bits of a magic are free. */
static void print_magics(const fh_format *format)
{
    uint32_t number = 0;
    for (size_t i = 0; i < format->num_magics; i++) {
        const fh_magic *magic = &format->magics[i];
        const unsigned len = len_of(magic->mask);
        const uint32_t used = len == WORD_LEN ? UINT32_MAX : ((uint32_t)1 << (BITS * len)) - 1;
        const uint32_t rest = used & ~magic->mask;
        uint32_t chosen = 0;
        do {
            print_bytes("magic", number++, magic->value | chosen, len);
            /* The next choice of these bits. */
            chosen = (uint32_t)(((chosen | ~rest) + (uint64_t)1) & rest);
        } while (chosen != 0);
    }
}

static uint32_t packet_word(unsigned type, unsigned flag)
{
    const tod_packet packet = {.id = 1, .type = (uint8_t)type, .flag = (uint8_t)flag};
    const unsigned len = tod_implied_words(&packet);
    return packet.id | type << 16 | flag << 20 | (uint32_t)(len > 0 ? len : 2) << 24;
}

/* The header of a packet of each type, as long as it must be; with each flag where the length hangs
 * on it. */
static void print_packets(void)
{
    for (unsigned type = 0; type < NUM_TYPES; type++) {
        bool hangs_on_flag = type == TOD_CONTROL;
        for (unsigned flag = 1; flag < NUM_FLAGS; flag++) {
            const uint32_t differs = packet_word(type, flag) ^ packet_word(type, 0);
            hangs_on_flag = hangs_on_flag || differs >> 24 != 0;
        }
        for (unsigned flag = 0; flag < (hangs_on_flag ? NUM_FLAGS : 1); flag++) {
            print_bytes("packet", packet_word(type, flag) >> 16, packet_word(type, flag), WORD_LEN);
        }
    }
}

/* Type words that have a driver. Bits 22 and 23 of a type are those of calls: no driver has them.
 */
static void print_types(void)
{
    for (uint32_t category = 0; category < 8; category++) {
        for (uint32_t low = 0; low < (uint32_t)1 << 22; low++) {
            const uint32_t type = category << 24 | low;
            if (hmd_has_driver(type)) {
                print_bytes("type", type, type, WORD_LEN);
            }
        }
    }
    print_bytes("chain", 0, UINT32_MAX, WORD_LEN);
    print_bytes("unmapped", 0, (uint32_t)1 << 31, WORD_LEN);
}

int main(int argc, char **argv)
{
    const fh_format *format = argc == 2 ? fh_format_find(argv[1]) : NULL;
    if (format == NULL) {
        (void)fprintf(stderr, "Usage: %s FORMAT\n", argv[0]);
        return 2;
    }
    print_magics(format);
    if (strcmp(format->name, "tod") == 0) {
        print_packets();
    } else if (strcmp(format->name, "hmd") == 0) {
        print_types();
    }
    return ferror(stdout) != 0;
}
