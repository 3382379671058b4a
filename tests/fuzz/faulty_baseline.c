/* Of fuzz_baseline.c and fuzz_complain.c: what is read of a baseline, and what is written of it, is
 * changed on its way to the target. The linker puts the functions with __wrap_ before those of
 * gate/baseline.c. There is a baseline of two entries, and one that is refused.
 */
#include "faulty.h"

#include "fuzz_support.h"
#include "gate/baseline.h"

#include <stdlib.h>
#include <string.h>

#define COUNT "a count is one"
#define ORDER "entries are sorted, and each is there once"
#define ONCE "what is refused is told once"
#define KIND "a file is good or refused"

static const faulty_case cases[] = {
    {"none", NULL},
    {"entry of none", COUNT},
    {"entry of too many", COUNT},
    {"entries in another order", ORDER},
    {"entry twice", ORDER},
    {"entry that takes nothing", "an entry takes its findings"},
    {"entry that takes all", "an entry takes no more"},
    {"file that cannot be read", KIND},
    {"refusal that is told twice", ONCE},
    {"good file that is complained of", ONCE},
    {"complaint of two lines", "a complaint is one line"},
    {"no memory for a path", "the system has memory"},
    {"baseline that is not written", "a baseline can be written"},
    {"written baseline that is refused", "what is written can be read"},
    {"another count in a written baseline", "what is written is read back"},
    {"another content in a written baseline", "what is written is read back"},
    {"another path in a written baseline", "what is written is read back"},
    {"entry that is not written", "what is written is read back"},
    {"memory", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time", "time stays under its bound"},
};

/* Names that the linker gives. */
fh_exit __wrap_fh_baseline_read(fh_baseline *baseline, const char *path, bool may_miss);
fh_exit __real_fh_baseline_read(fh_baseline *baseline, const char *path, bool may_miss);
bool __wrap_fh_baseline_takes(fh_baseline *baseline, const char *code);
bool __real_fh_baseline_takes(fh_baseline *baseline, const char *code);
fh_exit __wrap_fh_baseline_write(fh_baseline *baseline);
fh_exit __real_fh_baseline_write(fh_baseline *baseline);
char *__wrap_strdup(const char *text);
char *__real_strdup(const char *text);

static unsigned num_read; /* of this input: the second one is what was written */
static bool is_read;      /* the target makes copies now */

static void spoil_read(fh_baseline *baseline)
{
    fh_known *items = baseline->items;
    const fh_known first = items[0];
    items[0].count = faulty_is("entry of none")       ? 0
                     : faulty_is("entry of too many") ? UINT32_MAX
                                                      : first.count;
    if (faulty_is("entries in another order")) {
        items[0] = items[1];
        items[1] = first;
    }
    if (faulty_is("entry twice")) {
        memcpy(items[1].sha256, first.sha256, sizeof first.sha256);
        memcpy(items[1].code, first.code, sizeof first.code);
    }
}

static void spoil_read_back(fh_baseline *baseline)
{
    fh_known *first = &baseline->items[0];
    first->count += faulty_is("another count in a written baseline") ? 1 : 0;
    first->sha256[0] ^= faulty_is("another content in a written baseline") ? 1 : 0;
    first->path[0] = faulty_is("another path in a written baseline") ? 'x' : first->path[0];
    baseline->num -= faulty_is("entry that is not written") ? 1 : 0;
}

fh_exit __wrap_fh_baseline_read(fh_baseline *baseline, const char *path, bool may_miss)
{
    const fh_exit exit = __real_fh_baseline_read(baseline, path, may_miss);
    num_read++;
    faulty_spend(faulty_is("memory"), faulty_is("time"));
    if (faulty_is("complaint of two lines")) {
        fh_complain("two\nlines");
    }
    if (exit == FH_EXIT_OK ? faulty_is("good file that is complained of")
                           : faulty_is("refusal that is told twice")) {
        fh_complain("once more");
    }
    if (exit == FH_EXIT_OK && num_read == 1) {
        spoil_read(baseline);
    } else if (exit == FH_EXIT_OK) {
        spoil_read_back(baseline);
        if (faulty_is("written baseline that is refused")) {
            fh_complain("it is planted");
            return FH_EXIT_USAGE;
        }
    }
    is_read = true;
    return faulty_is("file that cannot be read") ? FH_EXIT_IO : exit;
}

bool __wrap_fh_baseline_takes(fh_baseline *baseline, const char *code)
{
    return !faulty_is("entry that takes nothing") &&
           (__real_fh_baseline_takes(baseline, code) || faulty_is("entry that takes all"));
}

fh_exit __wrap_fh_baseline_write(fh_baseline *baseline)
{
    return faulty_is("baseline that is not written") ? FH_EXIT_IO
                                                     : __real_fh_baseline_write(baseline);
}

char *__wrap_strdup(const char *text)
{
    return is_read && faulty_is("no memory for a path") ? NULL : __real_strdup(text);
}

static void feed(const char *text)
{
    num_read = 0;
    is_read = false;
    (void)LLVMFuzzerTestOneInput((const uint8_t *)text, strlen(text));
}

#define HALF "0123456789abcdef0123456789abcdef"

static void run(char **files)
{
    (void)files;
    feed("# framehound baseline 1\n" HALF HALF " TOD0001 2 # a.tod\n" HALF HALF
         " TOD0002 1 # b.tod\n");
    feed("# framehound baseline 1\nthis is no entry\n");
}

int main(int argc, char **argv)
{
    /* The folder is made here, and removed when this process ends: those with faults abort. */
    char path[FUZZ_PATH_LEN];
    (void)fuzz_folder_path(path, "in");
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
