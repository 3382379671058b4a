/* One directory record of ISO 9660, as it stands in its sector.
 *
 * Pure. Sources: ECMA-119, section 9.1; CD-ROM XA; image format sheet, section 4.
 */
#ifndef FH_SOURCE_ISO_RECORD_H
#define FH_SOURCE_ISO_RECORD_H

#include "core/cursor.h"

/* Bits of the flags. */
#define FH_ISO_HIDDEN 0x01u
#define FH_ISO_DIRECTORY 0x02u
#define FH_ISO_ASSOCIATED 0x04u
#define FH_ISO_MORE_EXTENTS 0x80u

/* Bits of the XA attributes. */
#define FH_XA_FORM1 0x0800u
#define FH_XA_FORM2 0x1000u
#define FH_XA_INTERLEAVED 0x2000u
#define FH_XA_AUDIO 0x4000u

/* A number that is stored in both byte orders. `value` is the little-endian one, for that is what
 * the software of the console reads. */
typedef struct fh_iso_both {
    uint32_t value;
    uint32_t big;
} fh_iso_both;

typedef struct fh_iso_record {
    size_t len; /* bytes of the record */
    uint8_t xar_len;
    fh_iso_both block; /* first block, with the extended attributes */
    fh_iso_both size;  /* bytes */
    fh_iso_both volume;
    uint8_t flags;
    uint8_t unit;
    uint8_t gap;
    fh_cursor name;
    bool has_xa;
    uint16_t xa_attributes;
    uint8_t xa_file;
} fh_iso_record;

typedef enum fh_iso_record_status {
    FH_ISO_RECORD_OK = 0,
    FH_ISO_RECORD_END,     /* length 0, or no byte is left: go to the next sector */
    FH_ISO_RECORD_SHORT,   /* shorter than a record with a name of one byte */
    FH_ISO_RECORD_CROSSES, /* longer than what is left of the sector */
    FH_ISO_RECORD_NAME     /* the name is empty, or longer than the record: `len` is there */
} fh_iso_record_status;

/* fh_iso_record_read reads the record at the position of the sector, which stays where it is. */
fh_iso_record_status fh_iso_record_read(fh_iso_record *out, const fh_cursor *sector) FH_MUST_USE;

/* fh_iso_both32 and fh_iso_both16 read a number in both byte orders: 8 or 4 bytes. */
fh_iso_both fh_iso_both32(fh_cursor *cur);
fh_iso_both fh_iso_both16(fh_cursor *cur);

/* fh_iso_is_special tells whether a name is the single byte: 0 the directory itself, 1 its
 * parent. */
bool fh_iso_is_special(const fh_iso_record *record, uint8_t byte);

#endif
