/* Every prefix of sound files, and every file that differs from one in a single bit: nothing may be
 * wrong with any of them, and none may have a higher grade than the file itself.
 *
 *     prefixes_tod EACH FILE...
 *
 * Of each file only every EACHth variant is tried, from a place that hangs on the file; 1: all of
 * them. A file longer than MOST_LEN is left out, and told. Prints how many variants there were.
 * A file that holds more than one text, or something else behind its text, is judged as a whole:
 * what is wrong behind the asset keeps its grade down to that of its structure, for a program that
 * reads it would stumble there. A prefix that ends in front of the last error is a sound file, and
 * may have the higher grade. What lies behind a byte 0x1c belongs to a companion (fuzz_format.h),
 * and is not changed.
 */
#include "camerawork/camerawork.h"
#include "hmd/hmd.h"
#include "hunt/exam.h"
#include "tod/tod.h"
#include "tra/tra.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEN = 4096, BITS = 8, BEGINS_COMPANION = 0x1c };

typedef struct input {
    uint8_t bytes[MOST_LEN + 1];
    size_t len;
} input;

/* Behind the last error of a file that is kept down by what stands behind its asset; any length if
 * there is none. */
static size_t kept_down_to(const fh_exam *exam)
{
    int64_t last = FH_UNKNOWN;
    for (size_t i = 0; i < exam->num_findings; i++) {
        const fh_finding *finding = &exam->findings[i];
        if (finding->rule->severity == FH_ERROR && finding->offset > last) {
            last = finding->offset;
        }
    }
    const bool is_kept_down =
        exam->asset.grade == FH_GRADE_STRUCTURE && last >= (int64_t)exam->asset.length;
    return is_kept_down ? (size_t)last + 1 : 0;
}

/* An exact-size copy is graded, so that reading a byte too far is seen. kept_down: see above. */
static fh_grade grade_of(fh_exam *exam, const uint8_t *bytes, size_t len, size_t *kept_down)
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
    const fh_grade grade = exam->asset.grade;
    if (kept_down != NULL) {
        *kept_down = kept_down_to(exam);
    }
    fh_exam_forget(exam);
    free(copy);
    return grade;
}

static bool is_no_better(fh_exam *exam, const input *of, size_t len, fh_grade most,
                         const char *path, const char *what, size_t where)
{
    const fh_grade grade = grade_of(exam, of->bytes, len, NULL);
    if (grade > most) {
        (void)fprintf(stderr, "%s: %s %zu raises %s to %s\n", path, what, where,
                      fh_grade_name(most), fh_grade_name(grade));
    }
    return grade <= most;
}

static bool try_all(input *of, const char *path, size_t each, size_t *num)
{
    fh_exam exam = {0};
    size_t kept_down = 0;
    const fh_grade most = grade_of(&exam, of->bytes, of->len, &kept_down);
    bool is_good = true;
    size_t first = of->len;
    for (size_t i = 0; i < of->len; i++) {
        first += of->bytes[i];
    }
    for (size_t i = first % each; i < of->len; i += each) {
        const fh_grade allowed = i < kept_down ? FH_GRADE_REPLAYED : most;
        is_good = is_no_better(&exam, of, i, allowed, path, "length", i) && is_good;
        (*num)++;
    }
    for (size_t i = first % each; i < BITS * of->len; i += each) {
        const uint8_t bit = (uint8_t)(1u << i % BITS);
        of->bytes[i / BITS] ^= bit;
        is_good = is_no_better(&exam, of, of->len, most, path, "bit", i) && is_good;
        of->bytes[i / BITS] ^= bit;
        (*num)++;
    }
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
    size_t num = 0;
    size_t num_long = 0;
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
            num_long++;
        } else {
            is_good = try_all(&of, argv[i], each, &num) && is_good;
        }
    }
    (void)printf("%zu variants of %zu files, %zu longer than %d bytes left out\n", num,
                 (size_t)(argc - 2) - num_long, num_long, MOST_LEN);
    return is_good ? 0 : 1;
}
