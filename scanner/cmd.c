#include "cmd.h"

#include "registry/registry.h"
#include "reports/escape.h"

#include <errno.h>
#include <framehound/framehound.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

fh_exit fh_worst(fh_exit a, fh_exit b)
{
    return a > b ? a : b;
}

static atomic_bool has_complained; /* workers ask for messages, too */

bool fh_has_complained(void)
{
    return atomic_load(&has_complained);
}

void fh_complain(const char *format, ...)
{
    va_list args;
    atomic_store(&has_complained, true);
    va_start(args, format);
    (void)fputs("framehound: ", stderr);
    (void)vfprintf(stderr, format, args);
    (void)fputc('\n', stderr);
    va_end(args);
}

fh_exit fh_usage_error(const char *command, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)fprintf(stderr, "framehound %s: ", command);
    (void)vfprintf(stderr, format, args);
    (void)fprintf(stderr, "\nTry 'framehound %s --help'.\n", command);
    va_end(args);
    return FH_EXIT_USAGE;
}

fh_exit fh_option_error(const char *command, int c, char **argv)
{
    const char *what =
        c == ':' ? "needs a value" : "is unknown, or takes no value, or is ambiguous";
    const bool is_letter = optopt > 32 && optopt < 127;
    if (is_letter && strncmp(argv[optind - 1], "--", 2) != 0) {
        return fh_usage_error(command, "option -%c %s", optopt,
                              c == ':' ? "needs a value" : "is unknown");
    }
    return fh_usage_error(command, "option %s %s", fh_safe_path(argv[optind - 1]), what);
}

fh_exit fh_take_layout(const char *command, fh_layout_choice *out, const char *value)
{
    return fh_layout_parse(out, value)
               ? FH_EXIT_OK
               : fh_usage_error(command,
                                "--layout is auto, plain, 2048, 2336, 2352, 2368 or 2448, not "
                                "'%s'",
                                fh_safe_path(value));
}

fh_exit fh_take_json(const char *command, bool *out, const char *value)
{
    *out = strcmp(value, "json") == 0;
    return *out || strcmp(value, "text") == 0
               ? FH_EXIT_OK
               : fh_usage_error(command, "--format is text or json, not '%s'", fh_safe_path(value));
}

const char *fh_safe_path(const char *path)
{
    static char buffers[4][1024];
    static unsigned next;
    char *buffer = buffers[next++ % 4];
    fh_text text = fh_text_make(buffer, sizeof buffers[0]);
    fh_escape_into(&text, path);
    return buffer;
}

/* A name that ends so is a name; but where there is nothing of that name, it stood in a list. */
static void hint_at_line_end(fh_text *out, const char *path)
{
    char without[4096];
    const size_t len = strlen(path);
    struct stat there;
    if (len < 2 || path[len - 1] != '\r' || lstat(path, &there) == 0) {
        return;
    }
    fh_text_str(out, "; the name ends with a carriage return, as in a list whose lines end with CR "
                     "LF: make them end with LF");
    if (len <= sizeof without) {
        memcpy(without, path, len - 1);
        without[len - 1] = '\0';
        if (lstat(without, &there) == 0) {
            fh_text_str(fh_text_str(out, ", for there is "), fh_safe_path(without));
        }
    }
}

void fh_complain_of_input(const char *path, const char *why)
{
    char hint[2048];
    fh_text text = fh_text_make(hint, sizeof hint);
    hint_at_line_end(&text, path);
    fh_complain("cannot read %s: %s; check the name and the permissions%s", fh_safe_path(path), why,
                hint);
}

bool fh_parse_fail_on(fh_fail_on *out, const char *name)
{
    if (strcmp(name, "never") == 0) {
        *out = (fh_fail_on){.never = true};
        return true;
    }
    for (int i = FH_NOTE; i <= FH_ERROR; i++) {
        if (strcmp(name, fh_severity_name((fh_severity)i)) == 0) {
            *out = (fh_fail_on){.never = false, .severity = (fh_severity)i};
            return true;
        }
    }
    return false;
}

bool fh_fails(const fh_fail_on *fail_on, fh_severity severity)
{
    return !fail_on->never && severity >= fail_on->severity;
}

bool fh_wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return true;
        }
    }
    return false;
}

bool fh_is_profile(const char *name)
{
    for (size_t i = 0; i < fh_num_formats; i++) {
        for (const char *const *known = fh_formats[i]->profiles; *known != NULL; known++) {
            if (strcmp(*known, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

bool fh_parse_u32(uint32_t *out, const char *text)
{
    uint64_t value = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && value <= UINT32_MAX; at++) {
        value = 10 * value + (uint64_t)(*at - '0');
    }
    if (at == text || *at != '\0' || value > UINT32_MAX) {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

bool fh_parse_word(uint32_t *out, const char *text)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t value = 0;
    if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X')) {
        return fh_parse_u32(out, text);
    }
    const char *at = text + 2;
    for (; *at != '\0' && value <= UINT32_MAX; at++) {
        const char *digit = strchr(digits, fh_ascii_lower(*at));
        if (digit == NULL) {
            return false;
        }
        value = 16 * value + (uint64_t)(digit - digits);
    }
    if (at == text + 2 || value > UINT32_MAX) {
        return false;
    }
    *out = (uint32_t)value;
    return true;
}

fh_exit fh_io_exit(void)
{
    return fh_interrupted(NULL) ? FH_EXIT_LIMIT : FH_EXIT_IO;
}

fh_exit fh_print_help(const char *text)
{
    errno = 0;
    const bool is_put = fputs(text, stdout) != EOF;
    return fh_flush_stdout(is_put ? 0 : errno);
}

fh_exit fh_flush_stdout(int error)
{
    errno = 0;
    if (fflush(stdout) != 0 && error == 0) {
        error = errno == 0 ? EIO : errno;
    }
    if (error == 0 && ferror(stdout)) {
        error = EIO;
    }
    if (error == 0) {
        return FH_EXIT_OK;
    }
    if (error == EINTR) {
        fh_complain("interrupted; not everything was printed");
    } else if (error != EPIPE) { /* whoever closed the pipe has read enough */
        fh_complain("cannot write to standard output: %s; make room or write elsewhere",
                    strerror(error));
    }
    return fh_io_exit();
}

const char *fh_ruleset_version(void)
{
    static char version[16];
    fh_text text = fh_text_make(version, sizeof version);
    fh_text_hex(&text, framehound_ruleset(), 8);
    return version;
}

const char *fh_tidy_path(const char *path)
{
    const char *whole = path;
    while (path[0] == '.' && path[1] == '/') {
        path += 2;
        while (path[0] == '/') {
            path++;
        }
    }
    return strcmp(path, "-") == 0 || path[0] == '\0' ? whole : path;
}
