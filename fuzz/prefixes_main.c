/* Every prefix of sound files, and every file that differs from one in a single bit: nothing may be
 * wrong with any of them, and none may have a higher grade than the file itself.
 *
 *     prefixes_tod EACH FILE...
 *
 * Of each file only every EACHth variant is tried, from a place that hangs on the file; 1: all of
 * them. A file longer than MOST_LEN is left out, and told. Prints how many variants there were.
 * A file with errors or warnings (those of other rules than the one it keeps) may be without one of
 * them in a variant, and have a higher grade for that: these variants are counted. What lies behind
 * a byte 0x1c belongs to a companion (fuzz_format.h), and is not changed.
 */
#include "camerawork/camerawork.h"
#include "hmd/hmd.h"
#include "hunt/exam.h"
#include "tod/tod.h"
#include "tra/tra.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEN = 4096, MOST_COMPLAINTS = 64, BITS = 8, BEGINS_COMPANION = 0x1c };

typedef struct input {
    uint8_t bytes[MOST_LEN + 1];
    size_t len;
} input;

/* An error or a warning. */
typedef struct complaint {
    const fh_rule *rule;
    int64_t offset;
} complaint;

/* What variants are held against. */
typedef struct original {
    fh_grade grade;
    complaint complaints[MOST_COMPLAINTS];
    size_t num_complaints;
} original;

typedef struct counts {
    size_t variants;
    size_t files;
    size_t too_long;
    size_t mended;
} counts;

static bool is_complaint(const fh_finding *finding)
{
    return finding->rule->severity == FH_ERROR || finding->rule->severity == FH_WARNING;
}

/* An exact-size copy is examined, so that reading a byte too far is seen. */
static void examine(fh_exam *exam, const uint8_t *bytes, size_t len)
{
    const fh_exam_options options = {
        .stand_alone = true, .aligned = true, .replay = true, .ends_file = true};
    uint8_t *copy = malloc(len + (len == 0));
    if (copy == NULL) {
        abort();
    }
    memcpy(copy, bytes, len);
    if (!fh_exam_run(exam, &FUZZED_FORMAT, fh_cursor_make(copy, len, 0), &options)) {
        abort();
    }
    free(copy);
}

static original examine_original(fh_exam *exam, const input *of)
{
    examine(exam, of->bytes, of->len);
    original out = {.grade = exam->asset.grade};
    for (size_t i = 0; i < exam->num_findings; i++) {
        if (is_complaint(&exam->findings[i])) {
            if (out.num_complaints == MOST_COMPLAINTS) {
                abort();
            }
            out.complaints[out.num_complaints++] =
                (complaint){exam->findings[i].rule, exam->findings[i].offset};
        }
    }
    fh_exam_forget(exam);
    return out;
}

/* One of the original's complaints is not made of what was examined. */
static bool is_mended(const fh_exam *exam, const original *held)
{
    for (size_t i = 0; i < held->num_complaints; i++) {
        bool is_there = false;
        for (size_t k = 0; k < exam->num_findings && !is_there; k++) {
            is_there = exam->findings[k].rule == held->complaints[i].rule &&
                       exam->findings[k].offset == held->complaints[i].offset;
        }
        if (!is_there) {
            return true;
        }
    }
    return false;
}

static bool try_one(fh_exam *exam, const input *of, size_t len, const original *held,
                    const char *what, size_t where, counts *num)
{
    examine(exam, of->bytes, len);
    const fh_grade grade = exam->asset.grade;
    const bool is_better = grade > held->grade;
    const bool is_allowed = is_better && is_mended(exam, held);
    num->variants++;
    num->mended += is_allowed ? 1 : 0;
    if (is_better && !is_allowed) {
        (void)fprintf(stderr, "%s %zu raises %s to %s\n", what, where, fh_grade_name(held->grade),
                      fh_grade_name(grade));
    }
    fh_exam_forget(exam);
    return !is_better || is_allowed;
}

static bool try_all(input *of, size_t each, counts *num)
{
    fh_exam exam = {0};
    const original held = examine_original(&exam, of);
    bool is_good = true;
    size_t first = of->len;
    for (size_t i = 0; i < of->len; i++) {
        first += of->bytes[i];
    }
    for (size_t i = first % each; i < of->len; i += each) {
        is_good = try_one(&exam, of, i, &held, "length", i, num) && is_good;
    }
    for (size_t i = first % each; i < BITS * of->len; i += each) {
        const uint8_t bit = (uint8_t)(1u << i % BITS);
        of->bytes[i / BITS] ^= bit;
        is_good = try_one(&exam, of, of->len, &held, "bit", i, num) && is_good;
        of->bytes[i / BITS] ^= bit;
    }
    num->files++;
    fh_exam_free(&exam);
    return is_good;
}

static bool read_input(input *out, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return false;
    }
    out->len = fread(out->bytes, 1, sizeof out->bytes, file);
    (void)fclose(file);
    const uint8_t *mark =
        FUZZED_FORMAT.companion == NULL ? NULL : memchr(out->bytes, BEGINS_COMPANION, out->len);
    out->len = mark == NULL ? out->len : (size_t)(mark - out->bytes);
    return true;
}

/* A decimal number below a million; 0 if the text is none. */
static size_t number_of(const char *text)
{
    size_t number = 0;
    while (*text >= '0' && *text <= '9' && number < 100000) {
        number = 10 * number + (size_t)(*text++ - '0');
    }
    return *text == '\0' ? number : 0;
}

int main(int argc, char **argv)
{
    static input of;
    counts num = {0};
    bool is_good = true;
    const size_t each = argc < 2 ? 0 : number_of(argv[1]);
    if (each == 0) {
        (void)fprintf(stderr, "Usage: %s EACH FILE...\n", argv[0]);
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        if (!read_input(&of, argv[i])) {
            return 2;
        }
        if (of.len > MOST_LEN) {
            num.too_long++;
        } else if (!try_all(&of, each, &num)) {
            (void)fprintf(stderr, "in %s\n", argv[i]);
            is_good = false;
        }
    }
    (void)printf("%zu variants of %zu files, %zu of them better for want of an error or a warning; "
                 "%zu longer than %d bytes left out\n",
                 num.variants, num.files, num.mended, num.too_long, MOST_LEN);
    return is_good ? 0 : 1;
}
