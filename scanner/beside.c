#include "beside.h"

#include "overwrites.h"
#include "reports/escape.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool is_refused(const fh_beside *beside)
{
    return beside->asked != NULL && strcmp(beside->asked, "none") == 0;
}

static bool is_named(const fh_beside *beside)
{
    return beside->asked != NULL && !is_refused(beside);
}

/* Adds a path as fh_safe_path shows it, and what follows. */
static fh_text *say(fh_text *told, const char *path, const char *what)
{
    char safe[1024];
    fh_text text = fh_text_make(safe, sizeof safe);
    fh_escape_into(&text, path);
    return fh_text_str(fh_text_str(told, safe), what);
}

static fh_exit load(fh_beside *beside, fh_text *told, const char *path)
{
    const fh_load_status status = fh_file_load(&beside->file, path, &fh_interrupt);
    beside->cursor = fh_file_cursor(&beside->file);
    if (status == FH_LOAD_STOPPED || status == FH_LOAD_NO_MEMORY) {
        say(told, path, status == FH_LOAD_STOPPED ? ": interrupted" : ": out of memory");
        return FH_EXIT_LIMIT;
    }
    if (status == FH_LOAD_ERROR) {
        say(fh_text_str(told, "cannot read "), path, ": ");
        fh_text_str(fh_text_str(told, beside->file.error), "; check the name and the permissions");
        return FH_EXIT_IO;
    }
    if (status == FH_LOAD_TOO_LONG) {
        say(told, path, ": longer than any model that is read (8 MiB)");
        return FH_EXIT_IO;
    }
    return FH_EXIT_OK;
}

fh_exit fh_beside_open(fh_beside *beside, const char *command)
{
    struct stat file;
    if (!is_named(beside)) {
        return FH_EXIT_OK;
    }
    if (strcmp(beside->asked, "-") != 0 && stat(beside->asked, &file) == 0 &&
        S_ISDIR(file.st_mode)) {
        return fh_usage_error(command, "%s is a directory; name the one FILE of the model",
                              fh_safe_path(beside->asked));
    }
    char buf[FH_BESIDE_TOLD_LEN];
    fh_text told = fh_text_make(buf, sizeof buf);
    const fh_exit exit = load(beside, &told, beside->asked);
    if (told.len > 0) {
        fh_complain("%s", buf);
    }
    return exit;
}

fh_beside fh_beside_share(const fh_beside *opened)
{
    return (fh_beside){.asked = opened->asked, .cursor = opened->cursor};
}

fh_exit fh_beside_ask(fh_beside *beside, const char *asked, const char *command)
{
    const bool is_same = asked == NULL || beside->asked == NULL ? asked == beside->asked
                                                                : strcmp(asked, beside->asked) == 0;
    beside->asked = asked;
    struct stat file;
    if (!is_same && is_named(beside) && stat(asked, &file) == 0 && !S_ISREG(file.st_mode)) {
        return fh_usage_error(command, "%s is no regular file; a configuration names no other",
                              fh_safe_path(asked));
    }
    return is_same ? FH_EXIT_OK : fh_beside_open(beside, command);
}

/* Writes the path with another extension, in capitals if is_upper; false where it does not fit. */
static bool put_path(char *out, size_t size, const char *path, const char *extension, bool is_upper)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    const char *dot = strrchr(name, '.');
    size_t len = dot == NULL || dot == name ? strlen(path) : (size_t)(dot - path);
    if (len + 1 + strlen(extension) + 1 > size) {
        return false;
    }
    memcpy(out, path, len);
    out[len++] = '.';
    for (; *extension != '\0'; extension++) {
        char letter = *extension;
        if (is_upper) {
            letter = (char)toupper((unsigned char)letter);
        }
        out[len++] = letter;
    }
    out[len] = '\0';
    return true;
}

/* Links and devices are taken only when they are named. Of what cannot be looked at it is told when
 * it cannot be read. */
static bool is_taken(const char *path)
{
    struct stat file;
    if (lstat(path, &file) != 0) {
        return errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG;
    }
    return S_ISREG(file.st_mode);
}

/* The path of a file beside. */
static bool find_path(char *out, size_t size, const fh_companion_kind *kind, const char *path)
{
    for (int is_upper = 0; is_upper < 2; is_upper++) {
        if (put_path(out, size, path, kind->extension, is_upper != 0) && strcmp(out, path) != 0 &&
            is_taken(out)) {
            return true;
        }
    }
    return false;
}

fh_exit fh_beside_find(fh_beside *beside, const fh_cursor **out, fh_text *told,
                       const fh_format *format, const char *path)
{
    char *const found = beside->found;
    const fh_companion_kind *kind = format->companion;
    found[0] = '\0';
    *out = NULL;
    if (kind == NULL || is_refused(beside)) {
        return FH_EXIT_OK;
    }
    if (is_named(beside)) {
        beside->is_used = true;
        *out = &beside->cursor;
        return FH_EXIT_OK;
    }
    if (path == NULL || strcmp(path, "-") == 0 ||
        !find_path(found, sizeof beside->found, kind, path)) {
        found[0] = '\0';
        return FH_EXIT_OK;
    }
    const fh_exit exit = load(beside, told, found);
    if (exit != FH_EXIT_OK) {
        return exit;
    }
    if (!kind->is_one(beside->cursor)) {
        say(say(told, path, ": "), found, " beside it is no ");
        fh_text_str(fh_text_str(told, kind->title), " and not used");
        return FH_EXIT_OK;
    }
    say(say(told, path, ": held against "), found, " beside it; --");
    fh_text_str(fh_text_str(told, kind->extension), " none refuses that");
    *out = &beside->cursor;
    return FH_EXIT_OK;
}

fh_exit fh_beside_look(fh_beside *beside, const fh_cursor **out, const fh_format *format,
                       const char *path)
{
    char buf[FH_BESIDE_TOLD_LEN];
    fh_text told = fh_text_make(buf, sizeof buf);
    const fh_exit exit = fh_beside_find(beside, out, &told, format, path);
    if (told.len > 0) {
        fh_complain("%s", buf);
    }
    return exit;
}

bool fh_beside_is(const fh_beside *beside, const char *path)
{
    const char *own = is_named(beside) ? beside->asked : beside->found;
    if (strcmp(own, "-") == 0 || strcmp(path, "-") == 0) {
        return strcmp(own, path) == 0;
    }
    return fh_same_file(own, path);
}

void fh_beside_close(fh_beside *beside)
{
    fh_file_free(&beside->file);
}
