/* The disc image builder: a list of things on a disc in, an image out as a stream.
 *
 *     forge_image *image = forge_image_new(&options);
 *     forge_image_iso(...); forge_image_file(...); forge_image_form2(...); ...
 *     forge_image_write(image, &err, sink, sink_ctx);
 *     forge_image_free(image);
 *
 * Things follow each other in the order they are added, unless forge_image_at places one. Nothing
 * is written before forge_image_write, which lays everything out, complains of what cannot be, and
 * only then hands the bytes to the sink, sector by sector: memory does not grow with the image.
 *
 * An LBA is what sector headers say: 00:02:00 is LBA 0. The image begins with first_lba; an ISO
 * volume begins with LBA 0, or with first_lba where that is higher. Sectors that nothing covers
 * are empty data sectors.
 *
 * The image is owned by the caller. Sources handed in belong to the image, whatever is returned.
 * All functions but the last four may fail only for lack of memory or for what they are told.
 */
#ifndef FORGE_IMAGE_H
#define FORGE_IMAGE_H

#include "forge/error.h"
#include "forge/sector.h"
#include "forge/source.h"

typedef struct forge_image forge_image;

typedef struct forge_image_options {
    uint32_t stride; /* 2048, 2336, 2352, 2368 or 2448 */
    unsigned mode;   /* 1 or 2 */
    int32_t first_lba;
} forge_image_options;

/* forge_image_new returns NULL when out of memory. */
forge_image *forge_image_new(const forge_image_options *options);
void forge_image_free(forge_image *image);

/* forge_image_line sets the line of the description that errors of what follows belong to. */
void forge_image_line(forge_image *image, unsigned line);

/* forge_image_iso asks for an ISO 9660 volume; it comes before everything that is added. */
bool forge_image_iso(forge_image *image, forge_error *err, const char *volume,
                     const char *system) FORGE_MUST_USE;
/* forge_image_prefix puts bytes before the first sector. */
void forge_image_prefix(forge_image *image, forge_source source);
/* forge_image_at places the next thing that is added at an LBA. */
void forge_image_at(forge_image *image, int32_t lba);

/* Form 2 sectors between the data sectors of the next file: after every `unit` data sectors `gap`
 * of them. The directory record says so in its bytes 26 and 27, or by XA attribute and a size that
 * counts all sectors. The file number is that of both kinds, the channel that of Form 2. */
typedef struct forge_interleave {
    uint8_t unit;
    uint8_t gap;
    bool by_xa;
    forge_subheader sub;
    uint8_t fill;
} forge_interleave;

void forge_image_interleave(forge_image *image, const forge_interleave *how);

/* How the directory tells the sectors of one file from those of the others between them. */
typedef enum forge_weave_by {
    FORGE_WEAVE_UNIT = 0, /* file unit and gap */
    FORGE_WEAVE_EXTENTS,  /* several records, one for each piece */
    FORGE_WEAVE_XA,       /* XA attribute and file numbers from 1; the size counts all sectors */
    FORGE_WEAVE_CHANNEL   /* not at all: no records, file number 1 and channels from 0 */
} forge_weave_by;

typedef struct forge_weave {
    uint8_t num;  /* files */
    uint8_t unit; /* sectors of each in turn */
    forge_weave_by by;
} forge_weave;

/* forge_image_weave interleaves the next how->num files: unit sectors of the first one, as many of
 * the second, and so on. Where one has ended lie empty sectors. */
bool forge_image_weave(forge_image *image, forge_error *err, const forge_weave *how) FORGE_MUST_USE;

typedef struct forge_image_entry {
    bool form2;
    bool lie_size; /* the directory record gives this size ... */
    uint32_t size;
    bool lie_block; /* ... and this first block */
    uint32_t block;
} forge_image_entry;

/* forge_image_file adds a file under a path of the volume; without a volume the path is unused. */
bool forge_image_file(forge_image *image, forge_error *err, const char *path, size_t path_len,
                      forge_source source, const forge_image_entry *entry) FORGE_MUST_USE;
/* forge_image_hidden adds bytes that no file covers, skip bytes into their first sector. */
bool forge_image_hidden(forge_image *image, forge_error *err, forge_source source,
                        uint32_t skip) FORGE_MUST_USE;
bool forge_image_form2(forge_image *image, forge_error *err, uint32_t num,
                       const forge_subheader *sub, uint8_t fill, bool no_edc) FORGE_MUST_USE;
bool forge_image_audio(forge_image *image, forge_error *err, uint32_t num,
                       uint8_t fill) FORGE_MUST_USE;
bool forge_image_mode0(forge_image *image, forge_error *err, uint32_t num) FORGE_MUST_USE;
/* forge_image_gap adds empty data sectors, forge_image_missing sectors that the image lacks. */
bool forge_image_gap(forge_image *image, forge_error *err, uint32_t num) FORGE_MUST_USE;
bool forge_image_missing(forge_image *image, forge_error *err, uint32_t num) FORGE_MUST_USE;
/* forge_image_raw adds bytes as they are; they count as so many sectors as they begin. */
bool forge_image_raw(forge_image *image, forge_error *err, forge_source source) FORGE_MUST_USE;

/* forge_image_damage spoils a field of one sector of the finished image. */
bool forge_image_damage(forge_image *image, forge_error *err, int32_t lba,
                        forge_damage damage) FORGE_MUST_USE;
/* forge_image_no_edc leaves all EDC and ECC zero. */
void forge_image_no_edc(forge_image *image);
/* forge_image_no_fill leaves out the sectors that nothing covers, as if they were missing. */
void forge_image_no_fill(forge_image *image);
/* forge_image_cut drops the last len bytes. */
void forge_image_cut(forge_image *image, uint64_t len);

/* A sink takes the next bytes and returns whether it could. */
typedef bool forge_sink(void *ctx, const uint8_t *bytes, size_t len);

/* forge_image_write may be called once. A sink that refuses ends it with kind FORGE_IO. */
bool forge_image_write(forge_image *image, forge_error *err, forge_sink *sink,
                       void *ctx) FORGE_MUST_USE;

#endif
