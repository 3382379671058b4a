#include "hunt/hash.h"

#include <assert.h>
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

/* Numbers of 64 bits, whole or real, little endian. */
static void add_values(fh_pose_hash *hash, const fh_pose_value *values, size_t num)
{
    enum { LEN = sizeof(uint64_t) };
    static_assert(sizeof(fh_pose_value) == LEN, "a value has 64 bits, whatever it is");
    while (num > 0) {
        if (sizeof hash->bytes - hash->len < LEN) {
            flush(hash);
        }
        const size_t room = (sizeof hash->bytes - hash->len) / LEN;
        const size_t part = num < room ? num : room;
        for (size_t i = 0; i < part; i++) {
            uint64_t bits = 0;
            memcpy(&bits, &values[i], LEN);
            for (size_t k = 0; k < LEN; k++) {
                hash->bytes[hash->len + LEN * i + k] = (uint8_t)(bits >> (8 * k));
            }
        }
        hash->len += LEN * part;
        values += part;
        num -= part;
    }
}

void fh_pose_hash_frame(void *user, const fh_pose_frame *frame)
{
    add(user, "frame", 5);
    const fh_pose_value number = {.i = (int64_t)frame->number};
    add_values(user, &number, 1);
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
    add_values(hash, row->values, row->table->num_columns);
}

bool fh_pose_hash_end(fh_pose_hash *hash, uint8_t out[FH_SHA256_LEN])
{
    flush(hash);
    return !hash->failed && hash->num_rows > 0 && SHA256_Final(out, &hash->context) == 1;
}
