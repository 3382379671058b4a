/* The fields of an asset as a tree in memory, in the order of their bytes, for those who show them.
 *
 * The tree owns its nodes until fh_field_tree_free; the names in them are constants. */
#ifndef FH_REPORTS_FIELD_TREE_H
#define FH_REPORTS_FIELD_TREE_H

#include "core/describe.h"
#include "core/text.h"

/* Nodes that are kept: more than any real file has. The largest one known has 60,000. What is left
 * out is said in is_cut. */
#define FH_FIELD_TREE_MOST ((size_t)1 << 20)

typedef struct fh_field_node {
    fh_field field; /* len of a group: up to the end of what lies behind one another in it */
    size_t parent;  /* node, or SIZE_MAX */
    size_t end;     /* node behind the last one inside */
} fh_field_node;

typedef struct fh_field_tree {
    fh_field_node *nodes; /* a group is followed by what it holds */
    size_t num, capacity;
    size_t *tops; /* nodes that lie in no group, by their offset */
    size_t num_tops;
    uint8_t *claims; /* how many fields hold each byte of the asset, 255 at most */
    size_t len;
    size_t open;      /* group, or SIZE_MAX */
    bool holds_lines; /* set by the caller: of a text, whose lines hold all of their bytes */
    bool is_cut;
    bool no_memory;
} fh_field_tree;

/* fh_field_tree_make begins the tree of an asset of len bytes; what is in no_memory is known only
 * behind fh_field_tree_finish, which is called when all has been told. */
fh_field_tree fh_field_tree_make(size_t len);
fh_field_sink fh_field_tree_sink(fh_field_tree *tree);
void fh_field_tree_finish(fh_field_tree *tree);
void fh_field_tree_free(fh_field_tree *tree);

/* fh_field_tree_path writes what a node is called from the top on: "frames[3].packets[0].length",
 * "vertex@0x240.x". */
void fh_field_tree_path(fh_text *out, const fh_field_tree *tree, size_t node);

/* fh_field_tree_name writes the last part of it. */
void fh_field_tree_name(fh_text *out, const fh_field *field);

#endif
