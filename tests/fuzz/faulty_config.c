/* Of fuzz_config.c: what is read of a configuration, and what is made of it, is changed on its way
 * to the target. The linker puts the functions with __wrap_ before those of gate/config.c and
 * others. There is a configuration with a glob, and one that is refused.
 */
#include "faulty.h"

#include "fuzz_support.h"
#include "gate/config.h"
#include "gate/glob.h"

#include <stdlib.h>
#include <string.h>

#define KIND "a file is good or refused"
#define ONCE "what is refused is told once"
#define TWICE "reading twice says the same"

static const faulty_case cases[] = {
    {"none", NULL},
    {"prefix without an end", "a prefix ends"},
    {"choice of no line", "a choice has a line"},
    {"glob that is damaged", "a glob that is kept is sound"},
    {"severity of none", "a severity is known"},
    {"file that is not there", "a file that is there is there"},
    {"file that cannot be read", KIND},
    {"refusal that is told twice", ONCE},
    {"good file that is complained of", ONCE},
    {"choices over the limit", "choices stay under their limit"},
    {"value that is bad", "a value that is kept is good"},
    {"second reading of another value", TWICE},
    {"second reading of another ruling", TWICE},
    {"second reading with other words", TWICE},
    {"memory", "memory stays under its bound", NULL, faulty_counts_memory},
    {"time", "time stays under its bound"},
};

/* Names that the linker gives. */
fh_exit __wrap_fh_config_read(fh_config *config, bool *is_there, const char *path,
                              const char *folder, bool is_optional);
fh_exit __real_fh_config_read(fh_config *config, bool *is_there, const char *path,
                              const char *folder, bool is_optional);
const char *__wrap_fh_key_fault(fh_key key, const char *value);
const char *__real_fh_key_fault(fh_key key, const char *value);
const char *__wrap_fh_glob_fault(const char *glob);
const char *__real_fh_glob_fault(const char *glob);
void __wrap_fh_ruling_apply(fh_ruling *ruling, const char *code, const fh_choices *choices,
                            bool has_glob, const bool *speaks);
void __real_fh_ruling_apply(fh_ruling *ruling, const char *code, const fh_choices *choices,
                            bool has_glob, const bool *speaks);

static unsigned num_read; /* of this input */
static bool is_read;      /* who asks is the target, and not the reader */

static void spoil_choice(fh_config *config)
{
    fh_choice *first = &config->choices.items[0];
    if (faulty_is("prefix without an end")) {
        memset(first->prefix, 'A', sizeof first->prefix);
    }
    first->line = faulty_is("choice of no line") ? 0 : first->line;
    config->choices.num = faulty_is("choices over the limit") ? 5000 : config->choices.num;
    if (faulty_is("second reading of another value") && num_read == 2) {
        memcpy(config->values[FH_KEY_FAIL_ON], "error", sizeof "error");
    }
}

fh_exit __wrap_fh_config_read(fh_config *config, bool *is_there, const char *path,
                              const char *folder, bool is_optional)
{
    is_read = false;
    const fh_exit exit = __real_fh_config_read(config, is_there, path, folder, is_optional);
    is_read = true;
    num_read++;
    faulty_spend(faulty_is("memory"), faulty_is("time"));
    *is_there = *is_there && !faulty_is("file that is not there");
    if (exit == FH_EXIT_OK) {
        spoil_choice(config);
        if (faulty_is("good file that is complained of")) {
            fh_complain("it is planted");
        }
    } else if (faulty_is("refusal that is told twice")) {
        fh_complain("once more");
    }
    if (exit == FH_EXIT_OK && num_read == 2 && faulty_is("second reading with other words")) {
        fh_complain("it is planted");
        return FH_EXIT_USAGE;
    }
    return faulty_is("file that cannot be read") ? FH_EXIT_IO : exit;
}

const char *__wrap_fh_key_fault(fh_key key, const char *value)
{
    return is_read && faulty_is("value that is bad") ? "is planted"
                                                     : __real_fh_key_fault(key, value);
}

const char *__wrap_fh_glob_fault(const char *glob)
{
    return is_read && faulty_is("glob that is damaged") ? "is planted" : __real_fh_glob_fault(glob);
}

void __wrap_fh_ruling_apply(fh_ruling *ruling, const char *code, const fh_choices *choices,
                            bool has_glob, const bool *speaks)
{
    __real_fh_ruling_apply(ruling, code, choices, has_glob, speaks);
    ruling->severity =
        faulty_is("severity of none") ? (fh_severity)(FH_ERROR + 1) : ruling->severity;
    ruling->is_off = ruling->is_off !=
                     (num_read == 2 && has_glob && faulty_is("second reading of another ruling"));
}

static void feed(const char *text)
{
    num_read = 0;
    (void)LLVMFuzzerTestOneInput((const uint8_t *)text, strlen(text));
}

static void run(char **files)
{
    (void)files;
    feed("[check]\nfail-on = warning\n[severity]\nTOD0022 = error\n[per-file-ignores]\n"
         "imported/** = TOD\n");
    feed("[check]\nno-such-key = 1\n");
}

int main(int argc, char **argv)
{
    return faulty_main(argc, argv, cases, sizeof cases / sizeof cases[0], run);
}
