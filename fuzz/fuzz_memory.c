/* Memory dumps and save states. The first byte says how long the source is, the second what stands
 * in it from the start (the vectors of a kernel, a text of it, and where); then come bytes from its
 * beginning on, and behind a byte 0x1c what is laid over it (fuzz_patch): place, length, bytes.
 * What must be true:
 *   - RAM that is found lies in the source, is not empty, no longer than a console's, and at an
 *     address of RAM;
 *   - mirrors divide it;
 *   - its stream holds all of fuzz_stream.h, and says the same twice;
 *   - in the unpacked data of a state of any version the same is true.
 */
#include "fuzz_image.h"
#include "fuzz_stream.h"

#include "source/memory_stream.h"

#include <string.h>

static const fuzz_bounds bounds = {.memory_floor = (size_t)128 << 20,
                                   .memory_per_byte = 16,
                                   .milliseconds = 4000,
                                   .milliseconds_per_kib = 4};

/* Lengths of sources; 0: as long as the input. Those of consoles, and of states with what lies
 * around the RAM. */
static const size_t lens[] = {0,
                              0,
                              (size_t)64 << 10,
                              (size_t)68 << 10,
                              (size_t)128 << 10,
                              FH_RAM_LEN + 0x9025 + 1000,
                              FH_RAM_MAX_LEN + 4096};
/* A state is looked through byte by byte, which takes long in a large source. */
enum { MOST_STATE = 256 << 10 };
enum { NUM_LENS = sizeof lens / sizeof lens[0], MOST_LEN = FH_RAM_MAX_LEN + 4096 };

static uint8_t source[MOST_LEN];

static void put_word(uint8_t *to, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++) {
        to[i] = (uint8_t)(word >> (8 * i));
    }
}

/* lui R, 0; addiu R, R, address; jr R; nop. */
static void put_vector(uint8_t *to, uint32_t reg)
{
    put_word(to, 0x3c000000u | reg << 16);
    put_word(to + 4, 0x24000500u | reg << 21 | reg << 16);
    put_word(to + 8, reg << 21 | 8u);
    put_word(to + 12, 0);
}

static void put_kernel(uint8_t *to, bool has_vectors, bool has_text)
{
    if (has_vectors) {
        put_vector(to + 0x80, 26);
        put_vector(to + 0xa0, 8);
        put_vector(to + 0xb0, 8);
        put_vector(to + 0xc0, 8);
    }
    if (has_text) {
        memcpy(to + 0x4d24, "PS-X Control PAD Driver  Ver 3.0\n", 34);
    }
}

static size_t lay_out(fuzz_input *input)
{
    const size_t which = fuzz_byte(input) % NUM_LENS;
    const uint8_t how = fuzz_byte(input);
    fuzz_input first = fuzz_cut(input, "\x1c");
    const size_t num = first.left < MOST_LEN ? first.left : MOST_LEN;
    const size_t len = lens[which] != 0 ? lens[which] : num;
    memset(source, 0, len);
    if (num > 0) {
        memcpy(source, first.at, num < len ? num : len);
    }
    const size_t kernel = (size_t)(how >> 2) * 0x1001;
    if (kernel + 0x5000 < len) {
        put_kernel(source + kernel, (how & 1) != 0, (how & 2) != 0);
    }
    if (len > 0) {
        fuzz_patch(source, len, input);
    }
    return len;
}

static void check_memory(const fh_memory *memory, size_t len)
{
    fuzz_demand(memory->off <= len && memory->len <= len - memory->off, "RAM lies in the source");
    fuzz_demand(memory->len > 0 && memory->len <= FH_RAM_MAX_LEN, "RAM is no longer than it is");
    fuzz_demand(fh_memory_is_address(memory->address), "RAM is at its address");
    const unsigned mirrors = fh_memory_mirrors(memory, source + memory->off);
    fuzz_demand(mirrors >= 1 && memory->len % mirrors == 0, "mirrors divide RAM");
}

static void on_fault(void *user, const fh_finding *finding)
{
    fuzz_fold_finding(user, finding);
}

static fuzz_sum stream_once(const fh_memory_plan *plan, size_t len)
{
    fuzz_stream stream;
    fh_reader reader;
    fh_memory memory = {0};
    const fh_stop never = {0};
    const fh_tape tape = fh_tape_of_bytes(source, len);
    fuzz_demand(fh_reader_open_tape(&reader, &tape, &never) == FH_READER_OK,
                "bytes in memory can be read");
    fuzz_stream_begin(&stream, source, len);
    fuzz_demand(fh_memory_stream(&memory, &reader, plan, &stream.sink) == FH_SOURCE_OK,
                "a source in memory is read to its end");
    fuzz_stream_end(&stream, NULL);
    fh_reader_close(&reader);
    return stream.sum;
}

static void check_kind(const fh_memory_kind *kind, const fh_cursor *bytes)
{
    static fh_tallies faults;
    fuzz_sum sum = FUZZ_SUM;
    fh_memory memory = {0};
    memset(&faults, 0, sizeof faults);
    if (!kind->is_packed && fh_memory_find(&memory, kind, *bytes, &faults)) {
        check_memory(&memory, bytes->size);
    }
    fh_tallies_tell(&faults, &sum, on_fault);
}

static void check_state(const fh_cursor *bytes)
{
    static fh_tallies faults;
    fuzz_sum sum = FUZZ_SUM;
    fh_memory memory = {0};
    memset(&faults, 0, sizeof faults);
    const uint32_t version = bytes->size < 8 ? 0 : bytes->base[4];
    if (fh_memory_of_state(&memory, version, *bytes, &faults)) {
        check_memory(&memory, bytes->size);
    }
    fh_tallies_tell(&faults, &sum, on_fault);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = {data, size};
    const size_t len = lay_out(&input);
    const fh_cursor bytes = fh_cursor_make(source, len, 0);
    const size_t window_len = len < FH_READER_WINDOW ? len : FH_READER_WINDOW;
    const fh_cursor window = fh_cursor_make(source, window_len, 0);
    fuzz_begin();
    const fh_memory_kind *kind = fh_memory_of(&window, (int64_t)len);
    if (len <= MOST_STATE) {
        check_state(&bytes);
    }
    if (kind == NULL || kind->is_packed) {
        fuzz_end(&bounds, len);
        return 0;
    }
    check_kind(kind, &bytes);
    const fh_memory_plan plan = {.kind = kind};
    const fuzz_sum first = stream_once(&plan, len);
    fuzz_end(&bounds, len);
    fuzz_demand(stream_once(&plan, len) == first, "reading twice says the same");
    return 0;
}
