#include "reports/fingerprint.h"

#include "reports/hex.h"

#include <openssl/sha.h>
#include <string.h>

/* What is hashed: parts, each with its length in front, so that no two lists of parts are the same
 * bytes. */
typedef struct digest {
    SHA256_CTX context;
    bool failed;
} digest;

static digest begin(void)
{
    digest sum;
    sum.failed = SHA256_Init(&sum.context) != 1;
    return sum;
}

static void add(digest *sum, const void *bytes, size_t len)
{
    uint8_t head[8];
    for (size_t i = 0; i < sizeof head; i++) {
        head[i] = (uint8_t)((uint64_t)len >> (8 * i));
    }
    sum->failed = sum->failed || SHA256_Update(&sum->context, head, sizeof head) != 1 ||
                  SHA256_Update(&sum->context, bytes, len) != 1;
}

static void add_text(digest *sum, const char *text)
{
    add(sum, text == NULL ? "" : text, text == NULL ? 0 : strlen(text));
}

static void add_number(digest *sum, int64_t number)
{
    uint8_t bytes[8];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)((uint64_t)number >> (8 * i));
    }
    add(sum, bytes, sizeof bytes);
}

static bool end(digest *sum, uint8_t out[FH_SHA256_LEN])
{
    return !sum->failed && SHA256_Final(out, &sum->context) == 1;
}

static void put_hex(char out[FH_FINGERPRINT_LEN + 1], const uint8_t hash[FH_SHA256_LEN])
{
    char whole[2 * FH_SHA256_LEN + 1];
    fh_hex_of_hash(whole, hash);
    memcpy(out, whole, FH_FINGERPRINT_LEN);
    out[FH_FINGERPRINT_LEN] = '\0';
}

void fh_fingerprints_reset(fh_fingerprints *prints)
{
    if (prints->num > 0) {
        memset(prints, 0, sizeof *prints);
    }
}

/* times_before counts how often the key came. Three quarters of the table may be used. */
static uint64_t times_before(fh_fingerprints *prints, uint64_t key)
{
    key = key == 0 ? 1 : key;
    size_t at = (size_t)(key % FH_FINGERPRINTS_KNOWN);
    while (prints->known[at].key != 0 && prints->known[at].key != key) {
        at = (at + 1) % FH_FINGERPRINTS_KNOWN;
    }
    if (prints->known[at].key == key) {
        return prints->known[at].times++;
    }
    if (prints->num_known >= (size_t)FH_FINGERPRINTS_KNOWN / 4 * 3) {
        return prints->num;
    }
    prints->num_known++;
    prints->known[at].key = key;
    prints->known[at].times = 1;
    return 0;
}

static void add_content(digest *sum, const fh_source_record *source, const fh_asset_record *asset)
{
    if (asset != NULL && asset->sha256 != NULL) {
        add(sum, asset->sha256, FH_SHA256_LEN);
    } else if (source->sha256 != NULL) {
        add(sum, source->sha256, FH_SHA256_LEN);
    } else {
        add_text(sum, source->path);
    }
}

bool fh_fingerprint_make(fh_fingerprints *prints, char out[FH_FINGERPRINT_LEN + 1],
                         const fh_source_record *source, const fh_asset_record *asset,
                         const fh_finding_record *finding)
{
    uint8_t hash[FH_SHA256_LEN];
    digest sum = begin();
    out[0] = '\0';
    add_content(&sum, source, asset);
    add_text(&sum, finding->rule->code);
    add_text(&sum, finding->field);
    add_number(&sum, asset == NULL ? finding->raw_offset : finding->asset_offset);
    add_number(&sum, finding->frame);
    add_number(&sum, finding->object);
    if (!end(&sum, hash)) {
        return false;
    }
    uint64_t key = 0;
    memcpy(&key, hash, sizeof key);
    const uint64_t times = times_before(prints, key);
    prints->num++;
    sum = begin();
    add(&sum, hash, sizeof hash);
    add_number(&sum, (int64_t)times);
    if (!end(&sum, hash)) {
        return false;
    }
    put_hex(out, hash);
    return true;
}

bool fh_fingerprint_of_path(char out[FH_FINGERPRINT_LEN + 1], const char *path,
                            const char *fingerprint)
{
    uint8_t hash[FH_SHA256_LEN];
    digest sum = begin();
    out[0] = '\0';
    add_text(&sum, path);
    add_text(&sum, fingerprint);
    if (!end(&sum, hash)) {
        return false;
    }
    put_hex(out, hash);
    return true;
}
