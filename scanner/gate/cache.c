#include "gate/cache.h"

#include "gate/limits.h"
#include "hunt/hash.h"
#include "new_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* In front of the bytes of an entry: a mark and the version of this layout, the key, the length
 * (little endian), and the hash of key and bytes. */
static const char mark[8] = {'F', 'H', 'C', 'A', 'C', 'H', 'E', '1'};
enum {
    AT_KEY = sizeof mark,
    AT_LEN = AT_KEY + (int)FH_SHA256_LEN,
    AT_HASH = AT_LEN + 8,
    HEAD_LEN = AT_HASH + (int)FH_SHA256_LEN
};

/* "ab/" and the other 62 digits of the key. */
enum { FOLDER_LEN = 2, NAME_LEN = 2 * (int)FH_SHA256_LEN - FOLDER_LEN };
typedef char entry_name[FOLDER_LEN + 1 + NAME_LEN + 1];

static const char temporary_mark[] = ".framehound-";

static void name_entry(entry_name out, const fh_cache_key *key)
{
    char hex[2 * FH_SHA256_LEN + 1];
    fh_hash_hex(hex, key->bytes);
    memcpy(out, hex, FOLDER_LEN);
    out[FOLDER_LEN] = '/';
    memcpy(out + FOLDER_LEN + 1, hex + FOLDER_LEN, NAME_LEN + 1);
}

/* ---- the folder ---- */

static fh_exit refuse(const fh_cache *cache, const char *why)
{
    fh_complain("cache %s: %s", fh_safe_path(cache->path), why);
    return FH_EXIT_IO;
}

static bool write_all(int fd, const uint8_t *bytes, size_t len)
{
    size_t at = 0;
    while (at < len) {
        const ssize_t written = write(fd, bytes + at, len - at);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        at += written < 0 ? 0 : (size_t)written;
    }
    return true;
}

/* Tells programs that back up or search that the folder holds nothing of worth; see
 * bford.info/cachedir. Without it the cache works as well. */
static void put_tag(const fh_cache *cache)
{
    static const char tag[] = "Signature: 8a477f597d28d172789f06886806bc55\n"
                              "# What framehound check judged before; may be deleted.\n";
    const int fd = openat(cache->fd, "CACHEDIR.TAG", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd >= 0) {
        const bool is_whole = write_all(fd, (const uint8_t *)tag, sizeof tag - 1);
        if (close(fd) != 0 || !is_whole) {
            (void)unlinkat(cache->fd, "CACHEDIR.TAG", 0);
        }
    }
}

fh_exit fh_cache_open(fh_cache *cache, const char *path)
{
    struct stat folder;
    cache->path = path;
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
        return refuse(cache, strerror(errno));
    }
    cache->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (cache->fd < 0 || fstat(cache->fd, &folder) != 0) {
        return refuse(cache, strerror(errno));
    }
    const char *why = NULL;
    if (folder.st_uid != geteuid()) {
        why = "it belongs to another user, who could forge results; name a folder of your own";
    } else if ((folder.st_mode & 077) != 0) {
        why = "others may enter it, and could forge results; chmod 700 it, or name a new folder";
    }
    if (why != NULL) {
        (void)close(cache->fd);
        cache->fd = -1;
        return refuse(cache, why);
    }
    put_tag(cache);
    return FH_EXIT_OK;
}

/* ---- entries ---- */

static bool read_all(int fd, uint8_t *out, size_t len)
{
    size_t at = 0;
    while (at < len) {
        const ssize_t got = read(fd, out + at, len - at);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return false;
        }
        at += got < 0 ? 0 : (size_t)got;
    }
    return true;
}

static bool hash_entry(uint8_t out[FH_SHA256_LEN], const uint8_t *entry, size_t len)
{
    /* Of the head and of what follows it apart, for they do not lie side by side. */
    uint8_t parts[AT_HASH + FH_SHA256_LEN];
    memcpy(parts, entry, AT_HASH);
    return fh_hash_bytes(parts + AT_HASH, entry + HEAD_LEN, len - HEAD_LEN) &&
           fh_hash_bytes(out, parts, sizeof parts);
}

static uint64_t length_in(const uint8_t *entry)
{
    fh_cursor head = fh_cursor_make(entry + AT_LEN, 8, 0);
    const uint64_t low = fh_cursor_u32(&head);
    return (uint64_t)fh_cursor_u32(&head) << 32 | low;
}

static bool is_sound(const uint8_t *entry, size_t len, const fh_cache_key *key)
{
    uint8_t hash[FH_SHA256_LEN];
    return memcmp(entry, mark, sizeof mark) == 0 &&
           memcmp(entry + AT_KEY, key->bytes, sizeof key->bytes) == 0 &&
           length_in(entry) == len - HEAD_LEN && hash_entry(hash, entry, len) &&
           memcmp(entry + AT_HASH, hash, sizeof hash) == 0;
}

/* The whole entry; NULL: it is not there, or is none. */
static uint8_t *read_entry(int fd, size_t *len)
{
    struct stat file;
    if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode) || file.st_uid != geteuid() ||
        file.st_size < (off_t)HEAD_LEN || file.st_size > (off_t)(HEAD_LEN + FH_CACHE_MAX_ENTRY)) {
        return NULL;
    }
    *len = (size_t)file.st_size;
    uint8_t *entry = malloc(*len + 1); /* entries may be empty */
    if (entry != NULL && !read_all(fd, entry, *len)) {
        free(entry);
        return NULL;
    }
    return entry;
}

uint8_t *fh_cache_get(const fh_cache *cache, size_t *len, const fh_cache_key *key)
{
    entry_name name;
    size_t entry_len = 0;
    name_entry(name, key);
    const int fd = openat(cache->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        return NULL;
    }
    uint8_t *entry = read_entry(fd, &entry_len);
    (void)close(fd);
    if (entry == NULL || !is_sound(entry, entry_len, key)) {
        free(entry);
        return NULL;
    }
    *len = entry_len - HEAD_LEN;
    memmove(entry, entry + HEAD_LEN, *len);
    return entry;
}

static int open_temporary(fh_cache *cache, char *name, size_t size, const char *folder)
{
    fh_text text = fh_text_make(name, size);
    fh_text_str(fh_text_str(fh_text_str(&text, folder), "/"), temporary_mark);
    fh_text_str(fh_text_s64(&text, (int64_t)getpid()), "-");
    fh_text_u64(&text, atomic_fetch_add(&cache->num_temporary, 1));
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const int fd = openat(cache->fd, name, flags, 0600);
    if (fd >= 0 || (errno != ENOENT && errno != EEXIST)) {
        return fd;
    }
    if (errno == EEXIST) { /* of a run that was killed, and had our number */
        (void)unlinkat(cache->fd, name, 0);
    } else if (mkdirat(cache->fd, folder, 0700) != 0 && errno != EEXIST) {
        return -1;
    }
    return openat(cache->fd, name, flags, 0600);
}

static bool write_entry(fh_cache *cache, const entry_name name, const uint8_t *entry, size_t len)
{
    char folder[FOLDER_LEN + 1] = {name[0], name[1], '\0'};
    char temporary[64];
    const int fd = open_temporary(cache, temporary, sizeof temporary, folder);
    if (fd < 0) {
        return false;
    }
    bool is_good = fh_write_all(fd, entry, len);
    int error = errno;
    if (close(fd) != 0 && is_good) {
        is_good = false;
        error = errno;
    }
    if (is_good && renameat(cache->fd, temporary, cache->fd, name) != 0) {
        is_good = false;
        error = errno;
    }
    if (!is_good) {
        (void)unlinkat(cache->fd, temporary, 0);
        errno = error;
    }
    return is_good;
}

static void lose(fh_cache *cache, int error)
{
    atomic_store(&cache->error, error);
    (void)atomic_fetch_add(&cache->num_lost, 1);
}

void fh_cache_put(fh_cache *cache, const fh_cache_key *key, const void *bytes, size_t len)
{
    entry_name name;
    if (len > FH_CACHE_MAX_ENTRY) {
        return; /* judged again each time: rare, and bounded */
    }
    uint8_t *entry = malloc(HEAD_LEN + len);
    if (entry == NULL) {
        lose(cache, ENOMEM);
        return;
    }
    name_entry(name, key);
    memcpy(entry, mark, sizeof mark);
    memcpy(entry + AT_KEY, key->bytes, sizeof key->bytes);
    for (unsigned i = 0; i < 8; i++) {
        entry[AT_LEN + i] = (uint8_t)((uint64_t)len >> (8 * i));
    }
    memcpy(entry + HEAD_LEN, bytes, len);
    if (!hash_entry(entry + AT_HASH, entry, HEAD_LEN + len)) {
        lose(cache, ENOSYS);
    } else if (!write_entry(cache, name, entry, HEAD_LEN + len)) {
        lose(cache, errno);
    }
    atomic_store(&cache->is_touched[key->bytes[0]], true);
    free(entry);
}

/* ---- tidying up ---- */

typedef struct listed {
    char name[NAME_LEN + 1];
    struct timespec written;
    uint64_t len; /* on disk */
} listed;

static int by_age(const void *a, const void *b)
{
    const listed *one = a;
    const listed *other = b;
    if (one->written.tv_sec != other->written.tv_sec) {
        return one->written.tv_sec < other->written.tv_sec ? -1 : 1;
    }
    if (one->written.tv_nsec != other->written.tv_nsec) {
        return one->written.tv_nsec < other->written.tv_nsec ? -1 : 1;
    }
    return strcmp(one->name, other->name);
}

/* A temporary file of a run that was killed; its name says which run that was. */
static bool is_left_over(const char *name)
{
    int64_t pid = 0;
    if (strncmp(name, temporary_mark, sizeof temporary_mark - 1) != 0) {
        return false;
    }
    name += sizeof temporary_mark - 1;
    for (; *name >= '0' && *name <= '9' && pid < INT32_MAX / 10; name++) {
        pid = 10 * pid + (*name - '0');
    }
    return pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

/* Lists what a folder holds, at most FH_CACHE_MAX_LISTED entries, and removes what is left over. */
static size_t list_folder(listed *out, DIR *folder)
{
    size_t num = 0;
    for (const struct dirent *entry = readdir(folder); entry != NULL && num < FH_CACHE_MAX_LISTED;
         entry = readdir(folder)) {
        struct stat file;
        const size_t len = strlen(entry->d_name);
        if (is_left_over(entry->d_name)) {
            (void)unlinkat(dirfd(folder), entry->d_name, 0);
        } else if (len == NAME_LEN &&
                   fstatat(dirfd(folder), entry->d_name, &file, AT_SYMLINK_NOFOLLOW) == 0) {
            memcpy(out[num].name, entry->d_name, len + 1);
            out[num].written = file.st_mtim;
            out[num].len = (uint64_t)file.st_blocks * 512;
            num++;
        }
    }
    return num;
}

static void tidy(DIR *folder, listed *entries)
{
    uint64_t len = 0;
    const size_t num = list_folder(entries, folder);
    for (size_t i = 0; i < num; i++) {
        len += entries[i].len;
    }
    if (len <= FH_CACHE_MAX_FOLDER) {
        return;
    }
    qsort(entries, num, sizeof *entries, by_age);
    for (size_t i = 0; i < num && len > FH_CACHE_KEEP_FOLDER; i++) {
        (void)unlinkat(dirfd(folder), entries[i].name, 0);
        len -= entries[i].len;
    }
}

static void tidy_folder(const fh_cache *cache, unsigned index, listed *entries)
{
    char name[FOLDER_LEN + 1] = {"0123456789abcdef"[index >> 4], "0123456789abcdef"[index & 15]};
    const int fd = openat(cache->fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    if (folder != NULL) {
        tidy(folder, entries);
        (void)closedir(folder);
    } else if (fd >= 0) {
        (void)close(fd);
    }
}

void fh_cache_close(fh_cache *cache)
{
    listed *entries = calloc(FH_CACHE_MAX_LISTED, sizeof *entries);
    for (unsigned i = 0; i < 256 && entries != NULL; i++) {
        if (atomic_load(&cache->is_touched[i])) {
            tidy_folder(cache, i, entries);
        }
    }
    free(entries);
    const unsigned num_lost = atomic_load(&cache->num_lost);
    if (num_lost > 0) {
        fh_complain("cache %s: %u results could not be kept: %s", fh_safe_path(cache->path),
                    num_lost, strerror(atomic_load(&cache->error)));
    }
    (void)close(cache->fd);
    cache->fd = -1;
}
