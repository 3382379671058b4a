#include "gate/recall.h"

#include "framehound/framehound.h"
#include "gate/result_pack.h"
#include "hunt/hash.h"
#include "registry/registry.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first byte of an entry. */
enum { ENTRY_RESULT = 'r', ENTRY_COMPANION = 'c' };

/* The hash of the program that runs; false, and errno, where the system does not show it. */
static bool hash_program(uint8_t out[FH_SHA256_LEN])
{
    struct stat file;
    const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    void *bytes = MAP_FAILED;
    if (fstat(fd, &file) == 0 && file.st_size > 0) {
        bytes = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    (void)close(fd);
    if (bytes == MAP_FAILED) {
        return false;
    }
    const bool is_done = fh_hash_bytes(out, bytes, (size_t)file.st_size);
    (void)munmap(bytes, (size_t)file.st_size);
    return is_done;
}

fh_exit fh_recall_open(fh_cache *cache, const char *path)
{
    char buf[256];
    uint8_t program[FH_SHA256_LEN];
    char hex[2 * FH_SHA256_LEN + 1];
    if (!hash_program(program)) {
        fh_complain("cache %s: the program cannot be told from others, for /proc/self/exe cannot "
                    "be read: %s",
                    fh_safe_path(path), strerror(errno));
        return FH_EXIT_IO;
    }
    fh_hash_hex(hex, program);
    fh_text text = fh_text_make(buf, sizeof buf);
    fh_text_str(fh_text_str(&text, framehound_version()), " ");
    fh_text_str(&text, fh_ruleset_version());
    fh_text_str(fh_text_u64(fh_text_str(&text, " "), FH_RESULT_VERSION), " ");
    fh_text_str(&text, hex);
    assert(!text.cut);
    if (!fh_hash_bytes(cache->salt, buf, text.len)) {
        fh_complain("cache %s: it cannot be hashed", fh_safe_path(path));
        return FH_EXIT_LIMIT;
    }
    return fh_cache_open(cache, path);
}

/* ---- keys ---- */

static void put_name(uint8_t out[16], const char *name)
{
    const size_t len = name == NULL ? 0 : strlen(name);
    assert(len < 16);
    memset(out, 0, 16);
    memcpy(out, name == NULL ? "" : name, len);
}

/* Parts of fixed length, so that no two questions make the same key. */
typedef struct key_parts {
    uint8_t salt[FH_SHA256_LEN];
    uint8_t content[FH_SHA256_LEN];
    uint8_t by_name[16];
    uint8_t profile[16];
    uint8_t flags[4]; /* replay, how it is asked for, and whether there is a companion */
    uint8_t companion[FH_SHA256_LEN];
} key_parts;

static bool make_key(fh_cache_key *out, const fh_cache *cache, const fh_result *result,
                     const fh_exam_options *options, fh_recall_how how)
{
    const fh_format *by_name = fh_format_by_path(result->path);
    key_parts parts = {0};
    memcpy(parts.salt, cache->salt, sizeof parts.salt);
    memcpy(parts.content, result->sha256, sizeof parts.content);
    put_name(parts.by_name, by_name == NULL ? NULL : by_name->name);
    put_name(parts.profile, options->profile);
    parts.flags[0] = options->replay;
    parts.flags[1] = how == FH_RECALL_WITH;
    if (how == FH_RECALL_WITH && options->companion != NULL) {
        parts.flags[2] = 1;
        if (!fh_hash_bytes(parts.companion, options->companion->base, options->companion->size)) {
            return false;
        }
    }
    return fh_hash_bytes(out->bytes, &parts, sizeof parts);
}

/* ---- entries ---- */

/* An entry that names the format, which takes a companion. */
static fh_recall_status take_format(const fh_format **format, uint8_t *entry, size_t len)
{
    char name[16] = "";
    if (len - 1 < sizeof name) {
        memcpy(name, entry + 1, len - 1);
        *format = fh_format_find(name);
    }
    free(entry);
    return *format != NULL && (*format)->companion != NULL ? FH_RECALL_COMPANION : FH_RECALL_NONE;
}

fh_recall_status fh_recall(fh_result *result, const fh_format **format, const fh_cache *cache,
                           const fh_exam_options *options, fh_recall_how how)
{
    fh_cache_key key;
    size_t len = 0;
    *format = NULL;
    if (!make_key(&key, cache, result, options, how)) {
        return FH_RECALL_NONE;
    }
    uint8_t *entry = fh_cache_get(cache, &len, &key);
    if (entry != NULL && len > 1 && entry[0] == ENTRY_COMPANION && how == FH_RECALL_ALONE) {
        return take_format(format, entry, len);
    }
    if (entry != NULL && len > 1 && entry[0] == ENTRY_RESULT) {
        memmove(entry, entry + 1, len - 1);
        if (fh_result_unpack(result, entry, len - 1)) {
            return FH_RECALL_FOUND;
        }
    }
    free(entry);
    return FH_RECALL_NONE;
}

/* Says of the file that it is of a format that takes a companion. */
static void remember_format(fh_cache *cache, const fh_result *result,
                            const fh_exam_options *options)
{
    fh_cache_key key;
    uint8_t entry[1 + 16] = {ENTRY_COMPANION};
    put_name(entry + 1, result->format->name);
    if (make_key(&key, cache, result, options, FH_RECALL_ALONE)) {
        fh_cache_put(cache, &key, entry, 1 + strlen(result->format->name));
    }
}

void fh_remember(fh_cache *cache, const fh_result *result, const fh_exam_options *options)
{
    fh_cache_key key;
    static const uint8_t kind = ENTRY_RESULT;
    if (result->exit != FH_EXIT_OK || result->no_memory || result->error[0] != '\0') {
        return;
    }
    fh_recall_how how = FH_RECALL_ALONE;
    if (result->format != NULL && result->format->companion != NULL) {
        remember_format(cache, result, options);
        how = FH_RECALL_WITH;
    }
    fh_packed packed = {.bytes = malloc(1), .len = 1, .max_len = 1};
    if (packed.bytes != NULL) {
        packed.bytes[0] = kind;
        fh_result_pack(&packed, result);
    }
    if (packed.bytes != NULL && !packed.no_memory && make_key(&key, cache, result, options, how)) {
        fh_cache_put(cache, &key, packed.bytes, packed.len);
    }
    free(packed.bytes);
}
