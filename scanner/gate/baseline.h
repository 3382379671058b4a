/* A baseline: the findings that are known and are not told again, kept in a file under version
 * control.
 *
 * The file is a text of lines, sorted, one for each content and rule:
 *
 *   # framehound baseline 1
 *   SHA256 CODE COUNT # PATH
 *
 * SHA256 is that of the whole file (what stands behind an asset can be a finding too); up to COUNT
 * findings of the rule are known of this content, whatever the file is called. PATH, where it lay
 * when the baseline was written, is relative to the folder of the baseline, and escaped as in
 * reports; it says to people what is meant, and to the program which entries can be out of date.
 * Two lines for the same content and rule count as the one with the higher number, and lines may
 * stand in any order: what a merge makes of two baselines is one. Blank lines and further comments
 * are passed over.
 *
 * An entry is out of date if a run looked at its path, or its path is gone from a folder that the
 * run walked, and the content that was looked at has no such finding.
 */
#ifndef FH_GATE_BASELINE_H
#define FH_GATE_BASELINE_H

#include "cmd.h"
#include "core/record.h"
#include "gate/choice.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct fh_known {
    uint8_t sha256[FH_SHA256_LEN];
    char code[FH_CODE_SIZE];
    uint32_t count;
    unsigned line;
    char *path;     /* as it stands in the file; "" where it does not. Owned */
    uint32_t left;  /* how many findings of the present file it still takes */
    bool is_used;   /* it took one */
    bool is_looked; /* its path was looked at, or is gone */
    bool is_seen;   /* its content was looked at */
} fh_known;

typedef struct fh_baseline {
    char *path;      /* as the user or the configuration names it; owned */
    char *folder;    /* in which it lies, absolute, without links; owned */
    fh_known *items; /* sorted by content, code; owned */
    size_t num;
    size_t max;
    size_t *by_path; /* indices, sorted by path; owned */
    size_t first;    /* of those that are of the present content */
    size_t behind;
} fh_baseline;

/* fh_baseline_read reads the file at path. A damaged one is FH_EXIT_USAGE with a complaint that
 * names the line, as is what can be none; one that cannot be read is FH_EXIT_IO. may_miss: none is
 * there is no error, and an empty baseline. */
fh_exit fh_baseline_read(fh_baseline *baseline, const char *path, bool may_miss);

/* fh_baseline_begin begins a file with this content, at this absolute path (NULL: standard input,
 * of which nothing is known but the content). */
void fh_baseline_begin(fh_baseline *baseline, const uint8_t sha256[FH_SHA256_LEN],
                       const char *path);

/* fh_baseline_takes tells whether one more finding of the present file is known. */
bool fh_baseline_takes(fh_baseline *baseline, const char *code);

/* fh_baseline_miss notes which files are gone from the folder root, absolute and without links,
 * that was walked. */
void fh_baseline_miss(fh_baseline *baseline, const char *root);

/* fh_known_is_stale tells whether an entry is out of date. */
bool fh_known_is_stale(const fh_known *known);

/* fh_baseline_add adds a finding of the file at an absolute path (NULL: standard input) to a
 * baseline that is to be written. false: no memory. */
bool fh_baseline_add(fh_baseline *baseline, const uint8_t sha256[FH_SHA256_LEN], const char *code,
                     const char *path) FH_MUST_USE;

/* fh_baseline_keep adds those entries of an older baseline of the same folder that the run says
 * nothing of. */
bool fh_baseline_keep(fh_baseline *baseline, const fh_baseline *old) FH_MUST_USE;

/* fh_baseline_write sorts and writes it. Complains and returns FH_EXIT_IO on failure. */
fh_exit fh_baseline_write(fh_baseline *baseline);

void fh_baseline_free(fh_baseline *baseline);

#endif
