/* Runs a fuzz target over files: the reproducer of what a fuzzer found, in every build.
 *
 *     fuzz_tod_repro FILE...            runs the target over each, until an oracle is violated
 *     fuzz_tod_repro --rules FILE...    and tells the rules that each was told to break, or nearly:
 *                                       a line "FILE: CODE CODE ..."
 *     fuzz_tod_repro --list-rules       tells all rules: a line "CODE title"
 *     fuzz_tod_repro --variants EACH FROM TO FILE
 *                                       over the file, and over the file with its bytes FROM to TO
 *                                       (TO not included) cut short at every place, and with every
 *                                       bit of them flipped, or over one of EACH of these. Each is
 *                                       named before it is tried, so the last line names the one
 *                                       that fails
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

/* A block that is just as long, so that reading behind its end is seen. The input is len bytes at
 * `at`, and behind them more_len bytes of its end. */
static void run_target(const uint8_t *at, size_t len, const uint8_t *more, size_t more_len)
{
    uint8_t *copy = malloc(len + more_len + (len + more_len == 0));
    if (copy == NULL) {
        abort();
    }
    memcpy(copy, at, len);
    memcpy(copy + len, more, more_len);
    (void)LLVMFuzzerTestOneInput(copy, len + more_len);
    free(copy);
}

static bool read_file(size_t *len, uint8_t *buffer, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        (void)fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return false;
    }
    *len = fread(buffer, 1, MOST_BYTES, file);
    const int failed = ferror(file);
    (void)fclose(file);
    if (failed) {
        (void)fprintf(stderr, "%s: cannot be read\n", path);
    }
    return failed == 0;
}

static int run_file(uint8_t *buffer, const char *path, bool tells_rules)
{
    size_t len = 0;
    if (!read_file(&len, buffer, path)) {
        return 1;
    }
    num_reached = 0;
    run_target(buffer, len, buffer, 0);
    if (tells_rules) {
        print_reached(path);
    } else {
        (void)printf("%s: %zu bytes, nothing wrong\n", path, len);
    }
    return 0;
}

/* ---- variants -------------------------------------------------------------------------------- */

enum { BITS = 8, MOST_NUMBER = 100000000 };

/* A decimal number; false if the text is none, or one of too many digits. */
static bool read_number(size_t *out, const char *text)
{
    *out = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && *out < MOST_NUMBER; at++) {
        *out = 10 * *out + (size_t)(*at - '0');
    }
    return at != text && *at == '\0';
}

static void name_variant(const char *what, size_t where)
{
    (void)printf("%s %zu\n", what, where);
    (void)fflush(stdout);
}

/* Which ones are tried hangs on the bytes, so that files have different ones. */
static void run_variants(uint8_t *bytes, size_t len, size_t each, size_t from, size_t to)
{
    size_t first = to - from;
    for (size_t i = from; i < to; i++) {
        first += bytes[i];
    }
    name_variant("length", to - from);
    run_target(bytes, len, bytes, 0);
    for (size_t i = first % each; i < to - from; i += each) {
        name_variant("length", i);
        run_target(bytes, from + i, bytes + to, len - to);
    }
    for (size_t i = first % each; i < BITS * (to - from); i += each) {
        const uint8_t bit = (uint8_t)(1u << i % BITS);
        name_variant("bit", i);
        bytes[from + i / BITS] ^= bit;
        run_target(bytes, len, bytes, 0);
        bytes[from + i / BITS] ^= bit;
    }
}

/* The words behind --variants. */
static int run_variants_of(uint8_t *buffer, char **words)
{
    enum { EACH, FROM, TO, FILE_NAME };
    size_t numbers[FILE_NAME] = {0};
    size_t len = 0;
    for (size_t i = 0; i < FILE_NAME; i++) {
        if (!read_number(&numbers[i], words[i])) {
            (void)fprintf(stderr, "%s is no number\n", words[i]);
            return 2;
        }
    }
    if (!read_file(&len, buffer, words[FILE_NAME])) {
        return 1;
    }
    if (numbers[EACH] == 0 || numbers[FROM] > numbers[TO] || numbers[TO] > len) {
        (void)fprintf(stderr, "%s has no such bytes\n", words[FILE_NAME]);
        return 2;
    }
    run_variants(buffer, len, numbers[EACH], numbers[FROM], numbers[TO]);
    return 0;
}

int main(int argc, char **argv)
{
    enum { ARGUMENTS = 6 }; /* of --variants */
    int exit_code = 0;
    const bool tells_rules = argc > 1 && strcmp(argv[1], "--rules") == 0;
    const bool tries_variants = argc == ARGUMENTS && strcmp(argv[1], "--variants") == 0;
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
    if (tries_variants) {
        exit_code = run_variants_of(buffer, argv + 2);
    }
    for (int i = tells_rules ? 2 : 1; i < argc && !tries_variants; i++) {
        exit_code |= run_file(buffer, argv[i], tells_rules);
    }
    free(buffer);
    return exit_code;
}
