/* An asset as labelled bytes: a line a field, with its place, its bytes, its name and its value,
 * and findings below the field they are in. For people as text, folded by structure; as JSON all of
 * it.
 *
 *   0x00000c  1c 00             C  size: 28
 *   0x000010  9 fields, 28 B       packets[0..3]: 4 x packet
 *
 * The letter says what kind of field it is, as the colour does. Words of a text, and everything
 * else that comes from input, go through escape.h.
 */
#ifndef FH_REPORTS_INSPECT_H
#define FH_REPORTS_INSPECT_H

#include "core/record.h"
#include "reports/field_tree.h"
#include "reports/out.h"

/* A finding, with its message. */
typedef struct fh_inspect_finding {
    const fh_rule *rule;
    fh_severity severity;
    int64_t offset; /* FH_UNKNOWN: it has no place */
    char message[FH_MESSAGE_LEN];
} fh_inspect_finding;

typedef struct fh_inspect_wish {
    const char *path; /* of the file */
    const char *format;
    const char *grade;
    unsigned depth;             /* levels that are not folded, at least 1 */
    const char *const *unfolds; /* see fh_inspect_match */
    size_t num_unfolds;
    bool has_range; /* only what lies in it, and that not folded: */
    size_t first, end;
    bool is_coloured;
    bool has_rules;       /* text: below each field the rules that look at it, of: */
    const fh_rule *rules; /* those of the format */
    size_t num_rules;
} fh_inspect_wish;

/* What is shown: a finished tree, the bytes it is of, and findings in any order. */
typedef struct fh_inspect_asset {
    const fh_field_tree *tree;
    fh_cursor bytes;
    const fh_inspect_finding *findings;
    size_t num_findings;
} fh_inspect_asset;

void fh_inspect_text(fh_out *out, const fh_inspect_asset *asset, const fh_inspect_wish *wish);
void fh_inspect_json(fh_out *out, const fh_inspect_asset *asset, const fh_inspect_wish *wish);

/* How a path and a node lie to each other. */
typedef enum fh_inspect_relation {
    FH_INSPECT_APART = 0,
    FH_INSPECT_ABOVE, /* what the path names lies inside the node */
    FH_INSPECT_INSIDE /* the node is what it names, or lies inside that */
} fh_inspect_relation;

/* fh_inspect_match holds a path as the text shows them against a node. An index may be a range,
 * frames[2..5], or * for all; without @ and place all parts of a name are meant. fh_inspect_is_path
 * tells whether a text is such a path at all. */
fh_inspect_relation fh_inspect_match(const char *path, const fh_field_tree *tree, size_t node);
bool fh_inspect_is_path(const char *path);

/* fh_inspect_names_any tells whether a path names a field or a group of a tree. */
bool fh_inspect_names_any(const char *path, const fh_field_tree *tree);

/* fh_inspect_gap finds the next run of bytes that no field holds, from `at` on; false: none. */
bool fh_inspect_gap(const fh_field_tree *tree, size_t at, size_t *first, size_t *len);

#endif
