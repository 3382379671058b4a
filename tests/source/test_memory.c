/* Dumps and save states: told by their content, their RAM found, handed out once. Every layout is
 * put together here, byte by byte, from the format sheet. */
#include "bench.h"

#include "source/duckstation.h"
#include "source/kernel.h"
#include "source/limits.h"
#include "source/memory_stream.h"
#include "source/state_box.h"
#include "source/unpack.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static const fh_stop never = {NULL, NULL};

static void put(byte_run *run, const void *bytes, size_t len)
{
    if (len == 0) {
        return; /* there may be no memory yet */
    }
    if (run->cap - run->len < len) {
        run->cap = 2 * (run->len + len);
        run->data = realloc(run->data, run->cap);
        cr_assert(run->data != NULL);
    }
    memcpy(run->data + run->len, bytes, len);
    run->len += len;
}

static void put_fill(byte_run *run, uint8_t value, size_t len)
{
    uint8_t *fill = malloc(len + 1);
    cr_assert(fill != NULL);
    memset(fill, value, len + 1);
    put(run, fill, len);
    free(fill);
}

static void put_u32(byte_run *run, uint32_t value)
{
    const uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                              (uint8_t)(value >> 24)};
    put(run, bytes, 4);
}

static void set_u32(byte_run *run, size_t at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        run->data[at + i] = (uint8_t)(value >> 8 * i);
    }
}

static fh_cursor all(const byte_run *run)
{
    return fh_cursor_make(run->data, run->len, 0);
}

/* ---- RAM ------------------------------------------------------------------------------------- */

static void set_vector(byte_run *run, size_t at, uint32_t reg, bool ori)
{
    set_u32(run, at, 0x3c000000u | reg << 16);
    set_u32(run, at + 4, (ori ? 0x34000000u : 0x24000000u) | reg << 21 | reg << 16 | 0x5c4u);
    set_u32(run, at + 8, reg << 21 | 8u);
    set_u32(run, at + 12, 0);
}

/* len bytes that differ from place to place, with a kernel's vectors. */
static byte_run make_ram(size_t len)
{
    byte_run ram = {0};
    put_fill(&ram, 0, len);
    for (size_t i = 0x1000; i < len; i++) {
        ram.data[i] = (uint8_t)(i * 2654435761u >> 24);
    }
    set_vector(&ram, 0x80, 26, false);
    set_vector(&ram, 0xa0, 8, false);
    set_vector(&ram, 0xb0, 8, true);
    set_vector(&ram, 0xc0, 8, false);
    return ram;
}

Test(memory, vectors_tell_where_ram_begins)
{
    static const size_t places[] = {0x80, 0xa0, 0xb0, 0xc0};
    byte_run ram = make_ram(0x2000);
    fh_cursor bytes = all(&ram);
    cr_assert(fh_kernel_has_vectors(&bytes, 0));
    cr_assert(fh_kernel_has_vectors(&bytes, 1) == false);
    cr_assert(fh_kernel_has_vectors(&bytes, ram.len) == false);
    cr_assert(fh_kernel_has_vectors(&bytes, SIZE_MAX) == false);
    for (size_t i = 0; i < 4; i++) { /* one may have been replaced, whichever, but not two */
        byte_run one = make_ram(0x2000);
        set_u32(&one, places[i], 0x12345678);
        bytes = all(&one);
        cr_assert(fh_kernel_has_vectors(&bytes, 0), "%zu", i);
        set_u32(&one, places[(i + 1) % 4] + 12, 1);
        cr_assert(fh_kernel_has_vectors(&bytes, 0) == false, "%zu", i);
        free(one.data);
    }
    for (size_t len = 0; len <= 0xd0; len++) {
        uint8_t *exact = malloc(len + 1);
        memcpy(exact, ram.data, len);
        bytes = fh_cursor_make(exact, len, 0);
        cr_assert(fh_kernel_has_vectors(&bytes, 0) == (len == 0xd0), "%zu", len);
        free(exact);
    }
    free(ram.data);
}

Test(memory, vectors_are_found_at_any_byte)
{
    byte_run ram = make_ram(0x2000);
    for (size_t before = 0; before < 9; before++) {
        byte_run run = {0};
        put_fill(&run, 0x3c, before);
        put(&run, ram.data, ram.len);
        const fh_cursor bytes = all(&run);
        cr_assert(eq(sz, fh_kernel_find(&bytes, 0), before));
        cr_assert(eq(sz, fh_kernel_find(&bytes, before), before));
        cr_assert(eq(sz, fh_kernel_find(&bytes, before + 1), SIZE_MAX));
        free(run.data);
    }
    free(ram.data);
}

/* Against a search that tries every byte: loads and parts of vectors everywhere, and whole ones
 * that overlap, in some of which one vector is replaced. */
Test(memory, vectors_are_found_as_by_trying_every_byte)
{
    byte_run ram = make_ram(0x2000);
    uint32_t state = 7;
    for (unsigned turn = 0; turn < 400; turn++) {
        byte_run run = {0};
        for (unsigned part = 0; part < 8; part++) {
            state = state * 1664525u + 1013904223u;
            put_fill(&run, (state >> 30) == 0 ? 0x3c : (uint8_t)(state >> 8), (state >> 16) % 40);
            put(&run, ram.data + (state >> 12) % 0xd0, (state >> 20) % 0x200);
        }
        if (turn % 3 == 0) {
            put(&run, ram.data, 0xd0);
            set_u32(&run, run.len - 0x10 * (1 + turn % 5), 0x3c3c3c3c);
        }
        const fh_cursor bytes = all(&run);
        for (size_t from = 0; from <= run.len; from += 1 + run.len / 5) {
            size_t off = from;
            while (off < run.len && !fh_kernel_has_vectors(&bytes, off)) {
                off++;
            }
            cr_assert(eq(sz, fh_kernel_find(&bytes, from), off < run.len ? off : SIZE_MAX));
        }
        free(run.data);
    }
    free(ram.data);
}

Test(memory, a_text_about_the_kernel_is_none)
{
    static const char text[] = "PS-X Control PAD Driver  Ver 3.0\n";
    byte_run run = {0};
    put(&run, text, sizeof text - 1);
    put_fill(&run, ' ', FH_KERNEL_LEN - run.len);
    fh_cursor bytes = all(&run);
    cr_assert(fh_kernel_text(&bytes) == NULL);
    memset(run.data + 0x8000, 0, 0x1000);
    cr_assert(eq(str, (char *)fh_kernel_text(&bytes), "PS-X Control PAD Driver"));
    run.data[3] = '?';
    cr_assert(fh_kernel_text(&bytes) == NULL);
    memcpy(run.data + 0xfff0, "KERNEL SETUP!", 13);
    cr_assert(fh_kernel_text(&bytes) != NULL);
    free(run.data);
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static const char *kind_of(const byte_run *run)
{
    const fh_cursor window = all(run);
    const fh_memory_kind *kind = fh_memory_of(&window, (int64_t)run->len);
    return kind == NULL ? "" : kind->name;
}

static fh_memory found(const byte_run *run, fh_tallies *faults)
{
    fh_memory memory = {0};
    const fh_cursor window = all(run);
    const fh_memory_kind *kind = fh_memory_of(&window, (int64_t)run->len);
    memset(faults, 0, sizeof *faults);
    cr_assert(kind != NULL);
    if (!fh_memory_find(&memory, kind, all(run), faults)) {
        memory.product = NULL;
    }
    return memory;
}

static void has_only(const fh_tallies *faults, const int *rules, size_t num)
{
    for (int i = 0; i < FH_IMG_NUM_RULES; i++) {
        bool is_wanted = false;
        for (size_t k = 0; k < num; k++) {
            is_wanted = is_wanted || rules[k] == i;
        }
        cr_assert(is_wanted == (faults->rules[i].count > 0), "%s: %s", fh_image_rules.rules[i].code,
                  faults->rules[i].found);
    }
}

#define TELLS(faults, ...)                                                                         \
    has_only((faults), (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))

static void is_ram_at(const byte_run *run, size_t off, size_t len)
{
    fh_tallies faults;
    const fh_memory memory = found(run, &faults);
    cr_assert(memory.product != NULL);
    cr_assert(eq(sz, memory.off, off));
    cr_assert(eq(sz, memory.len, len));
    cr_assert(eq(u32, memory.address, FH_RAM_BASE));
    TELLS(&faults, FH_IMG0050);
}

Test(memory, a_dump_has_any_size)
{
    static const size_t sizes[] = {0xd0, 0x1001, 0x10000, 0x180000, 0x200000, 0x800000, 0x900001};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        byte_run ram = make_ram(sizes[i] < 0x1000 ? 0x1000 : sizes[i]);
        ram.len = sizes[i];
        cr_assert(eq(str, (char *)kind_of(&ram), "RAM dump"));
        is_ram_at(&ram, 0, sizes[i] < FH_RAM_MAX_LEN ? sizes[i] : FH_RAM_MAX_LEN);
        memset(ram.data, 0, 0x100); /* mirrors would still tell */
        cr_assert(eq(str, (char *)kind_of(&ram),
                     sizes[i] == FH_RAM_MAX_LEN ? "save state of no known kind" : ""));
        free(ram.data);
    }
}

Test(memory, texts_need_the_size_of_a_memory)
{
    byte_run ram = {0};
    put_fill(&ram, 0, FH_RAM_LEN + 1);
    memcpy(ram.data + 0x5000, "PS-X Realtime Kernel", 20);
    cr_assert(eq(str, (char *)kind_of(&ram), ""));
    ram.len--;
    cr_assert(eq(str, (char *)kind_of(&ram), "RAM dump"));
    ram.len = FH_KERNEL_LEN - 4096;
    cr_assert(eq(str, (char *)kind_of(&ram), ""));
    free(ram.data);
}

/* ---- DuckStation ----------------------------------------------------------------------------- */

static byte_run duck_data(uint32_t version, const byte_run *ram)
{
    byte_run data = {0};
    put_fill(&data, 0x77, 321);
    put(&data, "\3\0\0\0Bus", 7);
    if (version >= 52) {
        put_u32(&data, (uint32_t)ram->len);
    }
    put_fill(&data, 0x55, 60);
    put(&data, ram->data, ram->len);
    put_fill(&data, 0x66, 99);
    return data;
}

static byte_run duck_state(uint32_t version, uint32_t compression, const byte_run *packed,
                           size_t len)
{
    byte_run state = {0};
    put(&state, "DUCC", 4);
    put_u32(&state, version);
    put_fill(&state, 'x', 192);
    put_u32(&state, compression);
    put_u32(&state, (uint32_t)packed->len);
    put_u32(&state, (uint32_t)len);
    put_u32(&state, 300);
    put_fill(&state, 0, 84);
    put(&state, packed->data, packed->len);
    return state;
}

static byte_run deflated(const byte_run *run)
{
    byte_run out = {0};
    uLongf len = compressBound(run->len);
    put_fill(&out, 0, len);
    cr_assert(compress2(out.data, &len, run->data, run->len, 1) == Z_OK);
    out.len = len;
    return out;
}

Test(memory, duckstation_in_all_known_versions)
{
    for (uint32_t version = 42; version <= 86; version++) {
        byte_run ram = make_ram(FH_RAM_LEN);
        if (version % 2 == 0) {
            memset(ram.data, 0, 0x100); /* no sign of the kernel is asked for */
        }
        byte_run data = duck_data(version, &ram);
        byte_run state = duck_state(version, 0, &data, data.len);
        is_ram_at(&state, 300 + 321 + 7 + (version >= 52 ? 4 : 0) + 60, FH_RAM_LEN);
        free(ram.data);
        free(data.data);
        free(state.data);
    }
}

Test(memory, duckstation_unknown_versions_are_searched)
{
    static const uint32_t versions[] = {1, 41, 87, 0xffff};
    for (size_t i = 0; i < 4; i++) {
        fh_tallies faults;
        byte_run ram = make_ram(FH_RAM_LEN);
        byte_run data = duck_data(versions[i], &ram);
        byte_run state = duck_state(versions[i], 0, &data, data.len);
        const fh_memory memory = found(&state, &faults);
        cr_assert(eq(sz, memory.off, 300 + 321 + 7 + (versions[i] >= 52 ? 4 : 0) + 60));
        TELLS(&faults, FH_IMG0050, FH_IMG0051);
        free(ram.data);
        free(data.data);
        free(state.data);
    }
}

Test(memory, duckstation_lies)
{
    fh_tallies faults;
    byte_run ram = make_ram(FH_RAM_LEN);
    byte_run data = duck_data(60, &ram);
    byte_run state = duck_state(60, 0, &data, data.len);
    const struct {
        size_t at;
        uint32_t value;
        bool is_found;
    } rows[] = {{208, 0, false},
                {208, 0xffffffff, true},
                {212, 0, false},
                {212, 215, false},
                {212, 0xffffffff, false},
                {212, 0x7fffffff, false},
                {300 + 328, 0x300000, true},
                {300 + 328, 0x800000, true},
                {300 + 321, 9, true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        byte_run bad = {0};
        put(&bad, state.data, state.len);
        set_u32(&bad, rows[i].at, rows[i].value);
        const fh_memory memory = found(&bad, &faults);
        cr_assert(rows[i].is_found == (memory.product != NULL), "row %zu", i);
        cr_assert(faults.rules[FH_IMG0052].count + faults.rules[FH_IMG0051].count > 0, "%zu", i);
        cr_assert(memory.product == NULL || memory.off + memory.len <= bad.len);
        free(bad.data);
    }
    free(ram.data);
    free(data.data);
    free(state.data);
}

/* ---- the PCSX family, Mednafen --------------------------------------------------------------- */

static byte_run pcsx_state(const char *name, uint32_t version, uint8_t hle, size_t off,
                           const byte_run *ram)
{
    byte_run state = {0};
    put_fill(&state, 0, 32);
    memcpy(state.data, name, strlen(name));
    put_u32(&state, version);
    put(&state, &hle, 1);
    put_fill(&state, 0x22, off - 37);
    put(&state, ram->data, ram->len);
    put_fill(&state, 0x33, 1000);
    return state;
}

Test(memory, pcsx_rearmed)
{
    byte_run ram = make_ram(FH_RAM_LEN);
    byte_run bare = make_ram(FH_RAM_LEN);
    memset(bare.data, 0, 0x100);
    const struct {
        const char *name;
        uint32_t version;
        uint8_t hle;
        size_t off;
        bool is_bare, is_searched, is_found;
    } rows[] = {{"STv4 PCSXra x", 0x8b410006, 0, 0x9025, false, false, true},
                {"STv4 PCSXra x", 0x8b410006, 1, 0x96b5, false, false, true},
                {"STv4 PCSXra x", 0x8b410006, 1, 0x96b5, true, false, true},
                {"STv4 PCSXra x", 0x8b410006, 2, 0x8888, false, true, true},
                {"STv4 PCSXra x", 0x8b410007, 0, 0x9999, false, true, true},
                {"STv4 PCSXra x", 0x8b410007, 0, 0x9025, true, true, false},
                {"STv4 PCSX v1", 0x8b410006, 0, 0x7777, false, true, true},
                {"STv4 PCSX v1", 0x8b410006, 0, 0x9025, true, true, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fh_tallies faults;
        byte_run state = pcsx_state(rows[i].name, rows[i].version, rows[i].hle, rows[i].off,
                                    rows[i].is_bare ? &bare : &ram);
        const fh_memory memory = found(&state, &faults);
        cr_assert(rows[i].is_found == (memory.product != NULL), "row %zu", i);
        cr_assert(rows[i].is_searched == (faults.rules[FH_IMG0051].count > 0), "row %zu", i);
        cr_assert(rows[i].is_found == false || memory.off == rows[i].off, "row %zu", i);
        cr_assert(eq(i64, faults.rules[FH_IMG0052].count, 0));
        free(state.data);
    }
    free(ram.data);
    free(bare.data);
}

static void put_section(byte_run *run, const char *name, size_t len)
{
    char field[32] = {0};
    memcpy(field, name, strlen(name));
    put(run, field, sizeof field);
    put_u32(run, (uint32_t)len);
}

static void put_entry(byte_run *run, const char *name, size_t len)
{
    const uint8_t name_len = (uint8_t)strlen(name);
    put(run, &name_len, 1);
    put(run, name, name_len);
    put_u32(run, (uint32_t)len);
}

static byte_run mednafen_state(const byte_run *ram, uint32_t width, uint32_t height, size_t *off)
{
    byte_run state = {0};
    put(&state, "MDFNSVST", 8);
    put_fill(&state, 0, 16);
    put_u32(&state, width);
    put_u32(&state, height);
    put_fill(&state, 0xab, (size_t)3 * width * height);
    put_section(&state, "CDC", 13);
    put_entry(&state, "Mode", 4);
    put_fill(&state, 0, 4);
    put_section(&state, "MAIN", 14 + 4 + ram->len + 9);
    put_entry(&state, "MainRAM.data8", ram->len);
    *off = state.len;
    put(&state, ram->data, ram->len);
    put_entry(&state, "x", 3);
    put_fill(&state, 0, 3);
    return state;
}

Test(memory, mednafen)
{
    byte_run ram = make_ram(FH_RAM_LEN);
    memset(ram.data, 0, 0x100);
    for (uint32_t picture = 0; picture < 3; picture++) {
        size_t off = 0;
        byte_run state = mednafen_state(&ram, 10 * picture, 7, &off);
        is_ram_at(&state, off, FH_RAM_LEN);
        free(state.data);
    }
    free(ram.data);
}

Test(memory, mednafen_lies)
{
    byte_run ram = make_ram(FH_RAM_LEN);
    size_t off = 0;
    byte_run state = mednafen_state(&ram, 0, 0, &off);
    const struct {
        size_t at; /* from RAM back */
        uint32_t value;
        int rule;
    } rows[] = {{4, 0x7fffffff, FH_IMG0052},  /* size of the entry */
                {22, 0x7fffffff, FH_IMG0052}, /* of the section */
                {17, 0x616263ff, FH_IMG0051}, /* its name */
                {off - 24, 0xffffffff, -1},   /* width of the picture: not one */
                {off - 32 - 32, 0xffffffff, FH_IMG0052}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fh_tallies faults;
        byte_run bad = {0};
        put(&bad, state.data, state.len);
        set_u32(&bad, off - rows[i].at, rows[i].value);
        const fh_memory memory = found(&bad, &faults);
        cr_assert(memory.product != NULL && memory.off == off, "row %zu", i);
        cr_assert(rows[i].rule < 0 || faults.rules[rows[i].rule].count > 0, "row %zu", i);
        free(bad.data);
    }
    free(state.data);
    free(ram.data);
}

/* ---- PCSX-Redux ------------------------------------------------------------------------------ */

static byte_run redux_state(const byte_run *ram, size_t *off)
{
    byte_run state = {0};
    put(&state, "\x0a\x05hello\x12\x83\x01", 10);
    put_fill(&state, 0x44, 131);
    put(&state, "\x1a\x89\x80\x80\x04", 5); /* memory: 8 MiB and 9 bytes */
    put(&state, "\x0a\x80\x80\x80\x04", 5);
    *off = state.len;
    put(&state, ram->data, ram->len);
    put_fill(&state, 0, FH_RAM_MAX_LEN - ram->len);
    put(&state, "\x12\x02xx", 4);
    put(&state, "\x22\x01y", 3);
    return state;
}

Test(memory, pcsx_redux)
{
    fh_tallies faults;
    byte_run ram = make_ram(FH_RAM_LEN);
    memset(ram.data, 0, 0x100);
    size_t off = 0;
    byte_run state = redux_state(&ram, &off);
    is_ram_at(&state, off, FH_RAM_MAX_LEN);
    state.len -= 1;
    cr_assert(eq(sz, found(&state, &faults).len, FH_RAM_MAX_LEN));
    TELLS(&faults, FH_IMG0050, FH_IMG0052);
    state.len = off + 100;
    cr_assert(eq(sz, found(&state, &faults).len, 100));
    TELLS(&faults, FH_IMG0050, FH_IMG0052);
    state.len = off - 1;
    cr_assert(eq(str, (char *)kind_of(&state), ""));
    state.len = off + 100;
    const size_t places[] = {off - 10, off - 5, off - 4, off - 3, off - 2, off - 1};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) { /* tags, and RAM's length */
        state.data[places[i]] ^= 0x40;
        cr_assert(eq(str, (char *)kind_of(&state), ""), "%zu", i);
        state.data[places[i]] ^= 0x40;
    }
    free(state.data);
    free(ram.data);
}

/* ---- every state, cut everywhere ------------------------------------------------------------- */

static void cut_to(const byte_run *state, size_t len, size_t off)
{
    fh_tallies faults;
    uint8_t *exact = malloc(len + 1);
    memcpy(exact, state->data, len);
    const byte_run part = {exact, len, len};
    const fh_cursor window = all(&part);
    const fh_memory_kind *kind = fh_memory_of(&window, (int64_t)len);
    if (kind != NULL) {
        const fh_memory memory = found(&part, &faults);
        cr_assert(memory.product == NULL || memory.off + memory.len <= len);
        cr_assert(memory.product == NULL || memory.off == off);
        cr_assert(len >= off + FH_RAM_LEN || faults.rules[FH_IMG0052].count > 0 ||
                  faults.rules[FH_IMG0051].count > 0);
    }
    free(exact);
}

Test(memory, cut_states_stay_inside_their_bytes)
{
    byte_run ram = make_ram(FH_RAM_LEN);
    byte_run data = duck_data(70, &ram);
    size_t off[4] = {300 + 321 + 7 + 4 + 60, 0x9025};
    byte_run states[4] = {duck_state(70, 0, &data, data.len),
                          pcsx_state("STv4 PCSXra", 0x8b410006, 0, 0x9025, &ram),
                          mednafen_state(&ram, 0, 0, &off[2]), redux_state(&ram, &off[3])};
    for (size_t i = 0; i < 4; i++) {
        for (size_t len = 0; len < 760; len++) {
            cut_to(&states[i], len, off[i]);
        }
        for (size_t k = 1; k < 20; k++) {
            cut_to(&states[i], states[i].len / 20 * k, off[i]);
        }
        cut_to(&states[i], off[i], off[i]);
        cut_to(&states[i], off[i] + 1, off[i]);
        cut_to(&states[i], off[i] + FH_RAM_LEN - 1, off[i]);
        free(states[i].data);
    }
    free(data.data);
    free(ram.data);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

typedef struct opened {
    fh_box_status status;
    fh_content content;
    char name[16];
    byte_run out;
    fh_tallies faults;
} opened;

static opened open_box(fh_box_status (*open)(fh_box *), const byte_run *run)
{
    opened o = {0};
    const fh_tape tape = fh_tape_of_bytes(run->data, run->len);
    fh_reader reader;
    fh_member member = {0};
    cr_assert(eq(int, (int)fh_reader_open_tape(&reader, &tape, &never), FH_READER_OK));
    fh_box box = {
        .kind = &(const fh_box_kind){.name = "save state"}, .from = &reader, .faults = &o.faults};
    o.status = open(&box);
    if (o.status == FH_BOX_OK) {
        cr_assert(eq(int, (int)box.next(&box, &member), FH_BOX_OK));
        o.content = member.content;
        strcpy(o.name, member.name);
        uint8_t part[4096];
        fh_tape of_member = {0};
        size_t len = 0;
        while (box.read(&box, &of_member, &len, part, sizeof part) == FH_TAPE_OK) {
            put(&o.out, part, len);
        }
        cr_assert(eq(i64, member.size, (int64_t)o.out.len));
        cr_assert(eq(int, (int)box.next(&box, &member), FH_BOX_END));
    }
    box.close(&box);
    fh_reader_close(&reader);
    return o;
}

Test(memory, a_packed_state_yields_its_ram)
{
    byte_run ram = make_ram(FH_RAM_LEN);
    byte_run data = duck_data(80, &ram);
    byte_run packed = deflated(&data);
    byte_run state = duck_state(80, 1, &packed, data.len);
    fh_cursor window = all(&state);
    cr_assert(fh_state_box_is_packed(&window) && !fh_state_box_is_plain(&window));
    opened o = open_box(fh_state_box_open_packed, &state);
    cr_assert(eq(int, (int)o.status, FH_BOX_OK));
    cr_assert(eq(int, (int)o.content, FH_CONTENT_RAM));
    cr_assert(eq(str, o.name, "ram"));
    cr_assert(o.out.len == ram.len && memcmp(o.out.data, ram.data, ram.len) == 0);
    TELLS(&o.faults, FH_IMG0050);
    free(o.out.data);
    const struct {
        size_t at;
        uint32_t value;
        fh_box_status status;
        int rule;
    } rows[] = {{208, 1000, FH_BOX_OK, FH_IMG0052},
                {208, (uint32_t)data.len + 1, FH_BOX_OK, FH_IMG0052},
                {208, (uint32_t)data.len - 1, FH_BOX_OK, FH_IMG0052},
                {208, 0xffffffff, FH_BOX_OK, FH_IMG0052},
                {204, 100, FH_BOX_OK, FH_IMG0052},
                {204, 0, FH_BOX_BROKEN, FH_IMG0052},
                {212, 0xffffffff, FH_BOX_BROKEN, FH_IMG0052},
                {200, 4, FH_BOX_OTHER, FH_IMG0047},
                {200, 2, FH_BOX_BROKEN, -1}, /* or another, without libzstd */
                {300, 0x11223344, FH_BOX_BROKEN, FH_IMG0052}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        byte_run bad = {0};
        put(&bad, state.data, state.len);
        set_u32(&bad, rows[i].at, rows[i].value);
        o = open_box(fh_state_box_open_packed, &bad);
        if (rows[i].rule >= 0) {
            cr_assert(eq(int, (int)o.status, (int)rows[i].status), "row %zu", i);
            cr_assert(o.faults.rules[rows[i].rule].count > 0, "row %zu", i);
        } else {
            cr_assert(o.status == FH_BOX_BROKEN || o.status == FH_BOX_OTHER);
        }
        free(o.out.data);
        free(bad.data);
    }
    free(state.data);
    free(packed.data);
    free(data.data);
    free(ram.data);
}

Test(memory, a_state_without_ram_is_handed_out_whole)
{
    byte_run bare = make_ram(FH_RAM_LEN);
    memset(bare.data, 0, 0x100);
    byte_run state = pcsx_state("STv4 PCSX v1", 5, 0, 0x4000, &bare);
    opened o = open_box(fh_state_box_open_plain, &state);
    cr_assert(eq(int, (int)o.status, FH_BOX_OK));
    cr_assert(eq(int, (int)o.content, FH_CONTENT_PLAIN));
    cr_assert(eq(str, o.name, "data"));
    cr_assert(o.out.len == state.len && memcmp(o.out.data, state.data, state.len) == 0);
    TELLS(&o.faults, FH_IMG0051);
    free(o.out.data);
    free(state.data);
    free(bare.data);
}

/* ---- unpacking ------------------------------------------------------------------------------- */

static fh_unpack_status unpack(fh_unpacked *out, const byte_run *run, fh_codec codec, int64_t len,
                               size_t max)
{
    const fh_tape tape = fh_tape_of_bytes(run->data, run->len);
    fh_reader reader;
    cr_assert(eq(int, (int)fh_reader_open_tape(&reader, &tape, &never), FH_READER_OK));
    fh_feed feed = fh_feed_make(&reader);
    const fh_unpack_status status = fh_unpack(out, &feed, codec, len, max);
    fh_reader_close(&reader);
    return status;
}

Test(memory, unpacking_keeps_to_its_limit)
{
    byte_run plain = {0};
    put_fill(&plain, 'a', 3000000);
    byte_run packed = deflated(&plain);
    const struct {
        int64_t len;
        size_t max, got;
        fh_unpack_status status;
    } rows[] = {{(int64_t)packed.len, 3000000, 3000000, FH_UNPACK_OK},
                {INT64_MAX, 3000001, 3000000, FH_UNPACK_OK},
                {(int64_t)packed.len, 2999999, 2999999, FH_UNPACK_FULL},
                {(int64_t)packed.len, 1, 1, FH_UNPACK_FULL},
                {0, 100, 0, FH_UNPACK_CUT},
                {(int64_t)packed.len - 1, 3000000, 3000000, FH_UNPACK_CUT}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fh_unpacked out;
        const fh_unpack_status status =
            unpack(&out, &packed, FH_CODEC_DEFLATE, rows[i].len, rows[i].max);
        cr_assert(eq(int, (int)status, (int)rows[i].status), "row %zu", i);
        cr_assert(eq(sz, out.len, rows[i].got), "row %zu", i);
        free(out.bytes);
    }
    free(plain.data);
    free(packed.data);
}

/* ---- the stream ------------------------------------------------------------------------------ */

typedef struct taken {
    byte_run got[FH_STREAM_NUM];
    int64_t first_raw[FH_STREAM_NUM], first_user[FH_STREAM_NUM];
    int seams[FH_STREAM_NUM];
    bool is_told[FH_IMG_NUM_RULES];
    int64_t polls, stop_at;
} taken;

static void take_piece(void *user, const fh_piece *piece)
{
    taken *t = user;
    byte_run *got = &t->got[piece->stream];
    if (got->len == 0) {
        t->first_raw[piece->stream] = piece->raw_off;
        t->first_user[piece->stream] = piece->user_off;
    }
    cr_assert(piece->len > 0 && piece->len <= FH_READER_CHUNK);
    cr_assert(eq(i64, piece->stream_off, (int64_t)got->len));
    cr_assert(eq(i64, piece->raw_off - t->first_raw[piece->stream], (int64_t)got->len));
    put(got, piece->bytes, piece->len);
}

static void take_seam(void *user, const fh_seam *seam)
{
    taken *t = user;
    cr_assert(eq(i64, seam->stream_off, (int64_t)t->got[seam->stream].len));
    cr_assert(eq(int, (int)seam->reason, (int)FH_SEAM_END));
    t->seams[seam->stream]++;
}

static void take_finding(void *user, const fh_finding *finding)
{
    ((taken *)user)->is_told[finding->rule - fh_image_rules.rules] = true;
}

static bool ask_to_stop(void *user)
{
    taken *t = user;
    return t->stop_at > 0 && ++t->polls >= t->stop_at;
}

static fh_memory stream(taken *t, const byte_run *run, bool has_address, uint32_t address,
                        fh_source_status want)
{
    const fh_cursor window = all(run);
    const fh_memory_plan plan = {fh_memory_of(&window, (int64_t)run->len), has_address, address};
    const fh_tape tape = fh_tape_of_bytes(run->data, run->len);
    const fh_stream_sink sink = {t, take_piece, take_seam, NULL, take_finding, ask_to_stop};
    fh_memory memory;
    fh_reader reader;
    cr_assert(eq(int, (int)fh_reader_open_tape(&reader, &tape, &never), FH_READER_OK));
    cr_assert(eq(int, (int)fh_memory_stream(&memory, &reader, &plan, &sink), (int)want));
    cr_assert(want != FH_SOURCE_OK || reader.size_read == (int64_t)run->len);
    fh_reader_close(&reader);
    return memory;
}

static void forget(taken *t)
{
    for (int i = 0; i < FH_STREAM_NUM; i++) {
        free(t->got[i].data);
    }
    memset(t, 0, sizeof *t);
}

Test(memory, mirrors_are_handed_out_once)
{
    byte_run ram = make_ram(FH_RAM_LEN);
    byte_run dump = {0};
    taken t = {0};
    for (unsigned i = 0; i < 4; i++) {
        put(&dump, ram.data, ram.len);
    }
    const struct {
        size_t len, got;
        size_t broken; /* byte that differs, 0 = none */
    } rows[] = {{0x800000, 0x200000, 0},       {0x600000, 0x200000, 0},
                {0x512345, 0x200000, 0},       {0x200001, 0x200000, 0},
                {0x200000, 0x200000, 0},       {0x800000, 0x800000, 0x7fffff},
                {0x800000, 0x800000, 0x200000}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        byte_run copy = {0};
        put(&copy, dump.data, rows[i].len);
        copy.data[rows[i].broken] ^= rows[i].broken != 0 ? 1 : 0;
        const fh_memory memory = stream(&t, &copy, false, 0, FH_SOURCE_OK);
        cr_assert(eq(sz, t.got[FH_STREAM_PLAIN].len, rows[i].got), "row %zu", i);
        cr_assert(eq(sz, memory.len, rows[i].got));
        cr_assert(t.is_told[FH_IMG0053] == (rows[i].len > rows[i].got), "row %zu", i);
        cr_assert(eq(int, t.seams[FH_STREAM_PLAIN], 1));
        forget(&t);
        free(copy.data);
    }
    free(dump.data);
    free(ram.data);
}

Test(memory, what_lies_behind_ram_is_another_stream)
{
    byte_run dump = make_ram(0x800000 + 700001);
    taken t = {0};
    (void)stream(&t, &dump, false, 0, FH_SOURCE_OK);
    cr_assert(eq(sz, t.got[FH_STREAM_PLAIN].len, 0x800000));
    cr_assert(eq(sz, t.got[FH_STREAM_RAW].len, 700001));
    cr_assert(eq(i64, t.first_raw[FH_STREAM_RAW], 0x800000));
    cr_assert(eq(i64, t.first_user[FH_STREAM_RAW], FH_UNKNOWN));
    cr_assert(memcmp(t.got[FH_STREAM_RAW].data, dump.data + 0x800000, 700001) == 0);
    cr_assert(eq(int, t.seams[FH_STREAM_RAW], 1));
    forget(&t);
    const fh_memory memory = stream(&t, &dump, true, 0x80700000, FH_SOURCE_OK);
    cr_assert(eq(u32, memory.address, 0x80700000));
    cr_assert(eq(sz, t.got[FH_STREAM_PLAIN].len, 0x100000));
    cr_assert(eq(sz, t.got[FH_STREAM_RAW].len, dump.len - 0x100000));
    forget(&t);
    free(dump.data);
}

Test(memory, of_a_state_only_ram_is_handed_out)
{
    byte_run ram = make_ram(FH_RAM_LEN);
    byte_run state = pcsx_state("STv4 PCSXra", 0x8b410006, 1, 0x96b5, &ram);
    taken t = {0};
    (void)stream(&t, &state, false, 0, FH_SOURCE_OK);
    cr_assert(eq(sz, t.got[FH_STREAM_PLAIN].len, FH_RAM_LEN));
    cr_assert(eq(sz, t.got[FH_STREAM_RAW].len, 0));
    cr_assert(eq(i64, t.first_raw[FH_STREAM_PLAIN], 0x96b5));
    cr_assert(eq(i64, t.first_user[FH_STREAM_PLAIN], 0));
    cr_assert(memcmp(t.got[FH_STREAM_PLAIN].data, ram.data, FH_RAM_LEN) == 0);
    cr_assert(t.is_told[FH_IMG0050] && !t.is_told[FH_IMG0052]);
    forget(&t);
    t.stop_at = 3;
    (void)stream(&t, &state, false, 0, FH_SOURCE_STOPPED);
    cr_assert(eq(int, t.seams[FH_STREAM_PLAIN], 0));
    forget(&t);
    free(state.data);
    /* No RAM in it: all of it, however long. */
    memset(ram.data, 0, 0x100);
    state = pcsx_state("STv4 PCSX v9", 1, 0, FH_STATE_MAX_LEN - 777, &ram);
    const fh_memory memory = stream(&t, &state, false, 0, FH_SOURCE_OK);
    cr_assert(memory.product == NULL);
    cr_assert(t.got[FH_STREAM_PLAIN].len == state.len &&
              memcmp(t.got[FH_STREAM_PLAIN].data, state.data, state.len) == 0);
    cr_assert(eq(int, t.seams[FH_STREAM_PLAIN], 1));
    forget(&t);
    free(state.data);
    free(ram.data);
}

Test(memory, addresses_of_main_ram)
{
    const struct {
        uint32_t address;
        bool is_one;
    } rows[] = {{0, true},           {0x7fffff, true},    {0x800000, false},   {0x80000000, true},
                {0x807fffff, true},  {0x80800000, false}, {0xa0000000, true},  {0xa0800000, false},
                {0x1f800000, false}, {0xbfc00000, false}, {0xc0000000, false}, {0x20000000, false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cr_assert(fh_memory_is_address(rows[i].address) == rows[i].is_one, "row %zu", i);
    }
}
