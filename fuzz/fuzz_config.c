/* A .framehound.ini of any bytes. What must be true:
 *   - a configuration that is refused has one complaint of one line, one that is read has none;
 *   - its choices name rules by a prefix, their globs are sound and its values are good;
 *   - every rule gets a ruling, whatever path is asked for, and globs take no long time;
 *   - reading twice says the same.
 */
#include "fuzz_complain.h"

#include "gate/config.h"
#include "gate/glob.h"
#include "registry/registry.h"

#include <string.h>

static const fuzz_bounds bounds = {.memory_floor = (size_t)2 << 20,
                                   .memory_per_byte = 256,
                                   .milliseconds = 2000,
                                   .milliseconds_per_kib = 200};

enum { MOST_CHOICES = 4096 };

static const char *const paths[] = {"walk.tod", "a/b/c/d/e/deep.hmd", "aaaaaaaaaaaaaaaaaaaaaaaaab",
                                    "\xc3\xa4/\xff[x].tra", ".hidden/**"};
enum { NUM_PATHS = sizeof paths / sizeof paths[0] };

static void check_choices(const fh_config *config, bool speaks[NUM_PATHS][MOST_CHOICES])
{
    for (size_t i = 0; i < config->choices.num; i++) {
        const fh_choice *choice = &config->choices.items[i];
        fuzz_demand(memchr(choice->prefix, '\0', FH_CODE_SIZE) != NULL, "a prefix ends");
        fuzz_demand(choice->line > 0, "a choice has a line");
        fuzz_demand(choice->glob == NULL || fh_glob_fault(choice->glob) == NULL,
                    "a glob that is kept is sound");
        for (size_t k = 0; k < NUM_PATHS; k++) {
            speaks[k][i] = choice->glob != NULL && fh_glob_match(choice->glob, paths[k]);
        }
    }
}

static void fold_rulings(fuzz_sum *sum, const fh_config *config,
                         bool speaks[NUM_PATHS][MOST_CHOICES])
{
    for (size_t i = 0; i < fh_num_formats; i++) {
        const fh_format *format = fh_formats[i];
        for (size_t r = 0; r < format->num_rules && r < 2; r++) {
            for (size_t k = 0; k < NUM_PATHS; k++) {
                fh_ruling ruling = fh_ruling_begin(&format->rules[r]);
                fh_ruling_apply(&ruling, format->rules[r].code, &config->choices, false, speaks[k]);
                fh_ruling_apply(&ruling, format->rules[r].code, &config->choices, true, speaks[k]);
                fuzz_demand(ruling.severity <= FH_ERROR, "a severity is known");
                fuzz_fold_number(sum, ruling.is_selected + 2 * ruling.is_off);
                fuzz_fold_number(sum, (int64_t)ruling.severity);
            }
        }
    }
}

static fuzz_sum read_once(const char *path)
{
    static bool speaks[NUM_PATHS][MOST_CHOICES];
    fuzz_sum sum = FUZZ_SUM;
    fh_config config;
    bool is_there = false;
    fuzz_complaints();
    const fh_exit exit = fh_config_read(&config, &is_there, path, "/folder", false);
    const unsigned num = fuzz_num_complaints(&sum);
    fuzz_demand(is_there, "a file that is there is there");
    fuzz_demand(exit == FH_EXIT_OK || exit == FH_EXIT_USAGE, "a file is good or refused");
    fuzz_demand(num == (exit == FH_EXIT_OK ? 0 : 1), "what is refused is told once");
    fuzz_demand(config.choices.num <= MOST_CHOICES, "choices stay under their limit");
    for (fh_key key = 0; exit == FH_EXIT_OK && key < FH_NUM_KEYS; key++) {
        fuzz_demand(config.values[key] == NULL || fh_key_fault(key, config.values[key]) == NULL,
                    "a value that is kept is good");
        fuzz_fold_text(&sum, config.values[key]);
    }
    if (exit == FH_EXIT_OK) {
        check_choices(&config, speaks);
        fold_rulings(&sum, &config, speaks);
    }
    fh_config_free(&config);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_file file;
    if (file.path[0] == '\0') {
        file = fuzz_file_make();
    }
    fuzz_file_fill(&file, data, size);
    fuzz_begin();
    const fuzz_sum first = read_once(file.path);
    fuzz_end(&bounds, size);
    fuzz_demand(read_once(file.path) == first, "reading twice says the same");
    return 0;
}
