#include "source/memory.h"

#include "source/box.h"
#include "source/duckstation.h"
#include "source/kernel.h"
#include "source/limits.h"
#include "source/reader.h"
#include "source/retroarch.h"

#include <string.h>

#define PAGE_LEN 4096

/* DuckStation: what the layout below was read from. */
#define DUCK_FIRST_VERSION 42u
#define DUCK_LAST_VERSION 86u
#define DUCK_SIZED_VERSION 52u /* from here on the size of RAM is stored */
#define DUCK_TIMINGS_LEN 60u

#define PCSX_VERSION 0x8b410006u
#define PCSX_VERSION_OFF 32u

#define MEDNAFEN_HEADER_LEN 32u
#define SECTION_HEAD_LEN 36u
#define MAIN_RAM_NAME "MainRAM.data8"

/* ---- what is told of them -------------------------------------------------------------------- */

void fh_memory_tell(const fh_memory *memory, fh_tallies *faults)
{
    fh_tally *tally = fh_tally_add(faults, FH_IMG0050, (int64_t)memory->off, "memory");
    if (tally != NULL) {
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        fh_text_str(fh_text_str(&text, memory->product), memory->frame != NULL ? " in " : "");
        fh_text_str(&text, memory->frame != NULL ? memory->frame : "");
        fh_text_s64(fh_text_str(&text, ", "), (int64_t)memory->len);
        fh_text_hex(fh_text_str(&text, " bytes of RAM at "), memory->off, 1);
    }
}

/* The evidence of IMG0051; NULL: there was one already. */
static fh_tally *add_searched(fh_tallies *faults, fh_cursor bytes, size_t off, const char *field)
{
    const uint64_t at = off == SIZE_MAX ? bytes.origin : bytes.origin + off;
    return fh_tally_add(faults, FH_IMG0051, (int64_t)at, field);
}

static void put_searched(fh_text *text, fh_cursor bytes, size_t off)
{
    if (off == SIZE_MAX) {
        fh_text_str(text, ", and no main RAM is found");
    } else {
        fh_text_hex(fh_text_str(text, ", main RAM looks to be at "), bytes.origin + off, 1);
    }
}

/* A version that is not known, or whose layout is not what was expected. */
static void tell_searched(fh_tallies *faults, uint32_t version, fh_cursor bytes, size_t off)
{
    fh_tally *tally = add_searched(faults, bytes, off, "version");
    if (tally != NULL) {
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        put_searched(fh_text_hex(&text, version, 1), bytes, off);
    }
}

/* A state that begins like none that is known. */
static void tell_unknown(fh_tallies *faults, fh_cursor bytes, size_t off)
{
    fh_tally *tally = add_searched(faults, bytes, off, "save state");
    if (tally != NULL) {
        fh_text text = fh_text_make(tally->found, sizeof tally->found);
        put_searched(fh_text_str(&text, "of no known kind"), bytes, off);
    }
}

static int64_t end_of(fh_cursor bytes)
{
    return (int64_t)(bytes.origin + bytes.size);
}

/* Takes `want` bytes of RAM at off, or what is there of them. */
static bool take(fh_memory *out, const char *product, fh_cursor bytes, size_t off, size_t want,
                 fh_tallies *faults)
{
    const size_t left = off < bytes.size ? bytes.size - off : 0;
    *out = (fh_memory){product, NULL, off, left < want ? left : want, FH_RAM_BASE};
    if (left < want) {
        fh_fault_sizes(faults, FH_IMG0052, end_of(bytes), "main RAM", (int64_t)left, (int64_t)want);
    }
    return out->len > 0;
}

/* The search in states that no table describes. */
static bool take_by_search(fh_memory *out, const char *product, uint32_t version, fh_cursor bytes,
                           fh_tallies *faults)
{
    const size_t off = fh_kernel_find(&bytes, 0);
    tell_searched(faults, version, bytes, off);
    return off != SIZE_MAX && take(out, product, bytes, off, FH_RAM_LEN, faults);
}

/* ---- raw dumps ------------------------------------------------------------------------------- */

/* The vectors suffice for a dump of any size. The texts alone do where the size is that of memory:
 * whole pages, and no more than a console can have. */
static bool is_dump(const fh_cursor *window, int64_t size)
{
    const bool is_paged = size != FH_UNKNOWN && size % PAGE_LEN == 0 &&
                          size >= (int64_t)FH_KERNEL_LEN && size <= (int64_t)FH_RAM_MAX_LEN;
    return fh_kernel_has_vectors(window, 0) || (is_paged && fh_kernel_text(window) != NULL);
}

static bool find_dump(fh_memory *out, const fh_memory_kind *kind, fh_cursor bytes,
                      fh_tallies *faults)
{
    (void)faults;
    const size_t len = bytes.size < FH_RAM_MAX_LEN ? bytes.size : FH_RAM_MAX_LEN;
    *out = (fh_memory){kind->name, NULL, 0, len, FH_RAM_BASE};
    return true;
}

/* ---- DuckStation ----------------------------------------------------------------------------- */

static bool is_duck_plain(const fh_cursor *window, int64_t size)
{
    fh_duck_header header;
    fh_tallies unused = {0};
    (void)size;
    return fh_duck_is(window) &&
           (!fh_duck_read(&header, *window, &unused) || header.compression == FH_DUCK_PLAIN);
}

static bool is_duck_packed(const fh_cursor *window, int64_t size)
{
    return fh_duck_is(window) && !is_duck_plain(window, size);
}

/* The size of RAM behind a marker, as the version stores it; 0: what stands there is none. */
static size_t duck_ram_len(uint32_t version, fh_cursor *at)
{
    if (version < DUCK_SIZED_VERSION) {
        return FH_RAM_LEN;
    }
    const uint32_t len = fh_cursor_u32(at);
    return !at->failed && (len == FH_RAM_LEN || len == FH_RAM_MAX_LEN) ? len : 0;
}

/* Behind the marker of the bus; the first one that a possible size follows. */
static size_t find_duck_ram(size_t *len, uint32_t version, const fh_cursor *data)
{
    static const uint8_t marker[] = {3, 0, 0, 0, 'B', 'u', 's'};
    for (size_t from = 0; from < data->size;) {
        const uint8_t *at = memmem(data->base + from, data->size - from, marker, sizeof marker);
        if (at == NULL) {
            return SIZE_MAX;
        }
        from = (size_t)(at - data->base) + sizeof marker;
        fh_cursor rest = fh_cursor_sub(data, from, data->size - from);
        *len = duck_ram_len(version, &rest);
        if (*len > 0) {
            return from + rest.pos + DUCK_TIMINGS_LEN;
        }
    }
    return SIZE_MAX;
}

bool fh_memory_of_state(fh_memory *out, uint32_t version, fh_cursor data, fh_tallies *faults)
{
    static const char product[] = "DuckStation save state";
    size_t stored = 0;
    const bool is_known = version >= DUCK_FIRST_VERSION && version <= DUCK_LAST_VERSION;
    const size_t off = find_duck_ram(&stored, version, &data);
    const size_t len = off != SIZE_MAX ? stored : FH_RAM_LEN;
    const bool is_sure = is_known && off != SIZE_MAX;
    const size_t kernel =
        is_sure && fh_kernel_has_vectors(&data, off) ? off : fh_kernel_find(&data, 0);
    bool is_found = false;
    if (is_sure && (kernel == off || kernel == SIZE_MAX)) {
        is_found = take(out, product, data, off, len, faults);
    } else if (kernel != SIZE_MAX) {
        tell_searched(faults, version, data, kernel);
        is_found = take(out, product, data, kernel, len, faults);
    } else if (off != SIZE_MAX) {
        tell_searched(faults, version, data, off);
        is_found = take(out, product, data, off, len, faults);
    } else if (is_known) {
        fh_fault(faults, FH_IMG0052, 0, "data of the state", "no main RAM",
                 "the marker of the bus");
    } else {
        tell_searched(faults, version, data, SIZE_MAX);
    }
    return is_found;
}

static bool find_duck(fh_memory *out, const fh_memory_kind *kind, fh_cursor bytes,
                      fh_tallies *faults)
{
    fh_duck_header header;
    (void)kind;
    if (!fh_duck_read(&header, bytes, faults)) {
        return false;
    }
    const size_t left = header.off < bytes.size ? bytes.size - header.off : 0;
    if (left < header.len) {
        fh_fault_sizes(faults, FH_IMG0052, end_of(bytes), "data of the state", (int64_t)left,
                       header.len);
    }
    const size_t len = left < header.len ? left : header.len;
    if (len == 0 ||
        !fh_memory_of_state(out, header.version, fh_cursor_sub(&bytes, header.off, len), faults)) {
        return false;
    }
    out->off += header.off;
    return true;
}

/* ---- the PCSX family ------------------------------------------------------------------------- */

static bool is_rearmed(const fh_cursor *window, int64_t size)
{
    (void)size;
    return window->size >= 11 && memcmp(window->base, "STv4 PCSXra", 11) == 0;
}

static bool is_pcsx(const fh_cursor *window, int64_t size)
{
    (void)size;
    return window->size >= 9 && memcmp(window->base, "STv4 PCSX", 9) == 0;
}

static bool find_rearmed(fh_memory *out, const fh_memory_kind *kind, fh_cursor bytes,
                         fh_tallies *faults)
{
    static const size_t places[] = {0x9025,
                                    0x96b5}; /* without and with the emulator's own kernel */
    fh_cursor cur = bytes;
    (void)fh_cursor_seek(&cur, PCSX_VERSION_OFF);
    const uint32_t version = fh_cursor_u32(&cur);
    const uint8_t hle = fh_cursor_u8(&cur);
    if (cur.failed) {
        fh_fault_sizes(faults, FH_IMG0052, end_of(bytes), "header of the state",
                       (int64_t)bytes.size, PCSX_VERSION_OFF + 5);
        return false;
    }
    return version == PCSX_VERSION && hle <= 1
               ? take(out, kind->name, bytes, places[hle], FH_RAM_LEN, faults)
               : take_by_search(out, kind->name, version, bytes, faults);
}

static bool find_pcsx(fh_memory *out, const fh_memory_kind *kind, fh_cursor bytes,
                      fh_tallies *faults)
{
    fh_cursor cur = bytes;
    (void)fh_cursor_seek(&cur, PCSX_VERSION_OFF);
    return take_by_search(out, kind->name, fh_cursor_u32(&cur), bytes, faults);
}

/* ---- PCSX-Redux: protocol buffers ------------------------------------------------------------ */

enum {
    WIRE_LEN = 2,     /* a field with a length in front */
    FIELD_MEMORY = 3, /* of the state */
    FIELD_RAM = 1,    /* of the memory */
    MOST_FIELDS = 64, /* the states have 20 */
    MOST_VARINT = 5   /* bytes of a number below 2^32 */
};

static uint32_t varint(fh_cursor *cur)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < MOST_VARINT; i++) {
        const uint8_t byte = fh_cursor_u8(cur);
        value |= (uint64_t)(byte & 0x7fu) << (7 * i);
        if ((byte & 0x80u) == 0) {
            break;
        }
        cur->failed = cur->failed || i + 1 == MOST_VARINT;
    }
    cur->failed = cur->failed || value > UINT32_MAX;
    return (uint32_t)value;
}

/* A field with a length; false: there is none, or something else. */
static bool field(uint32_t *number, uint32_t *len, fh_cursor *cur)
{
    const uint32_t tag = varint(cur);
    *number = tag >> 3;
    *len = (tag & 7u) == WIRE_LEN ? varint(cur) : 0;
    return !cur->failed && (tag & 7u) == WIRE_LEN && *number > 0;
}

/* Where the memory's first field begins: RAM of always 8 MiB. SIZE_MAX: not in these bytes. */
static size_t redux_ram(fh_cursor cur)
{
    uint32_t number = 0;
    uint32_t len = 0;
    for (unsigned i = 0; i < MOST_FIELDS && field(&number, &len, &cur); i++) {
        if (number == FIELD_MEMORY) {
            const bool is_ram = len > FH_RAM_MAX_LEN && field(&number, &len, &cur) &&
                                number == FIELD_RAM && len == FH_RAM_MAX_LEN;
            return is_ram ? cur.pos : SIZE_MAX;
        }
        if (!fh_cursor_skip(&cur, len)) {
            break;
        }
    }
    return SIZE_MAX;
}

static bool is_redux(const fh_cursor *window, int64_t size)
{
    (void)size;
    return redux_ram(*window) != SIZE_MAX;
}

/* The fields behind the memory, for what is cut there. */
static void check_redux_end(fh_cursor bytes, fh_tallies *faults)
{
    uint32_t number = 0;
    uint32_t len = 0;
    for (unsigned i = 0; i < MOST_FIELDS && fh_cursor_left(&bytes) > 0; i++) {
        if (!field(&number, &len, &bytes) || !fh_cursor_skip(&bytes, len)) {
            fh_fault_sizes(faults, FH_IMG0052, (int64_t)fh_cursor_tell(&bytes),
                           "field of the state", (int64_t)fh_cursor_left(&bytes), len);
            return;
        }
    }
}

static bool find_redux(fh_memory *out, const fh_memory_kind *kind, fh_cursor bytes,
                       fh_tallies *faults)
{
    const size_t off = redux_ram(bytes);
    if (off == SIZE_MAX || !take(out, kind->name, bytes, off, FH_RAM_MAX_LEN, faults)) {
        return false;
    }
    check_redux_end(bytes, faults);
    return true;
}

/* ---- Mednafen -------------------------------------------------------------------------------- */

static bool is_mednafen(const fh_cursor *window, int64_t size)
{
    (void)size;
    return window->size >= 8 && memcmp(window->base, "MDFNSVST", 8) == 0;
}

/* An entry of a section: length and name, size, data. SIZE_MAX: RAM is none of them. */
static size_t ram_of_section(uint32_t *len, fh_cursor section)
{
    while (fh_cursor_left(&section) > 0) {
        const size_t name_len = fh_cursor_u8(&section);
        const uint8_t *name = section.base + section.pos;
        const bool has_name = fh_cursor_skip(&section, name_len);
        *len = fh_cursor_u32(&section);
        if (!has_name || section.failed) {
            return SIZE_MAX;
        }
        if (name_len == strlen(MAIN_RAM_NAME) && memcmp(name, MAIN_RAM_NAME, name_len) == 0) {
            return (size_t)fh_cursor_tell(&section);
        }
        if (!fh_cursor_skip(&section, *len)) {
            return SIZE_MAX;
        }
    }
    return SIZE_MAX;
}

typedef struct mednafen_walk {
    size_t ram; /* offset, SIZE_MAX: not found */
    uint32_t ram_len;
    size_t cut; /* offset of a section that goes past the end, SIZE_MAX: none does */
    uint32_t cut_len;
} mednafen_walk;

static mednafen_walk walk_sections(fh_cursor bytes, size_t from)
{
    mednafen_walk walk = {.ram = SIZE_MAX, .cut = SIZE_MAX};
    (void)fh_cursor_seek(&bytes, from < bytes.size ? from : bytes.size);
    while (fh_cursor_left(&bytes) >= SECTION_HEAD_LEN) {
        const size_t start = bytes.pos;
        (void)fh_cursor_skip(&bytes, SECTION_HEAD_LEN - 4);
        const uint32_t len = fh_cursor_u32(&bytes);
        const size_t left = fh_cursor_left(&bytes);
        fh_cursor section = fh_cursor_sub(&bytes, bytes.pos, len < left ? len : left);
        section.origin = bytes.pos;
        if (walk.ram == SIZE_MAX) {
            walk.ram = ram_of_section(&walk.ram_len, section);
        }
        if (len > left) {
            walk.cut = start;
            walk.cut_len = len;
            break;
        }
        (void)fh_cursor_skip(&bytes, len);
    }
    return walk;
}

/* A picture may stand in front of the sections: 3 bytes a point, width and height at 24. */
static mednafen_walk walk_mednafen(fh_cursor bytes)
{
    fh_cursor cur = bytes;
    (void)fh_cursor_seek(&cur, 24);
    const uint64_t width = fh_cursor_u32(&cur);
    const uint64_t height = fh_cursor_u32(&cur);
    const uint64_t picture = width < 4096 && height < 4096 ? 3 * width * height : 0;
    mednafen_walk walk = walk_sections(bytes, MEDNAFEN_HEADER_LEN + (size_t)picture);
    return walk.ram != SIZE_MAX || picture == 0 ? walk : walk_sections(bytes, MEDNAFEN_HEADER_LEN);
}

/* Without its section the entry is known by its name and size. */
static size_t find_entry(const fh_cursor *bytes)
{
    static const uint8_t entry[] = "\015" MAIN_RAM_NAME "\0\0\040"; /* and the 0 of the string */
    const uint8_t *at = memmem(bytes->base, bytes->size, entry, sizeof entry);
    return at == NULL ? SIZE_MAX : (size_t)(at - bytes->base) + sizeof entry;
}

static bool find_mednafen(fh_memory *out, const fh_memory_kind *kind, fh_cursor bytes,
                          fh_tallies *faults)
{
    const mednafen_walk walk = walk_mednafen(bytes);
    fh_cursor cur = bytes;
    (void)fh_cursor_seek(&cur, 16);
    const uint32_t version = fh_cursor_u32(&cur);
    if (walk.cut != SIZE_MAX) {
        fh_fault_sizes(faults, FH_IMG0052, (int64_t)(bytes.origin + walk.cut),
                       "section of the state", (int64_t)(bytes.size - walk.cut - SECTION_HEAD_LEN),
                       walk.cut_len);
    }
    if (walk.ram != SIZE_MAX) {
        if (walk.ram_len != FH_RAM_LEN) {
            fh_fault_sizes(faults, FH_IMG0052, (int64_t)(bytes.origin + walk.ram),
                           "size of " MAIN_RAM_NAME, walk.ram_len, (int64_t)FH_RAM_LEN);
        }
        return take(out, kind->name, bytes, walk.ram, FH_RAM_LEN, faults);
    }
    const size_t entry = find_entry(&bytes);
    if (entry == SIZE_MAX) {
        return take_by_search(out, kind->name, version, bytes, faults);
    }
    tell_searched(faults, version, bytes, entry);
    return take(out, kind->name, bytes, entry, FH_RAM_LEN, faults);
}

/* ---- states in frames, and those that nothing tells ------------------------------------------ */

static const fh_memory_kind *kind_in_frame(fh_cursor core);

static bool is_retroarch(const fh_cursor *window, int64_t size)
{
    (void)size;
    return fh_retroarch_is(window);
}

/* What the core wrote is judged as by itself. What has no room for RAM is a state of another
 * machine, of which nothing is to be told. */
static bool find_retroarch(fh_memory *out, const fh_memory_kind *kind, fh_cursor bytes,
                           fh_tallies *faults)
{
    fh_retroarch_block block;
    if (!fh_retroarch_find(&block, bytes)) {
        return false;
    }
    const size_t left = bytes.size - block.off;
    const fh_cursor core = fh_cursor_sub(&bytes, block.off, block.len < left ? block.len : left);
    if (block.len < FH_RAM_LEN) {
        return false;
    }
    if (block.len > left) {
        fh_fault_sizes(faults, FH_IMG0052, end_of(bytes), "block of the state", (int64_t)left,
                       block.len);
    } else if (!block.is_ended) {
        fh_fault(faults, FH_IMG0052, end_of(bytes), "blocks of the state", "cut", "END");
    }
    const fh_memory_kind *inner = kind_in_frame(core);
    bool is_found = false;
    if (inner != NULL) {
        is_found = inner->find(out, inner, core, faults);
        out->frame = kind->name;
    } else {
        const size_t off = fh_kernel_find(&core, 0);
        tell_unknown(faults, core, off);
        is_found = off != SIZE_MAX && take(out, kind->name, core, off, FH_RAM_LEN, faults);
    }
    out->off += block.off;
    return is_found;
}

/* Four times the same 2 MiB, which are not themselves copies of something shorter. */
static bool is_mirrored(const fh_cursor *bytes)
{
    return bytes->size == FH_RAM_MAX_LEN &&
           memcmp(bytes->base, bytes->base + FH_RAM_LEN, FH_RAM_MAX_LEN - FH_RAM_LEN) == 0 &&
           memcmp(bytes->base, bytes->base + FH_RAM_LEN / 2, FH_RAM_LEN / 2) != 0;
}

/* What has the length of RAM with its mirrors, or of a state of all memories of the console and a
 * picture, is worth being held and looked through. */
#define MAX_LOOKED_THROUGH ((int64_t)6 << 20)

/* Any file may hold RAM, if RAM has room in it. Where it begins is mostly seen in the window: for
 * longer files this must be enough, for they cost no more than others then. */
static bool may_hold_ram(const fh_cursor *window, int64_t size)
{
    if (size == FH_UNKNOWN) {
        return fh_kernel_find(window, 0) != SIZE_MAX;
    }
    const int64_t last = size - (int64_t)FH_RAM_LEN; /* place at which RAM may begin */
    if (last < 0 || size > (int64_t)FH_STATE_MAX_LEN) {
        return false;
    }
    return size == (int64_t)FH_RAM_MAX_LEN ||
           (last >= (int64_t)window->size && size <= MAX_LOOKED_THROUGH) ||
           fh_kernel_find(window, 0) != SIZE_MAX;
}

static bool find_hidden(fh_memory *out, const fh_memory_kind *kind, fh_cursor bytes,
                        fh_tallies *faults)
{
    if (is_mirrored(&bytes)) {
        *out = (fh_memory){"RAM dump without its kernel", NULL, 0, bytes.size, FH_RAM_BASE};
        return true;
    }
    const size_t off = fh_kernel_find(&bytes, 0);
    if (off == SIZE_MAX || bytes.size - off < FH_RAM_LEN) {
        return false;
    }
    tell_unknown(faults, bytes, off);
    return take(out, kind->name, bytes, off, FH_RAM_LEN, faults);
}

/* ---- the table ------------------------------------------------------------------------------- */

/* The first that fits. */
static const fh_memory_kind kinds[] = {
    {"RetroArch save state", is_retroarch, find_retroarch, .is_state = true},
    {"DuckStation save state", is_duck_packed, NULL, .is_state = true, .is_packed = true},
    {"DuckStation save state", is_duck_plain, find_duck, .is_state = true},
    {"Mednafen save state", is_mednafen, find_mednafen, .is_state = true},
    {"PCSX-ReARMed save state", is_rearmed, find_rearmed, .is_state = true},
    {"PCSX save state", is_pcsx, find_pcsx, .is_state = true},
    {"PCSX-Redux save state", is_redux, find_redux, .is_state = true},
    {"RAM dump", is_dump, find_dump},
    {"save state of no known kind", may_hold_ram, find_hidden, .is_guess = true},
};

const fh_memory_kind *fh_memory_of(const fh_cursor *window, int64_t size)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].is(window, size)) {
            return &kinds[i];
        }
    }
    return NULL;
}

/* The kind of a plain state that a core wrote; NULL: none that is known, or another frame. */
static const fh_memory_kind *kind_in_frame(fh_cursor core)
{
    const size_t len = core.size < FH_READER_WINDOW ? core.size : FH_READER_WINDOW;
    const fh_cursor window = fh_cursor_sub(&core, 0, len);
    const fh_memory_kind *kind = fh_memory_of(&window, (int64_t)core.size);
    const bool is_known = kind != NULL && !kind->is_packed && !kind->is_guess;
    return is_known && kind->find != find_retroarch ? kind : NULL;
}

bool fh_memory_find(fh_memory *out, const fh_memory_kind *kind, fh_cursor bytes, fh_tallies *faults)
{
    if (kind->find == NULL || !kind->find(out, kind, bytes, faults)) {
        return false;
    }
    fh_memory_tell(out, faults);
    return true;
}

bool fh_memory_is_address(uint32_t address)
{
    const uint32_t segment = address & ~FH_RAM_PHYSICAL;
    return (segment == 0 || segment == 0x80000000u || segment == 0xa0000000u) &&
           (address & FH_RAM_PHYSICAL) < FH_RAM_MAX_LEN;
}

/* Each byte is the one of 2 MiB before. */
unsigned fh_memory_mirrors(const fh_memory *memory, const uint8_t *bytes)
{
    const uint32_t physical = memory->address & FH_RAM_PHYSICAL;
    if (memory->len <= FH_RAM_LEN || physical % FH_RAM_LEN != 0 ||
        memcmp(bytes, bytes + FH_RAM_LEN, memory->len - FH_RAM_LEN) != 0) {
        return 1;
    }
    return (unsigned)((memory->len + FH_RAM_LEN - 1) / FH_RAM_LEN);
}
