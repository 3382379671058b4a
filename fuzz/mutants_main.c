/* Holds what the mutator of a format says of its changes against what the format says of the
 * result.
 *
 *     mutants_tod FILE...
 *
 * Changes each file MUTANTS times, each time with the next file as the other input. What must be
 * true, or the program aborts:
 *   - a change is the same again, and no longer than it may be;
 *   - where numbers that count were kept right, no rule about these tells more of the result than
 * of the file;
 *   - where one was broken, the same is true once that one is put right, and as it is, the format
 *     tells something else of it than then.
 * Prints how many changes were made, after how many the structure holds, how many say that they
 * kept and that they broke a number, and of the latter how many are told by a rule about these
 * numbers.
 */
#include "mutate.h"

#include "camerawork/camerawork.h"
#include "hmd/hmd.h"
#include "hunt/exam.h"
#include "tod/tod.h"
#include "tra/tra.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MUTANTS = 64, MOST_LEN = 4096, MORE = 1024, MOST_CODE = 512 };

typedef struct input {
    uint8_t bytes[MOST_LEN];
    size_t len;
    const char *name;
} input;

/* What a format says of some bytes. */
typedef struct verdict {
    bool holds;
    uint64_t told; /* a hash of all findings, with their places and what was found there */
    unsigned counts[MOST_CODE]; /* findings of each rule about numbers that count, by its code */
    unsigned num_counts;
} verdict;

typedef struct tally {
    unsigned num_made, num_sound, num_kept, num_broken, num_named;
} tally;

/* Rules that compare a number which counts, or the place of a parenthesis, with what is there. */
static const struct {
    const char *prefix;
    unsigned codes[24]; /* ended by 0 */
} about_counts[] = {
    {"TOD", {6, 7, 8, 9, 20, 21, 22, 23, 24, 25, 40, 41}},
    {"HMD",
     {6, 7, 12, 20, 21, 22, 40, 55, 60, 61, 63, 64, 90, 200, 201, 210, 220, 221, 222, 237, 238}},
    {"TRA", {20, 21, 22}},
    {"CAM", {1, 2, 7, 8, 9}},
};

static bool is_about_counts(const char *code, unsigned number)
{
    for (size_t i = 0; i < sizeof about_counts / sizeof about_counts[0]; i++) {
        const unsigned *codes = about_counts[i].codes;
        for (size_t k = 0; codes[k] != 0 && strncmp(code, about_counts[i].prefix, 3) == 0; k++) {
            if (codes[k] == number) {
                return true;
            }
        }
    }
    return false;
}

static bool read_input(input *out, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return false;
    }
    out->name = path;
    out->len = fread(out->bytes, 1, sizeof out->bytes, file);
    (void)fclose(file);
    return true;
}

static unsigned number_of(const char *code)
{
    unsigned number = 0;
    for (const char *at = code + 3; *at >= '0' && *at <= '9'; at++) {
        number = number * 10 + (unsigned)(*at - '0');
    }
    return number;
}

static uint64_t hash_of(uint64_t hash, uint64_t more)
{
    const uint64_t product = (hash ^ (more + 1)) * UINT64_C(0x9e3779b97f4a7c15);
    return product ^ product >> 29;
}

static void add_finding(verdict *to, const fh_finding *finding)
{
    const unsigned number = number_of(finding->rule->code);
    to->told = hash_of(hash_of(to->told, number), (uint64_t)finding->offset);
    for (const char *at = finding->found; *at != '\0'; at++) {
        to->told = hash_of(to->told, (unsigned char)*at);
    }
    if (is_about_counts(finding->rule->code, number) && number < MOST_CODE) {
        to->counts[number]++;
        to->num_counts++;
    }
}

/* An exact-size copy is examined, so that reading a byte too far is seen. */
static verdict judge(fh_exam *exam, const uint8_t *bytes, size_t len)
{
    const fh_exam_options whole = {
        .stand_alone = true, .aligned = true, .replay = true, .ends_file = true};
    verdict out = {0};
    uint8_t *copy = malloc(len + (len == 0));
    if (copy == NULL) {
        abort();
    }
    memcpy(copy, bytes, len);
    if (!fh_exam_run(exam, &FUZZED_FORMAT, fh_cursor_make(copy, len, 0), &whole)) {
        abort();
    }
    out.holds = exam->status == FH_OK;
    for (size_t i = 0; i < exam->num_findings; i++) {
        add_finding(&out, &exam->findings[i]);
    }
    fh_exam_forget(exam);
    free(copy);
    return out;
}

static void fail(const char *what, const input *of, unsigned seed, const uint8_t *bytes, size_t len)
{
    (void)fprintf(stderr, "%s, change %u: %s\n", of->name, seed, what);
    FILE *file = fopen("mutant", "wb"); /* to look at */
    if (file != NULL) {
        (void)fwrite(bytes, 1, len, file);
        (void)fclose(file);
    }
    abort();
}

/* No rule about numbers that count tells more than it did before. */
static bool is_as_right(const verdict *before, const verdict *after)
{
    for (unsigned i = 0; i < MOST_CODE; i++) {
        if (after->counts[i] > before->counts[i]) {
            return false;
        }
    }
    return true;
}

static size_t put_right(uint8_t *out, const uint8_t *bytes, size_t len, const fuzz_change *told)
{
    memcpy(out, bytes, told->off);
    memcpy(out + told->off, told->right, told->right_len);
    memcpy(out + told->off + told->right_len, bytes + told->off + told->len,
           len - told->off - told->len);
    return len - told->len + told->right_len;
}

static void check_claim(fh_exam *exam, const input *of, unsigned seed, const verdict *before,
                        const uint8_t *bytes, size_t len, const fuzz_change *told, tally *num)
{
    static uint8_t right[MOST_LEN + MORE + sizeof told->right];
    const verdict after = judge(exam, bytes, len);
    num->num_sound += after.holds;
    num->num_kept += told->claim == FUZZ_KEPT;
    num->num_broken += told->claim == FUZZ_BROKE;
    if (told->claim == FUZZ_KEPT && !is_as_right(before, &after)) {
        fail("a number that counts was not kept right", of, seed, bytes, len);
    }
    if (told->claim != FUZZ_BROKE) {
        return;
    }
    if (told->off > len || told->len > len - told->off) {
        fail("what was broken does not lie in the bytes", of, seed, bytes, len);
    }
    const size_t right_len = put_right(right, bytes, len, told);
    const verdict mended = judge(exam, right, right_len);
    if (!is_as_right(before, &mended)) {
        fail("more than one number was broken", of, seed, bytes, len);
    }
    if (mended.told == after.told) {
        fail("nobody tells of the number that was broken", of, seed, bytes, len);
    }
    num->num_named += after.num_counts > mended.num_counts;
}

/* Seeds differ from file to file: they alone choose among the changes. */
static void mutate(fh_exam *exam, const input *one, const input *other, unsigned first_seed,
                   tally *num)
{
    static uint8_t first[MOST_LEN + MORE];
    static uint8_t second[MOST_LEN + MORE];
    const verdict before = judge(exam, one->bytes, one->len);
    for (unsigned seed = first_seed; seed < first_seed + MUTANTS; seed++) {
        const size_t most = one->len + MORE;
        fuzz_change told = {0};
        memcpy(first, one->bytes, one->len);
        memcpy(second, one->bytes, one->len);
        const size_t len = fuzz_mutate(&FUZZED_FORMAT, first, one->len, most, other->bytes,
                                       other->len, seed, &told);
        if (len > most ||
            len != fuzz_mutate(&FUZZED_FORMAT, second, one->len, most, other->bytes, other->len,
                               seed, NULL) ||
            memcmp(first, second, len) != 0) {
            fail("it is not the same again, or too long", one, seed, first, 0);
        }
        if (len > 0) {
            num->num_made++;
            check_claim(exam, one, seed, &before, first, len, &told, num);
        }
    }
}

int main(int argc, char **argv)
{
    static input one;
    static input other;
    static fh_exam exam;
    tally num = {0};
    for (int i = 1; i < argc; i++) {
        if (!read_input(&one, argv[i]) || !read_input(&other, argv[i + 1 < argc ? i + 1 : 1])) {
            return 2;
        }
        mutate(&exam, &one, &other, (unsigned)i * MUTANTS, &num);
    }
    fh_exam_free(&exam);
    (void)printf("%u of %d made, %u sound, %u kept, %u broken, %u named\n", num.num_made,
                 (argc - 1) * MUTANTS, num.num_sound, num.num_kept, num.num_broken, num.num_named);
    return 0;
}
