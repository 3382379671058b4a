/* The layout of a binary format, written down for other people's tools: Kaitai Struct (.ksy) and
 * the pattern language of ImHex (.hexpat). Made from the table by which the program itself labels
 * bytes (core/schema.h), so that they say the same. */
#ifndef FH_REPORTS_SCHEMA_WRITER_H
#define FH_REPORTS_SCHEMA_WRITER_H

#include "core/schema.h"
#include "reports/out.h"

/* What the generated files have in common. */

/* fh_schema_name writes the name of an item, numbered where its struct has several of it. */
void fh_schema_name(fh_out *out, const fh_struct *of, size_t item);

/* What the whole file is called where a layout is written down, and what is said of it. */
#define FH_SCHEMA_WHOLE "whole_file"
#define FH_SCHEMA_WHOLE_DOC                                                                        \
    "every byte; those that no other field has are unclaimed: nothing refers to them"

/* fh_schema_args writes expressions separated by commas as another language has them: operators
 * and prefixes of names are replaced. */
typedef struct fh_schema_words {
    const char *and_word, *or_word;
    const char *root;  /* in front of names of the first struct */
    const char *index; /* instead of _index */
} fh_schema_words;
void fh_schema_expression(fh_out *out, const fh_schema_words *words, const char *expressions);

/* fh_schema_ksy and fh_schema_hexpat write a whole file. */
void fh_schema_ksy(fh_out *out, const fh_schema *schema);
void fh_schema_hexpat(fh_out *out, const fh_schema *schema);

#endif
