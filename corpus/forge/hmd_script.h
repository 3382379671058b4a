/* What the statements of the HMD language share: the place in the file that is being written.
 *
 * Each subject has a file with a table of its statements. A statement stands where a bit of
 * `where` is set, and may move the script to another place. Counters belong to the line that
 * opened the place; they are fields in bytes already written. The script is owned by
 * forge_hmd_text, for the length of one description.
 */
#ifndef FORGE_HMD_SCRIPT_H
#define FORGE_HMD_SCRIPT_H

#include "forge/hmd_asm.h"
#include "forge/repeat.h"

/* Places. KEEP as `moves_to` leaves the script where it is. */
enum {
    FORGE_AT_BEGIN = 1 << 0,
    FORGE_AT_DATA = 1 << 1, /* bytes that nothing counts */
    FORGE_AT_BLOCKS = 1 << 2,
    FORGE_AT_UNITS = 1 << 3,
    FORGE_AT_HEADERS = 1 << 4,
    FORGE_AT_PRIMITIVE = 1 << 5,
    FORGE_AT_RECORD = 1 << 6,
    FORGE_AT_SEQUENCE = 1 << 7,
    FORGE_AT_MESH = 1 << 8,
    FORGE_AT_JOINT = 1 << 9,
    FORGE_AT_SHAPE = 1 << 10,
    FORGE_AT_DELTAS = 1 << 11,
    FORGE_AT_RESETS = 1 << 12,
    FORGE_AT_GROUND = 1 << 13,
    FORGE_AT_CUT = 1 << 14, /* behind the last statement */
    FORGE_ANYWHERE = (1 << 14) - 2,
    FORGE_KEEP = 0
};

typedef struct forge_hmd_script {
    forge_asm as;
    forge_repeat repeat;
    const char *text; /* borrowed */
    size_t len;
    size_t pos;
    size_t limit;
    unsigned place;
    bool header_told; /* the header pointer was given, or the section has been seen */
    bool has_units;
    size_t units_off; /* of the first coordinate */
    bool has_cut;
    bool cut_keeps;
    size_t cut_len;
    forge_counter count; /* of the place: blocks, units, headers, records, triangles, rows ... */
    forge_counter record_size;
    forge_counter record_count;
    forge_counter sequence_size;
    forge_counter sequence_num;
    forge_counter notify_count;
    size_t flags_off; /* of the difference flags of a MIMe block */
    bool flags_told;  /* they stay as they are */
    uint32_t mesh_type;
} forge_hmd_script;

typedef struct forge_hmd_statement {
    const char *name;
    unsigned where;
    unsigned moves_to;
    bool (*run)(forge_hmd_script *s);
} forge_hmd_statement;

typedef struct forge_hmd_statements {
    const forge_hmd_statement *list;
    size_t num;
} forge_hmd_statements;

extern const forge_hmd_statements forge_hmd_frame;   /* header, coordinates, primitives, records */
extern const forge_hmd_statements forge_hmd_shapes;  /* packets and vectors */
extern const forge_hmd_statements forge_hmd_motion;  /* animation */
extern const forge_hmd_statements forge_hmd_objects; /* MIMe, ground, devices */

/* Short forms for the statements: read, then append. */

/* forge_hmd_put_next appends the next word of the line. */
bool forge_hmd_put_next(forge_hmd_script *s, forge_range range, unsigned width) FORGE_MUST_USE;
/* forge_hmd_put_option appends key=value, or a default. */
bool forge_hmd_put_option(forge_hmd_script *s, forge_range range, int64_t value,
                          unsigned width) FORGE_MUST_USE;
/* forge_hmd_put_numbers appends num numbers from the line. */
bool forge_hmd_put_numbers(forge_hmd_script *s, forge_range range, size_t num,
                           unsigned width) FORGE_MUST_USE;

/* forge_hmd_rotation fills the nine elements from angles (4096 a turn), as RotMatrix does. */
void forge_hmd_rotation(int16_t m[9], const int64_t angles[3]);

#endif
