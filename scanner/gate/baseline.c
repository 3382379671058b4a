#include "gate/baseline.h"

#include "gate/limits.h"
#include "gate/places.h"
#include "hunt/hash.h"
#include "new_file.h"
#include "reports/escape.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char first_line[] = "# framehound baseline 1";

/* ---- entries ---- */

static int compare_keys(const fh_known *a, const fh_known *b)
{
    const int by_content = memcmp(a->sha256, b->sha256, sizeof a->sha256);
    return by_content != 0 ? by_content : strcmp(a->code, b->code);
}

/* Of entries with the same key the one with the highest count comes first, and of those the one
 * with the least path, so that what is written does not depend on the order of the files. */
static int compare(const void *left, const void *right)
{
    const fh_known *a = left;
    const fh_known *b = right;
    const int by_key = compare_keys(a, b);
    if (by_key != 0 || a->count != b->count) {
        return by_key != 0 ? by_key : a->count > b->count ? -1 : 1;
    }
    return strcmp(a->path, b->path);
}

/* Sorts, and keeps the first of those that have the same key. */
static void settle(fh_baseline *baseline)
{
    size_t num = 0;
    if (baseline->num == 0) {
        return;
    }
    qsort(baseline->items, baseline->num, sizeof baseline->items[0], compare);
    for (size_t i = 0; i < baseline->num; i++) {
        if (num > 0 && compare_keys(&baseline->items[num - 1], &baseline->items[i]) == 0) {
            free(baseline->items[i].path);
        } else {
            baseline->items[num++] = baseline->items[i];
        }
    }
    baseline->num = num;
}

static bool put(fh_baseline *baseline, const fh_known *known, const char *path, size_t path_len)
{
    if (baseline->num == baseline->max) {
        const size_t max = baseline->max == 0 ? 64 : 2 * baseline->max;
        fh_known *items = realloc(baseline->items, max * sizeof *items);
        if (items == NULL) {
            return false;
        }
        baseline->items = items;
        baseline->max = max;
    }
    fh_known *out = &baseline->items[baseline->num];
    *out = *known;
    out->path = strndup(path, path_len);
    baseline->num += out->path != NULL ? 1 : 0;
    return out->path != NULL;
}

/* ---- reading ---- */

typedef struct line {
    const char *at;
    size_t len;
} line;

static line rest(line one, size_t len)
{
    return (line){one.at + len, one.len - len};
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool take_hash(uint8_t out[FH_SHA256_LEN], line *from)
{
    if (from->len < (size_t)2 * FH_SHA256_LEN + 1) {
        return false;
    }
    for (size_t i = 0; i < FH_SHA256_LEN; i++) {
        const int high = digit_of(from->at[2 * i]);
        const int low = digit_of(from->at[2 * i + 1]);
        if (high < 0 || low < 0) {
            return false;
        }
        out[i] = (uint8_t)(16 * high + low);
    }
    *from = rest(*from, (size_t)2 * FH_SHA256_LEN);
    return true;
}

static bool take_blank(line *from)
{
    const bool is_there = from->len > 0 && from->at[0] == ' ';
    *from = is_there ? rest(*from, 1) : *from;
    return is_there;
}

/* Capital letters, then four digits. */
static bool take_code(char out[FH_CODE_SIZE], line *from)
{
    size_t letters = 0;
    while (letters < from->len && from->at[letters] >= 'A' && from->at[letters] <= 'Z') {
        letters++;
    }
    const size_t len = letters + 4;
    if (letters < 2 || letters > 4 || from->len < len) {
        return false;
    }
    for (size_t i = letters; i < len; i++) {
        if (from->at[i] < '0' || from->at[i] > '9') {
            return false;
        }
    }
    memcpy(out, from->at, len);
    out[len] = '\0';
    *from = rest(*from, len);
    return true;
}

static bool take_count(uint32_t *out, line *from)
{
    uint32_t value = 0;
    size_t len = 0;
    for (; len < from->len && from->at[len] >= '0' && from->at[len] <= '9'; len++) {
        value = 10 * value + (uint32_t)(from->at[len] - '0');
        if (value > FH_BASELINE_MAX_COUNT) {
            return false;
        }
    }
    *out = value;
    *from = rest(*from, len);
    return value > 0;
}

static const char *take_entry(fh_known *out, line *from)
{
    if (from->at[0] == '<' || from->at[0] == '=' || from->at[0] == '>') {
        return "a conflict of a merge is not solved; take the lines of both sides";
    }
    if (!take_hash(out->sha256, from)) {
        return "it does not begin with a SHA-256 in hexadecimal";
    }
    if (!take_blank(from) || !take_code(out->code, from)) {
        return "behind the SHA-256 stands no code of a rule";
    }
    if (!take_blank(from) || !take_count(&out->count, from)) {
        return "behind the code stands no number of findings, from 1 on";
    }
    if (from->len >= 3 && memcmp(from->at, " # ", 3) == 0) {
        *from = rest(*from, 3);
        return NULL;
    }
    return from->len == 0 ? NULL : "behind the number stands no # and a path";
}

static fh_exit damaged(const fh_baseline *baseline, unsigned number, const char *fault)
{
    fh_complain("%s:%u: damaged baseline: %s; restore it, or write it anew with --write-baseline",
                fh_safe_path(baseline->path), number, fault);
    return FH_EXIT_USAGE;
}

static fh_exit out_of_memory(void)
{
    fh_complain("out of memory");
    return FH_EXIT_LIMIT;
}

static fh_exit read_line(fh_baseline *baseline, line one, unsigned number)
{
    fh_known known = {.line = number};
    if (one.len > 0 && one.at[one.len - 1] == '\r') {
        one.len--;
    }
    if (number == 1) {
        return one.len == sizeof first_line - 1 && memcmp(one.at, first_line, one.len) == 0
                   ? FH_EXIT_OK
                   : damaged(baseline, number, "it does not begin with '# framehound baseline 1'");
    }
    if (one.len == 0 || one.at[0] == '#') {
        return FH_EXIT_OK;
    }
    const char *fault =
        memchr(one.at, '\0', one.len) != NULL ? "it is no text" : take_entry(&known, &one);
    if (fault != NULL) {
        return damaged(baseline, number, fault);
    }
    return put(baseline, &known, one.at, one.len) ? FH_EXIT_OK : out_of_memory();
}

static fh_exit read_lines(fh_baseline *baseline, const char *bytes, size_t len)
{
    if (len == 0) {
        return damaged(baseline, 1, "it is empty");
    }
    const char *const end = bytes + len;
    unsigned number = 0;
    fh_exit exit = FH_EXIT_OK;
    while (exit == FH_EXIT_OK && bytes < end) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        const line one = {bytes, (size_t)((newline == NULL ? end : newline) - bytes)};
        exit = read_line(baseline, one, ++number);
        bytes = newline == NULL ? end : newline + 1;
    }
    return exit;
}

static fh_exit refuse(const char *path, const char *fault)
{
    fh_complain("baseline %s: %s; check the name and the permissions", fh_safe_path(path), fault);
    return FH_EXIT_USAGE;
}

static fh_exit unreadable(const char *path, const char *fault)
{
    (void)refuse(path, fault);
    return FH_EXIT_IO;
}

static const char too_long[] = "it is longer than any baseline that is read (64 MiB)";

typedef struct content {
    char *bytes; /* owned */
    size_t len;
} content;

static fh_exit read_bytes(content *out, const char *path, size_t size)
{
    FILE *file = fopen(path, "rbe");
    if (file == NULL) {
        return unreadable(path, strerror(errno));
    }
    out->bytes = malloc(size + 1);
    out->len = out->bytes == NULL ? 0 : fread(out->bytes, 1, size + 1, file);
    const int error = ferror(file) != 0 ? errno : 0;
    (void)fclose(file);
    if (out->bytes == NULL) {
        return out_of_memory();
    }
    return error != 0        ? unreadable(path, strerror(error))
           : out->len > size ? unreadable(path, "it grew while it was read")
                             : FH_EXIT_OK;
}

/* *is_there is false where there is none, and there may be none. */
static fh_exit load(content *out, bool *is_there, const char *path, bool may_miss)
{
    struct stat info;
    *is_there = true;
    if (stat(path, &info) != 0) {
        struct stat link;
        *is_there = !may_miss || errno != ENOENT;
        if (!*is_there && lstat(path, &link) == 0) {
            return unreadable(path, "it is a link that leads nowhere");
        }
        return *is_there ? unreadable(path, strerror(errno)) : FH_EXIT_OK;
    }
    if (!S_ISREG(info.st_mode)) {
        return refuse(path, S_ISDIR(info.st_mode) ? "it is a directory" : "it is no regular file");
    }
    return info.st_size > (off_t)FH_BASELINE_MAX_LEN ? refuse(path, too_long)
                                                     : read_bytes(out, path, (size_t)info.st_size);
}

/* ---- the order of the paths ---- */

/* The baseline whose indices are being sorted; qsort hands nothing through, qsort_r does. */
static int compare_paths(const void *left, const void *right, void *user)
{
    const fh_baseline *baseline = user;
    const size_t *a = left;
    const size_t *b = right;
    return strcmp(baseline->items[*a].path, baseline->items[*b].path);
}

static bool sort_paths(fh_baseline *baseline)
{
    if (baseline->num == 0) {
        return true;
    }
    baseline->by_path = calloc(baseline->num, sizeof baseline->by_path[0]);
    if (baseline->by_path == NULL) {
        return false;
    }
    for (size_t i = 0; i < baseline->num; i++) {
        baseline->by_path[i] = i;
    }
    qsort_r(baseline->by_path, baseline->num, sizeof baseline->by_path[0], compare_paths, baseline);
    return true;
}

fh_exit fh_baseline_read(fh_baseline *baseline, const char *path, bool may_miss)
{
    content file = {NULL, 0};
    bool is_there = false;
    *baseline = (fh_baseline){.path = strdup(path), .folder = fh_folder_of(path)};
    fh_exit exit = load(&file, &is_there, path, may_miss);
    if (exit == FH_EXIT_OK && baseline->folder == NULL) {
        exit = errno == ENOMEM ? out_of_memory() : unreadable(path, strerror(errno));
    }
    if (exit == FH_EXIT_OK && baseline->path == NULL) {
        exit = out_of_memory();
    }
    if (exit == FH_EXIT_OK && is_there) {
        exit = read_lines(baseline, file.bytes, file.len);
        settle(baseline);
    }
    if (exit == FH_EXIT_OK && !sort_paths(baseline)) {
        exit = out_of_memory();
    }
    free(file.bytes);
    return exit;
}

/* ---- matching ---- */

static size_t lower_bound(const fh_baseline *baseline, const uint8_t sha256[FH_SHA256_LEN])
{
    size_t from = 0;
    size_t to = baseline->num;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (memcmp(baseline->items[middle].sha256, sha256, FH_SHA256_LEN) < 0) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return from;
}

static void look_at(fh_baseline *baseline, const char *path)
{
    size_t from = 0;
    size_t to = baseline->num;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (strcmp(baseline->items[baseline->by_path[middle]].path, path) < 0) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    for (; from < baseline->num; from++) {
        fh_known *known = &baseline->items[baseline->by_path[from]];
        if (strcmp(known->path, path) != 0) {
            break;
        }
        known->is_looked = true;
    }
}

void fh_baseline_begin(fh_baseline *baseline, const uint8_t sha256[FH_SHA256_LEN], const char *path)
{
    baseline->first = lower_bound(baseline, sha256);
    baseline->behind = baseline->first;
    while (baseline->behind < baseline->num &&
           memcmp(baseline->items[baseline->behind].sha256, sha256, FH_SHA256_LEN) == 0) {
        fh_known *known = &baseline->items[baseline->behind++];
        known->left = known->count;
        known->is_seen = true;
    }
    char relative[FH_PLACE_SIZE];
    if (path != NULL && fh_place_below(relative, baseline->folder, path)) {
        look_at(baseline, relative);
    }
}

bool fh_baseline_takes(fh_baseline *baseline, const char *code)
{
    for (size_t i = baseline->first; i < baseline->behind; i++) {
        fh_known *known = &baseline->items[i];
        if (strcmp(known->code, code) == 0 && known->left > 0) {
            known->left--;
            known->is_used = true;
            return true;
        }
    }
    return false;
}

/* A path with a backslash is escaped and names no file as it stands; it is left alone. */
void fh_baseline_miss(fh_baseline *baseline, const char *root)
{
    const size_t len = strcmp(root, "/") == 0 ? 0 : strlen(root);
    for (size_t i = 0; i < baseline->num; i++) {
        fh_known *known = &baseline->items[i];
        struct stat file;
        char *path = NULL;
        if (known->is_looked || known->path[0] == '\0' || strchr(known->path, '\\') != NULL) {
            continue;
        }
        path = fh_place_join(baseline->folder, known->path);
        if (path != NULL && strncmp(path, root, len) == 0 && path[len] == '/' &&
            lstat(path, &file) != 0 && (errno == ENOENT || errno == ENOTDIR)) {
            known->is_looked = true;
        }
        free(path);
    }
}

bool fh_known_is_stale(const fh_known *known)
{
    return !known->is_used && (known->is_looked || known->is_seen);
}

/* ---- writing ---- */

bool fh_baseline_add(fh_baseline *baseline, const uint8_t sha256[FH_SHA256_LEN], const char *code,
                     const char *path)
{
    fh_known known = {.count = 1};
    char relative[FH_PLACE_SIZE] = "";
    if (path != NULL && !fh_place_below(relative, baseline->folder, path)) {
        relative[0] = '\0';
    }
    memcpy(known.sha256, sha256, sizeof known.sha256);
    fh_text text = fh_text_make(known.code, sizeof known.code);
    fh_text_str(&text, code);
    for (size_t i = baseline->num; i > 0; i--) { /* those of the present file came last */
        fh_known *last = &baseline->items[i - 1];
        if (strcmp(last->path, relative) != 0 ||
            memcmp(last->sha256, sha256, sizeof last->sha256) != 0) {
            break;
        }
        if (strcmp(last->code, code) == 0) {
            last->count++;
            return true;
        }
    }
    return put(baseline, &known, relative, strlen(relative));
}

bool fh_baseline_keep(fh_baseline *baseline, const fh_baseline *old)
{
    for (size_t i = 0; i < old->num; i++) {
        const fh_known *known = &old->items[i];
        if (!known->is_looked && !known->is_seen &&
            !put(baseline, known, known->path, strlen(known->path))) {
            return false;
        }
    }
    return true;
}

static void write_entry(FILE *file, const fh_known *known)
{
    char hex[2 * FH_SHA256_LEN + 1];
    fh_hash_hex(hex, known->sha256);
    (void)fprintf(file, "%s %s %u", hex, known->code, (unsigned)known->count);
    (void)fprintf(file, known->path[0] != '\0' ? " # %s\n" : "%s\n", known->path);
}

static void write_all(FILE *file, const fh_baseline *baseline)
{
    (void)fprintf(file,
                  "%s\n# Findings that are known: framehound check --baseline passes them over."
                  "\n# To renew it: framehound check --write-baseline. SHA-256 of the content, "
                  "rule, number # path\n",
                  first_line);
    for (size_t i = 0; i < baseline->num; i++) {
        write_entry(file, &baseline->items[i]);
    }
}

fh_exit fh_baseline_write(fh_baseline *baseline)
{
    fh_new_file out;
    settle(baseline);
    int error = fh_new_file_begin(&out, baseline->path, 0666);
    if (error == 0) {
        write_all(out.file, baseline);
        if (ftello(out.file) > (off_t)FH_BASELINE_MAX_LEN) {
            fh_new_file_drop(&out);
            fh_complain("%s: not written: %s; check parts, each with a baseline of its own",
                        fh_safe_path(baseline->path), too_long);
            return FH_EXIT_LIMIT;
        }
        error = fh_new_file_commit(&out);
    }
    if (error != 0) {
        fh_complain("cannot write %s: %s; make room or write elsewhere",
                    fh_safe_path(baseline->path), strerror(error));
        return FH_EXIT_IO;
    }
    return FH_EXIT_OK;
}

void fh_baseline_free(fh_baseline *baseline)
{
    for (size_t i = 0; i < baseline->num; i++) {
        free(baseline->items[i].path);
    }
    free(baseline->items);
    free(baseline->by_path);
    free(baseline->path);
    free(baseline->folder);
    *baseline = (fh_baseline){0};
}
