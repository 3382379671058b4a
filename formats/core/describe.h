/* Labels the bytes of an asset: what each field is called, where it lies and what it holds.
 *
 * The fields come as a tree, told in the order in which they are read: what lies one behind the
 * other first, then the parts that something refers to. Nothing is judged here: a field is what the
 * layout of the format says it is, whether its value is sound or not. What would lie behind the end
 * of the bytes is cut, or left out. The same bytes may be told twice where two things refer to them
 * in two ways. Bytes that are never told are not referred to by anything.
 */
#ifndef FH_CORE_DESCRIBE_H
#define FH_CORE_DESCRIBE_H

#include "core/format.h"
#include "core/schema.h"

/* A field, or a group of them. Pointers are borrowed for the call, or constants where a format has
 * a schema. */
typedef struct fh_field {
    const char *name;
    int number;          /* of several of that name, from 0; -1: the only one */
    int64_t index;       /* of an element of an array of groups, from 0; FH_UNKNOWN: none */
    unsigned depth;      /* 0: lies in no group */
    bool is_part;        /* something refers to it; depth is 0 */
    fh_field_kind kind;  /* of a field */
    const char *type;    /* of a group: the name of its struct; else NULL */
    const char *doc;     /* NULL: none */
    const char *in;      /* struct of a field, for the governance; NULL: of a group, or unknown */
    const char *rules;   /* codes of those that look at it, with blanks between; NULL: none */
    size_t off, len;     /* bytes in the asset; len of a group is 0 here and told at its end */
    size_t width;        /* bytes of a number, of which there are len / width; 0: a text */
    bool is_signed;      /* the number */
    bool is_cut;         /* the asset ends inside it */
    const fh_bits *bits; /* NULL: none */
} fh_field;

typedef struct fh_field_sink {
    void *user;
    void (*begin)(void *user, const fh_field *group);
    void (*field)(void *user, const fh_field *field);
    void (*end)(void *user, size_t end); /* of the group that was begun last; byte behind it */
} fh_field_sink;

/* fh_describe reads the bytes by a schema. FH_OK, FH_LIMIT where the budget is spent, or
 * FH_NO_MEMORY; all that was told before holds. */
FH_API fh_status fh_describe(const fh_env *env, const fh_field_sink *out, const fh_schema *schema,
                             fh_cursor bytes) FH_MUST_USE;

/* fh_field_value reads number i of a field, which must lie inside the bytes as a whole. */
FH_API int64_t fh_field_value(const fh_field *field, fh_cursor bytes, size_t i);

/* fh_bits_value cuts the bits out of a number. */
FH_API int64_t fh_bits_value(const fh_bits *bits, int64_t number);

#endif
