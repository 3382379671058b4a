/* What a program's calls of the run-time library do to a file in memory. */
#include "forge/hmd.h"

#include <stdlib.h>
#include <string.h>

enum {
    FLAG_WORD = 1,
    HEADERS_WORD = 2,
    BLOCKS_WORD = 3,
    UNIT_WORDS = 20,
    SUPER_WORD = 19,
    DRIVER_STEP = 0x400, /* bytes from one made-up driver to the next */
    LOW_DRIVERS = 0x00020000,
    HIGH_DRIVERS = 0x00180000,
    HIGH_BASE = 0x00100000,
    MAX_STEPS = 1 << 24 /* primitives and records visited: a cycle must end */
};

#define TERM UINT32_MAX
#define TOP UINT32_C(0x80000000)
#define INI UINT32_C(0x00800000)

typedef struct setup {
    size_t primitive; /* word */
    bool animation;
} setup;

typedef struct mapper {
    uint8_t *bytes;
    size_t num_words;
    forge_error *err;
    const forge_hmd_memory *memory;
    uint32_t *types; /* owned: those that got an address of their own */
    size_t num_types;
    setup *setups; /* owned: records with INI, in the order of the scan */
    size_t num_setups;
    uint32_t steps;
} mapper;

/* ---- words ---- */

static bool need(mapper *m, uint64_t word, const char *what)
{
    return word < m->num_words || forge_fail(m->err, FORGE_BAD, 0,
                                             "%s: word %llu is past the end of the file, which "
                                             "has %zu",
                                             what, (unsigned long long)word, m->num_words);
}

static uint32_t get(const mapper *m, size_t word)
{
    const uint8_t *at = m->bytes + 4 * word;
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void set(mapper *m, size_t word, uint32_t value)
{
    forge_put_u32(m->bytes + 4 * word, value);
}

/* The library computes with 32 bits and drops what is above; so do we. */
static uint32_t address(const mapper *m, uint32_t offset)
{
    return (uint32_t)((m->memory->base + 4 * (uint64_t)offset) & UINT32_MAX);
}

/* The word an address points at. */
static bool word_at(mapper *m, uint32_t where, const char *what, size_t *word)
{
    const uint32_t off = where >= m->memory->base ? where - m->memory->base : TERM;
    *word = off / 4;
    return need(m, off == TERM ? UINT32_MAX : *word, what);
}

static bool step(mapper *m)
{
    return ++m->steps <= MAX_STEPS ||
           forge_fail(m->err, FORGE_BAD, 0, "a chain of primitives is cyclic");
}

/* ---- GsMapUnit ---- */

static bool map_headers(mapper *m, size_t at)
{
    if (!need(m, at, "primitive headers")) {
        return false;
    }
    uint32_t left = get(m, at++);
    for (; left > 0; left--) {
        if (!need(m, at, "primitive header")) {
            return false;
        }
        const uint64_t end = at + 1 + (uint64_t)get(m, at);
        if (!need(m, end - 1, "primitive header")) {
            return false;
        }
        for (at++; at < end; at++) {
            const uint32_t value = get(m, at);
            if ((value & TOP) != 0) {
                set(m, at, address(m, value & ~TOP));
            }
        }
    }
    return true;
}

/* From an offset, up to the last primitive or one that is mapped already. */
static bool map_chain(mapper *m, uint32_t first)
{
    for (uint32_t at = first;;) {
        if (!step(m) || !need(m, (uint64_t)at + 2, "primitive")) {
            return false;
        }
        const uint32_t count = get(m, at + 2);
        if ((count & TOP) == 0) {
            return true;
        }
        const uint32_t next = get(m, at);
        set(m, at + 1, address(m, get(m, at + 1)));
        set(m, at + 2, count & ~TOP);
        if (next == TERM) {
            return true;
        }
        set(m, at, address(m, next));
        at = next;
    }
}

static bool map_unit(mapper *m)
{
    if (!need(m, BLOCKS_WORD, "header")) {
        return false;
    }
    if ((get(m, FLAG_WORD) & 1U) != 0) {
        return forge_fail(m->err, FORGE_BAD, 0, "the file is mapped already: its map flag is set");
    }
    const uint32_t headers = get(m, HEADERS_WORD);
    const uint32_t num = get(m, BLOCKS_WORD);
    set(m, FLAG_WORD, get(m, FLAG_WORD) | 1U);
    set(m, HEADERS_WORD, address(m, headers));
    if (!need(m, (uint64_t)BLOCKS_WORD + num, "block table") || !map_headers(m, headers)) {
        return false;
    }
    for (uint32_t i = 1; i <= num; i++) {
        const uint32_t first = get(m, BLOCKS_WORD + i);
        if (first == 0) {
            continue;
        }
        if (!map_chain(m, first)) {
            return false;
        }
        set(m, BLOCKS_WORD + i, address(m, first));
    }
    return true;
}

/* ---- drivers ---- */

static bool same_type(uint32_t known, uint32_t type)
{
    return known == type || known == (type & ~INI);
}

static uint32_t made_up_address(const mapper *m, size_t index)
{
    const uint32_t physical = m->memory->base & 0x1fffffffU;
    const uint32_t area = physical >= HIGH_BASE ? LOW_DRIVERS : HIGH_DRIVERS;
    return (uint32_t)((FORGE_HMD_KSEG0 + area + DRIVER_STEP * (uint64_t)index) & UINT32_MAX);
}

/* The driver of a type, the same for every record of it. */
static uint32_t driver_of(mapper *m, uint32_t type)
{
    for (size_t i = 0; i < m->memory->num_drivers; i++) {
        if (same_type(m->memory->drivers[i].type, type)) {
            return m->memory->drivers[i].address;
        }
    }
    size_t i = 0;
    while (i < m->num_types && m->types[i] != (type & ~INI)) {
        i++;
    }
    if (i == m->num_types) {
        m->types[m->num_types++] = type & ~INI; /* a type takes a word: there is room */
    }
    return made_up_address(m, i);
}

/* ---- GsScanUnit ---- */

static bool scan_type(mapper *m, size_t primitive, size_t record)
{
    if (m->num_setups == m->num_words || m->num_types == m->num_words) {
        return forge_fail(m->err, FORGE_BAD, 0, "records overlap without end");
    }
    const uint32_t type = get(m, record);
    const uint32_t category = type >> 24;
    if ((type & INI) != 0) {
        const bool animation = category == 3;
        const bool coordinates = category < 2 || category == 5 || category == 6;
        if (animation || coordinates) {
            m->setups[m->num_setups++] = (setup){.primitive = primitive, .animation = animation};
        }
    }
    set(m, record, driver_of(m, type));
    return true;
}

static bool scan_primitive(mapper *m, size_t primitive)
{
    size_t at = primitive + 3;
    for (uint32_t left = get(m, primitive + 2) & UINT16_MAX; left > 0; left--) {
        if (!step(m) || !need(m, (uint64_t)at + 1, "record")) {
            return false;
        }
        const uint32_t control = get(m, at + 1);
        if ((control & TOP) != 0) {
            if (!scan_type(m, primitive, at)) {
                return false;
            }
            set(m, at + 1, control & ~TOP);
        }
        at += 1 + (control & UINT16_MAX);
    }
    return true;
}

static bool scan_chain(mapper *m, uint32_t first)
{
    for (uint32_t where = first; where != TERM;) {
        size_t primitive = 0;
        if (!step(m) || !word_at(m, where, "primitive", &primitive) ||
            !need(m, (uint64_t)primitive + 2, "primitive") || !scan_primitive(m, primitive)) {
            return false;
        }
        where = get(m, primitive);
    }
    return true;
}

static bool scan_unit(mapper *m)
{
    const uint32_t num = get(m, BLOCKS_WORD);
    for (uint32_t i = 1; i <= num; i++) {
        const uint32_t first = get(m, BLOCKS_WORD + i);
        if (first != 0 && !scan_chain(m, first)) {
            return false;
        }
    }
    return true;
}

/* ---- GsMapCoordUnit, GsScanAnim ---- */

/* The last word of the header is the coordinate section; it is taken off the header's size. */
static bool map_coordinates(mapper *m, size_t header)
{
    const uint32_t size = get(m, header);
    size_t section = 0;
    if (size == 0) {
        return forge_fail(m->err, FORGE_BAD, 0, "the header of a record with INI has no words");
    }
    if (!need(m, (uint64_t)header + size, "primitive header") ||
        !word_at(m, get(m, header + size), "coordinates", &section)) {
        return false;
    }
    set(m, header, size - 1);
    const uint32_t num = get(m, section);
    if (num > 0 && !need(m, section + (uint64_t)num * UNIT_WORDS, "coordinates")) {
        return false;
    }
    for (uint32_t i = 0; i < num; i++) {
        const size_t at = section + 1 + (size_t)i * UNIT_WORDS + SUPER_WORD;
        const uint32_t super = get(m, at);
        if (super != 0) {
            set(m, at, address(m, super));
        } else if (m->memory->has_root) {
            set(m, at, m->memory->root);
        }
    }
    return true;
}

static bool scan_animation(mapper *m, size_t header)
{
    size_t table = 0;
    if (!need(m, (uint64_t)header + 2, "primitive header") ||
        !word_at(m, get(m, header + 2), "interpolation table", &table)) {
        return false;
    }
    const uint32_t num = get(m, table) & ~TOP;
    set(m, table, num);
    if (!need(m, (uint64_t)table + num, "interpolation table")) {
        return false;
    }
    for (size_t i = 1; i <= num; i++) {
        if (m->num_types == m->num_words) {
            return forge_fail(m->err, FORGE_BAD, 0,
                              "the interpolation tables have more types "
                              "than the file has words");
        }
        set(m, table + i, driver_of(m, get(m, table + i)));
    }
    return true;
}

static bool set_up(mapper *m)
{
    for (size_t i = 0; i < m->num_setups; i++) {
        size_t header = 0;
        const uint32_t where = get(m, m->setups[i].primitive + 1);
        if (!word_at(m, where, "primitive header", &header)) {
            return false;
        }
        if (m->setups[i].animation ? !scan_animation(m, header) : !map_coordinates(m, header)) {
            return false;
        }
    }
    return true;
}

static bool run(mapper *m)
{
    const forge_hmd_stage stage = m->memory->stage;
    return map_unit(m) && (stage < FORGE_HMD_SCANNED || scan_unit(m)) &&
           (stage < FORGE_HMD_COORDINATES || set_up(m));
}

bool forge_hmd_map(uint8_t *bytes, forge_error *err, size_t len, const forge_hmd_memory *memory)
{
    if (memory->base % 4 != 0) {
        return forge_fail(err, FORGE_BAD, 0, "base 0x%08lx is no multiple of 4",
                          (unsigned long)memory->base);
    }
    mapper m = {.bytes = bytes, .num_words = len / 4, .err = err, .memory = memory};
    m.types = calloc(m.num_words + 1, sizeof m.types[0]);
    m.setups = calloc(m.num_words + 1, sizeof m.setups[0]);
    bool ok = m.types != NULL && m.setups != NULL ? run(&m)
                                                  : forge_fail(err, FORGE_IO, 0, "out of memory");
    free(m.types);
    free(m.setups);
    return ok;
}
