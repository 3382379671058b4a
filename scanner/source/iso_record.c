#include "source/iso_record.h"

enum { FIXED_LEN = 33, XA_LEN = 14, XA_MARK_OFF = 6, XA_MARK = 0x4158 };

fh_iso_both fh_iso_both32(fh_cursor *cur)
{
    const uint32_t little = fh_cursor_u32(cur);
    const uint32_t big = fh_cursor_u32(cur);
    return (fh_iso_both){little, __builtin_bswap32(big)};
}

fh_iso_both fh_iso_both16(fh_cursor *cur)
{
    const uint16_t little = fh_cursor_u16(cur);
    const uint16_t big = fh_cursor_u16(cur);
    return (fh_iso_both){little, __builtin_bswap16(big)};
}

bool fh_iso_is_special(const fh_iso_record *record, uint8_t byte)
{
    fh_cursor name = record->name;
    return name.size == 1 && fh_cursor_u8(&name) == byte;
}

/* What a system wrote behind the name; XA discs 14 bytes that name themselves. */
static void read_xa(fh_iso_record *out, const fh_cursor *record)
{
    const size_t off = FIXED_LEN + out->name.size + (out->name.size % 2 == 0 ? 1 : 0);
    if (off > record->size || record->size - off < XA_LEN) {
        return;
    }
    fh_cursor cur = fh_cursor_sub(record, off, XA_LEN);
    fh_cursor mark = fh_cursor_sub(&cur, XA_MARK_OFF, XA_LEN - XA_MARK_OFF);
    if (fh_cursor_u16(&mark) != XA_MARK || !fh_cursor_skip(&cur, 4)) {
        return;
    }
    out->has_xa = true;
    out->xa_attributes = __builtin_bswap16(fh_cursor_u16(&cur));
    out->xa_file = fh_cursor_u8(&mark);
}

static void read_fixed(fh_iso_record *out, fh_cursor *cur)
{
    out->xar_len = fh_cursor_u8(cur);
    out->block = fh_iso_both32(cur);
    out->size = fh_iso_both32(cur);
    (void)fh_cursor_skip(cur, 7); /* date */
    out->flags = fh_cursor_u8(cur);
    out->unit = fh_cursor_u8(cur);
    out->gap = fh_cursor_u8(cur);
    out->volume = fh_iso_both16(cur);
}

fh_iso_record_status fh_iso_record_read(fh_iso_record *out, const fh_cursor *sector)
{
    const size_t left = fh_cursor_left(sector);
    fh_cursor cur = fh_cursor_sub(sector, sector->pos, left);
    *out = (fh_iso_record){.len = left > 0 ? fh_cursor_u8(&cur) : 0};
    if (out->len == 0) {
        return FH_ISO_RECORD_END;
    }
    if (out->len <= FIXED_LEN) {
        return FH_ISO_RECORD_SHORT;
    }
    if (out->len > left) {
        return FH_ISO_RECORD_CROSSES;
    }
    read_fixed(out, &cur);
    const size_t name_len = fh_cursor_u8(&cur);
    if (name_len == 0 || name_len > out->len - FIXED_LEN) {
        return FH_ISO_RECORD_NAME;
    }
    const fh_cursor record = fh_cursor_sub(sector, sector->pos, out->len);
    out->name = fh_cursor_sub(&record, FIXED_LEN, name_len);
    read_xa(out, &record);
    return FH_ISO_RECORD_OK;
}
