/* What the tests of camerawork share: files from the forge's language, runs over them, and values
 * of the rows that a replay shows.
 */
#ifndef TESTS_FORMATS_CAM_BENCH_H
#define TESTS_FORMATS_CAM_BENCH_H

#include "bench.h"

extern const fh_verify_options alone;       /* a whole file */
extern const fh_verify_options carved;      /* what was found inside larger data */
extern const fh_verify_options at_file_end; /* the same at the end of a file */
extern const fh_verify_options joined;      /* put together from parts */

/* The file that a description makes. The caller frees it. */
forge_buf built(const char *text);

const fh_format *camerawork(void);

/* A bench for the format. */
void open_cam(bench *b);

/* Verifies a description and replays it if it can be. */
void run_text(bench *b, const char *text, double time_step);

/* Verifies a description, whose first word is left out, and replays it; it must have a model. */
fh_status play(bench *b, const char *text, double time_step);

/* A description, and what verify tells of it. */
typedef struct sample {
    const char *text;  /* behind `camerawork` */
    const char *codes; /* of verify */
    const char *code;  /* of this one the evidence is: */
    const char *found, *expected, *context;
} sample;

void hold_samples(const sample *samples, size_t num, fh_verify_options options);
#define HOLD_SAMPLES(samples, options)                                                             \
    hold_samples(samples, sizeof(samples) / sizeof(samples)[0], options)

/* The row of a table in a frame; NULL if there is none. */
const pose *row_of(const record *of, const char *table, uint32_t frame);

/* A column of it, which must be there. */
int64_t bits_at(const record *of, const char *table, uint32_t frame, const char *column);
double value_at(const record *of, const char *table, uint32_t frame, const char *column);

/* Three columns of the camera. */
void vector_at(double out[3], const record *of, uint32_t frame, const char *name);

void near(double found, double wanted, double most, const char *what, uint32_t frame);

double random_value(dice *d); /* -10 to 10, with five digits behind the point */

#define KEY "row key anchored\n"
#define SOUND "\n" KEY "row\n" KEY

/* How far two forms of a cubic may be apart, over the size of their largest term. */
#define MOST_APART 1e-12

#endif
