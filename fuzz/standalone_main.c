/* Runs a fuzz target over files: the reproducer of what a fuzzer found, in every build.
 *
 *     fuzz_tod_repro FILE...            runs the target over each, until an oracle is violated
 *     fuzz_tod_repro --rules FILE...    and tells the rules that each was told to break, or nearly:
 *                                       a line "FILE: CODE CODE ..."
 *     fuzz_tod_repro --list-rules       tells all rules: a line "CODE title"
 *
 * The linker puts __wrap_fh_finding_make before the function in which every finding begins.
 */
#include "fuzz_format.h"

#include "core/finding.h"
#include "core/limits.h"
#include "hunt/rulebook.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A byte more than the longest asset, so that a longer file is one that is too long here too. */
#define MOST_BYTES (FH_MAX_ASSET_LEN + 1)

/* More than all tables hold; a rule behind the last place would be told as not reached. */
enum { MOST_RULES = 4096 };

static const fh_rule *reached[MOST_RULES + 1]; /* NULL ends it */
static size_t num_reached;

/* Names that the linker gives. */
fh_finding __real_fh_finding_make(const fh_rule *rule, const char *field);
fh_finding __wrap_fh_finding_make(const fh_rule *rule, const char *field);

fh_finding __wrap_fh_finding_make(const fh_rule *rule, const char *field)
{
    size_t i = 0;
    while (i < num_reached && reached[i] != rule) {
        i++;
    }
    if (i == num_reached && num_reached < MOST_RULES) {
        reached[num_reached++] = rule;
    }
    return __real_fh_finding_make(rule, field);
}

static void print_reached(const char *path)
{
    (void)printf("%s:", path);
    for (size_t i = 0; reached[i] != NULL; i++) {
        (void)printf(" %s", reached[i]->code);
    }
    (void)printf("\n");
}

static int list_rules(void)
{
    fh_rule_table tables[FH_MAX_RULE_TABLES];
    const size_t num_tables = fh_rule_tables(tables);
    for (size_t t = 0; t < num_tables; t++) {
        for (size_t i = 0; i < tables[t].num_rules; i++) {
            (void)printf("%s %s\n", tables[t].rules[i].code, tables[t].rules[i].title);
        }
    }
    return 0;
}

static int run_file(uint8_t *buffer, const char *path, bool tells_rules)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        (void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return 1;
    }
    const size_t len = fread(buffer, 1, MOST_BYTES, file);
    const int failed = ferror(file);
    (void)fclose(file);
    if (failed) {
        (void)fprintf(stderr, "%s: cannot be read\n", path);
        return 1;
    }
    num_reached = 0;
    (void)LLVMFuzzerTestOneInput(buffer, len);
    if (tells_rules) {
        print_reached(path);
    } else {
        (void)printf("%s: %zu bytes, nothing wrong\n", path, len);
    }
    return 0;
}

int main(int argc, char **argv)
{
    int exit_code = 0;
    const bool tells_rules = argc > 1 && strcmp(argv[1], "--rules") == 0;
    if (argc == 2 && strcmp(argv[1], "--list-rules") == 0) {
        return list_rules();
    }
    uint8_t *buffer = malloc(MOST_BYTES);
    if (argc < 2 || buffer == NULL) {
        (void)fprintf(stderr, argc < 2 ? "Usage: %s [--rules] FILE...\n" : "%s: out of memory\n",
                      argv[0]);
        free(buffer);
        return 2;
    }
    for (int i = tells_rules ? 2 : 1; i < argc; i++) {
        exit_code |= run_file(buffer, argv[i], tells_rules);
    }
    free(buffer);
    return exit_code;
}
