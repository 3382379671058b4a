#include "core/double.h"
#include "core/number.h"
#include "gate/lock_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The longest line: a path whose bytes are all escaped, or a row of the most columns. */
enum { LINE_LEN = 16384, MOST_ASSETS = 1 << 20 };

typedef struct line_reader {
    fh_lock_file *lock;
    char text[LINE_LEN];
} line_reader;

static bool fail(fh_lock_file *lock, const char *fault)
{
    if (lock->fault == NULL) {
        lock->fault = fault;
    }
    return false;
}

/* The system could not; what is wrong with the text then does not count. */
static bool fail_system(fh_lock_file *lock, int error)
{
    if (lock->error == 0) {
        lock->error = error != 0 ? error : EIO;
    }
    return fail(lock, "cannot be read");
}

/* Reads the next line without its end; false at the end of the file too. */
static bool next_line(line_reader *reader)
{
    fh_lock_file *lock = reader->lock;
    errno = 0;
    if (fgets(reader->text, LINE_LEN, lock->file) == NULL) {
        return ferror(lock->file) != 0 ? fail_system(lock, errno) : false;
    }
    lock->line++;
    const size_t len = strcspn(reader->text, "\n");
    if (reader->text[len] == '\0') {
        return fail(lock, len + 1 == LINE_LEN ? "longer than any line of a lock"
                                              : "breaks off in the middle");
    }
    reader->text[len] = '\0';
    return true;
}

/* The rest of a line behind its first word, or NULL if that is another one. */
static const char *behind(const char *line, const char *word)
{
    const size_t len = strlen(word);
    return strncmp(line, word, len) == 0 && line[len] == ' ' ? line + len + 1 : NULL;
}

static bool is_hex(char letter)
{
    return (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'f') ||
           (letter >= 'A' && letter <= 'F');
}

static unsigned hex_of(char letter)
{
    return (unsigned)(letter <= '9' ? letter - '0' : (letter | 0x20) - 'a' + 10);
}

static char *unescape(const char *text)
{
    char *out = malloc(strlen(text) + 1);
    size_t len = 0;
    for (; out != NULL && *text != '\0'; text++) {
        if (text[0] == '%' && is_hex(text[1]) && is_hex(text[2])) {
            out[len++] = (char)(hex_of(text[1]) << 4 | hex_of(text[2]));
            text += 2;
        } else {
            out[len++] = *text;
        }
    }
    if (out != NULL) {
        out[len] = '\0';
    }
    return out;
}

static bool take_text(char *out, size_t size, const char *text)
{
    const size_t len = text == NULL ? size : strlen(text);
    if (len >= size) {
        return false;
    }
    memcpy(out, text, len + 1);
    return true;
}

static bool take_hash(uint8_t out[FH_SHA256_LEN], const char *text)
{
    if (text == NULL || strlen(text) != 2 * (size_t)FH_SHA256_LEN) {
        return false;
    }
    for (size_t i = 0; i < FH_SHA256_LEN; i++) {
        if (!is_hex(text[2 * i]) || !is_hex(text[2 * i + 1])) {
            return false;
        }
        out[i] = (uint8_t)(hex_of(text[2 * i]) << 4 | hex_of(text[2 * i + 1]));
    }
    return true;
}

static bool add_asset(fh_lock_file *lock, const char *path)
{
    if (lock->num_assets == MOST_ASSETS) {
        return fail(lock, "more assets than a lock may have");
    }
    if (lock->num_assets == lock->max_assets) {
        const size_t max = lock->max_assets == 0 ? 16 : 2 * lock->max_assets;
        fh_locked *assets = realloc(lock->assets, max * sizeof *assets);
        if (assets == NULL) {
            return fail_system(lock, ENOMEM);
        }
        lock->assets = assets;
        lock->max_assets = max;
    }
    fh_locked *asset = &lock->assets[lock->num_assets];
    *asset = (fh_locked){.path = unescape(path)};
    if (asset->path == NULL) {
        return fail_system(lock, ENOMEM);
    }
    lock->num_assets++;
    return true;
}

/* Reads an asset up to its end; its motion is only stepped over. */
static bool read_asset(line_reader *reader, const char *path)
{
    fh_lock_file *lock = reader->lock;
    if (!add_asset(lock, path)) {
        return false;
    }
    fh_locked *asset = &lock->assets[lock->num_assets - 1];
    if (!next_line(reader) ||
        !take_text(asset->format, sizeof asset->format, behind(reader->text, "format")) ||
        !next_line(reader) ||
        !take_text(asset->evaluator, sizeof asset->evaluator, behind(reader->text, "evaluator")) ||
        !next_line(reader) || !take_hash(asset->hash, behind(reader->text, "hash"))) {
        return fail(lock, "not the format, evaluator and hash of an asset");
    }
    asset->motion = ftell(lock->file);
    asset->line = lock->line;
    while (next_line(reader)) {
        if (behind(reader->text, "end") != NULL) {
            return true;
        }
    }
    return fail(lock, "the asset has no end");
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const fh_locked *)a)->path, ((const fh_locked *)b)->path);
}

/* Both sides of a merge, for example: which of the two motions is meant cannot be told. */
static bool has_no_twins(fh_lock_file *lock)
{
    for (size_t i = 1; i < lock->num_assets; i++) {
        if (by_path(&lock->assets[i - 1], &lock->assets[i]) == 0) {
            const unsigned a = lock->assets[i - 1].line;
            const unsigned b = lock->assets[i].line;
            lock->line = (a > b ? a : b) - 3; /* format, evaluator and hash stand in between */
            return fail(lock, "an asset that stands there twice");
        }
    }
    return true;
}

static bool read_assets(line_reader *reader)
{
    fh_lock_file *lock = reader->lock;
    if (!next_line(reader) || strcmp(reader->text, "framehound poses 1") != 0) {
        return fail(lock, "not \"framehound poses 1\": no pose lock, or one of another version");
    }
    while (next_line(reader)) {
        const char *path = behind(reader->text, "asset");
        if (path == NULL) {
            return fail(lock, "not the beginning of an asset");
        }
        if (!read_asset(reader, path)) {
            return false;
        }
    }
    if (lock->fault != NULL) {
        return false;
    }
    if (lock->num_assets > 0) {
        qsort(lock->assets, lock->num_assets, sizeof *lock->assets, by_path);
    }
    return has_no_twins(lock);
}

/* A pipe would be waited for. */
static FILE *open_regular(const char *path)
{
    struct stat there;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    const bool is_known = fd >= 0 && fstat(fd, &there) == 0;
    errno =
        is_known && !S_ISREG(there.st_mode) ? (S_ISDIR(there.st_mode) ? EISDIR : EINVAL) : errno;
    FILE *file = is_known && S_ISREG(there.st_mode) ? fdopen(fd, "rb") : NULL;
    if (file == NULL && fd >= 0) {
        const int error = errno;
        (void)close(fd);
        errno = error;
    }
    return file;
}

bool fh_lock_file_open(fh_lock_file *lock, const char *path)
{
    *lock = (fh_lock_file){.file = open_regular(path)};
    if (lock->file == NULL) {
        return fail_system(lock, errno);
    }
    line_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return fail_system(lock, ENOMEM);
    }
    reader->lock = lock;
    const bool is_good = read_assets(reader);
    free(reader);
    return is_good;
}

fh_locked *fh_lock_file_find(fh_lock_file *lock, const char *path)
{
    fh_locked *found = NULL;
    size_t first = 0;
    size_t end = lock->num_assets;
    while (found == NULL && first < end) {
        const size_t middle = first + (end - first) / 2;
        const int order = strcmp(path, lock->assets[middle].path);
        if (order == 0) {
            found = &lock->assets[middle];
        } else if (order < 0) {
            end = middle;
        } else {
            first = middle + 1;
        }
    }
    return found;
}

/* ---- motions ------------------------------------------------------------------------------- */

static bool take_column(fh_motion_table *table, char *text)
{
    static const char *const types[] = {"name", "int", "real"};
    char *colon = strchr(text, ':');
    if (colon == NULL || table->num_columns == FH_MAX_MOTION_COLUMNS) {
        return false;
    }
    *colon = '\0';
    unsigned type = 0;
    while (type < 3 && strcmp(colon + 1, types[type]) != 0) {
        type++;
    }
    table->columns[table->num_columns].type = (fh_column_type)type;
    return type < 3 &&
           take_text(table->columns[table->num_columns++].name, FH_MOTION_NAME_LEN, text);
}

/* What a row tells of is an integer. */
static bool take_table(fh_motion *motion, char *text)
{
    char *rest = NULL;
    const char *name = strtok_r(text, " ", &rest);
    if (motion->num_tables == FH_MAX_MOTION_TABLES) {
        return false;
    }
    fh_motion_table *table = &motion->tables[motion->num_tables++];
    bool is_good = take_text(table->name, sizeof table->name, name);
    for (char *word; is_good && (word = strtok_r(NULL, " ", &rest)) != NULL;) {
        is_good = take_column(table, word);
    }
    return is_good && table->num_columns > 0 && !fh_is_real_column(table->columns[0].type);
}

static bool take_int(int64_t *out, const char *text)
{
    const bool is_negative = *text == '-';
    uint64_t value = 0;
    const char *at = text + (is_negative ? 1 : 0);
    if (*at == '\0') {
        *out = FH_UNKNOWN;
        return is_negative;
    }
    for (; *at != '\0'; at++) {
        if (*at < '0' || *at > '9' || value > (uint64_t)INT64_MAX / 10 - 1) {
            return false;
        }
        value = 10 * value + (uint64_t)(*at - '0');
    }
    *out = is_negative ? -(int64_t)value : (int64_t)value;
    return true;
}

static bool take_bits(double *out, const char *text)
{
    uint64_t bits = 0;
    if (strlen(text) != 16) {
        return false;
    }
    for (; *text != '\0'; text++) {
        if (!is_hex(*text)) {
            return false;
        }
        bits = bits << 4 | hex_of(*text);
    }
    *out = fh_double_of(bits);
    return true;
}

static bool take_value(fh_pose_value *out, fh_column_type type, const char *text)
{
    if (!fh_is_real_column(type)) {
        return take_int(&out->i, text);
    }
    if (text[0] == 'x') {
        return take_bits(&out->r, text + 1);
    }
    const fh_real real = fh_number_real(text, strlen(text));
    out->r = real.value;
    return real.fault == FH_NUMBER_GOOD;
}

static bool take_row(fh_motion *motion, char *text)
{
    fh_pose_value values[FH_MAX_MOTION_COLUMNS];
    char *rest = NULL;
    const char *name = strtok_r(text, " ", &rest);
    size_t table = 0;
    while (name != NULL && table < motion->num_tables &&
           strcmp(motion->tables[table].name, name) != 0) {
        table++;
    }
    if (name == NULL || table == motion->num_tables || motion->num_frames == 0) {
        return false;
    }
    for (size_t i = 0; i < motion->tables[table].num_columns; i++) {
        const char *word = strtok_r(NULL, " ", &rest);
        if (word == NULL || !take_value(&values[i], motion->tables[table].columns[i].type, word)) {
            return false;
        }
    }
    return strtok_r(NULL, " ", &rest) == NULL && fh_motion_add(motion, table, values);
}

static bool take_frame(fh_motion *motion, const char *text)
{
    int64_t number = 0;
    if (!take_int(&number, text) || number < 0 || number > UINT32_MAX) {
        return false;
    }
    const fh_pose_frame frame = {(uint32_t)motion->num_frames, (uint32_t)number};
    return fh_motion_frame(motion, &frame);
}

static bool take_end(fh_motion *motion, const char *text)
{
    int64_t num = 0;
    if (strcmp(text, "long") == 0) { /* nothing is kept of it, so nothing may stand in front */
        motion->is_too_long = true;
        return motion->num_tables == 0 && motion->num_frames == 0;
    }
    return take_int(&num, text) && num >= 0 && (uint64_t)num == motion->num_frames;
}

/* Takes a line; *at_end: it was the last one. */
static bool take_line(fh_motion *motion, char *line, bool *at_end)
{
    const char *frame = behind(line, "frame");
    const char *end = behind(line, "end");
    const char *table = behind(line, "table");
    if (frame != NULL) {
        return take_frame(motion, frame);
    }
    if (end != NULL) {
        *at_end = true;
        return take_end(motion, end);
    }
    return table != NULL ? take_table(motion, line + (table - line)) : take_row(motion, line);
}

bool fh_lock_file_motion(fh_motion *motion, fh_lock_file *lock, const fh_locked *asset)
{
    line_reader *reader = calloc(1, sizeof *reader);
    bool at_end = false;
    *motion = (fh_motion){0};
    lock->fault = NULL;
    lock->error = 0;
    lock->line = asset->line;
    if (reader == NULL || fseek(lock->file, asset->motion, SEEK_SET) != 0) {
        const int error = reader == NULL ? ENOMEM : errno;
        free(reader);
        return fail_system(lock, error);
    }
    reader->lock = lock;
    while (!at_end && lock->fault == NULL && next_line(reader)) {
        if (!take_line(motion, reader->text, &at_end)) {
            (void)(motion->no_memory ? fail_system(lock, ENOMEM)
                                     : fail(lock, "no line of a motion"));
        }
    }
    if (!at_end) {
        (void)fail(lock, "the motion has no end");
    }
    free(reader);
    return lock->fault == NULL;
}

void fh_lock_file_close(fh_lock_file *lock)
{
    for (size_t i = 0; i < lock->num_assets; i++) {
        free(lock->assets[i].path);
    }
    free(lock->assets);
    if (lock->file != NULL) {
        (void)fclose(lock->file);
    }
    *lock = (fh_lock_file){0};
}
