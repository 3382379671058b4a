/* The text of a scan: one line an asset, one for what is wrong with a source, a summary at the end.
 *
 * The writer borrows its FILE and what is passed to it. Strings of input are escaped (escape.h).
 */
#ifndef FH_REPORTS_SCAN_TEXT_H
#define FH_REPORTS_SCAN_TEXT_H

#include "core/record.h"
#include "reports/counts.h"
#include "reports/out.h"

/* Formats that the summary counts one by one; assets of any further one are counted together. */
#define FH_SCAN_FORMATS 16u

typedef struct fh_scan_text {
    fh_out out;
    uint64_t num_sources;
    uint64_t num_incomplete; /* of the sources, those with a status other than "complete" */
    uint64_t num_assets;
    uint64_t num_weak; /* readings with too little evidence to be assets; counted by the caller */
    struct {
        char name[16]; /* cut if longer */
        uint64_t num_assets;
    } formats[FH_SCAN_FORMATS];
    size_t num_formats;
    fh_counts findings;
} fh_scan_text;

void fh_scan_text_begin(fh_scan_text *text, FILE *file);

/* fh_scan_text_asset writes the line of an asset with the numbers of its findings:
 *   path@0x0000782c  tod  928 bytes  29 frames  5 objects  replayed  0 errors 0 warnings 1 note
 * and for an asset of an image, which is one with an LBA, also "user 0x00006b10 LBA 13". */
void fh_scan_text_asset(fh_scan_text *text, const char *path, const fh_asset_record *asset,
                        const fh_counts *findings);

/* fh_scan_text_finding writes the line of a finding that is of a source rather than of an asset:
 *   path@0x000113a0  warning IMG0004: Sync missing in a data track: ...
 * It is counted by fh_scan_text_source. */
void fh_scan_text_finding(fh_scan_text *text, const char *path, const fh_finding_record *finding);

/* fh_scan_text_source counts a source that was ended, and the findings that are of no asset. */
void fh_scan_text_source(fh_scan_text *text, const fh_source_record *source,
                         const fh_counts *findings);

/* fh_scan_text_end writes the summary and returns 0 or the errno of the first write that failed. */
int fh_scan_text_end(fh_scan_text *text) FH_MUST_USE;

#endif
