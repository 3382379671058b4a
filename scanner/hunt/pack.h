/* Numbers, strings and what is known of an asset as bytes, and back: for a cache, and for a process
 * that examines in the stead of another.
 *
 * What is read back is not trusted: a cursor has failed where the bytes are not what was put, and
 * all that is got from it then is zero or empty. Strings stay where they lie in the bytes.
 */
#ifndef FH_HUNT_PACK_H
#define FH_HUNT_PACK_H

#include "core/cursor.h"
#include "core/format.h"
#include "core/record.h"
#include "core/rules.h"

/* Zero is empty. */
typedef struct fh_packed {
    uint8_t *bytes; /* owned */
    size_t len;
    size_t max_len;
    bool no_memory; /* something is missing */
} fh_packed;

void fh_put_bytes(fh_packed *out, const void *bytes, size_t len);
void fh_put_u64(fh_packed *out, uint64_t value);
void fh_put_s64(fh_packed *out, int64_t value);
void fh_put_hash(fh_packed *out, bool has, const uint8_t hash[FH_SHA256_LEN]);

/* fh_put_str puts length, text, and the zero, so that a string can stay where it is unpacked. NULL
 * has the length of no string. */
void fh_put_str(fh_packed *out, const char *str);

void fh_put_asset(fh_packed *out, const fh_asset *asset);

/* fh_put_finding names the rule by its table and number besides its code, so that none is searched
 * for. One of no table cannot be kept: as if there were no memory. */
void fh_put_finding(fh_packed *out, const fh_rule_table *tables, size_t num,
                    const fh_finding *finding);

uint64_t fh_get_u64(fh_cursor *in);
int64_t fh_get_s64(fh_cursor *in);
uint32_t fh_get_u32(fh_cursor *in);
void fh_get_bytes(fh_cursor *in, uint8_t *out, size_t len);
bool fh_get_hash(fh_cursor *in, uint8_t out[FH_SHA256_LEN]);

/* fh_get_below gets a number of at most `most`. */
uint64_t fh_get_below(fh_cursor *in, uint64_t most);

/* fh_get_str returns a string where it lies; NULL for none, and where it is none. fh_need_str takes
 * none for a failure, and fh_copy_str one that is longer than its room as well. */
const char *fh_get_str(fh_cursor *in);
const char *fh_need_str(fh_cursor *in);
void fh_copy_str(fh_cursor *in, char *out, size_t size);

/* fh_get_asset and fh_get_finding get what is told of `len` bytes: an asset is no longer, and no
 * place lies behind them. */
void fh_get_asset(fh_cursor *in, fh_asset *out, size_t len);
void fh_get_finding(fh_cursor *in, fh_finding *finding, const fh_rule_table *tables, size_t num,
                    size_t len);

#endif
