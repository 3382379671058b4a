/* What the suites of reports/ share: a directory that vanishes, files compared byte for byte, and
 * databases read back through SQLite itself rather than through the store. */
#ifndef FH_TESTS_REPORTS_SUPPORT_H
#define FH_TESTS_REPORTS_SUPPORT_H

#include "reports/store/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct blob {
    char *bytes; /* owned; ended by a zero that is not counted */
    size_t len;
} blob;

/* in_dir returns the path of name in the directory of this test, which is made when first asked
 * for. Static, valid until the next call but seven. */
const char *in_dir(const char *name);
void remove_dir(void); /* a .fini */
size_t num_files(void);

blob slurp(const char *path);
void spill(const char *path, const char *bytes, size_t len);
bool same(blob a, blob b);

/* rows runs a query and returns its rows as text: columns separated by |, each row ended by \n. */
char *rows(const char *path, const char *query);

/* EXPECT_ROWS holds the rows of a query against text. The file includes criterion. */
#define EXPECT_ROWS(db, query, text)                                                               \
    do {                                                                                           \
        char *got = rows(db, query);                                                               \
        cr_assert(eq(str, got, (char *)(text)), "%s", query);                                      \
        free(got);                                                                                 \
    } while (0)

/* begin_text opens a stream whose text is `written` once it is closed; expect_text closes it,
 * holds the text against another, and frees it. */
extern char *written;
FILE *begin_text(void);
void expect_text(FILE *file, const char *text);

/* run executes SQL on a database of its own accord. */
void run(const char *path, const char *sql);

/* drop_views takes all views out of a database: they keep columns from being dropped. */
void drop_views(const char *path);

/* What schema 5 has and schema 4 had not. */
#define DROP_OVERALL                                                                               \
    "DROP TRIGGER IF EXISTS asset_added; DROP TRIGGER IF EXISTS asset_gone;"                       \
    "DROP TRIGGER IF EXISTS asset_changed; DROP TRIGGER IF EXISTS finding_added;"                  \
    "DROP TRIGGER IF EXISTS finding_gone; DROP TRIGGER IF EXISTS finding_changed;"                 \
    "DROP TABLE overall;"

/* Rules of a format that does not exist. */
extern const fh_rule_table test_rules;

/* An asset at an offset, with hashes made of the byte `hash`, and the finding of a rule. */
fh_asset_record asset_at(int64_t raw_offset, int hash);
fh_finding_record finding_of(size_t rule, int64_t asset, const char *message);
fh_source_record source_named(const char *path);

fh_store *open_or_die(const char *path);
void begin_or_die(fh_store *store);

/* scan_source writes a source with num_assets assets, each replayed and with one finding, and one
 * finding of the source itself. */
fh_store_status scan_source(fh_store *store, const char *path, int num_assets, int hash);

/* scan writes a whole scan with one source. */
void scan(const char *db, const char *path, int num_assets, int hash);

#endif
