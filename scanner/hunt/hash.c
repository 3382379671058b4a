#include "hunt/hash.h"

#include <string.h>

bool fh_hash_bytes(uint8_t out[FH_SHA256_LEN], const void *bytes, size_t len)
{
    SHA256_CTX context;
    return SHA256_Init(&context) == 1 && SHA256_Update(&context, bytes, len) == 1 &&
           SHA256_Final(out, &context) == 1;
}

void fh_hash_hex(char out[2 * FH_SHA256_LEN + 1], const uint8_t hash[FH_SHA256_LEN])
{
    for (size_t i = 0; i < FH_SHA256_LEN; i++) {
        out[2 * i] = "0123456789abcdef"[hash[i] >> 4];
        out[2 * i + 1] = "0123456789abcdef"[hash[i] & 15];
    }
    out[2 * (size_t)FH_SHA256_LEN] = '\0';
}

void fh_pose_hash_begin(fh_pose_hash *hash)
{
    *hash = (fh_pose_hash){0};
    hash->failed = SHA256_Init(&hash->context) != 1;
}

static void flush(fh_pose_hash *hash)
{
    hash->failed = hash->failed || SHA256_Update(&hash->context, hash->bytes, hash->len) != 1;
    hash->len = 0;
}

static void add(fh_pose_hash *hash, const char *bytes, size_t len)
{
    while (len > 0) {
        if (hash->len == sizeof hash->bytes) {
            flush(hash);
        }
        const size_t room = sizeof hash->bytes - hash->len;
        const size_t part = len < room ? len : room;
        memcpy(hash->bytes + hash->len, bytes, part);
        hash->len += part;
        bytes += part;
        len -= part;
    }
}

static void add_u64(fh_pose_hash *hash, uint64_t value)
{
    enum { LEN = 8 };
    if (sizeof hash->bytes - hash->len < LEN) {
        flush(hash);
    }
    uint8_t *at = hash->bytes + hash->len;
    for (unsigned i = 0; i < LEN; i++) {
        at[i] = (uint8_t)(value >> (8 * i));
    }
    hash->len += LEN;
}

void fh_pose_hash_frame(void *user, const fh_pose_frame *frame)
{
    add(user, "frame", 5);
    add_u64(user, frame->number);
}

void fh_pose_hash_row(void *user, const fh_pose_row *row)
{
    fh_pose_hash *hash = user;
    hash->num_rows++;
    if (row->table != hash->table) { /* many rows of one table come one behind the other */
        hash->table = row->table;
        hash->name_len = strlen(row->table->name) + 1;
    }
    add(hash, row->table->name, hash->name_len);
    for (size_t i = 0; i < row->table->num_columns; i++) {
        uint64_t bits = (uint64_t)row->values[i].i;
        if (fh_is_real_column(row->table->columns[i].type)) {
            memcpy(&bits, &row->values[i].r, sizeof bits);
        }
        add_u64(hash, bits);
    }
}

bool fh_pose_hash_end(fh_pose_hash *hash, uint8_t out[FH_SHA256_LEN])
{
    flush(hash);
    return !hash->failed && hash->num_rows > 0 && SHA256_Final(out, &hash->context) == 1;
}
