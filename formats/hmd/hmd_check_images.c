#include "core/never.h"
#include "hmd/hmd_bits.h"
#include "hmd/hmd_checks.h"
#include "hmd/hmd_images.h"

#include <assert.h>

enum { VRAM_WIDTH = 1024, VRAM_HEIGHT = 512, FEW_COLOURS = 16, MANY_COLOURS = 256 };

/* Part 0 of an item is the image, part 1 its colour table. */
static const char *const part_names[] = {"image rectangle", "CLUT rectangle"};

/* A rectangle as evidence; the text is the caller's. */
typedef struct rectangle_text {
    char buf[FH_EVIDENCE_LEN];
} rectangle_text;

static fh_value show(rectangle_text *to, const char *before, const hmd_rectangle *rectangle)
{
    fh_text text = fh_text_make(to->buf, sizeof to->buf);
    fh_text_u64(fh_text_str(&text, before), rectangle->w);
    fh_text_u64(fh_text_str(&text, " x "), rectangle->h);
    fh_text_u64(fh_text_str(&text, " at "), rectangle->x);
    fh_text_u64(fh_text_str(&text, ", "), rectangle->y);
    return fh_words(to->buf);
}

static bool is_inside(const hmd_rectangle *rectangle)
{
    return rectangle->w > 0 && rectangle->h > 0 &&
           (uint32_t)rectangle->x + rectangle->w <= VRAM_WIDTH &&
           (uint32_t)rectangle->y + rectangle->h <= VRAM_HEIGHT;
}

/* ---- one rectangle ----------------------------------------------------------------------------
 */

static void check_place(const hmd_check *check, const hmd_rectangle *rectangle, unsigned part)
{
    rectangle_text text;
    if (!is_inside(rectangle)) {
        hmd_tell(check, HMD0111, part_names[part], rectangle->at, show(&text, "", rectangle),
                 fh_words("not empty, inside 1024 x 512"));
    }
}

static void check_colours(const hmd_check *check, const hmd_rectangle *rectangle)
{
    rectangle_text text;
    const bool is_usual = rectangle->w == FEW_COLOURS || rectangle->w == MANY_COLOURS;
    if (rectangle->h != 1 || !is_usual || rectangle->x % FEW_COLOURS != 0) {
        hmd_tell(check, HMD0112, part_names[1], rectangle->at, show(&text, "", rectangle),
                 fh_words("16 x 1 or 256 x 1 at a multiple of 16"));
    }
}

static void check_pixels(const hmd_check *check, const hmd_rectangle *rectangle, unsigned part)
{
    rectangle_text text;
    if (rectangle->w % 2 != 0 && rectangle->h % 2 != 0) {
        hmd_tell(check, HMD0114, part_names[part], rectangle->at + 1, show(&text, "", rectangle),
                 fh_words("an even number of pixels"));
    }
}

/* ---- uploads ----------------------------------------------------------------------------------
 */

/* Two items that bring the same pixels to the same place are one upload, told twice. */
typedef struct upload {
    uint64_t data; /* word of the pixels */
    uint32_t at;   /* word of the position */
    uint16_t x, y, w, h;
} upload;

typedef struct uploads {
    upload *list; /* in file order */
    uint32_t num;
    hmd_bits pixels; /* that one of them covers */
} uploads;

static bool overlap(const upload *a, const upload *b)
{
    return a->x < (uint32_t)b->x + b->w && b->x < (uint32_t)a->x + a->w &&
           a->y < (uint32_t)b->y + b->h && b->y < (uint32_t)a->y + a->h;
}

static bool is_same(const upload *a, const upload *b)
{
    return a->x == b->x && a->y == b->y && a->w == b->w && a->h == b->h && a->data == b->data;
}

/* Covers the pixels of one line from x on; tells whether any of them was covered. A word of the set
 * has 32 pixels. */
static bool cover_line(hmd_bits *pixels, uint32_t y, uint32_t x, uint32_t w)
{
    const uint32_t first = y * VRAM_WIDTH + x;
    const uint32_t last = first + w - 1;
    bool was_covered = false;
    for (uint32_t i = first / 32; i <= last / 32; i++) {
        const uint32_t from = i == first / 32 ? ~(((uint32_t)1 << (first % 32)) - 1) : UINT32_MAX;
        const uint32_t to = i == last / 32 ? UINT32_MAX >> (31 - last % 32) : UINT32_MAX;
        was_covered = was_covered || (pixels->words[i] & from & to) != 0;
        pixels->words[i] |= from & to;
    }
    return was_covered;
}

static bool cover(hmd_check *check, hmd_bits *pixels, const upload *what)
{
    bool was_covered = false;
    for (uint32_t i = 0; i < what->h && hmd_spend(check, 1 + what->w / 32u); i++) {
        was_covered = cover_line(pixels, (uint32_t)what->y + i, what->x, what->w) || was_covered;
    }
    return was_covered;
}

static const upload *find_overlap(hmd_check *check, const uploads *all, const upload *what)
{
    for (uint32_t i = 0; i < all->num && hmd_spend(check, 1); i++) {
        if (overlap(&all->list[i], what) && !is_same(&all->list[i], what)) {
            return &all->list[i];
        }
    }
    return NULL;
}

static void tell_overlap(const hmd_check *check, const hmd_rectangle *rectangle, unsigned part,
                         const upload *other)
{
    const hmd_rectangle there = {.x = other->x, .y = other->y, .w = other->w, .h = other->h};
    rectangle_text mine;
    rectangle_text theirs;
    hmd_tell(check, HMD0115, part_names[part], rectangle->at, show(&mine, "", rectangle),
             show(&theirs, "apart from ", &there));
}

/* Most uploads have their pixels for themselves; only the others are compared one by one. */
static void check_upload(hmd_check *check, const hmd_rectangle *rectangle, unsigned part,
                         uploads *all)
{
    const upload what = {.data = (uint64_t)rectangle->section.off + rectangle->index,
                         .at = rectangle->at,
                         .x = rectangle->x,
                         .y = rectangle->y,
                         .w = rectangle->w,
                         .h = rectangle->h};
    if (!is_inside(rectangle) || rectangle->section.off == HMD_NONE) {
        return;
    }
    if (cover(check, &all->pixels, &what)) {
        const upload *other = find_overlap(check, all, &what);
        if (other != NULL) {
            tell_overlap(check, rectangle, part, other);
        }
    }
    all->list[all->num++] = what;
}

/* ---- records ----------------------------------------------------------------------------------
 */

static void check_section(const hmd_check *check)
{
    const uint32_t header = hmd_header_of(check->model, check->record);
    const hmd_arg cluts = hmd_arg_of(check->model, header, 1);
    if (hmd_image_parts(check->record) == 2 && header != HMD_NONE && !cluts.is_pointer) {
        hmd_tell(check, HMD0113, "CLUT pointer",
                 cluts.is_there ? cluts.at : check->model->headers[header].off,
                 cluts.is_there ? fh_hex(cluts.raw) : fh_words("a header of 1 word"),
                 fh_words("a pointer to the CLUT section"));
    }
}

static void check_item(hmd_check *check, uint32_t item, uploads *all)
{
    const unsigned num_parts = hmd_image_parts(check->record);
    assert(num_parts <= sizeof part_names / sizeof part_names[0]);
    for (unsigned part = 0; part < num_parts; part++) {
        hmd_rectangle rectangle;
        const bool is_there = hmd_image_item(check, item, part, &rectangle);
        if (NEVER(!is_there)) { /* num_items counts none that the record is too short for */
            return;
        }
        check_place(check, &rectangle, part);
        check_pixels(check, &rectangle, part);
        if (part == 1) {
            check_colours(check, &rectangle);
        }
        check_upload(check, &rectangle, part, all);
    }
}

/* Items that the record is long enough for. */
static uint32_t num_items(const hmd_record *record)
{
    const uint32_t most = (record->size - 1u) / (3 * hmd_image_parts(record));
    return record->count < most ? record->count : most;
}

static void count_uploads(hmd_check *check, void *user)
{
    uint64_t *num = user;
    if (hmd_is_image(check->record)) {
        *num += (uint64_t)num_items(check->record) * hmd_image_parts(check->record);
    }
}

static void check_record(hmd_check *check, void *user)
{
    if (!hmd_is_image(check->record)) {
        return;
    }
    check_section(check);
    const uint32_t num = num_items(check->record);
    for (uint32_t i = 0; i < num && hmd_spend(check, 1); i++) {
        check_item(check, i, user);
    }
}

void hmd_check_images(hmd_check *check)
{
    const size_t mark = fh_arena_mark(check->arena);
    uint64_t num = 0;
    hmd_for_each_record(check, count_uploads, &num);
    if (num > 0 && !check->stopped) {
        uploads all = {.list = hmd_table(check, (size_t)num, sizeof *all.list),
                       .pixels = hmd_bits_make(check, (uint64_t)VRAM_WIDTH * VRAM_HEIGHT)};
        if (all.list != NULL && all.pixels.words != NULL) {
            hmd_for_each_record(check, check_record, &all);
        }
    }
    fh_arena_reset(check->arena, mark);
}
