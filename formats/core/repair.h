/* Repairs: the bytes that a rule demands where the rest of an asset leaves no other choice.
 *
 * A format looks at the bytes of one file and tells, edit by edit, what it is certain of. Nothing
 * is changed here: whoever asked makes the new bytes, has them judged again, and throws away what
 * did not help. An edit for which there is a second reading is not made.
 */
#ifndef FH_CORE_REPAIR_H
#define FH_CORE_REPAIR_H

#include "core/cursor.h"
#include "core/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that take the place of others. Of text the lengths may differ; of binary data never. */
typedef struct fh_edit {
    size_t off;           /* in the bytes that were given */
    size_t old_len;       /* 0: something is put in front of off */
    const uint8_t *bytes; /* new ones, borrowed for the call; NULL if len is 0 */
    size_t len;
    const fh_rule *rule; /* that the old bytes break */
    const char *field;   /* what they are, constant */
} fh_edit;

/* Where edits go, in any order. Edits of one rule do not overlap; those of different rules may, and
 * are then made one after the other. */
typedef struct fh_edit_sink {
    void *user;
    void (*edit)(void *user, const fh_edit *edit);
} fh_edit_sink;

/* A rule whose findings point at a word, or part of one, with bits that can only have one value.
 * The word lies at the offset of the finding, at the multiple of 4 below it. */
typedef struct fh_bit_mend {
    const fh_rule *rule;
    const char *field; /* only findings of this field; NULL: all */
    uint32_t clear;    /* bits that must be 0 */
    uint32_t set;      /* bits that must be 1 */
    bool is_expected;  /* the cleared bits become the number that the finding expects */
} fh_bit_mend;

struct fh_arena;
struct fh_budget;
struct fh_env;
struct fh_format;
struct fh_scan;
struct fh_verify_options;

/* fh_repair_bits verifies the bytes and tells an edit for every finding of the `num` rules: no more
 * bytes than those that change. Returns what verify did. */
FH_API fh_status fh_repair_bits(const struct fh_format *format, const struct fh_env *env,
                                const fh_edit_sink *out, fh_cursor bytes,
                                const struct fh_verify_options *options, const fh_bit_mend *mends,
                                size_t num) FH_MUST_USE;

/* fh_edit_tell passes an edit on. */
FH_API void fh_edit_tell(const fh_edit_sink *out, const fh_rule *rule, const char *field,
                         size_t off, size_t old_len, const void *bytes, size_t len);

/* fh_edit_number tells the little-endian number of `len` bytes (at most 4) that belongs at off. */
FH_API void fh_edit_number(const fh_edit_sink *out, const fh_rule *rule, const char *field,
                           size_t off, uint32_t value, size_t len);

/* What lines of a text end with, and the kind that all of them get. */
typedef struct fh_line_ends {
    uint32_t num_lf;
    uint32_t num_crlf;
    uint32_t num_cr;
    bool is_crlf; /* most lines end with CR LF; of as many of both kinds, the first one does */
} fh_line_ends;

/* fh_edit_line_ends counts the line ends of the bytes from `from` to `end`, and tells the edits
 * that make all of them what most of them are: of LF or CR LF under the rule `mixed`, of CR alone,
 * which no text should have, under `alone`. false, and nothing told, when the work is not paid for.
 */
FH_API bool fh_edit_line_ends(fh_line_ends *ends, const fh_edit_sink *out, const fh_rule *mixed,
                              const fh_rule *alone, fh_cursor bytes, size_t from, size_t end,
                              struct fh_budget *budget) FH_MUST_USE;

/* fh_edit_narrow tells the edit that writes a text in UTF-16, from the scanner's position on, as
 * bytes, if all of it is ASCII. FH_NO_MEMORY or FH_LIMIT where it cannot be looked at. */
FH_API fh_status fh_edit_narrow(const fh_edit_sink *out, const fh_rule *rule,
                                const struct fh_scan *scan, struct fh_arena *arena,
                                struct fh_budget *budget) FH_MUST_USE;

#endif
