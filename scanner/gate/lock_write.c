#include "gate/lock_file.h"
#include "hunt/hash.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const type_names[] = {
    [FH_COLUMN_NAME] = "name", [FH_COLUMN_INT] = "int", [FH_COLUMN_REAL] = "real"};

void fh_lock_file_begin(FILE *file)
{
    (void)fputs("framehound poses 1\n", file);
}

/* Blanks, control characters and the escape itself; the rest of a path is as it is. */
static void put_path(FILE *file, const char *path)
{
    for (const char *at = path; *at != '\0'; at++) {
        const unsigned char byte = (unsigned char)*at;
        if (byte <= ' ' || byte == '%' || byte == 0x7f) {
            (void)fprintf(file, "%%%02X", byte);
        } else {
            (void)putc(byte, file);
        }
    }
}

/* A real that is no finite number is written by its bits: no text says which one it is. */
static void put_value(FILE *file, fh_column_type type, fh_pose_value value)
{
    uint64_t bits;
    memcpy(&bits, &value.r, sizeof bits);
    if (fh_is_real_column(type) && isfinite(value.r)) {
        (void)fprintf(file, " %.17g", value.r);
    } else if (fh_is_real_column(type)) {
        (void)fprintf(file, " x%016" PRIx64, bits);
    } else if (value.i == FH_UNKNOWN) {
        (void)fputs(" -", file);
    } else {
        (void)fprintf(file, " %" PRId64, value.i);
    }
}

static void put_tables(FILE *file, const fh_motion *motion)
{
    for (size_t i = 0; i < motion->num_tables; i++) {
        const fh_motion_table *table = &motion->tables[i];
        (void)fprintf(file, "table %s", table->name);
        for (size_t k = 0; k < table->num_columns; k++) {
            (void)fprintf(file, " %s:%s", table->columns[k].name,
                          type_names[table->columns[k].type]);
        }
        (void)putc('\n', file);
    }
}

static void put_row(FILE *file, const fh_motion *motion, const fh_motion_row *row)
{
    const fh_motion_table *table = &motion->tables[row->table];
    (void)fputs(table->name, file);
    for (size_t i = 0; i < table->num_columns; i++) {
        put_value(file, table->columns[i].type, motion->values[row->values + i]);
    }
    (void)putc('\n', file);
}

void fh_lock_file_put(FILE *file, const fh_locked *asset, const fh_motion *motion)
{
    char hash[2 * FH_SHA256_LEN + 1];
    fh_hash_hex(hash, asset->hash);
    (void)fputs("asset ", file);
    put_path(file, asset->path);
    (void)fprintf(file, "\nformat %s\nevaluator %s\nhash %s\n", asset->format, asset->evaluator,
                  hash);
    if (motion->is_too_long) {
        (void)fputs("end long\n", file);
        return;
    }
    put_tables(file, motion);
    size_t row = 0;
    for (size_t i = 0; i < motion->num_frames; i++) {
        (void)fprintf(file, "frame %" PRIu32 "\n", motion->frames[i].number);
        for (; row < motion->num_rows && motion->rows[row].frame == i; row++) {
            put_row(file, motion, &motion->rows[row]);
        }
    }
    (void)fprintf(file, "end %zu\n", motion->num_frames);
}
