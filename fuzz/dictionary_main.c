/* Words that inputs of a target are made of, as the program's own tables know them: a dictionary
 * for engines.
 *
 *     dictionary tod
 *
 * Prints lines of libFuzzer and AFL++, none for a target of which no table can be seen from here.
 * Keywords of texts stand within the functions that read them: make_dictionaries.py adds them.
 */
#include "gate/config.h"
#include "hmd/hmd_packets.h"
#include "hunt/pack.h"
#include "hunt/rulebook.h"
#include "registry/registry.h"
#include "tod/tod_model.h"

#include <stdio.h>
#include <stdlib.h>
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

/* ---- rules ----------------------------------------------------------------------------------- */

/* Of each table some rules that lie apart: the first and the last are those at whose number
 * something changes. */
static void each_rule(void (*print)(size_t table, size_t index, const fh_rule *rule))
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    for (size_t i = 0; i < num_tables; i++) {
        const size_t last = tables[i].num_rules - 1;
        const size_t chosen[] = {0, last / 2, last};
        for (size_t k = 0; k < 3; k++) {
            print(i, chosen[k], &tables[i].rules[chosen[k]]);
        }
    }
}

static void print_code(size_t table, size_t index, const fh_rule *rule)
{
    (void)printf("code_%zu_%zu=\"%s\"\n", table, index, rule->code);
}

/* A table by what its codes begin with. */
static void print_prefixes(void)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    for (size_t i = 0; i < num_tables; i++) {
        const char *code = tables[i].rules[0].code;
        (void)printf("codes_%zu=\"%.*s\"\n", i, (int)strcspn(code, "0123456789"), code);
    }
}

static void print_keys(void)
{
    for (fh_key key = 0; key < FH_NUM_KEYS; key++) {
        (void)printf("key_%d=\"%s = \"\n", (int)key, fh_key_name(key));
    }
}

/* ---- what is packed -------------------------------------------------------------------------- */

/* Prints what was put, and forgets it. */
static void print_packed(const char *name, size_t number, size_t second, fh_packed *packed)
{
    (void)printf("%s_%zu_%zu=\"", name, number, second);
    for (size_t i = 0; i < packed->len; i++) {
        (void)printf("\\x%02x", packed->bytes[i]);
    }
    (void)printf("\"\n");
    free(packed->bytes);
    *packed = (fh_packed){0};
}

/* As fh_put_finding begins. */
static void print_packed_rule(size_t table, size_t index, const fh_rule *rule)
{
    fh_packed packed = {0};
    fh_put_u64(&packed, table);
    fh_put_u64(&packed, index);
    fh_put_str(&packed, rule->code);
    print_packed("rule", table, index, &packed);
}

static void print_packed_names(void)
{
    fh_packed packed = {0};
    for (size_t i = 0; i < fh_num_formats; i++) {
        fh_put_str(&packed, fh_formats[i]->name);
        print_packed("format", i, 0, &packed);
        for (size_t k = 0; fh_formats[i]->profiles[k] != NULL; k++) {
            fh_put_str(&packed, fh_formats[i]->evaluators[k]);
            print_packed("evaluator", i, k, &packed);
        }
    }
    fh_put_str(&packed, NULL);
    print_packed("none", 0, 0, &packed);
    fh_put_s64(&packed, FH_UNKNOWN);
    print_packed("unknown", 0, 0, &packed);
}

/* ---- targets --------------------------------------------------------------------------------- */

static void print_format(const fh_format *format)
{
    print_magics(format);
    if (strcmp(format->name, "tod") == 0) {
        print_packets();
    } else if (strcmp(format->name, "hmd") == 0) {
        print_types();
    }
}

int main(int argc, char **argv)
{
    const char *target = argc == 2 ? argv[1] : "";
    const fh_format *format = fh_format_find(target);
    if (argc != 2) {
        (void)fprintf(stderr, "Usage: %s TARGET\n", argv[0]);
        return 2;
    }
    if (format != NULL) {
        print_format(format);
    } else if (strcmp(target, "config") == 0) {
        print_keys();
        print_prefixes();
        each_rule(print_code);
    } else if (strcmp(target, "baseline") == 0) {
        each_rule(print_code);
    } else if (strcmp(target, "answer") == 0 || strcmp(target, "cache") == 0) {
        each_rule(print_packed_rule);
        print_packed_names();
    }
    return ferror(stdout) != 0;
}
