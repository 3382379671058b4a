/* The bench for the evaluators of HMD: a real file as run-time image, and what Sony's library wrote
 * into it, frame by frame, from the folder of samples and vectors that lies beside the project or
 * is named by FRAMEHOUND_SHARED. Without them, or without jansson, a test is skipped.
 */
#ifndef TESTS_FORMATS_HMD_BENCH_H
#define TESTS_FORMATS_HMD_BENCH_H

#include "bench.h"
#include "fixed/fixed.h"
#include "hmd/hmd_image.h"

enum { HMD_BENCH_COORDS = 128, HMD_BENCH_NUMBERS = 1 << 16, HMD_BENCH_RECORDS = 64 };

typedef struct hmd_bench_record {
    uint32_t type;
    uint32_t header; /* word of the header's first argument */
    uint32_t num_arguments;
    uint32_t data; /* word of the record's first data word */
    uint32_t num_data;
} hmd_bench_record;

typedef struct hmd_bench {
    void *vector; /* the JSON text's root */
    uint32_t *file;
    hmd_image image; /* the state that the frames are applied to */
    uint32_t first_unit;
    uint32_t num_units;
    int32_t parent[HMD_BENCH_COORDS];
    const char *scenario;
    void *frames;
    void *frame; /* the one that hmd_bench_next went to */
    size_t next;
    size_t limit; /* frames from here on read outside the file */
    int64_t numbers[HMD_BENCH_NUMBERS];
} hmd_bench;

/* hmd_bench_open loads a sample and its vector by their common name, such as "comb_tofu_tofu". */
void hmd_bench_open(hmd_bench *b, const char *name);
void hmd_bench_close(hmd_bench *b);

/* hmd_bench_start sets the image to the file with the coordinates of before frame 0; false when
 * there is no such scenario. */
bool hmd_bench_start(hmd_bench *b, size_t scenario);

/* hmd_bench_next goes to the next frame, without applying it. */
bool hmd_bench_next(hmd_bench *b);

/* hmd_bench_numbers stores the numbers of a member of the frame in a row, whatever lists they stand
 * in; 0 when there are none. A name may have two parts, as "eq.ws". */
size_t hmd_bench_numbers(hmd_bench *b, const char *name);
bool hmd_bench_has(hmd_bench *b, const char *name);

/* hmd_bench_apply applies a frame's changes of coordinates and of words to an image. */
void hmd_bench_apply(hmd_bench *b, hmd_image *to, const char *units, const char *words);

/* hmd_bench_copy makes an image equal; the caller frees its words. */
hmd_image hmd_bench_copy(const hmd_image *from);

/* hmd_bench_differ counts the words in which two images differ, the fields apart that the vectors
 * do not record: flg and workm of the units. */
size_t hmd_bench_differ(const hmd_bench *b, const hmd_image *a, const hmd_image *c);

/* hmd_bench_records finds the records of a category in an image, block after block. */
size_t hmd_bench_records(const hmd_image *image, uint32_t category,
                         hmd_bench_record out[HMD_BENCH_RECORDS]);

/* hmd_bench_equal compares two matrices, their translations too, without what lies between. */
bool hmd_bench_equal(const fx_matrix *a, const fx_matrix *c);

#endif
