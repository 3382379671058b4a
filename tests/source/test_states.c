/* RAM in what is not named for it: states in RetroArch's frame, states of no known kind, dumps
 * without a console's kernel. */
#include "bench.h"

#include "source/kernel.h"
#include "source/limits.h"
#include "source/memory_stream.h"
#include "source/retroarch.h"
#include "source/tracks.h"

#include <stdlib.h>
#include <string.h>

static const fh_stop never = {NULL, NULL};

static void put(byte_run *run, const void *bytes, size_t len)
{
    if (run->cap - run->len < len) {
        run->cap = 2 * (run->len + len);
        run->data = realloc(run->data, run->cap);
        cr_assert(run->data != NULL);
    }
    if (len > 0) {
        memcpy(run->data + run->len, bytes, len);
    }
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

static void set_u32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        at[i] = (uint8_t)(value >> 8 * i);
    }
}

static void put_u32(byte_run *run, uint32_t value)
{
    uint8_t bytes[4];
    set_u32(bytes, value);
    put(run, bytes, 4);
}

static void set_long(uint8_t *at, uint32_t reg)
{
    set_u32(at, 0x3c000000u | reg << 16);
    set_u32(at + 4, 0x24000000u | reg << 21 | reg << 16 | 0x5c4u);
    set_u32(at + 8, reg << 21 | 8u);
    set_u32(at + 12, 0);
}

static void set_short(uint8_t *at, uint32_t reg, bool ori)
{
    set_u32(at, (ori ? 0x34000000u : 0x24000000u) | reg << 16 | 0x5c4u);
    set_u32(at + 4, reg << 21 | 8u);
    memset(at + 8, 0, 8);
}

/* 2 MiB that differ from place to place, with or without vectors. */
static byte_run make_ram(bool has_vectors)
{
    byte_run ram = {0};
    put_fill(&ram, 0, FH_RAM_LEN);
    for (size_t i = 0x1000; i < ram.len; i++) {
        ram.data[i] = (uint8_t)(i * 2654435761u >> 24);
    }
    for (unsigned i = 0; i < 3 && has_vectors; i++) {
        set_long(ram.data + 0xa0 + 0x10 * i, 8);
    }
    return ram;
}

static fh_cursor all(const byte_run *run)
{
    return fh_cursor_make(run->data, run->len, 0);
}

/* The first bytes, as a reader shows them. */
static fh_cursor window_of(const byte_run *run)
{
    return fh_cursor_make(run->data, run->len < FH_READER_WINDOW ? run->len : FH_READER_WINDOW, 0);
}

static const fh_memory_kind *kind_of(const byte_run *run)
{
    const fh_cursor window = window_of(run);
    return fh_memory_of(&window, (int64_t)run->len);
}

static bool find(fh_memory *out, const byte_run *run, fh_tallies *faults)
{
    const fh_memory_kind *kind = kind_of(run);
    memset(faults, 0, sizeof *faults);
    return kind != NULL && fh_memory_find(out, kind, all(run), faults);
}

static bool is_told(const fh_tallies *faults, fh_image_rule rule)
{
    return faults->rules[rule].count > 0;
}

/* ---- the kernel of OpenBIOS ------------------------------------------------------------------ */

Test(states, short_vectors_are_vectors)
{
    static const struct {
        size_t at; /* a word of two of the vectors */
        uint32_t word;
        bool is_one;
    } cases[] = {
        {0, 0x240805c4u, true},  {0, 0x340805c4u, true},  {0, 0x24080000u, false},
        {0, 0x240805c6u, false}, {0, 0x240905c4u, false}, {0, 0x250805c4u, false},
        {0, 0x240005c4u, false}, {4, 0x01000009u, false}, {4, 0x01200008u, false},
        {8, 1, false},           {12, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[0xd0] = {0};
        for (size_t k = 0xa0; k < 0xd0; k += 0x10) {
            set_short(bytes + k, 8, false);
        }
        set_u32(bytes + 0xa0 + cases[i].at, cases[i].word);
        set_u32(bytes + 0xb0 + cases[i].at, cases[i].word);
        const fh_cursor window = fh_cursor_make(bytes, sizeof bytes, 0);
        cr_expect(eq(int, fh_kernel_has_vectors(&window, 0), cases[i].is_one), "%zu", i);
        cr_expect(eq(sz, fh_kernel_find(&window, 0), cases[i].is_one ? 0 : SIZE_MAX), "%zu", i);
    }
}

/* Against a search that tries every byte: both forms mixed, some replaced, many that overlap. */
Test(states, vectors_of_both_forms_are_found_as_by_trying_every_byte)
{
    uint32_t state = 11;
    for (unsigned turn = 0; turn < 600; turn++) {
        byte_run run = {0};
        for (unsigned part = 0; part < 24; part++) {
            uint8_t vector[16];
            state = state * 1664525u + 1013904223u;
            if ((state >> 20 & 3u) == 0) {
                set_long(vector, 8);
            } else {
                set_short(vector, 8 + (state >> 22 & 1u), (state >> 23 & 1u) != 0);
            }
            put_fill(&run, (state >> 26 & 3u) == 0 ? 8 : 0,
                     (state >> 28) == 0 ? state >> 12 & 7u : 0);
            put(&run, vector, (state >> 24 & 3u) == 0 && turn % 2 == 0 ? 12 : 16);
        }
        const fh_cursor bytes = all(&run);
        for (size_t from = 0; from <= run.len; from += 1 + run.len / 7) {
            size_t off = from;
            while (off < run.len && !fh_kernel_has_vectors(&bytes, off)) {
                off++;
            }
            cr_assert(eq(sz, fh_kernel_find(&bytes, from), off < run.len ? off : SIZE_MAX), "%u",
                      turn);
        }
        free(run.data);
    }
}

/* ---- the frame of RetroArch ------------------------------------------------------------------ */

static void put_block(byte_run *run, const char *mark, const byte_run *bytes, uint32_t len)
{
    put(run, mark, 4);
    put_u32(run, len);
    put(run, bytes->data, bytes->len);
    put_fill(run, 0, (8 - bytes->len % 8) % 8);
}

static byte_run frame_of(const byte_run *core, uint32_t len)
{
    const byte_run none = {0};
    byte_run run = {0};
    put(&run, "RASTATE\001", 8);
    put_block(&run, "MEM ", core, len);
    put_block(&run, "END ", &none, 0);
    return run;
}

static byte_run rearmed_of(const byte_run *ram)
{
    byte_run run = {0};
    put(&run, "STv4 PCSXra", 11);
    put_fill(&run, 0, 21);
    put_u32(&run, 0x8b410006);
    put_fill(&run, 0, 0x9025 - run.len);
    put(&run, ram->data, ram->len);
    put_fill(&run, 7, 999);
    return run;
}

Test(states, what_a_frame_holds_is_judged_as_by_itself)
{
    fh_tallies faults;
    fh_memory memory;
    byte_run ram = make_ram(false);
    byte_run core = rearmed_of(&ram);
    byte_run run = frame_of(&core, (uint32_t)core.len);
    cr_assert(find(&memory, &run, &faults));
    cr_expect_str_eq(memory.product, "PCSX-ReARMed save state");
    cr_expect_str_eq(memory.frame, "RetroArch save state");
    cr_assert(eq(sz, memory.off, 16 + 0x9025));
    cr_assert(eq(sz, memory.len, FH_RAM_LEN));
    cr_assert(is_told(&faults, FH_IMG0050) && !is_told(&faults, FH_IMG0051));
    cr_expect(strstr(faults.rules[FH_IMG0050].found, "in RetroArch") != NULL);
    cr_assert(eq(i64, faults.rules[FH_IMG0050].first_off, 16 + 0x9025));
    /* Cut in RAM: told where the file ends. */
    run.len = 16 + 0x9025 + 5000;
    cr_assert(find(&memory, &run, &faults) && memory.len == 5000);
    cr_assert(is_told(&faults, FH_IMG0052));
    cr_assert(eq(i64, faults.rules[FH_IMG0052].first_off, (int64_t)run.len));
    free(run.data);
    free(core.data);
    free(ram.data);
}

Test(states, blocks_follow_each_other)
{
    static const char *const marks[] = {"ACHV", "RPLY", "ABCD", "END "};
    byte_run ram = make_ram(true);
    const byte_run none = {0};
    for (size_t fill = 0; fill < 18; fill++) {
        byte_run before = {0};
        put_fill(&before, 'x', fill);
        for (size_t i = 0; i < 4; i++) {
            fh_retroarch_block block;
            byte_run run = {0};
            put(&run, "RASTATE\001", 8);
            put_block(&run, marks[i], &before, (uint32_t)fill);
            put_block(&run, "MEM ", &ram, (uint32_t)ram.len);
            put_block(&run, "END ", &none, 0);
            const bool is_there = fh_retroarch_find(&block, all(&run));
            cr_assert(is_there == (i != 3));
            cr_assert(is_there == false ||
                      (block.off == 24 + (fill + 7) / 8 * 8 && block.len == ram.len));
            cr_assert(is_there == false || block.is_ended);
            for (size_t cut = 1; is_there && cut < 16; cut++) {
                const fh_cursor part = fh_cursor_make(run.data, run.len - cut, 0);
                cr_assert(fh_retroarch_find(&block, part));
                cr_assert(block.is_ended == (cut == 8), "%zu", cut); /* the others are no blocks */
            }
            free(run.data);
        }
        free(before.data);
    }
    free(ram.data);
}

Test(states, frames_that_lie_stay_inside_their_bytes)
{
    fh_retroarch_block block;
    fh_tallies faults;
    fh_memory memory;
    byte_run ram = make_ram(true);
    byte_run run = frame_of(&ram, (uint32_t)ram.len);
    for (size_t len = 0; len < 40; len++) {
        uint8_t *exact = malloc(len + 1);
        memcpy(exact, run.data, len);
        const byte_run part = {exact, len, len};
        const fh_cursor window = all(&part);
        cr_assert(fh_retroarch_is(&window) == (len >= 16));
        cr_assert(fh_retroarch_find(&block, window) == (len >= 16));
        cr_assert(find(&memory, &part, &faults) == false);
        free(exact);
    }
    /* A length that is not there: what is, is searched. */
    set_u32(run.data + 12, UINT32_MAX);
    cr_assert(find(&memory, &run, &faults) && memory.off == 16);
    cr_assert(is_told(&faults, FH_IMG0052));
    memcpy(run.data + 8, "ACHV", 4);
    cr_assert(find(&memory, &run, &faults) == false && !is_told(&faults, FH_IMG0050));
    free(run.data);
    /* No room for RAM: the state of another machine. */
    run = frame_of(&ram, (uint32_t)ram.len - 1);
    cr_assert(find(&memory, &run, &faults) == false);
    for (int i = 0; i < FH_IMG_NUM_RULES; i++) {
        cr_assert(is_told(&faults, (fh_image_rule)i) == false);
    }
    free(run.data);
    free(ram.data);
}

Test(states, unknown_cores_and_frames_in_frames_are_searched)
{
    fh_tallies faults;
    fh_memory memory;
    byte_run ram = make_ram(true);
    byte_run core = {0};
    put(&core, "SOMECORE1", 9);
    put(&core, ram.data, ram.len);
    byte_run run = frame_of(&core, (uint32_t)core.len);
    byte_run twice = frame_of(&run, (uint32_t)run.len);
    const byte_run *const runs[] = {&run, &twice};
    for (size_t i = 0; i < 2; i++) {
        cr_assert(find(&memory, runs[i], &faults));
        cr_assert(eq(sz, memory.off, 16 * (i + 1) + 9));
        cr_assert(memory.frame == NULL);
        cr_assert(is_told(&faults, FH_IMG0050) && is_told(&faults, FH_IMG0051));
        cr_expect(strstr(faults.rules[FH_IMG0051].found, i == 0 ? "at 0x19" : "at 0x29") != NULL);
    }
    memset(core.data + 9, 0, 0x100);
    free(run.data);
    run = frame_of(&core, (uint32_t)core.len);
    cr_assert(find(&memory, &run, &faults) == false && is_told(&faults, FH_IMG0051));
    free(twice.data);
    free(run.data);
    free(core.data);
    free(ram.data);
}

/* ---- files that nothing names ---------------------------------------------------------------- */

Test(states, ram_is_found_where_the_vectors_are)
{
    static const struct {
        size_t before, behind;
        bool is_found;
    } rows[] = {
        {0x12345, 0, true},         {1, 700001, true},
        {0x180001, 99, true}, /* behind the window, in a file as long as a state */
        {0x180001, 3 << 20, false}, {5, 29 << 20, true},
        {5, 30 << 20, false},
    };
    byte_run ram = make_ram(true);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fh_tallies faults;
        fh_memory memory = {0};
        byte_run run = {0};
        put_fill(&run, 0x55, rows[i].before);
        put(&run, ram.data, ram.len);
        put_fill(&run, 0x55, rows[i].behind);
        cr_assert(find(&memory, &run, &faults) == rows[i].is_found, "row %zu", i);
        cr_assert(is_told(&faults, FH_IMG0051) == rows[i].is_found);
        cr_assert(is_told(&faults, FH_IMG0050) == rows[i].is_found);
        cr_assert(rows[i].is_found == false ||
                  (memory.off == rows[i].before && memory.len == FH_RAM_LEN));
        if (rows[i].behind == 0) { /* RAM has no room: not one byte less */
            run.len--;
            cr_assert(find(&memory, &run, &faults) == false && !is_told(&faults, FH_IMG0051));
        }
        free(run.data);
    }
    free(ram.data);
}

Test(states, only_what_may_be_looked_at_twice_is_guessed_at)
{
    byte_run ram = make_ram(true);
    byte_run run = {0};
    put_fill(&run, 1, 3);
    put(&run, ram.data, ram.len);
    const fh_tracks tracks = {0};
    const struct {
        int fd;
        bool has_tracks, is_wanted;
        int64_t size;
    } rows[] = {{-1, false, true, FH_UNKNOWN},
                {3, false, false, FH_UNKNOWN},
                {3, false, true, 0x200003},
                {-1, true, false, 0x200003},
                {-1, false, false, 0x1fffff}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const fh_cursor window = window_of(&run);
        fh_reader reader = {.stat_size = rows[i].size,
                            .tracks = rows[i].has_tracks ? &tracks : NULL,
                            .tape = {.fd = rows[i].fd}};
        const bool is_kind = fh_memory_of_reader(&reader, &window) != NULL;
        cr_assert(is_kind == rows[i].is_wanted, "row %zu", i);
    }
    free(run.data);
    free(ram.data);
}

Test(states, mirrors_tell_a_dump_without_a_kernel)
{
    fh_tallies faults;
    fh_memory memory;
    byte_run ram = make_ram(false);
    byte_run run = {0};
    for (unsigned i = 0; i < 4; i++) {
        put(&run, ram.data, ram.len);
    }
    cr_assert(find(&memory, &run, &faults) && memory.off == 0 && memory.len == FH_RAM_MAX_LEN);
    cr_assert(is_told(&faults, FH_IMG0050) && !is_told(&faults, FH_IMG0051));
    cr_assert(eq(int, (int)fh_memory_mirrors(&memory, run.data), 4));
    run.data[FH_RAM_MAX_LEN - 1] ^= 1;
    cr_assert(find(&memory, &run, &faults) == false && !is_told(&faults, FH_IMG0050));
    run.data[FH_RAM_MAX_LEN - 1] ^= 1;
    put_fill(&run, 0, 1);
    cr_assert(find(&memory, &run, &faults) == false);
    run.len -= 2;
    cr_assert(find(&memory, &run, &faults) == false);
    run.len = FH_RAM_MAX_LEN; /* what repeats itself sooner is no memory */
    for (size_t i = 0; i < run.len; i++) {
        run.data[i] = (uint8_t)(i >> 9);
    }
    cr_assert(find(&memory, &run, &faults) == false);
    memset(run.data, 0, run.len);
    cr_assert(find(&memory, &run, &faults) == false);
    free(run.data);
    free(ram.data);
}

/* ---- the stream ------------------------------------------------------------------------------ */

typedef struct taken {
    byte_run got[FH_STREAM_NUM];
    int seams[FH_STREAM_NUM];
} taken;

static void take_piece(void *user, const fh_piece *piece)
{
    taken *t = user;
    cr_assert(eq(i64, piece->stream_off, (int64_t)t->got[piece->stream].len));
    put(&t->got[piece->stream], piece->bytes, piece->len);
    const bool is_ram = piece->stream == FH_STREAM_PLAIN;
    cr_assert(eq(int, piece->claim == FH_CLAIM_RAM, is_ram));
    cr_assert(eq(int, piece->user_off == FH_UNKNOWN, !is_ram));
}

static void take_seam(void *user, const fh_seam *seam)
{
    taken *t = user;
    cr_assert(eq(i64, seam->stream_off, (int64_t)t->got[seam->stream].len));
    t->seams[seam->stream]++;
}

Test(states, beside_a_guess_everything_is_handed_out)
{
    byte_run ram = make_ram(true);
    byte_run run = {0};
    taken t = {0};
    fh_reader reader;
    fh_memory memory;
    put_fill(&run, 1, 300001);
    put(&run, ram.data, ram.len);
    put_fill(&run, 2, 70000);
    const fh_tape tape = fh_tape_of_bytes(run.data, run.len);
    const fh_stream_sink sink = {.user = &t, .piece = take_piece, .seam = take_seam};
    const fh_memory_plan plan = {.kind = kind_of(&run)};
    cr_assert(eq(int, (int)fh_reader_open_tape(&reader, &tape, &never), FH_READER_OK));
    cr_assert(eq(int, (int)fh_memory_stream(&memory, &reader, &plan, &sink), FH_SOURCE_OK));
    cr_assert(memory.off == 300001 && memory.len == FH_RAM_LEN);
    cr_assert(t.got[FH_STREAM_PLAIN].len == ram.len &&
              memcmp(t.got[FH_STREAM_PLAIN].data, ram.data, ram.len) == 0);
    cr_assert(eq(sz, t.got[FH_STREAM_RAW].len, 370001));
    cr_assert(t.got[FH_STREAM_RAW].data[300000] == 1 && t.got[FH_STREAM_RAW].data[300001] == 2);
    cr_assert(t.seams[FH_STREAM_PLAIN] == 1 && t.seams[FH_STREAM_RAW] == 2);
    fh_reader_close(&reader);
    free(t.got[FH_STREAM_PLAIN].data);
    free(t.got[FH_STREAM_RAW].data);
    free(run.data);
    free(ram.data);
}
