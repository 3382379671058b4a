/* The bench: images built sector by sector, together with what must come out of them.
 *
 * Every image knows the bytes that each stream must yield. bench_run pushes it through a reader and
 * the demultiplexer and holds every piece against the image: the bytes must be those at the raw
 * offset, stream offsets must be without gaps, user offsets must follow from the sector's number,
 * and all pieces together must be the bytes expected.
 */
#ifndef TESTS_SOURCE_BENCH_H
#define TESTS_SOURCE_BENCH_H

#include "source/image_rules.h"
#include "source/stream.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

typedef struct byte_run {
    uint8_t *data;
    size_t len;
    size_t cap;
} byte_run;

typedef struct image {
    byte_run raw;
    byte_run want[FH_STREAM_NUM];
    uint32_t seed; /* of the next random byte */
} image;

/* A sector to be built. Zero means ordinary: sync, address of lba, subheader 00 00 08 00. */
typedef struct spec {
    uint32_t stride;
    uint8_t mode; /* byte in the header */
    bool form2;   /* sets submode bit 5 */
    bool audio;   /* sets submode bit 2 instead of 3 */
    bool no_xa;   /* Mode 2 without subheaders */
    bool no_sync;
    bool differ;      /* second subheader copy damaged */
    bool bad_address; /* no BCD */
    bool edc;         /* computed, else 0 */
    int lba;
    fh_stream stream; /* where it belongs; FH_STREAM_NUM: nowhere */
} spec;

image image_make(void);
void image_free(image *img);
void image_random(byte_run *to, image *img, size_t len);
void image_add(image *img, const spec *sector);
/* num sectors alike, with rising addresses. */
void image_run(image *img, spec sector, int num);
void image_junk(image *img, size_t len, fh_stream stream);
/* Cuts the image to len bytes and the expectation of stream by lost bytes. */
void image_cut(image *img, size_t len, fh_stream stream, size_t lost);
/* A volume descriptor for user sector 16, whose root directory is at sector `block`, is written
 * into the user data of an image that has these sectors already. */
void image_put_iso(image *img, uint32_t stride, size_t start, size_t data_off, uint32_t block);

enum { BENCH_MAX_EVENTS = 1024 };

typedef struct event {
    bool is_skip;
    fh_seam seam;
    int64_t skipped;
} event;

typedef struct result {
    const image *img;
    fh_layout layout;
    byte_run got[FH_STREAM_NUM];
    fh_source_status status;
    fh_source_counts counts;
    fh_coverage *coverage; /* owned */
    event events[BENCH_MAX_EVENTS];
    size_t num_events;
    fh_finding findings[FH_IMG_NUM_RULES];
    bool found[FH_IMG_NUM_RULES];
    int64_t *lbas; /* of each whole sector that yielded a piece, by its index; FH_UNKNOWN */
    size_t num_lbas;
    int64_t stop_after; /* pieces, 0 = never */
    int64_t pieces;
} result;

result bench_run(const image *img, fh_layout_choice choice);
/* The same through standard input, in writes of at most step bytes. */
result bench_pipe(const image *img, fh_layout_choice choice, size_t step);
void bench_free(result *res);

/* A file descriptor of an anonymous file with these bytes, and a path that opens it. */
int bench_file(const uint8_t *data, size_t len, char path[64]);
/* Standard input becomes a pipe into which a child writes. */
void bench_feed_stdin(const uint8_t *data, size_t len, size_t step, unsigned pause_us);

/* The only seams of a stream, in order; and whether only these rules were found. */
size_t bench_seams(const result *res, fh_stream stream, fh_seam_reason reason);
void bench_only_rules(const result *res, const fh_image_rule *rules, size_t num);

#define ONLY_RULES(res, ...)                                                                       \
    bench_only_rules((res), (const fh_image_rule[]){__VA_ARGS__},                                  \
                     sizeof((const fh_image_rule[]){__VA_ARGS__}) / sizeof(fh_image_rule))

#endif
