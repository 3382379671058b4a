/* The assembler under the HMD language: bytes, labels, and values that are known only at the end.
 *
 * An operand is a number or an expression of labels. What depends on a label is written as zero
 * and noted; forge_asm_finish puts the values in when every label has its place. A counter is a
 * field in bytes already written that counts the lines which follow, unless the description told
 * its value. All offsets are bytes from the start of the file; operands are in words.
 *
 * The assembler owns its lists; forge_asm_free gives them back, but not the bytes in `out`, which
 * are for the caller. Errors go to the line's forge_error.
 */
#ifndef FORGE_HMD_ASM_H
#define FORGE_HMD_ASM_H

#include "forge/buf.h"
#include "forge/line.h"

typedef struct forge_label {
    const char *name; /* borrowed from the text */
    size_t len;
    bool placed;
    size_t off;
    unsigned line;   /* where it was placed */
    uint32_t points; /* packets, meshes and vectors from here to the next label */
} forge_label;

#define FORGE_NO_LABEL SIZE_MAX

/* A value: number + add, or (label + number words - from) / divide + add, or the count of things
 * behind a label + add. The range is checked before add, which holds flags and upper bytes. */
typedef struct forge_operand {
    forge_range range;
    int64_t number;
    uint32_t add;
    size_t label; /* index, or FORGE_NO_LABEL: a plain number */
    size_t from;  /* index, or FORGE_NO_LABEL */
    int64_t divide;
    bool counts;
} forge_operand;

/* Where an operand goes once its labels are known. */
typedef struct forge_fixup {
    forge_operand value;
    forge_operand place; /* of a patch, in words */
    bool is_patch;
    size_t off;
    unsigned width; /* bytes */
    unsigned line;
} forge_fixup;

typedef struct forge_counter {
    const char *name;
    size_t off;
    unsigned bits; /* a field of 1..32 bits at the bottom of its bytes */
    bool told;     /* by the description: it stays as it is */
} forge_counter;

typedef struct forge_asm {
    forge_buf out;
    forge_line line;
    forge_label *labels;
    size_t num_labels;
    size_t label_room;
    size_t last_label; /* the one placed last, whose points are counted */
    forge_fixup *fixups;
    size_t num_fixups;
    size_t fixup_room;
} forge_asm;

void forge_asm_free(forge_asm *as);

/* The ranges of fields that may be thought of as signed or unsigned, and of unsigned ones. */
forge_range forge_range_of(const char *name, int64_t min, int64_t max);
forge_range forge_word_range(const char *name);
forge_range forge_half_range(const char *name);
forge_range forge_u8_range(const char *name);
forge_range forge_u16_range(const char *name);
forge_range forge_s16_range(const char *name);
forge_range forge_s32_range(const char *name);

/* forge_asm_place gives a label the present position; len excludes the colon. */
bool forge_asm_place(forge_asm *as, const char *name, size_t len) FORGE_MUST_USE;
/* forge_asm_point counts one thing behind the label placed last. */
void forge_asm_point(forge_asm *as);

/* forge_asm_operand takes the next word as an operand, forge_asm_option that of key=value (the key
 * is the range's name; *out is left alone when the line has none; found may be NULL). */
bool forge_asm_operand(forge_asm *as, forge_range range, forge_operand *out) FORGE_MUST_USE;
bool forge_asm_option(forge_asm *as, forge_range range, forge_operand *out,
                      bool *found) FORGE_MUST_USE;
/* forge_operand_number makes an operand of a number. */
forge_operand forge_operand_number(forge_range range, int64_t number);

/* forge_asm_put appends an operand of 1, 2 or 4 bytes. */
bool forge_asm_put(forge_asm *as, const forge_operand *value, unsigned width) FORGE_MUST_USE;
/* forge_asm_put_at puts it into bytes already written. */
bool forge_asm_put_at(forge_asm *as, const forge_operand *value, size_t off,
                      unsigned width) FORGE_MUST_USE;
/* forge_asm_put_all appends all words that are left on the line; num may be NULL. */
bool forge_asm_put_all(forge_asm *as, forge_range range, unsigned width,
                       uint32_t *num) FORGE_MUST_USE;
/* forge_asm_patch notes that the word at place gets another value in the end. */
bool forge_asm_patch(forge_asm *as, const forge_operand *place,
                     const forge_operand *value) FORGE_MUST_USE;

/* forge_asm_counter starts the counter at off, in bytes already written, with option `name` as its
 * value if there is one. forge_asm_count adds to it; it does nothing to one that was told. */
bool forge_asm_counter(forge_asm *as, forge_counter *counter, const char *name, size_t off,
                       unsigned bits) FORGE_MUST_USE;
bool forge_asm_count(forge_asm *as, const forge_counter *counter, uint32_t add) FORGE_MUST_USE;

/* forge_asm_finish puts in all that was waiting for labels. */
bool forge_asm_finish(forge_asm *as) FORGE_MUST_USE;

#endif
