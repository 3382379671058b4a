/* The sandbox on kernels that have less, and where calls for it fail: the linker sends the calls
 * through this test, which plays the kernel and libseccomp. No wall is put up. */
#include "sandbox.h"

#include "landlock.h"

#if FH_HAVE_SECCOMP
#include "syscalls.h"

#include <seccomp.h>
#endif

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <criterion/redirect.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };

/* What there is, and what fails. */
static struct {
    int abi;             /* of Landlock; 0: it is not there */
    bool has_no_rules;   /* the rules cannot be begun */
    int adding_fails;    /* an errno, or 0 */
    bool entering_fails; /* the rules do not hold */
    bool keeps_rights;   /* the process may not give up its right to gain some */
    bool has_no_filter;  /* seccomp */
    bool has_no_memory;  /* for a filter */
    bool loading_fails;  /* the kernel does not take the filter */
    unsigned failing;    /* the number of the rule of a filter that fails, from 1 on; 0: none */
    int error;           /* with this */
    bool knows_no_names; /* of calls */
} kernel;

/* What was seen of it. */
static struct {
    size_t ruleset_len;
    uint64_t handled;
    unsigned num_added;
    uint64_t allowed; /* by the last rule */
    unsigned num_entered;
    unsigned num_rules; /* of a filter */
    unsigned first_with_argument;
    unsigned num_loaded;
    unsigned num_odd; /* rules that are none of this filter, or of no known action */
} seen;

static void begin(void)
{
    memset(&kernel, 0, sizeof kernel);
    memset(&seen, 0, sizeof seen);
    kernel.abi = 6;
    (void)unsetenv("FRAMEHOUND_SANDBOX");
}

static long fail(int error)
{
    errno = error;
    return -1;
}

/* Only the version is asked for without rules, and then the length is none. */
static long create_ruleset(va_list list)
{
    const void *rules = va_arg(list, const void *);
    if (kernel.abi == 0) {
        return fail(ENOSYS);
    }
    if (rules == NULL) {
        return kernel.abi;
    }
    seen.ruleset_len = va_arg(list, size_t);
    memcpy(&seen.handled, rules, sizeof seen.handled);
    return kernel.has_no_rules ? fail(EMFILE) : open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static long add_rule(va_list list)
{
    (void)va_arg(list, int); /* the rules */
    (void)va_arg(list, int); /* the kind of the rule */
    memcpy(&seen.allowed, va_arg(list, const void *), sizeof seen.allowed);
    seen.num_added++;
    return kernel.adding_fails != 0 ? fail(kernel.adding_fails) : 0;
}

static long restrict_self(void)
{
    seen.num_entered++;
    return kernel.entering_fails ? fail(E2BIG) : 0;
}

long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
    va_list list;
    long result = 0;
    va_start(list, number);
    switch (number) {
    case CREATE_RULESET:
        result = create_ruleset(list);
        break;
    case ADD_RULE:
        result = add_rule(list);
        break;
    case RESTRICT_SELF:
        result = restrict_self();
        break;
    case SYS_seccomp:
        result = kernel.has_no_filter ? fail(EINVAL) : 0;
        break;
    default:
        cr_fatal("call %ld is none of the sandbox", number);
    }
    va_end(list);
    return result;
}

int __wrap_prctl(int option, ...);
int __wrap_prctl(int option, ...)
{
    return option == PR_SET_NO_NEW_PRIVS && kernel.keeps_rights ? (int)fail(EINVAL) : 0;
}

/* ---- Landlock -------------------------------------------------------------------------------- */

static const struct {
    int abi;
    size_t len;       /* of the structure that this kernel knows */
    uint64_t handled; /* rights that it may be asked for */
} versions[] = {
    {1, 8, 0x1fff},  {2, 8, 0x3fff},  {3, 8, 0x7fff},  {4, 16, 0x7fff},
    {5, 16, 0x7fff}, {6, 24, 0x7fff}, {9, 24, 0x7fff},
};

Test(old_kernel, is_asked_for_what_it_knows)
{
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
        begin();
        kernel.abi = versions[i].abi;
        const int rules = fh_landlock_begin();
        cr_expect(rules >= 0, "version %d", kernel.abi);
        cr_expect(eq(sz, seen.ruleset_len, versions[i].len));
        cr_expect(eq(u64, seen.handled, versions[i].handled));
        (void)close(rules);
    }
}

Test(old_kernel, without_landlock_no_rules_are_begun)
{
    begin();
    kernel.abi = 0;
    cr_expect(eq(int, fh_landlock_abi(), 0));
    cr_expect(eq(int, fh_landlock_begin(), -1));
    cr_expect(eq(sz, seen.ruleset_len, 0));
}

/* A file gets no rights of folders, and what lies in no file system needs no rule. */
Test(old_kernel, rights_are_those_of_the_kind)
{
    begin();
    cr_expect(fh_landlock_allow(3, "/", FH_LANDLOCK_READ));
    cr_expect(eq(u64, seen.allowed, 0xc));
    cr_expect(fh_landlock_allow(3, "/dev/null", FH_LANDLOCK_READ));
    cr_expect(eq(u64, seen.allowed, 0x4));
    cr_expect(fh_landlock_allow(3, "/dev/null", FH_LANDLOCK_WRITE));
    cr_expect(eq(u64, seen.allowed, 0x4002));
    kernel.abi = 1;
    cr_expect(fh_landlock_allow(3, "/dev/null", FH_LANDLOCK_WRITE));
    cr_expect(eq(u64, seen.allowed, 0x2));
    cr_expect(fh_landlock_allow(3, "/there/is/no/such/file", FH_LANDLOCK_READ));
    cr_expect(eq(uint, seen.num_added, 4));
    kernel.adding_fails = EBADFD;
    cr_expect(fh_landlock_allow(3, "/", FH_LANDLOCK_READ));
    kernel.adding_fails = ENOMEM;
    cr_expect(not(fh_landlock_allow(3, "/", FH_LANDLOCK_READ)));
}

/* A file that is there will be wanted; one that nobody can reach will not. */
Test(old_kernel, what_cannot_be_opened_for_now_is_told)
{
    struct rlimit files;
    char longest[4000];
    begin();
    memset(longest, 'x', sizeof longest);
    longest[0] = '/';
    longest[sizeof longest - 1] = '\0';
    cr_expect(fh_landlock_allow(3, longest, FH_LANDLOCK_READ));
    cr_expect(fh_landlock_allow(3, "/dev/null/below", FH_LANDLOCK_READ));
    cr_assert(eq(int, getrlimit(RLIMIT_NOFILE, &files), 0));
    const struct rlimit none = {0, files.rlim_max};
    cr_assert(eq(int, setrlimit(RLIMIT_NOFILE, &none), 0));
    const bool is_ok = fh_landlock_allow(3, "/", FH_LANDLOCK_READ);
    cr_assert(eq(int, setrlimit(RLIMIT_NOFILE, &files), 0));
    cr_expect(not(is_ok));
    cr_expect(eq(uint, seen.num_added, 0));
}

Test(old_kernel, walls_that_do_not_stand_are_told)
{
    begin();
    cr_expect(fh_landlock_enter(3));
    kernel.entering_fails = true;
    cr_expect(not(fh_landlock_enter(3)));
    cr_expect(eq(uint, seen.num_entered, 2));
    kernel.keeps_rights = true;
    cr_expect(not(fh_landlock_enter(3)));
    cr_expect(eq(uint, seen.num_entered, 2));
}

/* ---- what is entered ------------------------------------------------------------------------- */

#if FH_HAVE_SECCOMP && !FH_SANITIZED
#define HAS_FILTER true
#else
#define HAS_FILTER false
#endif

typedef enum lack { NOTHING, LANDLOCK, RULES, ADDING, ENTERING, FILTER } lack;

static void take_away(lack what)
{
    kernel.abi = what == LANDLOCK ? 0 : kernel.abi;
    kernel.has_no_rules = what == RULES;
    kernel.adding_fails = what == ADDING ? ENOMEM : 0;
    kernel.entering_fails = what == ENTERING;
    kernel.loading_fails = what == FILTER;
}

static const struct {
    lack what;
    bool only_files;
    const char *says; /* with "require"; NULL: it is content */
} entries[] = {
    {NOTHING, true, NULL},
    {NOTHING, false, HAS_FILTER ? NULL : "no seccomp"},
    {LANDLOCK, true, "no Landlock"},
    {RULES, true, "no Landlock"},
    {ADDING, true, "no wall around"},
    {ENTERING, true, "no Landlock"},
    {FILTER, false, "no seccomp"},
    {FILTER, true, NULL},
};

static fh_exit enter(size_t i)
{
    begin();
    take_away(entries[i].what);
    fh_sandbox box = fh_sandbox_begin();
    box.only_files = entries[i].only_files;
    const fh_exit exit = fh_sandbox_enter(&box, "test");
    cr_expect(eq(int, box.rules, -1), "%zu: rules are left open", i);
    return exit;
}

Test(old_kernel, on_is_content_with_what_there_is)
{
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        cr_expect(eq(int, (int)enter(i), FH_EXIT_OK), "%zu", i);
    }
}

/* With less than it could have the program goes on, and says so. */
Test(old_kernel, on_says_that_files_are_not_walled_off)
{
    size_t num_told = 0;
    cr_redirect_stderr();
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        char text[1024] = {0};
        (void)enter(i);
        (void)fflush(stderr);
        num_told += fread(text, 1, sizeof text - 1, cr_get_redirected_stderr()) > 0 ? 1 : 0;
        const bool is_told = strstr(text, "test: going on without walls around files") != NULL;
        cr_expect(is_told == (entries[i].what == ADDING), "%zu: %s", i, text);
    }
    cr_expect(eq(sz, num_told, 1));
}

static void check_messages(void)
{
    char text[4096] = {0};
    FILE *file = cr_get_redirected_stderr();
    const char *at = text;
    (void)fflush(stderr);
    cr_assert(fread(text, 1, sizeof text - 1, file) > 0);
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        if (entries[i].says != NULL) {
            at = strstr(at, "--sandbox require: there is ");
            cr_assert(at != NULL, "%zu: nothing was said", i);
            at += strlen("--sandbox require: there is ");
            cr_expect(strncmp(at, entries[i].says, strlen(entries[i].says)) == 0, "%zu: %s", i, at);
        }
    }
}

Test(old_kernel, require_says_what_is_missing)
{
    cr_redirect_stderr();
    cr_assert(fh_sandbox_choose("test", "require") == FH_EXIT_OK);
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        const fh_exit wanted = entries[i].says == NULL ? FH_EXIT_OK : FH_EXIT_USAGE;
        cr_expect(eq(int, (int)enter(i), (int)wanted), "%zu", i);
    }
    check_messages();
}

/* An environment that says nothing sensible leaves the walls where they are. */
Test(old_kernel, the_environment_can_only_choose)
{
    begin();
    cr_assert(setenv("FRAMEHOUND_SANDBOX", "perhaps", 1) == 0);
    fh_sandbox box = fh_sandbox_begin();
    cr_expect(box.is_wanted);
    fh_sandbox_drop(&box);
    cr_expect(eq(int, (int)fh_sandbox_check_environment("scan"), FH_EXIT_USAGE));
    static const char *const words[] = {"", "on", "off", "require"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        cr_assert(setenv("FRAMEHOUND_SANDBOX", words[i], 1) == 0);
        cr_expect(eq(int, (int)fh_sandbox_check_environment("scan"), FH_EXIT_OK), "%zu", i);
    }
    cr_assert(setenv("FRAMEHOUND_SANDBOX", "off", 1) == 0);
    box = fh_sandbox_begin();
    cr_expect(not(box.is_wanted));
    fh_sandbox_enter_cell(false);
    cr_expect(eq(uint, seen.num_entered, 0));
}

Test(old_kernel, a_cell_has_what_there_is)
{
    const lack lacks[] = {NOTHING, LANDLOCK, RULES};
    for (size_t i = 0; i < sizeof lacks / sizeof lacks[0]; i++) {
        begin();
        take_away(lacks[i]);
        fh_sandbox_enter_cell(i == 1);
        cr_expect(eq(uint, seen.num_entered, i == 0 ? 1 : 0));
        cr_expect(eq(uint, seen.num_loaded, HAS_FILTER ? 1 : 0));
    }
}

/* Names that are too long have no folder; the rest of what was named stands. */
Test(old_kernel, names_that_are_too_long_are_passed_over)
{
    static char path[PATH_MAX + 16];
    begin();
    fh_sandbox box = fh_sandbox_begin();
    const unsigned before = seen.num_added;
    memset(path, 'x', sizeof path - 1);
    path[sizeof path - 3] = '/';
    fh_sandbox_reads_around(&box, path);
    fh_sandbox_writes_beside(&box, path);
    cr_expect(eq(uint, seen.num_added, before));
    fh_sandbox_writes_beside(&box, "/dev/null");
    cr_expect(eq(uint, seen.num_added, before + 2));
    cr_expect(not(box.has_failed));
    fh_sandbox_drop(&box);
}

static void describe(char *text, size_t size)
{
    fh_text out = fh_text_make(text, size);
    fh_sandbox_describe(&out);
}

Test(old_kernel, is_described)
{
    char text[200];
    begin();
    describe(text, sizeof text);
    cr_expect(strstr(text, "Landlock ABI 6, ") != NULL, "%s", text);
    kernel.abi = 0;
    kernel.has_no_filter = true;
    describe(text, sizeof text);
    cr_expect(strstr(text, "no Landlock in this kernel, no seccomp") != NULL, "%s", text);
}

/* ---- the filter ------------------------------------------------------------------------------ */

#if FH_HAVE_SECCOMP

static int a_filter;

scmp_filter_ctx __wrap_seccomp_init(uint32_t action);
scmp_filter_ctx __wrap_seccomp_init(uint32_t action)
{
    cr_expect(eq(u32, action, SCMP_ACT_ERRNO(ENOSYS)));
    return kernel.has_no_memory ? NULL : &a_filter;
}

void __wrap_seccomp_release(scmp_filter_ctx filter);
void __wrap_seccomp_release(scmp_filter_ctx filter)
{
    cr_expect(eq(ptr, filter, &a_filter));
}

int __wrap_seccomp_load(scmp_filter_ctx filter);
int __wrap_seccomp_load(scmp_filter_ctx filter)
{
    cr_expect(eq(ptr, filter, &a_filter));
    seen.num_loaded++;
    return kernel.loading_fails ? -ECANCELED : 0;
}

int __real_seccomp_syscall_resolve_name(const char *name);
int __wrap_seccomp_syscall_resolve_name(const char *name);
int __wrap_seccomp_syscall_resolve_name(const char *name)
{
    return kernel.knows_no_names ? __NR_SCMP_ERROR : __real_seccomp_syscall_resolve_name(name);
}

int __wrap_seccomp_rule_add(scmp_filter_ctx filter, uint32_t action, int number, unsigned num, ...);
int __wrap_seccomp_rule_add(scmp_filter_ctx filter, uint32_t action, int number, unsigned num, ...)
{
    seen.num_rules++;
    if (num > 0 && seen.first_with_argument == 0) {
        seen.first_with_argument = seen.num_rules;
    }
    if (number == __NR_SCMP_ERROR) {
        return -EINVAL;
    }
    const bool is_known = action == SCMP_ACT_ALLOW || action == SCMP_ACT_KILL_PROCESS;
    seen.num_odd += filter == &a_filter && is_known ? 0 : 1;
    return seen.num_rules == kernel.failing ? kernel.error : 0;
}

static const fh_syscalls kinds[] = {FH_SYSCALLS_COMMAND, FH_SYSCALLS_CELL, FH_SYSCALLS_NURSERY};

static bool filters(fh_syscalls kind, unsigned failing, int error)
{
    begin();
    kernel.failing = failing;
    kernel.error = error;
    return fh_syscalls_filter(kind);
}

/* A filter with a hole is none: it is not loaded. */
Test(old_kernel, a_rule_that_fails_leaves_no_filter)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        cr_assert(filters(kinds[i], 0, 0));
        cr_expect(eq(uint, seen.num_loaded, 1));
        cr_expect(eq(uint, seen.num_odd, 0));
        const unsigned num = seen.num_rules;
        cr_assert(gt(uint, num, 20));
        for (unsigned k = 1; k <= num; k++) {
            cr_expect(not(filters(kinds[i], k, -EFAULT)), "rule %u of %u", k, num);
            cr_expect(eq(uint, seen.num_loaded, 0));
        }
    }
}

/* Calls that a machine does not have, and rules that are there already, are no holes. */
Test(old_kernel, some_errors_are_none)
{
    cr_assert(filters(FH_SYSCALLS_CELL, 0, 0));
    const unsigned with_argument = seen.first_with_argument;
    cr_assert(gt(uint, with_argument, 1));
    const struct {
        unsigned number;
        int error;
        bool is_ok;
    } cases[] = {
        {1, -EDOM, true},
        {1, -EACCES, true},
        {1, -EEXIST, false},
        {with_argument, -EDOM, true},
        {with_argument, -EEXIST, true},
        {with_argument, -EACCES, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect(
            eq(int, filters(FH_SYSCALLS_CELL, cases[i].number, cases[i].error), cases[i].is_ok));
    }
}

Test(old_kernel, names_that_the_library_does_not_know_are_passed_over)
{
    begin();
    kernel.knows_no_names = true;
    cr_expect(fh_syscalls_filter(FH_SYSCALLS_CELL));
    cr_expect(eq(uint, seen.num_rules, 1));
    cr_expect(not(fh_syscalls_filter(FH_SYSCALLS_COMMAND))); /* what limits it may ask for */
}

Test(old_kernel, a_filter_that_cannot_be_made_or_loaded_is_none)
{
    begin();
    kernel.has_no_memory = true;
    cr_expect(not(fh_syscalls_filter(FH_SYSCALLS_COMMAND)));
    begin();
    kernel.loading_fails = true;
    cr_expect(not(fh_syscalls_filter(FH_SYSCALLS_COMMAND)));
    cr_expect(eq(uint, seen.num_loaded, 1));
    begin();
    cr_expect(fh_syscalls_can_filter());
    kernel.has_no_filter = true;
    cr_expect(not(fh_syscalls_can_filter()));
}

#endif
