#include "source/layout.h"

#include "core/text.h"

#include <assert.h>
#include <string.h>

/* Where the first sync must lie, section 3.1 item 1. */
static const size_t sync_reach = (size_t)64 << 10;
static const uint32_t sync_strides = 4;

static const struct {
    const char *name;
    uint32_t stride;
} choices[] = {
    [FH_LAYOUT_AUTO] = {"auto", FH_STRIDE_PLAIN}, [FH_LAYOUT_PLAIN] = {"plain", FH_STRIDE_PLAIN},
    [FH_LAYOUT_2048] = {"2048", FH_STRIDE_2048},  [FH_LAYOUT_2336] = {"2336", FH_STRIDE_2336},
    [FH_LAYOUT_2352] = {"2352", FH_STRIDE_2352},  [FH_LAYOUT_2368] = {"2368", FH_STRIDE_2368},
    [FH_LAYOUT_2448] = {"2448", FH_STRIDE_2448},
};

enum { num_choices = sizeof choices / sizeof choices[0] };

bool fh_layout_parse(fh_layout_choice *out, const char *name)
{
    for (unsigned i = 0; i < num_choices; i++) {
        if (strcmp(choices[i].name, name) == 0) {
            *out = (fh_layout_choice)i;
            return true;
        }
    }
    return false;
}

const char *fh_layout_name(const fh_layout *layout)
{
    for (unsigned i = FH_LAYOUT_2048; i < num_choices; i++) {
        if (choices[i].stride == layout->stride) {
            return choices[i].name;
        }
    }
    return choices[FH_LAYOUT_PLAIN].name;
}

/* What is looked at, and which strides may be found. */
typedef struct search {
    const fh_cursor *window;
    int64_t size;          /* of the source, or FH_UNKNOWN */
    fh_layout_choice only; /* FH_LAYOUT_AUTO: any */
} search;

static bool allowed(const search *find, uint32_t stride)
{
    return find->only == FH_LAYOUT_AUTO || choices[find->only].stride == stride;
}

/* The whole source lies in the window. */
static bool sees_end(const search *find)
{
    return find->size == (int64_t)find->window->size;
}

/* The best so far. A higher score wins, then the larger sector (section 3.1 item 4). */
typedef struct contest {
    fh_layout best;
    uint64_t score;
    fh_text text;
} contest;

static void enter(contest *to, uint32_t stride, size_t start, uint64_t score)
{
    if (score < to->score || score == 0) {
        return;
    }
    if (score > to->score || to->best.stride == FH_STRIDE_PLAIN) {
        to->best.ambiguous = false;
        to->text = fh_text_make(to->best.candidates, sizeof to->best.candidates);
    } else if (stride == to->best.stride) {
        return; /* the same layout by another way of counting: the first one stands */
    } else {
        to->best.ambiguous = true;
        fh_text_str(&to->text, ", ");
    }
    if (score > to->score || stride > to->best.stride) {
        to->best.stride = stride;
        to->best.start = (int64_t)start;
    }
    to->score = score;
    fh_layout named = {.stride = stride};
    fh_text_str(fh_text_str(&to->text, fh_layout_name(&named)), " (score ");
    fh_text_str(fh_text_u64(&to->text, score), ")");
}

/* ---- sync patterns ---- */

static bool has_sound_header(const fh_cursor *window, size_t off)
{
    fh_cursor bytes = fh_cursor_sub(window, off, FH_HEADER_END);
    fh_sector_habit habit = FH_SECTOR_NO_HABIT;
    fh_sector sector;
    fh_sector_read(&sector, &bytes, FH_STRIDE_2352, &habit);
    return sector.header_lba != FH_UNKNOWN && sector.mode <= 2;
}

/* Sectors in a row from off on whose sync and header are there; `sound`: with sound headers. */
static uint64_t count_syncs(const fh_cursor *window, size_t off, uint32_t stride, bool sound)
{
    uint64_t num = 0;
    while (window->size >= FH_HEADER_END && off <= window->size - FH_HEADER_END &&
           fh_sector_has_sync(window, off) && (!sound || has_sound_header(window, off))) {
        num++;
        off += stride;
    }
    return num;
}

/* The sectors confirmed at off in this stride, 0 if they are too few to believe in. */
static uint64_t sync_score(const search *find, size_t off, uint32_t stride)
{
    uint64_t num = count_syncs(find->window, off, stride, false);
    if (num >= sync_strides) {
        return num;
    }
    if (!sees_end(find) || num == 0 || count_syncs(find->window, off, stride, true) != num) {
        return 0;
    }
    uint64_t left = find->window->size - off;
    if (num == 1) {
        return left == stride ? 1 : 0;
    }
    /* No room for a further header: the source ends, it does not contradict. */
    return left < num * stride + FH_HEADER_END ? num : 0;
}

/* The first sector with a sync that lies in step with a confirmed one. */
static size_t first_in_step(const fh_cursor *window, size_t off, uint32_t stride)
{
    size_t first = off % stride;
    while (first < off && !fh_sector_has_sync(window, first)) {
        first += stride;
    }
    return first;
}

static void enter_sync(const search *find, contest *to, size_t off)
{
    static const uint32_t strides[] = {FH_STRIDE_2448, FH_STRIDE_2368, FH_STRIDE_2352};
    if (!fh_sector_has_sync(find->window, off)) {
        return;
    }
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++) {
        if (allowed(find, strides[i])) {
            enter(to, strides[i], off, sync_score(find, off, strides[i]));
        }
    }
}

static void find_first_sync(const search *find, contest *to)
{
    enter_sync(find, to, 0);
}

/* A pattern is looked for by its second to fifth byte, for zeros like its first are common. */
static void find_syncs(const search *find, contest *to)
{
    const size_t reach = sync_reach + sizeof(uint32_t);
    const size_t size = find->window->size;
    fh_cursor at = fh_cursor_sub(find->window, 0, size < reach ? size : reach);
    while (to->score == 0 && fh_cursor_skip(&at, 1) &&
           fh_cursor_find_word(&at, 0xffffffffu, 0xffffffffu, 1)) {
        enter_sync(find, to, at.pos - 1);
    }
    if (to->score > 0) {
        size_t start = (size_t)to->best.start;
        to->best.start = (int64_t)first_in_step(find->window, start, to->best.stride);
    }
}

/* ---- volume descriptor ---- */

/* Sector sizes and where their user data begin, section 2. */
static const struct {
    uint32_t stride;
    uint32_t data_off;
} iso_layouts[] = {
    {FH_STRIDE_2048, 0},  {FH_STRIDE_2336, 8},  {FH_STRIDE_2352, 24}, {FH_STRIDE_2352, 16},
    {FH_STRIDE_2368, 24}, {FH_STRIDE_2368, 16}, {FH_STRIDE_2448, 24}, {FH_STRIDE_2448, 16},
};

enum { iso_sector = 16, root_record_off = 156, min_record_len = 34 };
enum { score_place = 1, score_directory = 2 };

static const uint8_t descriptor[] = {1, 'C', 'D', '0', '0', '1', 1};

/* A directory record whose name is the one byte `name`: 0 itself, 1 its parent. */
static bool is_special_record(fh_cursor *cur, uint8_t name)
{
    fh_cursor at = *cur;
    uint8_t len = fh_cursor_u8(&at);
    bool fits = fh_cursor_skip(&at, 31) && len >= min_record_len;
    bool named = fh_cursor_u8(&at) == 1 && fh_cursor_u8(&at) == name;
    return fits && named && !at.failed && fh_cursor_skip(cur, len);
}

/* Whether block `block` of an image that lies so begins a directory. */
static bool leads_to_directory(const fh_cursor *window, uint64_t first_data_off, uint32_t stride,
                               uint32_t block)
{
    uint64_t off = first_data_off + (uint64_t)block * stride;
    fh_cursor cur = *window;
    cur.failed = false;
    return off < window->size && fh_cursor_seek(&cur, (size_t)off) && is_special_record(&cur, 0) &&
           is_special_record(&cur, 1);
}

static void enter_descriptor(const search *find, contest *to, size_t off)
{
    fh_cursor record = *find->window;
    record.failed = false;
    uint32_t block = fh_cursor_seek(&record, off) && fh_cursor_skip(&record, root_record_off + 2)
                         ? fh_cursor_u32(&record)
                         : 0;
    for (size_t i = 0; i < sizeof iso_layouts / sizeof iso_layouts[0]; i++) {
        uint32_t stride = iso_layouts[i].stride;
        size_t lead = (size_t)iso_sector * stride + iso_layouts[i].data_off;
        if (off < lead || !allowed(find, stride)) {
            continue;
        }
        size_t start = off - lead;
        uint64_t score = start == 0 ? score_place : 0;
        if (block != 0 &&
            leads_to_directory(find->window, start + iso_layouts[i].data_off, stride, block)) {
            score = score_directory;
        }
        enter(to, stride, start, score);
    }
}

/* In its place of an image that begins at a sector and whose sectors have no sync: the syncs that
 * such an image may hold are those of images among its files. */
static void find_first_descriptor(const search *find, contest *to)
{
    const fh_cursor *window = find->window;
    for (size_t i = 0; i < sizeof iso_layouts / sizeof iso_layouts[0]; i++) {
        const size_t off = (size_t)iso_sector * iso_layouts[i].stride + iso_layouts[i].data_off;
        if (iso_layouts[i].stride < FH_STRIDE_2352 && off < window->size &&
            window->size - off >= sizeof descriptor &&
            memcmp(window->base + off, descriptor, sizeof descriptor) == 0) {
            enter_descriptor(find, to, off);
        }
    }
    to->best.has_iso = to->score > 0;
}

static void find_descriptor(const search *find, contest *to)
{
    const fh_cursor *window = find->window;
    for (size_t off = 0; off < window->size && to->score < score_directory; off++) {
        const uint8_t *at =
            memmem(window->base + off, window->size - off, descriptor, sizeof descriptor);
        if (at == NULL) {
            break;
        }
        off = (size_t)(at - window->base);
        enter_descriptor(find, to, off);
    }
    to->best.has_iso = to->score > 0;
}

/* ---- subheaders ---- */

enum { subheaders_needed = 16, telling_needed = 4 };

typedef struct subheader {
    bool equal;   /* both copies, and legal */
    bool telling; /* no mere fill */
} subheader;

static subheader read_subheader(const fh_cursor *window, size_t off)
{
    fh_cursor cur = fh_cursor_sub(window, off, 12);
    uint32_t first = fh_cursor_u32(&cur);
    uint32_t copy = fh_cursor_u32(&cur);
    uint32_t behind = fh_cursor_u32(&cur);
    uint32_t channel = (first >> 8) & 0xff;
    uint32_t kind = (first >> 16) & (FH_SUBMODE_VIDEO | FH_SUBMODE_AUDIO | FH_SUBMODE_DATA);
    bool one_kind = kind == 0 || (kind & (kind - 1)) == 0;
    bool legal = one_kind && (channel <= 31 || channel == 0xff);
    subheader out = {.equal = !cur.failed && first == copy && legal};
    out.telling = out.equal && first != behind && first != (first & 0xff) * 0x01010101u;
    return out;
}

static void find_subheaders(const search *find, contest *to)
{
    size_t num = find->window->size / FH_STRIDE_2336;
    if (num < subheaders_needed || !allowed(find, FH_STRIDE_2336)) {
        return;
    }
    size_t equal = 0;
    size_t telling = 0;
    for (size_t i = 0; i < num; i++) {
        subheader at = read_subheader(find->window, i * FH_STRIDE_2336);
        equal += at.equal ? 1 : 0;
        telling += at.telling && i < subheaders_needed ? 1 : 0;
        if (i + 1 == subheaders_needed && (equal <= i || telling < telling_needed)) {
            return;
        }
    }
    if (equal >= num - num / 8) {
        enter(to, FH_STRIDE_2336, 0, equal);
    }
}

void fh_layout_find(fh_layout *out, fh_layout_choice choice, const fh_cursor *window, int64_t size)
{
    assert(size == FH_UNKNOWN || size >= 0);
    static void (*const steps[])(const search *, contest *) = {
        find_first_sync, find_first_descriptor, find_syncs, find_descriptor, find_subheaders};
    search find = {.window = window, .size = size, .only = choice};
    contest to = {.score = 0};
    if (choice != FH_LAYOUT_PLAIN) {
        for (size_t i = 0; i < sizeof steps / sizeof steps[0] && to.score == 0; i++) {
            steps[i](&find, &to);
        }
    }
    *out = to.best;
    if (out->stride == FH_STRIDE_PLAIN) {
        out->stride = choices[choice].stride;
    }
}
