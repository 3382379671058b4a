/* The rows of a sound database, for the target of its readers. */
#ifndef FUZZ_ROWS_H
#define FUZZ_ROWS_H

#include "core/rules.h"

/* The rules of which its findings are. */
extern const fh_rule_table fuzz_rows_rules;

/* fuzz_rows writes a scan of some sources into the database at path, through the store. */
void fuzz_rows(const char *path);

#endif
