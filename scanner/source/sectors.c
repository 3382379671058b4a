#include "source/sectors.h"

#include "source/edc.h"

#include <assert.h>

bool fh_sector_has_sync(const fh_cursor *bytes, size_t off)
{
    fh_cursor cur = fh_cursor_sub(bytes, off, FH_SYNC_LEN);
    const uint32_t first = fh_cursor_u32(&cur);
    const uint32_t second = fh_cursor_u32(&cur);
    const uint32_t third = fh_cursor_u32(&cur);
    return first == 0xffffff00u && second == 0xffffffffu && third == 0x00ffffffu;
}

/* The number of a BCD byte, or -1. */
static int bcd(uint32_t byte)
{
    uint32_t high = (byte >> 4) & 0xf;
    uint32_t low = byte & 0xf;
    return high > 9 || low > 9 ? -1 : (int)(10 * high + low);
}

int64_t fh_sector_address_lba(uint32_t address)
{
    int minute = bcd(address >> 16);
    int second = bcd(address >> 8);
    int frame = bcd(address);
    if (minute < 0 || second < 0 || second > 59 || frame < 0 || frame > 74) {
        return FH_UNKNOWN;
    }
    return (int64_t)(60 * minute + second) * 75 + frame - 150;
}

/* Bits 0..1 channels, 2..3 sample rate, 4..5 bits a sample: each 0 or 1. Bit 6 is emphasis. */
#define ILLEGAL_CODING 0x2au

bool fh_sector_is_audio(const fh_sector *sector)
{
    return sector->kind == FH_SECTOR_FORM2 && (sector->submode & FH_SUBMODE_AUDIO) != 0 &&
           (sector->coding & ILLEGAL_CODING) == 0;
}

/* User data in a sector that begins with its sync, as section 2 of the sheet tells them. */
typedef struct shape {
    size_t off;
    size_t len;
} shape;

static const shape shapes[FH_SECTOR_NUM_KINDS] = {
    [FH_SECTOR_MODE1] = {16, FH_DATA_LEN},  [FH_SECTOR_FORM1] = {24, FH_DATA_LEN},
    [FH_SECTOR_FORM2] = {24, FH_FORM2_LEN}, [FH_SECTOR_MODE2] = {16, FH_MODE2_LEN},
    [FH_SECTOR_COOKED] = {0, FH_DATA_LEN},
};

/* Sets the kind and what follows from it, with what is there of a cut sector. */
static void set_kind(fh_sector *out, fh_sector_kind kind, size_t sector_len, size_t before)
{
    shape at = shapes[kind];
    out->kind = kind;
    out->data_off = at.off < before ? 0 : at.off - before;
    size_t left = sector_len < out->data_off ? 0 : sector_len - out->data_off;
    out->data_len = at.len < left ? at.len : left;
    out->cut = out->data_len < at.len;
    if (out->data_len == 0) {
        out->data_off = 0;
    }
}

void fh_sector_shape(fh_sector *out, fh_sector_kind kind, uint32_t stride, size_t len)
{
    set_kind(out, kind, len, stride == FH_STRIDE_2336 ? FH_SUBHEADER_OFF : 0);
}

/* Nothing of one that is cut. */
static void read_subheader(fh_sector *out, const fh_cursor *bytes, size_t off)
{
    fh_cursor cur = fh_cursor_sub(bytes, off, 8);
    const uint32_t first = fh_cursor_u32(&cur);
    out->file = (uint8_t)(first & 0xff);
    out->channel = (uint8_t)(first >> 8 & 0xff);
    out->submode = (uint8_t)(first >> 16 & 0xff);
    out->coding = (uint8_t)(first >> 24);
    out->copies_differ = fh_cursor_u32(&cur) != first;
}

static fh_sector_kind damaged_form(const fh_cursor *bytes, uint32_t stride,
                                   const fh_sector_habit *habit)
{
    if (fh_edc_check(bytes, stride, FH_SECTOR_FORM1) == FH_EDC_RIGHT) {
        return FH_SECTOR_FORM1;
    }
    if (fh_edc_check(bytes, stride, FH_SECTOR_FORM2) == FH_EDC_RIGHT) {
        return FH_SECTOR_FORM2;
    }
    /* A sector of 2336 bytes without subheader would be no sector of any layout. */
    return habit->xa || stride == FH_STRIDE_2336 ? habit->form : FH_SECTOR_MODE2;
}

enum { MAX_VOTES = 8, LEAST_VOTES = 2 };

/* Most sectors of Mode 2 so far had no subheaders. One alone would be a damaged one. */
static bool is_without_xa(const fh_sector_habit *habit)
{
    const int num = __builtin_popcount(habit->votes);
    return !habit->xa && num >= LEAST_VOTES && 2 * num > habit->num_votes;
}

/* User data may begin with equal words, most often zeros; a code that fits is no chance. */
static bool proves_form(const fh_cursor *bytes, uint32_t stride, fh_sector_kind form)
{
    const fh_edc_codes codes = fh_edc_codes_of(bytes, stride, form);
    return codes.verdict == FH_EDC_RIGHT && codes.stored != 0;
}

static fh_sector_kind mode2_kind(const fh_sector *sector, const fh_cursor *bytes, uint32_t stride,
                                 const fh_sector_habit *habit)
{
    if (sector->copies_differ) {
        return damaged_form(bytes, stride, habit);
    }
    const fh_sector_kind form =
        (sector->submode & FH_SUBMODE_FORM2) != 0 ? FH_SECTOR_FORM2 : FH_SECTOR_FORM1;
    return is_without_xa(habit) && !proves_form(bytes, stride, form) ? FH_SECTOR_MODE2 : form;
}

/* The four bytes behind the sync, the first one lowest: minute, second, frame, mode. False where
 * there is no sync, or they are cut. */
static bool read_header(uint32_t *header, const fh_cursor *bytes)
{
    if (bytes->size < FH_HEADER_END || !fh_sector_has_sync(bytes, 0)) {
        return false;
    }
    fh_cursor cur = fh_cursor_sub(bytes, FH_SYNC_LEN, FH_HEADER_END - FH_SYNC_LEN);
    *header = fh_cursor_u32(&cur);
    return true;
}

static uint32_t address_of(uint32_t header)
{
    return (header & 0xff) << 16 | (header & 0xff00) | (header >> 16 & 0xff);
}

int64_t fh_sector_lba(const fh_cursor *bytes, uint32_t stride)
{
    uint32_t header = 0;
    const bool has_one = stride != FH_STRIDE_2048 && stride != FH_STRIDE_2336;
    return has_one && read_header(&header, bytes) ? fh_sector_address_lba(address_of(header))
                                                  : FH_UNKNOWN;
}

static void read_raw(fh_sector *out, const fh_cursor *bytes, uint32_t stride,
                     const fh_sector_habit *habit)
{
    uint32_t header = 0;
    if (!read_header(&header, bytes)) {
        return;
    }
    out->address = address_of(header);
    out->header_lba = fh_sector_address_lba(out->address);
    out->mode = (uint8_t)(header >> 24);
    out->has_header = true;
    static const fh_sector_kind kinds[] = {FH_SECTOR_MODE0, FH_SECTOR_MODE1, FH_SECTOR_MODE2};
    uint8_t mode = out->mode <= 2 ? out->mode : habit->mode;
    fh_sector_kind kind = mode <= 2 ? kinds[mode] : FH_SECTOR_BAD_MODE;
    if (kind == FH_SECTOR_MODE2) {
        read_subheader(out, bytes, FH_SUBHEADER_OFF);
        kind = mode2_kind(out, bytes, stride, habit);
    }
    set_kind(out, kind, bytes->size, 0);
}

void fh_sector_read(fh_sector *out, const fh_cursor *bytes, uint32_t stride,
                    const fh_sector_habit *habit)
{
    assert(bytes->size <= stride);
    *out = (fh_sector){.kind = FH_SECTOR_NO_SYNC, .mode = FH_MODE_NONE, .header_lba = FH_UNKNOWN};
    if (stride == FH_STRIDE_2048) {
        set_kind(out, FH_SECTOR_COOKED, bytes->size, 0);
    } else if (stride == FH_STRIDE_2336) {
        read_subheader(out, bytes, 0);
        set_kind(out, mode2_kind(out, bytes, stride, habit), bytes->size, FH_SUBHEADER_OFF);
    } else {
        read_raw(out, bytes, stride, habit);
    }
}

static void vote(fh_sector_habit *habit, bool is_without_xa)
{
    habit->votes = (uint8_t)((unsigned)habit->votes << 1 | (is_without_xa ? 1u : 0u));
    habit->num_votes = habit->num_votes < MAX_VOTES ? habit->num_votes + 1 : MAX_VOTES;
}

void fh_sector_note(fh_sector_habit *habit, const fh_sector *sector)
{
    if (sector->has_header && sector->mode <= 2) {
        habit->mode = sector->mode;
    }
    /* Without XA equal words say nothing: a run of zeros must not make subheaders of them. */
    if (sector->kind == FH_SECTOR_MODE2 && sector->copies_differ) {
        vote(habit, true);
    } else if (sector->kind == FH_SECTOR_FORM1 || sector->kind == FH_SECTOR_FORM2) {
        vote(habit, false);
    }
    if (sector->kind != FH_SECTOR_FORM1 && sector->kind != FH_SECTOR_FORM2) {
        return;
    }
    habit->form = sector->kind;
    /* Four zero bytes twice are no subheader yet: an empty sector of any kind has them. */
    if (!sector->copies_differ &&
        (sector->file | sector->channel | sector->submode | sector->coding) != 0) {
        habit->xa = true;
    }
}

void fh_sector_read_first(fh_sector *out, fh_sector_habit *habit, const fh_cursor *bytes,
                          const fh_cursor *ahead, uint32_t stride)
{
    fh_sector_habit seen = *habit;
    fh_sector_read(out, bytes, stride, habit);
    const bool is_open = out->kind == FH_SECTOR_FORM1 && !habit->xa && habit->num_votes == 0 &&
                         (out->file | out->channel | out->submode | out->coding) == 0;
    for (size_t i = 0; is_open && i < MAX_VOTES && ahead->size / stride > i; i++) {
        const fh_cursor next = fh_cursor_sub(ahead, i * stride, stride);
        fh_sector sector;
        fh_sector_read(&sector, &next, stride, &seen);
        fh_sector_note(&seen, &sector);
    }
    if (is_open && is_without_xa(&seen)) {
        habit->votes = seen.votes;
        habit->num_votes = seen.num_votes;
        fh_sector_read(out, bytes, stride, habit);
    }
}
