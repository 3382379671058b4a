/* The layout of a binary format as data: structs, their fields, and where the fields lie.
 *
 * One table a format says it all. fh_describe (core/describe.h) reads an asset by it and labels its
 * bytes; reports/schema_ksy.c and reports/schema_hexpat.c write it down for other people's tools.
 * So the three cannot differ. Tables are constants, and numbers little endian.
 *
 * A struct is a list of items. Items lie one behind the other, except those with an offset of their
 * own (`at`): such a part is read when all in front of it have been, and once, however many refer
 * to it as the same struct with the same arguments. Expressions are text:
 *
 *     expression   term, or expressions with an operator between them and parentheses
 *     operators    * / %    + -    == != < <= > >=    and    or, in falling order
 *     term         decimal or hexadecimal number, or a name: of a parameter of the struct, of an
 *                  item in front of it, of bits of one; _root.name: of an item of the first struct;
 *                  _index: of the element of an array of structs, from 0
 *
 * All are whole numbers of 64 bits; division is of numbers that are not negative. `when` and the
 * operands of and, or must be comparisons. A name whose item is not there is 0 here, and nothing in
 * other tools: do not use it.
 */
#ifndef FH_CORE_SCHEMA_H
#define FH_CORE_SCHEMA_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most that a struct may have, and how deep structs lie in each other without offsets of their
 * own; tests hold every table against them. */
enum { FH_SCHEMA_ITEMS = 32, FH_SCHEMA_PARAMS = 4, FH_SCHEMA_DEPTH = 8, FH_SCHEMA_OPERANDS = 16 };

typedef enum fh_item_type {
    FH_ITEM_U8,
    FH_ITEM_U16,
    FH_ITEM_U32,
    FH_ITEM_S8,
    FH_ITEM_S16,
    FH_ITEM_S32,
    FH_ITEM_STRUCT, /* `of` */
    FH_ITEM_SWITCH, /* one of `cases` by the value of `on`; `of`, or nothing, where none fits */
    FH_ITEM_LET     /* no bytes: a name for `value` or, where `when` does not hold, `otherwise` */
} fh_item_type;

/* What a field is, so that people can tell the kinds apart. */
typedef enum fh_field_kind {
    FH_KIND_VALUE = 0, /* a measure: position, angle, scale, time */
    FH_KIND_NAME,      /* magic number, id or type */
    FH_KIND_COUNT,     /* number or size of something */
    FH_KIND_POINTER,   /* offset, index: leads somewhere else */
    FH_KIND_FLAGS,     /* bits, modes */
    FH_KIND_COLOUR,    /* colours and texture positions */
    FH_KIND_DATA,      /* bytes that are not looked into */
    FH_KIND_PAD,       /* unused, reserved */
    FH_NUM_KINDS
} fh_field_kind;

/* fh_kind_name returns what a person calls it: "pointer". */
FH_API const char *fh_kind_name(fh_field_kind kind);

/* Some bits of a number, with a name of their own. */
typedef struct fh_bits {
    const char *name; /* NULL: behind the last one */
    uint8_t shift;
    uint8_t width;
} fh_bits;

typedef struct fh_struct fh_struct;

typedef struct fh_case {
    int64_t value;
    const fh_struct *of; /* NULL: behind the last one */
} fh_case;

typedef struct fh_item {
    const char *name; /* lower case, digits, underscores; several of one name are numbered */
    fh_item_type type;
    fh_field_kind kind;
    const fh_bits *bits; /* of a number, NULL: none */
    const fh_struct *of; /* may be NULL in a switch */
    const char *on;
    const fh_case *cases;
    const char *args;  /* of the struct, or of every case: expressions with commas between them */
    const char *count; /* NULL: one; no more than none where it is negative */
    const char *when;  /* NULL: always there */
    const char *at;    /* byte of the asset, NULL: behind the item in front */
    size_t stride;     /* with `at` and `count`: every element is a part of so many bytes; 0: the
                          array is one part */
    bool is_peek; /* with `at`: a number that is part of something else, only its value counts */
    const char *value, *otherwise;
    const char *doc; /* a few words, NULL: none */
} fh_item;

struct fh_struct {
    const char *name;
    const char *doc; /* NULL: none */
    const char *params[FH_SCHEMA_PARAMS];
    const fh_item *items;
    size_t num_items;
};

/* What rules look at: a field by its struct and name ("packet.length"), or a struct as a whole, its
 * order or its place ("packet"); and the codes of the rules, with a blank between two. The place ""
 * has those of the asset as a whole and of bytes that belong to no field. Rows rise by place. */
typedef struct fh_governed {
    const char *place;
    const char *rules;
} fh_governed;

typedef struct fh_governance {
    const fh_governed *rows;
    size_t num;
} fh_governance;

/* fh_governing returns the codes of the rules that look at a field of a struct, or, where name is
 * NULL, at the struct as a whole; NULL where there are none. of may be NULL. */
FH_API const char *fh_governing(const fh_governance *of, const char *in, const char *name);

typedef struct fh_schema {
    const char *name;                /* of the format */
    const char *title;               /* for people */
    const char *extension;           /* of its files */
    const char *doc;                 /* what else to know */
    const fh_struct *root;           /* at the first byte of an asset */
    const fh_struct *const *structs; /* all, root first; each name once */
    size_t num_structs;
    const fh_governance *governance; /* NULL: no rule is known */
} fh_schema;

/* fh_item_len returns the bytes of a number; 0 for anything else. */
FH_API size_t fh_item_len(const fh_item *item);

/* fh_item_number returns which of the items of its name an item of a struct is, from 0; or -1 where
 * it is the only one. */
FH_API int fh_item_number(const fh_struct *of, size_t item);

/* One token of an expression. */
typedef enum fh_lex_kind {
    FH_LEX_END,
    FH_LEX_COMMA, /* between the arguments of a struct */
    FH_LEX_NUMBER,
    FH_LEX_NAME,
    FH_LEX_OPERATOR,
    FH_LEX_OPEN,
    FH_LEX_CLOSE
} fh_lex_kind;

typedef struct fh_lex {
    fh_lex_kind kind;
    const char *text;
    size_t len;
} fh_lex;

/* fh_lex_next returns the token that *text begins with, blanks left out, and moves *text behind
 * it. */
FH_API fh_lex fh_lex_next(const char **text);

/* Looks a name up for fh_schema_value. */
typedef int64_t (*fh_name_value)(void *user, const char *name, size_t len);

/* fh_schema_value works out the expression that *text begins with, up to its end or a comma, behind
 * which it then moves. */
FH_API int64_t fh_schema_value(const char **text, fh_name_value value, void *user);

#endif
