#include "gate/config.h"

#include "gate/glob.h"
#include "gate/limits.h"
#include "nearest.h"
#include "reports/escape.h"

#include <errno.h>
#include <fcntl.h>
#include <ini.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- keys ---- */

static const char *fault_of_fail_on(const char *value)
{
    fh_fail_on level;
    return fh_parse_fail_on(&level, value) ? NULL : "is error, warning, note or never";
}

static const char *fault_of_severity(const char *value)
{
    fh_severity severity;
    return fh_severity_named(&severity, value) ? NULL : "is error, warning or note";
}

static const char *fault_of_profile(const char *value)
{
    return fh_is_profile(value) ? NULL : "is the name of a player, as the help of check lists them";
}

/* A model may come from standard input, as an option has it. In a configuration - is a file. */
static const char *fault_of_bac(const char *value)
{
    return value[0] != '\0' ? NULL : "is the name of a file, or none";
}

static const char *fault_of_baseline(const char *value)
{
    return value[0] != '\0' && strcmp(value, "-") != 0 ? NULL : "is the name of a file, or none";
}

static const struct key {
    const char *name;
    bool is_path;
    const char *(*fault)(const char *value);
} keys[FH_NUM_KEYS] = {
    [FH_KEY_FAIL_ON] = {"fail-on", false, fault_of_fail_on},
    [FH_KEY_MIN_SEVERITY] = {"min-severity", false, fault_of_severity},
    [FH_KEY_PROFILE] = {"profile", false, fault_of_profile},
    [FH_KEY_BAC] = {"bac", true, fault_of_bac},
    [FH_KEY_BASELINE] = {"baseline", true, fault_of_baseline},
};

const char *fh_key_name(fh_key key)
{
    return keys[key].name;
}

const char *fh_key_fault(fh_key key, const char *value)
{
    return keys[key].fault(value);
}

/* ---- reading ---- */

typedef struct reading {
    fh_config *config;
    const char *at; /* the rest of the file */
    const char *end;
    unsigned line;     /* of the line that was handed out last */
    bool is_more;      /* it goes on the value above */
    bool is_head;      /* it opens a section */
    bool is_own;       /* it is not of the file: an empty key that shows the name of a section */
    unsigned unfilled; /* line of a list that named no code yet, 0: there is none */
    char name[FH_CONFIG_MAX_LINE + 1]; /* of the key that a line may go on, whole */
    char fault[512];                   /* of the first line that is wrong, or "" */
    unsigned fault_line;
    bool no_memory; /* for a value */
} reading;

static fh_text begin_fault(reading *read, unsigned line)
{
    read->fault_line = line;
    return fh_text_make(read->fault, sizeof read->fault);
}

static void set_fault(reading *read, const char *what)
{
    if (read->fault[0] == '\0') {
        fh_text text = begin_fault(read, read->line);
        fh_text_str(&text, what);
    }
}

/* One that names a word, and the nearest of those that are known. */
static void set_unknown(reading *read, const char *what, const char *word, const char *const *names,
                        size_t num)
{
    const char *nearest = fh_nearest_of(word, names, num);
    fh_text text = begin_fault(read, read->line);
    fh_text_str(fh_text_str(&text, what), " '");
    fh_escape_into(&text, word);
    fh_text_str(&text, "'");
    if (nearest != NULL) {
        fh_text_str(fh_text_str(fh_text_str(&text, "; did you mean "), nearest), "?");
        return;
    }
    fh_text_str(&text, "; known are");
    for (size_t i = 0; i < num; i++) {
        fh_text_str(fh_text_str(&text, i == 0 ? " " : ", "), names[i]);
    }
}

static const char *line_fault(const char *line, size_t len, size_t most)
{
    const size_t blanks = len == 0 ? 0 : strspn(line, " \t");
    if (blanks > 0 && blanks < len && line[blanks] == '[') {
        return "a [ behind blanks is neither the head of a section nor a value";
    }
    for (size_t i = 0; i < len; i++) {
        const unsigned char byte = (unsigned char)line[i];
        if ((byte < 0x20 && byte != '\t' && byte != '\r') || byte == 0x7f) {
            return "this is no text: there is a control character in the line";
        }
    }
    return len > most ? "the line is too long; it may go on in another that begins with a blank"
                      : NULL;
}

/* Takes a comment off a line that goes on a value, as the library does off all others. */
static void cut_comment(char *line, bool is_more)
{
    char *mark = is_more ? strchr(line + 1, ';') : NULL;
    while (mark != NULL && mark[-1] != ' ' && mark[-1] != '\t') {
        mark = strchr(mark + 1, ';');
    }
    if (mark != NULL) {
        *mark = '\0';
    }
}

/* Hands out a line, as fgets does. Behind the head of a section it hands out an empty key, for
 * the library shows sections only through their keys. */
static char *next_line(char *out, int size, void *user)
{
    reading *read = user;
    if (read->fault[0] != '\0') {
        return NULL;
    }
    read->is_own = read->is_head;
    if (read->is_own) {
        read->is_head = false;
        memcpy(out, "=", 2);
        return out;
    }
    if (read->at == read->end) {
        return NULL;
    }
    const char *newline = memchr(read->at, '\n', (size_t)(read->end - read->at));
    const char *line = read->at;
    const size_t len = (size_t)((newline == NULL ? read->end : newline) - line);
    const size_t most = size > 3 ? (size_t)size - 3 : 0;
    read->at = newline == NULL ? read->end : newline + 1;
    read->line++;
    const char *fault =
        line_fault(line, len, most < FH_CONFIG_MAX_LINE ? most : FH_CONFIG_MAX_LINE);
    if (fault != NULL) {
        set_fault(read, fault);
        return NULL;
    }
    memcpy(out, line, len);
    out[len] = '\0';
    read->is_more = out[0] == ' ' || out[0] == '\t';
    read->is_head = out[0] == '[';
    cut_comment(out, read->is_more);
    return out;
}

/* ---- sections ---- */

/* Every list has to name a code, in its own line or in those that go on it. */
static void close_list(reading *read)
{
    if (read->unfilled != 0 && read->fault[0] == '\0') {
        fh_text text = begin_fault(read, read->unfilled);
        fh_text_str(&text, "no code is named; ALL is every rule");
    }
    read->unfilled = 0;
}

static void take_list(reading *read, fh_choice_kind kind, const char *list, const char *glob)
{
    if (list[0] == '\0') {
        read->unfilled = read->line;
        return;
    }
    read->unfilled = 0;
    fh_text text = begin_fault(read, read->line);
    if (!fh_choices_add(&read->config->choices, &text, kind, list, glob, read->line)) {
        if (read->is_more) {
            fh_text_str(&text, " (a line that begins with a blank goes on the one above)");
        }
    }
}

static void take_glob_list(reading *read, fh_choice_kind kind, const char *list, const char *glob)
{
    const char *fault = fh_glob_fault(glob);
    if (fault == NULL) {
        take_list(read, kind, list, glob);
        return;
    }
    fh_text text = begin_fault(read, read->line);
    fh_text_str(&text, "the glob '");
    fh_escape_into(&text, glob);
    fh_text_str(fh_text_str(&text, "' is wrong: "), fault);
}

static char *value_of(const fh_config *config, const struct key *key, const char *value)
{
    if (!key->is_path || value[0] == '/' || strcmp(value, "none") == 0) {
        return strdup(value);
    }
    char *path = NULL;
    return asprintf(&path, "%s/%s", config->folder, value) < 0 ? NULL : path;
}

static void take_value(reading *read, fh_key key, const char *value)
{
    fh_config *config = read->config;
    const char *fault = keys[key].fault(value);
    if (config->lines[key] != 0) {
        fh_text text = begin_fault(read, read->line);
        fh_text_str(fh_text_str(&text, keys[key].name), " has a value already, in line ");
        fh_text_u64(&text, config->lines[key]);
        return;
    }
    if (fault != NULL) {
        fh_text text = begin_fault(read, read->line);
        fh_text_str(fh_text_str(fh_text_str(&text, keys[key].name), " "), fault);
        fh_text_str(&text, ", not '");
        fh_escape_into(&text, value);
        fh_text_str(&text, "'");
        return;
    }
    config->values[key] = value_of(config, &keys[key], value);
    config->lines[key] = read->line;
    if (config->values[key] == NULL) {
        set_fault(read, "out of memory");
        read->no_memory = true;
    }
}

static void take_check(reading *read, const char *name, const char *value)
{
    static const char *const names[] = {"select",  "ignore", "fail-on", "min-severity",
                                        "profile", "bac",    "baseline"};
    if (strcmp(name, "select") == 0 || strcmp(name, "ignore") == 0) {
        take_list(read, name[0] == 's' ? FH_CHOICE_SELECT : FH_CHOICE_IGNORE, value, NULL);
        return;
    }
    for (fh_key key = 0; key < FH_NUM_KEYS; key++) {
        if (strcmp(name, keys[key].name) == 0) {
            take_value(read, key, value);
            return;
        }
    }
    set_unknown(read, "[check] has no key", name, names, sizeof names / sizeof names[0]);
}

static void take_severity(reading *read, const char *name, const char *value)
{
    fh_text text = begin_fault(read, read->line);
    if (!fh_choices_add_grade(&read->config->choices, &text, name, value, read->line) &&
        read->is_more) {
        fh_text_str(&text, " (a line that begins with a blank goes on the one above)");
    }
}

static void take_ignores(reading *read, const char *name, const char *value)
{
    take_glob_list(read, FH_CHOICE_IGNORE, value, name);
}

static void take_severities(reading *read, const char *name, const char *value)
{
    take_glob_list(read, FH_CHOICE_GRADE, value, name);
}

static const struct section {
    const char *name;
    void (*take)(reading *read, const char *name, const char *value);
} sections[] = {
    {"check", take_check},
    {"severity", take_severity},
    {"per-file-ignores", take_ignores},
    {"per-file-severity", take_severities},
};

enum { NUM_SECTIONS = sizeof sections / sizeof sections[0] };

static const struct section *find_section(reading *read, const char *name)
{
    const char *names[NUM_SECTIONS];
    for (size_t i = 0; i < NUM_SECTIONS; i++) {
        if (strcmp(sections[i].name, name) == 0) {
            return &sections[i];
        }
        names[i] = sections[i].name;
    }
    if (name[0] == '\0') {
        set_fault(read, "this stands in no section; [check] has to come first");
    } else {
        set_unknown(read, "there is no section", name, names, NUM_SECTIONS);
    }
    return NULL;
}

/* A line that goes on a value comes with a name that the library has cut; ours is whole. */
static int take_pair(void *user, const char *section, const char *name, const char *value)
{
    reading *read = user;
    const bool is_more = read->is_more && !read->is_own && read->name[0] != '\0';
    if (!is_more) {
        close_list(read);
        fh_text text = fh_text_make(read->name, sizeof read->name);
        fh_text_str(&text, name);
    }
    const struct section *known = read->fault[0] == '\0' ? find_section(read, section) : NULL;
    if (known != NULL && !read->is_own) {
        known->take(read, read->name, value);
    }
    return 1;
}

/* The line of the file that is number `handed` of those that the library was given. */
static unsigned real_line(const char *bytes, size_t len, unsigned handed)
{
    unsigned line = 0;
    for (const char *at = bytes; at < bytes + len && handed > 0; handed--) {
        const char *newline = memchr(at, '\n', (size_t)(bytes + len - at));
        line++;
        handed -= *at == '[' && handed > 1 ? 1 : 0;
        at = newline == NULL ? bytes + len : newline + 1;
    }
    return line;
}

static fh_exit parse(fh_config *config, const char *bytes, size_t len)
{
    const size_t mark = len >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    reading read = {.config = config, .at = bytes + mark, .end = bytes + len};
    const int wrong = ini_parse_stream(next_line, &read, take_pair, &read);
    close_list(&read);
    const unsigned line =
        wrong > 0 ? real_line(bytes + mark, len - mark, (unsigned)wrong) : UINT_MAX;
    if (read.fault[0] != '\0' && read.fault_line <= line) {
        fh_complain("%s:%u: %s", fh_safe_path(config->path), read.fault_line, read.fault);
        return read.no_memory || config->choices.no_memory ? FH_EXIT_LIMIT : FH_EXIT_USAGE;
    }
    if (wrong < 0) {
        fh_complain("out of memory");
        return FH_EXIT_LIMIT;
    }
    if (wrong != 0) {
        fh_complain("%s:%u: neither a [section] nor a key with a value behind =",
                    fh_safe_path(config->path), line);
        return FH_EXIT_USAGE;
    }
    return FH_EXIT_OK;
}

/* ---- files ---- */

/* Returns what is wrong with the file, or NULL; *len is then the bytes read. *error is not 0 where
 * the system failed. */
static const char *read_file(char *out, size_t *len, int *error, int fd)
{
    struct stat file;
    *len = 0;
    if (fstat(fd, &file) != 0) {
        *error = errno;
        return strerror(errno);
    }
    if (!S_ISREG(file.st_mode)) {
        return S_ISDIR(file.st_mode) ? "it is a directory" : "it is no regular file";
    }
    for (ssize_t got = 1; got != 0 && *len <= FH_CONFIG_MAX_LEN;) {
        got = read(fd, out + *len, FH_CONFIG_MAX_LEN + 1 - *len);
        if (got < 0 && errno != EINTR) {
            *error = errno;
            return strerror(errno);
        }
        *len += got < 0 ? 0 : (size_t)got;
    }
    return *len > FH_CONFIG_MAX_LEN ? "it is longer than any configuration (64 KiB)" : NULL;
}

static fh_exit refuse(const char *path, const char *fault)
{
    fh_complain("configuration %s: %s; mend or remove it, or use --no-config", fh_safe_path(path),
                fault);
    return FH_EXIT_USAGE;
}

/* Not what the user said is wrong, but what the system can do now. */
static bool is_of_system(int error)
{
    return error == EMFILE || error == ENFILE || error == EIO || error == ENOMEM;
}

static fh_exit refuse_for(const char *path, const char *fault, bool is_failure)
{
    const fh_exit exit = refuse(path, fault);
    return is_failure ? FH_EXIT_IO : exit;
}

fh_exit fh_config_read(fh_config *config, bool *is_there, const char *path, const char *folder,
                       bool is_optional)
{
    *config = (fh_config){0};
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    const int error = errno;
    struct stat link; /* one that leads nowhere is no missing configuration */
    *is_there = fd >= 0 || !is_optional || error != ENOENT || lstat(path, &link) == 0;
    if (!*is_there) {
        return FH_EXIT_OK;
    }
    if (fd < 0) {
        return refuse_for(path, strerror(error), is_of_system(error));
    }
    size_t len = 0;
    char *bytes = malloc(FH_CONFIG_MAX_LEN + 2);
    *config = (fh_config){.path = strdup(path), .folder = strdup(folder)};
    fh_exit exit = FH_EXIT_LIMIT;
    if (bytes != NULL && config->path != NULL && config->folder != NULL) {
        int failed = 0;
        const char *fault = read_file(bytes, &len, &failed, fd);
        bytes[len] = '\0';
        exit = fault != NULL ? refuse_for(path, fault, failed != 0) : parse(config, bytes, len);
    } else {
        fh_complain("out of memory");
    }
    free(bytes);
    (void)close(fd);
    return exit;
}

void fh_config_free(fh_config *config)
{
    for (size_t i = 0; i < FH_NUM_KEYS; i++) {
        free(config->values[i]);
    }
    fh_choices_free(&config->choices);
    free(config->path);
    free(config->folder);
    *config = (fh_config){0};
}
