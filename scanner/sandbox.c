#include "sandbox.h"

#include "landlock.h"
#include "source/opener.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#if FH_HAVE_SECCOMP
#include "syscalls.h"
#endif

typedef enum mode { MODE_ON, MODE_OFF, MODE_REQUIRE } mode;

static const char *const mode_names[] = {"on", "off", "require"};

/* Of the whole process, as the walls are. */
static struct {
    bool is_chosen;
    mode mode;
} choice;

static bool parse(mode *out, const char *value)
{
    for (size_t i = 0; i < sizeof mode_names / sizeof mode_names[0]; i++) {
        if (strcmp(value, mode_names[i]) == 0) {
            *out = (mode)i;
            return true;
        }
    }
    return false;
}

fh_exit fh_sandbox_choose(const char *command, const char *value)
{
    choice.is_chosen = parse(&choice.mode, value);
    return choice.is_chosen ? FH_EXIT_OK
                            : fh_usage_error(command, "--sandbox is on, off or require, not '%s'",
                                             fh_safe_path(value));
}

fh_exit fh_common_option(const char *command, int c, char **argv)
{
    return c == FH_OPTION_SANDBOX ? fh_sandbox_choose(command, optarg)
                                  : fh_option_error(command, c, argv);
}

static const char *environment(void)
{
    const char *value = getenv("FRAMEHOUND_SANDBOX");
    return value == NULL || value[0] == '\0' ? NULL : value;
}

/* A word that is spelled wrong might have been `require`. */
fh_exit fh_sandbox_check_environment(const char *command)
{
    const char *value = environment();
    mode ignored = MODE_ON;
    return value == NULL || parse(&ignored, value)
               ? FH_EXIT_OK
               : fh_usage_error(command, "FRAMEHOUND_SANDBOX is on, off or require, not '%s'",
                                fh_safe_path(value));
}

/* A value that is none is as good as none: what is safe stays. */
static mode chosen(void)
{
    const char *value = environment();
    mode from_environment = MODE_ON;
    if (choice.is_chosen || value == NULL || !parse(&from_environment, value)) {
        return choice.mode;
    }
    return from_environment;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void allow(fh_sandbox *box, const char *path, uint64_t rights)
{
    if (box->rules >= 0 && !fh_landlock_allow(box->rules, path, rights)) {
        box->has_failed = true;
    }
}

static bool is_no_file(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

static bool folder_of(char *out, size_t size, const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t len = slash == NULL ? 1 : slash == path ? 1 : (size_t)(slash - path);
    if (len >= size) {
        return false;
    }
    memcpy(out, slash == NULL ? "." : path, len);
    out[len] = '\0';
    return true;
}

void fh_sandbox_reads(fh_sandbox *box, const char *path)
{
    if (!is_no_file(path)) {
        allow(box, path, FH_LANDLOCK_READ);
    }
}

void fh_sandbox_reads_around(fh_sandbox *box, const char *path)
{
    char folder[PATH_MAX];
    fh_sandbox_reads(box, path);
    if (!is_no_file(path) && folder_of(folder, sizeof folder, path)) {
        allow(box, folder, FH_LANDLOCK_READ);
    }
}

/* Files may be called as members are: each part of the path may be the file. */
void fh_sandbox_reads_source(fh_sandbox *box, const char *path)
{
    char file[PATH_MAX];
    fh_sandbox_reads_around(box, path);
    for (const char *mark = strstr(path, FH_MEMBER_MARK);
         mark != NULL && (size_t)(mark - path) < sizeof file;
         mark = strstr(mark + 1, FH_MEMBER_MARK)) {
        memcpy(file, path, (size_t)(mark - path));
        file[mark - path] = '\0';
        fh_sandbox_reads_around(box, file);
    }
}

void fh_sandbox_writes(fh_sandbox *box, const char *folder)
{
    if (!is_no_file(folder)) {
        allow(box, folder, FH_LANDLOCK_READ | FH_LANDLOCK_WRITE);
    }
}

void fh_sandbox_writes_beside(fh_sandbox *box, const char *path)
{
    char folder[PATH_MAX];
    char real[PATH_MAX];
    if (is_no_file(path)) {
        return;
    }
    if (folder_of(folder, sizeof folder, path)) {
        fh_sandbox_writes(box, folder);
    }
    if (realpath(path, real) != NULL && folder_of(folder, sizeof folder, real)) {
        fh_sandbox_writes(box, folder);
    }
}

void fh_sandbox_reads_all(fh_sandbox *box)
{
    box->reads_all = true;
    fh_sandbox_reads(box, "/");
}

/* The C library loads parts of itself on demand, such as tables of character sets. */
static int allow_library(struct dl_phdr_info *info, size_t size, void *user)
{
    char folder[PATH_MAX];
    (void)size;
    if (strchr(info->dlpi_name, '/') != NULL && folder_of(folder, sizeof folder, info->dlpi_name)) {
        fh_sandbox_reads(user, folder);
    }
    return 0;
}

/* What SQLite, the C library and our own parcels try, and what random numbers come from. */
static void allow_common(fh_sandbox *box)
{
    fh_sandbox_writes(box, getenv("SQLITE_TMPDIR"));
    fh_sandbox_writes(box, getenv("TMPDIR"));
    fh_sandbox_writes(box, "/var/tmp");
    fh_sandbox_writes(box, "/usr/tmp");
    fh_sandbox_writes(box, "/tmp");
    fh_sandbox_reads(box, "/dev/urandom");
    fh_sandbox_reads(box, "/etc/localtime");
    (void)dl_iterate_phdr(allow_library, box);
#if FH_SANITIZED
    fh_sandbox_reads(box, "/proc"); /* what looks for leaks reads the maps of the process */
#endif
#ifdef FH_COVERAGE_ROOT
    fh_sandbox_writes(box, FH_COVERAGE_ROOT); /* counts are written at the end */
#endif
}

fh_sandbox fh_sandbox_begin(void)
{
    fh_sandbox box = {.rules = -1, .is_wanted = chosen() != MODE_OFF};
    if (box.is_wanted && fh_landlock_abi() > 0) {
        box.rules = fh_landlock_begin();
        allow_common(&box);
    }
    return box;
}

void fh_sandbox_drop(fh_sandbox *box)
{
    if (box->rules >= 0) {
        (void)close(box->rules);
    }
    box->rules = -1;
}

/* ---- entering -------------------------------------------------------------------------------- */

#if FH_HAVE_SECCOMP && !FH_SANITIZED
static bool filter(fh_syscalls kind)
{
    return fh_syscalls_filter(kind);
}
#else
#define FH_SYSCALLS_COMMAND 0
#define FH_SYSCALLS_CELL 0
#define FH_SYSCALLS_NURSERY 0
static bool filter(int kind)
{
    (void)kind;
    return false;
}
#endif

static const char *why_no_filter(void)
{
#if FH_SANITIZED
    return "no seccomp, for this build looks for leaks by tracing itself";
#elif !FH_HAVE_SECCOMP
    return "no seccomp, which is not built in (libseccomp)";
#else
    return "no seccomp in this kernel";
#endif
}

fh_exit fh_sandbox_enter(fh_sandbox *box, const char *command)
{
    if (!box->is_wanted) {
        return FH_EXIT_OK;
    }
    const bool has_files = box->rules >= 0 && !box->has_failed && fh_landlock_enter(box->rules);
    const bool has_filter = box->only_files || filter(FH_SYSCALLS_COMMAND);
    fh_sandbox_drop(box);
    if (chosen() != MODE_REQUIRE && box->has_failed) {
        fh_complain("%s: going on without walls around files, of which the kernel could not be "
                    "told all (too many are open, or there is too little memory); --sandbox "
                    "require refuses that",
                    command);
    }
    if (chosen() != MODE_REQUIRE || (has_files && has_filter)) {
        return FH_EXIT_OK;
    }
    return fh_usage_error(command, "--sandbox require: there is %s; see framehound --version",
                          has_files         ? why_no_filter()
                          : box->has_failed ? "no wall around files, of which Landlock could not "
                                              "be told all (too many are open, or there is too "
                                              "little memory)"
                                            : "no Landlock in this kernel");
}

void fh_sandbox_enter_cell(bool may_fork)
{
    if (chosen() == MODE_OFF) {
        return;
    }
    const int rules = fh_landlock_abi() > 0 ? fh_landlock_begin() : -1;
    if (rules >= 0) {
#if FH_SANITIZED
        (void)fh_landlock_allow(rules, "/proc", FH_LANDLOCK_READ);
#endif
#ifdef FH_COVERAGE_ROOT
        (void)fh_landlock_allow(rules, FH_COVERAGE_ROOT, FH_LANDLOCK_READ | FH_LANDLOCK_WRITE);
#endif
        (void)fh_landlock_enter(rules);
        (void)close(rules);
    }
    (void)filter(may_fork ? FH_SYSCALLS_NURSERY : FH_SYSCALLS_CELL);
}

void fh_sandbox_describe(fh_text *out)
{
    const int abi = fh_landlock_abi();
    fh_text_str(out, "sandbox: ");
    if (abi > 0) {
        fh_text_u64(fh_text_str(out, "Landlock ABI "), (uint64_t)abi);
    } else {
        fh_text_str(out, "no Landlock in this kernel");
    }
    fh_text_str(out, ", ");
#if FH_HAVE_SECCOMP && !FH_SANITIZED
    if (fh_syscalls_can_filter()) {
        fh_syscalls_describe(out);
        return;
    }
#endif
    fh_text_str(out, why_no_filter());
}
